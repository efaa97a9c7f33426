//! A scripted peer for tests, with data and timeouts.

use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Read, Result};

/// A stream that yields what its script says, then ends.
pub struct Scripted {
    script: VecDeque<std::result::Result<Vec<u8>, ErrorKind>>,
    piece: usize,
}

impl Scripted {
    pub fn new() -> Self {
        Scripted { script: VecDeque::new(), piece: usize::MAX }
    }

    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        // An empty read would mean the end of the stream.
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

    /// Limits each read to this many bytes.
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
