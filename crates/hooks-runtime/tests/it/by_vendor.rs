//! What each vendor's rules make of cancelled turns, permission requests, long texts, odd bytes and environments.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use hooks_core::effects::{Continuation, Failure, ResultReplacement, Special};
use hooks_core::envelope::{Payload, PermissionRequest, ToolUse};
use hooks_core::outcome::{End, EnvBase};
use hooks_core::tool::{Mcp, OtherTool, ToolAction, ToolCall};
use hooks_core::{Action, DecodePolicy, Envelope, HostProfile, Outcome, RawJson, SessionState, Snapshot};
use hooks_runtime::{CancelSignal, Environment, FireOptions, Firing, Inherit, Report, fire};
use serde_json::{Value, json};

use crate::support::{ALONE, eventually, lives, pids};
use crate::vendors::{VENDORS, adapter, commands, document, entry, occurrence, snapshot};

async fn fired(snapshot: &Snapshot, envelope: &Envelope, options: &FireOptions) -> Firing {
    let _shared = ALONE.read().await;
    fire(snapshot, envelope, &HostProfile::full(), &SessionState::default(), options).await
}

/// What a cancelled turn's hooks come to, on the events that decide something: what could have blocked blocks, nothing goes
/// on because of it, and nothing is approved.
#[tokio::test]
async fn cancelling_a_turn_has_each_vendor_s_effects() {
    let stops = |firing: &Firing| firing.decision.halt.is_some();
    let denies = |firing: &Firing| firing.decision.action == Action::Deny;
    let nothing = |firing: &Firing| {
        firing.decision.action == Action::NoOpinion
            && firing.decision.halt.is_none()
            && firing.decision.result.is_none()
            && firing.decision.to_model.is_empty()
    };
    type Holds<'h> = &'h dyn Fn(&Firing) -> bool;
    let rows: [(&str, &str, Holds<'_>); 14] = [
        ("cursor", "beforeShellExecution", &denies),
        ("cursor", "beforeMCPExecution", &denies),
        ("cursor", "beforeReadFile", &denies),
        ("cursor", "beforeSubmitPrompt", &stops),
        ("cursor", "afterShellExecution", &nothing),
        ("cursor", "stop", &nothing),
        ("claude", "PreToolUse", &denies),
        ("claude", "PermissionRequest", &denies),
        ("claude", "UserPromptSubmit", &stops),
        ("claude", "Stop", &nothing),
        ("codex", "PreToolUse", &denies),
        ("codex", "PermissionRequest", &denies),
        ("codex", "UserPromptSubmit", &stops),
        ("codex", "Stop", &nothing),
    ];
    for (vendor, event, holds) in rows {
        let folder = tempfile::tempdir().unwrap();
        let adapter = adapter(vendor);
        let snapshot = commands(&adapter, &[(event, "echo $$ >pid; trap '' TERM; sleep 60")]);
        let envelope = occurrence(&adapter, event, folder.path());
        let cancel = CancelSignal::new();
        let options = FireOptions::default().cancel(cancel.clone());
        let (firing, _) = tokio::join!(fired(&snapshot, &envelope, &options), async {
            pids(&folder.path().join("pid"), 1).await;
            cancel.cancel();
        });
        assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::Cancelled, "{vendor} {event}");
        assert!(holds(&firing), "{vendor} {event}: {:?}", firing.decision);
        assert!(firing.decision.continuations.is_empty(), "{vendor} {event}");
    }
}

/// A child that a hook leaves behind with its pipes: a complete answer is enough for one vendor, the others wait until the
/// time limit, and nobody longer. What was printed before it is thrown away by one; of another a denial counts.
#[tokio::test]
async fn a_child_that_holds_the_pipes_holds_nobody_past_the_limit() {
    let deny = r#"{"decision":"block","reason":"no"}"#;
    let rows = [
        ("cursor", "beforeShellExecution", r#"{"permission":"deny","agent_message":"no"}"#, End::TimedOut),
        ("claude", "PreToolUse", deny, End::Exited(0)),
        ("codex", "PreToolUse", deny, End::TimedOut),
    ];
    for (vendor, event, answer, end) in rows {
        let folder = tempfile::tempdir().unwrap();
        let adapter = adapter(vendor);
        let text = format!("sleep 90 & echo $! >pid; echo '{answer}'");
        let limit = if end == End::TimedOut { 2 } else { 60 };
        let snapshot = snapshot(&adapter, &document(vendor, &[(event, entry(&text, &json!({ "timeout": limit })))]));
        let envelope = occurrence(&adapter, event, folder.path());
        let started = std::time::Instant::now();
        let firing = fired(&snapshot, &envelope, &FireOptions::default()).await;
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "{vendor}");
        assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, end, "{vendor}");
        let child = pids(&folder.path().join("pid"), 1).await[0];
        if end == End::TimedOut {
            eventually("the child is gone", || !lives(child)).await;
            let denies = vendor == "cursor";
            assert_eq!(firing.decision.action == Action::Deny, denies, "{vendor}");
            assert_eq!(firing.decision.to_model.first().is_some_and(|said| said.value == "no"), denies, "{vendor}");
        } else {
            assert_eq!(firing.decision.to_model[0].value, "no");
            assert!(lives(child), "whom a hook leaves behind lives on");
            std::process::Command::new("kill").arg(child.to_string()).status().unwrap();
        }
    }
}

/// Of the same command in several documents one vendor runs the last, the others all.
#[tokio::test]
async fn copies_run_once_where_their_vendor_says_so() {
    for (vendor, event, ran) in
        [("cursor", "beforeShellExecution", 3), ("claude", "PreToolUse", 1), ("codex", "PreToolUse", 3)]
    {
        let folder = tempfile::tempdir().unwrap();
        let adapter = adapter(vendor);
        let snapshot = commands(&adapter, &[(event, "echo x >>log"); 3]);
        let envelope = occurrence(&adapter, event, folder.path());
        let firing = fired(&snapshot, &envelope, &FireOptions::default().concurrency(1)).await;
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert_eq!((firing.runs.len(), log.lines().count()), (ran, ran), "{vendor}");
    }
}

/// L201: nobody is stopped because another hook denied, whichever vendor's they are.
#[tokio::test]
async fn a_denial_ends_no_other_run() {
    for (vendor, event) in VENDORS.into_iter().zip(["beforeShellExecution", "PreToolUse", "PreToolUse"]) {
        let folder = tempfile::tempdir().unwrap();
        let adapter = adapter(vendor);
        let slow = "until [ -e denied ]; do sleep 0.02; done; sleep 0.3; echo done >done";
        let snapshot = commands(&adapter, &[(event, "echo no >&2; touch denied; exit 2"), (event, slow)]);
        let envelope = occurrence(&adapter, event, folder.path());
        let firing = fired(&snapshot, &envelope, &FireOptions::default()).await;
        assert_eq!(firing.decision.action, Action::Deny, "{vendor}");
        assert_eq!(firing.runs[1].outcome.as_ref().unwrap().end, End::Exited(0), "{vendor}");
        assert_eq!(firing.runs[1].outcome.as_ref().unwrap().finished, 1, "{vendor}");
        assert_eq!(std::fs::read_to_string(folder.path().join("done")).unwrap(), "done\n", "{vendor}");
    }
}

/// Each origin that a vendor's event is fired for, as its hooks see it; from others nobody runs.
#[tokio::test]
async fn a_permission_request_says_where_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let shell = || ToolUse { id: Some("c1".to_owned()), call: ToolCall::shell("curl example.com") };
    let mcp = || {
        let call = Mcp::new("files", "read", RawJson::parse(r#"{"path":"/x"}"#).unwrap());
        ToolUse { id: Some("c1".to_owned()), call: ToolCall::new(ToolAction::Mcp(call)) }
    };
    let rights = || {
        let input = RawJson::parse(r#"{"reason":"to install","permissions":{"network":true}}"#).unwrap();
        let other = OtherTool { name: "request_permissions".to_owned(), arguments: input };
        ToolUse { id: Some("c1".to_owned()), call: ToolCall::new(ToolAction::Other(other)) }
    };
    let tool = PermissionRequest::of_tool(shell());
    let server = PermissionRequest::of_mcp(mcp());
    let network = PermissionRequest::of_network(shell(), "example.com:443");
    let escalation = PermissionRequest::of_escalation(shell(), Some("it needs the network".to_owned()));
    let asked = PermissionRequest::of_escalation(rights(), None);
    type Seen = Option<(&'static str, Value)>;
    let rows: [(&str, &PermissionRequest, Seen); 9] = [
        ("codex", &tool, Some(("Bash", json!({ "command": "curl example.com" })))),
        ("codex", &server, Some(("mcp__files__read", json!({ "path": "/x" })))),
        (
            "codex",
            &network,
            Some(("Bash", json!({ "command": "curl example.com", "description": "network-access example.com:443" }))),
        ),
        (
            "codex",
            &escalation,
            Some(("Bash", json!({ "command": "curl example.com", "description": "it needs the network" }))),
        ),
        (
            "codex",
            &asked,
            Some(("request_permissions", json!({ "reason": "to install", "permissions": { "network": true } }))),
        ),
        ("claude", &tool, Some(("Bash", json!({ "command": "curl example.com" })))),
        ("claude", &server, Some(("mcp__files__read", json!({ "path": "/x" })))),
        ("claude", &escalation, Some(("Bash", json!({ "command": "curl example.com" })))),
        ("claude", &network, None),
    ];
    for (vendor, request, expected) in rows {
        let adapter = adapter(vendor);
        let deny = r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}"#;
        let snapshot = commands(&adapter, &[("PermissionRequest", &format!("cat >seen; echo '{deny}'"))]);
        let mut envelope = occurrence(&adapter, "PermissionRequest", folder.path());
        envelope.payload = Payload::PermissionRequest(request.clone());
        let firing = fired(&snapshot, &envelope, &FireOptions::default()).await;
        let Some((name, input)) = expected else {
            assert!(firing.runs.is_empty(), "{vendor}: {request:?}");
            assert_eq!(firing.decision.action, Action::NoOpinion);
            continue;
        };
        assert_eq!(firing.decision.action, Action::Deny, "{vendor}: {request:?}");
        assert_eq!(firing.decision.to_model[0].value, "no");
        let seen: Value = serde_json::from_slice(&std::fs::read(folder.path().join("seen")).unwrap()).unwrap();
        assert_eq!((&seen["tool_name"], &seen["tool_input"]), (&Value::from(name), &input), "{vendor}");
    }
    // The third vendor has no such event.
    assert!(
        adapter("cursor").events().iter().all(|event| event.boundary != Some(hooks_core::Boundary::PermissionRequest))
    );
}

/// Fires one event with a hook that prints a file; gives the firing and the folder of long texts.
async fn printed(vendor: &str, event: &str, stdout: &str, more: &Value) -> (Firing, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("out"), stdout).unwrap();
    let adapter = adapter(vendor);
    let snapshot = snapshot(&adapter, &document(vendor, &[(event, entry("cat out", more))]));
    let envelope = occurrence(&adapter, event, folder.path());
    let options = FireOptions::default().spill_folder(folder.path().join("long"));
    (fired(&snapshot, &envelope, &options).await, folder)
}

fn texts_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.join("long")) else { return Vec::new() };
    entries.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
}

/// L478 to L481: characters, not bytes, of contexts, notices, first messages and plain text; never of reasons.
#[tokio::test]
async fn one_vendor_counts_characters() {
    let (fits, long) = ("é".repeat(10_000), "é".repeat(10_001));
    let nested = |event: &str, key: &str, text: &str| {
        json!({ "hookSpecificOutput": { "hookEventName": event, key: text } }).to_string()
    };
    let block = |reason: &str| json!({ "decision": "block", "reason": reason }).to_string();
    let of_context = |firing: &Firing| firing.decision.to_model[0].value.clone();
    let of_notice = |firing: &Firing| firing.decision.to_user[0].value.clone();
    let of_first = |firing: &Firing| match &firing.decision.special[0].value {
        Special::InitialUserMessage(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    let of_continuation = |firing: &Firing| firing.decision.continuations[0].value.text.clone();
    type Text<'t> = &'t dyn Fn(&Firing) -> String;
    let both = |event: &'static str, stdout: &dyn Fn(&str) -> String| (event, stdout(&fits), stdout(&long));
    let capped: [((&str, String, String), Text<'_>); 5] = [
        (both("UserPromptSubmit", &|text| nested("UserPromptSubmit", "additionalContext", text)), &of_context),
        (both("UserPromptSubmit", &str::to_owned), &of_context),
        (both("Stop", &|text| json!({ "systemMessage": text }).to_string()), &of_notice),
        (both("SessionStart", &|text| nested("SessionStart", "initialUserMessage", text)), &of_first),
        (both("Stop", &|text| nested("Stop", "additionalContext", text)), &of_continuation),
    ];
    for ((event, fitting, too_long), text) in capped {
        let (firing, folder) = printed("claude", event, &fitting, &json!({})).await;
        assert_eq!(text(&firing), fits, "{event}");
        assert!(texts_in(folder.path()).is_empty());
        let (firing, folder) = printed("claude", event, &too_long, &json!({})).await;
        let left = text(&firing);
        assert_eq!(texts_in(folder.path()), [long.as_str()], "{event}");
        assert!(left.starts_with(&"é".repeat(2_000)) && !left.contains(&"é".repeat(2_001)), "{event}");
        assert!(left.contains(folder.path().join("long").to_str().unwrap()), "{event}: {left}");
        // The report has the whole.
        let entry = firing.runs[0].entries.iter().find(|entry| entry.text == long);
        assert!(entry.is_some() || event == "SessionStart" || event == "Stop", "{event}");
    }
    for (event, text) in
        [("PreToolUse", &of_context as Text<'_>), ("PostToolUse", &of_context), ("Stop", &of_continuation)]
    {
        let (firing, folder) = printed("claude", event, &block(&long), &json!({})).await;
        assert_eq!(text(&firing), long, "{event}: a reason is not cut");
        assert!(texts_in(folder.path()).is_empty(), "{event}");
    }
    // Feedback passes whole, and the context beside it does not.
    let answer = json!({
        "decision": "block", "reason": long,
        "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": long },
    });
    let (firing, folder) = printed("claude", "PostToolUse", &answer.to_string(), &json!({})).await;
    let lengths: Vec<_> = firing.decision.to_model.iter().map(|said| said.value.chars().count()).collect();
    assert!(lengths[0] == 10_001 && lengths[1] < 10_000, "{lengths:?}");
    assert_eq!(texts_in(folder.path()).len(), 1);
}

/// Q1 to Q3 and section 16: approximate tokens, of each context by its handler's limit, of joined feedback and of what a
/// turn goes on with at 2500; never of reasons and messages.
#[tokio::test]
async fn one_vendor_counts_tokens() {
    // 2,500 tokens, and one more.
    let (fits, long) = ("x".repeat(10_000), "x".repeat(10_001));
    let context = |text: &str| {
        json!({ "hookSpecificOutput": { "hookEventName": "UserPromptSubmit", "additionalContext": text } }).to_string()
    };
    let (firing, folder) = printed("codex", "UserPromptSubmit", &context(&fits), &json!({})).await;
    assert_eq!(firing.decision.to_model[0].value, fits);
    assert!(!folder.path().join("long").exists(), "no folder is made");
    for (limit, whole) in [(json!({}), false), (json!({ "additionalContextLimit": 0 }), true)] {
        let (firing, folder) = printed("codex", "UserPromptSubmit", &context(&long), &limit).await;
        let left = &firing.decision.to_model[0].value;
        assert_eq!(*left == long, whole, "{limit}");
        assert!(left.len().div_ceil(4) <= 2_500 || whole);
        assert_eq!(texts_in(folder.path()).len(), usize::from(!whole));
        assert!(firing.runs[0].entries.iter().any(|entry| entry.text == long), "entries carry the full text");
    }

    // Two feedbacks that fit each, and not together.
    let folder = tempfile::tempdir().unwrap();
    let half = "y".repeat(6_000);
    std::fs::write(folder.path().join("out"), json!({ "decision": "block", "reason": half }).to_string()).unwrap();
    let codex = adapter("codex");
    let feedback = commands(&codex, &[("PostToolUse", "cat out"), ("PostToolUse", "cat out")]);
    let envelope = occurrence(&codex, "PostToolUse", folder.path());
    let options = FireOptions::default().spill_folder(folder.path().join("long"));
    let firing = fired(&feedback, &envelope, &options).await;
    let Some(ResultReplacement::Text(left)) = firing.decision.result.as_ref().map(|said| &said.value) else {
        panic!("{:?}", firing.decision)
    };
    assert!(left.len().div_ceil(4) <= 2_500, "{}", left.len());
    assert!(left.starts_with("yyy") && left.contains("long/"));
    assert_eq!(texts_in(folder.path()), [format!("{half}\n\n{half}")]);
    let noted =
        firing.runs.iter().flat_map(|run| &run.effects.notes).filter(|note| note.text.contains("was written to"));
    assert_eq!(noted.count(), 1);

    let block = json!({ "decision": "block", "reason": long }).to_string();
    let (firing, folder) = printed("codex", "Stop", &block, &json!({})).await;
    let [Continuation { text, .. }] =
        &firing.decision.continuations.iter().map(|said| said.value.clone()).collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", firing.decision)
    };
    assert!(text.len().div_ceil(4) <= 2_500 && texts_in(folder.path()) == [long.as_str()]);
    let (firing, folder) = printed("codex", "PreToolUse", &block, &json!({})).await;
    assert_eq!(firing.decision.to_model[0].value, long, "a reason is not cut");
    let message = json!({ "systemMessage": long }).to_string();
    let (other, _) = printed("codex", "Stop", &message, &json!({})).await;
    assert_eq!(other.decision.to_user[0].value, long, "nor is a message");
    assert!(texts_in(folder.path()).is_empty());
    let (firing, folder) =
        printed("cursor", "postToolUse", &json!({ "additional_context": long }).to_string(), &json!({})).await;
    assert_eq!(firing.decision.to_model[0].value, long, "the third vendor has no limit");
    assert!(texts_in(folder.path()).is_empty());
}

/// What an answer with odd bytes in it is to a vendor.
#[derive(Clone, Copy)]
enum Read<'r> {
    /// A denial with this reason.
    Denies(&'r str),
    /// Nothing that can be read, from a guard that fails closed.
    UnreadDenies,
    /// Nothing that can be read.
    Unread,
    /// Plain text, which means nothing here.
    PlainText,
}

use Read::{Denies, PlainText, Unread, UnreadDenies};

/// Bytes reach each vendor's reader as the hook wrote them, and mean there what they mean to its client.
#[tokio::test]
async fn odd_bytes_mean_what_they_mean_to_each_vendor() {
    let deny = |vendor: &str, reason: &str| match vendor {
        "cursor" => format!(r#"{{"permission":"deny","agent_message":"{reason}"}}"#),
        _ => format!(r#"{{"decision":"block","reason":"{reason}"}}"#),
    };
    // What is printed, and what it is to each vendor. Of a guard that fails closed an answer that cannot be read denies.
    type Row<'r> = (&'r str, &'r dyn Fn(&str) -> Vec<u8>, [Read<'r>; 3]);
    let lone: &dyn Fn(&str) -> Vec<u8> = &|vendor| deny(vendor, r"a\ud800b").into_bytes();
    let escaped_nul: &dyn Fn(&str) -> Vec<u8> = &|vendor| deny(vendor, r"a\u0000b").into_bytes();
    let nul_behind: &dyn Fn(&str) -> Vec<u8> = &|vendor| [deny(vendor, "a").as_bytes(), b"\0"].concat();
    let bom: &dyn Fn(&str) -> Vec<u8> = &|vendor| [b"\xef\xbb\xbf", deny(vendor, "a").as_bytes()].concat();
    let crlf: &dyn Fn(&str) -> Vec<u8> = &|vendor| deny(vendor, "a").replace(',', ",\r\n").into_bytes();
    let no_utf8: &dyn Fn(&str) -> Vec<u8> = &|vendor| {
        deny(vendor, "a#b").into_bytes().into_iter().map(|byte| if byte == b'#' { 0xff } else { byte }).collect()
    };
    let rows: [Row<'_>; 6] = [
        ("lone surrogate", lone, [UnreadDenies, Denies("a\u{fffd}b"), Unread]),
        ("escaped zero", escaped_nul, [Denies("ab"), Denies("ab"), Denies("ab")]),
        ("zero behind", nul_behind, [UnreadDenies, PlainText, Unread]),
        ("byte order mark", bom, [UnreadDenies, Denies("a"), PlainText]),
        ("carriage returns", crlf, [Denies("a"), Denies("a"), Denies("a")]),
        ("no UTF-8", no_utf8, [UnreadDenies, Denies("a\u{fffd}b"), Denies("a\u{fffd}b")]),
    ];
    let events = ["beforeShellExecution", "PreToolUse", "PreToolUse"];
    for (name, print, expected) in rows {
        for ((vendor, event), read) in VENDORS.into_iter().zip(events).zip(expected) {
            let folder = tempfile::tempdir().unwrap();
            let bytes = print(vendor);
            std::fs::write(folder.path().join("out"), &bytes).unwrap();
            let adapter = adapter(vendor);
            let snapshot = commands(&adapter, &[(event, "cat out")]);
            let envelope = occurrence(&adapter, event, folder.path());
            let firing = fired(&snapshot, &envelope, &FireOptions::default()).await;
            let run = &firing.runs[0];
            assert_eq!(run.outcome.as_ref().unwrap().stdout, bytes, "{vendor}, {name}");
            // Decoding is a function of the bytes.
            let pure = adapter.decode(&run.binding, &envelope, &Outcome::exited(0, bytes), DecodePolicy::default());
            assert_eq!(run.effects, pure, "{vendor}, {name}");
            let said = (firing.decision.action == Action::Deny).then(|| firing.decision.to_model[0].value.as_str());
            let unread = matches!(run.effects.failure, Some(Failure::Malformed(_)));
            let holds = match read {
                Denies(reason) => said == Some(reason) && !unread,
                UnreadDenies => said.is_some() && unread,
                Unread => said.is_none() && unread,
                PlainText => said.is_none() && run.effects.failure.is_none(),
            };
            assert!(holds, "{vendor}, {name}: {said:?} {:?}", run.effects.failure);
        }
    }
}

/// P3 to P5: the environment that a session began with, scrubbed last, whatever the case of the names.
#[tokio::test]
async fn one_vendor_s_hooks_get_the_environment_of_the_session_s_start() {
    let folder = tempfile::tempdir().unwrap();
    let text = "env -0 >env";
    let began = [
        ("PATH", std::env::var_os("PATH").unwrap()),
        ("BEGAN", "then".into()),
        ("BYTES", OsString::from_vec(vec![b'a', 0xff])),
        ("node_repl_auth_token", "secret".into()),
        ("OPENAI_IDENTITY_TOKEN_FILE", "secret".into()),
    ];
    let began: Environment = began.into_iter().map(|(name, value)| (OsString::from(name), value)).collect();
    assert!(!format!("{began:?}").contains("secret"));
    for (vendor, event) in VENDORS.into_iter().zip(["beforeShellExecution", "PreToolUse", "PreToolUse"]) {
        let adapter = adapter(vendor);
        let snapshot = commands(&adapter, &[(event, text)]);
        let envelope = occurrence(&adapter, event, folder.path());
        let mut session = SessionState::default();
        let change =
            hooks_core::effects::EnvChange { value: "secret".to_owned(), reach: hooks_core::effects::EnvReach::Hooks };
        session.set_env("Codex_Exec_Server_Noise_Auth_Token".to_owned(), hooks_core::Said::host(change)).unwrap();
        let options = FireOptions::default().began_with(began.clone());
        let _shared = ALONE.read().await;
        let firing = fire(&snapshot, &envelope, &HostProfile::full(), &session, &options).await;
        let invocation = firing.runs[0].invocation.as_ref().unwrap();
        let bytes = std::fs::read(folder.path().join("env")).unwrap();
        let all: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
        let has = |line: &[u8]| all.contains(&line);
        let is_codex = vendor == "codex";
        assert_eq!(invocation.env_base == EnvBase::SessionStart, is_codex, "{vendor}");
        assert_eq!((has(b"BEGAN=then"), has(b"BYTES=a\xff")), (is_codex, is_codex), "{vendor}");
        // This process's own are there for the others.
        let own = format!("CARGO_PKG_NAME={}", env!("CARGO_PKG_NAME"));
        assert_eq!(has(own.as_bytes()), !is_codex, "{vendor}");
        let secrets = all.iter().filter(|line| line.ends_with(b"=secret")).count();
        assert_eq!(secrets, usize::from(!is_codex), "{vendor}: the session's variable is the others'");
    }
}

/// A host's rule on what is inherited holds for an environment of the session's start too, and no secret is in the log.
#[tokio::test]
async fn secrets_reach_hooks_and_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let began = [("PATH", std::env::var("PATH").unwrap()), ("API_KEY", "s3cret".into()), ("API_URL", "there".into())];
    let began: Environment = began.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    let codex = adapter("codex");
    let snapshot = commands(&codex, &[("PreToolUse", "env >env")]);
    let envelope = occurrence(&codex, "PreToolUse", folder.path());
    let told = Arc::new(Mutex::new(String::new()));
    for (inherit, key, url) in [
        (Inherit::All, true, true),
        (Inherit::Only(vec!["PATH".into(), "API_KEY".into()]), true, false),
        (Inherit::AllBut(vec!["API_*".into()]), false, false),
    ] {
        let into = Arc::clone(&told);
        let observer = move |report: Report<'_>| into.lock().unwrap().push_str(&format!("{report:?}"));
        let options = FireOptions::default().began_with(began.clone()).inherit(inherit).observer(Arc::new(observer));
        let firing = fired(&snapshot, &envelope, &options).await;
        let seen = std::fs::read_to_string(folder.path().join("env")).unwrap();
        assert_eq!((seen.contains("API_KEY=s3cret"), seen.contains("API_URL=there")), (key, url));
        let mut log = Vec::new();
        hooks_runtime::log::write(&mut log, hooks_runtime::log::lines(&envelope, &firing), &|_| {}).unwrap();
        assert!(!String::from_utf8(log).unwrap().contains("s3cret"));
        assert!(!format!("{options:?}{firing:?}").contains("s3cret"));
    }
    assert!(!told.lock().unwrap().contains("s3cret"));
}

/// What a host is told of a run: scope, status and entries as the vendor's client reports them.
#[tokio::test]
async fn reports_have_scope_status_and_entries() {
    let folder = tempfile::tempdir().unwrap();
    let codex = adapter("codex");
    let answer = json!({
        "systemMessage": "look out", "decision": "block", "reason": "not here",
        "hookSpecificOutput": { "hookEventName": "UserPromptSubmit", "additionalContext": "by the way" },
    });
    std::fs::write(folder.path().join("out"), answer.to_string()).unwrap();
    let snapshot = commands(&codex, &[("UserPromptSubmit", "sleep 0.3; cat out"), ("UserPromptSubmit", "exit 3")]);
    let lines = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&lines);
    let observer = move |report: Report<'_>| {
        let (word, run) = match report {
            Report::Started(run) => ("started", run),
            Report::Completed(run) => ("completed", run),
            other => panic!("{other:?}"),
        };
        let entries: Vec<_> =
            run.entries.iter().map(|entry| format!("{} {}", entry.kind.as_str(), entry.text)).collect();
        let scope = run.scope.map(|scope| format!("{scope:?}")).unwrap_or_default();
        into.lock().unwrap().push(format!("{word} {scope} {} {entries:?}", run.effects.status.as_str()));
    };
    let options = FireOptions::default().observer(Arc::new(observer));
    fired(&snapshot, &occurrence(&codex, "UserPromptSubmit", folder.path()), &options).await;
    let lines = lines.lock().unwrap();
    assert!(lines[0].starts_with("started Turn ") && lines[1].starts_with("started Turn "), "{lines:?}");
    assert_eq!(lines[2], r#"completed Turn blocked ["warning look out", "context by the way", "feedback not here"]"#);
    assert!(lines[3].starts_with("completed Turn failed [\"error "), "{lines:?}");
}
