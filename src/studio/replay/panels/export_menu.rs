//! The menu of the formats to which a finding or a campaign can be exported.

use egui::{Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{icon_and_text, named};
use crate::parts::theme::icon;
use crate::replay::{ExportCommand, ExportSubject};
use taproof_results::report::ExportKind;

/// Number of steps before the failing one whose screens the short page shows.
const FEW: usize = 3;

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
            let mut order = |kind, screens_before| {
                let subject = subject.clone();
                commands.push(Command::Export(ExportCommand { subject, kind, screens_before }));
            };
            for kind in ExportKind::ALL.into_iter().filter(|kind| !of_campaign || kind.of_campaigns()) {
                if ui.button(format!("{}\u{2026}", kind.label())).clicked() {
                    order(kind, None);
                    ui.close();
                }
                if kind == ExportKind::Html {
                    let short = ui.button(format!("HTML page, last {} screens\u{2026}", FEW + 2));
                    let tip = format!(
                        "Tells every step, and shows the screens of the failing one and of the {FEW} before it: a smaller file"
                    );
                    if short.on_hover_text(tip).clicked() {
                        order(kind, Some(FEW));
                        ui.close();
                    }
                }
            }
            more(commands, ui);
        });
        named(&menu.response, WidgetType::Button, "Export");
    });
}
