//! JavaScript patterns against what Node.js says about them.

use hooks_core::matcher::{Matched, Pattern, PatternError};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    pattern: String,
    valid: bool,
    #[serde(default)]
    input: String,
    #[serde(default)]
    found: bool,
}

/// The patterns among the cases that no engine here runs; see the module on JavaScript for the reasons.
const CANNOT_RUN: &[&str] = &[
    // Too large when compiled.
    "x{99999999999}",
    // Captures of earlier iterations and of look-behind.
    r"^(?:(a)|b)*\1$",
    r"^(?:a(b)?)+\1$",
    r"(?<=(a))b\1",
    // Valid from ECMAScript 2025 on, and not in the engine of the cases.
    "(?i:a)",
    "(?-i:a)",
    "(?<a>x)|(?<a>y)",
];

fn cases() -> Vec<Case> {
    serde_json::from_str::<File>(include_str!("javascript_cases.json")).expect("cases").cases
}

#[test]
fn patterns_mean_what_they_mean_in_node() {
    let mut wrong = Vec::new();
    for Case { pattern, valid, input, found } in cases() {
        let compiled = Pattern::javascript(&pattern);
        let right = match &compiled {
            Ok(compiled) => valid && compiled.is_found_in(&input) == Matched::of(found),
            Err(PatternError::CannotRun(_)) => CANNOT_RUN.contains(&pattern.as_str()),
            Err(_) => !valid,
        };
        if !right {
            wrong.push(format!("{pattern:?} on {input:?}: valid {valid}, found {found}; here {compiled:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_run_is_known() {
    for pattern in CANNOT_RUN {
        let error = Pattern::javascript(pattern).expect_err(pattern);
        assert!(matches!(error, PatternError::CannotRun(_)), "{pattern}: {error}");
    }
}

/// A set of patterns runs on values as they are, so what is joined into one has to mean the same there.
#[test]
fn the_linear_source_means_the_same_on_the_value_itself() {
    for Case { pattern, valid, input, found } in cases() {
        let Ok(compiled) = Pattern::javascript(&pattern) else { continue };
        let Some(source) = compiled.linear_source() else { continue };
        let set = regex::RegexSet::new([source]).expect("it compiles in a set too");
        assert!(valid);
        assert_eq!(set.is_match(&input), found, "{pattern:?} as {source:?} on {input:?}");
    }
}

#[test]
fn patterns_without_look_around_are_linear() {
    for pattern in ["Bash|Write", "mcp__srv__.*", r"\bnpm\b", "^Bash$", "[^B]*", r"\w+", "MCP:search", r"Bash\(.*\)"] {
        let compiled = Pattern::javascript(pattern).expect(pattern);
        assert!(compiled.linear_source().is_some(), "{pattern}: {compiled:?}");
    }
    for pattern in ["^(?!Read$)", "(?<!p)npm", r"(\w+) \1"] {
        let compiled = Pattern::javascript(pattern).expect(pattern);
        assert!(compiled.linear_source().is_none(), "{pattern}: {compiled:?}");
    }
}
