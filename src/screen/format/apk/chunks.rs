//! The parts of Android's binary formats: numbers, chunks, pools of strings.

use super::ApkError;

/// The kind of a chunk with a pool of strings.
pub(super) const STRINGS: usize = 0x0001;
/// Longest string that counts, in bytes.
const LONGEST: usize = 4096;

/// Reads numbers from bytes. `None` beyond their end.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'b>(pub &'b [u8]);

impl<'b> Bytes<'b> {
    pub fn from(self, at: usize) -> Option<Bytes<'b>> {
        self.0.get(at..).map(Bytes)
    }

    pub fn byte(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    /// Two bytes.
    pub fn half(self, at: usize) -> Option<usize> {
        let bytes = self.0.get(at..at.checked_add(2)?)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?).into())
    }

    /// Four bytes.
    pub fn word(self, at: usize) -> Option<u32> {
        let bytes = self.0.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// Four bytes that are a size or a place.
    pub fn size(self, at: usize) -> Option<usize> {
        self.word(at)?.try_into().ok()
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
        (inside.half(0)? == kind).then_some(Chunks { inside, at: inside.half(2)? })
    }
}

impl<'b> Iterator for Chunks<'b> {
    type Item = Result<(usize, Bytes<'b>), ApkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.inside.from(self.at).filter(|rest| !rest.0.is_empty())?;
        let (Some(kind), Some(size)) = (rest.half(0), rest.size(4)) else {
            return Some(Err(ApkError(SHORT)));
        };
        if !(8..=rest.0.len()).contains(&size) {
            return Some(Err(ApkError(SHORT)));
        }
        self.at += size;
        Some(Ok((kind, Bytes(&rest.0[..size]))))
    }
}

const SHORT: &str = "one of its chunks is cut off";

/// At most so many strings of a pool. Those that are too long to count are empty.
///
/// # Errors
///
/// If the pool or one of the strings is cut off.
pub(super) fn strings(chunk: Bytes<'_>, most: usize) -> Result<Vec<String>, ApkError> {
    pool(chunk, most).ok_or(ApkError("its pool of strings is cut off"))
}

fn pool(chunk: Bytes<'_>, most: usize) -> Option<Vec<String>> {
    const UTF8: u32 = 1 << 8;
    let (count, utf8, begin) = (chunk.size(8)?, chunk.word(16)? & UTF8 != 0, chunk.size(20)?);
    let head = chunk.half(2)?;
    // Strings may share their bytes, so that a small pool could hold many large ones.
    let mut room = chunk.0.len().saturating_mul(2);
    let string = |number: usize| -> Option<String> {
        let offset = chunk.size(head.checked_add(number.checked_mul(4)?)?)?;
        let text = chunk.from(begin.checked_add(offset)?)?;
        let (length, data) = if utf8 { utf8_data(text)? } else { utf16_data(text)? };
        if length > LONGEST || length > room {
            return Some(String::new());
        }
        room -= length;
        Some(if utf8 { String::from_utf8_lossy(data).into_owned() } else { from_utf16(data) })
    };
    (0..count.min(most)).map(string).collect()
}

/// The bytes of a string in UTF-8, with their number. Before it stand the number of characters and that of bytes, each in
/// one byte or two.
fn utf8_data(text: Bytes<'_>) -> Option<(usize, &[u8])> {
    let width = |at: usize| Some(if text.byte(at)? & 0x80 == 0 { 1 } else { 2 });
    let characters = width(0)?;
    let bytes = match width(characters)? {
        1 => usize::from(text.byte(characters)?),
        _ => usize::from(text.byte(characters)? & 0x7f) << 8 | usize::from(text.byte(characters + 1)?),
    };
    let first = characters + width(characters)?;
    Some((bytes, text.0.get(first..first + bytes)?))
}

/// The bytes of a string in UTF-16, with their number. Before it stands the number of units, in two bytes or four.
fn utf16_data(text: Bytes<'_>) -> Option<(usize, &[u8])> {
    let short = text.half(0)?;
    let (units, first): (usize, usize) = match short & 0x8000 {
        0 => (short, 2),
        _ => ((short & 0x7fff) << 16 | text.half(2)?, 4),
    };
    let bytes = units.checked_mul(2)?;
    Some((bytes, text.0.get(first..first.checked_add(bytes)?)?))
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
