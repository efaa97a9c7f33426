//! The parts of Android's binary formats: numbers, chunks, pools of strings.

use super::{ApkError, CUT_OFF};

/// The kind of a chunk with a pool of strings.
pub(super) const STRINGS: usize = 0x0001;
/// Longest string that counts, in bytes.
const LONGEST: usize = 8192;
/// The kind of a chunk, the length of its header and its size, with which each begins.
const CHUNK_HEADER: usize = 8;

/// Reads numbers from bytes. It is an error to read beyond their end.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'b>(pub &'b [u8]);

impl<'b> Bytes<'b> {
    pub fn from(self, at: usize) -> Result<Bytes<'b>, ApkError> {
        self.0.get(at..).map(Bytes).ok_or(CUT_OFF)
    }

    /// So many bytes from this place on.
    pub fn slice(self, at: usize, length: usize) -> Result<&'b [u8], ApkError> {
        self.from(at)?.0.get(..length).ok_or(CUT_OFF)
    }

    pub fn u8_at(self, at: usize) -> Result<u8, ApkError> {
        self.0.get(at).copied().ok_or(CUT_OFF)
    }

    pub fn u16_at(self, at: usize) -> Result<usize, ApkError> {
        let bytes = self.from(at)?.0.first_chunk().ok_or(CUT_OFF)?;
        Ok(u16::from_le_bytes(*bytes).into())
    }

    pub fn u32_at(self, at: usize) -> Result<u32, ApkError> {
        self.from(at)?.0.first_chunk().map(|bytes| u32::from_le_bytes(*bytes)).ok_or(CUT_OFF)
    }

    /// Four bytes that are a size or a place.
    pub fn size_at(self, at: usize) -> Result<usize, ApkError> {
        Ok(self.u32_at(at)? as usize)
    }
}

/// The chunks inside of one, each with its kind.
pub(super) struct Chunks<'b> {
    inside: Bytes<'b>,
    at: usize,
}

impl<'b> Chunks<'b> {
    /// The chunks inside of this one, behind its header. `None` if it is of another kind or has no header.
    pub fn in_chunk(bytes: &'b [u8], kind: usize) -> Option<Chunks<'b>> {
        let inside = Bytes(bytes);
        (inside.u16_at(0).ok()? == kind).then_some(Chunks { inside, at: inside.u16_at(2).ok()? })
    }
}

impl<'b> Iterator for Chunks<'b> {
    type Item = Result<(usize, Bytes<'b>), ApkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.inside.from(self.at).ok().filter(|rest| !rest.0.is_empty())?;
        Some(rest.size_at(4).and_then(|size| {
            let chunk = rest.slice(0, size.max(CHUNK_HEADER))?;
            self.at += chunk.len();
            if size < CHUNK_HEADER { Err(CUT_OFF) } else { Ok((rest.u16_at(0)?, Bytes(chunk))) }
        }))
    }
}

/// At most so many strings of a pool. Those that are too long to count are empty.
pub(super) fn strings(chunk: Bytes<'_>, most: usize) -> Result<Vec<String>, ApkError> {
    const UTF8: u32 = 1 << 8;
    let (count, utf8, begin) = (chunk.size_at(8)?, chunk.u32_at(16)? & UTF8 != 0, chunk.size_at(20)?);
    let offsets = chunk.from(chunk.u16_at(2)?)?;
    // Strings may share their bytes, so that a small pool could hold many large ones.
    let mut room = chunk.0.len().saturating_mul(2);
    let string = |number: usize| {
        let text = chunk.from(begin.saturating_add(offsets.size_at(number.saturating_mul(4))?))?;
        let data = if utf8 { utf8_data(text)? } else { utf16_data(text)? };
        if data.len() > room || data.len() > LONGEST {
            return Ok(String::new());
        }
        room -= data.len();
        Ok(if utf8 { String::from_utf8_lossy(data).into_owned() } else { from_utf16(data) })
    };
    (0..count.min(most)).map(string).collect()
}

/// The bytes of a string in UTF-8. Before them stand the number of characters and that of bytes, each in one byte or two.
fn utf8_data(text: Bytes<'_>) -> Result<&[u8], ApkError> {
    // A number, and the place behind it.
    let number = |at: usize| {
        let first = usize::from(text.u8_at(at)?);
        match first & 0x80 {
            0 => Ok((first, at + 1)),
            _ => Ok(((first & 0x7f) << 8 | usize::from(text.u8_at(at + 1)?), at + 2)),
        }
    };
    let (_, behind_characters) = number(0)?;
    let (bytes, first) = number(behind_characters)?;
    text.slice(first, bytes)
}

/// The bytes of a string in UTF-16. Before them stands the number of units, in two bytes or four.
fn utf16_data(text: Bytes<'_>) -> Result<&[u8], ApkError> {
    let short = text.u16_at(0)?;
    match short & 0x8000 {
        0 => text.slice(2, 2 * short),
        _ => text.slice(4, 2 * ((short & 0x7fff) << 16 | text.u16_at(2)?)),
    }
}

fn from_utf16(data: &[u8]) -> String {
    let units = data.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A pool of strings in UTF-8.
    pub fn utf8_pool(strings: &[&str]) -> Vec<u8> {
        let (mut places, mut data) = (Vec::new(), Vec::new());
        for text in strings {
            places.extend((data.len() as u32).to_le_bytes());
            data.extend([text.chars().count() as u8, text.len() as u8]);
            data.extend(text.bytes().chain([0]));
        }
        pool_of(strings.len() as u32, 1 << 8, &places, &data)
    }

    fn pool_of(count: u32, flags: u32, places: &[u8], data: &[u8]) -> Vec<u8> {
        let begin = 28 + places.len() as u32;
        let mut chunk: Vec<u8> = [1u16, 28].iter().flat_map(|half| half.to_le_bytes()).collect();
        let words = [begin + data.len() as u32, count, 0, flags, begin, 0];
        chunk.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        [&chunk, places, data].concat()
    }

    #[test]
    fn strings_of_both_encodings_are_read() {
        let one = |flags: u32, data: &[u8]| strings(Bytes(&pool_of(1, flags, &[0; 4], data)), 9);
        assert_eq!(one(1 << 8, &[2, 3, b'a', 0xc3, 0xa4, 0]).unwrap(), ["a\u{e4}"]);
        assert_eq!(one(0, &[2, 0, b'a', 0, 0xe4, 0, 0, 0]).unwrap(), ["a\u{e4}"]);
        assert!(one(0, &[200, 0, b'a', 0]).unwrap_err().to_string().contains("cut off"));
        assert_eq!(strings(Bytes(&utf8_pool(&["a", "b", "c"])), 2).unwrap(), ["a", "b"]);
    }

    #[test]
    fn strings_that_share_their_bytes_take_no_more_room_than_the_pool() {
        let text = "x".repeat(100);
        let data = [&[100, 100][..], text.as_bytes(), &[0]].concat();
        let read = strings(Bytes(&pool_of(1000, 1 << 8, &[0; 4000], &data)), 1000).unwrap();
        let length: usize = read.iter().map(String::len).sum();
        assert_eq!((read.len(), length <= 2 * (28 + 4000 + data.len())), (1000, true));
    }
}
