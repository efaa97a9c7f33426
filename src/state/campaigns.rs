//! Campaigns: what is known of each, what they found.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::campaign::{CampaignPlan, EndReason, Finding};
use crate::engine::{Ledger, PropertyCounts};

use super::campaign_form::CampaignForm;

/// A campaign of this window, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CampaignId(pub u32);

/// The points of a curve: when there are twice as many, every second one goes.
const MAX_SAMPLES: usize = 400;

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
    /// Activities.
    pub activities: usize,
    /// Findings.
    pub findings: usize,
}

/// What the curves show over the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// Structures of screens.
    #[default]
    States,
    /// Activities.
    Activities,
    /// Findings.
    Findings,
}

impl Curve {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Curve::States => "States",
            Curve::Activities => "Activities",
            Curve::Findings => "Findings",
        }
    }

    /// The value of a point.
    pub fn of(self, sample: &Sample) -> usize {
        match self {
            Curve::States => sample.states,
            Curve::Activities => sample.activities,
            Curve::Findings => sample.findings,
        }
    }
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
    /// What the curves show.
    pub curve: Curve,
}

impl Default for Campaigns {
    fn default() -> Self {
        Campaigns { form: CampaignForm::default(), list: Vec::new(), selected: None, curve: Curve::States }
    }
}

impl CampaignState {
    /// A campaign whose worker is being started.
    pub fn new(id: CampaignId, label: String, spec: String, plan: Arc<CampaignPlan>, budget: u64) -> Self {
        CampaignState {
            id,
            row: None,
            label,
            spec,
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

    /// Seconds that are left if it goes on as it does; once that can be told.
    pub fn seconds_left(&self) -> Option<f64> {
        let speed = self.events_per_second();
        let known = self.phase == CampaignPhase::Running && self.seconds > 1.0 && speed > 0.0;
        known.then(|| self.budget.saturating_sub(self.events) as f64 / speed)
    }

    /// Takes what was counted.
    pub fn take_counts(&mut self, ledger: &Ledger) {
        self.events = ledger.events;
        self.tests = ledger.tests;
        self.states = ledger.graph.len();
        self.activities = ledger.activities.len();
        self.properties.clone_from(&ledger.properties);
        if self.samples.len() >= MAX_SAMPLES {
            let mut place = 0;
            self.samples.retain(|_| {
                place += 1;
                place % 2 == 0
            });
        }
        let sample = Sample {
            events: self.events,
            states: self.states,
            activities: self.activities,
            findings: self.findings.len(),
        };
        self.samples.push(sample);
    }

    /// Takes a finding that is committed; a later one of the same id replaces it.
    pub fn take_finding(&mut self, finding: Arc<Finding>) {
        match self.findings.iter_mut().find(|known| known.id == finding.id) {
            Some(known) => *known = finding,
            None => self.findings.push(finding),
        }
    }

    /// Which functions it never ran to their end, once it is over: nothing is known of them.
    pub fn idle_sentence(&self) -> Option<String> {
        let idle = self.properties.iter().filter(|counts| counts.executed == 0);
        let idle: Vec<&str> = idle.map(|counts| counts.name.as_str()).collect();
        let all = self.properties.len();
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
