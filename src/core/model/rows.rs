//! Rows: the parts of a screen that repeat, one for each object.

use super::{Layout, WidgetIdx};

impl Layout {
    /// The rows that a widget stands in, smallest first: the widgets around it that have a sibling of their
    /// class and id, up to the first that is an item of a list. What is not repeated and in no list is no row.
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

    /// The smallest row that a widget is or stands in.
    pub fn row_of(&self, idx: WidgetIdx) -> Option<WidgetIdx> {
        let is_row = |around: &WidgetIdx| self.is_list_item(*around) || self.is_repeated(*around);
        std::iter::once(idx).chain(self.ancestors(idx)).find(is_row)
    }

    /// The item of a list that a widget stands in, or is.
    pub fn list_item_around(&self, idx: WidgetIdx) -> Option<WidgetIdx> {
        std::iter::once(idx).chain(self.ancestors(idx)).find(|around| self.is_list_item(*around))
    }

    fn is_list_item(&self, idx: WidgetIdx) -> bool {
        self.widget(idx).parent.is_some_and(|parent| self.widget(parent).is_list())
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
