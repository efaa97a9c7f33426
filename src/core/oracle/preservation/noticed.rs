//! What a person notices on a screen: texts in fields, checked and selected states, the rows of lists, and other texts.
//! Bounds, focus, the keyboard, announcements and progress bars do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::times::without_times;
use crate::model::{Layout, PxRect, Widget, WidgetFlags, WidgetIdx, one_line};

/// A state of one widget that a person notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub widget: WidgetIdx,
    /// The text of a field; `checked` or `selected`; another text.
    pub value: String,
    /// Whether it is inside something that scrolls, so that it may be out of sight.
    pub scrolls: bool,
    /// Whether it is a button or the like.
    pub acts: bool,
}

impl State {
    /// What is compared: a time of day changes by itself.
    pub fn lasting(&self) -> String {
        without_times(&self.value)
    }
}

/// A list and the texts of its rows, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List {
    pub widget: WidgetIdx,
    pub bounds: PxRect,
    /// Whether there may be more rows than are in sight: there is no room for another one, or only a part of one is in
    /// sight.
    pub full: bool,
    /// How far below the top of the list the first row begins, in px. Another place of it means that the list was scrolled.
    pub offset: i32,
    pub rows: Vec<Row>,
}

/// A row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub widget: WidgetIdx,
    /// Its texts without those of fields, in order.
    pub text: String,
    /// The same without times, for comparison.
    pub lasting: String,
}

/// What a person notices on a screen. The keys name a place on it: the same on each screen of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Noticed {
    pub fields: BTreeMap<Place, State>,
    pub checks: BTreeMap<Place, State>,
    pub selected: BTreeMap<Place, State>,
    pub lists: BTreeMap<Place, List>,
    /// Texts outside of lists and fields. A place may have several, such as the labels of equal buttons.
    pub texts: BTreeMap<Place, Vec<State>>,
}

/// Names a place on a screen, for comparison and for people: `#title`, `#done of Milk`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The id of the widget, or its class if it has none.
    pub what: String,
    /// The row that it is in; empty outside of lists.
    pub row: String,
    /// Whether the widget has an id, without which Android restores nothing of it.
    pub has_id: bool,
    /// Distinguishes widgets of the same name, in the order of the screen.
    pub number: usize,
}

impl Noticed {
    /// Looks at the widgets of the app, or at those of one kind of place only.
    pub fn on(layout: &Layout, app: &str) -> Noticed {
        let mut noticed = Noticed::default();
        let mut named: BTreeMap<(u8, String, String), usize> = BTreeMap::new();
        let passing: BTreeSet<WidgetIdx> = layout
            .iter()
            .filter(|(idx, _)| layout.is_snackbar(*idx))
            .flat_map(|(idx, _)| layout.subtree(idx))
            .collect();
        for (idx, widget) in layout.iter().filter(|(_, widget)| counts(widget, app)) {
            if passing.contains(&idx) {
                continue;
            }
            let acts = widget.is_actionable();
            let scrolls = layout.ancestors(idx).any(|around| layout.widget(around).scrollable());
            let row = layout.list_item_around(idx).map(|row| row_text(layout, row)).unwrap_or_default();
            let mut place = |kind: u8| {
                let (what, has_id) = name_of(widget);
                let number = named.entry((kind, what.clone(), row.clone())).or_default();
                *number += 1;
                Place { what, row: row.clone(), has_id, number: *number - 1 }
            };
            if widget.is_list() {
                noticed.lists.insert(place(0), list(layout, idx));
            }
            if widget.is_text_field() {
                let value = widget.text.to_string();
                noticed.fields.insert(place(1), State { widget: idx, value, scrolls, acts });
                continue;
            }
            if widget.flags.has(WidgetFlags::CHECKABLE) {
                let value = if widget.flags.has(WidgetFlags::CHECKED) { "checked" } else { "not checked" };
                noticed
                    .checks
                    .insert(place(2), State { widget: idx, value: value.to_owned(), scrolls, acts });
            }
            if widget.flags.has(WidgetFlags::SELECTED) {
                noticed
                    .selected
                    .insert(place(3), State { widget: idx, value: "selected".to_owned(), scrolls, acts });
            }
            if row.is_empty() && !says(widget).is_empty() {
                let (what, has_id) = name_of(widget);
                let place = Place { what, row: String::new(), has_id, number: 0 };
                let state = State { widget: idx, value: says(widget).to_owned(), scrolls, acts };
                noticed.texts.entry(place).or_default().push(state);
            }
        }
        noticed
    }

    /// Whether a person has entered something here that is not saved yet.
    pub fn holds_input(&self) -> bool {
        self.fields.values().any(|field| !field.value.is_empty())
    }
}

fn counts(widget: &Widget, app: &str) -> bool {
    &*widget.package == app
        && !widget.is_announcement()
        && !widget.is_progress()
        && !widget.bounds.is_empty()
        && !widget.flags.has(WidgetFlags::INVISIBLE)
}

/// What stands between the texts of a row.
pub(super) const CELL: &str = " \u{b7} ";

/// The text that the widget shows, or what it is described as.
fn says(widget: &Widget) -> &str {
    if widget.text.is_empty() { &widget.content_desc } else { &widget.text }
}

/// The name of a widget on its page, and whether that is its id.
fn name_of(widget: &Widget) -> (String, bool) {
    match widget.short_id() {
        Some(id) => (format!("#{id}"), true),
        None => (widget.short_class().to_owned(), false),
    }
}

fn list(layout: &Layout, idx: WidgetIdx) -> List {
    let bounds = layout.widget(idx).bounds;
    let height = |row: WidgetIdx| layout.widget(row).bounds.height();
    let highest = layout.children(idx).map(height).max().unwrap_or_default();
    let scrolls = layout.widget(idx).scrollable();
    // Of a row at the edge only a part may be in sight.
    let whole = |row: &WidgetIdx| {
        let PxRect { top, bottom, .. } = layout.widget(*row).bounds;
        !scrolls || (bottom < bounds.bottom && (top > bounds.top || height(*row) >= highest))
    };
    let row = |row: WidgetIdx| {
        let text = row_text(layout, row);
        Row { widget: row, lasting: without_times(&text), text }
    };
    let last = layout.children(idx).last().map_or(bounds.top, |row| layout.widget(row).bounds.bottom);
    let first = layout.children(idx).next().map_or(bounds.top, |row| layout.widget(row).bounds.top);
    List {
        widget: idx,
        bounds,
        offset: if scrolls { first - bounds.top } else { 0 },
        full: scrolls && (last + highest > bounds.bottom || !layout.children(idx).all(|row| whole(&row))),
        rows: layout.children(idx).filter(whole).map(row).filter(|row| !row.text.is_empty()).collect(),
    }
}

fn row_text(layout: &Layout, row: WidgetIdx) -> String {
    // Buttons of a row without a text come and go with the mode of the page.
    let counts =
        |widget: &&Widget| !widget.is_text_field() && (!widget.text.is_empty() || !widget.is_actionable());
    let texts = layout.subtree(row).map(|idx| layout.widget(idx)).filter(counts);
    let texts: Vec<&str> = texts.map(says).filter(|text| !text.is_empty()).collect();
    texts.join(CELL)
}

impl Place {
    /// The place as a part of a sentence.
    pub fn words(&self) -> String {
        let name = self.what.trim_start_matches('#');
        match self.row.is_empty() {
            true => format!("\u{201c}{name}\u{201d}"),
            false => format!("\u{201c}{name}\u{201d} of \u{201c}{}\u{201d}", one_line(&self.row)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layout_from;

    #[test]
    fn fields_states_rows_and_other_texts_are_told_apart() {
        let layout = layout_from(
            "FrameLayout\n  TextView#title \"Tasks\"\n  EditText#query \"mil\"\n  ListView#list\n    LinearLayout\n      \
             CheckBox#done\n      TextView#name \"Milk\"\n    LinearLayout\n      TextView#name \"Tea\"\n  \
             ImageButton#add (Add)\n  ProgressBar#busy\n",
        );
        let noticed = Noticed::on(&layout, "org.ex");
        let states = |of: &BTreeMap<Place, State>| -> Vec<(String, String)> {
            of.iter().map(|(place, state)| (place.words(), state.value.clone())).collect()
        };
        assert_eq!(states(&noticed.fields), [("\u{201c}query\u{201d}".to_owned(), "mil".to_owned())]);
        let rows: Vec<&str> =
            noticed.lists.values().flat_map(|list| &list.rows).map(|row| &*row.text).collect();
        assert_eq!(rows, ["Milk", "Tea"]);
        let texts: Vec<&str> = noticed.texts.values().flatten().map(|state| &*state.value).collect();
        assert_eq!(texts, ["Add", "Tasks"]);
        assert!(noticed.holds_input());
        assert_eq!(Noticed::on(&layout, "org.other"), Noticed::default());
    }
}
