//! There and back: a configuration that is carried over and carried back selects the same calls with the same handlers,
//! but for what the reports say.

use hooks_core::translate::proof::{differences, occurrences};
use hooks_core::translate::{Bridge, Carried, Options, carry};
use hooks_core::{Definition, Handler};
use proptest::prelude::*;

use super::sides::{PAIRS, WIDER, document, found, has, matcher, of, read};

const LOSSES: &[&str] =
    &["tool-not-hooked", "event-narrower", "value-not-there", "selects-nothing", "no-event", "never-ran"];

fn command(definition: &Definition) -> &str {
    match &definition.handler {
        Handler::Command(command) => &command.command,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn there_and_back_selects_the_same(text in matcher(), pair in 0..PAIRS.len(), at in 0_usize..3, bridged: bool) {
        let (a, b) = PAIRS[pair];
        let events: &[&str] = if a == "cursor" {
            &["preToolUse", "postToolUse", "beforeShellExecution"]
        } else {
            &["PreToolUse", "PostToolUse", "PermissionRequest"]
        };
        let (from, to) = (of(a), of(b));
        let options = Options {
            bridge: bridged.then(|| Bridge { program: "crosshook".to_owned(), strict: false }),
            ..Options::default()
        };
        for first in read(a, &document(a, events[at], Some(&text), "./hook.sh --flag")) {
            let there = carry(&*from, &*to, &first, &options);
            let middle: Vec<Definition> = there.elements.iter().flat_map(|element| element.read(&*to)).collect();
            let back: Vec<Carried> =
                middle.iter().map(|definition| carry(&*to, &*from, definition, &Options::default())).collect();
            let last: Vec<Definition> =
                back.iter().flat_map(|carried| &carried.elements).flat_map(|element| element.read(&*from)).collect();
            for definition in middle.iter().chain(&last) {
                prop_assert!(command(definition).contains("./hook.sh --flag"), "{}", command(definition));
            }
            let said = |codes: &[&str]| has(&there, codes) || back.iter().any(|carried| has(carried, codes));
            let names = [("memory".to_owned(), "create".to_owned()), ("other".to_owned(), "get".to_owned())];
            let tried = occurrences(&*from, &*to, &names);
            let last: Vec<&Definition> = last.iter().collect();
            for difference in differences((&*from, &first), (&*from, &last), &tried) {
                let excused = if difference.source { said(LOSSES) } else { bridged || said(WIDER) };
                prop_assert!(
                    excused,
                    "{} to {} and back, `{}` on {}: {} ({}); {:?}, {:?}",
                    a, b, text, events[at], difference.about,
                    if difference.source { "lost" } else { "added" },
                    found(&there),
                    back.iter().map(found).collect::<Vec<_>>()
                );
            }
        }
    }
}
