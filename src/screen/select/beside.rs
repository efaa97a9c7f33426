//! Names a widget by a label next to it: *the field right of “Title”*. For trees without ids this is often the only
//! name that remains the same when the screen changes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Layout, PxRect, Widget, WidgetFlags, WidgetIdx};

/// Where a widget is, seen from a label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Beside {
    /// On which side of the label.
    pub side: Side,
    /// What the label shows: its text, description or hint, or one line of it.
    pub label: String,
}

words! {
    /// A side of a label.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Side {
        /// The smallest widget that is the label or contains it, such as a button around its text.
        Labelled = "labelled" / "labelled",
        /// The widget begins where the label ends or further right, in the same line.
        RightOf = "right-of" / "right of",
        /// The widget ends where the label begins or further left, in the same line.
        LeftOf = "left-of" / "left of",
        /// The widget begins where the label ends or further down, in the same column.
        Below = "below" / "below",
        /// The widget ends where the label begins or further up, in the same column.
        Above = "above" / "above",
    }
    /// The side as files write it.
    pub fn key;
    /// The side before the label in a sentence.
    pub fn words;
}

impl Side {
    /// All sides, in the order in which people look for a label.
    pub const ALL: [Side; 5] = [Side::Labelled, Side::RightOf, Side::Below, Side::LeftOf, Side::Above];

    /// How far a widget is from a label on this side, in px; `None` if it is not on this side of it.
    pub(super) fn gap(self, label: &PxRect, widget: &PxRect) -> Option<i32> {
        let in_line = widget.top < label.bottom && label.top < widget.bottom;
        let in_column = widget.left < label.right && label.left < widget.right;
        let (gap, overlaps) = match self {
            Side::Labelled => return None,
            Side::RightOf => (widget.left - label.right, in_line),
            Side::LeftOf => (label.left - widget.right, in_line),
            Side::Below => (widget.top - label.bottom, in_column),
            Side::Above => (label.top - widget.bottom, in_column),
        };
        (overlaps && gap >= 0).then_some(gap)
    }
}

impl fmt::Display for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.side.words(), self.label)
    }
}

impl Widget {
    /// What names the widget for a person: its text, unless that was typed, its description and its hint.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let text = if self.is_editable() { "" } else { &*self.text };
        [text, &*self.content_desc, &*self.hint].into_iter().filter(|label| !label.is_empty())
    }

    /// Whether a person would call the widget so. Flutter joins the texts of a row by line breaks, so that one line is
    /// enough.
    fn is_labelled(&self, label: &str) -> bool {
        self.labels().any(|own| own == label || own.lines().any(|line| line == label))
    }
}

impl Layout {
    /// Of these widgets, those that are beside the label, in document order. For each widget that shows the label this is
    /// the nearest one on that side, and of equally near ones the first; none that contains the label or is contained in
    /// it. For [`Side::Labelled`] it is the innermost one that is the label or contains it. What is hidden is left out.
    pub fn beside(&self, beside: &Beside, widgets: &[WidgetIdx]) -> Vec<WidgetIdx> {
        let seen = |widget: &Widget| !widget.bounds.is_empty() && !widget.flags.has(WidgetFlags::INVISIBLE);
        let labels = self.iter().filter(|(_, widget)| seen(widget) && widget.is_labelled(&beside.label));
        let mut found: Vec<WidgetIdx> =
            labels.filter_map(|(label, _)| self.nearest(beside.side, label, widgets)).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|idx| seen(self.widget(*idx)));
        found
    }

    /// What a person would call a widget: its first label, or the first one of what is in it.
    pub fn label_of(&self, idx: WidgetIdx) -> Option<&str> {
        self.subtree(idx).find_map(|inner| self.widget(inner).labels().next())
    }

    /// The labels that may tell which widget this is, each with the side on which the widget is, the likeliest first: on
    /// each side the nearest few of those that `fits`.
    pub fn labels_around(&self, idx: WidgetIdx, fits: impl Fn(WidgetIdx, &str) -> bool) -> Vec<Beside> {
        const NEAREST: usize = 3;
        let bounds = self.widget(idx).bounds;
        let inside = |label: WidgetIdx| self.holds(idx, label);
        let around = |label: WidgetIdx| self.holds(label, idx);
        let mut found: Vec<(Side, i32, Beside)> = Vec::new();
        for (label, widget) in self.iter().filter(|(_, widget)| !widget.bounds.is_empty()) {
            let Some(text) = widget.labels().find(|text| fits(label, text)) else { continue };
            let gap = |side: Side| match side {
                Side::Labelled => inside(label).then_some(0),
                _ if inside(label) || around(label) => None,
                _ => side.gap(&widget.bounds, &bounds),
            };
            for side in Side::ALL {
                let beside = || Beside { side, label: text.to_owned() };
                found.extend(gap(side).map(|gap| (side, gap, beside())));
            }
        }
        let rank = |side: &Side| Side::ALL.iter().position(|other| other == side);
        found.sort_by_key(|(side, gap, _)| (rank(side), *gap));
        let mut taken = 0;
        let mut last = None;
        found.retain(|(side, ..)| {
            taken = if last == Some(*side) { taken + 1 } else { 1 };
            last = Some(*side);
            taken <= NEAREST
        });
        found.into_iter().map(|(_, _, beside)| beside).collect()
    }

    fn nearest(&self, side: Side, label: WidgetIdx, widgets: &[WidgetIdx]) -> Option<WidgetIdx> {
        if side == Side::Labelled {
            return widgets.iter().copied().filter(|idx| self.holds(*idx, label)).max();
        }
        let bounds = self.widget(label).bounds;
        let apart = widgets.iter().filter(|idx| !self.holds(**idx, label) && !self.holds(label, **idx));
        let visible = apart.filter(|idx| !self.widget(**idx).bounds.is_empty());
        let gaps = visible.filter_map(|idx| Some((side.gap(&bounds, &self.widget(*idx).bounds)?, *idx)));
        gaps.min().map(|(_, idx)| idx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutBuilder, PxSize, Role, Rotation, Selector, Text, layout_from};

    /// A form of two columns with labels on the left, and a button below that holds its text.
    fn form() -> Layout {
        let placed = [
            (0, "View", [0, 0, 1000, 600]),
            (1, "TextView \"Title\"", [0, 0, 300, 100]),
            (1, "EditText \"Milk\"", [320, 0, 1000, 100]),
            (1, "TextView \"Notes\"", [0, 120, 300, 220]),
            (1, "EditText", [320, 110, 1000, 230]),
            (1, "Button", [0, 300, 1000, 400]),
            (2, "TextView \"Save\"", [400, 320, 600, 380]),
        ];
        let screen = PxSize { width: 1000, height: 600 };
        let mut builder = LayoutBuilder::new(Text::from("org.ex/.Main"), screen, Rotation::PORTRAIT);
        for (depth, notation, [left, top, right, bottom]) in placed {
            while builder.depth() > depth {
                builder.close();
            }
            let mut widget = layout_from(notation).widget(WidgetIdx(0)).clone();
            widget.bounds = PxRect::new(left, top, right, bottom);
            builder.open(widget);
        }
        builder.finish()
    }

    fn check(role: Option<Role>, side: Side, label: &str, expected: &[u32]) {
        let beside = Some(Beside { side, label: label.to_owned() });
        let selector = Selector { role, beside, ..Selector::default() };
        let found: Vec<u32> = selector.matches(&form()).iter().map(|idx| idx.0).collect();
        assert_eq!(found, expected, "{selector}");
    }

    #[test]
    fn the_nearest_widget_on_the_side_of_the_label_is_meant() {
        let (field, button, text) = (Some(Role::Field), Some(Role::Button), Some(Role::Text));
        check(field, Side::RightOf, "Title", &[2]);
        check(field, Side::RightOf, "Notes", &[4]);
        check(field, Side::LeftOf, "Title", &[]);
        check(field, Side::Below, "Title", &[]);
        check(text, Side::Below, "Title", &[3]);
        check(button, Side::Below, "Title", &[5]);
        check(button, Side::Labelled, "Save", &[5]);
        check(None, Side::Labelled, "Save", &[6]);
        check(text, Side::Above, "Save", &[]);
        check(field, Side::Above, "Save", &[4]);
        check(None, Side::RightOf, "Milk", &[]);
        check(None, Side::RightOf, "Tea", &[]);
    }

    #[test]
    fn each_label_has_its_own_neighbour_and_the_first_of_equally_near_ones() {
        let rows = layout_from("View\n  TextView \"Done\"\n  EditText\n  TextView \"Done\"\n  EditText\n");
        let beside = Beside { side: Side::Below, label: "Done".to_owned() };
        let field = Selector { role: Some(Role::Field), beside: Some(beside.clone()), ..Selector::default() };
        assert_eq!(field.matches(&rows), [WidgetIdx(2), WidgetIdx(4)]);
        let second = Selector { instance: Some(1), ..field };
        assert_eq!(second.matches(&rows), [WidgetIdx(4)]);
        let twice = rows.with_changed(&[WidgetIdx(4)], |_| ()).with_changed(&[WidgetIdx(3)], |other| {
            other.bounds = PxRect::new(0, 200, 1080, 300);
        });
        let any = Selector { class: None, beside: Some(beside), ..Selector::default() };
        assert_eq!(any.matches(&twice)[0], WidgetIdx(2), "equally near: the first in document order");
    }

    #[test]
    fn one_line_of_a_joined_description_is_a_label() {
        let row = layout_from("View (Milk)\nButton\n");
        let joined = row.with_changed(&[WidgetIdx(0)], |row| row.content_desc = "Milk\nToday".into());
        let beside = Beside { side: Side::Below, label: "Today".to_owned() };
        assert_eq!(joined.beside(&beside, &[WidgetIdx(0), WidgetIdx(1)]), [WidgetIdx(1)]);
    }
}
