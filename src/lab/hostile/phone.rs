//! The phone that misbehaves.

use std::collections::BTreeMap;
use std::sync::Arc;

use taproof_engine::device::{
    AppData, AppFile, AppId, Device, DeviceError, DeviceInfo, DeviceWarning, InstalledApp, ScreenWatcher,
    Screenshot, SharedChange, SharedFile, SnapshotId, Typeable,
};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant, Rng, hash_text};
use taproof_screen::{CodePoint, CrashReport, Event, Frame, Layout, PxRect};

use crate::perturbation::{Happened, NOTHING, Perturbation, Seen};
use crate::tree::Tree;
use crate::{Hostilities, Hostility};

/// How long it takes to read the screen again.
const READING: DeviceDuration = DeviceDuration(1_000);

/// A device around another one, which shows what that shows in the ways of some kinds of hostility.
pub struct HostilePhone {
    phone: Box<dyn Device>,
    kinds: Vec<Kind>,
    saved: BTreeMap<SnapshotId, Vec<Box<dyn Perturbation>>>,
    /// The package of the app that was launched last.
    app: String,
    last: Option<Event>,
    /// The last reading of the screen. `None` if anything has happened since, or if it is to be read again.
    frame: Option<Frame>,
}

/// One kind of hostility, and what it draws by.
struct Kind {
    perturbation: Box<dyn Perturbation>,
    chance: Rng,
}

impl HostilePhone {
    /// Puts kinds of hostility around a phone. What happens by chance follows from the seed.
    pub fn new(phone: Box<dyn Device>, hostilities: &Hostilities, seed: u64) -> Self {
        let seed = Rng::from_seed(seed);
        let kind =
            |kind: &Hostility| Kind { perturbation: kind.perturbation(), chance: seed.fork(kind.word()) };
        HostilePhone {
            phone,
            kinds: hostilities.kinds().iter().map(kind).collect(),
            saved: BTreeMap::new(),
            app: String::new(),
            last: None,
            frame: None,
        }
    }

    fn happened(&mut self, event: Option<&Event>) -> Result<(), DeviceError> {
        self.frame = None;
        self.last = event.cloned();
        let phone = &mut *self.phone;
        self.kinds.iter_mut().try_for_each(|Kind { perturbation, chance }| {
            perturbation.after(&mut Happened { event, phone, chance })
        })
    }

    /// A number for the page of the app under test; 0 if another app is in front.
    fn page(&self, layout: &Layout) -> u64 {
        let of_app = layout.window_package() == self.app && !self.app.is_empty();
        if of_app { hash_text(&layout.page_name()) | 1 } else { 0 }
    }
}

/// The methods that are those of the phone; the screen may be another one after those that say `changes`.
macro_rules! passed_on {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty $(, $changes:ident)?;)+) => {
        $(fn $name(&mut self $(, $argument: $type)*) -> $result {
            $(passed_on!(@$changes self);)?
            self.phone.$name($($argument),*)
        })+
    };
    (@changes $self:ident) => { $self.frame = None; };
}

impl Device for HostilePhone {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }

    fn now(&self) -> DeviceInstant {
        self.phone.now()
    }

    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.phone.launch(app, data)?;
        self.app.clone_from(&app.0);
        self.happened(None)
    }

    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.phone.open(app)?;
        self.happened(None)
    }

    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        let mut does = Some(event.clone());
        for kind in self.kinds.iter_mut().rev() {
            does = does.and_then(|event| kind.perturbation.meet(event));
        }
        self.frame = None;
        self.phone.perform(&does.unwrap_or(NOTHING))?;
        self.happened(Some(event))
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        if let Some(frame) = &self.frame {
            return Ok(frame.clone());
        }
        let frame = self.phone.observe()?;
        let (page, last) = (self.page(&frame.layout), self.last.as_ref());
        let (mut tree, mut health) = (Tree::of(&frame.layout), frame.health);
        for Kind { perturbation, chance } in &mut self.kinds {
            let mut seen = Seen { tree, health, app: &self.app, at: frame.at, page, last, chance };
            perturbation.show(&mut seen);
            (tree, health) = (seen.tree, seen.health);
        }
        let frame = Frame { layout: Arc::new(tree.into_layout()), health, at: frame.at };
        self.frame = Some(frame.clone());
        Ok(frame)
    }

    fn look_again(&mut self) -> Result<(), DeviceError> {
        self.frame = None;
        self.phone.perform(&Event::Wait(READING))?;
        self.phone.look_again()
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        // What is drawn belongs to what was shown.
        self.observe()?;
        let mut picture = self.phone.screenshot()?;
        self.kinds.iter().for_each(|kind| kind.perturbation.draw(&mut picture));
        Ok(picture)
    }

    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        self.observe()?;
        let own = self.phone.keyboard()?;
        Ok(self.kinds.iter().fold(own, |area, kind| kind.perturbation.keyboard(area)))
    }

    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        let id = self.phone.save_snapshot()?;
        let kinds = self.kinds.iter().map(|kind| kind.perturbation.copied()).collect();
        self.saved.insert(id, kinds);
        Ok(id)
    }

    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        self.frame = None;
        self.phone.restore_snapshot(id)?;
        for (kind, saved) in self.kinds.iter_mut().zip(self.saved.get(&id).into_iter().flatten()) {
            kind.perturbation = saved.copied();
        }
        Ok(())
    }

    fn drop_snapshot(&mut self, id: SnapshotId) {
        self.saved.remove(&id);
        self.phone.drop_snapshot(id);
    }

    fn typeable(&self) -> Typeable {
        self.phone.typeable()
    }

    fn code_points(&self) -> u32 {
        self.phone.code_points()
    }

    passed_on! {
        apps() -> Result<Vec<InstalledApp>, DeviceError>;
        stop(app: &AppId) -> Result<(), DeviceError>, changes;
        kill(app: &AppId) -> Result<(), DeviceError>, changes;
        clear(app: &AppId) -> Result<(), DeviceError>, changes;
        set_permission(app: &AppId, permission: &str, granted: bool) -> Result<(), DeviceError>, changes;
        holds_permissions() -> Result<bool, DeviceError>;
        install(apk: &[u8]) -> Result<AppId, DeviceError>, changes;
        uninstall(app: &AppId, data: AppData) -> Result<(), DeviceError>, changes;
        app_file(app: &AppId) -> Result<AppFile, DeviceError>;
        shared_stamp() -> Option<u64>;
        shared_files() -> Vec<SharedFile>;
        change_shared_file(change: &SharedChange) -> (), changes;
        open_notifications() -> Result<(), DeviceError>, changes;
        wait_until_settled(waits: bool) -> ();
        screen_watcher() -> Result<Option<Box<dyn ScreenWatcher>>, DeviceError>;
        logs() -> Result<Vec<String>, DeviceError>;
        take_warnings() -> Vec<DeviceWarning>;
        take_logged_errors() -> Result<Vec<CrashReport>, DeviceError>;
        resume_clock(at: DeviceInstant) -> bool, changes;
        take_coverage() -> Result<Vec<CodePoint>, DeviceError>;
    }
}
