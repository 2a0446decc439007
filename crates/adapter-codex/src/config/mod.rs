//! Documents to definitions (sections 3 to 6): `hooks.json`, `[hooks]` in `config.toml`, managed `requirements.toml`
//! and the inline hooks of a plugin's manifest.
//!
//! Strictness is uneven and kept so: the root of `hooks.json` is strict; the event map, groups and handlers ignore what
//! they do not know; any wrong type of a known key drops the whole file; some handlers are skipped one by one.

mod across;
pub(crate) mod at;
pub(crate) mod entry;
mod faults;
mod fields;
mod handlers;
mod hooks;
pub mod keys;
mod matchers;
mod meant;
mod mend;
mod records;
mod root;
mod syntax;
mod toml_keys;
mod toml_syntax;
pub(crate) mod toml_tree;
mod write;

pub(crate) use across::{across, rule};
#[cfg(feature = "schema")]
pub(crate) use hooks::HANDLER_MARKS;

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::adapter::{Parsed, Switch};
use hooks_core::channel::Channel;
use hooks_core::diagnostic::{Diagnostic, Reach};
use hooks_core::document::{JsonRules, Node, Object, Value, parse_json};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::{Background, CommandHandler, McpToolHandler, PromptHandler, Shell};
use hooks_core::lint::values;
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{BindingId, Definition, FailurePolicy, Handler, LoopLimit, Matcher, Place, RawJson, State, Version};

use crate::codes;
use crate::events::{AsyncRule, Event, Guard, Kind, VENDOR, changed};
use at::At;
use entry::{Entry, Style, Written, write_json};
use mend::Text;

/// What a switch must be, in a message.
const A_BOOLEAN: &str = "a boolean";

const DROPPED: &str = "Codex drops its whole file";

const FEATURE_OFF: &str = "the hooks feature is off";

/// Reads one document.
pub(crate) fn parse(version: Version, source: &Arc<Source>) -> Parsed {
    let (mut reader, entries) = read(version, source, false);
    reader.parsed.definitions = entries.into_iter().map(|entry| reader.definition(entry)).collect();
    reader.switch_off();
    let Reader { mut parsed, fatal, soft, .. } = reader;
    parsed.rejected = !fatal.is_empty();
    if parsed.rejected {
        for definition in &mut parsed.definitions {
            definition.state = State::Inert(DROPPED.to_owned());
        }
        parsed.meant = meant(version, source);
        parsed.trust.clear();
        parsed.switches.clear();
    }
    for diagnostic in in_file_order(fatal.into_iter().chain(soft).collect()) {
        parsed.report(diagnostic);
    }
    parsed
}

/// What else there is to say about a document: what was probably not meant as it stands, and beyond the first mistake of
/// a text that cannot be read all others, with what is wrong in what it was meant to be.
pub(crate) fn advice(version: Version, source: &Arc<Source>) -> Vec<Diagnostic> {
    let (reader, _) = read(version, source, true);
    let Reader { mut advice, fatal, soft, unreadable, .. } = reader;
    if unreadable {
        // The client, and so parsing, tells of the first.
        advice.extend(fatal.into_iter().skip(1).chain(soft));
    }
    let mut found = in_file_order(advice);
    for diagnostic in &mut found {
        diagnostic.path.clone_from(&source.path);
    }
    found
}

/// The definitions that a dropped document would have, for whoever looks at commands without running them.
fn meant(version: Version, source: &Arc<Source>) -> Vec<Definition> {
    let (reader, entries) = read(version, source, true);
    let mut meant: Vec<_> = entries.into_iter().map(|entry| reader.definition(entry)).collect();
    for definition in meant.iter_mut().filter(|definition| definition.state == State::Live) {
        definition.state = State::Disabled(DROPPED.to_owned());
    }
    meant
}

fn in_file_order(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.sort_by_key(|diagnostic| diagnostic.range.as_ref().map(|range| range.start));
    found
}

/// The handler entries of a document that a trust record can be about; none of a file that is dropped.
pub(crate) fn entries(version: Version, source: &Arc<Source>) -> Vec<Entry> {
    let (reader, entries) = read(version, source, false);
    if reader.fatal.is_empty() { entries } else { Vec::new() }
}

fn read(version: Version, source: &Arc<Source>, advising: bool) -> (Reader, Vec<Entry>) {
    let mut reader = Reader {
        version,
        parsed: Parsed::empty(Arc::clone(source)),
        part: Arc::clone(source),
        text: OnceCell::new(),
        fatal: Vec::new(),
        soft: Vec::new(),
        advice: Vec::new(),
        advising,
        unreadable: false,
        unmended: Vec::new(),
        only_advice: false,
    };
    let root = match source.syntax {
        Syntax::Json => match parse_json(&source.bytes, JsonRules::default()) {
            Ok(root) => Some(root),
            Err(error) => reader.json_mistakes(&error),
        },
        Syntax::Toml => match toml_tree::parse(&source.bytes) {
            Ok(root) => Some(root),
            Err(error) => reader.toml_mistakes(error),
        },
        _ => {
            let message = "Codex reads hooks from JSON and TOML only";
            reader.fatal.push(Diagnostic::new(&codes::NOT_JSON, Reach::File, message).pointer(""));
            None
        }
    };
    let faults = reader.fatal.len();
    let entries = root.map(|root| reader.document(&root)).unwrap_or_default();
    reader.told_as_missing();
    reader.around_mistakes(faults);
    reader.whole_configuration();
    (reader, entries)
}

/// A document while it is read.
struct Reader {
    version: Version,
    parsed: Parsed,
    /// What the entries that are being read stand in: the document, or one inline object of a plugin's manifest.
    part: Arc<Source>,
    /// The document's text, for edits; made when the first fault has one.
    text: OnceCell<Text>,
    /// Faults that drop the file.
    fatal: Vec<Diagnostic>,
    /// Everything else that is wrong.
    soft: Vec<Diagnostic>,
    /// What was probably not meant so, where nothing is wrong.
    advice: Vec<Diagnostic>,
    /// Whether anybody asks for advice.
    advising: bool,
    /// Whether the document's text is none of its language.
    unreadable: bool,
    /// Where its text has mistakes that only their author can mend.
    unmended: Vec<Range<usize>>,
    /// Whether what is being read is told of by advice alone, because parsing does not come to it.
    only_advice: bool,
}

impl Event {
    /// Whether the event can keep something from happening: what is skipped there is reported as an error.
    pub(crate) fn guards(&self) -> bool {
        self.guard != Guard::None
    }

    /// What goes on unchecked when a hook of the event does not run; `None` where nothing is checked anyway.
    pub(crate) fn unguarded(&self) -> Option<&'static str> {
        self.guards().then_some(match self.kind {
            Kind::PreToolUse => "tool calls go on without its check",
            Kind::PermissionRequest => "approvals are asked for without its answer",
            Kind::PreCompact => "compactions go on without its check",
            Kind::SessionStart => "sessions start without it",
            Kind::UserPromptSubmit => "prompts go on without its check",
            _ => "what it guards goes on without its check",
        })
    }
}

impl Reader {
    fn source(&self) -> &Source {
        &self.parsed.source
    }

    /// How far a fault of the whole file reaches.
    fn file_reach(&self) -> Reach {
        self.managed_reach(Reach::File)
    }

    /// How far a handler or group that cannot be loaded reaches: from managed requirements it keeps the session from
    /// starting (section 5).
    fn managed_reach(&self, usual: Reach) -> Reach {
        let refuses = changed::REQUIREMENTS_REFUSE.at(self.version) == Some(true);
        if self.source().role == Role::Requirements && refuses { Reach::Session } else { usual }
    }

    /// In the user's own `config.toml` a wrong shape costs more than the hooks in it (section 3.2).
    fn whole_configuration(&mut self) {
        let checked = changed::USER_FILE_IS_CHECKED.at(self.version) == Some(true);
        if self.unreadable || !checked || self.source().origin != Origin::User || self.source().syntax != Syntax::Toml {
            return;
        }
        for found in &mut self.fatal {
            found.message.push_str("; in this file that is an error of the client's whole configuration");
        }
    }

    fn document(&mut self, root: &Node) -> Vec<Entry> {
        match (self.source().syntax, self.source().role) {
            (Syntax::Json, Role::PluginManifest) => self.manifest(root),
            (Syntax::Json, _) => self.hooks_json(root, &At::base("")),
            _ => self.config_toml(root),
        }
    }

    /// `hooks.json`: a strict root.
    fn hooks_json(&mut self, root: &Node, base: &At<'_>) -> Vec<Entry> {
        let object = match &root.value {
            Value::Object(object) => object,
            Value::Array(_) if base.is_root() => {
                let message = "the document is an array, in which Codex finds no hooks";
                let found = Diagnostic::new(&codes::NOT_AN_OBJECT, Reach::File, message);
                self.soft.push(found.at(root.range.clone()).pointer(base.pointer()).silent());
                return Vec::new();
            }
            _ => {
                self.wrong_type(root, base, "an object");
                return Vec::new();
            }
        };
        let version = self.version;
        let known = |name: &str| keys::ROOT.iter().any(|key| key.name == name && key.is_known(version));
        let describes = known(keys::DESCRIPTION);
        let hooks = object.get(keys::HOOKS);
        for member in object.members.iter().filter(|member| !known(&member.key)) {
            self.unknown_root_key(root, object, member, hooks, base);
        }
        for key in [keys::HOOKS, keys::DESCRIPTION] {
            self.refuse_twice(object, key, base);
        }
        if let Some(description) = object.get(keys::DESCRIPTION).filter(|_| describes) {
            self.optional_text(Some(description), &base.key(keys::DESCRIPTION));
        }
        match hooks {
            Some(hooks) => self.hooks(hooks, &base.key(keys::HOOKS)),
            None => Vec::new(),
        }
    }

    /// A plugin's manifest: its `hooks` may hold inline objects of the shape of `hooks.json` (section 7). What paths in
    /// it lead to is for whoever looks for documents.
    fn manifest(&mut self, root: &Node) -> Vec<Entry> {
        let Some(hooks) = root.as_object().and_then(|object| object.get(keys::HOOKS)) else { return Vec::new() };
        let at = At::base("/hooks");
        let Value::Array(items) = &hooks.value else { return self.manifest_item(hooks, 0, &at) };
        items
            .iter()
            .enumerate()
            .flat_map(|(number, item)| self.manifest_item(item, number, &at.index(number)))
            .collect()
    }

    fn manifest_item(&mut self, item: &Node, number: usize, at: &At<'_>) -> Vec<Entry> {
        if item.as_object().is_some() {
            return self.inline(item, number, at);
        }
        self.manifest_path(item, at);
        Vec::new()
    }

    /// One inline object. Each counts its groups for itself, so that each needs a path of its own (section 6).
    fn inline(&mut self, object: &Node, number: usize, base: &At<'_>) -> Vec<Entry> {
        let whole = Arc::clone(&self.parsed.source);
        self.part = Arc::new(Source { path: format!("{}#hooks[{number}]", whole.path), ..(*whole).clone() });
        self.hooks_json(object, base)
    }

    /// `config.toml` and `requirements.toml`: everything but hooks and their switches is somebody else's.
    fn config_toml(&mut self, root: &Node) -> Vec<Entry> {
        let Some(root) = root.as_object() else { return Vec::new() };
        self.features(root);
        self.managed_only(root);
        if self.advising {
            self.beside_hooks(root);
        }
        match root.get(keys::HOOKS) {
            Some(hooks) => self.hooks(hooks, &At::base("/hooks")),
            None => Vec::new(),
        }
    }

    fn features(&mut self, root: &Object) {
        let at = At::base("/features");
        let Some(node) = root.get(keys::FEATURES) else { return };
        let Some(features) = node.as_object() else { return self.no_switch(node, &at, "a table of switches") };
        let mut set = false;
        for key in &keys::SWITCHES {
            let at = at.key(key.name);
            let Some(member) = features.member(key.name) else { continue };
            let Some(on) = member.value.as_bool() else {
                self.no_switch(&member.value, &at, A_BOOLEAN);
                continue;
            };
            if std::mem::replace(&mut set, true) {
                continue;
            }
            self.parsed.switches.push(Switch::Feature(on));
            if !on {
                let message = format!(
                    "`features.{}` is off: no hook runs, of whatever file, unless a layer above this one switches them on",
                    key.name
                );
                let found = Diagnostic::new(&codes::HOOKS_SWITCHED_OFF, Reach::File, message);
                self.soft.push(found.at(member.value.range.clone()).pointer(at.pointer()).silent());
            }
        }
    }

    fn managed_only(&mut self, root: &Object) {
        let key = keys::MANAGED_ONLY;
        let Some(member) = root.member(key) else { return };
        let root = At::base("");
        let at = root.key(key);
        let Some(only) = member.value.as_bool() else { return self.no_switch(&member.value, &at, A_BOOLEAN) };
        if self.source().role == Role::Requirements {
            self.parsed.switches.push(Switch::ManagedOnly(only));
        } else {
            let message = format!("`{key}` does nothing outside managed requirements");
            let found = Diagnostic::new(&codes::SWITCH_IGNORED, Reach::None, message);
            self.soft.push(found.at(member.key_range.clone()).pointer(at.pointer()).silent());
        }
    }

    /// A switch that is none. What the client makes of it is not known; here it switches nothing, and its writer is told.
    fn no_switch(&mut self, node: &Node, at: &At<'_>, wanted: &str) {
        let message = format!("this is {}; Codex wants {wanted}", node.phrase());
        let mut found = Diagnostic::new(&codes::SWITCH_WRONG_TYPE, Reach::None, message);
        if let Some(meant) = values::meant_bool(node).filter(|_| wanted == A_BOOLEAN) {
            found =
                found.edit(node.range.clone(), meant.to_string()).changes("the switch counts, which it did not before");
        }
        self.soft.push(found.at(node.range.clone()).pointer(at.pointer()));
    }

    /// A switch in the same document turns off what stands in it, unless [`rule`] finds that another one overrules it.
    fn switch_off(&mut self) {
        if self.parsed.switches.contains(&Switch::Feature(false)) {
            for definition in self.parsed.definitions.iter_mut().filter(|definition| definition.state == State::Live) {
                definition.state = State::Disabled(FEATURE_OFF.to_owned());
            }
        }
    }

    fn definition(&self, entry: Entry) -> Definition {
        let Entry { source, event, place, range, matcher, compiled, handler, skipped } = entry;
        let mut definition = blank(event, source, place);
        definition.range = range;
        // An event that ignores matchers has none, whatever is written.
        definition.matcher_text = matcher.filter(|_| event.facts.subject != SubjectFact::Ignored);
        definition.matcher = compiled;
        definition.state = skipped.map_or(State::Live, State::Inert);
        match handler {
            Written::Command { command, windows, asynchronous, timeout, status_message, context_limit } => {
                let background = asynchronous && event.asynchronous.at(self.version) == Some(AsyncRule::Background);
                definition.handler = Handler::Command(CommandHandler {
                    command,
                    windows,
                    args: None,
                    shell: Shell::Default,
                    background: if background { Background::Async } else { Background::No },
                });
                definition.timeout = Duration::from_secs(event.clamp(timeout));
                definition.status_message = status_message;
                definition.context_limit = context_limit.filter(|_| event.context_limit);
            }
            Written::McpTool { server, tool, input, timeout, status_message } => {
                let mut text = String::new();
                write_json(&input, Style::default(), &mut text);
                let input = RawJson::parse(&text).unwrap_or_else(|_| RawJson::null());
                definition.handler = Handler::McpTool(McpToolHandler { server, tool, input });
                definition.timeout = Duration::from_secs(event.clamp(timeout));
                definition.status_message = status_message;
            }
            Written::Prompt(prompt) => {
                definition.handler = Handler::Prompt(PromptHandler { prompt, ..PromptHandler::default() });
            }
            Written::Agent(prompt) => {
                definition.handler = Handler::Agent(PromptHandler { prompt, ..PromptHandler::default() });
            }
        }
        definition
    }
}

/// A command definition with the vendor's defaults and nothing else.
pub(crate) fn blank(event: &'static Event, source: Arc<Source>, place: Place) -> Definition {
    Definition {
        id: BindingId::of(&source, &place),
        vendor: VENDOR,
        source,
        place,
        range: 0..0,
        boundary: event.facts.boundary,
        facet: event.facts.facet,
        handler: Handler::Command(CommandHandler::default()),
        matcher_text: None,
        matcher: Matcher::All,
        condition: None,
        timeout: Duration::from_secs(event.timeout.default_s),
        // There is no fail-closed setting; a host that wants one sets it itself (section 2).
        failure: FailurePolicy::Open,
        // Hooks may make a turn go on as often as they like (section 11.5).
        loop_limit: event.facts.channels.contains(Channel::Continuation).then_some(LoopLimit::Unlimited),
        context_limit: None,
        channels: event.facts.channels,
        once: false,
        status_message: None,
        dedup_key: None,
        state: State::Live,
    }
}
