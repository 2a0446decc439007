//! Parsing, writing and reading standard input, reading and writing answers, and selecting, over growing sizes.
//!
//! `cargo bench -p adapter-codex`. What a size is compared with stands beside it under the name `value`: the time
//! `serde_json` takes to read the same bytes into a tree.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::Write as _;
use std::sync::Arc;

use adapter_codex::Adapter;
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use hooks_core::activate::{AdmitAll, VendorSources, activate};
use hooks_core::document::{JsonRules, parse_json};
use hooks_core::envelope::{Common, ToolReturned, ToolUse};
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::tool::{Mcp, ResultKind, ShellResult};
use hooks_core::{
    Binding, DecodePolicy, Effect, Envelope, HookSide, HostProfile, HostSide, Outcome, Payload, RawJson, SessionState,
    ToolAction, ToolCall, ToolResult, Verdict, reduce, select, settle,
};

fn main() {
    divan::main();
}

/// Payload sizes in bytes.
const SIZES: [usize; 3] = [800, 100_000, 1_000_000];

/// Bytes of the documents that are parsed.
const DOCUMENTS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// A script with a line break in every line, as commands and files have them.
fn script(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes);
    while text.len() < bytes {
        text.push_str("grep -n \"fn main\" src/*.rs | head -n 20 && echo done\n");
    }
    text.truncate(bytes);
    text
}

/// An object of many small values.
fn records(bytes: usize) -> RawJson {
    let mut text = String::from("{\"records\":[");
    let mut at = 0;
    while text.len() < bytes {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{{\"id\":{at},\"path\":\"src/file_{at}.rs\",\"ok\":true,\"score\":{at}.5}}");
        at += 1;
    }
    text.push_str("]}");
    RawJson::parse(&text).unwrap()
}

fn common() -> Common {
    Common {
        session_id: "3f6d2b0a-5d0e-4f5c-9a57-6f0d7a1c2b34".into(),
        turn_id: Some("8c1f7a52-0b1e-4a3d-8f6e-1d2c3b4a5968".into()),
        cwd: "/home/dev/project".into(),
        transcript_path: Some("/home/dev/.codex/sessions/2026/11/30/rollout.jsonl".into()),
        ..Common::default()
    }
}

fn tool(call: ToolCall) -> ToolUse {
    ToolUse { id: Some("call_01".into()), call }
}

fn before(call: ToolCall) -> Envelope {
    Envelope::new(common(), Payload::ToolBefore(tool(call)))
}

fn shell(bytes: usize) -> Envelope {
    before(ToolCall::shell(script(bytes)))
}

fn mcp(bytes: usize) -> Envelope {
    before(ToolCall::new(ToolAction::Mcp(Mcp::new("db", "insert", records(bytes)))))
}

fn after(bytes: usize) -> Envelope {
    let kind = ResultKind::Shell(ShellResult { output: script(bytes), ..ShellResult::default() });
    let result = ToolResult::finished(kind);
    let tool = tool(ToolCall::shell("cat src/main.rs"));
    Envelope::new(common(), Payload::ToolResult(ToolReturned { tool, result, duration_ms: None }))
}

fn binding(event: &str) -> Binding {
    Binding::alone(Adapter::latest().blank(event).unwrap())
}

fn stdin(event: &str, envelope: &Envelope) -> Vec<u8> {
    let mut stdin = Vec::new();
    Adapter::latest().encode(&binding(event), envelope, &mut stdin).unwrap();
    stdin
}

/// Reads a payload and writes a denial, as a bridge does.
fn read_and_deny(bencher: Bencher<'_, '_>, stdin: &[u8]) {
    let adapter = Adapter::latest();
    let deny = [Effect::Verdict { verdict: Verdict::Deny, reasons: vec!["use the wrapper".into()] }];
    bencher.counter(BytesCount::of_slice(stdin)).bench_local(|| {
        let (event, envelope) = adapter.read_stdin(black_box(stdin)).unwrap();
        adapter.write_answer(event, &envelope, black_box(&deny))
    });
}

fn into_value(bencher: Bencher<'_, '_>, bytes: &[u8]) {
    bencher
        .counter(BytesCount::of_slice(bytes))
        .bench_local(|| serde_json::from_slice::<serde_json::Value>(black_box(bytes)).unwrap());
}

#[divan::bench_group]
mod hook_side {
    use super::*;

    #[divan::bench(args = SIZES)]
    fn command(bencher: Bencher<'_, '_>, bytes: usize) {
        read_and_deny(bencher, &stdin("PreToolUse", &shell(bytes)));
    }

    #[divan::bench(args = SIZES)]
    fn command_value(bencher: Bencher<'_, '_>, bytes: usize) {
        into_value(bencher, &stdin("PreToolUse", &shell(bytes)));
    }

    #[divan::bench(args = SIZES)]
    fn arguments(bencher: Bencher<'_, '_>, bytes: usize) {
        read_and_deny(bencher, &stdin("PreToolUse", &mcp(bytes)));
    }

    #[divan::bench(args = SIZES)]
    fn arguments_value(bencher: Bencher<'_, '_>, bytes: usize) {
        into_value(bencher, &stdin("PreToolUse", &mcp(bytes)));
    }

    #[divan::bench(args = SIZES)]
    fn result(bencher: Bencher<'_, '_>, bytes: usize) {
        read_and_deny(bencher, &stdin("PostToolUse", &after(bytes)));
    }

    #[divan::bench(args = SIZES)]
    fn result_value(bencher: Bencher<'_, '_>, bytes: usize) {
        into_value(bencher, &stdin("PostToolUse", &after(bytes)));
    }
}

#[divan::bench_group]
mod host_side {
    use super::*;

    #[divan::bench(args = SIZES)]
    fn encode_command(bencher: Bencher<'_, '_>, bytes: usize) {
        encode(bencher, &shell(bytes));
    }

    #[divan::bench(args = SIZES)]
    fn encode_arguments(bencher: Bencher<'_, '_>, bytes: usize) {
        encode(bencher, &mcp(bytes));
    }

    fn encode(bencher: Bencher<'_, '_>, envelope: &Envelope) {
        let (adapter, binding) = (Adapter::latest(), binding("PreToolUse"));
        let mut stdin = Vec::new();
        bencher.bench_local(|| adapter.encode(&binding, black_box(envelope), &mut stdin).unwrap());
    }

    /// An answer with a rewritten command of the size.
    fn answer(bytes: usize) -> Vec<u8> {
        let answer = serde_json::json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": script(bytes)},
        }});
        serde_json::to_vec(&answer).unwrap()
    }

    #[divan::bench(args = SIZES)]
    fn decode(bencher: Bencher<'_, '_>, bytes: usize) {
        let (adapter, binding, envelope) = (Adapter::latest(), binding("PreToolUse"), shell(800));
        let outcome = Outcome::exited(0, answer(bytes));
        bencher
            .counter(BytesCount::of_slice(&outcome.stdout))
            .bench_local(|| adapter.decode(&binding, &envelope, black_box(&outcome), DecodePolicy::default()));
    }

    #[divan::bench(args = SIZES)]
    fn decode_value(bencher: Bencher<'_, '_>, bytes: usize) {
        into_value(bencher, &answer(bytes));
    }

    #[divan::bench]
    fn one_firing(bencher: Bencher<'_, '_>) {
        let text = br#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./a"}]}]}}"#;
        let adapter = Adapter::latest();
        let documents = vec![adapter.parse(&document(Syntax::Json, text.to_vec()))];
        let sources = vec![VendorSources { adapter: Arc::new(adapter.clone()), documents }];
        let snapshot = activate(sources, &HostProfile::full(), &AdmitAll).unwrap();
        let (envelope, session) = (shell(800), SessionState::default());
        let outcome = Outcome::exited(0, r#"{"decision":"block","reason":"no"}"#);
        let mut stdin = Vec::new();
        bencher.bench_local(|| {
            let chosen = select(&snapshot, black_box(&envelope), &session);
            let effects: Vec<_> = chosen
                .iter()
                .map(|choice| {
                    let _ = black_box(adapter.encode(choice.binding, &envelope, &mut stdin));
                    adapter.decode(choice.binding, &envelope, &outcome, DecodePolicy::default())
                })
                .collect();
            settle(reduce(effects), adapter.merge_policy(envelope.boundary()), false)
        });
    }

    /// Bindings half of exact lists, half of patterns, none of which matches.
    #[divan::bench(args = [10, 100, 1_000, 10_000])]
    fn select_none_of(bencher: Bencher<'_, '_>, number: usize) {
        let mut text = String::from("{\"hooks\":{\"PreToolUse\":[");
        for at in 0..number {
            let comma = if at == 0 { "" } else { "," };
            let matcher = if at % 2 == 0 { format!("tool{at}|other{at}") } else { format!("^mcp__s{at}__.*_write$") };
            let _ = write!(
                text,
                "{comma}{{\"matcher\":\"{matcher}\",\"hooks\":[{{\"type\":\"command\",\"command\":\"./a\"}}]}}"
            );
        }
        text.push_str("]}}");
        let adapter = Adapter::latest();
        let documents = vec![adapter.parse(&document(Syntax::Json, text.into_bytes()))];
        let sources = vec![VendorSources { adapter: Arc::new(adapter), documents }];
        let snapshot = activate(sources, &HostProfile::full(), &AdmitAll).unwrap();
        assert_eq!(snapshot.bindings().len(), number);
        let (envelope, session) = (shell(100), SessionState::default());
        bencher.bench_local(|| black_box(select(&snapshot, black_box(&envelope), &session).len()));
    }
}

fn document(syntax: Syntax, bytes: Vec<u8>) -> Arc<Source> {
    let vendor = Adapter::latest().vendor().clone();
    Arc::new(Source::hooks(vendor, Origin::User, syntax, "/home/dev/.codex/hooks", bytes))
}

/// A `hooks.json` of a size, with groups as people write them.
fn hooks_json(bytes: usize) -> Vec<u8> {
    let mut text = String::from("{\n  \"hooks\": {\n    \"PreToolUse\": [\n");
    let mut at = 0;
    while text.len() < bytes {
        let comma = if at == 0 { "" } else { ",\n" };
        let matcher = if at % 2 == 0 { format!("tool{at}") } else { "Bash|apply_patch".to_owned() };
        let _ = write!(
            text,
            "{comma}      {{\n        \"matcher\": \"{matcher}\",\n        \"hooks\": [\n          {{\n            \"type\": \"command\",\n            \"command\": \"python3 ./hooks/check_{at}.py --strict\",\n            \"timeout\": 30\n          }}\n        ]\n      }}"
        );
        at += 1;
    }
    text.push_str("\n    ]\n  }\n}\n");
    text.into_bytes()
}

/// The same in TOML.
fn config_toml(bytes: usize) -> Vec<u8> {
    let mut text = String::from("model = \"m\"\n");
    let mut at = 0;
    while text.len() < bytes {
        let matcher = if at % 2 == 0 { format!("tool{at}") } else { "Bash|apply_patch".to_owned() };
        let _ = write!(
            text,
            "\n[[hooks.PreToolUse]]\nmatcher = \"{matcher}\"\n\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"python3 ./hooks/check_{at}.py --strict\"\ntimeout = 30\n"
        );
        at += 1;
    }
    text.into_bytes()
}

#[divan::bench_group]
mod documents {
    use super::*;

    fn parse(bencher: Bencher<'_, '_>, source: &Arc<Source>) {
        let adapter = Adapter::latest();
        assert!(adapter.parse(source).diagnostics.is_empty());
        bencher.counter(BytesCount::of_slice(&*source.bytes)).bench_local(|| adapter.parse(black_box(source)));
    }

    #[divan::bench(args = DOCUMENTS)]
    fn json(bencher: Bencher<'_, '_>, bytes: usize) {
        parse(bencher, &document(Syntax::Json, hooks_json(bytes)));
    }

    /// The part of it that reads the text into a tree with places.
    #[divan::bench(args = DOCUMENTS)]
    fn json_tree(bencher: Bencher<'_, '_>, bytes: usize) {
        let bytes = hooks_json(bytes);
        bencher
            .counter(BytesCount::of_slice(&bytes))
            .bench_local(|| parse_json(black_box(&bytes), JsonRules::default()).unwrap());
    }

    #[divan::bench(args = DOCUMENTS)]
    fn json_value(bencher: Bencher<'_, '_>, bytes: usize) {
        into_value(bencher, &hooks_json(bytes));
    }

    #[divan::bench(args = DOCUMENTS)]
    fn toml(bencher: Bencher<'_, '_>, bytes: usize) {
        parse(bencher, &document(Syntax::Toml, config_toml(bytes)));
    }

    #[divan::bench(args = DOCUMENTS)]
    fn toml_table(bencher: Bencher<'_, '_>, bytes: usize) {
        let bytes = config_toml(bytes);
        bencher
            .counter(BytesCount::of_slice(&bytes))
            .bench_local(|| toml::from_slice::<toml::Table>(black_box(&bytes)).unwrap());
    }
}
