//! The actions on campaigns that can be invoked by name or key.

use super::campaigns::{CampaignPhase, CampaignState};
use super::command::{CampaignCommand, FuzzView};
use crate::command::{ActionInfo, Command, ExportCommand, Group, Order};
use crate::replay::ExportSubject;
use crate::state::{Place, StudioState};
use taproof_results::report::ExportKind;

const GROUP: Group = Group::In(Place::Fuzz);

/// The actions on campaigns, as rows of the table of actions.
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
        id: "fuzz-scan",
        label: "Scan the app for bugs that show without a specification",
        keys: "",
        group: GROUP,
        order: |state| {
            let order = state.campaigns.form.scan(&state.apps, &state.documents);
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
        id: "fuzz-undo",
        label: "Undo a change of the form",
        keys: "Ctrl+Z",
        group: GROUP,
        order: |state| turn(state, true),
    },
    ActionInfo {
        id: "fuzz-redo",
        label: "Redo a change of the form",
        keys: "Ctrl+Shift+Z, Ctrl+Y",
        group: GROUP,
        order: |state| turn(state, false),
    },
    ActionInfo {
        id: "fuzz-settings",
        label: "Show the settings of the engines, or the campaigns",
        keys: "",
        group: GROUP,
        order: |state| {
            let first = state.campaigns.form.picked().next().map(|engine| engine.name);
            let open = first.filter(|_| state.campaigns.settings.is_none());
            Ok(CampaignCommand::Settings(open).into())
        },
    },
    ActionInfo {
        id: "fuzz-options",
        label: "Show or fold the options of the next campaign",
        keys: "",
        group: GROUP,
        order: |state| Ok(CampaignCommand::Options(!state.campaigns.options).into()),
    },
    ActionInfo {
        id: "fuzz-bugs",
        label: "Show the bugs that were found",
        keys: "",
        group: GROUP,
        order: |state| view(state, FuzzView::Bugs),
    },
    ActionInfo {
        id: "fuzz-numbers",
        label: "Show the engines side by side",
        keys: "",
        group: GROUP,
        order: |state| view(state, FuzzView::Numbers),
    },
    ActionInfo {
        id: "fuzz-states",
        label: "Show the states that an engine saw",
        keys: "",
        group: GROUP,
        order: |state| view(state, FuzzView::States),
    },
    ActionInfo {
        id: "fuzz-inside",
        label: "Show what an engine says of itself",
        keys: "",
        group: GROUP,
        order: |state| view(state, FuzzView::Inside),
    },
    ActionInfo {
        id: "fuzz-resume",
        label: "Let the last interrupted campaign go on",
        keys: "",
        group: GROUP,
        order: |state| {
            let campaign = state.campaigns.earlier().find(|campaign| campaign.interrupted());
            let campaign = campaign.ok_or("No campaign was interrupted.")?;
            Ok(CampaignCommand::Resume(campaign.row).into())
        },
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

fn turn(state: &StudioState, back: bool) -> Order {
    let can = state.campaigns.can_turn_form(back);
    if can { Ok(CampaignCommand::TurnForm(back).into()) } else { Err("Nothing was changed in the form.") }
}

fn running(state: &StudioState) -> Result<&CampaignState, &'static str> {
    let campaign = state.campaigns.shown().ok_or("No campaign was started.")?;
    if campaign.alive() { Ok(campaign) } else { Err("The campaign is over.") }
}

fn view(state: &StudioState, view: FuzzView) -> Order {
    state.campaigns.shown().ok_or("No campaign was started.")?;
    Ok(CampaignCommand::Show(view).into())
}

fn export(state: &StudioState, kind: ExportKind) -> Order {
    let campaign = state.campaigns.shown().ok_or("No campaign was started.")?;
    campaign.row.ok_or("The campaign is not kept yet.")?;
    let subject = ExportSubject::Campaign(campaign.id);
    Ok(Command::Export(ExportCommand { subject, kind, screens_before: None }))
}
