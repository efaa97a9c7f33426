//! The hint that is shown while files are dragged over the window.

use egui::{Align2, Context, Id, LayerId, Order};

use crate::parts::theme::{icon, icon_font, medium_font, tokens};

/// Draws the hint over the whole window if files are being dragged.
pub fn drop_overlay_ui(ctx: &Context) {
    if ctx.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let tokens = tokens(ctx);
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::new("drop overlay")));
    let room = ctx.content_rect();
    painter.rect_filled(room, 0.0, tokens.base.gamma_multiply(0.85));
    let frame = egui::Stroke::new(2.0, tokens.accent);
    painter.rect_stroke(room.shrink(12.0), 8.0, frame, egui::StrokeKind::Inside);
    let center = room.center();
    painter.text(center, Align2::CENTER_BOTTOM, icon::FOLDER, icon_font(40.0), tokens.accent);
    let words = "Drop to open specifications, block lists and recorded sessions, or to install an APK";
    let below = center + egui::vec2(0.0, 8.0);
    painter.text(below, Align2::CENTER_TOP, words, medium_font(16.0), tokens.text);
}
