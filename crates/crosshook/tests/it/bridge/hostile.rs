//! Scripts that misbehave, in all six directions and on every pair of events: each is run as its own vendor's client runs
//! it and as another's hook, and holds back as much or more there, or the loss is told.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hooks_conformance::cross::{Weaker, occurrences, weaker};
use hooks_core::Action;
use hooks_core::adapter::Codec;
use hooks_core::boundary::Boundary;
use hooks_core::decide::Decision;
use hooks_core::envelope::Envelope;
use hooks_core::facts::EventFacts;
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::outcome::Outcome;
use hooks_runtime::{CancelSignal, run_command};

use super::{bridge, codec, decision, hook, run_as};
use crate::support::Project;

const VENDORS: [&str; 3] = ["cursor", "claude", "codex"];

/// A script, and the text for the shell that starts it.
struct Hostile {
    name: &'static str,
    text: &'static str,
    command: &'static str,
    executable: bool,
    /// Whether it is tried on every pair of events, and not on one pair of each boundary that matters most.
    everywhere: bool,
}

const fn script(name: &'static str, text: &'static str) -> Hostile {
    Hostile { name, text, command: "./script", executable: true, everywhere: false }
}

const fn everywhere(name: &'static str, text: &'static str) -> Hostile {
    Hostile { everywhere: true, ..script(name, text) }
}

const HOSTILE: &[Hostile] = &[
    script("prints nothing", "#!/bin/sh\ncat > /dev/null\n"),
    everywhere("prints garbage", "#!/bin/sh\necho '<html>502</html>'\n"),
    script("prints half an object", "#!/bin/sh\nprintf '{\"permission\":\"deny\",'\n"),
    script("prints two objects", "#!/bin/sh\necho '{\"permission\":\"allow\"}'; echo '{\"permission\":\"deny\"}'\n"),
    script("prints a list", "#!/bin/sh\necho '[{\"permission\":\"deny\"}]'\n"),
    script("prints null", "#!/bin/sh\necho null\n"),
    script(
        "prints values of the wrong type",
        "#!/bin/sh\necho '{\"permission\":1,\"continue\":\"no\",\"decision\":{},\"hookSpecificOutput\":[]}'\n",
    ),
    script("prints unknown words", "#!/bin/sh\necho '{\"permission\":\"perhaps\",\"decision\":\"perhaps\"}'\n"),
    script("prints a deep nest", "#!/bin/sh\nhead -c 200000 /dev/zero | tr '\\0' '['\n"),
    script("prints very much", "#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' 'x'\n"),
    script(
        "prints very much and blocks",
        "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' 'x'\nhead -c 300000 /dev/zero | tr '\\0' 'y' >&2\nexit 2\n",
    ),
    script("prints no UTF-8", "#!/bin/sh\nprintf '\\377\\376{\"permission\":\"deny\"}'\n"),
    script(
        "prints a mark before",
        "#!/bin/sh\nprintf '\\357\\273\\277{\"permission\":\"deny\",\"decision\":\"block\",\"reason\":\"no\"}'\n",
    ),
    script("fails with 1", "#!/bin/sh\necho oops >&2; exit 1\n"),
    script(
        "fails with 1 after a denial",
        "#!/bin/sh\necho '{\"permission\":\"deny\",\"decision\":\"block\",\"reason\":\"no\"}'; exit 1\n",
    ),
    script("blocks without a reason", "#!/bin/sh\nexit 2\n"),
    everywhere("blocks with a reason", "#!/bin/sh\necho 'not here' >&2; exit 2\n"),
    script(
        "blocks and says that a file is missing",
        "#!/bin/sh\necho 'cat: x: No such file or directory' >&2; exit 2\n",
    ),
    script(
        "blocks and allows",
        "#!/bin/sh\necho '{\"permission\":\"allow\",\"decision\":\"approve\"}'; echo no >&2; exit 2\n",
    ),
    script("fails with 3", "#!/bin/sh\nexit 3\n"),
    script("writes to standard error only", "#!/bin/sh\necho '{\"permission\":\"deny\"}' >&2\n"),
    script("closes its pipes and blocks", "#!/bin/sh\nexec 0<&- 1>&- 2>&-\nexit 2\n"),
    script("is killed", "#!/bin/sh\nkill -9 $$\n"),
    script(
        "is killed after a denial",
        "#!/bin/sh\necho '{\"permission\":\"deny\",\"decision\":\"block\",\"reason\":\"no\"}'; kill -9 $$\n",
    ),
    script("stops all", "#!/bin/sh\necho '{\"continue\":false,\"stopReason\":\"no\"}'\n"),
    script("has lines of Windows", "#!/bin/sh\r\nexit 2\r\n"),
    Hostile { command: "./nowhere", ..script("is missing", "") },
    Hostile { executable: false, ..script("is not executable", "#!/bin/sh\nexit 2\n") },
];

/// Scripts that take their whole time, or need a program that is slow to start: on one boundary.
const SLOW: &[Hostile] = &[
    script("hangs", "#!/bin/sh\nexec sleep 60\n"),
    script(
        "leaves somebody with the pipe",
        "#!/bin/sh\nsleep 2 &\necho '{\"permission\":\"deny\",\"decision\":\"block\",\"reason\":\"no\"}'\n",
    ),
    Hostile { command: "python3 nowhere.py", ..script("is missing for Python", "") },
    Hostile { command: "python3 ./script", ..script("throws in Python", "raise ValueError('x')\n") },
    Hostile {
        command: "python3 ./script",
        ..script("prints no UTF-8 in Python", "import sys; sys.stdout.buffer.write(b'\\xff\\x00{}'); sys.exit(2)\n")
    },
    Hostile { command: "node ./script", ..script("throws in Node", "throw new Error('x')\n") },
];

impl Hostile {
    fn project(&self) -> Project {
        let project = Project::new().with("script", self.text);
        #[cfg(unix)]
        if self.executable {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(project.root().join("script"), mode).unwrap();
        }
        project
    }

    /// How it ends as its own vendor's client runs it.
    fn at_home(&self, vendor: &dyn Codec, event: &str, envelope: &Envelope) -> Outcome {
        let mut binding = hook(vendor, event);
        let definition = Arc::make_mut(&mut binding.definition);
        definition.handler =
            Handler::Command(CommandHandler { command: self.command.into(), ..CommandHandler::default() });
        definition.timeout = Duration::from_secs_f64(LIMIT.parse().unwrap());
        let mut stdin = Vec::new();
        let invocation = vendor.encode(&binding, envelope, &mut stdin).expect("it can be told");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(run_command(&invocation, &stdin, &CancelSignal::new(), &[]))
    }

    fn holds_back_as_much(&self, project: &Project, pair: &Pair) -> Decision {
        let envelope = super::moved(project, pair.envelope.clone());
        let (home, client) = (codec(pair.from), codec(pair.to));
        let outcome = self.at_home(&*home, pair.own.name, &envelope);
        let before = decision(&*home, pair.own.name, &envelope, &outcome);
        let options =
            ["--written-for", pair.from, "--host", pair.to, "--event", pair.own.name, "--timeout", LIMIT, "--shell"];
        let (ended, _) = run_as(&*client, pair.hosts.name, &envelope, bridge(project, &options, &[self.command]));
        let after = decision(&*client, pair.hosts.name, &envelope, &ended);
        let told = String::from_utf8_lossy(&ended.stderr);
        let context = format!(
            "{}: {}/{} in {}/{}: {outcome:?}, then {ended:?}",
            self.name, pair.from, pair.own.name, pair.to, pair.hosts.name
        );
        for way in weaker(&envelope, &before, &after) {
            // Only what the host has no word for at all, and then it is said.
            let word = match (way, envelope.boundary()) {
                (Weaker::Halt, Boundary::PromptSubmit) => "cannot say erasing the prompt",
                (Weaker::Action, Boundary::SubagentStart) => "cannot say deny",
                (Weaker::Halt, boundary) if !boundary.is_pending() || after.action == Action::Deny => {
                    "cannot say a halt"
                }
                _ => panic!("{way:?}: {context}"),
            };
            assert!(told.contains(word), "{context}");
        }
        assert_eq!(before.continuations.is_empty(), after.continuations.is_empty(), "{context}");
        after
    }
}

/// The limit of a script, in seconds.
const LIMIT: &str = "1.5";

/// An event that a script was written for, and one of another vendor's client that is fired for the same.
struct Pair {
    from: &'static str,
    own: &'static EventFacts,
    to: &'static str,
    hosts: &'static EventFacts,
    envelope: Envelope,
}

/// Every pair of events of two vendors; of a boundary that is about tools for each kind of call.
fn pairs() -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (_, envelope) in Boundary::ALL.iter().flat_map(|boundary| occurrences(*boundary)) {
        for from in VENDORS {
            for to in VENDORS.into_iter().filter(|to| *to != from) {
                for own in codec(from).fired_for(&envelope) {
                    let hosts = codec(to).fired_for(&envelope).into_iter();
                    let hosts = hosts.filter(|hosts| tells(&*codec(to), hosts, &envelope));
                    pairs.extend(hosts.map(|hosts| Pair { from, own, to, hosts, envelope: envelope.clone() }));
                }
            }
        }
    }
    pairs
}

/// Whether a vendor's client has such calls: one that it has not is read back as something else.
fn tells(client: &dyn Codec, event: &EventFacts, envelope: &Envelope) -> bool {
    let mut stdin = Vec::new();
    if client.encode(&hook(client, event.name), envelope, &mut stdin).is_err() {
        return false;
    }
    let read = client.read_stdin(&stdin).unwrap().1;
    let kind = |envelope: &Envelope| envelope.payload.tool_use().map(|tool| std::mem::discriminant(&tool.call.action));
    kind(&read) == kind(envelope)
}

/// The next script that nobody has taken yet.
fn next(left: &Mutex<std::slice::Iter<'static, Hostile>>) -> Option<&'static Hostile> {
    left.lock().unwrap().next()
}

#[cfg(unix)]
#[test]
fn a_script_that_misbehaves_holds_back_as_much_as_at_home() {
    let pairs = pairs();
    let most = [Boundary::ToolBefore, Boundary::PermissionRequest, Boundary::PromptSubmit, Boundary::TurnStop];
    let held = AtomicU32::new(0);
    let left = Mutex::new(HOSTILE.iter());
    let work = || {
        while let Some(hostile) = next(&left) {
            let project = hostile.project();
            let mut tried = BTreeSet::new();
            for pair in &pairs {
                let boundary = pair.envelope.boundary();
                let first = most.contains(&boundary) && tried.insert((pair.from, pair.to, boundary.to_string()));
                if first || hostile.everywhere {
                    let denied = hostile.holds_back_as_much(&project, pair).action == Action::Deny;
                    held.fetch_add(u32::from(denied), Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(work))));
    let held = held.into_inner();
    assert!(held > 100, "only {held} runs held anything back");
}

#[cfg(unix)]
#[test]
fn a_script_that_is_slow_or_does_not_start_holds_back_as_much_as_at_home() {
    let pairs = pairs();
    let all = SLOW.iter().flat_map(|hostile| {
        let mut tried = BTreeSet::new();
        let before = pairs.iter().filter(|pair| pair.envelope.boundary() == Boundary::ToolBefore);
        before.filter(move |pair| tried.insert((pair.from, pair.to))).map(move |pair| (hostile, pair))
    });
    std::thread::scope(|scope| {
        for (hostile, pair) in all {
            scope.spawn(move || hostile.holds_back_as_much(&hostile.project(), pair));
        }
    });
}
