//! The steps of a DMF: the action, its widget, its text.

use egui::{DragValue, Ui, WidgetType};

use super::edit::Form;
use super::widgets::{found_by_ui, text_field, widget_from_phone};
use crate::parts::controls::{
    begin_row_unless_it_fits, choice, choose, icon_button, labelled_button, named, named_checkbox,
};
use crate::parts::theme::{CONTROL, caption, icon};
use crate::phone::panels::typing::typing_note_ui;
use taproof_screen::Direction;
use taproof_spec::{
    Action, DEFAULT_CLASSES, Dmf, DmfStep, FreshText, Input, NamedSelector, TextClass, widget_words,
};

/// Stands for the texts of [`TextClass::Unicode`].
const OTHER_SCRIPT: &str = "\u{540d}";

/// The label of an action.
fn action_word(action: Action) -> &'static str {
    match action {
        Action::Click => "tap",
        Action::LongClick => "hold",
        Action::Edit => "type into",
        Action::Back => "press Back",
        Action::Home => "press Home",
        Action::ScrollTo => "scroll to the text",
        Action::Scroll(Direction::Left) => "scroll left",
        Action::Scroll(Direction::Right) => "scroll right",
        Action::Scroll(Direction::Up) => "scroll forward",
        Action::Scroll(Direction::Down) => "scroll back",
        Action::Drag => "drag",
        Action::Sleep => "wait",
        Action::RotateNatural => "turn upright",
        Action::RotateLeft => "turn left",
        Action::Start => "start the app",
        Action::Stop => "stop the app",
        Action::Clear => "clear the app\u{2019}s data",
        Action::ImeAction => "press the keyboard\u{2019}s action key",
    }
}

/// Draws the steps of the DMF.
pub fn steps_ui(form: &mut Form<'_>, ui: &mut Ui) {
    let mut moved = None;
    let count = form.dmf.steps.len();
    for index in 0..count {
        let Some(mut step) = form.dmf.steps.get(index).cloned() else { continue };
        let before = step.clone();
        ui.horizontal_wrapped(|ui| {
            ui.label(caption(format!("{}", index + 1)));
            action_ui(&mut step, index, ui);
            if step.action.needs_widget() || step.widget.is_some() || step.action == Action::ScrollTo {
                let optional = !step.action.needs_widget();
                let name = format!("Widget of step {}", index + 1);
                widget_choice_ui(form, &mut step.widget, &name, index, optional, ui);
            }
            moved = moved.or(move_ui(index, count, ui));
            input_ui(form, &mut step, index, ui);
            let must =
                named_checkbox(ui, &mut step.required, "must work", &format!("Step {} must work", index + 1));
            must.on_hover_text("Off: the step may fail, and the function goes on");
            found_by_ui(form, step.widget.as_deref(), ui);
        });
        if step != before {
            if let Some(place) = form.dmf.steps.get_mut(index) {
                *place = step;
            }
            form.touch(&format!("events[{index}]"));
        }
        form.findings_ui(&format!("events[{index}]"), ui);
        untyped_ui(form, index, ui);
    }
    if let Some((from, to)) = moved {
        move_step(&mut form.dmf, from, to);
        form.touch(if to.is_some() { "events moved" } else { "events removed" });
    }
    if labelled_button(ui, icon::NEW, "Add a step", true).clicked() {
        let step = DmfStep { action: Action::Click, widget: None, input: Input::None, required: true };
        form.dmf.steps.push(step);
        form.touch("events added");
    }
    no_steps_ui(form, ui);
}

/// Draws the buttons that move a step or remove it, beside each other in whichever line. Returns the step, and where it goes.
fn move_ui(index: usize, count: usize, ui: &mut Ui) -> Option<(usize, Option<usize>)> {
    begin_row_unless_it_fits(ui, 3.0 * CONTROL);
    let mut moved = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let label = |what: &str| format!("{what} step {}", index + 1);
        if icon_button(ui, icon::UP, &label("Move up"), index > 0).clicked() {
            moved = Some((index, Some(index.saturating_sub(1))));
        }
        if icon_button(ui, icon::DOWN, &label("Move down"), index + 1 < count).clicked() {
            moved = Some((index, Some(index + 1)));
        }
        if icon_button(ui, icon::DELETE, &label("Remove"), true).clicked() {
            moved = Some((index, None));
        }
    });
    moved
}

/// Draws that the phone which is shown cannot type the text of a step.
fn untyped_ui(form: &mut Form<'_>, index: usize, ui: &mut Ui) {
    let Some(DmfStep { action: Action::Edit, input, .. }) = form.dmf.steps.get(index) else { return };
    let text = match input {
        Input::Literal(text) => text.as_str(),
        Input::Fresh(fresh) if fresh.classes.iter().any(|(class, _)| *class == TextClass::Unicode) => {
            OTHER_SCRIPT
        }
        Input::None | Input::Fresh(_) | Input::Existing(_) => return,
    };
    typing_note_ui(form.state, text, form.commands, ui);
}

/// Draws the findings about the list of steps as a whole, at its end.
fn no_steps_ui(form: &mut Form<'_>, ui: &mut Ui) {
    if form.dmf.steps.is_empty() {
        form.findings_ui("events", ui);
    }
}

/// Moves a step to another index, or removes it if `to` is `None`. The screens on which widgets are looked up change
/// accordingly.
fn move_step(dmf: &mut Dmf, from: usize, to: Option<usize>) {
    if from >= dmf.steps.len() {
        return;
    }
    let step = dmf.steps.remove(from);
    match to {
        Some(to) => dmf.steps.insert(to.min(dmf.steps.len()), step),
        None => {
            let last = dmf.steps.len();
            for widget in dmf.widgets.iter_mut().filter(|widget| widget.layout > from) {
                widget.layout -= 1;
            }
            let conditions = dmf.postconditions.iter_mut().filter_map(|condition| condition.layout.as_mut());
            conditions.filter(|layout| **layout > last).for_each(|layout| *layout = last);
        }
    }
}

fn action_ui(step: &mut DmfStep, index: usize, ui: &mut Ui) {
    let combo = choice(ui, ("action", index), action_word(step.action), 104.0);
    let actions = Action::WORDS.map(|(action, _)| (action, action_word(action)));
    if !choose(combo, &format!("Action of step {}", index + 1), &mut step.action, actions, ui).changed() {
        return;
    }
    let action = step.action;
    if action == Action::Edit && step.input == Input::None {
        step.input = Input::Fresh(FreshText::default());
    }
    if !action.needs_widget() && action != Action::ScrollTo {
        step.widget = None;
    }
    if matches!(action, Action::Click | Action::LongClick | Action::Back | Action::Home | Action::Scroll(_)) {
        step.input = Input::None;
    }
}

/// Draws the choice among the DMF's widgets, with an entry that adds the widget selected on the phone.
pub fn widget_choice_ui(
    form: &mut Form<'_>,
    widget: &mut Option<String>,
    name: &str,
    layout: usize,
    optional: bool,
    ui: &mut Ui,
) {
    let called = |known: &NamedSelector| (known.name.clone(), widget_words(known, &form.dmf));
    let known: Vec<(String, String)> = form.dmf.widgets.iter().map(called).collect();
    let words = |name: &str| known.iter().find(|(known, _)| known == name).map(|(_, words)| words.clone());
    let shown = widget.as_ref().map(|name| words(name).unwrap_or_else(|| name.clone()));
    let shown = shown.unwrap_or_else(|| "choose a widget".to_owned());
    let combo = choice(ui, name, &shown, 168.0);
    let response = combo.show_ui(ui, |ui| {
        if optional && ui.selectable_label(widget.is_none(), "no widget").clicked() {
            *widget = None;
        }
        for (name, words) in &known {
            let response = ui.selectable_label(widget.as_ref() == Some(name), words);
            let selector = form.dmf.widget(name).map(|known| known.selector.to_string()).unwrap_or_default();
            if response.on_hover_text(format!("{name}: {selector}")).clicked() {
                *widget = Some(name.clone());
            }
        }
        ui.separator();
        let chosen = form.state.selected.is_some();
        let tip =
            "Choose a widget first: right click on the phone, or click its row in the tree of Recording";
        let label = "New, from the widget chosen on the phone";
        if ui.add_enabled(chosen, egui::Button::new(label)).on_disabled_hover_text(tip).clicked()
            && let Some(new) = widget_from_phone(form, layout)
        {
            *widget = Some(new);
        }
    });
    named(&response.response, WidgetType::ComboBox, name);
    response.response.on_hover_text(shown);
}

fn input_ui(form: &Form<'_>, step: &mut DmfStep, index: usize, ui: &mut Ui) {
    let number = index + 1;
    match step.action {
        Action::Edit | Action::ScrollTo => {}
        Action::Drag | Action::Sleep => {
            let mut text = match &step.input {
                Input::Literal(text) => text.clone(),
                Input::None | Input::Fresh(_) | Input::Existing(_) => String::new(),
            };
            let hint = if step.action == Action::Sleep { "seconds" } else { "x1,y1,x2,y2" };
            if text_field(ui, &mut text, &format!("Text of step {number}"), hint, 96.0) {
                step.input = Input::Literal(text);
            }
            return;
        }
        _ => return,
    }
    let noun = form.dmf.data_type.clone();
    let existing = match &step.input {
        Input::Existing(data_type) => format!("an existing {data_type}"),
        _ => format!("an existing {noun}"),
    };
    let word = match &step.input {
        Input::None => "nothing",
        Input::Fresh(_) => "a new text",
        Input::Existing(_) => existing.as_str(),
        Input::Literal(_) => "this text",
    };
    let combo = choice(ui, ("input", index), word, 110.0);
    let response = combo.show_ui(ui, |ui| {
        let choices = [
            ("a new text".to_owned(), Input::Fresh(FreshText::default())),
            (format!("an existing {noun}"), Input::Existing(noun.clone())),
            ("this text".to_owned(), Input::Literal("text".to_owned())),
        ];
        for (label, input) in choices {
            let same = std::mem::discriminant(&input) == std::mem::discriminant(&step.input);
            if ui.selectable_label(same, label).clicked() && !same {
                step.input = input;
            }
        }
    });
    named(&response.response, WidgetType::ComboBox, &format!("Text of step {number}"));
    match &mut step.input {
        Input::Literal(text) => {
            // An empty text would mean no text.
            let mut typed = text.clone();
            if text_field(ui, &mut typed, &format!("Fixed text of step {number}"), "text", 96.0)
                && !typed.is_empty()
            {
                *text = typed;
            }
        }
        Input::Fresh(fresh) => classes_ui(fresh, number, ui),
        Input::None | Input::Existing(_) => {}
    }
}

fn class_word(class: TextClass) -> &'static str {
    match class {
        TextClass::Plain => "letters and digits",
        TextClass::Existing => "equal to an existing one",
        TextClass::OtherCase => "an existing one in other case",
        TextClass::Extending => "longer or shorter than an existing one",
        TextClass::Removed => "equal to a removed one",
        TextClass::Symbols => "with symbols",
        TextClass::BlankEdges => "with blanks at the edges",
        TextClass::Long => "long",
        TextClass::Digits => "digits",
        TextClass::Unicode => "emoji and other scripts",
        TextClass::Hostile => "like code or a path",
    }
}

/// Draws which classes of texts may be generated, with their weights.
fn classes_ui(fresh: &mut FreshText, number: usize, ui: &mut Ui) {
    let word = match fresh.classes.len() {
        0 => "usual kinds".to_owned(),
        1 => "1 kind".to_owned(),
        kinds => format!("{kinds} kinds"),
    };
    let menu = ui.menu_button(word, |ui| {
        ui.label(caption("How often each kind of text is drawn; 0: never"));
        let drawn = if fresh.classes.is_empty() { DEFAULT_CLASSES.to_vec() } else { fresh.classes.clone() };
        for class in TextClass::ALL {
            let before = drawn.iter().find(|(known, _)| *known == class).map_or(0, |(_, weight)| *weight);
            let mut weight = before;
            ui.horizontal(|ui| {
                let response = ui.add(DragValue::new(&mut weight).range(0..=100));
                named(&response, WidgetType::DragValue, class_word(class));
                ui.label(class_word(class));
            });
            if weight != before {
                let mut classes = drawn.clone();
                classes.retain(|(known, _)| *known != class);
                if weight > 0 {
                    classes.push((class, weight));
                }
                classes.sort_by_key(|(class, _)| *class);
                fresh.classes = classes;
            }
        }
    });
    named(&menu.response, WidgetType::Button, &format!("Kinds of text of step {number}"));
}
