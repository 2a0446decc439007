//! What hooks ask for: effects of one decoded outcome, and the items that several come to.

use std::collections::BTreeMap;

use crate::boundary::Stop;
use crate::channel::Channel;
use crate::definition::{Binding, BindingId, LoopLimit};
use crate::json::RawJson;
use crate::outcome::Outcome;
use crate::tool::{InputRefused, Projected};
use crate::vendor::VendorId;

/// What a hook says about a pending action, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Let it go on without asking.
    Allow,
    /// Ask a person.
    Ask,
    /// Put it off.
    Defer,
    /// Do not let it go on.
    Deny,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Defer => "defer",
            Self::Deny => "deny",
        }
    }
}

/// Which hook something comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// The binding.
    pub binding: BindingId,
    /// Its vendor.
    pub vendor: VendorId,
    /// Its place in declared order.
    pub declared: u32,
    /// Its place in the order of finishing.
    pub finished: u32,
    /// Whether it is unsure that the hook should have run: only what restrains counts then.
    pub doubtful: bool,
}

impl Who {
    /// The binding of an outcome.
    #[must_use]
    pub fn of(binding: &Binding, outcome: &Outcome) -> Self {
        Self {
            binding: binding.id.clone(),
            vendor: binding.vendor.clone(),
            declared: binding.declared,
            finished: outcome.finished,
            doubtful: false,
        }
    }
}

/// A value with the hook that said it; `None` for what the host itself writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Said<T> {
    /// Who said it.
    pub by: Option<Who>,
    /// What was said.
    pub value: T,
}

impl<T> Said<T> {
    /// Something a hook said.
    #[must_use]
    pub const fn hook(by: Who, value: T) -> Self {
        Self { by: Some(by), value }
    }

    /// Something the host says.
    #[must_use]
    pub const fn host(value: T) -> Self {
        Self { by: None, value }
    }
}

/// When a halt takes hold of a pending action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum When {
    /// After the action ran.
    After,
    /// Before it runs: it does not.
    Before,
}

/// What becomes of a prompt that is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PromptFate {
    /// It stays in the history.
    Keep,
    /// It is erased.
    Erase,
}

/// Stop what the boundary starts or continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halt {
    /// What is stopped, sorted, without repetition.
    pub stops: Vec<Stop>,
    /// Before or after the pending action; `None` where nothing is pending.
    pub when: Option<When>,
    /// What becomes of the prompt; `None` where the halt is not about one.
    pub prompt: Option<PromptFate>,
    /// Why, in the hook's words.
    pub reason: Option<String>,
}

impl Halt {
    /// A halt of these things, with nothing else said.
    #[must_use]
    pub fn of(stops: &[Stop], reason: Option<String>) -> Self {
        let mut stops = stops.to_vec();
        stops.sort_unstable();
        stops.dedup();
        Self { stops, when: None, prompt: None, reason }
    }

    /// Takes another halt in: the union of what they stop, `before` over `after`, `erase` over `keep`. A reason of its own
    /// stays; without one it takes the other's.
    pub fn merge(&mut self, other: Self) {
        self.when = self.takes_hold().max(other.takes_hold());
        self.stops.extend(other.stops);
        self.stops.sort_unstable();
        self.stops.dedup();
        self.prompt = self.prompt.max(other.prompt);
        self.reason = self.reason.take().or(other.reason);
    }

    /// As [`Halt::merge`], for an answer with one place for the reasons of all: they are said one after the other, each on
    /// a line.
    pub fn merge_with_reasons(&mut self, other: Self) {
        let reason = match (self.reason.take(), &other.reason) {
            (Some(first), Some(second)) => Some(format!("{first}\n{second}")),
            (first, second) => first.or_else(|| second.clone()),
        };
        self.merge(other);
        self.reason = reason;
    }

    /// When it takes hold of a pending action: one that stops the action and does not say when does so before.
    #[must_use]
    pub fn takes_hold(&self) -> Option<When> {
        self.when.or_else(|| self.stops.contains(&Stop::Action).then_some(When::Before))
    }

    /// Whether it keeps a pending action from running.
    #[must_use]
    pub fn stops_action(&self) -> bool {
        self.stops.contains(&Stop::Action) && self.takes_hold() == Some(When::Before)
    }
}

/// Go on with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The text.
    pub text: String,
    /// How often the binding may do this; `None` where nothing was said.
    pub loop_limit: Option<LoopLimit>,
    /// How often all hooks of the vendor together may do this in a row; `None` for no such cap.
    pub vendor_cap: Option<u32>,
}

impl Continuation {
    /// A continuation with a limit of its own and no cap of its vendor.
    #[must_use]
    pub fn new(text: impl Into<String>, loop_limit: Option<LoopLimit>) -> Self {
        Self { text: text.into(), loop_limit, vendor_cap: None }
    }
}

/// Another input for the pending action.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewrite {
    /// The input as the hook wrote it, in its vendor's shape.
    pub raw: RawJson,
    /// The call it comes to, or why it cannot be made.
    pub call: Result<Projected, InputRefused>,
}

/// What the model shall see in place of a tool's result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResultReplacement {
    /// A text that stands in its place.
    Text(String),
    /// A result in the tool's own form.
    Json(RawJson),
}

/// Which programs a session variable reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EnvReach {
    /// Later hooks.
    Hooks,
    /// Later shell commands.
    Shell,
}

/// A session variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvChange {
    /// The value.
    pub value: String,
    /// Which programs it reaches.
    pub reach: EnvReach,
}

/// Something a hook asked for that its event cannot produce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The field, as the vendor spells it.
    pub field: String,
    /// The channel it would have had.
    pub channel: Channel,
    /// What it means for a pending action.
    pub on_pending: OnPending,
}

/// What an unsupported wish means for a pending action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnPending {
    /// Nothing; it is reported.
    Ignore,
    /// The action is denied.
    Deny,
}

/// Something that only one vendor has, with its fold rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Special {
    /// An answer to a tool server's question: `accept`, `decline` or `cancel`, with content. The first to finish counts.
    ElicitationAnswer {
        /// The word.
        action: String,
        /// The content that goes with `accept`.
        content: Option<RawJson>,
    },
    /// The path of the worktree that a hook made. The last to finish counts.
    WorktreePath(String),
    /// Text to show in place of the assistant's. The last to finish counts.
    DisplayText(String),
    /// A title for the session. The last to finish counts.
    SessionTitle(String),
    /// Files to watch, replacing the list before. The last to finish counts.
    WatchPaths(Vec<String>),
    /// A message that starts the first turn. All count, in declared order.
    InitialUserMessage(String),
    /// Skills are to be read again. Any one counts.
    ReloadSkills,
    /// The person is not shown the prompt that was refused. Any one counts.
    SuppressOriginalPrompt,
    /// A hint that a denied call may be tried again. Any one counts.
    RetryHint,
    /// The run is to be interrupted. Any one counts.
    Interrupt,
    /// A text for the classifier of an automatic mode. All count, in declared order.
    ClassifierContext(String),
    /// An escape sequence for the person's terminal, already checked. All count, in declared order.
    TerminalSequence(String),
    /// Extra instructions for a compaction. All count, in declared order.
    CompactionInstructions(String),
    /// Folders of plugins to load. All count, in declared order.
    PluginPaths(Vec<String>),
}

/// Which of several specials of one kind count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialFold {
    /// The first to finish.
    FirstFinished,
    /// The last to finish.
    LastFinished,
    /// All, in declared order.
    All,
    /// One of them stands for all.
    Any,
}

impl Special {
    /// The kebab-case word for the kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::ElicitationAnswer { .. } => "elicitation-answer",
            Self::WorktreePath(_) => "worktree-path",
            Self::DisplayText(_) => "display-text",
            Self::SessionTitle(_) => "session-title",
            Self::WatchPaths(_) => "watch-paths",
            Self::InitialUserMessage(_) => "initial-user-message",
            Self::ReloadSkills => "reload-skills",
            Self::SuppressOriginalPrompt => "suppress-original-prompt",
            Self::RetryHint => "retry-hint",
            Self::Interrupt => "interrupt",
            Self::ClassifierContext(_) => "classifier-context",
            Self::TerminalSequence(_) => "terminal-sequence",
            Self::CompactionInstructions(_) => "compaction-instructions",
            Self::PluginPaths(_) => "plugin-paths",
        }
    }

    /// Whether it refuses what a tool server asks for.
    #[must_use]
    pub fn refuses(&self) -> bool {
        matches!(self, Self::ElicitationAnswer { action, .. } if action != "accept")
    }

    /// The fold rule of the kind.
    #[must_use]
    pub const fn fold(&self) -> SpecialFold {
        match self {
            Self::ElicitationAnswer { .. } => SpecialFold::FirstFinished,
            Self::WorktreePath(_) | Self::DisplayText(_) | Self::SessionTitle(_) | Self::WatchPaths(_) => {
                SpecialFold::LastFinished
            }
            Self::InitialUserMessage(_)
            | Self::ClassifierContext(_)
            | Self::TerminalSequence(_)
            | Self::CompactionInstructions(_)
            | Self::PluginPaths(_) => SpecialFold::All,
            Self::ReloadSkills | Self::SuppressOriginalPrompt | Self::RetryHint | Self::Interrupt => SpecialFold::Any,
        }
    }
}

/// One thing a hook asks for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Effect {
    /// A verdict on the pending action, with reasons.
    Verdict {
        /// The verdict.
        verdict: Verdict,
        /// Why, in the hook's words.
        reasons: Vec<String>,
    },
    /// A text for the person.
    Notice(String),
    /// A text for the model.
    Context(String),
    /// Another input.
    ReplaceInput(Rewrite),
    /// Another result.
    ReplaceResult(ResultReplacement),
    /// Session variables.
    SessionEnv(BTreeMap<String, EnvChange>),
    /// A halt.
    Halt(Halt),
    /// A continuation.
    Continue(Continuation),
    /// A change of permission rules, in the vendor's form.
    PermissionUpdate(RawJson),
    /// Something the event cannot produce.
    Unsupported(Unsupported),
    /// Something that only one vendor has.
    Special(Special),
}

impl Effect {
    /// The channel it uses.
    #[must_use]
    pub const fn channel(&self) -> Channel {
        match self {
            Self::Verdict { .. } => Channel::Verdict,
            Self::Notice(_) => Channel::UserNotice,
            Self::Context(_) => Channel::ModelContext,
            Self::ReplaceInput(_) => Channel::ReplacementInput,
            Self::ReplaceResult(_) => Channel::ReplacementResult,
            Self::SessionEnv(_) => Channel::SessionEnv,
            Self::Halt(_) => Channel::Halt,
            Self::Continue(_) => Channel::Continuation,
            Self::PermissionUpdate(_) => Channel::PermissionUpdate,
            Self::Unsupported(unsupported) => unsupported.channel,
            Self::Special(_) => Channel::Special,
        }
    }
}

/// How the vendor's client would report a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RunStatus {
    /// It completed.
    #[default]
    Completed,
    /// It blocked something.
    Blocked,
    /// It stopped something.
    Stopped,
    /// It failed.
    Failed,
}

impl RunStatus {
    /// The word for it, as the vectors spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Blocked => "blocked",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }
}

/// How a run failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// It could not be started.
    #[error("could not be started: {0}")]
    Start(String),
    /// It matched and was not run.
    #[error("was not run: {0}")]
    NotRun(String),
    /// A signal ended it.
    #[error("was ended by signal {0}")]
    Signal(i32),
    /// It took too long.
    #[error("took too long")]
    Timeout,
    /// The host cancelled it.
    #[error("was cancelled")]
    Cancelled,
    /// It exited with a code that means failure.
    #[error("exited with code {0}")]
    ExitCode(i32),
    /// What it printed cannot be read.
    #[error("printed something that cannot be read: {0}")]
    Malformed(String),
    /// What it printed was cut off by the host.
    #[error("printed more than is kept")]
    Truncated,
    /// It printed nothing where an answer is needed.
    #[error("printed nothing")]
    Empty,
    /// It asked for something the event does not support.
    #[error("asked for something this event does not support: {0}")]
    Unsupported(String),
    /// Its standard input could not be delivered.
    #[error("did not take its input")]
    Stdin,
    /// A request was answered with a status that means failure.
    #[error("was answered with status {0}")]
    Http(u16),
    /// A tool server called its answer an error.
    #[error("answered with an error")]
    Tool,
}

/// Something a decoder dropped or noticed: for logs and explanations, never for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The field concerned, as the vendor spells it.
    pub field: Option<String>,
    /// What became of it.
    pub text: String,
}

impl Note {
    /// A note about a field.
    #[must_use]
    pub fn field(field: impl Into<String>, text: impl Into<String>) -> Self {
        Self { field: Some(field.into()), text: text.into() }
    }

    /// A note about the whole answer.
    #[must_use]
    pub fn whole(text: impl Into<String>) -> Self {
        Self { field: None, text: text.into() }
    }
}

/// What one decoded outcome asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct HookEffects {
    /// Which hook.
    pub by: Who,
    /// How the vendor's client would report the run.
    pub status: RunStatus,
    /// How it failed, if it did. A failed run can still have effects: a failure that blocks is one.
    pub failure: Option<Failure>,
    /// What it asks for, in the order the vendor reads it.
    pub effects: Vec<Effect>,
    /// What was dropped or noticed.
    pub notes: Vec<Note>,
}

impl HookEffects {
    /// A run that asks for nothing.
    #[must_use]
    pub const fn none(by: Who) -> Self {
        Self { by, status: RunStatus::Completed, failure: None, effects: Vec::new(), notes: Vec::new() }
    }

    /// A failed run that asks for nothing.
    #[must_use]
    pub const fn failed(by: Who, failure: Failure) -> Self {
        Self { by, status: RunStatus::Failed, failure: Some(failure), effects: Vec::new(), notes: Vec::new() }
    }

    /// Adds an effect.
    pub fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Adds a verdict.
    pub fn verdict(&mut self, verdict: Verdict, reasons: Vec<String>) {
        self.push(Effect::Verdict { verdict, reasons });
    }

    /// Adds a note.
    pub fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Marks the hook as one that perhaps should not have run.
    #[must_use]
    pub const fn doubtful(mut self) -> Self {
        self.by.doubtful = true;
        self
    }
}

/// One effect with the hook it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Who asks for it.
    pub by: Who,
    /// What is asked for.
    pub effect: Effect,
}

/// How one run went, for reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Which hook.
    pub by: Who,
    /// How the vendor's client would report it.
    pub status: RunStatus,
    /// How it failed.
    pub failure: Option<Failure>,
    /// What was dropped or noticed in decoding.
    pub notes: Vec<Note>,
}

/// What several hooks ask for: nothing merged, nothing dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Items {
    /// All effects.
    pub items: Vec<Item>,
    /// All runs.
    pub runs: Vec<Run>,
}

impl Items {
    /// Appends the other's items.
    pub fn append(&mut self, mut other: Self) {
        self.items.append(&mut other.items);
        self.runs.append(&mut other.runs);
    }
}

impl From<HookEffects> for Items {
    fn from(hook: HookEffects) -> Self {
        let HookEffects { by, status, failure, effects, notes } = hook;
        let items = effects.into_iter().map(|effect| Item { by: by.clone(), effect }).collect();
        Self { items, runs: vec![Run { by, status, failure, notes }] }
    }
}

/// Puts the effects of several hooks side by side. Only concatenates, so that any grouping comes to the same.
#[must_use]
pub fn reduce(hooks: impl IntoIterator<Item = HookEffects>) -> Items {
    let mut all = Items::default();
    for hook in hooks {
        all.append(hook.into());
    }
    all
}
