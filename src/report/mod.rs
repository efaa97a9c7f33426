//! Findings and campaigns as files for other people: reports, scripts, test results.
//!
//! Pure: values in, bytes out. What the app under test supplied (texts, names, log lines) stays text in every
//! format: it is escaped here and nowhere else.

mod step;

pub use step::{Change, ChangeKind, Mark, ReplayFrame, replay_frame, step_sentences, touch_of};

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
