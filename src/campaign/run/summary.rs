//! The result of a campaign, as one JSON object for scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{BugClass, CampaignPlan, CampaignReport, Confirmation, EndReason, Finding, FindingCount};
use taproof_engine::{
    CampaignStats, EngineConfig, EngineStats, NotExecuted, PropertyCounts, RuleCounts, StateGraph, Task,
};
use taproof_screen::determinism::StableHasher;
use taproof_screen::{DeviceDuration, EventKey, LayoutKey, Text, widget_name};
use taproof_spec::{Dmf, Spec};

/// The result of a campaign, as reports show it later.
#[derive(Clone, Debug)]
pub struct CampaignOutcome {
    /// The statistics; `None` if the campaign has not ended or was killed.
    pub summary: Option<CampaignSummary>,
    /// Why it ended, in one word; `None` while it runs.
    pub end: Option<String>,
    /// The findings, in the order in which they were found.
    pub findings: Vec<Arc<Finding>>,
    /// Progress over time: samples in the order in which they were taken.
    pub curve: Vec<CoverageSample>,
}

/// The progress of one engine of a campaign at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoverageSample {
    /// Index of the engine in the plan.
    pub run: u32,
    /// Wall time so far, in milliseconds.
    pub millis: u64,
    /// Number of events so far.
    pub events: u64,
    /// Number of tests started so far.
    pub tests: u64,
    /// Number of different screen structures so far.
    pub states: u64,
    /// Number of pairs of screens so far between which an event led.
    pub transitions: u64,
    /// Number of different activities so far.
    pub activities: u64,
    /// Number of code points executed so far. `None` if the app is not instrumented.
    pub code: Option<u64>,
    /// Number of findings so far.
    pub findings: u64,
}

/// What one engine of a campaign has counted so far, for display. Small, since it is published often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Number of events performed.
    pub events: u64,
    /// Number of events performed again to confirm, minimise and attribute findings.
    pub reexecuted: u64,
    /// What the engine's campaign does at the moment.
    pub task: Task,
    /// Number of tests started.
    pub tests: u64,
    /// Number of different screen structures.
    pub states: usize,
    /// Number of pairs of screens between which an event led.
    pub transitions: usize,
    /// Number of different activities.
    pub activities: usize,
    /// Number of code points of the app that were executed.
    pub code_covered: usize,
    /// Number of code points of the app; 0 without instrumentation.
    pub code_points: u32,
    /// Number of garbled answers of the device.
    pub garbled: u64,
    /// What was counted of each DMF.
    pub properties: Vec<PropertyCounts>,
}

impl RunCounts {
    /// The counts in these statistics.
    pub fn of(stats: &CampaignStats) -> Self {
        RunCounts {
            events: stats.events,
            reexecuted: stats.reexecuted,
            task: stats.task,
            tests: stats.tests,
            states: stats.graph.len(),
            transitions: stats.graph.transitions().len(),
            activities: stats.activities.len(),
            code_covered: stats.code.len(),
            code_points: stats.code_points,
            garbled: stats.garbled,
            properties: stats.properties.clone(),
        }
    }

    /// A sample of this engine's progress, with the number of findings and the wall time in milliseconds. `run` is the
    /// index of the engine in the plan.
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

/// The result of one engine of a campaign, with its wall time.
#[derive(Clone, Copy)]
pub struct EngineRun<'r> {
    /// The engine as the plan configures it.
    pub engine: &'r EngineConfig,
    /// What the engine reported at its end.
    pub report: &'r CampaignReport,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// What `fuzz --json` prints: the totals of all engines, then each engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CampaignSummary {
    /// Package name of the app under test.
    pub app: String,
    /// Where the app ran: the build on the bundled phone, or the serials of the devices.
    pub build: String,
    /// The names of the engines, comma-separated.
    pub engine: String,
    /// The modes of the engines that have several, comma-separated.
    pub mode: String,
    /// The seed of the campaign.
    pub seed: u64,
    /// Number of events performed, without those for confirming findings.
    pub events: u64,
    /// Number of tests started.
    pub tests: u64,
    /// Device time in milliseconds; the longest of all engines.
    pub virtual_ms: u64,
    /// Wall time in seconds; the longest of all engines.
    pub seconds: f64,
    /// Number of events per second of wall time.
    pub events_per_second: f64,
    /// Hash of everything that happened, in hexadecimal digits.
    pub fingerprint: String,
    /// Why the campaign ended, in one word, as [`EndReason::word`] returns it. With several engines, the worst reason.
    pub end: String,
    /// Number of different activities of the app that were seen.
    pub activities: usize,
    /// The activities in the app's manifest that no engine has seen, as `package/class`.
    pub unreached: Vec<String>,
    /// Number of activities in the app's manifest; `None` if that was not read.
    pub declared_activities: Option<usize>,
    /// The usable widgets that no event of any engine has touched, with one of each kind.
    pub untouched: Vec<UntouchedWidget>,
    /// Number of kinds of usable widgets that were seen; 0 in campaigns of earlier versions, which did not count them.
    #[serde(default)]
    pub usable_widgets: usize,
    /// Number of different screen structures that were seen.
    pub states: usize,
    /// Number of code points of the app that were executed.
    pub code_covered: usize,
    /// Number of code points of the app; 0 without instrumentation.
    pub code_points: u32,
    /// Number of garbled answers of the devices. Each was requested again, or its test ended without a verdict.
    pub garbled_answers: u64,
    /// The tester's rules about screens, and how often each fired.
    pub test_rules: Vec<FiredRule>,
    /// The places out of bounds that were left.
    pub out_of_bounds: Vec<LeftPlace>,
    /// What was counted of each DMF.
    pub properties: Vec<PropertySummary>,
    /// The findings of all engines.
    pub findings: Vec<FindingSummary>,
    /// The result of each engine, in the order of the plan.
    pub engines: Vec<EngineSummary>,
}

/// A usable widget that was never touched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UntouchedWidget {
    /// The activity that it was first seen on, as `package/class`.
    pub activity: String,
    /// The widget in words.
    pub widget: String,
}

/// The result of one engine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EngineSummary {
    /// Name of the engine.
    pub engine: String,
    /// Mode of the engine; empty if it has only one.
    pub mode: String,
    /// Number of events performed, without those for confirming findings.
    pub events: u64,
    /// Number of tests started.
    pub tests: u64,
    /// Device time in milliseconds.
    pub virtual_ms: u64,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Number of events per second of wall time.
    pub events_per_second: f64,
    /// Hash of everything that happened, in hexadecimal digits.
    pub fingerprint: String,
    /// Why the engine ended, in one word, as [`EndReason::word`] returns it.
    pub end: String,
    /// Number of different activities of the app that were seen.
    pub activities: usize,
    /// Number of different screen structures that were seen.
    pub states: usize,
    /// Number of pairs of screens between which an event led.
    pub transitions: usize,
    /// Number of code points of the app that were executed.
    pub code_covered: usize,
    /// Number of code points of the app; 0 without instrumentation.
    pub code_points: u32,
    /// Number of garbled answers of the device.
    pub garbled_answers: u64,
    /// Number of findings that the engine reported.
    pub findings: usize,
    /// What the engine told of itself at its end.
    pub stats: EngineStats,
}

/// A rule of the tester about a screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiredRule {
    /// The rule by name, or by number and widget.
    pub rule: String,
    /// How often it fired, without re-executions.
    pub fired: u64,
}

/// A place that the tester's lists keep engines out of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftPlace {
    /// The activity, the screen or the package, in words.
    pub place: String,
    /// How often it was left, counting each attempt.
    pub left: u64,
}

/// What was counted of a DMF.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PropertySummary {
    /// Name of the DMF.
    pub name: String,
    /// Why it is neither run nor judged; `None` if it is.
    #[serde(default)]
    pub not_judged: Option<String>,
    /// Number of screens on which the precondition held.
    pub precondition_held: u64,
    /// Number of completed runs.
    pub executed: u64,
    /// Number of completed runs after which the postcondition held.
    pub held: u64,
    /// Number of completed runs after which the postcondition was violated.
    pub violated: u64,
    /// Number of completed runs that could not be judged.
    pub inconclusive: u64,
    /// Runs that were not completed, grouped by step and reason.
    pub not_executed: Vec<NotExecutedSummary>,
    /// Number of events until the precondition first held; `None` if it never did.
    pub first_ready_event: Option<u64>,
    /// Number of events until the first completed run; `None` if there was none.
    pub first_executed_event: Option<u64>,
    /// Number of events until the first violation; `None` if there was none.
    pub first_violated_event: Option<u64>,
    /// Device time until the first violation, in milliseconds; `None` if there was none.
    pub first_violated_ms: Option<u64>,
    /// Device time of all runs, completed or not, in milliseconds.
    pub device_ms: u64,
}

/// Runs of a DMF that ended at the same step for the same reason.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NotExecutedSummary {
    /// The step, from 1. One more than the number of steps stands for the screen after the last step.
    pub step: usize,
    /// Why the runs ended, in one word: `target-missing`, `refused`, ...
    pub reason: String,
    /// What covered the widget of the step; `None` if that is not the reason.
    pub covered_by: Option<String>,
    /// Number of these runs.
    pub count: u64,
}

/// A finding in a few words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindingSummary {
    /// Identifier, the same in every run for the same engine, origin and attribution.
    pub id: String,
    /// Name of the engine that found it.
    pub engine: String,
    /// Name of the oracle that reported it, such as `property`, `invariant`, `crash`, `anr` or `loading`.
    pub oracle: String,
    /// The violation in one sentence.
    pub title: String,
    /// Name of the DMF that was violated; `None` if the violation is not of a DMF.
    pub dmf: Option<String>,
    /// Number of events until it was first seen.
    pub first_event: u64,
    /// Device time until it was first seen, in milliseconds.
    pub first_ms: u64,
    /// Number of violations of its origin in the whole campaign.
    pub count: u64,
    /// Number of events of the test in which it was seen.
    pub steps: usize,
    /// Number of events of the shortest trace found.
    pub minimal_steps: usize,
    /// Names of the DMFs that the shortest trace runs, in order.
    pub minimal_dmfs: Vec<String>,
    /// Whether it appeared in every re-execution.
    pub reproduced: bool,
    /// Number of re-executions in which it appeared.
    pub hits: u32,
    /// Number of re-executions of the shortest trace.
    pub tries: u32,
    /// Whether it was confirmed and minimised as planned; otherwise `taproof minimise` goes on with it.
    pub finished: bool,
    /// Whether it is a bug, by its evidence.
    pub class: BugClass,
    /// Number of re-executions whose control showed nothing, see [`Support`](crate::Support).
    pub controls: u32,
    /// Number of other tests with other data that showed it.
    pub other_tests: u32,
    /// The catalogued bugs that it is attributed to. If there are several candidates, the bugs of all of them.
    pub attributed_bugs: Vec<String>,
    /// The sets of bugs of which any one may be the cause; empty unless there are several.
    pub bug_candidates: Vec<Vec<String>>,
    /// Whether an earlier violation, or random events that changed data, may have caused it.
    pub after_drift: bool,
}

impl PropertySummary {
    /// The counts as reports show them.
    pub fn of(counts: &PropertyCounts) -> PropertySummary {
        let not_executed = counts.not_executed.iter();
        PropertySummary {
            name: counts.name.clone(),
            not_judged: counts.not_judged.clone(),
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
            device_ms: counts.device_time.millis(),
        }
    }

    /// The counts of a stored summary, without the moments of the firsts. Reasons that this version does not know are left
    /// out.
    pub fn counts(&self) -> PropertyCounts {
        let reason = |stopped: &NotExecutedSummary| {
            let reason = NotExecuted::from_word(&stopped.reason, stopped.covered_by.as_deref())?;
            Some(((stopped.step.saturating_sub(1), reason), stopped.count))
        };
        PropertyCounts {
            name: self.name.clone(),
            not_judged: self.not_judged.clone(),
            precondition_held: self.precondition_held,
            executed: self.executed,
            held: self.held,
            violated: self.violated,
            inconclusive: self.inconclusive,
            not_executed: self.not_executed.iter().filter_map(reason).collect(),
            first_ready: None,
            first_executed: None,
            first_violated: None,
            device_time: DeviceDuration::from_millis(self.device_ms),
        }
    }

    /// Why no run was completed, as a sentence; `None` if one was.
    fn why_idle(&self) -> Option<String> {
        if self.executed > 0 {
            return None;
        }
        let name = &self.name;
        let most = self.not_executed.iter().max_by_key(|entry| entry.count);
        Some(match most {
            _ if self.precondition_held == 0 => {
                format!("{name:?} could never start: its preconditions held on no screen")
            }
            None if self.precondition_held == 1 => format!("{name:?} could start on 1 screen, but never ran"),
            None => format!("{name:?} could start on {} screens, but never ran", self.precondition_held),
            Some(NotExecutedSummary { step, reason, count, .. }) => {
                format!(
                    "{name:?} never ran to its end: most often it stopped at step {step} ({reason}, {count} of its tries)"
                )
            }
        })
    }
}

impl EngineSummary {
    /// What is known of an engine that was not summarised: its last sample.
    pub fn so_far(engine: &EngineConfig, sample: CoverageSample, end: &str) -> Self {
        let settings = engine.settings();
        let seconds = sample.millis as f64 / 1000.0;
        EngineSummary {
            engine: settings.name().to_owned(),
            mode: settings.mode(),
            events: sample.events,
            tests: sample.tests,
            seconds,
            events_per_second: rate(sample.events, seconds),
            end: end.to_owned(),
            activities: sample.activities as usize,
            states: sample.states as usize,
            transitions: sample.transitions as usize,
            code_covered: sample.code.unwrap_or(0) as usize,
            findings: sample.findings as usize,
            ..EngineSummary::default()
        }
    }
}

/// The declared activities that were not seen. Screens name a class below the package without it.
fn unreached(declared: &BTreeSet<&String>, seen: &BTreeSet<&Text>) -> Vec<String> {
    let full = |activity: &str| match activity.split_once("/.") {
        Some((package, class)) => format!("{package}/{package}.{class}"),
        None => activity.to_owned(),
    };
    let seen: BTreeSet<String> = seen.iter().map(|activity| full(activity)).collect();
    declared
        .iter()
        .filter(|activity| !seen.contains(**activity))
        .map(|activity| (*activity).clone())
        .collect()
}

/// The usable widgets that no event of these graphs has touched, by activity, and the number of all kinds of usable widgets.
fn untouched<'g>(graphs: impl Iterator<Item = &'g StateGraph> + Clone) -> (Vec<UntouchedWidget>, usize) {
    let touched: BTreeSet<EventKey> = graphs.clone().flat_map(StateGraph::touched_kinds).copied().collect();
    let mut found: BTreeMap<EventKey, UntouchedWidget> = BTreeMap::new();
    let mut usable = BTreeSet::new();
    for (key, layout, idx) in graphs.flat_map(StateGraph::usable_kinds) {
        usable.insert(key);
        if !touched.contains(&key) {
            found.entry(key).or_insert_with(|| UntouchedWidget {
                activity: layout.activity().to_string(),
                widget: widget_name(layout.widget(idx)),
            });
        }
    }
    let mut found: Vec<UntouchedWidget> = found.into_values().collect();
    found.sort();
    (found, usable.len())
}

fn fired_rules(plan: &CampaignPlan, counts: &RuleCounts) -> Vec<FiredRule> {
    let rules = plan.all_rules().rules;
    let fired = counts.fired.iter().copied().chain(std::iter::repeat(0));
    let numbered = rules.iter().enumerate().zip(fired);
    numbered.map(|((number, rule), fired)| FiredRule { rule: rule.label(number), fired }).collect()
}

/// Summarises a campaign, given the results of its engines in the order of the plan.
pub fn summarise(plan: &CampaignPlan, runs: &[EngineRun<'_>]) -> CampaignSummary {
    let all_stats = || runs.iter().map(|run| &run.report.stats);
    let engines: Vec<EngineSummary> = runs.iter().map(engine).collect();
    let (events, seconds) = (all_stats().map(|stats| stats.events).sum(), longest(runs));
    let each: Vec<u64> = all_stats().map(CampaignStats::fingerprint).collect();
    let mut rules = RuleCounts::default();
    all_stats().for_each(|stats| rules.add(&stats.rules));
    let activities: BTreeSet<&Text> = all_stats().flat_map(|stats| &stats.activities).collect();
    let (untouched, usable_widgets) = untouched(runs.iter().map(|run| &run.report.stats.graph));
    let declared: BTreeSet<&String> = runs.iter().flat_map(|run| &run.report.declared).collect();
    let states: BTreeSet<LayoutKey> =
        all_stats().flat_map(|stats| stats.graph.states()).map(|state| state.key).collect();
    CampaignSummary {
        app: plan.app.clone(),
        build: plan.device.words(&plan.build),
        engine: plan.engine_names(),
        mode: plan.engine_modes(),
        seed: plan.seed,
        events,
        tests: all_stats().map(|stats| stats.tests).sum(),
        virtual_ms: all_stats().map(|stats| stats.device_time.millis()).max().unwrap_or(0),
        seconds,
        events_per_second: rate(events, seconds),
        fingerprint: fingerprint_words(combined_fingerprint(&each)),
        end: end_of(runs).word().to_owned(),
        activities: activities.len(),
        unreached: unreached(&declared, &activities),
        declared_activities: (!declared.is_empty()).then_some(declared.len()),
        untouched,
        usable_widgets,
        states: states.len(),
        code_covered: all_stats().flat_map(|stats| &stats.code).collect::<BTreeSet<_>>().len(),
        code_points: all_stats().map(|stats| stats.code_points).max().unwrap_or(0),
        garbled_answers: all_stats().map(|stats| stats.garbled).sum(),
        test_rules: fired_rules(plan, &rules),
        out_of_bounds: rules.left.into_iter().map(|(place, left)| LeftPlace { place, left }).collect(),
        properties: summed_counts(all_stats().flat_map(|stats| &stats.properties))
            .iter()
            .map(PropertySummary::of)
            .collect(),
        findings: runs.iter().flat_map(|run| &run.report.findings).map(finding).collect(),
        engines,
    }
}

fn engine(run: &EngineRun<'_>) -> EngineSummary {
    let (settings, stats) = (run.engine.settings(), &run.report.stats);
    EngineSummary {
        engine: settings.name().to_owned(),
        mode: settings.mode(),
        events: stats.events,
        tests: stats.tests,
        virtual_ms: stats.device_time.millis(),
        seconds: run.seconds,
        events_per_second: rate(stats.events, run.seconds),
        fingerprint: fingerprint_words(stats.fingerprint()),
        end: run.report.end.word().to_owned(),
        activities: stats.activities.len(),
        states: stats.graph.len(),
        transitions: stats.graph.transitions().len(),
        findings: run.report.findings.len(),
        stats: run.report.engine.clone(),
        code_covered: stats.code.len(),
        code_points: stats.code_points,
        garbled_answers: stats.garbled,
    }
}

fn longest(runs: &[EngineRun<'_>]) -> f64 {
    runs.iter().map(|run| run.seconds).fold(0.0, f64::max)
}

fn rate(events: u64, seconds: f64) -> f64 {
    // To a thousandth, as a device does one event in seconds.
    if seconds > 0.0 { (events as f64 / seconds * 1000.0).round() / 1000.0 } else { 0.0 }
}

/// The fingerprint as it is printed.
fn fingerprint_words(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Returns the fingerprint of the only engine, or a hash of the fingerprints of all engines in the order of the plan.
pub fn combined_fingerprint(each: &[u64]) -> u64 {
    if let [only] = each {
        return *only;
    }
    let mut hasher = StableHasher::new();
    each.iter().for_each(|fingerprint| hasher.u64(*fingerprint));
    hasher.finish()
}

/// The worst reason of all engines, so that a campaign with an engine that ended early is never shown as a success.
pub fn end_of<'r>(runs: &[EngineRun<'r>]) -> &'r EndReason {
    runs.iter().map(|run| &run.report.end).max_by_key(|end| end.badness()).unwrap_or(&EndReason::Exhausted)
}

/// Sums the counts of each DMF over several engines.
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

/// The functions of the specification that were to run, which `runs` tells, and never ran to their end, each with the
/// reason as a sentence.
pub fn idle_functions(
    spec: &Spec,
    runs: impl Fn(&Dmf) -> bool,
    properties: &[PropertySummary],
) -> Vec<String> {
    let wanted = spec.dmfs.iter().filter(|dmf| runs(dmf));
    let counted = wanted.filter_map(|dmf| properties.iter().find(|property| property.name == dmf.name));
    counted.filter_map(PropertySummary::why_idle).collect()
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
        finished: finding.finished,
        class: finding.class(),
        controls: finding.support.controls,
        other_tests: finding.support.other_tests,
        attributed_bugs: finding.attribution.bugs(),
        bug_candidates: finding.attribution.alternatives().to_vec(),
        after_drift: finding.violation.after_drift,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_a_summary_are_those_that_it_was_made_of() {
        let covered = NotExecuted::Covered { by: "a dialog".to_owned() };
        let reasons = NotExecuted::PLAIN.into_iter().chain([covered]);
        let counts = PropertyCounts {
            name: "rename".to_owned(),
            precondition_held: 9,
            executed: 4,
            held: 2,
            violated: 1,
            inconclusive: 1,
            not_executed: reasons.zip(1..).map(|(reason, count)| ((3, reason), count)).collect(),
            device_time: DeviceDuration::from_millis(1_500),
            ..PropertyCounts::default()
        };
        let mut summary = PropertySummary::of(&counts);
        assert_eq!(summary.counts(), counts);
        summary.not_executed[0].reason = "of a later version".to_owned();
        assert_eq!(summary.counts().not_executed.len(), counts.not_executed.len() - 1);
    }
}
