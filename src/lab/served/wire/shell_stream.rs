//! Input and output of a shell command: plain bytes or packets of shell v2.

use std::cell::RefCell;
use std::io::{self, Read, Write};

use super::input::{EXIT, Input, STDERR, STDOUT};
use super::{DeviceStream, StreamWriter};
/// The largest packet of shell v2 that we send, in bytes.
const PACKET: usize = 64 << 10;

/// Input and output of one shell.
pub(super) struct ShellStream {
    /// Whether output and errors are one stream, as on a terminal.
    tty: bool,
    input: RefCell<Input>,
    output: RefCell<Output>,
}

impl ShellStream {
    /// Input and output on a stream, with packets (`framed`) or plain bytes. With `crlf` every LF that is printed
    /// becomes CRLF.
    pub(super) fn new(stream: DeviceStream, tty: bool, framed: bool, crlf: bool) -> ShellStream {
        let (reader, writer) = stream.split();
        let output = Output { writer, framed, crlf, id: STDOUT, pending: Vec::new() };
        ShellStream { tty, input: RefCell::new(Input::new(reader, framed)), output: RefCell::new(output) }
    }

    /// The command's standard input.
    pub(super) fn stdin(&self) -> impl Read {
        ShellInput(self)
    }

    /// The command's standard output.
    pub(super) fn stdout(&self) -> impl Write {
        ShellOutput(self, STDOUT)
    }

    /// The command's standard error; the same as its output on a terminal.
    pub(super) fn stderr(&self) -> impl Write {
        ShellOutput(self, if self.tty { STDOUT } else { STDERR })
    }

    /// Ends the session with the command's exit code, which is only sent in packets.
    pub(super) fn exit(self, code: u8) {
        let mut output = self.output.into_inner();
        if output.framed {
            // A host that is gone needs no code.
            drop(output.exit(code));
        }
        drop(output.flush());
    }
}

struct ShellInput<'a>(&'a ShellStream);

impl Read for ShellInput<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let mut input = self.0.input.borrow_mut();
        if input.would_wait() {
            // If the host is gone, the following read notices it.
            drop(self.0.output.borrow_mut().flush());
        }
        input.read(into)
    }
}

struct ShellOutput<'a>(&'a ShellStream, u8);

impl Write for ShellOutput<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.0.output.borrow_mut().print(self.1, data)?;
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.output.borrow_mut().flush()
    }
}

struct Output {
    writer: StreamWriter,
    framed: bool,
    crlf: bool,
    /// Whether the pending bytes are output or errors.
    id: u8,
    /// Bytes that do not make a packet yet.
    pending: Vec<u8>,
}

impl Output {
    fn print(&mut self, id: u8, data: &[u8]) -> io::Result<()> {
        if !self.crlf {
            return self.put(id, data);
        }
        for line in data.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(text) => {
                    self.put(id, text)?;
                    self.put(id, b"\r\n")?;
                }
                None => self.put(id, line)?,
            }
        }
        Ok(())
    }

    fn put(&mut self, id: u8, data: &[u8]) -> io::Result<()> {
        if !self.framed {
            return self.writer.write_all(data);
        }
        self.writer.alive()?;
        if self.id != id || self.pending.len() + data.len() > PACKET {
            self.end_packet()?;
            self.id = id;
        }
        data.chunks(PACKET).try_for_each(|chunk| {
            self.pending.extend_from_slice(chunk);
            if self.pending.len() < PACKET { Ok(()) } else { self.end_packet() }
        })
    }

    fn end_packet(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        self.packet(self.id, &pending)?;
        // Its memory is reused for the next packet.
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    fn packet(&mut self, id: u8, data: &[u8]) -> io::Result<()> {
        let length = u32::try_from(data.len()).unwrap_or(0).to_le_bytes();
        let [a, b, c, d] = length;
        self.writer.write_all(&[id, a, b, c, d])?;
        self.writer.write_all(data)
    }

    fn exit(&mut self, code: u8) -> io::Result<()> {
        self.end_packet()?;
        self.packet(EXIT, &[code])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_packet()?;
        self.writer.flush()
    }
}
