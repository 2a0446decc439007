//! Hooks in another vendor's configuration: what is selected, what is written, and what is said about it.

mod command;
mod documents;
pub(crate) mod evidence;
mod firing;
mod matchers;
mod merging;
mod real;
mod round;
mod sides;
mod tables;
