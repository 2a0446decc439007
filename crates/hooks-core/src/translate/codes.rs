//! What can be said of a carried-over definition: one table, with a stable word for each thing.

/// What became of a definition, or of one part of it; a later one outranks an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// It does what it did.
    Exact,
    /// It runs or restrains where it did not.
    Stricter,
    /// The client and the program do not understand each other without a bridge.
    NeedsBridge,
    /// It does not run, or does not restrain, where it did.
    Weaker,
    /// It is not carried over.
    Dropped,
}

impl Kind {
    /// The kebab-case word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Stricter => "stricter",
            Self::NeedsBridge => "needs-bridge",
            Self::Weaker => "weaker",
            Self::Dropped => "dropped",
        }
    }
}

/// One row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct LossCode {
    /// The stable word, kebab-case.
    pub id: &'static str,
    /// What it comes to.
    pub kind: Kind,
    /// What it means, in a sentence.
    pub about: &'static str,
}

/// Something that is to be told about a carried-over definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub code: &'static LossCode,
    /// What it is here.
    pub reason: String,
    /// Whether it concerns what the definition holds back: an action, a prompt, the end of a turn.
    pub guards: bool,
}

impl Finding {
    /// Whether a guard lost something: such a translation has to be accepted by a person.
    #[must_use]
    pub fn needs_acceptance(&self) -> bool {
        self.guards && self.code.kind >= Kind::NeedsBridge
    }
}

macro_rules! codes {
    ($( $kind:ident { $( $name:ident $id:literal $about:literal; )* } )*) => {
        $($(
            #[doc = $about]
            pub static $name: LossCode = LossCode { id: $id, kind: Kind::$kind, about: $about };
        )*)*

        /// The table, from what keeps its meaning to what is lost.
        pub static CODES: &[&LossCode] = &[ $($( &$name, )*)* ];
    };
}

codes! {
    Exact {
        NAME_KEPT "name-kept" "A name that no known tool has is kept as it is written.";
        NOTICE_LOST "notice-lost" "A text for the person has no place in the target's answer.";
        STATUS_LOST "status-message-lost" "The target shows no text while a hook runs.";
        CWD_DIFFERS "cwd-may-differ" "The target runs the hook in another folder where the session left the project's root.";
        FAIL_CLOSED_BRIDGED "fail-closed-by-bridge" "That a failure blocks is the bridge's affair; the target goes on when the bridge cannot be started.";
        NEVER_RAN "never-ran" "The definition never runs in the source's client either, so that nothing is carried over.";
        CAME_FROM_TARGET "came-from-target" "The definition is a bridge to a hook that the target's own files have: carried back it would run twice.";
    }
    Stricter {
        TOOLS_WIDER "tools-wider" "A tool of the target does more than the tools that the matcher selects.";
        MATCHER_WIDENED "matcher-widened" "The matcher cannot be said in the target's language, so that the hook runs always.";
        SERVER_NOT_SEEN "server-not-seen" "The target's matchers do not see which tool server a tool belongs to.";
        NAME_FOLDED "name-folded" "The target writes other characters of a tool server's names as underscores.";
        COMMAND_NOT_SEEN "command-not-seen" "The target's matchers do not see the text of a command.";
        CONDITION_LOST "condition-lost" "The target has no further conditions, so that the hook runs for more calls.";
        EVENT_WIDER "event-wider" "The target's event happens in more cases than the source's.";
        SELECTION_WIDER "selection-wider" "Of the occurrences that were tried, the target selects some that the source does not.";
        ONCE_LOST "once-lost" "The target has no hooks that run once.";
        ASYNC_LOST "async-lost" "The target has no hooks in the background: it waits, and the answer counts.";
        LOOP_LIMIT_LOST "loop-limit-lost" "The target has no limit on how often a hook makes the turn go on, or a higher one.";
        TIMEOUT_RAISED "timeout-raised" "The target takes whole seconds only.";
        ASK_DENIES "ask-becomes-deny" "The target cannot ask a person here: the bridge answers an ask with a deny.";
        REWRITE_DENIES "rewrite-becomes-deny" "The target takes no other input here: the bridge answers a rewrite with a deny.";
        HALT_DENIES "halt-becomes-deny" "The target cannot stop the turn here: the bridge denies the action.";
    }
    NeedsBridge {
        NEEDS_BRIDGE "needs-bridge" "The program reads one vendor's input and gives its answers; the target has others.";
    }
    Weaker {
        TOOL_NOT_HOOKED "tool-not-hooked" "The target has no tool with hooks for something that the matcher selects.";
        VALUE_NOT_THERE "value-not-there" "The target's event never has a value that the matcher selects.";
        EVENT_NARROWER "event-narrower" "The target's events do not happen in all cases in which the source's does.";
        SELECTION_WEAKER "selection-weaker" "Of the occurrences that were tried, the target does not select some that the source does.";
        CONTENT_NOT_SEEN "content-not-seen" "The source shows a hook the text of a file before it is read, and the target does not.";
        CANNOT_BLOCK "cannot-block" "The source's event can hold back what the target's only tells of.";
        HALT_LOST "halt-lost" "The target cannot stop here what the source's event can stop.";
        CONTINUATION_LOST "continuation-lost" "The target's event cannot make the turn go on.";
        ASK_LOST "ask-lost" "An answer that asks a person is not heeded by the target.";
        REWRITE_LOST "rewrite-lost" "An answer with another input is not heeded by the target.";
        RESULT_REWRITE_LOST "result-rewrite-lost" "The target's event cannot put another result in place of a tool's.";
        CONTEXT_LOST "context-lost" "The target's event gives the model no text.";
        SESSION_ENV_LOST "session-env-lost" "The target's event sets no variables for the session.";
        PERMISSION_UPDATE_LOST "permission-update-lost" "The target's event changes no permission rules.";
        FAIL_CLOSED_LOST "fail-closed-lost" "The target lets an action go on when a hook fails.";
        TIMEOUT_CAPPED "timeout-capped" "The target gives the hook less time.";
        LOOP_LIMIT_LOWER "loop-limit-lower" "The target lets a hook make the turn go on less often.";
        WINDOWS_LOST "windows-command-lost" "The target has no other command for Windows.";
        REWAKE_LOST "rewake-lost" "A block of a hook in the background does not wake the target's model.";
        CONTEXT_LIMIT_LOST "context-limit-lost" "The target has no limit of its own on how much text a hook gives the model.";
        VARIABLE_LOST "variable-lost" "The command uses a variable that the target does not set.";
        PROMPT_PAYLOAD "prompt-sees-other-input" "The model is shown the target's input, with other names than the prompt may mention.";
        PLACEHOLDER_PAYLOAD "placeholder-reads-other-input" "A placeholder reads the target's input, which may not have that value.";
        OTHER_PROJECT "other-project" "The command runs a file of the source's project, which the target's project has not.";
        TARGET_DIFFERS "target-differs" "What stands in the target's files already keeps the hook from running as it was meant.";
    }
    Dropped {
        NOT_THE_PROJECTS "not-the-projects" "The hook stands in a plugin, or in the head of a skill, command or agent: it is not the project's.";
        NO_EVENT "no-event" "The target has no event at that moment.";
        NO_HANDLER "handler-not-run" "The target runs no handler of that type there.";
        SELECTS_NOTHING "selects-nothing" "Nothing that the matcher selects exists in the target.";
        UNREADABLE "not-readable" "What was written is not read back as meant; nothing is written.";
    }
}

/// The code of a word.
#[must_use]
pub fn code(id: &str) -> Option<&'static LossCode> {
    CODES.iter().copied().find(|code| code.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kebab_case_and_unique_and_resolve_back() {
        for row in CODES {
            assert!(row.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", row.id);
            assert_eq!(code(row.id).map(std::ptr::from_ref), Some(std::ptr::from_ref(*row)), "{}", row.id);
            assert!(row.about.ends_with('.'), "{}", row.id);
        }
    }

    #[test]
    fn only_a_guards_loss_has_to_be_accepted() {
        let finding = |code, guards| Finding { code, reason: String::new(), guards };
        assert!(finding(&NO_EVENT, true).needs_acceptance());
        assert!(finding(&NEEDS_BRIDGE, true).needs_acceptance());
        assert!(!finding(&NO_EVENT, false).needs_acceptance());
        assert!(!finding(&TOOLS_WIDER, true).needs_acceptance());
    }
}
