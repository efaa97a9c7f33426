//! The recording: the head, the steps with the resulting function, and beside them the screen's widgets.

use egui::{Frame, Label, Margin, Panel, RichText, ScrollArea, Ui, WidgetType};

use super::discovery::discovery_ui;
use super::facts::{blocks_ui, conditions_ui, lints_ui, objects_ui};
use super::head::{ribbon_ui, what_ui};
use super::inspect::inspect_panel_ui;
use super::lead::lead_ui;
use super::proposal_cards::{proposals_hint_ui, proposals_ui};
use super::step::step_ui;
use super::steps::steps_ui;
use crate::command::Command;
use crate::parts::controls::{empty_state, labelled_button, named, primary_button, segments, wide_card};
use crate::parts::overlay::Hover;
use crate::parts::theme::{caption, heading, icon, title, tokens};
use crate::phone::panels::widget_tree::TreePanel;
use crate::record::{DiscoverCommand, NO_PHONE, RecordCommand, RecordPhase};
use crate::specs::trial_panel_ui;
use crate::state::StudioState;

/// Width in points from which on steps and widgets are shown side by side.
const WIDE: f32 = 720.0;

/// Minimum width of the steps beside the widgets, in points.
const STEPS: f32 = 408.0;

/// The panel's own state.
#[derive(Default)]
pub struct RecordingPanel {
    tree: TreePanel,
    side: Side,
    /// Whether a trial was running when the panel was last drawn.
    trying: bool,
    /// The step selected when the panel was last drawn; selecting another one shows it.
    shown: Option<usize>,
    /// Whether the proposals are shown below a recording.
    proposals: bool,
}

/// What is shown beside the steps, or instead of them if the panel is narrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Side {
    #[default]
    Steps,
    Step,
    Screen,
}

/// Draws the recording side of the place Record.
pub fn recording_panel_ui(
    state: &StudioState,
    panel: &mut RecordingPanel,
    hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let record = &state.record;
    if panel.shown != record.shown {
        panel.shown = record.shown;
        panel.side = match record.shown.filter(|shown| *shown < record.lines.len()) {
            Some(_) => Side::Step,
            None => Side::Steps,
        };
    }
    let wide = ui.available_width() >= WIDE;
    let frame = Frame::new().fill(tokens(ui.ctx()).panel).inner_margin(Margin::same(12));
    if wide {
        let width = (ui.available_width() * 0.43).clamp(300.0, 560.0);
        let most = (ui.available_width() - STEPS).clamp(280.0, 760.0);
        Panel::right("record side").frame(frame).default_size(width.min(most)).size_range(280.0..=most).show(
            ui,
            |ui| {
                side_ui(state, panel, hover, commands, ui, &[Side::Step, Side::Screen]);
            },
        );
    }
    let frame = Frame::new().fill(tokens(ui.ctx()).base).inner_margin(Margin::same(12));
    egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        ribbon_ui(state, commands, ui);
        if wide {
            recording_ui(state, panel, commands, ui);
        } else {
            side_ui(state, panel, hover, commands, ui, &[Side::Steps, Side::Step, Side::Screen]);
        }
    });
}

fn side_ui(
    state: &StudioState,
    panel: &mut RecordingPanel,
    hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
    sides: &[Side],
) {
    let here = state.parked_recording().is_none();
    let shown = state.record.shown.filter(|shown| here && *shown < state.record.lines.len());
    let choice = |side: &Side| match side {
        Side::Steps => Some((Side::Steps, "Recording".to_owned(), "The steps and the conditions")),
        Side::Step => {
            let number = shown? + 1;
            Some((Side::Step, format!("Step {number}"), "How the widget of this step is found again"))
        }
        Side::Screen => Some((Side::Screen, "Screen".to_owned(), "The widgets of the phone\u{2019}s screen")),
    };
    let choices: Vec<_> = sides.iter().filter_map(choice).collect();
    // If the steps are shown separately, the other side shows the screen instead.
    let current = if sides.contains(&panel.side) { panel.side } else { Side::Screen };
    if choices.len() > 1
        && let Some(side) = segments(ui, Some(current), &choices)
    {
        panel.side = side;
    }
    ui.add_space(4.0);
    let current = if sides.contains(&panel.side) { panel.side } else { Side::Screen };
    match (current, shown) {
        (Side::Steps, _) => recording_ui(state, panel, commands, ui),
        (Side::Step, Some(step)) => step_ui(state, step, commands, ui),
        (Side::Step | Side::Screen, _) => inspect_panel_ui(state, &mut panel.tree, hover, commands, ui),
    }
}

fn recording_ui(state: &StudioState, panel: &mut RecordingPanel, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = &state.record;
    ScrollArea::vertical().auto_shrink([false, false]).id_salt("recording").show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        let parked = state.parked_recording();
        if let Some(app) = parked {
            parked_ui(state, app, commands, ui);
        }
        if parked.is_some() || record.is_idle() {
            let discovered = discovery_ui(state, commands, ui);
            if proposals_ui(state, commands, ui) || discovered {
                record_instead_ui(state, commands, ui);
            } else {
                nothing_ui(state, commands, ui);
            }
            return;
        }
        if record.recording.steps.is_empty() {
            empty_state(
                ui,
                icon::TOUCH,
                "Nothing recorded yet",
                "Do on the phone what the function does, once. Each tap and each text becomes a step.",
            );
            return;
        }
        if record.phase == RecordPhase::Recording {
            // The function is only drafted when the recording has ended.
            steps_ui(state, commands, ui);
            proposals_hint_ui(state, false, ui);
            return;
        }
        let trying = state.trial.plan.is_some() && state.trial.report.is_none();
        if trying && !panel.trying {
            // The results appear at the top, wherever the panel was scrolled to.
            ui.scroll_to_cursor(Some(egui::Align::TOP));
        }
        panel.trying = trying;
        if state.trial.plan.is_some() {
            wide_card(ui, |ui| {
                trial_panel_ui(state, commands, ui);
            });
        }
        what_ui(state, commands, ui);
        lead_ui(state, commands, ui);
        steps_ui(state, commands, ui);
        objects_ui(state, commands, ui);
        conditions_ui(state, commands, ui);
        blocks_ui(state, commands, ui);
        lints_ui(state, ui);
        panel.proposals = proposals_hint_ui(state, panel.proposals, ui);
        if panel.proposals {
            proposals_ui(state, commands, ui);
        }
    });
}

/// Draws the recording that waits until its app is on the phone again.
fn parked_ui(state: &StudioState, app: &str, commands: &mut Vec<Command>, ui: &mut Ui) {
    let (label, record) = (state.label_of(app), &state.record);
    let steps = match record.recording.steps.len() {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    wide_card(ui, |ui| {
        ui.label(heading(format!("A recording of {label} waits")));
        let name = if record.phase == RecordPhase::Review { record.name() } else { String::new() };
        let what = if name.is_empty() { steps } else { format!("\u{201c}{name}\u{201d}, {steps}") };
        ui.add(Label::new(format!("{what}. It comes back when {label} is on the phone.")).wrap());
        ui.horizontal_wrapped(|ui| {
            let place = state.place_of_recording();
            let show = labelled_button(ui, icon::PHONE, &format!("Show {label}"), place.is_some())
                .on_disabled_hover_text("No connected device has this app");
            if let Some(target) = place.filter(|_| show.clicked()) {
                commands.push(Command::UseApp(target));
            }
            if labelled_button(ui, icon::DELETE, "Discard the recording", true).clicked() {
                commands.push(Command::Record(RecordCommand::Discard));
            }
        });
    });
}

/// Draws what to do first.
fn nothing_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.set_max_width(ui.available_width().min(420.0));
        ui.label(
            RichText::new(icon::RECORD)
                .font(crate::parts::theme::icon_font(36.0))
                .color(tokens(ui.ctx()).bad),
        );
        ui.add_space(4.0);
        ui.label(title("Record a function"));
        ui.add_space(8.0);
        let says = [
            "Press Record and do one thing on the phone, such as making a folder.",
            "Press End when the result shows.",
            "Taproof proposes what must hold before and after; you check it, try it and save it.",
            "Or just use the app: what looks like a function becomes a proposal here.",
        ];
        for sentence in says {
            ui.label(RichText::new(sentence).weak());
        }
        ui.label(
            RichText::new("Or let Discover explore the app by itself and propose its functions.").weak(),
        );
        ui.add_space(12.0);
        // Side by side in the middle.
        let width = 210.0_f32.min(ui.available_width());
        ui.allocate_ui(egui::vec2(width, 32.0), |ui| {
            ui.horizontal(|ui| {
                record_button(state, commands, ui);
                discover_button(state, commands, ui);
            });
        });
    });
}

/// Draws what to do first, below proposals.
fn record_instead_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        record_button(state, commands, ui);
        discover_button(state, commands, ui);
    });
    ui.label(caption("Press Record, do one thing on the phone, and press End when the result shows."));
}

fn discover_button(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let ready = !state.discovery.is_running() && !state.mirror.is_walk() && !state.mirror.gone;
    let discover = labelled_button(ui, icon::SEARCH, "Discover", ready)
        .on_hover_text(
            "Explores the app by itself, tries what it finds again and again, and proposes its functions",
        )
        .on_disabled_hover_text(
            "An app is being explored already, or there is no live phone to explore it on",
        );
    if discover.clicked() {
        commands.push(Command::Discover(DiscoverCommand::Start));
    }
}

fn record_button(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = primary_button(ui, icon::RECORD, "Record", !state.mirror.gone)
        .on_disabled_hover_text(NO_PHONE)
        .on_hover_text("Records what you do on the phone as a function (Ctrl+R)");
    // The place has the same name, so the accessible name is longer.
    named(&record, WidgetType::Button, "Record a function");
    if record.clicked() {
        commands.push(Command::Record(RecordCommand::Begin));
    }
}
