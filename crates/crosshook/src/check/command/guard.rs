//! What a guard's shell text does to its verdict: exit codes that never arrive, guards that are skipped when they are
//! missing, and texts where the vendor wants an answer.

use std::collections::HashMap;
use std::path::Path;

use hooks_core::facts::{Exit2, PlainStdout};
use hooks_core::{Outcome, Severity};

use super::look::Found;
use super::script::{Ran, asks, does_nothing};
use super::shell::{Joint, Script, Simple, Word};
use super::{Case, Told, Upshot};
use crate::check::codes;

/// Looks at a text as a whole, with the files that it runs.
pub(super) fn check(case: &Case<'_>, script: &Script, ran: Vec<Ran>, told: &mut Told<'_, '_>) {
    if case.guards() {
        skipped(case, script, &ran, told);
        fails_to_block(case, &ran, told);
    }
    if matches!(case.facts.exit_2, Exit2::Deny | Exit2::Halt | Exit2::Continue | Exit2::Refuse) && !script.compound {
        exit_codes(case, script, &ran, told);
    }
    plain_text(case, script, told);
}

/// `[ -x guard ] && guard`: where the guard is missing, nothing guards and nobody hears of it.
fn skipped(case: &Case<'_>, script: &Script, ran: &[Ran], told: &mut Told<'_, '_>) {
    let text = &case.command.text;
    let refuses = ["exit 2", "exit 1", "else", "false"].iter().any(|word| text.contains(word));
    if refuses {
        return;
    }
    let raw = |range: &std::ops::Range<usize>| text.get(range.clone()).map(|raw| raw.trim_matches(['"', '\'']));
    let files: HashMap<Option<&str>, &Ran> = ran.iter().rev().map(|ran| (raw(&ran.word), ran)).collect();
    for command in script.commands.iter().filter(|command| asks(command)) {
        let looks = |word: &Word| matches!(word.literal().as_deref(), Some("-x" | "-f" | "-e" | "-r" | "-s"));
        let Some(at) = command.words.iter().position(looks) else { continue };
        let Some(file) = command.words.get(at + 1) else { continue };
        let Some(ran) = files.get(&raw(&file.range)) else { continue };
        let gone = ran.path.as_ref().is_some_and(|path| case.look.at(path) == Found::Nothing);
        let message = if gone {
            "the guard runs only if its script is there, and it is not: nothing guards, without a word"
        } else {
            "the guard runs only if its script is there: a missing one lets everything through without a word"
        };
        let start = command.words.first().map_or(0, |word| word.range.start);
        let end = command.words.last().map_or(text.len(), |word| word.range.end);
        let found = told.at(&codes::MISSING_GUARD_PASSES, &case.command, Some(&(start..end)), message.to_owned());
        told.push(found.severity(if gone { Severity::Error } else { Severity::Warning }));
        return;
    }
}

/// Scripts whose exit code is not the command's, told of those that are known to block by it.
fn exit_codes(case: &Case<'_>, script: &Script, ran: &[Ran], told: &mut Told<'_, '_>) {
    let ends = Ends::of(script, &case.command.text);
    // One script may be run many times.
    let mut known: HashMap<&Path, bool> = HashMap::new();
    for ran in ran {
        let (Some(path), Some(why)) = (&ran.path, ends.lost(ran.at)) else { continue };
        // One that is missing never runs, which is told.
        let reads = || case.look.head(path).is_some_and(|head| exits_with_2(&String::from_utf8_lossy(&head)));
        if !*known.entry(path).or_insert_with(reads) {
            continue;
        }
        let message = format!("the script exits with 2 to block, and {why}: the block never arrives");
        let found = told.at(&codes::EXIT_CODE_LOST, &case.command, Some(&ran.word), message);
        told.push(found.severity(case.loss()));
    }
}

/// What becomes of the exit codes of a text's commands.
struct Ends<'s> {
    commands: &'s [Simple],
    /// For each command the next one, itself included, that no `&&` follows.
    list_ends: Vec<usize>,
    /// Whether a pipe's exit code is that of all of its commands.
    pipefail: bool,
    /// Whether the text looks at exit codes itself.
    status: bool,
    /// Whether it ends at the first command that fails.
    errexit: bool,
}

impl<'s> Ends<'s> {
    fn of(script: &'s Script, text: &str) -> Self {
        let commands = script.commands.as_slice();
        let mut list_ends: Vec<usize> = (0..commands.len()).collect();
        let mut end = commands.len();
        for (at, command) in commands.iter().enumerate().rev() {
            if command.after != Joint::And {
                end = at;
            }
            if let Some(slot) = list_ends.get_mut(at) {
                *slot = end;
            }
        }
        Self {
            commands,
            list_ends,
            pipefail: text.contains("pipefail") || text.contains("PIPESTATUS"),
            status: text.contains("$?"),
            errexit: text.contains("set -e") || text.contains("errexit"),
        }
    }

    /// Why the exit code of a command is not that of the text; `None` where it is, or where that is not certain.
    fn lost(&self, at: usize) -> Option<&'static str> {
        let command = self.commands.get(at)?;
        if command.program().as_deref() == Some("exec") && command.after != Joint::Pipe {
            return None;
        }
        match command.after {
            Joint::End => None,
            Joint::Pipe if self.pipefail => None,
            Joint::Pipe => Some("the exit code of a pipe is that of its last command"),
            Joint::Background => Some("`&` sends it to the background, and the shell exits with 0 at once"),
            _ if self.status => None,
            Joint::Or => {
                let next = self.commands.get(at + 1)?;
                (does_nothing(next) && next.after != Joint::Pipe).then_some("`||` puts another exit code in its place")
            }
            Joint::And => {
                // What follows is skipped, and the code stands until the next command of the list.
                let end = *self.list_ends.get(at)?;
                let last = self.commands.get(end)?;
                let next = self.commands.get(end + 1)?;
                match last.after {
                    Joint::Then if !self.errexit => Some("the commands behind it give the exit code"),
                    Joint::Or if does_nothing(next) => Some("`||` puts another exit code in its place"),
                    _ => None,
                }
            }
            Joint::Then => {
                self.commands.get(at + 1)?;
                (!self.errexit).then_some("the commands behind it give the exit code")
            }
        }
    }
}

/// Texts that say that they block and exit with 1, where the vendor takes only 2 for that.
fn fails_to_block(case: &Case<'_>, ran: &[Ran], told: &mut Told<'_, '_>) {
    if case.exits(1) != Upshot::GoesOnUnguarded || case.exits(2) != Upshot::Blocks {
        return;
    }
    let message = |what: &str| {
        let goes_on = Upshot::GoesOnUnguarded.words();
        format!("{what} says that it blocks and exits with 1, which {} takes for a failure, {goes_on}", case.vendor())
    };
    let text = &case.command.text;
    if let Some(at) = blocks_with_1(text) {
        told.push(told.at(&codes::EXIT_1_PASSES, &case.command, Some(&at), message("it")).severity(case.loss()));
        return;
    }
    for ran in ran {
        let head = ran.path.as_ref().and_then(|path| case.look.head(path)).unwrap_or_default();
        if blocks_with_1(&String::from_utf8_lossy(&head)).is_some() {
            let found = told.at(&codes::EXIT_1_PASSES, &case.command, Some(&ran.word), message("the script"));
            told.push(found.severity(case.loss()));
            return;
        }
    }
}

/// Where a text exits with 1 right after it said that it blocks. One that knows 2 as well, or an answer in JSON, knows what it
/// does.
fn blocks_with_1(text: &str) -> Option<std::ops::Range<usize>> {
    const ANSWERS: &[&str] = &[
        "permissionDecision",
        "\"decision",
        "'decision",
        "\"permission",
        "'permission",
        "\"continue",
        "JSON.stringify",
        "json.dump",
    ];
    // A code that is kept or handed back may be what it exits with elsewhere.
    const KEPT: &[&str] = &["return 2", "=2", "= 2"];
    let known = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if exits_with(text, '2').next().is_some() || known(ANSWERS) || known(KEPT) {
        return None;
    }
    exits_with(text, '1').find(|at| text.get(..at.start).is_some_and(says_that_it_blocks))
}

/// Whether what a text says last, right at its end, is that something is blocked, and not that it cannot do its own work.
fn says_that_it_blocks(before: &str) -> bool {
    const SAYS: &[&str] = &["echo ", "printf ", "print(", "console.", "stderr"];
    const BLOCKS: &[&str] = &["block", "denied", "deny", "forbidden", "not allowed", "refus", "prohibited"];
    const FAILS: &[&str] = &[
        "missing",
        "not found",
        "no such",
        "cannot",
        "could not",
        "can't",
        "unable",
        "failed",
        "usage",
        "require",
        "install",
        "permission denied",
        "connection refused",
    ];
    /// Lines that are said in a row.
    const MOST_LINES: usize = 6;
    let mut lines = before.rsplit('\n').take(MOST_LINES);
    let of_exit = lines.next().unwrap_or_default();
    // `exit` is a word of its own, or stands behind one of these.
    let bare =
        ["sys.", "process.", "raise", "os._"].iter().fold(of_exit.trim(), |line, word| line.trim_end_matches(word));
    let said: Vec<String> = std::iter::once(bare)
        .chain(lines)
        .map(str::trim)
        .filter(|line| !line.is_empty())
        // What stands behind an earlier exit, from where it says something.
        .map(|line| line.rfind("exit").and_then(|at| line.get(at..)).unwrap_or(line))
        .map_while(|line| SAYS.iter().filter_map(|word| line.find(word)).min().and_then(|at| line.get(at..)))
        .map(str::to_ascii_lowercase)
        .collect();
    let any = |words: &[&str]| said.iter().any(|line| words.iter().any(|word| line.contains(word)));
    any(BLOCKS) && !any(FAILS)
}

/// Whether a script's text exits with 2 somewhere.
fn exits_with_2(text: &str) -> bool {
    exits_with(text, '2').next().is_some()
}

/// Where a text exits with a number of one digit.
fn exits_with(text: &str, code: char) -> impl Iterator<Item = std::ops::Range<usize>> {
    let is_comment = |at: usize| {
        let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        line.trim_start().starts_with(['#', '*']) || line.trim_start().starts_with("//")
    };
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let words = ["exit ", "exit(", "exitCode = ", "exitCode=", "SystemExit(", "exit  "];
    words.into_iter().flat_map(move |word| {
        let word = format!("{word}{code}");
        let found: Vec<_> = text.match_indices(&word).map(|(at, _)| at..at + word.len()).collect();
        found.into_iter().filter(move |at| text.get(at.end..).is_some_and(ends) && !is_comment(at.start))
    })
}

/// A text that is always the same and no answer.
fn plain_text(case: &Case<'_>, script: &Script, told: &mut Told<'_, '_>) {
    if !matches!(case.facts.plain_stdout, PlainStdout::Malformed | PlainStdout::Failure) || script.compound {
        return;
    }
    let [command] = script.commands.as_slice() else { return };
    let Some(printed) = printed(command) else { return };
    let trimmed = printed.trim();
    if trimmed.is_empty() || serde_json::from_str::<serde_json::Value>(trimmed).is_ok() {
        return;
    }
    let outcome = Outcome::exited(0, printed.clone());
    if !case.fails(&outcome) {
        return;
    }
    let upshot = case.upshot(&outcome);
    let event = case.facts.name;
    let what = match upshot {
        Upshot::Blocks => upshot.words(),
        _ => "and the run fails",
    };
    let message = format!("it prints a plain text, which {event} does not take, {what}");
    let severity = if upshot == Upshot::Blocks { Severity::Error } else { Severity::Warning };
    let mut found = told.at(&codes::PLAIN_TEXT_REFUSED, &case.command, None, message).severity(severity);
    // What is blocked is seen to be, and so is a run that the vendor reports as failed.
    found.silent = upshot != Upshot::Blocks && !matches!(case.facts.plain_stdout, PlainStdout::Failure);
    told.push(found);
}

/// What a command prints, where it is nothing but text.
pub(super) fn printed(command: &Simple) -> Option<String> {
    if !command.redirections.is_empty() || command.nested {
        return None;
    }
    let words: Vec<String> = command.words.iter().map(Word::literal).collect::<Option<_>>()?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["echo", option, ..] if option.starts_with('-') => None,
        ["echo", rest @ ..] => Some(rest.join(" ") + "\n"),
        ["printf", "%s" | "%s\\n", text] => Some((*text).to_owned()),
        ["printf", format] if !format.contains('%') => Some(format.replace("\\n", "\n").replace("\\t", "\t")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::shell::read;
    use super::*;

    fn why(text: &str) -> Option<&'static str> {
        Ends::of(&read(text).unwrap(), text).lost(0)
    }

    #[test]
    fn exit_codes_are_lost_where_something_else_ends_the_command() {
        for text in ["g | tee log", "g || true", "g; true", "g; exit 0", "g &", "g && x; y", "g && x || :", "g\nx"] {
            assert!(why(text).is_some(), "{text}");
        }
        for text in ["g", "g && x", "g || exit 2", "g; exit $?", "set -o pipefail; g | x", "exec g", "g || deny.sh"] {
            let script = read(text).unwrap();
            let at = script
                .commands
                .iter()
                .position(|command| command.words.iter().any(|w| w.literal().as_deref() == Some("g")));
            let at = at.unwrap();
            assert_eq!(Ends::of(&script, text).lost(at), None, "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_known_where_it_is_text() {
        let of = |text: &str| printed(&read(text).unwrap().commands[0]);
        assert_eq!(of("echo a 'b c'").as_deref(), Some("a b c\n"));
        assert_eq!(of(r"printf 'all done\n'").as_deref(), Some("all done\n"));
        for text in ["echo $A", "echo a > f", "echo -n a", "printf '%d' 1", "cat x"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn who_says_that_it_blocks_and_exits_with_1_is_known() {
        for text in [
            "grep -q x && echo 'BLOCKED: no' >&2 && exit 1 || exit 0",
            "node -e \"console.error('Blocked');process.exit(1)\"",
            "print('not allowed', file=sys.stderr)\nsys.exit(1)",
            "echo \"denied\" >&2\n  exit 1\nfi\nexit 0",
            "echo 'BLOCKED: no' >&2\n  echo 'Use git rm.' >&2\n\n  exit 1\n",
            "sys.stderr.write('forbidden\\n')\n    raise SystemExit(1)",
            "if (bad) {\n  console.error('Denied');\n  process.exit(1);\n}",
        ] {
            assert!(blocks_with_1(text).is_some(), "{text}");
        }
        for text in [
            "echo blocked >&2; exit 2",
            "echo 'no jq' >&2; exit 1",
            "echo '{\"decision\": \"block\"}'; exit 1",
            "# echo blocked\n# exit 1",
            "case $x in block) exit 1;; esac",
            "echo blocked >&2; exit 0\n[ -f x ] || exit 1",
            "echo blocked >&2; exit 10",
            // Its own failure.
            "echo 'the list of blocked commands is missing' >&2\nexit 1",
            "command -v jq >/dev/null || { echo 'jq not found, not blocking' >&2; exit 1; }",
            "echo 'Permission denied' >&2; exit 1",
            "curl x || { echo 'connection refused' >&2; exit 1; }",
            "console.error('Usage: deny.js FILE'); process.exit(1)",
            // Said elsewhere, or in a remark.
            "# prints that it is blocked\ncommand -v jq || exit 1",
            "echo 'looking for blocked words'\n[ -f words ] || exit 1",
            "// console.error('blocked'); process.exit(1)",
            "[ \"$1\" = block ] && echo hello && exit 1",
            // It knows 2.
            "fail() { return 2; }\nif bad; then echo blocked >&2; exit 1; fi",
            "BLOCK=2\necho denied >&2\nexit 1",
            "console.log(JSON.stringify({permission: 'deny'})); process.exit(1)",
        ] {
            assert_eq!(blocks_with_1(text), None, "{text}");
        }
    }

    #[test]
    fn scripts_that_block_by_their_exit_code_are_known() {
        for text in ["exit 2", "sys.exit(2)", "process.exit(2);", "process.exitCode = 2;"] {
            assert!(exits_with_2(text), "{text}");
        }
        for text in ["exit 20", "# exit 2", "exit 0", "sys.exit(21)"] {
            assert!(!exits_with_2(text), "{text}");
        }
    }
}
