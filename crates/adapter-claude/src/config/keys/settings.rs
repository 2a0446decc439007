//! The settings that stand beside the hooks and decide over them.

use hooks_core::evidence::{Basis, Evidence};

use super::{KEY, Key, Kind};
use crate::http;

const SETTINGS_PAGE: Evidence = Evidence::new(Basis::Documented, "settings page, hook configuration");
const TRIED: Evidence = Evidence::new(Basis::Observed, "client 2.1.332, cases `cfg-bad-*`; settings page");

/// A setting beside the hooks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// The key of the object that it stands in; `None` at the top of the file.
    pub(crate) within: Option<&'static str>,
    /// The key.
    pub(crate) key: Key,
    /// Whether it counts in managed settings only.
    pub(crate) managed: bool,
}

impl Setting {
    const fn new(key: Key) -> Self {
        Self { within: None, key, managed: false }
    }

    /// The keys that lead to it.
    pub(crate) fn path(&self) -> impl Iterator<Item = &'static str> {
        self.within.into_iter().chain([self.key.name])
    }
}

/// A setting's key.
const SETTING: Key = Key { types: &[], evidence: SETTINGS_PAGE, ..KEY };

const RULES: Key = Key { kind: Kind::List, evidence: TRIED, ..SETTING };

/// Turns hooks off.
pub(crate) static DISABLE_ALL: Setting = Setting::new(Key {
    name: "disableAllHooks",
    kind: Kind::Flag,
    default: Some("false"),
    about: "Turns off the hooks of user, project and local settings and of plugins. In managed settings it turns off all. \
            Of several files the one with the highest precedence decides.",
    ..SETTING
});

/// Turns off all but the organisation's hooks.
pub(crate) static MANAGED_ONLY: Setting = Setting {
    managed: true,
    ..Setting::new(Key {
        name: "allowManagedHooksOnly",
        kind: Kind::Flag,
        default: Some("false"),
        about: "Only hooks of managed settings run, and those of plugins that managed settings force on.",
        ..SETTING
    })
};

/// Turns off the hooks of settings files.
pub(crate) static PLUGINS_ONLY: Setting = Setting {
    managed: true,
    ..Setting::new(Key {
        name: "strictPluginOnlyCustomization",
        kind: Kind::Any,
        default: Some("false"),
        examples: &["true", "[\"hooks\"]"],
        about: "With `true`, or in a list that has `\"hooks\"`: no hook of user, project or local settings runs.",
        ..SETTING
    })
};

/// The addresses that requests may go to.
pub(crate) static HTTP_URLS: Setting = Setting::new(Key {
    name: http::URLS,
    kind: Kind::List,
    examples: &["[\"https://hooks.example.com/*\", \"http://localhost:*\"]"],
    about: "The addresses that http handlers may send to, as texts in which `*` stands for anything. Without it all are \
            allowed; an empty list allows none. The lists of all files are joined.",
    ..SETTING
});

/// The variables that headers may name.
pub(crate) static HTTP_VARIABLES: Setting = Setting::new(Key {
    name: http::VARIABLES,
    kind: Kind::List,
    examples: &["[\"HOOK_TOKEN\"]"],
    about: "The variables that headers of http handlers may name, as texts: a variable must also stand in the handler's \
            `allowedEnvVars`. Without it there is no limit. The lists of all files are joined.",
    ..SETTING
});

/// The plugins that are on.
pub(crate) static PLUGINS: Setting = Setting::new(Key {
    name: "enabledPlugins",
    kind: Kind::Any,
    examples: &["{\"formatter@tools\": true}"],
    about: "Plugins by `<name>@<marketplace>`, each on or off. Those that managed settings turn on keep their hooks \
            whatever turns hooks off.",
    ..SETTING
});

/// The settings that hooks hang on, and those whose wrong type was seen to drop the file, hooks included. The list is
/// short on purpose: a file must not be taken for dropped that the client reads.
pub(crate) static SETTINGS: &[&Setting] = &[
    &Setting::new(Key {
        name: "cleanupPeriodDays",
        kind: Kind::Number,
        examples: &["30"],
        about: "Days that transcripts are kept.",
        evidence: TRIED,
        ..SETTING
    }),
    &Setting::new(Key {
        name: PERMISSIONS,
        kind: Kind::Object,
        about: "Permission rules.",
        evidence: TRIED,
        ..SETTING
    }),
    &Setting {
        within: Some(PERMISSIONS),
        ..Setting::new(Key {
            name: "allow",
            about: "Rules for calls that need no permission. A hook's allow does not outrank the other two lists.",
            examples: &["[\"Bash(git status)\"]"],
            ..RULES
        })
    },
    &Setting {
        within: Some(PERMISSIONS),
        ..Setting::new(Key {
            name: "deny",
            about: "Rules for calls that never run, whatever a hook says.",
            examples: &["[\"Read(.env)\"]"],
            ..RULES
        })
    },
    &Setting {
        within: Some(PERMISSIONS),
        ..Setting::new(Key {
            name: "ask",
            about: "Rules for calls that a person is asked about, whatever a hook says.",
            examples: &["[\"Bash(git push *)\"]"],
            ..RULES
        })
    },
    &DISABLE_ALL,
    &MANAGED_ONLY,
    &PLUGINS_ONLY,
    &HTTP_URLS,
    &HTTP_VARIABLES,
    &PLUGINS,
];

const PERMISSIONS: &str = "permissions";
