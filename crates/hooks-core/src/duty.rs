//! What a host must do with each part of a decision, on each boundary: the other half of the contract.
//!
//! A decision is only worth what its host does with it. This table is generated into the documentation, and the host
//! double of the conformance crate applies it.

use crate::boundary::Boundary;

/// A part of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Part {
    /// The action is denied.
    Deny,
    /// A person is to be asked.
    Ask,
    /// The call is put off.
    Defer,
    /// The question may be skipped.
    Approve,
    /// There is no opinion.
    NoOpinion,
    /// Another input is to be used.
    Input,
    /// Another result is to be shown to the model.
    Result,
    /// Something is stopped.
    Halt,
    /// The turn, or the subagent, goes on.
    Continuation,
    /// There are texts for the model.
    ToModel,
    /// There are texts for the person.
    ToUser,
    /// The session has changed: variables, permission rules, files to watch.
    Session,
    /// Something that only one vendor has.
    Special,
}

impl Part {
    /// Every part, in the order of [`crate::decide::Decision`].
    pub const ALL: &'static [Self] = &[
        Self::Deny,
        Self::Ask,
        Self::Defer,
        Self::Approve,
        Self::NoOpinion,
        Self::Input,
        Self::Result,
        Self::Halt,
        Self::Continuation,
        Self::ToModel,
        Self::ToUser,
        Self::Session,
        Self::Special,
    ];

    /// The words for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Defer => "defer",
            Self::Approve => "approve",
            Self::NoOpinion => "no opinion",
            Self::Input => "input",
            Self::Result => "result",
            Self::Halt => "halt",
            Self::Continuation => "continuation",
            Self::ToModel => "to the model",
            Self::ToUser => "to the person",
            Self::Session => "session",
            Self::Special => "special",
        }
    }
}

/// What a host must do with a part of a decision on a boundary; `None` where that part has no meaning there and stays
/// in the report.
#[must_use]
pub const fn duty(boundary: Boundary, part: Part) -> Option<&'static str> {
    use Boundary as B;
    Some(match part {
        Part::Deny => match boundary {
            B::ToolBefore => "Do not make the call; give the model the texts as the call's failed result.",
            B::PermissionRequest => "Refuse the request; give the model the texts as the refusal.",
            B::SubagentStart => "Do not start the subagent; give the model the texts as the call's failed result.",
            B::SkillShellCommand => "Do not run the command; put the texts in its place.",
            B::ModelSwitchBefore => "Keep the model; show the texts to the person.",
            B::ConfigChanged => "Keep the old configuration for the session.",
            B::TaskCreated => "Do not add the task; give the model the texts.",
            B::TaskCompleted => "Leave the task open; give the model the texts.",
            B::WorktreeCreate => "Do not make the worktree; report the failure.",
            B::WorktreeRemove => "Leave the worktree; report the failure.",
            B::Elicitation | B::ElicitationResult => "Answer the server with `decline`.",
            _ => return None,
        },
        Part::Ask => match boundary {
            B::ToolBefore | B::PermissionRequest | B::SubagentStart => {
                "Ask a person, with the reasons; run only on a yes. The host's deny rules still hold."
            }
            B::ModelSwitchBefore | B::SkillShellCommand => "Ask a person, with the reasons; go on only on a yes.",
            _ => return None,
        },
        Part::Defer => match boundary {
            B::ToolBefore => "End the run with the call pending; fire the boundary again when it is taken up.",
            _ => return None,
        },
        Part::Approve => match boundary {
            B::ToolBefore | B::PermissionRequest => {
                "Skip the question. The host's own deny rules, and rules that always ask, still hold."
            }
            B::SubagentStart | B::ModelSwitchBefore | B::SkillShellCommand => "Go on; the host's own rules still hold.",
            _ => return None,
        },
        Part::NoOpinion => match boundary {
            B::ToolBefore | B::PermissionRequest | B::SubagentStart => {
                "Go through the host's own permission rules. Silence never approves."
            }
            _ => "Go on as if there were no hooks.",
        },
        Part::Input => match boundary {
            B::ToolBefore | B::PermissionRequest => {
                "Use this call in place of the original, judge it by the host's rules anew, and never fall back to the original."
            }
            B::SubagentStart => "Start the subagent with this task in place of the original.",
            _ => return None,
        },
        Part::Result => match boundary {
            B::ToolResult => "Show the model this in place of the tool's result. What the tool did stays done.",
            _ => return None,
        },
        Part::Halt => match boundary {
            B::SessionStart => "Do not start the session's first turn; show the reason.",
            B::PromptSubmit | B::PromptExpansion => {
                "Do not send the prompt; erase it or keep it in the history as the halt says; show the reason to the person."
            }
            B::ToolBefore | B::PermissionRequest | B::SkillShellCommand => {
                "Stop what the halt names: the action itself when it says before, else let the call run and end the turn after it."
            }
            B::SubagentStart => "Do not start the subagent.",
            B::ToolResult | B::ToolFailure | B::ToolBatch => {
                "End the turn before the next model request; show the reason."
            }
            B::CompactBefore => "Do not compact; end the turn if the halt names it.",
            B::CompactAfter => "The compaction stays; end the turn.",
            B::TurnStop | B::SubagentStop => "Stop, whatever continuations there were.",
            B::TeammateIdle | B::TaskCompleted => "Stop the teammate.",
            _ => return None,
        },
        Part::Continuation => match boundary {
            B::TurnStop => {
                "Give the model each text as the next prompt of the turn; fire the boundary again when it stops."
            }
            B::SubagentStop => "Give the subagent each text as its next prompt.",
            B::TeammateIdle => "Give the teammate each text and let it go on.",
            _ => return None,
        },
        Part::ToModel => match boundary {
            B::SessionStart | B::PromptSubmit | B::PromptExpansion | B::Setup => {
                "Put the texts into the conversation before the next model request."
            }
            B::ToolBefore | B::PermissionRequest => {
                "Put the texts beside the call's result, or as the refusal when it is denied."
            }
            B::ToolResult | B::ToolFailure | B::ToolBatch => "Put the texts beside the tool's result.",
            B::SubagentStart => "Put the texts into the subagent's conversation, or as the refusal when it is denied.",
            B::SubagentStop => "Put the texts into the subagent's conversation.",
            B::CompactBefore => "Put the texts beside the compaction's instructions.",
            _ => "Put the texts into the conversation before the next model request.",
        },
        Part::ToUser => "Show the texts to the person; where nobody watches, log them.",
        Part::Session => "Keep the returned session state, and give it to the next firing.",
        Part::Special => match boundary {
            B::Elicitation | B::ElicitationResult => "Answer the server with the elicitation answer.",
            B::WorktreeCreate => "Use the path as the worktree.",
            B::Display => "Show the text in place of the assistant's; the conversation keeps the original.",
            B::SessionStart => {
                "Set the title, watch the files, send the first message, read skills again, as each asks."
            }
            B::PromptSubmit | B::PromptExpansion => "Set the title; hide the refused prompt.",
            B::CwdChanged | B::FileChanged => "Watch the files in place of the list before.",
            B::PermissionRequest => "Interrupt the run; remember the permission rules.",
            B::PermissionDenied => "Tell the model that the call may be tried again.",
            B::CompactBefore => "Add the instructions to the compaction's.",
            B::ToolBefore | B::ToolResult => {
                "Give the text to the classifier of the automatic mode, where there is one."
            }
            _ => "Apply what the host has a place for; the rest is for the report.",
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pending_boundary_says_what_each_verdict_means() {
        for boundary in Boundary::ALL.iter().filter(|boundary| boundary.is_pending()) {
            for part in [Part::Deny, Part::Ask, Part::Approve, Part::NoOpinion, Part::Input, Part::Halt] {
                assert!(duty(*boundary, part).is_some(), "{boundary}: {}", part.as_str());
            }
        }
    }

    #[test]
    fn whatever_can_halt_has_a_duty_for_it() {
        for boundary in Boundary::ALL.iter().filter(|boundary| !boundary.info().halts.is_empty()) {
            assert!(duty(*boundary, Part::Halt).is_some(), "{boundary} can be halted and nobody is told what to do");
        }
    }

    #[test]
    fn texts_and_session_state_have_a_duty_everywhere() {
        for boundary in Boundary::ALL {
            for part in [Part::ToModel, Part::ToUser, Part::Session, Part::NoOpinion] {
                assert!(duty(*boundary, part).is_some(), "{boundary}: {}", part.as_str());
            }
        }
    }
}
