//! A small agent host: it takes hooks in whichever vendor's format its command line names, and does what they decide.
//!
//! ```text
//! cargo run --example host -- claude                          a tiny configuration that is built in
//! cargo run --example host -- cursor .cursor/hooks.json       your own
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a host reads files and talks to a person")]

use std::error::Error;
use std::sync::Arc;

use crosshook::activate::AdmitAll;
use crosshook::envelope::{Prompt, ToolUse, TurnStop};
use crosshook::runtime::{FireOptions, fire};
use crosshook::source::Syntax;
use crosshook::{
    Action, Common, Decision, Envelope, HostProfile, Origin, Payload, SessionState, Snapshot, Source, ToolCall,
    VendorSources, activate,
};

/// The host's facts and what a session keeps between firings.
struct Host {
    snapshot: Snapshot,
    profile: HostProfile,
    session: SessionState,
    common: Common,
}

impl Host {
    /// Picks the format and settles what runs: once, when the session starts.
    fn start(vendor: &str, config: Option<&str>) -> Result<Self, Box<dyn Error>> {
        let adapter = crosshook::adapter(vendor)
            .ok_or_else(|| format!("`{vendor}` is no format; write one of {}", crosshook::VENDORS.join(", ")))?;
        let (path, bytes) = match config {
            Some(path) => (path, std::fs::read(path)?),
            None => ("built in", built_in(vendor).into()),
        };
        let syntax = if path.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
        let source = Source::hooks(adapter.vendor().clone(), Origin::Project, syntax, path, bytes);
        let document = adapter.parse(&Arc::new(source));
        // Nobody can be asked here, so an `ask` becomes a deny.
        let profile = HostProfile::full().ask(false).defer(false);
        // A host for people would ask before it trusts a project's hooks, and answer so here.
        let snapshot = activate(vec![VendorSources { adapter, documents: vec![document] }], &profile, &AdmitAll)?;
        for told in snapshot.diagnostics() {
            println!("[{}] {}", told.severity.as_str(), told.message);
        }
        let cwd = std::env::current_dir()?.to_string_lossy().into_owned();
        let common = Common { session_id: "session-1".into(), cwd, ..Common::default() };
        Ok(Self { snapshot, profile, session: SessionState::default(), common })
    }

    /// Asks the hooks.
    async fn ask_hooks(&mut self, payload: Payload) -> Decision {
        let envelope = Envelope::new(self.common.clone(), payload);
        let firing = fire(&self.snapshot, &envelope, &self.profile, &self.session, &FireOptions::default()).await;
        self.session = firing.session;
        firing.decision
    }

    /// Sends a prompt, unless a hook stops it.
    async fn prompt(&mut self, text: &str) {
        println!("\nprompt: {text}");
        let decision = self.ask_hooks(Payload::PromptSubmit(Prompt { text: text.into(), ..Prompt::default() })).await;
        tell(&decision);
        match decision.halt {
            Some(halt) => println!("  -> not sent: {}", halt.value.reason.unwrap_or_default()),
            None => println!("  -> sent to the model"),
        }
    }

    /// Runs a command, unless a hook denies it; a hook may also put another command in its place.
    async fn shell(&mut self, command: &str) {
        println!("\nshell: {command}");
        let call = ToolCall::shell(command);
        let decision = self.ask_hooks(Payload::ToolBefore(ToolUse { id: Some("call-1".into()), call })).await;
        tell(&decision);
        let rewritten = decision.input.as_ref().and_then(|said| said.value.as_shell());
        let command = rewritten.map_or(command, |shell| &shell.command);
        match decision.action {
            Action::Deny | Action::Ask | Action::Defer => println!("  -> not run"),
            // Silence never approves: the host's own rules decide.
            Action::NoOpinion if !harmless(command) => println!("  -> not run: this host's own rules do not allow it"),
            Action::NoOpinion | Action::Approve => println!("  -> runs: {command}"),
        }
    }

    /// Ends the turn, unless a hook has more to do.
    async fn stop(&mut self) {
        println!("\nthe model is done");
        for round in 0.. {
            let stop = TurnStop { status: Some("completed".into()), loop_count: round, ..TurnStop::default() };
            let decision = self.ask_hooks(Payload::TurnStop(stop)).await;
            tell(&decision);
            // A vendor without a limit of its own must not keep this host busy for ever.
            match decision.continuations.as_slice() {
                [first, ..] if decision.halt.is_none() && round < 3 => println!("  -> goes on: {}", first.value.text),
                _ => break,
            }
        }
        println!("  -> the turn ends");
    }
}

/// What the hooks said to the model and to the person.
fn tell(decision: &Decision) {
    for (whom, texts) in [("model", &decision.to_model), ("person", &decision.to_user)] {
        texts.iter().for_each(|said| println!("  to the {whom}: {}", said.value));
    }
}

/// This host's own rule.
fn harmless(command: &str) -> bool {
    ["ls", "pwd", "date"].contains(&command)
}

/// Denies `rm -rf`, and lets everything else be.
fn built_in(vendor: &str) -> &'static str {
    match vendor {
        "cursor" => {
            r#"{"version": 1, "hooks": {"beforeShellExecution": [{"command": "if grep -q 'rm -rf'; then echo 'no rm -rf here' >&2; exit 2; else echo '{\"permission\": \"allow\"}'; fi"}]}}"#
        }
        _ => {
            r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "if grep -q 'rm -rf'; then echo 'no rm -rf here' >&2; exit 2; fi"}]}]}}"#
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let vendor = args.first().ok_or("usage: host VENDOR [CONFIG]")?;
    let mut host = Host::start(vendor, args.get(1).map(String::as_str))?;
    host.prompt("tidy up the build folder").await;
    host.shell("rm -rf build").await;
    host.shell("ls").await;
    host.stop().await;
    Ok(())
}
