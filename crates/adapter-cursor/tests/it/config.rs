//! Diagnostics of Cursor's own file: what they point at, what they say, and what they would mend.

use std::time::Duration;

use adapter_cursor::{phase1, seed, vendor};
use hooks_core::adapter::Parsed;
use hooks_core::definition::{FailurePolicy, State};
use hooks_core::source::{Origin, Plugin, Role, Source};
use hooks_core::{Diagnostic, HostSide, LoopLimit, Reach, Severity};

use crate::support::{parse, source};

fn about<'p>(parsed: &'p Parsed, about: &str) -> &'p Diagnostic {
    let found: Vec<_> = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.code.about == about).collect();
    assert_eq!(found.len(), 1, "{about}: {:?}", parsed.diagnostics);
    found[0]
}

/// The text a diagnostic points at.
fn at<'t>(text: &'t str, diagnostic: &Diagnostic) -> &'t str {
    &text[diagnostic.range.clone().expect("a range")]
}

/// The text with a diagnostic's edits made.
fn mended(text: &str, diagnostic: &Diagnostic) -> String {
    crate::support::mended(text, &diagnostic.edits)
}

#[test]
fn every_fault_points_at_what_is_wrong() {
    for (text, word, pointed, pointer, reach) in [
        (r#"{"version":0,"hooks":{}}"#, "unsupported-version", "0", "/version", Reach::File),
        (r#"{"version":1,"hooks":{"Stop":[]}}"#, "unknown-event", "\"Stop\"", "/hooks/Stop", Reach::Event),
        (r#"{"version":1,"hooks":{"a/b~c":[]}}"#, "unknown-event", "\"a/b~c\"", "/hooks/a~1b~0c", Reach::Event),
        (r#"{"version":1,"hooks":{"stop":{}}}"#, "wrong-type", "{}", "/hooks/stop", Reach::File),
        (r#"{"version":1,"hooks":[]}"#, "wrong-type", "[]", "/hooks", Reach::File),
        (r#"[1]"#, "wrong-type", "[1]", "", Reach::File),
        (r#"{"version":1,"hooks":{"stop":["x"]}}"#, "wrong-type", "\"x\"", "/hooks/stop/0", Reach::File),
        (
            r#"{"version":1,"hooks":{"stop":[{"timeout":5}]}}"#,
            "missing-field",
            "{\"timeout\":5}",
            "/hooks/stop/0",
            Reach::File,
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"command":"x","timeout":0}]}}"#,
            "timeout-not-positive",
            "0",
            "/hooks/stop/0/timeout",
            Reach::File,
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"command":"x","type":"http"}]}}"#,
            "unknown-handler-type",
            "\"http\"",
            "/hooks/stop/0/type",
            Reach::File,
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"command":"x","loopLimit":1}]}}"#,
            "unknown-field",
            "\"loopLimit\"",
            "/hooks/stop/0/loopLimit",
            Reach::Entry,
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"command":"x","matcher":"("}]}}"#,
            "matcher-not-regex",
            "\"(\"",
            "/hooks/stop/0/matcher",
            Reach::Entry,
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"command":" "}]}}"#,
            "empty-command",
            "\" \"",
            "/hooks/stop/0/command",
            Reach::Entry,
        ),
        (
            r#"{"version":1,"hooks":{"stop":[{"command":"x"}],"stop":[]}}"#,
            "repeated-key",
            "\"stop\"",
            "/hooks/stop",
            Reach::Event,
        ),
        (r#"{"version":1,"hooks":{},}"#, "not-json", ",", "", Reach::File),
        ("// note\n{\"version\":1,\"hooks\":{}}", "not-json", "// note", "", Reach::File),
        ("\u{feff}{\"version\":1,\"hooks\":{}}", "not-json", "\u{feff}", "", Reach::File),
    ] {
        let parsed = parse(&vendor(), text);
        let diagnostic = about(&parsed, word);
        assert_eq!(at(text, diagnostic), pointed, "{text}");
        assert_eq!(diagnostic.pointer.as_deref(), Some(pointer), "{text}");
        assert_eq!(diagnostic.reach, reach, "{text}");
        assert_eq!(diagnostic.path, "/p/.cursor/hooks.json");
        assert!(!diagnostic.help.is_empty() && !diagnostic.message.is_empty());
        assert_eq!(parsed.rejected, reach == Reach::File, "{text}");
        if parsed.rejected {
            assert!(parsed.definitions.iter().all(|definition| definition.state != State::Live), "{text}");
        }
    }
}

#[test]
fn edits_mend_what_they_are_about() {
    for (text, word) in [
        (r#"{"version":"1","hooks":{}}"#, "unsupported-version"),
        (r#"{"hooks":{}}"#, "missing-field"),
        (r#"{"version":1,"hooks":{"before_shell_execution":[]}}"#, "unknown-event"),
        (r#"{"version":1,"hooks":{"UserPromptSubmit":[]}}"#, "unknown-event"),
        (r#"{"version":1,"hooks":{"onSessionStart":[]}}"#, "unknown-event"),
        (r#"{"version":1,"hooks":{"stop":[{"command":"x","fail_closed":true}]}}"#, "unknown-field"),
        (r#"{"version":1,"hooks":{"stop":[{"command":"x","timeout":10000}]}}"#, "timeout-in-milliseconds"),
    ] {
        let parsed = parse(&seed(), text);
        let mended = mended(text, about(&parsed, word));
        let again = parse(&seed(), &mended);
        assert!(again.diagnostics.is_empty(), "{text} became {mended}: {:?}", again.diagnostics);
    }
    let capped = r#"{"version":1,"hooks":{"stop":[{"command":"x","loop_limit":null}]}}"#;
    let parsed = parse(&phase1(), capped);
    let mended = mended(capped, about(&parsed, "loop-limit-capped"));
    assert!(parse(&phase1(), &mended).diagnostics.is_empty(), "{mended}");
}

#[test]
fn a_skipped_guard_is_louder_than_a_skipped_observer() {
    let severity = |event: &str| {
        let text = format!(r#"{{"version":1,"hooks":{{"{event}":[{{"command":"x","matcher":"("}}]}}}}"#);
        about(&parse(&vendor(), &text), "matcher-not-regex").severity
    };
    assert_eq!(severity("beforeShellExecution"), Severity::Error);
    assert_eq!(severity("stop"), Severity::Warning);
}

#[test]
fn skipped_entries_stay_with_their_place_and_the_reason() {
    let text = r#"{"version":1,"hooks":{"preToolUse":[
        {"command":"bad","matcher":"("},{"type":"prompt","prompt":"p","model":"m"},{"command":"good","failClosed":true}]}}"#;
    let parsed = parse(&seed(), text);
    let states: Vec<_> =
        parsed.definitions.iter().map(|d| (d.place.index, d.state.word(), d.handler.label())).collect();
    assert_eq!(states, [(0, "inert", "bad".into()), (1, "inert", "p".into()), (2, "live", "good".into())]);
    assert_eq!(parsed.definitions[2].failure, FailurePolicy::Closed);
    let id = parsed.definitions[2].id.as_str();
    assert!(id.ends_with("/p/.cursor/hooks.json#preToolUse[0][2]"), "{id}");
    let message = &about(&parsed, "matcher-not-regex").message;
    assert!(message.contains("/p/.cursor/hooks.json") && message.contains("preToolUse[0][0]"), "{message}");
}

/// Case C051: the help says what is different about Cursor's entries.
#[test]
fn entries_in_claudes_shape_are_told_how_to_be_flat() {
    let text =
        r#"{"version":1,"hooks":{"preToolUse":[{"matcher":"Shell","hooks":[{"type":"command","command":"x"}]}]}}"#;
    let parsed = parse(&vendor(), text);
    assert!(parsed.rejected);
    assert!(about(&parsed, "missing-field").help.contains("flat"));
}

#[test]
fn timeouts_are_seconds_of_any_size() {
    let timeout = |number: &str| {
        let text = format!(r#"{{"version":1,"hooks":{{"stop":[{{"command":"x","timeout":{number}}}]}}}}"#);
        parse(&vendor(), &text).definitions[0].timeout
    };
    assert_eq!(timeout("2.5"), Duration::from_millis(2500));
    assert!(timeout("1e300") > Duration::from_secs(1000) && timeout("1e999") < Duration::from_secs(1 << 32));
    // Seen with clients of 2026; the first design has a default for each boundary.
    let text = r#"{"version":1,"hooks":{"sessionEnd":[{"command":"x"}],"preToolUse":[{"command":"x"}]}}"#;
    let seconds = |parsed: Parsed| parsed.definitions.iter().map(|d| d.timeout.as_secs()).collect::<Vec<_>>();
    assert_eq!(seconds(parse(&vendor(), text)), [60, 60]);
    assert_eq!(seconds(parse(&seed(), text)), [5, 30]);
}

#[test]
fn plugins_may_leave_the_version_out_and_name_their_root() {
    let text = r#"{"hooks":{"stop":[{"command":"${CURSOR_PLUGIN_ROOT}/stop.sh","loop_limit":null}]}}"#;
    let mut plugin: Source = (*source(Origin::Plugin, "/plugins/p/hooks/hooks.json", text)).clone();
    plugin.plugin = Some(Plugin { name: "p".into(), root: "/plugins/p".into(), ..Plugin::default() });
    let parsed = vendor().parse(&plugin.clone().into());
    assert!(!parsed.rejected && parsed.diagnostics.is_empty());
    assert_eq!(parsed.definitions[0].loop_limit, Some(LoopLimit::Unlimited));
    assert!(seed().parse(&plugin.into()).rejected);
}

#[test]
fn hooks_inside_a_plugins_manifest_are_read() {
    let text = r#"{"name":"p","hooks":{"stop":[{"command":"x"}]}}"#;
    let mut manifest: Source = (*source(Origin::Plugin, "/plugins/p/.cursor-plugin/plugin.json", text)).clone();
    manifest.role = Role::PluginManifest;
    let parsed = vendor().parse(&manifest.clone().into());
    assert_eq!(parsed.definitions.len(), 1);
    manifest.bytes = br#"{"name":"p","hooks":"hooks/hooks.json"}"#.to_vec().into();
    let parsed = vendor().parse(&manifest.into());
    assert!(parsed.definitions.is_empty() && parsed.diagnostics.is_empty());
}

#[test]
fn documents_stand_in_cursors_order_of_priority() {
    let place = |origin| vendor().precedence(&source(origin, "/x/hooks.json", ""));
    let order = [Origin::Managed, Origin::Team, Origin::Project, Origin::User].map(place);
    assert_eq!(order, [1, 2, 3, 4]);
    let claude = |origin, path: &str| vendor().precedence(&source(origin, path, ""));
    assert_eq!(claude(Origin::Local, "/p/.claude/settings.local.json"), 5);
    assert_eq!(claude(Origin::Project, "/p/.claude/settings.json"), 6);
    assert_eq!(claude(Origin::User, "C:\\Users\\u\\.claude\\settings.json"), 7);
    for location in vendor().locations() {
        let mut source = (*source(location.origin, location.path, "")).clone();
        source.role = location.role;
        assert_eq!(vendor().precedence(&source), i32::from(location.precedence), "{}", location.path);
    }
}

#[test]
fn messages_show_no_control_characters() {
    let text = "{\"version\":1,\"hooks\":{\"\\u001b[31mstop\":[],\"stop\":[{\"command\":\"x\",\"\\u202ekey\":1}]}}";
    for diagnostic in parse(&vendor(), text).diagnostics {
        assert!(!diagnostic.message.contains(['\u{1b}', '\u{202e}']), "{}", diagnostic.message);
    }
}

/// Hooks page, configuration: where documents lie on each platform, and which directory their hooks run in. A team's lie
/// where no page says, and Claude's files name no directory.
#[test]
fn documents_lie_where_the_page_says() {
    use hooks_core::location::{Base, HookCwd, Platform};
    let ours: Vec<_> = vendor()
        .locations()
        .iter()
        .map(|location| {
            (location.origin, location.platform, location.base, location.path, location.precedence, location.cwd)
        })
        .collect();
    let managed = |platform, path| (Origin::Managed, Some(platform), Base::Absolute, path, 1, HookCwd::Document);
    let claude = |origin, base, path, place| (origin, None, base, path, place, HookCwd::ProjectRoot);
    assert_eq!(
        ours,
        [
            managed(Platform::MacOs, "/Library/Application Support/Cursor/hooks.json"),
            managed(Platform::Linux, "/etc/cursor/hooks.json"),
            managed(Platform::Windows, "C:/ProgramData/Cursor/hooks.json"),
            (Origin::Project, None, Base::Project, ".cursor/hooks.json", 3, HookCwd::ProjectRoot),
            (Origin::User, None, Base::Home, ".cursor/hooks.json", 4, HookCwd::Document),
            claude(Origin::Local, Base::Project, ".claude/settings.local.json", 5),
            claude(Origin::Project, Base::Project, ".claude/settings.json", 6),
            claude(Origin::User, Base::Home, ".claude/settings.json", 7),
        ]
    );
    let names: Vec<_> = adapter_cursor::locations::VARIABLES.iter().map(|variable| variable.name).collect();
    assert_eq!(
        names,
        [
            "CURSOR_PROJECT_DIR",
            "CURSOR_VERSION",
            "CLAUDE_PROJECT_DIR",
            "CURSOR_USER_EMAIL",
            "CURSOR_TRANSCRIPT_PATH",
            "CURSOR_CODE_REMOTE",
            "CURSOR_PLUGIN_ROOT",
            "CLAUDE_PLUGIN_ROOT"
        ]
    );
    for variable in adapter_cursor::locations::VARIABLES {
        assert!(!variable.about.is_empty() && !variable.evidence.source.is_empty(), "{}", variable.name);
    }
}
