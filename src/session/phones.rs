//! Where a campaign's devices come from: bundled phones, one as fresh as the other, or devices behind adb.

use taproof_adb::AdbPhones;
use taproof_core::campaign::{Build, CampaignPlan, DeviceChoice, DeviceSource};
use taproof_core::device::{Device, DeviceError, Garbled};
use taproof_core::worker::Unwanted;
use taproof_phone::BundledPhones;

/// The devices of one engine of a plan.
pub enum Phones {
    /// Bundled ones.
    Bundled(BundledPhones),
    /// The one with a serial.
    Adb(Box<AdbPhones>),
}

impl Phones {
    /// The devices for the engine at this place of a plan that was checked.
    pub fn of(plan: &CampaignPlan, place: usize) -> Phones {
        Phones::on((&plan.app, &plan.build), &plan.device, place)
    }

    /// Devices with an app: bundled ones with that build, or the one at this place of the choice.
    pub fn on((app, build): (&str, &Build), device: &DeviceChoice, place: usize) -> Phones {
        match device {
            DeviceChoice::Bundled => Phones::Bundled(BundledPhones::with(app, build)),
            DeviceChoice::Adb(_) => {
                Phones::Adb(Box::new(AdbPhones::new(device.serial(place).unwrap_or_default())))
            }
        }
    }
}

impl DeviceSource for Phones {
    fn fresh(&mut self, bugs_off: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        match self {
            Phones::Bundled(phones) => phones.fresh(bugs_off),
            Phones::Adb(phones) => phones.fresh(bugs_off),
        }
    }

    fn switchable_bugs(&self) -> Vec<String> {
        match self {
            Phones::Bundled(phones) => phones.switchable_bugs(),
            Phones::Adb(phones) => phones.switchable_bugs(),
        }
    }

    fn unwanted_when(&mut self, unwanted: Unwanted) {
        match self {
            Phones::Bundled(phones) => phones.unwanted_when(unwanted),
            Phones::Adb(phones) => phones.unwanted_when(unwanted),
        }
    }

    fn lost(&mut self, error: &DeviceError) -> bool {
        match self {
            Phones::Bundled(phones) => phones.lost(error),
            Phones::Adb(phones) => phones.lost(error),
        }
    }

    fn garbled(&self) -> Option<Garbled> {
        match self {
            Phones::Bundled(phones) => phones.garbled(),
            Phones::Adb(phones) => phones.garbled(),
        }
    }
}
