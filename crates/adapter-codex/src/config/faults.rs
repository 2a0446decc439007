//! What is wrong with a document as such, with keys and with the types of values, and the edits that mend it.

use std::borrow::Cow;

use hooks_core::diagnostic::{Diagnostic, Edit, Reach, Severity};
use hooks_core::document::{JsonRules, Member, Node, Object, SyntaxError, Value};
use hooks_core::lint::nearest::{Nearest, nearest};
use hooks_core::lint::syntax::{self, MistakeKind};
use hooks_core::lint::values;
use hooks_core::source::{Role, Syntax};

use super::at::At;
use super::hooks::{event_near, find_null};
use super::keys::{self, Key};
use super::mend::{MOST_MEMBERS, Text, with};
use super::{Reader, toml_syntax};
use crate::events::{self, EVENTS};
use crate::{codes, locations};

/// What mending a file does that Codex drops.
pub(super) const TAKES_FILE: &str = "Codex takes the file, so that its hooks run";

/// What a file's hooks, an event and a group must hold, in messages.
pub(super) const AN_EVENT_MAP: &str = "an object of events";
pub(super) const GROUPS: &str = "an array of groups";
pub(super) const HANDLERS: &str = "an array of handlers";

/// What begins the words for when something would count.
const COUNTS: &str = " (counts once ";

impl Reader {
    /// The document's text.
    pub(super) fn text(&self) -> &Text {
        self.text.get_or_init(|| Text::of(&self.parsed.source))
    }

    /// Reports a document that is no JSON: its first mistake; for who asks for advice all, and then the tree that it has
    /// once they are mended.
    pub(super) fn json_mistakes(&mut self, error: &SyntaxError) -> Option<Node> {
        (self.unreadable, self.only_advice) = (true, true);
        let reach = self.file_reach();
        let found = syntax::mistakes(&self.parsed.source.bytes, JsonRules::default());
        for mistake in found.mistakes.into_iter().take(if self.advising { usize::MAX } else { 1 }) {
            let code = match mistake.kind {
                MistakeKind::ByteOrderMark => &codes::BYTE_ORDER_MARK,
                MistakeKind::Comment => &codes::COMMENT,
                MistakeKind::TrailingComma => &codes::TRAILING_COMMA,
                _ => &codes::NOT_JSON,
            };
            let mut found = mistake.diagnostic(code, reach).pointer("");
            if !found.edits.is_empty() {
                found = found.changes(TAKES_FILE);
            }
            self.unmended(&found);
            self.fatal.push(found);
        }
        if self.fatal.is_empty() {
            let found = Diagnostic::new(&codes::NOT_JSON, reach, error.message.clone());
            self.fatal.push(found.at(error.range.clone()).pointer(""));
        }
        found.read.filter(|_| self.advising)
    }

    /// The same of a document that is no TOML.
    pub(super) fn toml_mistakes(&mut self, error: SyntaxError) -> Option<Node> {
        (self.unreadable, self.only_advice) = (true, true);
        let reach = self.file_reach();
        let (mistakes, root) = toml_syntax::mistakes(&self.parsed.source.bytes, error);
        for mistake in mistakes.into_iter().take(if self.advising { usize::MAX } else { 1 }) {
            let mut found = Diagnostic::new(&codes::NOT_TOML, reach, mistake.message).at(mistake.range).pointer("");
            if let Some(help) = mistake.help {
                found = found.help(help);
            }
            let found = with(found, mistake.edits, "Codex can load the file");
            self.unmended(&found);
            self.fatal.push(found);
        }
        root.filter(|_| self.advising)
    }

    /// Keeps the place of a mistake in the text that only its author can mend: of what is around it nobody knows what it is.
    fn unmended(&mut self, found: &Diagnostic) {
        if let Some(range) = found.range.clone().filter(|_| found.edits.is_empty()) {
            self.unmended.push(range);
        }
    }

    /// Takes back what is told of things around mistakes in the text that only their author can mend, from a number of faults
    /// on. Of the rest nothing is mended before they are.
    pub(super) fn around_mistakes(&mut self, faults: usize) {
        if self.unmended.is_empty() {
            return;
        }
        let unmended = std::mem::take(&mut self.unmended);
        let in_toml = self.source().syntax == Syntax::Toml;
        let text = self.text.get_or_init(|| Text::of(&self.parsed.source));
        let around = |found: &Diagnostic| {
            let range = found.range.clone().unwrap_or_default();
            unmended.iter().any(|mistake| {
                // A table goes on behind its header.
                let between = text.slice(range.end..mistake.start.max(range.end));
                let goes_on = in_toml && text.slice(range.clone()).starts_with('[') && !between.contains("\n[");
                range.start <= mistake.end && (mistake.start <= range.end || goes_on)
            })
        };
        let told = self.fatal.split_off(faults);
        self.fatal.extend(told.into_iter().filter(|found| !around(found)));
        for list in [&mut self.soft, &mut self.advice] {
            list.retain(|found| !around(found));
        }
        let later = self.fatal.iter_mut().skip(faults).chain(&mut self.soft).chain(&mut self.advice);
        for found in later {
            found.edits.clear();
            found.changes = None;
        }
    }

    /// Reads what does not count as it stands, for what else is wrong in it. `until` says when it would count; none of it costs
    /// anything until then.
    pub(super) fn below<T>(&mut self, until: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let (fatal, soft, advice) = (self.fatal.len(), self.soft.len(), self.advice.len());
        let around = std::mem::replace(&mut self.only_advice, true);
        let result = read(self);
        self.only_advice = around;
        let mut found = self.fatal.split_off(fatal);
        found.extend(self.soft.split_off(soft));
        found.extend(self.advice.split_off(advice));
        for one in &mut found {
            if !one.message.contains(COUNTS) {
                one.message = format!("{}{COUNTS}{until})", one.message);
            }
            one.reach = Reach::None;
            one.edits.clear();
            one.changes = None;
        }
        if self.advising {
            self.advice.extend(found);
        }
        result
    }

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
