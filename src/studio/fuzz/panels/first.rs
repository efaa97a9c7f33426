//! The initial steps of every test of the form's app, and the condition for the screen after them.

use egui::{Label, Margin, RichText, TextEdit, Ui};

use crate::fuzz::{CampaignForm, FormField, FormProblems, InitialSteps};
use crate::parts::controls::{icon_button, named};
use crate::parts::theme::{icon, tokens};
use taproof_screen::RecordedStep;

/// Draws the line of these settings, which may change the form.
pub fn first_ui(form: &mut CampaignForm, problems: &FormProblems, ui: &mut Ui) {
    let app = form.target.app.clone();
    if app.is_empty() {
        return;
    }
    let before = form.first_of(&app);
    let mut first = before.clone();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label("Before each test");
        steps_ui(&mut first, ui);
        ui.add_space(8.0);
        let name = ui.label(FormField::Ready.word());
        let mut edit = TextEdit::singleline(&mut first.ready)
            .desired_width(190.0)
            .margin(Margin::symmetric(8, 6))
            .font(egui::TextStyle::Monospace)
            .hint_text(RichText::new("such as //*[@text=\"OK\"]").weak());
        if problems.contains_key(&FormField::Ready) {
            edit = edit.text_color(tokens(ui.ctx()).bad);
        }
        let tip = "The XPath of a widget that must be on the screen before a test may begin, for an app that shows \
                   something else first; empty: a test begins at once";
        ui.add(edit).labelled_by(name.id).on_hover_text(tip);
        ui.label("is on the screen");
        ui.add_space(8.0);
        let name = ui.label("Run");
        let edit = TextEdit::singleline(&mut first.before_test)
            .desired_width(130.0)
            .margin(Margin::symmetric(8, 6))
            .font(egui::TextStyle::Monospace)
            .hint_text(RichText::new("such as ./reset.sh").weak());
        let tip = "A command of this computer that is run before each test, such as one that resets a server. It finds \
                   the device in TAPROOF_SERIAL and the app in TAPROOF_PACKAGE";
        ui.add(edit).labelled_by(name.id).on_hover_text(tip);
        ui.checkbox(&mut first.keep_data, "Keep the app\u{2019}s data").on_hover_text(
            "Tests begin with the data of earlier ones, such as an account. The recorded steps are left out, and the \
             data that a function expects are those that the first page shows",
        );
        may_clear_ui(&mut first, ui);
    });
    if first != before {
        form.do_first(&app, first);
    }
}

/// Draws on which devices tests may clear the app's data, and takes that back.
fn may_clear_ui(first: &mut InitialSteps, ui: &mut Ui) {
    if first.may_clear.is_empty() || first.keep_data {
        return;
    }
    let serials: Vec<&str> = first.may_clear.iter().map(String::as_str).collect();
    ui.label(RichText::new(format!("may be cleared on {}", serials.join(", "))).weak());
    let again = "Ask again before its data are cleared";
    let button = icon_button(ui, icon::DELETE, again, true);
    named(&button, egui::WidgetType::Button, again);
    if button.clicked() {
        first.may_clear.clear();
    }
}

fn steps_ui(first: &mut InitialSteps, ui: &mut Ui) {
    if first.steps.is_empty() {
        ui.label(RichText::new(first.count()).weak()).on_hover_text(
            "Record the steps through welcome screens or a login in Record, and press \u{201c}Do first in every \
             test\u{201d} there.",
        );
        return;
    }
    let sentences: Vec<String> = first.steps.iter().map(RecordedStep::sentence).collect();
    ui.add(Label::new(first.count())).on_hover_text(sentences.join("\n"));
    let remove = "Do no step first";
    let button = icon_button(ui, icon::DELETE, remove, true);
    named(&button, egui::WidgetType::Button, remove);
    if button.clicked() {
        first.steps = Default::default();
    }
}
