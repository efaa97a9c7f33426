//! What can be asked of the campaigns by name or key.

use crate::report::ExportKind;

use super::actions::{ActionInfo, Group, Order};
use super::campaigns::{CampaignPhase, CampaignState};
use super::export::{ExportCommand, ExportSubject};
use super::{Command, Place, StudioState};

const GROUP: Group = Group::In(Place::Fuzz);

/// The rows of the table of actions.
pub const FUZZ: &[ActionInfo] = &[
    ActionInfo {
        id: "fuzz-start",
        label: "Start the campaign",
        keys: "F5",
        group: GROUP,
        order: |state| {
            let order = state.campaigns.form.check(&state.apps, &state.documents);
            let order = order.map_err(|_| "The form in Fuzz has a mistake; it is named there.")?;
            Ok(Command::StartCampaign(Box::new(order)))
        },
    },
    ActionInfo {
        id: "fuzz-pause",
        label: "Pause the campaign, or let it go on",
        keys: "P",
        group: GROUP,
        order: |state| {
            let campaign = running(state)?;
            Ok(Command::PauseCampaign(campaign.id, campaign.phase() != CampaignPhase::Paused))
        },
    },
    ActionInfo {
        id: "fuzz-cancel",
        label: "Cancel the campaign",
        keys: "Shift+F5",
        group: GROUP,
        order: |state| running(state).map(|campaign| Command::CancelCampaign(campaign.id)),
    },
    ActionInfo {
        id: "fuzz-export-html",
        label: "Export the campaign as HTML page",
        keys: "",
        group: GROUP,
        order: |state| export(state, ExportKind::Html),
    },
    ActionInfo {
        id: "fuzz-export-junit",
        label: "Export the campaign as JUnit XML",
        keys: "",
        group: GROUP,
        order: |state| export(state, ExportKind::Junit),
    },
];

fn running(state: &StudioState) -> Result<&CampaignState, &'static str> {
    let campaign = state.campaigns.shown().ok_or("No campaign was started.")?;
    if campaign.alive() { Ok(campaign) } else { Err("The campaign is over.") }
}

fn export(state: &StudioState, kind: ExportKind) -> Order {
    let campaign = state.campaigns.shown().ok_or("No campaign was started.")?;
    campaign.row.ok_or("The campaign is not kept yet.")?;
    Ok(Command::Export(ExportCommand { subject: ExportSubject::Campaign(campaign.id), kind }))
}
