//! Every mistake of a document that is meant to be TOML: what the reader stops at, and the edit where the mistake is a
//! mark too few, a mark of another language, or a text without quotes.

mod line;
mod mended;

use std::ops::Range;

use hooks_core::diagnostic::Edit;
use hooks_core::document::{Node, SyntaxError, check_text};
use hooks_core::lint::syntax;

use self::line::{Line, value};
use self::mended::Mended;
use super::toml_tree;

/// Mistakes that are told of one document: what has more is no TOML at all.
const MOST_MISTAKES: usize = 100;

/// How often the reader is asked again about what is mended.
const MOST_ROUNDS: usize = 12;

/// One mistake.
#[derive(Debug)]
pub(super) struct Mistake {
    /// What is wrong.
    pub(super) message: String,
    /// Where.
    pub(super) range: Range<usize>,
    /// What to write instead, where that is plain.
    pub(super) help: Option<&'static str>,
    /// What mends it; empty where only its author knows what was meant.
    pub(super) edits: Vec<Edit>,
    /// Whether it is about the line as such.
    whole_line: bool,
    /// Where there is no edit, what reads the rest without the line.
    without: Option<Edit>,
}

impl Mistake {
    /// What makes the rest of the document readable.
    fn goes_on(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter().chain(self.without.iter().filter(|_| self.edits.is_empty()))
    }
}

/// Every mistake of a document, and what can be read of it once those are mended that have an edit, with places in the document
/// as given; `None` where nobody knows. Of a line that cannot be mended nothing is read.
pub(super) fn mistakes(bytes: &[u8], error: SyntaxError) -> (Vec<Mistake>, Option<Node>) {
    let first = |error: SyntaxError| Mistake {
        message: error.message,
        range: error.range,
        help: None,
        edits: Vec::new(),
        whole_line: false,
        without: None,
    };
    let Ok(text) = check_text(bytes) else { return (vec![first(error)], None) };
    if let Some(mistake) = other_language(text) {
        return (vec![mistake], None);
    }
    let mut found: Vec<(usize, Mistake)> = Vec::new();
    // The reader tells of values only once all lines are ones, so that it is asked again about what is mended.
    for _ in 0..MOST_ROUNDS {
        let Some(mended) = Mended::of(text, found.iter().flat_map(|(_, mistake)| mistake.goes_on())) else { break };
        let before = found.len();
        let (_, errors) = toml_tree::recover(&mended.text);
        for error in errors.iter().take(MOST_MISTAKES.saturating_sub(before)) {
            let range = error.range.clone();
            let line = Line::around(&mended.text, range.start);
            let start = mended.back(line.start);
            let told = |found: &[(usize, Mistake)]| {
                found.iter().any(|(line, one)| *line == start && (one.edits.is_empty() || one.whole_line))
            };
            let mistake = line.mistake().unwrap_or_else(|| value(&mended.text, &line, range, &error.message));
            let mistake = Mistake { without: line.without(&mistake), ..mistake };
            let mistake = mended.moved(mistake);
            // The reader tells several for one mistake.
            let again = found.iter().any(|(_, one)| one.range == mistake.range && one.message == mistake.message);
            if !told(&found) && !again {
                found.push((start, mistake));
            }
        }
        if found.len() == before {
            break;
        }
    }
    if found.is_empty() {
        return (vec![first(error)], None);
    }
    let root = Mended::of(text, found.iter().flat_map(|(_, mistake)| mistake.goes_on())).map(|mended| mended.root());
    let mut mistakes: Vec<_> = found.into_iter().map(|(_, mistake)| mistake).collect();
    mistakes.sort_by_key(|mistake| mistake.range.start);
    (mistakes, root)
}

/// The one thing to say of a document that is written in another language as a whole.
fn other_language(text: &str) -> Option<Mistake> {
    let start = text.len() - text.trim_start().len();
    let has_toml = || text.lines().any(|line| line.contains('=') || line.trim_start().starts_with('['));
    let (language, help) = match syntax::language(text.get(start..)?)? {
        json @ "JSON" => (json, "Write TOML, or put the hooks into `hooks.json` in the same folder."),
        yaml @ "YAML" if !has_toml() => (yaml, "Write TOML: `[[hooks.Stop]]`, then `[[hooks.Stop.hooks]]`."),
        _ => return None,
    };
    Some(Mistake {
        message: format!("this is {language}, and the file is read as TOML"),
        range: start..start + text.get(start..)?.lines().next()?.len(),
        help: Some(help),
        edits: Vec::new(),
        whole_line: true,
        without: None,
    })
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Vec<Mistake>, Option<Node>) {
        let error = toml_tree::parse(text.as_bytes()).expect_err("a mistake");
        mistakes(text.as_bytes(), error)
    }

    fn shown<'t>(text: &'t str, mistakes: &[Mistake]) -> Vec<&'t str> {
        mistakes.iter().map(|mistake| &text[mistake.range.clone()]).collect()
    }

    #[test]
    fn every_mistake_is_found_with_its_edit() {
        let text = "// guards\n[[hooks.Stop]\n[[hooks.Stop.hooks]]\ntype: \"command\"\ncommand = check\nasync = True\nstatusMessage = \"x\ntimeout = “5”\n";
        let (mistakes, root) = found(text);
        let places = ["//", "[[hooks.Stop]", ":", "check", "True", "\"x", "“5”"];
        assert_eq!(shown(text, &mistakes), places, "{mistakes:?}");
        let root = root.expect("all can be mended");
        let stop = root.as_object().unwrap().get("hooks").unwrap().as_object().unwrap().get("Stop").unwrap();
        let handler =
            stop.as_array().unwrap()[0].as_object().unwrap().get("hooks").unwrap().as_array().unwrap()[0].clone();
        let handler = handler.as_object().unwrap();
        assert_eq!(handler.get("command").unwrap().as_str(), Some("check"));
        assert_eq!(&text[handler.member("command").unwrap().key_range.clone()], "command");
        assert_eq!(&text[handler.get("async").unwrap().range.clone()], "True");
    }

    #[test]
    fn a_text_without_quotes_is_told_whole_and_a_number_is_none() {
        let text = "[tools]\na = ./check.sh --fast # why\nb = 99999999999999999999\n[tools]\nc = true\n";
        let (mistakes, _) = found(text);
        let told: Vec<_> = mistakes.iter().map(|one| (&text[one.range.clone()], one.edits.len())).collect();
        assert_eq!(told, [("./check.sh --fast", 1), ("99999999999999999999", 0), ("tools", 0)], "{mistakes:?}");
    }

    #[test]
    fn paths_with_backslashes_belong_in_single_quotes() {
        let text = "[hooks.state.\"C:\\Users\\me\\hooks.json:stop:0:0\"]\nenabled = true\n[x]\na = \"C:\\\\fine\"\nb = \"C:\\Users\\x.exe\" # \"\n";
        let (mistakes, root) = found(text);
        assert_eq!(
            shown(text, &mistakes),
            ["\"C:\\Users\\me\\hooks.json:stop:0:0\"", "\"C:\\Users\\x.exe\""],
            "{mistakes:?}"
        );
        let root = root.expect("all can be mended");
        let state = root.as_object().unwrap().get("hooks").unwrap().as_object().unwrap().get("state").unwrap();
        assert_eq!(state.as_object().unwrap().members[0].key, "C:\\Users\\me\\hooks.json:stop:0:0");
    }

    #[test]
    fn what_nobody_can_mend_has_no_edit() {
        for (text, place) in [("a = 1\na = 2\n", "a"), ("a = \n", ""), ("a b\n", ""), ("a = 1, 2\n", "")] {
            let (mistakes, root) = found(text);
            assert_eq!(shown(text, &mistakes).first(), Some(&place), "{text:?}: {mistakes:?}");
            assert!(root.is_some() && mistakes.iter().any(|mistake| mistake.edits.is_empty()), "{text:?}");
        }
    }

    #[test]
    fn a_document_of_another_language_is_told_once() {
        for (text, language) in [
            ("{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n", Some("JSON")),
            ("\nhooks:\n  Stop:\n    - hooks:\n", Some("YAML")),
            ("model: x\n\n[features]\nhooks = true\n", None),
        ] {
            let (mistakes, root) = found(text);
            let told = language.map(|language| format!("this is {language}, and the file is read as TOML"));
            assert_eq!(
                mistakes.iter().find(|one| one.message.contains("read as")).map(|one| &one.message),
                told.as_ref()
            );
            assert_eq!(
                (mistakes.len() == 1, root.is_none()),
                (language.is_some(), language.is_some()),
                "{text}: {mistakes:?}"
            );
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in [
            "=",
            "[",
            "[[",
            "\"",
            "'",
            ":",
            "a:",
            "é: ü",
            "a = é“",
            "[é",
            "\u{feff}{",
            "a = '''",
            "\r\n:\r\n",
            "a = \"\\",
        ] {
            if let Err(error) = toml_tree::parse(text.as_bytes()) {
                for mistake in mistakes(text.as_bytes(), error).0 {
                    assert!(text.get(mistake.range.clone()).is_some(), "{text:?} {mistake:?}");
                }
            }
        }
    }
}
