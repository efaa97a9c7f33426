//! Two traces that are compared, step beside step: Genie's mutant and its seed test, ODIN's minority and what is
//! believed.

use crate::campaign::Finding;
use crate::model::{StepRole, Trace, event_sentence};

/// What both do at one place; nothing where one of them does not do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRow {
    /// The step of the trace that shows what is wrong, and its words.
    pub witness: Option<(usize, String)>,
    /// The step of the trace that it is compared with, and its words.
    pub reference: Option<(usize, String)>,
    /// Whether the step is part of the detour that was put in.
    pub inserted: bool,
    /// Whether the outcome differs here: what is wrong is seen after this step.
    pub differs: bool,
}

/// Both traces of a finding beside each other; nothing where it takes one trace to see what is wrong.
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

/// They go on alike but for the detour, which stands in the witness alone.
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

/// Each came there in its own way; only their last events are the same.
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
