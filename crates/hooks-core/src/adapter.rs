//! What a vendor's adapter provides, in both directions.
//!
//! A host needs [`HostSide`]: read the vendor's documents, say what an occurrence's subject is, write the standard input
//! a hook gets, read the answer it gives. A bridge, which runs one vendor's script inside another's client, needs
//! [`HookSide`]: the inverses.
//!
//! Both are object safe: hosts hold `Arc<dyn HostSide>` and choose a vendor when they start.

use std::fmt;
use std::sync::Arc;

use crate::activate::Admitted;
use crate::boundary::Boundary;
use crate::channel::Channel;
use crate::definition::{Binding, Definition, Place, State};
use crate::diagnostic::{Code, Diagnostic, Reach, Severity};
use crate::effects::{Effect, HookEffects, Verdict};
use crate::entry::{self, Entry};
use crate::envelope::Envelope;
use crate::facts::EventFacts;
use crate::json::RawJson;
use crate::location::{HookVariable, Location};
use crate::matcher::{Matched, Matcher, PatternError, SubjectValue};
use crate::outcome::{Invocation, NotRun, Outcome, SessionFile};
use crate::policy::MergePolicy;
use crate::source::{Role, Source};
use crate::spill::SpillLimit;
use crate::tool::{InputRefused, Projected, ToolCall};
use crate::vendor::{VendorId, Version};

/// The table of facts an adapter works from. A near-copy of a vendor's format is another dialect of the same adapter.
///
/// `E` is the adapter's own row type; each row holds an [`EventFacts`].
#[derive(Debug)]
pub struct Dialect<E: 'static> {
    /// Its name.
    pub name: &'static str,
    /// Whose format it is.
    pub vendor: VendorId,
    /// The newest client whose facts are recorded.
    pub latest: Version,
    /// The rows, in the vendor's order.
    pub events: &'static [E],
    /// The facts of the rows, in the same order.
    pub facts: &'static [&'static EventFacts],
}

/// What parsing one document came to. Parsing never fails as a whole: what is wrong is in the diagnostics.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The document.
    pub source: Arc<Source>,
    /// Whether the vendor takes nothing from it at all.
    pub rejected: bool,
    /// Its definitions, in the order the vendor declares them. A definition that is skipped is here too, inert.
    pub definitions: Vec<Definition>,
    /// Definitions as they will be once faults that are told of are mended, in a state other than live: for checkers, which
    /// tell of everything that will still be wrong then. Nothing runs them.
    pub meant: Vec<Definition>,
    /// What it turns on or off.
    pub switches: Vec<Switch>,
    /// What it says about trust.
    pub trust: Vec<TrustRecord>,
    /// What is to be told about it.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// A document with nothing in it.
    #[must_use]
    pub const fn empty(source: Arc<Source>) -> Self {
        Self {
            source,
            rejected: false,
            definitions: Vec::new(),
            meant: Vec::new(),
            switches: Vec::new(),
            trust: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// A document that is there and could not be read: it is rejected, so that a vendor whose managed documents must load
    /// can refuse the session.
    #[must_use]
    pub fn unreadable(source: Arc<Source>, why: &str) -> Self {
        let reach = if source.role == Role::Requirements { Reach::Session } else { Reach::File };
        let mut parsed = Self { rejected: true, ..Self::empty(source) };
        parsed.report(Diagnostic::new(&UNREADABLE, reach, format!("the document could not be read: {why}")));
        parsed
    }

    /// Adds a diagnostic, with the document's path.
    pub fn report(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.path.clone_from(&self.source.path);
        self.diagnostics.push(diagnostic);
    }
}

/// A document that is there and could not be read.
pub static UNREADABLE: Code = Code {
    id: "core/unreadable",
    about: "unreadable",
    severity: Severity::Error,
    summary: "A document is there and could not be read, so nothing in it counts.",
    help: "See to it that it is an ordinary file of a sensible size that this user may read.",
};

/// Something a document turns on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Switch {
    /// All hooks are off (`true`) or explicitly not (`false`).
    DisableAll(bool),
    /// Only managed hooks run.
    ManagedOnly(bool),
    /// Of hooks, only managed ones and those of plugins run.
    PluginsOnly(bool),
    /// The feature itself is on or off.
    Feature(bool),
}

/// What a document says about the trust in one definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustRecord {
    /// The vendor's key for the definition.
    pub key: String,
    /// Whether it is switched on; `None` where nothing is said.
    pub enabled: Option<bool>,
    /// The fingerprint that was trusted.
    pub trusted_hash: Option<String>,
}

/// A handler entry as a vendor's own records of trust know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Where it stands in its document.
    pub place: Place,
    /// The key its record has.
    pub key: String,
    /// The text that is hashed.
    pub canonical: String,
    /// The hash, as records write it.
    pub hash: String,
}

/// What a vendor's switches come to over all its documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulings {
    /// The state of each document's definitions, where a switch changes it: one a document, or none at all. Activation
    /// refuses any other number, since it could leave on what a switch turns off.
    /// [`State::Live`] brings back what a switch in the document itself turned off.
    pub states: Vec<Option<State>>,
    /// Why the session may not start, when managed requirements could not be loaded.
    pub refuse: Option<String>,
}

/// Whether an occurrence is one of an event, and what its matchers are tested against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// It is.
    Is(SubjectValue<'a>),
    /// It is on the same boundary but not one of this event; the text says why.
    NotThisEvent(&'static str),
}

/// What encoding came to.
pub type Encoded = Result<Invocation, NotRun>;

/// The host's choices that decoding depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecodePolicy {
    /// Whether every failed evaluation of something that can block blocks.
    pub strict: bool,
}

/// The half of an adapter that a host needs.
pub trait HostSide: Send + Sync + fmt::Debug {
    /// Whose format this is.
    fn vendor(&self) -> &VendorId;

    /// The client version whose facts hold.
    fn version(&self) -> Version;

    /// The event table, in the vendor's order.
    fn events(&self) -> &'static [&'static EventFacts];

    /// One event's facts, by the vendor's exact name.
    fn event(&self, name: &str) -> Option<&'static EventFacts> {
        self.events().iter().copied().find(|event| event.name == name)
    }

    /// Boundaries beside its own on which the vendor fires an event for some occurrences; [`HostSide::subject`] says which.
    /// A vendor may call a command that returned with an exit code a failure, where the host's world has a result.
    fn also_on(&self, _event: &EventFacts) -> &'static [Boundary] {
        &[]
    }

    /// The boundaries on which the vendor fires an event: its own, then those that it is [also on](HostSide::also_on).
    fn boundaries(&self, event: &EventFacts) -> Vec<Boundary> {
        event.boundary.into_iter().chain(self.also_on(event).iter().copied()).collect()
    }

    /// Whether the vendor ever fires an event on a boundary: whether it is one of its [boundaries](HostSide::boundaries).
    fn is_on(&self, event: &EventFacts, boundary: Boundary) -> bool {
        event.boundary == Some(boundary) || self.also_on(event).contains(&boundary)
    }

    /// The events that the vendor's client fires for an occurrence, in the table's order.
    fn fired_for(&self, envelope: &Envelope) -> Vec<&'static EventFacts> {
        let fired = |facts: &&EventFacts| {
            self.is_on(facts, envelope.boundary())
                && self.event(facts.name).is_some()
                && matches!(self.subject(facts, envelope), Subject::Is(_))
        };
        self.events().iter().copied().filter(fired).collect()
    }

    /// Every diagnostic this adapter can give.
    fn codes(&self) -> &'static [&'static Code];

    /// Where the vendor's documents lie.
    fn locations(&self) -> &'static [Location];

    /// Reads one document. Never fails as a whole, whatever the bytes.
    fn parse(&self, source: &Arc<Source>) -> Parsed;

    /// The variables that stand for folders in the commands of a document's hooks, each with its folder: the project's
    /// root, and for a plugin's document the plugin's folders. For whoever looks for the files that a command names;
    /// what a run really gets is in its [`Invocation`].
    fn folder_variables(&self, _source: &Source, _project: &str) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The variables that the vendor's contract speaks of, with which hooks get them, and those that people expect of it
    /// and that it does not set. For whoever looks at a command without running it; what is inherited is not here.
    fn hook_variables(&self) -> Vec<HookVariable> {
        Vec::new()
    }

    /// The order in which documents are declared: lower first.
    fn precedence(&self, source: &Source) -> i32;

    /// What the switches of all documents come to.
    fn rule(&self, _documents: &[Parsed]) -> Rulings {
        Rulings::default()
    }

    /// What only several documents together show: hooks that a switch elsewhere turns off and what that leaves unguarded,
    /// copies of a handler in several documents, what one document forbids another. Documents stand by precedence, lower
    /// first. Each diagnostic has its document's path.
    fn across(&self, _documents: &[Parsed]) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// What the vendor's own records of trust, in these documents, say about a definition: `None` where the vendor keeps
    /// none or they say nothing. A host's [`Admission`](crate::activate::Admission) gets it as advice.
    fn trust(&self, _definition: &Definition, _documents: &[Parsed]) -> Option<Admitted> {
        None
    }

    /// The fingerprints of a document's entries, where the vendor keeps records of trust and its formula is known.
    fn fingerprints(&self, _source: &Arc<Source>) -> Vec<Fingerprint> {
        Vec::new()
    }

    /// The adapter as the documents of a session make it, in the order of [`HostSide::precedence`]: for limits that
    /// stand in one document and hold for the hooks of all. A snapshot uses it in this one's place. `None` where
    /// documents change nothing.
    fn informed(&self, _documents: &[Parsed]) -> Option<Arc<dyn HostSide>> {
        None
    }

    /// A command definition on an event with the vendor's defaults and nothing else: for tools that fire an event
    /// without a document, and for vectors. `None` for a name that is no event.
    fn blank(&self, event: &str) -> Option<Definition>;

    /// The matcher a text means on an event, with what is wrong with it. Events that ignore matchers take all.
    fn matcher(&self, event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>);

    /// Whether an occurrence is one of the event, and its subject.
    fn subject<'e>(&self, event: &EventFacts, envelope: &'e Envelope) -> Subject<'e>;

    /// Whether a definition's further condition holds. Called only where it has one.
    fn condition(&self, _definition: &Definition, _envelope: &Envelope) -> Matched {
        Matched::Yes
    }

    /// Whether hooks of an event are given what a file holds before it is read. Who runs them has to know it then: in
    /// [`Read::content`](crate::tool::Read::content).
    fn gives_content(&self, _event: &EventFacts) -> bool {
        false
    }

    /// Writes the standard input for a binding into `stdin` (which is cleared first) and says what to run.
    ///
    /// # Errors
    ///
    /// [`NotRun`] where the payload or the handler cannot be expressed; it goes on to [`HostSide::decode`].
    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded;

    /// What an outcome asks for, by the vendor's rules. Never panics, whatever the hook printed.
    fn decode(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome, policy: DecodePolicy) -> HookEffects;

    /// What a late answer of a background run asks for: context and notices only.
    fn decode_late(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome) -> HookEffects {
        let mut late = self.decode(binding, envelope, outcome, DecodePolicy::default());
        late.effects.retain(|effect| matches!(effect, Effect::Context(_) | Effect::Notice(_)));
        late
    }

    /// How the vendor folds several hooks of a boundary.
    fn merge_policy(&self, boundary: Boundary) -> &'static MergePolicy;

    /// The vendor's name for a tool, then its aliases.
    fn tool_names(&self, call: &ToolCall) -> Vec<String>;

    /// The call that a vendor's tool name and input mean.
    fn tool_call(&self, name: &str, input: &RawJson) -> ToolCall;

    /// The call that a rewritten input comes to.
    ///
    /// # Errors
    ///
    /// [`InputRefused`] where the vendor's tool would not take it: the call then fails.
    fn project(&self, original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused>;

    /// How much context one definition may give on an event.
    fn context_limit(&self, _definition: &Definition) -> Option<SpillLimit> {
        None
    }

    /// How long the text of one effect may be: of the effect at a place among all that the definition's run asked for.
    /// `None` where it passes whole. By itself only context has a limit.
    fn text_limit(&self, definition: &Definition, said: &HookEffects, at: usize) -> Option<SpillLimit> {
        match said.effects.get(at) {
            Some(Effect::Context(_)) => self.context_limit(definition),
            _ => None,
        }
    }

    /// How long a text may be that stands in place of a tool's result, once those of all hooks are folded into one.
    fn result_limit(&self, _boundary: Boundary) -> Option<SpillLimit> {
        None
    }

    /// Every file that hooks of this vendor may write variables for later programs to, in the order in which they are
    /// read. An [`Invocation`] names the one that its run gets.
    fn session_files(&self) -> &'static [SessionFile] {
        &[]
    }

    /// Whether a session's documents are those it began with: a change then counts for later sessions only.
    fn holds_documents(&self) -> bool {
        false
    }

    /// What is reported of a run that has ended, in the order in which the vendor's client reports it. Texts are whole,
    /// whatever limit they have elsewhere.
    fn entries(&self, _binding: &Binding, _outcome: &Outcome, said: &HookEffects) -> Vec<Entry> {
        entry::entries(said)
    }
}

/// Standard input that is not what the event carries.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StdinError(pub String);

/// What a hook prints and how it exits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit code.
    pub exit_code: i32,
}

/// What of an answer a [`Loss`] is about, for programs; its words are for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lost {
    /// A verdict or a part of it: which one.
    Verdict(Verdict),
    /// An effect of another channel, or a part of it.
    Channel(Channel),
    /// Something that only one vendor has, by its [kind](crate::effects::Special::kind).
    Special(&'static str),
    /// A field that the hook's own vendor could not carry out either.
    Unsupported(String),
    /// That there is no opinion.
    NoOpinion,
}

impl Lost {
    /// What a loss about an effect is about.
    #[must_use]
    pub fn of(effect: &Effect) -> Self {
        match effect {
            Effect::Verdict { verdict, .. } => Self::Verdict(*verdict),
            Effect::Special(special) => Self::Special(special.kind()),
            Effect::Unsupported(unsupported) => Self::Unsupported(unsupported.field.clone()),
            other => Self::Channel(other.channel()),
        }
    }

    /// The word for it: of a verdict and a channel its own, of anything else its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Verdict(verdict) => verdict.as_str(),
            Self::Channel(channel) => channel.as_str(),
            Self::Special(kind) => kind,
            Self::Unsupported(field) => field,
            Self::NoOpinion => "no-opinion",
        }
    }
}

impl From<Verdict> for Lost {
    fn from(verdict: Verdict) -> Self {
        Self::Verdict(verdict)
    }
}

impl From<Channel> for Lost {
    fn from(channel: Channel) -> Self {
        Self::Channel(channel)
    }
}

/// Something that a vendor's answer cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// What it is about.
    pub of: Lost,
    /// What is lost, in words.
    pub what: String,
    /// What stands in its place, if anything.
    pub instead: Option<String>,
}

impl Loss {
    /// The loss of a part of something: what it is about, in words what is lost, and what stands in its place.
    #[must_use]
    pub fn new(of: impl Into<Lost>, what: impl Into<String>, instead: Option<&str>) -> Self {
        Self { of: of.into(), what: what.into(), instead: instead.map(str::to_owned) }
    }

    /// The loss of the whole of something, in its own word.
    #[must_use]
    pub fn whole(of: impl Into<Lost>, instead: Option<&str>) -> Self {
        let of = of.into();
        let what = of.as_str().to_owned();
        Self::new(of, what, instead)
    }

    /// Whether it is about an effect.
    #[must_use]
    pub fn is_about(&self, effect: &Effect) -> bool {
        self.of == Lost::of(effect)
    }
}

/// The half of an adapter that stands on the hook's side.
pub trait HookSide: Send + Sync + fmt::Debug {
    /// Reads the standard input the vendor's client writes; returns the event's name and the occurrence.
    ///
    /// # Errors
    ///
    /// [`StdinError`] when it is not a payload of this vendor.
    fn read_stdin(&self, stdin: &[u8]) -> Result<(&'static EventFacts, Envelope), StdinError>;

    /// What a call of this vendor's does, as the calls that other vendors have for it: a patch over several files, or a
    /// command of a second shell tool. `None` where it is the same call for everybody. Relative paths in it are found from
    /// `cwd`.
    ///
    /// A bridge asks a hook of another vendor about each.
    fn parts(&self, _call: &ToolCall, _cwd: &str) -> Option<Result<Vec<ToolCall>, String>> {
        None
    }

    /// Whether hooks of this vendor are made for a call that is several for others: it has no other call for the same.
    fn takes_whole(&self, call: &ToolCall) -> bool {
        self.parts(call, "").is_some()
    }

    /// Writes effects as the vendor's answer on an event. What cannot be said comes back as losses; a restraint that
    /// cannot be said in its own form is said in the next stronger one.
    fn write_answer(&self, event: &EventFacts, envelope: &Envelope, effects: &[Effect]) -> (Answer, Vec<Loss>);
}

/// An adapter with both halves: what a bridge needs of each of its two vendors.
pub trait Codec: HostSide + HookSide {}

impl<T: HostSide + HookSide> Codec for T {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effects::Special;

    #[test]
    fn a_loss_is_about_the_effect_it_was_made_for_whatever_its_words() {
        let verdict = |verdict| Effect::Verdict { verdict, reasons: Vec::new() };
        let ask = Loss::whole(Verdict::Ask, Some("deny"));
        assert_eq!((ask.what.as_str(), ask.instead.as_deref()), ("ask", Some("deny")));
        assert!(ask.is_about(&verdict(Verdict::Ask)) && !ask.is_about(&verdict(Verdict::Deny)));
        let notice = Loss::new(Channel::UserNotice, "context and a verdict are only its words", None);
        assert!(notice.is_about(&Effect::Notice("x".to_owned())));
        assert!(!notice.is_about(&Effect::Context("x".to_owned())));
        let retry = Loss::whole(Lost::of(&Effect::Special(Special::RetryHint)), None);
        assert!(retry.is_about(&Effect::Special(Special::RetryHint)));
        assert!(!retry.is_about(&Effect::Special(Special::Interrupt)));
    }
}
