//! The actions on campaigns that can be invoked by name or key.

use super::campaigns::{CampaignPhase, CampaignState};
use super::command::{CampaignCommand, FuzzView};
use crate::command::{ActionInfo, Command, ExportCommand, Group, Order};
use crate::replay::ExportSubject;
use crate::state::StudioState;
use taproof_results::report::ExportKind;

/// The actions on campaigns, as rows of the table of actions.
pub const FUZZ: &[ActionInfo] = &[
    Group::FUZZ.action("fuzz-start", "Start the campaign", "F5", |state| {
        let order = state.campaigns.form.check(&state.apps, &state.documents);
        let order = order.map_err(|_| "The form in Fuzz has a mistake; it is named there.")?;
        Ok(Command::StartCampaign(Box::new(order)))
    }),
    Group::FUZZ.action("fuzz-scan", "Scan the app for bugs that show without a specification", "", |state| {
        let order = state.campaigns.form.scan(&state.apps, &state.documents);
        let order = order.map_err(|_| "The form in Fuzz has a mistake; it is named there.")?;
        Ok(Command::StartCampaign(Box::new(order)))
    }),
    Group::FUZZ.action("fuzz-pause", "Pause the campaign, or let it go on", "P", |state| {
        let campaign = running(state)?;
        Ok(Command::PauseCampaign(campaign.id, campaign.phase() != CampaignPhase::Paused))
    }),
    Group::FUZZ.action("fuzz-cancel", "Cancel the campaign", "Shift+F5", |state| {
        running(state).map(|campaign| Command::CancelCampaign(campaign.id))
    }),
    Group::FUZZ.action("fuzz-undo", "Undo a change of the form", "Ctrl+Z", |state| turn(state, true)),
    Group::FUZZ
        .action("fuzz-redo", "Redo a change of the form", "Ctrl+Shift+Z, Ctrl+Y", |state| turn(state, false)),
    Group::FUZZ.action("fuzz-settings", "Show the settings of the engines, or the campaigns", "", |state| {
        let first = state.campaigns.form.picked().next().map(|engine| engine.name);
        let open = first.filter(|_| state.campaigns.settings.is_none());
        Ok(CampaignCommand::Settings(open).into())
    }),
    Group::FUZZ.action("fuzz-options", "Show or fold the options of the next campaign", "", |state| {
        Ok(CampaignCommand::Options(!state.campaigns.options).into())
    }),
    Group::FUZZ.action("fuzz-bugs", "Show the bugs that were found", "", |state| view(state, FuzzView::Bugs)),
    Group::FUZZ
        .action("fuzz-numbers", "Show the engines side by side", "", |state| view(state, FuzzView::Numbers)),
    Group::FUZZ.action("fuzz-states", "Show the states that an engine saw", "", |state| {
        view(state, FuzzView::States)
    }),
    Group::FUZZ.action("fuzz-inside", "Show what an engine says of itself", "", |state| {
        view(state, FuzzView::Inside)
    }),
    Group::FUZZ.action("fuzz-events", "Show what an engine did, event by event", "", |state| {
        view(state, FuzzView::Events)
    }),
    Group::FUZZ.action("fuzz-resume", "Let the last interrupted campaign go on", "", |state| {
        let campaign = state.campaigns.earlier().find(|campaign| campaign.is_interrupted());
        let campaign = campaign.ok_or("No campaign was interrupted.")?;
        Ok(CampaignCommand::Resume(campaign.id).into())
    }),
    Group::FUZZ.action("fuzz-export-html", "Export the campaign as HTML page", "", |state| {
        export(state, ExportKind::Html)
    }),
    Group::FUZZ.action("fuzz-export-junit", "Export the campaign as JUnit XML", "", |state| {
        export(state, ExportKind::Junit)
    }),
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
