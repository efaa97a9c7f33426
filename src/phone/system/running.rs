//! A running app: its stack of pages, pending work, focus and scroll positions.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_screen::determinism::{DeviceDuration, DeviceInstant};
use taproof_screen::{PxPoint, PxRect};

use super::process::{Configuration, KeyboardState, Request, Room};
use crate::app::{App, BugSet, Changed, Manifest, Op, Package, Surface, System};
use crate::points::ExecutedPoints;
use crate::toolkit::measure::{Focus, Placed, place_window, wanted_size};
use crate::toolkit::scene::PlacedView;
use crate::toolkit::view::Field;
use crate::{Env, PX_PER_DP, ScrollState};

/// A page on the stack.
#[derive(Clone)]
pub(crate) struct Entry<Page> {
    pub(crate) id: u64,
    pub(crate) page: Page,
    pub(crate) focus: Option<&'static str>,
    pub(crate) cursor: usize,
    pub(crate) scrolls: Vec<ScrollState>,
    /// Bounds of the view that opened the page; used for menus.
    pub(crate) anchor: PxRect,
    /// Index of the view that keys have reached, in the window as last placed.
    pub(crate) key_focus: Option<usize>,
    /// The configuration for which the page was created.
    pub(crate) config: Configuration,
    /// Whether the activity was destroyed in the background and is to be recreated when it is shown again.
    pub(crate) destroyed: bool,
    /// Whether the process has ended since the page was last shown.
    pub(crate) lost_process: bool,
    /// Whether the page has not been placed yet, so that a field may still request the focus.
    pub(crate) fresh: bool,
}

/// An open permission dialog: the id of the page that requested the permission, and the function that converts the
/// answer to a message.
pub(crate) type Waiting<Msg> = (u64, fn(bool) -> Msg);

/// What an app can see of the reason for which it is called.
#[derive(Clone, Copy, Default)]
struct Occasion {
    changed: Changed,
    from_background: bool,
}

/// Postponed work of an app.
#[derive(Clone)]
pub(crate) struct Pending<Msg> {
    pub(crate) due: DeviceInstant,
    pub(crate) order: u64,
    pub(crate) entry: u64,
    pub(crate) msg: Msg,
}

/// Creates an app as freshly installed, with these bugs switched on.
pub(crate) type Install<A> = Arc<dyn Fn(&BugSet) -> A + Send + Sync>;

/// An app with the state that the phone keeps for it.
pub(crate) struct Running<A: App> {
    pub(crate) manifest: &'static Manifest,
    /// Creates the app as freshly installed.
    pub(crate) install: Install<A>,
    pub(crate) app: A,
    pub(crate) bugs: BugSet,
    pub(crate) stack: Vec<Entry<A::Page>>,
    pub(crate) pending: Vec<Pending<A::Msg>>,
    pub(crate) granted: BTreeSet<&'static str>,
    /// What was granted before it was revoked in the system's settings, and can be granted again.
    pub(crate) revoked: BTreeSet<&'static str>,
    pub(crate) waiting: Option<Waiting<A::Msg>>,
    pub(crate) keyboard: Option<KeyboardState>,
    pub(crate) hung: Option<&'static str>,
    pub(crate) used: bool,
    pub(crate) next_id: u64,
    pub(crate) last_touched: PxRect,
    pub(crate) requests: Vec<Request>,
    pub(crate) executed: ExecutedPoints,
    /// The topmost window as last placed. `None` if anything has happened since.
    pub(crate) placed: Option<Placed<A::Msg>>,
}

impl<A: Package> Running<A> {
    /// A window of the system in this state.
    pub(crate) fn of_system(app: A) -> Self {
        Running::new(A::manifest(), Arc::new(A::install), app, &BugSet::none())
    }
}

impl<A: App> Running<A> {
    /// An app that was just installed with these bugs.
    pub(crate) fn installed(manifest: &'static Manifest, install: Install<A>, bugs: &BugSet) -> Self {
        Running::new(manifest, Arc::clone(&install), install(bugs), bugs)
    }

    fn new(manifest: &'static Manifest, install: Install<A>, app: A, bugs: &BugSet) -> Self {
        Running {
            manifest,
            install,
            app,
            bugs: bugs.clone(),
            stack: Vec::new(),
            pending: Vec::new(),
            granted: BTreeSet::new(),
            revoked: BTreeSet::new(),
            waiting: None,
            keyboard: None,
            hung: None,
            used: false,
            next_id: 0,
            last_touched: PxRect::default(),
            requests: Vec::new(),
            executed: ExecutedPoints::default(),
            placed: None,
        }
    }

    /// Pushes a first page onto the stack without asking the app.
    pub(crate) fn start_at(&mut self, page: A::Page, config: Configuration) {
        self.push_page(page, config);
    }

    pub(crate) fn push_page(&mut self, page: A::Page, config: Configuration) {
        self.next_id += 1;
        self.stack.push(Entry {
            id: self.next_id,
            page,
            focus: None,
            cursor: 0,
            scrolls: Vec::new(),
            anchor: self.last_touched,
            key_focus: None,
            config,
            destroyed: false,
            lost_process: false,
            fresh: true,
        });
        self.keyboard = None;
    }

    /// Lets the app handle something for one page, then executes the requested operations.
    pub(crate) fn handle(
        &mut self,
        entry: u64,
        room: &Room<'_>,
        work: impl FnOnce(&mut A, &mut A::Page, &mut System<A>),
    ) {
        self.handle_at(entry, room, Occasion::default(), work);
    }

    /// As [`Running::handle`], on an occasion that the app can see.
    fn handle_at(
        &mut self,
        entry: u64,
        room: &Room<'_>,
        occasion: Occasion,
        work: impl FnOnce(&mut A, &mut A::Page, &mut System<A>),
    ) {
        let Some(place) = self.stack.iter().position(|candidate| candidate.id == entry) else { return };
        let granted = std::mem::take(&mut self.granted);
        let executed = std::mem::take(&mut self.executed);
        let (rotation, network, settings) = (room.config.rotation, room.network, room.settings);
        let Occasion { changed, from_background } = occasion;
        let mut sys = System {
            now: room.now,
            rotation,
            network,
            settings,
            changed,
            from_background,
            granted,
            points: self.manifest.points,
            executed,
            ops: Vec::new(),
        };
        work(&mut self.app, &mut self.stack[place].page, &mut sys);
        self.granted = sys.granted;
        self.executed = sys.executed;
        self.placed = None;
        for op in sys.ops {
            self.apply(op, entry, room);
        }
    }

    pub(crate) fn send(&mut self, entry: u64, msg: A::Msg, room: &Room<'_>) {
        self.handle(entry, room, |app, page, sys| app.update(page, msg, sys));
    }

    fn apply(&mut self, op: Op<A::Page, A::Msg>, entry: u64, room: &Room<'_>) {
        match op {
            Op::Open(page) => self.push_page(page, room.config),
            Op::Finish => self.remove(entry, room),
            Op::FinishToRoot => {
                self.stack.truncate(1);
                self.keyboard = None;
                self.reveal(false, room);
            }
            Op::SendBelow(msg) => {
                let place = self.stack.iter().position(|candidate| candidate.id == entry);
                let below = place.and_then(|place| place.checked_sub(1)).map(|place| self.stack[place].id);
                if let Some(below) = below {
                    self.send(below, msg, room);
                }
            }
            Op::After(millis, msg) => {
                self.next_id += 1;
                let due = room.now + DeviceDuration::from_millis(millis.max(1));
                self.pending.push(Pending { due, order: self.next_id, entry, msg });
            }
            Op::Toast(text) => self.requests.push(Request::Toast(text)),
            Op::HideKeyboard => self.keyboard = None,
            Op::Focus(id) => self.focus_field(id, room),
            Op::ScrollToTop(id) => {
                let page = self.stack.iter_mut().find(|candidate| candidate.id == entry);
                let scroll = page.and_then(|page| page.scrolls.iter_mut().find(|scroll| scroll.id == id));
                if let Some(scroll) = scroll {
                    scroll.offset = 0;
                }
            }
            Op::RequestPermission(permission, answer) => {
                if self.granted.contains(permission) {
                    self.send(entry, answer(true), room);
                } else {
                    self.waiting = Some((entry, answer));
                    self.requests.push(Request::Permission(permission));
                }
            }
            Op::System(op) => self.requests.push(Request::System(op)),
            Op::Log(level, tag, text) => self.requests.push(Request::Log(level, tag, text)),
            Op::Crash(crash) => {
                // Pending work is lost when the process dies.
                self.pending.clear();
                self.requests.push(Request::Crash(crash));
            }
            Op::Hang(reason) => self.hung = Some(reason),
        }
    }

    pub(crate) fn remove(&mut self, entry: u64, room: &Room<'_>) {
        let was_top = self.stack.last().is_some_and(|top| top.id == entry);
        self.stack.retain(|candidate| candidate.id != entry);
        if self.stack.is_empty() {
            self.keyboard = None;
            self.requests.push(Request::Gone);
        } else if was_top {
            self.keyboard = None;
            self.reveal(false, room);
        }
    }

    /// Called when the top page becomes visible again. Recreates it if the configuration has changed or the process has
    /// ended, and informs the app.
    pub(crate) fn reveal(&mut self, from_background: bool, room: &Room<'_>) {
        self.create_anew(room);
        let entry = self.top_id();
        let occasion = Occasion { from_background, ..Occasion::default() };
        self.handle_at(entry, room, occasion, |app, page, sys| app.resumed(page, sys));
    }

    /// Recreates the activity in front and the dialogs above it where necessary.
    pub(crate) fn create_anew(&mut self, room: &Room<'_>) {
        let shown: Vec<u64> =
            self.stack.iter().skip(self.activity_in_front()).map(|entry| entry.id).collect();
        for entry in shown {
            let Some(page) = self.stack.iter_mut().find(|candidate| candidate.id == entry) else { continue };
            let before = std::mem::replace(&mut page.config, room.config);
            let stale = std::mem::take(&mut page.destroyed) || before != room.config;
            let lost = std::mem::take(&mut page.lost_process);
            if stale || lost {
                page.key_focus = None;
            }
            let changed = room.config.changed_since(before);
            let occasion = Occasion { changed, ..Occasion::default() };
            if lost {
                self.handle_at(entry, room, occasion, |app, page, sys| app.restored(page, sys));
            } else if stale {
                self.handle_at(entry, room, occasion, |app, page, sys| app.recreated(page, sys));
            }
        }
    }

    /// Index of the activity in front on the stack.
    pub(crate) fn activity_in_front(&self) -> usize {
        let is_activity =
            |entry: &Entry<A::Page>| matches!(self.app.surface(&entry.page), Surface::Activity(_));
        self.stack.iter().rposition(is_activity).unwrap_or(0)
    }

    /// Returns the bounds of a page's window, and the part of it that is available to the page's contents.
    fn frame_of(
        &self,
        surface: Surface,
        view: &crate::View<A::Msg>,
        anchor: PxRect,
        room: &Room<'_>,
    ) -> (PxRect, PxRect) {
        let mut free = room.app;
        if self.keyboard.is_some() {
            free.bottom = free.bottom.max(free.top + room.keyboard_height) - room.keyboard_height;
        }
        if let Surface::Activity(_) = surface {
            return (PxRect::new(0, 0, room.screen.width, free.bottom.max(room.app.bottom)), free);
        }
        let margin = 8 * PX_PER_DP;
        let (width, height) =
            wanted_size(view, room.fonts, free.width() - 2 * margin, free.height() - 2 * margin);
        let (left, top) = match surface {
            Surface::Menu => (
                (anchor.right - width).clamp(free.left, (free.right - width).max(free.left)),
                anchor.top.clamp(free.top, (free.bottom - height).max(free.top)),
            ),
            Surface::BottomSheet => (free.left + (free.width() - width) / 2, free.bottom - height),
            Surface::Dialog | Surface::Activity(_) => {
                (free.left + (free.width() - width) / 2, free.top + (free.height() - height) / 2)
            }
        };
        let rect = PxRect::new(left, top, left + width, top + height);
        (rect, rect)
    }

    /// Places a page. Since the heights of lists may only become known in the process, this may take two passes.
    pub(crate) fn place(&mut self, index: usize, room: &Room<'_>) -> Placed<A::Msg> {
        loop {
            let entry = &self.stack[index];
            let surface = self.app.surface(&entry.page);
            let keyboard = if self.keyboard.is_some() { room.keyboard_height } else { 0 };
            let env = Env {
                rotation: room.config.rotation,
                language: room.config.language,
                dark: room.config.dark,
                network: room.network,
                settings: room.settings,
                width: room.app.width() / PX_PER_DP,
                height: (room.app.height() - keyboard).max(0) / PX_PER_DP,
                now: room.now,
                accent: self.manifest.accent,
                scrolls: &entry.scrolls,
                points: self.manifest.points,
                executed: &self.executed,
            };
            let mut view = self.app.view(&entry.page, &env);
            #[cfg(test)]
            {
                view = crate::apps::shown_strings::note(self.manifest.package, view);
            }
            if room.config.large_text {
                view = view.with_each(&crate::toolkit::view::enlarged);
            }
            if room.config.large_display {
                view = view.with_each(&crate::toolkit::view::magnified);
            }
            let (bounds, content) = self.frame_of(surface, &view, entry.anchor, room);
            let focus = Focus { id: entry.focus, cursor: entry.cursor };
            let before = entry.scrolls.clone();
            let mut scrolls = before.clone();
            let dims = !matches!(surface, Surface::Activity(_) | Surface::Menu);
            let mut placed = place_window(view, room.fonts, bounds, content, dims, focus, &mut scrolls);
            let moved = before.iter().zip(&scrolls).any(|(old, new)| old != new);
            let entry = &mut self.stack[index];
            entry.scrolls = scrolls;
            let wants_focus = std::mem::take(&mut entry.fresh).then(|| auto_focus(&placed)).flatten();
            if let Some((id, cursor)) = wants_focus {
                entry.focus = Some(id);
                entry.cursor = cursor;
                self.keyboard = Some(KeyboardState::default());
                continue;
            }
            if !moved {
                if let Some(reached) = self.stack[index].key_focus
                    && let Some(view) = placed.window.views.get_mut(reached)
                {
                    view.focused = view.clickable && view.enabled;
                }
                return placed;
            }
        }
    }

    pub(crate) fn refresh(&mut self, room: &Room<'_>) -> Option<&Placed<A::Msg>> {
        if self.placed.is_none() && !self.stack.is_empty() {
            self.placed = Some(self.place(self.stack.len() - 1, room));
        }
        self.placed.as_ref()
    }

    pub(crate) fn top_id(&self) -> u64 {
        self.stack.last().map_or(0, |top| top.id)
    }

    pub(crate) fn focus_field(&mut self, id: &'static str, room: &Room<'_>) {
        let length = self.field(id, room).map(|field| field.value.chars().count());
        if let (Some(top), Some(length)) = (self.stack.last_mut(), length) {
            top.focus = Some(id);
            top.key_focus = None;
            top.cursor = length;
            self.keyboard.get_or_insert_default();
            self.placed = None;
        }
    }

    fn field(&mut self, id: &str, room: &Room<'_>) -> Option<Field<A::Msg>> {
        let placed = self.refresh(room)?;
        let place = placed.window.views.iter().position(|view| view.id == Some(id))?;
        placed.handlers[place].field.clone()
    }

    /// The focused field with its id and the cursor's position.
    pub(crate) fn focused(&mut self, room: &Room<'_>) -> Option<(&'static str, usize, Field<A::Msg>)> {
        let top = self.stack.last()?;
        let (id, cursor) = (top.focus?, top.cursor);
        self.field(id, room).map(|field| (id, cursor.min(field.value.chars().count()), field))
    }

    /// Sets the contents of a field, as far as the field accepts them.
    pub(crate) fn write(&mut self, field: &Field<A::Msg>, text: &str, cursor: usize, room: &Room<'_>) {
        let fits = |c: &char| field.multi_line || *c != '\n';
        let text: String = text.chars().filter(fits).take(field.max_len).collect();
        let length = text.chars().count();
        if let Some(top) = self.stack.last_mut() {
            top.cursor = cursor.min(length);
        }
        self.send(self.top_id(), field.on_change.message(text), room);
    }

    /// Returns the index of the view that receives a touch: the topmost clickable one, unless something opaque covers
    /// it.
    pub(crate) fn touched(&mut self, at: PxPoint, room: &Room<'_>) -> Option<usize> {
        let placed = self.refresh(room)?;
        let views = &placed.window.views;
        for (index, view) in views.iter().enumerate().rev() {
            if !view.visible.contains(at) {
                continue;
            }
            if view.clickable || view.long_clickable {
                return Some(index);
            }
            if view.look.elevation > 0 {
                let mut parent = view.parent;
                while let Some(index) = parent {
                    let above = &views[index as usize];
                    if above.clickable || above.long_clickable {
                        return Some(index as usize);
                    }
                    parent = above.parent;
                }
                return None;
            }
        }
        None
    }

    /// Returns id, maximum offset and height of the innermost scrollable view at a point, unless a view above it
    /// receives the touch.
    pub(crate) fn scrollable_at(&mut self, at: PxPoint, room: &Room<'_>) -> Option<(&'static str, i32, i32)> {
        let placed = self.refresh(room)?;
        let views = &placed.window.views;
        let takes = |view: &PlacedView| {
            view.scrollable || view.clickable || view.long_clickable || view.look.elevation > 0
        };
        let top = views.iter().rposition(|view| view.visible.contains(at) && takes(view))?;
        let around = |index: &usize| views[*index].parent.map(|parent| parent as usize);
        let hit = std::iter::successors(Some(top), around).find(|index| views[*index].scrollable)?;
        let most = placed.handlers[hit].max_offset?;
        Some((views[hit].id.unwrap_or(""), most, views[hit].visible.height()))
    }

    /// Returns the message of the view that a swipe to the side moves.
    pub(crate) fn swiped(&mut self, at: PxPoint, room: &Room<'_>) -> Option<A::Msg> {
        let touched = self.touched(at, room)?;
        let placed = self.placed.as_ref()?;
        let around = |index: &usize| placed.window.views[*index].parent.map(|parent| parent as usize);
        std::iter::successors(Some(touched), around).find_map(|index| placed.handlers[index].swipe.clone())
    }

    pub(crate) fn is_menu(&self) -> bool {
        self.stack.last().is_some_and(|top| self.app.surface(&top.page) == Surface::Menu)
    }

    /// Returns the id of the field after the one with this id, in document order.
    pub(crate) fn next_field(&self, id: &str) -> Option<&'static str> {
        let placed = self.placed.as_ref()?;
        let fields =
            placed.window.views.iter().zip(&placed.handlers).filter(|(_, handlers)| handlers.field.is_some());
        fields.skip_while(|(view, _)| view.id != Some(id)).nth(1).and_then(|(view, _)| view.id)
    }
}

/// Returns id and length of the first field that requests the focus when its page opens.
fn auto_focus<Msg>(placed: &Placed<Msg>) -> Option<(&'static str, usize)> {
    placed.handlers.iter().zip(&placed.window.views).find_map(|(handlers, view)| {
        let field = handlers.field.as_ref()?;
        if field.auto_focus { Some((view.id?, field.value.chars().count())) } else { None }
    })
}
