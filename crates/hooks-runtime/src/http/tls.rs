//! Encryption for requests, with the feature `https`: rustls with the ring provider. Certificates are always checked.

use std::sync::{Arc, OnceLock};

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use super::HttpSetup;

/// Whom to trust. Clones share what was read once.
#[derive(Clone, Debug, Default)]
pub(super) struct Tls {
    /// Made at the first request where the host named no certificates: reading the system's takes a while.
    config: Arc<OnceLock<Result<Arc<ClientConfig>, String>>>,
}

impl Tls {
    /// Trusts these certificates alone.
    pub(super) fn with_roots(certificates: impl IntoIterator<Item = Vec<u8>>) -> Result<Self, HttpSetup> {
        let mut roots = RootCertStore::empty();
        for (at, certificate) in certificates.into_iter().enumerate() {
            let added = roots.add(CertificateDer::from(certificate));
            added.map_err(|why| HttpSetup::Certificate { place: at + 1, why: why.to_string() })?;
        }
        Ok(Self { config: Arc::new(OnceLock::from(config(roots))) })
    }

    /// An encrypted connection to a host over an open one.
    pub(super) async fn connect(&self, host: &str, stream: TcpStream) -> Result<TlsStream<TcpStream>, String> {
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| format!("`{host}` is no name that a certificate can have"))?;
        if self.config.get().is_none() {
            let shared = Arc::clone(&self.config);
            let read = move || {
                shared.get_or_init(|| config(systems()?));
            };
            tokio::task::spawn_blocking(read).await.map_err(|_| "its certificate cannot be checked".to_owned())?;
        }
        let config = match self.config.get() {
            Some(Ok(config)) => Arc::clone(config),
            Some(Err(why)) => return Err(why.clone()),
            None => return Err("its certificate cannot be checked".to_owned()),
        };
        TlsConnector::from(config).connect(name, stream).await.map_err(|error| error.to_string())
    }
}

/// The certificates that the system trusts. One that cannot be used is left out; none at all is an error.
fn systems() -> Result<RootCertStore, String> {
    let loaded = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(loaded.certs);
    if roots.is_empty() {
        let why = loaded.errors.first().map(|error| format!(": {error}")).unwrap_or_default();
        return Err(format!("this system has no root certificates to check it against{why}"));
    }
    Ok(roots)
}

fn config(roots: RootCertStore) -> Result<Arc<ClientConfig>, String> {
    // Named here, so that it does not depend on what else in the host's process chose a provider.
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let versions = builder.with_safe_default_protocol_versions().map_err(|error: rustls::Error| error.to_string())?;
    let mut config = versions.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
