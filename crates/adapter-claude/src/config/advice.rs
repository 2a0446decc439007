//! What is said about a handler that loads and will not do what it looks like (hooks page, handler fields and the sections on
//! each type; cases L031, L057, L110 to L113, L212, L246 to L250). The client itself says nothing about any of it.

mod command;
mod condition;
mod request;

use hooks_core::definition::FailurePolicy;
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::{Node, Object, pointer_to};
use hooks_core::handler::{Background, Handler, HandlerKind};
use hooks_core::lint::values::probably_milliseconds;
use hooks_core::matcher::Matched;

use super::Form;
use super::handler::counts_once;
use super::hooks::Group;
use super::keys::{self, Key};
use super::reader::Reader;
use crate::codes;
use crate::events::{Event, OnFailure, Refusal};

/// A handler as it was read.
pub(super) struct Asked<'a> {
    pub(super) event: &'static Event,
    pub(super) group: &'a Group,
    pub(super) object: &'a Object,
    pub(super) pointer: &'a str,
    pub(super) handler: &'a Handler,
    pub(super) condition: Option<&'a str>,
    pub(super) timeout: Option<f64>,
    pub(super) failure: FailurePolicy,
    pub(super) once: bool,
}

impl<'a> Asked<'a> {
    fn node(&self, key: &Key) -> Option<&'a Node> {
        self.object.get(key.name)
    }

    fn name(&self) -> &'static str {
        self.event.facts.name
    }

    fn arg_pointer(&self, at: usize) -> String {
        format!("{}/{}/{at}", self.pointer, keys::ARGS.name)
    }

    fn note(&self, key: &Key, node: &Node, code: &'static Code, message: impl Into<String>) -> Diagnostic {
        let pointer = pointer_to(self.pointer, key.name);
        Diagnostic::new(code, Reach::Entry, message).at(node.range.clone()).pointer(pointer).silent()
    }

    /// Louder where the handler was to guard something.
    fn guarded(&self, mut note: Diagnostic) -> Diagnostic {
        if !self.event.can_block() {
            return note;
        }
        note.message.push_str("; what it was to guard goes on unguarded");
        note.severity(Severity::Error)
    }

    /// A handler that fails each time: it guards nothing or, where a failure blocks, lets nothing through.
    fn failing(&self, mut note: Diagnostic) -> Diagnostic {
        if !self.event.can_block() {
            return note;
        }
        let heeded = matches!(self.event.on_failure, OnFailure::AsExit2 | OnFailure::Denies);
        note.message.push_str(match self.failure {
            FailurePolicy::Closed if heeded => "; with `onFailure` as `block` that blocks each time",
            _ => "; what it was to guard goes on unguarded",
        });
        note.severity(Severity::Error)
    }

    /// A key without effect, which can go.
    fn idle(&self, reader: &Reader, key: &Key, node: &Node, message: impl Into<String>) -> Diagnostic {
        reader.without(self.note(key, node, &codes::NO_EFFECT_HERE, message), self.object, key.name)
    }
}

/// Says what there is to say about a handler.
pub(super) fn advise(reader: &mut Reader, asked: &Asked<'_>) {
    let mut notes = Vec::new();
    kind(asked, &mut notes);
    match asked.handler {
        Handler::Command(it) => {
            command::placeholders(reader, asked, it, &mut notes);
            command::shells(reader, asked, it, &mut notes);
            command::background(reader, asked, it, &mut notes);
        }
        Handler::Http(http) => request::requests(reader, asked, http, &mut notes),
        Handler::Prompt(_) => heeds_continue(reader, asked, &mut notes),
        _ => {}
    }
    failure(reader, asked, &mut notes);
    timeout(reader, asked, &mut notes);
    condition::condition(reader, asked, &mut notes);
    if let (true, Some(node)) = (asked.once && !counts_once(&reader.parsed.source), asked.node(&keys::ONCE)) {
        let message = "`once` has no effect outside the head of a skill or command";
        notes.push(asked.idle(reader, &keys::ONCE, node, message));
    }
    for note in notes {
        reader.report(note);
    }
}

/// Types that the event does not run, and those whose answer it does not heed.
fn kind(asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let Some(node) = asked.node(&keys::TYPE) else { return };
    let (name, kind) = (asked.name(), asked.handler.kind());
    if !asked.event.handlers.contains(&kind) {
        let code = &codes::HANDLER_TYPE_NOT_RUN_HERE;
        if asked.event.other_types_untried {
            let message =
                format!("no source says that `{name}` runs {} handlers; commands were seen to run", kind.as_str());
            notes.push(asked.note(&keys::TYPE, node, code, message).severity(Severity::Error));
            return;
        }
        let comes_to = match kind {
            HandlerKind::Http => "the request is not sent, and nothing is said",
            _ => "it fails each time, blocking nothing",
        };
        let message = format!("`{name}` does not run {} handlers: {comes_to}", kind.as_str());
        notes.push(asked.guarded(asked.note(&keys::TYPE, node, code, message)));
    } else if matches!(kind, HandlerKind::Prompt | HandlerKind::Agent) && asked.event.refusal == Refusal::Nothing {
        let message = format!("`{name}` does not heed what a model answers: a refusal changes nothing");
        notes.push(asked.guarded(asked.note(&keys::TYPE, node, &codes::PROMPT_DECIDES_NOTHING, message)));
    } else if kind == HandlerKind::McpTool && name == "SessionStart" {
        let matches = |source: &str| asked.group.matcher.matches(source) != Matched::No;
        let launch = ["startup", "resume", "fork"].into_iter().any(matches);
        let later = ["clear", "compact"].into_iter().any(matches);
        let message = match (launch, later) {
            (true, false) => "tool servers are not connected yet when a session starts, so this handler never runs",
            (true, true) => {
                "tool servers are not connected yet when a session starts: it runs on `clear` and `compact` only"
            }
            _ => return,
        };
        let note = asked.note(&keys::TYPE, node, &codes::TOOL_SKIPPED_AT_LAUNCH, message);
        notes.push(if later { note } else { note.severity(Severity::Warning) });
    }
}

fn in_background(handler: &Handler) -> bool {
    matches!(handler, Handler::Command(command) if command.background != Background::No)
}

/// `continueOnBlock` where a refusal comes to the same either way.
fn heeds_continue(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let Some(node) = asked.node(&keys::CONTINUE_ON_BLOCK).filter(|node| node.as_bool() == Some(true)) else { return };
    if !matches!(asked.event.refusal, Refusal::DeniesAndEnds | Refusal::EndsOrBlocks(_)) {
        let message = format!("on `{}` a refusal comes to the same with and without `continueOnBlock`", asked.name());
        notes.push(asked.idle(reader, &keys::CONTINUE_ON_BLOCK, node, message));
    }
}

/// `onFailure` where it is not heeded.
fn failure(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let heeded = matches!(asked.event.on_failure, OnFailure::AsExit2 | OnFailure::Denies);
    let told = !asked.event.can_block() && in_background(asked.handler);
    if let (FailurePolicy::Closed, false, Some(node)) = (asked.failure, heeded || told, asked.node(&keys::ON_FAILURE)) {
        let message = format!("`{}` does not heed `onFailure`", asked.name());
        notes.push(asked.idle(reader, &keys::ON_FAILURE, node, message));
    }
}

/// Time limits in another unit, and those that are not granted.
fn timeout(reader: &Reader, asked: &Asked<'_>, notes: &mut Vec<Diagnostic>) {
    let (Some(seconds), Some(node)) = (asked.timeout, asked.node(&keys::TIMEOUT)) else { return };
    // What is longer than this is no slip of the unit, but means that there is no limit.
    let slip = node.as_u64().filter(|seconds| *seconds <= 3_600_000);
    if let Some(meant) = slip.and_then(probably_milliseconds) {
        let message = format!(
            "`timeout` counts seconds, so {seconds} is about {:.1} hours; probably {meant} s are meant",
            seconds / 3_600.0
        );
        notes.push(
            asked
                .note(&keys::TIMEOUT, node, &codes::TIMEOUT_IN_MILLISECONDS, message)
                .edit(node.range.clone(), meant.to_string())
                .changes(format!("the handler is cancelled after {meant} s, not after {seconds}")),
        );
        return;
    }
    let Some(longest) = asked.event.longest_s else { return };
    let source = &reader.parsed.source;
    let plugin = reader.form == Form::Plugin || source.plugin.is_some();
    let granted = if plugin { asked.event.timeout_s(asked.handler.kind()) } else { longest };
    if seconds > granted {
        let why = if plugin { "a plugin gets no more than the default" } else { "that is the most" };
        let message = format!("all handlers of `{}` together get {granted} s: {why}", asked.name());
        let note = asked.note(&keys::TIMEOUT, node, &codes::TIMEOUT_CAPPED, message);
        notes.push(note.edit(node.range.clone(), granted.to_string()));
    }
}
