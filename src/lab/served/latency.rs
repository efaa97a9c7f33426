//! How long a typical device takes for requests. If switched off, nothing waits except for the starts of virtual machines
//! that `Served::slow` sets. Otherwise the wait is real time and happens outside the lock of the state, so that two
//! streams wait concurrently as on a phone. The waits are added up (`Served::waited`): the device's `/proc/uptime`
//! advances by them, its other clocks advance only by events and waits.

use std::time::Duration;

use super::Like;

/// How long commands take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Latency {
    /// Only as long as the work itself.
    #[default]
    Off,
    /// As long as on a typical emulator.
    Emulator,
    /// As long as on a typical emulator according to the device's own clock, without actually waiting.
    Told,
}

/// A kind of request, by its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Work of the shell itself.
    Shell,
    /// A native program such as `getprop`, `ls` or `logcat`.
    Native,
    /// A query of the system's services by a native program: `dumpsys`.
    Query,
    /// A query of the system's services by a Java program: `settings`, `pm`.
    Service,
    /// One run of the `input` command.
    Input,
    /// A `uiautomator dump`, until the file is written.
    Dump,
    /// A layout from a running uiautomator2 server.
    ServerDump,
    /// Input through a running uiautomator2 server.
    ServerInput,
    /// A `screencap`, until the picture is encoded.
    Screenshot,
    /// A JPEG from a running uiautomator2 server.
    ServerScreenshot,
    /// An event through the agent: input, two layouts, the activity in front.
    AgentEvent,
    /// A request to the agent other than an event or a picture.
    AgentCall,
    /// A picture from the agent.
    AgentPicture,
    /// The start of an activity.
    Start,
    /// The installation of an app.
    Install,
}

/// How often a longer wait checks whether the answer is still wanted.
const GLANCE: Duration = Duration::from_millis(50);

impl Latency {
    /// How long a request of this kind takes; zero if switched off.
    pub fn of(self, like: Like, cost: Cost) -> Duration {
        if self == Latency::Off {
            return Duration::ZERO;
        }
        // On a device of today, and on Android 4.4 with an x86 processor that is emulated without acceleration, where
        // each Java program starts a virtual machine.
        let (today, old) = match cost {
            Cost::Shell => (0, 0),
            Cost::Native => (5, 5),
            Cost::Query => (30, 75),
            Cost::Service => (30, 1270),
            Cost::Input => (60, 1306),
            Cost::Dump => (2000, 2881),
            Cost::ServerDump => (50, 142),
            Cost::ServerInput => (20, 43),
            Cost::Screenshot => (150, 339),
            Cost::ServerScreenshot => (100, 122),
            Cost::AgentEvent => (250, 990),
            Cost::AgentCall => (40, 40),
            Cost::AgentPicture => (120, 122),
            Cost::Start => (800, 1286),
            Cost::Install => (1500, 1500),
        };
        let millis = if like.old() { old } else { today };
        Duration::from_millis(millis)
    }

    /// Waits for the duration of the request. Returns false early once `wanted` returns false.
    pub fn wait(self, like: Like, cost: Cost, wanted: impl FnMut() -> bool) -> bool {
        self.wait_for(self.of(like, cost), wanted)
    }

    /// Waits for `span` if waits are real. Returns false early once `wanted` returns false.
    pub(super) fn wait_for(self, span: Duration, mut wanted: impl FnMut() -> bool) -> bool {
        if span.is_zero() || self == Latency::Told {
            return true;
        }
        // A single deadline, since many short waits would add up to more.
        let end = crossbeam_channel::after(span);
        while end.recv_timeout(GLANCE).is_err() {
            if !wanted() {
                return false;
            }
        }
        true
    }
}

/// Sleeps for `span` in real time.
pub fn pause(span: Duration) {
    // The channel is never closed, so this cannot fail.
    crossbeam_channel::after(span).recv().map(drop).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_early_when_nobody_wants_the_answer() {
        let mut asked = 0;
        let mut leave_at_third = || {
            asked += 1;
            asked < 3
        };
        assert!(!Latency::Emulator.wait(Like::Android14, Cost::Dump, &mut leave_at_third));
        assert_eq!(asked, 3);
        assert!(Latency::Emulator.wait(Like::Android14, Cost::Native, || panic!("too short to look")));
        assert!(Latency::Off.wait(Like::Android44, Cost::Dump, || panic!("nothing to wait for")));
        assert!(Latency::Told.wait(Like::Android44, Cost::Dump, || panic!("nothing to wait for")));
    }
}
