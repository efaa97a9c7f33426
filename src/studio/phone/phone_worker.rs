//! The mirror, with the phones that it is given to show.

use std::sync::Arc;

use super::bundled::{fresh_phone_maker, phone_maker};
use super::devices::{device_maker, fresh_device_maker};
use super::{Lead, Opened, PhoneReport, PhoneToShow, WayOrigin};
use crate::mirror::{DeviceMaker, Mirror, MirrorCommand, Opening, walk_maker};
use taproof_adb::ScreenHolder;
use taproof_engine::device::AppId;
use taproof_engine::worker::Latest;
use taproof_phone::{Apps, Fonts};
use taproof_session::before_test;

/// Handle of the mirror. Dropping it waits until the mirror has restored its device.
pub(crate) struct PhoneWorker {
    mirror: Option<Mirror>,
    /// The fonts and apps of every bundled phone.
    parts: (Arc<Fonts>, Apps),
    /// Receives the programs that control the screen of a device that is opened, with its serial.
    holders: Latest<(String, Vec<ScreenHolder>)>,
}

impl PhoneWorker {
    /// Creates the handle; the mirror is started later.
    pub fn new(apps: Apps, holders: Latest<(String, Vec<ScreenHolder>)>) -> Self {
        PhoneWorker { mirror: None, parts: (Arc::new(Fonts::new()), apps), holders }
    }

    /// Starts the mirror with its first device.
    ///
    /// # Errors
    ///
    /// Its thread cannot be started.
    pub fn start(
        &mut self,
        first: PhoneToShow,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> std::io::Result<()> {
        self.mirror = Some(Mirror::start(self.maker(first).0, wake)?);
        Ok(())
    }

    /// Sends an order. Returns its number, or `None` if it was refused.
    pub fn send(&self, command: MirrorCommand) -> Option<u64> {
        self.mirror.as_ref().and_then(|mirror| mirror.send(command))
    }

    /// Replaces the device that is shown. Returns the number of the order, and what it opens.
    pub fn show(&self, phone: PhoneToShow) -> (Option<u64>, Opened) {
        let (make, opened) = self.maker(phone);
        (self.send(MirrorCommand::Use(make)), opened)
    }

    /// Leads a fresh phone along a trace. Returns as [`PhoneWorker::show`].
    pub fn lead(&self, lead: Box<Lead>) -> (Option<u64>, Opened) {
        let order = self.send(MirrorCommand::Open(Box::new(self.opening(&lead))));
        (order, Opened::Trace(lead))
    }

    /// Ends a re-execution in progress.
    pub fn stop_redoing(&self) {
        self.mirror.iter().for_each(Mirror::stop_redoing);
    }

    /// Ends what the phone is asked for at the moment.
    pub fn give_up(&self) {
        self.mirror.iter().for_each(Mirror::give_up);
    }

    /// Takes what the mirror has reported, at most `most` facts. `None` if nothing has changed.
    pub fn report(&self, most: usize) -> Option<PhoneReport> {
        let mirror = self.mirror.as_ref()?;
        let (news, facts) = (mirror.news(), mirror.facts(most));
        let more = facts.len() == most;
        (news.is_some() || !facts.is_empty()).then_some(PhoneReport { news, facts, more })
    }

    /// Ends the mirror, and waits until it has restored its device.
    pub fn end(&mut self) {
        self.mirror = None;
    }

    /// Returns a maker of a phone to show, and what it opens.
    fn maker(&self, phone: PhoneToShow) -> (DeviceMaker, Opened) {
        let (target, bugs, as_it_is) = match phone {
            PhoneToShow::Walk(folder) => return (walk_maker(folder), Opened::Walk),
            PhoneToShow::App(target, bugs) => (target, bugs, false),
            PhoneToShow::Again(target) => (target, Default::default(), true),
        };
        let app = target.app.clone();
        let make = match &target.device {
            Some(serial) => device_maker(serial.clone(), app, as_it_is, self.holders.clone()),
            None => phone_maker(self.parts.clone(), app, bugs),
        };
        (make, Opened::Phone(WayOrigin { target, initialiser: None }))
    }

    fn opening(&self, lead: &Lead) -> Opening {
        let (trace, target) = (&lead.trace, &lead.trace.target);
        let (app, first) = (target.app.clone(), trace.initialiser.clone());
        let before = before_test(lead.command.clone(), Arc::new(|| false));
        let make = match &target.device {
            Some(serial) => fresh_device_maker(serial.clone(), app, first, before),
            None => fresh_phone_maker(self.parts.clone(), app, lead.bugs.clone(), first, before),
        };
        Opening {
            make,
            app: AppId(target.app.clone()),
            start: trace.start.clone(),
            events: trace.events.clone(),
            step: lead.step,
        }
    }
}
