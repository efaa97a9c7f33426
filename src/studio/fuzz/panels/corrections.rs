//! Where a person says which findings show the same bug, what is a bug and what is none.

use egui::{CollapsingHeader, Label, Ui, WidgetType};

use crate::command::Command;
use crate::fuzz::{BugCard, CampaignCommand, CampaignState, CorrectionChange};
use crate::parts::controls::{labelled_button, named, small_button};
use crate::parts::theme::{caption, icon, icon_font};
use taproof_campaign::{BugClass, Correction, Corrections, Finding};
use taproof_screen::counted;

fn correct(campaign: &CampaignState, said: Correction) -> Command {
    change(campaign, CorrectionChange::Say(said))
}

fn change(campaign: &CampaignState, change: CorrectionChange) -> Command {
    CampaignCommand::Correct(campaign.plan.app.clone(), change).into()
}

/// Draws the buttons by which a person says whether a card is a bug.
pub fn judge_ui(
    said: &Corrections,
    campaign: &CampaignState,
    card: &BugCard,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let verdict = said.verdict(&card.keys);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if verdict.is_some() {
            let said = if card.class == BugClass::Dismissed { "not a bug" } else { "a bug" };
            ui.label(caption(format!("You said: {said}")));
            let button = ui.add(small_button("Undo"));
            named(&button, WidgetType::Button, &format!("Undo what was said of {}", card.title));
            if button.clicked() {
                commands.push(change(campaign, CorrectionChange::TakeBack(card.keys.clone())));
            }
            return;
        }
        for (words, is_bug, tip) in [
            ("Not a bug", false, "The like is not listed among bugs again, in no campaign of this app"),
            ("A bug", true, "Counts as a bug, whatever speaks for it"),
        ] {
            let button = ui.add(small_button(words));
            named(&button, WidgetType::Button, &format!("{words}: {}", card.title));
            if button.on_hover_text(tip).clicked() {
                commands.push(correct(campaign, Correction::Judged(card.judged(is_bug))));
            }
        }
    });
}

/// Draws what a person has said to be no bug, folded, each with a button that takes that back.
pub fn dismissed_ui(
    said: &Corrections,
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
            judge_ui(said, campaign, card, commands, ui);
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

/// Draws the menu that corrects a card, if there is anything to correct.
pub fn correct_menu_ui(campaign: &CampaignState, card: &BugCard, commands: &mut Vec<Command>, ui: &mut Ui) {
    let finding = &card.shown;
    let is_other = |other: &&BugCard| other.class != BugClass::Unsure && !other.has(&finding.id);
    let others: Vec<&BugCard> = campaign.found.bugs.iter().filter(is_other).collect();
    if others.is_empty() && card.findings.len() == 1 {
        return;
    }
    let menu = ui.menu_button(egui::RichText::new(icon::MORE).font(icon_font(16.0)), |ui| {
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
    named(&menu.response, WidgetType::Button, &format!("Correct {}", card.title));
    menu.response.on_hover_text("Is this the same bug as another card, or two bugs on one?");
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

/// Draws how often a person confirmed and dismissed what each oracle says of the app.
pub fn tallies_ui(said: &Corrections, ui: &mut Ui) {
    let tallies = said.tallies();
    if !tallies.is_empty() {
        let all: Vec<String> = tallies.iter().map(|(by, tally)| format!("{by}: {tally}")).collect();
        ui.add(Label::new(caption(format!("What you said of bugs: {}", all.join("; ")))).wrap());
    }
}
