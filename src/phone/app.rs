//! The door for apps: what an app is, and what it may ask of the phone.
//!
//! An app is a plain state with pages. The phone keeps the stack of pages (activities, dialogs, menus), asks
//! the app for the view of each, and sends it the messages that its views carry. Everything is cloneable,
//! so a snapshot of the phone is a clone.

use std::collections::BTreeSet;

use taproof_core::determinism::DeviceInstant;
use taproof_core::model::Rotation;

use super::points::ExecutedPoints;
use super::{Color, Icon, Language, View};

/// An app that can be installed on the bundled phone.
///
/// The value is the app's data and its process's memory in one: fields that a real app would keep in files
/// survive `start`, all others must be reset there.
pub trait App: Clone + Send + 'static {
    /// One entry of the back stack: an activity, a dialog or a menu, with its arguments and unsaved state.
    type Page: Clone + Send + 'static;
    /// What a view sends when it is used, and what a pending task sends when it is due.
    type Msg: Clone + Send + 'static;

    /// What the app says of itself.
    fn manifest() -> &'static Manifest;

    /// The app as freshly installed, or after its data were cleared, with these bugs switched on.
    fn install(bugs: &BugSet) -> Self;

    /// A process starts: forget what is not in files; returns the first activity.
    fn start(&mut self) -> Self::Page;

    /// What kind of window a page is.
    fn surface(&self, page: &Self::Page) -> Surface;

    /// What a page shows now.
    fn view(&self, page: &Self::Page, env: &Env<'_>) -> View<Self::Msg>;

    /// A message has arrived for a page.
    fn update(&mut self, page: &mut Self::Page, msg: Self::Msg, sys: &mut System<Self>);

    /// Back was pressed (with the keyboard closed), or a dialog was tapped away.
    fn back(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let _page = page;
        sys.finish();
    }

    /// The page is on top again after the one above it closed, or the app came back to the front.
    fn resumed(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let (_page, _sys) = (page, sys);
    }

    /// The device was turned, or its language or dark mode changed: the activity is destroyed and created
    /// anew. What its saved state does not hold is lost here; by default it holds everything. Menus are closed
    /// by the phone, dialogs kept.
    fn recreated(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        let (_page, _sys) = (page, sys);
    }

    /// The process had ended in the background and the page comes back from its saved state, after `start`
    /// has made the new process's memory: what a page holds beyond that state is lost, and so is all work
    /// that was under way. By default this is no more than `recreated`.
    fn restored(&mut self, page: &mut Self::Page, sys: &mut System<Self>) {
        self.recreated(page, sys);
    }
}

/// What an app says of itself.
#[derive(Debug)]
pub struct Manifest {
    /// `org.taproof.<app>`.
    pub package: &'static str,
    /// Its name on the launcher.
    pub label: &'static str,
    /// The real app that it is modelled on.
    pub modelled_on: &'static str,
    /// Its icon on the launcher.
    pub icon: Icon,
    /// Its main colour.
    pub accent: Color,
    /// The class names of its activities, such as `MainActivity`; the first is the launcher's.
    pub activities: &'static [&'static str],
    /// The runtime permissions that it may ask for.
    pub permissions: &'static [&'static str],
    /// Its catalogued bugs.
    pub bugs: &'static [Bug],
    /// The places in its code that report when they are executed (`System::cover`, `Env::cover`), sorted. An
    /// app without any is one that nobody has instrumented.
    pub points: &'static [&'static str],
}

/// A technique that can see a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// A property of a DMF.
    Property,
    /// Crash or no answer.
    Crash,
    /// Genie's independent views.
    Genie,
    /// ODIN's may-beliefs.
    Odin,
}

/// A bug of an app, switchable at installation.
#[derive(Debug)]
pub struct Bug {
    /// Its id, such as `files-results-order`.
    pub id: &'static str,
    /// One line that says what goes wrong.
    pub title: &'static str,
    /// The paper and the app that it was reported for.
    pub paper: &'static str,
    /// The functions that it takes to show it.
    pub needs: &'static [&'static str],
    /// What the user suffers.
    pub consequence: &'static str,
    /// The techniques that can see it.
    pub oracles: &'static [Oracle],
    /// Bugs of the same app that hide it while they are on.
    pub masked_by: &'static [&'static str],
}

/// The bugs that are switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BugSet {
    ids: BTreeSet<String>,
}

impl BugSet {
    /// No bug: the sound build.
    pub fn none() -> Self {
        BugSet::default()
    }

    /// All bugs of an app: the faulty build.
    pub fn all(manifest: &Manifest) -> Self {
        BugSet::of(manifest.bugs.iter().map(|bug| bug.id))
    }

    /// These bugs.
    pub fn of<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        BugSet { ids: ids.into_iter().map(str::to_owned).collect() }
    }

    /// Whether the bug is switched on.
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// The ids in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// The set without these bugs.
    #[must_use]
    pub fn without(&self, ids: &[String]) -> BugSet {
        BugSet { ids: self.ids.iter().filter(|id| !ids.contains(id)).cloned().collect() }
    }
}

/// What kind of window a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A whole screen, of this activity class (without package, such as `MainActivity`).
    Activity(&'static str),
    /// A window in the middle; the page below is dimmed.
    Dialog,
    /// A menu at the view that opened it; closed by a tap outside and when its activity is created anew.
    Menu,
    /// A sheet at the bottom.
    BottomSheet,
}

/// What an app may look at while it describes a page.
#[derive(Debug)]
pub struct Env<'a> {
    /// The device's rotation.
    pub rotation: Rotation,
    /// Width of the window in dp.
    pub width: i32,
    /// Height of the window in dp, the keyboard aside.
    pub height: i32,
    /// The device's language.
    pub language: Language,
    /// The device's clock.
    pub now: DeviceInstant,
    /// The app's main colour.
    pub accent: Color,
    /// For each scrolled list: its id, its offset and its height as last placed, in px.
    pub scrolls: &'a [ScrollState],
    pub(super) points: &'static [&'static str],
    pub(super) executed: &'a ExecutedPoints,
}

/// Where a list or scroll view stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScrollState {
    /// The view's id.
    pub id: &'static str,
    /// How far its content has moved up, in px.
    pub offset: i32,
    /// Its height as last placed, in px.
    pub viewport: i32,
}

/// Pixels in a dp on this phone.
pub const PX_PER_DP: i32 = 3;

impl Env<'_> {
    /// The rows `first..end` of a list that can be seen.
    pub(super) fn rows_near_screen(&self, id: &str, total: usize, row_height: i32) -> (usize, usize) {
        let row = (row_height * PX_PER_DP).max(1);
        let content = row.saturating_mul(total as i32);
        let (offset, viewport) = match self.scrolls.iter().find(|scroll| scroll.id == id) {
            Some(scroll) => (scroll.offset, scroll.viewport),
            None => (0, self.height * PX_PER_DP),
        };
        let offset = offset.min(content - viewport).max(0);
        let first = (offset / row) as usize;
        // A list is never higher than its window, so this many rows are enough wherever it is placed.
        let shown = (self.height * PX_PER_DP / row) as usize + 2;
        (first.min(total), (first + shown).min(total))
    }

    /// Today on the phone.
    pub fn today(&self) -> Date {
        Date::at(self.now)
    }

    /// This place in the code that makes views is executed.
    pub fn cover(&self, point: &'static str) {
        self.executed.insert(self.points, point);
    }
}

/// What the keyboard's action key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImeAction {
    /// Closes the keyboard.
    Done,
    /// Goes to the next field.
    Next,
    /// Starts a search.
    Search,
}

/// An exception that ends the process.
#[derive(Clone, Copy, Debug)]
pub struct Crash {
    /// Its class, such as `java.lang.IllegalStateException`.
    pub exception: &'static str,
    /// Its message.
    pub message: &'static str,
    /// The app's own frames, top first, such as `org.taproof.notes.SearchFragment.onDestroy(SearchFragment.java:88)`.
    pub stack: &'static [&'static str],
}

/// One thing that an app asks of the phone.
#[derive(Clone, Debug)]
pub enum Op<Page, Msg> {
    /// Puts a page on the stack.
    Open(Page),
    /// Takes the page that handles the message off the stack.
    Finish,
    /// Takes off everything above the lowest page.
    FinishToRoot,
    /// Sends a message to the page below.
    SendBelow(Msg),
    /// Sends a message to the same page after so many milliseconds, if it is still there.
    After(u64, Msg),
    /// Shows a line for a while; it is not in the dump.
    Toast(String),
    /// Closes the keyboard.
    HideKeyboard,
    /// Gives the field of that id the focus and opens the keyboard.
    Focus(&'static str),
    /// Scrolls the list of that id to its beginning.
    ScrollToTop(&'static str),
    /// Asks the user for a permission; the answer comes as a message.
    RequestPermission(&'static str, fn(bool) -> Msg),
    /// Something that only parts of the system do.
    System(SystemOp),
    /// Writes a line to the log: level, tag, text.
    Log(char, &'static str, String),
    /// The process dies.
    Crash(Crash),
    /// The main thread never comes back: `reason` is what the log says of the ANR.
    Hang(&'static str),
}

/// What the launcher and the system's own dialogs ask of the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemOp {
    /// Brings the app of that package to the front; starts it if it does not run.
    LaunchApp(String),
    /// The user's answer to a permission dialog.
    AnswerPermission(bool),
    /// Ends the app that crashed or does not answer.
    CloseApp,
    /// Ends that app and starts it again.
    RestartApp,
    /// Closes the system's dialog: goes on waiting for an app that does not answer, declines a call.
    Dismiss,
    /// Answers a call.
    AnswerCall,
}

/// The phone, as an app sees it while it handles a message. What is asked for happens when the handler
/// has returned, in the order asked.
pub struct System<A: App> {
    /// The device's clock.
    pub now: DeviceInstant,
    /// The device's rotation.
    pub rotation: Rotation,
    pub(super) granted: BTreeSet<&'static str>,
    pub(super) executed: ExecutedPoints,
    pub(super) ops: Vec<Op<A::Page, A::Msg>>,
}

impl<A: App> System<A> {
    /// This place in the code is executed.
    pub fn cover(&mut self, point: &'static str) {
        self.executed.insert(A::manifest().points, point);
    }

    /// Puts a page on the stack.
    pub fn open(&mut self, page: A::Page) {
        self.ops.push(Op::Open(page));
    }

    /// Closes the page that handles the message.
    pub fn finish(&mut self) {
        self.ops.push(Op::Finish);
    }

    /// Closes everything above the lowest page.
    pub fn finish_to_root(&mut self) {
        self.ops.push(Op::FinishToRoot);
    }

    /// Closes the page and tells the one below, as an activity's or a dialog's result.
    pub fn finish_with(&mut self, msg: A::Msg) {
        self.ops.push(Op::SendBelow(msg));
        self.ops.push(Op::Finish);
    }

    /// Sends a message to the same page later: work in the background. The phone settles before it is
    /// observed, so show a progress ring meanwhile.
    pub fn after(&mut self, millis: u64, msg: A::Msg) {
        self.ops.push(Op::After(millis, msg));
    }

    /// Shows a line for a while; it is not in the dump.
    pub fn toast(&mut self, text: impl Into<String>) {
        self.ops.push(Op::Toast(text.into()));
    }

    /// Closes the keyboard.
    pub fn hide_keyboard(&mut self) {
        self.ops.push(Op::HideKeyboard);
    }

    /// Gives a field the focus and opens the keyboard.
    pub fn focus(&mut self, id: &'static str) {
        self.ops.push(Op::Focus(id));
    }

    /// Scrolls a list to its beginning.
    pub fn scroll_to_top(&mut self, id: &'static str) {
        self.ops.push(Op::ScrollToTop(id));
    }

    /// Whether the user has granted the permission.
    pub fn granted(&self, permission: &str) -> bool {
        self.granted.contains(permission)
    }

    /// Asks the user for a permission; the answer comes as a message, at once if it was granted before.
    pub fn request_permission(&mut self, permission: &'static str, answer: fn(bool) -> A::Msg) {
        self.ops.push(Op::RequestPermission(permission, answer));
    }

    /// Starts another app by its package.
    pub fn launch_app(&mut self, package: impl Into<String>) {
        self.ask(SystemOp::LaunchApp(package.into()));
    }

    /// Asks what only parts of the system ask.
    pub fn ask(&mut self, op: SystemOp) {
        self.ops.push(Op::System(op));
    }

    /// Writes a line to the log.
    pub fn log(&mut self, level: char, tag: &'static str, text: impl Into<String>) {
        self.ops.push(Op::Log(level, tag, text.into()));
    }

    /// The process dies of an exception.
    pub fn crash(&mut self, crash: Crash) {
        self.ops.push(Op::Crash(crash));
    }

    /// The main thread never comes back; the phone says so after the next input.
    pub fn hang(&mut self, reason: &'static str) {
        self.ops.push(Op::Hang(reason));
    }

    /// Today on the phone.
    pub fn today(&self) -> Date {
        Date::at(self.now)
    }
}

/// A day and a time of day on the phone. It boots on Monday, 5 January 2026, at 9:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Year.
    pub year: i32,
    /// Month, 1 to 12.
    pub month: u32,
    /// Day, 1 to 31.
    pub day: u32,
    /// Hour, 0 to 23.
    pub hour: u32,
    /// Minute.
    pub minute: u32,
    /// Second.
    pub second: u32,
    /// Millisecond.
    pub millis: u32,
}

impl Date {
    /// The phone's calendar at an instant.
    pub fn at(now: DeviceInstant) -> Date {
        Date::of_epoch(Date::epoch_millis(now))
    }

    /// Milliseconds from the beginning of 1970 to an instant of the phone, whose clock shows UTC.
    pub fn epoch_millis(now: DeviceInstant) -> u64 {
        /// Days from 1 January 1970 to the day of the boot.
        const BOOT_DAY: u64 = 20_458;
        const BOOT_MILLIS: u64 = (BOOT_DAY * 24 + 9) * 3_600_000;
        BOOT_MILLIS.saturating_add(now.millis())
    }

    /// The calendar so many milliseconds after the beginning of 1970.
    pub fn of_epoch(millis: u64) -> Date {
        let (days, in_day) = (millis / 86_400_000, millis % 86_400_000);
        let (year, month, day) = civil_from_days(days as i64);
        Date {
            year,
            month,
            day,
            hour: (in_day / 3_600_000) as u32,
            minute: (in_day / 60_000 % 60) as u32,
            second: (in_day / 1000 % 60) as u32,
            millis: (in_day % 1000) as u32,
        }
    }

    /// `2026-01-05`
    pub fn iso(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// `09:00`
    pub fn clock(&self) -> String {
        format!("{:02}:{:02}", self.hour, self.minute)
    }
}

/// Days since 1970 as year, month, day (Howard Hinnant's algorithm, for days from 1970 on).
fn civil_from_days(days: i64) -> (i32, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
    let month = (if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 }) as u32;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year as i32, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phone_boots_on_a_monday_morning() {
        let boot = Date::at(DeviceInstant(0));
        assert_eq!((boot.iso().as_str(), boot.clock().as_str()), ("2026-01-05", "09:00"));
        let later = Date::at(DeviceInstant(55 * 86_400_000 + 61_000));
        assert_eq!((later.iso().as_str(), later.clock().as_str()), ("2026-03-01", "09:01"));
    }
}
