//! Two panes: while the phone lies on its side, the object that was opened is shown beside the list. Upright, its page
//! covers the list, in the same activity.

use super::list_page::{ListPage, Msg as ListMsg};
use super::object_page::{self, ObjectPage};
use super::{Msg, Page};
use crate::app::BlueprintApp;
use crate::operators::Operator;
use crate::store::{Object, ObjectId};
use taproof_phone::{Color, Edges, Env, Icon, Size, System, View, empty_state, toolbar};

/// The height of a toolbar.
const BAR_DP: i32 = 56;

/// An object that was opened in the activity of its list.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub page: ObjectPage,
    /// The object as it was then, which a faulty build goes on showing beside the list.
    stale: Option<Object>,
}

impl Page {
    /// The page of an object that is shown, if any.
    pub(crate) fn object(&self) -> Option<&ObjectPage> {
        match self {
            Page::Object(object) => Some(object),
            Page::List(list) => list.opened.as_ref().map(|opened| &opened.page),
            _ => None,
        }
    }

    /// The same, to change what it remembers.
    pub(crate) fn object_mut(&mut self) -> Option<&mut ObjectPage> {
        match self {
            Page::Object(object) => Some(object),
            Page::List(list) => list.opened.as_mut().map(|opened| &mut opened.page),
            _ => None,
        }
    }
}

impl BlueprintApp {
    /// Shows an object beside the list, or instead of it.
    pub(crate) fn open_in_list(&self, list: &mut ListPage, id: ObjectId, sys: &mut System<Self>) {
        let stale = self.faulty(Operator::PaneStale, list.data_type);
        let stale = self.store.get(id).filter(|_| stale).cloned();
        list.opened = Some(Opened { page: ObjectPage::of(id), stale });
        sys.scroll_to_top(object_page::SCROLL);
    }

    /// Another list takes the place of one. While the phone lies on its side, each has what was opened beside it; upright,
    /// that would cover the list.
    pub(crate) fn swap_opened(&mut self, before: &mut Page, list: &mut ListPage, sys: &System<Self>) {
        if let Page::List(before) = before {
            self.memory.opened[before.data_type] = before.opened.take();
        }
        list.opened = self.memory.opened[list.data_type].take().filter(|_| sys.rotation.sideways());
        self.close_if_deleted(list);
    }

    /// Closes the page of an object that was deleted.
    pub(crate) fn close_if_deleted(&self, list: &mut ListPage) {
        list.opened.take_if(|opened| self.store.get(opened.page.id).is_none_or(|it| !it.is_listed()));
    }

    /// The page of an object that covers the list.
    pub(crate) fn instead_of_list(&self, list: &ListPage, env: &Env<'_>) -> Option<View<Msg>> {
        let opened = list.opened.as_ref().filter(|_| !env.rotation.sideways())?;
        let object = self.store.get(opened.page.id)?;
        Some(self.opened_view(object, opened.page, Icon::ArrowBack, env))
    }

    /// A list with the object that was opened beside it.
    pub(crate) fn beside_list(&self, rows: View<Msg>, list: &ListPage, env: &Env<'_>) -> View<Msg> {
        let shown = list.opened.as_ref().and_then(|opened| Some((opened, self.store.get(opened.page.id)?)));
        let pane = match shown {
            Some((Opened { page, stale: Some(stale) }, object)) => {
                let mut stale = stale.clone();
                (stale.starred, stale.blocked) = (object.starred, object.blocked);
                self.opened_view(&stale, *page, Icon::Close, env)
            }
            Some((opened, object)) => self.opened_view(object, opened.page, Icon::Close, env),
            None => {
                let kind = &self.blueprint().types[list.data_type];
                let nothing = empty_state(kind.icon, self.names(list.data_type).choose);
                let bar = toolbar(env.accent, None, "", Vec::new());
                View::column(vec![bar, View::frame(vec![nothing]).grow_y()]).background(Color::SURFACE)
            }
        };
        let below_bars = Edges { top: BAR_DP, ..Edges::default() };
        let line = View::space().width(Size::Dp(1)).height(Size::Match).margin(below_bars);
        let panes = vec![rows.grow_x(), line.background(Color::DIVIDER), pane.height(Size::Match).grow_x()];
        View::row(panes).height(Size::Match).background(env.accent)
    }

    fn opened_view(&self, object: &Object, page: ObjectPage, icon: Icon, env: &Env<'_>) -> View<Msg> {
        self.point_of_object(page).into_iter().for_each(|point| env.cover(point));
        let close = (icon, self.names(object.data_type).close, Msg::List(ListMsg::CloseOpened));
        object_page::shown(self, object, page, Some(close), env)
    }
}
