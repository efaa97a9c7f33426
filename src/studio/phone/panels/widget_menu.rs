//! The context menu of a widget, in the tree and on the phone.

use egui::{Button, Ui};

use crate::command::Command;
use crate::mirror::Screenshot;
use crate::parts::theme::caption;
use crate::phone::{WidgetCommand, picture_name, picture_of};
use taproof_core::model::{Layout, WidgetIdx, widget_name};
use taproof_results::report::SelectorForm;

/// Draws what can be done with a widget. `picture` is that of the whole screen.
pub fn widget_menu_ui(
    layout: &Layout,
    idx: WidgetIdx,
    picture: Option<&Screenshot>,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(widget) = layout.get(idx) else { return };
    ui.set_max_width(280.0);
    ui.add(egui::Label::new(caption(widget_name(widget))).truncate());
    for (form, text) in SelectorForm::all_of(layout, idx) {
        let tip = text.clone();
        if ui.button(format!("Copy as {}", form.word())).on_hover_text(tip).clicked() {
            commands.push(WidgetCommand::Copy(form, text).into());
            ui.close();
        }
    }
    ui.separator();
    let save = ui.add_enabled(picture.is_some(), Button::new("Save its picture\u{2026}"));
    let save = save.on_disabled_hover_text("The device gives no pictures");
    if let Some(screen) = picture
        && save.clicked()
    {
        let part = picture_of(layout, idx, screen);
        let save = |part| WidgetCommand::SavePicture(picture_name(layout, idx), part).into();
        commands.extend(part.map(save));
        ui.close();
    }
}
