//! From a violation to a finding: is it news, does it come back, what does it need, which bug is it.
//!
//! Two bugs can fail the same condition. So violations of a known origin are looked at again, as far as the
//! budget lets: where bugs can be switched off, by re-executing the test without those that explain
//! findings so far (a loud bug then does not hide a quiet one); elsewhere by minimising witnesses that
//! differ in their way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::attribute::{Passes, attribute};
use super::finding::{PngBytes, finding_id};
use super::minimise::minimise;
use super::reexecute::{appears, on_fresh, reexecute};
use super::way::way;
use super::{
    Attribution, CampaignPlan, Confirmation, DataTimeline, DeviceSource, Evidence, Finding, Rerun, Rig, Unit,
    UnitDone, units_of,
};
use crate::device::{Device, DeviceError};
use crate::engine::{Ledger, NoWatcher, Reported, RoundWatcher, Stop};
use crate::model::{FindingOrigin, Trace};
use crate::spec::DataModel;

/// Witnesses of one origin that are minimised.
const MAX_WITNESSES: usize = 8;
/// Ways to violations that are told apart.
const MAX_WAYS: usize = 256;
/// Violations on one way that are looked at as if the way were new.
const LOOKS_AT_A_WAY: u32 = 8;
/// Looking at known origins again may take this part of the campaign's events: on a new way, on a known
/// one, and when every bug that can be switched off is found.
const NEW_WAY_SHARE: u64 = 2;
const KNOWN_WAY_SHARE: u64 = 8;
const EXPLAINED_SHARE: u64 = 16;
/// Re-executed events that minimising one witness may take.
const MINIMISE_EVENTS: u64 = 10_000;

/// What is known of one origin.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Group {
    count: u64,
    minimised: usize,
    causes: Vec<Cause>,
}

/// What a finding of the origin needs.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Cause {
    bugs: Attribution,
    dmfs: BTreeSet<usize>,
}

/// A test that violated something.
pub(super) struct ViolatedTest<'t> {
    pub(super) trace: &'t Trace,
    pub(super) reported: &'t [Reported],
    /// Events of the campaign so far.
    pub(super) events: u64,
}

/// Turns violations into findings.
pub(super) struct Confirmer<'a> {
    pub(super) plan: &'a CampaignPlan,
    engine: &'static str,
    pub(super) rig: Rig<'a>,
    pub(super) bugs: Vec<String>,
    known: Known,
}

/// What is known of violations so far; a checkpoint keeps it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Known {
    groups: BTreeMap<FindingOrigin, Group>,
    /// Ways on which known origins were violated, and how often each was looked at.
    ways: BTreeMap<u64, u32>,
    /// Events re-executed for violations of known origins.
    spent: u64,
}

/// What investigating a witness found out.
struct Investigated {
    minimal: Rerun,
    bugs: Attribution,
    confirmation: Confirmation,
    screenshots: Vec<Option<Arc<PngBytes>>>,
    data: DataTimeline,
    units: Vec<Unit>,
}

impl<'a> Confirmer<'a> {
    pub(super) fn new(plan: &'a CampaignPlan, engine: &'static str, rig: Rig<'a>, bugs: Vec<String>) -> Self {
        Confirmer { plan, engine, rig, bugs, known: Known::default() }
    }

    /// What is known so far.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// Goes on from what was known at a checkpoint.
    pub(super) fn recall(&mut self, known: Known) {
        self.known = known;
    }

    /// How often an origin was violated.
    pub(super) fn count(&self, origin: &FindingOrigin) -> u64 {
        self.known.groups.get(origin).map_or(0, |group| group.count)
    }

    /// Looks at the violations of a test; what is news joins `findings`, even if looking at it had to stop.
    pub(super) fn look_at(
        &mut self,
        test: &ViolatedTest<'_>,
        source: &mut dyn DeviceSource,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Stop> {
        let mut known: BTreeMap<FindingOrigin, &Reported> = BTreeMap::new();
        for reported in test.reported {
            let origin = reported.violation.origin();
            let group = self.known.groups.entry(origin.clone()).or_default();
            group.count += 1;
            if group.minimised > 0 {
                if reported.comparison.is_none() {
                    known.insert(origin, reported);
                }
                continue;
            }
            group.minimised = 1;
            if let Some(comparison) = &reported.comparison {
                self.first_pair(test, reported, comparison, source, findings)?;
                continue;
            }
            self.first(test, reported, &origin, source, findings)?;
        }
        if known.is_empty() { Ok(()) } else { self.again(test, &known, source, findings) }
    }

    fn first(
        &mut self,
        test: &ViolatedTest<'_>,
        reported: &Reported,
        origin: &FindingOrigin,
        source: &mut dyn DeviceSource,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Stop> {
        let units = units_of(test.trace, reported.steps);
        let untold = |confirmation, names| Finding {
            confirmation,
            ..self.told(test, reported, Attribution::NONE, names)
        };
        match self.investigate(&units, origin, &[], source) {
            Ok(Some(found)) => {
                findings.push(self.finding(test, reported, &found));
                self.learn(origin, &found);
                Ok(())
            }
            Ok(None) => {
                let tries = self.plan.confirm.tries;
                findings.push(untold(Confirmation::Flaky { hits: 0, tries }, names_of(&units)));
                Ok(())
            }
            Err(stop) => {
                findings.push(untold(Confirmation::Untried, names_of(&units)));
                Err(stop)
            }
        }
    }

    fn learn(&mut self, origin: &FindingOrigin, found: &Investigated) {
        let cause = Cause { bugs: found.bugs.clone(), dmfs: dmfs_of(&found.units) };
        self.known.groups.entry(origin.clone()).or_default().causes.push(cause);
    }

    /// Is there another cause behind the known origins? The test is re-executed once without everything
    /// that explains findings so far: what still appears is news.
    fn again(
        &mut self,
        test: &ViolatedTest<'_>,
        known: &BTreeMap<FindingOrigin, &Reported>,
        source: &mut dyn DeviceSource,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Stop> {
        let explained = self.explained();
        let units = units_of(test.trace, known.values().map(|reported| reported.steps).max().unwrap_or(0));
        let new_way = self.walks_new_way(test, known);
        let share = match (new_way, explained.len() == self.bugs.len()) {
            (_, true) => EXPLAINED_SHARE,
            (true, false) => NEW_WAY_SHARE,
            (false, false) => KNOWN_WAY_SHARE,
        };
        if self.known.spent + units.len() as u64 > test.events / share {
            return Ok(());
        }
        let mut suspects: Vec<&FindingOrigin> = known.keys().collect();
        if !explained.is_empty() {
            let rerun = self.run(&units, None, &explained, source)?;
            self.known.spent += rerun.trace.len() as u64;
            suspects.retain(|origin| appears(&rerun.reported, origin).is_some());
        } else if !new_way {
            return Ok(());
        }
        for origin in suspects {
            let Some(reported) = known.get(origin) else { continue };
            if let Some(found) = self.another_cause(test, reported, origin, &explained, source)? {
                findings.push(self.finding(test, reported, &found));
                self.learn(origin, &found);
            }
        }
        Ok(())
    }

    /// Whether a violation of the test came about on a way that was hardly looked at yet.
    fn walks_new_way(&mut self, test: &ViolatedTest<'_>, known: &BTreeMap<FindingOrigin, &Reported>) -> bool {
        let mut new = false;
        for reported in
            test.reported.iter().filter(|reported| known.contains_key(&reported.violation.origin()))
        {
            let way = way(&units_of(test.trace, reported.steps));
            if self.known.ways.len() < MAX_WAYS || self.known.ways.contains_key(&way) {
                let looks = self.known.ways.entry(way).or_default();
                *looks += 1;
                new |= *looks <= LOOKS_AT_A_WAY;
            }
        }
        new
    }

    /// Bugs without which the findings so far go away; of several candidates the first is enough for that.
    fn explained(&self) -> Vec<String> {
        let causes = self.known.groups.values().flat_map(|group| &group.causes);
        let bugs: BTreeSet<&String> =
            causes.filter_map(|cause| cause.bugs.candidates().first()).flatten().collect();
        bugs.into_iter().cloned().collect()
    }

    fn another_cause(
        &mut self,
        test: &ViolatedTest<'_>,
        reported: &Reported,
        origin: &FindingOrigin,
        explained: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<Option<Investigated>, Stop> {
        let Some(group) = self.known.groups.get_mut(origin) else { return Ok(None) };
        if group.minimised >= MAX_WITNESSES {
            return Ok(None);
        }
        group.minimised += 1;
        let units = units_of(test.trace, reported.steps);
        let Some(found) = self.investigate(&units, origin, explained, source)? else { return Ok(None) };
        let dmfs = dmfs_of(&found.units);
        let group = self.known.groups.get(origin);
        let is_known = group.is_some_and(|group| {
            group.causes.iter().any(|cause| match found.bugs.is_none() {
                true => cause.dmfs == dmfs,
                false => cause.bugs == found.bugs,
            })
        });
        Ok((!is_known).then_some(found))
    }

    pub(super) fn run(
        &self,
        units: &[Unit],
        sought: Option<&FindingOrigin>,
        bugs_off: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<Rerun, Stop> {
        on_fresh(source, bugs_off, |device| reexecute(device, self.rig, units, sought, &mut NoWatcher))
    }

    /// The same, with pictures.
    pub(super) fn run_before_camera(
        &self,
        units: &[Unit],
        sought: Option<&FindingOrigin>,
        source: &mut dyn DeviceSource,
    ) -> Result<(Rerun, Camera), Stop> {
        on_fresh(source, &[], |device| {
            let mut camera = Camera { pictures: self.plan.confirm.pictures, ..Camera::default() };
            let rerun = reexecute(device, self.rig, units, sought, &mut camera)?;
            Ok((rerun, camera))
        })
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
            let rerun = self.run(&units, sought(origin, explained), &[], source)?;
            hits += u32::from(ends_with(&rerun, origin));
        }
        let (minimal, camera) = self.run_before_camera(&units, sought(origin, explained), source)?;
        if !ends_with(&minimal, origin) {
            return Ok(None);
        }
        hits += 1;
        let confirmation = Confirmation::of(hits, tries);
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
        if !explained.is_empty() {
            let rerun = self.run(&units, Some(origin), explained, source)?;
            events += rerun.trace.len() as u64;
            if !ends_with(&rerun, origin) {
                return Ok((None, events));
            }
            units = rerun.performed(&units);
        }
        // Once more where some did not run, or mean something else now: are they really not needed?
        loop {
            let rerun = self.run(&units, sought(origin, explained), &[], source)?;
            events += rerun.trace.len() as u64;
            if !ends_with(&rerun, origin) {
                return Ok((None, events));
            }
            units = rerun.performed(&units);
            if rerun.done.iter().all(|done| *done == UnitDone::Performed) {
                return Ok((Some(units), events));
            }
        }
    }

    fn attribute(
        &self,
        units: &[Unit],
        origin: &FindingOrigin,
        explained: &[String],
        source: &mut dyn DeviceSource,
    ) -> Result<Attribution, Stop> {
        let open: Vec<String> = self.bugs.iter().filter(|bug| !explained.contains(bug)).cloned().collect();
        attribute(&open, &mut |off| {
            let off: Vec<String> = explained.iter().chain(off).cloned().collect();
            let rerun = self.run(units, Some(origin), &off, source)?;
            // A text that repeats what was refused means something else.
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

    fn finding(&self, test: &ViolatedTest<'_>, reported: &Reported, found: &Investigated) -> Finding {
        let seen = found.minimal.reported.last().unwrap_or(reported);
        Finding {
            title: seen.violation.title.clone(),
            violation: seen.violation.clone(),
            minimal: Evidence { trace: found.minimal.trace.clone(), screenshots: found.screenshots.clone() },
            confirmation: found.confirmation,
            data: found.data.clone(),
            ..self.told(test, reported, found.bugs.clone(), names_of(&found.units))
        }
    }

    /// A finding that says no more than its witness.
    pub(super) fn told(
        &self,
        test: &ViolatedTest<'_>,
        reported: &Reported,
        attribution: Attribution,
        minimal_dmfs: Vec<String>,
    ) -> Finding {
        let origin = reported.violation.origin();
        let evidence = Evidence::without_pictures(test.trace.until(reported.steps));
        Finding {
            id: finding_id(self.engine, &origin, &attribution, &minimal_dmfs),
            violation: reported.violation.clone(),
            title: reported.violation.title.clone(),
            engine: self.engine,
            seed: self.plan.seed,
            first: reported.moment,
            count: self.count(&origin),
            origin,
            minimal: evidence.clone(),
            witness: evidence,
            minimal_dmfs,
            confirmation: Confirmation::Untried,
            attribution,
            data: DataTimeline::default(),
            reference: None,
        }
    }
}

/// A re-execution ends at the first violation of an origin, unless bugs that explain others of it are on:
/// then the one in question is the last.
fn sought<'o>(origin: &'o FindingOrigin, explained: &[String]) -> Option<&'o FindingOrigin> {
    explained.is_empty().then_some(origin)
}

/// Whether the last thing that a re-execution shows is a violation of the origin.
fn ends_with(rerun: &Rerun, origin: &FindingOrigin) -> bool {
    let last = rerun.reported.last();
    last.is_some_and(|last| last.steps == rerun.trace.len() && last.violation.origin() == *origin)
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
pub(super) struct Camera {
    pub(super) pictures: bool,
    pub(super) screenshots: Vec<Option<Arc<PngBytes>>>,
    pub(super) data: DataTimeline,
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
