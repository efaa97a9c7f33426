//! The phone's progress along the trace that is open in Replay: its position, the re-execution, and divergences.

use egui::{Button, Label, ProgressBar, RichText, Ui, WidgetType};

use crate::command::{Command, TakeOver};
use crate::parts::controls::{Tone, badge, icon_button, labelled_button, named, time_left};
use crate::parts::shortcuts::with_key;
use crate::parts::theme::{caption, icon};
use crate::phone::{TakenOver, TraceSource};
use crate::replay::{ReplayCommand, ReplayState};
use crate::state::StudioState;

/// Default number of milliseconds between two steps of a re-execution.
const PACE_MILLIS: u64 = 600;

/// Draws the buttons that take the trace over and that re-execute it.
pub fn takeover_buttons_ui(replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let source = replay.trace_source();
    let tip = with_key("The phone stands where this step ends; click on from there", "replay-take-over");
    if labelled_button(ui, icon::PHONE, "Take over here", true).on_hover_text(tip).clicked() {
        let after = (replay.step + 1).min(replay.steps());
        commands.push(Command::TakeOver(TakeOver::At(source.clone(), after)));
    }
    let tip = "All steps are done again on a fresh phone, and each screen is compared";
    if labelled_button(ui, icon::RESTART, "Re-execute", true).on_hover_text(tip).clicked() {
        commands.push(Command::TakeOver(TakeOver::Reexecute(source, PACE_MILLIS)));
    }
}

/// Draws the state of the phone while it is led along the open trace.
pub fn takeover_bar_ui(state: &StudioState, replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let source = replay.trace_source();
    let Some(taken) = state.takeover.as_ref().filter(|taken| taken.source == source) else { return };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if taken.reexecution.is_some() {
            reexecution_ui(taken, commands, ui);
        } else {
            standing_ui(taken, &source, replay, commands, ui);
        }
        divergence_ui(taken, commands, ui);
    });
}

fn reexecution_ui(taken: &TakenOver, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(again) = &taken.reexecution else { return };
    let over = again.done >= again.total;
    if over {
        let same = taken.first_divergence().is_none();
        let (icon, word, tone) = match same {
            true => (icon::HELD, "done again: every screen as recorded", Tone::Good),
            false => (icon::LOOK, "done again: not as recorded", Tone::Warn),
        };
        badge(ui, icon, word, tone);
    } else {
        let left = (again.total - again.done) as f64 * again.pace_millis as f64 / 1000.0;
        let words = format!("doing step {} of {}, {} left", again.done + 1, again.total, time_left(left));
        badge(ui, icon::RUNNING, &words, Tone::Accent);
        let part = again.done as f32 / again.total.max(1) as f32;
        let bar = ui.add(ProgressBar::new(part).desired_width(96.0).desired_height(6.0));
        named(&bar, WidgetType::ProgressIndicator, &words);
        let (glyph, word) = if again.running {
            (icon::PAUSE, "Pause doing it again")
        } else {
            (icon::PLAY, "Go on doing it again")
        };
        if icon_button(ui, glyph, word, true).clicked() {
            commands.push(Command::TakeOver(TakeOver::Run(!again.running)));
        }
    }
    if icon_button(ui, icon::CLOSE, "Leave the phone where it is", true).clicked() {
        commands.push(Command::TakeOver(TakeOver::Leave));
    }
}

fn standing_ui(
    taken: &TakenOver,
    source: &TraceSource,
    replay: &ReplayState,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    if taken.branched() {
        let word = format!("the phone goes its own way after step {}", taken.prefix);
        badge(ui, icon::LOOK, &word, Tone::Warn);
        if ui.add(Button::new("Back onto the trace")).clicked() {
            let after = taken.prefix.min(replay.steps());
            commands.push(Command::TakeOver(TakeOver::At(source.clone(), after)));
        }
    } else if taken.follows {
        badge(ui, icon::PHONE, "the phone follows the steps", Tone::Accent);
        if icon_button(ui, icon::CLOSE, "Leave the phone where it is", true).clicked() {
            commands.push(Command::TakeOver(TakeOver::Leave));
        }
    } else if ui.add(Button::new("Let the phone follow the steps")).clicked() {
        commands.push(Command::TakeOver(TakeOver::Follow(true)));
    }
}

/// Draws the first divergence, with a button that shows it.
fn divergence_ui(taken: &TakenOver, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(first) = taken.first_divergence() else { return };
    badge(ui, icon::LOOK, &format!("step {} came out differently", first.step), Tone::Warn);
    if ui.add(Button::new("Show")).on_hover_text("Recorded beside what the phone shows now").clicked() {
        let step = first.step.saturating_sub(1);
        commands.push(Command::Replay(ReplayCommand::Goto(step)));
    }
    ui.add(Label::new(caption(&first.reason)).truncate()).on_hover_text(RichText::new(&first.reason));
}
