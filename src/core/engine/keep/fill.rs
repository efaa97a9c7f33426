//! Brings about what can be lost: types into a field, so that there is a draft, or a search that finds something.

use crate::determinism::Rng;
use crate::engine::widget_event::event_on;
use crate::model::{Event, Gesture, Layout, Trace, WidgetFlags, is_visible, one_line};

/// Longest text that is typed.
const LONGEST: usize = 40;
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// Types into one of the app's fields on the screen: words that a list showed earlier in this test, or letters. `None`
/// where there is no field.
pub(super) fn filled(trace: &Trace, app: &str, rng: &mut Rng) -> Option<Event> {
    let layout = &trace.last().layout;
    let fields: Vec<_> = layout
        .iter()
        .filter(|(_, widget)| {
            widget.is_editable() && &*widget.package == app && widget.flags.has(WidgetFlags::ENABLED)
        })
        .filter_map(|(idx, _)| event_on(layout, idx, Gesture::Tap))
        .collect();
    let field = rng.pick(&fields)?.clone();
    let text = if rng.chance(2, 3) { seen(trace, rng) } else { None };
    let text = text.unwrap_or_else(|| letters(rng));
    match field {
        Event::Widget { target, .. } => Some(Event::Widget { target, gesture: Gesture::SetText(text) }),
        _ => None,
    }
}

/// A word of a text that some earlier screen showed in a list.
fn seen(trace: &Trace, rng: &mut Rng) -> Option<String> {
    let frames: Vec<&Layout> = (0..=trace.len())
        .filter_map(|at| Some(&*trace.frame(at)?.layout))
        .filter(|layout| rows(layout).next().is_some())
        .collect();
    let texts: Vec<&str> = rows(rng.pick(&frames)?).collect();
    let words: Vec<&str> = rng.pick(&texts)?.split_whitespace().collect();
    rng.pick(&words).map(|word| word.chars().take(LONGEST).collect())
}

fn rows(layout: &Layout) -> impl Iterator<Item = &str> {
    layout
        .iter()
        .filter(|(idx, widget)| !widget.is_editable() && layout.list_item_around(*idx).is_some())
        .map(|(_, widget)| &*widget.text)
        .filter(|text| is_visible(text) && one_line(text).len() == text.len())
}

fn letters(rng: &mut Rng) -> String {
    let length = rng.between(3, 10);
    (0..length).map(|_| char::from(LETTERS[rng.below(LETTERS.len())])).collect()
}
