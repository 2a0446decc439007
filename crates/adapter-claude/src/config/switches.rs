//! Settings beside the hooks: the switches that turn hooks off, and those whose wrong type drops the file.

use std::collections::BTreeSet;

use hooks_core::adapter::{Parsed, Rulings, Switch};
use hooks_core::definition::State;
use hooks_core::diagnostic::{Diagnostic, Reach};
use hooks_core::document::{JsonRules, Node, Object, Value, parse_json, pointer_to};
use hooks_core::source::Origin;

use super::reader::Reader;
use crate::codes;

/// What a setting's value must be.
#[derive(Clone, Copy)]
enum Kind {
    Bool,
    Number,
    Object,
    Strings,
}

impl Kind {
    fn fits(self, node: &Node) -> bool {
        match self {
            Self::Bool => node.as_bool().is_some(),
            Self::Number => node.as_number().is_some(),
            Self::Object => node.as_object().is_some(),
            Self::Strings => node.as_array().is_some(),
        }
    }

    const fn phrase(self) -> &'static str {
        match self {
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::Object => "an object",
            Self::Strings => "an array",
        }
    }
}

/// Other settings whose type is known: those that were tried (cases `cfg-bad-*`), and those that hooks hang on (settings
/// page). The list is short on purpose: a file must not be taken for dropped that the client reads.
const OTHERS: &[(&[&str], Kind)] = &[
    (&["cleanupPeriodDays"], Kind::Number),
    (&["permissions"], Kind::Object),
    (&["permissions", "allow"], Kind::Strings),
    (&["permissions", "deny"], Kind::Strings),
    (&["permissions", "ask"], Kind::Strings),
    (&[DISABLE_ALL], Kind::Bool),
    (&[MANAGED_ONLY], Kind::Bool),
    (&["allowedHttpHookUrls"], Kind::Strings),
    (&["httpHookAllowedEnvVars"], Kind::Strings),
];

const DISABLE_ALL: &str = "disableAllHooks";
const MANAGED_ONLY: &str = "allowManagedHooksOnly";
const PLUGINS_ONLY: &str = "strictPluginOnlyCustomization";

/// Reads the settings beside the hooks.
pub(super) fn read(reader: &mut Reader, root: &Object) {
    for (path, kind) in OTHERS {
        let mut pointer = String::new();
        let mut object = Some(root);
        let mut found = None;
        for step in *path {
            pointer = pointer_to(&pointer, step);
            found = object.and_then(|object| object.get(step));
            object = found.and_then(Node::as_object);
        }
        if let Some(node) = found.filter(|node| !kind.fits(node)) {
            let message = format!(
                "`{}` is {}, not {}: the client drops the whole file, hooks included",
                path.join("."),
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
    if let Some(off) = root.get(DISABLE_ALL).and_then(Node::as_bool) {
        reader.parsed.switches.push(Switch::DisableAll(off));
    }
    let managed = reader.parsed.source.origin == Origin::Managed;
    for key in [MANAGED_ONLY, PLUGINS_ONLY] {
        let Some(member) = root.member(key) else { continue };
        if !managed {
            let message = format!("`{key}` counts in managed settings only");
            reader.report(
                Diagnostic::new(&codes::NO_EFFECT_HERE, Reach::None, message)
                    .at(member.key_range.clone())
                    .pointer(pointer_to("", key))
                    .silent(),
            );
            continue;
        }
        let on = match &member.value.value {
            Value::Bool(on) => *on,
            Value::Array(parts) => key == PLUGINS_ONLY && parts.iter().any(|part| part.as_str() == Some("hooks")),
            _ => false,
        };
        let switch = if key == MANAGED_ONLY { Switch::ManagedOnly(on) } else { Switch::PluginsOnly(on) };
        reader.parsed.switches.push(switch);
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
            Some((true, by)) if is_managed(by) => return Some(disabled(DISABLE_ALL, by)),
            Some((true, by)) if !beyond_reach => return Some(disabled(DISABLE_ALL, by)),
            _ => {}
        }
        if managed_only && !beyond_reach {
            return Some(State::Disabled(format!("{MANAGED_ONLY} in managed settings")));
        }
        let is_setting = matches!(origin, Origin::User | Origin::Team | Origin::Project | Origin::Local);
        (plugins_only && is_setting).then(|| State::Disabled(format!("{PLUGINS_ONLY} in managed settings")))
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
    let plugins = root.as_object().and_then(|root| root.get("enabledPlugins")).and_then(Node::as_object);
    let members = plugins.into_iter().flat_map(|plugins| &plugins.members);
    members.filter(|member| member.value.as_bool() == Some(true)).map(|member| member.key.clone()).collect()
}
