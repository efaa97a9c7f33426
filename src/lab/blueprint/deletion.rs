//! Deletes objects, after a question where the app asks, and takes that back.

use super::app::BlueprintApp;
use super::operators::Operator;
use super::store::ObjectId;
use crate::derived::Cause;
use crate::pages::list_page;
use crate::pages::{Msg, Page};
use taproof_phone::System;

impl BlueprintApp {
    pub(super) fn ask_to_delete(&mut self, page: &mut Page, ids: Vec<ObjectId>, sys: &mut System<Self>) {
        let Some(data_type) = ids.first().and_then(|id| self.type_of(*id)) else { return };
        if self.blueprint().types[data_type].delete.confirm {
            sys.open(Page::ConfirmDelete(ids));
        } else {
            self.delete(page, ids, sys);
        }
    }

    pub(super) fn delete(&mut self, page: &mut Page, ids: Vec<ObjectId>, sys: &mut System<Self>) {
        let Some(data_type) = ids.first().and_then(|id| self.type_of(*id)) else { return };
        let order = self.orders[data_type];
        let mut gone = Vec::new();
        for mut id in ids {
            if self.faulty(Operator::DeletesByPosition, data_type) {
                id = self.store.counted_in_order_of_adding(id, order);
            }
            gone.extend(self.store.delete(id));
        }
        self.recount(Cause::Deleted(data_type));
        if self.blueprint().types[data_type].delete.undo {
            self.memory.deletions += 1;
            self.memory.undo = Some((self.memory.deletions, gone));
        } else {
            self.store.forget_gone();
        }
        match page {
            Page::List(list) => {
                list.end_picking();
                self.close_if_deleted(list);
                self.offer_undo(sys);
            }
            // The list below offers to take it back.
            _ => sys.finish(),
        }
    }

    /// Ends the offer to take a deletion back after some seconds.
    pub(super) fn offer_undo(&self, sys: &mut System<Self>) {
        if let Some((number, _)) = self.memory.undo {
            sys.after(list_page::UNDO_MILLIS, Msg::UndoOver(number));
        }
    }

    pub(super) fn undo(&mut self) {
        if let Some((_, gone)) = self.memory.undo.take() {
            self.store.undelete(&gone);
            self.store.forget_gone();
            self.recount(Cause::Restored);
        }
    }
}
