//! A made-up vendor, small enough to see through: what the dispatcher is tested with.
//!
//! Standard input is the shell command itself. An answer is lines of `word rest`: `deny why`, `allow`, `context text`,
//! `rewrite command`, `env NAME=value`. Exit code 2 denies with standard error, any other code but 0 is a failure that
//! blocks a strict host.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::adapter::{DecodePolicy, Encoded, HostSide, Parsed, Rulings, Subject};
use hooks_core::boundary::{Boundary, Facet, Scope};
use hooks_core::channel::Channels;
use hooks_core::definition::{Binding, BindingId, Definition, FailurePolicy, Place, State};
use hooks_core::diagnostic::Code;
use hooks_core::effects::{Effect, EnvChange, EnvReach, Failure, HookEffects, Rewrite, RunStatus, Verdict, Who};
use hooks_core::envelope::{Common, Envelope, Payload, ToolUse};
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::{AskRule, Control, EmptyRule, EventFacts, Exit2, FailureRule, PlainStdout, SubjectFact};
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::json::RawJson;
use hooks_core::location::{Base, HookCwd, Location};
use hooks_core::matcher::{Matched, Matcher, Pattern, PatternError, SubjectValue};
use hooks_core::outcome::{Completion, End, Invocation, NotRun, Outcome, Program, RunRules, ShellKind};
use hooks_core::policy::{Lead, Leads, MergePolicy, Order};
use hooks_core::source::{Origin, Role, Source, Syntax};
use hooks_core::spill::{SpillLimit, SpillUnit};
use hooks_core::tool::{InputRefused, Projected, ToolCall};
use hooks_core::{HostProfile, Snapshot, VendorId, VendorSources, Version, activate};

const EVIDENCE: Evidence = Evidence::new(Basis::Inferred, "made up for the tests");

const fn event(name: &'static str) -> EventFacts {
    EventFacts {
        name,
        boundary: Some(Boundary::ToolBefore),
        facet: Facet::Shell,
        scope: Scope::Action,
        subject: SubjectFact::Command,
        channels: Channels::ALL,
        control: Control::Permission { noun: "shell command" },
        malformed: FailureRule::FollowPolicy,
        empty: EmptyRule::NoOpinion,
        exit_2: Exit2::Deny,
        plain_stdout: PlainStdout::Ignored,
        ask: AskRule::None,
        output: &[],
        default_timeout_s: Some(60.0),
        since: Version::FIRST,
        evidence: EVIDENCE,
    }
}

static BEFORE: EventFacts = event("before");
static GUARD: EventFacts = event("guard");
static EVENTS: &[&EventFacts] = &[&BEFORE, &GUARD];

/// Folds by the order of finishing, so that tests can see it.
static POLICY: MergePolicy = MergePolicy {
    leads: Leads::all(Lead::FIRST_FINISHED),
    context: Order::Finishing,
    notices: Order::Finishing,
    ..MergePolicy::DECLARED
};

const fn location(origin: Origin, base: Base, path: &'static str) -> Location {
    Location {
        origin,
        role: Role::Hooks,
        syntax: Syntax::Json,
        platform: None,
        base,
        path,
        precedence: 0,
        cwd: HookCwd::Session,
        evidence: EVIDENCE,
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Toy {
    vendor: VendorId,
    pub(crate) locations: &'static [Location],
}

pub(crate) static LOCATIONS: &[Location] = &[
    location(Origin::User, Base::Home, ".toy/hooks.json"),
    location(Origin::User, Base::Variable { name: "TOY_HOME", home_default: ".config/toy" }, "extra.json"),
    location(Origin::Project, Base::ProjectToCwd, ".toy/hooks.json"),
    location(Origin::Plugin, Base::Project, "plugins/*/hooks.*.json"),
    Location {
        platform: Some(hooks_core::location::Platform::Windows),
        ..location(Origin::Local, Base::Project, "windows.json")
    },
];

impl Default for Toy {
    fn default() -> Self {
        Self::of("toy")
    }
}

impl Toy {
    pub(crate) fn of(vendor: &str) -> Self {
        Self { vendor: VendorId::from(vendor.to_owned()), locations: LOCATIONS }
    }

    pub(crate) fn matcher_of(&self, text: &str) -> Matcher {
        self.matcher("before", Some(text)).0
    }

    pub(crate) fn hook(&self, index: u32, event: &str, text: &str) -> Definition {
        let mut definition = self.blank(event).expect("an event");
        definition.place.index = index;
        definition.id = BindingId::new(&format!("{}#{}", self.vendor, definition.place));
        definition.handler = Handler::Command(CommandHandler { command: text.to_owned(), ..CommandHandler::default() });
        definition
    }
}

pub(crate) fn command_of(definition: &mut Definition) -> &mut CommandHandler {
    match &mut definition.handler {
        Handler::Command(command) => command,
        other => panic!("no command: {other:?}"),
    }
}

/// Hooks of one vendor or several as a snapshot.
pub(crate) fn snapshot(vendors: Vec<(Toy, Vec<Definition>)>) -> Snapshot {
    let mut host = HostProfile::full();
    host.handlers.insert(hooks_core::handler::HandlerKind::Http);
    let sources = vendors
        .into_iter()
        .map(|(toy, definitions)| {
            let mut parsed = Parsed::empty(definitions[0].source.clone());
            parsed.definitions = definitions;
            VendorSources { adapter: Arc::new(toy), documents: vec![parsed] }
        })
        .collect();
    activate(sources, &host, &hooks_core::activate::AdmitAll).expect("a snapshot")
}

pub(crate) fn one(hooks: Vec<Definition>) -> Snapshot {
    snapshot(vec![(Toy::default(), hooks)])
}

pub(crate) fn command(text: &str) -> Envelope {
    let tool = ToolUse { id: None, call: ToolCall::shell(text) };
    Envelope::new(Common { session_id: "s".to_owned(), ..Common::default() }, Payload::ToolBefore(tool))
}

fn command_text(envelope: &Envelope) -> &str {
    let shell = envelope.payload.tool_use().and_then(|tool| tool.call.as_shell());
    shell.map(|shell| shell.command.as_str()).unwrap_or_default()
}

impl HostSide for Toy {
    fn vendor(&self) -> &VendorId {
        &self.vendor
    }

    fn version(&self) -> Version {
        Version::FIRST
    }

    fn events(&self) -> &'static [&'static EventFacts] {
        EVENTS
    }

    fn codes(&self) -> &'static [&'static Code] {
        &[]
    }

    fn locations(&self) -> &'static [Location] {
        self.locations
    }

    fn parse(&self, source: &Arc<Source>) -> Parsed {
        Parsed::empty(Arc::clone(source))
    }

    fn precedence(&self, _source: &Source) -> i32 {
        0
    }

    fn rule(&self, documents: &[Parsed]) -> Rulings {
        let refuses = documents.iter().any(|document| &*document.source.bytes == b"refuse");
        Rulings { refuse: refuses.then(|| "a document says so".to_owned()), ..Rulings::default() }
    }

    fn blank(&self, event: &str) -> Option<Definition> {
        let facts = self.event(event)?;
        let source = Source::hooks(self.vendor.clone(), Origin::User, Syntax::Json, "toy.json", &b"{}"[..]);
        let place = Place { event: facts.name.to_owned(), group: 0, index: 0 };
        Some(Definition {
            id: BindingId::of(&source, &place),
            vendor: self.vendor.clone(),
            source: Arc::new(source),
            place,
            range: 0..0,
            boundary: facts.boundary,
            facet: facts.facet,
            handler: Handler::Command(CommandHandler::default()),
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
            state: State::Live,
        })
    }

    fn matcher(&self, _event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        match text.map(Pattern::rust) {
            None => (Matcher::All, None),
            Some(Ok(pattern)) => (Matcher::Pattern(pattern), None),
            Some(Err(error)) => (Matcher::Never(error.to_string()), Some(error)),
        }
    }

    fn subject<'e>(&self, _event: &EventFacts, envelope: &'e Envelope) -> Subject<'e> {
        Subject::Is(SubjectValue::One(command_text(envelope).into()))
    }

    fn condition(&self, definition: &Definition, _envelope: &Envelope) -> Matched {
        Matched::Doubtful(definition.condition.clone().unwrap_or_default())
    }

    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
        stdin.clear();
        stdin.extend_from_slice(command_text(envelope).as_bytes());
        let program = match &binding.handler {
            Handler::Command(command) if command.command.is_empty() => return Err(NotRun("no command".to_owned())),
            Handler::Command(command) => Program::ShellText { shell: ShellKind::Sh, text: command.command.clone() },
            other => Program::Hosted(Box::new(other.clone())),
        };
        let rules = RunRules {
            completion: Completion::EndOfFile,
            detach_on_async_line: true,
            kill_grace: Duration::ZERO,
            stdout_cap: RunRules::DEFAULT_CAP,
            stderr_cap: RunRules::DEFAULT_CAP,
        };
        let env = vec![("EVENT".to_owned(), binding.place.event.clone())];
        Ok(Invocation { env, ..Invocation::new(program, String::new(), binding.timeout, rules) })
    }

    fn decode(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome, policy: DecodePolicy) -> HookEffects {
        let by = Who::of(binding, outcome);
        let failure = match &outcome.end {
            End::Exited(0) => None,
            End::Exited(2) => {
                let mut hook = HookEffects::none(by);
                hook.status = RunStatus::Blocked;
                hook.verdict(Verdict::Deny, vec![outcome.stderr_text().trim().to_owned()]);
                return hook;
            }
            End::Exited(code) => Some(Failure::ExitCode(*code)),
            End::NotRun(why) => Some(Failure::NotRun(why.clone())),
            End::TimedOut => Some(Failure::Timeout),
            End::Cancelled => Some(Failure::Cancelled),
            other => Some(Failure::Start(format!("{other:?}"))),
        };
        if let Some(failure) = failure {
            let mut hook = HookEffects::failed(by, failure.clone());
            if policy.strict {
                hook.verdict(Verdict::Deny, vec![failure.to_string()]);
            }
            return hook;
        }
        let mut hook = HookEffects::none(by);
        for line in outcome.stdout_text().lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "deny" => hook.verdict(Verdict::Deny, vec![rest.to_owned()]),
                "allow" => hook.verdict(Verdict::Allow, Vec::new()),
                "context" => hook.push(Effect::Context(rest.to_owned())),
                "env" => {
                    let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                    let change = EnvChange { value: value.to_owned(), reach: EnvReach::Hooks };
                    hook.push(Effect::SessionEnv(BTreeMap::from([(name.to_owned(), change)])));
                }
                "rewrite" => {
                    let raw = RawJson::string(rest);
                    let original =
                        envelope.payload.tool_use().map_or_else(|| ToolCall::shell(""), |tool| tool.call.clone());
                    hook.push(Effect::ReplaceInput(Rewrite { call: self.project(&original, &raw), raw }));
                }
                _ => {}
            }
        }
        hook
    }

    fn context_limit(&self, definition: &Definition) -> Option<SpillLimit> {
        Some(SpillLimit { limit: definition.context_limit, unit: SpillUnit::Characters, keep_head: 4, keep_tail: 4 })
    }

    fn merge_policy(&self, _boundary: Boundary) -> &'static MergePolicy {
        &POLICY
    }

    fn tool_names(&self, _call: &ToolCall) -> Vec<String> {
        vec!["shell".to_owned()]
    }

    fn tool_call(&self, _name: &str, input: &RawJson) -> ToolCall {
        ToolCall::shell(input.as_str().unwrap_or_default())
    }

    fn project(&self, _original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
        let text = rewritten.as_str().filter(|text| !text.is_empty());
        let text = text.ok_or_else(|| InputRefused { reason: "no command".to_owned() })?;
        Ok(Projected { call: ToolCall::shell(text), ignored: Vec::new() })
    }
}
