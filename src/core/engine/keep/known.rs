//! What the screens of a test tell of its pages: the taps and actions of which ways are made.

use std::collections::BTreeMap;

use super::super::detour::activities_below;
use crate::model::{
    Event, Gesture, Layout, LayoutKey, Step, StepRole, Trace, Widget, WidgetFlags, event_on, is_of_app,
    page_key,
};
use crate::oracle::preservation::{Known, is_open, select_all_offered, tapped, undo_offered};

/// Largest number of ways of a kind that are known of a page.
const MOST_KNOWN: usize = 32;

/// The last step, the screen before it, and the one after it.
fn last_step(trace: &Trace) -> Option<(&Step, &Layout, &Layout)> {
    let last = trace.len().checked_sub(1)?;
    let step = trace.steps().get(last)?;
    Some((step, &trace.frame(last)?.layout, &step.after.layout))
}

/// Remembers what the last event tells of the page that it was performed on.
pub(super) fn note(known: &mut BTreeMap<LayoutKey, Known>, trace: &Trace, app: &str) {
    let Some((step, before, after)) = last_step(trace) else { return };
    if let Some((page, way)) = opened_in_menu(trace, app) {
        remember(&mut known.entry(page).or_default().openers_in_menus, way);
    }
    if is_open(before) || !is_of_app(before.package(), app) || !is_of_app(after.package(), app) {
        return;
    }
    let known = known.entry(page_key(before)).or_default();
    let (is_tap, elsewhere) = (tapped(&step.event).is_some(), before.activity() != after.activity());
    if is_tap && (if elsewhere { went_on(trace) } else { is_open(after) }) {
        remember(&mut known.openers, step.event.clone());
    }
    if elsewhere {
        return;
    }
    if is_tap && let Some(choice) = chosen(after).filter(|_| is_open(after)) {
        remember(&mut known.choices, [step.event.clone(), choice]);
    }
    if let Some(undo) = undo(after).filter(|_| !is_open(after) && undo(before).is_none()) {
        remember(&mut known.undoable, [step.event.clone(), undo]);
    }
    if let Some(all) = select_all(after).filter(|_| is_long_press(&step.event)) {
        remember(&mut known.selecting_all, [step.event.clone(), all]);
    }
}

/// The page on which the last two steps opened a menu and then, by a tap in it, a dialog or another page; and these taps.
fn opened_in_menu(trace: &Trace, app: &str) -> Option<(LayoutKey, [Event; 2])> {
    let (item, menu, opened) = last_step(trace)?;
    let at = trace.len().checked_sub(2)?;
    let (page, opener) = (&trace.frame(at)?.layout, &trace.steps().get(at)?.event);
    let is_tap = |event: &Event| tapped(event).is_some();
    let is_menu = !is_open(page) && is_open(menu) && page.activity() == menu.activity();
    let elsewhere = menu.activity() != opened.activity();
    let opens =
        if elsewhere { went_on(trace) } else { is_open(opened) && page_key(menu) != page_key(opened) };
    let fits = is_menu && opens && [opener, &item.event].into_iter().all(is_tap);
    let of_app = [page, menu, opened].into_iter().all(|layout| is_of_app(layout.package(), app));
    (fits && of_app).then(|| (page_key(page), [opener.clone(), item.event.clone()]))
}

/// Whether the last step opened an activity, rather than going back to one from which this one was opened.
fn went_on(trace: &Trace) -> bool {
    let below = activities_below(trace);
    let before = trace.len().checked_sub(1).and_then(|last| trace.frame(last));
    below.last().is_some_and(|below| before.is_some_and(|before| before.layout.activity() == below))
}

fn remember<T: PartialEq>(known: &mut Vec<T>, way: T) {
    if known.len() < MOST_KNOWN && !known.contains(&way) {
        known.push(way);
    }
}

/// The tap by which the last screen was opened from another page of the app.
pub(super) fn came_by<'t>(trace: &'t Trace, app: &str) -> Option<&'t Event> {
    let (step, before, after) = last_step(trace)?;
    let opened = step.role == StepRole::Explored
        && before.activity() != after.activity()
        && is_of_app(before.package(), app)
        && !is_open(before);
    Some(&step.event).filter(|event| opened && tapped(event).is_some())
}

/// The last event, if the page offers to undo it: before, nothing could be undone.
pub(super) fn undoable<'t>(trace: &'t Trace, app: &str) -> Option<&'t Event> {
    let (step, before, after) = last_step(trace)?;
    let offered = step.role == StepRole::Explored
        && before.activity() == after.activity()
        && is_of_app(before.package(), app)
        && ![before, after].into_iter().any(is_open)
        && undo_offered(before).is_none()
        && undo_offered(after).is_some();
    Some(&step.event).filter(|_| offered)
}

/// A tap on what is chosen in a menu.
fn chosen(menu: &Layout) -> Option<Event> {
    let is_chosen =
        |widget: &Widget| widget.flags.has(WidgetFlags::CHECKED) && widget.class.ends_with("RadioButton");
    let (idx, _) = menu.iter().find(|(_, widget)| is_chosen(widget))?;
    event_on(menu, idx, Gesture::Tap)
}

/// A tap on what takes the last action back.
fn undo(layout: &Layout) -> Option<Event> {
    event_on(layout, undo_offered(layout)?, Gesture::Tap)
}

/// A tap on what selects all rows.
fn select_all(layout: &Layout) -> Option<Event> {
    event_on(layout, select_all_offered(layout)?, Gesture::Tap)
}

fn is_long_press(event: &Event) -> bool {
    matches!(event, Event::Widget { gesture: Gesture::LongPress, .. })
}
