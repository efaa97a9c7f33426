//! The phone's widgets: the tree, and the attributes of the highlighted or selected widget.

use egui::{Frame, Grid, Label, Margin, Panel, RichText, ScrollArea, TextEdit, Ui, WidgetType};

use crate::command::Command;
use crate::parts::controls::{Tone, badge, empty_state, named};
use crate::parts::overlay::Hover;
use crate::parts::theme::{caption, glyph, heading, icon, tokens};
use crate::phone::panels::phone::phone_marks;
use crate::phone::panels::widget_menu::widget_menu_ui;
use crate::phone::panels::widget_tree::{TreePanel, TreeView, tree_with_menu_ui};
use crate::phone::{attributes, flag_words};
use crate::state::StudioState;
use taproof_screen::{Layout, Selector, WidgetIdx, widget_name};

/// Draws tree, attributes and search field.
pub fn inspect_panel_ui(
    state: &StudioState,
    panel: &mut TreePanel,
    hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(layout) = state.mirror.layout().filter(|_| state.connecting().is_none()) else {
        match state.lent_phone() {
            Some(lent) => {
                let user = format!("The phone is {}", lent.user);
                empty_state(ui, icon::TREE, &user, "Its widgets are shown again once it is free.");
            }
            None => {
                let when = "The widgets appear as soon as the phone has started.";
                empty_state(ui, icon::TREE, "No screen yet", when);
            }
        }
        return;
    };
    let height = (ui.available_height() * 0.45).clamp(120.0, 420.0);
    let frame = Frame::new().fill(tokens(ui.ctx()).panel);
    let below = frame.inner_margin(Margin { top: 8, ..Margin::ZERO });
    Panel::bottom("attributes").frame(below).resizable(true).default_size(height).show(ui, |ui| {
        attributes_ui(state, layout, hover.shown().or(state.selected), ui);
    });
    egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(heading("Widget tree"));
            ui.label(caption(format!("{} widgets", layout.widgets().len())));
        });
        query_ui(state, layout, &mut panel.query, commands, ui);
        let marks = phone_marks(state);
        let (found, selected) = (state.matches.as_slice(), state.selected);
        let view = TreeView { layout, marks: &marks, missing: &[], found, selected };
        let picture = state.mirror.shown.as_ref().and_then(|shown| shown.picture.as_ref());
        let rules = state.campaigns.form.rules_of(&state.settings.target.app).own;
        let mut menu = |idx, ui: &mut Ui| widget_menu_ui(layout, idx, picture, &rules, commands, ui);
        if let Some(idx) = tree_with_menu_ui(ui, &view, panel, hover, Some(&mut menu)) {
            if let Some(picking) = state.picking() {
                commands.push((picking.chosen)(idx));
            } else {
                let chosen = (state.selected != Some(idx)).then_some(idx);
                commands.push(Command::Select(chosen));
            }
        }
    });
}

/// Draws the search field. The widgets that match it are outlined on the phone.
fn query_ui(
    state: &StudioState,
    layout: &Layout,
    text: &mut String,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let found = match Selector::search(text) {
        Ok(selector) => selector.try_matches(layout).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let (found, problem) = match found {
        Ok(found) => (found, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    ui.horizontal(|ui| {
        ui.label(glyph(icon::SEARCH).color(tokens(ui.ctx()).quiet));
        let edit = TextEdit::singleline(text)
            .desired_width((ui.available_width() - 96.0).max(80.0))
            .margin(Margin::symmetric(8, 5))
            .hint_text(RichText::new("id:save, text:Save, //Button").weak());
        let field = ui.add(edit).on_hover_text(
            "A word, id:, text:, desc:, class:, an XPath, or a selector of uiautomator2, Appium, Espresso or Maestro. What \
             it names is outlined on the phone.",
        );
        named(&field, WidgetType::TextEdit, "Find widgets");
        if !text.is_empty() {
            let tone = if found.is_empty() { Tone::Warn } else { Tone::Accent };
            badge(ui, "", &format!("{} found", found.len()), tone);
        }
    });
    if let Some(error) = problem {
        ui.add(Label::new(RichText::new(error).color(tokens(ui.ctx()).warn)).wrap());
    }
    if found != state.matches {
        commands.push(Command::Match(found));
    }
}

fn attributes_ui(state: &StudioState, layout: &Layout, idx: Option<WidgetIdx>, ui: &mut Ui) {
    let Some((idx, widget)) = idx.and_then(|idx| Some((idx, layout.get(idx)?))) else {
        ui.label(heading("Widget"));
        empty_state(
            ui,
            icon::TOUCH,
            "No widget chosen",
            "Point at the phone or at a row of the tree; click a row to keep it.",
        );
        return;
    };
    ui.horizontal(|ui| {
        ui.label(heading(widget.short_class()));
        if state.selected == Some(idx) {
            badge(ui, "", "chosen", Tone::Accent);
        }
    });
    ui.add(Label::new(RichText::new(widget_name(widget)).weak()).truncate());
    ui.add_space(8.0);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 16.0;
        Grid::new("attributes").num_columns(2).spacing([12.0, 8.0]).show(ui, |ui| {
            for (name, value) in attributes(layout, idx) {
                ui.label(caption(name));
                let text = if value.is_empty() {
                    RichText::new("\u{2013}").weak()
                } else {
                    RichText::new(value).monospace()
                };
                ui.add(Label::new(text).wrap().selectable(true));
                ui.end_row();
            }
            ui.label(caption("size"));
            let bounds = widget.bounds;
            ui.label(RichText::new(format!("{} \u{d7} {} px", bounds.width(), bounds.height())).monospace());
            ui.end_row();
        });
        ui.add_space(8.0);
        ui.label(caption("flags"));
        ui.horizontal_wrapped(|ui| {
            for word in flag_words(widget.flags) {
                badge(ui, "", word, Tone::Plain);
            }
        });
        ui.add_space(8.0);
        ui.label(caption("inside"));
        for above in layout.ancestors(idx) {
            ui.add(Label::new(RichText::new(widget_name(layout.widget(above))).weak()).truncate());
        }
    });
}
