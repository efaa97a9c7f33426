//! Diary, modelled on ActivityDiary: tiles start activities, and the diary lists them with notes and pictures.
//!
//! `store.rs` contains the data; each of the other files contains a group of screens with its messages. The state of
//! the process besides the data is in [`Memory`].

mod day;
mod edit;
mod entry;
mod history;
mod main_page;
mod pictures;
mod settings;
mod statistics;
mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use self::store::{ActivityId, Store};
use crate::{App, Bug, BugSet, Color, Env, Icon, Manifest, Oracle, Package, Surface, System, View, snackbar};
use taproof_screen::determinism::{DeviceDuration, DeviceInstant};

const CAMERA: &str = "android.permission.CAMERA";
/// How long a deletion can be undone.
const UNDO_SPAN: DeviceDuration = DeviceDuration(10_000);

const MANIFEST: Manifest = Manifest {
    package: "org.taproof.diary",
    label: "Diary",
    modelled_on: "ActivityDiary",
    icon: Icon::DirectionsRun,
    accent: Color(0xEF6C00),
    activities: &[
        "MainActivity",
        "EditActivity",
        "ManageActivity",
        "CameraActivity",
        "PictureActivity",
        "HistoryActivity",
        "EntryActivity",
        "StatisticsActivity",
        "SettingsActivity",
        "AboutActivity",
    ],
    permissions: &[CAMERA],
    bugs: BUGS,
    points: points!("points.txt"),
    resources: None,
};

const WRONG_PICTURE: &str = "diary-wrong-picture";
const ABANDONED_NEW: &str = "diary-abandoned-new";
const UNDO_DELETE: &str = "diary-undo-delete";
const ROTATE_BAD_DATE: &str = "diary-rotate-bad-date";
const LONG_PRESS_MINORITY: &str = "diary-long-press-minority";

const BUGS: &[Bug] = &[
    Bug {
        id: WRONG_PICTURE,
        title: "Deleting an earlier activity's picture deletes the newest one",
        paper: "Genie (Su et al., OOPSLA 2021), ActivityDiary",
        needs: &["start activity", "attach picture", "delete picture"],
        consequence: "the picture of the running activity is lost, the unwanted one stays",
        oracles: &[Oracle::Genie],
        masked_by: &[],
    },
    Bug {
        id: ABANDONED_NEW,
        title: "A renamed activity opens the page of a new one that was never saved",
        paper: "Genie (Su et al., OOPSLA 2021), ActivityDiary",
        needs: &["rename activity", "open New and leave", "open activity"],
        consequence: "saving the page overwrites the renamed activity",
        oracles: &[Oracle::Genie, Oracle::Property],
        masked_by: &[],
    },
    Bug {
        id: UNDO_DELETE,
        title: "UNDO does not bring a deleted activity back",
        paper: "PBFDroid (Sun et al., ESEC/FSE 2023), ActivityDiary",
        needs: &["create activity", "delete activity", "undo"],
        consequence: "the activity is lost although the app said otherwise",
        oracles: &[Oracle::Property],
        masked_by: &[],
    },
    Bug {
        id: ROTATE_BAD_DATE,
        title: "Turning the phone after a search for an invalid date crashes the app",
        paper: "PBFDroid (Sun et al., ESEC/FSE 2023), ActivityDiary",
        needs: &["search by date", "rotate"],
        consequence: "the app crashes",
        oracles: &[Oracle::Crash],
        masked_by: &[],
    },
    Bug {
        id: LONG_PRESS_MINORITY,
        title: "After a note was written, a long press on the next tile opens another activity",
        paper: "ODIN (Wang et al., ESEC/FSE 2022), ActivityDiary",
        needs: &["write note", "long-press activity"],
        consequence: "the wrong activity is edited or deleted",
        oracles: &[Oracle::Odin, Oracle::Property],
        masked_by: &[],
    },
];

/// The bugs that are switched on.
#[derive(Clone, Copy, Debug)]
struct Bugs {
    wrong_picture: bool,
    abandoned_new: bool,
    undo_delete: bool,
    rotate_bad_date: bool,
    long_press_minority: bool,
}

/// The app with its data and the memory of its process.
#[derive(Clone, Debug)]
pub struct Diary {
    store: Store,
    bugs: Bugs,
    memory: Memory,
}

/// State that is lost when the process ends.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// The deletion that can be undone, and until when.
    undo: Option<(ActivityId, DeviceInstant)>,
    /// Activities whose editor was registered under a name that they no longer have.
    renamed: Vec<ActivityId>,
    /// The contents of the last editor of a new activity that was left without saving.
    abandoned: Option<edit::Draft>,
    /// A tile whose holder was recycled from another one: the tile's activity, and the former one.
    recycled: Option<(ActivityId, ActivityId)>,
}

/// An entry of the back stack.
#[derive(Clone, Debug)]
pub enum Page {
    /// The tiles, with the running activity above them.
    Main(main_page::MainPage),
    /// The editor of a new or an existing activity.
    Edit(edit::EditPage),
    /// The choice of a colour.
    Colors,
    /// The list of all activities.
    Manage,
    /// The note of an entry.
    Note(entry::NotePage),
    Camera(pictures::CameraPage),
    /// The pictures of an entry.
    Pictures(pictures::PicturesPage),
    /// The dialog that confirms deleting a picture.
    ConfirmPicture(pictures::ConfirmPage),
    /// The list of all entries.
    History(history::HistoryPage),
    Entry(entry::EntryPage),
    /// The menu of an entry.
    EntryMenu,
    /// The dialog that confirms deleting an entry.
    ConfirmEntry,
    /// The time spent on each activity.
    Statistics(statistics::StatisticsPage),
    Settings(settings::SettingsPage),
    /// The dialog that confirms deleting all data.
    ConfirmWipe,
    /// The page about the app.
    About,
    /// The licences of the app's components.
    Licences,
}

/// A message of a view or a pending task.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Closes the page that shows the view.
    Close,
    /// An activity was deleted on the page above.
    Deleted(ActivityId),
    /// Undoes the last deletion.
    Undo,
    /// The time for undoing the last deletion is over.
    UndoOver,
    /// For the main page.
    Main(main_page::Msg),
    /// For the pages of activities.
    Edit(edit::Msg),
    /// For the pages of an entry.
    Entry(entry::Msg),
    /// For the camera and the pictures.
    Pictures(pictures::Msg),
    /// For the diary page.
    History(history::Msg),
    /// A message for the statistics page.
    Statistics(statistics::Msg),
    /// A message for the settings page.
    Settings(settings::Msg),
}

impl Diary {
    /// The name and the colour of an activity.
    fn label(&self, id: ActivityId) -> (String, Color) {
        self.store.activity(id).map_or((String::new(), Color::DIVIDER), |a| (a.name.clone(), a.color))
    }

    /// Binds all tiles again, because the activities or their order have changed.
    fn rebind_tiles(&mut self) {
        self.memory.recycled = None;
    }

    fn undo(&mut self) {
        if let Some((id, _)) = self.memory.undo.take() {
            self.store.undelete(id, self.bugs.undo_delete);
            self.rebind_tiles();
        }
    }

    /// The snackbar that offers to undo the last deletion, as long as that is possible.
    fn undo_bar(&self, now: DeviceInstant) -> Option<View<Msg>> {
        let (_, until) = self.memory.undo?;
        (now < until).then(|| snackbar("Activity deleted", Some(("UNDO", Msg::Undo))))
    }
}

/// A page with the snackbar above its bottom. As in most apps, it covers the rows there.
fn with_offer(rows: Vec<View<Msg>>, offer: Option<View<Msg>>) -> View<Msg> {
    let layers = std::iter::once(View::column(rows).fill()).chain(offer);
    View::frame(layers.collect()).background(Color::SURFACE)
}

/// Formats a duration for people: `31 sec`, `12 min`, `3 h 5 min`.
fn spoken(span: DeviceDuration) -> String {
    let seconds = span.millis() / 1000;
    match seconds {
        0..60 => format!("{seconds} sec"),
        60..3600 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// A text colour that is legible on this background.
fn text_on(ground: Color) -> Color {
    let channel = |shift: u32| (ground.0 >> shift) & 0xFF;
    let brightness = (channel(16) * 299 + channel(8) * 587 + channel(0) * 114) / 1000;
    if brightness > 150 { Color::TEXT } else { Color::WHITE }
}

impl Package for Diary {
    fn manifest() -> &'static Manifest {
        &MANIFEST
    }

    fn install(bugs: &BugSet) -> Self {
        let bugs = Bugs {
            wrong_picture: bugs.has(WRONG_PICTURE),
            abandoned_new: bugs.has(ABANDONED_NEW),
            undo_delete: bugs.has(UNDO_DELETE),
            rotate_bad_date: bugs.has(ROTATE_BAD_DATE),
            long_press_minority: bugs.has(LONG_PRESS_MINORITY),
        };
        Diary { store: Store::new(), bugs, memory: Memory::default() }
    }
}

impl App for Diary {
    type Page = Page;
    type Msg = Msg;

    fn strings(&self) -> BTreeSet<String> {
        super::lines(include_str!("strings.txt"))
    }

    fn start(&mut self) -> Page {
        self.memory = Memory::default();
        Page::Main(main_page::MainPage::default())
    }

    fn surface(&self, page: &Page) -> Surface {
        match page {
            Page::Main(_) => Surface::Activity("MainActivity"),
            Page::Edit(_) => Surface::Activity("EditActivity"),
            Page::Manage => Surface::Activity("ManageActivity"),
            Page::Camera(_) => Surface::Activity("CameraActivity"),
            Page::Pictures(_) => Surface::Activity("PictureActivity"),
            Page::History(_) => Surface::Activity("HistoryActivity"),
            Page::Entry(_) => Surface::Activity("EntryActivity"),
            Page::Statistics(_) => Surface::Activity("StatisticsActivity"),
            Page::Settings(_) => Surface::Activity("SettingsActivity"),
            Page::About => Surface::Activity("AboutActivity"),
            Page::EntryMenu => Surface::Menu,
            Page::Colors
            | Page::Note(_)
            | Page::ConfirmPicture(_)
            | Page::ConfirmEntry
            | Page::ConfirmWipe
            | Page::Licences => Surface::Dialog,
        }
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        match page {
            Page::Main(page) => main_page::view(self, page, env),
            Page::Edit(page) => edit::view(self, page, env),
            Page::Colors => edit::colors_view(env),
            Page::Manage => edit::manage_view(self, env),
            Page::Note(page) => entry::note_view(page, env),
            Page::Camera(page) => pictures::camera_view(self, page, env),
            Page::Pictures(page) => pictures::view(self, page, env),
            Page::ConfirmPicture(page) => pictures::confirm_view(page, env),
            Page::History(page) => history::view(self, page, env),
            Page::Entry(page) => entry::view(self, page, env),
            Page::EntryMenu => entry::menu_view(),
            Page::ConfirmEntry => entry::confirm_view(env),
            Page::Statistics(page) => statistics::view(self, page, env),
            Page::Settings(page) => settings::view(self, page, env),
            Page::ConfirmWipe => settings::confirm_view(env),
            Page::About => settings::about_view(env),
            Page::Licences => settings::licences_view(env),
        }
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        match (page, msg) {
            (page, Msg::Close) => {
                sys.cover("diary.close");
                self.back(page, sys);
            }
            (_, Msg::Deleted(id)) => {
                sys.cover("diary.deleted");
                self.memory.undo = Some((id, sys.now + UNDO_SPAN));
                sys.after(UNDO_SPAN.millis(), Msg::UndoOver);
            }
            (_, Msg::Undo) => {
                sys.cover("diary.undo");
                self.undo();
            }
            (_, Msg::UndoOver) => {
                sys.cover("diary.undo-over");
                self.memory.undo = self.memory.undo.filter(|(_, until)| sys.now < *until);
            }
            (Page::Main(page), Msg::Main(msg)) => main_page::update(self, page, msg, sys),
            (Page::Edit(page), Msg::Edit(msg)) => edit::update(self, page, msg, sys),
            (Page::Manage, Msg::Edit(msg)) => edit::manage_update(self, msg, sys),
            (Page::Colors, msg @ Msg::Edit(_)) => {
                sys.cover("diary.colors.chosen");
                sys.finish_with(msg);
            }
            (Page::Note(page), Msg::Entry(msg)) => entry::note_update(self, page, msg, sys),
            (Page::Camera(page), Msg::Pictures(msg)) => pictures::camera_update(self, page, msg, sys),
            (Page::Pictures(page), Msg::Pictures(msg)) => pictures::update(self, page, msg, sys),
            (Page::ConfirmPicture(_), msg @ Msg::Pictures(_)) => {
                sys.cover("diary.pictures.confirmed");
                sys.finish_with(msg);
            }
            (Page::History(page), Msg::History(msg)) => history::update(self, page, msg, sys),
            (Page::Entry(page), Msg::Entry(msg)) => entry::update(self, page, msg, sys),
            (page @ (Page::EntryMenu | Page::ConfirmEntry), msg @ Msg::Entry(_)) => {
                let menu = matches!(page, Page::EntryMenu);
                sys.cover(if menu { "diary.entry.from-menu" } else { "diary.entry.confirmed" });
                sys.finish_with(msg);
            }
            (Page::Statistics(page), Msg::Statistics(msg)) => statistics::update(self, page, msg, sys),
            (Page::Settings(page), Msg::Settings(msg)) => settings::update(self, page, msg, sys),
            (Page::ConfirmWipe, msg @ Msg::Settings(_)) => {
                sys.cover("diary.settings.wipe-confirmed");
                sys.finish_with(msg);
            }
            (Page::About, Msg::Settings(msg @ settings::Msg::Licences)) => {
                sys.cover(msg.point());
                sys.open(Page::Licences);
            }
            // A message for a page that has been closed meanwhile.
            (_, _) => {}
        }
    }

    fn back(&mut self, page: &mut Page, sys: &mut System<Self>) {
        match page {
            Page::Edit(page) => edit::leave(self, page, sys),
            page => {
                let closed_inside = match page {
                    Page::Main(page) => page.back(),
                    Page::History(page) => page.back(),
                    _ => false,
                };
                if closed_inside {
                    // Closing a search also closes its keyboard.
                    sys.cover("diary.back.inside");
                    sys.hide_keyboard();
                } else {
                    sys.cover("diary.back.close");
                    sys.finish();
                }
            }
        }
    }

    fn resumed(&mut self, page: &mut Page, sys: &mut System<Self>) {
        match page {
            Page::History(page) => {
                sys.cover("diary.resumed.history");
                page.refresh(&self.store);
            }
            Page::Statistics(page) => {
                sys.cover("diary.resumed.statistics");
                page.refresh(&self.store, sys.now);
            }
            // The entry may have been deleted from the diary page.
            Page::Entry(page) if self.store.entry(page.entry).is_none() => {
                sys.cover("diary.resumed.entry-gone");
                sys.finish();
            }
            // The permission may have been revoked meanwhile.
            Page::Camera(_) if !sys.granted(CAMERA) => {
                sys.cover("diary.resumed.camera-not-allowed");
                sys.request_permission(CAMERA, |granted| Msg::Pictures(pictures::Msg::Allowed(granted)));
            }
            _ => {}
        }
    }

    fn recreated(&mut self, page: &mut Page, sys: &mut System<Self>) {
        sys.cover("diary.recreated");
        self.rebind_tiles();
        match page {
            Page::Main(_) | Page::Manage => self.memory.undo = None,
            Page::History(page) => history::recreated(self, page, sys),
            _ => {}
        }
    }

    /// The contents of fields are saved. Whatever was in progress belongs to the lost process.
    fn restored(&mut self, page: &mut Page, sys: &mut System<Self>) {
        sys.cover("diary.restored");
        self.recreated(page, sys);
        match page {
            Page::History(page) => page.load_again(sys),
            Page::Camera(page) => page.forget_shot(),
            Page::Settings(page) => *page = settings::SettingsPage::default(),
            _ => {}
        }
    }
}
