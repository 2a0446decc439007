//! TOML as the same tree that JSON is read into, with every value's and key's bytes.

use hooks_core::document::{Member, Node, Object, SyntaxError, SyntaxFault, Value, check_text};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// Reads a TOML document as the tree that JSON is read into, with the bytes of every value and key. The library limits how
/// deep it nests.
///
/// # Errors
///
/// What is wrong and where, in bytes of the document.
pub fn parse(bytes: &[u8]) -> Result<Node, SyntaxError> {
    let text = check_text(bytes)?;
    let table = DeTable::parse(text).map_err(|error| fault(&error))?;
    let mut faults = Vec::new();
    let root = Node { range: 0..text.len(), value: Value::Object(object(table.get_ref(), &mut faults)) };
    faults.into_iter().next().map_or(Ok(root), Err)
}

/// What can be read of a text that is no TOML, and everything that is wrong with it.
pub(super) fn recover(text: &str) -> (Node, Vec<SyntaxError>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut faults: Vec<SyntaxError> = errors.iter().map(fault).collect();
    let root = Node { range: 0..text.len(), value: Value::Object(object(table.get_ref(), &mut faults)) };
    (root, faults)
}

fn fault(error: &toml::de::Error) -> SyntaxError {
    SyntaxError { message: error.message().to_owned(), range: error.span().unwrap_or(0..0), kind: SyntaxFault::Syntax }
}

fn object(table: &DeTable<'_>, faults: &mut Vec<SyntaxError>) -> Object {
    let mut members: Vec<Member> = table.iter().map(|(key, value)| member(key, value, faults)).collect();
    // The library keeps keys sorted by name.
    members.sort_by_key(|member| member.key_range.start);
    Object { members }
}

fn member(key: &Spanned<DeString<'_>>, value: &Spanned<DeValue<'_>>, faults: &mut Vec<SyntaxError>) -> Member {
    Member { key: key.get_ref().to_string(), key_range: key.span(), value: node(value, faults) }
}

fn node(value: &Spanned<DeValue<'_>>, faults: &mut Vec<SyntaxError>) -> Node {
    let range = value.span();
    let value = match value.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Number(number.to_string()),
            // TOML's whole numbers have 64 bits with a sign; a parser that cannot hold one must refuse it.
            Err(_) => {
                let message = "a whole number is too large for TOML".to_owned();
                faults.push(SyntaxError { message, range: range.clone(), kind: SyntaxFault::Syntax });
                Value::Null
            }
        },
        DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Datetime(time) => Value::Number(time.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| node(item, faults)).collect()),
        DeValue::Table(table) => Value::Object(object(table, faults)),
    };
    Node { value, range }
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_know_their_places() {
        let text = "[[hooks.Stop]]\nmatcher = \"x\"\n[[hooks.Stop.hooks]]\ntimeout = 0x10\n";
        let root = parse(text.as_bytes()).unwrap();
        let hooks = root.as_object().unwrap().get("hooks").unwrap();
        let stop = hooks.as_object().unwrap().member("Stop").unwrap();
        assert_eq!(&text[stop.key_range.clone()], "Stop");
        let group = stop.value.as_array().unwrap()[0].as_object().unwrap();
        let matcher = group.member("matcher").unwrap();
        assert_eq!(&text[matcher.key_range.clone()], "matcher");
        assert_eq!(&text[matcher.value.range.clone()], "\"x\"");
        let handler = group.get("hooks").unwrap().as_array().unwrap()[0].as_object().unwrap();
        assert_eq!(handler.get("timeout").unwrap().as_u64(), Some(16));
    }

    #[test]
    fn numbers_beyond_64_bits_are_refused_at_their_place() {
        for number in ["9223372036854775808", "-9223372036854775809", "0xffff_ffff_ffff_ffff"] {
            let text = format!("a = [1, {{ b = {number} }}]");
            let error = parse(text.as_bytes()).unwrap_err();
            assert_eq!(&text[error.range], number);
        }
        let root = parse(b"a = 9223372036854775807").unwrap();
        assert_eq!(root.as_object().unwrap().get("a").unwrap().as_u64(), Some(i64::MAX.unsigned_abs()));
    }

    #[test]
    fn deep_documents_are_refused_not_followed() {
        let deep = 200_000;
        for text in [
            format!("a = {}1{}", "[".repeat(deep), "]".repeat(deep)),
            format!("a = {}1{}", "{a=".repeat(deep), "}".repeat(deep)),
            format!("{}a = 1", "a.".repeat(deep)),
            format!("[{}a]", "a.".repeat(deep)),
            format!("[[{}a]]", "a.".repeat(deep)),
        ] {
            assert!(parse(text.as_bytes()).is_err());
        }
    }
}
