//! Codex's hook format, for hosts that run hooks written in it: event table, configuration, matching, standard input,
//! standard output and merge policy.
//!
//! Codex took the shape of nested groups and `hookSpecificOutput` and gave each event its own strict parser. The events
//! share a dispatcher and nothing else, so no rule is carried from one to another here either: what an event knows
//! stands in its row of the table ([`events`]), and what its answer does in its own function.
//!
//! Facts come first from what the client was seen to do, then from its documents. "Section" in a comment means the
//! section of the vendor page; versions are those of the client.

pub mod codes;
mod config;
pub mod events;
mod hook_side;
mod input;
pub mod locations;
mod matcher;
pub mod merge;
mod output;
pub mod report;
#[cfg(feature = "schema")]
pub mod schema;
pub mod tools;
pub mod trust;

pub use config::keys;
pub use config::toml_tree::parse as toml_document;

use std::sync::Arc;

use hooks_core::activate::Admitted;
use hooks_core::adapter::{DecodePolicy, Encoded, Fingerprint, HostSide, Parsed, Rulings, Subject};
use hooks_core::boundary::Boundary;
use hooks_core::channel::Channel;
use hooks_core::diagnostic::{Code, Diagnostic};
use hooks_core::entry::Entry;
use hooks_core::facts::EventFacts;
use hooks_core::handler::{CommandHandler, McpToolHandler};
use hooks_core::location::{HookVariable, Location};
use hooks_core::matcher::PatternError;
use hooks_core::outcome::{EnvBase, Program, ShellKind};
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::spill::{SpillLimit, SpillUnit};
use hooks_core::tool::{InputRefused, Projected};
use hooks_core::{
    Binding, Definition, Dialect, Effect, Envelope, Handler, HookEffects, Invocation, Matcher, MergePolicy, NotRun,
    Outcome, Place, RawJson, ToolCall, VendorId, Version,
};

pub use events::{DIALECT, Event};

use crate::events::changed;

/// What Codex leaves to its surroundings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether the host runs on Windows, where `commandWindows` replaces `command`.
    pub windows: bool,
}

impl Options {
    /// The same options for a host on Windows or elsewhere.
    #[must_use]
    pub const fn windows(mut self, windows: bool) -> Self {
        self.windows = windows;
        self
    }
}

/// The adapter: a dialect's table at one version.
#[derive(Clone, Debug)]
pub struct Adapter {
    dialect: &'static Dialect<Event>,
    version: Version,
    options: Options,
}

/// Approximate tokens of context that pass whole when nothing is written (section 16).
pub(crate) const CONTEXT_LIMIT: u64 = 2500;

impl Adapter {
    /// An adapter for a version of the client.
    #[must_use]
    pub fn new(dialect: &'static Dialect<Event>, version: Version, options: Options) -> Self {
        Self { dialect, version, options }
    }

    /// The newest recorded client, with default options.
    #[must_use]
    pub fn latest() -> Self {
        Self::new(&DIALECT, DIALECT.latest, Options::default())
    }

    /// The row of an event that this version has.
    fn row(&self, name: &str) -> Option<&'static Event> {
        self.dialect.events.iter().find(|event| event.facts.name == name && event.facts.since <= self.version)
    }

    /// How long each text may be that an event's blocks give: feedback in place of a result, what a turn goes on with.
    /// `None` on events whose texts pass whole (section 16).
    #[must_use]
    pub fn feedback_limit(&self, event: &str) -> Option<SpillLimit> {
        self.row(event).filter(|event| event.limits_feedback).map(|_| spill(CONTEXT_LIMIT))
    }

    fn shell_text(&self, command: &CommandHandler, source: &Source) -> String {
        let text = command.windows.as_ref().filter(|_| self.options.windows).unwrap_or(&command.command);
        let Some(plugin) = &source.plugin else { return text.clone() };
        // Literal and unquoted (section 7); any other variable is left to the shell.
        locations::plugin_variables(plugin)
            .into_iter()
            .fold(text.clone(), |text, (name, value)| text.replace(&format!("${{{name}}}"), value))
    }
}

impl HostSide for Adapter {
    fn vendor(&self) -> &VendorId {
        &self.dialect.vendor
    }

    fn version(&self) -> Version {
        self.version
    }

    fn events(&self) -> &'static [&'static EventFacts] {
        events::facts(self.version)
    }

    fn codes(&self) -> &'static [&'static Code] {
        codes::CODES
    }

    fn folder_variables(&self, source: &Source, _project: &str) -> Vec<(&'static str, String)> {
        let variables = source.plugin.iter().flat_map(locations::plugin_variables);
        variables.map(|(name, folder)| (name, folder.to_owned())).collect()
    }

    fn hook_variables(&self) -> Vec<HookVariable> {
        locations::hook_variables()
    }

    fn locations(&self) -> &'static [Location] {
        &locations::LOCATIONS
    }

    fn parse(&self, source: &Arc<Source>) -> Parsed {
        config::parse(self.version, source)
    }

    fn precedence(&self, source: &Source) -> i32 {
        locations::precedence(source)
    }

    fn rule(&self, documents: &[Parsed]) -> Rulings {
        config::rule(self.version, documents)
    }

    /// Also what stands in one document alone and was probably not meant so, a timeout in milliseconds, say: parsing tells
    /// what the client does.
    fn across(&self, documents: &[Parsed]) -> Vec<Diagnostic> {
        config::across(self.version, self.options.windows, documents)
    }

    fn trust(&self, definition: &Definition, documents: &[Parsed]) -> Option<Admitted> {
        // A definition without a record is one that nobody reviewed: the client does not run it (section 6).
        Some(trust::advice(self.version, self.options.windows, definition, documents))
    }

    fn fingerprints(&self, source: &Arc<Source>) -> Vec<Fingerprint> {
        trust::fingerprints(source, self.version, self.options.windows)
    }

    fn blank(&self, event: &str) -> Option<Definition> {
        let event = self.row(event)?;
        let source = Source::hooks(self.dialect.vendor.clone(), Origin::Host, Syntax::Json, "(none)", []);
        let place = Place { event: event.facts.name.to_owned(), group: 0, index: 0 };
        Some(config::blank(event, Arc::new(source), place))
    }

    fn matcher(&self, event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        matcher::compile(self.event(event), text)
    }

    fn subject<'e>(&self, event: &EventFacts, envelope: &'e Envelope) -> Subject<'e> {
        matcher::subject(event, self.version, envelope)
    }

    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
        stdin.clear();
        let name = &binding.place.event;
        let event = self.row(name).ok_or_else(|| NotRun(format!("Codex {} has no event {name}", self.version)))?;
        input::write(event, self.version, envelope, stdin)?;
        let program = match &binding.handler {
            Handler::Command(command) => {
                Program::ShellText { shell: ShellKind::UserLogin, text: self.shell_text(command, &binding.source) }
            }
            Handler::McpTool(tool) => {
                let input = input::placeholders::expand(&tool.input, stdin).map_err(NotRun)?;
                let tool = McpToolHandler { input, ..tool.clone() };
                Program::Hosted(Box::new(Handler::McpTool(tool)))
            }
            other => return Err(NotRun(format!("Codex runs no {} handlers", other.kind().as_str()))),
        };
        let env = binding.source.plugin.as_ref().map(locations::plugin_variables).unwrap_or_default();
        let begun = changed::SESSION_ENVIRONMENT.at(self.version) == Some(true);
        Ok(Invocation {
            env_base: if begun { EnvBase::SessionStart } else { EnvBase::Current },
            env: env.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            env_scrub: locations::REMOVED_VARIABLES.iter().map(|name| (*name).to_owned()).collect(),
            ..Invocation::new(program, envelope.common.cwd.clone(), binding.timeout, locations::RUN_RULES)
        })
    }

    fn decode(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome, policy: DecodePolicy) -> HookEffects {
        match self.row(&binding.place.event) {
            Some(event) => output::decode(event, self.version, binding, envelope, outcome, policy),
            None => output::no_event(binding, outcome),
        }
    }

    fn decode_late(&self, binding: &Binding, _envelope: &Envelope, outcome: &Outcome) -> HookEffects {
        match self.row(&binding.place.event) {
            Some(event) => output::decode_late(event, self.version, binding, outcome),
            None => output::no_event(binding, outcome),
        }
    }

    fn merge_policy(&self, boundary: Boundary) -> &'static MergePolicy {
        let event = self.dialect.events.iter().find(|event| event.facts.boundary == Some(boundary));
        event.map_or(&merge::PLAIN, |event| event.merge)
    }

    fn tool_names(&self, call: &ToolCall) -> Vec<String> {
        tools::names(call)
    }

    fn tool_call(&self, name: &str, input: &RawJson) -> ToolCall {
        tools::call(name, input)
    }

    fn project(&self, original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
        tools::project(original, rewritten)
    }

    fn context_limit(&self, definition: &Definition) -> Option<SpillLimit> {
        if !definition.channels.contains(Channel::ModelContext) {
            return None;
        }
        Some(spill(definition.context_limit.unwrap_or(CONTEXT_LIMIT)))
    }

    /// Contexts and what a turn goes on with (section 16). The reasons of denials and stops and messages to the user pass
    /// whole, and feedback is shortened once it is joined.
    fn text_limit(&self, definition: &Definition, said: &HookEffects, at: usize) -> Option<SpillLimit> {
        match said.effects.get(at)? {
            Effect::Context(_) => self.context_limit(definition),
            Effect::Continue(_) => self.feedback_limit(&definition.place.event),
            _ => None,
        }
    }

    fn result_limit(&self, boundary: Boundary) -> Option<SpillLimit> {
        let event = self.dialect.events.iter().find(|event| event.facts.boundary == Some(boundary))?;
        event
            .facts
            .channels
            .contains(Channel::ReplacementResult)
            .then(|| self.feedback_limit(event.facts.name))
            .flatten()
    }

    /// Observed on 0.171.0: hooks are read when a thread starts, and an edit of the document changes nothing for it.
    fn holds_documents(&self) -> bool {
        true
    }

    fn entries(&self, binding: &Binding, outcome: &Outcome, said: &HookEffects) -> Vec<Entry> {
        let event = self.row(&binding.place.event);
        event.map(|event| report::entries(event, self.version, outcome, said)).unwrap_or_default()
    }
}

/// A limit in approximate tokens; 0 is none. Head and tail are kept (section 16).
const fn spill(limit: u64) -> SpillLimit {
    let head = limit / 2;
    SpillLimit {
        limit: if limit > 0 { Some(limit) } else { None },
        unit: SpillUnit::ApproximateTokens,
        keep_head: head,
        keep_tail: limit - head,
    }
}
