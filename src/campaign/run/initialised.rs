//! Devices that perform an app's initial steps by themselves. Every launch with cleared data, by a campaign, a trial or
//! a replay, continues after these steps.

use std::sync::Arc;

use super::saved_trace::named;
use taproof_engine::device::{Device, DeviceError, DeviceSource, Garbled, Initialised};
use taproof_engine::worker::Unwanted;
use taproof_screen::{Event, Gesture, Initialiser, RecordedStep};
use taproof_spec::{CoalescedStep, coalesce};

/// A [`DeviceSource`] whose devices perform an app's initial steps.
pub struct InitialisedDevices<'s> {
    source: &'s mut dyn DeviceSource,
    app: &'s str,
    first: Option<&'s Arc<Initialiser>>,
}

impl<'s> InitialisedDevices<'s> {
    /// Wraps `source`. With `first`, its devices perform these initial steps of the app whenever it is launched with
    /// cleared data.
    pub fn new(source: &'s mut dyn DeviceSource, app: &'s str, first: Option<&'s Arc<Initialiser>>) -> Self {
        InitialisedDevices { source, app, first }
    }
}

impl DeviceSource for InitialisedDevices<'_> {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        Ok(Initialised::device(self.source.fresh()?, self.app, self.first, self.source.before_test()))
    }

    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        let device = self.source.fresh_without(bugs)?;
        Ok(Initialised::device(device, self.app, self.first, self.source.before_test()))
    }

    fn switchable_bugs(&self) -> Vec<String> {
        self.source.switchable_bugs()
    }

    fn unwanted_when(&mut self, unwanted: Unwanted) {
        self.source.unwanted_when(unwanted);
    }

    fn lost(&mut self, error: &DeviceError) -> bool {
        self.source.lost(error)
    }

    fn garbled(&self) -> Option<Garbled> {
        self.source.garbled()
    }
}

/// Turns recorded steps into initial steps. A widget that was only addressed by coordinates gets a selector, so that
/// the step still works on a screen on which the widget is elsewhere.
pub fn initial_steps(recorded: &[RecordedStep]) -> Vec<RecordedStep> {
    joined_steps(recorded).into_iter().map(|(step, _)| step).collect()
}

/// As [`initial_steps`], each with the number of recorded steps up to its end. Text that was typed into a field letter
/// by letter becomes one step.
pub fn joined_steps(recorded: &[RecordedStep]) -> Vec<(RecordedStep, usize)> {
    let mut steps = Vec::new();
    for CoalescedStep { step, first, end } in coalesce(recorded) {
        if matches!(step.event, Event::Widget { gesture: Gesture::SetText(_), .. }) {
            steps.push((with_selector(&step), end));
        } else {
            // Turns of a mouse wheel are not merged, since each scrolls a part of the distance.
            let each = recorded.iter().enumerate().take(end).skip(first);
            steps.extend(each.map(|(at, step)| (with_selector(step), at + 1)));
        }
    }
    steps
}

fn with_selector(step: &RecordedStep) -> RecordedStep {
    RecordedStep { event: named(&step.event, &step.before), ..step.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Key, Selector, TouchTarget, layout_from};

    #[test]
    fn typing_is_one_step_and_what_was_pointed_at_gets_a_name() {
        let page = |text: &str| {
            Arc::new(layout_from(&format!(
                "FrameLayout\n  EditText#name \"{text}\" (f)\n  Button#ok \"OK\" (x)\n"
            )))
        };
        let pages = [page(""), page("a"), page("ab"), page("ab"), page("ab")];
        let button = pages[2].iter().find(|(_, widget)| &*widget.text == "OK").unwrap().1;
        let at = button.bounds.center();
        let target = TouchTarget { selector: Selector::default(), at, screen: pages[2].screen() };
        let typed = |text: &str| Event::Type(text.to_owned());
        let tap = Event::Widget { target, gesture: Gesture::Tap };
        let events = [typed("a"), typed("b"), tap, Event::Key(Key::Back)];
        let recorded = events.iter().zip(pages.windows(2)).map(|(event, around)| RecordedStep {
            event: event.clone(),
            before: Arc::clone(&around[0]),
            after: Arc::clone(&around[1]),
        });
        let steps = joined_steps(&recorded.collect::<Vec<_>>());
        let said: Vec<(String, usize)> = steps.iter().map(|(step, end)| (step.sentence(), *end)).collect();
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[0].0.contains("\u{201c}ab\u{201d}") && said[0].1 == 2, "{said:?}");
        assert!(said[1].0.contains("OK") && said[1].1 == 3 && said[2].1 == 4, "{said:?}");
        let Event::Widget { target, .. } = &steps[1].0.event else { panic!() };
        assert!(!target.selector.is_empty());
        assert_eq!((&steps[0].0.before, &steps[0].0.after), (&pages[0], &pages[2]));
    }
}
