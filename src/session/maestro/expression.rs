//! The `${...}` in the texts of flows: variables, literals, `+`, `||`, comparisons. Everything else is JavaScript, which is
//! not run.

use std::collections::BTreeMap;

/// Longest expression in bytes, which also bounds how deeply parentheses nest.
const MAX_LENGTH: usize = 500;

/// The variables of a flow, the innermost part last.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes(Vec<BTreeMap<String, String>>);

impl Scopes {
    /// Scopes with these variables.
    pub fn of(variables: BTreeMap<String, String>) -> Self {
        Scopes(vec![variables])
    }

    pub fn enter(&mut self) {
        self.0.push(BTreeMap::new());
    }

    pub fn leave(&mut self) {
        self.0.pop();
    }

    /// Sets a variable until the part ends.
    pub fn set(&mut self, name: &str, value: String) {
        if let Some(scope) = self.0.last_mut() {
            scope.insert(name.to_owned(), value);
        }
    }

    /// Sets a variable for the whole flow.
    pub fn set_everywhere(&mut self, name: &str, value: String) {
        if let Some(scope) = self.0.first_mut() {
            scope.insert(name.to_owned(), value);
        }
    }

    fn get(&self, name: &str) -> Option<&String> {
        self.0.iter().rev().find_map(|scope| scope.get(name))
    }
}

/// A text of a flow with its `${...}`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Words(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Plain(String),
    /// An expression with its source.
    Value(String, Option<Expression>),
}

#[derive(Clone, Debug, PartialEq)]
enum Expression {
    Is(Value),
    Variable(String),
    Not(Box<Expression>),
    Two(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Or,
    /// The second if the first has no value.
    Else,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// A variable without a value, by its name.
    Missing(String),
    Nothing,
    Truth(bool),
    Number(f64),
    Text(String),
}

impl Words {
    /// Reads a text. A backslash before `${` keeps it as it is.
    pub fn parse(text: &str) -> Words {
        let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find("${") {
            let (before, from) = rest.split_at(at);
            let inside = from.get(2..).unwrap_or("");
            let Some(end) = end_of(inside) else { break };
            plain.push_str(before.strip_suffix('\\').unwrap_or(before));
            let (source, after) = (inside.get(..end).unwrap_or(""), inside.get(end + 1..).unwrap_or(""));
            if before.ends_with('\\') {
                plain.push_str("${");
                rest = inside;
            } else {
                pieces.push(Piece::Plain(std::mem::take(&mut plain)));
                pieces.push(Piece::Value(source.trim().to_owned(), expression(source)));
                rest = after;
            }
        }
        plain.push_str(rest);
        pieces.push(Piece::Plain(plain));
        Words(pieces)
    }

    /// The text if it has no `${...}`.
    pub fn plain(&self) -> Option<&str> {
        match &self.0[..] {
            [Piece::Plain(text)] => Some(text),
            _ => None,
        }
    }

    /// The sources of what needs JavaScript: what is none of the expressions here, and what scripts compute.
    pub fn scripts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Value(source, read) if read.is_none() || source.contains("output.") => {
                Some(source.as_str())
            }
            Piece::Plain(_) | Piece::Value(..) => None,
        })
    }

    /// The text with the values of its variables.
    ///
    /// # Errors
    ///
    /// Which variable has no value, or what is JavaScript.
    pub fn text(&self, scopes: &Scopes) -> Result<String, String> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Plain(plain) => text.push_str(plain),
                Piece::Value(source, expression) => {
                    text.push_str(&value(source, expression, scopes)?.shown()?)
                }
            }
        }
        Ok(text)
    }

    /// Whether a condition holds: not with an empty text, `false`, `null`, 0 or a variable without a value.
    ///
    /// # Errors
    ///
    /// What is JavaScript.
    pub fn holds(&self, scopes: &Scopes) -> Result<bool, String> {
        let mut only =
            self.0.iter().filter(|piece| !matches!(piece, Piece::Plain(text) if text.trim().is_empty()));
        if let (Some(Piece::Value(source, expression)), None) = (only.next(), only.next()) {
            return Ok(match value(source, expression, scopes)? {
                Value::Text(text) => is_true(&text),
                other => other.truth(),
            });
        }
        self.text(scopes).map(|text| is_true(&text))
    }
}

fn is_true(text: &str) -> bool {
    let text = text.trim();
    let number = text.parse::<f64>().ok();
    !(["", "undefined", "null"].contains(&text) || text.eq_ignore_ascii_case("false") || number == Some(0.0))
}

/// Where the brace is closed; quotes and inner braces are skipped.
fn end_of(inside: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some(at),
            (None, '}') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}

fn value(source: &str, expression: &Option<Expression>, scopes: &Scopes) -> Result<Value, String> {
    match expression {
        Some(expression) => expression.value(scopes),
        None => match scopes.get(source) {
            Some(given) => Ok(Value::Text(given.clone())),
            None => Err(format!("`${{{source}}}` is JavaScript, which is not run: write what it gives")),
        },
    }
}

impl Value {
    fn truth(&self) -> bool {
        match self {
            Value::Missing(_) | Value::Nothing => false,
            Value::Truth(truth) => *truth,
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Text(text) => !text.is_empty(),
        }
    }

    fn shown(self) -> Result<String, String> {
        match self {
            Value::Missing(name) => Err(format!("{name} has no value: give it with --env {name}=VALUE")),
            Value::Nothing => Ok("null".to_owned()),
            Value::Truth(truth) => Ok(truth.to_string()),
            Value::Number(number) => Ok(number.to_string()),
            Value::Text(text) => Ok(text),
        }
    }

    /// As `==` of JavaScript compares.
    fn equals(&self, other: &Value) -> bool {
        use Value::{Missing, Nothing, Number, Text, Truth};
        match (self, other) {
            (Missing(_) | Nothing, Missing(_) | Nothing) => true,
            (Missing(_) | Nothing, _) | (_, Missing(_) | Nothing) => false,
            (Text(one), Text(other)) => one == other,
            (Truth(one), Truth(other)) => one == other,
            // What comes from outside is a text, such as `true`.
            (Text(text), Truth(truth)) | (Truth(truth), Text(text)) => *text == truth.to_string(),
            (Number(one), Number(other)) => one == other,
            (Text(text), Number(number)) | (Number(number), Text(text)) => text.trim().parse() == Ok(*number),
            (Truth(truth), Number(number)) | (Number(number), Truth(truth)) => f64::from(*truth) == *number,
        }
    }
}

impl Expression {
    fn value(&self, scopes: &Scopes) -> Result<Value, String> {
        Ok(match self {
            Expression::Is(value) => value.clone(),
            Expression::Variable(name) => match scopes.get(name) {
                Some(value) => Value::Text(value.clone()),
                None if name.starts_with("output.") => {
                    return Err(format!(
                        "{name} is computed by JavaScript, which is not run: give it with --env {name}=VALUE"
                    ));
                }
                None => Value::Missing(name.clone()),
            },
            Expression::Not(of) => Value::Truth(!of.value(scopes)?.truth()),
            Expression::Two(Operator::Or, one, other) => match one.value(scopes)? {
                value if value.truth() => value,
                _ => other.value(scopes)?,
            },
            Expression::Two(Operator::Else, one, other) => match one.value(scopes)? {
                Value::Missing(_) | Value::Nothing => other.value(scopes)?,
                value => value,
            },
            Expression::Two(Operator::And, one, other) => match one.value(scopes)? {
                value if value.truth() => other.value(scopes)?,
                value => value,
            },
            Expression::Two(Operator::Plus, one, other) => match (one.value(scopes)?, other.value(scopes)?) {
                (Value::Number(one), Value::Number(other)) => Value::Number(one + other),
                (one, other) => Value::Text(one.shown()? + &other.shown()?),
            },
            Expression::Two(Operator::Equal, one, other) => {
                Value::Truth(one.value(scopes)?.equals(&other.value(scopes)?))
            }
            Expression::Two(Operator::Unequal, one, other) => {
                Value::Truth(!one.value(scopes)?.equals(&other.value(scopes)?))
            }
            Expression::Two(Operator::Less, one, other) => {
                Value::Truth(one.number(scopes)? < other.number(scopes)?)
            }
            Expression::Two(Operator::LessOrEqual, one, other) => {
                Value::Truth(one.number(scopes)? <= other.number(scopes)?)
            }
        })
    }

    /// The number that is compared by size.
    fn number(&self, scopes: &Scopes) -> Result<f64, String> {
        let shown = self.value(scopes)?.shown()?;
        shown.trim().parse().map_err(|_| format!("\u{201c}{shown}\u{201d} is no number that can be compared"))
    }
}

/// Reads an expression; `None` if it is something else.
fn expression(source: &str) -> Option<Expression> {
    let mut reader = Reader { rest: source.trim_matches([' ', '\t', '\n', ';']) };
    let read = (source.len() <= MAX_LENGTH).then(|| reader.or())??;
    reader.rest.is_empty().then_some(read)
}

/// A reader of an expression, from the loosest operator to the tightest.
struct Reader<'s> {
    rest: &'s str,
}

impl<'s> Reader<'s> {
    fn skip(&mut self, word: &str) -> bool {
        let after = self.rest.trim_start().strip_prefix(word);
        if let Some(after) = after {
            self.rest = after.trim_start();
        }
        after.is_some()
    }

    fn chain(
        &mut self,
        operators: &[(&str, Operator)],
        next: impl Fn(&mut Self) -> Option<Expression>,
    ) -> Option<Expression> {
        let mut read = next(self)?;
        while let Some((_, operator)) = operators.iter().find(|(word, _)| self.skip(word)) {
            read = Expression::Two(*operator, Box::new(read), Box::new(next(self)?));
        }
        Some(read)
    }

    fn or(&mut self) -> Option<Expression> {
        self.chain(&[("||", Operator::Or), ("??", Operator::Else)], Self::and)
    }

    fn and(&mut self) -> Option<Expression> {
        self.chain(&[("&&", Operator::And)], Self::equality)
    }

    fn equality(&mut self) -> Option<Expression> {
        let words = [
            ("===", Operator::Equal),
            ("==", Operator::Equal),
            ("!==", Operator::Unequal),
            ("!=", Operator::Unequal),
        ];
        self.chain(&words, Self::order)
    }

    fn order(&mut self) -> Option<Expression> {
        let one = self.sum()?;
        // What is greater is compared the other way round.
        let words = [
            ("<=", Operator::LessOrEqual, false),
            (">=", Operator::LessOrEqual, true),
            ("<", Operator::Less, false),
            (">", Operator::Less, true),
        ];
        let Some((_, operator, turned)) = words.into_iter().find(|(word, ..)| self.skip(word)) else {
            return Some(one);
        };
        let other = self.sum()?;
        let (one, other) = if turned { (other, one) } else { (one, other) };
        Some(Expression::Two(operator, Box::new(one), Box::new(other)))
    }

    fn sum(&mut self) -> Option<Expression> {
        self.chain(&[("+", Operator::Plus)], Self::one)
    }

    fn one(&mut self) -> Option<Expression> {
        if self.skip("(") {
            let inner = self.or()?;
            return self.skip(")").then_some(inner);
        }
        if self.skip("!") {
            return Some(Expression::Not(Box::new(self.one()?)));
        }
        let rest = self.rest;
        match rest.chars().next()? {
            quote @ ('\'' | '"' | '`') => self.text(quote),
            '0'..='9' => {
                let number = self.take(|c| c.is_ascii_digit() || c == '.');
                number.parse().ok().map(|number| Expression::Is(Value::Number(number)))
            }
            _ => {
                let name = self.take(|c| c.is_alphanumeric() || "_$.".contains(c));
                let first = name.chars().next()?;
                (first != '.' && !name.ends_with('.')).then(|| match name {
                    "true" | "false" => Expression::Is(Value::Truth(name == "true")),
                    "null" | "undefined" => Expression::Is(Value::Nothing),
                    _ => Expression::Variable(name.to_owned()),
                })
            }
        }
    }

    fn take(&mut self, fits: impl Fn(char) -> bool) -> &'s str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, after) = self.rest.split_at(end);
        self.rest = after.trim_start();
        taken
    }

    fn text(&mut self, quote: char) -> Option<Expression> {
        let (mut text, mut chars) = (String::new(), self.rest.char_indices().skip(1));
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => text.push(match chars.next()?.1 {
                    'n' => '\n',
                    't' => '\t',
                    other if other.is_alphanumeric() => return None,
                    other => other,
                }),
                // A template with variables of its own.
                '$' if quote == '`' => return None,
                _ if c == quote => {
                    self.rest = self.rest.get(at + 1..)?.trim_start();
                    return Some(Expression::Is(Value::Text(text)));
                }
                _ => text.push(c),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes() -> Scopes {
        let pairs = [("NAME", "Bob"), ("EMPTY", ""), ("YES", "true"), ("maestro.platform", "android")];
        Scopes::of(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn variables_literals_sums_and_defaults_are_replaced() {
        for (text, expected) in [
            ("${NAME}", "Bob"),
            ("Hi ${ NAME }, ${'a' + \"}\" + 1 + 2}!", "Hi Bob, a}12!"),
            ("${OTHER || NAME}", "Bob"),
            ("${EMPTY || OTHER || 'none'}", "none"),
            ("${OTHER ?? EMPTY}${EMPTY ?? NAME}${null ?? NAME}", "Bob"),
            ("${1 + 2}", "3"),
            ("${NAME == 'Bob' && !(YES === false)}", "true"),
            ("\\${NAME} costs $5 {x}", "${NAME} costs $5 {x}"),
            ("open ${NAME", "open ${NAME"),
            ("${YES == true}", "true"),
        ] {
            assert_eq!(Words::parse(text).text(&scopes()).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_and_what_is_javascript_is_said() {
        for (text, problem) in [
            ("${OTHER}", "OTHER has no value: give it with --env OTHER=VALUE"),
            ("${'a' + output.id}", "output.id is computed by JavaScript"),
            ("${output.id == 'a'}", "output.id is computed by JavaScript"),
            ("${NAME.toUpperCase()}", "`${NAME.toUpperCase()}` is JavaScript"),
            ("${output.x = 1}", "is JavaScript"),
            ("${a ? b : c}", "is JavaScript"),
            ("${`${a}`}", "is JavaScript"),
            ("${}", "is JavaScript"),
        ] {
            let error = Words::parse(text).text(&scopes()).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn conditions_hold_as_maestro_judges_them() {
        for (text, expected) in [
            ("true", true),
            ("${YES}", true),
            ("${OTHER}", false),
            ("${OTHER == 'x'}", false),
            ("${maestro.platform == 'android'}", true),
            ("${maestro.platform != 'android'}", false),
            ("false", false),
            ("0", false),
            ("${EMPTY}", false),
            ("${!OTHER}", true),
            ("${12 < 20 && 3 >= 3}", true),
            ("${'5' > 6 || 5 <= 4}", false),
        ] {
            assert_eq!(Words::parse(text).holds(&scopes()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_part_has_variables_of_its_own() {
        let (mut scopes, name) = (scopes(), Words::parse("${NAME}"));
        scopes.enter();
        scopes.set("NAME", "Eve".to_owned());
        assert_eq!(name.text(&scopes).as_deref(), Ok("Eve"));
        scopes.leave();
        assert_eq!(name.text(&scopes).as_deref(), Ok("Bob"));
    }
}
