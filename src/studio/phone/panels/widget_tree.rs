//! The widget tree, of which only visible rows are drawn. Marks are badges with a word and an icon.

use std::collections::{BTreeMap, BTreeSet};

use egui::accesskit::Role;
use egui::{
    Align2, CornerRadius, Key, Rect, ScrollArea, Sense, Stroke, TextStyle, Ui, WidgetInfo, WidgetType, pos2,
    vec2,
};

use crate::parts::controls::{Sight, Tone};
use crate::parts::overlay::{Hover, dashed};
use crate::parts::theme::{GRID, icon, icon_font, medium_font, tokens};
use crate::phone::{TreeRow, tree_rows};
use taproof_results::report::Mark;
use taproof_screen::{Layout, WidgetIdx, widget_caption, widget_name};

const ROW: f32 = 22.0;
const INDENT: f32 = 10.0;

/// The tree's own state.
#[derive(Default)]
pub struct TreePanel {
    closed: BTreeSet<WidgetIdx>,
    /// The text of the search field.
    pub query: String,
    sight: Sight,
    brought: Option<WidgetIdx>,
    /// The first widget that a query has found.
    first_found: Option<WidgetIdx>,
}

/// What a tree shows.
pub struct TreeView<'a> {
    /// The layout whose widgets the tree shows.
    pub layout: &'a Layout,
    /// The marks of widgets, by index.
    pub marks: &'a BTreeMap<WidgetIdx, Mark>,
    /// The texts that are expected but missing.
    pub missing: &'a [String],
    /// What a query has found, in the order of the tree.
    pub found: &'a [WidgetIdx],
    /// The selected widget, if any.
    pub selected: Option<WidgetIdx>,
}

/// The icon and the tone of a mark.
pub fn mark_look(mark: Mark) -> (&'static str, Tone) {
    match mark {
        Mark::Touched => (icon::TOUCH, Tone::Accent),
        Mark::Offending => (icon::BROKEN, Tone::Bad),
        Mark::Added => (icon::NEW, Tone::Good),
        Mark::Changed => (icon::CHANGED, Tone::Warn),
    }
}

/// Draws the tree into the available space. Returns the widget that was clicked.
pub fn widget_tree_ui(
    ui: &mut Ui,
    view: &TreeView<'_>,
    panel: &mut TreePanel,
    hover: &mut Hover,
) -> Option<WidgetIdx> {
    tree_with_menu_ui(ui, view, panel, hover, None)
}

/// Draws the contents of a widget's context menu.
pub type WidgetMenu<'a> = &'a mut dyn FnMut(WidgetIdx, &mut Ui);

/// As [`widget_tree_ui`], with a context menu for each widget.
pub fn tree_with_menu_ui(
    ui: &mut Ui,
    view: &TreeView<'_>,
    panel: &mut TreePanel,
    hover: &mut Hover,
    mut menu: Option<WidgetMenu<'_>>,
) -> Option<WidgetIdx> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let found = panel.first_found_anew(view);
    let rows = tree_rows(view.layout, &panel.closed);
    for missing in view.missing {
        missing_row_ui(ui, missing);
    }
    if !view.missing.is_empty() {
        ui.add_space(GRID);
    }
    let wanted = found.or(hover.shown()).or(view.selected);
    let mut area = ScrollArea::both().auto_shrink([false, false]).id_salt("tree rows");
    if let Some(offset) = panel.offset_for(view.layout, &rows, wanted) {
        area = area.vertical_scroll_offset(offset);
    }
    let mut clicked = None;
    let output = area.show_rows(ui, ROW, rows.len(), |ui, range| {
        for row in rows.get(range).unwrap_or_default() {
            let response = row_ui(ui, view, *row, panel, hover);
            if let Some(menu) = &mut menu {
                response.context_menu(|ui| menu(row.idx, ui));
            }
            if response.clicked() {
                clicked = Some(row.idx);
            }
        }
    });
    panel.sight = Sight { from: output.state.offset.y, height: output.inner_rect.height() };
    clicked
}

impl TreePanel {
    /// The first widget that a query has found, once after it has become another one. What it lies in is unfolded.
    fn first_found_anew(&mut self, view: &TreeView<'_>) -> Option<WidgetIdx> {
        let first = view.found.first().copied().filter(|first| view.layout.get(*first).is_some());
        if std::mem::replace(&mut self.first_found, first) == first {
            return None;
        }
        for above in first.into_iter().flat_map(|first| view.layout.ancestors(first)) {
            self.closed.remove(&above);
        }
        first
    }

    /// The scroll offset that brings a widget into view that was highlighted elsewhere. Returned only once for each
    /// widget.
    fn offset_for(&mut self, layout: &Layout, rows: &[TreeRow], wanted: Option<WidgetIdx>) -> Option<f32> {
        if self.brought == wanted {
            return None;
        }
        self.brought = wanted;
        let wanted = layout.get(wanted?).and(wanted)?;
        // A widget inside a closed one is represented by the row above it.
        let place = rows.partition_point(|row| row.idx <= wanted).checked_sub(1)?;
        self.sight.offset_for(place, ROW)
    }

    /// Resets what is folded and scrolled, for another layout.
    pub fn renew(&mut self) {
        self.closed.clear();
        self.brought = None;
    }

    fn toggle(&mut self, idx: WidgetIdx) {
        if !self.closed.remove(&idx) {
            self.closed.insert(idx);
        }
    }
}

fn row_ui(
    ui: &mut Ui,
    view: &TreeView<'_>,
    row: TreeRow,
    panel: &mut TreePanel,
    hover: &mut Hover,
) -> egui::Response {
    let widget = view.layout.widget(row.idx);
    let mark = view.marks.get(&row.idx).copied();
    let (rect, response) = ui.allocate_exact_size(
        vec2(ui.available_width().max(260.0 + row.depth as f32 * INDENT), ROW),
        Sense::click(),
    );
    let chosen = view.selected == Some(row.idx);
    let found = view.found.binary_search(&row.idx).is_ok();
    let words = [mark.map(Mark::word), found.then_some("found")];
    let name = words.into_iter().flatten().fold(widget_name(widget), |name, word| format!("{name}, {word}"));
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::TreeItem);
        node.set_level(row.depth + 1);
        if let Some(open) = row.open {
            node.set_expanded(open);
        }
    });
    if response.contains_pointer() {
        hover.point_at(row.idx);
        panel.brought = Some(row.idx);
    }
    let ground = if chosen {
        Some(Tone::Accent)
    } else if hover.shown() == Some(row.idx) {
        Some(Tone::Plain)
    } else {
        mark.map(|mark| mark_look(mark).1)
    };
    paint_ground(ui, &response, ground);
    let (tokens, painter) = (tokens(ui.ctx()), ui.painter());
    let left = rect.left() + GRID + row.depth as f32 * INDENT;
    if let Some(open) = row.open {
        let chevron = if open { icon::OPEN } else { icon::CLOSED };
        let at = pos2(left + 7.0, rect.center().y);
        painter.text(at, Align2::CENTER_CENTER, chevron, icon_font(14.0), tokens.quiet);
    }
    let at = pos2(left + 16.0, rect.center().y);
    let class = painter.text(at, Align2::LEFT_CENTER, widget.short_class(), medium_font(12.0), tokens.text);
    let font = TextStyle::Body.resolve(ui.style());
    let mut end = class.right() + 8.0;
    if found {
        let at = pos2(end, rect.center().y);
        let glyph = painter.text(at, Align2::LEFT_CENTER, icon::SEARCH, icon_font(13.0), tokens.accent);
        let line = Stroke::new(1.0, tokens.accent);
        painter.rect_stroke(rect.shrink(1.0), CornerRadius::same(4), line, egui::StrokeKind::Inside);
        end = glyph.right() + 6.0;
    }
    if let Some(mark) = mark {
        end = paint_mark(ui, mark, pos2(end, rect.center().y)) + 8.0;
    }
    painter.text(
        pos2(end, rect.center().y),
        Align2::LEFT_CENTER,
        widget_caption(widget),
        egui::FontId { size: 12.0, ..font },
        tokens.quiet,
    );
    toggles(ui, row, panel, &response, left);
    response
}

fn paint_ground(ui: &Ui, response: &egui::Response, ground: Option<Tone>) {
    let (tokens, rect, corners) = (tokens(ui.ctx()), response.rect, CornerRadius::same(4));
    if let Some(ground) = ground {
        ui.painter().rect_filled(rect, corners, ground.colors(tokens).1);
    }
    if response.has_focus() {
        let ring = Stroke::new(1.0, tokens.accent);
        ui.painter().rect_stroke(rect, corners, ring, egui::StrokeKind::Inside);
    }
}

fn toggles(ui: &Ui, row: TreeRow, panel: &mut TreePanel, response: &egui::Response, left: f32) {
    let Some(open) = row.open else { return };
    let on_chevron = response.interact_pointer_pos().is_some_and(|at| at.x < left + 16.0);
    if response.double_clicked() || (response.clicked() && on_chevron) {
        panel.toggle(row.idx);
    }
    if response.has_focus() {
        let filter = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let key = if open { Key::ArrowLeft } else { Key::ArrowRight };
        if ui.input(|input| input.key_pressed(key)) {
            panel.toggle(row.idx);
        }
    }
}

/// Paints a mark's icon and word. Returns the right edge.
fn paint_mark(ui: &Ui, mark: Mark, left_center: egui::Pos2) -> f32 {
    let tokens = tokens(ui.ctx());
    let (icon, tone) = mark_look(mark);
    let (color, _) = tone.colors(tokens);
    let painter = ui.painter();
    let icon = painter.text(left_center, Align2::LEFT_CENTER, icon, icon_font(13.0), color);
    let at = pos2(icon.right() + 3.0, left_center.y);
    painter.text(at, Align2::LEFT_CENTER, mark.word(), medium_font(11.0), color).right()
}

fn missing_row_ui(ui: &mut Ui, missing: &str) {
    let tokens = tokens(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let name = format!("missing: {missing}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &name));
    let inner = Rect::from_min_max(rect.min + vec2(1.0, 2.0), rect.max - vec2(10.0, 2.0));
    ui.painter().extend(dashed(inner, Stroke::new(1.0, tokens.bad)));
    let at = pos2(rect.left() + 8.0, rect.center().y);
    let icon = ui.painter().text(at, Align2::LEFT_CENTER, icon::MISSING, icon_font(13.0), tokens.bad);
    let at = pos2(icon.right() + 6.0, rect.center().y);
    ui.painter().text(at, Align2::LEFT_CENTER, name, medium_font(12.0), tokens.bad);
}
