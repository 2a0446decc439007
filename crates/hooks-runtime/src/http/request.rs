//! Where a request goes, which addresses a host allows, and the request's head.

use hooks_core::handler::HttpHandler;

/// An address, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Whether it is `https`.
    pub(super) encrypted: bool,
    /// The host: lower case, without a dot at its end, and without the brackets of an IPv6 address.
    pub(super) host: String,
    /// The port, also where the address names none.
    pub(super) port: u16,
    /// Host and port as they stand in the address.
    authority: String,
    /// Path and query, from the first slash.
    path: String,
}

impl Target {
    /// Takes an address apart; `None` where it is neither `http` nor `https`.
    pub(super) fn of(url: &str) -> Option<Result<Self, String>> {
        let (scheme, rest) = url.split_once("://")?;
        let encrypted = scheme.eq_ignore_ascii_case("https");
        (encrypted || scheme.eq_ignore_ascii_case("http")).then(|| Self::parse(encrypted, rest))
    }

    fn parse(encrypted: bool, rest: &str) -> Result<Self, String> {
        if rest.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
            return Err("the address has a blank or a control character in it".to_owned());
        }
        // Some take it for a slash and some for a part of the host: whoever allowed the address may have meant another.
        if rest.contains('\\') {
            return Err("the address has a backslash in it: write a slash, or %5C".to_owned());
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = (rest.get(..end).unwrap_or_default(), rest.get(end..).unwrap_or_default());
        // A name and a password are for `Authorization`, and the host behind them is easily overlooked.
        if authority.is_empty() || authority.contains('@') || !authority.is_ascii() {
            return Err(format!("`{authority}` is no host that a request can be sent to"));
        }
        let (name, port) = match authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((name, port)) => {
                let number = port.bytes().all(|byte| byte.is_ascii_digit()).then(|| port.parse().ok()).flatten();
                (name, number.ok_or_else(|| format!("`{port}` is no port that a request can be sent to"))?)
            }
            None => (authority, if encrypted { 443 } else { 80 }),
        };
        let host = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        if host.is_empty() {
            return Err(format!("`{authority}` is no host that a request can be sent to"));
        }
        let mut escaped = String::from(if path.starts_with('/') { "" } else { "/" });
        for byte in path.bytes() {
            if byte.is_ascii() {
                escaped.push(char::from(byte));
            } else {
                escaped.push_str(&format!("%{byte:02X}"));
            }
        }
        Ok(Self { encrypted, host, port, authority: authority.to_owned(), path: escaped })
    }

    /// What an error calls it.
    pub(super) fn name(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// Whether a request may go here where another address is allowed: the same scheme, host and port, and a path that is
    /// that one's or below it.
    pub(super) fn is_below(&self, allowed: &Self) -> bool {
        let same = self.encrypted == allowed.encrypted && self.host == allowed.host && self.port == allowed.port;
        let path = |of: &Self| of.path.split('?').next().unwrap_or_default().to_owned();
        let (path, start) = (path(self), path(allowed));
        let start = start.strip_suffix('/').unwrap_or(&start);
        same && path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            && (start.is_empty() || !climbs(&path))
    }
}

/// Whether a server may take a path for one that goes up again. What it makes of a dot segment that is escaped, also
/// twice, or has parameters, is not known here.
fn climbs(path: &str) -> bool {
    let mut path = path.to_ascii_lowercase();
    while path.contains("%25") {
        path = path.replace("%25", "%");
    }
    let path = path.replace("%2e", ".").replace("%2f", "/").replace("%5c", "/").replace("%3b", ";");
    path.split('/').any(|part| part.split(';').next() == Some(".."))
}

/// The head of a request to an address.
pub(super) fn head(
    target: &Target,
    http: &HttpHandler,
    length: usize,
    variable: &dyn Fn(&str) -> String,
) -> Result<String, String> {
    let mut head = format!("POST {} HTTP/1.1\r\n", target.path);
    let own = |wanted: &str| http.headers.keys().any(|name| name.eq_ignore_ascii_case(wanted));
    let mut add = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
    if !own("host") {
        add("Host", &target.authority);
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
    Ok(head)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> Result<Target, String> {
        Target::of(url).expect("a scheme that is known")
    }

    #[test]
    fn headers_hold_only_allowed_variables_and_no_second_line() {
        let mut http = HttpHandler::default();
        let to = target("http://h:1/ä?q#f").unwrap();
        http.allowed_env = vec!["A".to_owned(), "LINE".to_owned()];
        http.headers.insert("Authorization".to_owned(), "Bearer $A ${A}x$B${B} $ ${A $1".to_owned());
        http.headers.insert("content-length".to_owned(), "9".to_owned());
        let variable = |name: &str| if name == "LINE" { "a\r\nb".to_owned() } else { name.to_lowercase() };
        assert_eq!(
            head(&to, &http, 3, &variable).unwrap(),
            "POST /%C3%A4?q HTTP/1.1\r\nHost: h:1\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\
             Connection: close\r\nAuthorization: Bearer a ax $ ${A $1\r\n\r\n"
        );
        http.headers.insert("X".to_owned(), "$LINE".to_owned());
        assert!(head(&to, &http, 3, &variable).unwrap_err().contains("control character"));
        http.headers = [("a b".to_owned(), String::new())].into();
        assert!(head(&to, &http, 3, &variable).unwrap_err().contains("`a b` is no name"));
    }

    #[test]
    fn addresses_are_taken_apart() {
        let parts = |url: &str| target(url).map(|to| (to.encrypted, to.host.clone(), to.port, to.path.clone()));
        let is = |encrypted, host: &str, port, path: &str| Ok((encrypted, host.to_owned(), port, path.to_owned()));
        assert_eq!(parts("http://h"), is(false, "h", 80, "/"));
        assert_eq!(parts("HTTPS://H.Example.:8443/a?b"), is(true, "h.example", 8443, "/a?b"));
        assert_eq!(parts("https://[::1]/x"), is(true, "::1", 443, "/x"));
        assert_eq!(parts("http://[::1]:81?q"), is(false, "::1", 81, "/?q"));
        for url in [
            "http://",
            "http://u@h/",
            "http://h:+80/",
            "http://evil\\.h/",
            "http://h/a\\b",
            "http://h /",
            "http://h/\r\nX: y",
            "http://h:port/",
            "http://:80/",
            "http://ä/",
        ] {
            assert!(target(url).is_err(), "{url}");
        }
        for url in ["ftp://h/", "h", "file:///etc/passwd"] {
            assert!(Target::of(url).is_none(), "{url}");
        }
    }

    #[test]
    fn an_address_is_below_another_by_its_parts_and_not_by_its_text() {
        let below = |url: &str, allowed: &str| target(url).unwrap().is_below(&target(allowed).unwrap());
        for (url, allowed) in [
            ("https://h/", "https://h"),
            ("https://h/a?b", "https://h"),
            ("https://H.:443/a/b", "https://h/a"),
            ("https://h/a/b", "https://h/a/"),
            ("https://h/a/../b", "https://h/"),
        ] {
            assert!(below(url, allowed), "{url} below {allowed}");
        }
        for (url, allowed) in [
            ("http://h/", "https://h/"),
            ("https://h.evil/", "https://h"),
            ("https://h:444/", "https://h"),
            ("https://h/ab", "https://h/a"),
            ("https://h/b", "https://h/a"),
            ("https://h/a/../b", "https://h/a"),
            ("https://h/a/%2E%2e/b", "https://h/a"),
            ("https://h/a/..%2fb", "https://h/a"),
            ("https://h/a/..%5Cb", "https://h/a"),
            ("https://h/a/%252e%252E/b", "https://h/a"),
            ("https://h/a/..;x=y/b", "https://h/a"),
            ("https://h/?/a", "https://h/a"),
        ] {
            assert!(!below(url, allowed), "{url} not below {allowed}");
        }
    }
}
