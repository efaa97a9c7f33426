//! The functions about objects that belong to others.

use taproof_spec::{Action, Dmf, DmfKind, Input, Relation, SpecSelector, TextClass};

use super::Writer;
use super::function::{Function, described, with_text};
use crate::generate::names::{Part, identifier};
use crate::pages::list_page::SHOW_ALL;
use crate::pages::notice::{GOT_IT, NOT_NOW};
use crate::schema::{Cascade, Home, Trap};

impl Writer<'_> {
    pub(super) fn plain(&self) -> Input {
        self.fresh(&[(TextClass::Plain, 1)])
    }

    /// Makes an object that belongs to an existing one, changes it, and looks whether it still belongs there.
    pub(super) fn keep_owner(&self, field: usize) -> Dmf {
        let mut function = self.begin("keep_owner", DmfKind::Property, 6);
        function.step(Action::RotateNatural, None, Input::None);
        self.click_new(&mut function);
        self.type_name_as("first_name", &mut function, self.plain());
        self.turn_pages(&mut function, 0, field);
        function.click(described(self.names.tag(Part::Choose).desc));
        let choice = self.sel(self.names.tag(Part::Choice));
        let class = Some("android.widget.RadioButton".to_owned());
        // The first one stands for no owner.
        function.click_named("owner_name", SpecSelector { class, instance: Some(1), ..choice });
        self.save(&mut function, field);
        function.click(self.row_title(Self::read("first_name")));
        if self.kind.has_detail() {
            function.click(self.sel(self.names.tag(Part::Edit)));
        }
        self.type_name_as("add_name", &mut function, self.plain());
        self.save(&mut function, 0);
        let owner = Self::read("owner_name");
        let shown = if self.kind.has_detail() {
            self.show_field(&mut function, field);
            self.page_text(self.names.value(field), owner)
        } else {
            function.click(self.row_title(Self::read("add_name")));
            self.turn_pages(&mut function, 0, field);
            self.text_view(self.names.field(field), owner)
        };
        function.after("owner_object", Relation::In, shown);
        self.refusable(function)
    }

    /// The functions about what belongs to the objects of this type.
    pub(super) fn of_members(&self) -> Vec<Dmf> {
        let members = self.blueprint.members_of(self.data_type());
        members.flat_map(|data_type| self.of_member(&self.writer(data_type))).collect()
    }

    fn of_member(&self, member: &Writer<'_>) -> Vec<Dmf> {
        match member.kind.owner.map(|owner| owner.deletion) {
            Some(Cascade::Delete) => {
                vec![self.cascade(member, "cascade", Relation::NotIn), self.spare(member)]
            }
            Some(Cascade::Keep) => vec![self.cascade(member, "keep", Relation::In)],
            None => Vec::new(),
        }
    }

    /// Makes an object, opens it and adds a member there.
    pub(super) fn own(&self, member: &Writer<'_>, function: &mut Function) {
        // Upright, the rows at the end of short lists are on the screen.
        function.step(Action::RotateNatural, None, Input::None);
        self.make("owner_name", function, self.plain());
        function.click(self.row_title(Self::read("owner_name")));
        self.show_members(function);
        function.click(member.sel(member.names.tag(Part::AddMember)));
        member.permit(function);
        member.type_name_as("member_name", function, self.plain());
        member.save(function, 0);
    }

    /// Goes from the list to that of what belongs to its objects.
    pub(super) fn go_to(&self, member: &Writer<'_>, function: &mut Function) {
        match self.blueprint.home {
            Home::Tabs => {}
            Home::Drawer => function.click(described("Open navigation drawer")),
            Home::Dashboard => function.click(described("Navigate up")),
        }
        function.click(with_text(member.names.title));
        if member.data_type() == 0 && self.blueprint.traps.contains(&Trap::Notice) {
            if self.blueprint.has_dashboard() {
                // This may be the first visit of the list.
                function.click_once(with_text(GOT_IT));
            }
            function.click_once(with_text(NOT_NOW));
        }
    }

    /// Deletes an object to which another one belongs, and looks for that one in its list.
    fn cascade(&self, member: &Writer<'_>, verb: &str, relation: Relation) -> Dmf {
        let verb = format!("{verb}_{}", identifier(member.noun()));
        let mut function = self.begin(&verb, DmfKind::Property, 6);
        self.own(member, &mut function);
        self.close_page(&mut function);
        self.delete_one(&mut function, "gone_name", Self::read("owner_name"));
        self.go_to(member, &mut function);
        if member.kind.list.star {
            // Its list may still show the starred ones only.
            function.click_once(described(SHOW_ALL));
        }
        function.after("member_object", relation, member.row_title(Self::read("member_name")));
        self.refusable(function)
    }

    /// Deletes an object, and looks whether what belongs to another one is still there.
    fn spare(&self, member: &Writer<'_>) -> Dmf {
        let verb = format!("spare_{}", identifier(member.noun()));
        let mut function = self.begin(&verb, DmfKind::Property, 6);
        self.own(member, &mut function);
        self.close_page(&mut function);
        self.make("other_name", &mut function, self.plain());
        self.delete_one(&mut function, "gone_name", Self::read("other_name"));
        function.click(self.row_title(Self::read("owner_name")));
        self.show_members(&mut function);
        let shown = member.text_view(member.names.tag(Part::Member), Self::read("member_name"));
        function.after("member_object", Relation::In, shown);
        self.refusable(function)
    }
}
