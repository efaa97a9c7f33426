//! From a violation that is seen by comparing two traces to a finding: both traces are re-executed on fresh devices,
//! compared again, minimised together, and attributed to the bugs without which they agree.

use super::attribute::{Passes, attribute};
use super::confirm::{Camera, Confirmer, ViolatedTest};
use super::minimise::shorten;
use super::{Attribution, Confirmation, DeviceSource, Evidence, Finding, Reference, Rerun, Unit, units_of};
use crate::engine::{Reported, Stop};
use crate::model::{StepRole, Verdict, Violation};
use crate::oracle::{Comparison, ComparisonRule};

/// Number of re-executed events that minimising two traces may take. Each trace may have hundreds, and both are
/// executed every time.
const PAIR_EVENTS: u64 = 60_000;

/// The two traces as units to re-execute.
struct Pair {
    witness: Vec<Unit>,
    reference: Vec<Unit>,
}

/// The re-execution of both traces, and how they compare.
struct PairRun {
    witness: Rerun,
    reference: Rerun,
    verdict: Verdict,
}

/// What is dropped from both traces at once when minimising.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    witness: Option<Unit>,
    reference: Option<Unit>,
}

impl Pair {
    fn of(rows: &[Row]) -> Self {
        Pair {
            witness: rows.iter().filter_map(|row| row.witness.clone()).collect(),
            reference: rows.iter().filter_map(|row| row.reference.clone()).collect(),
        }
    }

    /// The rows that minimising may drop, followed by a row that is never dropped.
    fn rows(&self, rule: &ComparisonRule) -> Vec<Row> {
        let of_witness = |unit: &Unit| Row { witness: Some(unit.clone()), reference: None };
        let of_reference = |unit: &Unit| Row { witness: None, reference: Some(unit.clone()) };
        match rule {
            // Apart from the detour, which only the witness has, both traces perform the same events: these are dropped
            // from both. What follows the loss need not be kept.
            ComparisonRule::Effects(_) => {
                let mut reference = self.reference.iter();
                let row = |unit: &Unit| {
                    let beside = if is_inserted(unit) { None } else { reference.next().cloned() };
                    Row { reference: beside, ..of_witness(unit) }
                };
                let mut rows: Vec<Row> = self.witness.iter().map(row).collect();
                rows.extend(reference.map(of_reference));
                rows.push(Row { witness: None, reference: None });
                rows
            }
            // Both traces end with the same event, which is never dropped; what precedes it differs between them.
            ComparisonRule::Minority(_) => {
                let (witness, reference) = (split_last(&self.witness), split_last(&self.reference));
                let mut rows: Vec<Row> = witness.0.iter().map(of_witness).collect();
                rows.extend(reference.0.iter().map(of_reference));
                rows.push(Row { witness: witness.1.cloned(), reference: reference.1.cloned() });
                rows
            }
        }
    }
}

fn split_last(units: &[Unit]) -> (&[Unit], Option<&Unit>) {
    units.split_last().map_or((units, None), |(last, before)| (before, Some(last)))
}

fn is_inserted(unit: &Unit) -> bool {
    matches!(unit, Unit::Event { role: StepRole::Inserted, .. })
}

impl Confirmer<'_> {
    /// Investigates the first violation of an origin that was seen by comparing two traces.
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
        let plain = self.plain_finding(test, reported, told.bugs, Vec::new());
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
        let pair = self.minimise_pair(pair, rule, source)?;
        let bugs = attribute(&self.bugs, &mut |off| {
            let run = self.run_pair(&pair, rule, off, source)?;
            let whole = run.witness.complete(&pair.witness) && run.reference.complete(&pair.reference);
            Ok(if whole && run.verdict == Verdict::Holds { Passes::Fully } else { Passes::No })
        })?;
        let mut hits = 0;
        for _ in 1..tries {
            hits += u32::from(self.run_pair(&pair, rule, &[], source)?.violated());
        }
        let (witness, of_witness) = self.run_with_camera(&pair.witness, None, source)?;
        let (reference, of_reference) = self.run_with_camera(&pair.reference, None, source)?;
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

    /// Drops what is not needed to see the violation.
    fn minimise_pair(
        &self,
        pair: &Pair,
        rule: &ComparisonRule,
        source: &mut dyn DeviceSource,
    ) -> Result<Pair, Stop> {
        let mut left = PAIR_EVENTS;
        let rows = shorten(pair.rows(rule), &mut |rows| {
            if left == 0 {
                return Ok(None);
            }
            let shorter = Pair::of(rows);
            let run = self.run_pair(&shorter, rule, &[], source)?;
            left = left.saturating_sub((run.witness.trace.len() + run.reference.trace.len()) as u64);
            let whole = run.witness.complete(&shorter.witness) && run.reference.complete(&shorter.reference);
            Ok((whole && run.violated()).then(|| rows.to_vec()))
        })?;
        Ok(Pair::of(&rows))
    }

    fn run_pair(
        &self,
        pair: &Pair,
        rule: &ComparisonRule,
        bugs_off: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<PairRun, Stop> {
        let witness = self.run(&pair.witness, None, bugs_off, source)?;
        let reference = self.run(&pair.reference, None, bugs_off, source)?;
        let verdict = rule.judge(&witness.trace, &reference.trace);
        Ok(PairRun { witness, reference, verdict })
    }
}

impl PairRun {
    fn violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated(_))
    }
}

/// The result of investigating a pair.
struct PairFound {
    violation: Option<Violation>,
    witness: Option<Evidence>,
    reference: Option<Evidence>,
    bugs: Attribution,
    confirmation: Confirmation,
}

impl PairFound {
    fn untried() -> Self {
        PairFound {
            violation: None,
            witness: None,
            reference: None,
            bugs: Attribution::NONE,
            confirmation: Confirmation::Untried,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::determinism::DeviceDuration;
    use crate::model::Event;
    use crate::oracle::EffectComparison;

    /// Numbered events, those of the detour from 100 on.
    fn units(numbers: &[u64]) -> Vec<Unit> {
        let role = |number| if number < 100 { StepRole::Seed } else { StepRole::Inserted };
        let event =
            |number: &u64| Unit::Event { event: Event::Wait(DeviceDuration(*number)), role: role(*number) };
        numbers.iter().map(event).collect()
    }

    /// What is left of a mutant and its seed test when each trial has to pass.
    fn shortened(witness: &[u64], passes: impl Fn(&[u64], &[u64]) -> bool) -> (Vec<u64>, Vec<u64>) {
        let pair = Pair {
            witness: units(witness),
            reference: units(witness).into_iter().filter(|unit| !is_inserted(unit)).collect(),
        };
        let numbers = |units: &[Unit]| -> Vec<u64> {
            let number = |unit: &Unit| match unit {
                Unit::Event { event: Event::Wait(number), .. } => Some(number.0),
                Unit::Event { .. } | Unit::Dmf { .. } => None,
            };
            units.iter().filter_map(number).collect()
        };
        let rule = ComparisonRule::Effects(EffectComparison::default());
        let rows = shorten(pair.rows(&rule), &mut |rows| {
            let pair = Pair::of(rows);
            let passed = passes(&numbers(&pair.witness), &numbers(&pair.reference));
            Ok(passed.then(|| rows.to_vec()))
        });
        let pair = Pair::of(&rows.unwrap());
        (numbers(&pair.witness), numbers(&pair.reference))
    }

    #[test]
    fn what_undoes_each_other_is_left_out_together() {
        // 3 opens a drawer and 4 closes it, and so do 102 and 103; with it open nothing else can be done. 2, 101 and 7
        // are what it takes, and 9 is done after the loss.
        let (witness, reference) =
            shortened(&[1, 2, 3, 4, 100, 101, 102, 103, 5, 7, 9], |witness, reference| {
                let both = |one, other| witness.contains(&one) == witness.contains(&other);
                [2, 101, 7].iter().all(|number| witness.contains(number))
                    && both(3, 4)
                    && both(102, 103)
                    && reference.iter().all(|number| witness.contains(number))
            });
        assert_eq!((witness, reference), (vec![2, 101, 7], vec![2, 7]));
    }
}
