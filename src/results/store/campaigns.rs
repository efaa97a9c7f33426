//! Reads whole campaigns, for reports.

use rusqlite::OptionalExtension;

use super::workspace::missing;
use super::{StoreError, StoredPlan, Workspace};
use taproof_campaign::{
    Bug, CampaignOutcome, CampaignSummary, Corrections, CoverageSample, EngineSummary, group,
};

/// A stored campaign with all of its findings.
#[derive(Clone, Debug)]
pub struct StoredCampaign {
    /// The plan, with the files that it used.
    pub plan: StoredPlan,
    /// The campaign's statistics, findings and progress.
    pub outcome: CampaignOutcome,
    /// What a person has said of which findings in the app show the same bug.
    pub corrections: Corrections,
    /// When it began, in seconds since 1970; `None` if that is not known.
    pub began: Option<i64>,
}

impl StoredCampaign {
    /// The bugs that its findings show.
    pub fn bugs(&self) -> Vec<Bug> {
        let plan = &self.plan.plan;
        group(&self.outcome.findings, &plan.app, &plan.spec, &self.corrections)
    }
}

impl Workspace {
    /// Reads a campaign with its findings.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is no such campaign, or another error if the database cannot be read.
    pub fn load_campaign(&self, id: i64) -> Result<StoredCampaign, StoreError> {
        self.at_one_moment(|dead| {
            let row = self.campaign_of(id, dead)?;
            Ok(StoredCampaign {
                plan: self.plan(id)?,
                corrections: self.corrections(&row.app)?,
                began: row.began,
                outcome: CampaignOutcome {
                    summary: self.summary(id)?,
                    end: row.end,
                    findings: self.load_findings(id, dead)?,
                    curve: self.samples(id)?,
                },
            })
        })
    }

    /// The plan of a campaign. Lists of campaigns are without, as plans hold whole specifications.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is no such campaign, or another error if its plan cannot be read.
    pub fn plan(&self, id: i64) -> Result<StoredPlan, StoreError> {
        let text = "SELECT plan FROM campaigns WHERE id = ?1";
        let text: Option<String> =
            self.database.reader().query_row(text, [id], |row| row.get(0)).optional()?;
        StoredPlan::from_json(&text.ok_or_else(|| missing(id, self.root()))?)
    }

    /// The summary of each engine of a campaign, in the order of the plan. If the campaign has not ended by itself, the
    /// summaries are made from the last samples.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is no such campaign, or another error if the database cannot be read.
    pub fn engine_summaries(&self, id: i64) -> Result<Vec<EngineSummary>, StoreError> {
        let row = self.campaign(id)?;
        if let Some(summary) = self.summary(id)? {
            return Ok(summary.engines);
        }
        let samples = self.samples(id)?;
        let plan = self.plan(id)?.plan;
        let end = row.end.as_deref().unwrap_or("running");
        let last = |run: usize| samples.iter().rfind(|sample| sample.run as usize == run).copied();
        let engines = plan.engines.iter().enumerate();
        Ok(engines
            .map(|(run, engine)| EngineSummary::so_far(engine, last(run).unwrap_or_default(), end))
            .collect())
    }

    /// The summary of a campaign; `None` if it has not ended.
    ///
    /// # Errors
    ///
    /// Fails if there is no such campaign, or its summary cannot be read.
    pub fn summary(&self, campaign: i64) -> Result<Option<CampaignSummary>, StoreError> {
        let text: Option<Option<String>> = self
            .database
            .reader()
            .query_row("SELECT summary FROM campaigns WHERE id = ?1", [campaign], |row| row.get(0))
            .optional()?;
        Ok(text.flatten().map(|text| serde_json::from_str(&text)).transpose()?)
    }

    /// The coverage samples of a campaign, engine by engine, each in the order of its events.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn samples(&self, campaign: i64) -> Result<Vec<CoverageSample>, StoreError> {
        let mut statement = self.database.reader().prepare(
            "SELECT run, events, millis, tests, states, transitions, activities, code, findings FROM coverage
             WHERE campaign = ?1 ORDER BY run, events",
        )?;
        let rows = statement.query_map([campaign], |row| {
            let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            Ok(CoverageSample {
                run: row.get(0)?,
                events: number(1)?,
                millis: number(2)?,
                tests: number(3)?,
                states: number(4)?,
                transitions: number(5)?,
                activities: number(6)?,
                code: row.get::<_, Option<i64>>(7)?.map(i64::cast_unsigned),
                findings: number(8)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
