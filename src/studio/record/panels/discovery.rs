//! What Discover does and proposes: its progress, and a card for each function with evidence.

use egui::{Align, Label, Layout, Ui};

use super::head::kind_word;
use crate::command::Command;
use crate::parts::controls::{Tone, badge, labelled_button, primary_button, progress_bar, spoken, wide_card};
use crate::parts::theme::{caption, glyph, heading, icon, strong, tokens};
use crate::record::DiscoverCommand;
use crate::specs::panels::list::kind_icon;
use crate::state::{Place, StudioState};
use taproof_campaign::discover::Discovered;
use taproof_screen::{counted, thousands};
use taproof_spec::{Confidence, function_words};

/// Number of names that are listed while the app is explored.
const NAMES: usize = 12;

/// Draws the progress or the proposals. Returns whether there is anything to draw.
pub fn discovery_ui(state: &StudioState, commands: &mut Vec<Command>, ui: &mut Ui) -> bool {
    let discovery = &state.discovery;
    let Some(target) = &discovery.target else { return false };
    if discovery.is_running() {
        running_ui(state, &target.app, commands, ui);
        return true;
    }
    if target.app != state.settings.target.app {
        return false;
    }
    if let Some(problem) = &discovery.problem {
        wide_card(ui, |ui| {
            ui.label(heading("The app was not explored"));
            ui.add(Label::new(problem).wrap());
        });
        return true;
    }
    let open = discovery.open(&target.app);
    ui.horizontal(|ui| {
        ui.label(heading("Discovered"));
        ui.label(caption(summary(state, open.len())));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if open.is_empty() && discovery.saved() > 0 {
                if primary_button(ui, icon::ARROW, "Go to Fuzz", true).clicked() {
                    commands.push(Command::Go(Place::Fuzz));
                }
            } else if !open.is_empty() && primary_button(ui, icon::CHECK, "Accept all", true).clicked() {
                commands.push(Command::Discover(DiscoverCommand::AcceptAll));
            }
        });
    });
    for function in open {
        card_ui(function, commands, ui);
    }
    true
}

fn summary(state: &StudioState, open: usize) -> String {
    let discovery = &state.discovery;
    let events = discovery.progress.as_ref().map_or(0, |progress| progress.events);
    if discovery.functions.is_empty() {
        return format!("Nothing that holds each time, in {} events.", thousands(events));
    }
    match (open, discovery.saved()) {
        (0, saved) => format!("All are decided, {saved} of them saved."),
        (open, 0) => format!("{} in {} events.", counted(open, "proposal"), thousands(events)),
        (open, saved) => format!("{} left, {saved} saved.", counted(open, "proposal")),
    }
}

fn running_ui(state: &StudioState, app: &str, commands: &mut Vec<Command>, ui: &mut Ui) {
    wide_card(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(glyph(icon::SEARCH).color(tokens(ui.ctx()).accent));
            ui.label(heading(format!("Discovering the functions of {}", state.label_of(app))));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if labelled_button(ui, icon::STOP, "Stop", true).clicked() {
                    commands.push(Command::Discover(DiscoverCommand::Stop));
                }
            });
        });
        let Some(progress) = &state.discovery.progress else { return };
        let done = progress.events as f32 / progress.of.max(1) as f32;
        let words = format!("{}: {} events", progress.phase.words(), thousands(progress.events));
        progress_bar(ui, done, &words, ui.available_width());
        let more = progress.names.len().saturating_sub(NAMES);
        let mut names: Vec<&str> = progress.names.iter().take(NAMES).map(String::as_str).collect();
        let rest = format!("{more} more");
        if more > 0 {
            names.push(&rest);
        }
        if !names.is_empty() {
            ui.add(Label::new(caption(format!("So far: {}", names.join(", ")))).wrap());
        }
    });
}

fn card_ui(function: &Discovered, commands: &mut Vec<Command>, ui: &mut Ui) {
    let dmf = &function.dmf;
    wide_card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.horizontal(|ui| {
            ui.label(glyph(kind_icon(dmf.kind)).color(tokens(ui.ctx()).accent));
            ui.label(strong(function_words(&dmf.name))).on_hover_text(&dmf.name);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| strength_ui(function, ui));
        });
        ui.horizontal_wrapped(|ui| {
            badge(ui, "", kind_word(dmf.kind), Tone::Plain).on_hover_text("What happens to the data");
            badge(ui, icon::DATA, &dmf.data_type, Tone::Plain).on_hover_text("The type of the data");
        });
        ui.add(Label::new(&function.reason).wrap());
        let steps: Vec<String> = function.steps.iter().map(|step| step.sentence()).collect();
        ui.add(Label::new(caption(steps.join(" \u{203a} "))).wrap());
        ui.add(Label::new(caption(function.tried_words())).wrap());
        for repair in &function.evidence.repairs {
            ui.add(Label::new(caption(format!("Changed: {repair}."))).wrap());
        }
        ui.push_id(&dmf.name, |ui| {
            ui.collapsing("What would refute it", |ui| {
                for sentence in &function.refuted_by {
                    ui.add(Label::new(caption(sentence)).wrap());
                }
            })
        });
        ui.horizontal(|ui| buttons_ui(&dmf.name, commands, ui));
    });
}

fn strength_ui(function: &Discovered, ui: &mut Ui) {
    let (held, tries) = (function.evidence.held, function.evidence.tries);
    let (symbol, word, tone) = match function.confidence {
        Confidence::Likely => (icon::HELD, "Likely", Tone::Good),
        Confidence::Possible => (icon::LOOK, "Perhaps", Tone::Warn),
    };
    badge(ui, symbol, word, tone).on_hover_text(format!("It held in {held} of {tries} tries."));
    ui.label(caption(format!("{held} of {tries}")));
}

fn buttons_ui(name: &str, commands: &mut Vec<Command>, ui: &mut Ui) {
    let mut ask = |command| commands.push(Command::Discover(command));
    let accept = labelled_button(ui, icon::CHECK, "Accept", true)
        .on_hover_text("Saves it into the specification of the app");
    if spoken(accept, format!("Accept {name}")).clicked() {
        ask(DiscoverCommand::Accept(name.to_owned()));
    }
    let edit = labelled_button(ui, icon::CHANGED, "Edit", true)
        .on_hover_text("Saves it, and opens it in the specification");
    if spoken(edit, format!("Edit {name}")).clicked() {
        ask(DiscoverCommand::Edit(name.to_owned()));
    }
    let drop = labelled_button(ui, icon::CLOSE, "Drop", true);
    if spoken(drop, format!("Drop {name}")).clicked() {
        ask(DiscoverCommand::Drop(name.to_owned()));
    }
}
