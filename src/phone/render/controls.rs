//! Draws text fields, checkable views, progress rings.

use tiny_skia::PathBuilder;

use taproof_screen::PxRect;

use super::super::{CheckStyle, Color, PX_PER_DP, PlacedField, PlacedView, TextStyle};
use super::shapes::{Canvas, Ink, is_dark, mix};
use super::text::{TextFont, block, line};
use super::window::{Surroundings, contrast};
use crate::toolkit::fonts::Fonts;

/// The font of texts in fields and of labels.
const FONT: TextFont = TextFont { size_sp: 16, medium: false };
/// Height in px above which a field of several lines has no underline, like a page of paper.
const PAGE_PX: i32 = 140 * PX_PER_DP;
/// Stands for a hidden character.
const BULLET: &str = "•";

/// Draws a text field: its text or hint, the cursor, the underline.
pub(super) fn field(
    canvas: &mut Canvas,
    fonts: &Fonts,
    view: &PlacedView,
    field: &PlacedField,
    room: PxRect,
    around: &Surroundings,
) {
    let on_dark = is_dark(around.ground);
    let active = if on_dark { Color::WHITE } else { around.accent };
    let plain = view.look.background.is_none() && view.look.border.is_none();
    if plain && !(field.multi_line && view.bounds.height() > PAGE_PX) {
        let thickness = if field.focused { 2 * PX_PER_DP } else { PX_PER_DP };
        let bottom = view.bounds.bottom - 4 * PX_PER_DP;
        let under = PxRect::new(room.left, bottom - thickness, room.right, bottom);
        let idle = Ink { color: contrast(around.ground), alpha: 107 }.faded(around.opacity);
        canvas.rect(under, if field.focused { around.ink(active) } else { idle });
    }
    // The cursor at the end of a full line may be outside of the area.
    let clip = PxRect { left: room.left - PX_PER_DP, right: room.right + PX_PER_DP, ..view.bounds };
    let before = canvas.set_clip(clip.intersect(&view.visible));
    let ink = around.ink(around.readable(Color::TEXT));
    let cursor_ink = field.focused.then(|| around.ink(active));
    if field.value.is_empty() {
        let hint = Ink { color: contrast(around.ground), alpha: if on_dark { 178 } else { 97 } };
        let style = TextStyle { max_lines: if field.multi_line { 3 } else { 1 }, ..TextStyle::default() };
        block(canvas, fonts, &field.hint, &style, room, hint.faded(around.opacity));
    }
    if field.multi_line {
        many_lines(canvas, fonts, field, room, ink, cursor_ink);
    } else {
        one_line(canvas, fonts, field, room, ink, cursor_ink);
    }
    canvas.set_clip(before);
}

fn one_line(
    canvas: &mut Canvas,
    fonts: &Fonts,
    field: &PlacedField,
    room: PxRect,
    ink: Ink,
    cursor: Option<Ink>,
) {
    let shown = if field.password {
        BULLET.repeat(field.value.chars().count())
    } else {
        field.value.replace('\n', " ")
    };
    let at = FONT.width(fonts, &shown[..byte_of(&shown, field.cursor)]);
    // A text that is too long is shifted so that the cursor is visible, or the beginning without a cursor.
    let moved = if cursor.is_some() { (at - room.width()).max(0) } else { 0 };
    let height = fonts.line_height_px(FONT.size_sp);
    let top = room.top + (room.height() - height) / 2;
    line(canvas, fonts, &shown, FONT, (room.left - moved, top), ink);
    if let Some(ink) = cursor {
        cursor_bar(canvas, room.left - moved + at, top, height, ink);
    }
}

fn many_lines(
    canvas: &mut Canvas,
    fonts: &Fonts,
    field: &PlacedField,
    room: PxRect,
    ink: Ink,
    cursor: Option<Ink>,
) {
    let text: &str = &field.value;
    let style = TextStyle { max_lines: i32::MAX, ..TextStyle::default() };
    let lines = fonts.wrap(text, &style, room.width());
    let place = byte_of(text, field.cursor);
    let current = lines.iter().rposition(|line| line.start <= place).unwrap_or(0);
    let height = fonts.line_height_px(FONT.size_sp);
    let cursor_bottom = (current as i32 + 1) * height;
    let moved = if cursor.is_some() { (cursor_bottom - room.height()).max(0) } else { 0 };
    for (number, range) in (0i32..).zip(&lines) {
        let top = room.top + number * height - moved;
        if top >= room.bottom {
            break;
        }
        if top + height > room.top {
            line(canvas, fonts, &text[range.clone()], FONT, (room.left, top), ink);
        }
    }
    if let (Some(ink), Some(range)) = (cursor, lines.get(current)) {
        let at = FONT.width(fonts, &text[range.start..place.max(range.start)]).min(room.width());
        cursor_bar(canvas, room.left + at, room.top + current as i32 * height - moved, height, ink);
    }
}

fn cursor_bar(canvas: &mut Canvas, x: i32, top: i32, height: i32, ink: Ink) {
    canvas.rect(PxRect::new(x - 1, top + 2, x + 4, top + height - 2), ink);
}

/// The byte index of the character with index `count`.
fn byte_of(text: &str, count: usize) -> usize {
    text.char_indices().nth(count).map_or(text.len(), |(place, _)| place)
}

/// Draws a checkable view: a box or radio button before the label, or a switch after it. Without a label it is centred.
pub(super) fn check(
    canvas: &mut Canvas,
    fonts: &Fonts,
    (style, checked): (CheckStyle, bool),
    label: &str,
    room: PxRect,
    around: &Surroundings,
) {
    let wide = 36 * PX_PER_DP;
    let middle = room.center();
    let at_end = style == CheckStyle::Switch;
    let x = match (label.is_empty(), at_end) {
        (true, _) => middle.x,
        (false, true) => room.right - wide / 2,
        (false, false) => room.left + wide / 2,
    };
    let idle = Ink { color: contrast(around.ground), alpha: 138 }.faded(around.opacity);
    let ink = if checked { around.ink(control_color(around)) } else { idle };
    let mark = around.ink(around.ground);
    match style {
        CheckStyle::CheckBox => check_box(canvas, (x, middle.y), checked, ink, mark),
        CheckStyle::Radio => radio(canvas, (x, middle.y), checked, ink),
        CheckStyle::Switch => switch(canvas, (x, middle.y), checked, around),
    }
    if !label.is_empty() {
        let words = if at_end {
            PxRect { right: room.right - wide - 8 * PX_PER_DP, ..room }
        } else {
            PxRect { left: room.left + wide + 8 * PX_PER_DP, ..room }
        };
        let ink = around.ink(around.readable(Color::TEXT));
        block(canvas, fonts, label, &TextStyle::default(), words, ink);
    }
}

/// The accent colour, or white on a dark background.
fn control_color(around: &Surroundings) -> Color {
    if is_dark(around.ground) { Color::WHITE } else { around.accent }
}

fn check_box(canvas: &mut Canvas, (x, y): (i32, i32), checked: bool, ink: Ink, mark: Ink) {
    let half = 9 * PX_PER_DP;
    let frame = PxRect::new(x - half, y - half, x + half, y + half);
    if !checked {
        return canvas.round_frame(frame, 2 * PX_PER_DP, 2 * PX_PER_DP, ink);
    }
    canvas.round_rect(frame, 2 * PX_PER_DP, ink);
    let at =
        |dx: i32, dy: i32| ((x * 2 + dx * PX_PER_DP) as f32 / 2.0, (y * 2 + dy * PX_PER_DP) as f32 / 2.0);
    let mut tick = PathBuilder::new();
    for (place, (dx, dy)) in [(-12, 0), (-4, 8), (12, -8)].into_iter().enumerate() {
        let (x, y) = at(dx, dy);
        if place == 0 { tick.move_to(x, y) } else { tick.line_to(x, y) }
    }
    if let Some(path) = tick.finish() {
        canvas.stroke(&path, 2.0 * PX_PER_DP as f32, mark);
    }
}

fn radio(canvas: &mut Canvas, (x, y): (i32, i32), checked: bool, ink: Ink) {
    let (center, dp) = ((x as f32, y as f32), PX_PER_DP as f32);
    canvas.ring(center, 9.0 * dp, 2.0 * dp, ink);
    if checked {
        canvas.circle(center, 5.0 * dp, ink);
    }
}

fn switch(canvas: &mut Canvas, (x, y): (i32, i32), checked: bool, around: &Surroundings) {
    let (half_width, half_height) = (17 * PX_PER_DP, 7 * PX_PER_DP);
    let track = PxRect::new(x - half_width, y - half_height, x + half_width, y + half_height);
    let color = control_color(around);
    let groove =
        if checked { Ink { color, alpha: 128 } } else { Ink { color: contrast(around.ground), alpha: 82 } };
    canvas.round_rect(track, half_height, groove.faded(around.opacity));
    let thumb_x = if checked { track.right - 10 * PX_PER_DP } else { track.left + 10 * PX_PER_DP };
    let half = 10 * PX_PER_DP;
    let thumb = PxRect::new(thumb_x - half, y - half, thumb_x + half, y + half);
    canvas.shadow(thumb, half, 2);
    let knob = if checked { color } else { Color::SURFACE };
    // A greyed-out thumb is opaque nevertheless; the track must not show through.
    canvas.round_rect(thumb, half, Ink::solid(mix(Color::DIVIDER, knob, around.opacity)));
}

/// Draws three quarters of a ring, as a snapshot of an animated one.
pub(super) fn progress(canvas: &mut Canvas, room: PxRect, around: &Surroundings) {
    const HANDLE: f32 = 0.552_284_8;
    let middle = room.center();
    let (x, y) = (middle.x as f32, middle.y as f32);
    let dp = PX_PER_DP as f32;
    let radius = (room.width().min(room.height()) as f32 / 2.0 - 4.0 * dp).min(20.0 * dp);
    if radius <= 0.0 {
        return;
    }
    let handle = radius * HANDLE;
    let mut arc = PathBuilder::new();
    arc.move_to(x, y - radius);
    arc.cubic_to(x + handle, y - radius, x + radius, y - handle, x + radius, y);
    arc.cubic_to(x + radius, y + handle, x + handle, y + radius, x, y + radius);
    arc.cubic_to(x - handle, y + radius, x - radius, y + handle, x - radius, y);
    canvas.ring((x, y), radius, 4.0 * dp, Ink { color: control_color(around), alpha: 40 });
    if let Some(path) = arc.finish() {
        canvas.stroke(&path, 4.0 * dp, around.ink(control_color(around)));
    }
}
