//! One step: how its widget is found again, where its text comes from, whether it may fail.

use egui::{Checkbox, Label, RichText, ScrollArea, Ui};

use crate::spec::{FreshText, Input};
use crate::state::{Command, RecordCommand, RecordEdit, StepLine, StudioState, layout_word};

use super::overlay::Hover;
use super::parts::{Tone, badge, segments};
use super::theme::{caption, heading, strong};

/// Draws the step.
pub fn step_ui(
    state: &StudioState,
    step: usize,
    _hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(line) = state.record.lines.get(step) else { return };
    ScrollArea::vertical().auto_shrink([false, false]).id_salt("step").show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        ui.label(heading(&line.widget));
        if line.number.is_none() {
            ui.label("This step is not part of the function: it comes before its start or after its result.");
            return;
        }
        if let (Some(input), Some(text)) = (&line.input, &line.typed) {
            input_ui(state, line, input, text, commands, ui);
        }
        let mut optional = line.optional;
        if ui.add(Checkbox::new(&mut optional, "This step may fail without failing the function")).changed() {
            push(commands, RecordEdit::Optional(step, optional));
        }
        if !line.selector.is_empty() {
            ui.label(strong("Found again by"));
            ui.add(Label::new(RichText::new(&line.selector).monospace()).wrap());
            counts_ui(line, ui);
        }
    });
}

fn push(commands: &mut Vec<Command>, edit: RecordEdit) {
    commands.push(Command::Record(RecordCommand::Edit(edit)));
}

fn counts_ui(line: &StepLine, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.label(caption("matches"));
        for (number, count) in line.counts.iter().enumerate() {
            let tone = if *count <= 1 { Tone::Good } else { Tone::Warn };
            badge(ui, "", &format!("{} {count}", layout_word(number)), tone);
        }
    });
}

/// Where the text of a step comes from.
#[derive(Clone, Copy, PartialEq)]
enum From {
    Fresh,
    Known,
    Same,
}

fn input_ui(
    state: &StudioState,
    line: &StepLine,
    input: &Input,
    text: &str,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let noun = state.record.data_type();
    let from = match input {
        Input::Fresh(_) | Input::None => From::Fresh,
        Input::Existing(_) => From::Known,
        Input::Literal(_) => From::Same,
    };
    let choices = [
        (From::Fresh, "A new text".to_owned(), "Another text in every run"),
        (From::Known, format!("A known {noun}"), "One that the app holds in that run"),
        (From::Same, format!("\u{201c}{text}\u{201d}"), "This very text in every run"),
    ];
    ui.label(strong("Text that is typed"));
    if let Some(chosen) = segments(ui, Some(from), &choices) {
        let input = match chosen {
            From::Fresh => Input::Fresh(FreshText::default()),
            From::Known => Input::Existing(noun),
            From::Same => Input::Literal(text.to_owned()),
        };
        push(commands, RecordEdit::Input(line.recorded, Some(input)));
    }
}
