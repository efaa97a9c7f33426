//! The file chooser.

use egui::{
    Align, Button, Context, Id, Key, Layout, Margin, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui,
};

use crate::command::{Command, FileCommand, FileKind};
use crate::parts::controls::{
    icon_and_text, icon_button, labelled_button, named, primary_button, sheet, spinner_if, waiting_state,
};
use crate::parts::theme::{ROW, caption, icon, strong, title, tokens};
use crate::shell::{ChooserCommand, FileChooser};
use crate::state::StudioState;

/// Draws the chooser if it is open.
pub fn file_chooser_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    let Some(chooser) = &state.chooser else { return };
    let room = ctx.content_rect();
    let mut asked: Vec<ChooserCommand> = Vec::new();
    let modal = Modal::new(Id::new("file chooser")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(640.0_f32.min(room.width() - 64.0));
        ui.label(title(chooser.question.title.as_str()));
        ui.add_space(8.0);
        if let Some(path) = &chooser.replace {
            replace_ui(path, &mut asked, ui);
            return false;
        }
        folder_ui(chooser, &mut asked, ui);
        list_ui(chooser, (room.height() - 300.0).clamp(96.0, 320.0), &mut asked, ui);
        ui.add_space(8.0);
        name_ui(chooser, &mut asked, ui);
        if let Some(problem) = &chooser.problem {
            ui.horizontal_wrapped(|ui| {
                let warn = tokens(ui.ctx()).warn;
                ui.label(crate::parts::theme::glyph(icon::LOOK).color(warn));
                ui.label(RichText::new(problem).color(warn));
            });
        }
        ui.add_space(12.0);
        buttons_ui(chooser, &mut asked, ui)
    });
    let closed = modal.should_close();
    if closed && chooser.replace.is_some() {
        asked.push(ChooserCommand::KeepOld);
    } else if closed || modal.inner {
        return commands.push(Command::File(FileCommand::Cancel));
    }
    commands.extend(asked.into_iter().map(|command| Command::File(FileCommand::Chooser(command))));
}

fn replace_ui(path: &std::path::Path, asked: &mut Vec<ChooserCommand>, ui: &mut Ui) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.label(strong(format!("\u{201c}{name}\u{201d} is there already.")));
    ui.label("What it holds now is lost if it is replaced.");
    ui.add_space(12.0);
    ui.horizontal(|ui| {
        if primary_button(ui, "", "Choose another name", true).clicked() {
            asked.push(ChooserCommand::KeepOld);
        }
        if labelled_button(ui, icon::LOOK, "Replace it", true).clicked() {
            asked.push(ChooserCommand::Replace);
        }
    });
}

/// Draws the shortcuts to folders, and the folder shown.
fn folder_ui(chooser: &FileChooser, asked: &mut Vec<ChooserCommand>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, path) in &chooser.places {
            let here = *path == chooser.folder;
            let button = Button::selectable(here, name.as_str());
            if ui.add(button).on_hover_text(path.display().to_string()).clicked() {
                asked.push(ChooserCommand::Enter(path.clone()));
            }
        }
    });
    ui.horizontal(|ui| {
        let above = chooser.folder.parent().is_some();
        let up = icon_button(ui, icon::UP, "Folder above (Alt+Up)", above).clicked();
        if up || ui.input_mut(|input| input.consume_key(Modifiers::ALT, Key::ArrowUp)) {
            asked.push(ChooserCommand::Up);
        }
        spinner_if(ui, chooser.wants().is_some() && chooser.entries.is_some(), "Looking up the path");
        let path = chooser.folder.display().to_string();
        ui.add(egui::Label::new(RichText::new(&path).monospace()).truncate()).on_hover_text(&path);
    });
}

fn list_ui(chooser: &FileChooser, height: f32, asked: &mut Vec<ChooserCommand>, ui: &mut Ui) {
    let moved = {
        let count =
            |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)).cast_signed();
        let (down, up) = (count(Key::ArrowDown), count(Key::ArrowUp));
        down - up
    };
    if moved != 0 {
        asked.push(ChooserCommand::Move(moved));
    }
    let frame = egui::Frame::new().fill(tokens(ui.ctx()).base).corner_radius(6).inner_margin(Margin::same(4));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.set_height(height);
        let rows: Vec<_> = chooser.shown().collect();
        if rows.is_empty() {
            if chooser.entries.is_none() {
                return waiting_state(ui, "Reading the folder", "");
            }
            let hidden = chooser.entries.as_ref().is_some_and(|entries| !entries.is_empty());
            ui.label(
                RichText::new(match hidden {
                    true if chooser.question.kind == FileKind::Save => "No file of this kind is here yet.",
                    true => "Nothing here fits. \u{201c}Show all\u{201d} shows the rest.",
                    false => "This folder is empty.",
                })
                .weak(),
            );
            return;
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical().auto_shrink([false, false]);
        if let Some(row) = chooser.chosen().filter(|_| moved != 0) {
            area = area.vertical_scroll_offset((row as f32 * ROW - height / 2.0).max(0.0));
        }
        area.show_rows(ui, ROW, rows.len(), |ui, range| {
            for entry in rows.get(range).unwrap_or_default() {
                let glyph = if entry.folder { icon::FOLDER } else { icon::FILE };
                let text = icon_and_text(ui, glyph, &entry.name, ui.visuals().text_color());
                let button = Button::selectable(entry.name == chooser.typed, text).truncate();
                let layout = Layout::top_down_justified(Align::LEFT);
                let response =
                    ui.with_layout(layout, |ui| ui.add(button.min_size(egui::vec2(0.0, ROW)))).inner;
                named(&response, egui::WidgetType::Button, &entry.name);
                if response.double_clicked() && entry.folder {
                    asked.push(ChooserCommand::Enter(chooser.folder.join(&entry.name)));
                } else if response.double_clicked() {
                    asked.push(ChooserCommand::Accept);
                } else if response.clicked() {
                    asked.push(ChooserCommand::Edit(entry.name.clone()));
                }
            }
        });
    });
}

fn name_ui(chooser: &FileChooser, asked: &mut Vec<ChooserCommand>, ui: &mut Ui) {
    let label = match chooser.question.kind {
        FileKind::Open => "File name or path",
        FileKind::Save => "Name of the file",
        FileKind::Folder => "Folder name or path; empty: the folder shown",
    };
    let label = ui.label(caption(label));
    let mut typed = chooser.typed.clone();
    let edit = TextEdit::singleline(&mut typed).desired_width(f32::INFINITY).margin(Margin::symmetric(8, 6));
    let response = ui.add(edit).labelled_by(label.id);
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    // Typing works at once; later the focus can move elsewhere.
    if ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
    if typed != chooser.typed {
        asked.push(ChooserCommand::Edit(typed));
    }
    if entered && chooser.ready() {
        asked.push(ChooserCommand::Accept);
    }
}

/// Draws the buttons. Returns whether the question was cancelled.
fn buttons_ui(chooser: &FileChooser, asked: &mut Vec<ChooserCommand>, ui: &mut Ui) -> bool {
    let verb = match chooser.question.kind {
        FileKind::Open => "Open",
        FileKind::Save => "Save",
        FileKind::Folder => "Choose this folder",
    };
    ui.horizontal(|ui| {
        if primary_button(ui, "", verb, chooser.ready()).clicked() {
            asked.push(ChooserCommand::Accept);
        }
        let cancel = labelled_button(ui, "", "Cancel", true).clicked();
        ui.add_space(12.0);
        let mut all = chooser.show_all;
        let tip = "Files of other kinds, and those whose names begin with a dot";
        if ui.checkbox(&mut all, "Show all").on_hover_text(tip).changed() {
            asked.push(ChooserCommand::ShowAll(all));
        }
        cancel
    })
    .inner
}
