//! The name that somebody probably meant who wrote one that does not exist.

use strsim::osa_distance;

/// Edits (letters put in, left out, exchanged or swapped with their neighbour) up to which a name counts as a misspelling.
const MOST_EDITS: usize = 2;

/// Characters beyond which no text is compared: no name is that long, and comparing costs the product of the lengths.
const LONGEST: usize = 64;

/// How a name differs from the text that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// In nothing but the case of letters.
    Case,
    /// In letter case and in `_`, `-`, `.` and blanks between words.
    Separators,
    /// In this many edits beyond that.
    Edits(usize),
}

/// A name that is near to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest<'n> {
    /// The name.
    pub name: &'n str,
    /// How it differs from the text.
    pub difference: Difference,
    /// Whether no other name is as near, so that putting this one in its place is no guess among several.
    pub alone: bool,
}

/// The name nearest to a text: one that differs in letter case only, else one that differs in how its words are joined
/// too, else one that is at most two edits and at most a third of the text's length away. Of names as near as each other
/// the first. A text that is one of the names has no nearest one: nothing is wrong with it.
///
/// ```
/// use hooks_core::lint::nearest::{Difference, nearest};
///
/// let names = ["preToolUse", "postToolUse", "stop"];
/// let found = nearest("PRETOOLUSE", names).expect("near");
/// assert_eq!((found.name, found.difference, found.alone), ("preToolUse", Difference::Case, true));
/// assert_eq!(nearest("pre_tool_use", names).map(|found| found.name), Some("preToolUse"));
/// assert_eq!(nearest("preToolUes", names).map(|found| found.name), Some("preToolUse"));
/// assert_eq!(nearest("sotp", names).map(|found| found.name), Some("stop"));
/// assert_eq!(nearest("step", ["stop"]).map(|found| found.difference), Some(Difference::Edits(1)));
/// assert_eq!(nearest("go", ["no"]), None);
/// ```
#[must_use]
pub fn nearest<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<Nearest<'n>> {
    let written = fold(text);
    let length = written.chars().count();
    let mut best: Option<Nearest<'n>> = None;
    for name in names {
        if name == text {
            return None;
        }
        let Some(difference) = difference(text, &written, length, name) else { continue };
        match &mut best {
            Some(found) if rank(found.difference) < rank(difference) => {}
            Some(found) if rank(found.difference) == rank(difference) => found.alone &= found.name == name,
            _ => best = Some(Nearest { name, difference, alone: true }),
        }
    }
    best
}

/// Lower case, and without what joins words.
fn fold(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

fn difference(text: &str, written: &str, length: usize, name: &str) -> Option<Difference> {
    if name.eq_ignore_ascii_case(text) {
        return Some(Difference::Case);
    }
    if length == 0 || length > LONGEST {
        return None;
    }
    let name = fold(name);
    if name == written {
        return Some(Difference::Separators);
    }
    let most = MOST_EDITS.min(length / 3);
    let apart = name.chars().count().abs_diff(length);
    if apart > most {
        return None;
    }
    let edits = osa_distance(written, &name);
    (edits <= most).then_some(Difference::Edits(edits))
}

const fn rank(difference: Difference) -> usize {
    match difference {
        Difference::Case => 0,
        Difference::Separators => 1,
        Difference::Edits(edits) => 1 + edits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: [&str; 4] = ["beforeShellExecution", "afterShellExecution", "beforeReadFile", "stop"];

    fn name(text: &str) -> Option<&'static str> {
        nearest(text, EVENTS).map(|found| found.name)
    }

    #[test]
    fn letter_case_goes_before_everything_else() {
        let found = nearest("STOP", ["stpo", "stop"]).expect("near");
        assert_eq!((found.name, found.difference), ("stop", Difference::Case));
        assert_eq!(name("BeforeShellExecution"), Some("beforeShellExecution"));
    }

    #[test]
    fn two_edits_and_a_third_of_the_length_are_the_most() {
        assert_eq!(name("beforeShellExcution"), Some("beforeShellExecution"));
        assert_eq!(name("befoerShelExecution"), Some("beforeShellExecution"));
        assert_eq!(name("befShellExecution"), None);
        assert_eq!(name("stip"), Some("stop"));
        assert_eq!(name("ship"), None);
        assert_eq!(name("sp"), None);
    }

    #[test]
    fn a_right_name_and_no_text_have_no_nearest() {
        assert_eq!(name("stop"), None);
        assert_eq!(name(""), None);
        assert_eq!(name("___"), None);
        assert_eq!(name(&"x".repeat(10_000)), None);
    }

    #[test]
    fn names_that_are_as_near_as_each_other_are_a_guess() {
        let found = nearest("bat_file", ["cat_file", "hat_file"]).expect("near");
        assert_eq!((found.name, found.alone), ("cat_file", false));
        assert!(nearest("cat_fiel", ["cat_file", "hat_file"]).expect("near").alone);
    }
}
