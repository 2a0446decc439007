//! Every fault of one of Claude Code's settings files is told in one run: what the failing examples of the pages show is shown
//! in each other's company too.

use std::collections::BTreeSet;
use std::sync::Mutex;

use hooks_core::Diagnostic;
use hooks_core::document::{JsonRules, Member, Node, Object, parse_json};
use hooks_core::lint::syntax::mistakes;

use super::told;
use crate::pages::{Files, failing};

const SETTINGS: &str = ".claude/settings.json";
const RULES: JsonRules = JsonRules { byte_order_mark: true, lone_surrogates: true };

/// What cannot be told beside another fault: the fault that hides it, what is hidden, and why. A `*` stands for anything.
const HIDDEN: &[(&str, &str, &str)] = &[
    ("claude/not-json", "*", "of a text that breaks off nobody can say what was meant behind that place"),
    ("claude/not-an-object", "*", "a document that is no object holds nothing else"),
    ("claude/comment-in-json", "claude/url-not-allowed", "the settings of a text that is no JSON are not looked at"),
    ("claude/trailing-comma", "claude/url-not-allowed", "the settings of a text that is no JSON are not looked at"),
    ("*", "claude/watches-nothing", "it is about the whole document, in which the other one does watch"),
];

/// A finding: its code, and how the text starts that it points to.
type Found = BTreeSet<(String, String)>;

/// A page's failing example.
struct Case {
    id: String,
    text: String,
    files: Files,
    root: Node,
    is_json: bool,
    alone: Found,
}

/// What is told of the settings in a project with other files.
fn found(text: &str, files: &[&Files]) -> Found {
    let start = |found: Diagnostic| {
        let range = found.range.unwrap_or_default();
        let start: String = text[range.start..range.end.max(range.start)].chars().take(24).collect();
        (found.code.id.to_owned(), start)
    };
    told(SETTINGS, text, files).into_iter().map(start).collect()
}

/// The examples that are one settings file and its scripts, each with what is told of it alone.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (id, files) in failing(&["claude/", "crosshook/"]) {
        let (settings, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|(path, ..)| path == SETTINGS);
        let is_script = |(path, ..): &(String, String, bool)| !path.ends_with(".json") && !path.ends_with(".toml");
        let [(_, text, _)] = settings.as_slice() else { continue };
        if !files.iter().all(is_script) || id == "crosshook/empty-file" {
            continue;
        }
        // Scripts of the same name in two examples are two scripts.
        let own = |text: &str| {
            let name = id.replace('/', "-");
            files.iter().fold(text.to_owned(), |text, (path, ..)| {
                let file = path.rsplit('/').next().unwrap_or(path);
                text.replace(file, &format!("{name}-{file}"))
            })
        };
        let text = own(text);
        let files: Vec<_> = files.iter().map(|(path, text, executable)| (own(path), own(text), *executable)).collect();
        let parsed = parse_json(text.as_bytes(), RULES);
        let is_json = parsed.is_ok();
        let Some(root) = parsed.ok().or_else(|| mistakes(text.as_bytes(), RULES).root) else { continue };
        let alone = found(&text, &[&files]);
        cases.push(Case { id, text, files, root, is_json, alone });
    }
    cases
}

fn member<'o>(object: &'o Object, key: &str) -> Option<&'o Member> {
    object.members.iter().rfind(|member| member.key == key)
}

/// A document with another one's members put before its own: groups into the events they are of, events into `hooks`, and
/// the rest to the top. `None` where they have no place beside each other.
fn joined(base: &Case, other: &Case) -> Option<String> {
    let (into, from) = (base.root.as_object()?, other.root.as_object()?);
    let raw = |member: &Member| other.text[member.key_range.start..member.value.range.end].to_owned();
    let mut inserted: Vec<(usize, String)> = Vec::new();
    let mut put = |at: usize, is_empty: bool, text: String| {
        inserted.push((at, if is_empty { text } else { format!("{text}, ") }));
    };
    let inside = |node: &Node| node.range.start + 1;
    for one in &from.members {
        let hooks = member(into, &one.key).filter(|_| one.key == "hooks");
        let Some((hooks, events)) = hooks.and_then(|hooks| Some((hooks, hooks.value.as_object()?))) else {
            if member(into, &one.key).is_some() {
                return None;
            }
            put(inside(&base.root), into.members.is_empty(), raw(one));
            continue;
        };
        for event in &one.value.as_object()?.members {
            let groups = member(events, &event.key);
            let again = one.value.as_object()?.repeated().iter().any(|one| one.key == event.key);
            if again && groups.is_some() {
                // Both would be put into one.
                return None;
            }
            match (groups.and_then(|groups| Some((groups, groups.value.as_array()?))), event.value.as_array()) {
                (Some((groups, there)), Some(new)) => {
                    if let (Some(first), Some(last)) = (new.first(), new.last()) {
                        let text = other.text[first.range.start..last.range.end].to_owned();
                        put(inside(&groups.value), there.is_empty(), text);
                    }
                }
                (None, _) if groups.is_none() => put(inside(&hooks.value), events.members.is_empty(), raw(event)),
                _ => return None,
            }
        }
    }
    inserted.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut text = base.text.clone();
    inserted.into_iter().for_each(|(at, new)| text.insert_str(at, &new));
    Some(text)
}

fn is_hidden(by: &str, code: &str) -> bool {
    let fits = |rule: &str, id: &str| rule == "*" || rule == id;
    HIDDEN.iter().any(|(hides, hidden, _)| fits(hides, by) && fits(hidden, code))
}

#[test]
fn no_fault_hides_another() {
    let cases = cases();
    assert!(cases.len() > 60, "{}", cases.len());
    let pairs = cases.iter().enumerate().flat_map(|(at, one)| cases.iter().skip(at + 1).map(move |other| (one, other)));
    // What mends the syntax stays where it is: such an example is the one that the other is put into.
    let pairs: Vec<_> = pairs.map(|(one, other)| if other.is_json { (one, other) } else { (other, one) }).collect();
    let (queue, lost, joined_pairs) = (Mutex::new(pairs.iter()), Mutex::new(BTreeSet::new()), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some((base, other)) = queue.lock().unwrap().next() else { break };
                    if !base.is_json && !other.is_json {
                        continue;
                    }
                    let both_ways = joined(base, other).map(|text| (base, other, text));
                    let swapped = || joined(other, base).map(|text| (other, base, text));
                    let Some((base, other, text)) = both_ways.or_else(|| swapped().filter(|_| base.is_json)) else {
                        continue;
                    };
                    *joined_pairs.lock().unwrap() += 1;
                    let both = found(&text, &[&base.files, &other.files]);
                    for (case, by) in [(base, other), (other, base)] {
                        let missing = case.alone.difference(&both).filter(|(code, _)| !is_hidden(&by.id, code));
                        let word =
                            |(code, at): &(String, String)| format!("{}: {code} at `{at}` beside {}", case.id, by.id);
                        lost.lock().unwrap().extend(missing.map(word));
                    }
                }
            });
        }
    });
    let lost = lost.into_inner().unwrap();
    let joined_pairs = joined_pairs.into_inner().unwrap();
    let all: Vec<_> = lost.iter().cloned().collect();
    assert!(lost.is_empty(), "{} of {joined_pairs} pairs hide something:\n{}", lost.len(), all.join("\n"));
    assert!(joined_pairs > 1_500, "{joined_pairs} pairs");
}
