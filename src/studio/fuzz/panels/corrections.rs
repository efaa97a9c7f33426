//! Where a person says which findings show the same bug.

use egui::{Ui, WidgetType};

use crate::command::Command;
use crate::fuzz::{BugCard, CampaignCommand, CampaignState};
use crate::parts::controls::{labelled_button, named, small_button};
use crate::parts::theme::{caption, icon, icon_font};
use taproof_core::campaign::{Correction, Finding};
use taproof_core::model::counted;

fn correct(campaign: &CampaignState, said: Correction) -> Command {
    CampaignCommand::Correct(campaign.plan.app.clone(), Some(said)).into()
}

/// Draws a button that takes a finding off its card.
pub fn another_bug_ui(campaign: &CampaignState, finding: &Finding, commands: &mut Vec<Command>, ui: &mut Ui) {
    let button = ui.add(small_button("Another bug"));
    named(&button, WidgetType::Button, &format!("Another bug: {}", finding.title));
    if button.on_hover_text("This one does not belong here: gives it a card of its own, for good").clicked() {
        commands.push(correct(campaign, Correction::Apart(finding.id.clone())));
    }
}

/// Draws the menu that corrects a card, if there is anything to correct.
pub fn correct_menu_ui(campaign: &CampaignState, card: &BugCard, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(finding) = card.findings.first() else { return };
    let is_other = |other: &&BugCard| other.findings.iter().all(|one| one.id != finding.id);
    let others: Vec<&BugCard> = campaign.bugs.carded().filter(is_other).collect();
    if others.is_empty() && card.findings.len() == 1 {
        return;
    }
    let menu = ui.menu_button(egui::RichText::new(icon::MORE).font(icon_font(16.0)), |ui| {
        ui.menu_button("The same bug as\u{2026}", |ui| {
            for other in others {
                let Some(with) = other.findings.first() else { continue };
                if ui.button(&other.title).clicked() {
                    commands.push(correct(campaign, Correction::Same(finding.id.clone(), with.id.clone())));
                    ui.close();
                }
            }
        });
        if card.findings.len() > 1 && ui.button("The first finding shows another bug").clicked() {
            commands.push(correct(campaign, Correction::Apart(finding.id.clone())));
            ui.close();
        }
    });
    named(&menu.response, WidgetType::Button, &format!("Correct {}", card.title));
    menu.response.on_hover_text("Is this the same bug as another card, or two bugs on one?");
}

/// Draws how much a person has said of the bugs in the app of a campaign, with a button that takes the latest back.
pub fn corrections_ui(
    said: &[Correction],
    campaign: &CampaignState,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(latest) = said.last() else { return };
    let button = labelled_button(ui, icon::UNDO, "Undo", true);
    named(&button, WidgetType::Button, "Undo the last correction of bugs");
    if button.on_hover_text(format!("Takes back: {}", latest.words())).clicked() {
        commands.push(CampaignCommand::Correct(campaign.plan.app.clone(), None).into());
    }
    let all: Vec<String> = said.iter().map(Correction::words).collect();
    ui.label(caption(counted(said.len(), "correction"))).on_hover_text(all.join("\n"));
}
