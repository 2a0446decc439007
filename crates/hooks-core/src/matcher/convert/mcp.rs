//! Names of tool servers' tools: taking a matcher's alternative apart into what it says of the server and of the tool,
//! and saying it again in the form another vendor gives such names.
//!
//! Some clients name server and tool (`mcp__server__tool`), some the tool alone (`MCP:tool`, or `tool`). A server's name
//! with two underscores in a row cannot be told from the separator: every pair is taken for it in turn. No name is empty, none has another prefix in its middle, and none has a colon.

use super::shape::{Piece, Shape};

/// How a client makes the name of a server's tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameForm {
    /// What it begins with.
    pub prefix: &'static str,
    /// What stands between server and tool; `None` where the name has no server in it.
    pub separator: Option<&'static str>,
    /// Whether what is no letter, digit or underscore is written as an underscore.
    pub folds: bool,
}

impl NameForm {
    /// The name of a server's tool.
    #[must_use]
    pub fn name(&self, server: &str, tool: &str) -> String {
        let safe = |text: &str| -> String {
            text.chars().map(|c| if !self.folds || c.is_ascii_alphanumeric() { c } else { '_' }).collect()
        };
        match self.separator {
            Some(separator) => format!("{}{}{separator}{}", self.prefix, safe(server), safe(tool)),
            None => format!("{}{}", self.prefix, safe(tool)),
        }
    }
}

/// What an alternative wants of a server's tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Of the server's name; `None` for any.
    pub server: Option<Shape>,
    /// Of the tool's name; `None` for any.
    pub tool: Option<Shape>,
}

impl Wanted {
    /// Any tool of any server.
    pub const ANY: Self = Self { server: None, tool: None };
}

/// A part that may hide where one name ends and the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclear;

/// What an alternative wants of the tools of servers under a form of their names; empty where it takes none.
///
/// # Errors
///
/// [`Unclear`] where a set or repetition may take a part of the prefix or the separator.
pub fn wanted(shape: &Shape, form: &NameForm) -> Result<Vec<Wanted>, Unclear> {
    let shape = shape.clone().trimmed();
    if shape.takes_all() {
        return Ok(vec![Wanted::ANY]);
    }
    let prefix: Vec<char> = form.prefix.chars().collect();
    let mut rests = Vec::new();
    let last = if shape.start { 0 } else { prefix.len() };
    for offset in 0..=last {
        if offset == prefix.len() && !shape.start && !prefix.is_empty() {
            continue;
        }
        after_prefix(&shape, prefix.get(offset..).unwrap_or_default(), &mut rests)?;
    }
    // What begins with the whole prefix means it: no tool's own name has it in the middle.
    let is_prefixed = !prefix.is_empty()
        && shape.pieces.iter().zip(&prefix).filter(|(piece, c)| **piece == Piece::Char(**c)).count() == prefix.len();
    if !shape.start && !is_prefixed {
        rests.push(shape.clone());
    }
    let mut all: Vec<Wanted> = Vec::new();
    for rest in rests {
        for one in in_names(&rest.trimmed(), form)? {
            if one == Wanted::ANY {
                return Ok(vec![one]);
            }
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    Ok(all)
}

/// What is left of a shape that begins in the prefix, once the prefix is behind it.
fn after_prefix(shape: &Shape, prefix: &[char], rests: &mut Vec<Shape>) -> Result<(), Unclear> {
    let mut left = prefix;
    for (at, piece) in shape.pieces.iter().enumerate() {
        let Some((next, others)) = left.split_first() else {
            rests.push(Shape {
                start: true,
                end: shape.end,
                pieces: shape.pieces.get(at..).unwrap_or_default().to_vec(),
            });
            return Ok(());
        };
        match piece {
            Piece::Char(c) if c == next => left = others,
            Piece::Char(_) => return Ok(()),
            Piece::Any => {
                // It may end behind the prefix, or anywhere in it.
                let pieces = shape.pieces.get(at + 1..).unwrap_or_default().to_vec();
                let rest = Shape { start: false, end: shape.end, pieces };
                for from in 0..left.len() {
                    let from_here = Shape { start: true, ..rest.clone() };
                    after_prefix(&from_here, left.get(from..).unwrap_or_default(), rests)?;
                }
                rests.push(rest);
                return Ok(());
            }
            Piece::Other { .. } => return Err(Unclear),
        }
    }
    match (left.is_empty(), shape.end) {
        // All of the prefix and nothing behind it: no name is that short.
        (true, true) | (false, true) => {}
        (_, false) => rests.push(Shape { start: false, end: false, pieces: Vec::new() }),
    }
    Ok(())
}

/// What a shape over everything behind the prefix wants.
fn in_names(shape: &Shape, form: &NameForm) -> Result<Vec<Wanted>, Unclear> {
    if shape.takes_all() {
        return Ok(vec![Wanted::ANY]);
    }
    if shape.pieces.contains(&Piece::Char(':')) {
        return Ok(Vec::new());
    }
    let Some(separator) = form.separator else {
        return Ok(vec![Wanted { server: None, tool: Some(shape.clone()) }]);
    };
    let shape = &without_ones(shape, separator);
    if shape.pieces.iter().any(|piece| matches!(piece, Piece::Other { spans: true, .. })) {
        return Err(Unclear);
    }
    let part = |start, pieces: &[Piece], end| {
        let shape = Shape { start, end, pieces: pieces.to_vec() }.trimmed();
        if shape.takes_all() { None } else { Some(shape) }
    };
    let pieces = shape.pieces.as_slice();
    let separator: Vec<Piece> = separator.chars().map(Piece::Char).collect();
    let at = pieces.windows(separator.len().max(1)).position(|window| window == separator);
    let mut all = Vec::new();
    let (before, after) = match at {
        Some(at) => (pieces.get(..at).unwrap_or_default(), pieces.get(at + separator.len()..)),
        None => (pieces, None),
    };
    if let Some(after) = after {
        // The pair of underscores is the separator.
        all.push(Wanted { server: part(shape.start, before, true), tool: part(true, after, shape.end) });
        // A name of a server can have pairs in it too: each later one may be the separator as well.
        let later = pieces.windows(separator.len()).enumerate().skip(before.len() + separator.len());
        for (at, _) in later.filter(|(_, window)| *window == separator) {
            let rest = pieces.get(at + separator.len()..).unwrap_or_default();
            let server = part(shape.start, pieces.get(..at).unwrap_or_default(), true);
            all.push(Wanted { server, tool: part(true, rest, shape.end) });
        }
        // Where the part before it may end in the server's name already, the pair may stand in the tool's name.
        for (place, _) in before.iter().enumerate().filter(|(_, piece)| **piece == Piece::Any) {
            let rest: Vec<Piece> = pieces.get(place + 1..).unwrap_or_default().to_vec();
            let server = part(shape.start, before.get(..place).unwrap_or_default(), false);
            all.push(Wanted { server, tool: part(false, &rest, shape.end) });
        }
        if !shape.start {
            all.push(Wanted { server: None, tool: part(false, pieces, shape.end) });
        }
        return Ok(all);
    }
    if !shape.end {
        all.push(Wanted { server: part(shape.start, pieces, false), tool: None });
    }
    for (place, _) in pieces.iter().enumerate().filter(|(_, piece)| **piece == Piece::Any) {
        let server = part(shape.start, pieces.get(..place).unwrap_or_default(), false);
        let tool = part(false, pieces.get(place + 1..).unwrap_or_default(), shape.end);
        all.push(Wanted { server, tool });
    }
    // A single underscore at an end may be half of the separator.
    let half = Piece::Char('_');
    if let Some((_, rest)) = pieces.split_first().filter(|(first, _)| !shape.start && **first == half) {
        all.push(Wanted { server: None, tool: part(true, rest, shape.end) });
    }
    if let Some((_, rest)) = pieces.split_last().filter(|(last, _)| !shape.end && **last == half) {
        all.push(Wanted { server: part(shape.start, rest, true), tool: None });
    }
    if !shape.start {
        all.push(Wanted { server: None, tool: part(false, pieces, shape.end) });
    }
    Ok(all)
}

/// The same without the single character in front of any text where a name begins, since none is empty.
fn without_ones(shape: &Shape, separator: &str) -> Shape {
    let separator: Vec<Piece> = separator.chars().map(Piece::Char).collect();
    let mut pieces: Vec<Piece> = Vec::with_capacity(shape.pieces.len());
    for (at, piece) in shape.pieces.iter().enumerate() {
        let is_one = matches!(piece, Piece::Other { text, .. } if text == ".");
        let begins = (pieces.is_empty() && shape.start) || pieces.ends_with(&separator);
        if !(is_one && begins && shape.pieces.get(at + 1) == Some(&Piece::Any)) {
            pieces.push(piece.clone());
        }
    }
    Shape { pieces, ..*shape }
}

/// A wish said under a form of the names, with whether it takes more than was wished for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidAs {
    /// The alternative.
    pub shape: Shape,
    /// Whether it takes the tools of other servers too, since the form has no server in it.
    pub any_server: bool,
    /// Whether it takes other names too, since the form folds characters.
    pub folded: bool,
}

/// Says a wish that was read under one form (`from`) under another.
#[must_use]
pub fn say(wanted: &Wanted, from: &NameForm, to: &NameForm) -> SaidAs {
    let mut pieces: Vec<Piece> = to.prefix.chars().map(Piece::Char).collect();
    let mut folded = false;
    let mut end = false;
    let mut part = |pieces: &mut Vec<Piece>, shape: Option<&Shape>, is_last: bool| -> bool {
        let Some(shape) = shape else {
            if !is_last {
                pieces.push(Piece::Any);
            }
            return false;
        };
        if !shape.start {
            pieces.push(Piece::Any);
        }
        for piece in &shape.pieces {
            pieces.push(match piece {
                Piece::Char('_') if from.folds && !to.folds => {
                    Piece::Other { text: "[^A-Za-z0-9]".to_owned(), spans: true, odd: true }
                }
                Piece::Char(c) if to.folds && !from.folds && !c.is_ascii_alphanumeric() => {
                    folded |= *c != '_';
                    Piece::Char('_')
                }
                Piece::Other { odd: true, .. } if to.folds && !from.folds => {
                    folded = true;
                    Piece::Any
                }
                piece => piece.clone(),
            });
        }
        if !shape.end && !is_last {
            pieces.push(Piece::Any);
        }
        shape.end
    };
    let any_server = match to.separator {
        None => wanted.server.is_some(),
        Some(separator) => {
            part(&mut pieces, wanted.server.as_ref(), false);
            pieces.extend(separator.chars().map(Piece::Char));
            false
        }
    };
    end |= part(&mut pieces, wanted.tool.as_ref(), true);
    let shape = Shape { start: true, end, pieces };
    // The prefix alone is enough where nothing more is wanted.
    let shape = if *wanted == Wanted::ANY {
        Shape { pieces: to.prefix.chars().map(Piece::Char).collect(), ..shape }
    } else {
        shape
    };
    SaidAs { shape, any_server, folded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matcher::convert::{Picks, Regex, parse};

    const FULL: NameForm = NameForm { prefix: "mcp__", separator: Some("__"), folds: false };
    const FOLDED: NameForm = NameForm { prefix: "mcp__", separator: Some("__"), folds: true };
    const TOOL: NameForm = NameForm { prefix: "MCP:", separator: None, folds: false };

    fn carried(text: &str, from: &NameForm, to: &NameForm) -> Vec<(String, bool)> {
        let shapes = match parse(text, Regex::JavaScript) {
            Ok(Picks::Some(shapes)) => shapes,
            Ok(Picks::All) => vec![Shape::default()],
            other => panic!("{text}: {other:?}"),
        };
        let mut all = Vec::new();
        for wish in shapes.iter().flat_map(|shape| wanted(shape, from).expect("clear")) {
            let said = say(&wish, from, to);
            let text = said.shape.write();
            if !all.iter().any(|(other, _)| *other == text) {
                all.push((text, said.any_server));
            }
        }
        all
    }

    fn one(text: &str, from: &NameForm, to: &NameForm) -> (String, bool) {
        match carried(text, from, to).as_slice() {
            [one] => one.clone(),
            all => panic!("{text}: {all:?}"),
        }
    }

    #[test]
    fn a_tool_of_any_server_is_said_with_any_server() {
        assert_eq!(one("MCP:create_issue", &TOOL, &FULL).0, "^mcp__.*__create_issue");
        assert_eq!(one("^MCP:create_issue$", &TOOL, &FULL).0, "^mcp__.*__create_issue$");
        assert_eq!(one("MCP:", &TOOL, &FULL).0, "^mcp__");
        assert_eq!(one("MCP:.*", &TOOL, &FULL).0, "^mcp__");
        assert_eq!(carried("^Shell$", &TOOL, &FULL), []);
        assert_eq!(one("Shell", &TOOL, &FULL).0, "^mcp__.*__.*Shell");
    }

    #[test]
    fn a_server_that_cannot_be_said_is_told_of() {
        assert_eq!(one("^mcp__memory__create$", &FULL, &TOOL), ("^MCP:create$".to_owned(), true));
        assert_eq!(one("^mcp__memory__.*", &FULL, &TOOL), ("^MCP:".to_owned(), true));
        assert_eq!(carried("mcp__.*", &FULL, &TOOL).first(), Some(&("^MCP:".to_owned(), false)));
        assert_eq!(carried("mcp__.*__write", &FULL, &TOOL).first(), Some(&("^MCP:write".to_owned(), false)));
    }

    #[test]
    fn folded_names_are_read_and_written() {
        assert_eq!(one("^mcp__my-srv__do$", &FULL, &FOLDED).0, "^mcp__my_srv__do$");
        assert_eq!(one("^mcp__my_srv__do$", &FOLDED, &FULL).0, "^mcp__my[^A-Za-z0-9]srv__do$");
    }

    #[test]
    fn a_set_over_the_separator_is_unclear() {
        let Ok(Picks::Some(shapes)) = parse("^mcp__[a-z_]+create$", Regex::JavaScript) else { panic!() };
        assert_eq!(wanted(shapes.first().expect("one"), &FULL), Err(Unclear));
    }

    #[test]
    fn names_are_made_as_the_form_says() {
        assert_eq!(FULL.name("my-srv", "do it"), "mcp__my-srv__do it");
        assert_eq!(FOLDED.name("my-srv", "do it"), "mcp__my_srv__do_it");
        assert_eq!(TOOL.name("my-srv", "do"), "MCP:do");
    }
}
