//! Phones with an app that a test brings, with bugs planted in it.

use std::marker::PhantomData;
use std::sync::Arc;

use taproof_engine::device::{Device, DeviceError, DeviceSource};
use taproof_phone::{Bug, BugSet, Fonts, Oracle, Package, Phone};

/// A bug that a property shows.
pub const fn bug(id: &'static str) -> Bug {
    const NONE: &[&str] = &[];
    Bug {
        id,
        title: "",
        paper: "",
        needs: NONE,
        consequence: "",
        oracles: &[Oracle::Property],
        masked_by: NONE,
    }
}

/// Phones with this app alone.
pub struct Phones<A> {
    fonts: Arc<Fonts>,
    on: BugSet,
    app: PhantomData<A>,
}

impl<A: Package> Phones<A> {
    /// With these bugs.
    pub fn with(on: BugSet) -> Self {
        Phones { fonts: Arc::new(Fonts::new()), on, app: PhantomData }
    }
}

impl<A: Package> DeviceSource for Phones<A> {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.fresh_without(&[])
    }
    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        let mut phone = Phone::new(Arc::clone(&self.fonts));
        phone.install::<A>(&self.on.without(bugs));
        Ok(Box::new(phone))
    }
    fn switchable_bugs(&self) -> Vec<String> {
        self.on.ids().map(str::to_owned).collect()
    }
}
