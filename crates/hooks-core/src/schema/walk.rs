//! A document's parts, and what its snippets come to: what tests of every vendor's documents go through.

use serde_json::Value;

/// Calls with every schema inside a schema, itself first, and the JSON pointer of each.
///
/// ```
/// # use serde_json::json;
/// let mut seen = Vec::new();
/// let schema = json!({ "properties": { "a/b": { "type": "string" } }, "examples": [{ "if": true }] });
/// hooks_core::schema::walk(&schema, &mut |at, _| seen.push(at.to_owned()));
/// assert_eq!(seen, ["", "/properties/a~1b"]);
/// ```
pub fn walk(schema: &Value, see: &mut dyn FnMut(&str, &Value)) {
    walk_at(schema, "", see);
}

fn walk_at(schema: &Value, at: &str, see: &mut dyn FnMut(&str, &Value)) {
    see(at, schema);
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let at = format!("{at}/{keyword}");
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(members)) => {
                for (name, member) in members {
                    walk_at(member, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), see);
                }
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(parts)) => {
                for (index, part) in parts.iter().enumerate() {
                    walk_at(part, &format!("{at}/{index}"), see);
                }
            }
            (
                "if"
                | "then"
                | "else"
                | "not"
                | "items"
                | "contains"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "propertyNames"
                | "contentSchema",
                part,
            ) => walk_at(part, &at, see),
            _ => {}
        }
    }
}

/// What an editor inserts for the body of a snippet when its places are left as they are suggested: `${1:text}` is its text,
/// and a place that suggests nothing, such as `$1`, is filled with a word.
///
/// # Errors
///
/// Says what is wrong with a text that is no snippet's: a dollar sign without a place, a place inside another, one without an
/// end or with an empty suggestion.
///
/// ```
/// # use serde_json::json;
/// let body = json!({ "${1:Stop}": ["\"\\${HOME}\"/${2:check.sh} $3"] });
/// let filled = hooks_core::schema::filled(&body)?;
/// assert_eq!(filled, json!({ "Stop": ["\"${HOME}\"/check.sh filled"] }));
/// assert!(hooks_core::schema::filled(&json!("costs $")).is_err());
/// # Ok::<_, String>(())
/// ```
pub fn filled(body: &Value) -> Result<Value, String> {
    Ok(match body {
        Value::String(text) => Value::from(filled_text(text)?),
        Value::Array(items) => Value::Array(items.iter().map(filled).collect::<Result<_, _>>()?),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| Ok((filled_text(key)?, filled(value)?)));
            Value::Object(members.collect::<Result<_, String>>()?)
        }
        other => other.clone(),
    })
}

fn filled_text(text: &str) -> Result<String, String> {
    let wrong = |what: &str| format!("`{text}`: {what}");
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    // Inside of a suggestion, which its brace ends.
    let mut inside = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' => out.push(rest.next().ok_or_else(|| wrong("a backslash with nothing behind it"))?),
            '}' if inside => inside = false,
            '$' if inside => return Err(wrong("a place inside another")),
            '$' => {
                inside = rest.next_if_eq(&'{').is_some();
                let mut digits = 0;
                while rest.next_if(char::is_ascii_digit).is_some() {
                    digits += 1;
                }
                if digits == 0 {
                    return Err(wrong("a dollar sign that is no place; write `\\$` for one"));
                }
                if !inside {
                    out.push_str("filled");
                } else if rest.next_if_eq(&':').is_none() || rest.peek() == Some(&'}') {
                    return Err(wrong("a place in braces that suggests nothing"));
                }
            }
            other => out.push(other),
        }
    }
    if inside { Err(wrong("a place without an end")) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_schemas_are_walked() {
        let schema = json!({
            "$defs": { "one": { "items": { "const": { "properties": { "no": {} } } } } },
            "properties": { "items": { "not": {} } },
            "allOf": [{ "then": { "additionalProperties": false } }],
            "default": { "properties": { "no": {} } },
        });
        let mut seen = Vec::new();
        walk(&schema, &mut |at, _| seen.push(at.to_owned()));
        seen.sort();
        let wanted = [
            "",
            "/$defs/one",
            "/$defs/one/items",
            "/allOf/0",
            "/allOf/0/then",
            "/allOf/0/then/additionalProperties",
            "/properties/items",
            "/properties/items/not",
        ];
        assert_eq!(seen, wanted);
    }

    #[test]
    fn what_is_no_snippet_is_told() {
        for text in ["$", "${1}", "${1:}", "${1:a", "${1:$2}", "${x:a}", "a\\"] {
            assert!(filled(&json!(text)).is_err(), "{text}");
        }
        assert_eq!(filled(&json!("${1:a}}")), Ok(json!("a}")));
    }
}
