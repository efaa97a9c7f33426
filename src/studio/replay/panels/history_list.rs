//! The bugs of the workspace, including earlier sessions: a row for each, with its findings folded below it.

use egui::containers::menu::{MenuButton, MenuConfig, SubMenuButton};
use egui::{
    Align, Align2, ComboBox, CornerRadius, Event, Grid, InputState, Label, Layout, Margin, Modifiers, Popup,
    PopupCloseBehavior, Rect, Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, TextStyle,
    TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};

use super::triage::{STATE, row_menu_ui, state_word_ui};
use crate::command::Command;
use crate::parts::controls::{
    Tone, choose, empty_state, icon_and_text, kept_apart, labelled_button, named, small_button, spinner_if,
};
use crate::parts::shortcuts::action_button;
use crate::parts::theme::{caption, heading, icon, icon_font, strong, tokens};
use crate::replay::{
    BugLine, Choosing, HistoryCommand, HistoryLine, HistoryRow, HistorySection, engine_word, oracle_word,
};
use crate::state::{FindingKey, StudioState, place_words};
use taproof_campaign::{Harm, precision};
use taproof_results::store::{BugFilter, BugOrder, Facet, ListedBug, engines_of};
use taproof_screen::counted;
use taproof_session::dates::date_words;

/// Height of a line with two lines of text, in points.
const LINE: f32 = 44.0;
/// Room in points below which the search has a line of its own.
const FILTERS: f32 = 560.0;
/// Room in points from which on a bug has columns.
const WIDE: f32 = 760.0;
/// The widths of the columns before it: how bad, how often, when last.
const COLUMNS: [f32; 3] = [124.0, 84.0, 124.0];
/// Width of the button that lists the findings of a bug.
const FOLD: f32 = 32.0;

/// Draws search, filters and list into the available space.
pub fn history_list_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) {
    let history = &state.history;
    ui.horizontal(|ui| {
        ui.label(heading("Bugs"));
        let chosen = history.chosen(None).len();
        let new = history.new_bugs();
        let new = if new > 0 { format!("  \u{b7}  {new} not looked at") } else { String::new() };
        let findings = counted(history.rows().len(), "finding");
        let words = if chosen > 1 { format!("{chosen} chosen") } else { format!("{}{new}", history.words()) };
        ui.label(caption(words)).on_hover_text(format!("{findings} show them"));
        spinner_if(ui, history.reads(), "Reading the workspace");
        let waiting = history.waiting();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            action_button(ui, state, commands, "bug-take-back", icon::UNDO, None);
            precision_ui(state, ui);
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
                filtered(BugFilter::default(), commands);
            }
        });
        return;
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    let area = ScrollArea::vertical().id_salt("history").auto_shrink([false, false]);
    area.show_rows(ui, LINE, history.lines().len(), |ui, range| {
        for line in history.lines().get(range).unwrap_or_default() {
            match line {
                HistoryLine::Bug(line) => {
                    let Some(row) = history.rows().get(line.shown) else { continue };
                    let Some(bug) = history.listed_bugs().get(line.bug) else { continue };
                    kept_apart(ui, &row.key, |ui| bug_ui(state, row, (bug, line), commands, ui));
                }
                HistoryLine::Section { section, count, unfolded } => {
                    section_ui(*section, *count, *unfolded, commands, ui);
                }
                HistoryLine::Finding(index) => {
                    let Some(row) = history.rows().get(*index) else { continue };
                    let facts = facts(state, row);
                    let line = Line {
                        title: &row.title_words(),
                        facts,
                        new: !row.seen,
                        indent: 24.0,
                        right: [0.0; 2],
                    };
                    kept_apart(ui, &row.key, |ui| {
                        let (_, response) = line_ui(state, row, &line, commands, ui);
                        if response.clicked() {
                            commands.push(Command::History(HistoryCommand::Open(row.key.clone())));
                        }
                    });
                }
            }
        }
    });
}

/// Draws the button that shows how often what oracles and relations say was right.
fn precision_ui(state: &StudioState, ui: &mut Ui) {
    let button = ui.add(small_button("Precision"));
    let button = button.on_hover_text("How often each oracle and relation was right, as you judged");
    let menu = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| {
        let said = state.history.all_corrections();
        let tallies = precision(said.values());
        ui.set_width(360.0);
        if tallies.is_empty() {
            let how = "Say of bugs whether they are true, fixed or none: by a click on the word at the end of a row.";
            ui.add(Label::new(caption(how)).wrap());
            return;
        }
        Grid::new("precision").num_columns(4).spacing(vec2(20.0, 4.0)).show(ui, |ui| {
            for heading in ["As you judged", "True", "Not a bug", "Precision"] {
                ui.label(caption(heading));
            }
            ui.end_row();
            for (by, tally) in &tallies {
                // A relation stands below its oracle.
                match by.split_once(", ") {
                    Some((_, relation)) => ui.label(format!("      {relation}")),
                    None => ui.label(strong(by)),
                };
                ui.label(tally.confirmed.to_string());
                ui.label(tally.dismissed.to_string());
                ui.label(format!("{} %", tally.percent()));
                ui.end_row();
            }
        });
        for (app, said) in said {
            let doubted: Vec<String> = said.doubted().into_iter().collect();
            if !doubted.is_empty() {
                let words = format!("Only suspicions in {}: {}", app_label(state, app), doubted.join("; "));
                ui.add(Label::new(caption(words)).wrap());
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
        HistorySection::Fixed => ("Fixed", "What you said to be fixed, and was not seen since"),
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

fn filtered(filter: BugFilter, commands: &mut Vec<Command>) {
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
            .hint_text("Search titles, notes, screens\u{2026}");
        let response = ui.add(search);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search bugs"));
        if narrow {
            ui.end_row();
        }
        facets_ui(state, &mut filter, ui);
        let mut order = state.history.order;
        let combo = ComboBox::from_id_salt("order").selected_text(order_words(order)).width(116.0);
        let orders = BugOrder::ALL.map(|order| (order, order_words(order)));
        choose(combo, "Order of bugs", &mut order, orders, ui);
        if order != state.history.order {
            commands.push(Command::History(HistoryCommand::Sort(order)));
        }
    });
    if filter != *state.history.filter() {
        filtered(filter, commands);
    }
}

fn order_words(order: BugOrder) -> &'static str {
    match order {
        BugOrder::Last => "Last seen first",
        BugOrder::First => "First seen last",
        BugOrder::Harm => "Worst first",
        BugOrder::Often => "Most often first",
        BugOrder::State => "By state",
        BugOrder::Title => "By title",
    }
}

/// Draws the menu of what bugs are filtered by, a list of values for each.
fn facets_ui(state: &StudioState, filter: &mut BugFilter, ui: &mut Ui) {
    let stays = || MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (words, colors) = (filter_words(filter), tokens(ui.ctx()));
    let color = if filter.chosen() > 0 { colors.accent } else { ui.visuals().text_color() };
    let text = icon_and_text(ui, icon::LIST, &words, color);
    // The same width whatever the number.
    let button = egui::Button::new(text).min_size(vec2(104.0, 28.0));
    let (response, _) = MenuButton::from_button(button).config(stays()).ui(ui, |ui| {
        ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::new(1.0, colors.line);
        ui.checkbox(&mut filter.unseen, "Not looked at yet");
        ui.separator();
        for facet in Facet::ALL {
            let bugs = state.history.listed_bugs();
            let values: std::collections::BTreeSet<&String> =
                bugs.iter().flat_map(|bug| bug.values(facet)).collect();
            let chosen = filter.facets.get(&facet).map_or(0, |values| values.len());
            let word = facet.word();
            let word = if chosen > 0 { format!("{word}  {chosen}") } else { word.to_owned() };
            ui.add_enabled_ui(!values.is_empty(), |ui| {
                let (menu, _) = SubMenuButton::new(word).config(stays()).ui(ui, |ui| {
                    for value in values {
                        let wanted = filter.facets.entry(facet).or_default();
                        let mut on = wanted.contains(value);
                        if ui.checkbox(&mut on, value_words(state, facet, value)).changed() {
                            if on {
                                wanted.insert(value.clone())
                            } else {
                                wanted.remove(value)
                            };
                        }
                    }
                });
                named(&menu, WidgetType::Button, facet.word());
            });
        }
        filter.facets.retain(|_, wanted| !wanted.is_empty());
        ui.separator();
        if ui.add_enabled(filter.chosen() > 0, egui::Button::new("Show all")).clicked() {
            *filter = BugFilter { search: std::mem::take(&mut filter.search), ..BugFilter::default() };
            ui.close();
        }
    });
    named(&response, WidgetType::Button, "Filter bugs");
}

fn filter_words(filter: &BugFilter) -> String {
    if filter.chosen() > 0 { format!("Filter  {}", filter.chosen()) } else { "Filter".to_owned() }
}

fn value_words(state: &StudioState, facet: Facet, value: &str) -> String {
    match facet {
        Facet::App => app_label(state, value),
        Facet::Kind => oracle_word(value).to_owned(),
        Facet::Build => place_words(value),
        Facet::State | Facet::Harm | Facet::Device | Facet::Version => value.to_owned(),
    }
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
    /// The room at the right of the title and of the facts that others draw into.
    right: [f32; 2],
}

/// Draws a bug, with what is to become of it, and a button that lists its other findings below it.
fn bug_ui(
    state: &StudioState,
    row: &HistoryRow,
    (bug, line): (&ListedBug, &BugLine),
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let wide = ui.available_width() >= WIDE;
    let end = STATE + FOLD;
    let columns: f32 = COLUMNS.iter().sum();
    let fold = if line.count > 1 { FOLD } else { 0.0 };
    let text = Line {
        title: &bug.title,
        facts: bug_facts(state, row, (bug, line), wide),
        new: line.new,
        indent: 0.0,
        right: if wide { [columns + end; 2] } else { [fold, end] },
    };
    let (rect, response) = line_ui(state, row, &text, commands, ui);
    let mut left = rect.right() - end;
    if wide {
        left -= columns;
        let times = if bug.times == 1 { "once".to_owned() } else { format!("{} times", bug.times) };
        let words = [bug.harm.map_or("unsure", Harm::words).to_owned(), times, last_seen(state, bug)];
        for (words, width) in words.into_iter().zip(COLUMNS) {
            let room = Rect::from_min_size(pos2(left, rect.center().y - 7.0), vec2(width - 12.0, 16.0));
            paint_line(ui, room, caption(words));
            left += width;
        }
    }
    // Beside the facts where there is little room, so that the title has all of it.
    let (middle, height) = if wide { (rect.center().y, 24.0) } else { (rect.bottom() - 12.0, 18.0) };
    let place = Rect::from_min_size(pos2(left, middle - height / 2.0), vec2(STATE, height));
    state_word_ui(state, bug, place, commands, ui);
    if line.count > 1 {
        fold_ui(row, (bug, line), rect, commands, ui);
    }
    row_menu_ui(state, bug, &response, commands);
    let chosen = state.history.is_chosen(&row.key);
    let choose = |how| Command::History(HistoryCommand::Choose(row.key.clone(), how));
    let held = ui.input(held_at_click);
    match (response.clicked(), response.secondary_clicked()) {
        (true, _) if held.shift => commands.push(choose(Choosing::Range)),
        (true, _) if held.command => commands.push(choose(Choosing::Also)),
        (true, _) => commands.push(Command::History(HistoryCommand::Open(row.key.clone()))),
        (_, true) if !chosen => commands.push(choose(Choosing::Only)),
        _ => {}
    }
}

/// The keys that were held when the pointer was released; they may be up again in the same frame.
fn held_at_click(input: &InputState) -> Modifiers {
    let released = |event: &Event| match event {
        Event::PointerButton { pressed: false, modifiers, .. } => Some(*modifiers),
        _ => None,
    };
    input.events.iter().rev().find_map(released).unwrap_or(input.modifiers)
}

/// Draws the button that lists the findings of a bug, or folds them.
fn fold_ui(
    row: &HistoryRow,
    (bug, line): (&ListedBug, &BugLine),
    rect: Rect,
    commands: &mut Vec<Command>,
    ui: &Ui,
) {
    let place = Rect::from_center_size(pos2(rect.right() - 18.0, rect.center().y), vec2(28.0, 28.0));
    let response = ui.interact(place, ui.id().with(("fold", &row.key)), Sense::click());
    let (glyph, word) = if line.unfolded { (icon::OPEN, "Fold") } else { (icon::CLOSED, "List") };
    named(&response, WidgetType::Button, &format!("{word} the findings of {}", bug.title));
    let colors = tokens(ui.ctx());
    let color = if response.hovered() || response.has_focus() { colors.text } else { colors.quiet };
    ui.painter().text(place.center(), Align2::CENTER_CENTER, glyph, icon_font(18.0), color);
    if response.on_hover_text(format!("{word} the findings that show this bug")).clicked() {
        commands.push(Command::History(HistoryCommand::Unfold(row.key.clone(), !line.unfolded)));
    }
}

/// When and where a bug was last seen.
fn last_seen(state: &StudioState, bug: &ListedBug) -> String {
    let campaign = || format!("campaign {}", bug.last.campaign);
    bug.last.at.map_or_else(campaign, |at| date_words(at, &state.window.today))
}

fn bug_facts(
    state: &StudioState,
    row: &HistoryRow,
    (bug, line): (&ListedBug, &BugLine),
    wide: bool,
) -> String {
    let mut all = Vec::new();
    if !bug.note.is_empty() {
        all.push(bug.note.clone());
    }
    if !wide {
        all.push(last_seen(state, bug));
    }
    if line.count == 1 {
        all.push(facts(state, row));
        return all.join("  \u{b7}  ");
    }
    let rows = bug.findings.iter().filter_map(|place| state.history.rows().get(*place));
    let mut rows: Vec<&HistoryRow> = rows.collect();
    rows.sort_by_key(|row| row.id);
    let engines = engines_of(rows.iter().map(|row| &row.listed.found));
    let engines: Vec<&str> = engines.into_iter().map(engine_word).collect();
    all.extend([app_label(state, &row.app), place_words(&row.build)]);
    all.push(format!("{} by {}", counted(line.count, "finding"), engines.join(", ")));
    let first = bug.first.at.map(|at| format!("first seen {}", date_words(at, &state.window.today)));
    all.extend(first.filter(|_| wide && bug.campaigns.len() > 1));
    all.join("  \u{b7}  ")
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

/// Draws a row of a finding. Returns its place.
fn line_ui(
    state: &StudioState,
    row: &HistoryRow,
    line: &Line<'_>,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) -> (Rect, Response) {
    let colors = tokens(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    let chosen = shown_key(state) == Some(&row.key) || state.history.is_chosen(&row.key);
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
    let left = filled.left() + 32.0;
    let [title_end, facts_end] = line.right.map(|right| rect.right() - 8.0 - right);
    let room = Rect::from_min_max(pos2(left, rect.top() + 5.0), pos2(title_end, rect.center().y));
    let title = if line.new { strong(line.title) } else { RichText::new(line.title) };
    let (_, title_cut) = paint_line(ui, room, title);
    let room = Rect::from_min_max(pos2(left, rect.center().y + 3.0), pos2(facts_end, rect.bottom()));
    let (_, facts_cut) = paint_line(ui, room, caption(&line.facts));
    seen_ui(row, line.new, filled, commands, ui);
    let response = match title_cut || facts_cut {
        true => response.on_hover_text(format!("{}\n{}", line.title, line.facts)),
        false => response,
    };
    (rect, response)
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
fn seen_ui(row: &HistoryRow, new: bool, rect: Rect, commands: &mut Vec<Command>, ui: &Ui) {
    let place = Rect::from_center_size(pos2(rect.left() + 16.0, rect.center().y), vec2(24.0, 28.0));
    let id = ui.id().with(("seen", &row.key.name, row.key.campaign));
    let response = ui.interact(place, id, Sense::click());
    let (glyph, word, tone) = match new {
        false => (icon::RING, "new", Tone::Plain),
        true => (icon::DOT, "seen", Tone::Accent),
    };
    let name = format!("Mark as {word}: {}", row.title);
    named(&response, WidgetType::Button, &name);
    let (color, _) = tone.colors(tokens(ui.ctx()));
    let size = if response.hovered() || response.has_focus() { 14.0 } else { 11.0 };
    ui.painter().text(place.center(), Align2::CENTER_CENTER, glyph, icon_font(size), color);
    let tip = if !new { "Seen. Press to mark as new." } else { "New. Press to mark as seen." };
    if response.on_hover_text(tip).clicked() {
        commands.push(Command::History(HistoryCommand::See(row.key.clone(), !row.seen)));
    }
}
