//! What a group's matcher does that its writer did not mean: it is ignored, it cannot be read, or it matches nothing.

use std::ops::Range;

use hooks_core::Matcher;
use hooks_core::diagnostic::{Diagnostic, Edit, Reach, Severity};
use hooks_core::document::Node;
use hooks_core::facts::SubjectFact;
use hooks_core::lint::matchers::{Known, ServerNames, Suspicion, What, look, matches_none, place};
use hooks_core::lint::values;
use hooks_core::matcher::{Matched, Pattern, PatternError};

use super::Reader;
use super::at::At;
use super::mend::with;
use crate::events::Event;
use crate::tools::{ALIASES, BASH, NEVER_SEEN};
use crate::{codes, matcher};

/// A group's matcher as written.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) node: &'a Node,
    pub(super) text: &'a str,
    pub(super) at: &'a At<'a>,
}

/// Bytes of a matcher up to which its parts are looked at: nobody writes longer ones.
const LONGEST: usize = 2000;

/// What stands before the name of a tool server in a tool's name.
const SERVERS: ServerNames<'static> = ServerNames { prefix: "mcp__", between: "__" };

/// One thing that is wrong with a matcher, before it has a place.
struct Wrong {
    part: Range<usize>,
    message: String,
    help: String,
    /// What the part, or with `whole` the matcher, is to be.
    instead: Option<(String, bool)>,
    certain: bool,
    /// By which name the matcher takes already what is to stand there, so that nothing is lost.
    covered: Option<String>,
    /// Whether the client's own comparison of whole words tells it, so that no expression has to be understood.
    plain: bool,
}

impl Reader {
    /// A group's matcher. A list of names is plainly meant as the names with bars between them.
    pub(super) fn matcher_text(&mut self, node: Option<&Node>, at: &At<'_>) -> Option<String> {
        let names = node.and_then(Node::as_array).filter(|names| !names.is_empty());
        let Some((node, names)) = node.zip(names) else { return self.optional_text(node, at) };
        let words: Option<Vec<&str>> = names.iter().map(Node::as_str).collect();
        let words = words.filter(|words| words.iter().all(|word| !word.is_empty() && matcher::is_exact(word)));
        let edit = words.map(|words| Edit { range: node.range.clone(), text: values::quoted(&words.join("|")) });
        self.wrong_value(node, at, "a string", edit.into_iter().collect());
        None
    }

    /// Judges a group's matcher; gives the reason when the group is skipped.
    pub(super) fn matcher(
        &mut self,
        event: &'static Event,
        said: Said<'_>,
        compiled: &Matcher,
        error: Option<&PatternError>,
        has_handlers: bool,
    ) -> Option<String> {
        let Said { node, text, at } = said;
        let name = event.facts.name;
        if event.facts.subject == SubjectFact::Ignored {
            // That they run always is what these say.
            if matches!(text, "" | "*") {
                return None;
            }
            let message = format!("{name} ignores matchers: these hooks run always");
            let found = Diagnostic::new(&codes::MATCHER_IGNORED, Reach::Group, message);
            self.soft.push(found.at(node.range.clone()).pointer(at.pointer()).silent());
            return None;
        }
        let Some(error) = error else {
            self.never_matches(event, said, compiled);
            return None;
        };
        let left = event.unguarded().filter(|_| has_handlers).map(|left| format!("; {left}")).unwrap_or_default();
        let message = format!("the matcher `{text}` is no regular expression ({error}); the group is skipped{left}");
        let reach = if has_handlers { self.managed_reach(Reach::Group) } else { Reach::Group };
        let mut found = self.skip(&codes::MATCHER_NOT_REGEX, event, reach, message);
        if let Some(help) = dialect(text) {
            found = found.help(help);
        }
        let mut edits = Vec::new();
        let tools = tool_names();
        let is_short = text.len() <= LONGEST;
        let looked = is_short.then(|| look(text, compiled, &['|'], &known(event, &tools), regex));
        let mended = looked.and_then(|parts| replaced(text, &parts));
        if let Some(mended) = mended.filter(|mended| Pattern::rust(mended).is_ok()) {
            found = found.help(format!("Write `{mended}`."));
            edits.push(Edit { range: node.range.clone(), text: values::quoted(&mended) });
        }
        let found = found.at(node.range.clone()).pointer(at.pointer());
        self.soft.push(with(found, edits, "the group's hooks run, which they did not before"));
        Some(format!("its matcher is no regular expression: {error}"))
    }

    /// Parts of a matcher that match nothing the event could have.
    fn never_matches(&mut self, event: &'static Event, said: Said<'_>, compiled: &Matcher) {
        let Said { node, text, at } = said;
        let is_list = matcher::is_exact(text);
        // Looking into an expression costs more than compiling it; only who asks for advice waits for that.
        if matches!(compiled, Matcher::All) || !(is_list || self.advising) || text.len() > LONGEST {
            return;
        }
        let tools = tool_names();
        let known = known(event, &tools);
        let mut wrong: Vec<Wrong> = Vec::new();
        for one in look(text, compiled, &['|'], &known, regex) {
            wrong.extend(told(text, &one, is_list, event));
        }
        if text.bytes().all(|byte| byte == b'|') {
            wrong.push(no_names(text, event));
        }
        wrong.iter_mut().for_each(|one| one.covered = covering(one, compiled));
        if event.facts.subject == SubjectFact::ToolName {
            if let Some(separated) = separators(text, compiled, &known) {
                // It says all that there is to say of the parts.
                wrong = vec![separated];
            }
            wrong.extend(server_name(text));
        }
        let dead = is_dead(text, &wrong, is_list, compiled, &known);
        for mut one in wrong {
            let told_by_parsing = self.advising && !self.only_advice;
            if (one.plain && told_by_parsing) || (!one.plain && !self.advising) {
                continue;
            }
            let mut message = std::mem::take(&mut one.message);
            if dead {
                message.push_str("; the group never runs");
                if let Some(left) = event.unguarded() {
                    message.push_str(": ");
                    message.push_str(left);
                }
            }
            if let Some(taken) = &one.covered {
                message.push_str(&format!("; the matcher takes `{taken}` anyway, so nothing is lost"));
                one.help = "Remove it, unless another client reads this file too.".to_owned();
            }
            let (range, edit) = mended(&self.parsed.source.bytes, node, text, &one, is_list);
            let reach = match (one.covered.is_some(), dead) {
                (true, _) => Reach::None,
                (_, true) => Reach::Group,
                _ => Reach::Entry,
            };
            let mut found = Diagnostic::new(&codes::MATCHER_NEVER_MATCHES, reach, message).help(one.help);
            if one.covered.is_some() {
                found = found.severity(Severity::Info);
            } else if dead && event.guards() && one.certain {
                found = found.severity(Severity::Error);
            }
            let range = if range.is_empty() { node.range.clone() } else { range };
            let found = found.at(range).pointer(at.pointer()).silent();
            let changes = if one.covered.is_some() {
                "nothing in what the group runs for; its hooks have to be reviewed again"
            } else {
                "the group runs where it did not before"
            };
            let found = with(found, edit.into_iter().collect(), changes);
            if one.plain { self.soft.push(found) } else { self.advice.push(found) }
        }
    }
}

/// The names that the client's own tools have in matchers.
fn tool_names() -> Vec<&'static str> {
    let aliased = ALIASES.iter().flat_map(|(name, more)| std::iter::once(*name).chain(more.iter().copied()));
    std::iter::once(BASH).chain(aliased).collect()
}

/// What an event's matchers are held against.
fn known<'a>(event: &'static Event, tools: &'a [&'static str]) -> Known<'a> {
    let none = Known { values: &[], closed: false, servers: None, character: None };
    match &event.facts.subject {
        // Names are those of function tools and tool servers' tools: letters, digits and few marks.
        SubjectFact::ToolName => Known {
            values: tools,
            servers: Some(SERVERS),
            character: Some(|c| {
                !c.is_whitespace() && !matches!(c, '(' | ')' | ',' | ';' | '/' | '"' | '\'' | '`' | '|')
            }),
            ..none
        },
        SubjectFact::Field { values, .. } => Known { values, closed: !values.is_empty(), ..none },
        SubjectFact::Word(word) => Known { values: std::slice::from_ref(word), closed: true, ..none },
        SubjectFact::Ignored | SubjectFact::Command => none,
    }
}

fn regex(text: &str) -> Matcher {
    Pattern::rust(text).map_or_else(|error| Matcher::Never(error.to_string()), Matcher::Pattern)
}

/// What is to be said of a suspicious part; nothing where nobody can know.
fn told(text: &str, one: &Suspicion, is_list: bool, event: &Event) -> Option<Wrong> {
    let part = text.get(one.range.clone())?;
    let name = event.facts.name;
    let tools = event.facts.subject == SubjectFact::ToolName;
    let mut wrong = Wrong {
        part: one.range.clone(),
        message: format!("`{part}` never equals what {name} is matched with"),
        help: String::new(),
        instead: one.what.instead().map(|new| (new.to_owned(), false)),
        certain: one.certain,
        covered: None,
        plain: is_list,
    };
    if let Some((_, instead)) = NEVER_SEEN.iter().find(|(name, _)| tools && *name == part) {
        wrong.certain = true;
        wrong.instead = instead.map(|new| (new.to_owned(), false));
        wrong.help = match instead {
            Some(new) => format!("Write `{new}`."),
            None => "No hook runs for tools that the model's provider hosts.".to_owned(),
        };
        return Some(wrong);
    }
    match &one.what {
        What::Rule { tool, specifier } => {
            wrong.message = format!("`{part}` is a permission rule; as a matcher it is found in no tool's name");
            wrong.help = format!("Write `{tool}`, and look for `{specifier}` in the hook.");
        }
        What::Glob { regex } => {
            wrong.message = format!(
                "`{part}` is a pattern for file names; here it is a regular expression, which means another thing"
            );
            wrong.help = format!("Write `{regex}`.");
        }
        What::Server { regex } => {
            wrong.help = format!("A list of letters, digits and `_` is compared whole: write `{regex}`.");
            // With an expression in it the whole matcher is one, and names in it are found inside other names.
            if is_list && text.contains('|') {
                let names = text.split('|').map(|name| if name == part { regex.as_str() } else { name });
                wrong.instead =
                    Some((format!("^({})$", names.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("|")), true));
            }
        }
        What::Case { meant } => wrong.help = format!("Write `{meant}`: letter case counts."),
        What::Misspelt { meant } => {
            wrong.help = format!("Write `{meant}`.");
            if !one.certain {
                wrong.message = format!("`{part}` is none of the names known here, and nearly `{meant}`");
                // Somebody's own tool may be called so.
                wrong.plain = false;
            }
        }
        What::Character(c) => {
            wrong.message = format!("no tool's name holds {}, so this part matches nothing", character(*c));
            wrong.help = "Separate names by `|` alone, without blanks.".to_owned();
        }
        What::Nothing => wrong.help = values_of(event),
        _ => return None,
    }
    Some(wrong)
}

fn character(c: char) -> String {
    if c == ' ' { "a blank".to_owned() } else { format!("`{}`", c.escape_debug()) }
}

fn values_of(event: &Event) -> String {
    match event.facts.subject {
        SubjectFact::Field { values, .. } => format!("Write one of: {}.", values.join(", ")),
        SubjectFact::Word(word) => format!("Write `{word}`."),
        _ => codes::MATCHER_NEVER_MATCHES.help.to_owned(),
    }
}

/// Names with blanks or commas between them. The characters make an expression of the list, which then means the blanks.
fn separators(text: &str, compiled: &Matcher, known: &Known<'_>) -> Option<Wrong> {
    if !text.contains([',', ' ']) {
        return None;
    }
    let names: Vec<&str> = text.split([',', '|']).map(str::trim).filter(|name| !name.is_empty()).collect();
    let are_names = names.iter().all(|name| matcher::is_exact(name) && !name.contains('|'));
    let missed = names.iter().any(|name| known.values.contains(name) && compiled.matches(name) == Matched::No);
    (are_names && missed).then(|| Wrong {
        part: 0..text.len(),
        message: format!(
            "`{text}` is a regular expression that holds the blanks and commas itself, and misses names in it"
        ),
        help: format!("Write `{}`.", names.join("|")),
        instead: Some((names.join("|"), true)),
        certain: matches_none(compiled, known),
        covered: None,
        plain: false,
    })
}

/// The bytes of what is wrong with a matcher, and the edit that mends it.
fn mended(bytes: &[u8], node: &Node, text: &str, one: &Wrong, is_list: bool) -> (Range<usize>, Option<Edit>) {
    let whole = |new: &str| Edit { range: node.range.clone(), text: values::quoted(new) };
    let part = || place(bytes, node, one.part.clone(), "").0;
    match &one.instead {
        Some(_) if one.covered.is_some() => (part(), is_list.then(|| whole(&without(text, &one.part)))),
        Some((new, true)) => (part(), Some(whole(new))),
        Some((new, false)) => {
            let (range, text) = place(bytes, node, one.part.clone(), new);
            (range.clone(), Some(Edit { range, text }))
        }
        None => (part(), None),
    }
}

/// A list of bars alone.
fn no_names(text: &str, event: &Event) -> Wrong {
    Wrong {
        part: 0..text.len(),
        message: format!(
            "`{text}` is a list without names, which never equals what {} is matched with",
            event.facts.name
        ),
        help: "Write names between the bars, or `*` for everything.".to_owned(),
        instead: None,
        certain: true,
        covered: None,
        plain: true,
    }
}

/// The name by which a matcher takes already what a name that never matches is to be written as.
fn covering(wrong: &Wrong, compiled: &Matcher) -> Option<String> {
    let (new, _) = wrong.instead.as_ref().filter(|(new, whole)| !whole && matcher::is_exact(new))?;
    // A tool is taken by any of its names.
    let aliases = ALIASES.iter().filter(|(name, more)| name == new || more.contains(&new.as_str()));
    let aliases = aliases.flat_map(|(name, more)| std::iter::once(*name).chain(more.iter().copied()));
    let mut names = std::iter::once(new.as_str()).chain(aliases);
    names.find(|name| compiled.matches(name) == Matched::Yes).map(str::to_owned)
}

/// A list without one of its names.
fn without(text: &str, part: &Range<usize>) -> String {
    let mut start = 0;
    let mut kept = Vec::new();
    for name in text.split('|') {
        if start != part.start {
            kept.push(name);
        }
        start += name.len() + 1;
    }
    kept.join("|")
}

/// The name of a tool server with a hyphen, which Codex writes as `_` in its tools' names.
fn server_name(text: &str) -> Option<Wrong> {
    let start = text.find(SERVERS.prefix)? + SERVERS.prefix.len();
    let rest = text.get(start..)?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
    // What may be missing or repeated is no fixed part of the name.
    let repeats = rest.get(end..).is_some_and(|after| after.starts_with(['?', '*', '{', '+']));
    let literal = rest.get(..if repeats { end.saturating_sub(1) } else { end })?;
    let server = literal.split(SERVERS.between).next()?;
    server.contains('-').then(|| {
        let mended = server.replace('-', "_");
        Wrong {
            part: start..start + server.len(),
            message: format!(
                "Codex writes the server `{server}` as `{mended}` in its tools' names, so this matches nothing"
            ),
            help: format!("Write `{mended}`."),
            instead: Some((mended, false)),
            certain: true,
            covered: None,
            plain: false,
        }
    })
}

/// Whether no alternative of a matcher can match.
fn is_dead(text: &str, wrong: &[Wrong], is_list: bool, compiled: &Matcher, known: &Known<'_>) -> bool {
    if wrong.is_empty() || (!is_list && !matches_none(compiled, known)) {
        return false;
    }
    if known.closed && !is_list {
        return true;
    }
    let dead = |range: &Range<usize>| {
        wrong.iter().any(|one| one.certain && one.part.start < range.end && one.part.end > range.start)
    };
    let mut start = 0;
    text.split('|').all(|part| {
        let range = start..start + part.len();
        start += part.len() + 1;
        part.is_empty() || dead(&range)
    })
}

/// The matcher with what was meant in place of each suspicious part.
fn replaced(text: &str, parts: &[Suspicion]) -> Option<String> {
    let mut out = String::new();
    let mut at = 0;
    for part in parts {
        out.push_str(text.get(at..part.range.start)?);
        out.push_str(part.what.instead()?);
        at = part.range.end;
    }
    out.push_str(text.get(at..)?);
    (at > 0).then_some(out)
}

/// What to do without the parts of other languages' expressions.
fn dialect(text: &str) -> Option<&'static str> {
    let is_around = ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|mark| text.contains(mark));
    let is_back = text.as_bytes().windows(2).any(|two| matches!(two, [b'\\', b'1'..=b'9']));
    if is_around {
        Some("Rust's regular expressions have no look-around: match more, and leave out the rest in the hook.")
    } else if is_back {
        Some("Rust's regular expressions have no back-references: match more, and compare in the hook.")
    } else {
        None
    }
}
