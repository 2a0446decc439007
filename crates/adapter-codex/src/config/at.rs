//! Places in a document as a chain of steps: a pointer is only written out for what is reported.

use hooks_core::document::pointer_to;

/// A place in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'p> {
    parent: Option<&'p At<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Base(&'p str),
    Key(&'p str),
    Index(usize),
}

impl<'p> At<'p> {
    /// A place by its pointer.
    pub(crate) const fn base(pointer: &'p str) -> Self {
        Self { parent: None, step: Step::Base(pointer) }
    }

    /// The value of a key there.
    pub(crate) const fn key(&'p self, key: &'p str) -> Self {
        Self { parent: Some(self), step: Step::Key(key) }
    }

    /// An element there.
    pub(crate) const fn index(&'p self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index) }
    }

    /// Whether this is the whole document.
    pub(crate) const fn is_root(&self) -> bool {
        match self.step {
            Step::Base(pointer) => pointer.is_empty(),
            _ => false,
        }
    }

    /// The JSON pointer.
    pub(crate) fn pointer(&self) -> String {
        let parent = self.parent.map(At::pointer).unwrap_or_default();
        match self.step {
            Step::Base(pointer) => pointer.to_owned(),
            Step::Key(key) => pointer_to(&parent, key),
            Step::Index(index) => pointer_to(&parent, &index.to_string()),
        }
    }
}
