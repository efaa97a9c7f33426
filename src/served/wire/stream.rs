//! One stream of a connection: at most one unacknowledged packet in each direction, and an end that loses nothing.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::connection::Link;
use super::message::Command;
use super::{DeviceStream, WireError};
use crate::Held;

/// What the reader thread of the connection and the users of a stream share.
pub(super) struct Stream {
    link: Arc<Link>,
    local: u32,
    max_data: usize,
    /// What waits on both of its ways.
    _held: Held,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The host's number of the stream; 0 until it answered a stream that the device opened.
    remote: u32,
    /// A packet nobody has taken; it is acknowledged when it is taken.
    inbox: Option<Vec<u8>>,
    unacknowledged: bool,
    phase: Phase,
    /// How long an acknowledgement is waited for.
    patience: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Opening,
    Open,
    HostClosed,
    /// We closed it.
    Finished,
    /// The connection is gone.
    Lost,
}

impl Stream {
    /// A stream that is being opened: by the host as its number `remote`, or by the device (0).
    pub(super) fn new(link: &Arc<Link>, local: u32, remote: u32, max_data: usize, held: Held) -> Stream {
        let patience = link.limits().stalled;
        let state = State { remote, inbox: None, unacknowledged: false, phase: Phase::Opening, patience };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        Stream { link: Arc::clone(link), local, max_data, _held: held, state, changed }
    }

    /// Our number of it.
    pub(super) fn local(&self) -> u32 {
        self.local
    }

    /// Its connection.
    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    /// The largest packet to send, bytes.
    pub(super) fn max_data(&self) -> usize {
        self.max_data
    }

    /// Changes how long an acknowledgement is waited for.
    pub(super) fn set_patience(&self, longest: Duration) {
        self.state().patience = longest;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host sent OKAY: it took our packet, or it opened our stream.
    pub(super) fn acknowledged(&self, remote: u32) {
        let mut state = self.state();
        if state.phase == Phase::Opening && state.remote == 0 {
            (state.remote, state.phase) = (remote, Phase::Open);
        } else if state.remote == remote {
            state.unacknowledged = false;
        }
        self.changed.notify_all();
    }

    /// The host sent a packet.
    pub(super) fn arrived(&self, remote: u32, data: Vec<u8>) -> Result<(), WireError> {
        let mut state = self.state();
        if state.remote != remote || state.phase != Phase::Open {
            return Ok(());
        }
        if state.inbox.is_some() {
            return Err(WireError::BadPeer { what: "a packet came before the last one was acknowledged" });
        }
        state.inbox = Some(data);
        self.changed.notify_all();
        Ok(())
    }

    /// The host closed the stream, or refused to open it (then its number is 0). Whether it was this stream.
    pub(super) fn closed_by_host(&self, remote: u32) -> bool {
        let mut state = self.state();
        if remote != 0 && state.remote != remote {
            return false;
        }
        if matches!(state.phase, Phase::Opening | Phase::Open) {
            state.phase = Phase::HostClosed;
        }
        self.changed.notify_all();
        true
    }

    /// The connection is gone.
    pub(super) fn lose(&self) {
        self.state().phase = Phase::Lost;
        self.changed.notify_all();
    }

    /// Fails once nothing can be sent any more.
    pub(super) fn alive(&self) -> io::Result<()> {
        match self.state().phase {
            Phase::Opening | Phase::Open => Ok(()),
            Phase::HostClosed | Phase::Finished | Phase::Lost => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    /// Sends one packet once the one before was acknowledged.
    pub(super) fn send(&self, data: &[u8]) -> io::Result<()> {
        let state = self.state();
        let patience = state.patience;
        let waiting = |state: &mut State| state.unacknowledged && state.phase == Phase::Open;
        let waited = self.changed.wait_timeout_while(state, patience, waiting);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.phase != Phase::Open {
            return Err(ErrorKind::BrokenPipe.into());
        }
        if state.unacknowledged {
            return Err(ErrorKind::TimedOut.into());
        }
        state.unacknowledged = true;
        let ids = (self.local, state.remote);
        drop(state);
        self.link.send(Command::Write, ids, data)
    }

    /// The packet that waits, acknowledged.
    fn take(&self, mut state: MutexGuard<'_, State>) -> io::Result<Option<Vec<u8>>> {
        let Some(data) = state.inbox.take() else { return Ok(None) };
        let (open, ids) = (state.phase == Phase::Open, (self.local, state.remote));
        drop(state);
        if open {
            self.link.send(Command::Okay, ids, &[])?;
        }
        Ok(Some(data))
    }

    /// The packet that waits, if there is one.
    pub(super) fn at_hand(&self) -> io::Result<Option<Vec<u8>>> {
        self.take(self.state())
    }

    /// The next packet, waited for; `None` at the end.
    pub(super) fn pull(&self, longest: Option<Duration>) -> io::Result<Option<Vec<u8>>> {
        let waiting = |state: &mut State| state.inbox.is_none() && state.phase == Phase::Open;
        let state = match longest {
            None => self.changed.wait_while(self.state(), waiting).unwrap_or_else(PoisonError::into_inner),
            Some(longest) => {
                let waited = self.changed.wait_timeout_while(self.state(), longest, waiting);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
        match state.phase {
            Phase::Lost => Err(ErrorKind::ConnectionAborted.into()),
            Phase::Open if state.inbox.is_none() => Err(ErrorKind::TimedOut.into()),
            Phase::Opening | Phase::Open | Phase::HostClosed | Phase::Finished => self.take(state),
        }
    }

    /// Ends the stream: waits for the last acknowledgement and sends CLSE, once.
    pub(super) fn finish(&self) {
        let state = self.state();
        let patience = state.patience;
        let waiting = |state: &mut State| state.unacknowledged && state.phase == Phase::Open;
        let waited = self.changed.wait_timeout_while(state, patience, waiting);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let (tell, ids) =
            (matches!(state.phase, Phase::Open | Phase::HostClosed), (self.local, state.remote));
        if tell {
            state.phase = Phase::Finished;
        }
        drop(state);
        self.link.forget(self.local);
        if tell {
            // Where it cannot be sent the connection is over, and the reader thread sees that.
            drop(self.link.send(Command::Close, ids, &[]));
        }
        self.changed.notify_all();
    }
}

/// A stream that the host wants and that is neither accepted nor refused. Dropping it refuses.
pub(super) struct Opening {
    stream: Option<Arc<Stream>>,
}

impl Opening {
    pub(super) fn new(stream: Arc<Stream>) -> Opening {
        Opening { stream: Some(stream) }
    }

    /// Tells the host that the stream is open.
    pub(super) fn accept(mut self) -> Option<DeviceStream> {
        let stream = self.stream.take()?;
        let mut state = stream.state();
        if state.phase == Phase::Opening {
            // Before the host knows: its first packet may come at once.
            state.phase = Phase::Open;
        }
        let ids = (stream.local, state.remote);
        drop(state);
        // Where it cannot be sent, the stream is lost, and its user sees that.
        drop(stream.link.send(Command::Okay, ids, &[]));
        Some(DeviceStream::new(stream))
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        let Some(stream) = self.stream.take() else { return };
        let remote = stream.state().remote;
        stream.link.forget(stream.local);
        drop(stream.link.send(Command::Close, (0, remote), &[]));
    }
}

/// Waits until the host opened a stream of the device; `None` where it refuses or says nothing for so long.
pub(super) fn opened_by_host(stream: Arc<Stream>, longest: Duration) -> Option<DeviceStream> {
    let waiting = |state: &mut State| state.phase == Phase::Opening;
    let waited = stream.changed.wait_timeout_while(stream.state(), longest, waiting);
    let open = waited.unwrap_or_else(PoisonError::into_inner).0.phase == Phase::Open;
    if !open {
        stream.link.forget(stream.local);
        return None;
    }
    Some(DeviceStream::new(stream))
}

/// What both halves of a stream hold: when the last one goes, the stream ends.
pub(super) struct End(pub(super) Arc<Stream>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.finish();
    }
}
