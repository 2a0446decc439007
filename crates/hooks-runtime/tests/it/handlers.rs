//! Handlers that are no programs, read by a vendor's own adapter: what a host that has them decides, and what one that
//! has not is told at activation.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use hooks_core::activate::{AdmitAll, activate};
use hooks_core::handler::{Handler, HandlerKind};
use hooks_core::outcome::{End, Invocation, Outcome};
use hooks_core::source::Syntax;
use hooks_core::{
    Action, HostProfile, HostSide, Origin, SessionState, Severity, Snapshot, Source, State, VendorSources,
};
use hooks_runtime::handlers::OutcomeFuture;
use hooks_runtime::{CancelSignal, Environment, FireOptions, HandlerHost, fire};

use crate::support::ALONE;
use crate::toy::command;

/// A handler of each type on the moment before a tool.
const HOOKS: [(&str, &str); 5] = [
    ("command", r#"{"type":"command","command":"true"}"#),
    ("http", r#"{"type":"http","url":"http://127.0.0.1:1/"}"#),
    ("mcp_tool", r#"{"type":"mcp_tool","server":"s","tool":"check","input":{"c":"${tool_input.command}"}}"#),
    ("prompt", r#"{"type":"prompt","prompt":"Is this fine? $ARGUMENTS"}"#),
    ("agent", r#"{"type":"agent","prompt":"Look into it: $ARGUMENTS"}"#),
];

fn snapshot(hooks: &[&str], kinds: &[HandlerKind]) -> Snapshot {
    let adapter: Arc<dyn HostSide> = Arc::new(adapter_claude::Adapter::latest());
    let text = format!(r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{}]}}]}}}}"#, hooks.join(","));
    let source = Source::hooks(adapter.vendor().clone(), Origin::User, Syntax::Json, "/s.json", text.into_bytes());
    let documents = vec![adapter.parse(&Arc::new(source))];
    let mut host = HostProfile::full();
    host.handlers = kinds.iter().copied().collect();
    activate(vec![VendorSources { adapter, documents }], &host, &AdmitAll).unwrap()
}

#[test]
fn what_a_host_cannot_run_is_told_at_activation_and_never_selected() {
    let all: Vec<&str> = HOOKS.iter().map(|(_, text)| *text).collect();
    let can = [HandlerKind::Command, HandlerKind::Prompt];
    let snapshot = snapshot(&all, &can);
    let live: Vec<_> = snapshot.bindings().iter().map(|binding| binding.handler.kind()).collect();
    assert_eq!(live, can);
    let told: Vec<_> = snapshot.diagnostics().iter().filter(|it| it.code.id == "core/host-cannot-run").collect();
    let missing: BTreeSet<&str> = ["http", "mcp_tool", "agent"].into();
    let named: BTreeSet<&str> = missing
        .iter()
        .copied()
        .filter(|kind| told.iter().any(|it| it.message.contains(&format!("{kind} handlers"))))
        .collect();
    assert_eq!((named, told.len()), (missing, 3));
    // They guard something that can block, so their absence is loud; and each says where it stands.
    assert!(told.iter().all(|it| it.severity == Severity::Error && it.range.is_some() && it.path == "/s.json"));
    for definition in snapshot.definitions().iter().filter(|it| !can.contains(&it.handler.kind())) {
        assert!(matches!(&definition.state, State::Inert(why) if why.contains("cannot run")), "{:?}", definition.state);
    }
}

/// A host that answers with what it is given, and writes down what it was asked.
#[derive(Debug)]
struct Answers {
    outcome: Outcome,
    asked: Mutex<Vec<String>>,
}

impl HandlerHost for Answers {
    fn run<'a>(
        &'a self,
        handler: &'a Handler,
        _invocation: &'a Invocation,
        stdin: &'a [u8],
        _environment: &'a Environment,
        _cancel: &'a CancelSignal,
    ) -> OutcomeFuture<'a> {
        let asked = match handler {
            Handler::McpTool(tool) => format!("{}/{} {}", tool.server, tool.tool, tool.input.get()),
            Handler::Prompt(prompt) | Handler::Agent(prompt) => prompt.prompt.clone(),
            other => panic!("not for the host: {other:?}"),
        };
        assert!(stdin.starts_with(b"{"), "the vendor's input");
        self.asked.lock().unwrap().push(asked);
        let outcome = self.outcome.clone();
        Box::pin(async move { outcome })
    }
}

#[tokio::test]
async fn tools_and_questions_are_asked_of_the_host_and_their_answers_decide() {
    let _shared = ALONE.read().await;
    let tool =
        |text: &str, is_error| Outcome { stdout: text.as_bytes().into(), ..Outcome::ended(End::Tool { is_error }) };
    let model = |text: &str| Outcome { stdout: text.as_bytes().into(), ..Outcome::ended(End::Model) };
    let deny = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    for (kind, outcome, action) in [
        ("mcp_tool", tool(deny, false), Action::Deny),
        // A tool that failed has no say.
        ("mcp_tool", tool(deny, true), Action::NoOpinion),
        ("prompt", model(r#"{"ok":false,"reason":"no"}"#), Action::Deny),
        ("prompt", model(r#"{"ok":true}"#), Action::NoOpinion),
        ("prompt", model("I would rather not say"), Action::NoOpinion),
        ("agent", model(r#"{"ok":false,"reason":"no"}"#), Action::Deny),
    ] {
        let text = HOOKS.iter().find(|(name, _)| *name == kind).unwrap().1;
        let kinds = [HandlerKind::McpTool, HandlerKind::Prompt, HandlerKind::Agent];
        let snapshot = snapshot(&[text], &kinds);
        assert_eq!(snapshot.bindings().len(), 1, "{kind}");
        let host = Arc::new(Answers { outcome: outcome.clone(), asked: Mutex::default() });
        let options = FireOptions::default().handlers(Arc::clone(&host) as Arc<dyn HandlerHost>);
        let envelope = command("rm -rf build");
        let firing = fire(&snapshot, &envelope, &HostProfile::full(), &SessionState::default(), &options).await;
        assert_eq!(firing.decision.action, action, "{kind} {outcome:?}");
        let asked = host.asked.lock().unwrap().clone();
        // What stands for a part of the input was put in.
        assert!(asked.len() == 1 && asked[0].contains("rm -rf build"), "{kind}: {asked:?}");
    }
}
