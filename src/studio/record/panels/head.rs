//! The head of the recording: the buttons of the place, the ribbon, and what the function does.

use egui::{Button, Frame, Id, Label, Margin, RichText, Stroke, Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{
    clock, explained_icon_button, icon_and_text, labelled_button, look_ui, named, primary_button, segments,
    wide_card,
};
use crate::parts::shortcuts::{action_button, screen_id, with_key};
use crate::parts::theme::{CONTROL, caption, icon, icon_font, strong, tokens};
use crate::parts::word_field::word_field;
use crate::record::{InsertAt, RecordCommand, RecordEdit, RecordPhase};
use crate::state::StudioState;
use taproof_screen::with_article;
use taproof_spec::{DmfKind, LintCode};

/// The kinds of functions, each with its label and a description.
const KINDS: [(DmfKind, &str, &str); 6] = [
    (DmfKind::Create, "Create", "Something new is made, such as a folder"),
    (DmfKind::Read, "Read", "Something that is there is opened"),
    (DmfKind::Update, "Update", "Something that is there is changed, such as its name"),
    (DmfKind::Delete, "Delete", "Something that is there is removed"),
    (DmfKind::Search, "Search", "Something that is there is looked for"),
    (DmfKind::Property, "Other", "No data change: only the conditions before and after count"),
];

/// Width in points below which the kinds move together.
const ROOM_OF_KINDS: f32 = 344.0;

/// The label of a kind.
pub fn kind_word(kind: DmfKind) -> &'static str {
    KINDS.iter().find(|(known, ..)| *known == kind).map_or("", |(_, word, _)| word)
}

/// Draws the buttons of the place, from right to left.
pub fn record_buttons_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = &state.record;
    let review = record.phase == RecordPhase::Review && state.parked_recording().is_none();
    if review {
        let ready = record.refusals().is_empty();
        let tip = with_key("Puts the function into the specification of the app", "record-save");
        // Once it is saved, the way to Fuzz is what stands out.
        let button = if record.kept.is_some() { labelled_button } else { primary_button };
        let save = button(ui, icon::SAVE, "Save", ready).on_hover_text(tip);
        if save.on_disabled_hover_text(record.refusals().join("\n")).clicked() {
            commands.push(Command::Record(RecordCommand::Keep));
        }
        action_button(ui, state, commands, "record-try", icon::PLAY, Some("Try it"));
        action_button(ui, state, commands, "record", icon::RECORD, Some("New"));
        let (discard, tip) = match record.kept.is_some() {
            true => ("Back to the proposals", "Leaves the recording, which is saved"),
            false => ("Discard the recording", "Undo brings it back"),
        };
        let glyph = if record.kept.is_some() { icon::CLOSE } else { icon::DELETE };
        if explained_icon_button(ui, glyph, discard, &format!("{discard}. {tip}."), true).clicked() {
            commands.push(Command::Record(RecordCommand::Discard));
        }
    }
    if state.parked_recording().is_some() {
        return;
    }
    for (id, glyph) in [("record-redo", icon::REDO), ("record-undo", icon::UNDO)] {
        let button = action_button(ui, state, commands, id, glyph, None);
        // The press took the focus from the phone, where what is recorded goes on.
        if record.phase == RecordPhase::Recording && button.is_some_and(|button| button.clicked()) {
            ui.memory_mut(|memory| memory.request_focus(screen_id()));
        }
    }
    if review {
        let time = ui.label(caption(format!("{} spent", clock(record.seconds))));
        time.on_hover_text(
            "Time spent on recording, trying and changing this function; pauses of more than a minute are not counted",
        );
    }
}

/// Draws the ribbon while recording, while a widget is asked for, or after saving.
pub fn ribbon_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = &state.record;
    if record.picking.is_some() {
        let say = "Click the widget on the phone, or its row in the tree.";
        if ribbon(ui, false, icon::TOUCH, "Pick", say, "Cancel", "Esc") {
            commands.push(Command::Record(RecordCommand::Unpick));
        }
        return;
    }
    if record.phase == RecordPhase::Recording {
        let steps = record.recording.steps.len();
        let say = match record.insert_at {
            _ if record.ending => "The phone still does what you did last.".to_owned(),
            InsertAt::End if steps == 0 => "Use the phone now.".to_owned(),
            InsertAt::End if steps == 1 => "1 step. Press End when the result shows.".to_owned(),
            InsertAt::End => format!("{steps} steps. Press End when the result shows."),
            InsertAt::Before(step) => format!("What you do now goes before step {}.", step + 1),
            InsertAt::Replace(step) => format!("What you do now replaces step {}.", step + 1),
        };
        let title = format!("Recording  {}", clock(record.seconds));
        if ribbon(ui, true, icon::RECORD, &title, &say, "End", "Ctrl+R") {
            // A field of the phone may have the focus; the next keys shall be shortcuts of the window.
            ui.memory_mut(|memory| memory.surrender_focus(screen_id()));
            commands.push(Command::Record(RecordCommand::End));
        }
    } else if let Some(name) = record.kept.as_ref().filter(|_| state.parked_recording().is_none()) {
        let next = match record.lints.iter().find(|lint| lint.code == LintCode::Unreachable) {
            Some(_) => {
                format!("It runs once you record how {} is created.", with_article(&record.data_type()))
            }
            None => "Fuzz with it to find bugs.".to_owned(),
        };
        let say = format!("\u{201c}{name}\u{201d}. {next}");
        if ribbon(ui, false, icon::HELD, "Saved", &say, "Go to Fuzz", "Ctrl+2") {
            commands.push(Command::Go(crate::state::Place::Fuzz));
        }
    }
}

fn ribbon(ui: &mut Ui, live: bool, icon: &str, title: &str, say: &str, button: &str, key: &str) -> bool {
    let tokens = tokens(ui.ctx());
    let (color, ground) =
        if live { (tokens.bad, tokens.bad_soft) } else { (tokens.accent, tokens.accent_soft) };
    let frame = Frame::new().fill(ground).corner_radius(8).inner_margin(Margin::symmetric(12, 6));
    let clicked = frame
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(icon).font(icon_font(18.0)).color(color));
                ui.label(strong(title));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let text =
                        icon_and_text(ui, "", &format!("{button}  ({key})"), ui.visuals().text_color());
                    let response = if live || icon != icon::HELD {
                        ui.add(Button::new(text).min_size(egui::vec2(0.0, CONTROL)))
                    } else {
                        primary_button(ui, "", &format!("{button}  ({key})"), true)
                    };
                    named(&response, WidgetType::Button, button);
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        ui.add(Label::new(say).wrap());
                    });
                    response.clicked()
                })
                .inner
            })
            .inner
        })
        .inner;
    ui.add_space(8.0);
    clicked
}

/// Draws the function's kind, data type and name.
pub fn what_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let record = &state.record;
    let (kind, noun) = (record.kind(), record.data_type());
    let choices = &record.recording.choices;
    // An id of the recording, for text fields: another recording has another first event.
    let first = record.recording.steps.first().and_then(|done| done.events.first());
    let of = Id::new(first.map(std::sync::Arc::as_ptr));
    let mut edits = Vec::new();
    wide_card(ui, |ui| {
        let width = 44.0;
        ui.horizontal(|ui| {
            // As high as the choice beside it.
            ui.add_sized([width, CONTROL + 4.0], Label::new(caption("Does")).halign(egui::Align::LEFT));
            let kinds = KINDS.map(|(kind, word, tip)| (kind, word.to_owned(), tip));
            if ui.available_width() < ROOM_OF_KINDS {
                ui.spacing_mut().button_padding.x = 4.0;
            }
            if let Some(chosen) = segments(ui, Some(kind), &kinds) {
                edits.push(RecordEdit::Kind(Some(chosen)));
            }
        });
        ui.horizontal_wrapped(|ui| {
            let label =
                ui.add_sized([width, CONTROL], Label::new(caption("Data")).halign(egui::Align::LEFT)).id;
            for known in record.nouns() {
                let chosen = *known == noun;
                let fill = if chosen { tokens(ui.ctx()).accent_soft } else { egui::Color32::TRANSPARENT };
                let line = if chosen { tokens(ui.ctx()).accent } else { tokens(ui.ctx()).line };
                let chip =
                    Button::new(known.as_str()).fill(fill).stroke(Stroke::new(1.0, line)).corner_radius(14);
                let response = ui.add(chip);
                response.widget_info(|| {
                    egui::WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, known.as_str())
                });
                if response.clicked() {
                    edits.push(RecordEdit::DataType(Some(known.clone())));
                }
            }
            let other = if record.nouns().contains(&noun) { "" } else { noun.as_str() };
            let (response, edit) = word_field(ui, of, other, "another word", 110.0);
            response.labelled_by(label);
            edits.extend(edit.map(|noun| RecordEdit::DataType(Some(noun))));
        });
        let guessed = record.guessed_types();
        if !guessed.is_empty() && record.phase == RecordPhase::Review {
            look_ui(ui, &format!("{}? The steps do not tell: choose.", guessed.join(" or ")));
        }
        ui.horizontal(|ui| {
            let label =
                ui.add_sized([width, CONTROL], Label::new(caption("Name")).halign(egui::Align::LEFT)).id;
            let name = record.name();
            let (response, edit) = word_field(ui, of, &name, "verb and noun", 180.0);
            response.labelled_by(label);
            edits.extend(edit.map(|name| RecordEdit::Name(Some(name))));
            let data = choices.data_type.is_none() && guessed.is_empty();
            ui.label(caption(format!("in {}", state.label_of(&record.target.app))));
            let proposed = match (choices.kind.is_none(), data) {
                (true, true) => "Kind and data are proposed from what you did.",
                (true, false) => "The kind is proposed from what you did.",
                (false, true) => "The data are proposed from what you did.",
                (false, false) => "",
            };
            let shipped = state.documents.shipped(&record.target.app);
            let (short, tip) =
                if shipped.is_some_and(|shipped| shipped.spec.dmfs.iter().any(|dmf| dmf.name == name)) {
                    ("Takes the place of the one that comes with Taproof.", "Another name keeps both.")
                } else if proposed.is_empty() {
                    ("", "")
                } else {
                    ("Proposed from what you did.", proposed)
                };
            ui.add(Label::new(caption(short)).truncate()).on_hover_text(tip);
        });
    });
    // What is typed counts for a button that is pressed in the same frame.
    commands.splice(0..0, edits.into_iter().map(|edit| Command::Record(RecordCommand::Edit(edit))));
}
