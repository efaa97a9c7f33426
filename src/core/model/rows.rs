//! Rows: the parts of a screen that are repeated, once for each object.

use super::{Layout, WidgetIdx};

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

    /// Whether the widget is a list or a grid, whose children are items.
    pub fn is_list(&self, idx: WidgetIdx) -> bool {
        self.widget(idx).is_list()
    }

    fn is_list_item(&self, idx: WidgetIdx) -> bool {
        self.widget(idx).parent.is_some_and(|parent| self.is_list(parent))
    }

    fn is_repeated(&self, idx: WidgetIdx) -> bool {
        let widget = self.widget(idx);
        let Some(parent) = widget.parent else { return false };
        let like = |other: &WidgetIdx| {
            let other = self.widget(*other);
            other.class == widget.class && other.resource_id == widget.resource_id
        };
        self.children(parent).filter(like).nth(1).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout_from;

    fn check(notation: &str, widget: u32, expected: &[u32]) {
        let rows: Vec<u32> =
            layout_from(notation).rows_around(WidgetIdx(widget)).iter().map(|row| row.0).collect();
        assert_eq!(rows, expected);
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
}
