//! Campaigns read back whole, for reports.

use std::sync::Arc;

use rusqlite::OptionalExtension;

use super::{StoreError, StoredPlan, Workspace};
use crate::campaign::{CampaignOutcome, CampaignSummary, CoverageSample};

/// A campaign read back with all that it found.
#[derive(Clone, Debug)]
pub struct StoredCampaign {
    /// What it ran.
    pub plan: StoredPlan,
    /// What came of it.
    pub outcome: CampaignOutcome,
}

impl Workspace {
    /// Reads a campaign back with its findings.
    pub fn load_campaign(&self, id: i64) -> Result<StoredCampaign, StoreError> {
        let row = self.campaign(id)?;
        let findings = self.findings(Some(id))?;
        let load =
            |listed: &super::FindingRow| Ok(Arc::new(self.load_finding(&listed.id.to_string())?.finding));
        Ok(StoredCampaign {
            plan: StoredPlan::from_json(&row.plan)?,
            outcome: CampaignOutcome {
                summary: self.summary(id)?,
                end: row.end,
                findings: findings.iter().map(load).collect::<Result<_, StoreError>>()?,
                curve: self.samples(id)?,
            },
        })
    }

    fn summary(&self, campaign: i64) -> Result<Option<CampaignSummary>, StoreError> {
        let text: Option<Option<String>> = self
            .connection
            .query_row("SELECT summary FROM campaigns WHERE id = ?1", [campaign], |row| row.get(0))
            .optional()?;
        Ok(text.flatten().map(|text| serde_json::from_str(&text)).transpose()?)
    }

    fn samples(&self, campaign: i64) -> Result<Vec<CoverageSample>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT events, tests, states, activities, findings FROM coverage WHERE campaign = ?1 ORDER BY events",
        )?;
        let rows = statement.query_map([campaign], |row| {
            let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            Ok(CoverageSample {
                events: number(0)?,
                tests: number(1)?,
                states: number(2)?,
                activities: number(3)?,
                findings: number(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
