//! The interface of sources of layouts, and what is queried together with a layout.
//!
//! A source is `uiautomator dump` (`dump_command`), which every device has, or a server on the device: a
//! [`LayoutServer`]. Each retries by itself what may work the next time, so that callers ask only once.

use crate::connection::Connection;
use crate::input::gestures::Input;
use crate::input::typing::TypingMethod;
use crate::observe::health::LogPosition;
use crate::observe::pictures::PictureSource;
use crate::open::control::ControlMethod;
use crate::output::{Component, DumpProblem, LogLine, uptime, window_focus};
use taproof_engine::agent::Action;
use taproof_engine::device::DeviceError;
use taproof_screen::PxRect;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::format::{ParsedHierarchy, parse_hierarchy};

/// A server on the device that provides layouts, and possibly pictures and text input.
pub(super) trait LayoutServer: Send {
    /// Whether the server runs on this device and answers.
    fn answers(&self, connection: &Connection) -> bool;

    /// Whether the error means that the server has ended, so that asking again would not help.
    fn has_ended(&self, error: &DeviceError) -> bool;

    /// Whether the server is known to have ended, without asking it.
    fn known_to_have_ended(&self) -> bool {
        false
    }

    /// Executes an input and then reads the layout.
    fn read(&mut self, query: &mut Query<'_>, input: &Input) -> Result<Reading, DeviceError>;

    /// Types a text by an action of the agent and then reads the layout; `None` if this server is not the agent.
    fn type_text(&mut self, _query: &mut Query<'_>, _action: Action) -> Option<Result<Reading, DeviceError>> {
        None
    }

    /// How to type text through this server; `None` if it cannot type.
    fn typing(&self) -> Option<TypingMethod> {
        None
    }

    /// The fastest source of pictures while this server is running.
    fn pictures(&self) -> PictureSource {
        PictureSource::Raw
    }

    /// The method of control that this server belongs to.
    fn method(&self) -> ControlMethod;
}

/// Index of a server in the list of all servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ServerIdx(pub usize);

/// One reading of the screen.
pub(super) struct Reading {
    /// The layout, or why the device yields none.
    pub layout: Result<ParsedHierarchy, DumpProblem>,
    /// The signals that were queried together with it.
    pub signals: Signals,
    /// A problem of the device that should be reported.
    pub problem: Option<&'static str>,
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
    /// The area of the keyboard on the screen; `None` if the source does not report it.
    pub keyboard: Option<KeyboardArea>,
}

/// The area of the keyboard; `None` if it is hidden.
pub(super) type KeyboardArea = Option<PxRect>;

/// Parses the XML of a dump or of a server.
pub(super) fn parsed(connection: &Connection, xml: &str) -> Result<ParsedHierarchy, DeviceError> {
    parse_hierarchy(xml.as_bytes()).map_err(|error| connection.no_layout(&error.to_string()))
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
    /// The shell lines for an input on this device.
    pub fn lines(&self, input: &Input) -> String {
        input.lines(self.connection.info.sdk)
    }

    /// Executes an input by the shell, then the lines `dump`. Returns what the latter print, and the signals. To report
    /// how long it took, a dump sets the shell variables BEGAN and ENDED to its start and end time.
    pub fn ask(&mut self, input: &Input, dump: &str) -> Result<(String, Signals), DeviceError> {
        let log = self.log.command(self.connection.info.sdk);
        let times = "echo $BEGAN\necho $ENDED";
        let questions = [dump, times, self.connection.windows_line(), "cat /proc/uptime", &log];
        let limit = input.takes() + self.connection.pace.limit();
        let mut answers = self.connection.ask_after(&self.lines(input), &questions, limit)?.into_iter();
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
            keyboard: None,
        };
        Ok((dump, signals))
    }
}
