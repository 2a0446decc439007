//! The words of a schema's parts: what they are, how that is known, and what editors show of them.

use schemars::transform::{RecursiveTransform, Transform};
use schemars::{Schema, json_schema};
use serde_json::Value;

use super::set;
use crate::evidence::{Basis, Evidence};

/// How a fact is known, as a sentence of a description.
#[must_use]
pub fn known_from(evidence: Evidence) -> String {
    let how = match evidence.basis {
        Basis::Seed => "a rule of Crosshook's first design",
        Basis::Documented => "documented by the vendor",
        Basis::Observed => "observed",
        Basis::Inferred => "follows from what is known",
    };
    format!("Known from: {} ({how}).", evidence.source)
}

/// Gives a part its words: what it is, and as a paragraph of its own how that is known.
pub fn describe(schema: &mut Schema, about: &str, evidence: Evidence) {
    set(schema, "description", format!("{about}\n\n{}", known_from(evidence)));
}

/// Marks a key that has no effect where it stands: editors strike it through, say why, and do not offer it.
pub fn discourage(schema: &mut Schema, why: &str) {
    set(schema, "deprecated", true);
    set(schema, "deprecationMessage", why);
    set(schema, "doNotSuggest", true);
}

/// Anything, with a warning in editors that know the keyword: for what a reader warns of and does not refuse.
#[must_use]
pub fn warned(message: &str) -> Schema {
    json_schema!({ "description": message, "deprecationMessage": message })
}

/// Says what each word of a part's `enum` means; does nothing where it has none, or where a word has no meaning to say.
pub fn explain<'w>(schema: &mut Schema, mut about: impl FnMut(&str) -> &'w str) {
    let words = schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let abouts: Vec<&str> = words.map(&mut about).collect();
    if !abouts.is_empty() && abouts.iter().all(|about| !about.is_empty()) {
        set(schema, "enumDescriptions", abouts);
    }
}

/// Joins the lines of each paragraph. Words as they stand in code end with the line; a text has no such ends.
pub(super) fn in_one_line(schema: &mut Schema) {
    RecursiveTransform(|schema: &mut Schema| {
        if let Some(Value::String(words)) = schema.get_mut("description") {
            let paragraphs: Vec<_> = words.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
            *words = paragraphs.join("\n\n");
        }
    })
    .transform(schema);
}

/// Gives every described part the same words as Markdown: editors that know the keywords render the code in them, and
/// would show it raw otherwise. What has such words already keeps them.
pub(super) fn for_editors(schema: &mut Schema) {
    RecursiveTransform(|schema: &mut Schema| {
        for (plain, rendered) in
            [("description", "markdownDescription"), ("enumDescriptions", "markdownEnumDescriptions")]
        {
            let words = schema.get(plain).filter(|words| words.is_string() || words.is_array()).cloned();
            if let (Some(words), None) = (words, schema.get(rendered)) {
                set(schema, rendered, words);
            }
        }
    })
    .transform(schema);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_word_is_explained_or_none() {
        let mut schema = json_schema!({ "enum": ["a", "b"] });
        explain(&mut schema, |word| if word == "a" { "First." } else { "" });
        assert_eq!(schema.get("enumDescriptions"), None);
        explain(&mut schema, |word| if word == "a" { "First." } else { "Second." });
        assert_eq!(schema.get("enumDescriptions"), Some(&json!(["First.", "Second."])));
    }

    #[test]
    fn paragraphs_stay_and_their_lines_are_joined() {
        let mut schema = json_schema!({
            "description": "One\nline.\n\nAnother.",
            "properties": { "description": { "description": "A\nproperty." } },
        });
        in_one_line(&mut schema);
        for_editors(&mut schema);
        assert_eq!(schema.get("markdownDescription"), Some(&json!("One line.\n\nAnother.")));
        assert_eq!(schema.pointer("/properties/description/description"), Some(&json!("A property.")));
    }
}
