//! The menu of the formats to which a finding or a campaign can be exported.

use egui::{Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{icon_and_text, named};
use crate::parts::theme::icon;
use crate::replay::{ExportCommand, ExportSubject};
use taproof_results::report::ExportKind;

/// Draws the button of the menu. `more` draws further entries at its end.
pub fn export_menu_ui(
    subject: &ExportSubject,
    enabled: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
    more: impl FnOnce(&mut Vec<Command>, &mut Ui),
) {
    let text = icon_and_text(ui, icon::EXPORT, "Export", ui.visuals().text_color());
    ui.add_enabled_ui(enabled, |ui| {
        let menu = ui.menu_button(text, |ui| {
            let of_campaign = matches!(subject, ExportSubject::Campaign(_));
            for kind in ExportKind::ALL.into_iter().filter(|kind| !of_campaign || kind.of_campaigns()) {
                if ui.button(format!("{}\u{2026}", kind.label())).clicked() {
                    commands.push(Command::Export(ExportCommand { subject: subject.clone(), kind }));
                    ui.close();
                }
            }
            more(commands, ui);
        });
        named(&menu.response, WidgetType::Button, "Export");
    });
}
