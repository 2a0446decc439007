//! The two forms of text in a vector: what a hook printed, and what is expected of a text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// Bytes that a text may come to: well above what any vector needs, so that a misplaced digit does not eat the memory.
const LIMIT: usize = 256 << 20;

/// Text or bytes that are given: a string, `{"repeat": "x", "times": 3}`, or `{"base64": "..."}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// The text itself.
    Plain(String),
    /// A text written several times.
    Repeat {
        /// The text.
        repeat: String,
        /// How often.
        times: usize,
    },
    /// Bytes that need not be UTF-8.
    Bytes(Vec<u8>),
}

impl Text {
    /// The bytes it stands for.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Plain(text) => text.as_bytes().to_vec(),
            Self::Repeat { repeat, times } => repeat.repeat(*times).into_bytes(),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }

    /// The shortest form of some bytes: text where they are UTF-8.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        std::str::from_utf8(bytes).map_or_else(|_| Self::Bytes(bytes.to_vec()), |text| Self::Plain(text.to_owned()))
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(text) => serializer.serialize_str(text),
            Self::Repeat { repeat, times } => json!({ "repeat": repeat, "times": times }).serialize(serializer),
            Self::Bytes(bytes) => json!({ "base64": STANDARD.encode(bytes) }).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FORMS: &str = "a string, {\"repeat\": TEXT, \"times\": NUMBER} or {\"base64\": TEXT}";
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self::Plain(text)),
            Value::Object(map) => match keys(&map).as_slice() {
                ["base64"] => {
                    let Some(text) = map.get("base64").and_then(Value::as_str) else {
                        return Err(D::Error::custom(format!("wrong value in a text: write {FORMS}")));
                    };
                    STANDARD.decode(text).map(Self::Bytes).map_err(|error| D::Error::custom(format!("base64: {error}")))
                }
                ["repeat", "times"] => {
                    let repeat = map.get("repeat").and_then(Value::as_str).map(str::to_owned);
                    let times = map.get("times").and_then(Value::as_u64).and_then(|times| usize::try_from(times).ok());
                    let (Some(repeat), Some(times)) = (repeat, times) else {
                        return Err(D::Error::custom(format!("wrong value in a text: write {FORMS}")));
                    };
                    if repeat.len().checked_mul(times).is_none_or(|size| size > LIMIT) {
                        return Err(D::Error::custom(format!("`times`: the text comes to more than {LIMIT} bytes")));
                    }
                    Ok(Self::Repeat { repeat, times })
                }
                keys => Err(D::Error::custom(format!("unknown text form with the keys {keys:?}: write {FORMS}"))),
            },
            other => Err(D::Error::custom(format!("`{other}` is no text: write {FORMS}"))),
        }
    }
}

/// What is expected of a text: a string, `{"any": true}`, or `{"contains": "..."}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextMatch {
    /// Exactly this.
    Exact(String),
    /// Some text that is not empty and that the host writes.
    Any,
    /// A text with this in it.
    Contains(String),
}

impl TextMatch {
    /// Whether a text is as expected.
    #[must_use]
    pub fn takes(&self, text: &str) -> bool {
        match self {
            Self::Exact(exact) => text == exact,
            Self::Any => !text.trim().is_empty(),
            Self::Contains(part) => text.contains(part.as_str()),
        }
    }

    /// The expectation that a value is, where it is one of a text the host writes: `{"any": true}` or
    /// `{"contains": "..."}`. A result that a hook replaces can be such a text or a value of a tool.
    #[must_use]
    pub fn of_value(value: &Value) -> Option<Self> {
        value.is_object().then(|| Self::deserialize(value).ok()).flatten()
    }

    /// The text, where it is given word for word.
    #[must_use]
    pub fn exact(&self) -> Option<&str> {
        match self {
            Self::Exact(text) => Some(text),
            Self::Any | Self::Contains(_) => None,
        }
    }
}

impl From<String> for TextMatch {
    fn from(text: String) -> Self {
        Self::Exact(text)
    }
}

impl Serialize for TextMatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(text) => serializer.serialize_str(text),
            Self::Any => json!({ "any": true }).serialize(serializer),
            Self::Contains(part) => json!({ "contains": part }).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for TextMatch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FORMS: &str = "a string, {\"any\": true} or {\"contains\": TEXT}";
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self::Exact(text)),
            Value::Object(map) => match (keys(&map).as_slice(), map.values().next()) {
                (["any"], Some(Value::Bool(true))) => Ok(Self::Any),
                (["contains"], Some(Value::String(part))) if !part.is_empty() => Ok(Self::Contains(part.clone())),
                (keys, _) => {
                    Err(D::Error::custom(format!("unknown expectation with the keys {keys:?}: write {FORMS}")))
                }
            },
            other => Err(D::Error::custom(format!("`{other}` is no expectation of a text: write {FORMS}"))),
        }
    }
}

fn keys(map: &Map<String, Value>) -> Vec<&str> {
    let mut keys: Vec<&str> = map.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
