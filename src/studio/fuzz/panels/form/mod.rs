//! The form that starts a campaign: what to test, for how long, and with which engines. Problems are listed below the
//! form, each with its field's label.

pub(crate) mod engine_settings;

use egui::{
    Align, Button, ComboBox, Label, Layout, Margin, Response, RichText, ScrollArea, TextEdit, Ui, WidgetType,
    vec2,
};

use super::beginning::beginning_ui;
use super::first::first_ui;
use super::rules::{rules_ui, rules_words};
use crate::command::Command;
use crate::fuzz::{
    CampaignCommand, CampaignForm, ChosenSpec, EngineChoice, FormField, FormProblems, PBFDROID, SettingKind,
    toggled,
};
use crate::parts::controls::{
    begin_row_unless_it_fits, labelled_button, look_ui, named, primary_button, segments, text_width,
};
use crate::parts::shortcuts::tip_of;
use crate::parts::theme::{caption, glyph, icon, strong, tokens};
use crate::specs::RepairCommand;
use crate::state::{AppEntry, StudioState};
use taproof_engine::device::Build;
use taproof_spec::{Dmf, distinct_function_words};

/// Width of the choice of functions, in points.
const FUNCTIONS_WIDTH: f32 = 126.0;
/// Width of the words for the engines, in points.
const ENGINES_WIDTH: f32 = 88.0;
/// Height of a field, in points.
const FIELD: f32 = 28.0;

/// Draws the form and applies the person's changes to it: a sentence, and below it the options if they are shown.
pub fn form_ui(state: &StudioState, form: &mut CampaignForm, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.set_width(ui.available_width());
    let checked = form.check(&state.apps, &state.documents);
    let problems = checked.as_ref().err().cloned().unwrap_or_default();
    let start = sentence_ui(state, form, &problems, commands, ui);
    if state.campaigns.options {
        ui.separator();
        options_ui(state, form, &problems, commands, ui);
    }
    problems_ui(&problems, ui);
    if let Some(spec) = form.spec(&state.documents) {
        fits_ui(state, &spec, commands, ui);
        for doubt in form.doubts(&spec) {
            look_ui(ui, &doubt);
        }
    }
    if let Ok(order) = checked
        && start
    {
        commands.push(Command::StartCampaign(Box::new(order)));
    }
}

/// Draws what is fuzzed with what and for how long as a sentence that ends with its buttons. Returns whether Start was
/// pressed.
fn sentence_ui(
    state: &StudioState,
    form: &mut CampaignForm,
    problems: &FormProblems,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) -> bool {
    let mut start = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
        ui.label("Fuzz");
        app_field_ui(state, form, commands, ui);
        ui.label("with");
        spec_field_ui(state, form, ui);
        together_ui(138.0, ui, |ui| {
            ui.label("for");
            let tip = "So many events in all; several engines share them";
            text_field_ui(FormField::Events, tip, &mut form.events, 72.0, problems, ui);
        });
        together_ui(118.0, ui, |ui| {
            ui.label("or");
            let tip = "Device time after which it ends at the latest; empty: no limit";
            text_field_ui(FormField::Minutes, tip, &mut form.minutes, 44.0, problems, ui);
        });
        // Its width is the same whatever is picked: what is pressed next does not move.
        together_ui(ENGINES_WIDTH, ui, |ui| {
            let picked: Vec<&str> = form.picked().map(EngineChoice::label).collect();
            let words = match picked.as_slice() {
                [only] => format!("by {only}"),
                engines => format!("by {} engines", engines.len()),
            };
            ui.add(Label::new(words).truncate()).on_hover_text(tip_of_engines(form));
        });
        // What there is nothing to check against is best scanned.
        let bare = form.has_no_function(&state.documents);
        let (starts, scans): (ButtonUi, ButtonUi) =
            if bare { (labelled_button, primary_button) } else { (primary_button, labelled_button) };
        start = !bare && start_ui(starts, problems.is_empty(), ui);
        let scan = form.scan(&state.apps, &state.documents);
        let button = scans(ui, icon::SEARCH, "Scan", scan.is_ok()).on_hover_text(tip_of("fuzz-scan"));
        if let Ok(order) = scan
            && button.clicked()
        {
            commands.push(Command::StartCampaign(Box::new(order)));
        }
        start |= bare && start_ui(starts, problems.is_empty(), ui);
        options_button_ui(state, form, commands, ui);
    });
    start
}

/// The engines that are chosen, and where they are.
fn tip_of_engines(form: &CampaignForm) -> String {
    let labels: Vec<&str> = form.picked().map(EngineChoice::label).collect();
    format!("{}; more under Options", labels.join(", "))
}

/// Draws a part of the sentence that goes to the next line as a whole, which takes a width that is known beforehand.
fn together_ui(width: f32, ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(width, FIELD), layout, |ui| {
        ui.set_min_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        contents(ui);
    });
}

/// Draws the button that shows or folds the options, and what they say while they are folded.
fn options_button_ui(state: &StudioState, form: &CampaignForm, commands: &mut Vec<Command>, ui: &mut Ui) {
    let open = state.campaigns.options;
    let (word, tip) = match open {
        true => {
            ("Fewer options", "Fold the engines, the build, the seed, the first steps and the test rules")
        }
        false => (
            "Options",
            "The engines, the build, the seed, the first steps, the test rules and how findings are confirmed",
        ),
    };
    if labelled_button(ui, icon::MEND, word, true).on_hover_text(tip).clicked() {
        commands.push(CampaignCommand::Options(!open).into());
    }
    if !open {
        let engines: Vec<&str> = match form.auto() {
            true => vec!["Auto"],
            false => form.picked().map(|engine| engine.label()).collect(),
        };
        let installed = form.target.device.is_some();
        let build = if installed { "As installed" } else { build_words(&form.target.build) };
        let (engines, rules) = (engines.join(", "), rules_words(form));
        let says = format!("{engines}  \u{b7}  {build}  \u{b7}  Seed {}{rules}", form.seed);
        let ideas =
            form.picked().filter_map(|engine| Some(format!("{}: {}", engine.label(), engine.info()?.idea)));
        let says = egui::WidgetText::from(caption(says));
        begin_row_unless_it_fits(ui, text_width(ui, says.clone(), egui::TextStyle::Small));
        ui.add(Label::new(says).truncate()).on_hover_text(ideas.collect::<Vec<_>>().join("\n"));
    }
}

/// Draws what a person rarely changes.
fn options_ui(
    state: &StudioState,
    form: &mut CampaignForm,
    problems: &FormProblems,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    engines_ui(state, form, problems, commands, ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        build_field_ui(state, form, ui);
        ui.add_space(8.0);
        let tip = "The same seed, app and specification give the same campaign, event by event";
        text_field_ui(FormField::Seed, tip, &mut form.seed, 44.0, problems, ui);
    });
    beginning_ui(state, form, problems, commands, ui);
    first_ui(form, problems, ui);
    rules_ui(state, form, commands, ui);
    bugs_ui(state, form, ui);
}

/// Draws a button with an icon and a label that can be pressed or not.
type ButtonUi = fn(&mut Ui, &str, &str, bool) -> Response;

/// Draws the button that starts the campaign.
fn start_ui(button: ButtonUi, able: bool, ui: &mut Ui) -> bool {
    button(ui, icon::PLAY, "Start", able).on_hover_text(tip_of("fuzz-start")).clicked()
}

/// Draws the choice of the app, which is that of the whole window; a form that was filled in for another one says so.
fn app_field_ui(state: &StudioState, form: &CampaignForm, commands: &mut Vec<Command>, ui: &mut Ui) {
    let shown = form_app(state, form).map_or("Choose an app".to_owned(), AppEntry::words);
    let combo = ComboBox::from_id_salt("campaign app").selected_text(strong(shown)).width(96.0);
    let response = combo.show_ui(ui, |ui| {
        for app in &state.apps {
            let chosen = app.is(&form.target);
            if ui.selectable_label(chosen, app.words()).clicked() {
                commands.push(Command::UseApp(app.target(form.target.build.clone())));
            }
        }
    });
    named(&response.response, WidgetType::ComboBox, "App to test");
    if !form.target.app.is_empty() && form.target.app != state.settings.target.app {
        let shown = state.label_of(&state.settings.target.app);
        ui.label(caption(format!("(the phone shows {shown})")));
    }
}

fn form_app<'s>(state: &'s StudioState, form: &CampaignForm) -> Option<&'s AppEntry> {
    state.apps.iter().find(|app| app.is(&form.target))
}

fn build_words(build: &Build) -> &'static str {
    match build {
        Build::Faulty => "With its bugs",
        Build::Sound => "Without bugs",
        Build::Bugs(_) => "With some of its bugs",
    }
}

/// Draws the choice of the bugs that are on.
fn build_field_ui(state: &StudioState, form: &mut CampaignForm, ui: &mut Ui) {
    ui.label(FormField::Build.word());
    if form.target.device.is_some() {
        ui.add_enabled(false, Button::new("As installed"))
            .on_disabled_hover_text("What is installed on the device");
        return;
    }
    let word = match &form.target.build {
        Build::Bugs(bugs) => format!("With {} of its bugs", bugs.len()),
        build => build_words(build).to_owned(),
    };
    let combo = ComboBox::from_id_salt("campaign build").selected_text(word).width(120.0);
    let response = combo.show_ui(ui, |ui| {
        let only = state.app(&form.target.app).and_then(|app| app.bugs.first()).map(|(id, _)| id.as_str());
        let kind = std::mem::discriminant::<Build>;
        let choices = [
            ("With its bugs", Some(Build::Faulty)),
            ("Without bugs", Some(Build::Sound)),
            ("With single bugs\u{2026}", only.map(|id| toggled(&Build::Sound, id))),
        ];
        for (label, build) in choices {
            if let Some(build) = build
                && ui.selectable_label(kind(&build) == kind(&form.target.build), label).clicked()
            {
                form.target.build = build;
            }
        }
    });
    named(&response.response, WidgetType::ComboBox, "Build to test");
}

/// Draws the choice of the specification and of its functions.
fn spec_field_ui(state: &StudioState, form: &mut CampaignForm, ui: &mut Ui) {
    let current = form.spec(&state.documents);
    if let Some(spec) = &current {
        if spec.is_empty() {
            ui.label("no function of");
        } else {
            // What is to the right does not move when another specification has more functions.
            together_ui(FUNCTIONS_WIDTH, ui, |ui| functions_ui(spec, form, ui));
            ui.label("of");
        }
    }
    let shown = current.as_ref().map_or("no specification".to_owned(), ChosenSpec::name);
    let combo = ComboBox::from_id_salt("campaign spec").selected_text(strong(&shown)).width(144.0).truncate();
    let response = combo.show_ui(ui, |ui| {
        for choice in form.spec_choices(&state.documents) {
            let chosen = current.as_ref().is_some_and(|current| form.has_chosen(&choice, current));
            if ui.selectable_label(chosen, &choice.words).clicked() {
                form.choose_spec(&choice);
            }
        }
    });
    named(&response.response, WidgetType::ComboBox, "Specification to test against");
    response.response.on_hover_text(format!(
        "The specification: {shown}. Your functions run together with those that come with Taproof"
    ));
}

/// Draws what the functions no longer find in this version of the app, or how to check that before the campaign.
fn fits_ui(state: &StudioState, spec: &ChosenSpec<'_>, commands: &mut Vec<Command>, ui: &mut Ui) {
    let Some(id) = spec.ids().last().copied().filter(|_| !spec.is_empty()) else { return };
    let repair = &state.repair;
    let mine = repair.document == Some(id);
    ui.horizontal_wrapped(|ui| {
        if mine && repair.is_running() {
            ui.label(caption("Checking whether the functions fit this version of the app"));
        } else if let Some(sentence) = repair.sentence(id) {
            let (lost, _) = repair.counts();
            ui.label(glyph(if lost == 0 { icon::HELD } else { icon::LOOK }));
            ui.label(sentence);
        } else {
            let tip = "Performs each function once on the app, before the campaign begins";
            let check = labelled_button(ui, "", "Check whether they fit this version", !repair.is_running());
            if check.on_hover_text(tip).clicked() {
                commands.push(Command::Repair(RepairCommand::Start(id)));
            }
            return;
        }
        if labelled_button(ui, "", "Show", true).clicked() {
            commands.push(Command::Repair(RepairCommand::Show));
        }
    });
}

/// Why a function cannot be chosen.
fn why_off(dmf: &Dmf) -> String {
    match &dmf.not_judged {
        Some(why) => format!("Not judged: {why}"),
        None => "Its weight is 0: it is switched off".to_owned(),
    }
}

fn functions_ui(spec: &ChosenSpec<'_>, form: &mut CampaignForm, ui: &mut Ui) {
    let dmfs = spec.dmfs();
    let (on, all) = (form.names(spec).len(), dmfs.len());
    let button = labelled_button(ui, "", &format!("{on} of {all} functions"), true)
        .on_hover_text("The functions that are run; press to choose");
    named(&button, WidgetType::Button, &format!("Functions to run: {on} of {all}"));
    let popup = egui::Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_width(240.0);
        ui.horizontal(|ui| {
            if labelled_button(ui, "", "All functions", !form.off.is_empty()).clicked() {
                form.off.clear();
            }
            if labelled_button(ui, "", "No function", on > 0).clicked() {
                form.off = dmfs.iter().map(|dmf| dmf.name.clone()).collect();
            }
        });
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for dmf in &dmfs {
                let mut runs = dmf.runs() && !form.off.contains(&dmf.name);
                let mark = if dmf.not_judged.is_some() { " (not judged)" } else { "" };
                let text =
                    RichText::new(format!("{}{mark}", distinct_function_words(dmf, dmfs.iter().copied())));
                let checkbox = ui.add_enabled(dmf.runs(), egui::Checkbox::new(&mut runs, text));
                if checkbox.on_disabled_hover_text(why_off(dmf)).changed() {
                    if runs {
                        form.off.remove(&dmf.name)
                    } else {
                        form.off.insert(dmf.name.clone())
                    };
                }
            }
        });
    });
}

/// Draws the choice of engines and of PBFDroid's exploration, and the button that opens the settings.
fn engines_ui(
    state: &StudioState,
    form: &mut CampaignForm,
    problems: &FormProblems,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 7.0;
        let tip = "The engines take turns on one phone and share its events.".to_owned();
        if segments(ui, form.auto().then_some(()), &[((), "Auto".to_owned(), tip)]).is_some() {
            form.choose_auto();
        }
        let mut picked = None;
        for engine in form.engines.iter_mut().filter(|engine| !engine.is_auto()) {
            let idea = engine.info().map_or("", |info| info.idea);
            let (label, wrong) = (engine.label(), problems.contains_key(&FormField::Settings(engine.name)));
            let text = RichText::new(label);
            let text = if wrong { text.color(tokens(ui.ctx()).bad) } else { text };
            let mut on = engine.on;
            if ui.checkbox(&mut on, text).on_hover_text(format!("{label}: {idea}")).changed() {
                picked = Some((engine.name, on));
            }
        }
        if let Some((name, on)) = picked {
            form.choose_engine(name, on);
        }
        let all = form.engines.iter().all(|engine| engine.on || engine.is_auto());
        let name = "Run all engines side by side";
        let button = labelled_button(ui, "", "All", !all).on_hover_text(name);
        named(&button, WidgetType::Button, name);
        if button.clicked() {
            form.engines.iter_mut().for_each(|engine| engine.on = !engine.is_auto());
        }
        let open = state.campaigns.settings;
        let first = form.picked().next().or(form.engines.first()).map(|engine| engine.name);
        let button = labelled_button(ui, icon::MEND, "Settings", first.is_some())
            .on_hover_text("What each engine does, and every setting of it");
        if button.clicked() {
            commands.push(CampaignCommand::Settings(if open.is_some() { None } else { first }).into());
        }
        explore_ui(form, ui);
    });
}

/// Room for the choice of what selects the events between PBFDroid's functions.
const EXPLORE_WIDTH: f32 = 232.0;

/// Draws the choice of what selects the events between PBFDroid's functions.
fn explore_ui(form: &mut CampaignForm, ui: &mut Ui) {
    let Some(engine) = form.engine_mut(PBFDROID).filter(|engine| engine.on) else { return };
    let explore = engine.fields().into_iter().find(|field| field.key == "explore");
    let Some((SettingKind::Word(words), text)) = explore.map(|field| (field.kind, field.text)) else {
        return;
    };
    // What stays together does not wrap by itself.
    if ui.available_size_before_wrap().x < EXPLORE_WIDTH {
        ui.end_row();
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label("PBFDroid explores by");
        let combo = ComboBox::from_id_salt("explore").selected_text(&text).width(96.0);
        let response = combo.show_ui(ui, |ui| {
            for word in words {
                if ui.selectable_label(*word == text, *word).clicked() {
                    engine.set("explore", (*word).to_owned());
                }
            }
        });
        named(&response.response, WidgetType::ComboBox, "PBFDroid explores by");
        response.response.on_hover_text("Who chooses the events between its functions");
    });
}

/// Draws a field, its label after it as in a sentence; that of the seed before it.
fn text_field_ui(
    field: FormField,
    tip: &str,
    text: &mut String,
    width: f32,
    problems: &FormProblems,
    ui: &mut Ui,
) {
    let before = (field == FormField::Seed).then(|| ui.label(field.word()));
    let mut edit = TextEdit::singleline(text).desired_width(width).margin(Margin::symmetric(8, 6));
    if problems.contains_key(&field) {
        edit = edit.text_color(tokens(ui.ctx()).bad);
    }
    let response = ui.add(edit);
    let name = before.unwrap_or_else(|| ui.label(field.word().to_lowercase()));
    response.labelled_by(name.id).on_hover_text(tip);
}

/// Draws a checkbox for each bug, if individual bugs are chosen.
fn bugs_ui(state: &StudioState, form: &mut CampaignForm, ui: &mut Ui) {
    let (Build::Bugs(bugs), Some(app)) = (form.target.build.clone(), state.app(&form.target.app)) else {
        return;
    };
    for (id, title) in &app.bugs {
        let mut on = bugs.contains(id);
        ui.horizontal(|ui| {
            if ui.checkbox(&mut on, RichText::new(id).monospace()).changed() {
                form.target.build = toggled(&form.target.build, id);
            }
            ui.add(Label::new(RichText::new(title).weak()).truncate());
        });
    }
}

fn problems_ui(problems: &FormProblems, ui: &mut Ui) {
    for (field, problem) in problems {
        look_ui(ui, &format!("{}: {problem}", field.word()));
    }
}
