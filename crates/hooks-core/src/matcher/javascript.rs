//! JavaScript's regular expressions on engines that keep their time.
//!
//! What is meant is `new RegExp(text).test(value)`: no flags, the web syntax of ECMA-262 Annex B, letter case counts,
//! `^` and `$` only at the ends of the value. The pattern is read by the grammar of ECMA-262, unit of UTF-16 by unit, and
//! an ECMAScript engine (`regress`) has to agree that it is valid; that engine never runs on input, since it has no step
//! limit.
//!
//! **Linear time, on `regex`**: literals, classes, `.`, groups, alternatives, every quantifier, `^ $ \b \B`, all escapes,
//! and back-references that can only find nothing (a group that is not closed yet, or stands in another alternative).
//! Classes are written out, since `\d \w \s \b` and `.` take other characters in Rust.
//!
//! **Limited steps, on `fancy-regex`**: look-ahead, look-behind and back-references. A reference to a group that may not
//! have captured matches the empty text then, as JavaScript wants. Out of steps, the answer is doubtful. A step may
//! read the whole value where repetitions multiply (`(?=.*x)y`, not `^(?!.*x)`); such a pattern is doubtful on a value
//! longer than [`BACKTRACKING_VALUE_LIMIT`].
//!
//! **Cannot be run**: back-references whose outcome depends on captures that JavaScript forgets in a repetition, or that
//! have to do with look-behind; group names with escapes or outside ASCII; what only newer JavaScript engines take (flags
//! inside a group as in `(?i:a)`, a group name used in two alternatives); patterns that are too long, too deeply nested,
//! or too large when compiled.
//!
//! Without flags JavaScript sees UTF-16 code units: `^.$` does not match "😀", and `\uD83D` finds its first half. A
//! pattern for which this matters runs on a value in which every character above U+FFFF is replaced by two private
//! characters that stand for its halves, so that the answer is exact there as well.

mod captures;
mod emit;
mod set;
mod syntax;

use std::borrow::Cow;

use self::syntax::{Node, Syntax, UNLIMITED};
use super::{BACKTRACKING_VALUE_LIMIT, Pattern, PatternError};

/// UTF-16 units a pattern may have.
const LENGTH_LIMIT: usize = 1 << 16;

/// Bytes a pattern may have in the language of the engine.
const WRITTEN_LIMIT: usize = 1 << 18;

/// Up to these sizes `regress` is asked too; it recurses once for each alternative.
const SECOND_OPINION_UNITS: usize = 1 << 12;
const SECOND_OPINION_BARS: usize = 256;

/// Compiles a JavaScript pattern, flags none.
///
/// # Errors
///
/// [`PatternError::Invalid`] when JavaScript refuses it, [`PatternError::CannotRun`] when it is valid and no engine here
/// runs it with the same meaning.
pub fn compile(text: &str) -> Result<Pattern, PatternError> {
    if let Some(words) = Pattern::words(text) {
        return Ok(words);
    }
    let units: Vec<u16> = text.encode_utf16().take(LENGTH_LIMIT + 1).collect();
    if units.len() > LENGTH_LIMIT {
        return Err(PatternError::CannotRun("it is too long".to_owned()));
    }
    let mut syntax = syntax::parse(&units)?;
    if let Some(doubt) = syntax.doubt {
        return Err(PatternError::CannotRun(doubt.to_owned()));
    }
    second_opinion(&units, &syntax)?;
    captures::settle(&mut syntax.root)?;
    let mut uses = Uses::default();
    uses.count(&syntax.root, false);
    let written = emit::write(&syntax.root, uses.backtracking);
    if written.len() > WRITTEN_LIMIT {
        return Err(PatternError::CannotRun("it is too large".to_owned()));
    }
    let pattern = if uses.backtracking {
        let anchored = is_anchored(&syntax.root);
        // The engine sees an anchor only where it comes first.
        let hidden = anchored && !matches!(syntax.root, Node::Sequence(_));
        let written = if hidden { format!("^(?:{written})") } else { written };
        let regex = super::backtracking(&written, anchored)
            .map_err(|error| PatternError::CannotRun(super::last_line(&error.to_string())))?;
        let once = usize::from(!anchored) + passes(&syntax.root) <= 1;
        Pattern::from_backtracking(text, regex, (!once).then_some(BACKTRACKING_VALUE_LIMIT))
    } else {
        let regex =
            super::linear(&written).map_err(|error| PatternError::CannotRun(super::last_line(&error.to_string())))?;
        Pattern::from_linear(text, regex)
    };
    Ok(if uses.halves_matter() { pattern.over_units() } else { pattern })
}

/// Asks an ECMAScript engine whether it takes the pattern too.
fn second_opinion(units: &[u16], syntax: &Syntax) -> Result<(), PatternError> {
    if units.len() > SECOND_OPINION_UNITS || syntax.bars > SECOND_OPINION_BARS {
        return Ok(());
    }
    match regress::Regex::from_unicode(units.iter().map(|unit| u32::from(*unit)), regress::Flags::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err(PatternError::CannotRun(format!("engines disagree whether it is valid: {error}"))),
    }
}

/// Whether it can only begin at the start of a value.
fn is_anchored(node: &Node) -> bool {
    match node {
        Node::Start => true,
        Node::Group { body, .. } => is_anchored(body),
        Node::Sequence(nodes) => nodes.first().is_some_and(is_anchored),
        Node::Choice(nodes) => nodes.iter().all(is_anchored),
        _ => false,
    }
}

/// How many repetitions multiply: an attempt at one place reads a value at most so many times its own length over. What
/// stands in a look-around is given up once it is decided, so it does not multiply with what follows.
fn passes(node: &Node) -> usize {
    match node {
        Node::Captured { .. } => 1,
        Node::Group { body, .. } | Node::Look { body, .. } => passes(body),
        Node::Repeat { max, body, .. } => usize::from(*max > 1) + passes(body),
        Node::Choice(nodes) => nodes.iter().map(passes).max().unwrap_or(0),
        Node::Sequence(nodes) => nodes.iter().rev().fold(0, |rest, node| match node {
            Node::Look { .. } => rest.max(passes(node)),
            node => rest + passes(node),
        }),
        Node::Empty | Node::Set(_) | Node::Start | Node::End | Node::WordBoundary { .. } => 0,
    }
}

/// What a pattern contains that decides where it can run.
#[derive(Default)]
struct Uses {
    /// Look-around or back-references.
    backtracking: bool,
    inside_word: bool,
    /// Sets that take some half of a pair but not all.
    some_halves: usize,
    /// Sets that take all halves: as `.*`, as `.+` outside other repetitions, and otherwise.
    starred: usize,
    plussed: usize,
    bare: usize,
}

impl Uses {
    fn count(&mut self, node: &Node, repeated: bool) {
        match node {
            Node::Set(set) if set.takes_all_halves() => self.bare += 1,
            Node::Set(set) => self.some_halves += usize::from(set.takes_halves()),
            Node::WordBoundary { inside } => self.inside_word |= inside,
            Node::Look { body, .. } => {
                self.backtracking = true;
                self.count(body, repeated);
            }
            Node::Repeat { max: 0, .. } => {}
            Node::Repeat { min, max, body, .. } => match &**body {
                Node::Set(set) if set.takes_all_halves() && *max == UNLIMITED && *min == 0 => self.starred += 1,
                Node::Set(set) if set.takes_all_halves() && *max == UNLIMITED && *min == 1 && !repeated => {
                    self.plussed += 1;
                }
                body => self.count(body, true),
            },
            Node::Group { body, .. } => self.count(body, repeated),
            Node::Sequence(nodes) | Node::Choice(nodes) => nodes.iter().for_each(|node| self.count(node, repeated)),
            Node::Captured { .. } => self.backtracking = true,
            Node::Empty | Node::Start | Node::End => {}
        }
    }

    /// Whether a value with characters above U+FFFF has to be taken apart. It need not where a match never has to begin,
    /// end or count inside such a character: `.*` can always take the other half as well, and so can a lone `.+`.
    fn halves_matter(&self) -> bool {
        let lone_plus = self.plussed == 0 || (self.plussed == 1 && self.starred == 0);
        self.backtracking || self.inside_word || self.some_halves > 0 || self.bare > 0 || !lone_plus
    }
}

/// Where the halves of pairs stand: from U+F0000, private use.
const HALVES: u32 = 0xF_0000 - set::SURROGATES.0 as u32;

/// The character that stands for a unit in a value taken apart.
fn unit_as_char(unit: u16) -> char {
    let code = u32::from(unit);
    char::from_u32(code).or_else(|| char::from_u32(HALVES + code)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A value in which every character above U+FFFF is replaced by two that stand for its halves.
pub(super) fn take_apart(value: &str) -> Cow<'_, str> {
    // The first byte of a character of four bytes.
    if value.bytes().all(|byte| byte < 0xF0) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(value.encode_utf16().map(unit_as_char).collect())
}
