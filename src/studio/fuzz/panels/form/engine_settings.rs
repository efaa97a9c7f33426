//! The settings of engines: the engines with descriptions on the left, all settings of the open one on the right. Each
//! setting shows its problem, and a button that restores the default.

use egui::{
    Align, Button, ComboBox, Frame, Label, Layout, Margin, RichText, ScrollArea, TextEdit, Ui, WidgetInfo,
    WidgetType, vec2,
};

use taproof_engine::{PRESET, PRESETS};

use crate::command::Command;
use crate::fuzz::{CampaignCommand, CampaignForm, EngineChoice, SettingField, SettingKind};
use crate::parts::controls::{icon_button, labelled_button, named, named_checkbox};
use crate::parts::theme::{caption, heading, icon, strong, tokens};

/// Width of the list of engines, in points.
const LIST: f32 = 250.0;
/// Widths of a setting's name and of its field, in points.
const NAME: f32 = 124.0;
const FIELD: f32 = 104.0;
/// Width in points from which on the settings are shown in two columns.
const TWO: f32 = 2.0 * (NAME + FIELD + 56.0);

/// Draws the settings into the available space.
pub fn engine_settings_ui(
    form: &mut CampaignForm,
    open: &'static str,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.set_width(ui.available_width());
    ui.horizontal(|ui| {
        ui.label(heading("Engines and their settings"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if labelled_button(ui, icon::CHECK, "Back to the campaigns", true).clicked() {
                commands.push(CampaignCommand::Settings(None).into());
            }
        });
    });
    let height = ui.available_height() - 12.0;
    ui.horizontal_top(|ui| {
        ui.allocate_ui_with_layout(vec2(LIST, height), Layout::top_down(Align::Min), |ui| {
            ui.set_width(LIST);
            ScrollArea::vertical().id_salt("engines").show(ui, |ui| {
                for engine in &mut form.engines {
                    engine_ui(engine, engine.name == open, commands, ui);
                }
            });
        });
        ui.allocate_ui_with_layout(vec2(ui.available_width(), height), Layout::top_down(Align::Min), |ui| {
            if let Some(engine) = form.engine_mut(open) {
                settings_ui(engine, ui);
            }
        });
    });
}

/// Draws an engine: whether it is chosen, its name and its description.
fn engine_ui(engine: &mut EngineChoice, open: bool, commands: &mut Vec<Command>, ui: &mut Ui) {
    let colors = tokens(ui.ctx());
    let fill = if open { colors.accent_soft } else { colors.raised };
    let row = Frame::new().fill(fill).corner_radius(6).inner_margin(Margin::symmetric(8, 6));
    row.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().interact_size.y = 20.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let name = format!("Run {}", engine.label());
            named_checkbox(ui, &mut engine.on, "", &name);
            let label = Button::new(strong(engine.label())).frame(false);
            let response = ui.add(label).on_hover_text("Show its settings");
            response.widget_info(|| {
                let name = format!("Settings of {}", engine.label());
                WidgetInfo::selected(WidgetType::SelectableLabel, true, open, name)
            });
            if response.clicked() {
                commands.push(CampaignCommand::Settings(Some(engine.name)).into());
            }
            if !engine.typed.is_empty() {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(caption(format!("{} changed", engine.typed.len())));
                });
            }
        });
        let idea = engine.info().map_or("", |info| info.idea);
        ui.add(Label::new(RichText::new(idea).small().weak()).wrap());
    });
}

/// Draws all settings of an engine by groups.
fn settings_ui(engine: &mut EngineChoice, ui: &mut Ui) {
    let fields = engine.fields();
    let changed = fields.iter().filter(|field| field.changed()).count();
    ui.horizontal(|ui| {
        ui.label(strong(engine.label()));
        if !engine.on {
            ui.label(caption("not picked: it does not run"));
        }
        if engine.info().is_some_and(|info| !info.paper.is_empty()) {
            preset_ui(engine, ui);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if labelled_button(ui, icon::UNDO, "All to default", changed > 0).clicked() {
                engine.typed.clear();
            }
            ui.label(caption(match changed {
                0 => "all as by default".to_owned(),
                changed => format!("{changed} not as by default"),
            }));
        });
    });
    ScrollArea::vertical().id_salt(engine.name).auto_shrink([false, false]).show(ui, |ui| {
        let columns = if ui.available_width() >= TWO { 2 } else { 1 };
        for group in fields.chunk_by(|one, next| one.group() == next.group()) {
            if let Some(first) = group.first().filter(|field| !field.group().is_empty()) {
                ui.add_space(8.0);
                ui.label(caption(first.group().replace('_', " ").replace('.', ", ")));
            }
            for row in group.chunks(columns) {
                ui.columns(columns, |columns| {
                    for (ui, field) in columns.iter_mut().zip(row) {
                        field_ui(engine, field, ui);
                    }
                });
            }
        }
        ui.add_space(12.0);
    });
}

/// Draws the choice of a preset, which fills in the fields of what differs between the paper and the defaults.
fn preset_ui(engine: &mut EngineChoice, ui: &mut Ui) {
    let (name, chosen) = (format!("{} preset", engine.label()), engine.preset());
    let combo = ComboBox::from_id_salt(&name).selected_text(chosen.unwrap_or("own")).width(FIELD);
    let response = combo.show_ui(ui, |ui| {
        for (preset, means) in PRESETS.into_iter().zip(["Our defaults", "As in the paper, where it differs"])
        {
            if ui.selectable_label(chosen == Some(preset), preset).on_hover_text(means).clicked() {
                engine.set_preset(preset);
            }
        }
    });
    let response = response.response.on_hover_text(format!("In commands: {}.{PRESET}", engine.name));
    named(&response, WidgetType::ComboBox, &name);
}

/// Draws a setting: its name, its value, the button that restores the default, and its problem if it has one.
fn field_ui(engine: &mut EngineChoice, field: &SettingField, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(vec2(NAME, 28.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME);
            let words = RichText::new(field.words());
            let words = if field.changed() { words.color(tokens(ui.ctx()).accent) } else { words };
            let hint = field.hint.map_or(String::new(), |hint| format!("{hint}\n"));
            ui.add(Label::new(words).truncate())
                .on_hover_text(format!("{hint}In commands: {}.{}", engine.name, field.key));
        });
        if let Some(text) = value_ui(engine, field, ui) {
            engine.set(&field.key, text);
        }
        if field.changed() {
            let name = format!("Set {} back to {}", field.key, field.default);
            if icon_button(ui, icon::UNDO, &name, true).clicked() {
                engine.set(&field.key, field.default.clone());
            }
        }
    });
    if let Some(problem) = &field.problem {
        ui.horizontal(|ui| {
            ui.add_space(NAME + 8.0);
            ui.add(Label::new(RichText::new(problem).small().color(tokens(ui.ctx()).bad)).wrap());
        });
    }
}

/// Draws the control of a setting. Returns the value that was chosen or typed, if any.
fn value_ui(engine: &EngineChoice, field: &SettingField, ui: &mut Ui) -> Option<String> {
    let name = format!("{} {}", engine.label(), field.key);
    match &field.kind {
        SettingKind::Switch => {
            let mut on = field.text == "true";
            let word = if on { "on" } else { "off" };
            named_checkbox(ui, &mut on, word, &name).changed().then(|| on.to_string())
        }
        SettingKind::Word(words) => {
            let mut chosen = None;
            let combo = ComboBox::from_id_salt(&name).selected_text(&field.text).width(FIELD);
            let response = combo.show_ui(ui, |ui| {
                for word in *words {
                    if ui.selectable_label(*word == field.text, *word).clicked() {
                        chosen = Some((*word).to_owned());
                    }
                }
            });
            named(&response.response, WidgetType::ComboBox, &name);
            chosen
        }
        SettingKind::Text => {
            let mut text = field.text.clone();
            let mut edit =
                TextEdit::singleline(&mut text).desired_width(FIELD).margin(Margin::symmetric(8, 6));
            if field.problem.is_some() {
                edit = edit.text_color(tokens(ui.ctx()).bad);
            }
            let response = ui.add(edit);
            let changed = response.changed();
            response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, &name));
            changed.then_some(text)
        }
    }
}
