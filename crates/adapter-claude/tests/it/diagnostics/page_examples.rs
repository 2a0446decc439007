//! Of every code its page's example, with its place, its severity and what mends it.

use std::collections::{BTreeMap, BTreeSet};

use adapter_claude::codes;
use hooks_core::diagnostic::Severity;

use super::{edits_mend, root, said};

/// The files of a section of a page.
fn files(page: &str, section: &str) -> Vec<(String, Vec<u8>)> {
    let body = page.split(&format!("\n## {section}\n")).nth(1).unwrap_or_else(|| panic!("{section}"));
    let body = body.split("\n## ").next().expect("a text");
    let mut files = Vec::new();
    for fence in body.split("\n```").skip(1).step_by(2) {
        let (info, text) = fence.split_once('\n').expect("a line");
        let text = format!("{text}\n");
        match info.split(' ').collect::<Vec<_>>().as_slice() {
            ["json-escaped", path] => {
                let text: String = serde_json::from_str(&text).expect("a string");
                files.push(((*path).to_owned(), text.into_bytes()));
            }
            [_, path] => files.push(((*path).to_owned(), text.into_bytes())),
            _ => {}
        }
    }
    files
}

fn pages() -> BTreeMap<String, String> {
    let folder = root().join("docs/diagnostics/claude");
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        pages.insert(format!("claude/{name}"), std::fs::read_to_string(&path).expect("a page").replace("\r\n", "\n"));
    }
    pages
}

type Row<'a> = (&'a str, &'a str, &'a str, &'a str, usize);

/// Of each code: the severity, the pointer and the text at the place in its page's example, and how many edits there are.
const EXPECTED: &[Row<'_>] = &[
    (
        "claude/allowed-variable-not-a-name",
        "warning",
        "/hooks/PreToolUse/0/hooks/0/allowedEnvVars/0",
        "\"$HOOK_TOKEN\"",
        1,
    ),
    ("claude/async-decides-nothing", "warning", "/hooks/PreToolUse/0/hooks/0/async", "true", 0),
    ("claude/byte-order-mark", "error", "none", "\u{feff}", 1),
    ("claude/comment-in-json", "error", "none", "// Checks commands.", 1),
    ("claude/condition-excluded-by-matcher", "error", "/hooks/PreToolUse/0/hooks/0/if", "\"Bash(git *)\"", 0),
    ("claude/condition-names-no-tool", "error", "/hooks/PreToolUse/0/hooks/0/if", "\"bash(git *)\"", 1),
    ("claude/condition-never-holds", "error", "/hooks/Stop/0/hooks/0/if", "\"Bash\"", 1),
    ("claude/condition-not-a-rule", "error", "/hooks/PreToolUse/0/hooks/0/if", "\"Bash(git *) || Bash(gh *)\"", 0),
    ("claude/duplicate-event", "error", "/hooks/PreToolUse", "\"PreToolUse\"", 2),
    (
        "claude/duplicate-handler",
        "error",
        "/hooks/PreToolUse/0/hooks/0",
        "{ \"type\": \"command\", \"command\": \"! grep ",
        0,
    ),
    ("claude/empty-command", "warning", "/hooks/PostToolUse/0/hooks/0/command", "\"\"", 0),
    ("claude/event-not-array", "error", "/hooks/PreToolUse", "{ \"matcher\": \"Bash\", \"hooks\": [ { \"type\"", 2),
    ("claude/exec-form-no-shell", "error", "/hooks/PreToolUse/0/hooks/0/command", "\"grep -q secret\"", 0),
    ("claude/group-not-object", "error", "/hooks/PostToolUse/0", "\"npx prettier --check .\"", 2),
    (
        "claude/handler-in-place-of-group",
        "error",
        "/hooks/PreToolUse/0",
        "{ \"matcher\": \"Bash\", \"type\": \"command\", ",
        3,
    ),
    ("claude/handler-not-object", "error", "/hooks/PreToolUse/0/hooks/0", "\"! grep -q 'rm -rf' || exit 2\"", 2),
    ("claude/handler-type-not-run-here", "error", "/hooks/PreCompact/0/hooks/0/type", "\"prompt\"", 0),
    (
        "claude/header-variable-not-allowed",
        "warning",
        "/hooks/PreToolUse/0/hooks/0/headers/Authorization",
        "\"Bearer $HOOK_TOKEN\"",
        1,
    ),
    ("claude/hooks-file-named", "info", "/hooks", "\"./config/hooks.json\"", 0),
    ("claude/hooks-key-misspelt", "error", "/Hooks", "\"Hooks\"", 1),
    (
        "claude/hooks-not-array",
        "error",
        "/hooks/PreToolUse/0/hooks",
        "{ \"type\": \"command\", \"command\": \"! grep ",
        2,
    ),
    ("claude/hooks-not-object", "error", "/hooks", "[ { \"event\": \"PreToolUse\", \"matcher\": \"B", 0),
    ("claude/invalid-other-setting", "error", "/cleanupPeriodDays", "\"30\"", 1),
    ("claude/manifest-path", "warning", "/hooks", "\"config/hooks.json\"", 1),
    ("claude/matcher-cannot-run", "warning", "/hooks/PreToolUse/0/matcher", "\"^mcp__(?:(\\\\w)|_)*\\\\1$\"", 0),
    ("claude/matcher-empty-part", "info", "/hooks/PostToolUse/0/matcher", "\"Edit|\"", 1),
    ("claude/matcher-ignored", "warning", "/hooks/UserPromptSubmit/0/matcher", "\"deploy\"", 1),
    ("claude/matcher-is-a-glob", "error", "/hooks/PreToolUse/0/matcher", "\"mcp__*__write\"", 1),
    ("claude/matcher-letter-case", "error", "/hooks/PreToolUse/0/matcher", "\"bash\"", 1),
    ("claude/matcher-looks-like-rule", "error", "/hooks/PreToolUse/0/matcher", "\"Bash(git push *)\"", 2),
    ("claude/matcher-matches-nothing", "error", "/hooks/PreCompact/0/matcher", "\"sometimes\"", 0),
    ("claude/matcher-misspelt", "warning", "/hooks/PreToolUse/0/matcher", "\"Bsah\"", 1),
    ("claude/matcher-names-a-server", "error", "/hooks/PreToolUse/0/matcher", "\"mcp__memory\"", 1),
    ("claude/matcher-not-canonical", "error", "/hooks/PreModelSwitch/0/matcher", "\"opus\"", 0),
    ("claude/matcher-not-javascript", "error", "/hooks/PreToolUse/0/matcher", "\"\\\\ABash\\\\z\"", 0),
    ("claude/matcher-not-regex", "error", "/hooks/PreToolUse/0/matcher", "\"(?i)bash\"", 1),
    ("claude/matcher-of-another-event", "warning", "/hooks/SessionStart/0/matcher", "\"Bash\"", 0),
    ("claude/matcher-retired-tool", "info", "/hooks/PostToolUse/0/matcher", "\"Edit|Write|MultiEdit\"", 0),
    ("claude/missing-field", "error", "/hooks/PreToolUse/0/hooks/0", "{ \"command\": \"! grep -q 'rm -rf' || exit", 1),
    ("claude/missing-hooks-wrapper", "error", "/PreToolUse", "\"PreToolUse\"", 2),
    ("claude/no-effect-here", "warning", "/hooks/PreToolUse/0/hooks/0/once", "true", 1),
    ("claude/not-an-object", "error", "", "[ { \"PreToolUse\": [ { \"matcher\": \"Bash\",", 0),
    ("claude/not-json", "error", "none", "}", 1),
    ("claude/not-yaml", "error", "none", "", 0),
    (
        "claude/option-in-shell",
        "error",
        "/hooks/PreToolUse/0/hooks/0/command",
        "\"! grep -q ${user_config.word} || exit 2",
        1,
    ),
    ("claude/plugin-agent", "error", "/hooks", "PreToolUse: - matcher: Bash hooks: - typ", 0),
    (
        "claude/plugin-placeholder",
        "error",
        "/hooks/PreToolUse/0/hooks/0/command",
        "\"! grep -qf \\\"${CLAUDE_PLUGIN_ROOT}/word",
        0,
    ),
    (
        "claude/powershell-variable",
        "error",
        "/hooks/PreToolUse/0/hooks/0/command",
        "\"Get-Content $CLAUDE_PROJECT_DIR/rules.t",
        1,
    ),
    ("claude/prompt-decides-nothing", "error", "/hooks/PermissionRequest/0/hooks/0/type", "\"prompt\"", 0),
    ("claude/repeated-key", "warning", "/hooks/PreToolUse/0/matcher", "\"matcher\"", 1),
    ("claude/setting-misspelt", "warning", "/disableAllHook", "\"disableAllHook\"", 1),
    ("claude/superfluous-wrapper", "error", "/hooks/hooks", "\"hooks\"", 1),
    ("claude/switch-overruled", "warning", "/disableAllHooks", "\"disableAllHooks\"", 0),
    ("claude/switched-off", "error", "/hooks", "\"hooks\"", 0),
    ("claude/timeout-capped", "warning", "/hooks/SessionEnd/0/hooks/0/timeout", "300", 1),
    ("claude/timeout-in-milliseconds", "warning", "/hooks/PreToolUse/0/hooks/0/timeout", "5000", 1),
    ("claude/timeout-not-positive", "error", "/hooks/PreToolUse/0/hooks/0/timeout", "0", 0),
    ("claude/tool-skipped-at-launch", "warning", "/hooks/SessionStart/0/hooks/0/type", "\"mcp_tool\"", 0),
    ("claude/trailing-comma", "error", "none", ",", 1),
    ("claude/unknown-event", "error", "/hooks/preToolUse", "\"preToolUse\"", 1),
    ("claude/unknown-field", "warning", "/hooks/PreToolUse/0/hooks/0/timout", "\"timout\"", 1),
    ("claude/unknown-handler-type", "error", "/hooks/PreToolUse/0/hooks/0/type", "\"script\"", 0),
    ("claude/unknown-value", "error", "/hooks/PreToolUse/0/hooks/0/onFailure", "\"Block\"", 1),
    ("claude/url-not-allowed", "error", "/hooks/PreToolUse/0/hooks/0/url", "\"https://hooks.example.com/check\"", 0),
    ("claude/url-not-http", "error", "/hooks/PreToolUse/0/hooks/0/url", "\"localhost:8080/check\"", 1),
    ("claude/watch-not-a-name", "warning", "/hooks/FileChanged/0/matcher", "\"*.lock\"", 0),
    ("claude/watches-nothing", "info", "/hooks/FileChanged", "\"FileChanged\"", 0),
    ("claude/wrong-type", "error", "/hooks/PreToolUse/0/hooks/0/timeout", "\"30\"", 1),
];

#[test]
fn every_code_is_found_where_its_page_says() {
    let pages = pages();
    let known: BTreeSet<&str> = codes::CODES.iter().map(|code| code.id).collect();
    assert_eq!(pages.keys().map(String::as_str).collect::<BTreeSet<_>>(), known);
    let mut rows = Vec::new();
    for (id, page) in &pages {
        let files = files(page, "Fails");
        let all = said(&files);
        let found = all.iter().find(|found| found.code.id == id).unwrap_or_else(|| panic!("{id}: {all:?} {files:?}"));
        let bytes = &files.iter().find(|(path, _)| *path == found.path).expect("the document").1;
        let range = found.range.clone().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[range]).into_owned();
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(40).collect();
        let pointer = found.pointer.clone().unwrap_or_else(|| "none".to_owned());
        rows.push((id.clone(), found.severity.as_str(), pointer, text, found.edits.len()));
        assert!(found.changes.is_none() || !found.edits.is_empty(), "{found:?}");
        let fixed = said(&self::files(page, "Fixed"));
        assert!(!fixed.iter().any(|one| one.code.id == id || one.severity == Severity::Error), "{id}: {fixed:?}");
    }
    let shown = |rows: &[Row<'_>]| rows.iter().map(|row| format!("{row:?}\n")).collect::<String>();
    let rows: Vec<_> = rows.iter().map(|row| (row.0.as_str(), row.1, row.2.as_str(), row.3.as_str(), row.4)).collect();
    assert!(rows == EXPECTED, "{}", shown(&rows));
}

#[test]
fn what_pages_show_is_mended_by_its_edits() {
    let made: usize = pages().values().map(|page| edits_mend(&files(page, "Fails"))).sum();
    assert!(made > 40, "{made}");
}
