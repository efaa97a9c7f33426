//! The results of the recording: the objects, the conditions as sentences, and messages about them.

use std::sync::Arc;

use egui::{Label, RichText, Ui};

use crate::command::Command;
use crate::parts::controls::{Tone, badge, icon_button, labelled_button, look_ui, named, wide_card};
use crate::parts::overlay::small_screen_ui;
use crate::parts::theme::{caption, glyph, heading, icon, strong, tokens};
use crate::record::{ConditionLine, Guess, ObjectLine, PickFor, RecordCommand, RecordEdit, screen_name};
use crate::specs::panels::blocks::pattern_words;
use crate::state::{RecordView, StudioState};
use taproof_screen::{Layout, one_line};
use taproof_spec::{CanFail, DmfKind, NoteOn, Role, WidgetState};

/// Draws the objects of the recorded function.
pub fn objects_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = &state.record;
    if record.objects.is_empty() {
        return;
    }
    wide_card(ui, |ui| {
        ui.label(heading(if record.objects.len() == 1 { "Object" } else { "Objects" })).on_hover_text(
            "The thing that the function creates, changes, deletes or looks for. Tests give it other texts and expect those",
        );
        // Problems of a step are shown with the step.
        if let Some(Err(error)) =
            record.draft.as_ref().filter(|_| record.lines.iter().all(|line| line.says.is_empty()))
        {
            look_ui(ui, &error.to_string());
        }
        for line in &record.objects {
            object_ui(line, (record.kind(), record.recording.choices.first_seen), commands, ui);
        }
    });
}

/// The label of an object's role, and the noun clause for sentences.
fn role_words(role: Role, kind: DmfKind) -> (&'static str, &'static str) {
    match role {
        Role::Added if kind == DmfKind::Property => ("text", "a text to speak of"),
        Role::Added => ("added", "what was added"),
        Role::Removed => ("removed", "what was removed"),
        Role::Sought => ("looked for", "what was looked for"),
    }
}

fn object_ui(
    line: &ObjectLine,
    (kind, first_seen): (DmfKind, bool),
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let (word, what) = role_words(line.role, kind);
    ui.horizontal(|ui| {
        badge(ui, "", word, Tone::Plain);
        if line.text.is_empty() {
            let word = if kind == DmfKind::Property { "none" } else { "not known" };
            ui.label(RichText::new(word).weak());
        } else {
            ui.label(strong(format!("\u{201c}{}\u{201d}", line.text)));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let pick = labelled_button(ui, icon::TOUCH, "Pick", true);
            named(&pick, egui::WidgetType::Button, &format!("Pick {what} on the phone"));
            if pick.on_hover_text("Click it on the phone\u{2019}s screen").clicked() {
                commands.push(Command::Record(RecordCommand::Pick(PickFor::Object(line.role))));
            }
            candidates_ui(line, what, commands, ui);
            if line.gone {
                let place = labelled_button(ui, "", "Where", true);
                let name = format!("Pick where {what} would show");
                named(&place, egui::WidgetType::Button, &name);
                if place.on_hover_text("Click a widget like the one that would show it").clicked() {
                    commands.push(Command::Record(RecordCommand::Pick(PickFor::Place(line.role))));
                }
            }
        });
    });
    ui.add(Label::new(caption(line.how.as_str())).wrap());
    if let Some(guess) = &line.guess {
        guess_ui(line, guess, what, commands, ui);
    }
    if line.role == Role::Sought && kind == DmfKind::Read && !line.text.is_empty() {
        let mut first = first_seen;
        let check =
            ui.checkbox(&mut first, "No function creates it: take it as there from the start").on_hover_text(
                "For what the app brings along. Otherwise the function waits until another has created one",
            );
        if check.changed() {
            edit(commands, RecordEdit::FirstSeen(first));
        }
    }
}

/// Draws which of several typed texts was chosen, and the others to choose from.
fn guess_ui(line: &ObjectLine, guess: &Guess, what: &str, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if guess.doubtful {
            ui.label(glyph(icon::LOOK).color(tokens(ui.ctx()).warn));
        }
        ui.add(Label::new(caption(guess.says.as_str())).wrap());
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for text in &guess.typed {
            let shown = one_line(text);
            let button = labelled_button(ui, "", &format!("\u{201c}{shown}\u{201d}"), true);
            named(&button, egui::WidgetType::Button, &format!("Take \u{201c}{shown}\u{201d} for {what}"));
            if button.clicked() {
                edit(commands, RecordEdit::Object(line.role, Some(text.clone())));
            }
        }
    });
}

fn candidates_ui(line: &ObjectLine, what: &str, commands: &mut Vec<Command>, ui: &mut Ui) {
    if line.candidates.is_empty() {
        return;
    }
    let response = ui.menu_button("Others", |ui| {
        ui.set_min_width(240.0);
        for (text, why) in &line.candidates {
            let label = format!("\u{201c}{text}\u{201d}  {why}");
            if ui.selectable_label(*text == line.text, label).clicked() {
                let edit = RecordEdit::Object(line.role, Some(text.clone()));
                commands.push(Command::Record(RecordCommand::Edit(edit)));
                ui.close();
            }
        }
    });
    let label = format!("Other texts that could be {what}");
    named(&response.response, egui::WidgetType::Button, &label);
    response.response.on_hover_text("Other texts of these screens that could be it");
}

/// Draws the conditions before and after the function.
pub fn conditions_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let [before, after] = &state.record.conditions;
    if !matches!(state.record.draft, Some(Ok(_))) {
        return;
    }
    wide_card(ui, |ui| {
        side_ui(state, "Before", "It starts only if", before, false, commands, ui);
    });
    wide_card(ui, |ui| {
        side_ui(state, "After", "So it must be at the end", after, true, commands, ui);
    });
}

/// Width in points from which on the heading of a side is followed by what it says.
const ROOMY: f32 = 380.0;

fn side_ui(
    state: &StudioState,
    title: &str,
    says: &str,
    lines: &[ConditionLine],
    post: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.horizontal(|ui| {
        ui.label(heading(title));
        if ui.available_width() >= ROOMY {
            ui.label(caption(says));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (word, shown) in [("must not show", false), ("must show", true)] {
                let response = labelled_button(ui, icon::NEW, word, true);
                let name = format!("Add to {title}: a widget that {word}");
                named(&response, egui::WidgetType::Button, &name);
                if response.on_hover_text("Click the widget on the phone\u{2019}s screen").clicked() {
                    commands.push(Command::Record(RecordCommand::Pick(PickFor::Condition { post, shown })));
                }
            }
        });
    });
    let screens = state.record.draft.as_ref().and_then(|draft| draft.as_ref().ok());
    let screens = screens.map_or(&[][..], |draft| &draft.layouts);
    for line in lines {
        condition_ui(line, screens, post, commands, ui);
    }
    if lines.is_empty() {
        ui.label(RichText::new("Nothing is asked for.").weak());
    }
    if let (Some(Ok(draft)), false) = (&state.record.draft, post) {
        for note in draft.notes_on(NoteOn::Before) {
            note_ui(ui, &note.text, note.doubtful);
        }
    }
    let left_out = state.record.recording.choices.without.iter();
    let mark = if post { "post " } else { "pre " };
    for key in left_out.filter(|key| key.starts_with(mark)) {
        ui.horizontal(|ui| {
            let words = state.record.left_out.get(key).map_or(key.trim_start_matches(mark), String::as_str);
            ui.label(caption(format!("left out: {words}")));
            if ui.link("take it back").clicked() {
                edit(commands, RecordEdit::Without(key.clone(), false));
            }
        });
    }
}

/// Draws a note about a choice that the recorder made.
fn note_ui(ui: &mut Ui, says: &str, doubtful: bool) {
    ui.horizontal_top(|ui| {
        let tokens = tokens(ui.ctx());
        let (icon, color) = if doubtful { (icon::LOOK, tokens.warn) } else { (icon::REMOVED, tokens.quiet) };
        ui.label(glyph(icon).color(color));
        ui.add(Label::new(caption(says)).wrap());
    });
}

fn edit(commands: &mut Vec<Command>, edit: RecordEdit) {
    commands.push(Command::Record(RecordCommand::Edit(edit)));
}

fn condition_ui(
    line: &ConditionLine,
    screens: &[Arc<Layout>],
    post: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.horizontal(|ui| {
        let (icon, tone) = match (&line.can_fail, &line.problem) {
            (CanFail::No { .. }, _) => (icon::BROKEN, Tone::Bad),
            (_, Some(_)) => (icon::LOOK, Tone::Warn),
            (CanFail::Yes { .. } | CanFail::Unknown { .. }, None) => (icon::CHECK, Tone::Good),
        };
        let (color, _) = tone.colors(tokens(ui.ctx()));
        ui.label(glyph(icon).color(color));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let label = format!("Remove: {}", line.sentence);
            if icon_button(ui, icon::CLOSE, &label, true).clicked() {
                match line.added {
                    Some(number) => edit(commands, RecordEdit::RemoveAdded(post, number)),
                    None => edit(commands, RecordEdit::Without(line.key.clone(), true)),
                }
            }
            if let Some(number) = line.added.filter(|_| line.has_states) {
                state_ui(line, post, number, commands, ui);
            }
            let opposite = match (line.added, line.expects) {
                (Some(number), _) => Some(RecordEdit::SwitchAdded(post, number)),
                (None, Some((role, shown))) => Some(RecordEdit::Shown(role, !shown)),
                (None, None) => None,
            };
            if let Some(opposite) = opposite {
                let label = format!("Say the opposite of: {}", line.sentence);
                if icon_button(ui, icon::SWITCH, &label, true).clicked() {
                    edit(commands, opposite);
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(Label::new(line.sentence.as_str()).wrap()).on_hover_text(&line.selector);
            });
        });
    });
    ui.horizontal_top(|ui| {
        ui.add_space(22.0);
        // Its own column, so that a second line begins below the first and not below the icon.
        ui.vertical(|ui| ui.horizontal_wrapped(|ui| evidence_ui(line, screens, ui)));
    });
    says_ui(ui, &line.says, 22.0);
}

/// Draws on which screens of the recording a condition is true, and whether it can fail.
fn evidence_ui(line: &ConditionLine, screens: &[Arc<Layout>], ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = 4.0;
    truths_ui(line, screens, ui);
    ui.add_space(4.0);
    let answer = match (&line.can_fail, &line.problem) {
        (CanFail::No { reason }, _) => format!("refused: {reason}"),
        (_, Some(problem)) => problem.clone(),
        (CanFail::Yes { layout: Some(layout) }, None) => {
            format!("can fail: it is false on {}", screen_name(*layout))
        }
        (CanFail::Yes { layout: None }, None) => "can fail: other data make it false".to_owned(),
        (CanFail::Unknown { reason }, None) => reason.clone(),
    };
    ui.add(Label::new(caption(answer)).wrap());
}

/// Draws the choice of the state that an added condition's widget must be in.
fn state_ui(line: &ConditionLine, post: bool, number: usize, commands: &mut Vec<Command>, ui: &mut Ui) {
    let word = line.state.map_or("in any state", WidgetState::word);
    let choices = std::iter::once(None).chain(WidgetState::ALL.map(Some));
    let response = ui.menu_button(caption(word), |ui| {
        for state in choices {
            let word = state.map_or("in any state", WidgetState::word);
            if ui.selectable_label(line.state == state, word).clicked() {
                edit(commands, RecordEdit::StateAdded(post, number, state));
                ui.close();
            }
        }
    });
    named(&response.response, egui::WidgetType::Button, &format!("State of: {}", line.sentence));
}

/// Draws messages about what is above them, indented by `indent` points.
pub fn says_ui(ui: &mut Ui, says: &[String], indent: f32) {
    for say in says {
        ui.horizontal_top(|ui| {
            ui.add_space(indent);
            ui.label(glyph(icon::LOOK).color(tokens(ui.ctx()).warn));
            ui.add(Label::new(caption(say.as_str())).wrap());
        });
    }
}

/// Draws what random events must not touch because of the function.
pub fn blocks_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let blocks = &state.record.blocks;
    if blocks.is_empty() {
        return;
    }
    wide_card(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(heading("Kept from random events"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let tip = "The block list of the specification, where entries are added and removed";
                if labelled_button(ui, "", "Edit the list", true).on_hover_text(tip).clicked() {
                    commands.push(Command::GoRecord(RecordView::Specification));
                }
            });
        });
        for block in blocks {
            ui.horizontal_wrapped(|ui| {
                ui.label(glyph(icon::BLOCKED).color(tokens(ui.ctx()).quiet));
                ui.label(RichText::new(pattern_words(&block.pattern)).monospace());
                ui.label(caption("it completes the change, so only the function itself touches it"));
            });
        }
    });
}

/// Draws on which of the recorded screens a condition is true.
fn truths_ui(line: &ConditionLine, screens: &[Arc<Layout>], ui: &mut Ui) {
    ui.label(caption("on screen"));
    for (number, truth) in line.truths.iter().enumerate() {
        let (icon, tone, word) = match truth {
            Some(true) => (icon::CHECK, Tone::Good, "true"),
            Some(false) => (icon::CLOSE, Tone::Plain, "false"),
            None => (icon::HELP, Tone::Plain, "cannot be said"),
        };
        let place =
            if number == 0 { "before the first step".to_owned() } else { format!("after step {number}") };
        let shown = badge(ui, icon, &(number + 1).to_string(), tone);
        named(&shown, egui::WidgetType::Label, &format!("{}: {word}", screen_name(number)));
        shown.on_hover_ui(|ui| {
            ui.label(format!("{place}: {word}"));
            if let Some(layout) = screens.get(number) {
                small_screen_ui(layout, ui);
            }
        });
    }
}

/// Draws the messages about the DMF as a whole.
pub fn lints_ui(state: &StudioState, ui: &mut Ui) {
    let record = &state.record;
    let doubts: Vec<String> = match &record.draft {
        Some(Ok(draft)) => {
            // Notes about objects and preconditions are shown with those.
            draft.notes_on(NoteOn::Draft).filter(|note| note.doubtful).map(|note| note.text.clone()).collect()
        }
        _ => Vec::new(),
    };
    let says: Vec<String> = doubts.into_iter().chain(record.other_says()).collect();
    if says.is_empty() {
        return;
    }
    wide_card(ui, |ui| {
        ui.label(heading("Look at"));
        for say in says {
            look_ui(ui, &say);
        }
    });
}
