//! The 64-bit hashes by which widgets and layouts are compared (`engine/genie/paper.md`, sections 3 and 8): of a
//! widget's type, of its type with its text, of its kind of receiver, of its subtree and of its content; and the
//! abstract id of a layout.

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Layout, LayoutKey, Widget, WidgetFlags, WidgetIdx};

/// Longest text, in characters, that counts in a label; a longer one counts as empty (`engine/genie/paper.md`, section
/// 3).
pub const TEXT_LIMIT: usize = 50;

/// Which attributes of a widget count in its labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelBasis {
    /// Whether content descriptions count.
    pub descriptions: bool,
    /// Whether all digits in descriptions count as equal.
    pub mask_digits: bool,
}

impl Default for LabelBasis {
    fn default() -> Self {
        LabelBasis { descriptions: true, mask_digits: false }
    }
}

impl LabelBasis {
    fn add_type(self, hasher: &mut HashBuffer, widget: &Widget) {
        hasher.text(&widget.class);
        hasher.text(widget.resource_id.as_deref().unwrap_or(""));
        if self.descriptions && self.mask_digits {
            let masked: String =
                widget.content_desc.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            hasher.text(&masked);
        } else if self.descriptions {
            hasher.text(&widget.content_desc);
        }
    }

    fn add_text(self, hasher: &mut HashBuffer, widget: &Widget) {
        let short = widget.text.chars().nth(TEXT_LIMIT).is_none();
        hasher.text(if short { &widget.text } else { "" });
    }

    /// Returns the text label of every widget, in document order: the hash of its type and its text.
    pub fn text_labels(self, layout: &Layout) -> Vec<u64> {
        hashed(layout, |hasher, widget| {
            self.add_type(hasher, widget);
            self.add_text(hasher, widget);
        })
    }

    /// Returns the abstract id of a layout: the hash of its activity and the set of its widgets' types. Layouts with
    /// the same abstract id are the same state.
    pub fn abstract_id(self, layout: &Layout) -> LayoutKey {
        let mut labels = hashed(layout, |hasher, widget| self.add_type(hasher, widget));
        labels.sort_unstable();
        labels.dedup();
        key(layout, &labels)
    }
}

/// A hash of each widget.
fn hashed(layout: &Layout, add: impl Fn(&mut HashBuffer, &Widget)) -> Vec<u64> {
    let mut hasher = HashBuffer::default();
    let label = |widget: &Widget| {
        hasher.clear();
        add(&mut hasher, widget);
        hasher.finish()
    };
    layout.widgets().iter().map(label).collect()
}

fn key(layout: &Layout, labels: &[u64]) -> LayoutKey {
    let mut hasher = HashBuffer::default();
    hasher.text(layout.activity());
    for label in labels {
        hasher.u64(*label);
    }
    LayoutKey(hasher.finish())
}

/// Returns the kind of receiver that a widget is: the hash of its type and of what can be done to it. Its text does not
/// count.
pub fn property_key(widget: &Widget) -> u64 {
    const ACTIONS: [WidgetFlags; 4] = [
        WidgetFlags::CLICKABLE,
        WidgetFlags::CHECKABLE,
        WidgetFlags::LONG_CLICKABLE,
        WidgetFlags::SCROLLABLE,
    ];
    let mut hasher = HashBuffer::default();
    LabelBasis::default().add_type(&mut hasher, widget);
    for action in ACTIONS {
        hasher.u64(u64::from(widget.flags.has(action)));
    }
    hasher.finish()
}

/// Returns the hash of every widget's subtree, computed from the labels of the widgets that are `kept`: equal for subtrees
/// with the same labels, nesting and order.
pub fn subtree_hashes(layout: &Layout, labels: &[u64], kept: impl Fn(WidgetIdx) -> bool) -> Vec<u64> {
    let mut hasher = HashBuffer::default();
    let mut hashes = labels.to_vec();
    for index in (0..labels.len()).rev() {
        hasher.clear();
        hasher.u64(labels[index]);
        for child in layout.children(WidgetIdx(index as u32)).filter(|child| kept(*child)) {
            hasher.u64(hashes[child.index()]);
        }
        hashes[index] = hasher.finish();
    }
    hashes
}

/// Returns the hash of a widget's content: its own label and the multiset of its descendants' labels, wherever they
/// are.
pub fn content_hash(layout: &Layout, labels: &[u64], idx: WidgetIdx) -> u64 {
    let mut inner = labels[idx.index() + 1..layout.end(idx).index()].to_vec();
    inner.sort_unstable();
    let mut hasher = HashBuffer::default();
    hasher.u64(labels[idx.index()]);
    for label in inner {
        hasher.u64(label);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn states_ignore_how_often_and_where() {
        let basis = LabelBasis::default();
        let page = |rows: &str, photo: &str| {
            layout_from(&format!("FrameLayout\n  ListView#list\n{rows}  {photo}\n"))
        };
        let (row, other) = ("    TextView#title \"Cinema\"\n", "    TextView#title \"Cleaning\"\n");
        let one = page(row, "ImageView#photo");
        let two = page(&format!("{row}{other}"), "ImageView#photo");
        assert_eq!(basis.abstract_id(&one), basis.abstract_id(&two));
        let without = page(row, "TextView#title \"x\"");
        assert_ne!(basis.abstract_id(&one), basis.abstract_id(&without), "one more type is a new state");
    }

    #[test]
    fn descriptions_count_as_told() {
        let (one, two) = (layout_from("ImageView (Page 1)\n"), layout_from("ImageView (Page 2)\n"));
        let basis = LabelBasis::default();
        assert_ne!(basis.abstract_id(&one), basis.abstract_id(&two));
        let masked = LabelBasis { mask_digits: true, ..basis };
        assert_eq!(masked.abstract_id(&one), masked.abstract_id(&two));
        let without = LabelBasis { descriptions: false, ..basis };
        assert_eq!(without.abstract_id(&one), without.abstract_id(&layout_from("ImageView\n")));
    }

    #[test]
    fn long_texts_do_not_tell() {
        let label = |length: usize| {
            LabelBasis::default().text_labels(&layout_from(&format!("TextView \"{}\"\n", "x".repeat(length))))
        };
        assert_ne!(label(50), label(49));
        assert_eq!(label(51), label(0));
    }

    #[test]
    fn content_ignores_order_and_subtrees_do_not() {
        let layout = layout_from(
            "ListView\n  LinearLayout\n    TextView \"a\"\n    TextView \"b\"\n  LinearLayout\n    TextView \"b\"\n    TextView \"a\"\n",
        );
        let labels = LabelBasis::default().text_labels(&layout);
        let content = |idx| content_hash(&layout, &labels, WidgetIdx(idx));
        assert_eq!(content(1), content(4));
        let subtrees = subtree_hashes(&layout, &labels, |_| true);
        assert_ne!(subtrees[1], subtrees[4]);
        assert_eq!(subtrees[2], subtrees[6]);
    }
}
