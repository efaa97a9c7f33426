//! The pages of an app, and the messages of their views.

pub(crate) mod app;
pub(crate) mod derived;
pub(crate) mod extra_pages;
pub(crate) mod form_page;
pub(crate) mod list_page;
pub(crate) mod more_pages;
pub(crate) mod notice;
pub(crate) mod object_page;
pub(crate) mod panes;
pub(crate) mod points;
pub(crate) mod relation_views;
pub(crate) mod search_page;
pub(crate) mod web_page;

use super::store::{ObjectId, Order};
use form_page::FormPage;
use list_page::ListPage;
use notice::Notice;
use object_page::ObjectPage;
use relation_views::Picker;
use search_page::SearchPage;

/// A screen, dialog or menu.
#[derive(Clone, Debug)]
pub enum Page {
    Dashboard,
    List(ListPage),
    Object(ObjectPage),
    Form(FormPage),
    Search(SearchPage),
    Trash(usize),
    Settings,
    Text(usize),
    /// The menu of a row.
    RowMenu(ObjectId),
    SortMenu(usize),
    /// The overflow menu of a list.
    MoreMenu(usize),
    ConfirmDelete(Vec<ObjectId>),
    ConfirmReset,
    Discard,
    /// The choice of an owner.
    Picker(Picker),
    /// Asks for the permission without which no object of a type can be made, perhaps one that belongs to another.
    Permission(usize, Option<ObjectId>),
    /// What was played.
    History(usize),
    /// What is blocked.
    Blocked(usize),
    /// An object in a browser.
    Browser(ObjectId),
    Converter,
    /// What covers the first list by itself.
    Notice(Notice),
    /// Asks how a new object is to be made, perhaps one that belongs to another.
    How(usize, Option<ObjectId>),
    /// Says that something was saved.
    Saved,
}

/// A message of a view.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Closes the page, as Back does.
    Up,
    /// Closes the page without asking.
    Close,
    /// Closes the page and the one below it.
    CloseBoth,
    /// Shows the list of a data type.
    Show(usize),
    Settings,
    Text(usize),
    More(usize),
    Trash(usize),
    Search(usize),
    New(usize),
    /// Makes an object of a type that belongs to this one.
    NewIn(ObjectId, usize),
    /// The same, or without an owner, once it is known how.
    Begin(usize, Option<ObjectId>),
    /// Something was saved.
    Saved,
    /// Shows the second tab of an object, or the first one.
    Tab(bool),
    /// Makes the texts of an object larger or smaller.
    Zoom(i32),
    /// Plays an object, or stops that.
    Play(ObjectId),
    History(usize),
    PressHistory(usize),
    Browse(ObjectId),
    /// Blocks an object, or unblocks it.
    Block(ObjectId),
    Blocked(usize),
    ClearBlocked(usize),
    Converter,
    /// Chooses the next unit, of the first one or the second.
    NextUnit(usize),
    Swap,
    /// Asks the system for the permission that is explained.
    AskPermission,
    /// Whether it was given.
    Permitted(bool),
    /// It is time for the next object that arrives by itself.
    Arrive,
    /// Chooses an owner for this field of the form.
    Choose(usize),
    Open(ObjectId),
    RowMenu(ObjectId),
    Edit(ObjectId),
    /// Deletes objects, after a question if the app asks.
    Delete(Vec<ObjectId>),
    Confirmed(Vec<ObjectId>),
    Undo,
    /// The time to take a deletion back is over.
    UndoOver(u32),
    Restore(ObjectId),
    Erase(ObjectId),
    Star(ObjectId),
    Sort(usize, Order),
    SortMenu(usize),
    Switch(usize),
    AskReset,
    Reset,
    List(list_page::Msg),
    Form(form_page::Msg),
    Query(search_page::Msg),
}
