//! Writes the results of a campaign to its workspace.

use std::path::Path;
use std::sync::Arc;

use taproof_campaign::{
    CampaignPlan, CampaignSummary, CoverageSample, Finding, LoggedEvent, SavedCheckpoint,
};
use taproof_engine::device::StuckStep;
use taproof_engine::fastbot2::ReuseModel;
use taproof_results::store::{
    CampaignEnd, NewCampaign, RunningCampaign, StoreError, StoredPlan, Workspace, keep_stuck,
};

use super::{keep_learned, names_files};

/// Data of a session for the workspace.
pub enum Record {
    /// A coverage sample of an engine.
    Sample(CoverageSample),
    /// The checkpoint of the engine with this index.
    Checkpoint(usize, Box<SavedCheckpoint>),
    /// A new finding of any engine.
    Finding(Arc<Finding>),
    /// A step that the engine with this index could not perform.
    Stuck(usize, Box<StuckStep>),
    /// Events that the engine with this index performed.
    Events(usize, Vec<LoggedEvent>),
    /// The end of the campaign, with the error message if there was an error, else an empty text.
    End(Box<CampaignSummary>, String),
    /// What the engine with this index has learned of the app.
    Learned(usize, Box<ReuseModel>),
}

impl Record {
    /// The finding that is recorded; `None` for anything else.
    pub fn finding(&self) -> Option<&Arc<Finding>> {
        let Record::Finding(finding) = self else { return None };
        Some(finding)
    }
}

/// The result of writing a record.
pub enum Written {
    /// The record was written, and there is nothing to report.
    Fine,
    /// The screen of a step that could not be performed was written.
    Stuck,
    /// A finding was written to the row with this number.
    Finding(i64),
    /// What an engine learned was written, with notes for people; or it could not be written. The campaign is complete
    /// in either case.
    Learned(Result<Vec<String>, StoreError>),
}

/// The stored row of a running campaign.
///
/// After a failure to write, nothing more is written: a campaign that is resumed from a checkpoint does not report the
/// findings before it again, so none may be stored after one that was lost.
pub struct CampaignLog {
    row: i64,
    plan: Arc<CampaignPlan>,
    /// `Some` while the campaign runs and everything could be written.
    running: Option<RunningCampaign>,
    failed: Option<Arc<StoreError>>,
}

impl CampaignLog {
    /// Records the beginning of a campaign at this time, in seconds since 1970.
    ///
    /// # Errors
    ///
    /// Fails if the workspace cannot be written.
    pub fn begin(
        workspace: &mut Workspace,
        stored: &StoredPlan,
        now: i64,
    ) -> Result<CampaignLog, StoreError> {
        let plan = &stored.plan;
        let running = workspace.begin_campaign(&NewCampaign {
            app: &plan.app,
            build: &plan.device.words(&plan.build),
            engine: &plan.engine_names(),
            seed: plan.seed,
            plan: &stored.to_json()?,
            // What an engine begins with is not in its plan.
            repeatable: plan.device.is_bundled() && !plan.engines.iter().any(names_files),
            began: now,
        })?;
        Ok(CampaignLog::resume(running, Arc::new(plan.clone())))
    }

    /// The log of a campaign that is resumed.
    pub fn resume(running: RunningCampaign, plan: Arc<CampaignPlan>) -> CampaignLog {
        CampaignLog { row: running.id, plan, running: Some(running), failed: None }
    }

    /// Number of the campaign's row in the workspace.
    pub fn row(&self) -> i64 {
        self.row
    }

    /// Writes a record at this time, in seconds since 1970.
    ///
    /// # Errors
    ///
    /// Fails if the record cannot be written, or an earlier one could not. The campaign can then be resumed.
    pub fn write(
        &mut self,
        workspace: &mut Workspace,
        record: Record,
        now: i64,
    ) -> Result<Written, Arc<StoreError>> {
        if let Some(error) = &self.failed {
            return Err(Arc::clone(error));
        }
        self.try_write(workspace, record, now).map_err(|error| {
            let error = Arc::new(error);
            (self.running, self.failed) = (None, Some(Arc::clone(&error)));
            error
        })
    }

    fn try_write(
        &mut self,
        workspace: &mut Workspace,
        record: Record,
        now: i64,
    ) -> Result<Written, StoreError> {
        match (record, &self.running) {
            (Record::Sample(sample), Some(running)) => workspace.add_sample(running, sample, now)?,
            (Record::Checkpoint(engine, checkpoint), Some(running)) => {
                workspace.save_checkpoint(running, engine, &checkpoint)?;
            }
            (Record::Events(engine, events), Some(running)) => {
                workspace.add_events(running, engine, &events)?;
            }
            (Record::Stuck(engine, step), Some(_)) => {
                let engine = self.plan.engines.get(engine).map_or("", |engine| engine.name());
                // A campaign does not depend on what is only there to be looked at.
                match keep_stuck(workspace.root(), &format!("campaign {} {engine}", self.row), &step) {
                    Ok(_) => return Ok(Written::Stuck),
                    Err(error) => tracing::warn!(%error, "the screen of a step is not kept"),
                }
            }
            (Record::Finding(finding), Some(running)) => {
                return Ok(Written::Finding(workspace.save_finding(running, &finding)?));
            }
            (Record::End(summary, detail), _) => self.end(workspace, &summary, (&detail, now))?,
            (Record::Learned(engine, learned), _) => {
                return Ok(Written::Learned(self.keep_learned(workspace.root(), engine, &learned)));
            }
            // The campaign has already ended.
            (
                Record::Sample(_)
                | Record::Checkpoint(..)
                | Record::Stuck(..)
                | Record::Events(..)
                | Record::Finding(_),
                None,
            ) => {}
        }
        Ok(Written::Fine)
    }

    fn end(
        &mut self,
        workspace: &mut Workspace,
        summary: &CampaignSummary,
        (detail, at): (&str, i64),
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(summary)?;
        let Some(running) = self.running.take() else { return Ok(()) };
        let end = CampaignEnd {
            end: &summary.end,
            detail,
            fingerprint: &summary.fingerprint,
            events: summary.events,
            tests: summary.tests,
            summary: &text,
            at,
        };
        workspace.end_campaign(running, &end)
    }

    fn keep_learned(
        &self,
        workspace: &Path,
        engine: usize,
        learned: &ReuseModel,
    ) -> Result<Vec<String>, StoreError> {
        let engine = self.plan.engines.get(engine);
        engine.map_or(Ok(Vec::new()), |engine| keep_learned(workspace, &self.plan, engine, learned))
    }
}
