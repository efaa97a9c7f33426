//! From a step of a DMF to an event, and scrolling through lists.

use crate::determinism::DeviceDuration;
use crate::model::{Direction, Event, Gesture, Key, Layout, PxPoint, Selector, StepRole, WidgetIdx};
use crate::spec::Action;

use super::explore::{event_at, event_on, naming_selector};
use super::{NotExecuted, RoundCtx, Stop};

/// What a step does, now that its target and text are known.
pub(super) enum StepAct {
    /// It is already so.
    Nothing,
    /// One event.
    Send(Event),
    /// Scrolling until a widget shows the text.
    ScrollTo(String),
}

/// What an action is on this screen. Actions that need a widget get one (see `Action::needs_widget`).
pub(super) fn step_act(
    action: Action,
    target: Option<WidgetIdx>,
    text: Option<String>,
    layout: &Layout,
) -> Result<StepAct, NotExecuted> {
    let on_target = |gesture| match target {
        Some(idx) => event_on(layout, idx, gesture).map(StepAct::Send).ok_or(NotExecuted::TargetMissing),
        None => Err(NotExecuted::TargetMissing),
    };
    let turned = |wanted: bool| match layout.rotation().sideways() == wanted {
        true => StepAct::Nothing,
        false => StepAct::Send(Event::Rotate),
    };
    match action {
        Action::Click => on_target(Gesture::Tap),
        Action::LongClick => on_target(Gesture::LongPress),
        Action::Edit => on_target(Gesture::SetText(text.ok_or(NotExecuted::BadInput)?)),
        Action::Scroll(direction) => on_target(Gesture::Swipe(direction)),
        Action::ScrollTo => text.map(StepAct::ScrollTo).ok_or(NotExecuted::BadInput),
        Action::Drag => drag(&text.unwrap_or_default(), layout).map(StepAct::Send),
        Action::Sleep => {
            let seconds = text.and_then(|text| text.trim().parse().ok()).ok_or(NotExecuted::BadInput)?;
            Ok(StepAct::Send(Event::Wait(DeviceDuration::from_secs(seconds))))
        }
        Action::Back => Ok(StepAct::Send(Event::Key(Key::Back))),
        // There is no event for stopping an app; `start` stops it first, so leaving it comes to the same.
        Action::Home | Action::Stop => Ok(StepAct::Send(Event::Key(Key::Home))),
        Action::ImeAction => Ok(StepAct::Send(Event::Key(Key::ImeAction))),
        Action::RotateNatural => Ok(turned(false)),
        Action::RotateLeft => Ok(turned(true)),
        Action::Start => Ok(StepAct::Send(Event::Relaunch)),
        // A trace begins with cleared data; nothing in it can clear them again.
        Action::Clear => Err(NotExecuted::NotPossible),
    }
}

fn drag(numbers: &str, layout: &Layout) -> Result<Event, NotExecuted> {
    let parsed: Vec<i32> = numbers.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let [x1, y1, x2, y2] = parsed[..] else { return Err(NotExecuted::BadInput) };
    let from = PxPoint { x: x1, y: y1 };
    let touched = layout.hit_test(from).ok_or(NotExecuted::TargetMissing)?;
    Ok(event_at(layout, touched, from, Gesture::Drag(PxPoint { x: x2, y: y2 })))
}

/// How looking for something in the lists of a screen ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// It shows now.
    Found,
    /// Every list was seen from end to end.
    NotThere,
    /// The limit came first.
    GaveUp,
}

/// Scrolls the app's lists, each down to its end and up to its start, until `found` says so.
pub(super) fn scroll_lists(
    ctx: &mut RoundCtx<'_>,
    limit: u32,
    role: StepRole,
    mut found: impl FnMut(&RoundCtx<'_>) -> bool,
) -> Result<Search, Stop> {
    let mut left = limit;
    for list in lists(ctx) {
        for direction in [Direction::Up, Direction::Down] {
            loop {
                let (layout, before) = (&ctx.frame().layout, ctx.exact_key());
                let Some(event) = Event::on(layout, list.clone(), Gesture::Swipe(direction)) else { break };
                if left == 0 {
                    return Ok(Search::GaveUp);
                }
                left -= 1;
                ctx.perform(event, role)?;
                if found(ctx) {
                    return Ok(Search::Found);
                }
                if ctx.exact_key() == before {
                    break;
                }
            }
        }
    }
    Ok(Search::NotThere)
}

fn lists(ctx: &RoundCtx<'_>) -> Vec<Selector> {
    let (layout, app) = (&ctx.frame().layout, &ctx.setting().app);
    layout
        .iter()
        .filter(|(_, widget)| widget.scrollable() && !widget.is_text_field() && *widget.package == **app)
        .map(|(idx, _)| naming_selector(layout, idx))
        .collect()
}
