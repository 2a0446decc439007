//! Claude Code's hook format: its 34 events, configuration, matching, standard input, answers and merge rules.
//!
//! Start with [`events`], the table everything else reads, and [`Adapter`], the host's half of the codec. What differs
//! between the vendor's documentation and its client follows the client; the table and the comments say where.
//! [`HookSide`](hooks_core::HookSide) is the other half, for hooks of other vendors that this client runs.
//!
//! Hooks in the head of skills, commands and agents (YAML) are documents of origin `frontmatter`, whose life the host sets:
//! a session's for a skill, an agent's for an agent, whose `Stop` hooks run at the end of the subagent.

pub mod codes;
mod config;
pub mod events;
mod hook_side;
pub mod http;
mod input;
mod invoke;
pub mod locations;
pub mod matcher;
pub mod merge;
mod output;
#[cfg(feature = "schema")]
pub mod schema;
pub mod tools;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hooks_core::adapter::{DecodePolicy, Dialect, Encoded, HostSide, Parsed, Rulings, Subject};
use hooks_core::boundary::Boundary;
use hooks_core::definition::{Binding, Definition, Place};
use hooks_core::diagnostic::{Code, Diagnostic};
use hooks_core::effects::HookEffects;
use hooks_core::envelope::Envelope;
use hooks_core::facts::EventFacts;
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::json::RawJson;
use hooks_core::location::{HookVariable, Location};
use hooks_core::matcher::{Matched, Matcher, PatternError};
use hooks_core::outcome::{Outcome, SessionFile};
use hooks_core::policy::MergePolicy;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::spill::{SpillLimit, SpillUnit};
use hooks_core::tool::{InputRefused, Projected, ToolCall};
use hooks_core::vendor::{VendorId, Version};

use crate::events::{EVENTS, Event, FACTS, LATEST, PREVIEW, STOP_CAP, TEXT_CAP};
use crate::http::HttpPolicy;

/// The vendor's name.
pub const VENDOR: VendorId = VendorId::from_static("claude");

/// Claude Code's own dialect.
pub static DIALECT: Dialect<Event> =
    Dialect { name: "claude-code", vendor: VENDOR, latest: LATEST, events: &EVENTS, facts: &FACTS };

/// What the vendor leaves to its host, and what its client takes from its surroundings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The options people set for plugins: per plugin name, key and value. Hooks get them as variables and placeholders.
    pub plugin_options: BTreeMap<String, Vec<(String, String)>>,
    /// The home folder, for `~/` in `if`; without it such a rule is doubtful.
    pub home: Option<String>,
    /// How often stop hooks may make a turn go on in a row; `None` for no limit. The client takes it from
    /// `CLAUDE_CODE_STOP_HOOK_BLOCK_CAP`, where 0 means no limit.
    pub stop_cap: Option<u32>,
    /// The time that the hooks of a session's end get, whatever they ask for. The client takes it from
    /// `CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS`.
    pub session_end: Option<Duration>,
    /// Where hooks may send requests. [`Adapter::informed`](HostSide::informed) reads it from a session's documents, over
    /// what stands here.
    pub http: HttpPolicy,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            plugin_options: BTreeMap::new(),
            home: None,
            stop_cap: Some(STOP_CAP),
            session_end: None,
            http: HttpPolicy::default(),
        }
    }
}

impl Options {
    /// The options of the plugin that a definition belongs to.
    fn of(&self, definition: &Definition) -> &[(String, String)] {
        let plugin = definition.source.plugin.as_ref();
        plugin.and_then(|plugin| self.plugin_options.get(&plugin.name)).map_or(&[], Vec::as_slice)
    }
}

/// The host's half of the codec, for one dialect and one client version.
#[derive(Clone, Debug)]
pub struct Adapter {
    dialect: &'static Dialect<Event>,
    version: Version,
    options: Options,
}

impl Adapter {
    /// An adapter for a client version.
    #[must_use]
    pub const fn new(dialect: &'static Dialect<Event>, version: Version, options: Options) -> Self {
        Self { dialect, version, options }
    }

    /// The newest recorded client, with the default options.
    #[must_use]
    pub fn latest() -> Self {
        Self::new(&DIALECT, LATEST, Options::default())
    }

    /// The row of an event that this client has.
    fn row(&self, name: &str) -> Option<&'static Event> {
        self.dialect.events.iter().find(|event| event.facts.name == name && event.exists_at(self.version))
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
        self.dialect.facts
    }

    fn event(&self, name: &str) -> Option<&'static EventFacts> {
        self.row(name).map(|event| &event.facts)
    }

    fn also_on(&self, event: &EventFacts) -> &'static [Boundary] {
        self.row(event.name).map_or(&[], |event| event.also_on)
    }

    fn codes(&self) -> &'static [&'static Code] {
        codes::CODES
    }

    fn folder_variables(&self, source: &Source, project: &str) -> Vec<(&'static str, String)> {
        locations::folder_variables(source, project)
    }

    fn hook_variables(&self) -> Vec<HookVariable> {
        locations::hook_variables()
    }

    fn locations(&self) -> &'static [Location] {
        locations::LOCATIONS
    }

    fn parse(&self, source: &Arc<Source>) -> Parsed {
        config::parse(source, self.version)
    }

    fn precedence(&self, source: &Source) -> i32 {
        locations::precedence(source)
    }

    fn rule(&self, documents: &[Parsed]) -> Rulings {
        config::switches::rule(documents)
    }

    fn across(&self, documents: &[Parsed]) -> Vec<Diagnostic> {
        config::across(documents)
    }

    fn informed(&self, documents: &[Parsed]) -> Option<Arc<dyn HostSide>> {
        let http = HttpPolicy::of(documents);
        if http == HttpPolicy::default() || http == self.options.http {
            return None;
        }
        Some(Arc::new(Self { options: Options { http, ..self.options.clone() }, ..self.clone() }))
    }

    fn blank(&self, event: &str) -> Option<Definition> {
        let event = self.row(event)?;
        let source = Source::hooks(VENDOR, Origin::Host, Syntax::Json, "", Vec::new());
        let place = Place { event: event.facts.name.to_owned(), group: 0, index: 0 };
        let handler = Handler::Command(CommandHandler::default());
        Some(config::definition(&Arc::new(source), Some(event), place, 0..0, handler))
    }

    fn matcher(&self, event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        match self.row(event) {
            Some(event) => matcher::compile(event, text, self.version),
            None => (Matcher::Never("its event is unknown".to_owned()), None),
        }
    }

    fn subject<'e>(&self, event: &EventFacts, envelope: &'e Envelope) -> Subject<'e> {
        match self.row(event.name) {
            Some(event) => matcher::subject(event, envelope),
            None => Subject::NotThisEvent("this client does not have it"),
        }
    }

    fn condition(&self, definition: &Definition, envelope: &Envelope) -> Matched {
        match (&definition.condition, self.row(&definition.place.event)) {
            (Some(condition), Some(event)) => {
                matcher::condition::holds(event, definition, condition, envelope, &self.options, self.version)
            }
            (Some(_), None) => Matched::No,
            (None, _) => Matched::Yes,
        }
    }

    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
        invoke::encode(self.row(&binding.place.event), binding, envelope, &self.options, self.version, stdin)
    }

    fn decode(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome, policy: DecodePolicy) -> HookEffects {
        let surroundings = output::Surroundings { policy, version: self.version, options: &self.options };
        output::decode(self.row(&binding.place.event), binding, envelope, outcome, surroundings)
    }

    fn decode_late(&self, binding: &Binding, _envelope: &Envelope, outcome: &Outcome) -> HookEffects {
        output::decode_late(binding, outcome)
    }

    fn merge_policy(&self, boundary: Boundary) -> &'static MergePolicy {
        merge::policy(boundary, self.version)
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

    /// The same for every event (hooks page; case `b-size`).
    fn context_limit(&self, _definition: &Definition) -> Option<SpillLimit> {
        Some(SpillLimit { limit: Some(TEXT_CAP), unit: SpillUnit::Characters, keep_head: PREVIEW, keep_tail: 0 })
    }

    fn text_limit(&self, definition: &Definition, said: &HookEffects, at: usize) -> Option<SpillLimit> {
        let event = self.row(&definition.place.event)?;
        output::is_capped(event, said, at).then(|| self.context_limit(definition)).flatten()
    }

    fn session_files(&self) -> &'static [SessionFile] {
        &locations::SESSION_FILES
    }
}
