//! What a matcher's text looks like: names, rules for permissions, lists and literals of other notations.

use std::ops::Range;

use hooks_core::lint::nearest::{Difference, nearest};

use super::foreign::{CLAUDE_TOOLS, cursor_name};
use crate::matcher;
use crate::options::RegexLanguage;
use crate::tools::NAMES;

/// Cursor's name for a tool that is named in Cursor's way or in Claude's.
pub(super) fn own_name(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|known| **known == name).copied().or_else(|| cursor_name(name))
}

/// Cursor's name for what is Claude's name of a tool and none of Cursor's, whatever its letter case.
pub(super) fn claudes_name(name: &str) -> Option<&'static str> {
    let own = NAMES.iter().any(|known| known.eq_ignore_ascii_case(name));
    let mapped = CLAUDE_TOOLS.iter().find(|(claude, _)| claude.eq_ignore_ascii_case(name)).map(|(_, cursor)| *cursor);
    mapped.filter(|_| !own)
}

/// The names of a matcher that is nothing but names, with or without anchors and brackets around them, each with its
/// place.
pub(super) fn plain_names(text: &str) -> Option<Vec<(usize, &str)>> {
    let inner = text.trim_start_matches('^').trim_start_matches('(').trim_start_matches("?:");
    let mut at = text.len() - inner.len();
    let mut names = Vec::new();
    for name in inner.trim_end_matches('$').trim_end_matches(')').split('|') {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(plain) {
            return None;
        }
        names.push((at, name));
        at += name.len() + 1;
    }
    Some(names)
}

/// Cursor's name for the tool of what is written as a permission rule, and what stands in its brackets.
pub(super) fn permission_rule(text: &str) -> Option<(&'static str, &str)> {
    let (tool, rest) = text.split_once('(')?;
    let specifier = rest.strip_suffix(')')?;
    let known = own_name(tool)
        .or_else(|| nearest(tool, NAMES).filter(|near| near.difference == Difference::Case).map(|near| near.name))?;
    (!specifier.contains('|')).then_some((known, specifier))
}

/// A class of characters as POSIX has it, with its name.
pub(super) fn posix_class(text: &str) -> Option<(Range<usize>, &str)> {
    const CLASSES: [&str; 12] = [
        "[:alnum:]",
        "[:alpha:]",
        "[:blank:]",
        "[:cntrl:]",
        "[:digit:]",
        "[:graph:]",
        "[:lower:]",
        "[:print:]",
        "[:punct:]",
        "[:space:]",
        "[:upper:]",
        "[:xdigit:]",
    ];
    let class = CLASSES.iter().find(|class| text.contains(**class))?;
    let at = text.find(class)?;
    let part = at..at + class.len();
    text.get(part.clone()).map(|class| (part, class))
}

/// The bars beside an empty alternative, where one stands outside of brackets: all that stand at one place, or the whole
/// text where there is nothing else.
pub(super) fn empty_part(text: &str) -> Option<Range<usize>> {
    if text.contains(['(', '[', '\\']) {
        return None;
    }
    let bars = |text: &str| text.len() - text.trim_start_matches('|').len();
    let at_end = text.len() - text.trim_end_matches('|').len();
    match bars(text) {
        0 => {}
        leading => return Some(0..leading),
    }
    if let Some((before, _)) = text.trim_end_matches('|').split_once("||") {
        let first = before.len();
        return Some(first + 1..first + bars(text.get(first..)?));
    }
    (at_end > 0).then(|| text.len() - at_end..text.len())
}

/// What stands between the slashes of a regular expression as JavaScript's own code has it, and the flags behind it.
pub(super) fn literal(text: &str) -> Option<(&str, &str)> {
    let (inner, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    (!inner.is_empty() && flags.chars().all(|flag| "dgimsuvy".contains(flag))).then_some((inner, flags))
}

/// Whether a literal's slashes keep it from matching anything at all: nothing stands before a start or behind an end.
pub(super) fn is_dead_literal(inner: &str) -> bool {
    !inner.contains('|') && (inner.starts_with('^') || (inner.ends_with('$') && !inner.ends_with("\\$")))
}

/// The names of a list whose commas or blanks are part of the names, as a regular expression has it.
pub(super) fn spaced_list(text: &str) -> Option<Vec<&str>> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | ',' | '|' | ' ');
    let names: Vec<&str> = text.split([',', '|']).map(str::trim).filter(|name| !name.is_empty()).collect();
    let lost = text.contains(',') || text.split('|').any(|part| part.trim() != part);
    let known = names.iter().any(|name| own_name(name).is_some());
    (lost && known && text.chars().all(plain) && !names.iter().any(|name| name.contains(' '))).then_some(names)
}

/// A word of a command's pattern with a blank before or behind it, which does not end the word on its other side.
pub(super) fn blank(text: &str) -> Option<(Range<usize>, &str)> {
    if text.contains(['(', '[', '\\']) {
        return None;
    }
    let mut at = 0;
    for part in text.split('|') {
        let word = part.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if word != part && !word.is_empty() && word.chars().all(plain) {
            return Some((at..at + part.len(), part));
        }
        at += part.len() + 1;
    }
    None
}

/// What to say of an expression that is none, where it shows what it was meant to be.
pub(super) fn help_with_regex(language: RegexLanguage, text: &str) -> Option<&'static str> {
    if permission_rule(text).is_some() {
        return Some(
            "A rule for permissions is no regular expression: match the tool's name, and test the rest in the hook.",
        );
    }
    if (text.starts_with('*') || text.contains("**")) && !text.contains(['(', '[', '\\']) {
        return Some("A star repeats what stands before it: write .* for anything, and \\. for a point.");
    }
    if matcher::is_expression_elsewhere(language, text) {
        return Some(match language {
            RegexLanguage::JavaScript if !text.contains("(?") => {
                "Other languages read it; write it as JavaScript has it."
            }
            RegexLanguage::JavaScript => {
                "Other languages read it; JavaScript has no flags such as (?i) inside: write [Bb] for letters in both cases."
            }
            RegexLanguage::Rust => {
                "Cursor itself reads it as JavaScript; this host has no look-around and no references to groups."
            }
        });
    }
    None
}
