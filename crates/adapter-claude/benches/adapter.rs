//! The adapter's costs beside those of reading the same bytes into a tree, in one run.
//!
//! `cargo bench -p adapter-claude`. Compare the medians of a group: `tree` is `serde_json::from_slice::<Value>`.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::sync::Arc;

use adapter_claude::{Adapter, VENDOR};
use divan::{Bencher, black_box};
use hooks_conformance::sample;
use hooks_core::activate::{AdmitAll, VendorSources, activate};
use hooks_core::adapter::DecodePolicy;
use hooks_core::effects::{Effect, Verdict};
use hooks_core::envelope::{Payload, ToolReturned, ToolUse};
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::tool::{Mcp, ResultKind, Shell, ShellResult, ToolAction, Write};
use hooks_core::{
    Binding, Envelope, HookSide, HostProfile, HostSide, Outcome, RawJson, SessionState, Snapshot, ToolCall, ToolResult,
    select,
};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// Bytes of a payload, all in all.
const SIZES: [usize; 3] = [800, 100_000, 1_000_000];

/// Text of a size as files have it: lines of code.
fn text(size: usize) -> String {
    "    let answer = compute(\"input\", 42); // as before\n".chars().cycle().take(size.saturating_sub(650)).collect()
}

fn call(action: ToolAction) -> Envelope {
    let tool = ToolUse { id: Some("call-1".to_owned()), call: ToolCall::new(action) };
    Envelope::new(sample::common(), Payload::ToolBefore(tool))
}

/// A file written whole: the tool's input is read into the host's terms.
fn write(size: usize) -> Envelope {
    call(ToolAction::Write(Write { path: "/home/dev/project/src/main.rs".to_owned(), content: text(size) }))
}

/// A call of a tool server's tool: its arguments stay raw.
fn mcp(size: usize) -> Envelope {
    let arguments = json!({ "path": "/home/dev/project/src/main.rs", "content": text(size) });
    call(ToolAction::Mcp(Mcp::new("files", "write_file", RawJson::from(&arguments))))
}

/// A long command.
fn shell(size: usize) -> Envelope {
    call(ToolAction::Shell(Shell { command: text(size), ..Shell::default() }))
}

/// A command that printed much.
fn printed(size: usize) -> Envelope {
    let call = ToolCall::shell("cargo test");
    let kind = ResultKind::Shell(ShellResult { output: text(size), exit_code: Some(0), ..ShellResult::default() });
    let tool = ToolUse { id: Some("call-1".to_owned()), call };
    let returned = ToolReturned { tool, result: ToolResult::finished(kind), duration_ms: Some(5) };
    Envelope::new(sample::common(), Payload::ToolResult(returned))
}

fn binding(event: &str) -> Binding {
    Binding::alone(Adapter::latest().blank(event).expect("an event"))
}

fn stdin(event: &str, envelope: &Envelope) -> Vec<u8> {
    let mut bytes = Vec::new();
    Adapter::latest().encode(&binding(event), envelope, &mut bytes).expect("written");
    bytes
}

fn tree(bencher: Bencher<'_, '_>, bytes: &[u8]) {
    bencher.bench_local(|| serde_json::from_slice::<Value>(black_box(bytes)).expect("JSON"));
}

/// Reads one payload and answers it with a denial.
fn deny(bencher: Bencher<'_, '_>, bytes: &[u8]) {
    let adapter = Adapter::latest();
    let denial = [Effect::Verdict { verdict: Verdict::Deny, reasons: vec!["not in this project".to_owned()] }];
    bencher.bench_local(|| {
        let (event, envelope) = adapter.read_stdin(black_box(bytes)).expect("read");
        let (answer, losses) = adapter.write_answer(event, &envelope, &denial);
        (envelope, answer, losses)
    });
}

macro_rules! hook_side {
    ($($name:ident = $event:literal, $envelope:ident;)*) => { $(
        mod $name {
            use super::*;

            #[divan::bench(args = SIZES)]
            fn a_tree(bencher: Bencher<'_, '_>, size: usize) {
                tree(bencher, &stdin($event, &$envelope(size)));
            }

            #[divan::bench(args = SIZES)]
            fn b_read_and_deny(bencher: Bencher<'_, '_>, size: usize) {
                deny(bencher, &stdin($event, &$envelope(size)));
            }
        }
    )* };
}

hook_side! {
    hook_side_mcp_call = "PreToolUse", mcp;
    hook_side_written_file = "PreToolUse", write;
    hook_side_shell_command = "PreToolUse", shell;
    hook_side_printed_output = "PostToolUse", printed;
}

mod host_side {
    use super::*;

    #[divan::bench(args = SIZES)]
    fn a_tree_of_the_input(bencher: Bencher<'_, '_>, size: usize) {
        tree(bencher, &stdin("PreToolUse", &write(size)));
    }

    #[divan::bench(args = SIZES)]
    fn b_encode(bencher: Bencher<'_, '_>, size: usize) {
        let (adapter, binding, envelope) = (Adapter::latest(), binding("PreToolUse"), write(size));
        let mut bytes = Vec::new();
        bencher.bench_local(|| {
            let invocation = adapter.encode(&binding, black_box(&envelope), &mut bytes);
            (invocation.is_ok(), bytes.len())
        });
    }

    fn answer(size: usize) -> Vec<u8> {
        let input = json!({ "file_path": "/home/dev/project/src/main.rs", "content": text(size + 300) });
        let nested = json!({ "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input });
        serde_json::to_vec(&json!({ "hookSpecificOutput": nested })).expect("JSON")
    }

    #[divan::bench(args = SIZES)]
    fn c_tree_of_the_answer(bencher: Bencher<'_, '_>, size: usize) {
        tree(bencher, &answer(size));
    }

    #[divan::bench(args = SIZES)]
    fn d_decode_a_rewrite(bencher: Bencher<'_, '_>, size: usize) {
        let (adapter, binding, envelope) = (Adapter::latest(), binding("PreToolUse"), write(800));
        let outcome = Outcome::exited(0, answer(size));
        bencher.bench_local(|| adapter.decode(&binding, &envelope, black_box(&outcome), DecodePolicy::default()));
    }

    #[divan::bench(args = SIZES)]
    fn e_decode_a_reason(bencher: Bencher<'_, '_>, size: usize) {
        let (adapter, binding, envelope) = (Adapter::latest(), binding("PreToolUse"), write(800));
        let answer = serde_json::to_vec(&json!({ "decision": "block", "reason": text(size + 600) })).expect("JSON");
        let outcome = Outcome::exited(0, answer);
        bencher.bench_local(|| adapter.decode(&binding, &envelope, black_box(&outcome), DecodePolicy::default()));
    }
}

/// A settings file of a size. Half the groups have a matcher, of which there are twenty different ones.
fn config(size: usize) -> Vec<u8> {
    let group = |at: usize| {
        let handler = json!({
            "type": "command",
            "command": format!("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/check-{at}.sh --format json --quiet"),
            "timeout": 10 + at % 50,
        });
        let mut group = json!({ "hooks": [handler] });
        if at.is_multiple_of(2) {
            group["matcher"] = json!(format!("^(Bash|Write|Tool{})$", at % 40));
        }
        group
    };
    let mut groups = Vec::new();
    let mut length = 0;
    while length < size {
        let group = group(groups.len());
        length += serde_json::to_string_pretty(&group).expect("JSON").len() + 60;
        groups.push(group);
    }
    serde_json::to_vec_pretty(&json!({ "permissions": { "allow": [] }, "hooks": { "PreToolUse": groups } }))
        .expect("JSON")
}

const CONFIGS: [usize; 3] = [10_000, 100_000, 1_000_000];

mod parse {
    use super::*;

    #[divan::bench(args = CONFIGS)]
    fn a_tree(bencher: Bencher<'_, '_>, size: usize) {
        tree(bencher, &config(size));
    }

    #[divan::bench(args = CONFIGS)]
    fn b_spans(bencher: Bencher<'_, '_>, size: usize) {
        let bytes = config(size);
        bencher.bench_local(|| hooks_core::document::parse_json(black_box(&bytes), Default::default()).expect("JSON"));
    }

    #[divan::bench(args = CONFIGS)]
    fn c_definitions(bencher: Bencher<'_, '_>, size: usize) {
        let source = source(config(size));
        let adapter = Adapter::latest();
        bencher.bench_local(|| adapter.parse(black_box(&source)));
    }
}

fn source(bytes: Vec<u8>) -> Arc<Source> {
    Arc::new(Source::hooks(VENDOR, Origin::Project, Syntax::Json, "/p/.claude/settings.json", bytes))
}

fn snapshot(groups: &[Value]) -> Snapshot {
    let bytes = serde_json::to_vec(&json!({ "hooks": { "PreToolUse": groups } })).expect("JSON");
    let adapter = Arc::new(Adapter::latest());
    let documents = vec![adapter.parse(&source(bytes))];
    activate(vec![VendorSources { adapter, documents }], &HostProfile::full(), &AdmitAll).expect("a snapshot")
}

/// `n` bindings, half exact lists and half patterns, none of which matches a shell command.
#[divan::bench(args = [10, 100, 1000, 10000])]
fn select_none_of(bencher: Bencher<'_, '_>, n: usize) {
    let group = |at: usize| {
        let matcher =
            if at.is_multiple_of(2) { format!("Tool{at}|Other{at}") } else { format!("^Tool{at}.*_(read|write)") };
        json!({ "matcher": matcher, "hooks": [{ "type": "command", "command": format!("x{at}") }] })
    };
    let snapshot = snapshot(&(0..n).map(group).collect::<Vec<_>>());
    let envelope = call(ToolAction::Shell(Shell::default()));
    let session = SessionState::default();
    bencher.bench_local(|| select(&snapshot, black_box(&envelope), &session).len());
}

/// One binding from selection to settled effects.
#[divan::bench]
fn one_binding_all_the_way(bencher: Bencher<'_, '_>) {
    let adapter = Adapter::latest();
    let snapshot = snapshot(&[json!({ "matcher": "Bash", "hooks": [{ "type": "command", "command": "x" }] })]);
    let envelope = call(ToolAction::Shell(Shell { command: "cargo test".to_owned(), ..Shell::default() }));
    let session = SessionState::default();
    let denial = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    let outcome = Outcome::exited(0, denial);
    let mut stdin = Vec::new();
    bencher.bench_local(|| {
        let chosen = select(&snapshot, black_box(&envelope), &session);
        let effects = chosen.iter().map(|choice| {
            let invocation = adapter.encode(choice.binding, &envelope, &mut stdin);
            black_box(invocation.is_ok());
            adapter.decode(choice.binding, &envelope, &outcome, DecodePolicy::default())
        });
        let items = hooks_core::reduce(effects.collect::<Vec<_>>());
        hooks_core::settle(items, adapter.merge_policy(envelope.boundary()), false)
    });
}
