//! Every vector loads, is written back as it was read, and a slip in one is an error that says where.

use std::collections::BTreeMap;
use std::fs;

use hooks_conformance::format::{Effects, EndSpec, Kind, OutcomeSpec, Text, TextMatch};
use hooks_conformance::{load, parse};
use serde_json::{Value, json};

#[test]
fn all_vectors_load() {
    let files = load(&crate::vectors()).expect("vectors");
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for file in &files {
        for vector in &file.vectors {
            let vendor = file.vendor.clone().unwrap_or_else(|| "core".to_owned());
            *counts.entry((vendor, vector.kind.word())).or_default() += 1;
        }
    }
    // Counted in the files themselves, without this crate.
    let expected = [
        ("claude", "config", 88),
        ("claude", "decode", 462),
        ("claude", "fold", 46),
        ("claude", "match", 291),
        ("codex", "config", 118),
        ("codex", "decode", 1670),
        ("codex", "fold", 30),
        ("codex", "match", 479),
        ("codex", "trust", 98),
        ("core", "decide", 173),
        ("core", "settle", 108),
        ("cursor", "config", 206),
        ("cursor", "decode", 2450),
        ("cursor", "fold", 46),
        ("cursor", "match", 353),
    ];
    let expected: BTreeMap<_, _> =
        expected.into_iter().map(|(vendor, kind, count)| ((vendor.to_owned(), kind), count)).collect();
    assert_eq!(counts, expected);
}

#[test]
fn every_file_is_written_back_as_it_was_read() {
    for vendor in ["cursor", "claude", "codex", "core"] {
        let dir = crate::vectors().join(vendor);
        for file in load(&dir).expect("vectors") {
            let text = fs::read_to_string(dir.join(&file.name)).expect("a file");
            let before: Value = serde_json::from_str(&text).expect("json");
            let after = serde_json::to_value(&file).expect("json");
            let (Value::Array(before), Value::Array(after)) = (&before["vectors"], &after["vectors"]) else {
                panic!("{}: vectors are an array", file.name);
            };
            assert_eq!(before.len(), after.len());
            for (before, after) in before.iter().zip(after) {
                assert_eq!(before, after, "{}", file.name);
            }
        }
    }
}

fn decode_vector(change: impl FnOnce(&mut Value)) -> String {
    let mut file = json!({
        "format": 1, "vendor": "toy", "event": "before", "client": null,
        "vectors": [{
            "id": "the-id", "kind": "decode", "basis": "seed", "source": "a test",
            "outcome": { "end": { "exited": 0 }, "stdout": "{}" },
            "expect": { "halt": { "reason": "r" } },
        }],
    });
    change(&mut file);
    file.to_string()
}

#[test]
fn a_slip_is_an_error_that_names_file_vector_and_key() {
    type Change = fn(&mut Value);
    let slips: [(&str, Change, &[&str]); 18] = [
        ("unknown key of a vector", |f| f["vectors"][0]["outcom"] = json!({}), &["the-id", "outcom"]),
        ("unknown channel", |f| f["vectors"][0]["expect"]["notice"] = json!([]), &["the-id", "expect", "notice"]),
        (
            "unknown nested key",
            |f| f["vectors"][0]["expect"]["halt"]["resaon"] = json!("r"),
            &["expect/halt", "resaon"],
        ),
        ("unknown unchecked", |f| f["vectors"][0]["expect"]["unchecked"] = json!(["reason"]), &["unchecked", "reason"]),
        ("unknown word", |f| f["vectors"][0]["expect"]["verdict"] = json!("block"), &["expect/verdict", "block"]),
        ("unknown given", |f| f["vectors"][0]["given"] = json!({ "tol": "Bash" }), &["given", "tol"]),
        ("unknown end", |f| f["vectors"][0]["outcome"]["end"] = json!("exited"), &["the-id", "outcome/end"]),
        ("unknown matcher", |f| f["vectors"][0]["expect"]["reasons"] = json!([{ "has": "x" }]), &["reasons", "has"]),
        ("any: false", |f| f["vectors"][0]["expect"]["reasons"] = json!([{ "any": false }]), &["reasons", "any"]),
        ("contains nothing", |f| f["vectors"][0]["expect"]["reasons"] = json!([{ "contains": "" }]), &["contains"]),
        (
            "no base64",
            |f| f["vectors"][0]["outcome"]["stdout"] = json!({ "base64": "%" }),
            &["outcome/stdout", "base64"],
        ),
        (
            "base64 of nothing",
            |f| f["vectors"][0]["outcome"]["stdout"] = json!({ "base64": 7 }),
            &["outcome/stdout", "base64"],
        ),
        (
            "too long",
            |f| f["vectors"][0]["outcome"]["stdout"] = json!({ "repeat": "xx", "times": u64::MAX / 2 }),
            &["outcome/stdout", "times"],
        ),
        ("unknown kind", |f| f["vectors"][0]["kind"] = json!("decod"), &["the-id", "kind", "decod"]),
        ("unknown basis", |f| f["vectors"][0]["basis"] = json!("guess"), &["the-id", "basis", "guess"]),
        ("no event", |f| f["event"] = json!(null), &["the-id", "event"]),
        ("unknown key of the file", |f| f["vector"] = json!([]), &["toy.json", "vector"]),
        ("another format", |f| f["format"] = json!(2), &["toy.json", "format", "2"]),
    ];
    assert!(parse("toy.json", &decode_vector(|_| {})).is_ok());
    for (what, slip, words) in slips {
        let error = parse("toy.json", &decode_vector(slip)).expect_err(what).to_string();
        assert!(error.starts_with("toy.json: "), "{what}: {error}");
        for word in words {
            assert!(error.contains(word), "{what}: `{word}` is not in: {error}");
        }
    }
}

#[test]
fn keys_that_are_needed_are_asked_for() {
    for (key, place) in [("id", 0), ("kind", 0), ("basis", 0), ("source", 0), ("outcome", 0), ("expect", 0)] {
        let text = decode_vector(|file| {
            file["vectors"][place].as_object_mut().expect("a vector").remove(key);
        });
        let error = parse("toy.json", &text).expect_err(key).to_string();
        assert!(error.contains(key), "{key}: {error}");
    }
}

#[test]
fn an_id_that_is_there_twice_is_an_error() {
    let text = decode_vector(|file| {
        let vector = file["vectors"][0].clone();
        file["vectors"].as_array_mut().expect("vectors").push(vector);
    });
    let error = parse("toy.json", &text).expect_err("twice").to_string();
    assert!(error.contains("the-id") && error.contains("another vector"), "{error}");
}

#[test]
fn a_settle_vector_has_the_policies_its_items_need() {
    let vector = |extra: Value, vendor: Option<&str>| {
        let mut vector = json!({ "id": "v", "kind": "fold", "basis": "design", "source": "a test", "expect": {} });
        vector["items"] = json!([{ "binding": "b", "finishes": 0, "effects": {} }]);
        if let Some(vendor) = vendor {
            vector["items"][0]["vendor"] = json!(vendor);
        }
        vector.as_object_mut().expect("object").extend(extra.as_object().expect("object").clone());
        json!({ "format": 1, "vendor": null, "event": null, "client": null, "vectors": [vector] }).to_string()
    };
    let policy = json!({ "verdict": "strongest" });
    assert!(parse("s.json", &vector(json!({ "policy": policy }), None)).is_ok());
    assert!(parse("s.json", &vector(json!({ "policies": { "a": policy } }), Some("a"))).is_ok());
    for (extra, vendor) in [
        (json!({}), None),
        (json!({ "policy": policy, "policies": {} }), None),
        (json!({ "policy": policy }), Some("a")),
        (json!({ "policies": { "b": policy } }), Some("a")),
        (json!({ "policies": { "b": policy } }), None),
    ] {
        let error = parse("s.json", &vector(extra, vendor)).expect_err("policies").to_string();
        assert!(error.contains("polic"), "{error}");
    }
}

#[test]
fn a_folder_without_vectors_is_an_error_and_so_is_none() {
    let dir = tempfile::tempdir().expect("a folder");
    let error = load(dir.path()).expect_err("empty").to_string();
    assert!(error.contains("no vectors"), "{error}");
    assert!(load(&dir.path().join("missing")).is_err());
    fs::write(dir.path().join("excluded.json"), "{}").expect("written");
    fs::write(dir.path().join("README.md"), "text").expect("written");
    assert!(load(dir.path()).is_err());
    fs::create_dir(dir.path().join("toy")).expect("a folder");
    fs::write(dir.path().join("toy/before.json"), decode_vector(|_| {})).expect("written");
    let files = load(dir.path()).expect("vectors");
    assert_eq!(files.iter().map(|file| file.label()).collect::<Vec<_>>(), ["toy/before.json"]);
    fs::write(dir.path().join("toy/other.json"), "{").expect("written");
    let error = load(dir.path()).expect_err("broken").to_string();
    assert!(error.contains("other.json"), "{error}");
}

#[test]
fn files_of_one_vendor_with_one_name_are_told_apart() {
    let dir = tempfile::tempdir().expect("a folder");
    for folder in ["one/deep", "two", "three"] {
        fs::create_dir_all(dir.path().join(folder)).expect("a folder");
    }
    let other = decode_vector(|_| {}).replace("\"toy\"", "\"other\"");
    assert!(other.contains("\"other\""));
    for (file, text) in [
        ("one/deep/v.json", decode_vector(|_| {})),
        ("two/v.json", decode_vector(|_| {})),
        ("two/own.json", decode_vector(|_| {})),
        ("three/v.json", other),
    ] {
        fs::write(dir.path().join(file), text).expect("written");
    }
    let labels: Vec<String> = load(dir.path()).expect("vectors").iter().map(|file| file.label()).collect();
    assert_eq!(labels, ["toy/one/deep/v.json", "other/v.json", "toy/own.json", "toy/two/v.json"]);
}

#[test]
fn lists_are_no_objects() {
    let file = r#"[1,"toy","before","c",[]]"#;
    assert!(parse("v.json", file).expect_err("a list").to_string().contains("a file of vectors is an object"));
    let text = decode_vector(|file| file["vectors"][0]["expect"] = json!([]));
    let error = parse("v.json", &text).expect_err("a list").to_string();
    assert!(error.contains("/vectors/0/expect: `[]` is no object"), "{error}");
}

#[test]
fn texts_have_three_forms_each() {
    let outcome: OutcomeSpec = serde_json::from_value(json!({
        "end": "timed_out", "stdout": { "repeat": "ab", "times": 3 }, "stderr": { "base64": "/wA=" },
    }))
    .expect("an outcome");
    assert_eq!(outcome.end, EndSpec::TimedOut);
    assert_eq!(outcome.stdout.as_ref().map(Text::bytes), Some(b"ababab".to_vec()));
    assert_eq!(outcome.stderr.as_ref().map(Text::bytes), Some(vec![0xff, 0]));

    let effects: Effects = serde_json::from_value(json!({
        "reasons": ["r", { "any": true }, { "contains": "x" }],
    }))
    .expect("effects");
    let takes = |at: usize, text: &str| effects.reasons[at].takes(text);
    assert!(takes(0, "r") && !takes(0, "r "));
    assert!(takes(1, "whatever") && !takes(1, " \n"));
    assert!(takes(2, "axb") && !takes(2, "ab"));
    assert_eq!(effects.reasons[1], TextMatch::Any);
}

#[test]
fn null_and_absent_are_told_apart() {
    let file = parse(
        "toy.json",
        &decode_vector(|file| {
            file["vectors"][0]["expect"] = json!({
                "halt": { "reason": null },
                "continuation": { "text": "t", "loop_limit": null },
                "replacement_result": null,
            });
        }),
    )
    .expect("a file");
    let Kind::Decode(decode) = &file.vectors[0].kind else { panic!("a decode vector") };
    assert_eq!(decode.expect.halt.as_ref().map(|halt| halt.reason.clone()), Some(Some(None)));
    assert_eq!(decode.expect.continuation.as_ref().map(|one| one.loop_limit), Some(Some(None)));
    assert_eq!(decode.expect.replacement_result, Some(Value::Null));
    assert_eq!(decode.expect.replacement_input, None);
}

proptest::proptest! {
    #[test]
    fn reading_never_panics(text in ".{0,200}", vector in ".{0,100}") {
        let _ = parse("any.json", &text);
        let _ = parse("any.json", &decode_vector(|file| file["vectors"][0] = json!({ "id": vector })));
    }

    #[test]
    fn any_bytes_survive_as_text(bytes: Vec<u8>) {
        let written = serde_json::to_string(&Text::of(&bytes)).expect("json");
        let read: Text = serde_json::from_str(&written).expect("a text");
        proptest::prop_assert_eq!(read.bytes(), bytes);
    }
}
