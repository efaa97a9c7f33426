//! Engines that share a device take turns: one begins when the one before it has ended.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use taproof_campaign::DeviceChoice;
use taproof_engine::device::{BeforeTest, Device, DeviceError, DeviceSource, Garbled};
use taproof_engine::worker::Unwanted;

/// How often an engine that waits for its turn looks whether it is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The turns at the devices of a campaign.
#[derive(Default)]
pub(super) struct Turns {
    /// By serial, the end of the last engine's turn so far.
    last: BTreeMap<String, Receiver<Infallible>>,
}

impl Turns {
    /// Has the engine at this index wait for those before it on the same device. Must be called in the order of the
    /// engines. The turn ends when the source is dropped.
    pub fn in_turn<S: DeviceSource>(&mut self, devices: &DeviceChoice, place: usize, source: S) -> InTurn<S> {
        let (ends, ended) = bounded(0);
        let before = devices.serial(place).and_then(|serial| self.last.insert(serial.to_owned(), ended));
        InTurn { source, before, unwanted: Arc::new(|| false), _ends: ends }
    }
}

/// The devices of one engine, from when its turn has come.
pub(super) struct InTurn<S> {
    source: S,
    /// Disconnected once the engine before has ended; `None` if there is none, or it is known to have ended.
    before: Option<Receiver<Infallible>>,
    unwanted: Unwanted,
    /// Dropped with the source, after the devices.
    _ends: Sender<Infallible>,
}

impl<S> InTurn<S> {
    fn wait(&mut self) {
        let Some(before) = self.before.take() else { return };
        let waits = || matches!(before.recv_timeout(LOOK_EVERY), Err(RecvTimeoutError::Timeout));
        while !(self.unwanted)() && waits() {}
    }
}

impl<S: DeviceSource> DeviceSource for InTurn<S> {
    fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
        self.wait();
        self.source.fresh()
    }

    fn switchable_bugs(&self) -> Vec<String> {
        self.source.switchable_bugs()
    }

    fn fresh_without(&mut self, bugs: &[String]) -> Result<Box<dyn Device>, DeviceError> {
        self.wait();
        self.source.fresh_without(bugs)
    }

    fn before_test(&self) -> Option<BeforeTest> {
        self.source.before_test()
    }

    fn unwanted_when(&mut self, unwanted: Unwanted) {
        self.unwanted = Arc::clone(&unwanted);
        self.source.unwanted_when(unwanted);
    }

    fn lost(&mut self, error: &DeviceError) -> bool {
        self.source.lost(error)
    }

    fn garbled(&self) -> Option<Garbled> {
        self.source.garbled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Has no devices.
    struct Nothing;

    impl DeviceSource for Nothing {
        fn fresh(&mut self) -> Result<Box<dyn Device>, DeviceError> {
            Err(DeviceError::NotInstallable { serial: "phone".into(), problem: "none".into() })
        }
    }

    #[test]
    fn an_engine_begins_when_the_one_before_it_on_its_device_has_ended() {
        let devices = DeviceChoice::Adb(vec!["one".to_owned(), "two".to_owned()]);
        let mut turns = Turns::default();
        let first = turns.in_turn(&devices, 0, Nothing);
        let second = turns.in_turn(&devices, 1, Nothing);
        let mut third = turns.in_turn(&devices, 2, Nothing);
        assert!(second.before.is_none(), "another device");
        drop(first);
        // Would never return if the first were waited for.
        assert!(third.fresh().is_err());
    }

    #[test]
    fn an_engine_waits_until_nobody_wants_it_any_more() {
        let devices = DeviceChoice::Adb(vec!["one".to_owned()]);
        let mut turns = Turns::default();
        let _first = turns.in_turn(&devices, 0, Nothing);
        let mut second = turns.in_turn(&devices, 1, Nothing);
        let looks = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&looks);
        second.unwanted_when(Arc::new(move || counted.fetch_add(1, Ordering::SeqCst) == 3));
        assert!(second.fresh().is_err());
        assert_eq!(looks.load(Ordering::SeqCst), 4);
    }
}
