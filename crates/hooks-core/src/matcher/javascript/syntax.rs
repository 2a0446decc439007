//! The grammar of ECMA-262 patterns without flags, Annex B included, read unit by unit.

use std::collections::BTreeMap;

use super::super::PatternError;
use super::set::UnitSet;

/// Groups that may stand in one another.
const MAX_NESTING: usize = 100;

/// Back-references a pattern may have: working out what they find takes time for each.
const MAX_REFERENCES: usize = 100;

/// A repetition without upper limit; larger numbers mean the same.
pub(super) const UNLIMITED: u32 = i32::MAX as u32;

/// One part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    Set(UnitSet),
    Start,
    End,
    WordBoundary {
        inside: bool,
    },
    /// A group that captures under a number from 1 on, or one that does not.
    Group {
        number: Option<usize>,
        body: Box<Node>,
    },
    Look {
        behind: bool,
        negative: bool,
        body: Box<Node>,
    },
    /// What a group captured. `perhaps`: it may not have captured, and the empty text is meant then.
    Captured {
        number: usize,
        perhaps: bool,
    },
    Repeat {
        min: u32,
        max: u32,
        lazy: bool,
        body: Box<Node>,
    },
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
}

impl Node {
    /// Whether it can match the empty text.
    pub(super) fn takes_nothing(&self) -> bool {
        match self {
            Self::Set(_) => false,
            Self::Group { body, .. } => body.takes_nothing(),
            Self::Repeat { min, body, .. } => *min == 0 || body.takes_nothing(),
            Self::Sequence(nodes) => nodes.iter().all(Self::takes_nothing),
            Self::Choice(nodes) => nodes.iter().any(Self::takes_nothing),
            Self::Empty | Self::Start | Self::End | Self::WordBoundary { .. } | Self::Look { .. } => true,
            Self::Captured { .. } => true,
        }
    }

    /// Whether it matches nothing but the empty text. `false` for what a group captured.
    pub(super) fn takes_only_nothing(&self) -> bool {
        match self {
            Self::Set(_) | Self::Captured { .. } => false,
            Self::Group { body, .. } => body.takes_only_nothing(),
            Self::Repeat { max, body, .. } => *max == 0 || body.takes_only_nothing(),
            Self::Sequence(nodes) | Self::Choice(nodes) => nodes.iter().all(Self::takes_only_nothing),
            Self::Empty | Self::Start | Self::End | Self::WordBoundary { .. } | Self::Look { .. } => true,
        }
    }
}

/// A valid pattern.
#[derive(Debug)]
pub(super) struct Syntax {
    pub(super) root: Node,
    /// Number of alternatives beyond the first, all groups together.
    pub(super) bars: usize,
    /// Why it is not sure that every engine takes it.
    pub(super) doubt: Option<&'static str>,
}

/// Reads a pattern.
pub(super) fn parse(units: &[u16]) -> Result<Syntax, PatternError> {
    let (groups, named) = count_groups(units);
    let mut parser = Parser {
        units,
        at: 0,
        groups,
        named,
        opened: 0,
        depth: 0,
        bars: 0,
        choices: 0,
        path: Vec::new(),
        names: BTreeMap::new(),
        references: 0,
        wanted: Vec::new(),
        doubt: None,
    };
    let mut root = parser.disjunction()?;
    if parser.at < units.len() {
        return invalid("a `)` without its `(`");
    }
    let names = std::mem::take(&mut parser.names);
    for name in &parser.wanted {
        if !names.contains_key(name) {
            return invalid(&format!("`\\k<{name}>` names no group"));
        }
    }
    resolve_names(&mut root, &parser.wanted, &names);
    Ok(Syntax { root, bars: parser.bars, doubt: parser.doubt })
}

fn invalid<T>(message: &str) -> Result<T, PatternError> {
    Err(PatternError::Invalid(message.to_owned()))
}

fn cannot_run<T>(message: &str) -> Result<T, PatternError> {
    Err(PatternError::CannotRun(message.to_owned()))
}

/// Capturing groups in the whole pattern, and whether any has a name: both change what escapes mean.
fn count_groups(units: &[u16]) -> (usize, bool) {
    let (mut groups, mut named, mut in_class) = (0, false, false);
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        match ascii(*unit) {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => {
                let after = |offset: usize| units.get(at + offset).map_or(0, |unit| ascii(*unit));
                if after(1) != b'?' {
                    groups += 1;
                } else if after(2) == b'<' && !matches!(after(3), b'=' | b'!') {
                    groups += 1;
                    named = true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    (groups, named)
}

/// The unit as ASCII; 0 for any other, which is no character of the syntax.
fn ascii(unit: u16) -> u8 {
    u8::try_from(unit).ok().filter(u8::is_ascii).unwrap_or(0)
}

/// Named references are numbered from [`NAMED`] on until all names are known.
const NAMED: usize = 1 << 32;

fn resolve_names(node: &mut Node, wanted: &[String], names: &BTreeMap<String, Named>) {
    match node {
        Node::Captured { number, .. } => {
            if let Some(name) = number.checked_sub(NAMED).and_then(|index| wanted.get(index))
                && let Some(named) = names.get(name)
            {
                *number = named.number;
            }
        }
        Node::Group { body, .. } | Node::Look { body, .. } | Node::Repeat { body, .. } => {
            resolve_names(body, wanted, names);
        }
        Node::Sequence(nodes) | Node::Choice(nodes) => {
            for node in nodes {
                resolve_names(node, wanted, names);
            }
        }
        Node::Empty | Node::Set(_) | Node::Start | Node::End | Node::WordBoundary { .. } => {}
    }
}

struct Named {
    number: usize,
    /// The alternative taken in each disjunction around it.
    path: Vec<(usize, usize)>,
}

/// One member of a class.
enum Atom {
    Unit(u16),
    Set(UnitSet),
}

struct Parser<'a> {
    units: &'a [u16],
    at: usize,
    groups: usize,
    named: bool,
    opened: usize,
    depth: usize,
    bars: usize,
    choices: usize,
    path: Vec<(usize, usize)>,
    names: BTreeMap<String, Named>,
    references: usize,
    wanted: Vec<String>,
    doubt: Option<&'static str>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.units.get(self.at).map(|unit| ascii(*unit))
    }

    fn next(&mut self) -> Option<u16> {
        let unit = self.units.get(self.at).copied();
        self.at += usize::from(unit.is_some());
        unit
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = text
            .bytes()
            .enumerate()
            .all(|(offset, byte)| self.units.get(self.at + offset).is_some_and(|unit| *unit == u16::from(byte)));
        if found {
            self.at += text.len();
        }
        found
    }

    fn disjunction(&mut self) -> Result<Node, PatternError> {
        if self.depth > MAX_NESTING {
            return cannot_run("its groups are nested too deeply");
        }
        self.depth += 1;
        self.choices += 1;
        self.path.push((self.choices, 0));
        let first = self.alternative()?;
        let node = if self.peek() == Some(b'|') {
            let mut nodes = vec![first];
            while self.eat("|") {
                self.bars += 1;
                if let Some(step) = self.path.last_mut() {
                    step.1 += 1;
                }
                nodes.push(self.alternative()?);
            }
            Node::Choice(nodes)
        } else {
            first
        };
        self.path.pop();
        self.depth -= 1;
        Ok(node)
    }

    fn alternative(&mut self) -> Result<Node, PatternError> {
        let mut nodes = Vec::new();
        while let Some(unit) = self.peek() {
            if matches!(unit, b'|' | b')') {
                break;
            }
            nodes.push(self.term()?);
        }
        Ok(if nodes.len() > 1 { Node::Sequence(nodes) } else { nodes.pop().unwrap_or(Node::Empty) })
    }

    fn term(&mut self) -> Result<Node, PatternError> {
        let before = self.at;
        let Some(unit) = self.next() else { return Ok(Node::Empty) };
        let (node, repeats) = match ascii(unit) {
            b'^' => (Node::Start, false),
            b'$' => (Node::End, false),
            b'.' => (Node::Set(UnitSet::any_but_line_ends()), true),
            b'(' => self.group()?,
            b'[' => (Node::Set(self.class()?), true),
            b'\\' => self.atom_escape()?,
            b'*' | b'+' | b'?' => return invalid("a quantifier with nothing before it to repeat"),
            b'{' => {
                self.at = before;
                if self.braces().is_some() {
                    return invalid("a quantifier with nothing before it to repeat");
                }
                self.at = before + 1;
                (Node::Set(UnitSet::one(unit)), true)
            }
            _ => (Node::Set(UnitSet::one(unit)), true),
        };
        if repeats { self.quantified(node) } else { Ok(node) }
    }

    fn quantified(&mut self, node: Node) -> Result<Node, PatternError> {
        let (min, max) = match self.peek() {
            Some(b'*') => (0, UNLIMITED),
            Some(b'+') => (1, UNLIMITED),
            Some(b'?') => (0, 1),
            Some(b'{') => match self.braces() {
                Some((min, max)) if min > max => return invalid("the numbers of a `{}` quantifier are out of order"),
                Some(limits) => {
                    let lazy = self.eat("?");
                    return Ok(repeat(node, limits, lazy));
                }
                None => return Ok(node),
            },
            _ => return Ok(node),
        };
        self.at += 1;
        let lazy = self.eat("?");
        Ok(repeat(node, (min, max), lazy))
    }

    /// `{n}`, `{n,}` or `{n,m}`; anything else is literal text and leaves the place as it was.
    fn braces(&mut self) -> Option<(u32, u32)> {
        let before = self.at;
        let limits = self.limits();
        if limits.is_none() {
            self.at = before;
        }
        limits
    }

    fn limits(&mut self) -> Option<(u32, u32)> {
        if !self.eat("{") {
            return None;
        }
        let min = self.number()?;
        let max = if self.eat(",") { self.number().unwrap_or(UNLIMITED) } else { min };
        self.eat("}").then_some((min, max))
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            self.at += 1;
            let next = number.unwrap_or(0_u32).saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            number = Some(next.min(UNLIMITED));
        }
        number
    }

    /// A group, behind its `(`; and whether a quantifier may follow.
    fn group(&mut self) -> Result<(Node, bool), PatternError> {
        let (node, repeats) = if self.eat("?") {
            if self.eat(":") {
                (Node::Group { number: None, body: Box::new(self.disjunction()?) }, true)
            } else if self.eat("=") {
                (self.look(false, false)?, true)
            } else if self.eat("!") {
                (self.look(false, true)?, true)
            } else if self.eat("<=") {
                (self.look(true, false)?, false)
            } else if self.eat("<!") {
                (self.look(true, true)?, false)
            } else if self.peek() == Some(b'<') {
                (self.named_group()?, true)
            } else {
                self.modifiers()?;
                (Node::Group { number: None, body: Box::new(self.disjunction()?) }, true)
            }
        } else {
            self.opened += 1;
            let number = Some(self.opened);
            (Node::Group { number, body: Box::new(self.disjunction()?) }, true)
        };
        if self.eat(")") { Ok((node, repeats)) } else { invalid("a `(` without its `)`") }
    }

    fn look(&mut self, behind: bool, negative: bool) -> Result<Node, PatternError> {
        Ok(Node::Look { behind, negative, body: Box::new(self.disjunction()?) })
    }

    fn named_group(&mut self) -> Result<Node, PatternError> {
        self.opened += 1;
        let number = self.opened;
        let name = self.group_name()?;
        if let Some(other) = self.names.get(&name) {
            // Disjunctions are numbered, so what the two share stands at the same places of their paths.
            let apart = other.path.iter().zip(&self.path).any(|(left, right)| left.0 == right.0 && left.1 != right.1);
            return if apart {
                cannot_run("two alternatives use the same group name, which older JavaScript engines refuse")
            } else {
                invalid(&format!("two groups are called `{name}`"))
            };
        }
        self.names.insert(name, Named { number, path: self.path.clone() });
        Ok(Node::Group { number: Some(number), body: Box::new(self.disjunction()?) })
    }

    /// `<name>`.
    fn group_name(&mut self) -> Result<String, PatternError> {
        if !self.eat("<") {
            return invalid("a group name without its `<`");
        }
        let mut name = String::new();
        loop {
            match self.next().map(|unit| (unit, ascii(unit))) {
                Some((_, b'>')) if !name.is_empty() => return Ok(name),
                Some((_, byte)) if byte.is_ascii_alphabetic() || matches!(byte, b'$' | b'_') => {
                    name.push(char::from(byte));
                }
                Some((_, byte)) if byte.is_ascii_digit() && !name.is_empty() => name.push(char::from(byte)),
                Some((_, b'\\')) => return cannot_run("a group name is written with escapes"),
                Some((unit, _)) if unit > 0x7F => return cannot_run("a group name is not ASCII"),
                _ => return invalid("a group name that is no identifier"),
            }
        }
    }

    /// `ims-ims:`, behind the `(?`.
    fn modifiers(&mut self) -> Result<(), PatternError> {
        let (mut seen, mut minus) = (Vec::new(), false);
        loop {
            match self.next().map(ascii) {
                Some(b':') if !seen.is_empty() => {
                    self.doubt = Some("it sets flags inside a group, which older JavaScript engines refuse");
                    return Ok(());
                }
                Some(b'-') if !minus => minus = true,
                Some(flag @ (b'i' | b'm' | b's')) if !seen.contains(&flag) => seen.push(flag),
                _ => return invalid("`(?` with nothing known behind it"),
            }
        }
    }

    /// An escape outside a class, behind its `\`; and whether a quantifier may follow.
    fn atom_escape(&mut self) -> Result<(Node, bool), PatternError> {
        let Some(letter) = self.peek() else { return invalid("a `\\` at the end") };
        match letter {
            b'b' | b'B' => {
                self.at += 1;
                return Ok((Node::WordBoundary { inside: letter == b'B' }, false));
            }
            b'1'..=b'9' => {
                let before = self.at;
                if let Some(number) = self.number().and_then(|number| usize::try_from(number).ok())
                    && number <= self.groups
                {
                    return Ok((self.captured(number)?, true));
                }
                self.at = before;
            }
            b'k' if self.named => {
                self.at += 1;
                let name = self.group_name()?;
                self.wanted.push(name);
                let number = NAMED + self.wanted.len() - 1;
                return Ok((self.captured(number)?, true));
            }
            _ => {}
        }
        if let Some(set) = UnitSet::escape(letter) {
            self.at += 1;
            return Ok((Node::Set(set), true));
        }
        Ok((Node::Set(UnitSet::one(self.character_escape()?)), true))
    }

    fn captured(&mut self, number: usize) -> Result<Node, PatternError> {
        self.references += 1;
        if self.references > MAX_REFERENCES {
            return cannot_run("it has too many back-references");
        }
        Ok(Node::Captured { number, perhaps: true })
    }

    /// An escape for one unit, behind its `\`, inside and outside a class.
    fn character_escape(&mut self) -> Result<u16, PatternError> {
        let Some(unit) = self.next() else { return invalid("a `\\` at the end") };
        Ok(match ascii(unit) {
            b'f' => 0x0C,
            b'n' => 0x0A,
            b'r' => 0x0D,
            b't' => 0x09,
            b'v' => 0x0B,
            b'c' => match self.peek() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.at += 1;
                    u16::from(letter % 32)
                }
                _ => {
                    // The `c` is read again, as itself: the `\` stands for itself too.
                    self.at -= 1;
                    u16::from(b'\\')
                }
            },
            digit @ b'0'..=b'7' => self.octal(u16::from(digit - b'0')),
            b'x' => self.hex(2).unwrap_or(unit),
            b'u' => self.hex(4).unwrap_or(unit),
            b'k' if self.named => return invalid("`\\k` without the name of a group"),
            _ => unit,
        })
    }

    fn octal(&mut self, first: u16) -> u16 {
        let mut value = first;
        for _ in 0..if first <= 3 { 2 } else { 1 } {
            match self.peek() {
                Some(digit @ b'0'..=b'7') => {
                    self.at += 1;
                    value = value * 8 + u16::from(digit - b'0');
                }
                _ => break,
            }
        }
        value
    }

    fn hex(&mut self, digits: usize) -> Option<u16> {
        let mut value = 0_u16;
        for unit in self.units.get(self.at..self.at + digits)? {
            let digit = char::from(ascii(*unit)).to_digit(16)?;
            value = value << 4 | u16::try_from(digit).ok()?;
        }
        self.at += digits;
        Some(value)
    }

    /// A class, behind its `[`.
    fn class(&mut self) -> Result<UnitSet, PatternError> {
        let inverted = self.eat("^");
        let mut ranges = Vec::new();
        let dash = u16::from(b'-');
        loop {
            match self.peek() {
                None => return invalid("a `[` without its `]`"),
                Some(b']') => {
                    self.at += 1;
                    let set = UnitSet::new(ranges);
                    return Ok(if inverted { set.inverted() } else { set });
                }
                Some(_) => {}
            }
            let first = self.class_atom()?;
            if self.peek() != Some(b'-') {
                first.add_to(&mut ranges);
                continue;
            }
            self.at += 1;
            if matches!(self.peek(), None | Some(b']')) {
                first.add_to(&mut ranges);
                ranges.push((dash, dash));
                continue;
            }
            match (first, self.class_atom()?) {
                (Atom::Unit(from), Atom::Unit(to)) if from > to => {
                    return invalid("a range in a `[]` class is out of order");
                }
                (Atom::Unit(from), Atom::Unit(to)) => ranges.push((from, to)),
                (first, second) => {
                    first.add_to(&mut ranges);
                    ranges.push((dash, dash));
                    second.add_to(&mut ranges);
                }
            }
        }
    }

    fn class_atom(&mut self) -> Result<Atom, PatternError> {
        let Some(unit) = self.next() else { return invalid("a `[` without its `]`") };
        if unit != u16::from(b'\\') {
            return Ok(Atom::Unit(unit));
        }
        match self.peek() {
            Some(b'b') => {
                self.at += 1;
                Ok(Atom::Unit(0x08))
            }
            Some(b'c') => {
                if let Some(letter) = self.units.get(self.at + 1).map(|unit| ascii(*unit))
                    && (letter.is_ascii_digit() || letter == b'_')
                {
                    self.at += 2;
                    return Ok(Atom::Unit(u16::from(letter % 32)));
                }
                self.character_escape().map(Atom::Unit)
            }
            Some(letter) => match UnitSet::escape(letter) {
                Some(set) => {
                    self.at += 1;
                    Ok(Atom::Set(set))
                }
                None => self.character_escape().map(Atom::Unit),
            },
            None => invalid("a `\\` at the end"),
        }
    }
}

impl Atom {
    fn add_to(self, ranges: &mut Vec<(u16, u16)>) {
        match self {
            Self::Unit(unit) => ranges.push((unit, unit)),
            Self::Set(set) => ranges.extend_from_slice(set.ranges()),
        }
    }
}

/// A repetition. An iteration that takes nothing is none once the least number is reached, so what can only take
/// nothing is there once or not at all.
pub(super) fn repeat(body: Node, (min, max): (u32, u32), lazy: bool) -> Node {
    if body.takes_only_nothing() {
        return if min == 0 { Node::Repeat { min: 0, max: 0, lazy, body: Box::new(body) } } else { body };
    }
    Node::Repeat { min, max, lazy, body: Box::new(body) }
}
