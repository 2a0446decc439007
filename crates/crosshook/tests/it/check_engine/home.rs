//! Nothing in the home folder is read unless somebody asks for it.
#![allow(clippy::print_stderr, reason = "a check that is left out is said so")]

use super::{BROKEN, GOOD, found};
use crate::support::{Project, command, run};

/// Every file that a vendor or the checker would read in a home folder, each with a fault that would be told of.
fn poison(project: &Project) {
    for path in [
        ".cursor/hooks.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".crosshook.toml",
        ".config/crosshook/config.toml",
        ".local/state/crosshook/trust.json",
    ] {
        let path = project.home().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "{ poison").unwrap();
    }
}

#[test]
fn what_is_wrong_at_home_is_told_only_where_home_is_asked_for() {
    let project = Project::new().with(".cursor/hooks.json", GOOD);
    poison(&project);
    assert_eq!(found(&project.run(&["check", "--json"]).code(0)), []);
    let ran = project.run(&["check", "--json", "--home"]).code(1);
    let told = found(&ran);
    for part in [".cursor", ".claude", ".codex"] {
        assert!(told.iter().any(|(_, file)| file.contains(part)), "{part}: {told:?}");
    }
}

#[test]
fn a_project_in_the_home_folder_is_not_checked_by_the_rules_of_the_home_folder() {
    let project = Project::new();
    poison(&project);
    let inside = project.home().join("src/app");
    std::fs::create_dir_all(inside.join(".cursor")).unwrap();
    std::fs::write(inside.join(".cursor/hooks.json"), BROKEN).unwrap();
    // A home folder under version control, as some people have it.
    std::fs::create_dir(project.home().join(".git")).unwrap();
    let ran = run(&inside, &project.home(), &["check", "--json"]).code(1);
    assert!(found(&ran).iter().all(|(_, file)| file == ".cursor/hooks.json"), "{}", ran.stdout);
}

/// By the system's own account, where a tracer is installed: no file below the home folder is opened.
#[cfg(target_os = "linux")]
#[test]
fn no_file_below_the_home_folder_is_opened() {
    let project = Project::new().with(".cursor/hooks.json", GOOD).with(".codex/hooks.json", "{}");
    poison(&project);
    let has_tracer = std::process::Command::new("strace").args(["-f", "true"]).output();
    if !has_tracer.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: strace is not installed or may not trace here");
        return;
    }
    let plain = command(&project.root(), &project.home());
    let mut traced = std::process::Command::new("strace");
    traced.args(["-f", "-e", "trace=file", plain.get_program().to_str().unwrap(), "check"]);
    traced.current_dir(project.root()).env("HOME", project.home());
    let output = traced.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let calls = String::from_utf8_lossy(&output.stderr);
    assert!(calls.contains("hooks.json"), "the tracer saw what is read: {calls}");
    let home = project.home().to_string_lossy().into_owned();
    let touched: Vec<&str> = calls.lines().filter(|line| line.contains(&home)).collect();
    assert!(touched.iter().all(|line| line.contains("execve")), "{touched:?}");
}
