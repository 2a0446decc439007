//! Variables: ones that the vendor does not set, ones outside quotes, and ones in another shell's syntax.

use std::collections::HashSet;
use std::ops::Range;

use hooks_core::Severity;
use hooks_core::location::{Given, HookVariable};

use super::shell::{self, Piece, Script, Variable, Word};
use super::{Case, Language, Told, called};
use crate::check::codes;

/// Looks at the variables of a shell text.
pub(super) fn check(case: &Case<'_>, script: &Script, told: &mut Told<'_, '_>) {
    let own = Own::of(case);
    let mut seen: HashSet<String> = HashSet::new();
    for variable in shell::variables(&case.command.text) {
        if variable.plain && !seen.contains(&variable.name) {
            not_set(case, &own, script, &variable.name, &variable.range, told);
            seen.insert(variable.name);
        }
    }
    unquoted(case, &own, script, told);
}

/// What the hook's own vendor says of variables.
struct Own {
    variables: Vec<HookVariable>,
    folders: Vec<&'static str>,
}

impl Own {
    fn of(case: &Case<'_>) -> Self {
        let root = case.input.root.to_string_lossy();
        let folders = case.adapter.folder_variables(&case.definition.source, &root);
        let variables = case.adapter.hook_variables();
        Self { variables, folders: folders.into_iter().map(|(name, _)| name).collect() }
    }

    fn get(&self, name: &str) -> Option<&HookVariable> {
        self.variables.iter().find(|variable| variable.is(name))
    }
}

/// Tells of a variable that the vendor does not set for the hook.
fn not_set(case: &Case<'_>, own: &Own, script: &Script, name: &str, part: &Range<usize>, told: &mut Told<'_, '_>) {
    let text = &case.command;
    let event = case.facts.name;
    let vendor = case.vendor();
    let is_plugins = case.is_plugins() || !case.placed;
    let (message, help) = match own.get(name) {
        Some(variable) if variable.reaches(event, is_plugins) => return,
        Some(HookVariable { given: Given::Never { instead }, .. }) => {
            (format!("{vendor} sets no `{name}`: it is empty in every hook"), Some(format!("Use {instead}.")))
        }
        Some(HookVariable { given: Given::Plugins, .. }) => {
            // Claude Code refuses its placeholders outside plugins, which its adapter tells.
            if case.definition.vendor.as_str() == "claude" && text.text.contains(&format!("${{{name}}}")) {
                return;
            }
            (format!("{vendor} sets `{name}` for the hooks of plugins only, and this is none of them"), None)
        }
        Some(HookVariable { given: Given::Events(events), .. }) => {
            let events = if events.len() > 4 { "some events".to_owned() } else { events.join(", ") };
            (format!("{vendor} sets `{name}` for {events} only, not for {event}"), None)
        }
        Some(_) => return,
        None => match others(case, name) {
            Some(other) => (format!("`{name}` is a variable of {other}: {vendor} does not set it"), None),
            None if is_nobodys(case, name) => {
                let help = "Read what the hook is about from its standard input, where it is as JSON.";
                (format!("no client sets `{name}`: it is empty in every hook"), Some(help.to_owned()))
            }
            None => return,
        },
    };
    if is_set_by_itself(case, script, name) || case.is_in_settings(name) {
        return;
    }
    let mut found = told.at(&codes::VARIABLE_NOT_SET, text, Some(part), message).severity(case.loss());
    let swap = instead(case, own, name);
    if let Some(help) = help.or_else(|| swap.as_ref().map(|swap| format!("Use {}.", swap.help))) {
        found = found.help(help);
    }
    if let Some(Swap { name: Some(with), .. }) = &swap {
        let raw = text.text.get(part.clone()).unwrap_or_default();
        if let Some(written) = text.written(&raw.replacen(name, with, 1)) {
            found = found.edit(text.range(part), written).changes("the variable has a value, which it had not before");
        }
    }
    told.push(found);
}

/// Whether a variable is known as one that is often written and never set, by whatever vendor.
fn is_nobodys(case: &Case<'_>, name: &str) -> bool {
    let never = |variable: &HookVariable| variable.is(name) && matches!(variable.given, Given::Never { .. });
    case.input.adapters.iter().any(|adapter| adapter.hook_variables().iter().any(never))
}

/// The other vendor that sets a variable for its hooks.
fn others(case: &Case<'_>, name: &str) -> Option<&'static str> {
    let sets = |variable: &HookVariable| variable.is(name) && !matches!(variable.given, Given::Never { .. });
    let others = || case.input.adapters.iter().filter(|adapter| *adapter.vendor() != case.definition.vendor);
    let mut setting = others().filter(|adapter| adapter.hook_variables().iter().any(sets));
    let first = setting.next()?;
    // Some vendors set variables of others too, for their hooks.
    let named = |adapter: &&std::sync::Arc<dyn hooks_core::HostSide>| {
        name.to_ascii_lowercase().starts_with(adapter.vendor().as_str())
    };
    let whose = std::iter::once(first).chain(setting).find(named).unwrap_or(first);
    Some(called(whose.vendor().as_str()))
}

/// What to write in place of a variable.
struct Swap {
    help: String,
    name: Option<&'static str>,
}

/// What this vendor has in place of a variable: the one with the same meaning, or the way to find the project's root.
fn instead(case: &Case<'_>, own: &Own, name: &str) -> Option<Swap> {
    let ends = |end: &str| name.ends_with(end);
    let alike = |end: &str| own.folders.iter().copied().find(|own| own.ends_with(end));
    let wanted = ["PROJECT_DIR", "PLUGIN_ROOT", "PLUGIN_DATA"].into_iter().find(|end| ends(end))?;
    if let Some(name) = alike(wanted) {
        return Some(Swap { help: format!("`{name}`"), name: Some(name) });
    }
    let no_root = case.definition.vendor.as_str() == "codex" && wanted == "PROJECT_DIR";
    no_root.then(|| Swap {
        help: "`$(git rev-parse --show-toplevel)`: Codex names no project root".to_owned(),
        name: None,
    })
}

/// Whether the text gives a variable a value itself, or asks whether it has one.
fn is_set_by_itself(case: &Case<'_>, script: &Script, name: &str) -> bool {
    let text = &case.command.text;
    let assigned = script.commands.iter().any(|command| command.assignments.iter().any(|(set, _)| set == name));
    let said = [format!("export {name}="), format!("read {name}"), format!("read -r {name}"), format!("for {name} in")];
    // Where it is compared with a text, it is some client's own if it has a value: which client runs the hook is asked so. Of
    // a variable that none sets the answer is always the same.
    let nobodys = is_nobodys(case, name);
    let asks = |command: &shell::Simple| {
        let literals = || command.words.iter().skip(1).map(Word::literal);
        let compares = literals().flatten().any(|word| matches!(word.as_str(), "=" | "!=" | "=="));
        matches!(command.program().as_deref(), Some("[" | "[[" | "test"))
            && command.words.iter().any(|word| word.variables().any(|variable| variable.name == name))
            && (literals().flatten().any(|word| matches!(word.as_str(), "-n" | "-z" | "-v"))
                || compares && (!nobodys || literals().flatten().any(|word| word.is_empty())))
    };
    let fallback = text.contains(&format!("${{{name}:")) || text.contains(&format!("${{{name}-"));
    assigned || fallback || said.iter().any(|said| text.contains(said)) || script.commands.iter().any(asks)
}

/// Path variables outside quotes, which a shell splits at blanks: one diagnostic for all of a text.
fn unquoted(case: &Case<'_>, own: &Own, script: &Script, told: &mut Told<'_, '_>) {
    let is_path = |variable: &Variable| {
        let name = variable.name.as_str();
        !variable.quoted
            && variable.plain
            && own.folders.contains(&name)
            && own.get(name).is_some_and(|own| own.is_path)
    };
    let split = script.commands.iter().flat_map(split_words);
    let found = |word: &'_ Word| word.variables().find(|variable| is_path(variable)).cloned();
    let found: Vec<(&Word, Variable)> = split.filter_map(|word| Some((word, found(word)?))).collect();
    let Some((_, first)) = found.first() else { return };
    let name = &first.name;
    let root = case.input.root.to_string_lossy();
    let folders = case.adapter.folder_variables(&case.definition.source, &root);
    let value = folders.into_iter().find(|(own, _)| own == name).map(|(_, value)| value);
    let value = value.filter(|value| case.placed && value.contains([' ', '\t']));
    let message = match &value {
        Some(value) => {
            format!("`{name}` stands outside quotes and is `{value}` here: sh and bash make several words of it")
        }
        None => {
            format!("`{name}` stands outside quotes: where the path has a blank, sh and bash make several words of it")
        }
    };
    let severity = match (value.is_some(), case.guards()) {
        (true, _) => case.loss(),
        (false, true) => Severity::Warning,
        (false, false) => Severity::Info,
    };
    let mut diagnostic = told.at(&codes::VARIABLE_UNQUOTED, &case.command, Some(&first.range), message);
    diagnostic = diagnostic.severity(severity);
    let edits = found.iter().map(|(word, variable)| {
        let (range, text) = quoted(case, word, variable)?;
        Some((case.command.range(&range), case.command.written(&text)?))
    });
    if let Some(edits) = edits.collect::<Option<Vec<_>>>() {
        for (range, written) in edits {
            diagnostic = diagnostic.edit(range, written);
        }
        if value.is_some() {
            diagnostic = diagnostic.changes("the shell finds the path, which it did not before");
        }
    }
    told.push(diagnostic);
}

/// The words of a command that a shell splits at blanks. In an assignment nothing is split, nor behind `[[` and `case`.
fn split_words(command: &shell::Simple) -> impl Iterator<Item = &Word> {
    let program = command.program();
    let none = matches!(program.as_deref(), Some("[[" | "case"));
    let declares = matches!(program.as_deref(), Some("export" | "readonly" | "local" | "declare" | "typeset"));
    let assigns =
        |word: &Word| matches!(word.pieces.first(), Some(Piece::Text { text, quoted: false }) if text.contains('='));
    let words = command.words.iter().chain(command.redirections.iter().map(|(_, word)| word));
    words.filter(move |word| !(none || declares && assigns(word)))
}

/// The bytes to put in quotes and the text with them: the whole word where nothing else in it would change by that.
fn quoted(case: &Case<'_>, word: &Word, variable: &Variable) -> Option<(Range<usize>, String)> {
    let simple = word.pieces.iter().all(|piece| match piece {
        Piece::Text { text, quoted } => !quoted && !shell::is_special(text, false) && !text.contains('\\'),
        Piece::Variable(variable) => !variable.quoted,
        Piece::Substitution { .. } => false,
    });
    let starts = word.pieces.first().is_some_and(|piece| matches!(piece, Piece::Variable(_)));
    let range = if simple && starts { word.range.clone() } else { variable.range.clone() };
    let raw = case.command.text.get(range.clone())?;
    Some((range, format!("\"{raw}\"")))
}

/// Names that people write as `%NAME%` or `$env:NAME`: of Windows, and those of every vendor.
const WINDOWS: &[&str] = &[
    "APPDATA",
    "CD",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// Variables in the syntax of a shell that does not run the text. Whether there was something to tell.
pub(super) fn of_another_shell(case: &Case<'_>, told: &mut Told<'_, '_>) -> bool {
    let mut has_told = false;
    let text = &case.command.text;
    let (written, runs): (&[Syntax], &str) = match case.language {
        // Whether what is written for Windows is meant for these systems is not known of vendors that use the system's
        // own shell there.
        Language::Posix if case.definition.vendor.as_str() == "claude" => {
            (&[Syntax::Percent, Syntax::Env], "sh, and on Windows Git Bash")
        }
        Language::PowerShell => (&[Syntax::Percent], "PowerShell"),
        Language::Cmd => (&[Syntax::Dollar, Syntax::Env], "cmd.exe"),
        _ => return has_told,
    };
    if !text.contains(['%', '$']) {
        return has_told;
    }
    let mut known: Vec<&str> = WINDOWS.to_vec();
    let others: Vec<HookVariable> = case.input.adapters.iter().flat_map(|adapter| adapter.hook_variables()).collect();
    known.extend(others.iter().filter(|variable| !variable.name.ends_with('*')).map(|variable| variable.name));
    let given_to_powershell = is_given_to_powershell(text);
    for syntax in written {
        if *syntax == Syntax::Env && given_to_powershell {
            continue;
        }
        for (range, name) in syntax.find(text, &known) {
            let own = match case.language {
                Language::PowerShell => format!("$env:{name}"),
                Language::Cmd => format!("%{name}%"),
                _ if name == "USERPROFILE" => "$HOME".to_owned(),
                _ => format!("${name}"),
            };
            let raw = text.get(range.clone()).unwrap_or_default();
            let message = format!("`{raw}` is no variable here: the command runs in {runs}");
            let found = told.at(&codes::VARIABLE_OF_ANOTHER_SHELL, &case.command, Some(&range), message);
            told.push(found.help(format!("Write `{own}`.")).severity(case.loss()));
            has_told = true;
        }
    }
    has_told
}

/// Whether the text starts PowerShell, whose variables then stand in it rightly.
fn is_given_to_powershell(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("powershell") || text.contains("pwsh")
}

/// How shells write a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    /// `%NAME%`
    Percent,
    /// `$env:NAME`
    Env,
    /// `$NAME`
    Dollar,
}

impl Syntax {
    /// The known names that stand in a text in this syntax.
    fn find<'k>(self, text: &str, known: &[&'k str]) -> Vec<(Range<usize>, &'k str)> {
        let is_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let start = match self {
            Self::Percent => "%",
            Self::Env => "$env:",
            Self::Dollar => "$",
        };
        let mut found = Vec::new();
        for (at, _) in text.match_indices(start) {
            let Some(rest) = text.get(at + start.len()..) else { continue };
            let rest_braced = rest.strip_prefix('{').filter(|_| self == Self::Dollar);
            let rest = rest_braced.unwrap_or(rest);
            let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let Some(name) = rest.get(..length) else { continue };
            let closes = match self {
                Self::Percent => rest.get(length..).is_some_and(|rest| rest.starts_with('%')),
                _ => true,
            };
            let Some(known) = known.iter().find(|known| known.eq_ignore_ascii_case(name)) else { continue };
            if closes {
                let extra = usize::from(self == Self::Percent) + 2 * usize::from(rest_braced.is_some());
                found.push((at..at + start.len() + length + extra, *known));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_windows_are_found_and_formats_are_not() {
        let find = |syntax: Syntax, text: &str| syntax.find(text, WINDOWS).into_iter().collect::<Vec<_>>();
        assert_eq!(find(Syntax::Percent, "py %USERPROFILE%\\x"), [(3..16, "USERPROFILE")]);
        assert_eq!(find(Syntax::Percent, "date +%Y%m%d%TEMP"), []);
        assert_eq!(find(Syntax::Env, "x $env:Temp/y"), [(2..11, "TEMP")]);
    }
}
