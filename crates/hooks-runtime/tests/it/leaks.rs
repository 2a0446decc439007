//! Nothing is left behind: no open file, no process nobody has waited for.

use std::time::Duration;

use hooks_core::outcome::{Completion, End};
use hooks_runtime::{CancelSignal, run_command};

use crate::support::{ALONE, eventually, sh, state_of};

/// Open files of this process that a run could have left: pipes and handles of processes.
pub(crate) fn open_pipes() -> usize {
    std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter(|link| {
            let link = link.to_string_lossy();
            link.starts_with("pipe:") || link.contains("pidfd")
        })
        .count()
}

/// Children of this process, whether they still run or only wait to be waited for.
pub(crate) fn children() -> usize {
    let own = std::process::id();
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&pid: &u32| state_of(pid).is_some_and(|(_, parent)| parent == own))
        .count()
}

#[tokio::test]
async fn fifty_runs_leave_nothing_behind() {
    let _alone = ALONE.write().await;
    let cancel = CancelSignal::new();
    eventually("earlier tests' children are gone", || children() == 0).await;
    let before = open_pipes();
    for at in 0..50 {
        let mut invocation = match at % 5 {
            0 => sh("cat >/dev/null; echo out; echo err >&2"),
            1 => sh("exit 7"),
            2 => sh("sleep 30 & sleep 30"),
            3 => sh("sleep 0.3 & echo '{}'"),
            _ => sh("true"),
        };
        let expected = match at % 5 {
            1 => End::Exited(7),
            2 => {
                invocation.timeout = Duration::from_millis(50);
                End::TimedOut
            }
            3 => {
                invocation.rules.completion = Completion::CompleteJson;
                End::Exited(0)
            }
            4 => {
                invocation.cwd = "/no/such/folder".to_owned();
                let outcome = run_command(&invocation, b"{}", &cancel, &[]).await;
                assert!(matches!(outcome.end, End::FailedToStart(_)), "{outcome:?}");
                continue;
            }
            _ => End::Exited(0),
        };
        let outcome = run_command(&invocation, &vec![b' '; 100 << 10], &cancel, &[]).await;
        assert_eq!(outcome.end, expected, "run {at}");
    }
    assert_eq!(children(), 0, "a process that ended was not waited for");
    assert_eq!(open_pipes(), before, "a pipe is still open");
}
