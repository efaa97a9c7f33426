//! Commands about campaigns, except for starting one.

use super::curves::{Compared, Curve, CurveAxis};
use super::graph::GraphCommand;
use super::thumbnail::ThumbnailOf;
use crate::replay::CorrectionChange;
use crate::state::CampaignId;

/// The views of the place Fuzz below the campaigns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FuzzView {
    /// The bugs that were found.
    #[default]
    Bugs,
    /// The engines in comparison, and their curves.
    Numbers,
    /// The state graph of an engine.
    States,
    /// An engine's own statistics.
    Inside,
    /// What an engine did, event by event.
    Events,
}

/// A command about campaigns, except for starting one.
#[derive(Clone, Debug, PartialEq)]
pub enum CampaignCommand {
    /// Undoes a change of the form (`true`) or redoes one.
    TurnForm(bool),
    /// Folds the sentence and the list of campaigns to one line, or shows them.
    Fold(bool),
    /// Shows the options of the form below its sentence, or folds them.
    Options(bool),
    /// Shows the settings of the engine with this name, or closes them.
    Settings(Option<&'static str>),
    /// Makes the recorded steps the initial steps of every test of their app.
    DoFirst,
    /// Sets the form to the app of the open finding, and adds the finding's traces to the seeds.
    BeginWithFinding,
    /// Shows this view of the campaign.
    Show(FuzzView),
    /// Shows the engine with this index in the campaign.
    ShowRun(usize),
    /// Shows the statistics of the engine with this index.
    LookInside(usize),
    /// Chooses what the curves show.
    Curve(Curve),
    /// Chooses the horizontal axis of the curves.
    Axis(CurveAxis),
    /// Draws the curves of another campaign for comparison; `None` draws only the shown one's.
    Compare(Option<Compared>),
    /// Lists the events with these words.
    FindEvents(String),
    /// Lists also the events that came meanwhile.
    RenewEvents,
    /// A command about the shown state graph.
    Graph(GraphCommand),
    /// Renders thumbnails of these screens.
    Thumbnails(Vec<ThumbnailOf>),
    /// Opens the campaign in this row of the workspace.
    Open(i64),
    /// Resumes the interrupted campaign in this row of the workspace.
    Resume(i64),
    /// Changes what was said of findings and bugs in an app.
    Correct(String, CorrectionChange),
    /// Pauses (`true`) or resumes the engine with this index.
    PauseRun(CampaignId, usize, bool),
    /// Stops the engine with this index.
    CancelRun(CampaignId, usize),
}

impl FuzzView {
    /// The name of this view, as the window shows it.
    pub fn word(self) -> &'static str {
        match self {
            FuzzView::Bugs => "Bugs",
            FuzzView::Numbers => "Numbers",
            FuzzView::States => "States",
            FuzzView::Inside => "Engine",
            FuzzView::Events => "Events",
        }
    }
}
