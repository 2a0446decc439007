//! The part of the regular-expression languages that means the same to all of them: reading it, and writing it.

use super::{Picks, Regex};

/// Alternatives that one pattern may come to.
const MAX_SHAPES: usize = 64;
/// Parts that one alternative may have.
const MAX_PIECES: usize = 256;
/// Groups that may stand in one another.
const MAX_NESTING: usize = 16;

/// One part of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// One character.
    Char(char),
    /// Any text.
    Any,
    /// Something else, as both languages write it; `spans` says whether an underscore can be part of it.
    Other {
        /// The text.
        text: String,
        /// Whether it can take an underscore.
        spans: bool,
        /// Whether it can take a character that is no letter, digit or underscore.
        odd: bool,
    },
}

/// One alternative of a matcher.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Whether it stands at the start of a value.
    pub start: bool,
    /// Whether it stands at the end of a value.
    pub end: bool,
    /// Its parts.
    pub pieces: Vec<Piece>,
}

impl Shape {
    /// One whole value.
    #[must_use]
    pub fn whole(value: &str) -> Self {
        Self { start: true, end: true, pieces: value.chars().map(Piece::Char).collect() }
    }

    /// The value, where it is one whole value.
    #[must_use]
    pub fn word(&self) -> Option<String> {
        if !(self.start && self.end) || self.pieces.is_empty() {
            return None;
        }
        self.pieces.iter().map(|piece| if let Piece::Char(c) = piece { Some(*c) } else { None }).collect()
    }

    /// Whether it takes every value that is not empty.
    #[must_use]
    pub fn takes_all(&self) -> bool {
        let one = |piece: &Piece| matches!(piece, Piece::Other { text, .. } if text == ".");
        let open = match self.pieces.as_slice() {
            [first, rest @ ..] if one(first) && !rest.is_empty() => rest,
            pieces => pieces,
        };
        open.iter().all(|piece| *piece == Piece::Any) && !(self.pieces.is_empty() && self.start && self.end)
    }

    /// The same without wildcards at an end, which say no more than a missing anchor.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        while self.pieces.first() == Some(&Piece::Any) {
            self.pieces.remove(0);
            self.start = false;
        }
        while self.pieces.last() == Some(&Piece::Any) {
            self.pieces.pop();
            self.end = false;
        }
        self
    }

    /// The alternative as a pattern.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        if self.start {
            text.push('^');
        }
        text.push_str(&write_pieces(&self.pieces));
        if self.end {
            text.push('$');
        }
        text
    }
}

/// Parts as a pattern.
pub(super) fn write_pieces(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Char(c) => push_escaped(&mut text, *c),
            Piece::Any => text.push_str(".*"),
            Piece::Other { text: other, .. } => text.push_str(other),
        }
    }
    text
}

pub(super) fn push_escaped(text: &mut String, c: char) {
    if "\\.+*?()|[]{}^$".contains(c) {
        text.push('\\');
    }
    text.push(c);
}

/// A text as a pattern that matches it alone.
pub(super) fn escaped(text: &str) -> String {
    let mut written = String::new();
    text.chars().for_each(|c| push_escaped(&mut written, c));
    written
}

/// Takes a pattern apart.
///
/// # Errors
///
/// Why it cannot be: it has a part that the languages read differently, or that one of them lacks.
pub fn parse(text: &str, regex: Regex) -> Result<Picks, String> {
    if let Some(excluded) = exclusion(text, regex)? {
        return Ok(Picks::AllBut(excluded));
    }
    let mut reader = Reader { chars: text.chars().collect(), at: 0, depth: 0 };
    let parts = reader.alternatives()?;
    if reader.at < reader.chars.len() {
        return Err("a `)` stands without its `(`".to_owned());
    }
    let shapes: Vec<Shape> = parts.into_iter().map(Parts::shape).collect::<Result<_, String>>()?;
    if shapes.iter().any(Shape::takes_all) {
        return Ok(Picks::All);
    }
    Ok(if shapes.is_empty() { Picks::Nothing } else { Picks::Some(shapes) })
}

/// The alternatives that `^(?!...)` excludes, where a pattern is that and nothing else.
fn exclusion(text: &str, regex: Regex) -> Result<Option<Vec<Shape>>, String> {
    let Some(rest) = text.strip_prefix("^(?!").filter(|_| regex == Regex::JavaScript) else { return Ok(None) };
    let mut reader = Reader { chars: rest.chars().collect(), at: 0, depth: 1 };
    let parts = reader.alternatives()?;
    if !reader.take(')') {
        return Err("a group is not closed".to_owned());
    }
    let tail: String = reader.chars.iter().skip(reader.at).collect();
    if !matches!(tail.as_str(), "" | ".*" | ".*$" | ".+" | ".+$") {
        return Err("it is a look-ahead with more behind it".to_owned());
    }
    let mut shapes = Vec::new();
    for part in parts {
        // A look-ahead begins where the pattern does.
        shapes.push(Shape { start: true, ..part.shape()? }.trimmed());
    }
    if shapes.iter().any(|shape| !shape.start || shape.takes_all()) {
        return Err("it excludes what only begins with a wildcard".to_owned());
    }
    Ok(Some(shapes))
}

/// What an alternative is made of while it is read: anchors are parts too.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Start,
    End,
    Piece(Piece),
}

#[derive(Clone, Debug, Default)]
struct Parts(Vec<Part>);

impl Parts {
    /// The alternative. One that matches nothing, or no more than the empty value, is an error too: no client has such
    /// values, and whoever wrote it meant something else.
    fn shape(self) -> Result<Shape, String> {
        let mut shape = Shape::default();
        let mut parts = self.0.into_iter().peekable();
        while parts.next_if_eq(&Part::Start).is_some() {
            shape.start = true;
        }
        for part in parts {
            match part {
                Part::Start => return Err("an anchor stands in the middle".to_owned()),
                Part::End => shape.end = true,
                Part::Piece(_) if shape.end => return Err("an anchor stands in the middle".to_owned()),
                Part::Piece(piece) => shape.pieces.push(piece),
            }
        }
        if shape.pieces.is_empty() && shape.start && shape.end {
            return Err("it matches the empty value only".to_owned());
        }
        Ok(shape)
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

/// Characters of a set: which ranges, and whether they are left out.
struct Set {
    inverted: bool,
    ranges: Vec<(char, char)>,
}

impl Set {
    fn takes(&self, c: char) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != self.inverted
    }

    /// Whether it takes a character that is no letter, digit or underscore.
    fn is_odd(&self) -> bool {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.inverted
            || self.ranges.iter().any(|(from, to)| !(word(*from) && word(*to)) || (*from..=*to).any(|c| !word(c)))
    }

    fn write(&self) -> String {
        let mut text = String::from(if self.inverted { "[^" } else { "[" });
        for (from, to) in &self.ranges {
            push_in_set(&mut text, *from);
            if from != to {
                text.push('-');
                push_in_set(&mut text, *to);
            }
        }
        text.push(']');
        text
    }
}

pub(super) fn push_in_set(text: &mut String, c: char) {
    if "\\]^-[&~".contains(c) {
        text.push('\\');
    }
    text.push(c);
}

const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
const DIGIT: &[(char, char)] = &[('0', '9')];

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    fn take(&mut self, wanted: char) -> bool {
        let is = self.peek() == Some(wanted);
        self.at += usize::from(is);
        is
    }

    /// Alternatives up to a `)` or the end.
    fn alternatives(&mut self) -> Result<Vec<Parts>, String> {
        let mut all = Vec::new();
        loop {
            all.extend(self.sequence()?);
            if all.len() > MAX_SHAPES {
                return Err("it comes to too many alternatives".to_owned());
            }
            if !self.take('|') {
                return Ok(all);
            }
        }
    }

    fn sequence(&mut self) -> Result<Vec<Parts>, String> {
        let mut so_far = vec![Parts::default()];
        loop {
            let options = match self.peek() {
                None | Some('|' | ')') => return Ok(so_far),
                Some('^') => {
                    self.at += 1;
                    vec![vec![Part::Start]]
                }
                Some('$') => {
                    self.at += 1;
                    vec![vec![Part::End]]
                }
                Some('(') => self.group()?,
                Some(_) => vec![self.atom()?],
            };
            let mut longer = Vec::new();
            for head in &so_far {
                for tail in &options {
                    let joined: Vec<Part> = head.0.iter().chain(tail).cloned().collect();
                    if joined.len() > MAX_PIECES || longer.len() >= MAX_SHAPES {
                        return Err("it is too long to be taken apart".to_owned());
                    }
                    longer.push(Parts(joined));
                }
            }
            so_far = longer;
        }
    }

    fn group(&mut self) -> Result<Vec<Vec<Part>>, String> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err("its groups stand too deep in one another".to_owned());
        }
        self.at += 1;
        if self.take('?') && !self.take(':') {
            return Err("it has a look-around, a name or flags in a group".to_owned());
        }
        let inner = self.alternatives()?;
        if !self.take(')') {
            return Err("a group is not closed".to_owned());
        }
        self.depth -= 1;
        let inner: Vec<Vec<Part>> = inner.into_iter().map(|parts| parts.0).collect();
        let Some(quantifier) = self.quantifier()? else { return Ok(inner) };
        if quantifier == "?" {
            return Ok(inner.into_iter().chain([Vec::new()]).collect());
        }
        let mut pieces = Vec::new();
        for parts in &inner {
            let some: Option<Vec<Piece>> = parts
                .iter()
                .map(|part| if let Part::Piece(piece) = part { Some(piece.clone()) } else { None })
                .collect();
            pieces.push(some.ok_or("an anchor is repeated")?);
        }
        let written: Vec<String> = pieces.iter().map(|pieces| write_pieces(pieces)).collect();
        let spans = pieces.iter().flatten().any(|piece| match piece {
            Piece::Char(c) => *c == '_',
            Piece::Any => true,
            Piece::Other { spans, .. } => *spans,
        });
        let odd = pieces.iter().flatten().any(|piece| match piece {
            Piece::Char(c) => !(c.is_ascii_alphanumeric() || *c == '_'),
            Piece::Any => true,
            Piece::Other { odd, .. } => *odd,
        });
        let text = format!("(?:{}){quantifier}", written.join("|"));
        Ok(vec![vec![Part::Piece(Piece::Other { text, spans, odd })]])
    }

    fn atom(&mut self) -> Result<Vec<Part>, String> {
        let Some(c) = self.next() else { return Ok(Vec::new()) };
        let set = match c {
            '.' => {
                return Ok(match self.quantifier()?.as_deref() {
                    Some("*") => vec![Part::Piece(Piece::Any)],
                    // One character, then any.
                    Some("+") => vec![other(".", true, true), Part::Piece(Piece::Any)],
                    quantifier => vec![other(&format!(".{}", quantifier.unwrap_or_default()), true, true)],
                });
            }
            '[' => self.set()?,
            '\\' => match self.escape()? {
                Ok(c) => single(c),
                Err(set) => set,
            },
            '*' | '+' | '?' | '{' | '}' | ']' => return Err(format!("`{c}` stands where the languages differ")),
            c => single(c),
        };
        let one = match set.ranges.as_slice() {
            [(from, to)] if from == to && !set.inverted => Some(*from),
            _ => None,
        };
        let quantifier = self.quantifier()?;
        Ok(vec![match (one, quantifier) {
            (Some(c), None) => Part::Piece(Piece::Char(c)),
            (Some(c), Some(quantifier)) => {
                let odd = !(c.is_ascii_alphanumeric() || c == '_');
                other(&format!("{}{quantifier}", escaped(&c.to_string())), c == '_', odd)
            }
            (None, quantifier) => {
                other(&format!("{}{}", set.write(), quantifier.unwrap_or_default()), set.takes('_'), set.is_odd())
            }
        }])
    }

    /// What stands behind a backslash: a character, or a set.
    fn escape(&mut self) -> Result<Result<char, Set>, String> {
        let Some(c) = self.next() else { return Err("it ends in a backslash".to_owned()) };
        let set = |ranges: &[(char, char)], inverted| Ok(Err(Set { inverted, ranges: ranges.to_vec() }));
        match c {
            'd' => set(DIGIT, false),
            'D' => set(DIGIT, true),
            'w' => set(WORD, false),
            'W' => set(WORD, true),
            c if c.is_ascii_punctuation() && c != '<' && c != '>' => Ok(Ok(c)),
            c => Err(format!("`\\{c}` cannot be carried over")),
        }
    }

    fn set(&mut self) -> Result<Set, String> {
        let inverted = self.take('^');
        let mut ranges: Vec<(char, char)> = Vec::new();
        loop {
            let differ = || Err("a set has a part that the languages read differently".to_owned());
            let Some(c) = self.next() else { return Err("a set is not closed".to_owned()) };
            let from = match c {
                ']' if ranges.is_empty() => return differ(),
                ']' => return Ok(Set { inverted, ranges }),
                '[' => return differ(),
                '&' | '~' | '-' if self.peek() == Some(c) => return differ(),
                '\\' => match self.escape()? {
                    Ok(c) => c,
                    Err(set) if !set.inverted => {
                        ranges.extend(set.ranges);
                        continue;
                    }
                    Err(_) => return differ(),
                },
                c => c,
            };
            let is_range = self.peek() == Some('-') && !matches!(self.chars.get(self.at + 1), None | Some(']'));
            if !is_range {
                ranges.push((from, from));
                continue;
            }
            self.at += 1;
            let to = match self.next() {
                Some('\\') => match self.escape()? {
                    Ok(c) => c,
                    Err(_) => return differ(),
                },
                Some('[') | None => return differ(),
                Some(c) => c,
            };
            if from > to {
                return Err("a range of a set is the wrong way round".to_owned());
            }
            ranges.push((from, to));
        }
    }

    /// A quantifier, without the mark for lazy ones: whether something is found does not hang on it.
    fn quantifier(&mut self) -> Result<Option<String>, String> {
        let text = match self.peek() {
            Some(c @ ('*' | '+' | '?')) => {
                self.at += 1;
                c.to_string()
            }
            Some('{') => {
                let rest: String = self.chars.iter().skip(self.at + 1).take_while(|c| **c != '}').collect();
                let number = |text: &str| text.parse::<u16>().is_ok_and(|n| n <= 100);
                let fits = match rest.split_once(',') {
                    None => number(&rest),
                    Some((min, max)) => {
                        number(min)
                            && (max.is_empty() || number(max) && min.parse::<u16>().ok() <= max.parse::<u16>().ok())
                    }
                };
                if !fits {
                    return Err("a `{` stands where the languages differ".to_owned());
                }
                self.at += rest.chars().count() + 1;
                if !self.take('}') {
                    return Err("a `{` is not closed".to_owned());
                }
                format!("{{{rest}}}")
            }
            _ => return Ok(None),
        };
        self.take('?');
        if matches!(self.peek(), Some('*' | '+' | '?' | '{')) {
            return Err("a quantifier stands behind another".to_owned());
        }
        Ok(Some(text))
    }
}

fn single(c: char) -> Set {
    Set { inverted: false, ranges: vec![(c, c)] }
}

fn other(text: &str, spans: bool, odd: bool) -> Part {
    Part::Piece(Piece::Other { text: text.to_owned(), spans, odd })
}
