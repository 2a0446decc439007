//! `demo`: it needs nothing, shows all three vendors with both outcomes, and what it prints can be repeated.

use crate::support::Project;

#[test]
fn it_shows_three_vendors_and_every_outcome() {
    let project = Project::new();
    let ran = project.run(&["demo"]).code(0);
    for word in ["cursor", "claude", "codex", "DENY", "APPROVE", "NO OPINION", "ASK", "rm -rf build", "git push"] {
        assert!(ran.stdout.contains(word), "no {word} in:\n{}", ran.stdout);
    }
    for line in ran.stdout.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
    assert!(ran.stdout.lines().count() <= 48, "more than a screen and a half:\n{}", ran.stdout);
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".to_owned());
    for path in [home.as_str(), env!("CARGO_MANIFEST_DIR"), project.root().to_str().unwrap()] {
        assert!(!ran.stdout.contains(path), "{path} is of this machine");
    }
    assert_eq!(std::fs::read_dir(project.root()).unwrap().count(), 0, "nothing is left behind");
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
}

#[test]
fn the_commands_it_prints_work_on_what_it_keeps() {
    let project = Project::new();
    let ran = project.run(&["demo", "--keep", "kept"]).code(0);
    let mut codes = Vec::new();
    for line in ran.stdout.lines().filter_map(|line| line.strip_prefix("$ crosshook ")) {
        // The only quoted words are the commands.
        let mut words: Vec<&str> = line.split('\'').enumerate().fold(Vec::new(), |mut words, (at, part)| {
            if at % 2 == 1 {
                words.push(part)
            } else {
                words.extend(part.split_whitespace())
            }
            words
        });
        words.extend(["--yes", "--json"]);
        codes.push(project.run(&words).code);
        for vendor in ["claude", "codex"] {
            let one = [words.as_slice(), &["--vendor", vendor]].concat();
            codes.push(project.run(&one).code);
        }
    }
    assert_eq!(codes, [10, 10, 10, 0, 0, 0, 10, 11, 0], "all, claude and codex, for rm, ls and git push");
    project.run(&["check", "kept"]).code(0);
    project.run(&["list", "kept"]).code(0).says("guards/cursor.sh");
    // It never writes over what is there.
    project.run(&["demo", "--keep", "kept"]).code(2).complains("not empty");
}

#[test]
fn the_readme_shows_what_it_prints() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let shown = readme.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let project = Project::new();
    let printed = project.run(&["demo"]).code(0).stdout;
    assert_eq!(shown, printed, "copy what `crosshook demo` prints into README.md");
}
