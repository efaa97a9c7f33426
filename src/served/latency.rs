//! How long a typical device takes for what it is asked. Off, nothing waits; on, the wait is real time and happens
//! outside the lock of the state, so that two streams wait side by side as on a phone. What was waited is added up
//! (`Served::waited`): the device's `/proc/uptime` goes on by it, its other clocks move by events and waits alone.

use std::time::Duration;

use super::Like;

/// How long commands take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Latency {
    /// As long as the work itself.
    #[default]
    Off,
    /// As on a typical emulator.
    Emulator,
    /// As on a typical emulator, as far as the device's own clock can tell: nothing waits in fact.
    Told,
}

/// What is asked of the device, by what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// What the shell does by itself.
    Shell,
    /// A native program: `getprop`, `ls`, `logcat`.
    Native,
    /// What the system's services tell: `dumpsys`, `settings`, `pm`.
    Service,
    /// One `input` command.
    Input,
    /// `uiautomator dump`.
    Dump,
    /// A layout from a running uiautomator2 server.
    ServerDump,
    /// Input through a running uiautomator2 server.
    ServerInput,
    /// `screencap`.
    Screenshot,
    /// A JPEG from a running uiautomator2 server.
    ServerScreenshot,
    /// An activity starts.
    Start,
    /// An app is installed.
    Install,
}

/// A longer wait than this looks now and then whether anybody still wants the answer.
const GLANCE: Duration = Duration::from_millis(50);

impl Latency {
    /// The word for it on a command line.
    pub fn word(self) -> &'static str {
        match self {
            Latency::Off => "off",
            Latency::Emulator => "emulator",
            Latency::Told => "told",
        }
    }

    /// What the word stands for.
    pub fn from_word(word: &str) -> Option<Latency> {
        [Latency::Off, Latency::Emulator, Latency::Told].into_iter().find(|latency| latency.word() == word)
    }

    /// How long it takes.
    pub fn of(self, like: Like, cost: Cost) -> Duration {
        if self == Latency::Off {
            return Duration::ZERO;
        }
        let old = like.old();
        let millis = match cost {
            Cost::Shell => 0,
            Cost::Native => 5,
            // Android 4.4 starts a Java process for each of them.
            Cost::Service => {
                if old {
                    600
                } else {
                    30
                }
            }
            Cost::Input => {
                if old {
                    700
                } else {
                    60
                }
            }
            Cost::Dump => {
                if old {
                    4500
                } else {
                    2000
                }
            }
            Cost::ServerDump => 50,
            Cost::ServerInput => 20,
            Cost::Screenshot => {
                if old {
                    300
                } else {
                    150
                }
            }
            Cost::ServerScreenshot => 100,
            Cost::Start => 800,
            Cost::Install => 1500,
        };
        Duration::from_millis(millis)
    }

    /// Waits that long; false once `wanted` says that nobody waits for the answer any more.
    pub fn wait(self, like: Like, cost: Cost, mut wanted: impl FnMut() -> bool) -> bool {
        let span = self.of(like, cost);
        if span.is_zero() || self == Latency::Told {
            return true;
        }
        // One end for all glances: many short waits would add up to more.
        let end = crossbeam_channel::after(span);
        while end.recv_timeout(GLANCE).is_err() {
            if !wanted() {
                return false;
            }
        }
        true
    }
}

/// Lets real time pass.
pub(super) fn pause(span: Duration) {
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
        assert_eq!(Latency::from_word("emulator"), Some(Latency::Emulator));
    }
}
