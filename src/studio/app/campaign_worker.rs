//! A campaign of the window: a worker for each of its engines, and what they tell written down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;

use crate::state::{CampaignPhase, CampaignState, EngineRunState};
use taproof_core::campaign::{
    CampaignPlan, CampaignReport, CoverageSample, DeviceSource, EndReason, EngineRun, EngineWorker,
    Resumption, RunCounts, Update, summarise,
};
use taproof_core::worker::Worker;

use super::jobs::{Job, Jobs};
use super::now;

/// Work that a kill may cost, at most about.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);

/// The handle of a campaign. Dropping it cancels and waits.
pub(super) struct CampaignWorker {
    runs: Vec<Run>,
}

struct Run {
    worker: EngineWorker,
    /// When it last began to work, and the seconds of work before that.
    working: (Option<Instant>, f64),
    over: bool,
    /// When it was last asked where it stands.
    asked: Instant,
    /// What it did; nothing where a mistake of ours ended it.
    report: Option<Box<CampaignReport>>,
}

impl CampaignWorker {
    /// Starts the engines of a plan that was checked, each with devices of its own, or lets each go on from where it
    /// stood after so many seconds.
    pub(super) fn start<S: DeviceSource + Send + 'static>(
        plan: &Arc<CampaignPlan>,
        from: Vec<(Option<Resumption>, f64)>,
        mut source: impl FnMut(usize) -> S,
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<CampaignWorker> {
        let mut start = |(place, (from, seconds))| {
            let (plan, wake, later) = (Arc::clone(plan), wake.clone(), wake_later.clone());
            let worker = EngineWorker::start(plan, place, from, source(place), wake, later)?;
            Ok(Run { worker, working: (Some(now()), seconds), over: false, asked: now(), report: None })
        };
        let runs = from.into_iter().enumerate().map(&mut start).collect::<std::io::Result<_>>()?;
        Ok(CampaignWorker { runs })
    }

    /// Takes what the engines told. Findings go to the disk first; the window shows them when they are there.
    pub(super) fn drain(&mut self, campaign: &mut CampaignState, jobs: Option<&Jobs>, most: usize) {
        for place in 0..self.runs.len() {
            let (Some(run), Some(state)) = (self.runs.get_mut(place), campaign.runs.get_mut(place)) else {
                continue;
            };
            if run.asked.elapsed() >= CHECKPOINT_EVERY {
                run.asked = now();
                run.worker.ask_checkpoint();
            }
            state.seconds = run.seconds();
            if run.worker.look(|counts| state.take_counts(counts)).is_some() {
                ask(jobs, Job::Sample(campaign.id, sample(place, state)));
            }
            if let Some(stats) = run.worker.stats() {
                state.stats = stats;
            }
            if let Some(graph) = run.worker.graph() {
                state.graph = Some(graph);
            }
            let updates: Vec<Update> = run.worker.updates().try_iter().take(most).collect();
            for update in updates {
                self.take(place, update, campaign, jobs);
            }
        }
    }

    /// Waits for its end, so that it is written down as what it is, but not longer than until then. To be
    /// cancelled before. What was shown of one that does not end is on the disk; the next start takes it for
    /// interrupted.
    pub(super) fn finish(mut self, campaign: &mut CampaignState, jobs: Option<&Jobs>, end: Instant) {
        for place in 0..self.runs.len() {
            while let Some(run) = self.runs.get(place).filter(|run| !run.over) {
                match run.worker.updates().recv_deadline(end) {
                    Ok(update) => self.take(place, update, campaign, jobs),
                    Err(RecvTimeoutError::Timeout) => {
                        return self.runs.into_iter().for_each(|run| run.worker.leave());
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        }
    }

    fn take(&mut self, place: usize, update: Update, campaign: &mut CampaignState, jobs: Option<&Jobs>) {
        let (Some(run), Some(state)) = (self.runs.get_mut(place), campaign.runs.get_mut(place)) else {
            return;
        };
        match update {
            Update::Started => {
                if state.phase == CampaignPhase::Starting {
                    state.phase = CampaignPhase::Running;
                }
            }
            Update::Finding(finding) => {
                if !ask(jobs, Job::Commit(campaign.id, Arc::clone(&finding))) {
                    campaign.not_written("the disk worker is gone", Some(&finding));
                    self.cancel();
                }
            }
            Update::Warning(warning) => campaign.warnings.push(warning.to_string()),
            Update::Checkpoint(checkpoint) => {
                ask(jobs, Job::Checkpoint(campaign.id, place, checkpoint));
            }
            Update::Ended(report) => {
                state.seconds = run.seconds();
                state.take_counts(&RunCounts::of(&report.ledger));
                state.graph = run.worker.graph().or(state.graph.take());
                state.fingerprint = Some(report.ledger.fingerprint());
                state.stats = report.engine.clone();
                state.phase = CampaignPhase::Ended(report.end.clone());
                let counts = report.findings.iter();
                campaign.counts.extend(counts.map(|found| (found.finding.id.clone(), found.count)));
                run.end();
                run.report = Some(report);
                self.write_end(campaign, jobs);
            }
            Update::Broken(report) => {
                state.phase = CampaignPhase::Ended(EndReason::Bug(report));
                run.end();
                self.write_end(campaign, jobs);
            }
        }
    }

    /// Writes down how the campaign ended, once all of its engines have. Of one that a mistake of ours ended
    /// nothing is known; the database then takes the campaign for interrupted at the next start.
    fn write_end(&self, campaign: &CampaignState, jobs: Option<&Jobs>) {
        let engines = campaign.plan.engines.iter().zip(&self.runs).zip(&campaign.runs);
        let runs: Option<Vec<EngineRun<'_>>> = engines
            .map(|((engine, run), state)| {
                Some(EngineRun { engine, report: run.report.as_deref()?, seconds: state.seconds })
            })
            .collect();
        if let Some(runs) = runs {
            let summary = Box::new(summarise(&campaign.plan, &runs));
            ask(jobs, Job::End(campaign.id, summary, campaign.end_sentence().unwrap_or_default()));
            // Not before: a campaign that is resumed ends again, and would teach the same twice.
            for (place, run) in runs.iter().enumerate() {
                if let Some(learned) = &run.report.learned {
                    ask(jobs, Job::Learn(Arc::clone(&campaign.plan), place, Box::new(learned.clone())));
                }
            }
        }
    }

    /// Asks an engine for the states that it saw.
    pub(super) fn ask_graph(&self, place: usize) {
        if let Some(run) = self.runs.get(place) {
            run.worker.ask_graph();
        }
    }

    /// Asks an engine to wait.
    pub(super) fn pause(&mut self, place: usize) {
        if let Some(run) = self.runs.get_mut(place) {
            run.working = (None, run.seconds());
            run.worker.pause();
        }
    }

    /// Lets an engine go on.
    pub(super) fn resume(&mut self, place: usize) {
        if let Some(run) = self.runs.get_mut(place) {
            run.working = (Some(now()), run.seconds());
            run.worker.resume();
        }
    }

    /// Asks all engines to stop.
    pub(super) fn cancel(&self) {
        self.runs.iter().for_each(|run| run.worker.cancel());
    }

    /// Asks an engine to stop.
    pub(super) fn cancel_run(&self, place: usize) {
        if let Some(run) = self.runs.get(place) {
            run.worker.cancel();
        }
    }

    /// Whether all engines have told their end.
    pub(super) fn over(&self) -> bool {
        self.runs.iter().all(|run| run.over)
    }

    /// Lets go of what they tell.
    pub(super) fn retire(self) -> Vec<Worker> {
        self.runs.into_iter().map(|run| run.worker.retire()).collect()
    }
}

impl Run {
    /// It is over, and its time stands still while the others go on.
    fn end(&mut self) {
        (self.over, self.working) = (true, (None, self.seconds()));
    }

    fn seconds(&self) -> f64 {
        self.working.1 + self.working.0.map_or(0.0, |since| since.elapsed().as_secs_f64())
    }
}

/// Whether the disk takes it.
fn ask(jobs: Option<&Jobs>, job: Job) -> bool {
    jobs.is_some_and(|jobs| jobs.ask(job))
}

fn sample(place: usize, run: &EngineRunState) -> CoverageSample {
    run.counts.sample(place as u32, run.found() as u64, (run.seconds * 1000.0) as u64)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam_channel::{Receiver, Sender, bounded};

    use super::*;
    use crate::state::CampaignId;

    use taproof_core::device::{Device, DeviceError};
    use taproof_core::engine::{EngineConfig, PbfdroidConfig};

    /// Gives no device until the other end of its channel is gone.
    struct Stuck(Sender<()>, Receiver<()>);

    impl DeviceSource for Stuck {
        fn fresh(&mut self, _: &[String]) -> Result<Box<dyn Device>, DeviceError> {
            self.0.send(()).unwrap();
            assert!(self.1.recv().is_err());
            Err(DeviceError::Unsupported { serial: "it".to_owned(), what: "work".to_owned() })
        }
        fn switchable_bugs(&self) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_closing_window_does_not_wait_for_ever() {
        let ((asked, was_asked), (held, stuck)) = (bounded(1), bounded(0));
        let plan = Arc::new(CampaignPlan::new(
            "org.taproof.notes",
            EngineConfig::Pbfdroid(PbfdroidConfig::default()),
            9,
        ));
        let mut device = Some(Stuck(asked, stuck));
        let worker =
            CampaignWorker::start(&plan, vec![(None, 0.0)], |_| device.take().unwrap(), || (), || ())
                .unwrap();
        let words = ("Notes".to_owned(), "notes".to_owned());
        let mut campaign = CampaignState::new(CampaignId(1), words.0, words.1, plan, &[9]);
        was_asked.recv().unwrap();
        worker.cancel();
        worker.finish(&mut campaign, None, now() + Duration::from_millis(20));
        assert!(campaign.alive(), "it has not said that it ended");
        drop(held);
    }
}
