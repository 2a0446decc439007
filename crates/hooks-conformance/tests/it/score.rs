//! The score: what is counted where, as a table, as JSON and as a page; and that the one place that judges does not take
//! an answer of another kind.

use hooks_conformance::score::{By, Tally, markdown};
use hooks_conformance::{
    Answer, Exceptions, Fault, Filter, Question, Reply, Report, Subject, VectorFile, parse, run_subject,
};
use serde_json::{Value, json};

/// Says of each question what was written for it.
struct Scripted(Vec<Reply>);

impl Subject for Scripted {
    fn answer(&mut self, _: &Question) -> Reply {
        self.0.remove(0)
    }

    fn finish(&mut self) -> Vec<Fault> {
        assert!(self.0.is_empty(), "it was asked too little");
        Vec::new()
    }
}

fn file(vendor: &str, vectors: &[(&str, &str, &str)]) -> VectorFile {
    let vectors: Vec<Value> = vectors
        .iter()
        .map(|(id, event, kind)| {
            let mut vector =
                json!({ "id": id, "kind": kind, "basis": "doc", "source": "a test", "event": event, "expect": {} });
            match *kind {
                "match" => {
                    vector["matcher"] = json!(null);
                    vector["targets"] = json!(["t"]);
                    vector["expect"] = json!(true);
                }
                _ => vector["outcome"] = json!({ "end": "timed_out" }),
            }
            vector
        })
        .collect();
    let file =
        json!({ "format": 1, "vendor": vendor, "event": null, "client": format!("{vendor} 1.0"), "vectors": vectors });
    parse("v.json", &file.to_string()).expect("a file")
}

fn files() -> [VectorFile; 2] {
    [
        file(
            "b",
            &[("b1", "late", "decode"), ("b2", "early", "decode"), ("b3", "early", "match"), ("b4", "early", "match")],
        ),
        file("a", &[("a1", "only", "decode"), ("a|2", "o`n`ly", "decode")]),
    ]
}

fn report() -> Report {
    let empty = || Reply::Answer(Answer::from_json(&files()[0].vectors[0].kind, json!({})).expect("effects"));
    let denied = Answer::from_json(&files()[0].vectors[0].kind, json!({ "verdict": "deny" })).expect("effects");
    let mut subject = Scripted(vec![
        empty(),
        Reply::Answer(denied),
        // Effects are no answer to a matcher, even where nothing seems to differ.
        empty(),
        Reply::Skipped("nobody\nknows".to_owned()),
        Reply::fault("it went wrong"),
        empty(),
    ]);
    let list = json!([{ "vendor": "a", "file": "v.json", "id": "a1", "reason": "known for long" }]).to_string();
    let list = Exceptions::parse(&list).expect("a list");
    run_subject(&files(), &mut subject, &Filter::default(), &list)
}

#[test]
fn everything_is_counted_once_and_in_its_place() {
    let report = report();
    assert_eq!((report.passed, report.failed, report.excepted.len(), report.skipped.len()), (2, 2, 1, 1), "{report}");
    assert_eq!(report.judged(), 5);
    assert_eq!(report.score.total(), Tally { passed: 2, failed: 2, skipped: 1, excepted: 1 });
    assert_eq!(report.score.total().all(), 6);
    assert!(report.failures[1].message.contains("none to the kind match"), "{report}");
    assert_eq!(
        serde_json::to_value(&report.score).expect("json")[2],
        json!({ "vendor": "b", "event": "early", "kind": "decode", "passed": 0, "failed": 1, "skipped": 0, "excepted": 0 })
    );

    let by_vendor = report.score.table(By::Vendor);
    assert_eq!(by_vendor.kinds, ["decode", "match"]);
    let shown = |row: &hooks_conformance::score::Row| {
        let numbers: Vec<String> = row.tallies.iter().chain([&row.total]).map(|tally| tally.shown()).collect();
        format!("{} {} {}", row.vendor, row.event.as_deref().unwrap_or("-"), numbers.join(" "))
    };
    assert_eq!(by_vendor.rows.iter().map(shown).collect::<Vec<_>>(), ["a - 1/2 - 1/2", "b - 1/2 0/1 1/3"]);
    let by_event = report.score.table(By::Event);
    assert_eq!(
        by_event.rows.iter().map(shown).collect::<Vec<_>>(),
        ["a o`n`ly 1 - 1", "a only 0/1 - 0/1", "b early 0/1 0/1 0/2", "b late 1 - 1"]
    );
}

#[test]
fn the_page_tells_everything_and_keeps_its_tables_whole() {
    let page = markdown("a\u{1b}[31m thing", &files(), &report());
    assert_eq!(page, markdown("a\u{1b}[31m thing", &files(), &report()));
    assert!(!page.contains('\u{1b}'));
    for line in [
        "6 vectors: 2 passed, 2 failed, 1 excepted, 1 skipped.",
        "| Vendor | decode | match | all | excepted | skipped |",
        "| a | 1/2 | - | 1/2 | 1 | 0 |",
        "| b | 1/2 | 0/1 | 1/3 | 0 | 1 |",
        "- a: a 1.0",
        "## a",
        "| Event | decode | all | excepted | skipped |",
        "| `only` | 0/1 | 0/1 | 1 | 0 |",
        "- b/v.json `b2` (decode): verdict: expected nothing, got \"deny\"",
        "  - expected: `{}`",
        "  - actual: `{\"verdict\":\"deny\"}`",
        "- a/v.json `a1`: known for long",
    ] {
        assert!(page.lines().any(|one| one == line), "no line `{line}` in\n{page}");
    }
    assert!(page.lines().any(|line| line.starts_with("- b/v.json (match, 1): nobody")), "{page}");
    let tables = page.lines().filter(|line| line.starts_with('|'));
    for line in tables {
        assert!(line.ends_with(" |") && line.matches('`').count() % 2 == 0, "{line}");
    }
}
