//! *Try it*: the results of trying a DMF.

use egui::{Align, Grid, Label, Layout, ScrollArea, Ui, WidgetInfo, WidgetType, vec2};

use std::sync::Arc;

use crate::command::{Command, TakeOver};
use crate::parts::controls::{
    Tone, badge, empty_state, icon_button, labelled_button, progress_bar, time_left,
};
use crate::parts::overlay::small_screen_ui;
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use crate::phone::{LiveTrace, TraceSource};
use crate::specs::{TrialCommand, TrialState};
use crate::state::{StudioState, place_words};
use taproof_campaign::{DeviceChoice, TrialOutcome, TrialPlan, TrialReport, TrialRun, trial_data_words};
use taproof_engine::device::Build;
use taproof_screen::Trace;
use taproof_spec::Dmf;

/// Draws the runs and their results, or how to get some.
pub fn trial_panel_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let trial = &state.trial;
    let (Some(plan), Some(dmf)) = (&trial.plan, trial.dmf()) else {
        return empty_state(
            ui,
            icon::PLAY,
            "Not tried yet",
            "Try it runs the function five times on a fresh phone, with other texts each time.",
        );
    };
    let mut ask = |command| commands.push(Command::Trial(command));
    ui.horizontal(|ui| {
        ui.label(strong(format!("Try “{}”", dmf.name)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icon::CLOSE, "Close the trial", true).clicked() {
                ask(TrialCommand::Close);
            }
            if trial.is_running() {
                if labelled_button(ui, icon::STOP, "Cancel the trial", true).clicked() {
                    ask(TrialCommand::Cancel);
                }
                return;
            }
            if labelled_button(ui, icon::RESTART, "Try other texts", true).clicked() {
                ask(TrialCommand::Again);
            }
            let held = trial.report.as_ref().is_some_and(|report| report.all_held());
            if !held
                && plan.device.is_bundled()
                && plan.build != Build::Sound
                && labelled_button(ui, icon::PLAY, "Try without bugs", true).clicked()
            {
                ask(TrialCommand::OnSound);
            }
        });
    });
    let place = match &plan.device {
        DeviceChoice::Bundled => place_words(&plan.build.word()),
        DeviceChoice::Adb(serials) => format!("on {}", serials.join(", ")),
    };
    ui.label(caption(format!("{place}, texts of seed {}", plan.seed)))
        .on_hover_text("The random texts follow from the seed: the same number gives the same texts");
    if trial.is_running() {
        progress_ui(trial, plan.runs, ui);
    }
    if let Some(problem) = &trial.problem {
        line_ui(ui, icon::BROKEN, tokens(ui.ctx()).bad, problem);
    }
    if let Some(report) = &trial.report {
        report_ui(report, ui);
    }
    if !trial.runs.is_empty() {
        ui.add_space(8.0);
        runs_ui(&trial.runs, dmf, ui);
        let kept = trial.runs.iter().rev().find_map(|run| Some((run, run.trace.as_ref()?)));
        if let Some((run, trace)) = kept.filter(|_| !trial.is_running()) {
            again_ui(plan, run, trace, commands, ui);
        }
    }
}

/// Draws the button that leads the phone along a run.
fn again_ui(plan: &TrialPlan, run: &TrialRun, trace: &Trace, commands: &mut Vec<Command>, ui: &mut Ui) {
    let label = format!("Do run {} on the phone", run.number);
    let tip = "Does all that the run did on the phone beside it; from there you can go back and forth, and on by hand";
    if labelled_button(ui, icon::PHONE, &label, true).on_hover_text(tip).clicked() {
        let source = TraceSource::Given(Arc::new(LiveTrace::of_trial(plan, trace)));
        commands.push(Command::TakeOver(TakeOver::At(source, trace.len())));
    }
}

fn progress_ui(trial: &TrialState, runs: usize, ui: &mut Ui) {
    let left = trial.seconds_left().filter(|left| *left >= 1.0);
    let left = left.map(|left| format!(", {} left", time_left(left))).unwrap_or_default();
    let text = format!("Run {} of {runs}{left}", trial.running.clamp(1, runs.max(1)));
    let done = trial.runs.len() as f32 / runs.max(1) as f32;
    progress_bar(ui, done, &text, ui.available_width());
}

/// Draws the verdict, and advice on what to do.
fn report_ui(report: &TrialReport, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    let (glyph, color) =
        if report.all_held() { (icon::HELD, tokens.good) } else { (icon::BROKEN, tokens.bad) };
    line_ui(ui, glyph, color, &report.verdict);
    for it in &report.never_fail {
        let text = format!("Never fails: \u{201c}{}\u{201d}: {}", it.sentence, it.why);
        line_ui(ui, icon::LOOK, tokens.warn, &text);
    }
    for advice in &report.advice {
        line_ui(ui, icon::LOOK, tokens.warn, advice);
    }
}

/// A line with a sign before it.
pub(super) fn line_ui(ui: &mut Ui, symbol: &str, color: egui::Color32, text: &str) {
    ui.horizontal_top(|ui| {
        ui.label(glyph(symbol).color(color));
        ui.add(Label::new(text).wrap());
    });
}

/// Width of the column of texts, in points.
const TEXTS: f32 = 110.0;
/// Width of all columns without sentences and of the gaps, in points.
const OTHER_COLUMNS: f32 = TEXTS + 184.0;

fn runs_ui(runs: &[TrialRun], dmf: &Dmf, ui: &mut Ui) {
    // The two columns of sentences share what the others leave.
    let widest = ((ui.available_width() - OTHER_COLUMNS) / 2.0).clamp(90.0, 340.0);
    ScrollArea::both().id_salt("trial runs").auto_shrink([false, true]).max_height(260.0).show(ui, |ui| {
        let columns = Grid::new("trial runs").num_columns(5).spacing([16.0, 6.0]).striped(true);
        columns.show(ui, |ui| {
            for title in ["Run", "Texts", "Outcome", "Verdict", "Data"] {
                ui.label(caption(title));
            }
            ui.end_row();
            for run in runs {
                run_ui(run, dmf, widest, ui);
                ui.end_row();
            }
        });
    });
}

fn run_ui(run: &TrialRun, dmf: &Dmf, widest: f32, ui: &mut Ui) {
    let texts = texts_words(run);
    let (symbol, tone) = look(&run.outcome);
    let sentence = run.outcome.sentence(dmf);
    ui.label(run.number.to_string()).on_hover_text(format!("Started: {}", run.way));
    let texts = Label::new(texts.as_str()).truncate();
    let shown = ui.allocate_ui(vec2(TEXTS, ui.spacing().interact_size.y), |ui| ui.add(texts)).inner;
    if !run.refused.is_empty() {
        shown.on_hover_text(format!("The app refused: {}", run.refused.join(", ")));
    }
    let outcome = badge(ui, symbol, run.outcome.word(), tone);
    let name = format!("Run {}: {}", run.number, run.outcome.word());
    outcome.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &name));
    outcome.on_hover_ui(|ui| {
        if matches!(run.outcome, TrialOutcome::Held) {
            ui.label("What must be so at the end was so.");
        }
        if let Some(last) = &run.walk.last {
            ui.label(caption("The last screen:"));
            small_screen_ui(last, ui);
        }
    });
    ui.scope(|ui| {
        ui.set_max_width(widest);
        ui.add(Label::new(&sentence).wrap());
    });
    ui.scope(|ui| {
        ui.set_max_width(widest);
        ui.add(Label::new(caption(trial_data_words(&run.before, &run.after))).wrap());
    });
}

fn texts_words(run: &TrialRun) -> String {
    const LONGEST: usize = 24;
    let shorten = |text: &String| {
        let mut short: String = text.chars().take(LONGEST).collect();
        if text.chars().count() > LONGEST {
            short.push('…');
        }
        format!("“{short}”")
    };
    let texts: Vec<String> = run.texts.iter().map(shorten).collect();
    if texts.is_empty() { "–".to_owned() } else { texts.join(", ") }
}

fn look(outcome: &TrialOutcome) -> (&'static str, Tone) {
    match outcome {
        TrialOutcome::Held => (icon::HELD, Tone::Good),
        TrialOutcome::Broken(_) | TrialOutcome::Died(_) => (icon::BROKEN, Tone::Bad),
        TrialOutcome::Unsure(_) | TrialOutcome::NotExecuted { .. } | TrialOutcome::NotReached(_) => {
            (icon::LOOK, Tone::Warn)
        }
    }
}
