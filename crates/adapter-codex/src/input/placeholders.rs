//! Placeholders in the input of `mcp_tool` handlers (section 13): `${a.b.c}` is a path into the event's payload.

use hooks_core::RawJson;
use serde_json::Value;

/// The input with every placeholder replaced. Keys are not looked at.
///
/// # Errors
///
/// The path that leads nowhere: the tool is then not called.
pub(crate) fn expand(input: &RawJson, payload: &[u8]) -> Result<RawJson, String> {
    if !input.get().contains("${") {
        return Ok(input.clone());
    }
    let payload: Value = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
    let mut tree = input.to_value();
    walk(&mut tree, &payload)?;
    Ok(RawJson::from(&tree))
}

fn walk(value: &mut Value, payload: &Value) -> Result<(), String> {
    match value {
        Value::String(text) => {
            if let Some(new) = replace(text, payload)? {
                *value = new;
            }
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| walk(item, payload))?,
        Value::Object(members) => members.values_mut().try_for_each(|member| walk(member, payload))?,
        _ => {}
    }
    Ok(())
}

/// What a text becomes; `None` when it holds no placeholder.
fn replace(text: &str, payload: &Value) -> Result<Option<Value>, String> {
    let whole = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).filter(|path| !path.contains('}'));
    if let Some(path) = whole {
        return find(path, payload).cloned().map(Some);
    }
    let mut out = String::new();
    let mut rest = text;
    let mut replaced = false;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((path, tail)) = after.split_once('}') else { break };
        out.push_str(before);
        match find(path, payload)? {
            Value::String(text) => out.push_str(text),
            other => out.push_str(&other.to_string()),
        }
        rest = tail;
        replaced = true;
    }
    if !replaced {
        return Ok(None);
    }
    out.push_str(rest);
    Ok(Some(Value::String(out)))
}

/// The paths of all placeholders in a text.
pub(crate) fn paths(text: &str) -> Vec<&str> {
    let mut paths = Vec::new();
    let mut rest = text;
    while let Some((path, tail)) = rest.split_once("${").and_then(|(_, after)| after.split_once('}')) {
        paths.push(path);
        rest = tail;
    }
    paths
}

fn find<'p>(path: &str, payload: &'p Value) -> Result<&'p Value, String> {
    path.split('.')
        .try_fold(payload, |value, key| value.as_object()?.get(key))
        .ok_or_else(|| format!("`${{{path}}}` leads nowhere in the event's payload"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(input: &str, payload: &str) -> Result<String, String> {
        expand(&RawJson::parse(input).unwrap(), payload.as_bytes()).map(|raw| raw.get().to_owned())
    }

    #[test]
    fn a_placeholder_alone_keeps_its_type_and_one_in_text_becomes_text() {
        let payload = r#"{"a":{"b":[1,null]},"s":"x","n":null}"#;
        let input = r#"{"${s}":["${a.b}","v ${a.b} ${s}","${n}","${open"]}"#;
        assert_eq!(expanded(input, payload).unwrap(), r#"{"${s}":[[1,null],"v [1,null] x",null,"${open"]}"#);
    }

    #[test]
    fn a_path_that_leads_nowhere_is_an_error() {
        assert!(expanded(r#"{"t":"${a.b}"}"#, r#"{"a":1}"#).is_err());
        assert!(expanded(r#"{"t":"${a.0}"}"#, r#"{"a":[1]}"#).is_err());
        assert!(expanded(r#"{"t":"x ${}"}"#, r#"{"a":[1]}"#).is_err());
    }
}
