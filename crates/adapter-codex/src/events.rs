//! The event table: every fact about Codex's events, once. Everything else reads it.
//!
//! Section numbers in evidence are those of the vendor page; `observed` facts were measured on client 0.171.0 and, where
//! a version says so, on 0.142.0.

use hooks_core::boundary::{Boundary, Facet, Scope};
use hooks_core::channel::{Channel, Channels};
use hooks_core::evidence::{Basis, Evidence, Since};
use hooks_core::facts::{
    AskRule, Control, Cost, EmptyRule, EventFacts, Exit2, FailureRule, FieldKind, OutputField, PlainStdout,
    SubjectFact, Values,
};
use hooks_core::policy::MergePolicy;
use hooks_core::{Dialect, VendorId, Version};

use crate::merge;

/// The vendor's name in this workspace.
pub const VENDOR: VendorId = VendorId::from_static("codex");

/// The newest client whose behaviour was recorded.
pub const LATEST: Version = Version::new(0, 171, 0);

/// Which event a row is about: for picking event-specific code, never for looking up a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `PreModelRequest`
    PreModelRequest,
    /// `PostModelRequest`
    PostModelRequest,
    /// `PreToolUse`
    PreToolUse,
    /// `PermissionRequest`
    PermissionRequest,
    /// `PostToolUse`
    PostToolUse,
    /// `PreCompact`
    PreCompact,
    /// `PostCompact`
    PostCompact,
    /// `SessionStart`
    SessionStart,
    /// `SessionEnd`
    SessionEnd,
    /// `UserPromptSubmit`
    UserPromptSubmit,
    /// `SubagentStart`
    SubagentStart,
    /// `SubagentStop`
    SubagentStop,
    /// `Stop`
    Stop,
    /// `Interrupt`
    Interrupt,
}

/// How the event reads what a hook prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Standard output, as section 11.1 says.
    Stdout,
    /// Nothing: exit code 0 is enough.
    Nothing,
    /// Nothing, but standard error of a completed run stands in its report.
    StderrForTheReport,
}

/// What the error entry of a run says that exited with a failing code (section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorText {
    /// The code.
    Code,
    /// Standard error, and where that is blank the code.
    StandardError,
    /// Standard error; where that is blank there is no entry, of a run that a signal ended neither.
    StandardErrorOrNone,
}

/// What the host does in the hook's place when an evaluation fails and the host wants that to block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The event keeps nothing from happening.
    None,
    /// The pending action is denied.
    Deny,
    /// What the boundary starts is stopped.
    Halt,
}

/// The time limits of an event's handlers, in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// When nothing is written.
    pub default_s: u64,
    /// A smaller one is raised to this.
    pub min_s: u64,
    /// A larger one is lowered to this.
    pub max_s: Option<u64>,
}

/// When a key stands in an event's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Always, with a value.
    Always,
    /// Always; `null` where nothing is known.
    Nullable,
    /// Only inside a subagent.
    InSubagent,
}

/// One key of an event's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputField {
    /// The key.
    pub key: &'static str,
    /// When it stands there.
    pub presence: Presence,
}

/// What becomes of a command with `async` set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsyncRule {
    /// It runs in the background.
    Background,
    /// It runs in the foreground, with a warning.
    Foreground,
    /// It is skipped, with a warning.
    Skipped,
}

/// One row: what everybody must know about an event, and what only Codex has.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// What every vendor's table has.
    pub facts: EventFacts,
    /// Which event it is.
    pub kind: Kind,
    /// The label in trust keys.
    pub snake: &'static str,
    /// The label in run ids.
    pub kebab: &'static str,
    /// Whether the vendor documents it.
    pub documented: bool,
    /// The payload's keys, in the order they are written.
    pub input: &'static [InputField],
    /// What is read of a completed run.
    pub reads: Reads,
    /// What a failing exit code says in the report.
    pub error_text: ErrorText,
    /// Whether texts of a block are shortened like context, at the default limit (section 16).
    pub limits_feedback: bool,
    /// Output fields that must stand wherever the object they belong to stands.
    pub required: &'static [&'static str],
    /// What stands for a failed evaluation that shall block.
    pub guard: Guard,
    /// Time limits.
    pub timeout: TimeLimits,
    /// What `async` means.
    pub asynchronous: Since<AsyncRule>,
    /// Whether tools of tool servers run as handlers.
    pub mcp_tools: bool,
    /// Whether a handler can limit its context.
    pub context_limit: bool,
    /// How several hooks fold.
    pub merge: &'static MergePolicy,
}

/// Facts about the format as a whole that changed between releases.
pub mod changed {
    use super::{Since, Version};

    /// Whether `description` may stand at the root of `hooks.json`. Client 0.142.0 drops the file for it; 0.171.0 takes
    /// it; that 0.144 does follows from section 1.
    pub const DESCRIPTION: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 144, 0), true)]);
    /// Whether the handler type `mcp_tool` is known (section 1; client 0.142.0 drops the file for it).
    pub const MCP_TOOL: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 148, 0), true)]);
    /// Whether `additionalContextLimit` is known (section 1; unknown to client 0.142.0).
    pub const CONTEXT_LIMIT: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 145, 0), true)]);
    /// Whether a forked session says `fork` instead of `startup` (section 1; clients 0.142.0 and 0.171.0).
    pub const FORK: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 155, 0), true)]);
    /// Whether a hook that does not take its input fails (section 10; clients 0.142.0 and 0.171.0). It still did in
    /// 0.145 and no longer in the source that became 0.150.
    pub const UNREAD_INPUT_FAILS: Since<bool> = Since(&[(Version::FIRST, true), (Version::new(0, 150, 0), false)]);
    /// Whether hooks get the environment that the session began with (section 1).
    pub const SESSION_ENVIRONMENT: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 149, 0), true)]);
    /// Whether a trust record of the wrong type is a fault of the user's whole file (section 3.2, observed on 0.171.0), and
    /// not of the record alone, as in the source that became 0.150 (section 6). When it changed is not known.
    pub const USER_FILE_IS_CHECKED: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 151, 0), true)]);
    /// Whether a plugin's hook runs only when its record holds a hash of the plugin's contents too (section 6, observed on
    /// 0.171.0). When that came is not known.
    pub const PLUGIN_CONTENTS: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 171, 0), true)]);
    /// Whether hooks of managed requirements that cannot be loaded keep the session from starting (sections 1 and 5).
    pub const REQUIREMENTS_REFUSE: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(0, 148, 0), true)]);
}

const OBSERVED: Evidence = Evidence::new(Basis::Observed, "client 0.171.0; project notes, sections 2, 8, 11, 14");
const OBSERVED_ONLY: Evidence =
    Evidence::new(Basis::Observed, "client 0.171.0, undocumented; project notes, sections 2, 11.3, 14");

/// The client with the first design's ten events; nothing is known to have been different before.
const TEN: Version = Version::FIRST;

const ASYNC: Since<AsyncRule> =
    Since(&[(Version::FIRST, AsyncRule::Skipped), (Version::new(0, 148, 0), AsyncRule::Background)]);
const ASYNC_IN_FOREGROUND: Since<AsyncRule> =
    Since(&[(Version::FIRST, AsyncRule::Skipped), (Version::new(0, 148, 0), AsyncRule::Foreground)]);

const USUAL: TimeLimits = TimeLimits { default_s: 600, min_s: 1, max_s: None };
const SHORT: TimeLimits = TimeLimits { default_s: 1, min_s: 1, max_s: Some(3) };

/// The names an answer may give as `hookEventName`, whatever the event: all but three (section 11.1, observed).
const ELEVEN: FieldKind = FieldKind::Word(&[
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PreCompact",
    "PostCompact",
    "SessionStart",
    "UserPromptSubmit",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "Interrupt",
]);

/// Paths of output fields, so that the table and the parsers cannot differ in spelling.
pub mod field {
    /// `continue`
    pub const CONTINUE: &str = "continue";
    /// `stopReason`
    pub const STOP_REASON: &str = "stopReason";
    /// `suppressOutput`
    pub const SUPPRESS_OUTPUT: &str = "suppressOutput";
    /// `systemMessage`
    pub const SYSTEM_MESSAGE: &str = "systemMessage";
    /// `decision`
    pub const DECISION: &str = "decision";
    /// `reason`
    pub const REASON: &str = "reason";
    /// The object that holds what only some events have.
    pub const SPECIFIC: &str = "hookSpecificOutput";
    /// `hookEventName` in it.
    pub const NAME: &str = "hookSpecificOutput.hookEventName";
    /// `additionalContext` in it.
    pub const CONTEXT: &str = "hookSpecificOutput.additionalContext";
    /// `permissionDecision` in it.
    pub const PERMISSION: &str = "hookSpecificOutput.permissionDecision";
    /// `permissionDecisionReason` in it.
    pub const PERMISSION_REASON: &str = "hookSpecificOutput.permissionDecisionReason";
    /// `updatedInput` in it.
    pub const UPDATED_INPUT: &str = "hookSpecificOutput.updatedInput";
    /// `updatedMCPToolOutput` in it.
    pub const UPDATED_OUTPUT: &str = "hookSpecificOutput.updatedMCPToolOutput";
    /// The answer to a permission request.
    pub const ANSWER: &str = "hookSpecificOutput.decision";
    /// `behavior` in that.
    pub const BEHAVIOR: &str = "hookSpecificOutput.decision.behavior";
    /// `message` in that.
    pub const MESSAGE: &str = "hookSpecificOutput.decision.message";
    /// `updatedInput` in that.
    pub const ANSWER_INPUT: &str = "hookSpecificOutput.decision.updatedInput";
    /// `updatedPermissions` in that.
    pub const ANSWER_PERMISSIONS: &str = "hookSpecificOutput.decision.updatedPermissions";
    /// `interrupt` in that.
    pub const INTERRUPT: &str = "hookSpecificOutput.decision.interrupt";
}

use field::{
    ANSWER, ANSWER_INPUT, ANSWER_PERMISSIONS, BEHAVIOR, CONTEXT, CONTINUE, DECISION, INTERRUPT, MESSAGE, NAME,
    PERMISSION, PERMISSION_REASON, REASON, SPECIFIC, STOP_REASON, SUPPRESS_OUTPUT, SYSTEM_MESSAGE, UPDATED_INPUT,
    UPDATED_OUTPUT,
};

const fn has(path: &'static str, kind: FieldKind, channel: Channel) -> OutputField {
    OutputField::new(path, kind, Some(channel))
}

const fn idle(path: &'static str, kind: FieldKind) -> OutputField {
    OutputField::new(path, kind, None)
}

const HALTS: OutputField = has(CONTINUE, FieldKind::Bool, Channel::Halt);
const HALT_REASON: OutputField = has(STOP_REASON, FieldKind::String, Channel::Halt);
const IDLE_CONTINUE: OutputField = idle(CONTINUE, FieldKind::Bool);
const IDLE_STOP_REASON: OutputField = idle(STOP_REASON, FieldKind::String);
const IDLE_SUPPRESS: OutputField = idle(SUPPRESS_OUTPUT, FieldKind::Bool);
const NOTICE: OutputField = has(SYSTEM_MESSAGE, FieldKind::String, Channel::UserNotice);
const SPECIFIC_OBJECT: OutputField = idle(SPECIFIC, FieldKind::Object);
const SPECIFIC_NAME: OutputField = idle(NAME, ELEVEN);
const CONTEXT_TEXT: OutputField = has(CONTEXT, FieldKind::String, Channel::ModelContext);

const NEEDS_NAME: &[&str] = &[NAME];

const fn key(key: &'static str) -> InputField {
    InputField { key, presence: Presence::Always }
}

const fn nullable(key: &'static str) -> InputField {
    InputField { key, presence: Presence::Nullable }
}

const fn in_subagent(key: &'static str) -> InputField {
    InputField { key, presence: Presence::InSubagent }
}

const fn seconds(limits: TimeLimits) -> Option<f64> {
    Some(limits.default_s as f64)
}

/// What most rows share; each row names what is different, so that a reader sees one event's rules in one place.
const BASE: EventFacts = EventFacts {
    name: "",
    boundary: None,
    facet: Facet::Any,
    scope: Scope::Turn,
    subject: SubjectFact::Ignored,
    channels: Channels::NONE,
    control: Control::Observe,
    malformed: FailureRule::Proceed,
    empty: EmptyRule::NoOpinion,
    exit_2: Exit2::Failure,
    plain_stdout: PlainStdout::Ignored,
    ask: AskRule::None,
    output: &[],
    default_timeout_s: seconds(USUAL),
    since: TEN,
    evidence: OBSERVED,
};

const AGENT_TYPE: SubjectFact = SubjectFact::Field { key: "agent_type", values: &[] };
const TRIGGER: SubjectFact = SubjectFact::Field { key: "trigger", values: &["manual", "auto"] };

const MODEL_REQUEST_INPUT: [InputField; 12] = [
    key("kind"),
    key("request_id"),
    key("attempt_number"),
    key("session_id"),
    key("thread_id"),
    key("turn_id"),
    key("cwd"),
    nullable("transcript_path"),
    key("model"),
    in_subagent("agent_id"),
    in_subagent("agent_type"),
    key("hook_event_name"),
];

const COMPACT_INPUT: &[InputField] = &[
    key("session_id"),
    key("turn_id"),
    in_subagent("agent_id"),
    in_subagent("agent_type"),
    nullable("transcript_path"),
    key("cwd"),
    key("hook_event_name"),
    key("model"),
    key("trigger"),
];

const STOP_OUTPUT: &[OutputField] = &[
    HALTS,
    HALT_REASON,
    IDLE_SUPPRESS,
    NOTICE,
    has(DECISION, FieldKind::Word(&["block"]), Channel::Continuation),
    has(REASON, FieldKind::String, Channel::Continuation),
];

const COMPACT_OUTPUT: &[OutputField] = &[HALTS, HALT_REASON, IDLE_SUPPRESS, NOTICE];

/// A field with values that the parser knows and the event does not support: the run fails (section 11.2).
const fn fails(field: OutputField, when: Values) -> OutputField {
    field.refuse(when, Cost::Run)
}

const NO_HALT: OutputField = fails(HALTS, Values::False);
const NO_HALT_REASON: OutputField = fails(HALT_REASON, Values::Present);
const NO_SUPPRESS: OutputField = fails(has(SUPPRESS_OUTPUT, FieldKind::Bool, Channel::UserNotice), Values::True);

/// Every event, in Codex's fixed order (section 2): the order in which events of one document are listed and numbered.
pub static EVENTS: [Event; 14] = [
    Event {
        facts: EventFacts {
            name: "PreModelRequest",
            boundary: Some(Boundary::ModelRequestBefore),
            since: Version::new(0, 166, 0),
            evidence: OBSERVED_ONLY,
            ..BASE
        },
        kind: Kind::PreModelRequest,
        snake: "pre_model_request",
        kebab: "pre-model-request",
        documented: false,
        input: &MODEL_REQUEST_INPUT,
        reads: Reads::StderrForTheReport,
        error_text: ErrorText::StandardErrorOrNone,
        limits_feedback: false,
        required: &[],
        guard: Guard::None,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "PostModelRequest",
            boundary: Some(Boundary::ModelRequestAfter),
            since: Version::new(0, 166, 0),
            evidence: OBSERVED_ONLY,
            ..BASE
        },
        kind: Kind::PostModelRequest,
        snake: "post_model_request",
        kebab: "post-model-request",
        documented: false,
        input: &{
            let [a, b, c, d, e, f, g, h, i, j, k, l] = MODEL_REQUEST_INPUT;
            let [m, n] = [key("status"), nullable("error")];
            [a, b, c, d, e, f, g, h, i, j, k, l, m, n, nullable("token_usage"), nullable("response_id")]
        },
        reads: Reads::StderrForTheReport,
        error_text: ErrorText::StandardErrorOrNone,
        limits_feedback: false,
        required: &[],
        guard: Guard::None,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "PreToolUse",
            boundary: Some(Boundary::ToolBefore),
            facet: Facet::Tool,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[
                Channel::Verdict,
                Channel::UserNotice,
                Channel::ModelContext,
                Channel::ReplacementInput,
            ]),
            control: Control::Permission { noun: "tool call" },
            exit_2: Exit2::Deny,
            ask: AskRule::Failure,
            output: &[
                NO_HALT,
                NO_HALT_REASON,
                NO_SUPPRESS,
                NOTICE,
                fails(has(DECISION, FieldKind::Word(&["approve", "block"]), Channel::Verdict), Values::Word("approve")),
                has(REASON, FieldKind::String, Channel::Verdict),
                SPECIFIC_OBJECT,
                SPECIFIC_NAME,
                fails(
                    has(PERMISSION, FieldKind::Word(&["allow", "deny", "ask"]), Channel::Verdict),
                    Values::Word("ask"),
                ),
                has(PERMISSION_REASON, FieldKind::String, Channel::Verdict),
                has(UPDATED_INPUT, FieldKind::Any, Channel::ReplacementInput),
                CONTEXT_TEXT,
            ],
            ..BASE
        },
        kind: Kind::PreToolUse,
        snake: "pre_tool_use",
        kebab: "pre-tool-use",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            in_subagent("agent_id"),
            in_subagent("agent_type"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("tool_name"),
            key("tool_input"),
            key("tool_use_id"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: false,
        required: NEEDS_NAME,
        guard: Guard::Deny,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: true,
        merge: &merge::PRE_TOOL_USE,
    },
    Event {
        facts: EventFacts {
            name: "PermissionRequest",
            boundary: Some(Boundary::PermissionRequest),
            facet: Facet::Tool,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[Channel::Verdict, Channel::UserNotice]),
            control: Control::Permission { noun: "permission" },
            exit_2: Exit2::Deny,
            output: &[
                NO_HALT,
                NO_HALT_REASON,
                NO_SUPPRESS,
                NOTICE,
                SPECIFIC_OBJECT,
                SPECIFIC_NAME,
                has(ANSWER, FieldKind::Object, Channel::Verdict),
                has(BEHAVIOR, FieldKind::Word(&["allow", "deny"]), Channel::Verdict),
                has(MESSAGE, FieldKind::String, Channel::Verdict),
                fails(has(ANSWER_INPUT, FieldKind::Any, Channel::ReplacementInput), Values::Present),
                fails(has(ANSWER_PERMISSIONS, FieldKind::Any, Channel::PermissionUpdate), Values::Present),
                fails(has(INTERRUPT, FieldKind::Bool, Channel::Special), Values::True),
            ],
            ..BASE
        },
        kind: Kind::PermissionRequest,
        snake: "permission_request",
        kebab: "permission-request",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            in_subagent("agent_id"),
            in_subagent("agent_type"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("tool_name"),
            key("tool_input"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: false,
        required: &[NAME, BEHAVIOR],
        guard: Guard::Deny,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "PostToolUse",
            boundary: Some(Boundary::ToolResult),
            facet: Facet::Tool,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::ReplacementResult]),
            exit_2: Exit2::Feedback,
            output: &[
                has(CONTINUE, FieldKind::Bool, Channel::ReplacementResult),
                has(STOP_REASON, FieldKind::String, Channel::ReplacementResult),
                NO_SUPPRESS,
                NOTICE,
                has(DECISION, FieldKind::Word(&["block"]), Channel::ReplacementResult),
                has(REASON, FieldKind::String, Channel::ReplacementResult),
                SPECIFIC_OBJECT,
                SPECIFIC_NAME,
                CONTEXT_TEXT,
                fails(has(UPDATED_OUTPUT, FieldKind::Any, Channel::ReplacementResult), Values::Present),
            ],
            ..BASE
        },
        kind: Kind::PostToolUse,
        snake: "post_tool_use",
        kebab: "post-tool-use",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            in_subagent("agent_id"),
            in_subagent("agent_type"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("tool_name"),
            key("tool_input"),
            key("tool_response"),
            key("tool_use_id"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: true,
        required: NEEDS_NAME,
        guard: Guard::None,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: true,
        merge: &merge::POST_TOOL_USE,
    },
    Event {
        facts: EventFacts {
            name: "PreCompact",
            boundary: Some(Boundary::CompactBefore),
            subject: TRIGGER,
            channels: Channels::of(&[Channel::UserNotice, Channel::Halt]),
            control: Control::Halt,
            output: COMPACT_OUTPUT,
            ..BASE
        },
        kind: Kind::PreCompact,
        snake: "pre_compact",
        kebab: "pre-compact",
        documented: true,
        input: COMPACT_INPUT,
        reads: Reads::Stdout,
        error_text: ErrorText::StandardError,
        limits_feedback: false,
        required: &[],
        guard: Guard::Halt,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "PostCompact",
            boundary: Some(Boundary::CompactAfter),
            subject: TRIGGER,
            channels: Channels::of(&[Channel::UserNotice, Channel::Halt]),
            control: Control::Halt,
            output: COMPACT_OUTPUT,
            ..BASE
        },
        kind: Kind::PostCompact,
        snake: "post_compact",
        kebab: "post-compact",
        documented: true,
        input: COMPACT_INPUT,
        reads: Reads::Stdout,
        error_text: ErrorText::StandardError,
        limits_feedback: false,
        required: &[],
        guard: Guard::None,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "SessionStart",
            boundary: Some(Boundary::SessionStart),
            scope: Scope::Session,
            subject: SubjectFact::Field { key: "source", values: &["startup", "resume", "clear", "compact", "fork"] },
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Halt]),
            control: Control::Halt,
            plain_stdout: PlainStdout::Context,
            output: &[HALTS, HALT_REASON, IDLE_SUPPRESS, NOTICE, SPECIFIC_OBJECT, SPECIFIC_NAME, CONTEXT_TEXT],
            ..BASE
        },
        kind: Kind::SessionStart,
        snake: "session_start",
        kebab: "session-start",
        documented: true,
        input: &[
            key("session_id"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("source"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: false,
        required: NEEDS_NAME,
        guard: Guard::Halt,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: true,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "SessionEnd",
            boundary: Some(Boundary::SessionEnd),
            scope: Scope::Session,
            subject: SubjectFact::Word("other"),
            default_timeout_s: seconds(SHORT),
            since: Version::new(0, 145, 0),
            ..BASE
        },
        kind: Kind::SessionEnd,
        snake: "session_end",
        kebab: "session-end",
        documented: true,
        input: &[key("session_id"), nullable("transcript_path"), key("cwd"), key("hook_event_name"), key("reason")],
        reads: Reads::Nothing,
        error_text: ErrorText::StandardError,
        limits_feedback: false,
        required: &[],
        guard: Guard::None,
        timeout: SHORT,
        asynchronous: ASYNC_IN_FOREGROUND,
        mcp_tools: false,
        context_limit: false,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "UserPromptSubmit",
            boundary: Some(Boundary::PromptSubmit),
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Halt]),
            control: Control::Halt,
            exit_2: Exit2::Halt,
            plain_stdout: PlainStdout::Context,
            output: &[
                HALTS,
                HALT_REASON,
                IDLE_SUPPRESS,
                NOTICE,
                has(DECISION, FieldKind::Word(&["block"]), Channel::Halt),
                has(REASON, FieldKind::String, Channel::Halt),
                SPECIFIC_OBJECT,
                SPECIFIC_NAME,
                CONTEXT_TEXT,
            ],
            ..BASE
        },
        kind: Kind::UserPromptSubmit,
        snake: "user_prompt_submit",
        kebab: "user-prompt-submit",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            in_subagent("agent_id"),
            in_subagent("agent_type"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("prompt"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: false,
        required: NEEDS_NAME,
        guard: Guard::Halt,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: true,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "SubagentStart",
            boundary: Some(Boundary::SubagentStart),
            scope: Scope::Session,
            subject: AGENT_TYPE,
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext]),
            plain_stdout: PlainStdout::Context,
            output: &[
                IDLE_CONTINUE,
                IDLE_STOP_REASON,
                IDLE_SUPPRESS,
                NOTICE,
                SPECIFIC_OBJECT,
                SPECIFIC_NAME,
                CONTEXT_TEXT,
            ],
            ..BASE
        },
        kind: Kind::SubagentStart,
        snake: "subagent_start",
        kebab: "subagent-start",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("agent_id"),
            key("agent_type"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: false,
        required: NEEDS_NAME,
        guard: Guard::None,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: true,
        merge: &merge::PLAIN,
    },
    Event {
        facts: EventFacts {
            name: "SubagentStop",
            boundary: Some(Boundary::SubagentStop),
            subject: AGENT_TYPE,
            channels: Channels::of(&[Channel::UserNotice, Channel::Halt, Channel::Continuation]),
            control: Control::Continuation,
            exit_2: Exit2::Continue,
            plain_stdout: PlainStdout::Failure,
            output: STOP_OUTPUT,
            ..BASE
        },
        kind: Kind::SubagentStop,
        snake: "subagent_stop",
        kebab: "subagent-stop",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            nullable("transcript_path"),
            nullable("agent_transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("stop_hook_active"),
            key("agent_id"),
            key("agent_type"),
            nullable("last_assistant_message"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: true,
        required: &[],
        guard: Guard::None,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::STOP,
    },
    Event {
        facts: EventFacts {
            name: "Stop",
            boundary: Some(Boundary::TurnStop),
            channels: Channels::of(&[Channel::UserNotice, Channel::Halt, Channel::Continuation]),
            control: Control::Continuation,
            exit_2: Exit2::Continue,
            plain_stdout: PlainStdout::Failure,
            output: STOP_OUTPUT,
            ..BASE
        },
        kind: Kind::Stop,
        snake: "stop",
        kebab: "stop",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
            key("stop_hook_active"),
            nullable("last_assistant_message"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: true,
        required: &[],
        guard: Guard::None,
        timeout: USUAL,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::STOP,
    },
    Event {
        facts: EventFacts {
            name: "Interrupt",
            boundary: Some(Boundary::TurnInterrupt),
            channels: Channels::of(&[Channel::UserNotice]),
            plain_stdout: PlainStdout::Failure,
            output: &[NOTICE],
            default_timeout_s: seconds(SHORT),
            since: Version::new(0, 150, 0),
            ..BASE
        },
        kind: Kind::Interrupt,
        snake: "interrupt",
        kebab: "interrupt",
        documented: true,
        input: &[
            key("session_id"),
            key("turn_id"),
            nullable("transcript_path"),
            key("cwd"),
            key("hook_event_name"),
            key("model"),
            key("permission_mode"),
        ],
        reads: Reads::Stdout,
        error_text: ErrorText::Code,
        limits_feedback: false,
        required: &[],
        guard: Guard::None,
        timeout: SHORT,
        asynchronous: ASYNC,
        mcp_tools: true,
        context_limit: false,
        merge: &merge::PLAIN,
    },
];

/// The events a version has, as facts, in the table's order. `N` must be their number.
const fn facts_at<const N: usize>(version: Version) -> [&'static EventFacts; N] {
    let mut facts = [&FIRST.facts; N];
    let mut rest: &'static [Event] = &EVENTS;
    let mut at = 0;
    while let [event, others @ ..] = rest {
        if not_after(event.facts.since, version) {
            assert!(at < N);
            #[allow(clippy::indexing_slicing)] // checked above, at compile time
            {
                facts[at] = &event.facts;
            }
            at += 1;
        }
        rest = others;
    }
    assert!(at == N);
    facts
}

const FIRST: &Event = {
    let [first, ..] = &EVENTS;
    first
};

const fn not_after(a: Version, b: Version) -> bool {
    if a.major != b.major {
        return a.major < b.major;
    }
    if a.minor != b.minor {
        return a.minor < b.minor;
    }
    a.patch <= b.patch
}

static FACTS: [&EventFacts; 14] = facts_at(LATEST);
static FACTS_0_150: [&EventFacts; 12] = facts_at(Version::new(0, 150, 0));
static FACTS_0_145: [&EventFacts; 11] = facts_at(Version::new(0, 145, 0));
static FACTS_TEN: [&EventFacts; 10] = facts_at(TEN);

/// The events of a version, in the table's order.
pub(crate) fn facts(version: Version) -> &'static [&'static EventFacts] {
    let editions: [&'static [&'static EventFacts]; 4] = [&FACTS, &FACTS_0_150, &FACTS_0_145, &FACTS_TEN];
    editions.into_iter().find(|edition| edition.iter().all(|event| event.since <= version)).unwrap_or(&FACTS_TEN)
}

/// The row of an event, by its exact name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Event> {
    EVENTS.iter().find(|event| event.facts.name == name)
}

/// Codex's own dialect.
pub static DIALECT: Dialect<Event> =
    Dialect { name: "codex", vendor: VENDOR, latest: LATEST, events: &EVENTS, facts: &FACTS };
