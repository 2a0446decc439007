//! One mistake is one finding, for every vendor: nothing is told that is there only because of it, and mending it gives the
//! document that was meant.

use serde_json::Value;

use crate::support::Project;

const CURSOR: &str = r#"{
  "version": 1,
  "hooks": {
    "preToolUse": [
      {
        "command": "exit 2",
        "matcher": "Shell"
      }
    ],
    "stop": [{ "command": "true" }]
  }
}
"#;

const GROUPED: &str = r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "exit 2" }]
      }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }]
  }
}
"#;

/// Mistakes: their names, and what stands in place of what.
const MENDED: &[(&str, &str, &str)] = &[
    ("an array's first bracket", "reToolUse\": [", "reToolUse\": "),
    ("an array's last bracket, with its comma", "    ],\n", ""),
    ("an array's last bracket", "    ],\n", "    ,\n"),
    ("a bracket too many", "    ],\n", "    ]],\n"),
    ("the last bracket", "  }\n}\n", "  }\n"),
    ("a comma", "    ],\n", "    ]\n"),
    ("a key's last quote", "reToolUse\": [", "reToolUse: ["),
    ("single quotes", "\"", "'"),
    ("a misspelt key", "command\": \"exit", "comand\": \"exit"),
];

#[test]
fn one_mistake_is_one_finding_and_is_mended() {
    for (path, good) in
        [(".cursor/hooks.json", CURSOR), (".claude/settings.json", GROUPED), (".codex/hooks.json", GROUPED)]
    {
        Project::new().with(path, good).run(&["check", "--fail-on", "info"]).code(0);
        let fenced = ("fences of Markdown", good.to_owned(), format!("```json\n{good}```\n"));
        let broken = MENDED.iter().map(|(name, from, to)| (*name, (*from).to_owned(), (*to).to_owned()));
        for (name, from, to) in broken.chain([fenced]) {
            let text = if from == "\"" { good.replace(&from, &to) } else { good.replacen(&from, &to, 1) };
            assert_ne!(text, good, "{name}");
            let project = Project::new().with(path, &text);
            let found = project.run(&["check", "--format", "json"]).code(1).json();
            let found = found["diagnostics"].as_array().unwrap();
            assert_eq!(found.len(), 1, "{path}, {name}: {found:#?}");
            project.run(&["check", "--fix=all"]).code(0);
            let mended: Value = serde_json::from_slice(&std::fs::read(project.root().join(path)).unwrap()).unwrap();
            assert_eq!(mended, serde_json::from_str::<Value>(good).unwrap(), "{path}, {name}");
        }
    }
}

#[test]
fn a_file_in_another_language_is_one_finding() {
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"true\"\n";
    let yaml = "hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: \"true\"\n";
    for (path, text, language) in [
        (".cursor/hooks.json", toml, "TOML"),
        (".cursor/hooks.json", yaml, "YAML"),
        (".claude/settings.json", toml, "TOML"),
        (".claude/settings.json", yaml, "YAML"),
        (".codex/hooks.json", toml, "TOML"),
        (".codex/hooks.json", yaml, "YAML"),
        (".codex/config.toml", GROUPED, "JSON"),
        (".codex/config.toml", yaml, "YAML"),
    ] {
        let found = Project::new().with(path, text).run(&["check", "--format", "json"]).code(1).json();
        let found = found["diagnostics"].as_array().unwrap();
        assert_eq!(found.len(), 1, "{path}: {found:#?}");
        assert!(found[0]["message"].as_str().unwrap().contains(language), "{path}: {found:#?}");
    }
}
