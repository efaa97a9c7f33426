//! Findings and campaigns as files and texts for other people: what is asked for, and the texts.

use taproof_results::report::{ExportKind, campaign_again, shell_word};

use super::actions::{ActionInfo, Group, Order};
use super::campaigns::CampaignId;
use super::files::{FileKind, FilePurpose, FileQuestion};
use super::history::FindingKey;
use super::replay::ReplayState;
use super::{Command, Place, StudioState};

/// The rows of the table of actions: the open finding as files.
pub const EXPORT: &[ActionInfo] = &[
    ActionInfo {
        id: "export-html",
        label: "Export the finding as HTML page",
        keys: "",
        group: Group::In(Place::Replay),
        order: |state| export(state, ExportKind::Html),
    },
    ActionInfo {
        id: "export-junit",
        label: "Export the finding as JUnit XML",
        keys: "",
        group: Group::In(Place::Replay),
        order: |state| export(state, ExportKind::Junit),
    },
    ActionInfo {
        id: "export-gif",
        label: "Export the finding as animated GIF",
        keys: "",
        group: Group::In(Place::Replay),
        order: |state| export(state, ExportKind::Gif),
    },
    ActionInfo {
        id: "export-python",
        label: "Export the finding as Python script (uiautomator2)",
        keys: "",
        group: Group::In(Place::Replay),
        order: |state| export(state, ExportKind::Uiautomator2),
    },
    ActionInfo {
        id: "export-maestro",
        label: "Export the finding as Maestro flow",
        keys: "",
        group: Group::In(Place::Replay),
        order: |state| export(state, ExportKind::Maestro),
    },
    ActionInfo {
        id: "export-adb",
        label: "Export the finding as adb shell script",
        keys: "",
        group: Group::In(Place::Replay),
        order: |state| export(state, ExportKind::AdbShell),
    },
];

fn export(state: &StudioState, kind: ExportKind) -> Order {
    let replay = state.replay.as_ref().ok_or("Open a finding first.")?;
    Ok(Command::Export(ExportCommand { subject: ExportSubject::Finding(replay.source.key.clone()), kind }))
}

/// What is exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportSubject {
    /// A finding of the workspace.
    Finding(FindingKey),
    /// A campaign of this window.
    Campaign(CampaignId),
}

/// Asks for a file and writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportCommand {
    /// What.
    pub subject: ExportSubject,
    /// As what.
    pub kind: ExportKind,
}

/// A text about the open finding, for the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingText {
    /// The commands that show it again.
    Reproduce,
    /// What an issue tracker wants to know, as Markdown.
    Summary,
}

impl ExportCommand {
    /// Asks where to write it.
    pub fn question(self) -> FileQuestion {
        let (kind, name) = (self.kind, self.subject.name());
        FileQuestion {
            title: format!("Export {name} as {}", kind.label()),
            name: format!("{name}.{}", kind.extension()),
            kind: FileKind::Save,
            extensions: vec![kind.extension()],
            purpose: FilePurpose::Export(self),
        }
    }
}

impl ExportSubject {
    /// What files about it are called.
    pub fn name(&self) -> String {
        match self {
            ExportSubject::Finding(key) => key.name.clone(),
            ExportSubject::Campaign(id) => format!("campaign-{}", id.0),
        }
    }
}

/// The text about a finding whose results lie in that folder.
pub fn finding_text(replay: &ReplayState, text: FindingText, workspace: &str) -> String {
    let commands = commands(replay, workspace);
    match text {
        FindingText::Reproduce => commands,
        FindingText::Summary => summary(replay, &commands),
    }
}

fn commands(replay: &ReplayState, workspace: &str) -> String {
    let source = &replay.source;
    let again = campaign_again(&source.plan, &source.specs);
    format!("taproof replay {} --workspace {}\n{again}", source.number, shell_word(workspace))
}

fn summary(replay: &ReplayState, commands: &str) -> String {
    let (finding, plan) = (&replay.finding, &replay.source.plan);
    let mut text = format!("## {}\n\n", markdown(&finding.title));
    text += &format!("{} ({}), ", markdown(&plan.app), markdown(&plan.device.words(&plan.build)));
    let (hits, tries) = finding.confirmation.counts();
    text += &format!("seed {}, came back {hits} of {tries} times.\n\n### Steps\n\n", finding.seed);
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

/// A text that Markdown shows as it is: what the app under test wrote stays text.
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

    #[test]
    fn a_question_proposes_a_name() {
        let subject = ExportSubject::Finding(FindingKey { campaign: 3, name: "crash-1".into() });
        let question = ExportCommand { subject, kind: ExportKind::Maestro }.question();
        assert_eq!((question.name.as_str(), question.extensions), ("crash-1.yaml", vec!["yaml"]));
    }
}
