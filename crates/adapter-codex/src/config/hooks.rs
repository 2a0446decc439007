//! The event map, its groups and their handlers (sections 3.1 and 3.3): one reader for JSON and TOML.

use std::sync::Arc;

use hooks_core::Place;
use hooks_core::Version;
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::{Member, Node, Object, Value};
use hooks_core::facts::SubjectFact;
use hooks_core::matcher::PatternError;
use hooks_core::source::{Role, Syntax};

use super::Reader;
use super::at::At;
use super::entry::{Entry, Written};
use crate::codes;
use crate::events::{self, AsyncRule, Event};
use crate::keys::{self, HandlerType, Key};
use crate::{matcher, tools};

/// Keys that only a handler has: an object with one of them and no list of handlers was meant as one.
pub(crate) const HANDLER_MARKS: [&str; 2] = [keys::TYPE, keys::COMMAND];

/// The event whose name a text is but for letter case and underscores.
pub(super) fn event_like(name: &str, version: Version) -> Option<&'static str> {
    fn plain(text: &str) -> impl Iterator<Item = char> + '_ {
        text.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase())
    }
    events::facts(version).iter().map(|event| event.name).find(|event| plain(event).eq(plain(name)))
}

/// A group's matcher as written.
#[derive(Clone, Copy)]
struct Said<'a> {
    node: &'a Node,
    text: &'a str,
    at: &'a At<'a>,
}

impl Reader {
    /// The event map.
    pub(super) fn hooks(&mut self, hooks: &Node, at: &At<'_>) -> Vec<Entry> {
        let Some(map) = hooks.as_object() else {
            self.wrong_type(hooks, at, "an object of events");
            return Vec::new();
        };
        let events: Vec<&'static Event> =
            events::EVENTS.iter().filter(|event| event.facts.since <= self.version).collect();
        let in_toml = self.source().syntax == Syntax::Toml;
        let in_requirements = self.source().role == Role::Requirements;
        for member in &map.members {
            let at = at.key(&member.key);
            match member.key.as_str() {
                name if events.iter().any(|event| event.facts.name == name) => {}
                keys::STATE if in_toml => self.trust_records(&member.value, &at),
                name if in_requirements && keys::MANAGED.iter().any(|key| key.name == name) => {
                    self.optional_text(Some(&member.value), &at);
                }
                _ => self.unknown_event(member, &at),
            }
        }
        let mut entries = Vec::new();
        for event in events {
            let mut members = map.members.iter().filter(|member| member.key == event.facts.name);
            let Some(member) = members.next() else { continue };
            let at = at.key(&member.key);
            if let Some(second) = members.next() {
                let message = format!("{} stands twice", event.facts.name);
                let reach = self.file_reach();
                self.fatal.push(
                    Diagnostic::new(&codes::DUPLICATE_EVENT, reach, message)
                        .at(second.key_range.clone())
                        .pointer(at.pointer())
                        .related("the first one", member.key_range.clone()),
                );
            }
            let Some(groups) = member.value.as_array() else {
                self.wrong_type(&member.value, &at, "an array of groups");
                continue;
            };
            for (number, group) in groups.iter().enumerate() {
                self.group(event, group, number, &at.index(number), &mut entries);
            }
        }
        entries
    }

    fn unknown_event(&mut self, member: &Member, at: &At<'_>) {
        let message = format!("Codex has no event `{}`; its hooks never run", member.key);
        let mut found = Diagnostic::new(&codes::UNKNOWN_EVENT, Reach::Event, message)
            .at(member.key_range.clone())
            .pointer(at.pointer());
        if let Some(event) = event_like(&member.key, self.version) {
            found = found.help(format!("Write `{event}`.")).edit(member.key_range.clone(), format!("\"{event}\""));
        }
        self.soft.push(found.silent());
    }

    fn group(&mut self, event: &'static Event, group: &Node, number: usize, at: &At<'_>, entries: &mut Vec<Entry>) {
        let Some(fields) = group.as_object() else { return self.wrong_type(group, at, "a group") };
        self.refuse_repeated(fields, &keys::GROUP, at);
        let matcher_at = at.key(keys::MATCHER);
        let matcher_node = fields.get(keys::MATCHER).filter(|node| !node.is_null());
        let matcher = self.optional_text(matcher_node, &matcher_at);
        let is_handler = fields.get(keys::HOOKS).is_none() && HANDLER_MARKS.iter().any(|key| fields.get(key).is_some());
        if is_handler {
            let message = format!("a handler stands where a group of {} belongs; it never runs", event.facts.name);
            let found = Diagnostic::new(&codes::HANDLER_IN_PLACE_OF_GROUP, Reach::Group, message);
            self.soft.push(found.at(group.range.clone()).pointer(at.pointer()).silent());
        } else {
            self.unknown_fields(fields, &keys::GROUP, None, at, "a group");
        }
        let handlers: &[Node] = match fields.get(keys::HOOKS) {
            None => &[],
            Some(node) => match &node.value {
                Value::Array(handlers) => handlers,
                _ => return self.wrong_type(node, &at.key(keys::HOOKS), "an array of handlers"),
            },
        };
        let (compiled, error) = matcher::compile(Some(&event.facts), matcher.as_deref());
        let skipped = match (matcher_node, &matcher) {
            (Some(node), Some(text)) => {
                self.matcher(event, Said { node, text, at: &matcher_at }, error.as_ref(), !handlers.is_empty())
            }
            _ => None,
        };
        let quiet = self.soft.len();
        let list = at.key(keys::HOOKS);
        for (index, handler) in handlers.iter().enumerate() {
            let Some((written, own)) = self.handler(event, handler, &list.index(index)) else { continue };
            entries.push(Entry {
                source: Arc::clone(&self.part),
                event,
                place: Place {
                    event: event.facts.name.to_owned(),
                    group: u32::try_from(number).unwrap_or(u32::MAX),
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                },
                range: handler.range.clone(),
                matcher: matcher.clone(),
                compiled: compiled.clone(),
                handler: written,
                skipped: skipped.clone().or(own),
            });
        }
        if skipped.is_some() {
            // Of a group that is skipped nothing more is said.
            self.soft.truncate(quiet);
        }
    }

    /// Judges a group's matcher; gives the reason when the group is skipped.
    fn matcher(
        &mut self,
        event: &'static Event,
        said: Said<'_>,
        error: Option<&PatternError>,
        has_handlers: bool,
    ) -> Option<String> {
        let Said { node, text, at } = said;
        let name = event.facts.name;
        if event.facts.subject == SubjectFact::Ignored {
            let message = format!("{name} ignores matchers: these hooks run always");
            let found = Diagnostic::new(&codes::MATCHER_IGNORED, Reach::Group, message);
            self.soft.push(found.at(node.range.clone()).pointer(at.pointer()).silent());
            return None;
        }
        if let Some(error) = error {
            let message = format!("the matcher `{text}` is no regular expression ({error}); the group is skipped");
            let reach = if has_handlers { self.managed_reach(Reach::Group) } else { Reach::Group };
            let found = self.skip(&codes::MATCHER_NOT_REGEX, event, reach, message);
            self.soft.push(found.at(node.range.clone()).pointer(at.pointer()));
            return Some(format!("its matcher is no regular expression: {error}"));
        }
        self.never_matches(event, node, text, at);
        None
    }

    /// Parts of an exact list that equal nothing the event could have.
    fn never_matches(&mut self, event: &'static Event, node: &Node, text: &str, at: &At<'_>) {
        if text.is_empty() || !matcher::is_exact(text) {
            return;
        }
        for part in text.split('|').filter(|part| !part.is_empty()) {
            let help = match event.facts.subject {
                SubjectFact::ToolName => match tools::NEVER_SEEN.iter().find(|(name, _)| *name == part) {
                    Some((_, Some(instead))) => format!("Write `{instead}`."),
                    Some((_, None)) => "No hook runs for tools that the model's provider hosts.".to_owned(),
                    None if part.strip_prefix("mcp__").is_some_and(|rest| !rest.contains("__")) => {
                        format!("A list of letters, digits and `_` is compared whole: write `{part}__.*`.")
                    }
                    None => continue,
                },
                SubjectFact::Field { values, .. } if !values.is_empty() && !values.contains(&part) => {
                    format!("Write one of: {}.", values.join(", "))
                }
                SubjectFact::Word(word) if word != part => format!("Write `{word}`."),
                _ => continue,
            };
            let message = format!("`{part}` never equals what {} is matched with", event.facts.name);
            let found = Diagnostic::new(&codes::MATCHER_NEVER_MATCHES, Reach::Group, message);
            self.soft.push(found.at(node.range.clone()).pointer(at.pointer()).help(help).silent());
        }
    }

    /// A diagnostic about something that is skipped: louder where it guards something, and in managed requirements.
    fn skip(&self, code: &'static Code, event: &Event, reach: Reach, message: String) -> Diagnostic {
        let found = Diagnostic::new(code, reach, message);
        if event.guards() || reach == Reach::Session { found.severity(Severity::Error) } else { found }
    }

    /// A handler as written, with the reason when it is skipped; `None` when the file is dropped for it.
    fn handler(&mut self, event: &'static Event, node: &Node, at: &At<'_>) -> Option<(Written, Option<String>)> {
        let Some(fields) = node.as_object() else {
            self.wrong_type(node, at, "a handler");
            return None;
        };
        self.refuse_twice(fields, keys::TYPE, at);
        let Some(kind) = fields.get(keys::TYPE) else {
            self.missing(node, at, keys::TYPE);
            return None;
        };
        let kind_at = at.key(keys::TYPE);
        let Some(word) = kind.as_str() else {
            self.wrong_type(kind, &kind_at, "a string");
            return None;
        };
        let prompt = || fields.get("prompt").and_then(Node::as_str).unwrap_or_default().to_owned();
        let known = keys::handler_type(word).filter(|kind| kind.known.at(self.version) == Some(true));
        match (word, known) {
            ("command", Some(kind)) => self.command(event, kind, node, fields, at),
            ("mcp_tool", Some(kind)) => self.mcp_tool(event, kind, node, fields, at),
            ("prompt", Some(_)) => {
                let why = self.skipped(&codes::PROMPT_HANDLER_SKIPPED, event, node, at, "prompt handlers do not run");
                Some((Written::Prompt(prompt()), Some(why)))
            }
            ("agent", Some(_)) => {
                let why = self.skipped(&codes::AGENT_HANDLER_SKIPPED, event, node, at, "agent handlers do not run");
                Some((Written::Agent(prompt()), Some(why)))
            }
            _ => {
                let message = format!("Codex has no handler type `{word}`");
                let reach = self.file_reach();
                let found = Diagnostic::new(&codes::UNKNOWN_HANDLER_TYPE, reach, message);
                self.fatal.push(found.at(kind.range.clone()).pointer(kind_at.pointer()));
                None
            }
        }
    }

    fn command(
        &mut self,
        event: &'static Event,
        kind: &HandlerType,
        node: &Node,
        fields: &Object,
        at: &At<'_>,
    ) -> Option<(Written, Option<String>)> {
        self.refuse_repeated(fields, kind.keys, at);
        self.refuse_two_spellings(fields, kind.keys, at);
        let command = self.required_text(node, fields, keys::COMMAND, at);
        let windows_key = written(kind.keys, fields, keys::COMMAND_WINDOWS);
        let windows = self.optional_text(fields.get(windows_key), &at.key(windows_key));
        let timeout = self.timeout(event, fields, at);
        let async_node = fields.get(keys::ASYNC);
        let async_at = at.key(keys::ASYNC);
        let asynchronous = match async_node {
            Some(node) if node.as_bool().is_none() => {
                self.wrong_type(node, &async_at, "a boolean");
                false
            }
            Some(node) => node.as_bool() == Some(true),
            None => false,
        };
        let status_message = self.optional_text(fields.get(keys::STATUS_MESSAGE), &at.key(keys::STATUS_MESSAGE));
        let limits_context = kind.keys.iter().any(|key| key.name == keys::CONTEXT_LIMIT && key.is_known(self.version));
        let limit_at = at.key(keys::CONTEXT_LIMIT);
        let limit_node = fields.get(keys::CONTEXT_LIMIT).filter(|_| limits_context);
        let context_limit = self.optional_number(limit_node, &limit_at);
        self.unknown_fields(fields, kind.keys, Some(keys::TYPE), at, "a command handler");
        let command = command?;

        let mut skipped = None;
        if command.trim().is_empty() {
            let at = at.key(keys::COMMAND);
            let blank = fields.get(keys::COMMAND).unwrap_or(node);
            skipped = Some(self.skipped(&codes::EMPTY_COMMAND, event, blank, &at, "its command is blank"));
        }
        if asynchronous && skipped.is_none() {
            match (event.asynchronous.at(self.version), async_node) {
                (Some(AsyncRule::Skipped) | None, _) => {
                    let why = "this version skips handlers with `async` set";
                    skipped = Some(self.skipped(&codes::ASYNC_HANDLER_SKIPPED, event, node, at, why));
                }
                (Some(AsyncRule::Foreground), Some(node)) => {
                    let message = format!("{} has no background handlers; this one is waited for", event.facts.name);
                    let found = Diagnostic::new(&codes::ASYNC_RUNS_SYNCHRONOUSLY, Reach::Entry, message);
                    self.soft.push(found.at(node.range.clone()).pointer(async_at.pointer()));
                }
                _ => {}
            }
        }
        if let Some(node) = limit_node.filter(|_| context_limit.is_some() && !event.context_limit) {
            let message = format!("{} takes no context, so the limit has no effect", event.facts.name);
            let found = Diagnostic::new(&codes::CONTEXT_LIMIT_IGNORED, Reach::Entry, message);
            self.soft.push(found.at(node.range.clone()).pointer(limit_at.pointer()));
        }
        let written = Written::Command { command, windows, asynchronous, timeout, status_message, context_limit };
        Some((written, skipped))
    }

    /// Two spellings of a key are one key twice.
    fn refuse_two_spellings(&mut self, fields: &Object, known: &[Key], at: &At<'_>) {
        for key in known {
            let Some(member) = key.alias.and_then(|alias| fields.member(alias)) else { continue };
            if fields.get(key.name).is_none() {
                continue;
            }
            let message = format!("`{}` and `{}` are one key, which stands twice", key.name, member.key);
            let reach = self.file_reach();
            let found = Diagnostic::new(&codes::DUPLICATE_KEY, reach, message);
            self.fatal.push(found.at(member.key_range.clone()).pointer(at.key(&member.key).pointer()));
        }
    }

    fn mcp_tool(
        &mut self,
        event: &'static Event,
        kind: &HandlerType,
        node: &Node,
        fields: &Object,
        at: &At<'_>,
    ) -> Option<(Written, Option<String>)> {
        self.refuse_repeated(fields, kind.keys, at);
        let server = self.required_text(node, fields, keys::SERVER, at);
        // One missing field is enough to drop the file; a second is not told apart.
        let tool = if server.is_none() && fields.get(keys::TOOL).is_none() {
            None
        } else {
            self.required_text(node, fields, keys::TOOL, at)
        };
        let input_at = at.key(keys::INPUT);
        let input = match fields.get(keys::INPUT) {
            None => Some(Node { value: Value::Object(Object::default()), range: node.range.clone() }),
            Some(input) if input.as_object().is_none() => {
                self.wrong_type(input, &input_at, "an object");
                None
            }
            Some(input) => {
                if let Some((null, at)) = find_null(input, &input_at) {
                    let reach = self.file_reach();
                    let found = Diagnostic::new(&codes::NULL_IN_MCP_INPUT, reach, "the input holds a null");
                    self.fatal.push(found.at(null.range.clone()).pointer(at));
                }
                Some(input.clone())
            }
        };
        let timeout = self.timeout(event, fields, at);
        let status_message = self.optional_text(fields.get(keys::STATUS_MESSAGE), &at.key(keys::STATUS_MESSAGE));
        self.unknown_fields(fields, kind.keys, Some(keys::TYPE), at, "an mcp_tool handler");
        let (server, tool, input) = (server?, tool?, input?);

        let blank = [(keys::SERVER, &server), (keys::TOOL, &tool)].into_iter().find(|(_, text)| text.trim().is_empty());
        let skipped = if let Some((key, _)) = blank {
            let at = at.key(key);
            let blank = fields.get(key).unwrap_or(node);
            Some(self.skipped(&codes::EMPTY_MCP_TARGET, event, blank, &at, &format!("its {key} is blank")))
        } else if !event.mcp_tools {
            let why = format!("{} takes no mcp_tool handlers", event.facts.name);
            Some(self.skipped(&codes::MCP_TOOL_SKIPPED, event, node, at, &why))
        } else {
            None
        };
        Some((Written::McpTool { server, tool, input, timeout, status_message }, skipped))
    }

    /// Reports a handler that is skipped, and gives the reason.
    fn skipped(&mut self, code: &'static Code, event: &Event, node: &Node, at: &At<'_>, why: &str) -> String {
        let message = format!("this {} handler never runs: {why}", event.facts.name);
        let reach = self.managed_reach(Reach::Entry);
        let found = self.skip(code, event, reach, message);
        self.soft.push(found.at(node.range.clone()).pointer(at.pointer()));
        why.to_owned()
    }

    fn missing(&mut self, node: &Node, at: &At<'_>, key: &str) {
        let reach = self.file_reach();
        let found = Diagnostic::new(&codes::MISSING_FIELD, reach, format!("the handler has no `{key}`"));
        self.fatal.push(found.at(node.range.clone()).pointer(at.pointer()));
    }

    fn required_text(&mut self, node: &Node, fields: &Object, key: &str, at: &At<'_>) -> Option<String> {
        let Some(value) = fields.get(key) else {
            self.missing(node, at, key);
            return None;
        };
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(value, &at.key(key), "a string");
        }
        text
    }

    fn timeout(&mut self, event: &Event, fields: &Object, at: &At<'_>) -> Option<u64> {
        let node = fields.get(keys::TIMEOUT);
        let at = at.key(keys::TIMEOUT);
        let seconds = self.optional_number(node, &at)?;
        let node = node?;
        let counted = event.clamp(Some(seconds));
        let name = event.facts.name;
        if seconds < counted {
            let message = format!("the timeout of {seconds} s becomes {counted} s");
            let found = Diagnostic::new(&codes::TIMEOUT_RAISED, Reach::Entry, message);
            self.soft.push(found.at(node.range.clone()).pointer(at.pointer()).silent());
        } else if seconds > counted {
            let message = format!("{name} allows {counted} s at most; {seconds} s are cut down to that");
            let found = Diagnostic::new(&codes::TIMEOUT_CAPPED, Reach::Entry, message);
            self.soft.push(found.at(node.range.clone()).pointer(at.pointer()));
        }
        Some(seconds)
    }

    /// Reports the fields of an object that are neither known nor the one that goes without saying.
    fn unknown_fields(&mut self, fields: &Object, known: &[Key], also: Option<&'static str>, at: &At<'_>, of: &str) {
        let version = self.version;
        let names = || known.iter().filter(|key| key.is_known(version)).flat_map(Key::spellings).chain(also);
        for member in &fields.members {
            if names().any(|name| name == member.key) {
                continue;
            }
            let message = format!("`{}` is no field of {of} and has no effect", member.key);
            let mut found = Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Entry, message)
                .at(member.key_range.clone())
                .pointer(at.key(&member.key).pointer());
            let spelling = keys::SPELLINGS.iter().find(|(wrong, _)| *wrong == member.key);
            let case = || names().find(|name| name.eq_ignore_ascii_case(&member.key));
            if let Some((_, help)) = spelling {
                found = found.help(*help);
            } else if let Some(name) = case() {
                found = found.help(format!("Write `{name}`."));
            }
            self.soft.push(found.silent());
        }
    }
}

/// The spelling in which a key is written; its name when it is not.
fn written(known: &[Key], fields: &Object, name: &'static str) -> &'static str {
    let alias = known.iter().find(|key| key.name == name).and_then(|key| key.alias);
    alias.filter(|alias| fields.get(name).is_none() && fields.get(alias).is_some()).unwrap_or(name)
}

/// The first null anywhere in a value, with its pointer.
fn find_null<'n>(node: &'n Node, at: &At<'_>) -> Option<(&'n Node, String)> {
    match &node.value {
        Value::Null => Some((node, at.pointer())),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| find_null(item, &at.index(index))),
        Value::Object(object) => {
            object.members.iter().find_map(|member| find_null(&member.value, &at.key(&member.key)))
        }
        _ => None,
    }
}
