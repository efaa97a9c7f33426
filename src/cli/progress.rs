//! The progress of a campaign on standard error: a line that is redrawn in place on a terminal, and a line now and then
//! elsewhere.

use std::time::{Duration, Instant};

use super::message;
use super::terminal::{draw, messages_are_watched};
use taproof_core::campaign::RunCounts;
use taproof_core::engine::Task;

/// How often a line is printed where standard error is no terminal.
pub const PROGRESS_EVERY: Duration = Duration::from_secs(30);

/// The progress of a campaign.
pub struct Progress {
    engines: Vec<EngineProgress>,
    /// Number of events of all engines together.
    total: u64,
    /// Whether standard error is a terminal that can be written to.
    drawn_in_place: bool,
    /// The line in place.
    drawn: Option<String>,
    every: Duration,
    /// When a line was last printed.
    printed: Instant,
}

/// The progress of one engine.
struct EngineProgress {
    name: &'static str,
    events: u64,
    reexecuted: u64,
    findings: u64,
    task: Task,
}

impl Progress {
    /// The progress of a campaign with these engines, each with this many events.
    pub fn new(engines: impl Iterator<Item = &'static str>, events: u64, every: Duration) -> Progress {
        let engine =
            |name| EngineProgress { name, events: 0, reexecuted: 0, findings: 0, task: Task::default() };
        let engines: Vec<EngineProgress> = engines.map(engine).collect();
        let total = events.saturating_mul(engines.len() as u64).max(1);
        let drawn_in_place = messages_are_watched();
        Progress { engines, total, drawn_in_place, drawn: None, every, printed: now() }
    }

    /// Takes the latest counts of an engine.
    pub fn take(&mut self, engine: usize, counts: &RunCounts, findings: u64) {
        if let Some(engine) = self.engines.get_mut(engine) {
            engine.events = counts.events;
            engine.reexecuted = counts.reexecuted;
            engine.findings = findings;
            engine.task = counts.task;
        }
        if self.drawn_in_place {
            self.draw_line();
        }
    }

    /// Prints a line if one is due. To be called several times a second, whatever the campaign does.
    pub fn tick(&mut self) {
        if !self.drawn_in_place && self.printed.elapsed() >= self.every {
            self.printed = now();
            message(&self.words());
        }
    }

    /// Removes the line in place, so that something else can be printed.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            self.write("\r\x1b[K");
        }
    }

    fn draw_line(&mut self) {
        const WIDTH: u64 = 20;
        let full = (self.percent() * WIDTH / 100) as usize;
        let bar = format!("[{}{}]", "#".repeat(full), "-".repeat(WIDTH as usize - full));
        let line = format!("{bar} {}", self.words());
        if self.drawn.as_ref() != Some(&line) {
            self.write(&format!("\r\x1b[K{line}"));
            self.drawn = Some(line);
        }
    }

    fn percent(&self) -> u64 {
        (self.sum(|engine| engine.events).saturating_mul(100) / self.total).min(100)
    }

    fn sum(&self, of: impl Fn(&EngineProgress) -> u64) -> u64 {
        self.engines.iter().map(of).sum()
    }

    fn words(&self) -> String {
        let (events, findings) = (self.sum(|engine| engine.events), self.sum(|engine| engine.findings));
        let mut words = format!("{} %: {events} of {} events", self.percent(), self.total);
        let again = self.sum(|engine| engine.reexecuted);
        if again > 0 {
            words += &format!(", {again} re-executed");
        }
        words += &format!(", {findings} finding(s)");
        for engine in self.engines.iter().filter(|engine| engine.task != Task::Fuzzing) {
            words += &format!("; {}: {}", engine.name, engine.task);
        }
        words
    }

    /// Hides the line if it cannot be written, which must not stop the campaign.
    fn write(&mut self, text: &str) {
        self.drawn_in_place &= draw(text);
    }
}

#[expect(clippy::disallowed_methods, reason = "people want to know that it goes on")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_each_engine_does_beside_fuzzing() {
        let mut progress = Progress::new(["genie", "odin"].into_iter(), 200, PROGRESS_EVERY);
        progress.drawn_in_place = false;
        let counts = RunCounts { events: 50, ..RunCounts::default() };
        progress.take(0, &counts, 1);
        assert_eq!(progress.words(), "12 %: 50 of 400 events, 1 finding(s)");
        let task = Task::Minimising { steps: 43, left: 12 };
        progress.take(1, &RunCounts { reexecuted: 119, task, ..counts }, 1);
        let words = "25 %: 100 of 400 events, 119 re-executed, 2 finding(s); odin: minimising 43 steps, 12 left to try";
        assert_eq!(progress.words(), words);
    }
}
