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

/// The reason to refuse a request.
struct Bad;

#[derive(Default)]
struct Request {
    post: bool,
    path: String,
    /// The length of the body in bytes.
    length: usize,
    body: Vec<u8>,
}

/// Answers one request, behind which the connection ends, as clients open one for each. Sends no response if the server
/// is not running, or if the peer closes the connection before or stays silent until the stream's own read timeout.
pub fn serve(served: &Served, input: &mut dyn Read, output: &mut dyn Write) {
    let response = match request(input) {
        Ok(Some(request)) if runs(&served.lock()) => respond(served, &request),
        Err(Bad) => refuse("400 Bad Request"),
        Ok(_) => return,
    };
    // A peer that is gone wants no answer.
    output.write_all(&bytes_of(response)).and_then(|()| output.flush()).unwrap_or_default();
}

/// The status and the body of a response.
type Response = (&'static str, Vec<u8>);

fn respond(served: &Served, request: &Request) -> Response {
    match (request.path.as_str(), request.post) {
        ("/ping", _) => ("200 OK", b"pong".to_vec()),
        ("/jsonrpc/0", true) if request.body.is_empty() => refuse("400 Bad Request"),
        ("/jsonrpc/0", true) => ("200 OK", answer(served, &request.body)),
        ("/stop", _) => {
            stop(served);
            ("200 OK", b"Server stopped!!!".to_vec())
        }
        _ => refuse("404 Not Found"),
    }
}

fn refuse(status: &'static str) -> Response {
    (status, status.as_bytes().to_vec())
}

fn bytes_of((status, body): Response) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    [head.into_bytes(), body].concat()
}

/// The request that comes in; `None` if it is cut off.
fn request(input: &mut dyn Read) -> Result<Option<Request>, Bad> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; READ_SIZE]);
    loop {
        match Request::parse(&bytes)? {
            Some((head, mut request)) if bytes.len() >= head + request.length => {
                request.body = bytes.drain(..head + request.length).skip(head).collect();
                return Ok(Some(request));
            }
            None if bytes.len() > LONGEST_HEAD => return Err(Bad),
            _ => {}
        }
        match input.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return Ok(None),
            Ok(count) => bytes.extend(chunk.iter().take(count)),
        }
    }
}

impl Request {
    /// The request whose head the bytes begin with, without its body, and the head's length; `None` if more must be read.
    fn parse(bytes: &[u8]) -> Result<Option<(usize, Request)>, Bad> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(head) = parsed.parse(bytes).map_err(|_| Bad)? else { return Ok(None) };
        let post = parsed.method == Some("POST");
        if !post && parsed.method != Some("GET") {
            return Err(Bad);
        }
        let path = parsed.path.and_then(|target| target.split('?').next()).ok_or(Bad)?.to_owned();
        let mut request = Request { post, path, ..Request::default() };
        for header in &*parsed.headers {
            let value = std::str::from_utf8(header.value).map_err(|_| Bad)?.trim();
            match (header.name.to_ascii_lowercase().as_str(), value) {
                ("content-length", length) => {
                    let length = length.parse().ok().filter(|length| *length <= LONGEST_BODY);
                    request.length = length.ok_or(Bad)?;
                }
                ("transfer-encoding", _) => return Err(Bad),
                _ => {}
            }
        }
        Ok(Some((head, request)))
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
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\nConnection: close\r\n\r\npong"
            ]
        );
    }

    #[test]
    fn a_connection_has_one_request() {
        check("GET /ping HTTP/1.1\r\n\r\nGET /ping HTTP/1.1\r\n\r\n", &["200"]);
        check("GET /ping HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", &["200"]);
        let call = "POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 34\r\nAccept-Encoding: \r\n\r\n{\"id\":1,\"method\":\"getClipboard\"}  ";
        check(call, &["200"]);
    }

    #[test]
    fn the_answer_of_a_call_follows_its_head() {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"exist","params":[{"mask":1,"text":"Save"}]}"#;
        let request = format!("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let answers = exchange_in(5, request.as_bytes(), None);
        assert_eq!(answers.len(), 1);
        let body = r#"{"jsonrpc":"2.0","id":1,"result":true}"#;
        assert!(
            answers[0]
                .ends_with(&format!("Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()))
        );
    }

    #[test]
    fn bad_requests_are_refused() {
        for request in [
            "hello\r\n\r\n",
            "GET /ping\r\n\r\n",
            "GET /ping HTTP/2\r\n\r\n",
            "GET  /ping HTTP/1.1\r\n\r\n",
            "GET /ping HTTP/1.1\r\nno colon\r\n\r\n",
            "GET /ping HTTP/1.1\r\nContent-Length : 1\r\n\r\n",
            "GET /ping HTTP/1.1\r\nX: a\r\n b\r\n\r\n",
            "DELETE /ping HTTP/1.1\r\n\r\n",
            "POST /jsonrpc/0 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 4000000000\r\n\r\n",
            "POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 99999999999999999999999999\r\n\r\n",
        ] {
            check(&format!("{request}GET /ping HTTP/1.1\r\n\r\n"), &["400"]);
        }
        check("GET /nothing HTTP/1.1\r\n\r\n", &["404"]);
        check("GET /jsonrpc/0 HTTP/1.1\r\n\r\n", &["404"]);
        check("POST /jsonrpc/0 HTTP/1.1\r\n\r\n", &["400"]);
        check("POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 0\r\n\r\n", &["400"]);
    }

    #[test]
    fn endless_heads_bad_letters_and_silence_end() {
        let refused = |pieces, request: &[u8]| {
            let answers = exchange_in(pieces, request, None);
            assert!(answers.len() == 1 && answers[0].starts_with("HTTP/1.1 400"), "{answers:?}");
        };
        refused(1000, &vec![b'a'; 10 * LONGEST_HEAD]);
        refused(1000, format!("GET /ping HTTP/1.1\r\nX: {}", "a".repeat(10 * LONGEST_HEAD)).as_bytes());
        let many = format!("GET /ping HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(MOST_HEADERS + 1));
        refused(100, many.as_bytes());
        refused(9, b"GET /\xff\xfe HTTP/1.1\r\n\r\n");
        assert!(exchange_in(9, b"GET /pi", None).is_empty(), "cut off");
        for ending in [ErrorKind::TimedOut, ErrorKind::ConnectionReset] {
            assert!(exchange_in(9, b"GET /pi", Some(ending)).is_empty());
            assert!(exchange_in(9, b"", Some(ending)).is_empty(), "nobody asked");
        }
        let cut = b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 4000000\r\n\r\n{";
        assert!(exchange_in(9, cut, None).is_empty());
    }

    #[test]
    fn a_server_that_does_not_run_answers_nothing() {
        let served = served("FrameLayout\n");
        let mut output = Writes::default();
        serve(&served, &mut &b"GET /stop HTTP/1.1\r\n\r\n"[..], &mut output);
        assert_eq!(output.0.len(), 1, "it stops");
        serve(&served, &mut &b"GET /ping HTTP/1.1\r\n\r\n"[..], &mut output);
        assert_eq!(output.0.len(), 1);
    }
}
