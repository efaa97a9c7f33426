//! The system's own apps: the launcher with its list of recent apps, the list of notifications, the permission dialog,
//! and the dialogs for crashes, ANRs, the battery and calls. They use the same toolkit as all apps.

use crate::Env;
use crate::app::{App, BugSet, Manifest, Package, Surface, System, SystemOp};
use crate::toolkit::material::{dialog, empty_state, list_row};
use crate::toolkit::view::{Align, Color, Edges, Icon, Picture, Size, View};

/// An app as shown by the launcher.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortcut {
    pub label: &'static str,
    pub package: &'static str,
    pub icon: Icon,
    pub color: Color,
}

/// The launcher, which is the home screen.
#[derive(Clone, Default)]
pub(crate) struct Launcher {
    pub apps: Vec<Shortcut>,
    pub recent: Vec<Shortcut>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LauncherPage {
    Home,
    Recents,
}

#[derive(Clone)]
pub(crate) enum LauncherMsg {
    Open(&'static str),
}

const GROUND: Color = Color(0x1B2950);
/// A night, dark enough for white labels, whose moon is beside the clock.
const WALLPAPER: Picture = Picture(10214);

impl Package for Launcher {
    fn manifest() -> &'static Manifest {
        const {
            &Manifest {
                modelled_on: "the launcher of Android",
                icon: Icon::Home,
                accent: GROUND,
                activities: &["Launcher", "RecentsActivity"],
                ..Manifest::new("org.taproof.launcher", "Launcher")
            }
        }
    }

    fn install(_bugs: &BugSet) -> Self {
        Launcher::default()
    }
}

impl App for Launcher {
    type Page = LauncherPage;
    type Msg = LauncherMsg;

    fn start(&mut self) -> LauncherPage {
        LauncherPage::Home
    }

    fn surface(&self, page: &LauncherPage) -> Surface {
        match page {
            LauncherPage::Home => Surface::Activity("Launcher"),
            LauncherPage::Recents => Surface::Activity("RecentsActivity"),
        }
    }

    fn view(&self, page: &LauncherPage, env: &Env<'_>) -> View<LauncherMsg> {
        match page {
            LauncherPage::Home => self.home(env),
            LauncherPage::Recents => self.recents(env),
        }
    }

    fn update(&mut self, page: &mut LauncherPage, msg: LauncherMsg, sys: &mut System<Self>) {
        let LauncherMsg::Open(package) = msg;
        sys.launch_app(package);
        if *page == LauncherPage::Recents {
            sys.finish();
        }
    }

    fn back(&mut self, page: &mut LauncherPage, sys: &mut System<Self>) {
        if *page == LauncherPage::Recents {
            sys.finish();
        }
    }
}

impl Launcher {
    fn home(&self, env: &Env<'_>) -> View<LauncherMsg> {
        const COLUMNS: usize = 4;
        let date = env.local_date();
        let clock = View::column(vec![
            View::text(env.system_clock())
                .id("clock")
                .size(56)
                .color(Color::WHITE)
                .align(Align::Center, Align::Start),
            View::text(date.iso()).id("date").color(Color::WHITE).align(Align::Center, Align::Start),
        ]);
        let mut rows = vec![clock.height(Size::Dp(180)).pad(Edges { left: 0, top: 48, right: 0, bottom: 0 })];
        for line in self.apps.chunks(COLUMNS) {
            let mut cells: Vec<View<LauncherMsg>> = line.iter().map(app_icon).collect();
            cells.resize_with(COLUMNS, || View::space().grow_x());
            rows.push(View::row(cells).height(Size::Dp(104)).pad(Edges::symmetric(8, 0)));
        }
        let workspace = View::column(rows).id("workspace").height(Size::Match);
        View::frame(vec![View::picture(WALLPAPER).fill(), workspace]).background(GROUND)
    }

    fn recents(&self, env: &Env<'_>) -> View<LauncherMsg> {
        let heading =
            View::text(env.language.words().recent_apps).size(20).color(Color::WHITE).pad(Edges::all(16));
        let body = if self.recent.is_empty() {
            empty_state(Icon::History, env.language.words().no_recent_apps).margin(Edges::symmetric(0, 120))
        } else {
            View::list("task_list", env, self.recent.len(), 80, |index| {
                let app = self.recent[index];
                let icon = Some((app.icon, app.color));
                list_row(icon, ("task_label", app.label.to_owned()), ("", String::new()), Vec::new())
                    .background(Color::WHITE)
                    .radius(8)
                    .margin(Edges::symmetric(16, 4))
                    .click(LauncherMsg::Open(app.package))
            })
            .grow_y()
        };
        View::column(vec![heading, body]).height(Size::Match).background(GROUND)
    }
}

fn app_icon(app: &Shortcut) -> View<LauncherMsg> {
    let picture = View::icon(app.icon, Color::WHITE)
        .pad(Edges::all(14))
        .background(app.color)
        .radius(28)
        .elevation(2)
        .align(Align::Center, Align::Start);
    let label = View::text(app.label)
        .id("icon_label")
        .size(13)
        .color(Color::WHITE)
        .margin(Edges::symmetric(0, 6))
        .align(Align::Center, Align::Start);
    View::column(vec![picture, label])
        .desc(app.label)
        .grow_x()
        .height(Size::Match)
        .click(LauncherMsg::Open(app.package))
}

/// The parts of the system that show dialogs.
const SPEAKERS: [Manifest; 4] = [
    speaker("android", "Android System"),
    speaker("com.android.permissioncontroller", "Permission controller"),
    speaker("com.android.systemui", "System UI"),
    speaker("com.android.dialer", "Phone"),
];
/// Index of Android itself, which reports failed apps.
pub(crate) const ERRORS: usize = 0;
/// Index of the permission controller.
pub(crate) const PERMISSIONS: usize = 1;
/// Index of the system UI, which reports a low battery.
pub(crate) const SYSTEM_UI: usize = 2;
/// Index of the phone app.
pub(crate) const DIALER: usize = 3;

const fn speaker(package: &'static str, label: &'static str) -> Manifest {
    Manifest {
        modelled_on: "Android",
        accent: Color(0x00796B),
        activities: &[],
        ..Manifest::new(package, label)
    }
}

/// A dialog of the system, or its list of notifications, which is always empty.
#[derive(Clone)]
pub(crate) struct Prompt<const SPEAKER: usize> {
    /// The title of the dialog; `None` for the notifications.
    title: Option<String>,
    /// The buttons from left to right. Back does the same as the first one.
    buttons: Vec<(&'static str, SystemOp)>,
}

impl<const SPEAKER: usize> Prompt<SPEAKER> {
    pub(crate) fn new(title: impl Into<String>, buttons: Vec<(&'static str, SystemOp)>) -> Self {
        Prompt { title: Some(title.into()), buttons }
    }
}

impl<const SPEAKER: usize> Package for Prompt<SPEAKER> {
    fn manifest() -> &'static Manifest {
        const { &SPEAKERS[SPEAKER] }
    }

    fn install(_bugs: &BugSet) -> Self {
        Prompt { title: None, buttons: Vec::new() }
    }
}

impl<const SPEAKER: usize> App for Prompt<SPEAKER> {
    type Page = ();
    type Msg = SystemOp;

    fn start(&mut self) {}

    fn surface(&self, _page: &()) -> Surface {
        Surface::Dialog
    }

    fn view(&self, _page: &(), env: &Env<'_>) -> View<SystemOp> {
        match &self.title {
            Some(title) => dialog(title.clone(), Vec::new(), env.accent, self.buttons.clone()),
            None => notifications(env),
        }
    }

    fn update(&mut self, _page: &mut (), msg: SystemOp, sys: &mut System<Self>) {
        sys.ask(msg);
    }

    fn back(&mut self, _page: &mut (), sys: &mut System<Self>) {
        sys.ask(self.buttons.first().map_or(SystemOp::Dismiss, |(_, first)| first.clone()));
    }
}

fn notifications(env: &Env<'_>) -> View<SystemOp> {
    let date = env.local_date();
    let words = env.language.words();
    let head = View::row(vec![
        View::text(env.system_clock()).id("clock").size(20).grow_x(),
        View::text(date.iso()).id("date"),
    ]);
    let none = View::text(words.no_notifications).id("no_notifications").margin(Edges::symmetric(0, 24));
    View::column(vec![head, none]).id("notification_panel").pad(Edges::all(16)).background(Color::WHITE)
}
