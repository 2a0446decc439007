//! An input object of the vendor's, read in one pass.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// An input object of the vendor's, read in one pass: its texts, numbers and flags. A value of the wrong type counts as
/// absent, and of a repeated key the last one counts.
#[derive(Default)]
pub(super) struct Keys(Vec<(String, Scalar)>);

/// A value, as far as it is of use here.
pub(super) enum Scalar {
    Text(String),
    Number(u64),
    Flag(bool),
    Other,
}

impl Keys {
    pub(super) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Takes a text out.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        match self.last(key)? {
            Scalar::Text(text) => Some(std::mem::take(text)),
            _ => None,
        }
    }

    pub(super) fn number(&mut self, key: &str) -> Option<u64> {
        match self.last(key)? {
            Scalar::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        match self.last(key)? {
            Scalar::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    pub(super) fn last(&mut self, key: &str) -> Option<&mut Scalar> {
        self.0.iter_mut().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Keys(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;
        impl<'de> Visitor<'de> for Value {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(text.to_owned()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Scalar, E> {
                Ok(Scalar::Number(number))
            }

            fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Scalar, E> {
                Ok(Scalar::Flag(flag))
            }

            fn visit_i64<E: de::Error>(self, _: i64) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_unit<E: de::Error>(self) -> Result<Scalar, E> {
                Ok(Scalar::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other)
            }
        }
        deserializer.deserialize_any(Value)
    }
}
