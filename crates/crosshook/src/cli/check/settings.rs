//! What a check goes by: the configuration, the rules, the host, the clients' versions and the baseline.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crosshook::check::baseline::Baseline;
use crosshook::check::config::{self, Config, Host};
use crosshook::check::rules::{Rule, Rules, Standing};
use crosshook::check::{all_codes, host, user_home, versions};
use hooks_core::{Diagnostic, HostProfile, HostSide};
use hooks_runtime::read_file;

use super::args::CheckArgs;
use crate::cli::exit::Trouble;
use crate::cli::near::did_you_mean;

/// What a check goes by.
pub(super) struct Settings {
    /// The configuration; an empty one where there is none.
    pub config: Config,
    /// The adapters of all vendors at the versions in use.
    pub adapters: Vec<Arc<dyn HostSide>>,
    /// The host.
    pub host: HostProfile,
    /// Where the known findings are, or shall be.
    pub baseline_path: Option<PathBuf>,
    /// The known findings.
    pub baseline: Option<Baseline>,
    rules: Rules,
    /// The rules of the command line.
    last: Vec<Rule>,
}

impl Settings {
    /// Reads everything that the arguments name.
    pub(super) fn of(args: &CheckArgs) -> Result<Self, Trouble> {
        let config = read_config(args)?;
        let last = if args.rules.rules.is_empty() {
            Vec::new()
        } else {
            let codes = all_codes();
            let rule = |(word, text): &(_, String)| Rule::parse(*word, text, &codes).map_err(Trouble::usage);
            args.rules.rules.iter().map(rule).collect::<Result<_, _>>()?
        };
        let mut rules = Rules { rules: config.rules.clone(), ..Rules::default() };
        if let Some(fails) = args.fail_on.map(Into::into).or(config.fail_on) {
            rules.fails = fails;
        }
        let only = match args.scope.vendors.as_slice() {
            [vendor] => Some(vendor.as_str()),
            _ => None,
        };
        // The command line's versions come last and count.
        let in_use: Vec<&str> = config.versions.iter().chain(&args.vendor_version).map(String::as_str).collect();
        let adapters = versions::adapters(&in_use, only).map_err(Trouble::usage)?;
        let host = read_host(args, &config)?;
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let baseline_path = args.baseline.as_deref().map(absolute).or_else(|| config.baseline.clone());
        if args.write_baseline && baseline_path.is_none() {
            return Err(Trouble::usage("nobody says where the known findings shall be written")
                .help("give --baseline FILE, or write `baseline` into .crosshook.toml"));
        }
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        let baseline = match &baseline_path {
            // The first time there is none yet.
            Some(path) if args.write_baseline && !is_there(path) => None,
            Some(path) => Some(Baseline::read(path).map_err(Trouble::usage)?),
            None => None,
        };
        Ok(Self { config, adapters, host, baseline_path, baseline, rules, last })
    }

    /// What a diagnostic is worth. Of what is wrong in the configuration itself, the configuration does not decide.
    pub(super) fn standing(&self, told: &Diagnostic) -> Standing {
        let path = Path::new(&told.path);
        if path == self.config.path {
            let usual = Rules { rules: Vec::new(), fails: self.rules.fails };
            return usual.standing(told, [].iter(), &self.last);
        }
        let more: Vec<&Rule> = self.config.rules_for(path).collect();
        self.rules.standing(told, more.into_iter(), &self.last)
    }
}

/// The configuration that counts.
fn read_config(args: &CheckArgs) -> Result<Config, Trouble> {
    if args.no_config {
        return Ok(Config::default());
    }
    let path = match &args.config {
        Some(path) => Some(std::path::absolute(path).unwrap_or_else(|_| path.clone())),
        None => nearest(args),
    };
    let Some(path) = path else { return Ok(Config::default()) };
    config::read(&path, &all_codes())
        .map_err(|why| Trouble::usage(format!("cannot read the configuration `{}`: {why}", path.display())))
}

/// The nearest configuration of the first path that is checked.
fn nearest(args: &CheckArgs) -> Option<PathBuf> {
    let asked = args.as_path.as_ref().or_else(|| args.paths.first()).cloned().unwrap_or_else(|| PathBuf::from("."));
    let path = std::path::absolute(asked).ok()?;
    // `.` stays in an absolute path, and has no name to go up from.
    let path: PathBuf = path.components().collect();
    let folder = if path.is_dir() { path.as_path() } else { path.parent()? };
    config::find(folder, user_home().as_deref())
}

/// The host that a word or a path on the command line names.
pub(crate) fn chosen_host(text: &str) -> Host {
    if host::named(text).is_some() { Host::Named(text.to_owned()) } else { Host::File(PathBuf::from(text)) }
}

/// The host whose profile counts.
fn read_host(args: &CheckArgs, config: &Config) -> Result<HostProfile, Trouble> {
    let chosen = args.host.as_deref().map(chosen_host).or_else(|| config.host.clone());
    host_of(chosen)
}

/// The profile of a host: the vendors' own clients where nobody chose one.
pub(crate) fn host_of(chosen: Option<Host>) -> Result<HostProfile, Trouble> {
    match chosen {
        None => Ok(host::clients()),
        Some(Host::Named(name)) => Ok(host::named(&name).unwrap_or_else(host::clients)),
        Some(Host::File(path)) => {
            let bytes = read_file(&path).map_err(|why| {
                let trouble = Trouble::usage(format!("cannot read the host's profile `{}`: {why}", path.display()));
                let words = || host::NAMED.iter().map(|(word, _)| *word);
                let near = path.to_str().and_then(|text| did_you_mean(text, words()));
                trouble.help(near.unwrap_or_else(|| {
                    let words: Vec<_> = words().collect();
                    format!("write the path of a JSON file, or one of {}", words.join(", "))
                }))
            })?;
            host::parse(&path, &bytes).map_err(Trouble::usage)
        }
    }
}
