//! Changes the surroundings of the apps.

use crate::screen::around::{LONGEST_ZONE, USUAL_ZONE};
use crate::served::State;
use crate::system::properties::DENSITY;
use taproof_engine::device::DeviceError;
use taproof_screen::{Event, SystemEvent};

impl State {
    /// Switches the network on or off, if that changes anything.
    pub(crate) fn set_network(&mut self, on: bool) -> Result<(), DeviceError> {
        if std::mem::replace(&mut self.around.network, on) == on {
            return Ok(());
        }
        let event = if on { SystemEvent::NetworkOn } else { SystemEvent::NetworkOff };
        self.device.perform(&Event::System(event))
    }

    /// Switches dark mode on or off, if that changes anything.
    pub(crate) fn set_dark(&mut self, dark: bool) -> Result<(), DeviceError> {
        if std::mem::replace(&mut self.around.dark, dark) == dark {
            return Ok(());
        }
        self.device.perform(&Event::System(SystemEvent::DarkMode))
    }

    /// Makes texts large or normal, if that changes anything.
    pub(crate) fn set_font_scale(&mut self, scale: Option<&str>) -> Result<(), DeviceError> {
        let large = scale.and_then(|scale| scale.parse::<f32>().ok()).is_some_and(|scale| scale > 1.0);
        self.switch(SystemEvent::FontScale, large)
    }

    /// Brings a setting into this state by the event that switches it, if that changes anything.
    pub(crate) fn switch(&mut self, what: SystemEvent, on: bool) -> Result<(), DeviceError> {
        let switched = &mut self.around.switched;
        if if on { switched.insert(what) } else { switched.remove(&what) } {
            self.device.perform(&Event::System(what))?;
        }
        Ok(())
    }

    /// Switches airplane mode on or off, and with it the network.
    pub(crate) fn set_airplane_mode(&mut self, on: bool) -> Result<(), DeviceError> {
        self.settings.store("global", "airplane_mode_on", if on { "1" } else { "0" });
        self.switch(SystemEvent::AirplaneMode, on)?;
        self.around.network = !on;
        Ok(())
    }

    /// Chooses another density than the screen's own, or that again.
    pub(crate) fn set_density(&mut self, density: Option<u32>) -> Result<(), DeviceError> {
        self.around.density = density.filter(|density| *density != DENSITY as u32);
        let larger = self.around.density.is_some_and(|density| density > DENSITY as u32);
        self.switch(SystemEvent::DisplaySize, larger)
    }

    /// Brings the device into a time zone.
    pub(crate) fn set_time_zone(&mut self, zone: &str) -> Result<(), DeviceError> {
        // The name is short. If a peer took all the memory, the old one remains.
        self.around.time_zone = zone.chars().take(LONGEST_ZONE).collect();
        self.switch(SystemEvent::TimeZone, zone != USUAL_ZONE)
    }

    /// Switches the screen on or off.
    pub(crate) fn set_awake(&mut self, awake: bool) -> Result<(), DeviceError> {
        if std::mem::replace(&mut self.awake, awake) || !awake {
            return Ok(());
        }
        self.device.perform(&Event::System(SystemEvent::ScreenOff))
    }

    /// Sets the battery level. A drop to 15 percent or below causes a low-battery event.
    pub(crate) fn set_battery(&mut self, percent: u32) -> Result<(), DeviceError> {
        const LOW: u32 = 15;
        let before = std::mem::replace(&mut self.around.battery, percent.min(100));
        if before > LOW && percent <= LOW {
            self.device.perform(&Event::System(SystemEvent::LowBattery))?;
        }
        Ok(())
    }
}
