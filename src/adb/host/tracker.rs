//! The list of devices, repeated whenever it changes.

use std::time::Duration;

use super::stream::{AdbStream, LENGTH, parse_length};
use super::{AdbError, DeviceEntry, Patience, parse_devices};

/// The server sends a list at once, so a list that has begun must be complete within this time.
const LIST_LIMIT: Duration = Duration::from_secs(10);

/// Yields the whole list at once and again at every change. As an iterator it waits without a limit and ends once it
/// was cancelled or has yielded an error; after a lost connection, request a new tracker from the server.
pub struct DeviceTracker<'a> {
    stream: AdbStream,
    endless: Patience<'a>,
    received: Vec<u8>,
    /// The deadline of the list that has begun to arrive; `None` between lists.
    list: Option<Patience<'a>>,
    over: bool,
}

impl<'a> DeviceTracker<'a> {
    /// Creates a tracker on a stream on which the server has agreed to send its lists.
    pub(super) fn new(stream: AdbStream, patience: &Patience<'a>) -> Self {
        let endless = patience.until_cancelled();
        DeviceTracker { stream, endless, received: Vec::new(), list: None, over: false }
    }

    /// Returns the next list; `None` if nothing changed before the patience ended.
    ///
    /// # Errors
    ///
    /// [`AdbError::Closed`] if the server ended, [`AdbError::Garbage`] for a malformed list, [`AdbError::Deadline`] if
    /// a list stops halfway, [`AdbError::Cancelled`] and [`AdbError::Io`].
    pub fn wait(&mut self, patience: &Patience<'_>) -> Result<Option<Vec<DeviceEntry>>, AdbError> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(list) = self.take_list()? {
                return Ok(Some(list));
            }
            let in_a_list = !self.received.is_empty();
            // Waits in short steps, since two deadlines run while a list is arriving.
            let turn = if in_a_list { patience.within(Duration::from_millis(100)) } else { *patience };
            match self.stream.read_some(&mut buffer, &turn) {
                Ok(0) => return Err(AdbError::Closed { what: self.stream.what().to_owned() }),
                Ok(count) => self.received.extend_from_slice(buffer.get(..count).unwrap_or_default()),
                Err(AdbError::Deadline { .. }) if patience.left().is_zero() => return Ok(None),
                Err(AdbError::Deadline { .. }) if in_a_list => {}
                Err(error) => return Err(error),
            }
            let list = *self.list.get_or_insert_with(|| self.endless.within(LIST_LIMIT));
            list.slice(self.stream.what())?;
        }
    }

    /// Takes a complete list out of the received bytes; `None` if there is none yet.
    fn take_list(&mut self) -> Result<Option<Vec<DeviceEntry>>, AdbError> {
        let Some((digits, rest)) = self.received.split_first_chunk::<4>() else { return Ok(None) };
        let garbage = || AdbError::garbage(self.stream.what(), LENGTH, &self.received);
        let length = parse_length(*digits).ok_or_else(garbage)?;
        let Some(list) = rest.get(..length) else { return Ok(None) };
        let list = parse_devices(&String::from_utf8_lossy(list));
        self.received.drain(..digits.len() + length);
        self.list = None;
        Ok(Some(list))
    }
}

impl Iterator for DeviceTracker<'_> {
    type Item = Result<Vec<DeviceEntry>, AdbError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let endless = self.endless;
        match self.wait(&endless) {
            Ok(list) => list.map(Ok),
            Err(AdbError::Cancelled { .. }) => {
                self.over = true;
                None
            }
            Err(error) => {
                self.over = true;
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::tests::peer::{Act, Peer, block, okay, refuse, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);
    const SERVICE: &str = "host:track-devices-l";

    fn serials(list: &[DeviceEntry]) -> Vec<&str> {
        list.iter().map(|entry| entry.serial.as_str()).collect()
    }

    #[test]
    fn every_change_is_a_whole_list() {
        let lists = b"0000001da       device transport_id:10009b offline".to_vec();
        for act in [Act::Send(lists.clone()), Act::Bytewise(lists)] {
            let peer = Peer::serve(vec![vec![request(SERVICE), okay(), act]]);
            let patience = Patience::new(SECONDS, &|| false);
            let mut tracker = peer.server.track(&patience).unwrap();
            assert_eq!(tracker.next().unwrap().unwrap(), []);
            assert_eq!(serials(&tracker.next().unwrap().unwrap()), ["a"]);
            assert_eq!(serials(&tracker.next().unwrap().unwrap()), ["b"]);
            assert!(matches!(tracker.next(), Some(Err(AdbError::Closed { .. }))));
            assert!(tracker.next().is_none());
            drop(tracker);
            peer.finish();
        }
    }

    #[test]
    fn an_old_server_is_asked_for_short_lists() {
        let refused = vec![request(SERVICE), refuse("unknown host service")];
        let short = vec![request("host:track-devices"), block("a\tdevice\n"), Act::UntilClosed];
        let peer = Peer::serve(vec![refused, short]);
        let patience = Patience::new(SECONDS, &|| false);
        let mut tracker = peer.server.track(&patience).unwrap();
        assert_eq!(serials(&tracker.next().unwrap().unwrap()), ["a"]);
        drop(tracker);
        peer.finish();
    }

    #[test]
    fn a_tracker_is_over_soon_after_it_was_cancelled() {
        let peer = Peer::serve(vec![vec![request(SERVICE), block("a\tdevice\n"), Act::UntilClosed]]);
        let over = Cell::new(false);
        let cancelled = || over.get();
        let patience = Patience::new(SECONDS, &cancelled);
        let mut tracker = peer.server.track(&patience).unwrap();
        assert!(tracker.next().is_some());
        let nothing = Patience::new(Duration::from_millis(60), &cancelled);
        assert_eq!(tracker.wait(&nothing).unwrap(), None);
        assert!(nothing.elapsed() < Duration::from_secs(2), "{:?}", nothing.elapsed());
        over.set(true);
        let ended = Patience::new(SECONDS, &|| false);
        assert!(tracker.next().is_none() && tracker.next().is_none());
        assert!(ended.elapsed() < Duration::from_secs(1), "{:?}", ended.elapsed());
        drop(tracker);
        peer.finish();
    }

    #[test]
    fn a_list_that_stops_in_its_middle_is_given_up_or_waited_for() {
        let patience = Patience::new(SECONDS, &|| false);
        for cut in ["00", "0010abc"] {
            let script = vec![request(SERVICE), okay(), Act::Send(cut.as_bytes().to_vec())];
            let peer = Peer::serve(vec![script]);
            let mut tracker = peer.server.track(&patience).unwrap();
            assert!(matches!(tracker.next(), Some(Err(AdbError::Closed { .. }))));
            drop(tracker);
            peer.finish();
        }
        let halves = [
            Act::Send(b"0009a\td".to_vec()),
            Act::Wait(150),
            Act::Send(b"evice\n".to_vec()),
            Act::UntilClosed,
        ];
        let peer = Peer::serve(vec![[request(SERVICE), okay()].into_iter().chain(halves).collect()]);
        let mut tracker = peer.server.track(&patience).unwrap();
        let short = Patience::new(Duration::from_millis(50), &|| false);
        assert_eq!(tracker.wait(&short).unwrap(), None);
        assert_eq!(serials(&tracker.wait(&patience).unwrap().unwrap()), ["a"]);
        tracker.received = b"00".to_vec();
        tracker.list = Some(patience.within(Duration::from_millis(20)));
        assert!(matches!(tracker.wait(&patience), Err(AdbError::Deadline { .. })));
        drop(tracker);
        peer.finish();
    }

    #[test]
    fn garbage_is_shown() {
        let script = vec![request(SERVICE), okay(), Act::Send(b"HTTP/1.1".to_vec())];
        let peer = Peer::serve(vec![script]);
        let patience = Patience::new(SECONDS, &|| false);
        let mut tracker = peer.server.track(&patience).unwrap();
        let garbage = tracker.next().unwrap().unwrap_err();
        assert!(matches!(&garbage, AdbError::Garbage { found, .. } if found.contains("HTTP")), "{garbage:?}");
        drop(tracker);
        peer.finish();
    }
}
