//! What a person notices on a screen: texts in fields, checked and selected states, the rows of lists, and other texts.
//! Bounds, focus, the keyboard, announcements and progress bars do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::places::{Place, Places, list_places};
use crate::oracle::times::without_times;
use taproof_screen::{Layout, PxRect, Text, Widget, WidgetFlags, WidgetIdx};

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
    /// Whether a person can say what it is: it says something, is in a row that does, or is no container.
    pub named: bool,
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

/// A container that holds a whole page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Around {
    pub class: Text,
    pub bounds: PxRect,
}

/// What a person notices on a screen. The keys name a place on it: the same on each screen of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Noticed {
    pub fields: BTreeMap<Place, State>,
    pub checks: BTreeMap<Place, State>,
    pub selected: BTreeMap<Place, State>,
    /// What is selected in rows that are cut at the edge, which cannot be told from each other.
    pub selected_at_edge: BTreeSet<String>,
    /// What could be selected outside of lists and is not, such as the other tabs: by its name and its label.
    pub selectable: BTreeMap<(String, String), WidgetIdx>,
    pub lists: BTreeMap<Place, List>,
    /// Texts outside of lists and fields. A place may have several, such as the labels of equal buttons.
    pub texts: BTreeMap<Place, Vec<State>>,
    /// Whether something besides lists can be scrolled, so that parts of the page may be out of sight.
    pub scrolls: bool,
    /// Where the page ends at the bottom, in px.
    pub ends: i32,
    /// The containers that hold the whole page, the outermost first.
    pub around: Vec<Around>,
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
        let mut noticed = Noticed { around: around_all(layout, app), ..Noticed::default() };
        let passing: BTreeSet<WidgetIdx> = layout
            .iter()
            .filter(|(idx, _)| layout.is_snackbar(*idx))
            .flat_map(|(idx, _)| layout.subtree(idx))
            .collect();
        // Web views tell of what is below the screen as well, which nobody sees.
        let seen = |widget: &Widget| counts(widget, app) && widget.bounds.top < layout.screen().height;
        for (idx, widget) in layout.iter().filter(|(_, widget)| seen(widget)) {
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
                if widget.flags.has(WidgetFlags::SELECTED) {
                    noticed.selected_at_edge.insert(places.unnumbered(idx, &row).what);
                }
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

    /// Whether something of this screen may be out of sight on another one: something scrolls there, or the page ends above
    /// it. Where the keyboard takes the room of the page, the outermost containers keep their height.
    pub fn hidden_on(&self, state: &State, other: &Noticed) -> bool {
        const KEYBOARD: i32 = 4;
        const BAR: i32 = 8;
        let height = |of: &Noticed| of.around.first().map_or(0, |outermost| outermost.bounds.height());
        let shrank = |(was, is): (&Around, &Around)| {
            let filled = self.ends - was.bounds.bottom <= height(self) / BAR;
            filled
                && other.ends - is.bounds.bottom >= height(other) / KEYBOARD
                && state.top >= is.bounds.bottom
        };
        let pairs = self.around.iter().zip(&other.around);
        other.scrolls
            || state.top >= other.ends
            || pairs.take_while(|(was, is)| was.class == is.class).any(shrank)
    }

    /// Whether a person has entered something here that is not saved yet.
    pub fn holds_input(&self) -> bool {
        self.fields.values().any(|field| !field.value.is_empty())
    }
}

/// The containers that hold all that is seen of the app, without the backgrounds of the system's bars.
fn around_all(layout: &Layout, app: &str) -> Vec<Around> {
    let is_seen = |(idx, widget): &(WidgetIdx, &Widget)| {
        counts(widget, app) && layout.is_leaf(*idx) && !widget.is_bar_background()
    };
    let mut seen = layout.iter().filter(is_seen).map(|(idx, _)| idx);
    let Some(first) = seen.next() else { return Vec::new() };
    let last = seen.next_back().unwrap_or(first);
    let mut around: Vec<WidgetIdx> =
        layout.ancestors(first).filter(|around| last < layout.end(*around)).collect();
    around.reverse();
    let of = |idx| Around { class: layout.widget(idx).class.clone(), bounds: layout.widget(idx).bounds };
    around.into_iter().map(of).collect()
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
    use super::super::{Aspect, differences};
    use super::*;
    use taproof_screen::layout_from;

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

    #[test]
    fn what_the_keyboard_takes_the_room_of_is_not_lost() {
        // A form without a scroll view, 1000 px high: the window and its first container keep their height.
        let page = |switch: &str, bottoms: [i32; 4]| {
            let form = format!(
                "FrameLayout\n  LinearLayout\n    FrameLayout\n      LinearLayout\n        EditText#name\n{switch}"
            );
            let layout = layout_from(&form);
            let containers = (0..4).map(WidgetIdx).zip(bottoms);
            let layout = containers.fold(layout, |layout, (idx, bottom)| {
                layout.with_changed(&[idx], |it| it.bounds = PxRect::new(0, 0, 1080, bottom))
            });
            let switches: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).skip(5).collect();
            layout.with_changed(&switches, |it| {
                let is_switch = it.class.ends_with("Switch");
                it.bounds = PxRect::new(0, 600, 1080, 700);
                let flags = it.flags.with(WidgetFlags::CHECKABLE, is_switch);
                it.flags = flags.with(WidgetFlags::CHECKED, is_switch);
            })
        };
        let form = "        Switch#notify\n        TextView#note \"once a day\"\n";
        let from = page(form, [1000; 4]);
        let aspects = |from: &Layout, to: &Layout| -> Vec<Aspect> {
            differences(from, to, "org.ex").into_iter().map(|found| found.aspect).collect()
        };
        assert_eq!(aspects(&from, &page("", [1000, 1000, 450, 450])), [Aspect::View; 2]);
        assert_eq!(aspects(&from, &page("", [1000; 4])), [Aspect::Checked, Aspect::Text], "there is room");
        let wrapped = page(form, [1000, 1000, 1000, 700]);
        assert_eq!(
            aspects(&wrapped, &page("", [1000, 1000, 1000, 600])),
            [Aspect::Checked, Aspect::Text],
            "a container that is as high as what it holds"
        );
    }
}
