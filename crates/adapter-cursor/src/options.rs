//! What Cursor leaves to its host, as one struct of single choices with the three faces as constructors.

use crate::events::Event;

/// Which events the host fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fires {
    /// All that have a boundary.
    Everything,
    /// The twelve of the first design; the others are bound and match nothing.
    Phase1,
}

/// Which values of `version` are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionRule {
    /// The whole number 1 only (first design, parsing).
    OnlyOne,
    /// Any positive whole number (hooks page of September 2026).
    AnyPositive,
}

/// In which language matchers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegexLanguage {
    /// That of the `regex` crate (first design, matching).
    Rust,
    /// JavaScript's (Cursor's own `create-hook` skill, matchers).
    JavaScript,
}

/// Seconds a hook gets when its definition says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DefaultTimeouts {
    /// Those of the event table (first design: 30 before an operation, 60 afterwards, 5 at a session's end).
    OfTheTable,
    /// The same for every event.
    Same(f64),
}

/// How much is told about a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reports {
    /// What the first design names: the first mistake of a file that is no JSON, and what a host will not do with a hook
    /// (first design, parsing). The conformance vectors are about these.
    Named,
    /// Everything that will not do in Cursor itself what its author thinks: every mistake, what is valid and cannot matter,
    /// and what Cursor's cloud agents leave out. That a host lacks an event that belongs to the editor is not told.
    Everything,
}

/// What Cursor leaves to its host. Start from one of the constructors and change single choices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Which events the host fires.
    pub fires: Fires,
    /// Whether prompt handlers are kept; otherwise they are skipped with a warning.
    pub prompt_handlers: bool,
    /// Which values of `version` are read. A plugin's file may leave it out where any positive number is read.
    pub version: VersionRule,
    /// The highest `loop_limit`; `None` for no cap.
    pub loop_cap: Option<u32>,
    /// Seconds a hook gets when nothing else is said.
    pub timeouts: DefaultTimeouts,
    /// The language of matchers.
    pub regex: RegexLanguage,
    /// Whether a subagent's follow-up counts only when its status is `completed` (hooks page, subagentStop).
    pub followup_needs_completed: bool,
    /// Whether a replaced result counts for tools of tool servers only (hooks page, postToolUse).
    pub output_for_mcp_only: bool,
    /// Whether an answer that the host cut off blocks a prompt even where the definition fails open. The first design
    /// calls it malformed, which follows the definition there.
    pub cut_off_blocks_prompt: bool,
    /// Whether MCP events test `MCP:<tool>` beside the tool's own name. Cursor lists no matcher for these events, so
    /// that neither reading may narrow a guard.
    pub mcp_prefix_matches: bool,
    /// Whether every payload carries `session_id` (seen with 3.14.7) and shell inputs carry `working_directory` (hooks
    /// page, preToolUse example) beside what the first design writes.
    pub observed_stdin_keys: bool,
    /// How much is told about a document.
    pub reports: Reports,
}

impl Options {
    /// The host of the first design: twelve events fired, six bound and inert, no prompt handlers, version 1 only, loop
    /// cap 8, timeouts 30/60/5, Rust's regular expressions.
    #[must_use]
    pub const fn phase1() -> Self {
        Self {
            fires: Fires::Phase1,
            prompt_handlers: false,
            version: VersionRule::OnlyOne,
            loop_cap: Some(8),
            timeouts: DefaultTimeouts::OfTheTable,
            regex: RegexLanguage::Rust,
            followup_needs_completed: false,
            output_for_mcp_only: false,
            cut_off_blocks_prompt: false,
            mcp_prefix_matches: false,
            observed_stdin_keys: false,
            reports: Reports::Named,
        }
    }

    /// The first design's rules on a host that fires everything.
    #[must_use]
    pub const fn seed() -> Self {
        Self { fires: Fires::Everything, loop_cap: None, regex: RegexLanguage::JavaScript, ..Self::phase1() }
    }

    /// Cursor as documented now. The default of 60 seconds was seen with a client of 2026; Cursor's page calls it the
    /// platform's default.
    #[must_use]
    pub const fn vendor() -> Self {
        Self {
            fires: Fires::Everything,
            prompt_handlers: true,
            version: VersionRule::AnyPositive,
            loop_cap: None,
            timeouts: DefaultTimeouts::Same(60.0),
            regex: RegexLanguage::JavaScript,
            followup_needs_completed: true,
            output_for_mcp_only: true,
            cut_off_blocks_prompt: true,
            mcp_prefix_matches: true,
            observed_stdin_keys: true,
            reports: Reports::Named,
        }
    }

    /// Whether the host fires an event.
    #[must_use]
    pub const fn fires(&self, event: &Event) -> bool {
        match self.fires {
            Fires::Everything => true,
            Fires::Phase1 => event.fires_in_phase1,
        }
    }

    /// Seconds a hook of an event gets when nothing else is said.
    #[must_use]
    pub fn default_timeout_s(&self, event: &Event) -> f64 {
        match self.timeouts {
            DefaultTimeouts::OfTheTable => event.facts.default_timeout_s.unwrap_or(60.0),
            DefaultTimeouts::Same(seconds) => seconds,
        }
    }
}

/// Cursor as documented now.
impl Default for Options {
    fn default() -> Self {
        Self::vendor()
    }
}
