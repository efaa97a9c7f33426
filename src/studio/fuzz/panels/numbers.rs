//! The statistics of a campaign for each property.

use std::cmp::Reverse;

use egui::{Align, Label, Layout, Popup, RichText, ScrollArea, Ui, WidgetType};
use egui_extras::{Column, TableBuilder};

use super::list::{heading_ui, number_ui};
use crate::fuzz::CampaignState;
use crate::parts::controls::{empty_state, named, small_button};
use crate::parts::theme::{caption, glyph, heading, icon, strong, tokens};
use taproof_engine::PropertyCounts;
use taproof_screen::{counted, thousands};

const ROW: f32 = 24.0;
/// Width of the list of what could not run, in points.
const LIST_WIDTH: f32 = 440.0;

/// Draws the table of properties.
pub fn properties_ui(campaign: &CampaignState, ui: &mut Ui) {
    ui.label(heading("Functions"));
    let properties = campaign.properties();
    if properties.is_empty() {
        empty_state(
            ui,
            icon::HELD,
            "Nothing checked yet",
            "Each function has a row once the campaign has begun.",
        );
        return;
    }
    ui.spacing_mut().item_spacing.x = 4.0;
    let table = TableBuilder::new(ui)
        .id_salt("properties")
        .cell_layout(Layout::left_to_right(Align::Center))
        .vscroll(false)
        .column(Column::remainder().at_least(90.0).clip(true))
        .columns(Column::exact(48.0), 4)
        .column(Column::exact(84.0));
    let titles = [
        ("Function", ""),
        ("Ready", "Screens on which its precondition held"),
        ("Run", "Runs that came to their end; what neither held nor was broken could not be judged"),
        ("Held", "Of these, the postcondition held"),
        ("Broken", "Of these, it did not"),
        ("Broke off", "Runs that did not come to their end; press a number for the steps"),
    ];
    let header = table.header(20.0, |mut row| {
        for (place, (title, tip)) in titles.into_iter().enumerate() {
            row.col(|ui| {
                if place == 0 {
                    ui.label(caption(title));
                } else {
                    heading_ui(title, tip, ui);
                }
            });
        }
    });
    header.body(|body| {
        body.rows(ROW, properties.len(), |mut row| {
            let Some(counts) = properties.get(row.index()) else { return };
            row.col(|ui| {
                verdict_ui(counts, ui);
                let mark = if counts.not_judged.is_some() { " (not judged)" } else { "" };
                let words = format!("{}{mark}", campaign.function_words(&counts.name));
                ui.label(words).on_hover_text(&counts.name);
            });
            for number in [counts.precondition_held, counts.executed, counts.held] {
                row.col(|ui| number_ui(number as f64, ui));
            }
            row.col(|ui| broken_ui(counts.violated, ui));
            row.col(|ui| could_not_run_ui(campaign, counts, ui));
        });
    });
}

fn verdict_ui(counts: &PropertyCounts, ui: &mut Ui) {
    let colors = tokens(ui.ctx());
    let not_judged = counts.not_judged.as_ref().map(|why| format!("not judged: {why}"));
    let (icon, color, word) = match (counts.violated, counts.executed) {
        (0, 0) if not_judged.is_some() => {
            (icon::LOOK, colors.quiet, not_judged.as_deref().unwrap_or_default())
        }
        (0, 0) => (icon::LOOK, colors.quiet, "never run to its end"),
        (0, _) => (icon::HELD, colors.good, "held each time"),
        _ => (icon::BROKEN, colors.bad, "broken"),
    };
    ui.label(glyph(icon).color(color)).on_hover_text(word);
}

fn broken_ui(violated: u64, ui: &mut Ui) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        let text = RichText::new(if violated == 0 { "\u{2013}".to_owned() } else { thousands(violated) });
        ui.label(if violated == 0 { text.weak() } else { text.color(tokens(ui.ctx()).bad) });
    });
}

fn could_not_run_ui(campaign: &CampaignState, counts: &PropertyCounts, ui: &mut Ui) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        let total: u64 = counts.not_executed.values().sum();
        if total == 0 {
            ui.label(RichText::new("\u{2013}").weak());
            return;
        }
        let button = ui.add(small_button(&thousands(total)));
        named(&button, WidgetType::Button, &format!("Why {} could not run", counts.name));
        let button = button.on_hover_text("Shows which step could not be done");
        Popup::menu(&button).show(|ui| could_not_run_list_ui(campaign, std::slice::from_ref(counts), ui));
    });
}

/// Draws for each function which of its steps could not be done, and how often, the most frequent first.
pub fn could_not_run_list_ui(campaign: &CampaignState, properties: &[PropertyCounts], ui: &mut Ui) {
    let total = |counts: &PropertyCounts| counts.not_executed.values().sum::<u64>();
    let mut stopped: Vec<&PropertyCounts> = properties.iter().filter(|counts| total(counts) > 0).collect();
    stopped.sort_by_key(|counts| Reverse(total(counts)));
    ui.set_width(LIST_WIDTH.min(ui.ctx().content_rect().width() - 32.0));
    ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
        for counts in stopped {
            ui.label(strong(campaign.function_words(&counts.name)));
            let mut steps: Vec<_> = counts.not_executed.iter().collect();
            steps.sort_by_key(|(_, count)| Reverse(**count));
            for ((step, reason), count) in steps {
                let times = counted(usize::try_from(*count).unwrap_or(usize::MAX), "time");
                let words = format!("Step {}: {reason}, {times}", step + 1);
                ui.add(Label::new(words).wrap());
            }
            ui.add_space(4.0);
        }
    });
}
