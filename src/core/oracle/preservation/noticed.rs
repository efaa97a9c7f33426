//! What a person notices on a screen: texts in fields, checked and selected states, the rows of lists, and other texts.
//! Bounds, focus, the keyboard, announcements and progress bars do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::places::{Place, Places, list_places};
use crate::model::{Layout, PxRect, Widget, WidgetFlags, WidgetIdx};
use crate::oracle::times::without_times;

/// A state of one widget that a person notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub widget: WidgetIdx,
    /// Where it begins on the screen, in px.
    pub top: i32,
    /// What a person would call the place.
    pub called: String,
    /// The text of a field; `checked`; the label of what is selected; another text.
    pub value: String,
    /// Whether it is inside something that scrolls, so that it may be out of sight.
    pub scrolls: bool,
    /// Whether it is a button or the like, or in one.
    pub acts: bool,
    /// Whether it is a button that says what it does by its description only.
    pub is_icon: bool,
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
    /// What could be selected outside of lists and is not, such as the other tabs: by its name and its label.
    pub selectable: BTreeMap<(String, String), WidgetIdx>,
    pub lists: BTreeMap<Place, List>,
    /// Texts outside of lists and fields. A place may have several, such as the labels of equal buttons.
    pub texts: BTreeMap<Place, Vec<State>>,
    /// Whether something besides lists can be scrolled, so that parts of the page may be out of sight.
    pub scrolls: bool,
    /// Where the page ends at the bottom, in px: above the keyboard where that takes its room.
    pub ends: i32,
}

impl Noticed {
    /// Looks at the widgets of the app.
    #[cfg(test)]
    fn on(layout: &Layout, app: &str) -> Noticed {
        Noticed::with_lists(layout, app, &list_places(layout))
    }

    /// Looks at the widgets of the app on two screens of a page. What is a list on one of them is one on the other, too,
    /// where it may have too few rows to be told by them.
    pub fn on_both(one: &Layout, other: &Layout, app: &str) -> [Noticed; 2] {
        let mut lists = list_places(one);
        lists.extend(list_places(other));
        [one, other].map(|layout| Noticed::with_lists(layout, app, &lists))
    }

    fn with_lists(layout: &Layout, app: &str, lists: &BTreeSet<String>) -> Noticed {
        let mut places = Places::of(layout, lists);
        let mut noticed = Noticed::default();
        let passing: BTreeSet<WidgetIdx> = layout
            .iter()
            .filter(|(idx, _)| layout.is_snackbar(*idx))
            .flat_map(|(idx, _)| layout.subtree(idx))
            .collect();
        for (idx, widget) in layout.iter().filter(|(_, widget)| counts(widget, app)) {
            noticed.ends = noticed.ends.max(widget.bounds.bottom);
            if passing.contains(&idx) {
                continue;
            }
            let around = places.row(idx);
            let row = around.map(|row| row_text(layout, row)).unwrap_or_default();
            if places.is_list(idx) {
                noticed.lists.insert(places.next(0, idx, &row), list(layout, idx));
            } else {
                noticed.scrolls |= widget.scrollable();
            }
            // Of a row at the edge, the text that tells which one it is may be out of sight.
            if around.is_some_and(|row| !layout.is_whole_item(row)) {
                continue;
            }
            // What a field holds besides its text is its label.
            if layout.ancestors(idx).any(|around| layout.widget(around).is_text_field()) {
                continue;
            }
            if widget.is_text_field() {
                let place = places.next(1, idx, &row);
                let state = places.state(&place, idx, &widget.text);
                noticed.fields.insert(place, state);
                continue;
            }
            if widget.flags.has(WidgetFlags::CHECKABLE) {
                let value = if widget.flags.has(WidgetFlags::CHECKED) { "checked" } else { "not checked" };
                let place = places.next(2, idx, &row);
                let state = places.state(&place, idx, value);
                noticed.checks.insert(place, state);
            }
            if widget.flags.has(WidgetFlags::SELECTED) {
                let place = places.next(3, idx, &row);
                let label = layout.subtree(idx).find_map(|inner| layout.widget(inner).says());
                let state = places.state(&place, idx, label.unwrap_or_default());
                noticed.selected.insert(place, state);
            } else if widget.clickable()
                && row.is_empty()
                && let Some(label) = layout.subtree(idx).find_map(|inner| layout.widget(inner).says())
            {
                let name = places.unnumbered(idx, "").what;
                noticed.selectable.entry((name, label.to_owned())).or_insert(idx);
            }
            if let Some(says) = widget.says().filter(|_| row.is_empty()) {
                let place = places.unnumbered(idx, "");
                let state = State { called: place.words(), ..places.state(&place, idx, says) };
                noticed.texts.entry(place).or_default().push(state);
            }
        }
        noticed
    }

    /// Whether something that was here may be out of sight now.
    pub fn may_hide(&self, state: &State) -> bool {
        self.scrolls || state.top >= self.ends
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

fn list(layout: &Layout, idx: WidgetIdx) -> List {
    let bounds = layout.widget(idx).bounds;
    let highest = layout.highest_item(idx);
    let scrolls = layout.widget(idx).scrollable();
    let whole = |row: &WidgetIdx| layout.is_whole_item(*row);
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
    let in_button = |idx: WidgetIdx| {
        let mut around = layout.ancestors(idx).take_while(|around| *around > row);
        around.any(|around| layout.widget(around).is_actionable())
    };
    let counts = |(idx, widget): &(WidgetIdx, &Widget)| {
        !widget.is_text_field() && (!widget.text.is_empty() || !(widget.is_actionable() || in_button(*idx)))
    };
    let texts = layout.subtree(row).map(|idx| (idx, layout.widget(idx))).filter(counts);
    let texts: Vec<&str> = texts.filter_map(|(_, widget)| widget.says()).collect();
    texts.join(CELL)
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
