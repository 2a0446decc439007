//! Host profiles by name and as JSON: for the authors of hosts, who check what of somebody's hooks their host does.

use std::path::Path;

use hooks_core::HostProfile;
use hooks_core::boundary::{Boundary, Facet};
use hooks_core::channel::{Channel, Channels};
use hooks_core::document::{JsonRules, Node, line_column, parse_json};
use hooks_core::handler::HandlerKind;

use crate::near::did_you_mean;

/// The words that name a profile in place of a file, each with what it is.
pub const NAMED: &[(&str, &str)] = &[
    ("full", "fires everything, applies every channel, runs every type of handler: as the vendors' own clients do"),
    ("commands", "the same, and of handlers runs commands only"),
];

const HANDLERS: [HandlerKind; 5] =
    [HandlerKind::Command, HandlerKind::Http, HandlerKind::McpTool, HandlerKind::Prompt, HandlerKind::Agent];

const FACETS: [Facet; 6] = [Facet::Any, Facet::Tool, Facet::Shell, Facet::Mcp, Facet::FileRead, Facet::FileEdit];

const KEYS: [&str; 6] = ["fires", "channels", "handlers", "can_ask", "can_defer", "strict"];

/// The vendors' own clients, which fire everything and run every type of handler.
#[must_use]
pub fn clients() -> HostProfile {
    HostProfile::full().handlers(HANDLERS)
}

/// The profile of a [name](NAMED).
#[must_use]
pub fn named(word: &str) -> Option<HostProfile> {
    match word {
        "full" => Some(clients()),
        "commands" => Some(HostProfile::full()),
        _ => None,
    }
}

/// The profile that a file's JSON describes: an object with any of these keys, whose absence means what `full` means.
///
/// | Key | Value |
/// |---|---|
/// | `fires` | an array of boundaries (`"tool.before"`), each whole or with one facet (`"tool.before:shell"`) |
/// | `channels` | an array of the channels it applies (`"verdict"`, `"model-context"`, ...) |
/// | `handlers` | an array of the types it runs (`"command"`, `"http"`, `"mcp_tool"`, `"prompt"`, `"agent"`) |
/// | `can_ask`, `can_defer`, `strict` | `true` or `false` |
///
/// # Errors
///
/// Everything that is wrong, each in a line with the file's path, line and column.
pub fn parse(path: &Path, bytes: &[u8]) -> Result<HostProfile, String> {
    let mut faults = Faults { path, text: String::from_utf8_lossy(bytes).into_owned(), told: Vec::new() };
    let rules = JsonRules { byte_order_mark: true, lone_surrogates: false };
    let host = match parse_json(bytes, rules) {
        Err(error) => {
            faults.tell(error.range.start, &error.message);
            clients()
        }
        Ok(root) => read(&root, &mut faults),
    };
    if faults.told.is_empty() { Ok(host) } else { Err(faults.told.join("\n")) }
}

struct Faults<'a> {
    path: &'a Path,
    text: String,
    told: Vec<String>,
}

impl Faults<'_> {
    fn tell(&mut self, at: usize, what: &str) {
        let (line, column) = line_column(&self.text, at);
        self.told.push(format!("{}:{line}:{column}: {what}", self.path.display()));
    }
}

fn read(root: &Node, faults: &mut Faults<'_>) -> HostProfile {
    let mut host = clients();
    let Some(object) = root.as_object() else {
        faults.tell(root.range.start, &format!("a host profile is an object, and this is {}", root.phrase()));
        return host;
    };
    for repeated in object.repeated() {
        faults.tell(repeated.key_range.start, &format!("`{}` is here twice", repeated.key));
    }
    for member in &object.members {
        let (key, value) = (member.key.as_str(), &member.value);
        match key {
            "can_ask" | "can_defer" | "strict" => match (value.as_bool(), key) {
                (Some(can), "can_ask") => host.can_ask = can,
                (Some(can), "can_defer") => host.can_defer = can,
                (Some(strict), _) => host.strict = strict,
                (None, _) => {
                    faults.tell(value.range.start, &format!("`{key}` is {}: write true or false", value.phrase()));
                }
            },
            "channels" => {
                let known: Vec<_> = Channel::ALL.iter().map(|channel| (channel.as_str(), *channel)).collect();
                host.channels = Channels::of(&words(member.key.as_str(), value, &known, faults));
            }
            "handlers" => {
                let known = HANDLERS.map(|kind| (kind.as_str(), kind));
                host.handlers = words(key, value, &known, faults).into_iter().collect();
            }
            "fires" => host.fires = Some(fires(value, faults).into_iter().collect()),
            _ => {
                let near = did_you_mean(key, KEYS).unwrap_or_else(|| format!("the keys are {}", KEYS.join(", ")));
                faults.tell(member.key_range.start, &format!("a host profile has no key `{key}`: {near}"));
            }
        }
    }
    host
}

/// The things that an array of words names.
fn words<T: Copy>(key: &str, value: &Node, known: &[(&str, T)], faults: &mut Faults<'_>) -> Vec<T> {
    let Some(items) = value.as_array() else {
        faults.tell(value.range.start, &format!("`{key}` is {}: write an array of words", value.phrase()));
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in items {
        let word = item.as_str();
        match known.iter().find(|(name, _)| Some(*name) == word) {
            Some((_, thing)) => found.push(*thing),
            None => {
                let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                let shown = word.map_or_else(|| item.phrase().to_owned(), |word| format!("`{word}`"));
                let near = word.and_then(|word| did_you_mean(word, names.iter().copied()));
                let near = near.unwrap_or_else(|| format!("write any of {}", names.join(", ")));
                faults.tell(item.range.start, &format!("{shown} is none of the {key}: {near}"));
            }
        }
    }
    found
}

/// The boundaries and facets of `fires`. A boundary without a facet means all of them.
fn fires(value: &Node, faults: &mut Faults<'_>) -> Vec<(Boundary, Facet)> {
    let word = |facet: Facet| facet.as_str().replace(' ', "-");
    let all = Boundary::ALL.iter().flat_map(|boundary| {
        let facets = FACETS.map(|facet| (format!("{boundary}:{}", word(facet)), vec![(*boundary, facet)]));
        let whole = FACETS.map(|facet| (*boundary, facet)).to_vec();
        facets.into_iter().chain([(boundary.to_string(), whole)])
    });
    let all: Vec<(String, Vec<(Boundary, Facet)>)> = all.collect();
    let known: Vec<(&str, &[(Boundary, Facet)])> =
        all.iter().map(|(name, fired)| (name.as_str(), fired.as_slice())).collect();
    words("fires", value, &known, faults).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<HostProfile, String> {
        parse(Path::new("host.json"), text.as_bytes())
    }

    #[test]
    fn nothing_said_is_full() {
        assert_eq!(parse_text("{}"), Ok(clients()));
        assert_eq!(named("full"), Some(clients()));
        assert_eq!(named("none"), None);
        assert!(NAMED.iter().all(|(word, _)| named(word).is_some()));
    }

    #[test]
    fn every_key_is_read() {
        let host = parse_text(
            r#"{"fires": ["tool.before:shell", "turn.stop"], "channels": ["verdict"], "handlers": ["command", "http"],
                "can_ask": false, "can_defer": false, "strict": true}"#,
        )
        .unwrap();
        assert!(host.fires(Boundary::ToolBefore, Facet::Shell) && !host.fires(Boundary::ToolBefore, Facet::Tool));
        assert!(host.fires(Boundary::TurnStop, Facet::Any) && host.fires(Boundary::TurnStop, Facet::Tool));
        assert_eq!(host.channels, Channels::of(&[Channel::Verdict]));
        assert_eq!(host.handlers, [HandlerKind::Command, HandlerKind::Http].into());
        assert_eq!((host.can_ask, host.can_defer, host.strict), (false, false, true));
    }

    #[test]
    fn everything_that_is_wrong_is_told_with_its_place() {
        let text =
            "{\n  \"chanels\": [],\n  \"channels\": [\"verdit\", 5],\n  \"can_ask\": \"yes\",\n  \"fires\": \"all\"\n}";
        let told = parse_text(text).unwrap_err();
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), 5, "{told}");
        assert_eq!(lines[0], "host.json:2:3: a host profile has no key `chanels`: did you mean `channels`?");
        assert!(lines[1].starts_with("host.json:3:16: `verdit` is none of the channels: did you mean `verdict`?"));
        assert!(lines[2].starts_with("host.json:3:26: a number is none of the channels: write any of verdict,"));
        assert_eq!(lines[3], "host.json:4:14: `can_ask` is a string: write true or false");
        assert_eq!(lines[4], "host.json:5:12: `fires` is a string: write an array of words");
        assert!(parse_text("[]").unwrap_err().contains("host.json:1:1: a host profile is an object"));
        assert!(parse_text("{").unwrap_err().starts_with("host.json:1:"));
        assert!(parse_text(r#"{"strict": true, "strict": false}"#).unwrap_err().contains("twice"));
    }
}
