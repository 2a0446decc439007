//! The hook's side of the format: for a bridge that runs another vendor's hook inside Codex.

use hooks_core::adapter::{Answer, Loss, StdinError};
use hooks_core::facts::EventFacts;
use hooks_core::{Effect, Envelope, HookSide, ToolCall, patch};

use crate::{Adapter, input, output};

impl HookSide for Adapter {
    fn read_stdin(&self, stdin: &[u8]) -> Result<(&'static EventFacts, Envelope), StdinError> {
        input::read(self.version, stdin).map(|(event, envelope)| (&event.facts, envelope))
    }

    fn parts(&self, call: &ToolCall, cwd: &str) -> Option<Result<Vec<ToolCall>, String>> {
        patch::parts(call, cwd)
    }

    fn write_answer(&self, event: &EventFacts, envelope: &Envelope, effects: &[Effect]) -> (Answer, Vec<Loss>) {
        match self.row(event.name) {
            Some(event) => output::write(event, self.version, envelope, effects),
            None => (Answer::default(), output::all_lost(effects)),
        }
    }
}
