//! Each finding of Genie: the seed test beside the mutant, with the effect that the detour removed.

use egui::{CollapsingHeader, Label, RichText, Ui};

use super::stats_parts::part_ui;
use crate::command::Command;
use crate::fuzz::CampaignState;
use crate::parts::controls::{empty_state, labelled_button, named};
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use crate::replay::{PairRow, pair_rows};
use taproof_campaign::Finding;
use taproof_screen::{OracleKind, one_line};

/// Draws the findings.
pub fn detours_ui(campaign: &CampaignState, commands: &mut Vec<Command>, ui: &mut Ui) {
    part_ui("Seed beside mutant", "of each finding, the newest first", ui);
    let of_genie = |finding: &&std::sync::Arc<Finding>| finding.origin.oracle == OracleKind::IndependentView;
    let mut any = false;
    for finding in campaign.found.findings.iter().rev().filter(of_genie) {
        any = true;
        finding_ui(campaign, finding, commands, ui);
    }
    if !any {
        empty_state(
            ui,
            icon::BUG,
            "No finding yet",
            "A mutant that loses an effect of its seed test is shown here.",
        );
    }
}

fn finding_ui(campaign: &CampaignState, finding: &Finding, commands: &mut Vec<Command>, ui: &mut Ui) {
    let header =
        CollapsingHeader::new(strong(one_line(&finding.title))).id_salt(&finding.id).default_open(false);
    header.show(ui, |ui| {
        for failure in &finding.violation.failures {
            ui.horizontal_wrapped(|ui| {
                ui.label(glyph(icon::BROKEN).color(tokens(ui.ctx()).bad));
                ui.label(format!("Effect lost: {}. Seen: {}.", failure.expected, failure.seen));
            });
        }
        let rows = pair_rows(finding);
        ui.columns_const(|[seed, mutant]| {
            seed.label(caption("Seed test"));
            mutant.label(caption("Mutant"));
            for row in &rows {
                side_ui(row.reference.as_ref().map(|(_, words)| words.as_str()), row, false, seed);
                side_ui(row.witness.as_ref().map(|(_, words)| words.as_str()), row, true, mutant);
            }
        });
        let button = labelled_button(ui, icon::PLAY, "Replay both", true);
        named(&button, egui::WidgetType::Button, &format!("Replay both: {}", finding.title));
        if button.clicked() {
            commands.push(Command::OpenFinding(campaign.id, finding.id.clone()));
        }
    });
}

/// Draws a step of one side. Inserted steps are marked; if the side performs no step here, a dash is drawn.
fn side_ui(words: Option<&str>, row: &PairRow, mutant: bool, ui: &mut Ui) {
    let colors = tokens(ui.ctx());
    let text = match words {
        None => RichText::new("\u{2013}").color(colors.quiet),
        Some(words) if row.inserted && mutant => RichText::new(format!("+ {words}")).color(colors.accent),
        Some(words) if row.differs => RichText::new(words).color(colors.bad),
        Some(words) => RichText::new(words),
    };
    ui.add(Label::new(text).truncate());
}
