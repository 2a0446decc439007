//! Path rules in `if`: the syntax of ignore files, anchored where the permission syntax says (permissions page, Read and
//! Edit; hooks page, `if`, since 2.1.214).
//!
//! | Pattern | Anchor |
//! |---|---|
//! | `//path` | the root of the file system |
//! | `~/path` | the home folder |
//! | `/path` | the folder of the settings it stands in: the project, the user's configuration, the given file |
//! | `path`, `./path` | the working directory |
//!
//! Symbolic links are not looked at: nothing here reads a disk, and `if` is a filter, not a guard.

use std::borrow::Cow;

use hooks_core::definition::Definition;
use hooks_core::envelope::Common;
use hooks_core::matcher::Matched;
use hooks_core::source::Origin;

use crate::Options;

/// What a rule is read with.
pub(super) struct Place<'a> {
    pub(super) definition: &'a Definition,
    pub(super) common: &'a Common,
    pub(super) options: &'a Options,
    /// Whether `src/**` means the folder of the working directory alone.
    pub(super) anchored: bool,
}

/// Whether a rule's pattern takes a file.
pub(super) fn matches(place: &Place<'_>, pattern: &str, file: &str) -> Matched {
    if pattern.starts_with('!') {
        return Matched::Doubtful(format!("`{pattern}` carves out of other rules, and there are none"));
    }
    let cwd = &place.common.cwd;
    let (anchor, pattern): (Cow<'_, str>, &str) = if let Some(rest) = pattern.strip_prefix("//") {
        ("/".into(), rest)
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        match &place.options.home {
            Some(home) => (home.into(), rest),
            None => return Matched::Doubtful(format!("`{pattern}` needs the home folder, which is not known here")),
        }
    } else if let Some(rest) = pattern.strip_prefix('/') {
        match settings_folder(place) {
            Some(folder) => (folder.into(), rest),
            None => return Matched::Doubtful(format!("where `{pattern}` starts is not recorded for this document")),
        }
    } else {
        return relative(place, cwd, pattern, file);
    };
    let Some(file) = below(&anchor, cwd, file) else { return Matched::No };
    Matched::of(takes(&segments(pattern), &file))
}

fn relative(place: &Place<'_>, cwd: &str, pattern: &str, file: &str) -> Matched {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let Some(file) = below(cwd, cwd, file) else { return Matched::No };
    let parts = segments(pattern);
    // A name alone is looked for at any depth.
    let single = matches!(parts.as_slice(), [_]);
    let folder = matches!(parts.as_slice(), [name, "**"] if *name != "**") && !place.anchored;
    if single || folder {
        let anywhere: Vec<&str> = std::iter::once("**").chain(parts).collect();
        return Matched::of(takes(&anywhere, &file));
    }
    Matched::of(takes(&parts, &file))
}

/// The folder that a pattern with one slash before it is anchored at.
fn settings_folder<'a>(place: &Place<'a>) -> Option<&'a str> {
    let source = &place.definition.source;
    match source.origin {
        Origin::Project | Origin::Local => Some(place.common.project_root()),
        Origin::User => Some(source.folder()),
        Origin::SessionFlags if !source.folder().is_empty() => Some(source.folder()),
        Origin::SessionFlags => Some(place.common.project_root()),
        _ => None,
    }
}

/// The segments of a path below an anchor; `None` for one that is not below it.
fn below(anchor: &str, cwd: &str, file: &str) -> Option<Vec<String>> {
    let anchor = absolute(anchor, cwd);
    let file = absolute(file, cwd);
    let rest = file.get(anchor.len()..)?;
    (file.starts_with(&anchor) && !rest.is_empty()).then(|| rest.to_vec())
}

/// The segments of a path, made absolute and without dots. `C:\x` reads as `/c/x`.
fn absolute(path: &str, cwd: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let is_absolute = |path: &str| path.starts_with(['/', '\\']) || drive(path).is_some();
    if !is_absolute(path) && is_absolute(cwd) {
        push_all(&mut parts, cwd);
    }
    push_all(&mut parts, path);
    parts
}

fn push_all(parts: &mut Vec<String>, path: &str) {
    let windows = drive(path).is_some() || path.starts_with("\\\\");
    let rest = match drive(path) {
        Some((letter, rest)) => {
            parts.push(letter.to_ascii_lowercase().to_string());
            rest
        }
        None => path,
    };
    for part in rest.split(|c| c == '/' || (windows && c == '\\')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part.to_owned()),
        }
    }
}

fn drive(path: &str) -> Option<(char, &str)> {
    let mut chars = path.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let rest = chars.as_str().strip_prefix(':')?;
    rest.starts_with(['/', '\\']).then_some((letter, rest))
}

/// A pattern's segments. A slash at the end asks for a folder, which is a match of what lies in it.
fn segments(pattern: &str) -> Vec<&str> {
    let folder = pattern.ends_with('/');
    let mut parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if folder {
        parts.push("**");
    }
    parts
}

/// Whether a pattern takes a path, or a folder it lies in. Takes time in the product of both lengths.
fn takes(pattern: &[&str], path: &[String]) -> bool {
    if pattern.is_empty() {
        return false;
    }
    // For each number of segments of the path: whether the pattern so far can end there.
    let mut ends = vec![false; path.len() + 1];
    if let Some(first) = ends.first_mut() {
        *first = true;
    }
    for (at, part) in pattern.iter().enumerate() {
        let last = at + 1 == pattern.len();
        let mut next = vec![false; path.len() + 1];
        if *part == "**" {
            let mut open = false;
            for (here, end) in ends.iter().zip(next.iter_mut()) {
                // At the end it stands for everything below, and not for the folder itself.
                *end = open || (*here && !last);
                open |= *here;
            }
        } else {
            for ((here, segment), end) in ends.iter().zip(path).zip(next.iter_mut().skip(1)) {
                *end = *here && segment_matches(part, segment);
            }
        }
        ends = next;
    }
    ends.into_iter().any(|end| end)
}

/// Whether a segment is a pattern's: `*` and `?` within it, `[...]` sets, and `\` before a character that means itself.
fn segment_matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<Part> = parts_of(pattern);
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    // Where the last star stands, and how far it reaches.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        let fits = match (pattern.get(p), text.get(t)) {
            (Some(Part::Star), _) => {
                star = Some((p, t));
                p += 1;
                continue;
            }
            (Some(Part::Any), Some(_)) => true,
            (Some(Part::One(one)), Some(c)) => one == c,
            (Some(Part::Set { not, ranges }), Some(c)) => ranges.iter().any(|(from, to)| from <= c && c <= to) != *not,
            _ => false,
        };
        if fits {
            p += 1;
            t += 1;
        } else if let Some((at, reach)) = star {
            p = at + 1;
            t = reach + 1;
            star = Some((at, reach + 1));
        } else {
            return false;
        }
    }
    pattern.iter().skip(p).all(|part| matches!(part, Part::Star))
}

enum Part {
    Star,
    Any,
    One(char),
    Set { not: bool, ranges: Vec<(char, char)> },
}

fn parts_of(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        parts.push(match c {
            '*' => Part::Star,
            '?' => Part::Any,
            '\\' => Part::One(chars.next().unwrap_or('\\')),
            '[' => match set(chars.as_str()) {
                Some((part, rest)) => {
                    chars = rest.chars();
                    part
                }
                None => Part::One('['),
            },
            c => Part::One(c),
        });
    }
    parts
}

/// A set after its opening bracket; `None` when it is not closed.
fn set(text: &str) -> Option<(Part, &str)> {
    let (not, mut rest) = match text.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut ranges = Vec::new();
    let mut first = true;
    loop {
        let mut chars = rest.chars();
        let mut from = chars.next()?;
        if from == ']' && !first {
            return Some((Part::Set { not, ranges }, chars.as_str()));
        }
        first = false;
        if from == '\\' {
            from = chars.next()?;
        }
        rest = chars.as_str();
        let mut to = from;
        if let Some(after) = rest.strip_prefix('-')
            && !after.starts_with(']')
        {
            let mut chars = after.chars();
            to = chars.next()?;
            rest = chars.as_str();
        }
        ranges.push((from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, path: &str) -> bool {
        let path: Vec<String> = path.split('/').map(str::to_owned).collect();
        takes(&segments(pattern), &path)
    }

    #[test]
    fn patterns_are_those_of_ignore_files() {
        for (pattern, path, expected) in [
            ("src/**", "src/app.ts", true),
            ("src/**", "src/a/b.ts", true),
            ("src/**", "src", false),
            ("src/**", "vendor/src/app.ts", false),
            ("**/src/**", "vendor/pkg/src/lib.js", true),
            ("**/src/**", "src/app.ts", true),
            ("src/**/*.ts", "src/app.ts", true),
            ("src/**/*.ts", "src/a/b/app.ts", true),
            ("src/**/*.ts", "src/a/b/app.js", false),
            ("src/*.ts", "src/a/app.ts", false),
            ("docs", "docs/a/b.md", true),
            ("docs/", "docs/a.md", true),
            ("docs/", "docs", false),
            ("[a-c]?.txt", "bx.txt", true),
            ("[!a-c]x", "bx", false),
            ("\\*x", "*x", true),
            ("\\*x", "ax", false),
            ("[open", "[open", true),
            ("Finance (2024)/**", "Finance (2024)/a", true),
            ("**", "a/b", true),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn hostile_patterns_end() {
        let stars = "*a".repeat(2_000);
        let _ = segment_matches(&stars, &"a".repeat(4_000));
        let deep = "**/".repeat(500) + "x";
        let path: Vec<String> = std::iter::repeat_n("a".to_owned(), 2_000).collect();
        assert!(!takes(&segments(&deep), &path));
    }

    #[test]
    fn windows_paths_read_as_posix_ones() {
        assert_eq!(absolute(r"C:\Users\a\..\b", "/x"), ["c", "Users", "b"]);
        assert_eq!(absolute("a/./b", "/x/y"), ["x", "y", "a", "b"]);
    }
}
