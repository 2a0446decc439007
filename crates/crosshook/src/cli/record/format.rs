//! The record of one run: what a hook was given and what it answered, as a file that `fire --payload` and `explain`
//! take back. Its JSON Schema stands beside it (`schema.json`).

use std::path::{Path, PathBuf};

use hooks_conformance::format::{EndSpec, OutcomeSpec, Text};
use hooks_conformance::outcome_json;
use hooks_core::definition::LoopLimit;
use hooks_core::handler::Handler;
use hooks_core::json::{RawObject, too_deep_at};
use hooks_core::{Binding, Definition, End, FailurePolicy, Outcome, RawJson};
use serde::{Deserialize, Serialize};

use crate::cli::exit::Trouble;
use crate::cli::explain::answer;

/// The version of the format that is read and written.
pub(crate) const FORMAT: u32 = 1;
/// The key that tells a record from everything else.
const KEY: &str = "crosshook_record";

/// The format's JSON Schema.
pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(crate) struct Record {
    /// The version of the format.
    #[serde(rename = "crosshook_record")]
    pub format: u32,
    /// What wrote it.
    pub made_by: String,
    /// When the run began, in milliseconds since 1970.
    pub time_ms: u64,
    /// Whose client ran it; `None` where that cannot be told.
    pub vendor: Option<String>,
    /// The event, by the vendor's name; `None` where that cannot be told.
    pub event: Option<String>,
    /// The program and its arguments, or the text for a shell.
    pub command: Vec<String>,
    /// The folder it ran in.
    pub cwd: String,
    /// Where its definition stands, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<HookOf>,
    /// What it found on standard input.
    pub stdin: Text,
    /// Whether it took all of that.
    pub stdin_delivered: bool,
    /// How it ended and what it printed; `None` where the recorder was ended before it.
    pub outcome: Option<OutcomeSpec>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
}

/// Where a definition stands, and what of it an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(crate) struct HookOf {
    /// Its document.
    pub path: String,
    /// The line it starts on.
    pub line: usize,
    /// Whether a failure blocks.
    pub fail_closed: bool,
    /// How often it may make the turn go on: a number, or `null` for no limit; absent where that has no meaning.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "limit")]
    pub loop_limit: Option<Option<u32>>,
}

/// A key that is there with `null` is not one that is absent.
mod limit {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::ref_option, clippy::option_option, reason = "serde gives the field as it is")]
    pub(super) fn serialize<S: Serializer>(limit: &Option<Option<u32>>, serializer: S) -> Result<S::Ok, S::Error> {
        limit.flatten().serialize(serializer)
    }

    #[allow(clippy::option_option, reason = "absent, no limit, and a number are three things")]
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u32>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }
}

impl HookOf {
    /// Of a definition that starts on a line.
    pub(crate) fn of(definition: &Definition, line: usize) -> Self {
        Self {
            path: definition.source.path.clone(),
            line,
            fail_closed: definition.failure == FailurePolicy::Closed,
            loop_limit: definition.loop_limit.map(LoopLimit::number),
        }
    }
}

impl Record {
    /// A run that has not ended.
    pub(crate) fn begun(time_ms: u64, command: Vec<String>, cwd: String) -> Self {
        Self {
            format: FORMAT,
            made_by: concat!("crosshook ", env!("CARGO_PKG_VERSION")).to_owned(),
            time_ms,
            vendor: None,
            event: None,
            command,
            cwd,
            hook: None,
            stdin: Text::Plain(String::new()),
            stdin_delivered: true,
            outcome: None,
            duration_ms: None,
        }
    }

    /// The same with how it ended.
    pub(crate) fn ended(mut self, outcome: &Outcome) -> Self {
        self.outcome = serde_json::from_value(outcome_json(outcome)).ok();
        self.stdin_delivered = outcome.stdin_delivered;
        self.duration_ms = Some(outcome.duration.as_secs_f64() * 1000.0);
        self
    }

    /// Reads a record; the path is for messages.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self, Trouble> {
        let shown = path.display();
        let no_record = |why: &str| Trouble::usage(format!("{shown} is no record: {why}"));
        if too_deep_at(text.as_bytes()).is_some() {
            return Err(no_record("it is nested too deep"));
        }
        let object = RawObject::parse(text).map_err(|error| no_record(&format!("it is no JSON object: {error}")))?;
        let Some(format) = object.get(KEY) else {
            let trouble = no_record(&format!("it has no `{KEY}`"));
            return Err(if object.get("hook_event_name").is_some() {
                trouble.help("it looks like what a hook is given: --payload takes it")
            } else {
                trouble.help("`crosshook record` makes records; --stdout takes what a hook printed")
            });
        };
        match serde_json::from_str::<u32>(format.get()) {
            Ok(FORMAT) => {}
            Ok(other) => {
                return Err(no_record(&format!("it is of format {other}, and this command reads {FORMAT}"))
                    .help("use the version of crosshook that wrote it"));
            }
            Err(_) => return Err(no_record(&format!("`{KEY}` is no version of the format"))),
        }
        serde_json::from_str(text).map_err(|error| no_record(&error.to_string()))
    }

    /// The outcome, with what is to be told where it is not known.
    pub(crate) fn outcome(&self) -> (Outcome, Option<String>) {
        let Some(OutcomeSpec { end, stdout, stderr, stdout_truncated, stderr_truncated }) = &self.outcome else {
            let remark = "The client ended the hook before it was done; that is taken as a run that took too long.";
            return (Outcome::ended(End::TimedOut), Some(remark.to_owned()));
        };
        let mut outcome = Outcome::ended(match end {
            EndSpec::Exited(code) => End::Exited(*code),
            EndSpec::Signalled(signal) => End::Signalled(*signal),
            EndSpec::TimedOut => End::TimedOut,
            EndSpec::Cancelled => End::Cancelled,
            EndSpec::FailedToStart => End::FailedToStart("it could not be started".to_owned()),
            EndSpec::Http(status) => End::Http(*status),
            EndSpec::Tool { is_error } => End::Tool { is_error: *is_error },
            EndSpec::Model => End::Model,
            EndSpec::NotRun(why) => End::NotRun(why.clone()),
        });
        outcome.stdout = stdout.as_ref().map(Text::bytes).unwrap_or_default();
        outcome.stderr = stderr.as_ref().map(Text::bytes).unwrap_or_default();
        outcome.stdout_truncated = stdout_truncated.unwrap_or(false);
        outcome.stderr_truncated = stderr_truncated.unwrap_or(false);
        outcome.stdin_delivered = self.stdin_delivered;
        (outcome, None)
    }

    /// Gives a made-up hook what the recorded one had, as far as its vendor has that: `can_close` says whether its files
    /// can say that a failure blocks.
    pub(crate) fn dress(&self, binding: &mut Binding, can_close: bool) {
        let mut definition = Definition::clone(&binding.definition);
        if let Handler::Command(command) = &mut definition.handler {
            command.command = self.command.join(" ");
        }
        if let Some(hook) = &self.hook {
            if hook.fail_closed && can_close {
                definition.failure = FailurePolicy::Closed;
            }
            if let Some(limit) = hook.loop_limit {
                definition.loop_limit = Some(limit.map_or(LoopLimit::Unlimited, LoopLimit::AtMost));
            }
        }
        *binding = Binding { definition: definition.into(), declared: binding.declared };
    }

    /// What it is a record of, in a line.
    pub(crate) fn about(&self) -> String {
        let vendor = self.vendor.as_deref().unwrap_or("a client that is not known");
        let event = self.event.as_deref().unwrap_or("an event that is not known");
        let hook = self.hook.as_ref().map_or(String::new(), |hook| format!(" ({}:{})", hook.path, hook.line));
        format!("{event} of {vendor}, `{}`{hook}", self.command.join(" "))
    }
}

/// The text of a file that may be a record.
pub(crate) fn read_text(path: &Path) -> Result<String, Trouble> {
    let bytes = answer::read(path, "a record")?;
    String::from_utf8(bytes).map_err(|_| Trouble::usage(format!("{} is not UTF-8", path.display())))
}

/// Bytes that a hook was given: a payload's own, or those in a record of it.
pub(crate) fn stdin_of(bytes: Vec<u8>, path: Option<&Path>) -> Result<Vec<u8>, Trouble> {
    if !is_record(&bytes) {
        return Ok(bytes);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Record::parse(&text, path.unwrap_or(Path::new("the payload")))?.stdin.bytes())
}

/// Whether bytes are meant as a record.
fn is_record(bytes: &[u8]) -> bool {
    too_deep_at(bytes).is_none() && RawObject::parse_slice(bytes).is_ok_and(|object| object.get(KEY).is_some())
}

/// The event that a payload, or a record of one, names.
pub(crate) fn event_name(bytes: &[u8]) -> Option<String> {
    let object = RawObject::parse_slice(bytes).ok()?;
    RawJson::from_raw(object.get("hook_event_name")?).as_str()
}

/// The records in a folder, by name.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let cannot = |error| Trouble::usage(format!("cannot read {}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whose client wrote a payload, as far as it shows.
///
/// Names of events tell Cursor's from the others'. What Codex gives each event stands in its table; a payload with all
/// of an event's keys and no other is its. What is left and can be read as one of Claude Code's is that.
pub(crate) fn whose(bytes: &[u8]) -> Option<&'static str> {
    let event = event_name(bytes)?;
    let has = |vendor: &str| crosshook::adapter(vendor).is_some_and(|adapter| adapter.event(&event).is_some());
    let mut owners: Vec<&'static str> = crosshook::VENDORS.iter().copied().filter(|vendor| has(vendor)).collect();
    if owners.len() > 1
        && let Some(row) = crosshook::codex::events::EVENTS.iter().find(|row| row.facts.name == event)
        && let Ok(object) = RawObject::parse_slice(bytes)
    {
        use crosshook::codex::events::Presence;
        let known = object.iter().all(|(key, _)| row.input.iter().any(|field| field.key == key));
        let whole = row
            .input
            .iter()
            .filter(|field| !matches!(field.presence, Presence::InSubagent))
            .all(|field| object.get(field.key).is_some());
        let codex = known && whole;
        owners.retain(|owner| (*owner == "codex") == codex);
    }
    match owners.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use hooks_conformance::{Given, sample};

    use super::*;

    /// What each vendor gives its hooks is told apart from what the others give theirs.
    #[test]
    fn payloads_tell_whose_they_are() {
        let mut told = 0;
        for adapter in crosshook::adapters() {
            for event in adapter.events().iter().filter(|event| event.boundary.is_some()) {
                let vendor = adapter.vendor().as_str();
                let envelope = sample::envelope(&*adapter, event.name, &Given::default()).expect("an occurrence");
                let mut definition = adapter.blank(event.name).expect("a definition");
                if let Handler::Command(command) = &mut definition.handler {
                    command.command = "true".to_owned();
                }
                let mut stdin = Vec::new();
                adapter.encode(&Binding::alone(definition), &envelope, &mut stdin).expect("it can be run");
                assert_eq!(event_name(&stdin).as_deref(), Some(event.name));
                assert_eq!(whose(&stdin), Some(vendor), "{}: {}", event.name, String::from_utf8_lossy(&stdin));
                told += 1;
            }
        }
        assert!(told > 60, "{told}");
    }

    #[test]
    fn what_is_written_is_read_back_byte_for_byte() {
        let mut outcome = Outcome::exited(3, b"out\xff\0".to_vec());
        outcome.stderr = "\u{202e}err\u{1b}".into();
        let mut record = Record::begun(5, vec!["a b".to_owned()], "/p".to_owned()).ended(&outcome);
        record.stdin = Text::of(b"in\xfe");
        record.hook = Some(HookOf { path: "/p/f".to_owned(), line: 2, fail_closed: true, loop_limit: Some(None) });
        let text = serde_json::to_string(&record).expect("JSON");
        let read = Record::parse(&text, Path::new("r.json")).expect("a record");
        assert_eq!(read, record);
        let (read, remark) = read.outcome();
        assert_eq!((read.stdout, read.stderr, read.end, remark), (outcome.stdout, outcome.stderr, outcome.end, None));
    }
}
