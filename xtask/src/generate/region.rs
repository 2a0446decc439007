//! Generated parts of hand-written pages: what stands between `<!-- gen:NAME -->` and `<!-- /gen -->`.

use std::path::Path;

use super::{COMMAND, Generated, read};

/// What the start of every generated part begins with.
pub(super) const OPEN: &str = "<!-- gen:";
const CLOSE: &str = "<!-- /gen -->";

/// A hand-written page with its generated parts made anew, each given by its name. Every part of the page must be given,
/// and every one given must be on the page.
pub(super) fn page(root: &Path, path: &str, parts: &[(&str, String)]) -> Result<Generated, String> {
    let text = filled(&read(root, path)?, parts).map_err(|why| format!("{path}: {why}"))?;
    Ok(Generated::new(path, text))
}

fn filled(page: &str, parts: &[(&str, String)]) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = page;
    let mut used = Vec::new();
    while let Some((before, from_name)) = rest.split_once(OPEN) {
        let (name, inside) = from_name.split_once(" -->").ok_or("a marker of a generated part has no end")?;
        // Words after the name are for readers.
        let id = name.split([' ', ',', ':']).next().unwrap_or_default();
        let (_, after) = inside.split_once(CLOSE).ok_or_else(|| format!("the part `{id}` has no `{CLOSE}`"))?;
        let (_, text) = parts.iter().find(|(known, _)| *known == id).ok_or_else(|| {
            let known: Vec<&str> = parts.iter().map(|(known, _)| *known).collect();
            format!("nothing makes a part `{id}`; there are {}", known.join(", "))
        })?;
        used.push(id);
        out.push_str(before);
        out.push_str(&format!("{OPEN}{name} -->"));
        // A part of several lines is a block of its own, one in a line stays in it.
        if text.contains('\n') {
            out.push_str(&format!("\n\n{}\n\n", text.trim_matches('\n')));
        } else {
            out.push_str(text);
        }
        out.push_str(CLOSE);
        rest = after;
    }
    out.push_str(rest);
    match parts.iter().find(|(name, _)| !used.contains(name)) {
        Some((name, _)) => Err(format!("there is no place `{OPEN}{name} -->{CLOSE}` for what `{COMMAND}` makes")),
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(page: &str, parts: &[(&str, &str)]) -> Result<String, String> {
        let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        filled(page, &parts)
    }

    #[test]
    fn only_what_stands_between_the_markers_is_made_anew() {
        let page = "a\n<!-- gen:table -->old<!-- /gen -->\nb <!-- gen:count: made -->1<!-- /gen --> c\n";
        let made = fill(page, &[("table", "| x |\n| y |\n"), ("count", "2")]).expect("filled");
        let expected =
            "a\n<!-- gen:table -->\n\n| x |\n| y |\n\n<!-- /gen -->\nb <!-- gen:count: made -->2<!-- /gen --> c\n";
        assert_eq!(made, expected);
        assert_eq!(fill(&made, &[("table", "| x |\n| y |\n"), ("count", "2")]).expect("filled"), expected);
    }

    #[test]
    fn parts_and_places_must_be_the_same() {
        let page = "<!-- gen:table --><!-- /gen -->";
        assert!(fill(page, &[]).expect_err("a place without a part").contains("`table`"));
        assert!(fill("", &[("table", "")]).expect_err("a part without a place").contains("gen:table"));
        assert!(fill("<!-- gen:table -->", &[("table", "")]).expect_err("no end").contains("/gen"));
    }
}
