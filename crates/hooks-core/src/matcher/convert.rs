//! Carrying a matcher over from one vendor's language to another's, so that it selects the same values.
//!
//! A matcher's text is taken apart into [`Shape`]s: alternatives of characters, sets and wildcards, with or without
//! anchors. That part of the regular-expression languages means the same to all of them, so a shape can be written in
//! any; look-around (but for a leading exclusion, see [`Picks::AllBut`]), back-references, word boundaries and inline flags
//! cannot be taken apart and are refused. Whoever gets a refusal keeps the text where both sides read it alike, or widens.
//!
//! ```
//! use hooks_core::matcher::convert::{Language, Picks, Regex, take_apart};
//! use hooks_core::matcher::{Matcher, Pattern};
//!
//! let matcher = Matcher::Pattern(Pattern::javascript("^(?:Shell|Write)$").expect("valid"));
//! let Picks::Some(shapes) = take_apart(&matcher, Regex::JavaScript) else { panic!("two alternatives") };
//! let words: Vec<_> = shapes.iter().filter_map(|shape| shape.word()).collect();
//! assert_eq!(words, ["Shell", "Write"]);
//!
//! let list = Language { separators: &['|'], is_plain: |c| c.is_ascii_alphanumeric() || c == '_', regex: Regex::Rust };
//! assert_eq!(list.write(&shapes).as_deref(), Some("Shell|Write"));
//! ```

mod complement;
pub mod mcp;
mod shape;

pub use self::shape::{Piece, Shape, parse};
use super::Matcher;

/// A regular-expression language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Regex {
    /// JavaScript's, without flags.
    JavaScript,
    /// That of the `regex` crate.
    Rust,
}

/// How a vendor reads a matcher's text: as a list of whole values where it holds nothing but plain characters and
/// separators, else as a regular expression that is searched for.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// What stands between the values of a list, the usual one first; empty where a vendor has no lists.
    pub separators: &'static [char],
    /// Whether a character may stand in a value of a list.
    pub is_plain: fn(char) -> bool,
    /// The language of everything else.
    pub regex: Regex,
}

impl Language {
    /// Whether a text is read as a list.
    #[must_use]
    pub fn is_list(&self, text: &str) -> bool {
        !self.separators.is_empty() && text.chars().all(|c| (self.is_plain)(c) || self.separators.contains(&c))
    }

    /// Writes alternatives: as a list where all of them are whole plain values, else as a regular expression. `None`
    /// for no alternatives.
    #[must_use]
    pub fn write(&self, shapes: &[Shape]) -> Option<String> {
        let words: Vec<String> = shapes.iter().filter_map(Shape::word).collect();
        if let Some(separator) = self.separators.first()
            && words.len() == shapes.len()
            && words.iter().all(|word| word.chars().all(self.is_plain))
        {
            let text = words.join(&separator.to_string());
            return (!text.is_empty()).then_some(text);
        }
        let mut parts = Vec::new();
        match words.as_slice() {
            [] => {}
            [word] => parts.push(format!("^{}$", shape::escaped(word))),
            words => {
                let words: Vec<String> = words.iter().map(|word| shape::escaped(word)).collect();
                parts.push(format!("^(?:{})$", words.join("|")));
            }
        }
        parts.extend(shapes.iter().filter(|shape| shape.word().is_none()).map(Shape::write));
        (!parts.is_empty()).then(|| parts.join("|"))
    }

    /// Writes a matcher for every value but those that begin with one of some texts or are one of some words. `None`
    /// where the language cannot say it in a sensible size.
    #[must_use]
    pub fn write_all_but(&self, words: &[String], starts: &[String]) -> Option<String> {
        match self.regex {
            Regex::JavaScript => {
                let mut parts: Vec<String> = starts.iter().map(|start| shape::escaped(start)).collect();
                let words: Vec<String> = words.iter().map(|word| shape::escaped(word)).collect();
                match words.as_slice() {
                    [] => {}
                    [word] => parts.push(format!("{word}$")),
                    words => parts.push(format!("(?:{})$", words.join("|"))),
                }
                Some(format!("^(?!{})", parts.join("|")))
            }
            Regex::Rust => complement::complement(words, starts),
        }
    }
}

/// What a matcher selects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Picks {
    /// Every value.
    All,
    /// No value.
    Nothing,
    /// Values of one of these shapes.
    Some(Vec<Shape>),
    /// Every value but those of one of these shapes.
    AllBut(Vec<Shape>),
    /// It cannot be taken apart; the text says why.
    Unknown(String),
}

/// Takes a matcher apart. `regex`: the language its pattern is written in.
#[must_use]
pub fn take_apart(matcher: &Matcher, regex: Regex) -> Picks {
    match matcher {
        Matcher::All => Picks::All,
        Matcher::Never(_) => Picks::Nothing,
        Matcher::Unknown(why) => Picks::Unknown(why.clone()),
        Matcher::Exact(values) if values.is_empty() => Picks::Nothing,
        Matcher::Exact(values) => Picks::Some(values.iter().map(|value| Shape::whole(value)).collect()),
        Matcher::Pattern(pattern) => match parse(pattern.source(), regex) {
            Ok(picks) => picks,
            Err(why) => Picks::Unknown(why),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matcher::{Matched, Pattern};

    fn picks(text: &str, regex: Regex) -> Picks {
        parse(text, regex).unwrap_or_else(Picks::Unknown)
    }

    const CURSIVE: Language = Language { separators: &[], is_plain: |_| false, regex: Regex::JavaScript };
    const LISTS: Language =
        Language { separators: &['|'], is_plain: |c| c.is_ascii_alphanumeric() || c == '_', regex: Regex::Rust };

    #[test]
    fn wildcards_alone_are_everything() {
        for text in ["", ".*", "^.*$", ".+", "^", "(?:.*)", "a|.*"] {
            assert_eq!(picks(text, Regex::JavaScript), Picks::All, "{text}");
        }
    }

    #[test]
    fn alternatives_and_groups_are_spread_out() {
        let Picks::Some(shapes) = picks("^mcp__(?:a|b)__(c|d)$", Regex::Rust) else { panic!() };
        let words: Vec<_> = shapes.iter().filter_map(Shape::word).collect();
        assert_eq!(words, ["mcp__a__c", "mcp__a__d", "mcp__b__c", "mcp__b__d"]);
        assert_eq!(CURSIVE.write(&shapes).unwrap(), "^(?:mcp__a__c|mcp__a__d|mcp__b__c|mcp__b__d)$");
        assert_eq!(LISTS.write(&shapes).unwrap(), "mcp__a__c|mcp__a__d|mcp__b__c|mcp__b__d");
    }

    #[test]
    fn what_means_different_things_is_refused() {
        for (text, regex) in [
            ("(?i)bash", Regex::Rust),
            ("a(?=b)", Regex::JavaScript),
            (r"\bBash\b", Regex::JavaScript),
            (r"(a)\1", Regex::JavaScript),
            ("[a&&b]", Regex::Rust),
            ("a{2,x}", Regex::JavaScript),
            (r"\p{L}", Regex::Rust),
        ] {
            assert!(matches!(picks(text, regex), Picks::Unknown(_)), "{text}: {:?}", picks(text, regex));
        }
    }

    #[test]
    fn an_exclusion_is_read_and_written_in_both_languages() {
        let Picks::AllBut(shapes) = picks("^(?!(?:Read|Grep)$).*", Regex::JavaScript) else { panic!() };
        let words: Vec<String> = shapes.iter().filter_map(Shape::word).collect();
        assert_eq!(words, ["Read", "Grep"]);
        let starts = vec!["mcp__".to_owned()];
        let in_javascript = Pattern::javascript(&CURSIVE.write_all_but(&words, &starts).unwrap()).unwrap();
        let in_rust = Pattern::rust(&LISTS.write_all_but(&words, &starts).unwrap()).unwrap();
        for (value, wanted) in [
            ("Read", false),
            ("Grep", false),
            ("mcp__", false),
            ("mcp__a__b", false),
            ("Rea", true),
            ("Reads", true),
            ("", true),
            ("mcp_", true),
            ("Bash", true),
            ("xRead", true),
        ] {
            assert_eq!(in_javascript.is_found_in(value), Matched::of(wanted), "{value}");
            assert_eq!(in_rust.is_found_in(value), Matched::of(wanted), "{value}");
        }
    }
}
