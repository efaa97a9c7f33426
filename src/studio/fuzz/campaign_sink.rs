//! What a session reports of one campaign.

use std::sync::Arc;
use std::time::Duration;

use taproof_core::campaign::{CampaignReport, CampaignWarning, EndReason, RunCounts};
use taproof_core::engine::{EngineStats, StateGraph};
use taproof_core::worker::PanicReport;
use taproof_session::{Record, Session, SessionSink};

/// What the engines of a campaign have reported since the last frame, in order.
#[derive(Default)]
pub(crate) struct CampaignNews {
    /// The index of each engine, with what it reported.
    pub reports: Vec<(usize, EngineNews)>,
    /// What must be written to the workspace before it is shown.
    pub records: Vec<Record>,
    /// The seconds that each engine has worked.
    pub seconds: Vec<f64>,
}

/// What an engine reported.
pub(crate) enum EngineNews {
    /// It has a device and begins.
    Started,
    /// Its counts so far, and the time that it has worked.
    Counts(RunCounts, Duration),
    /// Its own statistics.
    Stats(EngineStats),
    /// The states that it has seen.
    Graph(Arc<StateGraph>),
    /// A problem that people should know of.
    Warning(CampaignWarning),
    /// It has ended: for which reason, with which fingerprint, and how often each finding was seen, by its id.
    Ended(EndReason, Option<u64>, Vec<(String, u64)>),
}

impl CampaignNews {
    /// Takes what has arrived since the last call, at most `most` messages of each engine.
    pub fn poll(session: &mut Session, most: usize) -> CampaignNews {
        let mut news = CampaignNews::default();
        session.poll(most, &mut news);
        news.seconds = (0..session.engines()).map(|engine| session.spent(engine).as_secs_f64()).collect();
        news
    }
}

impl SessionSink for CampaignNews {
    fn record(&mut self, record: Record) {
        self.records.push(record);
    }

    fn started(&mut self, engine: usize) {
        self.reports.push((engine, EngineNews::Started));
    }

    fn counts(&mut self, engine: usize, counts: &RunCounts, _findings: u64, spent: Duration) {
        self.reports.push((engine, EngineNews::Counts(counts.clone(), spent)));
    }

    fn stats(&mut self, engine: usize, stats: EngineStats) {
        self.reports.push((engine, EngineNews::Stats(stats)));
    }

    fn graph(&mut self, engine: usize, graph: Arc<StateGraph>) {
        self.reports.push((engine, EngineNews::Graph(graph)));
    }

    fn warning(&mut self, engine: usize, warning: CampaignWarning) {
        self.reports.push((engine, EngineNews::Warning(warning)));
    }

    fn ended(&mut self, engine: usize, report: &CampaignReport) {
        let counts = report.findings.iter().map(|found| (found.finding.id.clone(), found.count)).collect();
        let ended = EngineNews::Ended(report.end.clone(), Some(report.stats.fingerprint()), counts);
        self.reports.push((engine, ended));
    }

    fn broken(&mut self, engine: usize, report: PanicReport) {
        self.reports.push((engine, EngineNews::Ended(EndReason::Bug(report), None, Vec::new())));
    }
}
