//! The shells of Windows. Their names alone lead elsewhere: the first `bash` that Windows finds is the one of its Linux
//! subsystem, which sees other paths and another environment than the hook was written for.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where Git for Windows has its shell, beside the folder that `git` lies in.
const BESIDE_GIT: [&str; 3] = ["../bin/bash.exe", "../../bin/bash.exe", "bash.exe"];

/// Where installers put Git for Windows, in the folders that the environment names.
const INSTALLED: [(&str, &str); 3] = [
    ("ProgramFiles", "Git/bin/bash.exe"),
    ("ProgramFiles(x86)", "Git/bin/bash.exe"),
    ("LOCALAPPDATA", "Programs/Git/bin/bash.exe"),
];

/// What the search looks at: the environment, and whether there is a file.
pub(crate) struct Machine<'a> {
    /// A variable's value.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// Whether a file is there.
    pub(crate) is_file: &'a dyn Fn(&Path) -> bool,
}

impl Machine<'_> {
    fn path(&self) -> Vec<PathBuf> {
        (self.variable)("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
    }

    /// The shell of Git for Windows; `None` where it is not installed.
    pub(crate) fn git_bash(&self) -> Option<PathBuf> {
        let folders = self.path();
        let beside = folders.iter().filter(|folder| (self.is_file)(&folder.join("git.exe")));
        let beside = beside.flat_map(|folder| BESIDE_GIT.iter().map(move |rest| folder.join(rest)));
        let installed = INSTALLED.iter().filter_map(|(name, rest)| {
            let folder = (self.variable)(name).filter(|folder| !folder.is_empty())?;
            Some(PathBuf::from(folder).join(rest))
        });
        beside.chain(installed).find(|file| (self.is_file)(file))
    }

    /// PowerShell 7 where it is installed, and the one that comes with Windows elsewhere.
    pub(crate) fn powershell(&self) -> PathBuf {
        let pwsh = self.path().into_iter().map(|folder| folder.join("pwsh.exe")).find(|file| (self.is_file)(file));
        pwsh.unwrap_or_else(|| PathBuf::from("powershell.exe"))
    }
}

/// A text as the last argument of `cmd /S /C`, which takes the first and the last quote off and leaves the rest as it
/// stands. Without `/S`, `"C:\a b\c.exe" "d"` would lose those two.
#[cfg(any(test, windows))]
pub(crate) fn for_cmd(text: &str) -> String {
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(path: &[&str], variables: &[(&str, &str)], files: &[&str]) -> (Option<String>, String) {
        let path = std::env::join_paths(path).unwrap();
        let variable = |name: &str| match name {
            "PATH" => Some(path.clone()),
            name => variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value)),
        };
        let is_file = |file: &Path| files.iter().any(|known| Path::new(known) == file);
        let machine = Machine { variable: &variable, is_file: &is_file };
        let text = |path: PathBuf| path.to_string_lossy().replace('\\', "/");
        (machine.git_bash().map(text), text(machine.powershell()))
    }

    #[test]
    fn bash_is_the_one_that_came_with_git() {
        let path = ["/Windows/System32", "/Git/cmd"];
        let files = ["/Windows/System32/bash.exe", "/Git/cmd/git.exe", "/Git/cmd/../bin/bash.exe"];
        assert_eq!(find(&path, &[], &files).0.as_deref(), Some("/Git/cmd/../bin/bash.exe"));
        let path = ["/Git/mingw64/bin"];
        let files = ["/Git/mingw64/bin/git.exe", "/Git/mingw64/bin/../../bin/bash.exe"];
        assert_eq!(find(&path, &[], &files).0.as_deref(), Some("/Git/mingw64/bin/../../bin/bash.exe"));
        let variables = [("ProgramFiles", "/Programs")];
        assert_eq!(
            find(&["/Windows"], &variables, &["/Programs/Git/bin/bash.exe"]).0.as_deref(),
            Some("/Programs/Git/bin/bash.exe")
        );
        // The Linux subsystem's is none.
        assert_eq!(find(&["/Windows"], &variables, &["/Windows/bash.exe"]).0, None);
    }

    #[test]
    fn powershell_is_the_newer_one_where_it_is_installed() {
        assert_eq!(find(&["/a", "/b"], &[], &["/b/pwsh.exe"]).1, "/b/pwsh.exe");
        assert_eq!(find(&["/a"], &[], &[]).1, "powershell.exe");
    }

    #[test]
    fn quotes_of_a_command_survive() {
        assert_eq!(for_cmd(r#""C:\a b\c.exe" "d""#), r#"""C:\a b\c.exe" "d"""#);
    }
}
