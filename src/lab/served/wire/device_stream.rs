//! The device's end of a stream, for reading and writing.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use super::stream::{End, Stream};

/// How much is buffered before it is sent without a flush, in bytes: large packets make the transfer of a picture fast.
const GATHER: usize = 256 << 10;

/// A stream between the device and a program on the host. Reading waits for the host, sends buffered output before, and
/// returns 0 at the end. Writing buffers small pieces: they are sent by a flush, before a read that waits, once there
/// are 256 KiB, and on drop. Dropping waits until the host has accepted everything.
pub struct DeviceStream {
    reader: StreamReader,
    writer: StreamWriter,
}

impl DeviceStream {
    fn new(stream: Arc<Stream>) -> DeviceStream {
        let max_data = stream.max_data();
        let end = Arc::new(End(stream));
        let reader = StreamReader { end: Arc::clone(&end), current: Vec::new(), at: 0, deadline: None };
        let gather = max_data.min(GATHER);
        DeviceStream { reader, writer: StreamWriter { end, buffer: Vec::new(), max_data, gather } }
    }

    /// Splits the stream into its two directions, for two threads. It ends when both are dropped, or by
    /// [`StreamWriter::close`].
    pub fn split(self) -> (StreamReader, StreamWriter) {
        (self.reader, self.writer)
    }

    /// Limits how long a read may wait, and how long a write or the end may wait for an acknowledgement; then they fail
    /// with `TimedOut`. Without a limit reads wait forever and writes for `Limits::stalled`.
    pub fn set_deadline(&mut self, longest: Duration) {
        self.reader.set_deadline(Some(longest));
        self.writer.end.0.set_patience(longest);
    }

    /// Ends the whole connection, as a device that reboots does. The host may reconnect at once.
    pub fn hang_up(self) {
        self.writer.end.0.connection().hang_up();
    }

    /// How long a transfer may pause.
    pub(super) fn stalled(&self) -> Duration {
        self.writer.end.0.connection().limits().stalled
    }

    /// Sets how long reads may wait; `None` for no limit.
    pub(super) fn set_read_deadline(&mut self, longest: Option<Duration>) {
        self.reader.set_deadline(longest);
    }
}

impl Read for DeviceStream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.reader.is_drained() && !into.is_empty() {
            self.writer.send_buffer()?;
        }
        self.reader.read(into)
    }
}

impl Write for DeviceStream {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.writer.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The reading direction of a stream.
pub struct StreamReader {
    end: Arc<End>,
    current: Vec<u8>,
    at: usize,
    deadline: Option<Duration>,
}

impl StreamReader {
    /// Sets how long a read may wait before it fails with `TimedOut`; `None` for no limit.
    pub fn set_deadline(&mut self, longest: Option<Duration>) {
        self.deadline = longest;
    }

    fn rest(&self) -> &[u8] {
        self.current.get(self.at..).unwrap_or(&[])
    }

    fn is_drained(&self) -> bool {
        self.rest().is_empty()
    }

    /// Waits for the next packet, or returns the rest of the current one; `None` at the end.
    pub(super) fn packet(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.is_drained() {
            return self.end.0.pull(self.deadline);
        }
        let mut packet = std::mem::take(&mut self.current);
        packet.drain(..self.at.min(packet.len()));
        self.at = 0;
        Ok(Some(packet))
    }
}

impl Read for StreamReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // A packet may be empty, but 0 would mean the end.
        while self.is_drained() && !into.is_empty() {
            let Some(packet) = self.end.0.pull(self.deadline)? else { return Ok(0) };
            (self.current, self.at) = (packet, 0);
        }
        let count = self.rest().read(into)?;
        self.at += count;
        if self.is_drained() {
            self.current = Vec::new();
            self.at = 0;
        }
        Ok(count)
    }
}

/// The writing direction of a stream. Small pieces are buffered; see [`DeviceStream`].
pub struct StreamWriter {
    end: Arc<End>,
    buffer: Vec<u8>,
    max_data: usize,
    gather: usize,
}

impl StreamWriter {
    /// Fails once the host is gone.
    pub(super) fn alive(&self) -> io::Result<()> {
        self.end.0.alive()
    }

    fn send_buffer(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let sent = self.end.0.send(&self.buffer);
        // Data that could not be sent never will be: the stream has ended or is stuck.
        self.buffer.clear();
        sent
    }
}

impl Write for StreamWriter {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.alive()?;
        let mut rest = data;
        if !self.buffer.is_empty() {
            let room = self.max_data.saturating_sub(self.buffer.len());
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.buffer.extend_from_slice(now);
            rest = later;
            if self.buffer.len() >= self.gather {
                self.send_buffer()?;
            }
        }
        while rest.len() >= self.gather {
            let (now, later) = rest.split_at(self.max_data.min(rest.len()));
            self.end.0.send(now)?;
            rest = later;
        }
        self.buffer.extend_from_slice(rest);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send_buffer()?;
        self.alive()
    }
}

impl Drop for StreamWriter {
    fn drop(&mut self) {
        // Before `end` is dropped, which may end the stream. A failure cannot be reported to anybody.
        drop(self.send_buffer());
    }
}

/// A stream that the host requested and that was neither accepted nor refused yet. Dropping it refuses it.
pub(super) struct Opening {
    stream: Option<Arc<Stream>>,
}

impl Opening {
    pub(super) fn new(stream: Arc<Stream>) -> Opening {
        Opening { stream: Some(stream) }
    }

    /// Accepts the stream and informs the host.
    pub(super) fn accept(mut self) -> Option<DeviceStream> {
        let stream = self.stream.take()?;
        stream.accept();
        Some(DeviceStream::new(stream))
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        if let Some(stream) = self.stream.take() {
            stream.refuse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::WireCommand;
    use super::super::tests::{ScriptedHost, served};
    use super::*;

    #[test]
    fn one_packet_is_in_flight_and_the_end_waits_for_its_acknowledgement() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let remote = host.open(1, "exec:zeros 2500000");
        host.socket.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        let mut sizes = Vec::new();
        loop {
            let message = host.receive();
            if message.command == WireCommand::Close {
                break;
            }
            assert_eq!(message.command, WireCommand::Write);
            sizes.push(message.data.len());
            let nothing = host.next();
            assert_eq!(nothing, super::super::message::Arrival::Nothing, "before it is acknowledged");
            host.send(WireCommand::Okay, (1, remote), b"");
        }
        assert_eq!(sizes, [1 << 20, 1 << 20, 2_500_000 - (2 << 20)]);
    }

    #[test]
    fn what_the_device_does_not_read_is_not_acknowledged() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        // It writes and never reads: our first packet stays unacknowledged, and the other streams continue.
        let remote = host.open(1, "tcp:8");
        assert_eq!(host.receive().command, WireCommand::Write);
        host.send(WireCommand::Write, (1, remote), b"nobody reads this");
        assert_eq!(host.ask(2, "shell:echo others go on"), b"others go on\n");
        host.send(WireCommand::Close, (1, remote), b"");
        assert_eq!(host.receive().command, WireCommand::Close, "though a packet was in flight");
    }

    #[test]
    fn a_handler_may_bound_its_patience() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        host.open(1, "tcp:9");
        assert_eq!(host.receive().data, b"a");
        assert!(host.is_hung_up_on(), "it found that neither comes: a packet, an acknowledgement");
    }

    #[test]
    fn small_writes_leave_together() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let remote = host.open(1, "shell,v2,raw:both");
        let packets = b"\x01\x04\0\0\0out\n\x02\x04\0\0\0err\n\x03\x01\0\0\0\x03";
        assert_eq!(host.receive().data, packets);
        host.send(WireCommand::Okay, (1, remote), b"");
        assert_eq!(host.receive().command, WireCommand::Close);
    }
}
