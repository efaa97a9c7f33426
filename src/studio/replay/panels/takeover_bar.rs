//! The phone's progress along the trace that is open in Replay: its position, the re-execution, and divergences.

use egui::{Button, Label, ProgressBar, RichText, Ui, WidgetType};

use crate::command::{Command, TakeOver};
use crate::parts::controls::{Tone, badge, icon_button, labelled_button, named, time_left};
use crate::parts::shortcuts::with_key;
use crate::parts::theme::{caption, icon};
use crate::phone::{Judgement, TakenOver, TraceSource};
use crate::replay::{ReplayCommand, ReplayState};
use crate::state::StudioState;
use taproof_campaign::Target;
use taproof_engine::device::Build;
use taproof_results::report::FindingTrace;
use taproof_screen::AppHealth;

/// Default number of milliseconds between two steps of a re-execution.
const PACE_MILLIS: u64 = 600;

/// Draws the buttons that take the trace over and that re-execute it.
pub fn takeover_buttons_ui(replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let source = replay.trace_source();
    let tip = with_key(
        "Does the steps up to this one on the phone, so that you can go on by hand from there",
        "replay-take-over",
    );
    if labelled_button(ui, icon::PHONE, "Try from here", true).on_hover_text(tip).clicked() {
        let after = (replay.step + 1).min(replay.steps());
        commands.push(Command::TakeOver(TakeOver::At(source.clone(), after)));
    }
    let tip = "Does all steps again on a fresh phone and compares each screen; on the bundled phone it then judges whether \
         the bug came back. The app has its bugs as when the bug was found, unless you chose otherwise at the top since";
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
            reexecution_ui(taken, crashed_again(state, replay), replay, commands, ui);
        } else {
            standing_ui(taken, &source, replay, commands, ui);
        }
        divergence_ui(taken, commands, ui);
    });
}

/// Whether the app has crashed, or hangs, on the phone as it does at the end of the open trace.
fn crashed_again(state: &StudioState, replay: &ReplayState) -> bool {
    let seen = state.mirror.walked.steps.last().map(|step| &step.after.frame.health);
    match &replay.way.of(&replay.finding).trace.last().health {
        AppHealth::Crashed(_) => matches!(seen, Some(AppHealth::Crashed(_))),
        AppHealth::NotResponding(_) => matches!(seen, Some(AppHealth::NotResponding(_))),
        AppHealth::Running | AppHealth::LeftApp(_) => false,
    }
}

fn reexecution_ui(
    taken: &TakenOver,
    crashed: bool,
    replay: &ReplayState,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(again) = &taken.reexecution else { return };
    let over = again.done >= again.total;
    if over {
        let other = other_build_words(&taken.trace.target, &replay.source.plan.build);
        let (words, tone, tip) =
            end_of_reexecution((taken, crashed), replay.way, replay.source.number, other);
        badge(ui, icon_of(tone), &words, tone).on_hover_text(tip);
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

fn icon_of(tone: Tone) -> &'static str {
    match tone {
        Tone::Bad => icon::BROKEN,
        Tone::Warn => icon::LOOK,
        Tone::Accent => icon::RUNNING,
        Tone::Good | Tone::Plain => icon::HELD,
    }
}

/// Says on which build a trace was done again; empty if that is the one it was found on, or a device.
fn other_build_words(target: &Target, found_on: &Build) -> &'static str {
    if target.device.is_some() || target.build == *found_on {
        return "";
    }
    match target.build {
        Build::Faulty => " with all of the app\u{2019}s bugs",
        Build::Sound => " without the app\u{2019}s bugs",
        Build::Bugs(_) => " with other bugs of the app",
    }
}

/// What a re-execution that is over, and whether the app crashed again in it, has shown of the finding with this number, on
/// the build that these words name, and how that is known.
fn end_of_reexecution(
    (taken, crashed): (&TakenOver, bool),
    way: FindingTrace,
    number: i64,
    build: &str,
) -> (String, Tone, String) {
    let total = taken.trace.events.len();
    let (same, last_same) = (taken.first_divergence().is_none(), !taken.diverged.contains_key(&total));
    match (&taken.judgement, way) {
        (Some(Judgement::Pending), _) => (
            "judging whether the bug came back".to_owned(),
            Tone::Accent,
            "Does the steps once more on another phone, and judges what the screens show there".to_owned(),
        ),
        (Some(Judgement::CameBack(seen)), _) => {
            (format!("The bug came back{build}"), Tone::Bad, format!("{}: {seen}", judged_by(number)))
        }
        (Some(Judgement::DidNot), _) => {
            (format!("The bug did not come back{build}"), Tone::Warn, judged_by(number))
        }
        (Some(Judgement::NotJudged(why)), _) => {
            let words = format!("Whether the bug came back{build} could not be judged");
            (words, Tone::Warn, why.clone())
        }
        (None, FindingTrace::Reference) if same => {
            (format!("Every screen came as recorded{build}"), Tone::Good, "All went right again".to_owned())
        }
        (None, FindingTrace::Reference) => (
            format!("Not every screen came as recorded{build}"),
            Tone::Warn,
            "What went right before is different now".to_owned(),
        ),
        (None, FindingTrace::Minimal | FindingTrace::Original) => {
            let (words, tone) = match last_same {
                _ if crashed => ("The app crashed again", Tone::Bad),
                true => ("The last screen came as recorded", Tone::Plain),
                false => ("The last screen is another one than recorded", Tone::Warn),
            };
            let tip = format!(
                "The screens were only compared. What is wrong may be out of sight, such as far down a list: \
                 `taproof replay {number}` does the steps again and judges whether the bug came back"
            );
            (format!("{words}{build}"), tone, tip)
        }
    }
}

fn judged_by(number: i64) -> String {
    format!("Judged on another fresh phone, as `taproof replay {number}` does")
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

/// Draws the first divergence, with a button that shows it, and why the finding could not be judged.
fn divergence_ui(taken: &TakenOver, commands: &mut Vec<Command>, ui: &mut Ui) {
    let first = taken.first_divergence();
    if let Some(first) = first {
        badge(ui, icon::LOOK, &format!("step {} came out differently", first.step), Tone::Warn);
        if ui.add(Button::new("Show")).on_hover_text("Recorded beside what the phone shows now").clicked() {
            let step = first.step.saturating_sub(1);
            commands.push(Command::Replay(ReplayCommand::Goto(step)));
        }
    }
    let reason = match &taken.judgement {
        Some(Judgement::NotJudged(why)) => Some(why),
        _ => first.map(|first| &first.reason),
    };
    if let Some(reason) = reason {
        ui.add(Label::new(caption(reason)).truncate()).on_hover_text(RichText::new(reason));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mirror::{Divergence, Expected, PathNo};
    use crate::phone::LiveTrace;
    use std::sync::Arc;
    use taproof_screen::{Event, Likeness, layout_from};

    /// The words at the end of a re-execution with divergences at these steps.
    fn end(steps: &[usize], judgement: Option<Judgement>, crashed: bool, way: FindingTrace) -> String {
        let layout = Arc::new(layout_from("FrameLayout\n"));
        let expected = || Expected::of(&layout, None);
        let trace = LiveTrace {
            title: String::new(),
            target: Target::bundled("org.ex", Build::Sound),
            initialiser: None,
            start: None,
            events: vec![(Event::Rotate, expected()), (Event::Rotate, expected())],
        };
        let mut taken = TakenOver::new(TraceSource::Path(PathNo(1)), Arc::new(trace), 1);
        taken.judgement = judgement;
        for step in steps {
            let (seen, reason) = (Arc::clone(&layout), String::new());
            let likeness = Likeness::OtherScreen;
            let divergence = Divergence { step: *step, expected: None, seen, likeness, reason };
            taken.diverged.insert(*step, Arc::new(divergence));
        }
        end_of_reexecution((&taken, crashed), way, 3, "").0
    }

    #[test]
    fn the_judgement_says_whether_the_bug_came_back_whatever_the_screens_show() {
        let judged = |steps: &[usize], judgement| end(steps, Some(judgement), false, FindingTrace::Minimal);
        assert_eq!(judged(&[2], Judgement::CameBack(String::new())), "The bug came back");
        assert_eq!(judged(&[], Judgement::DidNot), "The bug did not come back");
        assert_eq!(judged(&[], Judgement::Pending), "judging whether the bug came back");
        let why = Judgement::NotJudged("the trace ended early".to_owned());
        assert_eq!(judged(&[], why), "Whether the bug came back could not be judged");
    }

    #[test]
    fn without_a_judgement_only_the_screens_are_spoken_of() {
        let seen = |steps: &[usize], way| end(steps, None, false, way);
        assert_eq!(seen(&[1], FindingTrace::Minimal), "The last screen came as recorded");
        assert_eq!(seen(&[2], FindingTrace::Original), "The last screen is another one than recorded");
        assert_eq!(end(&[2], None, true, FindingTrace::Minimal), "The app crashed again");
        assert_eq!(seen(&[], FindingTrace::Reference), "Every screen came as recorded");
        assert_eq!(seen(&[1], FindingTrace::Reference), "Not every screen came as recorded");
    }

    #[test]
    fn another_build_than_that_of_the_finding_is_named() {
        let words = |target: Target| other_build_words(&target, &Build::Faulty);
        assert_eq!(words(Target::bundled("org.ex", Build::Faulty)), "");
        assert_eq!(words(Target::bundled("org.ex", Build::Sound)), " without the app\u{2019}s bugs");
        assert_eq!(words(Target::installed("org.ex", "emulator-1")), "");
    }
}
