//! The command of a hook: whether what it names is there and can be run, whether its text means what it seems to where the
//! vendor runs it, and whether what it exits with arrives.
//!
//! Only what is certain is said. A path that a running shell alone could tell, a program behind a loop or a condition, a
//! folder that may not be looked at: about these there is silence.

mod danger;
mod exec;
mod file;
mod guard;
mod interpreter;
pub(crate) mod look;
pub(crate) mod place;
mod quoting;
mod script;
pub(crate) mod shell;
mod variables;

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_conformance::{Given, sample};
use hooks_core::document::{Node, pointer_to};
use hooks_core::effects::Verdict;
use hooks_core::facts::{Control, EventFacts, Exit2};
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::location::{Base, Location, Platform};
use hooks_core::outcome::{Invocation, Program, ShellKind};
use hooks_core::{
    Binding, Code, DecodePolicy, Definition, Diagnostic, Effect, Envelope, HookEffects, HostSide, Outcome, Reach,
    Severity, Source, State, VendorSources,
};

use super::Input;
use look::{Disk, Look};
use place::Text;
use shell::{Piece, Script, Word};

/// What there is to tell, in any order; each diagnostic has its document's path.
#[must_use]
pub fn check(input: &Input<'_>) -> Vec<Diagnostic> {
    check_with(input, &Disk::new(input.root, input.home))
}

/// The same with another view of the file system.
pub(crate) fn check_with(input: &Input<'_>, look: &dyn Look) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let session = OnceCell::new();
    // The definitions of a document stand together; its tree is read once.
    for run in input.definitions.chunk_by(|one, next| Arc::ptr_eq(&one.source, &next.source)) {
        let tree = run.first().and_then(|definition| place::tree_as_meant(&definition.source));
        let objects = tree.as_ref().map(place::objects).unwrap_or_default();
        for definition in run {
            let Handler::Command(handler) = &definition.handler else { continue };
            if matches!(definition.state, State::Inert(_)) {
                // It never runs, which the adapter has told.
                continue;
            }
            let range = (definition.range.start, definition.range.end);
            let pointers = objects.get(&range).map(Vec::as_slice).unwrap_or_default();
            let entries = tree.iter().flat_map(|tree| {
                pointers.iter().filter_map(|pointer| Some((place::at(tree, pointer)?, pointer.as_str())))
            });
            let Some(case) = Case::new(input, look, &session, definition, handler, entries.collect()) else { continue };
            case.check(&mut found);
        }
    }
    found
}

/// The longest command that is looked at, in bytes. Linux starts no program with a longer argument (`MAX_ARG_STRLEN`), so that
/// no shell gets such a text.
const LONGEST: usize = 128 << 10;

/// The language that a command's text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// That of `sh` and its descendants.
    Posix,
    /// PowerShell's.
    PowerShell,
    /// That of `cmd.exe`.
    Cmd,
    /// None: a program and its arguments.
    Exec,
}

/// Where a hook runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folder {
    /// Always here.
    Fixed(PathBuf),
    /// Where the session stands: usually, not always, in the project's root.
    Session(PathBuf),
}

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Fixed(path) | Self::Session(path) => path,
        }
    }
}

/// One command with all that is known of how its vendor runs it.
pub(crate) struct Case<'a> {
    pub input: &'a Input<'a>,
    pub look: &'a dyn Look,
    pub definition: &'a Definition,
    pub adapter: &'a dyn HostSide,
    pub facts: &'static EventFacts,
    /// Its text, with its places.
    pub command: Text,
    /// Its arguments, where it has a list of them.
    pub args: Vec<Text>,
    pub language: Language,
    /// What the vendor starts.
    pub program: Program,
    pub folder: Folder,
    /// Whether the document lies where its vendor looks, so that paths can be followed.
    pub placed: bool,
    /// Whether a login shell reads the text, which sets `PATH` anew.
    pub login: bool,
    /// The variables that documents set for the whole session, once somebody asks.
    session: &'a OnceCell<HashSet<String>>,
    envelope: Envelope,
}

/// What a run that ends in some way comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Upshot {
    /// What the event is about is blocked.
    Blocks,
    /// It goes on although the event could have held it back.
    GoesOnUnguarded,
    /// It goes on, as it always does.
    Nothing,
}

impl Upshot {
    /// What happens, as the end of a sentence that tells what the run does.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Blocks => "which blocks what it is asked about, every time",
            Self::GoesOnUnguarded => "and what it should guard goes on",
            Self::Nothing => "and nothing else happens",
        }
    }
}

impl<'a> Case<'a> {
    fn new(
        input: &'a Input<'a>,
        look: &'a dyn Look,
        session: &'a OnceCell<HashSet<String>>,
        definition: &'a Definition,
        handler: &CommandHandler,
        entries: Vec<(&Node, &str)>,
    ) -> Option<Self> {
        let vendor = input.vendors.iter().find(|vendor| *vendor.adapter.vendor() == definition.vendor)?;
        let adapter = &*vendor.adapter;
        let facts = adapter.event(&definition.place.event)?;
        let root = input.root.to_string_lossy();
        let mut envelope = sample::envelope(adapter, facts.name, &Given::default())?;
        envelope.common.project_dir = Some(root.clone().into_owned());
        envelope.common.workspace_roots = vec![root.into_owned()];
        envelope.common.cwd = SESSION.to_owned();
        let invocation = adapter.encode(&Binding::alone(definition.clone()), &envelope, &mut Vec::new()).ok()?;
        let folder = match invocation.cwd.as_str() {
            SESSION => Folder::Session(input.root.to_owned()),
            folder => Folder::Fixed(PathBuf::from(folder)),
        };
        let (command, args) = texts(definition, handler, &entries, input.platform);
        Some(Self {
            input,
            look,
            session,
            definition,
            adapter,
            facts,
            command,
            args,
            language: language(&invocation, input.platform),
            program: invocation.program,
            folder,
            placed: is_placed(adapter, input, &definition.source),
            login: false,
            envelope,
        })
    }

    fn check(&self, found: &mut Vec<Diagnostic>) {
        if self.command.text.trim().is_empty() || self.command.text.len() > LONGEST {
            return;
        }
        let mut told = Told { case: self, found };
        match self.language {
            Language::Exec => {
                exec::check(self, &mut told);
                danger::in_arguments(self, &mut told);
                script::in_arguments(self, &mut told);
            }
            Language::Posix => {
                let of_another = variables::of_another_shell(self, &mut told);
                if quoting::is_broken(self, &mut told) {
                    return;
                }
                let Ok(script) = shell::read(&self.command.text) else { return };
                if let Some(inner) = self.inner(&script) {
                    // The other shell's text is all that there is to say something of.
                    return inner.check(told.found);
                }
                danger::check(self, &script, &mut told);
                variables::check(self, &script, &mut told);
                if of_another || quoting::backslashes(self, &script, &mut told) {
                    // No path in it is what it seems to be.
                    return;
                }
                let ran = script::check(self, &script, &mut told);
                guard::check(self, &script, ran, &mut told);
            }
            Language::PowerShell | Language::Cmd => {
                variables::of_another_shell(self, &mut told);
            }
        }
    }

    /// The command as it is to the shell that it does nothing but start: `bash -c '...'`.
    fn inner(&self, script: &Script) -> Option<Self> {
        let [command] = script.commands.as_slice() else { return None };
        let silenced = command.redirections.iter().all(|(operator, _)| operator.starts_with("2>"));
        if script.compound || command.nested || !command.assignments.is_empty() || !silenced {
            return None;
        }
        let (first, rest) = command.words.split_first()?;
        let shell = interpreter::of(&first.literal()?)?;
        let interpreter::Given::Text(word) =
            shell.script(rest).filter(|_| shell.family == interpreter::Family::Shell)?
        else {
            return None;
        };
        // What stands in double quotes the first shell expands: the text of a substitution is not known.
        if word.pieces.iter().any(|piece| matches!(piece, Piece::Substitution { .. })) {
            return None;
        }
        let login = rest.iter().map_while(Word::literal).any(|option| shell.is_login(&option));
        let command = self.command.quoted(&word.range)?;
        Some(Self {
            command,
            args: Vec::new(),
            program: self.program.clone(),
            folder: self.folder.clone(),
            envelope: self.envelope.clone(),
            login: self.login || login,
            ..*self
        })
    }

    /// Whether a document of the vendor sets a variable for the session, as `env` in settings does. Of the three vendors one
    /// has such settings.
    pub(crate) fn is_in_settings(&self, name: &str) -> bool {
        let is_own = |vendor: &&VendorSources| vendor.adapter.vendor().as_str() == "claude";
        let read = || {
            let documents = self.input.vendors.iter().filter(is_own).flat_map(|vendor| &vendor.documents);
            let has_env = |source: &Source| source.bytes.windows(5).any(|part| part == b"\"env\"");
            let trees = documents.filter(|it| has_env(&it.source)).filter_map(|it| place::tree(&it.source));
            let names = |tree: Node| -> Option<Vec<String>> {
                let env = tree.as_object()?.get("env")?.as_object()?;
                Some(env.members.iter().map(|member| member.key.clone()).collect())
            };
            trees.filter_map(names).flatten().collect()
        };
        self.definition.vendor.as_str() == "claude" && self.session.get_or_init(read).contains(name)
    }

    /// Whether the hook is there to hold something back: a failure of it then costs a guard.
    pub(crate) const fn guards(&self) -> bool {
        matches!(self.facts.control, Control::Permission { .. })
            || matches!(self.facts.exit_2, Exit2::Deny | Exit2::Halt | Exit2::Refuse)
    }

    /// An error where a guard is lost, else a warning.
    pub(crate) const fn loss(&self) -> Severity {
        if self.guards() { Severity::Error } else { Severity::Warning }
    }

    fn decode(&self, outcome: &Outcome) -> HookEffects {
        let binding = Binding::alone(self.definition.clone());
        self.adapter.decode(&binding, &self.envelope, outcome, DecodePolicy::default())
    }

    /// Whether the vendor calls a run that ended so a failed one.
    pub(crate) fn fails(&self, outcome: &Outcome) -> bool {
        self.decode(outcome).failure.is_some()
    }

    /// What an outcome of the hook comes to, by the vendor's own rules.
    pub(crate) fn upshot(&self, outcome: &Outcome) -> Upshot {
        let said = self.decode(outcome);
        let blocks = said.effects.iter().any(|effect| match effect {
            Effect::Verdict { verdict, .. } => *verdict == Verdict::Deny,
            Effect::Halt(_) | Effect::Continue(_) => true,
            _ => false,
        });
        match (blocks, self.guards()) {
            (true, _) => Upshot::Blocks,
            (false, true) => Upshot::GoesOnUnguarded,
            (false, false) => Upshot::Nothing,
        }
    }

    /// What an exit code comes to, with nothing on standard output.
    pub(crate) fn exits(&self, code: i32) -> Upshot {
        self.upshot(&Outcome { stderr: b"not run".to_vec(), ..Outcome::exited(code, "") })
    }

    /// The vendor's name for a person.
    pub(crate) fn vendor(&self) -> &'static str {
        called(self.definition.vendor.as_str())
    }

    /// Whether the hook belongs to a plugin, as far as is known.
    pub(crate) fn is_plugins(&self) -> bool {
        self.definition.source.plugin.is_some() || self.definition.source.origin == hooks_core::Origin::Plugin
    }
}

/// Stands for the session's directory when the vendor is asked where a hook runs.
const SESSION: &str = "/\u{1}session";

/// The name of a vendor in sentences.
pub(crate) fn called(vendor: &str) -> &'static str {
    match vendor {
        "cursor" => "Cursor",
        "claude" => "Claude Code",
        "codex" => "Codex",
        _ => "the vendor",
    }
}

/// Diagnostics about one command, each with its place.
pub(crate) struct Told<'c, 'f> {
    case: &'c Case<'c>,
    found: &'f mut Vec<Diagnostic>,
}

impl Told<'_, '_> {
    /// A diagnostic about bytes of a text of the command; without bytes, about all of it.
    pub(crate) fn at(
        &self,
        code: &'static Code,
        text: &Text,
        part: Option<&Range<usize>>,
        message: String,
    ) -> Diagnostic {
        let range = part.map_or_else(|| text.whole.clone(), |part| text.range(part));
        let mut found = Diagnostic::new(code, Reach::Entry, message).at(range);
        found.pointer.clone_from(&text.pointer);
        found.path.clone_from(&self.case.definition.source.path);
        found.silent()
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }
}

fn language(invocation: &Invocation, platform: Platform) -> Language {
    let windows = platform == Platform::Windows;
    match &invocation.program {
        Program::ShellText { shell, .. } => match shell {
            ShellKind::PowerShell => Language::PowerShell,
            ShellKind::Sh | ShellKind::UserLogin if windows => Language::Cmd,
            _ => Language::Posix,
        },
        _ => Language::Exec,
    }
}

/// The command's text and its arguments, with their places in the document.
fn texts(
    definition: &Definition,
    handler: &CommandHandler,
    entries: &[(&Node, &str)],
    platform: Platform,
) -> (Text, Vec<Text>) {
    let source = &definition.source;
    // What runs on Windows only is read there only.
    let (text, keys): (&str, &[&str]) = match &handler.windows {
        Some(windows) if platform == Platform::Windows => (windows, &["commandWindows", "command_windows"]),
        _ => (&handler.command, &["command"]),
    };
    let has = |node: &Node, key: &str| node.as_object().is_some_and(|object| object.get(key).is_some());
    let entry = keys.iter().find_map(|key| Some((entries.iter().copied().find(|(node, _)| has(node, key))?, key)));
    let Some(((node, pointer), key)) = entry else {
        let somewhere = |text: &str| Text::somewhere(source, &definition.range, text);
        return (somewhere(text), handler.args.iter().flatten().map(|arg| somewhere(arg)).collect());
    };
    let member = |key: &str| node.as_object().and_then(|object| object.get(key));
    let command = member(key).and_then(|node| Text::of(source, node, pointer_to(pointer, key)));
    let command = command.filter(|command| command.text == text);
    let listed = handler.args.is_some().then(|| member("args")).flatten().and_then(Node::as_array);
    let base = pointer_to(pointer, "args");
    let args = listed.into_iter().flatten().enumerate();
    let args = args.filter_map(|(index, arg)| Text::of(source, arg, format!("{base}/{index}"))).collect();
    (command.unwrap_or_else(|| Text::somewhere(source, &definition.range, text)), args)
}

/// Whether a document lies where its vendor looks for one of its origin, in this project or beside it. Of any other file it
/// is not known which folder is the project's root.
fn is_placed(adapter: &dyn HostSide, input: &Input<'_>, source: &Source) -> bool {
    let path = Path::new(&source.path);
    if source.plugin.is_some() {
        return true;
    }
    adapter.locations().iter().any(|location| match location.base {
        Base::Project | Base::ProjectToCwd | Base::CheckoutToCwd => {
            path.strip_prefix(input.root).is_ok_and(|below| fits(below, location))
        }
        _ => location.origin == source.origin && ends(path, location),
    })
}

fn fits(below: &Path, location: &Location) -> bool {
    match location.base {
        Base::Project => below == Path::new(location.path),
        _ => below.ends_with(location.path),
    }
}

fn ends(path: &Path, location: &Location) -> bool {
    match location.path.split_once('*') {
        Some((folder, _)) => path.parent().is_some_and(|parent| parent.ends_with(folder.trim_matches('/'))),
        None => path.ends_with(location.path.trim_start_matches('/')),
    }
}
