//! Keys of other vendors: whose a key is, and what this vendor has in its place.

use std::collections::HashMap;
use std::sync::Arc;

use hooks_core::document::Node;
use hooks_core::source::Syntax;
use hooks_core::{Diagnostic, HostSide, Origin, Source};
use serde_json::json;

use super::super::command::called;
use super::{Document, Input, last_key, list};

/// Keys of GitHub Copilot's hooks, which has no adapter here, that no other vendor has (its hooks reference).
pub(super) const COPILOT: &[&str] = &["bash", "powershell", "timeoutSec", "cwd", "env"];

/// Keys that people write for `timeout`, with what one of their units is in seconds.
const TIMEOUTS: &[(&str, f64)] = &[
    ("timeoutSec", 1.0),
    ("timeout_sec", 1.0),
    ("timeoutSecs", 1.0),
    ("timeout_secs", 1.0),
    ("timeoutSeconds", 1.0),
    ("timeout_seconds", 1.0),
    ("timeoutMs", 0.001),
    ("timeout_ms", 0.001),
    ("timeoutMillis", 0.001),
    ("timeoutMilliseconds", 0.001),
];

/// What a vendor has in place of another's key.
const INSTEAD: &[(&str, &str, &str)] = &[
    ("failClosed", "claude", "Write \"onFailure\": \"block\" for a hook whose failure shall block."),
    ("failClosed", "codex", "Codex goes on when a hook fails: let the script itself deny in that case."),
    ("onFailure", "cursor", "Write \"failClosed\": true for a hook whose failure shall block."),
    ("onFailure", "codex", "Codex goes on when a hook fails: let the script itself deny in that case."),
    ("loop_limit", "claude", "Let the script look at `stop_hook_active` on standard input."),
    ("loop_limit", "codex", "Let the script look at `stop_hook_active` on standard input."),
    ("if", "cursor", "Test for the condition in the script."),
    ("if", "codex", "Test for the condition in the script."),
    ("args", "cursor", "Write the arguments into `command`."),
    ("args", "codex", "Write the arguments into `command`."),
    ("async", "cursor", "Let the script itself leave its work to the background."),
    ("commandWindows", "claude", "Write one command for all systems; `\"shell\": \"powershell\"` chooses the shell."),
    ("commandWindows", "cursor", "Write one command for all systems."),
];

/// What is known of keys: for a vendor, a key and whether it stands at the root, whether the vendor's parser knows it.
pub(super) type Known = HashMap<(String, String, bool), bool>;

/// Adds to a key that the vendor does not know whose it is.
pub(super) fn enrich(input: &Input<'_>, document: &Document<'_>, known: &mut Known, diagnostic: &mut Diagnostic) {
    let Some(pointer) = diagnostic.pointer.clone() else { return };
    let Some(key) = last_key(&pointer) else { return };
    if document.is_told(input, diagnostic) {
        return;
    }
    let own = document.adapter.vendor();
    let at_root = pointer.matches('/').count() == 1;
    let mut is_theirs = |adapter: &&Arc<dyn HostSide>| {
        let name = (adapter.vendor().as_str().to_owned(), key.clone(), at_root);
        *known.entry(name).or_insert_with(|| knows(&***adapter, &key, at_root))
    };
    let mut whose: Vec<&str> = input
        .adapters
        .iter()
        .filter(|adapter| adapter.vendor() != own && is_theirs(adapter))
        .map(|adapter| called(adapter.vendor().as_str()))
        .collect();
    if whose.is_empty() && !at_root && COPILOT.contains(&key.as_str()) {
        whose.push("GitHub Copilot");
    }
    if !whose.is_empty() {
        diagnostic.message.push_str(&format!("; it is a key of {}", list(&whose)));
        let instead = INSTEAD.iter().find(|(name, vendor, _)| *name == key && *vendor == own.as_str());
        if let (Some((.., help)), true) = (instead, diagnostic.edits.is_empty()) {
            diagnostic.help = (*help).into();
        }
    }
    timeout(document, &key, &pointer, diagnostic);
}

/// `timeoutSec` and its kin: the key with the value in seconds.
fn timeout(document: &Document<'_>, key: &str, pointer: &str, diagnostic: &mut Diagnostic) {
    let Some((_, unit)) = TIMEOUTS.iter().find(|(name, _)| *name == key) else { return };
    if !diagnostic.edits.is_empty() {
        return;
    }
    let Some(parent) = pointer.rsplit_once('/').and_then(|(parent, _)| document.at(parent)) else { return };
    let Some(object) = parent.as_object() else { return };
    let (Some(member), None) = (object.member(key), object.get("timeout")) else { return };
    let Some(seconds) = member.value.as_f64().map(|number| number * unit).filter(|seconds| *seconds > 0.0) else {
        return;
    };
    // Not every vendor reads fractions.
    let seconds = if seconds.fract() == 0.0 || seconds < 1.0 { seconds.max(1.0) } else { seconds.ceil() };
    diagnostic.help = format!("Write \"timeout\": {seconds}, which counts seconds.").into();
    let quoted = if document.parsed.source.syntax == Syntax::Toml { "timeout" } else { "\"timeout\"" };
    *diagnostic = diagnostic
        .clone()
        .edit(member.key_range.clone(), quoted)
        .edit(member.value.range.clone(), seconds.to_string())
        .changes("the time limit counts, which it did not before");
}

/// Whether a vendor's parser knows a key: of a command handler, or of the document itself.
fn knows(adapter: &dyn HostSide, key: &str, at_root: bool) -> bool {
    let mut handler = json!({ "type": "command", "command": "true" });
    let flat = adapter.vendor().as_str() == "cursor";
    if !at_root && let Some(object) = handler.as_object_mut() {
        object.insert(key.to_owned(), json!(1));
    }
    let Some(event) = adapter.events().first().map(|event| event.name) else { return false };
    let entry = if flat { handler } else { json!({ "hooks": [handler] }) };
    let mut root = json!({ "hooks": { event: [entry] } });
    if let Some(object) = root.as_object_mut() {
        if flat {
            object.insert("version".to_owned(), json!(1));
        }
        if at_root {
            object.insert(key.to_owned(), json!(1));
        }
    }
    // Of settings files nobody knows all keys: what stands at their root is no hook's.
    if at_root && adapter.vendor().as_str() == "claude" {
        return false;
    }
    let text = root.to_string();
    // A key that stands there by itself is known.
    let own = if at_root { ["hooks", "version"].as_slice() } else { ["type", "command"].as_slice() };
    if own.contains(&key) && (key != "version" || flat) {
        return true;
    }
    let path = "probe.json";
    let source = Source::hooks(adapter.vendor().clone(), Origin::Project, Syntax::Json, path, text.as_bytes());
    let parsed = adapter.parse(&Arc::new(source));
    let unknown = |code: &str| code == "unknown-field" || code == "unknown-root-key";
    let end = hooks_core::document::pointer_to("", key);
    let told =
        |told: &Diagnostic| unknown(told.code.about) && told.pointer.as_ref().is_some_and(|it| it.ends_with(&end));
    // Cursor says nothing of what else stands at its root.
    let silent = at_root && flat && key != "version";
    !silent && !parsed.diagnostics.iter().any(told)
}

/// Whether an entry has a key of GitHub Copilot's in place of a command.
pub(super) fn copilots(entry: &Node) -> Option<&'static str> {
    let object = entry.as_object()?;
    if object.get("command").is_some() {
        return None;
    }
    COPILOT.iter().copied().take(2).find(|key| object.get(key).is_some())
}
