//! Checkpoints of campaigns: stored while they run, read when a campaign is resumed after it was killed.

use std::time::Duration;

use rusqlite::{OptionalExtension, params};

use super::{RunningCampaign, SpecSource, StoreError, StoredPlan, Workspace, compression};
use crate::shell::campaign_command;
use taproof_campaign::{CampaignPlan, Checkpoint, Resumption, SavedCheckpoint};
use taproof_engine::{CheckpointError, EngineConfig};

/// Largest checkpoint, unpacked. What is larger is not ours.
const MAX_BYTES: u64 = 1 << 30;

/// A campaign that is resumed.
pub struct ResumedCampaign {
    /// The plan, with the files that it used.
    pub plan: StoredPlan,
    /// The campaign's row, locked again.
    pub running: RunningCampaign,
    /// For each engine of the plan, the state to resume from; `None` if the engine starts from the beginning.
    pub from: Vec<Option<Resumption>>,
}

impl Workspace {
    /// Stores the checkpoint of an engine of a campaign in place of its previous one. The sample of the same moment
    /// should be stored before, since it contains the time that the campaign has taken.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn save_checkpoint(
        &mut self,
        campaign: &RunningCampaign,
        run: usize,
        checkpoint: &SavedCheckpoint,
    ) -> Result<(), StoreError> {
        let events = checkpoint.counts().events.cast_signed();
        let state = compression::packed(checkpoint.bytes())
            .map_err(|error| StoreError::Damaged { what: error.to_string() })?;
        self.database.write(|transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO checkpoints (campaign, run, events, state) VALUES (?1, ?2, ?3, ?4)",
                params![campaign.id, run as i64, events, state],
            )?;
            Ok(())
        })
    }

    /// Resumes a campaign that was interrupted. `shipped` returns the specification files that are shipped with an app,
    /// which a command for running the campaign again need not name.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] if there is no such campaign, [`StoreError::NotInterrupted`] if it is running or has
    /// ended, and [`StoreError::CannotGoOn`] if a checkpoint cannot be used.
    pub fn resume_campaign(
        &mut self,
        id: i64,
        shipped: impl Fn(&str) -> Vec<SpecSource>,
    ) -> Result<ResumedCampaign, StoreError> {
        // First of all, so that nobody else resumes it. From here on its row has no end; if it cannot be resumed, it
        // counts as interrupted again.
        let running = self.take_up(id)?;
        let (plan, findings) = (self.plan(id)?, self.load_findings(id, &[])?);
        let mut from = Vec::new();
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
            let checkpoint = bytes.map(|bytes| {
                read(&bytes, &plan.plan, engine).map_err(|error| {
                    let again = campaign_command(&plan.plan, &plan.spec_facts(&shipped(&plan.plan.app)));
                    StoreError::CannotGoOn { id, error, again }
                })
            });
            let checkpoint = checkpoint.transpose()?;
            let events = checkpoint.as_ref().map_or(0, Checkpoint::events);
            let spent = Duration::from_millis(self.samples_until(id, run as u32, events)?);
            let of_engine = findings.iter().filter(|finding| finding.engine == engine.name()).cloned();
            let from_it = |checkpoint| Resumption { checkpoint, findings: of_engine.collect(), spent };
            from.push(checkpoint.map(from_it));
        }
        Ok(ResumedCampaign { plan, running, from })
    }

    /// Deletes the samples and events of what an engine will do again. Returns the time of the last remaining one, in
    /// milliseconds.
    fn samples_until(&mut self, campaign: i64, run: u32, events: u64) -> Result<u64, StoreError> {
        let place = params![campaign, run, events.cast_signed()];
        self.database.write(|transaction| {
            transaction
                .execute("DELETE FROM coverage WHERE campaign = ?1 AND run = ?2 AND events > ?3", place)?;
            transaction
                .execute("DELETE FROM events WHERE campaign = ?1 AND run = ?2 AND first > ?3", place)?;
            let last: Option<i64> = transaction.query_row(
                "SELECT max(millis) FROM coverage WHERE campaign = ?1 AND run = ?2 AND events <= ?3",
                place,
                |row| row.get(0),
            )?;
            Ok(last.unwrap_or(0).cast_unsigned())
        })
    }
}

/// Reads the stored state of an engine. Older programs stored theirs as it is, and it tells which one wrote it.
fn read(state: &[u8], plan: &CampaignPlan, engine: &EngineConfig) -> Result<Checkpoint, CheckpointError> {
    if !compression::is_packed(state) {
        return Checkpoint::read(state, plan, engine);
    }
    let bytes = compression::unpacked(state, MAX_BYTES)
        .map_err(|error| CheckpointError::Unusable { problem: error.to_string() })?;
    Checkpoint::read(&bytes, plan, engine)
}
