//! What is said about a group's matcher: that it is ignored, that it matches nothing, that it is written in another language.
//!
//! Hooks page, matchers; cases L059 to L098. The client itself says nothing about any of it.

use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::{Node, Object};
use hooks_core::facts::SubjectFact;
use hooks_core::lint::matchers::{Known, ServerNames, Suspicion, What, look, place};
use hooks_core::lint::values::quoted;
use hooks_core::matcher::{Matched, Matcher, PatternError};

use super::keys;
use super::reader::{Reader, known_values};
use crate::events::{Charset, EVENTS, Event};
use crate::{codes, matcher, tools};

/// A matcher as it stands in its document.
pub(super) struct Seen<'a> {
    pub(super) event: &'static Event,
    /// The group.
    pub(super) object: &'a Object,
    /// The matcher's value.
    pub(super) node: &'a Node,
    pub(super) text: &'a str,
    pub(super) matcher: &'a Matcher,
    pub(super) error: Option<&'a PatternError>,
    pub(super) pointer: String,
}

/// The key of a payload whose values are names of agents, which people add to.
const AGENT_TYPE: &str = "agent_type";
/// The key of a payload whose value is a model's canonical name.
const MODEL: &str = "to_model";
/// The key of a payload whose value is a typed command, without its slash.
const TYPED_COMMAND: &str = "command_name";
/// The key of a payload whose value is the path of a watched file.
const WATCHED: &str = "file_path";

/// Words that the client takes for models and that are no canonical names (hooks page, model switch events; case L090).
const MODEL_ALIASES: &[&str] = &["best", "default", "haiku", "opus", "opusplan", "sonnet"];

impl Seen<'_> {
    fn note(&self, code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Reach::Group, message).at(self.node.range.clone()).pointer(self.pointer.clone()).silent()
    }

    /// Louder where the group was to guard something.
    fn guarded(&self, mut note: Diagnostic) -> Diagnostic {
        if !self.event.can_block() {
            return note;
        }
        note.message.push_str("; what it was to guard goes on unguarded");
        note.severity(Severity::Error)
    }

    fn key(&self) -> &'static str {
        match self.event.facts.subject {
            SubjectFact::Field { key, .. } => key,
            _ => "",
        }
    }
}

/// What there is to say.
pub(super) fn said(reader: &Reader, seen: &Seen<'_>) -> Vec<Diagnostic> {
    let (event, text) = (seen.event, seen.text);
    let name = event.facts.name;
    if matches!(text, "" | "*") {
        return Vec::new();
    }
    if event.facts.subject == SubjectFact::Ignored {
        let message = format!("`{name}` ignores matchers: `{text}` selects nothing, the group runs every time");
        let mut note = seen.note(&codes::MATCHER_IGNORED, message);
        note.reach = Reach::Entry;
        return vec![reader.without(note, seen.object, keys::MATCHER.name)];
    }
    if seen.key() == WATCHED {
        return watched(reader, seen);
    }
    if let Some(PatternError::CannotRun(why)) = seen.error {
        let mut note = seen.note(&codes::MATCHER_CANNOT_RUN, format!("`{text}` cannot be run here: {why}"));
        note.reach = Reach::Entry;
        return vec![note];
    }
    if seen.key() == MODEL
        && let Some(note) = not_canonical(seen)
    {
        return vec![note];
    }
    if let Some(note) = comma(reader, seen) {
        return vec![note];
    }
    // Nearly all matchers are one name, or a few, and right.
    if let Matcher::Exact(names) = seen.matcher
        && names.len() == text.split(['|', ',']).count()
        && names.iter().all(|name| known_values(event).any(|known| known == &**name))
    {
        return Vec::new();
    }
    let words: Vec<&str> = known_values(event).collect();
    let is_tool = event.facts.subject == SubjectFact::ToolName;
    let known = Known {
        values: &words,
        closed: !words.is_empty() && !is_tool && seen.key() != AGENT_TYPE,
        servers: is_tool.then_some(ServerNames { prefix: "mcp__", between: "__" }),
        character: match seen.key() {
            TYPED_COMMAND => Some(|c| c != '/'),
            _ if is_tool => Some(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')),
            _ => None,
        },
    };
    let separators: &[char] = if event.charset == Charset::Wide { &['|', ','] } else { &['|'] };
    let compile = |part: &str| matcher::compile(event, Some(part), reader.version).0;
    let found = look(text, seen.matcher, separators, &known, compile);
    let explained = found.iter().any(|one| matches!(one.what, What::Rule { .. } | What::Glob { .. }));
    let mut notes = Vec::new();
    if let (Some(error), false) = (seen.error, explained) {
        notes.push(not_regex(seen, error, &words));
        return notes;
    }
    if matches!(seen.matcher, Matcher::Never(_)) && seen.error.is_none() {
        notes.push(seen.guarded(
            seen.note(&codes::MATCHER_MATCHES_NOTHING, format!("`{text}` names nothing, so it matches nothing")),
        ));
        return notes;
    }
    if let Some(foreign) = foreign(seen) {
        notes.push(foreign);
        return notes;
    }
    notes.extend(found.iter().filter_map(|one| suspicion(reader, seen, one)));
    notes
}

/// What a finding comes to; `None` where it says too little to speak of.
fn suspicion(reader: &Reader, seen: &Seen<'_>, found: &Suspicion) -> Option<Diagnostic> {
    let event = seen.event;
    let name = event.facts.name;
    let part = seen.text.get(found.range.clone())?;
    let is_tool = event.facts.subject == SubjectFact::ToolName;
    let mend = |note: Diagnostic, instead: &str| {
        let (range, text) = place(&reader.parsed.source.bytes, seen.node, found.range.clone(), instead);
        note.edit(range, text).changes("the group runs for it, which it did not before")
    };
    let plain = matches!(found.what, What::Unknown | What::Misspelt { .. } | What::Nothing);
    if let (true, true, Some(now)) = (is_tool, plain, tools::retired(part)) {
        let mut note = seen.note(&codes::MATCHER_RETIRED_TOOL, format!("current clients have no tool `{part}`"));
        note.reach = Reach::None;
        return Some(if now.is_empty() { note } else { note.help(format!("What it did is now done by `{now}`.")) });
    }
    if let (true, Some(whose)) = (plain, elsewhere(event, part)) {
        let message = match event.facts.subject {
            SubjectFact::Field { key, values } if !values.is_empty() => {
                format!("`{part}` is {whose}; `{name}` is tested against `{key}`, which has {}", values.join(", "))
            }
            _ => format!("`{part}` is {whose}, and no tool"),
        };
        let note = seen.note(&codes::MATCHER_OF_ANOTHER_EVENT, message);
        return Some(if found.certain { seen.guarded(note) } else { note });
    }
    let probable = |note: Diagnostic| if found.certain { seen.guarded(note) } else { note };
    Some(match &found.what {
        What::Rule { tool, specifier } => {
            let message = format!("`{part}` is read as a regular expression over tool names, not as a permission rule");
            let note = seen.guarded(seen.note(&codes::MATCHER_LOOKS_LIKE_RULE, message));
            let rule = format!("{tool}({specifier})");
            let help = format!("Write `{tool}` in `matcher` and `{rule}` in the handler's `if`.");
            match as_condition(reader, seen, found, tool, &rule) {
                Some(mended) => mended(note).help(help),
                None => note.help(help),
            }
        }
        What::Glob { regex } => {
            let message =
                format!("`{part}` looks like a pattern for names, but a star repeats what stands before it here");
            let note = seen.guarded(seen.note(&codes::MATCHER_IS_A_GLOB, message));
            if part.contains(['/', '.']) {
                note.help("The matcher sees the tool's name; test file names in the hook or in the handler's `if`.")
            } else {
                mend(note.help(format!("Write `{regex}`.")), regex)
            }
        }
        What::Server { regex } => {
            let message = format!("`{part}` is compared with whole tool names, and none is called so");
            let note = seen.guarded(seen.note(&codes::MATCHER_NAMES_A_SERVER, message));
            mend(note.help(format!("Write `{regex}` for all tools of the server.")), regex)
        }
        What::Case { meant } => {
            let message = format!("`{part}` matches nothing; the name is `{meant}`");
            mend(probable(seen.note(&codes::MATCHER_LETTER_CASE, message)).help(format!("Write `{meant}`.")), meant)
        }
        // Agents, servers and commands have the names that people give them.
        What::Misspelt { .. } | What::Unknown if !is_tool && !found.certain => return None,
        What::Misspelt { meant } => {
            let message = format!("`{part}` is no name the client knows; probably `{meant}` is meant");
            mend(probable(seen.note(&codes::MATCHER_MISSPELT, message)).help(format!("Write `{meant}`.")), meant)
        }
        What::Character(c) => {
            let message = format!("`{part}` matches nothing: `{c}` does not stand in what `{name}` is tested against");
            let note = seen.guarded(seen.note(&codes::MATCHER_MATCHES_NOTHING, message));
            match (seen.key(), part.trim_start_matches('/')) {
                (TYPED_COMMAND, bare) if part.starts_with('/') && !bare.contains('/') => {
                    mend(note.help("Write the command's name without its slash."), bare)
                }
                _ if is_tool => {
                    note.help("The matcher sees the tool's name only; test its input in the hook or with `if`.")
                }
                _ => note,
            }
        }
        What::Nothing => {
            let values: Vec<_> = known_values(event).collect();
            let message = format!("`{part}` matches none of the values that `{name}` has: {}", values.join(", "));
            seen.guarded(seen.note(&codes::MATCHER_MATCHES_NOTHING, message))
        }
        What::Empty => {
            let message = match seen.matcher {
                Matcher::Exact(_) => "an empty name in the list matches nothing",
                _ => "an empty alternative is found in every value, so that the group always runs",
            };
            let mut note = seen.note(&codes::MATCHER_EMPTY_PART, message);
            note.reach = Reach::None;
            match seen.matcher {
                // The part goes with the separator before it, or with the one behind the first.
                Matcher::Exact(_) => {
                    let text = seen.text;
                    let separator = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(['|', ',']));
                    let before = (0..found.range.start).rev().find(|at| separator(*at));
                    let range = match before {
                        Some(before) => before..found.range.end,
                        None => {
                            0..(found.range.end..text.len()).find(|at| separator(*at)).map_or(text.len(), |at| at + 1)
                        }
                    };
                    let (range, new) = place(&reader.parsed.source.bytes, seen.node, range, "");
                    note.edit(range, new)
                }
                _ => note,
            }
        }
        _ => return None,
    })
}

/// The matcher as a tool's name, with the rule as the condition of every handler that has none.
fn as_condition<'r>(
    reader: &'r Reader,
    seen: &'r Seen<'_>,
    found: &Suspicion,
    tool: &'r str,
    rule: &'r str,
) -> Option<impl FnOnce(Diagnostic) -> Diagnostic> {
    let handlers = seen.object.get(keys::HOOKS.name).and_then(Node::as_array)?;
    let whole = found.range == (0..seen.text.len());
    if !(whole && reader.is_json() && seen.event.conditions) {
        return None;
    }
    let free = handlers.iter().all(|handler| {
        handler.as_object().is_some_and(|object| !object.members.is_empty() && object.get(keys::IF.name).is_none())
    });
    free.then_some(move |mut note: Diagnostic| {
        note = note.edit(seen.node.range.clone(), quoted(tool));
        for handler in handlers {
            let inside = handler.range.start + 1;
            note = note.edit(inside..inside, format!("\"if\": {}, ", quoted(rule)));
        }
        note.changes("the group runs for the calls that the rule covers, which it did not before")
    })
}

/// Whose value a word is that this event does not have.
fn elsewhere(event: &Event, word: &str) -> Option<String> {
    let is_tool = event.facts.subject == SubjectFact::ToolName;
    if !is_tool && (tools::BUILT_IN.contains(&word) || word.starts_with("mcp__")) {
        return Some("the name of a tool".to_owned());
    }
    if EVENTS.iter().any(|other| other.facts.name == word) {
        return Some("the name of an event".to_owned());
    }
    let other = EVENTS
        .iter()
        .find(|other| other.facts.subject != SubjectFact::ToolName && known_values(other).any(|value| value == word))?;
    Some(format!("a value of `{}`", other.facts.name))
}

/// A comma on an event on which only bars separate names (case L088).
fn comma(reader: &Reader, seen: &Seen<'_>) -> Option<Diagnostic> {
    let text = seen.text;
    let names: Vec<_> = text.split([',', '|']).map(str::trim).collect();
    let all_known = names.iter().all(|name| known_values(seen.event).any(|value| value == *name));
    if seen.event.charset == Charset::Wide || !text.contains(',') || !all_known {
        return None;
    }
    let message = format!("on `{}` a comma does not separate names: `{text}` is one expression", seen.event.facts.name);
    let note = seen.guarded(seen.note(&codes::MATCHER_MATCHES_NOTHING, message));
    let (range, new) = place(&reader.parsed.source.bytes, seen.node, 0..text.len(), &names.join("|"));
    let note = note.help("Separate the names by `|`.").edit(range, new);
    Some(note.changes("the group runs for each of the names"))
}

/// The file names of a matcher of `FileChanged`, each of which must be a name and match itself (cases L094 to L097).
fn watched(reader: &Reader, seen: &Seen<'_>) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    let mut start = 0;
    for name in seen.text.split('|') {
        let range = start..start + name.len();
        start = range.end + 1;
        let pattern = name.contains(['*', '?', '^', '$', '[', ']', '(', ')', '{', '}']);
        let message = if name.is_empty() {
            continue;
        } else if name.contains(['/', '\\']) {
            format!(
                "`{name}` is a path: only files in the working directory are watched, and the name alone is compared"
            )
        } else if pattern {
            format!("the client watches a file that is called `{name}`, whatever a pattern would mean by it")
        } else if name.contains(',') || name.trim() != name {
            let message = format!("the client watches a file that is called `{name}`: only `|` separates names here");
            let names: Vec<_> = name.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
            let note = seen.note(&codes::WATCH_NOT_A_NAME, message);
            let (range, new) = place(&reader.parsed.source.bytes, seen.node, range, &names.join("|"));
            let note = note.help("Write the names with nothing but `|` between them.").edit(range, new);
            notes.push(note.changes("each of the names is watched"));
            continue;
        } else if seen.matcher.matches(name) == Matched::No {
            format!(
                "`{name}` is watched, but as an expression it does not match its own name, so the group never runs for it"
            )
        } else {
            continue;
        };
        notes.push(seen.note(&codes::WATCH_NOT_A_NAME, message));
    }
    notes
}

/// A model's alias, or a name with a date, a provider or a suffix, where canonical names are compared (case L090).
fn not_canonical(seen: &Seen<'_>) -> Option<Diagnostic> {
    let value = seen.text.split('|').map(str::trim).find(|value| match seen.matcher {
        Matcher::Exact(_) => {
            value.split(',').map(str::trim).any(|value| MODEL_ALIASES.contains(&value) || dated(value))
        }
        // A pattern, of which a part is plainly one of these.
        _ => value.ends_with("[1m]") || value.contains("anthropic.claude"),
    })?;
    let message = format!("`{value}` is no canonical name of a model, and the event is tested against that only");
    Some(seen.guarded(seen.note(&codes::MATCHER_NOT_CANONICAL, message)))
}

fn dated(value: &str) -> bool {
    let date = value.rsplit('-').next().unwrap_or_default();
    date.len() == 8 && date.bytes().all(|digit| digit.is_ascii_digit())
}

/// A text that JavaScript does not take for a regular expression.
fn not_regex(seen: &Seen<'_>, error: &PatternError, known: &[&str]) -> Diagnostic {
    let text = seen.text;
    let message = format!("`{text}` is not a valid JavaScript regular expression ({error}), so the group never runs");
    let mut note = seen.guarded(seen.note(&codes::MATCHER_NOT_REGEX, message));
    // The vectors' word for the reach of what the client says nothing about.
    note.reach = Reach::Entry;
    let Some(rest) = text.strip_prefix("(?i)") else {
        return match text {
            _ if text.contains("(?P<") => {
                note.help("Write `(?<name>...)` for a named group; JavaScript has no `(?P<`.")
            }
            _ if text.contains('*') => {
                note.help("Write `.*` for any text; a star alone repeats what stands before it.")
            }
            _ if text.contains("(?") => {
                note.help("JavaScript has no flags inside an expression; letter case always counts.")
            }
            _ => note,
        };
    };
    let bare = rest.trim_start_matches(['^', '(']).trim_end_matches(['$', ')']);
    let names: Option<Vec<_>> =
        bare.split('|').map(|name| known.iter().find(|known| known.eq_ignore_ascii_case(name)).copied()).collect();
    match names {
        Some(names) => note
            .help(format!("Letter case always counts, and `(?i)` is not JavaScript: write `{}`.", names.join("|")))
            .edit(seen.node.range.clone(), quoted(&names.join("|")))
            .changes("the group runs, which it did not before"),
        None => {
            note.help("`(?i)` is not JavaScript, and letter case always counts: write the names as the client does.")
        }
    }
}

/// Syntax of other languages that JavaScript takes for plain letters: anchors such as `\A`, classes such as `[[:alpha:]]`.
fn foreign(seen: &Seen<'_>) -> Option<Diagnostic> {
    if !matches!(seen.matcher, Matcher::Pattern(_)) {
        return None;
    }
    let mut escaped = false;
    let mut found = None;
    for c in seen.text.chars() {
        if escaped && matches!(c, 'A' | 'Z' | 'z' | 'Q' | 'E' | 'G') {
            found = Some(format!("\\{c}"));
        }
        escaped = c == '\\' && !escaped;
    }
    if seen.text.contains("[[:") {
        found = Some("[[:...:]]".to_owned());
    }
    let message = format!("`{}` is no syntax of JavaScript, which reads it as plain letters", found?);
    let note = seen.note(&codes::MATCHER_NOT_JAVASCRIPT, message);
    let dead = known_values(seen.event).all(|value| seen.matcher.matches(value) == Matched::No);
    Some(if dead { seen.guarded(note) } else { note })
}
