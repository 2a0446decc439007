//! Where the keys of a TOML document stand. A parser gives each table's key once; a document writes it in every header.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use toml_parser::Source;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};

/// Steps of a path up to which keys are looked up: `hooks`, the event, a group's key.
const DEEPEST: usize = 3;

/// Tables inside each other up to which a document is followed, as the parser of its values does.
const MOST_NESTED: u32 = 80;

/// Every place of every key of up to three steps, by its path; which element of a list it stands in does not matter.
pub(super) fn places(text: &str) -> HashMap<Vec<String>, Vec<Range<usize>>> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
    parse_document(&tokens, &mut RecursionGuard::new(&mut events, MOST_NESTED), &mut ());
    let mut walk = Walk { source, found: HashMap::new(), header: Vec::new(), open: Vec::new(), key: Vec::new() };
    for event in &events {
        walk.take(event);
    }
    walk.found
}

struct Walk<'t> {
    source: Source<'t>,
    found: HashMap<Vec<String>, Vec<Range<usize>>>,
    /// The path of the table whose header was read last.
    header: Vec<String>,
    /// The paths of the lists and tables in brackets that are open.
    open: Vec<Vec<String>>,
    /// The path of the key that is being read, or whose value is.
    key: Vec<String>,
}

impl Walk<'_> {
    fn take(&mut self, event: &Event) {
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.open.clear();
                self.key.clear();
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => {
                self.header = std::mem::take(&mut self.key);
                self.key.clone_from(&self.header);
            }
            EventKind::InlineTableOpen | EventKind::ArrayOpen => self.open.push(self.key.clone()),
            EventKind::InlineTableClose | EventKind::ArrayClose => self.key = self.open.pop().unwrap_or_default(),
            EventKind::SimpleKey => self.step(event),
            EventKind::ValueSep => self.key = self.open.last().cloned().unwrap_or_default(),
            EventKind::Newline if self.open.is_empty() => self.key.clone_from(&self.header),
            _ => {}
        }
    }

    fn step(&mut self, event: &Event) {
        let span = event.span();
        let mut key = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut key, &mut ());
        }
        self.key.push(key.into_owned());
        if self.key.len() <= DEEPEST {
            self.found.entry(self.key.clone()).or_default().push(span.start()..span.end());
        }
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;

    fn of(text: &str, path: &[&str]) -> Vec<Range<usize>> {
        places(text).remove(&path.iter().map(|step| (*step).to_owned()).collect::<Vec<_>>()).unwrap_or_default()
    }

    #[test]
    fn keys_are_found_in_headers_and_in_braces() {
        let text = "x = [[1], {a = 1}]\n[[hooks.\"a\"]]\nb = 1 # [[hooks.a]]\n\n  [[hooks.a.hooks]]\n[hooks.c]\n";
        let found = of(text, &["hooks", "a"]);
        assert_eq!(found.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>(), ["\"a\"", "a"]);
        assert_eq!(of(text, &["hooks", "a", "b"]).len(), 1);
        assert_eq!(of(text, &["hooks"]).len(), 3);
        let text = "hooks = { a = [{ b = 1 }, { b = 2, c.d = 3 }], e = '''\n[hooks.a]\n''' }\n\ny.z = 1\n";
        assert_eq!(of(text, &["hooks", "a"]).len(), 1);
        assert_eq!(of(text, &["hooks", "a", "b"]).len(), 2);
        assert_eq!(of(text, &["hooks", "e"]).len(), 1);
        assert_eq!(of(text, &["y", "z"]).len(), 1);
        assert_eq!(of(text, &["z"]).len(), 0);
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in ["[", "[[", "a = {", "a = [{", "}", "a.b.c.d = {e = {f = 1}}", "= = =", "[[a]\nb", "\u{feff}a = 1"]
        {
            places(text);
        }
        places(&"[".repeat(100_000));
        places(&format!("a = {}", "{a=".repeat(100_000)));
    }
}
