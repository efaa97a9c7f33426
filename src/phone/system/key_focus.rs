//! The keyboard focus: the widget that Tab and the arrow keys have reached, and what Enter does there.

use taproof_screen::{Direction, PxRect};

use super::process::{Process, Room};
use super::running::Running;
use crate::app::App;
use crate::toolkit::scene::PlacedView;
use crate::toolkit::view::Icon;

impl<A: App> Running<A> {
    /// Index of the view with the keyboard focus: the focused field, or the view that keys have reached.
    fn key_focus(&mut self, room: &Room<'_>) -> Option<usize> {
        let (id, reached) = self.stack.last().map(|top| (top.focus, top.key_focus))?;
        let views = &self.refresh(room)?.window.views;
        let field = id.and_then(|id| views.iter().position(|view| view.id == Some(id)));
        field.or(reached.filter(|index| views.get(*index).is_some_and(takes_focus)))
    }

    /// Called at a touch, which ends the focus that keys have reached.
    pub(crate) fn end_key_focus(&mut self) {
        let reached = self.stack.last_mut().and_then(|top| top.key_focus.take());
        if reached.is_some() {
            self.placed = None;
        }
    }

    fn set_key_focus(&mut self, index: usize, room: &Room<'_>) {
        let Some(placed) = self.refresh(room) else { return };
        let (Some(view), Some(handlers)) = (placed.window.views.get(index), placed.handlers.get(index))
        else {
            return;
        };
        let field = handlers.field.as_ref().and_then(|field| Some((view.id?, field.value.chars().count())));
        let Some(top) = self.stack.last_mut() else { return };
        top.focus = field.map(|(id, _)| id);
        top.cursor = field.map_or(0, |(_, length)| length);
        top.key_focus = if field.is_none() { Some(index) } else { None };
        if field.is_none() {
            self.keyboard = None;
        }
        self.placed = None;
    }

    /// Moves the cursor inside the focused field. Returns `false` if there is no field, or no character in this
    /// direction.
    fn move_cursor(&mut self, direction: Option<Direction>, room: &Room<'_>) -> bool {
        let Some((_, cursor, field)) = self.focused(room) else { return false };
        let moved = match direction {
            Some(Direction::Left) => cursor.checked_sub(1),
            Some(Direction::Right) => Some(cursor + 1).filter(|next| *next <= field.value.chars().count()),
            Some(Direction::Up | Direction::Down) | None => None,
        };
        if let (Some(top), Some(moved)) = (self.stack.last_mut(), moved) {
            top.cursor = moved;
            self.placed = None;
        }
        moved.is_some()
    }

    pub(crate) fn move_key_focus(&mut self, direction: Option<Direction>, room: &Room<'_>) {
        if self.move_cursor(direction, room) {
            return;
        }
        let from = self.key_focus(room);
        let Some(placed) = self.refresh(room) else { return };
        let views = &placed.window.views;
        let next = match (from, direction) {
            (None, _) => views.iter().position(takes_focus),
            (Some(from), None) => {
                let behind = (from + 1..views.len()).chain(0..from);
                behind.into_iter().find(|index| views.get(*index).is_some_and(takes_focus))
            }
            (Some(from), Some(direction)) => nearest(views, from, direction),
        };
        match (next, direction) {
            (Some(next), _) => self.set_key_focus(next, room),
            (None, Some(direction @ (Direction::Up | Direction::Down))) => {
                let middle = from.and_then(|from| Some(views.get(from)?.visible.center()));
                let by = if direction == Direction::Down { 1 } else { -1 };
                if let Some(at) = middle
                    && let Some((_, _, height)) = self.scrollable_at(at, room)
                {
                    self.scroll(at, by * height / 2, room);
                }
            }
            (None, _) => {}
        }
    }

    /// Activates the view that keys have reached.
    pub(crate) fn press_key_focus(&mut self, room: &Room<'_>) {
        let Some(index) = self.key_focus(room) else { return };
        let Some(placed) = self.refresh(room) else { return };
        let (view, handlers) = (&placed.window.views[index], &placed.handlers[index]);
        let (bounds, click, is_field) = (view.bounds, handlers.click.clone(), handlers.field.is_some());
        if is_field {
            self.set_keyboard(Some(self.keyboard.unwrap_or_default()));
        } else if let Some(msg) = click {
            self.last_touched = bounds;
            let entry = self.top_id();
            self.send(entry, msg, room);
        }
    }

    /// Opens the menu of the toolbar if it has one, or closes the open menu.
    pub(crate) fn press_menu(&mut self, room: &Room<'_>) {
        if self.is_menu() {
            let entry = self.top_id();
            self.remove(entry, room);
            self.placed = None;
            return;
        }
        let Some(placed) = self.refresh(room) else { return };
        let views = &placed.window.views;
        let overflow = views.iter().position(|view| {
            let bar = view.parent.and_then(|parent| views.get(parent as usize));
            view.shows(Icon::MoreVert) && bar.is_some_and(|bar| bar.id == Some("toolbar"))
        });
        let Some(index) = overflow else { return };
        let (bounds, click) = (views[index].bounds, placed.handlers[index].click.clone());
        if let Some(msg) = click {
            self.last_touched = bounds;
            let entry = self.top_id();
            self.send(entry, msg, room);
        }
    }
}

fn takes_focus(view: &PlacedView) -> bool {
    view.clickable && view.enabled && view.visible.width() > 0 && view.visible.height() > 0
}

/// Returns the nearest focusable view in a direction, as Android's FocusFinder does: the distance along the direction
/// weighs thirteen times as much as that across it, and sideways any view that overlaps the row comes first.
fn nearest(views: &[PlacedView], from: usize, direction: Direction) -> Option<usize> {
    let source = views.get(from)?.visible;
    let weighed = views.iter().enumerate().filter(|(index, view)| *index != from && takes_focus(view));
    weighed
        .filter(|(_, view)| lies_that_way(source, view.visible, direction))
        .min_by_key(|(index, view)| (weight(source, view.visible, direction), *index))
        .map(|(index, _)| index)
}

fn lies_that_way(from: PxRect, to: PxRect, direction: Direction) -> bool {
    match direction {
        Direction::Left => (from.right > to.right || from.left >= to.right) && from.left > to.left,
        Direction::Right => (from.left < to.left || from.right <= to.left) && from.right < to.right,
        Direction::Up => (from.bottom > to.bottom || from.top >= to.bottom) && from.top > to.top,
        Direction::Down => (from.top < to.top || from.bottom <= to.top) && from.bottom < to.bottom,
    }
}

fn weight(from: PxRect, to: PxRect, direction: Direction) -> (bool, i64) {
    let (middle, other) = (from.center(), to.center());
    let (along, across, outside) = match direction {
        Direction::Left => (from.left - to.right, middle.y - other.y, apart_in_height(from, to)),
        Direction::Right => (to.left - from.right, middle.y - other.y, apart_in_height(from, to)),
        Direction::Up => (from.top - to.bottom, middle.x - other.x, false),
        Direction::Down => (to.top - from.bottom, middle.x - other.x, false),
    };
    let (along, across) = (i64::from(along.max(0)), i64::from(across));
    (outside, 13 * along * along + across * across)
}

fn apart_in_height(from: PxRect, to: PxRect) -> bool {
    to.bottom <= from.top || to.top >= from.bottom
}
