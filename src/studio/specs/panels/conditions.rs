//! Preconditions and postconditions as sentences with pickers, and the effects on the data.

use egui::{DragValue, Ui, WidgetType};

use super::edit::{Form, finding_ui};
use super::steps::widget_choice_ui;
use super::trial::line_ui;
use super::widgets::found_by_ui;
use crate::parts::controls::{
    Tone, badge, choice, choose, icon_button, labelled_button, named, named_checkbox,
};
use crate::parts::theme::{caption, icon, tokens};
use taproof_screen::WidgetIdx;
use taproof_spec::{
    Condition, Impact, ImpactOp, Relation, TextPattern, WidgetState, condition_sentence, condition_words,
    named_by,
};

/// What a condition is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// A widget on the screen.
    Widget,
    /// A widget that shows an object of the data.
    WidgetOnData,
    /// The data of the app.
    Data,
}

impl Subject {
    fn of(condition: &Condition) -> Subject {
        match (&condition.widget, &condition.data_type) {
            (None, Some(_)) => Subject::Data,
            (Some(_), Some(_)) => Subject::WidgetOnData,
            (_, None) => Subject::Widget,
        }
    }
}

/// Draws the preconditions or the postconditions.
pub fn conditions_ui(form: &mut Form<'_>, before: bool, ui: &mut Ui) {
    let key = if before { "preconditions" } else { "post-conditions" };
    let list = if before { form.dmf.preconditions.clone() } else { form.dmf.postconditions.clone() };
    let mut now = list.clone();
    let mut removed = None;
    for (index, condition) in list.iter().enumerate() {
        let Some(place) = now.get_mut(index) else { continue };
        ui.horizontal_wrapped(|ui| {
            condition_ui(form, place, &format!("{key} {}", index + 1), before, ui);
            if icon_button(ui, icon::DELETE, &format!("Remove {key} {}", index + 1), true).clicked() {
                removed = Some(index);
            }
            found_by_ui(form, place.widget.as_deref(), ui);
        });
        if place != condition {
            form.touch(&format!("{key}[{index}]"));
        }
        form.findings_ui(&format!("{key}[{index}]"), ui);
        if let Some(why) = form.state.trial.never_fails(&form.dmf, index).filter(|_| !before) {
            line_ui(ui, icon::LOOK, tokens(ui.ctx()).warn, &format!("Never fails: {why}"));
        }
    }
    if let Some(index) = removed {
        now.remove(index);
        form.touch(&format!("{key} removed"));
    }
    let word = if before { "Add a condition before" } else { "Add a condition after" };
    if labelled_button(ui, icon::NEW, word, true).clicked() {
        now.push(new_condition(form, before));
        form.touch(&format!("{key} added"));
    }
    if list.is_empty() {
        form.findings_ui(key, ui);
    }
    *(if before { &mut form.dmf.preconditions } else { &mut form.dmf.postconditions }) = now;
}

/// The most likely new condition, so that it is valid from the start.
fn new_condition(form: &Form<'_>, before: bool) -> Condition {
    let layout = if before { 0 } else { form.dmf.steps.len() };
    let there = form.dmf.widgets.iter().find(|widget| widget.layout == layout);
    let condition = match there {
        Some(widget) => Condition::on_widget(&*widget.name, Relation::In),
        None => Condition::on_data(&*form.dmf.data_type, Relation::IsNotEmpty),
    };
    condition.at(layout)
}

fn condition_ui(form: &mut Form<'_>, condition: &mut Condition, name: &str, before: bool, ui: &mut Ui) {
    let shown_only =
        matches!(condition.relation, Relation::InOrder(_) | Relation::Unknown(_) | Relation::SameIn);
    if shown_only || !condition.or.is_empty() {
        let words = condition_words(condition, &form.dmf);
        ui.label(words.unwrap_or_else(|| condition_sentence(condition, &[])))
            .on_hover_text("Edit this one in the JSON");
        return;
    }
    let noun = form.dmf.data_type.clone();
    let subject = Subject::of(condition);
    let subjects = [
        (Subject::Widget, "the screen shows".to_owned()),
        (Subject::Data, format!("of {noun} the app holds")),
        (Subject::WidgetOnData, format!("one {noun} is shown by")),
    ];
    let word = subjects.iter().find(|(other, _)| *other == subject).map_or("", |(_, word)| word.as_str());
    let combo = choice(ui, (name, "subject"), word, 112.0);
    let mut chosen = subject;
    if choose(combo, &format!("Subject of {name}"), &mut chosen, subjects, ui).changed() {
        change_subject(form, condition, chosen, before);
    }
    let layout = if before { 0 } else { form.dmf.steps.len() };
    if subject != Subject::Data {
        widget_choice_ui(form, &mut condition.widget, &format!("Widget of {name}"), layout, false, ui);
    }
    relation_ui(condition, subject, name, ui);
    if subject != Subject::Data {
        state_ui(condition, name, ui);
    }
    if !before && matches!(condition.relation, Relation::In | Relation::NotIn) {
        let words = "look in the whole list";
        named_checkbox(ui, &mut condition.scroll, words, &format!("For {name} {words}"))
            .on_hover_text("Scrolls the lists before saying that something is not shown");
    }
    truth_ui(form, condition, subject, ui);
}

fn change_subject(form: &Form<'_>, condition: &mut Condition, subject: Subject, before: bool) {
    let fresh = new_condition(form, before);
    let noun = Some(form.dmf.data_type.clone());
    match subject {
        Subject::Widget => {
            condition.widget = condition.widget.take().or(fresh.widget);
            condition.data_type = None;
            condition.layout = fresh.layout;
            condition.relation = Relation::In;
        }
        Subject::WidgetOnData => {
            condition.widget = condition.widget.take().or(fresh.widget);
            condition.data_type = noun;
            condition.layout = fresh.layout;
            condition.relation = Relation::In;
        }
        Subject::Data => {
            condition.widget = None;
            condition.state = None;
            condition.data_type = noun;
            condition.layout = None;
            condition.relation = Relation::IsNotEmpty;
        }
    }
}

fn relation_ui(condition: &mut Condition, subject: Subject, name: &str, ui: &mut Ui) {
    let few = match condition.relation {
        Relation::Smaller(limit) => limit,
        _ => 5,
    };
    let choices: &[(Relation, &str)] = match subject {
        Subject::Widget => {
            &[(Relation::In, "yes"), (Relation::NotIn, "no"), (Relation::Smaller(few), "at most")]
        }
        Subject::WidgetOnData => &[(Relation::In, "yes"), (Relation::NotIn, "no")],
        Subject::Data => &[
            (Relation::IsEmpty, "none"),
            (Relation::IsNotEmpty, "at least one"),
            (Relation::Smaller(few), "at most"),
        ],
    };
    let current = choices.iter().find(|(relation, _)| *relation == condition.relation);
    let word = current.map_or("choose", |(_, word)| word);
    let combo = choice(ui, (name, "relation"), word, 60.0);
    let name_of = format!("Relation of {name}");
    choose(combo, &name_of, &mut condition.relation, choices.iter().cloned(), ui);
    if let Relation::Smaller(limit) = &mut condition.relation {
        let number = ui.add(DragValue::new(limit).range(0..=999));
        named(&number, WidgetType::DragValue, &format!("Limit of {name}"));
        if subject == Subject::Data {
            // The format supports only this limit.
            *limit = 5;
        }
    }
}

/// Draws the choice of the state that the widget must be in.
fn state_ui(condition: &mut Condition, name: &str, ui: &mut Ui) {
    let word = |state: Option<WidgetState>| state.map_or("in any state", WidgetState::word);
    let combo = choice(ui, (name, "state"), word(condition.state), 96.0);
    let states = std::iter::once(None).chain(WidgetState::ALL.map(Some)).map(|state| (state, word(state)));
    choose(combo, &format!("State of {name}"), &mut condition.state, states, ui);
}

/// Draws whether the condition holds on the phone now, if that can be decided without running the DMF.
fn truth_ui(form: &Form<'_>, condition: &Condition, subject: Subject, ui: &mut Ui) {
    let (Subject::Widget, Some(layout)) = (subject, form.state.mirror.layout()) else { return };
    let Some(widget) = condition.widget.as_deref().and_then(|name| form.dmf.widget(name)) else { return };
    let fixed = matches!(widget.selector.text, TextPattern::Any | TextPattern::Is(_))
        && widget.selector.row.is_none();
    if !fixed {
        return;
    }
    let counts = |idx: &WidgetIdx| condition.state.is_none_or(|state| state.is_of(layout.widget(*idx)));
    let count = named_by(&widget.selector, layout, &[]).iter().filter(|idx| counts(idx)).count();
    let truth = match condition.relation {
        Relation::In => count > 0,
        Relation::NotIn => count == 0,
        Relation::Smaller(limit) => count <= limit,
        _ => return,
    };
    let (icon, word, tone) =
        if truth { (icon::HELD, "true now", Tone::Good) } else { (icon::CLOSE, "false now", Tone::Plain) };
    badge(ui, icon, word, tone).on_hover_text("On the screen that the phone shows now");
}

/// Draws the effects on the data.
pub fn impacts_ui(form: &mut Form<'_>, ui: &mut Ui) {
    let list = form.dmf.impacts.clone();
    let mut now = list.clone();
    let mut removed = None;
    let reads: Vec<String> =
        form.dmf.widgets.iter().filter(|widget| widget.is_read()).map(|widget| widget.name.clone()).collect();
    for (index, impact) in list.iter().enumerate() {
        let Some(place) = now.get_mut(index) else { continue };
        ui.horizontal_wrapped(|ui| {
            op_ui(place, index, ui);
            object_ui(place, index, &reads, ui);
            if icon_button(ui, icon::DELETE, &format!("Remove change {}", index + 1), true).clicked() {
                removed = Some(index);
            }
        });
        if place != impact {
            form.touch(&format!("impacts[{index}]"));
        }
        form.findings_ui(&format!("impacts[{index}]"), ui);
    }
    if list.is_empty() {
        ui.label(caption("Nothing: it only looks."));
    }
    if let Some(index) = removed {
        now.remove(index);
        form.touch("impacts removed");
    }
    if labelled_button(ui, icon::NEW, "Add a change", true).clicked() {
        let object = reads.first().map_or(TextPattern::Any, |name| TextPattern::FromRead(name.clone()));
        now.push(Impact { op: ImpactOp::Add, object });
        form.touch("impacts added");
    }
    form.dmf.impacts = now;
    let whole = format!("{}.impacts", form.path);
    let of_all: Vec<_> =
        form.document.findings.iter().filter(|finding| finding.path == whole).cloned().collect();
    for finding in of_all {
        finding_ui(form.document, &finding, form.commands, ui);
    }
}

fn op_ui(impact: &mut Impact, index: usize, ui: &mut Ui) {
    let choices = [
        (ImpactOp::Add, "adds"),
        (ImpactOp::AddNoDuplicate, "adds, if it is not there,"),
        (ImpactOp::AddConflict, "adds, or takes away if it is there,"),
        (ImpactOp::Delete, "takes away"),
        (ImpactOp::Clear, "takes away all"),
    ];
    let word = choices.iter().find(|(op, _)| *op == impact.op).map_or("choose", |(_, word)| word);
    let combo = choice(ui, ("impact", index), word, 120.0);
    choose(combo, &format!("Change {}", index + 1), &mut impact.op, choices, ui);
}

fn object_ui(impact: &mut Impact, index: usize, reads: &[String], ui: &mut Ui) {
    if impact.op == ImpactOp::Clear {
        return;
    }
    let word = match &impact.object {
        TextPattern::FromRead(name) => format!("what {name} showed"),
        TextPattern::Any => "choose".to_owned(),
        TextPattern::Is(_) | TextPattern::Existing(_) => impact.object.to_string(),
    };
    let combo = choice(ui, ("object", index), word, 150.0);
    let response = combo.show_ui(ui, |ui| {
        if reads.is_empty() {
            ui.label(caption("Name a widget \u{201c}\u{2026}_name\u{201d}: then its text is read."));
        }
        for name in reads {
            let object = TextPattern::FromRead(name.clone());
            if ui.selectable_label(impact.object == object, format!("what {name} showed")).clicked() {
                impact.object = object;
            }
        }
    });
    named(&response.response, WidgetType::ComboBox, &format!("Object of change {}", index + 1));
}
