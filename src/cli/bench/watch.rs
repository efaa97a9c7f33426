//! How far a bench is, on standard error.

use std::time::Duration;

use crate::cli::message;
use crate::cli::progress::{PROGRESS_EVERY, StatusLine, bar, span_words};
use taproof_bench::Bench;
use taproof_core::model::{counted, thousands};

/// How far a bench is, and how long the rest will take.
pub(super) struct Watch<'b> {
    bench: &'b Bench,
    threads: usize,
    line: StatusLine,
    /// Of each engine: cells that are left, cells that are done, and the time that those took.
    engines: Vec<(usize, usize, Duration)>,
    /// Whether the time for all was said.
    estimated: bool,
}

impl Watch<'_> {
    /// Nothing is done yet.
    pub(super) fn new(bench: &Bench, threads: usize) -> Watch<'_> {
        let each = bench.cells().len() / bench.plan().engines.len().max(1);
        let engines = vec![(each, 0, Duration::ZERO); bench.plan().engines.len()];
        Watch { bench, threads, line: StatusLine::new(PROGRESS_EVERY), engines, estimated: false }
    }

    /// Takes the time that a cell took.
    pub(super) fn take(&mut self, cell: usize, took: Duration) {
        let (left, done, time) = &mut self.engines[self.bench.cells()[cell].engine];
        *left = left.saturating_sub(1);
        *done += 1;
        *time += took;
    }

    /// Says what is to be done.
    pub(super) fn begin(&mut self) {
        let engines = || self.bench.plan().engines.iter().zip(&self.engines);
        let events: u64 = engines().map(|(run, (left, ..))| run.events.saturating_mul(*left as u64)).sum();
        let left: usize = engines().map(|(_, (left, ..))| left).sum();
        let done = self.done();
        let before =
            if done > 0 { format!(", {} done before", thousands(done as u64)) } else { String::new() };
        message(&format!(
            "{} with at most {} events, {} at a time{before}",
            counted(left, "campaign"),
            thousands(events),
            self.threads
        ));
    }

    /// Shows how far it is.
    pub(super) fn show(&mut self) {
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
        let (done, all) = (self.done(), self.bench.cells().len());
        let left = self.left().map_or(String::new(), |left| format!(", {} left", span_words(left)));
        let percent = (done * 100 / all.max(1)) as u64;
        format!("{}{left}; {} of {}", bar(percent), thousands(done as u64), counted(all, "campaign"))
    }

    fn done(&self) -> usize {
        self.engines.iter().map(|(_, done, _)| done).sum()
    }

    /// The time that the rest takes if the campaigns of each engine take as long as those before; `None` until one of
    /// each is done.
    fn left(&self) -> Option<Duration> {
        let of_engine = |(left, done, time): &(usize, usize, Duration)| match (left, done) {
            (0, _) => Some(0.0),
            (_, 0) => None,
            _ => Some(time.as_secs_f64() / *done as f64 * *left as f64),
        };
        let all: Option<f64> = self.engines.iter().map(of_engine).sum();
        all.map(|seconds| Duration::from_secs_f64(seconds / self.threads as f64))
    }

    /// Says how much was done; `kept` is whether it can be resumed.
    pub(super) fn end(&mut self, complete: bool, kept: bool) {
        self.line.clear();
        let time: Duration = self.engines.iter().map(|(_, _, time)| *time).sum();
        let (done, all) = (thousands(self.done() as u64), counted(self.bench.cells().len(), "campaign"));
        let advice = match (complete, kept) {
            (true, _) => "",
            (false, true) => "; the same command goes on from here",
            (false, false) => "; with --out FOLDER, it could be resumed",
        };
        message(&format!("{done} of {all} done, {} of one core{advice}", span_words(time)));
    }
}
