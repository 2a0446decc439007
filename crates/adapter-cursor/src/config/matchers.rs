//! Matchers that are regular expressions and still cannot match what their author meant.

use std::ops::Range;

use hooks_core::document::Node;
use hooks_core::facts::SubjectFact;
use hooks_core::lint::matchers::{Known, Suspicion, What, look, place};
use hooks_core::lint::nearest::{Difference, nearest};
use hooks_core::matcher::Matched;
use hooks_core::{Code, Diagnostic, Matcher, Reach, Severity};

use super::shapes::{
    blank, claudes_name, empty_part, is_dead_literal, literal, own_name, permission_rule, plain_names, posix_class,
    spaced_list,
};
use super::{Reader, quote};
use crate::codes;
use crate::events::Event;
use crate::matcher::{is_everything, pattern};
use crate::options::RegexLanguage;
use crate::tools::{NAMES, SEEN};

/// A matcher in the document.
pub(super) struct Written<'n> {
    /// The event that it stands on.
    pub(super) event: &'static Event,
    /// Its value.
    pub(super) node: &'n Node,
    /// The pointer of that.
    pub(super) pointer: String,
    /// What to take out to be rid of it.
    pub(super) member: Option<Range<usize>>,
}

impl Written<'_> {
    fn text(&self) -> &str {
        self.node.as_str().unwrap_or_default()
    }

    /// A diagnostic about a part of the text, as loud as what it costs.
    fn tell(&self, reader: &Reader<'_>, code: &'static Code, part: Range<usize>, message: String) -> Diagnostic {
        Diagnostic::new(code, Reach::Entry, message)
            .severity(Reader::severity(self.event))
            .at(place(&reader.source.bytes, self.node, part, "").0)
            .pointer(self.pointer.clone())
            .silent()
    }

    /// What putting another text in the place of a part does.
    fn replace(&self, reader: &Reader<'_>, diagnostic: Diagnostic, part: Range<usize>, instead: &str) -> Diagnostic {
        let (range, text) = place(&reader.source.bytes, self.node, part, instead);
        diagnostic
            .help(format!("Write {}.", quote(instead)))
            .edit(range, text)
            .changes("the hook will run where it did not before")
    }

    fn whole(&self) -> Range<usize> {
        0..self.text().len()
    }
}

/// Looks at a matcher that compiled.
pub(super) fn read(reader: &mut Reader<'_>, written: &Written<'_>, compiled: &Matcher) {
    let text = written.text();
    if !reader.everything || is_everything(text) {
        return;
    }
    let mut found = Vec::new();
    if let Some((part, class)) = posix_class(text) {
        let message =
            format!("{} is no class in JavaScript, so the matcher does not find what it was written for", quote(class));
        found.push(written.tell(reader, &codes::MATCHER_POSIX_CLASS, part, message));
    } else if let Some(part) = empty_part(text) {
        found.push(empty(reader, written, part));
    } else if let Some(diagnostic) = slashes(reader, written, compiled) {
        found.push(diagnostic);
    } else {
        found = of_subject(reader, written, compiled);
    }
    for diagnostic in found {
        reader.report(diagnostic);
    }
}

/// An alternative without text. Two bars between blanks in a command's pattern can be the shell's own.
fn empty(reader: &Reader<'_>, written: &Written<'_>, part: Range<usize>) -> Diagnostic {
    let text = written.text();
    let message = "an empty alternative matches everything, so the hook runs every time".to_owned();
    let diagnostic =
        written.tell(reader, &codes::MATCHER_EMPTY_PART, part.clone(), message).severity(Severity::Warning);
    if written.event.facts.subject == SubjectFact::Command && text.contains(" || ") {
        return diagnostic.help("Write \\\\|\\\\| in JSON for the shell's `||`, or one bar between alternatives.");
    }
    let nothing_else = part == written.whole();
    let (range, instead) = place(&reader.source.bytes, written.node, part, "");
    let diagnostic = diagnostic.edit(range, instead);
    if nothing_else {
        return diagnostic;
    }
    diagnostic.changes("the hook runs for what the matcher names only, no longer every time")
}

/// A regular expression between slashes, as JavaScript's own code has it: in a matcher the slashes are text.
fn slashes(reader: &Reader<'_>, written: &Written<'_>, compiled: &Matcher) -> Option<Diagnostic> {
    let (inner, flags) = literal(written.text())?;
    // No tool's name has a slash before and behind it; a command can.
    let no_tool = written.event.facts.subject == SubjectFact::ToolName
        && [&NAMES[..], &SEEN[..]].concat().iter().all(|name| compiled.matches(name) != Matched::Yes);
    if !no_tool && !is_dead_literal(inner) {
        return None;
    }
    let message = format!(
        "the slashes around {} are text that is searched for, as no flag behind them is, so the hook never runs",
        quote(inner)
    );
    let diagnostic = written.tell(reader, &codes::MATCHER_MATCHES_NOTHING, written.whole(), message);
    Some(match flags.contains(['i', 'm', 's', 'v']) {
        false => written.replace(reader, diagnostic, written.whole(), inner),
        true => diagnostic.help("Write what stands between the slashes; for letters in both cases write [Bb]."),
    })
}

fn of_subject(reader: &Reader<'_>, written: &Written<'_>, compiled: &Matcher) -> Vec<Diagnostic> {
    match written.event.facts.subject {
        SubjectFact::Ignored => Vec::new(),
        SubjectFact::Word(word) => fixed_word(reader, written, compiled, word).into_iter().collect(),
        SubjectFact::Command => command(reader, written).into_iter().collect(),
        SubjectFact::ToolName => tool_names(reader, written, compiled),
        SubjectFact::Field { values: [], .. } => mcp_names(reader, written, compiled),
        SubjectFact::Field { values, .. } => subagent_types(reader, written, compiled, values),
    }
}

/// An event whose matchers are held against one word, always.
fn fixed_word(
    reader: &Reader<'_>,
    written: &Written<'_>,
    compiled: &Matcher,
    word: &'static str,
) -> Option<Diagnostic> {
    if compiled.matches(word) != Matched::No {
        return None;
    }
    let name = written.event.facts.name;
    if written.text().eq_ignore_ascii_case(word) {
        let message = format!("{name} tests the word `{word}`, letter case and all, so the hook never runs");
        let diagnostic = written.tell(reader, &codes::MATCHER_WRONG_CASE, written.whole(), message);
        return Some(written.replace(reader, diagnostic, written.whole(), word));
    }
    if let Some(older) = older_word(word).filter(|older| compiled.matches(older) == Matched::Yes) {
        let message = format!(
            "{name} tests the word `{word}` since September 2026: `{older}` was named for it before, and has an event of its own"
        );
        let diagnostic = written
            .tell(reader, &codes::MATCHER_MATCHES_NOTHING, written.whole(), message)
            .severity(Severity::Warning)
            .help(format!("Write `{word}`, or move the hook to the event of Tab."));
        let (range, text) = place(&reader.source.bytes, written.node, written.whole(), word);
        return Some(diagnostic.edit(range, text).changes(format!("the hook will run wherever `{word}` is tested")));
    }
    let message = format!(
        "{name} tests nothing but the word `{word}`, which {} does not match, so the hook never runs",
        quote(written.text())
    );
    let mut diagnostic = written
        .tell(reader, &codes::MATCHER_MATCHES_NOTHING, written.whole(), message)
        .help("Leave the matcher out, and test in the hook itself.");
    if let Some(member) = &written.member {
        diagnostic =
            diagnostic.edit(member.clone(), "").changes("the hook will run every time, where it never ran before");
    }
    Some(diagnostic)
}

/// What older copies of Cursor's page name beside an event's word.
fn older_word(word: &str) -> Option<&'static str> {
    match word {
        "Read" => Some("TabRead"),
        "Write" => Some("TabWrite"),
        _ => None,
    }
}

/// An event whose matchers are held against a command's text, which can be anything: only shapes tell.
fn command(reader: &Reader<'_>, written: &Written<'_>) -> Option<Diagnostic> {
    let (text, name) = (written.text(), written.event.facts.name);
    // What stands in brackets in a regular expression of words has none of these.
    let is_rule = |specifier: &str| specifier.contains([' ', '*', ':', '/']);
    if let Some((tool, specifier)) = permission_rule(text).filter(|(_, specifier)| is_rule(specifier)) {
        let message = format!(
            "{} is a permission rule; {name} searches the command's text for a regular expression",
            quote(text)
        );
        let diagnostic = written.tell(reader, &codes::MATCHER_PERMISSION_RULE, written.whole(), message);
        let meant = if tool == "Shell" { specifier } else { "" };
        let meant = meant.trim_end_matches(['*', ':', ' ']);
        return Some(match meant.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/')) {
            true if !meant.is_empty() => written.replace(reader, diagnostic, written.whole(), &format!("^{meant}")),
            _ => diagnostic,
        });
    }
    let names = plain_names(text).unwrap_or_default();
    if !names.is_empty() && names.iter().all(|(_, name)| own_name(name).is_some()) {
        let message =
            format!("{name} searches the command's text, in which nobody writes the tool's name {}", quote(text));
        let mut diagnostic = written.tell(reader, &codes::MATCHER_TOOL_NAME, written.whole(), message);
        let shell = names.iter().all(|(_, name)| own_name(name) == Some("Shell"));
        if let Some(member) = written.member.clone().filter(|_| shell) {
            diagnostic = diagnostic
                .help("Leave the matcher out: the event is about shell commands only.")
                .edit(member, "")
                .changes("the hook will run for every command, where it ran for none before");
        }
        return Some(diagnostic);
    }
    let (part, word) = blank(text)?;
    let message = match word.starts_with(' ') {
        true => {
            format!("the blank in {} is part of it, so a command that starts with the word is not found", quote(word))
        }
        false => format!(
            "the blank in {} is part of it, and what stands before it is found at the end of other words too",
            quote(word)
        ),
    };
    Some(written.tell(reader, &codes::MATCHER_BLANK, part, message).severity(Severity::Info))
}

/// The events that test a tool's name.
fn tool_names(reader: &Reader<'_>, written: &Written<'_>, compiled: &Matcher) -> Vec<Diagnostic> {
    let text = written.text();
    // Most matchers are names that exist.
    if text.split('|').all(|name| NAMES.contains(&name) || SEEN.contains(&name)) {
        return Vec::new();
    }
    let language = reader.options.regex;
    let event = written.event.facts.name;
    let dead = NAMES.iter().all(|name| compiled.matches(name) != Matched::Yes);
    if dead && let Some((tool, _)) = permission_rule(text) {
        let message = format!(
            "{} is a permission rule; {event} holds a regular expression against the tool's name, so the hook never runs",
            quote(text)
        );
        let diagnostic = written.tell(reader, &codes::MATCHER_PERMISSION_RULE, written.whole(), message);
        return vec![written.replace(reader, diagnostic, written.whole(), tool).changes(format!(
            "the hook will run for every call of {tool}, whatever its input: test that in the hook"
        ))];
    }
    if let Some(names) = spaced_list(text) {
        let message = format!(
            "commas and blanks are part of a name in {}, and none of Cursor's tools has any in its name",
            quote(text)
        );
        let names: Vec<&str> = names.iter().map(|name| own_name(name).unwrap_or(name)).collect();
        let diagnostic = written.tell(reader, &codes::MATCHER_MATCHES_NOTHING, written.whole(), message);
        return vec![written.replace(reader, diagnostic, written.whole(), &names.join("|"))];
    }
    let mut found = mcp_names(reader, written, compiled);
    let known = Known { values: &NAMES, closed: false, servers: None, character: Some(|c| !c.is_whitespace()) };
    let whole = if matches!(compiled, Matcher::Pattern(_)) { compiled.clone() } else { pattern(language, text) };
    let mut unknown: Vec<(Range<usize>, Option<String>)> = Vec::new();
    for Suspicion { range, what, .. } in look(text, &whole, &['|'], &known, |part| pattern(language, part)) {
        let part = text.get(range.clone()).unwrap_or_default();
        if part.contains("mcp__") || part.contains("MCP") || lower_prefix(part).is_some() {
            continue;
        }
        let covered = |name: &str| compiled.matches(name) == Matched::Yes;
        match what {
            _ if claudes_name(part).is_some() => {
                let Some(name) = claudes_name(part).filter(|name| !covered(name)) else { continue };
                let theirs = if own_name(part).is_some() { "Claude's name" } else { "Claude's name in other letters" };
                let message = format!("{} is {theirs}; Cursor calls the tool {name}", quote(part));
                let diagnostic = written.tell(reader, &codes::MATCHER_CLAUDE_TOOL, range.clone(), message);
                found.push(written.replace(reader, diagnostic, range, name));
            }
            What::Case { meant } if !covered(&meant) => {
                let message = format!(
                    "Cursor calls the tool `{meant}`, letter case and all, so {} does not match it",
                    quote(part)
                );
                let diagnostic = written.tell(reader, &codes::MATCHER_WRONG_CASE, range.clone(), message);
                found.push(written.replace(reader, diagnostic, range, &meant));
            }
            What::Rule { tool, .. } if !covered(&tool) => {
                let message = format!("{} is a permission rule and matches no tool", quote(part));
                let diagnostic = written.tell(reader, &codes::MATCHER_PERMISSION_RULE, range.clone(), message);
                found.push(written.replace(reader, diagnostic, range, &tool));
            }
            What::Glob { .. } => {
                let message = format!("{} is a pattern for file names; {event} tests the tool's name", quote(part));
                found.push(written.tell(reader, &codes::MATCHER_GLOB, range, message));
            }
            What::Character(_) => {
                let message = format!("{event} tests the tool's name, and none has a blank as {} does", quote(part));
                let help = "Test a command's text with beforeShellExecution.";
                found.push(written.tell(reader, &codes::MATCHER_MATCHES_NOTHING, range, message).help(help));
            }
            What::Misspelt { .. } | What::Unknown if finds_seen(language, part) => {}
            // A matcher for several clients, which names what Cursor calls an edit.
            What::Misspelt { .. } | What::Unknown if OTHER_EDITS.contains(&part) && covered("Write") => {}
            What::Misspelt { meant } if !covered(&meant) => unknown.push((range, Some(meant))),
            What::Unknown => unknown.push((range, None)),
            _ => {}
        }
    }
    if let Some(diagnostic) = unknown_tools(reader, written, &unknown) {
        found.push(diagnostic);
    }
    found
}

/// Claude's names for tools that change files, beside those that Cursor maps: in matchers for several clients they lose
/// nothing where Cursor's own name stands too.
const OTHER_EDITS: [&str; 2] = ["MultiEdit", "NotebookEdit"];

/// Whether a part of a matcher finds a tool that others' hooks name.
fn finds_seen(language: RegexLanguage, part: &str) -> bool {
    let part = pattern(language, part);
    SEEN.iter().any(|name| part.matches(name) == Matched::Yes)
}

/// Tells of the tools that nobody has heard of, once for a matcher: they can be new ones.
fn unknown_tools(
    reader: &Reader<'_>,
    written: &Written<'_>,
    unknown: &[(Range<usize>, Option<String>)],
) -> Option<Diagnostic> {
    let text = written.text();
    let names: Vec<String> =
        unknown.iter().map(|(range, _)| quote(text.get(range.clone()).unwrap_or_default())).collect();
    let part = if let [(range, _)] = unknown { range.clone() } else { written.whole() };
    let message = format!("Cursor is not known to have a tool {}", names.join(" or "));
    let mut diagnostic = (!unknown.is_empty())
        .then(|| written.tell(reader, &codes::MATCHER_UNKNOWN_TOOL, part, message))?
        .severity(Severity::Warning);
    if let [(range, Some(meant))] = unknown {
        diagnostic = written.replace(reader, diagnostic, range.clone(), meant);
    }
    Some(diagnostic)
}

/// Names of MCP tools in Claude's form, and the prefix without a tool: Cursor calls such a tool `MCP:` and its own name
/// at the tool events, and tests that or the name alone at the MCP events, where no document says which.
fn mcp_names(reader: &Reader<'_>, written: &Written<'_>, compiled: &Matcher) -> Vec<Diagnostic> {
    let text = written.text();
    let mut found = Vec::new();
    for (at, start) in text.match_indices("mcp__") {
        let rest = text.get(at + start.len()..).unwrap_or_default();
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        let behind = rest.get(length..).unwrap_or_default();
        // Any server's tool of one name.
        if let Some((wildcard, tool)) = any_servers(behind).filter(|_| name.is_empty()) {
            if compiled.matches(&format!("MCP:{tool}")) != Matched::Yes {
                let part = at..at + start.len() + wildcard.len() + tool.len();
                found.push(written.replace(
                    reader,
                    with_server(reader, written, part.clone()),
                    part,
                    &format!("MCP:{tool}"),
                ));
            }
            continue;
        }
        let whole = !behind.starts_with(['.', '*', '+', '?', '[', '(', '{', '\\']);
        let tool = name.split_once("__").map(|(_, tool)| tool).filter(|tool| whole && !tool.is_empty());
        let all = name.is_empty() && [".*", ".+", ""].iter().any(|any| behind.strip_prefix(any).is_some_and(is_end));
        if compiled.matches(&format!("MCP:{}", tool.unwrap_or("x"))) == Matched::Yes {
            continue;
        }
        let part = at..at + start.len() + length;
        let diagnostic = with_server(reader, written, part.clone());
        found.push(match (tool, all) {
            (Some(tool), _) => written.replace(reader, diagnostic, part, &format!("MCP:{tool}")),
            (None, true) => written.replace(reader, diagnostic, part, "MCP:"),
            (None, false) => diagnostic.help(
                "No matcher tells servers apart: match `MCP:`, and look at mcp_server_name in a hook on beforeMCPExecution.",
            ),
        });
    }
    for (start, name) in text.split('|').scan(0, |at, part| Some((std::mem::replace(at, *at + part.len() + 1), part))) {
        let Some((at, tool)) = lower_prefix(name) else { continue };
        if compiled.matches(&format!("MCP:{tool}")) != Matched::Yes {
            let part = start + at..start + at + "mcp:".len();
            let message = format!("Cursor writes `MCP:` in capitals, so {} matches no tool", quote(name));
            let diagnostic = written.tell(reader, &codes::MATCHER_MCP_NAME, part.clone(), message);
            found.push(written.replace(reader, diagnostic, part, "MCP:"));
        }
    }
    if matches!(text, "^MCP$" | "^MCP:$" | "MCP$" | "MCP:$") {
        let message = format!("no tool is called {}: the name of an MCP tool follows the prefix", quote(text));
        let diagnostic = written.tell(reader, &codes::MATCHER_MCP_NAME, written.whole(), message);
        found.push(written.replace(reader, diagnostic, written.whole(), "^MCP:"));
    }
    found
}

/// What there is to say of a name with a server in it.
fn with_server(reader: &Reader<'_>, written: &Written<'_>, part: Range<usize>) -> Diagnostic {
    let message = format!(
        "Cursor's names of MCP tools have no server in them, so {} matches none",
        quote(written.text().get(part.clone()).unwrap_or_default())
    );
    written.tell(reader, &codes::MATCHER_MCP_NAME, part, message)
}

/// The wildcard for a server and the tool's name in what stands behind `mcp__`, where the name is the end.
fn any_servers(behind: &str) -> Option<(&str, &str)> {
    let at = [".*__", ".+__", "[^_]+__"].iter().find_map(|any| behind.starts_with(any).then_some(any.len()))?;
    let (wildcard, rest) = behind.split_at_checked(at)?;
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
    let (tool, behind) = rest.split_at_checked(length)?;
    (!tool.is_empty() && is_end(behind)).then_some((wildcard, tool))
}

/// Whether an alternative ends here.
fn is_end(behind: &str) -> bool {
    behind.is_empty() || behind.starts_with(['|', ')', '$'])
}

/// Where the prefix of MCP tools stands in other letters at the start of an alternative, and the tool behind it.
fn lower_prefix(part: &str) -> Option<(usize, &str)> {
    let inner = part.trim_start_matches(['^', '(']);
    let (prefix, tool) = inner.split_at_checked("mcp:".len())?;
    (prefix.eq_ignore_ascii_case("mcp:") && prefix != "MCP:")
        .then_some((part.len() - inner.len(), tool.trim_end_matches([')', '$'])))
}

/// The events that test a subagent's type, of which users have their own.
fn subagent_types(
    reader: &Reader<'_>,
    written: &Written<'_>,
    compiled: &Matcher,
    types: &'static [&'static str],
) -> Vec<Diagnostic> {
    let event = written.event.facts.name;
    let Some(names) = plain_names(written.text()) else { return Vec::new() };
    let mut found = Vec::new();
    for (at, name) in names {
        if types.iter().any(|known| known.contains(name)) {
            continue;
        }
        let part = at..at + name.len();
        let near = nearest(name, types.iter().copied());
        match near.filter(|near| matches!(near.difference, Difference::Case | Difference::Separators)) {
            Some(near) if compiled.matches(near.name) != Matched::Yes => {
                let message =
                    format!("Cursor's own type of subagent is `{}`, which {} does not match", near.name, quote(name));
                // One of the user's own can be called so.
                let diagnostic = written.tell(reader, &codes::MATCHER_WRONG_CASE, part.clone(), message);
                found.push(written.replace(reader, diagnostic.severity(Severity::Warning), part, near.name));
            }
            None if own_name(name).is_some() => {
                let message = format!(
                    "{event} tests the subagent's type, and {} is a tool's name: the hook runs for a subagent of yours that is called so, if any",
                    quote(name)
                );
                let help = format!("Write the type of a subagent: {}, or one of your own.", types.join(", "));
                let diagnostic = written.tell(reader, &codes::MATCHER_TOOL_NAME, part, message);
                found.push(diagnostic.severity(Severity::Warning).help(help));
            }
            _ => {}
        }
    }
    found
}
