//! Which findings fail and which are told of, by the command line; and what is told about codes.

use super::{NOT_REGEX, broken, codes};
use crate::support::Project;

/// A project whose one finding is a remark: an empty file.
fn remarked() -> Project {
    Project::new().with(".claude/settings.json", "")
}

#[test]
fn of_deny_and_allow_the_last_one_wins() {
    let project = broken();
    project.run(&["check"]).code(1);
    let quiet = |args: &[&str], code| {
        let args = [&["check", "--json"], args].concat();
        let ran = project.run(&args).code(code);
        codes(&ran).contains(&NOT_REGEX.to_owned())
    };
    assert!(!quiet(&["--allow", NOT_REGEX], 0));
    assert!(!quiet(&["--allow", "cursor/*"], 0));
    assert!(!quiet(&["--allow", "error"], 0));
    assert!(quiet(&["--allow", "warning"], 1), "allowing warnings allows no error");
    assert!(quiet(&["--allow", "cursor/*", "--deny", NOT_REGEX], 1));
    assert!(!quiet(&["--deny", NOT_REGEX, "--allow", "cursor/*"], 0));
    assert!(!quiet(&["--deny", "info", "--allow", "claude/*,cursor/*"], 0), "several in one");
    project.run(&["check", "--allow", NOT_REGEX]).code(0).says("1 that is allowed");
}

#[test]
fn a_remark_fails_where_somebody_denies_it() {
    let project = remarked();
    assert_eq!(codes(&project.run(&["check", "--json"]).code(0)), ["crosshook/empty-file"]);
    project.run(&["check", "--deny", "info"]).code(1);
    project.run(&["check", "--deny", "crosshook/empty-file"]).code(1);
    project.run(&["check", "--deny", "crosshook/empty-*", "--allow", "info"]).code(0);
    project.run(&["check", "--fail-on", "info"]).code(1);
    project.run(&["check", "--deny", "warning"]).code(0);
    broken().run(&["check", "--fail-on", "error"]).code(1);
}

#[test]
fn a_rule_that_names_nothing_is_refused_with_the_nearest_name() {
    let project = broken();
    project.run(&["check", "--deny", "cursor/matcher-not-regexp"]).code(2).complains(NOT_REGEX);
    project.run(&["check", "--allow", "warnings"]).code(2).complains("did you mean `warning`?");
    project.run(&["check", "--allow", "emacs/*"]).code(2).complains("--list-codes");
    project.run(&["check", "--deny", ""]).code(2);
}

#[test]
fn one_line_a_finding_where_somebody_wants_no_more() {
    let project = broken();
    for flag in ["--quiet", "-q"] {
        let ran = project.run(&["check", flag]).code(1);
        assert!(ran.stdout.lines().all(|line| line.starts_with(".cursor/hooks.json:1:")), "{}", ran.stdout);
        assert!(ran.stdout.contains(NOT_REGEX));
    }
    assert_eq!(Project::new().with(".cursor/hooks.json", super::GOOD).run(&["check", "-q"]).code(0).stdout, "");
    project.run(&["check", "-q", "-v"]).code(2);
    let (normal, verbose) = (project.run(&["check"]).code(1), project.run(&["check", "-v"]).code(1));
    assert!(verbose.stdout.len() >= normal.stdout.len());
}

#[test]
fn every_code_is_listed_once() {
    let project = Project::new();
    let listed = project.run(&["check", "--list-codes", "--json"]).code(0).json();
    let ids: Vec<&str> = listed.as_array().unwrap().iter().map(|code| code["code"].as_str().unwrap()).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted, "in the order of their names, each once");
    for word in ["cursor/", "claude/", "codex/", "core/", "crosshook/", "runtime/leaves-root"] {
        assert!(ids.iter().any(|id| id.starts_with(word)), "{word}");
    }
    let text = project.run(&["check", "--list-codes"]).code(0);
    for id in ids {
        assert!(text.stdout.contains(id), "{id}");
    }
}

#[test]
fn an_unknown_code_is_not_explained_but_asked_about() {
    let project = Project::new();
    project.run(&["check", "--explain", "cursor/no-such-code-at-all"]).code(2).complains("no diagnostic");
    project.run(&["check", "--explain"]).code(2);
}

#[test]
fn the_exit_codes_are_in_the_help() {
    Project::new().run(&["check", "--help"]).code(0).says("Exit codes:").says("   2  wrong arguments");
}
