//! XPath 1.0 over the widgets of a layout, as lxml evaluates it for uiautomator2: a widget is an element named by its
//! class, and a `hierarchy` element is above the roots of the windows. Of XPath 2.0 there are the functions that testers
//! write: `matches`, `ends-with`, `lower-case`, `upper-case`.
//!
//! There are four differences. `text()` is the attribute `text` if it is not empty, since no widget has texts beside its
//! attributes. A class may be named without its package. The axes `right-of`, `left-of`, `below` and `above` lead to the
//! widgets in the same line or column, the nearest first. What would silently match nothing, such as an unknown attribute,
//! is refused.

mod axes;
mod evaluate;
mod forms;
mod functions;
mod parser;
mod syntax;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use self::evaluate::Evaluation;
use self::syntax::Expr;
use crate::{Layout, WidgetIdx};

/// A parsed XPath over the widgets of a layout. Serialised as its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct XPath {
    source: String,
    expr: Expr,
    given_up: GivenUp,
}

/// The number of widgets of the layout on which the XPath was given up last; 0 if none is to be told.
#[derive(Debug, Default)]
struct GivenUp(AtomicUsize);

impl Clone for GivenUp {
    fn clone(&self) -> GivenUp {
        GivenUp::default()
    }
}

/// Why a text is not an XPath to widgets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("XPath {source_text:?}, character {position}: expected {expected}, found {found}")]
pub struct XPathError {
    /// The complete text of the XPath.
    pub source_text: String,
    /// Where parsing failed, in characters from 0.
    pub position: usize,
    /// What the parser would have accepted there.
    pub expected: String,
    /// What the text contains there; `the end` if nothing.
    pub found: String,
}

/// An XPath takes too many steps on a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "XPath {source_text:?} was given up after {} steps on a screen of {widgets} widgets: name a class or an id first, \
     and look through the whole screen (//, following::, preceding::) outside of brackets only",
    XPath::MAX_STEPS
)]
pub struct XPathTooSlow {
    /// The complete text of the XPath.
    pub source_text: String,
    /// The number of widgets of the layout.
    pub widgets: usize,
}

impl PartialEq for XPath {
    fn eq(&self, other: &XPath) -> bool {
        self.source == other.source
    }
}

impl Eq for XPath {}

impl TryFrom<String> for XPath {
    type Error = XPathError;

    fn try_from(text: String) -> Result<XPath, XPathError> {
        XPath::parse(&text)
    }
}

impl From<XPath> for String {
    fn from(xpath: XPath) -> String {
        xpath.source
    }
}

impl XPath {
    /// The largest number of steps of an evaluation: about one for each widget that is looked at, and for each 64 bytes
    /// of text.
    pub const MAX_STEPS: u64 = 50_000_000;

    /// Parses an XPath.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if the text is no XPath, names no widgets (but a number, say), is too long (4,096 characters) or
    /// has too many nested parentheses and brackets (32).
    pub fn parse(text: &str) -> Result<XPath, XPathError> {
        Ok(XPath { source: text.to_owned(), expr: parser::parse(text)?, given_up: GivenUp::default() })
    }

    /// The text from which the XPath was parsed.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the selected widgets in document order, each once; none if [`XPath::try_select`] fails.
    pub fn select(&self, layout: &Layout) -> Vec<WidgetIdx> {
        self.try_select(layout).unwrap_or_default()
    }

    /// Returns the selected widgets in document order, each once.
    ///
    /// # Errors
    ///
    /// [`XPathTooSlow`] if that takes more than [`XPath::MAX_STEPS`] steps.
    pub fn try_select(&self, layout: &Layout) -> Result<Vec<WidgetIdx>, XPathTooSlow> {
        Evaluation::new(layout).widgets(&self.expr).map_err(|_| {
            let widgets = layout.widgets().len();
            self.given_up.0.store(widgets, Ordering::Relaxed);
            XPathTooSlow { source_text: self.source.clone(), widgets }
        })
    }

    /// That the XPath was given up since this was asked last, for those who select by it again and again.
    pub fn given_up(&self) -> Option<XPathTooSlow> {
        let widgets = self.given_up.0.swap(0, Ordering::Relaxed);
        (widgets > 0).then(|| XPathTooSlow { source_text: self.source.clone(), widgets })
    }
}
