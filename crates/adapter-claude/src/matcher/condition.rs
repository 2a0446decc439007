//! `if`: one permission rule that says for which tool calls a handler is started. A filter, not a guard.
//!
//! Hooks page, `if`; cases `pre-if-*`. A rule for another tool and a text that is no rule never hold; the empty text always
//! does. What cannot be told here is doubtful: the hook runs and only what restrains counts.

use hooks_core::definition::Definition;
use hooks_core::envelope::Envelope;
use hooks_core::matcher::Matched;
use hooks_core::tool::ToolAction;
use hooks_core::vendor::Version;

use super::{path, shell};
use crate::events::{Event, FOLDERS_ARE_ANCHORED};
use crate::{Options, tools};

/// A permission rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rule<'a> {
    /// The tool it is for.
    pub(crate) tool: &'a str,
    /// What stands in brackets.
    pub(crate) specifier: Option<&'a str>,
}

impl<'a> Rule<'a> {
    /// The rule in a text; `None` for a text that is no rule.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (tool, specifier) = match text.split_once('(') {
            None => (text, None),
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?)),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '*');
        (!tool.is_empty() && tool.chars().all(is_name)).then_some(Self { tool, specifier })
    }
}

/// Whether a handler's `if` holds for an occurrence.
pub(crate) fn holds(
    event: &Event,
    definition: &Definition,
    text: &str,
    envelope: &Envelope,
    options: &Options,
    version: Version,
) -> Matched {
    if text.trim().is_empty() {
        return Matched::Yes;
    }
    if !event.conditions {
        return Matched::No;
    }
    let (Some(rule), Some(tool)) = (Rule::parse(text), envelope.payload.tool_use()) else { return Matched::No };
    let names = tools::names(&tool.call);
    let is_named = names.iter().any(|name| *name == rule.tool);
    let Some(specifier) = rule.specifier.filter(|specifier| !matches!(*specifier, "" | "*")) else {
        return match &tool.call.action {
            ToolAction::Mcp(_) if !is_named => server_rule(rule.tool, &names),
            _ => Matched::of(is_named),
        };
    };
    let place = path::Place {
        definition,
        common: &envelope.common,
        options,
        anchored: FOLDERS_ARE_ANCHORED.at(version) != Some(false),
    };
    match &tool.call.action {
        ToolAction::Shell(shell) if is_named => shell::matches(specifier, &shell.command),
        // Observed: a rule on the subagent's type did not hold for a call of that type.
        ToolAction::Subagent(_) => Matched::No,
        ToolAction::WebFetch(fetch) if is_named => match specifier.strip_prefix("domain:") {
            Some(domain) => domain_matches(domain, &fetch.url),
            None => Matched::Doubtful(format!("rules such as `{text}` are not evaluated here")),
        },
        action => match file_of(action) {
            Some(file) if names.first().is_some_and(|name| name == rule.tool) => path::matches(&place, specifier, file),
            // Permission rules on editing speak of every tool that edits, and those on reading of every one that reads;
            // whether `if` does is not recorded.
            Some(file) if is_named || covers_files(rule.tool, action) => match path::matches(&place, specifier, file) {
                Matched::Yes => Matched::Doubtful(format!("whether `{text}` speaks of this tool is not recorded")),
                other => other,
            },
            None if is_named || covers_files(rule.tool, action) => {
                Matched::Doubtful(format!("rules such as `{text}` are not evaluated here"))
            }
            _ => Matched::No,
        },
    }
}

/// The one file that a call is about.
fn file_of(action: &ToolAction) -> Option<&str> {
    Some(match action {
        ToolAction::Read(read) => &read.path,
        ToolAction::Write(write) => &write.path,
        ToolAction::Edit(edit) => &edit.path,
        ToolAction::Delete(delete) => &delete.path,
        ToolAction::List(list) => &list.path,
        _ => return None,
    })
}

/// A rule that names a server or a pattern of tool names. The page speaks of full names only; permission rules take
/// these forms too.
fn server_rule(rule: &str, names: &[String]) -> Matched {
    let prefix = rule.strip_suffix('*').unwrap_or(rule);
    let starts = names
        .iter()
        .any(|name| name.strip_prefix(prefix).is_some_and(|rest| rule.ends_with('*') || rest.starts_with("__")));
    match starts && rule.starts_with("mcp__") {
        true => Matched::Doubtful(format!("whether `{rule}` in `if` means all tools of a server is not recorded")),
        false => Matched::No,
    }
}

/// Whether a rule on file tools could speak of another file tool too.
const fn covers_files(rule: &str, action: &ToolAction) -> bool {
    match rule.as_bytes() {
        b"Edit" => {
            matches!(action, ToolAction::Edit(_) | ToolAction::Write(_) | ToolAction::Patch(_) | ToolAction::Delete(_))
        }
        b"Read" => {
            matches!(action, ToolAction::Read(_) | ToolAction::Glob(_) | ToolAction::Grep(_) | ToolAction::List(_))
        }
        _ => false,
    }
}

/// Whether an address is of a domain (permissions page, WebFetch): letter case and a dot at the end do not count, `*.`
/// before a name stands for any number of names, any other star for the text between two dots.
fn domain_matches(rule: &str, url: &str) -> Matched {
    let Some(host) = host(url) else { return Matched::No };
    let rule = rule.trim().trim_end_matches('.').to_ascii_lowercase();
    if rule == "*" {
        return Matched::Yes;
    }
    if let Some(domain) = rule.strip_prefix("*.")
        && !domain.contains('*')
    {
        return Matched::of(host.strip_suffix(domain).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')));
    }
    let (rule, host): (Vec<&str>, Vec<&str>) = (rule.split('.').collect(), host.split('.').collect());
    let leading = matches!(rule.first(), Some(&"*"));
    let aligned = if leading && host.len() > rule.len() { host.len() - rule.len() } else { 0 };
    let host = host.get(aligned..).unwrap_or_default();
    Matched::of(rule.len() == host.len() && rule.iter().zip(host).all(|(rule, host)| shell::glob(rule, host)))
}

/// The host of an address, in lower case and without a dot at its end.
pub(crate) fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Permissions page, WebFetch.
    #[test]
    fn domains() {
        for (rule, url, expected) in [
            ("example.com", "https://example.com/x", true),
            ("example.com.", "https://EXAMPLE.com.:8080", true),
            ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", false),
            ("*.example.com", "https://evilexample.com/", false),
            ("*", "http://x/", true),
            ("example.*", "http://example.org", true),
            ("example.*", "http://example.evil.com", false),
            ("example.com", "http://user@evil.com/example.com", false),
            ("example.com", "nonsense", false),
        ] {
            assert_eq!(domain_matches(rule, url), Matched::of(expected), "{rule} on {url}");
        }
    }
}
