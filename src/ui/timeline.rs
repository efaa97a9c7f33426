//! The steps of a finding as a line of dots; DMFs are bands, the step that breaks a property is marked.

use egui::{Align2, Rect, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

use crate::campaign::Finding;

use super::theme::{icon, icon_font, tokens};

/// Draws the line in the width there is; returns the step that was clicked.
pub fn timeline_ui(finding: &Finding, step: usize, ui: &mut Ui) -> Option<usize> {
    let trace = &finding.minimal.trace;
    let steps = trace.len().max(1);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::click());
    response.widget_info(|| {
        let name = format!("Timeline, step {} of {steps}", step + 1);
        WidgetInfo::labeled(WidgetType::Slider, true, name)
    });
    let gap = (rect.width() - 24.0) / steps as f32;
    let at = |step: usize| pos2(rect.left() + 12.0 + gap * (step as f32 + 0.5), rect.center().y);
    let colors = tokens(ui.ctx());
    let painter = ui.painter_at(rect);
    for span in &trace.spans {
        let from = at(span.first_step).x - gap * 0.4;
        let to = at(span.end_step.saturating_sub(1)).x + gap * 0.4;
        let band = Rect::from_min_max(pos2(from, rect.top() + 3.0), pos2(to, rect.bottom() - 3.0));
        painter.rect_filled(band, 6, colors.accent_soft);
    }
    painter.line_segment([at(0), at(steps - 1)], Stroke::new(2.0, colors.line));
    for place in 0..steps {
        let (color, radius) = if place == step { (colors.accent, 7.0) } else { (colors.quiet, 4.0) };
        let (color, radius) = if place < step { (colors.accent, 4.0) } else { (color, radius) };
        if place + 1 == steps {
            let color = colors.bad;
            painter.circle_filled(at(place), 9.0, colors.panel);
            painter.text(at(place), Align2::CENTER_CENTER, icon::BROKEN, icon_font(18.0), color);
            if place == step {
                painter.circle_stroke(at(place), 11.0, Stroke::new(2.0, colors.accent));
            }
        } else {
            painter.circle_filled(at(place), radius, color);
        }
    }
    let clicked = response.interact_pointer_pos().filter(|_| response.clicked())?;
    let place = ((clicked.x - rect.left() - 12.0) / gap).max(0.0) as usize;
    Some(place.min(steps - 1))
}
