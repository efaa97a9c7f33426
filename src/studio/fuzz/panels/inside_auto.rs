//! Auto's own view: how the device's time was divided among the engines, and what each found.

use egui::{Grid, Label, Ui};

use super::inside_parts::{numbers_ui, part_ui, share_ui};
use crate::parts::theme::{caption, strong, tokens};
use taproof_core::engine::{AutoView, TurnsOf};
use taproof_core::model::thousands;

/// Draws Auto's own view.
pub fn auto_ui(view: &AutoView, ui: &mut Ui) {
    let sum = |of: fn(&TurnsOf) -> u64| view.engines.iter().map(of).sum::<u64>();
    let seconds = |engine: &TurnsOf| engine.turns.device_time.0 / 1000;
    let all = sum(seconds);
    numbers_ui(
        &[
            (
                "turns",
                sum(|engine| engine.turns.rounds),
                "Tests, or parts of them, that an engine ran in one go",
            ),
            ("events", sum(|engine| engine.turns.events), "Events that the engines performed"),
            ("states", sum(|engine| engine.turns.states), "States of the app that were seen"),
            ("violations", sum(|engine| engine.turns.violations), "Distinct violations that were seen"),
        ],
        ui,
    );
    part_ui("Device time", "in seconds, of each engine", ui);
    for (place, engine) in view.engines.iter().enumerate() {
        let color = tokens(ui.ctx()).series(place);
        share_ui(engine.label, &engine.phase, seconds(engine), all, color, ui);
    }
    part_ui("What they did", "a state or violation counts for who saw it first", ui);
    Grid::new("turns of engines").num_columns(6).spacing([16.0, 4.0]).show(ui, |ui| {
        for word in ["", "turns", "events", "new states", "new violations", ""] {
            ui.label(caption(word));
        }
        ui.end_row();
        for TurnsOf { label, phase, turns } in &view.engines {
            ui.label(strong(*label));
            for number in [turns.rounds, turns.events, turns.states, turns.violations] {
                ui.label(thousands(number));
            }
            ui.add(Label::new(caption(phase)).truncate()).on_hover_text(phase);
            ui.end_row();
        }
    });
}
