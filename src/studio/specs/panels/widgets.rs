//! The widgets of a DMF: each with a field for every part of its selector.

use std::collections::BTreeSet;

use egui::{Align, ComboBox, DragValue, Grid, Label, RichText, TextEdit, Ui, WidgetInfo, WidgetType};

use super::edit::{Form, order};
use crate::parts::controls::{Tone, badge, choice, choose, icon_button, labelled_button, look_ui, named};
use crate::parts::theme::{CONTROL, caption, icon, strong};
use crate::parts::word_field::word_field;
use crate::specs::{DocumentCommand, rename_widget, widgets_used};
use taproof_screen::{Beside, Layout, Role, Side, Widget};
use taproof_spec::{
    NamedSelector, SpecSelector, TextPattern, choose_preferred_selector, named_by, widget_words,
};

/// Maximum number of values that are offered.
const MAX_OFFERED: usize = 40;

/// The panel's own state.
#[derive(Default)]
pub struct WidgetsPanel {
    /// The widget whose fields are shown, by name.
    open: Option<String>,
    /// A name that was typed although another widget has it.
    taken: Option<String>,
}

/// Draws the widgets of the DMF.
pub fn widgets_ui(form: &mut Form<'_>, panel: &mut WidgetsPanel, ui: &mut Ui) {
    let mut removed = None;
    for index in 0..form.dmf.widgets.len() {
        let Some(widget) = form.dmf.widgets.get(index).cloned() else { continue };
        let open = panel.open.as_ref() == Some(&widget.name);
        ui.horizontal(|ui| {
            let fold = if open { icon::OPEN } else { icon::CLOSED };
            let label = format!("{} {}", if open { "Fold" } else { "Unfold" }, widget.name);
            if icon_button(ui, fold, &label, true).clicked() {
                panel.open = (!open).then(|| widget.name.clone());
                panel.taken = None;
            }
            ui.label(strong(widget_words(&widget, &form.dmf)))
                .on_hover_text(format!("{} in the file", widget.name));
            count_ui(form, &widget.selector, ui);
            ui.add(Label::new(RichText::new(widget.selector.to_string()).small().weak()).truncate())
                .on_hover_text(widget.selector.to_string());
        });
        if open {
            ui.indent(("widget", index), |ui| {
                if fields_ui(form, index, panel, ui) {
                    removed = Some(index);
                }
            });
        }
        form.findings_ui(&format!("widgets[{index}]"), ui);
    }
    if let Some(index) = removed {
        form.dmf.widgets.remove(index);
        form.touch("widgets removed");
    }
    ui.horizontal(|ui| {
        let chosen = form.state.selected.is_some();
        let tip = "Choose a widget first: right click on the phone";
        let response = labelled_button(ui, icon::TOUCH, "Add the widget chosen on the phone", chosen);
        if response.on_disabled_hover_text(tip).clicked() {
            panel.open = widget_from_phone(form, form.dmf.steps.len());
        }
    });
}

/// Draws a widget's selector after its name.
pub fn found_by_ui(form: &Form<'_>, name: Option<&str>, ui: &mut Ui) {
    const LEAST: f32 = 96.0;
    let widget = name.and_then(|name| form.dmf.widget(name));
    // If there is no space, only the tooltip of the widget's choice shows it, since a line of its own would separate
    // the rows.
    let room = ui.available_size_before_wrap().x - 2.0 * ui.spacing().item_spacing.x;
    if let Some(widget) = widget.filter(|_| room > LEAST) {
        let selector = widget.selector.to_string();
        let row = egui::Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(egui::vec2(room, CONTROL), row, |ui| {
            ui.add(Label::new(caption(&selector)).truncate()).on_hover_text(selector);
        });
    }
}

/// Draws how many widgets of the phone's screen match a selector.
fn count_ui(form: &Form<'_>, selector: &SpecSelector, ui: &mut Ui) {
    let Some(layout) = form.state.mirror.layout() else { return };
    let (text, tone) = match named_by(selector, layout, &[]).len() {
        0 => ("not on this screen".to_owned(), Tone::Plain),
        1 => ("1 on this screen".to_owned(), Tone::Good),
        several => (format!("{several} on this screen"), Tone::Warn),
    };
    badge(ui, "", &text, tone);
}

/// Draws the fields of a widget. Returns whether the widget shall be removed.
fn fields_ui(form: &mut Form<'_>, index: usize, panel: &mut WidgetsPanel, ui: &mut Ui) -> bool {
    let Some(before) = form.dmf.widgets.get(index).cloned() else { return false };
    let mut widget = before.clone();
    let layout = form.state.mirror.layout().cloned();
    let layout = layout.as_deref();
    let reads: Vec<String> =
        form.dmf.widgets.iter().filter(|other| other.is_read()).map(|other| other.name.clone()).collect();
    let last = form.dmf.steps.len();
    Grid::new(("selector", index)).num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
        ui.label(caption("name"));
        ui.horizontal(|ui| {
            let of = form.word_of().with(index);
            let (field, name) = word_field(ui, of, &widget.name, "e1_widget", 160.0);
            named(&field, WidgetType::TextEdit, "Name of the widget");
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                let taken = form.dmf.widgets.iter().any(|other| other.name == name);
                panel.taken = taken.then(|| name.clone());
                if !taken {
                    widget.name = name;
                }
            }
            ui.label(caption("screen"));
            let screen = ui.add(DragValue::new(&mut widget.layout).range(0..=last));
            named(&screen, WidgetType::DragValue, "Screen of the widget");
            screen.on_hover_text("On which screen of the run it is looked up: 0 is before the first step");
        });
        ui.end_row();
        let selector = &mut widget.selector;
        let id = |widget: &Widget| widget.resource_id.clone().map(|id| id.to_string()).unwrap_or_default();
        part_ui(ui, "id", "org.example:id/save", &mut selector.resource_id, layout, id);
        ui.label(caption("text"));
        text_ui(&mut selector.text, &form.dmf.data_type, &reads, layout, ui);
        ui.end_row();
        let description = |widget: &Widget| widget.content_desc.to_string();
        part_ui(ui, "description", "Add a note", &mut selector.content_desc, layout, description);
        let class = |widget: &Widget| widget.class.to_string();
        part_ui(ui, "class", "android.widget.Button", &mut selector.class, layout, class);
        ui.label(caption("instance"));
        instance_ui(&mut selector.instance, ui);
        ui.end_row();
        part_ui(ui, "xpath", "//node[@text='Save']", &mut selector.xpath, None, |_| String::new());
        role_ui(&mut selector.role, ui);
        beside_ui(&mut selector.beside, ui);
        if let Some(row) = selector.row.clone() {
            ui.label(caption("in the row of"));
            ui.horizontal(|ui| {
                ui.label(row);
                if icon_button(ui, icon::CLOSE, "Anywhere, not in that row", true).clicked() {
                    selector.row = None;
                }
            });
            ui.end_row();
        }
    });
    if let Some(taken) = &panel.taken {
        look_ui(ui, &format!("Another widget is named {taken}: choose another name."));
    }
    let remove = actions_ui(form, &mut widget, ui);
    if widget != before {
        let name = std::mem::replace(&mut widget.name, before.name.clone());
        if let Some(place) = form.dmf.widgets.get_mut(index) {
            *place = widget;
        }
        if name != before.name {
            rename_widget(&mut form.dmf, &before.name, &name);
            panel.open = Some(name);
        }
        form.touch(&format!("widgets[{index}]"));
    }
    remove
}

/// What the widget is for.
fn role_ui(role: &mut Option<Role>, ui: &mut Ui) {
    ui.label(caption("role"));
    let word = |role: Option<Role>| role.map_or("any", Role::word);
    let combo = ComboBox::from_id_salt("role").selected_text(word(*role));
    let roles = std::iter::once(None).chain(Role::ALL.into_iter().map(Some)).map(|role| (role, word(role)));
    choose(combo, "Role of the widget", role, roles, ui);
    ui.end_row();
}

/// The label that the widget is beside.
fn beside_ui(beside: &mut Option<Beside>, ui: &mut Ui) {
    ui.label(caption("beside"));
    ui.horizontal(|ui| {
        let mut side = beside.as_ref().map(|beside| beside.side);
        let words = |side: Option<Side>| side.map_or("nothing", Side::words);
        let combo = ComboBox::from_id_salt("side").selected_text(words(side));
        let sides = std::iter::once(None).chain(Side::ALL.into_iter().map(Some));
        choose(combo, "Side of the label", &mut side, sides.map(|side| (side, words(side))), ui);
        let mut label = beside.as_ref().map(|beside| beside.label.clone()).unwrap_or_default();
        if side.is_some() {
            let field = ui.add(TextEdit::singleline(&mut label).hint_text("Title").desired_width(140.0));
            named(&field, WidgetType::TextEdit, "Label beside the widget");
        }
        *beside = side.map(|side| Beside { side, label });
    });
    ui.end_row();
}

fn actions_ui(form: &mut Form<'_>, widget: &mut NamedSelector, ui: &mut Ui) -> bool {
    let mut remove = false;
    ui.horizontal_wrapped(|ui| {
        let marked = form.state.documents.marked.as_ref() == Some(&widget.selector);
        let word = if marked { "Hide on the phone" } else { "Show on the phone" };
        if labelled_button(ui, icon::SHOW, word, true).clicked() {
            let selector = (!marked).then(|| widget.selector.clone());
            order(form.commands, DocumentCommand::Mark(selector));
        }
        let chosen = form.state.selected;
        let tip = "Choose a widget first: right click on the phone";
        let take = labelled_button(ui, icon::TOUCH, "Take the widget chosen on the phone", chosen.is_some());
        if let (true, Some(layout), Some(idx)) =
            (take.on_disabled_hover_text(tip).clicked(), form.state.mirror.layout(), chosen)
        {
            let prefer = form.state.settings.preferred_selector;
            widget.selector = choose_preferred_selector(layout, idx, &[], prefer).selector;
        }
        let uses = widgets_used(&form.dmf, widget);
        let remove_it = labelled_button(ui, icon::DELETE, "Remove", uses.is_empty());
        remove = remove_it.on_disabled_hover_text(format!("It is used: {}", uses.join(", "))).clicked();
        ui.label(caption(if uses.is_empty() {
            "not used".to_owned()
        } else {
            format!("used: {}", uses.join(", "))
        }));
    });
    remove
}

/// Draws a part of a selector, which can be typed or chosen from what the phone shows.
fn part_ui(
    ui: &mut Ui,
    name: &str,
    hint: &str,
    part: &mut Option<String>,
    layout: Option<&Layout>,
    value: impl Fn(&Widget) -> String,
) {
    ui.label(caption(name));
    ui.horizontal(|ui| {
        let mut text = part.clone().unwrap_or_default();
        if text_field(ui, &mut text, name, hint, 220.0) {
            *part = Some(text).filter(|text| !text.is_empty());
        }
        if let Some(layout) = layout
            && let Some(chosen) = offered_ui(ui, name, layout, value)
        {
            *part = Some(chosen);
        }
    });
    ui.end_row();
}

/// Draws a menu of the values on the phone's screen. Returns the chosen one.
fn offered_ui(ui: &mut Ui, name: &str, layout: &Layout, value: impl Fn(&Widget) -> String) -> Option<String> {
    let mut chosen = None;
    let menu = ui.menu_button("on the phone", |ui| {
        let values: BTreeSet<String> =
            layout.widgets().iter().map(value).filter(|value| !value.is_empty()).collect();
        if values.is_empty() {
            ui.label(caption("No widget of this screen has one."));
        }
        for value in values.into_iter().take(MAX_OFFERED) {
            if ui.button(value.as_str()).clicked() {
                chosen = Some(value);
                ui.close();
            }
        }
    });
    named(&menu.response, WidgetType::Button, &format!("Choose the {name} from the phone"));
    chosen
}

fn text_ui(text: &mut TextPattern, noun: &str, reads: &[String], layout: Option<&Layout>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        let word = match text {
            TextPattern::Any => "any".to_owned(),
            TextPattern::Is(_) => "this".to_owned(),
            TextPattern::FromRead(name) => format!("what {name} showed"),
            TextPattern::Existing(data_type) => format!("an existing {data_type}"),
        };
        let combo = choice(ui, ui.next_auto_id(), word, 120.0);
        let response = combo.show_ui(ui, |ui| {
            let mut choices = vec![
                ("any".to_owned(), TextPattern::Any),
                ("this".to_owned(), TextPattern::Is("text".to_owned())),
            ];
            let read = |name: &String| (format!("what {name} showed"), TextPattern::FromRead(name.clone()));
            choices.extend(reads.iter().map(read));
            choices.push((format!("an existing {noun}"), TextPattern::Existing(noun.to_owned())));
            for (label, pattern) in choices {
                let same = pattern == *text
                    || matches!((&pattern, &*text), (TextPattern::Is(_), TextPattern::Is(_)));
                if ui.selectable_label(same, label).clicked() && !same {
                    *text = pattern;
                }
            }
        });
        named(&response.response, WidgetType::ComboBox, "Text of the widget");
        if let TextPattern::Is(literal) = text {
            let mut typed = literal.clone();
            if text_field(ui, &mut typed, "text", "Save", 120.0) {
                *text = if typed.is_empty() { TextPattern::Any } else { TextPattern::Is(typed) };
            }
            if let Some(layout) = layout
                && let Some(chosen) = offered_ui(ui, "text", layout, |widget| widget.text.to_string())
            {
                *text = TextPattern::Is(chosen);
            }
        }
    });
}

fn instance_ui(instance: &mut Option<u32>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let mut on = instance.is_some();
        let check = ui.checkbox(&mut on, "only the one of number");
        if check
            .on_hover_text("Among those that have all other parts, from 0. A place is no identity.")
            .changed()
        {
            *instance = on.then_some(0);
        }
        if let Some(number) = instance {
            let response = ui.add(DragValue::new(number).range(0..=999));
            named(&response, WidgetType::DragValue, "Instance");
        }
    });
}

/// Draws a field of one line. Returns whether its text was changed.
pub fn text_field(ui: &mut Ui, text: &mut String, name: &str, hint: &str, width: f32) -> bool {
    let edit = TextEdit::singleline(text)
        .hint_text(hint)
        .desired_width(width)
        .margin(egui::Margin::symmetric(8, 5))
        .font(egui::TextStyle::Monospace);
    let response = ui.add(edit);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, ui.is_enabled(), name));
    response.changed()
}

/// Adds the widget that is selected on the phone to the DMF. Returns its name, or `None` if none is selected.
pub fn widget_from_phone(form: &mut Form<'_>, layout_number: usize) -> Option<String> {
    let layout = form.state.mirror.layout()?;
    let prefer = form.state.settings.preferred_selector;
    let chosen = choose_preferred_selector(layout, form.state.selected?, &[], prefer);
    let taken = |name: &str| form.dmf.widgets.iter().any(|widget| widget.name == name);
    let name = (layout_number + 1..).map(|number| format!("e{number}_widget")).find(|name| !taken(name))?;
    let widget = NamedSelector { name: name.clone(), layout: layout_number, selector: chosen.selector };
    form.dmf.widgets.push(widget);
    form.touch("widgets added");
    Some(name)
}
