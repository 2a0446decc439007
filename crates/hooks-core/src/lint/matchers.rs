//! What a matcher's text can and cannot match: rules, globs and servers' names in the place of a name, wrong letters, and
//! parts that no value of the event has.
//!
//! A finding is a certainty where it says [`Suspicion::certain`], given that what the caller knows of the values is so.

use std::ops::Range;

use super::nearest::nearest;
use crate::document::Node;
use crate::matcher::{Matched, Matcher};

/// What is known of the values that an event's matchers are held against.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Values it is known to have.
    pub values: &'a [&'a str],
    /// Whether it can have no others.
    pub closed: bool,
    /// How the names of tool servers' tools are put together, where such names are values too.
    pub servers: Option<ServerNames<'a>>,
    /// Whether a character can stand in a value; `None` where any can.
    pub character: Option<fn(char) -> bool>,
}

/// How the names of tool servers' tools are put together.
#[derive(Clone, Copy, Debug)]
pub struct ServerNames<'a> {
    /// What stands before the server's name.
    pub prefix: &'a str,
    /// What stands between that and the tool's.
    pub between: &'a str,
}

/// Something about a part of a matcher's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// What it is.
    pub what: What,
    /// Whether this part matches no value for certain. Otherwise it matches none that is known, and could match the tool
    /// of some server.
    pub certain: bool,
}

/// What is suspicious.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A tool's name with something in brackets, as permission rules have it.
    Rule {
        /// The tool.
        tool: String,
        /// What stands in the brackets.
        specifier: String,
    },
    /// A pattern for file names, whose star stands for anything; in a regular expression it stands for repeats.
    Glob {
        /// The regular expression that says what was meant.
        regex: String,
    },
    /// The name of a tool server, without a tool.
    Server {
        /// The regular expression for all tools of the server.
        regex: String,
    },
    /// A value in other letter case.
    Case {
        /// The value.
        meant: String,
    },
    /// Nearly a value.
    Misspelt {
        /// The value.
        meant: String,
    },
    /// It must find a character that no value holds.
    Character(char),
    /// It matches no value.
    Nothing,
    /// A whole name that is none of the known ones.
    Unknown,
    /// An empty part: in a list it matches nothing, in an expression everything.
    Empty,
}

impl What {
    /// What to write in place of the part, where that is plain.
    #[must_use]
    pub fn instead(&self) -> Option<&str> {
        match self {
            Self::Rule { tool, .. } => Some(tool),
            Self::Glob { regex } | Self::Server { regex } => Some(regex),
            Self::Case { meant } | Self::Misspelt { meant } => Some(meant),
            _ => None,
        }
    }
}

/// Looks at a matcher's text. `matcher` is what it compiled to and `compile` gives that of a part; `separators` are those
/// between the names of an exact list. Every suspicious part is told once, in the order of the text.
///
/// ```
/// use hooks_core::lint::matchers::{Known, What, look};
/// use hooks_core::matcher::{Matcher, Pattern};
///
/// let regex = |text: &str| Pattern::rust(text).map_or(Matcher::Never(String::new()), Matcher::Pattern);
/// let known = Known { values: &["Bash", "Edit"], closed: false, servers: None, character: None };
/// let found = look("^bash$|Edit", &regex("^bash$|Edit"), &['|'], &known, regex);
/// assert_eq!((found.len(), found[0].range.clone()), (1, 1..5));
/// assert_eq!(found[0].what, What::Case { meant: "Bash".into() });
/// ```
pub fn look(
    text: &str,
    matcher: &Matcher,
    separators: &[char],
    known: &Known<'_>,
    compile: impl Fn(&str) -> Matcher,
) -> Vec<Suspicion> {
    let exact = match matcher {
        Matcher::All | Matcher::Unknown(_) => return Vec::new(),
        Matcher::Exact(_) => true,
        Matcher::Never(_) | Matcher::Pattern(_) => false,
    };
    let parts = if exact { split(text, separators) } else { alternatives(text) };
    let mut found = Vec::new();
    for range in &parts {
        let Some(part) = text.get(range.clone()) else { continue };
        if part.is_empty() {
            tell(&mut found, range.clone(), What::Empty, false);
        } else if exact {
            name(part, range.start, Ends::BOTH, known, &mut found);
        } else if let Some(names) = names_of(part) {
            let ends = Ends { start: part.starts_with('^'), end: part.ends_with('$') };
            for inner in names {
                let Some(text) = part.get(inner.clone()) else { continue };
                name(text, range.start + inner.start, ends, known, &mut found);
            }
        } else {
            expression(part, range, known, &compile, &mut found);
        }
    }
    let dead = found.iter().any(|one| one.what != What::Empty);
    if known.closed && !dead && !exact && !matches!(matcher, Matcher::Never(_)) && matches_none(matcher, known) {
        found.clear();
        tell(&mut found, 0..text.len(), What::Nothing, true);
    }
    found
}

fn tell(found: &mut Vec<Suspicion>, range: Range<usize>, what: What, certain: bool) {
    found.push(Suspicion { range, what, certain });
}

/// Whether a matcher takes none of the known values.
#[must_use]
pub fn matches_none(matcher: &Matcher, known: &Known<'_>) -> bool {
    known.values.iter().all(|value| matcher.matches(value) == Matched::No)
}

/// Where the bytes of a part of a string stand in the document, if the string stands there as it is, without escapes;
/// otherwise the whole value. With it, the text that must stand in that place for the part to become another one, which is
/// plain letters and marks without a backslash or a quote.
#[must_use]
pub fn place(document: &[u8], node: &Node, part: Range<usize>, instead: &str) -> (Range<usize>, String) {
    let text = node.as_str().unwrap_or_default();
    let raw = document.get(node.range.clone()).and_then(|raw| std::str::from_utf8(raw).ok()).unwrap_or_default();
    let quotes = raw.len().saturating_sub(text.len());
    let verbatim = match raw.strip_prefix(['"', '\'']).and_then(|raw| raw.strip_suffix(['"', '\''])) {
        Some(inner) if quotes == 2 => (inner == text).then_some(1),
        _ => (raw == text).then_some(0),
    };
    match verbatim {
        Some(before) => {
            let start = node.range.start + before;
            (start + part.start..start + part.end, instead.to_owned())
        }
        None => {
            let (head, tail) = (text.get(..part.start), text.get(part.end..));
            let whole = [head.unwrap_or_default(), instead, tail.unwrap_or_default()].concat();
            (node.range.clone(), super::values::quoted(&whole))
        }
    }
}

/// Whether a name must stand at the ends of a value.
#[derive(Clone, Copy)]
struct Ends {
    start: bool,
    end: bool,
}

impl Ends {
    const BOTH: Self = Self { start: true, end: true };

    fn takes(self, value: &str, name: &str) -> bool {
        match (self.start, self.end) {
            (true, true) => value == name,
            (true, false) => value.starts_with(name),
            (false, true) => value.ends_with(name),
            (false, false) => value.contains(name),
        }
    }
}

/// A part that is a name.
fn name(name: &str, at: usize, ends: Ends, known: &Known<'_>, found: &mut Vec<Suspicion>) {
    let range = at..at + name.len();
    if name.is_empty() || known.values.iter().any(|value| ends.takes(value, name)) {
        return;
    }
    let whole = ends.start && ends.end;
    if let Some(servers) = known.servers
        && let Some(rest) = name.strip_prefix(servers.prefix)
    {
        let tool = match rest.split_once(servers.between) {
            _ if servers.between.is_empty() => rest,
            Some((_, tool)) => tool,
            None => "",
        };
        if tool.is_empty() && ends.end {
            let between = match servers.between {
                between if rest.is_empty() || rest.ends_with(between) => "",
                between => between,
            };
            tell(found, range, What::Server { regex: format!("{name}{between}.*") }, true);
        }
        return;
    }
    let case = known.values.iter().find(|value| value.eq_ignore_ascii_case(name));
    // A value that a server's tool could have too, in the middle of its name.
    let certain = whole || known.closed || known.servers.is_none();
    let what = match case {
        Some(meant) => What::Case { meant: (*meant).to_owned() },
        None => match name.chars().find(|c| known.character.is_some_and(|may| !may(*c))) {
            Some(wrong) => {
                tell(found, range, What::Character(wrong), true);
                return;
            }
            None if !certain => return,
            None => match nearest(name, known.values.iter().copied()).filter(|near| near.alone) {
                Some(near) => What::Misspelt { meant: near.name.to_owned() },
                None if known.closed => What::Nothing,
                None => What::Unknown,
            },
        },
    };
    // Of an open set nobody knows all values; that one in other letters exists beside it is not to be expected.
    let certain = known.closed || (certain && matches!(what, What::Case { .. }));
    tell(found, range, what, certain);
}

/// A part that is a regular expression with more in it than names.
fn expression(
    part: &str,
    range: &Range<usize>,
    known: &Known<'_>,
    compile: &impl Fn(&str) -> Matcher,
    found: &mut Vec<Suspicion>,
) {
    let matcher = compile(part);
    if !matches!(matcher, Matcher::Never(_) | Matcher::Pattern(_)) || !matches_none(&matcher, known) {
        return;
    }
    if let Some((tool, specifier)) = rule(part)
        && let Some(tool) = known.values.iter().find(|value| value.eq_ignore_ascii_case(tool))
    {
        let what = What::Rule { tool: (*tool).to_owned(), specifier: specifier.to_owned() };
        tell(found, range.clone(), what, true);
    } else if let Some(regex) = glob(part, &matcher) {
        tell(found, range.clone(), What::Glob { regex }, matches!(matcher, Matcher::Never(_)));
    } else if let Some((at, c)) = required(part, known.character) {
        let at = range.start + at;
        tell(found, at..at + c.len_utf8(), What::Character(c), true);
    } else if known.closed && matches!(matcher, Matcher::Pattern(_)) {
        tell(found, range.clone(), What::Nothing, true);
    }
}

/// The tool and the specifier of what looks like a permission rule.
fn rule(part: &str) -> Option<(&str, &str)> {
    let (tool, rest) = part.split_once('(')?;
    let is_name = !tool.is_empty() && tool.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some((tool, rest.strip_suffix(')')?))
}

/// The regular expression for what a glob means, if the text is one and does not take what it means already.
fn glob(part: &str, matcher: &Matcher) -> Option<String> {
    let is_glob = part.contains('*')
        && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '/' | '.' | '*' | ' '))
        && !part.contains(".*");
    if !is_glob || matcher.matches(&part.replace('*', "x")) == Matched::Yes {
        return None;
    }
    let mut regex = String::from("^");
    let mut stars = false;
    for c in part.chars() {
        match c {
            '*' if stars => {}
            '*' => regex.push_str(".*"),
            '.' => regex.push_str("[.]"),
            c => regex.push(c),
        }
        stars = c == '*';
    }
    regex.push('$');
    Some(regex)
}

/// A character that a match must find and no value holds, with its place. Only plain expressions are looked at.
fn required(part: &str, may: Option<fn(char) -> bool>) -> Option<(usize, char)> {
    let may = may?;
    if part.contains(['(', '[', '{', '\\']) {
        return None;
    }
    let mut characters = part.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let optional = matches!(characters.peek(), Some((_, '?' | '*')));
        if !optional && !may(c) && !matches!(c, '^' | '$' | '.' | '*' | '+' | '?' | '|') {
            return Some((at, c));
        }
    }
    None
}

/// The names of an expression that is nothing but names: one, or several in brackets, with or without anchors.
fn names_of(part: &str) -> Option<Vec<Range<usize>>> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '/' | ' ');
    let inner = part.strip_prefix('^').unwrap_or(part);
    let inner = inner.strip_suffix('$').unwrap_or(inner);
    let start = usize::from(part.starts_with('^'));
    let (skipped, inner) = match inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => match inner.strip_prefix("?:") {
            Some(inner) => (3, inner),
            None => (1, inner),
        },
        None if inner.contains('|') => return None,
        None => (0, inner),
    };
    let start = start + skipped;
    let names = split(inner, &['|']);
    let plain = names
        .iter()
        .all(|range| inner.get(range.clone()).is_some_and(|name| !name.is_empty() && name.chars().all(is_name)));
    plain.then(|| names.into_iter().map(|range| start + range.start..start + range.end).collect())
}

/// The trimmed parts of a text between separators.
fn split(text: &str, separators: &[char]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in text.split(|c| separators.contains(&c)) {
        let blank = part.len() - part.trim_start().len();
        parts.push(start + blank..start + blank + part.trim().len());
        start += part.len() + 1;
    }
    parts
}

/// The parts of a regular expression between the bars outside of brackets.
fn alternatives(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut class, mut escaped) = (0, 0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if !class => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class => depth = depth.saturating_sub(1),
            '|' if !class && depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..text.len());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{JsonRules, parse_json};
    use crate::matcher::Pattern;

    const TOOLS: Known<'static> = Known {
        values: &["Bash", "Edit", "Read", "Task", "TaskCreate", "TaskUpdate", "WebFetch"],
        closed: false,
        servers: Some(ServerNames { prefix: "mcp__", between: "__" }),
        character: Some(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':')),
    };
    const SOURCES: Known<'static> =
        Known { values: &["startup", "resume", "clear"], closed: true, servers: None, character: None };

    fn regex(text: &str) -> Matcher {
        Pattern::javascript(text).map_or(Matcher::Never(String::new()), Matcher::Pattern)
    }

    fn in_regex(text: &str, known: &Known<'_>) -> Vec<(Range<usize>, What)> {
        look(text, &regex(text), &['|'], known, regex).into_iter().map(|one| (one.range, one.what)).collect()
    }

    fn in_list(text: &str, known: &Known<'_>) -> Vec<(Range<usize>, What)> {
        let matcher = Matcher::exact(text.split(['|', ',']).map(str::trim));
        look(text, &matcher, &['|', ','], known, regex).into_iter().map(|one| (one.range, one.what)).collect()
    }

    fn case(meant: &str) -> What {
        What::Case { meant: meant.to_owned() }
    }

    #[test]
    fn names_of_a_list() {
        assert_eq!(in_list("Bash, Edit", &TOOLS), []);
        assert_eq!(in_list("Bash, edit|", &TOOLS), [(6..10, case("Edit")), (11..11, What::Empty)]);
        assert_eq!(in_list("Bsah", &TOOLS), [(0..4, What::Misspelt { meant: "Bash".into() })]);
        assert_eq!(in_list("Frobnicate", &TOOLS), [(0..10, What::Unknown)]);
        assert_eq!(in_list("git push", &TOOLS), [(0..8, What::Character(' '))]);
        assert_eq!(in_list("mcp__fs__read", &TOOLS), []);
        let all = |regex: &str| What::Server { regex: regex.to_owned() };
        assert_eq!(in_list("Edit|mcp__fs", &TOOLS), [(5..12, all("mcp__fs__.*"))]);
        assert_eq!(in_list("mcp__fs__", &TOOLS), [(0..9, all("mcp__fs__.*"))]);
        assert_eq!(in_list("mcp__", &TOOLS), [(0..5, all("mcp__.*"))]);
        assert_eq!(in_list("Startup|Bash", &SOURCES), [(0..7, case("startup")), (8..12, What::Nothing)]);
    }

    #[test]
    fn expressions() {
        for fine in [
            "^(Bash|Edit)$",
            "Edit|mcp__.*",
            "Task(Create|Update)",
            "Bash(.*)",
            "mcp__fs",
            "^mcp__fs__",
            ".*",
            "(?!Read)",
            "fs_read",
            "^Web",
            "mcp__*",
        ] {
            assert_eq!(in_regex(fine, &TOOLS), [], "{fine}");
        }
        let found = in_regex("^(?:bash|Edit)$", &TOOLS);
        assert_eq!(found, [(4..8, case("Bash"))]);
        let rule = |tool: &str, specifier: &str| What::Rule { tool: tool.into(), specifier: specifier.into() };
        assert_eq!(in_regex("Edit|Bash(git *)", &TOOLS), [(5..16, rule("Bash", "git *"))]);
        assert_eq!(in_regex("Bash(*)", &TOOLS), [(0..7, rule("Bash", "*"))]);
        let glob = |regex: &str| What::Glob { regex: regex.to_owned() };
        assert_eq!(in_regex("*.ts", &TOOLS), [(0..4, glob("^.*[.]ts$"))]);
        assert_eq!(in_regex("mcp__*__write", &TOOLS), [(0..13, glob("^mcp__.*__write$"))]);
        assert_eq!(in_regex("^src/.+", &TOOLS), [(4..5, What::Character('/'))]);
        assert_eq!(in_regex("^mcp__fs$", &TOOLS), [(1..8, What::Server { regex: "mcp__fs__.*".into() })]);
        assert_eq!(in_regex("Bash|", &TOOLS), [(5..5, What::Empty)]);
        assert_eq!(in_regex("^.{99}$", &SOURCES), [(0..7, What::Nothing)]);
        assert_eq!(in_regex("start.*|Bash.*", &SOURCES), [(8..14, What::Nothing)]);
        assert_eq!(in_regex("Bash", &SOURCES), [(0..4, What::Nothing)]);
    }

    #[test]
    fn what_a_servers_tool_could_be_called_is_no_certainty() {
        let found = look("bash", &regex("bash"), &['|'], &TOOLS, regex);
        assert_eq!(found, [Suspicion { range: 0..4, what: case("Bash"), certain: false }]);
        assert_eq!(look("^bash$", &regex("^bash$"), &['|'], &TOOLS, regex).first().map(|one| one.certain), Some(true));
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in
            ["|", "||", "(", ")", "[|", "\\", "^$", "^", "$", "(|)", "(?:)", "é|ü", "*", "**", "(*)", "Bash(", "\u{a0}"]
        {
            for known in [&TOOLS, &SOURCES] {
                in_regex(text, known);
                in_list(text, known);
            }
        }
    }

    #[test]
    fn a_part_is_replaced_where_it_stands() {
        let put = |text: &str, part: Range<usize>, instead: &str| {
            let node = parse_json(text.as_bytes(), JsonRules::default()).expect("JSON");
            let (range, new) = place(text.as_bytes(), &node, part, instead);
            let mut text = text.to_owned();
            text.replace_range(range, &new);
            text
        };
        assert_eq!(put(r#" "Edit|bash""#, 5..9, "Bash"), r#" "Edit|Bash""#);
        assert_eq!(put(r#""Edit\u007cbash""#, 5..9, "Bash"), r#""Edit|Bash""#);
    }
}
