//! The ground truth: the specification that follows from a blueprint.

use taproof_core::format::DmfFile;
use taproof_core::spec::{
    Action, Block, BlockedEvent, Condition, DataType as Noun, Dmf, DmfKind, DmfStep, FreshText, Impact,
    ImpactOp, Input, NamedSelector, Relation, Spec, SpecSelector, TextClass, TextPattern, ViewPattern,
};

use super::form_page::DONE;
use super::list_page::{SHOW_ALL, order_label};
use super::names::{Part, Tag, TypeNames, identifier};
use super::schema::{Blueprint, DataType, DeleteFrom, FormWindow, Naming, Shape};
use super::store::Order;

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
    (TextClass::OtherCase, 1),
    (TextClass::Extending, 1),
    (TextClass::Existing, 1),
    (TextClass::Removed, 1),
    (TextClass::BlankEdges, 1),
    (TextClass::Unicode, 1),
    (TextClass::Hostile, 1),
    (TextClass::Long, 1),
];

/// Returns the specification of a blueprint.
pub(super) fn spec(blueprint: &Blueprint, names: &[TypeNames]) -> Spec {
    let mut spec = Spec::default();
    for (kind, names) in blueprint.types.iter().zip(names) {
        let writer = Writer { blueprint, kind, names };
        spec.dmfs.extend(writer.functions());
        for block in writer.blocks() {
            if !spec.blocks.contains(&block) {
                spec.blocks.push(block);
            }
        }
    }
    spec
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

/// A function while it is written: each step adds a layout, on which later widgets are.
struct Function {
    dmf: Dmf,
    layout: usize,
}

impl Function {
    fn widget(&mut self, name: &str, selector: SpecSelector) -> String {
        let layout = self.layout;
        self.dmf.widgets.push(NamedSelector { name: name.to_owned(), layout, selector });
        name.to_owned()
    }

    fn step(&mut self, action: Action, widget: Option<String>, input: Input) {
        self.dmf.steps.push(DmfStep { action, widget, input, required: true });
        self.layout += 1;
    }

    fn click(&mut self, selector: SpecSelector) {
        let name = self.widget(&format!("e{}_widget", self.layout + 1), selector);
        self.step(Action::Click, Some(name), Input::None);
    }

    fn click_named(&mut self, name: &str, selector: SpecSelector) {
        let name = self.widget(name, selector);
        self.step(Action::Click, Some(name), Input::None);
    }

    fn write(&mut self, selector: SpecSelector, input: Input) {
        let name = self.widget(&format!("e{}_widget", self.layout + 1), selector);
        self.step(Action::Edit, Some(name), input);
    }

    /// A condition before the function begins.
    fn before(&mut self, name: &str, relation: Relation, selector: SpecSelector) {
        let layout = std::mem::take(&mut self.layout);
        let widget = Some(self.widget(name, selector));
        self.layout = layout;
        self.dmf.preconditions.push(Condition { widget, ..condition(relation, None) });
    }

    /// A row with an object that the functions know must be on the screen.
    fn needs_row(&mut self, row: SpecSelector) {
        let data_type = Some(self.dmf.data_type.clone());
        let widget = Some(self.widget("row_widget", row));
        self.dmf.preconditions.push(Condition { widget, ..condition(Relation::In, data_type) });
    }

    fn data(&mut self, relation: Relation) {
        let data_type = Some(self.dmf.data_type.clone());
        self.dmf.preconditions.push(condition(relation, data_type));
    }

    /// A condition after the last step.
    fn after(&mut self, name: &str, relation: Relation, selector: SpecSelector) {
        let widget = Some(self.widget(name, selector));
        self.dmf.postconditions.push(Condition { widget, ..condition(relation, None) });
    }

    fn impact(&mut self, op: ImpactOp, widget: &str) {
        self.dmf.impacts.push(Impact { op, object: TextPattern::FromRead(widget.to_owned()) });
    }
}

fn condition(relation: Relation, data_type: Option<Noun>) -> Condition {
    Condition { widget: None, data_type, relation, layout: None, state: None, scroll: true }
}

fn with_text(text: &str) -> SpecSelector {
    SpecSelector { text: TextPattern::Is(text.to_owned()), ..SpecSelector::default() }
}

fn described(desc: &str) -> SpecSelector {
    SpecSelector { content_desc: Some(desc.to_owned()), ..SpecSelector::default() }
}

struct Writer<'b> {
    blueprint: &'b Blueprint,
    kind: &'b DataType,
    names: &'b TypeNames,
}

impl Writer<'_> {
    fn functions(&self) -> Vec<Dmf> {
        let mut functions = vec![self.add(), self.edit(), self.view(), self.delete()];
        if self.kind.has_detail() {
            functions.push(self.edit_on_page());
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
        functions
    }

    fn noun(&self) -> &str {
        self.kind.noun.0
    }

    /// A function that begins on the list.
    fn begin(&self, verb: &str, kind: DmfKind, weight: u32) -> Function {
        let noun = identifier(self.noun());
        let mut dmf = Dmf::empty(format!("{verb} {noun}"), kind, noun);
        dmf.weight = weight;
        let mut function = Function { dmf, layout: 0 };
        function.before("pre_widget", Relation::In, self.sel(self.names.tag(Part::New)));
        function.before("notpre_widget", Relation::NotIn, with_text("Undo"));
        if self.kind.list.star {
            function.before("notpre_widget2", Relation::NotIn, described(SHOW_ALL));
        }
        function
    }

    /// A selector for a widget with a description, or that has an id.
    fn sel(&self, tag: Tag) -> SpecSelector {
        SpecSelector {
            resource_id: tag.dumped_id(&self.blueprint.package()),
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

    /// A selector for a field of the form.
    fn field(&self, place: usize) -> SpecSelector {
        let by_id = self.sel(self.names.field(place));
        if by_id.resource_id.is_some() {
            return by_id;
        }
        let is_text = |it: &usize| matches!(self.kind.fields[*it].shape, Shape::Line | Shape::Lines);
        let wizard = self.kind.form.window == FormWindow::Wizard;
        let before = if wizard { 0 } else { (0..place).filter(is_text).count() };
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
        self.turn_pages(function, from, self.kind.fields.len() - 1);
        function.click(match self.kind.form.window {
            FormWindow::Dialog => with_text("Save"),
            _ if self.kind.form.autosave => described(DONE),
            FormWindow::Page | FormWindow::Wizard => self.sel(self.names.tag(Part::Save)),
        });
    }

    /// What is shown when the app refuses a name.
    fn refusal(&self, function: &mut Function) {
        let refused = match self.blueprint.naming {
            Naming::Ids | Naming::SharedIds => SpecSelector {
                resource_id: Some(format!("{}:id/textinput_error", self.blueprint.package())),
                ..SpecSelector::default()
            },
            Naming::Descriptions => SpecSelector {
                xpath: Some(
                    "//*[@text='Enter a name' or @text='This name exists' or @text='Fill in all fields']"
                        .to_owned(),
                ),
                ..SpecSelector::default()
            },
        };
        function.dmf.refusal = Some(function.widget("refused", refused));
    }

    /// Types a name into the form and reads it.
    fn type_name(&self, function: &mut Function, input: Input) {
        function.write(self.field(0), input);
        function.widget("add_name", SpecSelector { instance: Some(0), ..self.field(0) });
    }

    fn add(&self) -> Dmf {
        let mut function = self.begin("add", DmfKind::Create, 10);
        function.data(Relation::Smaller(5));
        function.click(self.sel(self.names.tag(Part::New)));
        self.type_name(&mut function, self.fresh(&NAMES));
        self.save(&mut function, 0);
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.row_title(Self::read("add_name")));
        self.refusal(&mut function);
        function.dmf
    }

    /// Opens the menu of a row that shows an existing object.
    fn open_row_menu(&self, function: &mut Function, name: &str) {
        function.widget(name, self.row_title(self.existing()));
        let menu = self.sel(self.names.tag(Part::RowMenu));
        function.click(SpecSelector { row: Some(name.to_owned()), ..menu });
    }

    fn edit(&self) -> Dmf {
        let mut function = self.begin("edit", DmfKind::Update, 10);
        function.needs_row(self.row_title(TextPattern::Any));
        self.open_row_menu(&mut function, "delete_name");
        function.click(with_text("Edit"));
        self.type_name(&mut function, self.fresh(&NAMES));
        self.save(&mut function, 0);
        function.impact(ImpactOp::Delete, "delete_name");
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.row_title(Self::read("add_name")));
        function.after("delete_object", Relation::NotIn, self.row_title(Self::read("delete_name")));
        self.refusal(&mut function);
        function.dmf
    }

    /// From the page of the object, which shows the new name at once.
    fn edit_on_page(&self) -> Dmf {
        let mut function = self.begin("edit1", DmfKind::Update, 6);
        function.needs_row(self.row_title(TextPattern::Any));
        function.click_named("delete_name", self.row_title(self.existing()));
        function.click(self.sel(self.names.tag(Part::Edit)));
        self.type_name(&mut function, self.fresh(&NAMES));
        self.save(&mut function, 0);
        function.impact(ImpactOp::Delete, "delete_name");
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.page_title(Self::read("add_name")));
        self.refusal(&mut function);
        function.dmf
    }

    fn page_title(&self, text: TextPattern) -> SpecSelector {
        self.text_view(self.names.tag(Part::Title), text)
    }

    fn view(&self) -> Dmf {
        let mut function = self.begin("view", DmfKind::Read, 4);
        function.needs_row(self.row_title(TextPattern::Any));
        function.click_named("view_name", self.row_title(self.existing()));
        let shown = if self.kind.has_detail() {
            self.page_title(Self::read("view_name"))
        } else {
            SpecSelector { text: Self::read("view_name"), instance: None, ..self.field(0) }
        };
        function.after("view_object", Relation::In, shown);
        function.dmf
    }

    /// Deletes an existing object, whose name is read as `name`.
    fn delete_one(&self, function: &mut Function, name: &str) {
        match self.kind.delete.from {
            DeleteFrom::RowMenu => {
                self.open_row_menu(function, name);
                function.click(with_text("Delete"));
            }
            DeleteFrom::Detail => {
                function.click_named(name, self.row_title(self.existing()));
                function.click(self.sel(self.names.tag(Part::Delete)));
            }
        }
        if self.kind.delete.confirm {
            let class = Some("android.widget.Button".to_owned());
            function.click(SpecSelector { class, ..with_text("Delete") });
        }
    }

    fn delete(&self) -> Dmf {
        let mut function = self.begin("delete", DmfKind::Delete, 8);
        function.needs_row(self.row_title(TextPattern::Any));
        self.delete_one(&mut function, "delete_name");
        function.impact(ImpactOp::Delete, "delete_name");
        function.after("delete_object", Relation::NotIn, self.row_title(Self::read("delete_name")));
        function.dmf
    }

    /// Deletes an object of which more than the name was entered, takes that back, and looks at it.
    fn undo(&self) -> Dmf {
        let mut function = self.begin("undo", DmfKind::Property, 6);
        function.needs_row(self.row_title(TextPattern::Any));
        let second = self.kind.second_text().filter(|_| self.kind.has_detail());
        if let Some(second) = second {
            self.enter_field(&mut function, second);
            function.click(described("Navigate up"));
        }
        self.delete_one(&mut function, "undo_name");
        function.click(with_text("Undo"));
        let shown = match second {
            Some(second) => {
                function.click(self.row_title(Self::read("undo_name")));
                self.text_view(self.names.value(second), Self::read("add_name"))
            }
            None => self.row_title(Self::read("undo_name")),
        };
        function.after("undo_object", Relation::In, shown);
        function.dmf
    }

    /// Opens an existing object and enters something into a field, which its page shows then.
    fn enter_field(&self, function: &mut Function, field: usize) {
        function.click_named("view_name", self.row_title(self.existing()));
        function.click(self.sel(self.names.tag(Part::Edit)));
        self.turn_pages(function, 0, field);
        function.write(self.field(field), self.fresh(&[(TextClass::Plain, 1)]));
        function.widget("add_name", self.field(field));
        self.save(function, field);
    }

    /// Opens the overflow menu of the list.
    fn open_more(&self, function: &mut Function) {
        function.click(SpecSelector { instance: Some(0), ..described("More options") });
    }

    fn restore(&self) -> Dmf {
        let mut function = self.begin("restore", DmfKind::Create, 6);
        function.data(Relation::Smaller(5));
        self.open_more(&mut function);
        function.click(with_text("Trash"));
        let trashed = self.text_view(self.names.tag(Part::TrashTitle), TextPattern::Any);
        // Without ids, the first text is the title of the page.
        let instance = if trashed.resource_id.is_some() { 0 } else { 1 };
        function.widget("add_name", SpecSelector { instance: Some(instance), ..trashed });
        function.click(SpecSelector { instance: Some(0), ..self.sel(self.names.tag(Part::Restore)) });
        function.click(described("Navigate up"));
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.row_title(Self::read("add_name")));
        function.dmf
    }

    fn find(&self, function: &mut Function, input: Input) {
        function.click(self.sel(self.names.tag(Part::Search)));
        let by_id = self.sel(Tag { desc: "", ..self.names.tag(Part::Query) });
        let class = by_id.resource_id.is_none().then(|| "android.widget.EditText".to_owned());
        let query = SpecSelector { class, ..by_id };
        function.write(query.clone(), input);
        function.widget("search_name", SpecSelector { instance: Some(0), ..query });
        if !self.kind.search.is_some_and(|plan| plan.live) {
            function.step(Action::ImeAction, None, Input::None);
        }
    }

    fn result(&self) -> SpecSelector {
        self.text_view(self.names.tag(Part::Result), Self::read("search_name"))
    }

    fn search(&self) -> Dmf {
        let mut function = self.begin("search", DmfKind::Search, 6);
        function.data(Relation::IsNotEmpty);
        self.find(&mut function, Input::Existing(identifier(self.noun())));
        function.after("search_object", Relation::In, self.result());
        function.dmf
    }

    /// What was removed must not be found.
    fn search_removed(&self) -> Dmf {
        let mut function = self.begin("search1", DmfKind::Search, 4);
        self.find(&mut function, self.fresh(&[(TextClass::Removed, 3), (TextClass::Plain, 1)]));
        function.after("search_object", Relation::NotIn, self.result());
        function.dmf
    }

    /// In the order by name, small letters and capital ones count the same.
    fn sort(&self) -> Dmf {
        let mut function = self.begin("sort", DmfKind::Property, 4);
        self.order_by_name(&mut function, Vec::new());
        function.dmf
    }

    /// A name with a small letter does not come last.
    fn sort_small_letter(&self) -> Dmf {
        const SMALL: &str = "aab";
        let mut function = self.begin("sort1", DmfKind::Property, 2);
        function.click(self.sel(self.names.tag(Part::New)));
        self.type_name(&mut function, Input::Literal(SMALL.to_owned()));
        self.save(&mut function, 0);
        self.order_by_name(&mut function, vec![SMALL]);
        self.refusal(&mut function);
        function.dmf
    }

    /// Orders the list by name and says how the shipped objects and these stand.
    fn order_by_name(&self, function: &mut Function, mut names: Vec<&str>) {
        function.click(self.sel(self.names.tag(Part::Sort)));
        function.click(with_text(order_label(Order::Name)));
        names.extend(self.kind.shipped.iter().filter_map(|values| values.first()).map(|name| name.0));
        names.sort_by_key(|name| name.to_lowercase());
        let mut order = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let selector = self.row_title(TextPattern::Is((*name).to_owned()));
            order.push(function.widget(&format!("row{place}_widget"), selector));
        }
        function.dmf.postconditions.push(condition(Relation::InOrder(order), None));
    }

    /// Something new has no star, so the filter does not show it.
    fn filter(&self) -> Dmf {
        let mut function = self.begin("filter", DmfKind::Property, 4);
        function.click(self.sel(self.names.tag(Part::New)));
        self.type_name(&mut function, self.fresh(&[(TextClass::Plain, 1)]));
        self.save(&mut function, 0);
        function.click(self.sel(self.names.tag(Part::Starred)));
        function.after("filter_object", Relation::NotIn, self.row_title(Self::read("add_name")));
        self.refusal(&mut function);
        function.dmf
    }

    fn edit_field(&self, field: usize) -> Dmf {
        let verb = format!("edit_{}", identifier(self.kind.fields[field].label.0));
        let mut function = self.begin(&verb, DmfKind::Property, 6);
        function.needs_row(self.row_title(TextPattern::Any));
        self.enter_field(&mut function, field);
        let value = self.text_view(self.names.value(field), Self::read("add_name"));
        function.after("add_object", Relation::In, value);
        self.refusal(&mut function);
        function.dmf
    }

    fn move_date(&self, field: usize) -> Dmf {
        let mut function = self.begin("move_date", DmfKind::Property, 6);
        function.needs_row(self.row_title(TextPattern::Any));
        function.click_named("view_name", self.row_title(self.existing()));
        function.click(self.sel(self.names.tag(Part::Edit)));
        self.turn_pages(&mut function, 0, field);
        function.click(described("Day after"));
        // Without ids, it is the third text: the title and the label come first.
        let date = self.text_view(self.names.field(field), TextPattern::Any);
        let instance = if date.resource_id.is_some() { 0 } else { 2 };
        function.widget("add_name", SpecSelector { instance: Some(instance), ..date });
        self.save(&mut function, field);
        let value = self.text_view(self.names.value(field), Self::read("add_name"));
        function.after("add_object", Relation::In, value);
        self.refusal(&mut function);
        function.dmf
    }

    /// Resetting the settings keeps the objects.
    fn reset(&self) -> Dmf {
        let mut function = self.begin("reset", DmfKind::Property, 3);
        function.needs_row(self.row_title(TextPattern::Any));
        function.widget("kept_name", self.row_title(self.existing()));
        self.open_more(&mut function);
        function.click(with_text("Settings"));
        function.click(with_text("Reset settings"));
        function.click(with_text("Reset"));
        function.click(described("Navigate up"));
        function.after("kept_object", Relation::In, self.row_title(Self::read("kept_name")));
        function.dmf
    }

    /// What changes objects outside of the functions.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![block(&[("text", "Undo")], "brings back what was deleted")];
        if self.kind.form.autosave {
            let back = block(&[("content-desc", DONE)], "saves what was entered");
            blocks.push(Block { event: BlockedEvent::Back, ..back });
        }
        let plan = self.kind.delete;
        if plan.confirm || plan.from == DeleteFrom::RowMenu {
            blocks.push(block(&[("text", "Delete")], "deletes objects"));
        }
        if !plan.confirm {
            blocks.push(self.block_part(Part::DeleteSelected, "deletes what is selected"));
            if plan.from == DeleteFrom::Detail {
                blocks.push(self.block_part(Part::Delete, "deletes without asking"));
            }
        }
        if plan.trash {
            blocks.push(self.block_part(Part::Restore, "brings back what was deleted"));
            blocks.push(self.block_part(Part::Erase, "deletes what could be restored"));
        }
        blocks
    }

    fn block_part(&self, part: Part, reason: &str) -> Block {
        let tag = self.names.tag(part);
        match tag.dumped_id(&self.blueprint.package()) {
            Some(id) => block(&[("resource-id", &id)], reason),
            None => block(&[("content-desc", tag.desc)], reason),
        }
    }
}

fn block(attributes: &[(&str, &str)], reason: &str) -> Block {
    let attributes =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Block {
        pattern: ViewPattern { attributes },
        event: BlockedEvent::Widget,
        reason: reason.to_owned(),
        derived: false,
        every_engine: false,
    }
}
