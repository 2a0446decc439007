//! The pages of the codes: looked up, taken apart, and shown in a terminal without the marks of Markdown.

use std::fmt::Write as _;

use anstyle::Style;
use crosshook::check::pages::PAGES;
use hooks_core::text::display_untrusted;

use super::super::exit::Trouble;
use super::super::out::{DIM, HEAD, NAME, columns, paint};
use crate::near::did_you_mean;

/// The page of a code, in Markdown.
pub(super) fn of(code: &str) -> Option<&'static str> {
    PAGES.iter().find(|(id, _)| *id == code).map(|(_, page)| *page)
}

/// The text below a page's heading `Why`.
pub(super) fn why(page: &str) -> &str {
    let after = page.split_once("\n## Why\n").map_or("", |(_, after)| after);
    after.split_once("\n## ").map_or(after, |(why, _)| why).trim()
}

/// Markdown as plain text, paragraphs in a line each.
pub(super) fn plain(markdown: &str) -> String {
    let paragraphs: Vec<String> = blocks(markdown)
        .iter()
        .filter_map(|block| match block {
            Block::Text { text, .. } => Some(inline(text).iter().map(|(_, words)| words.as_str()).collect()),
            Block::Heading(_) | Block::Code { .. } => None,
        })
        .collect();
    paragraphs.join("\n")
}

/// The page of a code as a terminal shows it, in lines of a width.
///
/// # Errors
///
/// There is no such code. A name without the crate's word is good where it is the name of one code only.
pub(crate) fn explain(code: &str, width: usize) -> Result<String, Trouble> {
    let named = |id: &str| id == code || id.split_once('/').is_some_and(|(_, name)| name == code);
    let found: Vec<_> = PAGES.iter().filter(|(id, _)| named(id)).collect();
    match found.as_slice() {
        [(_, page)] => Ok(styled(page, width, 0)),
        [] => {
            let names =
                PAGES.iter().flat_map(|(id, _)| id.split_once('/').map(|(_, name)| name).into_iter().chain([*id]));
            let near = did_you_mean(code, names);
            let help = near.unwrap_or_else(|| "`crosshook check --list-codes` lists them".to_owned());
            Err(Trouble::usage(format!("there is no diagnostic `{code}`")).help(help))
        }
        several => {
            let names: Vec<_> = several.iter().map(|(id, _)| format!("`{id}`")).collect();
            Err(Trouble::usage(format!("several diagnostics are called `{code}`"))
                .help(format!("write {}", names.join(" or "))))
        }
    }
}

/// A part of a page.
#[derive(Debug, PartialEq, Eq)]
enum Block<'a> {
    Heading(&'a str),
    /// A paragraph, or an item of a list with what stands before it.
    Text {
        bullet: String,
        text: String,
    },
    /// A block of code: its language, what else its first line says, and its lines.
    Code {
        language: &'a str,
        name: &'a str,
        lines: Vec<&'a str>,
    },
}

/// Takes Markdown apart, as far as the pages use it.
fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines();
    let mut open = false;
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if let Some(info) = trimmed.strip_prefix("```") {
            let (language, name) = info.split_once(' ').unwrap_or((info, ""));
            let code: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
            blocks.push(Block::Code { language, name, lines: code });
            open = false;
        } else if trimmed.is_empty() {
            open = false;
        } else if trimmed.starts_with("<!--") && trimmed.ends_with("-->") {
        } else if line.starts_with('#') {
            blocks.push(Block::Heading(trimmed.trim_start_matches('#').trim()));
            open = false;
        } else if let Some((bullet, text)) = item(trimmed) {
            blocks.push(Block::Text { bullet, text: text.to_owned() });
            open = true;
        } else {
            match blocks.last_mut() {
                Some(Block::Text { text, .. }) if open => {
                    text.push(' ');
                    text.push_str(trimmed);
                }
                _ => blocks.push(Block::Text { bullet: String::new(), text: trimmed.to_owned() }),
            }
            open = true;
        }
    }
    blocks
}

/// The mark of an item of a list, and what follows it.
fn item(line: &str) -> Option<(String, &str)> {
    if let Some(text) = line.strip_prefix("- ") {
        return Some(("- ".to_owned(), text));
    }
    let (number, text) = line.split_once(". ")?;
    let is_number = !number.is_empty() && number.len() < 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (format!("{number}. "), text))
}

/// The runs of a text with the style of each, without the marks.
fn inline(text: &str) -> Vec<(Style, String)> {
    let mut runs = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[', '\\']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let run = code_span(from)
            .map(|(code, after)| (NAME, code.to_owned(), after))
            .or_else(|| {
                let (bold, after) = from.strip_prefix("**")?.split_once("**")?;
                Some((HEAD, bold.to_owned(), after))
            })
            .or_else(|| {
                let (label, after) = from.strip_prefix('[')?.split_once("](")?;
                let (target, after) = after.split_once(')')?;
                let label = label.replace('`', "");
                let shown = if target.contains("://") { format!("{label} ({target})") } else { label };
                Some((Style::new(), shown, after))
            })
            .or_else(|| {
                let escaped = from.strip_prefix('\\')?;
                let mark = escaped.chars().next().filter(char::is_ascii_punctuation)?;
                Some((Style::new(), mark.to_string(), escaped.strip_prefix(mark)?))
            });
        match run {
            Some((style, words, after)) => {
                runs.push((Style::new(), std::mem::take(&mut plain)));
                runs.push((style, words));
                rest = after;
            }
            None => {
                let mut chars = from.chars();
                plain.extend(chars.next());
                rest = chars.as_str();
            }
        }
    }
    plain.push_str(rest);
    runs.push((Style::new(), plain));
    runs.retain(|(_, words)| !words.is_empty());
    runs
}

/// The text of a code span that starts here, and what follows it.
fn code_span(from: &str) -> Option<(&str, &str)> {
    let ticks = from.bytes().take_while(|byte| *byte == b'`').count();
    let (mark, inside) = from.split_at(ticks);
    let (code, after) = if ticks == 0 { None } else { inside.split_once(mark) }?;
    // A blank at both ends keeps a backtick in the span apart from the marks.
    let inner = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' '));
    Some((inner.filter(|inner| !inner.trim().is_empty()).unwrap_or(code), after))
}

/// Runs in lines of a width, each after the first with an indent.
fn flow(runs: &[(Style, String)], width: usize, indent: usize) -> String {
    // A word may have several styles: code with a comma behind it.
    let mut words: Vec<Vec<(Style, &str)>> = vec![Vec::new()];
    for (style, text) in runs {
        for (place, part) in text.split(' ').enumerate() {
            if place > 0 {
                words.push(Vec::new());
            }
            if let Some(word) = words.last_mut().filter(|_| !part.is_empty()) {
                word.push((*style, part));
            }
        }
    }
    let mut out = String::new();
    let mut at = indent;
    for word in words.iter().filter(|word| !word.is_empty()) {
        let size: usize = word.iter().map(|(_, part)| columns(part)).sum();
        if at > indent && at + 1 + size > width {
            let _ = write!(out, "\n{:indent$}", "");
            at = indent;
        } else if at > indent {
            out.push(' ');
            at += 1;
        }
        for (style, part) in word {
            out.push_str(&paint(*style, part));
        }
        at += size;
    }
    out
}

/// Markdown as a terminal shows it, in lines of a width, with an indent.
pub(super) fn styled(markdown: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let blocks = blocks(markdown);
    let is_item = |block: &Block<'_>| matches!(block, Block::Text { bullet, .. } if !bullet.is_empty());
    let mut before: Option<&Block<'_>> = None;
    for block in &blocks {
        // The items of a list stand close together.
        if before.is_some_and(|before| !(is_item(before) && is_item(block))) {
            out.push('\n');
        }
        before = Some(block);
        match block {
            Block::Heading(text) => {
                let runs: Vec<_> = inline(text).into_iter().map(|(_, words)| (HEAD, words)).collect();
                let _ = writeln!(out, "{:indent$}{}", "", flow(&runs, width, indent));
            }
            Block::Text { bullet, text } => {
                let hang = indent + columns(bullet);
                let _ = writeln!(out, "{:indent$}{bullet}{}", "", flow(&inline(text), width, hang));
            }
            Block::Code { language, name, lines } => code(&mut out, language, name, lines, indent),
        }
    }
    out
}

/// A block of code with the name of its file above it.
fn code(out: &mut String, language: &str, name: &str, lines: &[&str], indent: usize) {
    let mut text = lines.join("\n");
    let name = match name.strip_suffix(" x") {
        Some(name) => format!("{name} (executable)"),
        None => name.to_owned(),
    };
    let name = match language {
        "json-escaped" => {
            if let Ok(decoded) = serde_json::from_str::<String>(&text) {
                text = decoded.replace('\r', "\u{240d}");
            }
            name
        }
        "link" => format!("{name}, a link to"),
        _ => name,
    };
    if !name.is_empty() {
        let _ = writeln!(out, "{:indent$}{}", "", paint(DIM, &format!("{name}:")));
    }
    for line in display_untrusted(&text).lines() {
        let _ = writeln!(out, "{}", format!("{:indent$}    {line}", "").trim_end());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    fn bare(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    const PAGE: &str = "# a/b-c\n\n<!-- gen:code -->\n\n**Error.** Wrong `x`.\n\n<!-- /gen -->\n\n## Why\n\nThe client reads `a b`, \
        see [the page](../x.md) and\n[theirs](https://example.org/x), 2 \\* 3.\n\n- one\n- two, `` `q` ``\n\n## Fails\n\n\
        ```json-escaped x.json\n\"\\ufeff{\\r\\n}\"\n```\n\n```sh g.sh x\n#!/bin/sh\n# not a heading\n```\n";

    #[test]
    fn a_page_is_shown_without_marks() {
        let shown = bare(&styled(PAGE, 40, 0));
        let expected = "a/b-c\n\nError. Wrong x.\n\nWhy\n\nThe client reads a b, see the page and\ntheirs (https://example.org/x), 2 * 3.\n\n\
            - one\n- two, `q`\n\nFails\n\nx.json:\n    \\u{feff}{\u{240d}\n    }\n\ng.sh (executable):\n    #!/bin/sh\n    # not a heading\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn why_is_what_stands_below_its_heading() {
        assert!(why(PAGE).starts_with("The client") && why(PAGE).ends_with("`q` ``"), "{}", why(PAGE));
        assert_eq!(plain("a `b`\nc\n\n## d\n\ne"), "a b c\ne");
        assert_eq!(why("# a"), "");
    }

    #[test]
    fn every_page_is_shown_in_every_width_without_marks() {
        for (id, page) in PAGES {
            for width in [20, 80, 200] {
                let shown = bare(&styled(page, width, 0));
                assert!(shown.starts_with(&format!("{id}\n")), "{id}: {shown}");
                assert!(!shown.contains("<!--") && !shown.contains("```"), "{id}: {shown}");
                assert!(!shown.contains("\n\n\n"), "{id}: {shown}");
            }
            assert!(!why(page).is_empty(), "{id} does not say why");
        }
    }

    #[test]
    fn a_name_that_is_nearly_a_code_is_asked_about() {
        let Err(trouble) = explain("no-such-thing-at-all", 80) else { panic!("it is explained") };
        assert!(trouble.help.unwrap().contains("--list-codes"));
    }
}
