//! The interface for apps: the trait that an app implements, and the operations that it may request from the phone.
//!
//! An app is a plain state with pages. The phone keeps the stack of pages (activities, dialogs, menus), asks the app
//! for the view of each, and sends it the messages that its views contain. Everything can be cloned, so a snapshot of
//! the phone is a clone.

use std::collections::BTreeSet;

use taproof_engine::device::{Screenshot, SharedChange, SharedFile};
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{Rotation, words};

use super::points::ExecutedPoints;
use super::render::launcher_icon;
use super::{Color, Date, Env, Icon, Setting, Settings, View};

/// An app that runs on the bundled phone. [`Package`] says how it is installed.
///
/// The value contains both the app's data and the memory of its process. Fields that a real app would keep in files
/// survive [`App::start`]; all others must be reset there.
///
/// A counter, with a bug that can be switched on (`taproof::phone` has the same names):
///
/// ```
/// use taproof_phone::{
///     App, Bug, BugSet, BundledApp, Env, Icon, Manifest, Package, Surface, System, View, fab, list_row, toolbar,
/// };
///
/// #[derive(Clone)]
/// struct Counter {
///     count: u32,
///     skips: bool,
/// }
///
/// #[derive(Clone)]
/// enum Msg {
///     Add,
/// }
///
/// static MANIFEST: Manifest = Manifest {
///     bugs: &[Bug::new("counter-skips", "Every third press is lost")],
///     ..Manifest::new("org.example.counter", "Counter")
/// };
///
/// impl Package for Counter {
///     fn manifest() -> &'static Manifest {
///         &MANIFEST
///     }
///
///     fn install(bugs: &BugSet) -> Counter {
///         Counter { count: 0, skips: bugs.has("counter-skips") }
///     }
/// }
///
/// impl App for Counter {
///     type Page = (); // It has one page. Others have an enum, and open pages with `System::open`.
///     type Msg = Msg;
///
///     fn start(&mut self) {}
///
///     fn surface(&self, _page: &()) -> Surface {
///         Surface::Activity("MainActivity") // A dialog is `Surface::Dialog`.
///     }
///
///     fn view(&self, _page: &(), env: &Env<'_>) -> View<Msg> {
///         let shown = list_row(None, ("count", self.count.to_string()), ("", String::new()), Vec::new());
///         let add = fab("add", Icon::Add, "Count", env.accent, Msg::Add); // The id is org.example.counter:id/add.
///         View::column(vec![
///             toolbar(env.accent, None, "Counter", Vec::new()),
///             View::frame(vec![shown, add]).grow_y(),
///         ])
///     }
///
///     fn update(&mut self, _page: &mut (), msg: Msg, _sys: &mut System<Counter>) {
///         match msg {
///             Msg::Add if self.skips && self.count % 3 == 2 => {} // The bug.
///             Msg::Add => self.count += 1,
///         }
///     }
/// }
///
/// assert_eq!(BundledApp::of::<Counter>().manifest().label, "Counter");
/// ```
pub trait App: Clone + Send + 'static {
    /// An entry of the back stack: an activity, a dialog or a menu, with its arguments and unsaved state.
    type Page: Clone + Send + 'static;
    /// A message that a view sends when it is used, or a pending task when it is due.
    type Msg: Clone + Send + 'static;

    /// Called when a process starts. Resets everything that is not in files, and returns the first activity.
    fn start(&mut self) -> Self::Page;

    /// Returns the kind of window of a page.
    fn surface(&self, page: &Self::Page) -> Surface;

    /// Returns what a page currently shows.
    fn view(&self, page: &Self::Page, env: &Env<'_>) -> View<Self::Msg>;

    /// Handles a message for a page.
    fn update(&mut self, page: &mut Self::Page, msg: Self::Msg, sys: &mut System<Self>);

    /// Handles Back (while the keyboard is closed), or a tap outside of a dialog. Closes the page by default.
    fn back(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let _page = page;
        sys.finish();
    }

    /// The app's string resources in all languages: what its views show that the user has not made. They become part of
    /// its APK, from which tools read them. By default none.
    fn strings(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// The files that other programs on the phone access as well; by default none.
    fn shared_storage(&mut self) -> Option<&mut dyn SharedStorage> {
        None
    }

    /// Called when the page is on top again after the one above it closed, or when the app returned to the front
    /// ([`System::from_background`] tells which).
    fn resumed(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let (_page, _sys) = (page, sys);
    }

    /// Called when the device was rotated, its language, dark mode, size of texts or display size changed, or the app got another
    /// part of the screen: the activity is destroyed and recreated. Nothing has changed where the system had destroyed an
    /// activity in the background. Must discard everything that its saved state does not contain; by default nothing. The phone closes
    /// menus itself and keeps dialogs. [`System::changed`] tells what has changed.
    fn recreated(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let (_page, _sys) = (page, sys);
    }

    /// Called when the page returns from its saved state after its process had ended in the background, and after
    /// [`App::start`] has initialised the new process. Must discard what the page holds beyond that state; background
    /// work is lost as well. By default the same as [`App::recreated`].
    fn restored(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        self.recreated(page, sys);
    }

    /// Called when the user has scrolled a list of the page. By default nothing.
    fn scrolled(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let (_page, _sys) = (page, sys);
    }

    /// Called for the topmost page of the app in front when the network was lost or is back ([`System::network`]). An
    /// app in the background learns it when it returns. By default nothing.
    fn network_changed(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let (_page, _sys) = (page, sys);
    }

    /// Called for the topmost page of the app in front when a setting of the system has changed ([`System::settings`]). By
    /// default nothing.
    fn setting_changed(&mut self, page: &mut Self::Page, setting: Setting, sys: &mut System<Self>) {
        let (_page, _setting, _sys) = (page, setting, sys);
    }

    /// Called for the topmost page when a window of the system that was in front of the app has closed. `by` is the
    /// package that had shown it, such as `com.android.dialer` for a call. By default nothing.
    fn uncovered(&mut self, page: &mut Self::Page, by: &'static str, sys: &mut System<Self>) {
        let (_page, _by, _sys) = (page, by, sys);
    }
}

/// An app that is written in Rust: one type for each app. What [`App`] does for one that runs, this does for one that is
/// to be installed.
pub trait Package: App {
    /// The static facts about the app.
    fn manifest() -> &'static Manifest;

    /// Returns the app as freshly installed, or after its data were cleared, with these bugs switched on.
    fn install(bugs: &BugSet) -> Self;
}

/// The files of an app that other programs on the phone access as well, as those of a file manager.
pub trait SharedStorage {
    /// A number that changes with the files.
    fn stamp(&self) -> u64;

    /// All files and folders.
    fn files(&self) -> Vec<SharedFile>;

    /// Applies a change that another program made.
    fn change(&mut self, change: &SharedChange, now: Date);
}

/// Static facts about an app.
#[derive(Debug)]
pub struct Manifest {
    /// The package, such as `org.example.todo`. Its last part names the app on the command line.
    pub package: &'static str,
    /// The app's name on the launcher.
    pub label: &'static str,
    /// The real app that it is modelled on.
    pub modelled_on: &'static str,
    /// The app's icon on the launcher.
    pub icon: Icon,
    /// The app's main colour.
    pub accent: Color,
    /// The class names of the activities, such as `MainActivity`. The first is started by the launcher.
    pub activities: &'static [&'static str],
    /// The runtime permissions that the app may request.
    pub permissions: &'static [&'static str],
    /// The app's catalogued bugs, each with its own switch.
    pub bugs: &'static [Bug],
    /// The code points that report their execution ([`System::cover`], [`Env::cover`]), sorted. Empty for an app that
    /// is not instrumented.
    pub points: &'static [&'static str],
    /// The package that resource ids name; `None` for that of the app. Builds of one app may be installed under several
    /// packages.
    pub resources: Option<&'static str>,
}

impl Manifest {
    /// Creates a manifest with defaults: one activity `MainActivity`, no permissions, no catalogued bugs.
    ///
    /// # Examples
    ///
    /// ```
    /// use taproof_phone::{Bug, Manifest};
    ///
    /// static MANIFEST: Manifest = Manifest {
    ///     bugs: &[Bug::new("todo-deletes-first", "Deleting an item deletes the first one")],
    ///     ..Manifest::new("org.example.todo", "To-do")
    /// };
    /// assert_eq!(MANIFEST.activities, ["MainActivity"]);
    /// ```
    pub const fn new(package: &'static str, label: &'static str) -> Self {
        Manifest {
            package,
            label,
            modelled_on: "no other app",
            icon: Icon::Android,
            accent: Color(0x3F51B5),
            activities: &["MainActivity"],
            permissions: &[],
            bugs: &[],
            points: &[],
            resources: None,
        }
    }

    /// Draws the app's icon as a launcher shows it, with this many pixels on each side.
    pub fn launcher_icon(&self, side_px: i32) -> Screenshot {
        launcher_icon(self.icon, self.accent, side_px)
    }
}

words! {
    /// A technique that can detect a bug.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Oracle {
        /// A property of a DMF.
        Property = "P",
        /// The detection of crashes and ANRs.
        Crash = "C",
        /// Genie's check that independent views stay unaffected.
        Genie = "G",
        /// ODIN's may-beliefs: what most similar traces agree on.
        Odin = "O",
        /// What a neutral detour, such as turning the device and back, must keep.
        Preservation = "K",
        /// What the screens of an app agree on.
        Agreement = "A",
    }
    /// The letter by which catalogues and tables name the technique; K is for what is kept.
    pub fn letter;
    /// All techniques.
    pub const ALL;
}

/// A bug of an app, which is switched on or off at installation.
#[derive(Debug)]
pub struct Bug {
    /// The id, such as `files-results-order`.
    pub id: &'static str,
    /// A sentence about what goes wrong.
    pub title: &'static str,
    /// The paper and the app for which it was reported.
    pub paper: &'static str,
    /// The functions that are needed to reproduce it.
    pub needs: &'static [&'static str],
    /// The consequence for the user.
    pub consequence: &'static str,
    /// The techniques that can detect it.
    pub oracles: &'static [Oracle],
    /// Ids of bugs of the same app that hide it while they are switched on.
    pub masked_by: &'static [&'static str],
}

impl Bug {
    /// A bug that a property of a function detects; all other facts are empty.
    pub const fn new(id: &'static str, title: &'static str) -> Self {
        Bug {
            id,
            title,
            paper: "",
            needs: &[],
            consequence: "",
            oracles: &[Oracle::Property],
            masked_by: &[],
        }
    }
}

/// A set of bugs that are switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BugSet {
    ids: BTreeSet<String>,
}

impl BugSet {
    /// The empty set: the sound build.
    pub fn none() -> Self {
        BugSet::default()
    }

    /// All bugs of an app: the faulty build.
    pub fn all(manifest: &Manifest) -> Self {
        BugSet::of(manifest.bugs.iter().map(|bug| bug.id))
    }

    /// The bugs with these ids.
    pub fn of<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        BugSet { ids: ids.into_iter().map(str::to_owned).collect() }
    }

    /// Whether the bug with this id is switched on.
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// The ids in alphabetical order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// The set without the bugs with these ids.
    #[must_use]
    pub fn without(&self, ids: &[String]) -> BugSet {
        BugSet { ids: self.ids.iter().filter(|id| !ids.contains(id)).cloned().collect() }
    }
}

/// The kind of a page's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A full screen with this activity class (without the package, such as `MainActivity`).
    Activity(&'static str),
    /// A window in the centre; the page below it is dimmed.
    Dialog,
    /// A menu at the view that opened it. It is closed by a tap outside, and when its activity is recreated.
    Menu,
    /// A sheet at the bottom of the screen.
    BottomSheet,
}

/// An exception that ends the process.
#[derive(Clone, Copy, Debug)]
pub struct Crash {
    /// The class of the exception, such as `java.lang.IllegalStateException`.
    pub exception: &'static str,
    /// The text of the exception, as in the log.
    pub message: &'static str,
    /// The app's own stack frames, innermost first, such as
    /// `org.taproof.notes.SearchFragment.onDestroy(SearchFragment.java:88)`.
    pub stack: &'static [&'static str],
}

/// An operation that an app requests from the phone.
#[derive(Clone, Debug)]
pub enum Op<Page, Msg> {
    /// Pushes a page onto the stack.
    Open(Page),
    /// Closes the page that handles the message.
    Finish,
    /// Closes all pages but the lowest.
    FinishToRoot,
    /// Sends a message to the page below.
    SendBelow(Msg),
    /// Sends a message to the same page after this many milliseconds, if the page still exists.
    After(u64, Msg),
    /// Shows a toast, which is not part of the dump.
    Toast(String),
    /// Closes the soft keyboard, if it is open.
    HideKeyboard,
    /// Focuses the field with this id and opens the keyboard.
    Focus(&'static str),
    /// Scrolls the list with this id to its beginning.
    ScrollToTop(&'static str),
    /// Asks the user for a permission. The answer is sent as a message.
    RequestPermission(&'static str, fn(bool) -> Msg),
    /// An operation for parts of the system only.
    System(SystemOp),
    /// Writes a line to the log: level, tag, text.
    Log(char, &'static str, String),
    /// Ends the process with an exception.
    Crash(Crash),
    /// Blocks the main thread forever. The text is the reason for the ANR in the log.
    Hang(&'static str),
}

/// An operation of the launcher or a dialog of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemOp {
    /// Brings the app with this package to the front, and starts it if it is not running.
    LaunchApp(String),
    /// Grants (`true`) or denies the requested permission.
    AnswerPermission(bool),
    /// Ends the app that crashed or does not respond.
    CloseApp,
    /// Ends that app and starts it again.
    RestartApp,
    /// Closes the dialog: keeps waiting for an app that does not respond, or declines a call.
    Dismiss,
    /// Answers an incoming call.
    AnswerCall,
}

/// The parts of the device's configuration that have changed since a page was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The device was rotated.
    pub rotation: bool,
    /// Dark mode was switched on or off.
    pub dark: bool,
    /// The system has another language.
    pub language: bool,
    /// The system's texts have another size.
    pub font_scale: bool,
    /// The app has more or less of the screen.
    pub window: bool,
    /// Everything on the screen has another size.
    pub display_size: bool,
}

/// The phone, as an app sees it while it handles a message. Requested operations are executed after the handler has
/// returned, in the order of the requests.
pub struct System<A: App> {
    /// The device's clock, in simulated time since the boot.
    pub now: DeviceInstant,
    /// The orientation of the screen.
    pub rotation: Rotation,
    /// Whether the phone has a network.
    pub network: bool,
    /// The settings of the system that are not as usual.
    pub settings: Settings,
    /// What has changed since the page was created. Nothing outside of [`App::recreated`] and [`App::restored`].
    pub changed: Changed,
    /// In [`App::resumed`]: whether the app has returned to the front, rather than a page above having closed.
    pub from_background: bool,
    pub(super) granted: BTreeSet<&'static str>,
    pub(super) points: &'static [&'static str],
    pub(super) executed: ExecutedPoints,
    pub(super) ops: Vec<Op<A::Page, A::Msg>>,
}

impl<A: App> System<A> {
    /// Reports that a code point was executed.
    pub fn cover(&mut self, point: &'static str) {
        self.executed.insert(self.points, point);
    }

    /// Pushes a page onto the stack.
    pub fn open(&mut self, page: A::Page) {
        self.ops.push(Op::Open(page));
    }

    /// Closes the page that handles the message.
    pub fn finish(&mut self) {
        self.ops.push(Op::Finish);
    }

    /// Closes all pages but the lowest.
    pub fn finish_to_root(&mut self) {
        self.ops.push(Op::FinishToRoot);
    }

    /// Closes the page and sends a message to the one below, as an activity's or a dialog's result.
    pub fn finish_with(&mut self, msg: A::Msg) {
        self.ops.push(Op::SendBelow(msg));
        self.ops.push(Op::Finish);
    }

    /// Sends a message to the same page after `millis` milliseconds, for work in the background. Show a progress ring
    /// meanwhile, since the screen is only observed when the phone has settled.
    pub fn after(&mut self, millis: u64, msg: A::Msg) {
        self.ops.push(Op::After(millis, msg));
    }

    /// Shows a toast, which is not part of the dump.
    pub fn toast(&mut self, text: impl Into<String>) {
        self.ops.push(Op::Toast(text.into()));
    }

    /// Closes the soft keyboard, if it is open.
    pub fn hide_keyboard(&mut self) {
        self.ops.push(Op::HideKeyboard);
    }

    /// Focuses the field with this id and opens the keyboard.
    pub fn focus(&mut self, id: &'static str) {
        self.ops.push(Op::Focus(id));
    }

    /// Scrolls the list with this id to its beginning.
    pub fn scroll_to_top(&mut self, id: &'static str) {
        self.ops.push(Op::ScrollToTop(id));
    }

    /// Whether the user has granted the permission.
    pub fn granted(&self, permission: &str) -> bool {
        self.granted.contains(permission)
    }

    /// Asks the user for a permission. The answer arrives as a message, at once if the permission was granted before.
    pub fn request_permission(&mut self, permission: &'static str, answer: fn(bool) -> A::Msg) {
        self.ops.push(Op::RequestPermission(permission, answer));
    }

    /// Opens another app by its package.
    pub fn launch_app(&mut self, package: impl Into<String>) {
        self.ask(SystemOp::LaunchApp(package.into()));
    }

    /// Requests an operation for parts of the system only.
    pub fn ask(&mut self, op: SystemOp) {
        self.ops.push(Op::System(op));
    }

    /// Writes a line to the log. `level` is a letter such as `'E'`.
    pub fn log(&mut self, level: char, tag: &'static str, text: impl Into<String>) {
        self.ops.push(Op::Log(level, tag, text.into()));
    }

    /// Ends the process with an exception.
    pub fn crash(&mut self, crash: Crash) {
        self.ops.push(Op::Crash(crash));
    }

    /// Blocks the main thread forever. The phone reports the ANR after the next input.
    pub fn hang(&mut self, reason: &'static str) {
        self.ops.push(Op::Hang(reason));
    }

    /// The phone's current date and time.
    pub fn today(&self) -> Date {
        Date::at(self.now)
    }
}
