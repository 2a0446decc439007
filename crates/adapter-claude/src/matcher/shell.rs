//! Shell commands taken apart, as far as a rule in `if` needs it.
//!
//! Leading assignments are stripped, every subcommand of `&&`, `||`, `;`, `|`, `&` and newlines is tried, and what stands
//! in `$()`, backticks and round brackets is looked into. A text that nobody can take apart matches every rule, as the
//! vendor has it; a construct that only this reader does not know makes the match doubtful.

use hooks_core::matcher::Matched;

/// How deep substitutions are looked into.
const DEPTH: usize = 32;

/// Whether a rule's text in brackets matches a command.
pub(super) fn matches(specifier: &str, command: &str) -> Matched {
    let pattern = CommandPattern::of(specifier);
    let mut found = Found::default();
    found.read(&command.chars().collect::<Vec<_>>(), 0);
    if found.broken || found.commands.iter().any(|command| pattern.matches(command)) {
        return Matched::Yes;
    }
    // Whatever is expanded in the place of a program's name could be the program of the rule.
    if found.commands.iter().any(|command| command.starts_with(['$', '`']) || command.starts_with("\"$")) {
        return Matched::Yes;
    }
    if found.expands && pattern.names_more_than_a_program() {
        return Matched::Yes;
    }
    match found.unknown {
        Some(what) => Matched::Doubtful(format!("`{what}` in a command is not taken apart here")),
        None => Matched::No,
    }
}

/// What a rule asks of one command.
struct CommandPattern {
    /// Text with `*` for anything.
    glob: String,
}

impl CommandPattern {
    fn of(specifier: &str) -> Self {
        let specifier = specifier.trim();
        // The older form of a prefix.
        Self { glob: specifier.strip_suffix(":*").map_or_else(|| specifier.to_owned(), |prefix| format!("{prefix} *")) }
    }

    fn matches(&self, command: &str) -> bool {
        glob(&self.glob, command) || self.glob.strip_suffix(" *").is_some_and(|prefix| glob(prefix, command))
    }

    fn names_more_than_a_program(&self) -> bool {
        self.glob.split('*').next().unwrap_or_default().split_whitespace().nth(1).is_some()
    }
}

/// Whether a text is a pattern's, in which `*` stands for any run of characters. Takes time in the product of both.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) if !part.is_empty() => rest = after,
            None => return false,
            Some(_) => {}
        }
    }
    rest.ends_with(last)
}

/// The commands found in a text.
#[derive(Default)]
struct Found {
    commands: Vec<String>,
    /// Whether anything is expanded: `$VAR`, `$()` or backticks.
    expands: bool,
    /// Nobody can take it apart: a quote or bracket is left open.
    broken: bool,
    /// A construct that this reader does not know.
    unknown: Option<&'static str>,
}

impl Found {
    fn read(&mut self, text: &[char], depth: usize) {
        if depth > DEPTH {
            self.broken = true;
            return;
        }
        let mut current = String::new();
        let mut text = text;
        let mut at = 0;
        while let Some(&c) = text.get(at) {
            let next = text.get(at + 1).copied();
            let before = at.checked_sub(1).and_then(|before| text.get(before)).copied();
            let mut step = 1;
            match c {
                '\\' => {
                    current.push(c);
                    current.extend(next);
                    step = 2;
                }
                '\'' => match text.iter().skip(at + 1).position(|&c| c == '\'') {
                    Some(length) => {
                        step = length + 2;
                        current.extend(text.iter().skip(at).take(step));
                    }
                    None => {
                        self.broken = true;
                        return;
                    }
                },
                '"' => match self.double_quoted(text, at, depth) {
                    Some(end) => {
                        step = end - at;
                        current.extend(text.iter().skip(at).take(step));
                    }
                    None => {
                        self.broken = true;
                        return;
                    }
                },
                '$' | '`' => match self.expansion(text, at, depth) {
                    Some(end) => {
                        step = end - at;
                        current.extend(text.iter().skip(at).take(step));
                    }
                    None => {
                        self.broken = true;
                        return;
                    }
                },
                '<' | '>' if next == Some('(') => match closing(text, at + 1) {
                    Some(end) => {
                        self.expands = true;
                        self.read(text.get(at + 2..end).unwrap_or_default(), depth + 1);
                        step = end + 1 - at;
                        current.extend(text.iter().skip(at).take(step));
                    }
                    None => {
                        self.broken = true;
                        return;
                    }
                },
                '<' if next == Some('<') => {
                    // The lines that follow are text for the command, up to a word that is not looked for here.
                    if text.get(at + 2) != Some(&'<') {
                        self.unknown.get_or_insert("<<");
                        let end =
                            text.iter().skip(at).position(|c| *c == '\n').map_or(text.len(), |length| at + length);
                        text = text.get(..end).unwrap_or(text);
                    }
                    let length = text.iter().skip(at).take_while(|c| **c == '<').count();
                    step = length;
                    current.extend(text.iter().skip(at).take(step));
                }
                '&' if matches!(before, Some('>' | '<')) || next == Some('>') => current.push(c),
                ';' | '|' | '&' | '\n' | '(' | ')' => self.flush(&mut current),
                '#' if before.is_none_or(char::is_whitespace) => {
                    step = text.iter().skip(at).position(|c| *c == '\n').unwrap_or(text.len() - at).max(1);
                }
                c => current.push(c),
            }
            at += step;
        }
        self.flush(&mut current);
    }

    /// The place after a double-quoted text that starts at a place.
    fn double_quoted(&mut self, text: &[char], from: usize, depth: usize) -> Option<usize> {
        let mut at = from + 1;
        loop {
            match text.get(at)? {
                '"' => return Some(at + 1),
                '\\' => at += 2,
                '$' | '`' => at = self.expansion(text, at, depth)?,
                _ => at += 1,
            }
        }
    }

    /// Reads an expansion and what is inside it; gives the place after it.
    fn expansion(&mut self, text: &[char], at: usize, depth: usize) -> Option<usize> {
        if text.get(at) == Some(&'`') {
            self.expands = true;
            let mut end = at + 1;
            loop {
                match text.get(end)? {
                    '`' => break,
                    '\\' => end += 2,
                    _ => end += 1,
                }
            }
            self.read(text.get(at + 1..end).unwrap_or_default(), depth + 1);
            return Some(end + 1);
        }
        match text.get(at + 1) {
            Some('(') => {
                self.expands = true;
                let end = closing(text, at + 1)?;
                self.read(text.get(at + 2..end).unwrap_or_default(), depth + 1);
                Some(end + 1)
            }
            Some('{') => {
                self.expands = true;
                let length = text.iter().skip(at).position(|c| *c == '}')?;
                Some(at + length + 1)
            }
            Some(c) if c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '*' | '?' | '#' | '$' | '!' | '-') => {
                self.expands = true;
                Some(at + 2)
            }
            _ => Some(at + 1),
        }
    }

    /// Ends a command: strips what stands before its program's name and keeps it.
    fn flush(&mut self, current: &mut String) {
        let text = std::mem::take(current);
        let mut rest = text.trim();
        loop {
            let (word, after) = first_word(rest);
            match word {
                "" => return,
                "then" | "do" | "else" | "if" | "elif" | "while" | "until" | "!" | "{" | "time" => rest = after,
                "fi" | "done" | "esac" | "}" => return,
                "for" | "case" | "function" | "select" | "[[" => {
                    self.unknown.get_or_insert(match word {
                        "for" => "for",
                        "case" => "case",
                        "function" => "function",
                        "select" => "select",
                        _ => "[[",
                    });
                    return;
                }
                word if is_assignment(word) => rest = after,
                word => {
                    let wrapper =
                        ["sudo", "env", "timeout", "nice", "nohup", "xargs", "command", "exec", "eval", "sh", "bash"];
                    if let Some(wrapper) = wrapper.iter().find(|wrapper| **wrapper == word) {
                        self.unknown.get_or_insert(wrapper);
                    }
                    break;
                }
            }
        }
        self.commands.push(rest.to_owned());
    }
}

/// The place of the bracket that closes the one at a place; quotes and escapes are minded.
fn closing(text: &[char], from: usize) -> Option<usize> {
    let mut open = 0usize;
    let mut at = from;
    loop {
        match text.get(at)? {
            '\\' => at += 1,
            '\'' => at += 1 + text.iter().skip(at + 1).position(|c| *c == '\'')?,
            '"' => {
                at += 1;
                loop {
                    match text.get(at)? {
                        '"' => break,
                        '\\' => at += 2,
                        _ => at += 1,
                    }
                }
            }
            '(' => open += 1,
            ')' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The first word of a command and what follows it; quotes are minded.
fn first_word(text: &str) -> (&str, &str) {
    let mut quote = None;
    let mut escaped = false;
    let mut nested = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote != Some('\'') => escaped = true,
            c if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' | '`' => quote = Some(c),
            '(' => nested += 1,
            ')' => nested = nested.saturating_sub(1),
            c if c.is_whitespace() && nested == 0 => {
                return (text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default().trim_start());
            }
            _ => {}
        }
    }
    (text, "")
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hooks page's table on `if`, then what was observed (cases L099 to L109).
    #[test]
    fn the_page_s_examples_hold() {
        for (specifier, command, expected) in [
            ("git *", "FOO=bar git push", Matched::Yes),
            ("git *", "npm test && git push", Matched::Yes),
            ("rm *", "echo $(rm -rf /)", Matched::Yes),
            ("rm *", "echo `rm -rf /`", Matched::Yes),
            ("rm *", "echo $(date)", Matched::No),
            ("git push *", "echo $(date)", Matched::Yes),
            ("git push *", "echo date", Matched::No),
            ("echo hi", "echo hi", Matched::Yes),
            ("echo hi", "echo hi there", Matched::No),
            ("echo:*", "echo hi", Matched::Yes),
            ("echo:*", "echoes", Matched::No),
            ("git *", "echo \"unclosed", Matched::Yes),
            ("rm *", "echo 'rm x'", Matched::No),
            ("rm *", "echo a; rm b", Matched::Yes),
            ("rm *", "echo a\nrm b", Matched::Yes),
            ("rm *", "(cd x && rm b)", Matched::Yes),
            ("rm *", "echo \"$(rm b)\"", Matched::Yes),
            ("rm *", "if true; then rm b; fi", Matched::Yes),
            ("rm *", "$TOOL b", Matched::Yes),
            ("rm *", "echo x 2>&1", Matched::No),
        ] {
            assert_eq!(matches(specifier, command), expected, "{specifier} on {command}");
        }
        assert!(matches!(matches("rm *", "sudo rm x"), Matched::Doubtful(_)));
        assert!(matches!(matches("rm *", "cat <<X\nrm\nX"), Matched::Doubtful(_)));
    }

    #[test]
    fn hostile_commands_end() {
        for text in
            ["$(".repeat(5_000), "`".repeat(9_999), "(".repeat(50_000), "\"$(".repeat(3_000), "a=$(b".repeat(2_000)]
        {
            let _ = matches("x *", &text);
        }
    }
}
