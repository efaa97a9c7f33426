//! Help: the keys, those of the table of actions and what the pointer and the focused panel do; what words mean; and what
//! program this is.

use egui::{Context, Id, Label, Modal, RichText, ScrollArea, Ui, vec2};

use crate::command::{Command, Group, actions};
use crate::parts::controls::{labelled_button, primary_button, segments, sheet};
use crate::parts::shortcuts::key_words;
use crate::parts::theme::{caption, strong, title};
use crate::shell::{Sheet, WindowCommand};
use crate::state::{Place, StudioState};

/// Gestures and keys that are not in the table of actions, with the groups where they work.
const BY_HAND: &[(Group, &str, &str)] = &[
    (Group::Window, "Tab, Shift+Tab", "Go from control to control"),
    (Group::Phone, "click, hold, drag", "Tap, press long, swipe; the wheel scrolls"),
    (Group::Phone, "right click", "Choose the widget without touching it"),
    (Group::Phone, "type, Enter", "Into the field that has the phone\u{2019}s focus"),
    (Group::Phone, "Ctrl+A", "Empty that field"),
    (Group::In(Place::Record), "Left, Right", "Fold, unfold a row of the widget tree"),
];

/// Width of the column of keys, in points.
const KEYS: f32 = 156.0;

/// A part of the help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Keys,
    Words,
    About,
}

/// What the words of the window mean, in the order in which one meets them.
const WORDS: &[(&str, &str)] = &[
    ("Function", "Something that users do with data: add, view, edit, delete, search. You record it once."),
    (
        "Property",
        "What a function promises: where it can begin, what it does to the data, what must be seen at its end. PBFDroid calls it a DMF.",
    ),
    ("Specification", "The functions of an app, in a file that PBFDroid reads as well."),
    ("Event", "One thing that is done: a tap, a text, a turn, a key."),
    ("Test", "Events from a start of the app with cleared data."),
    ("Campaign", "Tests of one app within a budget of events or minutes, by one engine or several at once."),
    ("Engine", "What chooses the events. Each looks for other bugs; Auto lets four of them take turns."),
    ("Seed", "The number from which all chance follows. The same seed gives the same campaign."),
    ("Finding", "A screen that is wrong, with the test that led there."),
    ("Bug", "Findings with one cause, on one card, that came back on a fresh phone each time."),
    ("Suspicion", "What came back and may still be meant so: look before you report it."),
    (
        "Came back 3 of 3",
        "The shortest test was performed three times more, and the bug was there each time.",
    ),
    ("Shortest test", "The steps without which the bug does not show. The test as it was found had more."),
    ("Planted bug", "A bug that a bundled app has on purpose, by its name in the catalogue."),
    ("Not kept", "Something vanished that a turn, a pause or a restart must leave as it is (Keep)."),
    (
        "Contradicts its data",
        "A screen shows what the functions did not do, or not what they did (a property).",
    ),
    ("Two places do not agree", "A number, a total, an order or a name that agrees elsewhere, and not here."),
    ("Unlike its neighbours", "One of many similar screens reacts in another way (ODIN)."),
    ("Disturbed by a detour", "An action that has nothing to do with it takes something away (Genie)."),
    ("Fresh start", "The app with cleared data, after the initial steps if there are any."),
    ("Selector", "How a widget is found again: by id, text, description, or its place beside a label."),
    ("State", "A page as engines tell pages apart: what can be done on it, whatever it lists."),
    ("Fingerprint", "A number that two campaigns share if they did the same, event by event."),
];

/// Draws the help if it is open.
pub fn help_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    if state.window.sheet != Some(Sheet::Help) {
        return;
    }
    let room = ctx.content_rect();
    let modal = Modal::new(Id::new("help")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(900.0_f32.min(room.width() - 64.0));
        let id = Id::new("part of the help");
        let part = ui.data(|data| data.get_temp::<Part>(id)).unwrap_or_default();
        ui.horizontal(|ui| {
            ui.label(title("Help"));
            ui.add_space(8.0);
            let parts = [(Part::Keys, "Keys"), (Part::Words, "Words"), (Part::About, "About")];
            let parts = parts.map(|(part, word)| (part, word.to_owned(), ""));
            if let Some(part) = segments(ui, Some(part), &parts) {
                ui.data_mut(|data| data.insert_temp(id, part));
            }
        });
        ui.add_space(8.0);
        let height = room.height() - 176.0;
        let list = ScrollArea::vertical().auto_shrink(false).min_scrolled_height(height).max_height(height);
        list.id_salt(part as u8).show(ui, |ui| match part {
            Part::Keys => groups_ui(ui),
            Part::Words => words_ui(ui),
            Part::About => about_ui(ui),
        });
        ui.add_space(12.0);
        primary_button(ui, "", "Close", true).clicked()
    });
    if modal.inner || modal.should_close() {
        commands.push(WindowCommand::Show(None).into());
    }
}

fn words_ui(ui: &mut Ui) {
    for (word, meaning) in WORDS {
        row_ui(strong(*word), meaning, ui);
    }
}

fn about_ui(ui: &mut Ui) {
    let version = concat!("Taproof ", env!("CARGO_PKG_VERSION"));
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    row_ui(strong("Version"), version, ui);
    row_ui(strong("System"), &system, ui);
    row_ui(strong("Licence"), "MIT or Apache-2.0, as you choose", ui);
    let data = "Nothing leaves this computer: no account, no telemetry. A workspace is a folder of yours.";
    row_ui(strong("Your data"), data, ui);
    let methods = "PBFDroid, Genie, ODIN, Fastbot2 and TimeMachine are published methods; the book says for each where this \
                   program differs from its paper.";
    row_ui(strong("Methods"), methods, ui);
    ui.add_space(8.0);
    ui.label(strong("To report a problem"));
    let asks = "Say what you did, what you expected and what you saw, and add the version and, for a phone, what \
                \u{201c}taproof devices check\u{201d} prints.";
    ui.add(Label::new(caption(asks)).wrap());
    if labelled_button(ui, "", "Copy the version and the system", true).clicked() {
        ui.ctx().copy_text(format!("{version}, {system}"));
    }
}

/// Draws a name and what is said of it.
fn row_ui(name: RichText, said: &str, ui: &mut Ui) {
    ui.horizontal_top(|ui| {
        ui.allocate_ui(vec2(KEYS, 20.0), |ui| {
            ui.set_width(KEYS);
            ui.add(Label::new(name).wrap());
        });
        ui.add(Label::new(said).wrap());
    });
}

/// Draws the groups, in two columns if there is space.
fn groups_ui(ui: &mut Ui) {
    ui.spacing_mut().interact_size.y = 20.0;
    let (first, second) = Group::ALL.split_at(2);
    if ui.available_width() < 700.0 {
        Group::ALL.iter().for_each(|group| group_ui(*group, ui));
        return;
    }
    ui.columns_const(|[left, right]| {
        first.iter().for_each(|group| group_ui(*group, left));
        second.iter().for_each(|group| group_ui(*group, right));
    });
}

fn group_ui(group: Group, ui: &mut Ui) {
    ui.label(strong(group.word()));
    let named = actions().filter(|action| action.group == group && !action.keys.is_empty());
    let named = named.map(|action| (key_words(action.keys), action.label));
    let by_hand = BY_HAND.iter().filter(|(where_, ..)| *where_ == group);
    for (keys, what) in named.chain(by_hand.map(|(_, keys, what)| ((*keys).to_owned(), *what))) {
        row_ui(RichText::new(keys).monospace(), what, ui);
    }
    ui.add_space(12.0);
}
