//! The bugs of the workspace, including earlier sessions: a row for each, with its findings folded below it.

use std::collections::BTreeSet;

use egui::{
    Align, Align2, ComboBox, CornerRadius, Layout, Margin, Rect, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, TextEdit, TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};

use crate::command::Command;
use crate::parts::controls::{
    Tone, choose, empty_state, kept_apart, labelled_button, named, small_button, spinner_if,
};
use crate::parts::theme::{caption, heading, icon, icon_font, strong, tokens};
use crate::replay::{
    BugLine, FindingFilter, HistoryCommand, HistoryLine, HistoryRow, HistorySection, oracle_word,
};
use crate::state::{FindingKey, StudioState, place_words};
use taproof_engine::ENGINES;
use taproof_screen::counted;

/// Height of a line with two lines of text, in points.
const LINE: f32 = 44.0;
/// Room in points below which the search has a line of its own.
const FILTERS: f32 = 640.0;

/// Draws search, filters and list into the available space.
pub fn history_list_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let history = &state.history;
    ui.horizontal(|ui| {
        ui.label(heading("Bugs"));
        let new = history.new_bugs();
        let new = if new > 0 { format!("  \u{b7}  {new} new") } else { String::new() };
        let findings = counted(history.rows().len(), "finding");
        ui.label(caption(format!("{}{new}", history.words()))).on_hover_text(format!("{findings} show them"));
        spinner_if(ui, history.reads(), "Reading the workspace");
        let waiting = history.waiting();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if waiting > 0 && ui.add(small_button(&format!("List {waiting} more"))).clicked() {
                commands.push(Command::History(HistoryCommand::ListNew));
            }
        });
    });
    filter_ui(state, commands, ui);
    if history.lines().is_empty() {
        empty_state(ui, icon::SEARCH, "Nothing matches", "Search for less, or show all bugs.");
        ui.vertical_centered(|ui| {
            if labelled_button(ui, icon::CLOSE, "Show all bugs", true).clicked() {
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
                HistoryLine::Bug(bug) => {
                    let Some(row) = history.rows().get(bug.shown) else { continue };
                    kept_apart(ui, &row.key, |ui| bug_ui(state, row, bug, commands, ui));
                }
                HistoryLine::Section { section, count, unfolded } => {
                    section_ui(*section, *count, *unfolded, commands, ui);
                }
                HistoryLine::Finding(index) => {
                    let Some(row) = history.rows().get(*index) else { continue };
                    let (title, facts) = (&row.title_words(), facts(state, row));
                    let line = Line { title, facts, new: !row.seen, indent: 24.0 };
                    kept_apart(ui, &row.key, |ui| line_ui(state, row, &line, 0.0, commands, ui));
                }
            }
        }
    });
}

/// Draws the heading of a part of the list, which folds it.
fn section_ui(
    section: HistorySection,
    count: usize,
    unfolded: bool,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let (word, tip) = match section {
        HistorySection::Bugs => ("Bugs", "What counts as a bug"),
        HistorySection::Suspicions => {
            ("Suspicions", "What may be no bug: its evidence does not suffice yet. They count nowhere")
        }
        HistorySection::NotBugs => ("Not bugs", "What you said to be no bug"),
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    let verb = if unfolded { "Fold" } else { "List" };
    named(&response, WidgetType::Button, &format!("{verb} {}", word.to_lowercase()));
    let colors = tokens(ui.ctx());
    let color = if response.hovered() || response.has_focus() { colors.text } else { colors.quiet };
    let glyph = if unfolded { icon::OPEN } else { icon::CLOSED };
    let at = pos2(rect.left() + 16.0, rect.center().y);
    ui.painter().text(at, Align2::CENTER_CENTER, glyph, icon_font(18.0), color);
    let room = Rect::from_min_max(pos2(rect.left() + 32.0, rect.center().y - 8.0), rect.max);
    paint_line(ui, room, strong(format!("{word}  {count}")));
    if response.on_hover_text(tip).clicked() {
        commands.push(Command::History(HistoryCommand::UnfoldSection(section, !unfolded)));
    }
}

fn filtered(filter: FindingFilter, commands: &mut Vec<Command>) {
    commands.push(Command::History(HistoryCommand::Filter(Box::new(filter))));
}

fn filter_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let mut filter = state.history.filter().clone();
    ui.horizontal_wrapped(|ui| {
        // Choices do not wrap by themselves.
        let narrow = ui.available_width() < FILTERS;
        let width = if narrow { ui.available_width() } else { 320.0 };
        let search = TextEdit::singleline(&mut filter.search)
            .desired_width(width - 16.0)
            .margin(Margin::symmetric(8, 6))
            .hint_text("Search title, bug, app\u{2026}");
        let response = ui.add(search);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search bugs"));
        if narrow {
            ui.end_row();
        }
        let app_label = |app: &str| app_label(state, app);
        choice_ui("Bugs of app", "All apps", state.history.apps(), &app_label, &mut filter.app, ui);
        let oracle_label = |oracle: &str| oracle_word(oracle).to_owned();
        choice_ui(
            "Bugs of kind",
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
    let combo = ComboBox::from_id_salt(name).selected_text(shown).width(92.0);
    let values = values.iter().map(|value| (Some(value.clone()), label(value)));
    choose(combo, name, chosen, std::iter::once((None, all.to_owned())).chain(values), ui);
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

/// A row that opens a finding.
struct Line<'a> {
    title: &'a str,
    facts: String,
    new: bool,
    indent: f32,
}

/// Draws a bug, with a button that lists its other findings below it.
fn bug_ui(state: &StudioState, row: &HistoryRow, bug: &BugLine, commands: &mut Vec<Command>, ui: &mut Ui) {
    if bug.count == 1 {
        let line = Line { title: &bug.title, facts: facts(state, row), new: bug.new, indent: 0.0 };
        line_ui(state, row, &line, 0.0, commands, ui);
        return;
    }
    let found = format!("{} by {}", counted(bug.count, "finding"), engine_labels(&bug.engines));
    let facts = [app_label(state, &row.app), place_words(&row.build), found].join("  \u{b7}  ");
    let line = Line { title: &bug.title, facts, new: bug.new, indent: 0.0 };
    let rect = line_ui(state, row, &line, 32.0, commands, ui);
    let place = Rect::from_center_size(pos2(rect.right() - 18.0, rect.center().y), vec2(28.0, 28.0));
    let response = ui.interact(place, ui.id().with(("fold", &row.key)), Sense::click());
    let (glyph, word) = if bug.unfolded { (icon::OPEN, "Fold") } else { (icon::CLOSED, "List") };
    named(&response, WidgetType::Button, &format!("{word} the findings of {}", bug.title));
    let colors = tokens(ui.ctx());
    let color = if response.hovered() || response.has_focus() { colors.text } else { colors.quiet };
    ui.painter().text(place.center(), Align2::CENTER_CENTER, glyph, icon_font(18.0), color);
    if response.on_hover_text(format!("{word} the findings that show this bug")).clicked() {
        commands.push(Command::History(HistoryCommand::Unfold(row.key.clone(), !bug.unfolded)));
    }
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

/// Draws a row that opens a finding, and leaves this much room at its right. Returns its place.
fn line_ui(
    state: &StudioState,
    row: &HistoryRow,
    line: &Line<'_>,
    right: f32,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) -> Rect {
    let colors = tokens(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    let chosen = shown_key(state) == Some(&row.key);
    let news = if line.new { ", new" } else { "" };
    let name = format!("Open {}{news}", line.title);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &name));
    let corners = CornerRadius::same(6);
    let fill = if chosen {
        colors.accent_soft
    } else if response.hovered() {
        colors.control
    } else {
        colors.raised
    };
    let filled = rect.with_min_x(rect.left() + line.indent);
    ui.painter().rect_filled(filled, corners, fill);
    if response.has_focus() {
        let ring = Stroke::new(1.0, colors.accent);
        ui.painter().rect_stroke(filled, corners, ring, StrokeKind::Inside);
    }
    let (left, end) = (filled.left() + 32.0, rect.right() - 8.0 - right);
    let room = Rect::from_min_max(pos2(left, rect.top() + 5.0), pos2(end, rect.center().y));
    let title = if line.new { strong(line.title) } else { RichText::new(line.title) };
    let (_, title_cut) = paint_line(ui, room, title);
    let room = Rect::from_min_max(pos2(left, rect.center().y + 3.0), pos2(end, rect.bottom()));
    let (_, facts_cut) = paint_line(ui, room, caption(&line.facts));
    seen_ui(row, filled, commands, ui);
    let response = match title_cut || facts_cut {
        true => response.on_hover_text(format!("{}\n{}", line.title, line.facts)),
        false => response,
    };
    if response.clicked() {
        commands.push(Command::History(HistoryCommand::Open(row.key.clone())));
    }
    rect
}

/// The finding that is open or being opened.
fn shown_key(state: &StudioState) -> Option<&FindingKey> {
    let opening = state.history.opening.as_ref().map(|opening| &opening.key);
    opening.or(state.replay.as_ref().map(|replay| &replay.source.key))
}

fn facts(state: &StudioState, row: &HistoryRow) -> String {
    let (steps, was) = (row.minimal_steps, row.steps);
    let was = if steps == was { String::new() } else { format!(", was {was}") };
    let steps = format!("{steps} {}{was}", if steps == 1 { "step" } else { "steps" });
    let again = row.state().to_string();
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
