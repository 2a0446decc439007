//! Faults that cost what they stand in or the whole file, and keys and events that stand twice.

use std::ops::Range;

use hooks_core::diagnostic::{Code, Diagnostic, Reach, Severity};
use hooks_core::document::{Member, Object, pointer_to};
use hooks_core::lint::values::member_bytes;

use super::reader::Reader;
use super::{drops_file, edits, keys};
use crate::codes;
use crate::events::Event;

impl Reader {
    /// A fault that costs what it stands in, or the whole file. What mends it is added by the caller, who reports it.
    pub(super) fn faulty(
        &mut self,
        event: Option<&Event>,
        code: &'static Code,
        costs: Reach,
        message: String,
        at: Range<usize>,
        pointer: &str,
    ) -> Diagnostic {
        let drops = !self.assumed && event.is_some_and(|event| drops_file(event, self.version));
        let (reach, message) = match drops {
            true => (Reach::File, format!("{message}; {}", self.form.drops_for_guard())),
            false => (costs, message),
        };
        self.parsed.rejected |= drops;
        Diagnostic::new(code, reach, message).at(at).pointer(pointer)
    }

    /// Keys of an object that stand again further down, of those that a rule picks. `event` is the one of a group.
    pub(super) fn repeated_keys(
        &mut self,
        object: &Object,
        event: Option<&Event>,
        pointer: &str,
        picked: impl Fn(&str) -> bool,
    ) {
        for (at, later) in edits::repeated(object) {
            let Some(member) = object.members.get(at).filter(|member| picked(&member.key)) else { continue };
            let message = format!("`{}` stands again further down, and only that one counts", member.key);
            let mut diagnostic = Diagnostic::new(&codes::REPEATED_KEY, Reach::Entry, message);
            let lost = member.key == keys::HOOKS.name;
            if lost && pointer.is_empty() {
                diagnostic.reach = Reach::File;
                diagnostic = diagnostic.severity(Severity::Error).help("Put all events into one `hooks`.");
            } else if lost && member.value.as_array().is_some_and(|handlers| !handlers.is_empty()) {
                diagnostic.reach = Reach::Group;
                diagnostic = diagnostic.help("Join both arrays under one `hooks`.");
                if event.is_some_and(Event::can_block) {
                    diagnostic = diagnostic.severity(Severity::Error);
                }
            } else if self.is_json() {
                let bytes = member_bytes(object, at);
                diagnostic = bytes.into_iter().fold(diagnostic, |found, bytes| found.edit(bytes, ""));
            }
            self.report(
                diagnostic
                    .at(member.key_range.clone())
                    .pointer(pointer_to(pointer, &member.key))
                    .related("this one counts", later.key_range.clone())
                    .silent(),
            );
        }
    }

    /// An event that stands again further down.
    pub(super) fn repeated_event(&mut self, events: &Object, at: usize, later: &Member, pointer: &str) {
        let Some(member) = events.members.get(at) else { return };
        let event = self.event(&member.key);
        let message = format!("`{}` stands again further down, and only that one counts", member.key);
        let mut diagnostic = Diagnostic::new(&codes::DUPLICATE_EVENT, Reach::Event, message);
        let groups = member.value.as_array().unwrap_or_default();
        if event.is_some_and(Event::can_block) && !groups.is_empty() {
            diagnostic = diagnostic.severity(Severity::Error);
        }
        let whole = member_bytes(events, at);
        if let (Some(whole), Some(_), Some(all), true) =
            (whole, member.value.as_array(), later.value.as_array(), self.is_json())
        {
            let mut text = match (groups.first(), groups.last()) {
                (Some(first), Some(last)) => self.raw(&(first.range.start..last.range.end)),
                _ => String::new(),
            };
            if !(text.is_empty() || all.is_empty()) {
                text.push_str(", ");
            }
            // The groups that are lost go before those that count.
            let start = later.value.range.start + 1;
            diagnostic =
                diagnostic.edit(whole, "").edit(start..start, text).changes("the groups that were lost run too");
        }
        self.report(
            diagnostic
                .at(member.key_range.clone())
                .pointer(pointer)
                .related("this one counts", later.key_range.clone())
                .silent(),
        );
    }
}
