//! Handlers that are requests, with the feature `http`: one POST over plain HTTP/1.1, and nothing else.
//!
//! There is no encryption here: `https` addresses go on to another [`HandlerHost`], which by default says that nobody can
//! send them. Redirects are not followed, nothing is kept open, and an answer is read up to the invocation's cap.

use std::sync::Arc;

use hooks_core::Handler;
use hooks_core::handler::HttpHandler;
use hooks_core::outcome::{End, Invocation, Outcome};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::cancel::CancelSignal;
use crate::handlers::{HandlerHost, NoHandlers, OutcomeFuture};

/// Bytes that an answer's head may have.
const HEAD_LIMIT: usize = 64 << 10;
/// Bytes read at a time.
const CHUNK: usize = 16 << 10;

/// Sends `http` requests, and leaves everything else to another.
///
/// Which addresses may be asked and which variables headers may name was settled before: an adapter that has such lists
/// does not encode what they forbid, and leaves only allowed names in the handler.
#[derive(Clone, Debug)]
pub struct HttpHandlers {
    others: Arc<dyn HandlerHost>,
}

impl Default for HttpHandlers {
    fn default() -> Self {
        Self { others: Arc::new(NoHandlers) }
    }
}

impl HttpHandlers {
    /// With somebody for everything but plain requests.
    #[must_use]
    pub fn or(others: Arc<dyn HandlerHost>) -> Self {
        Self { others }
    }
}

impl HandlerHost for HttpHandlers {
    fn run<'a>(
        &'a self,
        handler: &'a Handler,
        invocation: &'a Invocation,
        stdin: &'a [u8],
        cancel: &'a CancelSignal,
    ) -> OutcomeFuture<'a> {
        match handler {
            Handler::Http(http) if http.url.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("http://")) => {
                Box::pin(post(http, stdin, invocation.rules.stdout_cap))
            }
            _ => self.others.run(handler, invocation, stdin, cancel),
        }
    }
}

async fn post(http: &HttpHandler, body: &[u8], cap: usize) -> Outcome {
    let failed = |why: String| Outcome { stdin_delivered: false, ..Outcome::ended(End::FailedToStart(why)) };
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (address, head) = match request(http, body.len(), &variable) {
        Ok(request) => request,
        Err(why) => return Outcome { stdin_delivered: false, ..Outcome::ended(End::NotRun(why)) },
    };
    let stream = match TcpStream::connect(&*address).await {
        Ok(stream) => stream,
        Err(error) => return failed(format!("{address} cannot be reached: {error}")),
    };
    let (mut from, mut to) = stream.into_split();
    let write = async {
        to.write_all(head.as_bytes()).await?;
        to.write_all(body).await
    };
    tokio::pin!(write);
    let mut written = None;
    let mut read = Vec::new();
    loop {
        let is_end = tokio::select! {
            // Whoever answers without reading everything has answered.
            done = &mut write, if written.is_none() => {
                written = Some(done.is_ok());
                false
            }
            got = read_some(&mut from, &mut read) => !matches!(got, Ok(count) if count > 0),
        };
        match parse(&read, is_end, cap) {
            Ok(Some(Answer { status, body, truncated })) => {
                return Outcome {
                    stdout: body,
                    stdout_truncated: truncated,
                    stdin_delivered: written == Some(true),
                    ..Outcome::ended(End::Http(status))
                };
            }
            Ok(None) if is_end => return failed(format!("{address} broke off before it answered in full")),
            Ok(None) => {}
            Err(why) => return failed(format!("{address} answered with something that is no HTTP: {why}")),
        }
    }
}

async fn read_some(from: &mut tokio::net::tcp::OwnedReadHalf, read: &mut Vec<u8>) -> std::io::Result<usize> {
    read.reserve(CHUNK);
    from.read_buf(read).await
}

/// The address to connect to, and the request's head.
fn request(http: &HttpHandler, length: usize, variable: &dyn Fn(&str) -> String) -> Result<(String, String), String> {
    let rest = http.url.get(7..).unwrap_or_default();
    if rest.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
        return Err("the address has a blank or a control character in it".to_owned());
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?', '\\']).unwrap_or(rest.len());
    let (authority, path) = (rest.get(..end).unwrap_or_default(), rest.get(end..).unwrap_or_default());
    if authority.is_empty() || authority.contains('@') || !authority.is_ascii() {
        return Err(format!("`{authority}` is no host that a request can be sent to"));
    }
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| !port.contains(']'));
    let address = if has_port { authority.to_owned() } else { format!("{authority}:80") };
    let slash = if path.starts_with('/') { "" } else { "/" };
    let mut head = format!("POST {slash}");
    for byte in path.bytes() {
        if byte.is_ascii() {
            head.push(char::from(byte));
        } else {
            head.push_str(&format!("%{byte:02X}"));
        }
    }
    head.push_str(" HTTP/1.1\r\n");
    let own = |wanted: &str| http.headers.keys().any(|name| name.eq_ignore_ascii_case(wanted));
    let mut add = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
    if !own("host") {
        add("Host", authority);
    }
    if !own("content-type") {
        add("Content-Type", "application/json");
    }
    add("Content-Length", &length.to_string());
    add("Connection", "close");
    for (name, value) in &http.headers {
        let set_here = ["content-length", "transfer-encoding", "connection"];
        if set_here.iter().any(|own| name.eq_ignore_ascii_case(own)) {
            continue;
        }
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_name) {
            return Err(format!("`{name}` is no name of a header"));
        }
        let value = expand(value, &http.allowed_env, variable);
        if value.bytes().any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f) {
            // The value may be a secret, so it is not shown.
            return Err(format!("the value of the header `{name}` has a control character in it"));
        }
        add(name, &value);
    }
    head.push_str("\r\n");
    Ok((address, head))
}

/// A header's value with its variables: `$NAME` and `${NAME}`, empty where the name is not allowed.
fn expand(value: &str, allowed: &[String], variable: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.find('$') {
        out.push_str(rest.get(..at).unwrap_or_default());
        let after = rest.get(at + 1..).unwrap_or_default();
        let (open, text) = match after.strip_prefix('{') {
            Some(text) => (true, text),
            None => (false, after),
        };
        let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (name, behind) = (text.get(..length).unwrap_or_default(), text.get(length..).unwrap_or_default());
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let behind = if open { behind.strip_prefix('}') } else { Some(behind) };
        match behind.filter(|_| is_name) {
            Some(behind) => {
                if allowed.iter().any(|allowed| allowed == name) {
                    out.push_str(&variable(name));
                }
                rest = behind;
            }
            None => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// What was answered.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    body: Vec<u8>,
    truncated: bool,
}

/// Reads an answer from what has come so far; `None` while more must come.
fn parse(mut read: &[u8], is_end: bool, cap: usize) -> Result<Option<Answer>, String> {
    loop {
        let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") else {
            return if read.len() > HEAD_LIMIT { Err("its head does not end".to_owned()) } else { Ok(None) };
        };
        if end > HEAD_LIMIT {
            return Err("its head is too long".to_owned());
        }
        let head = String::from_utf8_lossy(read.get(..end).unwrap_or_default()).into_owned();
        read = read.get(end + 4..).unwrap_or_default();
        let mut lines = head.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let is_http = words.next().is_some_and(|word| word.starts_with("HTTP/1."));
        let status =
            words.next().and_then(|word| word.parse::<u16>().ok()).filter(|status| (100..1000).contains(status));
        let Some(status) = status.filter(|_| is_http) else { return Err("its first line".to_owned()) };
        if status < 200 && status != 101 {
            // The one that counts is still to come.
            continue;
        }
        let header = |wanted: &str| {
            let mut all = head.split("\r\n").skip(1).filter_map(|line| line.split_once(':'));
            all.find(|(name, _)| name.trim().eq_ignore_ascii_case(wanted)).map(|(_, value)| value.trim().to_owned())
        };
        let cut = |body: &[u8]| Answer {
            status,
            truncated: body.len() > cap,
            body: body.get(..cap).unwrap_or(body).to_vec(),
        };
        if matches!(status, 204 | 304) {
            return Ok(Some(cut(&[])));
        }
        if header("transfer-encoding").is_some_and(|value| value.to_ascii_lowercase().contains("chunked")) {
            // Looked into only where it may be whole, so that many small reads do not take ever longer.
            let too_much = read.len() > cap.saturating_mul(2).saturating_add(HEAD_LIMIT);
            if !is_end && !too_much && !read.ends_with(b"\r\n\r\n") {
                return Ok(None);
            }
            let (body, is_whole) = chunks(read, cap)?;
            let mut answer = cut(&body);
            answer.truncated |= too_much && !is_whole;
            return Ok((is_whole || answer.truncated).then_some(answer));
        }
        if let Some(length) = header("content-length") {
            let length: usize = length.parse().map_err(|_| "its Content-Length".to_owned())?;
            let body = read.get(..length);
            return Ok(body.or((read.len() > cap).then_some(read)).map(cut));
        }
        return Ok((is_end || read.len() > cap).then(|| cut(read)));
    }
}

/// The body that chunks come to so far, up to a little more than the cap, and whether the last one has come.
fn chunks(mut read: &[u8], cap: usize) -> Result<(Vec<u8>, bool), String> {
    let mut body = Vec::new();
    while body.len() <= cap {
        let Some(end) = read.windows(2).position(|two| two == b"\r\n") else {
            return if read.len() > 1024 { Err("a chunk's size".to_owned()) } else { Ok((body, false)) };
        };
        let line = String::from_utf8_lossy(read.get(..end).unwrap_or_default()).into_owned();
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| "a chunk's size".to_owned())?;
        if size == 0 {
            return Ok((body, true));
        }
        read = read.get(end + 2..).unwrap_or_default();
        body.extend_from_slice(read.get(..size).unwrap_or(read));
        match size.checked_add(2).and_then(|size| read.get(size..)) {
            Some(rest) => read = rest,
            None => return Ok((body, false)),
        }
    }
    Ok((body, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, is_end: bool) -> Result<Option<(u16, String, bool)>, String> {
        let whole = parse(text.as_bytes(), is_end, 10);
        Ok(whole?.map(|answer| (answer.status, String::from_utf8(answer.body).unwrap(), answer.truncated)))
    }

    #[test]
    fn answers_are_read_by_their_framing() {
        let some = |status, body: &str, truncated| Ok(Some((status, body.to_owned(), truncated)));
        assert_eq!(answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}more", false), some(200, "{}", false));
        assert_eq!(answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", true), Ok(None));
        assert_eq!(answer("HTTP/1.0 500\r\n\r\nwhat", false), Ok(None));
        assert_eq!(answer("HTTP/1.0 500\r\n\r\nwhat", true), some(500, "what", false));
        assert_eq!(answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n", false), some(204, "", false));
        let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        assert_eq!(answer(chunked, false), some(200, "abcde", false));
        for end in 0..chunked.len() - 4 {
            assert_eq!(answer(chunked.get(..end).unwrap(), false), Ok(None), "{end}");
        }
        assert_eq!(answer("HTTP/1.1 200 OK\r\n\r\n0123456789ABC", false), some(200, "0123456789", true));
        for wrong in ["SSH-2.0\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200\r\nContent-Length: -1\r\n\r\n"] {
            assert!(answer(wrong, true).is_err(), "{wrong}");
        }
        let huge = format!("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\nab", usize::MAX);
        assert_eq!(answer(&huge, false), Ok(None));
    }

    #[test]
    fn headers_hold_only_allowed_variables_and_no_second_line() {
        let mut http = HttpHandler { url: "http://h:1/ä?q#f".to_owned(), ..HttpHandler::default() };
        http.allowed_env = vec!["A".to_owned(), "LINE".to_owned()];
        http.headers.insert("Authorization".to_owned(), "Bearer $A ${A}x$B${B} $ ${A $1".to_owned());
        http.headers.insert("content-length".to_owned(), "9".to_owned());
        let variable = |name: &str| if name == "LINE" { "a\r\nb".to_owned() } else { name.to_lowercase() };
        let (address, head) = request(&http, 3, &variable).unwrap();
        assert_eq!(address, "h:1");
        assert_eq!(
            head,
            "POST /%C3%A4?q HTTP/1.1\r\nHost: h:1\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\
             Connection: close\r\nAuthorization: Bearer a ax $ ${A $1\r\n\r\n"
        );
        http.headers.insert("X".to_owned(), "$LINE".to_owned());
        assert!(request(&http, 3, &variable).unwrap_err().contains("control character"));
        for url in ["http://", "http://u@h/", "http://h /", "http://h/\r\nX: y"] {
            let http = HttpHandler { url: url.to_owned(), ..HttpHandler::default() };
            assert!(request(&http, 0, &variable).is_err(), "{url}");
        }
    }
}
