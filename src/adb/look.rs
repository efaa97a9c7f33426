//! What the device shows: one shell line gives the layout, what is in front, the clock and the log.

use std::time::Duration;

use super::health::failure;
use super::line::PATIENCE;
use super::output::{Component, DumpAnswer, DumpProblem, LogLine, dump_answer, uptime, window_focus};
use super::phone::AdbPhone;
use super::uiautomator2::{server_answers, server_ended};
use taproof_core::determinism::DeviceInstant;
use taproof_core::device::DeviceError;
use taproof_core::format::parse_hierarchy;
use taproof_core::model::{Layout, Text};

/// How long a screen may go on changing where the server gives layouts.
const MOVING: Duration = Duration::from_secs(5);
/// Another automation is waited for so often, and so long each time.
const OTHERS: u32 = 6;
const OTHERS_MILLIS: u64 = 2000;

/// One look.
pub(super) struct Look {
    pub layout: Layout,
    pub activity: Option<Component>,
    pub now: DeviceInstant,
    pub log: Vec<LogLine>,
}

/// Who gives the layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayoutSource {
    /// The uiautomator2 server that runs on the device.
    Uiautomator2,
    /// `uiautomator dump`.
    Dump,
}

impl AdbPhone {
    /// Runs the lines, which may be none, and looks once the screen has settled. `extra` is how long the lines take by
    /// themselves.
    pub(super) fn look(&mut self, lines: &str, extra: Duration) -> Result<Look, DeviceError> {
        match self.source {
            LayoutSource::Dump => self.look_by_dump(lines, extra),
            LayoutSource::Uiautomator2 => match self.look_by_server(lines, extra) {
                // The lines ran before the server was asked.
                Err(error) if self.goes_on_without_server(&error) => self.look_by_dump("", Duration::ZERO),
                looked => looked,
            },
        }
    }

    /// The uiautomator2 server has ended: a person's phone does without it from here on. A campaign opens its device anew
    /// instead, and says so.
    pub(super) fn goes_on_without_server(&mut self, error: &DeviceError) -> bool {
        let ended = self.source == LayoutSource::Uiautomator2 && self.alone && server_ended(error);
        if ended {
            tracing::warn!(serial = self.line.info.serial, "its uiautomator2 server has ended");
            self.look_by(LayoutSource::Dump);
        }
        ended
    }

    fn look_by_dump(&mut self, lines: &str, extra: Duration) -> Result<Look, DeviceError> {
        let restless = self.restless.is_some() && self.restless == self.in_front;
        // A screen in change gives no layout once in a while; one that never rests gives a compressed one at best, and
        // takes 11 s to say that it does not.
        let mut tries = if restless { &[][..] } else { &[false, true][..] }.iter();
        let mut others = OTHERS;
        let mut answer = self.ask(lines, Some(restless), extra)?;
        loop {
            let problem = match dump_answer(answer.dump.as_bytes()) {
                DumpAnswer::Xml { xml, .. } => {
                    let layout = self.parsed(xml.as_bytes())?;
                    return Ok(self.look_of(answer, &layout));
                }
                DumpAnswer::Failed(problem) => problem,
                DumpAnswer::Saved { path } => {
                    return Err(
                        self.no_layout(&format!("it wrote none to {path:?}; is the device's storage full?"))
                    );
                }
            };
            let (pause, compressed) = match problem {
                // One that was cancelled runs on for a while. A server that somebody has started stays.
                DumpProblem::AlreadyRegistered if others > 0 => {
                    others -= 1;
                    if server_answers(&self.line.link, &*self.line.unwanted) {
                        self.look_by(LayoutSource::Uiautomator2);
                        return self.look_by_server("", Duration::ZERO);
                    }
                    (self.line.wait(OTHERS_MILLIS), restless)
                }
                DumpProblem::AlreadyRegistered => return Err(self.no_layout(&problem.to_string())),
                _ => {
                    if problem == DumpProblem::NotIdle {
                        self.restless.clone_from(&answer.activity);
                    }
                    let Some(compressed) = tries.next() else { return self.without_layout(answer, &problem) };
                    (String::new(), *compressed)
                }
            };
            let log = std::mem::take(&mut answer.log);
            answer = self.ask(&pause, Some(compressed), Duration::ZERO)?;
            answer.log.splice(0..0, log);
        }
    }

    /// The device gives no layout. A person sees the picture all the same, and of an app that failed more is not needed;
    /// what else such a screen shows cannot be judged.
    fn without_layout(&self, answer: Answer, problem: &DumpProblem) -> Result<Look, DeviceError> {
        let changes = matches!(problem, DumpProblem::NotIdle | DumpProblem::NoRoot);
        let app = self.under_test.as_ref().map_or("", |app| app.0.as_str());
        let failed = self.failure.is_some() || failure(&answer.log, app).is_some();
        if !(changes && (self.alone || failed)) {
            return Err(self.no_layout(&problem.to_string()));
        }
        tracing::warn!(serial = self.line.info.serial, %problem, "the screen is taken as empty");
        let rotation = self.pictures.rotation();
        Ok(self.look_of(answer, &Layout::empty(self.line.screen(rotation), rotation)))
    }

    /// The server answers before the screen is still: a layout counts when it comes twice.
    fn look_by_server(&mut self, lines: &str, extra: Duration) -> Result<Look, DeviceError> {
        if !lines.is_empty() {
            self.line.ask_after(lines, &[], extra + PATIENCE)?;
        }
        let patience = self.line.patience(MOVING);
        let mut xml = self.line.dump_by_server()?;
        loop {
            let again = self.line.dump_by_server()?;
            let still = again == xml;
            xml = again;
            // A screen that changes all the time is taken as it is.
            if still || patience.left().is_zero() {
                break;
            }
        }
        let answer = self.ask("", None, Duration::ZERO)?;
        let layout = self.parsed(xml.as_bytes())?;
        Ok(self.look_of(answer, &layout))
    }

    fn parsed(&self, xml: &[u8]) -> Result<Layout, DeviceError> {
        match parse_hierarchy(xml) {
            Ok(parsed) => Ok(parsed.layout),
            Err(error) => Err(self.no_layout(&error.to_string())),
        }
    }

    fn no_layout(&self, problem: &str) -> DeviceError {
        DeviceError::NoLayout { serial: self.line.info.serial.clone(), problem: problem.to_owned() }
    }

    /// The lines that print a layout and when it was begun and ended.
    fn dump_lines(&self, compressed: bool) -> String {
        let (file, option) = (&self.scratch, if compressed { " --compressed" } else { "" });
        // An older file must not be taken for this dump.
        format!(
            "rm -f {file}\nread BEGAN </proc/uptime\nuiautomator dump{option} {file} 2>&1\n\
             read ENDED </proc/uptime\necho\ncat {file} 2>/dev/null\nrm -f {file}\n"
        )
    }

    /// Runs the lines and asks all that one look asks; `dump` says whether the dump is a compressed one.
    fn ask(&mut self, lines: &str, dump: Option<bool>, extra: Duration) -> Result<Answer, DeviceError> {
        let dump = dump.map_or(String::new(), |compressed| self.dump_lines(compressed));
        let log = self.log.command(self.line.info.sdk);
        let times = "echo $BEGAN\necho $ENDED";
        let questions = [dump.as_str(), times, self.line.windows_line(), "cat /proc/uptime", &log];
        let mut parts = self.line.ask_after(lines, &questions, extra + PATIENCE)?.into_iter();
        let mut next = || parts.next().unwrap_or_default();
        let (dump, took, windows) = (next(), next(), next());
        let (clock, log) = (next(), next());
        let mut times = took.lines().filter_map(uptime);
        if let (Some(began), Some(ended)) = (times.next(), times.next()) {
            self.settling.dump_took = Some(ended.since(began));
        }
        let focus = window_focus(&windows).ok();
        Ok(Answer {
            dump,
            activity: focus.and_then(|focus| focus.activity),
            now: uptime(&clock).unwrap_or(self.now),
            log: self.log.read(&log),
        })
    }

    fn look_of(&self, answer: Answer, layout: &Layout) -> Look {
        let activity = answer.activity.as_ref().map_or(Text::from(""), |name| Text::from(name.to_string()));
        let layout = layout.clone().with_screen(self.line.screen(layout.rotation())).with_activity(activity);
        Look { layout, activity: answer.activity, now: answer.now, log: answer.log }
    }
}

struct Answer {
    dump: String,
    activity: Option<Component>,
    now: DeviceInstant,
    log: Vec<LogLine>,
}
