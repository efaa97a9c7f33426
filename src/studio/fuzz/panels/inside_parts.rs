//! What the engines' views of themselves are made of: numbers, headings and shares.

use egui::{Label, RichText, Ui};

use crate::parts::theme::{caption, strong};
use taproof_core::model::thousands;

/// Numbers beside each other, each over what it counts.
pub fn numbers_ui(numbers: &[(&str, u64, &str)], ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(20.0, 8.0);
        for (word, number, tip) in numbers {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let label = ui.label(RichText::new(thousands(*number)).text_style(egui::TextStyle::Heading));
                let word = ui.label(caption(*word));
                if !tip.is_empty() {
                    label.on_hover_text(*tip);
                    word.on_hover_text(*tip);
                }
            });
        }
    });
    ui.add_space(8.0);
}

/// The heading of a part.
pub fn part_ui(title: &str, what: &str, ui: &mut Ui) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.label(strong(title));
        ui.add(Label::new(caption(what)).truncate());
    });
}

/// How large a share is, as a bar with its number.
pub fn share_ui(label: &str, tip: &str, count: u64, of: u64, color: egui::Color32, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.allocate_ui_with_layout(
            egui::vec2(130.0, 20.0),
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| {
                ui.set_min_width(130.0);
                ui.add(Label::new(label).truncate()).on_hover_text(tip);
            },
        );
        let share = if of == 0 { 0.0 } else { count as f32 / of as f32 };
        let width = (ui.available_width() - 120.0).clamp(60.0, 360.0);
        let (rect, _) = ui.allocate_exact_size(egui::vec2(width, 10.0), egui::Sense::hover());
        let full = rect.with_max_x(rect.left() + rect.width() * share.clamp(0.0, 1.0));
        ui.painter().rect_filled(rect, 3, crate::parts::theme::tokens(ui.ctx()).control);
        ui.painter().rect_filled(full, 3, color);
        ui.label(format!("{} ({:.0} %)", thousands(count), share * 100.0));
    });
}
