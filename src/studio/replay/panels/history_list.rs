//! The findings of the workspace, including earlier sessions: searched, filtered, grouped by cause.

use std::collections::BTreeSet;

use egui::{
    Align2, ComboBox, CornerRadius, Margin, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextEdit,
    TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};

use crate::command::Command;
use crate::parts::controls::{Tone, empty_state, kept_apart, labelled_button, named};
use crate::parts::theme::{caption, heading, icon, icon_font, medium_font, strong, tokens};
use crate::replay::{FindingFilter, HistoryCommand, HistoryLine, HistoryRow, oracle_word};
use crate::state::{FindingKey, StudioState, place_words};
use taproof_core::campaign::Attribution;
use taproof_core::engine::ENGINES;

/// Height of a line with two lines of text, in points.
const LINE: f32 = 44.0;

/// Draws search, filters and list into the available space.
pub fn history_list_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let history = &state.history;
    ui.horizontal(|ui| {
        ui.label(heading("Findings"));
        let unseen = history.unseen();
        let new = if unseen > 0 { format!("  \u{b7}  {unseen} new") } else { String::new() };
        ui.label(caption(format!("{}{new}", history.rows().len())));
    });
    filter_ui(state, commands, ui);
    if history.lines().is_empty() {
        empty_state(ui, icon::SEARCH, "Nothing matches", "Search for less, or show all findings.");
        ui.vertical_centered(|ui| {
            if labelled_button(ui, icon::CLOSE, "Show all findings", true).clicked() {
                filtered(FindingFilter::default(), commands);
            }
        });
        return;
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    let area = ScrollArea::vertical().id_salt("history").auto_shrink([false, false]);
    area.show_rows(ui, LINE, history.lines().len(), |ui, range| {
        for line in history.lines().get(range).unwrap_or_default() {
            match line {
                HistoryLine::Cause { bugs, app, engines, count } => {
                    cause_ui(state, bugs, app, (engines, *count), ui);
                }
                HistoryLine::Finding(index) => {
                    if let Some(row) = history.rows().get(*index) {
                        kept_apart(ui, &row.key, |ui| row_ui(state, row, commands, ui));
                    }
                }
            }
        }
    });
}

fn filtered(filter: FindingFilter, commands: &mut Vec<Command>) {
    commands.push(Command::History(HistoryCommand::Filter(Box::new(filter))));
}

fn filter_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let mut filter = state.history.filter().clone();
    ui.horizontal_wrapped(|ui| {
        let width = ui.available_width().min(320.0);
        let search = TextEdit::singleline(&mut filter.search)
            .desired_width(width - 16.0)
            .margin(Margin::symmetric(8, 6))
            .hint_text("Search title, bug, app\u{2026}");
        let response = ui.add(search);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search findings"));
        let app_label = |app: &str| app_label(state, app);
        choice_ui("Findings of app", "All apps", state.history.apps(), &app_label, &mut filter.app, ui);
        let oracle_label = |oracle: &str| oracle_word(oracle).to_owned();
        choice_ui(
            "Findings of kind",
            "All kinds",
            state.history.oracles(),
            &oracle_label,
            &mut filter.oracle,
            ui,
        );
        ui.checkbox(&mut filter.unseen, "New only");
    });
    if filter != *state.history.filter() {
        filtered(filter, commands);
    }
}

fn choice_ui(
    name: &str,
    all: &str,
    values: &BTreeSet<String>,
    label: &dyn Fn(&str) -> String,
    chosen: &mut Option<String>,
    ui: &mut Ui,
) {
    let shown = chosen.as_deref().map_or_else(|| all.to_owned(), label);
    let response = ComboBox::from_id_salt(name).selected_text(shown).width(92.0).show_ui(ui, |ui| {
        ui.selectable_value(chosen, None, all);
        for value in values {
            ui.selectable_value(chosen, Some(value.clone()), label(value));
        }
    });
    named(&response.response, WidgetType::ComboBox, name);
}

/// The engines' names for people, separated by commas.
fn engine_labels(engines: &[String]) -> String {
    let label = |name: &String| {
        ENGINES.iter().find(|info| info.name == name).map_or(name.clone(), |info| info.label.to_owned())
    };
    engines.iter().map(label).collect::<Vec<_>>().join(", ")
}

fn app_label(state: &StudioState, package: &str) -> String {
    state.app(package).map_or_else(|| package.to_owned(), |app| app.label.clone())
}

fn cause_ui(
    state: &StudioState,
    bugs: &Attribution,
    app: &str,
    (engines, count): (&[String], usize),
    ui: &mut Ui,
) {
    let colors = tokens(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let known = state.app(app).map(|app| app.bugs.as_slice()).unwrap_or_default();
    let title = |bug: &String| known.iter().find(|(id, _)| id == bug).map(|(_, title)| title.as_str());
    let (cause, what) = match bugs.is_none() {
        true => ("Cause not known".to_owned(), String::new()),
        false => (bugs.words(), bugs.bugs().iter().filter_map(title).collect::<Vec<_>>().join("; ")),
    };
    let count = if count == 1 { "1 finding".to_owned() } else { format!("{count} findings") };
    let count = format!("{count} by {}", engine_labels(engines));
    let name = format!("{cause}, {count}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &name));
    let bottom = rect.bottom() - 12.0;
    let at = pos2(rect.left() + 4.0, bottom);
    let painter = ui.painter();
    let glyph = painter.text(at, Align2::LEFT_CENTER, icon::BUG, icon_font(16.0), colors.quiet);
    let right = pos2(rect.right() - 8.0, bottom);
    let counted = painter.text(right, Align2::RIGHT_CENTER, count, medium_font(11.0), colors.quiet);
    let room = Rect::from_min_max(
        pos2(glyph.right() + 6.0, bottom - 9.0),
        pos2(counted.left() - 8.0, rect.bottom() - 2.0),
    );
    let (end, _) = paint_line(ui, room, strong(&cause));
    let rest = Rect::from_min_max(pos2(end + 8.0, room.top() + 2.0), room.max);
    if !what.is_empty() && rest.width() > 60.0 {
        paint_line(ui, rest, caption(&what));
    }
    response.on_hover_text(if what.is_empty() {
        "No catalogued bug makes this go away when it is switched off".to_owned()
    } else {
        what
    });
}

/// Paints a line of text, truncated if necessary. Returns its right edge, and whether it was truncated.
fn paint_line(ui: &Ui, room: Rect, text: RichText) -> (f32, bool) {
    let galley = WidgetText::from(text).into_galley(
        ui,
        Some(TextWrapMode::Truncate),
        room.width().max(0.0),
        TextStyle::Body,
    );
    let end = (room.left() + galley.size().x, galley.elided);
    ui.painter().galley(room.min, galley, tokens(ui.ctx()).text);
    end
}

fn row_ui(state: &StudioState, row: &HistoryRow, commands: &mut Vec<Command>, ui: &mut Ui) {
    let colors = tokens(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    let chosen = shown_key(state) == Some(&row.key);
    let news = if row.seen { "" } else { ", new" };
    let name = format!("Open {}{news}", row.title);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &name));
    let corners = CornerRadius::same(6);
    let fill = if chosen {
        colors.accent_soft
    } else if response.hovered() {
        colors.control
    } else {
        colors.raised
    };
    ui.painter().rect_filled(rect, corners, fill);
    if response.has_focus() {
        let ring = Stroke::new(1.0, colors.accent);
        ui.painter().rect_stroke(rect, corners, ring, StrokeKind::Inside);
    }
    let left = rect.left() + 32.0;
    let room = Rect::from_min_max(pos2(left, rect.top() + 5.0), pos2(rect.right() - 8.0, rect.center().y));
    let title = if row.seen { RichText::new(&row.title) } else { strong(&row.title) };
    let (_, title_cut) = paint_line(ui, room, title);
    let facts = facts(state, row);
    let room = Rect::from_min_max(pos2(left, rect.center().y + 3.0), pos2(rect.right() - 8.0, rect.bottom()));
    let (_, facts_cut) = paint_line(ui, room, caption(&facts));
    seen_ui(row, rect, commands, ui);
    let response = if title_cut || facts_cut {
        response.on_hover_text(format!("{}\n{facts}", row.title))
    } else {
        response
    };
    if response.clicked() {
        commands.push(Command::History(HistoryCommand::Open(row.key.clone())));
    }
}

/// The finding that is open or being opened.
fn shown_key(state: &StudioState) -> Option<&FindingKey> {
    let opening = state.history.opening.as_ref().map(|opening| &opening.key);
    opening.or(state.replay.as_ref().map(|replay| &replay.source.key))
}

fn facts(state: &StudioState, row: &HistoryRow) -> String {
    let (steps, was) = row.steps;
    let was = if steps == was { String::new() } else { format!(", was {was}") };
    let steps = format!("{steps} {}{was}", if steps == 1 { "step" } else { "steps" });
    let again = row.state.to_string();
    let (app, kind) = (app_label(state, &row.app), oracle_word(&row.oracle));
    [app, place_words(&row.build), kind.to_owned(), steps, again, format!("campaign {}", row.key.campaign)]
        .join("  \u{b7}  ")
}

/// Draws a filled dot for an unseen finding, a ring for a seen one. A click switches between the two.
fn seen_ui(row: &HistoryRow, rect: Rect, commands: &mut Vec<Command>, ui: &Ui) {
    let place = Rect::from_center_size(pos2(rect.left() + 16.0, rect.center().y), vec2(24.0, 28.0));
    let id = ui.id().with(("seen", &row.key.name, row.key.campaign));
    let response = ui.interact(place, id, Sense::click());
    let (glyph, word, tone) = match row.seen {
        true => (icon::RING, "new", Tone::Plain),
        false => (icon::DOT, "seen", Tone::Accent),
    };
    let name = format!("Mark as {word}: {}", row.title);
    named(&response, WidgetType::Button, &name);
    let (color, _) = tone.colors(tokens(ui.ctx()));
    let size = if response.hovered() || response.has_focus() { 14.0 } else { 11.0 };
    ui.painter().text(place.center(), Align2::CENTER_CENTER, glyph, icon_font(size), color);
    let tip = if row.seen { "Seen. Press to mark as new." } else { "New. Press to mark as seen." };
    if response.on_hover_text(tip).clicked() {
        commands.push(Command::History(HistoryCommand::See(row.key.clone(), !row.seen)));
    }
}
