//! The list of shortcuts: those of the table of actions, and what the pointer and the focused panel do.

use egui::{Context, Id, Label, Modal, RichText, ScrollArea, Ui, vec2};

use crate::command::{Command, Group, actions};
use crate::parts::controls::{primary_button, sheet};
use crate::parts::shortcuts::key_words;
use crate::parts::theme::{strong, title};
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

/// Draws the list if it is open.
pub fn help_ui(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    if state.window.sheet != Some(Sheet::Shortcuts) {
        return;
    }
    let room = ctx.content_rect();
    let modal = Modal::new(Id::new("shortcuts")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(900.0_f32.min(room.width() - 64.0));
        ui.label(title("Shortcuts"));
        ui.add_space(8.0);
        let height = room.height() - 176.0;
        let list = ScrollArea::vertical().min_scrolled_height(height).max_height(height);
        list.show(ui, groups_ui);
        ui.add_space(12.0);
        primary_button(ui, "", "Close", true).clicked()
    });
    if modal.inner || modal.should_close() {
        commands.push(WindowCommand::Show(None).into());
    }
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
        ui.horizontal_top(|ui| {
            ui.allocate_ui(vec2(KEYS, 20.0), |ui| {
                ui.set_width(KEYS);
                ui.label(RichText::new(keys).monospace());
            });
            ui.add(Label::new(what).wrap());
        });
    }
    ui.add_space(12.0);
}
