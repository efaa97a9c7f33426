//! The parser of XPaths, by recursive descent.

use super::{ATTRIBUTES, Attribute, Compare, Number, Path, Predicate, Start, Step, Test, Value, XPathError};

/// Largest depth of nested parentheses and `not(…)`. Each level takes a stack frame, both here and in evaluation.
const MAX_DEPTH: usize = 32;
/// Largest length in characters, more than any person or tool writes.
const MAX_CHARS: usize = 4096;

pub(super) fn parse(text: &str) -> Result<Path, XPathError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    if let Some((index, _)) = text.char_indices().nth(MAX_CHARS) {
        parser.at = index;
        return Err(parser.error(&format!("at most {MAX_CHARS} characters")));
    }
    let path = parser.path()?;
    if parser.rest().is_empty() { Ok(path) } else { Err(parser.error("/, //, [ or the end")) }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// The remaining text, without leading blanks.
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn error(&mut self, expected: &str) -> XPathError {
        let rest = self.rest();
        let found = match rest.chars().next() {
            None => "the end".to_owned(),
            Some(char) if is_name(char) => {
                let end = rest.find(|char| !is_name(char)).unwrap_or(rest.len());
                format!("{:?}", rest[..end].chars().take(40).collect::<String>())
            }
            Some(char) => format!("{:?}", char.to_string()),
        };
        let position = self.text[..self.at].chars().count();
        XPathError { source_text: self.text.to_owned(), position, expected: expected.to_owned(), found }
    }

    fn accept(&mut self, token: &str) -> bool {
        let accepted = self.rest().starts_with(token);
        if accepted {
            self.at += token.len();
        }
        accepted
    }

    fn expect(&mut self, token: &str) -> Result<(), XPathError> {
        if self.accept(token) { Ok(()) } else { Err(self.error(token)) }
    }

    /// The name that comes next, without consuming it; empty if there is none.
    fn peek_name(&mut self) -> &'t str {
        let rest = self.rest();
        &rest[..rest.find(|char| !is_name(char)).unwrap_or(rest.len())]
    }

    fn accept_word(&mut self, word: &str) -> bool {
        self.peek_name() == word && self.accept(word)
    }

    /// Consumes `word(`, the beginning of a function call; consumes nothing if something else comes next.
    fn accept_call(&mut self, word: &str) -> bool {
        let before = self.at;
        let accepted = self.accept_word(word) && self.accept("(");
        if !accepted {
            self.at = before;
        }
        accepted
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, XPathError>) -> Result<T, XPathError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(&format!("at most {MAX_DEPTH} nested parentheses")));
        }
        self.depth += 1;
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    fn path(&mut self) -> Result<Path, XPathError> {
        let mut steps = Vec::new();
        let start = if self.accept("(") {
            let inner = self.nested(Self::path)?;
            self.expect(")")?;
            Start::Group(Box::new(inner), self.predicates()?)
        } else if self.rest().starts_with('/') {
            Start::Document
        } else {
            steps.push(self.step(false)?);
            Start::Hierarchy
        };
        loop {
            if self.accept("//") {
                steps.push(self.step(true)?);
            } else if self.accept("/") {
                steps.push(self.step(false)?);
            } else {
                return Ok(Path { start, steps });
            }
        }
    }

    fn step(&mut self, deep: bool) -> Result<Step, XPathError> {
        let plain = |test| Ok(Step { deep, test, predicates: Vec::new() });
        if self.accept("..") {
            return plain(Test::Parent);
        }
        if self.accept(".") {
            return plain(Test::Itself);
        }
        let name = self.peek_name();
        let test = if self.accept("*") {
            Test::Any
        } else if name.starts_with(|char: char| char.is_alphabetic() || char == '_') {
            self.at += name.len();
            Test::Name(name.to_owned())
        } else {
            return Err(self.error("a class name, node, *, . or .."));
        };
        if self.rest().starts_with(['(', ':']) {
            return Err(self.error("[, /, // or the end (axes and functions of nodes are not in the subset)"));
        }
        Ok(Step { deep, test, predicates: self.predicates()? })
    }

    fn predicates(&mut self) -> Result<Vec<Predicate>, XPathError> {
        let mut predicates = Vec::new();
        while self.accept("[") {
            predicates.push(self.any_of()?);
            self.expect("]").map_err(|error| XPathError { expected: "and, or or ]".to_owned(), ..error })?;
        }
        Ok(predicates)
    }

    fn any_of(&mut self) -> Result<Predicate, XPathError> {
        let first = self.all()?;
        let mut parts = vec![first];
        while self.accept_word("or") {
            parts.push(self.all()?);
        }
        Ok(single(parts).unwrap_or_else(Predicate::AnyOf))
    }

    fn all(&mut self) -> Result<Predicate, XPathError> {
        let mut parts = vec![self.primary()?];
        while self.accept_word("and") {
            parts.push(self.primary()?);
        }
        Ok(single(parts).unwrap_or_else(Predicate::All))
    }

    fn primary(&mut self) -> Result<Predicate, XPathError> {
        if self.accept("(") {
            let inner = self.nested(Self::any_of)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.accept_call("not") {
            let inner = self.nested(Self::any_of)?;
            self.expect(")")?;
            return Ok(Predicate::Not(Box::new(inner)));
        }
        if self.accept_call("contains") {
            return self.pair().map(|(whole, part)| Predicate::Contains(whole, part));
        }
        if self.accept_call("starts-with") {
            return self.pair().map(|(whole, part)| Predicate::StartsWith(whole, part));
        }
        if self.accept_call("position") {
            self.expect(")")?;
            let compare = self.compare()?;
            return Ok(Predicate::Position(compare, self.number()?));
        }
        let rest = self.rest();
        if rest.starts_with(|char: char| char.is_ascii_digit()) || self.peek_name() == "last" {
            return Ok(Predicate::Position(Compare::Equal, self.number()?));
        }
        if !rest.starts_with(['@', '"', '\'']) {
            return Err(self.error("a position, @attribute, contains(, starts-with( or not("));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Predicate, XPathError> {
        let left = self.value()?;
        if self.accept("!=") {
            return Ok(Predicate::Differs(left, self.value()?));
        }
        if self.accept("=") {
            return Ok(Predicate::Equals(left, self.value()?));
        }
        match left {
            Value::Attribute(attribute) => Ok(Predicate::Has(attribute)),
            Value::Literal(_) => Err(self.error("= or !=")),
        }
    }

    fn pair(&mut self) -> Result<(Value, Value), XPathError> {
        let first = self.value()?;
        self.expect(",")?;
        let second = self.value()?;
        self.expect(")")?;
        Ok((first, second))
    }

    fn compare(&mut self) -> Result<Compare, XPathError> {
        let signs = [
            ("!=", Compare::NotEqual),
            ("<=", Compare::AtMost),
            (">=", Compare::AtLeast),
            ("=", Compare::Equal),
            ("<", Compare::Less),
            (">", Compare::More),
        ];
        let found = signs.iter().find(|(sign, _)| self.accept(sign));
        found.map(|(_, compare)| *compare).ok_or_else(|| self.error("=, !=, <, <=, > or >="))
    }

    fn number(&mut self) -> Result<Number, XPathError> {
        if self.accept_call("last") {
            self.expect(")")?;
            return Ok(Number::FromLast(if self.accept("-") { self.digits()? } else { 0 }));
        }
        Ok(Number::Is(self.digits()?))
    }

    fn digits(&mut self) -> Result<usize, XPathError> {
        let rest = self.rest();
        let digits = &rest[..rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len())];
        let Ok(number) = digits.parse() else {
            return Err(self.error("a number or last()"));
        };
        self.at += digits.len();
        Ok(number)
    }

    fn value(&mut self) -> Result<Value, XPathError> {
        let rest = self.rest();
        if self.accept("@") {
            return self.attribute().map(Value::Attribute);
        }
        if rest.starts_with(|char: char| char.is_ascii_digit()) {
            return self.digits().map(|number| Value::Literal(number.to_string()));
        }
        let Some(quote) = rest.chars().next().filter(|char| matches!(char, '"' | '\'')) else {
            return Err(self.error("@attribute or a text in quotes"));
        };
        let Some(length) = rest[1..].find(quote) else {
            self.at = self.text.len();
            return Err(self.error(&format!("{quote} after the text")));
        };
        self.at += length + 2;
        Ok(Value::Literal(rest[1..=length].to_owned()))
    }

    fn attribute(&mut self) -> Result<Attribute, XPathError> {
        let name = self.peek_name();
        match ATTRIBUTES.iter().find(|(known, _)| *known == name) {
            Some((_, attribute)) => {
                self.at += name.len();
                Ok(*attribute)
            }
            None => {
                let known: Vec<&str> = ATTRIBUTES.iter().map(|(known, _)| *known).collect();
                Err(self.error(&format!("an attribute of a dump ({})", known.join(", "))))
            }
        }
    }
}

/// Returns the only part, or `Err` with all of them.
fn single(mut parts: Vec<Predicate>) -> Result<Predicate, Vec<Predicate>> {
    match parts.pop() {
        Some(only) if parts.is_empty() => Ok(only),
        Some(last) => {
            parts.push(last);
            Err(parts)
        }
        None => Err(parts),
    }
}

/// Whether a character may occur in names of classes, attributes and functions; `$` occurs in inner classes.
fn is_name(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '.' | '-' | '$')
}
