//! No fault of a file hides another one: what is told of each alone is told of both together, in one run.

mod claude;
mod codex;
mod cursor;
