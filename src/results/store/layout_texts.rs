//! Layouts in our files: each once, as a uiautomator dump with what a dump does not hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::StoreError;
use taproof_core::format::{parse_hierarchy, write_hierarchy};
use taproof_core::model::{Layout, PxSize, Text};

/// A layout as text.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct LayoutText {
    activity: String,
    size: (i32, i32),
    xml: String,
}

/// The layouts of a file, each once, by their numbers.
#[derive(Default)]
pub(super) struct LayoutTexts {
    /// Those that were met, by where they are: what is written holds them meanwhile.
    met: BTreeMap<usize, usize>,
    /// The same screen may have been seen twice.
    texts: BTreeMap<LayoutText, usize>,
}

impl LayoutTexts {
    /// The number of a layout.
    pub fn number(&mut self, layout: &Arc<Layout>) -> usize {
        let next = self.texts.len();
        let texts = &mut self.texts;
        *self.met.entry(Arc::as_ptr(layout).addr()).or_insert_with(|| {
            let text = LayoutText {
                activity: layout.activity().to_string(),
                size: (layout.screen().width, layout.screen().height),
                xml: write_hierarchy(layout),
            };
            *texts.entry(text).or_insert(next)
        })
    }

    /// All of them, in the order of their numbers.
    pub fn texts(self) -> Vec<LayoutText> {
        let mut texts: Vec<_> = self.texts.into_iter().collect();
        texts.sort_by_key(|(_, number)| *number);
        texts.into_iter().map(|(text, _)| text).collect()
    }
}

impl LayoutText {
    /// The layout that it says.
    pub fn layout(&self) -> Result<Arc<Layout>, StoreError> {
        let parsed = parse_hierarchy(self.xml.as_bytes())
            .map_err(|error| StoreError::Damaged { what: error.to_string() })?;
        let (width, height) = self.size;
        let activity = Text::from(self.activity.as_str());
        Ok(Arc::new(parsed.layout.with_activity(activity).with_screen(PxSize { width, height })))
    }
}
