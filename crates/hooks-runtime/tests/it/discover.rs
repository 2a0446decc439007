//! Documents where a location table says they lie, and files that cannot be read.

use std::fs;
use std::path::{Path, PathBuf};

use hooks_core::document::SIZE_LIMIT;
use hooks_core::location::Platform;
use hooks_core::source::Origin;
use hooks_runtime::{Found, Places, ReadError, discover, read_file};

use crate::toy::Toy;

fn write(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn places<'a>(root: &Path, variable: &'a dyn Fn(&str) -> Option<String>) -> Places<'a> {
    Places {
        project: root.join("project"),
        cwd: root.join("project/a/b"),
        home: Some(root.join("home")),
        platform: Platform::Linux,
        system: None,
        variable,
    }
}

fn found(found: &Found, root: &Path) -> Vec<(String, Origin)> {
    let relative = |path: &str| Path::new(path).strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    found.sources.iter().map(|source| (relative(&source.path), source.origin)).collect()
}

#[test]
fn documents_are_found_in_the_tables_order() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    for path in [
        "home/.toy/hooks.json",
        "home/.config/toy/extra.json",
        "elsewhere/extra.json",
        "project/.toy/hooks.json",
        "project/a/b/.toy/hooks.json",
        "project/a/b/c/.toy/hooks.json",
        "project/plugins/two/hooks.x.json",
        "project/plugins/one/hooks.y.json",
        "project/plugins/one/hooks.json",
        "project/plugins/.hidden/hooks.z.json",
        "project/windows.json",
    ] {
        write(root.join(path), path);
    }
    let none = |_: &str| None;
    let all = discover(&Toy::default(), &places(root, &none));
    assert!(all.missed.is_empty(), "{:?}", all.missed);
    assert_eq!(
        found(&all, root),
        [
            ("home/.toy/hooks.json".to_owned(), Origin::User),
            ("home/.config/toy/extra.json".to_owned(), Origin::User),
            ("project/.toy/hooks.json".to_owned(), Origin::Project),
            ("project/a/b/.toy/hooks.json".to_owned(), Origin::Project),
            ("project/plugins/one/hooks.y.json".to_owned(), Origin::Plugin),
            ("project/plugins/two/hooks.x.json".to_owned(), Origin::Plugin),
        ]
    );
    assert_eq!(&*all.sources[2].bytes, b"project/.toy/hooks.json");

    let elsewhere = root.join("elsewhere").to_str().unwrap().to_owned();
    let variable = |name: &str| (name == "TOY_HOME").then(|| elsewhere.clone());
    let mut place = places(root, &variable);
    place.home = None;
    place.cwd = root.to_owned();
    place.platform = Platform::Windows;
    assert_eq!(
        found(&discover(&Toy::default(), &place), root),
        [
            ("elsewhere/extra.json".to_owned(), Origin::User),
            ("project/.toy/hooks.json".to_owned(), Origin::Project),
            ("project/plugins/one/hooks.y.json".to_owned(), Origin::Plugin),
            ("project/plugins/two/hooks.x.json".to_owned(), Origin::Plugin),
            ("project/windows.json".to_owned(), Origin::Local),
        ]
    );

    // A project in the home folder: the same file is the user's.
    let mut place = places(root, &none);
    place.project = root.join("home/./");
    place.cwd = root.join("home");
    let same = discover(&Toy::default(), &place);
    assert_eq!(found(&same, root)[0], ("home/.toy/hooks.json".to_owned(), Origin::User));
    assert_eq!(same.sources.len(), 2);
}

#[test]
fn what_is_there_and_cannot_be_read_is_told() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    fs::create_dir_all(root.join("home/.toy/hooks.json")).unwrap();
    write(root.join("project/.toy"), "a file in place of the folder");
    fs::create_dir_all(root.join("project/a/.toy")).unwrap();
    std::os::unix::fs::symlink("nowhere", root.join("project/a/.toy/hooks.json")).unwrap();
    write(root.join("project/a/b/.toy/hooks.json"), "{}");
    let none = |_: &str| None;
    let all = discover(&Toy::default(), &places(root, &none));
    assert_eq!(all.sources.len(), 1);
    let missed: Vec<_> = all.missed.iter().map(|missed| (&missed.why, missed.source.origin)).collect();
    assert!(
        matches!(
            missed[..],
            [
                (ReadError::Folder, Origin::User),
                (ReadError::NotAFolderOnTheWay, Origin::Project),
                (ReadError::BrokenLink, Origin::Project)
            ]
        ),
        "{missed:?}"
    );
    assert_eq!(all.missed[2].path, root.join("project/a/.toy/hooks.json"));
}

#[test]
fn files_are_read_within_the_limit_and_pipes_never() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    assert!(matches!(read_file(&at("missing")), Err(ReadError::NotFound)));
    assert!(matches!(read_file(root.path()), Err(ReadError::Folder)));

    fs::write(at("whole"), vec![b' '; SIZE_LIMIT]).unwrap();
    assert_eq!(read_file(&at("whole")).unwrap().len(), SIZE_LIMIT);
    let large = fs::File::create(at("large")).unwrap();
    large.set_len(1 << 40).unwrap();
    assert!(matches!(read_file(&at("large")), Err(ReadError::TooLarge { limit: SIZE_LIMIT })));
    // Files that do not know their size.
    assert!(!read_file(Path::new("/proc/self/status")).unwrap().is_empty());
    assert!(matches!(read_file(Path::new("/dev/zero")), Err(ReadError::NotAFile)));

    assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    assert!(matches!(read_file(&at("pipe")), Err(ReadError::NotAFile)));
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    assert!(matches!(read_file(&at("socket")), Err(ReadError::NotAFile)));
}
