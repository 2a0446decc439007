//! `crosshook demo`: one guard in three formats, fired three times.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use hooks_core::effects::Failure;
use hooks_core::text::{display_line, shorten};
use hooks_core::{Decision, HookEffects, Outcome};

use super::args::{Cli, Command, DemoArgs};
use super::exit::{self, Done, Trouble};
use super::fire::{self, FireArgs, explain};
use super::init;
use super::out::{DIM, HEAD, NAME, Out, columns, pad, paint, wrap};

/// One vendor's part of the demonstration: its file, what stands in it, and its guard.
struct Part {
    vendor: &'static str,
    config: &'static str,
    text: &'static str,
    attached: &'static str,
    guard: &'static str,
    script: &'static str,
}

/// What every guard answers to `git push`: Claude Code's way of asking.
const SAME: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}"#;

static PARTS: [Part; 3] = [
    Part {
        vendor: "cursor",
        config: ".cursor/hooks.json",
        text: r#"{
  "version": 1,
  "hooks": {
    "beforeShellExecution": [{ "command": "sh guards/cursor.sh" }]
  }
}
"#,
        attached: "beforeShellExecution",
        guard: "guards/cursor.sh",
        script: r#"#!/bin/sh
# Cursor: a permission hook prints its decision, also when it has nothing against the command.
case "$(cat)" in
  *'rm -rf'*)   echo '{"permission":"deny","agent_message":"no rm -rf here"}' ;;
  *'git push'*) cat guards/same-answer.json ;;
  *)            echo '{"permission":"allow"}' ;;
esac
"#,
    },
    Part {
        vendor: "claude",
        config: ".claude/settings.json",
        text: r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "sh {root}guards/claude.sh" }] }
    ]
  }
}
"#,
        attached: "PreToolUse, Bash",
        guard: "guards/claude.sh",
        script: r#"#!/bin/sh
# Claude Code: the decision stands in a nested object; a hook with nothing to say prints nothing.
case "$(cat)" in
  *'rm -rf'*)
    echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no rm -rf here"}}' ;;
  *'git push'*) cat guards/same-answer.json ;;
esac
"#,
    },
    Part {
        vendor: "codex",
        config: ".codex/hooks.json",
        text: r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "sh {root}guards/codex.sh" }] }
    ]
  }
}
"#,
        attached: "PreToolUse, Bash",
        guard: "guards/codex.sh",
        script: r#"#!/bin/sh
# Codex: exit code 2 denies, with the reason on standard error.
case "$(cat)" in
  *'rm -rf'*)   echo 'no rm -rf here' >&2; exit 2 ;;
  *'git push'*) cat guards/same-answer.json ;;
esac
"#,
    },
];

/// Runs the subcommand.
pub(crate) fn run(args: &DemoArgs, out: &mut Out) -> Done {
    let temporary = match &args.keep {
        Some(_) => None,
        None => Some(tempfile::tempdir().map_err(|error| cannot("make a temporary folder", &error))?),
    };
    let folder: PathBuf = match (&args.keep, &temporary) {
        (Some(keep), _) => keep.clone(),
        (None, Some(temporary)) => temporary.path().to_owned(),
        (None, None) => return Err(Trouble::usage("there is no folder for the demonstration")),
    };
    write(&folder)?;
    let kept = args.keep.is_some();
    let shown = args.keep.as_deref().unwrap_or(Path::new("demo"));
    let shown = quoted(&display_line(&shown.to_string_lossy()));
    let width = out.width().min(100);

    let mut text = format!(
        "{}\n{}\n\n",
        paint(HEAD, "One guard in three formats"),
        wrap("Each denies `rm -rf`, lets `ls` through, and answers `git push` with the very same words.", width, 0)
    );
    for part in &PARTS {
        let _ = writeln!(
            text,
            "  {}{}{}{}",
            pad(NAME, part.vendor, 8),
            pad(anstyle::Style::new(), part.config, 23),
            pad(anstyle::Style::new(), part.attached, 22),
            paint(DIM, &format!("sh {}", part.guard)),
        );
    }
    out.print(&text);

    for (command, remark) in [
        ("rm -rf build", "three ways to deny"),
        ("ls", "saying yes, and saying nothing"),
        ("git push", "one answer, three meanings"),
    ] {
        let text = scene(&folder, &shown, command, remark, width)?;
        out.print(&text);
    }

    let mut text = String::from("\nNO OPINION: the host's own rules decide, as if there were no hook.\n");
    if kept {
        let _ = writeln!(text, "The project is in {shown}: change a guard and fire again.");
    } else {
        let _ = writeln!(text, "By hand: {}, then the lines after `$`.", paint(NAME, "crosshook demo --keep demo"));
    }
    let _ = writeln!(
        text,
        "More: {} and {}",
        paint(NAME, &format!("crosshook list {shown}")),
        paint(NAME, "crosshook fire --help")
    );
    out.print(&text);
    Ok(exit::OK)
}

/// One command, fired at all three guards at once.
fn scene(folder: &Path, shown: &str, command: &str, remark: &str, width: usize) -> Result<String, Trouble> {
    let mut text = String::new();
    let line = format!("crosshook fire tool.before {shown} --command '{command}'");
    let _ = writeln!(text, "\n{}", paint(HEAD, &format!("{command}: {remark}")));
    let _ = writeln!(text, "{}", paint(DIM, &format!("$ {line}")));

    let args = arguments(folder, command)?;
    let mut prepared = fire::prepare(&args)?;
    let fired = fire::fire(&mut prepared)?;
    let mut said_before = String::new();
    let room = width.saturating_sub(10 + 11);
    for part in &PARTS {
        let run = fired.runs().iter().find(|run| run.binding.vendor.as_str() == part.vendor);
        let run = run.ok_or_else(|| Trouble::usage(format!("{}'s guard did not run", part.vendor)))?;
        let alone = prepared.decide_alone(run);
        let means = display_line(&brief(&run.effects)).into_owned();
        let _ = writeln!(
            text,
            "  {}{}{}",
            pad(NAME, part.vendor, 8),
            pad(anstyle::Style::new(), &shorten(&means, room.saturating_sub(2)), room),
            word(&alone),
        );
        let said = run.outcome.as_ref().map(said).unwrap_or_default();
        let shown = if said == said_before { "the same" } else { &said };
        for line in broken(shown, width.saturating_sub(10)) {
            let _ = writeln!(text, "{:10}{}", "", paint(DIM, line.trim_end()));
        }
        said_before = said;
    }
    let together = "all three together";
    let _ = writeln!(text, "  {:8}{}{}", "", pad(DIM, together, room), word(fired.decision()));
    Ok(text)
}

fn word(decision: &Decision) -> String {
    let (style, word, _) = explain::word(decision, explain::exit_code(decision));
    paint(style, word)
}

/// What a hook printed and how it ended.
fn said(outcome: &Outcome) -> String {
    let stdout = outcome.stdout_text();
    let stderr = outcome.stderr_text();
    let end = explain::end(&outcome.end);
    let said = match (stdout.trim(), stderr.trim()) {
        ("", "") => format!("nothing, {end}"),
        ("", stderr) => format!("stderr: {stderr}, {end}"),
        (stdout, _) => format!("{stdout}, {end}"),
    };
    display_line(&said).into_owned()
}

/// What an answer means, in few words.
fn brief(effects: &HookEffects) -> String {
    match &effects.failure {
        Some(Failure::Malformed(why)) => format!("unreadable: {why}"),
        Some(Failure::Unsupported(what)) => format!("a failed run: `{what}` is not supported"),
        _ => explain::meaning(effects).join("; "),
    }
}

/// A text in lines that are no longer than a width, broken after a comma or a blank where there is one.
fn broken(text: &str, width: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(width.max(1)) {
        let line = rest.get(..end).unwrap_or_default();
        let end = line.rfind([',', ' ']).map_or(end, |comma| comma + 1);
        let (line, after) = rest.split_at(end);
        lines.push(line);
        rest = after;
    }
    lines.push(rest);
    lines
}

/// The arguments that a person would type for the same.
fn arguments(folder: &Path, command: &str) -> Result<Box<FireArgs>, Trouble> {
    let line: [&std::ffi::OsStr; 7] = [
        "crosshook".as_ref(),
        "fire".as_ref(),
        "tool.before".as_ref(),
        folder.as_os_str(),
        "--command".as_ref(),
        command.as_ref(),
        "--yes".as_ref(),
    ];
    match Cli::try_parse_from(line) {
        Ok(Cli { command: Command::Fire(args), .. }) => Ok(args),
        Ok(_) => Err(Trouble::usage("the demonstration is not a firing")),
        Err(error) => Err(Trouble::usage(error.to_string())),
    }
}

/// Writes the project. A folder that has something in it is left alone.
fn write(folder: &Path) -> Result<(), Trouble> {
    let shown = folder.display();
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Trouble::usage(format!("`{shown}` is not empty; nothing was written"))
            .help("name a new folder: crosshook demo --keep NEW"));
    }
    for part in &PARTS {
        let root = init::root(part.vendor, folder).replace('\\', r"\\").replace('"', "\\\"") + "/";
        put(folder, part.config, &part.text.replace("{root}", &root))?;
        put(folder, part.guard, part.script)?;
    }
    put(folder, "guards/same-answer.json", &format!("{SAME}\n"))
}

fn put(folder: &Path, path: &str, text: &str) -> Result<(), Trouble> {
    let path = folder.join(path);
    path.parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| cannot(&format!("write {}", path.display()), &error))
}

fn cannot(what: &str, error: &std::io::Error) -> Trouble {
    Trouble::usage(format!("cannot {what}: {error}"))
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~+:@%,=".contains(c);
    if columns(word) > 0 && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_break_after_commas() {
        assert_eq!(broken("ab,cd,ef", 6), ["ab,cd,", "ef"]);
        assert_eq!(broken("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(broken("", 4), [""]);
        assert_eq!(broken("é,é", 2), ["é,", "é"]);
    }

    #[test]
    fn words_are_quoted_only_where_they_must_be() {
        assert_eq!(quoted("/tmp/d"), "/tmp/d");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
