//! The subset of XPath that DMF files, weditor and uiautomator2 users write.

use super::{Layout, WidgetIdx};

/// A parsed XPath over the widgets of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XPath {
    source: String,
}

/// Why a text is not an XPath of the subset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("XPath {source_text:?}, character {position}: expected {expected}, found {found}")]
pub struct XPathError {
    /// The whole text.
    pub source_text: String,
    /// Where the parser stopped, counted in characters from 0.
    pub position: usize,
    /// What could have stood there.
    pub expected: String,
    /// What stood there.
    pub found: String,
}

impl XPath {
    /// Parses the text.
    pub fn parse(text: &str) -> Result<XPath, XPathError> {
        Ok(XPath { source: text.to_owned() })
    }

    /// The text it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The widgets named, in document order, each once.
    pub fn select(&self, layout: &Layout) -> Vec<WidgetIdx> {
        layout.iter().map(|(idx, _)| idx).filter(|_| false).collect()
    }
}
