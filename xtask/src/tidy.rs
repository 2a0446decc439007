//! The invariants of ARCHITECTURE.md that no lint can check: who may know whom, and what may be named where.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that do no IO, keep no clock and know no runtime.
const PURE: &[&str] = &["hooks-core", "adapter-cursor", "adapter-claude", "adapter-codex"];

/// Crates that name no vendor.
const VENDOR_BLIND: &[&str] = &["hooks-core", "hooks-runtime"];

/// Words that name a vendor or its product.
const VENDOR_WORDS: &[&str] = &["cursor", "claude", "codex", "anthropic", "openai"];

/// Packages that mean a runtime, an HTTP client or a clock under a pure crate.
const NOT_UNDER_PURE: &[&str] =
    &["tokio", "mio", "async-std", "smol", "hyper", "reqwest", "chrono", "time", "notify", "rayon"];

/// Features of `serde_json` that change what it does for everybody in a host's dependency graph.
const LEAKING_FEATURES: &[&str] = &["preserve_order", "arbitrary_precision", "float_roundtrip", "unbounded_depth"];

/// Runs every check and reports all that fails.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut faults = Vec::new();
    faults.extend(vendor_names(root)?);
    faults.extend(module_docs(root)?);
    faults.extend(allowed_lints(root)?);
    faults.extend(dependencies(root)?);
    faults.extend(leaked_features(root)?);
    faults.extend(foreign_words(root)?);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Sources of vendor-blind crates in which a vendor is named.
fn vendor_names(root: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for name in VENDOR_BLIND {
        for (path, text) in sources(&root.join("crates").join(name).join("src"))? {
            for (number, line) in text.lines().enumerate() {
                let lower = line.to_lowercase();
                for word in VENDOR_WORDS {
                    if lower.contains(word) {
                        faults.push(format!("{}:{}: {name} names a vendor: `{word}`", shown(root, &path), number + 1));
                    }
                }
            }
        }
    }
    Ok(faults)
}

/// Modules that do not open with a line on their job.
fn module_docs(root: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for (path, text) in sources(&root.join("crates"))?.into_iter().chain(sources(&root.join("xtask"))?) {
        if !text.starts_with("//!") {
            faults.push(format!("{}: a module opens with a `//!` line on its job", shown(root, &path)));
        }
    }
    Ok(faults)
}

/// Pure crates that turn off the lints that keep them pure.
fn allowed_lints(root: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for name in PURE {
        for (path, text) in sources(&root.join("crates").join(name).join("src"))? {
            // Naming one of these lints, in whatever attribute, is turning it off: the workspace has them on.
            for lint in ["disallowed_methods", "disallowed_types", "unsafe_code", "clippy::all", "clippy::style"] {
                if text.contains(lint) {
                    faults.push(format!("{}: a pure crate names the lint `{lint}`", shown(root, &path)));
                }
            }
        }
    }
    Ok(faults)
}

/// Pure crates with a runtime below them, and adapters that know each other.
fn dependencies(root: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for name in PURE {
        if !root.join("crates").join(name).is_dir() {
            continue;
        }
        let tree =
            cargo(root, &["tree", "--package", name, "--all-features", "--edges", "normal,build", "--prefix", "none"])?;
        for line in tree.lines() {
            let below = line.split(' ').next().unwrap_or_default();
            if NOT_UNDER_PURE.contains(&below) {
                faults.push(format!("{name} must not depend on {below}"));
            }
            if below.starts_with("adapter-") && below != *name {
                faults.push(format!("{name} must not know {below}"));
            }
        }
    }
    let tree =
        cargo(root, &["tree", "--package", "hooks-core", "--all-features", "--edges", "normal", "--prefix", "none"])?;
    for line in tree.lines().skip(1) {
        if line.starts_with("hooks-") || line.starts_with("adapter-") || line.starts_with("crosshook") {
            faults.push(format!("hooks-core stands at the bottom and must not know {line}"));
        }
    }
    Ok(faults)
}

/// Features of `serde_json` that would leak into hosts, turned on by a library of ours.
fn leaked_features(root: &Path) -> Result<Vec<String>, String> {
    let args = ["tree", "--workspace", "--all-features", "--edges", "normal,features", "--invert", "serde_json"];
    let features = cargo(root, &args)?;
    Ok(LEAKING_FEATURES
        .iter()
        .filter(|feature| features.contains(&format!("serde_json feature \"{feature}\"")))
        .map(|feature| format!("serde_json's feature `{feature}` is on, and would be for every host"))
        .collect())
}

/// Files that name a machine's folders or a registry.
fn foreign_words(root: &Path) -> Result<Vec<String>, String> {
    // Written in two parts so that this file does not name them itself.
    let words = [concat!("/wo", "rk/"), concat!("/far", "m/"), concat!("artifac", "tory")];
    let listed = git(root, &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    let mut faults = Vec::new();
    for name in listed.lines().filter(|name| *name != "Cargo.lock") {
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        for (number, line) in text.lines().enumerate() {
            for word in words {
                if line.contains(word) {
                    faults.push(format!("{name}:{}: the project speaks of itself alone, not of `{word}`", number + 1));
                }
            }
        }
    }
    Ok(faults)
}

/// Every Rust source below a folder, with its text, sorted by path.
fn sources(folder: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                found.push((path, text));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

fn cargo(root: &Path, args: &[&str]) -> Result<String, String> {
    output(Command::new(crate::cargo()).args(args).current_dir(root))
}

fn git(root: &Path, args: &[&str]) -> Result<String, String> {
    output(Command::new("git").args(args).current_dir(root))
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_invariants_hold() {
        if let Err(faults) = super::run(&crate::root()) {
            panic!("{faults}");
        }
    }
}
