//! One effect of every kind that hooks can ask for.

use hooks_core::HostSide;
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::definition::LoopLimit;
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Halt, OnPending, PromptFate, ResultReplacement, Rewrite, Special,
    Unsupported, Verdict, When,
};
use hooks_core::envelope::Envelope;
use hooks_core::json::RawJson;
use hooks_core::tool::ToolAction;
use serde_json::{Value, json};

use super::is_prompt;

/// One effect, with a word for its kind.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The word.
    pub kind: &'static str,
    /// The effect.
    pub effect: Effect,
}

/// Why, wherever a probe gives a reason.
const WHY: &str = "not on this branch";

fn raw(value: &Value) -> RawJson {
    RawJson::from(value)
}

/// One effect of every kind, as hooks ask for it about an occurrence. A rewritten input is in the adapter's own shape.
#[must_use]
pub fn probes(adapter: &dyn HostSide, envelope: &Envelope) -> Vec<Probe> {
    let boundary = envelope.boundary();
    let mut all = verdicts();
    let mut add = |kind, effect| all.push(Probe { kind, effect });
    let halt = |stops: &[Stop]| Halt::of(stops, Some(WHY.to_owned()));

    if is_prompt(&envelope.payload) {
        for (kind, fate) in [("halt, prompt kept", PromptFate::Keep), ("halt, prompt erased", PromptFate::Erase)] {
            add(kind, Effect::Halt(Halt { prompt: Some(fate), ..halt(boundary.info().halts) }));
        }
    } else if !boundary.info().halts.is_empty() {
        add("halt", Effect::Halt(halt(boundary.info().halts)));
    }
    if boundary.info().halts != [Stop::Turn] {
        let when = boundary.is_pending().then_some(When::After);
        add("halt of the turn", Effect::Halt(Halt { when, ..halt(&[Stop::Turn]) }));
    }
    add("notice", Effect::Notice("look at this".to_owned()));
    add("context", Effect::Context("the tests are slow".to_owned()));
    add("continuation", Effect::Continue(Continuation::new("run the tests again", None)));
    let limited = Continuation::new("run the tests again", Some(LoopLimit::AtMost(3)));
    add("continuation with a limit", Effect::Continue(limited));
    for (kind, reach) in [("variable for hooks", EnvReach::Hooks), ("variable for the shell", EnvReach::Shell)] {
        let change = EnvChange { value: "1".to_owned(), reach };
        add(kind, Effect::SessionEnv([("CI".to_owned(), change)].into()));
    }
    if let Some(rewrite) = rewrite(adapter, envelope) {
        add("other input", Effect::ReplaceInput(rewrite));
        let text = "two tests fail".to_owned();
        let json = raw(&json!({ "content": [{ "type": "text", "text": text }] }));
        add("other result, a text", Effect::ReplaceResult(ResultReplacement::Text(text)));
        add("other result, in a tool's form", Effect::ReplaceResult(ResultReplacement::Json(json)));
    }
    let update = json!({ "type": "setMode", "mode": "plan", "destination": "session" });
    add("permission update", Effect::PermissionUpdate(raw(&update)));
    let unsupported =
        Unsupported { field: "a field".to_owned(), channel: Channel::Verdict, on_pending: OnPending::Deny };
    add("unsupported field that denies", Effect::Unsupported(unsupported));
    all.extend(specials().into_iter().map(|special| Probe { kind: special.kind(), effect: Effect::Special(special) }));
    all
}

fn verdicts() -> Vec<Probe> {
    let verdict = |kind, verdict, reasons: &[&str]| Probe {
        kind,
        effect: Effect::Verdict { verdict, reasons: reasons.iter().map(|&reason| reason.to_owned()).collect() },
    };
    vec![
        verdict("allow", Verdict::Allow, &[]),
        verdict("allow with a reason", Verdict::Allow, &["it is a test"]),
        verdict("ask", Verdict::Ask, &[WHY]),
        verdict("defer", Verdict::Defer, &[WHY]),
        verdict("deny", Verdict::Deny, &[WHY]),
    ]
}

/// Another input for the call that an occurrence is about, of the same tool.
fn rewrite(adapter: &dyn HostSide, envelope: &Envelope) -> Option<Rewrite> {
    let call = &envelope.payload.tool_use()?.call;
    let raw = raw(&match &call.action {
        ToolAction::Shell(_) => json!({ "command": "npm run lint" }),
        ToolAction::Read(_) => json!({ "file_path": "/home/dev/project/src/lib.rs" }),
        ToolAction::Edit(edit) => json!({ "file_path": edit.path, "old_string": "hello", "new_string": "goodbye" }),
        _ => json!({ "message": "goodbye" }),
    });
    Some(Rewrite { call: adapter.project(call, &raw), raw })
}

fn specials() -> Vec<Special> {
    let text = || "a text".to_owned();
    vec![
        Special::ElicitationAnswer { action: "accept".to_owned(), content: Some(raw(&json!({ "branch": "main" }))) },
        Special::WorktreePath("/home/dev/worktrees/feature-1".to_owned()),
        Special::DisplayText(text()),
        Special::SessionTitle(text()),
        Special::WatchPaths(vec!["/home/dev/project/Cargo.toml".to_owned()]),
        Special::InitialUserMessage(text()),
        Special::ReloadSkills,
        Special::SuppressOriginalPrompt,
        Special::RetryHint,
        Special::Interrupt,
        Special::ClassifierContext(text()),
        Special::TerminalSequence("\u{1b}]0;tests\u{7}".to_owned()),
        Special::CompactionInstructions(text()),
        Special::PluginPaths(vec!["/home/dev/plugins/tests".to_owned()]),
    ]
}
