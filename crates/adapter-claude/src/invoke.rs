//! From a binding and an occurrence to what shall be run: program, placeholders, directory, environment.
//!
//! Hooks page, command hooks: with `args` a program is started as written and only path placeholders are replaced; without, the
//! text goes to a shell, which knows the placeholders as variables.

use std::time::Duration;

use hooks_core::adapter::Encoded;
use hooks_core::definition::{Binding, Definition};
use hooks_core::envelope::{Envelope, Payload};
use hooks_core::handler::{Background, CommandHandler, Handler, Shell};
use hooks_core::json::RawJson;
use hooks_core::outcome::{Invocation, NotRun, Program, ShellKind};
use hooks_core::source::Origin;
use hooks_core::vendor::Version;
use serde_json::Value;

use crate::events::{Event, OPTION_NEEDS_ARGS};
use crate::http::shown_host;
use crate::locations::{self, PLUGIN_DATA, PLUGIN_ROOT, PROJECT_DIR};
use crate::{Options, input};

/// Why the client fails a handler each time it would run, without blocking anything; `None` where it runs it.
pub(crate) fn never_runs(
    event: &Event,
    definition: &Definition,
    options: &Options,
    version: Version,
) -> Option<String> {
    let kind = definition.handler.kind();
    if !event.handlers.contains(&kind) {
        return Some(format!("{} does not run {} handlers", event.facts.name, kind.as_str()));
    }
    let command = match &definition.handler {
        Handler::Command(command) => command,
        Handler::Http(http) if !options.http.allows(definition.source.origin, &http.url) => {
            return Some(format!("`{}` does not list its address ({})", crate::http::URLS, shown_host(&http.url)));
        }
        _ => return None,
    };
    let source = &definition.source;
    let is_plugin_s = source.plugin.is_some() || source.origin == Origin::Plugin;
    if !is_plugin_s && uses(command, &[PLUGIN_ROOT, PLUGIN_DATA]) {
        return Some("a plugin's placeholder stands in a hook that belongs to no plugin".to_owned());
    }
    let refused = OPTION_NEEDS_ARGS.at(version) == Some(true);
    if refused && command.args.is_none() && command.command.contains(OPTION) {
        return Some("a plugin option's placeholder stands in a shell text".to_owned());
    }
    None
}

/// How the placeholder of a plugin option starts.
pub(crate) const OPTION: &str = "${user_config.";

/// Whether a command holds a placeholder of one of the names.
pub(crate) fn uses(command: &CommandHandler, names: &[&str]) -> bool {
    let args = command.args.iter().flatten();
    args.chain([&command.command]).any(|text| names.iter().any(|name| text.contains(&format!("${{{name}}}"))))
}

/// Writes the standard input and says what to run.
pub(crate) fn encode(
    event: Option<&'static Event>,
    binding: &Binding,
    envelope: &Envelope,
    options: &Options,
    version: Version,
    stdin: &mut Vec<u8>,
) -> Encoded {
    stdin.clear();
    let event = event.ok_or_else(|| NotRun(format!("`{}` is no event of the client", binding.place.event)))?;
    if let Some(why) = never_runs(event, binding, options, version) {
        return Err(NotRun(why));
    }
    if let (Handler::McpTool(_), Payload::SessionStart(start)) = (&binding.handler, &envelope.payload) {
        // Tool servers are not connected yet when a session starts; the client reports it and goes on.
        if !matches!(start.source.as_deref(), Some("clear" | "compact")) {
            return Err(NotRun("tool servers are not connected yet".to_owned()));
        }
    }
    input::write(event, envelope, version, stdin)?;
    let plugin_options = options.of(binding);
    let program = match &binding.handler {
        Handler::Command(command) => program(command, binding, envelope, plugin_options),
        Handler::McpTool(tool) => {
            let mut tool = tool.clone();
            tool.input = interpolate(&tool.input, stdin);
            Program::Hosted(Box::new(Handler::McpTool(tool)))
        }
        Handler::Prompt(prompt) => {
            let mut prompt = prompt.clone();
            prompt.prompt = with_arguments(&prompt.prompt, stdin);
            Program::Hosted(Box::new(Handler::Prompt(prompt)))
        }
        Handler::Agent(prompt) => {
            let mut prompt = prompt.clone();
            prompt.prompt = with_arguments(&prompt.prompt, stdin);
            Program::Hosted(Box::new(Handler::Agent(prompt)))
        }
        Handler::Http(http) => Program::Hosted(Box::new(Handler::Http(options.http.bind(binding.source.origin, http)))),
        other => Program::Hosted(Box::new(other.clone())),
    };
    let env = locations::environment(event, binding, envelope, plugin_options);
    let timeout = timeout(binding, event, options);
    Ok(Invocation {
        cwd_else: locations::cwd_else(envelope),
        env_remove: locations::removed(&env),
        env,
        session_file: event.env_file.copied(),
        ..Invocation::new(program, envelope.common.cwd.clone(), timeout, locations::RULES)
    })
}

/// The time a run gets. A run in the background that wakes nobody has no limit (hooks page, background); the hooks of a
/// session's end share what the surroundings give.
fn timeout(binding: &Binding, event: &Event, options: &Options) -> Duration {
    match &binding.handler {
        Handler::Command(command) if command.background == Background::Async => Duration::MAX,
        _ if event.longest_s.is_some() => options.session_end.unwrap_or(binding.timeout),
        _ => binding.timeout,
    }
}

fn program(
    command: &CommandHandler,
    definition: &Definition,
    envelope: &Envelope,
    options: &[(String, String)],
) -> Program {
    if let Some(args) = &command.args {
        let replace = |text: &String| replace_paths(text, definition, envelope, options);
        return Program::Exec { program: replace(&command.command), args: args.iter().map(replace).collect() };
    }
    let mut text = command.command.clone();
    if command.shell == Shell::PowerShell {
        for name in [PROJECT_DIR, PLUGIN_ROOT, PLUGIN_DATA] {
            text = text.replace(&format!("${{{name}}}"), &format!("${{env:{name}}}"));
        }
    }
    let shell = match command.shell {
        // Git Bash on Windows (hooks page, shell form).
        Shell::Default => ShellKind::ShOrGitBash,
        named => named.into(),
    };
    Program::ShellText { shell, text }
}

fn replace_paths(text: &str, definition: &Definition, envelope: &Envelope, options: &[(String, String)]) -> String {
    let mut text = text.replace(&format!("${{{PROJECT_DIR}}}"), envelope.common.project_root());
    if let Some(plugin) = &definition.source.plugin {
        text = text.replace(&format!("${{{PLUGIN_ROOT}}}"), &plugin.root);
        if let Some(data) = &plugin.data {
            text = text.replace(&format!("${{{PLUGIN_DATA}}}"), data);
        }
        for (key, value) in options {
            text = text.replace(&format!("{OPTION}{key}}}"), value);
        }
    }
    text
}

/// A prompt with the input in place of `$ARGUMENTS`, or after it where the word does not stand in it. A dollar behind a
/// backslash is only a dollar.
fn with_arguments(prompt: &str, stdin: &[u8]) -> String {
    const WORD: &str = "ARGUMENTS";
    let input = String::from_utf8_lossy(stdin);
    let mut text = String::with_capacity(prompt.len() + input.len() + 2);
    let mut rest = prompt;
    let mut found = false;
    while let Some(at) = rest.find(['\\', '$']) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        if let Some(after) = from.strip_prefix("\\$") {
            text.push('$');
            rest = after;
        } else if let Some(after) = from.strip_prefix('$').and_then(|after| after.strip_prefix(WORD)) {
            text.push_str(&input);
            found = true;
            rest = after;
        } else {
            let mut chars = from.chars();
            text.extend(chars.next());
            rest = chars.as_str();
        }
    }
    text.push_str(rest);
    if !found {
        text.push_str("\n\n");
        text.push_str(&input);
    }
    text
}

/// A tool's input with `${path}` in its strings replaced by what stands there in the hook's input: an object as JSON
/// text, a missing path as nothing (case `type-mcp-tool-interpolated`).
fn interpolate(input: &RawJson, stdin: &[u8]) -> RawJson {
    if !input.get().contains("${") {
        return input.clone();
    }
    let Ok(values) = serde_json::from_slice::<Value>(stdin) else { return input.clone() };
    let mut tree = input.to_value();
    fill(&mut tree, &values);
    RawJson::from(&tree)
}

fn fill(tree: &mut Value, values: &Value) {
    match tree {
        Value::String(text) => *text = fill_text(text, values),
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, values)),
        Value::Object(members) => members.values_mut().for_each(|member| fill(member, values)),
        _ => {}
    }
}

fn fill_text(text: &str, values: &Value) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        filled.push_str(before);
        let Some((path, after)) = after.split_once('}') else {
            filled.push_str("${");
            rest = after;
            continue;
        };
        let found = path.split('.').try_fold(values, |value, step| match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            value => value.get(step),
        });
        match found {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => filled.push_str(text),
            Some(value) => filled.push_str(&value.to_string()),
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// A number of seconds as a duration; what no duration can hold is the longest one.
pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(if seconds > 0.0 { Duration::MAX } else { Duration::ZERO })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case L274.
    #[test]
    fn arguments_are_put_in_or_appended() {
        assert_eq!(with_arguments("Is $ARGUMENTS fine?", b"{}"), "Is {} fine?");
        assert_eq!(with_arguments("Cost: \\$5", b"{}"), "Cost: $5\n\n{}");
        assert_eq!(with_arguments("", b"{}"), "\n\n{}");
    }

    /// Case L259.
    #[test]
    fn a_tool_s_input_takes_values_by_path() {
        let input = RawJson::parse(
            r#"{"a":"${tool_input.command}","c":5,"d":{"e":"${tool_input}"},"f":"${nope}","g":"${open"}"#,
        )
        .expect("json");
        let filled = interpolate(&input, br#"{"tool_input":{"command":"ls"}}"#);
        let expected = RawJson::parse(r#"{"a":"ls","c":5,"d":{"e":"{\"command\":\"ls\"}"},"f":"","g":"${open"}"#);
        assert_eq!(filled, expected.expect("json"));
    }
}
