//! Encrypted requests to a server of the test's own, with the feature `https`: whose certificates count, and that the
//! limits of plain requests hold here too.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hooks_core::handler::{Handler, HttpHandler};
use hooks_core::outcome::{End, Outcome, Program};
use hooks_core::{HostProfile, SessionState};
use hooks_runtime::http::HttpHandlers;
use hooks_runtime::{CancelSignal, Environment, FireOptions, HandlerHost as _, fire};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use crate::support::{ALONE, LONG};
use crate::toy::{Toy, command, one};

/// Somebody who vouches for servers.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn root(&self) -> Vec<u8> {
        self.0.der().to_vec()
    }

    /// A server's configuration with a certificate for a name, good until a year.
    fn vouch(&self, name: &str, until: i32) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_after = date_time_ymd(until, 1, 1);
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        Arc::new(config.with_single_cert(vec![certificate.der().clone()], key).unwrap())
    }
}

/// How a server ends its answer.
#[derive(Clone, Copy, PartialEq)]
enum Ending {
    /// It says so, then closes.
    Orderly,
    /// It closes and says nothing, as somebody on the way could.
    Cut,
    /// It stays open.
    Never,
}

/// A server and the requests that it could read.
struct Server {
    port: u16,
    asked: Arc<AtomicUsize>,
    last: Arc<std::sync::Mutex<String>>,
}

impl Server {
    async fn start(config: Arc<ServerConfig>, answer: &'static str, ending: Ending) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, last) = (Arc::new(AtomicUsize::new(0)), Arc::new(std::sync::Mutex::new(String::new())));
        let (count, text) = (Arc::clone(&asked), Arc::clone(&last));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let accepting = TlsAcceptor::from(Arc::clone(&config)).accept(stream);
                let (count, text) = (Arc::clone(&count), Arc::clone(&text));
                tokio::spawn(async move {
                    let Ok(mut stream) = accepting.await else { return };
                    let mut read = Vec::new();
                    let is_whole = |read: &[u8]| read.ends_with(b"\r\n\r\nls");
                    while !is_whole(&read) && stream.read_buf(&mut read).await.is_ok_and(|count| count > 0) {}
                    count.fetch_add(1, Ordering::SeqCst);
                    *text.lock().unwrap() = String::from_utf8(read).unwrap();
                    let _ = stream.write_all(answer.as_bytes()).await;
                    let _ = stream.flush().await;
                    match ending {
                        Ending::Orderly => drop(stream.shutdown().await),
                        Ending::Cut => {}
                        Ending::Never => tokio::time::sleep(LONG).await,
                    }
                });
            }
        });
        Self { port, asked, last }
    }

    fn url(&self, host: &str) -> String {
        format!("https://{host}:{}/hook", self.port)
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

async fn ask(handlers: &HttpHandlers, url: String) -> Outcome {
    let handler = Handler::Http(HttpHandler { url, ..HttpHandler::default() });
    let invocation = crate::support::program(Program::Hosted(Box::new(handler.clone())));
    handlers.run(&handler, &invocation, b"ls", &Environment::capture(), &CancelSignal::new()).await
}

fn trusting(authority: &Authority) -> HttpHandlers {
    HttpHandlers::default().roots([authority.root()]).unwrap()
}

#[tokio::test]
async fn the_input_is_sent_encrypted_and_the_answer_read() {
    let _shared = ALONE.read().await;
    let authority = Authority::new();
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ndeny no";
    let server = Server::start(authority.vouch("127.0.0.1", 2999), answer, Ending::Never).await;
    let mut hook = Toy::default().hook(0, "before", "");
    let mut http = HttpHandler { url: server.url("127.0.0.1"), ..HttpHandler::default() };
    http.headers.insert("X-Path".to_owned(), "$PATH|$HOME".to_owned());
    http.allowed_env = vec!["HOME".to_owned()];
    hook.handler = Handler::Http(http);
    let options = FireOptions::default().handlers(Arc::new(trusting(&authority)));
    let firing = fire(&one(vec![hook]), &command("ls"), &HostProfile::full(), &SessionState::default(), &options).await;
    let outcome = firing.runs[0].outcome.as_ref().unwrap();
    assert_eq!((&outcome.end, &*outcome.stdout), (&End::Http(200), &b"deny no"[..]));
    assert!(outcome.stdin_delivered);
    let request = server.last.lock().unwrap().clone();
    assert!(request.starts_with("POST /hook HTTP/1.1\r\nHost: 127.0.0.1:"), "{request}");
    let home = std::env::var("HOME").unwrap_or_default();
    assert!(request.contains(&format!("X-Path: |{home}\r\n")), "{request}");
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_is_not_asked() {
    let (good, other) = (Authority::new(), Authority::new());
    let fine = "HTTP/1.1 204 Fine\r\n\r\n";
    let refused = |outcome: &Outcome, server: &Server, what: &str| {
        let End::FailedToStart(why) = &outcome.end else { panic!("{what}: asked: {outcome:?}") };
        assert!(why.contains("cannot be asked"), "{what}: {why}");
        assert!(!outcome.stdin_delivered);
        assert_eq!(server.asked(), 0, "{what}");
    };
    let server = Server::start(good.vouch("localhost", 2999), fine, Ending::Never).await;
    refused(&ask(&trusting(&other), server.url("localhost")).await, &server, "another authority");
    // Whatever this system trusts, it is not an authority that was made a moment ago.
    refused(&ask(&HttpHandlers::default(), server.url("localhost")).await, &server, "the system's certificates");
    refused(&ask(&trusting(&good), server.url("127.0.0.1")).await, &server, "another name");
    let expired = Server::start(good.vouch("localhost", 2001), fine, Ending::Never).await;
    refused(&ask(&trusting(&good), expired.url("localhost")).await, &expired, "an old certificate");
    // With everything right the same server is asked.
    assert_eq!(ask(&trusting(&good), server.url("localhost")).await.end, End::Http(204));
    assert_eq!(server.asked(), 1);
    let error = HttpHandlers::default().roots([good.root(), b"none".to_vec()]).unwrap_err().to_string();
    assert!(error.starts_with("root certificate 2 cannot be used: "), "{error}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_plain_and_encrypted_are_two_addresses() {
    let authority = Authority::new();
    let target = Server::start(authority.vouch("127.0.0.1", 2999), "HTTP/1.1 204 Fine\r\n\r\n", Ending::Never).await;
    let answer = format!("HTTP/1.1 307 Go\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", target.url("127.0.0.1"));
    let server = Server::start(authority.vouch("127.0.0.1", 2999), answer.leak(), Ending::Never).await;
    assert_eq!(ask(&trusting(&authority), server.url("127.0.0.1")).await.end, End::Http(307));
    assert_eq!((server.asked(), target.asked()), (1, 0));

    let plain = format!("http://127.0.0.1:{}", server.port);
    let only = trusting(&authority).only([&*plain]).unwrap();
    assert!(matches!(ask(&only, server.url("127.0.0.1")).await.end, End::NotRun(_)));
    assert_eq!(server.asked(), 1);
    // Who speaks plainly to an encrypted port gets no answer of it.
    let end = ask(&trusting(&authority), plain).await.end;
    assert!(matches!(end, End::FailedToStart(_)), "{end:?}");
}

#[tokio::test]
async fn an_answer_that_is_cut_short_is_no_answer() {
    let authority = Authority::new();
    // Without a length only the end says that it was all.
    let answer = "HTTP/1.1 200 OK\r\n\r\n{}";
    let server = Server::start(authority.vouch("127.0.0.1", 2999), answer, Ending::Orderly).await;
    let outcome = ask(&trusting(&authority), server.url("127.0.0.1")).await;
    assert_eq!((outcome.end, &*outcome.stdout), (End::Http(200), &b"{}"[..]));
    let server = Server::start(authority.vouch("127.0.0.1", 2999), answer, Ending::Cut).await;
    let End::FailedToStart(why) = ask(&trusting(&authority), server.url("127.0.0.1")).await.end else { panic!("read") };
    assert!(why.contains("broke off"), "{why}");
}

#[tokio::test]
async fn size_and_time_are_limited_here_too() {
    let _shared = ALONE.read().await;
    let authority = Authority::new();
    let server =
        Server::start(authority.vouch("127.0.0.1", 2999), "HTTP/1.1 200 OK\r\n\r\n0123456789more", Ending::Never).await;
    let handler = Handler::Http(HttpHandler { url: server.url("127.0.0.1"), ..HttpHandler::default() });
    let mut invocation = crate::support::program(Program::Hosted(Box::new(handler.clone())));
    invocation.rules.stdout_cap = 10;
    let outcome =
        trusting(&authority).run(&handler, &invocation, b"ls", &Environment::capture(), &CancelSignal::new()).await;
    assert_eq!((&*outcome.stdout, outcome.stdout_truncated), (&b"0123456789"[..], true));

    // One that takes the connection and never says hello.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut hook = Toy::default().hook(0, "before", "");
    hook.timeout = Duration::from_millis(200);
    let url = format!("https://{}/", silent.local_addr().unwrap());
    hook.handler = Handler::Http(HttpHandler { url, ..HttpHandler::default() });
    let options = FireOptions::default().handlers(Arc::new(trusting(&authority)));
    let started = std::time::Instant::now();
    let firing = fire(&one(vec![hook]), &command("ls"), &HostProfile::full(), &SessionState::default(), &options).await;
    assert_eq!(firing.runs[0].outcome.as_ref().unwrap().end, End::TimedOut);
    assert!(started.elapsed() < Duration::from_secs(10));
}
