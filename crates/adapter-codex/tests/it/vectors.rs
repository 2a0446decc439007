//! Every conformance vector of the vendor.

use std::sync::Arc;

use adapter_codex::{Adapter, DIALECT, Options};
use hooks_conformance::{Filter, load, run};
use hooks_core::HostSide;

fn adapter(vendor: &str, client: Option<&str>, _profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
    if vendor != "codex" {
        return None;
    }
    let version = client.map_or(DIALECT.latest, |client| client.parse().expect("a version"));
    Some(Arc::new(Adapter::new(&DIALECT, version, Options::default())))
}

#[test]
fn every_vector_holds() {
    let files = load(&crate::fixtures("vectors/codex")).expect("vectors");
    let report = run(&files, &adapter, &Filter::default());
    for failure in report.failures.iter().take(20) {
        eprintln!(
            "{} {}: {}\n  expected {}\n  actual   {}",
            failure.file, failure.id, failure.message, failure.expected, failure.actual
        );
    }
    assert!(report.failures.is_empty(), "{} of {} fail", report.failed, report.passed + report.failed);
    assert!(report.passed > 2000, "{} vectors", report.passed);
    assert!(report.skipped.is_empty(), "{:?}", report.skipped);
}
