//! Requests to a server of the test's own, with the feature `http`.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hooks_core::handler::{Handler, HttpHandler};
use hooks_core::outcome::{End, Outcome, Program};
use hooks_core::{HostProfile, SessionState};
use hooks_runtime::http::HttpHandlers;
use hooks_runtime::{CancelSignal, Environment, FireOptions, HandlerHost as _, Inherit, fire};

use crate::support::ALONE;
use crate::toy::{Toy, command, one};

/// A server that answers one request, whatever it is, and tells what it got. It keeps the connection open for a while.
fn server(answer: &'static str) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (tell, got) = channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut read = vec![0; 1 << 16];
        let mut text = String::new();
        while !text.contains("\r\n\r\nls") {
            let count = stream.read(&mut read).unwrap();
            text.push_str(&String::from_utf8_lossy(&read[..count]));
            if count == 0 {
                break;
            }
        }
        stream.write_all(answer.as_bytes()).unwrap();
        tell.send(text).unwrap();
        std::thread::sleep(Duration::from_secs(3));
    });
    (url, got)
}

async fn ask(url: &str, timeout: Duration) -> Outcome {
    let _shared = ALONE.read().await;
    let mut hook = Toy::default().hook(0, "before", "");
    hook.timeout = timeout;
    let mut http = HttpHandler { url: url.to_owned(), ..HttpHandler::default() };
    http.headers.insert("X-Path".to_owned(), "$PATH|$HOME".to_owned());
    http.allowed_env = vec!["HOME".to_owned()];
    hook.handler = Handler::Http(http);
    let options = FireOptions::default().handlers(Arc::new(HttpHandlers::default()));
    let firing = fire(&one(vec![hook]), &command("ls"), &HostProfile::full(), &SessionState::default(), &options).await;
    firing.runs[0].outcome.clone().unwrap()
}

const LONG: Duration = Duration::from_secs(20);

#[tokio::test]
async fn the_input_is_posted_and_the_answer_read() {
    let (url, got) = server("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ndeny no");
    let outcome = ask(&url, LONG).await;
    assert_eq!((&outcome.end, &*outcome.stdout_text()), (&End::Http(200), "deny no"));
    assert!(outcome.stdin_delivered && outcome.duration < Duration::from_secs(2), "{outcome:?}");
    let request = got.recv().unwrap();
    assert!(request.starts_with("POST /hook HTTP/1.1\r\nHost: 127.0.0.1:"), "{request}");
    let home = std::env::var("HOME").unwrap_or_default();
    assert!(request.contains(&format!("X-Path: |{home}\r\n")) && request.ends_with("\r\n\r\nls"), "{request}");
}

/// A header says no more than a program of the same hook would have seen.
#[tokio::test]
async fn a_header_s_variables_are_those_that_a_program_would_get() {
    let home = std::env::var("HOME").unwrap_or_default();
    assert!(!home.is_empty(), "nothing to keep back");
    let began: Environment =
        [("HOME", "/began"), ("KEPT", "yes")].map(|(name, value)| (name.into(), value.into())).into_iter().collect();
    let mut session = SessionState::default();
    let by = hooks_core::effects::Who::of(
        &hooks_core::Binding::alone(Toy::default().hook(0, "before", "")),
        &Outcome::exited(0, ""),
    );
    let change = hooks_core::effects::EnvChange { value: "s".to_owned(), reach: hooks_core::effects::EnvReach::Hooks };
    session.set_env("SESSION".to_owned(), hooks_core::effects::Said::hook(by, change)).unwrap();
    let only = |names: &[&str]| Inherit::Only(names.iter().map(|&name| name.to_owned()).collect());
    let plain = FireOptions::default;
    for (options, expected) in [
        (plain(), format!("{home}||s|before|")),
        (plain().inherit(Inherit::AllBut(vec!["HO*".to_owned()])), "||s|before|".to_owned()),
        (plain().inherit(only(&["PATH"])), "||s|before|".to_owned()),
        (plain().inherit(only(&["HOME"])), format!("{home}||s|before|")),
        // Only a vendor whose hooks get the session's first environment gets it here too; this one's get the present one.
        (plain().began_with(began), format!("{home}||s|before|")),
    ] {
        let _shared = ALONE.read().await;
        let (url, got) = server("HTTP/1.1 204 Fine\r\n\r\n");
        let mut hook = Toy::default().hook(0, "before", "");
        let mut http = HttpHandler { url, ..HttpHandler::default() };
        http.headers.insert("X".to_owned(), "$HOME|$KEPT|$SESSION|$EVENT|$PATH".to_owned());
        // Not `PATH`: what the handler does not allow is left out whatever the host lets through.
        http.allowed_env = ["HOME", "KEPT", "SESSION", "EVENT"].map(str::to_owned).into();
        hook.handler = Handler::Http(http);
        let options = options.handlers(Arc::new(HttpHandlers::default()));
        fire(&one(vec![hook]), &command("ls"), &HostProfile::full(), &session, &options).await;
        let request = got.recv().unwrap();
        assert!(request.contains(&format!("\r\nX: {expected}\r\n")), "{expected}: {request}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_bad_servers_are_told_apart() {
    let (url, _got) = server("HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(ask(&url, LONG).await.end, End::Http(307));
    let (url, _got) = server("SSH-2.0-what\r\n\r\n");
    let End::FailedToStart(why) = ask(&url, LONG).await.end else { panic!("an answer") };
    assert!(why.contains("no HTTP"), "{why}");
    let (url, _got) = server("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    assert_eq!(ask(&url, Duration::from_millis(300)).await.end, End::TimedOut);
    let End::FailedToStart(why) = ask("http://127.0.0.1:1/", LONG).await.end else { panic!("an answer") };
    assert!(why.contains("cannot be reached"), "{why}");
    let End::NotRun(why) = ask("ftp://127.0.0.1/", LONG).await.end else { panic!("an answer") };
    assert!(why.contains("cannot run http"), "{why}");
    if cfg!(not(feature = "https")) {
        let End::NotRun(why) = ask("https://127.0.0.1/", LONG).await.end else { panic!("an answer") };
        assert!(why.contains("cannot run http"), "{why}");
    }
}

#[tokio::test]
async fn an_answer_is_read_up_to_the_cap_and_not_for_ever() {
    let ask = |url: String, cap: usize| async move {
        let handler = Handler::Http(HttpHandler { url, ..HttpHandler::default() });
        let mut invocation = crate::support::program(Program::Hosted(Box::new(handler.clone())));
        invocation.rules.stdout_cap = cap;
        HttpHandlers::default().run(&handler, &invocation, b"ls", &Environment::capture(), &CancelSignal::new()).await
    };
    let (url, _got) = server("HTTP/1.1 200 OK\r\n\r\n0123456789 and then nothing more comes, and it stays open");
    let outcome = ask(url, 10).await;
    assert_eq!((&*outcome.stdout_text(), outcome.stdout_truncated), ("0123456789", true));
    // Longer than the cap by its own word.
    let (url, _got) = server("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n0123456789more");
    assert!(ask(url, 10).await.stdout_truncated);
    let head: &'static str = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(70 << 10)).leak();
    let (url, _got) = server(head);
    let End::FailedToStart(why) = ask(url, 10).await.end else { panic!("an answer") };
    assert!(why.contains("its head does not end"), "{why}");
}

#[tokio::test]
async fn a_connection_that_breaks_is_no_end_of_an_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n{\"half\":").unwrap();
        std::thread::sleep(Duration::from_millis(100));
        // Closing with the request unread sends a reset.
    });
    let End::FailedToStart(why) = ask(&url, LONG).await.end else { panic!("an answer") };
    assert!(why.contains("broke off"), "{why}");
}

#[tokio::test]
async fn a_host_can_say_where_requests_may_go() {
    let run = |handlers: HttpHandlers, url: String| async move {
        let handler = Handler::Http(HttpHandler { url, ..HttpHandler::default() });
        let invocation = crate::support::program(Program::Hosted(Box::new(handler.clone())));
        handlers.run(&handler, &invocation, b"ls", &Environment::capture(), &CancelSignal::new()).await.end
    };
    let (url, got) = server("HTTP/1.1 204 Fine\r\n\r\n");
    let origin = url.strip_suffix("/hook").unwrap();
    for allowed in [vec![], vec!["http://localhost"], vec![origin.strip_suffix(char::is_numeric).unwrap()]] {
        let end = run(HttpHandlers::default().only(allowed).unwrap(), url.clone()).await;
        assert!(matches!(&end, End::NotRun(why) if why.contains("sends no requests to 127.0.0.1")), "{end:?}");
    }
    assert!(got.try_recv().is_err(), "nobody was asked");
    assert_eq!(run(HttpHandlers::default().only([origin]).unwrap(), url.clone()).await, End::Http(204));
    let mut named = HttpHandler { url: url.clone(), ..HttpHandler::default() };
    named.headers.insert("host".to_owned(), "internal.example".to_owned());
    let named = Handler::Http(named);
    let invocation = crate::support::program(Program::Hosted(Box::new(named.clone())));
    let handlers = HttpHandlers::default().only([origin]).unwrap();
    let end = handlers.run(&named, &invocation, b"ls", &Environment::capture(), &CancelSignal::new()).await.end;
    assert!(matches!(&end, End::NotRun(why) if why.contains("`Host`")), "{end:?}");
    let error = HttpHandlers::default().only(["hooks.example"]).unwrap_err().to_string();
    assert_eq!(error, "`hooks.example` cannot be allowed: it is no http or https address");
}
