//! Campaigns of earlier runs of the program, as the window shows one that is opened.

use super::{CampaignPhase, CampaignState, Campaigns, Coverage};
use crate::state::CampaignId;
use taproof_campaign::{CampaignSummary, EngineSummary, PropertySummary, RunCounts};
use taproof_results::store::CampaignRow;

/// An earlier campaign that is being opened, or that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The campaign's row in the workspace.
    pub row: i64,
    /// Why it cannot be read. `None` while it is being read.
    pub problem: Option<String>,
}

impl CampaignState {
    /// Shows that it has ended so, with these results of its engines.
    pub(super) fn became_earlier(&mut self, earlier: CampaignRow, engines: Vec<EngineSummary>) {
        self.runs.iter_mut().for_each(|run| run.phase = CampaignPhase::Earlier(earlier.end.clone()));
        for (run, summary) in self.runs.iter_mut().zip(engines) {
            run.phase = CampaignPhase::Earlier(earlier.end.as_ref().map(|_| summary.end));
            run.seconds = summary.seconds;
            run.stats = summary.stats;
            run.fingerprint = u64::from_str_radix(&summary.fingerprint, 16).ok();
            run.counts = RunCounts {
                events: summary.events,
                tests: summary.tests,
                states: summary.states,
                transitions: summary.transitions,
                activities: summary.activities,
                code_covered: summary.code_covered,
                code_points: summary.code_points,
                garbled: summary.garbled_answers,
                ..RunCounts::default()
            };
        }
        self.earlier = Some(earlier);
    }

    /// Takes what was counted until the campaign ended by itself.
    pub(super) fn take_summary(&mut self, summary: CampaignSummary) {
        self.together = Some(Coverage::of(&summary));
        self.counts = summary.findings.into_iter().map(|finding| (finding.id, finding.count)).collect();
        // They are those of all engines together, and only summed up again.
        if let Some(run) = self.runs.first_mut() {
            run.counts.properties = summary.properties.iter().map(PropertySummary::counts).collect();
        }
    }
}

impl Campaigns {
    /// Shows a campaign of the list.
    pub fn show(&mut self, id: CampaignId) {
        (self.selected, self.opening) = (Some(id), None);
    }

    /// The campaigns that this window runs or has run, the newest first.
    pub fn of_window(&self) -> impl Iterator<Item = &CampaignState> {
        self.list.iter().filter(|campaign| campaign.earlier.is_none())
    }

    /// The row of the earlier campaign that is shown or being opened. `None` if one of this window is shown.
    pub fn earlier_shown(&self) -> Option<i64> {
        match &self.opening {
            Some(opening) => Some(opening.row),
            None => self.shown()?.earlier.as_ref().map(|earlier| earlier.id),
        }
    }

    /// The campaigns of the workspace that this window has not run, or could not write completely.
    pub fn earlier(&self) -> impl Iterator<Item = &CampaignRow> {
        let here = |row: i64| {
            self.of_window().any(|campaign| campaign.row == Some(row) && campaign.failed.is_none())
        };
        self.kept.iter().filter(move |kept| !here(kept.id))
    }

    /// Returns the id for a campaign of the workspace: the number of its row, if no campaign of this window has it.
    pub fn earlier_id(&self, row: i64) -> CampaignId {
        let free = |id: &CampaignId| self.of_window().all(|campaign| campaign.id != *id);
        let id = u32::try_from(row).ok().map(CampaignId).filter(free);
        id.unwrap_or_else(|| self.next_id())
    }

    /// Shows an earlier campaign that was opened, unless the person has chosen another one meanwhile. Only one is kept in
    /// memory.
    pub(super) fn take_opened(&mut self, campaign: CampaignState) {
        let wanted = self.opening.as_ref().map(|opening| Some(opening.row)) == Some(campaign.row);
        if wanted {
            self.list.retain(|known| known.earlier.is_none());
            self.show(campaign.id);
            self.list.push(campaign);
        }
    }

    /// Says in the place of an earlier campaign why it cannot be opened.
    pub(super) fn not_opened(&mut self, row: i64, problem: String) {
        if let Some(opening) = self.opening.as_mut().filter(|opening| opening.row == row) {
            opening.problem = Some(problem);
        }
    }

    /// Whether an earlier campaign is being read.
    pub fn reads_earlier(&self) -> bool {
        self.opening.as_ref().is_some_and(|opening| opening.problem.is_none())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use taproof_campaign::{CampaignPlan, CoverageSample};
    use taproof_engine::{EngineConfig, PbfdroidConfig, PropertyCounts};

    fn earlier(row: i64, end: Option<&str>) -> CampaignRow {
        CampaignRow {
            id: row,
            app: "org.ex".to_owned(),
            build: "faulty".to_owned(),
            engine: "pbfdroid".to_owned(),
            seed: 1,
            events: 900,
            findings: 0,
            end: end.map(str::to_owned),
            began: None,
            length: None,
        }
    }

    fn state(id: u32, row: i64, end: Option<&str>) -> CampaignState {
        let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let last = CoverageSample { events: 900, millis: 1_500, states: 7, ..CoverageSample::default() };
        let mut engines = vec![EngineSummary::so_far(&engine, last, end.unwrap_or("running"))];
        engines[0].fingerprint = "00000000000000ff".to_owned();
        engines[0].stats.phase = "9 states".to_owned();
        let plan = Arc::new(CampaignPlan::new("org.ex", engine, 1_000));
        let mut campaign = CampaignState::new(CampaignId(id), "Ex".to_owned(), "mine".to_owned(), plan);
        (campaign.row, campaign.runs[0].samples) = (Some(row), vec![last]);
        campaign.became_earlier(earlier(row, end), engines);
        campaign.together = end.map(|_| Coverage { states: 9, activities: 2, ..Coverage::default() });
        campaign.runs[0].counts.properties =
            vec![PropertyCounts { name: "add".to_owned(), ..PropertyCounts::default() }];
        campaign.counts = BTreeMap::from([("p-1".to_owned(), 8)]);
        campaign
    }

    #[test]
    fn an_earlier_campaign_shows_what_was_kept_of_it() {
        let campaign = state(4, 4, Some("cancelled"));
        assert_eq!(campaign.phase(), CampaignPhase::Earlier(Some("cancelled".to_owned())));
        assert!(!campaign.alive() && !campaign.runs[0].steerable());
        assert_eq!(campaign.end_sentence().as_deref(), Some("Cancelled after 900 events."));
        assert_eq!((campaign.events(), campaign.seconds()), (900, 1.5));
        assert_eq!((campaign.states(), campaign.activities()), (9, 2), "as its page says");
        assert_eq!((campaign.runs[0].samples.len(), campaign.fingerprint()), (1, Some(255)));
        assert_eq!((&*campaign.properties()[0].name, &*campaign.runs[0].stats.phase), ("add", "9 states"));
        assert_eq!((campaign.counts["p-1"], campaign.row), (8, Some(4)));
        let elsewhere = state(4, 4, None);
        assert_eq!(elsewhere.runs[0].phase, CampaignPhase::Earlier(None));
        assert!(!elsewhere.alive(), "this window cannot stop it");
        assert_eq!(elsewhere.states(), 7, "the most of one engine");
    }

    #[test]
    fn one_earlier_campaign_is_open_and_only_if_it_is_still_wanted() {
        let kept = vec![earlier(2, None), earlier(1, None)];
        let mut campaigns = Campaigns { kept, ..Campaigns::default() };
        assert!(campaigns.shown().is_none());
        let opening = |row| Some(Opening { row, problem: None });
        campaigns.opening = opening(1);
        assert!(campaigns.reads_earlier() && campaigns.earlier_shown() == Some(1));
        campaigns.take_opened(state(2, 2, None));
        assert!(campaigns.list.is_empty(), "another one was chosen meanwhile");
        campaigns.take_opened(state(1, 1, None));
        assert_eq!((campaigns.earlier_shown(), campaigns.reads_earlier()), (Some(1), false));
        assert_eq!(campaigns.earlier().count(), 2, "its row stays where it is");
        assert!(campaigns.of_window().next().is_none());
        campaigns.opening = opening(2);
        campaigns.take_opened(state(2, 2, None));
        let rows: Vec<_> = campaigns.list.iter().map(|campaign| campaign.row).collect();
        assert_eq!(rows, [Some(2)]);
        campaigns.opening = opening(1);
        campaigns.not_opened(2, "no".to_owned());
        assert!(campaigns.reads_earlier());
        campaigns.not_opened(1, "damaged".to_owned());
        assert!(!campaigns.reads_earlier() && campaigns.shown().is_none());
        campaigns.show(CampaignId(2));
        assert_eq!(campaigns.earlier_shown(), Some(2));
        assert_eq!(campaigns.earlier_id(2), CampaignId(2), "it can go on under its own number");
    }
}
