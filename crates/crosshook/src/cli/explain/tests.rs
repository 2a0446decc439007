//! What `explain` says of every vector that decodes an answer, held against what the vector expects: the conclusion is
//! read back from the printed JSON, and nothing that an answer holds may go unnamed.

use std::collections::BTreeSet;
use std::path::Path;

use hooks_conformance::format::{BindingOverrides, Decode, EndSpec, Kind, OnFailureWord, Text};
use hooks_conformance::{Answer, Exceptions, Filter, Given, Question, Reply, Subject, load, run_subject, sample};
use hooks_core::effects::{Effect, OnPending};
use hooks_core::json::{JsonKind, RawObject, too_deep_at};
use hooks_core::{Binding, End, FailurePolicy, Handler, HostProfile, HostSide, LoopLimit, Outcome, Verdict};
use serde_json::Value;

use super::fields::{LIMIT, Status, known, trimmed};
use super::meaning::{Case, Explanation};
use super::text;

/// Answers the vectors of decoding with what `explain --json` says.
#[derive(Default)]
struct Explains {
    /// How many were explained.
    count: usize,
    /// What was seen of each kind of fate, so that none is there for show.
    seen: BTreeSet<&'static str>,
    /// How many answers a strict host takes otherwise.
    stricter: usize,
    /// How many answers meant something else to an older client.
    eras: usize,
}

impl Subject for Explains {
    fn answer(&mut self, question: &Question) -> Reply {
        let Kind::Decode(vector) = &question.kind else { return Reply::Skipped("it decodes nothing".to_owned()) };
        let Some(vendor) = &question.vendor else { return Reply::Skipped("it is about no vendor".to_owned()) };
        let (client, profile) = (question.client.as_deref(), question.profile.as_deref());
        let Some(adapter) = crosshook::adapter_for(vendor, client, profile) else {
            return Reply::fault("there is no such adapter");
        };
        let event = question.event.as_deref().and_then(|event| adapter.event(event));
        let Some(event) = event else { return Reply::Skipped("this client has no such event".to_owned()) };
        let given = vector.given.clone().unwrap_or_default();
        if given.file.is_some() {
            return Reply::Skipped("it is about a hook in another vendor's file".to_owned());
        }
        let Some(case) = case(&adapter, event, vector, &given) else { return Reply::fault("no case can be made") };
        let strict = vector.policy.as_ref().and_then(|policy| policy.strict).unwrap_or(false);
        let explained = Explanation::of(case, strict);
        self.count += 1;
        self.stricter += usize::from(explained.stricter.is_some());
        self.eras += usize::from(!explained.eras.is_empty());
        self.seen.extend(explained.fields.iter().map(|fate| fate.status.as_str()));
        if let Some(why) = unnamed(&explained).or_else(|| contradiction(&explained)) {
            return Reply::fault(why);
        }
        let document = explained.json();
        match Answer::from_json(&question.kind, document["effects"].clone()) {
            Ok(answer) => Reply::Answer(answer),
            Err(wrong) => Reply::fault(format!("its effects have not the vectors' form: {wrong}")),
        }
    }
}

fn case(
    adapter: &std::sync::Arc<dyn HostSide>,
    event: &'static hooks_core::facts::EventFacts,
    vector: &Decode,
    given: &Given,
) -> Option<Case> {
    let mut definition = adapter.blank(event.name)?;
    if let Some(BindingOverrides { fail_closed, on_failure, loop_limit }) = &vector.binding {
        let closed = fail_closed.unwrap_or(false) || *on_failure == Some(Some(OnFailureWord::Block));
        if fail_closed.is_some() || matches!(on_failure, Some(Some(_))) {
            definition.failure = if closed { FailurePolicy::Closed } else { FailurePolicy::Open };
        }
        if let Some(limit) = loop_limit {
            definition.loop_limit = Some(limit.map_or(LoopLimit::Unlimited, LoopLimit::AtMost));
        }
    }
    if let Some(id) = &given.binding_id {
        definition.id = hooks_core::BindingId::new(id);
    }
    if let (Some(text), Handler::Command(command)) = (&given.command, &mut definition.handler) {
        command.command.clone_from(text);
    }
    let spec = &vector.outcome;
    let mut outcome = Outcome::ended(match &spec.end {
        EndSpec::Exited(code) => End::Exited(*code),
        EndSpec::Signalled(signal) => End::Signalled(*signal),
        EndSpec::TimedOut => End::TimedOut,
        EndSpec::Cancelled => End::Cancelled,
        EndSpec::FailedToStart => End::FailedToStart("no such program".to_owned()),
        EndSpec::Http(status) => End::Http(*status),
        EndSpec::Tool { is_error } => End::Tool { is_error: *is_error },
        EndSpec::Model => End::Model,
        EndSpec::NotRun(why) => End::NotRun(why.clone()),
    });
    outcome.stdout = spec.stdout.as_ref().map(Text::bytes).unwrap_or_default();
    outcome.stderr = spec.stderr.as_ref().map(Text::bytes).unwrap_or_default();
    outcome.stdout_truncated = spec.stdout_truncated.unwrap_or(false);
    outcome.stderr_truncated = spec.stderr_truncated.unwrap_or(false);
    outcome.stdin_delivered = given.stdin_delivered.unwrap_or(true);
    let envelope = sample::envelope(&**adapter, event.name, given)?;
    let (binding, host) = (Binding::alone(definition), HostProfile::full());
    Some(Case { adapter: adapter.clone(), event, binding, envelope, outcome, host })
}

/// What an explanation leaves out, if anything: a member of the answer, or something that decoding dropped.
fn unnamed(explained: &Explanation) -> Option<String> {
    let stdout = explained.case.outcome.stdout_text();
    let answer = trimmed(&stdout);
    let shown = text::explanation(explained, 80);
    let stripped = anstream::adapter::strip_str(&shown).to_string();
    if let Some(line) = stripped.lines().find(|line| line.chars().any(hooks_core::text::is_unsafe_to_show)) {
        return Some(format!("what a terminal should not see: {line:?}"));
    }
    if too_deep_at(answer.as_bytes()).is_none()
        && let Ok(object) = RawObject::parse(answer)
    {
        let keys: BTreeSet<&str> = object.iter().map(|(key, _)| key).collect();
        for key in keys {
            let named = explained.fields.iter().any(|fate| fate.path == key);
            if !named && explained.beyond == 0 {
                return Some(format!("`{key}` is not named"));
            }
        }
        let nested = object.get("hookSpecificOutput").filter(|raw| JsonKind::of(raw) == JsonKind::Object);
        let nested = nested.and_then(|raw| RawObject::parse(raw.get()).ok()).unwrap_or_default();
        for (key, _) in nested.iter() {
            let path = format!("hookSpecificOutput.{key}");
            if !explained.fields.iter().any(|fate| fate.path == path) && explained.beyond == 0 {
                return Some(format!("`{path}` is not named"));
            }
        }
    }
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let squeezed = squeeze(&stripped);
    let safe = |text: &str| squeeze(&hooks_core::text::display_untrusted(text));
    for note in &explained.effects.notes {
        let text = safe(&hooks_core::text::shorten(&note.text, 100));
        if !squeezed.contains(text.trim_end_matches('…')) {
            return Some(format!("the note `{}` is not told", note.text));
        }
    }
    for effect in &explained.effects.effects {
        if let Effect::Unsupported(unsupported) = effect {
            let told = explained.fields.iter().any(|fate| {
                fate.path.rsplit('.').next() == Some(&unsupported.field)
                    && matches!(fate.status, Status::Unsupported | Status::Invalid)
            });
            let by_exit_code = !explained.case.outcome.stdout_text().contains(&unsupported.field);
            if !told && !by_exit_code {
                return Some(format!("`{}` is unsupported and not told as such", unsupported.field));
            }
        }
    }
    None
}

/// Where the words of an explanation say something else than its effects, which the vectors hold.
fn contradiction(explained: &Explanation) -> Option<String> {
    let pending = explained.case.envelope.boundary().is_pending();
    let restrains = explained.effects.effects.iter().any(|effect| match effect {
        Effect::Verdict { verdict, .. } => *verdict != Verdict::Allow,
        Effect::Halt(_) | Effect::Continue(_) => true,
        Effect::Unsupported(unsupported) => pending && unsupported.on_pending == OnPending::Deny,
        _ => false,
    });
    let words = explained.rules.iter().map(|rule| rule.text.as_str()).collect::<Vec<_>>().join("\n");
    let says = |text: &str| words.contains(text);
    let shown = anstream::adapter::strip_str(&text::explanation(explained, 200)).to_string();
    let failed = explained.effects.failure.is_some();
    let faults = [
        (restrains && says("fails open"), "it restrains, and is said to fail open"),
        (!restrains && says("fails closed"), "it restrains nothing, and is said to fail closed"),
        (says("fails open") && !failed, "it did not fail, and is said to fail open"),
        (says("fails open") != shown.contains("FAILS OPEN"), "the rules and the end differ on failing open"),
        (says("fails open") != explained.fails_open(), "the words and the data differ on failing open"),
        (failed && !says("fails") && !says("hold nothing back"), "it failed, and nothing says what comes of that"),
        (says("so it blocks") && !restrains, "it is said to block, and does not"),
        (says("shows its text to the person") && says("goes nowhere"), "standard error is shown, and goes nowhere"),
    ];
    faults.into_iter().find_map(|(is_wrong, what)| is_wrong.then(|| format!("{what}:\n{shown}")))
}

#[test]
fn what_is_explained_is_what_every_vector_expects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vectors");
    let files = load(&folder).expect("the vectors can be read");
    let mut subject = Explains::default();
    let report = run_subject(&files, &mut subject, &Filter::default(), &Exceptions::default());
    assert!(report.is_ok(), "{report}");
    let decodes =
        files.iter().flat_map(|file| &file.vectors).filter(|vector| matches!(vector.kind, Kind::Decode(_))).count();
    // A few are about hooks in another vendor's file, or an event that an older client has not.
    assert!(
        subject.count > 4_500 && subject.count + 20 > decodes,
        "{} of {decodes} answers were explained",
        subject.count
    );
    let all = ["foreign", "ignored", "invalid", "taken", "unknown", "unsupported"];
    assert_eq!(subject.seen.into_iter().collect::<Vec<_>>(), all);
    assert!(subject.stricter > 100 && subject.eras > 10, "{} {}", subject.stricter, subject.eras);
}

/// The explanation of an answer that exits with 0.
fn of(vendor: &str, event: &str, stdout: &str) -> Explanation {
    let adapter = crosshook::adapter(vendor).expect("a vendor");
    let event = adapter.event(event).expect("an event");
    let definition = adapter.blank(event.name).expect("a definition");
    let envelope = sample::envelope(&*adapter, event.name, &Given::default()).expect("an occurrence");
    let outcome = Outcome::exited(0, stdout);
    let (binding, host) = (Binding::alone(definition), HostProfile::full());
    Explanation::of(Case { adapter, event, binding, envelope, outcome, host }, false)
}

fn fate(explained: &Explanation, path: &str) -> (Status, String) {
    let fate = explained.fields.iter().find(|fate| fate.path == path).expect("the field");
    (fate.status, fate.why.clone())
}

#[test]
fn another_vendors_field_is_told_with_its_owner() {
    // Cursor's page, stdout fields: `permission` and `agent_message` are its own. Codex, section 11.1: an unknown field
    // voids the answer.
    let explained = of("codex", "PreToolUse", r#"{"permission":"deny","agent_message":"no"}"#);
    let (status, why) = fate(&explained, "permission");
    assert_eq!(status, Status::Foreign);
    assert!(why.contains("voids the answer") && why.contains("cursor's"), "{why}");
    assert!(explained.fails_open());
    // Claude Code ignores keys that nobody knows.
    let explained = of("claude", "PreToolUse", r#"{"permission":"deny"}"#);
    let (status, why) = fate(&explained, "permission");
    assert_eq!(status, Status::Foreign);
    assert!(why.contains("ignored") && why.contains("cursor's"), "{why}");
}

#[test]
fn a_field_of_another_event_is_told_with_the_event() {
    // Cursor's page: a follow-up is for `stop` and `subagentStop`.
    let explained = of("cursor", "preToolUse", r#"{"permission":"allow","followup_message":"go on"}"#);
    let (status, why) = fate(&explained, "followup_message");
    assert_eq!(status, Status::Unsupported);
    assert!(why.contains("stop") && why.contains("denied"), "{why}");
}

#[test]
fn wrong_values_are_told_with_what_belongs_there() {
    let explained = of("claude", "PreToolUse", r#"{"decision":"deny","reason":"no"}"#);
    let (status, why) = fate(&explained, "decision");
    assert_eq!(status, Status::Invalid);
    assert!(why.contains("`deny`") && why.contains("approve") && why.contains("voids"), "{why}");
    let explained = of("cursor", "beforeShellExecution", r#"{"permission":"Deny"}"#);
    let (status, why) = fate(&explained, "permission");
    assert_eq!(status, Status::Invalid);
    assert!(why.contains("`Deny`"), "{why}");
}

#[test]
fn a_repeated_key_is_told() {
    let explained = of("cursor", "beforeShellExecution", r#"{"permission":"allow","permission":"deny"}"#);
    let (status, why) = fate(&explained, "permission");
    assert_eq!(status, Status::Taken);
    assert!(why.contains("2 times"), "{why}");
}

#[test]
fn thousands_of_fields_are_counted_and_not_all_read() {
    let members: Vec<String> = (0..5_000).map(|number| format!("\"k{number}\":1")).collect();
    let explained = of("claude", "Stop", &format!("{{{}}}", members.join(",")));
    assert_eq!(explained.fields.len(), LIMIT);
    assert!(explained.beyond > 0);
}

/// Fields that the table knows are in one place: every event's fields are found there.
#[test]
fn every_field_of_every_table_is_known() {
    let known = known();
    for adapter in crosshook::adapters() {
        for event in adapter.events() {
            for field in event.output {
                let found = known.iter().any(|known| {
                    known.vendor == adapter.vendor().as_str()
                        && known.event == event.name
                        && known.field.path == field.path
                });
                assert!(found, "{} {}", event.name, field.path);
            }
        }
    }
}

#[test]
fn the_json_form_has_every_part() {
    let document: Value = of("claude", "PreToolUse", "{}").json();
    for key in [
        "vendor",
        "version",
        "event",
        "boundary",
        "evidence",
        "outcome",
        "rules",
        "fields",
        "means",
        "effects",
        "dropped",
        "decision",
        "exit_code",
        "fails_open",
        "sees",
        "versions",
    ] {
        assert!(document.get(key).is_some(), "no {key}");
    }
}
