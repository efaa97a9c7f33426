//! Progress on standard error, of a campaign or of other work that takes long: a line that is redrawn in place on a terminal, and a line now and then
//! elsewhere.

use std::time::{Duration, Instant};

use crate::cli::message;
use crate::cli::terminal::{draw, messages_are_watched};
use taproof_campaign::RunCounts;
use taproof_engine::Task;
use taproof_screen::{counted, thousands};
use taproof_session::dates::length_words;

/// Number of characters that fit into the line of any usual terminal.
const LONGEST_LINE: usize = 79;

/// How often a line is printed where standard error is no terminal.
pub const PROGRESS_EVERY: Duration = Duration::from_secs(30);

/// The progress of a campaign.
pub struct Progress {
    engines: Vec<EngineProgress>,
    /// Number of events of all engines together.
    total: u64,
    shown: StatusLine,
    /// When the campaign began or was resumed.
    began: Instant,
    /// The number of findings so far that may be bugs, and how many of them are confirmed.
    bugs: (usize, usize),
}

/// A line on standard error that is redrawn in place on a terminal, and printed now and then elsewhere.
pub struct StatusLine {
    /// Whether standard error is a terminal that can be written to.
    drawn_in_place: bool,
    /// The line in place.
    drawn: Option<String>,
    every: Duration,
    /// When a line was last printed.
    printed: Instant,
}

impl StatusLine {
    /// No line yet. Where it cannot be redrawn, one is printed this often.
    pub fn new(every: Duration) -> StatusLine {
        StatusLine { drawn_in_place: messages_are_watched(), drawn: None, every, printed: now() }
    }

    /// Whether the line can be redrawn.
    pub fn is_drawn(&self) -> bool {
        self.drawn_in_place
    }

    /// Redraws the line.
    pub fn draw(&mut self, line: &str) {
        if self.drawn_in_place && self.drawn.as_deref() != Some(line) {
            // A line that is wider than the terminal is cut, as one that breaks could not be removed.
            self.write(&format!("\r\x1b[K\x1b[?7l{line}\x1b[?7h"));
            self.drawn = Some(line.to_owned());
        }
    }

    /// Whether a line is to be printed now, as it cannot be redrawn.
    pub fn is_due(&mut self) -> bool {
        let due = !self.drawn_in_place && self.printed.elapsed() >= self.every;
        if due {
            self.printed = now();
        }
        due
    }

    /// Removes the line in place, so that something else can be printed.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            self.write("\r\x1b[K");
        }
    }

    /// Hides the line if it cannot be written, which must not stop what it is about.
    fn write(&mut self, text: &str) {
        self.drawn_in_place &= draw(text);
    }
}

/// The progress of one engine.
struct EngineProgress {
    name: &'static str,
    /// Number of events that it had performed when the campaign was resumed; `None` until it says.
    before: Option<u64>,
    events: u64,
    reexecuted: u64,
    task: Task,
}

impl Progress {
    /// The progress of a campaign with these engines and so many events in all.
    pub fn new(engines: impl Iterator<Item = &'static str>, events: u64, every: Duration) -> Progress {
        let engine =
            |name| EngineProgress { name, before: None, events: 0, reexecuted: 0, task: Task::default() };
        let (engines, total) = (engines.map(engine).collect(), events.max(1));
        Progress { engines, total, shown: StatusLine::new(every), began: now(), bugs: (0, 0) }
    }

    /// Takes the number of findings so far that may be bugs, and how many of them are confirmed.
    pub fn found(&mut self, bugs: usize, confirmed: usize) {
        self.bugs = (bugs, confirmed);
    }

    /// Takes the latest counts of an engine.
    pub fn take(&mut self, engine: usize, counts: &RunCounts) {
        if let Some(engine) = self.engines.get_mut(engine) {
            engine.before.get_or_insert(counts.events);
            engine.events = counts.events;
            engine.reexecuted = counts.reexecuted;
            engine.task = counts.task;
        }
        if self.shown.is_drawn() {
            let line = self.line(self.began.elapsed());
            self.shown.draw(&line);
        }
    }

    /// Prints a line if one is due. To be called several times a second, whatever the campaign does.
    pub fn tick(&mut self) {
        if self.shown.is_due() {
            message(&self.words());
        }
    }

    /// Removes the line in place, so that something else can be printed.
    pub fn clear(&mut self) {
        self.shown.clear();
    }

    /// The line in place, this long after the beginning.
    fn line(&self, elapsed: Duration) -> String {
        let left = self.left(elapsed).map(|left| format!(", {} left", span_words(left)));
        let mut parts: Vec<String> = left.into_iter().collect();
        parts.extend(self.bugs().map(|bugs| format!(", {bugs}")));
        parts.push(format!("; {}", self.events()));
        parts.extend(self.tasks());
        parts.into_iter().fold(bar(self.percent()), |line, part| {
            let fits = line.chars().count() + part.chars().count() <= LONGEST_LINE;
            if fits { line + &part } else { line }
        })
    }

    /// How long it will take if it goes on as so far; `None` until that can be told.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        const AT_LEAST: Duration = Duration::from_secs(3);
        let events = self.sum(|engine| engine.events);
        let done = events.saturating_sub(self.sum(|engine| engine.before.unwrap_or(0)));
        if elapsed < AT_LEAST || done == 0 {
            return None;
        }
        let each = elapsed.as_secs_f64() / done as f64;
        Some(Duration::from_secs_f64(each * self.total.saturating_sub(events) as f64))
    }

    fn bugs(&self) -> Option<String> {
        let (bugs, confirmed) = self.bugs;
        (bugs > 0).then(|| format!("{}, {confirmed} confirmed", counted(bugs, "finding")))
    }

    fn percent(&self) -> u64 {
        (self.sum(|engine| engine.events).saturating_mul(100) / self.total).min(100)
    }

    fn sum(&self, of: impl Fn(&EngineProgress) -> u64) -> u64 {
        self.engines.iter().map(of).sum()
    }

    fn words(&self) -> String {
        let mut words = format!("{} %: {} events", self.percent(), self.events());
        let again = self.sum(|engine| engine.reexecuted);
        if again > 0 {
            words += &format!(", {} re-executed", thousands(again));
        }
        let bugs = self.bugs().into_iter().map(|bugs| format!(", {bugs}"));
        words.extend(bugs.chain(self.tasks()));
        words
    }

    fn events(&self) -> String {
        format!("{} of {}", thousands(self.sum(|engine| engine.events)), thousands(self.total))
    }

    /// What engines do besides fuzzing.
    fn tasks(&self) -> impl Iterator<Item = String> {
        let busy = self.engines.iter().filter(|engine| engine.task != Task::Fuzzing);
        busy.map(|engine| format!("; {}: {}", engine.name, engine.task))
    }
}

/// How much is done, as a bar and a number.
pub fn bar(percent: u64) -> String {
    const WIDTH: u64 = 20;
    let full = (percent * WIDTH / 100) as usize;
    format!("[{}{}] {percent} %", "#".repeat(full), "-".repeat(WIDTH as usize - full))
}

/// A span for people: `40 s`, `3 min`, `2 h 05 min`.
pub fn span_words(span: Duration) -> String {
    // Rounded up, so that it does not say 0 before the end.
    let seconds = span.as_secs() + u64::from(span.subsec_nanos() > 0);
    match seconds {
        0..=99 => format!("{seconds} s"),
        _ => length_words(seconds.div_ceil(60) * 60),
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
    fn the_line_in_place_says_how_long_it_will_take_from_where_it_was_resumed() {
        let mut progress = Progress::new(["genie"].into_iter(), 1_000, PROGRESS_EVERY);
        progress.shown.drawn_in_place = false;
        let counts = |events| RunCounts { events, ..RunCounts::default() };
        progress.take(0, &counts(400));
        assert_eq!(progress.left(Duration::from_secs(10)), None, "nothing is done since");
        progress.take(0, &counts(500));
        assert_eq!(progress.left(Duration::from_secs(1)), None, "too early");
        assert_eq!(progress.left(Duration::from_secs(10)), Some(Duration::from_secs(50)));
        let line = progress.line(Duration::from_secs(10));
        assert_eq!(line, "[##########----------] 50 %, 50 s left; 500 of 1,000");
        let task = Task::Minimising { steps: 43, left: 12 };
        progress.take(0, &RunCounts { task, ..counts(500) });
        progress.found(12, 3);
        let line = progress.line(Duration::from_secs(10));
        let said = "[##########----------] 50 %, 50 s left, 12 findings, 3 confirmed; 500 of 1,000";
        assert_eq!(line, said, "what does not fit into a line is left out");
    }

    #[test]
    fn spans_are_rounded_up() {
        let words = |seconds| span_words(Duration::from_secs_f64(seconds));
        assert_eq!(
            [words(0.2), words(99.0), words(100.0), words(7_260.0)],
            ["1 s", "99 s", "2 min", "2 h 01 min"]
        );
    }

    #[test]
    fn the_line_says_what_each_engine_does_beside_fuzzing() {
        let mut progress = Progress::new(["genie", "odin"].into_iter(), 400, PROGRESS_EVERY);
        progress.shown.drawn_in_place = false;
        let counts = RunCounts { events: 50, ..RunCounts::default() };
        progress.take(0, &counts);
        assert_eq!(progress.words(), "12 %: 50 of 400 events");
        let task = Task::Minimising { steps: 43, left: 12 };
        progress.take(1, &RunCounts { reexecuted: 119, task, ..counts });
        let words = "25 %: 100 of 400 events, 119 re-executed; odin: minimising 43 steps, 12 left to try";
        assert_eq!(progress.words(), words);
    }
}
