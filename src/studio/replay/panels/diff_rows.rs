//! The difference between two layouts as a tree of rows, each with an icon and a word for the kind of change.

use egui::{Align2, CornerRadius, Rect, ScrollArea, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

use crate::parts::controls::{Sight, Tone};
use crate::parts::overlay::{Hover, dashed};
use crate::parts::theme::{GRID, caption, icon, icon_font, medium_font, tokens};
use crate::phone::panels::widget_tree::mark_look;
use crate::replay::{DiffKind, DiffRow, DiffTree};
use taproof_results::report::Mark;

const ROW: f32 = 22.0;
const INDENT: f32 = 12.0;
const GAP: f32 = 6.0;

/// Draws the rows. If the step is another one (`renewed`), the first wrong widget is scrolled into view. Pointing at a
/// row highlights its widget before and after.
pub fn diff_rows_ui(
    diff: &DiffTree,
    renewed: bool,
    sight: &mut Sight,
    [before, after]: [&mut Hover; 2],
    ui: &mut Ui,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    if diff.another_screen {
        ui.label(caption("Another screen came: nearly everything differs."));
    }
    if diff.rows.is_empty() {
        ui.label(caption("Nothing on the screen changed."));
    }
    let mut area = ScrollArea::both().id_salt("changes").auto_shrink([false, false]);
    if renewed {
        let wrong = diff.rows.iter().position(|row| row.offending && row.kind != DiffKind::Missing);
        let first = Sight { from: 0.0, ..*sight };
        area = area.vertical_scroll_offset(first.offset_for(wrong.unwrap_or(0), ROW).unwrap_or(0.0));
    }
    let output = area.show_rows(ui, ROW, diff.rows.len(), |ui, range| {
        for row in diff.rows.get(range).unwrap_or_default() {
            row_ui(row, before, after, ui);
        }
    });
    *sight = Sight { from: output.state.offset.y, height: output.inner_rect.height() };
}

fn look(row: &DiffRow) -> (&'static str, &'static str, Tone) {
    match row.kind {
        DiffKind::Missing => (icon::MISSING, "missing", Tone::Bad),
        _ if row.offending => (mark_look(Mark::Offending).0, Mark::Offending.word(), Tone::Bad),
        DiffKind::Added => (icon::NEW, "new", Tone::Good),
        DiffKind::Removed => (icon::REMOVED, "gone", Tone::Plain),
        DiffKind::Changed => (icon::CHANGED, "changed", Tone::Warn),
        DiffKind::Same if row.touched => (icon::TOUCH, Mark::Touched.word(), Tone::Accent),
        DiffKind::Same => (icon::TREE, "", Tone::Plain),
    }
}

fn row_ui(row: &DiffRow, before: &mut Hover, after: &mut Hover, ui: &mut Ui) {
    let colors = tokens(ui.ctx());
    let (icon, word, tone) = look(row);
    let (color, ground) = tone.colors(colors);
    let said: Vec<&str> = [row.name.as_str(), word, row.detail.as_str()]
        .into_iter()
        .chain((row.touched && word != Mark::Touched.word()).then_some(Mark::Touched.word()))
        .filter(|it| !it.is_empty())
        .collect();
    let name_color = if row.kind == DiffKind::Same && !row.offending { colors.quiet } else { colors.text };
    let texts = [
        (word, medium_font(11.0), color),
        (row.name.as_str(), medium_font(12.0), name_color),
        (row.detail.as_str(), egui::FontId::proportional(11.0), color),
    ];
    let galleys: Vec<(std::sync::Arc<egui::Galley>, egui::Color32)> = texts
        .into_iter()
        .filter(|(text, ..)| !text.is_empty())
        .map(|(text, font, color)| (ui.painter().layout_no_wrap(text.to_owned(), font, color), color))
        .collect();
    let left = GRID + row.depth as f32 * INDENT + 18.0;
    let width = left + galleys.iter().map(|(galley, _)| galley.size().x + GAP).sum::<f32>() + 8.0;
    let size = vec2(ui.available_width().max(width), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, said.join(", ")));
    if response.contains_pointer() {
        row.before.into_iter().for_each(|idx| before.point_at(idx));
        row.after.into_iter().for_each(|idx| after.point_at(idx));
    }
    let lit = |hover: &Hover, idx| hover.shown().is_some() && idx == hover.shown();
    let corners = CornerRadius::same(4);
    if row.kind == DiffKind::Missing {
        let inner = Rect::from_min_max(rect.min + vec2(1.0, 1.0), rect.max - vec2(10.0, 1.0));
        ui.painter().extend(dashed(inner, Stroke::new(1.0, colors.bad)));
    } else if lit(before, row.before) || lit(after, row.after) {
        ui.painter().rect_filled(rect, corners, colors.control);
    } else if row.offending || row.touched {
        ui.painter().rect_filled(rect, corners, ground);
    }
    let middle = rect.center().y;
    let mut x = rect.left() + left;
    ui.painter().text(pos2(x - 18.0, middle), Align2::LEFT_CENTER, icon, icon_font(13.0), color);
    for (galley, color) in galleys {
        let (at, width) = (pos2(x, middle - galley.size().y / 2.0), galley.size().x);
        ui.painter().galley(at, galley, color);
        x += width + GAP;
    }
}
