//! Parsing the words of a command line, with their quotes, variables and command substitutions.

use super::parser::{Parser, SyntaxError};
use super::syntax::{Fallback, Part, Word};

/// Whether the character ends an unquoted word.
fn ends_word(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}

/// The context of a word, which decides what ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Line,
    /// Inside a pair of double quotes.
    Quotes,
    /// Between `${…:-` and `}`; with whether the whole expression is in double quotes.
    Braces(bool),
}

/// Collects the parts of a word.
#[derive(Default)]
struct Parts {
    parts: Vec<Part>,
}

impl Parts {
    fn text(&mut self, c: char, quoted: bool) {
        match self.parts.last_mut() {
            Some(Part::Text { text, quoted: before }) if *before == quoted => text.push(c),
            _ => self.parts.push(Part::Text { text: c.to_string(), quoted }),
        }
    }

    /// Adds an empty quoted part: empty quotes make a word as well.
    fn empty(&mut self) {
        self.parts.push(Part::Text { text: String::new(), quoted: true });
    }
}

impl Parser {
    /// Parses a word; `None` if none begins here.
    pub(super) fn word(&mut self) -> Result<Option<Word>, SyntaxError> {
        match self.peek() {
            Some(c) if !ends_word(c) => {}
            _ => return Ok(None),
        }
        let mut parts = Parts::default();
        self.pieces(&mut parts, Within::Line)?;
        Ok(Some(Word(parts.parts)))
    }

    fn pieces(&mut self, parts: &mut Parts, within: Within) -> Result<(), SyntaxError> {
        let quoted = matches!(within, Within::Quotes | Within::Braces(true));
        while let Some(c) = self.peek() {
            match (c, within) {
                (c, Within::Line) if ends_word(c) => return Ok(()),
                ('"', Within::Quotes) | ('}', Within::Braces(_)) => return Ok(()),
                ('\\', _) => self.backslash(parts, quoted),
                ('\'', Within::Line | Within::Braces(false)) => self.single_quotes(parts)?,
                ('"', Within::Line | Within::Braces(_)) => {
                    self.skip();
                    let before = parts.parts.len();
                    self.pieces(parts, Within::Quotes)?;
                    self.expect_quote('"')?;
                    if parts.parts.len() == before {
                        parts.empty();
                    }
                }
                ('$', _) => self.dollar(parts, quoted)?,
                ('`', _) => self.backquotes(parts, quoted)?,
                (c, _) => {
                    self.skip();
                    parts.text(c, quoted);
                }
            }
        }
        Ok(())
    }

    fn expect_quote(&mut self, quote: char) -> Result<(), SyntaxError> {
        if self.peek() == Some(quote) {
            self.skip();
            Ok(())
        } else {
            Err(SyntaxError::Quote)
        }
    }

    fn backslash(&mut self, parts: &mut Parts, quoted: bool) {
        self.skip();
        match self.next() {
            // The line continues.
            Some('\n') => {}
            Some(c) if quoted && !matches!(c, '$' | '`' | '"' | '\\') => {
                parts.text('\\', true);
                parts.text(c, true);
            }
            Some(c) => parts.text(c, true),
            None => parts.text('\\', true),
        }
    }

    fn single_quotes(&mut self, parts: &mut Parts) -> Result<(), SyntaxError> {
        self.skip();
        let mut any = false;
        loop {
            match self.next() {
                Some('\'') => break,
                Some(c) => parts.text(c, true),
                None => return Err(SyntaxError::Quote),
            }
            any = true;
        }
        if !any {
            parts.empty();
        }
        Ok(())
    }

    /// Parses `$'…'`, with the escapes of C.
    fn c_quotes(&mut self, parts: &mut Parts) -> Result<(), SyntaxError> {
        self.skip();
        parts.empty();
        loop {
            let c = match self.next() {
                Some('\'') => return Ok(()),
                Some('\\') => match self.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some('e' | 'E') => '\x1b',
                    Some('0') => '\0',
                    Some(c) => c,
                    None => return Err(SyntaxError::Quote),
                },
                Some(c) => c,
                None => return Err(SyntaxError::Quote),
            };
            parts.text(c, true);
        }
    }

    fn dollar(&mut self, parts: &mut Parts, quoted: bool) -> Result<(), SyntaxError> {
        self.skip();
        match self.peek() {
            Some('(') => {
                self.skip();
                let list = self.substitution()?;
                parts.parts.push(Part::Output { list, quoted });
            }
            Some('{') => {
                self.skip();
                parts.parts.push(self.braces(quoted)?);
            }
            Some('\'') if !quoted => self.c_quotes(parts)?,
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name = self.name();
                parts.parts.push(Part::Variable { name, default: None, quoted });
            }
            Some(c @ ('?' | '$')) => {
                self.skip();
                let name = c.to_string();
                parts.parts.push(Part::Variable { name, default: None, quoted });
            }
            _ => parts.text('$', quoted),
        }
        Ok(())
    }

    /// Parses letters, digits and underscores.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || *c == '_') {
            self.skip();
            name.push(c);
        }
        name
    }

    fn braces(&mut self, quoted: bool) -> Result<Part, SyntaxError> {
        let mut name = self.name();
        if name.is_empty()
            && let Some(c) = self.peek().filter(|c| matches!(c, '?' | '$'))
        {
            self.skip();
            name.push(c);
        }
        let empty_too = self.peek() == Some(':');
        if empty_too {
            self.skip();
        }
        let default = match self.peek() {
            Some('}') if !empty_too => None,
            Some(how @ ('-' | '=' | '+' | '?')) => {
                self.skip();
                self.deeper()?;
                let mut parts = Parts::default();
                self.pieces(&mut parts, Within::Braces(quoted))?;
                self.shallower();
                Some(Fallback { how, empty_too, word: Word(parts.parts) })
            }
            Some(_) => return Err(SyntaxError::Substitution(name)),
            None => return Err(SyntaxError::Quote),
        };
        match self.next() {
            Some('}') if !name.is_empty() => Ok(Part::Variable { name, default, quoted }),
            Some(_) => Err(SyntaxError::Substitution(name)),
            None => Err(SyntaxError::Quote),
        }
    }

    /// Parses text between backquotes as a command line of its own, in which a backslash quotes once more.
    fn backquotes(&mut self, parts: &mut Parts, quoted: bool) -> Result<(), SyntaxError> {
        self.skip();
        let mut inner = String::new();
        loop {
            match self.next() {
                Some('`') => break,
                Some('\\') => match self.next() {
                    Some(c @ ('`' | '\\' | '$')) => inner.push(c),
                    Some('"') if quoted => inner.push('"'),
                    Some(c) => inner.extend(['\\', c]),
                    None => return Err(SyntaxError::Quote),
                },
                Some(c) => inner.push(c),
                None => return Err(SyntaxError::Quote),
            }
        }
        let list = self.parse_inner(&inner)?;
        parts.parts.push(Part::Output { list, quoted });
        Ok(())
    }
}
