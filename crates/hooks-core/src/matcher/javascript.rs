//! JavaScript's regular expressions on engines that keep their time.
//!
//! An ECMAScript engine says whether a pattern is valid; it never runs on input, since it has no step limit. A valid
//! pattern is translated into the language of the `regex` crate where it means the same there (linear time), into that
//! of `fancy-regex` where it needs look-around or back-references (limited steps), and is given up as one that cannot
//! be run otherwise.

use super::{Pattern, PatternError};

/// Compiles a JavaScript pattern, flags none.
///
/// # Errors
///
/// [`PatternError::Invalid`] when JavaScript refuses it, [`PatternError::CannotRun`] when it is valid and no engine here
/// runs it with the same meaning.
pub fn compile(text: &str) -> Result<Pattern, PatternError> {
    regress::Regex::new(text).map_err(|error| PatternError::Invalid(error.to_string()))?;
    super::linear(text)
        .map(|regex| Pattern::from_linear(text, regex))
        .map_err(|error| PatternError::CannotRun(super::last_line(&error.to_string())))
}
