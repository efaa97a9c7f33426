//! From a violation to a finding: is it news, does it come back, what does it need, which bug is it.
//!
//! Two bugs can fail the same condition. So violations of a known origin are looked at again, as far as the
//! budget lets: where bugs can be switched off, by re-executing the witness without those that explain the
//! origin so far (a loud bug then does not hide a quiet one); elsewhere by minimising witnesses that
//! differ in the DMFs on their way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::attribute::{Passes, attribute};
use super::finding::{PngBytes, finding_id};
use super::minimise::minimise;
use super::reexecute::{appears, reexecute};
use super::{
    CampaignPlan, Confirmation, DataTimeline, DeviceSource, Evidence, Finding, Rerun, Rig, Unit, UnitDone,
    units_of,
};
use crate::determinism::StableHasher;
use crate::device::{Device, DeviceError};
use crate::engine::{Ledger, NoWatcher, Reported, RoundWatcher, Stop};
use crate::model::{FindingOrigin, Trace};
use crate::spec::DataModel;

/// Witnesses of one origin that are minimised.
const MAX_WITNESSES: usize = 8;
/// Ways to one origin that are told apart.
const MAX_WAYS: usize = 256;
/// Looking at known origins again may take this part of the campaign's events: for a way that is new, and
/// for one that was looked at before.
const NEW_WAY_SHARE: u64 = 4;
const KNOWN_WAY_SHARE: u64 = 16;
/// Re-executed events that minimising one witness may take.
const MINIMISE_EVENTS: u64 = 6000;

/// What is known of one origin.
#[derive(Default)]
struct Group {
    count: u64,
    minimised: usize,
    ways: BTreeSet<u64>,
    causes: Vec<Cause>,
}

/// What a finding of the origin needs.
#[derive(PartialEq, Eq)]
struct Cause {
    bugs: Vec<String>,
    dmfs: BTreeSet<usize>,
}

/// A violation as it came out of a round.
pub(super) struct Witness<'w> {
    pub(super) trace: &'w Trace,
    pub(super) reported: &'w Reported,
    /// Events of the campaign so far.
    pub(super) events: u64,
}

/// Turns violations into findings.
pub(super) struct Confirmer<'a> {
    plan: &'a CampaignPlan,
    rig: Rig<'a>,
    bugs: Vec<String>,
    groups: BTreeMap<FindingOrigin, Group>,
    /// Events re-executed for violations of known origins.
    spent: u64,
}

/// What investigating a witness found out.
struct Investigated {
    minimal: Rerun,
    bugs: Vec<String>,
    confirmation: Confirmation,
    screenshots: Vec<Option<Arc<PngBytes>>>,
    data: DataTimeline,
    units: Vec<Unit>,
}

impl<'a> Confirmer<'a> {
    pub(super) fn new(plan: &'a CampaignPlan, rig: Rig<'a>, bugs: Vec<String>) -> Self {
        Confirmer { plan, rig, bugs, groups: BTreeMap::new(), spent: 0 }
    }

    /// How often each origin was violated.
    pub(super) fn count(&self, origin: &FindingOrigin) -> u64 {
        self.groups.get(origin).map_or(0, |group| group.count)
    }

    /// Looks at a violation. A finding comes out if it is news, even if looking at it had to stop.
    pub(super) fn take(
        &mut self,
        witness: &Witness<'_>,
        source: &mut dyn DeviceSource,
    ) -> (Option<Finding>, Result<(), Stop>) {
        let origin = witness.reported.violation.origin();
        let units = units_of(witness.trace, witness.reported.steps);
        let mut group = self.groups.remove(&origin).unwrap_or_default();
        group.count += 1;
        let result = if group.causes.is_empty() && group.minimised == 0 {
            self.first(&mut group, witness, &origin, &units, source)
        } else {
            self.again(&mut group, witness, &origin, &units, source)
        };
        self.groups.insert(origin, group);
        result
    }

    fn first(
        &mut self,
        group: &mut Group,
        witness: &Witness<'_>,
        origin: &FindingOrigin,
        units: &[Unit],
        source: &mut dyn DeviceSource,
    ) -> (Option<Finding>, Result<(), Stop>) {
        group.minimised = 1;
        group.ways.insert(way(units));
        match self.investigate(units, origin, &[], source) {
            Ok(Some(found)) => {
                group.causes.push(Cause { bugs: found.bugs.clone(), dmfs: dmfs_of(&found.units) });
                (Some(self.finding(group, witness, origin, found)), Ok(()))
            }
            Ok(None) => {
                let tries = self.plan.confirm.tries;
                (Some(self.unexplained(group, witness, Confirmation::Flaky { hits: 0, tries })), Ok(()))
            }
            Err(stop) => (Some(self.unexplained(group, witness, Confirmation::Untried)), Err(stop)),
        }
    }

    fn again(
        &mut self,
        group: &mut Group,
        witness: &Witness<'_>,
        origin: &FindingOrigin,
        units: &[Unit],
        source: &mut dyn DeviceSource,
    ) -> (Option<Finding>, Result<(), Stop>) {
        let explained: Vec<String> = group.causes.iter().flat_map(|cause| cause.bugs.clone()).collect();
        let new_way = group.ways.len() < MAX_WAYS && group.ways.insert(way(units));
        let share = if new_way { NEW_WAY_SHARE } else { KNOWN_WAY_SHARE };
        let dear = self.spent + units.len() as u64 > witness.events / share;
        // Without switches only another way can be another cause.
        if group.minimised >= MAX_WITNESSES || dear || (explained.is_empty() && !new_way) {
            return (None, Ok(()));
        }
        match self.another_cause(group, units, origin, &explained, source) {
            Ok(Some(found)) => (Some(self.finding(group, witness, origin, found)), Ok(())),
            Ok(None) => (None, Ok(())),
            Err(stop) => (None, Err(stop)),
        }
    }

    fn another_cause(
        &mut self,
        group: &mut Group,
        units: &[Unit],
        origin: &FindingOrigin,
        explained: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<Option<Investigated>, Stop> {
        if !explained.is_empty() {
            let rerun = self.run(units, Some(origin), explained, source)?;
            self.spent += rerun.trace.len() as u64;
            if appears(&rerun.reported, origin).is_none() {
                return Ok(None);
            }
        }
        group.minimised += 1;
        let Some(found) = self.investigate(units, origin, explained, source)? else { return Ok(None) };
        let cause = Cause { bugs: found.bugs.clone(), dmfs: dmfs_of(&found.units) };
        let known = group.causes.iter().any(|known| match cause.bugs.is_empty() {
            true => known.dmfs == cause.dmfs,
            false => known.bugs == cause.bugs,
        });
        if known {
            return Ok(None);
        }
        group.causes.push(cause);
        Ok(Some(found))
    }

    fn run(
        &self,
        units: &[Unit],
        sought: Option<&FindingOrigin>,
        bugs_off: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<Rerun, Stop> {
        let mut device = source.fresh(bugs_off)?;
        reexecute(&mut *device, self.rig, units, sought, &mut NoWatcher)
    }

    /// Minimises, attributes and confirms. `None` if it never comes back. `explained` are bugs that other
    /// findings of the origin are put down to: this one must appear with them and without.
    fn investigate(
        &self,
        units: &[Unit],
        origin: &FindingOrigin,
        explained: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<Option<Investigated>, Stop> {
        let tries = self.plan.confirm.tries.max(1);
        let mut whole = None;
        for _ in 0..tries {
            whole = self.needed(units, origin, explained, source)?.0;
            if whole.is_some() {
                break;
            }
        }
        let Some(whole) = whole else { return Ok(None) };
        let mut left = MINIMISE_EVENTS;
        let units = minimise(whole, &mut |units| {
            if left == 0 {
                return Ok(None);
            }
            let (needed, events) = self.needed(units, origin, explained, source)?;
            left = left.saturating_sub(events);
            Ok(needed)
        })?;
        let bugs = self.attribute(&units, origin, explained, source)?;
        let mut hits = 0;
        for _ in 1..tries {
            let rerun = self.run(&units, Some(origin), &[], source)?;
            hits += u32::from(appears(&rerun.reported, origin).is_some());
        }
        let mut camera = Camera { pictures: self.plan.confirm.pictures, ..Camera::default() };
        let mut device = source.fresh(&[])?;
        let minimal = reexecute(&mut *device, self.rig, &units, Some(origin), &mut camera)?;
        if appears(&minimal.reported, origin).is_none() {
            return Ok(None);
        }
        hits += 1;
        let confirmation = if hits == tries {
            Confirmation::Reproduced { hits, tries }
        } else {
            Confirmation::Flaky { hits, tries }
        };
        let Camera { screenshots, data, .. } = camera;
        Ok(Some(Investigated { minimal, bugs, confirmation, screenshots, data, units }))
    }

    /// The units up to the violation that ran, if it appears; and the events that this took.
    fn needed(
        &self,
        units: &[Unit],
        origin: &FindingOrigin,
        explained: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<(Option<Vec<Unit>>, u64), Stop> {
        let mut events = 0;
        let mut units = units.to_vec();
        // A second time where some did not run: are they really not needed?
        for _ in 0..2 {
            let rerun = self.run(&units, Some(origin), &[], source)?;
            events += rerun.trace.len() as u64;
            if appears(&rerun.reported, origin).is_none() {
                return Ok((None, events));
            }
            let all_ran = rerun.done.iter().all(|done| *done == UnitDone::Performed);
            units = rerun.performed(&units);
            if all_ran {
                break;
            }
        }
        if !explained.is_empty() {
            let rerun = self.run(&units, Some(origin), explained, source)?;
            events += rerun.trace.len() as u64;
            if appears(&rerun.reported, origin).is_none() {
                return Ok((None, events));
            }
        }
        Ok((Some(units), events))
    }

    fn attribute(
        &self,
        units: &[Unit],
        origin: &FindingOrigin,
        explained: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<Vec<String>, Stop> {
        let open: Vec<String> = self.bugs.iter().filter(|bug| !explained.contains(bug)).cloned().collect();
        attribute(&open, &mut |off| {
            let off: Vec<String> = explained.iter().chain(off).cloned().collect();
            let rerun = self.run(units, Some(origin), &off, source)?;
            let fine = |done: &UnitDone| matches!(done, UnitDone::Performed | UnitDone::Refused);
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

    fn finding(
        &self,
        group: &Group,
        witness: &Witness<'_>,
        origin: &FindingOrigin,
        found: Investigated,
    ) -> Finding {
        let seen = appears(&found.minimal.reported, origin).unwrap_or(witness.reported);
        let violation = seen.violation.clone();
        Finding {
            minimal: Evidence { trace: found.minimal.trace, screenshots: found.screenshots },
            violation,
            confirmation: found.confirmation,
            data: found.data,
            ..self.told(group, witness, found.bugs, names_of(&found.units))
        }
    }

    /// A finding that says no more than its witness.
    fn unexplained(&self, group: &Group, witness: &Witness<'_>, confirmation: Confirmation) -> Finding {
        let names = names_of(&units_of(witness.trace, witness.reported.steps));
        Finding { confirmation, ..self.told(group, witness, Vec::new(), names) }
    }

    fn told(
        &self,
        group: &Group,
        witness: &Witness<'_>,
        attributed_bugs: Vec<String>,
        minimal_dmfs: Vec<String>,
    ) -> Finding {
        let (reported, origin) = (witness.reported, witness.reported.violation.origin());
        let evidence = Evidence::without_pictures(witness.trace.until(reported.steps));
        Finding {
            id: finding_id(&origin, &attributed_bugs, &minimal_dmfs),
            origin,
            violation: reported.violation.clone(),
            title: reported.violation.title.clone(),
            engine: self.plan.engines.first().map_or("", |engine| engine.name()),
            seed: self.plan.seed,
            first: reported.moment,
            count: group.count,
            minimal: evidence.clone(),
            witness: evidence,
            minimal_dmfs,
            confirmation: Confirmation::Untried,
            attributed_bugs,
            data: DataTimeline::default(),
        }
    }
}

/// Which DMFs are on the way.
fn way(units: &[Unit]) -> u64 {
    let mut hasher = StableHasher::new();
    for dmf in dmfs_of(units) {
        hasher.u64(dmf as u64);
    }
    hasher.finish()
}

fn dmfs_of(units: &[Unit]) -> BTreeSet<usize> {
    units.iter().filter_map(|unit| if let Unit::Dmf { dmf, .. } = unit { Some(*dmf) } else { None }).collect()
}

fn names_of(units: &[Unit]) -> Vec<String> {
    let name = |unit: &Unit| if let Unit::Dmf { name, .. } = unit { Some(name.clone()) } else { None };
    units.iter().filter_map(name).collect()
}

/// Takes a picture of every frame, and remembers the data.
#[derive(Default)]
struct Camera {
    pictures: bool,
    screenshots: Vec<Option<Arc<PngBytes>>>,
    data: DataTimeline,
}

impl RoundWatcher for Camera {
    fn frame(&mut self, device: &mut dyn Device, _ledger: &Ledger) -> Result<(), DeviceError> {
        // A device that cannot draw its screen still shows what it found.
        let picture =
            if self.pictures { device.screenshot().and_then(|shot| shot.to_png()).ok() } else { None };
        self.screenshots.push(picture.map(Arc::new));
        Ok(())
    }

    fn data(&mut self, frame: usize, data: &DataModel) {
        self.data.push(frame, data.clone());
    }
}
