//! `if`: one permission rule that says for which tool calls a handler is started. A filter, not a guard.
//!
//! Hooks page, `if`; cases `pre-if-*`. A rule for another tool and a text that is no rule never hold; the empty text always
//! does. What cannot be told here (paths, addresses) is doubtful: the hook runs and only what restrains counts.

use hooks_core::envelope::Envelope;
use hooks_core::matcher::Matched;
use hooks_core::tool::ToolAction;

use super::shell;
use crate::events::Event;
use crate::tools;

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
pub(crate) fn holds(event: &Event, text: &str, envelope: &Envelope) -> Matched {
    if text.trim().is_empty() {
        return Matched::Yes;
    }
    if !event.conditions {
        return Matched::No;
    }
    let (Some(rule), Some(tool)) = (Rule::parse(text), envelope.payload.tool_use()) else { return Matched::No };
    let names = tools::names(&tool.call);
    let is_named = names.iter().any(|name| *name == rule.tool);
    match (&tool.call.action, rule.specifier) {
        (ToolAction::Mcp(_), None) if !is_named => server_rule(rule.tool, &names),
        (_, None) => Matched::of(is_named),
        (ToolAction::Shell(shell), Some(specifier)) if is_named => shell::matches(specifier, &shell.command),
        // Observed: a rule on the subagent's type did not hold for a call of that type.
        (ToolAction::Subagent(_), Some(_)) => Matched::No,
        (_, Some(_)) if is_named || covers_files(rule.tool, &tool.call.action) => {
            Matched::Doubtful(format!("rules such as `{text}` are not evaluated here"))
        }
        _ => Matched::No,
    }
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
