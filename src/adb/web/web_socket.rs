//! The client's side of a WebSocket (RFC 6455), as far as a browser's debugging port needs it: texts to ask and texts to
//! answer, without extensions.

use crate::host::{AdbError, AdbStream, Patience};

/// Limit on a message, in bytes. A page of a thousand nodes takes one megabyte.
const LONGEST_MESSAGE: usize = 32 << 20;
/// Limit on the answer to the request that opens it, in bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// The head of the request, after its first line.
const HEAD: &str = "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                    Sec-WebSocket-Key: dGFwcm9vZiB3ZWIgcGFnZQ==\r\n\r\n";
/// The bit of the last frame of a message, and that of a frame that is masked.
const LAST: u8 = 0x80;
const MASKED: u8 = 0x80;
const CONTINUED: u8 = 0;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// An open WebSocket.
pub(super) struct WebSocket<'p> {
    stream: AdbStream,
    patience: Patience<'p>,
}

impl<'p> WebSocket<'p> {
    /// Opens it on a stream to a server. `path` must be a part of an address.
    pub fn open(mut stream: AdbStream, path: &str, patience: Patience<'p>) -> Result<Self, AdbError> {
        let request = format!("GET {path} HTTP/1.1\r\n{HEAD}");
        stream.write_all(request.as_bytes(), &patience)?;
        // Byte by byte, as the first message may follow at once.
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") && head.len() < LONGEST_HEAD {
            stream.read_exact(&mut byte, &patience)?;
            head.extend(byte);
        }
        let status = head.split(|byte| *byte == b' ').nth(1);
        match status {
            Some(b"101") => Ok(WebSocket { stream, patience }),
            _ => Err(AdbError::garbage(stream.what(), "HTTP with status 101", &head)),
        }
    }

    /// Sends a text.
    pub fn send(&mut self, text: &str) -> Result<(), AdbError> {
        self.send_frame(TEXT, text.as_bytes())
    }

    fn send_frame(&mut self, kind: u8, data: &[u8]) -> Result<(), AdbError> {
        let mut frame = vec![LAST | kind];
        match (u8::try_from(data.len()), u16::try_from(data.len())) {
            (Ok(length @ ..=125), _) => frame.push(MASKED | length),
            (_, Ok(length)) => {
                frame.push(MASKED | 126);
                frame.extend(length.to_be_bytes());
            }
            _ => {
                frame.push(MASKED | 127);
                frame.extend((data.len() as u64).to_be_bytes());
            }
        }
        // Masks are against proxies, of which there are none here: this one changes nothing.
        frame.extend([0; 4]);
        frame.extend(data);
        self.stream.write_all(&frame, &self.patience)
    }

    /// Waits for a text.
    pub fn receive(&mut self) -> Result<Vec<u8>, AdbError> {
        let mut message = Vec::new();
        loop {
            let mut head = [0; 2];
            self.stream.read_exact(&mut head, &self.patience)?;
            let [first, second] = head;
            let length = match second {
                126 => u64::from(u16::from_be_bytes(self.read()?)),
                127 => u64::from_be_bytes(self.read()?),
                // A mask is the client's.
                MASKED.. => {
                    return Err(AdbError::garbage(self.stream.what(), "a frame without a mask", &head));
                }
                length => u64::from(length),
            };
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            match first & 0x0f {
                CLOSE => return Err(AdbError::Closed { what: self.stream.what().to_owned() }),
                kind @ (PING | PONG) => {
                    let mut data = Vec::new();
                    self.stream.read_behind(&mut data, length, 125, &self.patience)?;
                    if kind == PING {
                        self.send_frame(PONG, &data)?;
                    }
                }
                CONTINUED | TEXT => {
                    self.stream.read_behind(&mut message, length, LONGEST_MESSAGE, &self.patience)?;
                    if first & LAST != 0 {
                        return Ok(message);
                    }
                }
                _ => return Err(AdbError::garbage(self.stream.what(), "a frame of text", &head)),
            }
        }
    }

    fn read<const N: usize>(&mut self) -> Result<[u8; N], AdbError> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes, &self.patience)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::host::tests::peer::{Act, Peer};

    /// What a server that answers so is understood to say after it was asked "x".
    fn asked(head: &[u8], frames: Vec<Act>) -> Result<Vec<u8>, AdbError> {
        let request = format!("GET /page HTTP/1.1\r\n{HEAD}").into_bytes();
        let mut script = vec![Act::Expect(request), Act::Send(head.to_vec())];
        if head.starts_with(b"HTTP/1.1 101") {
            script.push(Act::Expect(b"\x81\x81\0\0\0\0x".to_vec()));
            script.extend(frames);
        }
        let peer = Peer::serve(vec![script]);
        let patience = Patience::new(Duration::from_secs(5), &|| false);
        let stream = AdbStream::connect(&peer.server.address, "a page".to_owned(), &patience).unwrap();
        let said = WebSocket::open(stream, "/page", patience).and_then(|mut socket| {
            socket.send("x")?;
            socket.receive()
        });
        peer.finish();
        said
    }

    #[test]
    fn texts_come_whole_and_in_pieces() {
        const OPEN: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
        let said = |frames: &[u8]| asked(OPEN, vec![Act::Bytewise(frames.to_vec())]);
        assert_eq!(said(b"\x81\x02hi").unwrap(), b"hi");
        assert_eq!(said(b"\x01\x02he\x8a\x01p\x80\x03llo").unwrap(), b"hello");
        let long = [&b"\x81\x7e\x01\x00"[..], &[b'y'; 256]].concat();
        assert_eq!(said(&long).unwrap(), [b'y'; 256]);
        let pinged = vec![
            Act::Send(b"\x89\x01p".to_vec()),
            Act::Expect(b"\x8a\x81\0\0\0\0p".to_vec()),
            Act::Send(b"\x81\x00".to_vec()),
        ];
        assert_eq!(asked(OPEN, pinged).unwrap(), b"");
        assert!(matches!(said(b"\x88\x00"), Err(AdbError::Closed { .. })));
        assert!(matches!(said(b"\x81\x05hi"), Err(AdbError::Closed { .. })));
        assert!(matches!(said(b"\x82\x00"), Err(AdbError::Garbage { .. })), "no text");
        assert!(matches!(said(b"\x81\x80\0\0\0\0"), Err(AdbError::Garbage { .. })), "masked");
        let endless = said(b"\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff");
        assert!(matches!(endless, Err(AdbError::TooMuch { .. })), "{endless:?}");
        assert!(matches!(asked(b"HTTP/1.1 403 No\r\n\r\n", Vec::new()), Err(AdbError::Garbage { .. })));
    }
}
