//! Fields of an object that are missing or unknown, and the edits that write what was meant.

use std::collections::HashSet;

use hooks_core::diagnostic::{Diagnostic, Edit, Reach, Severity};
use hooks_core::document::{Member, Node, Object};
use hooks_core::lint::nearest::{Nearest, nearest};

use super::Reader;
use super::at::At;
use super::faults::TAKES_FILE;
use super::hooks::find_null;
use super::keys::{self, Key};
use super::mend::{MOST_MEMBERS, with};
use crate::codes;

impl Reader {
    /// A field that an object must have and has not.
    pub(super) fn missing(&mut self, node: &Node, fields: &Object, at: &At<'_>, key: &'static str) {
        let reach = self.file_reach();
        let found = Diagnostic::new(&codes::MISSING_FIELD, reach, format!("the handler has no `{key}`"));
        let mut found = found.at(node.range.clone()).pointer(at.pointer());
        let others =
            fields.members.iter().filter(|member| !is_handler_key(&member.key) && member.value.as_str().is_some());
        let mut near = others.filter(|member| nearest(&member.key, [key]).is_some());
        let edits = match (near.next(), near.next()) {
            (Some(member), None) => {
                found = found.help(format!("Write `{key}` in place of `{}`.", member.key));
                found = found.related("this is probably meant", member.key_range.clone());
                self.text().rename(&[], member, key)
            }
            (None, _) if key == keys::TYPE && fields.get(keys::COMMAND).and_then(Node::as_str).is_some() => {
                found = found.help("Add `type`: `command`.");
                self.text().insert(node, fields, keys::TYPE, "\"command\"").into_iter().collect()
            }
            _ => Vec::new(),
        };
        self.fatal.push(with(found, edits, TAKES_FILE));
    }

    pub(super) fn required_text(
        &mut self,
        node: &Node,
        fields: &Object,
        key: &'static str,
        at: &At<'_>,
    ) -> Option<String> {
        let Some(value) = fields.get(key) else {
            self.missing(node, fields, at, key);
            return None;
        };
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(value, &at.key(key), "a string");
        }
        text
    }

    /// Reports the fields of an object that are neither known nor the one that goes without saying.
    pub(super) fn unknown_fields(
        &mut self,
        fields: &Object,
        known: &[Key],
        also: Option<&'static str>,
        at: &At<'_>,
        of: &str,
    ) {
        let version = self.version;
        let names = || known.iter().filter(|key| key.is_known(version)).flat_map(Key::spellings).chain(also);
        for member in &fields.members {
            if names().any(|name| name == member.key) {
                continue;
            }
            let level = keys::other_level(&member.key, known);
            let message = match level {
                Some(whose) => format!("`{}` is a field of {whose}, and has no effect in {of}", member.key),
                None => format!("`{}` is no field of {of} and has no effect", member.key),
            };
            let mut found = Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::Entry, message)
                .at(member.key_range.clone())
                .pointer(at.key(&member.key).pointer());
            // Such keys are notes of whoever wrote the file, or marks of a tool that did.
            if member.key.starts_with(['_', '$', '/', '#']) {
                found = found.severity(Severity::Info).help("Leave it, if it is a note of yours.");
            }
            let near = nearest(&member.key, names()).filter(|near| near.alone);
            let later = known.iter().find(|key| key.spellings().any(|name| name == member.key));
            let spelling = keys::SPELLINGS.iter().find(|(wrong, _)| *wrong == member.key);
            let mut edits = Vec::new();
            if let Some(since) = later.and_then(|key| key.known.0.iter().find(|(_, known)| *known)) {
                found = found.help(format!("Codex knows it since {}.", since.0));
            } else if let Some(whose) = level {
                found = found.help(format!("Put it into {whose}."));
            } else if let Some((_, help)) = spelling {
                found = found.help(*help);
                edits = self.respell(fields, member, known);
            } else if let Some(Nearest { name, .. }) = near {
                found = found.help(format!("Write `{name}`."));
                edits = self.rename_field(fields, member, known, name);
            }
            self.soft.push(with(found.silent(), edits, "the field counts, which it did not before"));
        }
    }

    /// Takes back what is told of fields that are told of already as the one that an object lacks.
    pub(super) fn told_as_missing(&mut self) {
        let missing = self.fatal.iter().filter(|found| found.code.id == codes::MISSING_FIELD.id);
        let told: HashSet<usize> =
            missing.flat_map(|found| found.related.iter().map(|place| place.range.start)).collect();
        self.soft.retain(|found| {
            found.code.id != codes::UNKNOWN_FIELD.id
                || !found.range.as_ref().is_some_and(|range| told.contains(&range.start))
        });
    }

    /// The edits that write a field's name in place of a nearly right one, where its value is one of that field.
    fn rename_field(&self, fields: &Object, member: &Member, known: &[Key], name: &str) -> Vec<Edit> {
        let Some(key) = known.iter().find(|key| key.spellings().any(|spelling| spelling == name)) else {
            return Vec::new();
        };
        let is_free = fields.members.len() <= MOST_MEMBERS && key.spellings().all(|name| fields.get(name).is_none());
        if is_free && fits(key, &member.value) { self.text().rename(&[], member, name) } else { Vec::new() }
    }

    /// The same for a spelling of another format, with its unit.
    fn respell(&self, fields: &Object, member: &Member, known: &[Key]) -> Vec<Edit> {
        let Some((_, name, thousandths)) = keys::MEANT.iter().find(|(wrong, ..)| *wrong == member.key) else {
            return Vec::new();
        };
        let mut edits = self.rename_field(fields, member, known, name);
        if let Some(number) = member.value.as_u64().filter(|_| *thousandths && !edits.is_empty()) {
            edits.push(Edit { range: member.value.range.clone(), text: number.div_ceil(1000).max(1).to_string() });
        }
        edits
    }
}

/// Whether a value is one that a key can have.
fn fits(key: &Key, node: &Node) -> bool {
    match key.value {
        keys::Value::Text => node.as_str().is_some() || node.is_null(),
        keys::Value::Spoken | keys::Value::HandlerType => node.as_str().is_some(),
        keys::Value::Flag => node.as_bool().is_some(),
        keys::Value::Whole => node.as_u64().is_some() || node.is_null(),
        keys::Value::NoNulls => node.as_object().is_some() && find_null(node, &At::base("")).is_none(),
        keys::Value::Nested => node.as_array().is_some(),
    }
}

/// Whether a name is a key of some handler.
fn is_handler_key(name: &str) -> bool {
    let keys = keys::HANDLER_TYPES.iter().flat_map(|kind| kind.keys).flat_map(Key::spellings);
    keys.chain([keys::TYPE]).any(|key| key == name)
}
