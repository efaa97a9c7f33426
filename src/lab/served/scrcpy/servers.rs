//! The scrcpy servers that are running on a device, and the receivers of their clients' streams.

use std::collections::BTreeMap;

use crossbeam_channel::Sender;

use crate::wire::DeviceStream;

/// The running servers, by the names of their sockets.
#[derive(Default)]
pub struct Servers(BTreeMap<String, Listening>);

struct Listening {
    streams: Sender<DeviceStream>,
    /// How many more streams it accepts.
    free: usize,
}

impl Servers {
    /// Registers a server that accepts `free` streams on that socket. Returns false if another one listens there
    /// already.
    pub(super) fn listen(&mut self, socket: &str, streams: Sender<DeviceStream>, free: usize) -> bool {
        let unused = !self.0.contains_key(socket);
        if unused {
            self.0.insert(socket.to_owned(), Listening { streams, free });
        }
        unused
    }

    /// Unregisters the server on that socket.
    pub(super) fn end(&mut self, socket: &str) {
        self.0.remove(socket);
    }

    /// Returns the receiver for a new stream to that socket; `None` if no server expects one there.
    pub fn accept(&mut self, socket: &str) -> Option<Sender<DeviceStream>> {
        let listening = self.0.get_mut(socket.strip_prefix("localabstract:")?)?;
        listening.free = listening.free.checked_sub(1)?;
        Some(listening.streams.clone())
    }
}
