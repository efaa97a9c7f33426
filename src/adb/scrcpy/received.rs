//! Reassembles messages that arrive in pieces.

use std::io::{ErrorKind, Read};

use super::ScrcpyError;

/// The largest read, and so the most memory that a wrong length can make us allocate ahead of the data.
const PIECE_BYTES: usize = 64 * 1024;
/// Limit on the reads per call, so that the caller can check its deadlines.
const READS_A_CALL: usize = 256;

/// The received bytes of the part that is being read.
#[derive(Default)]
pub(super) struct Received {
    bytes: Vec<u8>,
}

impl Received {
    /// Reads until `wanted` bytes have arrived and returns them. `None` if the stream timed out before; what has
    /// arrived is kept for the next call, which must want the same number.
    pub fn take(
        &mut self,
        stream: &mut impl Read,
        wanted: usize,
        doing: &'static str,
    ) -> Result<Option<Vec<u8>>, ScrcpyError> {
        for _ in 0..READS_A_CALL {
            let have = self.bytes.len();
            if have >= wanted {
                return Ok(Some(std::mem::take(&mut self.bytes)));
            }
            self.bytes.resize(wanted.min(have.saturating_add(PIECE_BYTES)), 0);
            let read = self.bytes.get_mut(have..).map_or(Ok(0), |room| stream.read(room));
            self.bytes.truncate(have.saturating_add(*read.as_ref().unwrap_or(&0)));
            match read {
                Ok(0) => return Err(ScrcpyError::Ended { doing }),
                Ok(_) => continue,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => return Ok(None),
                    _ => return Err(ScrcpyError::io(doing, &error)),
                },
            }
        }
        Ok(None)
    }
}

/// The big-endian number in the four bytes at `at`. Missing bytes count as zeros.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let digits = bytes.get(at..).unwrap_or_default().iter().copied().chain(std::iter::repeat(0)).take(4);
    digits.fold(0, |number, byte| number << 8 | u32::from(byte))
}

/// The big-endian number in the eight bytes at `at`. Missing bytes count as zeros.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) << 32 | u64::from(u32_at(bytes, at.saturating_add(4)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::scripted::Scripted;
    use super::*;

    #[test]
    fn takes_up_where_a_timeout_stopped_it() {
        let mut stream = Scripted::new().bytes(b"ab").timeout().bytes(b"c").timeout().bytes(b"defg");
        let mut received = Received::default();
        assert_eq!(received.take(&mut stream, 4, "testing"), Ok(None));
        assert_eq!(received.take(&mut stream, 4, "testing"), Ok(None));
        assert_eq!(received.take(&mut stream, 4, "testing"), Ok(Some(b"abcd".to_vec())));
        assert_eq!(received.take(&mut stream, 3, "testing"), Ok(Some(b"efg".to_vec())));
        let ended = received.take(&mut stream, 1, "testing");
        assert_eq!(ended, Err(ScrcpyError::Ended { doing: "testing" }));
    }

    #[test]
    fn gives_control_back_while_bytes_trickle() {
        let mut stream = Scripted::new().bytes(&[7; 1000]).pieces_of(1);
        let mut received = Received::default();
        assert_eq!(received.take(&mut stream, 1000, "testing"), Ok(None));
        assert_eq!(received.bytes.len(), READS_A_CALL);
        while received.take(&mut stream, 1000, "testing").unwrap().is_none() {}
    }

    #[test]
    fn allocates_no_more_than_a_piece_ahead() {
        let mut stream = Scripted::new().bytes(&[1; 10]).timeout();
        let mut received = Received::default();
        assert_eq!(received.take(&mut stream, usize::MAX, "testing"), Ok(None));
        assert!(received.bytes.capacity() <= 2 * PIECE_BYTES);
    }

    #[test]
    fn reads_numbers() {
        assert_eq!(u32_at(&[0, 1, 2, 3, 4], 1), 0x0102_0304);
        assert_eq!(u64_at(&[1, 2, 3, 4, 5, 6, 7, 8], 0), 0x0102_0304_0506_0708);
        assert_eq!(u32_at(&[0xff], 0), 0xff00_0000);
        assert_eq!(u64_at(&[], usize::MAX), 0);
    }
}
