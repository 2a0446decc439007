//! The core held to its own vectors.

use std::sync::Arc;

use hooks_conformance::{Filter, load, run};
use hooks_core::HostSide;

#[test]
fn the_core_settles_and_decides_as_its_vectors_say() {
    let files = load(&crate::vectors().join("core")).expect("vectors");
    let none = |_: &str, _: Option<&str>, _: Option<&str>| -> Option<Arc<dyn HostSide>> { None };
    let report = run(&files, &none, &Filter::default());
    assert!(report.is_ok(), "{report}");
    assert!(report.skipped.is_empty(), "{report}");
    assert_eq!(report.passed, files.iter().map(|file| file.vectors.len()).sum::<usize>());
}
