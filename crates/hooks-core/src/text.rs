//! Making somebody else's text safe to show: the one place for it.
//!
//! Hooks, configurations and vendors supply text that ends in terminals, logs and in what a model reads. Control
//! characters, escape sequences and bidirectional controls in it could hide or forge what a person sees.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character may not reach a terminal or a reason as it is: controls other than newline and tab (C0, DEL,
/// C1), bidirectional controls, zero-width format characters, line and paragraph separators and tag characters.
#[must_use]
pub const fn is_unsafe_to_show(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a text holds such a character. Plain ASCII, which most long texts are, is looked at byte by byte.
fn has_unsafe(text: &str) -> bool {
    if text.is_ascii() {
        return text.bytes().any(|byte| (byte < b' ' && byte != b'\n' && byte != b'\t') || byte == 0x7f);
    }
    text.chars().any(is_unsafe_to_show)
}

/// Text as a person may see it: what could hide or forge something is shown as a visible `\u{..}` escape instead of
/// being dropped, so that nothing said is lost. Newline and tab stay.
///
/// ```
/// use hooks_core::text::display_untrusted;
/// assert_eq!(display_untrusted("plain\n\ttext"), "plain\n\ttext");
/// assert_eq!(display_untrusted("\u{1b}[31mred"), "\\u{1b}[31mred");
/// ```
#[must_use]
pub fn display_untrusted(text: &str) -> Cow<'_, str> {
    if !has_unsafe(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe_to_show(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Like [`display_untrusted`], on one line: newlines and tabs are shown as `\n` and `\t` too.
#[must_use]
pub fn display_line(text: &str) -> Cow<'_, str> {
    match display_untrusted(text) {
        shown if shown.contains(['\n', '\t']) => Cow::Owned(shown.replace('\n', "\\n").replace('\t', "\\t")),
        shown => shown,
    }
}

/// A JSON text in which what could hide or forge something on a terminal is written as `\uXXXX`: the same JSON, since
/// such characters stand in strings only.
///
/// ```
/// use hooks_core::text::escape_json;
/// assert_eq!(escape_json("[\"a\u{202e}b\"]"), "[\"a\\u202eb\"]");
/// ```
#[must_use]
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let escaped = |c: char| is_unsafe_to_show(c) && !c.is_ascii_control() || c == '\u{7f}';
    // Plain ASCII, which most is, is looked at byte by byte.
    let nothing = if json.is_ascii() { !json.as_bytes().contains(&0x7f) } else { !json.chars().any(escaped) };
    if nothing {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

/// A message from a hook (a reason, a notice) with unsafe characters taken out and the ends trimmed.
///
/// Messages go to models and dialogs, where a visible escape would be noise; [`display_untrusted`] is for showing
/// what was really there.
///
/// ```
/// use hooks_core::text::clean_message;
/// assert_eq!(clean_message("  no\u{7} way\u{202e}\n"), "no way");
/// ```
#[must_use]
pub fn clean_message(text: &str) -> Cow<'_, str> {
    if has_unsafe(text) {
        let kept: String = text.chars().filter(|&c| !is_unsafe_to_show(c)).collect();
        Cow::Owned(kept.trim().to_owned())
    } else {
        Cow::Borrowed(text.trim())
    }
}

/// Text without its unsafe characters, ends kept: for a text whose white space the vendor keeps.
#[must_use]
pub fn strip_unsafe(text: &str) -> Cow<'_, str> {
    if has_unsafe(text) {
        Cow::Owned(text.chars().filter(|&c| !is_unsafe_to_show(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// At most `limit` characters of a text, with `…` where something was cut off.
#[must_use]
pub fn shorten(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((cut, _)) => Cow::Owned(format!("{}…", text.get(..cut).unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unsafe_class_is_shown_not_dropped() {
        for (raw, shown) in [
            ("a\u{0}b", "a\\u{0}b"),
            ("a\rb", "a\\u{d}b"),
            ("a\u{7f}b", "a\\u{7f}b"),
            ("a\u{9b}31mb", "a\\u{9b}31mb"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\u{2066}b", "a\\u{2066}b"),
            ("a\u{200b}b", "a\\u{200b}b"),
            ("a\u{feff}b", "a\\u{feff}b"),
            ("a\u{e0041}b", "a\\u{e0041}b"),
        ] {
            assert_eq!(display_untrusted(raw), shown);
            assert_eq!(clean_message(raw), raw.chars().filter(|&c| !is_unsafe_to_show(c)).collect::<String>());
        }
    }

    #[test]
    fn safe_text_is_borrowed_whatever_its_script() {
        for text in ["", "text", "漢字 и текст", "tab\tnewline\n", "🙂"] {
            assert!(matches!(display_untrusted(text), Cow::Borrowed(_)), "{text:?}");
        }
    }

    #[test]
    fn escaped_json_is_the_same_json() {
        let text = "a\u{9b}31m\u{202e}\u{7f}\u{e0041}\u{200b}漢\n";
        let json = serde_json::to_string(text).expect("JSON");
        let escaped = escape_json(&json);
        assert!(!escaped.chars().any(is_unsafe_to_show), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).expect("JSON"), text);
        assert!(matches!(escape_json("[\"plain\"]"), Cow::Borrowed(_)));
    }

    #[test]
    fn one_line_has_one_line() {
        assert_eq!(display_line("a\nb\tc"), "a\\nb\\tc");
    }

    #[test]
    fn shortening_cuts_characters_not_bytes() {
        assert_eq!(shorten("漢字漢字", 2), "漢字…");
        assert_eq!(shorten("漢字", 2), "漢字");
    }
}
