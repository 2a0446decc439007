//! The shim protocol, version 1: lines of JSON over standard input and output, so that a host or an adapter in any
//! language can be held to vectors. `docs/shim-protocol.md` describes it.
//!
//! Its messages are here, and [`serve`] answers questions with any [`crate::Subject`]. `Shim` (feature `shim`) is
//! the other end: a program that is started, asked and, whatever it does, ended.

#[cfg(feature = "shim")]
mod pipes;
#[cfg(feature = "shim")]
mod process;
#[cfg(feature = "shim")]
mod read;
mod serve;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::format::{FORMAT, given};
use crate::question::Question;

#[cfg(feature = "shim")]
pub use process::{Shim, ShimOptions, Stopper};
pub use serve::{ServeError, serve};

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u32 = 1;

/// What the runner says first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RunnerHello {
    /// The version of the protocol.
    pub protocol: u32,
    /// The version of the vector format, in whose forms questions and answers are.
    pub format: u32,
    /// The runner's name and version, for a shim's own log.
    pub runner: String,
}

impl RunnerHello {
    /// What this crate says.
    #[must_use]
    pub fn this() -> Self {
        Self {
            protocol: PROTOCOL,
            format: FORMAT,
            runner: concat!("hooks-conformance ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// What a shim says first: who it is and what it speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ShimHello {
    /// The version of the protocol.
    pub protocol: u32,
    /// The name of what is held to the vectors.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it is asked about. A vector that no claim takes is skipped and counted.
    pub claims: Vec<Claim>,
}

impl ShimHello {
    /// Whether a question is one that it is to be asked.
    #[must_use]
    pub fn claims(&self, question: &Question) -> bool {
        self.claims.iter().any(|claim| claim.takes(question))
    }
}

/// Vectors that a shim wants to be asked about: those of a vendor that pass every list that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Claim {
    /// The vendor; `core` for the vectors about the core.
    pub vendor: String,
    /// The side of the hook it speaks for.
    #[serde(default, skip_serializing_if = "Role::is_host")]
    pub role: Role,
    /// The events. A vector that is about no event, as those of the kind `config`, is in no list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<String>>,
    /// The kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<String>>,
    /// The vendor's faces; `null` in the list for vectors that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profiles: Option<Vec<Option<String>>>,
    /// The older clients; `null` in the list for vectors that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clients: Option<Vec<Option<String>>>,
}

/// A side of a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The one that runs the hook and reads what it answers. Every kind of the format is about this side.
    #[default]
    Host,
    /// The one that is run and answers. No kind of the format is about this side, so that a claim for it takes nothing.
    Hook,
}

impl Role {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_host(&self) -> bool {
        *self == Self::Host
    }
}

impl Claim {
    /// Everything of a vendor, or of the `core`.
    #[must_use]
    pub fn all_of(vendor: impl Into<String>) -> Self {
        Self { vendor: vendor.into(), role: Role::Host, events: None, kinds: None, profiles: None, clients: None }
    }

    /// Whether a question is one of these.
    #[must_use]
    pub fn takes(&self, question: &Question) -> bool {
        let among = |list: &Option<Vec<Option<String>>>, word: &Option<String>| {
            list.as_ref().is_none_or(|list| list.contains(word))
        };
        self.role == Role::Host
            && self.vendor == question.vendor_word()
            && self.events.as_ref().is_none_or(|events| question.event.as_ref().is_some_and(|one| events.contains(one)))
            && self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind == question.kind.word()))
            && among(&self.profiles, &question.profile)
            && among(&self.clients, &question.client)
    }
}

/// A message of the runner's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum FromRunner {
    /// The first one.
    Hello { hello: RunnerHello },
    /// Every other one.
    Ask { id: u64, ask: Value },
}

/// A message of a shim's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FromShim {
    /// The first one.
    Hello(ShimHello),
    /// The reply to a question.
    Reply { id: u64, said: Said },
}

/// What a shim says to a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    /// What came.
    Answer(Value),
    /// It does not speak of this.
    Unsupported(String),
    /// It could not answer.
    Error(String),
}

/// A shim's message as it is written.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Wire {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hello: Option<ShimHello>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unsupported: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl FromShim {
    /// The line to write.
    pub(crate) fn line(self) -> Result<Vec<u8>, serde_json::Error> {
        line(&match self {
            Self::Hello(hello) => Wire { hello: Some(hello), ..Wire::default() },
            Self::Reply { id, said } => {
                let wire = Wire { id: Some(id), ..Wire::default() };
                match said {
                    Said::Answer(answer) => Wire { answer: Some(answer), ..wire },
                    Said::Unsupported(reason) => Wire { unsupported: Some(reason), ..wire },
                    Said::Error(message) => Wire { error: Some(message), ..wire },
                }
            }
        })
    }
}

/// A message as a line.
pub(crate) fn line<T: Serialize>(message: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec(message)?;
    bytes.push(b'\n');
    Ok(bytes)
}
