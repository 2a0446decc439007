//! JSON kept as it was written: raw values, and objects read member by member.
//!
//! Vendors differ in what a repeated key means and in how deep they read. Adapters therefore read a hook's answer as a
//! [`RawObject`], whose members stay raw text until somebody looks inside, instead of deriving a struct that would
//! refuse what the vendor accepts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{self, DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// One JSON value as the text it was written in: digits, key order and all. Cheap to clone.
#[derive(Clone)]
// The box inside is what readers give: moving it into the shared allocation would copy large values a second time.
#[allow(clippy::redundant_allocation)]
pub struct RawJson(Arc<Box<RawValue>>);

impl RawJson {
    /// The value in a text that is JSON.
    ///
    /// # Errors
    ///
    /// When the text is not one JSON value.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<Box<RawValue>>(text).map(|raw| Self(Arc::new(raw)))
    }

    /// The value that something serialises to.
    ///
    /// # Errors
    ///
    /// When it has no JSON form, such as a map whose keys are no strings.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(|raw| Self(Arc::new(raw)))
    }

    /// A JSON string.
    #[must_use]
    pub fn string(text: &str) -> Self {
        Self::of(text).unwrap_or_else(|_| Self::null())
    }

    /// The value `null`.
    #[must_use]
    pub fn null() -> Self {
        Self(Arc::new(RawValue::NULL.to_owned()))
    }

    /// An owned copy of a raw value.
    #[must_use]
    pub fn from_raw(raw: &RawValue) -> Self {
        Self(Arc::new(raw.to_owned()))
    }

    /// The text as it was written.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The raw value, to serialise in place.
    #[must_use]
    pub fn as_raw(&self) -> &RawValue {
        &self.0
    }

    /// The value read as a type.
    ///
    /// # Errors
    ///
    /// When it does not fit the type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    /// The value as a tree. `null` where the tree cannot hold it (a number out of range).
    #[must_use]
    pub fn to_value(&self) -> serde_json::Value {
        self.read().unwrap_or(serde_json::Value::Null)
    }

    /// The value as an object, if it is one.
    #[must_use]
    pub fn as_object(&self) -> Option<RawObject<'_>> {
        RawObject::parse(self.get()).ok()
    }

    /// The text of a JSON string; `None` for any other value.
    #[must_use]
    pub fn as_str(&self) -> Option<String> {
        if self.get().starts_with('"') { self.read().ok() } else { None }
    }

    /// What kind of value it is.
    #[must_use]
    pub fn kind(&self) -> JsonKind {
        JsonKind::of(self.as_raw())
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

/// Equal as JSON: the order of keys, white space and escapes are no difference, and numbers are equal when written alike
/// or when both are small enough that nothing is rounded. Deeper than [`DEPTH_LIMIT`] only equal text is equal.
impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        if self.get() == other.get() {
            return true;
        }
        let shallow = |raw: &Self| too_deep_at(raw.get().as_bytes()).is_none();
        shallow(self) && shallow(other) && same(self.as_raw(), other.as_raw())
    }
}

fn same(a: &RawValue, b: &RawValue) -> bool {
    let (a, b) = (a.get(), b.get());
    if a == b {
        return true;
    }
    fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
        serde_json::from_str(text).ok()
    }
    match (a.as_bytes().first(), b.as_bytes().first()) {
        (Some(b'{'), Some(b'{')) => {
            let (Some(a), Some(b)) = (read::<RawObject<'_>>(a), read::<RawObject<'_>>(b)) else { return false };
            // Of a repeated key the last value stays.
            let (a, b): (HashMap<_, _>, HashMap<_, _>) = (a.iter().collect(), b.iter().collect());
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        (Some(b'['), Some(b'[')) => {
            let (Some(a), Some(b)) = (read::<Vec<&RawValue>>(a), read::<Vec<&RawValue>>(b)) else { return false };
            a.len() == b.len() && a.into_iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Some(b'"'), Some(b'"')) => read::<String>(a).is_some_and(|text| Some(text) == read::<String>(b)),
        (Some(b'-' | b'0'..=b'9'), Some(b'-' | b'0'..=b'9')) => {
            // A float holds fifteen digits without rounding.
            let exact = |text: &str| text.bytes().filter(u8::is_ascii_digit).count() <= 15;
            exact(a) && exact(b) && read::<f64>(a).is_some_and(|number| Some(number) == read::<f64>(b))
        }
        _ => false,
    }
}

impl From<&serde_json::Value> for RawJson {
    fn from(value: &serde_json::Value) -> Self {
        Self::of(value).unwrap_or_else(|_| Self::null())
    }
}

/// The kind of a JSON value, read off its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The kind of a raw value.
    #[must_use]
    pub fn of(raw: &RawValue) -> Self {
        match raw.get().as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b't' | b'f') => Self::Bool,
            Some(b'"') => Self::String,
            Some(b'[') => Self::Array,
            Some(b'{') => Self::Object,
            _ => Self::Number,
        }
    }

    /// The words for it in a message: `a string`, `an array`.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// The members of one JSON object.
///
/// ```
/// use hooks_core::json::RawObject;
///
/// let answer = RawObject::parse(r#"{"n": 12345678901234567890, "n": 1.50}"#).expect("an object");
/// assert_eq!(answer.get("n").map(|raw| raw.get()), Some("1.50"));
/// ```
///
/// They stand in written order, each value still raw. Of a repeated key the last one counts, as
/// for `JSON.parse` and for `serde_json`'s maps.
#[derive(Debug, Default)]
pub struct RawObject<'a> {
    members: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> RawObject<'a> {
    /// The object in a text.
    ///
    /// # Errors
    ///
    /// When the text is not one JSON object.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The object in bytes, which must be UTF-8.
    ///
    /// # Errors
    ///
    /// When the bytes are not one JSON object.
    pub fn parse_slice(bytes: &'a [u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The value of a key: the last one, where it is repeated.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// The value of a key, a `null` taken as absent.
    #[must_use]
    pub fn get_non_null(&self, key: &str) -> Option<&'a RawValue> {
        self.get(key).filter(|raw| JsonKind::of(raw) != JsonKind::Null)
    }

    /// The members as written, repeated keys included.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.members.iter().map(|(key, value)| (key.as_ref(), *value))
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl<'de> Deserialize<'de> for RawObject<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = RawObject<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    members.push((key.0, map.next_value::<&'de RawValue>()?));
                }
                Ok(RawObject { members })
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A key that borrows from the text unless it holds an escape.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// Serialises as the value itself.
impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Whether bytes are one JSON value, to any depth.
///
/// # Errors
///
/// The reader's error, with line and column.
pub fn check(bytes: &[u8]) -> Result<(), serde_json::Error> {
    serde_json::from_slice::<IgnoredAny>(bytes).map(|_| ())
}

/// Levels of nesting that recursive readers here go down to, as `serde_json`'s own do.
pub const DEPTH_LIMIT: usize = 128;

/// The byte at which a JSON text goes deeper than [`DEPTH_LIMIT`]; `None` when it never does. Readers that skip values
/// ([`RawObject`], [`check`]) have no limit of their own, so that whoever recurses must ask first.
#[must_use]
pub fn too_deep_at(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                if depth > DEPTH_LIMIT {
                    return Some(at);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Any value: what raw JSON holds is not known before it is there.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for RawJson {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        true.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_json_keeps_what_a_tree_would_lose() {
        let raw = RawJson::parse(r#" {"z":1.0,"a":12345678901234567890123} "#).expect("json");
        assert_eq!(raw.get(), r#"{"z":1.0,"a":12345678901234567890123}"#);
    }

    #[test]
    fn equality_is_of_values() {
        let parse = |text: &str| RawJson::parse(text).expect("json");
        assert_eq!(parse(r#"{"a":1,"b":2}"#), parse(r#"{ "b": 2, "a": 1 }"#));
        assert_ne!(parse("1"), parse("\"1\""));
        let deep = |inside: &str| parse(&format!("{}{inside}{}", "[".repeat(200), "]".repeat(200)));
        assert_ne!(deep("1"), deep("2"));
        assert_eq!(parse(r#"[1.0, "\u0061", {"a": 1, "a": 2}]"#), parse(r#"[1,"a",{"a":2}]"#));
        assert_ne!(parse("12345678901234567890123"), parse("12345678901234567890124"));
        for (one, other) in [("[1]", "[1,2]"), (r#"{"a":1}"#, r#"{"a":1,"b":2}"#), ("null", "false"), ("{}", "[]")] {
            assert_ne!(parse(one), parse(other));
            assert_ne!(parse(other), parse(one));
        }
    }

    #[test]
    fn the_last_of_a_repeated_key_counts() {
        let object = RawObject::parse(r#"{"a":1,"\u0061":2,"b":null}"#).expect("object");
        assert_eq!(object.get("a").map(RawValue::get), Some("2"));
        assert!(object.get("b").is_some() && object.get_non_null("b").is_none());
        assert_eq!(object.iter().count(), 3);
    }

    #[test]
    fn depth_counts_brackets_outside_strings() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(too_deep_at(nested(DEPTH_LIMIT).as_bytes()), None);
        assert_eq!(too_deep_at(nested(DEPTH_LIMIT + 1).as_bytes()), Some(DEPTH_LIMIT));
        assert_eq!(too_deep_at(format!("[\"\\\"{}\"]", "[".repeat(500)).as_bytes()), None);
    }

    #[test]
    fn what_is_no_object_is_an_error() {
        for text in ["", "[]", "\"x\"", "{", "{} {}", "{'a':1}"] {
            assert!(RawObject::parse(text).is_err(), "{text}");
        }
    }
}
