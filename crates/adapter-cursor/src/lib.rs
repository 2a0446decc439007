//! Cursor's hook format: event table, configuration, matching, standard input, answers and merge policy.
//!
//! The adapter has three faces, which differ in nothing but [`Options`]: [`phase1`] is the host of the first design,
//! [`seed`] the first design's rules on a host that fires everything, [`vendor`] Cursor as documented now.
//! [`Adapter::latest`] is the last one and tells everything about a document that will not do what its author thinks.
//!
//! ```
//! use adapter_cursor::vendor;
//! use hooks_core::source::{Origin, Source, Syntax};
//! use hooks_core::HostSide;
//!
//! let text = r#"{"version": 1, "hooks": {"stop": [{"command": "hooks/tests.sh"}]}}"#;
//! let source = Source::hooks(vendor().vendor().clone(), Origin::Project, Syntax::Json, ".cursor/hooks.json", text.as_bytes());
//! let parsed = vendor().parse(&source.into());
//! assert_eq!(parsed.definitions.len(), 1);
//! assert!(parsed.diagnostics.is_empty());
//! ```

use std::sync::Arc;

use hooks_core::adapter::{Answer, DecodePolicy, Encoded, HookSide, HostSide, Loss, Parsed, StdinError, Subject};
use hooks_core::boundary::Boundary;
use hooks_core::definition::{Binding, Definition, Place};
use hooks_core::effects::{Effect, HookEffects};
use hooks_core::envelope::Envelope;
use hooks_core::facts::EventFacts;
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::location::{HookVariable, Location};
use hooks_core::matcher::PatternError;
use hooks_core::outcome::Outcome;
use hooks_core::policy::MergePolicy;
use hooks_core::source::{Origin, Source, Syntax};
use hooks_core::tool::{InputRefused, Projected, ToolCall};
use hooks_core::{Code, Dialect, LoopLimit, Matcher, RawJson, VendorId, Version, patch};

pub mod codes;
pub mod config;
pub mod events;
mod input;
pub mod locations;
pub mod matcher;
pub mod merge;
pub mod options;
mod output;
#[cfg(feature = "schema")]
pub mod schema;
pub mod tools;

pub use events::{DIALECT, Event};
pub use options::{Options, Reports};

/// Cursor's adapter: a dialect, the client version whose facts hold, and the host's choices.
#[derive(Clone, Debug)]
pub struct Adapter {
    dialect: &'static Dialect<Event>,
    version: Version,
    options: Options,
}

impl Adapter {
    /// An adapter for a dialect, a client version and a host's choices.
    #[must_use]
    pub const fn new(dialect: &'static Dialect<Event>, version: Version, options: Options) -> Self {
        Self { dialect, version, options }
    }

    /// The newest recorded client with the choices of [`vendor`], telling everything about a document: for people who want
    /// to know what their hooks do.
    #[must_use]
    pub fn latest() -> Self {
        Self::new(&DIALECT, DIALECT.latest, Options { reports: Reports::Everything, ..Options::vendor() })
    }

    /// The host's choices.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// An event's row, by the exact name.
    #[must_use]
    pub fn row(&self, name: &str) -> Option<&'static Event> {
        self.dialect.events.iter().find(|event| event.facts.name == name)
    }
}

/// The host of the first design.
#[must_use]
pub const fn phase1() -> Adapter {
    Adapter::new(&DIALECT, DIALECT.latest, Options::phase1())
}

/// The first design's rules on a host that fires everything.
#[must_use]
pub const fn seed() -> Adapter {
    Adapter::new(&DIALECT, DIALECT.latest, Options::seed())
}

/// Cursor as documented now.
#[must_use]
pub const fn vendor() -> Adapter {
    Adapter::new(&DIALECT, DIALECT.latest, Options::vendor())
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
        config::parse(self.dialect, &self.options, source)
    }

    fn precedence(&self, source: &Source) -> i32 {
        locations::precedence(source)
    }

    /// No document said anything about follow-ups, so there is no limit on them either.
    fn blank(&self, event: &str) -> Option<Definition> {
        let event = self.row(event)?;
        let source = Arc::new(Source::hooks(self.dialect.vendor.clone(), Origin::Host, Syntax::Json, "", Vec::new()));
        let place = Place { event: event.facts.name.to_owned(), group: 0, index: 0 };
        let handler = Handler::Command(CommandHandler::default());
        let mut definition = config::definition(self.dialect, &self.options, event, &source, place, 0..0, handler);
        definition.loop_limit = event.loop_limit.then_some(LoopLimit::Unlimited);
        Some(definition)
    }

    fn matcher(&self, event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        match self.row(event) {
            Some(event) => matcher::matcher(&self.options, event, text),
            None => (Matcher::Never(format!("`{event}` is no event")), None),
        }
    }

    fn subject<'e>(&self, event: &EventFacts, envelope: &'e Envelope) -> Subject<'e> {
        match self.row(event.name) {
            Some(event) => matcher::subject(&self.options, event, envelope),
            None => Subject::NotThisEvent("it is no event of this vendor"),
        }
    }

    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
        input::encode(self, binding, envelope, stdin)
    }

    /// Both events before a read have the file's `content` (hooks page, beforeReadFile and beforeTabFileRead).
    fn gives_content(&self, event: &EventFacts) -> bool {
        matches!(event.name, "beforeReadFile" | "beforeTabFileRead")
    }

    fn decode(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome, policy: DecodePolicy) -> HookEffects {
        output::decode(self, binding, envelope, outcome, policy)
    }

    fn merge_policy(&self, _boundary: Boundary) -> &'static MergePolicy {
        &merge::POLICY
    }

    fn tool_names(&self, call: &ToolCall) -> Vec<String> {
        std::iter::once(tools::name(call).into_owned())
            .chain(tools::aliases(call).iter().map(|&alias| alias.to_owned()))
            .collect()
    }

    fn tool_call(&self, name: &str, input: &RawJson) -> ToolCall {
        tools::call(name, input)
    }

    fn project(&self, original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
        tools::project(original, rewritten)
    }
}

impl HookSide for Adapter {
    /// Reads what Cursor's client writes, for all 21 events. The three without a boundary come with the payload nearest to
    /// them: a read before it happens, an edit after it happened, a start of which nothing is known.
    fn read_stdin(&self, stdin: &[u8]) -> Result<(&'static EventFacts, Envelope), StdinError> {
        input::read::read(self, stdin)
    }

    fn parts(&self, call: &ToolCall, cwd: &str) -> Option<Result<Vec<ToolCall>, String>> {
        patch::parts(call, cwd)
    }

    /// Only some models are given a tool for patches, and guards look for `file_path`, which every other edit has.
    fn takes_whole(&self, _call: &ToolCall) -> bool {
        false
    }

    fn write_answer(&self, event: &EventFacts, envelope: &Envelope, effects: &[Effect]) -> (Answer, Vec<Loss>) {
        output::write::write(self, event, envelope, effects)
    }
}
