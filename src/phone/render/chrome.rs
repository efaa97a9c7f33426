//! Draws what the system shows around apps: status bar, navigation bar, keyboard, toast.

use tiny_skia::PathBuilder;

use taproof_screen::PxRect;

use super::super::{Align, Color, ImeAction, KeyAction, KeyCap, Keyboard, PX_PER_DP, Scene, TextStyle};
use super::icons::{own, symbol};
use super::shapes::{Canvas, Ink, is_dark, mix};
use super::text::{TextFont, block, line};
use crate::toolkit::fonts::Fonts;

const STATUS_BAR_PX: i32 = 24 * PX_PER_DP;
const NAVIGATION_BAR_PX: i32 = 48 * PX_PER_DP;

/// Draws the status bar: time, battery, and the network icons if there is a network.
pub(super) fn status_bar(canvas: &mut Canvas, fonts: &Fonts, scene: &Scene) {
    let screen = canvas.bounds();
    let ground = mix(scene.status_color, Color(0), 52);
    canvas.rect(PxRect { bottom: STATUS_BAR_PX, ..screen }, Ink::solid(ground));
    let color = if is_dark(ground) { Color::WHITE } else { Color::TEXT };
    let ink = Ink { color, alpha: 230 };
    let font = TextFont { size_sp: 14, medium: true };
    let top = (STATUS_BAR_PX - fonts.line_height_px(font.size_sp)) / 2;
    line(canvas, fonts, &scene.clock, font, (12 * PX_PER_DP, top), ink);
    let mut x = screen.right - 16 * PX_PER_DP;
    let network: &[char] = if scene.network { &[own::SIGNAL, own::WIFI] } else { &[] };
    for icon in [own::BATTERY].iter().chain(network) {
        symbol(canvas, fonts, *icon, 15, (x, STATUS_BAR_PX / 2), ink);
        x -= 18 * PX_PER_DP;
    }
}

/// Draws the navigation bar: Back (a triangle that points down if it closes the keyboard), Home, Recents.
pub(super) fn navigation_bar(canvas: &mut Canvas, keyboard_open: bool) {
    let screen = canvas.bounds();
    let bar = PxRect { top: screen.bottom - NAVIGATION_BAR_PX, ..screen };
    canvas.rect(bar, Ink::solid(Color(0)));
    let ink = Ink { color: Color::WHITE, alpha: 225 };
    let (quarter, middle) = (bar.width() / 4, bar.center());
    let dp = PX_PER_DP as f32;
    let (x, y) = ((bar.left + quarter) as f32, middle.y as f32);
    let corners = if keyboard_open {
        [(x, y + 8.0 * dp), (x - 8.0 * dp, y - 6.0 * dp), (x + 8.0 * dp, y - 6.0 * dp)]
    } else {
        [(x - 8.0 * dp, y), (x + 6.0 * dp, y - 8.0 * dp), (x + 6.0 * dp, y + 8.0 * dp)]
    };
    let mut triangle = PathBuilder::new();
    triangle.move_to(corners[0].0, corners[0].1);
    triangle.line_to(corners[1].0, corners[1].1);
    triangle.line_to(corners[2].0, corners[2].1);
    triangle.close();
    if let Some(path) = triangle.finish() {
        canvas.stroke(&path, 2.0 * dp, ink);
    }
    canvas.ring((middle.x as f32, y), 7.5 * dp, 2.0 * dp, ink);
    let (x, half) = (bar.left + 3 * quarter, 7 * PX_PER_DP);
    let square = PxRect::new(x - half, middle.y - half, x + half, middle.y + half);
    canvas.round_frame(square, PX_PER_DP, 2 * PX_PER_DP, ink);
}

/// Draws a toast near the bottom, above the keyboard.
pub(super) fn toast(canvas: &mut Canvas, fonts: &Fonts, text: &str, keyboard: Option<&Keyboard>) {
    let screen = canvas.bounds();
    let style = TextStyle {
        size: 14,
        color: Color::WHITE,
        max_lines: 2,
        align: Align::Center,
        ..TextStyle::default()
    };
    let floor = keyboard.map_or(screen.bottom - NAVIGATION_BAR_PX, |keyboard| keyboard.bounds.top);
    let limit = (screen.width() - 96 * PX_PER_DP).min(400 * PX_PER_DP);
    let lines = fonts.wrap(text, &style, limit);
    let width = |range: &std::ops::Range<usize>| fonts.text_width_px(&text[range.clone()], style.size, false);
    let half_width = lines.iter().map(width).max().unwrap_or(0).min(limit) / 2 + 1;
    let height = lines.len() as i32 * fonts.line_height_px(style.size);
    let bottom = floor - (if keyboard.is_some() { 20 } else { 44 }) * PX_PER_DP;
    let middle = screen.center().x;
    let words = PxRect::new(middle - half_width, bottom - height, middle + half_width, bottom);
    let (side, above) = (20 * PX_PER_DP, 11 * PX_PER_DP);
    let pill = PxRect::new(words.left - side, words.top - above, words.right + side, words.bottom + above);
    canvas.shadow(pill, 22 * PX_PER_DP, 4);
    canvas.round_rect(pill, 22 * PX_PER_DP, Ink { color: Color(0x323232), alpha: 240 });
    block(canvas, fonts, text, &style, words, Ink::solid(style.color));
}

/// Draws the soft keyboard.
pub(super) fn keyboard(canvas: &mut Canvas, fonts: &Fonts, keyboard: &Keyboard, accent: Color) {
    canvas.rect(keyboard.bounds, Ink::solid(Color(0xE4E7EB)));
    let edge = PxRect { bottom: keyboard.bounds.top + 1, ..keyboard.bounds };
    canvas.rect(edge, Ink { color: Color(0), alpha: 30 });
    for key in &keyboard.keys {
        let bounds = key.bounds;
        let cap = PxRect::new(bounds.left + 8, bounds.top + 13, bounds.right - 8, bounds.bottom - 11);
        self::key(canvas, fonts, key, cap, accent);
    }
}

fn key(canvas: &mut Canvas, fonts: &Fonts, key: &KeyCap, cap: PxRect, accent: Color) {
    const LETTER: Color = Color(0xFFFFFF);
    const FUNCTION: Color = Color(0xC8CDD4);
    let radius = 6 * PX_PER_DP;
    let (ground, round) = match key.action {
        KeyAction::Char(_) | KeyAction::Space => (LETTER, radius),
        KeyAction::Shift(true) => (mix(FUNCTION, accent, 90), radius),
        KeyAction::Shift(false) | KeyAction::Delete | KeyAction::Symbols(_) => (FUNCTION, radius),
        KeyAction::Action(_) => (accent, cap.height() / 2),
    };
    canvas.round_rect(cap.offset(0, 3), round, Ink { color: Color(0), alpha: 46 });
    canvas.round_rect(cap, round, Ink::solid(ground));
    let ink = Ink::solid(if is_dark(ground) { Color::WHITE } else { Color(0x2A2D31) });
    let middle = cap.center();
    let mut icon = |icon: char, size: i32| symbol(canvas, fonts, icon, size, (middle.x, middle.y), ink);
    match key.action {
        KeyAction::Char(character) => {
            let label = character.encode_utf8(&mut [0; 4]).to_owned();
            legend(canvas, fonts, &label, 22, cap, ink);
        }
        KeyAction::Symbols(shown) => {
            legend(canvas, fonts, if shown { "ABC" } else { "?123" }, 15, cap, ink);
        }
        KeyAction::Space => legend(canvas, fonts, "English", 13, cap, Ink { alpha: 120, ..ink }),
        KeyAction::Shift(_) => icon(own::SHIFT, 24),
        KeyAction::Delete => icon(own::BACKSPACE, 22),
        KeyAction::Action(None) => icon(own::RETURN, 24),
        KeyAction::Action(Some(ImeAction::Done)) => icon(own::DONE, 24),
        KeyAction::Action(Some(ImeAction::Next)) => icon(own::NEXT, 24),
        KeyAction::Action(Some(ImeAction::Search)) => icon(own::SEARCH, 24),
    }
}

fn legend(canvas: &mut Canvas, fonts: &Fonts, text: &str, size: i32, cap: PxRect, ink: Ink) {
    let style = TextStyle { size, align: Align::Center, ..TextStyle::default() };
    block(canvas, fonts, text, &style, cap, ink);
}
