//! Exports of findings and campaigns, and the commands that show a finding again.

use super::state::ReplayState;
use super::{ExportCommand, ExportSubject};
use crate::command::{ActionInfo, Command, Group, Order};
use crate::state::StudioState;
use taproof_results::report::ExportKind;
use taproof_results::shell::{campaign_command, replay_command};

/// The actions that export the open finding, as rows of the table of actions.
pub const EXPORT: &[ActionInfo] = &[
    Group::REPLAY.action("export-html", "Export the finding as HTML page", "", |state| {
        export(state, ExportKind::Html)
    }),
    Group::REPLAY.action("export-markdown", "Export the finding as Markdown", "", |state| {
        export(state, ExportKind::Markdown)
    }),
    Group::REPLAY.action("export-junit", "Export the finding as JUnit XML", "", |state| {
        export(state, ExportKind::Junit)
    }),
    Group::REPLAY.action("export-gif", "Export the finding as animated GIF", "", |state| {
        export(state, ExportKind::Gif)
    }),
    Group::REPLAY.action(
        "export-python",
        "Export the finding as Python script (uiautomator2)",
        "",
        |state| export(state, ExportKind::Uiautomator2),
    ),
    Group::REPLAY.action("export-maestro", "Export the finding as Maestro flow", "", |state| {
        export(state, ExportKind::Maestro)
    }),
    Group::REPLAY.action("export-adb", "Export the finding as adb shell script", "", |state| {
        export(state, ExportKind::AdbShell)
    }),
];

fn export(state: &StudioState, kind: ExportKind) -> Order {
    let replay = state.replay.as_ref().ok_or("Open a finding first.")?;
    let subject = ExportSubject::Finding(replay.source.key.clone());
    Ok(Command::Export(ExportCommand { subject, kind, screens_before: None }))
}

/// The commands that show the open finding again. `workspace` is the folder of the results.
pub fn commands(replay: &ReplayState, workspace: &str) -> String {
    let source = &replay.source;
    let again = campaign_command(&source.plan, &source.specs);
    format!("{} {}\n{again}", replay_command(&source.plan, Some(workspace)), source.number)
}
