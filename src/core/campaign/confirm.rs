//! From a violation to a finding: decides whether a violation is new, reproduces and minimises it, and attributes it to
//! bugs.
//!
//! Two bugs can violate the same condition. So further violations of a known origin are investigated as far as the
//! budget allows. Where bugs can be switched off, the test is re-executed without the bugs that explain the findings so
//! far, so that a frequent bug does not hide a rare one. Elsewhere, witnesses with different cause keys are minimised.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::attribute::{Passes, attribute};
use super::cause_key::cause_key;
use super::finding::{PngBytes, finding_id};
use super::minimise::minimise;
use super::reexecute::{appears, on_fresh, reexecute};
use super::{
    Attribution, CampaignPlan, Confirmation, DataTimeline, DeviceSource, Evidence, Finding, Rerun, Rig, Unit,
    UnitDone, units_of,
};
use crate::device::{Device, DeviceError};
use crate::engine::{CampaignStats, NoWatcher, Reported, RoundWatcher, Stop};
use crate::model::{FindingOrigin, Trace};
use crate::spec::DataModel;

/// Number of witnesses of one origin that are minimised at most.
const MAX_WITNESSES: usize = 8;
/// Number of cause keys that are distinguished at most.
const MAX_CAUSE_KEYS: usize = 256;
/// Number of violations with the same cause key that are investigated as if the key were new.
const LOOKS_PER_CAUSE: u32 = 8;
/// Investigating known origins again may take at most this fraction of the campaign's events: 1/2 for a new cause key,
/// 1/8 for a known one, 1/16 once every bug that can be switched off explains a finding.
const NEW_WAY_SHARE: u64 = 2;
const KNOWN_WAY_SHARE: u64 = 8;
const EXPLAINED_SHARE: u64 = 16;
/// Number of re-executed events that minimising one witness may take.
const MINIMISE_EVENTS: u64 = 10_000;

/// What is known of the violations of one origin.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Group {
    count: u64,
    minimised: usize,
    causes: Vec<Cause>,
}

/// What one finding of an origin depends on: the bugs that it is attributed to, and the DMFs of its minimal trace.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Cause {
    bugs: Attribution,
    dmfs: BTreeSet<usize>,
}

/// A test with its violations.
pub(super) struct ViolatedTest<'t> {
    pub(super) trace: &'t Trace,
    pub(super) reported: &'t [Reported],
    /// Number of events of the campaign so far.
    pub(super) events: u64,
}

/// Turns violations into findings.
pub(super) struct Confirmer<'a> {
    pub(super) plan: &'a CampaignPlan,
    engine: &'static str,
    pub(super) rig: Rig<'a>,
    pub(super) bugs: Vec<String>,
    known: KnownViolations,
}

/// What is known of violations so far. It is part of a checkpoint.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct KnownViolations {
    groups: BTreeMap<FindingOrigin, Group>,
    /// Cause keys of violations of known origins, and how often each occurred.
    cause_keys: BTreeMap<u64, u32>,
    /// Number of events re-executed so far for violations of known origins.
    spent: u64,
}

/// The result of investigating a witness.
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
        Confirmer { plan, engine, rig, bugs, known: KnownViolations::default() }
    }

    /// What is known of violations so far.
    pub(super) fn known(&self) -> &KnownViolations {
        &self.known
    }

    /// Restores what was known at a checkpoint.
    pub(super) fn recall(&mut self, known: KnownViolations) {
        self.known = known;
    }

    /// Number of violations of an origin so far.
    pub(super) fn count(&self, origin: &FindingOrigin) -> u64 {
        self.known.groups.get(origin).map_or(0, |group| group.count)
    }

    /// Investigates the violations of a test. New findings are appended to `findings`, even if the investigation had to
    /// stop.
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
            ..self.plain_finding(test, reported, Attribution::NONE, names)
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

    /// Looks for another cause of violations of known origins: re-executes the test once without every bug that
    /// explains a finding so far. A violation that still appears is a new finding.
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

    /// Whether a violation of the test has a cause key that was investigated only a few times yet.
    fn walks_new_way(&mut self, test: &ViolatedTest<'_>, known: &BTreeMap<FindingOrigin, &Reported>) -> bool {
        let mut new = false;
        for reported in
            test.reported.iter().filter(|reported| known.contains_key(&reported.violation.origin()))
        {
            let key = cause_key(&units_of(test.trace, reported.steps));
            if self.known.cause_keys.len() < MAX_CAUSE_KEYS || self.known.cause_keys.contains_key(&key) {
                let looks = self.known.cause_keys.entry(key).or_default();
                *looks += 1;
                new |= *looks <= LOOKS_PER_CAUSE;
            }
        }
        new
    }

    /// The bugs that explain the findings so far. Of several candidates the first is enough to make the finding
    /// disappear.
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

    /// As [`Confirmer::run`], but takes screenshots and records the data on the way.
    pub(super) fn run_with_camera(
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

    /// Minimises, attributes and confirms a violation. Returns `None` if it cannot be reproduced. `explained` are the
    /// bugs that other findings of the origin are attributed to: this violation must appear both with these bugs and
    /// without them.
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
        let (minimal, camera) = self.run_with_camera(&units, sought(origin, explained), source)?;
        if !ends_with(&minimal, origin) {
            return Ok(None);
        }
        hits += 1;
        let confirmation = Confirmation::of(hits, tries);
        let Camera { screenshots, data, .. } = camera;
        Ok(Some(Investigated { minimal, bugs, confirmation, screenshots, data, units }))
    }

    /// Returns the units up to the violation that ran, or `None` if the violation does not appear, and the number of
    /// events that this took.
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
        // Repeated while some units did not run or their texts mean something else: is the violation still there
        // without them?
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

    fn finding(&self, test: &ViolatedTest<'_>, reported: &Reported, found: &Investigated) -> Finding {
        let seen = found.minimal.reported.last().unwrap_or(reported);
        Finding {
            title: seen.violation.title.clone(),
            violation: seen.violation.clone(),
            minimal: Evidence { trace: found.minimal.trace.clone(), screenshots: found.screenshots.clone() },
            confirmation: found.confirmation,
            data: found.data.clone(),
            ..self.plain_finding(test, reported, found.bugs.clone(), names_of(&found.units))
        }
    }

    /// A finding with no more evidence than its witness.
    pub(super) fn plain_finding(
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

/// The origin at whose first violation a re-execution ends. `None` if bugs that explain other findings of the origin
/// are on: then the violation in question is the last one.
fn sought<'o>(origin: &'o FindingOrigin, explained: &[String]) -> Option<&'o FindingOrigin> {
    explained.is_empty().then_some(origin)
}

/// Whether a re-execution ends with a violation of the origin.
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

/// Takes a screenshot of every frame, if pictures are wanted, and records the data that the app should hold.
#[derive(Default)]
pub(super) struct Camera {
    pub(super) pictures: bool,
    pub(super) screenshots: Vec<Option<Arc<PngBytes>>>,
    pub(super) data: DataTimeline,
}

impl RoundWatcher for Camera {
    fn frame(&mut self, device: &mut dyn Device, _stats: &CampaignStats) -> Result<(), DeviceError> {
        // A screenshot is optional evidence, so a device that fails to take one does not fail the re-execution.
        let picture =
            if self.pictures { device.screenshot().and_then(|shot| shot.to_png()).ok() } else { None };
        self.screenshots.push(picture.map(Arc::new));
        Ok(())
    }

    fn data(&mut self, frame: usize, data: &DataModel) {
        self.data.push(frame, data.clone());
    }
}
