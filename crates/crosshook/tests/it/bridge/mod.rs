//! Hooks of one vendor in another's client: real scripts, the real command, and what both vendors make of it.

mod command;
#[cfg(unix)]
mod given;
mod hostile;
mod place;
pub(crate) mod scripts;
mod state;
mod stdin;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use hooks_conformance::cross::decided;
use hooks_conformance::sample;
use hooks_core::adapter::{Codec, DecodePolicy};
use hooks_core::decide::Decision;
use hooks_core::definition::{Binding, BindingId};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::outcome::{End, Outcome};

use crate::support::Project;

/// The folder of the scripts.
fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scripts")
}

/// A vendor, both halves.
fn codec(vendor: &str) -> Arc<dyn Codec> {
    crosshook::codec(vendor).unwrap_or_else(|| panic!("there is no {vendor}"))
}

/// An occurrence in a project.
fn occurrence(project: &Project, payload: Payload) -> Envelope {
    moved(project, Envelope::new(sample::common(), payload))
}

/// The same occurrence in a project.
fn moved(project: &Project, mut envelope: Envelope) -> Envelope {
    let root = project.root().to_str().unwrap().to_owned();
    let common = &mut envelope.common;
    common.cwd.clone_from(&root);
    common.project_dir = Some(root.clone());
    common.workspace_roots = vec![root];
    envelope
}

/// A hook of an event with nothing said of it.
fn hook(adapter: &dyn Codec, event: &str) -> Binding {
    let mut definition = adapter.blank(event).unwrap_or_else(|| panic!("no event {event}"));
    definition.id = BindingId::new("the hook");
    Binding::alone(definition)
}

/// Runs a program as a vendor's client runs its hooks for an occurrence, and says how it ended.
fn run_as(adapter: &dyn Codec, event: &str, envelope: &Envelope, mut program: Command) -> (Outcome, Output) {
    let mut stdin = Vec::new();
    let invocation = adapter.encode(&hook(adapter, event), envelope, &mut stdin).expect("it can be told");
    program.current_dir(&invocation.cwd).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in &invocation.env_remove {
        program.env_remove(name);
    }
    program.envs(invocation.env.iter().map(|(name, value)| (name, value)));
    let mut child = program.spawn().unwrap();
    // A program that does not read its input has not failed.
    let _ = child.stdin.take().unwrap().write_all(&stdin);
    let output = child.wait_with_output().unwrap();
    let end = output.status.code().map_or(End::Signalled(0), End::Exited);
    let outcome = Outcome { stdout: output.stdout.clone(), stderr: output.stderr.clone(), ..Outcome::ended(end) };
    (outcome, output)
}

/// What a vendor's client decides when that was its only hook.
fn decision(adapter: &dyn Codec, event: &str, envelope: &Envelope, outcome: &Outcome) -> Decision {
    let said = adapter.decode(&hook(adapter, event), envelope, outcome, DecodePolicy::default());
    decided(adapter, envelope.boundary(), vec![said])
}

/// The command as a hook: everything before the script, and the script.
fn bridge(project: &Project, options: &[&str], script: &[&str]) -> Command {
    let mut command = crate::support::command(&project.root(), &project.home());
    command.arg("bridge").args(options).arg("--").args(script);
    command
}

/// A decision in words: what it comes to, and in brackets what the model is told.
fn words(decision: &Decision) -> String {
    // Claude Code puts the command before a text from standard error.
    let text = |text: &str| text.trim_start_matches("[./script]: ").trim_start_matches("[]: ").to_owned();
    let mut words = match (&decision.halt, decision.continuations.as_slice()) {
        (Some(_), _) => "halt".to_owned(),
        (None, [first, ..]) => format!("go on: {}", text(&first.value.text)),
        (None, []) => decision.action.as_str().to_owned(),
    };
    if !decision.to_model.is_empty() {
        let texts: Vec<_> = decision.to_model.iter().map(|said| text(&said.value)).collect();
        words.push_str(&format!(" ({})", texts.join("; ")));
    }
    words
}
