//! What an adapter provides for carrying definitions over: a table of what its vendor's files can say, and a writer.

use crate::adapter::HostSide;
use crate::definition::{FailurePolicy, LoopLimit, Place};
use crate::document::{JsonRules, Node, SyntaxError, SyntaxFault, parse_json};
use crate::evidence::Evidence;
use crate::facts::EventFacts;
use crate::handler::{Handler, HandlerKind};
use crate::json::RawJson;
use crate::matcher::convert::Language;
use crate::matcher::convert::mcp::NameForm;
use crate::source::Syntax;
use crate::tool::{
    Delete, Edit, Glob, Grep, List, McpResource, Patch, Read, SubagentTask, TextEdit, ToolAction, ToolCall, WebFetch,
    WebSearch, Write,
};
use crate::vendor::VendorId;

macro_rules! tool_kinds {
    ($( $(#[$doc:meta])* $name:ident $words:literal => $action:expr; )*) => {
        /// A kind of tool that more than one vendor has. Tools of tool servers are not among them: their names say more.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ToolKind { $( $(#[$doc])* $name, )* }

        impl ToolKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[ $( Self::$name, )* ];

            /// What it is for, as an activity.
            #[must_use]
            pub const fn activity(self) -> &'static str {
                match self { $( Self::$name => $words, )* }
            }

            /// A plain call of the kind.
            #[must_use]
            pub fn call(self) -> ToolCall {
                match self { $( Self::$name => $action, )* }
            }
        }
    };
}

impl ToolKind {
    /// The kinds that do the same together where a client has no tool of this one.
    #[must_use]
    pub const fn in_parts(self) -> &'static [Self] {
        match self {
            Self::Patch => &[Self::Write, Self::Edit],
            _ => &[],
        }
    }
}

const FILE: &str = "src/main.rs";

tool_kinds! {
    /// A shell command.
    Shell "running commands" => ToolCall::shell("true");
    /// Reading a file.
    Read "reading files" => ToolCall::new(ToolAction::Read(Read { path: FILE.to_owned(), ..Read::default() }));
    /// Writing a whole file.
    Write "writing files" => ToolCall::new(ToolAction::Write(Write { path: FILE.to_owned(), content: String::new() }));
    /// Replacing parts of a file.
    Edit "editing files" => ToolCall::new(ToolAction::Edit(Edit {
        path: FILE.to_owned(),
        edits: vec![TextEdit { old: "a".to_owned(), new: "b".to_owned(), replace_all: false }],
    }));
    /// Applying a patch.
    Patch "applying patches" => ToolCall::new(ToolAction::Patch(Patch {
        text: "*** Begin Patch\n*** Delete File: src/main.rs\n*** End Patch\n".to_owned(),
    }));
    /// Deleting a file.
    Delete "deleting files" => ToolCall::new(ToolAction::Delete(Delete { path: FILE.to_owned() }));
    /// Finding files by name.
    Glob "finding files" => ToolCall::new(ToolAction::Glob(Glob { pattern: "*.rs".to_owned(), path: None }));
    /// Searching in files.
    Grep "searching files" => ToolCall::new(ToolAction::Grep(Grep { pattern: "a".to_owned(), ..Grep::default() }));
    /// Listing a folder.
    List "listing folders" => ToolCall::new(ToolAction::List(List { path: "src".to_owned() }));
    /// Fetching a page.
    WebFetch "fetching pages" => ToolCall::new(ToolAction::WebFetch(WebFetch {
        url: "https://example.com/".to_owned(),
        prompt: None,
    }));
    /// Searching the web.
    WebSearch "searching the web" => ToolCall::new(ToolAction::WebSearch(WebSearch { query: "a".to_owned() }));
    /// Giving a task to a subagent.
    Subagent "starting subagents" => ToolCall::new(ToolAction::Subagent(SubagentTask {
        prompt: "a".to_owned(),
        ..SubagentTask::default()
    }));
    /// Reading a resource of a tool server.
    McpResource "reading resources of tool servers" => ToolCall::new(ToolAction::McpResource(McpResource {
        server: Some("server".to_owned()),
        name: "resource".to_owned(),
        uri: None,
    }));
}

/// A tool of a vendor's client.
#[derive(Clone, Copy, Debug)]
pub struct ClientTool {
    /// What matchers are tested against for it: its name, then further ones.
    pub names: &'static [&'static str],
    /// What it does; empty for what only this vendor has.
    pub does: &'static [ToolKind],
    /// Whether it stands beside the usual tool of its kind: a matcher for the kind need not name it.
    pub beside: bool,
    /// Whether only older clients have it: matchers may name it, and none is written with it.
    pub retired: bool,
}

impl ClientTool {
    /// A usual tool.
    #[must_use]
    pub const fn usual(names: &'static [&'static str], does: &'static [ToolKind]) -> Self {
        Self { names, does, beside: false, retired: false }
    }

    /// A tool beside the usual one of its kind.
    #[must_use]
    pub const fn beside(names: &'static [&'static str], does: &'static [ToolKind]) -> Self {
        Self { names, does, beside: true, retired: false }
    }

    /// A tool that only older clients have.
    #[must_use]
    pub const fn retired(names: &'static [&'static str], does: &'static [ToolKind]) -> Self {
        Self { names, does, beside: true, retired: true }
    }

    /// Whether it does something of a kind.
    #[must_use]
    pub fn can(&self, kind: ToolKind) -> bool {
        self.does.contains(&kind)
    }
}

/// A folder that a variable in a command stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Folder {
    /// The project's root.
    Project,
    /// A plugin's folder.
    Plugin,
    /// A plugin's data folder.
    PluginData,
}

/// What a vendor's files can say of a definition beside event, matcher, command and time limit.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "a table of keys that are there or not")]
pub struct Keys {
    /// That a failure blocks.
    pub fail_closed: bool,
    /// That it runs in the background.
    pub background: bool,
    /// That a block in the background wakes the model.
    pub rewake: bool,
    /// How often it makes the turn go on.
    pub loop_limit: bool,
    /// Another command for Windows.
    pub windows: bool,
    /// Arguments, for a start without a shell.
    pub args: bool,
    /// Which shell.
    pub shell: bool,
    /// A text while it runs.
    pub status_message: bool,
    /// How much text it gives the model.
    pub context_limit: bool,
}

/// What says in a command where the project's root is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectRoot {
    /// A variable that the client sets.
    Variable(&'static str),
    /// The client names no project: words of a shell find the root of the repository around the session's folder.
    Repository(&'static str),
}

impl ProjectRoot {
    /// What stands for it in a command, inside double quotes too. `below` is the project's folder from the root of its
    /// repository, with `/`; empty for the root itself.
    #[must_use]
    pub fn in_command(self, below: &str) -> String {
        match self {
            Self::Variable(name) => format!("${name}"),
            Self::Repository(words) if below.is_empty() => words.to_owned(),
            Self::Repository(words) => {
                let escaped = below.chars().flat_map(|c| "\"\\$`".contains(c).then_some('\\').into_iter().chain([c]));
                std::iter::once('/').chain(escaped).fold(words.to_owned(), |mut text, c| {
                    text.push(c);
                    text
                })
            }
        }
    }

    /// The path that a bridge has to be told, where the client does not name the project and it is not the repository's root.
    pub(super) fn to_tell(self, below: &str) -> Option<&str> {
        (matches!(self, Self::Repository(_)) && !below.is_empty()).then_some(below)
    }
}

/// What a vendor's files can say: the facts that carrying a definition over hangs on.
#[derive(Debug)]
pub struct ConfigFacts {
    /// The project's document, from the project's root.
    pub document: &'static str,
    /// Further documents of a project that hold hooks, with their languages: hooks are added to one of them where hooks
    /// stand in it already and none in [`Self::document`].
    pub beside: &'static [(&'static str, Syntax)],
    /// Members that a new document begins with, as JSON.
    pub head: &'static [(&'static str, &'static str)],
    /// The language of matchers.
    pub language: Language,
    /// The tools of the client, as far as hooks see them.
    pub tools: &'static [ClientTool],
    /// How the client does what it has no tool with hooks for, where that is known: a phrase about it.
    pub otherwise: &'static [(&'static [ToolKind], &'static str)],
    /// Kinds of subagents that go by another name elsewhere: the name here, and the common one.
    pub agents: &'static [(&'static str, &'static str)],
    /// Variables that stand for folders in commands; [`HostSide::hook_variables`] has all.
    pub folders: &'static [(&'static str, Folder)],
    /// What says in a command where the project's root is.
    pub project_root: ProjectRoot,
    /// Whether time limits are whole seconds.
    pub whole_seconds: bool,
    /// What else can be said.
    pub keys: Keys,
    /// How often a definition may make its turn go on where it says nothing; `None` for no limit.
    pub default_loop_limit: Option<u32>,
    /// What a person has to do before hooks that were written run.
    pub then: &'static [&'static str],
    /// How the rows are known; what stands in the adapter's other tables has its own evidence there.
    pub evidence: Evidence,
}

/// A definition to be written in a vendor's form.
#[derive(Clone, Debug)]
pub struct NewDefinition {
    /// The event, in the vendor's spelling.
    pub event: &'static str,
    /// The matcher's text; `None` for none.
    pub matcher: Option<String>,
    /// What it runs. What the vendor's [`Keys`] cannot say is not in it.
    pub handler: Handler,
    /// Seconds, where they are not the event's usual ones.
    pub timeout_s: Option<f64>,
    /// What a failure means.
    pub failure: FailurePolicy,
    /// How often it makes the turn go on, where that is not the usual number.
    pub loop_limit: Option<LoopLimit>,
    /// How much text it gives the model, in the vendor's unit.
    pub context_limit: Option<u64>,
    /// What is shown while it runs.
    pub status_message: Option<String>,
}

impl NewDefinition {
    /// The time limit as a JSON number, without a fraction where it has none.
    #[must_use]
    pub fn timeout(&self) -> Option<RawJson> {
        // Infinite and undefined numbers are none in JSON.
        RawJson::parse(&self.timeout_s?.to_string()).ok()
    }
}

/// [`ConfigSide::tree`] of a vendor whose documents are JSON.
///
/// # Errors
///
/// As there.
pub fn json_tree(vendor: &VendorId, syntax: Syntax, bytes: &[u8]) -> Result<Node, SyntaxError> {
    if syntax != Syntax::Json {
        let message = format!("{vendor} reads no hooks in that language");
        return Err(SyntaxError { message, range: 0..0, kind: SyntaxFault::Syntax });
    }
    parse_json(bytes, JsonRules { byte_order_mark: true, lone_surrogates: true })
}

/// The side of an adapter that writes definitions.
pub trait ConfigSide: HostSide {
    /// What the vendor's files can say.
    fn config(&self) -> &'static ConfigFacts;

    /// A document's text as a tree, whatever its client makes of it: what is added to it is put beside what is there.
    ///
    /// # Errors
    ///
    /// What is wrong and where; a language that the vendor's hooks are not written in is wrong as such.
    fn tree(&self, syntax: Syntax, bytes: &[u8]) -> Result<Node, SyntaxError> {
        json_tree(self.vendor(), syntax, bytes)
    }

    /// The JSON Pointer of a definition in its document.
    fn pointer(&self, place: &Place) -> String;

    /// How the names of tool servers' tools look that matchers on an event are tested against; any of several. Empty
    /// where the event is not about tools.
    fn server_tool_names(&self, event: &EventFacts) -> &'static [NameForm];

    /// Whether the client runs handlers of a type on an event.
    fn runs(&self, event: &EventFacts, kind: HandlerKind) -> bool;

    /// Writes a definition: the JSON of one element of the event's array, in one line. A client without the event's
    /// groups gets an entry, one with groups a group with one handler.
    fn write(&self, new: &NewDefinition) -> String;
}
