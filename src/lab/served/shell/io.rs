//! The streams of a command. All of them are shared by reference, so that `2>&1` makes two names for one stream.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind, Read, Write};
use std::ops::Deref;
use std::sync::Arc;

use crate::memory::{Held, Memory, OutOfMemory};
use crate::served::Served;

/// Why a command ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Killed {
    /// The reader of its output is gone (SIGPIPE).
    Pipe,
    /// It needs more memory than its session has (SIGKILL).
    Memory,
}

impl Killed {
    /// The exit code that the shell sees: 128 plus the number of the signal.
    pub fn code(self) -> u8 {
        match self {
            Killed::Pipe => 141,
            Killed::Memory => 137,
        }
    }
}

impl From<io::Error> for Killed {
    fn from(_: io::Error) -> Self {
        Killed::Pipe
    }
}

impl From<OutOfMemory> for Killed {
    fn from(_: OutOfMemory) -> Self {
        Killed::Memory
    }
}

/// An output stream of a command.
pub(super) trait Out {
    /// Writes all of the bytes.
    fn put(&self, bytes: &[u8]) -> Result<(), Killed>;
    /// Passes buffered output on; fails once the reader is gone.
    fn flush(&self) -> Result<(), Killed>;
}

/// An input stream of a command.
pub(super) trait In {
    /// Reads some bytes into the buffer; returns 0 at the end.
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Killed>;
}

/// The three standard streams of a command.
#[derive(Clone, Copy)]
pub(super) struct Io<'a> {
    pub input: &'a dyn In,
    pub out: &'a dyn Out,
    pub err: &'a dyn Out,
}

/// A stream given by the caller of the shell.
pub(super) struct Outer<'a, T: ?Sized>(RefCell<&'a mut T>);

impl<'a, T: ?Sized> Outer<'a, T> {
    pub fn new(stream: &'a mut T) -> Self {
        Outer(RefCell::new(stream))
    }
}

impl Out for Outer<'_, dyn Write + '_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Killed> {
        Ok(self.0.try_borrow_mut().map_err(|_| Killed::Pipe)?.write_all(bytes)?)
    }

    fn flush(&self) -> Result<(), Killed> {
        Ok(self.0.try_borrow_mut().map_err(|_| Killed::Pipe)?.flush()?)
    }
}

impl In for Outer<'_, dyn Read + '_> {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Killed> {
        let mut stream = self.0.try_borrow_mut().map_err(|_| Killed::Pipe)?;
        loop {
            match stream.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return Ok(read?),
            }
        }
    }
}

/// Discards all output and yields no input, as `/dev/null`.
pub(super) struct Nothing;

impl Out for Nothing {
    fn put(&self, _bytes: &[u8]) -> Result<(), Killed> {
        Ok(())
    }

    fn flush(&self) -> Result<(), Killed> {
        Ok(())
    }
}

impl In for Nothing {
    fn take(&self, _buffer: &mut [u8]) -> Result<usize, Killed> {
        Ok(0)
    }
}

/// A buffer in memory, used as an input stream.
pub(super) struct Bytes<T: AsRef<[u8]>> {
    bytes: T,
    at: Cell<usize>,
}

impl<T: AsRef<[u8]>> Bytes<T> {
    pub fn new(bytes: T) -> Self {
        Bytes { bytes, at: Cell::new(0) }
    }
}

impl<T: AsRef<[u8]>> In for Bytes<T> {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Killed> {
        let rest = self.bytes.as_ref().get(self.at.get()..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        self.at.set(self.at.get() + count);
        Ok(count)
    }
}

/// Captures the output of a command, within the memory budget. `behind` is the output of the whole line, so that a
/// command that never ends notices when the client is gone.
pub(super) struct Captured<'a> {
    kept: RefCell<Input>,
    behind: &'a dyn Out,
}

impl<'a> Captured<'a> {
    pub fn new(memory: &Memory, behind: &'a dyn Out) -> Result<Self, Killed> {
        Ok(Captured { kept: RefCell::new(Input::new(memory)?), behind })
    }

    pub fn into_input(self) -> Input {
        self.kept.into_inner()
    }
}

impl Out for Captured<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Killed> {
        self.kept.try_borrow_mut().map_err(|_| Killed::Pipe)?.extend(bytes)
    }

    fn flush(&self) -> Result<(), Killed> {
        self.behind.flush()
    }
}

/// Writes the output of a command to a file on the device.
pub(super) struct ToFile<'a> {
    pub served: &'a Served,
    pub path: String,
    pub behind: &'a dyn Out,
}

impl Out for ToFile<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Killed> {
        self.served.lock().append_file(&self.path, bytes).map_err(|_| Killed::Pipe)
    }

    fn flush(&self) -> Result<(), Killed> {
        self.behind.flush()
    }
}

/// Bytes that a command holds, counted in the budget of its session.
pub(super) struct Input {
    bytes: Arc<Vec<u8>>,
    held: Held,
}

impl Input {
    /// An empty input, which can be extended.
    pub fn new(memory: &Memory) -> Result<Self, Killed> {
        Input::of(Arc::default(), memory)
    }

    /// An input with these bytes.
    pub fn of(bytes: Arc<Vec<u8>>, memory: &Memory) -> Result<Self, Killed> {
        let held = memory.take(bytes.len())?;
        Ok(Input { bytes, held })
    }

    /// Reads everything up to the end of a stream.
    pub fn read(from: &dyn In, memory: &Memory) -> Result<Self, Killed> {
        let mut all = Input::new(memory)?;
        let mut buffer = [0; 16 << 10];
        loop {
            let count = from.take(&mut buffer)?;
            if count == 0 {
                return Ok(all);
            }
            all.extend(buffer.get(..count).unwrap_or_default())?;
        }
    }

    /// Reserves memory for further bytes derived from these.
    pub fn hold(&mut self, bytes: usize) -> Result<(), Killed> {
        Ok(self.held.grow(bytes)?)
    }

    /// The bytes as text. Invalid UTF-8 is replaced, in a copy that counts in the budget.
    pub fn text(&mut self) -> Result<Cow<'_, str>, Killed> {
        if std::str::from_utf8(&self.bytes).is_err() {
            // An invalid byte becomes a character of three bytes.
            self.held.grow(self.bytes.len().saturating_mul(3))?;
        }
        Ok(String::from_utf8_lossy(&self.bytes))
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), Killed> {
        self.held.grow(bytes.len())?;
        Arc::make_mut(&mut self.bytes).extend_from_slice(bytes);
        Ok(())
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads the next line with its end, byte by byte, so that later input is left for other commands; `None` at the end.
pub(super) fn read_line(input: &dyn In, limit: usize) -> Result<Option<Vec<u8>>, Killed> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < limit && input.take(&mut byte)? > 0 {
        line.extend(byte);
        if byte == *b"\n" {
            break;
        }
    }
    Ok((!line.is_empty()).then_some(line))
}
