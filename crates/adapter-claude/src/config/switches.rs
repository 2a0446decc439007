//! Settings beside the hooks: the switches that turn hooks off, and those whose wrong type drops the file.

use std::collections::BTreeSet;

use hooks_core::adapter::{Parsed, Rulings, Switch};
use hooks_core::definition::State;
use hooks_core::diagnostic::{Diagnostic, Reach};
use hooks_core::document::{JsonRules, Node, Object, Value, parse_json, pointer_to};
use hooks_core::source::Origin;

use super::keys;
use super::reader::Reader;
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
            found = object.and_then(|object| object.get(step));
            object = found.and_then(Node::as_object);
        }
        if let Some(node) = found.filter(|node| !kind.fits(node)) {
            let message = format!(
                "`{}` is {}, not {}: the client drops the whole file, hooks included",
                setting.path().collect::<Vec<_>>().join("."),
                node.phrase(),
                kind.phrase()
            );
            reader.report(
                Diagnostic::new(&codes::INVALID_OTHER_SETTING, Reach::File, message)
                    .at(node.range.clone())
                    .pointer(pointer),
            );
            reader.parsed.rejected = true;
        }
    }
    if let Some(off) = root.get(keys::DISABLE_ALL.key.name).and_then(Node::as_bool) {
        reader.parsed.switches.push(Switch::DisableAll(off));
    }
    let managed = reader.parsed.source.origin == Origin::Managed;
    for setting in keys::SETTINGS.iter().filter(|setting| setting.managed) {
        let key = setting.key.name;
        let Some(member) = root.member(key) else { continue };
        if !managed {
            let message = format!("`{key}` counts in managed settings only");
            reader.report(
                Diagnostic::new(&codes::NO_EFFECT_HERE, Reach::None, message)
                    .at(member.key_range.clone())
                    .pointer(pointer_to("", key))
                    .silent(),
            );
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

/// What the switches of all documents come to (settings page; cases `disable-all`, L046 to L051). Documents stand by precedence, lower first.
///
/// `disableAllHooks` counts where it stands highest. From managed settings it stops everything; from below it stops
/// neither managed hooks nor those of plugins that managed settings force on.
pub(crate) fn rule(documents: &[Parsed]) -> Rulings {
    let read = || documents.iter().filter(|document| !document.rejected);
    let is_managed = |document: &Parsed| document.source.origin == Origin::Managed;
    let mut off = None;
    let (mut managed_only, mut plugins_only) = (false, false);
    for document in read() {
        for switch in &document.switches {
            match switch {
                Switch::DisableAll(value) => off = Some((*value, document)),
                Switch::ManagedOnly(value) => managed_only |= *value && is_managed(document),
                Switch::PluginsOnly(value) => plugins_only |= *value && is_managed(document),
                _ => {}
            }
        }
    }
    let forced: BTreeSet<String> = read().filter(|document| is_managed(document)).flat_map(forced_plugins).collect();
    let is_forced = |document: &Parsed| {
        document.source.plugin.as_ref().is_some_and(|plugin| {
            let full = plugin.marketplace.as_ref().map(|market| format!("{}@{market}", plugin.name));
            full.is_some_and(|full| forced.contains(&full)) || forced.contains(&plugin.name)
        })
    };
    let state = |document: &Parsed| {
        let origin = document.source.origin;
        let beyond_reach = is_managed(document) || origin == Origin::Host || is_forced(document);
        match off {
            Some((true, by)) if is_managed(by) => return Some(disabled(keys::DISABLE_ALL.key.name, by)),
            Some((true, by)) if !beyond_reach => return Some(disabled(keys::DISABLE_ALL.key.name, by)),
            _ => {}
        }
        if managed_only && !beyond_reach {
            return Some(State::Disabled(format!("{} in managed settings", keys::MANAGED_ONLY.key.name)));
        }
        let is_setting = matches!(origin, Origin::User | Origin::Team | Origin::Project | Origin::Local);
        (plugins_only && is_setting)
            .then(|| State::Disabled(format!("{} in managed settings", keys::PLUGINS_ONLY.key.name)))
    };
    Rulings { states: documents.iter().map(state).collect(), refuse: None }
}

fn disabled(switch: &str, by: &Parsed) -> State {
    State::Disabled(format!("{switch} in {}", by.source.path))
}

/// The plugins that managed settings force on.
fn forced_plugins(document: &Parsed) -> Vec<String> {
    let rules = JsonRules { byte_order_mark: true, lone_surrogates: true };
    let Ok(root) = parse_json(&document.source.bytes, rules) else { return Vec::new() };
    let plugins = root.as_object().and_then(|root| root.get(keys::PLUGINS.key.name)).and_then(Node::as_object);
    let members = plugins.into_iter().flat_map(|plugins| &plugins.members);
    members.filter(|member| member.value.as_bool() == Some(true)).map(|member| member.key.clone()).collect()
}
