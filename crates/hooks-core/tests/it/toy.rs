//! Toy vendors for tests of core alone: small event tables, and hooks whose answers are lists of effects.

use std::sync::Arc;
use std::time::Duration;

use hooks_core::adapter::{DecodePolicy, Encoded, HostSide, Parsed, Rulings, Subject, Switch};
use hooks_core::boundary::{Boundary, Facet, Scope};
use hooks_core::channel::{Channel, Channels};
use hooks_core::definition::{Binding, BindingId, Definition, FailurePolicy, Place, State};
use hooks_core::diagnostic::Code;
use hooks_core::document::{JsonRules, Node, parse_json};
use hooks_core::effects::{HookEffects, Who};
use hooks_core::envelope::{Common, Envelope, Payload, PermissionOrigin, PermissionRequest, Prompt, ToolUse};
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::{AskRule, Control, EmptyRule, EventFacts, Exit2, FailureRule, PlainStdout, SubjectFact};
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::json::RawJson;
use hooks_core::location::Location;
use hooks_core::matcher::{Matched, Matcher, Pattern, PatternError, SubjectValue};
use hooks_core::outcome::{Completion, Invocation, Outcome, Program, RunRules, ShellKind};
use hooks_core::policy::MergePolicy;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::tool::{InputRefused, OtherTool, Projected, ToolAction, ToolCall};
use hooks_core::vendor::{VendorId, Version};

const fn facts(name: &'static str, boundary: Option<Boundary>, facet: Facet, subject: SubjectFact) -> EventFacts {
    EventFacts {
        name,
        boundary,
        facet,
        scope: Scope::Turn,
        subject,
        channels: Channels::ALL,
        control: Control::Permission { noun: "call" },
        malformed: FailureRule::FollowPolicy,
        empty: EmptyRule::NoOpinion,
        exit_2: Exit2::Deny,
        plain_stdout: PlainStdout::Ignored,
        ask: AskRule::Honoured,
        output: &[],
        default_timeout_s: Some(1.0),
        since: Version::FIRST,
        evidence: Evidence::new(Basis::Inferred, "made up for tests"),
    }
}

pub static BEFORE: EventFacts = facts("before", Some(Boundary::ToolBefore), Facet::Tool, SubjectFact::ToolName);
pub static SHELL: EventFacts = facts("shell", Some(Boundary::ToolBefore), Facet::Shell, SubjectFact::Command);
pub static PROMPT: EventFacts = facts("prompt", Some(Boundary::PromptSubmit), Facet::Any, SubjectFact::Ignored);
pub static NOWHERE: EventFacts = facts("nowhere", None, Facet::Any, SubjectFact::Ignored);
/// An observer of the same moment: it can say something and block nothing.
pub static WATCH: EventFacts = EventFacts {
    channels: Channels::of(&[Channel::ModelContext]),
    ..facts("watch", Some(Boundary::ToolBefore), Facet::Tool, SubjectFact::ToolName)
};
/// One that can stop the turn and gives no verdict.
pub static STOPPER: EventFacts = EventFacts {
    channels: Channels::of(&[Channel::Halt]),
    ..facts("stopper", Some(Boundary::ToolBefore), Facet::Tool, SubjectFact::ToolName)
};
static EVENTS: &[&EventFacts] = &[&BEFORE, &SHELL, &PROMPT, &NOWHERE, &WATCH, &STOPPER];

/// A toy vendor. Its documents are `{"off": bool, "hooks": [{"event", "matcher", "command", "condition", "key", "once"}]}`.
#[derive(Debug)]
pub struct Toy {
    vendor: VendorId,
    policy: &'static MergePolicy,
}

impl Toy {
    pub fn named(name: &'static str) -> Arc<dyn HostSide> {
        Arc::new(Self { vendor: VendorId::from_static(name), policy: &MergePolicy::DECLARED })
    }
}

pub fn source(vendor: &'static str, origin: Origin, path: &str, text: &str) -> Arc<Source> {
    Arc::new(Source::hooks(VendorId::from_static(vendor), origin, Syntax::Json, path, text.as_bytes()))
}

fn text(node: Option<&Node>) -> Option<String> {
    node.and_then(Node::as_str).map(str::to_owned)
}

impl HostSide for Toy {
    fn vendor(&self) -> &VendorId {
        &self.vendor
    }

    fn version(&self) -> Version {
        Version::new(1, 0, 0)
    }

    fn events(&self) -> &'static [&'static EventFacts] {
        EVENTS
    }

    fn also_on(&self, event: &EventFacts) -> &'static [Boundary] {
        if event.name == "before" { &[Boundary::PermissionRequest] } else { &[] }
    }

    fn codes(&self) -> &'static [&'static Code] {
        &[]
    }

    fn locations(&self) -> &'static [Location] {
        &[]
    }

    fn parse(&self, source: &Arc<Source>) -> Parsed {
        let mut parsed = Parsed::empty(Arc::clone(source));
        let Ok(root) = parse_json(&source.bytes, JsonRules::default()) else {
            parsed.rejected = true;
            return parsed;
        };
        let root = root.as_object().expect("a toy document is an object");
        if let Some(off) = root.get("off").and_then(Node::as_bool) {
            parsed.switches.push(Switch::DisableAll(off));
        }
        for (entry, index) in root.get("hooks").and_then(Node::as_array).unwrap_or_default().iter().zip(0..) {
            let fields = entry.as_object().expect("a toy hook is an object");
            let event = text(fields.get("event")).expect("a toy hook has an event");
            let place = Place { event: event.clone(), group: 0, index };
            let mut definition = self.blank(&event).expect("a toy event");
            definition.id = BindingId::of(source, &place);
            definition.source = Arc::clone(source);
            definition.place = place;
            definition.range = entry.range.clone();
            definition.matcher_text = text(fields.get("matcher"));
            let (matcher, problem) = self.matcher(&event, definition.matcher_text.as_deref());
            definition.matcher = matcher;
            if let Some(problem) = problem {
                definition.state = State::Inert(problem.to_string());
            }
            definition.condition = text(fields.get("condition"));
            definition.dedup_key = text(fields.get("key"));
            definition.once = fields.get("once").and_then(Node::as_bool).unwrap_or(false);
            parsed.definitions.push(definition);
        }
        parsed
    }

    fn precedence(&self, source: &Source) -> i32 {
        match source.origin {
            Origin::Managed => 0,
            Origin::User => 1,
            _ => 2,
        }
    }

    fn rule(&self, documents: &[Parsed]) -> Rulings {
        let refuse = documents
            .iter()
            .find(|document| document.rejected && document.source.origin == Origin::Managed)
            .map(|_| "managed hooks could not be loaded".to_owned());
        let off = documents.iter().any(|document| document.switches.contains(&Switch::DisableAll(true)));
        let state = off.then(|| State::Disabled("off".to_owned()));
        let states = documents
            .iter()
            .map(|document| if document.source.origin == Origin::Managed { None } else { state.clone() })
            .collect();
        Rulings { states, refuse }
    }

    fn blank(&self, event: &str) -> Option<Definition> {
        let facts = self.event(event)?;
        let source = source("toy", Origin::Host, "toy", "{}");
        let place = Place { event: event.to_owned(), group: 0, index: 0 };
        Some(Definition {
            id: BindingId::of(&source, &place),
            vendor: self.vendor.clone(),
            source,
            place,
            range: 0..0,
            boundary: facts.boundary,
            facet: facts.facet,
            handler: Handler::Command(CommandHandler { command: "true".to_owned(), ..CommandHandler::default() }),
            matcher_text: None,
            matcher: Matcher::All,
            condition: None,
            timeout: Duration::from_secs(1),
            failure: FailurePolicy::Open,
            loop_limit: None,
            context_limit: None,
            channels: facts.channels,
            once: false,
            status_message: None,
            dedup_key: None,
            state: if facts.boundary.is_some() { State::Live } else { State::NoBoundary },
        })
    }

    /// `=a|b` is a list, `?` cannot be told, the rest is a pattern.
    fn matcher(&self, _event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        match text {
            None => (Matcher::All, None),
            Some("?") => (Matcher::Unknown("a toy doubt".to_owned()), None),
            Some(text) => match text.strip_prefix('=') {
                Some(list) => (Matcher::exact(list.split('|')), None),
                None => match Pattern::rust(text) {
                    Ok(pattern) => (Matcher::Pattern(pattern), None),
                    Err(error) => (Matcher::Never(error.to_string()), Some(error)),
                },
            },
        }
    }

    fn subject<'e>(&self, event: &EventFacts, envelope: &'e Envelope) -> Subject<'e> {
        let Some(tool) = envelope.payload.tool_use() else { return Subject::Is(SubjectValue::Ignored) };
        if event.name == "shell" {
            return match tool.call.as_shell() {
                Some(shell) => Subject::Is(SubjectValue::One(shell.command.as_str().into())),
                None => Subject::NotThisEvent("not a shell command"),
            };
        }
        match &tool.call.action {
            ToolAction::Shell(_) => Subject::Is(SubjectValue::Several(vec!["Shell".into(), "Terminal".into()])),
            ToolAction::Other(other) if other.name.is_empty() => Subject::Is(SubjectValue::Missing),
            ToolAction::Other(other) => Subject::Is(SubjectValue::One(other.name.as_str().into())),
            action => Subject::Is(SubjectValue::One(action.kind().into())),
        }
    }

    fn condition(&self, definition: &Definition, _envelope: &Envelope) -> Matched {
        match definition.condition.as_deref() {
            Some("no") => Matched::No,
            Some("maybe") => Matched::Doubtful("a toy doubt".to_owned()),
            _ => Matched::Yes,
        }
    }

    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
        stdin.clear();
        stdin.extend_from_slice(b"{}");
        let rules = RunRules {
            completion: Completion::EndOfFile,
            detach_on_async_line: false,
            kill_grace: Duration::ZERO,
            stdout_cap: RunRules::DEFAULT_CAP,
            stderr_cap: RunRules::DEFAULT_CAP,
        };
        let program = Program::ShellText { shell: ShellKind::Sh, text: binding.handler.label() };
        Ok(Invocation::new(program, envelope.common.cwd.clone(), binding.timeout, rules))
    }

    fn decode(&self, binding: &Binding, _envelope: &Envelope, outcome: &Outcome, _policy: DecodePolicy) -> HookEffects {
        HookEffects::none(Who::of(binding, outcome))
    }

    fn merge_policy(&self, _boundary: Boundary) -> &'static MergePolicy {
        self.policy
    }

    fn tool_names(&self, call: &ToolCall) -> Vec<String> {
        vec![call.action.kind().to_owned()]
    }

    fn tool_call(&self, name: &str, input: &RawJson) -> ToolCall {
        ToolCall::new(ToolAction::Other(OtherTool { name: name.to_owned(), arguments: input.clone() }))
    }

    fn project(&self, original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
        let call = ToolCall { action: original.action.clone(), raw: Some(rewritten.clone()) };
        Ok(Projected { call, ignored: Vec::new() })
    }
}

pub fn common() -> Common {
    Common { session_id: "s".to_owned(), cwd: "/home/dev/project".to_owned(), ..Common::default() }
}

pub fn before_shell(command: &str) -> Envelope {
    let call = ToolCall::shell(command);
    Envelope::new(common(), Payload::ToolBefore(ToolUse { id: Some("t1".to_owned()), call }))
}

pub fn before_tool(name: &str) -> Envelope {
    let other = OtherTool { name: name.to_owned(), arguments: RawJson::null() };
    let call = ToolCall::new(ToolAction::Other(other));
    Envelope::new(common(), Payload::ToolBefore(ToolUse { id: None, call }))
}

pub fn permission_for(name: &str) -> Envelope {
    let Payload::ToolBefore(tool) = before_tool(name).payload else { panic!("a tool call") };
    let origin = PermissionOrigin::Tool;
    let request = PermissionRequest { tool, origin, justification: None, suggestions: None };
    Envelope::new(common(), Payload::PermissionRequest(request))
}

pub fn prompt(text: &str) -> Envelope {
    Envelope::new(common(), Payload::PromptSubmit(Prompt { text: text.to_owned(), ..Prompt::default() }))
}
