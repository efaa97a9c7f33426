//! The 64-bit hashes by which widgets and layouts are compared (`engine/genie/paper.md`, sections 3 and 8): of a
//! widget's type, of its type with its text, of its kind of receiver, of its subtree and of its content; and the
//! abstract and concrete id of a layout.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Layout, LayoutKey, Widget, WidgetFlags, WidgetIdx};
use crate::determinism::HashBuffer;

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
        let mut hasher = HashBuffer::default();
        let label = |widget: &Widget| {
            hasher.clear();
            self.add_type(&mut hasher, widget);
            self.add_text(&mut hasher, widget);
            hasher.finish()
        };
        layout.widgets().iter().map(label).collect()
    }

    /// Returns the abstract id of a layout: the hash of its activity and the set of its widgets' types. Layouts with
    /// the same abstract id are the same state.
    pub fn abstract_id(self, layout: &Layout) -> LayoutKey {
        let mut labels = self.hashed(layout, |hasher, widget| self.add_type(hasher, widget));
        labels.dedup();
        key(layout, &labels)
    }

    /// Returns the concrete id of a layout: the hash of its activity and the multiset of its widgets' types, texts and
    /// states.
    pub fn concrete_id(self, layout: &Layout) -> LayoutKey {
        const STATES: [WidgetFlags; 3] = [WidgetFlags::ENABLED, WidgetFlags::CHECKED, WidgetFlags::SELECTED];
        let labels = self.hashed(layout, |hasher, widget| {
            self.add_type(hasher, widget);
            self.add_text(hasher, widget);
            for state in STATES {
                hasher.u64(u64::from(widget.flags.has(state)));
            }
        });
        key(layout, &labels)
    }

    fn hashed(self, layout: &Layout, add: impl Fn(&mut HashBuffer, &Widget)) -> Vec<u64> {
        let mut hasher = HashBuffer::default();
        let label = |widget: &Widget| {
            hasher.clear();
            add(&mut hasher, widget);
            hasher.finish()
        };
        let mut labels: Vec<u64> = layout.widgets().iter().map(label).collect();
        labels.sort_unstable();
        labels
    }
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

/// Whether two widgets have the same class and the same id.
pub fn same_type(one: &Widget, other: &Widget) -> bool {
    one.class == other.class && one.resource_id == other.resource_id
}

/// Whether the widget has a sibling of the same class and id, as the rows of a list have.
pub fn is_repeated(layout: &Layout, idx: WidgetIdx) -> bool {
    let widget = layout.widget(idx);
    let siblings = widget.parent.into_iter().flat_map(|parent| layout.children(parent));
    siblings.filter(|other| *other != idx).any(|other| same_type(widget, layout.widget(other)))
}

/// What repeated widgets have in common: parent, class and id.
type Kind<'l> = (Option<WidgetIdx>, &'l str, Option<&'l str>);

fn kind(widget: &Widget) -> Kind<'_> {
    (widget.parent, &widget.class, widget.resource_id.as_deref())
}

/// Computes [`is_repeated`] for all widgets at once, in time about linear in their number.
pub fn repeated(layout: &Layout) -> Vec<bool> {
    let mut counts: BTreeMap<Kind<'_>, usize> = BTreeMap::new();
    for widget in layout.widgets() {
        *counts.entry(kind(widget)).or_default() += 1;
    }
    let several = |widget: &Widget| {
        widget.parent.is_some() && counts.get(&kind(widget)).is_some_and(|count| *count > 1)
    };
    layout.widgets().iter().map(several).collect()
}

/// Computes [`row_around`] for all widgets at once.
pub fn rows_by_widget(layout: &Layout) -> Vec<Option<WidgetIdx>> {
    let mut speaks: Vec<bool> = layout.widgets().iter().map(|widget| !widget.text.is_empty()).collect();
    for (idx, widget) in layout.iter().rev() {
        if let Some(parent) = widget.parent.filter(|_| speaks[idx.index()]) {
            speaks[parent.index()] = true;
        }
    }
    let repeated = repeated(layout);
    let mut rows: Vec<Option<WidgetIdx>> = Vec::with_capacity(repeated.len());
    for (idx, widget) in layout.iter() {
        let is_row = repeated[idx.index()] && speaks[idx.index()];
        rows.push(if is_row { Some(idx) } else { widget.parent.and_then(|parent| rows[parent.index()]) });
    }
    rows
}

/// Returns the innermost repeated widget with a text in it that is the widget or contains it; `None` if there is none.
pub fn row_around(layout: &Layout, widget: WidgetIdx) -> Option<WidgetIdx> {
    let mut around = std::iter::once(widget).chain(layout.ancestors(widget));
    around.find(|idx| is_repeated(layout, *idx) && layout.texts_in(*idx).next().is_some())
}

/// Returns the hash of every widget's subtree, computed from the widgets' labels: equal for subtrees with the same
/// labels, nesting and order.
pub fn subtree_hashes(layout: &Layout, labels: &[u64]) -> Vec<u64> {
    let mut hasher = HashBuffer::default();
    let mut hashes = labels.to_vec();
    for index in (0..labels.len()).rev() {
        hasher.clear();
        hasher.u64(labels[index]);
        for child in layout.children(WidgetIdx(index as u32)) {
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
    use crate::layout_from;

    #[test]
    fn states_ignore_how_often_and_where_and_concrete_ids_do_not_ignore_texts() {
        let basis = LabelBasis::default();
        let page = |rows: &str, photo: &str| {
            layout_from(&format!("FrameLayout\n  ListView#list\n{rows}  {photo}\n"))
        };
        let (row, other) = ("    TextView#title \"Cinema\"\n", "    TextView#title \"Cleaning\"\n");
        let one = page(row, "ImageView#photo");
        let two = page(&format!("{row}{other}"), "ImageView#photo");
        assert_eq!(basis.abstract_id(&one), basis.abstract_id(&two));
        assert_ne!(basis.concrete_id(&one), basis.concrete_id(&two));
        let swapped = page(&format!("{other}{row}"), "ImageView#photo");
        assert_eq!(basis.concrete_id(&two), basis.concrete_id(&swapped));
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
    fn all_that_is_repeated_is_found_in_one_go() {
        let layout = layout_from(
            "ListView\n  TextView#row\n  Button\n  TextView#row\n  TextView\n    Button\n    Button\nListView\n",
        );
        let one_by_one: Vec<bool> = layout.iter().map(|(idx, _)| is_repeated(&layout, idx)).collect();
        assert_eq!(repeated(&layout), one_by_one);
        assert_eq!(one_by_one, [false, true, false, true, false, true, true, false]);
        let layout = layout_from(
            "ListView\n  Row\n    TextView \"a\"\n    Button\n  Row\n    Button\n  Button \"b\"\n",
        );
        let rows: Vec<_> = layout.iter().map(|(idx, _)| row_around(&layout, idx)).collect();
        assert_eq!(rows_by_widget(&layout), rows);
        assert!(rows[2] == Some(WidgetIdx(1)) && rows[5].is_none());
    }

    #[test]
    fn content_ignores_order_and_subtrees_do_not() {
        let layout = layout_from(
            "ListView\n  LinearLayout\n    TextView \"a\"\n    TextView \"b\"\n  LinearLayout\n    TextView \"b\"\n    TextView \"a\"\n",
        );
        let labels = LabelBasis::default().text_labels(&layout);
        let content = |idx| content_hash(&layout, &labels, WidgetIdx(idx));
        assert_eq!(content(1), content(4));
        let subtrees = subtree_hashes(&layout, &labels);
        assert_ne!(subtrees[1], subtrees[4]);
        assert_eq!(subtrees[2], subtrees[6]);
    }
}
