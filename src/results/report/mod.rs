//! Exports findings and campaigns as files for other people: reports, scripts, test results.
//!
//! Pure functions from values to bytes. Anything that the app under test supplied (texts, names, log lines) remains
//! text in every format: it is escaped here (`text.rs`), and for the tables of a workspace in `store/tables.rs`.

mod ci;
mod facts;
mod gif;
mod html;
mod junit;
mod markdown;
mod picture;
mod plain;
mod progress;
mod scene;
mod scripts;
mod step;
mod text;
mod transition_graph;

pub use ci::{Standing, annotation, campaign_markdown};
pub use facts::{CampaignFacts, ReportFacts, place_words};
pub use html::{Escaped, diff_page, footer_of, styled_page};
pub use markdown::{TicketPicture, finding_markdown, finding_pictures, issue_link, ticket_body};
pub use plain::{
    MOST_SENTENCES, condition_sentence, failure_sentence, finding_lines, literal_hint, literal_parts,
    looks_escaped, plain_sentence, unsaved_finding_lines, wrong_on,
};
pub use progress::{ProgressSink, no_progress};
pub use scripts::SelectorForm;
pub use step::{
    Change, ChangeKind, FindingTrace, Mark, ReplayFrame, StepFacts, millis_at, replay_frame, step_facts,
    step_sentences, touch_of, trace_frame,
};
pub use transition_graph::transition_graph;

use progress::Progress;
use taproof_campaign::Finding;
use taproof_screen::words;

/// Why a report cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Only single findings can be exported in this format.
    #[error("a campaign is exported as an HTML page or as JUnit XML; as {kind} export one of its findings")]
    NotOfCampaigns {
        /// Name of the requested format.
        kind: &'static str,
    },
    /// The export was cancelled before it was complete.
    #[error("the export was cancelled")]
    Cancelled,
    /// The animation cannot be written.
    #[error("the steps cannot be written as a GIF: {problem}")]
    Gif {
        /// The message of the encoder.
        problem: String,
    },
}

/// Exports a finding as a file. `hear` is called before each part is made.
///
/// # Errors
///
/// [`ReportError::Cancelled`] if `hear` returns `Break`, or another [`ReportError`] if the format cannot be written.
pub fn export_finding<'a>(
    finding: &Finding,
    facts: &ReportFacts,
    kind: ExportKind,
    hear: &'a mut ProgressSink<'a>,
) -> Result<Vec<u8>, ReportError> {
    let progress = &mut Progress::new(hear);
    match kind {
        ExportKind::Html => html::finding_page(finding, facts, progress),
        ExportKind::Junit => Ok(junit::finding_results(finding, facts)),
        ExportKind::Uiautomator2 => Ok(scripts::uiautomator2::script(finding, facts)),
        ExportKind::Maestro => Ok(scripts::maestro::flow(finding, facts)),
        ExportKind::AdbShell => Ok(scripts::adb_shell::script(finding, facts)),
        ExportKind::Gif => gif::film(finding, progress),
        ExportKind::Markdown => {
            Ok(finding_markdown(finding, facts, &finding_pictures(finding, facts)).into_bytes())
        }
    }
}

/// Exports a campaign as an HTML page or as JUnit XML. `hear` is called before each part is made.
///
/// # Errors
///
/// [`ReportError::NotOfCampaigns`] for other formats, [`ReportError::Cancelled`] if `hear` returns `Break`, or another
/// [`ReportError`] if the format cannot be written.
pub fn export_campaign<'a>(
    facts: &CampaignFacts,
    kind: ExportKind,
    hear: &'a mut ProgressSink<'a>,
) -> Result<Vec<u8>, ReportError> {
    match kind {
        ExportKind::Html => html::html_campaign::campaign_page(facts, &mut Progress::new(hear)),
        ExportKind::Junit => Ok(junit::campaign_results(facts)),
        _ => Err(ReportError::NotOfCampaigns { kind: kind.label() }),
    }
}

words! {
    /// The format of an exported finding or campaign.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ExportKind {
        /// One self-contained page: steps, screenshots, marks, expected and seen, data model, how to reproduce.
        Html = "html",
        /// Markdown for an issue tracker: steps, expected and observed, environment; two pictures lie beside it.
        Markdown = "markdown",
        /// Test results for CI servers.
        Junit = "junit",
        /// The steps as an animation.
        Gif = "gif",
        /// A Python script for uiautomator2.
        Uiautomator2 = "uiautomator2",
        /// A flow for Maestro, with the steps and an assertion.
        Maestro = "maestro",
        /// A shell script of adb commands.
        AdbShell = "adb",
    }
    /// The format as one word, as commands write it.
    pub fn word;
    /// All formats, in the order of menus.
    pub const ALL;
}

impl ExportKind {
    /// Name of the format in menus.
    pub fn label(self) -> &'static str {
        match self {
            ExportKind::Html => "HTML page",
            ExportKind::Markdown => "Markdown (for an issue tracker)",
            ExportKind::Junit => "JUnit XML",
            ExportKind::Gif => "Animated GIF",
            ExportKind::Uiautomator2 => "Python script (uiautomator2)",
            ExportKind::Maestro => "Maestro flow",
            ExportKind::AdbShell => "adb shell script",
        }
    }

    /// File name extension, without a dot.
    pub fn extension(self) -> &'static str {
        match self {
            ExportKind::Html => "html",
            ExportKind::Markdown => "md",
            ExportKind::Junit => "xml",
            ExportKind::Gif => "gif",
            ExportKind::Uiautomator2 => "py",
            ExportKind::Maestro => "yaml",
            ExportKind::AdbShell => "sh",
        }
    }

    /// Whether a whole campaign can be exported in this format.
    pub fn of_campaigns(self) -> bool {
        matches!(self, ExportKind::Html | ExportKind::Junit)
    }
}
