//! Stepping through a finding: the steps, the screens before and after, what should be seen and what was.

use egui::{Frame, Label, Margin, Panel, Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use crate::model::{Layout, WidgetIdx, widget_name};
use crate::state::{
    Command, Mark, Place, ReplayCommand, ReplayFrame, ReplayState, Screenshot, StudioState, step_sentences,
    touch_of,
};

use super::findings_list::badges_ui;
use super::overlay::{
    Hover, Outline, PictureSlot, ScreenView, paint_action, paint_gesture, paint_outline, paint_screen,
};
use super::parts::{Tone, card, empty_state, icon_button, labelled_button, named, segments};
use super::replay_facts::{changes_ui, data_ui, expected_ui};
use super::theme::{caption, heading, icon, strong, title, tokens};
use super::timeline::timeline_ui;
use super::widget_tree::{TreePanel, TreeView, mark_look, widget_tree_ui};

type Marks = std::collections::BTreeMap<WidgetIdx, Mark>;

/// What only this panel remembers.
#[derive(Default)]
pub struct ReplayPanel {
    tree: TreePanel,
    hover: Hover,
    before: PictureSlot,
    after: PictureSlot,
    /// The finding and step drawn last, to bring a new one into sight.
    drawn: (String, usize),
    /// Whose tree is shown.
    side: TreeSide,
}

/// The screen whose tree is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TreeSide {
    #[default]
    Before,
    After,
}

/// Draws the place.
pub fn replay_panel_ui(
    state: &StudioState,
    panel: &mut ReplayPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let frame = Frame::new().fill(tokens(ui.ctx()).base).inner_margin(Margin::same(12));
    egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        let opened = state.replay.as_ref().and_then(|replay| Some((replay, replay.frame()?)));
        match opened {
            Some((replay, frame)) => {
                head_ui(replay, &frame, commands, ui);
                body_ui(replay, &frame, panel, commands, ui);
            }
            None => nothing_ui(state, commands, ui),
        }
    });
    panel.hover.turn(ui.ctx());
}

fn nothing_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    card(ui, |ui| {
        ui.set_width(ui.available_width());
        let how = if state.campaigns.findings() > 0 {
            "Press Replay beside a finding in Fuzz."
        } else {
            "Start a campaign in Fuzz; press Replay beside what it finds."
        };
        empty_state(ui, icon::PLAY, "No finding is open", how);
        ui.vertical_centered(|ui| {
            if labelled_button(ui, icon::BUG, "Go to Fuzz", true).clicked() {
                commands.push(Command::Go(Place::Fuzz));
            }
        });
    });
}

fn head_ui(replay: &ReplayState, frame: &ReplayFrame, commands: &mut Vec<Command>, ui: &mut Ui) {
    let finding = &replay.finding;
    ui.add(Label::new(title(&finding.title)).truncate()).on_hover_text(&finding.title);
    ui.horizontal_wrapped(|ui| {
        ui.label(caption(format!(
            "{}  \u{b7}  {}  \u{b7}  seed {}  ",
            finding.id, finding.engine, finding.seed
        )));
        badges_ui(finding, ui);
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let (first, last) = (frame.step == 0, frame.step + 1 == frame.steps);
        let (play, word) =
            if replay.playing { (icon::PAUSE, "Pause (Space)") } else { (icon::PLAY, "Play (Space)") };
        let buttons = [
            (icon::FIRST, "First step (Home)", !first, ReplayCommand::First),
            (icon::PREVIOUS, "Previous step (Left)", !first, ReplayCommand::Back),
            (play, word, frame.steps > 1, ReplayCommand::Play),
            (icon::NEXT, "Next step (Right)", !last, ReplayCommand::Next),
            (icon::LAST, "Last step (End)", !last, ReplayCommand::Last),
        ];
        for (icon, label, enabled, command) in buttons {
            if icon_button(ui, icon, label, enabled).clicked() {
                commands.push(Command::Replay(command));
            }
        }
        ui.add_space(8.0);
        ui.label(strong(format!("step {} of {}", frame.step + 1, frame.steps)));
        ui.add_space(8.0);
        if let Some(step) = timeline_ui(finding, frame.step, ui) {
            commands.push(Command::Replay(ReplayCommand::Goto(step)));
        }
    });
}

fn body_ui(
    replay: &ReplayState,
    frame: &ReplayFrame,
    panel: &mut ReplayPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let now = (replay.finding.id.clone(), frame.step);
    let moved = panel.drawn != now;
    if moved {
        panel.drawn = now;
        panel.tree.renew();
        panel.side = if frame.failures.is_empty() { TreeSide::Before } else { TreeSide::After };
    }
    let tokens = tokens(ui.ctx());
    let wide = ui.available_width() > 1150.0;
    let side = Frame::new().fill(tokens.panel).inner_margin(Margin::same(8)).corner_radius(8);
    let tree_column = |ui: &mut Ui, panel: &mut ReplayPanel| {
        ui.horizontal(|ui| {
            ui.label(heading("Tree"));
            let sides =
                [(TreeSide::Before, "Before".to_owned(), ""), (TreeSide::After, "After".to_owned(), "")];
            if let Some(side) = segments(ui, Some(panel.side), &sides) {
                panel.side = side;
                panel.tree.renew();
            }
        });
        tree_ui(frame, panel, ui);
    };
    if wide {
        let column = Panel::right("replay tree").default_size(380.0).frame(side).show_separator_line(false);
        column.show(ui, |ui| tree_column(ui, panel));
    }
    let width = if wide { 300.0 } else { 250.0 };
    Panel::left("replay steps").default_size(width).frame(side).show_separator_line(false).show(ui, |ui| {
        ui.label(heading("Steps"));
        let height = if wide { ui.available_height() } else { ui.available_height() * 0.42 };
        let list = ScrollArea::vertical().id_salt("steps").max_height(height).auto_shrink([false, wide]);
        list.show(ui, |ui| steps_ui(replay, moved, commands, ui));
        if !wide {
            ui.add_space(4.0);
            tree_column(ui, panel);
        }
    });
    let middle =
        Frame::new().inner_margin(Margin { left: 12, right: if wide { 12 } else { 0 }, ..Margin::ZERO });
    egui::CentralPanel::default().frame(middle).show(ui, |ui| {
        ui.add(Label::new(strong(&frame.sentence)).truncate()).on_hover_text(&frame.sentence);
        screens_ui(replay, frame, panel, ui);
        facts_ui(frame, panel, ui);
    });
}

fn steps_ui(replay: &ReplayState, moved: bool, commands: &mut Vec<Command>, ui: &mut Ui) {
    let mut group: Option<String> = None;
    ui.spacing_mut().item_spacing.y = 1.0;
    for (step, (sentence, dmf)) in step_sentences(&replay.finding).into_iter().enumerate() {
        if dmf != group {
            ui.label(caption(dmf.as_deref().unwrap_or("random events")));
            group = dmf;
        }
        let chosen = step == replay.step;
        let text = format!("{}  {sentence}", step + 1);
        let text = if chosen { strong(&text) } else { RichText::new(&text) };
        let button = egui::Button::selectable(chosen, text).truncate().min_size(vec2(0.0, 24.0));
        let response =
            ui.with_layout(egui::Layout::top_down_justified(egui::Align::LEFT), |ui| ui.add(button)).inner;
        if chosen && moved {
            response.scroll_to_me(None);
        }
        if response.on_hover_text(&sentence).clicked() {
            commands.push(Command::Replay(ReplayCommand::Goto(step)));
        }
    }
}

fn tree_ui(frame: &ReplayFrame, panel: &mut ReplayPanel, ui: &mut Ui) {
    let strongest = |marks: &Marks| {
        let of = |wanted: Mark| marks.iter().find(|(_, mark)| **mark == wanted).map(|(idx, _)| *idx);
        of(Mark::Offending).or(of(Mark::Touched))
    };
    let view = match panel.side {
        TreeSide::Before => TreeView {
            layout: &frame.before,
            marks: &frame.marks_before,
            missing: &[],
            selected: strongest(&frame.marks_before),
        },
        TreeSide::After => TreeView {
            layout: &frame.after,
            marks: &frame.marks_after,
            missing: &frame.missing,
            selected: strongest(&frame.marks_after),
        },
    };
    // What is clicked is only brought into sight.
    widget_tree_ui(ui, &view, &mut panel.tree, &mut panel.hover);
}

fn screens_ui(replay: &ReplayState, frame: &ReplayFrame, panel: &mut ReplayPanel, ui: &mut Ui) {
    let room = ui.available_rect_before_wrap();
    let height = (room.height() * 0.62).max(160.0);
    let half = (room.width() - 40.0) / 2.0;
    let picture = |frame: usize| replay.pictures.get(&frame).and_then(Option::as_ref);
    let column = |left: f32| Rect::from_min_size(pos2(left, room.top()), vec2(half, height));
    let (left, right) = (column(room.left()), column(room.right() - half));
    let before = Side {
        name: "Before",
        room: left,
        layout: &frame.before,
        marks: strong_marks(&frame.marks_before),
        picture: picture(frame.step),
    };
    let after = Side {
        name: "After",
        room: right,
        layout: &frame.after,
        marks: strong_marks(&frame.marks_after),
        picture: picture(frame.frame_after),
    };
    let view = side_ui(&before, &mut panel.before, ui);
    light_ui(&view, &frame.before, TreeSide::Before, panel, ui);
    if let Some((target, gesture)) = frame.event.as_ref().and_then(touch_of) {
        paint_gesture(ui.painter(), &view, target.at, gesture);
    } else if frame.event.is_some() {
        paint_action(ui.painter(), &view, &frame.sentence);
    }
    let arrow = pos2(room.center().x, left.top() + height * 0.45);
    let color = tokens(ui.ctx()).quiet;
    ui.painter().text(arrow, egui::Align2::CENTER_CENTER, "\u{e5c8}", super::theme::icon_font(24.0), color);
    let view = side_ui(&after, &mut panel.after, ui);
    light_ui(&view, &frame.after, TreeSide::After, panel, ui);
    ui.advance_cursor_after_rect(Rect::from_min_size(room.min, vec2(room.width(), height)));
}

struct Side<'a> {
    name: &'a str,
    room: Rect,
    layout: &'a Layout,
    marks: Marks,
    picture: Option<&'a Screenshot>,
}

fn side_ui(side: &Side<'_>, slot: &mut PictureSlot, ui: &mut Ui) -> ScreenView {
    let mut room = side.room;
    let at = pos2(room.center().x, room.top() + 8.0);
    let (color, font) = (tokens(ui.ctx()).quiet, super::theme::medium_font(11.0));
    ui.painter().text(at, egui::Align2::CENTER_CENTER, side.name.to_uppercase(), font, color);
    room.min.y += 20.0;
    let view = ScreenView::fit(room, side.layout.screen());
    let response = ui.interact(view.rect, ui.id().with(side.name), Sense::hover());
    let mut name = format!("Screen {}", side.name.to_lowercase());
    for (idx, mark) in &side.marks {
        if let Some(widget) = side.layout.get(*idx) {
            name += &format!(", {}: {}", mark.word(), widget_name(widget));
        }
    }
    named(&response, egui::WidgetType::Image, &name);
    paint_screen(ui.painter(), &view, side.layout, side.picture, slot);
    for (idx, mark) in &side.marks {
        if let Some(widget) = side.layout.get(*idx) {
            let (bounds, label, tone) = (widget.bounds, mark.word().to_owned(), mark_look(*mark).1);
            paint_outline(ui.painter(), &view, &Outline { bounds, label, tone });
        }
    }
    view
}

/// What is outlined on a picture: what was touched, what is wrong. What is new shows in the tree.
fn strong_marks(marks: &Marks) -> Marks {
    let strong = |mark: &Mark| matches!(mark, Mark::Touched | Mark::Offending);
    marks.iter().filter(|(_, mark)| strong(mark)).map(|(idx, mark)| (*idx, *mark)).collect()
}

/// The light that the picture shares with the tree of its side.
fn light_ui(view: &ScreenView, layout: &Layout, side: TreeSide, panel: &mut ReplayPanel, ui: &Ui) {
    let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|at| view.rect.contains(*at));
    if let Some(idx) = pointer.and_then(|at| layout.hit_test(view.device_from_panel(at))) {
        if panel.side != side {
            panel.side = side;
            panel.tree.renew();
        }
        panel.hover.point_at(idx);
    }
    let lit = panel.hover.shown().filter(|_| panel.side == side);
    if let Some(widget) = lit.and_then(|idx| layout.get(idx)) {
        let (bounds, label) = (widget.bounds, widget_name(widget));
        paint_outline(ui.painter(), view, &Outline { bounds, label, tone: Tone::Warn });
    }
}

fn facts_ui(frame: &ReplayFrame, panel: &mut ReplayPanel, ui: &mut Ui) {
    ScrollArea::vertical().id_salt("facts").auto_shrink([false, false]).show(ui, |ui| {
        expected_ui(frame, ui);
        ui.columns_const(|[left, right]| {
            card(left, |ui| data_ui(frame, ui));
            card(right, |ui| {
                if changes_ui(frame, &mut panel.hover, ui) {
                    panel.side = TreeSide::After;
                }
            });
        });
    });
}
