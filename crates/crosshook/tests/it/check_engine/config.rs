//! The checker's own configuration.

use super::{BROKEN, NOT_REGEX, broken, codes, found};
use crate::support::Project;

#[test]
fn a_configuration_decides_what_counts() {
    let allowed = broken().with(".crosshook.toml", format!("[check]\nallow = [\"{NOT_REGEX}\"]\n"));
    allowed.run(&["check"]).code(0);
    allowed.run(&["check", "--no-config"]).code(1);
    allowed.run(&["check", "--deny", NOT_REGEX]).code(1);
    let empty = Project::new().with(".claude/settings.json", "");
    empty.run(&["check"]).code(0);
    let denied = empty.with(".crosshook.toml", "[check]\nfail-on = \"info\"\n");
    denied.run(&["check"]).code(1);
    denied.run(&["check", "--fail-on", "warning"]).code(0);
}

#[test]
fn the_more_precise_rule_wins_whatever_its_place() {
    let text = format!("[check]\nallow = [\"{NOT_REGEX}\", \"error\"]\ndeny = [\"cursor/*\"]\n");
    broken().with(".crosshook.toml", text).run(&["check"]).code(0);
    let text = format!("[check]\nallow = [\"cursor/*\"]\ndeny = [\"{NOT_REGEX}\"]\n");
    broken().with(".crosshook.toml", text).run(&["check"]).code(1);
}

#[test]
fn some_files_have_their_own_rules_and_some_do_not_count() {
    let over = format!("[[check.override]]\npaths = [\".cursor/**\"]\nallow = [\"{NOT_REGEX}\"]\n");
    broken().with(".crosshook.toml", &over).run(&["check"]).code(0);
    broken().with(".crosshook.toml", over.replace(".cursor/**", "tests/**")).run(&["check"]).code(1);
    let excluded = broken().with(".crosshook.toml", "[check]\nexclude = [\".cursor\"]\n");
    excluded.run(&["check"]).code(0).says("There are no hook files");
    // Who names a file wants it checked.
    excluded.run(&["check", ".cursor/hooks.json"]).code(1);
}

#[test]
fn vendors_versions_and_the_host_stand_in_it() {
    let project = broken().with(".crosshook.toml", "[check]\nvendors = [\"claude\"]\n");
    project.run(&["check"]).code(0);
    project.run(&["check", "--vendor", "cursor"]).code(1);
    let text = r#"{"hooks":{"PermissionRequest":[{"hooks":[{"type":"prompt","prompt":"x"}]}]}}"#;
    let project = Project::new().with(".claude/settings.json", text);
    let project = project.with(".crosshook.toml", "[check]\nhost = \"commands\"\n");
    assert!(codes(&project.run(&["check", "--json"])).contains(&"core/host-cannot-run".to_owned()));
    assert!(!codes(&project.run(&["check", "--json", "--host", "full"])).contains(&"core/host-cannot-run".to_owned()));
    let project = project.with(".crosshook.toml", "[check.versions]\nclaude = \"1.0.0\"\n");
    assert!(codes(&project.run(&["check", "--json"])).contains(&"claude/unknown-event".to_owned()));
}

#[test]
fn what_is_wrong_in_it_is_told_with_its_place_and_fails() {
    let text = "[check]\nfail-om = \"error\"\ndeny = [\"cursor/nope\"]\nvendors = \"cursor\"\n";
    let project = Project::new().with(".cursor/hooks.json", super::GOOD).with(".crosshook.toml", text);
    let ran = project.run(&["check", "--json"]).code(1);
    let expected = ["unknown-key", "bad-value", "wrong-type"].map(|name| format!("crosshook/config-{name}"));
    assert_eq!(codes(&ran), expected);
    let places: Vec<(u64, u64)> = ran.json()["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|told| (told["line"].as_u64().unwrap(), told["column"].as_u64().unwrap()))
        .collect();
    assert_eq!(places, [(2, 1), (3, 9), (4, 11)]);
    // It cannot allow its own faults.
    let text = "[check]\nallow = [\"crosshook/config-*\"]\nwhat = 1\n";
    let project = project.with(".crosshook.toml", text);
    project.run(&["check"]).code(1).says("there is no key `what`");
    project.run(&["check", "--allow", "crosshook/config-unknown-key"]).code(0);
    let project = project.with(".crosshook.toml", "[check\n");
    assert!(codes(&project.run(&["check", "--json"]).code(1)).contains(&"crosshook/config-syntax".to_owned()));
}

#[test]
fn another_file_can_be_named_and_must_be_there() {
    let project = broken().with("ci/check.toml", format!("[check]\nallow = [\"{NOT_REGEX}\"]\n"));
    project.run(&["check", "--config", "ci/check.toml"]).code(0);
    project.run(&["check", "--config", "nowhere.toml"]).code(2).complains("nowhere.toml");
    project.run(&["check", "--config", "ci/check.toml", "--no-config"]).code(2);
    std::fs::create_dir(project.root().join(".crosshook.toml")).unwrap();
    project.run(&["check"]).code(2).complains("it is a folder, not a file");
}

#[test]
fn it_is_found_above_as_far_as_the_repository_goes() {
    let project = Project::new()
        .with("a/b/.cursor/hooks.json", BROKEN)
        .with(".crosshook.toml", format!("[check]\nallow = [\"{NOT_REGEX}\"]\n"));
    project.run(&["check", "a/b"]).code(1);
    std::fs::create_dir(project.root().join(".git")).unwrap();
    project.run(&["check", "a/b"]).code(0);
    project.run(&["check", "a/b/.cursor/hooks.json"]).code(0);
    let ran = project.run(&["check", "a/b", "--json", "--no-config"]).code(1);
    assert!(found(&ran).iter().any(|(_, file)| file.ends_with(".cursor/hooks.json")));
}
