//! A fault for which Codex drops a file hides no fault in the commands of the file.

use crate::support::Project;

/// A command with a fault that only the file system shows.
const MISSING: &str = r#"{ "type": "command", "command": "./missing.sh" }"#;

#[test]
fn commands_of_a_file_that_is_dropped_are_looked_at() {
    let list = format!(r#""SubagentStart": [{{ "hooks": [{MISSING}] }}]"#);
    let toml =
        "[[hooks.SubagentStart]]\n[[hooks.SubagentStart.hooks]]\ntype = \"command\"\ncommand = \"./missing.sh\"\n";
    for (file, text, code) in [
        ("hooks.json", format!(r#"{{ "version": 1, "hooks": {{ {list} }} }}"#), "codex/unknown-root-key"),
        ("hooks.json", format!("{{ \"hooks\": {{ // mine\n {list} }} }}"), "codex/comment"),
        ("hooks.json", format!("\u{feff}{{ \"hooks\": {{ {list} }} }}"), "codex/byte-order-mark"),
        ("hooks.json", format!(r#"{{ "hooks": {{ "Stop": , {list} }} }}"#), "codex/not-json"),
        ("hooks.json", format!(r#"{{ "hooks": {{ "Stop": null, {list} }} }}"#), "codex/wrong-type"),
        (
            "hooks.json",
            format!(r#"{{ "hooks": {{ "Stop": [{{ "hooks": [{{}}] }}], {list} }} }}"#),
            "codex/missing-field",
        ),
        ("config.toml", format!("model: \"x\"\n{toml}"), "codex/not-toml"),
        ("config.toml", format!("model = \"x\", 1\n{toml}"), "codex/not-toml"),
        ("config.toml", format!("{toml}timeout = \"5\"\n"), "codex/wrong-type"),
    ] {
        let project = Project::new().with(&format!(".codex/{file}"), &text);
        let found = project.run(&["check", "--json"]).code(1).json();
        let found: Vec<_> = found["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["code"].as_str().unwrap().to_owned(), one["byte_start"].as_u64().unwrap_or_default()))
            .collect();
        assert!(found.iter().any(|(found, _)| found == code), "{text}: {found:?}");
        let missing = found.iter().find(|(code, _)| code == "crosshook/script-missing");
        // Where the TOML cannot be read, a table is known by its header.
        let place = if code == "codex/not-toml" { "[[hooks.SubagentStart.hooks]]" } else { "./missing.sh" };
        let at = u64::try_from(text.find(place).unwrap()).unwrap();
        assert_eq!(missing.map(|(_, start)| *start), Some(at), "{text}: {found:?}");
    }
}
