//! Carrying definitions from one vendor's configuration to another's, with a report of what each of them loses.
//!
//! An adapter's [`ConfigSide`] is a table of what its vendor's files can say, and a writer. Everything else is here and
//! names no vendor: which event of the target happens when the source's does, which matcher selects the same, what an
//! answer can no longer do, what becomes of the command. Nothing is read or written; what comes out are elements for
//! the target's document, and [`insert`] puts them into a text without touching the rest of it.
//!
//! What is claimed is tested: every element is read back by the target's own parser, every matcher is held to the names
//! that it shall select, and [`proof`] holds both sides to made-up occurrences.

mod answers;
pub mod codes;
mod command;
mod events;
mod handlers;
pub mod insert;
mod moments;
pub mod proof;
mod selecting;
pub mod side;
mod tables;
mod words;
mod writing;

use std::ops::Range;
use std::sync::Arc;

pub use self::codes::{CODES, Finding, Kind, LossCode, code};
pub use self::command::quoted;
pub use self::side::{ClientTool, ConfigFacts, ConfigSide, Folder, Keys, NewDefinition, ProjectRoot, ToolKind};

use self::selecting::{Choice, Sides};
use crate::adapter::Parsed;
use crate::definition::{BindingId, Definition, FailurePolicy, Place, State};
use crate::document::{JsonRules, Node, Value, parse_json};
use crate::facts::EventFacts;
use crate::handler::Handler;
use crate::source::{Origin, Source, Syntax};

/// A program that stands between a client and a hook that was written for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bridge {
    /// The program, as it is found on the path.
    pub program: String,
    /// Whether every failure of the hook blocks.
    pub strict: bool,
}

/// How to carry over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Puts a bridge around commands, so that programs need no change.
    pub bridge: Option<Bridge>,
    /// The folder of the target's project from the root of its repository, with `/`; empty for the root itself, and where
    /// there is no repository. A client that names no project in a variable is asked for that root.
    pub below: String,
}

/// One element for the target's document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The event, in the target's spelling.
    pub event: &'static str,
    /// The element of the event's array, as JSON in one line.
    pub json: String,
    /// The matcher's text.
    pub matcher: Option<String>,
}

impl Element {
    /// The definitions that the target reads from it.
    #[must_use]
    pub fn read(&self, to: &dyn ConfigSide) -> Vec<Definition> {
        parse(to, &insert::document(to.config(), self.event, &self.json)).definitions
    }
}

/// What became of one definition.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The definition's name.
    pub id: BindingId,
    /// Where it stands.
    pub place: Place,
    /// The bytes it takes up in its document.
    pub range: Range<usize>,
    /// Its JSON Pointer there.
    pub pointer: String,
    /// Its document's path.
    pub path: String,
    /// Its matcher as written.
    pub matcher: Option<String>,
    /// What it runs, in short; as its author wrote it.
    pub label: String,
    /// What stands for it in the target; empty for what is not carried over.
    pub elements: Vec<Element>,
    /// What is to be told.
    pub findings: Vec<Finding>,
}

impl Carried {
    /// What it comes to as a whole.
    #[must_use]
    pub fn kind(&self) -> Kind {
        let worst = self.findings.iter().map(|finding| finding.code.kind).max().unwrap_or(Kind::Exact);
        let is_no_loss = |finding: &Finding| [&codes::NEVER_RAN, &codes::CAME_FROM_TARGET].contains(&finding.code);
        let is_gone = self.elements.is_empty() && !self.findings.iter().any(is_no_loss);
        if is_gone { Kind::Dropped } else { worst }
    }

    /// The codes that a person has to accept, each once.
    #[must_use]
    pub fn to_accept(&self) -> Vec<&'static str> {
        let mut ids: Vec<&str> = Vec::new();
        for finding in self.findings.iter().filter(|finding| finding.needs_acceptance()) {
            if !ids.contains(&finding.code.id) {
                ids.push(finding.code.id);
            }
        }
        ids
    }

    /// Tells of something, once. `guards`: whether a guard loses by it.
    pub fn tell(&mut self, code: &'static LossCode, reason: impl Into<String>, guards: bool) {
        let finding = Finding { code, reason: reason.into(), guards };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
            self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.code.kind));
        }
    }
}

/// What is known of a definition before anything becomes of it.
fn blank(from: &dyn ConfigSide, definition: &Definition) -> Carried {
    Carried {
        id: definition.id.clone(),
        place: definition.place.clone(),
        range: definition.range.clone(),
        pointer: from.pointer(&definition.place),
        path: definition.source.path.clone(),
        matcher: definition.matcher_text.clone(),
        label: definition.handler.label(),
        elements: Vec::new(),
        findings: Vec::new(),
    }
}

/// The bridges that definitions of the target, which run, become when they are carried over to the source: what a
/// translation in the other direction wrote. None without a bridge, since a plain command may be anybody's.
#[must_use]
pub fn bridges_back(
    from: &dyn ConfigSide,
    to: &dyn ConfigSide,
    theirs: &[&Definition],
    options: &Options,
) -> Vec<Definition> {
    let is_bridged = |definition: &&&Definition| {
        options.bridge.is_some() && definition.state == State::Live && matches!(definition.handler, Handler::Command(_))
    };
    let back = theirs.iter().filter(is_bridged).flat_map(|definition| carry(to, from, definition, options).elements);
    back.flat_map(|element| element.read(from)).collect()
}

/// As [`carry`], but for a definition that is one of [`bridges_back`]: its own hook is there already.
#[must_use]
pub fn carry_unless_back(
    from: &dyn ConfigSide,
    to: &dyn ConfigSide,
    definition: &Definition,
    back: &[Definition],
    options: &Options,
) -> Carried {
    let is_it = |bridge: &Definition| {
        bridge.place.event == definition.place.event
            && bridge.matcher_text == definition.matcher_text
            && bridge.handler == definition.handler
    };
    if !back.iter().any(is_it) {
        return carry(from, to, definition, options);
    }
    let mut carried = blank(from, definition);
    let reason = format!("{} runs the hook that it is a bridge to", to.vendor());
    carried.tell(&codes::CAME_FROM_TARGET, reason, false);
    carried
}

/// Carries one definition over to the project's document of the target.
#[must_use]
pub fn carry(from: &dyn ConfigSide, to: &dyn ConfigSide, definition: &Definition, options: &Options) -> Carried {
    let mut carried = blank(from, definition);
    let guards = is_guard(definition);
    let Some(from_event) = from.event(&definition.place.event) else {
        carried.tell(&codes::NEVER_RAN, format!("`{}` is no event", definition.place.event), guards);
        return carried;
    };
    if let State::Inert(why) | State::Disabled(why) = &definition.state {
        carried.tell(&codes::NEVER_RAN, format!("it does not run: {why}"), guards);
        return carried;
    }
    if let crate::matcher::Matcher::Never(why) = &definition.matcher {
        carried.tell(&codes::NEVER_RAN, format!("its matcher selects nothing: {why}"), guards);
        return carried;
    }
    // It runs only while the plugin, skill or agent is in use, and its folders' variables are nothing elsewhere.
    if let Origin::Plugin | Origin::Frontmatter = definition.source.origin {
        let whose = match definition.source.origin {
            Origin::Plugin => "a plugin",
            _ => "the head of a skill, command or agent",
        };
        carried.tell(&codes::NOT_THE_PROJECTS, format!("it stands in {whose}, and is not carried over"), guards);
        return carried;
    }
    if let Handler::McpTool(tool) = &definition.handler
        && definition.source.syntax == Syntax::Toml
        && holds_null(tool.input.get())
    {
        let reason = "the tool's input has a value that JSON cannot say: a date, a time, `nan` or `inf`";
        carried.tell(&codes::UNREADABLE, reason, guards);
        return carried;
    }
    let chosen = events::choose(from, to, from_event, definition, &mut carried);
    for (to_event, at) in chosen {
        one_event(Sides { from, to, from_event, to_event }, definition, options, &at, &mut carried);
    }
    if carried.elements.is_empty() && !carried.findings.iter().any(|finding| finding.code.kind >= Kind::Weaker) {
        carried.tell(&codes::NO_EVENT, format!("{} has nothing for it", to.vendor()), guards);
    }
    tried(from, to, definition, options, &mut carried);
    if options.bridge.is_some() && matches!(definition.handler, Handler::Command(_)) {
        // The bridge runs nothing where the source's event does not happen.
        carried.findings.retain(|finding| finding.code != &codes::EVENT_WIDER);
    }
    // What concerns an observer is no loss of a guard.
    for finding in &mut carried.findings {
        finding.guards &= guards;
    }
    carried.findings.sort_by_key(|finding| std::cmp::Reverse(finding.code.kind));
    carried.findings.dedup();
    carried
}

/// Whether a JSON text has a null anywhere. TOML has none: where a definition came from there, a null stands for a value
/// that JSON has not.
fn holds_null(json: &str) -> bool {
    fn is_in(node: &Node) -> bool {
        match &node.value {
            Value::Null => true,
            Value::Array(items) => items.iter().any(is_in),
            Value::Object(object) => object.members.iter().any(|member| is_in(&member.value)),
            _ => false,
        }
    }
    parse_json(json.as_bytes(), JsonRules::default()).map_or(true, |node| is_in(&node))
}

/// Tries both sides with made-up occurrences, and tells of differences that nothing told of yet explains.
fn tried(
    from: &dyn ConfigSide,
    to: &dyn ConfigSide,
    definition: &Definition,
    options: &Options,
    carried: &mut Carried,
) {
    if carried.elements.is_empty() {
        return;
    }
    let read: Vec<Definition> = carried.elements.iter().flat_map(|element| element.read(to)).collect();
    let read: Vec<&Definition> = read.iter().collect();
    let occurrences = proof::occurrences(from, to, &proof::names(from, definition));
    let differences = proof::differences((from, definition), (to, &read), &occurrences);
    let told =
        |carried: &Carried, codes: &[&LossCode]| carried.findings.iter().any(|finding| codes.contains(&finding.code));
    let words = |source: bool| -> Vec<&str> {
        let of = differences.iter().filter(|difference| difference.source == source);
        of.map(|difference| difference.about.as_str()).take(3).collect()
    };
    let (missing, more) = (words(true), words(false));
    let narrower = [&codes::TOOL_NOT_HOOKED, &codes::VALUE_NOT_THERE, &codes::EVENT_NARROWER];
    if !missing.is_empty() && !told(carried, &narrower) {
        let reason = format!("{} does not select it for {}", to.vendor(), words::in_words(&missing));
        carried.tell(&codes::SELECTION_WEAKER, reason, true);
    }
    let wider = [
        &codes::TOOLS_WIDER,
        &codes::MATCHER_WIDENED,
        &codes::SERVER_NOT_SEEN,
        &codes::NAME_FOLDED,
        &codes::COMMAND_NOT_SEEN,
        &codes::CONDITION_LOST,
        &codes::EVENT_WIDER,
    ];
    let filtered = options.bridge.is_some() && matches!(definition.handler, Handler::Command(_));
    if !more.is_empty() && !filtered && !told(carried, &wider) {
        let reason = format!("{} also selects it for {}", to.vendor(), words::in_words(&more));
        carried.tell(&codes::SELECTION_WIDER, reason, true);
    }
}

/// Whether a definition can hold something back, or make a turn go on.
#[must_use]
pub fn is_guard(definition: &Definition) -> bool {
    definition.can_block() || definition.channels.contains(crate::channel::Channel::Continuation)
}

fn one_event(
    sides: Sides<'_>,
    definition: &Definition,
    options: &Options,
    at: &[moments::Moment],
    carried: &mut Carried,
) {
    let Sides { from, to, from_event, to_event } = sides;
    let kind = definition.handler.kind();
    if !to.runs(to_event, kind) {
        let reason = format!("{} runs no {} handlers on {}", to.vendor(), kind.as_str(), to_event.name);
        carried.tell(&codes::NO_HANDLER, reason, true);
        return;
    }
    let mut findings = Vec::new();
    let (matcher, text) = (&definition.matcher, definition.matcher_text.as_deref());
    let is_about_tools = from_event.boundary.is_some_and(moments::is_about_a_tool);
    let choice = if is_about_tools {
        selecting::carry(sides, matcher, text, at, &mut findings)
    } else {
        words::carry(sides, matcher, text, &mut findings)
    };
    let matcher = match choice {
        Choice::Nothing => {
            findings.into_iter().for_each(|finding| carried.tell(finding.code, finding.reason, finding.guards));
            return;
        }
        Choice::All => None,
        Choice::Text(text) => Some(text),
    };
    let bridged = options.bridge.is_some() && matches!(definition.handler, Handler::Command(_));
    let says_only_yes_or_no = matches!(definition.handler, Handler::Prompt(_) | Handler::Agent(_));
    answers::compare(from_event, to_event, (bridged, says_only_yes_or_no), &mut findings);
    if moments::shows_content(from, from_event) && !moments::shows_content(to, to_event) {
        let reason = format!("{} does not show the file's text before it is read", to.vendor());
        findings.push(Finding { code: &codes::CONTENT_NOT_SEEN, reason, guards: true });
    }
    let new = handlers::carry(sides, definition, matcher, options, &mut findings);
    findings.into_iter().for_each(|finding| carried.tell(finding.code, finding.reason, finding.guards));
    let json = to.write(&new);
    match read_back(to, to_event, &json) {
        Ok(read) if read.handler != new.handler => {
            let reason = format!("{} reads another handler from what was written", to.vendor());
            carried.tell(&codes::UNREADABLE, reason, true);
            return;
        }
        Ok(read) => compare_read(to, definition, &new, &read, carried),
        Err(why) => {
            carried.tell(&codes::UNREADABLE, why, true);
            return;
        }
    }
    let element = Element { event: to_event.name, json, matcher: new.matcher };
    if !carried.elements.contains(&element) {
        carried.elements.push(element);
    }
}

/// Holds what was carried over to the target's whole document, as its own parser reads it, and tells of elements that do
/// not run there as they were meant: a switch in it or in another document turns them off, a key beside them voids the
/// file, or the hook that stood there already says less. `documents`: those that the client reads together, by
/// precedence; `at`: which of them was written; `unread`: why the client does not read that one, where it does not.
pub fn hold(to: &dyn ConfigSide, (documents, at): (&[Parsed], usize), unread: Option<&str>, carried: &mut Carried) {
    let Some(parsed) = documents.get(at) else { return };
    let ruled = to.rule(documents);
    let voided = match ruled.states.into_iter().nth(at).flatten() {
        _ if unread.is_some() => unread.map(str::to_owned),
        _ if ruled.refuse.is_some() => ruled.refuse,
        _ if parsed.rejected => {
            let why = fault(parsed).unwrap_or("it is rejected");
            Some(format!("{} takes nothing of the file: {why}", to.vendor()))
        }
        Some(State::Disabled(why) | State::Inert(why)) => Some(format!("no hook of the file runs: {why}")),
        _ => None,
    };
    for meant in carried.elements.iter().flat_map(|element| element.read(to)).collect::<Vec<_>>() {
        let matcher = |definition: &Definition| definition.matcher_text.clone().unwrap_or_default();
        let is_it = |read: &&Definition| {
            read.place.event == meant.place.event
                && matcher(read) == matcher(&meant)
                && read.handler.label() == meant.handler.label()
        };
        let found: Vec<&Definition> = parsed.definitions.iter().filter(is_it).collect();
        let reason = match (&voided, found.as_slice()) {
            (Some(why), _) => why.clone(),
            (None, []) => format!("{} does not read it in the file", to.vendor()),
            (None, [first, ..]) if !found.iter().any(|read| says_as_much(read, &meant)) => match &first.state {
                State::Inert(why) | State::Disabled(why) => format!("it does not run: {why}"),
                _ => "the one that is there is in the background, has less time, or says less otherwise".to_owned(),
            },
            _ => continue,
        };
        carried.tell(&codes::TARGET_DIFFERS, reason, is_guard(&meant));
    }
    carried.findings.sort_by_key(|finding| std::cmp::Reverse(finding.code.kind));
}

/// Whether a definition restrains at least as another was meant to.
fn says_as_much(read: &Definition, meant: &Definition) -> bool {
    read.state == State::Live
        && read.handler == meant.handler
        && read.timeout >= meant.timeout
        && (read.failure == meant.failure || read.failure == FailurePolicy::Closed)
        && read.loop_limit == meant.loop_limit
        && (read.condition.is_none() || read.condition == meant.condition)
        && (!read.once || meant.once)
}

/// What is wrong with a document: what costs most of it, of several the first.
fn fault(parsed: &Parsed) -> Option<&str> {
    let worst = parsed.diagnostics.iter().rev().max_by_key(|found| (found.reach, found.severity))?;
    Some(&worst.message)
}

/// A document with one element, as the target's own parser reads it.
fn read_back(to: &dyn ConfigSide, event: &EventFacts, json: &str) -> Result<Definition, String> {
    let text = insert::document(to.config(), event.name, json);
    let parsed = parse(to, &text);
    match parsed.definitions.as_slice() {
        [definition] if !parsed.rejected && definition.state == State::Live => Ok(definition.clone()),
        _ => {
            let why = fault(&parsed).unwrap_or("the target does not take it");
            Err(format!("{} does not read back what was written: {why}", to.vendor()))
        }
    }
}

/// A text as the target's document of a project.
#[must_use]
pub fn parse(to: &dyn ConfigSide, text: &str) -> Parsed {
    let path = to.config().document;
    let source = Source::hooks(to.vendor().clone(), Origin::Project, Syntax::Json, path, text.as_bytes());
    to.parse(&Arc::new(source))
}

/// Tells of what the target reads otherwise than it was meant.
fn compare_read(
    to: &dyn ConfigSide,
    meant: &Definition,
    new: &NewDefinition,
    read: &Definition,
    carried: &mut Carried,
) {
    if read.timeout < meant.timeout {
        let (got, had) = (read.timeout.as_secs_f64(), meant.timeout.as_secs_f64());
        carried.tell(&codes::TIMEOUT_CAPPED, format!("{} gives it {got} s, not {had} s", to.vendor()), true);
    }
    if new.failure == FailurePolicy::Closed && read.failure != FailurePolicy::Closed {
        let reason = format!("{} lets the action go on when the hook fails", to.vendor());
        carried.tell(&codes::FAIL_CLOSED_LOST, reason, true);
    }
}
