//! The scrcpy servers that are running on a device, and the receivers of their clients' streams.

use std::collections::BTreeMap;

use crossbeam_channel::Sender;

use crate::wire::DeviceStream;

/// The running servers, by the names of their sockets. A server that is unregistered sees that its sender is gone.
#[derive(Default)]
pub struct Servers(BTreeMap<String, Listening>);

struct Listening {
    streams: Sender<DeviceStream>,
    is_taken: bool,
}

impl Servers {
    /// Registers a server that expects a stream on that socket. Returns false if another one listens there already.
    pub(super) fn listen(&mut self, socket: &str, streams: Sender<DeviceStream>) -> bool {
        let unused = !self.0.contains_key(socket);
        if unused {
            self.0.insert(socket.to_owned(), Listening { streams, is_taken: false });
        }
        unused
    }

    /// Unregisters the server on that socket.
    pub(super) fn end(&mut self, socket: &str) {
        self.0.remove(socket);
    }

    /// Returns the receiver for a new stream to that socket; `None` if no server expects one there, or its
    /// client has connected already.
    pub fn accept(&mut self, socket: &str) -> Option<Sender<DeviceStream>> {
        let listening = self.0.get_mut(socket.strip_prefix("localabstract:")?)?;
        let was_taken = std::mem::replace(&mut listening.is_taken, true);
        (!was_taken).then(|| listening.streams.clone())
    }
}
