//! A Codex `config.toml` that gets hooks: tables at its end, everything else as it was.

use hooks_core::Syntax;
use hooks_core::translate::Element;
use hooks_core::translate::insert::{InsertError, Status, insert};

use super::sides::{document, of};
use crate::support::{Project, Ran};

fn element(event: &'static str, command: &str) -> Element {
    let value: serde_json::Value = serde_json::from_str(&document("codex", event, Some("Bash"), command)).unwrap();
    Element { event, json: value["hooks"][event][0].to_string(), matcher: Some("Bash".to_owned()) }
}

/// What is appended to a text. Another reader of TOML finds the elements there; a second time nothing is added.
#[track_caller]
fn appended(before: &str, elements: &[Element]) -> String {
    let side = of("codex");
    let inserted = insert(&*side, Syntax::Toml, before, elements).unwrap_or_else(|error| panic!("{before}: {error}"));
    let added = inserted.text.strip_prefix(before).expect("what was there stands as it was").to_owned();
    let table: toml::Table = inserted.text.parse().expect("TOML");
    let json = serde_json::to_value(&table).unwrap();
    for element in elements {
        let wanted: serde_json::Value = serde_json::from_str(&element.json).unwrap();
        let groups = json["hooks"][element.event].as_array().unwrap();
        assert_eq!(groups.iter().filter(|group| **group == wanted).count(), 1, "{}", inserted.text);
    }
    let again = insert(&*side, Syntax::Toml, &inserted.text, elements).unwrap();
    assert_eq!(again.text, inserted.text, "twice changes nothing");
    assert!(again.status.iter().all(|status| *status == Status::There), "{:?}", again.status);
    added
}

/// The layout of the vendor's own hooks page.
#[test]
fn a_file_without_hooks_gets_tables_as_the_vendor_s_page_writes_them() {
    let wanted =
        "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n\n[[hooks.PreToolUse.hooks]]\ncommand = \"a\"\ntype = \"command\"\n";
    assert_eq!(appended("", &[element("PreToolUse", "a")]), wanted);
    assert_eq!(appended("model = \"x\"\n", &[element("PreToolUse", "a")]), format!("\n{wanted}"));
    assert_eq!(appended("[a]\nb = 1 # no end", &[element("PreToolUse", "a")]), format!("\n\n{wanted}"));
}

#[test]
fn the_layout_of_the_last_hook_goes_on() {
    let close = "[[hooks.Stop]]\n  [[hooks.Stop.hooks]]\n  type = \"command\"\n  command = \"old\"\n";
    let added = appended(close, &[element("PreToolUse", "a")]);
    assert!(added.contains("matcher = \"Bash\"\n  [[hooks.PreToolUse.hooks]]\n  command = \"a\"\n"), "{added}");
    let crlf = "model = 'x'\r\n\r\n[other]\r\na = 1\r\n";
    let added = appended(crlf, &[element("Stop", "a"), element("PreToolUse", "b")]);
    assert_eq!(added.matches('\n').count(), added.matches("\r\n").count(), "{added:?}");
    let braces = "[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"old\" }]\n";
    let added = appended(braces, &[element("Stop", "a")]);
    assert!(added.contains("hooks = [{ command = \"a\", type = \"command\" }]\n"), "{added}");
}

#[test]
fn whatever_a_command_holds_is_read_back() {
    for command in
        ["a \"b\"", "it's", "it's \"b\"", "a\\b", "a\nb\tc", "\u{7f}\u{1b}[1m", "'''", "é 😀", "", "#", " a "]
    {
        appended("model = \"x\"\n", &[element("PreToolUse", command)]);
    }
    assert!(appended("", &[element("Stop", "jq -r '.a' \"$1\"")]).contains(r#"command = "jq -r '.a' \"$1\"""#));
    assert!(appended("", &[element("Stop", "grep \"\\.rs$\"")]).contains(r#"command = 'grep "\.rs$"'"#));
}

#[test]
fn what_no_table_can_be_added_to_is_refused_whole() {
    let refused =
        |before: &str| insert(&*of("codex"), Syntax::Toml, before, &[element("Stop", "a")]).expect_err(before);
    for before in [
        "hooks = {}",
        "hooks = { Stop = [] }",
        "[hooks]\nStop = []",
        "[hooks]\nStop = [{ hooks = [] }]",
        "hooks.Stop = [{ hooks = [] }]",
    ] {
        assert!(matches!(refused(before), InsertError::Closed { .. }), "{before}");
    }
    for before in ["hooks = 1", "hooks = []", "[hooks]\nStop = 1", "[hooks.Stop]\na = 1", "[[hooks]]\na = 1"] {
        assert!(matches!(refused(before), InsertError::Shape { .. }), "{before}: {:?}", refused(before));
    }
    for before in ["a = ", "[hooks\n", "a = 1\na = 2\n"] {
        assert!(matches!(refused(before), InsertError::Syntax { .. }), "{before}");
    }
    // Beside what is written in another way there may be a place for other events.
    for before in
        ["[hooks]\nPreToolUse = []\n", "hooks.PreToolUse = []\n", "[hooks.state]\n\"a\" = { enabled = true }\n"]
    {
        appended(before, &[element("Stop", "a")]);
    }
}

const GUARD: &str = r#"{"version": 1, "hooks": {"beforeShellExecution": [{"command": "./guard.sh 'a b'"}]}}"#;
const OLD: &str = "# mine\n[[hooks.Stop]]\n\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"old\"\n";

fn translated(project: &Project, more: &[&str]) -> Ran {
    let mut args = vec!["translate", "--from", "cursor", "--to", "codex", "--bridge"];
    args.extend(more);
    project.run(&args)
}

fn read(project: &Project, path: &str) -> String {
    std::fs::read_to_string(project.root().join(path)).unwrap()
}

#[test]
fn hooks_go_where_the_project_s_hooks_stand() {
    let project = Project::new().with(".cursor/hooks.json", GUARD).with(".codex/config.toml", OLD);
    translated(&project, &["--dry-run"]).code(0).says("+++ b/.codex/config.toml").says("+[[hooks.PreToolUse]]");
    translated(&project, &[]).code(0).says("Written to .codex/config.toml");
    let once = read(&project, ".codex/config.toml");
    assert!(once.starts_with(OLD), "{once}");
    translated(&project, &[]).code(0).says("there already").says("Nothing to write");
    assert_eq!(read(&project, ".codex/config.toml"), once);
    assert!(!project.root().join(".codex/hooks.json").exists());
    project.run(&["check", "--vendor", "codex"]).code(0).says("2 hooks");
}

#[test]
fn a_file_of_its_own_is_kept_to_and_one_without_hooks_is_left_alone() {
    let json = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "old"}]}]}}"#;
    let project = Project::new().with(".cursor/hooks.json", GUARD).with(".codex/config.toml", OLD);
    let project = project.with(".codex/hooks.json", json);
    translated(&project, &[]).code(0).says("Written to .codex/hooks.json");
    let project = Project::new().with(".cursor/hooks.json", GUARD).with(".codex/config.toml", "model = \"x\"\n");
    translated(&project, &[]).code(0).says("Written to .codex/hooks.json");
    assert_eq!(read(&project, ".codex/config.toml"), "model = \"x\"\n");
    // Whoever wants it there says so.
    translated(&project, &["--out", ".codex/config.toml"]).code(0);
    assert!(read(&project, ".codex/config.toml").starts_with("model = \"x\"\n\n[[hooks.PreToolUse]]\n"));
}

#[test]
fn a_table_that_nobody_can_add_to_is_told_with_what_to_write() {
    let braces = "hooks = { Stop = [{ hooks = [{ type = \"command\", command = \"old\" }] }] }\n";
    let project = Project::new().with(".cursor/hooks.json", GUARD).with(".codex/config.toml", braces);
    translated(&project, &[]).code(2).complains("`hooks` is written in braces").complains("[[hooks.PreToolUse]]");
    assert_eq!(read(&project, ".codex/config.toml"), braces);
}

/// codex.md, section 4; claude.md, section 3.6.
#[test]
fn a_switch_in_another_file_of_the_target_s_is_told_of() {
    let project = || Project::new().with(".cursor/hooks.json", GUARD);
    let off = project().with(".codex/config.toml", "[features]\nhooks = false\n");
    translated(&off, &[]).code(1).says("target-differs").says(".codex/config.toml").says("Nothing was written");
    assert!(!off.root().join(".codex/hooks.json").exists());
    translated(&off, &["--allow-loss", "target-differs"]).code(0);
    let claude = |project: &Project, more: &[&str]| {
        let mut args = vec!["translate", "--from", "cursor", "--to", "claude", "--bridge"];
        args.extend(more);
        project.run(&args)
    };
    let off = project().with(".claude/settings.local.json", r#"{"disableAllHooks": true}"#);
    claude(&off, &[]).code(1).says("target-differs").says("disableAllHooks");
    claude(&off, &["--out", ".claude/settings.local.json"]).code(1).says("target-differs");
    // The value of higher precedence counts.
    let on = project().with(".claude/settings.json", r#"{"disableAllHooks": true}"#);
    let on = on.with(".claude/settings.local.json", r#"{"disableAllHooks": false}"#);
    claude(&on, &[]).code(0);
    // What stands in another project is that one's.
    let elsewhere = project().with("copy/.codex/config.toml", "[features]\ncodex_hooks = false\n");
    translated(&elsewhere, &["--dry-run"]).code(0);
    translated(&elsewhere, &["--out", "copy"]).code(1).says("target-differs");
    translated(&elsewhere, &["--out", "copy/.codex/hooks.json"]).code(1).says("target-differs");
}

/// codex.md, section 4: a linked worktree has the main checkout's hooks.
#[test]
fn a_file_that_the_client_does_not_look_at_is_told_of() {
    let project = Project::new().with(".cursor/hooks.json", GUARD);
    let root = project.root().canonicalize().unwrap();
    let main = root.parent().unwrap().join("main/.git/worktrees/p");
    std::fs::create_dir_all(&main).unwrap();
    std::fs::write(main.join("commondir"), "../..\n").unwrap();
    std::fs::write(main.join("gitdir"), format!("{}\n", root.join(".git").display())).unwrap();
    let project = project.with(".git", format!("gitdir: {}\n", main.display()));
    translated(&project, &[]).code(1).says("target-differs").says("worktree");
}
