//! Hook files beside the place where a vendor looks.

use hooks_core::document::{JsonRules, Node, parse_json};
use hooks_core::{Diagnostic, Reach};

use super::super::codes;
use super::super::command::called;
use super::super::command::look::{Disk, HEAD, Look};
use super::Input;

/// Places where people put a vendor's hooks, with the place where its client looks.
const PLACES: &[(&str, &str, &str)] = &[
    ("claude", ".claude/hooks.json", ".claude/settings.json"),
    ("claude", ".claude/hooks/hooks.json", ".claude/settings.json"),
    ("cursor", ".cursor/hooks/hooks.json", ".cursor/hooks.json"),
    ("cursor", ".cursor/settings.json", ".cursor/hooks.json"),
    ("codex", ".codex/hooks/hooks.json", ".codex/hooks.json"),
    ("codex", ".codex/settings.json", ".codex/hooks.json"),
];

/// Looks at the places of the vendors that count.
pub(super) fn check(input: &Input<'_>, disk: &Disk) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (vendor, place, right) in PLACES {
        if !input.vendors.iter().any(|it| it.adapter.vendor().as_str() == *vendor) {
            continue;
        }
        let path = input.root.join(place);
        let shown = path.to_string_lossy();
        let is_read = |path: &str| input.vendors.iter().flat_map(|it| &it.documents).any(|it| it.source.path == path);
        let Some(bytes) = disk.head(&path).filter(|bytes| bytes.len() < HEAD) else { continue };
        if is_read(&shown) || !has_hooks(input, &bytes) {
            continue;
        }
        let message = format!("{} looks for hooks in `{right}`, and nobody reads them here", called(vendor));
        let mut told = Diagnostic::new(&codes::FILE_NOBODY_READS, Reach::File, message).silent();
        told.path = shown.into_owned();
        found.push(told.help(format!("Move the hooks into `{right}`.")));
    }
    found
}

/// Whether a text has an object `hooks` with an event of some vendor.
fn has_hooks(input: &Input<'_>, bytes: &[u8]) -> bool {
    let rules = JsonRules { byte_order_mark: true, lone_surrogates: true };
    let Ok(root) = parse_json(bytes, rules) else { return false };
    let Some(hooks) = root.as_object().and_then(|root| root.get("hooks")).and_then(Node::as_object) else {
        return false;
    };
    let is_event = |name: &str| input.adapters.iter().any(|adapter| adapter.event(name).is_some());
    hooks.members.iter().any(|member| is_event(&member.key))
}
