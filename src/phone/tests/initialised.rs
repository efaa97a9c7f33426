//! Tests of initial steps on the bundled phone: when they are performed, what is waited for, and which errors are
//! reported.

use std::sync::Arc;

use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceInfo, Initialised, Screenshot};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts, Phone};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{
    AppHealth, Event, Frame, Gesture, Initialiser, Key, Layout, RecordedStep, Selector, TouchTarget, XPath,
};

const NOTES: &str = "org.taproof.notes";
const DIARY: &str = "org.taproof.diary";

fn phone(app: &str, bugs: &[&str]) -> Phone {
    phone_with(&Arc::new(Fonts::new()), app, &BugSet::of(bugs.iter().copied()))
}

fn launch(device: &mut dyn Device, app: &str, data: AppData) -> Arc<Layout> {
    device.launch(&AppId(app.to_owned()), data).unwrap();
    device.observe().unwrap().layout
}

/// A tap on the widget with this text or description.
fn tap(layout: &Layout, name: &str) -> Event {
    let named = |part: fn(&mut Selector) -> &mut Option<String>| {
        let mut selector = Selector::default();
        *part(&mut selector) = Some(name.to_owned());
        Event::on(layout, selector, Gesture::Tap)
    };
    let event = named(|selector| &mut selector.text).or_else(|| named(|selector| &mut selector.content_desc));
    event.unwrap_or_else(|| panic!("no {name:?} on {layout:#?}"))
}

/// Records taps on these widgets in order, and returns the steps with the screen after them.
fn record(app: &str, names: &[&str]) -> (Vec<RecordedStep>, Arc<Layout>) {
    let mut phone = phone(app, &[]);
    let mut layout = launch(&mut phone, app, AppData::Clear);
    let mut steps = Vec::new();
    for name in names {
        let (before, event) = (Arc::clone(&layout), tap(&layout, name));
        phone.perform(&event).unwrap();
        layout = phone.observe().unwrap().layout;
        steps.push(RecordedStep { event, before, after: Arc::clone(&layout) });
    }
    (steps, layout)
}

fn initialised(app: &str, steps: Vec<RecordedStep>, ready: Option<&str>) -> Box<dyn Device> {
    let ready = ready.map(|ready| XPath::parse(ready).unwrap());
    Initialised::device(
        Box::new(phone(app, &[])),
        app,
        Some(&Arc::new(Initialiser { steps, ready, ..Initialiser::default() })),
        None,
    )
}

#[test]
fn the_steps_are_done_on_every_clean_launch_of_the_app_and_on_no_other() {
    let (steps, there) = record(NOTES, &["Welcome to Notes"]);
    let first = Arc::clone(&steps[0].before);
    let mut device = initialised(NOTES, steps, None);
    for _ in 0..3 {
        assert_eq!(launch(&mut *device, NOTES, AppData::Clear), there);
        assert_eq!(launch(&mut *device, NOTES, AppData::Keep), first, "the data stay: nothing is done");
    }
    let other = launch(&mut phone(NOTES, &[]), DIARY, AppData::Clear);
    assert_eq!(launch(&mut *device, DIARY, AppData::Clear).widgets(), other.widgets(), "another app");
}

#[test]
fn without_first_steps_it_is_the_device_itself() {
    let (_, there) = record(NOTES, &[]);
    let nothing = Arc::new(Initialiser::default());
    for first in [None, Some(&nothing)] {
        let mut device = Initialised::device(Box::new(phone(NOTES, &[])), NOTES, first, None);
        assert_eq!(launch(&mut *device, NOTES, AppData::Clear), there);
    }
}

#[test]
fn a_step_finds_its_widget_wherever_it_stands() {
    let (mut steps, there) = record(NOTES, &["Welcome to Notes"]);
    let Event::Widget { target, .. } = &mut steps[0].event else { panic!() };
    target.at.y = 1;
    let mut device = initialised(NOTES, steps, None);
    assert_eq!(launch(&mut *device, NOTES, AppData::Clear).widgets(), there.widgets());
}

#[test]
fn a_step_that_cannot_be_done_is_named() {
    let (mut steps, _) = record(NOTES, &["Welcome to Notes"]);
    let Event::Widget { target, .. } = &steps[0].event else { panic!() };
    let selector = Selector { text: Some("Log in".to_owned()), ..Selector::default() };
    let target = TouchTarget { selector, ..target.clone() };
    let event = Event::Widget { target, gesture: Gesture::Tap };
    steps.push(RecordedStep { event, ..steps[0].clone() });
    let mut device = initialised(NOTES, steps, None);
    let before = device.now();
    let error = device.launch(&AppId(NOTES.to_owned()), AppData::Clear).unwrap_err();
    let DeviceError::NotInitialised { step: 2, of: 2, .. } = &error else { panic!("{error}") };
    let said = error.to_string();
    assert!(
        said.contains(NOTES) && said.contains("step 2 of 2") && said.contains("Record them again"),
        "{said}"
    );
    let waited = device.now().since(before);
    assert!(
        waited >= DeviceDuration(2 * Initialised::PATIENCE.millis()),
        "it was tried twice, and waited for each time"
    );
    assert!(waited < DeviceDuration(3 * Initialised::PATIENCE.millis()), "but not longer");
}

/// A phone whose app shows a splash screen when it starts, and which cannot type.
struct Slow {
    phone: Phone,
    shows_until: DeviceInstant,
}

const SPLASH: DeviceDuration = DeviceDuration(3_000);

impl Device for Slow {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }
    fn now(&self) -> DeviceInstant {
        self.phone.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.phone.launch(app, data)?;
        self.shows_until = DeviceInstant(self.now().millis() + SPLASH.millis());
        Ok(())
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        match event {
            Event::Type(_) => Err(self.info().cannot("type")),
            event => self.phone.perform(event),
        }
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let frame = self.phone.observe()?;
        let splash = Arc::new(taproof_screen::layout_from("FrameLayout\n  ImageView#logo\n"));
        Ok(if self.now() < self.shows_until { Frame { layout: splash, ..frame } } else { frame })
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.phone.screenshot()
    }
}

fn slow(steps: Vec<RecordedStep>, ready: Option<&str>) -> Box<dyn Device> {
    let inner = Slow { phone: phone(NOTES, &[]), shows_until: DeviceInstant(0) };
    let ready = ready.map(|ready| XPath::parse(ready).unwrap());
    Initialised::device(
        Box::new(inner),
        NOTES,
        Some(&Arc::new(Initialiser { steps, ready, ..Initialiser::default() })),
        None,
    )
}

#[test]
fn what_the_device_cannot_do_is_the_steps_failure() {
    let (steps, _) = record(NOTES, &["Welcome to Notes"]);
    let step = RecordedStep { event: Event::Type("x".to_owned()), ..steps[0].clone() };
    let error = slow(vec![step], None).launch(&AppId(NOTES.to_owned()), AppData::Clear).unwrap_err();
    let DeviceError::NotInitialised { step: 1, of: 1, why, .. } = &error else { panic!("{error}") };
    assert!(why.contains("cannot type"), "{why}");
}

#[test]
fn what_comes_late_is_waited_for_and_no_longer() {
    let (steps, there) = record(NOTES, &["Welcome to Notes"]);
    let first = Arc::clone(&steps[0].before);
    let ready = "//*[@text='Welcome to Notes']";
    let mut plain = phone(NOTES, &[]);
    for data in [AppData::Clear, AppData::Keep] {
        launch(&mut plain, NOTES, data);
        let begun = plain.now();
        let mut device = slow(Vec::new(), Some(ready));
        launch(&mut *device, NOTES, AppData::Clear);
        if data == AppData::Keep {
            launch(&mut *device, NOTES, data);
        }
        let shown = device.observe().unwrap().layout;
        assert_eq!(shown.widgets(), first.widgets(), "{data:?}");
        let waited = device.now().since(begun);
        assert!(waited.millis() >= SPLASH.millis(), "{waited:?}");
        assert!(waited.millis() < 2 * (SPLASH.millis() + 4 * Initialised::PAUSE.millis()), "{waited:?}");
    }
    // A step also waits for its widget.
    let mut device = slow(steps, None);
    assert_eq!(launch(&mut *device, NOTES, AppData::Clear).widgets(), there.widgets());
    // If the widget is shown at once, no time is lost.
    let mut device = initialised(NOTES, Vec::new(), Some(ready));
    assert_eq!(launch(&mut *device, NOTES, AppData::Clear), first);
    let mut plain = phone(NOTES, &[]);
    launch(&mut plain, NOTES, AppData::Clear);
    assert_eq!(device.now(), plain.now());
}

#[test]
fn a_condition_that_never_holds_is_named_whatever_becomes_of_the_data() {
    let mut device = initialised(NOTES, Vec::new(), Some("//*[@text='Log in']"));
    for data in [AppData::Clear, AppData::Keep] {
        let before = device.now();
        let error = device.launch(&AppId(NOTES.to_owned()), data).unwrap_err();
        assert!(matches!(&error, DeviceError::NotReady { seconds: 20, .. }), "{error}");
        assert!(error.to_string().contains("//*[@text='Log in']"));
        assert!(device.now().since(before) >= Initialised::PATIENCE);
    }
}

#[test]
fn an_app_that_dies_on_the_way_is_left_as_it_is() {
    let (mut steps, edit) = record(NOTES, &["Welcome to Notes", "Edit"]);
    let body = Selector { resource_id: Some(format!("{NOTES}:id/edit_body")), ..Selector::default() };
    let event = Event::on(&edit, body, Gesture::SetText("changed".to_owned())).unwrap();
    let last = RecordedStep { event, before: Arc::clone(&edit), after: edit };
    steps.push(last.clone());
    steps.push(RecordedStep { event: Event::Rotate, ..last.clone() });
    steps.push(RecordedStep { event: Event::Key(Key::Back), ..last });
    let first = Arc::new(Initialiser {
        steps,
        ready: XPath::parse("//*[@text='none']").ok(),
        ..Initialiser::default()
    });
    let inner = Box::new(phone(NOTES, &["notes-rotate-while-editing"]));
    let mut device = Initialised::device(inner, NOTES, Some(&first), None);
    device.launch(&AppId(NOTES.to_owned()), AppData::Clear).unwrap();
    assert!(matches!(device.observe().unwrap().health, AppHealth::Crashed(_)));
    assert!(device.now().since(DeviceInstant(0)) < Initialised::PATIENCE, "nothing was waited for");
}

#[test]
fn a_state_is_saved_behind_the_steps_and_their_code_counts() {
    let (steps, there) = record(NOTES, &["Welcome to Notes"]);
    let mut device = initialised(NOTES, steps, None);
    launch(&mut *device, NOTES, AppData::Clear);
    let (covered, points) = (device.take_coverage().unwrap(), device.code_points());
    let mut plain = phone(NOTES, &[]);
    launch(&mut plain, NOTES, AppData::Clear);
    assert!(covered.len() > plain.take_coverage().unwrap().len() && points == plain.code_points());
    let saved = device.save_snapshot().unwrap();
    device.perform(&Event::Key(Key::Back)).unwrap();
    assert_ne!(device.observe().unwrap().layout, there);
    device.restore_snapshot(saved).unwrap();
    assert_eq!(device.observe().unwrap().layout, there);
}
