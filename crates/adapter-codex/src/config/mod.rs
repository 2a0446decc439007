//! Documents to definitions (sections 3 to 6): `hooks.json`, `[hooks]` in `config.toml`, managed `requirements.toml`
//! and the inline hooks of a plugin's manifest.
//!
//! Strictness is uneven and kept so: the root of `hooks.json` is strict; the event map, groups and handlers ignore what
//! they do not know; any wrong type of a known key drops the whole file; some handlers are skipped one by one.

pub(crate) mod at;
pub(crate) mod entry;
mod hooks;
pub mod keys;
mod toml_tree;

#[cfg(feature = "schema")]
pub(crate) use hooks::HANDLER_MARKS;

use std::sync::Arc;
use std::time::Duration;

use hooks_core::adapter::{Parsed, Rulings, Switch, TrustRecord};
use hooks_core::channel::Channel;
use hooks_core::diagnostic::{Diagnostic, Reach, Severity};
use hooks_core::document::{JsonRules, Node, Object, SyntaxError, Value, parse_json};
use hooks_core::facts::SubjectFact;
use hooks_core::handler::{Background, CommandHandler, McpToolHandler, PromptHandler, Shell};
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::{BindingId, Definition, FailurePolicy, Handler, LoopLimit, Matcher, Place, RawJson, State, Version};

use crate::events::{AsyncRule, Event, Guard, VENDOR, changed};
use crate::{codes, locations};
use at::At;
use entry::{Entry, Style, Written, write_json};
use keys::Key;

const FEATURE_OFF: &str = "the hooks feature is off";

/// Reads one document.
pub(crate) fn parse(version: Version, source: &Arc<Source>) -> Parsed {
    let (mut reader, entries) = read(version, source);
    reader.parsed.definitions = entries.into_iter().map(|entry| reader.definition(entry)).collect();
    reader.switch_off();
    let Reader { mut parsed, fatal, soft, .. } = reader;
    parsed.rejected = !fatal.is_empty();
    if parsed.rejected {
        for definition in &mut parsed.definitions {
            definition.state = State::Inert("Codex drops its whole file".to_owned());
        }
        parsed.trust.clear();
        parsed.switches.clear();
    }
    for diagnostic in if parsed.rejected { fatal } else { soft } {
        parsed.report(diagnostic);
    }
    parsed
}

/// The handler entries of a document that a trust record can be about; none of a file that is dropped.
pub(crate) fn entries(version: Version, source: &Arc<Source>) -> Vec<Entry> {
    let (reader, entries) = read(version, source);
    if reader.fatal.is_empty() { entries } else { Vec::new() }
}

fn read(version: Version, source: &Arc<Source>) -> (Reader, Vec<Entry>) {
    let mut reader = Reader {
        version,
        parsed: Parsed::empty(Arc::clone(source)),
        part: Arc::clone(source),
        fatal: Vec::new(),
        soft: Vec::new(),
    };
    let tree = match source.syntax {
        Syntax::Json => parse_json(&source.bytes, JsonRules::default()).map_err(|error| (&codes::NOT_JSON, error)),
        Syntax::Toml => toml_tree::parse(&source.bytes).map_err(|error| (&codes::NOT_TOML, error)),
        _ => {
            let message = "Codex reads hooks from JSON and TOML only";
            reader.fatal.push(Diagnostic::new(&codes::NOT_JSON, Reach::File, message).pointer(""));
            return (reader, Vec::new());
        }
    };
    let entries = match tree {
        Ok(root) => reader.document(&root),
        Err((code, SyntaxError { message, range, .. })) => {
            let reach = reader.file_reach();
            reader.fatal.push(Diagnostic::new(code, reach, message).at(range).pointer(""));
            Vec::new()
        }
    };
    (reader, entries)
}

/// A document while it is read.
struct Reader {
    version: Version,
    parsed: Parsed,
    /// What the entries that are being read stand in: the document, or one inline object of a plugin's manifest.
    part: Arc<Source>,
    /// Faults that drop the file.
    fatal: Vec<Diagnostic>,
    /// Everything else there is to say.
    soft: Vec<Diagnostic>,
}

impl Event {
    /// Whether the event can keep something from happening: what is skipped there is reported as an error.
    pub(crate) fn guards(&self) -> bool {
        self.guard != Guard::None
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
        let known = |name: &str| keys::ROOT.iter().any(|key| key.name == name && key.is_known(self.version));
        let describes = known(keys::DESCRIPTION);
        for member in &object.members {
            if !known(&member.key) {
                let message = format!("`{}` may not stand at the root", member.key);
                let mut found = Diagnostic::new(&codes::UNKNOWN_ROOT_KEY, self.file_reach(), message)
                    .at(member.key_range.clone())
                    .pointer(base.key(&member.key).pointer());
                if let Some(event) = hooks::event_like(&member.key, self.version) {
                    found = found.help(format!("Put it into `hooks`: {{\"hooks\": {{\"{event}\": [...]}}}}."));
                }
                self.fatal.push(found);
            }
        }
        for key in [keys::HOOKS, keys::DESCRIPTION] {
            self.refuse_twice(object, key, base);
        }
        if let Some(description) = object.get(keys::DESCRIPTION).filter(|_| describes) {
            self.optional_text(Some(description), &base.key(keys::DESCRIPTION));
        }
        match object.get(keys::HOOKS) {
            Some(hooks) => self.hooks(hooks, &base.key(keys::HOOKS)),
            None => Vec::new(),
        }
    }

    /// A plugin's manifest: its `hooks` may hold inline objects of the shape of `hooks.json` (section 7). Paths in it
    /// are for whoever looks for documents.
    fn manifest(&mut self, root: &Node) -> Vec<Entry> {
        let Some(hooks) = root.as_object().and_then(|object| object.get(keys::HOOKS)) else { return Vec::new() };
        match &hooks.value {
            Value::Object(_) => self.inline(hooks, 0, &At::base("/hooks")),
            Value::Array(items) => {
                let mut entries = Vec::new();
                for (at, item) in items.iter().enumerate().filter(|(_, item)| item.as_object().is_some()) {
                    entries.extend(self.inline(item, at, &At::base("/hooks").index(at)));
                }
                entries
            }
            _ => Vec::new(),
        }
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
                self.no_switch(&member.value, &at, "a boolean");
                continue;
            };
            if std::mem::replace(&mut set, true) {
                continue;
            }
            self.parsed.switches.push(Switch::Feature(on));
            if !on {
                let message = format!("`features.{}` is off: no hook runs, of whatever file", key.name);
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
        let Some(only) = member.value.as_bool() else { return self.no_switch(&member.value, &at, "a boolean") };
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
        let found = Diagnostic::new(&codes::SWITCH_WRONG_TYPE, Reach::None, message);
        self.soft.push(found.at(node.range.clone()).pointer(at.pointer()));
    }

    /// Trust records beside the events (section 6).
    fn trust_records(&mut self, state: &Node, at: &At<'_>) {
        let reads = matches!(self.source().origin, Origin::User | Origin::SessionFlags);
        if !reads {
            let message = "trust records in this file are not read";
            let found = Diagnostic::new(&codes::TRUST_RECORD_IGNORED, Reach::None, message);
            self.soft.push(found.at(state.range.clone()).pointer(at.pointer()).silent());
            return;
        }
        // The client checks the user's file as a whole; of session flags only the faulty record is skipped (sections 3.2
        // and 6).
        let faults = self.fatal.len();
        self.records(state, at);
        if self.source().origin != Origin::User {
            for fault in self.fatal.drain(faults..) {
                let mut found = Diagnostic::new(&codes::TRUST_RECORD_SKIPPED, Reach::None, fault.message);
                found.range = fault.range;
                found.pointer = fault.pointer;
                self.soft.push(found.silent());
            }
        }
    }

    fn records(&mut self, state: &Node, at: &At<'_>) {
        let Some(records) = state.as_object() else { return self.wrong_type(state, at, "a table") };
        for record in &records.members {
            let at = at.key(&record.key);
            let faults = self.fatal.len();
            let Some(fields) = record.value.as_object() else {
                self.wrong_type(&record.value, &at, "a table");
                continue;
            };
            let enabled = fields.get(keys::ENABLED);
            if let Some(enabled) = enabled.filter(|node| node.as_bool().is_none()) {
                self.wrong_type(enabled, &at.key(keys::ENABLED), "a boolean");
            }
            self.optional_text(fields.get(keys::TRUSTED_CONTENT_HASH), &at.key(keys::TRUSTED_CONTENT_HASH));
            let trusted_hash = self.optional_text(fields.get(keys::TRUSTED_HASH), &at.key(keys::TRUSTED_HASH));
            if self.fatal.len() > faults {
                continue;
            }
            self.parsed.trust.push(TrustRecord {
                key: record.key.clone(),
                enabled: enabled.and_then(Node::as_bool),
                trusted_hash,
            });
        }
    }

    /// A switch in the same document turns off what stands in it, unless [`rule`] finds that another one overrules it.
    fn switch_off(&mut self) {
        if self.parsed.switches.contains(&Switch::Feature(false)) {
            for definition in self.parsed.definitions.iter_mut().filter(|definition| definition.state == State::Live) {
                definition.state = State::Disabled(FEATURE_OFF.to_owned());
            }
        }
    }

    fn wrong_type(&mut self, node: &Node, at: &At<'_>, wanted: &str) {
        let message = format!("this is {}; Codex wants {wanted}", node.phrase());
        let reach = self.file_reach();
        let found = Diagnostic::new(&codes::WRONG_TYPE, reach, message);
        self.fatal.push(found.at(node.range.clone()).pointer(at.pointer()));
    }

    /// A text that may be left out or be null.
    fn optional_text(&mut self, node: Option<&Node>, at: &At<'_>) -> Option<String> {
        let node = node.filter(|node| !node.is_null())?;
        let text = node.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(node, at, "a string");
        }
        text
    }

    /// A whole number that may be left out or be null.
    fn optional_number(&mut self, node: Option<&Node>, at: &At<'_>) -> Option<u64> {
        let node = node.filter(|node| !node.is_null())?;
        let number = node.as_u64();
        if number.is_none() {
            self.wrong_type(node, at, "a whole number that is not negative");
        }
        number
    }

    /// Keys that the client reads may stand once only.
    fn refuse_repeated(&mut self, object: &Object, known: &[Key], base: &At<'_>) {
        let members = &object.members;
        // Comparing each with each is quickest for the few keys that people write.
        let repeated = if members.len() > 16 {
            !object.repeated().is_empty()
        } else {
            let earlier = |at: usize, key: &str| members.iter().take(at).any(|member| member.key == key);
            members.iter().enumerate().any(|(at, member)| earlier(at, &member.key))
        };
        if repeated {
            let version = self.version;
            let known = known.iter().filter(|key| key.is_known(version)).flat_map(Key::spellings);
            known.for_each(|name| self.refuse_twice(object, name, base));
        }
    }

    /// A key that the client reads may stand once only.
    fn refuse_twice(&mut self, object: &Object, key: &str, base: &At<'_>) {
        let mut members = object.members.iter().filter(|member| member.key == key);
        let (Some(first), Some(second)) = (members.next(), members.next()) else { return };
        let message = format!("`{key}` stands twice");
        let reach = self.file_reach();
        self.fatal.push(
            Diagnostic::new(&codes::DUPLICATE_KEY, reach, message)
                .at(second.key_range.clone())
                .pointer(base.key(key).pointer())
                .related("the first one", first.key_range.clone()),
        );
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

/// What is to be told of documents side by side: a layer with hooks in both its files (section 4).
pub(crate) fn across(documents: &[Parsed]) -> Vec<Diagnostic> {
    let has_hooks = |document: &&Parsed| !document.rejected && !document.definitions.is_empty();
    let of = |syntax| documents.iter().filter(has_hooks).filter(move |document| document.source.syntax == syntax);
    let mut found = Vec::new();
    for json in of(Syntax::Json).filter(|document| document.source.origin != Origin::Plugin) {
        let (source, folder) = (&json.source, json.source.folder());
        for toml in of(Syntax::Toml) {
            if toml.source.origin == source.origin && toml.source.role == source.role && toml.source.folder() == folder
            {
                let message = format!("{} and {} both have hooks; all of them run", source.path, toml.source.path);
                let mut both = Diagnostic::new(&codes::TWO_DOCUMENTS_IN_ONE_LAYER, Reach::None, message);
                both.path.clone_from(&toml.source.path);
                found.push(both);
            }
        }
    }
    found
}

/// What the switches of all documents come to (sections 4 and 5); documents stand in precedence order.
pub(crate) fn rule(version: Version, documents: &[Parsed]) -> Rulings {
    let feature = |document: &Parsed| {
        document.switches.iter().find_map(|switch| match switch {
            Switch::Feature(on) => Some(*on),
            _ => None,
        })
    };
    let is_requirements = |document: &&Parsed| document.source.role == Role::Requirements;
    let pinned = documents.iter().filter(is_requirements).find_map(feature);
    let set = documents.iter().rev().filter(|document| !is_requirements(document)).find_map(feature);
    if pinned.or(set) == Some(false) {
        return Rulings { states: vec![Some(State::Disabled(FEATURE_OFF.to_owned())); documents.len()], refuse: None };
    }
    let refuse = documents
        .iter()
        .filter(is_requirements)
        .flat_map(|document| &document.diagnostics)
        .find(|diagnostic| diagnostic.reach == Reach::Session && diagnostic.severity == Severity::Error)
        .filter(|_| changed::REQUIREMENTS_REFUSE.at(version) == Some(true))
        .map(|diagnostic| format!("managed hooks could not be loaded: {}", diagnostic.message));
    let managed_only = documents.iter().any(|document| document.switches.contains(&Switch::ManagedOnly(true)));
    let states = documents.iter().map(|document| {
        if managed_only && !locations::is_managed(&document.source) {
            return Some(State::Disabled("only managed hooks run".to_owned()));
        }
        // The feature is on after all, whatever a switch in the document itself says.
        (feature(document) == Some(false)).then_some(State::Live)
    });
    Rulings { states: states.collect(), refuse }
}
