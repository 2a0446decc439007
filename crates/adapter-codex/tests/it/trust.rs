//! Trust fingerprints against those the client was seen to give.

use std::fs;
use std::sync::Arc;

use adapter_codex::trust::{Standing, Status, Trust, fingerprints, merge};
use adapter_codex::{Adapter, DIALECT};
use hooks_core::activate::{Admission, Admitted};
use hooks_core::adapter::{Parsed, TrustRecord};
use hooks_core::source::{Origin, Plugin, Role, Source, Syntax};
use hooks_core::{HostProfile, HostSide, State, VendorSources, activate};
use serde_json::{Value, json};

fn source(document: String) -> Arc<Source> {
    let vendor = Adapter::latest().vendor().clone();
    Arc::new(Source::hooks(vendor, Origin::User, Syntax::Json, "/home/u/.codex/hooks.json", document.into_bytes()))
}

#[test]
fn every_trust_vector_holds() {
    let text = fs::read_to_string(crate::fixtures("vectors/codex/trust.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let vectors = file["vectors"].as_array().unwrap();
    let mut held = 0;
    for vector in vectors.iter().filter(|vector| vector["kind"] == "trust") {
        let event = vector["event"].as_str().unwrap();
        let document = json!({"hooks": {event: [{"matcher": vector["matcher"], "hooks": [vector["handler"]]}]}});
        let found = fingerprints(&source(document.to_string()), DIALECT.latest, false);
        let [found] = found.as_slice() else { panic!("{}: {} fingerprints", vector["id"], found.len()) };
        assert_eq!(found.canonical, vector["expect"]["canonical"].as_str().unwrap(), "{}", vector["id"]);
        let hash = vector["expect"]["sha256"].as_str().unwrap();
        assert_eq!(found.hash.trim_start_matches("sha256:"), hash.trim_start_matches("sha256:"), "{}", vector["id"]);
        // A definition by itself comes to the same.
        let parsed = Adapter::latest().parse(&source(document.to_string()));
        let record = TrustRecord { key: found.key.clone(), enabled: None, trusted_hash: Some(found.hash.clone()) };
        let mut records = Parsed::empty(source(String::new()));
        records.trust.push(record);
        let advice = Adapter::latest().trust(&parsed.definitions[0], &[records]);
        assert_eq!(advice, Some(Admitted::Yes), "{}", vector["id"]);
        held += 1;
    }
    assert!(held >= 90, "{held}");
}

#[test]
fn keys_name_the_path_the_event_and_the_place() {
    let document = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"prompt"},{"type":"command","command":"a"}]}]}}"#;
    let found = fingerprints(&source(document.to_owned()), DIALECT.latest, false);
    assert_eq!(
        found.iter().map(|f| f.key.as_str()).collect::<Vec<_>>(),
        ["/home/u/.codex/hooks.json:pre_tool_use:0:1"]
    );
}

#[test]
fn on_windows_the_other_command_counts() {
    let document = |windows: &str| {
        format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"a"{windows}}}]}}]}}}}"#)
    };
    let hash = |document: String, windows| fingerprints(&source(document), DIALECT.latest, windows)[0].hash.clone();
    let both = document(r#","commandWindows":"b""#);
    assert_eq!(hash(both.clone(), false), hash(document(""), false));
    assert_ne!(hash(both, true), hash(document(""), true));
}

const HOOKS: &str = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}"#;
const KEY: &str = "/home/u/.codex/hooks.json:stop:0:0";

fn document(origin: Origin, path: &str, text: &str) -> Parsed {
    let syntax = if path.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let vendor = Adapter::latest().vendor().clone();
    Adapter::latest().parse(&Arc::new(Source::hooks(vendor, origin, syntax, path, text.as_bytes().to_vec())))
}

fn hooks() -> Parsed {
    Adapter::latest().parse(&source(HOOKS.to_owned()))
}

fn user(record: &str) -> Parsed {
    document(Origin::User, "/home/u/.codex/config.toml", &format!("[hooks.state.\"{KEY}\"]\n{record}\n"))
}

fn flags(record: &str) -> Parsed {
    let text = format!("[hooks.state.\"{KEY}\"]\n{record}\n");
    document(Origin::SessionFlags, "/<session-flags>/config.toml", &text)
}

fn hash() -> String {
    fingerprints(&source(HOOKS.to_owned()), DIALECT.latest, false)[0].hash.clone()
}

fn standing(documents: &[Parsed]) -> Standing {
    Trust::of(&Adapter::latest(), documents).standing(&documents[0].definitions[0])
}

#[test]
fn records_merge_field_by_field_and_the_later_layer_wins() {
    // Cases N1 and N2: session flags stand above the user's layer, in whatever order they are given.
    let record = |documents: &[Parsed]| merge(documents).remove(KEY).unwrap();
    let both = [flags("enabled = true"), user("enabled = false")];
    assert_eq!(record(&both).enabled, Some(true));
    let merged = record(&[user("enabled = false"), flags("trusted_hash = 'sha256:1'")]);
    assert_eq!((merged.enabled, merged.trusted_hash.as_deref()), (Some(false), Some("sha256:1")));
    let merged = record(&[user("trusted_hash = 'sha256:0'"), flags("trusted_hash = 'sha256:1'")]);
    assert_eq!((merged.enabled, merged.trusted_hash.as_deref()), (None, Some("sha256:1")));
}

#[test]
fn a_project_cannot_trust_itself() {
    let text = format!("[hooks.state.\"{KEY}\"]\ntrusted_hash = \"{}\"\n", hash());
    for origin in [Origin::Project, Origin::Local, Origin::Plugin, Origin::Managed] {
        let mut own = document(origin, "/p/.codex/config.toml", &text);
        // Even if a document came with records, they are not read.
        own.trust.push(TrustRecord { key: KEY.into(), enabled: None, trusted_hash: Some(hash()) });
        assert_eq!(standing(&[hooks(), own]).status, Status::Untrusted, "{origin}");
    }
    assert_eq!(
        standing(&[hooks(), document(Origin::User, "/home/u/.codex/config.toml", &text)]).status,
        Status::Trusted
    );
}

#[test]
fn standings_are_those_of_the_client() {
    let trusted = format!("trusted_hash = \"{}\"", hash());
    let at = |record: &str| standing(&[hooks(), user(record)]);
    assert_eq!(standing(&[hooks()]), Standing { status: Status::Untrusted, enabled: true });
    assert_eq!(at(&trusted), Standing { status: Status::Trusted, enabled: true });
    assert_eq!(at("trusted_hash = 'sha256:00'").status, Status::Modified);
    // The hash is compared as text; the client writes lower case.
    assert_eq!(at(&trusted.to_uppercase().replace("TRUSTED_HASH", "trusted_hash")).status, Status::Modified);
    assert_eq!(at(&format!("{trusted}\nenabled = false")), Standing { status: Status::Trusted, enabled: false });
    let words = [Status::Managed, Status::Trusted, Status::Modified, Status::Untrusted].map(Status::as_str);
    assert_eq!(words, ["managed", "trusted", "modified", "untrusted"]);
}

#[test]
fn what_runs_and_what_the_bypass_lets_run() {
    // Cases M8 and M9: the bypass lets an untrusted handler run, its status stays; a disabled one does not run.
    let runs = |documents: &[Parsed], bypass| standing(documents).runs(bypass);
    assert!(!runs(&[hooks()], false) && runs(&[hooks()], true));
    assert_eq!(standing(&[hooks()]).status, Status::Untrusted);
    assert!(!runs(&[hooks(), user("trusted_hash = 'sha256:00'")], false));
    assert!(!runs(&[hooks(), user("enabled = false")], true));
    assert!(runs(&[hooks(), user(&format!("trusted_hash = \"{}\"", hash()))], false));
}

#[test]
fn records_do_not_touch_what_is_managed() {
    // Cases O5 and O6.
    let path = "/etc/codex/hooks.json";
    let record = format!("[hooks.state.\"{path}:stop:0:0\"]\nenabled = false\n");
    let off = document(Origin::User, "/home/u/.codex/config.toml", &record);
    let layer = document(Origin::Managed, path, HOOKS);
    assert_eq!(standing(&[layer, off.clone()]), Standing { status: Status::Managed, enabled: true });
    let vendor = Adapter::latest().vendor().clone();
    let mut source = Source::hooks(
        vendor,
        Origin::Managed,
        Syntax::Toml,
        "r.toml",
        b"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype='command'\ncommand='a'\n".to_vec(),
    );
    source.role = Role::Requirements;
    assert_eq!(standing(&[Adapter::latest().parse(&Arc::new(source)), off]).status, Status::Managed);
}

#[test]
fn of_a_plugins_hooks_no_fingerprint_is_known() {
    let vendor = Adapter::latest().vendor().clone();
    let mut source =
        Source::hooks(vendor, Origin::Plugin, Syntax::Json, "/p/hooks/hooks.json", HOOKS.as_bytes().to_vec());
    source.plugin = Some(Plugin { name: "n".into(), marketplace: Some("m".into()), root: "/p".into(), data: None });
    let plugin = Adapter::latest().parse(&Arc::new(source));
    let key = "n@m:hooks/hooks.json:stop:0:0";
    let record = |text: &str| {
        document(Origin::User, "/home/u/.codex/config.toml", &format!("[hooks.state.\"{key}\"]\n{text}\n"))
    };
    // With the formula unknown no stored hash can be compared, so that it never runs but with the bypass.
    let stored = record(&format!("trusted_hash = \"{}\"", hash()));
    let at = standing(&[plugin.clone(), stored]);
    assert_eq!(at, Standing { status: Status::Untrusted, enabled: true });
    assert!(!at.runs(false) && at.runs(true));
    assert!(!standing(&[plugin, record("enabled = false")]).runs(true));
}

#[test]
fn activation_takes_the_rule() {
    let states = |record: Option<Parsed>, bypass: bool| {
        let adapter = Adapter::latest();
        let documents: Vec<Parsed> = std::iter::once(hooks()).chain(record).collect();
        let trust = Trust::of(&adapter, &documents).bypass(bypass);
        let sources = vec![VendorSources { adapter: Arc::new(adapter), documents }];
        let snapshot = activate(sources, &HostProfile::full(), &trust).unwrap();
        snapshot.definitions()[0].state.clone()
    };
    assert_eq!(states(None, false), State::Untrusted);
    assert_eq!(states(None, true), State::Live);
    assert_eq!(states(Some(user("trusted_hash = 'sha256:00'")), false), State::Modified);
    assert_eq!(states(Some(user(&format!("trusted_hash = \"{}\"", hash()))), false), State::Live);
    assert!(matches!(states(Some(user("enabled = false")), true), State::Disabled(_)));
    // The same as advice for hosts with a rule of their own.
    let advised = |record: Option<Parsed>| {
        let documents: Vec<Parsed> = std::iter::once(hooks()).chain(record).collect();
        Adapter::latest().trust(&documents[0].definitions[0], &documents)
    };
    assert_eq!(advised(None), Some(Admitted::Untrusted));
    assert_eq!(advised(Some(user("trusted_hash = 'sha256:00'"))), Some(Admitted::Modified));
    assert_eq!(advised(Some(user(&format!("trusted_hash = \"{}\"", hash())))), Some(Admitted::Yes));
    assert_eq!(advised(Some(user("enabled = false"))), Some(Admitted::Disabled));
    // A definition of no document that the rule was made from is not trusted.
    let stranger = hooks().definitions.remove(0);
    assert_eq!(Trust::default().admit(&stranger, None), Admitted::Untrusted);
}

#[test]
fn editing_what_is_hashed_and_moving_ask_again() {
    // Vendor page, section 6.
    let trusted = || user(&format!("trusted_hash = \"{}\"", hash()));
    let edited = HOOKS.replace("\"a\"", "\"b\"");
    assert_eq!(standing(&[Adapter::latest().parse(&source(edited)), trusted()]).status, Status::Modified);
    let moved = HOOKS.replace("\"Stop\"", "\"Interrupt\"");
    assert_eq!(standing(&[Adapter::latest().parse(&source(moved)), trusted()]).status, Status::Untrusted);
    let unknown = HOOKS.replace("\"command\":", "\"note\":1,\"command\":");
    assert_eq!(standing(&[Adapter::latest().parse(&source(unknown)), trusted()]).status, Status::Trusted);
}

#[test]
fn limits_hash_as_the_client_says() {
    // Case M1: absent and 2500 alike; 20000 and 0 each otherwise; case M2: ignored on Stop.
    let hash = |event: &str, limit: &str| {
        let text = format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{{"type":"command","command":"a"{limit}}}]}}]}}}}"#);
        fingerprints(&source(text), DIALECT.latest, false)[0].hash.clone()
    };
    let limit = |number: u64| format!(",\"additionalContextLimit\":{number}");
    for event in ["PreToolUse", "PostToolUse", "SessionStart", "UserPromptSubmit", "SubagentStart"] {
        let absent = hash(event, "");
        assert_eq!(hash(event, &limit(2500)), absent, "{event}");
        assert_ne!(hash(event, &limit(0)), absent, "{event}");
        assert_ne!(hash(event, &limit(20_000)), absent, "{event}");
        assert_ne!(hash(event, &limit(20_000)), hash(event, &limit(0)), "{event}");
    }
    assert_eq!(hash("Stop", &limit(4096)), hash("Stop", ""));
}
