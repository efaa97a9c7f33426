//! Devices that do an app's first steps by themselves: whatever a campaign, a trial or a replay launches with cleared
//! data begins behind them.

use std::sync::Arc;

use super::DeviceSource;
use super::saved_trace::named;
use crate::device::{Device, DeviceError, Garbled, Initialised};
use crate::model::{Event, Gesture, InitialStep, Initialiser, Layout};
use crate::spec::{CoalescedStep, RecordedStep, coalesce};
use crate::worker::Unwanted;

/// A source whose devices do an app's first steps.
pub struct InitialisedPhones<'s> {
    source: &'s mut dyn DeviceSource,
    app: &'s str,
    first: Option<&'s Arc<Initialiser>>,
}

impl<'s> InitialisedPhones<'s> {
    /// The same devices, with these first steps of an app if there are any.
    pub fn new(source: &'s mut dyn DeviceSource, app: &'s str, first: Option<&'s Arc<Initialiser>>) -> Self {
        InitialisedPhones { source, app, first }
    }
}

impl DeviceSource for InitialisedPhones<'_> {
    fn fresh(&mut self, bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        Ok(Initialised::device(self.source.fresh(bugs_off)?, self.app, self.first))
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

/// What was done, each with the screen before and after it, as first steps. A widget that was only pointed at gets a
/// selector, so that the step survives a screen on which it stands elsewhere.
pub fn initial_steps<'a>(done: impl IntoIterator<Item = Seen<'a>>) -> Vec<InitialStep> {
    joined_steps(done).into_iter().map(|(step, _)| step).collect()
}

/// An event with the screen before and after it.
pub type Seen<'a> = (&'a Event, &'a Arc<Layout>, &'a Arc<Layout>);

/// The same, each with the number of events until its end: what was typed into a field letter by letter is one step.
pub fn joined_steps<'a>(done: impl IntoIterator<Item = Seen<'a>>) -> Vec<(InitialStep, usize)> {
    let recorded = |(event, before, after): Seen<'_>| RecordedStep {
        event: event.clone(),
        before: Arc::clone(before),
        after: Arc::clone(after),
    };
    let done: Vec<RecordedStep> = done.into_iter().map(recorded).collect();
    let mut steps = Vec::new();
    for CoalescedStep { step, first, end } in coalesce(&done) {
        if matches!(step.event, Event::Widget { gesture: Gesture::SetText(_), .. }) {
            steps.push((initial(&step), end));
        } else {
            // Strokes of a wheel are as many: each goes a part of the way.
            let each = done.iter().enumerate().take(end).skip(first);
            steps.extend(each.map(|(at, step)| (initial(step), at + 1)));
        }
    }
    steps
}

fn initial(step: &RecordedStep) -> InitialStep {
    InitialStep {
        event: named(&step.event, &step.before),
        before: Arc::clone(&step.before),
        after: Arc::clone(&step.after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Key, Selector, Target, layout_from};

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
        let target = Target { selector: Selector::default(), at, screen: pages[2].screen() };
        let typed = |text: &str| Event::Type(text.to_owned());
        let tap = Event::Widget { target, gesture: Gesture::Tap };
        let events = [typed("a"), typed("b"), tap, Event::Key(Key::Back)];
        let seen = events.iter().zip(pages.windows(2));
        let steps = joined_steps(seen.map(|(event, around)| (event, &around[0], &around[1])));
        let said: Vec<(String, usize)> = steps.iter().map(|(step, end)| (step.sentence(), *end)).collect();
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(said[0].0.contains("\u{201c}ab\u{201d}") && said[0].1 == 2, "{said:?}");
        assert!(said[1].0.contains("OK") && said[1].1 == 3 && said[2].1 == 4, "{said:?}");
        let Event::Widget { target, .. } = &steps[1].0.event else { panic!() };
        assert!(!target.selector.is_empty());
        assert_eq!((&steps[0].0.before, &steps[0].0.after), (&pages[0], &pages[2]));
    }
}
