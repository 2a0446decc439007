//! What takes several documents or several vendors to see: whose event, key or tool a name is, what runs twice,
//! what a plugin's own servers are called, and files that nobody reads.
//!
//! Where an adapter has told of a fault already, what other vendors' tables know of it is added to what it told: one fault
//! is one finding. No list of names is typed here that an adapter has: events come from its table, tools from what it
//! calls them, keys from what its parser says of them.

mod events;
mod keys;
mod servers;
mod shape;
mod tools;
mod twice;
mod unread;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use hooks_core::document::Node;
use hooks_core::{Diagnostic, HostSide, Parsed};

use super::Input;
use super::command::look::Disk;
use super::command::{called, place};
pub(super) use tools::Toolbox;

/// What there is to tell beside what the adapters found, in any order; each diagnostic has its document's path.
#[must_use]
pub fn check(input: &Input<'_>) -> Vec<Diagnostic> {
    check_with(input, &Disk::new(input.root, input.home))
}

/// The same with a view of the file system that others looked through already.
pub(super) fn check_with(input: &Input<'_>, disk: &Disk) -> Vec<Diagnostic> {
    let mut documents = Documents::of(input);
    let mut found = twice::check(input, &mut documents);
    found.extend(servers::check(input, disk, &mut documents));
    found.extend(unread::check(input, disk));
    found
}

/// Adds what only other vendors' tables tell to what the adapters found, and tells of tools of other vendors where they
/// found nothing.
pub fn enrich(input: &Input<'_>, found: &mut Vec<Diagnostic>) {
    enrich_with(input, &Toolbox::of(input.adapters), found);
}

/// The same with what other projects of the check asked the adapters already.
pub(super) fn enrich_with(input: &Input<'_>, toolbox: &Toolbox, found: &mut Vec<Diagnostic>) {
    let mut documents = Documents::of(input);
    let mut known = keys::Known::default();
    for diagnostic in found.iter_mut() {
        let Some(document) = documents.get(&diagnostic.path) else { continue };
        // Codes of the adapters are the vendor's; those of others say all there is to say.
        if !diagnostic.code.id.starts_with(document.adapter.vendor().as_str()) {
            continue;
        }
        match diagnostic.code.about {
            "unknown-event" => events::enrich(input, document, diagnostic),
            "unknown-field" | "unknown-root-key" => keys::enrich(input, document, &mut known, diagnostic),
            "missing-field" | "handler-in-place-of-group" => shape::enrich(input, document, diagnostic),
            _ => {}
        }
    }
    shape::one_fault_once(&mut documents, found);
    tools::check(input, toolbox, &mut documents, found);
}

/// A document with its adapter and its tree.
pub(crate) struct Document<'a> {
    adapter: &'a dyn HostSide,
    parsed: &'a Parsed,
    tree: Option<Node>,
    /// The pointers of the tree's objects by the bytes that they take up, once somebody asks.
    objects: OnceCell<HashMap<(usize, usize), Vec<String>>>,
}

/// The documents by their paths, each read as a tree when it is first asked for.
struct Documents<'a> {
    all: HashMap<&'a str, (&'a dyn HostSide, &'a Parsed)>,
    read: HashMap<&'a str, Document<'a>>,
}

impl<'a> Documents<'a> {
    fn of(input: &Input<'a>) -> Self {
        let all = input.vendors.iter().flat_map(|vendor| {
            vendor.documents.iter().map(|parsed| (parsed.source.path.as_str(), (&*vendor.adapter, parsed)))
        });
        Self { all: all.collect(), read: HashMap::new() }
    }

    fn get(&mut self, path: &str) -> Option<&Document<'a>> {
        let (path, (adapter, parsed)) = self.all.get_key_value(path)?;
        let read = || Document {
            adapter: *adapter,
            parsed,
            tree: place::tree_as_meant(&parsed.source),
            objects: OnceCell::new(),
        };
        Some(self.read.entry(path).or_insert_with(read))
    }
}

impl Document<'_> {
    /// The value at a JSON pointer.
    fn at(&self, pointer: &str) -> Option<&Node> {
        place::at(self.tree.as_ref()?, pointer)
    }

    /// The entry that takes up these bytes and has one of these keys, with its pointer.
    fn entry(&self, range: &Range<usize>, keys: &[&str]) -> Option<(&Node, &str)> {
        let tree = self.tree.as_ref()?;
        let objects = self.objects.get_or_init(|| place::objects(tree));
        let pointers = objects.get(&(range.start, range.end))?;
        let nodes = || pointers.iter().filter_map(|pointer| Some((place::at(tree, pointer)?, pointer.as_str())));
        let has = |node: &Node, key: &str| node.as_object().is_some_and(|object| object.get(key).is_some());
        keys.iter().find_map(|key| nodes().find(|(node, _)| has(node, key)))
    }

    /// The vendor's name for a person.
    fn vendor(&self) -> &'static str {
        called(self.adapter.vendor().as_str())
    }

    /// Whether the adapter itself has named another vendor.
    fn is_told(&self, input: &Input<'_>, diagnostic: &Diagnostic) -> bool {
        let others = input.adapters.iter().map(|adapter| called(adapter.vendor().as_str()));
        let others = others.filter(|name| *name != self.vendor()).chain(["Claude's", "Copilot"]);
        others.into_iter().any(|name| diagnostic.message.contains(name))
    }
}

/// The last step of a JSON pointer, as a key.
fn last_key(pointer: &str) -> Option<String> {
    let step = pointer.rsplit_once('/')?.1;
    Some(step.replace("~1", "/").replace("~0", "~"))
}

/// Names in a sentence: `A`, `A and B`, `A, B and C`.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_people_do() {
        assert_eq!(list(&["A"]), "A");
        assert_eq!(list(&["A", "B"]), "A and B");
        assert_eq!(list(&["A", "B", "C"]), "A, B and C");
        assert_eq!(last_key("/hooks/a~1b").as_deref(), Some("a/b"));
    }
}
