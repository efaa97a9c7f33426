//! Switches the screen on before an app is started, and dismisses a lock screen that is not secured.

use std::time::Duration;

use crate::agent_client::AgentClient;
use crate::connection::Connection;
use crate::connection::sections::{answers, script};
use crate::output::{Keyguard, is_awake, keyguard};
use taproof_engine::agent::{Power, Request};
use taproof_engine::device::DeviceError;

/// Limit on the attempts. Screens light up and lock screens disappear within a second, even on slow devices.
const LOOKS: u32 = 8;
const PAUSE_MILLIS: u64 = 300;

/// The state of the screen.
pub(crate) struct Screen {
    /// Whether it is on; `None` if the release does not report it.
    pub awake: Option<bool>,
    /// The lock screen, if it is shown.
    pub lock: Option<Keyguard>,
    /// Whether a lock screen needs a code, shown or not; `None` if the release does not report it.
    pub secure: Option<bool>,
}

impl Screen {
    /// Asks a device, of which `shell` runs a line.
    pub fn ask<E>(shell: impl FnOnce(&str) -> Result<String, E>) -> Result<Screen, E> {
        let text = shell(&script(&["dumpsys power", "dumpsys window policy"]))?;
        let mut parts = answers(&text);
        let (power, policy) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let keyguard = keyguard(policy).ok();
        Ok(Screen {
            awake: is_awake(power).ok(),
            lock: keyguard.filter(|keyguard| keyguard.showing),
            secure: keyguard.and_then(|keyguard| keyguard.secure),
        })
    }

    /// Whether it is known to be off.
    pub fn is_off(&self) -> bool {
        self.awake == Some(false)
    }
}

/// The line that switches the screen off. Older devices have no key for that alone.
pub(crate) fn sleep_line(sdk: u32) -> &'static str {
    if sdk < 20 { "input keyevent 26" } else { "input keyevent 223" }
}

impl Connection {
    /// Makes the screen one on which apps are visible. Fails with `Locked` if a person must unlock it.
    pub(crate) fn wake_up(&self) -> Result<(), DeviceError> {
        if let Some(agent) = self.agent() {
            return self.wake_by_agent(agent);
        }
        let mut secret = None;
        for _ in 0..LOOKS {
            let screen = self.screen_state()?;
            let locked = screen.lock.is_some();
            if !screen.is_off() && !locked {
                return Ok(());
            }
            if screen.lock.as_ref().is_some_and(|lock| lock.secure == Some(true))
                && secret.replace(()).is_some()
            {
                // A phone in a trusted place is unlocked without its code, so one attempt is made.
                let how = "with a PIN, a pattern or a password".to_owned();
                return Err(DeviceError::Locked { serial: self.info.serial.clone(), how });
            }
            let mut lines = Vec::new();
            if screen.is_off() {
                // Older devices have no key that only wakes them up.
                lines.push(if self.info.sdk < 20 { "input keyevent 26" } else { "input keyevent 224" });
            }
            if locked {
                lines.push(if self.info.sdk < 26 { "input keyevent 82" } else { "wm dismiss-keyguard" });
            }
            let pause = self.wait(PAUSE_MILLIS);
            lines.push(&pause);
            self.do_lines(&lines.join("\n"))?;
        }
        let how = "and its lock screen does not go away by itself".to_owned();
        Err(DeviceError::Locked { serial: self.info.serial.clone(), how })
    }

    /// Switches the screen off, unless it could then only be unlocked by a person.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Unsupported`] if that is so, or if nothing tells whether it is.
    pub(crate) fn sleep(&self) -> Result<(), DeviceError> {
        let secured = match self.agent() {
            Some(agent) => self.power_by_agent(agent)?.secure,
            None => match self.screen_state()?.secure {
                Some(secured) => secured,
                None => {
                    let what = "tell whether its lock screen needs a code without the agent";
                    return Err(self.info.cannot(what));
                }
            },
        };
        if secured {
            return Err(self.info.cannot("be switched off and on: its lock screen needs a code"));
        }
        self.do_lines(sleep_line(self.info.sdk))?;
        for _ in 0..LOOKS {
            if self.screen_state()?.is_off() {
                break;
            }
            self.do_lines(&self.wait(PAUSE_MILLIS))?;
        }
        Ok(())
    }

    fn power_by_agent(&self, agent: &AgentClient) -> Result<Power, DeviceError> {
        agent
            .ask(&Request::Wake, Duration::ZERO, &*self.unwanted, Power::decode)
            .map_err(|error| error.into_device(&self.info.serial, "switch the screen on"))
    }

    fn wake_by_agent(&self, agent: &AgentClient) -> Result<(), DeviceError> {
        let power = self.power_by_agent(agent)?;
        if !power.locked {
            return Ok(());
        }
        let how = if power.secure {
            "with a PIN, a pattern or a password"
        } else {
            "and its lock screen does not go away by itself"
        };
        Err(DeviceError::Locked { serial: self.info.serial.clone(), how: how.to_owned() })
    }

    /// Queries the state of the screen.
    fn screen_state(&self) -> Result<Screen, DeviceError> {
        Screen::ask(|line| self.shell(line))
    }
}
