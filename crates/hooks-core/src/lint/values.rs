//! What a value was meant to be, where it is not what its place wants: time limits in other units, numbers and truth
//! values in quotes, one thing where a list belongs. Guesses are for messages and for edits that people see first.

use std::ops::Range;

use crate::document::{Node, Object, Value};

/// From here on a number of seconds is looked at: nobody waits for a hook a quarter of an hour, and a second has a
/// thousand milliseconds.
const SUSPICIOUS_SECONDS: u64 = 1000;

/// Seconds in a day: a longer time limit is one in another unit, however its number looks.
const DAY: u64 = 86_400;

/// The seconds that a time limit comes to if it was written in milliseconds, rounded up, where it probably was: a round
/// number of at least a thousand that makes no round number of minutes either, or more than a day.
///
/// ```
/// use hooks_core::lint::values::probably_milliseconds;
///
/// assert_eq!(probably_milliseconds(30_000), Some(30));
/// assert_eq!(probably_milliseconds(1500), Some(2));
/// assert_eq!(probably_milliseconds(600), None); // ten minutes
/// assert_eq!(probably_milliseconds(3600), None); // an hour
/// ```
#[must_use]
pub const fn probably_milliseconds(number: u64) -> Option<u64> {
    let round = number.is_multiple_of(500);
    // Hours are what people write in seconds: 3600, 7200, 18000.
    let hours = number.is_multiple_of(3600);
    if number >= SUSPICIOUS_SECONDS && ((round && !hours) || number > DAY) { Some(number.div_ceil(1000)) } else { None }
}

/// A time limit as whole seconds: rounded up, and never below one, so that nothing gets less time than was meant.
/// `None` for what is no time at all.
#[must_use]
pub fn whole_seconds(seconds: f64) -> Option<u64> {
    // Above this a float no longer holds every whole number, and no clock that long either.
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    if !(seconds > 0.0 && seconds <= LARGEST) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = seconds.ceil() as u64;
    Some(whole.max(1))
}

/// The seconds in a text that was meant as a time limit: a number, and a unit behind it or none for seconds.
///
/// ```
/// use hooks_core::lint::values::seconds_in_text;
///
/// assert_eq!(seconds_in_text("30"), Some(30.0));
/// assert_eq!(seconds_in_text(" 1.5 min"), Some(90.0));
/// assert_eq!(seconds_in_text("500ms"), Some(0.5));
/// assert_eq!(seconds_in_text("soon"), None);
/// ```
#[must_use]
pub fn seconds_in_text(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number: f64 = number.parse().ok()?;
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "ms" | "msec" | "millis" | "millisecond" | "milliseconds" => 0.001,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        _ => return None,
    };
    Some(number * factor)
}

/// The time limit in whole seconds that a value of the wrong type was meant as: a number in quotes, a fraction.
/// `None` for a whole number too, which is one already.
#[must_use]
pub fn meant_seconds(node: &Node) -> Option<u64> {
    match &node.value {
        Value::String(text) => whole_seconds(seconds_in_text(text)?),
        Value::Number(text) if node.as_u64().is_none() => whole_seconds(text.parse().ok()?),
        _ => None,
    }
}

/// The whole number that a value of the wrong type was meant as: one in quotes, or one written as a fraction (`5.0`).
#[must_use]
pub fn meant_whole(node: &Node) -> Option<u64> {
    match &node.value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(text) if node.as_u64().is_none() => {
            let (whole, fraction) = text.split_once('.')?;
            fraction.bytes().all(|digit| digit == b'0').then(|| whole.parse().ok())?
        }
        _ => None,
    }
}

/// The truth value that a value of the wrong type was meant as: the word in quotes, or 0 and 1.
#[must_use]
pub fn meant_bool(node: &Node) -> Option<bool> {
    match &node.value {
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        },
        Value::Number(text) if text == "1" => Some(true),
        Value::Number(text) if text == "0" => Some(false),
        _ => None,
    }
}

/// A text as a string of JSON, which is one of TOML too.
#[must_use]
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

/// The bytes to take out so that a member of a JSON object, by its number, is gone and the object stays one: the comma
/// and the blanks that belong to it go with it, nothing else does.
///
/// ```
/// use hooks_core::document::{JsonRules, parse_json};
/// use hooks_core::lint::values::member_bytes;
///
/// let text = r#"{"a": 1, "b": 2}"#;
/// let root = parse_json(text.as_bytes(), JsonRules::default()).expect("JSON");
/// let bytes = member_bytes(root.as_object().expect("an object"), 0).expect("a member");
/// assert_eq!(&text[bytes], r#""a": 1, "#);
/// ```
#[must_use]
pub fn member_bytes(object: &Object, number: usize) -> Option<Range<usize>> {
    let whole = |at: usize| object.members.get(at).map(|member| member.key_range.start..member.value.range.end);
    element_bytes(number, whole)
}

/// The same for an element of a JSON array.
#[must_use]
pub fn item_bytes(items: &[Node], number: usize) -> Option<Range<usize>> {
    element_bytes(number, |at| items.get(at).map(|item| item.range.clone()))
}

fn element_bytes(number: usize, whole: impl Fn(usize) -> Option<Range<usize>>) -> Option<Range<usize>> {
    let element = whole(number)?;
    Some(match (whole(number + 1), number.checked_sub(1).and_then(&whole)) {
        (Some(next), _) => element.start..next.start,
        (None, Some(before)) => before.end..element.end,
        (None, None) => element,
    })
}

/// Whether an argument is one word or path and nothing more, so that a variable in it was meant to be one: in a pattern or in
/// a program's own text `$NAME` means something else.
///
/// ```
/// use hooks_core::lint::values::is_plain_word;
/// assert!(is_plain_word("--dir=$HOME/x"));
/// assert!(!is_plain_word("^$HOME") && !is_plain_word("const re = /x$NAME/"));
/// ```
#[must_use]
pub fn is_plain_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "$_{}./\\=:@+-~%,\"'".contains(c))
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;
    use crate::document::{JsonRules, parse_json};

    fn node(text: &str) -> Node {
        parse_json(text.as_bytes(), JsonRules::default()).expect("JSON")
    }

    #[test]
    fn round_thousands_are_probably_milliseconds_and_round_hours_are_not() {
        let meant = [(1000, 1), (5000, 5), (1500, 2), (30_000, 30), (60_000, 60), (300_000, 300), (86_401, 87)];
        for (number, seconds) in meant {
            assert_eq!(probably_milliseconds(number), Some(seconds), "{number}");
        }
        for number in [0, 1, 30, 600, 900, 999, 1200, 1800, 3600, 7200, 18_000, 36_000, 86_400] {
            assert_eq!(probably_milliseconds(number), None, "{number}");
        }
        assert!(probably_milliseconds(u64::MAX).is_some());
    }

    #[test]
    fn time_limits_are_rounded_up_to_whole_seconds() {
        for (text, seconds) in [
            ("\"30\"", Some(30)),
            ("\"30s\"", Some(30)),
            ("\"0.2\"", Some(1)),
            ("\"2 minutes\"", Some(120)),
            ("\"1h\"", Some(3600)),
            ("2.5", Some(3)),
            ("1e1", Some(10)),
            ("30", None),
            ("-1", None),
            ("0.0", None),
            ("1e300", None),
            ("\"\"", None),
            ("\"1 fortnight\"", None),
            ("\"..\"", None),
            ("true", None),
        ] {
            assert_eq!(meant_seconds(&node(text)), seconds, "{text}");
        }
    }

    #[test]
    fn numbers_and_truth_values_in_quotes_are_told() {
        assert_eq!(meant_whole(&node("\"7\"")), Some(7));
        assert_eq!(meant_whole(&node("7.0")), Some(7));
        for text in ["7", "7.5", "-7", "\"seven\"", "null"] {
            assert_eq!(meant_whole(&node(text)), None, "{text}");
        }
        for (text, meant) in
            [("\"True\"", Some(true)), ("\"no\"", Some(false)), ("1", Some(true)), ("0", Some(false)), ("2", None)]
        {
            assert_eq!(meant_bool(&node(text)), meant, "{text}");
        }
    }

    #[test]
    fn what_is_left_without_a_member_is_still_an_object() {
        for text in ["{\"a\":1}", "{ \"a\" : 1 ,\n  \"b\": [2],\n  \"c\": {} }", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"] {
            let root = node(text);
            let object = root.as_object().expect("an object");
            for number in 0..object.members.len() {
                let bytes = member_bytes(object, number).expect("a member");
                let left = format!("{}{}", &text[..bytes.start], &text[bytes.end..]);
                let after = node(&left);
                let keys = |object: &Object| object.members.iter().map(|m| m.key.clone()).collect::<Vec<_>>();
                let mut wanted = keys(object);
                wanted.remove(number);
                assert_eq!(after.as_object().map(keys), Some(wanted), "{left}");
            }
        }
        let list = node("[1, 2]");
        assert_eq!(item_bytes(list.as_array().expect("an array"), 1), Some(2..5));
        assert_eq!(item_bytes(list.as_array().expect("an array"), 2), None);
    }
}
