//! What a campaign did, as one JSON object for scripts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CampaignPlan, CampaignReport, Confirmation, Finding, FindingCount};
use crate::engine::PropertyCounts;

/// What came of a campaign, for those who read of it later.
#[derive(Clone, Debug)]
pub struct CampaignOutcome {
    /// Its numbers; `None` where it has not ended, or was killed.
    pub summary: Option<CampaignSummary>,
    /// Why it ended, in one word; `None` while it runs.
    pub end: Option<String>,
    /// What it found, in the order of finding.
    pub findings: Vec<Arc<Finding>>,
    /// How far it had come after so many events, in order.
    pub curve: Vec<CoverageSample>,
}

/// How far a campaign has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverageSample {
    /// Events so far.
    pub events: u64,
    /// Tests so far.
    pub tests: u64,
    /// Different screens so far.
    pub states: u64,
    /// Different activities so far.
    pub activities: u64,
    /// Findings so far.
    pub findings: u64,
}

/// What `fuzz --json` prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CampaignSummary {
    /// Package of the app under test.
    pub app: String,
    /// Which bugs were on.
    pub build: String,
    /// The engine.
    pub engine: String,
    /// Its mode.
    pub mode: String,
    /// The seed.
    pub seed: u64,
    /// Events performed; confirming findings does not count.
    pub events: u64,
    /// Tests started.
    pub tests: u64,
    /// Time that passed on the device.
    pub virtual_ms: u64,
    /// Time that passed here.
    pub seconds: f64,
    /// Events divided by seconds.
    pub events_per_second: f64,
    /// A hash of everything that happened, in hexadecimal digits.
    pub fingerprint: String,
    /// `exhausted`, `budget`, `cancelled`, `device`, `bug` or `interrupted`.
    pub end: String,
    /// Activities of the app that were seen.
    pub activities: usize,
    /// Structures of screens that were seen.
    pub states: usize,
    /// What was counted of each DMF.
    pub properties: Vec<PropertySummary>,
    /// What was found.
    pub findings: Vec<FindingSummary>,
}

/// What was counted of a DMF.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PropertySummary {
    /// Its name.
    pub name: String,
    /// Screens on which its precondition held.
    pub precondition_held: u64,
    /// Runs that came to their end.
    pub executed: u64,
    /// Of these: the postcondition held.
    pub held: u64,
    /// Of these: it did not.
    pub violated: u64,
    /// Of these: it cannot be said.
    pub inconclusive: u64,
    /// Runs that did not come to their end.
    pub not_executed: Vec<NotExecutedSummary>,
    /// Events until the precondition held first.
    pub first_ready_event: Option<u64>,
    /// Events until it came to its end first.
    pub first_executed_event: Option<u64>,
    /// Events until it was violated first.
    pub first_violated_event: Option<u64>,
    /// Device time until it was violated first, in milliseconds.
    pub first_violated_ms: Option<u64>,
}

/// Runs of a DMF that ended at the same step for the same reason.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NotExecutedSummary {
    /// The step, from 1; one more than there are steps for the screen after the last.
    pub step: usize,
    /// `target-missing`, `refused`, ...
    pub reason: String,
    /// How many.
    pub count: u64,
}

/// A finding in a few words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindingSummary {
    /// The same for the same origin and attribution, in every run.
    pub id: String,
    /// `property`, `invariant`, `crash`, `anr` or `loading`.
    pub oracle: String,
    /// One sentence.
    pub title: String,
    /// The DMF or invariant, if one was violated.
    pub dmf: Option<String>,
    /// Events until it was seen first.
    pub first_event: u64,
    /// Device time until then, in milliseconds.
    pub first_ms: u64,
    /// How often it was violated.
    pub count: u64,
    /// Events of the test that showed it.
    pub steps: usize,
    /// Events of the shortest trace found.
    pub minimal_steps: usize,
    /// The DMFs in it, in order.
    pub minimal_dmfs: Vec<String>,
    /// Whether it came back every time.
    pub reproduced: bool,
    /// Times it came back.
    pub hits: u32,
    /// Times it was tried.
    pub tries: u32,
    /// The catalogued bugs that it is put down to.
    pub attributed_bugs: Vec<String>,
    /// An earlier violation in the same test may have caused it.
    pub after_drift: bool,
}

/// Sums up a campaign that took `seconds` here.
pub fn summarise(plan: &CampaignPlan, report: &CampaignReport, seconds: f64) -> CampaignSummary {
    let (ledger, engine) = (&report.ledger, plan.engines.first());
    let per_second = if seconds > 0.0 { ledger.events as f64 / seconds } else { 0.0 };
    CampaignSummary {
        app: plan.app.clone(),
        build: plan.build.word(),
        engine: engine.map_or("", |engine| engine.name()).to_owned(),
        mode: engine.map_or("", |engine| engine.mode()).to_owned(),
        seed: plan.seed,
        events: ledger.events,
        tests: ledger.tests,
        virtual_ms: ledger.device_time.millis(),
        seconds,
        events_per_second: per_second.round(),
        fingerprint: format!("{:016x}", ledger.fingerprint()),
        end: report.end.word().to_owned(),
        activities: ledger.activities.len(),
        states: ledger.graph.len(),
        properties: ledger.properties.iter().map(property).collect(),
        findings: report.findings.iter().map(finding).collect(),
    }
}

fn property(counts: &PropertyCounts) -> PropertySummary {
    let not_executed = counts.not_executed.iter();
    PropertySummary {
        name: counts.name.clone(),
        precondition_held: counts.precondition_held,
        executed: counts.executed,
        held: counts.held,
        violated: counts.violated,
        inconclusive: counts.inconclusive,
        not_executed: not_executed
            .map(|((step, reason), count)| NotExecutedSummary {
                step: step + 1,
                reason: reason.word().to_owned(),
                count: *count,
            })
            .collect(),
        first_ready_event: counts.first_ready.map(|moment| moment.event),
        first_executed_event: counts.first_executed.map(|moment| moment.event),
        first_violated_event: counts.first_violated.map(|moment| moment.event),
        first_violated_ms: counts.first_violated.map(|moment| moment.device_time.millis()),
    }
}

fn finding(found: &FindingCount) -> FindingSummary {
    let finding = &found.finding;
    let (hits, tries) = finding.confirmation.counts();
    FindingSummary {
        id: finding.id.clone(),
        oracle: finding.origin.oracle.name().to_owned(),
        title: finding.title.clone(),
        dmf: finding.violation.dmf.map(|_| finding.violation.subject.clone()),
        first_event: finding.first.event,
        first_ms: finding.first.device_time.millis(),
        count: found.count,
        steps: finding.witness.trace.len(),
        minimal_steps: finding.minimal.trace.len(),
        minimal_dmfs: finding.minimal_dmfs.clone(),
        reproduced: matches!(finding.confirmation, Confirmation::Reproduced { .. }),
        hits,
        tries,
        attributed_bugs: finding.attributed_bugs.clone(),
        after_drift: finding.violation.after_drift,
    }
}
