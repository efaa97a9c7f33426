//! Views whose texts change by themselves: clocks, durations, advertisements. Without masking, they make every raw
//! fingerprint different (`engine/odin/paper.md`, section 14, trap 7). They are detected by two runs of one input.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Layout, WidgetChange, WidgetIdx, diff_layouts};

/// Views whose texts are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VolatileViews(BTreeSet<u64>);

impl VolatileViews {
    /// Whether the texts of this widget are ignored.
    pub fn masks(&self, layout: &Layout, idx: WidgetIdx) -> bool {
        !self.0.is_empty() && self.0.contains(&place_key(layout, idx))
    }

    /// Adds the views whose texts differ between two layouts that two runs of one input showed at the same point.
    /// Returns whether any of them is new.
    pub fn learn(&mut self, one: &Layout, other: &Layout) -> bool {
        let mut new = false;
        for change in diff_layouts(one, other).changes {
            if let WidgetChange::Changed(old, idx) = change
                && (one.widget(old).text != other.widget(idx).text
                    || one.widget(old).content_desc != other.widget(idx).content_desc)
            {
                new |= self.0.insert(place_key(other, idx));
            }
        }
        new
    }

    /// Number of masked views.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no view is masked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Hash of activity, class and id; for a widget without id, of the classes up to an ancestor that has one.
fn place_key(layout: &Layout, idx: WidgetIdx) -> u64 {
    let mut hasher = HashBuffer::default();
    hasher.text(layout.activity());
    for idx in std::iter::once(idx).chain(layout.ancestors(idx)) {
        let widget = layout.widget(idx);
        hasher.text(&widget.class);
        if let Some(id) = &widget.resource_id {
            hasher.text(id);
            break;
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn what_two_runs_of_one_input_show_differently_is_masked() {
        let page = "FrameLayout\n  TextView#clock \"12:01\"\n  TextView#title \"a\"\n";
        let (one, later) = (layout_from(page), layout_from(&page.replace("12:01", "12:02")));
        let mut views = VolatileViews::default();
        assert!(views.learn(&one, &later) && !views.learn(&later, &one));
        assert_eq!(views.len(), 1);
        assert!(views.masks(&one, WidgetIdx(1)) && !views.masks(&one, WidgetIdx(2)));
        assert!(!views.masks(&one.with_activity("org.ex/.Other".into()), WidgetIdx(1)));
    }

    #[test]
    fn without_an_id_the_way_to_one_names_a_view() {
        let page = "FrameLayout\n  LinearLayout#head\n    TextView \"12:01\"\n  LinearLayout#body\n    TextView \"a\"\n";
        let (one, later) = (layout_from(page), layout_from(&page.replace("12:01", "12:02")));
        let mut views = VolatileViews::default();
        views.learn(&one, &later);
        assert!(views.masks(&one, WidgetIdx(2)) && !views.masks(&one, WidgetIdx(4)));
    }
}
