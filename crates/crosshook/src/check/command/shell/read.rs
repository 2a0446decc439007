//! Reading a shell text: from its bytes to words and commands.

use super::{DEPTH, Joint, Piece, Script, Simple, Unread, Variable, Word};

/// Words that make a text more than a list of commands, where a command begins.
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function",
    "{", "}", "!", "[[", "coproc",
];

/// Of [`RESERVED`], those behind which a command begins.
const BEFORE_COMMAND: &[&str] = &["if", "then", "else", "elif", "while", "until", "do", "{", "!"];

/// Reads a text.
///
/// # Errors
///
/// The quote or bracket that is never closed, or that the text has what is not followed here.
pub(crate) fn read(text: &str) -> Result<Script, Unread> {
    Reader { text, at: 0, depth: 0, documents: Vec::new() }.script(false)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// The here-documents that begin behind the next line's end.
    documents: Vec<HereDocument>,
}

/// A text that is no command: the lines up to one that is this word.
struct HereDocument {
    end: String,
    /// Whether tabs before the lines do not count.
    tabs: bool,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Reads something one step deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Unread>) -> Result<T, Unread> {
        if self.depth == DEPTH {
            return Err(Unread::Unsure);
        }
        self.depth += 1;
        let found = read(self)?;
        self.depth -= 1;
        Ok(found)
    }

    /// Commands up to the end of the text, or up to the bracket that closes a substitution.
    fn script(&mut self, in_brackets: bool) -> Result<Script, Unread> {
        let mut script = Script::default();
        let mut current = Simple::empty(Joint::End);
        let mut redirect: Option<String> = None;
        let (mut brackets, mut cases) = (0_usize, 0_usize);
        loop {
            while self.peek().is_some_and(|c| c == ' ' || c == '\t') || self.rest().starts_with("\\\n") {
                self.at += if self.rest().starts_with('\\') { 2 } else { 1 };
            }
            let Some(next) = self.peek() else { break };
            let rest = self.rest();
            let joint = match next {
                '#' => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                '\n' | '\r' => Some((Joint::Then, 1)),
                ';' => {
                    script.compound |= rest.starts_with(";;");
                    Some((Joint::Then, if rest.starts_with(";;") { 2 } else { 1 }))
                }
                '&' if rest.starts_with("&&") => Some((Joint::And, 2)),
                '&' if rest.starts_with("&>") => None,
                '&' => Some((Joint::Background, 1)),
                '|' if rest.starts_with("||") => Some((Joint::Or, 2)),
                '|' => Some((Joint::Pipe, if rest.starts_with("|&") { 2 } else { 1 })),
                // The bracket behind a pattern of `case` closes nothing.
                ')' if in_brackets && brackets == 0 && cases == 0 => break,
                '(' | ')' => {
                    script.compound = true;
                    brackets = if next == '(' { brackets + 1 } else { brackets.saturating_sub(1) };
                    Some((Joint::Then, 1))
                }
                _ => None,
            };
            if let Some((joint, length)) = joint {
                self.at += length;
                script.close(&mut current, joint);
                if next == '\n' {
                    self.here_documents()?;
                }
                continue;
            }
            if let Some(operator) = redirection(rest) {
                self.at += operator.len();
                redirect = Some(operator.to_owned());
                continue;
            }
            let word = self.word()?;
            if let Some(operator) = redirect.take() {
                if operator.ends_with("<<") || operator.ends_with("<<-") {
                    script.compound = true;
                    self.documents.push(HereDocument { end: word.unquoted(), tabs: operator.ends_with('-') });
                }
                current.redirections.push((operator, word));
                continue;
            }
            let bare = self.text.get(word.range.clone()).unwrap_or_default();
            if current.words.is_empty() {
                if RESERVED.contains(&bare) {
                    script.compound = true;
                    current.nested = true;
                    match bare {
                        "case" => cases += 1,
                        "esac" => cases = cases.saturating_sub(1),
                        _ => {}
                    }
                    if BEFORE_COMMAND.contains(&bare) {
                        continue;
                    }
                } else if let Some((name, value)) = assignment(&word) {
                    current.assignments.push((name, value));
                    continue;
                }
            }
            current.words.push(word);
        }
        script.close(&mut current, Joint::End);
        Ok(script)
    }

    /// Goes behind the here-documents that begin here. One that does not end goes to the end of the text.
    fn here_documents(&mut self) -> Result<(), Unread> {
        for document in std::mem::take(&mut self.documents) {
            loop {
                let Some(line) = self.rest().split_inclusive('\n').next() else {
                    // In a substitution shells differ in where such a text ends.
                    return if self.depth == 0 { Ok(()) } else { Err(Unread::Unsure) };
                };
                self.at += line.len();
                let line = line.trim_end_matches('\n');
                if document.end == if document.tabs { line.trim_start_matches('\t') } else { line } {
                    break;
                }
            }
        }
        Ok(())
    }

    fn word(&mut self) -> Result<Word, Unread> {
        let start = self.at;
        let mut pieces = Vec::new();
        let mut text = String::new();
        while let Some(next) = self.peek() {
            match next {
                ' ' | '\t' | '\n' | '\r' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\\' => {
                    flush(&mut pieces, &mut text, false);
                    self.bump();
                    match self.bump() {
                        Some('\n') | None => {}
                        Some(c) => pieces.push(Piece::Text { text: c.to_string(), quoted: true }),
                    }
                }
                '\'' => {
                    flush(&mut pieces, &mut text, false);
                    let inner = self.single()?.to_owned();
                    pieces.push(Piece::Text { text: inner, quoted: true });
                }
                '"' => {
                    flush(&mut pieces, &mut text, false);
                    self.double(&mut pieces)?;
                }
                '$' | '`' => {
                    flush(&mut pieces, &mut text, false);
                    match self.expansion(false)? {
                        Some(piece) => pieces.push(piece),
                        None => text.push('$'),
                    }
                }
                c => {
                    text.push(c);
                    self.bump();
                }
            }
        }
        flush(&mut pieces, &mut text, false);
        if self.at == start {
            // A character that begins no word and no operator: taken as one, so that reading goes on.
            let c = self.bump().unwrap_or_default();
            pieces.push(Piece::Text { text: c.to_string(), quoted: false });
        }
        Ok(Word { range: start..self.at, pieces })
    }

    /// What stands in single quotes.
    fn single(&mut self) -> Result<&'a str, Unread> {
        let at = self.at;
        self.bump();
        let rest = self.rest();
        let end = rest.find('\'').ok_or(Unread::Unclosed { what: "'", at })?;
        self.at += end + 1;
        Ok(rest.get(..end).unwrap_or_default())
    }

    fn double(&mut self, pieces: &mut Vec<Piece>) -> Result<(), Unread> {
        let opened = self.at;
        self.bump();
        let mut text = String::new();
        let before = pieces.len();
        loop {
            match self.peek() {
                None => return Err(Unread::Unclosed { what: "\"", at: opened }),
                Some('"') => break,
                Some('\\') => {
                    self.bump();
                    match self.bump() {
                        Some(c @ ('$' | '`' | '"' | '\\')) => text.push(c),
                        Some('\n') | None => {}
                        Some(c) => text.extend(['\\', c]),
                    }
                }
                Some('$' | '`') => {
                    flush(pieces, &mut text, true);
                    match self.expansion(true)? {
                        Some(piece) => pieces.push(piece),
                        None => text.push('$'),
                    }
                }
                Some(c) => {
                    text.push(c);
                    self.bump();
                }
            }
        }
        self.bump();
        if pieces.len() == before && text.is_empty() {
            pieces.push(Piece::Text { text: String::new(), quoted: true });
        }
        flush(pieces, &mut text, true);
        Ok(())
    }

    /// What a dollar or a backquote begins; `None` for a dollar that stands for itself.
    fn expansion(&mut self, quoted: bool) -> Result<Option<Piece>, Unread> {
        let start = self.at;
        if self.peek() == Some('`') {
            self.bump();
            let inner = self.at;
            loop {
                match self.bump() {
                    None => return Err(Unread::Unclosed { what: "`", at: start }),
                    Some('`') => break,
                    Some('\\') => {
                        self.bump();
                    }
                    Some(_) => {}
                }
            }
            return Ok(Some(Piece::Substitution { inner: inner..self.at - 1, quoted }));
        }
        self.bump();
        let rest = self.rest();
        let unknown =
            |at: usize| Piece::Variable(Variable { name: String::new(), range: start..at, quoted, plain: false });
        if let Some(length) = arithmetic(rest) {
            self.at += length;
            return Ok(Some(unknown(self.at)));
        }
        if rest.starts_with('(') {
            self.bump();
            let inner = self.at;
            self.deeper(|reader| reader.script(true))?;
            if self.bump() != Some(')') {
                return Err(Unread::Unclosed { what: "$(", at: start });
            }
            return Ok(Some(Piece::Substitution { inner: inner..self.at - 1, quoted }));
        }
        if rest.starts_with('{') {
            self.bump();
            let name: String = self.rest().chars().take_while(|c| is_name(*c)).collect();
            self.at += name.len();
            let plain = self.peek() == Some('}');
            self.deeper(|reader| reader.braces(start, quoted))?;
            return Ok(Some(Piece::Variable(Variable { name, range: start..self.at, quoted, plain })));
        }
        if rest.starts_with('\'') && !quoted {
            // `$'it\'s'` of bash and zsh: what its escapes come to is not followed.
            self.ansi_quotes(start)?;
            return Ok(Some(unknown(self.at)));
        }
        let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
        let special = rest.chars().next().filter(|c| "@*#?$!-0123456789".contains(*c));
        match special {
            Some(c) => {
                self.bump();
                let name = c.to_string();
                Ok(Some(Piece::Variable(Variable { name, range: start..self.at, quoted, plain: false })))
            }
            None if name.is_empty() => Ok(None),
            None => {
                self.at += name.len();
                Ok(Some(Piece::Variable(Variable { name, range: start..self.at, quoted, plain: true })))
            }
        }
    }

    /// Goes behind the brace that closes `${`.
    fn braces(&mut self, start: usize, quoted: bool) -> Result<(), Unread> {
        loop {
            match self.peek() {
                None => return Err(Unread::Unclosed { what: "${", at: start }),
                Some('}') => {
                    self.bump();
                    return Ok(());
                }
                Some('\\') => {
                    self.bump();
                    self.bump();
                }
                Some('\'') if !quoted => {
                    self.single()?;
                }
                Some('"') => self.double(&mut Vec::new())?,
                Some('$' | '`') => {
                    self.expansion(quoted)?;
                }
                Some(_) => {
                    self.bump();
                }
            }
        }
    }

    /// Goes behind `'...'` in which a backslash keeps a quote from closing.
    fn ansi_quotes(&mut self, start: usize) -> Result<(), Unread> {
        self.bump();
        loop {
            match self.bump() {
                None => return Err(Unread::Unclosed { what: "$'", at: start }),
                Some('\'') => return Ok(()),
                Some('\\') => {
                    self.bump();
                }
                Some(_) => {}
            }
        }
    }
}

fn flush(pieces: &mut Vec<Piece>, text: &mut String, quoted: bool) {
    if !text.is_empty() {
        pieces.push(Piece::Text { text: std::mem::take(text), quoted });
    }
}

const fn is_name(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// The redirection that a text begins with, its file number included.
fn redirection(rest: &str) -> Option<&str> {
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = rest.get(digits..)?;
    const OPERATORS: [&str; 10] = ["<<<", "<<-", "<<", "<>", "<&", ">>", ">|", ">&", "<", ">"];
    if digits == 0 && rest.starts_with("&>") {
        return rest.get(..if rest.starts_with("&>>") { 3 } else { 2 });
    }
    let operator = OPERATORS.into_iter().find(|operator| after.starts_with(operator))?;
    rest.get(..digits + operator.len())
}

/// A word of the form `NAME=value`.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let (first, others) = word.pieces.split_first()?;
    let Piece::Text { text, quoted: false } = first else { return None };
    let (name, value) = text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    if name.is_empty() || !name.chars().all(is_name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let start = word.range.start + text.len() - value.len();
    let mut pieces = Vec::with_capacity(word.pieces.len());
    if !value.is_empty() {
        pieces.push(Piece::Text { text: value.to_owned(), quoted: false });
    }
    pieces.extend(others.iter().cloned());
    Some((name.to_owned(), Word { range: start..word.range.end, pieces }))
}

/// How many bytes `((...))` has, where a text behind a dollar begins with it; `None` for a substitution that begins with a
/// subshell.
fn arithmetic(rest: &str) -> Option<usize> {
    /// What people calculate is short.
    const LONGEST: usize = 1 << 10;
    let inner = rest.strip_prefix("((")?;
    let mut open = 2_usize;
    for (at, c) in inner.char_indices().take(LONGEST) {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            '\n' | '"' | '\'' | '`' => return None,
            _ => {}
        }
        if open == 1 {
            return inner.get(at + 1..)?.starts_with(')').then_some(at + 4);
        }
    }
    None
}
