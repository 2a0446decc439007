//! One occurrence in a project: what `why` and `badday` look at. Nothing is run.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use crosshook::check::versions;
use hooks_core::text::display_line;
use hooks_core::{BindingId, Definition, HostProfile, HostSide, Parsed, Snapshot};

use super::args::{Scope, Where};
use super::check::{chosen_host, host_of};
use super::exit::Trouble;
use super::fire::resolve::{Asked, resolve};
use super::payload::{self, Happened, Occurrence};
use super::project::Project;
use super::record;

/// The clients and the host that somebody has in mind.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ForWhom {
    /// The client in use, as `claude=2.1.300` (may be given again); with --vendor, its version alone. The newest recorded
    /// one if not given
    #[arg(long, value_name = "VERSION", help_heading = "For whom")]
    pub vendor_version: Vec<String>,
    /// The host: `full` as the vendors' own clients, `commands` for one that runs no other handlers, or the JSON file of
    /// its profile
    #[arg(long, value_name = "NAME|FILE", help_heading = "For whom")]
    pub host: Option<String>,
}

impl ForWhom {
    /// The adapters of all vendors at the versions in use; a version alone is that of the one vendor that is named.
    pub(crate) fn adapters(&self, vendors: &[String]) -> Result<Vec<Arc<dyn HostSide>>, Trouble> {
        let only = match vendors {
            [vendor] => Some(vendor.as_str()),
            _ => None,
        };
        versions::adapters(&self.vendor_version, only).map_err(Trouble::usage)
    }

    /// The host: one that fires and runs everything, as the vendors' own clients do, if none is named.
    pub(crate) fn host(&self) -> Result<HostProfile, Trouble> {
        host_of(self.host.as_deref().map(chosen_host))
    }
}

/// A project and what happens in it.
pub(crate) struct Occasion {
    /// The project.
    pub project: Project,
    /// What was asked for.
    pub asked: Asked,
    /// What happens.
    pub occurrence: Occurrence,
    /// Everything that could run, as in the vendors' own clients or with the host that was chosen.
    pub snapshot: Snapshot,
    /// That host.
    pub host: HostProfile,
    lines: HashMap<BindingId, usize>,
}

impl Occasion {
    /// Reads a project and makes the occurrence. `what` is a path and an event, or one of them: an event alone is looked
    /// for here, a path alone goes with a payload that names its event.
    pub(crate) fn open(what: &[String], scope: &Scope, happened: &Happened, whom: &ForWhom) -> Result<Self, Trouble> {
        let text = happened.text()?;
        let named = text.as_deref().and_then(|text| record::event_name(text.as_bytes()));
        let (path, event) = match (what, named) {
            ([path, event], _) => (path.as_str(), event.clone()),
            ([path], Some(event)) if std::path::Path::new(path).exists() => (path.as_str(), event),
            ([event], _) => (".", event.clone()),
            ([], Some(event)) => (".", event),
            _ => {
                return Err(Trouble::usage("it is not said what happens")
                    .help("name an event such as `PreToolUse`, or a boundary such as `tool.before`"));
            }
        };
        let place = Where { path: PathBuf::from(path), scope: scope.clone() };
        let host = whom.host()?;
        let project = Project::open_for(&place, whom.adapters(&scope.vendors)?, &host)?;
        let adapters: Vec<_> = project.adapters().cloned().collect();
        let asked = resolve(&event, &adapters)?;
        let root = project.root().to_string_lossy().into_owned();
        let occurrence = payload::build(happened, text.as_deref(), asked.boundary, &asked.events, &root)?;
        let snapshot = project.activate(&host, |_| true)?;
        let lines = project.lines();
        Ok(Self { project, asked, occurrence, snapshot, host, lines })
    }

    /// The line that a definition starts on.
    pub(crate) fn line(&self, definition: &Definition) -> usize {
        self.lines.get(&definition.id).copied().unwrap_or(1)
    }

    /// A definition's file and line.
    pub(crate) fn place(&self, definition: &Definition) -> String {
        let path = self.project.shown(&definition.source.path);
        display_line(&format!("{path}:{}", self.line(definition))).into_owned()
    }

    /// The documents of a definition's vendor.
    pub(crate) fn documents_of(&self, definition: &Definition) -> Vec<Parsed> {
        let own = |document: &&Parsed| document.source.vendor == definition.vendor;
        self.project.documents().filter(own).cloned().collect()
    }

    /// What happens, in a line: the boundary, and what hooks look at first.
    pub(crate) fn about(&self) -> String {
        let envelope = &self.occurrence.envelope;
        let what = envelope.payload.tool_use().map(|tool| match tool.call.as_shell() {
            Some(shell) => format!("shell command `{}`", shell.command),
            None => format!("{} call", tool.call.action.kind()),
        });
        let made_up = if self.occurrence.made_up { " (made up)" } else { "" };
        what.map_or_else(|| self.asked.boundary.info().about.to_owned(), |what| format!("{what}{made_up}"))
    }
}
