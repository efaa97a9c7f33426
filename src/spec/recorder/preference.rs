//! The kind of selector that a person prefers where several name a widget alone.

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use crate::changing_text::changing;
use crate::{SpecSelector, TextPattern};

words! {
    /// The kind of selector that is chosen where several name a widget alone. Other kinds are chosen where it names none,
    /// and what is beside an object in a list is always looked for in the object's row.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum SelectorPreference {
        /// The most reliable one: usually the id.
        #[default]
        Id = "id",
        /// The text that the widget shows.
        Text = "text",
        /// The description for people who cannot see the screen.
        Description = "description",
        /// The way through the screen.
        Xpath = "xpath",
    }
    /// The word that options and files use.
    pub fn word;
    /// All preferences, the default first.
    pub const ALL;
}

impl SelectorPreference {
    /// How far the selector is from the preferred kind: 0 for one of that kind alone, 1 for one that uses an id beside
    /// it. A text that changes by itself is never preferred.
    pub(super) fn distance(self, selector: &SpecSelector) -> usize {
        let preferred = match self {
            SelectorPreference::Id => return 0,
            SelectorPreference::Text => {
                matches!(&selector.text, TextPattern::Is(text) if changing(text).is_none())
            }
            SelectorPreference::Description => {
                selector.content_desc.as_deref().is_some_and(|desc| changing(desc).is_none())
            }
            SelectorPreference::Xpath => selector.xpath.is_some(),
        };
        match (preferred, &selector.resource_id) {
            (true, None) => 0,
            (true, Some(_)) => 1,
            (false, _) => 2,
        }
    }
}
