//! The input of a shell from the host: plain bytes, or the packets of shell v2.

use std::collections::VecDeque;
use std::io::{self, Read};

use super::StreamReader;

/// Id of a packet of shell v2: standard input of the command.
pub(super) const STDIN: u8 = 0;
/// Id of a packet of shell v2: standard output of the command.
pub(super) const STDOUT: u8 = 1;
/// Id of a packet of shell v2: standard error of the command.
pub(super) const STDERR: u8 = 2;
/// Id of a packet of shell v2: the exit code, one byte.
pub(super) const EXIT: u8 = 3;
/// Id of a packet of shell v2: the end of standard input.
pub(super) const CLOSE_STDIN: u8 = 4;

/// The length of a packet's header, id and length, in bytes.
const HEADER: usize = 5;

/// The input of a shell.
pub(super) struct Input {
    reader: StreamReader,
    packets: Option<Packets>,
    bytes: VecDeque<u8>,
    ended: bool,
}

impl Input {
    /// Creates the input from packets of shell v2 (`framed`) or from plain bytes.
    pub(super) fn new(reader: StreamReader, framed: bool) -> Input {
        Input { reader, packets: framed.then(Packets::default), bytes: VecDeque::new(), ended: false }
    }

    /// Whether a read would wait.
    pub(super) fn would_wait(&self) -> bool {
        self.bytes.is_empty() && !self.ended
    }

    fn wait(&mut self) -> io::Result<()> {
        while self.would_wait() {
            match self.reader.packet()? {
                Some(packet) => self.arrived(packet),
                None => self.ended = true,
            }
        }
        Ok(())
    }

    fn arrived(&mut self, packet: Vec<u8>) {
        match &mut self.packets {
            Some(packets) => self.ended = packets.read(&packet, &mut self.bytes),
            None if self.bytes.is_empty() => self.bytes = VecDeque::from(packet),
            None => self.bytes.extend(packet),
        }
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        self.wait()?;
        self.bytes.read(into)
    }
}

/// Parses packets wherever they were split. Announced lengths never cause an allocation ahead of the data.
#[derive(Default)]
struct Packets {
    header: Vec<u8>,
    id: u8,
    /// Bytes of the current packet that have not arrived yet.
    missing: usize,
}

impl Packets {
    /// Parses received bytes and appends those for the command to `into`. Returns whether the input has ended.
    fn read(&mut self, mut came: &[u8], into: &mut VecDeque<u8>) -> bool {
        while !came.is_empty() {
            if self.missing == 0 {
                let (header, rest) = came.split_at(came.len().min(HEADER.saturating_sub(self.header.len())));
                self.header.extend_from_slice(header);
                came = rest;
                let [id, length @ ..] = self.header.as_slice() else { continue };
                let Ok(length) = <[u8; 4]>::try_from(length) else { continue };
                self.id = *id;
                self.missing = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
                self.header.clear();
                if self.id == CLOSE_STDIN {
                    return true;
                }
            }
            let (data, rest) = came.split_at(came.len().min(self.missing));
            if self.id == STDIN {
                into.extend(data);
            }
            self.missing -= data.len();
            came = rest;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(id: u8, data: &[u8]) -> Vec<u8> {
        [&[id][..], &u32::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
    }

    #[test]
    fn packets_are_read_wherever_they_are_cut() {
        let window = packet(5, b"24x80,0x0\0");
        let all = [window, packet(STDIN, b"ab"), packet(STDIN, b""), packet(9, b"??"), packet(STDIN, b"c")];
        let all = [all.concat(), packet(CLOSE_STDIN, b""), packet(STDIN, b"late")].concat();
        for size in 1..=all.len() {
            let (mut packets, mut bytes, mut ended) = (Packets::default(), VecDeque::new(), false);
            for cut in all.chunks(size) {
                ended = ended || packets.read(cut, &mut bytes);
            }
            assert_eq!((bytes, ended), (VecDeque::from(b"abc".to_vec()), true), "cut every {size} bytes");
        }
    }

    #[test]
    fn a_length_is_not_believed() {
        let (mut packets, mut bytes) = (Packets::default(), VecDeque::new());
        assert!(!packets.read(&[STDIN, 255, 255, 255, 255, b'x'], &mut bytes));
        assert_eq!((bytes.len(), packets.missing), (1, u32::MAX as usize - 1));
    }
}
