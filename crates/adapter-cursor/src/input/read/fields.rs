//! The members of one payload, taken one by one; what nobody takes is kept.

use std::collections::BTreeMap;

use hooks_core::RawJson;
use hooks_core::document::mend_surrogates;
use hooks_core::json::{JsonKind, RawObject};
use serde_json::value::RawValue;

macro_rules! keys {
    ($( $name:ident = $key:literal, )*) => {
        /// A key that some event's payload has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Key { $( $name, )* }

        impl Key {
            const ALL: &'static [Self] = &[ $( Self::$name, )* ];

            /// The key as Cursor writes it.
            pub(super) const fn name(self) -> &'static str {
                match self { $( Self::$name => $key, )* }
            }

            fn of(key: &str) -> Option<Self> {
                match key { $( $key => Some(Self::$name), )* _ => None }
            }
        }
    };
}

keys! {
    ConversationId = "conversation_id",
    GenerationId = "generation_id",
    Model = "model",
    ModelId = "model_id",
    ModelParams = "model_params",
    HookEventName = "hook_event_name",
    CursorVersion = "cursor_version",
    HostVersion = "host_version",
    WorkspaceRoots = "workspace_roots",
    UserEmail = "user_email",
    TranscriptPath = "transcript_path",
    SessionId = "session_id",
    IsBackgroundAgent = "is_background_agent",
    ComposerMode = "composer_mode",
    Reason = "reason",
    DurationMs = "duration_ms",
    FinalStatus = "final_status",
    ErrorMessage = "error_message",
    ToolName = "tool_name",
    ToolInput = "tool_input",
    ToolOutput = "tool_output",
    ToolUseId = "tool_use_id",
    Cwd = "cwd",
    Duration = "duration",
    FailureType = "failure_type",
    IsInterrupt = "is_interrupt",
    CancellationReason = "cancellation_reason",
    SubagentId = "subagent_id",
    SubagentType = "subagent_type",
    Task = "task",
    ParentConversationId = "parent_conversation_id",
    ToolCallId = "tool_call_id",
    SubagentModel = "subagent_model",
    IsParallelWorker = "is_parallel_worker",
    GitBranch = "git_branch",
    Status = "status",
    Description = "description",
    Summary = "summary",
    MessageCount = "message_count",
    ToolCallCount = "tool_call_count",
    LoopCount = "loop_count",
    ModifiedFiles = "modified_files",
    AgentTranscriptPath = "agent_transcript_path",
    Command = "command",
    Output = "output",
    Sandbox = "sandbox",
    ExitCode = "exit_code",
    McpServerName = "mcp_server_name",
    McpServerId = "mcp_server_id",
    McpServerUrl = "mcp_server_url",
    Url = "url",
    ResultJson = "result_json",
    FilePath = "file_path",
    OldFilePath = "filePath",
    Content = "content",
    Attachments = "attachments",
    Edits = "edits",
    Prompt = "prompt",
    Trigger = "trigger",
    ContextUsagePercent = "context_usage_percent",
    ContextTokens = "context_tokens",
    ContextWindowSize = "context_window_size",
    MessagesToCompact = "messages_to_compact",
    IsFirstCompaction = "is_first_compaction",
    Text = "text",
}

/// The members of one payload.
pub(super) struct Fields<'a> {
    slots: [Option<&'a RawValue>; Key::ALL.len()],
    rest: BTreeMap<String, RawJson>,
}

impl<'a> Fields<'a> {
    /// The members of an object. Of a repeated key the last one counts.
    pub(super) fn of(object: &RawObject<'a>) -> Self {
        let mut fields = Self { slots: [None; Key::ALL.len()], rest: BTreeMap::new() };
        for (key, raw) in object.iter() {
            match Key::of(key).and_then(|key| fields.slots.get_mut(key as usize)) {
                Some(slot) => *slot = Some(raw),
                None => {
                    fields.rest.insert(key.to_owned(), RawJson::from_raw(raw));
                }
            }
        }
        fields
    }

    /// A member, still raw; a `null` is taken and counts as absent.
    pub(super) fn raw(&mut self, key: Key) -> Option<&'a RawValue> {
        let raw = self.slots.get_mut(key as usize)?.take();
        raw.filter(|raw| JsonKind::of(raw) != JsonKind::Null)
    }

    /// Puts a member back, so that it is kept.
    pub(super) fn keep(&mut self, key: Key, raw: &'a RawValue) {
        if let Some(slot) = self.slots.get_mut(key as usize) {
            *slot = Some(raw);
        }
    }

    /// Keeps a text that was taken already.
    pub(super) fn keep_text(&mut self, key: Key, text: &str) {
        self.rest.insert(key.name().to_owned(), RawJson::string(text));
    }

    /// A member of a type; one that has another type stays and is kept.
    fn read<T>(&mut self, key: Key, read: impl FnOnce(&'a RawValue) -> Option<T>) -> Option<T> {
        let raw = self.raw(key)?;
        let value = read(raw);
        if value.is_none() {
            self.keep(key, raw);
        }
        value
    }

    /// A text.
    pub(super) fn text(&mut self, key: Key) -> Option<String> {
        self.read(key, text)
    }

    /// A truth value.
    pub(super) fn flag(&mut self, key: Key) -> Option<bool> {
        self.read(key, |raw| serde_json::from_str(raw.get()).ok())
    }

    /// A whole number from 0. Cursor calls these numbers: one with a fraction is rounded, and kept as it is too.
    pub(super) fn count(&mut self, key: Key) -> Option<u64> {
        let raw = self.raw(key)?;
        if let Ok(count) = serde_json::from_str::<u64>(raw.get()) {
            return Some(count);
        }
        self.keep(key, raw);
        let number = float(raw).filter(|number| *number >= 0.0)?;
        // A cast of a float saturates.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rounded = number.round() as u64;
        if number.fract() == 0.0 {
            self.raw(key);
        }
        Some(rounded)
    }

    /// A whole number from 0 that fits 32 bits; 0 where there is none.
    pub(super) fn small_count(&mut self, key: Key) -> u32 {
        self.count(key).map_or(0, |count| u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Any number.
    pub(super) fn number(&mut self, key: Key) -> Option<f64> {
        self.read(key, float)
    }

    /// A signed whole number.
    pub(super) fn code(&mut self, key: Key) -> Option<i32> {
        self.read(key, |raw| serde_json::from_str(raw.get()).ok())
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, key: Key) -> Option<Vec<String>> {
        self.read(key, |raw| {
            let items: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
            items.into_iter().map(text).collect()
        })
    }

    /// A list of objects, all of which must be read.
    pub(super) fn objects<T>(&mut self, key: Key, mut one: impl FnMut(&Members<'a>) -> Option<T>) -> Option<Vec<T>> {
        self.read(key, |raw| {
            let items: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
            items.into_iter().map(|item| one(&Members(RawObject::parse(item.get()).ok()?))).collect()
        })
    }

    /// What nobody took.
    pub(super) fn rest(mut self) -> BTreeMap<String, RawJson> {
        for (key, slot) in Key::ALL.iter().zip(self.slots) {
            if let Some(raw) = slot {
                self.rest.insert(key.name().to_owned(), RawJson::from_raw(raw));
            }
        }
        self.rest
    }
}

/// One object of a list.
pub(super) struct Members<'a>(RawObject<'a>);

impl Members<'_> {
    /// A member's text.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.0.get(key).and_then(text)
    }

    /// Whether there are no members but these.
    pub(super) fn only(&self, keys: &[&str]) -> bool {
        self.0.iter().all(|(key, _)| keys.contains(&key))
    }
}

/// A raw value's number, to the last bit (the reader of JSON is off by one there at times).
fn float(raw: &RawValue) -> Option<f64> {
    if JsonKind::of(raw) == JsonKind::Number { raw.get().parse().ok() } else { None }
}

/// A raw value's text. Half a surrogate pair, which JavaScript writes as an escape, reads as U+FFFD.
pub(super) fn text(raw: &RawValue) -> Option<String> {
    if JsonKind::of(raw) != JsonKind::String {
        return None;
    }
    serde_json::from_str(raw.get()).or_else(|_| serde_json::from_str(&mend_surrogates(raw.get()))).ok()
}
