//! The functions about choices, boxes and stars.

use taproof_spec::{Dmf, DmfKind, Relation, SpecSelector};

use super::Writer;
use super::function::{Function, with_text};
use crate::generate::names::Part;
use crate::schema::{Shape, Word};

impl Writer<'_> {
    pub(super) fn about_choices(&self) -> Vec<Dmf> {
        let mut functions = Vec::new();
        if let Some((field, words)) = self.kind.choice().filter(|_| self.kind.has_detail()) {
            functions.push(self.choose(field, words.0[1]));
            functions.extend(words.0.last().map(|last| self.rename_chosen(field, *last)));
        }
        functions.extend(self.kind.field_of(Shape::Check).map(|field| self.tick(field)));
        if self.kind.list.star && self.kind.has_detail() {
            functions.push(self.unstar());
        }
        functions
    }

    /// Begins to make an object and chooses one of several words for it.
    fn begin_chosen(&self, name: &str, field: usize, word: Word, function: &mut Function) {
        self.click_new(function);
        self.type_name_as(name, function, self.plain());
        self.turn_pages(function, 0, field);
        let class = Some("android.widget.RadioButton".to_owned());
        function.click(SpecSelector { class, ..with_text(word.0) });
        self.save(function, field);
        function.click(self.row_title(Self::read(name)));
    }

    /// Whatever was chosen, the page shows the object.
    fn choose(&self, field: usize, word: Word) -> Dmf {
        let mut function = self.begin("choose", DmfKind::Property, 4);
        self.begin_chosen("add_name", field, word, &mut function);
        function.after("add_object", Relation::In, self.page_title(Self::read("add_name")));
        self.refusable(function)
    }

    /// Whatever was chosen, the object can be changed.
    fn rename_chosen(&self, field: usize, word: Word) -> Dmf {
        let mut function = self.begin("rename_chosen", DmfKind::Property, 4);
        self.begin_chosen("first_name", field, word, &mut function);
        function.click(self.sel(self.names.tag(Part::Edit)));
        self.type_name(&mut function, self.plain());
        self.save(&mut function, 0);
        function.after("add_object", Relation::In, self.page_title(Self::read("add_name")));
        self.refusable(function)
    }

    /// Makes an object with a box ticked.
    fn tick(&self, field: usize) -> Dmf {
        let mut function = self.begin("tick", DmfKind::Property, 3);
        self.click_new(&mut function);
        self.type_name(&mut function, self.plain());
        self.turn_pages(&mut function, 0, field);
        let class = Some("android.widget.CheckBox".to_owned());
        function.click(SpecSelector { class, ..with_text(self.kind.fields[field].label.0) });
        self.save(&mut function, field);
        function.after("add_object", Relation::In, self.row_title(Self::read("add_name")));
        self.refusable(function)
    }

    /// What has lost its star on its page is not among those with one any more.
    fn unstar(&self) -> Dmf {
        let mut function = self.begin("unstar", DmfKind::Property, 4);
        self.make("add_name", &mut function, self.plain());
        self.click_in_row(&mut function, "star_name", Self::read("add_name"), Part::RowStar);
        function.click(self.sel(self.names.tag(Part::Starred)));
        function.click(self.row_title(Self::read("add_name")));
        function.click(self.sel(self.names.tag(Part::PageStar)));
        self.close_page(&mut function);
        function.after("star_object", Relation::NotIn, self.row_title(Self::read("add_name")));
        self.refusable(function)
    }
}
