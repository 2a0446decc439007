//! Changes that mend a document mechanically: renaming keys, wrapping values, moving members. What they touch is given in
//! bytes of the document; everything else stays as it is.

use std::collections::HashMap;
use std::ops::Range;

use hooks_core::diagnostic::{Diagnostic, Severity};
use hooks_core::document::{Member, Node, Object, Value};
use hooks_core::lint::nearest::{Difference, nearest};
use hooks_core::lint::values::{meant_bool, member_bytes, quoted, seconds_in_text};
use hooks_core::source::Syntax;

use super::keys::{self, Key, Kind};
use super::reader::Reader;
use crate::events::ALL_TYPES;

/// What renaming a key or a word that the client ignores comes to.
pub(super) const COUNTS: &str = "it counts, which it did not before";

/// What mending an entry comes to that is skipped, or that drops its file.
pub(super) const LOADS: &str = "the client takes what it skipped before, and these hooks run";

/// The name that was meant by a text, for a message; and for an edit where there is only one.
pub(super) fn meant<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<(&'n str, bool)> {
    let near = nearest(text, names)?;
    // Of short names two edits are another word.
    let far = matches!(near.difference, Difference::Edits(edits) if edits > 1 && text.len() < 6);
    (!far).then_some((near.name, near.alone))
}

/// A diagnostic about a name, with the one that was meant.
pub(super) fn suggest(diagnostic: Diagnostic, range: Range<usize>, meant: Option<(&str, bool)>) -> Diagnostic {
    match meant {
        None => diagnostic,
        Some((name, false)) => diagnostic.help(format!("Perhaps `{name}` is meant.")),
        Some((name, true)) => diagnostic.help(format!("Write `{name}`.")).edit(range, quoted(name)).changes(COUNTS),
    }
}

impl Reader {
    /// Whether members and items can be moved and wrapped: in JSON. In YAML lines and indents would have to move too.
    pub(super) fn is_json(&self) -> bool {
        self.parsed.source.syntax == Syntax::Json
    }

    /// The text of a part of the document.
    pub(super) fn raw(&self, range: &Range<usize>) -> String {
        let bytes = self.parsed.source.bytes.get(range.clone()).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// A value put between brackets.
    pub(super) fn wrapped(
        &self,
        diagnostic: Diagnostic,
        range: &Range<usize>,
        before: &str,
        after: &str,
    ) -> Diagnostic {
        if !self.is_json() {
            return diagnostic;
        }
        let (start, end) = (range.start..range.start, range.end..range.end);
        diagnostic.edit(start, before).edit(end, after).changes(LOADS)
    }

    /// A handler that stands where a group belongs, put into one. Its matcher goes to the group.
    pub(super) fn grouped(&self, diagnostic: Diagnostic, node: &Node, object: &Object, around: bool) -> Diagnostic {
        let (mut before, mut after) = match around {
            true => ("[{".to_owned(), "}]".to_owned()),
            false => ("{".to_owned(), "}".to_owned()),
        };
        let unambiguous = is_handler(object) && object.repeated().is_empty() && self.is_json();
        if !unambiguous {
            return diagnostic;
        }
        let mut diagnostic = diagnostic;
        let matcher = object.members.iter().position(|member| member.key == keys::MATCHER.name);
        if let Some((bytes, member)) = matcher.and_then(|at| Some((member_bytes(object, at)?, object.members.get(at)?)))
        {
            before.push_str(&format!("\"matcher\": {}, ", self.raw(&member.value.range)));
            diagnostic = diagnostic.edit(bytes, "");
        }
        before.push_str("\"hooks\": [");
        after.insert(0, ']');
        if object.get(keys::TYPE.name).is_none() {
            let inside = node.range.start + 1;
            diagnostic = diagnostic.edit(inside..inside, "\"type\": \"command\", ");
        }
        self.wrapped(diagnostic, &node.range, &before, &after)
    }

    /// A member taken out of an object.
    pub(super) fn without(&self, diagnostic: Diagnostic, object: &Object, key: &str) -> Diagnostic {
        let at = object.members.iter().rposition(|member| member.key == key);
        match at.and_then(|at| member_bytes(object, at)) {
            Some(bytes) if self.is_json() => diagnostic.edit(bytes, ""),
            _ => diagnostic,
        }
    }

    /// A value of the wrong type, turned into the one that was meant where that is plain.
    pub(super) fn retyped(&self, diagnostic: Diagnostic, key: &Key, member: &Member) -> Diagnostic {
        let node = &member.value;
        let number = |text: &str| {
            let seconds = seconds_in_text(text).filter(|seconds| *seconds > 0.0 && seconds.is_finite())?;
            Some(seconds.to_string())
        };
        let texts = |items: &[Node]| -> Option<Vec<String>> {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        };
        let raw = self.raw(&node.range);
        let text = match (key.kind, &node.value) {
            (Kind::Flag, _) => meant_bool(node).map(|value| value.to_string()),
            (Kind::Seconds, Value::String(text)) => number(text),
            (Kind::Number, Value::String(text)) => text.trim().parse::<u64>().ok().map(|number| number.to_string()),
            (Kind::Texts | Kind::List, Value::String(_)) => Some(format!("[{raw}]")),
            // A list of names is what a matcher with bars means.
            (Kind::Text, Value::Array(items)) if key.name == keys::MATCHER.name => texts(items)
                .filter(|names| !names.is_empty() && names.iter().all(|name| is_name(name)))
                .map(|names| quoted(&names.join("|"))),
            (Kind::Text, Value::Array(items)) if key.name == keys::COMMAND.name => match texts(items).as_deref() {
                Some([program]) => Some(quoted(program)),
                _ => None,
            },
            _ => None,
        };
        match text {
            Some(text) => {
                let help = format!("Write {text}.");
                diagnostic.help(help).edit(node.range.clone(), text).changes(LOADS)
            }
            None => diagnostic,
        }
    }
}

/// Whether an object is a handler by its type or its command, and no group.
pub(super) fn is_handler(object: &Object) -> bool {
    let kind = object.get(keys::TYPE.name).and_then(Node::as_str);
    let known = kind.is_some_and(|kind| ALL_TYPES.iter().any(|known| known.as_str() == kind));
    let command = object.get(keys::COMMAND.name).is_some_and(|node| node.as_str().is_some());
    object.get(keys::HOOKS.name).is_none() && (known || (kind.is_none() && command))
}

/// Whether a key is there for readers: a comment, or a name for what it stands in.
pub(super) fn is_note(key: &str) -> bool {
    key.starts_with(['_', '$', '#'])
        || key.starts_with("//")
        || matches!(key, "description" | "comment" | "note" | "name" | "id")
}

/// What there is to tell of a key that is no slip: a note, and a switch that turns nothing off.
pub(super) fn no_slip(found: Diagnostic, member: &Member, what: &str) -> Option<Diagnostic> {
    let off = match member.key.as_str() {
        "enabled" => Some(false),
        "disabled" => Some(true),
        _ => None,
    };
    if off.is_some() && member.value.as_bool() == off {
        let mut found = found.help(format!("Remove the {what} to turn it off."));
        found.message.push_str(&format!("; the {what} runs all the same"));
        return Some(found);
    }
    let note = "It does no harm as a note; the client does not read it.";
    is_note(&member.key).then(|| found.severity(Severity::Info).help(note))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Where each key of an object stands last.
pub(super) fn last_places(object: &Object) -> HashMap<&str, usize> {
    object.members.iter().enumerate().map(|(at, member)| (member.key.as_str(), at)).collect()
}

/// The places of members whose key stands again further down, with the one that counts.
pub(super) fn repeated(object: &Object) -> Vec<(usize, &Member)> {
    let members = &object.members;
    // Nearly all objects have few members, and none twice.
    let few = members.len() < 16;
    let last = if few { HashMap::new() } else { last_places(object) };
    let counts = |at: usize, key: &str| match few {
        true => members.iter().skip(at + 1).rfind(|other| other.key == key),
        false => last.get(key).filter(|last| **last > at).and_then(|last| members.get(*last)),
    };
    members.iter().enumerate().filter_map(|(at, one)| Some((at, counts(at, &one.key)?))).collect()
}
