//! A document that is no JSON: every mistake of it, and what else there is to say about what was meant.

use hooks_core::diagnostic::{Code, Diagnostic, Reach};
use hooks_core::document::{JsonRules, Node};
use hooks_core::lint::syntax::{MistakeKind, mistakes};

use super::reader::Reader;
use crate::codes;

/// Tells of every mistake. The tree that the document has without them, where that is plain: nothing in it runs, but what is
/// wrong in it is told in the same run.
pub(super) fn read(reader: &mut Reader, rules: JsonRules) -> Option<Node> {
    let bytes = std::sync::Arc::clone(&reader.parsed.source.bytes);
    let found = mistakes(&bytes, rules);
    for mistake in found.mistakes {
        let code = code(mistake.kind);
        let mended = !mistake.edits.is_empty();
        let mut diagnostic: Diagnostic = mistake.diagnostic(code, Reach::File);
        diagnostic.message = format!("{}; {}", diagnostic.message, reader.form.drops());
        let diagnostic =
            if mended { diagnostic.changes("the file can be read, and its hooks run") } else { diagnostic };
        reader.report(diagnostic);
    }
    reader.parsed.rejected = true;
    found.root
}

const fn code(kind: MistakeKind) -> &'static Code {
    match kind {
        MistakeKind::Comment => &codes::COMMENT_IN_JSON,
        MistakeKind::TrailingComma => &codes::TRAILING_COMMA,
        MistakeKind::ByteOrderMark => &codes::BYTE_ORDER_MARK,
        _ => &codes::NOT_JSON,
    }
}
