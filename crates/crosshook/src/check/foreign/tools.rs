//! Tools of other vendors in matchers.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use hooks_conformance::sample;
use hooks_core::facts::{Control, SubjectFact};
use hooks_core::matcher::{Matched, Matcher};
use hooks_core::source::Role;
use hooks_core::{Definition, Diagnostic, HostSide, Reach, Severity, State, ToolAction, ToolCall};

use super::super::codes;
use super::super::command::{called, place};
use super::{Document, Documents, Input, list};

/// Names under which a tool of any of the vendors is known to some adapter.
const NAMES: &[&str] = &[
    "Bash",
    "Shell",
    "Read",
    "Write",
    "Edit",
    "apply_patch",
    "Delete",
    "Glob",
    "Grep",
    "WebFetch",
    "WebSearch",
    "Task",
];

/// Names that models call tools by, here and in other agents, and that no hook of the three vendors is told, with a name
/// of [`NAMES`] for the same tool.
const MODEL_NAMES: &[(&str, &str)] = &[
    ("apply_diff", "Edit"),
    ("edit_file", "Edit"),
    ("exec_command", "Bash"),
    ("execute_command", "Bash"),
    ("local_shell", "Bash"),
    ("run_shell_command", "Bash"),
    ("run_terminal_cmd", "Bash"),
    ("run_terminal_command", "Bash"),
    ("search_replace", "Edit"),
    ("shell", "Bash"),
    ("write_file", "Write"),
    ("write_to_file", "Write"),
];

/// The longest matcher that is taken apart, in bytes. There are not so many tools.
const LONGEST: usize = 4 << 10;

/// The tools of all vendors. What was found out once is kept, for all projects of a check.
#[derive(Debug)]
pub(in crate::check) struct Toolbox {
    adapters: Vec<Arc<dyn HostSide>>,
    /// What each of [`NAMES`] means.
    calls: [OnceLock<Option<ToolCall>>; NAMES.len()],
    /// What each vendor calls those tools.
    names: Vec<[OnceLock<Vec<String>>; NAMES.len()]>,
}

impl Toolbox {
    pub(in crate::check) fn of(adapters: &[Arc<dyn HostSide>]) -> Self {
        let names = adapters.iter().map(|_| Default::default()).collect();
        Self { adapters: adapters.to_vec(), calls: Default::default(), names }
    }

    fn all(&self) -> impl Iterator<Item = Tools<'_>> {
        self.adapters.iter().zip(&self.names).map(|(adapter, names)| Tools { adapter: &**adapter, names, of_all: self })
    }

    /// What one of [`NAMES`] means, as the first adapter that knows it reads it.
    fn call(&self, at: usize) -> Option<&ToolCall> {
        let find = || {
            let name = NAMES.get(at)?;
            let calls = self.adapters.iter().map(|adapter| adapter.tool_call(name, &sample::tool_input(name)));
            calls.into_iter().find(|call| !matches!(call.action, ToolAction::Other(_)))
        };
        self.calls.get(at)?.get_or_init(find).as_ref()
    }
}

/// One vendor's tools.
#[derive(Clone, Copy)]
struct Tools<'a> {
    adapter: &'a dyn HostSide,
    names: &'a [OnceLock<Vec<String>>; NAMES.len()],
    of_all: &'a Toolbox,
}

impl<'a> Tools<'a> {
    /// What the vendor calls the tool of a call; nothing where it has none. A name that the adapter only makes up for a
    /// host's own tools means nothing to it when it reads it.
    fn names_of(&self, call: &ToolCall) -> Vec<String> {
        let names = self.adapter.tool_names(call);
        let known = |name: &String| {
            let read = self.adapter.tool_call(name, &sample::tool_input(name));
            !matches!(read.action, ToolAction::Other(_))
        };
        if names.first().is_some_and(known) { names } else { Vec::new() }
    }

    /// What the vendor calls the tool that one of [`NAMES`] means.
    fn names_at(&self, at: usize) -> &'a [String] {
        let find = || self.of_all.call(at).map(|call| self.names_of(call)).unwrap_or_default();
        self.names.get(at).map_or(&[], |names| names.get_or_init(find))
    }

    /// All names that the vendor has for such tools.
    fn names(&self) -> impl Iterator<Item = &'a str> {
        (0..NAMES.len()).flat_map(|at| self.names_at(at)).map(String::as_str)
    }

    /// The call that a name of this vendor's means.
    fn named(&self, name: &str) -> Option<&'a ToolCall> {
        let at = (0..NAMES.len()).find(|at| self.names_at(*at).iter().any(|own| own == name))?;
        self.of_all.call(at)
    }

    /// Whether it is a name of this vendor's. Of the usual names it takes one look.
    fn has(&self, name: &str) -> bool {
        let usual = NAMES.iter().position(|usual| *usual == name);
        usual.is_some_and(|at| self.names_at(at).iter().any(|own| own == name)) || self.named(name).is_some()
    }
}

/// Looks at all matchers over tools' names. What an adapter has told of the same part is added to.
pub(super) fn check(input: &Input<'_>, toolbox: &Toolbox, documents: &mut Documents<'_>, found: &mut Vec<Diagnostic>) {
    let relevant = |definition: &&std::sync::Arc<Definition>| {
        definition.matcher_text.as_ref().is_some_and(|text| text.len() <= LONGEST)
            && definition.source.role != Role::ForeignHooks
            && !matches!(definition.matcher, Matcher::All | Matcher::Unknown(_))
    };
    let mut seen: HashSet<(&str, usize)> = HashSet::new();
    let tools: Vec<Tools<'_>> = toolbox.all().collect();
    let mut told: Option<Told> = None;
    // Many hooks have the same matcher.
    let mut known: HashMap<(&str, &str, &str, bool), Vec<Foreign>> = HashMap::new();
    for definition in input.definitions.iter().filter(relevant) {
        let Some(vendor) = input.vendors.iter().find(|vendor| *vendor.adapter.vendor() == definition.vendor) else {
            continue;
        };
        let Some(facts) = vendor.adapter.event(&definition.place.event) else { continue };
        if facts.subject != SubjectFact::ToolName {
            continue;
        }
        let Some(own) = tools.iter().find(|tools| *tools.adapter.vendor() == definition.vendor) else { continue };
        let inert = matches!(definition.state, State::Inert(_));
        let text = definition.matcher_text.as_deref().unwrap_or_default();
        let names = known
            .entry((definition.vendor.as_str(), facts.name, text, inert))
            .or_insert_with(|| foreign(definition, facts.name, own, &tools));
        if names.is_empty() {
            continue;
        }
        let path = definition.source.path.as_str();
        let Some(text) = documents.get(path).and_then(|document| matcher_at(document, definition)) else { continue };
        if !seen.insert((path, text.whole.start)) {
            continue;
        }
        let guards = matches!(facts.control, Control::Permission { .. });
        let told = told.get_or_insert_with(|| by_place(found));
        let told = text.pointer.clone().and_then(|pointer| told.get(&(path.to_owned(), pointer)));
        tell(definition, &text, names, guards, own, told.map(Vec::as_slice).unwrap_or_default(), found);
    }
}

/// What the adapters have told of matchers: for each document and pointer the places in the list.
type Told = HashMap<(String, String), Vec<usize>>;

fn by_place(found: &[Diagnostic]) -> Told {
    let mut told = Told::new();
    for (at, diagnostic) in found.iter().enumerate() {
        if let (true, Some(pointer)) = (diagnostic.code.about.starts_with("matcher-"), &diagnostic.pointer) {
            told.entry((diagnostic.path.clone(), pointer.clone())).or_default().push(at);
        }
    }
    told
}

/// A part of a matcher that names another vendor's tool.
#[derive(Clone)]
struct Foreign {
    range: Range<usize>,
    name: String,
    whose: Option<&'static str>,
    own: Option<String>,
    /// Whether the matcher has nothing else that could match.
    alone: bool,
}

fn foreign(definition: &Definition, event: &str, own: &Tools<'_>, all: &[Tools<'_>]) -> Vec<Foreign> {
    let Some(text) = definition.matcher_text.as_deref() else { return Vec::new() };
    let takes = |matched: Matched| matches!(matched, Matched::Yes | Matched::Doubtful(_));
    let mut found: Vec<Foreign> = Vec::new();
    // What a name came to before: the place in the list of one that is foreign.
    let mut before: HashMap<&str, Option<usize>> = HashMap::new();
    let mut living = matches!(definition.state, State::Inert(_));
    let mut at = 0;
    for part in text.split('|') {
        let start = at;
        at += part.len() + 1;
        let name = part.trim().trim_start_matches(['^', '(']).trim_end_matches(['$', ')']);
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            living = true;
            continue;
        }
        let offset = part.find(name).unwrap_or_default();
        let range = start + offset..start + offset + name.len();
        match before.get(name) {
            Some(None) => continue,
            Some(Some(same)) => {
                let same = found.get(*same).map(|same| Foreign { range, ..same.clone() });
                found.extend(same);
                continue;
            }
            None => {
                before.insert(name, None);
            }
        }
        if name.starts_with("mcp__") || own.has(name) {
            living = true;
            continue;
        }
        let others = all.iter().filter(|tools| tools.adapter.vendor() != own.adapter.vendor());
        let theirs = others.into_iter().find_map(|tools| Some((tools, tools.named(name)?)));
        let by_model = || MODEL_NAMES.iter().find(|(model, _)| *model == name);
        let is_own = || takes(own.adapter.matcher(event, Some(name)).0.matches_any(own.names()));
        let (whose, call) = match theirs {
            // Codex reads `spawn_agent` as a tool like any other, and still calls it `Agent` in matchers.
            Some((_, call)) if own.adapter.tool_names(call).iter().any(|own| own == name) => {
                living = true;
                continue;
            }
            Some((tools, call)) => (Some(called(tools.adapter.vendor().as_str())), Some(call)),
            None => match by_model() {
                Some((_, same)) => (None, all.iter().find_map(|tools| tools.named(same))),
                None => {
                    living = true;
                    continue;
                }
            },
        };
        if is_own() {
            living = true;
            continue;
        }
        let names = call.map(|call| own.names_of(call)).unwrap_or_default();
        // Named beside this vendor's own name, it is there for a file that several vendors read.
        if !names.is_empty() && takes(definition.matcher.matches_any(names.iter().map(String::as_str))) {
            living = true;
            continue;
        }
        before.insert(name, Some(found.len()));
        found.push(Foreign { range, name: name.to_owned(), whose, own: names.into_iter().next(), alone: false });
    }
    for foreign in &mut found {
        foreign.alone = !living;
    }
    found
}

/// One diagnostic for all such parts of a matcher, or the name's origin added to what the adapter has told of them.
fn tell(
    definition: &Definition,
    text: &place::Text,
    parts: &[Foreign],
    guards: bool,
    own: &Tools<'_>,
    told: &[usize],
    found: &mut Vec<Diagnostic>,
) {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
    let vendor = called(own.adapter.vendor().as_str());
    for at in told {
        let Some(diagnostic) = found.get_mut(*at) else { continue };
        let range = diagnostic.range.clone();
        let within = |part: &&Foreign| {
            range.as_ref().is_some_and(|at| {
                let place = text.range(&part.range);
                at.start <= place.start && place.end <= at.end
            })
        };
        for part in parts.iter().filter(within) {
            let Some(whose) = part.whose else { continue };
            let names_it = diagnostic.message.contains(&format!("`{}`", part.name));
            // "Claude's" and "Claude Code" are one.
            let first = whose.split(' ').next().unwrap_or(whose);
            if names_it && !diagnostic.message.contains(first) && !diagnostic.help.contains(first) {
                diagnostic.message.push_str(&format!("; `{}` is {whose}'s name for a tool", part.name));
            }
        }
    }
    if !told.is_empty() {
        return;
    }
    let names: Vec<String> = parts.iter().map(|part| format!("`{}`", part.name)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut whose: Vec<&str> = parts.iter().map(|part| part.whose.unwrap_or("no vendor")).collect();
    whose.dedup();
    let one = parts.len() == 1;
    let whose = match whose.as_slice() {
        ["no vendor"] if one => "is a name that models use".to_owned(),
        ["no vendor"] => "are names that models use".to_owned(),
        [vendor] if one => format!("is {vendor}'s name for a tool"),
        [vendor] => format!("are {vendor}'s names for tools"),
        _ => "are names of other vendors and of models".to_owned(),
    };
    let what = match (first.alone, one) {
        (true, _) => "so the hook never runs",
        (false, true) => "so it matches nothing",
        (false, false) => "so they match nothing",
    };
    let message = format!("{} {whose}: no tool of {vendor} is called so, {what}", list(&names));
    let place = text.range(&(first.range.start..last.range.end));
    let mut diagnostic = Diagnostic::new(&codes::FOREIGN_TOOL, Reach::Entry, message).at(place).silent();
    diagnostic.path.clone_from(&definition.source.path);
    diagnostic.pointer.clone_from(&text.pointer);
    if first.alone && guards {
        diagnostic = diagnostic.severity(Severity::Error);
    }
    let swaps: Vec<(&Foreign, &String)> = parts.iter().filter_map(|part| Some((part, part.own.as_ref()?))).collect();
    if swaps.is_empty() {
        let help =
            format!("{vendor} has no such tool: remove the name, or use an event that it fires for what is meant.");
        found.push(diagnostic.help(help));
        return;
    }
    let helps: Vec<String> = swaps.iter().map(|(part, own)| format!("`{own}` for `{}`", part.name)).collect();
    diagnostic = diagnostic.help(format!("Write {}.", list(&helps.iter().map(String::as_str).collect::<Vec<_>>())));
    if swaps.len() == parts.len() {
        let mut meant: Vec<&str> = Vec::new();
        for (part, own) in &swaps {
            let Some(written) = text.written(own) else { return found.push(diagnostic) };
            diagnostic = diagnostic.edit(text.range(&part.range), written);
            if !meant.contains(&own.as_str()) {
                meant.push(own);
            }
        }
        diagnostic = diagnostic.changes(format!("the hook runs for {}, which it did not before", list(&meant)));
    }
    found.push(diagnostic);
}

/// The matcher's text in the document: of the entry itself, or of the group around it.
fn matcher_at(document: &Document<'_>, definition: &Definition) -> Option<place::Text> {
    let (_, pointer) = document.entry(&definition.range, &["command", "type"])?;
    let group = pointer.rsplit_once('/').and_then(|(list, _)| list.strip_suffix("/hooks"));
    let places = [Some(pointer), group];
    places.into_iter().flatten().find_map(|pointer| {
        let node = document.at(pointer)?.as_object()?.get("matcher")?;
        place::Text::of(&definition.source, node, format!("{pointer}/matcher"))
    })
}
