//! The curves of all campaigns over their events, so that they can be compared; the chosen one stands out.

use egui::{Align, Color32, Layout, Sense, Ui, WidgetType};
use egui_plot::{HoverPosition, Legend, Line, Plot, PlotPoints};

use crate::model::thousands;
use crate::state::{CampaignState, Command, Curve, EngineRunState, StudioState};

use super::parts::{empty_state, named, segments};
use super::theme::{caption, heading, icon, tokens};

const HEIGHT: f32 = 150.0;
/// Campaigns whose curves are drawn: the chosen one and the newest.
const MOST: usize = 6;

/// Draws the curves.
pub fn curves_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    let current = state.campaigns.curve;
    ui.horizontal(|ui| {
        ui.label(heading("Coverage"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            // The bar goes from right to left here.
            let choices = [
                (Curve::Findings, "Findings over events"),
                (Curve::Activities, "Different activities over events"),
                (Curve::States, "Different structures of screens over events"),
            ]
            .map(|(curve, tip)| (curve, curve.word().to_owned(), tip));
            if let Some(curve) = segments(ui, Some(current), &choices) {
                commands.push(Command::ShowCurve(curve));
            }
        });
    });
    let Some(shown) = state.campaigns.shown() else { return };
    if shown.runs.iter().all(|run| run.samples.len() < 2) {
        empty_state(ui, icon::RUNNING, "Nothing counted yet", "The curve begins with the first events.");
        return;
    }
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        plot_ui(state, shown, ui);
    });
}

fn plot_ui(state: &StudioState, shown: &CampaignState, ui: &mut Ui) {
    let curve = state.campaigns.curve;
    let colors = tokens(ui.ctx());
    let others = state.campaigns.list.iter().filter(|campaign| campaign.id != shown.id).take(MOST - 1);
    let drawn: Vec<&CampaignState> = others.chain([shown]).collect();
    let samples = || drawn.iter().flat_map(|campaign| &campaign.runs).flat_map(|run| &run.samples);
    let events = thousands(samples().map(|sample| sample.events).max().unwrap_or(0));
    let value = thousands(samples().map(|sample| curve.of(sample) as u64).max().unwrap_or(0));
    ui.label(caption(format!("{value} {}", curve.word().to_lowercase())));
    let plot = Plot::new("curves")
        .height(HEIGHT)
        // Its axes would be stops of the Tab key at which nothing can be done.
        .show_axes(false)
        .sense(Sense::hover())
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_background(false)
        .show_grid([false, true])
        .include_y(0.0)
        .label_formatter(|at| match at {
            HoverPosition::NearDataPoint { plot_name, position, .. } => {
                let (event, value) = (position.x.max(0.0) as u64, position.y.max(0.0) as u64);
                Some(format!("{plot_name}\nevent {}: {}", thousands(event), thousands(value)))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
        .legend(Legend::default().position(egui_plot::Corner::RightBottom))
        .show(ui, |plot| {
            // The chosen one is drawn last, on top.
            for campaign in drawn {
                for (place, run) in campaign.runs.iter().enumerate() {
                    let (color, width) = if campaign.id == shown.id {
                        (colors.series(place), 2.5)
                    } else {
                        (colors.quiet, 1.0)
                    };
                    let name = format!("{} {} {}", campaign.id.0, campaign.label, run.label);
                    plot.line(line(name, run, curve, color, width));
                }
            }
        });
    let name = format!("{} over events: {value} at event {events}", curve.word());
    named(&plot.response, WidgetType::Image, &name);
    ui.horizontal(|ui| {
        ui.label(caption("0"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(caption(format!("{events} events")));
        });
    });
}

fn line(name: String, run: &EngineRunState, curve: Curve, color: Color32, width: f32) -> Line<'static> {
    let points: Vec<[f64; 2]> =
        run.samples.iter().map(|sample| [sample.events as f64, curve.of(sample) as f64]).collect();
    Line::new(name, PlotPoints::new(points)).color(color).width(width)
}
