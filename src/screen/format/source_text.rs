//! Decodes bytes of unknown encoding as text, and maps indices in the text back to places in the file.

use std::borrow::Cow;

use super::{FormatError, Place};

/// The text of a file, and how the file encodes it.
pub(super) struct SourceText<'a> {
    /// The text without a byte-order mark.
    pub text: Cow<'a, str>,
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
    /// ASCII characters. `what` is the kind of file, for errors.
    ///
    /// # Errors
    ///
    /// [`FormatError::Unexpected`] at the first byte that is not valid in the encoding.
    pub fn decode(what: &'static str, bytes: &'a [u8]) -> Result<SourceText<'a>, FormatError> {
        let (encoding, mark_bytes) = match bytes {
            [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
            [0xFF, 0xFE, ..] => (Encoding::Utf16Le, 2),
            [0xFE, 0xFF, ..] => (Encoding::Utf16Be, 2),
            [1..=255, 0, 1..=255, 0, ..] => (Encoding::Utf16Le, 0),
            [0, 1..=255, 0, 1..=255, ..] => (Encoding::Utf16Be, 0),
            _ => (Encoding::Utf8, 0),
        };
        let content = bytes.get(mark_bytes..).unwrap_or_default();
        let text = match encoding {
            Encoding::Utf8 => Self::decode_utf8(what, content, mark_bytes)?,
            Encoding::Utf16Le => Self::decode_utf16(what, content, mark_bytes, encoding)?,
            Encoding::Utf16Be => Self::decode_utf16(what, content, mark_bytes, encoding)?,
        };
        Ok(SourceText { text, encoding, mark_bytes })
    }

    fn decode_utf8(
        what: &'static str,
        bytes: &'a [u8],
        mark_bytes: usize,
    ) -> Result<Cow<'a, str>, FormatError> {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => return Ok(Cow::Borrowed(text)),
            Err(error) => error,
        };
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let before =
            SourceText { text: String::from_utf8_lossy(valid), encoding: Encoding::Utf8, mark_bytes };
        let found = match (error.error_len(), bytes.get(error.valid_up_to())) {
            (Some(_), Some(byte)) => format!("the byte {byte:#04x}"),
            _ => "the end of the file".to_owned(),
        };
        Err(before.unexpected(what, valid.len(), "a whole UTF-8 character", found))
    }

    fn decode_utf16(
        what: &'static str,
        bytes: &[u8],
        mark_bytes: usize,
        encoding: Encoding,
    ) -> Result<Cow<'static, str>, FormatError> {
        let units = bytes.chunks_exact(2).map(|pair| match (encoding, pair) {
            (Encoding::Utf16Be, [high, low]) | (_, [low, high]) => u16::from_be_bytes([*high, *low]),
            _ => 0,
        });
        let mut text = String::with_capacity(bytes.len() / 2);
        let fail = |text: String, found: String| {
            let before = SourceText { text: Cow::Borrowed(&text), encoding, mark_bytes };
            Err(before.unexpected(what, text.len(), "a whole UTF-16 character", found))
        };
        for unit in char::decode_utf16(units) {
            match unit {
                Ok(char) => text.push(char),
                Err(lone) => {
                    return fail(text, format!("the half character {:#06x}", lone.unpaired_surrogate()));
                }
            }
        }
        match bytes.len() % 2 {
            0 => Ok(Cow::Owned(text)),
            _ => fail(text, "the end of the file".to_owned()),
        }
    }

    /// Returns the place in the file of a byte index in `text`.
    pub fn place(&self, index: usize) -> Place {
        let index = (0..=index.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let before = &self.text[..index.unwrap_or(0)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let bytes = match self.encoding {
            Encoding::Utf8 => before.len(),
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
            let source = SourceText::decode("text", &bytes).unwrap();
            assert_eq!(source.text, text);
            let offset = 2 * (4 + 2 + 1 + usize::from(mark));
            assert_eq!(source.place(index), Place::Text { line: 2, column: 3, offset });
        }
        let source = SourceText::decode("text", "\u{FEFF}<a>".as_bytes()).unwrap();
        assert_eq!((&*source.text, source.place(1)), ("<a>", Place::Text { line: 1, column: 2, offset: 4 }));
    }

    #[test]
    fn broken_characters_are_errors_with_their_place() {
        let check = |bytes: &[u8], message: &str| {
            assert_eq!(SourceText::decode("text", bytes).err().unwrap().to_string(), message);
        };
        let utf8 = "text, line 1, column 3 (byte 2): expected a whole UTF-8 character, found ";
        check(b"ab\xC3", &format!("{utf8}the end of the file"));
        check(b"ab\xFFc", &format!("{utf8}the byte 0xff"));
        let utf16 = "text, line 1, column 2 (byte 4): expected a whole UTF-16 character, found ";
        check(b"\xFF\xFEa\0b", &format!("{utf16}the end of the file"));
        check(b"\xFF\xFEa\0\0\xD8b\0", &format!("{utf16}the half character 0xd800"));
    }
}
