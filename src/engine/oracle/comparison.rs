//! Oracles that judge a trace by comparing it with another one.

use serde::{Deserialize, Serialize};

use super::agreement::AgreementRule;
use super::layout_effects::EffectComparison;
use super::may_belief::MinorityRule;
use taproof_screen::{Trace, Verdict};

/// What a trace was compared with, and how, so that fresh runs of both can be compared again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The trace that is assumed to be correct: Genie's seed test, or a trace with the outcome of ODIN's majority.
    pub reference: Trace,
    /// The rule by which the two traces are compared.
    pub rule: ComparisonRule,
}

/// How a witness is compared with its reference.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ComparisonRule {
    /// The witness is a mutant of the reference: what changes in the one must change in the other (Genie).
    Effects(EffectComparison),
    /// The witness ends with the outcome of a tiny minority of behaviours (ODIN).
    Minority(Box<MinorityRule>),
    /// The witness ends on a screen that breaks what all others keep, and the reference shows it right.
    Agreement(Box<AgreementRule>),
}

impl ComparisonRule {
    /// Judges the witness by comparing it with its reference.
    pub fn judge(&self, witness: &Trace, reference: &Trace) -> Verdict {
        match self {
            ComparisonRule::Effects(effects) => effects.judge(witness, reference),
            ComparisonRule::Minority(rule) => rule.judge(witness, reference),
            ComparisonRule::Agreement(rule) => rule.judge(witness, reference),
        }
    }
}
