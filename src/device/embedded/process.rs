//! One app as it runs: its stack of pages, its pending work, where focus and lists stand.
//!
//! `Process` hides the app's own types from the phone; `Running` is the only one there is.

use std::collections::BTreeSet;

use crate::determinism::{DeviceDuration, DeviceInstant};
use crate::model::{Direction, PxPoint, PxRect, PxSize, Rotation};

use super::app::{
    App, BugSet, Crash, Env, ImeAction, Manifest, Op, PX_PER_DP, ScrollState, Surface, System, SystemOp,
};
use super::fonts::Fonts;
use super::place::{Focus, Placed, place_window, wanted_size};
use super::scene::PlacedWindow;
use super::view::Field;

/// What an app asks of the phone around it.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Toast(String),
    Permission(&'static str),
    System(SystemOp),
    Log(char, &'static str, String),
    Crash(Crash),
    /// The last page was closed.
    Gone,
}

/// The room that the phone has for windows.
#[derive(Clone, Copy)]
pub(super) struct Room<'a> {
    pub fonts: &'a Fonts,
    pub screen: PxSize,
    pub rotation: Rotation,
    /// Below the status bar, above the navigation bar.
    pub app: PxRect,
    /// Height of the keyboard when it is open, in px.
    pub keyboard_height: i32,
    pub now: DeviceInstant,
}

/// The keyboard's own state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyboardState {
    pub shift: bool,
    pub symbols: bool,
}

/// An app as the phone sees it.
pub(super) trait Process: Send {
    fn clone_box(&self) -> Box<dyn Process>;
    fn manifest(&self) -> &'static Manifest;
    /// Whether it has a page.
    fn alive(&self) -> bool;
    fn start(&mut self, room: &Room<'_>);
    fn stop(&mut self);
    fn clear_data(&mut self);
    fn hung(&self) -> Option<&'static str>;
    /// The class of the activity in front.
    fn activity(&self) -> &'static str;
    /// The topmost window, placed.
    fn top(&mut self, room: &Room<'_>) -> &PlacedWindow;
    /// All windows from the activity in front to the topmost.
    fn windows(&mut self, room: &Room<'_>) -> Vec<PlacedWindow>;
    fn keyboard(&self) -> Option<KeyboardState>;
    fn set_keyboard(&mut self, keyboard: Option<KeyboardState>);
    fn ime(&mut self, room: &Room<'_>) -> Option<ImeAction>;
    fn tap(&mut self, at: PxPoint, long: bool, room: &Room<'_>);
    fn set_text(&mut self, at: PxPoint, text: &str, room: &Room<'_>);
    fn type_text(&mut self, text: &str, room: &Room<'_>);
    fn delete_char(&mut self, room: &Room<'_>);
    fn ime_action(&mut self, room: &Room<'_>);
    fn scroll(&mut self, at: PxPoint, by: i32, room: &Room<'_>);
    fn swipe(&mut self, at: PxPoint, direction: Direction, room: &Room<'_>);
    fn back(&mut self, room: &Room<'_>);
    fn turned(&mut self, room: &Room<'_>);
    fn came_to_front(&mut self, room: &Room<'_>);
    /// The clock has moved: what was placed before may show an old time.
    fn time_passed(&mut self);
    fn permission_answer(&mut self, permission: &'static str, granted: bool, room: &Room<'_>);
    /// When its next pending work is due.
    fn next_due(&self) -> Option<DeviceInstant>;
    /// Does the work that is due at `room.now`.
    fn run_due(&mut self, room: &Room<'_>);
    fn take_requests(&mut self) -> Vec<Request>;
}

/// One page on the stack.
#[derive(Clone)]
struct Entry<Page> {
    id: u64,
    page: Page,
    focus: Option<&'static str>,
    cursor: usize,
    scrolls: Vec<ScrollState>,
    /// The view that opened it, for menus.
    anchor: PxRect,
    rotation: Rotation,
    /// Not placed yet, so a field may still ask for the focus.
    fresh: bool,
}

/// Who waits for the answer to a permission dialog, and how it is told.
type Waiting<Msg> = (u64, fn(bool) -> Msg);

/// Work that an app has put off.
#[derive(Clone)]
struct Pending<Msg> {
    due: DeviceInstant,
    order: u64,
    entry: u64,
    msg: Msg,
}

/// An app as it runs.
pub(super) struct Running<A: App> {
    app: A,
    bugs: BugSet,
    stack: Vec<Entry<A::Page>>,
    pending: Vec<Pending<A::Msg>>,
    granted: BTreeSet<&'static str>,
    waiting: Option<Waiting<A::Msg>>,
    keyboard: Option<KeyboardState>,
    hung: Option<&'static str>,
    next_id: u64,
    last_touched: PxRect,
    requests: Vec<Request>,
    /// The topmost window as placed last; gone as soon as anything happens.
    placed: Option<Placed<A::Msg>>,
}

impl<A: App> Running<A> {
    pub(super) fn new(app: A, bugs: &BugSet) -> Self {
        Running {
            app,
            bugs: bugs.clone(),
            stack: Vec::new(),
            pending: Vec::new(),
            granted: BTreeSet::new(),
            waiting: None,
            keyboard: None,
            hung: None,
            next_id: 0,
            last_touched: PxRect::default(),
            requests: Vec::new(),
            placed: None,
        }
    }

    /// Puts a first page on the stack without asking the app.
    pub(super) fn start_at(&mut self, page: A::Page, rotation: Rotation) {
        self.push_page(page, rotation);
    }

    fn push_page(&mut self, page: A::Page, rotation: Rotation) {
        self.next_id += 1;
        self.stack.push(Entry {
            id: self.next_id,
            page,
            focus: None,
            cursor: 0,
            scrolls: Vec::new(),
            anchor: self.last_touched,
            rotation,
            fresh: true,
        });
        self.keyboard = None;
    }

    /// Lets the app handle something for one page, then does what it asked for.
    fn handle(
        &mut self,
        entry: u64,
        room: &Room<'_>,
        work: impl FnOnce(&mut A, &mut A::Page, &mut System<A>),
    ) {
        let Some(place) = self.stack.iter().position(|candidate| candidate.id == entry) else { return };
        let granted = std::mem::take(&mut self.granted);
        let mut sys = System { now: room.now, rotation: room.rotation, granted, ops: Vec::new() };
        work(&mut self.app, &mut self.stack[place].page, &mut sys);
        self.granted = sys.granted;
        self.placed = None;
        for op in sys.ops {
            self.apply(op, entry, room);
        }
    }

    fn send(&mut self, entry: u64, msg: A::Msg, room: &Room<'_>) {
        self.handle(entry, room, |app, page, sys| app.update(page, msg, sys));
    }

    fn apply(&mut self, op: Op<A::Page, A::Msg>, entry: u64, room: &Room<'_>) {
        match op {
            Op::Open(page) => self.push_page(page, room.rotation),
            Op::Finish => self.remove(entry, room),
            Op::FinishToRoot => {
                self.stack.truncate(1);
                self.keyboard = None;
                self.reveal(room);
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
                // Nothing that was due happens after the process died.
                self.pending.clear();
                self.requests.push(Request::Crash(crash));
            }
            Op::Hang(reason) => self.hung = Some(reason),
        }
    }

    fn remove(&mut self, entry: u64, room: &Room<'_>) {
        let was_top = self.stack.last().is_some_and(|top| top.id == entry);
        self.stack.retain(|candidate| candidate.id != entry);
        if self.stack.is_empty() {
            self.keyboard = None;
            self.requests.push(Request::Gone);
        } else if was_top {
            self.keyboard = None;
            self.reveal(room);
        }
    }

    /// The top page can be seen again: it is created anew if the device was turned meanwhile, and told.
    fn reveal(&mut self, room: &Room<'_>) {
        let Some(top) = self.stack.last_mut() else { return };
        let (entry, stale) = (top.id, top.rotation != room.rotation);
        top.rotation = room.rotation;
        if stale {
            self.handle(entry, room, |app, page, sys| app.recreated(page, sys));
        }
        self.handle(entry, room, |app, page, sys| app.resumed(page, sys));
    }

    /// Where the window of a page is and which part of it is the page's.
    fn frame_of(
        &self,
        surface: Surface,
        view: &super::View<A::Msg>,
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

    /// Places one page. Lists may learn their height only now, so it may take a second look.
    fn place(&mut self, index: usize, room: &Room<'_>) -> Placed<A::Msg> {
        loop {
            let entry = &self.stack[index];
            let surface = self.app.surface(&entry.page);
            let keyboard = if self.keyboard.is_some() { room.keyboard_height } else { 0 };
            let env = Env {
                rotation: room.rotation,
                width: room.app.width() / PX_PER_DP,
                height: (room.app.height() - keyboard).max(0) / PX_PER_DP,
                now: room.now,
                accent: A::manifest().accent,
                scrolls: &entry.scrolls,
            };
            let view = self.app.view(&entry.page, &env);
            let (bounds, content) = self.frame_of(surface, &view, entry.anchor, room);
            let focus = Focus { id: entry.focus, cursor: entry.cursor };
            let before = entry.scrolls.clone();
            let mut scrolls = before.clone();
            let dims = !matches!(surface, Surface::Activity(_) | Surface::Menu);
            let placed = place_window(view, room.fonts, bounds, content, dims, focus, &mut scrolls);
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
                return placed;
            }
        }
    }

    fn refresh(&mut self, room: &Room<'_>) -> Option<&Placed<A::Msg>> {
        if self.placed.is_none() && !self.stack.is_empty() {
            self.placed = Some(self.place(self.stack.len() - 1, room));
        }
        self.placed.as_ref()
    }

    fn top_id(&self) -> u64 {
        self.stack.last().map_or(0, |top| top.id)
    }

    fn focus_field(&mut self, id: &'static str, room: &Room<'_>) {
        let length = self.field(id, room).map(|field| field.value.chars().count());
        if let (Some(top), Some(length)) = (self.stack.last_mut(), length) {
            top.focus = Some(id);
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

    /// The field that has the focus.
    fn focused(&mut self, room: &Room<'_>) -> Option<(&'static str, usize, Field<A::Msg>)> {
        let top = self.stack.last()?;
        let (id, cursor) = (top.focus?, top.cursor);
        self.field(id, room).map(|field| (id, cursor.min(field.value.chars().count()), field))
    }

    /// Gives a field a new content, as far as the field takes it.
    fn write(&mut self, field: &Field<A::Msg>, text: &str, cursor: usize, room: &Room<'_>) {
        let fits = |c: &char| field.multi_line || *c != '\n';
        let text: String = text.chars().filter(fits).take(field.max_len).collect();
        let length = text.chars().count();
        if let Some(top) = self.stack.last_mut() {
            top.cursor = cursor.min(length);
        }
        let (entry, on_change) = (self.top_id(), field.on_change);
        self.send(entry, on_change(text), room);
    }

    /// The view that takes a touch: the topmost clickable one, unless something opaque lies above it.
    fn touched(&mut self, at: PxPoint, room: &Room<'_>) -> Option<usize> {
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

    /// The innermost view under the point that can scroll by that sign.
    fn scrollable_at(&mut self, at: PxPoint, room: &Room<'_>) -> Option<(&'static str, i32, i32)> {
        let placed = self.refresh(room)?;
        let views = &placed.window.views;
        let hit = views.iter().rposition(|view| view.visible.contains(at) && view.scrollable)?;
        let most = placed.handlers[hit].max_offset?;
        Some((views[hit].id.unwrap_or(""), most, views[hit].visible.height()))
    }

    fn is_menu(&self) -> bool {
        self.stack.last().is_some_and(|top| self.app.surface(&top.page) == Surface::Menu)
    }
}

/// The first field that wants the focus when its page opens.
fn auto_focus<Msg>(placed: &Placed<Msg>) -> Option<(&'static str, usize)> {
    placed.handlers.iter().zip(&placed.window.views).find_map(|(handlers, view)| {
        let field = handlers.field.as_ref()?;
        if field.auto_focus { Some((view.id?, field.value.chars().count())) } else { None }
    })
}

impl<A: App> Process for Running<A> {
    fn clone_box(&self) -> Box<dyn Process> {
        Box::new(Running::<A> {
            app: self.app.clone(),
            bugs: self.bugs.clone(),
            stack: self.stack.clone(),
            pending: self.pending.clone(),
            granted: self.granted.clone(),
            waiting: self.waiting,
            keyboard: self.keyboard,
            hung: self.hung,
            next_id: self.next_id,
            last_touched: self.last_touched,
            requests: self.requests.clone(),
            placed: None,
        })
    }

    fn manifest(&self) -> &'static Manifest {
        A::manifest()
    }

    fn alive(&self) -> bool {
        !self.stack.is_empty()
    }

    fn start(&mut self, room: &Room<'_>) {
        self.stop();
        let page = self.app.start();
        self.push_page(page, room.rotation);
        let entry = self.top_id();
        self.handle(entry, room, |app, page, sys| app.resumed(page, sys));
    }

    fn stop(&mut self) {
        self.stack.clear();
        self.pending.clear();
        self.waiting = None;
        self.keyboard = None;
        self.hung = None;
        self.placed = None;
        self.requests.clear();
    }

    fn clear_data(&mut self) {
        self.stop();
        self.granted.clear();
        self.app = A::install(&self.bugs);
        // Ids start anew too: a test after "clear data" must not depend on the tests before it.
        self.next_id = 0;
        self.last_touched = PxRect::default();
    }

    fn hung(&self) -> Option<&'static str> {
        self.hung
    }

    fn activity(&self) -> &'static str {
        let surfaces = self.stack.iter().rev().map(|entry| self.app.surface(&entry.page));
        surfaces
            .filter_map(|surface| if let Surface::Activity(name) = surface { Some(name) } else { None })
            .next()
            .unwrap_or("")
    }

    fn top(&mut self, room: &Room<'_>) -> &PlacedWindow {
        const NOTHING: &PlacedWindow =
            &PlacedWindow { bounds: PxRect::new(0, 0, 0, 0), dims: false, views: Vec::new() };
        self.refresh(room).map_or(NOTHING, |placed| &placed.window)
    }

    fn windows(&mut self, room: &Room<'_>) -> Vec<PlacedWindow> {
        let first = self
            .stack
            .iter()
            .rposition(|entry| matches!(self.app.surface(&entry.page), Surface::Activity(_)))
            .unwrap_or(0);
        (first..self.stack.len()).map(|index| self.place(index, room).window).collect()
    }

    fn keyboard(&self) -> Option<KeyboardState> {
        self.keyboard
    }

    fn set_keyboard(&mut self, keyboard: Option<KeyboardState>) {
        if self.keyboard.is_some() != keyboard.is_some() {
            self.placed = None;
        }
        self.keyboard = keyboard;
    }

    fn ime(&mut self, room: &Room<'_>) -> Option<ImeAction> {
        self.focused(room).filter(|(_, _, field)| !field.multi_line).map(|(_, _, field)| field.ime)
    }

    fn tap(&mut self, at: PxPoint, long: bool, room: &Room<'_>) {
        let Some(placed) = self.refresh(room) else { return };
        if !placed.window.bounds.contains(at) {
            let entry = self.top_id();
            if self.is_menu() {
                self.remove(entry, room);
                self.placed = None;
            } else {
                self.handle(entry, room, |app, page, sys| app.back(page, sys));
            }
            return;
        }
        let Some(index) = self.touched(at, room) else { return };
        let Some(placed) = self.placed.as_ref() else { return };
        let (view, handlers) = (&placed.window.views[index], &placed.handlers[index]);
        if !view.enabled {
            return;
        }
        let bounds = view.bounds;
        if let (Some(id), Some(_)) = (view.id, &handlers.field) {
            self.focus_field(id, room);
            return;
        }
        let msg = if long {
            handlers.long_click.clone().or_else(|| handlers.click.clone())
        } else {
            handlers.click.clone()
        };
        if let Some(msg) = msg {
            self.last_touched = bounds;
            let entry = self.top_id();
            self.send(entry, msg, room);
        }
    }

    fn set_text(&mut self, at: PxPoint, text: &str, room: &Room<'_>) {
        let Some(placed) = self.refresh(room) else { return };
        let views = placed.window.views.iter().zip(&placed.handlers);
        let hit = views.rev().find(|(view, handlers)| view.visible.contains(at) && handlers.field.is_some());
        let Some((id, field)) = hit.and_then(|(view, handlers)| Some((view.id?, handlers.field.clone()?)))
        else {
            return;
        };
        self.focus_field(id, room);
        self.write(&field, text, usize::MAX, room);
    }

    fn type_text(&mut self, text: &str, room: &Room<'_>) {
        if let Some((_, cursor, field)) = self.focused(room) {
            let mut chars: Vec<char> = field.value.chars().collect();
            let typed: Vec<char> = text.chars().collect();
            let count = typed.len();
            chars.splice(cursor..cursor, typed);
            let value: String = chars.into_iter().collect();
            self.write(&field, &value, cursor + count, room);
        }
    }

    fn delete_char(&mut self, room: &Room<'_>) {
        if let Some((_, cursor, field)) = self.focused(room)
            && cursor > 0
        {
            let mut chars: Vec<char> = field.value.chars().collect();
            chars.remove(cursor - 1);
            let value: String = chars.into_iter().collect();
            self.write(&field, &value, cursor - 1, room);
        }
    }

    fn ime_action(&mut self, room: &Room<'_>) {
        let Some((id, _, field)) = self.focused(room) else { return };
        if field.multi_line {
            self.type_text("\n", room);
            return;
        }
        if let Some(msg) = field.on_action {
            let entry = self.top_id();
            self.send(entry, msg, room);
        } else if field.ime == ImeAction::Next
            && let Some(next) = self.next_field(id)
        {
            self.focus_field(next, room);
            return;
        }
        self.set_keyboard(None);
    }

    fn scroll(&mut self, at: PxPoint, by: i32, room: &Room<'_>) {
        let Some((id, most, _)) = self.scrollable_at(at, room) else { return };
        let top = self.stack.last_mut();
        if let Some(scroll) = top.and_then(|top| top.scrolls.iter_mut().find(|scroll| scroll.id == id)) {
            scroll.offset = (scroll.offset + by).clamp(0, most);
            self.placed = None;
        }
    }

    fn swipe(&mut self, at: PxPoint, direction: Direction, room: &Room<'_>) {
        let Some((_, _, height)) = self.scrollable_at(at, room) else { return };
        let distance = height * 4 / 5;
        match direction {
            Direction::Up => self.scroll(at, distance, room),
            Direction::Down => self.scroll(at, -distance, room),
            Direction::Left | Direction::Right => {}
        }
    }

    fn back(&mut self, room: &Room<'_>) {
        let entry = self.top_id();
        if self.keyboard.is_some() {
            self.set_keyboard(None);
        } else if self.is_menu() {
            self.remove(entry, room);
            self.placed = None;
        } else {
            self.handle(entry, room, |app, page, sys| app.back(page, sys));
        }
    }

    fn turned(&mut self, room: &Room<'_>) {
        while self.is_menu() {
            self.stack.pop();
        }
        self.keyboard = None;
        self.placed = None;
        let surfaces: Vec<Surface> = self.stack.iter().map(|entry| self.app.surface(&entry.page)).collect();
        let first = surfaces.iter().rposition(|surface| matches!(surface, Surface::Activity(_))).unwrap_or(0);
        let shown: Vec<u64> = self.stack.iter().skip(first).map(|entry| entry.id).collect();
        for entry in shown {
            if let Some(page) = self.stack.iter_mut().find(|candidate| candidate.id == entry) {
                page.rotation = room.rotation;
            }
            self.handle(entry, room, |app, page, sys| app.recreated(page, sys));
        }
    }

    fn came_to_front(&mut self, room: &Room<'_>) {
        self.keyboard = None;
        self.reveal(room);
    }

    fn time_passed(&mut self) {
        self.placed = None;
    }

    fn permission_answer(&mut self, permission: &'static str, granted: bool, room: &Room<'_>) {
        if granted {
            self.granted.insert(permission);
        }
        if let Some((entry, answer)) = self.waiting.take() {
            self.send(entry, answer(granted), room);
        }
    }

    fn next_due(&self) -> Option<DeviceInstant> {
        if self.hung.is_some() {
            return None;
        }
        self.pending.iter().map(|pending| pending.due).min()
    }

    fn run_due(&mut self, room: &Room<'_>) {
        while self.hung.is_none() {
            let due = self.pending.iter().enumerate().filter(|(_, pending)| pending.due <= room.now);
            let Some((place, _)) = due.min_by_key(|(_, pending)| (pending.due, pending.order)) else {
                return;
            };
            let pending = self.pending.remove(place);
            self.send(pending.entry, pending.msg, room);
        }
    }

    fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }
}

impl<A: App> Running<A> {
    /// The field behind the one of that id, in document order.
    fn next_field(&self, id: &str) -> Option<&'static str> {
        let placed = self.placed.as_ref()?;
        let fields =
            placed.window.views.iter().zip(&placed.handlers).filter(|(_, handlers)| handlers.field.is_some());
        fields.skip_while(|(view, _)| view.id != Some(id)).nth(1).and_then(|(view, _)| view.id)
    }
}
