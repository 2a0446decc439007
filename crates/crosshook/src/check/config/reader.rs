//! From the bytes of a configuration to what it says, and to what is wrong in it.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use hooks_core::document::{check_text, pointer_to};
use hooks_core::{Code, Diagnostic, Reach, Version};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, Host, Override};
use crate::check::rules::{Rule, Word, level};
use crate::check::{Excluded, codes, host};
use crate::near::did_you_mean;

/// Reads everything, whatever is wrong.
pub(super) fn read(path: &Path, bytes: Arc<[u8]>, known: &[&Code]) -> Config {
    let config = Config { path: path.to_owned(), bytes: Arc::clone(&bytes), ..Config::default() };
    let mut reader = Reader { config, known };
    match check_text(&bytes) {
        Err(error) => reader.tell(&codes::CONFIG_SYNTAX, error.range, "", error.message),
        Ok(text) => {
            let (table, errors) = DeTable::parse_recoverable(text);
            for error in &errors {
                let range = error.span().unwrap_or(0..0);
                reader.tell(&codes::CONFIG_SYNTAX, range, "", format!("this is no TOML: {}", error.message()));
            }
            reader.root(table.get_ref());
        }
    }
    reader.config.diagnostics.sort_by_key(|told| told.range.as_ref().map(|range| (range.start, range.end)));
    reader.config
}

struct Reader<'a> {
    config: Config,
    known: &'a [&'a Code],
}

/// A member of a table: its key with its bytes, and its value.
struct Entry<'t, 'i> {
    key: &'t str,
    key_range: Range<usize>,
    value: &'t Spanned<DeValue<'i>>,
    pointer: String,
}

const IN_FILE: [&str; 1] = ["check"];
const IN_CHECK: [&str; 9] =
    ["allow", "baseline", "deny", "exclude", "fail-on", "host", "override", "vendors", "versions"];
const IN_OVERRIDE: [&str; 3] = ["allow", "deny", "paths"];

impl Reader<'_> {
    fn tell(&mut self, code: &'static Code, range: Range<usize>, pointer: &str, message: impl Into<String>) {
        let mut told = Diagnostic::new(code, Reach::None, message).at(range);
        if !pointer.is_empty() {
            told = told.pointer(pointer);
        }
        told.path = self.config.path.to_string_lossy().into_owned();
        self.config.diagnostics.push(told);
    }

    /// A table's members in the order in which they are written.
    fn entries<'t, 'i>(table: &'t DeTable<'i>, pointer: &str) -> Vec<Entry<'t, 'i>> {
        let entry = |(key, value): (&'t Spanned<toml::de::DeString<'i>>, &'t Spanned<DeValue<'i>>)| Entry {
            key: key.get_ref(),
            key_range: key.span(),
            value,
            pointer: pointer_to(pointer, key.get_ref()),
        };
        let mut entries: Vec<_> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.key_range.start);
        entries
    }

    fn unknown_key(&mut self, entry: &Entry<'_, '_>, place: &str, keys: &[&str]) {
        let near = did_you_mean(entry.key, keys.iter().copied());
        let near = near.unwrap_or_else(|| format!("the keys there are {}", keys.join(", ")));
        let message = format!("there is no key `{}` {place}: {near}", entry.key);
        self.tell(&codes::CONFIG_UNKNOWN_KEY, entry.key_range.clone(), &entry.pointer, message);
    }

    fn wrong_type(&mut self, value: &Spanned<DeValue<'_>>, pointer: &str, wanted: &str) {
        let name = pointer.rsplit('/').find(|step| step.parse::<usize>().is_err()).unwrap_or_default();
        let message = format!("`{name}` is {}: write {wanted}", phrase(value.get_ref()));
        self.tell(&codes::CONFIG_WRONG_TYPE, value.span(), pointer, message);
    }

    fn bad_value(&mut self, range: Range<usize>, pointer: &str, message: impl Into<String>) {
        self.tell(&codes::CONFIG_BAD_VALUE, range, pointer, message);
    }

    fn root(&mut self, table: &DeTable<'_>) {
        for entry in Self::entries(table, "") {
            match (entry.key, entry.value.get_ref()) {
                ("check", DeValue::Table(check)) => self.check(check),
                ("check", _) => self.wrong_type(entry.value, &entry.pointer, "a table, [check]"),
                _ => self.unknown_key(&entry, "at the top", &IN_FILE),
            }
        }
    }

    fn check(&mut self, table: &DeTable<'_>) {
        let mut rules = Vec::new();
        for entry in Self::entries(table, "/check") {
            match entry.key {
                "deny" => rules.extend(self.rules(Word::Deny, &entry)),
                "allow" => rules.extend(self.rules(Word::Allow, &entry)),
                "vendors" => self.vendors(&entry),
                "fail-on" => {
                    let Some((word, range)) = self.text(&entry, "a severity in quotes") else { continue };
                    self.config.fail_on = level(&word);
                    if self.config.fail_on.is_none() {
                        let near = did_you_mean(&word, ["error", "warning", "info"]);
                        let near = near.unwrap_or_else(|| "write error, warning or info".to_owned());
                        self.bad_value(range, &entry.pointer, format!("`{word}` is no severity: {near}"));
                    }
                }
                "baseline" => {
                    let Some((path, range)) = self.text(&entry, "the path of a file in quotes") else { continue };
                    self.config.baseline = self.path(&path, range, &entry.pointer);
                }
                "host" => {
                    let Some((text, range)) = self.text(&entry, "a name or the path of a file in quotes") else {
                        continue;
                    };
                    self.config.host = if host::named(&text).is_some() {
                        Some(Host::Named(text.into_owned()))
                    } else {
                        self.path(&text, range, &entry.pointer).map(Host::File)
                    };
                }
                "exclude" => {
                    self.config.excluded = self.globs(&entry).map(|patterns| Excluded { root: self.folder(), patterns })
                }
                "versions" => match entry.value.get_ref() {
                    DeValue::Table(versions) => self.versions(versions),
                    _ => self.wrong_type(entry.value, &entry.pointer, "a table, [check.versions]"),
                },
                "override" => self.overrides(&entry),
                _ => self.unknown_key(&entry, "in [check]", &IN_CHECK),
            }
        }
        rules.sort_by(Rule::by_precision);
        self.config.rules = rules;
    }

    fn folder(&self) -> PathBuf {
        self.config.path.parent().unwrap_or(Path::new("")).to_owned()
    }

    fn path(&mut self, text: &str, range: Range<usize>, pointer: &str) -> Option<PathBuf> {
        if text.is_empty() {
            self.bad_value(range, pointer, "this names no file: write a path");
            return None;
        }
        Some(self.folder().join(text))
    }

    fn text<'t>(&mut self, entry: &Entry<'t, '_>, wanted: &str) -> Option<(Cow<'t, str>, Range<usize>)> {
        match entry.value.get_ref() {
            DeValue::String(text) => Some((Cow::Borrowed(text), entry.value.span())),
            _ => {
                self.wrong_type(entry.value, &entry.pointer, wanted);
                None
            }
        }
    }

    /// The texts of an array, each with its place.
    fn texts<'t>(&mut self, entry: &Entry<'t, '_>) -> Vec<(&'t str, Range<usize>, String)> {
        const WANTED: &str = "an array of texts in quotes";
        let DeValue::Array(items) = entry.value.get_ref() else {
            self.wrong_type(entry.value, &entry.pointer, WANTED);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let pointer = pointer_to(&entry.pointer, &at.to_string());
            match item.get_ref() {
                DeValue::String(text) => texts.push((&**text, item.span(), pointer)),
                _ => self.wrong_type(item, &pointer, WANTED),
            }
        }
        texts
    }

    fn rules(&mut self, word: Word, entry: &Entry<'_, '_>) -> Vec<Rule> {
        let mut rules = Vec::new();
        for (text, range, pointer) in self.texts(entry) {
            match Rule::parse(word, text, self.known) {
                Ok(rule) => rules.push(rule),
                Err(why) => self.bad_value(range, &pointer, why),
            }
        }
        rules
    }

    fn vendors(&mut self, entry: &Entry<'_, '_>) {
        for (vendor, range, pointer) in self.texts(entry) {
            if crosshook::VENDORS.contains(&vendor) {
                self.config.vendors.push(vendor.to_owned());
            } else {
                self.bad_value(range, &pointer, no_vendor(vendor));
            }
        }
    }

    fn versions(&mut self, table: &DeTable<'_>) {
        for entry in Self::entries(table, "/check/versions") {
            let Some(adapter) = crosshook::adapter(entry.key) else {
                self.bad_value(entry.key_range.clone(), &entry.pointer, no_vendor(entry.key));
                continue;
            };
            let Some((text, range)) = self.text(&entry, "a version in quotes, as in \"1.2.3\"") else { continue };
            let newest = adapter.version();
            match text.parse::<Version>() {
                Err(error) => self.bad_value(range, &entry.pointer, error.to_string()),
                Ok(version) if version > newest => {
                    let message =
                        format!("{} {version} is not known: the newest recorded client is {newest}", entry.key);
                    self.bad_value(range, &entry.pointer, message);
                }
                Ok(_) => self.config.versions.push(format!("{}={text}", entry.key)),
            }
        }
    }

    fn globs(&mut self, entry: &Entry<'_, '_>) -> Option<GlobSet> {
        let mut set = GlobSetBuilder::new();
        let mut is_any = false;
        for (text, range, pointer) in self.texts(entry) {
            match globs(text) {
                Ok(globs) => {
                    is_any = true;
                    for glob in globs {
                        set.add(glob);
                    }
                }
                Err(error) => {
                    let why = error.kind();
                    self.bad_value(range, &pointer, format!("`{text}` is no pattern of paths: {why}"));
                }
            }
        }
        set.build().ok().filter(|_| is_any)
    }

    fn overrides(&mut self, entry: &Entry<'_, '_>) {
        const WANTED: &str = "a table of its own for each, [[check.override]]";
        let DeValue::Array(items) = entry.value.get_ref() else {
            return self.wrong_type(entry.value, &entry.pointer, WANTED);
        };
        for (at, item) in items.iter().enumerate() {
            let pointer = pointer_to(&entry.pointer, &at.to_string());
            match item.get_ref() {
                DeValue::Table(table) => self.one_override(table, item.span(), &pointer),
                _ => self.wrong_type(item, &pointer, WANTED),
            }
        }
    }

    fn one_override(&mut self, table: &DeTable<'_>, range: Range<usize>, pointer: &str) {
        let (mut rules, mut paths, mut has_paths) = (Vec::new(), None, false);
        for entry in Self::entries(table, pointer) {
            match entry.key {
                "paths" => {
                    has_paths = true;
                    paths = self.globs(&entry);
                }
                "deny" => rules.extend(self.rules(Word::Deny, &entry)),
                "allow" => rules.extend(self.rules(Word::Allow, &entry)),
                _ => self.unknown_key(&entry, "in [[check.override]]", &IN_OVERRIDE),
            }
        }
        if !has_paths {
            let message = "this override is for no file: write `paths`, an array of patterns";
            self.bad_value(range, pointer, message);
        }
        rules.sort_by(Rule::by_precision);
        self.config.overrides.extend(paths.map(|paths| Override { paths, rules }));
    }
}

fn no_vendor(name: &str) -> String {
    let near = did_you_mean(name, crosshook::VENDORS.iter().copied());
    let near = near.unwrap_or_else(|| format!("write any of {}", crosshook::VENDORS.join(", ")));
    format!("there is no vendor `{name}`: {near}")
}

/// What a pattern of paths stands for: what it names, and everything below that. A `*` stays within a folder's name.
fn globs(text: &str) -> Result<[Glob; 2], globset::Error> {
    let text = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
    let build = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
    Ok([build(text)?, build(&format!("{text}/**"))?])
}

/// The words for a value's kind.
const fn phrase(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
