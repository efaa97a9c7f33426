//! Decodes bytes of unknown encoding as text, and maps indices in the text back to places in the file.

use std::borrow::Cow;

use super::{FormatError, Place};

/// The text of a file, and how the file encodes it.
pub(super) struct SourceText<'a> {
    /// The text without a byte-order mark. What is no character is a replacement character.
    pub text: Cow<'a, str>,
    /// What is no character, each with its index in the text.
    pub odd: Vec<(usize, String)>,
    /// Encoding of the file.
    pub encoding: Encoding,
    mark_bytes: usize,
}

/// Encoding of a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// One to four bytes per character.
    Utf8,
    /// Two or four bytes per character, low byte first: what PowerShell's `>` writes.
    Utf16Le,
    /// Two or four bytes per character, high byte first.
    Utf16Be,
}

impl<'a> SourceText<'a> {
    /// Decodes a file. Without a byte-order mark, UTF-16 is recognised by its zero bytes, since a dump begins with
    /// ASCII characters.
    pub fn decode(bytes: &'a [u8]) -> SourceText<'a> {
        let (encoding, mark_bytes) = match bytes {
            [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
            [0xFF, 0xFE, ..] => (Encoding::Utf16Le, 2),
            [0xFE, 0xFF, ..] => (Encoding::Utf16Be, 2),
            [1..=255, 0, 1..=255, 0, ..] => (Encoding::Utf16Le, 0),
            [0, 1..=255, 0, 1..=255, ..] => (Encoding::Utf16Be, 0),
            _ => (Encoding::Utf8, 0),
        };
        let content = bytes.get(mark_bytes..).unwrap_or_default();
        let mut source = SourceText { text: Cow::Borrowed(""), odd: Vec::new(), encoding, mark_bytes };
        match (encoding, std::str::from_utf8(content)) {
            (Encoding::Utf8, Ok(text)) if !text.contains('\0') => source.text = Cow::Borrowed(text),
            (Encoding::Utf8, _) => source.add_utf8(content),
            (Encoding::Utf16Le | Encoding::Utf16Be, _) => source.add_utf16(content),
        }
        source
    }

    /// A text that was decoded already.
    pub fn of_text(text: String) -> SourceText<'static> {
        SourceText { text: Cow::Owned(text), odd: Vec::new(), encoding: Encoding::Utf8, mark_bytes: 0 }
    }

    fn add_odd(&mut self, what: String) {
        self.odd.push((self.text.len(), format!("{what} is no character, and replaced")));
        self.text.to_mut().push(char::REPLACEMENT_CHARACTER);
    }

    /// Adds each byte that is wrong as a character of its own, so that places can be told.
    fn add_utf8(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            for (count, part) in chunk.valid().split('\0').enumerate() {
                if count > 0 {
                    self.add_odd("the byte 0x00".to_owned());
                }
                self.text.to_mut().push_str(part);
            }
            for byte in chunk.invalid() {
                self.add_odd(format!("the byte {byte:#04x}"));
            }
        }
    }

    fn add_utf16(&mut self, bytes: &[u8]) {
        let little = self.encoding == Encoding::Utf16Le;
        let units = bytes.chunks_exact(2).map(|pair| match pair {
            [first, second] if little => u16::from_le_bytes([*first, *second]),
            [first, second] => u16::from_be_bytes([*first, *second]),
            _ => 0,
        });
        for unit in char::decode_utf16(units) {
            match unit {
                Ok('\0') => self.add_odd("the character 0x0000".to_owned()),
                Ok(char) => self.text.to_mut().push(char),
                Err(half) => self.add_odd(format!("the half {:#06x}", half.unpaired_surrogate())),
            }
        }
        if bytes.len() % 2 == 1 {
            self.add_odd("the last byte".to_owned());
        }
    }

    /// Returns the place in the file of a byte index in `text`.
    pub fn place(&self, index: usize) -> Place {
        let index = (0..=index.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let before = &self.text[..index.unwrap_or(0)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let bytes = match self.encoding {
            // A byte that is no character takes three bytes as one that replaces it.
            Encoding::Utf8 => before.len() - 2 * self.odd.iter().filter(|(at, _)| *at < before.len()).count(),
            Encoding::Utf16Le | Encoding::Utf16Be => 2 * before.encode_utf16().count(),
        };
        Place::Text {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            offset: self.mark_bytes + bytes,
        }
    }

    /// Returns an error at a byte index in `text`.
    pub fn unexpected(
        &self,
        what: &'static str,
        index: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> FormatError {
        let (expected, found) = (expected.into(), found.into());
        FormatError::Unexpected { what, place: self.place(index), expected, found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, mark: bool, big: bool) -> Vec<u8> {
        let units = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn every_encoding_gives_the_text_and_the_byte() {
        let text = "<a>\n😀é</a>";
        let index = text.find("</").unwrap();
        for (mark, big) in [(true, true), (true, false), (false, true), (false, false)] {
            let bytes = utf16(text, mark, big);
            let source = SourceText::decode(&bytes);
            assert_eq!(source.text, text);
            let offset = 2 * (4 + 2 + 1 + usize::from(mark));
            assert_eq!(source.place(index), Place::Text { line: 2, column: 3, offset });
        }
        let source = SourceText::decode("\u{FEFF}<a>".as_bytes());
        assert_eq!((&*source.text, source.place(1)), ("<a>", Place::Text { line: 1, column: 2, offset: 4 }));
    }

    #[test]
    fn what_is_no_character_is_replaced_and_told_with_its_place() {
        let check = |bytes: &[u8], text: &str, odd: &str, offset: usize| {
            let source = SourceText::decode(bytes);
            assert_eq!(source.text, text);
            assert_eq!(source.odd[0].1, format!("{odd} is no character, and replaced"));
            let Place::Text { offset: end, .. } = source.place(source.text.len()) else { unreachable!() };
            assert_eq!(end, offset, "{text}");
        };
        check(b"ab\xC3", "ab\u{FFFD}", "the byte 0xc3", 3);
        check(b"ab\xFFc\0", "ab\u{FFFD}c\u{FFFD}", "the byte 0xff", 5);
        check(b"\xFF\xFEa\0b", "a\u{FFFD}", "the last byte", 6);
        check(b"\xFF\xFEa\0\0\xD8b\0", "a\u{FFFD}b", "the half 0xd800", 8);
    }
}
