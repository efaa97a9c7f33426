//! Tests as they were performed. A test is the input of what is appended at its end; and each of its steps is the
//! behaviour of an event after the input before it (paper.md, section 7).

use serde::{Deserialize, Serialize};

use super::model::{Appended, Input, OdinModel};
use super::{Event, EventKey, MAX_BEHAVIOURS, texts_of};
use crate::oracle::may_belief::{History, LayoutId, Outcome, Past};
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{CandidateAction, Gesture, Text, touched_widget};

/// Number of steps of tests that are stored as behaviours.
const MOST_STEPS: usize = 40_000;

/// The events of a test and what they led to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Performed {
    /// The layout that the test began on, if it is one of the app's.
    pub(super) first: Option<LayoutId>,
    pub(super) steps: Vec<PerformedStep>,
    /// Whether a part of it is an input that was continued.
    pub(super) is_input: bool,
}

/// A step of a test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PerformedStep {
    pub(super) event: Event,
    /// `None` if no layout of the app handles the event.
    pub(super) key: Option<EventKey>,
    /// The outcome; `None` if it is unknown.
    pub(super) after: Option<Outcome<LayoutId>>,
}

impl PerformedStep {
    fn shows(&self) -> Option<LayoutId> {
        match self.after {
            Some(Outcome::Shows(id)) => Some(id),
            _ => None,
        }
    }
}

impl Performed {
    /// The layout before each step.
    fn befores(&self) -> impl Iterator<Item = Option<LayoutId>> {
        std::iter::once(self.first).chain(self.steps.iter().map(PerformedStep::shows))
    }
}

impl OdinModel {
    /// Stores the steps of a test as behaviours, and the test if it is needed.
    pub(super) fn learn_test(&mut self, test: Performed) {
        let index = self.tests.len();
        let befores: Vec<Option<LayoutId>> = test.befores().collect();
        let (mut input, steps_before) = (0, self.steps);
        for (place, (step, before)) in test.steps.iter().zip(befores).enumerate() {
            let behaviour = before.and_then(|before| self.behaviour_of_step(step, before));
            input = self.input_after(input, step, before);
            let Some((key, appended)) = behaviour else { continue };
            let state = self.state(appended.before);
            // Half of the room is for what is appended on purpose.
            let behaviours = self.behaviours.entry((state, key)).or_default();
            if behaviours.len() >= MAX_BEHAVIOURS / 2
                || self.steps >= MOST_STEPS
                || !self.inputs_seen.insert(input)
            {
                continue;
            }
            self.steps += 1;
            let kept = &mut self.inputs.entry(state).or_default().kept;
            behaviours.push(Appended { input: kept.len(), ..appended });
            kept.push(Input { test: index, steps: place });
        }
        if test.is_input || self.steps > steps_before {
            self.tests.push(test);
        }
    }

    fn behaviour_of_step(&self, step: &PerformedStep, before: LayoutId) -> Option<(EventKey, Appended)> {
        let Event::Widget { gesture, .. } = &step.event else { return None };
        let known = self.layout(before);
        let touched = touched_widget(&step.event, &known.layout)?;
        let handled = known.event_at(touched, CandidateAction::of(gesture)?)?;
        let typed = match gesture {
            Gesture::SetText(text) => Some(Text::from(&**text)),
            _ => None,
        };
        let key = typed.as_ref().map_or(handled.key, |text| handled.key.typing(text));
        let after = step.after.clone()?;
        Some((key, Appended { input: 0, before, receiver: handled.receiver, typed, after }))
    }

    /// A hash of what was done since a start.
    fn input_after(&self, input: u64, step: &PerformedStep, before: Option<LayoutId>) -> u64 {
        let mut hasher = HashBuffer::default();
        hasher.u64(input);
        hasher.u64(before.map_or(u64::MAX, |before| before as u64));
        hasher.u64(step.key.map_or(0, |key| key.0));
        if let (Event::Widget { gesture, .. }, Some(before)) = (&step.event, before) {
            let touched = touched_widget(&step.event, &self.layout(before).layout);
            hasher.u64(touched.map_or(u64::MAX, |idx| u64::from(idx.0)));
            if let Gesture::SetText(text) = gesture {
                hasher.text(text);
            }
        }
        hasher.finish()
    }

    /// The input that consists of what was performed in the test that is stored next.
    pub(super) fn next_input(&self, performed: &Performed) -> Input {
        Input { test: self.tests.len(), steps: performed.steps.len() }
    }

    /// A hash of a test.
    pub(super) fn hash_of(&self, test: &Performed) -> u64 {
        let steps = test.steps.iter().zip(test.befores());
        steps.fold(1, |input, (step, before)| self.input_after(input, step, before))
    }

    /// For each test, what was done and seen before each of its steps, and at its end.
    pub(super) fn pasts(&self) -> Vec<Vec<Past>> {
        self.tests.iter().map(|test| self.pasts_of(test)).collect()
    }

    fn pasts_of(&self, test: &Performed) -> Vec<Past> {
        let mut history = History::default();
        test.first.into_iter().for_each(|first| history.enter(self.layout(first)));
        let mut moments = vec![history.now()];
        for (step, before) in test.steps.iter().zip(test.befores()) {
            if let Some(key) = step.key {
                let texts = before.map(|before| texts_of(&step.event, &self.layout(before).layout));
                history.did(key, &texts.unwrap_or_default());
                if let Event::Widget { gesture: Gesture::SetText(text), .. } = &step.event {
                    history.typed(&Text::from(&**text));
                }
            }
            step.shows().into_iter().for_each(|after| history.enter(self.layout(after)));
            moments.push(history.now());
        }
        history.pasts(moments).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::oracle::may_belief::KnownLayout;
    use taproof_screen::{WidgetFlags, WidgetIdx, event_on, layout_from};

    #[test]
    fn each_step_of_a_test_is_a_behaviour_once_after_the_input_before_it() {
        let mut model = OdinModel::default();
        let page = |notation: &str| {
            layout_from(notation).with_changed(&[WidgetIdx(1)], |widget| {
                widget.flags =
                    widget.flags.with(WidgetFlags::CLICKABLE, true).with(WidgetFlags::ENABLED, true);
            })
        };
        let pages =
            [page("FrameLayout\n  Button#open \"Open\"\n"), page("FrameLayout\n  Button#done \"Done\"\n")];
        let ids = pages.clone().map(|page| {
            let known = || KnownLayout::of(Arc::new(page.clone()), "org.ex");
            model.learn_layout(&page, 9, known).unwrap()
        });
        let step = |model: &OdinModel, from: usize, to: usize| PerformedStep {
            event: event_on(&pages[from], WidgetIdx(1), Gesture::Tap).unwrap(),
            key: model.layout(ids[from]).keys().next(),
            after: Some(Outcome::Shows(ids[to])),
        };
        let steps = vec![step(&model, 0, 1), step(&model, 1, 0)];
        let test = Performed { first: Some(ids[0]), steps, is_input: false };
        let input = model.next_input(&test);
        for _ in 0..2 {
            model.learn_test(test.clone());
        }
        assert_eq!(model.events_of(input).len(), 2, "the whole test");
        let pasts = model.pasts();
        assert_eq!(pasts.len(), 1, "nothing needs the second test");
        assert!(pasts[0][0].is_within(&pasts[0][2]) && !pasts[0][2].is_within(&pasts[0][0]));
        for (page, done_before) in [0, 1].into_iter().enumerate() {
            let state = model.state(ids[page]);
            let key = model.layout(ids[page]).keys().next().unwrap();
            let behaviours = model.behaviours_of(state, key, &pasts);
            assert_eq!(behaviours.len(), 1, "the second test did nothing new");
            assert_eq!(model.events_of(model.inputs[&state].kept[0]).len(), done_before);
            assert!(behaviours[0].history.is_within(&pasts[0][done_before]));
        }
    }
}
