//! The functions of XPath.

use std::borrow::Cow;

use self::Run::{Boolean, Compare, Number, Text};
use super::axes::Node;
use super::evaluate::{Context, Evaluation, TooSlow, Value};
use super::syntax::{Call, Kind, attributes};

/// A function: its name, and the least and the largest number of its arguments.
#[derive(Debug)]
pub(super) struct Function(pub &'static str, pub usize, pub usize, Run);

/// What a function returns. The parser has checked the number of its arguments.
#[derive(Debug)]
enum Run {
    Text(for<'v> fn(&Arguments<'v>) -> Result<Cow<'v, str>, TooSlow>),
    Number(fn(&Arguments<'_>) -> Result<f64, TooSlow>),
    Boolean(fn(&Arguments<'_>) -> Result<bool, TooSlow>),
    /// Compares two texts.
    Compare(fn(&str, &str) -> bool),
}

struct Arguments<'v> {
    on: &'v Evaluation<'v>,
    call: &'v Call,
    at: Context,
}

/// The functions. The names with a colon are those of lxml.
pub(super) static FUNCTIONS: [Function; 30] = [
    Function("position", 0, 0, Number(|of| Ok(of.at.position as f64))),
    Function("last", 0, 0, Number(|of| Ok(of.at.last as f64))),
    Function("count", 1, 1, Number(|of| Ok(of.value(0)?.nodes().unwrap_or_default().len() as f64))),
    Function("sum", 1, 1, Number(|of| of.sum())),
    Function("string-length", 0, 1, Number(|of| Ok(of.text(0)?.chars().count() as f64))),
    Function("number", 0, 1, Number(|of| of.number(0))),
    Function("floor", 1, 1, Number(|of| Ok(of.number(0)?.floor()))),
    Function("ceiling", 1, 1, Number(|of| Ok(of.number(0)?.ceil()))),
    Function("round", 1, 1, Number(|of| Ok(round(of.number(0)?)))),
    Function("name", 0, 1, Text(|of| Ok(Cow::Borrowed(of.name()?)))),
    Function("local-name", 0, 1, Text(|of| Ok(Cow::Borrowed(of.name()?)))),
    Function("string", 0, 1, Text(|of| of.text(0))),
    Function("concat", 2, usize::MAX, Text(|of| of.concat())),
    Function("substring", 2, 3, Text(|of| of.substring())),
    Function("substring-before", 2, 2, Text(|of| of.part(|(before, _)| before))),
    Function("substring-after", 2, 2, Text(|of| of.part(|(_, after)| after))),
    Function("normalize-space", 0, 1, Text(|of| of.in_words())),
    Function("translate", 3, 3, Text(|of| of.translate())),
    Function("lower-case", 1, 1, Text(|of| Ok(of.text(0)?.to_lowercase().into()))),
    Function("upper-case", 1, 1, Text(|of| Ok(of.text(0)?.to_uppercase().into()))),
    Function("contains", 2, 2, Compare(|text, part| text.contains(part))),
    Function("starts-with", 2, 2, Compare(|text, part| text.starts_with(part))),
    Function("ends-with", 2, 2, Compare(|text, part| text.ends_with(part))),
    Function("matches", 2, 3, Boolean(|of| of.matches())),
    Function("re:match", 2, 3, Boolean(|of| of.matches())),
    Function("re:test", 2, 3, Boolean(|of| of.matches())),
    Function("boolean", 1, 1, Boolean(|of| of.holds())),
    Function("not", 1, 1, Boolean(|of| Ok(!of.holds()?))),
    Function("true", 0, 0, Boolean(|_| Ok(true))),
    Function("false", 0, 0, Boolean(|_| Ok(false))),
];

impl Function {
    pub fn kind(&self) -> Kind {
        match self.3 {
            Text(_) => Kind::Text,
            Number(_) => Kind::Number,
            Boolean(_) | Compare(_) => Kind::Boolean,
        }
    }

    /// The comparison of two texts that it is.
    pub fn comparison(&self) -> Option<fn(&str, &str) -> bool> {
        if let Compare(compare) = self.3 { Some(compare) } else { None }
    }
}

impl<'v> Arguments<'v> {
    /// Whether the first argument holds.
    fn holds(&self) -> Result<bool, TooSlow> {
        Ok(self.on.truth(&self.value(0)?))
    }

    /// An argument; where there is none, the context node, which such functions are about.
    fn value(&self, place: usize) -> Result<Value<'v>, TooSlow> {
        match self.call.arguments.get(place) {
            Some(argument) => self.on.value(argument, self.at),
            None => Ok(Value::Node(Some(self.at.node))),
        }
    }

    fn text(&self, place: usize) -> Result<Cow<'v, str>, TooSlow> {
        match self.call.arguments.get(place) {
            Some(argument) => self.on.text(argument, self.at),
            None => self.on.text_of(self.at.node),
        }
    }

    fn number(&self, place: usize) -> Result<f64, TooSlow> {
        self.on.as_number(&self.value(place)?)
    }

    /// The name of the first node: of a widget its class, or `node` if it has none.
    fn name(&self) -> Result<&'v str, TooSlow> {
        let Some(node) = self.value(0)?.nodes().and_then(<[Node]>::first).copied() else { return Ok("") };
        if let Some(attribute) = node.attribute {
            return Ok(attributes().find(|(_, known)| *known == attribute).map_or("", |(name, _)| name));
        }
        Ok(match node.widget().map(|idx| &*self.on.layout.widget(idx).class) {
            Some("") => "node",
            Some(class) => class,
            None if node == Node::HIERARCHY => "hierarchy",
            None => "",
        })
    }

    fn sum(&self) -> Result<f64, TooSlow> {
        let mut sum = 0.0;
        for node in self.value(0)?.nodes().unwrap_or_default() {
            sum += self.on.as_number(&Value::Node(Some(*node)))?;
        }
        Ok(sum)
    }

    fn concat(&self) -> Result<Cow<'v, str>, TooSlow> {
        let texts: Result<Vec<_>, TooSlow> =
            (0..self.call.arguments.len()).map(|place| self.text(place)).collect();
        Ok(texts?.concat().into())
    }

    /// The characters from a place on, which counts from 1.
    fn substring(&self) -> Result<Cow<'v, str>, TooSlow> {
        let first = round(self.number(1)?);
        let length = if self.call.arguments.len() > 2 { round(self.number(2)?) } else { f64::INFINITY };
        let inside = |place: f64| place >= first && place < first + length;
        let text = self.text(0)?;
        let chars = text.chars().enumerate().filter(|(before, _)| inside(*before as f64 + 1.0));
        Ok(chars.map(|(_, char)| char).collect::<String>().into())
    }

    /// What is before or behind the second text in the first one.
    fn part(&self, which: for<'t> fn((&'t str, &'t str)) -> &'t str) -> Result<Cow<'v, str>, TooSlow> {
        Ok(self.text(0)?.split_once(&*self.text(1)?).map_or("", which).to_owned().into())
    }

    fn in_words(&self) -> Result<Cow<'v, str>, TooSlow> {
        let text = self.text(0)?;
        let words = text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
        Ok(words.collect::<Vec<_>>().join(" ").into())
    }

    /// Replaces each character by the one at its place, or by nothing where there is none.
    fn translate(&self) -> Result<Cow<'v, str>, TooSlow> {
        let (text, from, to) = (self.text(0)?, self.text(1)?, self.text(2)?);
        self.on.spend(text.len() * (from.len() + to.len()) / 64)?;
        let replaced = |char: char| match from.chars().position(|other| other == char) {
            Some(place) => to.chars().nth(place),
            None => Some(char),
        };
        Ok(text.chars().filter_map(replaced).collect::<String>().into())
    }

    fn matches(&self) -> Result<bool, TooSlow> {
        let text = self.text(0)?;
        self.on.spend(text.len())?;
        Ok(self.call.regex.as_ref().is_some_and(|regex| regex.is_match(&text)))
    }
}

impl Evaluation<'_> {
    pub fn call<'v>(&'v self, call: &'v Call, at: Context) -> Result<Value<'v>, TooSlow> {
        let arguments = Arguments { on: self, call, at };
        Ok(match call.function.3 {
            Text(run) => Value::Text(run(&arguments)?),
            Number(run) => Value::Number(run(&arguments)?),
            Boolean(run) => Value::Boolean(run(&arguments)?),
            Compare(run) => Value::Boolean(run(&arguments.text(0)?, &arguments.text(1)?)),
        })
    }
}

/// The nearest whole number, the greater one of two.
fn round(number: f64) -> f64 {
    (number + 0.5).floor()
}
