//! The ways to control a device, and the choice between them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::agent_client::{AgentClient, AgentUse, named_holders};
use crate::connection::holders::{ScreenHolder, screen_holders};
use crate::host::AdbLink;
use crate::observe::uiautomator2::server_answers;
use taproof_engine::device::DeviceError;
use taproof_screen::words;

words! {
    /// A way to control a device and to read its screen, the slowest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ControlMethod {
        /// Shell commands, each of which starts a virtual machine on the device.
        Shell = "shell commands",
        /// The uiautomator2 server that somebody runs on the device, and shell commands.
        Uiautomator2 = "the uiautomator2 server",
        /// The agent, our own program on the device.
        Agent = "the agent",
    }
    /// The name that is shown to people.
    pub fn word;
}

/// How a device is controlled, and why not by a faster method.
#[derive(Clone)]
pub(crate) struct Control {
    pub method: ControlMethod,
    /// The agent, if it is used.
    pub agent: Option<AgentClient>,
    /// Why no faster method is used; empty if there is none or it was not wanted.
    pub reason: String,
    /// The programs that probably control the screen instead of the agent.
    pub holders: Vec<ScreenHolder>,
    /// Whether the reason was reported; shared by all phones of the device.
    reported: Arc<AtomicBool>,
}

impl Control {
    /// Chooses the best method up to `best` that works on the device. An agent that already runs for this program is
    /// used again.
    pub fn choose(
        link: &AdbLink,
        sdk: u32,
        best: ControlMethod,
        running: Option<&AgentClient>,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<Control, DeviceError> {
        let (mut reason, mut holders) = (String::new(), Vec::new());
        if best == ControlMethod::Agent {
            if let Some(agent) = running.filter(|agent| agent.answers(unwanted)) {
                return Ok(Control::by_agent(agent.clone()));
            }
            // A device has one connection for UI automation, which a running server holds.
            if server_answers(link, unwanted) {
                holders = screen_holders(link, None, unwanted)?;
                let named = named_holders(&holders);
                reason = format!("somebody runs the uiautomator2 server there{named}");
            } else {
                match AgentClient::start(link, sdk, AgentUse::Screen, unwanted) {
                    Ok(agent) => return Ok(Control::by_agent(agent)),
                    Err(problem) => (reason, holders) = problem.not_fatal()?,
                }
            }
        }
        let server = best >= ControlMethod::Uiautomator2 && server_answers(link, unwanted);
        let method = if server { ControlMethod::Uiautomator2 } else { ControlMethod::Shell };
        if !reason.is_empty() {
            tracing::info!(
                serial = link.serial,
                method = method.word(),
                reason,
                "controlled without the agent"
            );
        }
        Ok(Control { method, agent: None, reason, holders, reported: Arc::default() })
    }

    fn by_agent(agent: AgentClient) -> Control {
        Control {
            method: ControlMethod::Agent,
            agent: Some(agent),
            reason: String::new(),
            holders: Vec::new(),
            reported: Arc::default(),
        }
    }

    /// The sentence that says why the device is not controlled by the agent; `None` if it is, or from the second call
    /// on.
    pub fn problem_to_report(&self) -> Option<String> {
        if self.reason.is_empty() || self.reported.swap(true, Ordering::Relaxed) {
            return None;
        }
        Some(format!("the device is controlled by {}, which is slower: {}", self.method.word(), self.reason))
    }
}
