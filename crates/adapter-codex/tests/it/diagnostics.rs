//! What is found in a document: every code by its page's example, the corpus at the places its index names, and every edit
//! by whether it mends what it says it mends.

mod findings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use adapter_codex::{Adapter, DIALECT, Options, codes};
use hooks_core::diagnostic::{Diagnostic, Edit, Severity};
use hooks_core::source::{Origin, Plugin, Role, Source, Syntax};
use hooks_core::{HostSide, Version};
use serde_json::Value;

/// A file as an example or a test names it: below `home/` the user's, below `system/` the machine's.
pub(crate) fn source(path: &str, text: &str) -> Source {
    let syntax = if path.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let (origin, whole) = match path.split_once('/') {
        Some(("home", rest)) => (Origin::User, format!("/home/alex/{rest}")),
        Some(("system", rest)) => (Origin::Managed, format!("/{rest}")),
        Some(("flags", rest)) => (Origin::SessionFlags, format!("/<session-flags>/{rest}")),
        _ if path.contains("plugin") => (Origin::Plugin, format!("/home/alex/demo/{path}")),
        _ => (Origin::Project, format!("/home/alex/demo/{path}")),
    };
    let mut source = Source::hooks(Adapter::latest().vendor().clone(), origin, syntax, whole, text.as_bytes().to_vec());
    if path.ends_with("requirements.toml") {
        source.role = Role::Requirements;
    } else if path.ends_with("plugin.json") {
        source.role = Role::PluginManifest;
    }
    if origin == Origin::Plugin {
        source.plugin = Some(Plugin { name: "demo".into(), ..Plugin::default() });
    }
    source
}

/// Everything that is told of documents: by parsing each, and of them together.
pub(crate) fn told(version: Version, sources: &[Source]) -> Vec<Diagnostic> {
    let adapter = Adapter::new(&DIALECT, version, Options::default());
    let documents: Vec<_> = sources.iter().map(|source| adapter.parse(&Arc::new(source.clone()))).collect();
    let mut found: Vec<_> = documents.iter().flat_map(|document| document.diagnostics.clone()).collect();
    found.extend(adapter.across(&documents));
    found
}

fn of(path: &str, text: &str) -> Vec<Diagnostic> {
    told(DIALECT.latest, &[source(path, text)])
}

fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut out, mut at) = (Vec::new(), 0);
    for edit in edits {
        assert!(edit.range.start >= at, "edits overlap: {edit:?}");
        out.extend_from_slice(&bytes[at..edit.range.start]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Sees that each diagnostic's edits make that diagnostic go away, and leave text. Gives the codes that had edits.
fn mends(name: &str, version: Version, sources: &[Source]) -> BTreeSet<&'static str> {
    let before = told(version, sources);
    let count = |found: &[Diagnostic], code: &str| found.iter().filter(|one| one.code.id == code).count();
    let mut seen = BTreeSet::new();
    for one in before.iter().filter(|one| !one.edits.is_empty()) {
        let mut mended = sources.to_vec();
        let document = mended.iter_mut().find(|source| source.path == one.path).expect("the document");
        document.bytes = edited(&document.bytes, &one.edits).into();
        let text = String::from_utf8_lossy(&document.bytes).into_owned();
        let after = told(version, &mended);
        let id = one.code.id;
        assert!(count(&after, id) < count(&before, id), "{name}: {id} is still there: {one:?}\n{text}\n{after:#?}");
        seen.insert(id);
    }
    seen
}

/// Makes all edits that there are until there are none: they end, and what is left has none.
fn mend_all(name: &str, version: Version, sources: &[Source]) -> Vec<Source> {
    let mut sources = sources.to_vec();
    for _ in 0..40 {
        let found = told(version, &sources);
        let Some(one) = found.iter().find(|one| !one.edits.is_empty()) else { return sources };
        let document = sources.iter_mut().find(|source| source.path == one.path).expect("the document");
        document.bytes = edited(&document.bytes, &one.edits).into();
    }
    panic!("{name}: edits never end: {}", String::from_utf8_lossy(&sources[0].bytes));
}

/// The files of a page's section and the version that its command line names.
fn example(page: &str, section: &str) -> (Version, Vec<Source>) {
    let body = page.split(&format!("\n## {section}\n")).nth(1).expect("the section").split("\n## ").next().unwrap();
    let mut version = DIALECT.latest;
    let mut sources = Vec::new();
    for fence in body.split("```").skip(1).step_by(2) {
        let (info, text) = fence.split_once('\n').expect("a fence");
        match info.split(' ').collect::<Vec<_>>().as_slice() {
            ["console"] => {
                if let Some((_, asked)) = text.split_once("--vendor-version codex=") {
                    version = asked.split_whitespace().next().unwrap().parse().expect("a version");
                }
            }
            ["json-escaped", path] => {
                sources.push(source(path, &serde_json::from_str::<String>(text).expect("a text")))
            }
            ["json" | "toml", path] => sources.push(source(path, text)),
            // Scripts and the rest of the project are not the adapter's.
            [_, _] | [_, _, "x"] => {}
            other => panic!("{other:?}"),
        }
    }
    (version, sources)
}

fn pages() -> BTreeMap<String, String> {
    let folder = crate::fixtures("../docs/diagnostics/codex");
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (format!("codex/{}", path.file_stem().unwrap().to_str().unwrap()), fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn every_code_is_found_on_its_page_and_gone_where_it_is_fixed() {
    let pages = pages();
    let ids: Vec<_> = codes::CODES.iter().map(|code| code.id).collect();
    let mut wanted: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    wanted.sort();
    assert_eq!(pages.keys().cloned().collect::<Vec<_>>(), wanted);
    for (id, page) in &pages {
        let (version, fails) = example(page, "Fails");
        let found = told(version, &fails);
        let Some(one) = found.iter().find(|one| one.code.id == id) else { panic!("{id} is not found: {found:#?}") };
        let range = one.range.clone().unwrap_or_else(|| panic!("{id} has no place"));
        let document =
            fails.iter().find(|source| source.path == one.path).unwrap_or_else(|| panic!("{id}: {}", one.path));
        assert!(range.end <= document.bytes.len() && range.start <= range.end, "{id}: {range:?}");
        let (_, fixed) = example(page, "Fixed");
        let left = told(version, &fixed);
        let bad = left.iter().find(|one| one.code.id == id || one.severity == Severity::Error);
        assert!(bad.is_none(), "{id} fixed: {bad:#?}");
    }
}

/// Documents with faults that the pages do not show, each with the codes that have edits there.
const MORE: &[(&str, &str, &[&str])] = &[
    (
        ".codex/hooks.json",
        r#"{"PreToolUse":[{"hooks":[{"type":"command","command":"a"}]}],"Stop":[]}"#,
        &["codex/unknown-root-key"],
    ),
    (".codex/hooks.json", r#"{"hooks":{"Stop":[]},"PreToolUse":[],"$schema":"x"}"#, &["codex/unknown-root-key"]),
    (".codex/hooks.json", r#"{"hooks":{},"preToolUse":[]}"#, &["codex/unknown-root-key"]),
    (".codex/hooks.json", r#"{"Hooks":{"Stop":[]}}"#, &["codex/unknown-root-key"]),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"preToolUse":[{"matcher":"bash","hooks":[{"type":"command","command":"a","timeoutMs":2500}]}]}}"#,
        &["codex/unknown-event"],
    ),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"PreToolUse":[{"matcher":"bash","hooks":[{"type":"command","command":"a","timeoutMs":2500,"status_message":"x","Async":true}]}]}}"#,
        &["codex/unknown-field", "codex/matcher-never-matches"],
    ),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"PreToolUse":[{"command":"a","matcher":"Bash","type":"command"},{"type":"command","command":"b"}]}}"#,
        &["codex/handler-in-place-of-group"],
    ),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"PreToolUse":[{"handlers":[{"type":"command","command":"a"}]}]}}"#,
        &["codex/unknown-field"],
    ),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"PreToolUse":{"hooks":{"type":"command","command":"a"}}}}"#,
        &["codex/wrong-type"],
    ),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"PreToolUse":[{"matcher":["Bash","Edit"],"hooks":[{"type":"command","command":"a","async":"true","timeout":1.5}]}]}}"#,
        &["codex/wrong-type"],
    ),
    (".codex/hooks.json", r#"{"hooks":{"hooks":{"Stop":[]}}}"#, &["codex/unknown-event"]),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"Stop":[{"hooks":[{"Type":"command","command":"a"},{"type":"command","Command":"a"},{"type":"http"}]}]}}"#,
        &["codex/missing-field"],
    ),
    (".codex/hooks.json", r#"{"hooks":{"Stop":[],"Stop":[{"hooks":[]}]}}"#, &["codex/duplicate-event"]),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"SessionStart":[{"matcher":"Startup","hooks":[]},{"matcher":"Startup.*"}],"SessionEnd":[{"matcher":"exit"}]}}"#,
        &["codex/matcher-never-matches"],
    ),
    (
        ".codex/hooks.json",
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash, Edit"},{"matcher":"Bash(git *)"},{"matcher":"mcp__my-srv__.*"},{"matcher":"Edit|mcp__fs"},{"matcher":"*Bash"},{"matcher":"^(bash|Edit)$"}]}}"#,
        &["codex/matcher-never-matches", "codex/matcher-not-regex"],
    ),
    (
        ".codex/config.toml",
        "[[hooks.preToolUse]]\nmatcher = 'Bash'\ntype = 'command'\ncommand = 'a'\n",
        &["codex/unknown-event"],
    ),
    (
        ".codex/config.toml",
        "[[hooks.PreToolUse]]\nmatcher = 'Bash'\ntype = 'command'\ncommand = 'a'\n",
        &["codex/handler-in-place-of-group"],
    ),
    (
        ".codex/config.toml",
        "[[hooks.PreToolUse]]\ntype = 'command'\nmatcher = 'Bash'\ncommand = 'a' # the check\n",
        &["codex/handler-in-place-of-group"],
    ),
    (
        ".codex/config.toml",
        "hooks.PreToolUse = [{ type = 'command', matcher = 'Bash', command = 'a' }]\n",
        &["codex/handler-in-place-of-group"],
    ),
    (".codex/config.toml", "[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'a'\n", &["codex/wrong-type"]),
    (
        ".codex/config.toml",
        "[hooks.Stop]\n[hooks.Stop.hooks]\ntype = 'command'\ncommand = 'a'\n",
        &["codex/wrong-type"],
    ),
    (
        ".codex/config.toml",
        "[[hooks.Stop]]\n  [[hooks.Stop.hooks]]\n  command = 'a'\n  timeout = '30s'\n  additionalContextLimit = 10\n",
        &["codex/missing-field", "codex/wrong-type", "codex/context-limit-ignored"],
    ),
    (
        ".codex/config.toml",
        "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = 'command'\ncommand = 'a'\nasync = true # why\ntimeout = 9\n",
        &["codex/async-runs-synchronously", "codex/timeout-capped"],
    ),
    (
        ".codex/config.toml",
        "[[hooks.PreToolUse]]\nmatcher = \"shell\"\n[[hooks.PreToolUse.Hooks]]\ntype = 'command'\ncommand = 'a'\n[[hooks.PreToolUse.Hooks]]\ntype = 'command'\ncommand = 'b'\n",
        &["codex/unknown-field", "codex/matcher-never-matches"],
    ),
    (
        ".codex/config.toml",
        "[[Stop]]\n[[Stop.hooks]]\ntype = 'command'\ncommand = 'a'\n",
        &["codex/event-outside-hooks"],
    ),
    (".codex/config.toml", "[features]\nhooks = 'off'\n", &["codex/switch-wrong-type"]),
    ("system/etc/codex/requirements.toml", "allow_managed_hook_only = true\n", &["codex/key-nearly-right"]),
    (
        "home/.codex/config.toml",
        "[hooks.state.\"/x:stop:0:0\"]\nEnabled = false\nenabled = 'no'\n",
        &["codex/wrong-type"],
    ),
];

#[test]
fn every_edit_mends_what_it_is_for() {
    let mut all = BTreeSet::new();
    for (id, page) in pages() {
        let (version, fails) = example(&page, "Fails");
        all.extend(mends(&id, version, &fails));
        mend_all(&id, version, &fails);
    }
    for (path, text, wanted) in MORE {
        let sources = [source(path, text)];
        let seen = mends(text, DIALECT.latest, &sources);
        for code in *wanted {
            assert!(seen.contains(code), "{code} has no edit in {text}: {:#?}", of(path, text));
        }
        all.extend(seen);
        mend_all(text, DIALECT.latest, &sources);
    }
    assert!(all.len() >= 25, "{all:?}");
}

#[test]
fn edits_say_what_they_change_unless_they_change_nothing() {
    // The number that is written is the one that counted already, or the field that goes never counted.
    let same = ["codex/timeout-raised", "codex/timeout-capped", "codex/context-limit-ignored"];
    let texts = pages().into_iter().map(|(id, page)| (id, example(&page, "Fails")));
    for (id, (version, sources)) in texts {
        for one in told(version, &sources).iter().filter(|one| !one.edits.is_empty()) {
            assert_eq!(one.changes.is_none(), same.contains(&one.code.id), "{id}: {one:?}");
        }
    }
}

#[test]
fn edits_leave_everything_else_as_it_is() {
    let text = "# hooks\n[[hooks.pre_tool_use]] # first\nmatcher = \"Bash\"\n\n  [[hooks.\"pre_tool_use\".hooks]]\n  type = \"command\"\n  command = \"a\"\n  timeout = 5000 # ms?\n";
    let [mended] = &mend_all("toml", DIALECT.latest, &[source(".codex/config.toml", text)])[..] else { panic!() };
    let wanted =
        text.replace("\"pre_tool_use\"", "PreToolUse").replace("pre_tool_use", "PreToolUse").replace("5000", "5");
    assert_eq!(String::from_utf8_lossy(&mended.bytes), wanted);

    let text = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"type\": \"command\", \"command\": \"a\" }\n    ]\n  }\n}\n";
    let [mended] = &mend_all("json", DIALECT.latest, &[source(".codex/hooks.json", text)])[..] else { panic!() };
    let wanted = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"a\" }] }\n    ]\n  }\n}\n";
    assert_eq!(String::from_utf8_lossy(&mended.bytes), wanted);
}

#[test]
fn all_faults_are_told_in_file_order_also_behind_one_that_drops_the_file() {
    let text = r#"{
  "version": 1, // old
  "hooks": {
    "preToolUse": [],
    "Stop": [{ "matcher": "x", "hooks": [{ "type": "Command", "command": "a" }, { "type": "command", "command": "a", "timeout": "5", },] }]
  },
}"#;
    let mut found = of(".codex/hooks.json", text);
    found.sort_by_key(|one| one.range.as_ref().map(|range| range.start));
    let codes: Vec<_> = found.iter().map(|one| one.code.id.strip_prefix("codex/").unwrap()).collect();
    let wanted = [
        "unknown-root-key",
        "comment",
        "unknown-event",
        "matcher-ignored",
        "unknown-handler-type",
        "wrong-type",
        "trailing-comma",
        "trailing-comma",
        "trailing-comma",
    ];
    assert_eq!(codes, wanted);
    let mut last = 0;
    let adapter = Adapter::latest();
    let text = text.replace("// old", "").replace(", }", " }").replace("},]", "}]").replace("  },\n}", "  }\n}");
    for one in adapter.parse(&Arc::new(source(".codex/hooks.json", &text))).diagnostics {
        let start = one.range.map_or(0, |range| range.start);
        assert!(start >= last, "{}", one.code.id);
        last = start;
    }
    assert!(last > 0);
}

#[test]
fn places_are_exact_in_both_languages() {
    for (path, text, code, place, pointer) in [
        (
            ".codex/hooks.json",
            r#"{"hooks":{"PreToolUse":[{"matcher":"Edit|mcp__fs","hooks":[]}]}}"#,
            "matcher-never-matches",
            "mcp__fs",
            "/hooks/PreToolUse/0/matcher",
        ),
        (
            ".codex/config.toml",
            "[[hooks.PreToolUse]]\nmatcher = 'Edit|bash'\n",
            "matcher-never-matches",
            "bash",
            "/hooks/PreToolUse/0/matcher",
        ),
        (
            ".codex/config.toml",
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'a'\ntimeout = 9000\n",
            "timeout-in-milliseconds",
            "9000",
            "/hooks/Stop/0/hooks/0/timeout",
        ),
        (
            ".codex/config.toml",
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'a'\nasync = 'x'\n",
            "wrong-type",
            "'x'",
            "/hooks/Stop/0/hooks/0/async",
        ),
        (".codex/config.toml", "[[hooks.pre_tool_use]]\n", "unknown-event", "pre_tool_use", "/hooks/pre_tool_use"),
        (
            ".codex/config.toml",
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'a\n",
            "not-toml",
            "'a",
            "",
        ),
    ] {
        let found = of(path, text);
        let one = found.iter().find(|one| one.code.about == code || one.code.id.ends_with(code));
        let one = one.unwrap_or_else(|| panic!("{code}: {found:#?}"));
        assert_eq!(&text[one.range.clone().unwrap()], place, "{code}");
        assert_eq!(one.pointer.as_deref(), Some(pointer), "{code}");
    }
}

/// What the corpus says of a file, and the code that tells it; `Err` says who else does.
type Expected = (&'static str, &'static str, Result<&'static str, &'static str>);

const CORPUS: &[Expected] = &[
    ("003-version-key.json", "/version", Ok("codex/unknown-root-key")),
    ("005-matcher-where-ignored.json", "/hooks/UserPromptSubmit/0/matcher", Ok("codex/matcher-ignored")),
    ("008-hosted-tool-matcher.json", "/hooks/PreToolUse/0/matcher", Ok("codex/matcher-never-matches")),
    (
        "010-context-limit-zero.json",
        "/hooks/UserPromptSubmit/0/hooks/0/additionalContextLimit",
        Ok("codex/context-limit-off"),
    ),
    ("012-prompt-and-agent-types.json", "/hooks/Stop/0/hooks/0", Ok("codex/prompt-handler-skipped")),
    ("012-prompt-and-agent-types.json", "/hooks/PreToolUse/0/hooks/0", Ok("codex/agent-handler-skipped")),
    ("013-session-end-long-timeout.json", "/hooks/SessionEnd/0/hooks/0/timeout", Ok("codex/timeout-capped")),
    ("014-flat-entries.json", "/hooks/PreToolUse/0", Ok("codex/handler-in-place-of-group")),
    ("015-events-at-root.json", "/PreToolUse", Ok("codex/unknown-root-key")),
    ("016-claude-only-events.json", "/hooks/Notification", Ok("codex/unknown-event")),
    ("016-claude-only-events.json", "/hooks/TaskCompleted", Ok("codex/unknown-event")),
    ("017-timeouts-in-milliseconds.json", "/hooks/PreToolUse/0/hooks/0/timeout", Ok("codex/timeout-in-milliseconds")),
    ("021-toml-invented-keys.toml", "/hooks/pre_tool_use", Ok("codex/unknown-event")),
    ("022-toml-trust-records.toml", "/hooks/state", Ok("codex/hook-modified")),
    (
        "026-inline-text-on-stop.json",
        "/hooks/Stop/0/hooks/0/command",
        Err("what a command prints is judged when it has run: `crosshook explain` and `crosshook fire`"),
    ),
];

#[test]
fn the_corpus_is_found_where_its_index_says() {
    let index: Value = serde_json::from_slice(&fs::read(crate::fixtures("corpus/codex/index.json")).unwrap()).unwrap();
    let mut met = BTreeSet::new();
    let mut quiet = 0;
    for entry in index["files"].as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let text = String::from_utf8(fs::read(crate::fixtures("corpus/codex").join(file)).unwrap()).unwrap();
        let installed = entry["installed_as"].as_str().unwrap();
        let path = match installed {
            "requirements.toml" => "system/etc/codex/requirements.toml".to_owned(),
            _ if installed.contains("(plugin)") => "plugin/hooks/hooks.json".to_owned(),
            _ => installed.replace("~/", "home/").replace("<repo>/", ""),
        };
        let mut sources = vec![source(&path, &text)];
        if file.starts_with("022") {
            // The hook that the record is about, which is another one than was reviewed.
            let hook = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"a"}]}]}}"#;
            let mut hooks = source(".codex/hooks.json", hook);
            hooks.path = "/home/dev/demo/.codex/hooks.json".to_owned();
            sources.push(hooks);
        }
        let found = told(DIALECT.latest, &sources);
        mends(file, DIALECT.latest, &sources);
        let noted = ["warnings", "skipped"].iter().flat_map(|key| entry[*key].as_array().unwrap());
        let mut expected = false;
        for note in noted {
            expected = true;
            let at = note["at"].as_str().unwrap();
            let at = if at.starts_with('/') { at.to_owned() } else { format!("/{}", at.replace('.', "/")) };
            let row = CORPUS.iter().find(|(name, pointer, _)| *name == file && *pointer == at);
            let Some((_, _, told_by)) = row else { panic!("{file} {at}: no code is named for it") };
            met.insert((file.to_owned(), at.clone()));
            let Ok(code) = told_by else { continue };
            let here = |one: &&Diagnostic| {
                let pointer = one.pointer.as_deref().unwrap_or_default();
                let records = one.related.iter().any(|related| related.path.as_deref() == Some(&sources[0].path));
                pointer == at || (at == "/hooks/state" && records)
            };
            assert!(found.iter().filter(here).any(|one| one.code.id == *code), "{file} {at} {code}: {found:#?}");
        }
        if entry["valid"] == "yes" && !expected {
            quiet += 1;
            assert!(found.is_empty(), "{file}: {found:#?}");
        }
    }
    assert_eq!(met.len(), CORPUS.len(), "a row has no file: {met:?}");
    assert!(quiet >= 10, "{quiet}");
}

#[test]
fn configurations_of_the_corpus_cases_are_told_as_they_are_expected() {
    // `codex-json-and-toml-in-one-layer`, `codex-async-deny`, `codex-untrusted-hook`.
    let json = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./a"}]}]}}"#;
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"./b\"\n";
    let both = [source(".codex/hooks.json", json), source(".codex/config.toml", toml)];
    let ids = |found: Vec<Diagnostic>| found.into_iter().map(|one| one.code.id).collect::<Vec<_>>();
    assert_eq!(ids(told(DIALECT.latest, &both)), ["codex/two-documents-in-one-layer"]);
    let deny =
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./hook","async":true}]}]}}"#;
    assert_eq!(ids(of(".codex/hooks.json", deny)), ["codex/async-cannot-block"]);
    assert_eq!(
        ids(told(Version::new(0, 147, 0), &[source(".codex/hooks.json", deny)])),
        ["codex/async-handler-skipped"]
    );
    let records = source("home/.codex/config.toml", "[hooks.state.\"/elsewhere:stop:0:0\"]\nenabled = true\n");
    let guard = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./hook"}]}]}}"#;
    let found = told(DIALECT.latest, &[source(".codex/hooks.json", guard), records]);
    assert_eq!(
        found.iter().map(|one| (one.code.id, one.severity)).collect::<Vec<_>>(),
        [("codex/hook-untrusted", Severity::Error)]
    );
}

#[test]
fn what_a_version_does_not_know_yet_is_told_with_the_version_that_does() {
    let text = r#"{"hooks":{"SessionEnd":[],"Stop":[{"hooks":[{"type":"command","command":"a","additionalContextLimit":5}]}]}}"#;
    let found = told(Version::new(0, 144, 0), &[source(".codex/hooks.json", text)]);
    assert!(found.iter().any(|one| one.code.id == "codex/unknown-field" && one.help.contains("0.145")), "{found:#?}");
    assert!(found.iter().any(|one| one.code.id == "codex/unknown-event" && one.help.contains("since")), "{found:#?}");
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"s","tool":"t"}]}]}}"#;
    let found = told(Version::new(0, 144, 0), &[source(".codex/hooks.json", text)]);
    assert!(found.iter().any(|one| one.help.contains("0.148")), "{found:#?}");
}
