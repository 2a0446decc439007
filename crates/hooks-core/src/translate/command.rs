//! Carrying a command over: variables, the folder it runs in, arguments, shells, and the bridge around it.

use super::Bridge;
use super::codes::{self, Finding};
use super::side::{ConfigSide, Folder};
use crate::definition::{Definition, FailurePolicy, LoopLimit};
use crate::handler::{Background, CommandHandler, Shell};
use crate::location::{Given, HookCwd, HookVariable};
use crate::source::{Origin, Role};

/// A text as one word of a POSIX shell.
#[must_use]
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A text as one word of a command line: of a POSIX shell, and of the shells of Windows too where they have one for it.
/// In double quotes these leave alone what has no quotes, backslashes or variables in it.
fn word(text: &str) -> String {
    let quoted = quoted(text);
    let is_read_alike = !text.contains(['"', '$', '`', '\\', '%']) && !text.contains(char::is_control);
    if is_read_alike && quoted != text { format!("\"{text}\"") } else { quoted }
}

/// A text as one word of Windows' command line.
fn quoted_for_windows(text: &str) -> String {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:=".contains(c)) {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    let mut slashes = 0;
    for c in text.chars() {
        match c {
            '\\' => slashes += 1,
            '"' => {
                // Backslashes in front of a quotation mark count double, and it has one of its own.
                quoted.push_str(&"\\".repeat(slashes + 1));
                slashes = 0;
            }
            _ => slashes = 0,
        }
        quoted.push(c);
    }
    quoted.push_str(&"\\".repeat(slashes));
    quoted.push('"');
    quoted
}

/// Where hooks of a document run.
fn cwd_of(side: &dyn ConfigSide, origin: Origin) -> HookCwd {
    let of = |place: &&crate::location::Location| place.origin == origin && place.role == Role::Hooks;
    side.locations().iter().find(of).map_or(HookCwd::Session, |place| place.cwd)
}

/// From which side to which, and where the target's project lies below the root of its repository.
type Way<'a> = (&'a dyn ConfigSide, &'a dyn ConfigSide, &'a str);

/// Carries a command over to the project's document of the target.
pub(super) fn carry(
    (from, to, below): Way<'_>,
    definition: &Definition,
    command: &CommandHandler,
    said: Option<&Said<'_>>,
    findings: &mut Vec<Finding>,
) -> CommandHandler {
    let can = to.config().keys;
    let mut told = |code, reason: String, guards| findings.push(Finding { code, reason, guards });
    let keeps_shell = can.shell && said.is_none();
    let mut text = match (&command.args, command.shell) {
        // Both sides start it without a shell: the same words, with the placeholders of the other side.
        (Some(args), _) if can.args && said.is_none() => {
            let args: Vec<String> =
                args.iter().map(|arg| folders((from, to, below), arg, Quotes::None, &mut told)).collect();
            args.iter().for_each(|arg| mentions(from, to, arg, &mut told));
            let program = folders((from, to, below), &command.command, Quotes::None, &mut told);
            let background = background(definition, command, to, &mut told);
            return CommandHandler { command: program, args: Some(args), background, ..CommandHandler::default() };
        }
        (Some(args), _) => {
            let words = std::iter::once(&command.command).chain(args);
            words.map(|word| shell_word(from, word)).collect::<Vec<_>>().join(" ")
        }
        (None, Shell::PowerShell) if !keeps_shell => {
            format!("pwsh -NoProfile -NonInteractive -Command {}", quoted(&for_powershell(from, &command.command)))
        }
        (None, _) => command.command.clone(),
    };
    let from_cwd = cwd_of(from, definition.source.origin);
    let to_cwd = cwd_of(to, Origin::Project);
    let is_users = definition.source.origin == Origin::User;
    if from_cwd == HookCwd::Document && (said.is_none() || !is_users) && !definition.source.folder().is_empty() {
        text = format!("cd {} || exit 1; {text}", quoted(definition.source.folder()));
    }
    let windows = command.windows.as_ref().filter(|_| {
        if !can.windows {
            told(
                &codes::WINDOWS_LOST,
                "the target has no other command for Windows".to_owned(),
                definition.can_block(),
            );
        }
        can.windows
    });
    let background = background(definition, command, to, &mut told);
    if let Some(said) = said {
        let words = said.words(from, to, definition);
        let line = |quote: fn(&str) -> String, rest: &[&str]| -> String {
            let all = words.iter().map(String::as_str).chain(rest.iter().copied());
            all.map(quote).collect::<Vec<_>>().join(" ")
        };
        let command = match &command.args {
            Some(args) => {
                let mut rest = vec!["--", command.command.as_str()];
                rest.extend(args.iter().map(String::as_str));
                line(word, &rest)
            }
            None => line(word, &["--shell", "--", &text]),
        };
        let windows = windows.map(|text| line(quoted_for_windows, &["--shell", "--", text]));
        return CommandHandler { command, windows, args: None, shell: Shell::Default, background };
    }
    let mut text = folders((from, to, below), &text, Quotes::Shell, &mut told);
    mentions(from, to, &text, &mut told);
    match (from_cwd, to_cwd) {
        (HookCwd::ProjectRoot, HookCwd::Session) => {
            text = format!("cd \"{}\" || exit 1; {text}", to.config().project_root.in_command(below));
        }
        (HookCwd::Session, HookCwd::ProjectRoot) => {
            let reason = format!("{} runs it in the project's root, wherever the session stands", to.vendor());
            told(&codes::CWD_DIFFERS, reason, false);
        }
        _ => {}
    }
    CommandHandler {
        command: text,
        windows: windows.cloned(),
        args: None,
        shell: if keeps_shell { command.shell } else { Shell::Default },
        background,
    }
}

fn background(
    definition: &Definition,
    command: &CommandHandler,
    to: &dyn ConfigSide,
    told: &mut impl FnMut(&'static codes::LossCode, String, bool),
) -> Background {
    let can = to.config().keys;
    match command.background {
        Background::No => Background::No,
        _ if !can.background => {
            told(
                &codes::ASYNC_LOST,
                format!("{} waits for it, and its answer counts", to.vendor()),
                definition.can_block(),
            );
            Background::No
        }
        Background::AsyncRewake if !can.rewake => {
            told(&codes::REWAKE_LOST, "a block no longer wakes the model".to_owned(), true);
            Background::Async
        }
        kind => kind,
    }
}

/// What a bridge has to be told of a definition, since the target's file does not say it.
pub(super) struct Said<'a> {
    pub(super) bridge: &'a Bridge,
    /// The matcher.
    pub(super) matcher: Option<&'a str>,
    /// The time limit, where it is not the usual one of its vendor.
    pub(super) timeout_s: Option<f64>,
    /// The time limit in the target's file.
    pub(super) host_timeout_s: Option<f64>,
    /// How often it makes its turn go on.
    pub(super) loop_limit: Option<LoopLimit>,
    /// The project, from the root of its repository.
    pub(super) project: Option<&'a str>,
}

impl Said<'_> {
    /// The words in front of the program.
    fn words(&self, from: &dyn ConfigSide, to: &dyn ConfigSide, definition: &Definition) -> Vec<String> {
        let mut words = vec![self.bridge.program.clone(), "bridge".to_owned()];
        let mut option = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
        option("--written-for", from.vendor().as_str());
        option("--host", to.vendor().as_str());
        option("--event", &definition.place.event);
        if let Some(matcher) = self.matcher {
            option("--matcher", matcher);
        }
        if let Some(condition) = &definition.condition {
            option("--if", condition);
        }
        if let Some(seconds) = self.timeout_s {
            option("--timeout", &seconds.to_string());
        }
        if let Some(limit) = self.loop_limit {
            option("--loop-limit", &limit.number().map_or("none".to_owned(), |limit| limit.to_string()));
        }
        if let Some(project) = self.project {
            option("--project", project);
        }
        if definition.source.origin == Origin::User {
            option("--user-file", &definition.source.path);
        }
        if let Some(seconds) = self.host_timeout_s {
            option("--host-timeout", &seconds.to_string());
        }
        let flags = [
            ("--fail-closed", definition.failure == FailurePolicy::Closed),
            ("--once", definition.once),
            ("--strict", self.bridge.strict),
        ];
        words.extend(flags.into_iter().filter(|(_, is)| *is).map(|(flag, _)| flag.to_owned()));
        words
    }
}

/// An argument of a program that is started without a shell, as a word of a shell: placeholders for folders stay.
fn shell_word(from: &dyn ConfigSide, word: &str) -> String {
    let has = |name: &str| word.contains(&format!("${{{name}}}"));
    if !from.config().folders.iter().any(|(name, _)| has(name)) {
        return quoted(word);
    }
    let mut written = String::from("\"");
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let placeholder = from.config().folders.iter().find_map(|(name, _)| {
            let text = format!("${{{name}}}");
            rest.starts_with(&text).then_some(text)
        });
        if let Some(text) = placeholder {
            written.push_str(&text);
            rest = rest.get(text.len()..).unwrap_or_default();
            continue;
        }
        if matches!(c, '"' | '$' | '`' | '\\') {
            written.push('\\');
        }
        written.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    written.push('"');
    written
}

/// Where variables stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// In a shell's text: none is replaced inside single quotes.
    Shell,
    /// In a word that no shell reads: only `${NAME}` is one.
    None,
}

/// Replaces the variables of the source that stand for folders by the target's, and tells of those that it lacks.
fn folders(
    way: Way<'_>,
    text: &str,
    quotes: Quotes,
    told: &mut impl FnMut(&'static codes::LossCode, String, bool),
) -> String {
    let mut written = String::new();
    let mut rest = text;
    let mut single = false;
    let mut double = false;
    while let Some(c) = rest.chars().next() {
        match c {
            '\\' if quotes == Quotes::Shell && !single => {
                let end = rest.chars().take(2).map(char::len_utf8).sum();
                written.push_str(rest.get(..end).unwrap_or_default());
                rest = rest.get(end..).unwrap_or_default();
                continue;
            }
            '\'' if quotes == Quotes::Shell && !double => single = !single,
            '"' if quotes == Quotes::Shell && !single => double = !double,
            '$' if !single => {
                if let Some((name, length)) = variable(rest, quotes) {
                    let original = rest.get(..length).unwrap_or_default();
                    written.push_str(&replaced(way, name, original, quotes, told));
                    rest = rest.get(length..).unwrap_or_default();
                    continue;
                }
            }
            _ => {}
        }
        written.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    written
}

/// A text for PowerShell with the placeholders for folders as its client replaces them there: the names alone mean
/// nothing to it.
fn for_powershell(from: &dyn ConfigSide, text: &str) -> String {
    let names = from.config().folders.iter().map(|(name, _)| name);
    names.fold(text.to_owned(), |text, name| text.replace(&format!("${{{name}}}"), &format!("${{env:{name}}}")))
}

/// Tells of variables of the source that a text still speaks of, in whatever way: with a default, for a program inside the
/// command, or in another shell's form.
fn mentions(
    from: &dyn ConfigSide,
    to: &dyn ConfigSide,
    text: &str,
    told: &mut impl FnMut(&'static codes::LossCode, String, bool),
) {
    let (own, theirs) = (Variables::of(from), Variables::of(to));
    let mut lost: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part_of_a_name) {
        rest = rest.get(start..).unwrap_or_default();
        let (word, after) = rest.split_at(rest.find(|c| !is_part_of_a_name(c)).unwrap_or(rest.len()));
        rest = after;
        // A variable that the command sets itself is its own.
        if !after.starts_with('=') && own.has(word) && !theirs.has(word) && !lost.contains(&word) {
            told(&codes::VARIABLE_LOST, format!("{} does not set `{word}`", to.vendor()), true);
            lost.push(word);
        }
    }
}

const fn is_part_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The variables that a side's hooks find set.
struct Variables {
    folders: &'static [(&'static str, Folder)],
    others: Vec<HookVariable>,
}

impl Variables {
    fn of(side: &dyn ConfigSide) -> Self {
        let mut others = side.hook_variables();
        others.retain(|variable| !matches!(variable.given, Given::Never { .. } | Given::Plugins));
        Self { folders: side.config().folders, others }
    }

    fn has(&self, name: &str) -> bool {
        self.folders.iter().any(|(known, _)| *known == name) || self.others.iter().any(|variable| variable.is(name))
    }
}

/// The variable that a text begins with, and its length as written.
fn variable(text: &str, quotes: Quotes) -> Option<(&str, usize)> {
    let name_of = |text: &str| text.find(|c| !is_part_of_a_name(c)).unwrap_or(text.len());
    if let Some(inner) = text.strip_prefix("${") {
        let end = name_of(inner);
        return (end > 0 && inner.get(end..)?.starts_with('}')).then(|| Some((inner.get(..end)?, end + 3)))?;
    }
    let inner = text.strip_prefix('$').filter(|_| quotes == Quotes::Shell)?;
    let end = name_of(inner);
    (end > 0).then(|| Some((inner.get(..end)?, end + 1)))?
}

fn replaced(
    (from, to, below): Way<'_>,
    name: &str,
    original: &str,
    quotes: Quotes,
    told: &mut impl FnMut(&'static codes::LossCode, String, bool),
) -> String {
    if !Variables::of(from).has(name) || Variables::of(to).has(name) {
        return original.to_owned();
    }
    let (own, other) = (from.config(), to.config());
    let folder = own.folders.iter().find(|(known, _)| *known == name).map(|(_, folder)| *folder);
    if let Some((theirs, _)) = other.folders.iter().find(|(_, of)| Some(*of) == folder) {
        return if original.starts_with("${") { format!("${{{theirs}}}") } else { format!("${theirs}") };
    }
    if folder == Some(Folder::Project) && quotes == Quotes::Shell {
        return other.project_root.in_command(below);
    }
    told(&codes::VARIABLE_LOST, format!("{} does not set `{name}`", to.vendor()), true);
    original.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell_are_quoted_where_they_need_it() {
        assert_eq!(quoted("./a/b.sh"), "./a/b.sh");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's \"$x\""), r#"'it'\''s "$x"'"#);
    }

    #[test]
    fn words_that_every_shell_reads_alike_are_in_double_quotes() {
        assert_eq!((word("./a.sh"), word("./a.sh b 'c'")), ("./a.sh".to_owned(), "\"./a.sh b 'c'\"".to_owned()));
        assert_eq!(word("a \"$b\""), "'a \"$b\"'");
        assert_eq!(
            (word(""), word("a\\b"), word("10 %")),
            ("\"\"".to_owned(), "'a\\b'".to_owned(), "'10 %'".to_owned())
        );
    }

    #[test]
    fn words_of_windows_are_quoted() {
        assert_eq!(quoted_for_windows(r#"a "b" c\"#), r#""a \"b\" c\\""#);
        assert_eq!(quoted_for_windows(r#"\""#), r#""\\\"""#);
    }

    #[test]
    fn variables_are_found_as_a_shell_finds_them() {
        assert_eq!(variable("${A_1}/x", Quotes::Shell), Some(("A_1", 6)));
        assert_eq!(variable("$A_1/x", Quotes::Shell), Some(("A_1", 4)));
        assert_eq!(variable("$A", Quotes::None), None);
        assert_eq!(variable("${A:-b}", Quotes::Shell), None);
        assert_eq!(variable("$(a)", Quotes::Shell), None);
    }
}
