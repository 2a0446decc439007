//! What a subscriber sees, with the feature `tracing`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use hooks_core::{HostProfile, SessionState};
use hooks_runtime::{FireOptions, fire};
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

/// Writes down spans and events.
#[derive(Clone, Default)]
struct Seen {
    lines: Arc<Mutex<Vec<BTreeMap<String, String>>>>,
    next: Arc<AtomicU64>,
}

impl Subscriber for Seen {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "hooks_runtime"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        fields.0.insert("message".to_owned(), span.metadata().name().to_owned());
        self.lines.lock().unwrap().push(fields.0);
        Id::from_u64(self.next.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}
    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.lines.lock().unwrap().push(fields.0);
    }

    fn enter(&self, _span: &Id) {}
    fn exit(&self, _span: &Id) {}
}

#[tokio::test]
async fn every_step_is_told_with_stable_names() {
    let _shared = ALONE.read().await;
    let seen = Seen::default();
    let _here = tracing::subscriber::set_default(seen.clone());
    let snapshot =
        one(vec![Toy::default().hook(0, "before", "echo deny no"), Toy::default().hook(1, "before", "exit 3")]);
    fire(&snapshot, &command("ls"), &HostProfile::full(), &SessionState::default(), &FireOptions::default()).await;
    let lines = seen.lines.lock().unwrap();
    let messages: Vec<_> = lines.iter().map(|line| line["message"].as_str()).collect();
    assert_eq!(messages, ["hooks.firing", "selected", "started", "started", "completed", "completed", "decided"]);
    assert_eq!((lines[0]["boundary"].as_str(), lines[0]["session"].as_str()), ("tool.before", "s"));
    assert_eq!(lines[1]["count"], "2");
    assert_eq!((lines[2]["vendor"].as_str(), lines[2]["event"].as_str()), ("toy", "before"));
    assert_eq!((lines[5]["end"].as_str(), lines[5]["status"].as_str()), ("exited 3", "failed"));
    assert!(lines[5]["failure"].contains("code 3") && lines[5].contains_key("duration_ms"));
    assert_eq!((lines[6]["action"].as_str(), lines[6]["runs"].as_str()), ("deny", "2"));
}
