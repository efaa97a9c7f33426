//! The steps of a finding as a line: DMFs are bands, diamonds are steps that changed the data, and the cross is the
//! violation.

use egui::{
    Align2, Color32, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use crate::parts::theme::{Tokens, icon, icon_font, tokens};
use crate::replay::ReplayState;

/// Minimum distance between dots, in points. If they would be closer, only the line is drawn.
const NEAREST: f32 = 7.0;

/// Draws the line. Returns the step that was clicked or dragged to.
pub fn timeline_ui(replay: &ReplayState, ui: &mut Ui) -> Option<usize> {
    let steps = replay.lines.len().max(1);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width().max(60.0), 28.0), Sense::click_and_drag());
    response.widget_info(|| {
        let name = format!("Timeline, step {} of {steps}", replay.step + 1);
        WidgetInfo::labeled(WidgetType::Slider, true, name)
    });
    let gap = (rect.width() - 16.0) / steps as f32;
    let at = |step: usize| pos2(rect.left() + 8.0 + gap * (step as f32 + 0.5), rect.center().y);
    let step_at = |x: f32| (((x - rect.left() - 8.0) / gap).max(0.0) as usize).min(steps - 1);
    let colors = tokens(ui.ctx());
    let painter = ui.painter_at(rect.expand(4.0));
    for span in &replay.way.of(&replay.finding).trace.spans {
        let from = at(span.first_step).x - gap * 0.4;
        let to = at(span.end_step.saturating_sub(1)).x + gap * 0.4;
        let band = Rect::from_min_max(pos2(from, rect.top() + 3.0), pos2(to, rect.bottom() - 3.0));
        painter.rect_filled(band, 6, colors.accent_soft);
    }
    painter.line_segment([at(0), at(steps - 1)], Stroke::new(2.0, colors.line));
    painter.line_segment([at(0), at(replay.step)], Stroke::new(2.0, colors.accent));
    for (place, line) in replay.lines.iter().enumerate() {
        let color = if place <= replay.step { colors.accent } else { colors.quiet };
        if line.changes_data {
            paint_diamond(&painter, at(place), color);
        } else if gap >= NEAREST {
            painter.circle_filled(at(place), 4.0, color);
        }
    }
    paint_ends(&painter, at(replay.step), at(steps - 1), colors);
    if let Some(pointer) = response.hover_pos().filter(|_| !response.dragged()) {
        let place = step_at(pointer.x);
        response.clone().on_hover_text_at_pointer(tip(replay, place));
    }
    let pressed = response.clicked() || response.dragged();
    let step = response.interact_pointer_pos().filter(|_| pressed).map(|pointer| step_at(pointer.x))?;
    (step != replay.step).then_some(step)
}

/// Draws the cursor, and the cross at the violation.
fn paint_ends(painter: &Painter, cursor: Pos2, end: Pos2, colors: &Tokens) {
    painter.circle_filled(end, 9.0, colors.panel);
    painter.text(end, Align2::CENTER_CENTER, icon::BROKEN, icon_font(18.0), colors.bad);
    if cursor == end {
        painter.circle_stroke(end, 11.0, Stroke::new(2.0, colors.accent));
    } else {
        painter.circle(cursor, 7.0, colors.accent, Stroke::new(2.0, colors.panel));
    }
}

fn paint_diamond(painter: &Painter, center: Pos2, color: Color32) {
    let corners = [vec2(0.0, -6.0), vec2(6.0, 0.0), vec2(0.0, 6.0), vec2(-6.0, 0.0)];
    let points = corners.into_iter().map(|corner| center + corner).collect();
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}

fn tip(replay: &ReplayState, place: usize) -> String {
    let Some(line) = replay.lines.get(place) else { return String::new() };
    let mut tip = format!("{}. {}", place + 1, line.sentence);
    if let Some(dmf) = &line.dmf {
        tip += &format!("\nin {dmf}");
    }
    if line.changes_data {
        tip += "\nchanges the data";
    }
    if place + 1 == replay.lines.len() {
        tip += "\nhere it broke";
    }
    tip
}
