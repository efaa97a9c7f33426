//! The ground truth: the specification that follows from a blueprint.

mod blocks;
mod choices;
mod extras;
mod function;
mod lists;
mod objects;
mod relations;

use taproof_spec::format::DmfFile;
use taproof_spec::{Dmf, DmfKind, FreshText, Input, Relation, Spec, SpecSelector, TextClass, TextPattern};

use super::schema::{Blueprint, DataType, FormWindow, Naming, Shape};
use crate::generate::names::{Part, Tag, TypeNames, identifier};
use crate::generate::translation::Translations;
use crate::pages::form_page::DONE;
use crate::pages::list_page::SHOW_ALL;
use crate::pages::more_pages::{ALLOW, CONTINUE, OK, START_EMPTY};
use crate::pages::web_page::NODE;
use blocks::in_all_languages;
use function::{Function, described, with_text};

/// The specification files of a blueprint, in PBFDroid's JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecFiles {
    /// The functions.
    pub dmfs: String,
    /// The block list.
    pub blocks: String,
}

/// Classes of texts for names, each with its weight.
const NAMES: [(TextClass, u32); 11] = [
    (TextClass::Plain, 4),
    (TextClass::Digits, 1),
    (TextClass::Symbols, 3),
    (TextClass::OtherCase, 2),
    (TextClass::Extending, 2),
    (TextClass::Existing, 1),
    (TextClass::Removed, 1),
    (TextClass::BlankEdges, 1),
    (TextClass::Unicode, 1),
    (TextClass::Hostile, 1),
    (TextClass::Long, 1),
];

/// Returns the specification of a blueprint.
pub(super) fn spec(blueprint: &Blueprint, all_names: &[TypeNames]) -> Spec {
    let mut spec = Spec::default();
    let translations = Translations::of(blueprint);
    for (kind, names) in blueprint.types.iter().zip(all_names) {
        let writer = Writer { blueprint, kind, names, all_names };
        spec.dmfs.extend(writer.functions().into_iter().map(|dmf| as_said(dmf, &translations)));
        for block in in_all_languages(writer.blocks(), &translations) {
            if !spec.blocks.contains(&block) {
                spec.blocks.push(block);
            }
        }
    }
    spec
}

/// The function with the words of this version.
fn as_said(mut dmf: Dmf, translations: &Translations) -> Dmf {
    for widget in &mut dmf.widgets {
        let selector = &mut widget.selector;
        if let TextPattern::Is(text) = &mut selector.text {
            *text = translations.said(text).to_owned();
        }
        if let Some(desc) = &mut selector.content_desc {
            *desc = translations.said(desc).to_owned();
        }
    }
    dmf
}

/// Returns the specification files of a blueprint.
pub(super) fn files(blueprint: &Blueprint, names: &[TypeNames]) -> SpecFiles {
    let Spec { dmfs, blocks, invariants } = spec(blueprint, names);
    let text = |spec: Spec| DmfFile::new(&spec).source().to_owned();
    SpecFiles {
        dmfs: text(Spec { dmfs, invariants, ..Spec::default() }),
        blocks: text(Spec { blocks, ..Spec::default() }),
    }
}

struct Writer<'b> {
    blueprint: &'b Blueprint,
    kind: &'b DataType,
    names: &'b TypeNames,
    all_names: &'b [TypeNames],
}

impl Writer<'_> {
    fn functions(&self) -> Vec<Dmf> {
        let mut functions = vec![self.add(), self.add_beside(), self.edit(), self.view(), self.delete()];
        if self.kind.has_detail() {
            functions.push(self.edit_on_page());
        }
        if self.kind.list.panes {
            functions.push(self.edit_beside());
        }
        if self.kind.delete.undo {
            functions.push(self.undo());
        }
        if self.kind.delete.trash {
            functions.push(self.restore());
        }
        if self.kind.search.is_some() {
            functions.extend([self.search(), self.search_removed()]);
        }
        if self.kind.list.sort {
            functions.extend([self.sort(), self.sort_small_letter()]);
        }
        if self.kind.list.star {
            functions.push(self.filter());
        }
        if self.kind.has_detail() {
            functions.extend(self.kind.second_text().map(|field| self.edit_field(field)));
            functions.extend(self.kind.field_of(Shape::Date).map(|field| self.move_date(field)));
        }
        if !self.blueprint.settings.is_empty() {
            functions.push(self.reset());
        }
        functions.extend(self.kind.field_of(Shape::Owner).map(|field| self.keep_owner(field)));
        functions.extend(self.of_members());
        functions.extend(self.about_choices());
        functions.extend(self.extras());
        functions.extend(self.kind.number().and_then(|field| self.limits(field)));
        functions
    }

    fn writer(&self, data_type: usize) -> Writer<'_> {
        Writer {
            blueprint: self.blueprint,
            kind: &self.blueprint.types[data_type],
            names: &self.all_names[data_type],
            all_names: self.all_names,
        }
    }

    fn noun(&self) -> &str {
        self.kind.noun.0
    }

    /// A function that begins on the list.
    fn begin(&self, verb: &str, kind: DmfKind, weight: u32) -> Function {
        let noun = identifier(self.noun());
        let mut dmf = Dmf::empty(format!("{verb} {noun}"), kind, noun);
        dmf.weight = weight;
        let mut function = Function::new(dmf);
        function.before("pre_widget", Relation::In, self.sel(self.names.tag(Part::New)));
        function.before("notpre_widget", Relation::NotIn, with_text("Undo"));
        if self.kind.list.star {
            function.before("notpre_widget2", Relation::NotIn, described(SHOW_ALL));
        }
        if self.kind.list.panes {
            function.before("notpre_widget3", Relation::NotIn, described(self.names.close));
        }
        function
    }

    /// A function that begins on the list where that shows an object.
    fn begin_on_row(&self, verb: &str, kind: DmfKind, weight: u32) -> Function {
        let mut function = self.begin(verb, kind, weight);
        function.needs_row(self.row_title(TextPattern::Any));
        function
    }

    /// A selector for a widget with a description, or that has an id.
    fn sel(&self, tag: Tag) -> SpecSelector {
        SpecSelector {
            resource_id: tag.dumped_id(&self.blueprint.resources()),
            content_desc: (!tag.desc.is_empty()).then(|| tag.desc.to_owned()),
            ..SpecSelector::default()
        }
    }

    /// A selector for a text view, by its id where it has one.
    fn text_view(&self, tag: Tag, text: TextPattern) -> SpecSelector {
        let by_id = self.sel(tag);
        let class = by_id.resource_id.is_none().then(|| "android.widget.TextView".to_owned());
        SpecSelector { text, class, ..by_id }
    }

    /// A selector for a text of the page of an object, which has no id on a web page.
    fn page_text(&self, tag: Tag, text: TextPattern) -> SpecSelector {
        if !self.blueprint.is_web_page(self.data_type()) {
            return self.text_view(tag, text);
        }
        SpecSelector { text, class: Some(NODE.to_owned()), ..SpecSelector::default() }
    }

    /// A selector for a field of the form.
    fn field(&self, place: usize) -> SpecSelector {
        let by_id = self.sel(self.names.field(place));
        if by_id.resource_id.is_some() {
            return by_id;
        }
        let is_text = |it: &usize| self.kind.fields[*it].shape.is_typed();
        let wizard = self.kind.form.window == FormWindow::Wizard;
        let before = match self.blueprint.changes.fields_reversed {
            _ if wizard => 0,
            true => (place + 1..self.kind.fields.len()).filter(is_text).count(),
            false => (0..place).filter(is_text).count(),
        };
        SpecSelector {
            class: Some("android.widget.EditText".to_owned()),
            instance: u32::try_from(before).ok(),
            ..SpecSelector::default()
        }
    }

    fn row_title(&self, text: TextPattern) -> SpecSelector {
        self.text_view(self.names.tag(Part::RowTitle), text)
    }

    fn existing(&self) -> TextPattern {
        TextPattern::Existing(identifier(self.noun()))
    }

    fn read(widget: &str) -> TextPattern {
        TextPattern::FromRead(widget.to_owned())
    }

    fn fresh(&self, classes: &[(TextClass, u32)]) -> Input {
        Input::Fresh(FreshText { data_type: None, classes: classes.to_vec() })
    }

    /// Goes through the pages of a wizard from one field to another.
    fn turn_pages(&self, function: &mut Function, from: usize, to: usize) {
        if self.kind.form.window == FormWindow::Wizard {
            for _ in from..to {
                function.click(self.sel(self.names.tag(Part::Next)));
            }
        }
    }

    /// Saves the form from the page of this field.
    fn save(&self, function: &mut Function, from: usize) {
        self.try_to_save(function, from);
        if self.blueprint.changes.says_saved && !self.kind.form.autosave {
            function.click(with_text(OK));
        }
    }

    /// The same where the app refuses what was entered.
    fn try_to_save(&self, function: &mut Function, from: usize) {
        self.turn_pages(function, from, self.kind.fields.len() - 1);
        function.click(match self.kind.form.window {
            FormWindow::Dialog => with_text("Save"),
            _ if self.kind.form.autosave => described(DONE),
            FormWindow::Page | FormWindow::Wizard => self.sel(self.names.tag(Part::Save)),
        });
    }

    /// The function, with what is shown when the app refuses a name.
    fn refusable(&self, mut function: Function) -> Dmf {
        function.dmf.refusal = Some(function.widget("refused", self.refused()));
        function.dmf
    }

    fn refused(&self) -> SpecSelector {
        match self.blueprint.naming {
            Naming::Ids | Naming::SharedIds => SpecSelector {
                resource_id: Some(format!("{}:id/textinput_error", self.blueprint.resources())),
                ..SpecSelector::default()
            },
            Naming::Descriptions => SpecSelector {
                xpath: Some(
                    "//*[@text='Enter a name' or @text='This name exists' or @text='Fill in this field' or \
                     starts-with(@text, 'Enter a number')]"
                        .to_owned(),
                ),
                ..SpecSelector::default()
            },
        }
    }

    /// Opens the form of a new object.
    fn click_new(&self, function: &mut Function) {
        function.click(self.sel(self.names.tag(Part::New)));
        self.permit(function);
    }

    /// Makes an object with no more than a name, which is read as `name`.
    fn make(&self, name: &str, function: &mut Function, input: Input) {
        self.click_new(function);
        self.type_name_as(name, function, input);
        self.save(function, 0);
    }

    /// Says how to begin, and grants the permission that the form of a new object needs, if it was not granted before.
    fn permit(&self, function: &mut Function) {
        if self.blueprint.changes.asks_how {
            function.click(with_text(START_EMPTY));
        }
        if self.kind.form.permission.is_some() {
            function.click_once(with_text(CONTINUE));
            function.click_once(with_text(ALLOW));
        }
    }

    fn data_type(&self) -> usize {
        let place = self.blueprint.types.iter().position(|kind| kind.noun == self.kind.noun);
        place.unwrap_or(0)
    }

    /// Goes to the tab of an object's page that shows a field.
    fn show_field(&self, function: &mut Function, field: usize) {
        if self.blueprint.is_on_second_tab(self.data_type(), field) {
            self.show_members(function);
        }
    }

    /// Goes to the tab of an object's page that shows what belongs to it.
    fn show_members(&self, function: &mut Function) {
        if let Some([_, second]) = self.blueprint.object_tabs(self.all_names, self.data_type()) {
            function.click(with_text(second));
        }
    }

    /// Goes from the page of an object back to the list.
    fn close_page(&self, function: &mut Function) {
        let panes = self.kind.list.panes;
        function.click(described(if panes { self.names.close } else { "Navigate up" }));
    }

    /// Types a name into the form and reads it.
    fn type_name(&self, function: &mut Function, input: Input) {
        self.type_name_as("add_name", function, input);
    }

    fn type_name_as(&self, name: &str, function: &mut Function, input: Input) {
        function.write(self.field(0), input);
        function.widget(name, SpecSelector { instance: Some(0), ..self.field(0) });
    }
}
