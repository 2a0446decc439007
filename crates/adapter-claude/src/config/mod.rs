//! Configuration documents: settings files, a plugin's hooks file, the hooks in a plugin's manifest, and those in the head of
//! a skill, command or agent.
//!
//! Observed on 2.1.332 (cases `cfg-*`): a fault under a guard event drops the whole file, permission
//! rules and all; under any other event it costs the entry, the group or the event. What the client says nothing about
//! is reported as silent.

mod across;
mod advice;
mod copies;
mod edits;
mod faults;
mod frontmatter;
mod handler;
mod hooks;
pub(crate) mod keys;
mod matchers;
mod meant;
mod powershell;
pub(crate) mod reader;
pub(crate) mod switches;
mod syntax;
mod write;

pub(crate) use across::across;

use std::ops::Range;
use std::sync::Arc;

use hooks_core::adapter::Parsed;
use hooks_core::boundary::Facet;
use hooks_core::channel::Channels;
use hooks_core::definition::{BindingId, Definition, FailurePolicy, Place, State};
use hooks_core::diagnostic::{Diagnostic, Reach, Severity};
use hooks_core::document::{JsonRules, Member, Node, Object, SyntaxFault, Value, parse_json, pointer_to};
use hooks_core::handler::Handler;
use hooks_core::matcher::Matcher;
use hooks_core::source::{Life, Origin, Role, Source, Syntax};
use hooks_core::vendor::Version;

use self::reader::Reader;
use crate::events::{Event, FAULTS_STAY_LOCAL};
use crate::{VENDOR, codes, invoke};

/// What kind of document is read, as far as what is wrong with it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Settings.
    Settings,
    /// A plugin's hooks file or manifest.
    Plugin,
    /// The head of a skill, command or agent.
    Head,
}

impl Form {
    /// What it comes to that the client drops such a document.
    pub(crate) const fn drops(self) -> &'static str {
        match self {
            Self::Settings => "this drops the whole file, permission rules included",
            Self::Plugin => "for it no hook of this file loads",
            Self::Head => "for it the text keeps no hooks and no allowed tools",
        }
    }

    /// What a faulty entry under a guard event comes to. Of a plugin nothing loads, not only its hooks (case L039).
    pub(crate) const fn drops_for_guard(self) -> &'static str {
        match self {
            Self::Plugin => "for it the whole plugin fails to load",
            Self::Settings | Self::Head => self.drops(),
        }
    }
}

/// Reads one document. What is wrong with it stands in the order of the file.
pub(crate) fn parse(source: &Arc<Source>, version: Version) -> Parsed {
    let is_settings = source.role != Role::PluginManifest && source.origin != Origin::Plugin;
    let form = match (source.syntax, is_settings) {
        (Syntax::Yaml, _) => Form::Head,
        (_, true) => Form::Settings,
        (_, false) => Form::Plugin,
    };
    let mut reader = Reader::new(Parsed::empty(Arc::clone(source)), version, form);
    match source.syntax {
        Syntax::Json => {}
        Syntax::Yaml => return head(reader),
        _ => {
            reader.report(Diagnostic::new(&codes::NOT_JSON, Reach::File, "the client's settings are JSON"));
            reader.parsed.rejected = true;
            return reader.parsed;
        }
    }
    // A byte order mark is accepted in settings and not in a plugin's file (cases `cfg-json-bom`, L040).
    let rules = JsonRules { byte_order_mark: is_settings, lone_surrogates: true };
    let root = match parse_json(&source.bytes, rules) {
        Ok(root) => root,
        Err(error) if error.kind == SyntaxFault::Empty && is_settings => return reader.parsed,
        Err(_) => match syntax::read(&mut reader, rules) {
            Some(root) => root,
            None => return reader.finish(),
        },
    };
    let Some(object) = root.as_object() else {
        let message = format!("the file is {}, not an object; {}", root.phrase(), form.drops());
        reader.report(Diagnostic::new(&codes::NOT_AN_OBJECT, Reach::File, message).at(root.range.clone()).pointer(""));
        reader.parsed.rejected = true;
        return reader.finish();
    };
    match (source.role, is_settings) {
        (Role::PluginManifest, _) => manifest(&mut reader, object),
        (_, true) => settings(&mut reader, object),
        (_, false) => plugin_file(&mut reader, object, &root.range),
    }
    reader.finish()
}

/// The head of a skill, command or agent (hooks page, hooks in skills and agents; case L045). A head that cannot be read,
/// or a fault under a guard event, leaves the text without any hooks.
fn head(mut reader: Reader) -> Parsed {
    let source = Arc::clone(&reader.parsed.source);
    let root = match frontmatter::read(&source.bytes) {
        Ok(Some(root)) => root,
        Ok(None) => return reader.parsed,
        // Without hooks there is nothing to tell here.
        Err(_) if !frontmatter::speaks_of_hooks(&source.bytes) => return reader.parsed,
        Err(error) => {
            if let Some(root) = frontmatter::read_in_quotes(&source.bytes) {
                let message =
                    format!("{}; the client is said to read it again with such values in quotes", error.message);
                let found = Diagnostic::new(&codes::NOT_YAML, Reach::None, message).severity(Severity::Warning);
                reader.report(found.at(error.range).help("Put quotes around the value."));
                root
            } else {
                let message = format!("no hook of this file runs: {}", error.message);
                reader.report(Diagnostic::new(&codes::NOT_YAML, Reach::File, message).at(error.range));
                reader.parsed.rejected = true;
                return reader.parsed;
            }
        }
    };
    let Some(root) = root.as_object() else { return reader.parsed };
    misspelt_hooks(&mut reader, root);
    let Some(hooks) = root.get(keys::HOOKS.name) else { return reader.finish() };
    reader.in_agent = matches!(source.life, Life::Agent(_));
    hooks_value(&mut reader, hooks);
    if reader.in_agent && source.plugin.is_some() {
        let message = "hooks in the head of a plugin's agent are ignored";
        let mut diagnostic = Diagnostic::new(&codes::PLUGIN_AGENT, Reach::File, message);
        if reader.parsed.definitions.iter().any(Definition::can_block) {
            diagnostic = diagnostic.severity(Severity::Error);
        }
        reader.report(diagnostic.at(hooks.range.clone()).pointer("/hooks").silent());
        for definition in &mut reader.parsed.definitions {
            definition.state = State::Inert("it stands in the head of a plugin's agent".to_owned());
        }
    }
    reader.finish()
}

/// A settings file: other settings first, since a wrong one of them drops the hooks too.
fn settings(reader: &mut Reader, root: &Object) {
    switches::read(reader, root);
    misspelt_hooks(reader, root);
    stray_events(reader, root);
    let counts = |key: &str| key == keys::HOOKS.name || keys::SETTINGS.iter().any(|one| one.path().next() == Some(key));
    reader.repeated_keys(root, None, "", counts);
    repeated_hooks(reader, root);
    if let Some(hooks) = root.get(keys::HOOKS.name) {
        hooks_value(reader, hooks);
    }
}

/// A key that is nearly `hooks`.
fn misspelt_hooks<'o>(reader: &mut Reader, root: &'o Object) -> Option<&'o str> {
    let is_meant = |member: &&Member| {
        let key = member.key.to_ascii_lowercase();
        member.key != keys::HOOKS.name && matches!(key.as_str(), "hooks" | "hook") && member.value.as_object().is_some()
    };
    let member = root.members.iter().find(is_meant)?;
    let at = member.key_range.clone();
    let pointer = pointer_to("", &member.key);
    let beside = root.get(keys::HOOKS.name).is_some();
    let message = match beside {
        true => format!("`{}` is not `hooks`: the client does not see it, and none of its hooks run", member.key),
        false => format!("`{}` is not `hooks`: the client does not see it, and no hook of this file runs", member.key),
    };
    let diagnostic = Diagnostic::new(&codes::HOOKS_KEY_MISSPELT, Reach::File, message);
    let diagnostic = match beside {
        true => Diagnostic { reach: Reach::Event, ..diagnostic }.help("Put all events into one `hooks`."),
        false => edits::suggest(diagnostic, at.clone(), Some((keys::HOOKS.name, true))),
    };
    reader.report(diagnostic.at(at.clone()).pointer(pointer.clone()).silent());
    if let Some(events) = member.value.as_object() {
        reader.lost(at, |reader| reader.events(events, &pointer));
    }
    Some(&member.key)
}

/// Events at the top of a settings file, where the client looks for settings.
fn stray_events(reader: &mut Reader, root: &Object) {
    let strays: Vec<_> = root.members.iter().filter(|member| reader.event(&member.key).is_some()).collect();
    let Some(first) = strays.first() else { return };
    let names: Vec<_> = strays.iter().map(|member| format!("`{}`", member.key)).collect();
    let message = format!("{} at the top of the file is no setting: its hooks never run", names.join(", "));
    let mut diagnostic = Diagnostic::new(&codes::MISSING_HOOKS_WRAPPER, Reach::Event, message);
    diagnostic = wrapped_in_hooks(reader, diagnostic, root);
    reader.report(diagnostic.at(first.key_range.clone()).pointer(pointer_to("", &first.key)).silent());
    beside(reader, &strays);
}

/// Reads events that stand where the client does not look for them.
fn beside(reader: &mut Reader, strays: &[&Member]) {
    for stray in strays {
        let alone = Object { members: vec![(*stray).clone()] };
        reader.lost(stray.key_range.clone(), |reader| reader.events(&alone, ""));
    }
}

/// A `hooks` that stands again further down: what is in it is read for its faults.
fn repeated_hooks(reader: &mut Reader, root: &Object) {
    for (at, _) in edits::repeated(root) {
        let member = root.members.get(at).filter(|member| member.key == keys::HOOKS.name);
        let Some((member, events)) = member.and_then(|member| Some((member, member.value.as_object()?))) else {
            continue;
        };
        reader.lost(member.key_range.clone(), |reader| reader.events(events, "/hooks"));
    }
}

/// Events at the top put into `hooks`, where that is not there yet and they stand beside each other.
fn wrapped_in_hooks(reader: &Reader, diagnostic: Diagnostic, root: &Object) -> Diagnostic {
    let is_event = |member: &Member| reader.event(&member.key).is_some();
    let mut from_first = root.members.iter().skip_while(|member| !is_event(member));
    let together: Vec<_> = from_first.by_ref().take_while(|member| is_event(member)).collect();
    match (together.first(), together.last()) {
        (Some(first), Some(last)) if !from_first.any(is_event) && root.get(keys::HOOKS.name).is_none() => {
            let range = first.key_range.start..last.value.range.end;
            reader.wrapped(diagnostic, &range, "\"hooks\": {", "}")
        }
        _ => diagnostic,
    }
}

/// `hooks` of a settings file or a plugin's hooks file.
fn hooks_value(reader: &mut Reader, hooks: &Node) {
    match &hooks.value {
        Value::Object(events) => reader.events(events, "/hooks"),
        value => {
            // An array drops the file; anything else is ignored alone (cases `cfg-hooks-top-*`).
            let drops = matches!(value, Value::Array(_));
            let comes_to = if drops { reader.form.drops() } else { "no hook of this file runs" };
            let message = format!("`hooks` is {}, not an object from events to groups; {comes_to}", hooks.phrase());
            let mut diagnostic = Diagnostic::new(&codes::HOOKS_NOT_OBJECT, Reach::File, message);
            // A list of hooks that each name their event.
            let event = |item: &Node| item.as_object().and_then(|item| reader.event(item.get("event")?.as_str()?));
            if let Some(event) = hooks.as_array().into_iter().flatten().find_map(event) {
                diagnostic = diagnostic.help(format!(
                    "Write the event as a key: {{ \"{}\": [ {{ \"matcher\": \"...\", \"hooks\": [ {{ \"type\": \"command\", \
                     \"command\": \"...\" }} ] }} ] }}.",
                    event.facts.name
                ));
            }
            reader.report(diagnostic.at(hooks.range.clone()).pointer("/hooks"));
            reader.parsed.rejected |= drops;
        }
    }
}

/// A plugin's hooks file, in which the events stand under `hooks`.
fn plugin_file(reader: &mut Reader, root: &Object, range: &Range<usize>) {
    let strays: Vec<_> = root.members.iter().filter(|member| reader.event(&member.key).is_some()).collect();
    if let (None, Some(first)) = (root.get(keys::HOOKS.name), strays.first()) {
        // Seen with a guard event; another one was not tried, and unknown keys are ignored (cases L036, L037).
        let guard = strays.iter().find(|member| reader.event(&member.key).is_some_and(|event| event.guard));
        let event = guard.unwrap_or(first);
        let comes_to = match guard {
            Some(_) => "the whole plugin fails to load",
            None => "its hooks never run",
        };
        let message = format!("`{}` stands at the top of the file, outside `hooks`: {comes_to}", event.key);
        let start = range.start..range.start + 1;
        let diagnostic = Diagnostic::new(&codes::MISSING_HOOKS_WRAPPER, Reach::File, message);
        let diagnostic = wrapped_in_hooks(reader, diagnostic, root);
        reader.report(diagnostic.at(start).pointer("").related("the event", event.key_range.clone()));
        reader.parsed.rejected = true;
        // What else is wrong with them is told too.
        let members = strays.into_iter().cloned().collect();
        reader.events(&Object { members }, "");
        return;
    }
    let misspelt = misspelt_hooks(reader, root);
    let names = || keys::PLUGIN_FILE.iter().map(|key| key.name);
    let others: Vec<_> = names().filter(|name| root.get(name).is_none()).collect();
    for member in &root.members {
        if names().any(|name| name == member.key) || misspelt == Some(&member.key) {
            continue;
        }
        let event = reader.event(&member.key).is_some();
        let message = match event {
            true => format!("`{}` stands beside `hooks`, not in it: its hooks never run", member.key),
            false => format!("`{}` is not a key of a plugin's hooks file", member.key),
        };
        let mut diagnostic = Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::None, message);
        if event {
            diagnostic.reach = Reach::Event;
        } else {
            let meant = edits::meant(&member.key, others.iter().copied());
            diagnostic = edits::suggest(diagnostic, member.key_range.clone(), meant);
        }
        reader.report(diagnostic.at(member.key_range.clone()).pointer(pointer_to("", &member.key)));
    }
    reader.repeated_keys(root, None, "", |key| names().any(|name| name == key));
    beside(reader, &strays);
    repeated_hooks(reader, root);
    if let Some(hooks) = root.get(keys::HOOKS.name) {
        hooks_value(reader, hooks);
    }
}

/// A plugin's manifest: `hooks` names files, or holds the events themselves without a wrapper (cases L041 to L044).
fn manifest(reader: &mut Reader, root: &Object) {
    misspelt_hooks(reader, root);
    reader.repeated_keys(root, None, "", |key| key == keys::HOOKS.name);
    repeated_hooks(reader, root);
    let Some(hooks) = root.get(keys::HOOKS.name) else { return };
    match &hooks.value {
        Value::Object(events) => match events.member(keys::HOOKS.name) {
            Some(wrapper) if wrapper.value.as_object().is_some() => {
                let message = "the manifest's `hooks` has a second `hooks` inside, so the plugin does not load";
                let mut diagnostic = Diagnostic::new(&codes::SUPERFLUOUS_WRAPPER, Reach::Plugin, message);
                if events.members.len() == 1 {
                    diagnostic = diagnostic
                        .edit(hooks.range.clone(), reader.raw(&wrapper.value.range))
                        .changes("the plugin loads");
                }
                reader.report(diagnostic.at(wrapper.key_range.clone()).pointer("/hooks/hooks"));
                reader.parsed.rejected = true;
                if let Some(inner) = wrapper.value.as_object() {
                    reader.events(inner, "/hooks/hooks");
                }
            }
            _ => reader.events(events, "/hooks"),
        },
        Value::String(path) => named(reader, &[path.as_str()], hooks),
        Value::Array(items) if items.iter().all(|item| item.as_str().is_some()) => {
            named(reader, &items.iter().filter_map(Node::as_str).collect::<Vec<_>>(), hooks);
        }
        _ => {
            let message = format!("the manifest's `hooks` is {}: the plugin does not load", hooks.phrase());
            reader.report(
                Diagnostic::new(&codes::HOOKS_NOT_OBJECT, Reach::Plugin, message)
                    .at(hooks.range.clone())
                    .pointer("/hooks"),
            );
            reader.parsed.rejected = true;
        }
    }
}

/// The file of a plugin's hooks that is read whether the manifest names it or not.
const STANDARD_HOOKS: &str = "./hooks/hooks.json";

fn named(reader: &mut Reader, paths: &[&str], hooks: &Node) {
    let is_standard = !paths.is_empty() && paths.iter().all(|path| *path == STANDARD_HOOKS);
    let message = match is_standard {
        true => format!("the client reads `{STANDARD_HOOKS}` in any case: that it is named again changes nothing"),
        false => format!("the hooks stand in {}", paths.join(", ")),
    };
    let mut found = Diagnostic::new(&codes::HOOKS_FILE_NAMED, Reach::None, message);
    if is_standard {
        found = found.help("Leave it, or leave `hooks` out of the manifest.");
    }
    reader.report(found.at(hooks.range.clone()).pointer("/hooks").silent());
    let items = hooks.as_array().unwrap_or_else(|| std::slice::from_ref(hooks));
    for (item, at) in items.iter().zip(0..) {
        let Some(path) = item.as_str().filter(|path| !path.starts_with("./")) else { continue };
        let pointer = if hooks.as_array().is_some() { format!("/hooks/{at}") } else { "/hooks".to_owned() };
        let message = format!("`{path}` does not start with `./`");
        let mut diagnostic = Diagnostic::new(&codes::MANIFEST_PATH, Reach::Plugin, message);
        if !path.starts_with(['/', '.', '$', '~']) && !path.contains(':') {
            let whole = hooks_core::lint::values::quoted(&format!("./{path}"));
            diagnostic = diagnostic.edit(item.range.clone(), whole).changes("the client finds the file");
        }
        reader.report(diagnostic.at(item.range.clone()).pointer(pointer));
    }
}

/// A definition with the vendor's defaults for its event and handler; without an event it is one that never runs.
pub(crate) fn definition(
    source: &Arc<Source>,
    event: Option<&'static Event>,
    place: Place,
    range: Range<usize>,
    handler: Handler,
) -> Definition {
    let timeout = event.map_or(0.0, |event| event.timeout_s(handler.kind()));
    Definition {
        id: BindingId::of(source, &place),
        vendor: VENDOR,
        source: Arc::clone(source),
        place,
        range,
        boundary: event.and_then(|event| event.facts.boundary),
        facet: event.map_or(Facet::Any, |event| event.facts.facet),
        handler,
        matcher_text: None,
        matcher: Matcher::All,
        condition: None,
        timeout: invoke::seconds(timeout),
        failure: FailurePolicy::Open,
        loop_limit: None,
        context_limit: None,
        channels: event.map_or(Channels::NONE, |event| event.facts.channels),
        once: false,
        status_message: None,
        dedup_key: None,
        state: State::Live,
    }
}

/// Whether a fault under an event drops the whole file.
fn drops_file(event: &Event, version: Version) -> bool {
    event.guard || FAULTS_STAY_LOCAL.at(version) == Some(false)
}
