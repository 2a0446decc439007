//! Edits that mend a document and leave everything else in it as it is, in JSON and in TOML.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use hooks_core::diagnostic::{Diagnostic, Edit};
use hooks_core::document::{Member, Node, Object};
use hooks_core::lint::values;
use hooks_core::source::{Source, Syntax};

use super::{toml_keys, toml_tree};

/// Members of an object up to which edits are made up for it: looking for their places costs their number each time.
pub(super) const MOST_MEMBERS: usize = 64;

/// What stands before an event's name in TOML.
const BELOW: &str = "hooks.";

/// A document's text, with what its language wants keys and members to look like.
pub(crate) struct Text {
    text: Option<String>,
    toml: bool,
    /// Where each key of a TOML document stands, by its path; looked up once.
    keys: OnceCell<HashMap<Vec<String>, Vec<Range<usize>>>>,
}

/// Where something is put into a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Between braces.
    Braces,
    /// On lines of its own, below a header.
    Lines,
}

impl Text {
    pub(super) fn of(source: &Source) -> Self {
        let toml = source.syntax == Syntax::Toml;
        // Only text has places to edit; and it is copied only for those.
        let text = std::str::from_utf8(&source.bytes).ok().map(str::to_owned);
        Self { text, toml, keys: OnceCell::new() }
    }

    /// The bytes of a place; nothing for one that there is not.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.as_deref().and_then(|text| text.get(range)).unwrap_or_default()
    }

    /// A key as the language writes it.
    fn key(&self, name: &str) -> String {
        let is_bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        if self.toml && is_bare { name.to_owned() } else { values::quoted(name) }
    }

    /// A key with its value.
    fn pair(&self, name: &str, value: &str) -> String {
        let between = if self.toml { " = " } else { ": " };
        format!("{}{between}{value}", self.key(name))
    }

    /// How a table or object is written.
    fn form(&self, node: &Node) -> Form {
        let braces = !self.toml || self.slice(node.range.clone()).starts_with('{');
        if braces { Form::Braces } else { Form::Lines }
    }

    /// The edits that give a member another key. `path` is that of the key; TOML writes the key of a table in each header.
    pub(super) fn rename(&self, path: &[&str], member: &Member, name: &str) -> Vec<Edit> {
        let text = self.key(name);
        let edit = |range: Range<usize>| Edit { range, text: text.clone() };
        if !self.toml || path.is_empty() {
            return vec![edit(member.key_range.clone())];
        }
        let path: Vec<String> = path.iter().map(|step| (*step).to_owned()).collect();
        let keys = self.keys.get_or_init(|| self.text.as_deref().map(toml_keys::places).unwrap_or_default());
        keys.get(&path).into_iter().flatten().cloned().map(edit).collect()
    }

    /// The edits that put `hooks.` before a key at a TOML document's root, wherever it stands; none where that would give
    /// `hooks` in two ways that exclude each other.
    pub(super) fn below_hooks(&self, name: &str) -> Vec<Edit> {
        let keys = self.keys.get_or_init(|| self.text.as_deref().map(toml_keys::places).unwrap_or_default());
        let places = keys.get(&vec![name.to_owned()]).into_iter().flatten();
        let mut starts: Vec<usize> = places.map(|range| range.start).collect();
        starts.sort_unstable();
        let mut text = self.text.clone().unwrap_or_default();
        starts.iter().rev().for_each(|at| text.insert_str(*at, BELOW));
        if toml_tree::parse(text.as_bytes()).is_err() {
            return Vec::new();
        }
        starts.into_iter().map(|at| Edit { range: at..at, text: BELOW.to_owned() }).collect()
    }

    /// The edit that takes a member out; `None` where its value stands in more than one place.
    pub(super) fn remove(&self, holder: &Node, object: &Object, key: &str) -> Option<Edit> {
        if object.members.len() > MOST_MEMBERS {
            return None;
        }
        let number = object.members.iter().rposition(|member| member.key == key)?;
        let member = object.members.get(number)?;
        if self.form(holder) == Form::Braces {
            let range = values::member_bytes(object, number)?;
            return Some(Edit { range, text: String::new() });
        }
        self.is_on_line(member).then(|| Edit { range: self.line(member), text: String::new() })
    }

    /// Whether a TOML member is `key = value`, and no table with a header of its own.
    fn is_on_line(&self, member: &Member) -> bool {
        let between = member.key_range.end..member.value.range.start;
        between.start <= between.end && self.slice(between).trim() == "="
    }

    /// A member's bytes, and the whole line where nothing else stands on it.
    fn line(&self, member: &Member) -> Range<usize> {
        let whole = member.key_range.start..member.value.range.end;
        let Some((before, after)) = self.text.as_deref().and_then(|text| {
            let (before, rest) = text.split_at_checked(whole.start)?;
            Some((before, rest.get(whole.len()..)?))
        }) else {
            return whole;
        };
        let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
        let starts = before.len() == indent || before.trim_end_matches([' ', '\t']).ends_with('\n');
        let blank = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
        let ends = after.get(blank..).unwrap_or_default();
        match ends.strip_prefix('\n') {
            Some(_) if starts => whole.start - indent..whole.end + blank + 1,
            None if starts && ends.is_empty() => whole.start - indent..whole.end + blank,
            _ => whole,
        }
    }

    /// The edit that puts a key with its value before the first member of an object that has members.
    pub(super) fn insert(&self, holder: &Node, object: &Object, name: &str, value: &str) -> Option<Edit> {
        let first = object.members.first()?.key_range.start;
        let behind = match self.form(holder) {
            Form::Braces => ", ".to_owned(),
            Form::Lines => format!("\n{}", self.indent(first)),
        };
        Some(Edit { range: first..first, text: format!("{}{behind}", self.pair(name, value)) })
    }

    /// The blanks before a place on its line, where there is nothing else.
    fn indent(&self, at: usize) -> &str {
        let before = self.slice(0..at);
        let line = before.rsplit('\n').next().unwrap_or_default();
        if line.trim().is_empty() { line } else { "" }
    }

    /// The edits that make a list of one value. A TOML table with a header gets that of a list's element.
    pub(super) fn wrap_in_list(&self, node: &Node, header: &[&str]) -> Option<Vec<Edit>> {
        let range = node.range.clone();
        let put = |at: usize, text: &str| Edit { range: at..at, text: text.to_owned() };
        let text = self.slice(range.clone());
        if !self.toml || text.starts_with('{') {
            return Some(vec![put(range.start, "["), put(range.end, "]")]);
        }
        if text.starts_with('[') && !text.starts_with("[[") {
            return Some(vec![put(range.start, "["), put(range.end, "]")]);
        }
        // Only a list inside it has a header: the table's own is missing.
        let before = self.slice(0..range.start);
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let own = format!("[[{}]]\n", header.iter().map(|step| self.key(step)).collect::<Vec<_>>().join("."));
        self.slice(line..range.start).starts_with("[[").then(|| vec![put(line, &own)])
    }

    /// The edits that make a group of a handler which stands in its place: all but the matcher goes into `hooks`.
    /// `header` is the path of the group's list.
    pub(super) fn wrap_in_group(
        &self,
        holder: &Node,
        object: &Object,
        matcher: &str,
        list: &str,
        header: &[&str],
    ) -> Option<Vec<Edit>> {
        if object.members.len() > MOST_MEMBERS {
            return None;
        }
        let put = |at: usize, text: String| Edit { range: at..at, text };
        let others: Vec<_> = object.members.iter().filter(|member| member.key != matcher).collect();
        let (first, last) = (others.first()?, others.last()?);
        let between = object.members.iter().filter(|member| member.key == matcher);
        let is_inside = |member: &&Member| member.key_range.start > first.key_range.start;
        let inside: Vec<_> = between.filter(is_inside).collect();
        if self.form(holder) == Form::Lines {
            if !self.slice(holder.range.clone()).starts_with("[[") || !others.iter().all(|one| self.is_on_line(one)) {
                return None;
            }
            let mut edits = Vec::new();
            let mut before = String::new();
            for member in inside {
                let range = self.line(member);
                before.push_str(self.slice(range.clone()));
                if !before.ends_with('\n') {
                    before.push('\n');
                }
                edits.push(Edit { range, text: String::new() });
            }
            let header: Vec<_> = header.iter().chain([&list]).map(|step| self.key(step)).collect();
            edits.insert(
                0,
                put(self.slice(0..first.key_range.start).rfind('\n').map_or(0, |at| at + 1), {
                    format!("{before}[[{}]]\n", header.join("."))
                }),
            );
            return Some(edits);
        }
        let (open, close) = ("[{ ", " }]");
        let mut edits = Vec::new();
        let mut before = String::new();
        for member in &inside {
            let number = object.members.iter().position(|one| one == *member)?;
            let range = values::member_bytes(object, number)?;
            let pair = self.slice(member.key_range.start..member.value.range.end);
            before.push_str(pair);
            before.push_str(", ");
            edits.push(Edit { range, text: String::new() });
        }
        edits.push(put(first.key_range.start, format!("{before}{}", self.pair(list, open))));
        edits.push(put(last.value.range.end, close.to_owned()));
        edits.sort_by_key(|edit| edit.range.start);
        Some(edits)
    }
}

/// A diagnostic with edits, if there are any, and what they change.
pub(super) fn with(
    mut found: Diagnostic,
    edits: Vec<Edit>,
    changes: impl Into<std::borrow::Cow<'static, str>>,
) -> Diagnostic {
    if !edits.is_empty() {
        found.edits = edits;
        found = found.changes(changes);
    }
    found
}
