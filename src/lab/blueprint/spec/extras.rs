//! The functions of what is played and blocked.

use taproof_spec::{Action, Dmf, DmfKind, Input, Relation, TextPattern};

use super::Writer;
use super::function::{Function, with_text};
use crate::generate::names::{Part, identifier};
use crate::pages::extra_pages::{BLOCKED, HISTORY};

impl Writer<'_> {
    pub(super) fn extras(&self) -> Vec<Dmf> {
        let mut functions = Vec::new();
        if self.kind.play.is_some_and(|play| play.history) {
            functions.push(self.history());
        }
        if self.kind.block {
            functions.extend([self.unblock(), self.clear_blocked()]);
            let members = self.blueprint.members_of(self.data_type());
            functions.extend(members.map(|member| self.hide(&self.writer(member))));
        }
        functions
    }

    /// Whatever was played is in the history.
    fn history(&self) -> Dmf {
        let mut function = self.begin("history", DmfKind::Property, 4);
        self.make("add_name", &mut function, self.plain());
        self.click_in_row(&mut function, "play_name", Self::read("add_name"), Part::RowPlay);
        self.open_more(&mut function);
        function.click(with_text(HISTORY));
        let played = self.text_view(self.names.tag(Part::Played), Self::read("add_name"));
        function.after("played_object", Relation::In, played);
        self.refusable(function)
    }

    /// Makes an object, opens it and blocks it.
    fn begin_blocked(&self, function: &mut Function) {
        function.step(Action::RotateNatural, None, Input::None);
        self.make("add_name", function, self.plain());
        function.click(self.row_title(Self::read("add_name")));
        function.click(self.sel(self.names.tag(Part::Block)));
    }

    fn unblock(&self) -> Dmf {
        let mut function = self.begin("unblock", DmfKind::Property, 4);
        self.begin_blocked(&mut function);
        function.click(self.sel(self.names.tag(Part::Block)));
        let allowed = self.page_text(self.names.tag(Part::Status), TextPattern::Is("Allowed".to_owned()));
        function.after("status", Relation::In, allowed);
        self.refusable(function)
    }

    fn clear_blocked(&self) -> Dmf {
        let mut function = self.begin("clear_blocked", DmfKind::Property, 4);
        self.begin_blocked(&mut function);
        self.close_page(&mut function);
        self.open_more(&mut function);
        function.click(with_text(BLOCKED));
        function.click(self.sel(self.names.tag(Part::ClearBlocked)));
        let blocked = self.text_view(self.names.tag(Part::Blocked), Self::read("add_name"));
        function.after("blocked_object", Relation::NotIn, blocked);
        self.refusable(function)
    }

    /// What belongs to a blocked object is not listed.
    fn hide(&self, member: &Writer<'_>) -> Dmf {
        let verb = format!("hide_{}", identifier(member.noun()));
        let mut function = self.begin(&verb, DmfKind::Property, 6);
        self.own(member, &mut function);
        function.click(self.sel(self.names.tag(Part::Block)));
        self.close_page(&mut function);
        self.go_to(member, &mut function);
        function.after("member_object", Relation::NotIn, member.row_title(Self::read("member_name")));
        self.refusable(function)
    }
}
