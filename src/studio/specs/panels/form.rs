//! The form of a DMF: name, steps, widgets, conditions and effects, with lint findings below their fields.

use std::sync::Arc;

use egui::{DragValue, Label, RichText, ScrollArea, Ui, WidgetType};

use super::conditions::{conditions_ui, impacts_ui};
use super::edit::{Form, order};
use super::steps::steps_ui;
use super::widgets::{WidgetsPanel, widgets_ui};
use crate::command::Command;
use crate::parts::controls::{choice, choose, clock, empty_state, labelled_button, named, wide_card};
use crate::parts::theme::{caption, heading, icon, tokens};
use crate::parts::word_field::word_field;
use crate::specs::{DocumentCommand, SpecDocument, SpecEdit, TrialCommand, rename_dmf};
use crate::state::StudioState;
use taproof_campaign::Target;
use taproof_spec::{DmfKind, LintFinding};

/// Draws the form of the chosen DMF.
pub fn form_ui(
    state: &StudioState,
    document: &SpecDocument,
    widgets: &mut WidgetsPanel,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let Some(dmf) = document.dmf() else {
        empty_state(ui, icon::CHANGED, "No function yet", "Add one on the left, or record it on the phone.");
        return;
    };
    let index = document.chosen;
    let path = format!("dmfs[{index}]");
    let mut form = Form { state, document, path, dmf: dmf.clone(), edited: None, commands };
    let readable = document.json.problem.is_none();
    if !readable {
        ui.label(RichText::new("The JSON cannot be read, so the form waits.").color(tokens(ui.ctx()).warn));
    }
    ScrollArea::vertical().id_salt(("form", document.id.0, index)).auto_shrink([false, false]).show(
        ui,
        |ui| {
            ui.add_enabled_ui(readable, |ui| {
                ui.spacing_mut().item_spacing.y = 6.0;
                section(ui, "", |ui| head_ui(&mut form, ui));
                section(ui, "Steps", |ui| steps_ui(&mut form, ui));
                section(ui, "Before: it may start when", |ui| conditions_ui(&mut form, true, ui));
                section(ui, "It changes the data", |ui| impacts_ui(&mut form, ui));
                section(ui, "After: then it must be so", |ui| conditions_ui(&mut form, false, ui));
                section(ui, "Widgets that it speaks of", |ui| widgets_ui(&mut form, widgets, ui));
            });
        },
    );
    if let (Some(field), true) = (form.edited, form.dmf != *dmf) {
        let edit = SpecEdit::SetDmf(index, Box::new(form.dmf), field);
        order(form.commands, DocumentCommand::Edit(document.id, Box::new(edit)));
    }
}

fn section(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    wide_card(ui, |ui| {
        if !title.is_empty() {
            ui.label(heading(title));
        }
        contents(ui);
    });
}

fn head_ui(form: &mut Form<'_>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        let combo = choice(ui, "dmf kind", form.dmf.kind.word(), 84.0);
        let kinds = [
            DmfKind::Create,
            DmfKind::Read,
            DmfKind::Update,
            DmfKind::Delete,
            DmfKind::Search,
            DmfKind::Property,
        ];
        let kinds = kinds.map(|kind| (kind, kind.word()));
        if choose(combo, "Type of the function", &mut form.dmf.kind, kinds, ui).changed() {
            let (kind, noun) = (form.dmf.kind.word(), form.dmf.data_type.clone());
            rename_dmf(&mut form.dmf, kind, &noun);
            form.touch("type");
        }
        let (verb, noun) = form.dmf.name.split_once(' ').unwrap_or((&form.dmf.name, ""));
        let (verb, noun) = (verb.to_owned(), noun.to_owned());
        let of = form.word_of();
        let (field, new_verb) = word_field(ui, of, &verb, "add1", 72.0);
        named(&field, WidgetType::TextEdit, "Verb");
        let (field, new_noun) = word_field(ui, of, &noun, "folder", 110.0);
        named(&field, WidgetType::TextEdit, "Data type");
        if new_verb.is_some() || new_noun.is_some() {
            let [verb, noun] = [new_verb.unwrap_or(verb), new_noun.unwrap_or(noun)];
            rename_dmf(&mut form.dmf, &verb.replace(' ', ""), &noun.replace(' ', ""));
            form.touch("name");
        }
        ui.label(caption("weight"));
        let weight = ui.add(DragValue::new(&mut form.dmf.weight).range(0..=1000));
        named(&weight, WidgetType::DragValue, "Weight");
        if weight.on_hover_text("How often it is chosen; 0 switches it off").changed() {
            form.touch("proportion");
        }
        try_ui(form, ui);
        let time = form.document.times.get(&form.dmf.name).copied().unwrap_or_default();
        let spent = caption(format!("{} spent", clock(time.recording + time.editing)));
        ui.add(Label::new(spent).extend()).on_hover_text(format!(
            "recording {}, editing {}",
            clock(time.recording),
            clock(time.editing)
        ));
    });
    for field in ["name", "type", "datatype", "proportion", "taproof_refusal", "taproof_not_judged"] {
        form.findings_ui(field, ui);
    }
    let own: Vec<LintFinding> =
        form.document.findings.iter().filter(|finding| finding.path == form.path).cloned().collect();
    for finding in own {
        form.finding_ui(&finding, ui);
    }
}

/// Draws the button that tries the DMF.
fn try_ui(form: &mut Form<'_>, ui: &mut Ui) {
    let settings = &form.state.settings;
    let app = &form.document.app;
    let known = form.state.app(app).is_some();
    let errors = form.document.counts(form.document.chosen).0;
    let reason = match (known, errors) {
        _ if form.dmf.not_judged.is_some() => "It is not judged, so it is not done.",
        (false, _) => "No bundled app is the one that this specification speaks of.",
        (true, 0) => "",
        (true, _) => "Mend what is broken first.",
    };
    let response =
        labelled_button(ui, icon::PLAY, "Try it", reason.is_empty() && !form.state.trial.is_running());
    let tip = "Does the function several times on fresh data and says what happened";
    let response = response.on_hover_text(tip).on_disabled_hover_text(reason);
    if response.clicked() {
        let (spec, before) = form.state.documents.among_shipped(app, &form.document.spec);
        form.commands.push(Command::Trial(TrialCommand::Start {
            spec: Arc::new(spec),
            dmf: before + form.document.chosen,
            target: Target { app: app.clone(), ..settings.target.clone() },
            lead_up: Vec::new(),
            held: Vec::new(),
        }));
    }
}
