//! The forms of a report: each is what it says it is, and all of them say the same.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::Project;

/// A project with hooks of all three vendors, in which much is wrong.
pub(crate) fn three_vendors() -> Project {
    let cursor = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"beforeShellExecution\": [{ \"command\": \"./guard.sh\", \"loop_limit\": 3 }],\n    \
        \"stop\": [\n      { \"command\": \"./é漢\u{10348}.sh\", \"matcher\": \"(\" },\n      { \"command\": \"./done.sh\", \"timeout\": 0 }\n    ]\n  }\n}\n";
    let claude = "{\n  \"permissions\": { \"deny\": [\"Bash(rm:*)\"] },\n  \"hooks\": {\n    \"PreToolUse\": [\n      \
        { \"matcher\": \"Bash(git *)\", \"hooks\": [{ \"type\": \"command\", \"command\": \"date\", \"timeout\": 30000 }] },\n      \
        { \"matcher\": \"bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"date\" }] }\n    ],\n    \
        \"pre\u{202e}tooluse\": []\n  }\n}\n";
    let codex = "{\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"date\" }] }],\n    \"stop\": []\n  }\n}\n";
    let toml = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"date\"\n";
    let script = "#!/bin/sh\nexit 0\n";
    Project::new()
        .with(".cursor/hooks.json", cursor)
        .with(".claude/settings.json", claude)
        .with(".codex/hooks.json", codex)
        .with(".codex/config.toml", toml)
        .with("guard.sh", script)
        .with("done.sh", script)
}

/// The text that a place of a report in JSON is about, by bytes and by lines and columns: both are the same.
fn marked(project: &Project, place: &Value) -> Option<String> {
    let bytes = std::fs::read(project.root().join(place["file"].as_str()?)).ok()?;
    let number = |key: &str| place[key].as_u64().and_then(|number| usize::try_from(number).ok());
    let by_bytes = String::from_utf8(bytes[number("byte_start")?..number("byte_end")?].to_vec()).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (start, end) = ((number("line")?, number("column")?), (number("end_line")?, number("end_column")?));
    assert_eq!(between(&text, start, end), by_bytes, "{place}");
    Some(by_bytes)
}

/// What stands from one line and column to another, in Unicode scalar values from 1.
fn between(text: &str, start: (usize, usize), end: (usize, usize)) -> String {
    let at = |(line, column): (usize, usize)| {
        let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        before + text[before..].chars().take(column - 1).map(char::len_utf8).sum::<usize>()
    };
    text[at(start)..at(end)].to_owned()
}

fn schema() -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/check.schema.json");
    let document: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    jsonschema::validator_for(&document).unwrap()
}

#[track_caller]
fn assert_valid(schema: &jsonschema::Validator, document: &Value) {
    let wrong: Vec<_> =
        schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{}\n{document:#}", wrong.join("\n"));
}

#[test]
fn json_has_every_member_and_its_places_are_the_same_in_bytes_and_in_columns() {
    let project = three_vendors();
    let document = project.run(&["check", "--format", "json"]).code(1).json();
    assert_valid(&schema(), &document);
    let told = document["diagnostics"].as_array().unwrap();
    assert!(told.len() > 5, "{document:#}");
    let mut places = 0;
    for one in told {
        places += usize::from(marked(&project, one).is_some());
        for key in [
            "code",
            "severity",
            "file",
            "line",
            "column",
            "end_line",
            "end_column",
            "pointer",
            "message",
            "help",
            "reach",
        ] {
            assert!(one.get(key).is_some(), "{key} is lacking: {one:#}");
        }
        for related in one["related"].as_array().unwrap() {
            places += usize::from(marked(&project, related).is_some());
        }
    }
    assert!(places >= told.len(), "{document:#}");
    // The column behind a character of two UTF-16 units and four bytes.
    let matcher = told.iter().find(|one| one["pointer"] == "/hooks/stop/0/matcher").unwrap();
    assert_eq!((&matcher["line"], &matcher["column"]), (&6.into(), &43.into()), "{matcher:#}");
    let count = |severity: &str| told.iter().filter(|one| one["severity"] == severity).count();
    for (key, severity) in [("errors", "error"), ("warnings", "warning"), ("infos", "info")] {
        assert_eq!(document[key], count(severity), "{key}");
    }
    assert_eq!(document["files"], 4);
}

#[test]
fn json_is_what_its_schema_says_for_every_vendors_corpus() {
    let schema = schema();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus");
    let project = Project::new();
    let mut told = 0;
    for vendor in crosshook::VENDORS {
        for file in std::fs::read_dir(corpora.join(vendor)).unwrap().map(|entry| entry.unwrap().path()) {
            if file.ends_with("index.json") || file.extension().is_none_or(|it| it != "json" && it != "toml") {
                continue;
            }
            let file = file.to_str().unwrap();
            let ran = project.run(&["check", file, "--vendor", vendor, "--format", "json"]);
            let document = ran.json();
            assert_valid(&schema, &document);
            told += document["diagnostics"].as_array().unwrap().len();
        }
    }
    assert!(told > 50, "{told}");
}

#[test]
fn a_schema_that_is_not_held_is_noticed() {
    let mut document = three_vendors().run(&["check", "--format", "json"]).json();
    document["diagnostics"][0]["severity"] = "loud".into();
    assert!(!schema().is_valid(&document));
    document["diagnostics"][0]["severity"] = "error".into();
    assert!(schema().is_valid(&document));
    document["diagnostics"][0]["more"] = true.into();
    assert!(!schema().is_valid(&document));
}

/// A workflow command, read as its reader reads it.
#[derive(Debug, PartialEq, Eq)]
struct Command {
    word: String,
    properties: BTreeMap<String, String>,
    message: String,
}

impl Command {
    fn read(line: &str) -> Self {
        let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (word, properties) = head.split_once(' ').unwrap();
        let data = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
        let property = |text: &str| {
            text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
        };
        let properties = properties.split(',').map(|one| one.split_once('=').unwrap());
        let properties = properties.map(|(key, value)| (key.to_owned(), property(value))).collect();
        Self { word: word.to_owned(), properties, message: data(message) }
    }
}

#[test]
fn workflow_commands_are_read_back_as_what_json_says() {
    let project = three_vendors();
    let document = project.run(&["check", "--format", "json"]).code(1).json();
    let root = project.root();
    let mut command = crate::support::command(&root, &project.home());
    let output =
        command.args(["check", "--format", "github"]).env("GITHUB_WORKSPACE", root.parent().unwrap()).output().unwrap();
    let ran = crate::support::Ran::of(output).code(1);
    let commands: Vec<Command> = ran.stdout.lines().map(Command::read).collect();
    let told = document["diagnostics"].as_array().unwrap();
    assert_eq!(commands.len(), told.len(), "{}", ran.stdout);
    for (command, told) in commands.iter().zip(told) {
        let word = match told["severity"].as_str().unwrap() {
            "info" => "notice",
            word => word,
        };
        assert_eq!(command.word, word);
        let text = |key: &str| command.properties.get(key).map(String::as_str);
        assert_eq!(text("title"), told["code"].as_str());
        assert_eq!(text("file"), Some(&*format!("project/{}", told["file"].as_str().unwrap())));
        for (key, member) in [("line", "line"), ("endLine", "end_line")] {
            assert_eq!(text(key).map(str::to_owned), told[member].as_u64().map(|number| number.to_string()), "{told}");
        }
        if told["line"] == told["end_line"] && told["line"].is_u64() {
            assert_eq!(text("col").map(str::to_owned), told["column"].as_u64().map(|number| number.to_string()));
            assert_eq!(
                text("endColumn").map(str::to_owned),
                told["end_column"].as_u64().map(|number| number.to_string())
            );
        } else {
            assert_eq!(text("col"), None);
        }
        let message = as_shown(told["message"].as_str().unwrap());
        assert!(command.message.starts_with(&message), "{command:?}\n{told}");
        assert!(command.message.contains(&as_shown(told["help"].as_str().unwrap())), "{command:?}");
    }
    assert!(!ran.stdout.contains('\u{202e}'));
}

/// A text as it is shown.
fn as_shown(text: &str) -> String {
    crosshook::text::display_untrusted(text).into_owned()
}

#[test]
fn a_path_with_the_marks_of_commands_and_addresses_is_read_back() {
    let project = Project::new().with("a, b%25:c/é [x]#?/.claude/settings.json", "{\"hooks\": 5}");
    let folder = "a, b%25:c/é [x]#?";
    let ran = project.run(&["check", folder, "--format", "github"]).code(1);
    let command = Command::read(ran.stdout.lines().next().unwrap());
    assert_eq!(command.properties["file"], format!("{folder}/.claude/settings.json"));
    let log = project.run(&["check", folder, "--format", "sarif"]).code(1).json();
    let run = &log["runs"][0];
    let root = run["originalUriBaseIds"]["SRCROOT"]["uri"].as_str().unwrap();
    assert!(root.starts_with("file:///") && root.ends_with("/a,%20b%2525%3Ac/%C3%A9%20%5Bx%5D%23%3F/"), "{root}");
}

#[test]
fn sarif_says_what_json_says() {
    let project = three_vendors();
    let document = project.run(&["check", "--format", "json"]).code(1).json();
    let log = project.run(&["check", "--format", "sarif"]).code(1).json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    let told = document["diagnostics"].as_array().unwrap();
    assert_eq!(results.len(), told.len());
    for (result, told) in results.iter().zip(told) {
        assert_eq!(result["ruleId"], told["code"]);
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], told["code"]);
        assert!(
            rule["help"]["markdown"].as_str().unwrap().starts_with(&format!("# {}\n", told["code"].as_str().unwrap()))
        );
        let level = match told["severity"].as_str().unwrap() {
            "info" => "note",
            level => level,
        };
        assert_eq!(result["level"], level);
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], told["file"]);
        assert_eq!(physical["artifactLocation"]["uriBaseId"], "SRCROOT");
        same_place(&physical["region"], told);
        let related = result["relatedLocations"].as_array().map_or(0, Vec::len);
        assert_eq!(related, told["related"].as_array().unwrap().len());
        let edits = told["edits"].as_array().unwrap();
        let replacements = result["fixes"][0]["artifactChanges"][0]["replacements"].as_array();
        assert_eq!(replacements.map_or(0, Vec::len), edits.len(), "{result:#}");
        for (replacement, edit) in replacements.into_iter().flatten().zip(edits) {
            same_place(&replacement["deletedRegion"], edit);
            assert_eq!(replacement["insertedContent"]["text"], edit["text"]);
        }
    }
    let fixes = results.iter().filter(|result| result.get("fixes").is_some()).count();
    assert!(fixes > 0, "no finding of the project can be fixed");
    let prints: Vec<_> = results.iter().map(|result| &result["partialFingerprints"]["crosshook/v1"]).collect();
    assert!(prints.iter().all(|print| print.as_str().is_some_and(|print| print.len() == 16)), "{prints:?}");
}

/// Holds a region to a place of a report in JSON.
#[track_caller]
fn same_place(region: &Value, place: &Value) {
    for (key, member) in [
        ("startLine", "line"),
        ("startColumn", "column"),
        ("endLine", "end_line"),
        ("endColumn", "end_column"),
        ("byteOffset", "byte_start"),
    ] {
        assert_eq!(region[key], place[member], "{region} {place}");
    }
    let length = place["byte_start"].as_u64().zip(place["byte_end"].as_u64()).map(|(start, end)| end - start);
    assert_eq!(region["byteLength"].as_u64(), length);
}

#[test]
fn a_fingerprint_stays_when_lines_are_added_above() {
    let text = "{\"hooks\": {\"Stop\": 5}}";
    let print = |text: &str| {
        let project = Project::new().with(".claude/settings.json", text);
        let log = project.run(&["check", "--format", "sarif"]).code(1).json();
        log["runs"][0]["results"][0]["partialFingerprints"]["crosshook/v1"].clone()
    };
    assert_eq!(print(text), print(&format!("\n\n  {text}")));
    assert_ne!(print(text), print(&text.replace('5', "6")));
}

#[test]
fn findings_that_are_about_the_same_text_have_fingerprints_of_their_own() {
    let hook = r#"{"hooks": [{"type": "command", "command": "true \"$CURSOR_PROJECT_DIR\""}]}"#;
    let prints = |hooks: &[&str]| {
        let text = format!("{{\"hooks\": {{\"Stop\": [{}]}}}}", hooks.join(", "));
        let log = Project::new().with(".claude/settings.json", text).run(&["check", "--format", "sarif"]).json();
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        let results = results.into_iter().filter(|it| it["ruleId"] == "crosshook/variable-not-set");
        results.map(|it| it["partialFingerprints"]["crosshook/v1"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let one = prints(&[hook]);
    let three = prints(&[hook, hook, hook]);
    assert_eq!((one.len(), three.len()), (1, 3));
    assert_eq!(one[0], three[0]);
    assert!(three[1] != three[0] && three[2] != three[0] && three[2] != three[1], "{three:?}");
    assert_eq!(prints(&[hook, hook]), three[..2]);
}

#[test]
#[cfg(target_os = "linux")]
fn paths_are_relative_below_a_folder_whose_name_is_no_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;
    let project = Project::new();
    let root = project.root().join(std::ffi::OsStr::from_bytes(b"a\xff"));
    std::fs::create_dir_all(root.join(".claude")).unwrap();
    std::fs::write(root.join(".claude/settings.json"), "{\"hooks\": 5}").unwrap();
    let mut command = crate::support::command(&root, &project.home());
    let ran = crate::support::Ran::of(command.args(["check", "--format", "json"]).output().unwrap()).code(1);
    assert_eq!(ran.json()["diagnostics"][0]["file"], ".claude/settings.json");
}

#[test]
fn colour_is_for_terminals_and_who_asks_for_it_and_changes_no_word() {
    let project = three_vendors();
    let plain = project.run(&["check"]).code(1);
    assert!(!plain.stdout.contains('\u{1b}') && !plain.stdout.contains('\u{202e}'));
    let coloured = project.run(&["check", "--color", "always"]).code(1).stdout;
    assert!(coloured.contains('\u{1b}'));
    let mut bare = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, from)) = rest.split_once("\u{1b}[") {
        bare.push_str(before);
        rest = from.split_once('m').unwrap().1;
    }
    assert_eq!(bare + rest, plain.stdout);
}

#[test]
fn a_page_is_explained_in_lines_of_the_width() {
    let project = Project::new();
    let ran = project.run(&["check", "--explain", "core/not-trusted"]).code(0).says("core/not-trusted\n").says("Why\n");
    assert!(
        !ran.stdout.contains("```") && !ran.stdout.contains("<!--") && !ran.stdout.contains("**"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.lines().all(|line| line.starts_with("    ") || line.chars().count() <= 80), "{}", ran.stdout);
    project.run(&["check", "--explain", "not-trusted"]).code(0).says("core/not-trusted\n");
    project.run(&["check", "--explain", "core/not-trustd"]).code(2).complains("did you mean `core/not-trusted`?");
}
