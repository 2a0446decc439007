//! The host's vendor-neutral moments at which hooks run, as one table.
//!
//! ```
//! use hooks_core::Boundary;
//!
//! let boundary: Boundary = "tool.before".parse().expect("a boundary");
//! assert!(boundary.is_pending());
//! assert_eq!(boundary.info().about, "A tool call is about to run.");
//! ```

use std::fmt;
use std::str::FromStr;

/// Whether a boundary lies before or after what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// Something is about to happen and may still be kept from happening.
    Before,
    /// It has happened.
    After,
}

/// How far a boundary's occurrence reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The whole session.
    Session,
    /// One turn.
    Turn,
    /// One tool call.
    Action,
    /// One subagent.
    Subagent,
}

/// What a halt can keep from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stop {
    /// The prompt is not sent.
    Prompt,
    /// The pending action does not run.
    Action,
    /// The turn ends.
    Turn,
    /// The compaction does not run.
    Compaction,
    /// The subagent ends.
    Subagent,
    /// The session ends.
    Session,
}

impl Stop {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Action => "action",
            Self::Turn => "turn",
            Self::Compaction => "compaction",
            Self::Subagent => "subagent",
            Self::Session => "session",
        }
    }
}

/// One row of the boundary table.
#[derive(Clone, Copy, Debug)]
pub struct BoundaryInfo {
    /// The boundary.
    pub boundary: Boundary,
    /// Its stable dotted name.
    pub name: &'static str,
    /// Before or after the fact.
    pub timing: Timing,
    /// How far it reaches.
    pub scope: Scope,
    /// Whether an action waits for the decision, so that a verdict applies and a failed evaluation can deny.
    pub pending: bool,
    /// What a halt here stops unless an adapter says otherwise.
    pub halts: &'static [Stop],
    /// What happens at this moment, in a sentence.
    pub about: &'static str,
}

macro_rules! boundaries {
    ($( $name:ident, $dotted:literal, $timing:ident, $scope:ident, $pending:literal, [$($stop:ident),*], $about:literal; )*) => {
        /// A vendor-neutral moment of an agent's life. Several vendors' events, and several events of one vendor, can
        /// share a boundary.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Boundary { $( #[doc = $about] $name, )* }

        impl Boundary {
            /// Every boundary, in the order of the table.
            pub const ALL: &'static [Self] = &[ $( Self::$name, )* ];

            /// The boundary's row in the table.
            #[must_use]
            pub const fn info(self) -> &'static BoundaryInfo {
                match self {
                    $( Self::$name => &BoundaryInfo {
                        boundary: Self::$name, name: $dotted, timing: Timing::$timing, scope: Scope::$scope,
                        pending: $pending, halts: &[$(Stop::$stop),*], about: $about,
                    }, )*
                }
            }
        }
    };
}

boundaries! {
    SessionStart, "session.start", Before, Session, false, [Session], "A session starts, resumes, is cleared or forked.";
    SessionEnd, "session.end", After, Session, false, [], "A session ends.";
    PromptSubmit, "prompt.submit", Before, Turn, false, [Prompt], "A prompt is about to be sent to the model.";
    ToolBefore, "tool.before", Before, Action, true, [Action], "A tool call is about to run.";
    PermissionRequest, "permission.request", Before, Action, true, [Action], "A call needs somebody's permission.";
    ToolResult, "tool.result", After, Action, false, [Turn], "A tool ran and returned, whatever its exit code.";
    ToolFailure, "tool.failure", After, Action, false, [Turn], "A tool did not run to an answer: denied, cancelled, crashed or timed out.";
    SubagentStart, "subagent.start", Before, Subagent, true, [Action], "A subagent is about to start.";
    SubagentStop, "subagent.stop", After, Subagent, false, [Subagent], "A subagent has finished.";
    CompactBefore, "compact.before", Before, Turn, false, [Compaction], "The context is about to be summarised.";
    CompactAfter, "compact.after", After, Turn, false, [Turn], "The context was summarised.";
    TurnStop, "turn.stop", After, Turn, false, [Turn], "The agent has answered and is about to stop.";
    TurnFailure, "turn.failure", After, Turn, false, [], "A turn ended in an error.";
    TurnInterrupt, "turn.interrupt", After, Turn, false, [], "A person interrupted a running turn.";
    AgentResponse, "agent.response", After, Turn, false, [], "An assistant message is complete.";
    AgentThought, "agent.thought", After, Turn, false, [], "A thinking block is complete.";
    Notification, "notification", After, Session, false, [], "The agent notifies the person.";
    PermissionDenied, "permission.denied", After, Action, false, [], "A call was denied by an automatic mode.";
    ToolBatch, "tool.batch", After, Turn, false, [Turn], "All calls of one model message are done.";
    PromptExpansion, "prompt.expansion", Before, Turn, false, [Prompt], "A typed command is about to expand into a prompt.";
    ModelRequestBefore, "model.request.before", Before, Turn, false, [], "A model request is about to be sent.";
    ModelRequestAfter, "model.request.after", After, Turn, false, [], "A model request was answered.";
    ModelSwitchBefore, "model.switch.before", Before, Session, false, [], "The model is about to be changed.";
    ModelSwitchAfter, "model.switch.after", After, Session, false, [], "The model was changed.";
    InstructionsLoaded, "instructions.loaded", After, Session, false, [], "An instruction file was loaded.";
    ConfigChanged, "config.changed", Before, Session, false, [], "A configuration file changed and is about to apply.";
    CwdChanged, "cwd.changed", After, Session, false, [], "The working directory changed.";
    FileChanged, "file.changed", After, Session, false, [], "A watched file changed on disk.";
    DirectoryAdded, "directory.added", After, Session, false, [], "A directory was added to the session.";
    WorktreeCreate, "worktree.create", Before, Session, false, [], "A worktree is wanted; the hook makes it.";
    WorktreeRemove, "worktree.remove", Before, Session, false, [], "A worktree made by a hook is to be removed.";
    TaskCreated, "task.created", Before, Turn, false, [], "A task is being added to the task list.";
    TaskCompleted, "task.completed", Before, Turn, false, [Subagent], "A task is about to be marked completed.";
    TeammateIdle, "teammate.idle", Before, Subagent, false, [Subagent], "A teammate is about to go idle.";
    Elicitation, "elicitation", Before, Action, false, [], "A tool server asks the person something.";
    ElicitationResult, "elicitation.result", Before, Action, false, [], "The person answered a tool server's question.";
    Setup, "setup", Before, Session, false, [], "A project is being set up or maintained.";
    Display, "display", Before, Turn, false, [], "Assistant text is about to be shown.";
    SkillShellCommand, "skill.shell", Before, Action, false, [Turn], "A shell command inside a skill's text is about to run.";
}

impl Boundary {
    /// The stable dotted name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Whether an action waits for the decision: a halt before it is a deny, and failed evaluations can deny it.
    #[must_use]
    pub const fn is_pending(self) -> bool {
        self.info().pending
    }
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no boundary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no boundary: write a dotted name such as `tool.before`")]
pub struct UnknownBoundary(pub String);

impl FromStr for Boundary {
    type Err = UnknownBoundary;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|b| b.name() == text).ok_or_else(|| UnknownBoundary(text.to_owned()))
    }
}

/// Which part of a boundary an event speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Facet {
    /// All of it.
    Any,
    /// Any tool.
    Tool,
    /// Shell commands only.
    Shell,
    /// Tools of tool servers (MCP) only.
    Mcp,
    /// Reads of files only.
    FileRead,
    /// Edits of files only.
    FileEdit,
}

impl Facet {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Tool => "tool",
            Self::Shell => "shell",
            Self::Mcp => "mcp",
            Self::FileRead => "file read",
            Self::FileEdit => "file edit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_resolve_back() {
        for boundary in Boundary::ALL {
            assert_eq!(boundary.name().parse::<Boundary>(), Ok(*boundary));
        }
        let mut names: Vec<_> = Boundary::ALL.iter().map(|b| b.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Boundary::ALL.len());
    }

    #[test]
    fn three_boundaries_have_a_pending_action() {
        let pending: Vec<_> = Boundary::ALL.iter().filter(|b| b.is_pending()).map(|b| b.name()).collect();
        assert_eq!(pending, ["tool.before", "permission.request", "subagent.start"]);
    }
}
