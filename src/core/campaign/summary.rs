//! What a campaign did, as one JSON object for scripts.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Attribution, CampaignPlan, CampaignReport, Confirmation, EndReason, Finding, FindingCount};
use crate::determinism::StableHasher;
use crate::engine::{EngineConfig, EngineView, Ledger, NotExecuted, PropertyCounts};
use crate::model::{LayoutKey, Text};

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

/// How far one engine of a campaign has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageSample {
    /// The engine's place in the plan.
    pub run: u32,
    /// Time so far, here, in milliseconds.
    pub millis: u64,
    /// Events so far.
    pub events: u64,
    /// Tests so far.
    pub tests: u64,
    /// Different screens so far.
    pub states: u64,
    /// Pairs of screens between which an event led, so far.
    pub transitions: u64,
    /// Different activities so far.
    pub activities: u64,
    /// Code points executed so far; `None` where the app has none, or an older program kept none.
    pub code: Option<u64>,
    /// Findings so far.
    pub findings: u64,
}

/// What one engine of a campaign has counted so far, for those who look on: small, as it is told often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Events.
    pub events: u64,
    /// Tests.
    pub tests: u64,
    /// Structures of screens.
    pub states: usize,
    /// Pairs of screens between which an event led.
    pub transitions: usize,
    /// Activities.
    pub activities: usize,
    /// Code points of the app that were executed.
    pub code_covered: usize,
    /// How many it has; 0 without instrumentation.
    pub code_points: u32,
    /// Answers of the device that came garbled.
    pub garbled: u64,
    /// What was counted of each DMF.
    pub properties: Vec<PropertyCounts>,
}

impl RunCounts {
    /// What a ledger says.
    pub fn of(ledger: &Ledger) -> Self {
        RunCounts {
            events: ledger.events,
            tests: ledger.tests,
            states: ledger.graph.len(),
            transitions: ledger.graph.transitions().len(),
            activities: ledger.activities.len(),
            code_covered: ledger.code.len(),
            code_points: ledger.code_points,
            garbled: ledger.garbled,
            properties: ledger.properties.clone(),
        }
    }

    /// A point of the curves of this run, after so many findings and so much time here.
    pub fn sample(&self, run: u32, findings: u64, millis: u64) -> CoverageSample {
        CoverageSample {
            run,
            millis,
            events: self.events,
            tests: self.tests,
            states: self.states as u64,
            transitions: self.transitions as u64,
            activities: self.activities as u64,
            code: (self.code_points > 0).then_some(self.code_covered as u64),
            findings,
        }
    }
}

/// What one engine of a campaign did.
#[derive(Clone, Copy)]
pub struct EngineRun<'r> {
    /// The engine.
    pub engine: &'r EngineConfig,
    /// What it did.
    pub report: &'r CampaignReport,
    /// Time that passed here.
    pub seconds: f64,
}

/// What `fuzz --json` prints: all engines together, then each by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CampaignSummary {
    /// Package of the app under test.
    pub app: String,
    /// Which bugs were on.
    pub build: String,
    /// The engines, comma-separated.
    pub engine: String,
    /// Their modes, where they have several.
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
    /// Code points of the app that were executed.
    #[serde(default)]
    pub code_covered: usize,
    /// How many it has; 0 without instrumentation.
    #[serde(default)]
    pub code_points: u32,
    /// Answers of the devices that came garbled: asked for again, or their tests ended unjudged.
    #[serde(default)]
    pub garbled_answers: u64,
    /// What was counted of each DMF.
    pub properties: Vec<PropertySummary>,
    /// What was found.
    pub findings: Vec<FindingSummary>,
    /// Each engine by itself, in the order of the plan.
    #[serde(default)]
    pub engines: Vec<EngineSummary>,
}

/// What was counted of one engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EngineSummary {
    /// Its name.
    pub engine: String,
    /// Its mode, where it has several.
    pub mode: String,
    /// Events performed.
    pub events: u64,
    /// Tests started.
    pub tests: u64,
    /// Time that passed on its device.
    pub virtual_ms: u64,
    /// Time that passed here.
    pub seconds: f64,
    /// Events divided by seconds.
    pub events_per_second: f64,
    /// A hash of everything that happened, in hexadecimal digits.
    pub fingerprint: String,
    /// Why it ended.
    pub end: String,
    /// Activities of the app that were seen.
    pub activities: usize,
    /// Structures of screens that were seen.
    pub states: usize,
    /// Pairs of screens between which an event led.
    pub transitions: usize,
    /// Code points of the app that were executed.
    pub code_covered: usize,
    /// How many it has; 0 without instrumentation.
    pub code_points: u32,
    /// Answers of its device that came garbled.
    #[serde(default)]
    pub garbled_answers: u64,
    /// How many findings it told.
    pub findings: usize,
    /// The tester's rules that it had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleSummary>,
}

/// A tester's rule, and of what use it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleSummary {
    /// The file that it stands in.
    pub file: String,
    /// Its number there, from 1.
    pub rule: usize,
    /// Pages on which it matched.
    pub matches: u64,
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
    /// What lay over the widget of the step, where that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<String>,
    /// How many.
    pub count: u64,
}

/// A finding in a few words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindingSummary {
    /// The same for the same origin and attribution, in every run.
    pub id: String,
    /// The engine that drove the app.
    #[serde(default)]
    pub engine: String,
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
    /// The catalogued bugs that it is put down to; where there are several candidates, all that these name.
    pub attributed_bugs: Vec<String>,
    /// The sets of bugs of which any one may be the cause, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bug_candidates: Vec<Vec<String>>,
    /// An earlier violation in the same test may have caused it.
    pub after_drift: bool,
}

impl FindingSummary {
    /// What it is put down to.
    pub fn attribution(&self) -> Attribution {
        match self.bug_candidates.is_empty() {
            true => Attribution::certain(self.attributed_bugs.clone()),
            false => Attribution::any_of(self.bug_candidates.clone()),
        }
    }
}

impl CampaignSummary {
    /// Its only engine, where it was summed up before engines were by themselves.
    pub fn of_one_engine(&self) -> EngineSummary {
        EngineSummary {
            engine: self.engine.clone(),
            mode: self.mode.clone(),
            events: self.events,
            tests: self.tests,
            virtual_ms: self.virtual_ms,
            seconds: self.seconds,
            events_per_second: self.events_per_second,
            fingerprint: self.fingerprint.clone(),
            end: self.end.clone(),
            activities: self.activities,
            states: self.states,
            transitions: 0,
            code_covered: self.code_covered,
            code_points: self.code_points,
            garbled_answers: self.garbled_answers,
            findings: self.findings.len(),
            rules: Vec::new(),
        }
    }
}

impl EngineSummary {
    /// What is known of an engine that was not summed up: its last sample.
    pub fn so_far(engine: &EngineConfig, sample: CoverageSample, end: &str) -> Self {
        let settings = engine.settings();
        let seconds = sample.millis as f64 / 1000.0;
        EngineSummary {
            engine: settings.info().name.to_owned(),
            mode: settings.mode(),
            events: sample.events,
            tests: sample.tests,
            virtual_ms: 0,
            seconds,
            events_per_second: rate(sample.events, seconds),
            fingerprint: String::new(),
            end: end.to_owned(),
            activities: sample.activities as usize,
            states: sample.states as usize,
            transitions: sample.transitions as usize,
            code_covered: sample.code.unwrap_or(0) as usize,
            code_points: 0,
            garbled_answers: 0,
            findings: sample.findings as usize,
            rules: Vec::new(),
        }
    }
}

/// Sums up a campaign.
pub fn summarise(plan: &CampaignPlan, runs: &[EngineRun<'_>]) -> CampaignSummary {
    let ledgers = || runs.iter().map(|run| &run.report.ledger);
    let engines: Vec<EngineSummary> = runs.iter().map(engine).collect();
    let (events, seconds) = (ledgers().map(|ledger| ledger.events).sum(), longest(runs));
    let each: Vec<u64> = ledgers().map(Ledger::fingerprint).collect();
    let activities: BTreeSet<&Text> = ledgers().flat_map(|ledger| &ledger.activities).collect();
    let states: BTreeSet<LayoutKey> =
        ledgers().flat_map(|ledger| ledger.graph.states()).map(|state| state.key).collect();
    CampaignSummary {
        app: plan.app.clone(),
        build: plan.device.words(&plan.build),
        engine: plan.engine_names(),
        mode: plan.engine_modes(),
        seed: plan.seed,
        events,
        tests: ledgers().map(|ledger| ledger.tests).sum(),
        virtual_ms: ledgers().map(|ledger| ledger.device_time.millis()).max().unwrap_or(0),
        seconds,
        events_per_second: rate(events, seconds),
        fingerprint: fingerprint_words(combined_fingerprint(&each)),
        end: end_of(runs).word().to_owned(),
        activities: activities.len(),
        states: states.len(),
        code_covered: ledgers().flat_map(|ledger| &ledger.code).collect::<BTreeSet<_>>().len(),
        code_points: ledgers().map(|ledger| ledger.code_points).max().unwrap_or(0),
        garbled_answers: ledgers().map(|ledger| ledger.garbled).sum(),
        properties: summed_counts(ledgers().flat_map(|ledger| &ledger.properties))
            .iter()
            .map(property)
            .collect(),
        findings: runs.iter().flat_map(|run| &run.report.findings).map(finding).collect(),
        engines,
    }
}

fn engine(run: &EngineRun<'_>) -> EngineSummary {
    let (settings, ledger) = (run.engine.settings(), &run.report.ledger);
    EngineSummary {
        engine: settings.info().name.to_owned(),
        mode: settings.mode(),
        events: ledger.events,
        tests: ledger.tests,
        virtual_ms: ledger.device_time.millis(),
        seconds: run.seconds,
        events_per_second: rate(ledger.events, run.seconds),
        fingerprint: fingerprint_words(ledger.fingerprint()),
        end: run.report.end.word().to_owned(),
        activities: ledger.activities.len(),
        states: ledger.graph.len(),
        transitions: ledger.graph.transitions().len(),
        findings: run.report.findings.len(),
        rules: rules(&run.report.engine.view),
        code_covered: ledger.code.len(),
        code_points: ledger.code_points,
        garbled_answers: ledger.garbled,
    }
}

fn rules(view: &EngineView) -> Vec<RuleSummary> {
    let EngineView::Fastbot2(view) = view else { return Vec::new() };
    let listed = view.rules.iter();
    listed
        .map(|((file, rule), matches)| RuleSummary { file: file.clone(), rule: *rule, matches: *matches })
        .collect()
}

fn longest(runs: &[EngineRun<'_>]) -> f64 {
    runs.iter().map(|run| run.seconds).fold(0.0, f64::max)
}

fn rate(events: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { (events as f64 / seconds).round() } else { 0.0 }
}

/// As it is printed.
fn fingerprint_words(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// That of the only engine, or a hash of all of theirs in the order of the plan.
pub fn combined_fingerprint(each: &[u64]) -> u64 {
    if let [only] = each {
        return *only;
    }
    let mut hasher = StableHasher::new();
    each.iter().for_each(|fingerprint| hasher.u64(*fingerprint));
    hasher.finish()
}

/// The end of the engine that ended worst: a run that ended early is never shown as a success.
pub fn end_of<'r>(runs: &[EngineRun<'r>]) -> &'r EndReason {
    runs.iter().map(|run| &run.report.end).max_by_key(|end| end.badness()).unwrap_or(&EndReason::Exhausted)
}

/// Counts of the same DMFs, made by several engines, summed.
pub fn summed_counts<'c>(each: impl Iterator<Item = &'c PropertyCounts>) -> Vec<PropertyCounts> {
    let mut sums: Vec<PropertyCounts> = Vec::new();
    for counts in each {
        match sums.iter_mut().find(|sum| sum.name == counts.name) {
            Some(sum) => sum.add(counts),
            None => sums.push(counts.clone()),
        }
    }
    sums
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
                covered_by: match reason {
                    NotExecuted::Covered { by } => Some(by.clone()),
                    _ => None,
                },
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
        engine: finding.engine.to_owned(),
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
        attributed_bugs: finding.attribution.bugs(),
        bug_candidates: finding.attribution.alternatives().to_vec(),
        after_drift: finding.violation.after_drift,
    }
}
