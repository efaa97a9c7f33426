//! What the device shows: one shell line gives the layout, what is in front, the clock and the log.

use std::time::Duration;

use super::line::PATIENCE;
use super::output::{Component, DumpAnswer, DumpProblem, LogLine, dump_answer, uptime, window_focus};
use super::phone::AdbPhone;
use super::sections::{answers, complaining, script};
use super::uiautomator2::server_ended;
use crate::determinism::DeviceInstant;
use crate::device::DeviceError;
use crate::format::parse_hierarchy;
use crate::model::{Layout, Rotation, Text};

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
        let compressed = self.restless.is_some() && self.restless == self.in_front;
        let mut answer = self.ask(&self.script(lines, Some(compressed)), extra)?;
        // A screen in change gives no layout once in a while; one that never rests gives a compressed one at best.
        for compressed in [false, true] {
            match dump_answer(answer.dump.as_bytes()) {
                DumpAnswer::Xml { xml, .. } => return self.look_of(answer, &parse(self, xml.as_bytes())?),
                DumpAnswer::Failed(DumpProblem::AlreadyRegistered) => break,
                DumpAnswer::Failed(DumpProblem::NotIdle) => self.restless = answer.activity.clone(),
                DumpAnswer::Failed(_) | DumpAnswer::Saved { .. } => {}
            }
            let log = std::mem::take(&mut answer.log);
            answer = self.ask(&self.script("", Some(compressed)), Duration::ZERO)?;
            answer.log.splice(0..0, log);
        }
        match dump_answer(answer.dump.as_bytes()) {
            DumpAnswer::Xml { xml, .. } => self.look_of(answer, &parse(self, xml.as_bytes())?),
            DumpAnswer::Failed(problem @ (DumpProblem::NotIdle | DumpProblem::NoRoot)) => {
                tracing::warn!(serial = self.line.info.serial, %problem, "the screen is taken as empty");
                let rotation =
                    self.frame.as_ref().map_or(Rotation::PORTRAIT, |frame| frame.layout.rotation());
                let empty = Layout::empty(self.line.screen(rotation), rotation);
                self.look_of(answer, &empty)
            }
            DumpAnswer::Failed(problem) => Err(self.no_layout(&problem.to_string())),
            DumpAnswer::Saved { path } => {
                Err(self.no_layout(&format!("it wrote none to {path:?}; is the device's storage full?")))
            }
        }
    }

    /// The server answers before the screen is still: a layout counts when it comes twice.
    fn look_by_server(&mut self, lines: &str, extra: Duration) -> Result<Look, DeviceError> {
        /// A screen that changes all the time is taken as it is.
        const MOST: usize = 20;
        if !lines.is_empty() {
            self.line.allowed(&self.line.shell_within(lines, extra + PATIENCE)?)?;
        }
        let mut xml = self.line.dump_by_server()?;
        for _ in 0..MOST {
            let again = self.line.dump_by_server()?;
            let still = again == xml;
            xml = again;
            if still {
                break;
            }
        }
        let answer = self.ask(&self.script("", None), Duration::ZERO)?;
        let layout = parse(self, xml.as_bytes())?;
        self.look_of(answer, &layout)
    }

    fn no_layout(&self, problem: &str) -> DeviceError {
        DeviceError::NoLayout { serial: self.line.info.serial.clone(), problem: problem.to_owned() }
    }

    /// All that one look asks; `dump` says whether the dump is a compressed one.
    fn script(&self, lines: &str, dump: Option<bool>) -> String {
        let file = &self.scratch;
        let dump = dump.map_or(String::new(), |compressed| {
            let option = if compressed { " --compressed" } else { "" };
            // An older file must not be taken for this dump.
            format!(
                "rm -f {file}\nread BEGAN </proc/uptime\nuiautomator dump{option} {file} 2>&1\n\
                 read ENDED </proc/uptime\necho\ncat {file} 2>/dev/null\nrm -f {file}\n"
            )
        });
        let log = self.log.command(self.line.info.sdk);
        let times = "echo $BEGAN\necho $ENDED";
        let parts = [&complaining(lines), &dump, times, self.line.windows_line(), "cat /proc/uptime", &log];
        script(&parts)
    }

    fn ask(&mut self, script: &str, extra: Duration) -> Result<Answer, DeviceError> {
        let text = self.line.shell_within(script, extra + PATIENCE)?;
        let mut parts = answers(&text);
        let mut next = || parts.next().unwrap_or_default().to_owned();
        let (said, dump, took, windows) = (next(), next(), next(), next());
        let (clock, log) = (next(), next());
        self.line.allowed(&said)?;
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

    fn look_of(&self, answer: Answer, layout: &Layout) -> Result<Look, DeviceError> {
        let activity = answer.activity.as_ref().map_or(Text::from(""), |name| Text::from(name.to_string()));
        let layout = layout.clone().with_screen(self.line.screen(layout.rotation())).with_activity(activity);
        Ok(Look { layout, activity: answer.activity, now: answer.now, log: answer.log })
    }
}

struct Answer {
    dump: String,
    activity: Option<Component>,
    now: DeviceInstant,
    log: Vec<LogLine>,
}

fn parse(phone: &AdbPhone, xml: &[u8]) -> Result<Layout, DeviceError> {
    match parse_hierarchy(xml) {
        Ok(parsed) => Ok(parsed.layout),
        Err(error) => Err(phone.no_layout(&error.to_string())),
    }
}
