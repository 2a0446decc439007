//! Where hooks may send requests: the two lists of the settings that bind every http handler.
//!
//! Settings reference, `allowedHttpHookUrls` and `httpHookAllowedEnvVars`; cases L246 to L250. The lists of all settings
//! files merge. They bind the hooks of managed settings only where a managed file sets one (SDK types).

use hooks_core::adapter::Parsed;
use hooks_core::document::{JsonRules, Node, Object, parse_json};
use hooks_core::handler::HttpHandler;
use hooks_core::source::{Origin, Role, Syntax};

use crate::matcher::condition::host;
use crate::matcher::shell::glob;

/// The setting that lists addresses.
pub const URLS: &str = "allowedHttpHookUrls";

/// The setting that lists variables.
pub const VARIABLES: &str = "httpHookAllowedEnvVars";

/// What one setting lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// What all settings files list together; `None` where none sets it, so that everything is allowed.
    pub all: Option<Vec<String>>,
    /// Whether a managed file sets it, so that it binds managed hooks too.
    pub managed: bool,
}

impl List {
    fn add(&mut self, origin: Origin, values: &[Node]) {
        let all = self.all.get_or_insert_default();
        for value in values.iter().filter_map(Node::as_str) {
            if !all.iter().any(|known| known == value) {
                all.push(value.to_owned());
            }
        }
        self.managed |= origin == Origin::Managed;
    }

    /// What binds the hooks of an origin; `None` for no limit.
    #[must_use]
    pub fn binding(&self, origin: Origin) -> Option<&[String]> {
        if origin == Origin::Managed && !self.managed {
            return None;
        }
        self.all.as_deref()
    }
}

/// Where hooks may send requests, and which variables their headers may name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpPolicy {
    /// Patterns of addresses, `*` for any text.
    pub urls: List,
    /// Names of variables.
    pub variables: List,
}

impl HttpPolicy {
    /// What a session's documents come to. Rejected documents say nothing.
    #[must_use]
    pub fn of(documents: &[Parsed]) -> Self {
        let mut policy = Self::default();
        for document in documents {
            let source = &document.source;
            let is_settings = source.syntax == Syntax::Json
                && source.role == Role::Hooks
                && source.plugin.is_none()
                && source.origin != Origin::Plugin;
            let names_one = |name: &str| source.bytes.windows(name.len()).any(|window| window == name.as_bytes());
            if document.rejected || !is_settings || !(names_one(URLS) || names_one(VARIABLES)) {
                continue;
            }
            let rules = JsonRules { byte_order_mark: true, lone_surrogates: true };
            let Ok(root) = parse_json(&source.bytes, rules) else { continue };
            let list = |root: &Object, key: &str| root.get(key).and_then(Node::as_array).map(<[Node]>::to_vec);
            let Some(root) = root.as_object() else { continue };
            if let Some(values) = list(root, URLS) {
                policy.urls.add(source.origin, &values);
            }
            if let Some(values) = list(root, VARIABLES) {
                policy.variables.add(source.origin, &values);
            }
        }
        policy
    }

    /// Whether a request may be sent. The host's letter case and a dot at its end do not count. A `*` stands for any text
    /// of the host or of what follows it, and never for the end of the one with the start of the other: else
    /// `https://*.example.com/*` would allow `https://elsewhere/.example.com/`.
    #[must_use]
    pub fn allows(&self, origin: Origin, url: &str) -> bool {
        let Some(patterns) = self.urls.binding(origin) else { return true };
        let url = normal(url);
        let same_host = |pattern: &str| match (authority(pattern), authority(&url)) {
            (Some(wanted), Some(host)) => glob(wanted, host),
            (wanted, _) => wanted.is_none(),
        };
        patterns.iter().map(|pattern| normal(pattern)).any(|pattern| glob(&pattern, &url) && same_host(&pattern))
    }

    /// A handler as it may run: only the variables that are allowed stay.
    #[must_use]
    pub fn bind(&self, origin: Origin, http: &HttpHandler) -> HttpHandler {
        let mut http = http.clone();
        if let Some(names) = self.variables.binding(origin) {
            http.allowed_env.retain(|name| names.contains(name));
        }
        http
    }
}

/// Where the part of an address ends that names the host. A backslash ends it as a slash does.
fn authority_end(rest: &str) -> usize {
    rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())
}

/// The part of an address that names the host; `None` where there is no scheme before it.
fn authority(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.get(..authority_end(rest))
}

/// An address with its host in lower case and without a dot at its end.
fn normal(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(authority_end(rest));
    let (name, port) = match authority.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (authority, None),
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{name}{port}{path}", scheme.to_ascii_lowercase())
}

/// The variables that a header's text names: `$NAME` and `${NAME}` (hooks page, http hooks).
pub(crate) fn header_variables(text: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('$') {
        let (inner, braces) = match after.strip_prefix('{') {
            Some(inner) => (inner, true),
            None => (after, false),
        };
        let end = inner.find(|c: char| !is_name(c)).unwrap_or(inner.len());
        let (name, behind) = inner.split_at(end);
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if starts && (!braces || behind.starts_with('}')) && !names.contains(&name) {
            names.push(name);
        }
        rest = behind;
    }
    names
}

/// The host of an address, for messages.
pub(crate) fn shown_host(url: &str) -> String {
    host(url).unwrap_or_else(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(patterns: &[&str]) -> HttpPolicy {
        let all = Some(patterns.iter().map(|text| (*text).to_owned()).collect());
        HttpPolicy { urls: List { all, managed: false }, ..HttpPolicy::default() }
    }

    /// Cases L248 and L250.
    #[test]
    fn addresses() {
        let project = Origin::Project;
        assert!(HttpPolicy::default().allows(project, "http://x/"));
        assert!(!only(&[]).allows(project, "http://x/"));
        assert!(only(&["http://127.0.0.1:8124/*"]).allows(project, "http://127.0.0.1:8124/hook"));
        assert!(!only(&["http://127.0.0.1:8124/*"]).allows(project, "http://127.0.0.1:8125/hook"));
        assert!(only(&["https://hooks.example.com/*"]).allows(project, "https://HOOKS.example.com./a"));
        assert!(!only(&["https://hooks.example.com/*"]).allows(project, "https://hooks.example.com.evil.org/a"));
        let below = only(&["https://*.example.com/*"]);
        assert!(below.allows(project, "https://a.b.example.com/x"));
        for url in ["/", "?", "#", "\\"].map(|end| format!("https://elsewhere{end}.example.com/x")) {
            assert!(!below.allows(project, &url), "{url}");
        }
        assert!(only(&["https://example.com*"]).allows(project, "https://example.com/a/b"));
        assert!(only(&["*"]).allows(project, "https://example.com/a"));
        assert!(only(&[]).allows(Origin::Managed, "http://x/"), "no managed file sets it");
    }
}
