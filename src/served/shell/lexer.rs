//! Parsing the words of a command line, with their quotes, variables and command substitutions.

use super::parser::{Parser, SyntaxError};
use super::syntax::{Part, Word};

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
        let quoted = within == Within::Quotes;
        while let Some(c) = self.peek() {
            match (c, within) {
                (c, Within::Line) if ends_word(c) => return Ok(()),
                ('"', Within::Quotes) => return Ok(()),
                ('\\', _) => self.backslash(parts, quoted),
                ('\'', Within::Line) => self.single_quotes(parts)?,
                ('"', Within::Line) => {
                    self.skip();
                    let before = parts.parts.len();
                    self.pieces(parts, Within::Quotes)?;
                    self.expect_quote('"')?;
                    if parts.parts.len() == before {
                        parts.empty();
                    }
                }
                ('$', _) => self.dollar(parts, quoted)?,
                ('`', _) => return Err(SyntaxError::Unexpected("`".to_owned())),
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
                let name = self.name();
                match self.next() {
                    Some('}') if !name.is_empty() => parts.parts.push(Part::Variable { name, quoted }),
                    _ => return Err(SyntaxError::Substitution(name)),
                }
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name = self.name();
                parts.parts.push(Part::Variable { name, quoted });
            }
            Some(c @ ('?' | '$')) => {
                self.skip();
                let name = c.to_string();
                parts.parts.push(Part::Variable { name, quoted });
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
}
