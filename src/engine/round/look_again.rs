//! Looking twice before something is said against the app: what one reading of a screen shows may be due to the reading.

use crate::device::DeviceError;
use crate::oracle;
use crate::{RoundCtx, Stop};
use taproof_screen::{AppHealth, Event, Frame, InFront, Key};

/// How often a screen that contradicts something is read again before that is said.
pub(crate) const LOOKS: usize = 3;
/// Number of windows that are closed at most in front of an app that was started.
const MOST_WINDOWS: usize = 3;

impl RoundCtx<'_> {
    /// Reads the screen once more after the last event: a reading may miss what is there, have it twice, or come too early.
    /// Returns whether it shows something else now, which then is what the event led to. On the bundled phone, a screen
    /// never does.
    ///
    /// # Errors
    ///
    /// [`Stop::TestOver`] if the app died meanwhile, or [`Stop::Device`].
    pub(crate) fn look_again(&mut self) -> Result<bool, Stop> {
        let began = self.door.device.now();
        match self.door.device.look_again() {
            Err(DeviceError::NoLayout { .. }) => return Ok(false),
            looked => looked?,
        }
        let frame = self.observe(began, false)?;
        if (&frame.layout, &frame.health) == (&self.frame().layout, &self.frame().health) {
            return Ok(false);
        }
        self.keys = self.door.stats.see(&frame, None, &self.door.target.app);
        self.trace.replace_last(frame);
        match oracle::judge_health(self.frame(), &self.trace) {
            Some(violation) => self.end_with(violation).map(|()| true),
            None => Ok(true),
        }
    }

    /// What is wrong with the screen. If something is, the screen is read again, as it may be right then.
    pub(super) fn wrong_again<T>(
        &mut self,
        mut wrong: impl FnMut(&Self) -> Option<T>,
    ) -> Result<Option<T>, Stop> {
        let mut found = wrong(self);
        for _ in 0..LOOKS {
            if found.is_some() && self.look_again()? {
                found = wrong(self);
            }
        }
        Ok(found)
    }

    /// Closes by Back what lies over the app that was just started, such as a warning of the vendor: it would lie over each
    /// further test. `frame` is what the device shows, and is returned as it is then.
    pub(super) fn uncovered(&mut self, mut frame: Frame) -> Result<Frame, Stop> {
        let app = &self.door.target.app;
        for _ in 0..MOST_WINDOWS {
            let layout = &frame.layout;
            if layout.in_front(app) == InFront::App || layout.package() != app || died(&frame) {
                break;
            }
            let began = self.door.device.now();
            self.door.device.perform(&Event::Key(Key::Back))?;
            frame = self.observe(began, false)?;
        }
        Ok(frame)
    }
}

fn died(frame: &Frame) -> bool {
    matches!(frame.health, AppHealth::Crashed(_) | AppHealth::NotResponding(_))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::device::{AppData, AppId, Device, DeviceInfo, Screenshot};
    use crate::worked_examples_tests::{UNLIMITED, screen, script};
    use crate::{CampaignStats, NoWatcher, TestTarget};
    use taproof_screen::{DeviceInstant, Layout};
    use taproof_spec::Spec;

    /// A device whose screen is read as one layout after the other.
    struct Read(Box<dyn Device>, Vec<Arc<Layout>>);

    impl Device for Read {
        fn info(&self) -> &DeviceInfo {
            self.0.info()
        }
        fn now(&self) -> DeviceInstant {
            self.0.now()
        }
        fn launch(&mut self, _app: &AppId, _data: AppData) -> Result<(), DeviceError> {
            Ok(())
        }
        fn perform(&mut self, _event: &Event) -> Result<(), DeviceError> {
            self.look_again()
        }
        fn observe(&mut self) -> Result<Frame, DeviceError> {
            Ok(Frame { layout: Arc::clone(&self.1[0]), ..self.0.observe()? })
        }
        fn look_again(&mut self) -> Result<(), DeviceError> {
            if self.1.len() > 1 {
                self.1.remove(0);
            }
            Ok(())
        }
        fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
            self.0.screenshot()
        }
    }

    fn with<T>(readings: &[&str], work: impl FnOnce(&mut RoundCtx<'_>) -> T) -> T {
        let readings: Vec<Arc<Layout>> = readings.iter().map(|nodes| screen(nodes)).collect();
        let mut device = Read(Box::new(script(&["add"])), readings);
        let target = TestTarget::new("org.ex", &Spec::default(), true);
        let (mut stats, mut watcher) = (CampaignStats::new(&target, UNLIMITED), NoWatcher);
        let door = crate::RoundDoor {
            device: &mut device,
            target: &target,
            stats: &mut stats,
            watcher: &mut watcher,
            cancelled: &|| false,
        };
        work(&mut RoundCtx::new(door, taproof_screen::determinism::Rng::from_seed(1)).unwrap())
    }

    fn lacks_row(ctx: &RoundCtx<'_>) -> Option<()> {
        let widgets = ctx.frame().layout.widgets();
        (!widgets.iter().any(|widget| widget.short_id() == Some("row"))).then_some(())
    }

    #[test]
    fn what_one_reading_missed_is_not_wrong_and_what_all_miss_is() {
        let wrong = |readings: &[&str]| with(readings, |ctx| ctx.wrong_again(lacks_row).unwrap().is_some());
        assert!(!wrong(&["row(a)"]));
        assert!(!wrong(&["add", "add,row(a)"]) && !wrong(&["add", "add", "add", "row(a)"]));
        assert!(wrong(&["add"]) && wrong(&["add", "add,save"]));
    }

    #[test]
    fn another_reading_is_the_screen_after_the_last_event() {
        with(&["add", "add,row(a)"], |ctx| {
            assert_eq!((ctx.look_again(), ctx.look_again()), (Ok(true), Ok(false)));
            assert_eq!((&ctx.frame().layout, ctx.trace().len()), (&screen("add,row(a)"), 0));
        });
    }

    #[test]
    fn what_lies_over_the_app_as_it_starts_is_closed() {
        with(&["window,row(a)", "window,row(a)", "row(a)"], |ctx| {
            assert!(ctx.frame().layout.is_covered("org.ex"));
            ctx.start().unwrap();
            assert!(!ctx.frame().layout.is_covered("org.ex") && lacks_row(ctx).is_none());
        });
    }
}
