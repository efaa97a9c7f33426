//! What a campaign of a bench found, as far as tables need it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taproof_campaign::{BugClass, CampaignReport, Confirmation, Corrections, EndReason, Finding, group};
use taproof_phone::{BundledApp, Oracle};
use taproof_spec::Spec;

use crate::oracles::technique;

/// The result of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// Events that were performed.
    pub events: u64,
    /// Events that were performed again to confirm and minimise findings.
    pub reexecuted: u64,
    /// Number of activities that were seen.
    pub activities: usize,
    /// Number of events until the last of them was first seen.
    #[serde(default)]
    pub newest_activity: u64,
    /// Number of code points that were executed.
    pub code: usize,
    /// What was found, in the order of finding.
    #[serde(default)]
    pub findings: Vec<Found>,
    /// The findings on each card, by their indices; a finding that is too unsure for a card counts as one.
    #[serde(default)]
    pub cards: Vec<Vec<usize>>,
    /// What went wrong with the campaign itself.
    #[serde(default)]
    pub trouble: Option<String>,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Number of events until it was first seen.
    pub event: u64,
    /// The letter of the technique that found it.
    pub letter: String,
    /// The faults that it is attributed to: any of them, or all together.
    #[serde(default)]
    pub faults: Vec<String>,
    /// Whether it is not known which of several faults, or sets of faults, is the cause.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ambiguous: bool,
    /// Number of events of its minimal trace, without those that only look for what is judged.
    pub steps: usize,
    /// Whether each re-execution showed it again.
    pub confirmed: bool,
    /// Whether it came back each time, and is not known to be a bug.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspicion: bool,
    /// What it says.
    pub title: String,
}

/// What a finding says about the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It shows a fault.
    True,
    /// It came back each time and shows none.
    False,
    /// It shows none and did not come back each time, as its campaign says.
    Unsure,
}

impl Found {
    /// What it says about the app.
    pub fn truth(&self) -> Truth {
        match (self.faults.is_empty(), self.confirmed) {
            (false, _) => Truth::True,
            (true, true) => Truth::False,
            (true, false) => Truth::Unsure,
        }
    }

    /// Whether its campaign says that it is a bug.
    pub fn is_bug(&self) -> bool {
        self.confirmed && !self.suspicion
    }
}

impl CellResult {
    /// The result of a campaign in the app with this package.
    pub(crate) fn of(report: &CampaignReport, package: &str, spec: &Spec) -> CellResult {
        let findings: Vec<_> = report.findings.iter().map(|count| Arc::clone(&count.finding)).collect();
        let bugs = group(&findings, package, spec, &Corrections::default());
        let place = |finding: &Arc<Finding>| findings.iter().position(|other| other.id == finding.id);
        CellResult {
            events: report.stats.events,
            reexecuted: report.stats.reexecuted,
            activities: report.stats.activities.len(),
            newest_activity: report.stats.newest_activity.map_or(0, |moment| moment.event),
            code: report.stats.code.len(),
            findings: findings.iter().map(|finding| found(finding)).collect(),
            cards: bugs.iter().map(|bug| bug.findings.iter().filter_map(place).collect()).collect(),
            trouble: match &report.end {
                EndReason::Exhausted | EndReason::BudgetSpent => None,
                end => Some(end.trouble().unwrap_or_else(|| end.word().to_owned())),
            },
        }
    }

    /// A campaign that failed before it could be counted.
    pub(crate) fn failed(problem: String) -> CellResult {
        CellResult { trouble: Some(problem), ..CellResult::default() }
    }

    /// The findings by these techniques.
    pub fn found_by(&self, oracles: &[Oracle]) -> impl Iterator<Item = &Found> {
        self.findings.iter().filter(|found| oracles.iter().any(|oracle| oracle.letter() == found.letter))
    }

    /// The faults that are known to be the cause of findings by these techniques.
    pub fn bugs(&self, oracles: &[Oracle]) -> BTreeSet<&str> {
        let certain = self.found_by(oracles).filter(|found| !found.ambiguous);
        certain.flat_map(|found| &found.faults).map(String::as_str).collect()
    }

    /// Number of events until a finding by these techniques was first seen whose cause is known to be this fault.
    pub fn first_of(&self, fault: &str, oracles: &[Oracle]) -> Option<u64> {
        let shows = |found: &&Found| !found.ambiguous && found.faults.iter().any(|other| other == fault);
        self.found_by(oracles).filter(shows).map(|found| found.event).min()
    }

    /// Number of events until every activity of the app was seen; all events if one was not.
    pub fn events_to_every_activity(&self, app: &BundledApp) -> f64 {
        let all = self.activities >= app.manifest().activities.len();
        (if all { self.newest_activity } else { self.events }) as f64
    }

    /// Number of events until a fault was first shown; `None` if none was.
    pub fn first_true(&self) -> Option<u64> {
        self.findings.iter().filter(|found| found.truth() == Truth::True).map(|found| found.event).min()
    }

    /// Whether a fault was shown.
    pub fn shows_fault(&self) -> bool {
        self.first_true().is_some()
    }

    /// Whether a fault was shown by a finding that is a bug.
    pub fn shows_fault_as_bug(&self) -> bool {
        self.findings.iter().any(|found| found.is_bug() && found.truth() == Truth::True)
    }

    /// How many findings that are bugs are of this kind.
    pub fn count_bugs(&self, truth: Truth) -> usize {
        self.findings.iter().filter(|found| found.is_bug() && found.truth() == truth).count()
    }

    /// Number of events of the shortest minimal trace that shows a fault.
    pub fn shortest(&self) -> Option<usize> {
        self.findings.iter().filter(|found| found.truth() == Truth::True).map(|found| found.steps).min()
    }

    /// How many findings are of this kind.
    pub fn count(&self, truth: Truth) -> usize {
        self.findings.iter().filter(|found| found.truth() == truth).count()
    }

    /// The faults that the findings of each card show, each once, sorted. Empty for cards that show none.
    pub fn faults_of_cards(&self) -> Vec<Vec<&str>> {
        let faults = |card: &Vec<usize>| {
            let found = card.iter().filter_map(|place| self.findings.get(*place));
            // Of a finding that several faults may cause, it is not known which card it belongs to.
            let certain = found.filter(|found| found.faults.len() == 1);
            let mut faults: Vec<&str> = certain.map(|found| found.faults[0].as_str()).collect();
            faults.sort_unstable();
            faults.dedup();
            faults
        };
        self.cards.iter().map(faults).collect()
    }
}

fn found(finding: &Finding) -> Found {
    Found {
        event: finding.first.event,
        letter: technique(finding.origin.oracle).letter().to_owned(),
        faults: finding.attribution.bugs(),
        ambiguous: !finding.attribution.alternatives().is_empty(),
        steps: finding.minimal.trace.chosen_steps().count(),
        confirmed: matches!(finding.confirmation, Confirmation::Reproduced { .. }),
        suspicion: finding.class() == BugClass::Suspicion,
        title: finding.title.clone(),
    }
}
