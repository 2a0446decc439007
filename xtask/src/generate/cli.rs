//! The command's manual: `docs/cli.md`, pages for `man`, and completions for shells; all from its argument parser.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::markdown::preamble;
use super::{Generated, MARK, Sources};

/// How wide the help stands on the page.
const WIDTH: usize = 90;

/// The shells with the completions' file, as each shell names it, and what a comment starts with.
const SHELLS: &[(Shell, &str)] = &[
    (Shell::Bash, "crosshook.bash"),
    (Shell::Zsh, "_crosshook"),
    (Shell::Fish, "crosshook.fish"),
    (Shell::PowerShell, "_crosshook.ps1"),
];

pub(super) fn files(_: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let mut command = crosshook::cli::command().term_width(WIDTH);
    command.build();
    let mut made = vec![Generated::new("docs/cli.md", reference(&command)?)];
    for (shell, file) in SHELLS {
        made.push(Generated::new(format!("completions/{file}"), completions(&command, *shell)?));
    }
    for command in all(&command) {
        made.push(Generated::new(format!("man/{}.1", file_name(&command)), manual(&command)?));
    }
    Ok(made)
}

/// The command and those below it, each with its whole name; `help` is left out, which says what `--help` says.
fn all(command: &Command) -> Vec<Command> {
    let mut commands = vec![command.clone()];
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        commands.extend(all(below));
    }
    commands
}

/// A command's whole name, as it is typed.
fn typed(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn file_name(command: &Command) -> String {
    typed(command).replace(' ', "-")
}

fn reference(command: &Command) -> Result<String, String> {
    let mut out = preamble("`crates/crosshook/src/cli/args.rs`");
    out.push_str("# The command\n\nWhat `--help` says, of every subcommand.\n");
    for below in all(command) {
        let name = typed(&below);
        let help = help(command, name)?;
        if help.contains("```") {
            return Err(format!("the help of `{name}` would end its block on the page"));
        }
        let _ = write!(out, "\n## `{name}`\n\n```text\n{}```\n", lines(&help));
    }
    Ok(out)
}

/// What the command prints when it is asked for help, with the words that name a subcommand.
fn help(command: &Command, typed: &str) -> Result<String, String> {
    match command.clone().try_get_matches_from(typed.split(' ').chain(["--help"])) {
        Err(said) if said.kind() == ErrorKind::DisplayHelp => Ok(said.render().to_string()),
        Err(said) => Err(format!("`{typed} --help` says {said}")),
        Ok(_) => Err(format!("`{typed} --help` prints no help")),
    }
}

fn completions(command: &Command, shell: Shell) -> Result<String, String> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut command.clone(), "crosshook", &mut bytes);
    let mut script = String::from_utf8(bytes).map_err(|error| format!("completions for {shell}: {error}"))?;
    if shell == Shell::Fish {
        script.push_str(&words_for_fish(command));
    }
    let comment = format!("# {MARK} from `crates/crosshook/src/cli/args.rs`. Do not edit.\n");
    let script = lines(&script);
    // The first line of a script for zsh says what it completes.
    Ok(match script.split_once('\n') {
        Some((first, rest)) if first.starts_with("#compdef") => format!("{first}\n{comment}{rest}"),
        _ => format!("{comment}{script}"),
    })
}

/// The words that can stand in the first place after a subcommand: what is made for fish leaves them out.
fn words_for_fish(command: &Command) -> String {
    let mut script = String::new();
    for below in command.get_subcommands().filter(|below| below.get_subcommands().next().is_none()) {
        let Some(first) = below.get_positionals().next() else { continue };
        let values = first.get_possible_values();
        let words: Vec<&str> =
            values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
        if !words.is_empty() {
            let (name, words) = (below.get_name(), words.join(" "));
            let _ = writeln!(
                script,
                "complete -c crosshook -n \"__fish_crosshook_using_subcommand {name}\" -f -a \"{words}\""
            );
        }
    }
    script
}

fn manual(command: &Command) -> Result<String, String> {
    let name = file_name(command);
    let version = format!("crosshook {}", command.get_version().unwrap_or_default());
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    // A page on `help` is not made, and what stands after the help gets sections of its own.
    let hidden = |below: Command| if below.get_name() == "help" { below.hide(true) } else { below };
    let command = command.clone().mut_subcommands(hidden).after_help(Resettable::Reset);
    // A page is named after the whole command, so that those of several commands do not mix.
    let page = Man::new(command).title(name.to_uppercase()).section("1").source(version);
    let mut bytes = Vec::new();
    page.render(&mut bytes).map_err(|error| format!("the manual of {name}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| format!("the manual of {name}: {error}"))?;
    let (before, version) = text.split_once(VERSION).ok_or_else(|| format!("the manual of {name} has no version"))?;
    let text = format!("{before}{}{VERSION}{version}", sections(&after));
    Ok(format!(".\\\" {MARK} from `crates/crosshook/src/cli/args.rs`. Do not edit.\n{}", lines(&text)))
}

/// Where a page comes to its last section.
const VERSION: &str = ".SH VERSION\n";

/// The sections of a manual page for what stands after a command's help, a paragraph each. Examples and tables keep
/// their lines; others are filled.
fn sections(after: &str) -> String {
    let mut page = Roff::new();
    let mut notes = false;
    for paragraph in after.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        let titled = [("Examples:", "EXAMPLES"), ("Exit codes:", "EXIT STATUS")]
            .iter()
            .find_map(|(start, title)| Some((*title, paragraph.strip_prefix(start)?)));
        let text = match titled {
            Some((title, text)) => {
                page.control("SH", [title]);
                text.strip_prefix('\n').unwrap_or(text.trim_start())
            }
            None if notes => {
                page.control("PP", []);
                paragraph
            }
            None => {
                notes = true;
                page.control("SH", ["NOTES"]);
                paragraph
            }
        };
        let kept = text.lines().any(|line| line.starts_with(' ') || line.contains("  "));
        if kept {
            page.control("nf", []);
        }
        let depth = |line: &str| line.len() - line.trim_start().len();
        let indent = text.lines().map(depth).filter(|depth| *depth > 0).min().unwrap_or_default();
        for line in text.lines() {
            page.text([roman(line.split_at(indent.min(depth(line))).1)]);
        }
        if kept {
            page.control("fi", []);
        }
    }
    // The page says already how apostrophes are written.
    let text = page.render();
    text.find(".SH").map_or(String::new(), |start| text.split_at(start).1.to_owned())
}

/// A text without blanks at line ends, and with one newline at its end.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_has_sections_for_examples_and_exit_codes_and_keeps_their_lines() {
        let said =
            sections("Examples:\n   x a   one\n  xx 'b'  two\n\nA remark\non lines.\n\nExit codes: 0 done; 2 not.");
        assert_eq!(
            said,
            ".SH EXAMPLES\n.nf\n x a   one\nxx \\*(Aqb\\*(Aq  two\n.fi\n.SH NOTES\nA remark\non lines.\n.SH \"EXIT STATUS\"\n0 done; 2 not.\n"
        );
    }

    #[test]
    fn fish_completes_the_words_in_the_first_place() {
        let mut command = crosshook::cli::command();
        command.build();
        let script = completions(&command, Shell::Fish).expect("a script");
        let line = "\"__fish_crosshook_using_subcommand init\" -f -a \"cursor claude codex\"";
        assert!(script.contains(line), "{}", words_for_fish(&command));
    }

    #[test]
    fn a_manual_names_no_page_that_is_not_made() {
        let mut command = crosshook::cli::command();
        command.build();
        let commands = all(&command);
        let pages: Vec<_> = commands.iter().map(|command| format!("{}(1)", file_name(command))).collect();
        for command in &commands {
            let page = manual(command).expect("a page").replace("\\-", "-").replace("\\fR", "");
            for word in page.split_whitespace().filter(|word| word.ends_with("(1)")) {
                assert!(pages.iter().any(|page| page == word), "{} names {word}", file_name(command));
            }
        }
    }
}
