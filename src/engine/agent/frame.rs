//! The frame around each message.

use super::ProtocolError;

/// Length of the head of a frame in bytes.
pub const FRAME_HEAD: usize = 12;
/// Largest length of an answer's body in bytes: an uncompressed picture of a large screen.
pub const MOST_ANSWERED: usize = 64 << 20;

/// The head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHead {
    /// Length of the body in bytes.
    pub length: usize,
    /// The number of the request, from 1; its answer has the same.
    pub number: u32,
    checksum: u32,
}

impl FrameHead {
    /// The whole frame with this body.
    pub fn frame(number: u32, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
        let mut bytes = Vec::with_capacity(FRAME_HEAD + body.len());
        for word in [length, number, crc32fast::hash(body)] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend(body);
        bytes
    }

    /// Reads a head.
    ///
    /// # Errors
    ///
    /// [`ProtocolError::TooLong`] if the body would be longer than `limit`.
    pub fn parse(bytes: [u8; FRAME_HEAD], limit: usize) -> Result<FrameHead, ProtocolError> {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = bytes;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if length > limit {
            return Err(ProtocolError::TooLong { field: "the frame", found: length, limit });
        }
        let (number, checksum) = (u32::from_be_bytes([e, f, g, h]), u32::from_be_bytes([i, j, k, l]));
        Ok(FrameHead { length, number, checksum })
    }

    /// Checks the body against the checksum.
    ///
    /// # Errors
    ///
    /// [`ProtocolError::Corrupted`] if they differ.
    pub fn check(&self, body: &[u8]) -> Result<(), ProtocolError> {
        if crc32fast::hash(body) == self.checksum { Ok(()) } else { Err(ProtocolError::Corrupted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_length_number_checksum_and_body() {
        let frame = FrameHead::frame(7, b"123456789");
        // The check value of CRC-32.
        assert_eq!(frame, b"\0\0\0\x09\0\0\0\x07\xcb\xf4\x39\x26123456789");
        let (head, body) = frame.split_first_chunk().unwrap();
        let head = FrameHead::parse(*head, 9).unwrap();
        assert_eq!((head.length, head.number), (9, 7));
        head.check(body).unwrap();
        assert_eq!(head.check(b"123456780"), Err(ProtocolError::Corrupted));
        let (head, _) = frame.split_first_chunk().unwrap();
        assert!(FrameHead::parse(*head, 8).unwrap_err().to_string().contains("at most 8"));
    }
}
