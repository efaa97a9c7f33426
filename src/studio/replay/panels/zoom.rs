//! The part of the screens that is shown: zoomed by the wheel, by pinching or by a click, and moved by dragging. All
//! screens of a step show the same part, so that they can be compared.

use egui::{CursorIcon, Pos2, Rect, Response, Ui, Vec2};

use crate::parts::overlay::ScreenView;

/// The largest zoom factor.
const MOST: f32 = 8.0;
/// The zoom factor after a click.
const CLICKED: f32 = 2.5;
/// Movement of the wheel that doubles the size, in points.
const DOUBLES: f32 = 240.0;

/// The part of the screens that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// How much larger the screen is than its room.
    factor: f32,
    /// What is in the middle of the room, as parts of the screen's width and height.
    center: Vec2,
}

impl Default for Zoom {
    fn default() -> Self {
        Zoom { factor: 1.0, center: Vec2::splat(0.5) }
    }
}

impl Zoom {
    /// Whether only a part of the screen is shown.
    pub fn zoomed(self) -> bool {
        self.factor > 1.0
    }

    /// Where a screen is that would fit into `room` as a whole. What is outside of that room must be clipped.
    pub fn view(self, fitted: &ScreenView) -> ScreenView {
        let size = fitted.rect.size() * self.factor;
        let min = fitted.rect.center() - size * self.center;
        ScreenView { rect: Rect::from_min_size(min, size), screen: fitted.screen }
    }

    /// Changes the zoom by this factor, and keeps what is at this point of the window where it is.
    fn by(&mut self, factor: f32, at: Pos2, fitted: Rect) {
        let before = self.factor;
        self.factor = (self.factor * factor).clamp(1.0, MOST);
        let off = (at - fitted.center()) / fitted.size();
        self.center += off / before - off / self.factor;
        self.limit();
    }

    /// Moves the screen with the pointer.
    fn drag(&mut self, delta: Vec2, fitted: Rect) {
        self.center -= delta / (fitted.size() * self.factor);
        self.limit();
    }

    /// No room is left empty beside the screen.
    fn limit(&mut self) {
        let half = 0.5 / self.factor;
        self.center = self.center.clamp(Vec2::splat(half), Vec2::splat(1.0 - half));
    }

    /// Follows the pointer on a screen that would fit into `fitted` as a whole.
    pub fn follow(&mut self, response: &Response, fitted: Rect, ui: &Ui) {
        if response.clicked() {
            let at = response.interact_pointer_pos().unwrap_or(fitted.center());
            if self.zoomed() { *self = Zoom::default() } else { self.by(CLICKED, at, fitted) }
        }
        if response.dragged() {
            self.drag(response.drag_delta(), fitted);
        }
        let Some(at) = response.hover_pos() else { return };
        ui.ctx().set_cursor_icon(if self.zoomed() { CursorIcon::ZoomOut } else { CursorIcon::ZoomIn });
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = pinch * (wheel / DOUBLES).exp2();
        if factor != 1.0 {
            self.by(factor, at, fitted);
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;
    use taproof_screen::PxSize;

    #[test]
    fn what_is_under_the_pointer_stays_there_and_no_room_is_left_empty() {
        let fitted = Rect::from_min_size(pos2(10.0, 20.0), egui::vec2(90.0, 160.0));
        let screen = ScreenView { rect: fitted, screen: PxSize { width: 1080, height: 1920 } };
        let mut zoom = Zoom::default();
        assert_eq!(zoom.view(&screen).rect, fitted);
        let at = pos2(40.0, 60.0);
        let before = screen.device_from_panel(at);
        for factor in [2.0, 1.5] {
            zoom.by(factor, at, fitted);
            let now = zoom.view(&screen).device_from_panel(at);
            assert!((now.x - before.x).abs() <= 1 && (now.y - before.y).abs() <= 1, "{now:?} {before:?}");
        }
        zoom.drag(egui::vec2(5_000.0, -5_000.0), fitted);
        let rect = zoom.view(&screen).rect;
        assert!((rect.left() - fitted.left()).abs() < 0.1 && (rect.bottom() - fitted.bottom()).abs() < 0.1);
        zoom.by(0.001, at, fitted);
        assert_eq!(zoom, Zoom::default());
    }
}
