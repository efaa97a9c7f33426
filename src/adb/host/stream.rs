//! A connection to the adb server: framing, and reads and writes that end at the caller's deadline.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::connect::{connect, waits};
use super::{AdbError, Patience, ServerAddress};

/// The longest request: its length has four hexadecimal digits.
pub(super) const LONGEST_REQUEST: usize = 0xffff;

const CHUNK: usize = 64 * 1024;

/// A connection to the server or, once a device's service was opened, to that service. Closed on drop.
#[derive(Debug)]
pub struct AdbStream {
    socket: TcpStream,
    what: String,
    read_timeout: Duration,
    write_timeout: Duration,
}

/// How a write that watches for an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// All bytes were sent before the peer answered.
    All,
    /// The peer answered, or closed the connection, before all bytes were sent.
    Answered,
}

impl AdbStream {
    /// Connects to the server. Errors name `what` the connection is for.
    pub(crate) fn connect(
        address: &ServerAddress,
        what: String,
        patience: &Patience<'_>,
    ) -> Result<Self, AdbError> {
        let socket = connect(address, patience)?;
        Ok(AdbStream { socket, what, read_timeout: Duration::ZERO, write_timeout: Duration::ZERO })
    }

    /// What the connection is for, as errors name it.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Reads the available bytes, waiting for the first one. Returns 0 at the end of the stream.
    ///
    /// # Errors
    ///
    /// [`AdbError::Closed`], [`AdbError::Io`], [`AdbError::Cancelled`] and [`AdbError::Deadline`].
    pub fn read_some(&mut self, buffer: &mut [u8], patience: &Patience<'_>) -> Result<usize, AdbError> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            self.let_read_wait(patience.slice(&self.what)?)?;
            match self.socket.read(buffer) {
                Ok(count) => return Ok(count),
                Err(error) if waits(&error) => {}
                Err(error) => return Err(AdbError::io(&self.what, &error)),
            }
        }
    }

    /// Fills the buffer.
    ///
    /// # Errors
    ///
    /// [`AdbError::Closed`] if the stream ends before, and the errors of [`AdbStream::read_some`].
    pub fn read_exact(&mut self, buffer: &mut [u8], patience: &Patience<'_>) -> Result<(), AdbError> {
        let mut rest = buffer;
        while !rest.is_empty() {
            match self.read_some(rest, patience)? {
                0 => return Err(AdbError::Closed { what: self.what.clone() }),
                count => rest = rest.get_mut(count..).unwrap_or_default(),
            }
        }
        Ok(())
    }

    /// Reads to the end of the stream.
    ///
    /// # Errors
    ///
    /// [`AdbError::TooMuch`] beyond `limit` bytes, and the errors of [`AdbStream::read_some`].
    pub fn read_to_end(&mut self, limit: usize, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        let mut all = Vec::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            match self.read_some(&mut chunk, patience)? {
                0 => return Ok(all),
                count => self.keep(chunk.get(..count).unwrap_or_default(), &mut all, limit)?,
            }
        }
    }

    /// Appends `count` bytes from the stream to `all`. Memory grows with the received bytes, not with `count`. Fails
    /// with [`AdbError::TooMuch`] if `all` would grow beyond `limit` bytes, and with the errors of
    /// [`AdbStream::read_exact`].
    pub(crate) fn read_behind(
        &mut self,
        all: &mut Vec<u8>,
        count: usize,
        limit: usize,
        patience: &Patience<'_>,
    ) -> Result<(), AdbError> {
        if count > limit.saturating_sub(all.len()) {
            return Err(AdbError::TooMuch { what: self.what.clone(), limit });
        }
        let mut left = count;
        while left > 0 {
            let start = all.len();
            let wanted = left.min(CHUNK);
            all.resize(start.saturating_add(wanted), 0);
            self.read_exact(all.get_mut(start..).unwrap_or_default(), patience)?;
            left -= wanted;
        }
        Ok(())
    }

    /// Sends all bytes.
    ///
    /// # Errors
    ///
    /// [`AdbError::Closed`], [`AdbError::Io`], [`AdbError::Cancelled`] and [`AdbError::Deadline`].
    pub fn write_all(&mut self, bytes: &[u8], patience: &Patience<'_>) -> Result<(), AdbError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let sent = self.write_some(rest, patience.slice(&self.what)?)?;
            rest = rest.get(sent..).unwrap_or_default();
        }
        Ok(())
    }

    /// Sends all bytes unless the peer answers before: a peer that has refused may never read the rest.
    pub(super) fn write_until_answered(
        &mut self,
        bytes: &[u8],
        patience: &Patience<'_>,
    ) -> Result<Written, AdbError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let slice = patience.slice(&self.what)?;
            if self.has_answer()? {
                return Ok(Written::Answered);
            }
            match self.write_some(rest, slice) {
                Ok(sent) => rest = rest.get(sent..).unwrap_or_default(),
                Err(AdbError::Closed { .. }) => return Ok(Written::Answered),
                Err(error) => return Err(error),
            }
        }
        Ok(Written::All)
    }

    /// Sends one request of the server's protocol and waits for its `OKAY`. Fails with [`AdbError::Refused`],
    /// [`AdbError::Garbage`], [`AdbError::TooLong`], or the errors of reading and writing.
    pub(super) fn request(&mut self, service: &str, patience: &Patience<'_>) -> Result<(), AdbError> {
        if service.len() > LONGEST_REQUEST {
            let (what, length) = (self.what.clone(), service.len());
            return Err(AdbError::TooLong { what, length, limit: LONGEST_REQUEST });
        }
        self.write_all(format!("{:04x}{service}", service.len()).as_bytes(), patience)?;
        self.expect_okay(patience)
    }

    /// Waits for `OKAY`. Fails with [`AdbError::Refused`] and the reason after a `FAIL`, [`AdbError::Garbage`], or the
    /// errors of reading.
    pub(super) fn expect_okay(&mut self, patience: &Patience<'_>) -> Result<(), AdbError> {
        let mut status = [0; 4];
        self.read_exact(&mut status, patience)?;
        match &status {
            b"OKAY" => Ok(()),
            b"FAIL" => {
                let reason = self.read_block(patience)?;
                Err(AdbError::refused(&self.what, &reason))
            }
            _ => Err(AdbError::garbage(&self.what, "OKAY or FAIL", &status)),
        }
    }

    /// Reads four hexadecimal digits and as many bytes as they say. Fails with [`AdbError::Garbage`] or the errors of
    /// reading.
    pub(super) fn read_block(&mut self, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        let mut digits = [0; 4];
        self.read_exact(&mut digits, patience)?;
        let length = parse_length(digits).ok_or_else(|| AdbError::garbage(&self.what, LENGTH, &digits))?;
        let mut block = Vec::new();
        self.read_behind(&mut block, length, LONGEST_REQUEST, patience)?;
        Ok(block)
    }

    fn keep(&self, bytes: &[u8], all: &mut Vec<u8>, limit: usize) -> Result<(), AdbError> {
        if bytes.len() > limit.saturating_sub(all.len()) {
            return Err(AdbError::TooMuch { what: self.what.clone(), limit });
        }
        all.extend_from_slice(bytes);
        Ok(())
    }

    /// Sends what it can within this slice and returns how many bytes it sent; 0 if the peer takes none now.
    fn write_some(&mut self, bytes: &[u8], slice: Duration) -> Result<usize, AdbError> {
        self.let_write_wait(slice)?;
        match self.socket.write(bytes.get(..CHUNK).unwrap_or(bytes)) {
            Ok(0) => Err(AdbError::Closed { what: self.what.clone() }),
            Ok(count) => Ok(count),
            Err(error) if waits(&error) => Ok(0),
            Err(error) => Err(AdbError::io(&self.what, &error)),
        }
    }

    /// Whether the peer has sent something or closed the connection.
    fn has_answer(&self) -> Result<bool, AdbError> {
        let failed = |error| AdbError::io(&self.what, &error);
        self.socket.set_nonblocking(true).map_err(failed)?;
        let answer = self.socket.peek(&mut [0]);
        self.socket.set_nonblocking(false).map_err(failed)?;
        Ok(!matches!(answer, Err(error) if waits(&error)))
    }

    // Setting a timeout is a system call, which most reads and writes avoid.
    fn let_read_wait(&mut self, timeout: Duration) -> Result<(), AdbError> {
        if self.read_timeout != timeout {
            self.socket.set_read_timeout(Some(timeout)).map_err(|error| AdbError::io(&self.what, &error))?;
            self.read_timeout = timeout;
        }
        Ok(())
    }

    fn let_write_wait(&mut self, timeout: Duration) -> Result<(), AdbError> {
        if self.write_timeout != timeout {
            self.socket.set_write_timeout(Some(timeout)).map_err(|error| AdbError::io(&self.what, &error))?;
            self.write_timeout = timeout;
        }
        Ok(())
    }
}

/// The description of a block's length in errors.
pub(super) const LENGTH: &str = "a length of four hexadecimal digits";

/// Parses the length in front of a block; `None` if it is not hexadecimal.
pub(super) fn parse_length(digits: [u8; 4]) -> Option<usize> {
    digits.iter().try_fold(0, |length, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(length * 16 + usize::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::tests::peer::{Act, Peer, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);

    fn open(peer: &Peer, patience: &Patience<'_>) -> AdbStream {
        AdbStream::connect(&peer.server.address, "a test".to_owned(), patience).unwrap()
    }

    #[test]
    fn lengths_are_four_hexadecimal_digits_and_nothing_else() {
        let check = |digits: &[u8; 4], length| assert_eq!(parse_length(*digits), length);
        check(b"0000", Some(0));
        check(b"00ff", Some(255));
        check(b"FFFF", Some(65_535));
        check(b"+123", None);
        check(b" 123", None);
        check(b"00g0", None);
        check(b"\xff\xff\xff\xff", None);
    }

    #[test]
    fn an_answer_may_come_in_any_pieces() {
        let patience = Patience::new(SECONDS, &|| false);
        let sent = b"OKAY0005hello".to_vec();
        for act in [Act::Send(sent.clone()), Act::Bytewise(sent.clone())] {
            let peer = Peer::serve(vec![vec![request("host:x"), act]]);
            let mut stream = open(&peer, &patience);
            stream.request("host:x", &patience).unwrap();
            assert_eq!(stream.read_block(&patience).unwrap(), b"hello");
            drop(stream);
            peer.finish();
        }
    }

    #[test]
    fn what_is_no_answer_is_told_apart() {
        let patience = Patience::new(SECONDS, &|| false);
        let ask = |answer: &[u8]| {
            let peer = Peer::serve(vec![vec![request("host:x"), Act::Send(answer.to_vec())]]);
            let mut stream = open(&peer, &patience);
            let asked = stream.request("host:x", &patience).and_then(|()| stream.read_block(&patience));
            drop(stream);
            peer.finish();
            asked.unwrap_err()
        };
        assert!(matches!(ask(b"HTTP/1.1 400"), AdbError::Garbage { expected: "OKAY or FAIL", .. }));
        assert!(matches!(ask(b"OKAYzzzz"), AdbError::Garbage { expected: LENGTH, .. }));
        assert!(matches!(ask(b"FAIL-001x"), AdbError::Garbage { expected: LENGTH, .. }));
        let refusal = ask(b"FAIL0006closed");
        assert!(matches!(&refusal, AdbError::Refused { text, .. } if text == "closed"), "{refusal:?}");
        for cut in
            [&b""[..], b"OK", b"OKAY", b"OKAY00", b"OKAYffff", b"OKAY0005hell", b"FAIL", b"FAIL0006clo"]
        {
            assert_eq!(ask(cut), AdbError::Closed { what: "a test".to_owned() }, "{cut:?}");
        }
    }

    #[test]
    fn silence_ends_at_the_deadline_and_drops_do_not_prolong_it() {
        let drip: Vec<Act> = (0..200).flat_map(|_| [Act::Send(b"x".to_vec()), Act::Wait(10)]).collect();
        for script in [vec![Act::UntilClosed], drip] {
            let peer = Peer::serve(vec![script]);
            let patience = Patience::new(Duration::from_millis(120), &|| false);
            let mut stream = open(&peer, &patience);
            let late = stream.read_to_end(1 << 20, &patience).unwrap_err();
            let limit = Duration::from_millis(120);
            assert_eq!(late, AdbError::Deadline { what: "a test".to_owned(), limit });
            assert!(patience.elapsed() < Duration::from_millis(1500), "{:?}", patience.elapsed());
            drop(stream);
            peer.finish();
        }
    }

    #[test]
    fn a_reader_and_a_writer_hear_that_they_are_cancelled() {
        let peer = Peer::serve(vec![vec![Act::UntilClosed], vec![Act::NeverRead]]);
        let asked = Cell::new(0);
        let cancelled = || {
            asked.set(asked.get() + 1);
            asked.get() > 4
        };
        let patience = Patience::new(Duration::from_secs(60), &cancelled);
        let mut stream = open(&peer, &patience);
        let ended = stream.read_exact(&mut [0; 8], &patience).unwrap_err();
        assert_eq!(ended, AdbError::Cancelled { what: "a test".to_owned() });
        assert!(patience.elapsed() < Duration::from_secs(2), "{:?}", patience.elapsed());
        drop(stream);
        let patience = Patience::new(Duration::from_millis(200), &|| false);
        let mut stream = open(&peer, &patience);
        let late = stream.write_all(&vec![7; 64 << 20], &patience).unwrap_err();
        assert!(matches!(late, AdbError::Deadline { .. }), "{late:?}");
        assert!(patience.elapsed() < Duration::from_secs(2), "{:?}", patience.elapsed());
        drop(stream);
        peer.finish();
    }

    #[test]
    fn no_more_is_kept_than_was_allowed() {
        let patience = Patience::new(SECONDS, &|| false);
        let peer = Peer::serve(vec![vec![Act::Send(vec![1; 1000])], vec![Act::Send(vec![1; 1000])]]);
        let too_much = open(&peer, &patience).read_to_end(999, &patience).unwrap_err();
        assert_eq!(too_much, AdbError::TooMuch { what: "a test".to_owned(), limit: 999 });
        assert_eq!(open(&peer, &patience).read_to_end(1000, &patience).unwrap().len(), 1000);
        peer.finish();
        let peer = Peer::serve(vec![vec![Act::Send(vec![1; 10])]]);
        let mut all = Vec::new();
        let announced = open(&peer, &patience).read_behind(&mut all, usize::MAX, 1 << 20, &patience);
        assert!(matches!(announced, Err(AdbError::TooMuch { .. })) && all.capacity() == 0);
        peer.finish();
    }

    #[test]
    fn a_request_that_is_too_long_is_never_sent() {
        let patience = Patience::new(SECONDS, &|| false);
        let peer = Peer::serve(vec![vec![]]);
        let asked = open(&peer, &patience).request(&"x".repeat(70_000), &patience);
        assert!(matches!(asked, Err(AdbError::TooLong { length: 70_000, .. })));
        peer.finish();
    }
}
