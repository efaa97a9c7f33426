//! Each kind does what it says, on a screen that never changes by itself; and the same seed gives the same phone.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use taproof_engine::device::{
    AppData, AppId, Build, Device, DeviceError, DeviceInfo, DeviceSource, Screenshot, SnapshotId,
};
use taproof_phone::BundledPhones;
use taproof_screen::determinism::{DeviceDuration, DeviceInstant, Rng};
use taproof_screen::{
    AppHealth, Event, Frame, Gesture, Key, Layout, PxPoint, PxRect, PxSize, Rotation, SystemEvent,
    TouchTarget, Widget, candidates, event_on, is_dialog,
};

use crate::tree::{Node, Tree};
use crate::{HostilePhone, HostilePhones, Hostilities, Hostility};

const APP: &str = "org.ex";
const SCREEN: PxSize = PxSize { width: 1080, height: 1920 };

/// What was performed on a phone.
type Performed = Arc<Mutex<Vec<Event>>>;

/// A phone with one screen. Its time passes by events.
struct Still {
    info: DeviceInfo,
    layout: Arc<Layout>,
    at: DeviceInstant,
    performed: Performed,
    keyboard: Option<PxRect>,
}

impl Device for Still {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }
    fn now(&self) -> DeviceInstant {
        self.at
    }
    fn launch(&mut self, _app: &AppId, _data: AppData) -> Result<(), DeviceError> {
        Ok(())
    }
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        self.at += if let Event::Wait(span) = event { *span } else { DeviceDuration(1_000) };
        self.performed.lock().unwrap().push(event.clone());
        Ok(())
    }
    fn observe(&mut self) -> Result<Frame, DeviceError> {
        Ok(Frame { layout: Arc::clone(&self.layout), health: AppHealth::Running, at: self.at })
    }
    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        let rgba = Arc::new(vec![200; (SCREEN.width * SCREEN.height * 4) as usize]);
        Ok(Screenshot { size: SCREEN, rgba })
    }
    fn keyboard(&mut self) -> Result<Option<PxRect>, DeviceError> {
        Ok(self.keyboard)
    }
    fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        Ok(SnapshotId(1))
    }
    fn restore_snapshot(&mut self, _id: SnapshotId) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// A page with a bar, a list of four rows and a button at the lower edge.
fn page(name: &str) -> Layout {
    let node = |class: &str, id: &str, bounds| Node::new(APP, class, id, bounds);
    let row = |place: i32| {
        let bounds = PxRect::new(0, 240 + 200 * place, 1080, 440 + 200 * place);
        let text = node("TextView", "name", bounds).text(&format!("row {place}"));
        node("LinearLayout", "row", bounds).clickable().with(vec![text])
    };
    let bar = PxRect::new(0, 72, 1080, 240);
    let search = node("ImageButton", "search", PxRect::new(900, 90, 1060, 220)).clickable();
    let root = node("FrameLayout", "", PxRect::new(0, 72, 1080, 1776)).with(vec![
        node("Toolbar", "bar", bar).with(vec![node("TextView", "title", bar).text("Things"), search]),
        node("RecyclerView", "list", PxRect::new(0, 240, 1080, 1776)).with((0..4).map(row).collect()),
        node("ImageButton", "add", PxRect::new(860, 1560, 1028, 1728)).clickable(),
    ]);
    let empty = Layout::empty(SCREEN, Rotation::PORTRAIT).with_activity(format!("{APP}/.{name}").into());
    let mut tree = Tree::of(&empty);
    tree.roots = vec![root];
    tree.into_layout()
}

/// A hostile phone with one page, and what is performed on the phone inside.
fn hostile(layout: Layout, kinds: &str, seed: u64) -> (HostilePhone, Performed) {
    with_keyboard(layout, kinds, seed, None)
}

fn with_keyboard(
    layout: Layout,
    kinds: &str,
    seed: u64,
    keyboard: Option<PxRect>,
) -> (HostilePhone, Performed) {
    let performed = Performed::default();
    let info = DeviceInfo {
        serial: "still".to_owned(),
        model: "Still".to_owned(),
        sdk: 34,
        screen: SCREEN,
        snapshots: true,
        live: true,
    };
    let (layout, at) = (Arc::new(layout), DeviceInstant(0));
    let still = Still { info, layout, at, performed: Arc::clone(&performed), keyboard };
    let mut phone = HostilePhone::new(Box::new(still), &kinds.parse().unwrap(), seed);
    phone.launch(&AppId(APP.to_owned()), AppData::Clear).unwrap();
    (phone, performed)
}

fn tap(at: (i32, i32)) -> Event {
    on(at, Gesture::Tap)
}

fn on((x, y): (i32, i32), gesture: Gesture) -> Event {
    let target = TouchTarget { selector: Default::default(), at: PxPoint { x, y }, screen: SCREEN };
    Event::Widget { target, gesture }
}

fn ids(layout: &Layout) -> Vec<&str> {
    layout.widgets().iter().filter_map(Widget::short_id).collect()
}

fn wait(millis: u64) -> Event {
    Event::Wait(DeviceDuration(millis))
}

/// The first page of those called so on which `shows` holds, with its hostile phone.
fn first_with(kinds: &str, shows: impl Fn(&Layout) -> bool) -> (HostilePhone, Performed) {
    let mut phones = (0..40).map(|number| hostile(page(&format!("Page{number}")), kinds, 1));
    let found = phones.find_map(|(mut phone, performed)| {
        let is_one = shows(&phone.observe().unwrap().layout);
        is_one.then_some((phone, performed))
    });
    found.expect("some page is such a one")
}

#[test]
fn kinds_are_named_by_their_words() {
    let parsed: Hostilities = "fold,late-nodes, fold".parse().unwrap();
    assert_eq!(parsed.kinds(), [Hostility::LateNodes, Hostility::Fold]);
    assert_eq!("all".parse::<Hostilities>().unwrap().kinds(), Hostility::ALL);
    let unknown = "late".parse::<Hostilities>().unwrap_err();
    assert!(unknown.contains("\"late\"") && unknown.contains("late-nodes"), "{unknown}");
}

#[test]
fn the_same_seed_gives_the_same_phone_and_another_one_another() {
    let run = |seed: u64| {
        let mut phones = BundledPhones::new("org.taproof.files", &Build::Sound);
        let mut phones = HostilePhones::new(&mut phones, "all".parse().unwrap(), seed);
        let mut phone = phones.fresh().unwrap();
        phone.launch(&AppId("org.taproof.files".to_owned()), AppData::Clear).unwrap();
        let mut rng = Rng::from_seed(1);
        let mut frames = Vec::new();
        for _ in 0..150 {
            let frame = phone.observe().unwrap();
            let possible = candidates(&frame.layout, "org.taproof.files");
            let event = rng.pick(&possible).and_then(|candidate| {
                event_on(&frame.layout, candidate.widget, candidate.action.gesture("a"))
            });
            frames.push(frame);
            phone.perform(&event.unwrap_or(Event::Key(Key::Back))).unwrap();
        }
        frames
    };
    let (first, again, other) = (run(1), run(1), run(2));
    assert_eq!(first, again);
    assert_ne!(first, other);
}

#[test]
fn one_of_fifty_layouts_lacks_nodes_or_has_some_twice() {
    let whole = page("Main").widgets().len();
    let counts = |kind: &str| {
        let (mut phone, _) = hostile(page("Main"), kind, 1);
        (0..5_000).map(move |_| {
            phone.look_again().unwrap();
            phone.observe().unwrap().layout.widgets().len()
        })
    };
    let missing = counts("missing-nodes").filter(|count| *count < whole).count();
    let doubled = counts("doubled-nodes").filter(|count| *count > whole).count();
    assert!((60..140).contains(&missing) && (60..140).contains(&doubled), "{missing}, {doubled}");
}

#[test]
fn a_part_of_a_page_comes_late() {
    let whole = page("Main");
    let mut late = 0;
    for seed in 0..60 {
        let (mut phone, _) = hostile(whole.clone(), "late-nodes", seed);
        late += usize::from(phone.observe().unwrap().layout.widgets().len() < whole.widgets().len());
        phone.perform(&wait(3_000)).unwrap();
        assert_eq!(*phone.observe().unwrap().layout, whole);
    }
    assert!((4..20).contains(&late), "{late}");
}

#[test]
fn places_differ_by_a_few_pixels_and_the_phone_pauses() {
    let (mut phone, _) = hostile(page("Main"), "jitter", 1);
    let mut places = BTreeSet::new();
    let began = phone.now();
    for _ in 0..100 {
        phone.perform(&tap((10, 10))).unwrap();
        let layout = phone.observe().unwrap().layout;
        let before = page("Main").widgets()[1].bounds;
        let now = layout.widgets()[1].bounds;
        assert!((now.left - before.left).abs() <= 2 && (now.top - before.top).abs() <= 7, "{now}");
        places.insert((now.left, now.top));
    }
    assert!(places.len() > 10);
    let pauses = phone.now().since(began).millis() - 100 * 1_000;
    assert!((5_000..60_000).contains(&pauses), "{pauses}");
}

#[test]
fn a_foreign_window_stays_until_a_button_or_back_closes_it() {
    let (mut phone, performed) = hostile(page("Main"), "foreign-windows", 1);
    let mut packages = BTreeSet::new();
    for _ in 0..4_000 {
        phone.perform(&wait(100)).unwrap();
        let frame = phone.observe().unwrap();
        if frame.layout.window_package() == APP {
            continue;
        }
        packages.insert(frame.layout.window_package().to_owned());
        let left = frame.layout.package() != APP && !taproof_screen::is_of_app(frame.layout.package(), APP);
        assert_eq!(frame.health != AppHealth::Running, left);
        performed.lock().unwrap().clear();
        phone.perform(&Event::Type("a".to_owned())).unwrap();
        phone.perform(&tap((540, 80))).unwrap();
        assert!(performed.lock().unwrap().iter().all(|event| matches!(event, Event::Wait(_))));
        assert_eq!(phone.observe().unwrap().layout.window_package(), frame.layout.window_package());
        let button = frame.layout.iter().find(|(_, widget)| widget.clickable()).unwrap().0;
        phone.perform(&event_on(&frame.layout, button, Gesture::Tap).unwrap()).unwrap();
        assert_eq!(phone.observe().unwrap().layout.window_package(), APP);
    }
    assert!(packages.len() >= 7, "{packages:?}");
}

#[test]
fn a_snapshot_has_the_window_that_lies_in_front() {
    let (mut phone, _) = hostile(page("Main"), "foreign-windows", 1);
    let shows_window = |phone: &mut HostilePhone| phone.observe().unwrap().layout.window_package() != APP;
    while !shows_window(&mut phone) {
        phone.perform(&wait(100)).unwrap();
    }
    let saved = phone.save_snapshot().unwrap();
    phone.perform(&Event::Key(Key::Back)).unwrap();
    assert!(!shows_window(&mut phone));
    phone.restore_snapshot(saved).unwrap();
    assert!(shows_window(&mut phone));
}

#[test]
fn keyboards_have_several_heights_and_cover_what_is_below_them() {
    let own = PxRect::new(0, 1200, 1080, 1776);
    let mut tops = BTreeSet::new();
    for seed in 0..30 {
        let (mut phone, performed) = with_keyboard(page("Main"), "keyboards", seed, Some(own));
        let top = phone.keyboard().unwrap().map_or(own.bottom, |shown| shown.top);
        tops.insert(top);
        let layout = phone.observe().unwrap().layout;
        assert!(layout.widgets().iter().all(|widget| widget.bounds.bottom <= top.max(own.top)), "{top}");
        // What is above the keys of the phone's own keyboard are suggestions.
        phone.perform(&tap((500, own.top - 20))).unwrap();
        let reached = performed.lock().unwrap().iter().any(|event| !matches!(event, Event::Wait(_)));
        assert_eq!(reached, top >= own.top, "{top}");
    }
    assert_eq!(tops.len(), 5, "{tops:?}");
}

#[test]
fn adverts_change_and_lead_to_the_browser() {
    let (mut phone, _) = first_with("adverts", |layout| ids(layout).contains(&"ad_view"));
    let mut texts = BTreeSet::new();
    for _ in 0..12 {
        phone.perform(&wait(8_000)).unwrap();
        let layout = phone.observe().unwrap().layout;
        let advert = layout.widgets().iter().find(|widget| widget.short_id() == Some("ad_headline")).unwrap();
        texts.insert(advert.text.to_string());
    }
    assert!(texts.len() > 3, "{texts:?}");
    let layout = phone.observe().unwrap().layout;
    let advert = layout.widgets().iter().find(|widget| widget.short_id() == Some("ad_view")).unwrap();
    phone.perform(&tap((advert.bounds.center().x, advert.bounds.center().y))).unwrap();
    let frame = phone.observe().unwrap();
    assert!(matches!(frame.health, AppHealth::LeftApp(_)), "{:?}", frame.health);
    assert_eq!(frame.layout.window_package(), "com.android.chrome");
    phone.perform(&Event::Key(Key::Back)).unwrap();
    assert_eq!(phone.observe().unwrap().layout.window_package(), APP);
}

#[test]
fn a_button_that_a_banner_moves_is_still_that_button() {
    let banner = |layout: &Layout| {
        let lowest = layout.widgets().iter().find(|widget| widget.short_id() == Some("ad_view"));
        lowest.is_some_and(|banner| banner.bounds.bottom == 1776)
    };
    let (mut phone, performed) = first_with("adverts", banner);
    let layout = phone.observe().unwrap().layout;
    let add = layout.widgets().iter().find(|widget| widget.short_id() == Some("add")).unwrap();
    assert!(add.bounds.bottom <= 1776 - 150);
    phone.perform(&tap((add.bounds.center().x, add.bounds.center().y))).unwrap();
    let before = page("Main").widgets().last().unwrap().bounds;
    assert_eq!(crate::perturbation::touched(&performed.lock().unwrap()[0]), Some(before.center()));
}

#[test]
fn texts_change_by_themselves() {
    for id in ["live_clock", "seen_ago", "tip", "badge"] {
        let (mut phone, _) = first_with("changing-texts", |layout| ids(layout).contains(&id));
        let mut texts = BTreeSet::new();
        for _ in 0..10 {
            phone.perform(&wait(30_000)).unwrap();
            let layout = phone.observe().unwrap().layout;
            let text = layout.widgets().iter().find(|widget| widget.short_id() == Some(id)).unwrap();
            texts.insert(text.text.to_string());
        }
        // A tip is another one at the next visit.
        assert_eq!(texts.len() > 5, id != "tip", "{id}: {texts:?}");
    }
}

#[test]
fn an_animation_never_ends_and_is_waited_for() {
    let (mut phone, _) = first_with("animations", |layout| ids(layout).contains(&"animation_view"));
    let mut places = BTreeSet::new();
    for _ in 0..10 {
        let before = phone.now();
        phone.perform(&tap((10, 10))).unwrap();
        assert_eq!(phone.now().since(before).millis(), 3_000);
        let layout = phone.observe().unwrap().layout;
        let moving = layout.widgets().iter().find(|widget| widget.short_id() == Some("animation_view"));
        places.insert(moving.unwrap().bounds.left);
    }
    assert!(places.len() > 7, "{places:?}");
}

#[test]
fn a_web_view_comes_late_is_cut_and_reaches_beyond_the_screen() {
    let web = |layout: &Layout| layout.widgets().iter().any(|widget| widget.short_class() == "WebView");
    let (mut phone, _) = first_with("cropped-web", web);
    let mut counts = BTreeSet::new();
    for _ in 0..200 {
        phone.perform(&wait(1_000)).unwrap();
        let layout = phone.observe().unwrap().layout;
        assert!(layout.widgets().iter().any(|widget| widget.bounds.bottom > SCREEN.height));
        counts.insert(layout.widgets().len());
    }
    assert!(counts.len() > 2, "{counts:?}");
}

#[test]
fn a_server_fills_lists_late_in_another_order_in_part_or_not_at_all() {
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let (mut phone, performed) = hostile(page("Main"), "server-lists", seed);
        let layout = phone.observe().unwrap().layout;
        let texts: Vec<&str> = layout.widgets().iter().map(|widget| &*widget.text).collect();
        let rows: Vec<&str> = texts.iter().copied().filter(|text| text.starts_with("row")).collect();
        let sort = match (rows.len(), ids(&layout)) {
            (4, _) if rows.is_sorted() => "whole",
            (4, _) => "shuffled",
            (2, _) => "part",
            (_, ids) if ids.contains(&"loading") => "loading",
            (_, ids) if ids.contains(&"retry") => "failed",
            _ => "skeleton",
        };
        seen.insert(sort);
        if sort == "shuffled" {
            // A touch reaches the row that is seen there.
            let row = layout.iter().find(|(_, widget)| &*widget.text == "row 3").unwrap().0;
            phone.perform(&event_on(&layout, row, Gesture::Tap).unwrap()).unwrap();
            let at = crate::perturbation::touched(&performed.lock().unwrap()[0]).unwrap();
            assert!((840..1040).contains(&at.y), "{at:?}");
        }
        if matches!(sort, "loading" | "skeleton") {
            phone.perform(&wait(6_000)).unwrap();
            assert_eq!(*phone.observe().unwrap().layout, page("Main"));
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[test]
fn pictures_of_secure_pages_are_black_and_windows_are_drawn() {
    let pictures: BTreeSet<u8> = (0..20)
        .map(|number| {
            let (mut phone, _) = hostile(page(&format!("Page{number}")), "secure", 1);
            phone.screenshot().unwrap().rgba[0]
        })
        .collect();
    assert_eq!(pictures, BTreeSet::from([0, 200]));
    let (mut phone, _) = hostile(page("Main"), "foreign-windows", 1);
    while phone.observe().unwrap().layout.window_package() == APP {
        phone.perform(&wait(100)).unwrap();
    }
    assert!(phone.screenshot().unwrap().rgba.contains(&250));
}

#[test]
fn edges_belong_to_the_app_and_to_gestures() {
    let (mut phone, performed) = hostile(page("Main"), "edge-to-edge", 1);
    let layout = phone.observe().unwrap().layout;
    assert_eq!(layout.widgets()[0].bounds, PxRect::new(0, 0, 1080, 1920));
    let last = |event: Event, phone: &mut HostilePhone| {
        phone.perform(&event).unwrap();
        performed.lock().unwrap().last().unwrap().clone()
    };
    let drag = |x, y| Gesture::Drag(PxPoint { x, y });
    assert_eq!(last(on((3, 900), drag(500, 900)), &mut phone), Event::Key(Key::Back));
    assert_eq!(last(on((500, 1910), drag(500, 900)), &mut phone), Event::Key(Key::Home));
    let beside = last(tap((500, 1900)), &mut phone);
    assert_eq!(crate::perturbation::touched(&beside), Some(PxPoint { x: 500, y: 1775 }));
}

#[test]
fn a_fold_changes_the_screen_and_touches_reach_what_they_did() {
    let (mut phone, performed) = hostile(page("Main"), "fold", 1);
    while phone.observe().unwrap().layout.screen() == SCREEN {
        phone.perform(&wait(100)).unwrap();
    }
    let recreated = Event::System(SystemEvent::DisplaySize);
    assert_eq!(performed.lock().unwrap().last(), Some(&recreated));
    let layout = phone.observe().unwrap().layout;
    assert!(layout.screen().width == 2160 && !is_dialog(&layout));
    assert_eq!(phone.screenshot().unwrap().size, layout.screen());
    let add = layout.iter().find(|(_, widget)| widget.short_id() == Some("add")).unwrap().0;
    performed.lock().unwrap().clear();
    phone.perform(&event_on(&layout, add, Gesture::Tap).unwrap()).unwrap();
    let before = page("Main").widgets().last().unwrap().bounds;
    assert_eq!(crate::perturbation::touched(&performed.lock().unwrap()[0]), Some(before.center()));
}
