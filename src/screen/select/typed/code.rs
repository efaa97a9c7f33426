//! Calls in the languages in which people write selectors: Python, Java, Kotlin, JavaScript, Ruby and C#. Only what
//! stands there is parsed. Nothing is evaluated, so a variable stays a name.

use super::Problem;
use super::head::is_wait;

/// Largest number of calls, lists and objects inside each other.
const MAX_DEPTH: usize = 32;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    Text(String),
    Number(i64),
    Chain(Vec<Link>),
    List(Vec<Expr>),
    /// `{ key: value }`.
    Object(Vec<Argument>),
}

/// A part of a chain such as `a.b(c)[1]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Link {
    pub name: String,
    /// What it is called with; `None` if it is not called.
    pub arguments: Option<Vec<Argument>>,
    /// What stands in brackets behind it.
    pub indices: Vec<Expr>,
    /// Where it begins, in bytes.
    pub at: usize,
}

/// A value that is passed, and the name by which it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Argument {
    pub name: Option<String>,
    pub value: Expr,
}

impl Link {
    /// The name as all languages spell it: in lower case, without underscores.
    pub fn word(&self) -> String {
        folded(&self.name)
    }

    /// The values that are passed without a name; none if it is not called.
    pub fn unnamed(&self) -> Vec<&Expr> {
        let all = self.arguments.iter().flatten();
        all.filter(|argument| argument.name.is_none()).map(|argument| &argument.value).collect()
    }

    /// The value that is passed by this name.
    pub fn argument(&self, name: &str) -> Option<&Expr> {
        let mut all = self.arguments.iter().flatten();
        all.find(|argument| argument.name.as_deref().is_some_and(|own| folded(own) == name))
            .map(|argument| &argument.value)
    }
}

/// A name in lower case, without what separates its words.
pub(super) fn folded(name: &str) -> String {
    let kept = name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' '));
    kept.flat_map(char::to_lowercase).collect()
}

/// Parses a text that is one value, perhaps behind `return` or `name =`.
pub(super) fn parse(text: &str) -> Result<Expr, Problem> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    // What is declared by an annotation stands behind it.
    if let Some(annotation) = parser.annotations()? {
        return Ok(annotation);
    }
    parser.skip_head();
    let mut all = vec![parser.expr()?];
    while parser.accept(",") && !parser.rest().is_empty() {
        all.push(parser.expr()?);
    }
    parser.skip_end()?;
    match parser.rest().is_empty() {
        true if all.len() > 1 => Ok(Expr::List(all)),
        true => all.pop().ok_or_else(|| parser.problem("nothing is written here")),
        false => {
            let found = parser.found();
            Err(parser.problem(&format!("{found} is not understood here")))
        }
    }
}

pub(super) struct Parser<'t> {
    text: &'t str,
    /// How far it is read, in bytes.
    pub(super) at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// The text that comes next, behind blanks and comments.
    pub(super) fn rest(&mut self) -> &'t str {
        loop {
            let rest = &self.text[self.at..];
            // A backslash continues a line of Python.
            let is_blank = |(at, letter): (usize, char)| {
                letter.is_whitespace() || (letter == '\\' && rest[at + 1..].starts_with(['\n', '\r']))
            };
            let blanks = rest.char_indices().find(|one| !is_blank(*one)).map_or(rest.len(), |(at, _)| at);
            let rest = &rest[blanks..];
            self.at += blanks;
            if let Some(name) = rest.strip_prefix('#').filter(|name| self.is_private(name)) {
                self.at += 1;
                return name;
            }
            if !(rest.starts_with("//") || rest.starts_with('#')) {
                return rest;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Whether what follows a `#` is a private name of JavaScript and no comment.
    fn is_private(&self, name: &str) -> bool {
        let before = self.text[..self.at].trim_end();
        let word = before.split_whitespace().next_back().unwrap_or_default();
        let declares = ["get", "set", "async", "static"].contains(&word) || before.ends_with('.');
        declares && name.starts_with(char::is_alphabetic)
    }

    pub(super) fn problem(&mut self, problem: &str) -> Problem {
        self.rest();
        Problem { at: self.at, text: problem.to_owned() }
    }

    /// What comes next, for a message.
    fn found(&mut self) -> String {
        match self.rest().split_whitespace().next() {
            Some(word) => format!("\u{201c}{}\u{201d}", word.chars().take(20).collect::<String>()),
            None => "the end".to_owned(),
        }
    }

    pub(super) fn accept(&mut self, word: &str) -> bool {
        let accepted = self.rest().starts_with(word);
        if accepted {
            self.at += word.len();
        }
        accepted
    }

    fn expect(&mut self, word: &str) -> Result<(), Problem> {
        if self.accept(word) {
            return Ok(());
        }
        let found = self.found();
        Err(self.problem(&format!("{word} is expected, not {found}")))
    }

    /// A name; empty if none comes next.
    pub(super) fn peek_name(&mut self) -> &'t str {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('@'));
        let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        let end = rest[sign..].find(|letter| !inside(letter)).map_or(rest.len(), |end| end + sign);
        if end == sign || rest.starts_with(|first: char| first.is_ascii_digit()) { "" } else { &rest[..end] }
    }

    pub(super) fn accept_name(&mut self, name: &str) -> bool {
        self.peek_name() == name && self.accept(name)
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Problem>) -> Result<T, Problem> {
        if self.depth >= MAX_DEPTH {
            return Err(self.problem(&format!("there are more than {MAX_DEPTH} calls inside each other")));
        }
        self.depth += 1;
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    /// A value; texts that are added or stand side by side are one text.
    pub(super) fn expr(&mut self) -> Result<Expr, Problem> {
        let mut value = self.nested(Self::operand)?;
        loop {
            value = match value {
                value if self.accept("*") || self.accept("/") || self.accept_minus() => {
                    self.calculated(value)?
                }
                Expr::Chain(links) if is_plain(&links) && (self.accept_name("or") || self.accept("|")) => {
                    self.flags(links)?
                }
                value => value,
            };
            let added = self.accept("+");
            if !(added || matches!(value, Expr::Text(_)) && self.begins_text()) {
                return Ok(value);
            }
            let at = self.at;
            let next = self.nested(Self::operand)?;
            value = match (value, next) {
                (Expr::Text(before), Expr::Text(after)) => Expr::Text(before + &after),
                (Expr::Text(_), Expr::Chain(links)) | (Expr::Chain(links), _) => {
                    return Err(Problem { at, text: of_variable(&links) });
                }
                _ => return Err(Problem { at, text: "only texts are added up here".to_owned() }),
            };
        }
    }

    fn accept_minus(&mut self) -> bool {
        !self.rest().starts_with("->") && self.accept("-")
    }

    /// What is calculated, such as a time to wait: it is no index that is known.
    fn calculated(&mut self, value: Expr) -> Result<Expr, Problem> {
        let at = self.at;
        let variable = || Link { name: "a number".to_owned(), at, ..Link::default() };
        match (value, self.nested(Self::operand)?) {
            (Expr::Number(_) | Expr::Chain(_), Expr::Number(_) | Expr::Chain(_)) => {
                Ok(Expr::Chain(vec![variable()]))
            }
            _ => Err(Problem { at, text: "only numbers are calculated with here".to_owned() }),
        }
    }

    /// Constants that hold together, such as the flags of a pattern.
    fn flags(&mut self, first: Vec<Link>) -> Result<Expr, Problem> {
        let mut all = vec![Expr::Chain(first)];
        match self.nested(Self::expr)? {
            Expr::Chain(links) if is_plain(&links) => all.push(Expr::Chain(links)),
            Expr::List(more) => all.extend(more),
            _ => return Err(self.problem("only constants are joined here")),
        }
        Ok(Expr::List(all))
    }

    pub(super) fn begins_text(&mut self) -> bool {
        let rest = self.rest();
        let prefix = self.peek_name();
        let quoted = &rest[prefix.len()..];
        quoted.starts_with(['"', '\'', '`'])
            && matches!(
                &*prefix.to_lowercase(),
                "" | "r" | "u" | "b" | "br" | "rb" | "f" | "fr" | "rf" | "@" | "$"
            )
            || rest.starts_with("@\"")
    }

    pub(super) fn operand(&mut self) -> Result<Expr, Problem> {
        while self.accept_name("new") || self.accept_name("await") || self.skip_lambda() {}
        if self.begins_text() {
            return self.text();
        }
        let rest = self.rest();
        if self.accept("[") {
            return Ok(Expr::List(self.values("]")?.into_iter().map(|argument| argument.value).collect()));
        }
        if self.accept("{") {
            return Ok(Expr::Object(self.values("}")?));
        }
        if self.accept(":") {
            // A symbol of Ruby.
            let name = self.peek_name();
            self.at += name.len();
            return Ok(Expr::Text(name.to_owned()));
        }
        if self.accept("(") {
            let mut inner: Vec<Expr> = self.values(")")?.into_iter().map(|argument| argument.value).collect();
            // `(WebElement) driver.…` is a cast.
            let is_type = matches!(inner.as_slice(), [Expr::Chain(links)] if is_plain(links));
            if is_type && (!self.peek_name().is_empty() || self.rest().starts_with('(')) {
                return self.nested(Self::operand);
            }
            return match inner.pop() {
                Some(Expr::Chain(links)) if inner.is_empty() => self.links(links),
                Some(Expr::Text(text)) if inner.is_empty() => Ok(Expr::Text(text)),
                Some(last) => {
                    inner.push(last);
                    Ok(Expr::List(inner))
                }
                None => Err(self.problem("nothing stands in ()")),
            };
        }
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        if digits.starts_with(|first: char| first.is_ascii_digit()) {
            return self.number();
        }
        if self.peek_name().is_empty() {
            let found = self.found();
            return Err(self.problem(&format!("a name or a text is expected, not {found}")));
        }
        self.links(Vec::new())
    }

    fn number(&mut self) -> Result<Expr, Problem> {
        let rest = self.rest();
        let end =
            rest[1..].find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '.' | '_'));
        let written = &rest[..end.map_or(rest.len(), |end| end + 1)];
        // Numbers with a point are times to wait, and no index.
        let whole: String =
            written.chars().take_while(|letter| *letter == '-' || letter.is_ascii_digit()).collect();
        let number = whole.parse().map_err(|_| self.problem("a number is expected"))?;
        self.at += written.len();
        Ok(Expr::Number(number))
    }

    /// The links of a chain behind those that were read.
    fn links(&mut self, mut links: Vec<Link>) -> Result<Expr, Problem> {
        loop {
            // `?.` and `!!.` of Kotlin and `::class` stand for a point.
            let mark = self.at;
            while self.accept("?") || self.accept("!!") {}
            let point = self.accept(".") || self.accept("::");
            if !links.is_empty() && !point {
                self.at = mark;
                while self.accept("!!") {}
                return Ok(Expr::Chain(links));
            }
            let name = self.peek_name();
            if name.is_empty() {
                let found = self.found();
                return Err(self.problem(&format!("a name is expected, not {found}")));
            }
            let mut link = Link { name: name.to_owned(), at: self.at, ..Link::default() };
            self.at += name.len();
            if !links.is_empty() && ["also", "apply"].contains(&name) && self.skip_block() {
                continue;
            }
            self.skip_types();
            if self.accept("(") {
                link.arguments = Some(self.values(")")?);
            }
            while self.accept("[") {
                link.indices.push(self.nested(Self::expr)?);
                self.expect("]")?;
            }
            if self.rest().starts_with('(') {
                return Err(self.problem("a call of a call is not understood"));
            }
            if self.rest().starts_with('{') && link.arguments.is_none() && is_wait(&link.word()) {
                link.arguments = Some(vec![self.block()?]);
            }
            links.push(link);
        }
    }

    /// Skips the types that a method or a class is for, as in `AndroidDriver<MobileElement>`.
    pub(super) fn skip_types(&mut self) {
        let rest = self.rest();
        let inside = |letter: char| letter.is_alphanumeric() || "<>?, ._".contains(letter);
        let end = rest.find(|letter| !inside(letter)).unwrap_or(rest.len());
        if let Some(end) = rest[..end].rfind('>').filter(|_| rest.starts_with('<')) {
            self.at += end + 1;
        }
    }

    /// Values up to a bracket, each with its name.
    fn values(&mut self, end: &str) -> Result<Vec<Argument>, Problem> {
        let mut values = Vec::new();
        while !self.accept(end) {
            let begin = self.at;
            let name = match self.begins_text() {
                true => None,
                false => Some(self.peek_name()).filter(|name| !name.is_empty()),
            };
            self.at += name.map_or(0, str::len);
            let is_name = |rest: &str| {
                rest.starts_with([':', '=']) && !rest.starts_with("::") && !rest.starts_with("==")
            };
            let name = name.filter(|_| is_name(self.rest()));
            match name {
                Some(_) => self.at += 1,
                None => self.at = begin,
            }
            let mut value = self.nested(Self::expr)?;
            let mut name = name.map(str::to_owned);
            if let (Expr::Text(key), true) = (&value, end == "}" && self.accept(":")) {
                name = Some(key.clone());
                value = self.nested(Self::expr)?;
            }
            self.skip_replacement()?;
            self.skip_comparison()?;
            values.push(Argument { name, value });
            if !self.accept(",") {
                self.expect(end)?;
                break;
            }
        }
        Ok(values)
    }

    /// A text in quotes, perhaps behind a letter that says how it is written.
    pub(super) fn text(&mut self) -> Result<Expr, Problem> {
        let prefix = self.peek_name().trim_end_matches('@');
        self.at += prefix.len();
        let verbatim = self.accept("@");
        let (raw, filled) = (verbatim || prefix.contains(['r', 'R']), prefix.contains(['f', 'F', '$']));
        let rest = self.rest();
        let quote = rest.chars().next().unwrap_or('"');
        let triple = [quote; 3].iter().collect::<String>();
        let quotes = if rest.starts_with(&triple) { triple } else { quote.to_string() };
        let begin = self.at;
        self.at += quotes.len();
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(letter) = rest.chars().next() else {
                return Err(Problem { at: begin, text: "a quote is not closed".to_owned() });
            };
            let next = rest[letter.len_utf8()..].chars().next().unwrap_or(' ');
            let hole = (filled && letter == '{')
                || (letter == '$' && next == '{')
                || (letter == '$' && quote == '"' && text.is_empty() && next.is_alphabetic());
            if hole && !raw {
                let hole: String =
                    rest.chars().take_while(|letter| !matches!(letter, '"' | '}' | ':')).collect();
                return Err(Problem {
                    at: self.at,
                    text: format!("\u{201c}{hole}\u{201d} stands for a value; write the text that is meant"),
                });
            }
            if rest.starts_with(&quotes) {
                self.at += quotes.len();
                return Ok(Expr::Text(text));
            }
            self.at += letter.len_utf8();
            if letter == '\\' && !raw {
                self.escape(&mut text);
            } else {
                text.push(letter);
            }
        }
    }

    /// The character behind a backslash. Where that means nothing, the backslash stays, as in Python.
    fn escape(&mut self, text: &mut String) {
        let rest = &self.text[self.at..];
        let Some(letter) = rest.chars().next() else { return };
        self.at += letter.len_utf8();
        match letter {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            '"' | '\'' | '`' | '\\' | '/' | '$' => text.push(letter),
            'u' | 'x' => {
                let length = if letter == 'u' { 4 } else { 2 };
                let digits = rest.get(1..1 + length).unwrap_or_default();
                let read = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                self.at += if read.is_some() { length } else { 0 };
                match read {
                    Some(read) => text.push(read),
                    None => text.extend(['\\', letter]),
                }
            }
            other => text.extend(['\\', other]),
        }
    }
}

/// Whether nothing is called in a chain.
pub(super) fn is_plain(links: &[Link]) -> bool {
    links.iter().all(|link| link.arguments.is_none())
}

/// What is wrong with a name where a text is meant.
pub(super) fn of_variable(links: &[Link]) -> String {
    let names: Vec<&str> = links.iter().map(|link| &*link.name).collect();
    format!("\u{201c}{}\u{201d} stands for a value; write the text that is meant", names.join("."))
}
