//! The search for objects of a data type.

use super::Msg as AppMsg;
use crate::app::BlueprintApp;
use crate::generate::names::Part;
use crate::operators::Operator;
use taproof_phone::{
    Align, Color, Env, Icon, ImeAction, System, View, app_bar, empty_state, list_row, loading,
};

const ROW_DP: i32 = 56;
const SEARCH_MILLIS: u64 = 700;

/// The page of a search.
#[derive(Clone, Debug)]
pub struct SearchPage {
    pub(crate) data_type: usize,
    query: String,
    /// What the results are for.
    asked: String,
    loading: bool,
}

/// A message to a search.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The text of the field was changed.
    Typed(String),
    /// The keyboard's search key was pressed.
    Go,
    /// The results for this text are there.
    Found(String),
}

impl SearchPage {
    pub(crate) fn new(data_type: usize) -> SearchPage {
        SearchPage { data_type, query: String::new(), asked: String::new(), loading: false }
    }

    /// Whether something was looked for.
    pub(crate) fn has_asked(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Loses what was typed.
    pub(crate) fn forget(&mut self) {
        self.query.clear();
        self.asked.clear();
    }
}

impl BlueprintApp {
    pub(crate) fn update_search(&mut self, search: &mut SearchPage, msg: Msg, sys: &mut System<Self>) {
        let live = self.blueprint().types[search.data_type].search.is_some_and(|plan| plan.live);
        match msg {
            Msg::Typed(query) => {
                search.query = query;
                if live {
                    self.ask(search, sys);
                }
            }
            Msg::Go => {
                sys.hide_keyboard();
                self.ask(search, sys);
            }
            Msg::Found(query) => {
                if search.query == query {
                    (search.asked, search.loading) = (query, false);
                }
            }
        }
    }

    fn ask(&self, search: &mut SearchPage, sys: &mut System<Self>) {
        let data_type = search.data_type;
        let plan = self.blueprint().types[data_type].search.unwrap_or_default();
        sys.scroll_to_top(self.tag(data_type, Part::Results).id);
        if self.faulty(Operator::SearchHangs, data_type) && !self.store.trashed(data_type).is_empty() {
            search.loading = true;
        } else if plan.slow {
            search.loading = true;
            sys.after(SEARCH_MILLIS, AppMsg::Query(Msg::Found(search.query.clone())));
        } else {
            search.asked.clone_from(&search.query);
        }
    }

    pub(crate) fn search_view(&self, search: &SearchPage, env: &Env<'_>) -> View<AppMsg> {
        View::column(vec![self.search_bar(search, env), self.results(search, env).grow_y()])
            .fill()
            .background(Color::SURFACE)
    }

    fn search_bar(&self, search: &SearchPage, env: &Env<'_>) -> View<AppMsg> {
        let tag = self.tag(search.data_type, Part::Query);
        let field = View::field(tag.id, search.query.clone(), |text| AppMsg::Query(Msg::Typed(text)))
            .hint(self.tag(search.data_type, Part::Search).desc)
            .action(ImeAction::Search, AppMsg::Query(Msg::Go))
            .auto_focus()
            .grow_x()
            .background(Color::WHITE)
            .radius(4)
            .align(Align::Start, Align::Center);
        let up = View::icon_button(Icon::ArrowBack, Color::WHITE, "Navigate up", AppMsg::Up);
        app_bar(env.accent, vec![up.align(Align::Start, Align::Center), field])
    }

    fn results(&self, search: &SearchPage, env: &Env<'_>) -> View<AppMsg> {
        let names = self.names(search.data_type);
        let kind = &self.blueprint().types[search.data_type];
        if search.loading {
            return View::frame(vec![loading("progress")]);
        }
        if search.asked.is_empty() {
            return View::frame(vec![empty_state(Icon::Search, "Type what you are looking for")]);
        }
        let found = self.store.found(search.data_type, &search.asked);
        if found.is_empty() {
            return View::frame(vec![empty_state(Icon::Search, "Nothing found")]);
        }
        View::list(names.tag(Part::Results).id, env, found.len(), ROW_DP, |row| {
            let Some(object) = found.get(row) else { return View::space() };
            let name = object.indexed.clone().unwrap_or_default();
            let icon = Some((kind.icon, Color::SECONDARY));
            list_row(icon, (names.tag(Part::Result).id, name), ("", String::new()), Vec::new())
                .click(AppMsg::Open(object.id))
        })
    }
}
