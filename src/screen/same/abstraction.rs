//! Abstractions: what is ignored when two layouts are compared, and the hash of a layout under an abstraction.

use serde::{Deserialize, Serialize};

use crate::determinism::HashBuffer;
use crate::{Layout, Widget, WidgetFlags};

/// What is ignored when two layouts are compared by their [`LayoutKey`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// Activity, rotation, nesting and all attributes of every widget except its hint count. Screen size and windows
    /// are ignored.
    Exact,
    /// Activity, nesting, classes, ids and whether a widget is clickable, checkable or scrollable count. Texts,
    /// positions, focus and the number of repeated rows are ignored.
    Structure,
    /// The activity and the set of (class, resource id) pairs count. Texts, positions, nesting and numbers are ignored.
    Types,
}

/// 64-bit hash of a layout under an [`Abstraction`] or another notion of equality. Only keys of the same notion can be
/// compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LayoutKey(pub u64);

impl Abstraction {
    pub(crate) fn key(self, layout: &Layout) -> LayoutKey {
        match self {
            Abstraction::Exact => exact(layout),
            Abstraction::Structure => structure(layout),
            Abstraction::Types => types(layout),
        }
    }
}

fn exact(layout: &Layout) -> LayoutKey {
    let mut hasher = HashBuffer::default();
    hasher.text(layout.activity());
    hasher.u64(u64::from(layout.rotation().0));
    for widget in layout.widgets() {
        hasher.u64(widget.parent.map_or(u64::MAX, |parent| u64::from(parent.0)));
        hasher.text(&widget.package);
        hasher.text(&widget.class);
        hasher.text(widget.resource_id.as_deref().unwrap_or(""));
        hasher.text(&widget.text);
        hasher.text(&widget.content_desc);
        let bounds = widget.bounds;
        hasher.u64((bounds.left as u64) << 32 | bounds.top as u32 as u64);
        hasher.u64((bounds.right as u64) << 32 | bounds.bottom as u32 as u64);
        hasher.u64(u64::from(widget.flags.0));
    }
    LayoutKey(hasher.finish())
}

/// Hashes the set of distinct root-to-widget paths, so that a list of three rows equals one of ten.
fn structure(layout: &Layout) -> LayoutKey {
    const KEPT: [WidgetFlags; 3] = [WidgetFlags::CLICKABLE, WidgetFlags::CHECKABLE, WidgetFlags::SCROLLABLE];
    let mut paths: Vec<u64> = Vec::with_capacity(layout.widgets().len());
    let mut hasher = HashBuffer::default();
    for widget in layout.widgets() {
        hasher.clear();
        hasher.u64(widget.parent.map_or(0, |parent| paths[parent.index()]));
        hasher.text(&widget.class);
        hasher.text(widget.resource_id.as_deref().unwrap_or(""));
        for flag in KEPT {
            hasher.u64(u64::from(widget.flags.has(flag)));
        }
        paths.push(hasher.finish());
    }
    let mut widgets = layout.widgets().iter();
    paths.retain(|_| !widgets.next().is_some_and(Widget::is_announcement));
    paths.sort_unstable();
    paths.dedup();
    hasher.clear();
    hasher.text(layout.activity());
    for path in paths {
        hasher.u64(path);
    }
    LayoutKey(hasher.finish())
}

/// Hashes the activity and the set of (class, resource id) pairs: TimeMachine's state (`engine/timemachine/paper.md`,
/// section 3).
fn types(layout: &Layout) -> LayoutKey {
    let mut hasher = HashBuffer::default();
    let hash = |widget: &Widget| {
        hasher.clear();
        hasher.text(&widget.class);
        hasher.text(widget.resource_id.as_deref().unwrap_or(""));
        hasher.finish()
    };
    let mut types: Vec<u64> =
        layout.widgets().iter().filter(|widget| !widget.is_announcement()).map(hash).collect();
    types.sort_unstable();
    types.dedup();
    hasher.clear();
    hasher.text(layout.activity());
    types.into_iter().for_each(|kind| hasher.u64(kind));
    LayoutKey(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    #[test]
    fn an_announcement_makes_no_other_page() {
        let page = layout_from("ListView#list\n  TextView#row \"a\"\n");
        let toast = Widget::announcement("org.ex", true, "Saved");
        let announced = page.clone().with_window_of("announcements".into(), [toast]);
        assert_eq!(announced.widgets().len(), 3);
        for abstraction in [Abstraction::Structure, Abstraction::Types] {
            assert_eq!(page.key(abstraction), announced.key(abstraction));
        }
        assert_ne!(page.key(Abstraction::Exact), announced.key(Abstraction::Exact));
        let selector = crate::Selector {
            class: Some("android.widget.Toast".to_owned()),
            text: Some("Saved".to_owned()),
            ..Default::default()
        };
        assert!(matches!(selector.resolve(&announced), crate::Resolved::One(_)));
    }

    #[test]
    fn structure_ignores_texts_and_repeated_rows() {
        let few = layout_from("ListView#list\n  TextView#row \"a\"\n");
        let many = layout_from("ListView#list\n  TextView#row \"b\"\n  TextView#row \"c\"\n");
        assert_eq!(few.key(Abstraction::Structure), many.key(Abstraction::Structure));
        assert_ne!(few.key(Abstraction::Exact), many.key(Abstraction::Exact));
        let other = layout_from("ListView#list\n  TextView#title \"a\"\n");
        assert_ne!(few.key(Abstraction::Structure), other.key(Abstraction::Structure));
    }
}
