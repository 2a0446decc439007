//! The table against itself and against the vendor page's list.

use adapter_codex::events::{EVENTS, Guard, Reads, field};
use adapter_codex::{Adapter, DIALECT, Options, codes};
use hooks_core::channel::Channel;
use hooks_core::facts::{Exit2, FieldKind, PlainStdout};
use hooks_core::{Boundary, HostSide, Version};

fn names(version: Version) -> Vec<&'static str> {
    Adapter::new(&DIALECT, version, Options::default()).events().iter().map(|event| event.name).collect()
}

#[test]
fn events_by_version() {
    // Read from the clients' own generated types: vendor recordings, "event set by version".
    assert_eq!(names(Version::new(0, 133, 0)).len(), 10);
    assert_eq!(names(Version::new(0, 142, 0)).len(), 10);
    assert_eq!(names(Version::new(0, 146, 1)).len(), 11);
    assert_eq!(names(Version::new(0, 150, 0)).len(), 12);
    assert_eq!(names(Version::new(0, 160, 0)).len(), 12);
    assert_eq!(names(Version::new(0, 166, 0)).len(), 14);
    assert_eq!(names(Version::new(0, 171, 0)).len(), 14);
}

#[test]
fn the_order_is_the_vendors() {
    assert_eq!(
        names(DIALECT.latest),
        [
            "PreModelRequest",
            "PostModelRequest",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
            "PreCompact",
            "PostCompact",
            "SessionStart",
            "SessionEnd",
            "UserPromptSubmit",
            "SubagentStart",
            "SubagentStop",
            "Stop",
            "Interrupt"
        ]
    );
}

#[test]
fn labels_follow_from_names() {
    for event in &EVENTS {
        let mut snake = String::new();
        for c in event.facts.name.chars() {
            if c.is_ascii_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
        }
        assert_eq!(event.snake, snake);
        assert_eq!(event.kebab, snake.replace('_', "-"));
    }
}

#[test]
fn rows_agree_with_themselves() {
    for event in &EVENTS {
        let facts = &event.facts;
        let channels = facts.channels;
        assert_eq!(facts.default_timeout_s, Some(event.timeout.default_s as f64), "{}", facts.name);
        assert_eq!(facts.output.is_empty(), event.reads != Reads::Stdout, "{}", facts.name);
        assert_eq!(event.context_limit, channels.contains(Channel::ModelContext), "{}", facts.name);
        if facts.plain_stdout == PlainStdout::Context {
            assert!(channels.contains(Channel::ModelContext), "{}", facts.name);
        }
        let wanted = match facts.exit_2 {
            Exit2::Deny => Some(Channel::Verdict),
            Exit2::Halt => Some(Channel::Halt),
            Exit2::Continue => Some(Channel::Continuation),
            Exit2::Feedback => Some(Channel::ReplacementResult),
            _ => None,
        };
        assert!(wanted.is_none_or(|channel| channels.contains(channel)), "{}", facts.name);
        assert!(event.guard != Guard::Deny || channels.contains(Channel::Verdict), "{}", facts.name);
        assert!(event.guard != Guard::Halt || channels.contains(Channel::Halt), "{}", facts.name);
        let paths: Vec<_> = facts.output.iter().map(|field| field.path).collect();
        for path in event.required {
            assert!(paths.contains(path), "{}: {path}", facts.name);
        }
        for field in facts.output {
            if let Some((parent, _)) = field.path.rsplit_once('.') {
                assert!(paths.contains(&parent), "{}: {}", facts.name, field.path);
            }
        }
    }
}

#[test]
fn eleven_names_are_accepted_on_every_event() {
    for event in &EVENTS {
        let Some(name) = event.facts.output.iter().find(|field| field.path == field::NAME) else { continue };
        let FieldKind::Word(words) = name.kind else { panic!("no words") };
        let all: Vec<_> = EVENTS
            .iter()
            .map(|event| event.facts.name)
            .filter(|name| !matches!(*name, "SessionEnd" | "PreModelRequest" | "PostModelRequest"))
            .collect();
        let mut words = words.to_vec();
        words.sort_unstable();
        let mut all = all;
        all.sort_unstable();
        assert_eq!(words, all);
    }
}

#[test]
fn every_boundary_has_one_event() {
    for boundary in Boundary::ALL {
        assert!(EVENTS.iter().filter(|event| event.facts.boundary == Some(*boundary)).count() <= 1);
    }
    assert!(EVENTS.iter().all(|event| event.facts.boundary.is_some()));
}

#[test]
fn codes_are_unique_and_carry_the_vendors_name() {
    let mut ids: Vec<_> = codes::CODES.iter().map(|code| code.id).collect();
    assert!(ids.iter().all(|id| id.starts_with("codex/")));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), codes::CODES.len());
}
