//! What a flow did, as a recording: its events with what it asserts.

use std::sync::Arc;

use super::player::{Asserted, PlayedFlow};
use taproof_campaign::{Expectation, ExpectationKind, SavedStep, SavedTrace, plain};
use taproof_engine::device::Build;
use taproof_screen::{Frame, Initialiser, RecordedStep, ScreenPrint, Selector, StepRole, widget_name};
use taproof_spec::{PickedCondition, WidgetState, choose_selector};

impl PlayedFlow {
    /// The flow as a trace. What it asserts of the last screen is expected when the trace is replayed; what it asserts of
    /// earlier ones is kept with their steps. If `lead`, the first steps become the trace's initial ones.
    pub fn saved(&self, title: String, app: (&str, &Build), lead: bool) -> SavedTrace {
        let first = if lead { self.lead_steps() } else { 0 };
        let frames: Vec<_> =
            std::iter::once(&self.start).chain(self.steps.iter().map(|(_, after)| after)).collect();
        let steps = self.steps.iter().zip(frames.windows(2));
        let steps = steps.filter_map(|((event, _), frames)| match frames {
            [before, after] => Some((event, StepRole::Explored, *before, *after)),
            _ => None,
        });
        let mut saved = SavedTrace::of_steps(title, app, &self.start, steps);
        if lead && first > 0 {
            saved.initialiser = Some(Arc::new(Initialiser {
                steps: self.first_steps(&saved, first),
                ..Initialiser::default()
            }));
            saved.steps.drain(..first);
            saved.frames.drain(..first);
            if let Some(start) = saved.frames.first() {
                saved.start = ScreenPrint::of(&start.layout);
            }
        }
        for asserted in self.asserted.iter().filter(|asserted| asserted.after >= first) {
            let after = asserted.after - first;
            let expected = asserted.expectation((after < saved.steps.len()).then_some(after));
            if let Some(expected) = expected.filter(|expected| !saved.expectations.contains(expected)) {
                saved.expectations.push(expected);
            }
        }
        saved
    }

    /// How many of its steps are first ones, such as those of `onFlowStart`.
    pub fn lead_steps(&self) -> usize {
        self.lead.as_ref().map_or(0, |(_, steps)| *steps)
    }

    /// The first steps, with selectors as the trace has them.
    fn first_steps(&self, saved: &SavedTrace, count: usize) -> Vec<RecordedStep> {
        let events = saved.steps.iter().zip(saved.frames.windows(2)).take(count);
        let step = |(step, frames): (&SavedStep, &[Frame])| match frames {
            [before, after] => Some(RecordedStep {
                event: step.event.clone(),
                before: Arc::clone(&before.layout),
                after: Arc::clone(&after.layout),
            }),
            _ => None,
        };
        events.filter_map(step).collect()
    }

    /// What it asserts before the first step and after the last one, as conditions of a recording.
    pub fn conditions(&self) -> Vec<PickedCondition> {
        let last = self.steps.len();
        let ends = self.asserted.iter().filter(|asserted| asserted.after == 0 || asserted.after == last);
        ends.filter_map(|asserted| {
            let (layout, widget) = asserted.widget.clone()?;
            let state =
                asserted.state.and_then(|state| WidgetState::ALL.into_iter().find(|it| it.flag() == state));
            Some(PickedCondition {
                post: asserted.after == last,
                layout,
                widget,
                shown: asserted.shown,
                state,
            })
        })
        .collect()
    }
}

impl Asserted {
    /// The assertion as an expectation of a trace, after this many steps; `None` if nothing names the widget.
    fn expectation(&self, after: Option<usize>) -> Option<Expectation> {
        let named = self.widget.as_ref().and_then(|(layout, idx)| {
            let widget = layout.widget(*idx);
            let shows = |shown: &str| self.text.as_deref() == Some(shown).filter(|shown| !shown.is_empty());
            let (text, desc) = (widget.text.to_string(), widget.content_desc.to_string());
            if shows(&text) {
                return Some(Selector { text: Some(text), ..Selector::default() });
            }
            match shows(&desc) {
                true => Some(Selector { content_desc: Some(desc), ..Selector::default() }),
                false => plain(&choose_selector(layout, *idx, &[]).selector),
            }
        });
        let by_text = || Some(Selector { text: Some(self.text.clone()?), ..Selector::default() });
        let selector = named.or_else(by_text)?;
        let name = match &self.widget {
            Some((layout, idx)) => widget_name(layout.widget(*idx)),
            None => selector.to_string(),
        };
        Some(match self.shown {
            true => Expectation {
                sentence: format!("{name} is shown"),
                kind: ExpectationKind::Shown(selector),
                after,
            },
            false => Expectation {
                sentence: format!("{name} is not shown"),
                kind: ExpectationKind::NotShown(selector),
                after,
            },
        })
    }
}
