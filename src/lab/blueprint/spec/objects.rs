//! The functions that make, change, show and delete objects.

use taproof_spec::{Action, Dmf, DmfKind, ImpactOp, Input, Relation, SpecSelector, TextClass, TextPattern};

use super::function::{Function, described, with_text};
use super::{NAMES, Writer};
use crate::generate::names::{Part, identifier};
use crate::schema::{DeleteFrom, FormWindow, Shape};

impl Writer<'_> {
    pub(super) fn add(&self) -> Dmf {
        let mut function = self.begin("add", DmfKind::Create, 10);
        function.data(Relation::Smaller(5));
        self.make("add_name", &mut function, self.fresh(&NAMES));
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.row_title(Self::read("add_name")));
        self.refusable(function)
    }

    /// Adds an object with a name much like that of another one, which stays.
    pub(super) fn add_beside(&self) -> Dmf {
        let mut function = self.begin("add1", DmfKind::Create, 5);
        function.data(Relation::Smaller(5));
        function.needs_row(self.row_title(TextPattern::Any));
        function.widget("kept_name", self.row_title(self.existing()));
        self.click_new(&mut function);
        let alike = [(TextClass::OtherCase, 2), (TextClass::Extending, 1)];
        self.type_name(&mut function, self.fresh(&alike));
        self.save(&mut function, 0);
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.row_title(Self::read("add_name")));
        function.after("kept_object", Relation::In, self.row_title(Self::read("kept_name")));
        self.refusable(function)
    }

    /// Taps a part of the row of the object that is called so, which is read as `name`.
    pub(super) fn click_in_row(&self, function: &mut Function, name: &str, text: TextPattern, part: Part) {
        function.widget(name, self.row_title(text));
        function.click(SpecSelector { row: Some(name.to_owned()), ..self.sel(self.names.tag(part)) });
    }

    pub(super) fn edit(&self) -> Dmf {
        let mut function = self.begin_on_row("edit", DmfKind::Update, 10);
        self.click_in_row(&mut function, "delete_name", self.existing(), Part::RowMenu);
        function.click(with_text("Edit"));
        self.type_name(&mut function, self.fresh(&NAMES));
        self.save(&mut function, 0);
        function.impact(ImpactOp::Delete, "delete_name");
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.row_title(Self::read("add_name")));
        function.after("delete_object", Relation::NotIn, self.row_title(Self::read("delete_name")));
        self.refusable(function)
    }

    /// From the page of the object, which shows the new name at once.
    pub(super) fn edit_on_page(&self) -> Dmf {
        self.rename_on_page(self.begin_on_row("edit1", DmfKind::Update, 6))
    }

    /// The same on the page beside the list.
    pub(super) fn edit_beside(&self) -> Dmf {
        let mut function = self.begin_on_row("edit2", DmfKind::Update, 6);
        function.step(Action::RotateLeft, None, Input::None);
        self.rename_on_page(function)
    }

    fn rename_on_page(&self, mut function: Function) -> Dmf {
        function.click_named("delete_name", self.row_title(self.existing()));
        function.click(self.sel(self.names.tag(Part::Edit)));
        self.type_name(&mut function, self.fresh(&NAMES));
        self.save(&mut function, 0);
        function.impact(ImpactOp::Delete, "delete_name");
        function.impact(ImpactOp::Add, "add_name");
        function.after("add_object", Relation::In, self.page_title(Self::read("add_name")));
        self.refusable(function)
    }

    pub(super) fn page_title(&self, text: TextPattern) -> SpecSelector {
        self.page_text(self.names.tag(Part::Title), text)
    }

    pub(super) fn view(&self) -> Dmf {
        let mut function = self.begin_on_row("view", DmfKind::Read, 4);
        function.click_named("view_name", self.row_title(self.existing()));
        let shown = if self.kind.has_detail() {
            self.page_title(Self::read("view_name"))
        } else {
            SpecSelector { text: Self::read("view_name"), instance: None, ..self.field(0) }
        };
        function.after("view_object", Relation::In, shown);
        function.dmf
    }

    /// Deletes the object that is called so, which is read as `name`.
    pub(super) fn delete_one(&self, function: &mut Function, name: &str, text: TextPattern) {
        match self.kind.delete.from {
            DeleteFrom::RowMenu => {
                self.click_in_row(function, name, text, Part::RowMenu);
                function.click(with_text("Delete"));
            }
            DeleteFrom::Swipe => {
                function.widget(name, self.row_title(text));
                function.swipe(name);
                function.click(with_text("Delete"));
            }
            DeleteFrom::Detail => {
                function.click_named(name, self.row_title(text));
                function.click(self.sel(self.names.tag(Part::Delete)));
            }
        }
        if self.kind.delete.confirm {
            let class = Some("android.widget.Button".to_owned());
            function.click(SpecSelector { class, ..with_text("Delete") });
        }
    }

    pub(super) fn delete(&self) -> Dmf {
        let mut function = self.begin_on_row("delete", DmfKind::Delete, 8);
        self.delete_one(&mut function, "delete_name", self.existing());
        function.impact(ImpactOp::Delete, "delete_name");
        function.after("delete_object", Relation::NotIn, self.row_title(Self::read("delete_name")));
        function.dmf
    }

    /// Deletes an object of which more than the name was entered, takes that back, and looks at it.
    pub(super) fn undo(&self) -> Dmf {
        let mut function = self.begin_on_row("undo", DmfKind::Property, 6);
        let second = self.kind.second_text().filter(|_| self.kind.has_detail());
        if let Some(second) = second {
            self.enter_field(&mut function, second);
            self.close_page(&mut function);
        }
        self.delete_one(&mut function, "undo_name", self.existing());
        function.click(with_text("Undo"));
        let shown = match second {
            Some(second) => {
                function.click(self.row_title(Self::read("undo_name")));
                self.show_field(&mut function, second);
                self.page_text(self.names.value(second), Self::read("add_name"))
            }
            None => self.row_title(Self::read("undo_name")),
        };
        function.after("undo_object", Relation::In, shown);
        function.dmf
    }

    /// Opens an existing object and enters something into a field, which its page shows then.
    pub(super) fn enter_field(&self, function: &mut Function, field: usize) {
        function.click_named("view_name", self.row_title(self.existing()));
        function.click(self.sel(self.names.tag(Part::Edit)));
        self.turn_pages(function, 0, field);
        function.write(self.field(field), self.fresh(&[(TextClass::Plain, 1)]));
        function.widget("add_name", self.field(field));
        self.save(function, field);
    }

    pub(super) fn restore(&self) -> Dmf {
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

    pub(super) fn edit_field(&self, field: usize) -> Dmf {
        let verb = format!("edit_{}", identifier(self.kind.fields[field].label.0));
        let mut function = self.begin_on_row(&verb, DmfKind::Property, 6);
        self.enter_field(&mut function, field);
        self.show_field(&mut function, field);
        let value = self.page_text(self.names.value(field), Self::read("add_name"));
        function.after("add_object", Relation::In, value);
        self.refusable(function)
    }

    pub(super) fn move_date(&self, field: usize) -> Dmf {
        let mut function = self.begin_on_row("move_date", DmfKind::Property, 6);
        function.click_named("view_name", self.row_title(self.existing()));
        function.click(self.sel(self.names.tag(Part::Edit)));
        self.turn_pages(&mut function, 0, field);
        function.click(described("Day after"));
        function.click(described("Week after"));
        // Without ids, it is the third text: the title and the label come first.
        let date = self.text_view(self.names.field(field), TextPattern::Any);
        let instance = if date.resource_id.is_some() { 0 } else { 2 };
        function.widget("add_name", SpecSelector { instance: Some(instance), ..date });
        self.save(&mut function, field);
        self.show_field(&mut function, field);
        let value = self.page_text(self.names.value(field), Self::read("add_name"));
        function.after("add_object", Relation::In, value);
        self.refusable(function)
    }

    /// A number outside of the limits is refused.
    pub(super) fn limits(&self, field: usize) -> Option<Dmf> {
        let Shape::Number { most, .. } = self.kind.fields[field].shape else { return None };
        let mut function = self.begin("limits", DmfKind::Property, 3);
        self.click_new(&mut function);
        self.type_name(&mut function, self.fresh(&[(TextClass::Plain, 1)]));
        self.turn_pages(&mut function, 0, field);
        function.write(self.field(field), Input::Literal((most + 1).to_string()));
        let last = self.kind.fields.len() - 1;
        if self.kind.form.window == FormWindow::Wizard && field < last {
            self.turn_pages(&mut function, field, field + 1);
        } else {
            self.try_to_save(&mut function, last);
        }
        function.after("refused", Relation::In, self.refused());
        Some(function.dmf)
    }
}
