//! Parsing the commands of a command line.
//!
//! As in mksh, a line is parsed after the previous one was run, so commands before a syntax error on a later line run.

use super::lexer::Token;
use super::syntax::{Command, Kind, Link, List, Redirect, Step, Word};

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
    pub(super) text: Vec<char>,
    /// The position after the token.
    pub(super) at: usize,
    token: Token,
    depth: u32,
    /// How many command substitutions the position is in.
    substitutions: u32,
}

impl Parser {
    pub fn new(text: &str) -> Parser {
        Parser { text: text.chars().collect(), at: 0, token: Token::End, depth: 0, substitutions: 0 }
    }

    /// Parses the commands of the next line; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<List>, SyntaxError> {
        self.advance()?;
        self.skip_lines()?;
        if self.token == Token::End {
            return Ok(None);
        }
        let list = self.list(true)?;
        if self.token == Token::End || self.at_operator("\n") {
            Ok(Some(list))
        } else {
            Err(self.unexpected())
        }
    }

    /// Parses the rest of a command substitution `$(…)`, in which mksh refuses empty braces.
    pub(super) fn substitution(&mut self) -> Result<List, SyntaxError> {
        self.deeper()?;
        self.substitutions += 1;
        let around = std::mem::replace(&mut self.token, Token::End);
        self.advance()?;
        let list = self.list(false)?;
        self.substitutions -= 1;
        self.depth -= 1;
        match std::mem::replace(&mut self.token, around) {
            Token::Operator(")") => Ok(list),
            Token::End => Err(SyntaxError::Quote),
            other => Err(unexpected(&other)),
        }
    }

    fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(SyntaxError::Deep) } else { Ok(()) }
    }

    fn advance(&mut self) -> Result<(), SyntaxError> {
        self.token = self.lex()?;
        Ok(())
    }

    fn skip_lines(&mut self) -> Result<(), SyntaxError> {
        while self.at_operator("\n") {
            self.advance()?;
        }
        Ok(())
    }

    fn at_operator(&self, operator: &str) -> bool {
        matches!(self.token, Token::Operator(found) if found == operator)
    }

    /// The word at the current position, if nothing in it is quoted.
    fn plain(&self) -> Option<&str> {
        if let Token::Word(word) = &self.token { word.plain() } else { None }
    }

    fn unexpected(&self) -> SyntaxError {
        unexpected(&self.token)
    }

    /// Parses a sequence of commands; with `one_line` up to the end of the line.
    fn list(&mut self, one_line: bool) -> Result<List, SyntaxError> {
        let mut steps = Vec::new();
        loop {
            if !one_line {
                self.skip_lines()?;
            }
            let ends = self.token == Token::End || self.at_operator("\n") || self.at_operator(")");
            if ends || self.plain().is_some_and(|word| CLOSERS.contains(&word)) {
                break;
            }
            let start = steps.len();
            let mut link = Link::Always;
            loop {
                steps.push(self.pipeline(link)?);
                link = match self.token {
                    Token::Operator("&&") => Link::And,
                    Token::Operator("||") => Link::Or,
                    _ => break,
                };
                self.advance()?;
                self.skip_lines()?;
            }
            let background = self.at_operator("&");
            steps.iter_mut().skip(start).for_each(|step: &mut Step| step.background = background);
            if background || self.at_operator(";") {
                self.advance()?;
            } else if one_line || !self.at_operator("\n") {
                break;
            }
        }
        Ok(List(steps))
    }

    fn pipeline(&mut self, link: Link) -> Result<Step, SyntaxError> {
        let mut negated = false;
        while self.plain() == Some("!") {
            self.advance()?;
            negated = !negated;
        }
        let mut commands = vec![self.command()?];
        while self.at_operator("|") {
            self.advance()?;
            self.skip_lines()?;
            commands.push(self.command()?);
        }
        Ok(Step { link, negated, commands, background: false })
    }

    fn command(&mut self) -> Result<Command, SyntaxError> {
        self.deeper()?;
        let mut redirects = Vec::new();
        let kind = match self.plain() {
            Some("if") => self.if_command()?,
            Some("for") => self.for_command()?,
            Some("{") => {
                self.advance()?;
                let list = self.list(false)?;
                self.keyword("}")?;
                if list.0.is_empty() && self.substitutions > 0 {
                    return Err(SyntaxError::Unexpected(";".to_owned()));
                }
                Kind::Group(list)
            }
            Some(word) if CLOSERS.contains(&word) => return Err(self.unexpected()),
            _ if self.at_operator("(") => {
                self.advance()?;
                let list = self.list(false)?;
                if !self.at_operator(")") {
                    return Err(self.unexpected());
                }
                self.advance()?;
                Kind::Subshell(list)
            }
            _ => self.simple(&mut redirects)?,
        };
        while self.redirect(&mut redirects)? {}
        self.depth -= 1;
        Ok(Command { kind, redirects })
    }

    fn keyword(&mut self, word: &str) -> Result<(), SyntaxError> {
        self.skip_lines()?;
        if self.plain() == Some(word) { self.advance() } else { Err(self.unexpected()) }
    }

    fn if_command(&mut self) -> Result<Kind, SyntaxError> {
        let mut arms = Vec::new();
        while matches!(self.plain(), Some("if" | "elif")) {
            self.advance()?;
            let condition = self.list(false)?;
            self.keyword("then")?;
            arms.push((condition, self.list(false)?));
        }
        let mut otherwise = List::default();
        if self.plain() == Some("else") {
            self.advance()?;
            otherwise = self.list(false)?;
        }
        self.keyword("fi")?;
        Ok(Kind::If { arms, otherwise })
    }

    fn for_command(&mut self) -> Result<Kind, SyntaxError> {
        self.advance()?;
        let name = self.plain().ok_or_else(|| self.unexpected())?.to_owned();
        self.advance()?;
        self.keyword("in")?;
        let mut words = Vec::new();
        while let Some(word) = self.word()? {
            words.push(word);
        }
        if self.at_operator(";") {
            self.advance()?;
        }
        self.keyword("do")?;
        let body = self.list(false)?;
        self.keyword("done")?;
        Ok(Kind::For { name, words, body })
    }

    fn simple(&mut self, redirects: &mut Vec<Redirect>) -> Result<Kind, SyntaxError> {
        let (mut assignments, mut words) = (Vec::new(), Vec::new());
        loop {
            if self.redirect(redirects)? {
                continue;
            }
            let Some(word) = self.word()? else { break };
            match word.assignment().filter(|_| words.is_empty()) {
                Some(assignment) => assignments.push(assignment),
                None => words.push(word),
            }
        }
        if assignments.is_empty() && words.is_empty() && redirects.is_empty() {
            return Err(self.unexpected());
        }
        Ok(Kind::Simple { assignments, words })
    }

    /// Takes a word, if one comes next.
    fn word(&mut self) -> Result<Option<Word>, SyntaxError> {
        let Token::Word(word) = &mut self.token else { return Ok(None) };
        let word = std::mem::take(word);
        self.advance()?;
        Ok(Some(word))
    }

    /// Takes a redirection, if one comes next.
    fn redirect(&mut self, redirects: &mut Vec<Redirect>) -> Result<bool, SyntaxError> {
        let Token::Redirect(stream, sign) = self.token else { return Ok(false) };
        self.advance()?;
        let word = self.word()?.ok_or_else(|| self.unexpected())?;
        redirects.push(Redirect { stream, sign, word });
        Ok(true)
    }
}

fn unexpected(token: &Token) -> SyntaxError {
    match token {
        Token::Word(word) => SyntaxError::Unexpected(word.plain().unwrap_or("word").to_owned()),
        Token::Operator("\n") => SyntaxError::Unexpected("newline".to_owned()),
        Token::Operator(sign) | Token::Redirect(_, sign) => SyntaxError::Unexpected((*sign).to_owned()),
        Token::End => SyntaxError::End,
    }
}
