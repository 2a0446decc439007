//! What counts for nothing until a fault that is told of is mended: read as it is meant, for its other faults.

use std::ops::Range;

use hooks_core::definition::{Definition, State};
use hooks_core::document::{Member, Node, Object, pointer_to};
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::lint::nearest::nearest;

use super::entry::{fields, handler, in_milliseconds, place, prompt_not_in_cloud, read_entry, words_of_command};
use super::keys::{self, Kind};
use super::{Reader, definition};
use crate::events::Event;

/// Why something in a document counts for nothing until a fault that is told of is mended.
pub(super) struct Meant {
    /// Where that fault is and what holds once it is mended; `None` where it takes the whole file with it, which its own
    /// message says.
    pub(super) once: Option<(Range<usize>, String)>,
    /// The pointer of a key as it was meant, and as it is written.
    pub(super) pointer: Option<(String, String)>,
}

impl Reader<'_> {
    /// Reads on in what counts for nothing because of a fault that was told of, for its other faults: what it defines is
    /// meant and no more.
    pub(super) fn as_meant(&mut self, meant: Meant, read: impl FnOnce(&mut Self)) {
        if self.everything {
            self.meant.push(meant);
            read(self);
            self.meant.pop();
        }
    }

    /// The same for what stands under a key that has to be written otherwise, or in another place.
    pub(super) fn once(&mut self, key: &Range<usize>, once: impl Into<String>, read: impl FnOnce(&mut Self)) {
        self.as_meant(Meant { once: Some((key.clone(), once.into())), pointer: None }, read);
    }

    /// Keeps a definition that counts for nothing.
    pub(super) fn mean(&mut self, mut definition: Definition) {
        if self.everything {
            definition.state = State::Disabled("it does not count before its faults are mended".to_owned());
            self.parsed.meant.push(definition);
        }
    }
}

/// A command that stands where a hook belongs.
pub(super) fn mean_command(
    reader: &mut Reader<'_>,
    (_, event): (usize, &'static Event),
    index: usize,
    node: &Node,
    command: &str,
) {
    let handler = Handler::Command(CommandHandler { command: command.to_owned(), ..CommandHandler::default() });
    let range = node.range.clone();
    let meant = definition(reader.dialect, reader.options, event, reader.source, place(event, index), range, handler);
    reader.mean(meant);
}

/// The kind that a hook shows to be meant, whatever its type says.
pub(super) fn meant_kind(object: &Object) -> Option<Kind> {
    let word = object.get(keys::TYPE.name).and_then(Node::as_str).unwrap_or_default();
    let near = nearest(word, Kind::ALL.map(Kind::word)).and_then(|near| Kind::of(near.name));
    near.or_else(|| Kind::ALL.into_iter().find(|kind| object.get(kind.needs().name).is_some()))
}

/// Whether a hook is a prompt that does not say so.
pub(super) fn lacks_type(object: &Object) -> bool {
    let has = |key: &keys::Key| object.get(key.name).is_some();
    has(&keys::PROMPT) && !has(&keys::COMMAND) && !has(&keys::TYPE)
}

/// What a hook without a handler was meant to run: the command under a key that is misspelt, a prompt that does not say
/// that it is one. The file is rejected for it already.
pub(super) fn meant_handler(
    reader: &mut Reader<'_>,
    event: &Event,
    entry: &Node,
    object: &Object,
    pointer: &str,
    renamed: &[(&Member, &'static str)],
) -> Option<Handler> {
    if !reader.everything {
        return None;
    }
    if lacks_type(object) {
        prompt_not_in_cloud(reader, event, Some(Kind::Prompt), &entry.range, pointer);
        return handler(reader, event, Kind::Prompt, entry, object, pointer);
    }
    if let Some(command) = object.get(keys::COMMAND.name).and_then(words_of_command) {
        return Some(Handler::Command(CommandHandler { command, ..CommandHandler::default() }));
    }
    let (member, _) = renamed.iter().find(|(_, name)| *name == keys::COMMAND.name)?;
    let command = member.value.as_str().filter(|command| !command.trim().is_empty())?;
    Some(Handler::Command(CommandHandler { command: command.to_owned(), ..CommandHandler::default() }))
}

/// Reads what stands under misspelt keys as it is meant.
pub(super) fn renamed_fields(
    reader: &mut Reader<'_>,
    event: &'static Event,
    pointer: &str,
    renamed: &[(&Member, &'static str)],
    definition: &mut Definition,
) {
    for (member, name) in renamed {
        let mut meant = (*member).clone();
        meant.key = (*name).to_owned();
        let object = Object { members: vec![meant] };
        let once = Some((member.key_range.clone(), format!("once this is `{name}`")));
        let pointers = Some((pointer_to(pointer, name), pointer_to(pointer, &member.key)));
        let mut scratch = definition.clone();
        reader.as_meant(Meant { once, pointer: pointers }, |reader| {
            if *name == keys::COMMAND.name {
                handler(reader, event, Kind::Command, &member.value, &object, pointer);
            } else if *name != keys::TIMEOUT.name || !in_milliseconds(member) {
                fields(reader, event, &object, pointer, &mut scratch);
            }
        });
    }
}

/// Reads the hooks of a group as Claude's settings file has it as if they stood flat.
pub(super) fn inner_hooks(reader: &mut Reader<'_>, row: (usize, &'static Event), group: &Object, pointer: &str) {
    let Some(hooks) = group.get(keys::HOOKS.name).and_then(Node::as_array) else { return };
    let base = pointer_to(pointer, keys::HOOKS.name);
    // The group takes the whole file with it, which is told.
    reader.as_meant(Meant { once: None, pointer: None }, |reader| {
        for (index, hook) in hooks.iter().enumerate() {
            read_entry(reader, row, index, hook, &pointer_to(&base, &index.to_string()));
        }
    });
}
