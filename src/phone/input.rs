//! Handles touches, keys, texts and the passage of time for a running app.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{CodePoint, Direction, PxPoint, PxRect};

use super::Setting;
use super::app::{App, Manifest, SharedStorage, Surface};
use super::points::ExecutedPoints;
use crate::ImeAction;
use crate::system::process::{KeyboardState, Process, Request, Room};
use crate::system::running::Running;
use crate::toolkit::scene::PlacedWindow;

impl<A: App> Process for Running<A> {
    fn clone_box(&self) -> Box<dyn Process> {
        Box::new(Running::<A> {
            app: self.app.clone(),
            bugs: self.bugs.clone(),
            stack: self.stack.clone(),
            manifest: self.manifest,
            install: Arc::clone(&self.install),
            pending: self.pending.clone(),
            granted: self.granted.clone(),
            revoked: self.revoked.clone(),
            waiting: self.waiting,
            keyboard: self.keyboard,
            hung: self.hung,
            used: self.used,
            next_id: self.next_id,
            last_touched: self.last_touched,
            requests: self.requests.clone(),
            executed: ExecutedPoints::default(),
            placed: None,
        })
    }

    fn manifest(&self) -> &'static Manifest {
        self.manifest
    }

    fn strings(&self) -> BTreeSet<String> {
        self.app.strings()
    }

    fn alive(&self) -> bool {
        !self.stack.is_empty()
    }

    fn running(&self) -> bool {
        self.stack.last().is_some_and(|entry| !entry.lost_process)
    }

    fn start(&mut self, room: &Room<'_>) {
        self.stop();
        self.used = true;
        let page = self.app.start();
        self.push_page(page, room.config);
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
        self.revoked.clear();
        self.used = false;
        self.app = (self.install)(&self.bugs);
        // Ids restart as well, since a test after "clear data" must not depend on earlier tests.
        self.next_id = 0;
        self.last_touched = PxRect::default();
    }

    fn used(&self) -> bool {
        self.used
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
        (self.activity_in_front()..self.stack.len()).map(|index| self.place(index, room).window).collect()
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
        self.end_key_focus();
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
        self.end_key_focus();
        let Some(index) = self.touched(at, room) else { return };
        let Some(placed) = self.placed.as_ref() else { return };
        let (id, field) = (placed.window.views[index].id, &placed.handlers[index].field);
        let (Some(id), Some(field)) = (id, field.clone()) else { return };
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
            let to = (scroll.offset + by).clamp(0, most);
            let moved = std::mem::replace(&mut scroll.offset, to) != to;
            self.placed = None;
            if moved {
                let entry = self.top_id();
                self.handle(entry, room, |app, page, sys| app.scrolled(page, sys));
            }
        }
    }

    fn swipe(&mut self, at: PxPoint, direction: Direction, room: &Room<'_>) {
        if matches!(direction, Direction::Left | Direction::Right) {
            if let Some((msg, entry)) = self.swiped(at, room).zip(Some(self.top_id())) {
                self.send(entry, msg, room);
            }
            return;
        }
        let Some((_, _, height)) = self.scrollable_at(at, room) else { return };
        let distance = height * 4 / 5;
        self.scroll(at, if direction == Direction::Up { distance } else { -distance }, room);
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

    fn reconfigured(&mut self, room: &Room<'_>) {
        while self.is_menu() {
            self.stack.pop();
        }
        self.keyboard = None;
        self.placed = None;
        self.create_anew(room);
    }

    fn kill(&mut self) {
        if !self.alive() {
            return;
        }
        self.destroy_activities();
        let stack = std::mem::take(&mut self.stack);
        self.stop();
        self.stack = stack;
        for entry in &mut self.stack {
            entry.lost_process = true;
        }
        // The first page of a fresh start is discarded, since the saved pages return.
        self.app.start();
    }

    fn destroy_activities(&mut self) {
        // A menu is a window of the activity, not part of its saved state.
        let Running { app, stack, .. } = self;
        stack.retain(|entry| app.surface(&entry.page) != Surface::Menu);
        for entry in stack {
            entry.destroyed = true;
        }
        self.keyboard = None;
        self.placed = None;
    }

    fn revoke(&mut self) -> bool {
        let taken = std::mem::take(&mut self.granted);
        let any = !taken.is_empty();
        self.revoked.extend(taken);
        any
    }

    fn grant_revoked(&mut self) {
        self.granted.append(&mut self.revoked);
    }

    fn granted(&self) -> &BTreeSet<&'static str> {
        &self.granted
    }

    fn set_granted(&mut self, permission: &'static str, granted: bool) {
        if granted {
            self.granted.insert(permission);
        } else {
            self.granted.remove(permission);
        }
    }

    fn enter_key(&mut self, room: &Room<'_>) {
        match self.focused(room) {
            Some(_) => self.ime_action(room),
            None => self.press_key_focus(room),
        }
    }

    fn center_key(&mut self, room: &Room<'_>) {
        self.press_key_focus(room);
    }

    fn menu_key(&mut self, room: &Room<'_>) {
        self.press_menu(room);
    }

    fn move_focus(&mut self, direction: Option<Direction>, room: &Room<'_>) {
        self.move_key_focus(direction, room);
    }

    fn came_to_front(&mut self, room: &Room<'_>) {
        self.keyboard = None;
        self.reveal(true, room);
    }

    fn network_changed(&mut self, room: &Room<'_>) {
        if self.hung.is_none() {
            let entry = self.top_id();
            self.handle(entry, room, |app, page, sys| app.network_changed(page, sys));
        }
    }

    fn setting_changed(&mut self, setting: Setting, room: &Room<'_>) {
        if self.hung.is_none() {
            let entry = self.top_id();
            self.handle(entry, room, |app, page, sys| app.setting_changed(page, setting, sys));
        }
    }

    fn uncovered(&mut self, by: &'static str, room: &Room<'_>) {
        if self.hung.is_none() {
            let entry = self.top_id();
            self.handle(entry, room, |app, page, sys| app.uncovered(page, by, sys));
        }
    }

    fn time_passed(&mut self) {
        self.placed = None;
    }

    fn shared_storage(&mut self) -> Option<&mut dyn SharedStorage> {
        self.app.shared_storage()
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

    fn take_executed(&mut self) -> Vec<CodePoint> {
        self.executed.take().collect()
    }

    fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }
}
