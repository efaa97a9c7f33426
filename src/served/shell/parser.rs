//! Parsing the commands of a command line.
//!
//! As in mksh, a line is parsed after the previous one was run, so commands before a syntax error on a later line run.

use super::syntax::{Command, Item, Kind, Link, List, Pipeline, Redirect, Target, Word};

/// Why a command line cannot be parsed, with mksh's messages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SyntaxError {
    #[error("no closing quote")]
    Quote,
    #[error("syntax error: unexpected '{0}'")]
    Unexpected(String),
    #[error("syntax error: unexpected EOF")]
    End,
    #[error("${{{0}}}: bad substitution")]
    Substitution(String),
    #[error("out of memory")]
    Deep,
}

/// Limit on the nesting depth.
const DEEPEST: u32 = 48;
/// Reserved words that end a list of commands.
const CLOSERS: [&str; 7] = ["then", "elif", "else", "fi", "do", "done", "}"];

/// Parses a text from the current position.
pub(super) struct Parser {
    text: Vec<char>,
    at: usize,
    depth: u32,
    /// How many command substitutions the position is in.
    substitutions: u32,
}

impl Parser {
    pub fn new(text: &str) -> Parser {
        Parser { text: text.chars().collect(), at: 0, depth: 0, substitutions: 0 }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += 1;
        c
    }

    pub(super) fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(SyntaxError::Deep) } else { Ok(()) }
    }

    pub(super) fn shallower(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Parses the commands of the next line; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<List>, SyntaxError> {
        self.blanks(true);
        if self.peek().is_none() {
            return Ok(None);
        }
        let list = self.list(true)?;
        match self.peek() {
            None | Some('\n') => Ok(Some(list)),
            Some(_) => Err(self.unexpected()),
        }
    }

    /// Parses the rest of a command substitution `$(…)`, in which mksh refuses empty braces.
    pub(super) fn substitution(&mut self) -> Result<List, SyntaxError> {
        self.substitutions += 1;
        let list = self.inner_list(')')?;
        self.substitutions -= 1;
        Ok(list)
    }

    /// Parses commands up to the closing character, which is consumed.
    pub(super) fn inner_list(&mut self, end: char) -> Result<List, SyntaxError> {
        self.deeper()?;
        let list = self.list(false)?;
        self.shallower();
        match self.next() {
            Some(c) if c == end => Ok(list),
            Some(c) => Err(SyntaxError::Unexpected(c.to_string())),
            None => Err(SyntaxError::Quote),
        }
    }

    /// Skips blanks and comments, and with `lines` also line ends.
    fn blanks(&mut self, lines: bool) {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' => self.skip(),
                '\r' if self.peek_at(1) == Some('\n') => self.skip(),
                '\n' if lines => self.skip(),
                '\\' if self.peek_at(1) == Some('\n') => self.at += 2,
                '#' => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.skip();
                    }
                }
                _ => return,
            }
        }
    }

    fn unexpected(&self) -> SyntaxError {
        if let Some(word) = self.reserved() {
            return SyntaxError::Unexpected(word);
        }
        match self.peek() {
            Some('\n') => SyntaxError::Unexpected("newline".to_owned()),
            Some(c) if self.peek_at(1) == Some(c) => SyntaxError::Unexpected(format!("{c}{c}")),
            Some(c) => SyntaxError::Unexpected(c.to_string()),
            None => SyntaxError::End,
        }
    }

    /// Parses a sequence of commands; with `one_line` up to the end of the line.
    fn list(&mut self, one_line: bool) -> Result<List, SyntaxError> {
        let mut items = Vec::new();
        loop {
            self.blanks(!one_line);
            match self.peek() {
                None | Some('\n' | ')') => break,
                Some(_) if self.at_closer() => break,
                Some(_) => {}
            }
            let mut item = self.item()?;
            self.blanks(false);
            match self.peek() {
                Some(';') if self.peek_at(1) != Some(';') => self.skip(),
                Some('&') => {
                    self.skip();
                    item.background = true;
                }
                Some('\n') if !one_line => self.skip(),
                None | Some('\n' | ')') => {
                    items.push(item);
                    break;
                }
                Some(_) if self.at_closer() => {}
                Some(_) => return Err(self.unexpected()),
            }
            items.push(item);
        }
        Ok(List(items))
    }

    /// The reserved word at the current position, if any.
    fn reserved(&self) -> Option<String> {
        let rest = self.text.get(self.at..)?;
        let length = rest
            .iter()
            .position(|c| matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>'));
        let word: String = rest.get(..length.unwrap_or(rest.len()))?.iter().collect();
        let known = ["if", "for", "{", "!"];
        (known.contains(&word.as_str()) || CLOSERS.contains(&word.as_str())).then_some(word)
    }

    fn at_closer(&self) -> bool {
        self.reserved().is_some_and(|word| CLOSERS.contains(&word.as_str()))
    }

    fn item(&mut self) -> Result<Item, SyntaxError> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks(false);
            let link = match (self.peek(), self.peek_at(1)) {
                (Some('&'), Some('&')) => Link::And,
                (Some('|'), Some('|')) => Link::Or,
                _ => return Ok(Item { first, rest, background: false }),
            };
            self.at += 2;
            self.blanks(true);
            rest.push((link, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Result<Pipeline, SyntaxError> {
        let mut negated = false;
        while self.reserved().as_deref() == Some("!") {
            self.skip();
            self.blanks(false);
            negated = !negated;
        }
        let mut commands = vec![self.command()?];
        loop {
            self.blanks(false);
            if self.peek() != Some('|') || self.peek_at(1) == Some('|') {
                return Ok(Pipeline { negated, commands });
            }
            self.skip();
            self.blanks(true);
            commands.push(self.command()?);
        }
    }

    fn command(&mut self) -> Result<Command, SyntaxError> {
        self.blanks(false);
        self.deeper()?;
        let kind = match self.reserved().as_deref() {
            Some("if") => self.if_command()?,
            Some("for") => self.for_command()?,
            Some("{") => {
                self.skip();
                let list = self.list(false)?;
                self.keyword("}")?;
                if list.0.is_empty() && self.substitutions > 0 {
                    return Err(SyntaxError::Unexpected(";".to_owned()));
                }
                Kind::Group(list)
            }
            Some(word) => return Err(SyntaxError::Unexpected(word.to_owned())),
            None if self.peek() == Some('(') => {
                self.skip();
                Kind::Subshell(self.inner_list(')')?)
            }
            None => {
                self.shallower();
                return self.simple();
            }
        };
        let mut redirects = Vec::new();
        self.blanks(false);
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
            self.blanks(false);
        }
        self.shallower();
        Ok(Command { kind, redirects })
    }

    fn keyword(&mut self, word: &str) -> Result<(), SyntaxError> {
        self.blanks(true);
        match self.reserved() {
            Some(found) if found == word => {
                self.at += word.len();
                Ok(())
            }
            Some(found) => Err(SyntaxError::Unexpected(found)),
            None => Err(self.unexpected()),
        }
    }

    fn if_command(&mut self) -> Result<Kind, SyntaxError> {
        self.at += "if".len();
        let mut arms = Vec::new();
        loop {
            let condition = self.list(false)?;
            self.keyword("then")?;
            arms.push((condition, self.list(false)?));
            match self.reserved().as_deref() {
                Some("elif") => self.at += "elif".len(),
                Some("else") => {
                    self.at += "else".len();
                    let otherwise = self.list(false)?;
                    self.keyword("fi")?;
                    return Ok(Kind::If { arms, otherwise: Some(otherwise) });
                }
                _ => {
                    self.keyword("fi")?;
                    return Ok(Kind::If { arms, otherwise: None });
                }
            }
        }
    }

    fn for_command(&mut self) -> Result<Kind, SyntaxError> {
        self.at += "for".len();
        self.blanks(false);
        let name = self.word()?.and_then(|word| word.plain().map(str::to_owned)).ok_or(SyntaxError::End)?;
        self.blanks(false);
        let mut words = Vec::new();
        match self.word()? {
            Some(word) if word.plain() == Some("in") => {
                self.blanks(false);
                while let Some(word) = self.word()? {
                    words.push(word);
                    self.blanks(false);
                }
            }
            _ => return Err(self.unexpected()),
        }
        if self.peek() == Some(';') {
            self.skip();
        }
        Ok(Kind::For { name, words, body: self.do_list()? })
    }

    fn do_list(&mut self) -> Result<List, SyntaxError> {
        self.keyword("do")?;
        let body = self.list(false)?;
        self.keyword("done")?;
        Ok(body)
    }

    fn simple(&mut self) -> Result<Command, SyntaxError> {
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            self.blanks(false);
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            let Some(word) = self.word()? else { break };
            match assignment(&word).filter(|_| words.is_empty()) {
                Some(assignment) => assignments.push(assignment),
                None => words.push(word),
            }
        }
        if assignments.is_empty() && words.is_empty() && redirects.is_empty() {
            return Err(self.unexpected());
        }
        Ok(Command { kind: Kind::Simple { assignments, words }, redirects })
    }

    fn redirect(&mut self) -> Result<Option<Redirect>, SyntaxError> {
        let start = self.at;
        let stream = match (self.peek(), self.peek_at(1)) {
            (Some(c @ '0'..='9'), Some('<' | '>')) => {
                self.skip();
                // No command here has more than three streams.
                Some(match c {
                    '0' => 0,
                    '1' => 1,
                    '2' => 2,
                    _ => 9,
                })
            }
            _ => None,
        };
        let (default, make): (u8, fn(Word) -> Target) = match (self.next(), self.peek()) {
            (Some('>'), Some('>')) => (1, Target::Append),
            (Some('>'), Some('&')) => (1, Target::Stream),
            (Some('>'), _) => {
                self.at -= 1;
                (1, Target::Write)
            }
            (Some('<'), Some('&')) => (0, Target::Stream),
            (Some('<'), _) => {
                self.at -= 1;
                (0, Target::Read)
            }
            _ => {
                self.at = start;
                return Ok(None);
            }
        };
        self.skip();
        self.blanks(false);
        let word = self.word()?.ok_or_else(|| self.unexpected())?;
        Ok(Some(Redirect { stream: stream.unwrap_or(default), to: make(word) }))
    }
}

/// Splits `NAME=value` if the name is valid.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let super::syntax::Part::Text { text, quoted: false } = word.0.first()? else { return None };
    let (name, value) = text.split_once('=')?;
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let mut parts = Vec::new();
    if !value.is_empty() {
        parts.push(super::syntax::Part::Text { text: value.to_owned(), quoted: false });
    }
    parts.extend(word.0.iter().skip(1).cloned());
    Some((name.to_owned(), Word(parts)))
}
