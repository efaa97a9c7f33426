//! A stream as the device's side of it sees it: something to read from and to write to.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use super::stream::{End, Stream};

/// How much is gathered before it is sent without a flush: large packets are what makes a picture quick.
const GATHER: usize = 256 << 10;

/// A stream between the device and a program of the host. Reading waits for the host, sends first what was
/// written, and gives 0 at the end. Writing gathers small pieces: they leave at a flush, before a read that waits,
/// with some 256 KiB, and when the stream is dropped. Dropping waits until the host took all of it.
pub struct DeviceStream {
    reader: StreamReader,
    writer: StreamWriter,
}

impl DeviceStream {
    pub(super) fn new(stream: Arc<Stream>) -> DeviceStream {
        let max_data = stream.max_data();
        let end = Arc::new(End(stream));
        let reader = StreamReader { end: Arc::clone(&end), current: Vec::new(), at: 0, deadline: None };
        let gather = max_data.min(GATHER);
        DeviceStream { reader, writer: StreamWriter { end, buffer: Vec::new(), max_data, gather } }
    }

    /// Its two directions, for two threads. The stream ends when both are dropped, or by `StreamWriter::close`.
    pub fn split(self) -> (StreamReader, StreamWriter) {
        (self.reader, self.writer)
    }

    /// Joins the directions of one stream again.
    pub fn join(reader: StreamReader, writer: StreamWriter) -> DeviceStream {
        DeviceStream { reader, writer }
    }

    /// How long a read, and a write or the end for an acknowledgement, may wait; then they fail with `TimedOut`.
    /// Without this reads wait for ever and writes for `Limits::stalled`.
    pub fn set_deadline(&mut self, longest: Duration) {
        self.reader.set_deadline(Some(longest));
        self.writer.end.0.set_patience(longest);
    }

    /// Cuts the whole connection, as a device that reboots does. The host may connect again at once.
    pub fn hang_up(self) {
        self.writer.end.0.link().hang_up();
    }

    /// How long the middle of a transfer may pause.
    pub(super) fn stalled(&self) -> Duration {
        self.writer.end.0.link().limits().stalled
    }

    /// Changes how long reads may wait.
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

/// What comes from the host.
pub struct StreamReader {
    end: Arc<End>,
    current: Vec<u8>,
    at: usize,
    deadline: Option<Duration>,
}

impl StreamReader {
    /// How long a read may wait before it fails with `TimedOut`; `None` waits for ever.
    pub fn set_deadline(&mut self, longest: Option<Duration>) {
        self.deadline = longest;
    }

    fn rest(&self) -> &[u8] {
        self.current.get(self.at..).unwrap_or(&[])
    }

    fn is_drained(&self) -> bool {
        self.rest().is_empty()
    }

    /// The next packet, or what is left of one; `None` at the end.
    pub(super) fn packet(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.is_drained() {
            return self.end.0.pull(self.deadline);
        }
        let mut packet = std::mem::take(&mut self.current);
        packet.drain(..self.at.min(packet.len()));
        self.at = 0;
        Ok(Some(packet))
    }

    /// The next packet if it is there.
    pub(super) fn packet_at_hand(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.is_drained() { self.end.0.at_hand() } else { self.packet() }
    }
}

impl Read for StreamReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // A packet may be empty, and 0 would mean the end.
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

/// What goes to the host. Small pieces are gathered; see `DeviceStream`.
pub struct StreamWriter {
    end: Arc<End>,
    buffer: Vec<u8>,
    max_data: usize,
    gather: usize,
}

impl StreamWriter {
    /// Sends what is left and ends the stream, also for its reader.
    pub fn close(mut self) -> io::Result<()> {
        let sent = self.send_buffer();
        self.end.0.finish();
        sent
    }

    /// Fails once the host is gone.
    pub(super) fn alive(&self) -> io::Result<()> {
        self.end.0.alive()
    }

    fn send_buffer(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let sent = self.end.0.send(&self.buffer);
        // What could not be sent can never be: the stream is over or stuck.
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
        // Before `end` goes, which may end the stream. Nobody is left who could be told of a failure.
        drop(self.send_buffer());
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use crossbeam_channel::after;

    use super::super::message::Command;
    use super::super::scripted_host::{ScriptedHost, served};
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
            if message.command == Command::Close {
                break;
            }
            assert_eq!(message.command, Command::Write);
            sizes.push(message.data.len());
            let nothing = host.next();
            assert_eq!(nothing, super::super::message::Arrival::Nothing, "before it is acknowledged");
            host.send(Command::Okay, (1, remote), b"");
        }
        assert_eq!(sizes, [1 << 20, 1 << 20, 2_500_000 - (2 << 20)]);
    }

    #[test]
    fn what_the_device_does_not_read_is_not_acknowledged() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        // It writes and never reads: our first packet stays where it is, the others streams go on.
        let remote = host.open(1, "tcp:8");
        assert_eq!(host.receive().command, Command::Write);
        host.send(Command::Write, (1, remote), b"nobody reads this");
        assert_eq!(host.ask(2, "shell:echo others go on"), b"others go on\n");
        host.send(Command::Close, (1, remote), b"");
        assert_eq!(host.receive().command, Command::Close, "though a packet was in flight");
    }

    #[test]
    fn a_handler_may_bound_its_patience_and_close_while_it_reads() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let dialer = listener.reverse_dialer();
        assert_eq!(host.ask(1, "reverse:forward:tcp:1;tcp:2"), b"OKAY");
        std::thread::scope(|scope| {
            let dialled = scope.spawn(|| dialer.dial("tcp:2").unwrap());
            let open = host.receive();
            host.send(Command::Okay, (7, open.arg0), b"");
            let mut stream = dialled.join().unwrap();
            stream.set_deadline(Duration::from_millis(100));
            let too_late = after(Duration::from_secs(2));
            let late = stream.read(&mut [0]).unwrap_err();
            assert_eq!(late.kind(), ErrorKind::TimedOut);
            stream.write_all(b"a").unwrap();
            stream.flush().unwrap();
            stream.write_all(b"b").unwrap();
            assert_eq!(stream.flush().unwrap_err().kind(), ErrorKind::TimedOut, "nobody acknowledges");
            assert!(too_late.is_empty());
            let (mut reader, writer) = stream.split();
            reader.set_deadline(None);
            let reading = scope.spawn(move || reader.read(&mut [0]).unwrap());
            writer.close().unwrap();
            assert_eq!(reading.join().unwrap(), 0);
            assert_eq!(host.receive().data, b"a");
            assert_eq!(host.receive().command, Command::Close);
        });
    }

    #[test]
    fn small_writes_leave_together() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let remote = host.open(1, "shell,v2,raw:both");
        let packets = b"\x01\x04\0\0\0out\n\x02\x04\0\0\0err\n\x03\x01\0\0\0\x03";
        assert_eq!(host.receive().data, packets);
        host.send(Command::Okay, (1, remote), b"");
        assert_eq!(host.receive().command, Command::Close);
    }
}
