//! The tags of a dump, one after another. A parser of XML refuses a whole file for one wrong character; this one costs at
//! most the attribute that it is in. Doctypes are not read at all.

use std::borrow::Cow;

use super::super::source_text::SourceText;
use crate::format::{FormatError, excerpt};

/// What comes next in a dump.
pub(super) enum Markup<'t> {
    /// `<name …>`, or `<name … />` if it is `closed`. Its attributes are in [`Tags::attributes`].
    Open {
        name: &'t str,
        closed: bool,
        at: usize,
    },
    Close {
        name: &'t str,
        at: usize,
    },
    /// A text between tags that is not blank.
    Text {
        text: &'t str,
        at: usize,
    },
    End,
}

/// An attribute: name, raw value, and where the value begins.
pub(super) type Attribute<'t> = (&'t str, &'t str, usize);

pub(super) struct Tags<'t> {
    source: &'t SourceText<'t>,
    text: &'t str,
    pub at: usize,
    /// The attributes of the tag that was opened last.
    pub attributes: Vec<Attribute<'t>>,
    /// What was passed over in it, and where.
    pub odd: Vec<(usize, String)>,
}

impl<'t> Tags<'t> {
    pub fn new(source: &'t SourceText<'t>, at: usize) -> Tags<'t> {
        Tags { source, text: &source.text, at, attributes: Vec::new(), odd: Vec::new() }
    }

    fn unexpected(&self, at: usize, expected: &str, found: impl Into<String>) -> FormatError {
        self.source.unexpected(super::xml::WHAT, at, expected, found)
    }

    fn ended(&self, expected: &str) -> FormatError {
        self.unexpected(self.text.len(), expected, "the end of the file")
    }

    pub fn next(&mut self) -> Result<Markup<'t>, FormatError> {
        let text = self.text;
        loop {
            let (begin, rest) = (self.at, &text[self.at..]);
            let Some(tag) = rest.find('<') else {
                self.at = text.len();
                return Ok(match rest.trim() {
                    "" => Markup::End,
                    _ => Markup::Text { text: rest, at: begin },
                });
            };
            if !rest[..tag].trim_ascii().is_empty() {
                self.at += tag;
                return Ok(Markup::Text { text: &rest[..tag], at: begin });
            }
            let at = begin + tag;
            let (rest, inside) = (&rest[tag..], &rest[tag + 1..]);
            let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
            if let Some((_, end)) = skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
                self.at = at + rest.find(end).ok_or_else(|| self.ended(end))? + end.len();
            } else if inside.starts_with('!') {
                return Err(self.unexpected(at, "<hierarchy …>", "<!DOCTYPE"));
            } else if let Some(inside) = inside.strip_prefix('/') {
                let length = inside.find(['>', '<']).ok_or_else(|| self.ended("> after the tag"))?;
                let closing = usize::from(inside[length..].starts_with('>'));
                self.at = at + 2 + length + closing;
                return Ok(Markup::Close { name: inside[..length].trim(), at });
            } else if inside.starts_with(|first: char| first.is_alphabetic() || first == '_') {
                let length =
                    inside.find(|letter: char| letter.is_ascii_whitespace() || "/><".contains(letter));
                let length = length.ok_or_else(|| self.ended("> after the tag"))?;
                self.at = at + 1 + length;
                let closed = self.read_attributes()?;
                return Ok(Markup::Open { name: &inside[..length], closed, at });
            } else {
                self.at = at + 1;
                return Ok(Markup::Text { text: "<", at });
            }
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The first place from this one on that is not blank.
    #[inline(always)]
    fn after_blanks(&self, mut at: usize) -> usize {
        while self.byte(at).is_some_and(|byte| byte.is_ascii_whitespace()) {
            at += 1;
        }
        at
    }

    /// Where the name of an attribute that begins here ends, if an equals sign is behind it.
    #[inline(always)]
    fn name_end(&self, at: usize) -> Option<usize> {
        let mut end = at;
        while self
            .byte(end)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
        {
            end += 1;
        }
        (end > at && self.byte(self.after_blanks(end)) == Some(b'=')).then_some(end)
    }

    /// Whether a tag goes on or ends here, and not the value in these quotes: that goes on if they come again before
    /// another attribute.
    #[inline(always)]
    fn is_boundary(&self, at: usize, quote: u8) -> bool {
        let next = self.after_blanks(at);
        if self.name_end(next).is_some() {
            return true;
        }
        let rest = self.text.as_bytes().get(next..).unwrap_or_default();
        let sign = rest.iter().find(|byte| **byte == quote || b"=<>".contains(byte));
        sign != Some(&quote)
    }

    /// Reads attributes up to the end of the tag, and returns whether it is closed at once.
    fn read_attributes(&mut self) -> Result<bool, FormatError> {
        self.attributes.clear();
        loop {
            let at = self.after_blanks(self.at);
            self.at = at;
            match self.byte(at) {
                None => return Err(self.ended("> after the tag")),
                Some(b'<') => return Err(self.unexpected(at, "> after the tag", "<")),
                Some(b'>') => {
                    self.at = at + 1;
                    return Ok(false);
                }
                Some(b'/') if self.byte(at + 1) == Some(b'>') => {
                    self.at = at + 2;
                    return Ok(true);
                }
                Some(_) => {}
            }
            let opened = self.name_end(at).map(|end| (end, self.after_blanks(self.after_blanks(end) + 1)));
            let quoted = opened.and_then(|(end, open)| {
                Some((end, open, self.byte(open).filter(|byte| b"\"'".contains(byte))?))
            });
            match quoted {
                Some((end, open, quote)) => {
                    let close = self.value_end(open + 1, quote)?;
                    self.attributes.push((&self.text[at..end], &self.text[open + 1..close], open + 1));
                    self.at = close + 1;
                }
                None => {
                    let rest = &self.text[at..];
                    let ends = |(place, letter): (usize, char)| {
                        place > 0 && (letter.is_ascii_whitespace() || "/>".contains(letter))
                    };
                    let length =
                        rest.char_indices().find(|one| ends(*one)).map_or(rest.len(), |(place, _)| place);
                    self.odd.push((
                        at,
                        format!("{} is no name=\"value\", passed over", excerpt(&rest[..length])),
                    ));
                    self.at = at + length;
                }
            }
        }
    }

    /// Where a value ends: at the first quote behind which the tag goes on. One within the value is taken as a part of it.
    #[inline(always)]
    fn value_end(&mut self, begin: usize, quote: u8) -> Result<usize, FormatError> {
        let bytes = self.text.as_bytes();
        let mut from = begin;
        let mut first = None;
        while let Some(length) = bytes[from..].iter().position(|byte| *byte == quote) {
            let end = from + length;
            if self.is_boundary(end + 1, quote) {
                if first.is_some() {
                    self.odd.push((begin, "a quote within the value".to_owned()));
                }
                return Ok(end);
            }
            first.get_or_insert(end);
            from = end + 1;
        }
        first
            .ok_or_else(|| self.ended(if quote == b'"' { "\" after the value" } else { "' after the value" }))
    }
}

/// The text of a value: references are replaced and line ends become blanks, as in XML. Halves of a character that have a
/// reference each are joined. What is wrong is passed to `odd` with its place, and stays as it is written.
pub(super) fn unescape<'v>(value: &'v str, odd: &mut dyn FnMut(usize, String)) -> Cow<'v, str> {
    if !value.bytes().any(|byte| matches!(byte, b'&' | b'\n' | b'\r' | b'\t')) {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut at = 0;
    while let Some(length) = value[at..].find(['&', '\n', '\r', '\t']) {
        text.push_str(&value[at..at + length]);
        at += length;
        let rest = &value[at..];
        if !rest.starts_with('&') {
            text.push(' ');
            at += if rest.starts_with("\r\n") { 2 } else { 1 };
            continue;
        }
        match reference(rest) {
            Some((char, length)) => {
                text.push(char.unwrap_or(char::REPLACEMENT_CHARACTER));
                if char.is_none() {
                    odd(at, format!("{} is no character", &rest[..length]));
                } else if rest[1..length].contains('&') {
                    odd(at, format!("{} are halves of a character, joined", &rest[..length]));
                }
                at += length;
            }
            None => {
                odd(at, format!("& of {} is taken as it is, as it begins no reference", excerpt(rest)));
                text.push('&');
                at += 1;
            }
        }
    }
    text.push_str(&value[at..]);
    Cow::Owned(text)
}

/// The character of a reference at the beginning of a text, and the length of the reference. `None` inside for a number
/// that is no character.
fn reference(text: &str) -> Option<(Option<char>, usize)> {
    let name = text[1..].split(';').next().filter(|name| name.len() + 1 < text.len())?;
    let named = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\'')];
    if let Some((_, char)) = named.iter().find(|(known, _)| *known == name) {
        return Some((Some(*char), name.len() + 2));
    }
    let (code, length) = numbered(text)?;
    let low = || numbered(&text[length..]).filter(|(low, _)| (0xDC00..0xE000).contains(low));
    if (0xD800..0xDC00).contains(&code)
        && let Some((low, behind)) = low()
    {
        let joined = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        return Some((char::from_u32(joined), length + behind));
    }
    Some((char::from_u32(code).filter(|char| *char != '\0'), length))
}

/// The number of a reference such as `&#128512;` at the beginning of a text, and its length.
fn numbered(text: &str) -> Option<(u32, usize)> {
    let digits = text.strip_prefix("&#")?.split(';').next()?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let length = digits.len() + 3;
    code.ok().filter(|_| length <= text.len()).map(|code| (code, length))
}
