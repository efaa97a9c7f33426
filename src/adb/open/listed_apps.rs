//! The apps of a device with whose they are: of which user, and whether they came with the device.

use super::reach::listing;
use crate::host::AdbLink;
use crate::output::{DeviceUser, package_list, user_list};
use taproof_engine::device::DeviceError;

/// An app of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedApp {
    /// The package.
    pub package: String,
    /// Whether it came with the device, rather than that somebody installed it.
    pub system: bool,
    /// The id of the user who has it; 0 for the owner, whose apps can be tested.
    pub user: u32,
}

/// What is listed of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedApps {
    /// Its users; the owner alone if it does not tell.
    pub users: Vec<DeviceUser>,
    /// The apps, by user and then by package.
    pub apps: Vec<ListedApp>,
    /// The users whose apps adb may not list.
    pub hidden: Vec<u32>,
}

/// Lists the apps of all users that somebody installed, and with `system` also those that came with the device.
///
/// # Errors
///
/// If the device cannot be reached, or does not list the apps of its owner.
pub fn listed_apps(
    link: &AdbLink,
    system: bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<ListedApps, DeviceError> {
    let users = user_list(&link.shell("pm list users", &listing(unwanted))?.text());
    let (mut apps, mut hidden) = (Vec::new(), Vec::new());
    for &DeviceUser { id, .. } in &users {
        let of = if id == 0 { String::new() } else { format!(" --user {id}") };
        let mut found = Vec::new();
        for (option, system) in [("-3", false), ("-s", true)].into_iter().take(1 + usize::from(system)) {
            let text = link.shell(&format!("pm list packages {option}{of}"), &listing(unwanted))?.text();
            match package_list(&text) {
                Ok(list) => {
                    found.extend(list.into_iter().map(|one| ListedApp {
                        package: one.name,
                        system,
                        user: id,
                    }));
                }
                Err(_) if id != 0 => hidden.push(id),
                Err(error) => return Err(error.into()),
            }
        }
        found.sort_by(|one, other| one.package.cmp(&other.package));
        apps.extend(found);
    }
    hidden.dedup();
    Ok(ListedApps { users, apps, hidden })
}
