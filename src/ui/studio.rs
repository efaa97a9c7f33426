//! The whole window: the bar, the phone, the place, the status line, the keys that work everywhere.

use egui::{Context, Frame, Key, Margin, Modifiers, Panel, Ui};

use crate::model::{Event, Key as PhoneKey};
use crate::state::{Command, FileCommand, FileQuestion, Place, StudioState};

use super::file_chooser::file_chooser_ui;
use super::fuzz_panel::fuzz_panel_ui;
use super::help::help_ui;
use super::overlay::Hover;
use super::phone_panel::{PhonePanel, phone_panel_ui};
use super::record_panel::record_panel_ui;
use super::replay_panel::{ReplayPanel, replay_panel_ui};
use super::spec_panel::SpecPanel;
use super::status_bar::status_bar_ui;
use super::theme::{BAR, tokens};
use super::top_bar::top_bar_ui;
use super::widget_tree::TreePanel;

/// What the panels remember.
#[derive(Default)]
pub struct StudioPanels {
    phone: PhonePanel,
    tree: TreePanel,
    specs: SpecPanel,
    replay: ReplayPanel,
    hover: Hover,
    /// When the replay went on last, in seconds of the window's clock.
    pub last_tick: Option<f64>,
}

/// Draws the window and queues what the person asks for.
pub fn studio_ui(state: &StudioState, panels: &mut StudioPanels, commands: &mut Vec<Command>, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    let bar = |margin| Frame::new().fill(tokens.panel).inner_margin(margin);
    Panel::top("top bar")
        .exact_size(BAR)
        .frame(bar(Margin::symmetric(12, 0)))
        .show(ui, |ui| top_bar_ui(state, commands, ui));
    Panel::bottom("status line")
        .exact_size(28.0)
        .frame(bar(Margin::symmetric(12, 0)))
        .show(ui, |ui| status_bar_ui(state, commands, ui));
    let height = ui.available_height();
    let width = ((height - 24.0 - 76.0) * 9.0 / 16.0 + 24.0).clamp(260.0, 560.0);
    Panel::left("phone")
        .default_size(width)
        .size_range(240.0..=720.0)
        .frame(Frame::new().fill(tokens.base).inner_margin(Margin::same(12)))
        .show(ui, |ui| phone_panel_ui(state, &mut panels.phone, &mut panels.hover, commands, ui));
    match state.settings.place {
        Place::Record => {
            let (tree, specs) = (&mut panels.tree, &mut panels.specs);
            record_panel_ui(state, tree, specs, &mut panels.hover, commands, ui);
        }
        Place::Fuzz => fuzz_panel_ui(state, commands, ui),
        Place::Replay => replay_panel_ui(state, &mut panels.replay, commands, ui),
    }
    panels.hover.turn(ui.ctx());
    help_ui(state, commands, ui.ctx());
    file_chooser_ui(state, commands, ui.ctx());
    keys(state, commands, ui.ctx());
}

fn keys(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    let pressed = |modifiers, key| ctx.input_mut(|input| input.consume_key(modifiers, key));
    for (key, place) in [(Key::Num1, Place::Record), (Key::Num2, Place::Fuzz), (Key::Num3, Place::Replay)] {
        if pressed(Modifiers::CTRL, key) {
            commands.push(Command::Go(place));
        }
    }
    let orders = [
        (Modifiers::CTRL, Key::O, Command::File(FileCommand::Ask(Box::new(FileQuestion::walk())))),
        (Modifiers::CTRL, Key::D, Command::SetDark(!state.settings.dark)),
        (Modifiers::NONE, Key::F1, Command::SetHelp(!state.settings.help)),
        (Modifiers::NONE, Key::F6, Command::Perform(Event::Key(PhoneKey::Back))),
        (Modifiers::NONE, Key::F7, Command::Perform(Event::Key(PhoneKey::Home))),
        (Modifiers::NONE, Key::F8, Command::Perform(Event::Key(PhoneKey::Recents))),
        (Modifiers::NONE, Key::F9, Command::Perform(Event::Rotate)),
    ];
    for (modifiers, key, command) in orders {
        if pressed(modifiers, key) {
            commands.push(command);
        }
    }
    if state.mirror.is_walk() {
        for (key, step) in [(Key::PageUp, -1), (Key::PageDown, 1)] {
            // Presses may come faster than passes: each counts.
            let presses = ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
            commands.extend(std::iter::repeat_n(Command::StepWalk(step), presses));
        }
    }
}
