//! A regression test that is drafted from the path of the phone.

use super::state::WalkedPath;
use taproof_campaign::{Expectation, ExpectationKind, SavedTrace, plain};
use taproof_screen::{Layout, Selector, StepRole, WidgetIdx, widget_name};
use taproof_spec::choose_selector;

/// Maximum number of proposed expectations of each kind.
const PROPOSED: usize = 6;

/// A command about saving the phone's path.
#[derive(Clone, Debug, PartialEq)]
pub enum KeepCommand {
    /// Saves the steps up to the phone's position as a trace.
    Trace,
    /// Writes the screens of these steps and what led from one to the other as a graph.
    Graph,
    /// Drafts a regression test of these steps.
    Test,
    /// Puts the steps from this one on into the recording.
    Function(usize),
    /// Switches the expectation with this index on or off.
    Demand(usize, bool),
    /// Starts or stops asking for a widget that must be shown.
    Pick(bool),
    /// Adds the expectation that this widget of the phone's layout is shown.
    Picked(WidgetIdx),
    /// Saves the drafted test.
    Save,
    /// Discards the drafted test.
    Cancel,
    /// Opens a saved trace.
    Open,
}

/// A regression test that is being drafted.
#[derive(Clone, Debug, PartialEq)]
pub struct TestDraft {
    /// The steps of the test, with the app that they begin with.
    pub saved: SavedTrace,
    /// The proposed expectations, each with whether it is switched on.
    pub demands: Vec<(Expectation, bool)>,
    /// Whether a widget is being asked for.
    pub picking: bool,
}

/// The first so many steps of a way, to be kept; `None` if it did not begin with a fresh app.
pub fn saved_way(walked: &WalkedPath, steps: usize) -> Option<SavedTrace> {
    let (origin, start) = (walked.origin.as_ref()?, walked.start.as_ref()?);
    let done = walked.steps.iter().take(steps);
    let done = done.map(|step| (&step.event, StepRole::Explored, &step.before.frame, &step.after.frame));
    let title = format!("{steps} steps");
    let target = &origin.target;
    let saved = SavedTrace::of_steps(title, (&target.app, &target.build), &start.frame, done);
    Some(SavedTrace { initialiser: origin.initialiser.clone(), ..saved })
}

impl TestDraft {
    /// Drafts a test of the first `steps` steps, and proposes what changed since step `from` as expectations. `None` if
    /// the path did not begin with a fresh app.
    pub fn of_way(walked: &WalkedPath, from: usize, steps: usize) -> Option<TestDraft> {
        let saved = saved_way(walked, steps)?;
        let screen = |step: usize| match step.checked_sub(1) {
            None => walked.start.as_ref().map(|seen| &seen.frame.layout),
            Some(step) => walked.steps.get(step).map(|step| &step.after.frame.layout),
        };
        let (before, after) = (screen(from.min(steps))?, screen(steps)?);
        Some(TestDraft { saved, demands: proposals(before, after), picking: false })
    }

    /// Adds the expectation that this widget of the last screen is shown.
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
            self.demands
                .push((Expectation { sentence, kind: ExpectationKind::Shown(selector), after: None }, true));
        }
    }

    /// The trace with the expectations that are switched on.
    pub fn finished(&self) -> SavedTrace {
        let demanded = self.demands.iter().filter(|(_, demanded)| *demanded);
        let expectations = demanded.map(|(expectation, _)| expectation.clone()).collect();
        SavedTrace { expectations, ..self.saved.clone() }
    }
}

fn with_text(text: &str) -> Selector {
    Selector { text: Some(text.to_owned()), ..Selector::default() }
}

/// Proposes that texts that are new on the last screen are shown, and that texts that are gone are not. Only the former
/// are switched on, since a text that is gone may just be scrolled away.
fn proposals(before: &Layout, after: &Layout) -> Vec<(Expectation, bool)> {
    let new = only_on(after, before).into_iter().map(|text| {
        let sentence = format!("\u{201c}{text}\u{201d} is shown");
        (Expectation { sentence, kind: ExpectationKind::Shown(with_text(text)), after: None }, true)
    });
    let gone = only_on(before, after).into_iter().map(|text| {
        let sentence = format!("\u{201c}{text}\u{201d} is not shown");
        (Expectation { sentence, kind: ExpectationKind::NotShown(with_text(text)), after: None }, false)
    });
    let runs =
        Expectation { sentence: "the app runs".to_owned(), kind: ExpectationKind::Running, after: None };
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

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

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
