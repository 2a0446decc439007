//! Settings beside the hooks: the switches that turn hooks off, and those whose wrong type drops the file.

use std::collections::BTreeSet;

use hooks_core::adapter::{Parsed, Rulings, Switch};
use hooks_core::definition::State;
use hooks_core::diagnostic::{Diagnostic, Reach};
use hooks_core::document::{JsonRules, Node, Object, Value, parse_json, pointer_to};
use hooks_core::source::Origin;

use super::reader::Reader;
use super::{edits, keys};
use crate::codes;

/// Reads the settings beside the hooks.
pub(super) fn read(reader: &mut Reader, root: &Object) {
    for setting in keys::SETTINGS {
        let kind = setting.key.kind;
        let mut pointer = String::new();
        let mut object = Some(root);
        let mut found = None;
        for step in setting.path() {
            pointer = pointer_to(&pointer, step);
            found = object.and_then(|object| object.member(step));
            object = found.and_then(|member| member.value.as_object());
        }
        if let Some(member) = found.filter(|member| !kind.fits(&member.value)) {
            let node = &member.value;
            let message = format!(
                "`{}` is {}, not {}; {}",
                setting.path().collect::<Vec<_>>().join("."),
                node.phrase(),
                kind.phrase(),
                reader.form.drops()
            );
            let diagnostic = Diagnostic::new(&codes::INVALID_OTHER_SETTING, Reach::File, message);
            let diagnostic = reader.retyped(diagnostic, &setting.key, member);
            reader.report(diagnostic.at(node.range.clone()).pointer(pointer));
            reader.parsed.rejected = true;
        }
    }
    misspelt(reader, root);
    if let Some(off) = root.get(keys::DISABLE_ALL.key.name).and_then(Node::as_bool) {
        reader.parsed.switches.push(Switch::DisableAll(off));
    }
    let managed = reader.parsed.source.origin == Origin::Managed;
    for setting in keys::SETTINGS.iter().filter(|setting| setting.managed) {
        let key = setting.key.name;
        let Some(member) = root.member(key) else { continue };
        if !managed {
            let message = format!("`{key}` counts in managed settings only");
            let diagnostic = Diagnostic::new(&codes::NO_EFFECT_HERE, Reach::None, message);
            let diagnostic = reader.without(diagnostic, root, key);
            reader.report(diagnostic.at(member.key_range.clone()).pointer(pointer_to("", key)).silent());
        }
    }
    if !managed {
        return;
    }
    if let Some(only) = root.get(keys::MANAGED_ONLY.key.name) {
        reader.parsed.switches.push(Switch::ManagedOnly(only.as_bool() == Some(true)));
    }
    if let Some(only) = root.get(keys::PLUGINS_ONLY.key.name) {
        let on = match &only.value {
            Value::Bool(on) => *on,
            Value::Array(parts) => parts.iter().any(|part| part.as_str() == Some("hooks")),
            _ => false,
        };
        reader.parsed.switches.push(Switch::PluginsOnly(on));
    }
}

/// Keys that are nearly one of the settings that turn hooks off or bind them. Other settings have names of their own, so
/// only long names are compared.
fn misspelt(reader: &mut Reader, root: &Object) {
    let switches =
        [&keys::DISABLE_ALL, &keys::MANAGED_ONLY, &keys::PLUGINS_ONLY, &keys::HTTP_URLS, &keys::HTTP_VARIABLES];
    let names = || switches.iter().map(|setting| setting.key.name);
    let free: Vec<_> = names().filter(|name| root.get(name).is_none()).collect();
    for member in &root.members {
        if names().any(|name| name == member.key) {
            continue;
        }
        let Some((meant, true)) = edits::meant(&member.key, free.iter().copied()) else { continue };
        let message = format!("the client does not know `{}`; probably `{meant}` is meant", member.key);
        let diagnostic = Diagnostic::new(&codes::SETTING_MISSPELT, Reach::None, message);
        let at = member.key_range.clone();
        let diagnostic = edits::suggest(diagnostic, at.clone(), Some((meant, true)));
        reader.report(diagnostic.at(at).pointer(pointer_to("", &member.key)).silent());
    }
}

/// Why a document's hooks are off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    /// The document with the switch, by number.
    pub(super) by: usize,
    /// The switch.
    pub(super) key: &'static str,
}

/// What the switches of all documents come to (settings page; cases `disable-all`, L046 to L051). Documents stand by precedence, lower first.
///
/// `disableAllHooks` counts where it stands highest. From managed settings it stops everything; from below it stops
/// neither managed hooks nor those of plugins that managed settings force on.
pub(crate) fn rule(documents: &[Parsed]) -> Rulings {
    let state = |cause: Option<Cause>| {
        let Cause { by, key } = cause?;
        let place = match documents.get(by) {
            Some(by) if key == keys::DISABLE_ALL.key.name => by.source.path.as_str(),
            _ => "managed settings",
        };
        Some(State::Disabled(format!("{key} in {place}")))
    };
    Rulings { states: causes(documents).into_iter().map(state).collect(), refuse: None }
}

/// Why each document's hooks are off; `None` where they are not.
pub(super) fn causes(documents: &[Parsed]) -> Vec<Option<Cause>> {
    let read = || documents.iter().enumerate().filter(|(_, document)| !document.rejected);
    let is_managed = |document: &Parsed| document.source.origin == Origin::Managed;
    let mut off = None;
    let (mut managed_only, mut plugins_only) = (None, None);
    for (at, document) in read() {
        for switch in &document.switches {
            match switch {
                Switch::DisableAll(value) => off = Some((*value, at, is_managed(document))),
                Switch::ManagedOnly(true) if is_managed(document) => managed_only = managed_only.or(Some(at)),
                Switch::PluginsOnly(true) if is_managed(document) => plugins_only = plugins_only.or(Some(at)),
                _ => {}
            }
        }
    }
    let forced: BTreeSet<String> = read()
        .filter(|(_, document)| is_managed(document))
        .flat_map(|(_, document)| forced_plugins(document))
        .collect();
    let is_forced = |document: &Parsed| {
        document.source.plugin.as_ref().is_some_and(|plugin| {
            let full = plugin.marketplace.as_ref().map(|market| format!("{}@{market}", plugin.name));
            full.is_some_and(|full| forced.contains(&full)) || forced.contains(&plugin.name)
        })
    };
    let cause = |document: &Parsed| {
        let origin = document.source.origin;
        let beyond_reach = is_managed(document) || origin == Origin::Host || is_forced(document);
        match off {
            Some((true, by, managed)) if managed || !beyond_reach => {
                return Some(Cause { by, key: keys::DISABLE_ALL.key.name });
            }
            _ => {}
        }
        if let (Some(by), false) = (managed_only, beyond_reach) {
            return Some(Cause { by, key: keys::MANAGED_ONLY.key.name });
        }
        let is_setting = matches!(origin, Origin::User | Origin::Team | Origin::Project | Origin::Local);
        plugins_only.filter(|_| is_setting).map(|by| Cause { by, key: keys::PLUGINS_ONLY.key.name })
    };
    documents.iter().map(cause).collect()
}

/// The plugins that managed settings force on.
fn forced_plugins(document: &Parsed) -> Vec<String> {
    let rules = JsonRules { byte_order_mark: true, lone_surrogates: true };
    let Ok(root) = parse_json(&document.source.bytes, rules) else { return Vec::new() };
    let plugins = root.as_object().and_then(|root| root.get(keys::PLUGINS.key.name)).and_then(Node::as_object);
    let members = plugins.into_iter().flat_map(|plugins| &plugins.members);
    members.filter(|member| member.value.as_bool() == Some(true)).map(|member| member.key.clone()).collect()
}
