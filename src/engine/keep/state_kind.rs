//! What a screen holds that could be lost: the kinds of states in which detours are tried.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::fill::row_texts;
use crate::oracle::preservation::{Effect, Relation, tapped};
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{
    Event, Gesture, Layout, Text, Trace, WidgetFlags, same_page, touched_widget, without_digits,
};

/// What on a screen can be lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct StateKind {
    /// A set of bits.
    held: u8,
    /// A hash of the ids outside of rows and of what is selected there: an error below a field is another one, and so is
    /// another tab.
    ids: u64,
    /// A hash of what buttons without a text say that they do, such as to show all again where a filter is on.
    icons: u64,
}

// The bits of a state, in the order in which [`StateKind::of`] looks for them.
const TEXT: u8 = 1;
const ROWS: u8 = 1 << 3;
const TYPED: u8 = 1 << 4;
const REORDERED: u8 = 1 << 5;
const SWITCHED: u8 = 1 << 6;

impl StateKind {
    /// Text is in a field; something outside of rows is checked; something is selected; rows are shown; something was
    /// typed since the page was opened; rows come in another order than at first; a button without a text was switched.
    pub(super) fn of(trace: &Trace, app: &str) -> StateKind {
        let layout = &trace.last().layout;
        let of_app = || layout.widgets().iter().filter(|widget| &*widget.package == app);
        let any_has = |flag| of_app().any(|widget| widget.flags.has(flag));
        let bits = [
            of_app().any(|widget| widget.is_text_field() && !widget.text.is_empty()),
            layout.iter().any(|(idx, widget)| {
                widget.flags.has(WidgetFlags::CHECKED) && layout.list_item_around(idx).is_none()
            }),
            any_has(WidgetFlags::SELECTED),
            layout.iter().any(|(idx, _)| layout.is_list(idx) && !layout.is_leaf(idx)),
            was_typed(trace),
            was_reordered(trace),
            is_switched(trace, app),
        ];
        let held: u8 = (0..).zip(bits).map(|(place, bit)| u8::from(bit) << place).sum();
        // Where only rows are shown, nothing was entered that other widgets could speak of.
        let entered = held & !ROWS != 0;
        StateKind { held, ids: if entered { ids_outside_rows(layout) } else { 0 }, icons: icons(layout, app) }
    }

    /// Whether text is in a field, something was typed since the page was opened, or rows are filtered or in another order.
    pub(super) fn is_set(self) -> bool {
        self.held & (TEXT | TYPED | REORDERED | SWITCHED) != 0
    }

    /// As far as it matters to a relation: what few apps listen for is tried less often.
    pub(super) fn seen_by(self, relation: &Relation) -> StateKind {
        match relation.effect {
            Effect::Recreates | Effect::Other => self,
            Effect::CutsOff | Effect::Told => StateKind { ids: 0, icons: 0, ..self },
        }
    }
}

/// Whether rows are in another order than at first, or a button without a text was switched, such as one that filters
/// them.
pub(super) fn is_arranged(trace: &Trace, app: &str) -> bool {
    is_switched(trace, app) || was_reordered(trace)
}

/// A hash of what the buttons of an app say that show no text.
fn icons(layout: &Layout, app: &str) -> u64 {
    let mut hasher = HashBuffer::default();
    icon_labels(layout, app).into_iter().for_each(|says| hasher.text(says));
    hasher.finish()
}

fn icon_labels<'l>(layout: &'l Layout, app: &str) -> BTreeSet<&'l str> {
    layout.icon_buttons().filter(|icon| &*icon.package == app).map(|icon| &*icon.content_desc).collect()
}

/// Whether the last screen shows a button without a text that says since it was tapped that it does something else, such
/// as to show all again.
fn is_switched(trace: &Trace, app: &str) -> bool {
    // What buttons say that were switched, and what they said before.
    let mut switched: BTreeMap<Text, Text> = BTreeMap::new();
    for (before, step) in trace.framed_steps() {
        let Some((was, is)) = switches(&step.event, &before.layout, &step.after.layout) else { continue };
        if switched.remove(&was).is_none_or(|first| first != is) {
            switched.insert(is, was);
        }
    }
    let labels = icon_labels(&trace.last().layout, app);
    switched.keys().any(|is| labels.contains(&**is))
}

/// What the button without a text that the event taps said before, and what it says then, if that is something else.
pub(super) fn switches(event: &Event, before: &Layout, after: &Layout) -> Option<(Text, Text)> {
    tapped(event).filter(|target| target.selector.text.is_none())?;
    let button = before.widget(touched_widget(event, before)?);
    let now = after.icon_buttons().find(|icon| {
        icon.bounds == button.bounds && icon.resource_id == button.resource_id && icon.class == button.class
    })?;
    let switched = button.text.is_empty() && now.content_desc != button.content_desc;
    // Buttons of other pages have their own places.
    (switched && same_page(before, after)).then(|| (button.content_desc.clone(), now.content_desc.clone()))
}

fn ids_outside_rows(layout: &Layout) -> u64 {
    let outside = layout.iter().filter(|(idx, _)| layout.list_item_around(*idx).is_none());
    let ids: BTreeSet<&str> = outside.filter_map(|(_, widget)| widget.resource_id.as_deref()).collect();
    let selected: BTreeSet<String> = layout.selected_labels().into_iter().map(without_digits).collect();
    let mut hasher = HashBuffer::default();
    ids.into_iter().for_each(|id| hasher.text(id));
    selected.iter().for_each(|label| hasher.text(label));
    hasher.finish()
}

/// Whether something was typed since the page of the last screen was opened.
fn was_typed(trace: &Trace) -> bool {
    let page = &trace.last().layout;
    let here = trace.steps().iter().rev().take_while(|step| same_page(&step.after.layout, page));
    here.map(|step| &step.event)
        .any(|event| matches!(event, Event::Type(_) | Event::Widget { gesture: Gesture::SetText(_), .. }))
}

/// Whether two texts in rows come in another order than when the page of the last screen first showed them in this test.
fn was_reordered(trace: &Trace) -> bool {
    let page = &trace.last().layout;
    let now = texts_of_rows(page);
    if now.len() < 2 {
        return false;
    }
    // One activity may show several lists.
    let lists = (0..trace.len()).filter_map(|at| trace.frame(at)).filter_map(|frame| {
        let first = texts_of_rows(&frame.layout);
        let shared = in_common(&first, &now);
        (shared.len() > 1 && same_page(&frame.layout, page)).then_some((shared, first))
    });
    let first_shown = lists.into_iter().next();
    first_shown.is_some_and(|(shared, first)| shared != in_common(&now, &first))
}

/// Whether two texts that both show in rows come in another order.
pub(super) fn other_order(one: &Layout, other: &Layout) -> bool {
    let (one, other) = (texts_of_rows(one), texts_of_rows(other));
    in_common(&one, &other) != in_common(&other, &one)
}

fn texts_of_rows(layout: &Layout) -> Vec<&str> {
    row_texts(layout).map(|(_, widget)| &*widget.text).collect()
}

/// The texts that both have once, in the order of the first.
fn in_common<'t>(one: &[&'t str], other: &[&'t str]) -> Vec<&'t str> {
    let is_one = |texts: &[&str], text: &str| texts.iter().filter(|other| **other == text).count() == 1;
    one.iter().copied().filter(|text| is_one(other, text) && is_one(one, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Key, Step, StepRole, frame_of, layout_from};

    fn is_set_after(lists: &[&[&str]]) -> bool {
        let frame = |rows: &&[&str]| {
            let rows: String = rows.iter().map(|row| format!("    TextView#row \"{row}\"\n")).collect();
            frame_of(layout_from(&format!("FrameLayout\n  ListView#list\n{rows}")))
        };
        let mut trace = Trace::start(frame(&lists[0]));
        for after in lists[1..].iter().map(frame) {
            trace.push(Step { event: Event::Key(Key::Back), role: StepRole::Explored, after });
        }
        StateKind::of(&trace, "org.ex").is_set()
    }

    #[test]
    fn another_order_is_a_state_until_the_first_one_is_back() {
        let (by_name, by_age): (&[&str], &[&str]) = (&["Ash", "Elm", "Oak"], &["Oak", "Ash", "Elm"]);
        assert!(!is_set_after(&[by_name]) && !is_set_after(&[by_name, by_name]));
        assert!(is_set_after(&[by_name, by_age]));
        assert!(!is_set_after(&[by_name, by_age, by_name]));
    }

    #[test]
    fn each_list_of_an_activity_has_its_first_order() {
        let (trees, birds): (&[&str], &[&str]) = (&["Ash", "Elm", "Oak"], &["Jay", "Owl"]);
        assert!(!is_set_after(&[trees, birds]));
        assert!(is_set_after(&[trees, birds, &["Owl", "Jay"]]));
    }

    #[test]
    fn rows_that_come_and_go_or_are_alike_are_in_order() {
        assert!(!is_set_after(&[&["Ash", "Elm", "Oak"], &["Ash", "Oak"]]));
        assert!(!is_set_after(&[&["Ash", "Elm"], &["Yew", "Ash", "Fir", "Elm"]]));
        assert!(!is_set_after(&[&["Ash", "Elm", "Ash"], &["Elm", "Ash", "Ash"]]));
        assert!(!is_set_after(&[&[], &["Elm", "Ash"]]));
    }
}
