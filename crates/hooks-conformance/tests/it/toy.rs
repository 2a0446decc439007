//! A vendor made up for these tests, whose answers say plainly what they ask for.
//!
//! An answer is a JSON object with a key a channel; `{"panic": true}` panics. A configuration is
//! `{"hooks": {EVENT: [{"command": ..., "matcher": ..., "timeout": ...}]}}`. Matchers are whole values.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::adapter::{DecodePolicy, Encoded, HostSide, Parsed, Subject};
use hooks_core::boundary::{Boundary, Facet, Scope, Stop};
use hooks_core::channel::{Channel, Channels};
use hooks_core::definition::{Binding, BindingId, Definition, FailurePolicy, LoopLimit, Place, State};
use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Failure, Halt, HookEffects, OnPending, ResultReplacement, Rewrite,
    RunStatus, Unsupported, Verdict, Who,
};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::{AskRule, Control, EmptyRule, EventFacts, Exit2, FailureRule, PlainStdout, SubjectFact};
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::location::Location;
use hooks_core::matcher::{Matcher, PatternError, SubjectValue};
use hooks_core::outcome::{End, NotRun, Outcome};
use hooks_core::policy::{Lead, Leads, MergePolicy};
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::tool::{InputRefused, OtherTool, Projected, ToolAction, ToolCall};
use hooks_core::{RawJson, VendorId, Version};
use serde_json::Value;

const VENDOR: VendorId = VendorId::from_static("toy");

const fn event(name: &'static str, boundary: Option<Boundary>, subject: SubjectFact) -> EventFacts {
    EventFacts {
        name,
        boundary,
        facet: Facet::Any,
        scope: Scope::Action,
        subject,
        channels: Channels::ALL,
        control: Control::Observe,
        malformed: FailureRule::Proceed,
        empty: EmptyRule::NoOpinion,
        exit_2: Exit2::Ignored,
        plain_stdout: PlainStdout::Ignored,
        ask: AskRule::Honoured,
        output: &[],
        default_timeout_s: Some(60.0),
        since: Version::FIRST,
        evidence: Evidence::new(Basis::Inferred, "made up"),
    }
}

static BEFORE: EventFacts = event("before", Some(Boundary::ToolBefore), SubjectFact::ToolName);
static STOP: EventFacts = event("stop", Some(Boundary::TurnStop), SubjectFact::Ignored);
static NEVER: EventFacts = event("never", Some(Boundary::CompactBefore), SubjectFact::Ignored);
static NOWHERE: EventFacts = event("nowhere", None, SubjectFact::ToolName);
static EVENTS: [&EventFacts; 4] = [&BEFORE, &STOP, &NEVER, &NOWHERE];

static UNKNOWN_EVENT: Code = Code {
    id: "toy/unknown-event",
    about: "unknown-event",
    severity: Severity::Warning,
    summary: "An event that is none.",
    help: "Write one that is.",
};
static NOT_JSON: Code = Code {
    id: "toy/not-json",
    about: "not-json",
    severity: Severity::Error,
    summary: "A document that is no JSON.",
    help: "Write JSON.",
};

static CODES: &[&Code] = &[&UNKNOWN_EVENT, &NOT_JSON];

static POLICY: MergePolicy = MergePolicy { leads: Leads::all(Lead::LAST_FINISHED), ..MergePolicy::DECLARED };

/// The adapter.
#[derive(Debug)]
pub(crate) struct Toy;

/// The adapter for the one vendor `toy`, without older clients and with one further face.
pub(crate) fn toys(vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
    let known = vendor == "toy" && client.is_none() && matches!(profile, None | Some("face"));
    known.then(|| Arc::new(Toy) as Arc<dyn HostSide>)
}

fn definition(source: &Arc<Source>, facts: &EventFacts, index: u32, command: &str) -> Definition {
    let place = Place { event: facts.name.to_owned(), group: 0, index };
    Definition {
        id: BindingId::of(source, &place),
        vendor: VENDOR,
        source: Arc::clone(source),
        place,
        range: 0..0,
        boundary: facts.boundary,
        facet: facts.facet,
        handler: Handler::Command(CommandHandler { command: command.to_owned(), ..CommandHandler::default() }),
        matcher_text: None,
        matcher: Matcher::All,
        condition: None,
        timeout: Duration::from_secs(60),
        failure: FailurePolicy::Open,
        loop_limit: None,
        context_limit: None,
        channels: facts.channels,
        once: false,
        status_message: None,
        dedup_key: None,
        state: match facts.name {
            "never" => State::Disabled("this host never fires it".to_owned()),
            _ => State::Live,
        },
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl HostSide for Toy {
    fn vendor(&self) -> &VendorId {
        const { &VENDOR }
    }

    fn version(&self) -> Version {
        Version::new(1, 0, 0)
    }

    fn events(&self) -> &'static [&'static EventFacts] {
        &EVENTS
    }

    fn codes(&self) -> &'static [&'static Code] {
        CODES
    }

    fn locations(&self) -> &'static [Location] {
        &[]
    }

    fn parse(&self, source: &Arc<Source>) -> Parsed {
        let mut parsed = Parsed::empty(Arc::clone(source));
        let Ok(document) = serde_json::from_slice::<Value>(&source.bytes) else {
            parsed.rejected = true;
            parsed.report(Diagnostic::new(&NOT_JSON, Reach::File, "it is no JSON"));
            return parsed;
        };
        for (name, entries) in document["hooks"].as_object().into_iter().flatten() {
            // In another vendor's file the names have capitals, and so have the tools in matchers.
            let foreign = source.role == Role::ForeignHooks;
            let own = if foreign { name.to_lowercase() } else { name.clone() };
            let Some(facts) = self.event(&own) else {
                let diagnostic = Diagnostic::new(&UNKNOWN_EVENT, Reach::Event, "no event");
                parsed.report(diagnostic.pointer(format!("/hooks/{name}")).silent());
                continue;
            };
            for (entry, index) in entries.as_array().into_iter().flatten().zip(0..) {
                let mut one = definition(source, facts, index, &text(&entry["command"]));
                one.matcher_text = entry["matcher"].as_str().map(str::to_owned);
                let matcher =
                    one.matcher_text.as_deref().map(|text| if foreign { text.to_lowercase() } else { text.to_owned() });
                one.matcher = self.matcher(facts.name, matcher.as_deref()).0;
                if let Some(seconds) = entry["timeout"].as_f64() {
                    one.timeout = Duration::from_secs_f64(seconds);
                }
                if entry["closed"] == true {
                    one.failure = FailurePolicy::Closed;
                }
                one.loop_limit = entry["limit"].as_u64().and_then(|n| u32::try_from(n).ok()).map(LoopLimit::AtMost);
                if entry["skip"] == true {
                    one.state = State::Inert("skipped".to_owned());
                }
                parsed.definitions.push(one);
            }
        }
        parsed
    }

    fn precedence(&self, _source: &Source) -> i32 {
        0
    }

    fn blank(&self, event: &str) -> Option<Definition> {
        let source = Source::hooks(VENDOR, Origin::Host, Syntax::Json, "blank", *b"{}");
        self.event(event).map(|facts| definition(&Arc::new(source), facts, 0, "run-me"))
    }

    fn matcher(&self, _event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        match text {
            None => (Matcher::All, None),
            Some("?") => (Matcher::Unknown("nobody knows".to_owned()), None),
            Some("!") => panic!("a matcher that panics"),
            Some(text) => (Matcher::exact([text]), None),
        }
    }

    fn subject<'e>(&self, _event: &EventFacts, _envelope: &'e Envelope) -> Subject<'e> {
        Subject::Is(SubjectValue::Missing)
    }

    fn encode(&self, _binding: &Binding, _envelope: &Envelope, _stdin: &mut Vec<u8>) -> Encoded {
        Err(NotRun("a toy runs nothing".to_owned()))
    }

    fn decode(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome, policy: DecodePolicy) -> HookEffects {
        let mut hook = HookEffects::none(Who::of(binding, outcome));
        let Ok(Value::Object(answer)) = serde_json::from_slice::<Value>(&outcome.stdout) else {
            hook.status = RunStatus::Failed;
            hook.failure = Some(Failure::Malformed("no object".to_owned()));
            if binding.failure == FailurePolicy::Closed || policy.strict {
                hook.verdict(Verdict::Deny, vec!["failed".to_owned()]);
            }
            return hook;
        };
        for (key, value) in &answer {
            let raw = RawJson::from(value);
            match key.as_str() {
                "allow" => hook.verdict(Verdict::Allow, vec![text(value)]),
                "deny" => hook.verdict(Verdict::Deny, vec![text(value)]),
                "notice" => hook.push(Effect::Notice(text(value))),
                "context" => hook.push(Effect::Context(text(value))),
                "input" => {
                    let original = ToolCall::shell("x");
                    let call = self.project(&original, &raw);
                    hook.push(Effect::ReplaceInput(Rewrite { raw, call }));
                }
                "result" => hook.push(Effect::ReplaceResult(ResultReplacement::Json(raw))),
                "env" => {
                    let change = EnvChange { value: text(value), reach: EnvReach::Hooks };
                    hook.push(Effect::SessionEnv(BTreeMap::from([("NAME".to_owned(), change)])));
                }
                "halt" => hook.push(Effect::Halt(Halt::of(&[Stop::Turn], value.as_str().map(str::to_owned)))),
                "go_on" => hook.push(Effect::Continue(Continuation::new(text(value), binding.loop_limit))),
                "unsupported" => {
                    let fields = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
                    hook.effects.extend(fields.iter().map(|field| {
                        Effect::Unsupported(Unsupported {
                            field: text(field),
                            channel: Channel::Special,
                            on_pending: OnPending::Ignore,
                        })
                    }));
                }
                "fail" => hook.failure = Some(Failure::ExitCode(1)),
                "panic" => panic!("a decoder that panics"),
                // What of the setting reaches the adapter, said back.
                "echo" => hook.push(Effect::Context(match text(value).as_str() {
                    "command" => binding.handler.label(),
                    "id" => binding.id.to_string(),
                    "role" => format!("{:?}", binding.source.role),
                    "path" => binding.source.path.clone(),
                    "end" => format!("{:?}", outcome.end),
                    "stderr" => outcome.stderr_text().into_owned(),
                    "cut" => format!("{} {}", outcome.stdout_truncated, outcome.stderr_truncated),
                    "delivered" => outcome.stdin_delivered.to_string(),
                    "tool" => {
                        envelope.payload.tool_use().map(|tool| tool.call.action.kind().to_owned()).unwrap_or_default()
                    }
                    "stop" => match &envelope.payload {
                        Payload::TurnStop(stop) => {
                            format!("{} {}", stop.status.clone().unwrap_or_default(), stop.loop_count)
                        }
                        other => format!("{other:?}"),
                    },
                    other => other.to_owned(),
                })),
                _ => {}
            }
        }
        if outcome.end == End::TimedOut {
            hook.failure = Some(Failure::Timeout);
        }
        hook
    }

    fn merge_policy(&self, _boundary: Boundary) -> &'static MergePolicy {
        &POLICY
    }

    fn tool_names(&self, call: &ToolCall) -> Vec<String> {
        vec![call.action.kind().to_owned()]
    }

    fn tool_call(&self, name: &str, input: &RawJson) -> ToolCall {
        let action = match name {
            "shell" => ToolCall::shell("ls").action,
            name => ToolAction::Other(OtherTool { name: name.to_owned(), arguments: input.clone() }),
        };
        ToolCall { action, raw: Some(input.clone()) }
    }

    fn project(&self, original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
        let call = ToolCall { action: original.action.clone(), raw: Some(rewritten.clone()) };
        Ok(Projected { call, ignored: Vec::new() })
    }
}
