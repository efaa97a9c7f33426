//! An app that is written outside the library can be installed on the phone and behaves like Android's.

use std::sync::Arc;

use taproof_engine::device::{AppData, AppId, Device};
use taproof_phone::{
    App, BugSet, Color, Crash, Env, Fonts, Icon, ImeAction, Manifest, Package, Phone, Surface, System, View,
    dialog, fab, list_row, loading, popup_item, popup_menu, toolbar,
};
use taproof_screen::{AppHealth, Direction, Event, Gesture, Key, Layout, Selector};

#[derive(Clone)]
struct Todo {
    items: Vec<String>,
}

#[derive(Clone)]
enum Page {
    List { busy: bool },
    New { name: String },
    Menu,
}

#[derive(Clone)]
enum Msg {
    Add,
    Name(String),
    Save,
    Loaded,
    More,
    Crash,
    Hang,
    Camera,
    Answer(bool),
}

const ACCENT: Color = Color(0x3F51B5);

impl Package for Todo {
    fn manifest() -> &'static Manifest {
        &Manifest {
            package: "com.example.todo",
            label: "Todo",
            modelled_on: "nothing",
            icon: Icon::Check,
            accent: ACCENT,
            activities: &["ListActivity"],
            permissions: &["android.permission.CAMERA"],
            bugs: &[],
            points: &[],
            resources: None,
        }
    }

    fn install(_bugs: &BugSet) -> Self {
        Todo { items: Vec::new() }
    }
}

impl App for Todo {
    type Page = Page;
    type Msg = Msg;

    fn start(&mut self) -> Page {
        Page::List { busy: false }
    }

    fn surface(&self, page: &Page) -> Surface {
        match page {
            Page::List { .. } => Surface::Activity("ListActivity"),
            Page::New { .. } => Surface::Dialog,
            Page::Menu => Surface::Menu,
        }
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        match page {
            Page::List { busy } => {
                let list = View::list("list", env, self.items.len(), 64, |index| {
                    list_row(None, ("row", self.items[index].clone()), ("", String::new()), Vec::new())
                });
                let mut body = vec![list, fab("fab", Icon::Add, "Add", ACCENT, Msg::Add)];
                if *busy {
                    body.push(loading("ring"));
                }
                let more = View::icon_button(Icon::MoreVert, Color::TEXT, "More", Msg::More).id("more");
                View::column(vec![
                    toolbar(ACCENT, None, "Todo", Vec::new()),
                    more,
                    View::frame(body).grow_y(),
                ])
            }
            Page::New { name } => {
                let field = View::field("name", name.clone(), Msg::Name).hint("Name").auto_focus();
                let field = field.action(ImeAction::Done, Msg::Save);
                dialog("New item", vec![field], ACCENT, vec![("SAVE", Msg::Save)])
            }
            Page::Menu => popup_menu(vec![
                popup_item("Crash", Msg::Crash),
                popup_item("Hang", Msg::Hang),
                popup_item("Camera", Msg::Camera),
            ]),
        }
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        match (page, msg) {
            (_, Msg::Add) => sys.open(Page::New { name: String::new() }),
            (Page::New { name }, Msg::Name(text)) => *name = text,
            (Page::New { name }, Msg::Save) => {
                self.items.push(name.clone());
                sys.finish_with(Msg::Save);
            }
            (Page::List { busy }, Msg::Save) => {
                *busy = true;
                sys.after(4000, Msg::Loaded);
            }
            (Page::List { busy }, Msg::Loaded) => *busy = false,
            (_, Msg::More) => sys.open(Page::Menu),
            (_, Msg::Crash) => sys.crash(Crash {
                exception: "java.lang.NullPointerException",
                message: "it is null",
                stack: &["com.example.todo.ListActivity.onClick(ListActivity.java:7)"],
            }),
            (_, Msg::Hang) => {
                sys.hang("Input dispatching timed out");
                sys.finish();
            }
            (_, Msg::Camera) => sys.request_permission("android.permission.CAMERA", Msg::Answer),
            (_, Msg::Answer(granted)) => {
                self.items.push(format!("camera {granted}"));
                sys.finish();
            }
            _ => {}
        }
    }
}

fn phone() -> Phone {
    let mut phone = Phone::new(Arc::new(Fonts::new()));
    phone.install::<Todo>(&BugSet::none());
    phone.launch(&AppId("com.example.todo".into()), AppData::Clear).unwrap();
    phone
}

fn seen(phone: &mut Phone) -> Arc<Layout> {
    phone.observe().unwrap().layout
}

fn by_id(id: &str) -> Selector {
    let id = if id.contains(":id/") { id.to_owned() } else { format!("com.example.todo:id/{id}") };
    Selector { resource_id: Some(id), ..Selector::default() }
}

fn by_text(text: &str) -> Selector {
    Selector { text: Some(text.to_owned()), ..Selector::default() }
}

fn act(phone: &mut Phone, selector: Selector, gesture: Gesture) {
    let layout = seen(phone);
    let event =
        Event::on(&layout, selector.clone(), gesture).unwrap_or_else(|| panic!("{selector} not found"));
    phone.perform(&event).unwrap();
}

fn add(phone: &mut Phone, name: &str) {
    act(phone, by_id("fab"), Gesture::Tap);
    act(phone, by_id("name"), Gesture::SetText(name.to_owned()));
    act(phone, by_text("SAVE"), Gesture::Tap);
}

#[test]
fn a_dialog_is_a_window_of_its_own_and_the_list_grows() {
    let mut phone = phone();
    act(&mut phone, by_id("fab"), Gesture::Tap);
    let dialog = seen(&mut phone);
    assert_eq!(by_id("fab").matches(&dialog).len(), 0, "the dump holds the active window only");
    assert!(phone.scene().keyboard.is_some(), "the field asked for the focus");
    phone.perform(&Event::Type("milk".into())).unwrap();
    phone.perform(&Event::Key(Key::ImeAction)).unwrap();
    let list = seen(&mut phone);
    assert_eq!(by_text("milk").matches(&list).len(), 1);
    assert!(list.widgets().iter().all(|widget| !widget.is_progress()), "the phone waits for the ring to go");
}

#[test]
fn back_closes_the_keyboard_first() {
    let mut phone = phone();
    act(&mut phone, by_id("fab"), Gesture::Tap);
    phone.perform(&Event::Key(Key::Back)).unwrap();
    assert!(phone.scene().keyboard.is_none());
    assert_eq!(by_id("name").matches(&seen(&mut phone)).len(), 1);
    phone.perform(&Event::Key(Key::Back)).unwrap();
    assert_eq!(by_id("name").matches(&seen(&mut phone)).len(), 0);
    phone.perform(&Event::Key(Key::Back)).unwrap();
    let frame = phone.observe().unwrap();
    assert!(matches!(frame.health, AppHealth::LeftApp(_)), "the last Back leaves the app");
    act(&mut phone, by_text("Todo"), Gesture::Tap);
    assert_eq!(phone.observe().unwrap().health, AppHealth::Running);
}

#[test]
fn a_long_list_shows_what_fits_and_scrolls() {
    let mut phone = phone();
    for item in 0..15 {
        add(&mut phone, &format!("item {item}"));
    }
    assert_eq!(by_text("item 14").matches(&seen(&mut phone)).len(), 0);
    act(&mut phone, by_id("list"), Gesture::Swipe(Direction::Up));
    act(&mut phone, by_id("list"), Gesture::Swipe(Direction::Up));
    let layout = seen(&mut phone);
    assert_eq!(by_text("item 14").matches(&layout).len(), 1);
    assert_eq!(by_text("item 0").matches(&layout).len(), 0);
    let list = layout.widget(by_id("list").matches(&layout)[0]).bounds;
    assert!(layout.widgets().iter().all(|widget| widget.short_id() != Some("row")
        || (widget.bounds.top >= list.top && widget.bounds.bottom <= list.bottom)));
}

#[test]
fn data_survive_a_restart_and_not_a_clear() {
    let mut phone = phone();
    add(&mut phone, "milk");
    phone.perform(&Event::Relaunch).unwrap();
    assert_eq!(by_text("milk").matches(&seen(&mut phone)).len(), 1);
    phone.launch(&AppId("com.example.todo".into()), AppData::Clear).unwrap();
    assert_eq!(by_text("milk").matches(&seen(&mut phone)).len(), 0);
}

#[test]
fn rotation_turns_the_screen_and_closes_menus() {
    let mut phone = phone();
    act(&mut phone, by_id("more"), Gesture::Tap);
    assert_eq!(by_text("Crash").matches(&seen(&mut phone)).len(), 1);
    phone.perform(&Event::Rotate).unwrap();
    let layout = seen(&mut phone);
    assert_eq!((layout.screen().width, layout.screen().height, layout.rotation().0), (1920, 1080, 1));
    assert_eq!(by_text("Crash").matches(&layout).len(), 0);
}

#[test]
fn a_crash_is_seen_in_health_log_and_dialog() {
    let mut phone = phone();
    act(&mut phone, by_id("more"), Gesture::Tap);
    act(&mut phone, by_text("Crash"), Gesture::Tap);
    let frame = phone.observe().unwrap();
    let AppHealth::Crashed(report) = &frame.health else { panic!("{:?}", frame.health) };
    assert_eq!(report.exception, "java.lang.NullPointerException");
    assert!(
        phone.logs().unwrap().iter().any(|line| line.contains("E AndroidRuntime: FATAL EXCEPTION: main"))
    );
    assert_eq!(by_text("Todo has stopped").matches(&frame.layout).len(), 1);
    act(&mut phone, by_text("CLOSE APP"), Gesture::Tap);
    phone.perform(&Event::Relaunch).unwrap();
    assert_eq!(phone.observe().unwrap().health, AppHealth::Running);
}

#[test]
fn an_app_that_hangs_is_found_out_by_the_next_input() {
    let mut phone = phone();
    act(&mut phone, by_id("more"), Gesture::Tap);
    act(&mut phone, by_text("Hang"), Gesture::Tap);
    assert_eq!(phone.observe().unwrap().health, AppHealth::Running);
    phone.perform(&Event::Key(Key::Back)).unwrap();
    let frame = phone.observe().unwrap();
    assert!(matches!(frame.health, AppHealth::NotResponding(_)));
    assert!(phone.logs().unwrap().iter().any(|line| line.contains("ANR in com.example.todo")));
}

#[test]
fn a_permission_is_asked_for_by_the_system() {
    let mut phone = phone();
    act(&mut phone, by_id("more"), Gesture::Tap);
    act(&mut phone, by_text("Camera"), Gesture::Tap);
    let layout = seen(&mut phone);
    assert_eq!(&*layout.widgets()[0].package, "com.android.permissioncontroller");
    act(&mut phone, by_text("ALLOW"), Gesture::Tap);
    assert_eq!(by_text("camera true").matches(&seen(&mut phone)).len(), 1);
}

#[test]
fn a_snapshot_restores_exactly() {
    let mut phone = phone();
    add(&mut phone, "milk");
    act(&mut phone, by_id("fab"), Gesture::Tap);
    phone.perform(&Event::Type("bre".into())).unwrap();
    let saved = phone.save_snapshot().unwrap();
    let walk = [Event::Type("ad".into()), Event::Key(Key::ImeAction), Event::Rotate, Event::Key(Key::Home)];
    let play = |phone: &mut Phone| -> Vec<(Arc<Layout>, u64)> {
        walk.iter()
            .map(|event| {
                phone.perform(event).unwrap();
                let frame = phone.observe().unwrap();
                (frame.layout, frame.at.millis())
            })
            .collect()
    };
    let first = play(&mut phone);
    phone.restore_snapshot(saved).unwrap();
    assert_eq!(first, play(&mut phone));
}

#[test]
fn the_keyboard_types_where_it_is_tapped() {
    let mut phone = phone();
    act(&mut phone, by_id("fab"), Gesture::Tap);
    let keyboard = phone.scene().keyboard.unwrap();
    for letter in ['h', 'i'] {
        let wanted = taproof_phone::KeyAction::Char(letter);
        let key = keyboard.keys.iter().find(|key| key.action == wanted).unwrap();
        let layout = seen(&mut phone);
        let target = taproof_screen::TouchTarget {
            selector: Selector::default(),
            at: key.bounds.center(),
            screen: layout.screen(),
        };
        phone.perform(&Event::Widget { target, gesture: Gesture::Tap }).unwrap();
    }
    assert_eq!(by_text("hi").matches(&seen(&mut phone)).len(), 1);
}

#[test]
fn an_app_that_is_not_installed_is_named() {
    let error = phone().launch(&AppId("com.example.nope".into()), AppData::Keep).unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"com.example.nope\" is not installed on bundled; installed: com.example.todo"
    );
}
