//! The test rules of the form's app: the files that were chosen, and what was collected on the phone.

use std::sync::Arc;

use egui::{Id, Label, PopupCloseBehavior, RichText, TextEdit, Ui, WidgetType};

use crate::command::{Command, FileCommand, FileQuestion};
use crate::fuzz::{AppRules, CampaignForm};
use crate::parts::controls::{icon_button, labelled_button, look_ui, named};
use crate::parts::theme::{caption, icon, tokens};
use crate::state::StudioState;
use taproof_results::store::own_rules_path;
use taproof_screen::counted;
use taproof_spec::{RuleEntry, TestRules};

/// Draws the line of these settings, which may change the form.
pub fn rules_ui(state: &StudioState, form: &mut CampaignForm, commands: &mut Vec<Command>, ui: &mut Ui) {
    let app = form.target.app.clone();
    if app.is_empty() {
        return;
    }
    let before = form.rules_of(&app);
    let mut rules = before.clone();
    let editor = ui.id().with(("rules", &app));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label("Test rules").on_hover_text("Where tests do not go, what they ignore, and which texts fields get");
        own_ui(state, &app, &mut rules, ui);
        let mut removed = None;
        for (place, path) in rules.files.iter().enumerate() {
            if file_ui(state, path, ui) {
                removed = Some(place);
            }
        }
        if let Some(place) = removed {
            rules.files.remove(place);
        }
        let tip = "Adds a file that says where engines may go, what is ignored, what is done about screens in between, and \
                   which texts fields get: see Test rules in the book";
        if labelled_button(ui, icon::FILE, "Add a file\u{2026}", true).on_hover_text(tip).clicked() {
            commands.push(Command::File(FileCommand::Ask(Box::new(FileQuestion::test_rules()))));
        }
        add_ui(state, &app, &mut rules, ui);
        if state.campaigns.rule_files.damage(&app).is_none() {
            edit_button_ui(editor, &rules.own, ui);
        }
    });
    editor_ui(editor, &mut rules.own, ui);
    for path in &rules.files {
        if let Some(Err(problem)) = state.campaigns.rule_files.of(path) {
            look_ui(ui, &format!("{path} cannot be used: {problem}"));
        }
    }
    if let Some(problem) = state.campaigns.rule_files.damage(&app) {
        look_ui(ui, &format!("What was collected cannot be used: {problem}"));
    }
    if rules != before {
        form.set_rules(&app, rules);
    }
}

/// Draws what was collected, each thing with a button that removes it.
fn own_ui(state: &StudioState, app: &str, rules: &mut AppRules, ui: &mut Ui) {
    if rules.own.is_empty() {
        if rules.files.is_empty() {
            ui.label(RichText::new("none").weak()).on_hover_text(
                "Point at a widget on the phone, press the right button, and choose what tests ignore or where they do \
                 not go",
            );
        }
        return;
    }
    let words = rules.own.summary();
    let button = labelled_button(ui, "", &words, true)
        .on_hover_text("What was collected on the phone; press to see and remove it");
    named(&button, WidgetType::Button, &format!("Collected test rules: {words}"));
    egui::Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(360.0);
        let entries = rules.own.entries();
        for entry in &entries {
            ui.horizontal(|ui| {
                let remove = format!("Remove: {entry}");
                if icon_button(ui, icon::DELETE, &remove, true).clicked() {
                    Arc::make_mut(&mut rules.own).remove(entry);
                }
                ui.add(Label::new(entry.to_string()).truncate());
            });
        }
        let others = rules.own.sentences();
        for sentence in others.iter().skip(entries.len()) {
            ui.add(Label::new(sentence).truncate());
        }
        if let Ok(path) = own_rules_path(&state.workspace, app) {
            ui.separator();
            ui.label(caption("For commands, they are"));
            ui.add(Label::new(caption(format!("--test-rules {}", path.display()))).truncate());
        }
    });
}

/// Draws the button that opens the editor of what was collected.
fn edit_button_ui(editor: Id, own: &TestRules, ui: &mut Ui) {
    let open = ui.data(|data| data.get_temp::<String>(editor).is_some());
    let button = labelled_button(ui, icon::CHANGED, "Edit\u{2026}", !open);
    let tip = "All that a file of rules can say: lists of activities and packages, rules for screens, what is ignored, texts";
    named(&button, WidgetType::Button, "Edit the test rules");
    if button.on_hover_text(tip).clicked() {
        let text = own.to_file().unwrap_or_default();
        ui.data_mut(|data| data.insert_temp(editor, text));
    }
}

/// Draws the editor while it is open. What is applied is checked as a file is.
fn editor_ui(editor: Id, own: &mut Arc<TestRules>, ui: &mut Ui) {
    let Some(mut text) = ui.data(|data| data.get_temp::<String>(editor)) else { return };
    let edit = TextEdit::multiline(&mut text).code_editor().desired_width(f32::INFINITY).desired_rows(12);
    let response = ui.add(edit);
    named(&response, WidgetType::TextEdit, "Test rules as JSON");
    let read = TestRules::parse("", &text);
    let mut close = false;
    ui.horizontal(|ui| {
        if labelled_button(ui, icon::CHECK, "Apply the rules", read.is_ok()).clicked()
            && let Ok(rules) = &read
        {
            let version = own.version;
            *own = Arc::new(TestRules { version, ..rules.clone() });
            close = true;
        }
        close |= labelled_button(ui, "", "Leave them as they were", true).clicked();
        match &read {
            Ok(rules) => ui.label(caption(rules.summary())),
            Err(error) => {
                ui.add(Label::new(RichText::new(&error.problem).color(tokens(ui.ctx()).bad)).truncate())
            }
        };
    });
    ui.label(caption(
        "Keys: allow, deny (packages, activities, screens), rules, ignore, texts, log_errors, mapping. The book has an example of each.",
    ));
    ui.data_mut(|data| {
        if close {
            data.remove::<String>(editor);
        } else {
            data.insert_temp(editor, text);
        }
    });
}

/// Draws a chosen file with what it says. Returns whether it is to be removed.
fn file_ui(state: &StudioState, path: &str, ui: &mut Ui) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let said = state.campaigns.rule_files.of(path);
    let mut removed = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        match said {
            Some(Ok(rules)) => {
                let tip = format!("{path}\n{}", rules.sentences().join("\n"));
                ui.label(format!("{name}: {}", rules.summary())).on_hover_text(tip);
            }
            Some(Err(problem)) => {
                let text = RichText::new(name).color(tokens(ui.ctx()).bad);
                ui.label(text).on_hover_text(format!("{path}\n{problem}"));
            }
            None => drop(ui.label(name).on_hover_text(path)),
        }
        removed = icon_button(ui, icon::CLOSE, &format!("Leave {name} out"), true).clicked();
    });
    removed
}

/// Draws the menu that adds what concerns the screen on the phone, if that shows the app.
fn add_ui(state: &StudioState, app: &str, rules: &mut AppRules, ui: &mut Ui) {
    let layout = state.mirror.layout().filter(|_| state.settings.target.app == app);
    let damaged = state.campaigns.rule_files.damage(app).is_some();
    let Some(layout) = layout.filter(|_| !damaged) else { return };
    ui.menu_button("From the phone", |ui| {
        ui.set_width(280.0);
        let chosen = state.selected;
        let (widget, screen) = (
            chosen.and_then(|idx| RuleEntry::ignoring(layout, idx)),
            chosen.and_then(|idx| RuleEntry::denying_screen(layout, idx)),
        );
        let pick = "Choose a widget in the tree or on the phone first";
        for (label, entry, why_not) in [
            ("Ignore the chosen widget", widget, pick),
            ("Do not go to screens with the chosen widget", screen, pick),
            ("Do not go to this activity", RuleEntry::denying_activity(layout), "The activity is not known"),
        ] {
            entry_button_ui(&rules.own, label, entry, why_not, ui)
                .into_iter()
                .for_each(|entry| Arc::make_mut(&mut rules.own).add(entry));
        }
    })
    .response
    .on_hover_text("What is to be ignored, or where tests are not to go, on the screen that the phone shows");
}

/// Draws a button that adds an entry. Returns the entry if it was pressed.
fn entry_button_ui(
    own: &TestRules,
    label: &str,
    entry: Option<RuleEntry>,
    why_not: &str,
    ui: &mut Ui,
) -> Option<RuleEntry> {
    let known = entry.as_ref().is_some_and(|entry| own.entries().contains(entry));
    let button = ui.add_enabled(entry.is_some() && !known, egui::Button::new(label));
    let why_not = if known { "The rules say so already" } else { why_not };
    let said = entry.as_ref().map_or_else(String::new, |entry| format!("Every test {entry}"));
    let pressed = button.on_hover_text(said).on_disabled_hover_text(why_not).clicked();
    if pressed {
        ui.close();
    }
    entry.filter(|_| pressed)
}

/// How many files and things there are, for the line that stands for the options while they are folded. Empty if there are
/// none.
pub fn rules_words(form: &CampaignForm) -> String {
    let Some(rules) = form.rules.get(&form.target.app) else { return String::new() };
    let mut parts = Vec::new();
    if !rules.own.is_empty() {
        parts.push(rules.own.summary());
    }
    if !rules.files.is_empty() {
        parts.push(counted(rules.files.len(), "file") + " of test rules");
    }
    parts.iter().map(|part| format!("  \u{b7}  {part}")).collect()
}
