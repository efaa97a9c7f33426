//! The widgets that a selector of another tool names, as an XPath that is put together step by step.

use regex::Regex;

use super::Problem;
use super::code::{Expr, Link, folded, of_variable};
use crate::{WidgetFlags, XPath};

/// Where a search through the whole screen begins.
pub(super) const SCREEN: &str = "//";

/// How a tool compares texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A `UiSelector`, and what uiautomator2 makes one of: parts of texts are compared without regard to case.
    Ui,
    /// A `BySelector`.
    By,
    /// A widget that was found: no more attributes are asked for.
    Found,
}

/// What is named so far.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub kind: Kind,
    /// A path that ends with an axis; a whole path if it is `complete`.
    pub from: String,
    pub complete: bool,
    pub tests: Vec<String>,
    /// The position among the widgets, as XPath counts.
    pub place: Option<String>,
}

impl Named {
    /// All widgets that an axis reaches.
    pub fn from(base: &str, kind: Kind) -> Named {
        Named { kind, from: base.to_owned(), complete: false, tests: Vec::new(), place: None }
    }

    /// All widgets for which a condition holds.
    pub fn with(base: &str, test: String) -> Named {
        Named { tests: vec![test], ..Named::from(base, Kind::Found) }
    }

    /// The widgets of a path that somebody wrote.
    pub fn path_of(path: String) -> Named {
        Named { complete: true, ..Named::from(&path, Kind::Found) }
    }

    pub fn path(&self) -> String {
        let tests: String = self.tests.iter().map(|test| format!("[{test}]")).collect();
        let path = match (self.complete, tests.is_empty()) {
            (true, true) => self.from.clone(),
            (true, false) => format!("({}){tests}", self.from),
            (false, _) => format!("{}node{tests}", self.from),
        };
        match &self.place {
            Some(place) => format!("({path})[{place}]"),
            None => path,
        }
    }

    /// What an axis reaches from here.
    pub fn base(&self, axis: &str) -> String {
        match (self.complete, &self.place) {
            (true, None) => format!("({}){axis}", self.path()),
            _ => self.path() + axis,
        }
    }

    /// The first of them, where only that is looked into.
    pub fn first(mut self) -> Named {
        self.place.get_or_insert_with(|| "1".to_owned());
        self
    }

    /// The one with this index; from the end if it is negative.
    pub fn placed(mut self, index: i64) -> Result<Named, String> {
        let place = match index {
            0.. => (index + 1).to_string(),
            -1 => "last()".to_owned(),
            _ => format!("last(){}", index + 1),
        };
        match self.place.replace(place) {
            None => Ok(self),
            Some(_) => Err("there are two indices; write the one that counts".to_owned()),
        }
    }
}

/// How a text is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Equals,
    Contains,
    StartsWith,
    EndsWith,
    Matches,
}

/// Names of attributes in other tools, each with that of a dump. Of two that begin alike, the longer is first.
const ATTRIBUTES: [(&str, &str); 12] = [
    ("text", "text"),
    ("contentdescription", "content-desc"),
    ("contentdesc", "content-desc"),
    ("description", "content-desc"),
    ("desc", "content-desc"),
    ("classname", "class"),
    ("clazz", "class"),
    ("resourceid", "resource-id"),
    ("res", "resource-id"),
    ("packagename", "package"),
    ("pkg", "package"),
    ("hint", "hint"),
];

const COMPARED: [(&str, How); 5] = [
    ("", How::Equals),
    ("contains", How::Contains),
    ("startswith", How::StartsWith),
    ("endswith", How::EndsWith),
    ("matches", How::Matches),
];

/// What a method such as `textContains` compares, and how.
pub(super) fn attribute(word: &str) -> Option<(&'static str, How)> {
    ATTRIBUTES.iter().find_map(|(name, attribute)| {
        let tail = word.strip_prefix(name)?;
        COMPARED.iter().find(|(how, _)| *how == tail).map(|(_, how)| (*attribute, *how))
    })
}

/// The flag of a widget that has this name.
pub(super) fn flag(word: &str) -> Option<&'static str> {
    WidgetFlags::NAMES.iter().map(|(name, _)| *name).find(|name| folded(name) == word)
}

/// A condition on an attribute. Parts of texts are compared in lower case if it is `folded`.
pub(super) fn compared(attribute: &str, how: How, value: &str, folded: bool) -> Result<String, String> {
    let function = match how {
        How::Equals => return Ok(format!("@{attribute}={}", XPath::literal(value))),
        How::Matches => return matched(attribute, value, "s"),
        How::Contains => "contains",
        How::StartsWith => "starts-with",
        How::EndsWith => "ends-with",
    };
    Ok(match folded {
        true => format!("{function}(lower-case(@{attribute}),{})", XPath::literal(&value.to_lowercase())),
        false => format!("{function}(@{attribute},{})", XPath::literal(value)),
    })
}

/// The condition that a whole attribute matches a regular expression.
pub(super) fn matched(attribute: &str, pattern: &str, flags: &str) -> Result<String, String> {
    // By itself first: inside of the group, `a)|(b` would be one.
    if let Err(error) = Regex::new(pattern) {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        return Err(format!(
            "\u{201c}{pattern}\u{201d} is no regular expression that is understood here: {why}"
        ));
    }
    let whole = XPath::literal(&format!("^(?:{pattern})$"));
    Ok(format!("@{attribute}!='' and matches(@{attribute},{whole},'{flags}')"))
}

/// The condition that a widget has this id, of any package if it names none.
pub(super) fn has_id(id: &str) -> String {
    let exact = format!("@resource-id={}", XPath::literal(id));
    match id.contains(":id/") {
        true => exact,
        false => format!("{exact} or ends-with(@resource-id,{})", XPath::literal(&format!(":id/{id}"))),
    }
}

/// The condition that a widget is of this class, which may be given without its package.
pub(super) fn has_class(class: &str) -> String {
    let exact = format!("@class={}", XPath::literal(class));
    match class.contains('.') {
        true => exact,
        false => format!("{exact} or ends-with(@class,{})", XPath::literal(&format!(".{class}"))),
    }
}

/// The text that is passed; the problem if it is none.
pub(super) fn text_of(expr: Option<&Expr>, at: usize) -> Result<String, Problem> {
    let problem = |text: String| Problem { at, text };
    match expr {
        Some(Expr::Text(text)) => Ok(text.clone()),
        Some(Expr::Chain(links)) => match class_of(links) {
            Some(class) => Ok(class.to_owned()),
            None => Err(problem(of_variable(links))),
        },
        Some(Expr::Number(number)) => {
            Err(problem(format!("{number} is a number where a text in quotes is meant")))
        }
        Some(Expr::List(_) | Expr::Object(_)) | None => {
            Err(problem("a text in quotes is missing".to_owned()))
        }
    }
}

/// The class that `Button.class` and `Button::class.java` stand for.
fn class_of(links: &[Link]) -> Option<&str> {
    let end = links.iter().position(|link| link.name == "class")?;
    links[..end].last().map(|link| &*link.name)
}

/// The id that `R.id.save` and `android.R.id.button1` stand for.
pub(super) fn resource(links: &[Link]) -> Option<String> {
    let place = links.windows(2).position(|pair| pair[0].name == "R" && pair[1].name == "id")?;
    let name = &links.get(place + 2)?.name;
    let of_android = matches!(&links[..place], [first] if first.name == "android");
    Some(if of_android { format!("android:id/{name}") } else { name.clone() })
}

/// Whether `true`, `True`, `false` or `False` is passed. Nothing means true.
pub(super) fn truth_of(expr: Option<&Expr>, at: usize) -> Result<bool, Problem> {
    let word = match expr {
        None => return Ok(true),
        Some(Expr::Chain(links)) if links.len() == 1 => links[0].word(),
        Some(_) => String::new(),
    };
    match &*word {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Problem { at, text: "true or false is expected".to_owned() }),
    }
}

pub(super) fn number_of(expr: Option<&Expr>, at: usize) -> Result<i64, Problem> {
    let number = match expr {
        Some(Expr::Number(number)) => Some(*number),
        // Python passes `index="0"` on as it is.
        Some(Expr::Text(text)) => text.parse().ok(),
        Some(Expr::Chain(links)) => return Err(Problem { at, text: of_variable(links) }),
        Some(Expr::List(_) | Expr::Object(_)) | None => None,
    };
    number.ok_or_else(|| Problem { at, text: "a number is expected".to_owned() })
}
