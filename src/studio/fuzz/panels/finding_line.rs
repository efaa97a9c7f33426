//! Findings in a line each, and what is known of them.

use std::sync::Arc;

use egui::{Align, Label, Layout, RichText, Ui, WidgetType};

use crate::fuzz::CampaignState;
use crate::parts::controls::{named, small_button};
use crate::parts::theme::caption;
use crate::replay::engine_word;
use taproof_campaign::Finding;
use taproof_screen::thousands;

/// Draws a finding in a line of these words, with a button that opens it. `more` draws further buttons.
pub fn other_ui(
    (finding, words): (&Finding, &str),
    ui: &mut Ui,
    open: impl FnOnce(),
    more: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 22.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = ui.add(small_button("Replay"));
            named(&button, WidgetType::Button, &format!("Replay {}", finding.title));
            if button.clicked() {
                open();
            }
            more(ui);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(caption(engine_word(finding.engine)));
                ui.add(Label::new(RichText::new(words).small()).truncate()).on_hover_text(&finding.title);
            });
        });
    });
}

/// What is known of a bug that these findings show, the first of which is looked at, in a line.
pub fn facts(campaign: &CampaignState, findings: &[Arc<Finding>]) -> String {
    let Some(first) = findings.first() else { return String::new() };
    let mut engines: Vec<&str> = Vec::new();
    for finding in findings {
        let label = engine_word(finding.engine);
        if !engines.contains(&label) {
            engines.push(label);
        }
    }
    let count = findings.iter().map(|finding| campaign.count_of(finding)).sum();
    let (steps, found) = (first.minimal.trace.len(), first.witness.trace.len());
    let was = if steps == found { String::new() } else { format!(" (was {found})") };
    format!(
        "{}  \u{b7}  found at event {}  \u{b7}  {steps} {}{was}  \u{b7}  seen {} {}",
        engines.join(", "),
        thousands(first.first.event),
        if steps == 1 { "step" } else { "steps" },
        thousands(count),
        if count == 1 { "time" } else { "times" },
    )
}
