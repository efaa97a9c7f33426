//! The streams of a command. All of them are shared by reference, so that `2>&1` makes two names for one stream.

use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;

use crate::memory::{Held, Memory, OutOfMemory};
use crate::served::Served;

/// Why a command ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The reader of its output is gone (SIGPIPE).
    Pipe,
    /// It needs more memory than its session has (SIGKILL).
    Memory,
    /// It has said what is wrong, and has this exit code.
    Exit(u8),
    /// The shell says that this is wrong.
    Complaint(String),
}

impl Stop {
    /// The exit code that the shell sees: for a signal 128 plus its number.
    pub fn code(self) -> u8 {
        match self {
            Stop::Pipe => 141,
            Stop::Memory => 137,
            Stop::Exit(code) => code,
            Stop::Complaint(_) => 1,
        }
    }
}

impl From<io::Error> for Stop {
    fn from(_: io::Error) -> Self {
        Stop::Pipe
    }
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Self {
        Stop::Memory
    }
}

/// An output stream of a command.
pub(super) trait Out {
    /// Writes bytes, or fails if the reader is gone.
    fn put(&self, bytes: &[u8]) -> Result<(), Stop>;
    /// Delivers what was written, and fails if the reader is gone.
    fn flush(&self) -> Result<(), Stop>;
}

/// An input stream of a command.
pub(super) trait In {
    /// Reads bytes; 0 is the end.
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Stop>;
}

/// The three streams of a command.
#[derive(Clone, Copy)]
pub(super) struct Io<'a> {
    pub input: &'a dyn In,
    pub out: &'a dyn Out,
    pub err: &'a dyn Out,
}

impl<T: Write> Out for RefCell<T> {
    fn put(&self, bytes: &[u8]) -> Result<(), Stop> {
        Ok(self.try_borrow_mut().map_err(|_| Stop::Pipe)?.write_all(bytes)?)
    }

    fn flush(&self) -> Result<(), Stop> {
        Ok(self.try_borrow_mut().map_err(|_| Stop::Pipe)?.flush()?)
    }
}

impl<T: Read> In for RefCell<T> {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Stop> {
        let mut stream = self.try_borrow_mut().map_err(|_| Stop::Pipe)?;
        loop {
            match stream.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return Ok(read?),
            }
        }
    }
}

/// A buffer in memory, used as an input stream.
pub(super) struct Bytes {
    bytes: Arc<Vec<u8>>,
    at: Cell<usize>,
    _held: Option<Held>,
}

impl From<Arc<Vec<u8>>> for Bytes {
    fn from(bytes: Arc<Vec<u8>>) -> Self {
        Bytes { bytes, at: Cell::new(0), _held: None }
    }
}

impl In for Bytes {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Stop> {
        let count = self.bytes.get(self.at.get()..).unwrap_or_default().read(buffer)?;
        self.at.set(self.at.get() + count);
        Ok(count)
    }
}

/// Captures the output of a command, within the budget of the session. `behind` is the output of the whole line, so
/// that a command notices when its client is gone.
pub(super) struct Captured<'a> {
    kept: RefCell<(Vec<u8>, Held)>,
    behind: &'a dyn Out,
}

impl<'a> Captured<'a> {
    pub fn new(memory: &Memory, behind: &'a dyn Out) -> Result<Self, Stop> {
        Ok(Captured { kept: RefCell::new((Vec::new(), memory.take(0)?)), behind })
    }

    /// What was captured.
    pub fn into_bytes(self) -> Vec<u8> {
        self.kept.into_inner().0
    }

    /// What was captured, as the input of another command.
    pub fn into_input(self) -> Bytes {
        let (bytes, held) = self.kept.into_inner();
        Bytes { _held: Some(held), ..Bytes::from(Arc::new(bytes)) }
    }
}

impl Out for Captured<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Stop> {
        let mut kept = self.kept.try_borrow_mut().map_err(|_| Stop::Pipe)?;
        kept.1.grow(bytes.len())?;
        kept.0.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&self) -> Result<(), Stop> {
        self.behind.flush()
    }
}

/// Output to a file of the device.
pub(super) struct ToFile<'a> {
    pub served: &'a Served,
    pub path: String,
    pub behind: &'a dyn Out,
}

impl Out for ToFile<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Stop> {
        self.served.lock().append_file(&self.path, bytes).map_err(|_| Stop::Pipe)
    }

    fn flush(&self) -> Result<(), Stop> {
        self.behind.flush()
    }
}

/// Reads an input to its end, within the budget of a session.
pub(super) fn read_all(from: &dyn In, memory: &Memory) -> Result<Arc<Vec<u8>>, Stop> {
    let (mut all, mut held) = (Vec::new(), memory.take(0)?);
    let mut buffer = [0; 16 << 10];
    loop {
        let count = from.take(&mut buffer)?;
        if count == 0 {
            return Ok(Arc::new(all));
        }
        held.grow(count)?;
        all.extend_from_slice(buffer.get(..count).unwrap_or_default());
    }
}

/// Reads up to a line end, which may be that of a terminal and is included, or up to `limit` bytes. `None` is the end.
pub(super) fn read_line(input: &dyn In, limit: usize) -> Result<Option<Vec<u8>>, Stop> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < limit && input.take(&mut byte)? > 0 {
        line.extend(byte);
        if matches!(byte, [b'\n' | b'\r']) {
            break;
        }
    }
    Ok((!line.is_empty()).then_some(line))
}
