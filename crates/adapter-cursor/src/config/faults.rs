//! Faults that take the whole file with them, keys that stand twice, and matchers that cannot count.

use std::collections::HashMap;
use std::ops::Range;

use hooks_core::definition::{Definition, Place, State};
use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::matcher::PatternError;
use hooks_core::text::display_line;
use hooks_core::{Diagnostic, Reach, Severity};

use super::{FILE_IS_READ, Reader, keys, quote, shapes};
use crate::codes;
use crate::events::Event;

/// Bytes up to which what is meant is shown in the help.
const LONGEST_IN_HELP: usize = 60;

/// The same where the fault does not count yet.
const FILE_STAYS_READ: &str = "the file can still be read once this counts";

impl Reader<'_> {
    /// Reports a fault that takes the whole file with it, and says so.
    pub(super) fn reject(&mut self, mut diagnostic: Diagnostic) {
        // What does not count cannot take anything with it.
        let counts = self.meant.iter().all(|meant| meant.once.is_none());
        self.parsed.rejected |= counts;
        diagnostic.message.push_str(match counts {
            true => "; none of the file's hooks run",
            false => "; once this hook counts, none of the file's hooks run",
        });
        if !counts {
            diagnostic.reach = Reach::Entry;
            if diagnostic.changes.as_deref() == Some(FILE_IS_READ) {
                diagnostic = diagnostic.changes(FILE_STAYS_READ);
            }
        }
        self.report(diagnostic);
    }

    pub(super) fn wrong_type(&mut self, node: &Node, pointer: String, what: &str, wanted: &str) {
        self.wrong_type_meant(node, pointer, what, wanted, None);
    }

    /// The same, where it shows what was meant.
    pub(super) fn wrong_type_meant(
        &mut self,
        node: &Node,
        pointer: String,
        what: &str,
        wanted: &str,
        meant: Option<String>,
    ) {
        let message = format!("{what} is {}, not {wanted}", node.phrase());
        let mut diagnostic = Diagnostic::new(&codes::WRONG_TYPE, Reach::File, message)
            .at(node.range.clone())
            .pointer(pointer)
            .help(format!("Write {wanted}."));
        if let Some(meant) = meant {
            if self.everything && meant.len() <= LONGEST_IN_HELP && !meant.contains('\n') {
                diagnostic = diagnostic.help(format!("Write {wanted}: {}.", display_line(&meant)));
            }
            diagnostic = diagnostic.edit(node.range.clone(), meant).changes(FILE_IS_READ);
        }
        self.reject(diagnostic);
    }

    /// Tells of keys that stand in an object twice, whose earlier value is lost without a word.
    pub(super) fn repeated(&mut self, object: &Object, pointer: &str, reach: Reach) {
        let members = &object.members;
        // Most objects have a few keys, where looking is cheaper than remembering.
        if members.len() <= 16
            && members.iter().enumerate().all(|(at, member)| members.iter().skip(at + 1).all(|o| o.key != member.key))
        {
            return;
        }
        let mut later: HashMap<&str, &Member> = HashMap::new();
        for member in members.iter().rev() {
            let Some(counts) = later.get(member.key.as_str()) else {
                later.insert(&member.key, member);
                continue;
            };
            // Keys of a file that are not read, such as remarks, lose nothing.
            let read = reach != Reach::File || keys::FILE.iter().any(|key| key.name == member.key);
            let message = format!("{} stands here more than once, and only the last one counts", quote(&member.key));
            let whole = member.key == keys::HOOKS.name;
            let diagnostic = Diagnostic::new(
                &codes::REPEATED_KEY,
                if reach == Reach::File && !whole { Reach::None } else { reach },
                message,
            )
            .severity(if read { self.lost(reach, member) } else { Severity::Info })
            .at(member.key_range.clone())
            .pointer(pointer_to(pointer, &member.key))
            .related("this one counts", counts.key_range.clone())
            .silent();
            self.report(diagnostic);
        }
    }

    /// How loud it is that a member counts for nothing: an error where it holds guards.
    fn lost(&self, reach: Reach, member: &Member) -> Severity {
        let guards = |member: &Member| {
            member.value.as_array().is_some_and(|entries| !entries.is_empty())
                && self.dialect.events.iter().any(|event| event.facts.name == member.key && event.can_block())
        };
        let lost = self.everything
            && match reach {
                Reach::Event => guards(member),
                Reach::File if member.key == keys::HOOKS.name => {
                    member.value.as_object().is_some_and(|events| events.members.iter().any(guards))
                }
                _ => false,
            };
        if lost { Severity::Error } else { Severity::Warning }
    }

    /// How loud a fault is that keeps a hook from running: louder when the hook could have blocked something.
    pub(super) fn severity(event: &Event) -> Severity {
        if event.can_block() { Severity::Error } else { Severity::Warning }
    }

    /// A field that should be a string; `None` when it is not there or is none, which is then reported.
    pub(super) fn string<'n>(&mut self, object: &'n Object, key: &str, pointer: &str) -> Option<&'n str> {
        let node = object.get(key)?;
        if node.as_str().is_none() {
            self.wrong_type(node, pointer_to(pointer, key), &format!("`{key}`"), "a string");
        }
        node.as_str()
    }

    /// What there is to say of a prompt hook on a host that runs none.
    pub(super) fn prompt_skipped(&self, event: &Event, place: &Place) -> String {
        let skipped = format!("{place} is a prompt hook, which this host does not run");
        match event.can_block() {
            true => format!("{skipped}, so nothing guards the {}", event.noun()),
            false => skipped,
        }
    }

    pub(super) fn matcher_fault(
        &mut self,
        event: &Event,
        error: PatternError,
        node: &Node,
        pointer: String,
        definition: &mut Definition,
    ) {
        let place = &definition.place;
        match error {
            PatternError::CannotRun(why) => {
                let message = format!("the matcher of {place} cannot be run here: {}", display_line(&why));
                self.report(
                    Diagnostic::new(&codes::MATCHER_CANNOT_RUN, Reach::Entry, message)
                        .severity(Self::severity(event))
                        .at(node.range.clone())
                        .pointer(pointer)
                        .silent(),
                );
            }
            error => {
                let why = display_line(&error.to_string()).into_owned();
                let message = format!(
                    "{}: the matcher of {place} is not a regular expression: {why}",
                    display_line(&self.source.path)
                );
                if definition.state == State::Live {
                    definition.state = State::Inert(format!("its matcher is not a regular expression: {why}"));
                }
                let mut diagnostic = Diagnostic::new(&codes::MATCHER_NOT_REGEX, Reach::Entry, message)
                    .severity(Self::severity(event))
                    .at(node.range.clone())
                    .pointer(pointer);
                if let Some(help) = shapes::help_with_regex(self.options.regex, node.as_str().unwrap_or_default()) {
                    diagnostic = diagnostic.help(help);
                }
                self.report(diagnostic);
            }
        }
    }

    pub(super) fn matcher_ignored(
        &mut self,
        event: &Event,
        node: &Node,
        pointer: String,
        member: Option<Range<usize>>,
    ) {
        let message = format!("{} tests no matcher, so the hook runs every time", event.facts.name);
        let mut diagnostic =
            Diagnostic::new(&codes::MATCHER_IGNORED, Reach::Entry, message).at(node.range.clone()).pointer(pointer);
        if let Some(member) = member {
            diagnostic = diagnostic.edit(member, "");
        }
        self.report(diagnostic);
    }
}
