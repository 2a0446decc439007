//! Of Codex's files, all faults are told in one run: each of them stands beside every other one in the same file, and what is
//! told of it alone is told there too.
//!
//! The faults are those of the pages, and more as people write them. A fault that hides another one is in [`HIDES`], with
//! the reason.

use std::collections::BTreeMap;

use adapter_codex::DIALECT;
use hooks_core::document::{JsonRules, Member, Value};
use hooks_core::lint::syntax::mistakes;

use crate::diagnostics::{source, told};

/// A fault in `hooks.json`: members at the root, and lists of groups below `hooks`, as written.
#[derive(Clone, Debug, Default)]
struct Json {
    name: String,
    root: Vec<String>,
    events: Vec<(String, String)>,
    /// Whether a byte order mark stands before it, and a comment in it.
    mark: bool,
    comment: bool,
}

/// What else goes wrong in `hooks.json`: a name, members of the root, and for keys of `hooks` what stands behind the colon.
type Written = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const JSON: &[Written] = &[
    // Syntax, with an edit that mends it and without.
    (
        "a value too few",
        &[],
        &[("\"SessionEnd\"", r#"[{ "hooks": [{ "type": "command", "command": , "timeout": 9 }] }]"#)],
    ),
    ("a key without a value", &[], &[("\"SessionEnd\"", r#"[{ "matcher", "hooks": [] }]"#)]),
    ("an event without a value", &[], &[("\"SessionEnd\"", "")]),
    ("a value without a key", &[], &[("\"SessionEnd\"", r#"[{ : "x", "hooks": [] }]"#)]),
    ("other quotes", &[], &[("'SessionEnd'", r#"[{ 'hooks': [{ 'type': 'command', 'command': './check.sh' }] }]"#)]),
    ("no quotes", &[], &[("SessionEnd", r#"[{ hooks: [{ type: "command", command: "./check.sh" }] }]"#)]),
    ("a comment", &[], &[("\"SessionEnd\"", "[/* none yet */]")]),
    ("a comma too many", &[], &[("\"SessionEnd\"", r#"[{ "hooks": [], }]"#)]),
    ("a comma too few", &[], &[("\"SessionEnd\"", r#"[{ "matcher": "other" "hooks": [] }]"#)]),
    (
        "a word of another language",
        &[],
        &[("\"SessionEnd\"", r#"[{ "hooks": [{ "type": "command", "command": "./check.sh", "async": True }] }]"#)],
    ),
    (
        "an escape that is none",
        &[],
        &[("\"SessionEnd\"", r#"[{ "hooks": [{ "type": "command", "command": "./check.sh \d" }] }]"#)],
    ),
    ("an unfinished merge", &[], &[("\"SessionEnd\"", "[\n<<<<<<< ours\n]")]),
    // The root.
    ("a key at the root", &[r#""version": 1"#], &[]),
    (
        "an event at the root",
        &[
            r#""PostToolUse": [{ "matcher": "bash", "hooks": [{ "type": "command", "command": "./missing-root.sh", "timeout": 30000 }] }]"#,
        ],
        &[],
    ),
    (
        "hooks in capitals",
        &[
            r#""Hooks": { "PostToolUse": [{ "matcher": "bash", "hooks": [{ "type": "Command", "command": "./check.sh" }] }] }"#,
        ],
        &[],
    ),
    ("a description that is a list", &[r#""description": ["mine"]"#], &[]),
    // Names.
    (
        "an event in small letters",
        &[],
        &[(
            "\"preToolUse\"",
            r#"[{ "matcher": "bash", "hooks": [{ "type": "command", "command": "./missing-event.sh", "timeout": 30000, "timeoutSec": 3 }] }]"#,
        )],
    ),
    (
        "an event with a fatal fault in it",
        &[],
        &[("\"post_tool_use\"", r#"[{ "hooks": [{ "type": "command", "command": ["./check.sh"] }] }]"#)],
    ),
    ("no event at all", &[], &[("\"BeforeLunch\"", r#"[{ "hooks": [{ "type": "http", "command": 5 }] }]"#)]),
    ("a trust record in JSON", &[], &[("\"state\"", r#"{}"#)]),
    (
        "one wrapper too many",
        &[],
        &[(
            "\"hooks\"",
            r#"{ "PermissionRequest": [{ "matcher": "bash", "hooks": [{ "type": "command", "command": "./check.sh", "timeout": -1 }] }] }"#,
        )],
    ),
    // Wrappers.
    (
        "a handler in place of a group",
        &[],
        &[(
            "\"PermissionRequest\"",
            r#"[{ "type": "command", "command": "./missing-wrapper.sh", "timeout": 30000, "once": true }]"#,
        )],
    ),
    (
        "a handler of a wrong type in place of a group",
        &[],
        &[("\"PermissionRequest\"", r#"[{ "type": "Command", "command": "./check.sh" }]"#)],
    ),
    (
        "a group in place of a list",
        &[],
        &[(
            "\"PermissionRequest\"",
            r#"{ "matcher": "bash", "hooks": [{ "type": "command", "command": "./missing-list.sh" }] }"#,
        )],
    ),
    (
        "a handler in place of a list",
        &[],
        &[("\"PermissionRequest\"", r#"{ "type": "command", "command": "./check.sh", "timeout": "5" }"#)],
    ),
    ("a text in place of a list", &[], &[("\"PermissionRequest\"", r#""./check.sh""#)]),
    ("a null in place of a list", &[], &[("\"PermissionRequest\"", "null")]),
    ("a text in place of a group", &[], &[("\"PermissionRequest\"", r#"["./check.sh"]"#)]),
    ("a text in place of a handler", &[], &[("\"PermissionRequest\"", r#"[{ "hooks": ["./check.sh"] }]"#)]),
    (
        "a handler in place of handlers",
        &[],
        &[(
            "\"PermissionRequest\"",
            r#"[{ "hooks": { "type": "command", "command": "./missing-hooks.sh", "timeout": 30000 } }]"#,
        )],
    ),
    (
        "handlers under another key",
        &[],
        &[(
            "\"PermissionRequest\"",
            r#"[{ "handlers": [{ "type": "command", "command": "./missing-handlers.sh", "timeout": 30000 }] }]"#,
        )],
    ),
    // Keys twice.
    (
        "an event three times",
        &[],
        &[
            ("\"Interrupt\"", r#"[{ "hooks": [{ "type": "command", "command": "./missing-1.sh" }] }]"#),
            (
                "\"Interrupt\"",
                r#"[{ "matcher": "x", "hooks": [{ "type": "command", "command": "./missing-2.sh", "timeout": 5000 }] }]"#,
            ),
            (
                "\"Interrupt\"",
                r#"[{ "hooks": [{ "type": "command", "command": "./missing-3.sh", "timeout": 5000, "args": [] }] }]"#,
            ),
        ],
    ),
    (
        "hooks twice in a group",
        &[],
        &[(
            "\"SubagentStop\"",
            r#"[{ "hooks": [{ "type": "command", "command": "./missing-4.sh" }], "hooks": [{ "type": "command", "command": "./missing-5.sh", "timeout": 30000 }] }]"#,
        )],
    ),
    (
        "a command twice",
        &[],
        &[("\"SubagentStop\"", r#"[{ "hooks": [{ "type": "command", "command": "./check.sh", "command": 5 }] }]"#)],
    ),
    (
        "a type twice",
        &[],
        &[(
            "\"SubagentStop\"",
            r#"[{ "hooks": [{ "type": "command", "type": "Command", "command": "./check.sh" }] }]"#,
        )],
    ),
    // Handlers.
    (
        "a type nobody knows",
        &[],
        &[(
            "\"SubagentStart\"",
            r#"[{ "hooks": [{ "type": "http", "url": "https://example.org", "timeout": "5" }] }]"#,
        )],
    ),
    (
        "no type, with more faults",
        &[],
        &[(
            "\"SubagentStart\"",
            r#"[{ "matcher": "(", "hooks": [{ "command": "./missing-type.sh", "timeout": "5" }] }]"#,
        )],
    ),
    (
        "many wrong fields",
        &[],
        &[(
            "\"SubagentStart\"",
            r#"[{ "matcher": 5, "hooks": [{ "type": "command", "command": 5, "timeout": 1.5, "async": 1, "statusMessage": 1, "additionalContextLimit": -1, "commandWindows": 1, "env": {} }] }]"#,
        )],
    ),
    (
        "a blank command",
        &[],
        &[(
            "\"SubagentStart\"",
            r#"[{ "hooks": [{ "type": "command", "command": " ", "async": true, "timeout": 30000 }] }]"#,
        )],
    ),
];

/// What else goes wrong in `config.toml`.
const TOML: &[(&str, &str)] = &[
    (
        "a colon",
        "[[hooks.SessionEnd]]\nmatcher: \"exit\"\n[[hooks.SessionEnd.hooks]]\ntype: \"command\"\ncommand = \"a\"\n",
    ),
    (
        "a value too few",
        "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand =\ntimeout = 60\n",
    ),
    ("a key alone", "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand\n"),
    ("two values", "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"a\", \"b\"\n"),
    (
        "a key twice",
        "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"a\"\ncommand = \"b\"\n",
    ),
    (
        "a header that is not closed",
        "[[hooks.SessionEnd]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"a\"\n",
    ),
    ("a table and a list of one name", "[hooks.Interrupt]\nmatcher = \"x\"\n[[hooks.Interrupt]]\n"),
    ("a table twice", "[tools]\nweb_search = true\n[tools]\nview_image = true\n"),
    (
        "a text that is not closed",
        "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"a\ntimeout = 60\n",
    ),
    (
        "a word in capitals",
        "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"a\"\nasync = True\n",
    ),
    (
        "an escape that is none",
        "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"C:\\hooks\\a.exe\"\n",
    ),
    (
        "a number that is too large",
        "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"a\"\ntimeout = 99999999999999999999\n",
    ),
    ("a comment of another language", "// mine\n"),
    (
        "a table in place of a list",
        "[hooks.PreCompact]\nmatcher = \"bash\"\n[[hooks.PreCompact.hooks]]\ntype = \"Command\"\ncommand = \"a\"\n",
    ),
    (
        "a handler in place of a group",
        "[[hooks.PermissionRequest]]\ntype = \"command\"\ncommand = \"a\"\ntimeout = 30000\nonce = true\n",
    ),
    (
        "an event in snake case",
        "[[hooks.user_prompt_submit]]\n[[hooks.user_prompt_submit.hooks]]\ntype = \"command\"\ncommand = \"a\"\ntimeout = \"5\"\nargs = []\n",
    ),
    (
        "an event outside of hooks",
        "[[PostToolUse]]\nmatcher = \"bash\"\n[[PostToolUse.hooks]]\ntype = \"command\"\ncommand = \"a\"\ntimeout = \"5\"\n",
    ),
    (
        "hooks in capitals",
        "[[Hooks.PostToolUse]]\nmatcher = \"bash\"\n[[Hooks.PostToolUse.hooks]]\ntype = \"command\"\ncommand = \"a\"\ntimeout = 30000\n",
    ),
    (
        "a wrong type",
        "[[hooks.SubagentStop]]\n[[hooks.SubagentStop.hooks]]\ntype = \"command\"\ncommand = [\"a\"]\ntimeout = 1.5\nasync = \"yes\"\n",
    ),
    (
        "no type",
        "[[hooks.SubagentStop]]\nmatcher = \"(\"\n[[hooks.SubagentStop.hooks]]\ncommand = \"a\"\ntimeout = \"5s\"\n",
    ),
    (
        "a type nobody knows",
        "[[hooks.SubagentStop]]\n[[hooks.SubagentStop.hooks]]\ntype = \"http\"\nurl = \"https://example.org\"\ntimeout = 1.5\n",
    ),
    ("inline", "hooks.SubagentStart = [{ hooks = { type = \"command\", command = \"a\", timeout = 30000 } }]\n"),
];

/// What is not told beside a fault: the fault's name, the code, and why.
const HIDES: &[(&str, &str, &str)] = &[
    // One table cannot stand twice.
    ("codex/hooks-switched-off", "codex/switch-wrong-type", "both are `hooks` in `[features]`"),
    ("codex/switch-wrong-type", "codex/hooks-switched-off", "both are `hooks` in `[features]`"),
    // Each has the same quotes, which are told of once.
    ("other quotes", "codex/not-json", "more than three quotes of the wrong kind are one finding"),
    ("codex/not-json", "codex/not-json", "more than three quotes of the wrong kind are one finding"),
];

impl Json {
    /// A page's document, taken apart by the tree that it has once its syntax is mended.
    fn of(name: &str, text: &str) -> Option<Self> {
        let root = mistakes(text.as_bytes(), JsonRules::default()).root?;
        let mut one = Self { name: name.to_owned(), ..Self::default() };
        let mut last = 0;
        for member in &root.as_object()?.members {
            let before = &text[last..member.key_range.start];
            one.comment |= before.contains("//");
            match &member.value.value {
                Value::Object(events) if member.key == "hooks" && one.events.is_empty() => {
                    let written = |event: &Member| {
                        (text[event.key_range.clone()].to_owned(), text[event.value.range.clone()].to_owned())
                    };
                    one.events = events.members.iter().map(written).collect();
                }
                _ => one.root.push(text[member.key_range.start..member.value.range.end].to_owned()),
            }
            last = member.value.range.end;
        }
        one.mark = text.starts_with('\u{feff}');
        Some(one)
    }

    fn text(faults: &[&Self]) -> String {
        let mut root: Vec<&str> = Vec::new();
        let mut events: Vec<(String, String)> = Vec::new();
        for fault in faults {
            root.extend(fault.root.iter().map(String::as_str));
            let before = events.len();
            for (key, value) in &fault.events {
                // Beside each other in one list, where both have a list for one event.
                let same = events.iter_mut().take(before).find(|(other, list)| other == key && list.ends_with(']'));
                let is_once = fault.events.iter().filter(|(other, _)| other == key).count() == 1;
                match same.filter(|_| value.starts_with('[') && is_once) {
                    Some((_, list)) => {
                        list.pop();
                        let mine = value.strip_prefix('[').unwrap();
                        let comma = if list.trim_end() == "[" || mine.trim_start().starts_with(']') { "" } else { "," };
                        *list = format!("{list}{comma} {mine}");
                    }
                    None => events.push((key.clone(), value.clone())),
                }
            }
        }
        let mark = if faults.iter().any(|fault| fault.mark) { "\u{feff}" } else { "" };
        let comment = if faults.iter().any(|fault| fault.comment) { "  // guards the shell\n" } else { "" };
        let events: Vec<String> = events.iter().map(|(key, value)| format!("    {key}: {value}")).collect();
        let root: String = root.iter().map(|member| format!("  {member},\n")).collect();
        format!("{mark}{{\n{root}{comment}  \"hooks\": {{\n{}\n  }}\n}}\n", events.join(",\n"))
    }
}

/// A fault in `config.toml`: what stands before all headers, and tables.
#[derive(Clone, Debug)]
struct Toml {
    name: String,
    root: String,
    tables: String,
}

impl Toml {
    fn of(name: &str, text: &str) -> Self {
        let at = if text.starts_with('[') { 0 } else { text.find("\n[").map_or(text.len(), |at| at + 1) };
        Self { name: name.to_owned(), root: text[..at].to_owned(), tables: text[at..].to_owned() }
    }

    fn text(faults: &[&Self]) -> String {
        let roots: String = faults.iter().map(|fault| fault.root.as_str()).collect();
        let tables: Vec<&str> = faults.iter().map(|fault| fault.tables.as_str()).collect();
        roots + &tables.join("\n")
    }
}

/// The failing files of the pages that have one document, at a path.
fn pages(path: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for area in ["codex"] {
        let folder = crate::fixtures(&format!("../docs/diagnostics/{area}"));
        for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let page = std::fs::read_to_string(&file).unwrap();
            let fails = page.split("\n## Fails\n").nth(1).unwrap().split("\n## Fixed\n").next().unwrap();
            let mut documents = Vec::new();
            for fence in fails.split("```").skip(1).step_by(2) {
                let (info, text) = fence.split_once('\n').unwrap();
                match info.split(' ').collect::<Vec<_>>().as_slice() {
                    ["json-escaped", at] => documents.push((*at, serde_json::from_str::<String>(text).unwrap())),
                    ["json" | "toml", at] => documents.push((*at, text.to_owned())),
                    _ => {}
                }
            }
            match documents.as_slice() {
                [(at, text)] if *at == path && !fails.contains("```console") => {
                    found.push((format!("{area}/{}", file.file_stem().unwrap().to_str().unwrap()), text.clone()));
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// What is told of a file with this text: each code with what it is about and what it says.
fn shown(path: &str, text: &str) -> Vec<(&'static str, String, String)> {
    let found = told(DIALECT.latest, &[source(path, text)]);
    let of = |one: hooks_core::Diagnostic| {
        let slice = &text[one.range.unwrap_or_default()];
        // What is missing is told at what stands in its place, which is about nothing.
        let is_mark = slice.chars().all(|c| matches!(c, ',' | '}' | ']' | '\n'));
        (one.code.id, if is_mark { String::new() } else { slice.to_owned() }, one.message)
    };
    found.into_iter().map(of).collect()
}

/// What is told of each fault alone and not beside another one, every pair in both orders.
fn hidden<F>(path: &str, faults: &[F], name: fn(&F) -> &str, text: fn(&[&F]) -> String) -> Vec<String> {
    let alone: Vec<_> = faults.iter().map(|fault| shown(path, &text(&[fault]))).collect();
    let mut lost: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
    for (a, one) in faults.iter().enumerate() {
        assert!(!alone[a].is_empty(), "{}: nothing is told of it alone\n{}", name(one), text(&[one]));
        for (b, other) in faults.iter().enumerate().filter(|(b, _)| *b != a) {
            let mut left = shown(path, &text(&[one, other]));
            for (of, beside, wanted) in [(one, other, &alone[a]), (other, one, &alone[b])] {
                for wanted in wanted {
                    if let Some(at) = left.iter().position(|found| found == wanted) {
                        left.swap_remove(at);
                    } else if !HIDES.iter().any(|(by, code, _)| *by == name(beside) && *code == wanted.0) {
                        lost.entry((wanted.0, name(of), &wanted.2)).or_default().push(name(beside));
                    }
                }
            }
        }
    }
    let of = |((code, of, message), mut beside): ((&str, &str, &str), Vec<&str>)| {
        beside.sort_unstable();
        beside.dedup();
        format!("{code} of `{of}` ({message}) beside: {}", beside.join(", "))
    };
    lost.into_iter().map(of).collect()
}

#[test]
fn no_fault_of_hooks_json_hides_another_one() {
    let path = ".codex/hooks.json";
    // One comma is too many only where nothing follows it.
    let of_pages = pages(path).into_iter().filter(|(name, _)| name != "codex/trailing-comma");
    let mut faults: Vec<Json> = of_pages.filter_map(|(name, text)| Json::of(&name, &text)).collect();
    assert!(faults.len() > 20, "{}", faults.len());
    faults.extend(JSON.iter().map(|(name, root, events)| Json {
        name: (*name).to_owned(),
        root: root.iter().map(|member| (*member).to_owned()).collect(),
        events: events.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        ..Json::default()
    }));
    let hidden = hidden(path, &faults, |fault| &fault.name, Json::text);
    assert!(hidden.is_empty(), "{} are hidden:\n{}", hidden.len(), hidden.join("\n"));
}

#[test]
fn no_fault_of_config_toml_hides_another_one() {
    let path = ".codex/config.toml";
    let mut faults: Vec<Toml> = pages(path).iter().map(|(name, text)| Toml::of(name, text)).collect();
    faults.extend(TOML.iter().map(|(name, text)| Toml::of(name, text)));
    let hidden = hidden(path, &faults, |fault| &fault.name, Toml::text);
    assert!(hidden.is_empty(), "{} are hidden:\n{}", hidden.len(), hidden.join("\n"));
}
