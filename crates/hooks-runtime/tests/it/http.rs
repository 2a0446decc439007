//! Requests to a server of the test's own, with the feature `http`.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hooks_core::handler::{Handler, HttpHandler};
use hooks_core::outcome::{End, Outcome};
use hooks_core::{HostProfile, SessionState};
use hooks_runtime::http::HttpHandlers;
use hooks_runtime::{FireOptions, fire};

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
    let End::NotRun(why) = ask("https://127.0.0.1/", LONG).await.end else { panic!("an answer") };
    assert!(why.contains("cannot run http"), "{why}");
}
