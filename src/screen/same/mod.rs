//! When two screens are the same. What is ignored depends on the question; each has a name and a key here, and all the
//! program asks by these. An engine whose paper has an identity of its own keeps it in its folder.
//!
//! How alike two screens are that are not the same is [`Looks`] for those of one version of an app, of which many are
//! compared, and [`similarity`] for those of two versions.

mod looks;
mod page;
mod screen_print;
mod similarity;

pub use looks::Looks;
pub use page::{
    headline, holds_actionable, is_dialog, is_opaque, opaque_words, same_page, top_level, without_digits,
};
pub use screen_print::{Likeness, ScreenPrint};
pub use similarity::similarity;

use serde::{Deserialize, Serialize};

use crate::determinism::HashBuffer;
use crate::{Layout, Widget, WidgetFlags};

/// In what two layouts are the same if their [`LayoutKey`]s are equal, the strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Activity, rotation, nesting and all attributes of every widget except its hint count. Screen size and windows
    /// are ignored.
    Exact,
    /// Activity, nesting, classes, ids and whether a widget is clickable, checkable or scrollable count. Texts,
    /// positions, focus and the number of repeated rows are ignored.
    Structure,
    /// The activity, whether it is a dialog, whether a drawer is open and the classes at the top level count. Where the
    /// tree has no ids, what can be acted on counts as well, since one activity may show all pages.
    Page,
    /// The activity and the set of (class, resource id) pairs count. Texts, positions, nesting and numbers are ignored:
    /// TimeMachine's state (`engine/timemachine/paper.md`, section 3).
    Types,
}

/// 64-bit hash of a layout under a [`Same`] or another notion of equality. Only keys of the same notion can be
/// compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LayoutKey(pub u64);

impl Layout {
    /// Hash of the layout: equal for layouts that are the same in this sense.
    pub fn key(&self, same: Same) -> LayoutKey {
        match same {
            Same::Exact => exact(self),
            Same::Structure => structure(self),
            Same::Page => page::key(self),
            Same::Types => types(self),
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

/// Hashes the activity and the set of (class, resource id) pairs.
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
        for same in [Same::Structure, Same::Types] {
            assert_eq!(page.key(same), announced.key(same));
        }
        assert_ne!(page.key(Same::Exact), announced.key(Same::Exact));
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
        assert_eq!(few.key(Same::Structure), many.key(Same::Structure));
        assert_ne!(few.key(Same::Exact), many.key(Same::Exact));
        let other = layout_from("ListView#list\n  TextView#title \"a\"\n");
        assert_ne!(few.key(Same::Structure), other.key(Same::Structure));
    }

    fn same(one: &Layout, other: &Layout) -> bool {
        one.key(Same::Page) == other.key(Same::Page)
    }

    #[test]
    fn a_page_is_told_by_its_top_level() {
        let page = "FrameLayout\n  LinearLayout\n    Toolbar\n      Button\n    ListView\n      Button\n";
        let rows = "FrameLayout\n  LinearLayout\n    Toolbar\n      Button\n    ListView\n      Button\n      Button\n";
        assert!(
            same(&layout_from(page), &layout_from(rows)),
            "down into the first that holds something to use"
        );
        let actions =
            "FrameLayout\n  LinearLayout\n    Toolbar\n      Button\n      ImageButton\n    ListView\n";
        assert!(!same(&layout_from(page), &layout_from(actions)));
        assert!(!same(&layout_from(page), &layout_from(page).with_activity("org.ex/.Other".into())));
        let dialog = layout_from(page).with_screen(crate::PxSize { width: 2000, height: 3000 });
        assert!(is_dialog(&dialog) && !same(&layout_from(page), &dialog));
    }
}
