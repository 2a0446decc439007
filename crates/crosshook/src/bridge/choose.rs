//! Whether a script runs for what its vendor's client would fire.

use std::fmt;
use std::sync::Arc;

use hooks_core::activate::AdmitAll;
use hooks_core::definition::{Binding, Definition};
use hooks_core::envelope::Envelope;
use hooks_core::handler::HandlerKind;
use hooks_core::tool::ToolAction;
use hooks_core::{HostProfile, HostSide, Parsed, SessionState, VendorSources, Why, activate, explain};

use super::Bridge;

/// Whether a script runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// It does; where that is doubtful, with the reason, and then only what restrains counts.
    Runs {
        /// Why it is doubtful.
        doubtful: Option<String>,
    },
    /// It does not; the text says why.
    Not(String),
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runs { doubtful: None } => f.write_str("runs"),
            Self::Runs { doubtful: Some(why) } => write!(f, "runs, though that is doubtful: {why}"),
            Self::Not(why) => write!(f, "does not run: {why}"),
        }
    }
}

impl Bridge {
    /// Whether the other vendor's client would run the script for what it is [told](Bridge::tell).
    ///
    /// Where the host does not say which tool server a tool belongs to, it may be any that the matcher names.
    #[must_use]
    pub fn choose(&self, hook: &Binding, told: &Envelope, session: &SessionState) -> Chosen {
        let chosen = self.choose_as_told(hook, told, session);
        let has_no_server = |told: &Envelope| {
            let call = told.payload.tool_use().and_then(|tool| tool.call.as_mcp());
            call.is_some_and(|mcp| mcp.server.is_empty())
        };
        let Some(matcher) = hook.matcher_text.as_deref() else { return chosen };
        if !matches!(chosen, Chosen::Not(_)) || !has_no_server(told) {
            return chosen;
        }
        let on = |server: &str| {
            let mut told = told.clone();
            if let Some(tool) = told.payload.tool_use_mut()
                && let ToolAction::Mcp(mcp) = &mut tool.call.action
            {
                server.clone_into(&mut mcp.server);
            }
            self.choose_as_told(hook, &told, session)
        };
        let may_be = servers_in(matcher).into_iter().any(|server| matches!(on(server), Chosen::Runs { .. }));
        if may_be {
            let why = "the client does not say which tool server the tool belongs to".to_owned();
            return Chosen::Runs { doubtful: Some(why) };
        }
        chosen
    }

    fn choose_as_told(&self, hook: &Binding, told: &Envelope, session: &SessionState) -> Chosen {
        let definition: &Definition = hook;
        let mut document = Parsed::empty(Arc::clone(&definition.source));
        document.definitions.push(definition.clone());
        let adapter: Arc<dyn HostSide> = self.written_for.clone();
        let vendors = vec![VendorSources { adapter, documents: vec![document] }];
        let host = HostProfile::full().handlers([HandlerKind::Command]);
        let snapshot = match activate(vendors, &host, &AdmitAll) {
            Ok(snapshot) => snapshot,
            Err(refused) => return Chosen::Not(refused.to_string()),
        };
        match explain(&snapshot, told, session).into_iter().next() {
            Some((_, Why::Run)) => Chosen::Runs { doubtful: None },
            Some((_, Why::Doubtful(why))) => Chosen::Runs { doubtful: Some(why) },
            Some((_, Why::No(why))) => Chosen::Not(why),
            None => Chosen::Not("there is nothing to run".to_owned()),
        }
    }
}

/// Names that may be those of tool servers in a matcher's text, and one that is in none.
fn servers_in(matcher: &str) -> Vec<&str> {
    let words = matcher.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.')));
    let names = words.filter_map(|word| word.strip_prefix("mcp__").unwrap_or(word).split("__").next());
    names.filter(|name| !name.is_empty()).chain(["server"]).collect()
}
