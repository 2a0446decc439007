//! Projects made for one test, and the command run in them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder that is removed again, with an empty home folder beside the project.
pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// An empty project.
    pub(crate) fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(project.root()).unwrap();
        std::fs::create_dir_all(project.home()).unwrap();
        project
    }

    /// The project's folder.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// The home folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The same project with a file in it.
    pub(crate) fn with(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        self
    }

    /// The command, run in the project's folder with nothing on standard input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        run(&self.root(), &self.home(), args)
    }
}

/// The command, run in a folder.
pub(crate) fn run(folder: &Path, home: &Path, args: &[&str]) -> Ran {
    Ran::of(command(folder, home).args(args).output().unwrap())
}

/// The command, ready to run in a folder.
pub(crate) fn command(folder: &Path, home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosshook"));
    command.current_dir(folder).stdin(Stdio::null()).env("HOME", home).env("COLUMNS", "80");
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "CURSOR_CONFIG_DIR",
        "XDG_STATE_HOME",
    ] {
        command.env_remove(name);
    }
    command
}

/// How the command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// An output as text.
    pub(crate) fn of(output: Output) -> Self {
        let ran = Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert!(ran.code >= 0, "ended by a signal: {ran:?}");
        ran
    }

    /// The same, with this exit code.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }

    /// The same, with a text somewhere on standard output.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no {text:?} in:\n{}\n{}", self.stdout, self.stderr);
        self
    }

    /// The same, with a text somewhere on standard error.
    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in:\n{}", self.stderr);
        self
    }
}

/// A project with one command hook of a vendor that guards shell commands. `more` are further members of the handler.
pub(crate) fn guarded(vendor: &str, script: &str, more: &str) -> Project {
    let project = Project::new().with("guard.sh", script);
    match vendor {
        "cursor" => project.with(
            ".cursor/hooks.json",
            format!(r#"{{"version":1,"hooks":{{"beforeShellExecution":[{{"command":"sh guard.sh"{more}}}]}}}}"#),
        ),
        vendor => {
            let file = if vendor == "claude" { ".claude/settings.json" } else { ".codex/hooks.json" };
            let handler = format!(r#"{{"type":"command","command":"sh guard.sh"{more}}}"#);
            let text = format!(r#"{{"hooks":{{"PreToolUse":[{{"matcher":"Bash","hooks":[{handler}]}}]}}}}"#);
            project.with(file, text)
        }
    }
}
