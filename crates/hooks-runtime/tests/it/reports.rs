//! What a host is told while a firing goes on.

use std::sync::{Arc, Mutex};

use hooks_core::{HostProfile, SessionState};
use hooks_runtime::{FireOptions, Report, fire};

use crate::support::ALONE;
use crate::toy::{Toy, command, command_of, one, snapshot};

/// Options that write down what is told, one line a report.
fn told() -> (FireOptions, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&lines);
    let observer = move |report: Report<'_>| {
        let line = match report {
            Report::Started(run) => {
                assert!(run.outcome.is_none());
                format!("start {}{}", run.binding.place.index, if run.refired { " again" } else { "" })
            }
            Report::Completed(run) => {
                let finished = run.outcome.as_ref().unwrap().finished;
                format!("end {} {} as {finished}", run.binding.place.index, run.effects.status.as_str())
            }
            Report::Detached(run) => format!("detach {}", run.binding.place.index),
            Report::Late(run) => format!("late {}", run.binding.place.index),
            _ => "other".to_owned(),
        };
        into.lock().unwrap().push(line);
    };
    (FireOptions::default().observer(Arc::new(observer)), lines)
}

#[tokio::test(flavor = "multi_thread")]
async fn all_start_first_and_ends_come_in_declared_order_whoever_ends_first() {
    let _shared = ALONE.read().await;
    let toy = Toy::default();
    let mut quiet = toy.hook(2, "before", "echo context later");
    command_of(&mut quiet).background = hooks_core::handler::Background::Async;
    for concurrency in [16, 1] {
        let folder = tempfile::tempdir().unwrap();
        // Side by side, the last one ends first.
        let wait = |for_whom: &str| match concurrency {
            1 => String::new(),
            _ => format!("cd {}; until [ -e {for_whom} ]; do sleep 0.02; done; sleep 0.5; ", folder.path().display()),
        };
        let hooks = vec![
            toy.hook(0, "before", &format!("{}exit 0", wait("one"))),
            toy.hook(1, "before", &format!("{}touch {}/one; exit 2", wait("four"), folder.path().display())),
            quiet.clone(),
            toy.hook(3, "before", ""),
            toy.hook(4, "before", &format!("touch {}/four; exit 1", folder.path().display())),
        ];
        let (options, lines) = told();
        let options = options.concurrency(concurrency);
        let snapshot = one(hooks.clone());
        let mut firing =
            fire(&snapshot, &command("ls"), &HostProfile::full(), &SessionState::default(), &options).await;
        while firing.late.next().await.is_some() {}
        let mut lines = lines.lock().unwrap().clone();
        let late = lines.iter().position(|line| line == "late 2").expect("the late one is told");
        lines.remove(late);
        assert!(late > 4);
        assert_eq!(lines[..5], ["start 0", "start 1", "start 2", "start 3", "start 4"]);
        let words: Vec<_> = lines[5..].iter().map(|line| line.split(" as ").next().unwrap()).collect();
        assert_eq!(words, ["end 0 completed", "end 1 blocked", "detach 2", "end 3 failed", "end 4 failed"]);
        if concurrency == 16 {
            assert!(lines[9].ends_with(" as 1") || lines[9].ends_with(" as 2"), "it ended long before: {lines:?}");
        }
    }
}

#[tokio::test]
async fn an_end_is_told_before_the_firing_ends() {
    let _shared = ALONE.read().await;
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    let waits = format!("until [ -e {} ]; do sleep 0.02; done", told.display());
    let observer = move |report: Report<'_>| {
        if matches!(report, Report::Completed(run) if run.binding.place.index == 0) {
            std::fs::write(&told, "").unwrap();
        }
    };
    let options = FireOptions::default().observer(Arc::new(observer));
    let toy = Toy::default();
    // The second ends only once the first one's end was told.
    let snapshot = one(vec![toy.hook(0, "before", "true"), toy.hook(1, "before", &waits)]);
    let firing = fire(&snapshot, &command("ls"), &HostProfile::full(), &SessionState::default(), &options).await;
    assert_eq!(firing.runs[1].outcome.as_ref().unwrap().end, hooks_core::outcome::End::Exited(0));
}

#[tokio::test]
async fn those_that_see_a_rewrite_start_again() {
    let _shared = ALONE.read().await;
    let (options, lines) = told();
    let snapshot = snapshot(vec![
        (Toy::default(), vec![Toy::default().hook(0, "before", "echo rewrite rm")]),
        (Toy::of("other"), vec![Toy::of("other").hook(1, "before", "true")]),
    ]);
    fire(&snapshot, &command("ls"), &HostProfile::full(), &SessionState::default(), &options).await;
    let lines = lines.lock().unwrap();
    assert_eq!(lines[..2], ["start 0", "start 1"]);
    assert_eq!(lines[4], "start 1 again");
    assert!(lines[5].starts_with("end 1 completed"), "{lines:?}");
}
