//! What dispatching costs beside the processes: 8 and 64 hooks fired, against bare spawning and waiting for the same ones.
//!
//! Both run the same shell texts with the same input and environment, in process groups of their own, all at the same
//! time. They take turns, so that what else the machine does hits both. Run with `cargo bench --bench dispatch`; a number
//! of rounds may follow.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program that measures and prints"
)]

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hooks_conformance::{Given, sample};
use hooks_core::activate::{AdmitAll, activate};
use hooks_core::outcome::Program;
use hooks_core::{HostProfile, HostSide, Origin, SessionState, Snapshot, Source, Syntax, VendorSources};
use hooks_runtime::{FireOptions, Planned, fire, plan};

fn snapshot(adapter: &Arc<dyn HostSide>, hooks: usize) -> Snapshot {
    let handlers: Vec<String> = (0..hooks)
        .map(|at| format!(r#"{{"type":"command","command":"cat >/dev/null; echo '{{}}' # {at}"}}"#))
        .collect();
    let text = format!(r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{}]}}]}}}}"#, handlers.join(","));
    let source =
        Source::hooks(adapter.vendor().clone(), Origin::User, Syntax::Json, "settings.json", text.into_bytes());
    let documents = vec![adapter.parse(&Arc::new(source))];
    let sources = vec![VendorSources { adapter: Arc::clone(adapter), documents }];
    let snapshot = activate(sources, &HostProfile::full(), &AdmitAll).expect("a snapshot");
    assert_eq!(snapshot.bindings().len(), hooks);
    snapshot
}

/// Starts all, then writes and waits.
fn bare(planned: &[Planned]) {
    let children: Vec<_> = planned
        .iter()
        .map(|planned| {
            let invocation = planned.invocation.as_ref().expect("an invocation");
            let Program::ShellText { text, .. } = &invocation.program else { panic!("no shell text") };
            let mut command = Command::new("/bin/sh");
            command.arg("-c").arg(text).current_dir(&invocation.cwd);
            for name in invocation.env_remove.iter().filter(|name| !name.ends_with('*')) {
                command.env_remove(name);
            }
            command.envs(invocation.env.iter().map(|(name, value)| (name, value)));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command.spawn().expect("a process")
        })
        .collect();
    for (mut child, planned) in children.into_iter().zip(planned) {
        child.stdin.take().expect("a pipe").write_all(&planned.stdin).expect("written");
        assert!(child.wait_with_output().expect("waited for").status.success());
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(30);
    let adapter: Arc<dyn HostSide> = Arc::new(adapter_claude::Adapter::latest());
    let mut envelope = sample::envelope(&*adapter, "PreToolUse", &Given::default()).expect("an occurrence");
    envelope.common.cwd = std::env::temp_dir().to_string_lossy().into_owned();
    let (host, session) = (HostProfile::full(), SessionState::default());
    for hooks in [8, 64] {
        let snapshot = snapshot(&adapter, hooks);
        let options = FireOptions::default().concurrency(hooks);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let planned = plan(&snapshot, &envelope, &session);
        let (mut fired, mut spawned) = (Vec::new(), Vec::new());
        for round in 0..rounds + 3 {
            let started = Instant::now();
            bare(&planned);
            let bare = started.elapsed();
            let started = Instant::now();
            let firing = runtime.block_on(fire(&snapshot, &envelope, &host, &session, &options));
            let dispatched = started.elapsed();
            assert!(firing.runs.iter().all(|run| run.effects.failure.is_none()));
            // The first rounds warm up.
            if round >= 3 {
                spawned.push(bare);
                fired.push(dispatched);
            }
        }
        let (fired, spawned) = (median(&mut fired), median(&mut spawned));
        println!(
            "{hooks} hooks: dispatched {:.2} ms, bare {:.2} ms, ratio {:.3} (medians of {rounds})",
            fired.as_secs_f64() * 1e3,
            spawned.as_secs_f64() * 1e3,
            fired.as_secs_f64() / spawned.as_secs_f64()
        );
    }
}
