//! The code points of a blueprint's app: one for each screen and each thing that can be done, of each data type.

use std::collections::BTreeMap;

use crate::app::BlueprintApp;
use crate::generate::names::keep;
use crate::pages::form_page;
use crate::pages::list_page;
use crate::pages::object_page::ObjectPage;
use crate::pages::search_page;
use crate::pages::{Msg, Page};
use crate::schema::{Blueprint, DataType, DeleteFrom, Trap};

/// What belongs to no data type.
const OF_APP: [&str; 7] =
    ["view.dashboard", "view.settings", "do.ask-reset", "do.reset", "do.up", "do.close", "view.discard"];

/// What every data type has.
const OF_EVERY_TYPE: [&str; 14] = [
    "view.list",
    "view.form",
    "view.form-changed",
    "view.row-menu",
    "do.new",
    "do.open",
    "do.row-menu",
    "do.edit",
    "do.delete",
    "do.type",
    "do.save",
    "do.refused",
    "do.added",
    "do.changed",
];

/// The points of the parts that a data type has.
fn of_parts(kind: &DataType) -> Vec<&'static str> {
    let parts: [(bool, &[&'static str]); 20] = [
        (kind.has_detail(), &["view.object"]),
        (kind.list.panes, &["do.close-opened"]),
        (kind.delete.confirm, &["view.confirm", "do.confirmed"]),
        (kind.delete.undo, &["do.undo"]),
        (kind.delete.trash, &["view.trash", "do.trash", "do.restore", "do.erase"]),
        (kind.list.star, &["view.starred", "do.star", "do.starred"]),
        (kind.list.sort, &["view.sort-menu", "do.sort-menu", "do.sort"]),
        (kind.list.select, &["view.picking", "do.pick", "do.pick-all", "do.end-picking"]),
        (kind.search.is_some(), &["view.search", "view.found", "do.search", "do.query"]),
        (kind.form.asks, &["do.discarded"]),
        (kind.fields.len() > 1, &["do.fill"]),
        (kind.play.is_some(), &["do.play"]),
        (kind.play.is_some_and(|it| it.history), &["view.history", "do.press-history"]),
        (kind.play.is_some_and(|it| it.browser), &["view.browser"]),
        (kind.block, &["view.blocked", "do.block", "do.clear-blocked"]),
        (kind.page.zoom, &["do.zoom"]),
        (kind.page.tabs, &["view.second-tab", "do.tab"]),
        (kind.form.permission.is_some(), &["view.permission", "do.ask-permission", "do.permitted"]),
        (kind.delete.from == DeleteFrom::Swipe, &["do.swipe"]),
        (kind.owner.is_some(), &["view.picker", "do.new-in", "do.choose", "do.chosen"]),
    ];
    parts.into_iter().filter(|(has, _)| *has).flat_map(|(_, points)| points.iter().copied()).collect()
}

/// All points of a blueprint's app, sorted.
pub(crate) fn points(blueprint: &Blueprint) -> Vec<&'static str> {
    let mut points: Vec<&'static str> = OF_APP.map(|point| keep(format!("app.{point}"))).to_vec();
    points.extend(blueprint.traps.contains(&Trap::Notice).then_some("app.view.notice"));
    points.extend((0..blueprint.texts.len()).map(|place| keep(format!("app.view.text{place}"))));
    points.extend((0..blueprint.settings.len()).map(|place| keep(format!("app.do.switch{place}"))));
    for (data_type, kind) in blueprint.types.iter().enumerate() {
        let own = OF_EVERY_TYPE.into_iter().chain(of_parts(kind));
        points.extend(own.map(|point| keep(format!("{data_type}.{point}"))));
    }
    points.sort_unstable();
    points
}

/// The declared points by data type, `None` for those of the app, and by the rest of their names.
pub(crate) type PointTable = BTreeMap<(Option<usize>, &'static str), &'static str>;

pub(crate) fn table(points: &[&'static str]) -> PointTable {
    let parts = |point: &'static str| {
        let (data_type, name) = point.split_once('.')?;
        Some(((data_type.parse().ok(), name), point))
    };
    points.iter().filter_map(|point| parts(point)).collect()
}

impl BlueprintApp {
    /// The declared point with this name, of a data type or of the app; `None` if it has no such point.
    pub(crate) fn point(&self, data_type: Option<usize>, name: &str) -> Option<&'static str> {
        self.plan.points.get(&(data_type, name)).copied()
    }

    /// The point of what a page shows.
    pub(crate) fn point_of_page(&self, page: &Page) -> Option<&'static str> {
        let (data_type, name) = match page {
            Page::Dashboard => (None, "view.dashboard"),
            Page::List(list) => (Some(list.data_type), list.point()),
            Page::Object(object) => return self.point_of_object(*object),
            Page::Permission(data_type, _) => (Some(*data_type), "view.permission"),
            Page::Form(form) => {
                (Some(form.data_type), if form.is_changed() { "view.form-changed" } else { "view.form" })
            }
            Page::Search(search) => {
                (Some(search.data_type), if search.has_asked() { "view.found" } else { "view.search" })
            }
            Page::Trash(data_type) => (Some(*data_type), "view.trash"),
            Page::Settings => (None, "view.settings"),
            Page::Text(place) => return self.point(None, &format!("view.text{place}")),
            Page::RowMenu(id) => (self.type_of(*id), "view.row-menu"),
            Page::SortMenu(data_type) => (Some(*data_type), "view.sort-menu"),
            Page::ConfirmDelete(ids) => (ids.first().and_then(|id| self.type_of(*id)), "view.confirm"),
            Page::Picker(picker) => (Some(picker.data_type), "view.picker"),
            Page::History(data_type) => (Some(*data_type), "view.history"),
            Page::Blocked(data_type) => (Some(*data_type), "view.blocked"),
            Page::Browser(id) => (self.type_of(*id), "view.browser"),
            Page::MoreMenu(_) | Page::ConfirmReset | Page::Converter | Page::How(..) | Page::Saved => {
                return None;
            }
            Page::Discard => (None, "view.discard"),
            Page::Notice(_) => (None, "view.notice"),
        };
        self.point(data_type, name)
    }

    /// The point of an object that is shown.
    pub(crate) fn point_of_object(&self, page: ObjectPage) -> Option<&'static str> {
        self.point(self.type_of(page.id), if page.second_tab { "view.second-tab" } else { "view.object" })
    }

    /// The data type that a page is about, of those whose own messages do something.
    fn shown_type(&self, page: &Page) -> Option<usize> {
        match page {
            Page::List(list) => Some(list.data_type),
            Page::Object(object) => self.type_of(object.id),
            Page::Form(form) => Some(form.data_type),
            Page::Search(search) => Some(search.data_type),
            Page::Permission(data_type, _) => Some(*data_type),
            _ => None,
        }
    }

    /// The point of what a message does.
    pub(crate) fn point_of_msg(&self, page: &Page, msg: &Msg) -> Option<&'static str> {
        let of = |id: &u32| self.type_of(*id);
        let (data_type, name) = match msg {
            Msg::Up => (None, "do.up"),
            Msg::Close => (None, "do.close"),
            Msg::AskReset => (None, "do.ask-reset"),
            Msg::Reset => (None, "do.reset"),
            Msg::Switch(place) => return self.point(None, &format!("do.switch{place}")),
            Msg::Trash(data_type) => (Some(*data_type), "do.trash"),
            Msg::Search(data_type) => (Some(*data_type), "do.search"),
            Msg::New(data_type) => (Some(*data_type), "do.new"),
            Msg::NewIn(_, data_type) => (Some(*data_type), "do.new-in"),
            Msg::Tab(_) => (self.shown_type(page), "do.tab"),
            Msg::Play(id) => (of(id), "do.play"),
            Msg::PressHistory(data_type) => (Some(*data_type), "do.press-history"),
            Msg::Block(id) => (of(id), "do.block"),
            Msg::ClearBlocked(data_type) => (Some(*data_type), "do.clear-blocked"),
            Msg::Zoom(_) => (self.shown_type(page), "do.zoom"),
            Msg::AskPermission => (self.shown_type(page), "do.ask-permission"),
            Msg::Permitted(_) => (self.shown_type(page), "do.permitted"),
            Msg::Choose(_) => (self.shown_type(page), "do.choose"),
            Msg::Sort(data_type, _) => (Some(*data_type), "do.sort"),
            Msg::SortMenu(data_type) => (Some(*data_type), "do.sort-menu"),
            Msg::Open(id) => (of(id), "do.open"),
            Msg::RowMenu(id) => (of(id), "do.row-menu"),
            Msg::Edit(id) => (of(id), "do.edit"),
            Msg::Delete(ids) => (ids.first().and_then(of), "do.delete"),
            Msg::Confirmed(ids) => (ids.first().and_then(of), "do.confirmed"),
            Msg::Restore(id) => (of(id), "do.restore"),
            Msg::Erase(id) => (of(id), "do.erase"),
            Msg::Star(id) => (of(id), "do.star"),
            Msg::Undo => {
                (self.memory.undo.as_ref().and_then(|(_, gone)| gone.first()).and_then(of), "do.undo")
            }
            Msg::CloseBoth => (self.shown_type(page), "do.discarded"),
            Msg::List(msg) => (self.shown_type(page), point_in_list(msg)?),
            Msg::Form(msg) => (self.shown_type(page), point_in_form(msg)?),
            Msg::Query(search_page::Msg::Typed(_)) => (self.shown_type(page), "do.query"),
            Msg::Show(_)
            | Msg::Settings
            | Msg::Text(_)
            | Msg::More(_)
            | Msg::UndoOver(_)
            | Msg::Query(_)
            | Msg::Arrive
            | Msg::History(_)
            | Msg::Blocked(_)
            | Msg::Browse(_)
            | Msg::Converter
            | Msg::NextUnit(_)
            | Msg::Begin(..)
            | Msg::Saved
            | Msg::Swap => {
                return None;
            }
        };
        self.point(data_type, name)
    }
}

fn point_in_list(msg: &list_page::Msg) -> Option<&'static str> {
    match msg {
        list_page::Msg::Starred => Some("do.starred"),
        list_page::Msg::Pick(_) => Some("do.pick"),
        list_page::Msg::PickAll => Some("do.pick-all"),
        list_page::Msg::EndPicking => Some("do.end-picking"),
        list_page::Msg::Swiped(_) => Some("do.swipe"),
        list_page::Msg::CloseOpened => Some("do.close-opened"),
        list_page::Msg::Refresh
        | list_page::Msg::Drawer
        | list_page::Msg::Loaded(_)
        | list_page::Msg::BackFromSettings => None,
    }
}

fn point_in_form(msg: &form_page::Msg) -> Option<&'static str> {
    match msg {
        form_page::Msg::Text(0, _) => Some("do.type"),
        form_page::Msg::Text(..)
        | form_page::Msg::Check(_)
        | form_page::Msg::Level(..)
        | form_page::Msg::NextKey
        | form_page::Msg::Day(..) => Some("do.fill"),
        form_page::Msg::Owner(..) => Some("do.chosen"),
        form_page::Msg::Save => Some("do.save"),
        form_page::Msg::Next | form_page::Msg::Saved => None,
    }
}
