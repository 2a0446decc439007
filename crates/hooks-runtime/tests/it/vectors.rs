//! The vendors' fold vectors through the dispatcher: real processes that print what the vectors' hooks printed, and end in
//! the order the vectors give.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hooks_conformance::format::{EndSpec, Fold, Given, Kind, Vector, VectorFile};
use hooks_conformance::{Filter, VectorForm as _, load, run, sample};
use hooks_core::activate::{AdmitAll, activate};
use hooks_core::adapter::{DecodePolicy, Encoded, HostSide, Parsed, Rulings, Subject};
use hooks_core::boundary::Boundary;
use hooks_core::definition::{Binding, BindingId, Definition};
use hooks_core::diagnostic::Code;
use hooks_core::effects::{HookEffects, reduce};
use hooks_core::envelope::Envelope;
use hooks_core::facts::EventFacts;
use hooks_core::handler::{CommandHandler, Handler};
use hooks_core::json::RawJson;
use hooks_core::location::Location;
use hooks_core::matcher::{Matched, Matcher, PatternError};
use hooks_core::outcome::Outcome;
use hooks_core::policy::MergePolicy;
use hooks_core::settle::settle;
use hooks_core::source::Source;
use hooks_core::tool::{InputRefused, Projected, ToolCall};
use hooks_core::{HostProfile, SessionState, VendorId, VendorSources, Version};
use hooks_runtime::{FireOptions, Firing, fire};
use tokio::task::JoinSet;

use crate::support::ALONE;

/// The face of a vendor that a vector is about.
fn face(vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
    let version = |latest: Version| match client {
        Some(client) => client.rsplit(' ').next().and_then(|version| version.parse().ok()),
        None => Some(latest),
    };
    Some(match (vendor, profile) {
        ("cursor", None) => Arc::new(adapter_cursor::seed()),
        ("cursor", Some("phase1")) => Arc::new(adapter_cursor::phase1()),
        ("cursor", Some("vendor")) => Arc::new(adapter_cursor::vendor()),
        ("claude", _) => {
            use adapter_claude::{Adapter, DIALECT, Options};
            Arc::new(Adapter::new(&DIALECT, version(DIALECT.latest)?, Options::default()))
        }
        ("codex", _) => {
            use adapter_codex::{Adapter, DIALECT, Options};
            Arc::new(Adapter::new(&DIALECT, version(DIALECT.latest)?, Options::default()))
        }
        _ => return None,
    })
}

/// An adapter whose hooks have run already: it says what their runs came to in the dispatcher, in declared order.
#[derive(Debug)]
struct Recorded {
    inner: Arc<dyn HostSide>,
    effects: BTreeMap<u32, HookEffects>,
}

impl HostSide for Recorded {
    fn vendor(&self) -> &VendorId {
        self.inner.vendor()
    }
    fn version(&self) -> Version {
        self.inner.version()
    }
    fn events(&self) -> &'static [&'static EventFacts] {
        self.inner.events()
    }
    fn codes(&self) -> &'static [&'static Code] {
        self.inner.codes()
    }
    fn locations(&self) -> &'static [Location] {
        self.inner.locations()
    }
    fn parse(&self, source: &Arc<Source>) -> Parsed {
        self.inner.parse(source)
    }
    fn precedence(&self, source: &Source) -> i32 {
        self.inner.precedence(source)
    }
    fn rule(&self, documents: &[Parsed]) -> Rulings {
        self.inner.rule(documents)
    }
    fn blank(&self, event: &str) -> Option<Definition> {
        self.inner.blank(event)
    }
    fn matcher(&self, event: &str, text: Option<&str>) -> (Matcher, Option<PatternError>) {
        self.inner.matcher(event, text)
    }
    fn subject<'e>(&self, event: &EventFacts, envelope: &'e Envelope) -> Subject<'e> {
        self.inner.subject(event, envelope)
    }
    fn condition(&self, definition: &Definition, envelope: &Envelope) -> Matched {
        self.inner.condition(definition, envelope)
    }
    fn encode(&self, binding: &Binding, envelope: &Envelope, stdin: &mut Vec<u8>) -> Encoded {
        self.inner.encode(binding, envelope, stdin)
    }
    fn decode(&self, binding: &Binding, _: &Envelope, _: &Outcome, _: DecodePolicy) -> HookEffects {
        self.effects.get(&binding.declared).cloned().expect("a run for each hook")
    }
    fn merge_policy(&self, boundary: Boundary) -> &'static MergePolicy {
        self.inner.merge_policy(boundary)
    }
    fn tool_names(&self, call: &ToolCall) -> Vec<String> {
        self.inner.tool_names(call)
    }
    fn tool_call(&self, name: &str, input: &RawJson) -> ToolCall {
        self.inner.tool_call(name, input)
    }
    fn project(&self, original: &ToolCall, rewritten: &RawJson) -> Result<Projected, InputRefused> {
        self.inner.project(original, rewritten)
    }
}

/// Writes the scripts of a vector's hooks: each waits until the one that ends before it has, prints, and exits.
fn scripts(folder: &Path, fold: &Fold) -> Vec<String> {
    let write = |name: String, bytes: Vec<u8>| std::fs::write(folder.join(name), bytes).unwrap();
    fold.hooks
        .iter()
        .enumerate()
        .map(|(at, hook)| {
            let bytes = |text: &Option<hooks_conformance::format::Text>| text.as_ref().map(|text| text.bytes());
            write(format!("{at}.out"), bytes(&hook.outcome.stdout).unwrap_or_default());
            write(format!("{at}.err"), bytes(&hook.outcome.stderr).unwrap_or_default());
            let EndSpec::Exited(code) = hook.outcome.end else { panic!("a hook that does not exit: {hook:?}") };
            let wait = match hook.finishes.checked_sub(1) {
                None => String::new(),
                // The time lets the runtime notice the end of the one before.
                Some(before) => format!("until [ -e ended.{before} ]; do sleep 0.02; done; sleep 0.12\n"),
            };
            let ended = hook.finishes;
            let script = format!(
                "cd '{}'\n{wait}cat {at}.out; cat {at}.err >&2; : > ended.{ended}; exit {code}\n",
                folder.display()
            );
            write(format!("{at}.sh"), script.into_bytes());
            format!("sh '{}/{at}.sh'", folder.display())
        })
        .collect()
}

/// Fires a vector's hooks; `None` when they did not end in the order they should, on a busy machine.
async fn dispatched(inner: &Arc<dyn HostSide>, event: &str, fold: &Fold) -> Option<(Firing, Boundary, bool)> {
    let folder = tempfile::tempdir().unwrap();
    let commands = scripts(folder.path(), fold);
    let given = fold.given.clone().unwrap_or_default();
    let mut envelope = sample::envelope(&**inner, event, &given).expect("an occurrence");
    envelope.common.cwd = folder.path().to_string_lossy().into_owned();
    envelope.common.project_dir = None;
    envelope.common.workspace_roots = vec![envelope.common.cwd.clone()];
    let blank = inner.blank(event).expect("a definition");
    let hooks = commands.into_iter().enumerate().map(|(at, command)| {
        let mut hook = blank.clone();
        hook.id = BindingId::new(&format!("{}/{at}", hook.id));
        hook.handler = Handler::Command(CommandHandler { command, ..CommandHandler::default() });
        hook
    });
    let mut parsed = Parsed::empty(Arc::clone(&blank.source));
    parsed.definitions = hooks.collect();
    let sources = vec![VendorSources { adapter: Arc::clone(inner), documents: vec![parsed] }];
    let strict = fold.policy.as_ref().and_then(|policy| policy.strict).unwrap_or(false);
    let host = HostProfile::full().strict(strict);
    let snapshot = activate(sources, &host, &AdmitAll).expect("a snapshot");
    let boundary = envelope.boundary();
    let firing = fire(&snapshot, &envelope, &host, &SessionState::default(), &FireOptions::default()).await;
    assert_eq!(firing.runs.len(), fold.hooks.len(), "every hook runs once");
    let finished = firing.runs.iter().map(|run| run.outcome.as_ref().expect("an outcome").finished);
    let in_order = finished.eq(fold.hooks.iter().map(|hook| hook.finishes));
    in_order.then_some((firing, boundary, strict))
}

/// The fold vectors that cannot be fired: their events have no boundary, so that there is no occurrence of them in a host's
/// world, no merge policy of a boundary and nothing to decide. Their effects are folded by the conformance runner alone.
const NOT_FIRED: &[&str] = &[
    "beforeTabFileRead/fold-allow-allow",
    "beforeTabFileRead/fold-allow-allow-deny",
    "beforeTabFileRead/fold-allow-deny",
    "beforeTabFileRead/fold-allow-deny-finishes-first",
    "beforeTabFileRead/fold-deny-allow-finishes-last",
];

/// Holds one vector to what its hooks came to in the dispatcher; its name where it cannot be fired.
async fn hold(file: VectorFile, vector: Vector) -> Option<String> {
    let Kind::Fold(fold) = &vector.kind else { panic!("no fold") };
    let vendor = file.vendor.clone().expect("a vendor's");
    let profile = fold.given.as_ref().and_then(|given: &Given| given.host_profile.clone()).or(vector.profile.clone());
    let inner = face(&vendor, vector.client.as_deref(), profile.as_deref()).expect("a face");
    let event = file.event_of(&vector).expect("an event").to_owned();
    if inner.event(&event).is_some_and(|facts| facts.boundary.is_none()) {
        return Some(format!("{event}/{}", vector.id));
    }
    let mut tries = 0;
    let (firing, boundary, strict) = loop {
        if let Some(done) = dispatched(&inner, &event, fold).await {
            break done;
        }
        tries += 1;
        assert!(tries < 5, "{} {}: its hooks do not end in the order they should", file.label(), vector.id);
    };
    let effects: BTreeMap<u32, HookEffects> = (0..).zip(firing.runs.iter().map(|run| run.effects.clone())).collect();
    // The dispatcher settles as the pure functions do.
    let settled = settle(reduce(effects.values().cloned()), inner.merge_policy(boundary), strict);
    assert_eq!(firing.settled.vector_form(), settled.vector_form(), "{} {}", file.label(), vector.id);
    // And what it came to is what the vector says.
    let recorded: Arc<dyn HostSide> = Arc::new(Recorded { inner, effects });
    let filter = Filter { id: Some(vector.id.clone()), kind: Some("fold".to_owned()), ..Filter::default() };
    let one = VectorFile { vectors: vec![vector], ..file };
    let report = run(&[one], &move |_: &str, _: Option<&str>, _: Option<&str>| Some(Arc::clone(&recorded)), &filter);
    assert!(report.is_ok() && report.passed == 1, "{report}");
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fold_vector_holds_through_the_dispatcher() {
    let _shared = ALONE.read().await;
    let mut all = Vec::new();
    for vendor in ["cursor", "claude", "codex"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vectors").join(vendor);
        for file in load(&folder).expect("vectors") {
            let folds = file.vectors.iter().filter(|vector| matches!(vector.kind, Kind::Fold(_)));
            all.extend(folds.cloned().map(|vector| (file.clone(), vector)));
        }
    }
    let count = all.len();
    assert!(count >= 122, "{count} vectors");
    let mut tasks = JoinSet::new();
    let (mut held, mut not_fired) = (0, Vec::new());
    while held < count {
        while tasks.len() < 6 {
            let Some((file, vector)) = all.pop() else { break };
            tasks.spawn(hold(file, vector));
        }
        not_fired.extend(tasks.join_next().await.expect("a task").expect("a vector that holds"));
        held += 1;
    }
    not_fired.sort_unstable();
    eprintln!("{} of {count} fold vectors fired", count - not_fired.len());
    assert_eq!(not_fired, NOT_FIRED);
}
