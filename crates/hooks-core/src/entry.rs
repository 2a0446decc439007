//! What is reported of a run that has ended: its entries, for people who watch their hooks.

use crate::effects::{Effect, HookEffects, ResultReplacement, RunStatus};

/// What an entry of a report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A text for the person.
    Warning,
    /// A text for the model.
    Context,
    /// Why something was blocked, or with what it goes on.
    Feedback,
    /// Why something was stopped.
    Stop,
    /// How the run failed.
    Error,
}

impl EntryKind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Context => "context",
            Self::Feedback => "feedback",
            Self::Stop => "stop",
            Self::Error => "error",
        }
    }
}

/// One entry of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// Its text.
    pub text: String,
}

impl Entry {
    /// An entry.
    #[must_use]
    pub fn new(kind: EntryKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// The entries where a vendor has no order of its own: texts for the person, texts for the model, then what came of the
/// run.
///
/// ```
/// use hooks_core::effects::{Effect, HookEffects, RunStatus, Verdict, Who};
/// use hooks_core::entry::{EntryKind, entries};
/// use hooks_core::{BindingId, VendorId};
///
/// let by = Who {
///     binding: BindingId::new("a hook"),
///     vendor: VendorId::from_static("example"),
///     declared: 0,
///     finished: 0,
///     doubtful: false,
/// };
/// let mut hook = HookEffects::none(by);
/// hook.status = RunStatus::Blocked;
/// hook.verdict(Verdict::Deny, vec!["not here".to_owned()]);
/// hook.push(Effect::Notice("look out".to_owned()));
/// let kinds: Vec<_> = entries(&hook).iter().map(|entry| entry.kind).collect();
/// assert_eq!(kinds, [EntryKind::Warning, EntryKind::Feedback]);
/// ```
#[must_use]
pub fn entries(said: &HookEffects) -> Vec<Entry> {
    let mut entries = texts(said);
    match said.status {
        RunStatus::Completed => {}
        RunStatus::Blocked => {
            entries.extend(said.effects.iter().filter_map(cause).map(|text| Entry::new(EntryKind::Feedback, text)))
        }
        RunStatus::Stopped => {
            entries.extend(said.effects.iter().filter_map(cause).map(|text| Entry::new(EntryKind::Stop, text)))
        }
        RunStatus::Failed => {
            entries.extend(said.failure.iter().map(|failure| Entry::new(EntryKind::Error, failure.to_string())));
        }
    }
    entries
}

/// Texts for the person, then texts for the model.
#[must_use]
pub fn texts(said: &HookEffects) -> Vec<Entry> {
    let notices = said.effects.iter().filter_map(|effect| match effect {
        Effect::Notice(text) => Some(Entry::new(EntryKind::Warning, text)),
        _ => None,
    });
    let contexts = said.effects.iter().filter_map(|effect| match effect {
        Effect::Context(text) => Some(Entry::new(EntryKind::Context, text)),
        _ => None,
    });
    notices.chain(contexts).collect()
}

/// The text that a block or a stop gives.
#[must_use]
pub fn cause(effect: &Effect) -> Option<&str> {
    match effect {
        Effect::Verdict { reasons, .. } => reasons.first().map(String::as_str),
        Effect::Halt(halt) => halt.reason.as_deref(),
        Effect::Continue(continuation) => Some(&continuation.text),
        Effect::ReplaceResult(ResultReplacement::Text(text)) => Some(text),
        _ => None,
    }
}
