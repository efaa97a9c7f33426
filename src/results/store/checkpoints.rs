//! Checkpoints of campaigns: kept while they run, read when one goes on after a kill.

use std::sync::Arc;

use rusqlite::{OptionalExtension, params};

use super::{RunningCampaign, StoreError, StoredPlan, Workspace};
use taproof_core::campaign::{Checkpoint, Finding, Resumption};

/// A campaign that goes on after a kill.
pub struct ResumedCampaign {
    /// What it runs.
    pub plan: StoredPlan,
    /// Its row, held again.
    pub running: RunningCampaign,
    /// For each engine of the plan where it stood; `None` where it begins anew.
    pub from: Vec<Option<Resumption>>,
    /// For each engine the time that it had taken here until there, in milliseconds.
    pub millis: Vec<u64>,
}

impl Workspace {
    /// Keeps where an engine of a campaign stands, in the place of where it stood before. Its sample of the same moment
    /// should be kept first: by that the campaign knows how long it has taken.
    pub fn save_checkpoint(
        &mut self,
        campaign: &RunningCampaign,
        run: usize,
        checkpoint: &Checkpoint,
    ) -> Result<(), StoreError> {
        let damaged = |error: &dyn std::fmt::Display| StoreError::Damaged { what: error.to_string() };
        let bytes = checkpoint.to_bytes().map_err(|error| damaged(&error))?;
        self.database.write(|transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO checkpoints (campaign, run, events, state) VALUES (?1, ?2, ?3, ?4)",
                params![campaign.id, run as i64, checkpoint.events().cast_signed(), bytes],
            )?;
            Ok(())
        })
    }

    /// Takes up a campaign that was interrupted.
    pub fn resume_campaign(&mut self, id: i64) -> Result<ResumedCampaign, StoreError> {
        // First of all, so that nobody else does: its row has no end then, but where it cannot go on nobody runs it.
        let running = self.take_up(id)?;
        let plan = StoredPlan::from_json(&self.campaign(id)?.plan)?;
        let (mut from, mut millis) = (Vec::new(), Vec::new());
        for (run, engine) in plan.plan.engines.iter().enumerate() {
            let bytes: Option<Vec<u8>> = self
                .database
                .reader()
                .query_row(
                    "SELECT state FROM checkpoints WHERE campaign = ?1 AND run = ?2",
                    params![id, run as i64],
                    |row| row.get(0),
                )
                .optional()?;
            let resumption = match bytes {
                None => None,
                Some(bytes) => {
                    let checkpoint = Checkpoint::read(&bytes, &plan.plan, engine)
                        .map_err(|error| StoreError::Damaged { what: error.to_string() })?;
                    let findings = self.findings_until(id, engine.name(), checkpoint.events())?;
                    Some(Resumption { checkpoint, findings })
                }
            };
            let events = resumption.as_ref().map_or(0, |resumption| resumption.checkpoint.events());
            millis.push(self.samples_until(id, run as u32, events)?);
            from.push(resumption);
        }
        Ok(ResumedCampaign { plan, running, from, millis })
    }

    /// Forgets the samples of what an engine will do again; returns the time of the last that stays.
    fn samples_until(&mut self, campaign: i64, run: u32, events: u64) -> Result<u64, StoreError> {
        let place = params![campaign, run, events.cast_signed()];
        self.database.write(|transaction| {
            transaction
                .execute("DELETE FROM coverage WHERE campaign = ?1 AND run = ?2 AND events > ?3", place)?;
            let last: Option<i64> = transaction.query_row(
                "SELECT max(millis) FROM coverage WHERE campaign = ?1 AND run = ?2 AND events <= ?3",
                place,
                |row| row.get(0),
            )?;
            Ok(last.unwrap_or(0).cast_unsigned())
        })
    }

    /// What an engine had told when it had performed so many events. What it told later it will tell again.
    fn findings_until(
        &self,
        campaign: i64,
        engine: &str,
        events: u64,
    ) -> Result<Vec<Arc<Finding>>, StoreError> {
        let listed = self.findings(Some(campaign))?;
        let mut findings = Vec::new();
        for row in listed.iter().filter(|row| row.engine == engine) {
            let finding = self.load_finding(&row.id.to_string())?.finding;
            if finding.first.event <= events {
                findings.push(Arc::new(finding));
            }
        }
        Ok(findings)
    }
}
