//! The connection to one device: its link, its properties, and the limit on how long an answer may take.
//!
//! Every request to an open device goes through a [`Connection`]. It bounds the time of each call, repeats requests
//! whose answers were garbled, and distinguishes a refusal by the vendor's Android from an answer. The modules that
//! query a device depend on this type and not on the phone that is built from them.

pub(crate) mod facts;
pub(crate) mod garbled;
pub(crate) mod holders;
pub(crate) mod pace;
pub(crate) mod packages;
pub(crate) mod sections;

use std::time::Duration;

use crate::agent_client::{AgentClient, AgentError};
use crate::connection::garbled::GarbledAnswers;
use crate::connection::pace::Pace;
use crate::connection::sections::{answers, complaining, script};
use crate::host::{AdbError, AdbLink, Patience};
use crate::output::{Forbidden, OutputError, forbidden};
use taproof_engine::agent::Request;
use taproof_engine::device::{DeviceError, DeviceInfo, LinkFault};
use taproof_engine::worker::Unwanted;
use taproof_screen::{PxSize, Rotation};

/// Sends requests to one device. Clones share the link and the count of garbled answers.
#[derive(Clone)]
pub(crate) struct Connection {
    pub link: AdbLink,
    pub info: DeviceInfo,
    pub unwanted: Unwanted,
    pub garbled: GarbledAnswers,
    /// The agent, if the device is controlled by it.
    pub agent: Option<AgentClient>,
    /// How fast the device is; limits follow from it.
    pub pace: Pace,
}

impl Connection {
    /// The agent, unless the device is controlled without one or it has ended.
    pub fn agent(&self) -> Option<&AgentClient> {
        self.agent.as_ref().filter(|agent| !agent.ended())
    }

    /// Sends a request to the agent, which reads no value from the answer.
    pub fn tell(&self, agent: &AgentClient, request: &Request) -> Result<(), AgentError> {
        agent.ask(request, Duration::ZERO, &*self.unwanted, |_| Ok(()))
    }

    /// Returns a deadline after `limit` that ends early once the caller no longer wants the answer.
    pub fn patience(&self, limit: Duration) -> Patience<'_> {
        Patience::new(limit, &*self.unwanted)
    }

    /// Runs shell lines on the device and returns what they print. The lines must be safe to run twice, since they are
    /// repeated if the answer was garbled.
    pub fn shell(&self, lines: &str) -> Result<String, DeviceError> {
        self.shell_within(lines, self.pace.limit())
    }

    /// As [`Connection::shell`], for lines that take up to `limit`.
    pub fn shell_within(&self, lines: &str, limit: Duration) -> Result<String, DeviceError> {
        self.garbled.again(|| {
            let said = self.link.shell(lines, &self.patience(limit))?.everything();
            OutputError::unless_served(&said)?;
            Ok(said)
        })
    }

    /// Runs `lines` on the device once (none if empty), then asks `questions` and returns the answers in their order.
    /// If the answer was garbled, only the questions are repeated. Fails with `Forbidden` if the device refuses the
    /// lines, and with a garbled answer if it is unknown whether the lines ran, in which case they must not run again.
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
        OutputError::unless_served(&text)?;
        let mut said: Vec<String> = answers(&text).map(str::to_owned).collect();
        if said.len() < parts.len() {
            return Err(AdbError::Garbled { what: self.link.named(&script) }.into());
        }
        self.allowed(&said.remove(0))?;
        Ok(said)
    }

    /// Runs shell lines that print nothing on success. Fails with `Forbidden` if the device refuses them.
    pub fn do_lines(&self, lines: &str) -> Result<(), DeviceError> {
        self.allowed(&self.shell(lines)?)
    }

    /// Fails with `Forbidden` if `said`, the output of shell lines, shows that adb may not do this.
    pub fn allowed(&self, said: &str) -> Result<(), DeviceError> {
        forbidden(said).map_or(Ok(()), |what| Err(self.forbids(what)))
    }

    /// The error for an operation that adb is not allowed on this device.
    pub fn forbids(&self, what: Forbidden) -> DeviceError {
        let serial = self.info.serial.clone();
        DeviceError::Forbidden { serial, what: what.what(), advice: what.advice() }
    }

    /// Fails with [`AdbError::Cancelled`] once the caller no longer wants the result. Callers that retry would
    /// otherwise not notice.
    pub fn still_wanted(&self, what: &str) -> Result<(), AdbError> {
        if (self.unwanted)() { Err(AdbError::Cancelled { what: what.to_owned() }) } else { Ok(()) }
    }

    /// The error for a screen that yields no layout.
    pub fn no_layout(&self, problem: &str) -> DeviceError {
        DeviceError::NoLayout { serial: self.info.serial.clone(), problem: problem.to_owned() }
    }

    /// Path of a scratch file on the device for commands that can only write to a file. Unique to this process.
    pub fn scratch_file(&self) -> String {
        format!("/data/local/tmp/taproof-{}.xml", std::process::id())
    }

    /// The size of the screen in the given rotation.
    pub fn screen(&self, rotation: Rotation) -> PxSize {
        self.info.screen.rotated(rotation)
    }

    /// The shell line that prints the focused window and activity.
    pub fn windows_line(&self) -> &'static str {
        if self.info.sdk < 23 {
            "dumpsys window windows"
        } else {
            "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'"
        }
    }

    /// The shell line that lists the processes of all users.
    pub fn processes_line(&self) -> &'static str {
        if self.info.sdk < 26 { "ps" } else { "ps -A" }
    }

    /// The shell line that waits on the device for this long.
    pub fn wait(&self, millis: u64) -> String {
        crate::input::gestures::wait(millis, self.info.sdk < 23)
    }
}

/// Whether the lines certainly ran: only their output was garbled on the way.
fn ran(error: &DeviceError) -> bool {
    error.link_fault() == Some(LinkFault::OutputGarbled)
}
