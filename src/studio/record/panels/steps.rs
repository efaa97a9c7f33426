//! The list of steps: a row for each, with buttons on the selected one.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, CornerRadius, Sense, Stroke, TextStyle, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::facts::says_ui;
use crate::command::{CampaignCommand, Command};
use crate::parts::controls::{Tone, icon_button, labelled_button, wide_card};
use crate::parts::shortcuts::action_button;
use crate::parts::theme::{caption, heading, icon, icon_font, medium_font, tokens};
use crate::record::{InsertAt, RecordCommand, RecordEdit, RecordPhase, StepLine};
use crate::state::StudioState;

const ROW: f32 = 38.0;

/// Draws the list of recorded steps.
pub fn steps_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = &state.record;
    wide_card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal_wrapped(|ui| {
            ui.label(heading("Steps"));
            ui.label(caption("Click a step to see its screen and how its widget is found again."));
        });
        for line in &record.lines {
            let chosen = record.shown == Some(line.recorded);
            if row_ui(line, chosen, ui) {
                let step = (!chosen).then_some(line.recorded);
                commands.push(Command::Record(RecordCommand::Show(step)));
            }
            says_ui(ui, &line.says, 44.0);
            if chosen && record.phase == RecordPhase::Review {
                buttons_ui(state, line, commands, ui);
            }
        }
        if record.phase == RecordPhase::Review {
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                if labelled_button(ui, icon::RECORD, "Go on recording", true)
                    .on_hover_text("Puts the phone behind the last step and records on from there")
                    .clicked()
                {
                    commands.push(Command::Record(RecordCommand::GoOn));
                }
                // Far from the other, since it concerns every later test.
                let right = egui::Layout::right_to_left(egui::Align::Center);
                ui.with_layout(right, |ui| first_ui(state, commands, ui));
            });
        } else if record.insert_at != InsertAt::End {
            ui.label(caption("The new steps appear where they belong."));
        }
    });
}

/// Draws the button that makes the steps the initial steps of every test.
fn first_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let can = state.can_do_first();
    let button = labelled_button(ui, icon::FIRST, "Do first in every test", can.is_ok()).on_hover_text(
        "For welcome screens, permissions and a login: all steps since the fresh start are done whenever a test \
         clears the data of the app",
    );
    if button.clicked() {
        commands.push(CampaignCommand::DoFirst.into());
    }
    if let Err(reason) = can {
        button.on_disabled_hover_text(reason);
    }
}

/// The icon of a step's event.
fn step_icon(line: &StepLine) -> &'static str {
    match line.verb {
        "type" => icon::KEYBOARD,
        "Back" => icon::BACK,
        "Home" => icon::HOME,
        "Recents" => icon::RECENTS,
        "rotate" => icon::ROTATE,
        "restart" => icon::RESTART,
        _ => icon::TOUCH,
    }
}

fn row_ui(line: &StepLine, chosen: bool, ui: &mut Ui) -> bool {
    let tokens = tokens(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let said = line.sentence();
    let number = line.number.map_or("\u{2013}".to_owned(), |number| number.to_string());
    let name = line.name();
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &name));
    let corners = CornerRadius::same(6);
    if chosen {
        ui.painter().rect_filled(rect, corners, tokens.accent_soft);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, corners, tokens.raised);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, corners, Stroke::new(1.0, tokens.accent), egui::StrokeKind::Inside);
    }
    let (top, bottom) = (rect.top() + 11.0, rect.top() + 27.0);
    let ink = if line.number.is_some() { tokens.text } else { tokens.quiet };
    let painter = ui.painter();
    painter.text(
        pos2(rect.left() + 16.0, top),
        Align2::RIGHT_CENTER,
        number,
        medium_font(13.0),
        tokens.quiet,
    );
    painter.text(pos2(rect.left() + 32.0, top), Align2::CENTER_CENTER, step_icon(line), icon_font(16.0), ink);
    let (left, room) = (rect.left() + 48.0, rect.right() - 8.0);
    let room = badges(line, ui, pos2(room, top)) - 8.0;
    let font = TextStyle::Body.resolve(ui.style());
    let one_line = |text: &str, font, color, width| {
        let format = egui::TextFormat::simple(font, color);
        let mut job = LayoutJob::single_section(text.to_owned(), format);
        job.wrap = TextWrapping::truncate_at_width(width);
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let said_galley = one_line(&said, font, ink, room - left);
    ui.painter().galley(pos2(left, top - said_galley.size().y / 2.0), said_galley, ink);
    let below = match (line.number, line.selector.is_empty()) {
        (None, _) => "not part of the function".to_owned(),
        (Some(_), true) => "needs no widget".to_owned(),
        (Some(_), false) => line.selector.clone(),
    };
    let font = egui::FontId::monospace(11.0);
    let below = one_line(&below, font, tokens.quiet, rect.right() - 8.0 - left);
    ui.painter().galley(pos2(left, bottom - below.size().y / 2.0), below, tokens.quiet);
    let alone = match line.counts.is_empty() {
        true => "",
        false => "\nFound alone: on the screens up to here, nothing but this widget is named so",
    };
    response.on_hover_text(format!("{said}\n{}\n{}{alone}", line.selector, line.counted())).clicked()
}

/// Paints counts and warnings at the right end of a row. Returns their left edge.
fn badges(line: &StepLine, ui: &Ui, right: egui::Pos2) -> f32 {
    let mut at = right;
    let mut badge = |icon: &str, text: &str, tone: Tone| {
        let (color, _) = tone.colors(tokens(ui.ctx()));
        let painter = ui.painter();
        let text = painter.text(at, Align2::RIGHT_CENTER, text, medium_font(11.0), color);
        let glyph = pos2(text.left() - 3.0, at.y);
        let icon = painter.text(glyph, Align2::RIGHT_CENTER, icon, icon_font(13.0), color);
        at.x = icon.left() - 8.0;
    };
    if !line.counts.is_empty() {
        let (icon, tone) = if line.alone() { (icon::CHECK, Tone::Good) } else { (icon::LOOK, Tone::Warn) };
        badge(icon, &line.counted(), tone);
    }
    if line.optional {
        badge(icon::LIST, "may fail", Tone::Plain);
    }
    if line.torn {
        badge(icon::LOOK, "another screen", Tone::Warn);
    }
    at.x
}

fn buttons_ui(state: &StudioState, line: &StepLine, commands: &mut Vec<Command>, ui: &mut Ui) {
    let steps = state.record.lines.len();
    let step = line.recorded;
    ui.horizontal(|ui| {
        ui.add_space(44.0);
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut order = |command| commands.push(Command::Record(command));
        if labelled_button(ui, icon::RECORD, "Again", true)
            .on_hover_text("Records this step again; the steps behind it stay")
            .clicked()
        {
            order(RecordCommand::Again(step));
        }
        if labelled_button(ui, icon::NEW, "Insert before", true)
            .on_hover_text("Records steps that come before this one")
            .clicked()
        {
            order(RecordCommand::Before(step));
        }
        if icon_button(ui, icon::UP, "Move the step up", step > 0).clicked() {
            order(RecordCommand::Edit(RecordEdit::Move(step, -1)));
        }
        if icon_button(ui, icon::DOWN, "Move the step down", step + 1 < steps).clicked() {
            order(RecordCommand::Edit(RecordEdit::Move(step, 1)));
        }
        action_button(ui, state, commands, "record-delete-step", icon::DELETE, None);
    });
    if line.torn {
        let say = "This step starts on another screen than the step before it leaves. Record it again.";
        ui.horizontal(|ui| {
            ui.add_space(44.0);
            ui.label(caption(say));
        });
    }
}
