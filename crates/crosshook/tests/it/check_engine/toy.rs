//! Mending with an adapter whose diagnostics are made up: edits that overlap, that lie, and that never come to rest.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crosshook::adapter::{DecodePolicy, Encoded, Parsed, Subject};
use crosshook::check::fix::{Mended, Which, mend};
use crosshook::check::{Request, check};
use crosshook::diagnostic::{Code, Diagnostic, Reach, Severity};
use crosshook::envelope::Envelope;
use crosshook::facts::EventFacts;
use crosshook::json::RawJson;
use crosshook::location::Location;
use crosshook::matcher::{Matcher, PatternError};
use crosshook::policy::MergePolicy;
use crosshook::tool::{InputRefused, Projected, ToolCall};
use crosshook::{Binding, Boundary, Definition, HookEffects, HostSide, Outcome, Source, VendorId, Version};

use crate::support::Project;

static CODE: Code =
    Code { id: "toy/fault", about: "fault", severity: Severity::Warning, summary: "A fault.", help: "Mend it." };

/// What is told of a text.
type Faults = fn(&str) -> Vec<Diagnostic>;

/// How often adapters were asked.
#[derive(Debug, Default)]
struct Asked {
    documents: AtomicUsize,
    tools: AtomicUsize,
}

/// An adapter that counts what it is asked, and tells of made-up faults instead of its own where there are some.
#[derive(Debug)]
struct Toy(Arc<dyn HostSide>, Option<Faults>, Arc<Asked>);

fn toy(faults: Faults) -> Arc<dyn HostSide> {
    Arc::new(Toy(crosshook::adapter("claude").unwrap(), Some(faults), Arc::default()))
}

impl HostSide for Toy {
    fn vendor(&self) -> &VendorId {
        self.0.vendor()
    }

    fn version(&self) -> Version {
        self.0.version()
    }

    fn events(&self) -> &'static [&'static EventFacts] {
        self.0.events()
    }

    fn codes(&self) -> &'static [&'static Code] {
        self.0.codes()
    }

    fn locations(&self) -> &'static [Location] {
        self.0.locations()
    }

    fn parse(&self, source: &Arc<Source>) -> Parsed {
        self.2.documents.fetch_add(1, Ordering::Relaxed);
        let mut parsed = self.0.parse(source);
        let Some(faults) = self.1 else { return parsed };
        parsed.diagnostics.clear();
        for told in faults(&String::from_utf8_lossy(&source.bytes)) {
            parsed.report(told);
        }
        parsed
    }

    fn precedence(&self, source: &Source) -> i32 {
        self.0.precedence(source)
    }

    fn blank(&self, event: &str) -> Option<Definition> {
        self.0.blank(event)
    }

    fn matcher(&self, event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        self.0.matcher(event, text)
    }

    fn subject<'e>(&self, event: &EventFacts, envelope: &'e Envelope) -> Subject<'e> {
        self.0.subject(event, envelope)
    }

    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
        self.0.encode(binding, envelope, stdin)
    }

    fn decode(&self, binding: &Binding, envelope: &Envelope, outcome: &Outcome, policy: DecodePolicy) -> HookEffects {
        self.0.decode(binding, envelope, outcome, policy)
    }

    fn merge_policy(&self, boundary: Boundary) -> &'static MergePolicy {
        self.0.merge_policy(boundary)
    }

    fn tool_names(&self, call: &ToolCall) -> Vec<String> {
        self.0.tool_names(call)
    }

    fn tool_call(&self, name: &str, input: &RawJson) -> ToolCall {
        self.2.tools.fetch_add(1, Ordering::Relaxed);
        self.0.tool_call(name, input)
    }

    fn project(&self, original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
        self.0.project(original, rewritten)
    }
}

/// A settings file with one hook on an event.
fn settings(event: &str) -> String {
    format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"command","command":"echo a"}}]}}]}}}}"#)
}

fn mended(text: &str, which: Which, faults: Faults) -> Mended {
    let project = Project::new().with(".claude/settings.json", text);
    let mut request = Request::new(vec![project.root()]);
    request.adapters = vec![toy(faults)];
    mend(&request, which, &|told| told.code.id == CODE.id)
}

fn after(mended: &Mended) -> Option<String> {
    mended.files.first().map(|file| String::from_utf8(file.after.to_vec()).unwrap())
}

fn fault(message: &str) -> Diagnostic {
    Diagnostic::new(&CODE, Reach::None, message)
}

#[test]
fn what_says_that_it_changes_nothing_and_does_is_not_made() {
    let lies: Faults = |text| {
        let stop = text.find("Stop").map(|at| fault("lies").edit(at..at + 4, "Nope"));
        let blank = text.find("echo a").map(|at| fault("lies too").edit(at + 6..at + 6, "b"));
        let space = text.find("{\"hooks\":{").map(|at| fault("is honest").edit(at + 1..at + 1, " "));
        stop.into_iter().chain(blank).chain(space).collect()
    };
    let mended = mended(&settings("Stop"), Which::Safe, lies);
    assert_eq!(after(&mended), Some(settings("Stop").replacen('{', "{ ", 1)), "only the honest one");
    let refused: Vec<&str> = mended.unsafe_edits.iter().map(|made| made.message.as_str()).collect();
    assert_eq!(refused, ["lies", "lies too"]);
    assert_eq!(mended.made.len(), 1);
}

#[test]
fn what_touches_another_edit_waits_for_the_next_round() {
    let both: Faults = |text| match text.find("{\"hooks\":{") {
        Some(at) => vec![fault("one").edit(at + 1..at + 1, " "), fault("two").edit(at + 1..at + 1, " ")],
        None => Vec::new(),
    };
    let mended = mended(&settings("Stop"), Which::Safe, both);
    // After the first, the second is no fault any more.
    assert_eq!(mended.made.iter().map(|made| made.message.as_str()).collect::<Vec<_>>(), ["one"]);
}

#[test]
fn edits_that_undo_each_other_come_to_an_end() {
    let pong: Faults = |text| match text.strip_prefix("{ ") {
        Some(_) => vec![fault("a blank").edit(1..2, "")],
        None => vec![fault("no blank").edit(1..1, " ")],
    };
    let mended = mended(&settings("Stop"), Which::Safe, pong);
    assert!(mended.made.len() <= 2, "{:?}", mended.made);
    let growing: Faults = |_| vec![fault("never enough").edit(1..1, " ")];
    let mended = self::mended(&settings("Stop"), Which::Safe, growing);
    assert!(mended.made.len() < 20, "{:?}", mended.made);
}

#[test]
fn what_changes_something_is_made_only_when_asked_for_and_told_of_else() {
    let changes: Faults = |text| {
        let stop = text.find("Stop\"").map(|at| fault("is another").edit(at..at + 4, "SessionEnd").changes("it moves"));
        stop.into_iter().collect()
    };
    let safe = mended(&settings("Stop"), Which::Safe, changes);
    assert_eq!(after(&safe), None);
    assert_eq!(safe.changing.len(), 1);
    assert_eq!(safe.changing[0].changes.as_deref(), Some("it moves"));
    let all = mended(&settings("Stop"), Which::All, changes);
    assert_eq!(after(&all), Some(settings("SessionEnd")));
    assert_eq!((all.made.len(), all.changing.len()), (1, 0));
}

#[test]
fn a_file_that_would_not_be_taken_any_more_is_left() {
    let breaks: Faults = |text| match text.strip_suffix('}') {
        Some(_) => vec![fault("breaks it").edit(0..1, "").changes("it is no JSON")],
        None => Vec::new(),
    };
    let mended = mended(&settings("Stop"), Which::All, breaks);
    assert_eq!(after(&mended), None);
    assert_eq!(mended.unsafe_edits.len(), 1);
}

#[test]
fn edits_that_lie_outside_of_the_file_are_not_made() {
    let outside: Faults = |text| {
        let end = text.len();
        #[allow(clippy::reversed_empty_ranges, reason = "an edit may say anything")]
        let backwards = 5..4;
        vec![
            fault("beyond").edit(end..end + 1, ""),
            fault("turned").edit(backwards, ""),
            fault("far").edit(usize::MAX..usize::MAX, "x"),
        ]
    };
    let mended = mended(&settings("Stop"), Which::All, outside);
    assert_eq!(after(&mended), None);
    assert!(mended.files.is_empty() && mended.made.is_empty());
}

#[test]
fn a_file_that_changed_in_between_is_not_written() {
    let blank: Faults = |text| match text.find("{\"hooks\":{") {
        Some(at) => vec![fault("one").edit(at + 1..at + 1, " ")],
        None => Vec::new(),
    };
    let project = Project::new().with(".claude/settings.json", settings("Stop"));
    let mut request = Request::new(vec![project.root()]);
    request.adapters = vec![toy(blank)];
    let mended = mend(&request, Which::Safe, &|_| true);
    let root: PathBuf = project.root();
    let path = root.join(".claude/settings.json");
    std::fs::write(&path, "{}").unwrap();
    let why = mended.files[0].write(&[&root], &[]).unwrap_err();
    assert!(why.contains("changed while it was checked"), "{why}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
    std::fs::write(&path, settings("Stop")).unwrap();
    mended.files[0].write(&[&root], &[]).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), settings("Stop").replacen('{', "{ ", 1));
    let names: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names.len(), 1, "no temporary file stays: {names:?}");
}

#[test]
fn each_file_is_parsed_once_and_what_all_projects_share_is_asked_once() {
    let asked = |projects: usize, matcher: &str| {
        let mut project = Project::new();
        for at in 0..projects {
            let group = format!(r#"{{"matcher":"{matcher}","hooks":[{{"type":"command","command":"true"}}]}}"#);
            let text = format!(r#"{{"hooks":{{"PreToolUse":[{group}]}}}}"#);
            for place in [".claude/settings.json", ".codex/hooks.json"] {
                project = project.with(&format!("project-{at}/{place}"), &text);
            }
        }
        let asked = Arc::new(Asked::default());
        let mut request = Request::new(vec![project.root()]);
        request.recursive = true;
        for adapter in &mut request.adapters {
            *adapter = Arc::new(Toy(Arc::clone(adapter), None, Arc::clone(&asked)));
        }
        let checked = check(&request);
        assert_eq!(checked.projects.len(), projects);
        assert_eq!(asked.documents.load(Ordering::Relaxed), 2 * projects, "each file is parsed once");
        let told = checked.projects.iter().flat_map(|project| &project.diagnostics);
        (told.filter(|told| told.message.contains("name for a tool")).count(), asked.tools.load(Ordering::Relaxed))
    };
    // What another vendor calls a tool takes the tables of all vendors; what its own calls it takes one look.
    let (one_told, one) = asked(1, "Shell");
    let (many_told, many) = asked(40, "Shell");
    assert!(one_told > 0 && many_told == 40 * one_told, "{one_told}, {many_told}");
    assert!(many <= one + 40 * 2 * 2, "{one} questions of one project, {many} of forty");
    let (_, own) = asked(40, "Bash");
    assert!(own <= 4, "{own} questions about a tool's usual name");
}
