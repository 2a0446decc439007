//! One handler entry: its type, the fields of that type, and what follows from them (hooks page, handler
//! fields).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use hooks_core::definition::{Definition, FailurePolicy, Place, State};
use hooks_core::diagnostic::{Code, Diagnostic, Reach};
use hooks_core::document::{Node, Object, pointer_to};
use hooks_core::handler::{
    Background, CommandHandler, Handler, HandlerKind, HttpHandler, McpToolHandler, PromptHandler, Shell,
};
use hooks_core::json::RawJson;
use hooks_core::source::{Life, Origin, Source};
use hooks_core::vendor::Version;
use serde_json::Value;

use super::keys::{self, Key, Kind};
use super::reader::{Group, Reader};
use crate::events::{ALL_TYPES, Event, ON_FAILURE, OPTION_NEEDS_ARGS, OnFailure, TOOL_ON_FAILURE};
use crate::matcher::condition::Rule;
use crate::{codes, invoke, locations};

use HandlerKind::{Command, Http, McpTool, Prompt};

/// An entry being read.
struct Entry<'a, 'o> {
    reader: &'a mut Reader,
    group: &'a Group,
    object: &'o Object,
    range: Range<usize>,
    pointer: &'a str,
    /// Its type, once that is read.
    kind: Option<HandlerKind>,
    /// The first thing wrong with it.
    wrong: Option<String>,
}

impl<'o> Entry<'_, 'o> {
    fn fault(&mut self, code: &'static Code, message: String, at: Range<usize>, pointer: &str) {
        self.wrong.get_or_insert_with(|| message.clone());
        if self.group.event.is_some() {
            self.reader.fault(self.group.event, code, Reach::Entry, message, at, pointer);
        }
    }

    /// A field whose value is not what it must be.
    fn wrong_type(&mut self, key: &Key, node: &Node) {
        let message = format!("`{}` is {}, not {}", key.name, node.phrase(), key.kind.phrase());
        self.fault(&codes::WRONG_TYPE, message, node.range.clone(), &pointer_to(self.pointer, key.name));
    }

    /// Something the client says nothing about.
    fn silent(&mut self, key: &Key, node: &Node, code: &'static Code, message: String) {
        if self.group.event.is_some() {
            let pointer = pointer_to(self.pointer, key.name);
            self.reader
                .report(Diagnostic::new(code, Reach::Entry, message).at(node.range.clone()).pointer(pointer).silent());
        }
    }

    /// A field's value, whatever it is.
    fn node(&self, key: &Key) -> Option<&'o Node> {
        self.object.get(key.name)
    }

    /// A field's value, if it is of the field's kind; reported if it is not, and if it must be there and is not.
    fn value(&mut self, key: &Key) -> Option<&'o Node> {
        let Some(node) = self.node(key) else {
            if key.required {
                let what = self.kind.map_or("a handler".to_owned(), |kind| format!("a {} handler", kind.as_str()));
                let message = format!("{what} has no `{}`", key.name);
                self.fault(&codes::MISSING_FIELD, message, self.range.clone(), self.pointer);
            }
            return None;
        };
        if !key.kind.fits(node) {
            self.wrong_type(key, node);
            return None;
        }
        Some(node)
    }

    fn text(&mut self, key: &Key) -> Option<String> {
        self.value(key).and_then(Node::as_str).map(str::to_owned)
    }

    fn flag(&mut self, key: &Key) -> bool {
        self.value(key).and_then(Node::as_bool).unwrap_or_default()
    }

    fn texts(&mut self, key: &Key) -> Option<Vec<String>> {
        let items = self.value(key)?.as_array()?;
        Some(items.iter().filter_map(Node::as_str).map(str::to_owned).collect())
    }

    /// One of the field's words.
    fn word(&mut self, key: &Key) -> Option<&'o str> {
        let node = self.value(key)?;
        let text = node.as_str()?;
        let Kind::Word(words) = key.kind else { return Some(text) };
        if !words.iter().any(|known| known.word == text) {
            let known: Vec<_> = words.iter().map(|known| known.word).collect();
            let message = format!("`{}` is `{text}`, which is none of {}", key.name, known.join(", "));
            self.fault(&codes::UNKNOWN_VALUE, message, node.range.clone(), &pointer_to(self.pointer, key.name));
        }
        Some(text)
    }

    fn read_kind(&mut self) -> Option<HandlerKind> {
        let node = self.value(&keys::TYPE)?;
        let word = node.as_str()?;
        let kind = ALL_TYPES.iter().copied().find(|kind| kind.as_str() == word);
        if kind.is_none() {
            let message = format!("`{word}` is no type of handler");
            let pointer = pointer_to(self.pointer, keys::TYPE.name);
            self.fault(&codes::UNKNOWN_HANDLER_TYPE, message, node.range.clone(), &pointer);
        }
        kind
    }

    fn timeout(&mut self) -> Option<f64> {
        let node = self.value(&keys::TIMEOUT)?;
        let text = node.as_number()?;
        let seconds: f64 = text.parse().unwrap_or(f64::NAN);
        if seconds.is_nan() || seconds <= 0.0 {
            let message = format!("`timeout` is {text}, which is not above zero");
            let pointer = pointer_to(self.pointer, keys::TIMEOUT.name);
            self.fault(&codes::TIMEOUT_NOT_POSITIVE, message, node.range.clone(), &pointer);
            return None;
        }
        if (1_000.0..=3_600_000.0).contains(&seconds) && seconds % 1_000.0 == 0.0 {
            let message = format!("`timeout` counts seconds, so {text} is about {:.1} hours", seconds / 3_600.0);
            self.silent(&keys::TIMEOUT, node, &codes::TIMEOUT_IN_MILLISECONDS, message);
        }
        Some(seconds)
    }

    fn on_failure(&mut self, kind: HandlerKind) -> FailurePolicy {
        let key = &keys::ON_FAILURE;
        let Some(node) = self.node(key) else { return FailurePolicy::Open };
        if !knows_on_failure(kind, self.reader.version) || !key.types.contains(&kind) {
            return FailurePolicy::Open;
        }
        if kind == McpTool {
            // Any other value reads as the stricter word on this type (case L029).
            return match node.as_str() {
                Some("continue") => FailurePolicy::Open,
                Some("block") => FailurePolicy::Closed,
                _ => {
                    let message = "any value but `continue` reads as `block` on this type".to_owned();
                    self.silent(key, node, &codes::UNKNOWN_VALUE, message);
                    FailurePolicy::Closed
                }
            };
        }
        match self.word(key) {
            Some("block") => FailurePolicy::Closed,
            _ => FailurePolicy::Open,
        }
    }

    fn unknown_keys(&mut self, kind: HandlerKind) {
        for member in &self.object.members {
            let is_failure = member.key == keys::ON_FAILURE.name;
            let known = has(&member.key, kind) && (!is_failure || knows_on_failure(kind, self.reader.version));
            if known || self.group.event.is_none() {
                continue;
            }
            let pointer = pointer_to(self.pointer, &member.key);
            let message = format!("a {} handler has no `{}`", kind.as_str(), member.key);
            let mut diagnostic = Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Entry, message);
            let meant = keys::HANDLER.iter().map(|key| (key.name, key.types)).find(|(field, kinds)| {
                field.eq_ignore_ascii_case(&member.key) && *field != member.key && kinds.contains(&kind)
            });
            if let Some((meant, _)) = meant {
                diagnostic =
                    diagnostic.help(format!("Write `{meant}`.")).edit(member.key_range.clone(), format!("\"{meant}\""));
            }
            self.reader.report(diagnostic.at(member.key_range.clone()).pointer(pointer).silent());
        }
    }
}

/// Whether `once` means something in a document: in the head of a skill or command (hooks page, common fields).
fn counts_once(source: &Source) -> bool {
    source.origin == Origin::Frontmatter && !matches!(source.life, Life::Agent(_))
}

/// Whether a client heeds `onFailure` on a type of handler.
fn knows_on_failure(kind: HandlerKind, version: Version) -> bool {
    let since = if kind == McpTool { TOOL_ON_FAILURE } else { ON_FAILURE };
    since.at(version) == Some(true)
}

/// Whether a type of handler has a field.
fn has(field: &str, kind: HandlerKind) -> bool {
    keys::HANDLER.iter().any(|key| key.name == field && key.types.contains(&kind))
}

/// Reads a handler. A faulty one of a known type comes back inert; one of an unknown type not at all.
pub(super) fn read(
    reader: &mut Reader,
    group: &Group,
    place: Place,
    object: &Object,
    range: Range<usize>,
    pointer: &str,
) -> Option<Definition> {
    let mut entry = Entry { reader, group, object, range, pointer, kind: None, wrong: None };
    let kind = entry.read_kind()?;
    entry.kind = Some(kind);
    let handler = match kind {
        Command => Handler::Command(command(&mut entry)),
        Http => Handler::Http(HttpHandler {
            url: entry.text(&keys::URL).unwrap_or_default(),
            headers: headers(&mut entry),
            allowed_env: entry.texts(&keys::ALLOWED_ENV_VARS).unwrap_or_default(),
        }),
        McpTool => Handler::McpTool(McpToolHandler {
            server: entry.text(&keys::SERVER).unwrap_or_default(),
            tool: entry.text(&keys::TOOL).unwrap_or_default(),
            input: tool_input(&mut entry),
        }),
        _ => {
            let prompt = PromptHandler {
                prompt: entry.text(&keys::PROMPT).unwrap_or_default(),
                model: entry.text(&keys::MODEL),
                continue_on_block: kind == Prompt && entry.flag(&keys::CONTINUE_ON_BLOCK),
            };
            if kind == Prompt { Handler::Prompt(prompt) } else { Handler::Agent(prompt) }
        }
    };
    let condition = entry.text(&keys::IF);
    let timeout = entry.timeout();
    let status_message = entry.text(&keys::STATUS_MESSAGE);
    let once = entry.flag(&keys::ONCE);
    let failure = entry.on_failure(kind);
    entry.unknown_keys(kind);
    advise(&mut entry, kind, &handler, condition.as_deref(), failure, once);

    let Entry { range, wrong, .. } = entry;
    let source = std::sync::Arc::clone(&reader.parsed.source);
    let mut definition = super::definition(&source, group.event, place, range, handler);
    definition.matcher_text.clone_from(&group.matcher_text);
    definition.matcher = group.matcher.clone();
    if let Some(seconds) = timeout {
        definition.timeout = invoke::seconds(limited(group.event, &definition, seconds));
    }
    definition.failure = failure;
    definition.once = once && counts_once(&source);
    definition.status_message = status_message;
    definition.dedup_key = Some(dedup_key(&definition, condition.as_deref()));
    definition.condition = condition;
    if let Some(wrong) = wrong {
        definition.state = State::Inert(wrong);
    }
    Some(definition)
}

fn command(entry: &mut Entry<'_, '_>) -> CommandHandler {
    let command = entry.text(&keys::COMMAND).unwrap_or_default();
    let args = entry.texts(&keys::ARGS);
    let shell = match entry.word(&keys::SHELL) {
        Some("bash") => Shell::Bash,
        Some("powershell") => Shell::PowerShell,
        _ => Shell::Default,
    };
    let (background, wakes) = (entry.flag(&keys::ASYNC), entry.flag(&keys::ASYNC_REWAKE));
    let background = match (background, wakes) {
        (_, true) => Background::AsyncRewake,
        (true, false) => Background::Async,
        (false, false) => Background::No,
    };
    CommandHandler { command, windows: None, args, shell, background }
}

fn headers(entry: &mut Entry<'_, '_>) -> BTreeMap<String, String> {
    let object = entry.value(&keys::HEADERS).and_then(Node::as_object);
    let members = object.into_iter().flat_map(|object| &object.members);
    members.filter_map(|member| Some((member.key.clone(), member.value.as_str()?.to_owned()))).collect()
}

fn tool_input(entry: &mut Entry<'_, '_>) -> RawJson {
    match entry.value(&keys::INPUT) {
        Some(node) => RawJson::from(&Value::from(node)),
        None => RawJson::from(&Value::Object(serde_json::Map::new())),
    }
}

/// What loads and will not do what it looks like.
fn advise(
    entry: &mut Entry<'_, '_>,
    kind: HandlerKind,
    handler: &Handler,
    condition: Option<&str>,
    failure: FailurePolicy,
    once: bool,
) {
    let Some(event) = entry.group.event else { return };
    let name = event.facts.name;
    if let (false, Some(node)) = (event.handlers.contains(&kind), entry.node(&keys::TYPE)) {
        let message = format!("`{name}` does not run {} handlers: it fails each time, blocking nothing", kind.as_str());
        entry.silent(&keys::TYPE, node, &codes::HANDLER_TYPE_NOT_RUN_HERE, message);
    }
    if let Handler::Command(command) = handler
        && let Some(node) = entry.node(&keys::COMMAND).filter(|node| node.as_str().is_some())
    {
        if command.command.trim().is_empty() {
            entry.silent(&keys::COMMAND, node, &codes::EMPTY_COMMAND, "the command is empty".to_owned());
        }
        let placeholders = [locations::PLUGIN_ROOT, locations::PLUGIN_DATA];
        let source = &entry.reader.parsed.source;
        let is_plugin_s = source.plugin.is_some() || source.origin == Origin::Plugin;
        if !is_plugin_s && invoke::uses(command, &placeholders) {
            let message = "a plugin's placeholder stands in a hook that belongs to no plugin".to_owned();
            entry.silent(&keys::COMMAND, node, &codes::PLUGIN_PLACEHOLDER, message);
        }
        let refused = OPTION_NEEDS_ARGS.at(entry.reader.version) == Some(true);
        if refused && command.args.is_none() && command.command.contains(invoke::OPTION) {
            let message = "a plugin option's placeholder is refused in a shell text".to_owned();
            entry.silent(&keys::COMMAND, node, &codes::OPTION_IN_SHELL, message);
        }
    }
    if let Handler::Command(command) = handler {
        if let (Some(_), Some(node)) = (&command.args, entry.node(&keys::SHELL)) {
            let message = "`shell` has no effect beside `args`: the program is started without one".to_owned();
            entry.silent(&keys::SHELL, node, &codes::NO_EFFECT_HERE, message);
        }
        if let (Background::Async, true, Some(node)) = (command.background, event.can_block(), entry.node(&keys::ASYNC))
        {
            let message = format!("a handler in the background cannot block `{name}`");
            entry.silent(&keys::ASYNC, node, &codes::ASYNC_DECIDES_NOTHING, message);
        }
    }
    let heeded = matches!(event.on_failure, OnFailure::AsExit2 | OnFailure::Denies);
    if let (FailurePolicy::Closed, false, Some(node)) = (failure, heeded, entry.node(&keys::ON_FAILURE)) {
        let message = format!("`{name}` does not heed `onFailure`");
        entry.silent(&keys::ON_FAILURE, node, &codes::NO_EFFECT_HERE, message);
    }
    if let (Some(text), Some(node)) = (condition.filter(|text| !text.trim().is_empty()), entry.node(&keys::IF)) {
        if !event.conditions {
            let message = format!("`{name}` never evaluates `if`, so this handler never runs");
            entry.silent(&keys::IF, node, &codes::CONDITION_NEVER_HOLDS, message);
        } else if Rule::parse(text).is_none() {
            let message = format!("`{text}` is no permission rule, so this handler never runs");
            entry.silent(&keys::IF, node, &codes::CONDITION_NOT_A_RULE, message);
        }
    }
    if let (true, Some(node)) = (once && !counts_once(&entry.reader.parsed.source), entry.node(&keys::ONCE)) {
        let message = "`once` has no effect outside the head of a skill".to_owned();
        entry.silent(&keys::ONCE, node, &codes::NO_EFFECT_HERE, message);
    }
}

/// The time limit a definition gets for what it asks: where all handlers of an event share one there is a longest, and
/// plugins may not ask for more (hooks page, `SessionEnd`).
fn limited(event: Option<&Event>, definition: &Definition, seconds: f64) -> f64 {
    let Some(longest) = event.and_then(|event| event.longest_s) else { return seconds };
    let plugin = definition.source.origin == Origin::Plugin || definition.source.plugin.is_some();
    seconds.min(if plugin { definition.timeout.as_secs_f64() } else { longest })
}

/// What makes two handlers the same (cases `dedupe-*`): the identity and the `if`. Settings files
/// share one space; every plugin and every frontmatter has its own. What the identity of a tool, prompt or agent handler
/// is has not been tried: everything that tells them apart counts.
fn dedup_key(definition: &Definition, condition: Option<&str>) -> String {
    let source = &definition.source;
    let space = match (&source.plugin, source.origin) {
        (Some(plugin), _) => plugin.name.as_str(),
        (None, Origin::Plugin | Origin::Frontmatter) => source.path.as_str(),
        (None, _) => "",
    };
    // Parts are told apart by their lengths, so that no text can stand for two.
    let mut key = String::with_capacity(96);
    let mut add = |part: &str| {
        let _ = write!(key, "{}:", part.len());
        key.push_str(part);
    };
    add(space);
    add(definition.handler.kind().as_str());
    match &definition.handler {
        Handler::Command(command) => {
            add(&command.command);
            for arg in command.args.iter().flatten() {
                add(arg);
            }
            add(if command.args.is_some() { "args" } else { "shell" });
        }
        Handler::Http(http) => add(&http.url),
        Handler::McpTool(tool) => [tool.server.as_str(), &tool.tool, tool.input.get()].into_iter().for_each(add),
        Handler::Prompt(prompt) | Handler::Agent(prompt) => add(&format!("{prompt:?}")),
        _ => add(definition.id.as_str()),
    }
    let _ = match condition {
        Some(condition) => write!(key, "?{condition}"),
        None => Ok(()),
    };
    key
}
