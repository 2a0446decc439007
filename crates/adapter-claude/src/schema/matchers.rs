//! What a group's matcher is, for an event: what it is tested against, the values that are known, and the texts that the
//! reader calls errors.

use hooks_core::facts::SubjectFact;
use hooks_core::schema::set;
use schemars::{Schema, json_schema};
use serde_json::{Value, json};

use crate::config::keys::MATCHER;
use crate::config::reader::known_values;
use crate::events::{Charset, Event};

/// The schema of an event's matcher.
pub(super) fn matcher(event: &Event) -> Schema {
    let mut schema = super::config::key(&MATCHER);
    let subject = event.facts.subject;
    if subject == SubjectFact::Ignored {
        super::config::without_effect(&mut schema, "This event ignores matchers: the group runs every time.");
        return schema;
    }
    super::config::say(&mut schema, &about(event));
    let mut examples: Vec<Value> = known_values(event).map(Value::from).collect();
    if subject == SubjectFact::ToolName {
        examples.extend(["Edit|Write", "mcp__.*", "mcp__memory__.*"].map(Value::from));
    }
    if !examples.is_empty() {
        set(&mut schema, "examples", examples);
    }
    // Elsewhere a matcher that never matches is a warning.
    if event.can_block() {
        let never: Vec<Value> = never(event)
            .into_iter()
            .map(|(pattern, why)| json!({ "not": { "type": "string", "pattern": pattern }, "errorMessage": why }))
            .collect();
        if !never.is_empty() {
            set(&mut schema, "allOf", never);
        }
    }
    schema
}

fn about(event: &Event) -> String {
    let subject = match event.facts.subject {
        SubjectFact::ToolName => "Tested against the tool's name: `Bash`, `Edit`, `mcp__<server>__<tool>`.".to_owned(),
        SubjectFact::Field { key: "file_path", .. } => {
            "Tested against the file's name without its folders. It is also the list of names to watch in the working \
             directory: the text is cut at every `|`, and each part is a literal name."
                .to_owned()
        }
        SubjectFact::Field { key, values: [] } => format!("Tested against the input's `{key}`."),
        SubjectFact::Field { key, values } => {
            let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
            format!("Tested against the input's `{key}`; known values are {}.", values.join(", "))
        }
        _ => String::new(),
    };
    let list = match event.charset {
        Charset::Wide => "Letters, digits, `_`, `-` and blanks, with `|` or `,` between names,",
        Charset::Narrow => "Letters, digits and `_`, with `|` between names,",
    };
    format!(
        "{subject} {list} make a list of whole names. Anything else is a JavaScript regular expression that is found \
         anywhere. Letter case counts either way; an expression that is not valid never matches."
    )
}

/// Patterns of texts that never match although they look as if they did, each with what to write instead.
fn never(event: &Event) -> Vec<(String, String)> {
    let known: Vec<&str> = known_values(event).collect();
    let is_tool = event.facts.subject == SubjectFact::ToolName;
    let list = List::of(event.charset);
    let mut never = Vec::new();
    if !known.is_empty() {
        let exactly = known.join("|");
        let in_any_case: Vec<String> = known.iter().map(|name| in_any_case(name)).collect();
        let one = format!("(?!(?:{exactly}){})(?:{})", list.end, in_any_case.join("|"));
        never.push((list.holds(&one), "Letter case counts: write the name as the client does.".to_owned()));
    }
    if is_tool {
        never.push((
            list.holds("mcp__(?:(?! *(?:[|,]|$))(?:(?!__)[A-Za-z0-9_ -])+)?(?:__)?"),
            "This names a tool server and none of its tools: append `__.*` for all of them.".to_owned(),
        ));
        never.push((
            // Two letters and what follows could only be found behind the name, where no tool's name goes on so.
            format!("^(?:{})\\([a-z]{{2}}[^|?{{]*\\)$", known.join("|")),
            "This is read as a regular expression: write the tool's name here, and the rule in the handler's `if`."
                .to_owned(),
        ));
    }
    never
}

/// The form of a list of whole names, as parts of a pattern.
struct List {
    start: &'static str,
    end: &'static str,
}

impl List {
    const fn of(charset: Charset) -> Self {
        match charset {
            Charset::Wide => Self { start: "^(?:[A-Za-z0-9_, |-]*[|,])? *", end: " *(?:[|,][A-Za-z0-9_, |-]*)?$" },
            Charset::Narrow => Self { start: "^(?:[A-Za-z0-9_|]*\\|)?", end: "(?:\\|[A-Za-z0-9_|]*)?$" },
        }
    }

    /// A list one of whose names is this.
    fn holds(&self, name: &str) -> String {
        format!("{}{name}{}", self.start, self.end)
    }
}

fn in_any_case(name: &str) -> String {
    name.chars()
        .map(|c| match c.is_ascii_alphabetic() {
            true => format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase()),
            false => c.to_string(),
        })
        .collect()
}

/// The schema of `if` where the event evaluates it and can block: nothing, or one permission rule that can hold.
pub(super) fn rule() -> Schema {
    let several = "\\)\\s*[&|,]+\\s*[A-Za-z0-9_]+\\(";
    let of_agents = "^\\s*(?:Agent|Task)\\((?!\\*?\\)\\s*$)";
    json_schema!({
        "type": "string",
        "pattern": "^\\s*(?:[A-Za-z0-9_.:*-]+(?:\\([\\s\\S]*\\))?\\s*)?$",
        "patternErrorMessage": "Write one permission rule, such as `Bash(git *)`.",
        "not": { "type": "string", "anyOf": [{ "pattern": several }, { "pattern": of_agents }] },
        "errorMessage": "Write one rule, and of agents the tool's name alone: other rules were seen not to hold.",
    })
}
