//! Answers as a Cursor hook prints them: the inverse of reading them.
//!
//! What an event's answer has no place for is told as a loss. A restraint is never lost silently: one that cannot be
//! said in its own form is said in the next stronger one, and the loss says what stands in its place. Having no opinion is
//! never said as an `allow`, which would approve.

use std::collections::BTreeMap;

use hooks_core::adapter::{Answer, Loss, Lost};
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{
    Continuation, Effect, EnvReach, Halt, OnPending, PromptFate, ResultReplacement, Rewrite, Special, Unsupported,
    Verdict, When,
};
use hooks_core::envelope::Payload;
use hooks_core::facts::{AskRule, Control, EventFacts};
use hooks_core::json::JsonKind;
use hooks_core::text::clean_message;
use hooks_core::{Envelope, RawJson, ToolCall};
use serde::Serialize;
use serde_json::json;

use crate::Adapter;
use crate::events::{Event, UserMessage};
use crate::tools;

/// Writes effects as an answer on an event.
pub(crate) fn write(
    adapter: &Adapter,
    facts: &EventFacts,
    envelope: &Envelope,
    effects: &[Effect],
) -> (Answer, Vec<Loss>) {
    let Some(event) = adapter.row(facts.name) else {
        return (
            Answer { exit_code: i32::from(!effects.is_empty()), ..Answer::default() },
            effects.iter().map(|effect| Loss::new(Lost::of(effect), name(effect), None)).collect(),
        );
    };
    let mut writer = Writer { adapter, event, envelope, out: Out::default(), losses: Vec::new() };
    match event.facts.control {
        Control::Permission { noun } => writer.permission(noun, effects),
        Control::Halt => writer.prompt(effects),
        _ => writer.observed(effects),
    }
    let Writer { out, losses, .. } = writer;
    (out.answer(event), losses)
}

/// What an effect is, in the words of a loss.
fn name(effect: &Effect) -> String {
    match effect {
        Effect::Verdict { verdict, .. } => format!("the verdict `{}`", verdict.as_str()),
        Effect::Notice(_) => "a notice to the person".to_owned(),
        Effect::Context(_) => "context for the model".to_owned(),
        Effect::ReplaceInput(_) => "a rewritten input".to_owned(),
        Effect::ReplaceResult(_) => "a replaced result".to_owned(),
        Effect::SessionEnv(_) => "session variables".to_owned(),
        Effect::Halt(_) => "a halt".to_owned(),
        Effect::Continue(_) => "a follow-up".to_owned(),
        Effect::PermissionUpdate(_) => "a change of permission rules".to_owned(),
        Effect::Unsupported(unsupported) => format!("`{}`, which was not supported before either", unsupported.field),
        Effect::Special(special) => special.kind().to_owned(),
        _ => "an effect that is not known here".to_owned(),
    }
}

/// The reason where a hook wants the run interrupted.
const INTERRUPTED: &str = "the run is to be interrupted";

/// The reason where a hook asked for something that its own vendor could not do either.
fn not_done(unsupported: &Unsupported) -> String {
    format!("the hook asked for `{}`, which cannot be done here", unsupported.field)
}

/// An answer's fields, in the order of Cursor's tables.
#[derive(Default, Serialize)]
struct Out {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#continue: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_mcp_tool_output: Option<RawJson>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    followup_message: Option<String>,
    #[serde(rename = "pluginPaths", skip_serializing_if = "Vec::is_empty")]
    plugin_paths: Vec<String>,
}

impl Out {
    /// The answer; nothing at all where no field is set. Every answer is said in its fields, with exit code 0: code 2
    /// says less, and other codes say that the hook failed.
    fn answer(&self, event: &Event) -> Answer {
        match serde_json::to_vec(self) {
            Ok(stdout) if stdout == b"{}" => Answer::default(),
            Ok(stdout) => Answer { stdout, ..Answer::default() },
            // Cannot happen with these types; an answer that blocks is then the only safe one.
            Err(_) => Answer { exit_code: if event.can_block() { 2 } else { 1 }, ..Answer::default() },
        }
    }
}

/// One answer being written.
struct Writer<'a> {
    adapter: &'a Adapter,
    event: &'static Event,
    envelope: &'a Envelope,
    out: Out,
    losses: Vec<Loss>,
}

/// What a permission hook's effects come to before they are written.
#[derive(Default)]
struct Gate {
    verdict: Option<Verdict>,
    reasons: Vec<String>,
    notices: Vec<String>,
}

impl Gate {
    /// A verdict; a stronger one replaces what was said, an equal one adds its reasons.
    fn say(&mut self, verdict: Verdict, reasons: impl IntoIterator<Item = String>) {
        if self.verdict.is_none_or(|before| verdict > before) {
            self.verdict = Some(verdict);
            self.reasons.clear();
        }
        if self.verdict == Some(verdict) {
            self.reasons.extend(reasons.into_iter().map(clean).filter(|reason| !reason.is_empty()));
        }
    }
}

fn clean(text: String) -> String {
    match clean_message(&text) {
        clean if clean.len() == text.len() => text,
        clean => clean.into_owned(),
    }
}

/// Whether two calls are of one tool. The name of a server's tool does not say which server's it is.
fn same_tool(one: &ToolCall, other: &ToolCall) -> bool {
    let server = |call: &ToolCall| call.as_mcp().map(|mcp| mcp.server.clone());
    // A patch has the name of a write, and takes no file's keys.
    let patch = |call: &ToolCall| matches!(call.action, hooks_core::tool::ToolAction::Patch(_));
    tools::name(one) == tools::name(other) && server(one) == server(other) && patch(one) == patch(other)
}

/// How another command shall run that Cursor's input has no key for, where that is not how the first one runs.
fn without_a_key(original: &ToolCall, wanted: &ToolCall) -> Option<&'static str> {
    let (was, wanted) = (original.as_shell()?, wanted.as_shell()?);
    let changed = |was: Option<bool>, wanted: Option<bool>, usual: bool| {
        wanted.is_some_and(|wanted| wanted != was.unwrap_or(usual))
    };
    if changed(was.background, wanted.background, false) {
        return Some("whether it runs in the background");
    }
    changed(was.sandbox, wanted.sandbox, true).then_some("whether it runs in a sandbox")
}

/// Texts as one; `None` where there is none.
fn joined(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

impl Writer<'_> {
    fn lost(&mut self, of: impl Into<Lost>, what: impl Into<String>, instead: Option<&str>) {
        self.losses.push(Loss::new(of, what, instead));
    }

    fn has(&self, field: &str) -> bool {
        self.event.output_field(field).is_some_and(|field| field.feeds().is_some())
    }

    /// The permission hooks.
    fn permission(&mut self, noun: &str, effects: &[Effect]) {
        let mut gate = Gate::default();
        for effect in effects {
            match effect {
                Effect::Verdict { verdict, reasons } => self.verdict(&mut gate, *verdict, reasons),
                Effect::Notice(text) => gate.notices.push(clean(text.clone())),
                Effect::ReplaceInput(rewrite) => self.rewrite(&mut gate, rewrite),
                Effect::Halt(halt) => self.halt_at_gate(&mut gate, halt),
                Effect::Unsupported(unsupported) if unsupported.on_pending == OnPending::Deny => {
                    gate.say(Verdict::Deny, [not_done(unsupported)]);
                    self.lost(Lost::of(effect), name(effect), Some("the action is denied"));
                }
                Effect::Special(Special::Interrupt) => {
                    gate.say(Verdict::Deny, [INTERRUPTED.to_owned()]);
                    self.lost(Lost::Special(Special::Interrupt.kind()), "interrupt", Some("the action is denied"));
                }
                other => self.lost(Lost::of(other), name(other), None),
            }
        }
        self.gate(noun, gate);
    }

    fn verdict(&mut self, gate: &mut Gate, verdict: Verdict, reasons: &[String]) {
        let said = match verdict {
            Verdict::Ask if self.event.facts.ask != AskRule::Honoured => {
                self.lost(Verdict::Ask, "the verdict `ask`", Some("the action is denied"));
                Verdict::Deny
            }
            Verdict::Defer => {
                self.lost(Verdict::Defer, "the verdict `defer`", Some("the action is denied"));
                Verdict::Deny
            }
            verdict => verdict,
        };
        gate.say(said, reasons.iter().cloned());
    }

    /// A halt at a pending action: denying is the strongest that can be said.
    fn halt_at_gate(&mut self, gate: &mut Gate, halt: &Halt) {
        gate.say(Verdict::Deny, [halt.reason.clone().unwrap_or_default()]);
        if halt.stops != [Stop::Action] || halt.when == Some(When::After) {
            self.lost(Channel::Halt, "a halt of more than the action", Some("the action is denied"));
        }
    }

    /// A rewritten input. One that cannot be said denies: the original never runs in its place.
    fn rewrite(&mut self, gate: &mut Gate, rewrite: &Rewrite) {
        match self.input(rewrite) {
            Ok(input) => {
                let call = self.envelope.payload.tool_use().map(|tool| &tool.call);
                self.out.updated_input = Some(call.map_or(input.clone(), |call| tools::in_keys_of(call, input)));
            }
            Err(why) => {
                gate.say(Verdict::Deny, [format!("its input was to be rewritten, and {why}")]);
                self.lost(Channel::ReplacementInput, "a rewritten input", Some("the action is denied"));
            }
        }
    }

    /// The rewritten input in Cursor's shape: as the hook wrote it where that is Cursor's shape already, else the call
    /// it comes to.
    fn input(&self, rewrite: &Rewrite) -> Result<RawJson, String> {
        if !self.has("updated_input") {
            return Err("this event has no place for that".to_owned());
        }
        let projected = rewrite.call.as_ref().map_err(ToString::to_string)?;
        let original = self.envelope.payload.tool_use().ok_or_else(|| "there is no call to rewrite".to_owned())?;
        // The new input goes to the tool that was called, whatever it was meant for.
        if !same_tool(&original.call, &projected.call) {
            return Err("it is for another tool".to_owned());
        }
        let as_written = tools::project(&original.call, &rewrite.raw);
        if as_written.is_ok_and(|call| call.call.action == projected.call.action)
            && rewrite.raw.kind() == JsonKind::Object
        {
            return Ok(rewrite.raw.clone());
        }
        if let Some(what) = without_a_key(&original.call, &projected.call) {
            return Err(format!("Cursor's input cannot say {what}"));
        }
        let input = tools::Input {
            call: &projected.call,
            cwd: &self.envelope.common.cwd,
            working_directory: self.adapter.options().observed_stdin_keys,
        };
        match RawJson::of(&input) {
            Ok(input) if input.kind() == JsonKind::Object => Ok(input),
            _ => Err("Cursor's tools take only objects".to_owned()),
        }
    }

    /// Writes what a gate comes to. That there is no opinion is said with `ask` where that is accepted and not enforced
    /// (hooks page, preToolUse). Elsewhere no word means it: nothing is printed then.
    fn gate(&mut self, noun: &str, gate: Gate) {
        let Gate { verdict, reasons, notices } = gate;
        let word = match verdict {
            Some(Verdict::Allow) => "allow",
            Some(Verdict::Ask) => "ask",
            Some(_) => "deny",
            None if self.event.facts.ask == AskRule::NoOpinionUnlessStrict => "ask",
            None => {
                self.lost(
                    Lost::NoOpinion,
                    "having no opinion",
                    Some("no answer, which denies where the hook fails closed"),
                );
                for _ in &notices {
                    self.lost(Channel::UserNotice, "a notice to the person", None);
                }
                return;
            }
        };
        self.out.permission = Some(word);
        let restrains = matches!(verdict, Some(Verdict::Ask | Verdict::Defer | Verdict::Deny));
        if !restrains {
            // A reason for an allow goes to reports only.
            for _ in &reasons {
                self.lost(Verdict::Allow, "the reason for an `allow`", None);
            }
            if self.event.user_message == UserMessage::Notice {
                self.out.user_message = joined(&notices);
            } else {
                for _ in &notices {
                    self.lost(Channel::UserNotice, "a notice to the person", None);
                }
            }
            return;
        }
        let reason = joined(&reasons).unwrap_or_else(|| format!("a hook does not let this {noun} go on"));
        match (self.has("agent_message"), self.has("user_message")) {
            (true, _) => {
                self.out.agent_message = Some(reason);
                self.out.user_message = joined(&notices);
            }
            (false, true) => {
                for _ in &notices {
                    self.lost(Channel::UserNotice, "a notice to the person", Some("it stands beside the reason"));
                }
                let texts: Vec<String> = std::iter::once(reason).chain(notices).collect();
                self.out.user_message = joined(&texts);
            }
            (false, false) => {
                for _ in reasons {
                    self.lost(verdict.unwrap_or(Verdict::Deny), "the reason", None);
                }
                for _ in notices {
                    self.lost(Channel::UserNotice, "a notice to the person", None);
                }
            }
        }
    }

    /// `beforeSubmitPrompt`. Here only a halt restrains, so that every verdict that does becomes one.
    fn prompt(&mut self, effects: &[Effect]) {
        let mut halted = false;
        let mut reasons = Vec::new();
        let mut notices = Vec::new();
        for effect in effects {
            match effect {
                Effect::Halt(halt) => {
                    halted = true;
                    reasons.extend(halt.reason.clone().map(clean));
                    if halt.stops.iter().any(|stop| *stop != Stop::Prompt) {
                        self.lost(Channel::Halt, "a halt of more than the prompt", Some("the prompt is not sent"));
                    }
                    if halt.prompt == Some(PromptFate::Erase) {
                        self.lost(
                            Channel::Halt,
                            "erasing the prompt",
                            Some("the prompt is not sent and stays in the history"),
                        );
                    }
                }
                Effect::Verdict { verdict: Verdict::Allow, .. } => {
                    self.lost(Verdict::Allow, "the verdict `allow`", None)
                }
                Effect::Verdict { verdict, reasons: why } => {
                    halted = true;
                    reasons.extend(why.iter().cloned().map(clean));
                    self.lost(*verdict, format!("the verdict `{}`", verdict.as_str()), Some("the prompt is not sent"));
                }
                Effect::Unsupported(unsupported) if unsupported.on_pending == OnPending::Deny => {
                    halted = true;
                    reasons.push(clean(not_done(unsupported)));
                    self.lost(Lost::of(effect), name(effect), Some("the prompt is not sent"));
                }
                Effect::Special(Special::Interrupt) => {
                    halted = true;
                    reasons.push(INTERRUPTED.to_owned());
                    self.lost(Lost::Special(Special::Interrupt.kind()), "interrupt", Some("the prompt is not sent"));
                }
                Effect::Notice(text) => notices.push(clean(text.clone())),
                other => self.lost(Lost::of(other), name(other), None),
            }
        }
        self.out.r#continue = Some(!halted);
        reasons.retain(|reason| !reason.is_empty());
        if halted {
            for _ in &notices {
                self.lost(Channel::UserNotice, "a notice to the person", Some("it stands beside the reason"));
            }
            reasons.append(&mut notices);
            self.out.user_message = joined(&reasons);
        } else {
            self.out.user_message = joined(&notices);
        }
    }

    /// Everything that neither gates nor halts.
    fn observed(&mut self, effects: &[Effect]) {
        let ends = effects.iter().any(|effect| matches!(effect, Effect::Halt(_)));
        let mut context = Vec::new();
        let mut notices = Vec::new();
        let mut followups = Vec::new();
        for effect in effects {
            match effect {
                Effect::Context(text) if self.has("additional_context") => context.push(text.clone()),
                Effect::Notice(text) if self.has("user_message") => notices.push(clean(text.clone())),
                Effect::SessionEnv(changes) if self.has("env") => {
                    for (name, change) in changes {
                        let holds = !name.is_empty() && !name.contains(['=', '\0']) && !change.value.contains('\0');
                        if change.reach == EnvReach::Hooks && holds {
                            self.out.env.insert(name.clone(), change.value.clone());
                        } else {
                            self.lost(Channel::SessionEnv, format!("the variable `{}`", clean(name.clone())), None);
                        }
                    }
                }
                Effect::ReplaceResult(result) if self.has("updated_mcp_tool_output") => self.result(result),
                Effect::Continue(continuation) if self.event.loop_limit => {
                    self.followup(&mut followups, continuation, ends);
                }
                Effect::Halt(halt) if self.event.loop_limit => self.halt_at_end(halt),
                Effect::Special(Special::PluginPaths(paths)) if self.has("pluginPaths") => {
                    self.out.plugin_paths.extend(paths.iter().cloned());
                }
                other => self.lost(Lost::of(other), name(other), None),
            }
        }
        self.out.additional_context = joined(&context);
        self.out.user_message = joined(&notices);
        self.out.followup_message = joined(&followups);
    }

    /// A replaced result. Cursor takes objects, and those for tools of tool servers only (hooks page, postToolUse).
    fn result(&mut self, result: &ResultReplacement) {
        if self.envelope.payload.tool_use().map(|tool| &tool.call).and_then(ToolCall::as_mcp).is_none() {
            self.lost(Channel::ReplacementResult, "a replaced result", None);
            return;
        }
        let text = match result {
            ResultReplacement::Json(raw) if raw.kind() == JsonKind::Object => {
                self.out.updated_mcp_tool_output = Some(raw.clone());
                return;
            }
            ResultReplacement::Json(raw) => raw.as_str().unwrap_or_else(|| raw.get().to_owned()),
            ResultReplacement::Text(text) => text.clone(),
            _ => {
                self.lost(Channel::ReplacementResult, "a replaced result", None);
                return;
            }
        };
        let content = json!({ "content": [{ "type": "text", "text": text }] });
        self.out.updated_mcp_tool_output = Some(RawJson::from(&content));
        self.lost(
            Channel::ReplacementResult,
            "a replaced result that is a text",
            Some("a tool server's result that holds the text"),
        );
    }

    fn followup(&mut self, followups: &mut Vec<String>, continuation: &Continuation, ends: bool) {
        if ends {
            self.lost(Channel::Continuation, "a follow-up", Some("the halt beside it"));
            return;
        }
        if let Payload::SubagentStop(stop) = &self.envelope.payload
            && stop.status.as_deref() != Some("completed")
        {
            self.lost(Channel::Continuation, "a follow-up, which counts only when the subagent completed", None);
            return;
        }
        if continuation.loop_limit.and_then(hooks_core::LoopLimit::number).is_some()
            || continuation.vendor_cap.is_some()
        {
            self.lost(Channel::Continuation, "a limit of follow-ups", Some("the limit of the hook's definition"));
        }
        if !continuation.text.is_empty() {
            followups.push(continuation.text.clone());
        }
    }

    /// A halt where a turn is over anyway: saying nothing ends it, unless another hook has a follow-up, which a halt would
    /// have outranked.
    fn halt_at_end(&mut self, halt: &Halt) {
        if halt.stops.iter().any(|stop| !matches!(stop, Stop::Turn | Stop::Subagent)) {
            self.lost(Channel::Halt, "a halt of more than the turn", Some("the turn ends"));
        }
        self.lost(Channel::Halt, if halt.reason.is_some() { "a halt with its reason" } else { "a halt" }, None);
    }
}
