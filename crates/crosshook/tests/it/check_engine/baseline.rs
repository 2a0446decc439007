//! Findings that are known.

use super::{BROKEN, GOOD, NOT_REGEX, broken, codes};
use crate::support::Project;

const WRITE: [&str; 4] = ["check", "--baseline", "known.json", "--write-baseline"];
const USE: [&str; 4] = ["check", "--json", "--baseline", "known.json"];

#[test]
fn what_is_known_does_not_fail_and_what_is_new_does() {
    let project = broken();
    project.run(&USE).code(2).complains("cannot read the baseline");
    project.run(&WRITE).code(0).complains("known finding");
    let ran = project.run(&USE).code(0);
    assert_eq!(ran.json()["diagnostics"][0]["known"], true);
    project.run(&["check", "--baseline", "known.json"]).code(0).says("that the baseline knows");
    // Written the same way again: nothing changes.
    let text = std::fs::read_to_string(project.root().join("known.json")).unwrap();
    project.run(&WRITE).code(0);
    assert_eq!(std::fs::read_to_string(project.root().join("known.json")).unwrap(), text);
    assert!(!text.contains(&*project.root().to_string_lossy()), "no path of this machine: {text}");
    // Lines above, other formatting: still known.
    let project = project.with(".cursor/hooks.json", format!("\n\n\n  {BROKEN}"));
    project.run(&USE).code(0);
    // The same fault in another place is new.
    let twice = BROKEN.replace("}]}}", "},{\"command\":\":\",\"matcher\":\"Shell(\"}]}}");
    let project = project.with(".cursor/hooks.json", twice);
    let told = project.run(&USE).code(1).json();
    let known: Vec<_> = told["diagnostics"].as_array().unwrap().iter().map(|told| told["known"].clone()).collect();
    assert_eq!(known, [true, false]);
}

#[test]
fn what_is_known_and_gone_is_told() {
    let project = broken();
    project.run(&WRITE).code(0);
    let project = project.with(".cursor/hooks.json", GOOD);
    let ran = project.run(&USE).code(0);
    assert_eq!(codes(&ran), ["crosshook/baseline-stale"]);
    let told = &ran.json()["diagnostics"][0];
    assert_eq!((told["file"].as_str(), told["pointer"].as_str()), (Some("known.json"), Some("/findings/0")));
    assert!(told["message"].as_str().unwrap().contains(NOT_REGEX), "{told}");
    project.run(&[&USE[..], &["--deny", "crosshook/baseline-stale"]].concat()).code(1);
    project.run(&WRITE).code(0);
    assert_eq!(codes(&project.run(&USE).code(0)), [""; 0]);
}

#[test]
fn a_run_over_a_part_forgets_nothing_of_the_rest() {
    let project = Project::new().with("a/.cursor/hooks.json", BROKEN).with("b/.cursor/hooks.json", BROKEN);
    project.run(&[&WRITE[..], &["a", "b"]].concat()).code(0);
    let both = std::fs::read_to_string(project.root().join("known.json")).unwrap();
    // Of b nobody knows anything in a run over a: neither stale nor taken out.
    assert_eq!(codes(&project.run(&[&USE[..], &["a"]].concat()).code(0)), [NOT_REGEX]);
    project.run(&[&WRITE[..], &["a"]].concat()).code(0);
    assert_eq!(std::fs::read_to_string(project.root().join("known.json")).unwrap(), both);
    std::fs::remove_dir_all(project.root().join("b")).unwrap();
    let told = codes(&project.run(&[&USE[..], &["a"]].concat()).code(0));
    assert!(told.contains(&"crosshook/baseline-stale".to_owned()), "a file that is gone has no findings: {told:?}");
}

#[test]
fn a_baseline_stands_in_the_configuration_and_may_be_elsewhere() {
    let project = broken().with("ci/.keep", "").with(".crosshook.toml", "[check]\nbaseline = \"ci/known.json\"\n");
    project.run(&["check", "--write-baseline"]).code(0);
    assert!(
        std::fs::read_to_string(project.root().join("ci/known.json")).unwrap().contains("\"../.cursor/hooks.json\"")
    );
    project.run(&["check"]).code(0);
    project.run(&["check", "--no-config", "--write-baseline"]).code(2).complains("--baseline FILE");
}

#[test]
fn what_is_no_baseline_is_refused_with_its_place() {
    let project = broken().with("known.json", "{\n  \"version\": 7\n}");
    project.run(&USE).code(2).complains("known.json:2:14: this is no baseline: its version is not 1");
    project.run(&WRITE).code(2).complains("this is no baseline");
    assert_eq!(std::fs::read_to_string(project.root().join("known.json")).unwrap(), "{\n  \"version\": 7\n}");
}

#[test]
fn faults_of_the_configuration_are_never_known() {
    let project = broken().with(".crosshook.toml", "[check]\nwhat = 1\n");
    project.run(&WRITE).code(1);
    let ran = project.run(&USE).code(1);
    assert_eq!(ran.json()["diagnostics"][0]["known"], false);
}
