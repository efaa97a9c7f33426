//! A peer for tests: what it sends, when it is silent, and what was sent to it.

use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Read, Result, Write};

/// A stream that says what it was told to, then ends.
pub struct Scripted {
    script: VecDeque<std::result::Result<Vec<u8>, ErrorKind>>,
    piece: usize,
    /// Everything that was written to it.
    pub written: Vec<u8>,
    /// How many more bytes can be written before writing fails.
    pub room: usize,
}

impl Scripted {
    pub fn new() -> Self {
        Scripted { script: VecDeque::new(), piece: usize::MAX, written: Vec::new(), room: usize::MAX }
    }

    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        // A read of nothing would be the end.
        if !bytes.is_empty() {
            self.script.push_back(Ok(bytes.to_vec()));
        }
        self
    }

    pub fn timeout(self) -> Self {
        self.failure(ErrorKind::WouldBlock)
    }

    pub fn failure(mut self, kind: ErrorKind) -> Self {
        self.script.push_back(Err(kind));
        self
    }

    /// Hands out at most this many bytes at once.
    pub fn pieces_of(mut self, piece: usize) -> Self {
        self.piece = piece;
        self
    }
}

impl Read for Scripted {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self.script.pop_front() {
            None => Ok(0),
            Some(Err(kind)) => Err(Error::from(kind)),
            Some(Ok(mut bytes)) => {
                let count = bytes.len().min(buffer.len()).min(self.piece);
                buffer[..count].copy_from_slice(&bytes[..count]);
                bytes.drain(..count);
                if !bytes.is_empty() {
                    self.script.push_front(Ok(bytes));
                }
                Ok(count)
            }
        }
    }
}

impl Write for Scripted {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let count = bytes.len().min(self.room);
        if count == 0 && !bytes.is_empty() {
            return Err(Error::from(ErrorKind::TimedOut));
        }
        self.room -= count;
        self.written.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
