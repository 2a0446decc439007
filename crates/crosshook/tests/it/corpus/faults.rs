//! What is told of configurations as people write them: every fault that their index speaks of is found where it says so,
//! and of right ones nothing is told. Each lies where its vendor looks for it, with the scripts and programs that it names.
//! The files that the checker looks at have an executable bit here, which not every system has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Ran, command};

/// Every fault that the index speaks of, by file and pointer: the pointer that it is told at, and the code. Where the two
/// pointers differ, the reason stands beside.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("cursor/003", "/", "", "cursor/missing-field"),
    ("cursor/004", "/version", "/version", "cursor/unsupported-version"),
    ("cursor/007", "/hooks/preToolUse/0", "/hooks/preToolUse/0", "cursor/claude-shape"),
    ("cursor/007", "/hooks/preToolUse/0/matcher", "/hooks/preToolUse/0/matcher", "cursor/matcher-star"),
    ("cursor/008", "/hooks/PreToolUse", "/hooks/PreToolUse", "cursor/unknown-event"),
    ("cursor/008", "/hooks/PostToolUse", "/hooks/PostToolUse", "cursor/unknown-event"),
    (
        "cursor/009",
        "/hooks/beforeShellExecution/0/timeout",
        "/hooks/beforeShellExecution/0/timeout",
        "cursor/timeout-in-milliseconds",
    ),
    ("cursor/010", "/hooks/stop/0/loop_limit", "/hooks/stop/0/loop_limit", "cursor/loop-limit-none"),
    // The index has a second sentence here, that a prompt hook needs no command: nothing is wrong by it.
    ("cursor/012", "/hooks/beforeShellExecution/0", "/hooks/beforeShellExecution/0", "cursor/prompt-not-in-cloud"),
    (
        "cursor/014",
        "/hooks/beforeShellExecution/0/matcher",
        "/hooks/beforeShellExecution/0/matcher",
        "cursor/matcher-blank",
    ),
    ("cursor/015", "/hooks/subagentStart/0/matcher", "/hooks/subagentStart/0/matcher", "cursor/matcher-tool-name"),
    ("cursor/017", "/hooks/preToolUse/0/matcher", "/hooks/preToolUse/0/matcher", "cursor/matcher-unknown-tool"),
    ("cursor/017", "/hooks/preToolUse/1/matcher", "/hooks/preToolUse/1/matcher", "cursor/matcher-claude-tool"),
    ("cursor/019", "/hooks/beforeShellExecution", "/hooks/beforeShellExecution", "cursor/wrong-type"),
    ("cursor/019", "/hooks/beforeShellExecution/args", "/hooks/beforeShellExecution/args", "cursor/unknown-field"),
    ("cursor/020", "/", "", "cursor/missing-field"),
    ("cursor/028", "/hooks/onSessionStart", "/hooks/onSessionStart", "cursor/unknown-event"),
    ("cursor/028", "/hooks/afterSave", "/hooks/afterSave", "cursor/unknown-event"),
    ("cursor/029", "/hooks", "/hooks", "cursor/guard-on-two-events"),
    ("cursor/030", "/hooks/stop/0/command", "/hooks/stop/0/command", "crosshook/script-missing"),
    ("cursor/031", "/hooks/preToolUse/0/command", "/hooks/preToolUse/0/command", "crosshook/quotes-doubled"),
    ("cursor/031", "/hooks/preToolUse/0/matcher", "/hooks/preToolUse/0/matcher", "cursor/matcher-unknown-tool"),
    ("claude/005", "/hooks/UserPromptSubmit/0/matcher", "/hooks/UserPromptSubmit/0/matcher", "claude/matcher-ignored"),
    ("claude/007", "/hooks/PreToolUse/0/matcher", "/hooks/PreToolUse/0/matcher", "claude/matcher-names-a-server"),
    ("claude/008", "/hooks/PreToolUse/0/matcher", "/hooks/PreToolUse/0/matcher", "claude/matcher-letter-case"),
    ("claude/009", "/hooks/PreToolUse/0/matcher", "/hooks/PreToolUse/0/matcher", "claude/matcher-looks-like-rule"),
    // Of the handler its type is what the event does not run.
    (
        "claude/012",
        "/hooks/PreCompact/0/hooks/0",
        "/hooks/PreCompact/0/hooks/0/type",
        "claude/handler-type-not-run-here",
    ),
    (
        "claude/012",
        "/hooks/SessionStart/0/hooks/0",
        "/hooks/SessionStart/0/hooks/0/type",
        "claude/handler-type-not-run-here",
    ),
    (
        "claude/014",
        "/hooks/PreToolUse/0/hooks/0/timeout",
        "/hooks/PreToolUse/0/hooks/0/timeout",
        "claude/timeout-in-milliseconds",
    ),
    ("claude/015", "/hooks/PreToolUse/0", "/hooks/PreToolUse/0", "claude/handler-in-place-of-group"),
    // The whole file is dropped because of what stands at this place.
    ("claude/016", "/", "/hooks/PreToolUse/0/matcher", "claude/wrong-type"),
    ("claude/017", "/hooks", "/hooks", "claude/hooks-not-object"),
    ("claude/018", "/hooks/PreCommit", "/hooks/PreCommit", "claude/unknown-event"),
    ("claude/019", "/", "", "claude/comment-in-json"),
    ("claude/021", "/hooks/PreToolUse/0/matcher", "/hooks/PreToolUse/0/matcher", "claude/matcher-retired-tool"),
    ("claude/022", "/hooks/PreToolUse/0/hooks/0/command", "/hooks/PreToolUse/0/hooks/0/command", "claude/wrong-type"),
    (
        "claude/023",
        "/hooks/PostToolUse/0/hooks/0/command",
        "/hooks/PostToolUse/0/hooks/0/command",
        "crosshook/variable-not-set",
    ),
    ("claude/027", "/hooks/PostToolUse/0/when", "/hooks/PostToolUse/0/when", "claude/unknown-field"),
    (
        "claude/029",
        "/hooks/PreToolUse/0/hooks/0/command",
        "/hooks/PreToolUse/0/hooks/0/command",
        "crosshook/missing-guard-passes",
    ),
    (
        "claude/029",
        "/hooks/PostToolUse/0/hooks/1/command",
        "/hooks/PostToolUse/0/hooks/1/command",
        "crosshook/relative-path",
    ),
    ("codex/003", "/version", "/version", "codex/unknown-root-key"),
    ("codex/005", "/hooks/UserPromptSubmit/0/matcher", "/hooks/UserPromptSubmit/0/matcher", "codex/matcher-ignored"),
    ("codex/008", "/hooks/PreToolUse/0/matcher", "/hooks/PreToolUse/0/matcher", "codex/matcher-never-matches"),
    (
        "codex/010",
        "/hooks/UserPromptSubmit/0/hooks/0/additionalContextLimit",
        "/hooks/UserPromptSubmit/0/hooks/0/additionalContextLimit",
        "codex/context-limit-off",
    ),
    ("codex/012", "/hooks/Stop/0/hooks/0", "/hooks/Stop/0/hooks/0", "codex/prompt-handler-skipped"),
    ("codex/012", "/hooks/PreToolUse/0/hooks/0", "/hooks/PreToolUse/0/hooks/0", "codex/agent-handler-skipped"),
    ("codex/013", "/hooks/SessionEnd/0/hooks/0/timeout", "/hooks/SessionEnd/0/hooks/0/timeout", "codex/timeout-capped"),
    ("codex/014", "/hooks/PreToolUse/0", "/hooks/PreToolUse/0", "codex/handler-in-place-of-group"),
    ("codex/015", "/PreToolUse", "/PreToolUse", "codex/unknown-root-key"),
    ("codex/016", "/hooks/Notification", "/hooks/Notification", "codex/unknown-event"),
    ("codex/016", "/hooks/TaskCompleted", "/hooks/TaskCompleted", "codex/unknown-event"),
    (
        "codex/017",
        "/hooks/PreToolUse/0/hooks/0/timeout",
        "/hooks/PreToolUse/0/hooks/0/timeout",
        "codex/timeout-in-milliseconds",
    ),
    ("codex/021", "hooks.pre_tool_use", "/hooks/pre_tool_use", "codex/unknown-event"),
    ("codex/026", "/hooks/Stop/0/hooks/0/command", "/hooks/Stop/0/hooks/0/command", "crosshook/plain-text-refused"),
];

/// Faults that a file alone does not have, with the reason.
const UNTOLD: &[(&str, &str, &str)] =
    &[("codex/022", "hooks.state", "a record with no definition beside it that its hash could be compared with")];

/// What is told of files and rows that are valid and of which nothing is expected, with the reason.
const REMARKS: &[(&str, &str, &str)] = &[(
    "claude/025",
    "claude/duplicate-handler",
    "harmless, but only one of the two copies runs where both match: a remark",
)];

/// What is told of the rows of `cases.json` whose configuration is part of the question.
const ROWS: &[(&str, &str)] = &[
    ("claude-async-cannot-deny", "claude/async-decides-nothing"),
    ("claude-bare-mcp-prefix", "claude/matcher-names-a-server"),
    ("codex-async-deny", "codex/async-cannot-block"),
    ("codex-json-and-toml-in-one-layer", "codex/two-documents-in-one-layer"),
    ("cursor-shell-matcher-substring", "cursor/matcher-blank"),
];

/// Words of a document that can be paths or programs: their variables and `./` taken away.
fn words(text: &str) -> Vec<String> {
    let text = text.replace("\\\"", "\"");
    let ends = |c: char| c.is_whitespace() || "\"';&|()<>=,[]:\\".contains(c);
    let bare = |word: &str| {
        let word = match word.strip_prefix('$').and_then(|word| word.split_once('/')) {
            Some((_, below)) => below,
            None => word,
        };
        word.trim_start_matches("~/").trim_start_matches("./").trim_matches('/').to_owned()
    };
    text.split(ends)
        .map(bare)
        .filter(|word| word.starts_with(|c: char| c == '.' || c.is_ascii_alphanumeric()))
        .collect()
}

/// A file that can be run, unless something is there.
fn runnable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    if path.exists() || std::fs::create_dir_all(path.parent().unwrap()).is_err() {
        return;
    }
    let interpreter = match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => "python3",
        Some("js" | "mjs") => "node",
        _ => "sh",
    };
    std::fs::write(path, format!("#!/usr/bin/env {interpreter}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Many projects of one test, all below one folder; what their commands name is there.
struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    fn new() -> Self {
        let tree = Self { folder: tempfile::tempdir().unwrap() };
        for program in ["sh", "bash", "python3", "node"] {
            runnable(&tree.root().join("bin").join(program));
        }
        tree
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Installs a document for a project of this name, and makes what it names; gives the arguments that check it.
    fn install(&self, name: &str, vendor: &str, installed: &str, text: &str) -> Vec<String> {
        let folder = self.root().join(name);
        let project = folder.join("project");
        let plugin = installed.strip_suffix(" (plugin)");
        let (base, place, arguments) = if let Some(below) = installed.strip_prefix("~/") {
            (folder.join("home"), below, vec!["--home".to_owned(), format!("{name}/project")])
        } else if installed == "requirements.toml" {
            let system = format!("--system={}", folder.join("system").display());
            (folder.join("system/etc/codex"), installed, vec![system, format!("{name}/project")])
        } else if let Some(place) = plugin {
            std::fs::create_dir_all(project.join(format!(".{vendor}-plugin"))).unwrap();
            (project.clone(), place, vec!["--vendor".to_owned(), vendor.to_owned(), format!("{name}/project/{place}")])
        } else {
            (project.clone(), installed.strip_prefix("<repo>/").unwrap_or(installed), vec![format!("{name}/project")])
        };
        std::fs::create_dir_all(project.join(".git")).unwrap();
        // What lies elsewhere on the machine of whoever wrote it lies in the project here.
        let root = project.to_str().unwrap();
        let text = text.replace("/opt/acme", &format!("{root}/acme")).replace("/home/dev/demo", root);
        let path = base.join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
        let mut named = words(&text.replace(&format!("{root}/"), "./"));
        // What lies in a folder comes before what may be that folder. A document of the vendor is none of its scripts.
        named.sort_by_key(|word| std::cmp::Reverse(word.len()));
        for word in named.iter().filter(|word| !word.ends_with("/hooks.json")) {
            if word.contains('/') {
                runnable(&project.join(word));
                runnable(&folder.join("home").join(word));
            } else {
                runnable(&self.root().join("bin").join(word));
            }
        }
        arguments
    }

    /// What is told of each file: the path from this folder on, the pointer and the code.
    fn told(&self, arguments: &[String], home: &Path) -> Vec<(String, String, String)> {
        let mut checker = command(&self.root(), home);
        checker.env("PATH", self.root().join("bin")).args(["check", "--format", "json"]).args(arguments);
        let ran = Ran::of(checker.output().unwrap());
        let word = |told: &serde_json::Value, key: &str| told[key].as_str().unwrap_or_default().to_owned();
        let document = ran.json();
        let told = document["diagnostics"].as_array().unwrap();
        told.iter().map(|told| (word(told, "file"), word(told, "pointer"), word(told, "code"))).collect()
    }

    /// The same for many: one call for all that lie in projects, and one for each of the others.
    fn told_of_all(&self, all: &[(String, Vec<String>)]) -> BTreeMap<String, Vec<(String, String)>> {
        let (together, apart): (Vec<_>, Vec<_>) = all.iter().partition(|(_, arguments)| arguments.len() == 1);
        let mut found: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        let together: Vec<String> = together.iter().flat_map(|(_, arguments)| arguments.clone()).collect();
        for (file, pointer, code) in self.told(&together, &self.root().join("nobody")) {
            let (name, _) = file.split_once("/project/").unwrap_or_else(|| panic!("{file}"));
            found.entry(name.to_owned()).or_default().push((pointer, code));
        }
        for (name, arguments) in apart {
            let told = self.told(arguments, &self.root().join(name).join("home"));
            found.entry(name.clone()).or_default().extend(told.into_iter().map(|(_, pointer, code)| (pointer, code)));
        }
        found
    }
}

fn read_json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_fault_of_the_index_is_found_and_right_files_are_silent() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    let tree = Tree::new();
    let (mut all, mut expected, mut right) = (Vec::new(), Vec::new(), Vec::new());
    for vendor in crosshook::VENDORS {
        let index = read_json(&root.join(vendor).join("index.json"));
        for file in index["files"].as_array().unwrap() {
            let path = file["file"].as_str().unwrap().rsplit('/').next().unwrap();
            let name = format!("{vendor}/{}", &path[..3]);
            let text = std::fs::read_to_string(root.join(vendor).join(path)).unwrap();
            all.push((name.clone(), tree.install(&name, vendor, file["installed_as"].as_str().unwrap(), &text)));
            if name == "cursor/030" {
                // Of this script the index says that it is not where the command looks for it.
                std::fs::remove_file(tree.root().join(&name).join("project/hooks/stop.sh")).unwrap();
            }
            let of = |key: &str| file[key].as_array().into_iter().flatten();
            let faults: Vec<String> =
                of("warnings").chain(of("skipped")).map(|fault| fault["at"].as_str().unwrap().to_owned()).collect();
            if faults.is_empty() && file["valid"] == "yes" {
                right.push(name.clone());
            }
            expected.extend(faults.into_iter().map(|at| (name.clone(), at)));
        }
    }
    let found = tree.told_of_all(&all);
    let told = |name: &str| found.get(name).cloned().unwrap_or_default();
    let mut wrong = Vec::new();
    let is_untold = |name: &str, at: &str| UNTOLD.iter().any(|(file, place, _)| *file == name && *place == at);
    for (name, at) in expected.iter().filter(|(name, at)| !is_untold(name, at)) {
        match FAULTS.iter().find(|(file, place, ..)| file == name && place == at) {
            Some((.., pointer, code)) if told(name).contains(&((*pointer).to_owned(), (*code).to_owned())) => {}
            Some((.., pointer, code)) => wrong.push(format!("{name}: no {code} at {pointer}: {:?}", told(name))),
            None => wrong.push(format!("{name}: nothing is expected for {at}: {:?}", told(name))),
        }
    }
    let untold = UNTOLD.iter().map(|(name, at, _)| (name, at));
    for (name, at) in FAULTS.iter().map(|(name, at, ..)| (name, at)).chain(untold) {
        let is_expected = expected.iter().any(|(file, place)| file == name && place == at);
        assert!(is_expected, "the index has nothing at {at} of {name}");
    }
    for name in &right {
        let allowed = |code: &str| REMARKS.iter().any(|(file, remark, _)| file == name && *remark == code);
        let told: Vec<_> = told(name).into_iter().filter(|(_, code)| !allowed(code)).collect();
        if !told.is_empty() {
            wrong.push(format!("{name} is right, and there is told: {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right.len() >= 30 && expected.len() >= 50, "{} right files, {} faults", right.len(), expected.len());
}

#[test]
fn rows_of_cases_are_silent_unless_their_configuration_is_the_question() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    let tree = Tree::new();
    let mut all = Vec::new();
    for vendor in crosshook::VENDORS {
        let cases = read_json(&root.join(vendor).join("cases.json"));
        for case in cases["cases"].as_array().unwrap() {
            let id = case["id"].as_str().unwrap();
            let config = &case["config"];
            let files = config["files"].as_array().cloned().unwrap_or_else(|| vec![config.clone()]);
            for file in files.iter().filter(|file| !file["content"].is_null()) {
                let text = file["content"].as_str().map_or_else(|| file["content"].to_string(), str::to_owned);
                // It stands for any program, wherever that lies.
                let hook = tree.root().join("bin/hook");
                let text = text.replace("\"./", &format!("\"{}-", hook.display()));
                runnable(&hook);
                for one in ["hook", "hook1", "hook2", "a", "b"] {
                    runnable(&tree.root().join(format!("bin/hook-{one}")));
                }
                let arguments = tree.install(id, vendor, file["file"].as_str().unwrap(), &text);
                if !all.contains(&(id.to_owned(), arguments.clone())) {
                    all.push((id.to_owned(), arguments));
                }
            }
        }
    }
    assert!(all.len() >= 50, "only {} rows", all.len());
    let found = tree.told_of_all(&all);
    let mut found: Vec<(&str, &str)> =
        found.iter().flat_map(|(id, told)| told.iter().map(|(_, code)| (id.as_str(), code.as_str()))).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, ROWS);
}
