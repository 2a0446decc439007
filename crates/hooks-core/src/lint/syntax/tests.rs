//! Every kind of mistake, its places and its edits; and that the finder and the strict reader agree.

#![allow(clippy::indexing_slicing, clippy::string_slice)]

use proptest::prelude::*;

use super::*;
use crate::document::parse_json;

const STRICT: JsonRules = JsonRules { byte_order_mark: false, lone_surrogates: false };
const JAVASCRIPT: JsonRules = JsonRules { byte_order_mark: false, lone_surrogates: true };

/// The kinds and the text of a document once everything in it is mended.
fn mended(text: &str) -> (Vec<MistakeKind>, String) {
    let found = mistakes(text.as_bytes(), STRICT);
    let kinds = found.mistakes.iter().map(|mistake| mistake.kind).collect();
    let all = found.mistakes.iter().flat_map(|mistake| mistake.edits.clone()).collect();
    let text = edited(text, all);
    if found.root.is_some() {
        assert!(parse_json(text.as_bytes(), STRICT).is_ok(), "{text}");
    }
    (kinds, text)
}

#[test]
fn each_mistake_has_its_kind_and_its_edit() {
    use MistakeKind::*;
    let cases: &[(&str, &[MistakeKind], &str)] = &[
        ("\u{feff}{}", &[ByteOrderMark], "{}"),
        ("{\n  // one\n  \"a\": 1 /* two */\n}\n", &[Comment, Comment], "{\n  \"a\": 1\n}\n"),
        ("# head\r\n[1, # one\r\n2]", &[Comment, Comment], "[1,\r\n2]"),
        ("[1, /* a */ 2]", &[Comment], "[1, 2]"),
        ("{\"a\": [1,], }", &[TrailingComma, TrailingComma], "{\"a\": [1] }"),
        ("[,1,,2]", &[ExtraComma, ExtraComma], "[1,2]"),
        ("{\"a\": 1},", &[ExtraComma], "{\"a\": 1}"),
        ("{\"a\": \"é\" \"b\": 2}", &[MissingComma], "{\"a\": \"é\", \"b\": 2}"),
        ("[1; 2;]", &[MissingComma, TrailingComma], "[1, 2]"),
        (
            "{\"a\" 1, \"b\" = 2, \"c\" => 3}",
            &[MissingColon, MissingColon, MissingColon],
            "{\"a\": 1, \"b\" : 2, \"c\" : 3}",
        ),
        ("{'a': 'it\\'s \"so\"'}", &[WrongQuotes, WrongQuotes], "{\"a\": \"it's \\\"so\\\"\"}"),
        ("{“a”: `x\ny`}", &[WrongQuotes, WrongQuotes], "{\"a\": \"x\\ny\"}"),
        (
            "{a-b: ./guard.sh, c: .5}",
            &[MissingQuotes, MissingQuotes, MissingQuotes, Number],
            "{\"a-b\": \"./guard.sh\", \"c\": 0.5}",
        ),
        ("{\"a\": {\"b\": [1, 2", &[Unclosed], "{\"a\": {\"b\": [1, 2]}}"),
        ("{\"a\": [{\"b\": 1]}", &[Unclosed], "{\"a\": [{\"b\": 1}]}"),
        ("{\"a\": [[1, {\"b\": 2}}", &[Unclosed], "{\"a\": [[1, {\"b\": 2}]]}"),
        ("[1, 2]]}", &[ExtraBracket, ExtraBracket], "[1, 2]"),
        ("{\"a\": 1]}", &[ExtraBracket], "{\"a\": 1}"),
        // One bracket or quote too few is one mistake, wherever it is missing.
        ("{\"a\": [{} \"b\": [1]}", &[Unclosed], "{\"a\": [{}], \"b\": [1]}"),
        ("{\"a\": [1, {},\n\"b\": [2]}", &[Unclosed], "{\"a\": [1, {}],\n\"b\": [2]}"),
        ("{\"a\": [[1 \"b\": 2}", &[Unclosed], "{\"a\": [[1]], \"b\": 2}"),
        ("{\"a\": {\"b\": 1}], \"c\": 2}", &[Unclosed], "{\"a\": [{\"b\": 1}], \"c\": 2}"),
        ("{\"a\": [{}]], \"c\": 2}", &[ExtraBracket], "{\"a\": [{}], \"c\": 2}"),
        ("{\"a\": [\"b\": 1, \"c\": 2}, {}]}", &[Unclosed], "{\"a\": [{\"b\": 1, \"c\": 2}, {}]}"),
        ("{\"a: [\n1]}", &[Unclosed], "{\"a\": [\n1]}"),
        // Fences of Markdown.
        ("```json\n{\"a\": [1,]}\n```\n", &[ExtraText, TrailingComma], "{\"a\": [1]}\n"),
        ("\n```\n{}\n", &[ExtraText], "\n{}\n"),
        // What is wrong again and again is told once.
        ("{'a': 'b', 'c': 'd', }", &[WrongQuotes, TrailingComma], "{\"a\": \"b\", \"c\": \"d\" }"),
        ("{\"a\": \"x,\n\"b\": \"y\n}", &[Unclosed, Unclosed], "{\"a\": \"x\",\n\"b\": \"y\"\n}"),
        ("{\"a\": \"x", &[Unclosed, Unclosed], "{\"a\": \"x\"}"),
        ("{\"a\": \"x\n\ty\"}", &[ControlCharacter], "{\"a\": \"x\\n\\ty\"}"),
        (r#"{"a": "\d+\.\'C:\u"}"#, &[Escape, Escape, Escape, Escape], r#"{"a": "\\d+\\.'C:\\u"}"#),
        ("[01, +1, 0x1F, 1_000, 5., -.5]", &[Number; 6], "[1, 1, 31, 1000, 5, -0.5]"),
        ("[True, FALSE, None]", &[Word, Word, Word], "[true, false, null]"),
        ("{\u{a0}\"a\":\u{200b}1}", &[Blank, Blank], "{ \"a\": 1}"),
    ];
    for (text, kinds, wanted) in cases {
        let (found, text) = (mended(text), text);
        assert_eq!((found.0.as_slice(), found.1.as_str()), (*kinds, *wanted), "{text}");
        assert!(mistakes(text.as_bytes(), STRICT).root.is_some(), "{text}");
    }
}

#[test]
fn what_only_the_author_knows_has_no_edit_and_no_tree() {
    use MistakeKind::*;
    let cases: &[(&str, &[MistakeKind])] = &[
        ("", &[Empty]),
        ("\u{feff} \n", &[Empty]),
        ("// nothing", &[Comment, Empty]),
        ("{\"a\": }", &[MissingValue]),
        ("{\"a\"}", &[MissingValue]),
        ("{: 1}", &[MissingKey]),
        ("{[1]}", &[MissingKey]),
        ("{} {}", &[ExtraText]),
        ("\"a\": 1", &[ExtraText]),
        ("version: 1\nhooks:\n", &[Unreadable]),
        ("[features]\nhooks = true\n", &[Unreadable]),
        ("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\n", &[Unreadable]),
        ("{\"a\": echo hi}", &[Unreadable]),
        ("[\"a\": 1]", &[Unclosed]),
        ("[30s]", &[Number]),
        ("[NaN, undefined, 1", &[Word, Word, Unclosed]),
        (
            "{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> b\n}",
            &[ConflictMarker, MissingComma, ConflictMarker, ConflictMarker],
        ),
        ("{\"a\": /* no end", &[Comment]),
        (r#"["\ud800"]"#, &[Escape]),
        ("{'a': 'x\n}", &[WrongQuotes, Unclosed]),
    ];
    for (text, kinds) in cases {
        let found = mistakes(text.as_bytes(), STRICT);
        let got: Vec<_> = found.mistakes.iter().map(|mistake| mistake.kind).collect();
        assert_eq!(got, *kinds, "{text}");
        assert!(found.root.is_none(), "{text}");
    }
    let bytes: [&[u8]; 3] = [b"\xff\xfe{\0}\0", b"{\"a\": \xff}", b"\xfe\xff\0{\0}"];
    let found = bytes.map(|bytes| mistakes(bytes, STRICT).mistakes[0].message.clone().into_owned());
    assert_eq!(found[0], "the file is UTF-16, not UTF-8");
    assert!(found[1].contains("byte 6") && found[2].contains("UTF-16"), "{found:?}");
}

#[test]
fn the_tree_is_that_of_the_mended_document_with_places_in_the_old_one() {
    let text = "\u{feff}{'a': [1,], // x\n b: true}";
    let root = mistakes(text.as_bytes(), STRICT).root.expect("mendable");
    let object = root.as_object().expect("object");
    assert_eq!(&text[object.member("a").expect("a").key_range.clone()], "'a'");
    assert_eq!(&text[object.get("a").expect("a").range.clone()], "[1,]");
    assert_eq!(object.get("b").and_then(Node::as_bool), Some(true));
}

#[test]
fn each_edit_alone_takes_its_own_mistake_away() {
    let text = "{'a': [01,], // x\n b: True \"c\": \"\\d\n\t\", \"d\" = {\"e\": [1}";
    let found = mistakes(text.as_bytes(), STRICT).mistakes;
    assert_eq!(found.len(), 12);
    for mistake in &found {
        let after = mistakes(edited(text, mistake.edits.clone()).as_bytes(), STRICT).mistakes;
        let count = |all: &[Mistake]| all.iter().filter(|other| other.kind == mistake.kind).count();
        assert!(count(&after) < count(&found), "{mistake:?}");
    }
}

#[test]
fn hostile_documents_end_soon() {
    let many = |piece: &str| piece.repeat(1 << 20);
    for text in
        [many(","), many("\"\\\""), many("\\\"\n"), many("/*"), many("[1"), many("'"), many("{a"), many("\u{a0}x")]
    {
        let found = mistakes(text.as_bytes(), STRICT);
        assert!(!found.mistakes.is_empty() && found.mistakes.len() <= MOST_MISTAKES);
    }
}

proptest! {
    #[test]
    fn mistakes_are_found_exactly_where_a_reader_refuses(
        text in prop_oneof![
            "[\\[\\]{}:,;\"'a1tné😀 \n#/*\\\\.+-]{0,40}",
            "(\\{|\\}|\\[|\\]|,|:|\"a\"|'b'|c|1|02|true|None|//x\n|/\\*y\\*/| |\n|\"\\\\d\"|\"\\\\ud800\"|\u{a0}|=|¡){0,24}",
        ],
        javascript in any::<bool>(),
    ) {
        let rules = if javascript { JAVASCRIPT } else { STRICT };
        let strict = parse_json(text.as_bytes(), rules);
        let found = mistakes(text.as_bytes(), rules);
        prop_assert_eq!(strict.is_ok(), found.mistakes.is_empty(), "{:?}", found.mistakes);
        for mistake in &found.mistakes {
            prop_assert!(text.get(mistake.range.clone()).is_some(), "{:?}", mistake);
        }
        if let Ok(root) = strict {
            prop_assert_eq!(Some(root), found.root);
        } else if let Some(root) = found.root {
            let all = found.mistakes.into_iter().flat_map(|mistake| mistake.edits).collect();
            let mended = edited(&text, all);
            let read = parse_json(mended.as_bytes(), rules);
            prop_assert!(read.is_ok(), "{:?} became {:?}", text, mended);
            let (read, root) = (serde_json::Value::from(&read.expect("read")), serde_json::Value::from(&root));
            prop_assert_eq!(read, root, "{:?} became {:?}", text, mended);
        }
    }

    #[test]
    fn bytes_of_any_kind_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let found = mistakes(&bytes, STRICT);
        prop_assert_eq!(parse_json(&bytes, STRICT).is_ok(), found.mistakes.is_empty());
    }
}

#[test]
fn a_document_of_another_language_is_known_by_its_first_line() {
    for (text, expected) in [
        ("{\"a\": 1}", Some("JSON")),
        ("[a.b]\nc = 1\n", Some("TOML")),
        ("model = \"x\"\n", Some("TOML")),
        ("---\nhooks:\n", Some("YAML")),
        ("hooks:\n  Stop:\n", Some("YAML")),
        ("[1, 2]", None),
        ("[a]", None),
        ("\"a\": 1", None),
        ("", None),
    ] {
        assert_eq!(language(text), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_again_and_again_is_told_once_with_all_its_edits() {
    let text = "{'a': 'b', 'c': 1}";
    assert_eq!(mistakes(text.as_bytes(), STRICT).mistakes.len(), 3);
    let found = mistakes("{'a': 'b', 'c': 'd'}".as_bytes(), STRICT).mistakes;
    assert_eq!((found.len(), found[0].edits.len(), found[0].range.clone()), (1, 4, 1..4));
    assert_eq!(found[0].help, "Write the text in double quotes, here and in 3 more places.");
}
