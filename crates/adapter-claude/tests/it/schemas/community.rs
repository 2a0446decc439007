//! The settings schema against the community's, as far as hooks go: on that schema's own test files, and on hook blocks that
//! the two could part on. Where they do, the reason stands here.
//!
//! The community's files are read where they lie beside the repository, and are no part of it; without them the checks say
//! so and do nothing.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use adapter_claude::events::EVENTS;
use hooks_core::schema::Contract;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::{errors, is_valid, read, validator};

/// The keys that hooks hang on in both schemas.
const KEYS: [&str; 5] =
    ["hooks", "disableAllHooks", "allowManagedHooksOnly", "allowedHttpHookUrls", "httpHookAllowedEnvVars"];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles/claude/schemastore");
    if folder.is_dir() {
        return Some(folder);
    }
    // Straight to the stream: what a passing test prints is not shown.
    let said = "SKIPPED: the community's schema is not beside this repository, so nothing is compared here\n";
    std::io::stderr().write_all(said.as_bytes()).expect("written");
    None
}

/// The community's schema without anything but hooks.
fn community(folder: &Path) -> Validator {
    let whole = read(&folder.join("claude-code-settings.json"));
    let members: Map<String, Value> = KEYS
        .iter()
        .map(|key| {
            let member = whole["properties"].get(*key).unwrap_or_else(|| panic!("it has no {key} any more"));
            ((*key).to_owned(), member.clone())
        })
        .collect();
    validator(&json!({
        "$schema": whole["$schema"],
        "$defs": whole["$defs"],
        "type": "object",
        "properties": members,
    }))
}

/// The part of a file that both schemas speak of.
fn hooks_of(file: &Value) -> Value {
    let members = file.as_object().expect("an object").iter().filter(|(key, _)| KEYS.contains(&key.as_str()));
    Value::Object(members.map(|(key, value)| (key.clone(), value.clone())).collect())
}

fn file(folder: &Path, name: &str) -> Value {
    hooks_of(&read(&folder.join(name)))
}

/// Files on which the schemas part: ours takes what the community's refuses.
const FILES: [(&str, &str); 1] = [(
    "negative_test/claude-code-settings/additional-properties-hook.json",
    "the client ignores keys that it does not know, in groups and in handlers (observed on 2.1.332)",
)];

#[test]
fn its_own_files_come_to_the_same() {
    let Some(folder) = folder() else { return };
    let community = community(&folder);
    let (mut with_hooks, mut refused) = (0, 0);
    let mut parted = Vec::new();
    for kind in ["test", "negative_test"] {
        let kind = format!("{kind}/claude-code-settings");
        for entry in std::fs::read_dir(folder.join(&kind)).expect("a folder") {
            let name = format!("{kind}/{}", entry.expect("an entry").file_name().to_string_lossy());
            let part = file(&folder, &name);
            with_hooks += usize::from(part.get("hooks").is_some());
            let (theirs, ours) = (community.is_valid(&part), is_valid(Contract::Config, "settings", &part));
            refused += usize::from(!theirs);
            match FILES.iter().find(|(listed, _)| *listed == name) {
                Some(_) if !theirs && ours => parted.push(name),
                Some((_, why)) => panic!("stale: {name}: {why}"),
                None => assert_eq!(theirs, ours, "{name}: {:?}", errors(Contract::Config, "settings", &part)),
            }
        }
    }
    assert_eq!(parted.len(), FILES.len(), "a listed file is gone");
    assert!(with_hooks > 8 && refused > 5, "{with_hooks} files with hooks, {refused} refused");
}

/// A rule on which the schemas part.
struct Parted {
    why: &'static str,
    /// Whether ours takes what the community's refuses; otherwise the other way round.
    ours_takes: bool,
    example: &'static str,
}

const PARTED: &[Parted] = &[
    Parted {
        why: "the client ignores keys that it does not know (observed on 2.1.332)",
        ours_takes: true,
        example: r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","zzz":1}]}]}}"#,
    },
    Parted {
        why: "the client takes an empty command (observed on 2.1.332)",
        ours_takes: true,
        example: r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":""}]}]}}"#,
    },
    Parted {
        why: "`onFailure` is younger than the community's schema",
        ours_takes: true,
        example: r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","onFailure":"block"}]}]}}"#,
    },
    Parted {
        why: "the client takes `once` everywhere, though it counts in heads only (observed on 2.1.332)",
        ours_takes: true,
        example: r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","once":true}]}]}}"#,
    },
    Parted {
        why: "the event is younger than the community's schema",
        ours_takes: true,
        example: r#"{"hooks":{"PreModelSwitch":[]}}"#,
    },
    Parted {
        why: "the event is younger than the community's schema",
        ours_takes: true,
        example: r#"{"hooks":{"PostModelSwitch":[]}}"#,
    },
    Parted {
        why: "the event is on no page of the vendor's",
        ours_takes: true,
        example: r#"{"hooks":{"PreSkillShellCommand":[]}}"#,
    },
    Parted {
        why: "whether the client refuses a list that holds something else than texts is not recorded",
        ours_takes: true,
        example: r#"{"allowedHttpHookUrls":[5]}"#,
    },
    Parted {
        why: "whether the client refuses an empty name is not recorded",
        ours_takes: true,
        example: r#"{"httpHookAllowedEnvVars":[""]}"#,
    },
    Parted {
        why: "the community's schema lets every event run every type of handler; here one that never runs is an error",
        ours_takes: false,
        example: r#"{"hooks":{"PreCompact":[{"hooks":[{"type":"prompt","prompt":"x"}]}]}}"#,
    },
    Parted {
        why: "it lacks the texts that go with `asyncRewake`, which the vendor's own plugin security-guidance has",
        ours_takes: true,
        example: r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","asyncRewake":true,"rewakeMessage":"a","rewakeSummary":"b"}]}]}}"#,
    },
    Parted {
        why: "it takes `if` where the event never evaluates it, so that the handler never runs",
        ours_takes: false,
        example: r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","if":"Bash"}]}]}}"#,
    },
    Parted {
        why: "it takes a condition that is no permission rule",
        ours_takes: false,
        example: r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","if":"a && b"}]}]}}"#,
    },
    Parted {
        why: "it takes a matcher that matches nothing by its letter case",
        ours_takes: false,
        example: r#"{"hooks":{"PreToolUse":[{"matcher":"bash","hooks":[]}]}}"#,
    },
    Parted {
        why: "it takes a plugin's placeholder outside a plugin, which fails each run",
        ours_takes: false,
        example: r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/x"}]}]}}"#,
    },
    Parted {
        why: "it takes a plugin option in a shell text, where the client refuses to run it",
        ours_takes: false,
        example: r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"${user_config.a}"}]}]}}"#,
    },
];

#[test]
fn listed_rules_still_part() {
    let Some(folder) = folder() else { return };
    let community = community(&folder);
    for rule in PARTED {
        let example: Value = serde_json::from_str(rule.example).expect("json");
        let (theirs, ours) = (community.is_valid(&example), is_valid(Contract::Config, "settings", &example));
        assert_eq!((ours, theirs), (rule.ours_takes, !rule.ours_takes), "stale: {}: {}", rule.why, rule.example);
    }
}

/// Both know the same events, but for those that are listed, and the same keys of handlers.
#[test]
fn events_and_keys_are_the_same_but_for_what_is_listed() {
    let Some(folder) = folder() else { return };
    let whole = read(&folder.join("claude-code-settings.json"));
    let theirs = whole["properties"]["hooks"]["properties"].as_object().expect("events");
    let listed =
        |text: &str| PARTED.iter().any(|rule| rule.ours_takes && rule.example.contains(&format!("\"{text}\"")));
    for name in EVENTS.iter().map(|event| event.facts.name) {
        assert!(theirs.contains_key(name) || listed(name), "{name} is not in the community's schema");
    }
    for name in theirs.keys() {
        assert!(EVENTS.iter().any(|event| event.facts.name == name), "{name} is in the community's schema alone");
    }
    let ours = super::DOCUMENTS.iter().find(|one| one.of == "settings").expect("settings").schema.as_value();
    let cases = ours["$defs"]["handler.PreToolUse"]["allOf"].as_array().expect("types");
    let of_type = |kind: &str| -> BTreeMap<&str, &Value> {
        let case = cases.iter().find(|case| case["if"]["properties"]["type"]["const"] == *kind).expect("a type");
        case["then"]["properties"].as_object().expect("keys").iter().map(|(key, value)| (key.as_str(), value)).collect()
    };
    for form in whole["$defs"]["hookCommand"]["anyOf"].as_array().expect("types") {
        let kind = form["properties"]["type"]["const"].as_str().expect("a type");
        let ours = of_type(kind);
        for key in form["properties"].as_object().expect("keys").keys().filter(|key| *key != "type") {
            assert!(ours.contains_key(key.as_str()), "{kind} {key} is in the community's schema alone");
        }
        for key in ours.keys() {
            assert!(
                form["properties"].get(*key).is_some() || listed(key),
                "{kind} {key} is not in the community's schema"
            );
        }
    }
}
