//! Handlers (section 3.3), and what is said of their fields.

use hooks_core::diagnostic::{Code, Diagnostic, Edit, Reach, Severity};
use hooks_core::document::{Node, Object, Value};
use hooks_core::lint::nearest::nearest;
use hooks_core::lint::values;

use super::Reader;
use super::at::At;
use super::entry::Written;
use super::faults::TAKES_FILE;
use super::keys::{self, HandlerType, Key};
use super::mend::with;
use crate::codes;
use crate::events::{AsyncRule, Event, Guard, Kind};
use crate::input::placeholders;

/// What an edit of something that is hashed does beside the rest.
const REVIEW: &str = "it has to be reviewed again";

impl Reader {
    /// A diagnostic about something that is skipped: louder where it guards something, and in managed requirements.
    pub(super) fn skip(&self, code: &'static Code, event: &Event, reach: Reach, message: String) -> Diagnostic {
        let found = Diagnostic::new(code, reach, message);
        if event.guards() || reach == Reach::Session { found.severity(Severity::Error) } else { found }
    }

    /// A handler as written, with the reason when it is skipped; `None` when the file is dropped for it.
    pub(super) fn handler(
        &mut self,
        event: &'static Event,
        node: &Node,
        at: &At<'_>,
    ) -> Option<(Written, Option<String>)> {
        let Some(fields) = node.as_object() else {
            self.wrong_type(node, at, "a handler");
            return None;
        };
        self.refuse_twice(fields, keys::TYPE, at);
        let Some(kind) = fields.get(keys::TYPE) else {
            self.missing(node, fields, at, keys::TYPE);
            // What it was meant as is read for what else is wrong in it.
            if fields.get(keys::COMMAND).is_some() {
                self.meant("command", event, node, fields, at);
            }
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
                if let Some(meant) = self.unknown_type(kind, word, &kind_at) {
                    self.meant(meant, event, node, fields, at);
                }
                None
            }
        }
    }

    /// Reads a handler of a type that it does not name.
    fn meant(&mut self, word: &str, event: &'static Event, node: &Node, fields: &Object, at: &At<'_>) {
        match keys::handler_type(word) {
            Some(kind) if word == "command" => drop(self.command(event, kind, node, fields, at)),
            Some(kind) if word == "mcp_tool" => drop(self.mcp_tool(event, kind, node, fields, at)),
            _ => {}
        }
    }

    /// A type that there is not; gives the one that was meant.
    fn unknown_type(&mut self, kind: &Node, word: &str, at: &At<'_>) -> Option<&'static str> {
        let message = format!("Codex has no handler type `{word}`");
        let found = Diagnostic::new(&codes::UNKNOWN_HANDLER_TYPE, self.file_reach(), message);
        let mut found = found.at(kind.range.clone()).pointer(at.pointer());
        let version = self.version;
        let runs = keys::HANDLER_TYPES.iter().filter(|kind| kind.runs && kind.known.at(version) == Some(true));
        let mut edits = Vec::new();
        let near = nearest(word, runs.map(|kind| kind.word)).filter(|near| near.alone);
        if let Some(near) = near {
            found = found.help(format!("Write `{}`.", near.name));
            edits.push(Edit { range: kind.range.clone(), text: values::quoted(near.name) });
        } else if let Some((since, _)) =
            keys::handler_type(word).and_then(|kind| kind.known.0.iter().find(|(_, known)| *known))
        {
            found = found.help(format!("Codex knows it since {since}. Until then write `command`."));
        }
        self.fatal.push(with(found, edits, TAKES_FILE));
        near.map(|near| near.name)
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
        let asynchronous = self.optional_flag(async_node, &async_at) == Some(true);
        let status_message = self.optional_text(fields.get(keys::STATUS_MESSAGE), &at.key(keys::STATUS_MESSAGE));
        let context_limit = self.context_limit(event, kind, node, fields, at);
        self.unknown_fields(fields, kind.keys, Some(keys::TYPE), at, "a command handler");
        let command = command?;

        let mut skipped = None;
        if command.trim().is_empty() {
            let at = at.key(keys::COMMAND);
            let blank = fields.get(keys::COMMAND).unwrap_or(node);
            skipped = Some(self.skipped(&codes::EMPTY_COMMAND, event, blank, &at, "its command is blank"));
        }
        if self.advising
            && skipped.is_none()
            && let Some(blank) =
                fields.get(windows_key).filter(|_| windows.as_deref().is_some_and(|it| it.trim().is_empty()))
        {
            let message = format!("`{windows_key}` is blank, so nothing is left to run on Windows");
            let found = Diagnostic::new(&codes::EMPTY_COMMAND, Reach::Entry, message);
            self.advice.push(found.at(blank.range.clone()).pointer(at.key(windows_key).pointer()));
        }
        if let Some(flag) = async_node.filter(|_| asynchronous && skipped.is_none()) {
            let gone: Vec<Edit> = self.text().remove(node, fields, keys::ASYNC).into_iter().collect();
            match event.asynchronous.at(self.version) {
                Some(AsyncRule::Skipped) | None => {
                    let why = "this version skips handlers with `async` set";
                    skipped = Some(self.skipped(&codes::ASYNC_HANDLER_SKIPPED, event, node, at, why));
                    if let Some(found) = self.soft.pop() {
                        self.soft.push(with(found, gone, "the handler runs, and is waited for"));
                    }
                }
                Some(AsyncRule::Foreground) => {
                    let message = format!("{} has no background handlers; this one is waited for", event.facts.name);
                    let found = Diagnostic::new(&codes::ASYNC_RUNS_SYNCHRONOUSLY, Reach::Entry, message);
                    let found = found.at(flag.range.clone()).pointer(async_at.pointer());
                    self.soft.push(with(found, gone, format!("{REVIEW}; it runs as before")));
                }
                Some(AsyncRule::Background) if self.advising => self.async_advice(event, flag, &async_at, gone),
                Some(AsyncRule::Background) => {}
            }
        }
        let written = Written::Command { command, windows, asynchronous, timeout, status_message, context_limit };
        Some((written, skipped))
    }

    /// A command in the background where a hook can hold something back.
    fn async_advice(&mut self, event: &Event, node: &Node, at: &At<'_>, gone: Vec<Edit>) {
        // What is mostly for something else than blocking is no mistake in the background: context, which arrives later.
        let (severity, what) = match event.kind {
            Kind::SessionStart => return,
            Kind::Stop | Kind::SubagentStop => (Severity::Info, "keeps nothing going"),
            _ => match event.guard {
                Guard::Deny => (Severity::Warning, "blocks nothing"),
                Guard::Halt => (Severity::Info, "blocks nothing"),
                Guard::None => return,
            },
        };
        let message = format!("a {} handler in the background {what}, whatever it answers", event.facts.name);
        let found = Diagnostic::new(&codes::ASYNC_CANNOT_BLOCK, Reach::Entry, message).severity(severity);
        let found = found.at(node.range.clone()).pointer(at.pointer()).silent();
        self.advice.push(with(found, gone, format!("the handler is waited for, and its answer counts; {REVIEW}")));
    }

    fn context_limit(
        &mut self,
        event: &Event,
        kind: &HandlerType,
        node: &Node,
        fields: &Object,
        at: &At<'_>,
    ) -> Option<u64> {
        if !kind.keys.iter().any(|key| key.name == keys::CONTEXT_LIMIT && key.is_known(self.version)) {
            return None;
        }
        let at = at.key(keys::CONTEXT_LIMIT);
        let value = fields.get(keys::CONTEXT_LIMIT)?;
        let limit = self.optional_number(Some(value), &at, values::meant_whole)?;
        if !event.context_limit {
            let message = format!("{} takes no context, so the limit has no effect", event.facts.name);
            let found = Diagnostic::new(&codes::CONTEXT_LIMIT_IGNORED, Reach::Entry, message);
            let mut found = found.at(value.range.clone()).pointer(at.pointer());
            // The limit is hashed only where it counts: nothing changes.
            found.edits.extend(self.text().remove(node, fields, keys::CONTEXT_LIMIT));
            self.soft.push(found);
        } else if limit == 0 && self.advising {
            let message = "0 is no limit: all context of this handler goes to the model, however long it is";
            let found = Diagnostic::new(&codes::CONTEXT_LIMIT_OFF, Reach::None, message);
            self.advice.push(found.at(value.range.clone()).pointer(at.pointer()).silent());
        }
        Some(limit)
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
        // They are one fault: a handler without a target.
        let tool = if server.is_none() && fields.get(keys::TOOL).is_none() {
            if let Some(found) = self.fatal.last_mut().filter(|_| fields.get(keys::SERVER).is_none()) {
                found.message.push_str(" and no `tool`");
                found.help = "Add both fields.".into();
            }
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
                self.nulls(input, &input_at);
                if self.advising {
                    self.placeholders(event, input, &input_at);
                }
                Some(input.clone())
            }
        };
        let timeout = self.timeout(event, fields, at);
        let status_message = self.optional_text(fields.get(keys::STATUS_MESSAGE), &at.key(keys::STATUS_MESSAGE));
        self.unknown_fields(fields, kind.keys, Some(keys::TYPE), at, "an mcp_tool handler");
        let (server, tool, input) = (server?, tool?, input?);

        let targets = [(keys::SERVER, &server), (keys::TOOL, &tool)];
        let blank: Vec<&str> = targets.iter().filter(|(_, text)| text.trim().is_empty()).map(|(key, _)| *key).collect();
        let skipped = if let Some(key) = blank.first() {
            let at = at.key(key);
            let node = fields.get(key).unwrap_or(node);
            let are = if blank.len() == 1 { "is" } else { "are" };
            let why = format!("its {} {are} blank", blank.join(" and its "));
            Some(self.skipped(&codes::EMPTY_MCP_TARGET, event, node, &at, &why))
        } else if !event.mcp_tools {
            let why = format!("{} takes no mcp_tool handlers", event.facts.name);
            Some(self.skipped(&codes::MCP_TOOL_SKIPPED, event, node, at, &why))
        } else {
            None
        };
        Some((Written::McpTool { server, tool, input, timeout, status_message }, skipped))
    }

    /// Everything in a tool's input that TOML cannot hold: a null, and a whole number beyond its 64 bits with a sign. A member
    /// that is a null can be taken out; an element of a list stays, since the others would move.
    fn nulls(&mut self, holder: &Node, at: &At<'_>) {
        match &holder.value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.null(item, &at.index(index), None);
                }
            }
            Value::Object(object) => {
                for member in &object.members {
                    let gone = member.value.is_null().then(|| self.text().remove(holder, object, &member.key));
                    self.null(&member.value, &at.key(&member.key), gone.flatten());
                }
            }
            _ => {}
        }
    }

    fn null(&mut self, node: &Node, at: &At<'_>, gone: Option<Edit>) {
        if node.as_u64().is_some_and(|number| i64::try_from(number).is_err()) {
            return self.wrong_type(node, at, &format!("one up to {}, as TOML has them", i64::MAX));
        }
        if !node.is_null() {
            return self.nulls(node, at);
        }
        let found = Diagnostic::new(&codes::NULL_IN_MCP_INPUT, self.file_reach(), "the input holds a null");
        let found = found.at(node.range.clone()).pointer(at.pointer());
        let changes = "Codex takes the file, and the tool is called without this key";
        self.fatal.push(with(found, gone.into_iter().collect(), changes));
    }

    /// Placeholders that name nothing the event's payload has: every run fails before the tool is called (section 13).
    fn placeholders(&mut self, event: &Event, node: &Node, at: &At<'_>) {
        match &node.value {
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| self.placeholders(event, item, &at.index(index)));
            }
            Value::Object(object) => {
                object.members.iter().for_each(|member| self.placeholders(event, &member.value, &at.key(&member.key)));
            }
            Value::String(text) => {
                let first = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
                let has = |path: &&str| event.input.iter().any(|field| field.key == first(path));
                let mut paths: Vec<String> = Vec::new();
                for path in placeholders::paths(text).into_iter().filter(|path| !has(path)) {
                    let path = format!("`${{{path}}}`");
                    if !paths.contains(&path) {
                        paths.push(path);
                    }
                }
                let names = if paths.len() == 1 { "names" } else { "name" };
                let name = event.facts.name;
                if paths.is_empty() {
                    return;
                }
                let paths = paths.join(", ");
                let message = format!("{paths} {names} nothing in what {name} gives; the tool is never called");
                let found = self.skip(&codes::PLACEHOLDER_LEADS_NOWHERE, event, Reach::Entry, message);
                let keys: Vec<_> = event.input.iter().map(|field| field.key).collect();
                let found = found.help(format!("{name} gives: {}.", keys.join(", ")));
                self.advice.push(found.at(node.range.clone()).pointer(at.pointer()));
            }
            _ => {}
        }
    }

    /// Reports a handler that is skipped, and gives the reason.
    fn skipped(&mut self, code: &'static Code, event: &Event, node: &Node, at: &At<'_>, why: &str) -> String {
        let left = event.unguarded().map(|left| format!("; {left}")).unwrap_or_default();
        let message = format!("this {} handler never runs: {why}{left}", event.facts.name);
        let reach = self.managed_reach(Reach::Entry);
        let found = self.skip(code, event, reach, message);
        self.soft.push(found.at(node.range.clone()).pointer(at.pointer()));
        why.to_owned()
    }

    fn timeout(&mut self, event: &Event, fields: &Object, at: &At<'_>) -> Option<u64> {
        let node = fields.get(keys::TIMEOUT);
        let at = at.key(keys::TIMEOUT);
        let seconds = self.optional_number(node, &at, values::meant_seconds)?;
        let node = node?;
        let counted = event.clamp(Some(seconds));
        let name = event.facts.name;
        let place = |found: Diagnostic| found.at(node.range.clone()).pointer(at.pointer());
        // The number that counts is the one that is hashed: writing it changes nothing.
        if seconds < counted {
            let none = if seconds == 0 { ": 0 does not mean that there is none" } else { "" };
            let message = format!("the timeout of {seconds} s becomes {counted} s{none}");
            let found = place(Diagnostic::new(&codes::TIMEOUT_RAISED, Reach::Entry, message)).silent();
            self.soft.push(found.edit(node.range.clone(), counted.to_string()));
        } else if seconds > counted {
            let message = format!("{name} allows {counted} s at most; {seconds} s are cut down to that");
            let found = place(Diagnostic::new(&codes::TIMEOUT_CAPPED, Reach::Entry, message));
            self.soft.push(found.edit(node.range.clone(), counted.to_string()));
        } else if let Some(meant) = values::probably_milliseconds(seconds).filter(|_| self.advising) {
            let message = format!("{seconds} s is {}; milliseconds were probably meant", duration(seconds));
            let found = Diagnostic::new(&codes::TIMEOUT_IN_MILLISECONDS, Reach::Entry, message);
            let found = place(found).silent().help(format!("Write seconds: {meant}."));
            let edit = Edit { range: node.range.clone(), text: meant.to_string() };
            self.advice.push(with(found, vec![edit], format!("the time limit is {meant} s; {REVIEW}")));
        }
        Some(seconds)
    }
}

/// A number of seconds in the unit that people count such times in.
fn duration(seconds: u64) -> String {
    match seconds {
        0..7200 => format!("{} minutes", seconds / 60),
        7200..172_800 => format!("{} hours", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// The spelling in which a key is written; its name when it is not.
fn written(known: &[Key], fields: &Object, name: &'static str) -> &'static str {
    let alias = known.iter().find(|key| key.name == name).and_then(|key| key.alias);
    alias.filter(|alias| fields.get(name).is_none() && fields.get(alias).is_some()).unwrap_or(name)
}
