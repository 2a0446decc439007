//! Every conformance vector of the vendor, through the face it is about.

use std::path::PathBuf;
use std::sync::Arc;

use adapter_cursor::{phase1, seed, vendor};
use hooks_conformance::{Filter, load, run};
use hooks_core::HostSide;

fn face(name: &str, _client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
    let adapter = match (name, profile) {
        ("cursor", None) => seed(),
        ("cursor", Some("phase1")) => phase1(),
        ("cursor", Some("vendor")) => vendor(),
        _ => return None,
    };
    Some(Arc::new(adapter))
}

#[test]
fn every_vector_holds() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vectors/cursor");
    let files = load(&folder).expect("vectors");
    let report = run(&files, &face, &Filter::default());
    assert!(report.passed > 2500, "{} vectors passed", report.passed);
    assert!(report.skipped.is_empty(), "{:?}", report.skipped);
    assert!(report.failures.is_empty(), "{report}");
}
