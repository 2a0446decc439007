//! A plugin's own tool servers in its hooks, by the names that they have outside the plugin's hooks.
//!
//! The client calls the tools of a plugin's server by names with the plugin's in them, and a handler names the server so too
//! (hooks page of Claude Code, matchers and MCP tool handlers; case L079). Told only of servers that the plugin itself
//! brings along.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Component, Path};

use crosshook::claude::locations::{
    PLUGIN_MANIFEST, PLUGIN_SERVERS_FILE, SERVERS_KEY, plugin_server, plugin_tool_prefix, tool_prefix,
};
use hooks_core::document::{JsonRules, Node, parse_json};
use hooks_core::facts::SubjectFact;
use hooks_core::matcher::{Matched, Matcher};
use hooks_core::source::Plugin;
use hooks_core::{Definition, Diagnostic, Handler, HostSide, Reach};

use super::super::codes;
use super::super::command::look::{Disk, HEAD, Look};
use super::super::command::place::Text;
use super::{Documents, Input};

/// A plugin's name and the names of its servers.
#[derive(Debug, Default)]
struct Servers {
    plugin: String,
    names: Vec<String>,
}

/// Looks at the hooks of plugins.
pub(super) fn check(input: &Input<'_>, disk: &Disk, documents: &mut Documents<'_>) -> Vec<Diagnostic> {
    let mut known: HashMap<&str, Servers> = HashMap::new();
    let mut found = Vec::new();
    // The handlers of a group share its matcher.
    let mut seen: HashSet<(&str, usize)> = HashSet::new();
    for vendor in input.vendors.iter().filter(|vendor| vendor.adapter.vendor().as_str() == "claude") {
        let own = input.definitions.iter().filter(|one| one.vendor == *vendor.adapter.vendor());
        for definition in own {
            let Some(plugin) = &definition.source.plugin else { continue };
            let servers = known.entry(&plugin.root).or_insert_with(|| Servers::of(plugin, disk));
            for server in &servers.names {
                let name = Name { definition, plugin: &servers.plugin, server };
                for (key, part, meant) in [
                    name.in_matcher(&*vendor.adapter).map(|(part, meant)| ("matcher", part, meant)),
                    name.in_condition().map(|(part, meant)| ("if", part, meant)),
                    name.in_handler().map(|(part, meant)| ("server", part, meant)),
                ]
                .into_iter()
                .flatten()
                {
                    let Some(text) = text(documents, definition, key) else { continue };
                    if key != "matcher" || seen.insert((&definition.source.path, text.range(&part).start)) {
                        found.push(name.tell(key, &text, part, &meant));
                    }
                }
            }
        }
    }
    found
}

impl Servers {
    /// What the plugin's files say. What cannot be read has no servers.
    fn of(plugin: &Plugin, disk: &Disk) -> Self {
        let root = Path::new(&plugin.root);
        let read = |name: &str| {
            let bytes = disk.head(&root.join(name)).filter(|bytes| bytes.len() < HEAD)?;
            parse_json(&bytes, JsonRules { byte_order_mark: true, lone_surrogates: true }).ok()
        };
        let manifest = read(PLUGIN_MANIFEST);
        let of_manifest = |key: &str| manifest.as_ref()?.as_object()?.get(key);
        let mut servers = Self {
            plugin: of_manifest("name").and_then(Node::as_str).unwrap_or(&plugin.name).to_owned(),
            names: Vec::new(),
        };
        let mut file = |name: &str| {
            let document = read(name);
            servers.add(document.as_ref().and_then(|root| root.as_object()?.get(SERVERS_KEY)));
        };
        file(PLUGIN_SERVERS_FILE);
        let named = of_manifest(SERVERS_KEY);
        // A file of the plugin's own, or the servers themselves.
        match named.and_then(Node::as_str) {
            Some(path)
                if Path::new(path)
                    .components()
                    .all(|part| matches!(part, Component::CurDir | Component::Normal(_))) =>
            {
                file(path);
            }
            _ => servers.add(named),
        }
        servers
    }

    fn add(&mut self, servers: Option<&Node>) {
        for member in servers.and_then(Node::as_object).iter().flat_map(|servers| &servers.members) {
            // Other names the client changes; how is not recorded.
            if is_plain(&member.key) && is_plain(&self.plugin) && !self.names.contains(&member.key) {
                self.names.push(member.key.clone());
            }
        }
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// A server of a plugin, and a hook that may speak of it.
struct Name<'a> {
    definition: &'a Definition,
    plugin: &'a str,
    server: &'a str,
}

impl Name<'_> {
    /// The first part of the matcher that begins with the server's bare name, if the matcher takes no tool of the plugin's
    /// server.
    fn in_matcher(&self, adapter: &dyn HostSide) -> Option<(Range<usize>, String)> {
        let facts = adapter.event(&self.definition.place.event)?;
        let matcher = &self.definition.matcher;
        if facts.subject != SubjectFact::ToolName || matches!(matcher, Matcher::All | Matcher::Unknown(_)) {
            return None;
        }
        let text = self.definition.matcher_text.as_deref()?;
        let (bare, full) = (tool_prefix(self.server), plugin_tool_prefix(self.plugin, self.server));
        let mut at = 0;
        for part in text.split(['|', ',']) {
            let start = at + (part.len() - part.trim_start_matches([' ', '^', '(']).len());
            at += part.len() + 1;
            let Some(tool) = text.get(start..).and_then(|rest| rest.strip_prefix(&bare)) else { continue };
            let tool = tool.split(['|', ',']).next().unwrap_or_default().trim_end_matches([' ', '$', ')']);
            let tool = if is_plain(tool) { tool } else { "tool" };
            if matcher.matches(&format!("{full}{tool}")) == Matched::No {
                return Some((start..start + bare.len(), full));
            }
        }
        None
    }

    /// The server's bare name at the start of the condition.
    fn in_condition(&self) -> Option<(Range<usize>, String)> {
        let text = self.definition.condition.as_deref()?;
        let bare = tool_prefix(self.server);
        let start = text.len() - text.trim_start().len();
        text.trim_start()
            .starts_with(&bare)
            .then(|| (start..start + bare.len(), plugin_tool_prefix(self.plugin, self.server)))
    }

    /// The server's bare name in a handler that calls a tool.
    fn in_handler(&self) -> Option<(Range<usize>, String)> {
        let Handler::McpTool(tool) = &self.definition.handler else { return None };
        (tool.server == self.server).then(|| (0..self.server.len(), plugin_server(self.plugin, self.server)))
    }

    fn tell(&self, key: &str, text: &Text, part: Range<usize>, meant: &str) -> Diagnostic {
        let server = self.server;
        let bare = text.text.get(part.clone()).unwrap_or_default();
        let (message, changes) = if key == "server" {
            (
                format!("the plugin's own server `{server}` is called `{meant}` here; `{bare}` is one from elsewhere"),
                format!("the tool of the plugin's own server `{server}` is called"),
            )
        } else {
            (
                format!(
                    "the tools of the plugin's own server `{server}` are called `{meant}…`; `{bare}` begins the names of \
                     another server's tools, so this never holds for the plugin's"
                ),
                format!("the hook runs for tools of the plugin's own server `{server}`, not for those of another one"),
            )
        };
        let place = text.range(&part);
        let mut told = Diagnostic::new(&codes::PLUGIN_SERVER_NAME, Reach::Entry, message).at(place.clone()).silent();
        told.path.clone_from(&self.definition.source.path);
        told.pointer.clone_from(&text.pointer);
        told = told.help(format!("Write `{meant}`."));
        match text.written(meant) {
            Some(written) if place != text.whole => told.edit(place, written).changes(changes),
            _ => told,
        }
    }
}

/// A text of the hook's entry, or of the group around it.
fn text(documents: &mut Documents<'_>, definition: &Definition, key: &str) -> Option<Text> {
    let document = documents.get(&definition.source.path)?;
    let Some((_, pointer)) = document.entry(&definition.range, &["type"]) else {
        // A document without a tree.
        let written = match (key, &definition.handler) {
            ("matcher", _) => definition.matcher_text.as_deref()?,
            ("if", _) => definition.condition.as_deref()?,
            (_, Handler::McpTool(tool)) => &tool.server,
            _ => return None,
        };
        return Some(Text::somewhere(&definition.source, &definition.range, written));
    };
    let group = pointer.rsplit_once('/').and_then(|(list, _)| list.strip_suffix("/hooks"));
    let pointer = if key == "matcher" { group? } else { pointer };
    let node = document.at(pointer)?.as_object()?.get(key)?;
    Text::of(&definition.source, node, format!("{pointer}/{key}"))
}
