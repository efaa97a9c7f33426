//! The phones and emulators that adb sees.

use super::settings::AppEntry;

/// What is asked of adb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceCommand {
    /// Looks for devices, starting the adb server if none runs.
    Look,
}

/// Whether devices are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Nobody asked, and no adb server runs.
    #[default]
    Idle,
    /// It begins.
    Looking,
    /// The list is kept up to date.
    Listening,
    /// It cannot; why, and what to do.
    Failed(String),
}

/// A device as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceLine {
    /// Its serial.
    pub serial: String,
    /// Its model, if it says so.
    pub model: String,
    /// It can be used.
    pub ready: bool,
    /// What it is in, and what to do about it.
    pub words: String,
    /// The packages that somebody installed on it.
    pub packages: Vec<String>,
}

/// What adb sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Devices {
    /// Whether it is looked at.
    pub search: Search,
    /// The devices, as the server lists them.
    pub list: Vec<DeviceLine>,
}

impl Devices {
    /// The apps that can be chosen on devices that are ready.
    pub fn apps(&self) -> Vec<AppEntry> {
        let ready = self.list.iter().filter(|device| device.ready);
        ready
            .flat_map(|device| {
                device.packages.iter().map(|package| AppEntry {
                    package: package.clone(),
                    label: package.clone(),
                    short_name: package.clone(),
                    modelled_on: String::new(),
                    bugs: Vec::new(),
                    dmfs: 0,
                    device: Some(device.serial.clone()),
                })
            })
            .collect()
    }
}

impl AppEntry {
    /// Its name, and the device that it is on.
    pub fn words(&self) -> String {
        match &self.device {
            Some(serial) => format!("{} on {serial}", self.label),
            None => self.label.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ready_devices_offer_apps() {
        let device = |serial: &str, ready| DeviceLine {
            serial: serial.to_owned(),
            model: String::new(),
            ready,
            words: String::new(),
            packages: vec!["org.ex".to_owned()],
        };
        let list = vec![device("one", true), device("two", false)];
        let apps = Devices { search: Search::Listening, list }.apps();
        assert_eq!(apps.iter().map(AppEntry::words).collect::<Vec<_>>(), ["org.ex on one"]);
    }
}
