//! Exports of findings and campaigns, and texts about a finding for the clipboard.

use super::state::ReplayState;
use super::{ExportCommand, ExportSubject, FindingText};
use crate::command::{ActionInfo, Command, Group, Order};
use crate::state::StudioState;
use taproof_campaign::FindingState;
use taproof_results::report::ExportKind;
use taproof_results::shell::{campaign_command, shell_word};

/// The actions that export the open finding, as rows of the table of actions.
pub const EXPORT: &[ActionInfo] = &[
    Group::REPLAY.action("export-html", "Export the finding as HTML page", "", |state| {
        export(state, ExportKind::Html)
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

/// Returns a text about the open finding. `workspace` is the folder of the results.
pub fn finding_text(replay: &ReplayState, text: FindingText, workspace: &str) -> String {
    let commands = commands(replay, workspace);
    match text {
        FindingText::Reproduce => commands,
        FindingText::Summary => summary(replay, &commands),
    }
}

fn commands(replay: &ReplayState, workspace: &str) -> String {
    let source = &replay.source;
    let again = campaign_command(&source.plan, &source.specs);
    format!("taproof replay {} --workspace {}\n{again}", source.number, shell_word(workspace))
}

fn summary(replay: &ReplayState, commands: &str) -> String {
    let (finding, plan) = (&replay.finding, &replay.source.plan);
    let mut text = format!("## {}\n\n", markdown(&finding.title));
    text += &format!("{} ({}), ", markdown(&plan.app), markdown(&plan.device.words(&plan.build)));
    let state = FindingState::of(finding);
    text += &format!("seed {}, {state}.\n\n### Steps\n\n", finding.seed);
    let first = plan.initialiser.as_ref().map_or_else(Vec::new, |first| first.sentences());
    let lines = replay.short_lines();
    let sentences = first.iter().chain(lines.iter().map(|line| &line.sentence));
    for (step, sentence) in sentences.enumerate() {
        text += &format!("{}. {}\n", step + 1, markdown(sentence));
    }
    for failure in &finding.violation.failures {
        text += &format!("\n**Expected:** {}  \n", markdown(&failure.expected));
        text += &format!("**Seen:** {}\n", markdown(&failure.seen));
    }
    if !finding.attribution.is_none() {
        text += &format!("\nCause: {}\n", markdown(&finding.attribution.to_string()));
    }
    text += &format!("\n### How to see it again\n\n```sh\n{commands}\n```\n");
    text
}

/// Escapes a text so that Markdown shows it literally, since apps under test may contain anything.
fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '@' | '<' | '>' | '&' => escaped += &format!("&#{};", letter as u32),
            letter if letter.is_control() => escaped.push(' '),
            letter if letter.is_ascii_punctuation() && !",;:.'\"?/".contains(letter) => {
                escaped.extend(['\\', letter]);
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_app_wrote_stays_text() {
        assert_eq!(markdown("a <b>*x*</b>\n@me #1"), "a &#60;b&#62;\\*x\\*&#60;/b&#62; &#64;me \\#1");
    }
}
