//! Receives the messages of a session: they are sent to the disk thread and shown in the campaign's state.

use std::sync::Arc;
use std::time::Duration;

use taproof_core::campaign::{CampaignReport, CampaignWarning, EndReason, RunCounts};
use taproof_core::engine::{EngineStats, StateGraph};
use taproof_core::worker::PanicReport;
use taproof_session::{Record, Session, SessionSink};

use super::jobs::{Job, Jobs};
use crate::state::{CampaignPhase, CampaignState, EngineRunState};

/// Receives what a session reports about one campaign. A finding is written to the disk first; the window shows it once
/// that is done.
pub(super) struct CampaignSink<'s> {
    campaign: &'s mut CampaignState,
    jobs: Option<&'s Jobs>,
}

impl<'s> CampaignSink<'s> {
    pub(super) fn new(campaign: &'s mut CampaignState, jobs: Option<&'s Jobs>) -> Self {
        CampaignSink { campaign, jobs }
    }

    /// Takes the messages that arrived since the last call, at most `most` per engine. Cancels the session if the
    /// campaign's results cannot be written.
    pub(super) fn poll(&mut self, session: &mut Session, most: usize) {
        session.poll(most, self);
        for (engine, run) in self.campaign.runs.iter_mut().enumerate() {
            run.seconds = session.spent(engine).as_secs_f64();
        }
        if self.campaign.failed.is_some() {
            session.cancel();
        }
    }

    fn run(&mut self, engine: usize) -> Option<&mut EngineRunState> {
        self.campaign.runs.get_mut(engine)
    }
}

impl SessionSink for CampaignSink<'_> {
    fn record(&mut self, record: Record) {
        let finding = match &record {
            Record::Finding(finding) => Some(Arc::clone(finding)),
            Record::Sample(_)
            | Record::Checkpoint(..)
            | Record::Stuck(..)
            | Record::Events(..)
            | Record::End(..)
            | Record::Learned(..) => None,
        };
        let sent = self.jobs.is_some_and(|jobs| jobs.ask(Job::Record(self.campaign.id, Box::new(record))));
        if !sent && finding.is_some() {
            self.campaign.not_written("the disk worker is gone", finding.as_deref());
        }
    }

    fn started(&mut self, engine: usize) {
        if let Some(run) = self.run(engine).filter(|run| run.phase == CampaignPhase::Starting) {
            run.phase = CampaignPhase::Running;
        }
    }

    fn counts(&mut self, engine: usize, counts: &RunCounts, _findings: u64, spent: Duration) {
        if let Some(run) = self.run(engine) {
            run.seconds = spent.as_secs_f64();
            run.take_counts(counts);
        }
    }

    fn stats(&mut self, engine: usize, stats: EngineStats) {
        if let Some(run) = self.run(engine) {
            run.stats = stats;
        }
    }

    fn graph(&mut self, engine: usize, graph: Arc<StateGraph>) {
        if let Some(run) = self.run(engine) {
            run.graph = Some(graph);
        }
    }

    fn warning(&mut self, _engine: usize, warning: CampaignWarning) {
        self.campaign.warnings.push(warning.to_string());
    }

    fn ended(&mut self, engine: usize, report: &CampaignReport) {
        let counts = report.findings.iter().map(|found| (found.finding.id.clone(), found.count));
        self.campaign.counts.extend(counts);
        if let Some(run) = self.run(engine) {
            run.fingerprint = Some(report.stats.fingerprint());
            run.phase = CampaignPhase::Ended(report.end.clone());
        }
    }

    fn broken(&mut self, engine: usize, report: PanicReport) {
        if let Some(run) = self.run(engine) {
            run.phase = CampaignPhase::Ended(EndReason::Bug(report));
        }
    }
}
