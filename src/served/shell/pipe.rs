//! `a | b`: each command on a thread of its own, with pipes between them. The thread that was asked moves what the
//! first one reads and the last one prints, so those streams need not be shared.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded, unbounded};

use super::Shell;
use super::io::{In, Io, Killed, Out};
use super::syntax::Command;

/// How many pieces wait in a pipe, and how large one is at most.
const PIECES: usize = 16;
const PIECE: usize = 32 << 10;
/// How often somebody who waits looks whether all is over.
const GLANCE: Duration = Duration::from_millis(50);
/// Longer pipelines are refused.
const MOST: usize = 16;

/// What the threads tell the one that was asked.
enum Told {
    Out(Vec<u8>),
    Err(Vec<u8>),
    /// The first command wants to read so much.
    Wants(usize),
    Ended(usize, u8),
}

/// Whether the pipeline still matters to anybody.
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
        match to.send_timeout(piece, GLANCE) {
            Ok(()) => return Ok(()),
            Err(SendTimeoutError::Timeout(back)) => piece = back,
            Err(SendTimeoutError::Disconnected(_)) => return Err(Killed::Pipe),
        }
    }
}

/// The end of a pipe that is written.
struct Mouth {
    to: Sender<Vec<u8>>,
    /// Nobody reads it any more.
    closed: Over,
    over: Over,
}

impl Out for Mouth {
    fn put(&self, bytes: &[u8]) -> Result<(), Killed> {
        bytes.chunks(PIECE).try_for_each(|piece| send(&self.to, piece.to_vec(), &[&self.closed, &self.over]))
    }

    fn flush(&self) -> Result<(), Killed> {
        if self.closed.is() || self.over.is() { Err(Killed::Pipe) } else { Ok(()) }
    }
}

/// What was received and not read yet.
#[derive(Default)]
struct Rest {
    bytes: Vec<u8>,
    at: usize,
}

impl Rest {
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

/// The end of a pipe that is read.
struct Tail {
    from: Receiver<Vec<u8>>,
    rest: RefCell<Rest>,
    closed: Over,
    over: Over,
}

impl In for Tail {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Killed> {
        let mut rest = self.rest.try_borrow_mut().map_err(|_| Killed::Pipe)?;
        loop {
            let count = rest.take(buffer);
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.from.recv_timeout(GLANCE) {
                Ok(bytes) => *rest = Rest { bytes, at: 0 },
                Err(RecvTimeoutError::Timeout) if self.over.is() => return Err(Killed::Pipe),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.closed.0.store(true, Ordering::Relaxed);
    }
}

/// What all threads of the pipeline have of the outside.
struct Outside {
    tell: Sender<Told>,
    over: Over,
}

struct OutsideOut<'a>(&'a Outside, fn(Vec<u8>) -> Told);

impl Out for OutsideOut<'_> {
    fn put(&self, bytes: &[u8]) -> Result<(), Killed> {
        let outside = self.0;
        bytes
            .chunks(PIECE)
            .try_for_each(|piece| send(&outside.tell, self.1(piece.to_vec()), &[&outside.over]))
    }

    fn flush(&self) -> Result<(), Killed> {
        if self.0.over.is() { Err(Killed::Pipe) } else { Ok(()) }
    }
}

struct OutsideIn<'a> {
    outside: &'a Outside,
    from: Receiver<Vec<u8>>,
    rest: RefCell<Rest>,
}

impl In for OutsideIn<'_> {
    fn take(&self, buffer: &mut [u8]) -> Result<usize, Killed> {
        let mut rest = self.rest.try_borrow_mut().map_err(|_| Killed::Pipe)?;
        let count = rest.take(buffer);
        if count > 0 || buffer.is_empty() {
            return Ok(count);
        }
        send(&self.outside.tell, Told::Wants(buffer.len().min(PIECE)), &[&self.outside.over])?;
        // The one that was asked answers each wish, or is gone.
        let bytes = self.from.recv().map_err(|_| Killed::Pipe)?;
        *rest = Rest { bytes, at: 0 };
        Ok(rest.take(buffer))
    }
}

/// Runs commands whose output is the next one's input; the last one's code is the answer.
pub(super) fn run(shell: &mut Shell<'_>, commands: &[Command], io: Io<'_>) -> Result<u8, Killed> {
    if commands.len() > MOST {
        shell.complain(io, "cannot fork - try again: too many commands in one pipeline")?;
        return Ok(1);
    }
    // One pipe between each two commands and one to the outside; a piece is in two hands while it is handed over.
    let Ok(_held) = shell.memory.take(commands.len() * (PIECES + 2) * PIECE) else {
        shell.complain(io, "cannot create pipe - try again")?;
        return Ok(1);
    };
    let over = Over::default();
    let (tell, told) = bounded(PIECES);
    let (answer, answers) = unbounded();
    let (attended, failed) = std::thread::scope(|scope| {
        let mut source: Option<Tail> = None;
        let mut started = 0;
        let mut failed = false;
        for (place, command) in commands.iter().enumerate() {
            let (mouth, tail) = if place + 1 < commands.len() {
                let (to, from) = bounded(PIECES);
                let closed = Over::default();
                let tail =
                    Tail { from, rest: RefCell::default(), closed: closed.clone(), over: over.clone() };
                (Some(Mouth { to, closed, over: over.clone() }), Some(tail))
            } else {
                (None, None)
            };
            let input = std::mem::replace(&mut source, tail);
            let outside = Outside { tell: tell.clone(), over: over.clone() };
            let (answers, mut inner) = (answers.clone(), shell.subshell());
            let body = move || {
                let status = stage(&mut inner, command, &outside, answers, input, mouth);
                // It fails where nobody waits for the code.
                send(&outside.tell, Told::Ended(place, status), &[]).unwrap_or_default();
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
        (attend(started, commands.len(), &told, &answer, &over, io), failed)
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
    input: Option<Tail>,
    mouth: Option<Mouth>,
) -> u8 {
    let first = OutsideIn { outside, from: answers, rest: RefCell::default() };
    let (last, err) = (OutsideOut(outside, Told::Out), OutsideOut(outside, Told::Err));
    let io = Io {
        input: input.as_ref().map_or(&first as &dyn In, |tail| tail),
        out: mouth.as_ref().map_or(&last as &dyn Out, |mouth| mouth),
        err: &err,
    };
    let status = shell.run_command(command, io).unwrap_or(1);
    shell.exit.unwrap_or(status)
}

/// Moves bytes between the threads and the outside until those that were started have ended.
fn attend(
    started: usize,
    count: usize,
    told: &Receiver<Told>,
    answer: &Sender<Vec<u8>>,
    over: &Over,
    io: Io<'_>,
) -> Result<u8, Killed> {
    let (mut ended, mut status) = (0, 0);
    let mut buffer = vec![0; PIECE];
    let mut moved = Ok(());
    while ended < started {
        let outcome = match told.recv_timeout(GLANCE) {
            Ok(Told::Out(bytes)) => io.out.put(&bytes),
            Ok(Told::Err(bytes)) => io.err.put(&bytes),
            Ok(Told::Wants(most)) => {
                let wanted = buffer.get_mut(..most).unwrap_or_default();
                let read = if over.is() { Err(Killed::Pipe) } else { io.input.take(wanted) };
                let bytes = buffer.get(..read.unwrap_or(0)).unwrap_or_default().to_vec();
                answer.send(bytes).map_err(|_| Killed::Pipe)
            }
            Ok(Told::Ended(place, code)) => {
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
