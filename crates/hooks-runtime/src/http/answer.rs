//! Reads an answer by its framing, within limits.

/// Bytes that an answer's head may have.
const HEAD_LIMIT: usize = 64 << 10;

/// What was answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// Its status.
    pub(super) status: u16,
    /// Its body, up to the cap.
    pub(super) body: Vec<u8>,
    /// Whether there was more than the cap.
    pub(super) truncated: bool,
}

/// Reads an answer from what has come so far; `None` while more must come.
pub(super) fn parse(mut read: &[u8], is_end: bool, cap: usize) -> Result<Option<Answer>, String> {
    // One limit for all heads: of those before the one that counts there may be any number.
    let mut room = HEAD_LIMIT;
    loop {
        let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") else {
            return if read.len() > room { Err("its head does not end".to_owned()) } else { Ok(None) };
        };
        room = room.checked_sub(end).ok_or("its head is too long")?;
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
        let never = "HTTP/1.1 100 Go on\r\n\r\n".repeat(HEAD_LIMIT / 10);
        assert!(answer(&never, false).is_err(), "heads without end");
        let huge = format!("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\nab", usize::MAX);
        assert_eq!(answer(&huge, false), Ok(None));
    }
}
