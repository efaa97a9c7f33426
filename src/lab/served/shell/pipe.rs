//! `a | b`: each command runs on a thread of its own, connected by pipes. The calling thread moves the input of the
//! first one and the output of the last one, so those streams need not be shared.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded, unbounded};

use super::Shell;
use super::io::{In, Io, Killed, Out};
use super::syntax::Command;

/// The capacity of a pipe in pieces, and the largest size of a piece in bytes.
const PIECES: usize = 16;
const PIECE: usize = 32 << 10;
/// How often a waiting thread checks whether the pipeline was cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Limit on the number of commands in a pipeline.
const MOST: usize = 16;

/// A message from the thread of a stage to the one that runs the pipeline.
enum StageMessage {
    Out(Vec<u8>),
    Err(Vec<u8>),
    /// The first command wants to read up to this many bytes.
    Wants(usize),
    Ended(usize, u8),
}

/// Set once the pipeline is cancelled, or one of its pipes is closed.
#[derive(Clone, Default)]
struct Over(Arc<AtomicBool>);

impl Over {
    fn is(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn send<T>(to: &Sender<T>, mut piece: T, over: &[&Over]) -> Result<(), Killed> {
    loop {
        if over.iter().any(|over| over.is()) {
            return Err(Killed::Pipe);
        }
        match to.send_timeout(piece, POLL_INTERVAL) {
            Ok(()) => return Ok(()),
            Err(SendTimeoutError::Timeout(back)) => piece = back,
            Err(SendTimeoutError::Disconnected(_)) => return Err(Killed::Pipe),
        }
    }
}

/// The writing end of a pipe.
struct PipeWriter {
    to: Sender<Vec<u8>>,
    /// Set once the reading end is dropped.
    closed: Over,
    over: Over,
}

impl Out for PipeWriter {
    fn put(&self, bytes: &[u8]) -> Result<(), Killed> {
        bytes.chunks(PIECE).try_for_each(|piece| send(&self.to, piece.to_vec(), &[&self.closed, &self.over]))
    }

    fn flush(&self) -> Result<(), Killed> {
        if self.closed.is() || self.over.is() { Err(Killed::Pipe) } else { Ok(()) }
    }
}

/// Received bytes that were not read yet.
#[derive(Default)]
struct Unread {
    bytes: Vec<u8>,
    at: usize,
}

impl Unread {
    fn take(&mut self, buffer: &mut [u8]) -> usize {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        self.at += count;
        count
    }
}

/// The reading end of a pipe.
struct PipeReader {
    from: Receiver<Vec<u8>>,
    rest: RefCell<Unread>,
    closed: Over,
    over: Over,
}

impl In for PipeReader {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Killed> {
        let mut rest = self.rest.try_borrow_mut().map_err(|_| Killed::Pipe)?;
        loop {
            let count = rest.take(buffer);
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.from.recv_timeout(POLL_INTERVAL) {
                Ok(bytes) => *rest = Unread { bytes, at: 0 },
                Err(RecvTimeoutError::Timeout) if self.over.is() => return Err(Killed::Pipe),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        self.closed.0.store(true, Ordering::Relaxed);
    }
}

/// A stage's connection to the streams of the whole pipeline, which stay with the thread that runs it.
struct Outside {
    sender: Sender<StageMessage>,
    over: Over,
}

struct OutsideOut<'a>(&'a Outside, fn(Vec<u8>) -> StageMessage);

impl Out for OutsideOut<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Killed> {
        let outside = self.0;
        bytes
            .chunks(PIECE)
            .try_for_each(|piece| send(&outside.sender, self.1(piece.to_vec()), &[&outside.over]))
    }

    fn flush(&self) -> Result<(), Killed> {
        if self.0.over.is() { Err(Killed::Pipe) } else { Ok(()) }
    }
}

struct OutsideIn<'a> {
    outside: &'a Outside,
    from: Receiver<Vec<u8>>,
    rest: RefCell<Unread>,
}

impl In for OutsideIn<'_> {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Killed> {
        let mut rest = self.rest.try_borrow_mut().map_err(|_| Killed::Pipe)?;
        let count = rest.take(buffer);
        if count > 0 || buffer.is_empty() {
            return Ok(count);
        }
        send(&self.outside.sender, StageMessage::Wants(buffer.len().min(PIECE)), &[&self.outside.over])?;
        // The thread that runs the pipeline answers each request, unless it has ended.
        let bytes = self.from.recv().map_err(|_| Killed::Pipe)?;
        *rest = Unread { bytes, at: 0 };
        Ok(rest.take(buffer))
    }
}

/// Runs commands, connecting each one's output to the next one's input. Returns the exit code of the last one.
pub(super) fn run(shell: &mut Shell<'_>, commands: &[Command], io: Io<'_>) -> Result<u8, Killed> {
    if commands.len() > MOST {
        shell.complain(io, "cannot fork - try again: too many commands in one pipeline")?;
        return Ok(1);
    }
    // One pipe between any two commands and one to the outside; a piece exists twice while it is handed over.
    let Ok(_held) = shell.memory.take(commands.len() * (PIECES + 2) * PIECE) else {
        shell.complain(io, "cannot create pipe - try again")?;
        return Ok(1);
    };
    let over = Over::default();
    let (tell, messages) = bounded(PIECES);
    let (answer, answers) = unbounded();
    let (attended, failed) = std::thread::scope(|scope| {
        let mut source: Option<PipeReader> = None;
        let mut started = 0;
        let mut failed = false;
        for (place, command) in commands.iter().enumerate() {
            let (writer, reader) = if place + 1 < commands.len() {
                let (to, from) = bounded(PIECES);
                let closed = Over::default();
                let reader =
                    PipeReader { from, rest: RefCell::default(), closed: closed.clone(), over: over.clone() };
                (Some(PipeWriter { to, closed, over: over.clone() }), Some(reader))
            } else {
                (None, None)
            };
            let input = std::mem::replace(&mut source, reader);
            let outside = Outside { sender: tell.clone(), over: over.clone() };
            let (answers, mut inner) = (answers.clone(), shell.subshell());
            let body = move || {
                let status = stage(&mut inner, command, &outside, answers, input, writer);
                // This fails if nobody waits for the code any more.
                send(&outside.sender, StageMessage::Ended(place, status), &[]).unwrap_or_default();
            };
            let thread = std::thread::Builder::new().name("adbd-pipe".to_owned());
            if thread.spawn_scoped(scope, body).is_err() {
                over.0.store(true, Ordering::Relaxed);
                failed = true;
                break;
            }
            started += 1;
        }
        drop(tell);
        (attend(started, commands.len(), &messages, &answer, &over, io), failed)
    });
    if failed {
        shell.complain(io, "cannot fork - try again")?;
        return Ok(1);
    }
    attended
}

fn stage(
    shell: &mut Shell<'_>,
    command: &Command,
    outside: &Outside,
    answers: Receiver<Vec<u8>>,
    input: Option<PipeReader>,
    writer: Option<PipeWriter>,
) -> u8 {
    let first = OutsideIn { outside, from: answers, rest: RefCell::default() };
    let (last, err) = (OutsideOut(outside, StageMessage::Out), OutsideOut(outside, StageMessage::Err));
    let io = Io {
        input: input.as_ref().map_or(&first as &dyn In, |reader| reader),
        out: writer.as_ref().map_or(&last as &dyn Out, |writer| writer),
        err: &err,
    };
    let status = shell.run_command(command, io).unwrap_or(1);
    shell.exit.unwrap_or(status)
}

/// Moves bytes between the threads and the outer streams until all started threads have ended.
fn attend(
    started: usize,
    count: usize,
    messages: &Receiver<StageMessage>,
    answer: &Sender<Vec<u8>>,
    over: &Over,
    io: Io<'_>,
) -> Result<u8, Killed> {
    let (mut ended, mut status) = (0, 0);
    let mut buffer = vec![0; PIECE];
    let mut moved = Ok(());
    while ended < started {
        let outcome = match messages.recv_timeout(POLL_INTERVAL) {
            Ok(StageMessage::Out(bytes)) => io.out.put(&bytes),
            Ok(StageMessage::Err(bytes)) => io.err.put(&bytes),
            Ok(StageMessage::Wants(most)) => {
                let wanted = buffer.get_mut(..most).unwrap_or_default();
                let read = if over.is() { Err(Killed::Pipe) } else { io.input.take(wanted) };
                let bytes = buffer.get(..read.unwrap_or(0)).unwrap_or_default().to_vec();
                answer.send(bytes).map_err(|_| Killed::Pipe)
            }
            Ok(StageMessage::Ended(place, code)) => {
                ended += 1;
                status = if place + 1 == count { code } else { status };
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => io.out.flush(),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if outcome.is_err() && moved.is_ok() {
            moved = outcome;
            over.0.store(true, Ordering::Relaxed);
        }
    }
    moved.map(|()| status)
}
