//! Draws the phone's screen as a person expects Android to look. Called only when somebody looks.
//!
//! `shapes.rs` is the ground and its shapes, `text.rs` and `icons.rs` the glyphs, `picture.rs` the
//! landscapes, `window.rs` the views of a window, `controls.rs` what people use in it, `chrome.rs` what the
//! system shows around it. Knows nothing of apps or of how views get their bounds.
//! The same scene is always the same bytes.

use std::sync::Arc;

use taproof_core::device::Screenshot;

use super::{Color, Fonts, Scene};

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

/// How much of what is behind a dialog or a drawer is covered with black, of 255.
const DIMMED: u8 = 115;

/// Draws a scene.
pub fn draw(scene: &Scene, fonts: &Fonts) -> Screenshot {
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
