//! Findings and campaigns as files for other people: reports, scripts, test results.
//!
//! Pure: values in, bytes out. What the app under test supplied (texts, names, log lines) stays text in every
//! format: it is escaped here and nowhere else.

mod adb_shell;
mod canvas;
mod facts;
mod gif;
mod html;
mod html_campaign;
mod junit;
mod maestro;
mod page;
mod picture;
mod plain;
mod progress;
mod scene;
mod screen_svg;
mod script;
mod step;
mod text;
mod uiautomator2;

pub use facts::{CampaignFacts, ReportFacts, campaign_again};
pub use plain::{came_back, finding_lines, unsaved_finding_lines};
pub use progress::{Hear, unheard};
pub use step::{
    Change, ChangeKind, Mark, ReplayFrame, Way, replay_frame, step_sentences, touch_of, trace_frame,
};
pub use text::shell_word;

use progress::Progress;
use taproof_core::campaign::Finding;

/// A report cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Only findings can be exported so.
    #[error("a campaign is exported as an HTML page or as JUnit XML; as {kind} export one of its findings")]
    NotOfCampaigns {
        /// What was asked for.
        kind: &'static str,
    },
    /// It was ended before it was whole.
    #[error("the export was cancelled")]
    Cancelled,
    /// The moving picture cannot be written.
    #[error("the steps cannot be written as a GIF: {problem}")]
    Gif {
        /// What the encoder says.
        problem: String,
    },
    /// The XML cannot be written.
    #[error("the test results cannot be written as XML: {problem}")]
    Xml {
        /// What the writer says.
        problem: String,
    },
}

/// A finding as a file. `hear` is told of each part before it is made.
pub fn export_finding<'a>(
    finding: &Finding,
    facts: &ReportFacts,
    kind: ExportKind,
    hear: &'a mut Hear<'a>,
) -> Result<Vec<u8>, ReportError> {
    let progress = &mut Progress::new(hear);
    match kind {
        ExportKind::Html => html::finding_page(finding, facts, progress),
        ExportKind::Junit => junit::finding_results(finding, facts),
        ExportKind::Uiautomator2 => Ok(uiautomator2::script(finding, facts)),
        ExportKind::Maestro => Ok(maestro::flow(finding, facts)),
        ExportKind::AdbShell => Ok(adb_shell::script(finding, facts)),
        ExportKind::Gif => gif::film(finding, progress),
    }
}

/// A campaign as a file; an HTML page or JUnit XML. `hear` is told of each part before it is made.
pub fn export_campaign<'a>(
    facts: &CampaignFacts,
    kind: ExportKind,
    hear: &'a mut Hear<'a>,
) -> Result<Vec<u8>, ReportError> {
    match kind {
        ExportKind::Html => html_campaign::campaign_page(facts, &mut Progress::new(hear)),
        ExportKind::Junit => junit::campaign_results(facts),
        ExportKind::Gif | ExportKind::Uiautomator2 | ExportKind::Maestro | ExportKind::AdbShell => {
            Err(ReportError::NotOfCampaigns { kind: kind.label() })
        }
    }
}

/// A file that a finding or a campaign is exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportKind {
    /// One self-contained page: steps, pictures, marks, expected and seen, data model, how to reproduce.
    Html,
    /// Test results, as CI servers read them.
    Junit,
    /// The steps as a moving picture.
    Gif,
    /// A python script for uiautomator2.
    Uiautomator2,
    /// A Maestro flow.
    Maestro,
    /// A shell script of adb commands.
    AdbShell,
}

impl ExportKind {
    /// All, in the order of menus.
    pub const ALL: [ExportKind; 6] = [
        ExportKind::Html,
        ExportKind::Junit,
        ExportKind::Gif,
        ExportKind::Uiautomator2,
        ExportKind::Maestro,
        ExportKind::AdbShell,
    ];

    /// The word that commands use.
    pub fn word(self) -> &'static str {
        match self {
            ExportKind::Html => "html",
            ExportKind::Junit => "junit",
            ExportKind::Gif => "gif",
            ExportKind::Uiautomator2 => "uiautomator2",
            ExportKind::Maestro => "maestro",
            ExportKind::AdbShell => "adb",
        }
    }

    /// What menus say.
    pub fn label(self) -> &'static str {
        match self {
            ExportKind::Html => "HTML page",
            ExportKind::Junit => "JUnit XML",
            ExportKind::Gif => "Animated GIF",
            ExportKind::Uiautomator2 => "Python script (uiautomator2)",
            ExportKind::Maestro => "Maestro flow",
            ExportKind::AdbShell => "adb shell script",
        }
    }

    /// What the files' names end with.
    pub fn extension(self) -> &'static str {
        match self {
            ExportKind::Html => "html",
            ExportKind::Junit => "xml",
            ExportKind::Gif => "gif",
            ExportKind::Uiautomator2 => "py",
            ExportKind::Maestro => "yaml",
            ExportKind::AdbShell => "sh",
        }
    }

    /// Whether a whole campaign can be exported so.
    pub fn of_campaigns(self) -> bool {
        matches!(self, ExportKind::Html | ExportKind::Junit)
    }
}
