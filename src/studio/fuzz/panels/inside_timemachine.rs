//! TimeMachine's own view: the archive of saved states with their screens, and the travels back to them.

use egui::{Label, Ui, vec2};

use super::inside_parts::{numbers_ui, part_ui};
use super::thumbnails::Thumbnails;
use crate::command::Command;
use crate::fuzz::{EngineRunState, ThumbnailOf};
use crate::parts::controls::empty_state;
use crate::parts::theme::{caption, icon, strong, tokens};
use crate::state::StudioState;
use taproof_core::engine::TimeMachineView;
use taproof_core::engine::timemachine::{SegmentEnd, Travel};
use taproof_core::model::thousands;

const CARD: egui::Vec2 = vec2(132.0, 176.0);

/// Draws TimeMachine's own view.
pub fn timemachine_ui(
    state: &StudioState,
    run: &EngineRunState,
    view: &TimeMachineView,
    thumbnails: &mut Thumbnails,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    numbers_ui(
        &[
            ("states saved", view.archive.len() as u64, "Interesting states that it can travel back to"),
            ("travels", view.travelled, "Times that it went back to one"),
            ("states seen", run.counts.states as u64, ""),
        ],
        ui,
    );
    let by = if view.by_code {
        "new code decides what is interesting"
    } else {
        "what the screens show decides what is interesting"
    };
    part_ui("Archive", by, ui);
    let mut wanted = Vec::new();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        for line in &view.archive {
            let (rect, response) = ui.allocate_exact_size(CARD, egui::Sense::hover());
            if !ui.is_rect_visible(rect) {
                continue;
            }
            let colors = tokens(ui.ctx());
            ui.painter().rect_filled(rect, 6, colors.raised);
            let picture = egui::Rect::from_min_size(rect.min + vec2(8.0, 8.0), vec2(54.0, 96.0));
            let screen = ThumbnailOf::layout(&line.layout);
            if !thumbnails.paint(state, &screen, picture, ui) {
                wanted.push(screen);
            }
            let inner =
                egui::Rect::from_min_max(picture.right_top() + vec2(8.0, 0.0), rect.max - vec2(6.0, 6.0));
            let down = egui::Layout::top_down(egui::Align::Min);
            let mut side = ui.new_child(egui::UiBuilder::new().max_rect(inner).layout(down));
            side.spacing_mut().item_spacing.y = 0.0;
            side.spacing_mut().interact_size.y = 16.0;
            side.label(strong(format!("{}", line.state.0)));
            side.label(caption(format!("{:.2}", line.value))).on_hover_text("The mean fitness of its paths");
            let inner =
                egui::Rect::from_min_max(picture.left_bottom() + vec2(0.0, 4.0), rect.max - vec2(6.0, 4.0));
            let mut below = ui.new_child(egui::UiBuilder::new().max_rect(inner).layout(down));
            below.spacing_mut().item_spacing.y = 0.0;
            below.spacing_mut().interact_size.y = 15.0;
            let activity = line.layout.activity().rsplit('.').next().unwrap_or_default().to_owned();
            below.add(Label::new(caption(activity)).truncate());
            below.label(caption(format!("{} travels here", line.restores)));
            below.label(caption(format!("{} visits, {} led on", line.visits, line.led_on)));
            response.on_hover_text(format!("State {}, {} events from a launch", line.state.0, line.steps));
        }
    });
    if !wanted.is_empty() {
        commands.push(crate::fuzz::CampaignCommand::Thumbnails(wanted).into());
    }
    part_ui("Travels", "the newest first", ui);
    if view.travels.is_empty() {
        empty_state(ui, icon::BACK, "No travel yet", "It goes back when it is stuck.");
    }
    for travel in view.travels.iter().rev() {
        travel_ui(travel, ui);
    }
}

fn travel_ui(travel: &Travel, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        ui.label(caption(format!("event {}", thousands(travel.event))));
        ui.label(format!("back to state {}", travel.to.0));
        ui.label(caption(format!("{}, fitness {:.2}", reason(travel.why), travel.value)));
    });
}

fn reason(why: SegmentEnd) -> &'static str {
    match why {
        SegmentEnd::DeadEnd => "nothing changed any more",
        SegmentEnd::Loop => "the same few states came round again",
        SegmentEnd::Length => "the segment was as long as it may be",
        SegmentEnd::TestOver => "the test was over",
    }
}
