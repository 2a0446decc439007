//! Files of the source's project that commands run and the target's project has not: where the target is another project,
//! a command with a path from its project's root would find nothing there, or something else.

use std::path::{Component, Path};

use hooks_core::Origin;
use hooks_core::definition::Definition;
use hooks_core::handler::Handler;

/// What a definition's command names that is a file of one project and none of the other, as it is below both roots.
/// Nothing where both are the same project, and for hooks of a person, which name files of no project.
pub(super) fn missing(definition: &Definition, from: &Path, to: &Path) -> Vec<String> {
    let Handler::Command(command) = &definition.handler else { return Vec::new() };
    if definition.source.origin == Origin::User || is_same(from, to) {
        return Vec::new();
    }
    let texts = std::iter::once(&command.command).chain(command.args.iter().flatten()).chain(&command.windows);
    let mut all: Vec<String> = Vec::new();
    for path in texts.flat_map(|text| named(text)) {
        let is_theirs = from.join(path).is_file() && !to.join(path).is_file();
        if is_theirs && !all.iter().any(|other| other == path) {
            all.push(path.to_owned());
        }
    }
    all
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Everything in a command's text that may be a path from a project's root: words, what stands in quotes, and what comes
/// behind a variable.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'`;|&()<>=".contains(c));
    let in_quotes = text.split(['"', '\'']);
    words.chain(in_quotes).chain([text]).map(str::trim).filter_map(from_root)
}

/// A path without the variable in front of it; `None` for an absolute one and for what is no path of a project.
fn from_root(word: &str) -> Option<&str> {
    let path = match word.strip_prefix('$') {
        Some(variable) => variable.split_once('/')?.1,
        // Behind a variable in quotes of its own.
        None => word.strip_prefix('/').unwrap_or(word),
    };
    let path = path.trim_start_matches("./");
    let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (!path.is_empty() && is_inside).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_a_projects_root_are_found_in_a_command() {
        let has = |text: &str, path: &str| named(text).any(|found| found == path);
        for text in [
            "./hooks/a.sh",
            "hooks/a.sh --x",
            "bash ./hooks/a.sh; true",
            "\"$CLAUDE_PROJECT_DIR\"/hooks/a.sh",
            "\"${CLAUDE_PROJECT_DIR}/hooks/a.sh\"",
            "$CURSOR_PROJECT_DIR/hooks/a.sh",
            "cd \"$X\" && python3 hooks/a.sh",
        ] {
            assert!(has(text, "hooks/a.sh"), "{text}: {:?}", named(text).collect::<Vec<_>>());
        }
        assert!(has("\"$X/my hooks/a b.sh\"", "my hooks/a b.sh"));
        assert!(has("./my hooks/a.sh", "my hooks/a.sh"));
        assert!(!has("../hooks/a.sh", "hooks/a.sh"));
    }
}
