//! One stream of a connection: at most one unacknowledged packet in each direction, and no data is lost at its end.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::WireError;
use super::connection::Connection;
use super::message::WireCommand;

/// A stream, shared by the connection's reader thread and the stream's users.
pub(super) struct Stream {
    connection: Arc<Connection>,
    local: u32,
    /// The host's id of the stream.
    remote: u32,
    max_data: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// A packet that arrived and was not read yet; reading acknowledges it.
    inbox: Option<Vec<u8>>,
    unacknowledged: bool,
    phase: Phase,
    /// How long to wait for an acknowledgement.
    patience: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Opening,
    Open,
    HostClosed,
    /// The device closed the stream.
    Finished,
    /// The connection is gone.
    Lost,
}

impl Stream {
    /// A stream that the host is opening, with its id `remote`.
    pub(super) fn new(connection: &Arc<Connection>, local: u32, remote: u32, max_data: usize) -> Stream {
        let patience = connection.limits().stalled;
        let state = State { inbox: None, unacknowledged: false, phase: Phase::Opening, patience };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        Stream { connection: Arc::clone(connection), local, remote, max_data, state, changed }
    }

    /// The local id of the stream.
    pub(super) fn local(&self) -> u32 {
        self.local
    }

    /// The connection that the stream belongs to.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The largest packet to send, in bytes.
    pub(super) fn max_data(&self) -> usize {
        self.max_data
    }

    /// Sets how long to wait for an acknowledgement.
    pub(super) fn set_patience(&self, longest: Duration) {
        self.state().patience = longest;
    }

    fn ids(&self) -> (u32, u32) {
        (self.local, self.remote)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles OKAY from the host: it accepted our packet.
    pub(super) fn acknowledged(&self, remote: u32) {
        let mut state = self.state();
        if self.remote == remote {
            state.unacknowledged = false;
        }
        self.changed.notify_all();
    }

    /// Handles a packet from the host. Fails if the previous one is still unacknowledged.
    pub(super) fn arrived(&self, remote: u32, data: Vec<u8>) -> Result<(), WireError> {
        let mut state = self.state();
        if self.remote != remote || state.phase != Phase::Open {
            return Ok(());
        }
        if state.inbox.is_some() {
            return Err(WireError::BadPeer { what: "a packet came before the last one was acknowledged" });
        }
        state.inbox = Some(data);
        self.changed.notify_all();
        Ok(())
    }

    /// Handles that the host closed the stream; some name no id of theirs (0). Returns whether it was this
    /// stream.
    pub(super) fn closed_by_host(&self, remote: u32) -> bool {
        let mut state = self.state();
        if remote != 0 && self.remote != remote {
            return false;
        }
        if matches!(state.phase, Phase::Opening | Phase::Open) {
            state.phase = Phase::HostClosed;
        }
        self.changed.notify_all();
        true
    }

    /// Marks the connection as gone.
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

    /// Waits for the acknowledgement of the last packet, as long as the patience lasts.
    fn when_sent(&self) -> MutexGuard<'_, State> {
        let state = self.state();
        let patience = state.patience;
        let waiting = |state: &mut State| state.unacknowledged && state.phase == Phase::Open;
        let waited = self.changed.wait_timeout_while(state, patience, waiting);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Sends a packet once the last one was acknowledged. Fails if the host is gone or takes too long.
    pub(super) fn send(&self, data: &[u8]) -> io::Result<()> {
        let mut state = self.when_sent();
        if state.phase != Phase::Open {
            return Err(ErrorKind::BrokenPipe.into());
        }
        if state.unacknowledged {
            return Err(ErrorKind::TimedOut.into());
        }
        state.unacknowledged = true;
        drop(state);
        self.connection.send(WireCommand::Write, self.ids(), data)
    }

    /// Takes the waiting packet, if there is one, and acknowledges it.
    fn take(&self, mut state: MutexGuard<'_, State>) -> io::Result<Option<Vec<u8>>> {
        let Some(data) = state.inbox.take() else { return Ok(None) };
        let open = state.phase == Phase::Open;
        drop(state);
        if open {
            self.connection.send(WireCommand::Okay, self.ids(), &[])?;
        }
        Ok(Some(data))
    }

    /// Waits for the next packet; `None` at the end.
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
        let mut state = self.when_sent();
        let tell = matches!(state.phase, Phase::Open | Phase::HostClosed);
        if tell {
            state.phase = Phase::Finished;
        }
        drop(state);
        self.connection.forget(self.local);
        if tell {
            // If it cannot be sent, the connection has ended, which the reader thread notices.
            drop(self.connection.send(WireCommand::Close, self.ids(), &[]));
        }
        self.changed.notify_all();
    }

    /// Accepts the stream, and informs the host.
    pub(super) fn accept(&self) {
        let mut state = self.state();
        if state.phase == Phase::Opening {
            // Before the host knows: its first packet may arrive at once.
            state.phase = Phase::Open;
        }
        drop(state);
        // If it cannot be sent, the stream is lost, which its user notices.
        drop(self.connection.send(WireCommand::Okay, self.ids(), &[]));
    }

    /// Refuses a stream that the host wants to open, and informs the host.
    pub(super) fn refuse(&self) {
        self.connection.forget(self.local);
        drop(self.connection.send(WireCommand::Close, (0, self.remote), &[]));
    }
}

/// Held by both halves of a stream: when the last one is dropped, the stream ends.
pub(super) struct End(pub(super) Arc<Stream>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.finish();
    }
}
