//! What is said about a request: addresses that nothing can be sent to, and variables of headers that stand for nothing.

use std::collections::HashSet;
use std::ops::Range;

use hooks_core::diagnostic::Diagnostic;
use hooks_core::document::{Node, Object, pointer_to};
use hooks_core::handler::HttpHandler;
use hooks_core::lint::values::quoted;

use super::Asked;
use crate::config::keys;
use crate::config::reader::Reader;
use crate::{codes, http};

/// Addresses that nothing can be sent to, and variables of headers that stand for nothing.
pub(super) fn requests(reader: &Reader, asked: &Asked<'_>, http: &HttpHandler, notes: &mut Vec<Diagnostic>) {
    if let Some(node) = asked.node(&keys::URL).filter(|node| node.as_str().is_some()) {
        let scheme = http.url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        if !matches!(scheme.as_deref(), Some("http" | "https")) {
            let message = format!("nothing can be sent to `{}`: it has no `http://` or `https://`", http.url);
            let note = asked.failing(asked.note(&keys::URL, node, &codes::URL_NOT_HTTP, message));
            let local = ["localhost", "127.0.0.1"].iter().any(|host| http.url.starts_with(host));
            notes.push(match local {
                true => {
                    let whole = format!("http://{}", http.url);
                    note.edit(node.range.clone(), quoted(&whole))
                        .changes("the input is sent there, which it was not before")
                }
                false => note,
            });
        }
    }
    let listed = asked.node(&keys::ALLOWED_ENV_VARS);
    for (item, at) in listed.and_then(Node::as_array).unwrap_or_default().iter().zip(0..) {
        let Some(text) = item.as_str() else { continue };
        let bare = text.trim().trim_start_matches('$').trim_start_matches('{').trim_end_matches('}');
        if bare != text {
            let message = format!("`{text}` is not the plain name of a variable, so it allows nothing");
            let mut note = asked.note(&keys::ALLOWED_ENV_VARS, item, &codes::ALLOWED_VARIABLE_NOT_A_NAME, message);
            note.pointer = Some(format!("{}/{}/{at}", asked.pointer, keys::ALLOWED_ENV_VARS.name));
            let mended = note.clone().help(format!("Write `{bare}`.")).edit(item.range.clone(), quoted(bare));
            let mended = mended.changes("the variable's value is sent, which it was not before");
            notes.push(if bare.is_empty() { note } else { mended });
        }
    }
    let members = asked.node(&keys::HEADERS).and_then(Node::as_object).map(|headers| headers.members.as_slice());
    let mut told: HashSet<&str> = HashSet::new();
    let allowed: HashSet<&str> = http.allowed_env.iter().map(String::as_str).collect();
    for member in members.unwrap_or_default() {
        let pointer = pointer_to(&pointer_to(asked.pointer, keys::HEADERS.name), &member.key);
        let Some(text) = member.value.as_str() else { continue };
        if ["content-length", "transfer-encoding"].contains(&member.key.to_ascii_lowercase().as_str()) {
            let message = format!("the client sets `{}` itself", member.key);
            let mut note = asked.note(&keys::HEADERS, &member.value, &codes::NO_EFFECT_HERE, message);
            note.pointer = Some(pointer.clone());
            note.range = Some(member.key_range.clone());
            notes.push(note);
        }
        for name in http::header_variables(text) {
            if allowed.contains(name) {
                continue;
            }
            let message = format!("`{name}` is not in `allowedEnvVars`, so it is replaced by nothing");
            let mut note = asked.note(&keys::HEADERS, &member.value, &codes::HEADER_VARIABLE_NOT_ALLOWED, message);
            note.pointer = Some(pointer.clone());
            if told.insert(name) {
                note = allow(reader, note, asked.object, listed, name);
            }
            notes.push(note);
        }
    }
}

/// A variable added to the list of a handler.
fn allow(reader: &Reader, note: Diagnostic, object: &Object, listed: Option<&Node>, name: &str) -> Diagnostic {
    let sent = "the variable's value is sent to the address, which it was not before";
    let at: Option<(Range<usize>, String)> = match listed {
        Some(node) => node.as_array().map(|items| match items.last() {
            Some(last) => (last.range.end..last.range.end, format!(", {}", quoted(name))),
            None => (node.range.clone(), format!("[{}]", quoted(name))),
        }),
        None => object.members.last().map(|last| {
            let end = last.value.range.end;
            (end..end, format!(", {}: [{}]", quoted(keys::ALLOWED_ENV_VARS.name), quoted(name)))
        }),
    };
    match at {
        Some((range, text)) if reader.is_json() => note.edit(range, text).changes(sent),
        _ => note,
    }
}
