//! The line to a device: what is asked of it goes through here, and for as long as somebody waits for the answer.

use std::time::Duration;

use super::garbled::GarbledAnswers;
use super::host::{AdbError, AdbLink, Patience};
use super::output::{Forbidden, forbidden};
use super::sections::{answers, complaining, script};
use taproof_core::device::{DeviceError, DeviceInfo, LinkFault};
use taproof_core::model::{PxSize, Rotation};
use taproof_core::worker::Unwanted;

/// Three dumps of a screen that never comes to rest take 10 s each.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A device that is there.
#[derive(Clone)]
pub(super) struct Line {
    pub link: AdbLink,
    pub info: DeviceInfo,
    pub unwanted: Unwanted,
    pub garbled: GarbledAnswers,
}

impl Line {
    /// As long as this, and as somebody waits.
    pub fn patience(&self, limit: Duration) -> Patience<'_> {
        Patience::new(limit, &*self.unwanted)
    }

    /// Lets the device run lines that may run twice, as they do where an answer comes garbled; what they print.
    pub fn shell(&self, lines: &str) -> Result<String, DeviceError> {
        self.shell_within(lines, PATIENCE)
    }

    /// The same for lines that take this long at most.
    pub fn shell_within(&self, lines: &str, limit: Duration) -> Result<String, DeviceError> {
        self.garbled.again(|| Ok(self.link.shell(lines, &self.patience(limit))?.everything()))
    }

    /// Lets the device run lines once, which may be none, and asks questions behind them; the answers in their order. Of a
    /// garbled answer the questions are asked again. Errors: `Forbidden`, and what came is garbled so that nobody knows
    /// whether the lines ran.
    pub fn ask_after(
        &self,
        lines: &str,
        questions: &[&str],
        limit: Duration,
    ) -> Result<Vec<String>, DeviceError> {
        match self.ask_once(&complaining(lines), questions, limit) {
            Err(error) if error.garbled() && (lines.is_empty() || ran(&error)) => {
                self.garbled.count(&error);
                self.garbled.again(|| self.ask_once("", questions, limit))
            }
            asked => asked,
        }
    }

    fn ask_once(&self, lines: &str, questions: &[&str], limit: Duration) -> Result<Vec<String>, DeviceError> {
        let parts: Vec<&str> = std::iter::once(lines).chain(questions.iter().copied()).collect();
        let script = script(&parts);
        let text = self.link.shell(&script, &self.patience(limit))?.everything();
        let mut said: Vec<String> = answers(&text).map(str::to_owned).collect();
        if said.len() < parts.len() {
            return Err(AdbError::Garbled { what: self.link.named(&script) }.into());
        }
        self.allowed(&said.remove(0))?;
        Ok(said)
    }

    /// Lets the device run lines that print nothing where they work. Errors: `Forbidden`.
    pub fn do_lines(&self, lines: &str) -> Result<(), DeviceError> {
        self.allowed(&self.shell(lines)?)
    }

    /// Errors: what lines printed is that adb may not do this.
    pub fn allowed(&self, said: &str) -> Result<(), DeviceError> {
        forbidden(said).map_or(Ok(()), |what| Err(self.forbids(what)))
    }

    /// The error that adb may not do this.
    pub fn forbids(&self, what: Forbidden) -> DeviceError {
        let serial = self.info.serial.clone();
        DeviceError::Forbidden { serial, what: what.what(), advice: what.advice() }
    }

    /// Who is left because nobody waits any more says nothing of that.
    pub fn still_wanted(&self, what: &str) -> Result<(), AdbError> {
        if (self.unwanted)() { Err(AdbError::Cancelled { what: what.to_owned() }) } else { Ok(()) }
    }

    /// The screen as it is turned.
    pub fn screen(&self, rotation: Rotation) -> PxSize {
        self.info.screen.rotated(rotation)
    }

    /// The line that tells what has the focus.
    pub fn windows_line(&self) -> &'static str {
        if self.info.sdk < 23 {
            "dumpsys window windows"
        } else {
            "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'"
        }
    }

    /// The line that lists the processes of all.
    pub fn processes_line(&self) -> &'static str {
        if self.info.sdk < 26 { "ps" } else { "ps -A" }
    }

    /// The line that waits.
    pub fn wait(&self, millis: u64) -> String {
        super::gestures::wait(millis, self.info.sdk < 23)
    }
}

/// Whether the device did all that it was asked for, and only what it said of that was changed on the way.
fn ran(error: &DeviceError) -> bool {
    error.link_fault() == Some(LinkFault::OutputGarbled)
}
