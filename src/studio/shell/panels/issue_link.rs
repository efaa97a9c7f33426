//! The sheet with the link for new issues.

use egui::{Context, Id, Label, Modal, TextEdit, WidgetType};

use crate::command::Command;
use crate::parts::controls::{given_up, labelled_button, named, primary_button, sheet, small_button};
use crate::parts::theme::{caption, title, tokens};
use crate::shell::{Sheet, WindowCommand};
use crate::state::StudioState;
use taproof_results::report::issue_link;

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
pub fn issue_link_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    let id = Id::new("issue link");
    if state.window.sheet != Some(Sheet::IssueLink) {
        ctx.data_mut(|data| data.remove::<String>(id));
        return;
    }
    let mut link =
        ctx.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| state.settings.issue_link.clone());
    let modal = Modal::new(id).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(620.0_f32.min(ui.ctx().content_rect().width() - 64.0));
        ui.label(title("Link for new issues"));
        let what = "New issue opens this address in the browser. {title} and {body} become the bug\u{2019}s title and text.";
        ui.add(Label::new(caption(what)).wrap());
        ui.add_space(8.0);
        let field = ui.add(TextEdit::singleline(&mut link).desired_width(f32::INFINITY));
        named(&field, WidgetType::TextEdit, "Link for new issues");
        ui.horizontal(|ui| {
            ui.label(caption("Begin with"));
            for (name, pattern) in TRACKERS {
                if ui.add(small_button(name)).clicked() {
                    pattern.clone_into(&mut link);
                }
            }
        });
        let problem = issue_link(&link, "", "").err().filter(|_| !link.is_empty());
        // The line is there anyway, so that nothing moves.
        let words = problem.clone().unwrap_or_else(|| " ".to_owned());
        ui.add(Label::new(caption(words).color(tokens(ui.ctx()).bad)).wrap());
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            if primary_button(ui, "", "Keep", problem.is_none()).clicked() {
                commands.push(WindowCommand::IssueLink(link.trim().to_owned()).into());
            }
            labelled_button(ui, "", "Cancel", true).clicked()
        })
        .inner
    });
    ctx.data_mut(|data| data.insert_temp(id, link));
    if modal.inner || given_up(&modal, ctx) {
        commands.push(WindowCommand::Show(None).into());
    }
}
