//! A recorded step: how its widget is found, where its text comes from, whether it may fail.

use egui::{Checkbox, ComboBox, Label, RichText, ScrollArea, Ui};

use crate::command::{Command, WindowCommand};
use crate::parts::controls::{Tone, badge, choose, labelled_button, named, segments, wide_card};
use crate::parts::theme::{caption, glyph, heading, icon, strong, tokens};
use crate::record::{RecordCommand, RecordEdit, StepLine, screen_name};
use crate::state::StudioState;
use taproof_screen::one_line;
use taproof_spec::{FreshText, Input, SelectorPreference, Strength};

/// Draws the step with this index.
pub fn step_ui(state: &StudioState, step: usize, commands: &mut Vec<Command>, ui: &mut Ui) {
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
        if let Some(mut scrolls) = line.scrolls {
            let check = ui.add(Checkbox::new(&mut scrolls, "Scroll until it is in sight"));
            if check.on_hover_text("Where lists are longer or screens smaller than here").changed() {
                push(commands, RecordEdit::ScrollTo(step, Some(scrolls)));
            }
        }
        if !line.selector.is_empty() {
            ui.label(strong("Found again by"));
            ui.add(Label::new(RichText::new(&line.selector).monospace()).wrap());
            counts_ui(&line.counts, ui);
            translatable_ui(line, ui);
            candidates_ui(state, line, commands, ui);
        }
    });
}

/// Draws that another language of the app may change what the widget is found by.
fn translatable_ui(line: &StepLine, ui: &mut Ui) {
    let Some(text) = &line.translatable else { return };
    ui.horizontal_top(|ui| {
        ui.label(glyph(icon::HELP).color(tokens(ui.ctx()).quiet));
        let says = format!("Another language of the app may change \u{201c}{}\u{201d}.", one_line(text));
        ui.add(Label::new(caption(says)).wrap());
    });
}

/// The label of a kind of selector.
pub fn kind_words(kind: SelectorPreference) -> &'static str {
    match kind {
        SelectorPreference::Id => "ids",
        SelectorPreference::Text => "texts",
        SelectorPreference::Description => "descriptions",
        SelectorPreference::Xpath => "XPaths",
    }
}

/// Draws the choice of the kind of selector that every recording prefers.
fn preference_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let mut preferred = state.settings.preferred_selector;
    let combo =
        ComboBox::from_id_salt("preferred selector").selected_text(kind_words(preferred)).width(104.0);
    let kinds = SelectorPreference::ALL.map(|kind| (kind, kind_words(kind)));
    let response = choose(combo, "Preferred kind of selector", &mut preferred, kinds, ui);
    if response.changed() {
        commands.push(WindowCommand::PreferSelector(preferred).into());
    }
    let tip = "Where several would do: in every recording, until another kind is chosen";
    response.on_hover_text(tip);
    ui.label(caption("Prefer"));
}

fn candidates_ui(state: &StudioState, line: &StepLine, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = &state.record;
    let chosen = record.recording.steps.get(line.recorded).and_then(|done| done.selector.as_ref());
    ui.horizontal(|ui| {
        ui.label(strong("Other ways"));
        if chosen.is_some() && ui.link("as proposed").clicked() {
            push(commands, RecordEdit::Selector(line.recorded, None));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            preference_ui(state, commands, ui);
        });
    });
    for candidate in &record.candidates {
        let selector = candidate.selector.to_string();
        let current = selector == line.selector;
        let (word, tone) = match candidate.strength {
            Strength::Strong => ("strong", Tone::Good),
            Strength::Fair => ("fair", Tone::Plain),
            Strength::Weak => ("weak", Tone::Warn),
            Strength::Refused => ("refused", Tone::Bad),
        };
        wide_card(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            ui.horizontal(|ui| {
                badge(ui, "", word, tone);
                if current {
                    badge(ui, icon::CHECK, "used", Tone::Accent);
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let usable = !current && candidate.strength != Strength::Refused;
                    let button = labelled_button(ui, "", "Use", usable);
                    named(&button, egui::WidgetType::Button, &format!("Use {selector}"));
                    if button.clicked() {
                        let edit = RecordEdit::Selector(line.recorded, Some(candidate.selector.clone()));
                        push(commands, edit);
                    }
                });
            });
            ui.add(Label::new(RichText::new(&selector).monospace()).wrap());
            ui.add(Label::new(caption(&candidate.why)).wrap());
            counts_ui(&candidate.counts, ui);
        });
    }
}

fn push(commands: &mut Vec<Command>, edit: RecordEdit) {
    commands.push(Command::Record(RecordCommand::Edit(edit)));
}

fn counts_ui(counts: &[usize], ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.label(caption("matches"));
        for (number, count) in counts.iter().enumerate() {
            let tone = if *count <= 1 { Tone::Good } else { Tone::Warn };
            badge(ui, "", &format!("{count} on {}", screen_name(number)), tone);
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
