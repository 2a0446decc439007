//! Texts, numbers and words of the reader that goes on.

use super::reader::Reader;
use super::{Mistake, MistakeKind};
use crate::document::{JsonRules, Node, Value, parse_json};

/// Bytes after a line break in which the end of a text is looked for.
const LOOK_AHEAD: usize = 64 << 10;

/// Whether a character opens a text in quotes that JSON does not have.
pub(super) const fn opens_text(c: char) -> bool {
    matches!(c, '\'' | '`' | '“' | '”' | '„' | '‟' | '‘' | '’')
}

/// Whether a quote closes what another one opened.
const fn closes(opening: char, c: char) -> bool {
    match opening {
        '\'' | '`' => c == opening,
        '‘' | '’' => matches!(c, '‘' | '’' | '\''),
        _ => matches!(c, '“' | '”' | '‟' | '"'),
    }
}

/// Whether a character stands in keys and texts that people leave unquoted.
pub(super) const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '-' | '.' | '/' | '@' | '~')
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// An escape that JSON does not have, with the bytes it takes up.
struct BadEscape {
    length: usize,
    message: &'static str,
    help: &'static str,
    /// What to write in its place, where that is known.
    text: Option<&'static str>,
    /// What the text says there, once it is mended.
    said: &'static str,
}

impl Reader<'_> {
    /// A text in double quotes.
    pub(super) fn string(&mut self) -> String {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        let mut control: Option<Mistake> = None;
        loop {
            let from = self.at;
            let rest = self.after(from);
            let plain = rest.find(|c: char| matches!(c, '"' | '\\' | '\0'..='\u{1f}')).unwrap_or(rest.len());
            out.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => {
                    let at = self.at;
                    match self.escape() {
                        Ok(c) => out.push(c),
                        Err(bad) => {
                            out.push_str(bad.said);
                            self.at = at + bad.length;
                            let range = at..self.at;
                            let mistake = self.mistake(MistakeKind::Escape, range, bad.message, bad.help);
                            self.push(match bad.text {
                                Some(text) => mistake.replace(text),
                                None => mistake,
                            });
                        }
                    }
                }
                Some(c) if c != '\n' && c != '\r' || self.goes_on() => {
                    let range = self.at..self.at + 1;
                    let message = if matches!(c, '\n' | '\r') {
                        "a text goes on over a line break"
                    } else {
                        "a text holds a control character"
                    };
                    let place = self.place(range.clone());
                    let help = "Write line breaks as \\n and tabs as \\t.";
                    let mistake = control
                        .take()
                        .unwrap_or_else(|| self.mistake(MistakeKind::ControlCharacter, range, message, help));
                    let escaped = quoted(&c.to_string());
                    control = Some(mistake.edit(place, escaped.trim_matches('"')));
                    out.push(c);
                    self.at += 1;
                }
                _ => {
                    self.unclosed_text(start, from.max(start + 1), &mut out);
                    break;
                }
            }
        }
        if let Some(mistake) = control {
            self.push(mistake);
        }
        out
    }

    /// Whether the text that holds a line break here is closed further down: its quote has something behind it that
    /// goes on with the document.
    fn goes_on(&self) -> bool {
        let rest = self.after(self.at);
        let mut limit = rest.len().min(LOOK_AHEAD);
        while !rest.is_char_boundary(limit) {
            limit -= 1;
        }
        let mut escaped = false;
        for (at, c) in rest.get(..limit).unwrap_or_default().char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    let behind = rest.get(at + 1..).unwrap_or_default().trim_start();
                    return behind.is_empty() || behind.starts_with([',', ':', ']', '}']);
                }
                _ => {}
            }
        }
        false
    }

    /// A text that ends with its line. A comma there is the document's; brackets may be the text's.
    fn unclosed_text(&mut self, start: usize, piece: usize, out: &mut String) {
        let line = self.text.get(piece..self.at).unwrap_or_default();
        let trimmed = line.trim_end();
        let sure = !trimmed.ends_with(['}', ']']) && self.text.get(start..piece).is_some_and(|t| !t.contains('\n'));
        let kept = trimmed.trim_end_matches(['}', ']', ' ', '\t']);
        let kept = kept.strip_suffix(',').unwrap_or(kept);
        let key = key_before_bracket(trimmed);
        let kept = key.unwrap_or(kept);
        let sure = sure || key.is_some();
        out.truncate(out.len() - (line.len() - kept.len()).min(out.len()));
        self.at = piece + kept.len();
        let end = self.place(self.at..self.at);
        let message = "this text is never closed";
        let mistake = self.mistake(MistakeKind::Unclosed, start..self.at, message, "Close it with a double quote.");
        self.push(if sure { mistake.edit(end, "\"") } else { mistake });
    }

    /// One escape, read; on a bad one the place stays.
    fn escape(&mut self) -> Result<char, BadEscape> {
        let rest = self.after(self.at + 1);
        let simple = match rest.chars().next() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode(rest),
            Some('\'') => {
                return Err(BadEscape {
                    length: 2,
                    message: "a single quote needs no backslash",
                    help: "Write it without the backslash.",
                    text: Some("'"),
                    said: "'",
                });
            }
            Some(c) if !c.is_control() => {
                return Err(BadEscape {
                    length: 1,
                    message: "JSON has no such escape",
                    help: "Write two backslashes where one is meant.",
                    text: Some("\\\\"),
                    said: "\\",
                });
            }
            _ => {
                return Err(BadEscape {
                    length: 1,
                    message: "a backslash at the end of a line means nothing in JSON",
                    help: "Write the text on one line.",
                    text: None,
                    said: "",
                });
            }
        };
        self.at += 2;
        Ok(simple)
    }

    /// The escape of a character by its number, or of a pair that makes one.
    fn unicode(&mut self, rest: &str) -> Result<char, BadEscape> {
        let unit = |text: &str| {
            let digits = text.get(1..5).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
        };
        let Some(first) = unit(rest) else {
            return Err(BadEscape {
                length: 1,
                message: "the escape \\u needs four digits",
                help: "Write two backslashes where one is meant.",
                text: Some("\\\\"),
                said: "\\",
            });
        };
        if let Some(c) = char::from_u32(first) {
            self.at += 6;
            return Ok(c);
        }
        let second = rest.get(5..).and_then(|rest| rest.strip_prefix('\\')).filter(|rest| rest.starts_with('u'));
        let pair = second.and_then(unit).filter(|low| first < 0xdc00 && (0xdc00..=0xdfff).contains(low));
        if let Some(c) = pair.and_then(|low| char::from_u32(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00))) {
            self.at += 12;
            return Ok(c);
        }
        if self.rules.lone_surrogates {
            self.at += 6;
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        Err(BadEscape {
            length: 6,
            message: "this escape is half of a character",
            help: "Write both halves, or the character itself.",
            text: None,
            said: "",
        })
    }

    /// A text in quotes that JSON does not have.
    pub(super) fn other_quotes(&mut self, opening: char) -> String {
        let start = self.at;
        self.bump(opening);
        let mut out = String::new();
        loop {
            match self.peek() {
                Some(c) if closes(opening, c) => {
                    self.bump(c);
                    break;
                }
                Some('\\') => {
                    let next = self.after(self.at + 1).chars().next();
                    match next {
                        Some(c) if closes(opening, c) => {
                            out.push(c);
                            self.at += 1 + c.len_utf8();
                        }
                        _ => match self.escape() {
                            Ok(c) => out.push(c),
                            Err(_) => {
                                out.push('\\');
                                self.at += 1;
                            }
                        },
                    }
                }
                Some(c) if !matches!(c, '\n' | '\r') || opening == '`' => {
                    out.push(c);
                    self.bump(c);
                }
                _ => {
                    let help = "Write the text in double quotes.";
                    self.tell(MistakeKind::Unclosed, start..self.at, "this text is never closed", help);
                    return out;
                }
            }
        }
        let message = format!("`{opening}` is no quote in JSON");
        let range = start..self.at;
        let mistake = self.mistake(MistakeKind::WrongQuotes, range, message, "Write the text in double quotes.");
        self.push(mistake.replace(quoted(&out)));
        out
    }

    /// A key without quotes.
    pub(super) fn bare_key(&mut self) -> String {
        let start = self.at;
        let word = self.take_word().to_owned();
        let message = "a key stands without quotes";
        let range = start..self.at;
        let mistake = self.mistake(MistakeKind::MissingQuotes, range, message, "Write it in double quotes.");
        self.push(mistake.replace(quoted(&word)));
        word
    }

    /// The characters from here that stand in words.
    fn take_word(&mut self) -> &str {
        let start = self.at;
        while let Some(c) = self.peek().filter(|c| is_word(*c)) {
            if self.after(self.at).starts_with("//") || self.after(self.at).starts_with("/*") {
                break;
            }
            self.bump(c);
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// A number, in whatever form.
    pub(super) fn number(&mut self) -> Value {
        let start = self.at;
        let length =
            self.after(start).find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_')));
        let token = self.after(start).get(..length.unwrap_or(usize::MAX)).unwrap_or_else(|| self.after(start));
        self.at += token.len();
        if is_number(token) {
            return Value::Number(token.to_owned());
        }
        // A path that starts with a dot is a text.
        if token.starts_with('.') && mended_number(token).is_none() {
            self.at = start;
            return self.word();
        }
        let help = "Write it in digits, with one point or none, and without a unit.";
        let message = "JSON has no such number";
        let mistake = self.mistake(MistakeKind::Number, start..self.at, message, help);
        match mended_number(token) {
            Some(number) => {
                self.push(mistake.replace(number.clone()));
                Value::Number(number)
            }
            None => {
                self.push(mistake);
                Value::Null
            }
        }
    }

    /// A word, or something that is no JSON up to where it could go on.
    pub(super) fn word(&mut self) -> Value {
        let start = self.at;
        let word = self.take_word().to_owned();
        match word.as_str() {
            "true" => return Value::Bool(true),
            "false" => return Value::Bool(false),
            "null" => return Value::Null,
            _ => {}
        }
        let range = start..self.at;
        let known = match word.to_ascii_lowercase().as_str() {
            "true" => Some(("true", Value::Bool(true))),
            "false" => Some(("false", Value::Bool(false))),
            "null" | "none" => Some(("null", Value::Null)),
            _ => None,
        };
        if let Some((json, value)) = known {
            let message = format!("JSON writes `{json}` for this");
            let mistake = self.mistake(MistakeKind::Word, range, message, "Write true, false or null in lower case.");
            self.push(mistake.replace(json));
            return value;
        }
        if matches!(word.as_str(), "NaN" | "Infinity" | "undefined") {
            self.tell(MistakeKind::Word, range, "JSON has no such value", "Write a number or null.");
            return Value::Null;
        }
        let behind = self.after(self.at).trim_start_matches([' ', '\t']);
        let ends =
            behind.is_empty() || behind.starts_with([',', ']', '}', '\n', '\r', '#']) || behind.starts_with("//");
        if !word.is_empty() && ends {
            let message = "a text stands without quotes";
            let mistake = self.mistake(MistakeKind::MissingQuotes, range, message, "Write it in double quotes.");
            self.push(mistake.replace(quoted(&word)));
            return Value::String(word);
        }
        let line = self.text.get(self.at..self.line_end(self.at)).unwrap_or_default();
        let length = line.find([',', '{', '}', '[', ']', '"']).unwrap_or(line.len());
        let text = line.get(..length).unwrap_or_default().trim_end();
        self.at += text.len();
        let message = "this is no JSON";
        self.tell(MistakeKind::Unreadable, start..self.at, message, "Write a text in double quotes.");
        Value::Null
    }
}

/// The key of a line that ends with the bracket of its value, as in `name: [`.
fn key_before_bracket(line: &str) -> Option<&str> {
    let key = line.strip_suffix(['[', '{'])?.trim_end().strip_suffix(':')?.trim_end();
    (!key.is_empty() && key.chars().all(is_word)).then_some(key)
}

fn is_number(token: &str) -> bool {
    matches!(
        parse_json(token.as_bytes(), JsonRules::default()),
        Ok(Node { value: Value::Number(_), range }) if range.len() == token.len()
    )
}

/// A number that other languages have, as JSON writes it.
fn mended_number(token: &str) -> Option<String> {
    let plain = token.replace('_', "");
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let radix = [("0x", 16), ("0X", 16), ("0o", 8), ("0b", 2)];
    for (prefix, radix) in radix {
        if let Some(digits) = digits.strip_prefix(prefix) {
            return u64::from_str_radix(digits, radix).ok().map(|number| format!("{sign}{number}"));
        }
    }
    let short = digits.trim_start_matches('0');
    let mut number =
        if short.starts_with(|c: char| c.is_ascii_digit()) { short.to_owned() } else { format!("0{short}") };
    if number.ends_with('.') {
        number.pop();
    }
    let number = format!("{sign}{number}");
    (digits.contains(|c: char| c.is_ascii_digit()) && is_number(&number)).then_some(number)
}
