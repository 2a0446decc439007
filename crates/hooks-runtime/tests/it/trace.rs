//! What a subscriber sees, with the feature `tracing`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};

use hooks_core::{HostProfile, HostSide, SessionState};
use hooks_runtime::discover::this_platform;
use hooks_runtime::{FireOptions, ForeignFiles, Places, Reloader, TrustStore, fire};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::ALONE;
use crate::toy::{Toy, command, one};

#[derive(Default)]
struct Fields(BTreeMap<String, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

/// What was told on one thread: spans and events, and the level and the fields that each kind of them declares.
#[derive(Default)]
struct Seen {
    kinds: BTreeMap<String, (String, BTreeSet<String>)>,
    lines: Vec<BTreeMap<String, String>>,
}

thread_local! {
    /// `None` where nobody listens.
    static SEEN: RefCell<Option<Seen>> = const { RefCell::new(None) };
}

/// The process's only subscriber: whether somebody listens is cached by place in the source, for all threads, so that
/// subscribers that come and go beside other tests would miss some.
struct Listener(AtomicU64);

fn note(name: Option<&str>, metadata: &Metadata<'_>, mut fields: Fields) {
    SEEN.with_borrow_mut(|seen| {
        let Some(seen) = seen else { return };
        if let Some(name) = name {
            fields.0.insert("message".to_owned(), name.to_owned());
        }
        let declared = metadata.fields().iter().map(|field| field.name().to_owned());
        let kind = (metadata.level().to_string(), declared.filter(|field| field != "message").collect());
        let name = fields.0["message"].clone();
        let before = seen.kinds.insert(name.clone(), kind.clone());
        assert!(before.is_none_or(|before| before == kind), "{name} has two forms");
        seen.lines.push(fields.0);
    });
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "hooks_runtime"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        note(Some(span.metadata().name()), span.metadata(), fields);
        Id::from_u64(self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}
    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        note(None, event.metadata(), fields);
    }

    fn enter(&self, _span: &Id) {}
    fn exit(&self, _span: &Id) {}
}

/// From here on what this thread is told is written down.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| tracing::subscriber::set_global_default(Listener(AtomicU64::new(0))).unwrap());
    SEEN.set(Some(Seen::default()));
}

fn heard() -> Seen {
    SEEN.take().unwrap()
}

#[tokio::test]
async fn every_step_is_told_with_stable_names() {
    let _shared = ALONE.read().await;
    listen();
    let snapshot =
        one(vec![Toy::default().hook(0, "before", "echo deny no"), Toy::default().hook(1, "before", "exit 3")]);
    fire(&snapshot, &command("ls"), &HostProfile::full(), &SessionState::default(), &FireOptions::default()).await;
    let lines = heard().lines;
    let messages: Vec<_> = lines.iter().map(|line| line["message"].as_str()).collect();
    assert_eq!(
        messages,
        [
            "hooks.firing",
            "selected",
            "started",
            "started",
            "hooks.run",
            "hooks.run",
            "completed",
            "completed",
            "decided"
        ]
    );
    let of = |at: usize| (lines[at]["event"].as_str(), lines[at]["binding"].as_str());
    assert_eq!((of(4), of(5)), (of(2), of(3)));
    assert_eq!((lines[0]["boundary"].as_str(), lines[0]["session"].as_str()), ("tool.before", "s"));
    assert_eq!(lines[1]["count"], "2");
    assert_eq!((lines[2]["vendor"].as_str(), lines[2]["event"].as_str()), ("toy", "before"));
    assert_eq!((lines[7]["end"].as_str(), lines[7]["status"].as_str()), ("exited 3", "failed"));
    assert!(lines[7]["failure"].contains("code 3") && lines[7].contains_key("duration_ms"));
    assert_eq!((lines[8]["action"].as_str(), lines[8]["runs"].as_str()), ("deny", "2"));
}

/// Does everything that is told of, once.
#[tokio::test]
async fn the_page_and_what_is_sent_name_the_same_spans_events_and_fields() {
    let _shared = ALONE.read().await;
    listen();
    let folder = tempfile::tempdir().unwrap();
    let none = |_: &str| None;
    let places = Places {
        project: folder.path().to_owned(),
        cwd: folder.path().to_owned(),
        home: None,
        platform: this_platform(),
        system: None,
        variable: &none,
    };
    let host = HostProfile::full();
    let mut store = TrustStore::open(folder.path().join("trust.json")).unwrap();
    let adapters: Vec<Arc<dyn HostSide>> = vec![Arc::new(Toy::default())];
    let mut reloader = Reloader::start(adapters, ForeignFiles::Once, &places, host.clone(), &store).unwrap();
    reloader.reload(&places, &store);

    let known = crate::trust::hook(folder.path(), 0, "true");
    store.add([&known], None).unwrap();
    let unknown = crate::trust::hook(folder.path(), 1, "echo unknown");
    let left_out = crate::trust::snapshot(vec![known, unknown], &store);
    let (session, options) = (SessionState::default(), FireOptions::default());
    fire(&left_out, &command("ls"), &host, &session, &options).await;

    let toy = Toy::default();
    let mut quiet = toy.hook(1, "before", "echo context later");
    crate::toy::command_of(&mut quiet).background = hooks_core::handler::Background::Async;
    let hooks = vec![toy.hook(0, "before", "echo rewrite rm"), quiet];
    let other = Toy::of("other");
    let guard = other.hook(1, "before", "true");
    let both = crate::toy::snapshot(vec![(toy, hooks), (other, vec![guard])]);
    let mut firing = fire(&both, &command("ls"), &host, &session, &options).await;
    while firing.late.next().await.is_some() {}

    let page: BTreeMap<String, (String, BTreeSet<String>)> = crate::page::rows("Spans and events")
        .into_iter()
        .map(|(name, cells)| (name, (cells[0].first().unwrap().clone(), cells[1].clone())))
        .collect();
    assert_eq!(heard().kinds, page);
}
