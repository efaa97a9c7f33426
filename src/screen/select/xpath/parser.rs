//! The parser of XPaths, by recursive descent.

use std::ops::{Add, Sub};

use regex::{Regex, RegexBuilder};

use super::XPathError;
use super::functions::FUNCTIONS;
use super::syntax::{
    Attribute, Axis, Call, Expr, Kind, Operator, PRECEDENCE, Path, Start, Step, Test, attributes,
};

/// Largest depth of nested parentheses and brackets. Each level takes stack frames, both here and in evaluation.
const MAX_DEPTH: usize = 32;
/// Largest length in characters, more than any person or tool writes.
const MAX_CHARS: usize = 4096;
/// Largest size in bytes of a regular expression made ready.
const MAX_REGEX: usize = 1 << 20;

const OPERAND: &str = "a path, @attribute, a position, a function or a text in quotes";
const STEP: &str = "a class name, node, *, . or ..";

pub(super) fn parse(text: &str) -> Result<Expr, XPathError> {
    let mut parser = Parser { text, at: 0, depth: 0, positional: false };
    if let Some((index, _)) = text.char_indices().nth(MAX_CHARS) {
        parser.at = index;
        return Err(parser.error(&format!("at most {MAX_CHARS} characters")));
    }
    let expr = parser.expr()?;
    if !parser.rest().is_empty() {
        return Err(parser.error("/, //, [, | or the end"));
    }
    if !expr.names_widgets() {
        let expected = "a path to widgets, such as //*[@text='Save'] (a value of a widget is no widget)";
        return Err(parser.error_at(0, expected));
    }
    Ok(expr)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// Whether the predicate that is being parsed depends on the position or the number of the nodes.
    positional: bool,
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

    fn error_at(&mut self, at: usize, expected: &str) -> XPathError {
        self.at = at;
        self.error(expected)
    }

    fn none_of(&mut self, expected: &str, known: impl Iterator<Item = &'static str>) -> XPathError {
        self.error(&format!("{expected} ({})", known.collect::<Vec<_>>().join(", ")))
    }

    /// Where the next token begins.
    fn place(&mut self) -> usize {
        self.rest();
        self.at
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

    /// The function that is called next, without consuming anything; `None` if something else comes next, such as a path.
    fn peek_call(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let name = &rest[..rest.find(|char| !is_name(char) && char != ':')?];
        let called = rest[name.len()..].trim_start().starts_with('(') && !name.contains("::");
        (called && !matches!(name, "" | "node" | "text")).then_some(name)
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, XPathError>) -> Result<T, XPathError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(&format!("at most {MAX_DEPTH} nested parentheses and brackets")));
        }
        self.depth += 1;
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    fn expr(&mut self) -> Result<Expr, XPathError> {
        self.operands(0)
    }

    /// Operands joined by the operators of a level of [`PRECEDENCE`].
    fn operands(&mut self, level: usize) -> Result<Expr, XPathError> {
        let Some(operators) = PRECEDENCE.get(level) else { return self.path() };
        let begin = self.place();
        // A minus sign is weaker than the union only.
        let mut minus = 0;
        while level + 1 == PRECEDENCE.len() && self.accept("-") {
            minus += 1;
        }
        if minus > 0 {
            let sign: fn(f64, f64) -> f64 = if minus % 2 == 1 { f64::sub } else { f64::add };
            let signed = (Operator::Calculate(sign), self.operands(level)?);
            return Ok(Expr::Chain(Box::new(Expr::Number(0.0)), vec![signed]));
        }
        let first = self.operands(level + 1)?;
        let mut rest: Vec<(Operator, Expr)> = Vec::new();
        while let Some(operator) = self.operator(operators) {
            let at = self.place();
            let next = self.operands(level + 1)?;
            match operator {
                Operator::Union => {
                    self.nodes_at(begin, &first)?;
                    self.nodes_at(at, &next)?;
                }
                Operator::Equal(_) => {
                    let before = rest.last().map_or(&first, |(_, before)| before);
                    match (before, &next) {
                        (Expr::Attribute(_), word) => self.no_bare_word(at, word)?,
                        (word, Expr::Attribute(_)) => self.no_bare_word(begin, word)?,
                        _ => {}
                    }
                }
                _ => {}
            }
            rest.push((operator, next));
        }
        Ok(if rest.is_empty() { first } else { Expr::Chain(Box::new(first), rest) })
    }

    fn operator(&mut self, operators: &[(&str, Operator)]) -> Option<Operator> {
        let name = self.peek_name();
        let found = operators.iter().find(|(word, _)| {
            if word.starts_with(char::is_alphabetic) { name == *word } else { self.rest().starts_with(word) }
        });
        found.map(|(word, operator)| {
            self.at += word.len();
            *operator
        })
    }

    fn nodes_at(&mut self, at: usize, expr: &Expr) -> Result<(), XPathError> {
        if expr.kind() == Kind::Nodes { Ok(()) } else { Err(self.error_at(at, "a path")) }
    }

    /// Refuses `@text=Save` and `@enabled=true`: such a name stands for widgets of a class, which nobody means.
    fn no_bare_word(&mut self, at: usize, expr: &Expr) -> Result<(), XPathError> {
        let Expr::Path(Path { start: Start::Context, steps }) = expr else { return Ok(()) };
        match steps.as_slice() {
            [Step { axis: Axis::Child, test: Test::Word(name), .. }] => {
                Err(self.error_at(at, &format!("@attribute or a text in quotes, such as '{name}'")))
            }
            _ => Ok(()),
        }
    }

    /// A path, or what is no path but a text, a number or a call of a function.
    fn path(&mut self) -> Result<Expr, XPathError> {
        let Some(inner) = self.primary()? else { return self.location() };
        if inner.kind() != Kind::Nodes || !self.rest().starts_with(['/', '[']) {
            return Ok(inner);
        }
        let (predicates, _) = self.predicates()?;
        let steps = self.steps(Vec::new())?;
        Ok(Expr::Path(Path { start: Start::Of(Box::new(inner), predicates), steps }))
    }

    /// An expression in parentheses, a call, a text or a number. `None` if a path comes next.
    fn primary(&mut self) -> Result<Option<Expr>, XPathError> {
        let rest = self.rest();
        let digits = rest.strip_prefix('.').unwrap_or(rest);
        if self.accept("(") {
            let inner = self.nested(Self::expr)?;
            self.expect(")")?;
            return Ok(Some(inner));
        }
        if digits.starts_with(|char: char| char.is_ascii_digit()) {
            return self.number().map(Some);
        }
        if let Some(quote) = rest.chars().next().filter(|char| matches!(char, '"' | '\'')) {
            let Some(length) = rest[1..].find(quote) else {
                return Err(self.error_at(self.text.len(), &format!("{quote} after the text")));
            };
            self.at += length + 2;
            return Ok(Some(Expr::Literal(rest[1..=length].to_owned())));
        }
        match self.peek_call() {
            Some(name) => self.call(name).map(Some),
            None => Ok(None),
        }
    }

    fn number(&mut self) -> Result<Expr, XPathError> {
        let rest = self.rest();
        let end = rest.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(rest.len());
        let number = rest[..end].parse().map_err(|_| self.error("a number"))?;
        self.at += end;
        Ok(Expr::Number(number))
    }

    fn call(&mut self, name: &str) -> Result<Expr, XPathError> {
        let Some(function) = FUNCTIONS.iter().find(|known| known.0 == name) else {
            return Err(self.none_of("a function", FUNCTIONS.iter().map(|known| known.0)));
        };
        let (least, most) = (function.1, function.2);
        self.at += name.len();
        self.expect("(")?;
        self.positional |= matches!(name, "position" | "last");
        let mut arguments: Vec<Expr> = Vec::new();
        let mut last = self.place();
        while arguments.len() < least || (arguments.len() < most && !self.rest().starts_with(')')) {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            last = self.place();
            let argument = self.nested(Self::expr)?;
            if !arguments.is_empty() {
                self.no_bare_word(last, &argument)?;
            } else if matches!(name, "count" | "sum" | "name" | "local-name") {
                self.nodes_at(last, &argument)?;
            }
            arguments.push(argument);
        }
        self.expect(")")?;
        Ok(match name {
            "concat" => concat(Call { function, arguments, regex: None }),
            "matches" | "re:match" | "re:test" => {
                let regex = Some(self.regex(last, &arguments)?);
                Expr::Call(Call { function, arguments, regex })
            }
            _ => Expr::Call(Call { function, arguments, regex: None }),
        })
    }

    /// The regular expression in the arguments of `matches`, made ready once. The last one begins at `last`.
    fn regex(&mut self, last: usize, arguments: &[Expr]) -> Result<Regex, XPathError> {
        let (pattern, flags) = match arguments {
            [_, Expr::Literal(pattern)] => (pattern, ""),
            [_, Expr::Literal(pattern), Expr::Literal(flags)] => (pattern, flags.as_str()),
            _ => return Err(self.error_at(last, "a text in quotes, as a regular expression is one")),
        };
        if !flags.chars().all(|flag| "imsx".contains(flag)) {
            return Err(self.error_at(last, "flags: some of i, m, s and x"));
        }
        let has = |flag| flags.contains(flag);
        let mut builder = RegexBuilder::new(pattern);
        builder.case_insensitive(has('i')).multi_line(has('m')).dot_matches_new_line(has('s'));
        builder.ignore_whitespace(has('x')).size_limit(MAX_REGEX).build().map_err(|error| {
            let why = error.to_string();
            let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
            self.error_at(last, &format!("a regular expression ({why})"))
        })
    }

    /// A path that begins with a slash or a step.
    fn location(&mut self) -> Result<Expr, XPathError> {
        let mut steps = Vec::new();
        let rest = self.rest();
        let start = if rest.starts_with('/') {
            Start::Document
        } else if rest.starts_with(['.', '@', '*', '_']) || rest.starts_with(char::is_alphabetic) {
            self.step(false, &mut steps)?;
            Start::Context
        } else {
            return Err(self.error(OPERAND));
        };
        let steps = self.steps(steps)?;
        Ok(match (&start, steps.as_slice()) {
            (
                Start::Context,
                [Step { axis: Axis::Attribute, test: Test::Attribute(attribute), predicates, .. }],
            ) if predicates.is_empty() => Expr::Attribute(*attribute),
            _ => Expr::Path(Path { start, steps }),
        })
    }

    /// The steps that follow, each after a slash.
    fn steps(&mut self, mut steps: Vec<Step>) -> Result<Vec<Step>, XPathError> {
        loop {
            if self.accept("//") {
                self.step(true, &mut steps)?;
            } else if self.accept("/") {
                self.step(false, &mut steps)?;
            } else {
                return Ok(steps);
            }
        }
    }

    /// Parses a step, which `//` precedes if it is `deep`. Where that makes no difference, `//a` becomes one step to the
    /// descendants.
    fn step(&mut self, deep: bool, steps: &mut Vec<Step>) -> Result<(), XPathError> {
        let descendants = || Step::plain(Axis::DescendantOrSelf, Test::Node);
        let dots = [("..", Axis::Parent), (".", Axis::Itself)];
        if let Some((_, axis)) = dots.into_iter().find(|(dots, _)| self.accept(dots)) {
            steps.extend(deep.then(descendants));
            steps.push(Step::plain(axis, Test::Node));
            return Ok(());
        }
        let begin = self.place();
        let axis = self.axis()?;
        let test = match self.peek_name() {
            "text" if self.accepts_type("text") => Test::Attribute(Attribute::TextNode),
            "node" if self.accepts_type("node") => Test::Node,
            name => self.test(axis, name)?,
        };
        if self.rest().starts_with(['(', ':']) {
            return Err(self.error("[, /, // or the end (a function stands around a path)"));
        }
        let is_text = matches!(test, Test::Attribute(Attribute::TextNode));
        let (reached, below) = match axis {
            Axis::Child if is_text => (Axis::Attribute, deep),
            Axis::Descendant | Axis::DescendantOrSelf if is_text => (Axis::Attribute, true),
            _ if is_text => return Err(self.error_at(begin, "text() behind /, // or descendant::")),
            axis => (axis, deep),
        };
        let (predicates, positional) = self.predicates()?;
        let axis = match reached {
            Axis::Child if deep && !positional => Axis::Descendant,
            axis => {
                steps.extend(below.then(descendants));
                axis
            }
        };
        steps.push(Step { axis, test, predicates, positional });
        Ok(())
    }

    fn axis(&mut self) -> Result<Axis, XPathError> {
        if self.accept("@") {
            return Ok(Axis::Attribute);
        }
        let name = self.peek_name();
        if !self.rest()[name.len()..].trim_start().starts_with("::") {
            return Ok(Axis::Child);
        }
        let Some(axis) = Axis::ALL.into_iter().find(|known| known.word() == name) else {
            return Err(self.none_of("an axis", Axis::ALL.into_iter().map(Axis::word)));
        };
        self.at += name.len();
        self.expect("::")?;
        Ok(axis)
    }

    /// Consumes `name()`; consumes nothing if something else comes next.
    fn accepts_type(&mut self, name: &str) -> bool {
        let before = self.at;
        let accepted = self.accept(name) && self.accept("(") && self.accept(")");
        if !accepted {
            self.at = before;
        }
        accepted
    }

    fn test(&mut self, axis: Axis, name: &str) -> Result<Test, XPathError> {
        if self.accept("*") {
            return Ok(Test::Any);
        }
        let attribute = attributes().find(|(known, _)| *known == name);
        match (axis, attribute) {
            (Axis::Attribute, Some((_, attribute))) => {
                self.at += name.len();
                Ok(Test::Attribute(attribute))
            }
            (Axis::Attribute, None) => {
                Err(self.none_of("an attribute of a dump", attributes().map(|(known, _)| known)))
            }
            (_, Some(_)) => Err(self.error(&format!("@{name}, as this is an attribute and no class"))),
            (_, None) if name.starts_with(|char: char| char.is_alphabetic() || char == '_') => {
                self.at += name.len();
                Ok(if name.contains('.') { Test::Name(name.to_owned()) } else { Test::Word(name.to_owned()) })
            }
            (_, None) => Err(self.error(STEP)),
        }
    }

    /// The predicates that follow, and whether one depends on the position or the number of the nodes.
    fn predicates(&mut self) -> Result<(Vec<Expr>, bool), XPathError> {
        let outer = std::mem::replace(&mut self.positional, false);
        let mut predicates = Vec::new();
        while self.accept("[") {
            let predicate = self.nested(Self::expr)?;
            self.expect("]").map_err(|error| XPathError { expected: "and, or or ]".to_owned(), ..error })?;
            self.positional |= predicate.kind() == Kind::Number;
            match predicate {
                // Two predicates are looked at faster.
                Expr::Chain(first, rest) if !self.positional && all_joined(&first, &rest) => {
                    predicates.push(*first);
                    predicates.extend(rest.into_iter().map(|(_, operand)| operand));
                }
                predicate => predicates.push(predicate),
            }
        }
        let positional = std::mem::replace(&mut self.positional, outer);
        Ok((predicates, positional))
    }
}

/// Whether operands joined by `and` mean the same as predicates, where a number would mean a position.
fn all_joined(first: &Expr, rest: &[(Operator, Expr)]) -> bool {
    let no_number = |expr: &Expr| expr.kind() != Kind::Number;
    let joined =
        rest.iter().all(|(operator, operand)| matches!(operator, Operator::And) && no_number(operand));
    joined && no_number(first)
}

/// A call of `concat`: texts are joined at once.
fn concat(call: Call) -> Expr {
    let text = |argument: &Expr| if let Expr::Literal(text) = argument { Some(text.clone()) } else { None };
    let joined: Option<String> = call.arguments.iter().map(text).collect();
    joined.map_or(Expr::Call(call), Expr::Literal)
}

/// Whether a character may occur in names of classes, attributes and functions; `$` occurs in inner classes.
fn is_name(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '.' | '-' | '$')
}
