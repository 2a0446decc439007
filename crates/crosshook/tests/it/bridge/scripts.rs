//! Real scripts in all six directions: each decides in another vendor's client as in its own, or holds back more.

use std::fs;
use std::process::Command;

use hooks_conformance::cross::{Weaker, weaker};
use hooks_conformance::sample;
use hooks_core::boundary::{Boundary, Facet};
use hooks_core::envelope::{Payload, Prompt, Provenance};
use hooks_core::tool::{Edit, TextEdit, ToolAction, ToolCall};

use super::{bridge, codec, decision, occurrence, run_as, scripts, words};
use crate::support::Project;

const VENDORS: [&str; 3] = ["cursor", "claude", "codex"];

/// What a script is for: its folder, its events, and what happens to it.
struct Purpose {
    folder: &'static str,
    /// The scripts, each named by the vendor that it was written for.
    files: &'static [&'static str],
    /// Cursor's event, and that of the other two.
    events: [&'static str; 2],
    cases: &'static [Case],
}

struct Case {
    name: &'static str,
    payload: fn(&str) -> Payload,
    /// What comes of it in its own client, by the vendor it was written for; then in the others', by both.
    own: [&'static str; 3],
    /// Where it comes to something else in another client: written for, host, what.
    elsewhere: &'static [(&'static str, &'static str, &'static str)],
    /// What the file `formatted.txt` holds afterwards, below the project.
    formatted: Option<&'static str>,
}

impl Purpose {
    fn event(&self, vendor: &str) -> &'static str {
        self.events[usize::from(vendor != "cursor")]
    }
}

fn shell(command: &str) -> Payload {
    sample::payload_of(Boundary::ToolBefore, ToolCall::shell(command))
}

fn edit(boundary: Boundary, path: String) -> Payload {
    let edits = vec![TextEdit { old: "a".to_owned(), new: "b".to_owned(), replace_all: false }];
    sample::payload_of(boundary, ToolCall::new(ToolAction::Edit(Edit { path, edits })))
}

fn prompt(text: &str) -> Payload {
    let mut payload = sample::payload_of(Boundary::PromptSubmit, sample::call(Facet::Any));
    if let Payload::PromptSubmit(prompt) = &mut payload {
        *prompt = Prompt { text: text.to_owned(), provenance: Provenance::User, ..prompt.clone() };
    }
    payload
}

fn plain(boundary: Boundary) -> Payload {
    sample::payload_of(boundary, sample::call(Facet::Any))
}

const PURPOSES: &[Purpose] = &[
    Purpose {
        folder: "command-guard",
        files: &[
            "cursor.sh",
            "cursor.py",
            "cursor.mjs",
            "claude.sh",
            "claude.py",
            "claude.mjs",
            "codex.sh",
            "codex.py",
            "codex.mjs",
        ],
        events: ["beforeShellExecution", "PreToolUse"],
        cases: &[
            Case {
                name: "rm -rf",
                payload: |_| shell("rm -rf build"),
                own: ["deny (no rm -rf here)"; 3],
                elsewhere: &[],
                formatted: None,
            },
            Case {
                name: "git push",
                payload: |_| shell("git push origin main"),
                own: ["ask", "ask", "deny (no pushing from here)"],
                // Codex cannot ask, so nobody pushes.
                elsewhere: &[("cursor", "codex", "deny (Push now?)"), ("claude", "codex", "deny (Push now?)")],
                formatted: None,
            },
            Case {
                name: "ls",
                payload: |_| shell("ls"),
                own: ["approve", "no-opinion", "no-opinion"],
                elsewhere: &[("cursor", "codex", "no-opinion")],
                formatted: None,
            },
        ],
    },
    Purpose {
        folder: "path-guard",
        files: &["cursor.py", "claude.sh", "codex.mjs"],
        events: ["preToolUse", "PreToolUse"],
        cases: &[
            Case {
                name: ".env",
                payload: |root| edit(Boundary::ToolBefore, format!("{root}/.env")),
                own: ["deny (keep out of .env)"; 3],
                elsewhere: &[],
                formatted: None,
            },
            Case {
                name: "src/main.rs",
                payload: |root| edit(Boundary::ToolBefore, format!("{root}/src/main.rs")),
                own: ["approve", "no-opinion", "no-opinion"],
                elsewhere: &[("cursor", "codex", "no-opinion")],
                formatted: None,
            },
        ],
    },
    Purpose {
        folder: "secret-scanner",
        files: &["cursor.mjs", "claude.py", "codex.sh"],
        events: ["beforeSubmitPrompt", "UserPromptSubmit"],
        cases: &[
            Case {
                name: "a key",
                payload: |_| prompt("use key_0123abcd for it"),
                own: ["halt"; 3],
                elsewhere: &[],
                formatted: None,
            },
            Case {
                name: "no key",
                payload: |_| prompt("use the test account"),
                own: ["no-opinion"; 3],
                elsewhere: &[],
                formatted: None,
            },
        ],
    },
    Purpose {
        folder: "formatter",
        files: &["cursor.sh", "claude.mjs", "codex.py"],
        events: ["afterFileEdit", "PostToolUse"],
        cases: &[Case {
            name: "an edit",
            payload: |root| edit(Boundary::ToolResult, format!("{root}/src/main.rs")),
            own: ["no-opinion", "no-opinion (the file was formatted)", "no-opinion (the file was formatted)"],
            // Cursor reads no answer on this event.
            elsewhere: &[("claude", "cursor", "no-opinion"), ("codex", "cursor", "no-opinion")],
            formatted: Some("src/main.rs"),
        }],
    },
    Purpose {
        folder: "session-context",
        files: &["cursor.py", "claude.sh", "codex.mjs"],
        events: ["sessionStart", "SessionStart"],
        cases: &[Case {
            name: "a session starts",
            payload: |_| plain(Boundary::SessionStart),
            own: ["no-opinion (the branch is main)"; 3],
            elsewhere: &[],
            formatted: None,
        }],
    },
    Purpose {
        folder: "stop-until-tests-pass",
        files: &["cursor.sh", "claude.py", "codex.mjs"],
        events: ["stop", "Stop"],
        cases: &[Case {
            name: "the turn ends, and the tests fail",
            payload: |_| plain(Boundary::TurnStop),
            own: ["go on: the tests fail"; 3],
            elsewhere: &[],
            formatted: None,
        }],
    },
];

/// Every file of the scripts' folder.
pub(crate) fn files() -> Vec<String> {
    let scripts =
        PURPOSES.iter().flat_map(|purpose| purpose.files.iter().map(|file| format!("{}/{file}", purpose.folder)));
    scripts.chain(["README.md".to_owned()]).collect()
}

#[test]
fn every_script_decides_as_at_home_or_holds_back_more() {
    let mut runs = 0;
    for purpose in PURPOSES {
        for file in purpose.files {
            let written_for = file.split('.').next().unwrap();
            for case in purpose.cases {
                runs += 1 + check(purpose, case, file, written_for);
            }
        }
    }
    // 9 command guards with 3 cases, 3 path guards and 3 scanners with 2, 9 others with 1, each at home and twice away.
    assert_eq!(runs, (9 * 3 + 3 * 2 + 3 * 2 + 9) * 3);
}

fn check(purpose: &Purpose, case: &Case, file: &str, written_for: &str) -> usize {
    let at_home = codec(written_for);
    let place = |vendor: &str| VENDORS.iter().position(|known| *known == vendor).unwrap();
    let script = scripts().join(purpose.folder).join(file);
    let made = || {
        let project = Project::new().with("script", fs::read(&script).unwrap());
        let path = project.root().join("script");
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        project
    };
    let formatted = |project: &Project| {
        let text = fs::read_to_string(project.root().join("formatted.txt")).ok()?;
        let path = text.trim_end().strip_prefix(project.root().to_str().unwrap()).unwrap_or(text.trim_end());
        Some(path.trim_start_matches('/').to_owned())
    };

    let project = made();
    let envelope = occurrence(&project, (case.payload)(project.root().to_str().unwrap()));
    let event = purpose.event(written_for);
    let (outcome, _) = run_as(&*at_home, event, &envelope, Command::new(project.root().join("script")));
    let own = decision(&*at_home, event, &envelope, &outcome);
    let context = format!("{}/{file}, {}", purpose.folder, case.name);
    assert_eq!(words(&own), case.own[place(written_for)], "{context}, at home: {outcome:?}");
    assert_eq!(formatted(&project).as_deref(), case.formatted, "{context}, at home");

    let mut directions = 0;
    for host in VENDORS.into_iter().filter(|host| *host != written_for) {
        let client = codec(host);
        let project = made();
        let envelope = occurrence(&project, (case.payload)(project.root().to_str().unwrap()));
        let options = ["--written-for", written_for, "--host", host, "--event", event];
        let hosts_event = purpose.event(host);
        let command = bridge(&project, &options, &["./script"]);
        let (outcome, _) = run_as(&*client, hosts_event, &envelope, command);
        let away = decision(&*client, hosts_event, &envelope, &outcome);
        let expected = case.elsewhere.iter().find(|(from, to, _)| (*from, *to) == (written_for, host));
        let expected = expected.map_or(case.own[place(written_for)], |(_, _, words)| words);
        let context = format!(
            "{context}, in {host}: {} {}",
            String::from_utf8_lossy(&outcome.stdout),
            String::from_utf8_lossy(&outcome.stderr)
        );
        assert_eq!(words(&away), expected, "{context}");
        // Cursor has no word for erasing a prompt that is not sent; it stays in front of the person, and that is said.
        let stays = purpose.folder == "secret-scanner" && host == "cursor" && own.halt.is_some();
        let lost = if stays { vec![Weaker::Halt] } else { Vec::new() };
        assert_eq!(weaker(&envelope, &own, &away), lost, "{context}");
        let told = String::from_utf8_lossy(&outcome.stderr).contains("cursor cannot say erasing the prompt");
        assert_eq!(told, stays, "{context}");
        assert_eq!(formatted(&project).as_deref(), case.formatted, "{context}");
        directions += 1;
    }
    directions
}
