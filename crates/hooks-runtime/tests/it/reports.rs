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
    let hooks = vec![
        toy.hook(0, "before", "sleep 0.6"),
        toy.hook(1, "before", "sleep 0.3; exit 2"),
        quiet,
        toy.hook(3, "before", ""),
        toy.hook(4, "before", "exit 1"),
    ];
    for concurrency in [16, 1] {
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
    let seen = Arc::new(Mutex::new(None));
    let into = Arc::clone(&seen);
    let started = std::time::Instant::now();
    let observer = move |report: Report<'_>| {
        if matches!(report, Report::Completed(run) if run.binding.place.index == 0) {
            *into.lock().unwrap() = Some(started.elapsed());
        }
    };
    let options = FireOptions::default().observer(Arc::new(observer));
    let toy = Toy::default();
    let snapshot = one(vec![toy.hook(0, "before", "true"), toy.hook(1, "before", "sleep 1.5")]);
    fire(&snapshot, &command("ls"), &HostProfile::full(), &SessionState::default(), &options).await;
    assert!(seen.lock().unwrap().unwrap() < std::time::Duration::from_secs(1));
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
