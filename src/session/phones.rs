//! The sources of a campaign's devices: bundled phones, each in its initial state, or devices behind adb.

use taproof_adb::{AdbPhones, ControlMethod};
use taproof_core::campaign::{Build, CampaignPlan, DeviceChoice, DeviceSource};
use taproof_core::device::{Device, DeviceError, Garbled};
use taproof_core::worker::Unwanted;
use taproof_phone::{Apps, BundledPhones};

/// The devices of one engine of a plan.
pub enum Phones {
    /// Bundled phones, each in its initial state.
    Bundled(BundledPhones),
    /// The device behind adb with one serial.
    Adb(Box<AdbPhones>),
}

impl Phones {
    /// The devices for the engine at this index of a checked plan; bundled phones have these apps.
    pub fn of(apps: &Apps, plan: &CampaignPlan, place: usize) -> Phones {
        Phones::on(apps, (&plan.app, &plan.build), &plan.device, place)
    }

    /// Devices with an app: bundled phones with this build, or the device at this index of the choice.
    pub fn on(apps: &Apps, (app, build): (&str, &Build), device: &DeviceChoice, place: usize) -> Phones {
        match device {
            DeviceChoice::Bundled => Phones::Bundled(BundledPhones::of(apps, app, build)),
            DeviceChoice::Adb(_) => {
                Phones::Adb(Box::new(AdbPhones::new(device.serial(place).unwrap_or_default())))
            }
        }
    }

    /// Controls devices behind adb by methods up to `best` only.
    #[must_use]
    pub fn controlled_by(self, best: ControlMethod) -> Phones {
        match self {
            Phones::Bundled(phones) => Phones::Bundled(phones),
            Phones::Adb(phones) => Phones::Adb(Box::new(phones.controlled_by(best))),
        }
    }
}

impl DeviceSource for Phones {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        match self {
            Phones::Bundled(phones) => phones.fresh(),
            Phones::Adb(phones) => phones.fresh(),
        }
    }

    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        match self {
            Phones::Bundled(phones) => phones.fresh_without(bugs),
            Phones::Adb(phones) => phones.fresh_without(bugs),
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
