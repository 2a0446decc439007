//! Matchers: which occurrences of an event a definition is for.
//!
//! Which text means which matcher is the vendor's affair and stands in the adapters; what a matcher then does is the
//! same for all and stands here. Patterns compile once, when a configuration is parsed.
//!
//! ```
//! use hooks_core::matcher::{Matched, Matcher, Pattern, SubjectValue};
//!
//! let exact = Matcher::exact(["Bash", "Write"]);
//! assert_eq!(exact.matches("Bash"), Matched::Yes);
//! assert_eq!(exact.matches("Bas"), Matched::No);
//!
//! // A pattern is searched for anywhere; JavaScript's language is not Rust's.
//! let pattern = Matcher::Pattern(Pattern::javascript("^(?!Read)").expect("valid"));
//! assert_eq!(SubjectValue::One("Write".into()).matched_by(&pattern), Matched::Yes);
//! assert!(Pattern::rust("^(?!Read)").is_err());
//! ```

pub mod convert;
pub mod javascript;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Whether something matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matched {
    /// It did.
    Yes,
    /// It did not.
    No,
    /// It cannot be told; the text says why. The hook runs, but only what restrains counts.
    Doubtful(String),
}

impl Matched {
    /// `Yes` or `No`.
    #[must_use]
    pub const fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// Which values of an event's subject a definition is for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Matcher {
    /// All of them, also an occurrence without a subject.
    All,
    /// None: the vendor's client runs it never; the text says why.
    Never(String),
    /// The given values, whole and with their letter case.
    Exact(Box<[Box<str>]>),
    /// Values in which a pattern is found.
    Pattern(Pattern),
    /// It cannot be told; the text says why.
    Unknown(String),
}

impl Matcher {
    /// A matcher for a list of whole values. An empty part matches nothing.
    pub fn exact<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Exact(values.into_iter().filter(|value| !value.is_empty()).map(Into::into).collect())
    }

    /// Whether one value matches.
    #[must_use]
    pub fn matches(&self, value: &str) -> Matched {
        match self {
            Self::All => Matched::Yes,
            Self::Never(_) => Matched::No,
            Self::Exact(values) => Matched::of(values.iter().any(|exact| **exact == *value)),
            Self::Pattern(pattern) => pattern.is_found_in(value),
            Self::Unknown(why) => Matched::Doubtful(why.clone()),
        }
    }

    /// Whether any of several values matches; `Yes` outranks `Doubtful`. Without a value only [`Matcher::All`] does.
    pub fn matches_any<'a>(&self, values: impl IntoIterator<Item = &'a str>) -> Matched {
        if matches!(self, Self::All) {
            return Matched::Yes;
        }
        let mut doubt = None;
        for value in values {
            match self.matches(value) {
                Matched::Yes => return Matched::Yes,
                Matched::No => {}
                Matched::Doubtful(why) => doubt = Some(why),
            }
        }
        doubt.map_or(Matched::No, Matched::Doubtful)
    }

    /// A word for the kind of matcher.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::All => "everything",
            Self::Never(_) => "nothing",
            Self::Exact(_) => "exact list",
            Self::Pattern(_) => "regular expression",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// A compiled regular expression, searched for anywhere in a value. Cheap to clone: files repeat their matchers.
#[derive(Clone)]
pub struct Pattern {
    source: Box<str>,
    engine: Engine,
    /// It was written for values in which characters above U+FFFF are taken apart.
    over_units: bool,
}

#[derive(Clone)]
enum Engine {
    /// Words of which one stands in the value: `Edit|Write`, which most patterns are, needs no engine.
    Words(Arc<[Box<str>]>),
    /// Linear time on any input.
    Linear(Arc<regex::Regex>),
    /// Backtracking, with a limit on its steps, and on the bytes of a value where each step may read all of them.
    Backtracking(Arc<fancy_regex::Regex>, Option<usize>),
}

/// Steps a backtracking pattern may take on one value before it is given up as doubtful.
pub const BACKTRACK_LIMIT: usize = 100_000;

/// Bytes of a value up to which a backtracking pattern runs when each of its steps may read all of them.
pub const BACKTRACKING_VALUE_LIMIT: usize = 1 << 14;

/// Compiled size in bytes that one translated pattern may reach.
pub const PATTERN_SIZE_LIMIT: usize = 1 << 20;

/// Words up to which a pattern that is nothing but words is searched for word by word.
const WORDS_LIMIT: usize = 32;

/// Bytes up to which such a pattern is below every limit of every language.
const WORDS_LENGTH_LIMIT: usize = 1 << 10;

/// A text that is no pattern, or one that no engine here can run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is not valid in the vendor's language.
    #[error("{0}")]
    Invalid(String),
    /// It is valid there, and none of the engines here can run it.
    #[error("{0}")]
    CannotRun(String),
}

impl Pattern {
    /// A pattern in the language of the `regex` crate.
    ///
    /// # Errors
    ///
    /// [`PatternError::Invalid`] when it does not compile, or grows beyond that crate's own default limits: clients that
    /// use it refuse the same patterns.
    pub fn rust(text: &str) -> Result<Self, PatternError> {
        if let Some(words) = Self::words(text) {
            return Ok(words);
        }
        regex::Regex::new(text)
            .map(|regex| Self { source: text.into(), engine: Engine::Linear(Arc::new(regex)), over_units: false })
            .map_err(|error| PatternError::Invalid(last_line(&error.to_string())))
    }

    /// A pattern in JavaScript's language, without flags: see [`javascript`].
    ///
    /// # Errors
    ///
    /// [`PatternError::Invalid`] when JavaScript refuses it, [`PatternError::CannotRun`] when no engine here can run it.
    pub fn javascript(text: &str) -> Result<Self, PatternError> {
        javascript::compile(text)
    }

    /// A pattern that is nothing but words with `|` between them: it means the same in all languages of patterns.
    pub(crate) fn words(text: &str) -> Option<Self> {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        let words = || text.split('|');
        if text.len() > WORDS_LENGTH_LIMIT || !words().all(is_word) || words().count() > WORDS_LIMIT {
            return None;
        }
        Some(Self { source: text.into(), engine: Engine::Words(words().map(Into::into).collect()), over_units: false })
    }

    pub(crate) fn from_linear(source: &str, regex: regex::Regex) -> Self {
        Self { source: source.into(), engine: Engine::Linear(Arc::new(regex)), over_units: false }
    }

    pub(crate) fn from_backtracking(source: &str, regex: fancy_regex::Regex, longest: Option<usize>) -> Self {
        Self { source: source.into(), engine: Engine::Backtracking(Arc::new(regex), longest), over_units: false }
    }

    /// The same for a pattern that was written for UTF-16 units: see [`javascript`].
    pub(crate) fn over_units(self) -> Self {
        Self { over_units: true, ..self }
    }

    /// The text it was made from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The pattern as the `regex` crate writes it, where it runs on that engine and on values as they are: for joining
    /// into a set.
    #[must_use]
    pub fn linear_source(&self) -> Option<&str> {
        match &self.engine {
            Engine::Words(_) => Some(&self.source),
            Engine::Linear(regex) if !self.over_units => Some(regex.as_str()),
            Engine::Linear(_) | Engine::Backtracking(..) => None,
        }
    }

    /// Whether it is found anywhere in a value.
    #[must_use]
    pub fn is_found_in(&self, value: &str) -> Matched {
        let value = if self.over_units { javascript::take_apart(value) } else { Cow::Borrowed(value) };
        let value = value.as_ref();
        match &self.engine {
            Engine::Words(words) => Matched::of(words.iter().any(|word| value.contains(&**word))),
            Engine::Linear(regex) => Matched::of(regex.is_match(value)),
            Engine::Backtracking(_, Some(longest)) if value.len() > *longest => {
                Matched::Doubtful(format!("`{}` could not be decided: the value is too long for it", self.source))
            }
            Engine::Backtracking(regex, _) => match regex.is_match(value) {
                Ok(found) => Matched::of(found),
                Err(error) => Matched::Doubtful(format!("`{}` could not be decided: {error}", self.source)),
            },
        }
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = match self.engine {
            Engine::Words(_) | Engine::Linear(_) => "linear",
            Engine::Backtracking(..) => "backtracking",
        };
        f.debug_struct("Pattern").field("source", &self.source).field("engine", &engine).finish()
    }
}

fn linear(text: &str) -> Result<regex::Regex, regex::Error> {
    regex::RegexBuilder::new(text).size_limit(PATTERN_SIZE_LIMIT).nest_limit(128).build()
}

/// `anchored`: it can only begin at the start of a value.
fn backtracking(text: &str, anchored: bool) -> Result<fancy_regex::Regex, Box<fancy_regex::Error>> {
    fancy_regex::RegexBuilder::new(text)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(PATTERN_SIZE_LIMIT)
        .delegate_dfa_size_limit(PATTERN_SIZE_LIMIT)
        .max_prog_size(BACKTRACK_LIMIT)
        // Rewriting a look-ahead at the end hides the anchor, and every place of a value would be tried.
        .optimize(!anchored)
        .build()
        .map_err(Box::new)
}

/// The line of an engine's message that says what is wrong; the lines before it draw the pattern.
fn last_line(message: &str) -> String {
    let line = message.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or(message).trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// The subject that an occurrence has for an event's matchers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectValue<'a> {
    /// The event ignores matchers: everything matches.
    Ignored,
    /// The event has a subject and this occurrence has none: only a matcher for everything matches.
    Missing,
    /// One value.
    One(Cow<'a, str>),
    /// A canonical value and its aliases; any one may match, and the definition runs once.
    Several(Vec<Cow<'a, str>>),
}

impl SubjectValue<'_> {
    /// Whether a matcher takes it.
    #[must_use]
    pub fn matched_by(&self, matcher: &Matcher) -> Matched {
        match self {
            Self::Ignored => Matched::Yes,
            Self::Missing => matcher.matches_any([]),
            Self::One(value) => matcher.matches_any([value.as_ref()]),
            Self::Several(values) => matcher.matches_any(values.iter().map(AsRef::as_ref)),
        }
    }

    /// The values, for a message.
    #[must_use]
    pub fn values(&self) -> Vec<&str> {
        match self {
            Self::Ignored | Self::Missing => Vec::new(),
            Self::One(value) => vec![value],
            Self::Several(values) => values.iter().map(AsRef::as_ref).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_lists_compare_whole_values() {
        let matcher = Matcher::exact("Bash|".split('|'));
        assert_eq!(matcher.matches("Bash"), Matched::Yes);
        assert_eq!(matcher.matches("Bas"), Matched::No);
        assert_eq!(matcher.matches(""), Matched::No);
    }

    #[test]
    fn without_a_value_only_everything_matches() {
        assert_eq!(SubjectValue::Missing.matched_by(&Matcher::All), Matched::Yes);
        let pattern = Matcher::Pattern(Pattern::rust(".*").expect("pattern"));
        assert_eq!(SubjectValue::Missing.matched_by(&pattern), Matched::No);
        assert_eq!(SubjectValue::One("".into()).matched_by(&pattern), Matched::Yes);
    }

    #[test]
    fn a_wrong_pattern_says_what_is_wrong_on_one_line() {
        let error = Pattern::rust("(").expect_err("unclosed");
        assert_eq!(error.to_string(), "unclosed group");
    }

    #[test]
    fn words_match_as_the_engine_says() {
        for text in
            ["Bash", "Edit|Write", "a-b|c_9", "x|xx", "B", "A|", "|A", "A||B", "", "A.", "(A|B)", "A|^B$", "é|A"]
        {
            let engine = regex::Regex::new(text).expect("pattern");
            for pattern in [Pattern::rust(text), Pattern::javascript(text)] {
                let pattern = pattern.expect("pattern");
                assert_eq!(pattern.source(), text);
                let joined = pattern.linear_source().map(|joined| regex::Regex::new(joined).expect("pattern"));
                for value in
                    ["", "Bash", "NotebookEdit", "bash", "a-b", "c_9", "xx", "A", "B", "AB", "A|B", "é", "\u{1f600}A"]
                {
                    assert_eq!(
                        pattern.is_found_in(value),
                        Matched::of(engine.is_match(value)),
                        "{text:?} in {value:?}"
                    );
                    if let Some(joined) = &joined {
                        assert_eq!(joined.is_match(value), engine.is_match(value), "{text:?} in {value:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn only_a_few_short_words_need_no_engine() {
        let is_words = |text: &str| Pattern::words(text).is_some();
        assert!(is_words("Bash") && is_words("Edit|Write|mcp__a-b"));
        assert!(!["", "|", "A|", "A B", "A.", "^A", "A$", "A\\", "é", "(A)", "A*"].into_iter().any(is_words));
        assert!(!is_words(&"A".repeat(WORDS_LENGTH_LIMIT + 1)) && !is_words(&vec!["A"; WORDS_LIMIT + 1].join("|")));
    }

    #[test]
    fn a_pattern_too_large_is_refused() {
        assert!(Pattern::rust("(a{1000}){1000}").is_err());
    }
}
