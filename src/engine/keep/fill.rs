//! Brings about what can be lost: types into a field, so that there is a draft, or a search that finds something.

use std::collections::BTreeSet;

use taproof_screen::determinism::Rng;
use taproof_screen::{
    Event, Gesture, Layout, Trace, Widget, WidgetFlags, WidgetIdx, event_on, is_visible, one_line,
};
use taproof_spec::{DataModel, FreshText, generate};

/// Longest text that is typed.
const LONGEST: usize = 40;
/// Fewest letters of a word: what is shorter is no title, but a number or a time.
const SHORTEST: usize = 3;

/// Types into one of the app's fields on the screen: a word that a list showed earlier in this test, rather one that was
/// not typed before, or what a DMF would draw. `None` where there is no field.
pub(super) fn filled(trace: &Trace, app: &str, typed: &BTreeSet<String>, rng: &mut Rng) -> Option<Event> {
    let layout = &trace.last().layout;
    let takes_text = |widget: &Widget| {
        widget.is_editable() && &*widget.package == app && widget.flags.has(WidgetFlags::ENABLED)
    };
    let fields: Vec<WidgetIdx> =
        layout.iter().filter(|(_, widget)| takes_text(widget)).map(|(idx, _)| idx).collect();
    let field = *rng.pick(&fields)?;
    let text = if rng.chance(2, 3) { seen(trace, typed, rng) } else { None };
    let text = text.or_else(|| Some(generate(&FreshText::plain(), "", &DataModel::default(), rng)?.text))?;
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

/// A word of one of the texts that earlier screens showed in lists, such as a title with which a search finds something.
fn seen(trace: &Trace, typed: &BTreeSet<String>, rng: &mut Rng) -> Option<String> {
    let frames = (0..=trace.len()).filter_map(|at| trace.frame(at));
    let texts: BTreeSet<&str> =
        frames.flat_map(|frame| row_texts(&frame.layout)).map(|(_, widget)| &*widget.text).collect();
    let shortened = |word: &str| -> String { word.chars().take(LONGEST).collect() };
    let is_word = |word: &&str| word.chars().filter(|letter| letter.is_alphabetic()).count() >= SHORTEST;
    let words = |text: &&str| text.split_whitespace().filter(is_word).map(shortened).collect::<Vec<String>>();
    let mut of_texts: Vec<Vec<String>> = texts.iter().map(words).filter(|words| !words.is_empty()).collect();
    let is_new = |word: &String| !typed.contains(word);
    if of_texts.iter().flatten().any(is_new) {
        of_texts.iter_mut().for_each(|words| words.retain(is_new));
        of_texts.retain(|words| !words.is_empty());
    }
    let words = rng.pick(&of_texts)?;
    rng.pick(words).cloned()
}

/// The widgets of rows that show a short text.
pub(super) fn row_texts(layout: &Layout) -> impl Iterator<Item = (WidgetIdx, &Widget)> {
    let is_short = |text: &str| is_visible(text) && one_line(text).len() == text.len();
    layout.iter().filter(move |(idx, widget)| {
        !widget.is_editable() && layout.list_item_around(*idx).is_some() && is_short(&widget.text)
    })
}
