//! What a subject is asked and what it answers: a vector without its expectation, and a value in the form that the
//! expectation has. A question cannot give the expectation away, because it has none.

use hooks_core::text::shorten;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::format::{ConfigExpect, DecisionSpec, Effects, FileFate, Kind, TextMatch, TrustExpect, Vector, VectorFile};
use crate::load::{Wrong, object, read, read_kind};
use crate::render::to_json;

/// The word under which vectors about the core stand where a vendor's name stands otherwise.
pub(crate) const CORE: &str = "core";

/// What is asked of a subject: a vector without its expectation, its id and where it is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Whose format it is about; `None` for the core.
    pub vendor: Option<String>,
    /// The event it is about.
    pub event: Option<String>,
    /// The older client it holds for; `None` for the one of [`Question::file_client`].
    pub client: Option<String>,
    /// The client whose behaviour its file records.
    pub file_client: Option<String>,
    /// The vendor's face it holds for, where there are several.
    pub profile: Option<String>,
    /// What is given. The expectation in it is blank.
    pub kind: Kind,
}

/// A question as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Wire {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vendor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file_client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    vector: Map<String, Value>,
}

impl Question {
    /// The question that a vector of a file asks.
    #[must_use]
    pub fn of(file: &VectorFile, vector: &Vector) -> Self {
        let host_profile = vector.kind.given().and_then(|given| given.host_profile.clone());
        Self {
            vendor: file.vendor.clone(),
            event: file.event_of(vector).map(str::to_owned),
            client: vector.client.clone(),
            file_client: file.client.clone(),
            profile: vector.profile.clone().or(host_profile),
            kind: without_expectation(vector.kind.clone()),
        }
    }

    /// The vendor's name, or `core`.
    #[must_use]
    pub fn vendor_word(&self) -> &str {
        self.vendor.as_deref().unwrap_or(CORE)
    }

    /// The question as the shim protocol writes it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let vector = match self.kind.body() {
            Ok(Value::Object(mut body)) => {
                body.remove("expect");
                body
            }
            // A vector's body is an object; were it not, the question would say nothing, and no answer would be right.
            Ok(_) | Err(_) => Map::new(),
        };
        to_json(&Wire {
            kind: self.kind.word().to_owned(),
            vendor: self.vendor.clone(),
            event: self.event.clone(),
            client: self.client.clone(),
            file_client: self.file_client.clone(),
            profile: self.profile.clone(),
            vector,
        })
    }

    /// Reads a question that the shim protocol wrote.
    ///
    /// # Errors
    ///
    /// What is wrong, with the key concerned.
    pub fn from_json(value: Value) -> Result<Self, Wrong> {
        let Wire { kind, vendor, event, client, file_client, profile, vector: mut body } = read(value)?;
        if body.contains_key("expect") {
            return Err(Wrong::at("/vector/expect", "a question has no expectation"));
        }
        body.insert("expect".to_owned(), blank(&kind));
        let kind = read_kind(&kind, body).map_err(|wrong| wrong.below("/vector"))?;
        if kind.needs_event() && event.is_none() {
            return Err(Wrong::at(
                "",
                format!("a question of the kind {} names its event: write `event`", kind.word()),
            ));
        }
        Ok(Self { vendor, event, client, file_client, profile, kind })
    }
}

fn without_expectation(mut kind: Kind) -> Kind {
    match &mut kind {
        Kind::Decode(decode) => decode.expect = Effects::default(),
        Kind::Fold(fold) => fold.expect = Effects::default(),
        Kind::Settle(settle) => settle.expect = Effects::default(),
        Kind::Match(matching) => matching.expect = false,
        Kind::Config(config) => {
            config.expect = ConfigExpect { file: FileFate::Rejected, bindings: Vec::new(), reports: Vec::new() };
        }
        Kind::Decide(decide) => decide.expect = DecisionSpec::no_opinion(),
        Kind::Trust(trust) => {
            trust.expect = TrustExpect { canonical: String::new(), sha256: String::new() };
        }
    }
    kind
}

/// A blank expectation of a kind, as JSON; what is blank is as in [`without_expectation`].
fn blank(kind: &str) -> Value {
    match kind {
        "match" => json!(false),
        "config" => json!({ "file": "rejected", "bindings": [], "reports": [] }),
        "decide" => json!({ "action": "no-opinion" }),
        "trust" => json!({ "canonical": "", "sha256": "" }),
        _ => json!({}),
    }
}

/// What a subject answers: what came, in the form in which a vector says what is expected.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// To `decode`, `fold` and `settle`.
    Effects(Box<Effects>),
    /// To `match`.
    Selected(Selected),
    /// To `config`.
    Config(ConfigExpect),
    /// To `decide`.
    Decision(Box<DecisionSpec>),
    /// To `trust`.
    Trust(TrustExpect),
}

/// Whether a matcher selects a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Selected {
    /// Whether it does.
    Is(bool),
    /// Nobody knows. No vector expects this.
    Doubtful(Doubt),
}

/// Why it is doubtful whether a matcher selects a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Doubt {
    /// Why.
    pub doubtful: String,
}

impl Answer {
    /// The answer as the shim protocol writes it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Effects(effects) => to_json(effects),
            Self::Selected(selected) => to_json(selected),
            Self::Config(config) => to_json(config),
            Self::Decision(decision) => to_json(decision),
            Self::Trust(trust) => to_json(trust),
        }
    }

    /// Reads an answer that the shim protocol wrote, to a question of a kind.
    ///
    /// # Errors
    ///
    /// When it has not the form of that kind, or says what only an expectation can say: a text of which only some is
    /// given, or channels that are not to be compared.
    pub fn from_json(kind: &Kind, value: Value) -> Result<Self, Wrong> {
        if !matches!(kind, Kind::Match(_)) {
            object("", &value)?;
        }
        Ok(match kind {
            Kind::Decode(_) | Kind::Fold(_) | Kind::Settle(_) => {
                let effects: Effects = read(value)?;
                said(&effects)?;
                Self::Effects(Box::new(effects))
            }
            Kind::Match(_) => Self::Selected(match value {
                Value::Bool(selected) => Selected::Is(selected),
                Value::Object(doubt) if !doubt.is_empty() => Selected::Doubtful(read(Value::Object(doubt))?),
                other => {
                    let shown = shorten(&other.to_string(), 60).into_owned();
                    return Err(Wrong::at("", format!("`{shown}` is no answer to `match`: write true or false")));
                }
            }),
            Kind::Config(_) => Self::Config(read(value)?),
            Kind::Decide(_) => {
                let decision: DecisionSpec = read(value)?;
                decided(&decision)?;
                Self::Decision(Box::new(decision))
            }
            Kind::Trust(_) => Self::Trust(read(value)?),
        })
    }
}

const NO_EXPECTATION: &str = "an answer says what came; only an expectation leaves something out";

fn said(effects: &Effects) -> Result<(), Wrong> {
    if !effects.unchecked.is_empty() {
        return Err(Wrong::at("/unchecked", NO_EXPECTATION));
    }
    word_for_word("/reasons", &effects.reasons)?;
    word_for_word("/notices", &effects.notices)?;
    word_for_word("/context", &effects.context)?;
    word_for_word("/continuation", effects.continuation.iter().map(|one| &one.text))?;
    word_for_word("/continuations", effects.continuations.iter().map(|one| &one.text))?;
    word_for_word("/halt/reason", effects.halt.iter().filter_map(|halt| halt.reason.as_ref()?.as_ref()))
}

fn decided(decision: &DecisionSpec) -> Result<(), Wrong> {
    if !decision.unchecked.is_empty() {
        return Err(Wrong::at("/unchecked", NO_EXPECTATION));
    }
    word_for_word("/to_model", &decision.to_model)?;
    word_for_word("/to_user", &decision.to_user)?;
    word_for_word("/continuations", decision.continuations.iter().map(|one| &one.text))?;
    word_for_word("/halt/reason", decision.halt.iter().filter_map(|halt| halt.reason.as_ref()?.as_ref()))
}

fn word_for_word<'t>(pointer: &str, texts: impl IntoIterator<Item = &'t TextMatch>) -> Result<(), Wrong> {
    match texts.into_iter().find(|text| text.exact().is_none()) {
        None => Ok(()),
        Some(text) => {
            Err(Wrong::at(pointer, format!("an answer gives a text word for word, not as {}", to_json(text))))
        }
    }
}
