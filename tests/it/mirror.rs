//! The live phone goes back to any state that it went through, exactly, with and without saved states.
#![allow(clippy::disallowed_methods, reason = "what other threads and devices do is waited for")]

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceInfo, Screenshot, SnapshotId};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts, Phone};
use taproof_screen::{
    DeviceInstant, Event, Frame, Gesture, Key, Likeness, PxPoint, Selector, TouchTarget, event_sentence,
};
use taproof_studio::mirror::{
    DeviceMaker, Expected, MirrorCommand, MirrorDevice, Opening, PathNo, PathPosition, Performed, ReachedBy,
    Seen, walk_maker,
};
use taproof_testing::rig::Rig;

const APP: &str = "org.taproof.files";

/// A phone that keeps no states, like a real one.
struct Forgetful(Phone, DeviceInfo);

impl Device for Forgetful {
    fn info(&self) -> &DeviceInfo {
        &self.1
    }
    fn now(&self) -> DeviceInstant {
        self.0.now()
    }
    fn launch(&mut self, app: &AppId, data: AppData) -> Result<(), DeviceError> {
        self.0.launch(app, data)
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.0.perform(event)
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        self.0.observe()
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.0.screenshot()
    }
    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        panic!("a device without snapshots was asked for one")
    }
    fn restore_snapshot(&mut self, _: SnapshotId) -> Result<(), DeviceError> {
        panic!("a device without snapshots was asked to go back to one")
    }
    fn logs(&mut self) -> Result<Vec<String>, DeviceError> {
        self.0.logs()
    }
}

fn maker(snapshots: bool, launch: bool) -> DeviceMaker {
    let fonts = Arc::new(Fonts::new());
    Arc::new(move |_| {
        let mut phone = phone_with(&fonts, APP, &BugSet::none());
        if launch {
            phone.launch(&AppId(APP.to_owned()), AppData::Keep)?;
        }
        let info = DeviceInfo { snapshots: false, ..phone.info().clone() };
        Ok(MirrorDevice::Live(if snapshots { Box::new(phone) } else { Box::new(Forgetful(phone, info)) }))
    })
}

trait Wander {
    fn wander(&mut self, steps: usize) -> Vec<Frame>;
}

impl Wander for Rig {
    /// Uses the app somehow, the same way every time.
    fn wander(&mut self, steps: usize) -> Vec<Frame> {
        (0..steps).map(|step| self.perform(chosen(&self.shown().frame, step)).frame.clone()).collect()
    }
}

/// Some event that does something here.
fn chosen(frame: &Frame, step: usize) -> Event {
    let layout = &frame.layout;
    if step % 7 == 6 || layout.package() != APP {
        return if layout.package() == APP { Event::Key(Key::Back) } else { Event::Relaunch };
    }
    if layout.widgets().iter().any(|widget| widget.is_focused_field()) {
        return Event::Type("ab ü ☃".to_owned());
    }
    let clickable: Vec<_> = layout.widgets().iter().filter(|widget| widget.clickable()).collect();
    let Some(widget) = clickable.get(step * 5 % clickable.len().max(1)) else { return Event::Key(Key::Back) };
    let target =
        TouchTarget { selector: Selector::default(), at: widget.bounds.center(), screen: layout.screen() };
    let gesture = if step.is_multiple_of(3) { Gesture::LongPress } else { Gesture::Tap };
    Event::Widget { target, gesture }
}

fn same(one: &Frame, other: &Frame) {
    assert_eq!(one.layout, other.layout);
    assert_eq!((one.at, &one.health), (other.at, &other.health));
}

#[test]
#[ignore = "takes long"]
fn the_phone_goes_back_to_every_state_of_its_way_exactly() {
    for snapshots in [true, false] {
        let mut rig = Rig::new(maker(snapshots, true));
        let start = rig.shown().frame.clone();
        let mut frames = vec![start];
        frames.extend(rig.wander(24));
        assert_eq!(rig.performed.len(), 24, "every event is told once");
        for step in [23, 0, 11, 12, 5, 24] {
            let shown = rig.stand(step);
            assert_eq!(rig.news.problem, None);
            same(&shown.frame, &frames[step]);
            assert_eq!((shown.place.step, shown.ahead), (step, 24 - step));
            let expected = if snapshots { ReachedBy::Snapshot } else { ReachedBy::Reexecuted };
            if step > 0 {
                assert_eq!(shown.standing, expected, "step {step}");
            }
            assert!(rig.diverged.is_empty(), "{:?}", rig.diverged[0].reason);
        }
        // The same events from there give the same screens again.
        rig.stand(9);
        for (step, expected) in frames.iter().enumerate().skip(10) {
            let shown = rig.perform(chosen(&rig.shown().frame, step - 1));
            same(&shown.frame, expected);
        }
    }
}

#[test]
fn going_on_from_an_earlier_state_makes_a_branch() {
    let mut rig = Rig::new(maker(true, true));
    rig.wander(6);
    let told = rig.performed.len();
    rig.stand(3);
    let shown = rig.perform(Event::Rotate);
    assert_eq!((shown.place.step, shown.ahead, shown.standing), (4, 0, ReachedBy::Live));
    assert_eq!(rig.performed.len(), told + 1);
    let last = rig.performed.last().unwrap();
    assert_eq!((last.place.step, last.again), (3, false));
    let gone = rig.stand(5);
    assert!(rig.news.problem.as_deref().unwrap().contains("another way"));
    assert_eq!(gone.place.step, 4, "a refused order changes nothing");
    let other = MirrorCommand::Stand(PathPosition { path: PathNo(rig.path.0 + 1), step: 0 });
    rig.run(other);
    assert!(rig.news.problem.as_deref().unwrap().contains("another way"));
}

fn opening(rig: &Rig, steps: &[Arc<Performed>], step: usize, snapshots: bool) -> Opening {
    let expected = |seen: &Seen| Expected::of(&seen.frame.layout, None);
    Opening {
        make: maker(snapshots, false),
        app: AppId(APP.to_owned()),
        start: rig.start.as_ref().map(|seen| expected(seen)),
        events: steps.iter().map(|step| (step.event.clone(), expected(&step.after))).collect(),
        step,
    }
}

/// A worker in which a trace was opened at its start, and what was done after it.
fn opened(steps: usize) -> (Rig, Vec<Arc<Performed>>) {
    let mut rig = Rig::new(maker(true, false));
    let none = Opening { start: None, ..opening(&rig, &[], 0, true) };
    rig.run(MirrorCommand::Open(Box::new(none)));
    rig.wander(steps);
    let done = rig.performed.clone();
    (rig, done)
}

#[test]
#[ignore = "takes long"]
fn a_trace_is_done_again_on_a_fresh_phone() {
    let (rig, done) = opened(20);
    for snapshots in [true, false] {
        let mut other = Rig::new(maker(snapshots, true));
        let shown = other.run(MirrorCommand::Open(Box::new(opening(&rig, &done, 14, snapshots))));
        assert_eq!(other.news.problem, None);
        assert!(other.diverged.is_empty(), "{}", other.diverged[0].reason);
        same(&shown.frame, &done[13].after.frame);
        assert_eq!((shown.standing, shown.redone, shown.ahead), (ReachedBy::Reexecuted, 14, 6));
        assert!(other.performed.iter().all(|step| step.again));
        same(&other.stand(20).frame, &done[19].after.frame);
        same(&other.stand(2).frame, &done[1].after.frame);
    }
}

#[test]
fn a_trace_that_comes_elsewhere_says_where_and_how() {
    let (rig, done) = opened(8);
    let mut wrong = opening(&rig, &done, 8, true);
    let before = done[4].before.frame.layout.clone();
    wrong.events[4].0 = Event::Key(Key::Home);
    let mut other = Rig::new(maker(true, true));
    other.run(MirrorCommand::Open(Box::new(wrong)));
    let first = &other.diverged[0];
    assert_eq!((first.step, first.likeness), (5, Likeness::OtherScreen));
    let words = event_sentence(&Event::Key(Key::Home), &before);
    assert!(first.reason.starts_with(&format!("after \u{201c}{words}\u{201d}: ")), "{}", first.reason);
}

#[test]
#[ignore = "takes long"]
fn doing_a_long_trace_again_shows_how_far_it_is_and_can_be_stopped() {
    let (mut rig, done) = opened(120);
    let mut other = Rig::new(maker(false, true));
    other.send(MirrorCommand::Open(Box::new(opening(&rig, &done, 120, false))));
    other.wait(|rig| rig.news.redoing.is_some_and(|redoing| redoing.done > 3));
    assert_eq!(other.news.redoing.unwrap().total, 120);
    other.mirror.stop_redoing();
    let sent = other.sent;
    other.wait(|rig| rig.news.done == sent);
    assert!(other.news.problem.as_deref().unwrap().contains("Stopped"));
    let at = other.shown().place.step;
    assert!(at > 3 && at < 120, "{at}");
    same(&other.shown().frame, &done[at - 1].after.frame);
    assert_eq!(other.news.redoing, None);
    // Who wants the phone elsewhere does not wait until it is where it was wanted before.
    let place = |rig: &Rig, step| MirrorCommand::Stand(PathPosition { path: rig.path, step });
    let (far, near) = (place(&other, 120), place(&other, at + 2));
    other.send(far);
    let shown = other.run(near);
    assert_eq!(shown.place.step, at + 2);
    assert_eq!(other.news.problem, None);
    same(&shown.frame, &done[at + 1].after.frame);
    same(&rig.stand(1).frame, &done[0].after.frame);
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or("VmRSS: 0 kB").to_owned();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
#[ignore = "takes long"]
fn five_hundred_events_are_shown_at_once_and_kept_in_bounds() {
    let mut rig = Rig::new(maker(true, true));
    let before = resident_kb();
    let mut frames = vec![rig.shown().frame.clone()];
    let mut shown_micros = Vec::new();
    for step in 0..500 {
        let event = chosen(&rig.shown().frame, step);
        let begun = Instant::now();
        let was = rig.shown().place;
        rig.send(MirrorCommand::Perform(event));
        rig.wait(|rig| rig.shown().place != was);
        shown_micros.push(begun.elapsed().as_micros());
        let sent = rig.sent;
        rig.wait(|rig| rig.news.done == sent);
        frames.push(rig.shown().frame.clone());
    }
    shown_micros.sort_unstable();
    let grown = resident_kb().saturating_sub(before);
    let pictures: usize =
        rig.performed.iter().filter_map(|step| step.after.png.as_ref()).map(|png| png.len()).sum();
    println!(
        "event to frame: median {} us, 99th percentile {} us; 500 events: {} MB more, {} MB of pictures",
        shown_micros[250],
        shown_micros[495],
        grown / 1024,
        pictures / 1_000_000
    );
    assert!(grown < 400_000, "{grown} kB");
    let mut most = 0;
    for step in (0..500).step_by(41) {
        let shown = rig.stand(step);
        same(&shown.frame, &frames[step]);
        most = most.max(shown.redone);
    }
    println!("at most {most} events were done again");
    assert!((1..64).contains(&most), "{most}");
    assert!(rig.diverged.is_empty());
}

#[test]
fn a_touch_is_refused_once_the_screen_is_another() {
    let mut rig = Rig::new(maker(true, true));
    let seen = rig.shown();
    rig.perform(Event::Rotate);
    let at = PxPoint { x: 500, y: 500 };
    let shown = rig.run(MirrorCommand::Touch { frame: seen.no, at, gesture: Gesture::Tap });
    assert!(rig.news.problem.as_deref().unwrap().contains("The screen changed"));
    assert_eq!(shown.place.step, 1);
}

#[test]
fn what_a_phone_is_asked_for_can_be_given_up() {
    let mut rig = Rig::new(maker(true, true));
    let silent: DeviceMaker = Arc::new(|unwanted| {
        while !unwanted() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        Err(DeviceError::Unsupported { serial: "phone-1".to_owned(), what: "answer".to_owned() })
    });
    rig.send(MirrorCommand::Use(silent));
    rig.mirror.give_up();
    rig.wait(|rig| rig.news.gone && rig.news.done == rig.sent);
    assert!(rig.news.problem.as_deref().unwrap().contains("was stopped"), "{:?}", rig.news.problem);
    rig.run(MirrorCommand::Use(maker(true, true)));
    assert!(!rig.news.gone && rig.news.problem.is_none(), "the next phone is not given up");
}

#[test]
fn an_app_can_be_touched_after_another_device_could_not_be_opened_again() {
    let mut rig = Rig::new(maker(true, true));
    // Fewer frames than are remembered.
    rig.wander(3);
    let before = rig.shown();
    // The device that was lent to a campaign is unplugged when it is to be shown again.
    let unplugged = || DeviceError::Unsupported { serial: "phone-1".to_owned(), what: "answer".to_owned() };
    rig.send(MirrorCommand::Use(Arc::new(move |_| Err(unplugged()))));
    rig.wait(|rig| rig.news.gone);
    let fonts = Arc::new(Fonts::new());
    let other = "org.taproof.notes";
    let notes: DeviceMaker = Arc::new(move |_| {
        let mut phone = phone_with(&fonts, other, &BugSet::none());
        phone.launch(&AppId(other.to_owned()), AppData::Keep)?;
        Ok(MirrorDevice::Live(Box::new(phone)))
    });
    let mut shown = rig.run(MirrorCommand::Use(notes));
    assert!(shown.no > before.no, "numbers of frames never begin anew");
    for _ in 0..3 {
        let widgets = shown.frame.layout.widgets();
        let at = widgets.iter().find(|widget| widget.clickable()).unwrap().bounds.center();
        shown = rig.run(MirrorCommand::Touch { frame: shown.no, at, gesture: Gesture::Tap });
        assert_eq!(rig.news.problem, None);
    }
    let at = PxPoint { x: 500, y: 500 };
    rig.run(MirrorCommand::Touch { frame: before.no, at, gesture: Gesture::Tap });
    assert!(rig.news.problem.as_deref().unwrap().contains("The screen changed"), "it was aimed at Files");
}

#[test]
fn a_touch_behind_keys_goes_to_the_button_that_was_seen() {
    let mut rig = Rig::new(maker(true, true));
    let tap = |rig: &mut Rig, resource_id: &str, text: Option<&str>| {
        let selector = Selector {
            resource_id: Some(resource_id.to_owned()),
            text: text.map(str::to_owned),
            ..Selector::default()
        };
        let event = Event::on(&rig.shown().frame.layout, selector, Gesture::Tap).unwrap();
        rig.perform(event)
    };
    tap(&mut rig, "org.taproof.files:id/sd_main_fab", None);
    let seen = tap(&mut rig, "org.taproof.files:id/sd_label", Some("Folder"));
    let create = seen.frame.layout.widgets().iter().find(|widget| &*widget.text == "Create").unwrap();
    // The finger is quicker than the phone: both letters are on their way when it comes.
    rig.send(MirrorCommand::Perform(Event::Type("k".to_owned())));
    rig.send(MirrorCommand::Perform(Event::Type("7".to_owned())));
    let at = create.bounds.center();
    let shown = rig.run(MirrorCommand::Touch { frame: seen.no, at, gesture: Gesture::Tap });
    assert_eq!(rig.news.problem, None);
    assert!(shown.frame.layout.widgets().iter().any(|widget| &*widget.text == "k7"), "the folder is there");
}

#[test]
fn a_recorded_walk_is_a_way_that_was_gone() {
    let Some(data) = taproof_testing::data() else { return };
    let mut rig = Rig::new(walk_maker(data.join("android44/walks/activitydiary-create")));
    let last = rig.shown().walk.clone().unwrap().last;
    rig.wait(|rig| rig.performed.len() == last);
    assert!(rig.performed.iter().enumerate().all(|(step, done)| done.place.step == step && !done.again));
    let shown = rig.stand(2);
    assert_eq!((shown.walk.as_ref().unwrap().step, shown.place.step), (2, 2));
    assert_eq!(shown.frame.layout, rig.performed[1].after.frame.layout);
    rig.perform(rig.performed[2].event.clone());
    assert_eq!(rig.performed.len(), last, "what was done in it is not told again");
    assert_eq!(rig.shown().place.step, 3);
}

/// A device that reports what it is to perform, and waits each time until it may go on.
struct Held {
    phone: Forgetful,
    asked: Sender<Event>,
    go: Arc<Mutex<Receiver<()>>>,
}

impl Device for Held {
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
        self.asked.send(event.clone()).unwrap();
        self.go.lock().unwrap().recv().unwrap();
        Ok(())
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        self.phone.observe()
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.phone.screenshot()
    }
    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        self.phone.save_snapshot()
    }
    fn restore_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        self.phone.restore_snapshot(id)
    }
    fn logs(&mut self) -> Result<Vec<String>, DeviceError> {
        self.phone.logs()
    }
}

#[test]
fn letters_typed_while_the_device_is_busy_are_one_text() {
    let (asked, performed) = channel();
    let (release, go) = channel();
    let (fonts, go) = (Arc::new(Fonts::new()), Arc::new(Mutex::new(go)));
    let mut rig = Rig::new(Arc::new(move |_| {
        let phone = phone_with(&fonts, APP, &BugSet::none());
        let info = DeviceInfo { snapshots: false, ..phone.info().clone() };
        let (asked, go) = (asked.clone(), Arc::clone(&go));
        Ok(MirrorDevice::Live(Box::new(Held { phone: Forgetful(phone, info), asked, go })))
    }));
    let letter = |text: &str| MirrorCommand::Perform(Event::Type(text.to_owned()));
    rig.send(letter("a"));
    assert_eq!(performed.recv().unwrap(), Event::Type("a".to_owned()));
    for text in ["b", "c", "\u{e9}"] {
        rig.send(letter(text));
    }
    rig.send(MirrorCommand::Perform(Event::Key(Key::Delete)));
    rig.send(letter("d"));
    for expected in [Event::Type("bc\u{e9}".to_owned()), Event::Key(Key::Delete), Event::Type("d".to_owned())]
    {
        release.send(()).unwrap();
        assert_eq!(performed.recv().unwrap(), expected);
    }
    release.send(()).unwrap();
    rig.wait(|rig| rig.news.done == rig.sent);
    assert_eq!(rig.performed.len(), 4);
}
