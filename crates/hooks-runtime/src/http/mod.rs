//! Handlers that are requests, with the feature `http`: one POST over HTTP/1.1, and nothing else. The feature `https`
//! adds encryption; without it `https` addresses go on to another [`HandlerHost`], which by default says that nobody can
//! send them.
//!
//! Redirects are not followed, nothing is kept open, and an answer is read up to the invocation's cap.

mod answer;
mod request;
#[cfg(feature = "https")]
mod tls;

use std::sync::Arc;

use hooks_core::Handler;
use hooks_core::handler::HttpHandler;
use hooks_core::outcome::{End, Invocation, Outcome};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::cancel::CancelSignal;
use crate::handlers::{HandlerHost, NoHandlers, OutcomeFuture};
use crate::shell::Environment;
use answer::Answer;
use request::Target;

/// Bytes read at a time.
const CHUNK: usize = 16 << 10;

/// What a host says about requests that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpSetup {
    /// An address that shall be allowed is none.
    #[error("`{address}` cannot be allowed: {why}")]
    Address {
        /// The address.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// A certificate that shall be trusted is none.
    #[error("root certificate {place} cannot be used: {why}")]
    Certificate {
        /// Its place among those given, from 1.
        place: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// Sends requests, and leaves everything else to another.
///
/// What a vendor's settings say about addresses and variables was settled before: an adapter that has such lists does not
/// encode what they forbid, and leaves only allowed names in the handler. [`HttpHandlers::only`] is the host's own list
/// beside it.
#[derive(Clone, Debug)]
pub struct HttpHandlers {
    others: Arc<dyn HandlerHost>,
    only: Option<Vec<Target>>,
    #[cfg(feature = "https")]
    tls: tls::Tls,
}

impl Default for HttpHandlers {
    fn default() -> Self {
        Self::or(Arc::new(NoHandlers))
    }
}

impl HttpHandlers {
    /// With somebody for everything but requests.
    #[must_use]
    pub fn or(others: Arc<dyn HandlerHost>) -> Self {
        Self {
            others,
            only: None,
            #[cfg(feature = "https")]
            tls: tls::Tls::default(),
        }
    }

    /// Sends requests to these addresses only, and to what lies below their paths: `https://hooks.example/team` allows
    /// `https://hooks.example/team/a?b`, and neither another port nor `http`. An empty list allows none. A handler that sets
    /// the header `Host` is not sent then.
    ///
    /// # Errors
    ///
    /// [`HttpSetup::Address`] for one that is no `http` or `https` address.
    pub fn only<'a>(mut self, addresses: impl IntoIterator<Item = &'a str>) -> Result<Self, HttpSetup> {
        let allowed = addresses.into_iter().map(|address| {
            let parsed = Target::of(address).unwrap_or_else(|| Err("it is no http or https address".to_owned()));
            parsed.map_err(|why| HttpSetup::Address { address: address.to_owned(), why })
        });
        self.only = Some(allowed.collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// Trusts servers that these root certificates vouch for, in DER form, and no others. Unless this is called it is
    /// the certificates that the system trusts; `SSL_CERT_FILE` and `SSL_CERT_DIR` name others.
    ///
    /// # Errors
    ///
    /// [`HttpSetup::Certificate`] for the first that is none.
    #[cfg(feature = "https")]
    pub fn roots(mut self, certificates: impl IntoIterator<Item = Vec<u8>>) -> Result<Self, HttpSetup> {
        self.tls = tls::Tls::with_roots(certificates)?;
        Ok(self)
    }

    /// Where a request of this handler goes; `None` where it is for others.
    fn target(&self, handler: &HttpHandler) -> Option<Result<Target, String>> {
        let target = Target::of(&handler.url)?;
        if cfg!(not(feature = "https")) && target.as_ref().is_ok_and(|target| target.encrypted) {
            return None;
        }
        Some(target.and_then(|target| match &self.only {
            Some(only) if !only.iter().any(|allowed| target.is_below(allowed)) => {
                Err(format!("this host sends no requests to {}", target.name()))
            }
            // One machine answers for many names.
            Some(_) if handler.headers.keys().any(|name| name.eq_ignore_ascii_case("host")) => {
                Err(format!("its header `Host` may name another host than {}, the one that is allowed", target.name()))
            }
            _ => Ok(target),
        }))
    }

    async fn post(
        &self,
        target: Target,
        http: &HttpHandler,
        body: &[u8],
        environment: &Environment,
        cap: usize,
    ) -> Outcome {
        let variable =
            |name: &str| environment.get(name).and_then(|value| value.to_str()).unwrap_or_default().to_owned();
        let head = match request::head(&target, http, body.len(), &variable) {
            Ok(head) => head,
            Err(why) => return not_sent(End::NotRun(why)),
        };
        let name = target.name();
        let stream = match TcpStream::connect((&*target.host, target.port)).await {
            Ok(stream) => stream,
            Err(error) => return not_sent(End::FailedToStart(format!("{name} cannot be reached: {error}"))),
        };
        #[cfg(feature = "https")]
        if target.encrypted {
            return match self.tls.connect(&target.host, stream).await {
                Ok(stream) => exchange(stream, &name, head.as_bytes(), body, cap).await,
                Err(why) => not_sent(End::FailedToStart(format!("{name} cannot be asked: {why}"))),
            };
        }
        exchange(stream, &name, head.as_bytes(), body, cap).await
    }
}

fn not_sent(end: End) -> Outcome {
    Outcome { stdin_delivered: false, ..Outcome::ended(end) }
}

impl HandlerHost for HttpHandlers {
    fn run<'a>(
        &'a self,
        handler: &'a Handler,
        invocation: &'a Invocation,
        stdin: &'a [u8],
        environment: &'a Environment,
        cancel: &'a CancelSignal,
    ) -> OutcomeFuture<'a> {
        let request = match handler {
            Handler::Http(http) => self.target(http).map(|target| (http, target)),
            _ => None,
        };
        match request {
            Some((http, Ok(target))) => {
                Box::pin(self.post(target, http, stdin, environment, invocation.rules.stdout_cap))
            }
            Some((_, Err(why))) => Box::pin(std::future::ready(not_sent(End::NotRun(why)))),
            None => self.others.run(handler, invocation, stdin, environment, cancel),
        }
    }
}

/// Sends a request and reads the answer to it.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    name: &str,
    head: &[u8],
    body: &[u8],
    cap: usize,
) -> Outcome {
    let failed = |why: String| not_sent(End::FailedToStart(format!("{name} {why}")));
    let (mut from, mut to) = tokio::io::split(stream);
    let write = async {
        to.write_all(head).await?;
        to.write_all(body).await?;
        to.flush().await
    };
    tokio::pin!(write);
    let mut written = None;
    let mut read = Vec::new();
    loop {
        let mut is_end = false;
        let mut broken = None;
        tokio::select! {
            // Whoever answers without reading everything has answered.
            done = &mut write, if written.is_none() => written = Some(done.is_ok()),
            got = read_some(&mut from, &mut read) => match got {
                Ok(count) => is_end = count == 0,
                // Not an end: what was read may be the start of something.
                Err(error) => broken = Some(error),
            },
        }
        match (answer::parse(&read, is_end, cap), broken) {
            (Ok(Some(Answer { status, body, truncated })), _) => {
                return Outcome {
                    stdout: body,
                    stdout_truncated: truncated,
                    stdin_delivered: written == Some(true),
                    ..Outcome::ended(End::Http(status))
                };
            }
            (Ok(None), Some(error)) => return failed(format!("broke off before it answered in full: {error}")),
            (Ok(None), None) if is_end => return failed("broke off before it answered in full".to_owned()),
            (Ok(None), None) => {}
            (Err(why), _) => return failed(format!("answered with something that is no HTTP: {why}")),
        }
    }
}

async fn read_some(from: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>) -> std::io::Result<usize> {
    read.reserve(CHUNK);
    from.read_buf(read).await
}
