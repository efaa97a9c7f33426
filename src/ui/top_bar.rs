//! The bar at the top: the places, the app on the phone, its build, light and dark, help.

use egui::{ComboBox, RichText, Ui, WidgetType};

use crate::state::{AppEntry, BuildChoice, Command, FileCommand, FileQuestion, Place, StudioState};

use super::parts::{icon_button, labelled_button, named, segments};
use super::theme::{heading, icon, icon_font, tokens};

/// Draws the bar.
pub fn top_bar_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal_centered(|ui| {
        let accent = tokens(ui.ctx()).accent;
        ui.label(RichText::new(icon::BUG).font(icon_font(22.0)).color(accent));
        ui.label(heading("Taproof"));
        ui.add_space(12.0);
        if let Some(place) = segments(ui, Some(state.settings.place), &places(state)) {
            commands.push(Command::Go(place));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if icon_button(ui, icon::HELP, "Shortcuts (F1)", true).clicked() {
                commands.push(Command::SetHelp(!state.settings.help));
            }
            let dark = state.settings.dark;
            let (glyph, label) =
                if dark { (icon::LIGHT, "Light colours") } else { (icon::DARK, "Dark colours") };
            if icon_button(ui, glyph, label, true).clicked() {
                commands.push(Command::SetDark(!dark));
            }
            ui.add_space(4.0);
            if labelled_button(ui, icon::FOLDER, "Open walk\u{2026}", true).clicked() {
                commands.push(Command::File(FileCommand::Ask(Box::new(FileQuestion::walk()))));
            }
            ui.add_space(4.0);
            app_choice_ui(state, commands, ui);
        });
    });
}

fn places(state: &StudioState) -> Vec<(Place, String, &'static str)> {
    let running = state.campaigns.running();
    let findings = state.campaigns.findings();
    let count = |word: &str, number: usize, what: &str| match number {
        0 => word.to_owned(),
        _ => format!("{word}  {number} {what}"),
    };
    vec![
        (
            Place::Record,
            "Record".to_owned(),
            "Record what is done on the phone, edit specifications (Ctrl+1)",
        ),
        (Place::Fuzz, count("Fuzz", running, "running"), "Run campaigns (Ctrl+2)"),
        (
            Place::Replay,
            count("Replay", findings, if findings == 1 { "finding" } else { "findings" }),
            "Step through a finding (Ctrl+3)",
        ),
    ]
}

/// Right to left: the build stands on the right of the app.
fn app_choice_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let current = state.current_app();
    // The bar goes from right to left here.
    let builds = [
        (true, "Sound".to_owned(), "The app without its catalogued bugs"),
        (false, "Faulty".to_owned(), "The app with its catalogued bugs"),
    ];
    let sound = match state.settings.build {
        BuildChoice::Sound => Some(true),
        BuildChoice::Faulty => Some(false),
        BuildChoice::Only(_) => None,
    };
    if let (Some(sound), Some(app)) = (segments(ui, sound, &builds), current) {
        let build = if sound { BuildChoice::Sound } else { BuildChoice::Faulty };
        commands.push(Command::UseApp(app.package.clone(), build));
    }
    let shown = current.map_or("Choose an app", |app| app.label.as_str());
    let response = ComboBox::from_id_salt("app").selected_text(shown).width(112.0).show_ui(ui, |ui| {
        for app in &state.apps {
            let chosen = current == Some(app);
            let response = ui.selectable_label(chosen, app.label.as_str());
            if response.on_hover_text(describe(app)).clicked() {
                commands.push(Command::UseApp(app.package.clone(), state.settings.build.clone()));
            }
        }
    });
    named(&response.response, WidgetType::ComboBox, "App on the phone");
}

fn describe(app: &AppEntry) -> String {
    format!("{}, modelled on {}; {} catalogued bugs", app.package, app.modelled_on, app.bugs.len())
}
