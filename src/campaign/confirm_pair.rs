//! From a violation that takes two traces to see to a finding: both are re-executed on fresh devices and compared
//! again, shortened together, and put down to the bugs without which they agree.

use super::attribute::{Passes, attribute};
use super::confirm::{Camera, Confirmer, MINIMISE_EVENTS, ViolatedTest};
use super::reexecute::reexecute;
use super::{Confirmation, DeviceSource, Evidence, Finding, Reference, Rerun, Unit, units_of};
use crate::engine::{NoWatcher, Reported, Stop};
use crate::model::{StepRole, Verdict, Violation};
use crate::oracle::{Comparison, ComparisonRule};

/// The two traces as what can be kept or left out.
#[derive(Clone)]
struct Pair {
    witness: Vec<Unit>,
    reference: Vec<Unit>,
}

/// Both run again.
struct PairRun {
    witness: Rerun,
    reference: Rerun,
    verdict: Verdict,
}

impl Pair {
    /// Every way of leaving one thing out, the last first. Genie's traces go on alike but for the detour, which
    /// stands in the witness alone, so what both do is left out of both; ODIN's are two inputs that end alike, and
    /// how each came there is its own.
    fn places(&self, rule: &ComparisonRule) -> Vec<Place> {
        match rule {
            ComparisonRule::Effects(_) => (0..self.witness.len()).rev().map(Place::Aligned).collect(),
            ComparisonRule::Minority(_) => {
                let before_end = |units: &[Unit]| (0..units.len().saturating_sub(1)).rev();
                let witness = before_end(&self.witness).map(Place::Witness);
                witness.chain(before_end(&self.reference).map(Place::Reference)).collect()
            }
        }
    }

    /// Shorter by what stands at this place.
    fn without(&self, place: Place) -> Pair {
        let mut shorter = self.clone();
        match place {
            Place::Witness(place) => drop(shorter.witness.remove(place)),
            Place::Reference(place) => drop(shorter.reference.remove(place)),
            Place::Aligned(place) => {
                let common = self.witness[..place].iter().filter(|unit| !is_inserted(unit)).count();
                if !is_inserted(&shorter.witness.remove(place)) && common < shorter.reference.len() {
                    shorter.reference.remove(common);
                }
            }
        }
        shorter
    }
}

#[derive(Clone, Copy)]
enum Place {
    Witness(usize),
    Reference(usize),
    Aligned(usize),
}

fn is_inserted(unit: &Unit) -> bool {
    matches!(unit, Unit::Event { role: StepRole::Inserted, .. })
}

impl Confirmer<'_> {
    /// Looks at a violation that was seen by comparing.
    pub(super) fn first_pair(
        &mut self,
        test: &ViolatedTest<'_>,
        reported: &Reported,
        comparison: &Comparison,
        source: &mut dyn DeviceSource,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Stop> {
        let pair = Pair {
            witness: units_of(test.trace, reported.steps),
            reference: units_of(&comparison.reference, comparison.reference.len()),
        };
        let (told, result) = match self.investigate_pair(&pair, &comparison.rule, source) {
            Ok(found) => (found, Ok(())),
            Err(stop) => (PairFound::untried(), Err(stop)),
        };
        let plain = self.told(test, reported, told.bugs, Vec::new());
        let reference = || Evidence::without_pictures(comparison.reference.clone());
        let violation = told.violation.unwrap_or_else(|| plain.violation.clone());
        findings.push(Finding {
            title: violation.title.clone(),
            violation,
            confirmation: told.confirmation,
            minimal: told.witness.unwrap_or_else(|| plain.minimal.clone()),
            reference: Some(Reference {
                evidence: told.reference.unwrap_or_else(reference),
                rule: comparison.rule.clone(),
            }),
            ..plain
        });
        result
    }

    fn investigate_pair(
        &self,
        pair: &Pair,
        rule: &ComparisonRule,
        source: &mut dyn DeviceSource,
    ) -> Result<PairFound, Stop> {
        let tries = self.plan.confirm.tries.max(1);
        let mut comes_back = false;
        for _ in 0..tries {
            comes_back = comes_back || self.run_pair(pair, rule, &[], source)?.violated();
        }
        if !comes_back {
            let confirmation = Confirmation::Flaky { hits: 0, tries };
            return Ok(PairFound { confirmation, ..PairFound::untried() });
        }
        let pair = self.minimise_pair(pair.clone(), rule, source)?;
        let bugs = attribute(&self.bugs, &mut |off| {
            let run = self.run_pair(&pair, rule, off, source)?;
            let whole = run.witness.complete(&pair.witness) && run.reference.complete(&pair.reference);
            Ok(if whole && run.verdict == Verdict::Holds { Passes::Fully } else { Passes::No })
        })?;
        let mut hits = 0;
        for _ in 1..tries {
            hits += u32::from(self.run_pair(&pair, rule, &[], source)?.violated());
        }
        let camera = || Camera { pictures: self.plan.confirm.pictures, ..Camera::default() };
        let (mut of_witness, mut of_reference) = (camera(), camera());
        let witness = reexecute(&mut *source.fresh(&[])?, self.rig, &pair.witness, None, &mut of_witness)?;
        let reference =
            reexecute(&mut *source.fresh(&[])?, self.rig, &pair.reference, None, &mut of_reference)?;
        let verdict = rule.judge(&witness.trace, &reference.trace);
        hits += u32::from(matches!(verdict, Verdict::Violated(_)));
        let evidence =
            |rerun: Rerun, camera: Camera| Evidence { trace: rerun.trace, screenshots: camera.screenshots };
        Ok(PairFound {
            violation: if let Verdict::Violated(violation) = verdict { Some(violation) } else { None },
            witness: Some(evidence(witness, of_witness)),
            reference: Some(evidence(reference, of_reference)),
            bugs,
            confirmation: Confirmation::of(hits, tries),
        })
    }

    /// Leaves out, from the end to the start, what is not needed to see it.
    fn minimise_pair(
        &self,
        mut pair: Pair,
        rule: &ComparisonRule,
        source: &mut dyn DeviceSource,
    ) -> Result<Pair, Stop> {
        let mut left = MINIMISE_EVENTS;
        // From the end on, so that the places before stay what they are.
        for place in pair.places(rule) {
            if left == 0 {
                break;
            }
            let shorter = pair.without(place);
            let run = self.run_pair(&shorter, rule, &[], source)?;
            left = left.saturating_sub((run.witness.trace.len() + run.reference.trace.len()) as u64);
            let whole = run.witness.complete(&shorter.witness) && run.reference.complete(&shorter.reference);
            if whole && run.violated() {
                pair = shorter;
            }
        }
        Ok(pair)
    }

    fn run_pair(
        &self,
        pair: &Pair,
        rule: &ComparisonRule,
        bugs_off: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<PairRun, Stop> {
        let mut again = |units: &[Unit]| {
            let mut device = source.fresh(bugs_off)?;
            reexecute(&mut *device, self.rig, units, None, &mut NoWatcher)
        };
        let (witness, reference) = (again(&pair.witness)?, again(&pair.reference)?);
        let verdict = rule.judge(&witness.trace, &reference.trace);
        Ok(PairRun { witness, reference, verdict })
    }
}

impl PairRun {
    fn violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated(_))
    }
}

/// What investigating a pair found out.
struct PairFound {
    violation: Option<Violation>,
    witness: Option<Evidence>,
    reference: Option<Evidence>,
    bugs: Vec<String>,
    confirmation: Confirmation,
}

impl PairFound {
    fn untried() -> Self {
        PairFound {
            violation: None,
            witness: None,
            reference: None,
            bugs: Vec::new(),
            confirmation: Confirmation::Untried,
        }
    }
}
