//! Markdown tables, and the line that generated pages start with.

use std::fmt::Write as _;

/// The line that every generated page starts with.
pub(super) fn preamble(from: &str) -> String {
    format!("<!-- {} from {from}. Do not edit. -->\n\n", super::MARK)
}

/// Adds a row of a table.
pub(super) fn row(out: &mut String, cells: &[String]) {
    let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}

/// Adds the head of a table.
pub(super) fn header<S: AsRef<str>>(out: &mut String, cells: &[S]) {
    row(out, &cells.iter().map(|cell| cell.as_ref().to_owned()).collect::<Vec<_>>());
    row(out, &cells.iter().map(|_| "---".to_owned()).collect::<Vec<_>>());
}

/// A name as code.
pub(super) fn code(name: impl std::fmt::Display) -> String {
    format!("`{name}`")
}

/// Names as code, with commas between.
pub(super) fn codes<T: std::fmt::Display>(names: impl IntoIterator<Item = T>) -> String {
    names.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// A number with a comma between thousands.
pub(super) fn number(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_cannot_break_a_table() {
        let mut out = String::new();
        row(&mut out, &["a|b".to_owned(), "c\nd".to_owned()]);
        assert_eq!(out, "| a\\|b | c d |\n");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 6618, 1234567].map(number), ["0", "999", "1,000", "6,618", "1,234,567"]);
    }
}
