//! Reports in SARIF, held to the schema of the standard, which the package `@microsoft/jest-sarif` carries.
//!
//! What is checked are the corpora: each configuration at the place that it is for, in a project of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::list;
use crate::catalog::{Place, corpus};
use crate::succeed;

const SCHEMA: &str = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";

/// Makes a report of every configuration of the corpora, and holds all of them to the schema.
pub(super) fn hold(root: &Path, folder: &Path) -> Result<(), String> {
    let command = command(root)?;
    let base = folder.join("sarif");
    if base.exists() {
        fs::remove_dir_all(&base).map_err(|error| format!("{}: {error}", base.display()))?;
    }
    let mut reports = Vec::new();
    let mut results = 0;
    for vendor in ["claude", "codex", "cursor"] {
        for (name, place) in corpus(root, vendor) {
            let project = base.join(vendor).join(&name);
            let path = match &place {
                Place::At(path) => path.strip_prefix("/home/dev/").unwrap_or(path.trim_start_matches('/')),
                Place::InPlugin(path) => path.trim_start_matches("/home/dev/"),
            };
            let file = project.join(path);
            let trouble = |error: std::io::Error| format!("{}: {error}", file.display());
            fs::create_dir_all(file.parent().unwrap_or(&project)).map_err(trouble)?;
            fs::copy(root.join(format!("fixtures/corpus/{vendor}/{name}")), &file).map_err(trouble)?;
            // A configuration that lies where nobody looks in a project is named.
            let asked = match place {
                Place::At(_) if file.starts_with(project.join("etc")) => {
                    vec![file.as_path(), Path::new("--vendor"), Path::new(vendor)]
                }
                Place::At(_) => vec![project.as_path()],
                Place::InPlugin(_) => vec![file.as_path(), Path::new("--vendor"), Path::new(vendor)],
            };
            let output =
                Command::new(&command).args(["check", "--no-config", "--format", "sarif"]).args(asked).output();
            let output = output.map_err(|error| format!("{}: {error}", command.display()))?;
            if !matches!(output.status.code(), Some(0 | 1)) {
                return Err(format!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr)));
            }
            let log: Value =
                serde_json::from_slice(&output.stdout).map_err(|error| format!("{}: {error}", file.display()))?;
            results += list(&log["runs"][0], "results").count();
            let report = base.join(format!("{vendor}-{name}.sarif"));
            fs::write(&report, &output.stdout).map_err(|error| format!("{}: {error}", report.display()))?;
            reports.push(report);
        }
    }
    judge(folder, &reports)?;
    // A schema that nothing breaks would hold anything.
    let broken = base.join("broken.sarif");
    fs::write(&broken, r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "columnKind": "bytes"}]}"#)
        .map_err(|error| format!("{}: {error}", broken.display()))?;
    if judge(folder, &[broken]).is_ok() {
        return Err(format!("{SCHEMA} takes a report that is none"));
    }
    println!("  SARIF: {} reports with {results} results are what the standard's schema wants", reports.len());
    if results < 50 { Err(format!("only {results} results: the corpora were not read")) } else { Ok(()) }
}

/// The command, built.
fn command(root: &Path) -> Result<PathBuf, String> {
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    succeed(
        build.args(["build", "--quiet", "--locked", "--package", "crosshook", "--bin", "crosshook"]).current_dir(root),
    )?;
    // Beside the folder that this test is in.
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = here.parent().and_then(Path::parent).ok_or("this test lies nowhere")?;
    Ok(folder.join(format!("crosshook{}", std::env::consts::EXE_SUFFIX)))
}

fn judge(folder: &Path, reports: &[PathBuf]) -> Result<(), String> {
    let mut check = Command::new(folder.join("venv/bin/check-jsonschema"));
    // A pattern of the schema has a bracket too many for the stricter reading of JavaScript.
    check.args(["--regex-variant", "nonunicode", "--output-format", "json", "--force-filetype", "json"]);
    check.arg("--schemafile").arg(folder.join(SCHEMA));
    let output = check.args(reports).output().map_err(|error| format!("check-jsonschema: {error}"))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("check-jsonschema: {error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let faults: Vec<String> = ["errors", "parse_errors"]
        .iter()
        .flat_map(|key| list(&report, key))
        .take(20)
        .map(|error| format!("  {}: {} at {}", error["filename"], error["message"], error["path"]))
        .collect();
    if output.status.success() && faults.is_empty() {
        return Ok(());
    }
    Err(format!("these reports are no SARIF:\n{}\n{}", faults.join("\n"), String::from_utf8_lossy(&output.stderr)))
}
