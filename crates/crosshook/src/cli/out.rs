//! The one place that writes to standard output and standard error.
//!
//! Colour goes to terminals only, unless somebody insists. A reader that went away ends the output, not the command:
//! its exit code still tells what it found.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::args::Color;

/// Headings.
pub(crate) const HEAD: Style = Style::new().bold();
/// What is less important.
pub(crate) const DIM: Style = Style::new().dimmed();
/// What is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What restrains, and errors.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// What deserves a look.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// Names.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();

/// A text in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A text in a style, padded to a width in characters.
pub(crate) fn pad(style: Style, text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(columns(text));
    format!("{style}{text}{style:#}{:blanks$}", "")
}

/// The number of columns a text takes; one a character, which is right for what stands in tables.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// A text with line breaks at blanks, each line after the first with an indent. Words longer than a line stay whole.
pub(crate) fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    let mut at = indent;
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            let _ = write!(wrapped, "\n{:indent$}", "");
            at = indent;
        }
        for (place, word) in line.split(' ').enumerate() {
            let size = columns(word);
            if place > 0 {
                if at + 1 + size > width {
                    let _ = write!(wrapped, "\n{:indent$}", "");
                    at = indent;
                } else {
                    wrapped.push(' ');
                    at += 1;
                }
            }
            wrapped.push_str(word);
            at += size;
        }
    }
    wrapped
}

/// Standard output and standard error.
pub(crate) struct Out {
    stdout: AutoStream<io::Stdout>,
    stderr: AutoStream<io::Stderr>,
    columns: usize,
    gone: bool,
}

impl Out {
    /// Both streams, with the person's wish about colour.
    pub(crate) fn new(color: Color) -> Self {
        let choice = match color {
            Color::Auto => None,
            Color::Always => Some(anstream::ColorChoice::Always),
            Color::Never => Some(anstream::ColorChoice::Never),
        };
        let stdout = io::stdout();
        let stderr = io::stderr();
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let width = width.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)));
        Self {
            stdout: AutoStream::new(stdout, choice.unwrap_or(anstream::ColorChoice::Auto)),
            stderr: AutoStream::new(stderr, choice.unwrap_or(anstream::ColorChoice::Auto)),
            columns: width.unwrap_or(80).clamp(60, 200),
            gone: false,
        }
    }

    /// How wide lines of prose may be: wider ones are hard to read.
    pub(crate) fn width(&self) -> usize {
        self.columns.min(120)
    }

    /// How wide the rows of a table may be.
    pub(crate) const fn wide(&self) -> usize {
        self.columns
    }

    /// Whether a person sits at both ends, so that a question makes sense.
    pub(crate) fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && self.stdout.is_terminal()
    }

    /// Whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.stdout.is_terminal()
    }

    /// Writes a text to standard output.
    pub(crate) fn print(&mut self, text: &str) {
        if !self.gone {
            let written = self.stdout.write_all(text.as_bytes()).and_then(|()| self.stdout.flush());
            self.look_at(written);
        }
    }

    /// Takes in how writing to standard output went.
    fn look_at(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.gone = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.error(&format!("cannot write to standard output: {error}"), None);
            }
        }
    }

    /// Writes a value to standard output as JSON, and nothing else. What could forge something on a terminal is escaped.
    pub(crate) fn json<T: Serialize>(&mut self, value: &T) {
        match serde_json::to_string_pretty(value) {
            Ok(mut text) => {
                text.push('\n');
                if self.gone {
                    return;
                }
                // There is no colour in it that would have to be taken out.
                let mut stdout = io::stdout().lock();
                let text = hooks_core::text::escape_json(&text);
                let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
                self.look_at(written);
            }
            Err(error) => self.error(&format!("cannot write this as JSON: {error}"), None),
        }
    }

    /// Writes a remark to standard error.
    pub(crate) fn remark(&mut self, text: &str) {
        // There is nowhere left to complain about a standard error that does not work.
        let _ = writeln!(self.stderr, "{text}");
    }

    /// Writes an error to standard error, with a way out.
    pub(crate) fn error(&mut self, message: &str, help: Option<&str>) {
        let message = hooks_core::text::display_untrusted(message);
        self.remark(&format!("{}: {message}", paint(BAD, "error")));
        if let Some(help) = help {
            let help = hooks_core::text::display_untrusted(help);
            self.remark(&format!("{}: {help}", paint(NAME, " help")));
        }
    }

    /// Asks a question on the terminal; anything but a yes is a no.
    pub(crate) fn ask(&mut self, question: &str) -> bool {
        self.print(&format!("{question} [y/N] "));
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer);
        read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_keep_their_indent() {
        assert_eq!(wrap("aa bb cc", 5, 0), "aa bb\ncc");
        assert_eq!(wrap("aa bb", 6, 4), "aa\n    bb");
        assert_eq!(wrap("unbreakable", 4, 0), "unbreakable");
        assert_eq!(wrap("a\nb", 80, 2), "a\n  b");
    }

    #[test]
    fn padding_counts_characters_not_bytes() {
        assert_eq!(pad(Style::new(), "é", 3), "é  ");
    }
}
