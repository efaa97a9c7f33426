//! What an engine tells of itself: numbers, shares and tables.

use egui::{Align, Color32, Label, Layout, RichText, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder};

use super::thumbnails::Thumbnails;
use crate::fuzz::ThumbnailOf;
use crate::parts::controls::empty_state;
use crate::parts::theme::{caption, icon, strong, tokens};
use crate::state::StudioState;
use taproof_engine::{Count, EngineStats, Explained, StatsShares, StatsTable};
use taproof_screen::thousands;

/// Heights of a row and of one with a screen, in points.
const ROW: f32 = 22.0;
const SCREEN_ROW: f32 = 100.0;

/// Draws what an engine tells. Screens whose thumbnails are not there yet are added to `wanted`.
pub fn stats_ui(
    state: &StudioState,
    stats: &EngineStats,
    thumbnails: &mut Thumbnails,
    wanted: &mut Vec<ThumbnailOf>,
    ui: &mut Ui,
) {
    if !stats.numbers.is_empty() {
        numbers_ui(&stats.numbers, ui);
    }
    for StatsShares { title, note, shares, of } in &stats.shares {
        part_ui(title, note, ui);
        for (place, share) in shares.iter().enumerate() {
            share_ui(share, *of, tokens(ui.ctx()).series(place), ui);
        }
    }
    for table in &stats.tables {
        part_ui(&table.title, &table.note, ui);
        if table.rows.is_empty() {
            empty_state(ui, icon::LIST, &table.empty.title, &table.empty.tip);
            continue;
        }
        table_ui(table, ui, |screen, ui| {
            let of = ThumbnailOf::layout(screen);
            let (rect, _) = ui.allocate_exact_size(vec2(54.0, SCREEN_ROW - 4.0), Sense::hover());
            if !thumbnails.paint(state, &of, rect, ui) {
                wanted.push(of);
            }
        });
    }
}

/// Numbers beside each other, each over what it counts.
fn numbers_ui(numbers: &[Count], ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(20.0, 8.0);
        for Count { label, count, tip } in numbers {
            let number = ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.label(RichText::new(thousands(*count)).text_style(egui::TextStyle::Heading));
                ui.label(caption(&**label));
            });
            if !tip.is_empty() {
                number.response.on_hover_text(&**tip);
            }
        }
    });
    ui.add_space(8.0);
}

/// The heading of a part.
pub fn part_ui(title: &str, note: &str, ui: &mut Ui) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.label(strong(title));
        ui.add(Label::new(caption(note)).truncate());
    });
}

/// How large a share is, as a bar with its number.
fn share_ui(share: &Count, of: u64, color: Color32, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.allocate_ui_with_layout(vec2(130.0, 20.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(130.0);
            ui.add(Label::new(&*share.label).truncate()).on_hover_text(&*share.tip);
        });
        let part = if of == 0 { 0.0 } else { share.count as f32 / of as f32 };
        let width = (ui.available_width() - 120.0).clamp(60.0, 360.0);
        let (rect, _) = ui.allocate_exact_size(vec2(width, 10.0), Sense::hover());
        let full = rect.with_max_x(rect.left() + rect.width() * part.clamp(0.0, 1.0));
        ui.painter().rect_filled(rect, 3, tokens(ui.ctx()).control);
        ui.painter().rect_filled(full, 3, color);
        ui.label(share.of_whole(of));
    });
}

/// Rows with a text for each column; the last column has the space that the others leave.
fn table_ui(
    StatsTable { title, columns, rows, .. }: &StatsTable,
    ui: &mut Ui,
    mut screen_ui: impl FnMut(&std::sync::Arc<taproof_screen::Layout>, &mut Ui),
) {
    let has_screens = rows.iter().any(|row| row.screen.is_some());
    let mut table = TableBuilder::new(ui).id_salt(title).vscroll(false).striped(true);
    if has_screens {
        table = table.column(Column::exact(58.0));
    }
    let texts = Column::auto().at_least(40.0).at_most(320.0).clip(true);
    let table = table
        .cell_layout(Layout::left_to_right(Align::Center))
        .columns(texts, columns.len().saturating_sub(1))
        .column(Column::remainder().at_least(120.0).clip(true));
    let header = table.header(20.0, |mut header| {
        if has_screens {
            header.col(|_| {});
        }
        for Explained { title, tip } in columns {
            header.col(|ui| {
                let label = ui.label(caption(&**title));
                if !tip.is_empty() {
                    label.on_hover_text(&**tip);
                }
            });
        }
    });
    header.body(|body| {
        body.rows(if has_screens { SCREEN_ROW } else { ROW }, rows.len(), |mut line| {
            let Some(row) = rows.get(line.index()) else { return };
            if has_screens {
                line.col(|ui| row.screen.iter().for_each(|screen| screen_ui(screen, ui)));
            }
            for cell in &row.cells {
                line.col(|ui| {
                    let colors = tokens(ui.ctx());
                    let text = match row.good {
                        Some(true) => RichText::new(cell).color(colors.good),
                        Some(false) => RichText::new(cell).color(colors.bad),
                        None => RichText::new(cell),
                    };
                    let label = Label::new(text);
                    // A text that is cut would not widen its column.
                    let label = if ui.is_sizing_pass() { label.extend() } else { label.truncate() };
                    ui.add(label).on_hover_text(cell);
                });
            }
        });
    });
}
