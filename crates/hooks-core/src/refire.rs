//! Firing a rewritten input again: a rewrite must not slip past the other guards.
//!
//! All hooks of a firing saw the original input. Where bindings of another event or vendor could object to the new one,
//! it is fired once more at those, and what they said about the original no longer approves anything. Within one
//! vendor's one event the vendor's own rule holds.
//!
//! A host that does not use the runtime's dispatcher does the same in four steps: [`rewritten`] gives the occurrence
//! with the new input, [`guards`] the bindings to run on it, and, once they ran, [`settle_again`] what both rounds come
//! to; also where there are no guards, since what was said about the original then still approves nothing. A strict host,
//! and one that cannot run hooks a second time, denies with [`refuse`] where there are guards.

use std::collections::BTreeSet;

use crate::activate::Snapshot;
use crate::boundary::Boundary;
use crate::channel::Channel;
use crate::definition::Binding;
use crate::effects::{Effect, Item, Items, Verdict, Who};
use crate::envelope::{Envelope, Payload};
use crate::host::HostProfile;
use crate::policy::MergePolicy;
use crate::select::{Choice, select};
use crate::session::SessionState;
use crate::settle::{Dropped, Settled, deny_by_host, restrains, settle_all};
use crate::vendor::VendorId;

/// What the host writes when a rewrite was itself rewritten after it was fired again.
pub const REWRITTEN_TWICE: &str =
    "a hook rewrote the input again after another hook had rewritten it, so the call was not made";

/// What the host writes when a rewrite could not be shown to the other guards.
pub const NOT_SHOWN: &str = "a hook rewrote the input, and other hooks that guard it could not be asked about the new one, so the call was not made";

/// The occurrence with its rewritten input, where the host would make that call. `None` where there is no rewrite, the
/// host cannot apply it, or it was refused (deciding denies then).
#[must_use]
pub fn rewritten(envelope: &Envelope, settled: &Settled, host: &HostProfile) -> Option<Envelope> {
    if !host.applies(Channel::ReplacementInput) {
        return None;
    }
    let rewrite = &settled.input.as_ref()?.value;
    let mut call = rewrite.call.as_ref().ok()?.call.clone();
    call.raw.get_or_insert_with(|| rewrite.raw.clone());
    let mut envelope = envelope.clone();
    match &mut envelope.payload {
        Payload::ToolBefore(tool) => tool.call = call,
        Payload::PermissionRequest(request) => request.tool.call = call,
        _ => return None,
    }
    Some(envelope)
}

/// Whether a rewrite on this boundary has no place in the occurrence, so that nobody else can be asked about it.
#[must_use]
pub fn has_no_place(settled: &Settled, boundary: Boundary) -> bool {
    let has_place = matches!(boundary, Boundary::ToolBefore | Boundary::PermissionRequest);
    boundary.is_pending() && settled.input.is_some() && !has_place
}

/// The bindings that must see a rewritten occurrence: those of another event or vendor than the rewriter's that can
/// block and match it, whether the original concerned them or not.
#[must_use]
pub fn guards<'s>(
    snapshot: &'s Snapshot,
    settled: &Settled,
    rewritten: &Envelope,
    session: &SessionState,
) -> Vec<Choice<'s>> {
    let own = rewriter(snapshot.bindings(), settled);
    select(snapshot, rewritten, session).into_iter().filter(|choice| objects(own, choice.binding)).collect()
}

/// Whether a binding could object to a rewrite: it can block, and is of another event or vendor than the rewriter's.
#[must_use]
pub fn could_object(snapshot: &Snapshot, settled: &Settled, binding: &Binding) -> bool {
    objects(rewriter(snapshot.bindings(), settled), binding)
}

fn objects(rewriter: Option<&Binding>, binding: &Binding) -> bool {
    binding.can_block() && !rewriter.is_some_and(|own| same_event(own, binding))
}

/// What both rounds of a firing come to: `first` are the items of the round on the original input, `second` those of the
/// guards that ran on the rewritten one.
///
/// Of other events and vendors an allow of the original input counts no more; what restrained it stays; for the rest, a
/// guard that was asked again has spoken anew. A second rewrite denies, unless it is the one already made.
#[must_use]
pub fn settle_again<'p>(
    snapshot: &Snapshot,
    settled: &Settled,
    first: Items,
    second: Items,
    policy: impl Fn(&VendorId) -> &'p MergePolicy,
    strict: bool,
) -> Settled {
    let own = rewriter(snapshot.bindings(), settled);
    let of = |by: &Who| snapshot.bindings().iter().find(|binding| binding.declared == by.declared);
    let asked_again: BTreeSet<u32> = second.runs.iter().map(|run| run.by.declared).collect();
    let raw = settled.input.as_ref().map(|said| &said.value.raw);

    let mut dropped = Vec::new();
    let mut drop = |Item { by, effect }: Item, why: &str| {
        dropped.push(Dropped { by: Some(by), effect, why: why.to_owned() });
    };
    let mut items = Items { items: Vec::new(), runs: first.runs };
    for item in first.items {
        let is_own = match (own, of(&item.by)) {
            (Some(own), Some(binding)) => same_event(own, binding),
            _ => false,
        };
        if is_own {
            items.items.push(item);
        } else if matches!(item.effect, Effect::Verdict { verdict: Verdict::Allow, .. }) {
            drop(item, "it was said about the input before it was rewritten");
        } else if asked_again.contains(&item.by.declared) && !restrains(&item.effect) {
            drop(item, "its hook was asked again about the rewritten input");
        } else {
            items.items.push(item);
        }
    }
    let mut rewritten_twice = false;
    items.runs.extend(second.runs);
    for item in second.items {
        match &item.effect {
            Effect::ReplaceInput(rewrite) => {
                let same = raw == Some(&rewrite.raw) && rewrite.call.is_ok();
                rewritten_twice |= !same;
                drop(
                    item,
                    if same { "the input was rewritten so already" } else { "the input had been rewritten already" },
                );
            }
            _ => items.items.push(item),
        }
    }
    let mut all = settle_all(items, policy, strict);
    all.report.dropped.extend(dropped);
    if rewritten_twice {
        deny_by_host(&mut all, REWRITTEN_TWICE);
    }
    all
}

/// The settlement as a denial, for a host that may not or cannot show a rewrite to the other guards.
#[must_use]
pub fn refuse(mut settled: Settled) -> Settled {
    deny_by_host(&mut settled, NOT_SHOWN);
    settled
}

/// The binding whose rewrite counts.
fn rewriter<'b>(bindings: &'b [Binding], settled: &Settled) -> Option<&'b Binding> {
    let by = settled.input.as_ref()?.by.as_ref()?;
    bindings.iter().find(|binding| binding.declared == by.declared)
}

fn same_event(one: &Binding, other: &Binding) -> bool {
    one.vendor == other.vendor && one.place.event == other.place.event
}
