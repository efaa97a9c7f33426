//! The command palette, which finds actions by their names.

use egui::{Align, Context, Id, Key, Layout, Margin, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui};

use crate::command::{ActionInfo, Command, Group, Order, actions_for};
use crate::parts::controls::{named, sheet};
use crate::parts::shortcuts::key_words;
use crate::parts::theme::{ROW, caption, strong, tokens};
use crate::shell::{Sheet, WindowCommand};
use crate::state::StudioState;

/// The palette's own state.
#[derive(Default)]
pub struct PalettePanel {
    typed: String,
    chosen: usize,
    open: bool,
}

/// Draws the palette if it is open.
pub fn palette_ui(state: &StudioState, panel: &mut PalettePanel, commands: &mut Vec<Command>, ctx: &Context) {
    if state.window.sheet != Some(Sheet::Palette) {
        panel.open = false;
        return;
    }
    let opened = !std::mem::replace(&mut panel.open, true);
    if opened {
        (panel.typed, panel.chosen) = (String::new(), 0);
    }
    let room = ctx.content_rect();
    let modal = Modal::new(Id::new("palette")).frame(sheet(ctx)).show(ctx, |ui| {
        ui.set_width(520.0_f32.min(room.width() - 64.0));
        let moved = moved(ui);
        let edit = TextEdit::singleline(&mut panel.typed)
            .desired_width(f32::INFINITY)
            .margin(Margin::symmetric(8, 6))
            .hint_text("Type what you want to do");
        let field = ui.add(edit);
        field.widget_info(|| {
            egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Type what you want to do")
        });
        field.request_focus();
        let found = actions_for(&panel.typed, &state.settings.recent_actions);
        if field.changed() {
            panel.chosen = 0;
        }
        panel.chosen = panel.chosen.saturating_add_signed(moved).min(found.len().saturating_sub(1));
        ui.add_space(8.0);
        let height = (room.height() - 180.0).clamp(120.0, 400.0);
        let list = ScrollArea::vertical().auto_shrink(false).min_scrolled_height(height).max_height(height);
        let clicked = list.show(ui, |ui| rows_ui(state, &found, panel.chosen, moved != 0, ui)).inner;
        let entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        clicked.or(entered.then(|| found.get(panel.chosen).copied()).flatten())
    });
    if let Some(action) = modal.inner {
        run(state, action, commands);
    } else if modal.should_close() {
        commands.push(WindowCommand::Show(None).into());
    }
}

/// How many rows the arrow keys have moved the selection, upwards if negative.
fn moved(ui: &Ui) -> isize {
    let count = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)).cast_signed();
    let (up, down) = (count(Key::ArrowUp), count(Key::ArrowDown));
    down - up
}

fn rows_ui(
    state: &StudioState,
    found: &[&'static ActionInfo],
    chosen: usize,
    moved: bool,
    ui: &mut Ui,
) -> Option<&'static ActionInfo> {
    if found.is_empty() {
        ui.label(RichText::new("No command is called that. Type less, or other words.").weak());
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut clicked = None;
    for (place, action) in found.iter().enumerate() {
        let order = (action.order)(state);
        let response = row_ui(action, &order, place == chosen, ui);
        if place == chosen && moved {
            response.scroll_to_me(None);
        }
        if response.clicked() {
            clicked = Some(*action);
        }
    }
    clicked
}

fn row_ui(action: &ActionInfo, order: &Order, chosen: bool, ui: &mut Ui) -> egui::Response {
    let tokens = tokens(ui.ctx());
    let (rect, response) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), ROW + 4.0), egui::Sense::click());
    let fill = match (chosen, response.hovered()) {
        (true, _) => tokens.accent_soft,
        (false, true) => tokens.control,
        (false, false) => egui::Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 4, fill);
    let mut row = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(rect.shrink2(egui::vec2(8.0, 0.0)))
            .layout(Layout::left_to_right(Align::Center)),
    );
    let name = if chosen { strong(action.label) } else { RichText::new(action.label) };
    let reason = order.as_ref().err();
    row.label(if reason.is_some() { name.color(tokens.quiet) } else { name });
    row.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new(key_words(action.keys)).monospace().small());
        match reason {
            Some(reason) => ui.add(egui::Label::new(caption(*reason)).truncate()),
            None => ui.label(caption(action.group.word())),
        };
    });
    named(&response, egui::WidgetType::Button, action.label);
    response
}

/// Executes the chosen action, after showing its place if that is another one. If the action is unavailable, the
/// palette stays open with the reason.
fn run(state: &StudioState, action: &'static ActionInfo, commands: &mut Vec<Command>) {
    let Ok(command) = (action.order)(state) else { return };
    commands.extend([WindowCommand::Show(None).into(), WindowCommand::Used(action.id).into()]);
    if let Group::In(place) = action.group
        && place != state.settings.place
    {
        commands.push(Command::Go(place));
    }
    commands.push(command);
}
