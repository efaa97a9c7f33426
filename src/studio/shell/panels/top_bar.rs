//! The bar at the top: the places, the app on the phone, its build, light and dark, help.

use egui::{RichText, Ui};

use crate::command::{Command, action};
use crate::parts::controls::{roomy_segments, segments};
use crate::parts::shortcuts::{action_button, key_words};
use crate::parts::theme::{caption, heading, icon, icon_font, tokens};
use crate::phone::panels::app_chooser::{AppChooser, app_chooser_ui};
use crate::state::{Place, StudioState};
use taproof_engine::device::Build;

/// Width in points from which on less important words are shown.
const ROOMY: f32 = 960.0;
/// Width in points below which only the names of the places are shown.
const TIGHT: f32 = 760.0;

/// Draws the bar at the top of the window.
pub fn top_bar_ui(state: &StudioState, chooser: &mut AppChooser, commands: &mut Vec<Command>, ui: &mut Ui) {
    let room = ui.available_width();
    ui.horizontal_centered(|ui| {
        let accent = tokens(ui.ctx()).accent;
        ui.label(RichText::new(icon::BUG).font(icon_font(22.0)).color(accent));
        if room >= ROOMY {
            ui.label(heading("Taproof"));
            ui.add_space(12.0);
        }
        let (counted, places) = (room >= TIGHT, places(state, room >= TIGHT));
        let rooms = if counted { ["Record", "Fuzz  8 running", "Replay  888 new"] } else { [""; 3] };
        if let Some(place) = roomy_segments(ui, Some(state.settings.place), &places, &rooms) {
            commands.push(Command::Go(place));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            action_button(ui, state, commands, "help", icon::HELP, None);
            let glyph = if state.window.dark { icon::LIGHT } else { icon::DARK };
            if counted {
                action_button(ui, state, commands, "preferences", icon::SETTINGS, None);
            }
            action_button(ui, state, commands, "colours", glyph, None);
            action_button(ui, state, commands, "palette", icon::SEARCH, None);
            ui.add_space(4.0);
            action_button(
                ui,
                state,
                commands,
                "walk-open",
                icon::FOLDER,
                (room >= ROOMY).then_some("Open session\u{2026}"),
            );
            ui.add_space(4.0);
            app_choice_ui(state, chooser, if room >= TIGHT { 112.0 } else { 84.0 }, commands, ui);
        });
    });
}

fn places(state: &StudioState, counted: bool) -> Vec<(Place, String, String)> {
    let running = state.campaigns.running_words();
    let new = state.history.new_bugs();
    let new = (new > 0).then(|| format!("{new} new"));
    let count = |place: Place, counts: Option<String>| match counts.filter(|_| counted) {
        None => place.word().to_owned(),
        Some(counts) => format!("{}  {counts}", place.word()),
    };
    let tip = |what: &str, id: &str| {
        format!("{what} ({})", action(id).map(|action| key_words(action.keys)).unwrap_or_default())
    };
    vec![
        (
            Place::Record,
            Place::Record.word().to_owned(),
            tip("Record what is done on the phone, edit specifications", "go-record"),
        ),
        (Place::Fuzz, count(Place::Fuzz, running), tip("Run campaigns", "go-fuzz")),
        (
            Place::Replay,
            count(Place::Replay, new),
            tip(
                "Step through what was found; new are bugs of all campaigns that nobody has looked at",
                "go-replay",
            ),
        ),
    ]
}

/// Draws the choice of the app and its build, from right to left.
fn app_choice_ui(
    state: &StudioState,
    chooser: &mut AppChooser,
    width: f32,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let current = state.current_app();
    // Listed in reverse, since the layout is right to left here.
    let builds = [
        (true, "Without".to_owned(), "The app without its catalogued bugs"),
        (false, "With bugs".to_owned(), "The app with its catalogued bugs"),
    ];
    let target = &state.settings.target;
    let sound = match target.build {
        Build::Sound => Some(true),
        Build::Faulty => Some(false),
        Build::Bugs(_) => None,
    };
    if target.device.is_some() {
        ui.label(caption("as installed")).on_hover_text("The app is tested as it is installed on the device");
    } else if let (Some(sound), Some(app)) = (segments(ui, sound, &builds), current) {
        let build = if sound { Build::Sound } else { Build::Faulty };
        commands.push(Command::UseApp(app.target(build)));
    }
    app_chooser_ui(state, chooser, width, commands, ui);
}
