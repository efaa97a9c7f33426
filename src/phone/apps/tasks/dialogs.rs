//! The menus, the sheet of lists, and the dialogs: for a list's name, for deletions, for unsaved changes.

use crate::{
    CheckStyle, Color, Edges, Env, Icon, Size, System, View, dialog, dialog_message, list_row, popup_item,
    popup_menu, section, text_field,
};

use super::main_page;
use super::store::{ListId, Order};
use super::{Tasks, bugs};

/// The package whose window shows the lock screen.
const LOCK_SCREEN: &str = "com.android.keyguard";

/// The tasks to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    Selected,
    /// The completed tasks of the current list.
    Completed,
}

/// What a name is requested for.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    NewList,
    /// An existing list, to be renamed.
    List(ListId),
}

/// The dialog that requests the name of a list.
#[derive(Clone, Debug)]
pub struct NameDialog {
    named: Named,
    text: String,
    error: &'static str,
}

/// A message to a [`NameDialog`].
#[derive(Clone, Debug)]
pub enum Msg {
    /// The text of the field was changed to this.
    Typed(String),
    Cancelled,
    Confirmed,
}

impl NameDialog {
    /// Creates a dialog whose field contains `text`.
    pub fn new(named: Named, text: &str) -> Self {
        NameDialog { named, text: text.to_owned(), error: "" }
    }

    pub(super) fn view(&self, env: &Env<'_>) -> View<super::Msg> {
        let title = match self.named {
            Named::NewList => "New list",
            Named::List(_) => "Rename list",
        };
        let field = View::field("list_name", self.text.clone(), |text| super::Msg::Name(Msg::Typed(text)))
            .hint("Name of the list");
        let name = |msg| super::Msg::Name(msg);
        let buttons = vec![("Cancel", name(Msg::Cancelled)), ("OK", name(Msg::Confirmed))];
        dialog(title, vec![text_field(field, self.error)], env.accent, buttons)
    }
}

impl Tasks {
    pub(super) fn update_name(&mut self, dialog: &mut NameDialog, msg: Msg, sys: &mut System<Tasks>) {
        match msg {
            Msg::Typed(text) => {
                sys.cover("tasks.name.typed");
                dialog.text = text;
                dialog.error = "";
            }
            Msg::Cancelled => self.cancel_name(dialog, sys),
            Msg::Confirmed => {
                let named = match dialog.named {
                    Named::NewList => self.store.create_list(&dialog.text),
                    Named::List(list) => self.store.rename_list(list, &dialog.text),
                };
                match named {
                    Ok(()) => {
                        sys.cover("tasks.name.confirmed");
                        sys.finish();
                    }
                    Err(refusal) => {
                        sys.cover("tasks.name.refused");
                        dialog.error = refusal.text();
                    }
                }
            }
        }
    }

    /// Changes nothing in a sound build.
    pub(super) fn cancel_name(&mut self, dialog: &NameDialog, sys: &mut System<Tasks>) {
        sys.cover("tasks.name.cancelled");
        if let Named::List(list) = dialog.named
            && self.bugs.has(bugs::CANCEL_RENAMES)
        {
            self.store.restore_name(list);
        }
        sys.finish();
    }

    /// Keeps everything in a sound build.
    pub(super) fn name_uncovered(&self, dialog: &mut NameDialog, by: &str) {
        if by == LOCK_SCREEN && self.bugs.has(bugs::SCREEN_NAME) {
            dialog.text.clear();
        }
    }

    /// The menu with the orders of the list.
    pub(super) fn sort_menu(&self) -> View<super::Msg> {
        let choice = |id, label, order| {
            let msg = super::Msg::Main(main_page::Msg::Sort(order));
            View::check(CheckStyle::Radio, self.store.order == order, label, msg)
                .id(id)
                .width(Size::Match)
                .pad(Edges::symmetric(12, 0))
        };
        popup_menu(vec![
            choice("sort_added", "Order added", Order::Added),
            choice("sort_title", "Title", Order::Title),
            choice("sort_important", "Important first", Order::Important),
        ])
    }

    /// The sheet of all lists.
    pub(super) fn lists_sheet(&self, env: &Env<'_>) -> View<super::Msg> {
        let mut rows = vec![section("Lists", env.accent).id("lists_title")];
        rows.extend(self.store.lists().iter().map(|list| {
            let current = list.id == self.store.current;
            let color = if current { env.accent } else { Color::SECONDARY };
            let open = match self.store.open_in(list.id) {
                0 => "Nothing to do".to_owned(),
                1 => "1 open task".to_owned(),
                count => format!("{count} open tasks"),
            };
            let icon = if current { Icon::Check } else { Icon::Label };
            let name = ("list_title", list.name.clone());
            list_row(Some((icon, color)), name, ("list_open", open), Vec::new())
                .id("list_row")
                .height(Size::Dp(64))
                .selected(current)
                .click(super::Msg::Main(main_page::Msg::Choose(list.id)))
        }));
        View::column(vec![View::scroll("lists_sheet", View::column(rows)).height(Size::Wrap)])
            .width(Size::Dp(env.width.min(480)))
            .background(Color::WHITE)
            .elevation(16)
    }
}

/// The overflow menu.
pub(super) fn more_menu() -> View<super::Msg> {
    let item = |id, label, msg| popup_item(label, super::Msg::Main(msg)).id(id);
    popup_menu(vec![
        item("menu_new_list", "New list", main_page::Msg::NewList),
        item("menu_rename_list", "Rename list", main_page::Msg::RenameList),
        item("menu_delete_completed", "Delete completed", main_page::Msg::Delete(Deletion::Completed)),
        item("menu_settings", "Settings", main_page::Msg::Settings),
    ])
}

/// The dialog that asks whether to delete tasks.
pub(super) fn delete_dialog(what: Deletion, selected: usize, env: &Env<'_>) -> View<super::Msg> {
    let (heading, words) = match (what, selected) {
        (Deletion::Completed, _) => ("Delete completed?", "The completed tasks of this list.".to_owned()),
        (Deletion::Selected, 1) => ("Delete task?", "1 task is selected.".to_owned()),
        (Deletion::Selected, count) => ("Delete tasks?", format!("{count} tasks are selected.")),
    };
    let confirmed = super::Msg::Main(main_page::Msg::Confirmed(what));
    let buttons = vec![("Cancel", super::Msg::Close), ("Delete", confirmed)];
    dialog(heading, vec![dialog_message(words)], env.accent, buttons)
}

/// The dialog that asks whether to discard changes.
pub(super) fn discard_dialog(env: &Env<'_>) -> View<super::Msg> {
    let buttons = vec![("Keep editing", super::Msg::Close), ("Discard", super::Msg::CloseBoth)];
    let words = dialog_message("What you have changed in this task will be lost.");
    dialog("Discard changes?", vec![words], env.accent, buttons)
}
