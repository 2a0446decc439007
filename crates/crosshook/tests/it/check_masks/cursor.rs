//! Nothing hides anything: what is wrong in a file of Cursor's is told in one run, whatever else is wrong in it.
//!
//! The faults are the failing examples of the pages. Each is put behind everything that keeps a file or a part of it from
//! counting, and beside each other one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::told;
use crate::pages::{Files, failing};
use crate::support::Project;

const FILE: &str = ".cursor/hooks.json";

/// A fault alone: the page's id, its file as JSON, the other files of its project.
struct Fault {
    id: String,
    document: Value,
    others: Files,
}

/// The failing examples that are a `hooks.json` with hooks in it, and JSON.
fn faults() -> Vec<Fault> {
    let mut faults = Vec::new();
    for (id, files) in failing(&["cursor/", "crosshook/"]) {
        let Some((_, text, _)) = files.iter().find(|(path, ..)| path == FILE) else { continue };
        let Ok(document) = serde_json::from_str::<Value>(text) else { continue };
        if !document["hooks"].is_object() {
            continue;
        }
        let others = files.iter().filter(|(path, ..)| path != FILE).cloned().collect();
        faults.push(Fault { id, document, others });
    }
    assert!(faults.len() > 30, "the pages have more examples than {}", faults.len());
    faults
}

/// How often each code is told of a file with this text.
fn codes(text: &str, others: &[&Files]) -> BTreeMap<&'static str, usize> {
    let mut codes = BTreeMap::new();
    for found in told(FILE, text, others) {
        *codes.entry(found.code.id).or_insert(0) += 1;
    }
    codes
}

/// The codes of the first that the second has not as often, but for some.
fn hidden(
    alone: &BTreeMap<&'static str, usize>,
    together: &BTreeMap<&'static str, usize>,
    known: &[&str],
) -> Vec<&'static str> {
    let less = |(code, count): (&&'static str, &usize)| {
        (together.get(code).copied().unwrap_or_default() < *count && !known.contains(code)).then_some(*code)
    };
    alone.iter().filter_map(less).collect()
}

/// Something that keeps a whole file, or what it is about, from counting.
struct Mask {
    name: &'static str,
    /// The file with it; `None` where the document has no place for it.
    put: fn(&Value) -> Option<String>,
    /// The codes that it takes with it, because it changes what they are about.
    known: &'static [&'static str],
}

fn with_hooks(document: &Value, change: impl Fn(&Map<String, Value>) -> Option<Value>) -> Option<String> {
    let mut document = document.clone();
    document["hooks"] = change(document["hooks"].as_object()?)?;
    Some(document.to_string())
}

fn renamed(document: &Value, name: impl Fn(&str) -> Option<String>) -> Option<String> {
    with_hooks(document, |hooks| {
        let renamed: Map<_, _> =
            hooks.iter().map(|(event, hooks)| Some((name(event)?, hooks.clone()))).collect::<Option<_>>()?;
        Some(Value::Object(renamed))
    })
}

fn each_hook(document: &Value, change: impl Fn(&Map<String, Value>) -> Option<Value>) -> Option<String> {
    with_hooks(document, |hooks| {
        let event = |(event, hooks): (&String, &Value)| {
            let hooks = hooks.as_array()?.iter().map(|hook| change(hook.as_object()?)).collect::<Option<Vec<_>>>()?;
            Some((event.clone(), Value::Array(hooks)))
        };
        Some(Value::Object(hooks.iter().map(event).collect::<Option<_>>()?))
    })
}

/// Claude's name for an event, as Cursor's page on third-party hooks has it.
fn claudes(event: &str) -> Option<String> {
    let name = match event {
        "beforeSubmitPrompt" => "UserPromptSubmit".to_owned(),
        "preToolUse" | "postToolUse" | "stop" | "subagentStop" | "sessionStart" | "sessionEnd" | "preCompact" => {
            event[..1].to_uppercase() + &event[1..]
        }
        _ => return None,
    };
    Some(name)
}

const MASKS: &[Mask] = &[
    Mask {
        name: "an event that is misspelt",
        put: |document| renamed(document, |event| (event != "hooks").then(|| format!("{event}s"))),
        // One letter more on what is misspelt already is another name; two hooks on two events are told of those that run.
        known: &["cursor/unknown-event", "cursor/guard-on-two-events"],
    },
    Mask {
        name: "an event in other letters",
        put: |document| renamed(document, |event| (event != "hooks").then(|| event.to_uppercase())),
        known: &["cursor/unknown-event", "cursor/guard-on-two-events"],
    },
    Mask { name: "Claude's event", put: |document| renamed(document, claudes), known: &["cursor/guard-on-two-events"] },
    Mask {
        name: "`hooks` misspelt",
        put: |document| Some(json!({"version": 1, "hook": document["hooks"]}).to_string()),
        known: &["cursor/guard-on-two-events", "cursor/unsupported-version"],
    },
    Mask {
        name: "`hooks` under another name",
        put: |document| Some(json!({"version": 1, "events": document["hooks"]}).to_string()),
        known: &["cursor/guard-on-two-events", "cursor/unsupported-version", "cursor/unknown-event"],
    },
    Mask {
        name: "no `hooks` around the events",
        put: |document| {
            let mut root = document["hooks"].as_object()?.clone();
            root.insert("version".to_owned(), json!(1));
            Some(Value::Object(root).to_string())
        },
        // Only what is nearly an event is told to be one there.
        known: &["cursor/guard-on-two-events", "cursor/unsupported-version", "cursor/unknown-event"],
    },
    Mask {
        name: "`hooks` in `hooks`",
        put: |document| with_hooks(document, |hooks| Some(json!({"hooks": hooks}))),
        known: &["cursor/guard-on-two-events"],
    },
    Mask {
        name: "events beside `hooks`",
        put: |document| {
            let mut root = document["hooks"].as_object()?.clone();
            root.insert("version".to_owned(), document["version"].clone());
            root.insert("hooks".to_owned(), json!({}));
            Some(Value::Object(root).to_string())
        },
        known: &["cursor/guard-on-two-events", "cursor/unknown-event", "cursor/wrong-type"],
    },
    Mask {
        name: "no version",
        put: |document| Some(json!({"hooks": document["hooks"]}).to_string()),
        known: &["cursor/unsupported-version"],
    },
    Mask {
        name: "version 0",
        put: |document| Some(json!({"version": 0, "hooks": document["hooks"]}).to_string()),
        known: &[],
    },
    Mask { name: "a comment", put: |document| Some(format!("// hooks\n{document}")), known: &[] },
    Mask { name: "a byte order mark", put: |document| Some(format!("\u{feff}{document}")), known: &[] },
    Mask {
        name: "a comma too many",
        put: |document| document.to_string().strip_suffix('}').map(|text| format!("{text},}}")),
        known: &[],
    },
    Mask {
        name: "a comma too few",
        put: |document| {
            let text = document.to_string();
            text.contains("},{").then(|| text.replacen("},{", "} {", 1))
        },
        known: &[],
    },
    Mask {
        name: "single quotes",
        put: |document| Some(document.to_string().replacen("\"hooks\"", "'hooks'", 1)),
        known: &[],
    },
    Mask {
        name: "no bracket at the end",
        put: |document| document.to_string().strip_suffix('}').map(ToOwned::to_owned),
        known: &[],
    },
    Mask {
        name: "`hooks` twice",
        put: |document| Some(format!("{{\"version\":1,\"hooks\":{},\"hooks\":{{}}}}", document["hooks"])),
        known: &["cursor/guard-on-two-events", "cursor/unsupported-version"],
    },
    Mask {
        name: "each event twice",
        put: |document| {
            let hooks = document["hooks"].as_object()?;
            let once = |(event, hooks): (&String, &Value)| format!("{}:{hooks}", json!(event));
            let twice = |(event, _): (&String, &Value)| format!("{}:[]", json!(event));
            let all: Vec<String> = hooks.iter().map(once).chain(hooks.iter().map(twice)).collect();
            Some(format!("{{\"version\":1,\"hooks\":{{{}}}}}", all.join(",")))
        },
        known: &["cursor/guard-on-two-events", "cursor/unsupported-version"],
    },
    Mask {
        name: "groups",
        put: |document| {
            each_hook(document, |hook| {
                let mut inner = hook.clone();
                let mut group = Map::new();
                if let Some(matcher) = inner.remove("matcher") {
                    group.insert("matcher".to_owned(), matcher);
                }
                group.insert("hooks".to_owned(), json!([inner]));
                Some(Value::Object(group))
            })
        },
        known: &["cursor/guard-on-two-events", "cursor/repeated-hook"],
    },
    Mask {
        name: "a hook outside of an array",
        put: |document| {
            with_hooks(document, |hooks| {
                let single = |(event, hooks): (&String, &Value)| match hooks.as_array()?.as_slice() {
                    [hook] if hook.is_object() => Some((event.clone(), hook.clone())),
                    _ => None,
                };
                Some(Value::Object(hooks.iter().map(single).collect::<Option<_>>()?))
            })
        },
        known: &[],
    },
    Mask {
        name: "`command` misspelt",
        put: |document| {
            each_hook(document, |hook| {
                let mut hook = hook.clone();
                let command = hook.remove("command")?;
                hook.insert("comand".to_owned(), command);
                Some(Value::Object(hook))
            })
        },
        known: &["cursor/guard-on-two-events"],
    },
    Mask {
        name: "a type that is misspelt",
        put: |document| {
            each_hook(document, |hook| {
                let mut hook = hook.clone();
                let word = hook.get("type").map_or(Some("command"), Value::as_str)?.to_owned();
                hook.insert("type".to_owned(), json!(format!("{word}s")));
                Some(Value::Object(hook))
            })
        },
        known: &["cursor/guard-on-two-events", "cursor/missing-field"],
    },
    Mask {
        name: "keys in other letters",
        put: |document| {
            each_hook(document, |hook| {
                Some(Value::Object(hook.iter().map(|(key, value)| (key.to_uppercase(), value.clone())).collect()))
            })
        },
        // A group's inner `hooks` is none in capitals, and a kind is not looked for under another key than its own.
        known: &[
            "cursor/guard-on-two-events",
            "cursor/claude-shape",
            "cursor/unknown-handler-type",
            "cursor/prompt-not-in-cloud",
            "cursor/empty-command",
        ],
    },
    Mask {
        name: "a fault of the whole file behind it",
        put: |document| {
            with_hooks(document, |hooks| {
                let mut hooks = hooks.clone();
                hooks.insert("afterAgentThought".to_owned(), json!([{"command": 1}]));
                Some(Value::Object(hooks))
            })
        },
        known: &[],
    },
];

#[test]
fn nothing_that_keeps_a_hook_from_counting_hides_its_other_faults() {
    let mut wrong = Vec::new();
    // What is wrong with the version goes with the version.
    for fault in faults().into_iter().filter(|fault| !fault.document["version"].is_null()) {
        let alone = codes(&fault.document.to_string(), &[&fault.others]);
        // That a hook runs twice is told of those that run.
        let twice = ["crosshook/same-hook-twice"];
        for mask in MASKS {
            let Some(text) = (mask.put)(&fault.document) else { continue };
            let hidden = hidden(&alone, &codes(&text, &[&fault.others]), &[mask.known, &twice].concat());
            if !hidden.is_empty() {
                wrong.push(format!("{}: {} hides {hidden:?}: {text}", fault.id, mask.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Puts the hooks of a second document behind those of a first; `None` where both have something else than an array on one
/// event.
fn joined(first: &Value, second: &Value) -> Option<String> {
    let mut document = first.clone();
    for (event, hooks) in second["hooks"].as_object()? {
        match document["hooks"].get_mut(event) {
            None => document["hooks"][event] = hooks.clone(),
            Some(there) => there.as_array_mut()?.extend(hooks.as_array()?.iter().cloned()),
        }
    }
    Some(document.to_string())
}

#[test]
fn no_fault_hides_one_that_stands_beside_it() {
    let faults = faults();
    let alone: Vec<_> = faults.iter().map(|fault| codes(&fault.document.to_string(), &[&fault.others])).collect();
    let mut wrong = Vec::new();
    let mut pairs = 0;
    for (first, told_first) in faults.iter().zip(&alone) {
        for (second, told_second) in faults.iter().zip(&alone) {
            let names: BTreeSet<&String> = first.others.iter().map(|(path, ..)| path).collect();
            let clash = second.others.iter().any(|(path, text, _)| {
                names.contains(path) && !first.others.iter().any(|(other, same, _)| other == path && same == text)
            });
            if first.id >= second.id || clash {
                continue;
            }
            // One file has one version.
            if first.document["version"] != second.document["version"] {
                continue;
            }
            let Some(text) = joined(&first.document, &second.document) else { continue };
            let together = codes(&text, &[&first.others, &second.others]);
            pairs += 1;
            // What is missing for one is there for the other. That a hook runs twice is told of those that run.
            let known = ["crosshook/script-missing", "crosshook/same-hook-twice"];
            for (one, told_one) in [(first, told_first), (second, told_second)] {
                let hidden = hidden(told_one, &together, &known);
                if !hidden.is_empty() {
                    wrong
                        .push(format!("{} with {}: {hidden:?} of {} is not told: {text}", first.id, second.id, one.id));
                }
            }
        }
    }
    assert!(pairs > 500, "{pairs} pairs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plugins for several clients: superpowers and others have Claude's file at the common place, and name Cursor's.
#[test]
fn a_plugin_for_several_clients_has_each_file_read_as_its_own() {
    let claude = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;
    let cursor = r#"{"version":1,"hooks":{"stop":[{"command":"true","timeout":5000}]}}"#;
    let all = |named: &str| {
        let manifest = format!(r#"{{"name":"p","hooks":"./{named}"}}"#);
        Project::new()
            .with(".claude-plugin/plugin.json", r#"{"name":"p"}"#)
            .with(".cursor-plugin/plugin.json", manifest)
    };
    let apart =
        || all("hooks/hooks-cursor.json").with("hooks/hooks.json", claude).with("hooks/hooks-cursor.json", cursor);
    for args in [
        &["check", "--quiet"][..],
        &["check", "--quiet", "--recursive"],
        &["check", "--quiet", "hooks/hooks.json", "hooks/hooks-cursor.json"],
    ] {
        let ran = apart().run(args).code(1);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert!(
            matches!(lines.as_slice(), [line] if line.starts_with("hooks/hooks-cursor.json:1:59: warning[cursor/timeout-in-milliseconds]")),
            "{args:?}: {lines:?}"
        );
    }
    // Where Cursor's manifest names the common place, the file there is Cursor's.
    let ran = all("hooks/hooks.json").with("hooks/hooks.json", cursor).run(&["check", "--quiet"]).code(1);
    assert!(ran.stdout.contains("hooks/hooks.json:1:59: warning[cursor/timeout-in-milliseconds]"), "{}", ran.stdout);
    // A manifest that leads out of the plugin names none of its files.
    let out = all("../other/hooks.json").with("hooks/hooks.json", claude);
    out.run(&["check", "--quiet"]).code(0);
}
