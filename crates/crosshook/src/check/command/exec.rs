//! Commands with `args`: no shell runs them, so nothing in them is expanded but the vendor's own placeholders.

use hooks_core::lint::values::is_plain_word;

use super::shell;
use super::{Case, Told, interpreter};
use crate::check::codes;

/// Operators that people write as arguments.
const OPERATORS: &[&str] = &["|", "||", "&&", ";", "&", ">", ">>", "<", "2>&1", "2>/dev/null", ">/dev/null"];

/// Looks at a program and its arguments.
pub(super) fn check(case: &Case<'_>, told: &mut Told<'_, '_>) {
    let command = case.command.text.trim();
    let first = command.split_whitespace().next().unwrap_or_default();
    // Of a name with blanks and without a slash the adapter tells.
    if first.len() < command.len() && command.contains(['/', '\\']) && !first.contains(['/', '\\', '$']) {
        let message = format!("`{command}` is taken as the path of one program, so the hook fails each time");
        let found = told.at(&codes::BLANK_IN_PROGRAM, &case.command, None, message).severity(case.loss());
        told.push(found.help(format!("Write \"command\": \"{first}\" and put the rest into `args`.")));
    }
    // What a shell is given is for that shell to read.
    let given_to_shell = interpreter::of(first).is_some_and(|it| it.family == interpreter::Family::Shell);
    if given_to_shell || interpreter::is_windows(first) {
        return;
    }
    for text in std::iter::once(&case.command).chain(&case.args) {
        let argument = text.text.as_str();
        if OPERATORS.contains(&argument) {
            let message = format!("`{argument}` is passed on as an argument: no shell runs this command");
            told.push(told.at(&codes::NO_SHELL_HERE, text, None, message));
            continue;
        }
        if is_plain_word(argument) {
            bare_variables(case, text, told);
        }
    }
}

/// `$NAME` without braces, which stays as it is.
fn bare_variables(case: &Case<'_>, text: &super::place::Text, told: &mut Told<'_, '_>) {
    let root = case.input.root.to_string_lossy();
    let folders = case.adapter.folder_variables(&case.definition.source, &root);
    let own = |name: &str| folders.iter().any(|(folder, _)| *folder == name);
    // Quotes and backslashes mean nothing here; with other characters in their place every variable is seen.
    let seen = text.text.replace(['"', '\'', '\\', '`', '(', ')', '#'], "_");
    for variable in shell::variables(&format!("\"{seen}\"")) {
        let part = variable.range.start.saturating_sub(1)..variable.range.end.saturating_sub(1);
        let raw = text.text.get(part.clone()).unwrap_or_default();
        let name = &variable.name;
        let is_name = name.len() > 2 && name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
        if raw.starts_with("${") && case.adapter.hook_variables().iter().any(|known| known.is(name)) {
            continue;
        }
        // Of these the adapter tells.
        let is_told = own(name) || name == "HOME";
        if !is_name || !variable.plain || is_told {
            continue;
        }
        let message = format!("`{raw}` stays as it is: no shell runs this command");
        told.push(told.at(&codes::NO_SHELL_HERE, text, Some(&part), message));
    }
}
