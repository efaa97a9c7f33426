//! The form in which an object is made or changed: a page, a dialog, or a page for each field.

use std::borrow::Cow;

use super::{Msg as AppMsg, Page};
use crate::app::BlueprintApp;
use crate::derived::Cause;
use crate::generate::names::{Part, Tag};
use crate::operators::Operator;
use crate::schema::{Blueprint, Field, FormPlan, FormWindow, Shape};
use crate::store::{Object, ObjectId, moved_day};
use taproof_phone::{
    Align, CheckStyle, Color, Date, Edges, Env, Icon, ImeAction, Language, Size, System, View, dialog,
    loading, text_field, toolbar, toolbar_action,
};

/// What leaves a form that saves by itself.
pub(crate) const DONE: &str = "Done";
const SAVE_MILLIS: u64 = 1_200;
/// The choices of a level.
pub(crate) const LEVELS: [&str; 3] = ["Low", "Medium", "High"];
/// How a check is stored.
const YES: &str = "yes";

/// The page of a form.
#[derive(Clone, Debug)]
pub struct FormPage {
    pub(crate) data_type: usize,
    /// The object that is changed; `None` for a new one.
    object: Option<ObjectId>,
    values: Vec<String>,
    /// What the fields contained at first.
    before: Vec<String>,
    /// The page of a wizard.
    step: usize,
    /// Why the app does not take what this field contains.
    error: Option<(usize, &'static str)>,
    saving: bool,
}

/// A message to a form.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The text of a field was changed.
    Text(usize, String),
    Check(usize),
    Level(usize, &'static str),
    /// The key of the keyboard that goes to the next field, in a faulty build.
    NextKey,
    /// The owner with this id was chosen, or none.
    Owner(usize, String),
    /// A date was moved by this many days.
    Day(usize, i64),
    Next,
    Save,
    /// What takes time is over.
    Saved,
}

impl FormPage {
    /// The form of an existing object.
    pub(crate) fn of(object: &Object) -> FormPage {
        FormPage {
            data_type: object.data_type,
            object: Some(object.id),
            values: object.values.clone(),
            before: object.values.clone(),
            step: 0,
            error: None,
            saving: false,
        }
    }

    pub(crate) fn is_dialog(&self, blueprint: &Blueprint) -> bool {
        blueprint.types[self.data_type].form.window == FormWindow::Dialog
    }

    pub(crate) fn value(&self, field: usize) -> &str {
        &self.values[field]
    }

    /// Whether something was entered.
    pub(crate) fn is_changed(&self) -> bool {
        self.values != self.before
    }

    /// Loses what was typed into one field.
    pub(crate) fn forget_one(&mut self, blueprint: &Blueprint) {
        let place = blueprint.types[self.data_type].second_text().unwrap_or(0);
        self.values[place].clear();
    }
}

impl BlueprintApp {
    /// The form of a new object, which may belong to another one.
    pub(crate) fn new_form(&self, data_type: usize, owner: Option<ObjectId>, today: Date) -> FormPage {
        let initial = |field: &Field| match field.shape {
            Shape::Owner => owner.map(|owner| owner.to_string()).unwrap_or_default(),
            Shape::Date => today.iso(),
            Shape::Level => LEVELS[1].to_owned(),
            Shape::Choice(words) => words.0.first().map_or("", |word| word.0).to_owned(),
            Shape::Line | Shape::Lines | Shape::Check | Shape::Number { .. } => String::new(),
        };
        let values: Vec<String> = self.blueprint().types[data_type].fields.iter().map(initial).collect();
        FormPage {
            data_type,
            object: None,
            before: values.clone(),
            values,
            step: 0,
            error: None,
            saving: false,
        }
    }

    fn plan_of(&self, form: &FormPage) -> FormPlan {
        self.blueprint().types[form.data_type].form
    }

    pub(crate) fn update_form(&mut self, form: &mut FormPage, msg: Msg, sys: &mut System<Self>) {
        match msg {
            Msg::Text(place, text) => {
                form.values[place] = text;
                form.error = None;
            }
            Msg::Check(place) => {
                let on = form.values[place] == YES;
                form.values[place] = if on { String::new() } else { YES.to_owned() };
            }
            Msg::Level(place, level) => level.clone_into(&mut form.values[place]),
            Msg::Owner(place, owner) => form.values[place] = owner,
            Msg::Day(place, days) => form.values[place] = moved_day(&form.values[place], days, sys.today()),
            Msg::Next => {
                form.error = self.refusal(form).filter(|(place, _)| *place == form.step);
                form.step += usize::from(form.error.is_none());
            }
            Msg::NextKey => sys.crash(Operator::CrashOnNext.crash()),
            Msg::Save => self.save(form, sys),
            Msg::Saved => self.saved(form, sys),
        }
    }

    /// The first field that the app does not take as it is, and why.
    fn refusal(&self, form: &FormPage) -> Option<(usize, &'static str)> {
        let kind = &self.blueprint().types[form.data_type];
        if form.values[0].trim().is_empty() {
            return Some((0, "Enter a name"));
        }
        if kind.unique && self.store.is_taken(form.data_type, &form.values[0], form.object) {
            return Some((0, "This name exists"));
        }
        let refused = |(place, field): (usize, &Field)| {
            let value = form.values[place].trim();
            if field.required && value.is_empty() {
                return Some((place, "Fill in this field"));
            }
            let Shape::Number { least, most } = field.shape else { return None };
            let fits = value.is_empty() || value.parse().is_ok_and(|it: i64| (least..=most).contains(&it));
            let limits = self.names(form.data_type).limits(place);
            (!fits && !self.faulty(Operator::LimitsIgnored, form.data_type)).then_some((place, limits))
        };
        kind.fields.iter().enumerate().find_map(refused)
    }

    fn is_ticked_without_text(&self, form: &FormPage) -> bool {
        let kind = &self.blueprint().types[form.data_type];
        let ticked = kind.field_of(Shape::Check).is_some_and(|field| form.values[field] == YES);
        ticked && kind.second_text().is_some_and(|field| form.values[field].is_empty())
    }

    fn save(&mut self, form: &mut FormPage, sys: &mut System<Self>) {
        if form.values[0].is_empty() && self.faulty(Operator::CrashOnEmpty, form.data_type) {
            return sys.crash(Operator::CrashOnEmpty.crash());
        }
        if self.is_ticked_without_text(form) && self.faulty(Operator::CrashOnTick, form.data_type) {
            return sys.crash(Operator::CrashOnTick.crash());
        }
        if let Some(refusal) = self.refusal(form) {
            self.cover(form, "do.refused", sys);
            form.error = Some(refusal);
            if self.plan_of(form).window == FormWindow::Wizard {
                form.step = refusal.0;
            }
            return;
        }
        if self.plan_of(form).slow {
            form.saving = true;
            sys.hide_keyboard();
            sys.after(SAVE_MILLIS, AppMsg::Form(Msg::Saved));
        } else {
            self.saved(form, sys);
        }
    }

    fn saved(&mut self, form: &mut FormPage, sys: &mut System<Self>) {
        self.write(form, sys);
        match self.blueprint().changes.says_saved {
            true => sys.finish_with(AppMsg::Saved),
            false => sys.finish(),
        }
    }

    fn cover(&self, form: &FormPage, point: &str, sys: &mut System<Self>) {
        self.point(Some(form.data_type), point).into_iter().for_each(|point| sys.cover(point));
    }

    fn write(&mut self, form: &FormPage, sys: &mut System<Self>) {
        self.cover(form, if form.object.is_some() { "do.changed" } else { "do.added" }, sys);
        let values = form.values.clone();
        match form.object {
            Some(id) => {
                self.remember_name(id);
                self.store.change(id, values);
                self.memory.changed[form.data_type] = Some(id);
                self.renamed(id, form.data_type);
            }
            None => {
                self.store.add(form.data_type, values);
            }
        }
        self.recount(if form.object.is_some() { Cause::Changed } else { Cause::Other });
    }

    /// Closes the form because of Back, the arrow or Cancel.
    pub(crate) fn leave_form(&mut self, form: &mut FormPage, sys: &mut System<Self>) {
        let plan = self.plan_of(form);
        let changed = form.is_changed();
        if form.saving {
            return;
        }
        if form.step > 0 {
            form.step -= 1;
        } else if plan.autosave {
            if changed && self.refusal(form).is_none() {
                self.write(form, sys);
            }
            sys.finish();
        } else if changed && plan.asks {
            if form.values[0].is_empty() && self.faulty(Operator::CrashOnBack, form.data_type) {
                return sys.crash(Operator::CrashOnBack.crash());
            }
            sys.open(Page::Discard);
        } else {
            sys.finish();
        }
    }

    pub(crate) fn form_rotated(&self, form: &mut FormPage, sys: &mut System<Self>) {
        if self.is_crashed_by_rotation(form) {
            sys.crash(Operator::CrashOnRotation.crash());
        }
        if self.faulty(Operator::DraftLostOnRotation, form.data_type) {
            form.forget_one(self.blueprint());
        }
    }

    fn is_crashed_by_rotation(&self, form: &FormPage) -> bool {
        form.object.is_some() && self.faulty(Operator::CrashOnRotation, form.data_type)
    }

    pub(crate) fn form_view(&self, form: &FormPage, env: &Env<'_>) -> View<AppMsg> {
        let kind = &self.blueprint().types[form.data_type];
        let names = self.names(form.data_type);
        let heading = names.headings[usize::from(form.object.is_some())];
        let shown = match kind.form.window {
            FormWindow::Wizard => form.step..form.step + 1,
            FormWindow::Page | FormWindow::Dialog => 0..kind.fields.len(),
        };
        let last = shown.end == kind.fields.len();
        let fields = shown.map(|place| self.input(form, place, env.language));
        let reversed = self.blueprint().changes.fields_reversed;
        let fields: Vec<View<AppMsg>> = if reversed { fields.rev().collect() } else { fields.collect() };
        if kind.form.window == FormWindow::Dialog {
            let buttons = vec![("Cancel", AppMsg::Up), ("Save", AppMsg::Form(Msg::Save))];
            return dialog(heading, fields, env.accent, buttons);
        }
        let mut actions = Vec::new();
        if !kind.form.autosave || !last {
            let (part, icon, msg) = if last {
                (Part::Save, Icon::Save, Msg::Save)
            } else {
                (Part::Next, Icon::ChevronRight, Msg::Next)
            };
            let Tag { id, desc } = names.tag(part);
            actions.push(toolbar_action(id, icon, desc, AppMsg::Form(msg)));
        }
        let up = match kind.form.autosave && form.step == 0 {
            true => Some((Icon::Check, DONE, AppMsg::Up)),
            false => Some((Icon::ArrowBack, "Navigate up", AppMsg::Up)),
        };
        let body = if form.saving {
            View::frame(vec![loading("progress")])
        } else {
            View::scroll("form_scroll", View::column(fields).pad(Edges::symmetric(12, 8)))
        };
        View::column(vec![
            toolbar(env.accent, up, heading, if form.saving { Vec::new() } else { actions }),
            body.grow_y(),
        ])
        .fill()
        .background(Color::SURFACE)
    }

    fn input(&self, form: &FormPage, place: usize, language: Language) -> View<AppMsg> {
        let field = self.blueprint().types[form.data_type].fields[place];
        let Tag { id, .. } = self.names(form.data_type).field(place);
        let value = &form.values[place];
        let send = move |msg| AppMsg::Form(msg);
        match field.shape {
            Shape::Line | Shape::Lines | Shape::Number { .. } => {
                let input = View::field(id, value.clone(), move |text| send(Msg::Text(place, text)))
                    .hint(self.names(form.data_type).hint(place))
                    .with_field(|it| {
                        it.ime = self.action_key(form, place);
                        if it.ime == ImeAction::Next && self.faulty(Operator::CrashOnNext, form.data_type) {
                            it.on_action = Some(send(Msg::NextKey));
                        }
                        it.multi_line = field.shape == Shape::Lines;
                    });
                let input = if field.shape == Shape::Lines { input.height(Size::Dp(96)) } else { input };
                let error = form.error.filter(|(refused, _)| *refused == place);
                text_field(input, error.map_or("", |(_, words)| self.say(language, words)))
            }
            Shape::Check => {
                View::check(CheckStyle::CheckBox, value == YES, field.label.0, send(Msg::Check(place))).id(id)
            }
            Shape::Level | Shape::Choice(_) => {
                let words: Vec<&'static str> = match field.shape {
                    Shape::Choice(words) => words.0.iter().map(|word| word.0).collect(),
                    _ => LEVELS.to_vec(),
                };
                // What is stored of a choice is what the page shows of it, so that it has no translation.
                let is_level = field.shape == Shape::Level;
                let choice = |level: &'static str| {
                    let label = if is_level { Cow::Borrowed(level) } else { Cow::Owned(level.to_owned()) };
                    View::check(CheckStyle::Radio, value == level, label, send(Msg::Level(place, level)))
                };
                let label = View::text(field.label.0).size(12).color(Color::SECONDARY);
                let choices = View::row(words.into_iter().map(choice).collect()).id(id);
                View::column(vec![label.pad(Edges::symmetric(8, 4)), choices]).height(Size::Wrap)
            }
            Shape::Owner => self.owner_input(form, place, language),
            Shape::Date => {
                let color = Color::SECONDARY;
                let day =
                    |icon, desc, days| View::icon_button(icon, color, desc, send(Msg::Day(place, days)));
                let text = View::text(value.clone()).id(id).grow_x().align(Align::Start, Align::Center);
                View::row(vec![
                    View::text(field.label.0)
                        .size(14)
                        .color(color)
                        .align(Align::Start, Align::Center)
                        .pad(Edges::all(8)),
                    text,
                    day(Icon::ArrowBack, "Day before", -1),
                    day(Icon::ChevronRight, "Day after", 1),
                    day(Icon::Event, "Week after", 7),
                ])
            }
        }
    }

    /// What the action key of the keyboard does in a field: it goes to the next one on the page.
    fn action_key(&self, form: &FormPage, place: usize) -> ImeAction {
        let kind = &self.blueprint().types[form.data_type];
        let later = match self.blueprint().changes.fields_reversed {
            true => &kind.fields[..place],
            false => &kind.fields[place + 1..],
        };
        let another = later.iter().any(|field| field.shape.is_typed());
        let next = another && kind.form.window != FormWindow::Wizard;
        if next { ImeAction::Next } else { ImeAction::Done }
    }

    /// The line of a form that shows the owner and opens the choice of another one.
    fn owner_input(&self, form: &FormPage, place: usize, language: Language) -> View<AppMsg> {
        let names = self.names(form.data_type);
        let label = self.blueprint().types[form.data_type].fields[place].label.0;
        let Tag { id, desc } = names.tag(Part::Choose);
        let name = View::text(self.owner_name(&form.values[place], language)).id(names.field(place).id);
        View::row(vec![
            View::text(label)
                .size(14)
                .color(Color::SECONDARY)
                .align(Align::Start, Align::Center)
                .pad(Edges::all(8)),
            name.grow_x().align(Align::Start, Align::Center),
            View::icon(Icon::ChevronRight, Color::SECONDARY)
                .margin(Edges::symmetric(12, 0))
                .align(Align::Start, Align::Center),
        ])
        .height(Size::Dp(48))
        .id(id)
        .desc(desc)
        .click(AppMsg::Choose(place))
    }

    /// A value as the page of the object shows it.
    pub(crate) fn shown_value(&self, shape: Shape, value: &str, language: Language) -> String {
        let level = || LEVELS.into_iter().find(|level| *level == value);
        match shape {
            Shape::Check => self.say(language, if value == YES { "Yes" } else { "No" }).to_owned(),
            Shape::Level => level().map_or(value, |level| self.say(language, level)).to_owned(),
            Shape::Owner => self.owner_name(value, language),
            Shape::Line | Shape::Lines | Shape::Date | Shape::Number { .. } | Shape::Choice(_) => {
                value.to_owned()
            }
        }
    }
}
