//! Documents beyond the vectors: places in both languages, managed requirements, switches, order.

use std::sync::Arc;

use adapter_codex::{Adapter, DIALECT, Options};
use hooks_core::activate::AdmitAll;
use hooks_core::adapter::{Parsed, Switch};
use hooks_core::diagnostic::Reach;
use hooks_core::source::{Origin, Plugin, Role, Source, Syntax};
use hooks_core::{Handler, HostProfile, HostSide, State, VendorSources, Version, activate};

fn source(origin: Origin, role: Role, path: &str, text: &str) -> Source {
    let syntax = if path.ends_with(".toml") { Syntax::Toml } else { Syntax::Json };
    let mut source = Source::hooks(Adapter::latest().vendor().clone(), origin, syntax, path, text.as_bytes().to_vec());
    source.role = role;
    source
}

fn parsed(origin: Origin, role: Role, path: &str, text: &str) -> Parsed {
    Adapter::latest().parse(&Arc::new(source(origin, role, path, text)))
}

#[test]
fn faults_have_their_place_in_both_languages() {
    for (path, text) in [
        ("hooks.json", r#"{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[{"type":"command","command":"a"}]}]}}"#),
        (
            "config.toml",
            "[[hooks.PreToolUse]]\nmatcher = '('\n[[hooks.PreToolUse.hooks]]\ntype='command'\ncommand='a'\n",
        ),
    ] {
        let parsed = parsed(Origin::User, Role::Hooks, path, text);
        let [found] = parsed.diagnostics.as_slice() else { panic!("{:?}", parsed.diagnostics) };
        assert_eq!(found.code.id, "codex/matcher-not-regex");
        assert_eq!(found.pointer.as_deref(), Some("/hooks/PreToolUse/0/matcher"));
        let shown = &text[found.range.clone().unwrap()];
        assert!(shown == "\"(\"" || shown == "'('", "{shown}");
        assert_eq!(parsed.definitions.len(), 1);
        assert!(matches!(parsed.definitions[0].state, State::Inert(_)));
    }
}

#[test]
fn a_dropped_file_keeps_its_definitions_inert() {
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"http"}]}]},"version":1}"#;
    let parsed = parsed(Origin::User, Role::Hooks, "hooks.json", text);
    assert!(parsed.rejected);
    assert!(parsed.definitions.iter().all(|definition| matches!(definition.state, State::Inert(_))));
    assert_eq!(parsed.definitions.len(), 1);
    assert_eq!(parsed.diagnostics.len(), 2);
    assert!(parsed.diagnostics.iter().all(|found| found.path == "hooks.json"));
}

#[test]
fn wrong_case_says_what_to_write() {
    let text = r#"{"hooks":{"preToolUse":[],"pre_tool_use":[],"PreToolUse":[{"hooks":[{"type":"command","command":"a","TimeOut":1}]}]}}"#;
    let parsed = parsed(Origin::User, Role::Hooks, "hooks.json", text);
    let helps: Vec<_> = parsed.diagnostics.iter().map(|found| found.help.as_ref()).collect();
    assert_eq!(helps, ["Write `PreToolUse`.", "Write `PreToolUse`.", "Write `timeout`."]);
}

#[test]
fn matchers_that_never_match_are_told() {
    let text = r#"{"hooks":{"SessionStart":[{"matcher":"start|resume","hooks":[]}],
        "PreToolUse":[{"matcher":"mcp__memory|MultiEdit|Bash|mcp__memory__x","hooks":[]},{"matcher":"mcp__memory.*","hooks":[]}]}}"#;
    let parsed = parsed(Origin::User, Role::Hooks, "hooks.json", text);
    let found: Vec<_> = parsed.diagnostics.iter().map(|found| (found.code.about, found.help.as_ref())).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|(about, _)| *about == "matcher-never-matches"));
    assert!(found.iter().any(|(_, help)| help.contains("mcp__memory__.*")));
}

#[test]
fn trust_records_are_read_from_the_user_only() {
    let text = "[hooks.state.\"a:stop:0:0\"]\nenabled = false\ntrusted_hash = 'sha256:00'\n";
    let user = parsed(Origin::User, Role::Hooks, "config.toml", text);
    assert_eq!(user.trust.len(), 1);
    assert_eq!((user.trust[0].key.as_str(), user.trust[0].enabled), ("a:stop:0:0", Some(false)));
    assert_eq!(user.trust[0].trusted_hash.as_deref(), Some("sha256:00"));
    let project = parsed(Origin::Project, Role::Hooks, "config.toml", text);
    assert!(project.trust.is_empty() && !project.rejected);
    assert_eq!(project.diagnostics[0].code.about, "trust-record-ignored");
    let wrong = parsed(Origin::User, Role::Hooks, "config.toml", "[hooks.state.k]\nenabled = 'no'\n");
    assert!(wrong.rejected);
}

const BROKEN: &str = "[[hooks.PreToolUse]]\nmatcher = '('\n[[hooks.PreToolUse.hooks]]\ntype='command'\ncommand='a'\n";

fn activated(version: Version, sources: &[Source]) -> hooks_core::Activated {
    let adapter = Adapter::new(&DIALECT, version, Options::default());
    let documents = sources.iter().map(|source| adapter.parse(&Arc::new(source.clone()))).collect();
    activate(vec![VendorSources { adapter: Arc::new(adapter), documents }], &HostProfile::full(), &AdmitAll)
}

#[test]
fn managed_hooks_that_cannot_be_loaded_refuse_the_session() {
    let requirements = |text: &str| [source(Origin::Managed, Role::Requirements, "/etc/codex/requirements.toml", text)];
    assert!(activated(DIALECT.latest, &requirements(BROKEN)).is_err());
    assert!(activated(Version::new(0, 147, 0), &requirements(BROKEN)).is_ok());
    assert!(activated(DIALECT.latest, &requirements("[[hooks.PreToolUse]]\nmatcher = '('\n")).is_ok());
    assert!(activated(DIALECT.latest, &requirements("[hooks]\nStop = 1\n")).is_err());
    for handler in
        ["type='command'\ncommand=' '", "type='prompt'", "type='agent'", "type='mcp_tool'\nserver=''\ntool='t'"]
    {
        let text = format!("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\n{handler}\n");
        assert!(activated(DIALECT.latest, &requirements(&text)).is_err(), "{handler}");
    }
    // With the feature off nothing is checked.
    assert!(activated(DIALECT.latest, &requirements(&format!("features.hooks = false\n{BROKEN}"))).is_ok());
    // The same fault in a configuration layer stays a warning.
    let layer = source(Origin::Managed, Role::Hooks, "/etc/codex/config.toml", BROKEN);
    assert_eq!(Adapter::latest().parse(&Arc::new(layer.clone())).diagnostics[0].reach, Reach::Group);
    assert!(activated(DIALECT.latest, &[layer]).is_ok());
}

const STOP_JSON: &str = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"json"}]}]}}"#;
const STOP_TOML: &str = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype='command'\ncommand='toml'\n";

#[test]
fn only_managed_hooks_run_when_requirements_say_so() {
    let sources = [
        source(Origin::User, Role::Hooks, "/u/hooks.json", STOP_JSON),
        source(
            Origin::Managed,
            Role::Requirements,
            "/etc/codex/requirements.toml",
            &format!("allow_managed_hooks_only = true\n{STOP_TOML}"),
        ),
    ];
    let snapshot = activated(DIALECT.latest, &sources).unwrap();
    let live: Vec<_> = snapshot.bindings().iter().map(|binding| binding.source.path.as_str()).collect();
    assert_eq!(live, ["/etc/codex/requirements.toml"]);
    // In a configuration file the key does nothing.
    let user = parsed(Origin::User, Role::Hooks, "config.toml", "allow_managed_hooks_only = true\n");
    assert!(!user.switches.contains(&Switch::ManagedOnly(true)));
    assert_eq!(user.diagnostics[0].code.about, "switch-ignored");
}

#[test]
fn the_feature_switch_stops_all_documents() {
    let on = source(Origin::Project, Role::Hooks, "/p/.codex/hooks.json", STOP_JSON);
    let off = source(Origin::User, Role::Hooks, "/u/config.toml", "[features]\nhooks = false\n");
    let snapshot = activated(DIALECT.latest, &[on.clone(), off.clone()]).unwrap();
    assert!(snapshot.bindings().is_empty());
    assert!(matches!(snapshot.definitions()[0].state, State::Disabled(_)));
    let pinned = source(Origin::Managed, Role::Requirements, "/etc/codex/requirements.toml", "features.hooks = true\n");
    assert_eq!(activated(DIALECT.latest, &[on, off, pinned]).unwrap().bindings().len(), 1);
}

#[test]
fn a_pin_or_a_later_layer_overrules_a_switch_in_the_same_document() {
    // Vendor page, section 4: requirements may pin the feature; else the last layer counts.
    let own = source(Origin::User, Role::Hooks, "/u/config.toml", &format!("features.hooks = false\n{STOP_TOML}"));
    let live = |others: &[Source]| {
        let sources: Vec<Source> = std::iter::once(own.clone()).chain(others.iter().cloned()).collect();
        activated(DIALECT.latest, &sources).unwrap().bindings().len()
    };
    assert_eq!(live(&[]), 0);
    let pin = |on| {
        let text = format!("[features]\nhooks = {on}\n");
        source(Origin::Managed, Role::Requirements, "/etc/codex/requirements.toml", &text)
    };
    assert_eq!(live(&[pin(true)]), 1);
    assert_eq!(live(&[pin(false)]), 0);
    let flag = |on: bool| {
        source(Origin::SessionFlags, Role::Hooks, "/<session-flags>/config.toml", &format!("features.hooks = {on}\n"))
    };
    assert_eq!(live(&[flag(true)]), 1);
    assert_eq!(live(&[flag(false), pin(true)]), 1);
    assert_eq!(live(&[flag(true), pin(false)]), 0);
    // What only the organisation may run does not come back with it.
    let only = source(
        Origin::Managed,
        Role::Requirements,
        "/etc/codex/requirements.toml",
        "allow_managed_hooks_only = true\nfeatures.hooks = true\n",
    );
    assert_eq!(live(&[only]), 0);
    // Nor does what the document itself skips.
    let broken = source(Origin::User, Role::Hooks, "/u/config.toml", &format!("features.hooks = false\n{BROKEN}"));
    assert_eq!(activated(DIALECT.latest, &[broken, pin(true)]).unwrap().bindings().len(), 0);
}

#[test]
fn a_faulty_record_in_session_flags_is_skipped_alone() {
    // Cases N4 and M10. In the user's file client 0.171.0 takes it for a fault of the whole configuration.
    let text = format!("[hooks.state.a]\nenabled = 'no'\n[hooks.state.b]\nenabled = false\n{STOP_TOML}");
    let flags = parsed(Origin::SessionFlags, Role::Hooks, "/<session-flags>/config.toml", &text);
    assert!(!flags.rejected && flags.definitions.len() == 1);
    assert_eq!(flags.trust.iter().map(|record| record.key.as_str()).collect::<Vec<_>>(), ["b"]);
    let [found] = flags.diagnostics.as_slice() else { panic!("{:?}", flags.diagnostics) };
    assert_eq!((found.code.about, found.pointer.as_deref()), ("trust-record-skipped", Some("/hooks/state/a/enabled")));
    assert!(parsed(Origin::User, Role::Hooks, "/u/config.toml", &text).rejected);
}

#[test]
fn both_documents_of_a_layer_run() {
    // Case O12 and corpus case `codex-json-and-toml-in-one-layer`.
    let sources = [
        source(Origin::Project, Role::Hooks, "/p/.codex/config.toml", STOP_TOML),
        source(Origin::Project, Role::Hooks, "/p/.codex/hooks.json", STOP_JSON),
    ];
    let snapshot = activated(DIALECT.latest, &sources).unwrap();
    let labels: Vec<_> = snapshot.bindings().iter().map(|binding| binding.handler.label()).collect();
    assert_eq!(labels, ["json", "toml"]);

    let documents: Vec<Parsed> =
        sources.iter().map(|source| Adapter::latest().parse(&Arc::new(source.clone()))).collect();
    let [both] = &Adapter::latest().across(&documents)[..] else { panic!("one warning") };
    assert_eq!((both.code.about, both.path.as_str()), ("two-documents-in-one-layer", "/p/.codex/config.toml"));
    let elsewhere = parsed(Origin::User, Role::Hooks, "/u/.codex/config.toml", STOP_TOML);
    assert!(Adapter::latest().across(&[documents[1].clone(), elsewhere]).is_empty());
}

#[test]
fn documents_stand_in_the_vendors_order() {
    let sources = [
        source(Origin::SessionFlags, Role::Hooks, "/<session-flags>/config.toml", STOP_TOML),
        source(Origin::Project, Role::Hooks, "/p/sub/.codex/hooks.json", STOP_JSON),
        source(Origin::Project, Role::Hooks, "/p/.codex/config.toml", STOP_TOML),
        source(Origin::Project, Role::Hooks, "/p/.codex/hooks.json", STOP_JSON),
        source(Origin::User, Role::Hooks, "/home/u/.codex/config.toml", STOP_TOML),
        source(Origin::User, Role::Hooks, "/home/u/.codex/hooks.json", STOP_JSON),
        source(Origin::Managed, Role::Hooks, "/etc/codex/hooks.json", STOP_JSON),
    ];
    let snapshot = activated(DIALECT.latest, &sources).unwrap();
    let order: Vec<_> = snapshot.bindings().iter().map(|binding| binding.source.path.as_str()).collect();
    let mut wanted: Vec<_> = sources.iter().map(|source| source.path.as_str()).collect();
    wanted.reverse();
    assert_eq!(order, wanted);
}

#[test]
fn events_stand_in_the_fixed_order_whatever_the_file() {
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"b"}]}],"PreToolUse":[{"hooks":[{"type":"command","command":"a"}]}]}}"#;
    let parsed = parsed(Origin::User, Role::Hooks, "hooks.json", text);
    let order: Vec<_> = parsed.definitions.iter().map(|definition| definition.place.event.as_str()).collect();
    assert_eq!(order, ["PreToolUse", "Stop"]);
}

#[test]
fn inline_hooks_of_a_plugin_are_read() {
    let text = format!(r#"{{"name":"p","hooks":[{STOP_JSON},"./more.json"]}}"#);
    let parsed = parsed(Origin::Plugin, Role::PluginManifest, ".codex-plugin/plugin.json", &text);
    assert_eq!(parsed.definitions.len(), 1);
    assert!(!parsed.rejected);

    // Each object counts its groups for itself; the path in its keys says which (vendor page, section 6).
    let text = format!(r#"{{"hooks":[{STOP_JSON},{STOP_JSON}]}}"#);
    let mut twice = source(Origin::Plugin, Role::PluginManifest, "/p/.codex-plugin/plugin.json", &text);
    let plugin = Plugin { name: "demo".into(), marketplace: Some("test".into()), root: "/p".into(), data: None };
    twice.plugin = Some(plugin);
    let parsed = Adapter::latest().parse(&Arc::new(twice));
    let keys: Vec<_> = parsed.definitions.iter().filter_map(adapter_codex::trust::record_key).collect();
    assert_eq!(
        keys,
        [
            "demo@test:.codex-plugin/plugin.json#hooks[0]:stop:0:0",
            "demo@test:.codex-plugin/plugin.json#hooks[1]:stop:0:0"
        ]
    );
    assert_ne!(parsed.definitions[0].id, parsed.definitions[1].id);
}

#[test]
fn inputs_of_tools_keep_their_digits_and_order() {
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"s","tool":"t","input":{"z":1.0,"a":12345678901234567890123}}]}]}}"#;
    let parsed = parsed(Origin::User, Role::Hooks, "hooks.json", text);
    let Handler::McpTool(tool) = &parsed.definitions[0].handler else { panic!("no tool") };
    assert_eq!(tool.input.get(), r#"{"z":1.0,"a":12345678901234567890123}"#);
}

#[test]
fn manifests_name_documents_inside_the_plugin() {
    // Vendor page, section 7: a given path replaces the default.
    let named = |manifest: &str| adapter_codex::locations::plugin_documents(manifest.as_bytes()).join(" ");
    for default in [r#"{"name":"p"}"#, r#"{"hooks":5}"#, r#"{"hooks":[5]}"#, "{", "[]"] {
        assert_eq!(named(default), "hooks/hooks.json", "{default}");
    }
    assert_eq!(named(r#"{"hooks":"./a.json"}"#), "a.json");
    assert_eq!(named(r#"{"hooks":["./a.json","./sub/b.json"]}"#), "a.json sub/b.json");
    for outside in ["a.json", "/a.json", "./../a.json", "./x/../../a.json"] {
        assert_eq!(named(&format!(r#"{{"hooks":"{outside}"}}"#)), "", "{outside}");
    }
    assert_eq!(named(r#"{"hooks":{"hooks":{}}}"#), "");
    assert_eq!(named(r#"{"hooks":[{"hooks":{}}]}"#), "");
}

#[test]
fn a_switch_of_another_type_switches_nothing_and_is_an_error() {
    let hook = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'a'\n";
    for (role, switch, pointer) in [
        (Role::Hooks, "[features]\nhooks = 'false'\n", "/features/hooks"),
        (Role::Hooks, "[features]\ncodex_hooks = 0\n", "/features/codex_hooks"),
        (Role::Hooks, "features = false\n", "/features"),
        (Role::Requirements, "allow_managed_hooks_only = 'true'\n", "/allow_managed_hooks_only"),
    ] {
        let found = parsed(Origin::User, role, "config.toml", &format!("{switch}{hook}"));
        let [fault] = found.diagnostics.as_slice() else { panic!("{switch}: {:?}", found.diagnostics) };
        assert_eq!((fault.code.id, fault.pointer.as_deref()), ("codex/switch-wrong-type", Some(pointer)));
        assert!(found.switches.is_empty() && !found.rejected, "{switch}");
        assert_eq!(found.definitions[0].state, State::Live, "{switch}");
    }
    // The older name still counts where the newer one is no switch.
    let text = format!("[features]\nhooks = 'true'\ncodex_hooks = false\n{hook}");
    let found = parsed(Origin::User, Role::Hooks, "config.toml", &text);
    assert_eq!(found.switches, [Switch::Feature(false)]);
}
