//! One handler entry: its type, the fields of that type, and what follows from them (hooks page, handler
//! fields).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use hooks_core::definition::{Definition, FailurePolicy, Place, State};
use hooks_core::diagnostic::{Code, Diagnostic, Reach};
use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::handler::{
    Background, CommandHandler, Handler, HandlerKind, HttpHandler, McpToolHandler, PromptHandler, Shell,
};
use hooks_core::json::RawJson;
use hooks_core::lint::values::quoted;
use hooks_core::source::{Life, Origin, Source};
use hooks_core::vendor::Version;
use serde_json::Value;

use super::hooks::Group;
use super::keys::{self, Key, Kind};
use super::meant::Meant;
use super::reader::Reader;
use super::{advice, edits};
use crate::events::{ALL_TYPES, Event, ON_FAILURE, TOOL_ON_FAILURE};
use crate::{codes, invoke};

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
        self.mended(code, message, at, pointer, |_, found| found);
    }

    /// A fault, with what mends it.
    fn mended(
        &mut self,
        code: &'static Code,
        message: String,
        at: Range<usize>,
        pointer: &str,
        mend: impl FnOnce(&Reader, Diagnostic) -> Diagnostic,
    ) {
        self.wrong.get_or_insert_with(|| message.clone());
        if self.group.event.is_some() {
            let found = self.reader.faulty(self.group.event, code, Reach::Entry, message, at, pointer);
            let found = mend(self.reader, found);
            self.reader.report(found);
        }
    }

    /// A field whose value is not what it must be.
    fn wrong_type(&mut self, key: &Key, member: &Member) {
        let node = &member.value;
        let message = format!("`{}` is {}, not {}", key.name, node.phrase(), key.kind.phrase());
        let pointer = pointer_to(self.pointer, key.name);
        let free = self.object.get(keys::ARGS.name).is_none();
        self.mended(&codes::WRONG_TYPE, message, node.range.clone(), &pointer, |reader, found| {
            let parts = node.as_array().unwrap_or_default();
            let texts = parts.len() > 1 && parts.iter().all(|part| part.as_str().is_some());
            match (parts.first(), parts.get(1..)) {
                // A command as a list is a program with its arguments.
                (Some(program), Some([second, .., last] | [second @ last]))
                    if texts && free && key.name == keys::COMMAND.name =>
                {
                    let args = reader.raw(&(second.range.start..last.range.end));
                    let text = format!("{}, \"args\": [{args}]", reader.raw(&program.range));
                    let found = found.help("Write the program as `command` and the rest as `args`.");
                    if reader.is_json() { found.edit(node.range.clone(), text).changes(edits::LOADS) } else { found }
                }
                _ => reader.retyped(found, key, member),
            }
        });
    }

    /// A field's value, whatever it is.
    fn node(&self, key: &Key) -> Option<&'o Node> {
        self.object.get(key.name)
    }

    /// The key that was probably meant to be another one, which is missing.
    fn near_key(&self, key: &Key) -> Option<&'o Member> {
        let unknown = |member: &&Member| !keys::HANDLER.iter().any(|known| known.name == member.key);
        let mut near =
            self.object.members.iter().filter(unknown).filter(|member| edits::meant(&member.key, [key.name]).is_some());
        near.next()
    }

    /// A field's value, if it is of the field's kind; reported if it is not, and if it must be there and is not.
    fn value(&mut self, key: &Key) -> Option<&'o Node> {
        let Some(member) = self.object.member(key.name) else {
            if key.required {
                let what = self.kind.map_or("a handler".to_owned(), |kind| format!("a {} handler", kind.as_str()));
                let message = format!("{what} has no `{}`", key.name);
                let near = self.near_key(key);
                let is_command = key.name == keys::TYPE.name && self.node(&keys::COMMAND).is_some();
                let inside = self.range.start + 1;
                self.mended(
                    &codes::MISSING_FIELD,
                    message,
                    self.range.clone(),
                    self.pointer,
                    |reader, found| match near {
                        Some(near) => found
                            .help(format!("Write `{}` in place of `{}`.", key.name, near.key))
                            .related("this is probably meant", near.key_range.clone())
                            .edit(near.key_range.clone(), quoted(key.name))
                            .changes(edits::LOADS),
                        None if is_command && reader.is_json() => {
                            found.edit(inside..inside, "\"type\": \"command\", ").changes(edits::LOADS)
                        }
                        None => found,
                    },
                );
            }
            return None;
        };
        if !key.kind.fits(&member.value) {
            self.wrong_type(key, member);
            return None;
        }
        Some(&member.value)
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
            let pointer = pointer_to(self.pointer, key.name);
            let at = node.range.clone();
            self.mended(&codes::UNKNOWN_VALUE, message, at.clone(), &pointer, |_, found| {
                edits::suggest(found, at, edits::meant(text, known))
            });
        }
        Some(text)
    }

    /// Its type, and whether that is written as the client knows it. One that is plainly meant is assumed: what else is
    /// wrong is told in the same run.
    fn read_kind(&mut self) -> Option<(HandlerKind, bool)> {
        let Some(node) = self.value(&keys::TYPE) else {
            let is_missing = self.node(&keys::TYPE).is_none();
            let is_command = is_missing && self.node(&keys::COMMAND).is_some_and(|node| node.as_str().is_some());
            return is_command.then_some((Command, false));
        };
        let word = node.as_str()?;
        let of = |word: &str| ALL_TYPES.iter().copied().find(|kind| kind.as_str() == word);
        if let Some(kind) = of(word) {
            return Some((kind, true));
        }
        let message = format!("`{word}` is no type of handler");
        let pointer = pointer_to(self.pointer, keys::TYPE.name);
        let at = node.range.clone();
        let meant = edits::meant(word, ALL_TYPES.iter().map(|kind| kind.as_str()));
        let code = &codes::UNKNOWN_HANDLER_TYPE;
        self.mended(code, message, at.clone(), &pointer, |_, found| edits::suggest(found, at, meant));
        meant.filter(|(_, alone)| *alone).and_then(|(word, _)| of(word)).map(|kind| (kind, false))
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
                    if self.group.event.is_some() {
                        let message = "any value but `continue` reads as `block` on this type";
                        let found = Diagnostic::new(&codes::UNKNOWN_VALUE, Reach::Entry, message);
                        let found = found.edit(node.range.clone(), "\"block\"");
                        let pointer = pointer_to(self.pointer, key.name);
                        self.reader.report(found.at(node.range.clone()).pointer(pointer).silent());
                    }
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
        let timeout = self.node(&keys::TIMEOUT);
        let is_free = |key: &&&Key| key.types.contains(&kind) && self.node(key).is_none();
        let free: Vec<_> = keys::HANDLER.iter().filter(is_free).map(|key| key.name).collect();
        // A field that must be there is told of with the one that it is probably meant to be.
        let needed = |key: &&&Key| key.required && key.types.contains(&kind) && self.node(key).is_none();
        let told: Vec<_> = keys::HANDLER.iter().filter(needed).filter_map(|key| self.near_key(key)).collect();
        for member in &self.object.members {
            let is_failure = member.key == keys::ON_FAILURE.name;
            let known = has(&member.key, kind) && (!is_failure || knows_on_failure(kind, self.reader.version));
            if known || self.group.event.is_none() || told.iter().any(|near| std::ptr::eq(*near, member)) {
                continue;
            }
            let at = member.key_range.clone();
            let message = format!("a {} handler has no `{}`", kind.as_str(), member.key);
            let mut found = Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Entry, message);
            let other = keys::HANDLER.iter().find(|key| key.name == member.key);
            if let Some(told) = edits::no_slip(found.clone(), member, "handler") {
                found = told;
            } else if member.key == keys::MATCHER.name {
                found = found.help("Put `matcher` beside the group's `hooks`.");
            } else if let Some(other) = other.filter(|key| !key.types.contains(&kind)) {
                let kinds: Vec<_> = other.types.iter().map(|kind| kind.as_str()).collect();
                found = found.help(format!("`{}` is for handlers of type {}.", member.key, kinds.join(", ")));
            } else if let (Some(seconds), None) = (milliseconds(member), timeout) {
                found = found
                    .help(format!("Write `timeout`, which counts seconds: {seconds}."))
                    .edit(at.clone(), quoted(keys::TIMEOUT.name))
                    .edit(member.value.range.clone(), seconds)
                    .changes("the time limit holds, which it did not before");
            } else if other.is_none() {
                found = edits::suggest(found, at.clone(), edits::meant(&member.key, free.iter().copied()));
            }
            let pointer = pointer_to(self.pointer, &member.key);
            self.reader.report(found.at(at).pointer(pointer).silent());
        }
    }
}

/// The seconds in a member that says by its name that it counts milliseconds.
fn milliseconds(member: &Member) -> Option<String> {
    let name: String = member.key.chars().filter(char::is_ascii_alphanumeric).collect();
    let unit = name.to_ascii_lowercase();
    let unit = unit.strip_prefix("timeout")?.strip_prefix("in").unwrap_or(unit.strip_prefix("timeout")?);
    let number = member.value.as_f64().filter(|number| *number > 0.0)?;
    matches!(unit, "ms" | "msec" | "millis" | "milliseconds").then(|| (number / 1000.0).to_string())
}

/// Whether `once` means something in a document: in the head of a skill or command (hooks page, common fields).
pub(super) fn counts_once(source: &Source) -> bool {
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

/// A handler as it was meant: with its keys spelt right, and the type that is missing or nearly right. `None` where that is
/// what is written.
pub(super) fn meant(object: &Object, range: &Range<usize>) -> Option<Meant> {
    let is_other = |member: &Member| milliseconds(member).is_some();
    let spelt = Meant::of(object, keys::HANDLER.iter().map(|key| key.name), is_other);
    let now = spelt.as_ref().map_or(object, |meant| &meant.object);
    let of = |word: &str| ALL_TYPES.iter().copied().find(|kind| kind.as_str() == word);
    let typed = match now.member(keys::TYPE.name) {
        None if now.get(keys::COMMAND.name).is_some_and(|node| node.as_str().is_some()) => {
            let at = range.start..(range.start + 1).min(range.end);
            Some((Command, at.clone(), at))
        }
        Some(member) => member.value.as_str().filter(|word| of(word).is_none()).and_then(|word| {
            let (word, alone) = edits::meant(word, ALL_TYPES.iter().map(|kind| kind.as_str()))?;
            Some((of(word).filter(|_| alone)?, member.key_range.clone(), member.value.range.clone()))
        }),
        None => None,
    };
    let Some((kind, key_range, at)) = typed else { return spelt };
    let mut meant = spelt.unwrap_or_else(|| Meant { object: object.clone(), cause: at.clone(), names: Vec::new() });
    let value = Node { value: hooks_core::document::Value::String(kind.as_str().to_owned()), range: at };
    meant.object.members.retain(|member| member.key != keys::TYPE.name);
    meant.object.members.push(Member { key: keys::TYPE.name.to_owned(), key_range, value });
    Some(meant)
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
    let (kind, is_known) = entry.read_kind()?;
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
    let Entry { range, wrong, .. } = entry;
    if let Some(event) = group.event {
        reader.repeated_keys(object, None, pointer, |_| true);
        let asked = advice::Asked {
            event,
            group,
            object,
            pointer,
            handler: &handler,
            condition: condition.as_deref(),
            timeout,
            failure,
            once,
        };
        advice::advise(reader, &asked);
    }
    if !is_known {
        return None;
    }
    let source = std::sync::Arc::clone(&reader.parsed.source);
    let mut definition = super::definition(&source, group.fired_on(), place, range, handler);
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
