//! A hook written for one vendor inside another vendor's client: what goes between the two, without IO.
//!
//! The client that runs the bridge is the *host*; the other vendor is the one that the hook was *written for*. A bridge
//! reads the host's standard input, says what to run and with what standard input, and writes the answer in the host's
//! language:
//!
//! ```
//! # #[cfg(all(feature = "claude", feature = "cursor"))] {
//! use crosshook::bridge::{Bridge, Chosen, Ran, Script};
//! use crosshook::{Outcome, SessionState};
//!
//! let (host, written_for) = (crosshook::codec("claude").unwrap(), crosshook::codec("cursor").unwrap());
//! let bridge = Bridge::new(host, written_for);
//! let stdin = br#"{"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Bash",
//!     "tool_input": {"command": "rm -rf build"}, "tool_use_id": "t", "transcript_path": "/t", "permission_mode": "default"}"#;
//! let mut session = SessionState::default();
//! let mut occurrence = bridge.read(stdin).unwrap();
//! bridge.begin(&mut occurrence, &mut session);
//!
//! let script = Script::shell("beforeShellExecution", "./guard.sh");
//! let hook = bridge.hook(&script).unwrap();
//! let told = bridge.tell(&occurrence).unwrap().remove(0);
//! assert!(matches!(bridge.choose(&hook, &told, &session), Chosen::Runs { doubtful: None }));
//! let mut given = Vec::new();
//! let invocation = bridge.invocation(&hook, &occurrence, &told, None, &mut given).unwrap();
//! assert_eq!(invocation.cwd, "/p");
//! assert!(String::from_utf8(given).unwrap().contains(r#""hook_event_name":"beforeShellExecution""#));
//!
//! // What the script printed is Cursor's language; what the host reads is Claude's.
//! let outcome = Outcome::exited(0, r#"{"permission": "deny", "agent_message": "not here"}"#);
//! let run = Ran { told, outcome, doubtful: None };
//! let bridged = bridge.answer(&hook, &occurrence, &[run], 1, session);
//! let printed = String::from_utf8(bridged.answer.stdout).unwrap();
//! assert!(printed.contains(r#""permissionDecision":"deny""#) && printed.contains("not here"));
//! # }
//! ```
//!
//! What the host's answer cannot say becomes something stricter where something is pending, and comes back as a
//! [`Loss`]; which, [`HookSide::write_answer`](crate::HookSide::write_answer) decides. How the script fails keeps its
//! meaning for the vendor that it was written for, unless the bridge is strict.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::activate::AdmitAll;
use hooks_core::adapter::{Answer, Codec, DecodePolicy, Encoded, Loss, StdinError};
use hooks_core::boundary::Boundary;
use hooks_core::definition::{Binding, BindingId, Definition, FailurePolicy, LoopLimit};
use hooks_core::effects::{Effect, HookEffects, OnPending, Verdict};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::facts::EventFacts;
use hooks_core::handler::{CommandHandler, Handler, HandlerKind};
use hooks_core::json::{RawJson, RawObject};
use hooks_core::location::{Given, HookVariable};
use hooks_core::outcome::{Invocation, Outcome, Program};
use hooks_core::settle::Dropped;
use hooks_core::source::{Origin, Source};
use hooks_core::text::clean_message;
use hooks_core::tool::ToolAction;
use hooks_core::{
    HostProfile, HostSide, Parsed, SessionState, VendorSources, Why, activate, decide, explain, reduce, settle,
};

/// Of the host's time limit, the part that is left to the bridge itself: a twentieth, within these bounds.
const MARGIN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(2));

/// A bridge between two vendors.
#[derive(Clone, Debug)]
pub struct Bridge {
    host: Arc<dyn Codec>,
    written_for: Arc<dyn Codec>,
    strict: bool,
}

/// A script with what its definition says of it, in the words of the vendor that it was written for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Script {
    /// The event that it was written for.
    pub event: String,
    /// What is run.
    pub command: CommandHandler,
    /// Its matcher, as its own vendor reads it.
    pub matcher: Option<String>,
    /// Its further condition.
    pub condition: Option<String>,
    /// Its time limit; the vendor's own where there is none.
    pub timeout: Option<Duration>,
    /// Whether a failure blocks.
    pub fail_closed: bool,
    /// How often it may make its turn go on; the vendor's own rule where there is none.
    pub loop_limit: Option<LoopLimit>,
    /// Whether it runs once a session.
    pub once: bool,
    /// The document that it was defined in, which decides where some vendors run it: its path and whose it is.
    pub document: Option<(String, Origin)>,
}

impl Script {
    /// A text for the shell, with nothing else said of it.
    #[must_use]
    pub fn shell(event: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(event, CommandHandler { command: text.into(), ..CommandHandler::default() })
    }

    /// A program with arguments, without a shell, with nothing else said of it.
    #[must_use]
    pub fn exec(event: impl Into<String>, program: impl Into<String>, args: Vec<String>) -> Self {
        Self::new(event, CommandHandler { command: program.into(), args: Some(args), ..CommandHandler::default() })
    }

    fn new(event: impl Into<String>, command: CommandHandler) -> Self {
        Self {
            event: event.into(),
            command,
            matcher: None,
            condition: None,
            timeout: None,
            fail_closed: false,
            loop_limit: None,
            once: false,
            document: None,
        }
    }

    /// A name that stays the same from run to run: counters are kept by it.
    fn id(&self, vendor: &str) -> BindingId {
        let CommandHandler { command, args, .. } = &self.command;
        let matcher = self.matcher.as_deref().unwrap_or_default();
        BindingId::new(&format!(
            "{vendor}:{}:{matcher}#{command} {:?}",
            self.event,
            args.as_deref().unwrap_or_default()
        ))
    }
}

/// Why a script cannot be bridged as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unbridgeable {
    /// The vendor has no event of this name.
    #[error("{vendor} has no event `{event}`")]
    NoSuchEvent {
        /// The vendor that the script was written for.
        vendor: String,
        /// The name.
        event: String,
    },
    /// Its matcher is not in its vendor's language, so the vendor itself would never run the script, or run it always.
    #[error("the matcher `{matcher}` cannot be read as {vendor} reads it: {why}")]
    Matcher {
        /// The vendor that the script was written for.
        vendor: String,
        /// The matcher.
        matcher: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Something that happened in the host, as its client told it.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// The host's event.
    pub event: &'static EventFacts,
    /// What happened.
    pub envelope: Envelope,
}

impl Occurrence {
    /// How often hooks have made the turn or the subagent go on that wants to end; `None` where nothing wants to.
    #[must_use]
    pub const fn rounds(&self) -> Option<u32> {
        match &self.envelope.payload {
            Payload::TurnStop(stop) => Some(stop.loop_count),
            Payload::SubagentStop(stop) => Some(stop.loop_count),
            _ => None,
        }
    }
}

/// Whether a script runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// It does; where that is doubtful, with the reason, and then only what restrains counts.
    Runs {
        /// Why it is doubtful.
        doubtful: Option<String>,
    },
    /// It does not; the text says why.
    Not(String),
}

/// A run of the script, and what it was told of.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What it was told.
    pub told: Envelope,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it is unsure that it should have run: only what restrains counts then.
    pub doubtful: Option<String>,
}

/// An answer in the host's language, with what became of the script's.
#[derive(Clone, Debug)]
pub struct Bridged {
    /// What to print and how to exit.
    pub answer: Answer,
    /// What the script's own vendor makes of each of its runs.
    pub said: Vec<HookEffects>,
    /// What the answer cannot say.
    pub losses: Vec<Loss>,
    /// What the script's own vendor would have dropped: a continuation beyond its limit, say.
    pub dropped: Vec<Dropped>,
    /// The session after it.
    pub session: SessionState,
}

impl Bridge {
    /// A bridge for scripts of one vendor in another's client. Both may be the same.
    #[must_use]
    pub const fn new(host: Arc<dyn Codec>, written_for: Arc<dyn Codec>) -> Self {
        Self { host, written_for, strict: false }
    }

    /// The same bridge, on which every failure of a script blocks where something can be blocked.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Reads the host's standard input. Scripts may need to tell turns apart: in a client that has no name for a turn, it
    /// has that of its prompt, else of its session.
    ///
    /// # Errors
    ///
    /// What is wrong with it. [`Bridge::refuse`] makes an answer of that.
    pub fn read(&self, stdin: &[u8]) -> Result<Occurrence, StdinError> {
        let (event, mut envelope) = self.host.read_stdin(stdin)?;
        let common = &mut envelope.common;
        if common.turn_id.is_none() {
            // What a prompt sets off is a turn. A host that tells neither has one, as far as a script can tell.
            common.turn_id = common.prompt_id.clone().or_else(|| Some(common.session_id.clone()));
        }
        Ok(Occurrence { event, envelope })
    }

    /// Brings a session and an occurrence to agree on how often hooks made the turn go on, before anything is chosen: a
    /// client that tells only whether they did is helped out by the session's count, and a turn that no hook prolonged
    /// starts the count anew.
    pub fn begin(&self, occurrence: &mut Occurrence, session: &mut SessionState) {
        session.observe(&occurrence.envelope);
        match rounds(&mut occurrence.envelope) {
            Some(0) => session.reset_continuations(),
            Some(count) => *count = session.turns_continued.max(*count),
            None => {}
        }
    }

    /// The events that the other vendor fires for what it is [told](Bridge::tell) of an occurrence, in its own order.
    #[must_use]
    pub fn events(&self, occurrence: &Occurrence) -> Vec<&'static EventFacts> {
        // What cannot be told apart is refused later, whatever the event.
        let told = self.tell(occurrence).unwrap_or_else(|_| vec![occurrence.envelope.clone()]);
        let fired: Vec<&str> =
            told.iter().flat_map(|told| self.written_for.fired_for(told)).map(|facts| facts.name).collect();
        self.written_for.events().iter().copied().filter(|facts| fired.contains(&facts.name)).collect()
    }

    /// A script as a binding of its vendor's.
    ///
    /// # Errors
    ///
    /// [`Unbridgeable`] for an event that its vendor does not have, and for a matcher that it cannot read.
    pub fn hook(&self, script: &Script) -> Result<Binding, Unbridgeable> {
        let vendor = self.written_for.vendor().as_str();
        let blank = self.written_for.blank(&script.event);
        let mut definition = blank
            .ok_or_else(|| Unbridgeable::NoSuchEvent { vendor: vendor.to_owned(), event: script.event.clone() })?;
        definition.id = script.id(vendor);
        definition.handler = Handler::Command(script.command.clone());
        if let Some(text) = &script.matcher {
            let (matcher, error) = self.written_for.matcher(&script.event, Some(text));
            if let Some(error) = error {
                let (vendor, matcher) = (vendor.to_owned(), text.clone());
                return Err(Unbridgeable::Matcher { vendor, matcher, why: error.to_string() });
            }
            definition.matcher = matcher;
            definition.matcher_text = Some(text.clone());
        }
        definition.condition.clone_from(&script.condition);
        if let Some(timeout) = script.timeout {
            definition.timeout = timeout;
        }
        if script.fail_closed {
            definition.failure = FailurePolicy::Closed;
        }
        if definition.loop_limit.is_some() && script.loop_limit.is_some() {
            definition.loop_limit = script.loop_limit;
        }
        definition.once = script.once;
        if let Some((path, origin)) = &script.document {
            let source = Source { path: path.clone(), origin: *origin, ..(*definition.source).clone() };
            definition.source = Arc::new(source);
        }
        Ok(Binding::alone(definition))
    }

    /// What the other vendor's client would fire for an occurrence: the same once, or once for each part of a call that
    /// the host makes as one and the other vendor as several. A tool of the host's that does what a usual one does is told
    /// as that.
    ///
    /// # Errors
    ///
    /// Why the parts of a call cannot be told apart. A guard that did not see them would be none:
    /// [`Bridge::refusal`] makes an answer of that.
    pub fn tell(&self, occurrence: &Occurrence) -> Result<Vec<Envelope>, String> {
        let envelope = &occurrence.envelope;
        let parts = envelope.payload.tool_use().and_then(|tool| {
            let parts = self.host.parts(&tool.call, &envelope.common.cwd)?;
            // A vendor that has such calls itself takes it as it is.
            self.written_for.parts(&tool.call, &envelope.common.cwd).is_none().then_some(parts)
        });
        let Some(parts) = parts else { return Ok(vec![envelope.clone()]) };
        let parts = parts.map_err(|why| format!("what the call does to each file cannot be read: {why}"))?;
        let told = parts.into_iter().map(|call| {
            let mut part = envelope.clone();
            if let Some(tool) = part.payload.tool_use_mut() {
                tool.call = call;
            }
            part
        });
        Ok(told.collect())
    }

    /// Whether the other vendor's client would run the script for what it is [told](Bridge::tell).
    ///
    /// Where the host does not say which tool server a tool belongs to, it may be any that the matcher names.
    #[must_use]
    pub fn choose(&self, hook: &Binding, told: &Envelope, session: &SessionState) -> Chosen {
        let chosen = self.choose_as_told(hook, told, session);
        let has_no_server = |told: &Envelope| {
            let call = told.payload.tool_use().and_then(|tool| tool.call.as_mcp());
            call.is_some_and(|mcp| mcp.server.is_empty())
        };
        let Some(matcher) = hook.matcher_text.as_deref() else { return chosen };
        if !matches!(chosen, Chosen::Not(_)) || !has_no_server(told) {
            return chosen;
        }
        let on = |server: &str| {
            let mut told = told.clone();
            if let Some(tool) = told.payload.tool_use_mut()
                && let ToolAction::Mcp(mcp) = &mut tool.call.action
            {
                server.clone_into(&mut mcp.server);
            }
            self.choose_as_told(hook, &told, session)
        };
        let may_be = servers_in(matcher).into_iter().any(|server| matches!(on(server), Chosen::Runs { .. }));
        if may_be {
            let why = "the client does not say which tool server the tool belongs to".to_owned();
            return Chosen::Runs { doubtful: Some(why) };
        }
        chosen
    }

    fn choose_as_told(&self, hook: &Binding, told: &Envelope, session: &SessionState) -> Chosen {
        let definition: &Definition = hook;
        let mut document = Parsed::empty(Arc::clone(&definition.source));
        document.definitions.push(definition.clone());
        let adapter: Arc<dyn HostSide> = self.written_for.clone();
        let vendors = vec![VendorSources { adapter, documents: vec![document] }];
        let host = HostProfile::full().handlers([HandlerKind::Command]);
        let snapshot = match activate(vendors, &host, &AdmitAll) {
            Ok(snapshot) => snapshot,
            Err(refused) => return Chosen::Not(refused.to_string()),
        };
        match explain(&snapshot, told, session).into_iter().next() {
            Some((_, Why::Run)) => Chosen::Runs { doubtful: None },
            Some((_, Why::Doubtful(why))) => Chosen::Runs { doubtful: Some(why) },
            Some((_, Why::No(why))) => Chosen::Not(why),
            None => Chosen::Not("there is nothing to run".to_owned()),
        }
    }

    /// Whether an event of the other vendor's and one of the host's are ever fired for the same occurrence.
    ///
    /// A script that was written for an event which is not would never run here.
    #[must_use]
    pub fn share_a_boundary(&self, host_event: &EventFacts, event: &EventFacts) -> bool {
        let of = |adapter: &dyn Codec, facts: &EventFacts| -> Vec<Boundary> {
            facts.boundary.into_iter().chain(adapter.also_on(facts).iter().copied()).collect()
        };
        let own = of(&*self.written_for, event);
        of(&*self.host, host_event).iter().any(|boundary| own.contains(boundary))
    }

    /// What to run, with the environment of the vendor that the script was written for: variables that the host's client
    /// sets for its hooks are taken out. Its standard input is written into `stdin`, which is cleared first.
    ///
    /// `left` is what is left of the host's time limit, which the bridge's own ends before: a script that takes longer is
    /// timed out by its own vendor's rule. Without it, the limit of the host's event is taken, as its client has it where
    /// a definition says nothing.
    ///
    /// # Errors
    ///
    /// [`NotRun`](hooks_core::NotRun) where the occurrence cannot be told in the other vendor's language; as an outcome it
    /// goes on to [`Bridge::answer`].
    pub fn invocation(
        &self,
        hook: &Binding,
        occurrence: &Occurrence,
        told: &Envelope,
        left: Option<Duration>,
        stdin: &mut Vec<u8>,
    ) -> Encoded {
        let mut invocation = self.written_for.encode(hook, told, stdin)?;
        if let (Handler::Command(CommandHandler { command, args: Some(args), .. }), Program::ShellText { .. }) =
            (&hook.handler, &invocation.program)
        {
            // Its vendor's files have no form without a shell; the words on the bridge's own command line are one.
            invocation.program = Program::Exec { program: command.clone(), args: args.clone() };
        }
        if let Some(own) = self.host.blank(occurrence.event.name).map(Binding::alone) {
            let left = left.unwrap_or(own.timeout);
            let margin = (left / 20).clamp(MARGIN.0, MARGIN.1).min(left / 2);
            invocation.timeout = invocation.timeout.min(left.saturating_sub(margin));
            let mut scratch = Vec::new();
            if let Ok(hosts) = self.host.encode(&own, &occurrence.envelope, &mut scratch) {
                take_out(hosts, &mut invocation);
            }
            // Those of plugins and of other sessions may be inherited too.
            let set = |variable: &HookVariable| !matches!(variable.given, Given::Never { .. });
            for variable in self.host.hook_variables().iter().filter(|variable| set(variable)) {
                remove(&mut invocation, variable.name.to_owned());
            }
        }
        Ok(invocation)
    }

    /// The answer that the host reads, with the session after it.
    ///
    /// `runs` are those of what was [told](Bridge::tell), in its order, for which the script ran; `of` is how many were
    /// told. What lets the whole call go on must be said of every part of it.
    #[must_use]
    pub fn answer(
        &self,
        hook: &Binding,
        occurrence: &Occurrence,
        runs: &[Ran],
        of: usize,
        session: SessionState,
    ) -> Bridged {
        let (event, envelope) = (occurrence.event, &occurrence.envelope);
        let boundary = envelope.boundary();
        let policy = DecodePolicy { strict: self.strict };
        let said: Vec<HookEffects> = runs
            .iter()
            .map(|run| {
                let mut said = self.written_for.decode(hook, &run.told, &run.outcome, policy);
                if run.doubtful.is_some() {
                    said = said.doubtful();
                    said.effects.retain(restrains);
                }
                said
            })
            .collect();
        let settled = settle(reduce(said.clone()), self.written_for.merge_policy(boundary), self.strict);
        let profile = HostProfile::full().strict(self.strict);
        let (decision, mut session) = decide(settled, boundary, &profile, session);
        if hook.once && !runs.is_empty() {
            session.ran_once.insert(hook.id.clone());
        }
        let counts = |text: &str| decision.continuations.iter().any(|said| said.value.text == text);
        let effects = said.iter().flat_map(|said| &said.effects).filter_map(|effect| match effect {
            Effect::Continue(continuation) if !counts(&continuation.text) => None,
            Effect::Unsupported(unsupported) if self.strict && boundary.is_pending() => {
                let mut unsupported = unsupported.clone();
                unsupported.on_pending = OnPending::Deny;
                Some(Effect::Unsupported(unsupported))
            }
            effect => Some(effect.clone()),
        });
        let mut effects: Vec<Effect> = effects.collect();
        if of > 1 {
            join_parts(&mut effects, of);
        }
        let (answer, losses) = self.host.write_answer(event, envelope, &effects);
        Bridged { answer, said, losses, dropped: decision.report.dropped, session }
    }

    /// The answer of a hook that has nothing to say.
    #[must_use]
    pub fn silence(&self, occurrence: &Occurrence) -> Answer {
        self.host.write_answer(occurrence.event, &occurrence.envelope, &[]).0
    }

    /// The answer where the bridge itself cannot do its work on an occurrence: a denial where something is pending, and
    /// nothing elsewhere, with the reason on standard error and a code that is none of a vendor's.
    #[must_use]
    pub fn refusal(&self, occurrence: &Occurrence, why: &str) -> Answer {
        if !can_hold_back(occurrence.envelope.boundary()) {
            return failed(1, why);
        }
        let deny = Effect::Verdict { verdict: Verdict::Deny, reasons: vec![message(why)] };
        self.host.write_answer(occurrence.event, &occurrence.envelope, &[deny]).0
    }

    /// The answer where not even the host's standard input can be read: it blocks, by the exit code that all vendors read
    /// as a block, unless the text names an event on which nothing can be held back, or where blocking means that a turn
    /// goes on.
    #[must_use]
    pub fn refuse(&self, stdin: &[u8], why: &str) -> Answer {
        let named = RawObject::parse_slice(stdin).ok().and_then(|object| {
            let name = RawJson::parse(object.get("hook_event_name")?.get()).ok()?.to_value();
            self.host.event(name.as_str()?)?.boundary
        });
        failed(if named.is_none_or(can_hold_back) { 2 } else { 1 }, why)
    }
}

/// Names that may be those of tool servers in a matcher's text, and one that is in none.
fn servers_in(matcher: &str) -> Vec<&str> {
    let words = matcher.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.')));
    let names = words.filter_map(|word| word.strip_prefix("mcp__").unwrap_or(word).split("__").next());
    names.filter(|name| !name.is_empty()).chain(["server"]).collect()
}

/// How often hooks have made the turn or the subagent go on that wants to end.
fn rounds(envelope: &mut Envelope) -> Option<&mut u32> {
    match &mut envelope.payload {
        Payload::TurnStop(stop) => Some(&mut stop.loop_count),
        Payload::SubagentStop(stop) => Some(&mut stop.loop_count),
        _ => None,
    }
}

/// Whether something can be held back on a boundary, other than by making a turn go on.
fn can_hold_back(boundary: Boundary) -> bool {
    boundary.is_pending() || boundary == Boundary::PromptSubmit
}

/// Whether an effect holds something back: what counts where it is doubtful that a hook should have run.
fn restrains(effect: &Effect) -> bool {
    match effect {
        Effect::Verdict { verdict, .. } => *verdict != Verdict::Allow,
        Effect::Halt(_) => true,
        Effect::Unsupported(unsupported) => unsupported.on_pending == OnPending::Deny,
        _ => false,
    }
}

/// Makes what was said of the parts of a call what is said of the whole: an allow counts if it was said of each, and another
/// input of one part cannot be put into the whole, which is then not made.
fn join_parts(effects: &mut Vec<Effect>, of: usize) {
    let is_allow = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Allow, .. });
    let allowed = effects.iter().filter(|effect| is_allow(effect)).count();
    if allowed < of {
        effects.retain(|effect| !is_allow(effect));
    }
    let all = effects.len();
    effects.retain(|effect| !matches!(effect, Effect::ReplaceInput(_)));
    if effects.len() < all {
        let why = "a hook rewrote a part of the call, which cannot be put into the whole, so it was not made";
        effects.push(Effect::Verdict { verdict: Verdict::Deny, reasons: vec![why.to_owned()] });
    }
}

/// Takes the variables that the host's client sets for its own hooks out of what the script gets, except those that its
/// own vendor sets too.
fn take_out(hosts: Invocation, invocation: &mut Invocation) {
    let file = hosts.session_file.map(|file| file.variable.to_owned());
    hosts.env.into_iter().map(|(name, _)| name).chain(file).for_each(|name| remove(invocation, name));
}

/// Takes a variable out of what is inherited. What the script's own vendor sets stays: removing comes first.
fn remove(invocation: &mut Invocation, name: String) {
    if !invocation.env_remove.contains(&name) {
        invocation.env_remove.push(name);
    }
}

fn message(why: &str) -> String {
    format!("crosshook bridge: {}", clean_message(why))
}

fn failed(exit_code: i32, why: &str) -> Answer {
    Answer { stdout: Vec::new(), stderr: (message(why) + "\n").into_bytes(), exit_code }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runs { doubtful: None } => f.write_str("runs"),
            Self::Runs { doubtful: Some(why) } => write!(f, "runs, though that is doubtful: {why}"),
            Self::Not(why) => write!(f, "does not run: {why}"),
        }
    }
}
