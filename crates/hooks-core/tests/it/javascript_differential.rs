//! JavaScript patterns against an ECMAScript engine, on patterns and values made up and short: that engine has no step
//! limit, so it runs in tests only, and on the same made-up patterns each time.

use hooks_core::matcher::{Matched, Pattern, PatternError};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::RngSeed;

fn class() -> impl Strategy<Value = String> {
    let member = select(vec![
        "a", "b", "c", "a-b", "b-c", "-", "^", "[", "&&", "--", "~~", "[:alpha:", r"\]", r"\-", r"\w", r"\W", r"\d",
        r"\s", r"\S", r"\b", r"\cA", r"\c1", r"\x61", r"\u0062", r"\0", r"\101", "é", "_", " ", ".", "a-\\d", "\\\\",
    ]);
    (any::<bool>(), prop::collection::vec(member, 0..4))
        .prop_map(|(inverted, members)| format!("[{}{}]", if inverted { "^" } else { "" }, members.concat()))
}

fn atom() -> impl Strategy<Value = String> {
    let text = select(vec!["a", "b", "c", "-", "_", " ", "é", "\n", "1", "]", "}", "{", "a{", "a{,1}", "#", "&&", "~"]);
    let escape = select(vec![
        r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\x61", r"\u0062", r"\cA", r"\0", r"\x", r"\-", r"\/", r"\_", r"\.",
        r"\(", r"\[", r"\a", r"\z", r"\A", r"\<", r"\p", r"\8", r"\t",
    ]);
    prop_oneof![
        6 => text.prop_map(str::to_owned),
        2 => Just(".".to_owned()),
        3 => escape.prop_map(str::to_owned),
        3 => class(),
    ]
}

fn pattern() -> impl Strategy<Value = String> {
    let assertion = select(vec!["^", "$", r"\b", r"\B"]);
    let reference = select(vec![r"\1", r"\2", r"\3"]);
    let leaf = prop_oneof![
        8 => atom(),
        2 => assertion.prop_map(|text| format!("(?:{text})")),
        1 => reference.prop_map(str::to_owned),
    ];
    let quantifier = select(vec!["", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0}", "{0,1}"]);
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let opening = select(vec!["(", "(", "(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!"]);
        let part = (inner, quantifier.clone()).prop_map(|(part, quantifier)| {
            // A look-behind takes no quantifier.
            if part.starts_with("(?<") { part } else { part + quantifier }
        });
        let sequence = prop::collection::vec(part, 0..4).prop_map(|parts| parts.concat());
        (opening, prop::collection::vec(sequence, 1..3))
            .prop_map(|(opening, sequences)| format!("{opening}{})", sequences.join("|")))
    })
}

fn value() -> impl Strategy<Value = String> {
    let part = select(vec![
        "a", "b", "c", "a", "b", "-", "_", " ", "é", "\n", "1", "ab", "\u{1}", "\u{a0}", "\u{feff}", "&", "A", "]",
        "\u{2028}",
    ]);
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

/// Two patterns side by side, some of them held at the ends of the value.
fn whole() -> impl Strategy<Value = String> {
    (pattern(), pattern(), 0..4_u8).prop_map(|(first, second, ends)| match ends {
        0 => format!("^{first}{second}$"),
        1 => format!("^{first}|{second}"),
        _ => format!("{first}{second}"),
    })
}

/// Whether a back-reference stands inside the group it refers to. There the other engine keeps a capture of an
/// alternative that it gave up: it says that `(.|\1)(.)` is not in `a`, which Node finds.
fn refers_to_itself(pattern: &str) -> bool {
    let mut open = Vec::new();
    let mut groups = 0;
    let mut in_class = false;
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next().and_then(|c| c.to_digit(10)) {
                Some(group) if !in_class && open.contains(&Some(group)) => return true,
                _ => {}
            },
            '[' if !in_class => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && rest.peek() == Some(&'?') => open.push(None),
            '(' if !in_class => {
                groups += 1;
                open.push(Some(groups));
            }
            ')' if !in_class => drop(open.pop()),
            _ => {}
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_130),
        ..ProptestConfig::default()
    })]

    #[test]
    fn patterns_mean_what_they_mean_in_an_ecmascript_engine(pattern in whole(), values in prop::collection::vec(value(), 4)) {
        // It takes exponential time where many repetitions stand in one another.
        prop_assume!(pattern.matches(['*', '+']).count() <= 3 && !refers_to_itself(&pattern));
        let theirs = regress::Regex::new(&pattern);
        match (Pattern::javascript(&pattern), theirs) {
            (Ok(ours), Ok(theirs)) => {
                for value in &values {
                    let found = Matched::of(theirs.find(value).is_some());
                    match ours.is_found_in(value) {
                        Matched::Doubtful(_) => {}
                        decided => prop_assert_eq!(decided, found, "{} on {:?}", pattern, value),
                    }
                }
            }
            (Ok(_), Err(error)) => prop_assert!(false, "{pattern} is not valid: {error}"),
            (Err(PatternError::CannotRun(_)), Ok(_)) | (Err(_), Err(_)) => {}
            (Err(error), Ok(_)) => prop_assert!(false, "{pattern} is valid, but: {error}"),
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,30}", value in "\\PC{0,10}") {
        if let Ok(pattern) = Pattern::javascript(&text) {
            let _ = pattern.is_found_in(&value);
        }
    }

    #[test]
    fn no_text_of_the_syntax_panics(text in r"[ab()\[\]{}|\\*+?^$.,12cukxBd<>=!:é😀-]{0,30}", value in "[ab😀é]{0,6}") {
        if let Ok(pattern) = Pattern::javascript(&text) {
            let _ = pattern.is_found_in(&value);
        }
    }
}

/// Not so many of the patterns above may be given up that the comparison says little.
#[test]
fn few_of_the_made_up_patterns_cannot_run() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = whole();
    let (mut all, mut given_up) = (0, 0);
    for _ in 0..500 {
        let pattern = strategy.new_tree(&mut runner).expect("a pattern").current();
        all += 1;
        given_up += usize::from(matches!(Pattern::javascript(&pattern), Err(PatternError::CannotRun(_))));
    }
    assert!(given_up * 10 < all, "{given_up} of {all}");
}
