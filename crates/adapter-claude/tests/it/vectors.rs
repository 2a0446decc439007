//! The conformance vectors of this vendor, for every client version they name.

use std::path::Path;
use std::sync::Arc;

use adapter_claude::{Adapter, DIALECT, Options};
use hooks_conformance::{Exceptions, Filter, load, run_with};
use hooks_core::{HostSide, Version};

/// Vectors that need not hold, each with its reason.
const EXCEPTIONS: &str = include_str!("exceptions.json");

fn adapter(vendor: &str, client: Option<&str>, _profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
    let version: Version = match client {
        Some(client) => client.rsplit(' ').next()?.parse().ok()?,
        None => DIALECT.latest,
    };
    let adapter = Adapter::new(&DIALECT, version, Options::default());
    (vendor == "claude").then(|| Arc::new(adapter) as Arc<dyn HostSide>)
}

#[test]
fn every_vector_holds() {
    let files = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vectors/claude")).expect("vectors");
    let exceptions = Exceptions::parse(EXCEPTIONS).expect("exceptions");
    let report = run_with(&files, &adapter, &Filter::default(), &exceptions);
    assert!(report.is_ok(), "{report}");
    assert!(report.skipped.is_empty(), "{report}");
    assert!(report.passed >= 887, "{report}");
}
