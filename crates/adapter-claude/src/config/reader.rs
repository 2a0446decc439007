//! What is known of a document while it is read, and the end of reading it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use hooks_core::adapter::Parsed;
use hooks_core::definition::{Definition, State};
use hooks_core::diagnostic::Diagnostic;
use hooks_core::facts::SubjectFact;
use hooks_core::matcher::{Matcher, PatternError};
use hooks_core::vendor::Version;

use super::{Form, copies};
use crate::events::{EVENTS, Event};
use crate::tools;

/// A document being read.
pub(super) struct Reader {
    pub(super) parsed: Parsed,
    pub(super) version: Version,
    pub(super) form: Form,
    /// Matchers by event and text: files repeat them, and compiling one costs more than reading the rest of its group.
    pub(super) matchers: HashMap<&'static str, HashMap<String, (Matcher, Option<PatternError>)>>,
    /// Whether it is the head of an agent, where the end of a turn is the end of the subagent.
    pub(super) in_agent: bool,
    /// Whether the event being read is assumed, see `Group::assumed` in the module `hooks`.
    pub(super) assumed: bool,
    /// The JSON pointer of each definition's handler, in the order of the definitions.
    pub(super) pointers: Vec<String>,
    /// The pointers of [`Parsed::meant`], in its order; `None` where its copies are not looked for.
    pub(super) meant: Vec<Option<String>>,
    /// The fault because of which what is being read counts for nothing, see [`Reader::lost`].
    pub(super) lost: Option<Range<usize>>,
    /// What was told, by its code and its bytes, once something is read a second time.
    pub(super) told: Option<HashSet<(&'static str, usize, usize)>>,
    /// The pointer of a member as it is meant, and as it is written.
    pub(super) renamed: Vec<(String, String)>,
}

/// What [`Reader::report`] says of an edit in something that counts for nothing yet.
const ONCE_IT_COUNTS: &str = "it is right once what keeps it from counting is mended";

impl Reader {
    /// A reader of a document of which nothing is read yet.
    pub(super) fn new(parsed: Parsed, version: Version, form: Form) -> Self {
        Self {
            parsed,
            version,
            form,
            matchers: HashMap::new(),
            in_agent: false,
            assumed: false,
            pointers: Vec::new(),
            meant: Vec::new(),
            lost: None,
            told: None,
            renamed: Vec::new(),
        }
    }

    pub(super) fn report(&mut self, mut diagnostic: Diagnostic) {
        if let (Some(told), Some(range)) = (&mut self.told, &diagnostic.range) {
            let is_new = told.insert((diagnostic.code.id, range.start, range.end));
            if self.lost.is_some() && !is_new {
                return;
            }
        }
        if let Some(cause) = &self.lost {
            for (meant, written) in self.renamed.iter().rev() {
                let rest = diagnostic.pointer.as_deref().and_then(|pointer| pointer.strip_prefix(meant.as_str()));
                if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
                    diagnostic.pointer = Some(format!("{written}{rest}"));
                }
            }
            diagnostic.changes = diagnostic.changes.map(|_| ONCE_IT_COUNTS.into());
            diagnostic = diagnostic.related("this keeps it from counting", cause.clone());
        }
        self.parsed.report(diagnostic);
    }

    /// The row of an event that this client has.
    pub(super) fn event(&self, name: &str) -> Option<&'static Event> {
        EVENTS.iter().find(|event| event.facts.name == name && event.exists_at(self.version))
    }

    /// The end of a document: copies are reported, nothing of a dropped file is live, and what there is to say stands in
    /// the order of the file.
    pub(super) fn finish(mut self) -> Parsed {
        copies::within(&mut self);
        if self.parsed.rejected {
            let live = |definition: &&Definition| definition.state == State::Live;
            let live: Vec<_> = self.parsed.definitions.iter().filter(live).cloned().collect();
            live.into_iter().for_each(|definition| self.mean(definition, None));
            for definition in &mut self.parsed.definitions {
                definition.state = State::Inert("the whole file is dropped".to_owned());
            }
        }
        // What was read twice is meant once, and not at all where it runs.
        let runs = self.parsed.definitions.iter().filter(|definition| definition.state == State::Live);
        let mut known: HashSet<(usize, usize)> = runs.map(|one| (one.range.start, one.range.end)).collect();
        self.parsed.meant.retain(|one| known.insert((one.range.start, one.range.end)));
        self.parsed
            .diagnostics
            .sort_by_key(|found| found.range.as_ref().map_or((0, 0), |range| (range.start, range.end)));
        self.parsed
    }
}

/// The values an event's subject is known to have.
pub(crate) fn known_values(event: &Event) -> impl Iterator<Item = &'static str> {
    match event.facts.subject {
        SubjectFact::ToolName => tools::BUILT_IN,
        SubjectFact::Field { values, .. } => values,
        _ => &[],
    }
    .iter()
    .copied()
}
