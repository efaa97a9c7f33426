//! *New version*: what a specification no longer finds in the version of the app that is on the phone, and what mends it.

use std::sync::Arc;

use super::DocumentId;
use super::document::{SpecDocument, SpecEdit};
use taproof_campaign::{DeviceChoice, FunctionRepair, Proposed, RepairPlan, RepairReport, Target};
use taproof_spec::Spec;
use taproof_spec::repair::{History, Mend};

/// How often a mended function must hold.
const RUNS: usize = 3;

/// A command about the repair of a specification.
#[derive(Clone, Debug, PartialEq)]
pub enum RepairCommand {
    /// Performs the functions of a document on the app of the phone, and looks for what mends them. An earlier result is
    /// discarded.
    Start(DocumentId),
    /// Goes to where the result is shown.
    Show,
    /// Shows what this function no longer finds: its index among the results, and that of what is lost.
    Choose(usize, usize),
    /// Shows this proposal for it.
    Look(usize),
    /// Mends all uses of the widget that is shown, as the shown proposal says.
    Mend,
    /// Mends everything whose mend passed its try.
    MendAll,
    /// Tries the function that is shown, with the shown proposal.
    Try,
    /// Stops; what is known so far stays.
    Cancel,
    /// Discards the result.
    Close,
}

/// What is to be repaired: the plan, and the old version where it is at hand.
#[derive(Clone, Debug)]
pub struct RepairOrder {
    /// The plan for the new version.
    pub plan: RepairPlan,
    /// The package of the old version, on which the functions are performed first.
    pub old: Option<String>,
}

/// The repair that is running, or was made last.
#[derive(Default)]
pub struct RepairState {
    /// What is repaired. `None` before the first time.
    pub order: Option<Arc<RepairOrder>>,
    /// The document that is repaired.
    pub document: Option<DocumentId>,
    /// The function that is looked at: its name, its index and the number of all. `None` if none is.
    pub at: Option<(String, usize, usize)>,
    /// What came of the functions so far, in their order.
    pub functions: Vec<FunctionRepair>,
    /// The result. `None` until it is complete.
    pub report: Option<Arc<RepairReport>>,
    /// Why it was aborted. `None` if it was not.
    pub problem: Option<String>,
    /// The function and its lost widget that are shown, by their indices.
    pub chosen: (usize, usize),
    /// The proposal that is shown. `None` for the best one.
    pub looked_at: Option<usize>,
    /// How often a person asked elsewhere to see it, so that its panel is to be shown.
    pub asked_for: u32,
    /// The mends that were taken over.
    pub taken: Vec<Mend>,
}

impl RepairState {
    /// Begins a repair. The state of an earlier one is discarded.
    pub fn begin(&mut self, document: DocumentId, order: Arc<RepairOrder>) {
        let asked_for = self.asked_for;
        *self =
            RepairState { order: Some(order), document: Some(document), asked_for, ..RepairState::default() };
    }

    /// Whether it is running.
    pub fn is_running(&self) -> bool {
        self.order.is_some() && self.report.is_none() && self.problem.is_none()
    }

    /// Takes what came of a function. One that was looked at before is replaced.
    pub fn take_function(&mut self, function: FunctionRepair) {
        match self.functions.iter_mut().find(|known| known.name == function.name) {
            Some(known) => *known = function,
            None => self.functions.push(function),
        }
    }

    /// Takes the result, and shows the first function that finds something no more.
    pub fn take_report(&mut self, report: RepairReport) {
        self.at = None;
        self.functions.clone_from(&report.functions);
        self.report = Some(Arc::new(report));
        let lost = |function: &FunctionRepair| !function.proposed.is_empty();
        self.chosen = (self.functions.iter().position(lost).unwrap_or(0), 0);
    }

    /// Records that it was aborted.
    pub fn fail(&mut self, problem: String) {
        self.at = None;
        self.problem = Some(problem);
    }

    /// What is shown: something that a function no longer finds.
    pub fn shown(&self) -> Option<&Proposed> {
        let (function, lost) = self.chosen;
        self.functions.get(function)?.proposed.get(lost)
    }

    /// The index of the proposal that is shown.
    pub fn proposal(&self) -> usize {
        let best = || self.shown().and_then(|shown| shown.chosen).unwrap_or(0);
        self.looked_at.unwrap_or_else(best)
    }

    /// The mend of the proposal that is shown.
    pub fn mend(&self) -> Option<&Mend> {
        self.shown()?.proposals.get(self.proposal()).map(|proposal| &proposal.mend)
    }

    /// The number of functions that no longer find something, and of those for which a mend passed its try.
    pub fn counts(&self) -> (usize, usize) {
        let lost = self.functions.iter().filter(|function| !function.proposed.is_empty());
        let mended = lost.clone().filter(|function| function.end.holds()).count();
        (lost.count(), mended)
    }

    /// Whether a mend passed its try that was not taken over.
    pub fn has_more_mends(&self) -> bool {
        let mends = self.report.iter().flat_map(|report| report.mends());
        mends.into_iter().any(|it| !self.taken.contains(&it.mend))
    }

    /// The result in one sentence, for lines elsewhere. `None` if there is none for this document.
    pub fn sentence(&self, document: DocumentId) -> Option<String> {
        if self.document != Some(document) || self.report.is_none() {
            return None;
        }
        let hold = self.functions.iter().filter(|it| it.end.holds() && it.proposed.is_empty()).count();
        Some(match self.counts() {
            (0, _) => format!("{hold} of {} functions hold as they are.", self.functions.len()),
            (1, mended) => format!("1 function no longer finds its widgets; {mended} can be mended."),
            (lost, mended) => {
                format!("{lost} functions no longer find their widgets; {mended} can be mended.")
            }
        })
    }
}

/// What is to be done to repair a document on this target.
pub fn order_for(document: &SpecDocument, target: &Target, old_is_bundled: bool) -> RepairOrder {
    let old = (target.device.is_none() && old_is_bundled && document.app != target.app)
        .then(|| document.app.clone());
    RepairOrder {
        plan: RepairPlan {
            app: target.app.clone(),
            build: target.build.clone(),
            device: match &target.device {
                None => DeviceChoice::Bundled,
                Some(serial) => DeviceChoice::Adb(vec![serial.clone()]),
            },
            spec: Arc::clone(&document.spec),
            history: History::new(),
            initialiser: None,
            runs: RUNS,
            seed: 1,
        },
        old,
    }
}

/// The edits of a document by which it says what another specification does.
pub fn edits_to(before: &Spec, after: &Spec) -> Vec<SpecEdit> {
    let mut edits = Vec::new();
    for (index, (old, new)) in before.dmfs.iter().zip(&after.dmfs).enumerate() {
        if old != new {
            edits.push(SpecEdit::SetDmf(index, Box::new(new.clone()), String::new()));
        }
    }
    for (index, (old, new)) in before.blocks.iter().zip(&after.blocks).enumerate() {
        if old != new {
            edits.push(SpecEdit::SetBlock(index, new.clone()));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_campaign::FunctionEnd;
    use taproof_spec::{Dmf, DmfKind};

    fn function(name: &str, end: FunctionEnd) -> FunctionRepair {
        FunctionRepair { name: name.to_owned(), end, proposed: Vec::new() }
    }

    #[test]
    fn a_function_that_is_looked_at_again_is_replaced() {
        let mut state = RepairState::default();
        state.take_function(function("add note", FunctionEnd::NotMended("no".to_owned())));
        state.take_function(function("add note", FunctionEnd::Holds));
        assert_eq!(state.functions, [function("add note", FunctionEnd::Holds)]);
    }

    #[test]
    fn only_what_was_mended_is_edited() {
        let dmf = |name: &str| Dmf::empty(name, DmfKind::Create, "note");
        let before = Spec { dmfs: vec![dmf("add note"), dmf("edit note")], ..Spec::default() };
        let mut after = before.clone();
        after.dmfs[1].weight = 3;
        let edits = edits_to(&before, &after);
        assert!(matches!(&edits[..], [SpecEdit::SetDmf(1, dmf, _)] if dmf.weight == 3), "{}", edits.len());
    }
}
