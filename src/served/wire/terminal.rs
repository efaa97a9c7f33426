//! Input and output of a shell command: plain bytes or packets of shell v2, with or without a terminal's behaviour
//! (echo, line editing, Ctrl-C, CRLF).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};

use super::input::{EXIT, INTERRUPT, Input, STDERR, STDOUT};
use super::{DeviceStream, StreamWriter};

/// Ctrl-D: ends the input.
const END: u8 = 0x04;
/// Ctrl-U: clears the line.
const KILL: u8 = 0x15;
/// The longest line that can be typed, in bytes, as on a kernel's terminal.
const LONGEST_TYPED: usize = 4095;
/// The longest line of a script, in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// The largest packet of shell v2 that we send, in bytes.
const PACKET: usize = 64 << 10;

/// The kind of terminal that a command is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terminal {
    /// None: output and errors are separate.
    None,
    /// A terminal that changes nothing.
    Raw,
    /// A terminal for a person, with echo, line editing and Ctrl-C.
    Cooked,
}

/// The outcome of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    /// The line is longer than the limit for scripts.
    TooLong,
    /// Ctrl-C was typed before the end of the line.
    Interrupted,
    End,
}

/// Input and output of one shell.
pub(super) struct Session {
    terminal: Terminal,
    input: RefCell<Input>,
    output: RefCell<Output>,
    /// Typed lines that are ready to be read.
    typed: RefCell<VecDeque<u8>>,
    interrupted: Cell<bool>,
}

enum Typed {
    Ready,
    Interrupted,
    End,
}

impl Session {
    /// Creates a session on a stream, with packets (`framed`) or plain bytes. With `crlf` every LF that is printed
    /// becomes CRLF.
    pub(super) fn new(stream: DeviceStream, terminal: Terminal, framed: bool, crlf: bool) -> Session {
        let (reader, writer) = stream.split();
        let output = Output { writer, framed, crlf, id: STDOUT, pending: Vec::new() };
        Session {
            terminal,
            input: RefCell::new(Input::new(reader, framed)),
            output: RefCell::new(output),
            typed: RefCell::new(VecDeque::new()),
            interrupted: Cell::new(false),
        }
    }

    /// The command's standard input.
    pub(super) fn stdin(&self) -> impl Read {
        SessionInput(self)
    }

    /// The command's standard output.
    pub(super) fn stdout(&self) -> impl Write {
        SessionOutput(self, STDOUT)
    }

    /// The command's standard error; the same as its output on a terminal.
    pub(super) fn stderr(&self) -> impl Write {
        SessionOutput(self, if self.terminal == Terminal::None { STDERR } else { STDOUT })
    }

    /// Fails once the host is gone.
    pub(super) fn alive(&self) -> io::Result<()> {
        self.output.borrow().writer.alive()
    }

    /// Whether Ctrl-C ended the last command, in which case `^C` is shown.
    pub(super) fn take_interrupted(&self) -> bool {
        let interrupted = self.interrupted.replace(false);
        if interrupted {
            self.echo(b"^C\n");
        }
        interrupted
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

    /// Reads the next line of a script or from a person; a terminal shows the prompt before.
    pub(super) fn line(&self, prompt: &str) -> io::Result<Line> {
        if self.terminal == Terminal::Cooked {
            self.echo(prompt.as_bytes());
        }
        let mut line = Vec::new();
        let mut too_long = false;
        loop {
            let byte = match self.terminal {
                Terminal::Cooked => match self.typed_byte()? {
                    Ok(byte) => byte,
                    Err(end) => return Ok(end),
                },
                Terminal::None | Terminal::Raw => self.next_byte()?,
            };
            match byte {
                None | Some(b'\n') if too_long => return Ok(Line::TooLong),
                None if line.is_empty() => return Ok(Line::End),
                None | Some(b'\n') => break,
                Some(_) if line.len() >= LONGEST_LINE => too_long = true,
                Some(byte) => line.push(byte),
            }
        }
        Ok(Line::Text(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned()))
    }

    fn typed_byte(&self) -> io::Result<Result<Option<u8>, Line>> {
        if self.typed.borrow().is_empty() {
            match self.type_line()? {
                Typed::Ready => {}
                Typed::Interrupted => return Ok(Err(Line::Interrupted)),
                Typed::End => {
                    self.echo(b"\n");
                    return Ok(Err(Line::End));
                }
            }
        }
        Ok(Ok(self.typed.borrow_mut().pop_front()))
    }

    /// The next byte of the input. Buffered output is sent before waiting for it.
    fn next_byte(&self) -> io::Result<Option<u8>> {
        let mut input = self.input.borrow_mut();
        if input.would_wait() {
            self.output.borrow_mut().flush()?;
        }
        input.byte()
    }

    /// Shows output of the terminal itself. It does not matter if the host is gone.
    fn echo(&self, bytes: &[u8]) {
        drop(self.output.borrow_mut().print(STDOUT, bytes));
    }

    /// Lets a person type one line.
    fn type_line(&self) -> io::Result<Typed> {
        let mut line = Vec::new();
        loop {
            match self.next_byte()? {
                None if line.is_empty() => return Ok(Typed::End),
                Some(END) if line.is_empty() => return Ok(Typed::End),
                None | Some(END) => break,
                Some(b'\r' | b'\n') => {
                    self.echo(b"\n");
                    line.push(b'\n');
                    break;
                }
                Some(INTERRUPT) => {
                    self.echo(b"^C\n");
                    return Ok(Typed::Interrupted);
                }
                Some(0x08 | 0x7f) => self.erase(&mut line),
                Some(KILL) => {
                    while !line.is_empty() {
                        self.erase(&mut line);
                    }
                }
                Some(_) if line.len() >= LONGEST_TYPED => self.echo(b"\x07"),
                Some(byte) => {
                    match byte {
                        b'\t' | b' '.. => self.echo(&[byte]),
                        control => self.echo(&[b'^', control ^ 0x40]),
                    }
                    line.push(byte);
                }
            }
        }
        self.typed.borrow_mut().extend(line);
        Ok(Typed::Ready)
    }

    /// Removes the last character.
    fn erase(&self, line: &mut Vec<u8>) {
        while let Some(byte) = line.pop() {
            // Bytes of a character after its first.
            if byte & 0xc0 != 0x80 {
                return self.echo(b"\x08 \x08");
            }
        }
    }
}

struct SessionInput<'a>(&'a Session);

impl Read for SessionInput<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let session = self.0;
        if into.is_empty() || session.interrupted.get() {
            return Ok(0);
        }
        if session.terminal != Terminal::Cooked {
            let mut input = session.input.borrow_mut();
            if input.would_wait() {
                // If the host is gone, the following read notices it.
                drop(session.output.borrow_mut().flush());
            }
            return input.read(into);
        }
        if session.typed.borrow().is_empty() {
            match session.type_line()? {
                Typed::Ready => {}
                Typed::Interrupted => session.interrupted.set(true),
                Typed::End => {}
            }
        }
        session.typed.borrow_mut().read(into)
    }
}

struct SessionOutput<'a>(&'a Session, u8);

impl SessionOutput<'_> {
    /// Fails once Ctrl-C was typed, as a command would be killed by it.
    fn go_on(&self) -> io::Result<()> {
        let session = self.0;
        if session.terminal == Terminal::Cooked && !session.interrupted.get() {
            session.interrupted.set(session.input.borrow_mut().take_interrupt());
        }
        if session.interrupted.get() { Err(ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }
}

impl Write for SessionOutput<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.go_on()?;
        self.0.output.borrow_mut().print(self.1, data)?;
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.go_on()?;
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
        if data.len() < PACKET {
            self.pending.extend_from_slice(data);
            return Ok(());
        }
        data.chunks(PACKET).try_for_each(|chunk| self.packet(id, chunk))
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
