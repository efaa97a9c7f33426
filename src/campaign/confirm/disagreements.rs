//! Screens that break what the screens of the app agree on otherwise (`engine/oracle/agreement`). A suspect is confirmed on
//! fresh devices before it is reported.

use super::Confirmer;
use super::confirm_ctx::ConfirmCtx;
use super::confirm_pair::Pair;
use crate::Unit;
use taproof_engine::oracle::ComparisonRule;
use taproof_engine::oracle::agreement::Suspect;
use taproof_engine::{Stop, Task};
use taproof_screen::{Event, StepRole, Verdict};

/// What became of a suspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disagreement {
    /// It is a finding.
    Found,
    /// The relation follows from more than what is shown.
    Refuted,
    /// It did not come back, or was not looked at.
    Unclear,
}

impl Confirmer<'_> {
    /// Executes the suspect's test until the screen has settled, and what it is compared with.
    pub(crate) fn look_at_disagreement(
        &mut self,
        suspect: &Suspect,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Disagreement, Stop> {
        let units = |end: &[Event]| -> Vec<Unit> {
            let all = suspect.witness.shared.iter().chain(end).cloned();
            all.map(|event| Unit::Event { event, role: StepRole::Explored }).collect()
        };
        let pair =
            Pair { witness: units(&suspect.witness.judged), reference: units(&suspect.witness.compared) };
        if ctx.left() < pair.len() as u64 {
            return Ok(Disagreement::Unclear);
        }
        let rule = ComparisonRule::Agreement(Box::new(suspect.rule.clone()));
        ctx.begin(Task::Confirming { run: 1, of: 1 });
        let run = self.run_pair(&pair, &rule, &[], ctx)?;
        if suspect.rule.is_refuted_by(&run.witness.trace, &run.reference.trace) {
            return Ok(Disagreement::Refuted);
        }
        match run.verdict.clone() {
            Verdict::Violated(violation) if run.is_complete() => {
                self.report_pair(run, violation, rule, ctx)?;
                Ok(Disagreement::Found)
            }
            _ => Ok(Disagreement::Unclear),
        }
    }
}
