//! Quotes that do not do what they seem to: doubled ones, ones that are never closed, and backslashes for slashes.

use super::shell::{self, Piece, Script, Unread};
use super::{Case, Told};
use crate::check::codes;

/// Whether the shell refuses the text, or reads its quotes in another way than they are meant, which is told then; also whether
/// it has what is not followed here.
pub(super) fn is_broken(case: &Case<'_>, told: &mut Told<'_, '_>) -> bool {
    let text = &case.command.text;
    if let Some(end) = doubled(text) {
        let message = "the first two quotes are an empty text to a shell, so what follows stands outside quotes";
        let mut found = told.at(&codes::QUOTES_DOUBLED, &case.command, Some(&(0..2)), message.to_owned());
        found = found.severity(case.loss()).related("the other outer quote", case.command.range(&(end..end + 1)));
        if let Some(nothing) = case.command.written("") {
            found = found
                .edit(case.command.range(&(0..1)), nothing.clone())
                .edit(case.command.range(&(end..end + 1)), nothing)
                .changes("the shell finds the program, which it did not before");
        }
        told.push(found);
        return true;
    }
    let (what, at) = match shell::read(text) {
        Ok(_) => return false,
        Err(Unread::Unsure) => return true,
        Err(Unread::Unclosed { what, at }) => (what, at),
    };
    let upshot = case.exits(2);
    let message =
        format!("`{what}` is never closed, so the shell refuses the command and exits with 2, {}", upshot.words());
    let part = at..at + what.len();
    told.push(told.at(&codes::QUOTE_UNCLOSED, &case.command, Some(&part), message));
    true
}

/// The place of the last quote where a whole command stands in a second pair: `""C:\a b" c"`.
fn doubled(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\"\"")?;
    let first = rest.chars().next()?;
    let end = text.len().checked_sub(1)?;
    // `""` alone, and before a blank, is an argument without text.
    (!first.is_whitespace() && first != '"' && text.ends_with('"') && rest.len() > 1).then_some(end)
}

/// Paths with backslashes where the shell takes these for escapes on every system: told only of vendors that run their
/// commands in such a shell on Windows too. Whether there was something to tell.
pub(super) fn backslashes(case: &Case<'_>, script: &Script, told: &mut Told<'_, '_>) -> bool {
    let git_bash = case.definition.vendor.as_str() == "claude";
    let mut has_told = false;
    if !git_bash || script.compound {
        return has_told;
    }
    let words = script.commands.iter().flat_map(|command| &command.words);
    for word in words {
        let Some(raw) = case.command.text.get(word.range.clone()) else { continue };
        let in_quotes =
            word.pieces.iter().any(|piece| matches!(piece, Piece::Text { text, .. } if text.contains('\\')));
        if in_quotes || !is_windows_path(raw) {
            continue;
        }
        let Some(left) = word.literal() else { continue };
        let message = format!("the shell reads `{raw}` as `{left}`: a backslash only escapes what follows it");
        let mut found = told.at(&codes::BACKSLASH_PATH, &case.command, Some(&word.range), message);
        found = found.severity(case.loss());
        if let Some(text) = case.command.written(&raw.replace('\\', "/")) {
            found = found.edit(case.command.range(&word.range), text).changes("the shell finds the path");
        }
        told.push(found);
        has_told = true;
    }
    has_told
}

/// Whether a bare word is a path as Windows writes them: names of some length between backslashes.
fn is_windows_path(raw: &str) -> bool {
    let parts: Vec<&str> = raw.split('\\').collect();
    let name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || "._- ".contains(c));
    let drive = |part: &str| part.len() == 2 && part.ends_with(':');
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    parts.len() >= 3
        && (drive(first) || name(first))
        && parts.iter().skip(1).all(|part| name(part) && part.len() > 1)
        && last.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_pair_of_quotes_is_told_from_an_empty_argument() {
        assert_eq!(doubled(r#"""/a b/c" d""#), Some(11));
        for text in [r#""a b" c"#, r#""" a""#, r#""""#, r#"""""#, "a", ""] {
            assert_eq!(doubled(text), None, "{text}");
        }
    }

    #[test]
    fn paths_of_windows_are_told_from_escapes() {
        for text in [r".claude\hooks\a.cmd", r"C:\tools\gate.exe"] {
            assert!(is_windows_path(text), "{text}");
        }
        for text in [r"a\ b", r"\$x", r"\.sh$", r"s/\/\n/", r"grep\|x", r"a\b", ".claude/hooks/a.sh"] {
            assert!(!is_windows_path(text), "{text}");
        }
    }
}
