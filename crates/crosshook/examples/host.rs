//! A small agent host: it takes hooks in whichever vendor's format its command line names, and does what they decide.
//!
//! ```text
//! cargo run --example host -- claude                          a tiny configuration that is built in
//! cargo run --example host -- cursor .cursor/hooks.json       your own
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a host reads files and talks to a person")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use crosshook::activate::AdmitAll;
use crosshook::effects::EnvReach;
use crosshook::envelope::{Prompt, Provenance, SessionEnd, SessionStart, ToolUse, TurnStop};
use crosshook::runtime::{
    BackgroundLimit, CancelSignal, Environment, FireOptions, Late, SessionFiles, SessionSnapshot, fire,
};
use crosshook::source::Syntax;
use crosshook::{
    Action, Common, Decision, Envelope, HostProfile, Origin, Payload, SessionState, Source, ToolCall, VendorSources,
    activate,
};

/// The host's facts and what a session keeps between firings.
struct Host {
    profile: HostProfile,
    common: Common,
    /// What hooks run. A host whose documents change hands each new snapshot to it (`SessionSnapshot::renew`).
    snapshot: SessionSnapshot,
    /// What hooks said that later firings need.
    state: SessionState,
    /// Where hooks write variables for the agent's shell commands.
    files: Arc<SessionFiles>,
    /// What is the same for all firings of the session.
    options: FireOptions,
    /// Hooks that still run in the background. They end when this is dropped.
    late: Late,
    /// Ends what runs in the background. A host whose turns can be taken back also gives each firing the turn's signal.
    cancel: CancelSignal,
}

impl Host {
    /// Picks the format and settles what runs: once, when the session starts.
    async fn start(vendor: &str, config: Option<&str>, folder: &Path) -> Result<Self, Box<dyn Error>> {
        let adapter = crosshook::adapter(vendor)
            .ok_or_else(|| format!("`{vendor}` is no format; write one of {}", crosshook::VENDORS.join(", ")))?;
        let (path, bytes) = match config {
            Some(path) => (path, std::fs::read(path)?),
            None => ("built in", built_in(vendor).into()),
        };
        let syntax = if path.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
        let source = Source::hooks(adapter.vendor().clone(), Origin::Project, syntax, path, bytes);
        let document = adapter.parse(&Arc::new(source));
        // Nobody can be asked here, so an `ask` becomes a deny.
        let profile = HostProfile::full().ask(false).defer(false);
        // A host for people would ask before it trusts a project's hooks, and answer so here.
        let snapshot = activate(vec![VendorSources { adapter, documents: vec![document] }], &profile, &AdmitAll)?;
        for told in snapshot.diagnostics() {
            println!("[{}] {}", told.severity.as_str(), told.message);
        }
        let files = Arc::new(SessionFiles::new(folder.join("variables")));
        let cancel = CancelSignal::new();
        let options = FireOptions::default()
            .cancel_background(cancel.clone())
            .background(BackgroundLimit::default())
            .began_with(Environment::capture())
            .session_files(Arc::clone(&files))
            .spill_folder(folder.join("texts"));
        let cwd = std::env::current_dir()?.to_string_lossy().into_owned();
        let common = Common { session_id: "session-1".into(), cwd, ..Common::default() };
        let mut host = Self {
            profile,
            common,
            snapshot: SessionSnapshot::begin(Arc::new(snapshot)),
            state: SessionState::default(),
            files,
            options,
            late: Late::default(),
            cancel,
        };
        let start = SessionStart { source: Some("startup".into()), ..SessionStart::default() };
        tell(&host.ask_hooks(Payload::SessionStart(start)).await);
        Ok(host)
    }

    /// Asks the hooks. A host that fires several at once takes care that each starts from what the one before left.
    async fn ask_hooks(&mut self, payload: Payload) -> Decision {
        self.take_late();
        let envelope = Envelope::new(self.common.clone(), payload);
        let firing = fire(&self.snapshot.snapshot(), &envelope, &self.profile, &self.state, &self.options).await;
        self.state = firing.session;
        self.late.append(firing.late);
        for update in self.state.take_permission_updates() {
            println!("  (a hook changes the permission rules: {})", update.value.get());
        }
        firing.notes.iter().for_each(|note| println!("  beware: {note}"));
        firing.decision
    }

    /// Puts what ended in the background into the session; the next decision that has a place for it carries it.
    fn take_late(&mut self) {
        while let Some(run) = self.late.ended() {
            // A host whose model is idle would start a turn for a run that wakes it.
            let wakes = run.wakes();
            let dropped = run.apply(&mut self.state);
            println!("  (a hook in the background has ended{})", if wakes { " and wakes the model" } else { "" });
            dropped.iter().for_each(|dropped| println!("  beware: {}", dropped.why));
        }
    }

    /// Sends a prompt, unless a hook stops it.
    async fn prompt(&mut self, text: &str) {
        println!("\nprompt: {text}");
        let prompt = Prompt { text: text.into(), provenance: Provenance::User, ..Prompt::default() };
        let decision = self.ask_hooks(Payload::PromptSubmit(prompt)).await;
        tell(&decision);
        match decision.halt {
            Some(halt) => println!("  -> not sent: {}", halt.value.reason.unwrap_or_default()),
            None => println!("  -> sent to the model"),
        }
    }

    /// Runs a command, unless a hook denies it; a hook may also put another command in its place.
    async fn shell(&mut self, command: &str) {
        println!("\nshell: {command}");
        let call = ToolCall::shell(command);
        let decision = self.ask_hooks(Payload::ToolBefore(ToolUse { id: Some("call-1".into()), call })).await;
        tell(&decision);
        let rewritten = decision.input.as_ref().and_then(|said| said.value.as_shell());
        let command = rewritten.map_or(command, |shell| &shell.command);
        match decision.action {
            Action::Deny | Action::Ask | Action::Defer => println!("  -> not run"),
            // Silence never approves: the host's own rules decide.
            Action::NoOpinion if !harmless(command) => println!("  -> not run: this host's own rules do not allow it"),
            Action::NoOpinion | Action::Approve => {
                println!("  -> runs: {command}");
                // What hooks wrote comes before the command, as shell text.
                let prelude = self.files.prelude(&self.snapshot.snapshot(), EnvReach::Shell);
                prelude.text.lines().for_each(|line| println!("     after: {line}"));
                for (path, why) in &prelude.left_out {
                    println!("  beware: {} is left out: {why}", path.display());
                }
            }
        }
    }

    /// Ends the turn, unless a hook has more to do.
    async fn stop(&mut self) {
        println!("\nthe model is done");
        for round in 0.. {
            let loop_count = self.state.turns_continued;
            let stop = TurnStop { status: Some("completed".into()), loop_count, ..TurnStop::default() };
            let decision = self.ask_hooks(Payload::TurnStop(stop)).await;
            tell(&decision);
            // A vendor without a limit of its own must not keep this host busy for ever.
            match decision.continuations.as_slice() {
                [first, ..] if decision.halt.is_none() && round < 3 => println!("  -> goes on: {}", first.value.text),
                _ => break,
            }
        }
        println!("  -> the turn ends");
    }

    /// Ends the session, and with it what still runs in the background.
    async fn end(mut self) {
        tell(
            &self
                .ask_hooks(Payload::SessionEnd(SessionEnd { reason: Some("exit".into()), ..SessionEnd::default() }))
                .await,
        );
        self.cancel.cancel();
        while let Some(run) = self.late.next().await {
            println!("  (ended with the session: {})", run.binding.handler.label());
        }
    }
}

/// What the hooks said to the model and to the person.
fn tell(decision: &Decision) {
    for (whom, texts) in [("model", &decision.to_model), ("person", &decision.to_user)] {
        texts.iter().for_each(|said| println!("  to the {whom}: {}", said.value));
    }
}

/// This host's own rule.
fn harmless(command: &str) -> bool {
    ["ls", "pwd", "date"].contains(&command)
}

/// Denies `rm -rf`, and lets everything else be.
fn built_in(vendor: &str) -> &'static str {
    match vendor {
        "cursor" => {
            r#"{"version": 1, "hooks": {"beforeShellExecution": [{"command": "if grep -q 'rm -rf'; then echo 'no rm -rf here' >&2; exit 2; else echo '{\"permission\": \"allow\"}'; fi"}]}}"#
        }
        _ => {
            r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "if grep -q 'rm -rf'; then echo 'no rm -rf here' >&2; exit 2; fi"}]}]}}"#
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let vendor = args.first().ok_or("usage: host VENDOR [CONFIG]")?;
    // A folder of the session's own. A host that resumes sessions keeps it.
    let folder = tempfile::tempdir()?;
    let mut host = Host::start(vendor, args.get(1).map(String::as_str), folder.path()).await?;
    host.prompt("tidy up the build folder").await;
    host.shell("rm -rf build").await;
    host.shell("ls").await;
    host.stop().await;
    host.end().await;
    Ok(())
}
