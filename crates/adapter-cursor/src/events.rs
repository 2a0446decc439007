//! The event table: every fact about Cursor's 21 events, in the order in which Cursor's page lists them by category.
//!
//! That order is also the order in which bindings are declared. Policies for malformed and empty answers and the
//! meaning of exit code 2 follow from what an event controls, so they are computed, not typed.

use hooks_core::boundary::Scope;
use hooks_core::evidence::{Basis, Evidence};
use hooks_core::facts::{
    AskRule, Control, Cost, EmptyRule, EventFacts, Exit2, FailureRule, FieldKind, OutputField, PlainStdout,
    SubjectFact, Values,
};
use hooks_core::{Boundary, Channel, Channels, Dialect, Facet, VendorId, Version};

/// One row of the table: the facts every vendor has, and Cursor's own columns.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The facts that every dialect has.
    pub facts: EventFacts,
    /// When it happens, in a sentence or two (hooks page, hook reference).
    pub about: &'static str,
    /// Which list of Cursor's page it stands in.
    pub category: Category,
    /// Whether the host of the first design fires it (first design, events). What has a boundary and is not fired is
    /// bound and matches nothing there.
    pub fires_in_phase1: bool,
    /// What becomes of `user_message` when nothing is denied or stopped (first design, output table).
    pub user_message: UserMessage,
    /// The fields in Claude's shape that are read on this event; empty where none are (third-party hooks page,
    /// answers).
    pub claude_shape: &'static [OutputField],
    /// Whether `loop_limit` has a meaning (hooks page, options).
    pub loop_limit: bool,
    /// Whether cloud agents fire it (hooks page, cloud agents).
    pub cloud: bool,
}

/// Which list of Cursor's page an event stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The agent's hooks.
    Agent,
    /// The hooks of inline completion (Tab).
    Tab,
    /// The application's hooks.
    App,
}

/// What becomes of `user_message` when nothing is denied or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserMessage {
    /// The person sees it.
    Notice,
    /// It is shown with a denial only; otherwise it is dropped.
    DenyOnly,
    /// It is accepted and ignored.
    Ignored,
    /// The event has no such field.
    Undocumented,
}

/// Seconds before an operation, afterwards, and at the end of a session (first design, timeouts).
const BEFORE_S: f64 = 30.0;
const AFTER_S: f64 = 60.0;
const SESSION_END_S: f64 = 5.0;

/// What an answer that cannot be read means: it denies on the permission hooks, whatever `failClosed` says (hooks page
/// of September 2026, exit codes; first design, output table).
#[must_use]
pub const fn malformed(control: Control) -> FailureRule {
    match control {
        Control::Permission { .. } => FailureRule::Block,
        _ => FailureRule::FollowPolicy,
    }
}

/// What no answer means: a missing decision where a decision is wanted (first design, output table).
#[must_use]
pub const fn empty(control: Control) -> EmptyRule {
    match control {
        Control::Permission { .. } | Control::Halt => EmptyRule::MissingDecision,
        _ => EmptyRule::NoOpinion,
    }
}

/// What exit code 2 means (hooks page, exit codes; first design, decoding).
#[must_use]
pub const fn exit_2(control: Control) -> Exit2 {
    match control {
        Control::Permission { .. } => Exit2::Deny,
        Control::Halt => Exit2::Halt,
        _ => Exit2::Failure,
    }
}

const fn field(path: &'static str, kind: FieldKind, channel: Channel) -> OutputField {
    OutputField::new(path, kind, Some(channel))
}

const ALLOW_DENY_ASK: FieldKind = FieldKind::Word(&["allow", "deny", "ask"]);
const ALLOW_DENY: FieldKind = FieldKind::Word(&["allow", "deny"]);
const USER_MESSAGE: OutputField = field("user_message", FieldKind::String, Channel::UserNotice);
const AGENT_MESSAGE: OutputField = field("agent_message", FieldKind::String, Channel::Verdict);
const CONTEXT: OutputField = field("additional_context", FieldKind::String, Channel::ModelContext);
const FOLLOWUP: OutputField = field("followup_message", FieldKind::String, Channel::Continuation);
const ASKING: &[OutputField] = &[field("permission", ALLOW_DENY_ASK, Channel::Verdict), USER_MESSAGE, AGENT_MESSAGE];

/// Claude's answer before a tool (third-party hooks page, answers).
const CLAUDE_PERMISSION: &[OutputField] = &[
    field("hookSpecificOutput.permissionDecision", ALLOW_DENY_ASK, Channel::Verdict),
    field("hookSpecificOutput.permissionDecisionReason", FieldKind::String, Channel::UserNotice),
    field("hookSpecificOutput.updatedInput", FieldKind::Object, Channel::ReplacementInput),
];
/// Claude's answer when a turn stops (third-party hooks page, answers).
const CLAUDE_BLOCK: &[OutputField] = &[
    field("decision", FieldKind::String, Channel::Continuation),
    field("reason", FieldKind::String, Channel::Continuation),
    field("hookSpecificOutput.decision", FieldKind::String, Channel::Continuation),
    field("hookSpecificOutput.reason", FieldKind::String, Channel::Continuation),
];

const fn elsewhere(path: &'static str, kind: FieldKind, channel: Channel, when: Values) -> OutputField {
    field(path, kind, channel).refuse(when, Cost::Action)
}

/// Fields that control something on some event, with what each asks for there. On an event that does not document one it
/// is never applied; a value that asks for something is reported, and denies what is pending (first design, decoding and
/// first amendment).
pub static ELSEWHERE: [OutputField; 7] = [
    elsewhere("permission", ALLOW_DENY_ASK, Channel::Verdict, Values::But("allow")),
    elsewhere("hookSpecificOutput", FieldKind::Object, Channel::Verdict, Values::Present),
    elsewhere("updated_input", FieldKind::Object, Channel::ReplacementInput, Values::Present),
    elsewhere("updated_mcp_tool_output", FieldKind::Object, Channel::ReplacementResult, Values::Present),
    elsewhere("continue", FieldKind::Bool, Channel::Halt, Values::False),
    elsewhere("followup_message", FieldKind::String, Channel::Continuation, Values::But("")),
    elsewhere("decision", FieldKind::String, Channel::Continuation, Values::Word("block")),
];

const NOTHING: Channels = Channels::NONE;
const GATE: Channels = Channels::of(&[Channel::Verdict, Channel::UserNotice]);

/// Subagent types that the hooks page names; the list is open.
const SUBAGENT_TYPES: &[&str] = &["generalPurpose", "explore", "shell"];

/// What is typed for a row; the rest is computed.
struct Spec {
    name: &'static str,
    about: &'static str,
    boundary: Option<Boundary>,
    facet: Facet,
    scope: Scope,
    subject: SubjectFact,
    channels: Channels,
    control: Control,
    ask: AskRule,
    output: &'static [OutputField],
    timeout_s: Option<f64>,
    since: Version,
    evidence: Evidence,
    category: Category,
    phase1: bool,
    user_message: UserMessage,
    claude_shape: &'static [OutputField],
    loop_limit: bool,
    cloud: bool,
}

const V1_7: Version = Version::new(1, 7, 0);
const V2_0: Version = Version::new(2, 0, 0);
const V2_4: Version = Version::new(2, 4, 0);
/// `workspaceOpen` is on the page of August 2026 and not on that of spring 2026; 3.14 is the client of that month.
const V3_14: Version = Version::new(3, 14, 0);

const fn seed(source: &'static str) -> Evidence {
    Evidence::new(Basis::Seed, source)
}

/// Where an observer starts from.
const OBSERVER: Spec = Spec {
    name: "",
    about: "",
    boundary: None,
    facet: Facet::Any,
    scope: Scope::Action,
    subject: SubjectFact::Ignored,
    channels: NOTHING,
    control: Control::Observe,
    ask: AskRule::None,
    output: &[],
    timeout_s: Some(AFTER_S),
    since: V2_0,
    evidence: seed("first design, events and output table; hooks page, hook reference"),
    category: Category::Agent,
    phase1: true,
    user_message: UserMessage::Undocumented,
    claude_shape: &[],
    loop_limit: false,
    cloud: true,
};

const fn row(spec: Spec) -> Event {
    Event {
        facts: EventFacts {
            name: spec.name,
            boundary: spec.boundary,
            facet: spec.facet,
            scope: spec.scope,
            subject: spec.subject,
            channels: spec.channels,
            control: spec.control,
            malformed: malformed(spec.control),
            empty: empty(spec.control),
            exit_2: exit_2(spec.control),
            plain_stdout: PlainStdout::Malformed,
            ask: spec.ask,
            output: spec.output,
            default_timeout_s: spec.timeout_s,
            since: spec.since,
            evidence: spec.evidence,
        },
        about: spec.about,
        category: spec.category,
        fires_in_phase1: spec.phase1,
        user_message: spec.user_message,
        claude_shape: spec.claude_shape,
        loop_limit: spec.loop_limit,
        cloud: spec.cloud,
    }
}

/// How many events Cursor has.
pub const COUNT: usize = 21;

/// The table.
pub static EVENTS: [Event; COUNT] = [
    row(Spec {
        name: "sessionStart",
        about: "A conversation with the agent is created. Cursor does not wait for the hook.",
        boundary: Some(Boundary::SessionStart),
        scope: Scope::Session,
        channels: Channels::of(&[Channel::SessionEnv, Channel::ModelContext]),
        output: &[
            field("env", FieldKind::Object, Channel::SessionEnv),
            CONTEXT,
            OutputField::new("continue", FieldKind::Bool, None),
            OutputField::new("user_message", FieldKind::String, None),
        ],
        since: V2_4,
        user_message: UserMessage::Ignored,
        cloud: false,
        ..OBSERVER
    }),
    row(Spec {
        name: "sessionEnd",
        about: "A conversation with the agent ends. Cursor does not wait for the hook.",
        boundary: Some(Boundary::SessionEnd),
        scope: Scope::Session,
        timeout_s: Some(SESSION_END_S),
        since: V2_4,
        phase1: false,
        cloud: false,
        ..OBSERVER
    }),
    row(Spec {
        name: "preToolUse",
        about: "The agent is about to use a tool, whichever it is.",
        boundary: Some(Boundary::ToolBefore),
        facet: Facet::Tool,
        subject: SubjectFact::ToolName,
        channels: Channels::of(&[Channel::Verdict, Channel::UserNotice, Channel::ReplacementInput]),
        control: Control::Permission { noun: "tool call" },
        ask: AskRule::NoOpinionUnlessStrict,
        output: &[
            field("permission", ALLOW_DENY_ASK, Channel::Verdict),
            USER_MESSAGE,
            AGENT_MESSAGE,
            field("updated_input", FieldKind::Object, Channel::ReplacementInput),
        ],
        timeout_s: Some(BEFORE_S),
        since: V2_4,
        user_message: UserMessage::DenyOnly,
        claude_shape: CLAUDE_PERMISSION,
        ..OBSERVER
    }),
    row(Spec {
        name: "postToolUse",
        about: "A tool returned a result.",
        boundary: Some(Boundary::ToolResult),
        facet: Facet::Tool,
        subject: SubjectFact::ToolName,
        channels: Channels::of(&[Channel::ReplacementResult, Channel::ModelContext]),
        output: &[field("updated_mcp_tool_output", FieldKind::Object, Channel::ReplacementResult), CONTEXT],
        since: V2_4,
        ..OBSERVER
    }),
    row(Spec {
        name: "postToolUseFailure",
        about: "A tool failed, took too long or was denied.",
        boundary: Some(Boundary::ToolFailure),
        facet: Facet::Tool,
        subject: SubjectFact::ToolName,
        channels: Channels::of(&[Channel::ModelContext]),
        output: &[CONTEXT],
        since: V2_4,
        ..OBSERVER
    }),
    row(Spec {
        name: "subagentStart",
        about: "A subagent is about to be started.",
        boundary: Some(Boundary::SubagentStart),
        scope: Scope::Subagent,
        subject: SubjectFact::Field { key: "subagent_type", values: SUBAGENT_TYPES },
        channels: GATE,
        control: Control::Permission { noun: "subagent" },
        ask: AskRule::Deny,
        output: &[field("permission", ALLOW_DENY, Channel::Verdict), USER_MESSAGE],
        timeout_s: Some(BEFORE_S),
        since: V2_4,
        phase1: false,
        user_message: UserMessage::DenyOnly,
        ..OBSERVER
    }),
    row(Spec {
        name: "subagentStop",
        about: "A subagent completed, failed or was aborted.",
        boundary: Some(Boundary::SubagentStop),
        scope: Scope::Subagent,
        subject: SubjectFact::Field { key: "subagent_type", values: SUBAGENT_TYPES },
        channels: Channels::of(&[Channel::Continuation]),
        control: Control::Continuation,
        output: &[FOLLOWUP],
        since: V2_4,
        phase1: false,
        claude_shape: CLAUDE_BLOCK,
        loop_limit: true,
        ..OBSERVER
    }),
    row(Spec {
        name: "beforeShellExecution",
        about: "The agent is about to run a shell command.",
        boundary: Some(Boundary::ToolBefore),
        facet: Facet::Shell,
        subject: SubjectFact::Command,
        channels: GATE,
        control: Control::Permission { noun: "shell command" },
        ask: AskRule::Honoured,
        output: ASKING,
        timeout_s: Some(BEFORE_S),
        since: V1_7,
        user_message: UserMessage::Notice,
        ..OBSERVER
    }),
    row(Spec {
        name: "afterShellExecution",
        about: "A shell command ran.",
        boundary: Some(Boundary::ToolResult),
        facet: Facet::Shell,
        subject: SubjectFact::Command,
        ..OBSERVER
    }),
    row(Spec {
        name: "beforeMCPExecution",
        about: "The agent is about to use a tool of an MCP server.",
        boundary: Some(Boundary::ToolBefore),
        facet: Facet::Mcp,
        subject: SubjectFact::Field { key: "tool_name", values: &[] },
        channels: GATE,
        control: Control::Permission { noun: "MCP tool call" },
        ask: AskRule::Honoured,
        output: ASKING,
        timeout_s: Some(BEFORE_S),
        since: V1_7,
        user_message: UserMessage::Notice,
        cloud: false,
        ..OBSERVER
    }),
    row(Spec {
        name: "afterMCPExecution",
        about: "A tool of an MCP server returned.",
        boundary: Some(Boundary::ToolResult),
        facet: Facet::Mcp,
        subject: SubjectFact::Field { key: "tool_name", values: &[] },
        cloud: false,
        ..OBSERVER
    }),
    row(Spec {
        name: "beforeReadFile",
        about: "The agent is about to read a file.",
        boundary: Some(Boundary::ToolBefore),
        facet: Facet::FileRead,
        subject: SubjectFact::Word("Read"),
        channels: GATE,
        control: Control::Permission { noun: "file read" },
        ask: AskRule::Malformed,
        output: &[field("permission", ALLOW_DENY, Channel::Verdict), USER_MESSAGE],
        timeout_s: Some(BEFORE_S),
        since: V1_7,
        phase1: false,
        user_message: UserMessage::DenyOnly,
        ..OBSERVER
    }),
    row(Spec {
        name: "afterFileEdit",
        about: "The agent edited a file.",
        boundary: Some(Boundary::ToolResult),
        facet: Facet::FileEdit,
        subject: SubjectFact::Word("Write"),
        since: V1_7,
        phase1: false,
        ..OBSERVER
    }),
    row(Spec {
        name: "beforeSubmitPrompt",
        about: "A person sent a prompt, and the request is not made yet.",
        boundary: Some(Boundary::PromptSubmit),
        scope: Scope::Turn,
        subject: SubjectFact::Word("UserPromptSubmit"),
        channels: Channels::of(&[Channel::Halt, Channel::UserNotice]),
        control: Control::Halt,
        output: &[field("continue", FieldKind::Bool, Channel::Halt), USER_MESSAGE],
        timeout_s: Some(BEFORE_S),
        since: V1_7,
        user_message: UserMessage::Notice,
        ..OBSERVER
    }),
    row(Spec {
        name: "preCompact",
        about: "The context is about to be summarised. A hook only observes it.",
        boundary: Some(Boundary::CompactBefore),
        scope: Scope::Turn,
        channels: Channels::of(&[Channel::UserNotice]),
        output: &[USER_MESSAGE],
        since: V2_4,
        phase1: false,
        user_message: UserMessage::Notice,
        ..OBSERVER
    }),
    row(Spec {
        name: "stop",
        about: "The agent's turn is over.",
        boundary: Some(Boundary::TurnStop),
        scope: Scope::Turn,
        subject: SubjectFact::Word("Stop"),
        channels: Channels::of(&[Channel::Continuation]),
        control: Control::Continuation,
        output: &[FOLLOWUP],
        since: V1_7,
        claude_shape: CLAUDE_BLOCK,
        loop_limit: true,
        ..OBSERVER
    }),
    row(Spec {
        name: "afterAgentResponse",
        about: "A message of the agent is complete.",
        boundary: Some(Boundary::AgentResponse),
        scope: Scope::Turn,
        subject: SubjectFact::Word("AgentResponse"),
        ..OBSERVER
    }),
    row(Spec {
        name: "afterAgentThought",
        about: "A piece of the agent's thinking is complete.",
        boundary: Some(Boundary::AgentThought),
        scope: Scope::Turn,
        subject: SubjectFact::Word("AgentThought"),
        ..OBSERVER
    }),
    row(Spec {
        name: "beforeTabFileRead",
        about: "Tab, the inline completion, is about to read a file.",
        facet: Facet::FileRead,
        subject: SubjectFact::Word("TabRead"),
        channels: GATE,
        control: Control::Permission { noun: "file read" },
        ask: AskRule::Malformed,
        output: &[field("permission", ALLOW_DENY, Channel::Verdict)],
        timeout_s: None,
        category: Category::Tab,
        phase1: false,
        cloud: false,
        ..OBSERVER
    }),
    row(Spec {
        name: "afterTabFileEdit",
        about: "Tab, the inline completion, edited a file.",
        facet: Facet::FileEdit,
        subject: SubjectFact::Word("TabWrite"),
        timeout_s: None,
        category: Category::Tab,
        phase1: false,
        cloud: false,
        ..OBSERVER
    }),
    row(Spec {
        name: "workspaceOpen",
        about: "A workspace opens, or its folders change. A workspace without folders has no such moment.",
        scope: Scope::Session,
        channels: Channels::of(&[Channel::Special]),
        output: &[field("pluginPaths", FieldKind::Array, Channel::Special)],
        timeout_s: None,
        since: V3_14,
        evidence: Evidence::new(
            Basis::Documented,
            "hooks page of August 2026, workspaceOpen; no boundary in the first design",
        ),
        category: Category::App,
        phase1: false,
        cloud: false,
        ..OBSERVER
    }),
];

/// The facts of the rows, in the same order.
static FACTS: [&EventFacts; COUNT] = facts(&EVENTS);

const fn facts(rows: &'static [Event; COUNT]) -> [&'static EventFacts; COUNT] {
    let [first, ..] = rows;
    let mut facts = [&first.facts; COUNT];
    let mut to: &mut [&'static EventFacts] = &mut facts;
    let mut from: &'static [Event] = rows;
    while let ([place, places @ ..], [event, events @ ..]) = (to, from) {
        *place = &event.facts;
        to = places;
        from = events;
    }
    facts
}

/// Cursor's name as a vendor.
pub const VENDOR: VendorId = VendorId::from_static("cursor");

/// Cursor's dialect. The newest client that anything here was seen with is 3.20 (September 2026).
pub static DIALECT: Dialect<Event> =
    Dialect { name: "cursor", vendor: VENDOR, latest: Version::new(3, 20, 0), events: &EVENTS, facts: &FACTS };

impl Event {
    /// Whether a hook of this event can keep something from happening.
    #[must_use]
    pub const fn can_block(&self) -> bool {
        matches!(self.facts.control, Control::Permission { .. } | Control::Halt)
    }

    /// The word for what a hook of this event can keep from happening.
    #[must_use]
    pub const fn noun(&self) -> &'static str {
        match self.facts.control {
            Control::Permission { noun } => noun,
            Control::Halt => "prompt",
            _ => "agent",
        }
    }

    /// The documented field of an answer with this path.
    #[must_use]
    pub fn output_field(&self, path: &str) -> Option<&'static OutputField> {
        self.facts.output.iter().find(|field| field.path == path)
    }

    /// Whether a top-level key of an answer has a documented meaning here, in Cursor's shape or in Claude's.
    #[must_use]
    pub fn documents(&self, key: &str) -> bool {
        let named = |field: &OutputField| field.path.split('.').next() == Some(key);
        self.facts.output.iter().any(named) || self.claude_shape.iter().any(named)
    }
}
