//! The campaigns of this window, with their progress and findings.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::command::FuzzView;
use super::curves::{CurveChoice, thin};
use super::end_words::{earlier_end, early_sentence, end_words};
use super::event_list::EventList;
use super::found::Found;
use super::graph::GraphState;
use super::opened::Opening;
use crate::fuzz::form::form_history::{FormHistory, FormStep};
use crate::fuzz::form::{CampaignForm, KeptInitial, RuleFiles};
use crate::replay::oracle_word;
use crate::state::CampaignId;
use crate::undo::Joined;
use taproof_campaign::{
    CampaignPlan, CampaignSummary, CoverageSample, EndReason, Finding, RunCounts, UntouchedWidget,
    combined_fingerprint, summed_counts,
};
use taproof_engine::{EngineConfig, EngineStats, PropertyCounts, StateGraph, Task};
use taproof_results::report::unsaved_finding_lines;
use taproof_results::shell::campaign_command;
use taproof_results::store::{CampaignRow, StoredPlan};
use taproof_screen::{Frame, OracleKind, counted, thousands};
use taproof_spec::{distinct_function_words, function_words};

/// How a campaign is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CampaignPhase {
    /// The worker has no device yet.
    #[default]
    Starting,
    /// Events are being performed.
    Running,
    /// A person paused it.
    Paused,
    /// A person cancelled it; it ends after what it is just doing.
    Stopping,
    /// It has ended, for this reason.
    Ended(EndReason),
    /// It was read from the workspace, and ended so, as a keyword. `None` if another program runs it.
    Earlier(Option<String>),
}

/// The progress of one engine of a campaign.
#[derive(Default)]
pub struct EngineRunState {
    /// The engine's name for people, followed by its mode if it has several.
    pub label: String,
    /// The state of the engine.
    pub phase: CampaignPhase,
    /// Maximum number of events.
    pub budget: u64,
    /// The latest statistics: events, tests, coverage.
    pub counts: RunCounts,
    /// Number of reported findings, by oracle.
    pub findings: BTreeMap<OracleKind, usize>,
    /// Whether its device is away, and the engine waits for it.
    pub away: bool,
    /// Seconds that the engine has run, excluding pauses; set by the window.
    pub seconds: f64,
    /// A hash of everything that happened. `None` until the engine has ended.
    pub fingerprint: Option<u64>,
    /// The engine's own statistics.
    pub stats: EngineStats,
    /// The latest state graph, if one has been requested.
    pub graph: Option<Arc<StateGraph>>,
    /// The samples of the curves, the oldest first.
    pub samples: Vec<CoverageSample>,
}

/// A campaign that is ready to start once its files are read.
pub struct PreparedCampaign {
    /// What the campaign runs, with the files of its specification and, once they are read, the traces used as seeds.
    pub stored: StoredPlan,
    /// The specification's name and version, for people.
    pub spec: String,
    /// Paths of files of test rules. Once they are read, the plan has them before those that were collected.
    pub rule_files: Vec<String>,
    /// Recorded traces used as seeds, in the format of `--from`.
    pub seeds: Vec<String>,
    /// Hints for people about the files that were read.
    pub notes: Vec<String>,
}

/// The progress and the findings of a campaign.
pub struct CampaignState {
    /// The campaign's number in this window.
    pub id: CampaignId,
    /// The row in the workspace. `None` until it has been created.
    pub row: Option<i64>,
    /// What the workspace lists of it, if it was read from there. `None` if this window runs it or has run it.
    pub earlier: Option<CampaignRow>,
    /// When it began, in seconds since 1970; `None` if that is not known.
    pub began: Option<i64>,
    /// The app's name, for people.
    pub label: String,
    /// The specification's name and version, for people.
    pub spec: String,
    /// What the campaign runs.
    pub plan: Arc<CampaignPlan>,
    /// Its engines, in the order of the plan.
    pub runs: Vec<EngineRunState>,
    /// What it has found, as far as it is on the disk.
    pub found: Arc<Found>,
    /// How often the origin of each finding was violated so far, by the finding's id.
    pub counts: BTreeMap<String, u64>,
    /// What its devices showed last, by serial. The campaign's own frames: nobody else looks at the devices meanwhile.
    pub screens: BTreeMap<String, Frame>,
    /// Warnings that arose during the campaign, the newest last.
    pub warnings: Vec<String>,
    /// Why the results could not be written, which ended the campaign. `None` if all went well.
    pub failed: Option<String>,
    /// The findings that could not be written for that reason, each as a complete text.
    pub unsaved: Vec<String>,
    /// What all engines have seen together. `None` as long as they run.
    pub together: Option<Coverage>,
}

/// What the engines of an ended campaign have seen of the app together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The number of different screen structures.
    pub states: usize,
    /// The number of different activities.
    pub activities: usize,
    /// The number of activities in the app's manifest; `None` if that was not read.
    pub declared: Option<usize>,
    /// Those of them that were not seen, as `package/class`.
    pub unreached: Vec<String>,
    /// The number of kinds of usable widgets; 0 if they were not counted.
    pub usable: usize,
    /// Those of them that no event has touched.
    pub untouched: Vec<UntouchedWidget>,
}

impl Coverage {
    /// What a summary says of it.
    pub fn of(summary: &CampaignSummary) -> Self {
        Coverage {
            states: summary.states,
            activities: summary.activities,
            declared: summary.declared_activities,
            unreached: summary.unreached.clone(),
            usable: summary.usable_widgets,
            untouched: summary.untouched.clone(),
        }
    }
}

/// All campaigns of this window, with the form that starts them.
#[derive(Default)]
pub struct Campaigns {
    /// The current contents of the form.
    pub form: CampaignForm,
    /// The undo history of the form.
    pub(super) form_history: FormHistory,
    /// The campaigns of this window, the newest first, and below them the earlier one that is open.
    pub list: Vec<CampaignState>,
    /// The earlier campaign that is to be shown instead, as long as it is not open.
    pub opening: Option<Opening>,
    /// The campaign chosen in the list. `None` shows the newest.
    pub selected: Option<CampaignId>,
    /// What the curves show.
    pub curves: CurveChoice,
    /// The campaigns of the workspace, the newest first.
    pub kept: Vec<CampaignRow>,
    /// What is known of files of test rules.
    pub rule_files: RuleFiles,
    /// The initial steps as they were last written.
    pub(super) kept_first: KeptInitial,
    /// Whether the sentence and the list of campaigns are folded to the line of the one that is shown.
    pub folded: bool,
    /// Whether the options of the form are shown below its sentence.
    pub options: bool,
    /// Name of the engine whose settings are shown instead of the campaigns.
    pub settings: Option<&'static str>,
    /// The view of the campaign that is shown.
    pub view: FuzzView,
    /// Index of the shown engine.
    pub run: usize,
    /// The state graph that is shown.
    pub graph: GraphState,
    /// The events that are shown.
    pub events: EventList,
}

impl EngineRunState {
    /// Creates the state of an engine whose worker is being started. `budget` is its maximum number of events.
    pub fn new(engine: &EngineConfig, budget: u64) -> Self {
        let settings = engine.settings();
        let (name, mode) = (engine.info().label, settings.mode());
        EngineRunState {
            label: if mode.is_empty() { name.to_owned() } else { format!("{name} {mode}") },
            budget,
            ..EngineRunState::default()
        }
    }

    /// Whether the engine has not ended.
    pub fn alive(&self) -> bool {
        !matches!(self.phase, CampaignPhase::Ended(_) | CampaignPhase::Earlier(_))
    }

    /// Whether the engine can be paused or cancelled.
    pub fn steerable(&self) -> bool {
        self.alive() && self.phase != CampaignPhase::Stopping
    }

    /// The engine's name without its mode.
    pub fn name(&self) -> &str {
        self.label.split_once(' ').map_or(self.label.as_str(), |(name, _)| name)
    }

    /// Number of findings that the engine reported, over all oracles.
    pub fn found(&self) -> usize {
        self.findings.values().sum()
    }

    /// The number of findings of each oracle, as text.
    pub fn finding_words(&self) -> String {
        let parts = self
            .findings
            .iter()
            .map(|(oracle, count)| format!("{count} \u{d7} {}", oracle_word(oracle.name())));
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "\u{2013}".to_owned() } else { parts.join(", ") }
    }

    /// Average number of events per second. 0 if no time has passed.
    pub fn events_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.counts.events as f64 / self.seconds } else { 0.0 }
    }

    /// Sets the latest statistics and adds a sample to the curves.
    pub fn take_counts(&mut self, counts: RunCounts) {
        thin(&mut self.samples);
        self.samples.push(counts.sample(0, self.found() as u64, (self.seconds * 1000.0) as u64));
        self.counts = counts;
    }
}

impl CampaignState {
    /// Creates the state of a campaign whose workers are being started.
    pub fn new(id: CampaignId, label: String, spec: String, plan: Arc<CampaignPlan>) -> Self {
        let engines = plan.engines.iter().zip(plan.budgets());
        CampaignState {
            id,
            row: None,
            earlier: None,
            began: None,
            label,
            spec,
            runs: engines.map(|(engine, budget)| EngineRunState::new(engine, budget)).collect(),
            plan,
            found: Arc::default(),
            counts: BTreeMap::new(),
            screens: BTreeMap::new(),
            warnings: Vec::new(),
            failed: None,
            unsaved: Vec::new(),
            together: None,
        }
    }

    /// The state of the campaign. It has ended when all engines have, with the worst of their ends.
    pub fn phase(&self) -> CampaignPhase {
        if let Some(earlier) = &self.earlier {
            return CampaignPhase::Earlier(earlier.end.clone());
        }
        let phases = || self.runs.iter().map(|run| &run.phase);
        use CampaignPhase::{Paused, Running, Starting, Stopping};
        for one in [Running, Paused, Starting, Stopping] {
            if phases().any(|phase| *phase == one) {
                return one;
            }
        }
        if let Some(problem) = &self.failed {
            return CampaignPhase::Ended(EndReason::NotWritten(problem.clone()));
        }
        let ends = phases().filter_map(|phase| match phase {
            CampaignPhase::Ended(end) => Some(end),
            Starting | Running | Paused | Stopping | CampaignPhase::Earlier(_) => None,
        });
        let worst = ends.max_by_key(|end| end.badness()).cloned();
        CampaignPhase::Ended(worst.unwrap_or(EndReason::Exhausted))
    }

    /// Whether an engine has not ended.
    pub fn alive(&self) -> bool {
        self.runs.iter().any(EngineRunState::alive)
    }

    /// Number of events of all engines.
    pub fn events(&self) -> u64 {
        self.runs.iter().map(|run| run.counts.events).sum()
    }

    /// Maximum number of events of all engines together.
    pub fn budget(&self) -> u64 {
        self.runs.iter().fold(0, |sum, run| sum.saturating_add(run.budget))
    }

    /// The maximum number of events in a sentence.
    pub fn budget_sentence(&self) -> String {
        let events = thousands(self.budget());
        match self.runs.len() {
            0 | 1 => format!("{events} events"),
            engines => format!("{events} events, shared by {}", counted(engines, "engine")),
        }
    }

    /// Number of tests of all engines.
    pub fn tests(&self) -> u64 {
        self.runs.iter().map(|run| run.counts.tests).sum()
    }

    /// The number of different screen structures that all engines saw together, or as long as they run, the largest
    /// number that one of them saw.
    pub fn states(&self) -> usize {
        let most = || self.runs.iter().map(|run| run.counts.states).max().unwrap_or(0);
        self.together.as_ref().map_or_else(most, |together| together.states)
    }

    /// The number of activities that all engines saw together, or as long as they run, the largest number that one of
    /// them saw.
    pub fn activities(&self) -> usize {
        let most = || self.runs.iter().map(|run| run.counts.activities).max().unwrap_or(0);
        self.together.as_ref().map_or_else(most, |together| together.activities)
    }

    /// Seconds that the campaign has run: the maximum over its engines, which run in parallel.
    pub fn seconds(&self) -> f64 {
        self.runs.iter().map(|run| run.seconds).fold(0.0, f64::max)
    }

    /// The share of the budget that is spent, from 0 to 1.
    pub fn progress(&self) -> f32 {
        let budget = self.budget();
        if budget == 0 { 1.0 } else { (self.events() as f64 / budget as f64).min(1.0) as f32 }
    }

    /// Average number of events of all engines per second. 0 if no time has passed.
    pub fn events_per_second(&self) -> f64 {
        let seconds = self.seconds();
        if seconds > 0.0 { self.events() as f64 / seconds } else { 0.0 }
    }

    /// Estimated seconds until the budget is spent. `None` if the campaign is not running, too short for an estimate, or
    /// past that.
    pub fn seconds_left(&self) -> Option<f64> {
        let speed = self.events_per_second();
        let runs = self.phase() == CampaignPhase::Running && !self.runs.iter().any(|run| run.away);
        let known = runs && self.seconds() > 1.0 && speed > 0.0;
        // How long confirming the last findings takes after that is not known.
        let left = self.budget().saturating_sub(self.events());
        (known && left > 0).then(|| left as f64 / speed)
    }

    /// The combined hash of what all engines did; with one engine, that engine's hash. `None` until all have ended.
    pub fn fingerprint(&self) -> Option<u64> {
        let each: Option<Vec<u64>> = self.runs.iter().map(|run| run.fingerprint).collect();
        each.map(|each| combined_fingerprint(&each))
    }

    /// A sentence about garbled answers of the devices. `None` if there were none.
    pub fn garbled_sentence(&self) -> Option<String> {
        let answers: u64 = self.runs.iter().map(|run| run.counts.garbled).sum();
        let garbled =
            format!("Garbled answers: {answers}. They were asked for again, or ended their tests unjudged.");
        (answers > 0).then_some(garbled)
    }

    /// What the engines do beside fuzzing, such as minimising a finding. `None` if they only fuzz.
    pub fn task_sentence(&self) -> Option<String> {
        let busy = |run: &&EngineRunState| run.alive() && run.counts.task != Task::Fuzzing;
        let has_phone = |run: &&EngineRunState| run.alive() && run.counts.task != Task::Opening;
        // Engines of one phone have it one after the other.
        let shared = self.plan.device.serials().len() == 1 && self.runs.iter().any(|run| has_phone(&run));
        let task = |run: &EngineRunState| match run.counts.task {
            Task::Opening if shared => "waiting for the phone".to_owned(),
            task => task.to_string(),
        };
        let busy = self.runs.iter().filter(busy);
        let words: Vec<String> = busy.map(|run| format!("{}: {}.", run.label, task(run))).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The statistics of each DMF, summed over all engines.
    pub fn properties(&self) -> Vec<PropertyCounts> {
        summed_counts(self.runs.iter().flat_map(|run| &run.counts.properties))
    }

    /// What a person calls the function of this name.
    pub fn function_words(&self, name: &str) -> String {
        let dmfs = &self.plan.spec.dmfs;
        let dmf = dmfs.iter().find(|dmf| dmf.name == name);
        dmf.map_or_else(|| function_words(name), |dmf| distinct_function_words(dmf, dmfs))
    }

    /// The statistics of the functions that its engines run themselves: none that is switched off or not judged.
    pub fn functions(&self) -> Vec<PropertyCounts> {
        let runs = |name: &str| self.plan.spec.dmfs.iter().any(|dmf| dmf.name == name && self.plan.runs(dmf));
        self.properties().into_iter().filter(|counts| runs(&counts.name)).collect()
    }

    /// Records that the results cannot be written, and the finding that is lost if any. Returns whether this is the
    /// first failure.
    pub fn not_written(&mut self, problem: &str, finding: Option<&Finding>) -> bool {
        if let Some(finding) = finding {
            let command = format!("{}\n# with {}", campaign_command(&self.plan, &[]), self.spec);
            self.unsaved.push(unsaved_finding_lines(finding, &command).join("\n"));
        }
        let new = self.failed.is_none();
        self.failed.get_or_insert_with(|| problem.to_owned());
        new
    }

    /// A sentence about the functions that never ran to their end and so were not tested. `None` if there are none or
    /// the campaign has not ended.
    pub fn idle_sentence(&self) -> Option<String> {
        let functions = self.functions();
        let idle: Vec<_> = functions.iter().filter(|counts| counts.executed == 0).collect();
        let begun = idle.iter().filter(|counts| !counts.not_executed.is_empty()).count();
        let broke_off = match begun {
            0 => String::new(),
            begun => format!(" ({begun} began and broke off)"),
        };
        let say = || {
            let names: Vec<&str> = idle.iter().map(|counts| counts.name.as_str()).collect();
            format!(
                "{} of {} functions never ran to their end{broke_off}: {}.",
                idle.len(),
                functions.len(),
                names.join(", ")
            )
        };
        (!self.alive() && !idle.is_empty()).then(say)
    }

    /// A sentence about how the campaign ended. `None` if it has not.
    pub fn end_sentence(&self) -> Option<String> {
        if let Some(earlier) = &self.earlier {
            return Some(earlier_end(earlier));
        }
        let CampaignPhase::Ended(end) = self.phase() else { return None };
        let early: Vec<String> = self.runs.iter().filter_map(early_sentence).collect();
        let done = matches!(end, EndReason::Exhausted | EndReason::BudgetSpent);
        let early = if done { early } else { Vec::new() };
        Some(std::iter::once(end_words(&end, self.events())).chain(early).collect::<Vec<_>>().join(" "))
    }
}

impl Campaigns {
    /// Number of campaigns that have not ended.
    pub fn running(&self) -> usize {
        self.list.iter().filter(|campaign| campaign.alive()).count()
    }

    /// The campaigns that have not ended, and whether all of them are paused.
    pub fn running_words(&self) -> Option<String> {
        let phases: Vec<_> =
            self.list.iter().filter(|known| known.alive()).map(CampaignState::phase).collect();
        let paused = phases.iter().all(|phase| *phase == CampaignPhase::Paused);
        (!phases.is_empty())
            .then(|| format!("{} {}", phases.len(), if paused { "paused" } else { "running" }))
    }

    /// Returns the campaign with this id.
    pub fn get(&self, id: CampaignId) -> Option<&CampaignState> {
        self.list.iter().find(|campaign| campaign.id == id)
    }

    /// Returns the campaign with this id for a change.
    pub fn get_mut(&mut self, id: CampaignId) -> Option<&mut CampaignState> {
        self.list.iter_mut().find(|campaign| campaign.id == id)
    }

    /// The campaign that is shown: the selected one or else the newest. `None` while an earlier one is being opened.
    pub fn shown(&self) -> Option<&CampaignState> {
        if self.opening.is_some() {
            return None;
        }
        self.selected.and_then(|id| self.get(id)).or(self.list.first())
    }

    /// Index of the shown engine of the shown campaign. `None` if there is no campaign.
    pub fn shown_run(&self) -> Option<usize> {
        let runs = self.shown()?.runs.len();
        Some(self.run.min(runs.checked_sub(1)?))
    }

    /// Returns an unused id: usually the number of the row that the campaign will get.
    pub fn next_id(&self) -> CampaignId {
        let kept = self.kept.iter().map(|kept| u32::try_from(kept.id).unwrap_or(0));
        CampaignId(self.list.iter().map(|campaign| campaign.id.0).chain(kept).max().unwrap_or(0) + 1)
    }
}

impl Campaigns {
    /// Replaces the contents of the form. Consecutive changes of the same text count as one step.
    pub fn edit_form(&mut self, form: CampaignForm) {
        let step = FormStep { before: std::mem::replace(&mut self.form, form.clone()), after: form };
        self.form_history.push_or_join(step, |last, step| {
            if last.after != step.before || step.typed().is_none() || last.typed() != step.typed() {
                return Joined::Apart;
            }
            last.after.clone_from(&step.after);
            if last.before == last.after { Joined::Nothing } else { Joined::Together }
        });
    }

    /// Undoes a change of the form (`back`) or redoes one.
    pub fn turn_form(&mut self, back: bool) {
        if self.can_turn_form(back)
            && let Some(step) = self.form_history.turn(back)
        {
            self.form.clone_from(if back { &step.before } else { &step.after });
        }
    }

    /// Whether there is a change to undo (`back`) or redo. There is none if the form was changed by other means since.
    pub fn can_turn_form(&self, back: bool) -> bool {
        let step = self.form_history.next(back);
        step.is_some_and(|step| self.form == *(if back { &step.after } else { &step.before }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_engine::PbfdroidConfig;
    use taproof_spec::{Dmf, DmfKind, Spec};

    fn campaign() -> CampaignState {
        let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let plan = Arc::new(CampaignPlan::new("org.ex", engine, 10));
        CampaignState::new(CampaignId(1), String::new(), String::new(), plan)
    }

    #[test]
    fn no_time_is_left_once_the_events_are_spent() {
        let mut campaign = campaign();
        (campaign.runs[0].phase, campaign.runs[0].seconds) = (CampaignPhase::Running, 4.0);
        for (events, left) in [(8, Some(1.0)), (10, None)] {
            campaign.runs[0].take_counts(RunCounts { events, ..RunCounts::default() });
            assert_eq!(campaign.seconds_left(), left);
        }
        campaign.runs[0].take_counts(RunCounts { events: 8, ..RunCounts::default() });
        campaign.runs[0].away = true;
        assert_eq!(campaign.seconds_left(), None, "nobody knows when its device is back");
    }

    #[test]
    fn the_budget_is_said_for_all_engines_together() {
        let mut campaign = campaign();
        assert_eq!(campaign.budget_sentence(), "10 events");
        let engine = campaign.plan.engines[0].clone();
        campaign.runs.push(EngineRunState::new(&engine, 5000));
        assert_eq!(campaign.budget_sentence(), "5,010 events, shared by 2 engines");
    }

    #[test]
    fn paused_campaigns_are_not_said_to_run() {
        let mut campaigns = Campaigns::default();
        assert_eq!(campaigns.running_words(), None);
        campaigns.list.push(campaign());
        campaigns.list[0].runs[0].phase = CampaignPhase::Running;
        assert_eq!(campaigns.running_words().as_deref(), Some("1 running"));
        campaigns.list[0].runs[0].phase = CampaignPhase::Paused;
        assert_eq!(campaigns.running_words().as_deref(), Some("1 paused"));
    }

    #[test]
    fn only_a_function_that_was_to_run_is_said_never_to_have_run() {
        let settings =
            PbfdroidConfig { only: vec!["add".to_owned(), "rename".to_owned()], ..Default::default() };
        let engine = EngineConfig::Pbfdroid(settings);
        let names = ["add", "rename", "off", "kept", "left out"];
        let mut dmfs = names.map(|name| Dmf::empty(name, DmfKind::Create, "folder"));
        (dmfs[2].weight, dmfs[3].not_judged) = (0, Some("a loop".to_owned()));
        let spec = Arc::new(Spec { dmfs: dmfs.into(), ..Spec::default() });
        let plan = Arc::new(CampaignPlan { spec, ..CampaignPlan::new("org.ex", engine, 10) });
        let mut campaign = CampaignState::new(CampaignId(1), String::new(), String::new(), plan);
        campaign.runs[0].phase = CampaignPhase::Ended(EndReason::BudgetSpent);
        let ran = |name: &str, executed| PropertyCounts {
            name: name.to_owned(),
            executed,
            held: executed,
            ..PropertyCounts::default()
        };
        campaign.runs[0].counts.properties = names.map(|name| ran(name, u64::from(name == "add"))).into();
        let said = "1 of 2 functions never ran to their end: rename.";
        assert_eq!(campaign.idle_sentence().as_deref(), Some(said));
        let line = campaign.functions_line().unwrap();
        assert_eq!(line.ran, "1 of 2 functions ran once and held each time.");
        campaign.runs[0].counts.properties[1].executed = 1;
        assert_eq!(campaign.idle_sentence(), None);
    }

    #[test]
    fn an_engine_that_minimises_is_said_to_until_it_has_ended() {
        let mut campaign = campaign();
        assert_eq!(campaign.task_sentence(), None);
        let task = Task::Minimising { steps: 43, left: 12 };
        campaign.runs[0].take_counts(RunCounts { task, ..RunCounts::default() });
        let said = campaign.task_sentence().unwrap();
        assert!(said.ends_with(": minimising 43 steps, 12 left to try."), "{said}");
        campaign.runs[0].phase = CampaignPhase::Ended(EndReason::BudgetSpent);
        assert_eq!(campaign.task_sentence(), None);
    }

    #[test]
    fn an_engine_that_is_done_early_says_why() {
        let mut campaign = campaign();
        let mut end = |events, end| {
            campaign.runs[0].take_counts(RunCounts { events, ..RunCounts::default() });
            campaign.runs[0].phase = CampaignPhase::Ended(end);
            campaign.end_sentence().unwrap()
        };
        assert_eq!(end(10, EndReason::BudgetSpent), "Done: the budget is spent.");
        let said = end(8, EndReason::Exhausted);
        assert!(said.ends_with(" ended after 8 of 10 events: there was nothing left to try."), "{said}");
        let said = end(8, EndReason::BudgetSpent);
        assert!(said.ends_with(" ended after 8 of 10 events: its device time was spent."), "{said}");
        assert_eq!(end(8, EndReason::Cancelled), "Cancelled after event 8.");
    }
}
