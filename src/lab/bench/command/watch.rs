//! Runs campaigns, and says on standard error how far they are.

use std::collections::BTreeMap;
use std::time::Duration;

use taproof::cli::command::{Failure, PROGRESS_EVERY, StatusLine, bar, message, span_words, watch_interrupt};
use taproof_campaign::{CampaignPlan, CampaignReport};
use taproof_engine::worker::CancelToken;
use taproof_screen::{counted, thousands};

use crate::run::{Campaigns, Progress};

/// Runs all of these campaigns. Returns what `keep` makes of their reports, in their order; `None` if they were
/// interrupted.
pub(crate) fn run_watched<R: Send>(
    campaigns: &Campaigns,
    threads: usize,
    keep: impl Fn(usize, Result<CampaignReport, String>) -> R + Sync,
) -> Result<Option<Vec<R>>, Failure> {
    let watch = Watch::new(campaigns, threads, "");
    watch.run(BTreeMap::new(), keep, |_, _, _| Ok(()))
}

/// How far campaigns are, and how long the rest will take.
pub(super) struct Watch<'c> {
    campaigns: &'c Campaigns,
    threads: usize,
    /// What can be done with campaigns that were interrupted.
    advice: &'static str,
    line: StatusLine,
    engines: BTreeMap<String, Pace>,
    /// Whether the time for all was said.
    estimated: bool,
}

/// The campaigns of an engine.
#[derive(Default)]
struct Pace {
    left: usize,
    done: usize,
    /// What those that are done took.
    time: Duration,
}

impl Watch<'_> {
    /// Nothing is done yet.
    pub(super) fn new<'c>(campaigns: &'c Campaigns, threads: usize, advice: &'static str) -> Watch<'c> {
        let mut engines: BTreeMap<String, Pace> = BTreeMap::new();
        for plan in campaigns.plans() {
            engines.entry(plan.engine_names()).or_default().left += 1;
        }
        let line = StatusLine::new(PROGRESS_EVERY);
        Watch { campaigns, threads, advice, line, engines, estimated: false }
    }

    /// Runs the campaigns that are not done, of which each result is given to `store`. Returns all results in order; `None`
    /// if they were interrupted.
    pub(super) fn run<R: Send>(
        mut self,
        before: BTreeMap<usize, (R, Duration)>,
        keep: impl Fn(usize, Result<CampaignReport, String>) -> R + Sync,
        mut store: impl FnMut(usize, &R, Duration) -> Result<(), Failure>,
    ) -> Result<Option<Vec<R>>, Failure> {
        let all = self.campaigns.plans().len();
        let mut done: BTreeMap<usize, R> = BTreeMap::new();
        for (place, (result, took)) in before.into_iter().filter(|(place, _)| *place < all) {
            self.take(place, took);
            done.insert(place, result);
        }
        let left: Vec<usize> = (0..all).filter(|place| !done.contains_key(place)).collect();
        self.begin(&left);
        let cancel = CancelToken::new();
        let stop = cancel.clone();
        let _interrupt = watch_interrupt(move || stop.cancel());
        self.campaigns.run(&left, self.threads, &cancel, keep, |progress| {
            if let Progress::Done(place, result, took) = progress {
                store(place, &result, took)?;
                self.take(place, took);
                done.insert(place, result);
            }
            self.show();
            Ok::<(), Failure>(())
        })?;
        self.end(done.len() == all);
        Ok((done.len() == all).then(|| done.into_values().collect()))
    }

    /// Takes the time that a campaign took.
    fn take(&mut self, place: usize, took: Duration) {
        if let Some(pace) = self.engines.get_mut(&self.campaigns.plans()[place].engine_names()) {
            pace.left = pace.left.saturating_sub(1);
            pace.done += 1;
            pace.time += took;
        }
    }

    /// Says what is to be done.
    fn begin(&self, left: &[usize]) {
        let plan = |place: &usize| &self.campaigns.plans()[*place];
        let events = |plan: &CampaignPlan| plan.budget.max_events;
        let events = left.iter().map(plan).map(events).fold(0, u64::saturating_add);
        let done = self.done();
        let before =
            if done > 0 { format!(", {} done before", thousands(done as u64)) } else { String::new() };
        message(&format!(
            "{} with at most {} events, {} at a time{before}",
            counted(left.len(), "campaign"),
            thousands(events),
            self.threads
        ));
    }

    /// Shows how far it is.
    fn show(&mut self) {
        if !self.estimated
            && let Some(left) = self.left()
        {
            self.estimated = true;
            self.line.clear();
            message(&format!("this will take about {}", span_words(left)));
        }
        if self.line.is_drawn() {
            let line = self.words();
            self.line.draw(&line);
        } else if self.line.is_due() {
            message(&self.words());
        }
    }

    fn words(&self) -> String {
        let (done, all) = (self.done(), self.campaigns.plans().len());
        let left = self.left().map_or(String::new(), |left| format!(", {} left", span_words(left)));
        let percent = (done * 100 / all.max(1)) as u64;
        format!("{}{left}; {} of {}", bar(percent), thousands(done as u64), counted(all, "campaign"))
    }

    fn done(&self) -> usize {
        self.engines.values().map(|pace| pace.done).sum()
    }

    /// The time that the rest takes if the campaigns of each engine take as long as those before; `None` until one of
    /// each is done.
    fn left(&self) -> Option<Duration> {
        let of_engine = |pace: &Pace| match (pace.left, pace.done) {
            (0, _) => Some(0.0),
            (_, 0) => None,
            (left, done) => Some(pace.time.as_secs_f64() / done as f64 * left as f64),
        };
        let all: Option<f64> = self.engines.values().map(of_engine).sum();
        all.map(|seconds| Duration::from_secs_f64(seconds / self.threads as f64))
    }

    /// Says how much was done.
    fn end(&mut self, complete: bool) {
        self.line.clear();
        let time: Duration = self.engines.values().map(|pace| pace.time).sum();
        let (done, all) = (thousands(self.done() as u64), counted(self.campaigns.plans().len(), "campaign"));
        let advice = if complete { "" } else { self.advice };
        message(&format!("{done} of {all} done, {} of one core{advice}", span_words(time)));
    }
}
