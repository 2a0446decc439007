//! The span-keeping JSON reader against `serde_json`: it accepts the same documents and reads the same values from them.

use hooks_core::document::{JsonRules, Node, Value, parse_json};
use proptest::prelude::*;

const STRICT: JsonRules = JsonRules { byte_order_mark: false, lone_surrogates: false };

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<u64>().prop_map(serde_json::Value::from),
        prop::num::f64::NORMAL.prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
        "[ -~\\n\\t\\\\\"/]{0,12}".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::hash_map("[a-c\\\\\"é]{0,3}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A number that a tree cannot hold and that a reader may still pass over, as all vendors' readers do.
fn is_out_of_range(read: &Result<serde_json::Value, serde_json::Error>) -> bool {
    read.as_ref().is_err_and(|error| error.to_string().starts_with("number out of range"))
}

/// Places of nested values lie inside each other, and each place holds the value that it is the place of.
fn places_hold(text: &str, node: &Node) -> Result<(), TestCaseError> {
    let here = &text[node.range.clone()];
    let read: serde_json::Value =
        serde_json::from_str(here).map_err(|e| TestCaseError::fail(format!("{here}: {e}")))?;
    prop_assert_eq!(read, serde_json::Value::from(node));
    match &node.value {
        Value::Array(items) => items.iter().try_for_each(|item| places_hold(text, item)),
        Value::Object(object) => object.members.iter().try_for_each(|member| {
            let key: String = serde_json::from_str(&text[member.key_range.clone()]).unwrap();
            prop_assert_eq!(&key, &member.key);
            places_hold(text, &member.value)
        }),
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_serde_json_writes_is_read_with_its_places(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let node = parse_json(text.as_bytes(), STRICT).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(serde_json::Value::from(&node), serde_json::from_str::<serde_json::Value>(&text).unwrap());
        places_hold(&text, &node)?;
    }

    #[test]
    fn damaged_documents_are_accepted_by_both_or_by_neither(
        value in json(),
        at in any::<prop::sample::Index>(),
        with in "[\\[\\]{},:\"\\\\0-9eE.+\\-tfnu \\n/x]{0,3}",
        cut in 0usize..3,
    ) {
        let mut text = serde_json::to_string(&value).unwrap();
        let mut from = at.index(text.len() + 1).min(text.len());
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        let mut to = (from + cut).min(text.len());
        while !text.is_char_boundary(to) {
            to += 1;
        }
        text.replace_range(from..to, &with);
        let ours = parse_json(text.as_bytes(), STRICT);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        prop_assume!(!is_out_of_range(&theirs));
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?}: {:?} against {:?}", text, ours, theirs);
        match ours {
            Ok(node) => prop_assert_eq!(serde_json::Value::from(&node), theirs.unwrap()),
            Err(error) => prop_assert!(error.range.start <= error.range.end && error.range.end <= text.len()),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused_and_nothing_else(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        for rules in [STRICT, JsonRules { byte_order_mark: true, lone_surrogates: true }] {
            if let Err(error) = parse_json(&bytes, rules) {
                prop_assert!(error.range.start <= error.range.end && error.range.end <= bytes.len());
            }
        }
    }
}

#[test]
fn the_corners_of_the_grammar() {
    for text in [
        "0",
        "-0",
        "-",
        "01",
        "-01",
        "1.",
        "1.e1",
        ".5",
        "1e",
        "1e+",
        "1E-2",
        "1e400",
        "-1e400",
        "1e-400",
        "00",
        "+1",
        "\"\\u0000\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\ud800\"",
        "\"\\uD83D\\u0041\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"a",
        "\"\u{1}\"",
        "\"\u{7f}\"",
        "tru",
        "truex",
        "null,",
        "[1,]",
        "[,1]",
        "{\"a\":}",
        "{\"a\"}",
        "{a:1}",
        "{\"a\":1,}",
        "[1 2]",
        "\u{a0}1",
        "\u{b}1",
        "[]]",
        "{}{}",
        "\u{feff}1",
        "NaN",
        "Infinity",
        "'a'",
        "/**/1",
        "1//",
        "[\n1\n]\n",
        "\"\u{2028}\"",
        "123456789012345678901234567890",
    ] {
        let ours = parse_json(text.as_bytes(), STRICT);
        let theirs = serde_json::from_str::<serde_json::Value>(text);
        let expected = theirs.is_ok() || is_out_of_range(&theirs);
        assert_eq!(ours.is_ok(), expected, "{text:?}: {ours:?} against {theirs:?}");
    }
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for levels in [1, 127, 128, 129, 100_000] {
        let text = nested(levels);
        assert_eq!(parse_json(text.as_bytes(), STRICT).is_ok(), levels <= 128, "{levels}");
    }
}
