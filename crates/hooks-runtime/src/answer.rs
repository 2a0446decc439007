//! Sees in a growing standard output when it holds one complete JSON object, and what its first line says.

use hooks_core::json::RawObject;

/// Follows the brackets of a growing text. Looks at every byte once, however often it is asked.
#[derive(Debug, Default)]
pub(crate) struct AnswerWatch {
    seen: usize,
    depth: usize,
    state: State,
    /// Where the first line ends, once it does.
    first_line: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Only white space so far.
    #[default]
    Before,
    Outside,
    InString,
    Escaped,
    /// The brackets of one object are closed, and only white space followed.
    Closed,
    /// It is no single object, whatever comes.
    Never,
}

impl AnswerWatch {
    /// Takes in what was added to the text since the last time.
    pub(crate) fn advance(&mut self, text: &[u8]) {
        for (at, &byte) in text.iter().enumerate().skip(self.seen) {
            if byte == b'\n' && self.first_line.is_none() {
                self.first_line = Some(at);
            }
            self.state = self.step(byte);
        }
        self.seen = text.len();
    }

    fn step(&mut self, byte: u8) -> State {
        let white = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        match (self.state, byte) {
            (State::Never, _) => State::Never,
            (State::Before | State::Closed, _) if white => self.state,
            (State::Before, b'{') => {
                self.depth = 1;
                State::Outside
            }
            (State::Before | State::Closed, _) => State::Never,
            (State::Outside, b'"') | (State::Escaped, _) => State::InString,
            (State::Outside, b'{' | b'[') => {
                self.depth += 1;
                State::Outside
            }
            (State::Outside, b'}' | b']') => {
                self.depth -= 1;
                if self.depth == 0 { State::Closed } else { State::Outside }
            }
            (State::InString, b'\\') => State::Escaped,
            (State::InString, b'"') | (State::Outside, _) => State::Outside,
            (State::InString, _) => State::InString,
        }
    }

    /// Whether the text seems to be one whole object: its brackets are closed.
    pub(crate) fn seems_complete(&self) -> bool {
        self.state == State::Closed
    }

    /// Whether the text really is one whole object. Asked when it seems so; a no stays a no.
    pub(crate) fn is_complete(&mut self, text: &[u8]) -> bool {
        if self.state == State::Closed && RawObject::parse_slice(text).is_err() {
            self.state = State::Never;
        }
        self.state == State::Closed
    }

    /// Whether the first line, once it is there, is an object with `"async": true`; `None` while it is not there.
    pub(crate) fn first_line_is_async(&self, text: &[u8]) -> Option<bool> {
        let line = match self.first_line {
            Some(end) => text.get(..end)?,
            None if self.seems_complete() => text,
            None => return None,
        };
        let says_so = RawObject::parse_slice(line)
            .is_ok_and(|object| object.get("async").is_some_and(|value| value.get() == "true"));
        Some(says_so)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds a text in pieces of every size and says whether it is complete, and after how many bytes it first was.
    fn complete(text: &str) -> bool {
        let whole = text.as_bytes();
        let mut all = AnswerWatch::default();
        all.advance(whole);
        for size in 1..=whole.len().max(1) {
            let mut watch = AnswerWatch::default();
            for end in (0..=whole.len()).step_by(size) {
                watch.advance(&whole[..end]);
            }
            watch.advance(whole);
            assert_eq!(watch.seems_complete(), all.seems_complete(), "in pieces of {size}: {text}");
        }
        all.seems_complete() && all.is_complete(whole)
    }

    #[test]
    fn one_object_is_complete_and_nothing_else_is() {
        for text in ["{}", " \n{\"a\":[1,{\"b\":\"}\"}]}\n", r#"{"a":"\"}","b":"\\"}"#] {
            assert!(complete(text), "{text}");
        }
        for text in
            ["", "{", "{}{}", "{} x", "x {}", "[1]", "{\"a\":\"}", "{a}", "{]", "{\"a\":1]}", "null", "\u{feff}{}"]
        {
            assert!(!complete(text), "{text}");
        }
    }

    #[test]
    fn the_first_line_says_whether_the_run_goes_to_the_background() {
        let says = |text: &str| {
            let mut watch = AnswerWatch::default();
            watch.advance(text.as_bytes());
            watch.first_line_is_async(text.as_bytes())
        };
        assert_eq!(says("{\"async\": true}\nmore"), Some(true));
        assert_eq!(says("{\"async\":true,\"asyncTimeout\":5}"), Some(true));
        assert_eq!(says("{\"async\": false}\n"), Some(false));
        assert_eq!(says("{\"async\": \"true\"}\n"), Some(false));
        assert_eq!(says("hello\n{\"async\": true}\n"), Some(false));
        assert_eq!(says("{\"async\": true"), None);
        assert_eq!(says(""), None);
    }
}
