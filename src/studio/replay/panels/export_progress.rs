//! The exports in progress, with the remaining time and a button that cancels each.

use egui::containers::menu::MenuButton;
use egui::{Label, RichText, Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{named, progress_bar, small_button, time_left};
use crate::replay::Exporting;
use taproof_screen::thousands;

/// Maximum width of the progress bar, in points.
const BAR: f32 = 200.0;

/// Draws the exports into a right-to-left line: the first one, and a menu of the others.
pub fn export_progress_ui(exports: &[Exporting], commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some((first, others)) = exports.split_first() else { return };
    if !others.is_empty() {
        let words = format!("{} more", others.len());
        let (menu, _) = MenuButton::from_button(small_button(&words)).ui(ui, |ui| {
            for export in others {
                ui.label(RichText::new(heading(export)).small());
                ui.horizontal(|ui| {
                    progress_bar(ui, export.progress(), &words_of(export), BAR);
                    cancel_ui(export, commands, ui);
                });
            }
        });
        named(&menu, WidgetType::Button, &format!("{words} being written"));
    }
    cancel_ui(first, commands, ui);
    let width = BAR.min(ui.available_width() / 2.0);
    progress_bar(ui, first.progress(), &words_of(first), width);
    let heading = heading(first);
    ui.add(Label::new(RichText::new(&heading).small()).truncate()).on_hover_text(heading);
}

fn heading(export: &Exporting) -> String {
    format!("Writing {}", export.file)
}

fn words_of(export: &Exporting) -> String {
    if export.cancelled {
        return "Ending\u{2026}".to_owned();
    }
    let Some((done, all)) = export.pictures else { return "Getting ready\u{2026}".to_owned() };
    let left = export.seconds_left().map(|left| format!("  \u{b7}  {} left", time_left(left)));
    let (done, all) = (thousands(done as u64), thousands(all as u64));
    format!("{done} of {all}{}", left.unwrap_or_default())
}

fn cancel_ui(export: &Exporting, commands: &mut Vec<Command>, ui: &mut Ui) {
    let response = ui.add_enabled(!export.cancelled, small_button("Cancel"));
    let name = format!("Cancel the export of {}", export.file);
    named(&response, WidgetType::Button, &name);
    if response.on_hover_text("Nothing is written").clicked() {
        commands.push(Command::CancelExport(export.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::ExportId;

    #[test]
    fn words_say_how_far_it_is() {
        let mut export = Exporting::new(ExportId(1), "campaign-1.html".into());
        assert_eq!(heading(&export), "Writing campaign-1.html");
        assert_eq!(words_of(&export), "Getting ready\u{2026}");
        export.tick(0.0);
        export.tick(1.0);
        export.take(0, 9);
        assert_eq!(words_of(&export), "0 of 9");
        export.tick(3.0);
        export.take(3, 9);
        assert_eq!(words_of(&export), "3 of 9  \u{b7}  4 s left");
    }
}
