//! Splits a command line into words and operators, with the quotes, variables and command substitutions of the words.

use super::parser::{Parser, SyntaxError};
use super::syntax::{Part, Piece, Word};

/// What a command line consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// The stream of a redirection, and the sign of it.
    Redirect(u8, &'static str),
    /// Another operator, or the end of a line.
    Operator(&'static str),
    /// The end of the text.
    End,
}

/// The signs of redirections, and their usual streams. Those that begin alike are in the order of their lengths.
const REDIRECTS: [(&str, u8); 5] = [(">>", 1), (">&", 1), (">", 1), ("<&", 0), ("<", 0)];
const OPERATORS: [&str; 8] = ["&&", "||", "\n", ";", "&", "|", "(", ")"];

impl Parser {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += 1;
        c
    }

    /// Skips a sign if it comes next.
    fn takes(&mut self, sign: &str) -> bool {
        let there = sign.chars().enumerate().all(|(ahead, c)| self.text.get(self.at + ahead) == Some(&c));
        self.at += if there { sign.len() } else { 0 };
        there
    }

    /// Reads the next word or operator.
    pub(super) fn lex(&mut self) -> Result<Token, SyntaxError> {
        while self.takes(" ") || self.takes("\t") || self.takes("\\\n") {}
        if self.peek() == Some('#') {
            while self.peek().is_some_and(|c| c != '\n') {
                self.at += 1;
            }
        }
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(&['\r', '\n'])) {
            self.at += 1;
        }
        let stream = match self.text.get(self.at..) {
            Some([c @ '0'..='9', '<' | '>', ..]) => c.to_digit(10).and_then(|stream| stream.try_into().ok()),
            _ => None,
        };
        self.at += usize::from(stream.is_some());
        for (sign, usual) in REDIRECTS {
            if self.takes(sign) {
                return Ok(Token::Redirect(stream.unwrap_or(usual), sign));
            }
        }
        match OPERATORS.into_iter().find(|operator| self.takes(operator)) {
            Some(operator) => Ok(Token::Operator(operator)),
            None if self.peek().is_none() => Ok(Token::End),
            None => self.read_word().map(Token::Word),
        }
    }

    fn read_word(&mut self) -> Result<Word, SyntaxError> {
        let mut word = Word::default();
        let mut quoted = false;
        while let Some(c) = self.peek() {
            if !quoted && " \t\n;&|<>()".contains(c) {
                break;
            }
            self.at += 1;
            match c {
                '"' => {
                    quoted = !quoted;
                    // Empty quotes make a word as well.
                    word.push("", true);
                }
                '\'' if !quoted => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    let length = rest.iter().position(|c| *c == '\'').ok_or(SyntaxError::Quote)?;
                    word.push(&rest.iter().take(length).collect::<String>(), true);
                    self.at += length + 1;
                }
                '\\' => match self.next() {
                    // The line continues.
                    Some('\n') => {}
                    Some(c) if quoted && !"$`\"\\".contains(c) => word.push(&format!("\\{c}"), true),
                    c => word.push(c.unwrap_or('\\').encode_utf8(&mut [0; 4]), true),
                },
                '$' => match self.expansion()? {
                    Some(piece) => word.0.push(Part { piece, quoted }),
                    None => word.push("$", quoted),
                },
                '`' => return Err(SyntaxError::Unexpected("`".to_owned())),
                c => word.push(c.encode_utf8(&mut [0; 4]), quoted),
            }
        }
        if quoted { Err(SyntaxError::Quote) } else { Ok(word) }
    }

    /// What comes after `$`; `None` if that stands for itself.
    fn expansion(&mut self) -> Result<Option<Piece>, SyntaxError> {
        Ok(Some(match self.peek() {
            Some('(') => {
                self.at += 1;
                Piece::Output(self.substitution()?)
            }
            Some('{') => {
                self.at += 1;
                let name = self.name();
                if name.is_empty() || !self.takes("}") {
                    return Err(SyntaxError::Substitution(name));
                }
                Piece::Variable(name)
            }
            Some(c @ ('?' | '$')) => {
                self.at += 1;
                Piece::Variable(c.to_string())
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => Piece::Variable(self.name()),
            _ => return Ok(None),
        }))
    }

    /// Reads letters, digits and underscores.
    fn name(&mut self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let name: String = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect();
        self.at += name.len();
        name
    }
}
