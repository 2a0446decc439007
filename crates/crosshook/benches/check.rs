//! How long `crosshook check` takes as a whole process: on a project of all three vendors, and on many projects at once.
//!
//! `cargo bench -p crosshook --bench check` prints medians. `taskset -c 0` before it shows one core.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark writes files, starts programs, looks at the clock and fails loudly"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each measurement.
const RUNS: usize = 31;

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    let runs = if std::env::args().any(|arg| arg == "--test") { 1 } else { RUNS };
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one");
    project(&one, 8);
    println!("one project, three vendors, 8 hooks each  {}", shown(median(runs, &one, &[])));
    println!("the same, as JSON                         {}", shown(median(runs, &one, &["--json"])));
    println!("nothing but the process (--version)       {}", shown(time(runs, &one, &["--version"])));
    for count in [125, 250, 500, 1_000] {
        let many = folder.path().join(format!("many{count}"));
        for at in 0..count {
            project(&many.join(format!("p{at:04}")), 8);
        }
        let took = median(runs.min(11), &many, &["--recursive"]);
        let each = took / u32::try_from(3 * count).unwrap();
        println!("{count:5} projects, {:5} files                {}  {each:?} a file", 3 * count, shown(took));
    }
}

fn median(runs: usize, folder: &Path, args: &[&str]) -> Duration {
    time(runs, folder, &[&["check"], args].concat())
}

fn time(runs: usize, folder: &Path, args: &[&str]) -> Duration {
    let mut took: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            let status = Command::new(env!("CARGO_BIN_EXE_crosshook"))
                .args(args)
                .current_dir(folder)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            assert!(status.code().is_some_and(|code| code < 2), "{status}");
            start.elapsed()
        })
        .collect();
    took.sort_unstable();
    took.get(took.len() / 2).copied().unwrap_or_default()
}

fn shown(took: Duration) -> String {
    format!("{:8.2} ms", took.as_secs_f64() * 1_000.0)
}

/// A project in which each vendor has as many hooks, half of them with a pattern as matcher.
fn project(root: &Path, hooks: usize) {
    let matcher =
        |at: usize, shell: &str| if at.is_multiple_of(2) { shell.to_owned() } else { format!("^mcp__server{at}__.*$") };
    let join = |one: &dyn Fn(usize) -> String| (0..hooks).map(one).collect::<Vec<_>>().join(",");
    let cursor = join(&|at| format!(r#"{{"command":"true {at}","matcher":"{}","timeout":10}}"#, matcher(at, "Shell")));
    let nested = |shell: &'static str| {
        join(&move |at| {
            let handler = format!(r#"{{"type":"command","command":"true {at}","timeout":10}}"#);
            format!(r#"{{"matcher":"{}","hooks":[{handler}]}}"#, matcher(at, shell))
        })
    };
    for (path, text) in [
        (".cursor/hooks.json", format!(r#"{{"version":1,"hooks":{{"preToolUse":[{cursor}]}}}}"#)),
        (".claude/settings.json", format!(r#"{{"hooks":{{"PreToolUse":[{}]}}}}"#, nested("Bash"))),
        (".codex/hooks.json", format!(r#"{{"hooks":{{"PreToolUse":[{}]}}}}"#, nested("Bash"))),
    ] {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}
