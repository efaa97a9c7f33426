//! What a command reads from and writes to. All of it is shared by `&`, so that `2>&1` is one place with two names.

use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind, Read, Write};

use crate::device::adbd::served::Served;

/// Nobody reads any more what a command writes: the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken;

impl From<io::Error> for Broken {
    fn from(_: io::Error) -> Self {
        Broken
    }
}

/// Where a command writes to.
pub(super) trait Out {
    /// Writes all of it.
    fn put(&self, bytes: &[u8]) -> Result<(), Broken>;
    /// Hands on what was written; fails once nobody reads it.
    fn flush(&self) -> Result<(), Broken>;
}

/// Where a command reads from.
pub(super) trait In {
    /// Reads some bytes; none at the end.
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Broken>;
}

/// The three streams of a command.
#[derive(Clone, Copy)]
pub(super) struct Io<'a> {
    pub input: &'a dyn In,
    pub out: &'a dyn Out,
    pub err: &'a dyn Out,
}

/// What was given from outside.
pub(super) struct Outer<'a, T: ?Sized>(RefCell<&'a mut T>);

impl<'a, T: ?Sized> Outer<'a, T> {
    pub fn new(stream: &'a mut T) -> Self {
        Outer(RefCell::new(stream))
    }
}

impl Out for Outer<'_, dyn Write + '_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Broken> {
        Ok(self.0.try_borrow_mut().map_err(|_| Broken)?.write_all(bytes)?)
    }

    fn flush(&self) -> Result<(), Broken> {
        Ok(self.0.try_borrow_mut().map_err(|_| Broken)?.flush()?)
    }
}

impl In for Outer<'_, dyn Read + '_> {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Broken> {
        let mut stream = self.0.try_borrow_mut().map_err(|_| Broken)?;
        loop {
            match stream.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return Ok(read?),
            }
        }
    }
}

/// Swallows what is written, has nothing to read.
pub(super) struct Nothing;

impl Out for Nothing {
    fn put(&self, _bytes: &[u8]) -> Result<(), Broken> {
        Ok(())
    }

    fn flush(&self) -> Result<(), Broken> {
        Ok(())
    }
}

impl In for Nothing {
    fn take(&self, _buffer: &mut [u8]) -> Result<usize, Broken> {
        Ok(0)
    }
}

/// Bytes to read.
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
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Broken> {
        let rest = self.bytes.as_ref().get(self.at.get()..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        self.at.set(self.at.get() + count);
        Ok(count)
    }
}

/// What a command prints is kept, up to a limit; behind it stands what the whole prints to, so that a command that
/// never ends notices when nobody listens any more.
pub(super) struct Captured<'a> {
    bytes: RefCell<Vec<u8>>,
    limit: usize,
    behind: &'a dyn Out,
}

impl<'a> Captured<'a> {
    pub fn new(limit: usize, behind: &'a dyn Out) -> Self {
        Captured { bytes: RefCell::default(), limit, behind }
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_inner()
    }
}

impl Out for Captured<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Broken> {
        let mut kept = self.bytes.try_borrow_mut().map_err(|_| Broken)?;
        if kept.len() + bytes.len() > self.limit {
            return Err(Broken);
        }
        kept.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&self) -> Result<(), Broken> {
        self.behind.flush()
    }
}

/// What a command prints goes to a file of the device.
pub(super) struct ToFile<'a> {
    pub served: &'a Served,
    pub path: String,
    pub behind: &'a dyn Out,
}

impl Out for ToFile<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Broken> {
        self.served.lock().append_file(&self.path, bytes).map_err(|_| Broken)
    }

    fn flush(&self) -> Result<(), Broken> {
        self.behind.flush()
    }
}

/// All that can be read, up to a limit.
pub(super) fn read_all(input: &dyn In, limit: usize) -> Result<Vec<u8>, Broken> {
    let mut all = Vec::new();
    let mut buffer = [0; 16 << 10];
    loop {
        let count = input.take(&mut buffer)?;
        all.extend_from_slice(buffer.get(..count).unwrap_or_default());
        if count == 0 || all.len() >= limit {
            all.truncate(limit);
            return Ok(all);
        }
    }
}

/// The next line with its end, byte by byte, so that what follows stays for others; `None` at the end.
pub(super) fn read_line(input: &dyn In, limit: usize) -> Result<Option<Vec<u8>>, Broken> {
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
