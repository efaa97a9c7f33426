//! The head of the place Replay: the open finding, the position of the cursor, and buttons.

use egui::{Align, ComboBox, Label, Layout, Sense, TextStyle, Ui, WidgetType, vec2};

use super::export_menu::export_menu_ui;
use super::timeline::timeline_ui;
use super::triage::open_state_ui;
use crate::command::{CampaignCommand, Command, DocumentCommand};
use crate::parts::controls::{
    Tone, badge, choose, icon_button, labelled_button, literal_words, named, segments,
};
use crate::parts::overlay::{Outline, PictureSlot, ScreenView, paint_outline, paint_screen};
use crate::parts::shortcuts::tip_of;
use crate::parts::theme::{caption, glyph, icon, strong, title, tokens};
use crate::replay::panels::badges::badges_ui;
use crate::replay::panels::takeover_bar::{takeover_bar_ui, takeover_buttons_ui};
use crate::replay::{
    ExportSubject, HistoryCommand, Minimising, ReplayCommand, ReplayState, Speed, oracle_word, with_steps,
};
use crate::state::{RecordView, StudioState, place_words};
use taproof_campaign::FindingState;
use taproof_engine::Task;
use taproof_results::report::{FindingTrace, literal_hint};
use taproof_screen::{counted, one_line, thousands};

/// Room in points below which the button of the failing step has no words.
const NARROW: f32 = 560.0;

/// Draws the head. Returns whether the list of findings was toggled.
pub fn replay_head_ui(
    state: &StudioState,
    replay: &ReplayState,
    (list_open, failing): (bool, &mut PictureSlot),
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) -> bool {
    let (toggled, pressed) = ui
        .horizontal_top(|ui| {
            let pressed = failing_ui(replay, failing, ui);
            let lines = |ui: &mut Ui| lines_ui(state, replay, list_open, commands, ui);
            (ui.vertical(lines).inner, pressed)
        })
        .inner;
    if pressed {
        commands.extend(to_failing_step(replay));
    }
    if !minimising_ui(state, replay, commands, ui) {
        meanwhile_ui(state, replay, commands, ui);
    }
    transport_ui(replay, commands, ui);
    takeover_bar_ui(state, replay, commands, ui);
    toggled
}

/// What shows the step after which the violation is seen.
fn to_failing_step(replay: &ReplayState) -> Vec<Command> {
    let follow =
        (replay.way == FindingTrace::Reference).then_some(ReplayCommand::Follow(FindingTrace::Minimal));
    follow.into_iter().chain([ReplayCommand::Last]).map(Command::Replay).collect()
}

/// Height of the picture of the failing screen, in points.
const FAILING: f32 = 60.0;

/// Draws the failing screen, small. Returns whether it was pressed.
fn failing_ui(replay: &ReplayState, slot: &mut PictureSlot, ui: &mut Ui) -> bool {
    let place = replay.failing_frame();
    let Some(frame) = replay.finding.minimal.trace.frame(place.1) else { return false };
    let screen = frame.layout.screen();
    let width = FAILING * screen.width.max(1) as f32 / screen.height.max(1) as f32;
    let (rect, response) = ui.allocate_exact_size(vec2(width.min(120.0), FAILING), Sense::click());
    let view = ScreenView::fit(rect, screen);
    let picture = replay.pictures.get(&place).and_then(Option::as_ref);
    paint_screen(ui.painter(), &view, &frame.layout, picture, slot);
    for widget in replay.finding.violation.failures.iter().flat_map(|failed| &failed.offending) {
        if let Some(widget) = frame.layout.get(*widget) {
            let outline = Outline { bounds: widget.bounds, label: String::new(), tone: Tone::Bad };
            paint_outline(ui.painter(), &view, &outline);
        }
    }
    named(&response, WidgetType::Button, "The failing screen");
    response.on_hover_text("The screen that is wrong; press to go to its step").clicked()
}

/// Draws what goes wrong in plain words, and below it the terms of testers. Returns whether the list of findings was
/// toggled.
fn lines_ui(
    state: &StudioState,
    replay: &ReplayState,
    list_open: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) -> bool {
    let toggled = title_ui(&replay.title, Some((state, replay)), list_open, commands, ui);
    let hint = literal_hint(&replay.finding).map_or(String::new(), |hint| format!("\n{hint}"));
    let tip = format!("{}{hint}", replay.plain);
    ui.add(Label::new(literal_words(&replay.plain, TextStyle::Body, ui)).truncate()).on_hover_text(tip);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            trace_choice_ui(replay, commands, ui);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                open_state_ui(state, &replay.source.key, commands, ui);
                badges_ui(&replay.finding, ui);
                minimise_button_ui(state, replay, commands, ui);
                let facts = facts(state, replay);
                ui.add(Label::new(caption(&facts)).truncate()).on_hover_text(facts);
            });
        });
    });
    toggled
}

/// Draws the button that confirms and minimises a finding with which its campaign could not finish.
fn minimise_button_ui(state: &StudioState, replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let key = &replay.source.key;
    let known = state.history.get(key).map_or(replay.finding.finished, |row| row.finished);
    if known || state.minimising.as_ref().is_some_and(|minimising| minimising.key == *key) {
        return;
    }
    let tip = "Re-executes the test on fresh phones: confirms that it shows the violation, and drops every step \
               that is not needed";
    if labelled_button(ui, "", "Minimise", true).on_hover_text(tip).clicked() {
        commands.push(Command::History(HistoryCommand::Minimise(key.clone())));
    }
}

/// Draws the progress while this finding is being confirmed and minimised. Returns whether it was drawn.
fn minimising_ui(
    state: &StudioState,
    replay: &ReplayState,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) -> bool {
    let this = |minimising: &&Minimising| minimising.key == replay.source.key;
    let Some(minimising) = state.minimising.as_ref().filter(this) else { return false };
    let words = match (minimising.task, minimising.events) {
        (Task::Fuzzing, _) => "Starting a phone".to_owned(),
        (task, events) => format!("{task}  \u{b7}  {} events", thousands(events)),
    };
    ui.horizontal(|ui| {
        badge(ui, icon::RUNNING, &words, Tone::Accent);
        let tip = "Ends after the current event; what was found out is kept";
        if labelled_button(ui, icon::STOP, "Stop minimising", true).on_hover_text(tip).clicked() {
            commands.push(Command::History(HistoryCommand::StopMinimising));
        }
    });
    true
}

/// Says what has become known of the finding since it was loaded, with a button that shows it. It is not shown
/// unasked, since the trace that a person is looking at may have been replaced by a shorter one.
fn meanwhile_ui(state: &StudioState, replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let key = &replay.source.key;
    let Some(known) = state.history.known_meanwhile(key, FindingState::of(&replay.finding)) else { return };
    ui.horizontal(|ui| {
        ui.label(glyph(icon::LOOK).color(tokens(ui.ctx()).warn));
        ui.label(format!("Meanwhile: {}", with_steps(known)));
        let button = labelled_button(ui, "", "Show", true);
        if button.on_hover_text("Loads the finding again, as it is known by now").clicked() {
            commands.push(Command::History(HistoryCommand::Open(key.clone())));
        }
    });
}

/// Draws the line with the title. Returns whether the list of findings was toggled.
pub fn title_ui(
    text: &str,
    replay: Option<(&StudioState, &ReplayState)>,
    list_open: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) -> bool {
    let mut toggled = false;
    ui.horizontal(|ui| {
        let tip = if list_open { "Hide the findings" } else { "Show the findings" };
        toggled = icon_button(ui, icon::LIST, tip, true).clicked();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icon::CLOSE, "Close the finding", true).clicked() {
                commands.push(Command::History(HistoryCommand::Close));
            }
            if let Some((state, replay)) = replay {
                finding_export_ui(state, replay, commands, ui);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(title(text)).truncate()).on_hover_text(text);
            });
        });
    });
    toggled
}

/// Draws the menu that exports the finding.
fn finding_export_ui(state: &StudioState, replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let subject = ExportSubject::Finding(replay.source.key.clone());
    export_menu_ui(&subject, true, commands, ui, |commands, ui| {
        ui.separator();
        let key = &replay.source.key;
        let entries = [
            ("Copy how to reproduce", Command::CopyCommands),
            ("Copy as Markdown", Command::History(HistoryCommand::Copy(vec![key.clone()]))),
            ("New issue\u{2026}", Command::History(HistoryCommand::NewIssue(key.clone()))),
        ];
        for (label, command) in entries {
            if ui.button(label).clicked() {
                commands.push(command);
                ui.close();
            }
        }
        ui.separator();
        if ui.button("Begin a campaign with this trace").clicked() {
            commands.push(CampaignCommand::BeginWithFinding.into());
            ui.close();
        }
        let violation = &replay.finding.violation;
        let function =
            violation.dmf.and_then(|_| state.documents.place_of(&replay.source.plan.app, &violation.subject));
        if let Some((document, dmf)) = function {
            let tip = "Where its conditions can be corrected, if this is no bug of the app";
            if ui.button("Show its function").on_hover_text(tip).clicked() {
                commands.push(Command::Document(DocumentCommand::Choose(document, dmf)));
                commands.push(Command::GoRecord(RecordView::Specification));
                ui.close();
            }
        }
    });
}

fn facts(state: &StudioState, replay: &ReplayState) -> String {
    let (finding, plan) = (&replay.finding, &replay.source.plan);
    let app = state.app(&plan.app).map_or(plan.app.as_str(), |app| app.label.as_str());
    let first = plan.initialiser.as_ref();
    let first =
        first.map_or_else(String::new, |first| format!("  \u{b7}  before each test: {}", first.words()));
    let noted = state.history.bug_of(&replay.source.key).filter(|bug| !bug.note.is_empty());
    let note = noted.map_or_else(String::new, |bug| format!("Note: {}  \u{b7}  ", one_line(&bug.note)));
    format!(
        "{note}{app} ({})  \u{b7}  {}  \u{b7}  {}, seed {}  \u{b7}  campaign {}{first}",
        place_words(&plan.device.words(&plan.build)),
        oracle_word(finding.origin.oracle.name()),
        finding.engine,
        finding.seed,
        replay.source.key.campaign,
    )
}

fn trace_choice_ui(replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let steps = |way: FindingTrace| way.of(&replay.finding).trace.len();
    let short = counted(steps(FindingTrace::Minimal), "step");
    let found = format!("as found: {}", counted(steps(FindingTrace::Original), "step"));
    let mut ways = vec![
        (FindingTrace::Minimal, short, "The fewest steps that show the bug"),
        (FindingTrace::Original, found, "The test that showed the bug first, with all its steps"),
    ];
    if replay.finding.reference.is_some() {
        let words = format!("reference: {}", counted(steps(FindingTrace::Reference), "step"));
        ways.push((
            FindingTrace::Reference,
            words,
            "The trace that it is compared with, where all went right",
        ));
    }
    // The segments are laid out from right to left here.
    if ui.layout().prefer_right_to_left() {
        ways.reverse();
    }
    if let Some(way) = segments(ui, Some(replay.way), &ways) {
        commands.push(Command::Replay(ReplayCommand::Follow(way)));
    }
}

fn transport_ui(replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let steps = replay.lines.len().max(1);
        let (first, last) = (replay.step == 0, replay.step + 1 == steps);
        let play = if replay.playing { icon::PAUSE } else { icon::PLAY };
        let buttons = [
            (icon::FIRST, "replay-first", !first, ReplayCommand::First),
            (icon::PREVIOUS, "replay-previous", !first, ReplayCommand::Back),
            (play, "replay-play", steps > 1, ReplayCommand::Play),
            (icon::NEXT, "replay-next", !last, ReplayCommand::Next),
            (icon::LAST, "replay-last", !last, ReplayCommand::Last),
        ];
        for (icon, id, enabled, command) in buttons {
            if icon_button(ui, icon, &tip_of(id), enabled).clicked() {
                commands.push(Command::Replay(command));
            }
        }
        speed_ui(replay, commands, ui);
        let elsewhere = !last || replay.way == FindingTrace::Reference;
        let button = if ui.available_width() < NARROW {
            icon_button(ui, icon::BROKEN, "Failing step", elsewhere)
        } else {
            labelled_button(ui, icon::BROKEN, "Failing step", elsewhere)
        };
        if button.on_hover_text("Goes to the step after which it is wrong").clicked() {
            commands.extend(to_failing_step(replay));
        }
        ui.add_space(8.0);
        ui.label(strong(format!("{} of {steps}", replay.step + 1))).on_hover_text("step");
        ui.add_space(4.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            takeover_buttons_ui(replay, commands, ui);
            if let Some(step) = timeline_ui(replay, ui) {
                commands.push(Command::Replay(ReplayCommand::Goto(step)));
            }
        });
    });
}

fn speed_ui(replay: &ReplayState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let combo = ComboBox::from_id_salt("speed").selected_text(replay.speed.word()).width(48.0);
    let (mut speed, speeds) = (replay.speed, Speed::ALL.map(|speed| (speed, speed.word())));
    let response = choose(combo, "Speed (+ and -)", &mut speed, speeds, ui);
    if response.changed() {
        commands.push(Command::Replay(ReplayCommand::Speed(speed)));
    }
    response.on_hover_text("Speed of Play (+ and -)");
}
