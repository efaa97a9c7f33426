//! The main page: the running activity, the tiles that start activities, the search among them, the drawer.

use super::store::{Activity, ActivityId, Entry};
use super::{
    CAMERA, Diary, Page, edit, entry, history, pictures, settings, spoken, statistics, text_on, with_offer,
};
use crate::{
    Align, Color, Date, Edges, Env, Icon, ImeAction, Size, System, View, drawer_item, empty_state, toolbar,
    toolbar_action, with_drawer,
};
use taproof_screen::words;

const HEADER_GROUND: Color = Color(0xE7E3E7);
/// Margin of a tile, in dp.
const TILE_GAP: i32 = 3;

/// The page that the app opens with.
#[derive(Clone, Debug, Default)]
pub struct MainPage {
    drawer: bool,
    /// The text of the search. `None` if the search is closed.
    search: Option<String>,
}

words! {
    /// A message to the main page.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// The drawer button was tapped.
        Drawer = "diary.main.drawer",
        /// The search button was tapped.
        OpenSearch = "diary.main.search-open",
        /// The text of the search was changed to this.
        Search(String) = "diary.main.search-typed",
        /// The keyboard's Search key was pressed.
        SearchDone = "diary.main.search-done",
        /// The button for a new activity was tapped.
        New = "diary.main.new",
        /// A tile was tapped: starts its activity.
        Start(ActivityId) = "diary.main.start",
        /// A tile was pressed long: edits its activity.
        Edit(ActivityId) = "diary.main.edit",
        /// The stop button was tapped: stops the activity.
        Stop = "diary.main.stop",
        /// The note button was tapped.
        Note = "diary.main.note",
        /// The camera button was tapped.
        Camera = "diary.main.camera",
        /// The answer to the request for the camera permission.
        CameraGranted(bool) = [
            true => "diary.main.camera-allowed",
            false => "diary.main.camera-denied",
        ],
        /// The running activity was tapped.
        Details = "diary.main.details",
        /// A picture of the running activity was tapped.
        Pictures = "diary.main.pictures",
        /// An entry of the drawer was tapped.
        Go(Destination) = [
            Destination::Tiles => "diary.main.go-tiles",
            Destination::Diary => "diary.main.go-diary",
            Destination::Manage => "diary.main.go-manage",
            Destination::Statistics => "diary.main.go-statistics",
            Destination::Settings => "diary.main.go-settings",
            Destination::About => "diary.main.go-about",
        ],
    }
    fn point(&self);
}

/// A destination of the drawer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The main page itself, which is in front already.
    Tiles,
    Diary,
    /// The list of activities.
    Manage,
    Statistics,
    Settings,
    /// The page about the app.
    About,
}

impl MainPage {
    /// Closes the drawer or the search. Returns `false` if neither was open.
    pub(super) fn back(&mut self) -> bool {
        let open = self.drawer || self.search.is_some();
        if self.drawer {
            self.drawer = false;
        } else {
            self.search = None;
        }
        open
    }
}

fn send(msg: Msg) -> super::Msg {
    super::Msg::Main(msg)
}

pub(super) fn view(app: &Diary, page: &MainPage, env: &Env<'_>) -> View<super::Msg> {
    let mut tiles = app.store.living();
    let bar = match &page.search {
        Some(typed) => {
            let wanted = typed.trim().to_lowercase();
            if !wanted.is_empty() {
                tiles.retain(|(_, activity)| activity.name.to_lowercase().contains(&wanted));
            }
            search_bar(typed, env)
        }
        None => main_bar(page.drawer, env),
    };
    let grid = grid(app, &tiles, page.search.is_some(), env);
    let mut rows = Vec::with_capacity(4);
    rows.push(bar);
    if page.search.is_some() {
        env.cover("diary.view.search");
        rows.push(grid);
    } else if env.rotation.sideways() {
        env.cover("diary.view.sideways");
        let header = header(app, env).width(Size::Dp(280)).height(Size::Match);
        rows.push(View::row(vec![header, grid.grow_x().height(Size::Match)]).grow_y());
    } else {
        rows.push(header(app, env));
        rows.push(grid);
    }
    // While the search is open there is no space to spare.
    let offer = app.undo_bar(env.now).filter(|_| page.search.is_none());
    let content = with_offer(rows, offer);
    if page.drawer {
        env.cover("diary.view.drawer");
        with_drawer(content, env.accent, "Activity Diary", drawer(), send(Msg::Drawer))
    } else {
        content
    }
}

fn main_bar(drawer_open: bool, env: &Env<'_>) -> View<super::Msg> {
    let words = if drawer_open { "Close Navigation" } else { "Open Navigation" };
    let actions = vec![
        toolbar_action("search_button", Icon::Search, "Search", send(Msg::OpenSearch)),
        toolbar_action("action_add_activity", Icon::Add, "Add Activity", send(Msg::New)),
    ];
    toolbar(env.accent, Some((Icon::Menu, words, send(Msg::Drawer))), "Activity Diary", actions)
}

fn search_bar(typed: &str, env: &Env<'_>) -> View<super::Msg> {
    let field = View::field("search_src_text", typed, |text| send(Msg::Search(text)))
        .hint("Search activities")
        .auto_focus()
        .action(ImeAction::Search, send(Msg::SearchDone))
        .grow_x()
        .align(Align::Start, Align::Center);
    let back = View::icon_button(Icon::ArrowBack, Color::TEXT, "Collapse", super::Msg::Close);
    let mut children = vec![back.align(Align::Start, Align::Center), field];
    if !typed.is_empty() {
        let clear =
            View::icon_button(Icon::Close, Color::TEXT, "Clear query", send(Msg::Search(String::new())));
        children.push(clear.id("search_close_btn").align(Align::Start, Align::Center));
    }
    View::row(children)
        .id("search_bar")
        .height(Size::Dp(56))
        .pad(Edges::symmetric(4, 0))
        .background(Color::WHITE)
        .border(env.accent)
        .elevation(4)
}

fn drawer() -> Vec<View<super::Msg>> {
    [
        (Icon::DirectionsRun, "Select Activity", Destination::Tiles),
        (Icon::Book, "Diary", Destination::Diary),
        (Icon::Edit, "Edit Activities", Destination::Manage),
        (Icon::BarChart, "Statistics", Destination::Statistics),
        (Icon::Settings, "Settings", Destination::Settings),
        (Icon::Info, "About", Destination::About),
    ]
    .into_iter()
    .map(|(icon, label, place)| drawer_item(icon, label, place == Destination::Tiles, send(Msg::Go(place))))
    .collect()
}

/// The running activity with its note, pictures and buttons.
fn header(app: &Diary, env: &Env<'_>) -> View<super::Msg> {
    let running = app.store.running();
    let button = |icon, desc, id, msg| {
        View::icon_button(icon, Color::TEXT, desc, send(msg)).id(id).align(Align::Start, Align::Center)
    };
    let mut buttons = vec![lines(app, running, env)];
    if running.is_some() {
        buttons.push(button(Icon::Stop, "Stop", "action_stop", Msg::Stop));
    }
    buttons.push(button(Icon::PhotoCamera, "Attach Picture", "fab_attach_picture", Msg::Camera));
    buttons.push(button(Icon::Edit, "Edit Note", "fab_edit_note", Msg::Note));
    let mut children = vec![card(app, running, env), View::row(buttons).height(Size::Wrap)];
    if let Some(entry) = running
        && !entry.pictures.is_empty()
    {
        env.cover("diary.view.running-pictures");
        children.push(pictures::thumbnails(&entry.pictures, 4, send(Msg::Pictures)));
    }
    View::column(children).id("header").height(Size::Wrap).pad(Edges::all(6)).background(HEADER_GROUND)
}

fn card(app: &Diary, running: Option<&Entry>, env: &Env<'_>) -> View<super::Msg> {
    let (name, color) = match running {
        Some(entry) => app.label(entry.activity),
        None => ("<No Activity>".to_owned(), env.accent),
    };
    let text = View::text(name)
        .id("current_activity")
        .size(22)
        .color(text_on(color))
        .align(Align::Start, Align::Center)
        .margin(Edges::symmetric(12, 0));
    let card = View::frame(vec![text]).id("current_card").height(Size::Dp(48)).background(color).radius(2);
    if running.is_some() { card.elevation(2).click(send(Msg::Details)) } else { card.elevation(2) }
}

fn lines(app: &Diary, running: Option<&Entry>, env: &Env<'_>) -> View<super::Msg> {
    let small =
        |text: String, id| View::text(text).id(id).size(14).color(Color::SECONDARY).width(Size::Match);
    let mut lines = Vec::with_capacity(3);
    match running {
        Some(entry) => {
            lines.push(small(format!("Duration: {}", spoken(entry.duration(env.now))), "duration_label"));
            if app.store.settings.show_start {
                lines.push(small(format!("Since {}", Date::at(entry.start).clock()), "start_label"));
            }
            if !entry.note.is_empty() {
                env.cover("diary.view.running-note");
                lines.push(small(entry.note.clone(), "note"));
            }
        }
        None => lines.push(small("Duration: ?".to_owned(), "duration_label")),
    }
    View::column(lines).grow_x().pad(Edges::symmetric(4, 4)).align(Align::Start, Align::Center)
}

fn grid(app: &Diary, tiles: &[(ActivityId, &Activity)], searching: bool, env: &Env<'_>) -> View<super::Msg> {
    if tiles.is_empty() {
        env.cover(if searching { "diary.view.no-tile-found" } else { "diary.view.no-tiles" });
        let words = if searching { "No such activity" } else { "No activities yet. Tap + to add one." };
        return View::frame(vec![empty_state(Icon::DirectionsRun, words)]).grow_y();
    }
    let columns = 3;
    let height = if app.store.settings.large_tiles {
        env.cover("diary.view.large-tiles");
        88
    } else {
        60
    };
    let rows = tiles.len().div_ceil(columns);
    View::list("select_recycler", env, rows, height, |row| {
        let first = row * columns;
        let mut children = Vec::with_capacity(columns);
        for place in first..first + columns {
            children.push(match tiles.get(place) {
                Some((id, activity)) => tile(*id, activity),
                None => View::space().grow_x().margin(Edges::all(TILE_GAP)),
            });
        }
        View::row(children).height(Size::Match)
    })
    .pad(Edges::symmetric(4, 4))
    .grow_y()
}

fn tile(id: ActivityId, activity: &Activity) -> View<super::Msg> {
    let name = View::text(activity.name.clone())
        .id("activity_name")
        .color(text_on(activity.color))
        .lines(2)
        .align(Align::Center, Align::Center)
        .margin(Edges::symmetric(4, 0));
    View::frame(vec![name])
        .id("select_card_view")
        .grow_x()
        .height(Size::Match)
        .margin(Edges::all(TILE_GAP))
        .background(activity.color)
        .radius(2)
        .elevation(2)
        .click(send(Msg::Start(id)))
        .long_click(send(Msg::Edit(id)))
}

pub(super) fn update(app: &mut Diary, page: &mut MainPage, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::Drawer => page.drawer = !page.drawer,
        Msg::OpenSearch => {
            page.search = Some(String::new());
            sys.focus("search_src_text");
        }
        Msg::Search(text) => page.search = Some(text),
        Msg::SearchDone => sys.hide_keyboard(),
        Msg::New => sys.open(Page::Edit(edit::EditPage::new(app))),
        Msg::Start(id) => {
            sys.cover(match app.store.running() {
                None => "diary.main.start-from-rest",
                Some(entry) if entry.activity == id => "diary.main.start-again",
                Some(_) => "diary.main.start-another",
            });
            if page.search.is_some() {
                sys.cover("diary.main.start-from-search");
            }
            app.store.start(id, sys.now);
            page.search = None;
            sys.hide_keyboard();
        }
        Msg::Edit(pressed) => {
            // The holder of a tile carries the listener; a recycled one still has that of its former activity.
            let bound = app.memory.recycled.filter(|(tile, _)| *tile == pressed);
            let opened = bound.map_or(pressed, |(_, former)| former);
            sys.open(Page::Edit(edit::EditPage::of(app, opened)));
        }
        Msg::Stop => app.store.stop(sys.now),
        Msg::Note => match app.store.running() {
            Some(entry) => sys.open(Page::Note(entry::NotePage::of(entry))),
            None => {
                sys.cover("diary.main.note-of-nothing");
                sys.toast("Start an activity first");
            }
        },
        Msg::Camera if app.store.running().is_none() => {
            sys.cover("diary.main.camera-for-nothing");
            sys.toast("Start an activity first");
        }
        Msg::Camera => sys.request_permission(CAMERA, |granted| send(Msg::CameraGranted(granted))),
        Msg::CameraGranted(true) => sys.open(Page::Camera(pictures::CameraPage::default())),
        Msg::CameraGranted(false) => sys.toast("Without the camera no picture can be taken"),
        Msg::Details => {
            if let Some(entry) = app.store.running() {
                sys.open(Page::Entry(entry::EntryPage { entry: entry.id }));
            }
        }
        Msg::Pictures => {
            if let Some(entry) = app.store.running() {
                sys.open(Page::Pictures(pictures::PicturesPage::of(entry.id)));
            }
        }
        Msg::Go(place) => {
            page.drawer = false;
            go(app, place, sys);
        }
    }
}

fn go(app: &Diary, place: Destination, sys: &mut System<Diary>) {
    match place {
        Destination::Tiles => {}
        Destination::Diary => sys.open(Page::History(history::HistoryPage::default())),
        Destination::Manage => sys.open(Page::Manage),
        Destination::Statistics => {
            let page = statistics::StatisticsPage::open(&app.store, sys.now);
            sys.open(Page::Statistics(page));
        }
        Destination::Settings => sys.open(Page::Settings(settings::SettingsPage::default())),
        Destination::About => sys.open(Page::About),
    }
}
