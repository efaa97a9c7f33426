//! The whole window: the bar, the phone, the place, the status line, the keys that work everywhere.

use egui::containers::panel::PanelState;
use egui::{Frame, Id, Margin, Panel, Rect, ScrollArea, Sense, Ui, UiBuilder, Vec2};

use super::drop_overlay::drop_overlay_ui;
use super::edges::edges_ui;
use super::file_chooser::file_chooser_ui;
use super::first_steps::first_steps_ui;
use super::help::help_ui;
use super::palette::{PalettePanel, palette_ui};
use super::preferences::preferences_ui;
use super::status_bar::status_bar_ui;
use super::top_bar::top_bar_ui;
use crate::command::Command;
use crate::fuzz::panels::fuzz::{FuzzPanel, fuzz_panel_ui};
use crate::parts::controls::{icon_button, segments};
use crate::parts::overlay::Hover;
use crate::parts::shortcuts::{chords, plain_keys};
use crate::parts::theme::{BAR, icon, tokens};
use crate::phone::panels::app_chooser::AppChooser;
use crate::phone::panels::data_dialog::data_dialog_ui;
use crate::phone::panels::keep_dialog::keep_dialog_ui;
use crate::phone::panels::phone::{PhonePanel, phone_panel_ui};
use crate::phone::panels::phones_panel::{PhonesPanel, phones_panel_ui};
use crate::record::panels::record::record_panel_ui;
use crate::record::panels::recording::RecordingPanel;
use crate::replay::panels::replay::{ReplayPanel, replay_panel_ui};
use crate::specs::panels::questions::spec_question_ui;
use crate::specs::panels::spec::SpecPanel;
use crate::state::{Place, StudioState};

/// Below this width, in points, the phone and the place share a space with tabs.
const NARROW: f32 = 840.0;
/// Height of the line at the bottom, in points.
const LINE: f32 = 28.0;
/// Height of the tabs for place and phone, in points.
const TABS: f32 = 36.0;
/// Minimum size of a place in points. In a smaller space it is scrolled.
const PLACE_SIZE: Vec2 = Vec2::new(600.0, 400.0);

/// The panels' own states.
#[derive(Default)]
pub struct StudioPanels {
    phone: PhonePanel,
    tree: RecordingPanel,
    specs: SpecPanel,
    fuzz: FuzzPanel,
    replay: ReplayPanel,
    palette: PalettePanel,
    chooser: AppChooser,
    phones: PhonesPanel,
    hover: Hover,
    /// The place where the first steps stay until it is left.
    first_steps: Option<Place>,
    /// Whether the phone is shown instead of the place if there is not enough space for both.
    phone_first: bool,
    /// Whether the phone is shown beside Fuzz and Replay, too.
    phone_beside: bool,
    /// The phone's width that fitted the window when it was last drawn.
    phone_width: Option<f32>,
    /// Whether the place was scrolled when it was last drawn.
    scrolled: bool,
}

/// Draws the window and queues the person's commands.
pub fn studio_ui(state: &StudioState, panels: &mut StudioPanels, commands: &mut Vec<Command>, ui: &mut Ui) {
    let focus = chords(state, commands, ui.ctx());
    let whole = ui.available_rect_before_wrap();
    let (top, below) = whole.split_top_bottom_at_y(whole.top() + BAR);
    let (middle, line) = below.split_top_bottom_at_y(below.bottom() - LINE);
    // A scrolled place extends below the bars. They are drawn after it, so that they also receive the clicks.
    let scrolled = panels.scrolled;
    if !scrolled {
        bars_ui(state, &mut panels.chooser, commands, (top, line), ui);
    }
    middle_ui(state, panels, commands, &mut ui.new_child(UiBuilder::new().max_rect(middle)));
    if scrolled {
        bars_ui(state, &mut panels.chooser, commands, (top, line), ui);
    }
    edges_ui(ui);
    panels.hover.turn(ui.ctx());
    help_ui(state, commands, ui.ctx());
    preferences_ui(state, commands, ui.ctx());
    keep_dialog_ui(state, commands, ui.ctx());
    spec_question_ui(state, commands, ui.ctx());
    phones_panel_ui(state, &mut panels.phones, commands, ui.ctx());
    data_dialog_ui(state, commands, ui.ctx());
    drop_overlay_ui(ui.ctx());
    file_chooser_ui(state, commands, ui.ctx());
    palette_ui(state, &mut panels.palette, commands, ui.ctx());
    plain_keys(state, commands, ui.ctx(), &focus);
}

/// Draws the bar above the places, and the line below them.
fn bars_ui(
    state: &StudioState,
    chooser: &mut AppChooser,
    commands: &mut Vec<Command>,
    (top, line): (Rect, Rect),
    ui: &mut Ui,
) {
    let bar = Frame::new().fill(tokens(ui.ctx()).panel).inner_margin(Margin::symmetric(12, 0));
    let top = &mut ui.new_child(UiBuilder::new().id_salt("top").max_rect(top));
    Panel::top("top bar").exact_size(BAR).frame(bar).show(top, |ui| top_bar_ui(state, chooser, commands, ui));
    let line = &mut ui.new_child(UiBuilder::new().id_salt("line").max_rect(line));
    Panel::bottom("status line")
        .exact_size(LINE)
        .frame(bar)
        .show(line, |ui| status_bar_ui(state, commands, ui));
}

/// Draws the phone and the place.
fn middle_ui(state: &StudioState, panels: &mut StudioPanels, commands: &mut Vec<Command>, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    first_steps_ui(state, &mut panels.first_steps, commands, ui);
    let phone = Frame::new().fill(tokens.base).inner_margin(Margin::same(12));
    if ui.available_width() < NARROW {
        let room = ui.available_rect_before_wrap();
        let (tabs, below) = room.split_top_bottom_at_y(room.top() + TABS);
        let inner = &mut ui.new_child(UiBuilder::new().max_rect(below));
        if panels.phone_first {
            phone.show(inner, |ui| phone_panel_ui(state, &mut panels.phone, &mut panels.hover, commands, ui));
        } else {
            place_ui(state, panels, commands, inner);
        }
        let tabs = &mut ui.new_child(UiBuilder::new().id_salt("tabs").max_rect(tabs));
        tabs_ui(state, panels, tabs);
    } else if !rail_ui(state, panels, ui) {
        place_ui(state, panels, commands, ui);
    } else {
        let width = ((ui.available_height() - 24.0 - 76.0) * 9.0 / 16.0 + 24.0).clamp(260.0, 560.0);
        // The phone gives way, since a place cannot be made smaller.
        let bar = if ui.available_height() < PLACE_SIZE.y { scroll_bar(ui) } else { 0.0 };
        let most =
            (ui.available_width() - PLACE_SIZE.x - bar).min(ui.available_width() * 0.5).clamp(240.0, 720.0);
        let fitting = width.min(most);
        follow_window(panels.phone_width.replace(fitting), fitting, ui);
        Panel::left("phone")
            .default_size(fitting)
            .size_range(240.0..=most)
            .frame(phone)
            .show(ui, |ui| phone_panel_ui(state, &mut panels.phone, &mut panels.hover, commands, ui));
        place_ui(state, panels, commands, ui);
    }
}

/// Width of the strip that the phone is folded to, in points.
const RAIL: f32 = 44.0;

/// Draws the strip that the phone is folded to in Fuzz and Replay, where it is not needed. Returns whether the phone is
/// shown: in Record always, and in Replay while it is led along a trace.
fn rail_ui(state: &StudioState, panels: &mut StudioPanels, ui: &mut Ui) -> bool {
    let led = state.settings.place == Place::Replay && state.takeover.is_some();
    if state.settings.place == Place::Record || led {
        return true;
    }
    let frame = Frame::new().fill(tokens(ui.ctx()).base).inner_margin(Margin::symmetric(8, 12));
    let rail = Panel::left("phone rail").exact_size(RAIL).resizable(false).frame(frame);
    let word = if panels.phone_beside { "Fold the phone" } else { "Show the phone" };
    let pressed = rail.show(ui, |ui| icon_button(ui, icon::PHONE, word, true).clicked()).inner;
    panels.phone_beside ^= pressed;
    panels.phone_beside
}

/// Fits the phone to a resized window, unless the person has moved the phone's edge.
fn follow_window(fitted: Option<f32>, fitting: f32, ui: &Ui) {
    let id = Id::new("phone");
    let width = PanelState::load(ui.ctx(), id).map(|state| state.outer_rect.width());
    let as_fitted = |fitted: f32| width.is_some_and(|width| (width - fitted).abs() < 1.0);
    if fitted.is_some_and(|fitted| fitted != fitting && as_fitted(fitted)) {
        ui.data_mut(|data| data.remove::<PanelState>(id));
    }
}

/// Draws the tabs for place and phone.
fn tabs_ui(state: &StudioState, panels: &mut StudioPanels, ui: &mut Ui) {
    let tabs = [
        (false, state.settings.place.word().to_owned(), "The place"),
        (true, "Phone".to_owned(), "The phone"),
    ];
    let frame = Frame::new().fill(tokens(ui.ctx()).panel).inner_margin(Margin::symmetric(12, 4));
    let panel = Panel::top("tabs").exact_size(TABS).frame(frame);
    let clicked = panel.show(ui, |ui| segments(ui, Some(panels.phone_first), &tabs)).inner;
    panels.phone_first = clicked.unwrap_or(panels.phone_first);
}

/// Width of a scroll bar, in points.
fn scroll_bar(ui: &Ui) -> f32 {
    ui.spacing().scroll.allocated_width()
}

/// Draws the shown place, with scroll bars if there is not enough space.
fn place_ui(state: &StudioState, panels: &mut StudioPanels, commands: &mut Vec<Command>, ui: &mut Ui) {
    let room = ui.available_size();
    let size = room.max(PLACE_SIZE);
    panels.scrolled = size != room;
    if !panels.scrolled {
        return place_in_ui(state, panels, commands, ui);
    }
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, tokens(ui.ctx()).base);
    ScrollArea::both().id_salt("place").auto_shrink([false, false]).show(ui, |ui| {
        // The scroll bars take some space, so the size may grow in one direction only.
        let size = ui.available_size().max(PLACE_SIZE);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let mut inner = ui.new_child(UiBuilder::new().max_rect(rect));
        place_in_ui(state, panels, commands, &mut inner);
    });
}

fn place_in_ui(state: &StudioState, panels: &mut StudioPanels, commands: &mut Vec<Command>, ui: &mut Ui) {
    match state.settings.place {
        Place::Record => {
            let (tree, specs) = (&mut panels.tree, &mut panels.specs);
            record_panel_ui(state, tree, specs, &mut panels.hover, commands, ui);
        }
        Place::Fuzz => fuzz_panel_ui(state, &mut panels.fuzz, commands, ui),
        Place::Replay => replay_panel_ui(state, &mut panels.replay, commands, ui),
    }
}
