//! Campaigns: the form that starts one, the list, and the numbers of the one that is chosen.

use egui::{ComboBox, Frame, Margin, RichText, ScrollArea, TextEdit, Ui, WidgetType};

use crate::engine::Mode;
use crate::state::{BuildChoice, CampaignForm, Command, FormProblems, StudioState, toggled};

use super::campaign_list::campaign_list_ui;
use super::campaign_numbers::{curve_ui, properties_ui};
use super::findings_list::findings_ui;
use super::parts::{card, empty_state, named, primary_button};
use super::theme::{caption, icon, tokens};

/// Draws the place.
pub fn fuzz_panel_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    egui::CentralPanel::default()
        .frame(Frame::new().fill(tokens(ui.ctx()).base).inner_margin(Margin::same(12)))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            card(ui, |ui| form_ui(state, commands, ui));
            if state.campaigns.list.is_empty() {
                card(ui, |ui| {
                    ui.set_width(ui.available_width());
                    let how = "Choose an app and press Start (F5). Findings appear here while it runs.";
                    empty_state(ui, icon::BUG, "No campaign yet", how);
                });
                return;
            }
            card(ui, |ui| campaign_list_ui(state, commands, ui));
            numbers_ui(state, commands, ui);
        });
}

/// What was found on the left, what was counted on the right.
fn numbers_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(campaign) = state.campaigns.shown() else { return };
    let height = ui.available_height();
    ui.columns_const(|[left, right]| {
        card(left, |ui| {
            ui.set_min_height(height - 26.0);
            findings_ui(campaign, commands, ui);
        });
        card(right, |ui| {
            ui.set_min_height(height - 26.0);
            ScrollArea::vertical().id_salt("numbers").show(ui, |ui| {
                curve_ui(campaign, ui);
                ui.add_space(8.0);
                properties_ui(campaign, ui);
            });
        });
    });
}

fn form_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    let mut form = state.campaigns.form.clone();
    let checked = form.check(&state.apps);
    let problems = checked.as_ref().err().cloned().unwrap_or_default();
    let mut start = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        app_field_ui(state, &mut form, ui);
        build_field_ui(state, &mut form, ui);
        mode_field_ui(&mut form, ui);
        text_field_ui("Events", &mut form.events, 72.0, &problems.events, ui);
        text_field_ui("Seed", &mut form.seed, 48.0, &problems.seed, ui);
        field_ui("Specification", ui, |ui| {
            let dmfs = state.app(&form.app).map_or(0, |app| app.dmfs);
            ui.label(format!("{dmfs} DMFs")).on_hover_text("The functions that are checked, from specs/");
        });
        field_ui("", ui, |ui| {
            start = primary_button(ui, icon::PLAY, "Start", checked.is_ok()).clicked();
        });
    });
    bugs_ui(state, &mut form, ui);
    problems_ui(&problems, ui);
    start |= checked.is_ok() && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::F5));
    match checked {
        Ok(order) if start => commands.push(Command::StartCampaign(Box::new(order))),
        Ok(_) | Err(_) if form != state.campaigns.form => commands.push(Command::EditForm(Box::new(form))),
        Ok(_) | Err(_) => {}
    }
}

fn field_ui(label: &str, ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(caption(label));
        ui.horizontal(contents);
    });
}

fn app_field_ui(state: &StudioState, form: &mut CampaignForm, ui: &mut Ui) {
    field_ui("App", ui, |ui| {
        let shown = state.app(&form.app).map_or("Choose", |app| app.label.as_str());
        let combo = ComboBox::from_id_salt("campaign app").selected_text(shown).width(88.0);
        let response = combo.show_ui(ui, |ui| {
            for app in &state.apps {
                if ui.selectable_label(form.app == app.package, app.label.as_str()).clicked() {
                    form.app.clone_from(&app.package);
                    if matches!(form.build, BuildChoice::Only(_)) {
                        form.build = BuildChoice::Faulty;
                    }
                }
            }
        });
        named(&response.response, WidgetType::ComboBox, "App to test");
    });
}

fn build_field_ui(state: &StudioState, form: &mut CampaignForm, ui: &mut Ui) {
    field_ui("Build", ui, |ui| {
        let word = match &form.build {
            BuildChoice::Faulty => "all bugs".to_owned(),
            BuildChoice::Sound => "sound".to_owned(),
            BuildChoice::Only(bugs) => format!("{} of the bugs", bugs.len()),
        };
        let combo = ComboBox::from_id_salt("campaign build").selected_text(word).width(96.0);
        let response = combo.show_ui(ui, |ui| {
            let only = state.app(&form.app).and_then(|app| app.bugs.first()).map(|(id, _)| id.as_str());
            let choices = [
                ("All bugs (faulty build)", Some(BuildChoice::Faulty)),
                ("No bug (sound build)", Some(BuildChoice::Sound)),
                ("Single bugs\u{2026}", only.map(|id| toggled(&BuildChoice::Sound, id))),
            ];
            for (label, build) in choices {
                if let Some(build) = build
                    && ui.selectable_label(build.word() == form.build.word(), label).clicked()
                {
                    form.build = build;
                }
            }
        });
        named(&response.response, WidgetType::ComboBox, "Build to test");
    });
}

fn mode_field_ui(form: &mut CampaignForm, ui: &mut Ui) {
    let modes = [
        (Mode::Full, "full: DMFs among random events"),
        (Mode::A, "a: each DMF alone, no random events"),
        (Mode::B, "b: one DMF at a time among random events"),
    ];
    field_ui("Mode", ui, |ui| {
        let combo = ComboBox::from_id_salt("campaign mode").selected_text(form.mode.word()).width(56.0);
        let response = combo.show_ui(ui, |ui| {
            for (mode, label) in modes {
                ui.selectable_value(&mut form.mode, mode, label);
            }
        });
        named(&response.response, WidgetType::ComboBox, "Mode");
    });
}

fn text_field_ui(label: &str, text: &mut String, width: f32, problem: &Option<String>, ui: &mut Ui) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let name = ui.label(caption(label));
        let mut edit = TextEdit::singleline(text).desired_width(width).margin(Margin::symmetric(8, 6));
        if problem.is_some() {
            edit = edit.text_color(tokens(ui.ctx()).bad);
        }
        ui.add(edit).labelled_by(name.id);
    });
}

/// The bugs one by one, while single bugs are chosen.
fn bugs_ui(state: &StudioState, form: &mut CampaignForm, ui: &mut Ui) {
    let (BuildChoice::Only(bugs), Some(app)) = (form.build.clone(), state.app(&form.app)) else { return };
    for (id, title) in &app.bugs {
        let mut on = bugs.contains(id);
        ui.horizontal(|ui| {
            if ui.checkbox(&mut on, RichText::new(id).monospace()).changed() {
                form.build = toggled(&form.build, id);
            }
            ui.add(egui::Label::new(RichText::new(title).weak()).truncate());
        });
    }
}

fn problems_ui(problems: &FormProblems, ui: &mut Ui) {
    let fields = [
        ("App", &problems.app),
        ("Build", &problems.build),
        ("Events", &problems.events),
        ("Seed", &problems.seed),
    ];
    for (field, problem) in fields {
        if let Some(problem) = problem {
            ui.horizontal(|ui| {
                let warn = tokens(ui.ctx()).warn;
                ui.label(super::theme::glyph(icon::LOOK).color(warn));
                ui.label(RichText::new(format!("{field}: {problem}")).color(warn));
            });
        }
    }
}
