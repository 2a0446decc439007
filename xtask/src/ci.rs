//! `cargo xtask ci`: what must pass before anything lands, step by step.
//!
//! Steps say their name and their time; the first that fails ends the run, with the command that repeats it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{ASKED, CONSUMERS, WHERE_POSSIBLE, generate, succeed, tidy};

/// The sets of features that hosts use, each of which must build by itself, without a warning.
const FEATURES: &[(&str, &str)] = &[
    ("crosshook", ""),
    ("crosshook", "cursor"),
    ("crosshook", "claude"),
    ("crosshook", "codex"),
    ("crosshook", "runtime"),
    ("crosshook", "schema"),
    ("crosshook", "check"),
    ("crosshook", "claude,schema"),
    ("crosshook", "cursor,claude,codex,schema"),
    ("hooks-conformance", ""),
    ("hooks-conformance", "schema"),
];

/// One step.
struct Step {
    /// What one names to run it alone.
    name: &'static str,
    /// What it makes sure of.
    about: &'static str,
    work: Work,
}

enum Work {
    /// A run of cargo, with variables set.
    Cargo(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// A build of the facade with each of the sets of features.
    Features,
    /// A task of this program.
    Task(&'static str, fn(&Path) -> Result<(), String>),
}

const STEPS: &[Step] = &[
    Step { name: "fmt", about: "formatting", work: Work::Cargo(&["fmt", "--all", "--check"], &[]) },
    Step {
        name: "gen",
        about: "generated files are current",
        work: Work::Task("gen --check", |root| generate::run(root, true, &[])),
    },
    Step { name: "tidy", about: "the invariants that no lint checks", work: Work::Task("tidy", tidy::run) },
    Step {
        name: "clippy",
        about: "lints, everywhere",
        work: Work::Cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[]),
    },
    Step {
        name: "clippy-runtime",
        about: "lints, with the runtime's optional parts",
        work: Work::Cargo(
            &[
                "clippy",
                "--package",
                "hooks-runtime",
                "--all-features",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ],
            &[],
        ),
    },
    Step {
        name: "test",
        about: "the README's test command",
        work: Work::Cargo(&["test", "--workspace", "--locked"], &[]),
    },
    Step {
        name: "test-runtime",
        about: "the tests of the runtime's optional parts",
        work: Work::Cargo(&["test", "--package", "hooks-runtime", "--all-features", "--locked"], &[]),
    },
    Step {
        name: "consumers",
        about: "the editors and validators of others read our schemas as we do",
        work: Work::Cargo(CONSUMERS, &[(ASKED, WHERE_POSSIBLE)]),
    },
    Step { name: "features", about: "each set of features that hosts use", work: Work::Features },
    Step {
        name: "doc",
        about: "documentation",
        work: Work::Cargo(&["doc", "--workspace", "--no-deps", "--locked"], &[("RUSTDOCFLAGS", "-D warnings")]),
    },
];

/// Runs every step, or those that are named.
pub(crate) fn run(root: &Path, names: &[String]) -> Result<(), String> {
    if names.first().is_some_and(|first| first == "--list") {
        for Step { name, about, .. } in STEPS {
            println!("{name:<15} {about}");
        }
        return Ok(());
    }
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!("there is no step `{unknown}`; there are {}", known.join(", ")));
    }
    let chosen: Vec<_> =
        STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|name| name == step.name)).collect();
    let mut times = Vec::new();
    for (number, step) in chosen.iter().enumerate() {
        println!("\n== {}/{} {}: {}", number + 1, chosen.len(), step.name, step.about);
        let start = Instant::now();
        step.work.run(root).map_err(|failed| {
            format!("\n{}\n\nthe step `{}` failed. To repeat it:\n\n  {}\n", failed.why, step.name, failed.repeat)
        })?;
        let time = start.elapsed();
        println!("   {} took {}", step.name, shown(time));
        times.push((step.name, time));
    }
    println!("\n== all passed");
    for (name, time) in &times {
        println!("   {name:<15} {:>11}", shown(*time));
    }
    println!("   {:<15} {:>11}", "together", shown(times.iter().map(|(_, time)| *time).sum()));
    Ok(())
}

/// Why a step failed.
struct Failed {
    why: String,
    repeat: String,
}

impl Work {
    fn run(&self, root: &Path) -> Result<(), Failed> {
        match self {
            Self::Cargo(args, variables) => cargo(root, args, variables),
            Self::Features => FEATURES.iter().try_for_each(|(package, features)| {
                println!("   {package} with {}", if features.is_empty() { "no feature" } else { features });
                let of = ["--package", package, "--no-default-features", "--features", features];
                let args: Vec<_> =
                    ["clippy", "--quiet", "--locked"].into_iter().chain(of).chain(["--", "-D", "warnings"]).collect();
                cargo(root, &args, &[])
            }),
            Self::Task(task, work) => work(root).map_err(|why| Failed { why, repeat: format!("cargo xtask {task}") }),
        }
    }
}

fn cargo(root: &Path, args: &[&str], variables: &[(&str, &str)]) -> Result<(), Failed> {
    let mut command = Command::new(crate::cargo());
    command.args(args).envs(variables.iter().copied()).current_dir(root);
    succeed(&mut command).map_err(|why| Failed { why, repeat: as_typed(args, variables) })
}

/// A run of cargo as a person types it.
fn as_typed(args: &[&str], variables: &[(&str, &str)]) -> String {
    let quoted = |text: &str| {
        let plain = !text.is_empty() && !text.contains([' ', '"', '$', '\'', '*']);
        if plain { text.to_owned() } else { format!("'{text}'") }
    };
    let variables = variables.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
    let words = variables.chain(["cargo".to_owned()]).chain(args.iter().map(|arg| quoted(arg)));
    words.collect::<Vec<_>>().join(" ")
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_repeated_as_it_was_run() {
        assert_eq!(
            as_typed(&["doc", "--locked"], &[("RUSTDOCFLAGS", "-D warnings")]),
            "RUSTDOCFLAGS='-D warnings' cargo doc --locked"
        );
        assert_eq!(as_typed(&["check", "--features", ""], &[]), "cargo check --features ''");
    }

    #[test]
    fn steps_have_names_of_their_own_and_unknown_ones_are_refused() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
        let refused = run(Path::new("."), &["nothing".to_owned()]).expect_err("no step");
        assert!(refused.contains("`nothing`") && refused.contains("clippy"), "{refused}");
    }

    #[test]
    fn times_are_short() {
        assert_eq!(shown(Duration::from_millis(1530)), "1.5 s");
        assert_eq!(shown(Duration::from_secs(125)), "2 min 05 s");
    }
}
