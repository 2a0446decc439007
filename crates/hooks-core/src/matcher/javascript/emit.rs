//! Writing a pattern in the language of `regex` or `fancy-regex`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::captures::find_referred;
use super::set::{SURROGATES, UnitSet};
use super::syntax::{Node, UNLIMITED};
use super::unit_as_char;

/// Where `fancy-regex` would read a `\b` with Unicode's word characters.
const BOUNDARY: &str = "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";
const NO_BOUNDARY: &str = "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))";

/// Writes a pattern whose back-references are settled; `backtracking` chooses `fancy-regex`.
pub(super) fn write(root: &Node, backtracking: bool) -> String {
    let mut referred = BTreeSet::new();
    find_referred(root, &mut referred);
    let captured = referred.into_iter().map(|number| (number, 0)).collect();
    let mut writer = Writer { out: String::new(), captured, opened: 0, backtracking };
    writer.node(root);
    writer.out
}

struct Writer {
    out: String,
    /// The groups that are referred to, and the numbers they have in what is written.
    captured: BTreeMap<usize, usize>,
    opened: usize,
    backtracking: bool,
}

impl Writer {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Empty => self.out.push_str("(?:)"),
            Node::Set(set) => self.set(set),
            Node::Start => self.out.push('^'),
            Node::End => self.out.push('$'),
            Node::WordBoundary { inside } => self.out.push_str(match (self.backtracking, inside) {
                (true, false) => BOUNDARY,
                (true, true) => NO_BOUNDARY,
                (false, false) => r"(?-u:\b)",
                (false, true) => r"(?-u:\B)",
            }),
            Node::Group { number, body } => {
                match number.and_then(|number| self.captured.get_mut(&number)) {
                    Some(written) => {
                        self.opened += 1;
                        *written = self.opened;
                        self.out.push('(');
                    }
                    None => self.out.push_str("(?:"),
                }
                self.node(body);
                self.out.push(')');
            }
            Node::Look { behind, negative, body } => {
                self.out.push_str(match (behind, negative) {
                    (false, false) => "(?=",
                    (false, true) => "(?!",
                    (true, false) => "(?<=",
                    (true, true) => "(?<!",
                });
                self.node(body);
                self.out.push(')');
            }
            Node::Captured { number, perhaps } => {
                let number = self.captured.get(number).copied().unwrap_or(0);
                let _ = if *perhaps {
                    write!(self.out, r"(?({number})\{number}|)")
                } else {
                    write!(self.out, r"(?:\{number})")
                };
            }
            Node::Repeat { max: 0, .. } => self.out.push_str("(?:)"),
            Node::Repeat { min, max, lazy, body } => {
                self.repeated(body);
                let _ = match (*min, *max) {
                    (0, UNLIMITED) => write!(self.out, "*"),
                    (1, UNLIMITED) => write!(self.out, "+"),
                    (0, 1) => write!(self.out, "?"),
                    (min, UNLIMITED) => write!(self.out, "{{{min},}}"),
                    (min, max) if min == max => write!(self.out, "{{{min}}}"),
                    (min, max) => write!(self.out, "{{{min},{max}}}"),
                };
                if *lazy {
                    self.out.push('?');
                }
            }
            Node::Sequence(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::Choice(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    if index > 0 {
                        self.out.push('|');
                    }
                    if !matches!(node, Node::Empty) {
                        self.node(node);
                    }
                }
            }
        }
    }

    fn repeated(&mut self, body: &Node) {
        if matches!(body, Node::Set(_) | Node::Group { .. }) {
            self.node(body);
        } else {
            self.out.push_str("(?:");
            self.node(body);
            self.out.push(')');
        }
    }

    fn set(&mut self, set: &UnitSet) {
        if let Some(unit) = set.single() {
            self.unit(unit);
        } else if set.is_empty() {
            self.out.push_str(r"[^\x{0}-\x{10FFFF}]");
        } else if set.takes_all_halves() {
            // What is left out is written, so that all halves, and all characters made of two, are in.
            let left_out = set.inverted();
            if left_out.is_empty() {
                self.out.push_str("(?s:.)");
            } else {
                self.out.push_str("[^");
                self.ranges(&left_out);
                self.out.push(']');
            }
        } else {
            self.out.push('[');
            self.ranges(set);
            self.out.push(']');
        }
    }

    fn ranges(&mut self, set: &UnitSet) {
        let (low, high) = SURROGATES;
        for &(first, last) in set.ranges() {
            // Halves stand elsewhere among the characters, so a range over them falls apart.
            for (from, to) in
                [(first, last.min(low - 1)), (first.max(low), last.min(high)), (first.max(high + 1), last)]
            {
                if from <= to {
                    self.unit(from);
                    if from < to {
                        self.out.push('-');
                        self.unit(to);
                    }
                }
            }
        }
    }

    fn unit(&mut self, unit: u16) {
        let char = unit_as_char(unit);
        if char.is_ascii_alphanumeric() || matches!(char, '_' | ' ' | '/' | ':' | ',' | '"' | '\'' | '=' | '@') {
            self.out.push(char);
        } else {
            let _ = write!(self.out, r"\x{{{:X}}}", u32::from(char));
        }
    }
}
