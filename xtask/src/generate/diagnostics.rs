//! `docs/diagnostics.md`: every code.

use std::fmt::Write as _;

use hooks_core::diagnostic::Code;

use super::markdown::{code, header, preamble, row};
use super::{Generated, Sources, Vendor};

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    Ok(vec![Generated::new("docs/diagnostics.md", diagnostics(sources.vendors))])
}

fn diagnostics(vendors: &[Vendor]) -> String {
    let mut out = preamble("the `codes` tables of the crates");
    out.push_str("# Diagnostics\n\nEvery diagnostic, by its stable code.\n");
    let mut section = |title: &str, codes: &[&Code]| {
        let _ = writeln!(out, "\n## {title}\n");
        header(&mut out, &["Code", "Severity", "What is wrong", "What to write instead"]);
        for one in codes {
            let words = [one.severity.as_str(), one.summary, one.help].map(str::to_owned);
            let mut cells = vec![code(one.id)];
            cells.extend(words);
            row(&mut out, &cells);
        }
    };
    section("Activation", hooks_core::activate::CODES);
    for vendor in vendors {
        section(vendor.title, vendor.codes);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::vendors;

    #[test]
    fn codes_are_unique_and_say_what_to_write() {
        let mut ids = Vec::new();
        for code in vendors().iter().flat_map(|vendor| vendor.codes).chain(hooks_core::activate::CODES) {
            assert!(!ids.contains(&code.id), "{} is declared twice", code.id);
            ids.push(code.id);
            assert!(!code.summary.is_empty() && !code.help.is_empty(), "{} says too little", code.id);
            let (area, name) = code.id.split_once('/').unwrap_or_else(|| panic!("{} has no area", code.id));
            let kebab = |text: &str| text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            assert!(kebab(area) && kebab(name) && !name.is_empty(), "{} is not kebab-case", code.id);
        }
    }
}
