//! Adapters at the versions of the clients that somebody uses.

use std::sync::Arc;

use hooks_core::{HostSide, Version};

/// Adapters of all vendors at versions, each written `VENDOR=1.2.3`, or `1.2.3` where one vendor alone is meant; of a
/// vendor that is not named, its newest recorded client.
///
/// # Errors
///
/// What is wrong with a version, and what to write: it cannot be read, nobody knows whose it is, or it is newer than every
/// client whose facts are recorded, so that what the adapter says of it would be a guess.
pub fn adapters(versions: &[impl AsRef<str>], only: Option<&str>) -> Result<Vec<Arc<dyn HostSide>>, String> {
    let mut adapters = crosshook::adapters();
    for text in versions {
        let text = text.as_ref();
        let (vendor, version) = match (text.split_once('='), only) {
            (Some((vendor, version)), _) => (vendor.trim(), version.trim()),
            (None, Some(vendor)) => (vendor, text.trim()),
            (None, None) => {
                return Err(format!(
                    "nobody knows whose version `{text}` is: write VENDOR=VERSION, as in `claude=2.1.300`"
                ));
            }
        };
        let Some(at) = adapters.iter_mut().find(|adapter| adapter.vendor().as_str() == vendor) else {
            return Err(format!("there is no vendor `{vendor}`: write one of {}", crosshook::VENDORS.join(", ")));
        };
        *at = adapter(vendor, version, at.version())?;
    }
    Ok(adapters)
}

fn adapter(vendor: &str, text: &str, newest: Version) -> Result<Arc<dyn HostSide>, String> {
    let version: Version = text.parse().map_err(|error: hooks_core::vendor::NotAVersion| error.to_string())?;
    if version > newest {
        return Err(format!(
            "{vendor} {version} is not known: the newest client whose facts are recorded is {newest}; write that, or leave \
             the version out"
        ));
    }
    crosshook::adapter_at(vendor, version).ok_or_else(|| format!("{vendor} {version} is not known"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_taken_where_it_is_recorded_and_else_refused_with_what_to_write() {
        let claude = |versions: &[&str], only| -> Result<String, String> {
            let adapters = adapters(versions, only)?;
            let claude = adapters.iter().find(|adapter| adapter.vendor().as_str() == "claude").unwrap();
            Ok(claude.version().to_string())
        };
        assert_eq!(claude(&["claude=2.1.100"], None).unwrap(), "2.1.100");
        assert_eq!(claude(&["2.1.100"], Some("claude")).unwrap(), "2.1.100");
        let newest = crosshook::claude::DIALECT.latest.to_string();
        assert_eq!(claude(&["codex=0.100.0"], None).unwrap(), newest);
        assert!(claude(&["2.1.100"], None).unwrap_err().contains("VENDOR=VERSION"));
        assert!(claude(&["claud=2.1.100"], None).unwrap_err().contains("cursor, claude, codex"));
        assert!(claude(&["claude=two"], None).unwrap_err().contains("1.2.3"));
        let error = claude(&["claude=99.0.0"], None).unwrap_err();
        assert!(error.contains("99.0.0") && error.contains(&newest), "{error}");
    }

    #[test]
    fn a_version_changes_no_face() {
        let newest = crosshook::cursor::DIALECT.latest.to_string();
        let made = adapters(&[format!("cursor={newest}")], None).unwrap();
        let cursor = made.iter().find(|adapter| adapter.vendor().as_str() == "cursor").unwrap();
        let usual = crosshook::adapter("cursor").unwrap();
        assert_eq!(format!("{cursor:?}"), format!("{usual:?}"));
    }
}
