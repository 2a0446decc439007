//! Configuration documents: settings files, a plugin's hooks file, the hooks in a plugin's manifest, and those in the head of
//! a skill, command or agent.
//!
//! Observed on 2.1.332 (cases `cfg-*`): a fault under a guard event drops the whole file, permission
//! rules and all; under any other event it costs the entry, the group or the event. What the client says nothing about
//! is reported as silent.

mod frontmatter;
mod handler;
pub(crate) mod keys;
pub(crate) mod reader;
pub(crate) mod switches;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use hooks_core::adapter::Parsed;
use hooks_core::boundary::Facet;
use hooks_core::channel::Channels;
use hooks_core::definition::{BindingId, Definition, FailurePolicy, Place, State};
use hooks_core::diagnostic::{Diagnostic, Reach};
use hooks_core::document::{JsonRules, Node, Object, SyntaxFault, Value, parse_json, pointer_to};
use hooks_core::handler::Handler;
use hooks_core::matcher::Matcher;
use hooks_core::source::{Life, Origin, Role, Source, Syntax};
use hooks_core::vendor::Version;

use self::reader::Reader;
use crate::events::{Event, FAULTS_STAY_LOCAL};
use crate::{VENDOR, codes, invoke};

/// Reads one document.
pub(crate) fn parse(source: &Arc<Source>, version: Version) -> Parsed {
    let mut reader = Reader {
        parsed: Parsed::empty(Arc::clone(source)),
        version,
        pointers: Vec::new(),
        matchers: HashMap::new(),
        in_agent: false,
    };
    match source.syntax {
        Syntax::Json => {}
        Syntax::Yaml => return head(reader),
        _ => {
            reader.report(Diagnostic::new(&codes::NOT_JSON, Reach::File, "the client's settings are JSON"));
            reader.parsed.rejected = true;
            return reader.parsed;
        }
    }
    let is_settings = source.role != Role::PluginManifest && source.origin != Origin::Plugin;
    // A byte order mark is accepted in settings and not in a plugin's file (cases `cfg-json-bom`, L040).
    let rules = JsonRules { byte_order_mark: is_settings, lone_surrogates: true };
    let root = match parse_json(&source.bytes, rules) {
        Ok(root) => root,
        Err(error) if error.kind == SyntaxFault::Empty && is_settings => return reader.parsed,
        Err(error) => {
            let message = format!("nothing in this file applies: {}", error.message);
            reader.report(Diagnostic::new(&codes::NOT_JSON, Reach::File, message).at(error.range));
            reader.parsed.rejected = true;
            return reader.parsed;
        }
    };
    let Some(object) = root.as_object() else {
        let message = format!("the file is {}, not an object", root.phrase());
        reader.report(Diagnostic::new(&codes::NOT_AN_OBJECT, Reach::File, message).at(root.range.clone()).pointer(""));
        reader.parsed.rejected = true;
        return reader.parsed;
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
        Err(error) => {
            let message = format!("no hook of this file runs: {}", error.message);
            reader.report(Diagnostic::new(&codes::NOT_YAML, Reach::File, message).at(error.range));
            reader.parsed.rejected = true;
            return reader.parsed;
        }
    };
    let Some(hooks) = root.as_object().and_then(|root| root.get(keys::HOOKS.name)) else { return reader.parsed };
    reader.in_agent = matches!(source.life, Life::Agent(_));
    hooks_value(&mut reader, hooks);
    if reader.in_agent && source.plugin.is_some() {
        let message = "hooks in the head of a plugin's agent are ignored";
        let diagnostic = Diagnostic::new(&codes::PLUGIN_AGENT, Reach::File, message);
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
    if let Some(hooks) = root.get(keys::HOOKS.name) {
        hooks_value(reader, hooks);
    }
}

/// `hooks` of a settings file or a plugin's hooks file.
fn hooks_value(reader: &mut Reader, hooks: &Node) {
    match &hooks.value {
        Value::Object(events) => reader.events(events, "/hooks"),
        value => {
            // An array drops the file; anything else is ignored alone (cases `cfg-hooks-top-*`).
            let drops = matches!(value, Value::Array(_));
            let message = format!("`hooks` is {}, not an object from events to groups", hooks.phrase());
            reader.report(
                Diagnostic::new(&codes::HOOKS_NOT_OBJECT, Reach::File, message)
                    .at(hooks.range.clone())
                    .pointer("/hooks"),
            );
            reader.parsed.rejected |= drops;
        }
    }
}

/// A plugin's hooks file, in which the events stand under `hooks`.
fn plugin_file(reader: &mut Reader, root: &Object, range: &Range<usize>) {
    if root.get(keys::HOOKS.name).is_none()
        && let Some(event) = root.members.iter().find(|member| reader.event(&member.key).is_some())
    {
        let message = format!("`{}` stands at the top of the file, outside `hooks`", event.key);
        let start = range.start..range.start + 1;
        reader.report(
            Diagnostic::new(&codes::MISSING_HOOKS_WRAPPER, Reach::File, message)
                .at(start)
                .pointer("")
                .related("the event", event.key_range.clone()),
        );
        reader.parsed.rejected = true;
        return;
    }
    for member in &root.members {
        if !keys::PLUGIN_FILE.iter().any(|key| key.name == member.key) {
            let message = format!("`{}` is not a key of a plugin's hooks file", member.key);
            reader.report(
                Diagnostic::new(&codes::UNKNOWN_FIELD, Reach::None, message)
                    .at(member.key_range.clone())
                    .pointer(pointer_to("", &member.key)),
            );
        }
    }
    if let Some(hooks) = root.get(keys::HOOKS.name) {
        hooks_value(reader, hooks);
    }
}

/// A plugin's manifest: `hooks` names files, or holds the events themselves without a wrapper (cases L041 to L044).
fn manifest(reader: &mut Reader, root: &Object) {
    let Some(hooks) = root.get(keys::HOOKS.name) else { return };
    match &hooks.value {
        Value::Object(events) => match events.member(keys::HOOKS.name) {
            Some(wrapper) if wrapper.value.as_object().is_some() => {
                let message = "the manifest's `hooks` has a second `hooks` inside, so the plugin does not load";
                reader.report(
                    Diagnostic::new(&codes::SUPERFLUOUS_WRAPPER, Reach::Plugin, message)
                        .at(wrapper.key_range.clone())
                        .pointer("/hooks/hooks"),
                );
                reader.parsed.rejected = true;
            }
            _ => reader.events(events, "/hooks"),
        },
        Value::String(path) => named(reader, &[path.as_str()], hooks),
        Value::Array(items) if items.iter().all(|item| item.as_str().is_some()) => {
            named(reader, &items.iter().filter_map(Node::as_str).collect::<Vec<_>>(), hooks);
        }
        _ => {
            let message = format!("the manifest's `hooks` is {}", hooks.phrase());
            reader.report(
                Diagnostic::new(&codes::HOOKS_NOT_OBJECT, Reach::Plugin, message)
                    .at(hooks.range.clone())
                    .pointer("/hooks"),
            );
            reader.parsed.rejected = true;
        }
    }
}

fn named(reader: &mut Reader, paths: &[&str], hooks: &Node) {
    let message = format!("the hooks stand in {}", paths.join(", "));
    reader.report(
        Diagnostic::new(&codes::HOOKS_FILE_NAMED, Reach::None, message)
            .at(hooks.range.clone())
            .pointer("/hooks")
            .silent(),
    );
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
