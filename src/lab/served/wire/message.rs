//! Messages: a header of six little-endian words, then data.

use std::io::{self, ErrorKind, IoSlice, Read, Write};

use super::WireError;

/// The current protocol version: checksums are zero and not verified.
pub const VERSION: u32 = 0x0100_0001;
/// The protocol version of old devices: both sides set and verify checksums.
pub const VERSION_OLD: u32 = 0x0100_0000;
/// The largest packet that a current device accepts, in bytes.
pub const MAX_DATA: u32 = 1 << 20;
/// The largest packet that an old device accepts, in bytes.
pub const MAX_DATA_OLD: u32 = 4096;

/// The length of a header in bytes.
pub(super) const HEADER: usize = 24;

/// The command of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireCommand {
    Connect,
    Auth,
    Open,
    Okay,
    Close,
    Write,
    StartTls,
    Unknown(u32),
}

const WORDS: [(WireCommand, u32); 7] = [
    (WireCommand::Connect, 0x4e58_4e43),
    (WireCommand::Auth, 0x4854_5541),
    (WireCommand::Open, 0x4e45_504f),
    (WireCommand::Okay, 0x5941_4b4f),
    (WireCommand::Close, 0x4553_4c43),
    (WireCommand::Write, 0x4554_5257),
    (WireCommand::StartTls, 0x534c_5453),
];

impl WireCommand {
    fn of(word: u32) -> WireCommand {
        let known = WORDS.iter().find(|(_, known)| *known == word);
        known.map_or(WireCommand::Unknown(word), |(command, _)| *command)
    }

    fn word(self) -> u32 {
        match self {
            WireCommand::Unknown(word) => word,
            known => WORDS.iter().find(|(command, _)| *command == known).map_or(0, |(_, word)| *word),
        }
    }

    /// Connect and auth messages carry a checksum in every version, since the version is not agreed yet. It cannot be
    /// relied on: an adb server that reconnects by itself sends 0, as it remembers the version.
    fn always_summed(self) -> bool {
        matches!(self, WireCommand::Connect | WireCommand::Auth)
    }
}

/// A complete message: its command, two arguments and data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) command: WireCommand,
    pub(super) arg0: u32,
    pub(super) arg1: u32,
    pub(super) data: Vec<u8>,
}

/// The outcome of waiting for a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    Message(Message),
    /// Nothing arrived before the socket's read timeout.
    Nothing,
    /// The peer closed the connection between two messages.
    End,
}

/// The limits of a reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Limit on the length of a message's data in bytes.
    pub(super) max_data: u32,
    /// Whether checksums are verified.
    pub(super) checksums: bool,
    /// How many read timeouts in a row may occur inside a message.
    pub(super) patience: u32,
}

/// The checksum of a message: a sum of its bytes, not a CRC.
fn sum(data: &[u8]) -> u32 {
    data.iter().fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)))
}

/// The word at this index of a header; 0 beyond its end.
fn word(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.chunks_exact(4).nth(at).and_then(|word| <[u8; 4]>::try_from(word).ok());
    word.map_or(0, u32::from_le_bytes)
}

/// Reads the next message from a socket with a read timeout.
pub(super) fn read(source: &mut impl Read, terms: Terms) -> Result<Arrival, WireError> {
    let mut header = [0_u8; HEADER];
    match fill(source, &mut header, terms.patience, false)? {
        Filled::Whole => {}
        Filled::Nothing => return Ok(Arrival::Nothing),
        Filled::End => return Ok(Arrival::End),
    }
    let (told, magic) = (word(&header, 4), word(&header, 5));
    let (command, length) = (WireCommand::of(word(&header, 0)), word(&header, 3));
    if magic != !word(&header, 0) {
        return Err(WireError::BadMagic { command: word(&header, 0), magic });
    }
    if length > terms.max_data {
        return Err(WireError::Oversize { length, limit: terms.max_data });
    }
    let mut data = vec![0; usize::try_from(length).unwrap_or(0)];
    fill(source, &mut data, terms.patience, true)?;
    if terms.checksums && !command.always_summed() {
        let sum = sum(&data);
        if sum != told {
            return Err(WireError::BadChecksum { sum, told });
        }
    }
    Ok(Arrival::Message(Message { command, arg0: word(&header, 1), arg1: word(&header, 2), data }))
}

enum Filled {
    Whole,
    Nothing,
    End,
}

/// Whether the error only means that the read timeout passed; its kind depends on the platform.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Fills `bytes` completely, unless nothing at all arrives of a message that has not `begun`.
fn fill(source: &mut impl Read, bytes: &mut [u8], patience: u32, begun: bool) -> Result<Filled, WireError> {
    let (mut filled, mut waited) = (0, 0);
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match source.read(rest) {
            Ok(0) if filled == 0 && !begun => return Ok(Filled::End),
            Ok(0) => return Err(io::Error::from(ErrorKind::UnexpectedEof).into()),
            Ok(count) => (filled, waited) = (filled + count, 0),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if is_timeout(&error) && filled == 0 && !begun => return Ok(Filled::Nothing),
            Err(error) if is_timeout(&error) && waited < patience => waited += 1,
            Err(error) if is_timeout(&error) => return Err(WireError::Silent),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Filled::Whole)
}

/// Writes a message. Header and data are sent together if the system accepts that.
pub(super) fn write(
    sink: &mut impl Write,
    command: WireCommand,
    (arg0, arg1): (u32, u32),
    data: &[u8],
    checksums: bool,
) -> io::Result<()> {
    let length = u32::try_from(data.len()).map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
    let told = if checksums || command.always_summed() { sum(data) } else { 0 };
    let mut header = [0_u8; HEADER];
    let words = [command.word(), arg0, arg1, length, told, !command.word()];
    for (place, word) in header.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    let mut parts = [IoSlice::new(&header), IoSlice::new(data)];
    let mut parts = parts.as_mut_slice();
    while !parts.is_empty() {
        match sink.write_vectored(parts) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut parts, count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(checksums: bool) -> Terms {
        Terms { max_data: MAX_DATA, checksums, patience: 2 }
    }

    fn bytes(command: WireCommand, data: &[u8], checksums: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, command, (7, 9), data, checksums).unwrap();
        bytes
    }

    #[test]
    fn messages_come_back_as_they_went() {
        let commands = WORDS.iter().map(|(command, _)| *command).chain([WireCommand::Unknown(5)]);
        for command in commands {
            for (data, checksums) in [(&b""[..], false), (b"host::", true), (&[255; 70_000], false)] {
                let bytes = bytes(command, data, checksums);
                let message = Message { command, arg0: 7, arg1: 9, data: data.to_vec() };
                assert_eq!(read(&mut &bytes[..], terms(checksums)), Ok(Arrival::Message(message)));
            }
        }
        assert_eq!(&bytes(WireCommand::Connect, b"", false)[..4], b"CNXN");
        assert_eq!(&bytes(WireCommand::StartTls, b"", false)[..4], b"STLS");
        assert_eq!(bytes(WireCommand::Write, b"\x02\xff", true)[16..20], [1, 1, 0, 0]);
        assert_eq!(bytes(WireCommand::Write, b"\x02\xff", false)[16..20], [0, 0, 0, 0]);
        assert_eq!(bytes(WireCommand::Connect, b"\x02\xff", false)[16..20], [1, 1, 0, 0], "always summed");
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        let garbage = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        let told = read(&mut &garbage[..], terms(false));
        assert!(matches!(told, Err(WireError::BadMagic { command: 0x2054_4547, .. })), "{told:?}");
        let mut large = bytes(WireCommand::Write, b"", false);
        large[12..16].copy_from_slice(&(MAX_DATA + 1).to_le_bytes());
        let told = read(&mut &large[..], terms(false));
        assert_eq!(told, Err(WireError::Oversize { length: MAX_DATA + 1, limit: MAX_DATA }));
        let mut damaged = bytes(WireCommand::Write, b"abc", true);
        *damaged.last_mut().unwrap() = b'd';
        let told = read(&mut &damaged[..], terms(true));
        assert_eq!(told, Err(WireError::BadChecksum { sum: 0x127, told: 0x126 }));
        assert!(read(&mut &damaged[..], terms(false)).is_ok(), "unchecked at the version of today");
        let mut unsummed = bytes(WireCommand::Connect, b"host::", true);
        unsummed[16..20].fill(0);
        assert!(read(&mut &unsummed[..], terms(true)).is_ok(), "as a server sends that connects again");
        assert_eq!(read(&mut &b""[..], terms(false)), Ok(Arrival::End));
        for cut in [1, HEADER - 1, HEADER, HEADER + 2] {
            let told = read(&mut &bytes(WireCommand::Write, b"abc", true)[..cut], terms(true));
            assert!(matches!(told, Err(WireError::Socket { kind: ErrorKind::UnexpectedEof, .. })), "{cut}");
        }
    }

    /// Yields one byte per read, with a timeout before each.
    struct Slow {
        bytes: Vec<u8>,
        at: usize,
        timeouts: u32,
        waited: u32,
    }

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.waited < self.timeouts {
                self.waited += 1;
                return Err(ErrorKind::WouldBlock.into());
            }
            self.waited = 0;
            let Some(byte) = self.bytes.get(self.at) else { return Ok(0) };
            buffer[0] = *byte;
            self.at += 1;
            Ok(1)
        }
    }

    #[test]
    fn a_slow_peer_is_waited_for_and_a_silent_one_is_not() {
        let slow =
            |timeouts| Slow { bytes: bytes(WireCommand::Write, b"abc", true), at: 0, timeouts, waited: 9 };
        let told = read(&mut slow(2), terms(true)).unwrap();
        assert!(matches!(told, Arrival::Message(Message { ref data, .. }) if data == b"abc"), "{told:?}");
        let mut fresh = slow(1);
        fresh.waited = 0;
        assert_eq!(read(&mut fresh, terms(true)), Ok(Arrival::Nothing));
        assert_eq!(read(&mut slow(3), terms(true)), Err(WireError::Silent));
    }

    #[test]
    fn no_bytes_make_it_panic() {
        // A small pseudorandom generator; all that matters is that many headers differ in every position.
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut header = [0_u8; 40];
            for byte in &mut header {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *byte = state.to_be_bytes()[0] & if state.is_multiple_of(3) { 0xff } else { 0x0f };
            }
            let word = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
            header[20..24].copy_from_slice(&(!word).to_le_bytes());
            drop(read(&mut &header[..], terms(state.is_multiple_of(2))));
        }
    }
}
