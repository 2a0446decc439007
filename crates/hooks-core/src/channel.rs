//! The ways in which a hook can have an effect, as a small set.

use std::fmt;
use std::ops::BitOr;

macro_rules! channels {
    ($( #[doc = $doc:literal] $name:ident = $word:literal, )*) => {
        /// One way in which a hook can have an effect. Events declare the channels they have; hosts declare the
        /// channels they can apply.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Channel { $( #[doc = $doc] $name, )* }

        impl Channel {
            /// Every channel, in a fixed order.
            pub const ALL: &'static [Self] = &[ $( Self::$name, )* ];

            /// The kebab-case word for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$name => $word, )* }
            }

            /// What it does, in a sentence.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $( Self::$name => $doc.trim_ascii(), )* }
            }
        }
    };
}

channels! {
    /// Allow, ask, defer or deny a pending action.
    Verdict = "verdict",
    /// A text for the person.
    UserNotice = "user-notice",
    /// A text for the model.
    ModelContext = "model-context",
    /// Another input for the pending action.
    ReplacementInput = "replacement-input",
    /// Another result for the model to see.
    ReplacementResult = "replacement-result",
    /// Environment variables for the rest of the session.
    SessionEnv = "session-env",
    /// Stop what the boundary starts or continues.
    Halt = "halt",
    /// Go on with this text.
    Continuation = "continuation",
    /// Change the session's permission rules.
    PermissionUpdate = "permission-update",
    /// Something that only one vendor has.
    Special = "special",
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of [`Channel`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Channels(u16);

impl Channels {
    /// No channel.
    pub const NONE: Self = Self(0);
    /// Every channel.
    pub const ALL: Self = Self::of(Channel::ALL);

    /// The set of the given channels.
    #[must_use]
    pub const fn of(channels: &[Channel]) -> Self {
        let mut bits = 0;
        let mut rest = channels;
        while let [first, others @ ..] = rest {
            bits |= 1 << (*first as u16);
            rest = others;
        }
        Self(bits)
    }

    /// Whether the channel is in the set.
    #[must_use]
    pub const fn contains(self, channel: Channel) -> bool {
        self.0 & (1 << (channel as u16)) != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The channels of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The channels in the set, in the fixed order.
    pub fn iter(self) -> impl Iterator<Item = Channel> {
        Channel::ALL.iter().copied().filter(move |&channel| self.contains(channel))
    }
}

impl BitOr for Channels {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Channel::as_str)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set = Channels::of(&[Channel::Verdict, Channel::Halt]);
        assert!(set.contains(Channel::Verdict) && set.contains(Channel::Halt) && !set.contains(Channel::Special));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Channel::Verdict, Channel::Halt]);
        assert_eq!(set.minus(Channels::of(&[Channel::Halt])), Channels::of(&[Channel::Verdict]));
        assert_eq!(Channels::ALL.iter().count(), Channel::ALL.len());
        assert!(Channels::NONE.is_empty());
    }
}
