//! Where a person says which findings show the same bug, and what is to become of it.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{CollapsingHeader, Label, PopupCloseBehavior, Ui, WidgetType};

use crate::command::Command;
use crate::fuzz::{BugCard, CampaignCommand, CampaignState};
use crate::parts::controls::{labelled_button, named, small_button};
use crate::parts::theme::{caption, icon, icon_font};
use crate::replay::CorrectionChange;
use crate::replay::panels::triage::{states_ui, triage_menu_ui};
use crate::replay::triage::Triaged;
use crate::state::StudioState;
use taproof_campaign::{BugClass, Correction, Corrections, Finding};
use taproof_screen::counted;

fn correct(campaign: &CampaignState, said: Correction) -> Command {
    change(campaign, CorrectionChange::Say(vec![said]))
}

fn change(campaign: &CampaignState, change: CorrectionChange) -> Command {
    CampaignCommand::Correct(campaign.plan.app.clone(), change).into()
}

/// Draws what is to become of the bug on a card, with the person's note.
pub fn judge_ui(
    state: &StudioState,
    campaign: &CampaignState,
    card: &BugCard,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    states_ui(&Triaged::card(state, &campaign.plan.app, card, campaign.row), commands, ui);
    if !card.note.is_empty() {
        ui.add(Label::new(caption(format!("Note: {}", card.note))).wrap());
    }
}

/// Draws what a person has said to be no bug, folded.
pub fn dismissed_ui(
    state: &StudioState,
    campaign: &CampaignState,
    dismissed: &[BugCard],
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    if dismissed.is_empty() {
        return;
    }
    let title = format!("{} that you said to be no bug", dismissed.len());
    CollapsingHeader::new(title).id_salt(("dismissed", campaign.id)).show(ui, |ui| {
        for card in dismissed {
            ui.add(Label::new(&card.title).wrap());
            judge_ui(state, campaign, card, commands, ui);
        }
    });
}

/// Draws a button that takes a finding off its card.
pub fn another_bug_ui(campaign: &CampaignState, finding: &Finding, commands: &mut Vec<Command>, ui: &mut Ui) {
    let button = ui.add(small_button("Another bug"));
    named(&button, WidgetType::Button, &format!("Another bug: {}", finding.title));
    if button.on_hover_text("This one does not belong here: gives it a card of its own, for good").clicked() {
        commands.push(correct(campaign, Correction::Apart(finding.id.clone())));
    }
}

/// Draws the menu of a card: what is to become of the bug, and whether it is the same as others.
pub fn correct_menu_ui(
    state: &StudioState,
    campaign: &CampaignState,
    card: &BugCard,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let finding = &card.shown;
    let is_other = |other: &&BugCard| other.class != BugClass::Unsure && !other.has(&finding.id);
    let others: Vec<&BugCard> = campaign.found.bugs.iter().filter(is_other).collect();
    let button = MenuButton::new(egui::RichText::new(icon::MORE).font(icon_font(16.0)));
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (menu, _) = button.config(config).ui(ui, |ui| {
        let bug = Triaged::card(state, &campaign.plan.app, card, campaign.row);
        triage_menu_ui(state, &[bug], commands, ui);
        if others.is_empty() && card.findings.len() == 1 {
            return;
        }
        ui.separator();
        ui.menu_button("The same bug as\u{2026}", |ui| {
            for other in others {
                if ui.button(&other.title).clicked() {
                    let said = Correction::Same(finding.id.clone(), other.shown.id.clone());
                    commands.push(correct(campaign, said));
                    ui.close();
                }
            }
        });
        if card.findings.len() > 1 && ui.button("The first finding shows another bug").clicked() {
            commands.push(correct(campaign, Correction::Apart(finding.id.clone())));
            ui.close();
        }
    });
    named(&menu, WidgetType::Button, &format!("Correct {}", card.title));
    menu.on_hover_text("What is to become of it, and whether it is the same bug as another");
}

/// Draws how much a person has said of the bugs in the app of a campaign, with a button that takes the latest back.
pub fn corrections_ui(
    said: &Corrections,
    campaign: &CampaignState,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(latest) = said.0.last() else { return };
    let button = labelled_button(ui, icon::UNDO, "Undo", true);
    named(&button, WidgetType::Button, "Undo the last correction of bugs");
    if button.on_hover_text(format!("Takes back: {}", latest.words())).clicked() {
        commands.push(change(campaign, CorrectionChange::UndoLast));
    }
    let all: Vec<String> = said.0.iter().map(Correction::words).collect();
    ui.label(caption(counted(said.0.len(), "correction"))).on_hover_text(all.join("\n"));
}
