//! HTTP/1.1 on a stream: only what clients of the server send, with limited sizes. Each response is sent in one write,
//! since a second small packet would wait for the acknowledgement of the first.

use std::io::{ErrorKind, Read, Write};

use super::rpc::answer;
use super::{runs, stop};
use crate::Served;

/// Limit on the length of a request's head in bytes.
const LONGEST_HEAD: usize = 16 * 1024;
/// Limit on the number of header fields in a request.
const MOST_HEADERS: usize = 64;
/// Limit on the length of a request's body in bytes.
const LONGEST_BODY: usize = 4 * 1024 * 1024;
const READ_SIZE: usize = 8 * 1024;

/// Serves one connection until the peer closes it, requests its end, sends an invalid request or stays silent until the
/// stream's own read timeout. Sends no response if the server is not running.
pub fn serve(served: &Served, input: &mut dyn Read, output: &mut dyn Write) {
    let mut connection = Connection { input, buffer: Vec::new() };
    loop {
        let (response, stays) = match connection.request() {
            Incoming::Request(request) if runs(&served.lock()) => {
                let stays = request.keep_alive;
                (respond(served, &request), stays)
            }
            Incoming::Bad(refusal) => (refusal, false),
            Incoming::Request(_) | Incoming::End => return,
        };
        let written = output.write_all(&response.bytes(stays)).and_then(|()| output.flush());
        if written.is_err() || !stays {
            return;
        }
    }
}

struct Connection<'a> {
    input: &'a mut dyn Read,
    /// Bytes that were read but not used yet.
    buffer: Vec<u8>,
}

enum Incoming {
    Request(Request),
    /// An invalid request; the connection ends with this response.
    Bad(Response),
    /// The end of the input.
    End,
}

struct Request {
    post: bool,
    path: String,
    body: Vec<u8>,
    keep_alive: bool,
}

struct Response {
    status: u16,
    reason: &'static str,
    content_type: &'static str,
    body: Vec<u8>,
}

/// The head of a request.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    method: String,
    path: String,
    keep_alive: bool,
    body_length: Option<usize>,
}

fn respond(served: &Served, request: &Request) -> Response {
    match (request.path.as_str(), request.post) {
        ("/ping", _) => Response::text("pong"),
        ("/jsonrpc/0", true) if request.body.is_empty() => refuse(400, "Bad Request"),
        ("/jsonrpc/0", true) => Response {
            status: 200,
            reason: "OK",
            content_type: "application/json",
            body: answer(served, &request.body),
        },
        ("/jsonrpc/0", false) => refuse(405, "Method Not Allowed"),
        ("/stop", _) => {
            stop(served);
            Response::text("Server stopped!!!")
        }
        _ => refuse(404, "Not Found"),
    }
}

fn refuse(status: u16, reason: &'static str) -> Response {
    Response { status, reason, content_type: "text/plain", body: reason.as_bytes().to_vec() }
}

impl Response {
    fn text(body: &str) -> Self {
        Response { status: 200, reason: "OK", content_type: "text/html", body: body.as_bytes().to_vec() }
    }

    fn bytes(self, stays: bool) -> Vec<u8> {
        let Response { status, reason, content_type, body } = self;
        let (length, connection) = (body.len(), if stays { "keep-alive" } else { "close" });
        let head = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
             Connection: {connection}\r\n\r\n"
        );
        let mut bytes = head.into_bytes();
        bytes.extend(body);
        bytes
    }
}

impl Connection<'_> {
    fn request(&mut self) -> Incoming {
        let mut seen = 0usize;
        let end = loop {
            // Bytes that were searched before are skipped, except for the last three, since the separator may arrive in
            // pieces.
            let from = seen.saturating_sub(3);
            if let Some(at) = self.buffer.windows(4).skip(from).position(|four| four == b"\r\n\r\n") {
                break from + at;
            }
            seen = self.buffer.len();
            if self.buffer.len() > LONGEST_HEAD {
                return Incoming::Bad(refuse(431, "Request Header Fields Too Large"));
            }
            if let Some(ending) = self.read() {
                return ending;
            }
        };
        if end > LONGEST_HEAD {
            return Incoming::Bad(refuse(431, "Request Header Fields Too Large"));
        }
        let head: Vec<u8> = self.buffer.drain(..end + 4).collect();
        let head = match Head::parse(&head) {
            Ok(head) => head,
            Err(refusal) => return Incoming::Bad(refusal),
        };
        let post = match head.method.as_str() {
            "POST" => true,
            "GET" => false,
            _ => return Incoming::Bad(refuse(405, "Method Not Allowed")),
        };
        let length = match head.body_length {
            Some(length) if length > LONGEST_BODY => {
                return Incoming::Bad(refuse(413, "Content Too Large"));
            }
            Some(length) => length,
            None if post => return Incoming::Bad(refuse(411, "Length Required")),
            None => 0,
        };
        while self.buffer.len() < length {
            if let Some(ending) = self.read() {
                return ending;
            }
        }
        let body = self.buffer.drain(..length).collect();
        Incoming::Request(Request { post, path: head.path, body, keep_alive: head.keep_alive })
    }

    /// Reads more bytes. Returns how the connection ends if there are no more.
    fn read(&mut self) -> Option<Incoming> {
        let mut chunk = [0; READ_SIZE];
        loop {
            match self.input.read(&mut chunk) {
                Ok(0) => return Some(Incoming::End),
                Ok(count) => {
                    self.buffer.extend(chunk.iter().take(count));
                    return None;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let late = matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock);
                    let begun = late && !self.buffer.is_empty();
                    let ending =
                        if begun { Incoming::Bad(refuse(408, "Request Timeout")) } else { Incoming::End };
                    return Some(ending);
                }
            }
        }
    }
}

impl Head {
    fn parse(bytes: &[u8]) -> Result<Self, Response> {
        let bad = || refuse(400, "Bad Request");
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) if length == bytes.len() => {}
            Err(httparse::Error::TooManyHeaders) => {
                return Err(refuse(431, "Request Header Fields Too Large"));
            }
            // A request that ends earlier has bare line feeds: what follows would be taken for another request.
            Ok(_) | Err(_) => return Err(bad()),
        }
        let method = request.method.ok_or_else(bad)?.to_owned();
        let path = request.path.and_then(|target| target.split('?').next()).ok_or_else(bad)?.to_owned();
        let keep_alive = request.version == Some(1);
        let mut head = Head { method, path, keep_alive, ..Head::default() };
        for header in &*request.headers {
            let value = std::str::from_utf8(header.value).map_err(|_| bad())?;
            head.field(&header.name.to_ascii_lowercase(), value.trim())?;
        }
        Ok(head)
    }

    fn field(&mut self, name: &str, value: &str) -> Result<(), Response> {
        let value = value.to_ascii_lowercase();
        match name {
            "content-length" => {
                let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                // A number with too many digits exceeds every limit.
                let length = if digits { value.parse().unwrap_or(usize::MAX) } else { usize::MAX };
                if !digits || self.body_length.is_some_and(|known| known != length) {
                    return Err(refuse(400, "Bad Request"));
                }
                self.body_length = Some(length);
            }
            "transfer-encoding" if value != "identity" => return Err(refuse(411, "Length Required")),
            "connection" if value == "close" => self.keep_alive = false,
            "connection" if value == "keep-alive" => self.keep_alive = true,
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::super::tests::served;
    use super::*;

    /// Yields its bytes in pieces of one size, then ends as specified.
    struct Pieces {
        bytes: Vec<u8>,
        at: usize,
        size: usize,
        ending: Option<ErrorKind>,
    }

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let piece: Vec<u8> =
                self.bytes.iter().skip(self.at).take(self.size.min(into.len())).copied().collect();
            into[..piece.len()].copy_from_slice(&piece);
            self.at += piece.len();
            match self.ending {
                Some(kind) if piece.is_empty() => Err(io::Error::from(kind)),
                _ => Ok(piece.len()),
            }
        }
    }

    /// Records what is written at once.
    #[derive(Default)]
    struct Writes(Vec<Vec<u8>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn exchange_in(pieces: usize, request: &[u8], ending: Option<ErrorKind>) -> Vec<String> {
        let served = served("Button#save \"Save\"\n");
        let mut input = Pieces { bytes: request.to_vec(), at: 0, size: pieces, ending };
        let mut output = Writes::default();
        serve(&served, &mut input, &mut output);
        output.0.into_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect()
    }

    fn check(request: &str, expected: &[&str]) {
        for pieces in [1, 3, 100_000] {
            let answers = exchange_in(pieces, request.as_bytes(), None);
            assert_eq!(answers.len(), expected.len(), "one write each: {request:?} {answers:?}");
            for (answer, expected) in answers.iter().zip(expected) {
                assert!(answer.starts_with(&format!("HTTP/1.1 {expected}")), "{request:?}: {answer}");
            }
        }
    }

    #[test]
    fn a_ping_is_answered_in_one_write() {
        let answers = exchange_in(7, b"GET /ping HTTP/1.1\r\nHost: localhost:9008\r\n\r\n", None);
        assert_eq!(
            answers,
            [
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: keep-alive\r\n\r\npong"
            ]
        );
    }

    #[test]
    fn connections_stay_or_close_as_asked() {
        check("GET /ping HTTP/1.1\r\n\r\nGET /ping HTTP/1.1\r\n\r\n", &["200", "200"]);
        check("GET /ping HTTP/1.1\r\nConnection: Close\r\n\r\nGET /ping HTTP/1.1\r\n\r\n", &["200"]);
        check("GET /ping HTTP/1.0\r\n\r\nGET /ping HTTP/1.0\r\n\r\n", &["200"]);
        check(
            "GET /ping HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /ping HTTP/1.0\r\n\r\n",
            &["200", "200"],
        );
        let call = "POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 34\r\nAccept-Encoding: \r\n\r\n{\"id\":1,\"method\":\"getClipboard\"}  ";
        check(&call.repeat(3), &["200", "200", "200"]);
    }

    #[test]
    fn the_answer_of_a_call_follows_its_head() {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"exist","params":[{"mask":1,"text":"Save"}]}"#;
        let request = format!("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let answers = exchange_in(5, request.as_bytes(), None);
        assert_eq!(answers.len(), 1);
        let body = r#"{"jsonrpc":"2.0","id":1,"result":true}"#;
        assert!(
            answers[0].ends_with(&format!(
                "Content-Length: {}\r\nConnection: keep-alive\r\n\r\n{body}",
                body.len()
            ))
        );
    }

    #[test]
    fn bad_requests_are_refused_and_end_the_connection() {
        for (request, status) in [
            ("hello\r\n\r\n", "400"),
            ("GET /ping\r\n\r\n", "400"),
            ("GET /ping HTTP/2\r\n\r\n", "400"),
            ("GET  /ping HTTP/1.1\r\n\r\n", "400"),
            ("GET /ping HTTP/1.1\r\nno colon\r\n\r\n", "400"),
            ("GET /ping HTTP/1.1\r\nContent-Length : 1\r\n\r\n", "400"),
            ("GET /ping HTTP/1.1\r\nX: a\r\n b\r\n\r\n", "400"),
            ("GET /ping HTTP/1.1\n\nGET /ping HTTP/1.1\r\n\r\n", "400"),
            ("\r\n\r\n", "400"),
            ("DELETE /ping HTTP/1.1\r\n\r\n", "405"),
            ("POST /jsonrpc/0 HTTP/1.1\r\n\r\n", "411"),
            ("POST /jsonrpc/0 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "411"),
            ("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: +5\r\n\r\n12345", "400"),
            ("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n12345", "400"),
            ("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "413"),
            ("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 99999999999999999999999999\r\n\r\n", "413"),
        ] {
            check(&format!("{request}GET /ping HTTP/1.1\r\n\r\n"), &[status]);
        }
        check("GET /nothing HTTP/1.1\r\n\r\n", &["404"]);
        check("GET /jsonrpc/0 HTTP/1.1\r\n\r\n", &["405"]);
        check("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 0\r\n\r\n", &["400"]);
    }

    #[test]
    fn endless_heads_bad_letters_and_silence_end() {
        let endless = vec![b'a'; 10 * LONGEST_HEAD];
        assert!(exchange_in(1000, &endless, None)[0].starts_with("HTTP/1.1 431"));
        let long = format!("GET /ping HTTP/1.1\r\nX: {}\r\n\r\n", "a".repeat(2 * LONGEST_HEAD));
        assert!(exchange_in(100_000, long.as_bytes(), None)[0].starts_with("HTTP/1.1 431"));
        let many = format!("GET /ping HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(MOST_HEADERS + 1));
        assert!(exchange_in(100, many.as_bytes(), None)[0].starts_with("HTTP/1.1 431"));
        assert!(exchange_in(9, b"GET /\xff\xfe HTTP/1.1\r\n\r\n", None)[0].starts_with("HTTP/1.1 400"));
        assert!(exchange_in(9, b"GET /pi", None).is_empty(), "cut off");
        assert!(exchange_in(9, b"GET /pi", Some(ErrorKind::TimedOut))[0].starts_with("HTTP/1.1 408"));
        assert!(exchange_in(9, b"", Some(ErrorKind::TimedOut)).is_empty(), "nobody asked");
        assert!(exchange_in(9, b"GET /pi", Some(ErrorKind::ConnectionReset)).is_empty());
        let cut = b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 4000000\r\n\r\n{";
        assert!(exchange_in(9, cut, None).is_empty());
    }

    #[test]
    fn a_server_that_does_not_run_answers_nothing() {
        let served = served("FrameLayout\n");
        let mut output = Writes::default();
        serve(&served, &mut &b"GET /stop HTTP/1.1\r\n\r\nGET /ping HTTP/1.1\r\n\r\n"[..], &mut output);
        assert_eq!(output.0.len(), 1, "it stops, and the next request finds nobody");
        serve(&served, &mut &b"GET /ping HTTP/1.1\r\n\r\n"[..], &mut output);
        assert_eq!(output.0.len(), 1);
    }
}
