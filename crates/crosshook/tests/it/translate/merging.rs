//! A document that gets hooks keeps everything that was in it, byte for byte, and gets none twice.

use hooks_core::Syntax;
use hooks_core::translate::insert::{InsertError, Status, insert};
use hooks_core::translate::{Element, Options, carry};
use proptest::prelude::*;

use super::sides::{PAIRS, document, of, read};

fn element(to: &str, command: &str) -> Element {
    let event = if to == "cursor" { "stop" } else { "Stop" };
    let value: serde_json::Value = serde_json::from_str(&document(to, event, None, command)).unwrap();
    Element { event, json: value["hooks"][event][0].to_string(), matcher: None }
}

/// Whether a text is another one with something put in between.
fn is_kept(before: &str, after: &str) -> bool {
    let mut rest = after.chars();
    before.chars().all(|c| rest.any(|other| other == c))
}

#[track_caller]
fn put(to: &str, before: &str, elements: &[Element]) -> String {
    let side = of(to);
    let inserted = insert(&*side, Syntax::Json, before, elements).unwrap_or_else(|error| panic!("{before}: {error}"));
    assert!(is_kept(before, &inserted.text), "{before}\n{}", inserted.text);
    let again = insert(&*side, Syntax::Json, &inserted.text, elements).unwrap();
    assert_eq!(again.text, inserted.text, "twice changes nothing");
    assert!(again.status.iter().all(|status| *status == Status::There), "{:?}", again.status);
    serde_json::from_str::<serde_json::Value>(inserted.text.trim_start_matches('\u{feff}')).expect("JSON");
    inserted.text
}

#[test]
fn a_new_document_begins_as_its_vendor_wants() {
    assert_eq!(
        put("cursor", "", &[element("cursor", "a")]),
        "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"a\"\n      }\n    ]\n  }\n}\n"
    );
    assert!(put("claude", "", &[element("claude", "a")]).starts_with("{\n  \"hooks\": {\n    \"Stop\": [\n"));
}

#[test]
fn the_layout_of_the_document_goes_on() {
    let tabs = "{\n\t\"permissions\": {\"deny\": [\"Read(.env)\"]},\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"old\"}]}\n\t\t]\n\t}\n}\n";
    let after = put("claude", tabs, &[element("claude", "new")]);
    assert!(
        after.contains("\"old\"}]},\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"command\": \"new\""),
        "{after}"
    );
    let crlf = "{\r\n  \"hooks\": {\r\n    \"Stop\": []\r\n  }\r\n}\r\n";
    let after = put("claude", crlf, &[element("claude", "new")]);
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    let line = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "old"}]}]}, "model": "x"}"#;
    let after = put("claude", line, &[element("claude", "new")]);
    assert_eq!(after.lines().count(), 1, "{after}");
}

#[test]
fn documents_without_hooks_and_empty_ones_get_what_is_missing() {
    for before in ["{}", "{ }", "{\n}\n", "  \n", "{\"hooks\": {}}", "{\"other\": [1, 2]}", "\u{feff}{\"hooks\":{}}"] {
        for to in ["cursor", "claude", "codex"] {
            put(to, before, &[element(to, "a"), element(to, "b")]);
        }
    }
    assert!(put("cursor", "{\"hooks\": {}}", &[element("cursor", "a")]).contains("\"stop\""));
    assert!(put("cursor", "{\"x\": 1}", &[element("cursor", "a")]).contains("\"version\": 1"));
}

#[test]
fn the_same_hook_in_a_group_of_several_is_recognised() {
    let before = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}, {"command": "a", "type": "command"}]}]}}"#;
    let inserted = insert(&*of("claude"), Syntax::Json, before, &[element("claude", "a")]).unwrap();
    assert_eq!((inserted.text.as_str(), inserted.status.as_slice()), (before, &[Status::There][..]));
}

#[test]
fn a_hook_that_somebody_changed_is_left_as_it_is() {
    let before = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a", "timeout": 5}]}]}}"#;
    let inserted = insert(&*of("claude"), Syntax::Json, before, &[element("claude", "a")]).unwrap();
    assert_eq!((inserted.text.as_str(), inserted.status.as_slice()), (before, &[Status::Other][..]));
}

#[test]
fn what_is_no_place_for_hooks_is_refused_whole() {
    let side = of("claude");
    let refused = |before: &str| insert(&*side, Syntax::Json, before, &[element("claude", "a")]).expect_err(before);
    assert!(matches!(refused("{\"hooks\": {} // mine\n}"), InsertError::Syntax { .. }));
    for before in ["[]", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "{\"hooks\": null}"] {
        assert!(matches!(refused(before), InsertError::Shape { .. }), "{before}");
    }
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i32>().prop_map(Into::into),
        "[a-z \"\\\\{}\\[\\],:é😀]{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Into::into),
            proptest::collection::btree_map("[a-z]{1,4}", inner, 0..3)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_stands_in_the_document_is_kept(
        others in proptest::collection::btree_map("[a-z]{1,4}", value(), 0..4),
        commands in proptest::collection::vec("[a-z '\"$]{1,8}", 0..4),
        new in proptest::collection::vec("[A-Z]{1,3}", 1..4),
        pretty: bool,
        to in 0_usize..3,
    ) {
        let to = ["cursor", "claude", "codex"][to];
        let mut root: serde_json::Map<String, serde_json::Value> = others.into_iter().collect();
        root.remove("hooks");
        if to == "cursor" {
            root.insert("version".to_owned(), 1.into());
        }
        let event = if to == "cursor" { "stop" } else { "Stop" };
        let old: Vec<serde_json::Value> =
            commands.iter().map(|command| serde_json::from_str(&element(to, command).json).unwrap()).collect();
        if !old.is_empty() {
            root.insert("hooks".to_owned(), serde_json::json!({ event: old }));
        }
        let root = serde_json::Value::Object(root);
        let before = if pretty { serde_json::to_string_pretty(&root) } else { serde_json::to_string(&root) }.unwrap();
        let elements: Vec<Element> = new.iter().map(|command| element(to, command)).collect();
        let after = put(to, &before, &elements);
        let (was, is) = (read(to, &before), read(to, &after));
        prop_assert!(is.len() >= was.len());
        for (was, is) in was.iter().zip(&is) {
            prop_assert_eq!((&was.place, &was.handler, was.timeout), (&is.place, &is.handler, is.timeout));
        }
    }
}

#[test]
fn what_is_carried_over_twice_is_there_once() {
    for (from, to) in PAIRS {
        let event = if from == "cursor" { "preToolUse" } else { "PreToolUse" };
        let text = document(from, event, None, "./a.sh");
        let elements: Vec<Element> = read(from, &text)
            .iter()
            .flat_map(|it| carry(&*of(from), &*of(to), it, &Options::default()).elements)
            .collect();
        let once = put(to, "", &elements);
        assert_eq!(read(to, &once).len(), 1, "{once}");
    }
}
