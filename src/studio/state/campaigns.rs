//! Campaigns: what is known of each, what they found.

use std::collections::BTreeMap;
use std::sync::Arc;

use taproof_core::campaign::{
    CampaignPlan, Cause, EndReason, Finding, RunCounts, by_cause, combined_fingerprint, summed_counts,
};
use taproof_core::engine::{EngineConfig, EngineStats, PropertyCounts, StateGraph};
use taproof_core::model::{OracleKind, thousands};
use taproof_results::report::{campaign_again, unsaved_finding_lines};
use taproof_results::store::SpecSource;

use super::campaign_command::FuzzView;
use super::campaign_form::CampaignForm;
use super::curves::{CurveChoice, Sample, thin};
use super::earlier::{EarlierCampaign, Resumed};
use super::form_history::FormHistory;
use super::graph::GraphState;

/// A campaign of this window, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CampaignId(pub u32);

/// How a campaign is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignPhase {
    /// Its worker has no device yet.
    Starting,
    /// It works.
    Running,
    /// It waits.
    Paused,
    /// It is over.
    Ended(EndReason),
}

/// What is known of one engine of a campaign.
pub struct EngineRunState {
    /// The engine's name, as people know it, and its mode where it has several.
    pub label: String,
    /// How it is.
    pub phase: CampaignPhase,
    /// Events that it may perform in all.
    pub budget: u64,
    /// What it counted so far.
    pub counts: RunCounts,
    /// Findings that it told, by what judged.
    pub findings: BTreeMap<OracleKind, usize>,
    /// Seconds of work so far, told by the window.
    pub seconds: f64,
    /// A hash of everything that happened; once it is over.
    pub fingerprint: Option<u64>,
    /// What the engine says of itself.
    pub stats: EngineStats,
    /// The states that it saw, as they were told last.
    pub graph: Option<Arc<StateGraph>>,
    /// The curve.
    pub samples: Vec<Sample>,
}

/// A campaign that is about to start.
pub struct PreparedCampaign {
    /// What is asked for.
    pub plan: CampaignPlan,
    /// The files of its specification.
    pub specs: Vec<SpecSource>,
    /// The specification's name and version.
    pub spec: String,
    /// The app's name.
    pub label: String,
    /// What people should know of the files that its engines begin with.
    pub notes: Vec<String>,
}

/// What is known of a campaign.
pub struct CampaignState {
    /// Which.
    pub id: CampaignId,
    /// Its row in the workspace, once it is written down.
    pub row: Option<i64>,
    /// The app's name.
    pub label: String,
    /// The specification's name and version.
    pub spec: String,
    /// What was asked for.
    pub plan: Arc<CampaignPlan>,
    /// Its engines, in the order of the plan.
    pub runs: Vec<EngineRunState>,
    /// What was found, the oldest first; shown once it is committed.
    pub findings: Vec<Arc<Finding>>,
    /// How often each origin was violated, by finding; known once it is over.
    pub counts: BTreeMap<String, u64>,
    /// What people should know.
    pub warnings: Vec<String>,
    /// Why what it does could not be written down, which ended it.
    pub failed: Option<String>,
    /// The findings that are kept nowhere for that, each in full.
    pub unsaved: Vec<String>,
}

/// All campaigns of this window.
#[derive(Default)]
pub struct Campaigns {
    /// The form.
    pub form: CampaignForm,
    /// What was changed in it.
    pub(super) form_history: FormHistory,
    /// The newest first.
    pub list: Vec<CampaignState>,
    /// The one whose numbers are shown.
    pub selected: Option<CampaignId>,
    /// What the curves show.
    pub curves: CurveChoice,
    /// What the workspace holds, the newest first.
    pub kept: Vec<EarlierCampaign>,
    /// One that goes on, until its engines are started.
    pub resumed: Option<Box<Resumed>>,
    /// Those that can start: the files that their engines begin with were read.
    pub prepared: Vec<PreparedCampaign>,
    /// The engine whose settings are shown in the place of the campaigns.
    pub settings: Option<&'static str>,
    /// What is shown of the campaign.
    pub view: FuzzView,
    /// The engine that is shown, by its place.
    pub run: usize,
    /// Its states, as they are shown.
    pub graph: GraphState,
}

impl EngineRunState {
    /// An engine whose worker is being started.
    pub fn new(engine: &EngineConfig, budget: u64) -> Self {
        let settings = engine.settings();
        let (name, mode) = (settings.info().label, settings.mode());
        EngineRunState {
            label: if mode.is_empty() { name.to_owned() } else { format!("{name} {mode}") },
            phase: CampaignPhase::Starting,
            budget,
            counts: RunCounts::default(),
            findings: BTreeMap::new(),
            seconds: 0.0,
            fingerprint: None,
            stats: EngineStats::default(),
            graph: None,
            samples: Vec::new(),
        }
    }

    /// Whether it is not over.
    pub fn alive(&self) -> bool {
        !matches!(self.phase, CampaignPhase::Ended(_))
    }

    /// Its name without its mode.
    pub fn name(&self) -> &str {
        self.label.split_once(' ').map_or(self.label.as_str(), |(name, _)| name)
    }

    /// How much it found.
    pub fn found(&self) -> usize {
        self.findings.values().sum()
    }

    /// What it found, by what judged, in words.
    pub fn finding_words(&self) -> String {
        let parts =
            self.findings.iter().map(|(oracle, count)| format!("{count} {}", oracle_word(oracle.name())));
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "\u{2013}".to_owned() } else { parts.join(", ") }
    }

    /// Events in a second, over all of its time.
    pub fn events_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.counts.events as f64 / self.seconds } else { 0.0 }
    }

    /// Takes what was counted.
    pub fn take_counts(&mut self, counts: &RunCounts) {
        self.counts.clone_from(counts);
        thin(&mut self.samples);
        self.samples.push(Sample {
            events: counts.events,
            seconds: self.seconds,
            states: counts.states,
            transitions: counts.transitions,
            activities: counts.activities,
            code: (counts.code_points > 0).then_some(counts.code_covered),
            findings: self.found(),
        });
    }
}

impl CampaignState {
    /// A campaign whose workers are being started; `budgets` are the events that each engine may perform.
    pub fn new(
        id: CampaignId,
        label: String,
        spec: String,
        plan: Arc<CampaignPlan>,
        budgets: &[u64],
    ) -> Self {
        let engines = plan.engines.iter().zip(budgets);
        CampaignState {
            id,
            row: None,
            label,
            spec,
            runs: engines.map(|(engine, budget)| EngineRunState::new(engine, *budget)).collect(),
            plan,
            findings: Vec::new(),
            counts: BTreeMap::new(),
            warnings: Vec::new(),
            failed: None,
            unsaved: Vec::new(),
        }
    }

    /// The same for one that goes on: with what was counted and found before.
    pub fn resumed(id: CampaignId, label: String, resumed: &Resumed, budgets: &[u64]) -> Self {
        let plan = Arc::clone(&resumed.plan);
        let mut campaign = CampaignState::new(id, label, resumed.spec.clone(), plan, budgets);
        campaign.row = Some(resumed.row);
        for (run, (_, samples)) in campaign.runs.iter_mut().zip(&resumed.curves.runs) {
            run.samples.clone_from(samples);
            run.seconds = samples.last().map_or(0.0, |last| last.seconds);
        }
        let found = resumed.from.iter().flatten().flat_map(|from| &from.findings);
        found.for_each(|finding| campaign.take_finding(Arc::clone(finding)));
        campaign
    }

    /// How it is: over when all engines are, with the end of the one that ended worst.
    pub fn phase(&self) -> CampaignPhase {
        let phases = || self.runs.iter().map(|run| &run.phase);
        for one in [CampaignPhase::Running, CampaignPhase::Paused, CampaignPhase::Starting] {
            if phases().any(|phase| *phase == one) {
                return one;
            }
        }
        if let Some(problem) = &self.failed {
            return CampaignPhase::Ended(EndReason::NotWritten(problem.clone()));
        }
        let ends = phases().filter_map(|phase| match phase {
            CampaignPhase::Ended(end) => Some(end),
            CampaignPhase::Starting | CampaignPhase::Running | CampaignPhase::Paused => None,
        });
        let worst = ends.max_by_key(|end| end.badness()).cloned();
        CampaignPhase::Ended(worst.unwrap_or(EndReason::Exhausted))
    }

    /// Whether it is not over.
    pub fn alive(&self) -> bool {
        self.runs.iter().any(EngineRunState::alive)
    }

    /// Events of all engines.
    pub fn events(&self) -> u64 {
        self.runs.iter().map(|run| run.counts.events).sum()
    }

    /// Events that all engines may perform together.
    pub fn budget(&self) -> u64 {
        self.runs.iter().fold(0, |sum, run| sum.saturating_add(run.budget))
    }

    /// Tests of all engines.
    pub fn tests(&self) -> u64 {
        self.runs.iter().map(|run| run.counts.tests).sum()
    }

    /// The most structures of screens that one engine saw.
    pub fn states(&self) -> usize {
        self.runs.iter().map(|run| run.counts.states).max().unwrap_or(0)
    }

    /// The most activities that one engine saw.
    pub fn activities(&self) -> usize {
        self.runs.iter().map(|run| run.counts.activities).max().unwrap_or(0)
    }

    /// Seconds of work so far.
    pub fn seconds(&self) -> f64 {
        self.runs.iter().map(|run| run.seconds).fold(0.0, f64::max)
    }

    /// The part of its budget that is spent, 0 to 1.
    pub fn progress(&self) -> f32 {
        let budget = self.budget();
        if budget == 0 { 1.0 } else { (self.events() as f64 / budget as f64).min(1.0) as f32 }
    }

    /// Events in a second, over all of its time.
    pub fn events_per_second(&self) -> f64 {
        let seconds = self.seconds();
        if seconds > 0.0 { self.events() as f64 / seconds } else { 0.0 }
    }

    /// Seconds that are left if it goes on as it does; once that can be told.
    pub fn seconds_left(&self) -> Option<f64> {
        let speed = self.events_per_second();
        let known = self.phase() == CampaignPhase::Running && self.seconds() > 1.0 && speed > 0.0;
        known.then(|| self.budget().saturating_sub(self.events()) as f64 / speed)
    }

    /// That of the only engine, or a hash of all of theirs; once all are over.
    pub fn fingerprint(&self) -> Option<u64> {
        let each: Option<Vec<u64>> = self.runs.iter().map(|run| run.fingerprint).collect();
        each.map(|each| combined_fingerprint(&each))
    }

    /// How many answers of the devices came garbled, in words; `None` where none did.
    pub fn garbled_sentence(&self) -> Option<String> {
        let answers: u64 = self.runs.iter().map(|run| run.counts.garbled).sum();
        let garbled =
            format!("Garbled answers: {answers}. They were asked for again, or ended their tests unjudged.");
        (answers > 0).then_some(garbled)
    }

    /// What was counted of each DMF, over all engines.
    pub fn properties(&self) -> Vec<PropertyCounts> {
        summed_counts(self.runs.iter().flat_map(|run| &run.counts.properties))
    }

    /// What it does cannot be written down. Whether that is new.
    pub fn not_written(&mut self, problem: &str, finding: Option<&Finding>) -> bool {
        if let Some(finding) = finding {
            let command = format!("{}\n# with {}", campaign_again(&self.plan, &[]), self.spec);
            self.unsaved.push(unsaved_finding_lines(finding, &command).join("\n"));
        }
        let new = self.failed.is_none();
        self.failed.get_or_insert_with(|| problem.to_owned());
        new
    }

    /// Takes a finding that is committed; a later one of the same id replaces it.
    pub fn take_finding(&mut self, finding: Arc<Finding>) {
        let teller = self.plan.engines.iter().position(|engine| engine.name() == finding.engine);
        let oracle = finding.origin.oracle;
        match self.findings.iter_mut().find(|known| known.id == finding.id) {
            Some(known) => *known = finding,
            None => {
                self.findings.push(finding);
                if let Some(run) = teller.and_then(|place| self.runs.get_mut(place)) {
                    *run.findings.entry(oracle).or_default() += 1;
                }
            }
        }
    }

    /// The findings by their cause, the newest cause first, each cause's in the order of finding.
    pub fn causes(&self) -> Vec<Vec<&Arc<Finding>>> {
        let mut causes = by_cause(&self.findings, |finding| Cause::of(finding));
        causes.reverse();
        causes
    }

    /// Which functions it never ran to their end, once it is over: nothing is known of them.
    pub fn idle_sentence(&self) -> Option<String> {
        // Engines beside the property-based one run no functions of their own accord.
        let runs_them = self.plan.engines.iter().any(|engine| engine.settings().guards_data());
        let properties = if runs_them { self.properties() } else { Vec::new() };
        let idle = properties.iter().filter(|counts| counts.executed == 0);
        let idle: Vec<&str> = idle.map(|counts| counts.name.as_str()).collect();
        let all = properties.len();
        let say =
            || format!("{} of {all} functions never ran to their end: {}.", idle.len(), idle.join(", "));
        (!self.alive() && !idle.is_empty()).then(say)
    }

    /// How often the origin of a finding was violated, as far as known.
    pub fn count_of(&self, finding: &Finding) -> u64 {
        self.counts.get(&finding.id).copied().unwrap_or(finding.count)
    }

    /// How it ended, in words.
    pub fn end_sentence(&self) -> Option<String> {
        let CampaignPhase::Ended(end) = self.phase() else { return None };
        Some(end_words(&end, self.events()))
    }
}

/// How something ended after so many events, in words.
pub fn end_words(end: &EndReason, events: u64) -> String {
    match end {
        EndReason::Exhausted => "Done: there is nothing left to try.".to_owned(),
        EndReason::BudgetSpent => "Done: the budget is spent.".to_owned(),
        EndReason::Cancelled => format!("Cancelled after event {}.", thousands(events)),
        EndReason::DeviceFailed(error) => format!("Ended early, the device failed: {error}."),
        EndReason::BadCheckpoint(error) => format!("Not gone on with: {error}."),
        EndReason::NotWritten(problem) => {
            format!("Failed, its results could not be written: {problem}. It can be resumed once they can.")
        }
        EndReason::Interrupted => "Interrupted: the program was stopped while it ran.".to_owned(),
        EndReason::Bug(report) => {
            format!("Ended early by a mistake in Taproof: {}. Please report it.", report.message)
        }
    }
}

/// What judged, as lists say it.
pub fn oracle_word(oracle: &str) -> &str {
    match oracle {
        "anr" => "not responding",
        "loading" => "never loads",
        other => other,
    }
}

impl Campaigns {
    /// How many are not over.
    pub fn running(&self) -> usize {
        self.list.iter().filter(|campaign| campaign.alive()).count()
    }

    /// How many findings there are.
    pub fn findings(&self) -> usize {
        self.list.iter().map(|campaign| campaign.findings.len()).sum()
    }

    /// The campaign of that number.
    pub fn get(&self, id: CampaignId) -> Option<&CampaignState> {
        self.list.iter().find(|campaign| campaign.id == id)
    }

    /// The campaign of that number, to be changed.
    pub fn get_mut(&mut self, id: CampaignId) -> Option<&mut CampaignState> {
        self.list.iter_mut().find(|campaign| campaign.id == id)
    }

    /// The one whose numbers are shown.
    pub fn shown(&self) -> Option<&CampaignState> {
        self.selected.and_then(|id| self.get(id)).or(self.list.first())
    }

    /// The engine that is shown of the campaign that is shown, by its place.
    pub fn shown_run(&self) -> Option<usize> {
        let runs = self.shown()?.runs.len();
        Some(self.run.min(runs.checked_sub(1)?))
    }

    /// The campaigns that the workspace holds and this window has not run, or could not write down to the end.
    pub fn earlier(&self) -> impl Iterator<Item = &EarlierCampaign> {
        let here = |row: i64| {
            self.list.iter().any(|campaign| campaign.row == Some(row) && campaign.failed.is_none())
        };
        self.kept.iter().filter(move |kept| !here(kept.row))
    }

    /// A number that no campaign has yet: as a rule that of the row that it will get.
    pub fn next_id(&self) -> CampaignId {
        let kept = self.kept.iter().map(|kept| u32::try_from(kept.row).unwrap_or(0));
        CampaignId(self.list.iter().map(|campaign| campaign.id.0).chain(kept).max().unwrap_or(0) + 1)
    }

    /// The number of a campaign that goes on: that of its row, if it is free.
    pub fn resumed_id(&self, row: i64) -> CampaignId {
        let id = u32::try_from(row).ok().map(CampaignId).filter(|id| self.get(*id).is_none());
        id.unwrap_or_else(|| self.next_id())
    }

    /// The finding of that id in that campaign.
    pub fn finding(&self, campaign: CampaignId, id: &str) -> Option<&Arc<Finding>> {
        self.get(campaign)?.findings.iter().find(|finding| finding.id == id)
    }
}
