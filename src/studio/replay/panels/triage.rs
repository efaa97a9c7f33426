//! Where a person says what is to become of bugs: on cards, in the list, and in the menu of both.

use egui::{
    Align2, Button, Key, Popup, PopupCloseBehavior, Rect, Response, RichText, Sense, TextEdit, Ui,
    WidgetType, vec2,
};

use crate::command::{Command, action};
use crate::parts::controls::{Tone, named, small_button};
use crate::parts::shortcuts::key_words;
use crate::parts::theme::{strong, tokens};
use crate::replay::HistoryCommand;
use crate::replay::triage::{Triaged, judged, key_of};
use crate::state::{FindingKey, StudioState};
use taproof_campaign::{BugState, JudgedBug};
use taproof_results::store::ListedBug;

/// Width of the word for a state.
pub const STATE: f32 = 76.0;

/// The colours of a state.
pub fn tone_of(state: BugState) -> Tone {
    match state {
        BugState::New => Tone::Accent,
        BugState::True => Tone::Bad,
        BugState::Known => Tone::Warn,
        BugState::NotABug => Tone::Plain,
        BugState::Fixed => Tone::Good,
    }
}

/// The state at the beginning of a line.
pub fn state_label(state: BugState) -> String {
    let mut words = state.words().to_owned();
    words.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    words
}

fn tip_of(state: BugState) -> &'static str {
    match state {
        BugState::New => "Not looked at yet",
        BugState::True => "A bug, whatever speaks for it",
        BugState::Known => "A bug that is no news: builds do not fail for it with --fail-on new",
        BugState::NotABug => "The like is not listed among bugs again, in no campaign of this app",
        BugState::Fixed => "Mended: a bug if it is seen again",
    }
}

/// Draws the states of a bug side by side, the present one in its colours: one click changes it.
pub fn states_ui(bug: &Triaged, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for one in BugState::ALL {
            let mut button = small_button(&state_label(one));
            if one == bug.said.state {
                let (color, ground) = tone_of(one).colors(tokens(ui.ctx()));
                button = Button::new(RichText::new(state_label(one)).small().color(color)).small();
                button = button.fill(ground).min_size(vec2(0.0, 20.0));
            }
            let response = ui.add(button);
            named(&response, WidgetType::Button, &format!("{}: {}", state_label(one), bug.said.title));
            if response.on_hover_text(tip_of(one)).clicked() && one != bug.said.state {
                commands.push(judged(std::slice::from_ref(bug), one));
            }
        }
    });
}

/// Draws the state of a bug of the list as a coloured word; a click opens the menu.
pub fn state_word_ui(
    state: &StudioState,
    bug: &ListedBug,
    rect: Rect,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let response = ui.interact(rect, ui.id().with("state"), Sense::click());
    named(&response, WidgetType::Button, &format!("State of {}: {}", bug.title, bug.state.words()));
    let tone = if bug.came_back { Tone::Bad } else { tone_of(bug.state) };
    let (color, ground) = tone.colors(tokens(ui.ctx()));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, ground);
    }
    let words = if bug.came_back { "Fixed, again" } else { &state_label(bug.state) };
    let font = egui::TextStyle::Small.resolve(ui.style());
    let at = rect.left_center() + vec2(6.0, 0.0);
    ui.painter().text(at, Align2::LEFT_CENTER, words, font, color);
    let menu = Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| triage_menu_ui(state, &bugs_of(state, bug), commands, ui));
    let note = if bug.note.is_empty() { String::new() } else { format!("\n{}", bug.note) };
    let said = if bug.came_back { "Seen again since it was said to be fixed" } else { tip_of(bug.state) };
    response.on_hover_text(format!("{said}{note}"));
}

/// Draws the state of the bug that is open; a click opens the menu.
pub fn open_state_ui(state: &StudioState, shown: &FindingKey, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(bug) = state.history.bug_of(shown) else { return };
    let (rect, _) = ui.allocate_exact_size(vec2(STATE, 20.0), Sense::hover());
    state_word_ui(state, bug, rect, commands, ui);
}

/// Draws the menu of a row at a right click.
pub fn row_menu_ui(state: &StudioState, bug: &ListedBug, row: &Response, commands: &mut Vec<Command>) {
    let menu = Popup::context_menu(row).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| triage_menu_ui(state, &bugs_of(state, bug), commands, ui));
}

/// All chosen bugs if this is one of them, otherwise it alone.
fn bugs_of(state: &StudioState, bug: &ListedBug) -> Vec<Triaged> {
    let chosen = state.history.chosen(None);
    let all = if chosen.iter().any(|one| std::ptr::eq(*one, bug)) { chosen } else { vec![bug] };
    all.into_iter().map(|bug| Triaged::listed(state, bug)).collect()
}

/// Draws what can be done with bugs: the same as by keys.
pub fn triage_menu_ui(state: &StudioState, bugs: &[Triaged], commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(first) = bugs.first() else { return };
    ui.set_min_width(216.0);
    if bugs.len() > 1 {
        ui.label(strong(format!("{} bugs", bugs.len())));
    }
    let mut chosen = None;
    for one in BugState::ALL {
        let is_all = bugs.iter().all(|bug| bug.said.state == one);
        let (color, _) = tone_of(one).colors(tokens(ui.ctx()));
        let text = RichText::new(state_label(one)).color(color);
        let button = Button::new(text).selected(is_all).shortcut_text(keys_of(key_of(one)));
        if ui.add(button).on_hover_text(tip_of(one)).clicked() {
            chosen = Some(judged(bugs, one));
        }
    }
    if bugs.len() == 1 {
        chosen = note_ui(first, ui).or(chosen);
    }
    ui.separator();
    let shown: Vec<FindingKey> = bugs.iter().filter_map(|bug| bug.shown.clone()).collect();
    let seen = |key: &FindingKey| state.history.get(key).is_some_and(|row| row.seen);
    let copy = Button::new("Copy as Markdown").shortcut_text(keys_of("bug-copy"));
    if ui.add_enabled(!shown.is_empty(), copy).clicked() {
        chosen = Some(Command::History(HistoryCommand::Copy(shown.clone())));
    }
    if let [one] = shown.as_slice() {
        let tip = "Opens the page of your issue tracker with title and text filled in";
        if ui.button("New issue\u{2026}").on_hover_text(tip).clicked() {
            chosen = Some(Command::History(HistoryCommand::NewIssue(one.clone())));
        }
    }
    let all_seen = shown.iter().all(seen);
    if ui.button(if all_seen { "Mark as not looked at" } else { "Mark as looked at" }).clicked() {
        let marks = shown.iter().map(|key| HistoryCommand::See(key.clone(), !all_seen));
        commands.extend(marks.map(Command::History));
        ui.close();
    }
    if let Some(command) = chosen {
        commands.push(command);
        ui.close();
    }
}

fn keys_of(id: &str) -> String {
    action(id).map(|action| key_words(action.keys)).unwrap_or_default()
}

/// Draws the field for a note, which Enter keeps. Returns the command that does.
fn note_ui(bug: &Triaged, ui: &mut Ui) -> Option<Command> {
    ui.separator();
    let id = ui.id().with(("note", &bug.said.title));
    let mut note = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| bug.said.note.clone());
    let field = TextEdit::singleline(&mut note).hint_text("Note, Enter keeps it").desired_width(200.0);
    let response = ui.add(field);
    named(&response, WidgetType::TextEdit, &format!("Note on {}", bug.said.title));
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        ui.data_mut(|data| data.remove::<String>(id));
        let said = JudgedBug { note: note.trim().to_owned(), ..bug.said.clone() };
        return Some(Command::History(HistoryCommand::Judge(vec![(bug.app.clone(), said)])));
    }
    ui.data_mut(|data| data.insert_temp(id, note));
    None
}
