//! Investigates a violation that was seen: confirms it by re-executing its trace on fresh devices, minimises the trace,
//! and attributes it to bugs. Every stage is reported, so that a campaign that ends in between has lost nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Confirmer;
use super::attribute::{Passes, attribute};
use super::by_itself::{Control, DETOUR_RUNS};
use super::confirm_ctx::ConfirmCtx;
use super::confirm_pair::Pair;
use crate::{
    Attribution, Confirmation, DataTimeline, Evidence, Finding, Reference, Rerun, Rig, Support, Unit,
    UnitDone, appears, units_of,
};
use taproof_engine::device::{Device, DeviceError, PngBytes};
use taproof_engine::oracle::ComparisonRule;
use taproof_engine::{CampaignStats, Reported, RoundWatcher, RunPolicy, Stop, Task};
use taproof_screen::{FindingOrigin, OracleKind, Trace};
use taproof_spec::DataModel;

/// Units whose re-execution showed the violation.
#[derive(Clone)]
pub(crate) struct Shown {
    units: Vec<Unit>,
    rerun: Rerun,
}

/// What showed the violation of a finding again.
pub(crate) enum Confirmed {
    /// One trace.
    Trace(Shown),
    /// Two traces that are compared by this rule.
    Pair(Pair, ComparisonRule),
}

/// The result of investigating a violation.
pub(crate) struct Investigated {
    evidence: Evidence,
    /// The violation that the minimal trace ends with; `None` if the trace was only recorded.
    seen: Option<Reported>,
    pub(crate) units: Vec<Unit>,
    pub(crate) bugs: Attribution,
    confirmation: Confirmation,
    support: Support,
    data: DataTimeline,
}

/// What is sought in re-executions: the origin of the violation, and the bugs that explain other findings of the origin.
/// The violation must appear both with these bugs and without them.
#[derive(Clone, Copy)]
pub(crate) struct Sought<'s> {
    pub(crate) origin: &'s FindingOrigin,
    pub(crate) explained: &'s [String],
}

impl Confirmer<'_> {
    /// Goes on with a finding that was reported, as far as the budget allows.
    pub(crate) fn pursue(&mut self, mut finding: Finding, ctx: &mut ConfirmCtx<'_>) -> Result<(), Stop> {
        match self.confirm(&mut finding, ctx)? {
            Some(confirmed) => self.minimise_confirmed(finding, confirmed, ctx),
            None => Ok(()),
        }
    }

    /// Confirms a finding unless it is confirmed. Returns `None` if it was not, or the budget does not suffice.
    pub(crate) fn confirm(
        &mut self,
        finding: &mut Finding,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Option<Confirmed>, Stop> {
        let is_confirmed = finding.confirmation.counts().0 > 0;
        if let Some(Reference { evidence, rule }) = finding.reference.clone() {
            let pair = Pair::of_traces(&rule, &finding.minimal.trace, &evidence.trace);
            let shown = is_confirmed || self.confirm_pair(finding, &pair, &rule, ctx)?;
            return Ok(shown.then_some(Confirmed::Pair(pair, rule)));
        }
        let units = units_of(&finding.minimal.trace, finding.minimal.trace.len());
        if is_confirmed {
            let rerun = Rerun::recorded(&finding.minimal.trace);
            return Ok(Some(Confirmed::Trace(Shown { units, rerun })));
        }
        Ok(self.confirm_trace(finding, &units, ctx)?.map(Confirmed::Trace))
    }

    /// Minimises and completes a finding that was confirmed, as far as the budget allows.
    pub(crate) fn minimise_confirmed(
        &mut self,
        mut finding: Finding,
        confirmed: Confirmed,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(), Stop> {
        let whole = match confirmed {
            Confirmed::Pair(pair, rule) => return self.finish_pair(finding, &pair, &rule, ctx),
            Confirmed::Trace(whole) => whole,
        };
        let origin = finding.origin.clone();
        let sought = Sought { origin: &origin, explained: &[] };
        let minimised = self.minimise(whole, sought, Some(&mut finding), ctx)?;
        if !minimised.finished {
            minimised.shown.shorten(&mut finding);
            ctx.report(&finding);
            return Ok(());
        }
        let found = self.complete(minimised.shown, sought, ctx)?;
        self.learn(&origin, &found);
        ctx.report(&found.told_by(finding));
        Ok(())
    }

    /// Re-executes the whole trace until the violation comes back, at most as often as planned, and reports how often
    /// it did. Returns `None` if it did not, or the budget does not suffice.
    fn confirm_trace(
        &mut self,
        finding: &mut Finding,
        units: &[Unit],
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Option<Shown>, Stop> {
        let (tries, steps) = (self.tries(), finding.minimal.trace.len() as u64);
        let origin = finding.origin.clone();
        let (_, before) = finding.confirmation.counts();
        for run in before + 1..=tries {
            let runs = if origin.oracle == OracleKind::Preservation { DETOUR_RUNS } else { 1 };
            if ctx.left() < runs * steps {
                return Ok(None);
            }
            ctx.begin(Task::Confirming { run, of: tries });
            let shown = self.needed(self.rig, units, Sought { origin: &origin, explained: &[] }, ctx)?.0;
            let control = match &shown {
                Some(shown) => self.comes_by_itself(shown, &origin, ctx)?,
                None => None,
            };
            let by_itself = control == Some(Control::Changed);
            finding.support.controls = u32::from(control == Some(Control::Kept));
            let shown = shown.filter(|_| !by_itself);
            finding.confirmation = Confirmation::of(u32::from(shown.is_some()), run);
            finding.finished = by_itself || (shown.is_none() && run == tries);
            ctx.report(finding);
            if shown.is_some() || by_itself {
                return Ok(shown);
            }
        }
        Ok(None)
    }

    /// Confirms, minimises and attributes a violation. Returns `None` if it cannot be reproduced, or the budget does not
    /// suffice.
    pub(crate) fn investigate(
        &mut self,
        units: &[Unit],
        origin: &FindingOrigin,
        explained: &[String],
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Option<Investigated>, Stop> {
        let (tries, sought) = (self.tries(), Sought { origin, explained });
        let mut whole = None;
        for run in 1..=tries {
            ctx.begin(Task::Confirming { run, of: tries });
            whole = self.needed(self.rig, units, sought, ctx)?.0;
            if whole.is_some() {
                break;
            }
        }
        let Some(whole) = whole else { return Ok(None) };
        if self.comes_by_itself(&whole, origin, ctx)? == Some(Control::Changed) {
            return Ok(None);
        }
        let minimised = self.minimise(whole, sought, None, ctx)?;
        if !minimised.finished {
            return Ok(None);
        }
        let found = self.complete(minimised.shown, sought, ctx)?;
        Ok((found.confirmation.counts().0 > 0).then_some(found))
    }

    /// Attributes a minimal trace, and re-executes it as often as planned, the last time with a camera.
    fn complete(
        &mut self,
        shown: Shown,
        sought: Sought<'_>,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Investigated, Stop> {
        let bugs = self.attribute(&shown.units, sought, ctx)?;
        let (tries, origin) = (self.tries(), sought.origin);
        let (mut hits, mut controls) = (0, 0);
        for run in 1..tries {
            ctx.begin(Task::Confirming { run, of: tries });
            let rerun = ctx.run(self.rig, &shown.units, sought.ends_at(), &[])?;
            if ends_with(&rerun, origin) {
                hits += 1;
                controls += self.counted_control(&shown.units, &rerun.trace, origin, ctx)?;
            }
        }
        ctx.begin(Task::Confirming { run: tries, of: tries });
        let pictures = Some(self.plan.confirm.pictures);
        let (minimal, camera) =
            ctx.run_with_camera(self.rig, &shown.units, sought.ends_at(), (&[], pictures))?;
        let came_back = ends_with(&minimal, origin);
        if came_back {
            controls += self.counted_control(&shown.units, &minimal.trace, origin, ctx)?;
        }
        let comes_late = came_back && self.comes_late(&shown.units, origin, ctx)?;
        let evidence = match came_back {
            true => Evidence { trace: minimal.trace.clone(), screenshots: camera.screenshots },
            false => Evidence::without_pictures(shown.rerun.trace.clone()),
        };
        Ok(Investigated {
            evidence,
            seen: seen_at_the_end(if came_back { &minimal } else { &shown.rerun }, origin).cloned(),
            units: shown.units,
            bugs,
            confirmation: Confirmation::of(hits + u32::from(came_back), tries),
            support: Support { controls, comes_late, ..Support::default() },
            data: camera.data,
        })
    }

    /// Whether the postcondition that fails after these units holds once a while has passed.
    fn comes_late(
        &mut self,
        units: &[Unit],
        origin: &FindingOrigin,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<bool, Stop> {
        if origin.oracle != OracleKind::Property {
            return Ok(false);
        }
        let patient = RunPolicy { patient: true, ..self.rig.policy };
        let rerun = ctx.run(Rig { policy: patient, ..self.rig }, units, None, &[])?;
        Ok(rerun.complete(units) && appears(&rerun.reported, origin).is_none())
    }

    /// Executes the control of a loss that this trace shows. Returns 1 if it kept what was lost.
    fn counted_control(
        &mut self,
        units: &[Unit],
        trace: &Trace,
        origin: &FindingOrigin,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<u32, Stop> {
        Ok(u32::from(self.paused(units, trace, origin, ctx)? == Some(Control::Kept)))
    }

    /// Number of events that it takes to complete a minimal trace of so many steps.
    pub(crate) fn steps_to_complete(&self, oracle: OracleKind, steps: usize) -> u64 {
        // Each re-execution of a loss has its control.
        let each = if oracle == OracleKind::Preservation { 2 } else { 1 };
        let looks_again = u64::from(oracle == OracleKind::Property);
        (u64::from(self.tries()) * each + looks_again + 1) * steps as u64
    }

    /// Returns the units up to the violation that ran, or `None` if the violation does not appear, and the number of
    /// events that this took.
    pub(crate) fn needed(
        &mut self,
        rig: Rig<'_>,
        units: &[Unit],
        sought: Sought<'_>,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(Option<Shown>, u64), Stop> {
        let Sought { origin, explained } = sought;
        let mut events = 0;
        let mut units = units.to_vec();
        // Repeated while some units did not run or their texts mean something else: is the violation still there
        // without them, both with and without the bugs that explain other findings?
        loop {
            if !explained.is_empty() {
                let rerun = ctx.run(rig, &units, Some(origin), explained)?;
                events += rerun.trace.len() as u64;
                if !ends_with(&rerun, origin) {
                    return Ok((None, events));
                }
                units = rerun.performed(&units);
            }
            let rerun = ctx.run(rig, &units, sought.ends_at(), &[])?;
            events += rerun.trace.len() as u64;
            if !ends_with(&rerun, origin) {
                return Ok((None, events));
            }
            units = rerun.performed(&units);
            if rerun.done.iter().all(|done| *done == UnitDone::Performed) {
                return Ok((Some(Shown { units, rerun }), events));
            }
        }
    }

    fn attribute(
        &mut self,
        units: &[Unit],
        sought: Sought<'_>,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Attribution, Stop> {
        ctx.begin(Task::Attributing);
        let Sought { origin, explained } = sought;
        let open: Vec<String> = self.bugs.iter().filter(|bug| !explained.contains(bug)).cloned().collect();
        attribute(&open, &mut |off| {
            let off: Vec<String> = explained.iter().chain(off).cloned().collect();
            let rerun = ctx.run(self.rig, units, Some(origin), &off)?;
            // If a unit was refused, later units may repeat its text, which then means something else.
            let fine = |done: &UnitDone| done.ran() || *done == UnitDone::Refused;
            Ok(if appears(&rerun.reported, origin).is_some() {
                Passes::No
            } else if rerun.complete(units) {
                Passes::Fully
            } else if rerun.done.len() == units.len() && rerun.done.iter().all(fine) {
                Passes::Refusing
            } else {
                Passes::No
            })
        })
    }

    /// Number of re-executions that confirm a finding.
    pub(crate) fn tries(&self) -> u32 {
        self.plan.confirm.tries.max(1)
    }
}

impl Shown {
    pub(crate) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// What the re-execution showed.
    pub(crate) fn trace(&self) -> &Trace {
        &self.rerun.trace
    }

    /// Makes this trace the minimal one of a finding.
    pub(crate) fn shorten(&self, finding: &mut Finding) {
        if let Some(seen) = seen_at_the_end(&self.rerun, &finding.origin) {
            finding.title.clone_from(&seen.violation.title);
            finding.violation = seen.violation.clone();
        }
        finding.minimal = Evidence::without_pictures(self.rerun.trace.clone());
        finding.minimal_dmfs = names_of(&self.units);
    }
}

impl Investigated {
    /// The finding with what is known now.
    pub(crate) fn told_by(&self, finding: Finding) -> Finding {
        let violation = self.seen.as_ref().map_or(finding.violation, |seen| seen.violation.clone());
        Finding {
            title: violation.title.clone(),
            violation,
            minimal: self.evidence.clone(),
            minimal_dmfs: names_of(&self.units),
            confirmation: self.confirmation,
            support: Support { log_demanded: finding.support.log_demanded, ..self.support },
            finished: true,
            attribution: self.bugs.clone(),
            data: self.data.clone(),
            ..finding
        }
    }
}

impl<'s> Sought<'s> {
    /// The origin at whose first violation a re-execution ends. `None` if bugs that explain other findings of the
    /// origin are on: then the violation in question is the last one.
    fn ends_at(self) -> Option<&'s FindingOrigin> {
        self.explained.is_empty().then_some(self.origin)
    }
}

/// Whether a re-execution ends with a violation of the origin.
fn ends_with(rerun: &Rerun, origin: &FindingOrigin) -> bool {
    seen_at_the_end(rerun, origin).is_some()
}

/// The violation of the origin on the last screen, which may show others as well.
fn seen_at_the_end<'r>(rerun: &'r Rerun, origin: &FindingOrigin) -> Option<&'r Reported> {
    let mut last = rerun.reported.iter().rev().take_while(|reported| reported.steps == rerun.trace.len());
    last.find(|reported| reported.violation.origin() == *origin)
}

/// The indices of the DMFs among the units.
pub(crate) fn dmfs_of(units: &[Unit]) -> BTreeSet<usize> {
    units.iter().filter_map(|unit| if let Unit::Dmf { dmf, .. } = unit { Some(*dmf) } else { None }).collect()
}

/// The names of the DMFs among the units, in order.
pub(crate) fn names_of(units: &[Unit]) -> Vec<String> {
    let name = |unit: &Unit| if let Unit::Dmf { name, .. } = unit { Some(name.clone()) } else { None };
    units.iter().filter_map(name).collect()
}

/// Takes a screenshot. It is optional evidence, so a device that fails to take one fails nothing else.
pub(crate) fn take_picture(device: &mut dyn Device) -> Option<Arc<PngBytes>> {
    device.screenshot().and_then(|shot| shot.to_png()).ok().map(Arc::new)
}

/// Takes a screenshot of every frame, if pictures are wanted, and records the data that the app should hold.
#[derive(Default)]
pub(crate) struct Camera {
    pub(crate) pictures: bool,
    pub(crate) screenshots: Vec<Option<Arc<PngBytes>>>,
    pub(crate) data: DataTimeline,
}

impl RoundWatcher for Camera {
    fn frame(&mut self, device: &mut dyn Device, _stats: &CampaignStats) -> Result<(), DeviceError> {
        self.screenshots.push(if self.pictures { take_picture(device) } else { None });
        Ok(())
    }

    fn data(&mut self, frame: usize, data: &DataModel) {
        self.data.push(frame, data.clone());
    }
}
