//! Bindings that do not match cost no allocation, however many there are.

use hooks_core::activate::{AdmitAll, VendorSources, activate};
use hooks_core::host::HostProfile;
use hooks_core::select::select;
use hooks_core::session::SessionState;
use hooks_core::source::Origin;

use crate::toy::{self, Toy};

#[test]
fn selection_allocates_nothing_for_what_does_not_match() {
    let hooks: Vec<_> = (0..1000)
        .map(|n| match n % 2 {
            0 => format!(r#"{{"event":"before","matcher":"=tool{n}|other{n}"}}"#),
            _ => format!(r#"{{"event":"before","matcher":"tool{n}.*_(read|write)"}}"#),
        })
        .collect();
    let adapter = Toy::named("alpha");
    let text = format!(r#"{{"hooks":[{}]}}"#, hooks.join(","));
    let documents = vec![adapter.parse(&toy::source("alpha", Origin::User, "u", &text))];
    let vendors = vec![VendorSources { adapter, documents }];
    let snapshot = activate(vendors, &HostProfile::full(), &AdmitAll).expect("a snapshot");
    let envelope = toy::before_tool("x");
    let session = SessionState::default();
    // The engines build their caches on first use.
    assert_eq!(select(&snapshot, &envelope, &session).len(), 0);
    let counted = allocation_counter::measure(|| assert_eq!(select(&snapshot, &envelope, &session).len(), 0));
    assert_eq!(counted.count_total, 0);
}
