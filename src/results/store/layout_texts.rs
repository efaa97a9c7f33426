//! Layouts in our files: each once, as a uiautomator dump with the attributes that a dump lacks.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::StoreError;
use taproof_screen::format::{parse_hierarchy, write_hierarchy};
use taproof_screen::{Layout, PxSize, Text};

/// A layout as text.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct LayoutText {
    activity: Text,
    size: PxSize,
    xml: String,
}

/// Collects the layouts of a file, each once, and numbers them.
#[derive(Default)]
pub(super) struct LayoutTexts {
    /// Numbers of the layouts met so far, by address. The value that is written keeps them alive meanwhile.
    met: BTreeMap<usize, usize>,
    /// Numbers by content, since equal screens may have been seen several times.
    texts: BTreeMap<LayoutText, usize>,
}

impl LayoutTexts {
    /// Returns the number of a layout, which is added if it is new.
    pub fn number(&mut self, layout: &Arc<Layout>) -> usize {
        let next = self.texts.len();
        let texts = &mut self.texts;
        *self.met.entry(Arc::as_ptr(layout).addr()).or_insert_with(|| {
            let text = LayoutText {
                activity: Text::clone(layout.activity()),
                size: layout.screen(),
                xml: write_hierarchy(layout),
            };
            *texts.entry(text).or_insert(next)
        })
    }

    /// All layouts, in the order of their numbers.
    pub fn texts(self) -> Vec<LayoutText> {
        let mut texts: Vec<_> = self.texts.into_iter().collect();
        texts.sort_by_key(|(_, number)| *number);
        texts.into_iter().map(|(text, _)| text).collect()
    }
}

impl LayoutText {
    /// Parses the layout from its dump.
    pub fn layout(&self) -> Result<Arc<Layout>, StoreError> {
        let parsed = parse_hierarchy(self.xml.as_bytes())
            .map_err(|error| StoreError::Damaged { what: error.to_string() })?;
        Ok(Arc::new(parsed.layout.with_activity(Text::clone(&self.activity)).with_screen(self.size)))
    }
}
