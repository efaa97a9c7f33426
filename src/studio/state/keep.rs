//! Keeping the way of the phone: as a trace, as a regression test with what must be so at its end, or as the
//! steps of a recording.

use std::sync::Arc;

use super::StudioState;
use super::command::Command;
use super::mirror::Walked;
use super::record::RecordCommand;
use taproof_core::campaign::{Build, Expectation, ExpectationKind, SavedTrace, plain};
use taproof_core::model::{Layout, Selector, StepRole, WidgetIdx, widget_name};
use taproof_core::spec::choose_selector;

/// Proposed sentences of each kind; more are noise.
const PROPOSED: usize = 6;

/// What panels ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum KeepCommand {
    /// Keeps the steps up to where the phone stands as a trace.
    Trace,
    /// Makes a regression test of them: asks what must be so at the end.
    Test,
    /// Puts the steps from this one on into the recording.
    Function(usize),
    /// Demands this sentence of the test, or not.
    Demand(usize, bool),
    /// Asks for a widget that must be shown.
    Pick(bool),
    /// That widget.
    Picked(WidgetIdx),
    /// Keeps the test.
    Save,
    /// Keeps nothing.
    Cancel,
    /// Opens a trace that was kept.
    Open,
}

/// A regression test that is being made.
#[derive(Clone, Debug, PartialEq)]
pub struct TestDraft {
    /// The steps.
    pub saved: SavedTrace,
    /// What may be demanded, and whether it is.
    pub demands: Vec<(Expectation, bool)>,
    /// A widget is being asked for.
    pub picking: bool,
}

impl From<KeepCommand> for Command {
    fn from(command: KeepCommand) -> Self {
        Command::Keep(command)
    }
}

/// The first so many steps of a way, to be kept; `None` if it did not begin with a fresh app.
pub fn saved_way(walked: &Walked, steps: usize) -> Option<SavedTrace> {
    let (origin, start) = (walked.origin.as_ref()?, walked.start.as_ref()?);
    let done = walked.steps.iter().take(steps);
    let done = done.map(|step| (&step.event, StepRole::Explored, &step.before.frame, &step.after.frame));
    let title = format!("{steps} steps");
    let build = Build::from(&origin.build);
    let saved = SavedTrace::of_steps(title, (&origin.app, &build), &start.frame, done);
    Some(SavedTrace { initialiser: origin.initialiser.clone(), ..saved })
}

impl TestDraft {
    /// A test of the first so many steps, with what they changed since step `from` proposed.
    pub fn of_way(walked: &Walked, from: usize, steps: usize) -> Option<TestDraft> {
        let saved = saved_way(walked, steps)?;
        let screen = |step: usize| match step.checked_sub(1) {
            None => walked.start.as_ref().map(|seen| &seen.frame.layout),
            Some(step) => walked.steps.get(step).map(|step| &step.after.frame.layout),
        };
        let (before, after) = (screen(from.min(steps))?, screen(steps)?);
        Some(TestDraft { saved, demands: proposals(before, after), picking: false })
    }

    /// A widget of the last screen must be shown.
    pub fn demand_shown(&mut self, layout: &Layout, idx: WidgetIdx) {
        self.picking = false;
        let Some(widget) = layout.get(idx) else { return };
        let chosen = if widget.text.is_empty() {
            plain(&choose_selector(layout, idx, &[]).selector)
        } else {
            Some(with_text(&widget.text))
        };
        if let Some(selector) = chosen {
            let sentence = format!("{} is shown", widget_name(widget));
            self.demands.push((Expectation { sentence, kind: ExpectationKind::Shown(selector) }, true));
        }
    }

    /// The trace with what is demanded.
    pub fn finished(&self) -> SavedTrace {
        let demanded = self.demands.iter().filter(|(_, demanded)| *demanded);
        let expectations = demanded.map(|(expectation, _)| expectation.clone()).collect();
        SavedTrace { expectations, ..self.saved.clone() }
    }
}

fn with_text(text: &str) -> Selector {
    Selector { text: Some(text.to_owned()), ..Selector::default() }
}

/// What the last screen shows and an earlier one did not, and the other way round. Only what is new is
/// demanded unless the person says otherwise: what went away may just be further down.
fn proposals(before: &Layout, after: &Layout) -> Vec<(Expectation, bool)> {
    let new = only_on(after, before).into_iter().map(|text| {
        let sentence = format!("\u{201c}{text}\u{201d} is shown");
        (Expectation { sentence, kind: ExpectationKind::Shown(with_text(text)) }, true)
    });
    let gone = only_on(before, after).into_iter().map(|text| {
        let sentence = format!("\u{201c}{text}\u{201d} is not shown");
        (Expectation { sentence, kind: ExpectationKind::NotShown(with_text(text)) }, false)
    });
    let runs = Expectation { sentence: "the app runs".to_owned(), kind: ExpectationKind::Running };
    new.take(PROPOSED).chain(gone.take(PROPOSED)).chain([(runs, true)]).collect()
}

fn only_on<'l>(one: &'l Layout, other: &Layout) -> Vec<&'l str> {
    let mut texts: Vec<&str> = Vec::new();
    for widget in one.widgets() {
        let known = other.widgets().iter().any(|known| known.text == widget.text);
        if !widget.text.is_empty() && !known && !texts.contains(&&*widget.text) {
            texts.push(&widget.text);
        }
    }
    texts
}

/// A widget that is asked for: the next click on the phone chooses it instead of touching it.
#[derive(Clone, Debug)]
pub struct Picking {
    /// What the person is to do.
    pub prompt: &'static str,
    /// What is asked for with the widget.
    pub chosen: fn(WidgetIdx) -> Command,
    /// What leaves without one.
    pub leave: Command,
}

impl StudioState {
    /// The widget that is asked for.
    pub fn picking(&self) -> Option<Picking> {
        if self.keep.as_ref().is_some_and(|draft| draft.picking) {
            return Some(Picking {
                prompt: "Click what must be shown.",
                chosen: |idx| KeepCommand::Picked(idx).into(),
                leave: KeepCommand::Pick(false).into(),
            });
        }
        self.record.picking.is_some().then_some(Picking {
            prompt: "Click the widget on the phone.",
            chosen: |idx| Command::Record(RecordCommand::Picked(idx)),
            leave: Command::Record(RecordCommand::Unpick),
        })
    }
}

/// A trace that was kept, as the phone can be led along it.
pub fn opened_trace(saved: &SavedTrace) -> Arc<super::LiveTrace> {
    let expected = |print: &taproof_core::model::ScreenPrint| crate::mirror::Expected {
        print: print.clone(),
        layout: None,
        png: None,
    };
    Arc::new(super::LiveTrace {
        title: saved.title.clone(),
        app: saved.app.clone(),
        build: (&saved.build).into(),
        initialiser: saved.initialiser.clone(),
        start: Some(expected(&saved.start)),
        events: saved.steps.iter().map(|step| (step.event.clone(), expected(&step.after))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_core::model::layout_from;

    #[test]
    fn what_is_new_is_demanded_and_what_went_is_offered() {
        let before = layout_from("ListView\n  TextView \"old\"\n  TextView \"stays\"\n");
        let after = layout_from("ListView\n  TextView \"stays\"\n  TextView \"new\"\n  TextView \"new\"\n");
        let told: Vec<(String, bool)> =
            proposals(&before, &after).into_iter().map(|(it, demanded)| (it.sentence, demanded)).collect();
        let told: Vec<(&str, bool)> = told.iter().map(|(text, on)| (text.as_str(), *on)).collect();
        let expected = [
            ("\u{201c}new\u{201d} is shown", true),
            ("\u{201c}old\u{201d} is not shown", false),
            ("the app runs", true),
        ];
        assert_eq!(told, expected);
    }
}
