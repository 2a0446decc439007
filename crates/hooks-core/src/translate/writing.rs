//! Writing what a matcher selects of the tools in the target's language, and holding what was written to it.

use std::collections::BTreeSet;

use super::codes::{self, Finding};
use super::moments::Moment;
use super::selecting::{Choice, Selected, Servers, Sides, current, finding, takes, tools_of};
use super::side::ClientTool;
use crate::matcher::convert::mcp::{self, NameForm, Wanted};
use crate::matcher::convert::{Piece, Shape};
use crate::matcher::{Matched, Matcher};

/// Writes what is selected in the target's language.
pub(super) fn choose(
    sides: Sides<'_>,
    selected: &Selected,
    wanted: &[&'static ClientTool],
    (source, text): (&Matcher, Option<&str>),
    at: &[Moment],
    told: &mut Vec<Finding>,
) -> Choice {
    let Sides { to, to_event, .. } = sides;
    if selected.all {
        return Choice::All;
    }
    let tools = current(tools_of(to, to_event, at));
    let test = Test { sides, selected, wanted, tools: &tools, source };
    if let Some(text) = text.filter(|_| !selected.leaves_out)
        && test.reads_alike(text)
        && test.passes(text) == Ok(false)
    {
        return Choice::Text(text.to_owned());
    }
    let mut noted = Vec::new();
    let candidate = if selected.open {
        match exclusion(&test) {
            Some(text) if text.is_empty() => return Choice::All,
            text => text,
        }
    } else {
        list(&test, &mut noted)
    };
    if let Some(text) = candidate
        && let Ok(extra) = test.passes(&text)
    {
        if extra && noted.is_empty() {
            let reason = "the target's text selects some further names of tools of tool servers";
            noted.push(finding(&codes::MATCHER_WIDENED, reason));
        }
        told.append(&mut noted);
        return Choice::Text(text);
    }
    let reason = "no text of the target's language selects the same; the hook runs for every call";
    told.push(finding(&codes::MATCHER_WIDENED, reason));
    Choice::All
}

/// The alternatives for the selected names.
fn list(test: &Test<'_>, noted: &mut Vec<Finding>) -> Option<String> {
    let Sides { from, to, from_event, to_event } = test.sides;
    let mut shapes: Vec<Shape> = Vec::new();
    let mut push = |shape: Shape| {
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    };
    let mut names: Vec<&str> = test.wanted.iter().filter_map(|tool| tool.names.first().copied()).collect();
    names.sort_unstable();
    names.into_iter().for_each(|name| push(Shape::whole(name)));
    test.selected.others.iter().cloned().for_each(&mut push);
    let any = [Wanted::ANY];
    let wishes: &[Wanted] = match &test.selected.servers {
        Servers::Some(wishes) => wishes,
        Servers::All => &any,
        _ => &[],
    };
    let to_forms = to.server_tool_names(to_event);
    let from_form = from.server_tool_names(from_event).first();
    for (wish, form) in wishes.iter().flat_map(|wish| to_forms.iter().map(move |form| (wish, form))) {
        let said = mcp::say(wish, from_form.unwrap_or(form), form);
        let mut note = |code, reason: &str| {
            let new = finding(code, reason);
            if !noted.contains(&new) {
                noted.push(new);
            }
        };
        if said.any_server {
            note(
                &codes::SERVER_NOT_SEEN,
                "the target's names of tools do not say which server they belong to; the hook runs for tools of that \
                 name on any server",
            );
        }
        if said.folded {
            note(&codes::NAME_FOLDED, "the target writes `_` for other characters of servers' and tools' names");
        }
        push(said.shape);
    }
    // Where every tool of tool servers is taken, single ones go without saying.
    for form in to_forms.iter().filter(|form| !form.prefix.is_empty()) {
        let every = Shape { start: true, end: false, pieces: form.prefix.chars().map(Piece::Char).collect() };
        if shapes.contains(&every) {
            shapes.retain(|shape| *shape == every || !(shape.start && shape.pieces.starts_with(&every.pieces)));
        }
    }
    to.config().language.write(&shapes)
}

/// A text for everything but what is left out; an empty one where the target has nothing of that.
fn exclusion(test: &Test<'_>) -> Option<String> {
    let Sides { to, to_event, .. } = test.sides;
    let is_wanted = |tool: &ClientTool| test.wanted.iter().any(|wanted| std::ptr::eq(*wanted, tool));
    let kept: BTreeSet<&str> = test.wanted.iter().flat_map(|tool| tool.names.iter().copied()).collect();
    let words: Vec<String> = test
        .tools
        .iter()
        .filter(|tool| !is_wanted(tool) && !tool.does.is_empty())
        .flat_map(|tool| tool.names.iter().copied())
        .filter(|name| !kept.contains(name))
        .map(str::to_owned)
        .collect();
    let forms = to.server_tool_names(to_event);
    let starts: Vec<String> = match &test.selected.servers {
        Servers::None => forms.iter().map(|form| form.prefix.to_owned()).collect(),
        Servers::All => Vec::new(),
        // Leaving out some is said by none of the usual texts: all are taken.
        Servers::AllBut(_) | Servers::Some(_) => return None,
    };
    if words.is_empty() && starts.is_empty() {
        return Some(String::new());
    }
    to.config().language.write_all_but(&words, &starts)
}

/// Holds a text of the target's language to what is selected.
struct Test<'a> {
    sides: Sides<'a>,
    selected: &'a Selected,
    wanted: &'a [&'static ClientTool],
    tools: &'a [&'static ClientTool],
    source: &'a Matcher,
}

impl Test<'_> {
    /// Whether both sides read a text alike: as a list, or as a pattern that means the same in both languages; and names
    /// of tool servers' tools are made alike, where it is about any.
    fn reads_alike(&self, text: &str) -> bool {
        let Sides { from, to, from_event, to_event } = self.sides;
        let (own, other) = (&from.config().language, &to.config().language);
        let parsed = |regex| crate::matcher::convert::parse(text, regex).ok();
        let alike = match (own.is_list(text), other.is_list(text)) {
            (true, true) => text.chars().all(|c| (own.is_plain)(c) == (other.is_plain)(c)),
            (false, false) => {
                own.regex == other.regex || (parsed(own.regex).is_some() && parsed(own.regex) == parsed(other.regex))
            }
            _ => false,
        };
        let (from_forms, to_forms) = (from.server_tool_names(from_event), to.server_tool_names(to_event));
        let servers = match &self.selected.servers {
            Servers::None => true,
            _ if from_forms == to_forms => true,
            // One side folds the characters of names: fine where none is folded.
            Servers::Some(wishes) => {
                let same = |a: &NameForm, b: &NameForm| a.prefix == b.prefix && a.separator == b.separator;
                let plain = |shape: &Option<Shape>| {
                    shape.iter().flat_map(|shape| &shape.pieces).all(|piece| match piece {
                        Piece::Char(c) => c.is_ascii_alphanumeric(),
                        Piece::Any => true,
                        Piece::Other { odd, spans, .. } => !odd && !spans,
                    })
                };
                from_forms.len() == to_forms.len()
                    && from_forms.iter().zip(to_forms).all(|(a, b)| same(a, b))
                    && wishes.iter().all(|wish| plain(&wish.server) && plain(&wish.tool))
            }
            Servers::All => from_forms.iter().zip(to_forms).all(|(a, b)| a.prefix == b.prefix),
            Servers::AllBut(_) => false,
        };
        alike && servers
    }

    /// Whether a text selects every wanted tool and no other, and at least the wanted tools of tool servers; says
    /// whether it selects more of these.
    fn passes(&self, text: &str) -> Result<bool, ()> {
        let Sides { from, to, from_event, to_event } = self.sides;
        let (matcher, wrong) = to.matcher(to_event.name, Some(text));
        if wrong.is_some() {
            return Err(());
        }
        // Tools may share a name: what a name takes is taken.
        let names: BTreeSet<&str> = self.wanted.iter().flat_map(|tool| tool.names.iter().copied()).collect();
        for tool in self.tools {
            let taken = takes(&matcher, tool);
            let is_wanted = self.wanted.iter().any(|wanted| std::ptr::eq(*wanted, *tool));
            let shares = tool.names.iter().any(|name| names.contains(name));
            // Nothing is known of what only this vendor has, and everything else that a source without it can say of it.
            if is_wanted && !taken || !is_wanted && taken && !shares && !tool.does.is_empty() {
                return Err(());
            }
        }
        let mut extra = false;
        let source = |server: &str, tool: &str| {
            let names = from.server_tool_names(from_event).iter().map(|form| form.name(server, tool));
            match self.selected.servers {
                Servers::All => true,
                Servers::None => false,
                _ => names.into_iter().any(|name| self.source.matches(&name) != Matched::No),
            }
        };
        for (server, tool) in self.server_samples() {
            let target = to.server_tool_names(to_event).iter().map(|form| form.name(&server, &tool));
            let target = target.into_iter().any(|name| matcher.matches(&name) == Matched::Yes);
            match (source(&server, &tool), target) {
                (true, false) => return Err(()),
                (false, true) => extra = true,
                _ => {}
            }
        }
        Ok(extra)
    }

    /// Servers and tools to test with: what the matcher names, near misses, and others.
    fn server_samples(&self) -> Vec<(String, String)> {
        let runs = |shape: &Option<Shape>| -> Vec<String> {
            let pieces = shape.iter().flat_map(|shape| &shape.pieces);
            let text: String = pieces.map(|piece| if let Piece::Char(c) = piece { *c } else { 'x' }).collect();
            let alone: Vec<String> = shape
                .iter()
                .flat_map(|shape| shape.pieces.split(|piece| !matches!(piece, Piece::Char(_))))
                .map(|run| {
                    run.iter().filter_map(|piece| if let Piece::Char(c) = piece { Some(*c) } else { None }).collect()
                })
                .collect();
            alone.into_iter().chain([text]).filter(|text: &String| !text.is_empty()).collect()
        };
        let wishes = match &self.selected.servers {
            Servers::Some(wishes) | Servers::AllBut(wishes) => wishes.as_slice(),
            _ => &[],
        };
        let around = |words: Vec<String>, plain: &[&str]| -> Vec<String> {
            let near = words.into_iter().flat_map(|word| {
                let [before, after] = [format!("x{word}"), format!("{word}x")];
                [word, before, after]
            });
            let mut all: Vec<String> = near.chain(plain.iter().map(|word| (*word).to_owned())).take(24).collect();
            all.sort();
            all.dedup();
            all
        };
        let servers = around(wishes.iter().flat_map(|wish| runs(&wish.server)).collect(), &["server", "other-one"]);
        let tools = around(wishes.iter().flat_map(|wish| runs(&wish.tool)).collect(), &["tool", "get_it"]);
        servers.iter().flat_map(|server| tools.iter().map(move |tool| (server.clone(), tool.clone()))).collect()
    }
}
