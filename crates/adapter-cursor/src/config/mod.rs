//! Configuration: one document to its definitions, with everything that is wrong with it.
//!
//! What an author meant to run and cannot run is an error for the whole file; a handler this host does not support and
//! a matcher that does not compile take only their own definition with them (first design, parsing).

mod entry;
mod faults;
mod foreign;
pub mod keys;
mod matchers;
mod meant;
mod native;
mod plugin;
mod shadow;
mod shapes;
mod syntax;
mod write;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::adapter::Parsed;
use hooks_core::definition::{BindingId, Definition, FailurePolicy, Place, State};
use hooks_core::document::{JsonRules, Node, Object, pointer_to};
use hooks_core::handler::Handler;
use hooks_core::lint::values;
use hooks_core::matcher::PatternError;
use hooks_core::source::{Role, Source};
use hooks_core::text::{display_line, shorten};
use hooks_core::{Diagnostic, Dialect, LoopLimit, Matcher, Reach, document};

use self::meant::Meant;
use crate::codes;
use crate::events::Event;
use crate::matcher;
use crate::options::{Options, Reports};

/// How Cursor's reader takes JSON: as `JSON.parse` does, without skipping a byte order mark. That comments and byte
/// order marks are refused is inferred: the page calls the file JSON and says no more.
const RULES: JsonRules = JsonRules { byte_order_mark: false, lone_surrogates: true };

/// A limit beyond which a runner's clock could overflow: a year.
const LONGEST_TIMEOUT_S: f64 = 31_536_000.0;

/// Follow-ups a hook may ask for when its definition says nothing (hooks page, options).
pub const DEFAULT_LOOP_LIMIT: u32 = 5;

/// What mending the only fault of its kind in a rejected file changes.
const FILE_IS_READ: &str = "the file can be read, so that its hooks run";

/// Whether a document is one of Claude's settings files, which Cursor reads too: by its role, else by its name.
#[must_use]
pub fn is_foreign(source: &Source) -> bool {
    let named = || {
        let path = source.path.replace('\\', "/");
        [".claude/settings.json", ".claude/settings.local.json"]
            .iter()
            .any(|name| path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/')))
    };
    match source.role {
        Role::ForeignHooks => true,
        Role::Hooks => named(),
        _ => false,
    }
}

/// Reads one document.
pub(crate) fn parse(dialect: &'static Dialect<Event>, options: &Options, source: &Arc<Source>) -> Parsed {
    let parsed = Parsed::empty(Arc::clone(source));
    let everything = options.reports == Reports::Everything;
    let mut reader = Reader {
        dialect,
        options,
        source,
        everything,
        parsed,
        order: Vec::new(),
        compiled: HashMap::new(),
        meant: Vec::new(),
    };
    if source.role == Role::Requirements {
        return reader.parsed;
    }
    match document::parse_json(&source.bytes, RULES) {
        Ok(root) => reader.read(&root),
        Err(_) => {
            if let Some(root) = syntax::read(&mut reader) {
                let mistakes = reader.parsed.diagnostics.len();
                reader.read(&root);
                let (mistakes, faults) = reader.parsed.diagnostics.split_at_mut(mistakes);
                faults.iter_mut().for_each(|fault| forget_clashes(fault, mistakes));
            }
            // What was read in a file that Cursor does not read is there for its faults only.
            let read = std::mem::take(&mut reader.parsed.definitions);
            read.into_iter().for_each(|definition| reader.mean(definition));
            reader.order.clear();
        }
    }
    reader.finish()
}

/// Leaves the edits of a fault out that would change what the edits of a mistake change: they fit the file once it is
/// mended.
fn forget_clashes(fault: &mut Diagnostic, mistakes: &[Diagnostic]) {
    let clash = |one: &Range<usize>, other: &Range<usize>| {
        one.start == other.start || (one.start < other.end && other.start < one.end)
    };
    let made = || mistakes.iter().flat_map(|mistake| &mistake.edits);
    if fault.edits.iter().any(|edit| made().any(|other| clash(&edit.range, &other.range))) {
        fault.edits.clear();
        fault.changes = None;
    }
}

/// A definition with an event's defaults.
pub(crate) fn definition(
    dialect: &Dialect<Event>,
    options: &Options,
    event: &Event,
    source: &Arc<Source>,
    place: Place,
    range: Range<usize>,
    handler: Handler,
) -> Definition {
    let matcher = if options.fires(event) { Matcher::All } else { Matcher::Never(matcher::never_fires(event)) };
    Definition {
        id: BindingId::of(source, &place),
        vendor: dialect.vendor.clone(),
        source: Arc::clone(source),
        place,
        range,
        boundary: event.facts.boundary,
        facet: event.facts.facet,
        handler,
        matcher_text: None,
        matcher,
        condition: None,
        timeout: seconds(options.default_timeout_s(event)),
        failure: FailurePolicy::Open,
        loop_limit: event.loop_limit.then_some(LoopLimit::AtMost(DEFAULT_LOOP_LIMIT)),
        context_limit: None,
        channels: event.facts.channels,
        once: false,
        status_message: None,
        dedup_key: None,
        state: if event.facts.boundary.is_some() { State::Live } else { State::NoBoundary },
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, LONGEST_TIMEOUT_S)).unwrap_or(Duration::from_secs(60))
}

/// A name from the document as it may stand in a message.
fn quote(text: &str) -> String {
    format!("`{}`", shorten(&display_line(text), 80))
}

/// What both readers share.
struct Reader<'r> {
    dialect: &'static Dialect<Event>,
    options: &'r Options,
    source: &'r Arc<Source>,
    /// Whether everything is told ([`Reports::Everything`]).
    everything: bool,
    parsed: Parsed,
    /// The place of each definition's event in the table.
    order: Vec<usize>,
    /// Matchers by their text: what stands in a document often is compiled once.
    compiled: HashMap<String, (Matcher, Option<PatternError>)>,
    /// Why what is being read counts for nothing, from the outermost reason to the innermost.
    meant: Vec<Meant>,
}

impl Reader<'_> {
    fn read(&mut self, root: &Node) {
        if is_foreign(self.source) {
            foreign::read(self, root);
        } else if self.source.role == Role::PluginManifest {
            native::read_manifest(self, root);
        } else {
            native::read(self, root);
        }
    }

    fn report(&mut self, mut diagnostic: Diagnostic) {
        for Meant { once, pointer } in self.meant.iter().rev() {
            if let Some((_, written)) = pointer.as_ref().filter(|(meant, _)| diagnostic.pointer.as_ref() == Some(meant))
            {
                diagnostic.pointer = Some(written.clone());
            }
            if let Some((at, once)) = once {
                diagnostic = diagnostic.related(once.clone(), at.clone());
            }
        }
        self.parsed.report(diagnostic);
    }

    /// An event's place in the table, and the event.
    fn row(&self, name: &str) -> Option<(usize, &'static Event)> {
        self.dialect.events.iter().enumerate().find(|(_, event)| event.facts.name == name)
    }

    /// Reads `timeout` into a definition.
    fn timeout(&mut self, object: &Object, pointer: &str, definition: &mut Definition) {
        let key = keys::TIMEOUT.name;
        let Some(node) = object.get(key) else { return };
        let pointer = || pointer_to(pointer, key);
        let Some(text) = node.as_number() else {
            // The number in a text can be one of milliseconds too.
            let meant = values::meant_seconds(node).map(|seconds| probably_seconds(seconds).to_string());
            self.wrong_type_meant(node, pointer(), &format!("`{key}`"), "a number of seconds", meant);
            return;
        };
        let number = text.parse::<f64>().unwrap_or(f64::NAN);
        // A number too large for a float reads as infinite, which is positive.
        if number.is_nan() || number <= 0.0 {
            self.reject(
                Diagnostic::new(
                    &codes::TIMEOUT_NOT_POSITIVE,
                    Reach::File,
                    format!("the timeout {} is not above zero", shorten(text, 20)),
                )
                .at(node.range.clone())
                .pointer(pointer()),
            );
            return;
        }
        if let Some(meant) = in_milliseconds(number) {
            let message = format!(
                "a timeout of {} seconds is {} minutes: it was probably meant in milliseconds",
                shorten(text, 20),
                (number.min(LONGEST_TIMEOUT_S) / 60.0).round()
            );
            let mut diagnostic = Diagnostic::new(&codes::TIMEOUT_IN_MILLISECONDS, Reach::Entry, message)
                .at(node.range.clone())
                .pointer(pointer())
                .silent();
            if number < LONGEST_TIMEOUT_S {
                diagnostic = diagnostic
                    .help(format!("Timeouts are in seconds: write {meant}."))
                    .edit(node.range.clone(), meant.to_string())
                    .changes(format!("the hook is ended after {meant} seconds, not after {}", shorten(text, 20)));
            }
            self.report(diagnostic);
        }
        definition.timeout = seconds(number);
    }

    /// A matcher's text compiled.
    fn compiled(&mut self, text: &str) -> (Matcher, Option<PatternError>) {
        if let Some(known) = self.compiled.get(text) {
            return known.clone();
        }
        let compiled = matcher::compile(self.options.regex, text);
        self.compiled.insert(text.to_owned(), compiled.clone());
        compiled
    }

    /// The text of a value as it stands in the document.
    fn source_text(&self, node: &Node) -> &str {
        let bytes = self.source.bytes.get(node.range.clone()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Compiles a definition's matcher as Cursor's own text, and tells what is wrong with it.
    fn compile(&mut self, written: &matchers::Written<'_>, text: &str, definition: &mut Definition) {
        let (compiled, error) = self.compiled(text);
        match error {
            Some(error) => self.matcher_fault(written.event, error, written.node, written.pointer.clone(), definition),
            None => matchers::read(self, written, &compiled),
        }
        if self.options.fires(written.event) {
            definition.matcher = compiled;
        }
    }

    /// Tells that a definition will not run because of its event; then keeps it.
    fn keep(&mut self, at: usize, event: &Event, definition: Definition, pointer: &str) {
        let name = event.facts.name;
        // What belongs to the editor is fired by the editor.
        let fault = if event.facts.boundary.is_none() && self.everything {
            None
        } else if event.facts.boundary.is_none() {
            Some((
                &codes::NO_BOUNDARY,
                format!("{name} has no place outside Cursor's editor, so the hook never runs here"),
            ))
        } else if !self.options.fires(event) {
            Some((&codes::NEVER_FIRES, format!("this host never fires {name}, so the hook never runs")))
        } else {
            None
        };
        if let Some((code, message)) = fault {
            let severity = Self::severity(event).max(code.severity);
            let message = if event.can_block() { format!("{message}, and guards nothing") } else { message };
            let diagnostic = Diagnostic::new(code, Reach::Entry, message).severity(severity);
            self.report(diagnostic.at(definition.range.clone()).pointer(pointer));
        }
        self.push(at, definition);
    }

    fn push(&mut self, at: usize, definition: Definition) {
        if !self.meant.is_empty() {
            self.mean(definition);
            return;
        }
        if matches!(definition.state, State::Inert(_)) {
            self.mean(definition.clone());
        }
        self.order.push(at);
        self.parsed.definitions.push(definition);
    }

    /// Puts the definitions into the order in which they are declared: table order, then the order of the file; and what
    /// there is to tell into the order of the file.
    fn finish(mut self) -> Parsed {
        let start =
            |diagnostic: &Diagnostic| diagnostic.range.as_ref().map_or((0, 0), |range| (range.start, range.end));
        self.parsed.diagnostics.sort_by_key(start);
        if !self.order.is_sorted() {
            let mut placed: Vec<_> = self.order.iter().zip(self.parsed.definitions).collect();
            placed.sort_by_key(|(at, _)| **at);
            self.parsed.definitions = placed.into_iter().map(|(_, definition)| definition).collect();
        }
        if self.parsed.rejected {
            for at in 0..self.parsed.definitions.len() {
                let read =
                    self.parsed.definitions.get(at).filter(|definition| !matches!(definition.state, State::Inert(_)));
                read.cloned().into_iter().for_each(|definition| self.mean(definition));
            }
            for definition in &mut self.parsed.definitions {
                definition.state = State::Inert("its file is rejected".to_owned());
            }
        }
        self.parsed
    }
}

/// The seconds that a timeout comes to if it was written in milliseconds, where it probably was.
fn in_milliseconds(seconds: f64) -> Option<u64> {
    // A cast of a float saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    values::probably_milliseconds(seconds as u64)
}

/// Seconds as they were probably meant.
fn probably_seconds(seconds: u64) -> u64 {
    values::probably_milliseconds(seconds).unwrap_or(seconds)
}

/// The bytes to take out to be rid of a key that stands in an object once.
fn member_bytes(object: &Object, key: &str) -> Option<Range<usize>> {
    let mut places = object.members.iter().enumerate().filter(|(_, member)| member.key == key).map(|(at, _)| at);
    match (places.next(), places.next()) {
        (Some(at), None) => values::member_bytes(object, at),
        _ => None,
    }
}

/// A number that is whole, however it is written: `1.0` is 1, since JavaScript has one kind of number.
fn whole(node: &Node) -> Option<u64> {
    node.as_u64().or_else(|| {
        let number = node.as_number()?.parse::<f64>().ok()?;
        // A cast of a float saturates.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
    })
}

/// A place number; what is beyond any number ends at the highest.
fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
