//! What every device must do, whatever is behind it: simulated, through adb, recorded.

use taproof_engine::device::{AppData, AppFile, AppId, Device, DeviceError, InstalledApp, SnapshotId};
use taproof_screen::{
    AppHealth, DeviceDuration, DeviceInstant, Direction, Event, Frame, Gesture, Key, Layout, PxPoint, PxSize,
    Selector, SystemEvent, TouchTarget, WidgetFlags, WidgetIdx,
};

/// How much of a device a test may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Device,
    /// The app and its data alone: somebody needs the rest.
    App,
}

const NOWHERE: &str = "org.nobody.has.this";

/// Checks a device that has the app. It may be in any state before; the app's data are cleared.
pub fn check(device: &mut dyn Device, app: &AppId, extent: Extent) {
    let now = device.now();
    let mut contract = Contract { device, app, extent, last: now };
    contract.tells_what_it_is();
    contract.launches();
    contract.knows_no_other_app();
    contract.snapshots();
    if contract.device.info().live {
        contract.turns_and_waits();
        contract.gestures();
        contract.texts();
        contract.keys();
        contract.leaves_and_returns();
        contract.manages_apps();
        contract.around();
    } else {
        contract.stays();
    }
}

struct Contract<'c> {
    device: &'c mut dyn Device,
    app: &'c AppId,
    extent: Extent,
    /// The clock at the last look.
    last: DeviceInstant,
}

impl Contract<'_> {
    fn tells_what_it_is(&mut self) {
        let info = self.device.info();
        assert!(!info.serial.is_empty() && !info.model.is_empty(), "{info:?}");
        assert!(info.screen.width > 0 && info.screen.height > 0, "{info:?}");
        assert!(!info.live || info.sdk > 0, "{info:?}");
    }

    /// What it shows: the same when asked twice, on the screen that it says it has, and no earlier than before.
    fn look(&mut self, after: &str) -> Frame {
        let frame = self.device.observe().unwrap_or_else(|error| panic!("after {after}: {error}"));
        assert_eq!(frame, self.device.observe().unwrap(), "after {after} it shows two things");
        let PxSize { width, height } = self.device.info().screen;
        let sideways = frame.layout.rotation().sideways();
        let screen =
            if sideways { PxSize { width: height, height: width } } else { PxSize { width, height } };
        assert_eq!(frame.layout.screen(), screen, "after {after}");
        assert!(frame.at <= self.device.now(), "after {after}: it was seen later than it is now");
        assert!(self.device.now() >= self.last, "after {after} its clock went back");
        assert!(!frame.layout.widgets().is_empty(), "after {after} it shows no widget");
        self.last = self.device.now();
        frame
    }

    fn picture(&mut self, after: &str) {
        let screen = self.look(after).layout.screen();
        match self.device.screenshot() {
            Ok(picture) => {
                assert_eq!(picture.size, screen, "after {after}");
                assert_eq!(
                    picture.rgba.len() as i64,
                    picture.size.width as i64 * picture.size.height as i64 * 4
                );
            }
            Err(error) => assert!(unsupported(&error) && !self.device.info().live, "after {after}: {error}"),
        }
    }

    /// Does an event; none may fail but those that a device refuses as a whole.
    fn perform(&mut self, event: &Event) -> Frame {
        let before = self.look("what was before");
        match self.device.perform(event) {
            Ok(()) => self.look(&format!("{event:?}")),
            Err(error @ (DeviceError::Unsupported { .. } | DeviceError::CannotType { .. })) => {
                let refusable = matches!(event, Event::System(_)) || text_of(event).is_some();
                assert!(refusable || !self.device.info().live, "{event:?}: {error}");
                let after = self.look(&format!("{event:?} was refused"));
                assert_eq!(before.layout, after.layout, "{event:?} was refused and did something");
                after
            }
            Err(error) => panic!("{event:?}: {error}"),
        }
    }

    fn launch(&mut self, data: AppData) -> Frame {
        self.device.launch(self.app, data).unwrap();
        let frame = self.look("the launch");
        assert_eq!(frame.health, AppHealth::Running, "after the launch");
        frame
    }

    fn launches(&mut self) {
        self.launch(AppData::Keep);
        self.launch(AppData::Clear);
        self.picture("the launch");
        self.device.logs().unwrap();
        self.device.keyboard().unwrap();
        let points = self.device.code_points();
        assert!(self.device.take_coverage().unwrap().iter().all(|point| point.0 < points));
        assert!(self.device.take_coverage().unwrap().is_empty(), "it was taken");
    }

    fn knows_no_other_app(&mut self) {
        let nobody = AppId(NOWHERE.to_owned());
        let before = self.look("the launch");
        let device = &mut *self.device;
        let asked = [
            ("launch", device.launch(&nobody, AppData::Keep)),
            ("launch, cleared", device.launch(&nobody, AppData::Clear)),
            ("open", device.open(&nobody)),
            ("stop", device.stop(&nobody)),
            ("kill", device.kill(&nobody)),
            ("clear", device.clear(&nobody)),
            ("permission", device.set_permission(&nobody, "android.permission.CAMERA", true)),
            ("file", device.app_file(&nobody).map(drop)),
        ];
        for (what, answer) in asked {
            match answer {
                Err(DeviceError::NotInstalled { app, installed, .. }) => {
                    assert_eq!(app, NOWHERE, "{what}");
                    assert!(installed.contains(&self.app.0), "{what}: {installed:?}");
                }
                Err(error) if unsupported(&error) && !what.starts_with("launch") => {}
                other => panic!("{what} of an app that is not there: {other:?}"),
            }
        }
        let after = self.look("what is not there was asked for");
        assert_eq!((before.layout, before.health), (after.layout, after.health));
    }

    fn snapshots(&mut self) {
        let missing = |error: DeviceError, id: SnapshotId| match error {
            DeviceError::NoSnapshot { id: told, .. } => assert_eq!(told, id.0),
            other => panic!("{other}"),
        };
        let never = SnapshotId(987_654_321);
        missing(self.device.restore_snapshot(never).unwrap_err(), never);
        self.device.drop_snapshot(never);
        if !self.device.info().snapshots {
            assert!(unsupported(&self.device.save_snapshot().unwrap_err()));
            return;
        }
        let saved = self.device.save_snapshot().unwrap();
        let start = self.look("saving");
        let events = [
            Event::Rotate,
            Event::Wait(DeviceDuration(700)),
            Event::Rotate,
            tap(&start.layout, 1),
            Event::Key(Key::Back),
        ];
        let once: Vec<Frame> = events.iter().map(|event| self.perform(event)).collect();
        for _ in 0..2 {
            self.device.restore_snapshot(saved).unwrap();
            // Going back is the only thing that takes the clock back.
            self.last = start.at;
            assert_eq!(self.look("going back"), start);
            let again: Vec<Frame> = events.iter().map(|event| self.perform(event)).collect();
            assert_eq!(once, again);
        }
        self.device.drop_snapshot(saved);
        missing(self.device.restore_snapshot(saved).unwrap_err(), saved);
    }

    fn turns_and_waits(&mut self) {
        let upright = self.launch(AppData::Clear);
        let turned = self.perform(&Event::Rotate);
        self.picture("turning the screen");
        let back = self.perform(&Event::Rotate);
        assert_eq!(back.layout.rotation(), upright.layout.rotation());
        let turns = turned.layout.rotation() != upright.layout.rotation();
        assert!(turns || self.extent == Extent::App, "the app turns");
        self.picture("turning it back");
        let before = self.device.now();
        self.perform(&Event::Wait(DeviceDuration(500)));
        assert!(self.device.now().since(before).millis() >= 500, "its clock goes on");
    }

    fn gestures(&mut self) {
        let to = |layout: &Layout| PxPoint { x: layout.screen().width / 2, y: layout.screen().height / 2 };
        let swipe = |direction| move |_: &Layout| Gesture::Swipe(direction);
        let kinds: [&dyn Fn(&Layout) -> Gesture; 7] = [
            &|_| Gesture::Tap,
            &|_| Gesture::LongPress,
            &swipe(Direction::Up),
            &swipe(Direction::Down),
            &swipe(Direction::Left),
            &swipe(Direction::Right),
            &|layout| Gesture::Drag(to(layout)),
        ];
        for (number, kind) in kinds.into_iter().enumerate() {
            let layout = self.launch(AppData::Keep).layout;
            let Event::Widget { target, .. } = tap(&layout, number) else { continue };
            self.perform(&Event::Widget { target, gesture: kind(&layout) });
        }
        let before = self.launch(AppData::Clear);
        let Event::Widget { mut target, gesture } = tap(&before.layout, 0) else { return };
        target.screen = PxSize { width: target.screen.height + 1, height: target.screen.width };
        let after = self.perform(&Event::Widget { target, gesture });
        assert_eq!(before.layout, after.layout, "a point of another screen means nothing here");
    }

    /// Taps its way to a field and types into it.
    fn texts(&mut self) {
        let start = self.launch(AppData::Clear).layout;
        let found = (0..clickable(&start).len().min(12)).find_map(|number| {
            let shown = self.perform(&tap(&start, number));
            let field = shown.layout.iter().find(|(_, widget)| widget.is_text_field()).map(|(idx, _)| idx);
            if field.is_none() {
                self.launch(AppData::Clear);
            }
            field.map(|idx| (shown.layout, idx))
        });
        assert!(found.is_some() || self.extent == Extent::App, "the app has a field");
        let Some((layout, field)) = found else { return };
        for text in ["read me 7", "Grüße \u{1f600}", "", "$(reboot)'"] {
            let after = self.perform(&on(&layout, field, Gesture::SetText(text.to_owned())));
            let shown = |widget: &taproof_screen::Widget| widget.is_text_field() && &*widget.text == text;
            let typed = text.is_ascii() && !text.is_empty() && self.extent == Extent::Device;
            assert!(!typed || after.layout.widgets().iter().any(shown), "{text:?} does not show");
        }
        self.perform(&Event::Type("x".to_owned()));
    }

    fn keys(&mut self) {
        self.launch(AppData::Clear);
        for key in Key::ALL {
            let frame = self.perform(&Event::Key(key));
            if frame.health != AppHealth::Running {
                self.launch(AppData::Keep);
            }
        }
    }

    fn left(&mut self, how: &str) {
        let health = self.look(how).health;
        assert!(matches!(health, AppHealth::LeftApp(_)), "after {how}: {health:?}");
    }

    fn leaves_and_returns(&mut self) {
        self.launch(AppData::Clear);
        self.perform(&Event::Key(Key::Home));
        self.left("Home");
        assert_eq!(self.perform(&Event::Relaunch).health, AppHealth::Running);
        self.perform(&Event::Key(Key::Home));
        self.device.open(self.app).unwrap();
        let opened = self.look("opening it");
        assert_eq!(opened.health, AppHealth::Running);
        self.device.kill(self.app).unwrap();
        let after = self.look("ending its process in front");
        assert_eq!((opened.layout, opened.health), (after.layout, after.health), "an app in front stays");
        self.device.stop(self.app).unwrap();
        self.left("stopping it");
        self.launch(AppData::Keep);
        self.device.clear(self.app).unwrap();
        self.left("clearing its data");
        self.launch(AppData::Keep);
    }

    fn manages_apps(&mut self) {
        match self.device.apps() {
            Ok(apps) => self.lists_apps(apps),
            Err(error) => assert!(unsupported(&error), "{error}"),
        }
        if self.extent == Extent::App {
            return;
        }
        let garbage = self.device.install(b"no app");
        assert!(matches!(garbage, Err(DeviceError::NotInstallable { .. })), "{garbage:?}");
        if let AppFile::Apk(apk) = self.device.app_file(self.app).unwrap() {
            assert!(apk.starts_with(b"PK"));
            self.device.install(&apk).unwrap();
        }
        self.launch(AppData::Keep);
    }

    fn lists_apps(&mut self, apps: Vec<InstalledApp>) {
        assert!(apps.is_sorted_by(|one, next| one.id < next.id), "sorted by package");
        let there = apps.into_iter().find(|there| there.id == *self.app).unwrap();
        assert!(there.pid.is_some(), "it runs");
        if self.extent == Extent::App {
            return;
        }
        for (name, granted) in &there.permissions {
            for wanted in [!granted, *granted] {
                self.device.set_permission(self.app, name, wanted).unwrap();
                let apps = self.device.apps().unwrap();
                let there = apps.into_iter().find(|there| there.id == *self.app).unwrap();
                assert!(there.permissions.contains(&(name.clone(), wanted)), "{name}");
            }
        }
        let unknown = self.device.set_permission(self.app, "android.permission.NOBODY_ASKS", true);
        assert!(matches!(unknown, Err(DeviceError::UnknownPermission { .. })), "{unknown:?}");
    }

    fn around(&mut self) {
        if self.extent == Extent::App {
            return;
        }
        for what in SystemEvent::ALL {
            let frame = self.perform(&Event::System(what));
            assert!(!matches!(frame.health, AppHealth::NotResponding(_)), "{what:?}");
        }
        self.launch(AppData::Clear);
    }

    /// A recording: whatever was not recorded leaves it where it is.
    fn stays(&mut self) {
        let start = self.launch(AppData::Clear);
        let selector = Selector { text: Some("nobody recorded this".to_owned()), ..Selector::default() };
        let target = TouchTarget { selector, at: PxPoint { x: -9, y: -9 }, screen: start.layout.screen() };
        let on = |gesture| Event::Widget { target: target.clone(), gesture };
        let text = "nobody typed this".to_owned();
        let gestures = [
            Gesture::Tap,
            Gesture::LongPress,
            Gesture::SetText(text.clone()),
            Gesture::Swipe(Direction::Up),
            Gesture::Drag(PxPoint { x: 1, y: 1 }),
        ];
        let mut events: Vec<Event> = gestures.map(on).into();
        events.extend([Event::Type(text), Event::Wait(DeviceDuration(10)), Event::Key(Key::VolumeDown)]);
        events.extend(SystemEvent::ALL.map(Event::System));
        for event in &events {
            assert_eq!(self.perform(event), start, "{event:?} was never recorded");
        }
        let device = &mut *self.device;
        let answers =
            [device.open(self.app), device.stop(self.app), device.clear(self.app), device.kill(self.app)];
        assert!(answers.iter().all(|answer| answer.as_ref().is_err_and(unsupported)), "{answers:?}");
        assert!(device.apps().is_err_and(|error| unsupported(&error)));
        assert!(device.install(b"PK").is_err_and(|error| unsupported(&error)));
        assert_eq!(self.look("all that"), start);
    }
}

fn unsupported(error: &DeviceError) -> bool {
    matches!(error, DeviceError::Unsupported { .. })
}

fn text_of(event: &Event) -> Option<&str> {
    match event {
        Event::Widget { gesture: Gesture::SetText(text), .. } | Event::Type(text) => Some(text),
        _ => None,
    }
}

fn clickable(layout: &Layout) -> Vec<WidgetIdx> {
    let all = layout.iter().filter(|(_, widget)| widget.flags.has(WidgetFlags::CLICKABLE));
    all.map(|(idx, _)| idx).collect()
}

/// A gesture on a widget's middle.
fn on(layout: &Layout, idx: WidgetIdx, gesture: Gesture) -> Event {
    let at = layout.widget(idx).bounds.center();
    Event::Widget {
        target: TouchTarget { selector: Selector::default(), at, screen: layout.screen() },
        gesture,
    }
}

/// A tap on one of the widgets that take it.
fn tap(layout: &Layout, number: usize) -> Event {
    let all = clickable(layout);
    let idx = all.get(number % all.len().max(1)).copied().unwrap_or(WidgetIdx(0));
    on(layout, idx, Gesture::Tap)
}
