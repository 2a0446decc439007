//! `--fix` and `--diff` on real files.
#![allow(clippy::print_stderr, reason = "a check that is left out is said so")]

use super::codes;
use crate::support::{Project, Ran};

/// Faults whose mending changes what the hooks do: a comment and a comma too many cost the whole file.
const LOOSE: &str = "{\n  // ours\n  \"version\": 1,\n  \"hooks\": {\n    \"preToolUse\": [\n      { \"command\":   \"true\", \"matcher\": \"Shell\" },\n    ]\n  }\n}";
/// The same, mended: the rest of the formatting and the missing end of the last line stay.
const STRICT: &str = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"preToolUse\": [\n      { \"command\":   \"true\", \"matcher\": \"Shell\" }\n    ]\n  }\n}";

fn loose() -> Project {
    Project::new().with(".cursor/hooks.json", LOOSE)
}

fn text(project: &Project, path: &str) -> String {
    std::fs::read_to_string(project.root().join(path)).unwrap()
}

#[track_caller]
fn is_mended(project: &Project, ran: &Ran) {
    assert_eq!(text(project, ".cursor/hooks.json"), STRICT, "{}", ran.stderr);
}

#[test]
fn what_changes_what_hooks_do_is_mended_only_when_somebody_says_so() {
    let project = loose();
    let ran = project.run(&["check", "--fix"]).code(1).complains("--fix=all does it").complains("this would change: ");
    assert_eq!(text(&project, ".cursor/hooks.json"), LOOSE);
    assert!(ran.stdout.contains("cursor/"), "what is left is reported: {}", ran.stdout);
    let ran = project.run(&["check", "--fix=all"]).code(0).complains("mended: 2 problems in 1 file");
    is_mended(&project, &ran.complains("this changes: "));
    let again = project.run(&["check", "--fix=all"]).code(0).complains("nothing that can be mended");
    is_mended(&project, &again);
}

#[test]
fn a_diff_shows_it_and_writes_nothing() {
    let project = loose();
    for args in [&["check", "--fix=all", "--diff"][..], &["check", "--fix=all", "--dry-run"]] {
        let ran = project.run(args).code(1).complains("would mend: 2 problems");
        assert!(
            ran.stdout.starts_with("--- a/.cursor/hooks.json\n+++ b/.cursor/hooks.json\n@@ -1,9 +1,8 @@\n"),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.contains("\n-  // ours\n"));
        assert_eq!(text(&project, ".cursor/hooks.json"), LOOSE);
    }
    let ran = project.run(&["check", "--diff"]).code(0);
    assert_eq!(ran.stdout, "", "nothing that keeps the meaning");
    project.run(&["check", "--dry-run"]).code(2);
    let clean = Project::new().with(".cursor/hooks.json", STRICT);
    assert_eq!(clean.run(&["check", "--fix=all", "--diff"]).code(0).stdout, "");
}

#[test]
fn a_diff_is_one_that_patch_takes() {
    let project = loose();
    let diff = project.run(&["check", "--fix=all", "--diff"]).code(1).stdout;
    let project = project.with("all.diff", diff);
    let patched =
        std::process::Command::new("patch").args(["-p1", "-s", "-i", "all.diff"]).current_dir(project.root()).status();
    match patched {
        Ok(status) => {
            assert!(status.success());
            assert_eq!(text(&project, ".cursor/hooks.json"), STRICT);
        }
        Err(error) => eprintln!("SKIPPED: there is no `patch`: {error}"),
    }
}

#[test]
fn what_is_allowed_is_not_mended() {
    let project = loose();
    project.run(&["check", "--fix=all", "--allow", "cursor/*"]).code(0);
    assert_eq!(text(&project, ".cursor/hooks.json"), LOOSE);
}

#[test]
fn machines_get_the_report_alone() {
    let project = loose();
    let ran = project.run(&["check", "--fix=all", "--json"]).code(0);
    assert_eq!(codes(&ran), [""; 0]);
    assert!(ran.stderr.contains("mended"));
}

#[test]
fn line_ends_and_a_byte_order_mark_stay_where_they_are_not_the_fault() {
    let loose = format!("\u{feff}{}\r\n", LOOSE.replace('\n', "\r\n"));
    let project = Project::new().with(".claude/settings.json", loose.replace("preToolUse", "PreToolUse"));
    let before = text(&project, ".claude/settings.json");
    project.run(&["check", "--fix=all"]);
    let after = text(&project, ".claude/settings.json");
    assert!(after.starts_with('\u{feff}') && after.ends_with("}\r\n"), "{after:?}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    assert!(before.len() >= after.len() || after.contains("\r\n"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::{LOOSE, STRICT, is_mended, loose, text};
    use crate::support::Project;

    #[test]
    fn permissions_stay_and_a_read_only_file_too() {
        let project = loose();
        let path = project.root().join(".cursor/hooks.json");
        let set = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
        set(0o444);
        project
            .run(&["check", "--fix=all"])
            .code(2)
            .complains("`.cursor/hooks.json` is left as it is: it is read-only");
        assert_eq!((text(&project, ".cursor/hooks.json").as_str(), mode()), (LOOSE, 0o444));
        set(0o640);
        is_mended(&project, &project.run(&["check", "--fix=all"]).code(0));
        assert_eq!(mode(), 0o640);
    }

    #[test]
    fn a_link_stays_a_link_and_what_it_leads_to_is_mended() {
        let project = Project::new().with("shared/hooks.json", LOOSE).with(".cursor/.keep", "");
        let link = project.root().join(".cursor/hooks.json");
        symlink("../shared/hooks.json", &link).unwrap();
        project.run(&["check", "--fix=all"]).code(0);
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(text(&project, "shared/hooks.json"), STRICT);
    }

    #[test]
    fn a_file_outside_of_the_project_is_left_unless_it_is_named() {
        let project = Project::new().with(".cursor/.keep", "");
        let outside = project.home().join("hooks.json");
        std::fs::write(&outside, LOOSE).unwrap();
        symlink(&outside, project.root().join(".cursor/hooks.json")).unwrap();
        project.run(&["check", "--fix=all"]).code(2).complains("it lies outside of the project");
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), LOOSE);
        project.run(&["check", "--fix=all", ".cursor/hooks.json"]).complains("mended");
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), STRICT);
    }
}
