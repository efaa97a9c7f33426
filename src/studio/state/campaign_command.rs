//! What panels ask of the campaigns beyond starting them.

use std::sync::Arc;

use taproof_core::model::Layout;

use super::campaigns::CampaignId;
use super::curves::{Compared, Curve, CurveAxis};
use super::graph::GraphCommand;

/// What the place Fuzz shows below the campaigns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FuzzView {
    /// The engines side by side, what they found, and their curves.
    #[default]
    Overview,
    /// The states of the app that an engine saw.
    States,
    /// What an engine says of itself.
    Inside,
}

/// What panels ask of the campaigns beyond starting them.
#[derive(Clone, Debug, PartialEq)]
pub enum CampaignCommand {
    /// Undoes a change of the form (true), or does one again.
    TurnForm(bool),
    /// Shows the settings of the engine of that name, or none.
    Settings(Option<&'static str>),
    /// Does the recorded steps first in every test of their app.
    DoFirst,
    /// Shows this of the campaign.
    Show(FuzzView),
    /// Shows this engine of the campaign, by its place.
    ShowRun(usize),
    /// Shows what this engine says of itself.
    LookInside(usize),
    /// What the curves show.
    Curve(Curve),
    /// Over what they show it.
    Axis(CurveAxis),
    /// Draws the curves of another campaign, too, or of none.
    Compare(Option<Compared>),
    /// The states of the engine that is shown.
    Graph(GraphCommand),
    /// Makes small pictures of these screens.
    Thumbnails(Vec<Arc<Layout>>),
    /// Lets the campaign of this row go on that was interrupted.
    Resume(i64),
    /// Lets an engine wait (true) or go on.
    PauseRun(CampaignId, usize, bool),
    /// Stops an engine.
    CancelRun(CampaignId, usize),
}

impl FuzzView {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            FuzzView::Overview => "Overview",
            FuzzView::States => "States",
            FuzzView::Inside => "Inside",
        }
    }
}

impl From<CampaignCommand> for super::Command {
    fn from(command: CampaignCommand) -> Self {
        super::Command::Campaign(command)
    }
}
