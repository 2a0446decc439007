//! What is wrong with the types of values and with keys that stand twice, and the edits that mend it.

use std::borrow::Cow;

use hooks_core::diagnostic::{Diagnostic, Edit};
use hooks_core::document::{Node, Object, Value};
use hooks_core::lint::values;
use hooks_core::source::Syntax;

use super::Reader;
use super::at::At;
use super::hooks::event_near;
use super::keys::Key;
use super::mend::{Text, with};
use crate::codes;

/// What mending a file does that Codex drops.
pub(super) const TAKES_FILE: &str = "Codex takes the file, so that its hooks run";

/// What a file's hooks, an event and a group must hold, in messages.
pub(super) const AN_EVENT_MAP: &str = "an object of events";
pub(super) const GROUPS: &str = "an array of groups";
pub(super) const HANDLERS: &str = "an array of handlers";

impl Reader {
    /// The document's text.
    pub(super) fn text(&self) -> &Text {
        self.text.get_or_init(|| Text::of(&self.parsed.source))
    }

    /// A value of the wrong type, for which the file is dropped.
    pub(super) fn wrong_type(&mut self, node: &Node, at: &At<'_>, wanted: &str) {
        self.wrong_value(node, at, wanted, Vec::new());
    }

    /// The same, where it is plain what was meant.
    pub(super) fn wrong_value(&mut self, node: &Node, at: &At<'_>, wanted: &str, edits: Vec<Edit>) {
        let in_toml = self.source().syntax == Syntax::Toml;
        // What others call an object is a table there.
        let own = |words: &str| if in_toml { words.replace("an object", "a table") } else { words.to_owned() };
        let message = format!("this is {}; Codex wants {}", own(&kind(node)), own(wanted));
        let reach = self.file_reach();
        let mut found = Diagnostic::new(&codes::WRONG_TYPE, reach, message);
        if let Some(help) = self.shape(node, at, wanted, in_toml) {
            found = found.help(help);
        }
        self.fatal.push(with(found.at(node.range.clone()).pointer(at.pointer()), edits, TAKES_FILE));
    }

    /// How a list that hooks stand in is written.
    fn shape(&self, node: &Node, at: &At<'_>, wanted: &str, in_toml: bool) -> Option<String> {
        // A form of other tools: a list of hooks that name their events.
        let named = || node.as_array()?.iter().find_map(|item| item.as_object()?.get("event")?.as_str());
        let pointer = at.pointer();
        let event = match wanted {
            AN_EVENT_MAP => named().unwrap_or("Stop"),
            GROUPS | HANDLERS => pointer.split('/').nth(2)?,
            _ => return None,
        };
        let event = event_near(event, self.version)?.name;
        Some(match (wanted, in_toml) {
            (HANDLERS, true) => {
                format!("Write `[[hooks.{event}.hooks]]`, with two brackets, above `type` and `command`.")
            }
            (_, true) => format!(
                "Write `[[hooks.{event}]]` with `matcher`, if there is one, then `[[hooks.{event}.hooks]]` with `type` and `command`."
            ),
            (HANDLERS, false) => "Write `\"hooks\": [{ \"type\": \"command\", \"command\": ... }]`.".to_owned(),
            (GROUPS, false) => {
                format!("Write `\"{event}\": [{{ \"hooks\": [{{ \"type\": \"command\", \"command\": ... }}] }}]`.")
            }
            _ => format!("Write `\"hooks\": {{ \"{event}\": [{{ \"hooks\": [ ... ] }}] }}`."),
        })
    }

    /// A text that may be left out or be null.
    pub(super) fn optional_text(&mut self, node: Option<&Node>, at: &At<'_>) -> Option<String> {
        let node = node.filter(|node| !node.is_null())?;
        let text = node.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(node, at, "a string");
        }
        text
    }

    /// A whole number that may be left out or be null. `meant` is what another value was meant as.
    pub(super) fn optional_number(
        &mut self,
        node: Option<&Node>,
        at: &At<'_>,
        meant: fn(&Node) -> Option<u64>,
    ) -> Option<u64> {
        let node = node.filter(|node| !node.is_null())?;
        let number = node.as_u64();
        if number.is_none() {
            let edit = meant(node).map(|number| Edit { range: node.range.clone(), text: number.to_string() });
            let wanted = "a whole number that is not negative";
            self.wrong_value(node, at, wanted, edit.into_iter().collect());
        }
        number
    }

    /// A boolean that may be left out.
    pub(super) fn optional_flag(&mut self, node: Option<&Node>, at: &At<'_>) -> Option<bool> {
        let node = node?;
        let flag = node.as_bool();
        if flag.is_none() {
            let meant = values::meant_bool(node);
            let edit = meant.map(|flag| Edit { range: node.range.clone(), text: flag.to_string() });
            self.wrong_value(node, at, super::A_BOOLEAN, edit.into_iter().collect());
        }
        flag
    }

    /// Keys that the client reads may stand once only.
    pub(super) fn refuse_repeated(&mut self, object: &Object, known: &[Key], base: &At<'_>) {
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
    pub(super) fn refuse_twice(&mut self, object: &Object, key: &str, base: &At<'_>) {
        let mut members = object.members.iter().enumerate().filter(|(_, member)| member.key == key);
        let (Some((_, first)), Some((number, second))) = (members.next(), members.next()) else { return };
        let message = format!("`{key}` stands twice");
        let reach = self.file_reach();
        let found = Diagnostic::new(&codes::DUPLICATE_KEY, reach, message)
            .at(second.key_range.clone())
            .pointer(base.key(key).pointer())
            .related("the first one", first.key_range.clone());
        // Which of two values was meant only their author knows.
        let text = self.text();
        let same = text.slice(first.value.range.clone()) == text.slice(second.value.range.clone());
        let gone = values::member_bytes(object, number).filter(|_| same && members.next().is_none());
        let edits = gone.map(|range| Edit { range, text: String::new() });
        self.fatal.push(with(found, edits.into_iter().collect(), TAKES_FILE));
    }
}

/// The words for a value's kind, closer where the kind alone would seem to be right.
fn kind(node: &Node) -> Cow<'static, str> {
    match &node.value {
        Value::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit()) && node.as_u64().is_none() => {
            Cow::Borrowed("a number that is too large")
        }
        Value::Number(text) if text.starts_with('-') => Cow::Borrowed("a negative number"),
        Value::Number(text) if text.contains(['.', 'e', 'E']) => {
            Cow::Borrowed("a number with a fraction or an exponent")
        }
        _ => Cow::Borrowed(node.phrase()),
    }
}
