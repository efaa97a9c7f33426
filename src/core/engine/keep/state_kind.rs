//! What a screen holds that could be lost: the kinds of states in which detours are tried.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::fill::row_texts;
use crate::determinism::HashBuffer;
use crate::model::{Event, Gesture, Layout, Trace, Widget, WidgetFlags, same_page, without_digits};
use crate::oracle::preservation::{Effect, Relation};

/// What on a screen can be lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct StateKind {
    /// A set of bits.
    held: u8,
    /// A hash of the ids outside of rows and of what is selected there: an error below a field is another one, and so is
    /// another tab.
    ids: u64,
    /// A hash of what buttons without a text say that they do, such as to show all again where a filter is on.
    pub(super) icons: u64,
}

/// The bit of a state that shows rows.
const ROWS: u32 = 3;

impl StateKind {
    /// Text is in a field; something outside of rows is checked; something is selected; rows are shown; something was
    /// typed since the page was opened; rows come in another order than at first.
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
        ];
        let held: u8 = (0..).zip(bits).map(|(place, bit)| u8::from(bit) << place).sum();
        // Where only rows are shown, nothing was entered that other widgets could speak of.
        let entered = held & !(1 << ROWS) != 0;
        StateKind { held, ids: if entered { ids_outside_rows(layout) } else { 0 }, icons: icons(layout, app) }
    }

    /// Whether text is in a field, something was typed since the page was opened, or rows were put in another order.
    pub(super) fn is_set(self) -> bool {
        self.held & (1 | 1 << 4 | 1 << 5) != 0
    }

    /// As far as it matters to a relation: what few apps listen for is tried less often.
    pub(super) fn seen_by(self, relation: &Relation) -> StateKind {
        match relation.effect {
            Effect::Recreates | Effect::Other => self,
            Effect::CutsOff | Effect::Told => StateKind { ids: 0, icons: 0, ..self },
        }
    }
}

/// A hash of what buttons outside of rows say that show no text.
pub(super) fn icons(layout: &Layout, app: &str) -> u64 {
    let is_icon = |widget: &Widget| {
        &*widget.package == app && widget.flags.has(WidgetFlags::CLICKABLE) && widget.text.is_empty()
    };
    let outside = layout.iter().filter(|(idx, _)| layout.list_item_around(*idx).is_none());
    let icons: BTreeSet<&str> =
        outside.filter(|(_, widget)| is_icon(widget)).map(|(_, widget)| &*widget.content_desc).collect();
    let mut hasher = HashBuffer::default();
    icons.into_iter().for_each(|says| hasher.text(says));
    hasher.finish()
}

fn ids_outside_rows(layout: &Layout) -> u64 {
    let outside = || layout.iter().filter(|(idx, _)| layout.list_item_around(*idx).is_none());
    let ids: BTreeSet<&str> = outside().filter_map(|(_, widget)| widget.resource_id.as_deref()).collect();
    let selected = outside().filter(|(_, widget)| widget.flags.has(WidgetFlags::SELECTED));
    let selected: BTreeSet<String> =
        selected.filter_map(|(idx, _)| layout.label_of(idx)).map(without_digits).collect();
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

/// Whether two texts in rows come in another order than when the page of the last screen was first seen in this test.
fn was_reordered(trace: &Trace) -> bool {
    let page = &trace.last().layout;
    let texts = |layout: &Layout| -> Vec<String> {
        row_texts(layout).map(|(_, widget)| widget.text.to_string()).collect()
    };
    let mut frames = (0..trace.len()).filter_map(|at| trace.frame(at));
    let first =
        frames.find(|frame| same_page(&frame.layout, page) && row_texts(&frame.layout).next().is_some());
    let Some(first) = first else { return false };
    let (first, now) = (texts(&first.layout), texts(page));
    let only_in = |texts: &[String], text: &String| texts.iter().filter(|other| *other == text).count() == 1;
    let common = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|text| only_in(one, text) && only_in(other, text)).cloned().collect()
    };
    common(&first, &now) != common(&now, &first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Key, Step, StepRole, frame_of, layout_from};

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
    fn rows_that_come_and_go_or_are_alike_are_in_order() {
        assert!(!is_set_after(&[&["Ash", "Elm", "Oak"], &["Ash", "Oak"]]));
        assert!(!is_set_after(&[&["Ash", "Elm"], &["Yew", "Ash", "Fir", "Elm"]]));
        assert!(!is_set_after(&[&["Ash", "Elm", "Ash"], &["Elm", "Ash", "Ash"]]));
        assert!(!is_set_after(&[&[], &["Elm", "Ash"]]));
    }
}
