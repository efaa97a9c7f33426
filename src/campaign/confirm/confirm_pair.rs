//! From a violation that is seen by comparing two traces to a finding: both traces are re-executed on fresh devices,
//! compared again, minimised together, and attributed to the bugs without which they agree.

use super::Confirmer;
use super::attribute::{Passes, attribute};
use super::by_itself::Control;
use super::confirm_ctx::ConfirmCtx;
use super::investigate::Camera;
use super::minimise::shorten;
use crate::{Confirmation, Evidence, Finding, Reference, Rerun, Support, Unit, units_of};
use taproof_engine::oracle::{ComparisonRule, DetourPause};
use taproof_engine::{Stop, Task};
use taproof_screen::{Event, FindingOrigin, Step, StepRole, Trace, Verdict};

/// Number of re-executed events that minimising two traces may take. Each trace may have hundreds, and both are
/// executed every time.
const PAIR_EVENTS: u64 = 60_000;

/// The two traces as units to re-execute.
pub(crate) struct Pair {
    pub(crate) witness: Vec<Unit>,
    pub(crate) reference: Vec<Unit>,
}

impl Pair {
    /// The units of two traces that are compared by this rule.
    pub(crate) fn of_traces(rule: &ComparisonRule, witness: &Trace, reference: &Trace) -> Pair {
        Pair { witness: units_in_pair(rule, witness), reference: units_in_pair(rule, reference) }
    }
}

/// The re-execution of both traces, and how they compare.
pub(crate) struct PairRun {
    pub(crate) witness: Rerun,
    pub(crate) reference: Rerun,
    /// Whether every unit of both ran to its end.
    complete: bool,
    pub(crate) verdict: Verdict,
}

/// What is dropped from both traces at once when minimising.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    witness: Vec<Unit>,
    reference: Vec<Unit>,
}

impl Pair {
    fn of(rows: &[Row]) -> Self {
        Pair {
            witness: rows.iter().flat_map(|row| row.witness.iter().cloned()).collect(),
            reference: rows.iter().flat_map(|row| row.reference.iter().cloned()).collect(),
        }
    }

    /// Number of units of both.
    pub(crate) fn len(&self) -> usize {
        self.witness.len() + self.reference.len()
    }

    /// The witness with a pause in place of what it is compared for: Genie's detour, ODIN's last event. `trace` is an
    /// execution of it. `None` if there is nothing to replace.
    fn with_pause(&self, rule: &ComparisonRule, trace: &Trace) -> Option<Vec<Unit>> {
        let steps = trace.steps();
        let (role, first, last, units) = match rule {
            ComparisonRule::Effects(_) => {
                let inserted = |step: &Step| step.role == StepRole::Inserted;
                let begin = self.witness.iter().position(is_inserted)?;
                let count = self.witness[begin..].iter().take_while(|unit| is_inserted(unit)).count();
                let (first, last) = (steps.iter().position(inserted)?, steps.iter().rposition(inserted)?);
                (StepRole::Inserted, first, last, begin..begin + count)
            }
            ComparisonRule::Minority(_) => {
                let last = steps.iter().rposition(|step| !step.role.is_appended())?;
                let unit = self.witness.len().checked_sub(1)?;
                (StepRole::Explored, last, last, unit..unit + 1)
            }
            ComparisonRule::Agreement(_) => return None,
        };
        let took = trace.frame(last + 1)?.at.since(trace.frame(first)?.at);
        let mut paused = self.witness.clone();
        paused.splice(units, [Unit::Event { event: Event::Wait(took), role }]);
        Some(paused)
    }

    /// The rows that minimising may drop, followed by a row that is never dropped.
    fn rows(&self, rule: &ComparisonRule) -> Vec<Row> {
        let of_witness = |unit: &Unit| Row { witness: vec![unit.clone()], reference: Vec::new() };
        let of_reference = |unit: &Unit| Row { witness: Vec::new(), reference: vec![unit.clone()] };
        match rule {
            // Apart from the detour, which only the witness has, both traces perform the same events: these are dropped
            // from both. What follows the loss need not be kept.
            ComparisonRule::Effects(_) => {
                let mut reference = self.reference.iter();
                let row = |unit: &Unit| {
                    let beside = if is_inserted(unit) { None } else { reference.next().cloned() };
                    Row { reference: beside.into_iter().collect(), ..of_witness(unit) }
                };
                let mut rows: Vec<Row> = self.witness.iter().map(row).collect();
                rows.extend(reference.map(of_reference));
                rows.push(Row { witness: Vec::new(), reference: Vec::new() });
                rows
            }
            // Both traces end with the same event, which is never dropped; what precedes it differs between them.
            ComparisonRule::Minority(_) => {
                let (witness, reference) = (split_last(&self.witness), split_last(&self.reference));
                let mut rows: Vec<Row> = witness.0.iter().map(of_witness).collect();
                rows.extend(reference.0.iter().map(of_reference));
                let last = |unit: Option<&Unit>| unit.into_iter().cloned().collect();
                rows.push(Row { witness: last(witness.1), reference: last(reference.1) });
                rows
            }
            // Both begin with the same events, and end as the rule says.
            ComparisonRule::Agreement(rule) => {
                let shared = self.witness.len().saturating_sub(rule.witness_end()).min(self.reference.len());
                let (witness, reference) = (self.witness.split_at(shared), self.reference.split_at(shared));
                let both = witness.0.iter().zip(reference.0);
                let mut rows: Vec<Row> = both
                    .map(|(unit, beside)| Row { reference: vec![beside.clone()], ..of_witness(unit) })
                    .collect();
                rows.push(Row { witness: witness.1.to_vec(), reference: reference.1.to_vec() });
                rows
            }
        }
    }
}

fn split_last(units: &[Unit]) -> (&[Unit], Option<&Unit>) {
    units.split_last().map_or((units, None), |(last, before)| (before, Some(last)))
}

/// The units of a trace of a pair. What is inserted into a seed test is told by the roles of its events, so these stay
/// events even where they are runs of DMFs. What a detour waited for, such as the end of a message, belongs to it.
pub(crate) fn units_in_pair(rule: &ComparisonRule, trace: &Trace) -> Vec<Unit> {
    let ComparisonRule::Effects(_) = rule else { return units_of(trace, trace.len()) };
    let steps = trace.steps();
    let waits = |at: usize| {
        let inserted = |before: usize| steps.get(before).is_some_and(|step| step.role == StepRole::Inserted);
        matches!(steps[at].event, Event::Wait(_)) && at.checked_sub(1).is_some_and(inserted)
    };
    let performed = steps.iter().enumerate().filter(|(at, step)| !step.role.is_appended() || waits(*at));
    performed.map(|(_, step)| Unit::Event { event: step.event.clone(), role: step.role }).collect()
}

/// What the reference of a pair performs after this run of its witness: a seed test rests for as long as the detour took,
/// since what goes by itself in that time is not lost by the detour.
pub(crate) fn with_control(rule: &ComparisonRule, witness: &Trace, reference: &[Unit]) -> Vec<Unit> {
    let mut units = reference.to_vec();
    if let (ComparisonRule::Effects(_), Some(DetourPause { after, length })) =
        (rule, DetourPause::of(witness))
    {
        let pause = Unit::Event { event: Event::Wait(length), role: StepRole::Appended };
        units.insert(after.min(units.len()), pause);
    }
    units
}

/// Whether only the witness has it: it is an event of the detour, or what that waited for.
fn is_inserted(unit: &Unit) -> bool {
    matches!(unit, Unit::Event { role: StepRole::Inserted | StepRole::Appended, .. })
}

impl Confirmer<'_> {
    /// Minimises and completes a finding that was seen by comparing two traces, as far as the budget allows.
    pub(crate) fn finish_pair(
        &mut self,
        mut finding: Finding,
        pair: &Pair,
        rule: &ComparisonRule,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(), Stop> {
        if let Some(pair) = self.minimise_pair(&mut finding, pair, rule, ctx)? {
            self.complete_pair(&mut finding, &pair, rule, ctx)?;
            finding.finished = true;
            self.vary(&mut finding, &pair, rule, ctx)?;
        }
        ctx.report(&finding);
        Ok(())
    }

    /// Re-executes both traces until they differ again, at most as often as planned, and reports how often they did.
    /// Returns whether they did.
    pub(crate) fn confirm_pair(
        &mut self,
        finding: &mut Finding,
        pair: &Pair,
        rule: &ComparisonRule,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        let tries = self.tries();
        let (_, before) = finding.confirmation.counts();
        for run in before + 1..=tries {
            // The two traces, and the control.
            if ctx.left() < steps_of(finding) * 2 {
                return Ok(false);
            }
            ctx.begin(Task::Confirming { run, of: tries });
            let reran = self.run_pair(pair, rule, &[], ctx)?;
            let control = match reran.violated() {
                true => Some(self.control(pair, &reran, (rule, &finding.origin), ctx)?),
                false => None,
            };
            let by_itself = control == Some(Control::Changed);
            let came_back = control.is_some() && !by_itself;
            finding.confirmation = Confirmation::of(u32::from(came_back), run);
            finding.support.controls = u32::from(control == Some(Control::Kept));
            finding.finished = by_itself || (!came_back && run == tries);
            ctx.report(finding);
            if came_back || by_itself {
                return Ok(came_back);
            }
        }
        Ok(false)
    }

    /// Drops what is not needed to see the violation. Returns `None` if the budget for re-executions was spent before.
    fn minimise_pair(
        &mut self,
        finding: &mut Finding,
        pair: &Pair,
        rule: &ComparisonRule,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Option<Pair>, Stop> {
        let (reserve, tries) = (ctx.reserve(), u64::from(self.tries()));
        let (mut left, mut finished) = (PAIR_EVENTS, true);
        let mut best: Option<PairRun> = None;
        let result = shorten(pair.rows(rule), &mut |rows, candidates| {
            let steps = best.as_ref().map_or(steps_of(finding), PairRun::steps);
            // Beside the re-executions that come after this one, there is their control.
            if ctx.left() < reserve + (tries + 2) * steps {
                finished = false;
            }
            if left == 0 || !finished {
                return Ok(None);
            }
            ctx.begin(Task::Minimising { steps: steps as usize, left: candidates });
            let shorter = Pair::of(rows);
            let run = self.run_pair(&shorter, rule, &[], ctx)?;
            left = left.saturating_sub(run.steps());
            if !run.complete || !run.violated() {
                return Ok(None);
            }
            best = Some(run);
            Ok(Some(rows.to_vec()))
        });
        if let Some(run) = best {
            run.shorten(finding);
        }
        if result.is_err() || !finished {
            ctx.report(finding);
        }
        Ok(Some(Pair::of(&result?)).filter(|_| finished))
    }

    /// Attributes the minimal pair, and re-executes it as often as planned, the last time with a camera.
    fn complete_pair(
        &mut self,
        finding: &mut Finding,
        pair: &Pair,
        rule: &ComparisonRule,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(), Stop> {
        ctx.begin(Task::Attributing);
        let bugs = self.bugs.clone();
        finding.attribution = attribute(&bugs, &mut |off| {
            let run = self.run_pair(pair, rule, off, ctx)?;
            Ok(if run.complete && run.verdict == Verdict::Holds { Passes::Fully } else { Passes::No })
        })?;
        let tries = self.tries();
        let mut hits = 0;
        for run in 1..tries {
            ctx.begin(Task::Confirming { run, of: tries });
            hits += u32::from(self.run_pair(pair, rule, &[], ctx)?.violated());
        }
        ctx.begin(Task::Confirming { run: tries, of: tries });
        let pictures = Some(self.plan.confirm.pictures);
        let (witness, of_witness) = ctx.run_with_camera(self.rig, &pair.witness, None, (&[], pictures))?;
        let units = with_control(rule, &witness.trace, &pair.reference);
        let (reference, of_reference) = ctx.run_with_camera(self.rig, &units, None, (&[], pictures))?;
        let verdict = rule.judge(&witness.trace, &reference.trace);
        let complete = witness.complete(&pair.witness) && reference.complete(&units);
        let last = PairRun { witness, reference, complete, verdict };
        let control = match last.violated() {
            true => self.control(pair, &last, (rule, &finding.origin), ctx)?,
            false => Control::Unclear,
        };
        let PairRun { witness, reference, verdict, .. } = last;
        if let Verdict::Violated(violation) = verdict {
            hits += 1;
            finding.title.clone_from(&violation.title);
            finding.violation = violation;
        }
        let evidence =
            |rerun: Rerun, camera: Camera| Evidence { trace: rerun.trace, screenshots: camera.screenshots };
        finding.minimal = evidence(witness, of_witness);
        finding.reference =
            Some(Reference { evidence: evidence(reference, of_reference), rule: rule.clone() });
        finding.confirmation = Confirmation::of(hits, tries);
        finding.support = Support { controls: u32::from(control == Control::Kept), ..finding.support };
        Ok(())
    }

    /// Executes the control of a pair that was seen to differ: the same with a pause in place of what the difference is put
    /// down to, which is the reference once more where a detour was inserted.
    pub(crate) fn control(
        &mut self,
        pair: &Pair,
        run: &PairRun,
        (rule, origin): (&ComparisonRule, &FindingOrigin),
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Control, Stop> {
        // The screen has rested before it is judged.
        if let ComparisonRule::Agreement(_) = rule {
            return Ok(Control::Kept);
        }
        let Some(units) = pair.with_pause(rule, &run.witness.trace) else { return Ok(Control::Unclear) };
        let paused = ctx.run(self.rig, &units, None, &[])?;
        if !paused.complete(&units) {
            return Ok(Control::Unclear);
        }
        Ok(match rule {
            ComparisonRule::Effects(_) => match rule.judge(&paused.trace, &run.reference.trace) {
                Verdict::Holds => Control::Kept,
                Verdict::Violated(violation) if violation.origin() == *origin => Control::Changed,
                Verdict::Violated(_) | Verdict::Inconclusive(_) => Control::Unclear,
            },
            ComparisonRule::Minority(rule) => {
                match rule.comes_by_itself(&run.witness.trace, paused.trace.last()) {
                    true => Control::Changed,
                    false => Control::Kept,
                }
            }
            ComparisonRule::Agreement(_) => Control::Kept,
        })
    }

    pub(crate) fn run_pair(
        &mut self,
        pair: &Pair,
        rule: &ComparisonRule,
        bugs_off: &[String],
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<PairRun, Stop> {
        let witness = ctx.run(self.rig, &pair.witness, None, bugs_off)?;
        let units = with_control(rule, &witness.trace, &pair.reference);
        let reference = ctx.run(self.rig, &units, None, bugs_off)?;
        let verdict = rule.judge(&witness.trace, &reference.trace);
        let complete = witness.complete(&pair.witness) && reference.complete(&units);
        Ok(PairRun { witness, reference, complete, verdict })
    }
}

impl PairRun {
    /// Whether every unit of both traces ran to its end.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    pub(crate) fn violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated(_))
    }

    /// Number of steps of both traces.
    fn steps(&self) -> u64 {
        (self.witness.trace.len() + self.reference.trace.len()) as u64
    }

    /// Makes these traces the minimal ones of a finding.
    fn shorten(self, finding: &mut Finding) {
        if let Verdict::Violated(violation) = self.verdict {
            finding.title.clone_from(&violation.title);
            finding.violation = violation;
        }
        finding.minimal = Evidence::without_pictures(self.witness.trace);
        if let Some(reference) = &mut finding.reference {
            reference.evidence = Evidence::without_pictures(self.reference.trace);
        }
    }
}

/// Number of steps of the minimal trace and the one that it is compared with.
fn steps_of(finding: &Finding) -> u64 {
    let reference = finding.reference.as_ref().map_or(0, |reference| reference.evidence.trace.len());
    (finding.minimal.trace.len() + reference) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_engine::oracle::EffectComparison;
    use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
    use taproof_screen::{Frame, frame_of, layout_from};

    /// Numbered events, those of the detour from 100 on.
    fn units(numbers: &[u64]) -> Vec<Unit> {
        let role = |number| if number < 100 { StepRole::Seed } else { StepRole::Inserted };
        let event =
            |number: &u64| Unit::Event { event: Event::Wait(DeviceDuration(*number)), role: role(*number) };
        numbers.iter().map(event).collect()
    }

    #[test]
    fn the_reference_rests_for_as_long_as_the_detour_took() {
        let frame = |at| Frame { at: DeviceInstant(at), ..frame_of(layout_from("FrameLayout\n")) };
        let mut witness = Trace::start(frame(0));
        let wait = Unit::Event { event: Event::Wait(DeviceDuration(5000)), role: StepRole::Appended };
        let performed = [units(&[1, 100]), vec![wait], units(&[2])].concat();
        for (unit, at) in performed.iter().zip([1000, 7000, 12_000, 13_000]) {
            let Unit::Event { event, role } = unit.clone() else { continue };
            witness.push(Step { event, role, after: frame(at) });
        }
        let effects = ComparisonRule::Effects(EffectComparison::default());
        assert_eq!(units_in_pair(&effects, &witness), performed);
        let pause = Unit::Event { event: Event::Wait(DeviceDuration(11_000)), role: StepRole::Appended };
        let [first, second] = [1, 2].map(|number| units(&[number]).remove(0));
        assert_eq!(with_control(&effects, &witness, &units(&[1, 2])), [first, pause, second]);
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
                Unit::Event { .. } | Unit::Dmf { .. } | Unit::Detour { .. } => None,
            };
            units.iter().filter_map(number).collect()
        };
        let rule = ComparisonRule::Effects(EffectComparison::default());
        let rows = shorten(pair.rows(&rule), &mut |rows, _| {
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
