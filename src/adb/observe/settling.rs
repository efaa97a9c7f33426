//! Waiting until a screen is still, before it is read and while something loads on it.
//!
//! If a dump is cheap, the screen is read at once, since `uiautomator dump` waits for a moment of rest by itself, and
//! read again while a progress ring shows. If a dump takes a second or more, cheap signals are polled before the only
//! dump: a hash of the picture, computed on the device; the window that has the focus; and the views of the foreground
//! activity, among which a ring is seen even while animations are off. Every query is short, so that a caller who
//! cancels need not wait for an answer.

use std::collections::BTreeSet;

use super::source::Signals;
use crate::connection::Connection;
use crate::input::gestures::Input;
use crate::output::{Component, uptime, window_focus};
use taproof_engine::device::DeviceError;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};

const RING: &str = "android.widget.ProgressBar";
/// How many times a screen with a progress ring is read again if dumps are cheap, half a second apart (PBFDroid waits
/// ten times a second).
const LONGEST_LOADING: u32 = 20;
const LOADING_PAUSE_MILLIS: u64 = 500;
/// A dump that takes longer than this by the device's clock is slow.
const SLOW: DeviceDuration = DeviceDuration(1000);
/// How many glances at a moving screen are enough, as the device's clock may not advance.
const MOST_GLANCES: usize = 40;
/// Pause between two glances at a moving screen.
const PAUSE_MILLIS: u64 = 300;

/// What was learned about how the screen of a device settles.
#[derive(Debug, Default)]
pub(super) struct Settling {
    /// How long the last dump took by the device's clock.
    pub dump_took: Option<DeviceDuration>,
    /// How the device hashes pictures; `None` until it was queried.
    hashing: Option<Hashing>,
    /// The hash of the picture at the last glance before a dump.
    still: Option<String>,
    /// Activities that always show a progress ring: waiting for its end was in vain.
    loads_forever: BTreeSet<Option<Component>>,
    /// Activities whose picture is never still, such as video players.
    moves_forever: BTreeSet<Option<Component>>,
}

/// For how long and how often a screen with a progress ring was read.
#[derive(Debug, Default)]
pub(super) struct Loading {
    began: Option<DeviceInstant>,
    readings: u32,
}

/// How a device hashes a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hashing {
    /// By a program that reads its standard input.
    Piped(&'static str),
    /// By `md5` on devices before Android 6, which reads only files.
    File,
    /// Not at all: only the focus and the views show whether the screen is still.
    No,
}

impl Hashing {
    const PROGRAMS: [&str; 3] = ["md5sum", "sha1sum", "cksum"];

    /// The shell lines that print the program to use.
    fn question() -> String {
        let mut lines = String::new();
        for program in Hashing::PROGRAMS {
            let word = if lines.is_empty() { "if" } else { "elif" };
            lines.push_str(&format!("{word} echo x | {program} >/dev/null 2>&1; then echo {program}\n"));
        }
        lines + "elif md5 /proc/version >/dev/null 2>&1; then echo md5\nfi"
    }

    fn of_answer(answer: &str) -> Hashing {
        let said = answer.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        match Hashing::PROGRAMS.into_iter().find(|program| *program == said) {
            Some(program) => Hashing::Piped(program),
            None if said == "md5" => Hashing::File,
            None => Hashing::No,
        }
    }

    /// The shell lines that print the hash of what the screen shows, using `file` as a scratch file.
    fn lines(self, file: &str) -> String {
        match self {
            Hashing::Piped(program) => format!("screencap 2>/dev/null | {program}"),
            Hashing::File => format!("screencap {file} 2>/dev/null\nmd5 {file} 2>/dev/null\nrm -f {file}"),
            Hashing::No => String::new(),
        }
    }
}

/// The cheap signals at one moment.
struct Glance {
    picture: String,
    /// The title of the window with the focus, if one has it. `None` if that was not queried or the device does not report
    /// it.
    window: Option<Option<String>>,
    activity: Option<Component>,
    rings: bool,
    at: Option<DeviceInstant>,
}

impl Settling {
    /// Whether dumps take so long that cheaper signals are polled first.
    pub fn slow_dumps(&self) -> bool {
        self.dump_took.is_some_and(|took| took > SLOW)
    }

    /// Executes the input and waits until the picture is one that was seen before, a window has the focus and no ring
    /// shows. The picture need not equal the previous one: a blinking cursor alternates between two.
    pub fn settle(&mut self, connection: &Connection, input: &Input) -> Result<(), DeviceError> {
        let first = self.glance(connection, input, false)?;
        let (began, mut window) = (first.at, first.window);
        let longest = connection.pace.settling();
        let mut seen = vec![first.picture];
        let mut pause = Input::Nothing;
        for number in 1..=MOST_GLANCES {
            let glance = self.glance(connection, &pause, true)?;
            let waits = glance.rings && !self.loads_forever.contains(&glance.activity);
            let moves = !seen.contains(&glance.picture) && !self.moves_forever.contains(&glance.activity);
            let changes = glance.window == Some(None)
                || window.as_ref().is_some_and(|before| glance.window.as_ref() != Some(before));
            let late = number == MOST_GLANCES
                || glance.at.zip(began).is_some_and(|(at, began)| at.since(began) >= longest);
            self.still = Some(glance.picture.clone());
            match (waits || moves || changes, late) {
                (false, _) => return Ok(()),
                (true, false) => {}
                (true, true) => {
                    if waits {
                        self.loads_forever.insert(glance.activity);
                    } else if moves {
                        self.moves_forever.insert(glance.activity);
                    }
                    return Ok(());
                }
            }
            seen.push(glance.picture);
            window = glance.window;
            pause = Input::Wait(PAUSE_MILLIS);
        }
        Ok(())
    }

    /// Called while a progress ring shows in the layout: waits, if that is worthwhile, until the screen may be read
    /// again. Returns the input before that; `None` if the screen is to be taken as it is.
    pub fn wait_for_loading(
        &mut self,
        connection: &Connection,
        seen: &Signals,
        loading: &mut Loading,
    ) -> Result<Option<Input>, DeviceError> {
        if self.loads_forever.contains(&seen.activity) {
            return Ok(None);
        }
        let began = *loading.began.get_or_insert(seen.at);
        let patient = loading.readings < LONGEST_LOADING
            && match self.slow_dumps() {
                true => seen.at.since(began) < connection.pace.settling() && self.settles_anew(connection)?,
                false => true,
            };
        if !patient {
            self.loads_forever.insert(seen.activity.clone());
            return Ok(None);
        }
        loading.readings += 1;
        Ok(Some(if self.slow_dumps() { Input::Nothing } else { Input::Wait(LOADING_PAUSE_MILLIS) }))
    }

    /// For a ring that is not among the views of the activity, such as one in a dialog: waits until the picture has
    /// changed and is still. Returns false if it does not change.
    fn settles_anew(&mut self, connection: &Connection) -> Result<bool, DeviceError> {
        let Some(before) = self.still.clone() else {
            self.settle(connection, &Input::Nothing)?;
            return Ok(true);
        };
        let (mut began, longest) = (None, connection.pace.settling());
        for _ in 0..MOST_GLANCES {
            let glance = self.glance(connection, &Input::Wait(PAUSE_MILLIS), false)?;
            if glance.picture != before {
                self.settle(connection, &Input::Nothing)?;
                return Ok(true);
            }
            began = began.or(glance.at);
            if glance.at.zip(began).is_some_and(|(at, began)| at.since(began) >= longest) {
                break;
            }
        }
        Ok(false)
    }

    /// Executes the input and queries the picture and the clock; with `whole` also the focus and the views.
    fn glance(&mut self, connection: &Connection, input: &Input, whole: bool) -> Result<Glance, DeviceError> {
        let hashing = match self.hashing {
            Some(known) => known,
            None => Hashing::of_answer(&connection.shell(&Hashing::question())?),
        };
        self.hashing = Some(hashing);
        let picture = hashing.lines(&format!("{}.raw", connection.scratch_file()));
        let mut questions = vec![picture.as_str(), "cat /proc/uptime"];
        if whole {
            questions.extend([connection.windows_line(), "dumpsys activity top"]);
        }
        let lines = input.lines(connection.info.sdk);
        // An app that hangs in front is waited for with its views.
        let limit = input.takes() + connection.pace.limit();
        let mut answers = connection.ask_after(&lines, &questions, limit)?.into_iter();
        let (picture, clock) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
        let focus = answers.next().and_then(|windows| window_focus(&windows).ok());
        let (window, activity) = focus.map_or((None, None), |focus| (Some(focus.window), focus.activity));
        Ok(Glance {
            picture: picture.trim().to_owned(),
            window,
            activity,
            rings: answers.next().is_some_and(|top| shows_ring(&top)),
            at: uptime(&clock),
        })
    }
}

/// Whether a ring is among the views of the activity that `dumpsys activity top` calls resumed, else of the last
/// activity, and is hidden neither itself nor by an ancestor.
fn shows_ring(top: &str) -> bool {
    let (mut hidden, mut resumed) = (None, false);
    let (mut found, mut of_resumed) = (false, None);
    for line in top.lines() {
        let view = line.trim_start();
        if view.starts_with("ACTIVITY ") {
            (hidden, resumed, found) = (None, false, false);
            continue;
        }
        resumed |= view.starts_with("mResumed=true");
        if resumed {
            of_resumed = Some(found);
        }
        let Some((class, rest)) = view.split_once('{') else { continue };
        // `HANDLE V.ED.... ........ 0,0-48,48 ...`: the first letter means visible, invisible or gone.
        let Some(flags) = rest.split_whitespace().nth(1).filter(|flags| flags.starts_with(['V', 'I', 'G']))
        else {
            continue;
        };
        let depth = line.len() - view.len();
        if hidden.is_some_and(|hidden| depth > hidden) {
            continue;
        }
        hidden = (!flags.starts_with('V')).then_some(depth);
        found |= hidden.is_none() && class == RING;
        if resumed {
            of_resumed = Some(found);
        }
    }
    of_resumed.unwrap_or(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_ring_is_none() {
        let top = |views: &str| {
            format!(
                "TASK org.ex id=3\n  ACTIVITY org.ex/.Main 2a pid=7\n    Looper (main){{1a}}\n    View Hierarchy:\n{views}"
            )
        };
        let check = |views: &str, expected: bool| assert_eq!(shows_ring(&top(views)), expected, "{views}");
        let ring = |depth: usize, flag: char| {
            format!("{}{RING}{{41d0 {flag}.ED.... ........ 0,0-48,48 #7f app:id/r}}\n", " ".repeat(depth))
        };
        let frame = |depth: usize, flag: char| {
            format!(
                "{}android.widget.FrameLayout{{41d1 {flag}.E..... ........ 0,0-9,9}}\n",
                " ".repeat(depth)
            )
        };
        check(&ring(6, 'V'), true);
        check(&ring(6, 'G'), false);
        check(&(frame(6, 'I') + &ring(8, 'V')), false);
        check(&(frame(6, 'G') + &frame(8, 'V') + &ring(10, 'V')), false);
        check(&(frame(6, 'G') + &ring(6, 'V')), true);
        check(&(frame(6, 'V') + &frame(8, 'G') + &ring(8, 'V')), true);
        check("      org.ex.ProgressBarHint{41d0 V.ED.... ........ 0,0-48,48}\n", false);
        let two = top(&ring(6, 'V')) + &top(&frame(6, 'V'));
        assert!(!shows_ring(&two), "the last activity is in front");
        let said = two.replacen("pid=7\n", "pid=7\n      mResumed=true mStopped=false\n", 1);
        assert!(shows_ring(&said), "the first activity says that it is");
        assert!(!shows_ring(""));
    }

    #[test]
    fn a_device_says_how_it_hashes() {
        assert_eq!(Hashing::of_answer("md5sum\r\n"), Hashing::Piped("md5sum"));
        assert_eq!(Hashing::of_answer("\n cksum\n\n"), Hashing::Piped("cksum"));
        assert_eq!(Hashing::of_answer("md5\n"), Hashing::File);
        assert_eq!(Hashing::of_answer("sh: md5: not found"), Hashing::No);
        assert_eq!(Hashing::of_answer(""), Hashing::No);
        assert!(Hashing::question().starts_with("if echo x | md5sum >/dev/null 2>&1; then"));
        assert_eq!(Hashing::No.lines("f"), "");
    }
}
