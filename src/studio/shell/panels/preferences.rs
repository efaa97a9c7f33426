//! The sheet with what a person prefers in every project.

use egui::{ComboBox, Context, Id, Label, Margin, Modal, ScrollArea, TextEdit, Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{
    choose, given_up, labelled_button, named, named_checkbox, segments, sheet, small_button,
};
use crate::parts::theme::{caption, strong, title, tokens};
use crate::record::panels::step::kind_words;
use crate::shell::{Sheet, WindowCommand};
use crate::state::{SCALES, StudioState, Theme};
use taproof_results::report::issue_link;
use taproof_spec::SelectorPreference;

/// Patterns of known trackers.
const TRACKERS: [(&str, &str); 3] = [
    ("GitHub", "https://github.com/OWNER/REPOSITORY/issues/new?title={title}&body={body}"),
    (
        "GitLab",
        "https://gitlab.com/GROUP/PROJECT/-/issues/new?issue[title]={title}&issue[description]={body}",
    ),
    (
        "Jira",
        "https://SITE.atlassian.net/secure/CreateIssueDetails!init.jspa?pid=10000&issuetype=1&summary={title}&description={body}",
    ),
];

/// Draws the sheet if it is open.
pub fn preferences_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    if state.window.sheet != Some(Sheet::Preferences) {
        return;
    }
    let most = (ctx.content_rect().height() - 160.0).max(160.0);
    let modal = Modal::new(Id::new("preferences")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(620.0_f32.min(ui.ctx().content_rect().width() - 64.0));
        ui.label(title("Preferences"));
        ui.label(caption("They hold in every project on this computer."));
        ui.add_space(8.0);
        ScrollArea::vertical().max_height(most).show(ui, |ui| {
            egui::Grid::new("preferences").num_columns(2).spacing([24.0, 10.0]).show(ui, |ui| {
                window_ui(state, commands, ui);
                recorder_ui(state, commands, ui);
            });
            ui.add_space(12.0);
            issue_link_ui(state, commands, ui);
        });
        ui.add_space(8.0);
        labelled_button(ui, "", "Close", true).clicked()
    });
    if modal.inner || given_up(&modal, ctx) {
        commands.push(WindowCommand::Show(None).into());
    }
}

/// Draws how the window looks.
fn window_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let settings = &state.settings;
    ui.label("Colours");
    let themes = [(Theme::System, "As the desktop"), (Theme::Dark, "Dark"), (Theme::Light, "Light")];
    let themes = themes.map(|(theme, words)| (theme, words.to_owned(), ""));
    if let Some(theme) = segments(ui, Some(settings.theme), &themes) {
        commands.push(WindowCommand::Theme(theme).into());
    }
    ui.end_row();
    ui.label("Size");
    let scales = SCALES.map(|scale| (scale, format!("{scale} %"), ""));
    if let Some(scale) = segments(ui, Some(settings.scale), &scales) {
        commands.push(WindowCommand::Scale(scale).into());
    }
    ui.end_row();
    ui.label("Motion");
    let mut reduce = settings.reduce_motion;
    if named_checkbox(ui, &mut reduce, "Nothing moves by itself", "Reduce motion").changed() {
        commands.push(WindowCommand::ReduceMotion(reduce).into());
    }
    ui.end_row();
    ui.label("First steps");
    let mut shown = settings.first_steps;
    let words = "Say in each place what to do first";
    if named_checkbox(ui, &mut shown, words, "Show the first steps").changed() {
        commands.push(WindowCommand::FirstSteps(shown).into());
    }
    ui.end_row();
}

/// Draws what the recorder prefers.
fn recorder_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.label("Selectors").on_hover_text("What a recording chooses where several things name a widget alone");
    let mut preferred = state.settings.preferred_selector;
    let combo =
        ComboBox::from_id_salt("preference of selectors").selected_text(kind_words(preferred)).width(140.0);
    let kinds = SelectorPreference::ALL.map(|kind| (kind, kind_words(kind)));
    if choose(combo, "Selectors that recordings prefer", &mut preferred, kinds, ui).changed() {
        commands.push(WindowCommand::PreferSelector(preferred).into());
    }
    ui.end_row();
}

/// Draws the link for new issues.
fn issue_link_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.label(strong("Link for new issues"));
    let what = "New issue opens this address in the browser. {title} and {body} become the bug\u{2019}s title and text.";
    ui.add(Label::new(caption(what)).wrap());
    let mut link = state.settings.issue_link.clone();
    let field =
        ui.add(TextEdit::singleline(&mut link).desired_width(f32::INFINITY).margin(Margin::symmetric(8, 6)));
    named(&field, WidgetType::TextEdit, "Link for new issues");
    ui.horizontal(|ui| {
        ui.label(caption("Begin with"));
        for (name, pattern) in TRACKERS {
            if ui.add(small_button(name)).clicked() {
                pattern.clone_into(&mut link);
            }
        }
    });
    // The line is there anyway, so that nothing moves.
    let problem = issue_link(&link, "", "").err().filter(|_| !link.is_empty());
    let words = problem.unwrap_or_else(|| " ".to_owned());
    ui.add(Label::new(caption(words).color(tokens(ui.ctx()).bad)).wrap());
    if link != state.settings.issue_link {
        commands.push(WindowCommand::IssueLink(link).into());
    }
}
