//! One run of the script: its process, its end, and the file that it may write variables to.

use std::fs;
use std::io;

use crosshook::bridge::Occurrence;
use hooks_core::Envelope;
use hooks_core::SessionState;
use hooks_core::definition::Binding;
use hooks_core::outcome::{End, Invocation, Outcome, SessionFile};
use hooks_runtime::{CancelSignal, run_command};

use super::Crossing;
use super::session::Keeper;

impl Crossing<'_> {
    /// Runs the script for what it is told. `of` is how many parts the call has.
    pub(super) fn run_script(
        &mut self,
        hook: &Binding,
        occurrence: &Occurrence,
        told: &Envelope,
        (of, session): (usize, &SessionState),
        keeper: &Keeper,
    ) -> Outcome {
        let mut given = Vec::new();
        let left = self.left(occurrence);
        let mut invocation = match self.bridge.invocation(hook, occurrence, told, Some(left), &mut given) {
            Ok(invocation) => invocation,
            Err(not_run) => return not_run.into(),
        };
        let file = invocation.session_file.and_then(|file| self.give_file(file, &mut invocation, keeper));
        let env: Vec<_> = session
            .hook_env(self.written_for.vendor())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return Outcome::ended(End::FailedToStart(error.to_string())),
        };
        let cancel = CancelSignal::new();
        let mut outcome = runtime.block_on(async {
            let running = run_command(&invocation, &given, &cancel, &env);
            tokio::pin!(running);
            loop {
                tokio::select! {
                    // Signals are listened to before anything is started that must not outlive them.
                    biased;
                    () = asked_to_end(), if !cancel.is_cancelled() => cancel.cancel(),
                    outcome = &mut running => break outcome,
                }
            }
        });
        if of > 1 && outcome.end == End::TimedOut && invocation.timeout < hook.timeout {
            // Its vendor gives it its whole limit for each part. That the parts share the host's is no fault of its own.
            outcome.end = End::Cancelled;
        }
        if let Some((path, _)) = file.filter(|(path, before)| length(path) > *before) {
            let variable = invocation.session_file.map_or("the variable's file", |file| file.variable);
            let host = self.host.vendor();
            self.tell(&format!(
                "{host} has no variables for the agent's commands; what the script wrote to {variable} is in `{path}`"
            ));
        }
        outcome
    }

    /// Gives the script a file for variables, where its own vendor does and the host does not: what it writes there reaches
    /// nobody, but the script runs as at home. Gives the path and the length before the run.
    fn give_file(&mut self, file: SessionFile, invocation: &mut Invocation, keeper: &Keeper) -> Option<(String, u64)> {
        let vendor = self.written_for.vendor().clone();
        let made = keeper.files().and_then(|files| files.make(&vendor, &file).map_err(|error| error.to_string()));
        match made {
            Ok(path) => {
                invocation.env.push((file.variable.to_owned(), path.clone()));
                let before = length(&path);
                Some((path, before))
            }
            Err(why) => {
                self.tell(&format!("the script gets no {}: {why}", file.variable));
                None
            }
        }
    }

    /// Takes away the files that are emptied before the hooks of an occurrence run.
    pub(super) fn clear_files(&mut self, keeper: &Keeper, occurrence: &Occurrence) {
        let boundary = occurrence.envelope.boundary();
        let cleared = self.written_for.session_files().iter().filter(|file| file.cleared_on.contains(&boundary));
        for file in cleared {
            let Ok(files) = keeper.files() else { return };
            match fs::remove_file(files.path(self.written_for.vendor(), file)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    self.tell(&format!("{} could not be cleared: {error}", file.variable));
                }
                _ => {}
            }
        }
    }
}

fn length(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |facts| facts.len())
}

/// Waits until the host asks this process to end: its script must not outlive it.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let signals = (signal(SignalKind::terminate()), signal(SignalKind::hangup()));
        if let (Ok(mut terminate), Ok(mut hang_up)) = signals {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
