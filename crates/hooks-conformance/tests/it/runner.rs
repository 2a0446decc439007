//! The runner, held to account with a made-up vendor: what is wrong is reported, for every kind and every channel.

use hooks_conformance::{Exceptions, Failure, Filter, Report, VectorFile, parse, run, run_with};
use serde_json::{Value, json};

use crate::toy::toys;

fn file(vendor: Option<&str>, vectors: Value) -> VectorFile {
    let file = json!({ "format": 1, "vendor": vendor, "event": null, "client": null, "vectors": vectors });
    parse("toy.json", &file.to_string()).expect("a file")
}

fn vector(kind: &str, event: Option<&str>, body: Value) -> Value {
    let mut vector = json!({ "id": "v", "kind": kind, "basis": "seed", "source": "a test" });
    if let Some(event) = event {
        vector["event"] = json!(event);
    }
    vector.as_object_mut().expect("object").extend(body.as_object().expect("object").clone());
    vector
}

fn judge(vector: Value) -> Report {
    run(&[file(Some("toy"), json!([vector]))], &toys, &Filter::default())
}

fn holds(vector: Value) {
    let report = judge(vector);
    assert_eq!((report.passed, report.failed, report.skipped.len()), (1, 0, 0), "{report}");
}

/// The one failure's message, which must name what differs.
fn fails(vector: Value, what: &str) -> String {
    let report = judge(vector.clone());
    assert_eq!((report.passed, report.failed, report.skipped.len()), (0, 1, 0), "{vector} {report}");
    let failure = &report.failures[0];
    assert!(failure.message.contains(what), "`{what}` is not in: {}", failure.message);
    assert!(!failure.message.contains('\n'), "{}", failure.message);
    assert_eq!(failure.file, "toy/toy.json");
    failure.message.clone()
}

fn decode(answer: Value, expect: Value) -> Value {
    vector(
        "decode",
        Some("before"),
        json!({
            "outcome": { "end": { "exited": 0 }, "stdout": answer.to_string() }, "expect": expect,
        }),
    )
}

/// A channel's name, an answer that uses it, what it comes to, and something else.
fn channels() -> Vec<(&'static str, Value, Value, Value)> {
    vec![
        (
            "verdict",
            json!({ "deny": "r" }),
            json!({ "verdict": "deny", "reasons": ["r"] }),
            json!({ "verdict": "ask", "reasons": ["r"] }),
        ),
        (
            "reasons",
            json!({ "deny": "r" }),
            json!({ "verdict": "deny", "reasons": ["r"] }),
            json!({ "verdict": "deny", "reasons": ["s"] }),
        ),
        ("notices", json!({ "notice": "n" }), json!({ "notices": ["n"] }), json!({ "notices": ["n", "m"] })),
        (
            "context",
            json!({ "context": "c" }),
            json!({ "context": [{ "contains": "c" }] }),
            json!({ "context": [{ "contains": "d" }] }),
        ),
        (
            "replacement_input",
            json!({ "input": { "a": 1 } }),
            json!({ "replacement_input": { "a": 1 } }),
            json!({ "replacement_input": { "a": 2 } }),
        ),
        (
            "replacement_result",
            json!({ "result": "r" }),
            json!({ "replacement_result": "r" }),
            json!({ "replacement_result": null }),
        ),
        (
            "session_env",
            json!({ "env": "1" }),
            json!({ "session_env": { "NAME": "1" } }),
            json!({ "session_env": { "NAME": "2" } }),
        ),
        ("halt", json!({ "halt": "h" }), json!({ "halt": { "reason": "h" } }), json!({ "halt": { "reason": null } })),
        (
            "continuation",
            json!({ "go_on": "t" }),
            json!({ "continuation": { "text": "t" } }),
            json!({ "continuation": { "text": "u" } }),
        ),
        (
            "unsupported",
            json!({ "unsupported": "f" }),
            json!({ "unsupported": ["f"] }),
            json!({ "unsupported": ["f", "g"] }),
        ),
        ("failed", json!({ "fail": true }), json!({ "failed": true }), json!({})),
    ]
}

#[test]
fn every_channel_of_a_decode_vector_can_fail() {
    for (channel, answer, right, wrong) in channels() {
        holds(decode(answer.clone(), right.clone()));
        fails(decode(answer.clone(), wrong), channel);
        // What is asked for and not expected, and what is expected and not asked for.
        fails(decode(answer.clone(), json!({})), channel);
        fails(decode(json!({}), right), channel);
        // What is not checked can be anything.
        let unchecked = if channel == "reasons" { json!(["verdict", "reasons"]) } else { json!([channel, "reasons"]) };
        holds(decode(answer, json!({ "unchecked": unchecked })));
    }
}

#[test]
fn the_run_is_compared_where_it_is_given() {
    holds(decode(json!({}), json!({ "run": "completed" })));
    fails(decode(json!({}), json!({ "run": "blocked" })), "run");
}

#[test]
fn halts_and_limits_are_compared_in_what_is_given() {
    holds(decode(json!({ "halt": "h" }), json!({ "halt": {} })));
    holds(decode(json!({ "halt": "h" }), json!({ "halt": { "reason": { "any": true }, "stops": ["turn"] } })));
    holds(decode(json!({ "halt": null }), json!({ "halt": { "reason": null } })));
    fails(decode(json!({ "halt": null }), json!({ "halt": { "reason": { "any": true } } })), "halt.reason");
    fails(decode(json!({ "halt": "h" }), json!({ "halt": { "stops": ["session"] } })), "halt.stops");
    fails(decode(json!({ "halt": "h" }), json!({ "halt": { "when": "before" } })), "halt.when");
    fails(decode(json!({ "halt": "h" }), json!({ "halt": { "prompt": "erase" } })), "halt.prompt");

    let limited = |limit: Value, expected: Value| {
        let mut vector =
            decode(json!({ "go_on": "t" }), json!({ "continuation": { "text": "t", "loop_limit": expected } }));
        vector["binding"] = json!({ "loop_limit": limit });
        vector
    };
    holds(limited(json!(5), json!(5)));
    holds(limited(json!(null), json!(null)));
    fails(limited(json!(5), json!(null)), "continuation.loop_limit");
    fails(limited(json!(5), json!(6)), "continuation.loop_limit");
}

#[test]
fn the_fields_of_unsupported_have_no_order_and_values_are_compared_as_json() {
    let fields = |expected: Value| decode(json!({ "unsupported": ["a", "b"] }), json!({ "unsupported": expected }));
    holds(fields(json!(["a", "b"])));
    holds(fields(json!(["b", "a"])));
    fails(fields(json!(["a"])), "unsupported");
    fails(fields(json!(["a", "a"])), "unsupported");
    fails(fields(json!(["a", "b", "b"])), "unsupported");
    holds(decode(json!({ "input": { "a": 1, "b": 2 } }), json!({ "replacement_input": { "b": 2, "a": 1 } })));
}

#[test]
fn what_is_given_reaches_the_adapter() {
    let echo = |what: &str, given: Value, heard: &str| {
        let mut vector = decode(json!({ "echo": what }), json!({ "context": [heard] }));
        if what == "stop" {
            vector["event"] = json!("stop");
        }
        vector["given"] = given;
        holds(vector);
    };
    echo("command", json!({}), "run-me");
    echo("command", json!({ "command": "other" }), "other");
    echo("id", json!({ "binding_id": "toy-7" }), "toy-7");
    echo("role", json!({}), "Hooks");
    echo("role", json!({ "file": ".other/hooks.json" }), "ForeignHooks");
    echo("path", json!({ "file": ".other/hooks.json" }), ".other/hooks.json");
    echo("delivered", json!({}), "true");
    echo("delivered", json!({ "stdin_delivered": false }), "false");
    echo("tool", json!({}), "shell");
    echo("tool", json!({ "tool": "lathe" }), "other");
    echo("stop", json!({}), "completed 0");
    echo("stop", json!({ "status": "error", "stop_hook_active": true }), "error 1");

    let outcome = |what: &str, change: fn(&mut Value), heard: &str| {
        let mut vector = decode(json!({ "echo": what }), json!({ "context": [heard], "unchecked": ["failed"] }));
        change(&mut vector["outcome"]);
        holds(vector);
    };
    outcome("end", |o| o["end"] = json!({ "exited": 3 }), "Exited(3)");
    outcome("end", |o| o["end"] = json!({ "signalled": 9 }), "Signalled(9)");
    outcome("end", |o| o["end"] = json!("timed_out"), "TimedOut");
    outcome("end", |o| o["end"] = json!("cancelled"), "Cancelled");
    outcome("end", |o| o["end"] = json!("failed_to_start"), "FailedToStart(\"no such program\")");
    outcome("stderr", |o| o["stderr"] = json!({ "repeat": "ab", "times": 2 }), "abab");
    outcome("cut", |o| o["stdout_truncated"] = json!(true), "true false");
    outcome("cut", |o| o["stderr_truncated"] = json!(true), "false true");
}

#[test]
fn the_binding_and_the_policy_reach_the_adapter() {
    let broken = |binding: Value, policy: Value, expect: Value| {
        let mut vector = decode(json!(1), expect);
        vector["binding"] = binding;
        vector["policy"] = policy;
        vector
    };
    let open = json!({ "failed": true, "run": "failed" });
    let closed = json!({ "failed": true, "verdict": "deny", "reasons": ["failed"] });
    holds(broken(json!({}), json!({}), open.clone()));
    holds(broken(json!({ "fail_closed": false }), json!({ "strict": false }), open.clone()));
    holds(broken(json!({ "on_failure": "continue" }), json!({}), open.clone()));
    holds(broken(json!({ "fail_closed": true }), json!({}), closed.clone()));
    holds(broken(json!({ "on_failure": "block" }), json!({}), closed.clone()));
    holds(broken(json!({}), json!({ "strict": true }), closed.clone()));
    fails(broken(json!({}), json!({}), closed), "verdict");
    fails(broken(json!({ "fail_closed": true }), json!({}), open), "verdict");
}

fn fold(answers: &[(Value, u32)], expect: Value) -> Value {
    let hooks: Vec<Value> = answers
        .iter()
        .map(|(answer, finishes)| {
            json!({ "outcome": { "end": { "exited": 0 }, "stdout": answer.to_string() }, "finishes": finishes })
        })
        .collect();
    vector("fold", Some("before"), json!({ "hooks": hooks, "expect": expect }))
}

#[test]
fn every_channel_of_a_fold_vector_can_fail() {
    for (channel, answer, right, wrong) in channels() {
        if channel == "failed" {
            continue;
        }
        let hooks = [(answer, 0), (json!({}), 1)];
        holds(fold(&hooks, right.clone()));
        fails(fold(&hooks, wrong), channel);
        fails(fold(&hooks, json!({})), channel);
        fails(fold(&[(json!({}), 0)], right), channel);
    }
    let failing = [(json!({ "fail": true }), 0)];
    holds(fold(&failing, json!({})));
    holds(fold(&failing, json!({ "failed": true })));
    fails(fold(&[(json!({}), 0)], json!({ "failed": true })), "failed");
}

#[test]
fn a_fold_goes_by_both_orders() {
    let denies = |first: u32, second: u32| [(json!({ "deny": "A" }), first), (json!({ "deny": "B" }), second)];
    // The vendor's rule: the last to finish leads. A vector says what is shown; the others follow.
    holds(fold(&denies(0, 1), json!({ "verdict": "deny", "reasons": ["B"] })));
    holds(fold(&denies(1, 0), json!({ "verdict": "deny", "reasons": ["A"] })));
    holds(fold(&denies(1, 0), json!({ "verdict": "deny", "reasons": ["A", "B"] })));
    fails(fold(&denies(0, 1), json!({ "verdict": "deny", "reasons": ["A"] })), "reasons");
    fails(fold(&denies(0, 1), json!({ "verdict": "deny", "reasons": ["B", "A", "C"] })), "reasons");
    fails(fold(&denies(0, 1), json!({ "verdict": "deny" })), "reasons");
    // Context stands as declared, continuations are taken together.
    let says = |key: &str| [(json!({ key: "A" }), 1), (json!({ key: "B" }), 0)];
    holds(fold(&says("context"), json!({ "context": ["A", "B"] })));
    fails(fold(&says("context"), json!({ "context": ["B", "A"] })), "context");
    holds(fold(&says("go_on"), json!({ "continuation": { "text": "A\n\nB" } })));
    fails(fold(&says("go_on"), json!({ "continuation": { "text": "A" } })), "continuation");
}

fn matching(event: &str, matcher: Value, targets: &[&str], expect: bool) -> Value {
    vector("match", Some(event), json!({ "matcher": matcher, "targets": targets, "expect": expect }))
}

#[test]
fn a_match_vector_can_fail_either_way() {
    holds(matching("before", json!("shell"), &["shell"], true));
    holds(matching("before", json!("shell"), &["other", "shell"], true));
    holds(matching("before", json!("shell"), &["other"], false));
    holds(matching("before", json!("shell"), &[], false));
    holds(matching("before", json!(null), &[], true));
    fails(matching("before", json!("shell"), &["shell"], false), "expected false, got true");
    fails(matching("before", json!("shell"), &["other"], true), "expected true, got false");
    // An event that ignores matchers takes all; one that this host never fires takes none.
    holds(matching("stop", json!("shell"), &["other"], true));
    holds(matching("never", json!(null), &["other"], false));
    fails(matching("never", json!(null), &["other"], true), "expected true");
    // Nobody knows is neither.
    fails(matching("before", json!("?"), &["shell"], true), "doubtful");
    fails(matching("before", json!("?"), &["shell"], false), "doubtful");
}

#[test]
fn a_matcher_in_another_vendors_file_is_read_there() {
    let foreign = |matcher: &str, expect: bool| {
        let mut vector = matching("before", json!(matcher), &["shell"], expect);
        vector["given"] = json!({ "file": ".other/settings.json" });
        vector
    };
    // The tool's name has a capital there, which the vendor's own files would not match.
    holds(foreign("Shell", true));
    holds(foreign("Lathe", false));
    fails(foreign("Shell", false), "got true");
    fails(foreign("Lathe", true), "got false");
    holds(matching("before", json!("Shell"), &["shell"], false));
}

fn config(document: &Value, expect: Value) -> Value {
    vector(
        "config",
        None,
        json!({
            "origin": "project", "syntax": "json", "document": document.to_string(), "expect": expect,
        }),
    )
}

#[test]
fn every_part_of_a_config_vector_can_fail() {
    let document = json!({ "hooks": { "before": [
        { "command": "a.sh", "matcher": "shell", "timeout": 0.5, "closed": true, "limit": 5 },
        { "command": "skipped.sh", "skip": true },
        { "command": "b.sh" },
    ] } });
    let right = json!({ "file": "accepted", "reports": [], "bindings": [
        {
            "event": "before", "group": 0, "index": 0, "handler": "command", "command": "a.sh", "matcher": "shell",
            "timeout_s": 0.5, "fail_closed": true, "on_failure": "block", "loop_limit": 5, "async": false,
            "additional_context_limit": null, "status_message": null,
        },
        { "event": "before", "group": 0, "index": 2, "handler": "command", "matcher": null, "timeout_s": 60, "loop_limit": null },
    ] });
    holds(config(&document, right.clone()));
    let wrong = |change: &dyn Fn(&mut Value), what: &str| {
        let mut expect = right.clone();
        change(&mut expect);
        fails(config(&document, expect), what);
    };
    wrong(&|e| e["file"] = json!("rejected"), "file");
    for (key, value) in [
        ("handler", json!("prompt")),
        ("command", json!("b.sh")),
        ("matcher", json!(null)),
        ("timeout_s", json!(1)),
        ("fail_closed", json!(false)),
        ("on_failure", json!(null)),
        ("loop_limit", json!(null)),
        ("async", json!(true)),
        ("additional_context_limit", json!(5)),
        ("status_message", json!("s")),
        ("server", json!("s")),
        ("tool", json!("t")),
        ("prompt", json!("p")),
        ("model", json!("m")),
    ] {
        wrong(&|e| e["bindings"][0][key] = value.clone(), &format!("before[0][0].{key}"));
    }
    for (key, value) in [("event", json!("stop")), ("group", json!(1)), ("index", json!(1))] {
        wrong(&|e| e["bindings"][0][key] = value.clone(), "bindings");
    }
    wrong(&|e| e["bindings"].as_array_mut().expect("bindings").truncate(1), "bindings");
    wrong(&|e| e["bindings"].as_array_mut().expect("bindings").reverse(), "bindings");
    wrong(&|e| e["reports"] = json!([{ "pointer": "", "about": "not-json" }]), "reports");
}

#[test]
fn reports_are_a_multiset() {
    let document = json!({ "hooks": { "first": [], "second": [] } });
    let expect = |reports: Value| json!({ "file": "accepted", "bindings": [], "reports": reports });
    let one = |name: &str| json!({ "pointer": format!("/hooks/{name}"), "about": "unknown-event", "reach": "event" });
    holds(config(&document, expect(json!([one("first"), one("second")]))));
    holds(config(&document, expect(json!([one("second"), one("first")]))));
    fails(config(&document, expect(json!([one("first")]))), "/hooks/second");
    fails(config(&document, expect(json!([one("first"), one("first")]))), "/hooks/first");
    fails(config(&document, expect(json!([one("first"), one("second"), one("second")]))), "/hooks/second");
    for (key, value) in
        [("pointer", json!("/hooks")), ("about", json!("x")), ("reach", json!("file")), ("silent", json!(false))]
    {
        let mut wrong = one("first");
        wrong[key] = value;
        fails(config(&document, expect(json!([wrong, one("second")]))), "reports");
    }
    // What is not given is not compared.
    let short = json!({ "pointer": "/hooks/first", "about": "unknown-event" });
    holds(config(&document, expect(json!([short, one("second")]))));
}

#[test]
fn a_rejected_document_is_told_from_an_accepted_one() {
    let mut vector = config(
        &json!({}),
        json!({
            "file": "rejected", "bindings": [], "reports": [{ "pointer": "", "about": "not-json", "reach": "file" }],
        }),
    );
    vector["document"] = json!({ "base64": "/w==" });
    holds(vector.clone());
    vector["expect"]["file"] = json!("accepted");
    fails(vector, "file");
    let mut vector = config(&json!({}), json!({ "file": "accepted", "bindings": [], "reports": [] }));
    vector["origin"] = json!("nowhere");
    fails(vector, "nowhere");
}

fn core(vector: Value) -> Report {
    run(&[file(None, json!([vector]))], &toys, &Filter::default())
}

fn core_holds(vector: Value) {
    let report = core(vector);
    assert_eq!((report.passed, report.failed), (1, 0), "{report}");
}

fn core_fails(vector: Value, what: &str) {
    let report = core(vector.clone());
    assert_eq!((report.passed, report.failed), (0, 1), "{vector} {report}");
    assert!(report.failures[0].message.contains(what), "`{what}` is not in: {}", report.failures[0].message);
}

#[test]
fn every_channel_of_a_settle_vector_can_fail() {
    let settle = |effects: Value, expect: Value| {
        vector(
            "fold",
            None,
            json!({
                "policy": { "verdict": "strongest" },
                "items": [{ "binding": "b", "finishes": 0, "effects": effects }],
                "expect": expect,
            }),
        )
    };
    let continuation = |text: &str| json!({ "continuations": [{ "binding": "b", "text": text, "loop_limit": 1 }] });
    for (channel, effects, right, wrong) in [
        ("verdict", json!({ "verdict": "ask" }), json!({ "verdict": "ask" }), json!({ "verdict": "deny" })),
        (
            "reasons",
            json!({ "verdict": "ask", "reasons": ["r"] }),
            json!({ "verdict": "ask", "reasons": ["r"] }),
            json!({ "verdict": "ask", "reasons": ["s"] }),
        ),
        ("notices", json!({ "notices": ["n"] }), json!({ "notices": ["n"] }), json!({ "notices": ["m"] })),
        ("context", json!({ "context": ["c"] }), json!({ "context": ["c"] }), json!({ "context": ["d"] })),
        (
            "replacement_input",
            json!({ "replacement_input": 1 }),
            json!({ "replacement_input": 1 }),
            json!({ "replacement_input": 2 }),
        ),
        (
            "replacement_result",
            json!({ "replacement_result": "r" }),
            json!({ "replacement_result": "r" }),
            json!({ "replacement_result": "s" }),
        ),
        (
            "session_env",
            json!({ "session_env": { "A": "1" } }),
            json!({ "session_env": { "A": "1" } }),
            json!({ "session_env": { "B": "1" } }),
        ),
        (
            "halt",
            json!({ "halt": { "reason": "h" } }),
            json!({ "halt": { "reason": "h" } }),
            json!({ "halt": { "reason": "i" } }),
        ),
        (
            "continuations",
            json!({ "continuation": { "text": "t", "loop_limit": 1 } }),
            continuation("t"),
            continuation("u"),
        ),
        (
            "unsupported",
            json!({ "unsupported": ["f", "g"] }),
            json!({ "unsupported": ["f", "g"] }),
            json!({ "unsupported": ["g", "f"] }),
        ),
    ] {
        core_holds(settle(effects.clone(), right.clone()));
        core_fails(settle(effects.clone(), wrong), channel);
        core_fails(settle(effects, json!({})), channel);
        core_fails(settle(json!({}), right), channel);
    }
    let limit = |limit: Value| {
        let mut one = json!({ "binding": "b", "text": "t" });
        if limit != "absent" {
            one["loop_limit"] = limit;
        }
        settle(json!({ "continuation": { "text": "t", "loop_limit": null } }), json!({ "continuations": [one] }))
    };
    core_holds(limit(json!(null)));
    core_fails(limit(json!("absent")), "continuations");
    core_fails(limit(json!(3)), "continuations");
}

#[test]
fn policies_take_effect() {
    let settle = |policy: Value, expect: &str| {
        vector(
            "fold",
            None,
            json!({
                "policy": policy,
                "items": [
                    { "binding": "a", "finishes": 1, "effects": { "replacement_result": "A" } },
                    { "binding": "b", "finishes": 0, "effects": { "replacement_result": "B" } },
                ],
                "expect": { "replacement_result": expect },
            }),
        )
    };
    core_holds(settle(json!({ "replacement_result": "last-finished" }), "A"));
    core_holds(settle(json!({ "replacement_result": "last-declared" }), "B"));
    core_holds(settle(json!({ "replacement_result": { "join": "\n\n" } }), "A\n\nB"));
    core_fails(settle(json!({ "replacement_result": "last-finished" }), "B"), "replacement_result");
    core_fails(settle(json!({ "replacement_result": { "join": "-" } }), "A-B"), "separator");
}

#[test]
fn every_key_of_a_decide_vector_can_fail() {
    let decide = |effects: Value, expect: Value| {
        vector("decide", None, json!({ "boundary": "tool.before", "effects": effects, "expect": expect }))
    };
    let none = |extra: Value| {
        let mut decision = json!({ "action": "no-opinion" });
        decision.as_object_mut().expect("object").extend(extra.as_object().expect("object").clone());
        decision
    };
    let going_on = |text: &str| none(json!({ "continuations": [{ "binding": "b", "text": text }] }));
    let halt = |reason: &str| json!({ "halt": { "stops": ["turn"], "when": "after", "reason": reason } });
    for (key, effects, right, wrong) in [
        ("action", json!({ "verdict": "allow" }), json!({ "action": "approve" }), json!({ "action": "deny" })),
        ("input", json!({ "replacement_input": 1 }), none(json!({ "input": 1 })), none(json!({ "input": 2 }))),
        ("halt", halt("h"), none(halt("h")), none(halt("i"))),
        ("continuations", json!({ "continuations": [{ "binding": "b", "text": "t" }] }), going_on("t"), going_on("u")),
        (
            "to_model",
            json!({ "context": ["c"] }),
            none(json!({ "to_model": ["c"] })),
            none(json!({ "to_model": ["d"] })),
        ),
        ("to_user", json!({ "notices": ["n"] }), none(json!({ "to_user": ["n"] })), none(json!({ "to_user": ["m"] }))),
    ] {
        core_holds(decide(effects.clone(), right.clone()));
        core_fails(decide(effects.clone(), wrong), key);
        core_fails(decide(json!({}), right), key);
        let bare = if key == "action" { json!({ "action": "ask" }) } else { none(json!({})) };
        core_fails(decide(effects.clone(), bare), key);
        if key != "action" {
            core_holds(decide(effects, none(json!({ "unchecked": [key] }))));
        }
    }
    core_fails(
        vector("decide", None, json!({ "boundary": "tool.befor", "effects": {}, "expect": none(json!({})) })),
        "boundary",
    );
}

#[test]
fn a_host_in_a_decide_vector_takes_effect() {
    let decide = |host: Value, effects: Value, expect: Value| {
        vector("decide", None, json!({ "boundary": "tool.before", "host": host, "effects": effects, "expect": expect }))
    };
    let ask = json!({ "verdict": "ask", "reasons": ["r"] });
    core_holds(decide(json!({}), ask.clone(), json!({ "action": "ask", "to_user": ["r"] })));
    core_holds(decide(json!({ "can_ask": false }), ask, json!({ "action": "deny", "to_model": ["r"] })));
    let any = json!({ "action": "deny", "to_model": [{ "any": true }] });
    core_holds(decide(json!({ "can_defer": false }), json!({ "verdict": "defer" }), any.clone()));
    core_holds(decide(json!({ "can_rewrite": false }), json!({ "replacement_input": 1 }), any.clone()));
    core_holds(decide(json!({ "strict": true }), json!({ "unsupported": ["x"] }), any.clone()));
    core_fails(decide(json!({}), json!({ "unsupported": ["x"] }), any.clone()), "action");
    // Asking for a text of the host is not met by a hook's.
    let spoken = json!({ "verdict": "deny", "reasons": ["r"] });
    core_fails(decide(json!({}), spoken, any), "to_model");
}

#[test]
fn a_panic_is_a_failure() {
    let message = fails(decode(json!({ "panic": true }), json!({})), "panicked");
    assert!(message.contains("a decoder that panics"), "{message}");
    fails(matching("before", json!("!"), &["shell"], true), "a matcher that panics");
}

#[test]
fn what_is_skipped_is_counted_with_its_reason() {
    let mut unknown = decode(json!({}), json!({}));
    unknown["event"] = json!("unheard");
    unknown["id"] = json!("unknown-event");
    let mut older = decode(json!({}), json!({}));
    older["client"] = json!("0.9.0");
    older["id"] = json!("older-client");
    let mut profile = decode(json!({}), json!({}));
    profile["given"] = json!({ "host_profile": "other-face" });
    profile["id"] = json!("other-face");
    let trust = vector(
        "trust",
        Some("before"),
        json!({
            "matcher": null, "handler": {}, "expect": { "canonical": "{}", "sha256": "00" },
        }),
    );
    let mut known = decode(json!({}), json!({}));
    known["profile"] = json!("face");
    known["id"] = json!("known-face");
    let report = run(&[file(Some("toy"), json!([unknown, older, profile, trust, known]))], &toys, &Filter::default());
    assert_eq!((report.passed, report.failed), (1, 0), "{report}");
    let skipped: Vec<(&str, &str)> =
        report.skipped.iter().map(|skipped| (skipped.id.as_str(), skipped.reason.as_str())).collect();
    assert_eq!(
        skipped,
        [
            ("unknown-event", "unheard is no event of toy 1.0.0"),
            ("older-client", "no adapter for toy, client 0.9.0"),
            ("other-face", "no adapter for toy, profile other-face"),
            ("v", "the adapter of toy gives no fingerprints"),
        ]
    );
    let shown = report.to_string();
    assert!(shown.contains("1 passed, 0 failed, 4 skipped") && shown.contains("client 0.9.0"), "{shown}");
}

#[test]
fn filters_choose() {
    let mut other = decode(json!({}), json!({}));
    other["id"] = json!("w");
    other["event"] = json!("stop");
    let files = [file(Some("toy"), json!([decode(json!({}), json!({})), other]))];
    let count = |filter: Filter| run(&files, &toys, &filter).passed;
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(count(Filter::default()), 2);
    assert_eq!(count(Filter { id: some("w"), ..Filter::default() }), 1);
    assert_eq!(count(Filter { event: some("before"), ..Filter::default() }), 1);
    assert_eq!(count(Filter { kind: some("decode"), ..Filter::default() }), 2);
    assert_eq!(count(Filter { kind: some("fold"), ..Filter::default() }), 0);
    assert_eq!(count(Filter { vendor: some("toy"), ..Filter::default() }), 2);
    assert_eq!(count(Filter { vendor: some("core"), ..Filter::default() }), 0);
}

#[test]
fn an_exception_excuses_a_failure_and_nothing_else() {
    let files = [file(Some("toy"), json!([decode(json!({ "deny": "r" }), json!({}))]))];
    let listed = |entry: Value| Exceptions::parse(&json!([entry]).to_string()).expect("a list");
    let entry = json!({ "vendor": "toy", "file": "toy.json", "id": "v", "reason": "known" });

    let report = run_with(&files, &toys, &Filter::default(), &listed(entry.clone()));
    assert_eq!((report.passed, report.failed, report.excepted.len()), (0, 0, 1), "{report}");
    assert_eq!(report.excepted[0].reason, "known");
    assert!(report.excepted[0].message.contains("verdict"));

    // An entry that holds.
    let holding = [file(Some("toy"), json!([decode(json!({}), json!({}))]))];
    let report = run_with(&holding, &toys, &Filter::default(), &listed(entry.clone()));
    assert_eq!((report.passed, report.failed), (0, 1), "{report}");
    assert!(report.failures[0].message.contains("it holds"), "{report}");

    // An entry that names no vector, and one of another vendor.
    let mut stale = entry.clone();
    stale["id"] = json!("gone");
    let report = run_with(&holding, &toys, &Filter::default(), &listed(stale));
    assert_eq!((report.passed, report.failed), (1, 1), "{report}");
    assert!(report.failures[0].message.contains("no such vector"), "{report}");
    let mut foreign = entry.clone();
    foreign["vendor"] = json!("other");
    let report = run_with(&holding, &toys, &Filter::default(), &listed(foreign));
    assert_eq!((report.passed, report.failed), (1, 0), "{report}");

    // An entry has a reason.
    let mut silent = entry;
    silent["reason"] = json!(" ");
    assert!(Exceptions::parse(&json!([silent]).to_string()).is_err());
}

#[test]
fn a_report_serialises_as_the_command_prints_it() {
    let report = judge(decode(json!({ "deny": "r" }), json!({ "verdict": "ask", "reasons": ["r"] })));
    assert_eq!(
        serde_json::to_value(&report).expect("json"),
        json!({
            "passed": 0, "failed": 1, "skipped": [], "excepted": [],
            "score": [{
                "vendor": "toy", "event": "before", "kind": "decode",
                "passed": 0, "failed": 1, "skipped": 0, "excepted": 0,
            }],
            "failures": [{
                "file": "toy/toy.json", "id": "v", "kind": "decode", "event": "before",
                "message": "verdict: expected \"ask\", got \"deny\"",
                "expected": { "verdict": "ask", "reasons": ["r"] },
                "actual": { "run": "completed", "verdict": "deny", "reasons": ["r"] },
            }],
        })
    );
    assert!(report.to_string().contains("FAILED toy/toy.json v (decode): verdict"), "{report}");
}

#[test]
fn a_failure_says_for_which_client_and_face_its_vector_holds() {
    let mut vector = decode(json!({ "deny": "r" }), json!({}));
    vector["profile"] = json!("face");
    let report = judge(vector);
    let failure = report.failures[0].clone();
    assert_eq!(failure.holds_for().as_deref(), Some("profile face"));
    assert!(report.to_string().contains("v (decode, profile face): verdict"), "{report}");
    let failure = Failure { client: Some("1.0.0".to_owned()), ..failure };
    assert_eq!(failure.holds_for().as_deref(), Some("client 1.0.0, profile face"));
    let written = serde_json::to_value(failure).expect("json");
    assert_eq!((&written["client"], &written["profile"]), (&json!("1.0.0"), &json!("face")));
}
