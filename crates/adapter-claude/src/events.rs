//! The event table: every fact about the 34 events of Claude Code, each stated once.
//!
//! Code, documents and schemas read this table. Unless a row says otherwise its facts are those of client 2.1.332:
//! what that client was observed to do where it was tried, the vendor's hooks page where it was not. Facts that changed
//! between clients are [`Since`] lists.

use hooks_core::boundary::{Boundary, Facet, Scope, Stop};
use hooks_core::channel::{Channel, Channels};
use hooks_core::effects::PromptFate;
use hooks_core::evidence::{Basis, Evidence, Since};
use hooks_core::facts::{
    AskRule, Control, Cost, EmptyRule, EventFacts, Exit2, FailureRule, FieldKind, OutputField, PlainStdout,
    SubjectFact, Values,
};
use hooks_core::handler::HandlerKind;
use hooks_core::outcome::SessionFile;
use hooks_core::vendor::Version;

use crate::locations::{FOLDER_VARIABLES, KEPT_VARIABLES};

/// The newest client whose behaviour is recorded.
pub const LATEST: Version = Version::new(2, 1, 332);

/// The oldest client whose behaviour is recorded.
pub const OLDEST: Version = Version::new(2, 1, 197);

/// Since when a top-level `decision: "block"` counts although the nested part names another event. Observed on 2.1.197
/// (the whole answer is void) and 2.1.332 (it blocks); the version in between that changed it is unknown.
pub const WRONG_NAME_KEEPS_BLOCK: Since<bool> = Since(&[(Version::FIRST, false), (LATEST, true)]);

/// Since when the top-level `reason` serves a nested decision. Observed on 2.1.197 and 2.1.332, as above.
pub const TOP_REASON_COUNTS: Since<bool> = Since(&[(Version::FIRST, false), (LATEST, true)]);

/// Since when `continue: false` beside a deny still ends the turn. Observed on 2.1.197 and 2.1.332, as above.
pub const STOP_BESIDE_DENY: Since<bool> = Since(&[(Version::FIRST, false), (LATEST, true)]);

/// Since when a later allow leaves an earlier rewrite alone. Observed on 2.1.197 and 2.1.332, as above.
pub const ALLOW_KEEPS_REWRITE: Since<bool> = Since(&[(Version::FIRST, false), (LATEST, true)]);

/// Since when a faulty entry outside the guard events costs only itself. Observed on 2.1.197 and 2.1.332, as above.
pub const FAULTS_STAY_LOCAL: Since<bool> = Since(&[(Version::FIRST, false), (LATEST, true)]);

/// Since when output in braces that is no JSON is a failure and not plain text (vendor's hooks page; observed on both
/// sides).
pub const BROKEN_IS_FAILURE: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 248), true)]);

/// Since when exit code 2 beside unreadable JSON blocks (changelog 2.1.214; observed on 2.1.332).
pub const EXIT_2_BESIDE_BROKEN: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 214), true)]);

/// Since when a guard whose matching or input fails blocks its call (release notes of 2.1.288, secondary source).
pub const GUARDS_BLOCK_UNRUN: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 288), true)]);

/// Since when handlers know `onFailure` (hooks page, 2.1.295).
pub const ON_FAILURE: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 295), true)]);

/// Since when a comma separates the names of an exact list (changelog 2.1.191).
pub const COMMA_LISTS: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 191), true)]);

/// Since when a hyphen may stand in an exact list (changelog 2.1.195).
pub const HYPHEN_NAMES: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 195), true)]);

/// Since when the tool events carry `mcp_server` (SDK types, 2.1.274; absent on 2.1.197).
pub const MCP_SERVER_KEY: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 274), true)]);

/// Since when the event of a permission request is fired although there is no terminal. Observed on 2.1.197 (it is not)
/// and 2.1.332. What a host fires is its own affair; this is for those that want to fire as the client does.
pub const PERMISSION_WITHOUT_TERMINAL: Since<bool> = Since(&[(Version::FIRST, false), (LATEST, true)]);

/// Since when a session's start carries figures about the resumed conversation (SDK types, 2.1.251; absent on 2.1.197).
pub const RESUME_FIGURES: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 251), true)]);

/// Since when the input can name a folder for scratch files (hooks page, 2.1.257).
pub const SCRATCHPAD_KEY: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 257), true)]);

/// Since when a plugin option's placeholder is refused in a shell text (changelog 2.1.207).
pub const OPTION_NEEDS_ARGS: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 207), true)]);

/// Since when a refusal by a prompt handler ends the turn before a tool (changelog 2.1.210).
pub const PROMPT_DENY_ENDS_TURN: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 210), true)]);

/// Since when `Edit(src/**)` in `if` means the folder `src` of the working directory alone (changelog 2.1.214); before,
/// one of that name at any depth.
pub const FOLDERS_ARE_ANCHORED: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 214), true)]);

/// Since when `classifierContext` is known (hooks page, 2.1.236).
pub const CLASSIFIER_CONTEXT: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 236), true)]);

/// Since when tools of tool servers know `onFailure` (release notes of 2.1.328, secondary source).
pub const TOOL_ON_FAILURE: Since<bool> = Since(&[(Version::FIRST, false), (Version::new(2, 1, 328), true)]);

/// Seconds that a prompt handler gets (hooks page, section on timeouts).
pub const PROMPT_TIMEOUT_S: f64 = 30.0;

/// Seconds that an agent handler gets (hooks page, section on timeouts).
pub const AGENT_TIMEOUT_S: f64 = 60.0;

/// How often stop hooks may make a turn go on in a row (cases `ev-Stop-cap-*`: the ninth block is overridden).
pub const STOP_CAP: u32 = 8;

/// Characters of one context, notice or plain text that pass whole, and those of the preview that stays of a longer one
/// (hooks page; case `b-size`: 10,000 pass, 10,001 do not).
pub const TEXT_CAP: u64 = 10_000;

/// Characters that stay in place of a text above [`TEXT_CAP`].
pub const PREVIEW: u64 = 2_000;

/// The text of a block without a reason (observed on 2.1.332).
pub const NO_REASON: &str = "Blocked by hook";

/// The text of a refused permission without a message (observed on 2.1.332).
pub const NO_MESSAGE: &str = "Permission denied by hook";

/// What stands in place of an empty standard error of exit code 2 (observed on 2.1.332).
pub const NO_STDERR: &str = "No stderr output";

/// The handler types that an event runs, by the vendor's table (hooks page, "which event runs which type").
pub const ALL_TYPES: &[HandlerKind] =
    &[HandlerKind::Command, HandlerKind::Http, HandlerKind::McpTool, HandlerKind::Prompt, HandlerKind::Agent];
const PROGRAMS: &[HandlerKind] = &[HandlerKind::Command, HandlerKind::Http, HandlerKind::McpTool];
const BUT_AGENT: &[HandlerKind] = &[HandlerKind::Command, HandlerKind::Http, HandlerKind::McpTool, HandlerKind::Prompt];

/// What `decision: "block"` (and, where it blocks, exit code 2) comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// The action is denied, or what only this vendor has is refused.
    Deny,
    /// What the boundary starts is stopped; the fate of the prompt where there is one.
    Halt(&'static [Stop], Option<PromptFate>),
    /// The turn, the subagent or the teammate goes on.
    Continue,
    /// The model gets the text beside what happened.
    Feedback,
    /// Nothing.
    Nothing,
}

/// What `continue: false` comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRule {
    /// It stops these.
    Stops(&'static [Stop]),
    /// Nothing, or nothing that a payload tells from the occurrences in which it does.
    NoEffect,
}

/// Where `systemMessage` goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeRule {
    /// To the person. Also where nobody knows: a text shown once too often harms nobody.
    User,
    /// To the model, when the directory was added by a typed command.
    Model,
    /// Nowhere.
    Dropped,
}

/// What `onFailure: "block"` comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// The failure counts as exit code 2.
    AsExit2,
    /// The request is denied, though exit code 2 is not honoured.
    Denies,
    /// The vendor ignores it here although the event can block.
    Ignored,
    /// There is nothing to block.
    NoEffect,
}

/// What `ok: false` of a prompt or agent handler comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The same as a block.
    Blocks,
    /// A deny; without `continueOnBlock` the turn ends too.
    DeniesAndEnds,
    /// Without `continueOnBlock` it stops these; with it, a block.
    EndsOrBlocks(&'static [Stop]),
    /// It stops these either way.
    Ends(&'static [Stop]),
    /// Nothing.
    Nothing,
}

/// Which characters keep a matcher an exact list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Letters, digits, `_`, `-`, blanks, and `,` and `|`, which separate.
    Wide,
    /// Letters, digits, `_`, and `|`, which separates.
    Narrow,
}

/// One event: the facts that every vendor's events have, and the columns that only this vendor has.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// What everybody must know.
    pub facts: EventFacts,
    /// When the client fires it, in a sentence.
    pub fires: &'static str,
    /// Boundaries beside its own on which the client fires it for some occurrences.
    pub also_on: &'static [Boundary],
    /// Whether a faulty entry drops the whole file (cases `cfg-*`).
    pub guard: bool,
    /// Whether `if` is evaluated; where it is not, a handler with `if` never runs.
    pub conditions: bool,
    /// Which matchers are exact lists.
    pub charset: Charset,
    /// What a block comes to.
    pub block: Block,
    /// What `continue: false` comes to.
    pub stop: StopRule,
    /// Where `systemMessage` goes.
    pub notice: NoticeRule,
    /// What `onFailure: "block"` comes to.
    pub on_failure: OnFailure,
    /// What `ok: false` comes to.
    pub refusal: Refusal,
    /// Whether running out of time blocks, whatever the handler says.
    pub timeout_blocks: bool,
    /// Whether exit code 2 with nothing on standard output and word of a missing script is a failure: always, for a
    /// plugin's hooks, or never.
    pub missing_script: MissingScript,
    /// Whether `hookSpecificOutput` may name this event.
    pub nested: bool,
    /// Keys that `hookSpecificOutput` must have beside `hookEventName`.
    pub required: &'static [&'static str],
    /// The handler types it runs.
    pub handlers: &'static [HandlerKind],
    /// Whether no source says what becomes of the other types.
    pub other_types_untried: bool,
    /// The file that hooks may write variables for later shell commands to; its variable is `CLAUDE_ENV_FILE`.
    pub env_file: Option<&'static SessionFile>,
    /// Whether the older `decision: "approve"` allows; elsewhere it has no meaning.
    pub approves: bool,
    /// What becomes of text that a tool server's tool answers with.
    pub tool_text: ToolText,
    /// The longest time limit that a settings file may ask for, in seconds, where all handlers share one; a plugin
    /// may not ask for more than the default.
    pub longest_s: Option<f64>,
    /// Whether the input has `permission_mode`.
    pub permission_mode: bool,
    /// Whether the input can have `effort`.
    pub effort: bool,
}

/// What becomes of text that a tool server's tool answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolText {
    /// The same as of a command's.
    LikeStdout,
    /// It goes nowhere. The page says it is read like a command's; observed on 2.1.332, a placeholder reached the model.
    Dropped,
    /// It has a meaning here, so that it is no failure for `onFailure` either.
    Answers,
}

/// Where exit code 2 of an interpreter that did not find its script is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingScript {
    /// Nowhere: it blocks.
    Blocks,
    /// In plugins' hooks.
    FailsInPlugins,
    /// Everywhere.
    Fails,
}

impl Event {
    /// Whether it can keep something from happening.
    #[must_use]
    pub const fn can_block(&self) -> bool {
        matches!(self.block, Block::Deny | Block::Halt(..) | Block::Continue)
            || matches!(self.on_failure, OnFailure::Denies)
    }

    /// Whether it is fired for an occurrence of a boundary, if only for some.
    #[must_use]
    pub fn is_on(&self, boundary: Boundary) -> bool {
        self.facts.boundary == Some(boundary) || self.also_on.contains(&boundary)
    }

    /// Seconds that a handler of a type gets when nothing is said.
    #[must_use]
    pub fn timeout_s(&self, kind: HandlerKind) -> f64 {
        match kind {
            HandlerKind::Prompt => PROMPT_TIMEOUT_S,
            HandlerKind::Agent => AGENT_TIMEOUT_S,
            _ => self.facts.default_timeout_s.unwrap_or(600.0),
        }
    }

    /// Whether a client has it.
    #[must_use]
    pub fn exists_at(&self, version: Version) -> bool {
        self.facts.since <= version
    }
}

/// The row of a name, in the vendor's exact spelling.
#[must_use]
pub fn find(name: &str) -> Option<&'static Event> {
    EVENTS.iter().find(|event| event.facts.name == name)
}

/// The path in an answer below which an event's own fields stand.
pub const NESTED: &str = "hookSpecificOutput";

/// What the client was seen to do, which agrees with the page or outranks it.
macro_rules! observed {
    ($event:literal) => {
        Evidence::new(Basis::Observed, concat!("client 2.1.332; hooks page, ", $event))
    };
}

/// What the page says; the client was not seen doing more than taking the event.
macro_rules! documented {
    ($event:literal) => {
        Evidence::new(Basis::Documented, concat!("hooks page, ", $event))
    };
}

/// The fields of an answer: those that every event has (with the channel they feed here), then the nested ones.
macro_rules! answer {
    // An event without fields of its own cannot be named in the nested part (observed on 2.1.332). Beside a block the
    // part can name another event, see [`WRONG_NAME_KEEPS_BLOCK`].
    (stop $stop:expr, notice $notice:expr, block $block:expr) => {
        &answer!(@top $stop, $notice, $block, NESTED_PART.refuse(Values::Present, Cost::Answer))
    };
    (stop $stop:expr, notice $notice:expr, block $block:expr,
     $($path:literal: $kind:expr => $channel:expr $(; $when:expr, $cost:expr)?),* $(,)?) => {
        &answer!(@top $stop, $notice, $block,
            NESTED_PART,
            OutputField::new("hookSpecificOutput.hookEventName", FieldKind::String, None),
            $(OutputField::new(concat!("hookSpecificOutput.", $path), $kind, $channel)$(.refuse($when, $cost))?,)*)
    };
    (@top $stop:expr, $notice:expr, $block:expr $(, $more:expr)* $(,)?) => {
        [
            OutputField::new("continue", FieldKind::Bool, $stop),
            OutputField::new("stopReason", FieldKind::String, $stop),
            OutputField::new("suppressOutput", FieldKind::Bool, None),
            OutputField::new("systemMessage", FieldKind::String, $notice),
            OutputField::new("terminalSequence", FieldKind::String, Some(Channel::Special)),
            OutputField::new("decision", FieldKind::Word(&["approve", "block"]), $block),
            OutputField::new("reason", FieldKind::String, $block),
            $($more,)*
        ]
    };
}

const NESTED_PART: OutputField = OutputField::new(NESTED, FieldKind::Object, None);

const HALT: Option<Channel> = Some(Channel::Halt);
const NOTICE: Option<Channel> = Some(Channel::UserNotice);
const CONTEXT: Option<Channel> = Some(Channel::ModelContext);
const VERDICT: Option<Channel> = Some(Channel::Verdict);
const CONTINUE: Option<Channel> = Some(Channel::Continuation);
const INPUT: Option<Channel> = Some(Channel::ReplacementInput);
const RESULT: Option<Channel> = Some(Channel::ReplacementResult);
const SPECIAL: Option<Channel> = Some(Channel::Special);
const NONE: Option<Channel> = None;

const DECISIONS: FieldKind = FieldKind::Word(&["allow", "deny", "ask", "defer"]);

const TURN: &[Stop] = &[Stop::Turn];
const SUBAGENT: &[Stop] = &[Stop::Subagent];
const PROMPT: &[Stop] = &[Stop::Prompt];

/// What most rows have: an observer that can neither block nor be refused.
const ROW: Event = Event {
    facts: EventFacts {
        name: "",
        boundary: None,
        facet: Facet::Any,
        scope: Scope::Session,
        subject: SubjectFact::Ignored,
        channels: Channels::of(&[Channel::Special]),
        control: Control::Observe,
        malformed: FailureRule::Proceed,
        empty: EmptyRule::NoOpinion,
        exit_2: Exit2::Ignored,
        plain_stdout: PlainStdout::Ignored,
        ask: AskRule::None,
        output: answer!(stop NONE, notice NONE, block NONE),
        default_timeout_s: Some(600.0),
        since: Version::FIRST,
        evidence: Evidence::new(Basis::Inferred, "what most events have"),
    },
    fires: "",
    also_on: &[],
    guard: false,
    conditions: false,
    charset: Charset::Wide,
    block: Block::Nothing,
    stop: StopRule::NoEffect,
    notice: NoticeRule::Dropped,
    on_failure: OnFailure::NoEffect,
    refusal: Refusal::Nothing,
    timeout_blocks: false,
    missing_script: MissingScript::Blocks,
    nested: false,
    required: &[],
    handlers: PROGRAMS,
    other_types_untried: false,
    env_file: None,
    approves: false,
    tool_text: ToolText::LikeStdout,
    longest_s: None,
    permission_mode: false,
    effort: false,
};

const MODES: &[&str] = &["manual", "auto"];
const AGENT_TYPES: &[&str] = &["general-purpose", "Explore", "Plan"];

const fn field(key: &'static str, values: &'static [&'static str]) -> SubjectFact {
    SubjectFact::Field { key, values }
}

/// The rows, in the order of the client's own list.
pub static EVENTS: [Event; 34] = [
    Event {
        facts: EventFacts {
            name: "PreToolUse",
            boundary: Some(Boundary::ToolBefore),
            facet: Facet::Tool,
            scope: Scope::Action,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[
                Channel::Verdict,
                Channel::UserNotice,
                Channel::ModelContext,
                Channel::ReplacementInput,
                Channel::Halt,
                Channel::Special,
            ]),
            control: Control::Permission { noun: "tool call" },
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Deny,
            ask: AskRule::Honoured,
            output: answer!(stop HALT, notice NOTICE, block VERDICT,
                "permissionDecision": DECISIONS => VERDICT,
                "permissionDecisionReason": FieldKind::String => VERDICT,
                "updatedInput": FieldKind::Object => INPUT,
                "additionalContext": FieldKind::String => CONTEXT,
            ),
            since: Version::new(1, 0, 38),
            evidence: observed!("PreToolUse"),
            ..ROW.facts
        },
        fires: "Before a tool call of the model runs, once its input is valid.",
        guard: true,
        conditions: true,
        block: Block::Deny,
        stop: StopRule::Stops(TURN),
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        refusal: Refusal::DeniesAndEnds,
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        effort: true,
        approves: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "PostToolUse",
            boundary: Some(Boundary::ToolResult),
            facet: Facet::Tool,
            scope: Scope::Action,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[
                Channel::UserNotice,
                Channel::ModelContext,
                Channel::ReplacementResult,
                Channel::Halt,
                Channel::Special,
            ]),
            control: Control::Halt,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Feedback,
            output: answer!(stop HALT, notice NOTICE, block CONTEXT,
                "additionalContext": FieldKind::String => CONTEXT,
                "classifierContext": FieldKind::String => SPECIAL,
                "updatedToolOutput": FieldKind::Any => RESULT,
                "updatedMCPToolOutput": FieldKind::Any => RESULT,
            ),
            since: Version::new(1, 0, 38),
            evidence: observed!("PostToolUse"),
            ..ROW.facts
        },
        fires: "After a tool call succeeded.",
        conditions: true,
        block: Block::Feedback,
        stop: StopRule::Stops(TURN),
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        refusal: Refusal::EndsOrBlocks(TURN),
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        effort: true,
        ..ROW
    },
    Event {
        // The first version is not recorded; it is in 2.1.197. A shell command that returned with a code above zero, and
        // an answer that a tool server calls an error, are failures to the client (recorded payloads).
        also_on: &[Boundary::ToolResult],
        facts: EventFacts {
            name: "PostToolUseFailure",
            boundary: Some(Boundary::ToolFailure),
            facet: Facet::Tool,
            scope: Scope::Action,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Special]),
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Feedback,
            output: answer!(stop NONE, notice NOTICE, block CONTEXT,
                "additionalContext": FieldKind::String => CONTEXT,
            ),
            evidence: observed!("PostToolUseFailure"),
            ..ROW.facts
        },
        fires: "After a tool call that had started failed; not for calls that were denied or cancelled.",
        conditions: true,
        block: Block::Feedback,
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        refusal: Refusal::Blocks,
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        effort: true,
        ..ROW
    },
    Event {
        // The first version is not recorded; it is in 2.1.197.
        facts: EventFacts {
            name: "PostToolBatch",
            boundary: Some(Boundary::ToolBatch),
            scope: Scope::Turn,
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Halt, Channel::Special]),
            control: Control::Halt,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Halt,
            output: answer!(stop HALT, notice NOTICE, block HALT,
                "additionalContext": FieldKind::String => CONTEXT,
            ),
            evidence: observed!("PostToolBatch"),
            ..ROW.facts
        },
        fires: "Once all calls of one message of the model are done, before the next request.",
        block: Block::Halt(TURN, None),
        stop: StopRule::Stops(TURN),
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        refusal: Refusal::Ends(TURN),
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        effort: true,
        ..ROW
    },
    Event {
        // The first version is not recorded. The nested context is accepted and goes nowhere.
        facts: EventFacts {
            name: "Notification",
            boundary: Some(Boundary::Notification),
            subject: field(
                "notification_type",
                &[
                    "permission_prompt",
                    "idle_prompt",
                    "auth_success",
                    "elicitation_dialog",
                    "elicitation_url_dialog",
                    "elicitation_complete",
                    "elicitation_response",
                    "agent_needs_input",
                    "agent_completed",
                    "quota_auto_resume_fired",
                    "quota_auto_resume_stale",
                    "quota_auto_resume_disabled",
                ],
            ),
            output: answer!(stop NONE, notice NONE, block NONE,
                "additionalContext": FieldKind::String => NONE,
            ),
            evidence: documented!("Notification"),
            ..ROW.facts
        },
        fires: "When the client notifies the user.",
        nested: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "UserPromptSubmit",
            boundary: Some(Boundary::PromptSubmit),
            scope: Scope::Turn,
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Halt, Channel::Special]),
            control: Control::Halt,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Halt,
            plain_stdout: PlainStdout::Context,
            output: answer!(stop HALT, notice NOTICE, block HALT,
                "additionalContext": FieldKind::String => CONTEXT,
                "sessionTitle": FieldKind::String => SPECIAL,
                "suppressOriginalPrompt": FieldKind::Bool => SPECIAL,
            ),
            default_timeout_s: Some(30.0),
            since: Version::new(1, 0, 54),
            evidence: observed!("UserPromptSubmit"),
            ..ROW.facts
        },
        fires: "When a prompt is submitted, before the model sees it; also for reports of background agents.",
        block: Block::Halt(PROMPT, Some(PromptFate::Erase)),
        stop: StopRule::Stops(PROMPT),
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        refusal: Refusal::Blocks,
        missing_script: MissingScript::FailsInPlugins,
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        tool_text: ToolText::Dropped,
        ..ROW
    },
    Event {
        // The first version is not recorded; it is in 2.1.197.
        facts: EventFacts {
            name: "UserPromptExpansion",
            boundary: Some(Boundary::PromptExpansion),
            scope: Scope::Turn,
            subject: field("command_name", &[]),
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Halt, Channel::Special]),
            control: Control::Halt,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Halt,
            plain_stdout: PlainStdout::Context,
            output: answer!(stop HALT, notice NOTICE, block HALT,
                "additionalContext": FieldKind::String => CONTEXT,
                "suppressOriginalPrompt": FieldKind::Bool => SPECIAL,
            ),
            evidence: observed!("UserPromptExpansion"),
            ..ROW.facts
        },
        fires: "When a typed command (a skill, a custom command or a tool server's prompt) expands into a prompt.",
        block: Block::Halt(PROMPT, Some(PromptFate::Erase)),
        stop: StopRule::Stops(PROMPT),
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        refusal: Refusal::Blocks,
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "SessionStart",
            boundary: Some(Boundary::SessionStart),
            subject: field("source", &["startup", "resume", "clear", "compact", "fork"]),
            channels: Channels::of(&[
                Channel::UserNotice,
                Channel::ModelContext,
                Channel::SessionEnv,
                Channel::Special,
            ]),
            exit_2: Exit2::ShownToUser,
            plain_stdout: PlainStdout::Context,
            output: answer!(stop NONE, notice NOTICE, block NONE,
                "additionalContext": FieldKind::String => CONTEXT,
                "initialUserMessage": FieldKind::String => SPECIAL,
                "sessionTitle": FieldKind::String => SPECIAL,
                "watchPaths": FieldKind::Array => SPECIAL,
                "reloadSkills": FieldKind::Bool => SPECIAL,
            ),
            since: Version::new(1, 0, 62),
            evidence: observed!("SessionStart"),
            ..ROW.facts
        },
        fires: "When a session starts, resumes, is cleared, was compacted or was forked.",
        notice: NoticeRule::User,
        nested: true,
        handlers: &[HandlerKind::Command, HandlerKind::McpTool],
        env_file: Some(&KEPT_VARIABLES),
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "SessionEnd",
            boundary: Some(Boundary::SessionEnd),
            subject: field("reason", &["clear", "resume", "logout", "prompt_input_exit", "other"]),
            exit_2: Exit2::ShownToUser,
            default_timeout_s: Some(1.5),
            since: Version::new(1, 0, 85),
            evidence: observed!("SessionEnd"),
            ..ROW.facts
        },
        fires: "When a session ends.",
        longest_s: Some(60.0),
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "Stop",
            boundary: Some(Boundary::TurnStop),
            scope: Scope::Turn,
            channels: Channels::of(&[
                Channel::UserNotice,
                Channel::ModelContext,
                Channel::Halt,
                Channel::Continuation,
                Channel::Special,
            ]),
            control: Control::Continuation,
            exit_2: Exit2::Continue,
            output: answer!(stop HALT, notice NOTICE, block CONTINUE,
                "additionalContext": FieldKind::String => CONTINUE,
            ),
            since: Version::new(1, 0, 38),
            evidence: observed!("Stop"),
            ..ROW.facts
        },
        fires: "When the main agent has finished its answer; not after an interruption.",
        block: Block::Continue,
        stop: StopRule::Stops(TURN),
        notice: NoticeRule::User,
        on_failure: OnFailure::Ignored,
        refusal: Refusal::Blocks,
        missing_script: MissingScript::Fails,
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        effort: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "StopFailure",
            boundary: Some(Boundary::TurnFailure),
            scope: Scope::Turn,
            subject: field(
                "error",
                &[
                    "rate_limit",
                    "overloaded",
                    "authentication_failed",
                    "oauth_org_not_allowed",
                    "account_on_hold",
                    "billing_error",
                    "invalid_request",
                    "model_not_found",
                    "server_error",
                    "max_output_tokens",
                    "cloud_credential_error",
                    "unknown",
                ],
            ),
            since: Version::new(2, 1, 78),
            evidence: observed!("StopFailure"),
            ..ROW.facts
        },
        fires: "In place of `Stop`, when a turn ended in an error of the model's service.",
        charset: Charset::Narrow,
        effort: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "SubagentStart",
            boundary: Some(Boundary::SubagentStart),
            scope: Scope::Subagent,
            subject: field("agent_type", AGENT_TYPES),
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Special]),
            exit_2: Exit2::ShownToUser,
            output: answer!(stop NONE, notice NOTICE, block NONE,
                "additionalContext": FieldKind::String => CONTEXT,
            ),
            since: Version::new(2, 0, 43),
            evidence: observed!("SubagentStart"),
            ..ROW.facts
        },
        fires: "When a subagent starts or resumes.",
        notice: NoticeRule::User,
        nested: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "SubagentStop",
            boundary: Some(Boundary::SubagentStop),
            scope: Scope::Subagent,
            subject: field("agent_type", AGENT_TYPES),
            channels: Channels::of(&[
                Channel::UserNotice,
                Channel::ModelContext,
                Channel::Halt,
                Channel::Continuation,
                Channel::Special,
            ]),
            control: Control::Continuation,
            exit_2: Exit2::Continue,
            output: answer!(stop HALT, notice NOTICE, block CONTINUE,
                "additionalContext": FieldKind::String => CONTINUE,
            ),
            since: Version::new(1, 0, 41),
            evidence: observed!("SubagentStop"),
            ..ROW.facts
        },
        fires: "When a subagent has finished.",
        block: Block::Continue,
        stop: StopRule::Stops(SUBAGENT),
        notice: NoticeRule::User,
        on_failure: OnFailure::Ignored,
        refusal: Refusal::Blocks,
        missing_script: MissingScript::Fails,
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        effort: true,
        ..ROW
    },
    Event {
        // Plain text is added to the instructions of the summary request: what the model gets at this boundary.
        facts: EventFacts {
            name: "PreCompact",
            boundary: Some(Boundary::CompactBefore),
            scope: Scope::Turn,
            subject: field("trigger", MODES),
            channels: Channels::of(&[Channel::ModelContext, Channel::Halt, Channel::Special]),
            control: Control::Halt,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Halt,
            plain_stdout: PlainStdout::Context,
            output: answer!(stop NONE, notice NONE, block HALT),
            since: Version::new(1, 0, 48),
            evidence: observed!("PreCompact"),
            ..ROW.facts
        },
        fires: "Before the conversation is compacted.",
        block: Block::Halt(&[Stop::Compaction], None),
        on_failure: OnFailure::AsExit2,
        tool_text: ToolText::Answers,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "PostCompact",
            boundary: Some(Boundary::CompactAfter),
            scope: Scope::Turn,
            subject: field("trigger", MODES),
            exit_2: Exit2::ShownToUser,
            since: Version::new(2, 1, 76),
            evidence: observed!("PostCompact"),
            ..ROW.facts
        },
        fires: "After the conversation was compacted.",
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "PreModelSwitch",
            boundary: Some(Boundary::ModelSwitchBefore),
            subject: field("to_model", &[]),
            channels: Channels::of(&[Channel::Verdict, Channel::UserNotice, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Refuse,
            ask: AskRule::Honoured,
            output: answer!(stop NONE, notice NOTICE, block VERDICT,
                "permissionDecision": FieldKind::Word(&["allow", "deny", "ask"]) => VERDICT,
                "permissionDecisionReason": FieldKind::String => VERDICT,
            ),
            default_timeout_s: Some(30.0),
            since: Version::new(2, 1, 251),
            evidence: observed!("PreModelSwitch"),
            ..ROW.facts
        },
        fires: "Before a model switch that somebody asked for.",
        block: Block::Deny,
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        timeout_blocks: true,
        nested: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "PostModelSwitch",
            boundary: Some(Boundary::ModelSwitchAfter),
            subject: field("to_model", &[]),
            channels: Channels::of(&[Channel::UserNotice, Channel::ModelContext, Channel::Special]),
            exit_2: Exit2::ShownToUser,
            plain_stdout: PlainStdout::Context,
            output: answer!(stop NONE, notice NOTICE, block NONE,
                "additionalContext": FieldKind::String => CONTEXT,
            ),
            default_timeout_s: Some(30.0),
            since: Version::new(2, 1, 251),
            evidence: documented!("PostModelSwitch"),
            ..ROW.facts
        },
        fires: "After the session's model changed.",
        notice: NoticeRule::User,
        nested: true,
        ..ROW
    },
    Event {
        // Exit code 2, `decision` and `continue` are not honoured (cases `b-PermissionRequest/*`): the nested decision
        // alone answers. On 2.1.197 the event is not fired without a terminal.
        facts: EventFacts {
            name: "PermissionRequest",
            boundary: Some(Boundary::PermissionRequest),
            facet: Facet::Tool,
            scope: Scope::Action,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[
                Channel::Verdict,
                Channel::UserNotice,
                Channel::ReplacementInput,
                Channel::Halt,
                Channel::PermissionUpdate,
                Channel::Special,
            ]),
            control: Control::Permission { noun: "permission request" },
            malformed: FailureRule::FollowPolicy,
            output: answer!(stop NONE, notice NOTICE, block NONE,
                "decision": FieldKind::Object => VERDICT,
                "decision.behavior": FieldKind::Word(&["allow", "deny"]) => VERDICT,
                "decision.message": FieldKind::String => VERDICT,
                "decision.interrupt": FieldKind::Bool => HALT,
                "decision.updatedInput": FieldKind::Object => INPUT,
                "decision.updatedPermissions": FieldKind::Array => Some(Channel::PermissionUpdate),
            ),
            since: Version::new(2, 0, 45),
            evidence: observed!("PermissionRequest"),
            ..ROW.facts
        },
        fires: "When a call needs a permission that no rule gives.",
        guard: true,
        conditions: true,
        notice: NoticeRule::User,
        on_failure: OnFailure::Denies,
        nested: true,
        required: &["decision"],
        handlers: BUT_AGENT,
        permission_mode: true,
        effort: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "PermissionDenied",
            boundary: Some(Boundary::PermissionDenied),
            facet: Facet::Tool,
            scope: Scope::Action,
            subject: SubjectFact::ToolName,
            output: answer!(stop NONE, notice NONE, block NONE,
                "retry": FieldKind::Bool => SPECIAL,
            ),
            since: Version::new(2, 1, 89),
            evidence: documented!("PermissionDenied"),
            ..ROW.facts
        },
        fires: "After auto mode denied a call.",
        conditions: true,
        nested: true,
        handlers: ALL_TYPES,
        permission_mode: true,
        effort: true,
        ..ROW
    },
    Event {
        // All JSON is discarded; a nested context is accepted and goes nowhere (case `ev-Setup-context`).
        facts: EventFacts {
            name: "Setup",
            boundary: Some(Boundary::Setup),
            subject: field("trigger", &["init", "maintenance"]),
            channels: Channels::of(&[Channel::SessionEnv, Channel::Special]),
            output: answer!(stop NONE, notice NONE, block NONE,
                "additionalContext": FieldKind::String => NONE,
            ),
            since: Version::new(2, 1, 10),
            evidence: observed!("Setup"),
            ..ROW.facts
        },
        fires: "When the client is started to prepare or to maintain a project.",
        nested: true,
        handlers: &[HandlerKind::Command],
        env_file: Some(&KEPT_VARIABLES),
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "TeammateIdle",
            boundary: Some(Boundary::TeammateIdle),
            scope: Scope::Subagent,
            channels: Channels::of(&[Channel::UserNotice, Channel::Halt, Channel::Continuation, Channel::Special]),
            control: Control::Continuation,
            exit_2: Exit2::Continue,
            output: answer!(stop HALT, notice NOTICE, block CONTINUE),
            since: Version::new(2, 1, 33),
            evidence: documented!("TeammateIdle"),
            ..ROW.facts
        },
        fires: "When a teammate is about to go idle.",
        block: Block::Continue,
        stop: StopRule::Stops(SUBAGENT),
        notice: NoticeRule::User,
        on_failure: OnFailure::Ignored,
        refusal: Refusal::EndsOrBlocks(SUBAGENT),
        handlers: ALL_TYPES,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "TaskCreated",
            boundary: Some(Boundary::TaskCreated),
            scope: Scope::Turn,
            channels: Channels::of(&[Channel::Verdict, Channel::UserNotice, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Refuse,
            output: answer!(stop NONE, notice NOTICE, block VERDICT),
            since: Version::new(2, 1, 84),
            evidence: observed!("TaskCreated"),
            ..ROW.facts
        },
        fires: "When a task is being created.",
        block: Block::Deny,
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        refusal: Refusal::Blocks,
        handlers: ALL_TYPES,
        ..ROW
    },
    Event {
        // The page lets `continue: false` stop a teammate whose end fired the event. No payload says what fired it:
        // `teammate_name` names whose task it is, also where the teammate's own tool call completed it. So it is reported
        // as without effect, as it was seen to be after a tool call (case `ev-TaskCompleted-continue-false-stop`).
        facts: EventFacts {
            name: "TaskCompleted",
            boundary: Some(Boundary::TaskCompleted),
            scope: Scope::Turn,
            channels: Channels::of(&[Channel::Verdict, Channel::UserNotice, Channel::Special]),
            control: Control::Special,
            exit_2: Exit2::Refuse,
            output: answer!(stop NONE, notice NOTICE, block VERDICT),
            since: Version::new(2, 1, 33),
            evidence: observed!("TaskCompleted"),
            ..ROW.facts
        },
        fires: "When a task is being marked as completed.",
        block: Block::Deny,
        notice: NoticeRule::User,
        on_failure: OnFailure::Ignored,
        refusal: Refusal::Blocks,
        missing_script: MissingScript::Fails,
        handlers: ALL_TYPES,
        ..ROW
    },
    Event {
        // A refusal declines the question; exit code 2 makes the nested answer void.
        facts: EventFacts {
            name: "Elicitation",
            boundary: Some(Boundary::Elicitation),
            scope: Scope::Action,
            subject: field("mcp_server_name", &[]),
            channels: Channels::of(&[Channel::Verdict, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Refuse,
            output: answer!(stop NONE, notice NONE, block VERDICT,
                "action": FieldKind::Word(&["accept", "decline", "cancel"]) => SPECIAL,
                "content": FieldKind::Object => SPECIAL,
            ),
            since: Version::new(2, 1, 76),
            evidence: observed!("Elicitation"),
            ..ROW.facts
        },
        fires: "When a tool server asks the user for input.",
        block: Block::Deny,
        on_failure: OnFailure::AsExit2,
        nested: true,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "ElicitationResult",
            boundary: Some(Boundary::ElicitationResult),
            scope: Scope::Action,
            subject: field("mcp_server_name", &[]),
            channels: Channels::of(&[Channel::Verdict, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Refuse,
            output: answer!(stop NONE, notice NONE, block VERDICT,
                "action": FieldKind::Word(&["accept", "decline", "cancel"]) => SPECIAL,
                "content": FieldKind::Object => SPECIAL,
            ),
            since: Version::new(2, 1, 76),
            evidence: observed!("ElicitationResult"),
            ..ROW.facts
        },
        fires: "When the user has answered a tool server, before the answer is sent.",
        block: Block::Deny,
        on_failure: OnFailure::AsExit2,
        nested: true,
        ..ROW
    },
    Event {
        // A managed file's change cannot be blocked: a block of it is reported as without effect.
        facts: EventFacts {
            name: "ConfigChange",
            boundary: Some(Boundary::ConfigChanged),
            subject: field(
                "source",
                &["user_settings", "project_settings", "local_settings", "policy_settings", "skills"],
            ),
            channels: Channels::of(&[Channel::Verdict, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Refuse,
            output: answer!(stop NONE, notice NONE, block VERDICT),
            since: Version::new(2, 1, 49),
            evidence: observed!("ConfigChange"),
            ..ROW.facts
        },
        fires: "When a file of settings or a skill changed, before the change applies.",
        block: Block::Deny,
        on_failure: OnFailure::AsExit2,
        ..ROW
    },
    Event {
        // A command's last line is the path and no JSON is read from it; any failure, and silence, fails the creation.
        facts: EventFacts {
            name: "WorktreeCreate",
            boundary: Some(Boundary::WorktreeCreate),
            channels: Channels::of(&[Channel::Verdict, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::Block,
            empty: EmptyRule::MissingDecision,
            exit_2: Exit2::Refuse,
            plain_stdout: PlainStdout::Special,
            output: answer!(stop NONE, notice NONE, block NONE,
                "worktreePath": FieldKind::String => SPECIAL,
            ),
            since: Version::new(2, 1, 50),
            evidence: observed!("WorktreeCreate"),
            ..ROW.facts
        },
        fires: "When a worktree is wanted; the hook makes it in the client's place.",
        block: Block::Deny,
        nested: true,
        required: &["worktreePath"],
        tool_text: ToolText::Answers,
        ..ROW
    },
    Event {
        // A failure fails the removal if the directory is still there, which the host knows.
        facts: EventFacts {
            name: "WorktreeRemove",
            boundary: Some(Boundary::WorktreeRemove),
            channels: Channels::of(&[Channel::Verdict, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::Block,
            exit_2: Exit2::Refuse,
            since: Version::new(2, 1, 50),
            evidence: documented!("WorktreeRemove"),
            ..ROW.facts
        },
        fires: "When a worktree that a hook made is to be removed.",
        block: Block::Deny,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "InstructionsLoaded",
            boundary: Some(Boundary::InstructionsLoaded),
            subject: field(
                "load_reason",
                &["session_start", "nested_traversal", "path_glob_match", "include", "compact"],
            ),
            since: Version::new(2, 1, 69),
            evidence: observed!("InstructionsLoaded"),
            ..ROW.facts
        },
        fires: "When an instruction file was loaded.",
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "CwdChanged",
            boundary: Some(Boundary::CwdChanged),
            channels: Channels::of(&[Channel::UserNotice, Channel::SessionEnv, Channel::Special]),
            exit_2: Exit2::ShownToUser,
            output: answer!(stop NONE, notice NOTICE, block NONE,
                "watchPaths": FieldKind::Array => SPECIAL,
            ),
            since: Version::new(2, 1, 83),
            evidence: observed!("CwdChanged"),
            ..ROW.facts
        },
        fires: "When a shell command of the main conversation changed the working directory.",
        notice: NoticeRule::User,
        nested: true,
        env_file: Some(&FOLDER_VARIABLES),
        ..ROW
    },
    Event {
        // The subject is the file's name without its folders. The matcher is also the list of names to watch.
        facts: EventFacts {
            name: "FileChanged",
            boundary: Some(Boundary::FileChanged),
            subject: field("file_path", &[]),
            channels: Channels::of(&[Channel::UserNotice, Channel::SessionEnv, Channel::Special]),
            exit_2: Exit2::ShownToUser,
            output: answer!(stop NONE, notice NOTICE, block NONE,
                "watchPaths": FieldKind::Array => SPECIAL,
            ),
            since: Version::new(2, 1, 83),
            evidence: observed!("FileChanged"),
            ..ROW.facts
        },
        fires: "When a watched file changed on disk.",
        charset: Charset::Narrow,
        notice: NoticeRule::User,
        nested: true,
        env_file: Some(&FOLDER_VARIABLES),
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "DirectoryAdded",
            boundary: Some(Boundary::DirectoryAdded),
            subject: field("source", &["slash_command", "register_repo_root"]),
            channels: Channels::of(&[Channel::ModelContext, Channel::Special]),
            output: answer!(stop NONE, notice CONTEXT, block NONE),
            since: Version::new(2, 1, 219),
            evidence: documented!("DirectoryAdded"),
            ..ROW.facts
        },
        fires: "When a working directory was added to a running session.",
        notice: NoticeRule::Model,
        ..ROW
    },
    Event {
        facts: EventFacts {
            name: "MessageDisplay",
            boundary: Some(Boundary::Display),
            scope: Scope::Turn,
            output: answer!(stop NONE, notice NONE, block NONE,
                "displayContent": FieldKind::String => SPECIAL,
            ),
            default_timeout_s: Some(10.0),
            since: Version::new(2, 1, 152),
            evidence: observed!("MessageDisplay"),
            ..ROW.facts
        },
        fires: "When text of the model is about to be shown.",
        nested: true,
        ..ROW
    },
    Event {
        // Not on the vendor's page. Deny, ask, defer and a rewrite all leave the command out. Handler types beyond
        // commands are unknown.
        facts: EventFacts {
            name: "PreSkillShellCommand",
            boundary: Some(Boundary::SkillShellCommand),
            facet: Facet::Shell,
            scope: Scope::Action,
            subject: SubjectFact::ToolName,
            channels: Channels::of(&[Channel::Verdict, Channel::UserNotice, Channel::Halt, Channel::Special]),
            control: Control::Special,
            malformed: FailureRule::FollowPolicy,
            exit_2: Exit2::Refuse,
            ask: AskRule::Deny,
            output: answer!(stop HALT, notice NOTICE, block VERDICT,
                "permissionDecision": DECISIONS => VERDICT,
                "permissionDecisionReason": FieldKind::String => VERDICT,
                "updatedInput": FieldKind::Object => NONE; Values::Present, Cost::Action,
            ),
            since: LATEST,
            evidence: Evidence::new(Basis::Observed, "client 2.1.332; SDK types; not on the hooks page"),
            ..ROW.facts
        },
        fires: "Before a shell command runs that stands in the text of a skill or command.",
        guard: true,
        conditions: true,
        block: Block::Deny,
        stop: StopRule::Stops(TURN),
        notice: NoticeRule::User,
        on_failure: OnFailure::AsExit2,
        nested: true,
        handlers: &[HandlerKind::Command],
        other_types_untried: true,
        permission_mode: true,
        effort: true,
        ..ROW
    },
];

/// The facts of the rows, in the same order.
pub static FACTS: [&EventFacts; EVENTS.len()] = {
    let mut facts = [&EVENTS[0].facts; EVENTS.len()];
    let mut at = 0;
    while at < facts.len() {
        #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, where a wrong index is an error")]
        {
            facts[at] = &EVENTS[at].facts;
        }
        at += 1;
    }
    facts
};
