//! From a step of a DMF to an event.

use crate::NotExecuted;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{Event, Gesture, Key, Layout, PxPoint, WidgetIdx, event_at, event_on};
use taproof_spec::Action;

/// What a step does, now that its target and text are known.
pub(super) enum StepAct {
    /// Nothing, since the screen already is in the wanted state.
    Nothing,
    /// Perform this one event.
    Send(Event),
    /// Scroll until a widget shows this text.
    ScrollTo(String),
}

/// Returns what an action does on this screen. Actions that need a widget get one (see `Action::needs_widget`).
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
        // Files write an empty text as none.
        Action::Edit => on_target(Gesture::SetText(text.unwrap_or_default())),
        Action::Scroll(direction) => on_target(Gesture::Swipe(direction)),
        Action::ScrollTo => text.map(StepAct::ScrollTo).ok_or(NotExecuted::BadInput),
        Action::Drag => drag(&text.unwrap_or_default(), layout).map(StepAct::Send),
        Action::Sleep => {
            let seconds = text.and_then(|text| text.trim().parse().ok()).ok_or(NotExecuted::BadInput)?;
            Ok(StepAct::Send(Event::Wait(DeviceDuration::from_secs(seconds))))
        }
        Action::Back => Ok(StepAct::Send(Event::Key(Key::Back))),
        // There is no event for stopping an app. `start` stops it before starting it, so leaving the app has the same
        // effect.
        Action::Home | Action::Stop => Ok(StepAct::Send(Event::Key(Key::Home))),
        Action::ImeAction => Ok(StepAct::Send(Event::Key(Key::ImeAction))),
        Action::RotateNatural => Ok(turned(false)),
        Action::RotateLeft => Ok(turned(true)),
        Action::Start => Ok(StepAct::Send(Event::Relaunch)),
        // A trace begins with cleared data and cannot clear them again.
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
