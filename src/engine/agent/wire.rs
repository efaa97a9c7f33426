//! Numbers, texts and names in messages.

use super::ProtocolError;
use taproof_screen::{PxPoint, PxRect, Text};

/// The length of a text that is absent.
const NONE: u32 = u32::MAX;
/// Largest length of a text in bytes.
const MOST_TEXT: usize = 1 << 20;
/// Largest number of elements in a list.
const MOST_ELEMENTS: usize = 100_000;

/// Writes the body of a message.
#[derive(Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// The bytes that were written.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes bytes as they are, without their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Writes a number of one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Writes a byte that is 0 or 1.
    pub fn flag(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    /// Writes a number of two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_be_bytes());
    }

    /// Writes a number of four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_be_bytes());
    }

    /// Writes a number of four bytes that may be negative.
    pub fn i32(&mut self, value: i32) {
        self.bytes(&value.to_be_bytes());
    }

    /// Writes the number of elements of a list.
    pub fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap_or(NONE));
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// Writes a text that may be absent.
    pub fn optional_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.u32(NONE),
        }
    }

    pub(super) fn point(&mut self, point: PxPoint) {
        self.i32(point.x);
        self.i32(point.y);
    }
}

/// Reads the body of a message.
#[derive(Debug)]
pub struct Decoder<'a> {
    bytes: &'a [u8],
    names: Vec<Text>,
    empty: Text,
}

impl<'a> Decoder<'a> {
    /// Starts at the beginning of a body.
    pub fn new(bytes: &'a [u8]) -> Self {
        Decoder { bytes, names: Vec::new(), empty: Text::from("") }
    }

    /// Checks that the message was read to its end.
    ///
    /// # Errors
    ///
    /// [`ProtocolError::Surplus`] if bytes are left.
    pub fn finish(self) -> Result<(), ProtocolError> {
        match self.bytes.len() {
            0 => Ok(()),
            count => Err(ProtocolError::Surplus { count }),
        }
    }

    fn take(&mut self, count: usize, field: &'static str) -> Result<&'a [u8], ProtocolError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(ProtocolError::Cut { field })?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], ProtocolError> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or(ProtocolError::Cut { field })?;
        self.bytes = rest;
        Ok(*taken)
    }

    /// Reads a number of one byte; `field` is what it means, for the error, as in all of these.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn u8(&mut self, field: &'static str) -> Result<u8, ProtocolError> {
        Ok(u8::from_be_bytes(self.array(field)?))
    }

    /// Reads a byte that is 0 or 1.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn flag(&mut self, field: &'static str) -> Result<bool, ProtocolError> {
        match self.u8(field)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(ProtocolError::unexpected(field, "0 or 1", other)),
        }
    }

    /// Reads a number of two bytes.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn u16(&mut self, field: &'static str) -> Result<u16, ProtocolError> {
        Ok(u16::from_be_bytes(self.array(field)?))
    }

    /// Reads a number of four bytes.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn u32(&mut self, field: &'static str) -> Result<u32, ProtocolError> {
        Ok(u32::from_be_bytes(self.array(field)?))
    }

    /// Reads a number of four bytes that may be negative.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn i32(&mut self, field: &'static str) -> Result<i32, ProtocolError> {
        Ok(i32::from_be_bytes(self.array(field)?))
    }

    pub(super) fn u64(&mut self, field: &'static str) -> Result<u64, ProtocolError> {
        Ok(u64::from_be_bytes(self.array(field)?))
    }

    fn length(&mut self, field: &'static str, limit: usize) -> Result<usize, ProtocolError> {
        let found = self.u32(field)? as usize;
        if found <= limit { Ok(found) } else { Err(ProtocolError::TooLong { field, found, limit }) }
    }

    /// Reads a list by reading its elements. Memory grows with what was read, not with the announced count.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn list<T>(
        &mut self,
        field: &'static str,
        mut read: impl FnMut(&mut Self) -> Result<T, ProtocolError>,
    ) -> Result<Vec<T>, ProtocolError> {
        let count = self.length(field, MOST_ELEMENTS)?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(read(self)?);
        }
        Ok(list)
    }

    fn utf8(&mut self, length: usize, field: &'static str) -> Result<&'a str, ProtocolError> {
        let bytes = self.take(length, field)?;
        std::str::from_utf8(bytes).map_err(|error| ProtocolError::unexpected(field, "UTF-8", error))
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn text(&mut self, field: &'static str) -> Result<&'a str, ProtocolError> {
        let length = self.length(field, MOST_TEXT)?;
        self.utf8(length, field)
    }

    pub(super) fn optional<T>(
        &mut self,
        field: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, ProtocolError>,
    ) -> Result<Option<T>, ProtocolError> {
        if self.flag(field)? { read(self).map(Some) } else { Ok(None) }
    }

    /// Reads a text that may be absent.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn optional_text(&mut self, field: &'static str) -> Result<Option<&'a str>, ProtocolError> {
        match self.u32(field)? {
            NONE => Ok(None),
            length if length as usize <= MOST_TEXT => self.utf8(length as usize, field).map(Some),
            length => Err(ProtocolError::TooLong { field, found: length as usize, limit: MOST_TEXT }),
        }
    }

    /// Reads a text for a widget; equal empty ones share their memory.
    pub(super) fn shared_text(&mut self, field: &'static str) -> Result<Text, ProtocolError> {
        let text = self.text(field)?;
        Ok(if text.is_empty() { self.empty.clone() } else { Text::from(text) })
    }

    pub(super) fn blob(&mut self, field: &'static str) -> Result<&'a [u8], ProtocolError> {
        let length = self.u32(field)? as usize;
        self.take(length, field)
    }

    pub(super) fn rect(&mut self, field: &'static str) -> Result<PxRect, ProtocolError> {
        let [left, top, right, bottom] =
            [self.i32(field)?, self.i32(field)?, self.i32(field)?, self.i32(field)?];
        Ok(PxRect::new(left, top, right, bottom))
    }

    /// Reads a name: 0 stands for an empty one, the number of an earlier one for that, and the next number announces a new one.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`] if the message has another form.
    pub fn name(&mut self, field: &'static str) -> Result<Text, ProtocolError> {
        let number = usize::from(self.u16(field)?);
        if number == 0 {
            return Ok(self.empty.clone());
        }
        if let Some(known) = self.names.get(number - 1) {
            return Ok(known.clone());
        }
        let kept = number == self.names.len() + 1;
        if !kept && number != usize::from(u16::MAX) {
            return Err(ProtocolError::unexpected(field, "the number of a name that was announced", number));
        }
        let name = Text::from(self.text(field)?);
        if kept && number < usize::from(u16::MAX) {
            self.names.push(name.clone());
        }
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_not_believed() {
        let check = |bytes: &[u8], problem: &str| {
            let error = Decoder::new(bytes).text("text").unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        };
        check(&[0, 0, 0, 5, b'a'], "ends inside text");
        check(&[0, 0], "ends inside text");
        check(&[0x7f, 0xff, 0xff, 0xff], "at most 1048576");
        check(&[0, 0, 0, 1, 0xff], "expected UTF-8");
        let elements = Decoder::new(&[0, 1, 0, 0]).list("list", |decoder| decoder.u64("element"));
        assert_eq!(elements, Err(ProtocolError::Cut { field: "element" }));
        assert_eq!(Decoder::new(&[1, 2, 3]).finish(), Err(ProtocolError::Surplus { count: 3 }));
    }
}
