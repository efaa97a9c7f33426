//! The open specifications: a tab for each, and of the shown one the buttons, the DMFs, the form or the block list, and
//! the JSON.

use egui::{Frame, Margin, Panel, RichText, ScrollArea, Ui};

use super::blocks::blocks_ui;
use super::edit::order;
use super::form::form_ui;
use super::json::json_ui;
use super::list::{ListPanel, dmf_list_ui};
use super::repair::repair_ui;
use super::trial::trial_panel_ui;
use super::widgets::WidgetsPanel;
use crate::command::Command;
use crate::parts::controls::{
    Tone, badge, clock, empty_state, icon_button, labelled_button, primary_button, segments,
};
use crate::parts::shortcuts::{keys_of, tip_of};
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use crate::specs::{DocumentCommand, DocumentId, JsonTarget, SpecDocument, file_name};
use crate::state::StudioState;

/// Width in points from which on the JSON is shown beside the form.
const WIDE: f32 = 980.0;

/// The panel's own state.
#[derive(Default)]
pub struct SpecPanel {
    list: ListPanel,
    widgets: WidgetsPanel,
    part: Part,
    /// How often a person had asked elsewhere to see the repair.
    asked_for: u32,
    /// Whether the JSON is shown. `None` shows it if there is space.
    json: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Dmfs,
    Blocks,
    Times,
    Version,
}

/// Draws the side of the place Record that shows specifications.
pub fn spec_panel_ui(state: &StudioState, panel: &mut SpecPanel, commands: &mut Vec<Command>, ui: &mut Ui) {
    if panel.asked_for != state.repair.asked_for {
        panel.asked_for = state.repair.asked_for;
        panel.part = Part::Version;
    }
    let tokens = tokens(ui.ctx());
    let frame = |fill| Frame::new().fill(fill).inner_margin(Margin::symmetric(12, 6));
    let document = state.documents.shown(&state.settings.target.app);
    // A text field would only undo changes of its own text; here the document's steps are undone, wherever the cursor
    // is.
    keys_of(state, commands, ui.ctx(), &["record-redo", "record-undo"]);
    Panel::top("spec tabs").frame(frame(tokens.panel)).show(ui, |ui| {
        tabs_ui(state, document.map(|document| document.id), commands, ui);
        problem_ui(state, commands, ui);
    });
    let Some(document) = document else {
        let how = "Record a function and save it, open a specification (Ctrl+O), or drop a file here.";
        let what = match state.current_app() {
            Some(app) => format!("{} has no specification here", app.label),
            None => "No specification is open".to_owned(),
        };
        empty_state(ui, icon::CHANGED, &what, how);
        return;
    };
    // The screens of two versions need the room.
    let json = panel.part != Part::Version && panel.json.unwrap_or(ui.available_width() > WIDE);
    Panel::top("spec header")
        .frame(frame(tokens.base))
        .show(ui, |ui| header_ui(state, document, panel, json, commands, ui));
    if state.trial.plan.is_some() {
        let frame = frame(tokens.panel);
        Panel::bottom("spec trial").frame(frame).resizable(true).default_size(220.0).show(ui, |ui| {
            ScrollArea::vertical().show(ui, |ui| trial_panel_ui(state, commands, ui));
        });
    }
    let side = Frame::new().fill(tokens.panel).inner_margin(Margin::same(12));
    if json {
        let width = (ui.available_width() * 0.32).clamp(240.0, 520.0);
        Panel::right("spec json").frame(side).default_size(width).size_range(200.0..=900.0).show(ui, |ui| {
            json_ui(document, panel.part == Part::Blocks, commands, ui);
        });
    }
    match panel.part {
        Part::Dmfs => {
            Panel::left("spec list").frame(side).default_size(196.0).size_range(140.0..=360.0).show(
                ui,
                |ui| {
                    dmf_list_ui(&state.documents, document, &mut panel.list, commands, ui);
                },
            );
            egui::CentralPanel::default()
                .frame(Frame::new().fill(tokens.base).inner_margin(Margin::same(12)))
                .show(ui, |ui| {
                    form_ui(state, document, &mut panel.widgets, commands, ui);
                });
        }
        Part::Blocks => {
            egui::CentralPanel::default().frame(side).show(ui, |ui| blocks_ui(state, document, commands, ui));
        }
        Part::Version => {
            egui::CentralPanel::default().frame(side).show(ui, |ui| repair_ui(state, document, commands, ui));
        }
        Part::Times => {
            egui::CentralPanel::default().frame(side).show(ui, |ui| times_ui(document, ui));
        }
    }
}

fn tabs_ui(state: &StudioState, shown: Option<DocumentId>, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        // Those of other apps come with them, but for what is to be saved.
        let listed = |document: &&SpecDocument| {
            let here = document.app == state.settings.target.app || shown == Some(document.id);
            here || document.unsaved()
        };
        for document in state.documents.list.iter().filter(listed) {
            let chosen = shown == Some(document.id);
            let mark = if document.unsaved() { " \u{2022}" } else { "" };
            let text = format!("{}{mark}", document.name);
            let text = if chosen { strong(text) } else { RichText::new(text) };
            let tip = match (&document.main().path, document.shipped) {
                (_, true) => "Ships with Taproof; the first change makes a copy of your own".to_owned(),
                (Some(path), false) => path.display().to_string(),
                (None, false) => "Not saved yet".to_owned(),
            };
            if ui.selectable_label(chosen, text).on_hover_text(tip).clicked() {
                order(commands, DocumentCommand::Show(document.id));
            }
            if chosen
                && !document.shipped
                && icon_button(ui, icon::CLOSE, "Close the document", true).clicked()
            {
                order(commands, DocumentCommand::Close(document.id));
            }
        }
        if icon_button(ui, icon::NEW, "New specification", true).clicked() {
            order(commands, DocumentCommand::New);
        }
        if icon_button(ui, icon::FOLDER, "Open a specification (Ctrl+O)", true).clicked() {
            order(commands, DocumentCommand::AskOpen);
        }
        if !state.documents.recent.is_empty() {
            let menu = ui.menu_button("Recent", |ui| {
                for path in &state.documents.recent {
                    if ui.button(file_name(path)).on_hover_text(path.display().to_string()).clicked() {
                        order(commands, DocumentCommand::Open(path.clone()));
                        ui.close();
                    }
                }
            });
            menu.response.on_hover_text("Files opened or saved lately");
        }
    });
}

fn problem_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(problem) = &state.documents.problem else { return };
    let tokens = tokens(ui.ctx());
    let frame = Frame::new().fill(tokens.bad_soft).corner_radius(6).inner_margin(Margin::symmetric(8, 4));
    frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(glyph(icon::BROKEN).color(tokens.bad));
            if icon_button(ui, icon::CLOSE, "Dismiss the problem", true).clicked() {
                order(commands, DocumentCommand::DismissProblem);
            }
            ui.add(egui::Label::new(problem).wrap());
        });
    });
}

fn header_ui(
    state: &StudioState,
    document: &SpecDocument,
    panel: &mut SpecPanel,
    json: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let id = document.id;
    let (undo, redo) = document.can_undo_redo();
    let choices = [
        (
            Part::Dmfs,
            format!("Functions  {}", document.spec.dmfs.len()),
            "The functions and their properties",
        ),
        (Part::Blocks, "Block list".to_owned(), "What random events must not touch"),
        (
            Part::Version,
            "New version".to_owned(),
            "What the functions no longer find in the app that is on the phone, and what mends them",
        ),
        (Part::Times, "Time".to_owned(), "How long the recording and the editing of each function took you"),
    ];
    ui.horizontal_wrapped(|ui| {
        if let Some(part) = segments(ui, Some(panel.part), &choices) {
            panel.part = part;
            let target = if part == Part::Blocks { JsonTarget::Blocks } else { JsonTarget::Dmf };
            if document.json.problem.is_none() {
                order(commands, DocumentCommand::ShowJson(id, target));
            }
        }
        if icon_button(ui, icon::UNDO, "Undo (Ctrl+Z)", undo).clicked() {
            order(commands, DocumentCommand::Undo(id));
        }
        if icon_button(ui, icon::REDO, "Redo (Ctrl+Shift+Z)", redo).clicked() {
            order(commands, DocumentCommand::Redo(id));
        }
        let shown = if json { "Hide the JSON" } else { "Show the JSON" };
        if icon_button(ui, icon::CODE, shown, true).clicked() {
            panel.json = Some(!json);
        }
        if icon_button(ui, icon::COPY, "Make a copy of the document", true).clicked() {
            order(commands, DocumentCommand::Copy(id));
        }
        if document.shipped {
            badge(ui, icon::LOCK, "shipped; a change makes your own copy", Tone::Plain);
        } else {
            let save = primary_button(ui, icon::SAVE, "Save", document.unsaved());
            if save.on_hover_text(tip_of("spec-save")).clicked() {
                order(commands, DocumentCommand::Save(id));
            }
            let save_as = labelled_button(ui, "", "Save as\u{2026}", true);
            if save_as.on_hover_text(tip_of("spec-save-as")).clicked() {
                order(commands, DocumentCommand::AskSaveAs(id));
            }
        }
        let app = state.app(&document.app).map_or(document.app.as_str(), |app| app.label.as_str());
        let version = format!("{app}  \u{b7}  version {}", document.version);
        ui.label(caption(version))
            .on_hover_text("The version is a short hash of the contents. A campaign says which one it ran");
    });
}

/// Draws the seconds spent on each DMF.
fn times_ui(document: &SpecDocument, ui: &mut Ui) {
    if document.times.is_empty() {
        let how = "The time begins with the first recording or change of a function.";
        empty_state(ui, icon::CHANGED, "No time was counted yet", how);
        return;
    }
    ui.label(caption("Pauses of more than a minute are not counted."));
    egui::Grid::new("times").num_columns(4).spacing([24.0, 6.0]).striped(true).show(ui, |ui| {
        for heading in ["Function", "Recording", "Editing", "Together"] {
            ui.label(caption(heading));
        }
        ui.end_row();
        let mut sum = (0.0, 0.0);
        for (name, time) in &document.times {
            sum = (sum.0 + time.recording, sum.1 + time.editing);
            ui.label(name);
            for seconds in [time.recording, time.editing, time.recording + time.editing] {
                ui.label(clock(seconds));
            }
            ui.end_row();
        }
        ui.label(strong("All"));
        for seconds in [sum.0, sum.1, sum.0 + sum.1] {
            ui.label(strong(clock(seconds)));
        }
        ui.end_row();
    });
}
