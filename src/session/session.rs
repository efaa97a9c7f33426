//! A running campaign: its engines, each on a thread of its own, and their reports, in the order in which they must be
//! written.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;
use taproof_campaign::{
    CampaignPlan, CampaignReport, CampaignSummary, CampaignWarning, EndReason, EngineRun, EngineWorker,
    Resumption, RunCounts, Update, end_of, summarise,
};
use taproof_engine::device::DeviceSource;
use taproof_engine::worker::{PanicReport, Worker};
use taproof_engine::{EngineStats, StateGraph};
use taproof_screen::Frame;

use super::Record;
use super::turns::Turns;

/// Approximate maximum of work that a kill may lose.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(5);

/// Approximate maximum number of coverage samples of an engine.
const SAMPLES: u64 = 200;

/// What an engine of a session reports.
pub enum EngineNews {
    /// It has a device and begins.
    Started,
    /// Its counts so far.
    Counts(RunCounts),
    /// How often the origin of each finding was violated so far, by the finding's id.
    Violated(Vec<(String, u64)>),
    /// Its own statistics.
    Stats(EngineStats),
    /// The states that it has seen; sent on request and at its end.
    Graph(Arc<StateGraph>),
    /// The screen that a test on a device behind adb showed last.
    Seen(Frame),
    /// A problem that people should know of.
    Warning(CampaignWarning),
    /// It has ended: for which reason, with which fingerprint, and how often each finding was seen, by its id.
    Ended(EndReason, Option<u64>, Vec<(String, u64)>),
    /// Its thread panicked, which is a bug of Taproof. The other engines continue; the campaign gets no end and counts as
    /// interrupted.
    Broken(PanicReport),
}

/// What an engine of a session is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineTask {
    /// To pause.
    Pause,
    /// To go on after a pause.
    GoOn,
    /// To stop.
    Cancel,
    /// To send the graph of its states.
    SendGraph,
}

/// Receives the reports of a session's engines. Engines are identified by their index in the plan.
pub trait SessionSink {
    /// A record that must be written to the workspace, in the order of the calls. It may be shown after that.
    fn record(&mut self, record: Record);
    /// What an engine reports.
    fn report(&mut self, engine: usize, news: EngineNews);
}

/// The engines of a running campaign. Dropping it cancels them and waits.
///
/// The session does nothing by itself: the caller must call [`poll`](Session::poll) after `wake` was called.
pub struct Session {
    plan: Arc<CampaignPlan>,
    runs: Vec<Run>,
    checkpoint_every: Duration,
    sample_every: u64,
}

struct Run {
    worker: EngineWorker,
    time: Stopwatch,
    /// When the last checkpoint was requested.
    asked: Instant,
    /// The ids of the findings so far.
    findings: BTreeSet<String>,
    /// Number of events at the last sample, and when it was taken.
    sampled: u64,
    sampled_at: Instant,
    over: bool,
    /// The engine's report; `None` while it runs, and if its thread panicked.
    report: Option<Box<CampaignReport>>,
}

/// The result of a session that is over.
pub struct SessionOutcome {
    /// The statistics of the campaign.
    pub summary: CampaignSummary,
    /// The worst reason for which an engine ended.
    pub end: EndReason,
}

impl Session {
    /// Starts the engines of a checked plan, each from the beginning or from a checkpoint (`from` has one entry per
    /// engine), on the devices that `devices` returns for their indices. Engines that share a device take turns. `wake`
    /// is called from other threads when there is something to poll, `wake_later` when only counts have changed.
    ///
    /// # Errors
    ///
    /// Fails if the operating system cannot start a thread. The engines that run already are cancelled.
    pub fn start<S: DeviceSource + Send + 'static>(
        plan: &Arc<CampaignPlan>,
        from: Vec<Option<Resumption>>,
        mut devices: impl FnMut(usize) -> S,
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<Session> {
        let mut turns = Turns::default();
        let mut start = |(engine, from): (usize, Option<Resumption>)| {
            let spent = from.as_ref().map_or(Duration::ZERO, |from| from.spent);
            let known = from.iter().flat_map(|from| &from.findings);
            let findings = known.map(|finding| finding.id.clone()).collect();
            let sampled = from.as_ref().map_or(0, |from| from.checkpoint.events());
            let (plan, wake, later) = (Arc::clone(plan), wake.clone(), wake_later.clone());
            let devices = turns.in_turn(&plan.device, engine, devices(engine));
            let worker = EngineWorker::start(plan, engine, from, devices, wake, later)?;
            let time = Stopwatch { since: Some(now()), before: spent };
            Ok(Run {
                worker,
                time,
                asked: now(),
                findings,
                sampled,
                sampled_at: now(),
                over: false,
                report: None,
            })
        };
        Ok(Session {
            runs: from.into_iter().enumerate().map(&mut start).collect::<std::io::Result<_>>()?,
            plan: Arc::clone(plan),
            checkpoint_every: CHECKPOINT_EVERY,
            sample_every: (plan.events_of(plan.engines.first()) / SAMPLES).max(500),
        })
    }

    /// Requests checkpoints at this interval instead of [`CHECKPOINT_EVERY`].
    #[must_use]
    pub fn checkpoint_every(mut self, interval: Duration) -> Session {
        self.checkpoint_every = interval;
        self
    }

    /// Passes on what the engines have reported since the last call, at most `most` messages of each.
    pub fn poll(&mut self, most: usize, sink: &mut impl SessionSink) {
        for engine in 0..self.runs.len() {
            self.poll_engine(engine, most, sink);
        }
    }

    fn poll_engine(&mut self, engine: usize, most: usize, sink: &mut impl SessionSink) {
        let Some(run) = self.runs.get_mut(engine) else { return };
        if run.asked.elapsed() >= self.checkpoint_every {
            run.asked = now();
            run.worker.ask_checkpoint();
        }
        run.worker.ask_counts();
        let (spent, findings) = (run.time.spent(), run.findings.len() as u64);
        let slots = run.worker.slots();
        let sample = slots.counts.look(|counts| {
            sink.report(engine, EngineNews::Counts(counts.clone()));
            counts.sample(engine as u32, findings, spent.as_millis() as u64)
        });
        // Where events are slow, each is recorded.
        let late = run.sampled_at.elapsed() >= self.checkpoint_every;
        let every = if late { 1 } else { self.sample_every };
        if let Some(sample) = sample.filter(|sample| sample.events >= run.sampled + every) {
            (run.sampled, run.sampled_at) = (sample.events, now());
            sink.record(Record::Sample(sample));
        }
        let news = [
            slots.violated.take().map(EngineNews::Violated),
            slots.stats.take().map(EngineNews::Stats),
            slots.graph.take().map(EngineNews::Graph),
            slots.frame.take().map(EngineNews::Seen),
        ];
        news.into_iter().flatten().for_each(|news| sink.report(engine, news));
        let updates: Vec<Update> = run.worker.updates().try_iter().take(most).collect();
        for update in updates {
            self.take(engine, update, sink);
        }
    }

    fn take(&mut self, engine: usize, update: Update, sink: &mut impl SessionSink) {
        let Some(run) = self.runs.get_mut(engine) else { return };
        match update {
            Update::Started => sink.report(engine, EngineNews::Started),
            Update::Finding(finding) => {
                run.findings.insert(finding.id.clone());
                sink.record(Record::Finding(finding));
            }
            Update::Warning(warning) => sink.report(engine, EngineNews::Warning(warning)),
            Update::Checkpoint(checkpoint) => {
                run.sample(engine, checkpoint.counts(), sink);
                sink.record(Record::Checkpoint(engine, checkpoint));
            }
            Update::Stuck(step) => sink.record(Record::Stuck(engine, step)),
            Update::Events(events) => sink.record(Record::Events(engine, events)),
            Update::Ended(report) => {
                let counts = RunCounts::of(&report.stats);
                run.sample(engine, &counts, sink);
                sink.report(engine, EngineNews::Counts(counts));
                sink.report(engine, EngineNews::Stats(report.engine.clone()));
                let graph = run.worker.slots().graph.take();
                graph.into_iter().for_each(|graph| sink.report(engine, EngineNews::Graph(graph)));
                let counts = report.findings.iter().map(|it| (it.finding.id.clone(), it.count)).collect();
                let ended = EngineNews::Ended(report.end.clone(), Some(report.stats.fingerprint()), counts);
                sink.report(engine, ended);
                run.end();
                run.report = Some(report);
                self.record_end(sink);
            }
            Update::Broken(report) => {
                run.end();
                sink.report(engine, EngineNews::Broken(report));
            }
        }
    }

    /// Records the end after the last engine has ended. What was learned is recorded after that: otherwise a campaign
    /// that is resumed would end again and add it twice.
    fn record_end(&self, sink: &mut impl SessionSink) {
        let Some(outcome) = self.outcome() else { return };
        let detail = outcome.end.trouble().unwrap_or_default();
        sink.record(Record::End(Box::new(outcome.summary), detail));
        for (engine, run) in self.runs.iter().enumerate() {
            if let Some(learned) = run.report.as_ref().and_then(|report| report.learned.as_ref()) {
                sink.record(Record::Learned(engine, Box::new(learned.clone())));
            }
        }
    }

    /// The result; `None` while an engine runs, and if the thread of one panicked.
    pub fn outcome(&self) -> Option<SessionOutcome> {
        let ended = |(engine, run)| {
            let Run { report, time, .. }: &Run = run;
            Some(EngineRun { engine, report: report.as_deref()?, seconds: time.spent().as_secs_f64() })
        };
        let runs: Option<Vec<EngineRun<'_>>> = self.plan.engines.iter().zip(&self.runs).map(ended).collect();
        let runs = runs?;
        Some(SessionOutcome { summary: summarise(&self.plan, &runs), end: end_of(&runs).clone() })
    }

    /// The reports of the engines that have ended by themselves, with their indices.
    pub fn reports(&self) -> impl Iterator<Item = (usize, &CampaignReport)> {
        self.runs.iter().enumerate().filter_map(|(engine, run)| Some((engine, run.report.as_deref()?)))
    }

    /// Waits at most until `end` for the engines, so that their ends are recorded. The session must be cancelled
    /// before. An engine that does not end in time is detached; its campaign counts as interrupted.
    pub fn finish(mut self, end: Instant, sink: &mut impl SessionSink) {
        for engine in 0..self.runs.len() {
            while let Some(run) = self.runs.get(engine).filter(|run| !run.over) {
                match run.worker.updates().recv_deadline(end) {
                    Ok(update) => self.take(engine, update, sink),
                    Err(RecvTimeoutError::Timeout) => {
                        return self.runs.into_iter().for_each(|run| run.worker.leave());
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        }
    }

    /// Number of engines.
    pub fn engines(&self) -> usize {
        self.runs.len()
    }

    /// The time that an engine has worked, without pauses, including the time before it was killed.
    pub fn spent(&self, engine: usize) -> Duration {
        self.runs.get(engine).map_or(Duration::ZERO, |run| run.time.spent())
    }

    /// Asks an engine for something.
    pub fn ask(&mut self, engine: usize, task: EngineTask) {
        let Some(run) = self.runs.get_mut(engine) else { return };
        match task {
            EngineTask::Pause => {
                run.time.stop();
                run.worker.pause();
            }
            EngineTask::GoOn => {
                run.time.since = Some(now());
                run.worker.resume();
            }
            EngineTask::Cancel => run.worker.cancel(),
            EngineTask::SendGraph => run.worker.ask_graph(),
        }
    }

    /// Asks all engines to stop.
    pub fn cancel(&self) {
        self.runs.iter().for_each(|run| run.worker.cancel());
    }

    /// Whether all engines have reported their end.
    pub fn over(&self) -> bool {
        self.runs.iter().all(|run| run.over)
    }

    /// Stops listening to the engines. Their threads are waited for when the returned values are dropped.
    pub fn retire(self) -> Vec<Worker> {
        self.runs.into_iter().map(|run| run.worker.retire()).collect()
    }
}

impl Run {
    /// Records a sample, unless later events were sampled already, since a checkpoint may arrive late.
    fn sample(&mut self, engine: usize, counts: &RunCounts, sink: &mut impl SessionSink) {
        let millis = self.time.spent().as_millis() as u64;
        let sample = counts.sample(engine as u32, self.findings.len() as u64, millis);
        if sample.events >= self.sampled {
            (self.sampled, self.sampled_at) = (sample.events, now());
            sink.record(Record::Sample(sample));
        }
    }

    /// Marks the engine as ended and stops its clock.
    fn end(&mut self) {
        self.over = true;
        self.time.stop();
    }
}

struct Stopwatch {
    since: Option<Instant>,
    before: Duration,
}

impl Stopwatch {
    fn spent(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn stop(&mut self) {
        (self.before, self.since) = (self.spent(), None);
    }
}

#[expect(clippy::disallowed_methods, reason = "people want to know how long it took")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use taproof_engine::device::{Device, DeviceError};
    use taproof_engine::{EngineConfig, PbfdroidConfig};

    use super::*;

    /// Gives no device until the other end of its channel is gone.
    struct Stuck(Sender<()>, Receiver<()>);

    impl DeviceSource for Stuck {
        fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
            self.0.send(()).unwrap();
            assert!(self.1.recv().is_err());
            Err(DeviceError::Unsupported { serial: "it".to_owned(), what: "work".to_owned() })
        }
    }

    #[derive(Default)]
    struct Heard(u32);

    impl SessionSink for Heard {
        fn record(&mut self, _record: Record) {
            self.0 += 1;
        }
        fn report(&mut self, _engine: usize, news: EngineNews) {
            self.0 += u32::from(matches!(news, EngineNews::Broken(_)));
        }
    }

    #[test]
    fn a_stuck_device_is_not_waited_for_beyond_the_deadline() {
        let ((asked, was_asked), (held, stuck)) = (bounded(1), bounded(0));
        let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let plan = Arc::new(CampaignPlan::new("org.taproof.notes", engine, 9));
        let mut device = Some(Stuck(asked, stuck));
        let session = Session::start(&plan, vec![None], |_| device.take().unwrap(), || (), || ()).unwrap();
        was_asked.recv().unwrap();
        session.cancel();
        let mut heard = Heard::default();
        session.finish(now() + Duration::from_millis(20), &mut heard);
        assert_eq!(heard.0, 0, "it has not said that it ended");
        drop(held);
    }
}
