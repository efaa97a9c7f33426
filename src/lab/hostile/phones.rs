//! Where hostile phones come from.

use taproof_engine::device::{Device, DeviceError, DeviceSource};
use taproof_screen::determinism::Rng;

use crate::{HostilePhone, Hostilities};

/// Puts kinds of hostility around each phone of a source. No two of them meet the same, as nothing repeats itself on a real
/// phone either: what a re-execution shows again, it does not owe to the chance of the first time.
pub struct HostilePhones<'s> {
    phones: &'s mut dyn DeviceSource,
    hostilities: Hostilities,
    seed: u64,
    made: u64,
}

impl<'s> HostilePhones<'s> {
    /// Puts kinds of hostility around each phone of `phones`.
    pub fn new(phones: &'s mut dyn DeviceSource, hostilities: Hostilities, seed: u64) -> Self {
        HostilePhones { phones, hostilities, seed, made: 0 }
    }
}

impl DeviceSource for HostilePhones<'_> {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.fresh_without(&[])
    }

    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        let phone = self.phones.fresh_without(bugs)?;
        if self.hostilities.kinds().is_empty() {
            return Ok(phone);
        }
        let seed = Rng::from_seed(self.seed).fork_indexed("phone", self.made).next_u64();
        self.made += 1;
        Ok(Box::new(HostilePhone::new(phone, &self.hostilities, seed)))
    }

    fn switchable_bugs(&self) -> Vec<String> {
        self.phones.switchable_bugs()
    }
}
