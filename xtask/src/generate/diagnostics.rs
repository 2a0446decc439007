//! The pages of the diagnostics in `docs/diagnostics`: their generated parts, their index, and the table by which the
//! command has them with it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use hooks_core::diagnostic::{Code, Severity};

use super::markdown::{header, number, preamble, row};
use super::{Generated, MARK, Sources, Vendor, files_below, region};

/// The folder of the pages.
const FOLDER: &str = "docs/diagnostics";
/// The index of them.
const INDEX: &str = "docs/diagnostics/README.md";

/// The codes of one crate.
struct Table {
    /// The word that their ids begin with.
    area: &'static str,
    title: &'static str,
    /// What gives them, in a sentence.
    about: &'static str,
    codes: Vec<&'static Code>,
}

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let tables = tables(sources.vendors);
    let codes: Vec<_> = tables.iter().flat_map(|table| table.codes.iter().map(move |code| (table, *code))).collect();
    equal(sources.root, codes.iter().map(|(_, code)| code.id))?;
    let mut made = Vec::new();
    for (table, code) in &codes {
        if code.id.split('/').next() != Some(table.area) {
            return Err(format!("{} is in the table of {}", code.id, table.area));
        }
        made.push(region::page(sources.root, &page(code.id), &[("code", facts(table, code))])?);
    }
    made.push(Generated::new(INDEX, index(&tables)));
    made.push(Generated::new("crates/crosshook/src/check/pages.rs", embedded(codes.iter().map(|(_, code)| code.id))));
    Ok(made)
}

/// Every table of codes, in the order of the index.
fn tables(vendors: &[Vendor]) -> Vec<Table> {
    let mut tables: Vec<Table> = vendors
        .iter()
        .map(|vendor| Table {
            area: vendor.name,
            title: vendor.title,
            about: "One document, as the vendor's client reads it.",
            codes: vendor.codes.to_vec(),
        })
        .collect();
    tables.push(Table {
        area: "crosshook",
        title: "Projects",
        about: "What no document says of itself: the files that commands name, several documents or vendors side by \
                side, and the checker's own configuration.",
        codes: crosshook::check::codes::CODES.to_vec(),
    });
    tables.push(Table {
        area: "core",
        title: "Activation",
        about: "What a host makes of a definition, whatever its vendor.",
        codes: hooks_core::activate::CODES.to_vec(),
    });
    tables.push(Table {
        area: "runtime",
        title: "Finding and reading files",
        about: "Where documents lie, and what becomes of them when they are read again.",
        codes: crosshook::runtime::reload::CODES.to_vec(),
    });
    tables
}

/// The path of a code's page.
fn page(id: &str) -> String {
    format!("{FOLDER}/{id}.md")
}

/// Holds pages and codes equal.
fn equal<'c>(root: &Path, ids: impl Iterator<Item = &'c str>) -> Result<(), String> {
    let wanted: BTreeSet<String> = ids.map(page).collect();
    let there: BTreeSet<String> = files_below(root, FOLDER)?.into_iter().filter(|path| path != INDEX).collect();
    let missing = wanted.difference(&there).map(|path| format!("  {path}: there is no page for this code\n"));
    let extra = there.difference(&wanted).map(|path| format!("  {path}: no table has a code for this page\n"));
    let faults: String = missing.chain(extra).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("pages and codes are not the same:\n{faults}")) }
}

/// The generated part of a page: how loud the code is, what is wrong, and what to write instead.
fn facts(table: &Table, code: &Code) -> String {
    let severity = match code.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
    };
    format!("**{severity}** ({}). {}\n\n**Instead:** {}\n", table.title, code.summary, code.help)
}

fn index(tables: &[Table]) -> String {
    let mut out = preamble("the `codes` tables of the crates");
    let count = number(tables.iter().map(|table| table.codes.len()).sum());
    let _ = write!(
        out,
        "# Diagnostics\n\nEvery diagnostic by its stable code, {count} in all. A code's page says why it is given, with the \
         source, and has an example that\nfails and one that is fixed; both are run by a test. `crosshook check --explain \
         CODE` shows the page.\n\nThe severity is the usual one: a case may be louder or quieter, by what it costs.\n",
    );
    for table in tables {
        let _ = write!(out, "\n## {}\n\n{}\n\n", table.title, table.about);
        header(&mut out, &["Code", "Severity", "What is wrong", "What to write instead"]);
        for one in &table.codes {
            let link = format!("[`{0}`]({0}.md)", one.id);
            let words = [one.severity.as_str(), one.summary, one.help].map(str::to_owned);
            let mut cells = vec![link];
            cells.extend(words);
            row(&mut out, &cells);
        }
    }
    out
}

/// The table of pages that the command is built with.
fn embedded<'c>(ids: impl Iterator<Item = &'c str>) -> String {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    let mut out = format!(
        "//! {MARK} from the `codes` tables of the crates. Do not edit.\n\
         //!\n\
         //! The page of every diagnostic, from `docs/diagnostics`.\n\
         \n\
         /// Pages by the ids of their codes.\n\
         macro_rules! pages {{\n    \
             ($($id:literal,)*) => {{\n        \
                 &[$(($id, include_str!(concat!(\"../../../../docs/diagnostics/\", $id, \".md\")))),*]\n    \
             }};\n\
         }}\n\
         \n\
         /// The page of each code in Markdown, by the code's id, in the order of ids.\n\
         pub static PAGES: &[(&str, &str)] = pages![\n"
    );
    for id in ids {
        let _ = writeln!(out, "    \"{id}\",");
    }
    out.push_str("];\n");
    out
}

#[cfg(test)]
mod tests {
    use super::super::vendors;
    use super::*;

    #[test]
    fn codes_are_unique_and_say_what_to_write() {
        let mut ids = BTreeSet::new();
        for table in tables(&vendors()) {
            assert!(!table.codes.is_empty(), "{} has no codes", table.area);
            for code in table.codes {
                assert!(ids.insert(code.id), "{} is declared twice", code.id);
                assert!(!code.summary.is_empty() && !code.help.is_empty(), "{} says too little", code.id);
                let (area, name) = code.id.split_once('/').unwrap_or_else(|| panic!("{} has no area", code.id));
                assert_eq!(area, table.area, "{} is in the table of another crate", code.id);
                let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
                assert!(!name.is_empty() && name.chars().all(kebab), "{} is not kebab-case", code.id);
            }
        }
    }

    #[test]
    fn a_page_without_a_code_and_a_code_without_a_page_are_told() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("docs/diagnostics/a");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(root.path().join(INDEX), "").expect("written");
        std::fs::write(folder.join("b.md"), "").expect("written");
        assert_eq!(equal(root.path(), ["a/b"].into_iter()), Ok(()));
        let wrong = equal(root.path(), ["a/c"].into_iter()).expect_err("they differ");
        assert!(
            wrong.contains("diagnostics/a/b.md: no table") && wrong.contains("diagnostics/a/c.md: there is no"),
            "{wrong}"
        );
    }
}
