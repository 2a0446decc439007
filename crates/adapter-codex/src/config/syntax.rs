//! A document whose text is none of its language: every mistake of it, and what else there is to say about what was meant.

use hooks_core::diagnostic::Diagnostic;
use hooks_core::document::{JsonRules, Node, SyntaxError};
use hooks_core::lint::syntax::{MistakeKind, mistakes};
use hooks_core::source::Syntax;

use super::faults::TAKES_FILE;
use super::mend::{Text, with};
use super::{Reader, toml_syntax};
use crate::codes;

impl Reader {
    /// Reports a document that is no JSON: its first mistake; for who asks for advice all, and then the tree that it has
    /// once they are mended.
    pub(super) fn json_mistakes(&mut self, error: &SyntaxError) -> Option<Node> {
        (self.unreadable, self.only_advice) = (true, true);
        let reach = self.file_reach();
        let found = mistakes(&self.parsed.source.bytes, JsonRules::default());
        for mistake in found.mistakes.into_iter().take(if self.advising { usize::MAX } else { 1 }) {
            let code = match mistake.kind {
                MistakeKind::ByteOrderMark => &codes::BYTE_ORDER_MARK,
                MistakeKind::Comment => &codes::COMMENT,
                MistakeKind::TrailingComma => &codes::TRAILING_COMMA,
                _ => &codes::NOT_JSON,
            };
            let mut found = mistake.diagnostic(code, reach).pointer("");
            if !found.edits.is_empty() {
                found = found.changes(TAKES_FILE);
            }
            self.unmended(&found);
            self.fatal.push(found);
        }
        if self.fatal.is_empty() {
            let found = Diagnostic::new(&codes::NOT_JSON, reach, error.message.clone());
            self.fatal.push(found.at(error.range.clone()).pointer(""));
        }
        found.read.filter(|_| self.advising)
    }

    /// The same of a document that is no TOML.
    pub(super) fn toml_mistakes(&mut self, error: SyntaxError) -> Option<Node> {
        (self.unreadable, self.only_advice) = (true, true);
        let reach = self.file_reach();
        let (mistakes, root) = toml_syntax::mistakes(&self.parsed.source.bytes, error);
        for mistake in mistakes.into_iter().take(if self.advising { usize::MAX } else { 1 }) {
            let mut found = Diagnostic::new(&codes::NOT_TOML, reach, mistake.message).at(mistake.range).pointer("");
            if let Some(help) = mistake.help {
                found = found.help(help);
            }
            let found = with(found, mistake.edits, "Codex can load the file");
            self.unmended(&found);
            self.fatal.push(found);
        }
        root.filter(|_| self.advising)
    }

    /// Keeps the place of a mistake in the text that only its author can mend: of what is around it nobody knows what it is.
    fn unmended(&mut self, found: &Diagnostic) {
        if let Some(range) = found.range.clone().filter(|_| found.edits.is_empty()) {
            self.unmended.push(range);
        }
    }

    /// Takes back what is told of things around mistakes in the text that only their author can mend, from a number of faults
    /// on. Of the rest nothing is mended before they are.
    pub(super) fn around_mistakes(&mut self, faults: usize) {
        if self.unmended.is_empty() {
            return;
        }
        let unmended = std::mem::take(&mut self.unmended);
        let in_toml = self.source().syntax == Syntax::Toml;
        let text = self.text.get_or_init(|| Text::of(&self.parsed.source));
        let around = |found: &Diagnostic| {
            let range = found.range.clone().unwrap_or_default();
            unmended.iter().any(|mistake| {
                // A table goes on behind its header.
                let between = text.slice(range.end..mistake.start.max(range.end));
                let goes_on = in_toml && text.slice(range.clone()).starts_with('[') && !between.contains("\n[");
                range.start <= mistake.end && (mistake.start <= range.end || goes_on)
            })
        };
        let told = self.fatal.split_off(faults);
        self.fatal.extend(told.into_iter().filter(|found| !around(found)));
        for list in [&mut self.soft, &mut self.advice] {
            list.retain(|found| !around(found));
        }
        let later = self.fatal.iter_mut().skip(faults).chain(&mut self.soft).chain(&mut self.advice);
        for found in later {
            found.edits.clear();
            found.changes = None;
        }
    }
}
