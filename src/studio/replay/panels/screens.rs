//! The screens before and after a step, as large as possible, with marks for what was touched and what is wrong.

use std::collections::BTreeMap;

use egui::{Rect, Sense, Ui, pos2, vec2};

use super::zoom::Zoom;
use crate::mirror::{Divergence, Screenshot};
use crate::parts::controls::{Tone, named, spinner_over};
use crate::parts::overlay::{
    Hover, Outline, PictureSlot, ScreenView, paint_action, paint_gesture, paint_outline, paint_screen,
};
use crate::parts::theme::{icon, icon_font, medium_font, tokens};
use crate::phone::panels::widget_tree::mark_look;
use crate::replay::{ReferenceStep, ReplayState};
use taproof_core::model::{Layout, WidgetIdx, widget_name};
use taproof_results::report::{FindingTrace, Mark, ReplayFrame, touch_of};

type Marks = BTreeMap<WidgetIdx, Mark>;

/// The textures of the pictures, and the highlighted widgets that they share with the trees.
#[derive(Default)]
pub struct Screens {
    before: PictureSlot,
    after: PictureSlot,
    now: PictureSlot,
    /// The part of all screens that is shown.
    zoom: Zoom,
    /// The highlighted widget on the screen before.
    pub lit_before: Hover,
    /// The highlighted widget on the screen after.
    pub lit_after: Hover,
}

/// The screen that the pointer is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// The screen before the step.
    Before,
    /// The screen after the step.
    After,
}

struct Side<'a> {
    name: &'a str,
    room: Rect,
    layout: &'a Layout,
    marks: Marks,
    /// The label of all marks, instead of their own ones.
    says: Option<&'static str>,
    picture: Option<&'a Screenshot>,
    /// Whether the picture is being decoded.
    waits: bool,
}

/// Draws the screens in the available width and at most this height. Returns the one that the pointer is on.
pub fn screens_ui(
    (replay, diverged): (&ReplayState, Option<&Divergence>),
    frame: &ReplayFrame,
    screens: &mut Screens,
    height: f32,
    ui: &mut Ui,
) -> Option<Pointed> {
    let whole = ui.available_rect_before_wrap();
    // A third screen is shown on the right: that of the phone if it diverged, or of the reference.
    let reference = replay.reference().filter(|_| diverged.is_none());
    let third = diverged.is_some() || reference.is_some();
    let (columns, gaps) = if third { (3.0, 48.0) } else { (2.0, 32.0) };
    let half = (whole.width() - gaps) / columns;
    let room = whole.with_max_x(whole.left() + half * 2.0 + 32.0);
    let picture = |at: usize| replay.pictures.get(&(replay.way, at)).and_then(Option::as_ref);
    let waits = |way, at: usize| replay.pictures.get(&(way, at)).is_some_and(Option::is_none);
    let column = |left: f32| Rect::from_min_size(pos2(left, room.top()), vec2(half, height));
    let before = Side {
        name: "Before",
        room: column(room.left()),
        layout: &frame.before,
        marks: strong_marks(&frame.marks_before),
        says: None,
        picture: picture(frame.step),
        waits: waits(replay.way, frame.step),
    };
    let after = Side {
        name: "After",
        room: column(room.right() - half),
        layout: &frame.after,
        marks: strong_marks(&frame.marks_after),
        says: None,
        picture: picture(frame.frame_after),
        waits: waits(replay.way, frame.frame_after),
    };
    let shown = side_ui(&before, &mut screens.before, &mut screens.zoom, ui);
    let painter = ui.painter().with_clip_rect(shown.room);
    if let Some((target, gesture)) = frame.event.as_ref().and_then(touch_of) {
        paint_gesture(&painter, &shown.view, target.at, gesture);
    } else if frame.event.is_some() {
        paint_action(&painter, &shown.view, &frame.sentence);
    }
    let on_before = light_ui(&shown, &frame.before, &mut screens.lit_before, ui);
    let left_edge = shown.room;
    let shown = side_ui(&after, &mut screens.after, &mut screens.zoom, ui);
    let on_after = light_ui(&shown, &frame.after, &mut screens.lit_after, ui);
    let right_edge = shown.room;
    let arrow = pos2((left_edge.right() + right_edge.left()) / 2.0, right_edge.center().y);
    let color = tokens(ui.ctx()).quiet;
    ui.painter().text(arrow, egui::Align2::CENTER_CENTER, icon::ARROW, icon_font(24.0), color);
    if let Some(diverged) = diverged {
        let now = Side {
            name: "On the phone",
            room: column(whole.right() - half),
            layout: &diverged.seen,
            marks: Marks::new(),
            says: None,
            picture: None,
            waits: false,
        };
        side_ui(&now, &mut screens.now, &mut screens.zoom, ui);
    }
    if let Some(reference) = reference {
        reference_ui(
            replay,
            &reference,
            column(whole.right() - half),
            (&mut screens.now, &mut screens.zoom),
            ui,
        );
    }
    let used = left_edge.bottom().max(right_edge.bottom()) - room.top();
    ui.advance_cursor_after_rect(Rect::from_min_size(room.min, vec2(whole.width(), used)));
    match (on_before, on_after) {
        (true, _) => Some(Pointed::Before),
        (_, true) => Some(Pointed::After),
        (false, false) => None,
    }
}

/// Draws the reference's screen at the same position; at the end with marks on what the other trace lacks.
fn reference_ui(
    replay: &ReplayState,
    reference: &ReferenceStep,
    room: Rect,
    (slot, zoom): (&mut PictureSlot, &mut Zoom),
    ui: &mut Ui,
) {
    let trace = &FindingTrace::Reference.of(&replay.finding).trace;
    let Some(frame) = trace.frame(reference.frame) else { return };
    let last = reference.frame == trace.len();
    let expected = replay.expected.iter().filter(|_| last);
    let picture = replay.pictures.get(&(FindingTrace::Reference, reference.frame));
    let side = Side {
        name: if reference.sentence.is_some() { "Reference" } else { "Reference, waits" },
        room,
        layout: &frame.layout,
        marks: expected.map(|idx| (*idx, Mark::Added)).collect(),
        says: Some("expected"),
        picture: picture.and_then(Option::as_ref),
        waits: picture.is_some_and(Option::is_none),
    };
    side_ui(&side, slot, zoom, ui);
}

/// A screen that was drawn, of which only what is in the room is visible.
struct ShownScreen {
    room: Rect,
    view: ScreenView,
}

fn side_ui(side: &Side<'_>, slot: &mut PictureSlot, zoom: &mut Zoom, ui: &mut Ui) -> ShownScreen {
    let mut room = side.room;
    room.min.y += 18.0;
    let fitted = ScreenView::fit(room, side.layout.screen());
    let at = pos2(fitted.rect.center().x, side.room.top() + 7.0);
    let (color, font) = (tokens(ui.ctx()).quiet, medium_font(11.0));
    ui.painter().text(at, egui::Align2::CENTER_CENTER, side.name.to_uppercase(), font, color);
    let response = ui.interact(fitted.rect, ui.id().with(side.name), Sense::click_and_drag());
    zoom.follow(&response, fitted.rect, ui);
    let shown = ShownScreen { room: fitted.rect, view: zoom.view(&fitted) };
    let painter = ui.painter().with_clip_rect(shown.room);
    let mut name = format!("Screen {}", side.name.to_lowercase());
    for (idx, mark) in &side.marks {
        if let Some(widget) = side.layout.get(*idx) {
            let word = side.says.unwrap_or(mark.word());
            name += &format!(", {word}: {}", widget_name(widget));
        }
    }
    named(&response, egui::WidgetType::Image, &name);
    paint_screen(&painter, &shown.view, side.layout, side.picture, slot);
    if side.waits {
        spinner_over(ui, shown.room, &format!("Picture {}", side.name));
    }
    for (idx, mark) in &side.marks {
        if let Some(widget) = side.layout.get(*idx) {
            let (bounds, label, tone) =
                (widget.bounds, side.says.unwrap_or(mark.word()).to_owned(), mark_look(*mark).1);
            paint_outline(&painter, &shown.view, &Outline { bounds, label, tone });
        }
    }
    shown
}

/// The marks that are outlined on a picture: touched and wrong widgets. New ones are only marked in the tree.
fn strong_marks(marks: &Marks) -> Marks {
    let strong = |mark: &Mark| matches!(mark, Mark::Touched | Mark::Offending);
    marks.iter().filter(|(_, mark)| strong(mark)).map(|(idx, mark)| (*idx, *mark)).collect()
}

/// Draws the highlighted widget. Returns whether the pointer is on the picture.
fn light_ui(shown: &ShownScreen, layout: &Layout, lit: &mut Hover, ui: &Ui) -> bool {
    let pointer = ui
        .input(|input| input.pointer.hover_pos())
        .filter(|at| ui.rect_contains_pointer(shown.room) && shown.room.contains(*at));
    if let Some(idx) = pointer.and_then(|at| layout.hit_test(shown.view.device_from_panel(at))) {
        lit.point_at(idx);
    }
    if let Some(widget) = lit.shown().and_then(|idx| layout.get(idx)) {
        let (bounds, label) = (widget.bounds, widget_name(widget));
        let painter = ui.painter().with_clip_rect(shown.room);
        paint_outline(&painter, &shown.view, &Outline { bounds, label, tone: Tone::Warn });
    }
    pointer.is_some()
}
