//! The properties of a device, queried once when it is opened.

use std::time::Duration;

use crate::agent_client::AgentClient;
use crate::connection::pace::Pace;
use crate::connection::sections::{answers, script};
use crate::host::{AdbLink, Patience};
use crate::output::{OutputError, Properties, uptime, wm_size};
use taproof_engine::device::{DeviceError, DeviceInfo};
use taproof_screen::PxSize;

/// How many virtual machines the questions to the shell start.
const STARTS: usize = 2;

/// Properties that do not change while a device is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The system properties that this crate uses.
    pub properties: Properties,
    /// The size of the screen in its natural orientation, in pixels, as apps see it.
    pub screen: PxSize,
    /// Ids of all installed keyboards, enabled or not, such as `com.example/.Ime`; unknown, and empty, if the agent types.
    pub keyboards: Vec<String>,
    /// How fast the device is.
    pub pace: Pace,
}

impl Properties {
    /// Queries the device, without the start of a virtual machine.
    ///
    /// # Errors
    ///
    /// [`DeviceError::Starting`] if Android has not finished booting. Also fails if the device cannot be reached or its
    /// answer lacks the Android version.
    pub(crate) fn ask(link: &AdbLink, unwanted: &dyn Fn() -> bool) -> Result<Properties, DeviceError> {
        let patience = Patience::new(Pace::default().limit_of(0), unwanted);
        let properties = Properties::from_getprop(&link.shell("getprop", &patience)?.text())?;
        match properties.boot_completed {
            true => Ok(properties),
            // adb answers long before Android has booted.
            false => Err(DeviceError::Starting { serial: link.serial.clone() }),
        }
    }
}

impl Facts {
    /// Queries the device: by its agent, whose start tells the pace, or else by the shell.
    ///
    /// # Errors
    ///
    /// If the device cannot be reached or its answers lack the screen size.
    pub(crate) fn ask(
        link: &AdbLink,
        properties: Properties,
        agent: Option<&AgentClient>,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<Facts, DeviceError> {
        if let Some(agent) = agent
            && let Some(screen) = agent.screen_size(unwanted)?
        {
            let pace = Pace::measured(agent.start_took());
            return Ok(Facts { properties, screen, keyboards: Vec::new(), pace });
        }
        let patience = Patience::new(Pace::default().limit_of(STARTS), unwanted);
        let timed = "read BEGAN </proc/uptime\nwm size\nread ENDED </proc/uptime";
        let script = script(&[timed, "ime list -s -a", "echo $BEGAN", "echo $ENDED"]);
        let answer = link.shell(&script, &patience)?.everything();
        OutputError::unless_served(&answer)?;
        let mut parts = answers(&answer);
        let (size, keyboards) = (parts.next(), parts.next());
        let size = wm_size(size.unwrap_or_default())?.current();
        let mut times = parts.filter_map(uptime);
        let took = times.next().zip(times.next()).map(|(began, ended)| ended.since(began).millis());
        let pace = took.map_or_else(Pace::default, |millis| Pace::measured(Duration::from_millis(millis)));
        let keyboards = keyboards.unwrap_or_default().lines().map(|line| line.trim().to_owned());
        Ok(Facts {
            properties,
            screen: size.into(),
            keyboards: keyboards.filter(|line| line.contains('/')).collect(),
            pace,
        })
    }

    /// The same properties in the form that all kinds of devices share.
    pub fn info(&self, serial: &str) -> DeviceInfo {
        DeviceInfo {
            serial: serial.to_owned(),
            model: self.properties.model.clone(),
            sdk: self.properties.sdk,
            screen: self.screen,
            snapshots: false,
            live: true,
        }
    }
}
