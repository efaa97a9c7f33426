//! Draws the phone's screen as a person expects Android to look. Used only when a picture is requested.
//!
//! `shapes.rs` has the canvas and its shapes, `text.rs` and `icons.rs` draw glyphs, `picture.rs` landscapes,
//! `window.rs` the views of a window, `controls.rs` interactive ones, `chrome.rs` what the system shows around apps.
//! Nothing here depends on apps or on how views get their bounds. Equal scenes give equal bytes.

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

/// Opacity of the black that dims what is behind a dialog or a drawer, of 255.
const DIMMED: u8 = 115;

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
