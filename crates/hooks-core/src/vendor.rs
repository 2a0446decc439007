//! Which vendor, and which release of its client: open identifiers, not a closed list.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The name of a vendor's format, in lower case. An open identifier: core has no list of vendors.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VendorId(Cow<'static, str>);

impl VendorId {
    /// The identifier of a vendor known at compile time; costs no allocation.
    #[must_use]
    pub const fn from_static(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for VendorId {
    fn from(name: String) -> Self {
        Self(Cow::Owned(name))
    }
}

impl fmt::Display for VendorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for VendorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A release of a vendor's client, `major.minor.patch`. Facts that changed carry the version they hold from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

impl Version {
    /// Before every release: a fact that has always held.
    pub const FIRST: Self = Self::new(0, 0, 0);

    /// A version from its three numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Text that is no `major.minor.patch`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no version: write three numbers, as in `1.2.3`")]
pub struct NotAVersion(pub String);

impl FromStr for Version {
    type Err = NotAVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || NotAVersion(text.to_owned());
        let mut parts = text.split('.').map(str::parse::<u32>);
        let mut next = || parts.next().and_then(Result::ok);
        let (Some(major), Some(minor)) = (next(), next()) else { return Err(wrong()) };
        let patch = next();
        match (patch, parts.next()) {
            (Some(patch), None) => Ok(Self { major, minor, patch }),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_order_by_number_not_by_text() {
        let version = |text: &str| text.parse::<Version>().expect("a version");
        assert!(version("2.1.99") < version("2.1.332"));
        assert_eq!(version("0.171.0").to_string(), "0.171.0");
    }

    #[test]
    fn what_is_no_version_says_what_to_write() {
        for text in ["", "1", "1.2", "1.2.3.4", "1.2.x", "v1.2.3", "1.2.-3"] {
            let error = text.parse::<Version>().expect_err(text);
            assert!(error.to_string().contains("1.2.3"), "{error}");
        }
    }
}
