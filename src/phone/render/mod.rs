//! Draws the phone's screen as a person expects Android to look. Used only when a picture is requested.
//!
//! `shapes.rs` has the canvas and its shapes, `text.rs` and `icons.rs` draw glyphs, `picture.rs` landscapes,
//! `window.rs` the views of a window, `controls.rs` interactive ones, `chrome.rs` what the system shows around apps.
//! Nothing here depends on apps or on how views get their bounds. Equal scenes give equal bytes.

use std::sync::Arc;

use taproof_engine::device::Screenshot;
use taproof_screen::PxSize;

use super::{Color, Fonts, Icon, Scene};
use crate::toolkit::fonts::Typeface;

mod chrome;
mod controls;
mod icons;
mod picture;
mod shapes;
mod text;
mod window;

#[cfg(test)]
mod tests;

use shapes::{Canvas, Ink};

/// Opacity of the black that dims what is behind a dialog or a drawer, of 255.
const DIMMED: u8 = 115;

/// Draws an app's icon as a launcher shows it: its symbol on a disc in its colour, on a transparent ground.
pub(crate) fn launcher_icon(icon: Icon, color: Color, side_px: i32) -> Screenshot {
    let size = PxSize { width: side_px.max(1), height: side_px.max(1) };
    let mut canvas = Canvas::new(size, color);
    let side = size.width as f32;
    let (symbol, margin) = (side * 0.55, side * 0.225);
    let pen = (margin, margin + symbol);
    let white = Ink::solid(Color::WHITE);
    text::glyph(&mut canvas, &Fonts::default(), icons::codepoint(icon), symbol, Typeface::Icons, pen, white);
    let mut rgba = canvas.into_rgba();
    for (index, pixel) in rgba.chunks_exact_mut(4).enumerate() {
        let index = index as i32;
        let from_middle = |px: i32| px as f32 + 0.5 - side / 2.0;
        let (x, y) = (from_middle(index % size.width), from_middle(index / size.width));
        let distance = (x * x + y * y).sqrt();
        let inside = (side / 2.0 - distance + 0.5).clamp(0.0, 1.0);
        if let Some(alpha) = pixel.last_mut() {
            *alpha = (inside * 255.0) as u8;
        }
    }
    Screenshot { size, rgba: Arc::new(rgba) }
}

/// Draws a scene in the resolution of the screen.
pub(crate) fn draw(scene: &Scene, fonts: &Fonts) -> Screenshot {
    let mut canvas = Canvas::new(scene.screen, Color(0));
    let accent = scene.status_color;
    chrome::status_bar(&mut canvas, fonts, scene);
    for placed in &scene.windows {
        if placed.dims {
            let screen = canvas.bounds();
            canvas.rect(screen, Ink { color: Color(0), alpha: DIMMED });
        }
        window::window(&mut canvas, fonts, placed, accent);
    }
    if let Some(keyboard) = &scene.keyboard {
        chrome::keyboard(&mut canvas, fonts, keyboard, accent);
    }
    chrome::navigation_bar(&mut canvas, scene.keyboard.is_some());
    if let Some(toast) = &scene.toast {
        chrome::toast(&mut canvas, fonts, toast, scene.keyboard.as_ref());
    }
    Screenshot { size: scene.screen, rgba: Arc::new(canvas.into_rgba()) }
}
