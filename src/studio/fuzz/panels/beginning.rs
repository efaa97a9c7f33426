//! The seeds of a campaign, its oracles, and whether findings get pictures.

use egui::{Align, ComboBox, Label, Layout, Margin, PopupCloseBehavior, TextEdit, Ui, WidgetType, vec2};

use crate::command::{Command, FileCommand, FileQuestion};
use crate::fuzz::{CampaignForm, FormField, FormProblems, SeedChoice};
use crate::parts::controls::{choose, icon_button, labelled_button, look_ui, named};
use crate::parts::theme::{caption, icon, tokens};
use crate::replay::HistoryRow;
use crate::state::StudioState;
use taproof_campaign::Oracles;

/// Maximum number of findings that are offered as seeds, the newest first.
const OFFERED: usize = 8;

/// Width of the field for the share of confirming with its two labels, in points.
const CONFIRM_WIDTH: f32 = 270.0;

/// Draws the line of these settings, which may change the form.
pub fn beginning_ui(
    state: &StudioState,
    form: &mut CampaignForm,
    problems: &FormProblems,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label("Begin with");
        seeds_ui(state, form, commands, ui);
        ui.add_space(8.0);
        ui.label("Judge by");
        oracles_ui(form, ui);
        ui.add_space(8.0);
        ui.checkbox(&mut form.pictures, "Pictures of findings")
            .on_hover_text("The shortest trace of each finding gets a picture of every screen");
        ui.add_space(8.0);
        confirm_share_ui(form, problems, ui);
    });
    if let Some(note) = form.seedless() {
        look_ui(ui, &note);
    }
}

/// Draws the field for the share of the events with which findings are confirmed and minimised.
fn confirm_share_ui(form: &mut CampaignForm, problems: &FormProblems, ui: &mut Ui) {
    let default = if form.target.device.is_some() { "25" } else { "any" };
    // A size that is known beforehand moves to the next line as a whole.
    let size = vec2(CONFIRM_WIDTH, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let name = ui.label(format!("{} at most", FormField::Confirm.word()));
        let edit = TextEdit::singleline(&mut form.confirm_share).hint_text(default).desired_width(40.0);
        let mut edit = edit.margin(Margin::symmetric(8, 6));
        if problems.contains_key(&FormField::Confirm) {
            edit = edit.text_color(tokens(ui.ctx()).bad);
        }
        let tip = "Maximum number of events for confirming and minimising findings, in percent of the campaign\u{2019}s \
                   events. Empty: 25 % on a device, no limit on the bundled phone";
        ui.add(edit).labelled_by(name.id).on_hover_text(tip);
        ui.label("% of the events");
    });
}

fn seeds_ui(state: &StudioState, form: &mut CampaignForm, commands: &mut Vec<Command>, ui: &mut Ui) {
    let word = match form.seed_traces.as_slice() {
        [] => "no recorded trace".to_owned(),
        [seed] => seed.title.clone(),
        seeds => format!("{} recorded traces", seeds.len()),
    };
    let button = labelled_button(ui, "", &word, true).on_hover_text(
        "Recorded traces that the engines start from in place of the app's first screen; press to choose",
    );
    named(&button, WidgetType::Button, &format!("Begin with {word}"));
    egui::Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(320.0);
        let mut removed = None;
        for (index, seed) in form.seed_traces.iter().enumerate() {
            ui.horizontal(|ui| {
                let remove = format!("Do not begin with {}", seed.title);
                let button = icon_button(ui, icon::DELETE, &remove, true);
                named(&button, WidgetType::Button, &remove);
                if button.clicked() {
                    removed = Some(index);
                }
                ui.add(Label::new(&seed.title).truncate()).on_hover_text(&seed.word);
            });
        }
        if let Some(index) = removed {
            form.seed_traces.remove(index);
        }
        if !form.seed_traces.is_empty() {
            ui.separator();
        }
        for (label, question) in [
            ("A kept trace\u{2026}", FileQuestion::seed_trace as fn() -> FileQuestion),
            ("A recorded session\u{2026}", FileQuestion::seed_walk),
        ] {
            if ui.button(label).clicked() {
                commands.push(Command::File(FileCommand::Ask(Box::new(question()))));
                ui.close();
            }
        }
        findings_ui(state, form, ui);
    });
}

/// Offers the newest findings of the form's app as seeds.
fn findings_ui(state: &StudioState, form: &mut CampaignForm, ui: &mut Ui) {
    let of_app = |row: &&HistoryRow| row.app == form.target.app;
    let choice =
        |row: &HistoryRow| SeedChoice { word: row.id.to_string(), title: format!("finding {}", row.id) };
    let rows = state.history.rows().iter().filter(of_app).take(OFFERED);
    let offered: Vec<(SeedChoice, &str)> = rows.map(|row| (choice(row), row.title.as_str())).collect();
    if offered.is_empty() {
        return;
    }
    ui.separator();
    ui.label(caption("Findings"));
    for (seed, title) in offered {
        let chosen = form.seed_traces.contains(&seed);
        let label = egui::Button::selectable(chosen, format!("{}: {title}", seed.word)).truncate();
        if ui.add(label).on_hover_text(title).clicked() {
            if chosen {
                form.seed_traces.retain(|known| *known != seed);
            } else {
                form.begin_with(seed);
            }
        }
    }
}

fn oracles_ui(form: &mut CampaignForm, ui: &mut Ui) {
    let words = |oracles| match oracles {
        Oracles::All => "all checks",
        Oracles::Own => "its own checks",
    };
    let combo = ComboBox::from_id_salt("oracles").selected_text(words(form.oracles)).width(112.0);
    let choices = [Oracles::All, Oracles::Own].map(|oracles| (oracles, words(oracles)));
    choose(combo, "Judge by", &mut form.oracles, choices, ui).on_hover_text(
        "What decides that something is a bug. All: crashes, invariants, the functions that occur, ODIN\u{2019}s check and the \
         engine\u{2019}s own. Its own: only the engine\u{2019}s, crashes and invariants",
    );
}
