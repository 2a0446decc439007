//! Carried over, a matcher selects the same calls, or says that it does not.

use hooks_core::Definition;
use hooks_core::translate::proof::{differences, occurrences};
use hooks_core::translate::{Carried, Options, carry};
use proptest::prelude::*;

use super::sides::{PAIRS, SERVERS, TOOLS, WIDER, before_tools, definition, found, has, matcher, of};

fn carried(from: &str, to: &str, text: &str) -> (Definition, Carried) {
    let definition = definition(from, before_tools(from), Some(text));
    let carried = carry(&*of(from), &*of(to), &definition, &Options::default());
    (definition, carried)
}

/// Holds a carried-over matcher to every kind of call that both have, and to tools of tool servers.
fn hold(from: &str, to: &str, text: &str) -> Result<(), TestCaseError> {
    let (definition, carried) = carried(from, to, text);
    let (from_side, to_side) = (of(from), of(to));
    let names: Vec<(String, String)> = SERVERS
        .iter()
        .flat_map(|server| TOOLS.iter().map(move |tool| ((*server).to_owned(), (*tool).to_owned())))
        .collect();
    let read: Vec<Definition> = carried.elements.iter().flat_map(|element| element.read(&*to_side)).collect();
    prop_assert_eq!(read.len(), carried.elements.len());
    let read: Vec<&Definition> = read.iter().collect();
    let tried = occurrences(&*from_side, &*to_side, &names);
    for difference in differences((&*from_side, &definition), (&*to_side, &read), &tried) {
        // Where a server's name ends that has a pair of underscores in it is anybody's guess, and so is what an underscore
        // stands for in names that are folded: more may be selected, and never less.
        let about = |parts: &[&str]| parts.iter().any(|part| difference.about.contains(part));
        let is_folded = to == "codex" && text.contains('_') && about(&["-", "a.b", "x.y"]);
        if !difference.source && (is_folded || about(&["git__hub", "hub__get_issue"])) {
            continue;
        }
        let excused: &[&str] = if difference.source { &["never-ran"] } else { WIDER };
        prop_assert!(
            has(&carried, excused),
            "{} to {}, `{}`: {} ({}), {:?}, {:?}",
            from,
            to,
            text,
            difference.about,
            if difference.source { "lost" } else { "added" },
            carried.elements,
            found(&carried)
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_same_calls_are_selected_or_the_report_says_so(text in matcher(), pair in 0..PAIRS.len()) {
        let (from, to) = PAIRS[pair];
        hold(from, to, &text)?;
    }

    #[test]
    fn no_text_however_odd_is_claimed_to_be_the_same_when_it_is_not(
        text in "[A-Za-z_|.*^$()\\[\\]?+:-]{0,16}",
        pair in 0..PAIRS.len(),
    ) {
        let (from, to) = PAIRS[pair];
        hold(from, to, &text)?;
    }
}

/// Matchers as clients were seen to read them, and as their pages have them.
#[test]
fn every_matcher_of_the_vectors_selects_the_same_calls_or_the_report_says_so() {
    let mut tried = 0;
    for (from, to) in PAIRS {
        let path = format!("{}/../../fixtures/vectors/{from}/matchers.json", env!("CARGO_MANIFEST_DIR"));
        let vectors: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let vectors = vectors["vectors"].as_array().unwrap();
        let on_tools = vectors.iter().filter(|vector| vector["event"] == before_tools(from));
        let texts: std::collections::BTreeSet<&str> =
            on_tools.filter_map(|vector| vector["matcher"].as_str()).collect();
        for text in &texts {
            hold(from, to, text).unwrap_or_else(|why| panic!("{why}"));
        }
        tried += texts.len();
    }
    assert!(tried > 200, "{tried}");
}

#[track_caller]
fn becomes(from: &str, to: &str, text: &str, wanted: Option<&str>) {
    let (_, carried) = carried(from, to, text);
    let got: Vec<_> = carried.elements.iter().map(|element| element.matcher.as_deref()).collect();
    assert_eq!(got, [wanted], "{from} to {to}, `{text}`: {:?}", carried.findings);
}

#[test]
fn lists_stay_lists_where_both_have_them() {
    becomes("claude", "codex", "Bash", Some("Bash"));
    becomes("claude", "codex", "Edit|Write", Some("Edit|Write"));
    becomes("codex", "claude", "Bash", Some("Bash|Monitor|PowerShell"));
    becomes("codex", "claude", "apply_patch|Custom", Some("Edit|NotebookEdit|Write|Custom"));
    becomes("cursor", "claude", "^(Shell|Read)$", Some("Bash|Monitor|PowerShell|Read"));
    becomes("cursor", "codex", "^Shell$", Some("Bash"));
}

#[test]
fn names_go_by_what_tools_do() {
    becomes("claude", "cursor", "Bash", Some("^Shell$"));
    becomes("claude", "cursor", "Edit|MultiEdit|Write", Some("^Write$"));
    becomes("claude", "cursor", "Task", Some("^Task$"));
    becomes("codex", "cursor", "apply_patch", Some("^(?:Delete|Write)$"));
    becomes("codex", "claude", "apply_patch", Some("Edit|NotebookEdit|Write"));
    becomes("cursor", "codex", "^(?:Shell|Write)$", Some("Bash|apply_patch"));
}

#[test]
fn tools_of_tool_servers_go_by_the_form_of_their_names() {
    becomes("cursor", "claude", "MCP:create_issue", Some("^mcp__.*__create_issue"));
    becomes("claude", "cursor", "mcp__github__create_issue", Some("^MCP:create_issue$"));
    becomes("claude", "cursor", "mcp__.*", Some("^MCP:"));
    becomes("claude", "codex", "mcp__memory__.*", Some("mcp__memory__.*"));
    becomes("claude", "codex", "mcp__my-srv__do", Some("mcp__my_srv__do"));
}

#[test]
fn a_pair_of_underscores_in_a_servers_name_loses_nothing() {
    becomes("claude", "cursor", "mcp__git__hub__get_issue", Some("^(?:MCP:hub__get_issue|MCP:get_issue)$"));
    becomes("claude", "codex", "mcp__git__hub__get_issue", Some("mcp__git__hub__get_issue"));
}

#[test]
fn a_server_that_the_target_does_not_see_is_told_of() {
    let (_, carried) = carried("claude", "cursor", "mcp__github__create_issue");
    assert!(has(&carried, &["server-not-seen"]), "{:?}", found(&carried));
}

#[test]
fn an_unanchored_name_takes_tool_servers_with_it() {
    becomes("cursor", "claude", "Task", Some("^Agent$|^mcp__.*__.*Task"));
}

#[test]
fn exclusions_are_said_without_look_around_where_there_is_none() {
    let (_, carried) = carried("cursor", "codex", "^(?!Shell$)");
    let text = carried.elements[0].matcher.as_deref().unwrap();
    assert!(!text.contains("(?!"), "{text}");
    assert!(!has(&carried, WIDER), "{:?}", carried.findings);
}

#[test]
fn what_does_more_in_the_target_is_told_of() {
    let (_, carried) = carried("claude", "codex", "Write");
    assert!(has(&carried, &["tools-wider"]), "{:?}", carried.findings);
    assert!(!has(&super::matchers::carried("claude", "codex", "Edit|Write").1, &["tools-wider"]));
}

#[test]
fn what_the_target_has_no_hook_for_is_told_of() {
    let (_, read) = carried("claude", "codex", "Read");
    assert!(read.elements.is_empty() && has(&read, &["tool-not-hooked"]), "{:?}", read.findings);
    assert_eq!(read.to_accept(), ["tool-not-hooked"]);
    let (_, both) = carried("claude", "codex", "Bash|Read");
    assert!(!both.elements.is_empty() && has(&both, &["tool-not-hooked"]), "{:?}", both.findings);
}

#[test]
fn a_name_of_the_target_that_selects_nothing_in_the_source_does_not_begin_to() {
    for (text, to) in [("Shell", "cursor"), ("MCP:create", "cursor"), ("apply_patch", "codex")] {
        let (_, carried) = carried("claude", to, text);
        assert!(carried.elements.is_empty() && has(&carried, &["selects-nothing"]), "{text}: {:?}", found(&carried));
    }
    becomes("claude", "cursor", "^(Bash|MCP:create)$", Some("^Shell$"));
    becomes("claude", "cursor", "^(?!mcp__)", Some("^(?!MCP:)"));
    becomes("cursor", "codex", "^mcp__.*__create$|^Custom$", Some("Custom"));
    // Without anchors it may be a part of a server's name, which the target does not see.
    becomes("claude", "cursor", "Bash|MCP:create", Some("^Shell$|^MCP:"));
}

#[test]
fn a_matcher_that_never_matched_is_no_loss() {
    let (_, carried) = carried("claude", "codex", "(");
    assert_eq!(found(&carried), ["never-ran"]);
    assert!(carried.to_accept().is_empty());
}
