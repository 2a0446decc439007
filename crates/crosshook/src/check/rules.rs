//! What counts: which diagnostics make a check fail, and which are not told of at all.

use std::cmp::Ordering;

use hooks_core::{Code, Diagnostic, Severity};

use crate::near::did_you_mean;

/// What a diagnostic is worth to whoever checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is not told of.
    Allowed,
    /// It is told of, and no failure.
    Told,
    /// It is told of, and the check fails.
    Denied,
}

/// What a rule says of the diagnostics it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// They are not told of.
    Allow,
    /// The check fails because of them.
    Deny,
}

/// Which diagnostics a rule is about, the least precise first.
#[derive(Clone, Debug, PartialEq, Eq)]
enum About {
    Level(Severity),
    /// Codes, with at least one `*` for any text.
    Pattern(String),
    Code(String),
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    word: Word,
    about: About,
}

impl Rule {
    /// The rule of a text: a code (`cursor/loop-limit-capped`), a pattern of codes in which `*` stands for any text
    /// (`cursor/*`), or a severity (`error`, `warning`, `info`). Denying a severity denies what is louder too; allowing
    /// one allows what is quieter too.
    ///
    /// # Errors
    ///
    /// There is no such code. The nearest is in the message.
    pub fn parse(word: Word, text: &str, codes: &[&Code]) -> Result<Self, String> {
        let about = match level(text) {
            Some(severity) => About::Level(severity),
            None if text.contains('*') => About::Pattern(text.to_owned()),
            None => About::Code(text.to_owned()),
        };
        let rule = Self { word, about };
        if matches!(rule.about, About::Level(_)) || codes.iter().any(|code| rule.names(code.id)) {
            return Ok(rule);
        }
        if text.contains('*') {
            return Err(format!("`{text}` fits no code: `crosshook check --list-codes` lists them"));
        }
        let ids = codes.iter().map(|code| code.id).chain(["error", "warning", "info"]);
        let near = did_you_mean(text, ids)
            .unwrap_or_else(|| "write a code of `crosshook check --list-codes`, or error, warning or info".to_owned());
        Err(format!("there is no code or severity `{text}`: {near}"))
    }

    /// Whether it is about a code by its name.
    fn names(&self, id: &str) -> bool {
        match &self.about {
            About::Level(_) => false,
            About::Pattern(pattern) => fits(id, pattern),
            About::Code(code) => code == id,
        }
    }

    fn is_about(&self, told: &Diagnostic) -> bool {
        match (&self.about, self.word) {
            (About::Level(level), Word::Deny) => told.severity >= *level,
            (About::Level(level), Word::Allow) => told.severity <= *level,
            _ => self.names(told.code.id),
        }
    }

    /// The order in which rules of one place are asked that have no order of their own: the more precise one is asked
    /// last and wins, and of equally precise ones the one that denies.
    pub(super) fn by_precision(one: &Self, other: &Self) -> Ordering {
        let rank = |rule: &Self| match &rule.about {
            About::Level(_) => (0, 0),
            About::Pattern(pattern) => (1, pattern.len()),
            About::Code(_) => (2, 0),
        };
        rank(one).cmp(&rank(other)).then(one.word.cmp(&other.word))
    }
}

/// The severity of a word.
#[must_use]
pub fn level(word: &str) -> Option<Severity> {
    [Severity::Error, Severity::Warning, Severity::Info].into_iter().find(|severity| severity.as_str() == word)
}

/// All rules of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The least severity that fails where no rule says otherwise.
    pub fails: Severity,
    /// The rules. Of those that are about a diagnostic the last one wins.
    pub rules: Vec<Rule>,
}

impl Default for Rules {
    /// Warnings and errors fail.
    fn default() -> Self {
        Self { fails: Severity::Warning, rules: Vec::new() }
    }
}

impl Rules {
    /// What a diagnostic is worth; `more` are rules for its file, which come after these and before `last`.
    #[must_use]
    pub fn standing<'r>(
        &'r self,
        told: &Diagnostic,
        more: impl DoubleEndedIterator<Item = &'r Rule>,
        last: &'r [Rule],
    ) -> Standing {
        let mut latest_first = last.iter().rev().chain(more.rev()).chain(self.rules.iter().rev());
        match latest_first.find(|rule| rule.is_about(told)).map(|rule| rule.word) {
            Some(Word::Allow) => Standing::Allowed,
            Some(Word::Deny) => Standing::Denied,
            None if told.severity >= self.fails => Standing::Denied,
            None => Standing::Told,
        }
    }
}

/// Whether a text fits a pattern in which `*` stands for any text.
fn fits(text: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        // The first place that fits leaves the most for the others.
        match text.split_once(part) {
            Some((_, after)) => text = after,
            None => return false,
        }
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests {
    use hooks_core::Reach;

    use super::*;

    static INFO: Code = Code { id: "a/info", about: "", severity: Severity::Info, summary: "", help: "" };
    static WARN: Code = Code { id: "a/warn", about: "", severity: Severity::Warning, summary: "", help: "" };
    static BAD: Code = Code { id: "b/bad", about: "", severity: Severity::Error, summary: "", help: "" };

    fn standings(rules: &[(Word, &str)]) -> [Standing; 3] {
        let codes = [&INFO, &WARN, &BAD];
        let rules = rules.iter().map(|(word, text)| Rule::parse(*word, text, &codes).unwrap()).collect();
        let rules = Rules { rules, ..Rules::default() };
        codes.map(|code| rules.standing(&Diagnostic::new(code, Reach::None, ""), [].iter(), &[]))
    }

    #[test]
    fn the_last_rule_that_is_about_a_diagnostic_wins() {
        use Standing::{Allowed, Denied, Told};
        use Word::{Allow, Deny};
        assert_eq!(standings(&[]), [Told, Denied, Denied]);
        assert_eq!(standings(&[(Deny, "info")]), [Denied, Denied, Denied]);
        assert_eq!(standings(&[(Allow, "warning")]), [Allowed, Allowed, Denied]);
        assert_eq!(standings(&[(Allow, "a/*"), (Deny, "a/info")]), [Denied, Allowed, Denied]);
        assert_eq!(standings(&[(Deny, "a/info"), (Allow, "a/*")]), [Allowed, Allowed, Denied]);
        assert_eq!(standings(&[(Allow, "*")]), [Allowed; 3]);
        assert_eq!(standings(&[(Allow, "error"), (Deny, "b/bad")]), [Allowed, Allowed, Denied]);
    }

    #[test]
    fn what_names_nothing_is_refused_with_the_nearest_name() {
        let refused = |text| Rule::parse(Word::Deny, text, &[&INFO, &BAD]).unwrap_err();
        assert!(refused("a/imfo").contains("did you mean `a/info`?"), "{}", refused("a/imfo"));
        assert!(refused("warnings").contains("did you mean `warning`?"), "{}", refused("warnings"));
        assert!(refused("c/*").contains("--list-codes"));
        assert!(refused("").contains("--list-codes"));
    }

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a/*", "a/b", true),
            ("a/*", "b/a/", false),
            ("*/x-*-y", "a/x-b-y", true),
            ("*a*a", "a", false),
            ("*a*a", "aa", true),
            ("a*b*c", "abxbxc", true),
            ("a*b", "ab", true),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(fits(text, pattern), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn the_more_precise_rule_stands_last() {
        let codes = [&INFO, &WARN];
        let rule = |word, text| Rule::parse(word, text, &codes).unwrap();
        let mut rules = vec![
            rule(Word::Deny, "a/info"),
            rule(Word::Deny, "a/*"),
            rule(Word::Allow, "a/*"),
            rule(Word::Allow, "info"),
        ];
        rules.sort_by(Rule::by_precision);
        let expected =
            [rule(Word::Allow, "info"), rule(Word::Allow, "a/*"), rule(Word::Deny, "a/*"), rule(Word::Deny, "a/info")];
        assert_eq!(rules, expected);
    }
}
