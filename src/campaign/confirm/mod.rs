//! From a violation to a finding: reports a new violation as soon as it is seen, and has it investigated.
//!
//! Two bugs can violate the same condition. So further violations of a known origin are investigated as far as the
//! budget allows. Where bugs can be switched off, the test is re-executed without the bugs that explain the findings so
//! far, so that a frequent bug does not hide a rare one. Elsewhere, witnesses with different cause keys are minimised.
//! Violations that are seen by comparing two tests are confirmed by further, different tests of the same origin.

mod attribute;
mod by_itself;
pub(crate) mod cause_key;
pub(crate) mod confirm_ctx;
pub(crate) mod confirm_pair;
mod disagreements;
pub(crate) mod investigate;
pub(crate) mod minimise;
mod minimiser;
mod minorities;
pub(crate) mod other_rows;
mod other_tests;
mod pauses;
mod pursue;
pub(crate) mod reexecute;
mod simplify;
mod trace_hints;

pub(super) use disagreements::Disagreement;
pub use pursue::pursue;
pub use reexecute::{Rerun, Rig, Unit, UnitDone, appears, reexecute, units_of};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Attribution, CampaignPlan, Confirmation, DataTimeline, Evidence, Finding, Reference, Support, keep_latest,
};
use crate::bugs::finding::finding_id;
use cause_key::cause_key;
use confirm_ctx::ConfirmCtx;
use investigate::{Investigated, dmfs_of, names_of};
use taproof_engine::device::Environment;
use taproof_engine::{JudgedTest, Reported, Stop};
use taproof_screen::{FindingOrigin, Trace};
use taproof_spec::LogErrors;

/// Number of witnesses of one origin that are minimised at most.
const MAX_WITNESSES: usize = 8;
/// Number of further tests of one origin that are executed at most to confirm what two compared tests show.
const MAX_OTHER_TESTS: u32 = 3;
/// Number of cause keys that are distinguished at most.
const MAX_CAUSE_KEYS: usize = 256;
/// Number of violations with the same cause key that are investigated as if the key were new.
const LOOKS_PER_CAUSE: u32 = 8;
/// Investigating known origins again may take at most this fraction of the campaign's events: 1/2 for a new cause key,
/// 1/8 for a known one, 1/16 once every bug that can be switched off explains a finding.
const NEW_WAY_SHARE: u64 = 2;
const KNOWN_WAY_SHARE: u64 = 8;
const EXPLAINED_SHARE: u64 = 16;

/// What is known of the violations of one origin.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Group {
    count: u64,
    minimised: usize,
    /// Number of findings that were reported.
    findings: usize,
    /// Number of further tests that were to confirm what two compared tests show.
    other_tests: u32,
    causes: Vec<Cause>,
}

/// What one finding of an origin depends on: the bugs that it is attributed to, and the DMFs of its minimal trace.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Cause {
    bugs: Attribution,
    dmfs: BTreeSet<usize>,
}

/// Turns violations into findings.
pub(super) struct Confirmer<'a> {
    pub(super) plan: &'a CampaignPlan,
    engine: &'static str,
    pub(super) rig: Rig<'a>,
    pub(super) bugs: Vec<String>,
    known: KnownViolations,
    /// Where it runs; `None` on the bundled phone.
    pub(super) environment: Option<Arc<Environment>>,
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

impl<'a> Confirmer<'a> {
    pub(super) fn new(plan: &'a CampaignPlan, engine: &'static str, rig: Rig<'a>, bugs: Vec<String>) -> Self {
        Confirmer { plan, engine, rig, bugs, known: KnownViolations::default(), environment: None }
    }

    /// What is known of violations so far.
    pub(super) fn known(&self) -> &KnownViolations {
        &self.known
    }

    /// Restores what was known at a checkpoint.
    pub(super) fn recall(&mut self, known: KnownViolations) {
        self.known = known;
    }

    /// Whether a violation of this origin becomes a finding as soon as it is looked at.
    pub(super) fn is_new(&self, origin: &FindingOrigin) -> bool {
        self.known.groups.get(origin).is_none_or(|group| group.minimised == 0)
    }

    /// Number of violations of an origin so far.
    pub(super) fn count(&self, origin: &FindingOrigin) -> u64 {
        self.known.groups.get(origin).map_or(0, |group| group.count)
    }

    /// Investigates the violations of a test that have a new origin, which were reported when they were seen: each is
    /// confirmed before one is minimised, which takes minutes on a device. Then looks for other causes of those whose origin
    /// is known.
    pub(super) fn look_at(&mut self, test: &JudgedTest, ctx: &mut ConfirmCtx<'_>) -> Result<(), Stop> {
        let mut known: BTreeMap<FindingOrigin, &Reported> = BTreeMap::new();
        let (mut new, mut compared) = (Vec::new(), Vec::new());
        for reported in &test.reported {
            let origin = reported.violation.origin();
            let unknown = self.is_new(&origin);
            let group = self.known.groups.entry(origin.clone()).or_default();
            group.count += 1;
            if !unknown {
                match &reported.comparison {
                    None => drop(known.insert(origin, reported)),
                    Some(comparison) => compared.push((reported, comparison)),
                }
                continue;
            }
            group.minimised = 1;
            let seen = self.count_seen(test, reported);
            keep_latest(ctx.findings, Arc::new(seen.clone()));
            new.push(seen);
        }
        let mut confirmed = Vec::new();
        for mut seen in new {
            let shown = self.confirm(&mut seen, ctx)?;
            confirmed.extend(shown.map(|shown| (seen, shown)));
        }
        for (seen, shown) in confirmed {
            self.minimise_confirmed(seen, shown, ctx)?;
        }
        for (reported, comparison) in compared {
            self.look_at_other_test(test, reported, comparison, ctx)?;
        }
        if known.is_empty() { Ok(()) } else { self.again(test, &known, ctx) }
    }

    /// Whether one more test, which takes so many events, may be executed to confirm what two compared tests of this origin
    /// show; counts it if so.
    pub(super) fn takes_other_test(&mut self, origin: &FindingOrigin, steps: u64, events: u64) -> bool {
        let group = self.known.groups.entry(origin.clone()).or_default();
        let takes =
            group.other_tests < MAX_OTHER_TESTS && self.known.spent + steps <= events / KNOWN_WAY_SHARE;
        if takes {
            group.other_tests += 1;
            self.known.spent += steps;
        }
        takes
    }

    /// Remembers what a finished finding of an origin depends on.
    pub(super) fn learn(&mut self, origin: &FindingOrigin, found: &Investigated) {
        let cause = Cause { bugs: found.bugs.clone(), dmfs: dmfs_of(&found.units) };
        self.known.groups.entry(origin.clone()).or_default().causes.push(cause);
    }

    /// Looks for another cause of violations of known origins: re-executes the test once without every bug that
    /// explains a finding so far. A violation that still appears is a new finding. An origin with a finding that is not
    /// finished has to wait, since it is not known yet what that finding depends on.
    fn again(
        &mut self,
        test: &JudgedTest,
        known: &BTreeMap<FindingOrigin, &Reported>,
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<(), Stop> {
        let explained = self.explained();
        let units = units_of(&test.trace, known.values().map(|reported| reported.steps).max().unwrap_or(0));
        let new_way = self.walks_new_way(test, known);
        let share = match (new_way, explained.len() == self.bugs.len()) {
            (_, true) => EXPLAINED_SHARE,
            (true, false) => NEW_WAY_SHARE,
            (false, false) => KNOWN_WAY_SHARE,
        };
        if self.known.spent + units.len() as u64 > ctx.stats.events / share || ctx.left() < units.len() as u64
        {
            return Ok(());
        }
        let mut suspects: Vec<&FindingOrigin> = known.keys().filter(|origin| !ctx.pending(origin)).collect();
        if !explained.is_empty() {
            let rerun = ctx.run(self.rig, &units, None, &explained)?;
            self.known.spent += rerun.trace.len() as u64;
            suspects.retain(|origin| appears(&rerun.reported, origin).is_some());
        } else if !new_way {
            return Ok(());
        }
        for origin in suspects {
            let Some(reported) = known.get(origin) else { continue };
            if let Some(found) = self.another_cause(test, reported, origin, &explained, ctx)? {
                ctx.report(&found.told_by(self.count_seen(test, reported)));
                self.learn(origin, &found);
            }
        }
        Ok(())
    }

    /// Whether a violation of the test has a cause key that was investigated only a few times yet.
    fn walks_new_way(&mut self, test: &JudgedTest, known: &BTreeMap<FindingOrigin, &Reported>) -> bool {
        let mut new = false;
        for reported in
            test.reported.iter().filter(|reported| known.contains_key(&reported.violation.origin()))
        {
            let key = cause_key(&units_of(&test.trace, reported.steps));
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
        test: &JudgedTest,
        reported: &Reported,
        origin: &FindingOrigin,
        explained: &[String],
        ctx: &mut ConfirmCtx<'_>,
    ) -> Result<Option<Investigated>, Stop> {
        let Some(group) = self.known.groups.get_mut(origin) else { return Ok(None) };
        if group.minimised >= MAX_WITNESSES {
            return Ok(None);
        }
        group.minimised += 1;
        let units = units_of(&test.trace, reported.steps);
        let Some(found) = self.investigate(&units, origin, explained, ctx)? else { return Ok(None) };
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

    /// Counts one more finding of an origin, of which no more is known than the test in which it was seen.
    fn count_seen(&mut self, test: &JudgedTest, reported: &Reported) -> Finding {
        let seen = self.seen(&test.trace, reported);
        self.known.groups.entry(seen.origin.clone()).or_default().findings += 1;
        seen
    }

    /// A finding of which no more is known than the trace in which it was seen.
    pub(super) fn seen(&self, trace: &Trace, reported: &Reported) -> Finding {
        let origin = reported.violation.origin();
        let group = self.known.groups.get(&origin);
        let (count, earlier) = group.map_or((1, 0), |group| (group.count, group.findings));
        let mut evidence = Evidence::without_pictures(trace.until(reported.steps));
        if let Some(last) = evidence.screenshots.last_mut() {
            last.clone_from(&reported.picture);
        }
        Finding {
            id: finding_id(self.engine, &origin, earlier),
            violation: reported.violation.clone(),
            title: reported.violation.title.clone(),
            engine: self.engine,
            seed: self.plan.seed,
            first: reported.moment,
            count,
            origin,
            minimal: evidence.clone(),
            witness: evidence,
            minimal_dmfs: match reported.comparison {
                None => names_of(&units_of(trace, reported.steps)),
                Some(_) => Vec::new(),
            },
            confirmation: Confirmation::Untried,
            support: Support {
                log_demanded: self.rig.target.rules.log_errors == LogErrors::Fail,
                ..Support::default()
            },
            finished: false,
            attribution: Attribution::NONE,
            data: DataTimeline::default(),
            reference: reported.comparison.as_ref().map(|comparison| Reference {
                evidence: Evidence::without_pictures(comparison.reference.clone()),
                rule: comparison.rule.clone(),
            }),
            environment: self.environment.clone(),
        }
    }
}
