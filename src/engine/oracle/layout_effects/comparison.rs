//! Compares a mutant with its seed test again, for confirming findings and for judging recorded traces.

use serde::{Deserialize, Serialize};

use super::{Batch, EffectJudge, EffectRule, TestPair, align};
use taproof_screen::{Reason, StepRole, Trace, Verdict, Violation, detour_clause};

/// How a mutant is compared with its seed test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectComparison {
    /// How effects are compared.
    pub rule: EffectRule,
    /// The keys of the checks in the violation that is to be reproduced. If it does not appear, another violation is
    /// reported.
    pub sought: Vec<String>,
}

impl EffectComparison {
    /// Compares a mutant with its seed test.
    pub fn judge(&self, mutant: &Trace, seed: &Trace) -> Verdict {
        let Some(aligned) = align(seed, mutant) else {
            let reason = "the second trace is not the first one with one detour".to_owned();
            return Verdict::Inconclusive(Reason::NotJudged(reason));
        };
        let mut judge = EffectJudge::new(self.rule.clone());
        let (seed, mutant_layouts) = (judge.prepare_all(&aligned.seed), judge.prepare_all(&aligned.mutant));
        let test = TestPair {
            seed: &seed,
            mutant: &mutant_layouts,
            position: aligned.position,
            inserted: aligned.inserted,
            detour: Some(&aligned.detour),
        };
        let batches = judge.judge(test);
        let detour = detour_words(mutant);
        let told = |batch: &Batch| batch.violation(test, &detour);
        let mut violations: Vec<Violation> =
            batches.iter().filter(|batch| batch.firm).filter_map(told).collect();
        let sought = violations.iter().position(|violation| violation.origin().checks == self.sought);
        if violations.is_empty() {
            Verdict::Holds
        } else {
            Verdict::Violated(violations.swap_remove(sought.unwrap_or(0)))
        }
    }
}

/// What a mutant's detour did, as a clause in the past.
pub fn detour_words(mutant: &Trace) -> String {
    let inserted = mutant.framed_steps().filter(|(_, step)| step.role == StepRole::Inserted);
    let with_screens = inserted.map(|(before, step)| (&step.event, &*before.layout));
    detour_clause(&with_screens.collect::<Vec<_>>())
}
