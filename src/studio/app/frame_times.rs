//! Measures how long the window's own work for a frame takes, and logs it periodically: `TAPROOF_LOG=info`.

use std::time::{Duration, Instant};

use crate::wall_clock::now;

/// Number of frames between two log lines.
const EVERY: usize = 1000;

/// The times of the frames since the last log line.
#[derive(Default)]
pub(super) struct FrameTimes {
    /// When the program started. `None` once the window has shown its phone.
    started: Option<Instant>,
    /// When the current frame began. `None` between frames.
    began: Option<Instant>,
    times: Vec<Duration>,
}

impl FrameTimes {
    /// Begins to measure for a program that started at this time.
    pub(super) fn since(started: Instant) -> FrameTimes {
        FrameTimes { started: Some(started), ..FrameTimes::default() }
    }

    /// Logs the time until the first frame, and until the first frame that shows the phone.
    pub(super) fn log_start(&mut self, pass: u64, phone: bool) {
        let Some(started) = self.started else { return };
        let millis = started.elapsed().as_millis();
        if pass == 0 {
            tracing::info!("first frame after {millis} ms");
        }
        if phone {
            tracing::info!("first frame with the phone after {millis} ms");
            self.started = None;
        }
    }

    /// Called when a frame begins.
    pub(super) fn begin(&mut self) {
        self.began = Some(now());
    }

    /// Called when the window's work for the frame is done; only drawing remains.
    pub(super) fn end(&mut self) {
        self.times.extend(self.began.take().map(|began| began.elapsed()));
        if self.times.len() >= EVERY {
            self.print();
        }
    }

    /// Logs how long the frames since the last log line took.
    pub(super) fn print(&mut self) {
        let mut times = std::mem::take(&mut self.times);
        times.sort_unstable();
        let share = |percent: usize| {
            let time = times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let (median, late, most) = (share(50), share(99), share(100));
        tracing::info!(
            "{} frames: median {median:.2} ms, 99 % below {late:.2} ms, longest {most:.2} ms",
            times.len()
        );
    }
}
