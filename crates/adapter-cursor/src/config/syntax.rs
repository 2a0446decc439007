//! What keeps a file from being JSON, each mistake under the code for its kind.

use hooks_core::document::Node;
use hooks_core::lint::syntax::{Mistake, MistakeKind, mistakes};
use hooks_core::{Code, Reach};

use super::{RULES, Reader};
use crate::codes;

/// Tells of every mistake, or of the first where a host names no more. Gives the tree that the mended file would have,
/// for what else is wrong with it: its definitions count for nothing.
pub(super) fn read(reader: &mut Reader<'_>) -> Option<Node> {
    let found = mistakes(&reader.source.bytes, RULES);
    let most = if reader.everything { usize::MAX } else { 1 };
    for mistake in found.mistakes.into_iter().take(most) {
        tell(reader, mistake);
    }
    found.root.filter(|_| reader.everything)
}

fn tell(reader: &mut Reader<'_>, mistake: Mistake) {
    let changes = match mistake.kind {
        MistakeKind::Comment => "the comment is gone, and the file can be read, so that its hooks run",
        _ => "the file can be read, so that its hooks run",
    };
    let code = code(mistake.kind);
    let mut diagnostic = mistake.diagnostic(code, Reach::File).pointer("");
    diagnostic.message = hooks_core::text::display_line(&format!("this is not JSON: {}", diagnostic.message)).into();
    if !diagnostic.edits.is_empty() {
        diagnostic = diagnostic.changes(changes);
    }
    reader.reject(diagnostic);
}

const fn code(kind: MistakeKind) -> &'static Code {
    match kind {
        MistakeKind::ByteOrderMark => &codes::BYTE_ORDER_MARK,
        MistakeKind::Comment => &codes::COMMENT,
        MistakeKind::TrailingComma | MistakeKind::ExtraComma => &codes::EXTRA_COMMA,
        MistakeKind::MissingComma | MistakeKind::MissingColon => &codes::MISSING_COMMA,
        MistakeKind::WrongQuotes | MistakeKind::MissingQuotes => &codes::WRONG_QUOTES,
        MistakeKind::Unclosed | MistakeKind::ExtraBracket => &codes::UNCLOSED,
        MistakeKind::ControlCharacter
        | MistakeKind::Escape
        | MistakeKind::Number
        | MistakeKind::Word
        | MistakeKind::Blank => &codes::WRONG_NOTATION,
        _ => &codes::NOT_JSON,
    }
}
