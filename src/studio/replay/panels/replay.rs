//! The place Replay: the findings, and of the open one the steps, the screens before and after, the trees, and expected
//! and observed values.

use egui::{Button, Frame, Margin, Panel, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::diff_rows::diff_rows_ui;
use super::facts::facts_ui;
use super::head::{replay_head_ui, title_ui};
use super::history_list::history_list_ui;
use super::screens::{Pointed, Screens, screens_ui};
use crate::command::Command;
use crate::mirror::Divergence;
use crate::parts::controls::{
    Sight, card, empty_state, labelled_button, noticed, primary_button, progress_bar, segments,
    waiting_state, wide_card,
};
use crate::parts::overlay::PictureSlot;
use crate::parts::theme::{ROW, caption, heading, icon, icon_font, medium_font, strong, tokens};
use crate::phone::panels::widget_tree::{TreePanel, TreeView, widget_tree_ui};
use crate::replay::{HistoryCommand, Opening, ReferenceStep, ReplayCommand, ReplayState, StepRow, StepView};
use crate::state::{FindingKey, Place, StudioState};
use taproof_results::report::{FindingTrace, Mark};
use taproof_screen::WidgetIdx;
use taproof_spec::function_words;

/// Width in points from which on the list of findings is shown beside everything else.
const WIDE: f32 = 1500.0;
/// Width in points from which on the facts are shown beside the screens.
const BESIDE: f32 = 760.0;
/// Width of the facts beside the screens, in points.
const FACTS: f32 = 252.0;
/// What is said while a finding is read.
const OPENING: &str = "Opening the finding";
/// Width of the time of a step, in points.
const TIME: f32 = 48.0;

/// The panel's own state.
#[derive(Default)]
pub struct ReplayPanel {
    tree: TreePanel,
    screens: Screens,
    steps: Sight,
    changes: Sight,
    /// The step drawn last, used to scroll another one into view.
    drawn: Option<(FindingKey, FindingTrace, usize)>,
    /// The picture of the failing screen in the head.
    failing: PictureSlot,
    tree_of: TreeOf,
    /// Whether the person has shown or hidden the list of findings. `None` if neither.
    list: Option<bool>,
    /// Height of the facts when they were last drawn, in points.
    facts: f32,
}

/// What the tree shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TreeOf {
    #[default]
    Changes,
    Before,
    After,
}

/// Draws the place Replay.
pub fn replay_panel_ui(
    state: &StudioState,
    panel: &mut ReplayPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let frame = Frame::new().fill(tokens(ui.ctx()).base).inner_margin(Margin::same(12));
    egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        let broken = state.history.opening.as_ref().filter(|opening| opening.problem.is_some());
        let opened = state.replay.as_ref().and_then(|replay| Some((replay, replay.view()?)));
        match (broken, opened) {
            (Some(opening), _) => broken_ui(state, opening, panel, commands, ui),
            (None, Some((replay, view))) => {
                if let Some(opening) = state.history.opening.as_ref().filter(|_| noticed(ui.ctx(), OPENING)) {
                    card(ui, |ui| ui.horizontal(|ui| opening_ui(opening, commands, ui)));
                }
                let wide = ui.available_width() > WIDE;
                let listed = panel.list.unwrap_or(wide);
                if replay_head_ui(state, replay, (listed, &mut panel.failing), commands, ui) {
                    panel.list = Some(!listed);
                }
                body_ui(state, replay, view, panel, commands, ui);
            }
            (None, None) => findings_ui(state, commands, ui),
        }
    });
}

/// Draws all findings, or why there are none and how to get one.
fn findings_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    wide_card(ui, |ui| {
        let history = &state.history;
        let opening = history.opening.as_ref();
        if let Some(opening) = opening.filter(|_| noticed(ui.ctx(), OPENING) || history.rows().is_empty()) {
            empty_state(ui, icon::PLAY, OPENING, &opening.title);
            ui.vertical_centered(|ui| {
                ui.allocate_ui(vec2(320.0, 32.0), |ui| opening_ui(opening, commands, ui))
            });
        } else if let Some(problem) = &history.problem {
            empty_state(ui, icon::BROKEN, "The findings cannot be read", problem);
        } else if !history.read {
            waiting_state(ui, "Reading the workspace", "");
        } else if history.rows().is_empty() {
            let how = "A campaign looks for bugs. What it finds is kept here and can be stepped through.";
            empty_state(ui, icon::PLAY, "No finding yet", how);
            ui.vertical_centered(|ui| {
                if primary_button(ui, icon::BUG, "Start a campaign in Fuzz", true).clicked() {
                    commands.push(Command::Go(Place::Fuzz));
                }
            });
            ui.add_space(16.0);
        } else {
            ui.set_min_height(ui.available_height());
            history_list_ui(state, commands, ui);
        }
    });
}

/// Draws how far the finding that is being opened has come, with a button that cancels it.
fn opening_ui(opening: &Opening, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let (done, steps) = opening.read.unwrap_or((0, 1));
        let words = match opening.read {
            Some((done, steps)) => format!("{done} of {steps} steps"),
            None => "Reading".to_owned(),
        };
        progress_bar(ui, done as f32 / steps.max(1) as f32, &words, 200.0).on_hover_text(&opening.title);
        if labelled_button(ui, icon::CLOSE, "Cancel opening", true).clicked() {
            commands.push(Command::History(HistoryCommand::CancelOpening));
        }
    });
}

/// Draws a finding that cannot be read, with the list of the others.
fn broken_ui(
    state: &StudioState,
    opening: &Opening,
    panel: &mut ReplayPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let listed = panel.list.unwrap_or(true);
    if title_ui(&opening.title, None, listed, commands, ui) {
        panel.list = Some(!listed);
    }
    if listed {
        list_column_ui(state, commands, ui);
    }
    egui::CentralPanel::default().frame(Frame::new().inner_margin(Margin::symmetric(12, 0))).show(ui, |ui| {
        wide_card(ui, |ui| {
            let problem = opening.problem.as_deref().unwrap_or_default();
            empty_state(ui, icon::BROKEN, "This finding cannot be opened", problem);
            let how = "The others are not affected. A campaign with the same seed finds it again.";
            ui.vertical_centered(|ui| ui.label(RichText::new(how).weak()));
            ui.add_space(16.0);
        });
    });
}

fn column(ui: &Ui) -> Frame {
    Frame::new().fill(tokens(ui.ctx()).panel).inner_margin(Margin::same(8)).corner_radius(8)
}

fn list_column_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let panel =
        Panel::left("replay findings").default_size(290.0).size_range(220.0..=400.0).frame(column(ui));
    panel.show_separator_line(false).show(ui, |ui| history_list_ui(state, commands, ui));
}

fn body_ui(
    state: &StudioState,
    replay: &ReplayState,
    view: &StepView,
    panel: &mut ReplayPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let now = Some((replay.source.key.clone(), replay.way, replay.step));
    let moved = panel.drawn != now;
    if moved {
        panel.drawn = now;
        panel.tree.renew();
    }
    let wide = ui.available_width() > WIDE;
    let listed = panel.list.unwrap_or(wide);
    if listed {
        list_column_ui(state, commands, ui);
    }
    // If there is not enough space for both, the list replaces steps and tree.
    if wide || !listed {
        let size = if wide { 330.0 } else { (ui.available_width() * 0.28).clamp(270.0, 350.0) };
        let left = if listed { 12 } else { 0 };
        let margin = Margin { left, ..Margin::ZERO };
        let panel_of =
            Panel::left("replay steps").default_size(size).frame(Frame::new().outer_margin(margin));
        panel_of.show_separator_line(false).show(ui, |ui| {
            column(ui).show(ui, |ui| steps_and_tree_ui(replay, view, moved, panel, commands, ui));
        });
    }
    let middle = Frame::new().inner_margin(Margin { left: 12, ..Margin::ZERO });
    egui::CentralPanel::default().frame(middle).show(ui, |ui| middle_ui(state, replay, view, panel, ui));
    panel.join_lights(view, ui);
}

impl ReplayPanel {
    /// Highlights the widget that corresponds to the highlighted one on the other side, if it exists there.
    fn join_lights(&mut self, view: &StepView, ui: &Ui) {
        let (before, after) = (&mut self.screens.lit_before, &mut self.screens.lit_after);
        match (before.pointed(), after.pointed()) {
            (Some(idx), None) => view.diff.became.get(&idx).into_iter().for_each(|idx| after.point_at(*idx)),
            (None, Some(idx)) => view.diff.was.get(&idx).into_iter().for_each(|idx| before.point_at(*idx)),
            (Some(_), Some(_)) | (None, None) => {}
        }
        before.turn(ui.ctx());
        after.turn(ui.ctx());
    }
}

/// The divergence of the phone after this step, if there is one.
fn diverged<'a>(state: &'a StudioState, replay: &ReplayState) -> Option<&'a Divergence> {
    let taken = state.takeover.as_ref().filter(|taken| taken.source == replay.trace_source())?;
    taken.diverged.get(&(replay.step + 1)).map(|divergence| &**divergence)
}

/// Draws the screens, as large as the facts below permit.
fn middle_ui(
    state: &StudioState,
    replay: &ReplayState,
    view: &StepView,
    panel: &mut ReplayPanel,
    ui: &mut Ui,
) {
    let frame = &view.frame;
    let sentence = format!("{}. {}", frame.step + 1, frame.sentence);
    let tip = format!("{sentence}\n{}", frame.exact);
    ui.add(egui::Label::new(strong(&sentence)).truncate()).on_hover_text(tip);
    if let Some(reference) = replay.reference() {
        ui.add(egui::Label::new(caption(reference_words(replay, &reference))).truncate());
    }
    let room = ui.available_rect_before_wrap();
    let beside = room.width() >= BESIDE;
    let (screens, right) = room.split_left_right_at_x(room.right() - if beside { FACTS } else { 0.0 });
    let below = if beside { 0.0 } else { panel.facts.clamp(56.0, room.height() * 0.45) + 8.0 };
    let height = (room.height() - below).max(160.0);
    let left = UiBuilder::new().max_rect(screens);
    let drawn = ui.scope_builder(left, |ui| {
        screens_ui((replay, diverged(state, replay)), frame, &mut panel.screens, height, ui)
    });
    let pointed = drawn.inner;
    // The tree switches to the screen under the pointer, unless it shows the changes between both.
    let follow = match (pointed, panel.tree_of) {
        (Some(Pointed::Before), TreeOf::After) => TreeOf::Before,
        (Some(Pointed::After), TreeOf::Before) => TreeOf::After,
        (_, tree_of) => tree_of,
    };
    panel.show_tree_of(follow);
    let area = ScrollArea::vertical().id_salt("facts").auto_shrink([false, false]);
    if beside {
        let right = right.with_min_x(right.left() + 12.0);
        ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
            area.show(ui, |ui| facts_ui(view, &replay.required, ui))
        });
        return;
    }
    let drawn = area.show(ui, |ui| facts_ui(view, &replay.required, ui)).content_size.y;
    if (panel.facts - drawn).abs() > 0.5 {
        panel.facts = drawn;
        ui.ctx().request_repaint();
    }
}

/// The reference's step at this position, as a sentence.
fn reference_words(replay: &ReplayState, reference: &ReferenceStep) -> String {
    let inserted = replay.lines.get(replay.step).is_some_and(|line| line.inserted);
    match &reference.sentence {
        Some(sentence) => format!("Reference, step {}: {sentence}", reference.frame),
        None if inserted => "Part of the detour that was put in; the reference waits.".to_owned(),
        None => "The reference has not begun yet.".to_owned(),
    }
}

impl ReplayPanel {
    fn show_tree_of(&mut self, tree_of: TreeOf) {
        if self.tree_of != tree_of {
            self.tree_of = tree_of;
            self.tree.renew();
        }
    }
}

fn steps_and_tree_ui(
    replay: &ReplayState,
    view: &StepView,
    moved: bool,
    panel: &mut ReplayPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.label(heading("Steps"));
    let height = ui.available_height() * 0.42;
    ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
        ui.set_min_height(height);
        steps_ui(replay, moved, &mut panel.steps, commands, ui);
    });
    ui.horizontal(|ui| {
        ui.label(heading("Tree"));
        let sides = [
            (TreeOf::Changes, "Changes".to_owned(), "What the step changed, and what is wrong"),
            (TreeOf::Before, "Before".to_owned(), "All widgets before the step"),
            (TreeOf::After, "After".to_owned(), "All widgets after the step"),
        ];
        if let Some(side) = segments(ui, Some(panel.tree_of), &sides) {
            panel.show_tree_of(side);
        }
    });
    tree_ui(view, moved, panel, ui);
}

fn tree_ui(view: &StepView, moved: bool, panel: &mut ReplayPanel, ui: &mut Ui) {
    let strongest = |marks: &std::collections::BTreeMap<WidgetIdx, Mark>| {
        let of = |wanted: Mark| marks.iter().find(|(_, mark)| **mark == wanted).map(|(idx, _)| *idx);
        of(Mark::Offending).or(of(Mark::Touched))
    };
    let (frame, screens) = (&view.frame, &mut panel.screens);
    // Clicked widgets are only scrolled into view.
    match panel.tree_of {
        TreeOf::Changes => {
            let (before, after) = (&mut screens.lit_before, &mut screens.lit_after);
            diff_rows_ui(&view.diff, moved, &mut panel.changes, [before, after], ui);
        }
        TreeOf::Before => {
            let (layout, marks, selected) =
                (&frame.before, &frame.marks_before, strongest(&frame.marks_before));
            let tree = TreeView { layout, marks, missing: &[], found: &[], selected };
            widget_tree_ui(ui, &tree, &mut panel.tree, &mut screens.lit_before);
        }
        TreeOf::After => {
            let (layout, marks, selected) = (&frame.after, &frame.marks_after, strongest(&frame.marks_after));
            let tree = TreeView { layout, marks, missing: &frame.missing, found: &[], selected };
            widget_tree_ui(ui, &tree, &mut panel.tree, &mut screens.lit_after);
        }
    }
}

/// Draws the steps below headings with their DMFs. All rows have the same height, so only visible ones are drawn.
fn steps_ui(replay: &ReplayState, moved: bool, sight: &mut Sight, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = ROW;
    let rows = replay.step_rows();
    let mut area = ScrollArea::vertical().id_salt("steps").auto_shrink([false, false]);
    let place = rows.iter().position(|row| *row == StepRow::Step(replay.step));
    if let Some(offset) = place.filter(|_| moved).and_then(|place| sight.offset_for(place, ROW)) {
        area = area.vertical_scroll_offset(offset);
    }
    let output = area.show_rows(ui, ROW, rows.len(), |ui, range| {
        for row in rows.get(range).unwrap_or_default() {
            match row {
                StepRow::Step(step) => step_ui(replay, *step, commands, ui),
                StepRow::Run(dmf) => {
                    let name = dmf.as_deref().map_or("Random events".to_owned(), function_words);
                    let size = vec2(ui.available_width(), ROW);
                    let align = egui::Layout::left_to_right(egui::Align::Max);
                    ui.allocate_ui_with_layout(size, align, |ui| {
                        ui.set_min_height(ROW);
                        ui.add(egui::Label::new(caption(name)).truncate());
                    });
                }
            }
        }
    });
    *sight = Sight { from: output.state.offset.y, height: output.inner_rect.height() };
}

fn step_ui(replay: &ReplayState, step: usize, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(line) = replay.lines.get(step) else { return };
    let chosen = step == replay.step;
    let colors = tokens(ui.ctx());
    let marks: Vec<(&str, egui::Color32)> = [
        (line.inserted, icon::NEW, colors.accent),
        (line.changes_data, icon::DATA, colors.quiet),
        (step + 1 == replay.lines.len() && replay.way != FindingTrace::Reference, icon::BROKEN, colors.bad),
    ]
    .into_iter()
    .filter_map(|(marked, icon, color)| marked.then_some((icon, color)))
    .collect();
    let text = format!("{}  {}", step + 1, line.sentence);
    let time = format!("{:.1} s", line.seconds);
    let tip = format!("{text}\n{}\nOver {time} after the start", line.exact);
    let text = if chosen { strong(&text) } else { RichText::new(&text) };
    let size = vec2(ui.available_width() - 18.0 * marks.len() as f32 - TIME, ROW);
    let (place, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), egui::Sense::hover());
    let button = Button::selectable(chosen, text).truncate().right_text(()).min_size(size);
    let align = egui::Layout::left_to_right(egui::Align::Center);
    let room = egui::UiBuilder::new().max_rect(egui::Rect::from_min_size(place.min, size)).layout(align);
    let response = ui.scope_builder(room, |ui| ui.add(button)).inner;
    let at = place.right_center() - vec2(4.0, 0.0);
    ui.painter().text(at, egui::Align2::RIGHT_CENTER, &time, medium_font(11.0), colors.quiet);
    for (from_right, (mark, color)) in marks.into_iter().rev().enumerate() {
        let at = place.right_center() - vec2(TIME + 9.0 + 18.0 * from_right as f32, 0.0);
        ui.painter().text(at, egui::Align2::CENTER_CENTER, mark, icon_font(14.0), color);
    }
    if response.on_hover_text(tip).clicked() {
        commands.push(Command::Replay(ReplayCommand::Goto(step)));
    }
}
