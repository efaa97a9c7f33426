//! Brings about what can be lost: types into a field, so that there is a draft, or a search that finds something.

use crate::determinism::Rng;
use crate::model::{
    Event, Gesture, Layout, Trace, Widget, WidgetFlags, WidgetIdx, event_on, is_visible, one_line,
};
use crate::spec::{DataModel, FreshText, generate};

/// Longest text that is typed.
const LONGEST: usize = 40;

/// Types into one of the app's fields on the screen: a word that a list showed earlier in this test, or what a DMF
/// would draw. `None`
/// where there is no field.
pub(super) fn filled(trace: &Trace, app: &str, rng: &mut Rng) -> Option<Event> {
    let layout = &trace.last().layout;
    let takes_text = |widget: &Widget| {
        widget.is_editable() && &*widget.package == app && widget.flags.has(WidgetFlags::ENABLED)
    };
    let fields: Vec<WidgetIdx> =
        layout.iter().filter(|(_, widget)| takes_text(widget)).map(|(idx, _)| idx).collect();
    let field = *rng.pick(&fields)?;
    let text = if rng.chance(2, 3) { seen(trace, rng) } else { None };
    let text =
        text.or_else(|| Some(generate(&FreshText::default(), "", &DataModel::default(), rng)?.text))?;
    event_on(layout, field, Gesture::SetText(text))
}

/// A tap on one of the buttons that are nearest to the field that was typed into, such as that which searches.
pub(super) fn button_near(typed: &Event, layout: &Layout, app: &str, rng: &mut Rng) -> Option<Event> {
    const NEAREST: usize = 3;
    let Event::Widget { target, .. } = typed else { return None };
    let presses = |(idx, widget): &(WidgetIdx, &Widget)| {
        let able = widget.flags.has(WidgetFlags::CLICKABLE) && widget.flags.has(WidgetFlags::ENABLED);
        able && !widget.is_editable() && &*widget.package == app && layout.list_item_around(*idx).is_none()
    };
    let mut buttons: Vec<(i64, WidgetIdx)> = layout
        .iter()
        .filter(presses)
        .map(|(idx, widget)| {
            let middle = widget.bounds.center();
            let (across, down) = (i64::from(middle.x - target.at.x), i64::from(middle.y - target.at.y));
            (across * across + down * down, idx)
        })
        .collect();
    buttons.sort_unstable();
    buttons.truncate(NEAREST);
    event_on(layout, rng.pick(&buttons)?.1, Gesture::Tap)
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
