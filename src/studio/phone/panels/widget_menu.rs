//! The context menu of a widget, in the tree and on the phone.

use egui::{Button, Ui};

use crate::command::{Command, RuleChange};
use crate::mirror::Screenshot;
use crate::parts::theme::caption;
use crate::phone::{WidgetCommand, picture_name, picture_of};
use taproof_results::report::SelectorForm;
use taproof_screen::{Layout, WidgetIdx, widget_name};
use taproof_spec::{RuleEntry, TestRules};

/// Draws what can be done with a widget. `picture` is that of the whole screen, `rules` were collected for the app.
pub fn widget_menu_ui(
    layout: &Layout,
    idx: WidgetIdx,
    picture: Option<&Screenshot>,
    rules: &TestRules,
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
    ui.separator();
    rules_ui(layout, idx, rules, commands, ui);
}

/// Draws what tests of the app can ignore of the screen, and where they can be kept from. What the rules say already can be
/// taken back.
fn rules_ui(layout: &Layout, idx: WidgetIdx, rules: &TestRules, commands: &mut Vec<Command>, ui: &mut Ui) {
    let known = rules.entries();
    let choices = [
        (["Ignore in tests", "Look at it in tests again"], RuleEntry::ignoring(layout, idx)),
        (["Do not go to this screen", "Go to this screen again"], RuleEntry::denying_screen(layout, idx)),
        (["Do not go to this activity", "Go to this activity again"], RuleEntry::denying_activity(layout)),
    ];
    for ([add, remove], entry) in choices {
        let there = entry.as_ref().is_some_and(|entry| known.contains(entry));
        let tip = entry.as_ref().map_or_else(String::new, |entry| tip(layout, entry, there));
        let button = ui.add_enabled(entry.is_some(), Button::new(if there { remove } else { add }));
        let button = button.on_hover_text(tip);
        let pressed = button.on_disabled_hover_text("Nothing tells this widget from others").clicked();
        if let Some(entry) = entry.filter(|_| pressed) {
            let change = if there { RuleChange::Remove(entry) } else { RuleChange::Add(entry) };
            commands.push(Command::Rule(change));
            ui.close();
        }
    }
}

/// What an entry has tests do. An id may be that of several widgets.
fn tip(layout: &Layout, entry: &RuleEntry, there: bool) -> String {
    let mut alone = TestRules::default();
    alone.add(entry.clone());
    let begin = if there { "So far, every test" } else { "Every test" };
    match alone.ignored_on(layout).len() {
        0 | 1 => format!("{begin} {entry}"),
        many => format!("{begin} {entry}: {many} widgets on this screen"),
    }
}
