//! Rows: the parts of a screen that are repeated, once for each object.

use std::collections::BTreeMap;

use super::{Layout, PxRect, Widget, WidgetIdx};

impl Layout {
    /// Returns the rows around a widget, smallest first: its ancestors that have a sibling of the same class and id, up
    /// to the first one that is an item of a list, which counts even without such a sibling. Empty if nothing around
    /// the widget is repeated or in a list.
    pub fn rows_around(&self, idx: WidgetIdx) -> Vec<WidgetIdx> {
        let mut rows = Vec::new();
        for around in self.ancestors(idx) {
            let item = self.is_list_item(around);
            if item || self.is_repeated(around) {
                rows.push(around);
            }
            if item {
                break;
            }
        }
        rows
    }

    /// The smallest row that is the widget or contains it; `None` if there is none.
    pub fn row_of(&self, idx: WidgetIdx) -> Option<WidgetIdx> {
        let is_row = |around: &WidgetIdx| self.is_list_item(*around) || self.is_repeated(*around);
        std::iter::once(idx).chain(self.ancestors(idx)).find(is_row)
    }

    /// The innermost item of a list that is the widget or contains it; `None` if there is none.
    pub fn list_item_around(&self, idx: WidgetIdx) -> Option<WidgetIdx> {
        std::iter::once(idx).chain(self.ancestors(idx)).find(|around| self.is_list_item(*around))
    }

    /// Whether the widget is a list or a grid, whose children are items. Where its class does not tell, as in Jetpack
    /// Compose, Flutter and React Native, this is concluded from its children: they are stacked and equally wide, and the
    /// widget scrolls, or they are of one class and each can be acted on.
    pub fn is_list(&self, idx: WidgetIdx) -> bool {
        const ANY_CLASS: [&str; 3] = ["View", "ViewGroup", "ScrollView"];
        let widget = self.widget(idx);
        if widget.is_list() {
            return true;
        }
        if !ANY_CLASS.contains(&widget.short_class()) || !self.are_stacked(idx) {
            return false;
        }
        let rows = self.children(idx).count();
        // What fills most of the widget is a page.
        let is_row = |row: WidgetIdx| self.widget(row).bounds.height() <= widget.bounds.height() / 2;
        if widget.scrollable() && widget.short_class() != "ScrollView" {
            return rows > 1 || self.children(idx).all(is_row);
        }
        let class = self.children(idx).next().map(|row| &self.widget(row).class);
        let acts = |row: WidgetIdx| {
            let inside = || self.subtree(row).map(|inner| self.widget(inner));
            class == Some(&self.widget(row).class)
                && inside().any(Widget::is_actionable)
                && inside().any(|inner| inner.says().is_some())
        };
        rows > 1 && self.children(idx).all(acts)
    }

    /// Whether all of an item of a list is in sight. Of one at the edge of a list that scrolls, only a part may be.
    pub fn is_whole_item(&self, item: WidgetIdx) -> bool {
        let widget = self.widget(item);
        let Some(list) = widget.parent.filter(|list| self.widget(*list).scrollable()) else { return true };
        let (PxRect { top, bottom, .. }, bounds) = (widget.bounds, self.widget(list).bounds);
        bottom < bounds.bottom && (top > bounds.top || widget.bounds.height() >= self.highest_item(list))
    }

    /// The height of the highest item of a list, in px.
    pub fn highest_item(&self, list: WidgetIdx) -> i32 {
        self.children(list).map(|item| self.widget(item).bounds.height()).max().unwrap_or_default()
    }

    /// Whether the widget has children, all equally wide and each below the one before.
    fn are_stacked(&self, idx: WidgetIdx) -> bool {
        let rows: Vec<PxRect> = self.children(idx).map(|row| self.widget(row).bounds).collect();
        let below = |pair: &[PxRect]| {
            let (one, next) = (pair[0], pair[1]);
            (one.left, one.right) == (next.left, next.right) && one.bottom <= next.top
        };
        // A form is no list.
        let field = self.children(idx).any(|row| self.widget(row).is_editable());
        !rows.is_empty() && !field && rows.windows(2).all(below)
    }

    /// Whether the widget has a sibling of the same class and id, as the rows of a list have.
    pub fn is_repeated(&self, idx: WidgetIdx) -> bool {
        let widget = self.widget(idx);
        let siblings = widget.parent.into_iter().flat_map(|parent| self.children(parent));
        siblings.filter(|other| *other != idx).any(|other| widget.same_type(self.widget(other)))
    }

    /// Computes [`is_repeated`](Layout::is_repeated) for all widgets at once, in time about linear in their number.
    pub fn repeated(&self) -> Vec<bool> {
        let mut counts: BTreeMap<Kind<'_>, usize> = BTreeMap::new();
        for widget in self.widgets() {
            *counts.entry(kind(widget)).or_default() += 1;
        }
        let several = |widget: &Widget| {
            widget.parent.is_some() && counts.get(&kind(widget)).is_some_and(|count| *count > 1)
        };
        self.widgets().iter().map(several).collect()
    }

    fn is_list_item(&self, idx: WidgetIdx) -> bool {
        self.widget(idx).parent.is_some_and(|parent| self.is_list(parent))
    }
}

/// What repeated widgets have in common: parent, class and id.
type Kind<'l> = (Option<WidgetIdx>, &'l str, Option<&'l str>);

fn kind(widget: &Widget) -> Kind<'_> {
    (widget.parent, &widget.class, widget.resource_id.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WidgetFlags, layout_from};

    fn check(notation: &str, widget: u32, expected: &[u32]) {
        let rows: Vec<u32> =
            layout_from(notation).rows_around(WidgetIdx(widget)).iter().map(|row| row.0).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_list_without_a_class_of_its_own_is_told_by_its_rows() {
        let check = |notation: &str, flags: &[(u32, WidgetFlags)], expected: bool| {
            let layout = flags.iter().fold(layout_from(notation), |layout, (idx, flag)| {
                layout
                    .with_changed(&[WidgetIdx(*idx)], |widget| widget.flags = widget.flags.with(*flag, true))
            });
            let whole = PxRect::new(0, 0, 1080, 900);
            let layout = layout.with_changed(&[WidgetIdx(0)], |list| list.bounds = whole);
            assert_eq!(layout.is_list(WidgetIdx(0)), expected, "{notation} {flags:?}");
        };
        let scrolls = (0, WidgetFlags::SCROLLABLE);
        check("View\n  TextView \"a\"\n  View\n    TextView \"b\"\n", &[scrolls], true);
        check("View\n  TextView \"a\"\n", &[scrolls], true);
        check("View\n  TextView \"a\"\n  TextView \"b\"\n", &[], false);
        let rows = "View\n  View\n    TextView \"a\"\n  View\n    TextView \"b\"\n";
        check(rows, &[(1, WidgetFlags::CLICKABLE)], false);
        check(rows, &[(1, WidgetFlags::CLICKABLE), (3, WidgetFlags::CLICKABLE)], true);
        check("View\n", &[scrolls], false);
        let page = "View\n  View\n    TextView \"a\"\n";
        let fills = layout_from(page).with_changed(&[WidgetIdx(0), WidgetIdx(1)], |widget| {
            widget.bounds = PxRect::new(0, 0, 1080, 900);
            widget.flags = widget.flags.with(WidgetFlags::SCROLLABLE, true);
        });
        assert!(!fills.is_list(WidgetIdx(0)), "a page of a pager");
    }

    #[test]
    fn a_row_is_repeated_or_an_item_of_a_list() {
        let list = "ListView\n  LinearLayout\n    FrameLayout\n      TextView#row \"a\"\n    Button#more\n";
        check(list, 3, &[1]);
        check(&list.replace("ListView", "ScrollView"), 3, &[]);
        check(
            "FrameLayout\n  FrameLayout#x\n    TextView \"a\"\n  FrameLayout#x\n    TextView \"b\"\n",
            4,
            &[3],
        );
        let inner = "ListView\n  LinearLayout\n    FrameLayout\n      TextView \"a\"\n    FrameLayout\n";
        check(inner, 3, &[2, 1]);
        check("TextView \"a\"\n", 0, &[]);
    }

    #[test]
    fn all_that_is_repeated_is_found_in_one_go() {
        let layout = layout_from(
            "ListView\n  TextView#row\n  Button\n  TextView#row\n  TextView\n    Button\n    Button\nListView\n",
        );
        let one_by_one: Vec<bool> = layout.iter().map(|(idx, _)| layout.is_repeated(idx)).collect();
        assert_eq!(layout.repeated(), one_by_one);
        assert_eq!(one_by_one, [false, true, false, true, false, true, true, false]);
    }
}
