//! The functions of lists: their search, order and filter, and what the settings do to them.

use taproof_spec::{Action, Condition, Dmf, DmfKind, Input, Relation, SpecSelector, TextClass, TextPattern};

use super::Writer;
use super::function::{Function, described, with_text};
use crate::generate::names::{Part, Tag, identifier};
use crate::pages::list_page::order_label;
use crate::store::Order;

impl Writer<'_> {
    /// Opens the overflow menu of the list.
    pub(super) fn open_more(&self, function: &mut Function) {
        function.click(SpecSelector { instance: Some(0), ..described("More options") });
    }

    pub(super) fn find(&self, function: &mut Function, input: Input) {
        if self.blueprint.changes.search_in_menu {
            self.open_more(function);
        }
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

    pub(super) fn result(&self) -> SpecSelector {
        self.text_view(self.names.tag(Part::Result), Self::read("search_name"))
    }

    pub(super) fn search(&self) -> Dmf {
        let mut function = self.begin("search", DmfKind::Search, 6);
        function.data(Relation::IsNotEmpty);
        self.find(&mut function, Input::Existing(identifier(self.noun())));
        function.after("search_object", Relation::In, self.result());
        function.dmf
    }

    /// What was removed must not be found.
    pub(super) fn search_removed(&self) -> Dmf {
        let mut function = self.begin("search1", DmfKind::Search, 4);
        self.find(&mut function, self.fresh(&[(TextClass::Removed, 3), (TextClass::Plain, 1)]));
        function.after("search_object", Relation::NotIn, self.result());
        function.dmf
    }

    /// In the order by name, small letters and capital ones count the same.
    pub(super) fn sort(&self) -> Dmf {
        let mut function = self.begin("sort", DmfKind::Property, 4);
        self.order_by_name(&mut function, Vec::new());
        function.dmf
    }

    /// A name with a small letter does not come last.
    pub(super) fn sort_small_letter(&self) -> Dmf {
        const SMALL: &str = "aab";
        let mut function = self.begin("sort1", DmfKind::Property, 2);
        self.make("add_name", &mut function, Input::Literal(SMALL.to_owned()));
        self.order_by_name(&mut function, vec![SMALL]);
        self.refusable(function)
    }

    /// Orders the list by name and says how the shipped objects and these stand.
    pub(super) fn order_by_name(&self, function: &mut Function, mut names: Vec<&str>) {
        function.click(self.sel(self.names.tag(Part::Sort)));
        function.click(with_text(order_label(Order::Name)));
        names.extend(self.kind.shipped.iter().filter_map(|values| values.first()).map(|name| name.0));
        names.sort_by_key(|name| name.to_lowercase());
        names.dedup();
        let mut order = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let selector = self.row_title(TextPattern::Is((*name).to_owned()));
            order.push(function.widget(&format!("row{place}_widget"), selector));
        }
        function.dmf.postconditions.push(Condition::of(Relation::InOrder(order)));
    }

    /// Something new has no star, so the filter does not show it.
    pub(super) fn filter(&self) -> Dmf {
        let mut function = self.begin("filter", DmfKind::Property, 4);
        self.make("add_name", &mut function, self.fresh(&[(TextClass::Plain, 1)]));
        function.click(self.sel(self.names.tag(Part::Starred)));
        function.after("filter_object", Relation::NotIn, self.row_title(Self::read("add_name")));
        self.refusable(function)
    }

    /// Resetting the settings keeps the objects.
    pub(super) fn reset(&self) -> Dmf {
        let mut function = self.begin_on_row("reset", DmfKind::Property, 3);
        function.widget("kept_name", self.row_title(self.existing()));
        self.open_more(&mut function);
        function.click(with_text("Settings"));
        function.click(with_text("Reset settings"));
        function.click(with_text("Reset"));
        function.click(described("Navigate up"));
        function.after("kept_object", Relation::In, self.row_title(Self::read("kept_name")));
        function.dmf
    }
}
