//! What a back-reference can find when it is reached.
//!
//! JavaScript forgets the captures of a group's inside at the start of every iteration, lets a reference to a group
//! that captured nothing match the empty text, and refuses an iteration that takes nothing. `fancy-regex` does none of
//! this. Where that can make a difference the pattern is refused; where it cannot, the reference becomes one that
//! `fancy-regex` can write, or nothing.

use std::collections::{BTreeSet, HashMap};

use super::super::PatternError;
use super::syntax::{Node, repeat};

/// What a back-reference means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reference {
    /// The group has never captured when the reference is reached: the empty text.
    Nothing,
    /// The group has always captured.
    Always,
    /// The group may have captured; if not, the empty text.
    Perhaps,
}

/// One step from the root to a node: the parent, what it is, and which child was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    id: usize,
    kind: Kind,
    child: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sequence,
    Choice,
    Group(Option<usize>),
    LookAhead,
    NegativeLookAhead,
    LookBehind,
    Repeat {
        optional: bool,
        again: bool,
        takes_nothing: bool,
    },
    /// A repetition that never happens.
    Dropped,
}

#[derive(Default)]
struct Walk {
    next: usize,
    path: Vec<Step>,
    referred: BTreeSet<usize>,
    groups: HashMap<usize, Vec<Step>>,
    references: Vec<(usize, Vec<Step>)>,
}

/// Times that references are settled anew: one that finds nothing can make a repetition go, with the group in it.
const ROUNDS: usize = 4;

/// Settles every back-reference of a pattern: what is left of them finds what JavaScript finds.
pub(super) fn settle(root: &mut Node) -> Result<(), PatternError> {
    for _ in 0..ROUNDS {
        let mut walk = Walk::default();
        find_referred(root, &mut walk.referred);
        if walk.referred.is_empty() {
            return Ok(());
        }
        walk.visit(root);
        let mut references = Vec::with_capacity(walk.references.len());
        for (number, path) in &walk.references {
            references.push(match walk.groups.get(number) {
                Some(group) => reference(*number, group, path)
                    .map_err(|why| PatternError::CannotRun(format!("its back-reference to group {number} {why}")))?,
                None => Reference::Nothing,
            });
        }
        let settled = !references.contains(&Reference::Nothing);
        replace(root, &mut references.into_iter());
        if settled {
            return Ok(());
        }
    }
    Err(PatternError::CannotRun("its back-references depend on one another".to_owned()))
}

/// The groups that a pattern refers to.
pub(super) fn find_referred(node: &Node, referred: &mut BTreeSet<usize>) {
    match node {
        Node::Captured { number, .. } => {
            referred.insert(*number);
        }
        Node::Group { body, .. } | Node::Look { body, .. } | Node::Repeat { body, .. } => find_referred(body, referred),
        Node::Sequence(nodes) | Node::Choice(nodes) => nodes.iter().for_each(|node| find_referred(node, referred)),
        Node::Empty | Node::Set(_) | Node::Start | Node::End | Node::WordBoundary { .. } => {}
    }
}

/// Writes the references into the pattern, in order.
fn replace(node: &mut Node, references: &mut impl Iterator<Item = Reference>) {
    match node {
        Node::Captured { perhaps, .. } => match references.next() {
            Some(Reference::Always) => *perhaps = false,
            Some(Reference::Perhaps) => *perhaps = true,
            Some(Reference::Nothing) | None => *node = Node::Empty,
        },
        Node::Repeat { min, max, lazy, body } => {
            replace(body, references);
            let body = std::mem::replace(&mut **body, Node::Empty);
            *node = repeat(body, (*min, *max), *lazy);
        }
        Node::Group { body, .. } | Node::Look { body, .. } => replace(body, references),
        Node::Sequence(nodes) | Node::Choice(nodes) => {
            for node in nodes {
                replace(node, references);
            }
        }
        Node::Empty | Node::Set(_) | Node::Start | Node::End | Node::WordBoundary { .. } => {}
    }
}

impl Walk {
    fn visit(&mut self, node: &Node) {
        let id = self.next;
        self.next += 1;
        match node {
            Node::Empty | Node::Set(_) | Node::Start | Node::End | Node::WordBoundary { .. } => {}
            Node::Captured { number, .. } => self.references.push((*number, self.path.clone())),
            Node::Group { number, body } => {
                if let Some(number) = number.filter(|number| self.referred.contains(number)) {
                    self.groups.insert(number, self.path.clone());
                }
                self.below(Step { id, kind: Kind::Group(*number), child: 0 }, body);
            }
            Node::Look { behind, negative, body } => {
                let kind = match (behind, negative) {
                    (true, _) => Kind::LookBehind,
                    (false, true) => Kind::NegativeLookAhead,
                    (false, false) => Kind::LookAhead,
                };
                self.below(Step { id, kind, child: 0 }, body);
            }
            Node::Repeat { max: 0, body, .. } => self.below(Step { id, kind: Kind::Dropped, child: 0 }, body),
            Node::Repeat { min, max, body, .. } => {
                let kind = Kind::Repeat { optional: *min == 0, again: *max > 1, takes_nothing: body.takes_nothing() };
                self.below(Step { id, kind, child: 0 }, body);
            }
            Node::Sequence(nodes) | Node::Choice(nodes) => {
                let kind = if matches!(node, Node::Choice(_)) { Kind::Choice } else { Kind::Sequence };
                for (child, node) in nodes.iter().enumerate() {
                    self.below(Step { id, kind, child }, node);
                }
            }
        }
    }

    fn below(&mut self, step: Step, node: &Node) {
        self.path.push(step);
        self.visit(node);
        self.path.pop();
    }
}

fn reference(number: usize, group: &[Step], reference: &[Step]) -> Result<Reference, &'static str> {
    if reference.iter().any(|step| step.kind == Kind::Group(Some(number))) {
        return Ok(Reference::Nothing);
    }
    if group.iter().chain(reference).any(|step| step.kind == Kind::LookBehind) {
        return Err("has to do with a look-behind");
    }
    let shared = group.iter().zip(reference).take_while(|(left, right)| left == right).count();
    let (around, below) = group.split_at(shared);
    match (below.first(), reference.get(shared)) {
        (Some(group), Some(reference)) if group.kind == Kind::Sequence && group.child < reference.child => {}
        // Another alternative, or a group that begins only behind the reference.
        _ => return Ok(Reference::Nothing),
    }
    if below.iter().any(|step| matches!(step.kind, Kind::NegativeLookAhead | Kind::Dropped)) {
        return Ok(Reference::Nothing);
    }
    let (mut perhaps, mut in_loop) = (false, false);
    for step in below {
        match step.kind {
            Kind::Choice | Kind::Repeat { optional: true, again: false, .. } if in_loop => {
                return Err("may find what an earlier iteration captured");
            }
            Kind::Choice => perhaps = true,
            Kind::Repeat { again: true, takes_nothing: true, .. } => {
                return Err("is to a group in a repetition that may take nothing");
            }
            Kind::Repeat { optional, again, .. } => {
                if optional && in_loop {
                    return Err("may find what an earlier iteration captured");
                }
                perhaps |= optional;
                in_loop |= again;
            }
            Kind::LookAhead if perhaps || in_loop => return Err("is to a group in a look-ahead that is optional"),
            _ => {}
        }
    }
    if perhaps && around.iter().any(|step| matches!(step.kind, Kind::Repeat { again: true, .. })) {
        return Err("may find what an earlier iteration captured");
    }
    Ok(if perhaps { Reference::Perhaps } else { Reference::Always })
}
