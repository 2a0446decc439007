//! A shell text as words and operators that know their bytes: enough of the grammar of `sh` to say what a command names,
//! and no more. What only a running shell knows (substitutions, globs, loops) is kept as such and never guessed.

mod read;

use std::ops::Range;

pub(crate) use read::read;

/// A word: what the shell passes on as one argument, or several where something in it is not quoted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it is made of.
    pub pieces: Vec<Piece>,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text, with escapes and quotes taken away.
    Text {
        /// The text.
        text: String,
        /// Whether it stands in quotes or behind a backslash.
        quoted: bool,
    },
    /// A variable.
    Variable(Variable),
    /// A substitution: the bytes of what is in it.
    Substitution {
        /// The bytes between its brackets or backquotes.
        inner: Range<usize>,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
}

/// A variable in a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its name.
    pub name: String,
    /// Its bytes, from the dollar on.
    pub range: Range<usize>,
    /// Whether it stands in double quotes.
    pub quoted: bool,
    /// Whether it is taken as it is: not `${NAME:-other}` and the like.
    pub plain: bool,
}

/// What ends a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    /// The start or the end of the text.
    End,
    /// `;` or a line's end
    Then,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
    /// `&`
    Background,
}

/// One command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Simple {
    /// Its words: the program and its arguments, without assignments and redirections.
    pub words: Vec<Word>,
    /// What it sets: the name and the value.
    pub assignments: Vec<(String, Word)>,
    /// Where its output and input go: the operator and the word behind it.
    pub redirections: Vec<(String, Word)>,
    /// What stands before it.
    pub before: Joint,
    /// What stands after it.
    pub after: Joint,
    /// Whether it stands in an `if`, a loop, a group or behind `!`.
    pub nested: bool,
}

/// A whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// Its commands, in written order.
    pub commands: Vec<Simple>,
    /// Whether it has more to it than commands one after the other: conditions, loops, groups, functions, here-documents.
    pub compound: bool,
}

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// A quote or bracket that is never closed: no shell reads the text either.
    Unclosed {
        /// What was opened.
        what: &'static str,
        /// The byte where.
        at: usize,
    },
    /// It has what is not followed here: substitutions in each other deeper than [`DEPTH`], say. A shell may read it.
    Unsure,
}

/// How deep substitutions may stand in each other; nothing is said of a text that goes deeper.
const DEPTH: usize = 16;

impl Word {
    /// Its text where it is nothing but text, whatever the quotes, and no shell would make several words or a path of it.
    pub(crate) fn literal(&self) -> Option<String> {
        let mut all = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { text, quoted } if *quoted || !is_special(text, all.is_empty()) => all.push_str(text),
                _ => return None,
            }
        }
        Some(all)
    }

    /// Its text without quotes, as a here-document is ended by it.
    fn unquoted(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text { text, .. } => text.clone(),
            Piece::Variable(variable) => format!("${}", variable.name),
            Piece::Substitution { .. } => String::new(),
        };
        self.pieces.iter().map(text).collect()
    }

    /// Its variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(variable),
            _ => None,
        })
    }
}

/// Whether a shell makes something else of a bare text: files of a pattern, a home folder, a list.
pub(crate) fn is_special(text: &str, first: bool) -> bool {
    let pattern = text.contains(['*', '?', '{']) || (text.contains('[') && !text.trim_start_matches('[').is_empty());
    pattern || (first && text.starts_with('~'))
}

/// All variables of a text, those in substitutions too, in written order. Empty where it cannot be read.
pub(crate) fn variables(text: &str) -> Vec<Variable> {
    let mut found = Vec::new();
    collect(text, 0, 0, &mut found);
    found
}

fn collect(text: &str, base: usize, depth: usize, found: &mut Vec<Variable>) {
    let Ok(script) = read(text) else { return };
    for command in &script.commands {
        let values = command.assignments.iter().chain(&command.redirections).map(|(_, word)| word);
        let mut words: Vec<&Word> = command.words.iter().chain(values).collect();
        words.sort_by_key(|word| word.range.start);
        for piece in words.into_iter().flat_map(|word| &word.pieces) {
            match piece {
                Piece::Variable(variable) => {
                    let range = variable.range.start + base..variable.range.end + base;
                    found.push(Variable { range, ..variable.clone() });
                }
                Piece::Substitution { inner, .. } if depth < DEPTH => {
                    collect(text.get(inner.clone()).unwrap_or_default(), base + inner.start, depth + 1, found);
                }
                _ => {}
            }
        }
    }
}

impl Simple {
    fn empty(before: Joint) -> Self {
        let (words, assignments, redirections) = (Vec::new(), Vec::new(), Vec::new());
        Self { words, assignments, redirections, before, after: Joint::End, nested: false }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.assignments.is_empty() && self.redirections.is_empty()
    }

    /// The program's name, where it is text.
    pub(crate) fn program(&self) -> Option<String> {
        self.words.first()?.literal()
    }
}

impl Script {
    fn close(&mut self, current: &mut Simple, joint: Joint) {
        let mut next = Simple::empty(joint);
        next.nested = current.nested && joint != Joint::End;
        if current.is_empty() {
            // `a && \n b`: the line's end is none.
            next.before = if joint == Joint::Then { current.before } else { joint };
            *current = next;
            return;
        }
        current.after = joint;
        self.commands.push(std::mem::replace(current, next));
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests;
