//! What was meant where a fault keeps it from counting: read on, so that everything else that is wrong there is told in the
//! same run.

use std::ops::Range;

use hooks_core::definition::{Definition, Place, State};
use hooks_core::diagnostic::Diagnostic;
use hooks_core::document::{Member, Object, pointer_to};

use super::edits;
use super::hooks::Group;
use super::reader::Reader;

/// An object as it was meant: with the keys that it was to have.
pub(super) struct Meant {
    pub(super) object: Object,
    /// The first key that has to be another one, or the place of one that is missing.
    pub(super) cause: Range<usize>,
    /// Each key as it is meant, and as it is written.
    pub(super) names: Vec<(String, String)>,
}

impl Meant {
    /// The object with its misspelt keys as they are meant; `None` where none is. A rule picks keys that are no slip.
    pub(super) fn of<'k>(
        object: &Object,
        keys: impl Iterator<Item = &'k str> + Clone,
        is_other: impl Fn(&Member) -> bool,
    ) -> Option<Self> {
        let is_known = |member: &Member| keys.clone().any(|key| key == member.key) || is_other(member);
        if object.members.iter().all(is_known) {
            return None;
        }
        let mut free: Vec<&str> = keys.clone().filter(|key| object.get(key).is_none()).collect();
        let mut found: Option<Self> = None;
        for (at, member) in object.members.iter().enumerate() {
            if free.is_empty() || is_known(member) {
                continue;
            }
            let Some((name, true)) = edits::meant(&member.key, free.iter().copied()) else { continue };
            free.retain(|other| *other != name);
            let found = found.get_or_insert_with(|| Self {
                object: object.clone(),
                cause: member.key_range.clone(),
                names: Vec::new(),
            });
            if let Some(renamed) = found.object.members.get_mut(at) {
                found.names.push((name.to_owned(), std::mem::replace(&mut renamed.key, name.to_owned())));
            }
        }
        found
    }
}

impl Reader {
    /// Reads on in what counts for nothing because of a fault that is told of: what else is wrong there is told in the same
    /// run. What it defines is meant, and no more; nothing of it costs the document anything.
    pub(super) fn lost(&mut self, cause: Range<usize>, read: impl FnOnce(&mut Self)) {
        if self.told.is_none() {
            let of = |found: &Diagnostic| found.range.as_ref().map(|range| (found.code.id, range.start, range.end));
            self.told = Some(self.parsed.diagnostics.iter().filter_map(of).collect());
        }
        let assumed = std::mem::replace(&mut self.assumed, true);
        let before = self.lost.clone();
        self.lost.get_or_insert(cause);
        read(self);
        self.lost = before;
        self.assumed = assumed;
    }

    /// The same in an object some of whose keys were meant to be others.
    pub(super) fn lost_under(&mut self, meant: &Meant, pointer: &str, read: impl FnOnce(&mut Self)) {
        let before = self.renamed.len();
        let pair = |(meant, written): &(String, String)| (pointer_to(pointer, meant), pointer_to(pointer, written));
        self.renamed.extend(meant.names.iter().map(pair));
        self.lost(meant.cause.clone(), read);
        self.renamed.truncate(before);
    }

    /// Keeps a handler; one that does not run for what is wrong with it or around it also as it is meant.
    pub(super) fn keep(&mut self, group: &Group, made: Option<Definition>, pointer: String) {
        let Some(mut definition) = made else { return };
        let is_lost = self.lost.is_some();
        if let Some(why) = &group.dead {
            definition.state = State::Inert(why.clone());
        }
        if let (Some(event), true) = (group.event, is_lost || definition.state != State::Live) {
            let Definition { handler, range, .. } = &definition;
            let place = Place { event: event.facts.name.to_owned(), ..definition.place.clone() };
            let as_fired = super::definition(&definition.source, Some(event), place, range.clone(), handler.clone());
            self.mean(
                Definition {
                    matcher_text: definition.matcher_text.clone(),
                    matcher: definition.matcher.clone(),
                    condition: definition.condition.clone(),
                    failure: definition.failure,
                    dedup_key: definition.dedup_key.clone(),
                    ..as_fired
                },
                (!is_lost).then(|| pointer.clone()),
            );
        }
        if !is_lost {
            self.parsed.definitions.push(definition);
            self.pointers.push(pointer);
        }
    }

    /// Keeps a definition that does not count.
    pub(super) fn mean(&mut self, mut definition: Definition, pointer: Option<String>) {
        definition.state = State::Disabled("it does not count before what is wrong there is mended".to_owned());
        self.parsed.meant.push(definition);
        self.meant.push(pointer);
    }
}
