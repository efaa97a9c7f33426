//! The interface of sources of layouts, and what is queried together with a layout.
//!
//! A source is `uiautomator dump` (`dump_command`), which every device has, or a server on the device: a
//! [`LayoutServer`]. Each retries by itself what may work the next time, so that callers ask only once.

use std::time::Duration;

use crate::connection::{Connection, PATIENCE};
use crate::health::LogPosition;
use crate::host::AdbLink;
use crate::output::{Component, DumpProblem, LogLine, uptime, window_focus};
use crate::pictures::PictureSource;
use crate::typing::TypingMethod;
use taproof_core::determinism::{DeviceDuration, DeviceInstant};
use taproof_core::device::DeviceError;

/// A server on the device that provides layouts, and possibly pictures and text input.
pub(super) trait LayoutServer: Send {
    /// Whether the server runs on this device and answers.
    fn answers(&self, link: &AdbLink, unwanted: &dyn Fn() -> bool) -> bool;

    /// Whether the error means that the server has ended, so that asking again would not help.
    fn has_ended(&self, error: &DeviceError) -> bool;

    /// Runs `lines` (none if empty), which take `takes` by themselves, and then reads the layout.
    fn read(&mut self, query: &mut Query<'_>, lines: &str, takes: Duration) -> Result<Reading, DeviceError>;

    /// How to type text through this server; `None` if it cannot type.
    fn typing(&self) -> Option<TypingMethod> {
        None
    }

    /// The fastest source of pictures while this server is running.
    fn pictures(&self) -> PictureSource {
        PictureSource::Raw
    }

    /// The server's name in messages.
    fn name(&self) -> &'static str;
}

/// Index of a server in the list of all servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ServerIdx(pub usize);

/// One reading of the screen.
pub(super) struct Reading {
    /// The layout as XML, or why the device yields none.
    pub xml: Result<String, DumpProblem>,
    /// The signals that were queried together with it.
    pub signals: Signals,
}

/// The signals that every reading of the screen returns together with the layout.
#[derive(Debug)]
pub(super) struct Signals {
    /// The foreground activity; `None` if the device does not report it.
    pub activity: Option<Component>,
    /// The device's clock at this reading.
    pub at: DeviceInstant,
    /// The lines of the log since the last reading.
    pub log: Vec<LogLine>,
}

impl Signals {
    /// Prepends the log of an earlier reading that this one replaces.
    pub fn continue_log(&mut self, earlier: Vec<LogLine>) {
        self.log.splice(0..0, earlier);
    }
}

/// Queries a device for a layout and the signals, in one script.
pub(super) struct Query<'a> {
    pub connection: &'a Connection,
    /// The foreground activity at the last reading.
    pub in_front: Option<&'a Component>,
    /// The device's clock at the last reading.
    pub now: DeviceInstant,
    /// The position up to which the log was read.
    pub log: &'a mut LogPosition,
    /// How long the last dump took by the device's clock.
    pub dump_took: &'a mut Option<DeviceDuration>,
}

impl Query<'_> {
    /// Runs `lines`, which take `takes`, then the lines `dump`. Returns what the latter print, and the signals. To
    /// report how long it took, a dump sets the shell variables BEGAN and ENDED to its start and end time.
    pub fn ask(
        &mut self,
        lines: &str,
        dump: &str,
        takes: Duration,
    ) -> Result<(String, Signals), DeviceError> {
        let log = self.log.command(self.connection.info.sdk);
        let times = "echo $BEGAN\necho $ENDED";
        let questions = [dump, times, self.connection.windows_line(), "cat /proc/uptime", &log];
        let mut answers = self.connection.ask_after(lines, &questions, takes + PATIENCE)?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let (dump, took, windows, clock, log) = (next(), next(), next(), next(), next());
        let mut times = took.lines().filter_map(uptime);
        if let (Some(began), Some(ended)) = (times.next(), times.next()) {
            *self.dump_took = Some(ended.since(began));
        }
        let signals = Signals {
            activity: window_focus(&windows).ok().and_then(|focus| focus.activity),
            at: uptime(&clock).unwrap_or(self.now),
            log: self.log.read(&log),
        };
        Ok((dump, signals))
    }
}
