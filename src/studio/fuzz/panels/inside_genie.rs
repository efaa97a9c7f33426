//! Genie's own view: the results of its mutants, and for each finding the seed test beside the mutant, with the effect
//! that the detour removed.

use egui::{CollapsingHeader, Label, RichText, Ui};

use super::inside_parts::{numbers_ui, part_ui, share_ui};
use crate::command::Command;
use crate::fuzz::CampaignState;
use crate::parts::controls::{empty_state, labelled_button, named};
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use crate::replay::{PairRow, pair_rows};
use taproof_core::campaign::Finding;
use taproof_core::engine::GenieCounts;
use taproof_core::model::{OracleKind, one_line};

/// Draws Genie's own view.
pub fn genie_ui(campaign: &CampaignState, counts: &GenieCounts, commands: &mut Vec<Command>, ui: &mut Ui) {
    numbers_ui(
        &[
            ("mutants played", counts.mutants, "Seed tests with a detour put in, that were played"),
            ("pruned", counts.pruned, "Left out, as they begin like one that could not be played"),
            ("errors", counts.errors, "Distinct errors of seed tests"),
            ("shown once", counts.single, "Of these, shown by one mutant only"),
            ("reported", counts.reported, "Violations reported"),
        ],
        ui,
    );
    let colors = tokens(ui.ctx());
    part_ui("Of the mutants", "", ui);
    let shares = [
        ("Played to the end", "Every event could be sent", counts.fully, colors.series(0)),
        ("Faithful", "Every widget was found exactly", counts.faithful, colors.series(1)),
        ("Strayed", "The detour did not come back", counts.strayed, colors.series(2)),
        ("With a violation", "An effect of the seed test is missing", counts.violating, colors.bad),
    ];
    for (word, tip, count, color) in shares {
        share_ui(word, tip, count, counts.mutants, color, ui);
    }
    part_ui("Seed beside mutant", "of each finding, the newest first", ui);
    let of_genie = |finding: &&std::sync::Arc<Finding>| finding.origin.oracle == OracleKind::IndependentView;
    let mut any = false;
    for finding in campaign.findings.iter().rev().filter(of_genie) {
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
