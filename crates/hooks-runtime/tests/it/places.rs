//! Where the built-in vendors' documents lie on each platform, with files in every place of a made-up machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hooks_core::activate::{AdmitAll, activate};
use hooks_core::location::Platform;
use hooks_core::source::{Origin, Syntax};
use hooks_core::{HostProfile, HostSide, Source, VendorSources};
use hooks_runtime::{ForeignFiles, Found, PlaceState, Places, Reloader, discover, discover_all};

fn none(_: &str) -> Option<String> {
    None
}

/// A machine in a folder: `machine` is its `/`, `home` somebody's, `p` the project, `p/sub` the working directory.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(machine.at("p/sub")).unwrap();
        machine
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn places(&self, platform: Platform) -> Places<'static> {
        Places {
            project: self.at("p"),
            cwd: self.at("p/sub"),
            home: Some(self.at("home")),
            platform,
            system: Some(self.at("machine")),
            variable: &none,
        }
    }

    /// What was found, as origins and paths in the machine.
    fn found(&self, found: &Found) -> Vec<String> {
        let path = |source: &Source| Path::new(&source.path).strip_prefix(self.0.path()).unwrap().to_owned();
        found.sources.iter().map(|source| format!("{} {}", source.origin, path(source).display())).collect()
    }
}

fn adapters() -> [Arc<dyn HostSide>; 3] {
    [
        Arc::new(adapter_cursor::Adapter::latest()),
        Arc::new(adapter_claude::Adapter::latest()),
        Arc::new(adapter_codex::Adapter::latest()),
    ]
}

/// The organisation's places by platform, from the vendors' pages; what is the user's and the project's is the same on all.
const MANAGED: [(Platform, &str, &str); 3] = [
    (Platform::Linux, "etc/cursor/hooks.json", "etc/claude-code"),
    (Platform::MacOs, "Library/Application Support/Cursor/hooks.json", "Library/Application Support/ClaudeCode"),
    (Platform::Windows, "C/ProgramData/Cursor/hooks.json", "C/Program Files/ClaudeCode"),
];

#[test]
fn every_place_of_every_vendor_is_found_in_its_precedence() {
    let machine = Machine::new();
    for (_, cursor, claude) in MANAGED {
        machine.write(&format!("machine/{cursor}"), "{}");
        machine.write(&format!("machine/{claude}/managed-settings.json"), "{}");
        machine.write(&format!("machine/{claude}/managed-settings.d/20-b.json"), "{}");
        machine.write(&format!("machine/{claude}/managed-settings.d/10-a.json"), "{}");
        machine.write(&format!("machine/{claude}/managed-settings.d/notes.txt"), "{}");
    }
    for path in [
        "machine/etc/codex/requirements.toml",
        "machine/etc/codex/config.toml",
        "machine/etc/codex/hooks.json",
        "home/.cursor/hooks.json",
        "home/.claude/settings.json",
        "home/.claude/settings.local.json",
        "home/.codex/config.toml",
        "home/.codex/hooks.json",
        "p/.cursor/hooks.json",
        "p/.claude/settings.json",
        "p/.claude/settings.local.json",
        "p/.codex/hooks.json",
        "p/.codex/config.toml",
        "p/sub/.cursor/hooks.json",
        "p/sub/.claude/settings.json",
        "p/sub/.codex/hooks.json",
    ] {
        machine.write(path, if path.ends_with("toml") { "" } else { "{}" });
    }
    for (platform, cursor, claude) in MANAGED {
        let all = discover_all(&adapters(), &machine.places(platform), ForeignFiles::Once);
        assert!(all.iter().all(|found| found.missed.is_empty()), "{all:?}");
        // Cursor's list of priorities has the highest first.
        assert_eq!(
            machine.found(&all[0]),
            [
                format!("managed machine/{cursor}"),
                "project p/.cursor/hooks.json".to_owned(),
                "user home/.cursor/hooks.json".to_owned()
            ],
            "{platform:?}"
        );
        // Claude's merges later ones over earlier ones.
        assert_eq!(
            machine.found(&all[1]),
            [
                "user home/.claude/settings.json".to_owned(),
                "project p/.claude/settings.json".to_owned(),
                "local p/.claude/settings.local.json".to_owned(),
                format!("managed machine/{claude}/managed-settings.json"),
                format!("managed machine/{claude}/managed-settings.d/10-a.json"),
                format!("managed machine/{claude}/managed-settings.d/20-b.json"),
            ],
            "{platform:?}"
        );
        // Codex's layers, the lowest first, and every folder on the way to the working directory.
        let codex = machine.found(&all[2]);
        let layers = [
            "managed machine/etc/codex/requirements.toml",
            "managed machine/etc/codex/hooks.json",
            "managed machine/etc/codex/config.toml",
            "user home/.codex/hooks.json",
            "user home/.codex/config.toml",
            "project p/.codex/hooks.json",
            "project p/.codex/config.toml",
            "project p/sub/.codex/hooks.json",
        ];
        // Its machine-wide folder is that of Unix.
        let layers = if platform == Platform::Windows { &layers[3..] } else { &layers[..] };
        assert_eq!(codex, layers, "{platform:?}");
    }
}

/// Codex reads a folder's `hooks.json` once, however many layers share the folder (case O13).
#[test]
fn a_folder_that_two_layers_share_is_read_once() {
    let machine = Machine::new();
    for path in ["p/.codex/hooks.json", "p/sub/.codex/hooks.json"] {
        machine.write(path, "{}");
    }
    let [_, _, codex] = adapters();
    for shared in ["p/.codex", "p/./sub/../.codex"] {
        let folder = machine.at(shared).to_str().unwrap().to_owned();
        let variable = |name: &str| (name == "CODEX_HOME").then(|| folder.clone());
        let found = discover(&*codex, &Places { variable: &variable, ..machine.places(Platform::Linux) });
        let origins: Vec<_> = found.sources.iter().map(|source| source.origin).collect();
        assert_eq!(origins, [Origin::User, Origin::Project], "{shared}");
        assert_eq!(found.looked.iter().filter(|looked| looked.state == PlaceState::Taken).count(), 1, "{shared}");
    }
}

#[test]
fn what_a_host_adds_stands_in_the_vendors_precedence() {
    // Team hooks and plugins have no place that a table could name: a host hands them in.
    let machine = Machine::new();
    let hooks = |name: &str| format!(r#"{{"version":1,"hooks":{{"stop":[{{"command":"{name}"}}]}}}}"#);
    machine.write("machine/etc/cursor/hooks.json", &hooks("managed"));
    machine.write("home/.cursor/hooks.json", &hooks("user"));
    machine.write("p/.cursor/hooks.json", &hooks("project"));
    let adapter: Arc<dyn HostSide> = Arc::new(adapter_cursor::Adapter::latest());
    let found = discover(&*adapter, &machine.places(Platform::Linux));
    let added = [Origin::Plugin, Origin::Team].map(|origin| {
        let bytes = hooks(origin.as_str()).into_bytes();
        Source::hooks(adapter.vendor().clone(), origin, Syntax::Json, format!("/added/{origin}.json"), bytes)
    });
    let documents = added.into_iter().chain(found.sources).map(|source| adapter.parse(&Arc::new(source))).collect();
    let vendors = vec![VendorSources { adapter, documents }];
    let snapshot = activate(vendors, &HostProfile::full(), &AdmitAll).unwrap();
    let labels: Vec<_> = snapshot.bindings().iter().map(|binding| binding.handler.label()).collect();
    assert_eq!(labels, ["managed", "team", "project", "user", "plugin"]);
}

#[test]
fn every_place_is_told_of_whether_or_not_there_is_something() {
    let machine = Machine::new();
    machine.write("p/.codex/hooks.json", "{}");
    let vendors = adapters();
    let mut places = machine.places(Platform::Linux);
    for (adapter, found) in vendors.iter().zip(discover_all(&vendors, &places, ForeignFiles::Once)) {
        let here = |platform: Option<Platform>| platform.is_none_or(|platform| platform == Platform::Linux);
        let table = adapter.locations().iter().filter(|location| here(location.platform));
        for location in table {
            let fits = |path: &Path| path.to_string_lossy().ends_with(location.path.trim_start_matches('/'));
            let told = found.looked.iter().find(|looked| looked.origin == location.origin && fits(&looked.path));
            let told = told.unwrap_or_else(|| panic!("{} is not told of", location.path));
            let there = told.path == machine.at("p/.codex/hooks.json");
            assert_eq!(told.state == PlaceState::Found, there, "{told:?}");
        }
        let absent = found.absences();
        assert_eq!(absent.len(), found.absent().count());
        assert!(absent.iter().all(|told| told.code.id == "runtime/not-there" && told.silent && !told.path.is_empty()));
    }
    places.home = None;
    places.system = None;
    let found = discover(&*vendors[1], &places);
    let told: Vec<_> = found.looked.iter().map(|looked| (looked.path.to_str().unwrap(), looked.state.word())).collect();
    assert!(told.contains(&("~/.claude/settings.json", "not-asked")), "{told:?}");
    assert!(told.contains(&("/etc/claude-code/managed-settings.json", "not-asked")), "{told:?}");
}

#[test]
fn another_vendors_file_is_left_only_to_one_that_reads_that_very_file() {
    let machine = Machine::new();
    machine.write("home/.claude/settings.json", "{}");
    machine.write("elsewhere/settings.json", "{}");
    let vendors = &adapters()[..2];
    let read = |variable: &dyn Fn(&str) -> Option<String>| -> Vec<Vec<String>> {
        let places = Places { variable, ..machine.places(Platform::Linux) };
        discover_all(vendors, &places, ForeignFiles::Once).iter().map(|found| machine.found(found)).collect()
    };
    assert_eq!(read(&none), [vec![], vec!["user home/.claude/settings.json".to_owned()]]);
    // Claude Code reads another folder, so nobody but Cursor reads this one.
    let elsewhere = machine.at("elsewhere").to_str().unwrap().to_owned();
    let moved = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| elsewhere.clone());
    assert_eq!(
        read(&moved),
        [vec!["user home/.claude/settings.json".to_owned()], vec!["user elsewhere/settings.json".to_owned()]]
    );
}

#[test]
fn requirements_that_cannot_be_read_refuse_the_session() {
    let machine = Machine::new();
    let [_, _, codex] = adapters();
    let start = || {
        let places = machine.places(Platform::Linux);
        Reloader::start(vec![Arc::clone(&codex)], ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll)
    };
    assert!(start().is_ok());
    std::fs::create_dir_all(machine.at("machine/etc/codex/requirements.toml")).unwrap();
    let refused = start().unwrap_err();
    assert!(refused.why.contains("folder"), "{refused}");
}

#[test]
fn a_document_that_is_too_large_is_told_and_the_others_count() {
    let machine = Machine::new();
    let hooks = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}"#;
    machine.write("p/.claude/settings.json", hooks);
    let large = std::fs::File::create(machine.at("p/.claude/settings.local.json")).unwrap();
    large.set_len(1 << 40).unwrap();
    let [_, claude, _] = adapters();
    let places = machine.places(Platform::Linux);
    let started = Reloader::start(vec![claude], ForeignFiles::Once, &places, HostProfile::full(), &AdmitAll).unwrap();
    let snapshot = started.snapshot();
    assert_eq!(snapshot.bindings().len(), 1);
    let told: Vec<_> =
        snapshot.diagnostics().iter().filter(|told| told.path.ends_with("settings.local.json")).collect();
    assert!(told.len() == 1 && told[0].message.contains("bytes that are read"), "{told:?}");
}

/// One folder by two spellings: nothing in it is read twice, and what is shown is the spelling that came first.
#[test]
fn a_home_that_is_a_link_to_the_project_is_read_once() {
    let machine = Machine::new();
    for path in ["p/.codex/hooks.json", "p/.claude/settings.json", "p/.cursor/hooks.json"] {
        machine.write(path, "{}");
    }
    std::os::unix::fs::symlink(machine.at("p"), machine.at("link")).unwrap();
    let mut places = machine.places(Platform::Linux);
    places.home = Some(machine.at("link"));
    places.cwd = places.project.clone();
    let found = discover_all(&adapters(), &places, ForeignFiles::Once);
    let all: Vec<_> = found.iter().map(|found| machine.found(found)).collect();
    assert_eq!(
        all,
        [["project p/.cursor/hooks.json"], ["user link/.claude/settings.json"], ["user link/.codex/hooks.json"]]
    );
    let taken = found.iter().flat_map(|found| &found.looked).filter(|looked| looked.state == PlaceState::Taken);
    // One of them is another vendor's file for its reader.
    assert_eq!(taken.count(), 4);
    // A link below is another place: what a user keeps in a project's folder stays the user's.
    let machine = Machine::new();
    machine.write("p/.claude/settings.json", "{}");
    std::fs::create_dir_all(machine.at("home")).unwrap();
    std::os::unix::fs::symlink(machine.at("p/.claude"), machine.at("home/.claude")).unwrap();
    let found = discover(&*adapters()[1], &machine.places(Platform::Linux));
    assert_eq!(machine.found(&found), ["user home/.claude/settings.json", "project p/.claude/settings.json"]);
}

/// A checkout in `main`, a linked worktree of it in `p`, as git writes them.
fn worktree(machine: &Machine) {
    machine.write("main/.git/HEAD", "ref: refs/heads/main\n");
    machine.write("main/.git/worktrees/p/commondir", "../..\n");
    machine.write("main/.git/worktrees/p/gitdir", &format!("{}\n", machine.at("p/.git").display()));
    machine.write("p/.git", &format!("gitdir: {}\n", machine.at("main/.git/worktrees/p").display()));
    for path in
        ["main/.codex/hooks.json", "main/sub/.codex/config.toml", "p/.codex/hooks.json", "p/.claude/settings.json"]
    {
        machine.write(path, if path.ends_with("toml") { "" } else { "{}" });
    }
}

/// codex.md, section 4: in a linked git worktree hooks come from the main checkout's matching folder.
#[test]
fn a_linked_worktree_has_the_main_checkout_s_documents_where_the_vendor_says_so() {
    let machine = Machine::new();
    worktree(&machine);
    let codex = &adapters()[2];
    let real = machine.0.path().canonicalize().unwrap();
    let paths = |places: &Places<'_>| -> Vec<String> {
        let found = discover(&**codex, places);
        assert!(found.missed.is_empty());
        let below = |source: &Source| Path::new(&source.path).strip_prefix(&real).unwrap().display().to_string();
        found.sources.iter().map(below).collect()
    };
    let main = ["main/.codex/hooks.json", "main/sub/.codex/config.toml"];
    let mut places = machine.places(Platform::Linux);
    assert_eq!(paths(&places), main);
    // Claude has no such rule.
    assert_eq!(machine.found(&discover(&*adapters()[1], &places)), ["project p/.claude/settings.json"]);
    // A relative path, and a project that is a folder of the worktree.
    machine.write("p/.git", "gitdir: ../main/.git/worktrees/p\n");
    assert_eq!(paths(&places), main);
    places.project = machine.at("p/sub");
    assert_eq!(paths(&places), main[1..]);
    places.project = machine.at("p");
    // What leads out of the main checkout is told.
    std::os::unix::fs::symlink(machine.at("p/.codex/hooks.json"), machine.at("main/sub/.codex/hooks.json")).unwrap();
    assert_eq!(
        discover(&**codex, &places).strays,
        [(real.join("main/sub/.codex/hooks.json"), real.join("p/.codex/hooks.json"))]
    );
    std::fs::remove_file(machine.at("main/sub/.codex/hooks.json")).unwrap();

    // Everything else is read where it lies: a worktree that its repository does not know, a submodule, a repository
    // without a checkout, an ordinary checkout, and files that say nothing of use.
    let own = ["p/.codex/hooks.json"];
    let back = machine.at("main/.git/worktrees/p/gitdir");
    let before = std::fs::read_to_string(&back).unwrap();
    machine.write("elsewhere/.git", "");
    std::fs::write(&back, machine.at("elsewhere/.git").display().to_string()).unwrap();
    assert_eq!(paths(&places), own, "it is another one's");
    std::fs::write(&back, before).unwrap();
    assert_eq!(paths(&places), main);
    for (file, text) in [
        ("p/.git", "gitdir: nowhere\n"),
        ("p/.git", "gitdir:\n"),
        ("p/.git", "\u{0}"),
        ("p/.git", "gitdir: ../main/.git/worktrees/p\nmore\n"),
        ("main/.git/worktrees/p/commondir", "../../..\n"),
        ("main/.git/worktrees/p/commondir", ""),
    ] {
        let before = std::fs::read_to_string(machine.at(file)).unwrap();
        machine.write(file, text);
        assert_eq!(paths(&places), own, "{file}: {text:?}");
        machine.write(file, &before);
    }
    // A repository of the folder's own making that names somebody else's checkout.
    machine.write("p/fake/commondir", &machine.at("main/.git").display().to_string());
    machine.write("p/fake/gitdir", &machine.at("p/.git").display().to_string());
    machine.write("p/.git", "gitdir: fake\n");
    assert_eq!(paths(&places), own, "main does not know it");
    std::fs::remove_file(machine.at("p/.git")).unwrap();
    machine.write("p/.git/HEAD", "");
    assert_eq!(paths(&places), own);
    // A bare repository has no checkout.
    std::fs::remove_dir_all(machine.at("p/.git")).unwrap();
    std::fs::rename(machine.at("main/.git"), machine.at("main/bare.git")).unwrap();
    machine.write("p/.git", "gitdir: ../main/bare.git/worktrees/p\n");
    assert_eq!(paths(&places), own);
}
