//! Selecting, reducing, settling and deciding over growing numbers of bindings and hooks, with allocation counts.
//!
//! `cargo bench -p hooks-core`. The curve over the arguments shows that ten times as much costs at most ten times.
#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../tests/it/toy.rs"]
mod toy;

use divan::{AllocProfiler, Bencher, black_box};
use hooks_core::activate::{AdmitAll, Snapshot, VendorSources, activate};
use hooks_core::boundary::Boundary;
use hooks_core::decide::decide;
use hooks_core::definition::BindingId;
use hooks_core::effects::{Effect, HookEffects, RunStatus, Verdict, Who, reduce};
use hooks_core::host::HostProfile;
use hooks_core::policy::MergePolicy;
use hooks_core::select::select;
use hooks_core::session::SessionState;
use hooks_core::settle::settle_all;
use hooks_core::source::Origin;
use hooks_core::vendor::VendorId;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// A snapshot of `n` bindings, half exact lists and half patterns, none of which matches `x`.
fn snapshot(n: usize) -> Snapshot {
    let hooks: Vec<_> = (0..n)
        .map(|n| match n % 2 {
            0 => format!(r#"{{"event":"before","matcher":"=tool{n}|other{n}"}}"#),
            _ => format!(r#"{{"event":"before","matcher":"tool{n}.*_(read|write)"}}"#),
        })
        .collect();
    let text = format!(r#"{{"hooks":[{}]}}"#, hooks.join(","));
    let adapter = toy::Toy::named("alpha");
    let documents = vec![adapter.parse(&toy::source("alpha", Origin::User, "u", &text))];
    activate(vec![VendorSources { adapter, documents }], &HostProfile::full(), &AdmitAll).expect("a snapshot")
}

#[divan::bench(args = [10, 100, 1000, 10000])]
fn select_none_of(bencher: Bencher<'_, '_>, n: usize) {
    let snapshot = snapshot(n);
    let envelope = toy::before_tool("x");
    let session = SessionState::default();
    bencher.bench_local(|| black_box(select(&snapshot, black_box(&envelope), &session).len()));
}

#[divan::bench(args = [10, 100, 1000, 10000])]
fn select_one_of(bencher: Bencher<'_, '_>, n: usize) {
    let snapshot = snapshot(n);
    let envelope = toy::before_tool("tool4");
    let session = SessionState::default();
    bencher.bench_local(|| black_box(select(&snapshot, black_box(&envelope), &session).len()));
}

fn effects(n: u32) -> Vec<HookEffects> {
    let vendors = ["alpha", "beta", "gamma"];
    (0..n)
        .map(|at| HookEffects {
            by: Who {
                binding: BindingId::new(&format!("b{at}")),
                vendor: VendorId::from_static(vendors[at as usize % vendors.len()]),
                declared: at,
                finished: n - 1 - at,
                doubtful: false,
            },
            status: RunStatus::Completed,
            failure: None,
            effects: vec![
                Effect::Verdict { verdict: Verdict::Deny, reasons: vec!["not on this branch".to_owned()] },
                Effect::Context("see the guide".to_owned()),
            ],
            notes: Vec::new(),
        })
        .collect()
}

#[divan::bench(args = [1, 10, 100, 1000, 10000])]
fn reduce_settle_decide(bencher: Bencher<'_, '_>, n: u32) {
    let host = HostProfile::full();
    bencher.with_inputs(|| effects(n)).bench_local_values(|hooks| {
        let settled = settle_all(reduce(hooks), |_| &MergePolicy::DECLARED, false);
        decide(settled, Boundary::ToolBefore, &host, SessionState::default())
    });
}
