//! Waiting until a screen is still, and looking at it then.
//!
//! Where a dump is cheap it is made at once, as `uiautomator dump` waits for a moment of rest by itself, and again while a
//! progress ring shows. Where it takes a second and more, cheap signals are waited for before the only one: the picture,
//! of which the device tells a hash; the window that has the focus; and the views of the activity in front, among which
//! a ring is seen even while animations are off. Every ask is short, so that a person who leaves is not kept.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::health::{failure, standing};
use super::look::Look;
use super::output::{Component, FocusedWindow, uptime, window_focus};
use super::phone::AdbPhone;
use taproof_core::determinism::{DeviceDuration, DeviceInstant};
use taproof_core::device::DeviceError;
use taproof_core::model::{AppHealth, Frame, Layout, Widget};

const RING: &str = "android.widget.ProgressBar";
/// How long a progress ring is waited for where dumps are cheap, in looks of half a second (PBFDroid waits ten times a
/// second).
const LONGEST_LOADING: u32 = 20;
/// A dump that takes longer by the device's clock is dear.
const DEAR: DeviceDuration = DeviceDuration(1000);
/// How long a screen may go on moving by the device's clock, and in glances, as that clock may stand.
const LONGEST_MOVING: DeviceDuration = DeviceDuration(10_000);
const MOST_GLANCES: usize = 20;
/// Between two glances at a screen that moves.
const PAUSE_MILLIS: u64 = 300;
/// A glance answers soon unless the app in front hangs, whose views are waited for.
const GLANCE: Duration = Duration::from_secs(30);

/// What is known of how a device settles.
#[derive(Debug, Default)]
pub(super) struct Settling {
    /// What the last dump took by the device's clock.
    pub dump_took: Option<DeviceDuration>,
    /// How it hashes pictures, once that was asked.
    hashing: Option<Hashing>,
    /// What the last glance before a dump saw.
    still: Option<String>,
    /// A progress ring there is part of the page: it was waited for in vain.
    loads_forever: BTreeSet<Option<Component>>,
    /// The picture there never stands still, as that of a film.
    moves_forever: BTreeSet<Option<Component>>,
}

impl Settling {
    fn dear(&self) -> bool {
        self.dump_took.is_some_and(|took| took > DEAR)
    }
}

/// How a device hashes a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hashing {
    /// By a program that reads what is piped into it.
    Piped(&'static str),
    /// By `md5` of devices before Android 6, which reads files alone.
    File,
    /// Not at all: the focus and the views must do.
    No,
}

impl Hashing {
    const PROGRAMS: [&str; 3] = ["md5sum", "sha1sum", "cksum"];

    /// The lines that find it out.
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

    /// The lines that print the hash of what the screen shows; `file` is free for it.
    fn lines(self, file: &str) -> String {
        match self {
            Hashing::Piped(program) => format!("screencap 2>/dev/null | {program}"),
            Hashing::File => format!("screencap {file} 2>/dev/null\nmd5 {file} 2>/dev/null\nrm -f {file}"),
            Hashing::No => String::new(),
        }
    }
}

/// What cheap signals tell.
struct Glance {
    picture: String,
    /// `None` where the device does not say.
    window: Option<FocusedWindow>,
    activity: Option<Component>,
    rings: bool,
    at: Option<DeviceInstant>,
}

impl AdbPhone {
    /// Runs lines on the device and looks once the screen has settled and nothing loads any more. `extra` is how long
    /// the lines take by themselves.
    pub(super) fn look_after(&mut self, lines: &str, extra: Duration) -> Result<(), DeviceError> {
        let mut look = match self.settling.dear() {
            true => {
                self.settle(lines, extra)?;
                self.look("", Duration::ZERO)?
            }
            false => self.look(lines, extra)?,
        };
        let (began, mut polls) = (look.now, 0);
        while loads(&look.layout) && !self.settling.loads_forever.contains(&look.activity) {
            let patient = polls < LONGEST_LOADING
                && match self.settling.dear() {
                    true => look.now.since(began) < LONGEST_MOVING && self.settles_anew()?,
                    false => true,
                };
            if !patient {
                self.settling.loads_forever.insert(look.activity.clone());
                break;
            }
            polls += 1;
            let pause = if self.settling.dear() { String::new() } else { self.line.wait(500) };
            let log = std::mem::take(&mut look.log);
            look = self.look(&pause, Duration::ZERO)?;
            look.log.splice(0..0, log);
        }
        self.keep(look);
        Ok(())
    }

    fn keep(&mut self, look: Look) {
        let app = self.under_test.as_ref().map_or("", |app| app.0.as_str());
        if self.failure.is_none() {
            self.failure = failure(&look.log, app);
        }
        let health = match &self.failure {
            Some(failure) => failure.clone(),
            None if app.is_empty() => AppHealth::Running,
            None => standing(look.activity.as_ref(), app),
        };
        self.in_front = look.activity;
        self.now = look.now;
        self.pictures.turn(look.layout.rotation());
        self.frame = Some(Frame { layout: Arc::new(look.layout), health, at: self.now });
    }

    /// Runs the lines and waits until the picture is one that was there before, a window has the focus and no ring shows.
    /// A picture need not be the last one: a cursor that blinks shows two in turn.
    fn settle(&mut self, lines: &str, extra: Duration) -> Result<(), DeviceError> {
        let first = self.glance(lines, extra, false)?;
        let (began, mut window) = (first.at, first.window);
        let mut seen = vec![first.picture];
        let mut pause = String::new();
        for number in 1..=MOST_GLANCES {
            let glance = self.glance(&pause, Duration::ZERO, true)?;
            let Settling { loads_forever, moves_forever, .. } = &self.settling;
            let waits = glance.rings && !loads_forever.contains(&glance.activity);
            let moves = !seen.contains(&glance.picture) && !moves_forever.contains(&glance.activity);
            let changes = glance.window == Some(FocusedWindow::Nothing)
                || window.as_ref().is_some_and(|before| glance.window.as_ref() != Some(before));
            let late = number == MOST_GLANCES
                || glance.at.zip(began).is_some_and(|(at, began)| at.since(began) >= LONGEST_MOVING);
            self.settling.still = Some(glance.picture.clone());
            match (waits || moves || changes, late) {
                (false, _) => return Ok(()),
                (true, false) => {}
                (true, true) => {
                    if waits {
                        self.settling.loads_forever.insert(glance.activity);
                    } else if moves {
                        self.settling.moves_forever.insert(glance.activity);
                    }
                    return Ok(());
                }
            }
            seen.push(glance.picture);
            window = glance.window;
            pause = self.line.wait(PAUSE_MILLIS);
        }
        Ok(())
    }

    /// A ring shows that the views of the activity do not tell of, as in a dialog: waits until the picture is another one
    /// and still. False where it stays as it is.
    fn settles_anew(&mut self) -> Result<bool, DeviceError> {
        if let Some(before) = self.settling.still.clone() {
            let mut began = None;
            for _ in 0..MOST_GLANCES {
                let glance = self.glance(&self.line.wait(PAUSE_MILLIS), Duration::ZERO, false)?;
                if glance.picture != before {
                    self.settle("", Duration::ZERO)?;
                    return Ok(true);
                }
                began = began.or(glance.at);
                if glance.at.zip(began).is_some_and(|(at, began)| at.since(began) >= LONGEST_MOVING) {
                    break;
                }
            }
            return Ok(false);
        }
        self.settle("", Duration::ZERO)?;
        Ok(true)
    }

    /// Runs the lines and asks for the picture and the clock; `whole` for the focus and the views, too.
    fn glance(&mut self, lines: &str, extra: Duration, whole: bool) -> Result<Glance, DeviceError> {
        let hashing = match self.settling.hashing {
            Some(known) => known,
            None => Hashing::of_answer(&self.line.shell(&Hashing::question())?),
        };
        self.settling.hashing = Some(hashing);
        let picture = hashing.lines(&format!("{}.raw", self.scratch));
        let mut questions = vec![picture.as_str(), "cat /proc/uptime"];
        if whole {
            questions.extend([self.line.windows_line(), "dumpsys activity top"]);
        }
        let mut answers = self.line.ask_after(lines, &questions, extra + GLANCE)?.into_iter();
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

fn loads(layout: &Layout) -> bool {
    layout.widgets().iter().any(Widget::is_progress)
}

/// Whether a ring is among the views of the activity that `dumpsys activity top` calls resumed, else of the last one;
/// neither hidden itself nor by a view around it.
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
        // `HANDLE V.ED.... ........ 0,0-48,48 ...`: the first letter says visible, invisible or gone.
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
