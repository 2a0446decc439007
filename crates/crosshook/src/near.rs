//! Which of the names that there are somebody may have meant.

/// How far a name is from what was typed; `None` for too far. Letter case and separators are no distance.
pub(crate) fn distance(typed: &str, name: &str) -> Option<usize> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(100).collect()
    };
    let (typed, name) = (plain(typed), plain(name));
    let distance = strsim::damerau_levenshtein(&typed, &name);
    (distance <= 1 + name.len() / 5).then_some(distance)
}

/// The names nearest to what was typed, as a question; `None` where none is near.
pub(crate) fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let mut close: Vec<(usize, &str)> =
        names.into_iter().filter_map(|name| Some((distance(typed, name)?, name))).collect();
    close.sort_unstable();
    let best = close.first()?.0;
    let close: Vec<String> =
        close.iter().filter(|(distance, _)| *distance == best).map(|(_, name)| format!("`{name}`")).collect();
    Some(format!("did you mean {}?", close.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_told_and_far_ones_are_not() {
        assert_eq!(distance("pretooluse", "PreToolUse"), Some(0));
        assert_eq!(distance("pre_tool_use", "preToolUse"), Some(0));
        assert_eq!(distance("PreToolUze", "PreToolUse"), Some(1));
        assert_eq!(distance("tool_before", "tool.before"), Some(0));
        assert_eq!(distance("banana", "PreToolUse"), None);
    }

    #[test]
    fn the_nearest_names_are_asked_about() {
        let names = ["Stop", "Setup", "SubagentStop"];
        assert_eq!(did_you_mean("stop", names), Some("did you mean `Stop`?".to_owned()));
        assert_eq!(did_you_mean("ab", ["ac", "ad", "zz"]), Some("did you mean `ac` or `ad`?".to_owned()));
        assert_eq!(did_you_mean("notification", names), None);
    }
}
