//! The library: adapters by name, and what is built without the command.

use std::process::Command;

#[test]
fn adapters_are_had_by_name() {
    for vendor in crosshook::VENDORS {
        assert_eq!(crosshook::adapter(vendor).unwrap().vendor().as_str(), *vendor);
    }
    assert!(crosshook::adapter("Claude").is_none() && crosshook::adapter("").is_none());
    let all: Vec<String> = crosshook::adapters().iter().map(|adapter| adapter.vendor().to_string()).collect();
    assert_eq!(all, crosshook::VENDORS);
}

/// Without `cli` a host builds neither the argument parser nor the conformance runner, and only the adapters it names.
#[test]
fn a_host_builds_only_what_it_names() {
    for features in ["claude", "cursor", "codex", "codex,runtime"] {
        let tree = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--offline",
                "--edges",
                "normal",
                "--prefix",
                "none",
                "--no-default-features",
                "--features",
                features,
            ])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let tree = String::from_utf8(tree.stdout).unwrap();
        let has = |name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
        for name in ["clap", "hooks-conformance", "annotate-snippets", "anstream", "tempfile"] {
            assert!(!has(name), "{features} pulls in {name}:\n{tree}");
        }
        for vendor in crosshook::VENDORS {
            let named = features.split(',').any(|feature| feature == *vendor);
            assert_eq!(has(&format!("adapter-{vendor}")), named, "{features}, {vendor}");
        }
        assert_eq!(has("tokio"), features.contains("runtime"), "{features}");
    }
}
