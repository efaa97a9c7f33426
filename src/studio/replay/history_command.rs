//! Commands about the findings of the workspace and their bugs.

use super::HistorySection;
use crate::state::FindingKey;
use taproof_campaign::{Correction, JudgedBug};
use taproof_results::store::{BugFilter, BugOrder};

/// A command about the findings.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryCommand {
    /// Opens a finding in Replay.
    Open(FindingKey),
    /// Stops opening a finding.
    CancelOpening,
    /// Closes the finding in Replay.
    Close,
    /// Shows only the bugs that match this filter.
    Filter(Box<BugFilter>),
    /// Lists the bugs in this order.
    Sort(BugOrder),
    /// Chooses the bug that this finding is shown of, or others with it.
    Choose(FindingKey, Choosing),
    /// Chooses the bug so many lines below the one that was chosen last.
    ChooseNext(isize),
    /// Keeps what a person says of bugs, each with the package name of its app.
    Judge(Vec<(String, JudgedBug)>),
    /// Takes back what was said of bugs last in this window.
    TakeBack,
    /// Copies findings as Markdown for an issue tracker.
    Copy(Vec<FindingKey>),
    /// Opens the tracker's page for a new issue about a finding.
    NewIssue(FindingKey),
    /// Confirms and minimises the finding that is open in Replay.
    Minimise(FindingKey),
    /// Stops that after the current event. What was found out is kept.
    StopMinimising,
    /// Marks a finding as seen or unseen.
    See(FindingKey, bool),
    /// Lists the other findings of the bug that this finding is shown of (`true`), or folds them.
    Unfold(FindingKey, bool),
    /// Lists a part of the list (`true`), or folds it.
    UnfoldSection(HistorySection, bool),
    /// Lists the bugs that have come since the list is in sight.
    ListNew,
}

/// A change of what a person has said of findings and bugs in an app.
#[derive(Clone, Debug, PartialEq)]
pub enum CorrectionChange {
    /// Something more is said.
    Say(Vec<Correction>),
    /// What was said last is taken back.
    UndoLast,
    /// This is taken back.
    TakeBack(Vec<Correction>),
}

/// How a bug is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// It alone.
    Only,
    /// It as well, or no longer.
    Also,
    /// All from the one that was chosen last to it.
    Range,
}
