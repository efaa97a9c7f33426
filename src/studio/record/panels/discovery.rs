//! What Discover does and proposes: its progress, and a line for each function that unfolds to its evidence.

use egui::collapsing_header::CollapsingState;
use egui::{Align, Checkbox, Label, Layout, Sense, Ui, Vec2, WidgetInfo, WidgetType, vec2};

use super::head::kind_word;
use crate::command::Command;
use crate::parts::controls::{
    Tone, badge, labelled_button, primary_button, progress_bar, small_button, spoken, wide_card,
};
use crate::parts::overlay::{PictureSlot, ScreenView, paint_screen};
use crate::parts::theme::{caption, glyph, heading, icon, strong, tokens};
use crate::record::DiscoverCommand;
use crate::specs::panels::list::kind_icon;
use crate::state::{Place, StudioState};
use taproof_campaign::discover::Discovered;
use taproof_screen::{RecordedStep, counted, event_for_people, thousands, upper_first};
use taproof_spec::{Confidence, DmfKind};

/// Number of names that are listed while the app is explored.
const NAMES: usize = 12;
/// Size of the screen that a function ends on, in points.
const RESULT: Vec2 = vec2(110.0, 196.0);

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
    ui.horizontal(|ui| {
        ui.label(heading("Discovered"));
        ui.label(caption(summary(state)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let ticked = discovery.ticked().len();
            if ticked == 0 && discovery.saved() > 0 {
                if primary_button(ui, icon::ARROW, "Go to Fuzz", true).clicked() {
                    commands.push(Command::Go(Place::Fuzz));
                }
            } else if !discovery.functions.is_empty() {
                let save = format!("Save {}", counted(ticked, "function"));
                let save = primary_button(ui, icon::SAVE, &save, ticked > 0);
                if save
                    .on_hover_text("Saves those that are ticked into the specification of the app")
                    .clicked()
                {
                    commands.push(Command::Discover(DiscoverCommand::Save));
                }
            }
        });
    });
    for (functions, words) in discovery.by_type() {
        let data_type = functions.first().map_or("", |first| first.dmf.data_type.as_str());
        wide_card(ui, |ui| {
            ui.label(strong(upper_first(data_type))).on_hover_text("The type of the data");
            for (function, words) in functions.iter().zip(words) {
                ui.push_id(&function.dmf.name, |ui| line_ui(state, (function, words), commands, ui));
            }
        });
    }
    true
}

fn summary(state: &StudioState) -> String {
    let discovery = &state.discovery;
    let events = thousands(discovery.progress.as_ref().map_or(0, |progress| progress.events));
    match (discovery.functions.len(), discovery.saved()) {
        (0, _) => format!("Nothing that holds each time, in {events} events."),
        (all, 0) => format!("{} in {events} events.", counted(all, "proposal")),
        (all, saved) => format!("{saved} of {} saved.", counted(all, "proposal")),
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

/// Draws a proposal in a line that unfolds.
fn line_ui(
    state: &StudioState,
    (function, words): (&Discovered, &str),
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let id = ui.id().with("evidence");
    CollapsingState::load_with_default_open(ui.ctx(), id, false)
        .show_header(ui, |ui| head_ui(state, (function, words), commands, ui))
        .body(|ui| evidence_ui(function, ui));
}

fn head_ui(
    state: &StudioState,
    (function, words): (&Discovered, &str),
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let (dmf, discovery) = (&function.dmf, &state.discovery);
    let name = &dmf.name;
    let saved = discovery.is_saved(name);
    let mut ticked = saved || discovery.is_ticked(name);
    let tick = ui.add_enabled(!saved, Checkbox::without_text(&mut ticked));
    tick.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, !saved, ticked, format!("Save {name}")));
    if tick.changed() {
        commands.push(Command::Discover(DiscoverCommand::Tick(name.clone(), ticked)));
    }
    ui.label(glyph(kind_icon(dmf.kind)).color(tokens(ui.ctx()).accent)).on_hover_text(kind_word(dmf.kind));
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if saved {
            badge(ui, icon::HELD, "saved", Tone::Good);
        } else {
            let edit = ui
                .add(small_button("Save, edit"))
                .on_hover_text("Saves it, and opens it in the specification");
            if spoken(edit, format!("Edit {name}")).clicked() {
                commands.push(Command::Discover(DiscoverCommand::Edit(name.clone())));
            }
        }
        strength_ui(function, ui);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(strong(words)).truncate()).on_hover_text(name);
            if !saved && has_one(state, function) {
                ui.add(Label::new(caption("you have one of this kind")).truncate())
                    .on_hover_text("Your specification has a function of this kind for this type of data");
            }
        });
    });
}

/// Whether the person's own specification has a function of this kind for this type of data.
fn has_one(state: &StudioState, function: &Discovered) -> bool {
    if function.dmf.kind == DmfKind::Property {
        return false;
    }
    let own = state.documents.of_app(&state.settings.target.app).filter(|document| !document.shipped);
    let mut dmfs = own.flat_map(|document| &document.spec.dmfs);
    dmfs.any(|dmf| (dmf.kind, &dmf.data_type) == (function.dmf.kind, &function.dmf.data_type))
}

/// Draws what speaks for a proposal beside the screen that it ends on.
fn evidence_ui(function: &Discovered, ui: &mut Ui) {
    ui.horizontal_top(|ui| {
        if let Some(end) = function.steps.last().map(|step| &step.after) {
            let (rect, response) = ui.allocate_exact_size(RESULT, Sense::hover());
            let view = ScreenView::fit(rect, end.screen());
            paint_screen(ui.painter(), &view, end, None, &mut PictureSlot::default());
            response.on_hover_text("The screen that it ends on");
        }
        ui.vertical(|ui| {
            ui.add(Label::new(&function.reason).wrap());
            let words = |step: &RecordedStep| event_for_people(&step.event, &step.before);
            let steps: Vec<String> = function.steps.iter().map(words).collect();
            ui.add(Label::new(caption(steps.join(" \u{203a} "))).wrap());
            ui.add(Label::new(caption(function.tried_words())).wrap());
            for repair in &function.evidence.repairs {
                ui.add(Label::new(caption(format!("Changed: {repair}."))).wrap());
            }
            if !function.refuted_by.is_empty() {
                ui.label(caption("What would refute it:"));
            }
            for sentence in &function.refuted_by {
                ui.add(Label::new(caption(sentence)).wrap());
            }
        });
    });
}

fn strength_ui(function: &Discovered, ui: &mut Ui) {
    let (held, tries) = (function.evidence.held, function.evidence.tries);
    let (symbol, word, tone) = match function.confidence {
        Confidence::Likely => (icon::HELD, "Likely", Tone::Good),
        Confidence::Possible => (icon::LOOK, "Perhaps", Tone::Warn),
    };
    let why = match function.confidence {
        Confidence::Likely => "It held often enough to be believed",
        Confidence::Possible => {
            "It was tried too seldom, or did not hold each time: look at what speaks for it"
        }
    };
    badge(ui, symbol, word, tone).on_hover_text(format!("{why}: in {held} of {tries} tries."));
    ui.label(caption(format!("{held} of {tries}")));
}
