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
//! [`Loss`](hooks_core::adapter::Loss); which, [`HookSide::write_answer`](crate::HookSide::write_answer) decides. How the
//! script fails keeps its meaning for the vendor that it was written for, unless the bridge is strict.

mod answer;
mod choose;
mod script;

use std::sync::Arc;
use std::time::Duration;

use hooks_core::SessionState;
use hooks_core::adapter::{Codec, Encoded, StdinError};
use hooks_core::definition::Binding;
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::facts::EventFacts;
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::location::{Given, HookVariable};
use hooks_core::outcome::{Invocation, Program};

pub use answer::{Bridged, Ran};
pub use choose::Chosen;
pub use script::{Script, Unbridgeable};

/// Of the host's time limit, the part that is left to the bridge itself: a twentieth, within these bounds.
const MARGIN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(2));

/// A bridge between two vendors.
#[derive(Clone, Debug)]
pub struct Bridge {
    host: Arc<dyn Codec>,
    written_for: Arc<dyn Codec>,
    strict: bool,
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
    ///
    /// To be called once for each occurrence: each time that the turn wants to end again counts, whoever prolonged it.
    /// Where several scripts are bridged, each has counts of its own, since all of them are told of the same ends.
    pub fn begin(&self, occurrence: &mut Occurrence, session: &mut SessionState) {
        session.observe(&occurrence.envelope);
        match rounds(&mut occurrence.envelope) {
            Some(0) => session.reset_continuations(),
            Some(count) => {
                *count = session.turns_continued.saturating_add(1).max(*count);
                session.turns_continued = *count;
            }
            None => {}
        }
    }

    /// How long the host's client may take to write the standard input: the shortest time limit that it gives hooks of
    /// events on which something can be held back, as it is where a definition says nothing, without the part that the
    /// bridge itself needs to answer.
    #[must_use]
    pub fn patience(&self, host_timeout: Option<Duration>) -> Duration {
        let guards = || {
            let holds = |facts: &&&EventFacts| facts.boundary.is_some_and(answer::can_hold_back);
            let events = self.host.events().iter().filter(holds);
            events.filter_map(|facts| self.host.blank(facts.name)).map(|own| own.timeout).min().unwrap_or_default()
        };
        within(host_timeout.unwrap_or_else(guards))
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
            // A vendor whose hooks are made for such calls takes it as it is.
            let same = self.host.vendor() == self.written_for.vendor();
            (!same && !self.written_for.takes_whole(&tool.call)).then_some(parts)
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

    /// Whether an event of the other vendor's and one of the host's are ever fired for the same occurrence.
    ///
    /// A script that was written for an event which is not would never run here.
    #[must_use]
    pub fn share_a_boundary(&self, host_event: &EventFacts, event: &EventFacts) -> bool {
        self.written_for.boundaries(event).iter().any(|boundary| self.host.is_on(host_event, *boundary))
    }

    /// What to run, with the environment of the vendor that the script was written for: variables that the host's client
    /// sets for its hooks are taken out. Its standard input is written into `stdin`, which is cleared first.
    ///
    /// `left` is what is left of the host's time limit, which the bridge's own ends before: a script that takes longer is
    /// timed out by its own vendor's rule. Without it, the limit of the host's event is taken, as its client has it where
    /// a definition says nothing.
    ///
    /// A file for later shell commands that its vendor would give it, and the host does not, is named in the invocation's
    /// `session_file`; the caller makes one.
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
        let file = invocation.session_file;
        if let Some(own) = self.host.blank(occurrence.event.name).map(Binding::alone) {
            invocation.timeout = invocation.timeout.min(within(left.unwrap_or(own.timeout)));
            let (mut scratch, mut hosts_file) = (Vec::new(), None);
            if let Ok(hosts) = self.host.encode(&own, &occurrence.envelope, &mut scratch) {
                hosts_file = hosts.session_file.map(|file| file.variable);
                take_out(hosts, &mut invocation);
            }
            // Those of plugins and of other sessions may be inherited too.
            let set = |variable: &HookVariable| !matches!(variable.given, Given::Never { .. });
            for variable in self.host.hook_variables().iter().filter(|variable| set(variable)) {
                remove(&mut invocation, variable.name.to_owned());
            }
            if let Some(file) = file.filter(|file| hosts_file == Some(file.variable)) {
                // The host's client reads such a file itself: the script gets that one.
                invocation.env_remove.retain(|name| name != file.variable);
                invocation.session_file = None;
            }
        }
        Ok(invocation)
    }
}

/// How often hooks have made the turn or the subagent go on that wants to end.
fn rounds(envelope: &mut Envelope) -> Option<&mut u32> {
    match &mut envelope.payload {
        Payload::TurnStop(stop) => Some(&mut stop.loop_count),
        Payload::SubagentStop(stop) => Some(&mut stop.loop_count),
        _ => None,
    }
}

/// What is left of a time limit for anything but the bridge itself.
fn within(limit: Duration) -> Duration {
    let margin = (limit / 20).clamp(MARGIN.0, MARGIN.1).min(limit / 2);
    limit.saturating_sub(margin)
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
