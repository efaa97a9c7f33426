//! A device whose dumps take seconds, through real adb: one dump for each event, and the same layouts as in the process.

use taproof_testing::device::adb;

use std::sync::Arc;
use std::time::Duration;

use taproof_adb::{AdbPhone, ControlMethod};
use taproof_engine::device::{
    AppData, AppId, Build, Device, DeviceError, DeviceInfo, DeviceSource, InstalledApp, Screenshot,
};
use taproof_phone::BundledPhones;
use taproof_screen::format::{parse_hierarchy, write_hierarchy};
use taproof_screen::{
    AppHealth, DeviceDuration, DeviceInstant, Event, Frame, Gesture, Key, Layout, PxSize, Selector, Text,
    TouchTarget, WidgetFlags, WidgetIdx,
};
use taproof_served::{Latency, Like, Served};

use taproof_testing::device::adb::ServedPhone;

fn open(phone: &ServedPhone) -> AdbPhone {
    AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Uiautomator2, Arc::new(|| false)).unwrap()
}

fn dumps(phone: &ServedPhone) -> u64 {
    phone.served.lock().dumps
}

/// A layout as dumps of Android 4.4 tell it: what an empty field asks for is its text.
fn as_old(layout: &Layout) -> String {
    let hinted: Vec<WidgetIdx> =
        layout.iter().filter(|(_, widget)| !widget.hint.is_empty()).map(|(idx, _)| idx).collect();
    let changed = layout.with_changed(&hinted, |widget| {
        if widget.text.is_empty() {
            widget.text = Text::clone(&widget.hint);
        }
        widget.hint = Text::from("");
    });
    write_hierarchy(&changed).replace("><", ">\n<")
}

/// Another event each time: most touch something, some go back, turn the screen, wait or type.
fn next_event(layout: &Layout, number: usize) -> Event {
    let reached = |idx: WidgetIdx| layout.touch_point(idx).is_ok();
    let field = layout.iter().find(|(idx, widget)| widget.is_text_field() && reached(*idx));
    let of_class = |idx: WidgetIdx| {
        let (class, same) = (&layout.widget(idx).class, layout.iter().take_while(|(other, _)| *other < idx));
        let instance = same.filter(|(_, other)| other.class == *class).count() as u32;
        Selector { class: Some(class.to_string()), instance: Some(instance), ..Selector::default() }
    };
    let on = |idx, gesture| Event::on(layout, of_class(idx), gesture).unwrap();
    match (number % 9, field) {
        (4, _) => Event::Key(Key::Back),
        (6, _) => Event::Rotate,
        (8, _) => Event::Wait(DeviceDuration(1500)),
        (1 | 3 | 5, Some((idx, _))) => on(idx, Gesture::SetText("a b".to_owned())),
        _ => {
            let clickable: Vec<WidgetIdx> = layout
                .iter()
                .filter(|(idx, widget)| widget.flags.has(WidgetFlags::CLICKABLE) && reached(*idx))
                .map(|(idx, _)| idx)
                .collect();
            match clickable.get(number * 7 % clickable.len().max(1)) {
                Some(idx) => on(*idx, Gesture::Tap),
                None => Event::Key(Key::Back),
            }
        }
    }
}

/// Does a script of so many events on an app in the process and through adb, and compares after each.
fn script(app: &str, build: &Build, events: usize) {
    let Some(phone) = ServedPhone::with(app, build, Like::Android44, Latency::Told) else { return };
    let mut inside = BundledPhones::new(app, build).fresh().unwrap();
    let mut outside = open(&phone);
    let app = AppId(app.to_owned());
    inside.launch(&app, AppData::Clear).unwrap();
    outside.launch(&app, AppData::Clear).unwrap();
    for number in 0..events {
        let frame = inside.observe().unwrap();
        let event = match frame.health {
            AppHealth::Running => next_event(&frame.layout, number),
            AppHealth::LeftApp(_) | AppHealth::Crashed(_) | AppHealth::NotResponding(_) => Event::Relaunch,
        };
        inside.perform(&event).unwrap();
        outside.perform(&event).unwrap();
        let (one, other) = (inside.observe().unwrap(), outside.observe().unwrap());
        assert_eq!(one.health, other.health, "event {number}: {event:?}");
        let (one, other) = (as_old(&one.layout), as_old(&other.layout));
        let different = one.lines().zip(other.lines()).find(|(one, other)| one != other);
        assert!(one == other, "event {number}: {event:?}: {different:#?}");
        assert_eq!(dumps(&phone), number as u64 + 2, "event {number}: {event:?}");
    }
}

#[test]
fn one_event_costs_one_dump_in_files() {
    script("org.taproof.files", &Build::Sound, 25);
}

#[test]
fn one_event_costs_one_dump_in_notes() {
    script("org.taproof.notes", &Build::Sound, 25);
}

/// A page whose button shows a progress ring for some seconds; then it is another page.
struct Loading {
    info: DeviceInfo,
    now: u64,
    until: Option<u64>,
    millis: u64,
}

impl Loading {
    fn new(millis: u64) -> Box<Loading> {
        let info = DeviceInfo {
            serial: "loading".to_owned(),
            model: "loading".to_owned(),
            sdk: 30,
            screen: PxSize { width: 90, height: 160 },
            snapshots: false,
            live: true,
        };
        Box::new(Loading { info, now: 1000, until: None, millis })
    }
}

impl Device for Loading {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }
    fn now(&self) -> DeviceInstant {
        DeviceInstant(self.now)
    }
    fn launch(&mut self, _: &AppId, _: AppData) -> Result<(), DeviceError> {
        Ok(())
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        match event {
            Event::Wait(span) => self.now += span.millis(),
            Event::Widget { .. } => self.until = Some(self.now + self.millis),
            _ => {}
        }
        Ok(())
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let (class, text) = match self.until {
            None => ("Button", "Go"),
            Some(until) if self.now < until => ("ProgressBar", ""),
            Some(_) => ("TextView", "Done"),
        };
        let xml = format!(
            "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"org.ex\" \
             bounds=\"[0,0][90,160]\"><node class=\"android.widget.{class}\" text=\"{text}\" package=\"org.ex\" \
             clickable=\"true\" bounds=\"[10,10][80,40]\" /></node></hierarchy>"
        );
        let layout = parse_hierarchy(xml.as_bytes()).unwrap().layout;
        let layout = layout.with_screen(self.info.screen).with_activity(Text::from("org.ex/.Main"));
        Ok(Frame { layout: Arc::new(layout), health: AppHealth::Running, at: self.now() })
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        // A ring that stands still, as it does while animations are off.
        let shade = match self.until {
            None => 1,
            Some(until) if self.now < until => 2,
            Some(_) => 3,
        };
        let size = self.info.screen;
        let rgba = Arc::new(vec![shade; (size.width * size.height * 4) as usize]);
        Ok(Screenshot { size, rgba })
    }
}

/// What is shown after the button was tapped, how many dumps that took, and how long the device's clock went.
fn after_loading(latency: Latency, millis: u64) -> Option<(String, u64, u64)> {
    ServedPhone::of(Loading::new(millis), Like::Android44, latency).map(|phone| after_tap(&phone))
}

fn after_tap(phone: &ServedPhone) -> (String, u64, u64) {
    let mut device = open(phone);
    let layout = device.observe().unwrap().layout;
    let before = (dumps(phone), phone.served.lock().device.now());
    let button = layout.widgets().iter().find(|widget| &*widget.text == "Go").unwrap();
    let target =
        TouchTarget { selector: Selector::default(), at: button.bounds.center(), screen: layout.screen() };
    device.perform(&Event::Widget { target, gesture: Gesture::Tap }).unwrap();
    let shown = device.observe().unwrap().layout;
    let last = shown.widgets().last().unwrap();
    let went = phone.served.lock().device.now().since(before.1).millis();
    (format!("{} {}", last.class, last.text), dumps(phone) - before.0, went)
}

#[test]
fn a_ring_that_ends_costs_no_second_dump() {
    let Some((shown, dumps, went)) = after_loading(Latency::Told, 3000) else { return };
    assert_eq!((shown.as_str(), dumps), ("android.widget.TextView Done", 1));
    assert!((3000..5000).contains(&went), "{went}");
}

#[test]
fn a_ring_that_never_ends_is_waited_for_once() {
    let Some((shown, dumps, went)) = after_loading(Latency::Told, 1_000_000) else { return };
    assert_eq!((shown.as_str(), dumps), ("android.widget.ProgressBar ", 1));
    assert!((1..=10_000).contains(&went), "{went}");
}

#[test]
fn a_slow_device_has_longer_for_a_ring() {
    let served =
        Served::with(Loading::new(5000), Like::Android44, Latency::Told).slow(Duration::from_secs(3));
    let served = Arc::new(served);
    let Some(phone) = ServedPhone::by(Arc::clone(&served), adb::services(&served)) else { return };
    let (shown, dumps, _) = after_tap(&phone);
    assert_eq!((shown.as_str(), dumps), ("android.widget.TextView Done", 1));
}

#[test]
fn where_dumps_are_cheap_a_ring_is_looked_at_again() {
    let Some((shown, dumps, went)) = after_loading(Latency::Off, 3000) else { return };
    assert_eq!((shown.as_str(), dumps), ("android.widget.TextView Done", 4));
    assert_eq!(went, 3000);
}

/// The bundled phone, whose apps come to the front this long after they are started; what was in front stays meanwhile.
struct SlowStart {
    phone: Box<dyn Device>,
    millis: u64,
    starting: Option<(AppId, DeviceInstant)>,
}

impl Device for SlowStart {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }
    fn now(&self) -> DeviceInstant {
        self.phone.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.phone.launch(app, data)
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.phone.perform(event)
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        let now = self.now();
        let comes = |(_, at): &mut (AppId, DeviceInstant)| now.since(*at).millis() >= self.millis;
        if let Some((app, _)) = self.starting.take_if(comes) {
            self.phone.open(&app)?;
        }
        self.phone.observe()
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.phone.screenshot()
    }
    fn apps(&mut self) -> Result<Vec<InstalledApp>, DeviceError> {
        self.phone.apps()
    }
    fn open(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.starting = Some((app.clone(), self.now()));
        Ok(())
    }
    fn stop(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.phone.stop(app)
    }
    fn clear(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.phone.clear(app)
    }
}

/// How the app is at the end of its launch on a phone whose apps start as slowly, and how long the launch takes.
fn launched(millis: u64) -> Option<(AppHealth, u64)> {
    let app = AppId("org.taproof.files".to_owned());
    let phone = BundledPhones::new(&app.0, &Build::Sound).fresh().unwrap();
    let slow = Box::new(SlowStart { phone, millis, starting: None });
    let phone = ServedPhone::of(slow, Like::default(), Latency::Off)?;
    let server = &phone.own.server;
    let mut device = AdbPhone::open(server, &phone.serial, ControlMethod::Agent, Arc::new(|| false)).unwrap();
    device.launch(&app, AppData::Clear).unwrap();
    let began = phone.served.lock().device.now();
    device.launch(&app, AppData::Clear).unwrap();
    let took = phone.served.lock().device.now().since(began).millis();
    Some((device.observe().unwrap().health, took))
}

#[test]
fn an_app_that_comes_late_is_waited_for() {
    let Some((health, took)) = launched(3000) else { return };
    assert_eq!(health, AppHealth::Running);
    assert!((3000..9200).contains(&took), "{took}");
}

#[test]
fn an_app_that_opens_another_one_is_waited_for_once() {
    let Some((health, took)) = launched(1_000_000) else { return };
    assert!(matches!(health, AppHealth::LeftApp(_)), "{health:?}");
    assert!(took < 1000, "{took}");
}
