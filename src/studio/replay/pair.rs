//! Two traces compared step by step: Genie's mutant and its seed test, or ODIN's minority and majority.

use std::collections::BTreeSet;

use taproof_core::campaign::Finding;
use taproof_core::model::{StepRole, Trace, Widget, WidgetIdx, event_sentence};

/// The corresponding steps of both traces. `None` for a trace that performs no step here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRow {
    /// Index and sentence of the step in the trace that shows the violation.
    pub witness: Option<(usize, String)>,
    /// Index and sentence of the step in the reference trace.
    pub reference: Option<(usize, String)>,
    /// Whether the step belongs to the inserted detour.
    pub inserted: bool,
    /// Whether the outcomes differ here: the violation is seen after this step.
    pub differs: bool,
}

/// Aligns both traces of a finding. Empty if the finding has no reference trace.
pub fn pair_rows(finding: &Finding) -> Vec<PairRow> {
    let Some(reference) = &finding.reference else { return Vec::new() };
    let (witness, other) = (&finding.minimal.trace, &reference.evidence.trace);
    let alike = reference.goes_on_alike();
    let mut rows = if alike { beside(witness, other) } else { ending_alike(witness, other) };
    if let Some(last) = rows.last_mut() {
        last.differs = true;
    }
    rows
}

/// Aligns traces that are equal except for the detour, which occurs only in the witness.
fn beside(witness: &Trace, reference: &Trace) -> Vec<PairRow> {
    let (mut rows, mut common) = (Vec::new(), 0);
    for (at, step) in witness.steps().iter().enumerate() {
        let inserted = step.role == StepRole::Inserted;
        let other = (!inserted).then(|| said(reference, common)).flatten();
        common += usize::from(!inserted);
        rows.push(PairRow { witness: said(witness, at), reference: other, inserted, differs: false });
    }
    let rest = (common..reference.len()).map(|at| PairRow {
        witness: None,
        reference: said(reference, at),
        inserted: false,
        differs: false,
    });
    rows.extend(rest);
    rows
}

/// Aligns traces by their ends, since only their last events are the same.
fn ending_alike(witness: &Trace, reference: &Trace) -> Vec<PairRow> {
    let length = witness.len().max(reference.len());
    let at =
        |trace: &Trace, row: usize| (row + trace.len()).checked_sub(length).and_then(|at| said(trace, at));
    let row = |row| PairRow {
        witness: at(witness, row),
        reference: at(reference, row),
        inserted: false,
        differs: false,
    };
    (0..length).map(row).collect()
}

fn said(trace: &Trace, at: usize) -> Option<(usize, String)> {
    let (step, before) = (trace.steps().get(at)?, trace.frame(at)?);
    Some((at, event_sentence(&step.event, &before.layout)))
}

/// The position of the reference at a step of the other trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceStep {
    /// The number of the reference's frame to show; 0 is the start.
    pub frame: usize,
    /// The reference's step, as a sentence. `None` during the detour.
    pub sentence: Option<String>,
}

/// Returns the position of the reference after step `step` of the other trace. `None` if there is no such step.
pub fn reference_step(rows: &[PairRow], step: usize) -> Option<ReferenceStep> {
    let row = rows.iter().position(|row| row.witness.as_ref().is_some_and(|(at, _)| *at == step))?;
    // At the end the reference has performed all of its steps.
    let until = if rows[row + 1..].iter().all(|row| row.witness.is_none()) { rows.len() } else { row + 1 };
    let done = rows[..until].iter().rev().find_map(|row| row.reference.as_ref());
    let here = rows[row..until].iter().rev().find_map(|row| row.reference.as_ref());
    Some(ReferenceStep {
        frame: done.map_or(0, |(at, _)| at + 1),
        sentence: here.map(|(_, words)| words.clone()),
    })
}

/// The widgets on the reference's last screen that show the difference: those with texts reported as missing or else
/// those with texts that the other screen lacks. At most `MOST_MARKS`.
pub fn reference_marks(finding: &Finding) -> Vec<WidgetIdx> {
    let Some(reference) = &finding.reference else { return Vec::new() };
    let (right, wrong) = (&reference.evidence.trace.last().layout, &finding.minimal.trace.last().layout);
    let missing: Vec<&str> =
        finding.violation.failures.iter().filter_map(|it| it.missing.as_deref()).collect();
    let says =
        |widget: &Widget| !widget.text.is_empty() && missing.iter().any(|it| it.contains(&*widget.text));
    let of = |wanted: &dyn Fn(&Widget) -> bool| -> Vec<WidgetIdx> {
        right.iter().filter(|(_, widget)| wanted(widget)).map(|(idx, _)| idx).take(MOST_MARKS).collect()
    };
    let named = of(&says);
    if !named.is_empty() {
        return named;
    }
    let shown: BTreeSet<&str> = wrong.iter().map(|(_, widget)| &*widget.text).collect();
    of(&|widget| !widget.text.is_empty() && !shown.contains(&*widget.text))
}

/// Maximum number of marks; more would not draw attention to anything.
const MOST_MARKS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn row(witness: Option<usize>, reference: Option<usize>) -> PairRow {
        let said = |at: Option<usize>| at.map(|at| (at, format!("do {at}")));
        let inserted = reference.is_none();
        PairRow { witness: said(witness), reference: said(reference), inserted, differs: false }
    }

    #[test]
    fn the_reference_waits_while_a_detour_is_made() {
        let rows = [row(Some(0), Some(0)), row(Some(1), None), row(Some(2), Some(1)), row(None, Some(2))];
        let at = |step| reference_step(&rows, step).map(|it| (it.frame, it.sentence.is_some()));
        assert_eq!([at(0), at(1), at(2), at(3)], [Some((1, true)), Some((1, false)), Some((3, true)), None]);
    }
}
