//! Keys at the root of a document that may not stand there or were meant to be others, and what a plugin's manifest says of
//! hooks that is no object.

use hooks_core::diagnostic::{Diagnostic, Edit, Reach, Severity};
use hooks_core::document::{Member, Node, Object, Value};
use hooks_core::lint::nearest::nearest;
use hooks_core::lint::values;
use hooks_core::source::Role;

use super::Reader;
use super::at::At;
use super::faults::TAKES_FILE;
use super::hooks::event_near;
use super::keys;
use super::mend::{MOST_MEMBERS, with};
use crate::events::{self, EVENTS};
use crate::{codes, locations};

impl Reader {
    /// A key at the root of `hooks.json` for which Codex drops the file.
    pub(super) fn unknown_root_key(
        &mut self,
        root: &Node,
        object: &Object,
        member: &Member,
        hooks: Option<&Node>,
        base: &At<'_>,
    ) {
        let message = format!("`{}` may not stand at the root", member.key);
        let mut found = Diagnostic::new(&codes::UNKNOWN_ROOT_KEY, self.file_reach(), message)
            .at(member.key_range.clone())
            .pointer(base.key(&member.key).pointer());
        let is_small = object.members.len() <= MOST_MEMBERS;
        if let Some(near) = event_near(&member.key, self.version) {
            found = found.help(format!("Put it into `hooks`: {{\"hooks\": {{\"{}\": [...]}}}}.", near.name));
            let edits = if is_small { self.move_into_hooks(object, member, hooks) } else { Vec::new() };
            self.fatal.push(with(found, edits, "Codex takes the file, and these hooks run, which they did not before"));
            if let Some(event) = events::find(near.name) {
                let at = base.key(&member.key);
                self.below("it stands in `hooks`", |reader| {
                    reader.groups(event, &member.value, &at, &mut Vec::new());
                });
            }
            return;
        }
        let known = keys::ROOT.iter().filter(|key| key.is_known(self.version)).map(|key| key.name);
        let meant =
            nearest(&member.key, known).filter(|near| is_small && near.alone && object.get(near.name).is_none());
        let edits = match meant {
            Some(near) => {
                found = found.help(format!("Write `{}`.", near.name));
                self.text().rename(&[], member, near.name)
            }
            None => self.text().remove(root, object, &member.key).into_iter().collect(),
        };
        self.fatal.push(with(found, edits, TAKES_FILE));
        if meant.is_some_and(|near| near.name == keys::HOOKS) && member.value.as_object().is_some() {
            self.below("this is `hooks`", |reader| reader.hooks(&member.value, &base.key(&member.key)));
        }
    }

    /// The edits that put an event from the root into `hooks`.
    fn move_into_hooks(&self, object: &Object, member: &Member, hooks: Option<&Node>) -> Vec<Edit> {
        let put = |at: usize, text: String| Edit { range: at..at, text };
        let is_event = |member: &Member| event_near(&member.key, self.version).is_some();
        let whole = member.key_range.start..member.value.range.end;
        match hooks {
            // Those that stand side by side go into one new `hooks`, by the edits of the first.
            None => {
                let mut run = object.members.iter().skip_while(|one| !is_event(one)).take_while(|one| is_event(one));
                let Some(first) = run.next().filter(|first| first.key_range == member.key_range) else {
                    return Vec::new();
                };
                let last = run.last().unwrap_or(first);
                vec![put(whole.start, "\"hooks\": { ".to_owned()), put(last.value.range.end, " }".to_owned())]
            }
            Some(hooks) => {
                let Some(events) = hooks.as_object().filter(|events| events.get(&member.key).is_none()) else {
                    return Vec::new();
                };
                let number = object.members.iter().position(|one| one.key_range == member.key_range);
                let Some(gone) = number.and_then(|number| values::member_bytes(object, number)) else {
                    return Vec::new();
                };
                let behind = if events.members.is_empty() { "" } else { ", " };
                let text = format!("{}{behind}", self.text().slice(whole));
                let start = events.members.first().map_or(hooks.range.start + 1, |first| first.key_range.start);
                vec![put(start, text), Edit { range: gone, text: String::new() }]
            }
        }
    }

    /// What a plugin's manifest says of hooks that is no object: a path of a document, or nothing that the client takes
    /// notice of.
    pub(super) fn manifest_path(&mut self, node: &Node, at: &At<'_>) {
        let message = match node.as_str() {
            Some(path) if locations::inside_plugin(path).is_some() => return,
            Some(path) => format!("`{path}` is no path inside the plugin, so no hooks are loaded from it"),
            None => format!("this is {}, which names no hooks", node.phrase()),
        };
        let found = Diagnostic::new(&codes::PLUGIN_PATH_IGNORED, Reach::Plugin, message);
        let found = found.at(node.range.clone()).pointer(at.pointer());
        let relative =
            node.as_str().filter(|path| !path.starts_with(['/', '\\', '~', '$', '.']) && !path.contains(':'));
        let mended = relative.map(|path| format!("./{path}")).filter(|path| locations::inside_plugin(path).is_some());
        let edits = mended.map(|path| Edit { range: node.range.clone(), text: values::quoted(&path) });
        let changes = "Codex loads the hooks of that file, which it did not before";
        self.soft.push(with(found, edits.into_iter().collect(), changes));
    }

    /// Keys at the root of a TOML document that are no hooks and were meant to be.
    pub(super) fn beside_hooks(&mut self, root: &Object) {
        let base = At::base("");
        for member in &root.members {
            let at = base.key(&member.key);
            let place = |found: Diagnostic| found.at(member.key_range.clone()).pointer(at.pointer()).silent();
            let event = EVENTS.iter().find(|event| event.facts.name == member.key);
            if let Some(event) = event.filter(|_| is_groups(&member.value)) {
                let left = event.unguarded().map(|left| format!(": {left}")).unwrap_or_default();
                let message = format!("`{}` stands outside of `hooks`, so its hooks never run{left}", member.key);
                let found = Diagnostic::new(&codes::EVENT_OUTSIDE_HOOKS, Reach::Event, message)
                    .help(format!("Write `[[hooks.{}]]`, then `[[hooks.{0}.hooks]]`.", member.key));
                let found = if event.guards() { found.severity(Severity::Error) } else { found };
                let is_free =
                    root.get(keys::HOOKS).and_then(Node::as_object).is_none_or(|it| it.get(&member.key).is_none());
                let edits = if is_free { self.text().below_hooks(&member.key) } else { Vec::new() };
                self.advice.push(with(place(found), edits, "these hooks run, which they did not before"));
                self.below("it stands in `hooks`", |reader| {
                    reader.groups(event, &member.value, &at, &mut Vec::new());
                });
                continue;
            }
            let names = keys::TOML_ROOT.iter().map(|key| key.name);
            let Some(near) = nearest(&member.key, names).filter(|near| near.alone) else { continue };
            // Other keys of these files are somebody else's: only what holds what the right key would hold is one.
            let fits = match near.name {
                keys::HOOKS => member.value.as_object().is_some_and(|map| {
                    map.members.iter().any(|member| EVENTS.iter().any(|event| event.facts.name == member.key))
                }),
                keys::MANAGED_ONLY => self.source().role == Role::Requirements,
                _ => member
                    .value
                    .as_object()
                    .is_some_and(|it| keys::SWITCHES.iter().any(|key| it.get(key.name).is_some())),
            };
            if !fits {
                continue;
            }
            let message = format!("`{}` is no key that Codex knows, and nearly `{}`", member.key, near.name);
            let found = Diagnostic::new(&codes::KEY_NEARLY_RIGHT, Reach::File, message);
            let found = place(found.help(format!("Write `{}`.", near.name)));
            let is_free = root.get(near.name).is_none();
            let edits = if is_free { self.text().rename(&[&member.key], member, near.name) } else { Vec::new() };
            self.advice.push(with(found, edits, "what stands there counts, which it did not before"));
            if near.name == keys::HOOKS {
                self.below("this is `hooks`", |reader| reader.hooks(&member.value, &at));
            }
        }
    }
}

/// Whether a value is a list of groups, or one.
fn is_groups(node: &Node) -> bool {
    let is_group = |node: &Node| {
        let marks = [keys::HOOKS, keys::MATCHER, keys::TYPE, keys::COMMAND];
        node.as_object().is_some_and(|object| marks.iter().any(|key| object.get(key).is_some()))
    };
    match &node.value {
        Value::Array(items) => items.iter().any(is_group),
        _ => is_group(node),
    }
}
