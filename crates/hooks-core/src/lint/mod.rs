//! What adapters look for beyond what their vendor's reader says: names that are nearly right, every mistake in a
//! document that is no JSON, matchers that can match nothing, values that were meant in another unit.
//!
//! All of it is about texts and values; which names, matchers and values a vendor has is the caller's to say.

pub mod matchers;
pub mod nearest;
pub mod syntax;
pub mod values;
