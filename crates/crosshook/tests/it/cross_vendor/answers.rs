//! Answers: what an event's table has a place for is said without a loss and heard as it was said; all else is reported.

use hooks_conformance::cross::{Row, Sayable, rows};
use serde::Deserialize;

use super::{EXCEPTIONS, all, read};

/// Rows of which the event table says more than an answer can, with why: `fixtures/neutral/exceptions.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    vendor: String,
    event: String,
    /// The parts of the boundary; absent for all.
    facets: Option<Vec<String>>,
    kinds: Vec<String>,
    why: String,
    source: String,
}

impl Exception {
    fn names(&self, row: &Row) -> bool {
        row.vendor.as_str() == self.vendor
            && row.event.name == self.event
            && self.facets.as_ref().is_none_or(|facets| facets.iter().any(|facet| facet == row.facet.as_str()))
            && self.kinds.iter().any(|kind| kind == row.kind)
    }
}

/// How a row breaks the law that the table gives it.
fn breach(row: &Row) -> Option<&'static str> {
    let reported = row.losses.iter().any(|loss| loss.is_about(&row.said));
    match row.sayable {
        Sayable::Yes if !row.kept => Some("the table has a place for it, and it does not come back as it was said"),
        Sayable::No if row.kept => Some("the table has no place for it, and it comes back all the same"),
        Sayable::No | Sayable::Open if !row.kept && !reported => {
            Some("it does not come back as it was said, and no loss is reported about it")
        }
        _ => None,
    }
}

#[test]
fn what_the_tables_have_a_place_for_is_said_and_all_else_is_reported() {
    let exceptions: Vec<Exception> = read(EXCEPTIONS);
    let mut used = vec![std::collections::BTreeSet::new(); exceptions.len()];
    let mut breaches = Vec::new();
    let mut seen = 0;
    for named in all() {
        for row in rows(named.adapter.as_ref()) {
            seen += 1;
            let Some(how) = breach(&row) else { continue };
            let mut excepted = false;
            for (exception, used) in exceptions.iter().zip(&mut used).filter(|(exception, _)| exception.names(&row)) {
                excepted = true;
                used.insert((row.facet, row.kind));
                assert!(!exception.why.is_empty() && !exception.source.is_empty(), "{exception:?}");
            }
            if !excepted {
                let Row { event, kind, facet, losses, heard, .. } = row;
                let facet = facet.as_str();
                breaches.push(format!(
                    "{} {} ({facet}), {kind}: {how}; losses {losses:?}, heard {heard:?}",
                    named.name, event.name
                ));
            }
        }
    }
    assert!(seen > 4000, "{seen} rows");
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
    for (exception, used) in exceptions.iter().zip(used) {
        let whole = exception.facets.as_ref().map_or(1, Vec::len) * exception.kinds.len();
        assert!(used.len() >= whole, "stale or too wide: {exception:?}, needed for {used:?}");
    }
}

/// Nobody's restraint becomes an approval, and nothing but an allow does.
#[test]
fn nothing_but_an_allow_is_heard_as_one() {
    use hooks_conformance::cross::decided;
    use hooks_core::effects::{HookEffects, Who};
    use hooks_core::{Action, Effect, Verdict};
    for named in all() {
        for row in rows(named.adapter.as_ref()) {
            let said = matches!(row.said, Effect::Verdict { verdict: Verdict::Allow, .. });
            let by = Who {
                binding: hooks_core::BindingId::new("a hook"),
                vendor: row.vendor.clone(),
                declared: 0,
                finished: 0,
                doubtful: false,
            };
            let heard = HookEffects { effects: row.heard, ..HookEffects::none(by) };
            let decision = decided(named.adapter.as_ref(), row.boundary, vec![heard]);
            let approved = decision.action == Action::Approve;
            assert!(said || !approved, "{} {}, {}", named.name, row.event.name, row.kind);
        }
    }
}
