//! Campaigns: the form that starts one, what is known of each, what they found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::campaign::{CampaignPlan, EndReason, Finding};
use crate::engine::{Ledger, Mode, PropertyCounts};

use super::settings::{AppEntry, BuildChoice};

/// A campaign of this window, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CampaignId(pub u32);

/// The points of a curve: when there are twice as many, every second one goes.
const MAX_SAMPLES: usize = 400;

/// The form that starts a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignForm {
    /// The app's package.
    pub app: String,
    /// Which bugs are on.
    pub build: BuildChoice,
    /// The engine's mode.
    pub mode: Mode,
    /// Events, as typed.
    pub events: String,
    /// Seed, as typed.
    pub seed: String,
}

/// A form that cannot be carried out: one text for each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormProblems {
    /// Of the app.
    pub app: Option<String>,
    /// Of the build.
    pub build: Option<String>,
    /// Of the events.
    pub events: Option<String>,
    /// Of the seed.
    pub seed: Option<String>,
}

/// What a form asks for, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignOrder {
    /// The app's package.
    pub app: String,
    /// Which bugs are on.
    pub build: BuildChoice,
    /// The engine's mode.
    pub mode: Mode,
    /// Events.
    pub events: u64,
    /// Seed.
    pub seed: u64,
}

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

/// What was counted at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Events until then.
    pub events: u64,
    /// Structures of screens.
    pub states: usize,
    /// Findings.
    pub findings: usize,
}

/// What is known of a campaign.
pub struct CampaignState {
    /// Which.
    pub id: CampaignId,
    /// The app's name.
    pub label: String,
    /// What was asked for.
    pub plan: Arc<CampaignPlan>,
    /// How it is.
    pub phase: CampaignPhase,
    /// Events that it may perform in all.
    pub budget: u64,
    /// Events.
    pub events: u64,
    /// Tests.
    pub tests: u64,
    /// Structures of screens.
    pub states: usize,
    /// Activities.
    pub activities: usize,
    /// Seconds of work so far, told by the window.
    pub seconds: f64,
    /// A hash of everything that happened; once it is over.
    pub fingerprint: Option<u64>,
    /// What was counted of each DMF.
    pub properties: Vec<PropertyCounts>,
    /// The curve.
    pub samples: Vec<Sample>,
    /// What was found, the oldest first; shown once it is committed.
    pub findings: Vec<Arc<Finding>>,
    /// How often each origin was violated, by finding; known once it is over.
    pub counts: BTreeMap<String, u64>,
    /// What people should know.
    pub warnings: Vec<String>,
}

/// All campaigns of this window.
pub struct Campaigns {
    /// The form.
    pub form: CampaignForm,
    /// The newest first.
    pub list: Vec<CampaignState>,
    /// The one whose numbers are shown.
    pub selected: Option<CampaignId>,
}

impl Default for Campaigns {
    fn default() -> Self {
        let form = CampaignForm {
            app: String::new(),
            build: BuildChoice::Faulty,
            mode: Mode::Full,
            events: "40,000".to_owned(),
            seed: "1".to_owned(),
        };
        Campaigns { form, list: Vec::new(), selected: None }
    }
}

impl CampaignForm {
    /// What it asks for, or what is wrong with each field.
    pub fn check(&self, apps: &[AppEntry]) -> Result<CampaignOrder, FormProblems> {
        let mut problems = FormProblems::default();
        let app = apps.iter().find(|app| app.package == self.app);
        match app {
            None => problems.app = Some("Choose an app.".to_owned()),
            Some(app) if app.dmfs == 0 => {
                problems.app = Some(format!("{} has no specification to check it against.", app.label));
            }
            Some(app) if matches!(self.build, BuildChoice::Only(_)) && self.build.bugs(app).is_empty() => {
                problems.build = Some("Choose at least one bug, or the sound build.".to_owned());
            }
            Some(_) => {}
        }
        let number = |text: &str| text.replace([',', ' ', '\u{2019}'], "").parse::<u64>().ok();
        let events = number(&self.events).filter(|events| *events > 0);
        if events.is_none() {
            problems.events = Some("Give a number from 1.".to_owned());
        }
        let seed = number(&self.seed);
        if seed.is_none() {
            problems.seed = Some("Give a whole number from 0.".to_owned());
        }
        match (app, events, seed) {
            (Some(app), Some(events), Some(seed)) if problems == FormProblems::default() => {
                let (build, mode) = (self.build.clone(), self.mode);
                Ok(CampaignOrder { app: app.package.clone(), build, mode, events, seed })
            }
            _ => Err(problems),
        }
    }
}

impl CampaignState {
    /// A campaign whose worker is being started.
    pub fn new(id: CampaignId, label: String, plan: Arc<CampaignPlan>, budget: u64) -> Self {
        CampaignState {
            id,
            label,
            plan,
            phase: CampaignPhase::Starting,
            budget,
            events: 0,
            tests: 0,
            states: 0,
            activities: 0,
            seconds: 0.0,
            fingerprint: None,
            properties: Vec::new(),
            samples: Vec::new(),
            findings: Vec::new(),
            counts: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Whether it is not over.
    pub fn alive(&self) -> bool {
        !matches!(self.phase, CampaignPhase::Ended(_))
    }

    /// The part of its budget that is spent, 0 to 1.
    pub fn progress(&self) -> f32 {
        if self.budget == 0 { 1.0 } else { (self.events as f64 / self.budget as f64).min(1.0) as f32 }
    }

    /// Events in a second, over all of its time.
    pub fn events_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.events as f64 / self.seconds } else { 0.0 }
    }

    /// Takes what was counted.
    pub fn take_counts(&mut self, ledger: &Ledger) {
        self.events = ledger.events;
        self.tests = ledger.tests;
        self.states = ledger.states.len();
        self.activities = ledger.activities.len();
        self.properties.clone_from(&ledger.properties);
        if self.samples.len() >= MAX_SAMPLES {
            let mut place = 0;
            self.samples.retain(|_| {
                place += 1;
                place % 2 == 0
            });
        }
        let sample = Sample { events: self.events, states: self.states, findings: self.findings.len() };
        self.samples.push(sample);
    }

    /// Takes a finding that is committed; a later one of the same id replaces it.
    pub fn take_finding(&mut self, finding: Arc<Finding>) {
        match self.findings.iter_mut().find(|known| known.id == finding.id) {
            Some(known) => *known = finding,
            None => self.findings.push(finding),
        }
    }

    /// How often the origin of a finding was violated, as far as known.
    pub fn count_of(&self, finding: &Finding) -> u64 {
        self.counts.get(&finding.id).copied().unwrap_or(finding.count)
    }

    /// How it ended, in words.
    pub fn end_sentence(&self) -> Option<String> {
        let CampaignPhase::Ended(end) = &self.phase else { return None };
        Some(match end {
            EndReason::Exhausted => "Done: the engine has nothing left to try.".to_owned(),
            EndReason::BudgetSpent => "Done: the budget is spent.".to_owned(),
            EndReason::Cancelled => format!("Cancelled after event {}.", self.events),
            EndReason::DeviceFailed(error) => format!("Ended early, the device failed: {error}."),
            EndReason::Interrupted => "Interrupted: the program was stopped while it ran.".to_owned(),
            EndReason::Bug(report) => {
                format!("Ended early by a mistake in Taproof: {}. Please report it.", report.message)
            }
        })
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

    /// A number that no campaign has yet.
    pub fn next_id(&self) -> CampaignId {
        CampaignId(self.list.iter().map(|campaign| campaign.id.0).max().unwrap_or(0) + 1)
    }

    /// The finding of that id in that campaign.
    pub fn finding(&self, campaign: CampaignId, id: &str) -> Option<&Arc<Finding>> {
        self.get(campaign)?.findings.iter().find(|finding| finding.id == id)
    }
}

/// The bugs of a build that are switched on one by one.
pub fn toggled(build: &BuildChoice, bug: &str) -> BuildChoice {
    let mut bugs: BTreeSet<String> = match build {
        BuildChoice::Only(bugs) => bugs.clone(),
        BuildChoice::Faulty | BuildChoice::Sound => BTreeSet::new(),
    };
    if !bugs.remove(bug) {
        bugs.insert(bug.to_owned());
    }
    BuildChoice::Only(bugs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apps() -> Vec<AppEntry> {
        let entry = |package: &str, dmfs| AppEntry {
            package: package.into(),
            label: package.into(),
            short_name: package.into(),
            modelled_on: String::new(),
            bugs: vec![("a-bug".into(), "goes wrong".into())],
            dmfs,
        };
        vec![entry("full", 3), entry("bare", 0)]
    }

    fn form(change: impl FnOnce(&mut CampaignForm)) -> Result<CampaignOrder, FormProblems> {
        let mut form = CampaignForm { app: "full".into(), ..Campaigns::default().form };
        change(&mut form);
        form.check(&apps())
    }

    #[test]
    fn numbers_may_be_grouped() {
        let order = form(|form| form.events = "1,234 567".into()).unwrap();
        assert_eq!((order.events, order.seed), (1_234_567, 1));
    }

    #[test]
    fn each_problem_stands_beside_its_field() {
        assert!(form(|form| form.app = "bare".into()).unwrap_err().app.is_some());
        assert!(form(|form| form.events = "0".into()).unwrap_err().events.is_some());
        assert!(form(|form| form.seed = "-1".into()).unwrap_err().seed.is_some());
        let none = form(|form| form.build = BuildChoice::Only(BTreeSet::new()));
        assert!(none.unwrap_err().build.is_some());
        assert!(form(|form| form.build = toggled(&form.build, "a-bug")).is_ok());
    }
}
