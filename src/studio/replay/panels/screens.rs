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
use crate::state::FindingKey;
use taproof_results::report::{FindingTrace, Mark, ReplayFrame, touch_of};
use taproof_screen::{Layout, PxSize, WidgetIdx, widget_name};

type Marks = BTreeMap<WidgetIdx, Mark>;

/// Height of the name above a screen, in points.
const HEAD: f32 = 18.0;
/// Height between two rows of screens, in points.
const ROW_GAP: f32 = 12.0;

/// The textures of the pictures, and the highlighted widgets that they share with the trees.
#[derive(Default)]
pub struct Screens {
    before: PictureSlot,
    after: PictureSlot,
    reference: PictureSlot,
    now: PictureSlot,
    /// The part of all screens that is shown, and of which finding.
    zoom: Zoom,
    of: Option<FindingKey>,
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
    if screens.of.as_ref() != Some(&replay.source.key) {
        (screens.zoom, screens.of) = (Zoom::default(), Some(replay.source.key.clone()));
    }
    let whole = ui.available_rect_before_wrap();
    // The reference is shown beside or below the other test, unless the phone, which diverged, takes its place.
    let reference = replay.reference().filter(|_| diverged.is_none());
    let count = if reference.is_some() { 4 } else { 2 + usize::from(diverged.is_some()) };
    let rooms = rooms(whole, height, count, frame.before.screen());
    let picture = |at: usize| replay.pictures.get(&(replay.way, at)).and_then(Option::as_ref);
    let waits = |way, at: usize| replay.pictures.get(&(way, at)).is_some_and(Option::is_none);
    let before = Side {
        name: "Before",
        room: rooms[0],
        layout: &frame.before,
        marks: strong_marks(&frame.marks_before),
        says: None,
        picture: picture(frame.step),
        waits: waits(replay.way, frame.step),
    };
    let after = Side {
        name: "After",
        room: rooms[1],
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
            room: rooms[2],
            layout: &diverged.seen,
            marks: Marks::new(),
            says: None,
            picture: None,
            waits: false,
        };
        side_ui(&now, &mut screens.now, &mut screens.zoom, ui);
    }
    let mut bottom = left_edge.bottom().max(right_edge.bottom());
    if let Some(reference) = reference {
        reference_ui(replay, &reference, [rooms[2], rooms[3]], screens, ui);
        bottom = bottom.max(rooms[3].bottom());
    }
    let used = bottom - whole.top();
    ui.advance_cursor_after_rect(Rect::from_min_size(whole.min, vec2(whole.width(), used)));
    match (on_before, on_after) {
        (true, _) => Some(Pointed::Before),
        (_, true) => Some(Pointed::After),
        (false, false) => None,
    }
}

/// Where so many screens are drawn in this width and height: in a row, or four of them in two rows where they are larger so.
fn rooms(whole: Rect, height: f32, count: usize, screen: PxSize) -> [Rect; 4] {
    const GAP: f32 = 32.0;
    let rooms = |columns: usize, rows: usize| -> [Rect; 4] {
        let size = vec2(
            (whole.width() - GAP * (columns - 1) as f32) / columns as f32,
            (height - ROW_GAP * (rows - 1) as f32) / rows as f32,
        );
        let place = |at: usize| {
            vec2((at % columns) as f32 * (size.x + GAP), (at / columns) as f32 * (size.y + ROW_GAP))
        };
        std::array::from_fn(|at| Rect::from_min_size(whole.min + place(at), size))
    };
    let (one_row, two_rows) = (rooms(count, 1), rooms(2, 2));
    let scale = |rooms: &[Rect; 4]| {
        let room = rooms[0].size();
        (room.x / screen.width.max(1) as f32).min((room.y - HEAD) / screen.height.max(1) as f32)
    };
    if count == 4 && scale(&two_rows) > scale(&one_row) { two_rows } else { one_row }
}

/// Draws the reference's screens before and after its step at the same position, with marks on what changes there and not in
/// the other test; one screen while it waits.
fn reference_ui(
    replay: &ReplayState,
    reference: &ReferenceStep,
    rooms: [Rect; 2],
    screens: &mut Screens,
    ui: &mut Ui,
) {
    let trace = &FindingTrace::Reference.of(&replay.finding).trace;
    let changed = replay.only_in_reference(reference);
    let waits = reference.sentence.is_none();
    let names = if waits { ["", "Reference, waits"] } else { ["Reference before", "Reference after"] };
    let slots = [&mut screens.reference, &mut screens.now];
    let sides = reference.frames().into_iter().zip(names).zip(rooms).zip(changed).zip(slots);
    for ((((frame, name), room), changed), slot) in sides {
        let Some(shown) = trace.frame(frame).filter(|_| !name.is_empty()) else { continue };
        let picture = replay.pictures.get(&(FindingTrace::Reference, frame));
        let side = Side {
            name,
            room,
            layout: &shown.layout,
            marks: changed.into_iter().map(|idx| (idx, Mark::Added)).collect(),
            says: Some("only here"),
            picture: picture.and_then(Option::as_ref),
            waits: picture.is_some_and(Option::is_none),
        };
        let drawn = side_ui(&side, slot, &mut screens.zoom, ui);
        let event =
            trace.steps().get(frame).filter(|_| !waits && frame < reference.frame).map(|step| &step.event);
        if let Some((target, gesture)) = event.and_then(touch_of) {
            paint_gesture(&ui.painter().with_clip_rect(drawn.room), &drawn.view, target.at, gesture);
        }
    }
}

/// A screen that was drawn, of which only what is in the room is visible.
struct ShownScreen {
    room: Rect,
    view: ScreenView,
}

fn side_ui(side: &Side<'_>, slot: &mut PictureSlot, zoom: &mut Zoom, ui: &mut Ui) -> ShownScreen {
    let mut room = side.room;
    room.min.y += HEAD;
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
