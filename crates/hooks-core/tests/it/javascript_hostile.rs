//! Patterns and values made to cost time or stack.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use hooks_core::matcher::{BACKTRACKING_VALUE_LIMIT, Matched, Pattern, PatternError};

/// How long this thread has been at work so far: the processor's time where the system tells it, so that other programs on a
/// busy machine do not count, and the clock's elsewhere.
#[allow(clippy::disallowed_methods)]
fn worked() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    // Nothing but zeros is what a system says that does not count.
    let counts = told.split_whitespace().any(|number| number != "0");
    let nanoseconds = told.split_whitespace().next().filter(|_| counts).and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn quickly<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = worked();
    let result = work();
    let took = worked().saturating_sub(start);
    assert!(took.as_secs() < 20, "{what} took {took:?}");
    result
}

/// The measure itself moves, or nothing above could fail.
#[test]
fn work_is_measured() {
    let start = worked();
    let mut turns = 0_u64;
    while worked() <= start && turns < 1_000_000 {
        turns += 1;
    }
    assert!(worked() > start, "after {turns} turns");
}

fn shown(pattern: &str) -> String {
    pattern.chars().take(40).collect()
}

#[test]
fn nested_quantifiers_stay_linear() {
    let value = format!("{}!", "a".repeat(100_000));
    for pattern in ["(a+)+$", "(a|a)+$", "(a|aa)+$", "(.*)*x$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){50}a{50}$"] {
        let compiled = Pattern::javascript(pattern).expect(pattern);
        let found = quickly(pattern, || compiled.is_found_in(&value));
        assert_eq!(found, Matched::No, "{pattern}");
    }
}

#[test]
fn out_of_steps_is_doubtful() {
    let value = format!("{}!", "a".repeat(5_000));
    for pattern in [r"(?:(a+)(a+)(a+)(a+))\1\2\3\4$", r"^(a+)(a+)\1\2x", "(?:a(?!b)|a(?!c))+$", r"(.*)\1x"] {
        let compiled = Pattern::javascript(pattern).expect(pattern);
        let found = quickly(pattern, || compiled.is_found_in(&value));
        assert!(matches!(found, Matched::Doubtful(_)), "{pattern}: {found:?}");
    }
}

#[test]
fn a_backtracking_pattern_keeps_its_time_on_the_longest_value() {
    let value = "a".repeat(BACKTRACKING_VALUE_LIMIT);
    for pattern in ["(?=(a+)+$)x", "(?:(?=.*a)a|(?=.*a)a)*b"] {
        let compiled = Pattern::javascript(pattern).expect(pattern);
        let found = quickly(pattern, || compiled.is_found_in(&value));
        assert_ne!(found, Matched::Yes, "{pattern}");
        let found = quickly(pattern, || compiled.is_found_in(&format!("{value}a")));
        assert!(matches!(found, Matched::Doubtful(_)), "{pattern}: {found:?}");
    }
}

#[test]
fn a_look_ahead_at_the_start_is_decided_on_values_of_any_length() {
    let value = "a".repeat(1 << 20);
    for (pattern, found) in [
        ("^(?!b)", true),
        ("^(?!a)", false),
        ("^(?!Bash).*", true),
        ("^(?!.*rm -rf).*$", true),
        ("^(?!.*aaa).*$", false),
        ("^(?=.*a)(?=.*b)", false),
        ("^(?!a)|^(?=b)", false),
    ] {
        let compiled = Pattern::javascript(pattern).expect(pattern);
        assert_eq!(quickly(pattern, || compiled.is_found_in(&value)), Matched::of(found), "{pattern}");
    }
}

#[test]
fn deep_and_long_patterns_neither_overflow_nor_hang() {
    let mut patterns = Vec::new();
    for count in [50, 60, 70, 99, 120, 1_000, 20_000, 100_000] {
        for (open, close) in
            [("(", ")"), ("(?:", ")"), ("(?:", ")*"), ("(?=", ")"), ("(?<=a", ")"), ("(a|", "|b)"), ("(?:a", "){2}")]
        {
            patterns.push(open.repeat(count));
            patterns.push(close.repeat(count));
            patterns.push(format!("{}x{}", open.repeat(count), close.repeat(count)));
        }
        for part in [
            "[", "]", "{", "a|", "|", "a*", "[a]", r"\w|", r"[^\w]", "()", r"()\1", "(?=a)|", r"\b", "a{1000}", "(?!)",
            ".", "\\", "(?<a>x)|", "[[]",
        ] {
            patterns.push(part.repeat(count));
            patterns.push(format!("(?:{})*", part.repeat(count)));
            patterns.push(format!("(?!{})", part.repeat(count)));
            patterns.push(format!("(?<!{})", part.repeat(count)));
        }
    }
    patterns.push("(?:(?:(?:(?:(?:a{1000}){1000}){1000}){1000}){1000}){1000}".to_owned());
    patterns.push("(?:(?:(?:(?:(?:(?=a)b{1000}){1000}){1000}){1000}){1000}){1000}".to_owned());
    patterns.push("(?:(?:(?:(?:(?:){1000}){1000}){1000}){1000}){1000}".to_owned());
    patterns.push(r"(?:(?:(?:(?:(a)\1{1000}){1000}){1000}){1000}){1000}".to_owned());
    patterns.push("(?:(?:(?:(?:a{5}){5}){5}){5}){5}".to_owned());
    patterns.push("a{99999999999}".to_owned());
    patterns.push("(?=a{99999999999})".to_owned());
    let mut ran = 0;
    for pattern in patterns {
        let compiled = quickly(&shown(&pattern), || Pattern::javascript(&pattern));
        if let Ok(compiled) = compiled {
            quickly(&shown(&pattern), || compiled.is_found_in("aaaa"));
            ran += 1;
        }
    }
    assert!(ran > 0);
}

#[test]
fn limits_are_no_verdict_on_validity() {
    for pattern in ["(".repeat(100_000), "a".repeat(100_000), format!("{}a{}", "(".repeat(500), ")".repeat(500))] {
        let error = Pattern::javascript(&pattern).expect_err("a limit");
        assert!(matches!(error, PatternError::CannotRun(_)), "{error}");
    }
}
