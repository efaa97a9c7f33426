//! The search over all lists, whose results follow the text of the field.

use crate::{Changed, Color, Env, Icon, ImeAction, Setting, System, View, empty_state, list_row};

use super::store::{ListId, Task, TaskId};
use super::{Page, Tasks, bugs};

const ROW_DP: i32 = 64;

/// The page of the search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    query: String,
    /// Whether the results were scrolled since the last change of the field.
    pub(super) scrolled: bool,
    /// Whether the field was emptied after something had been typed.
    emptied: bool,
}

/// A message to the search.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The text of the field was changed to this.
    Typed(String),
    /// Opens a result in the editor.
    Open(TaskId),
}

impl Tasks {
    /// The view: the field, and below it the tasks that are found. Without a text these are all.
    pub(super) fn search_view(&self, search: &Search, env: &Env<'_>) -> View<super::Msg> {
        let mut found = self.store.found(&search.query);
        if search.emptied && self.bugs.has(bugs::CLEAR_OPEN) {
            found.retain(|task| !task.done);
        }
        let stuck = search.scrolled && self.bugs.has(bugs::SCROLL_PLACES);
        let first = found.first().map(|task| task.list).filter(|_| stuck);
        let below = if found.is_empty() {
            env.cover("tasks.view.nothing-found");
            View::frame(vec![empty_state(Icon::Search, "No task found")])
        } else {
            View::list("search_results", env, found.len(), ROW_DP, |row| {
                found.get(row).map_or_else(View::space, |task| self.result_row(task, first))
            })
        };
        View::column(vec![search_bar(search, env), below.grow_y()]).fill().background(Color::SURFACE)
    }

    /// The row of a task, with its list or another one below.
    fn result_row(&self, task: &Task, list: Option<ListId>) -> View<super::Msg> {
        let icon = if task.done { Icon::Check } else { Icon::Schedule };
        let place = self.store.name(list.unwrap_or(task.list)).to_owned();
        let words = if task.done { format!("{place}, done") } else { place };
        list_row(
            Some((icon, Color::SECONDARY)),
            ("result_title", task.title.clone()),
            ("result_list", words),
            Vec::new(),
        )
        .id("result_row")
        .click(super::Msg::Search(Msg::Open(task.id)))
    }

    pub(super) fn update_search(&mut self, search: &mut Search, msg: Msg, sys: &mut System<Tasks>) {
        match msg {
            Msg::Typed(query) => {
                sys.cover(if query.is_empty() { "tasks.search.emptied" } else { "tasks.search.typed" });
                search.emptied = query.is_empty() && (search.emptied || !search.query.is_empty());
                search.scrolled = false;
                search.query = query;
                sys.scroll_to_top("search_results");
            }
            Msg::Open(id) => {
                sys.cover("tasks.search.open");
                if let Some(task) = self.store.task(id) {
                    let known = Task {
                        important: task.important && !self.bugs.has(bugs::SEARCH_IMPORTANT),
                        ..task.clone()
                    };
                    sys.open(Page::Editor(super::Editor::of(&known)));
                }
            }
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn search_recreated(&self, search: &mut Search, changed: Changed) {
        if changed.window && self.bugs.has(bugs::SPLIT_SEARCH) {
            search.query.clear();
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn search_told(&self, search: &mut Search, setting: Setting) {
        if self.faulty(bugs::HOURS_SEARCH, setting == Setting::TwelveHours) {
            search.query.clear();
        }
    }

    /// A faulty build forgets the search when the app was left.
    pub(super) fn search_resumed(&self, search: &mut Search, returned: bool) {
        if returned && self.bugs.has(bugs::BACKGROUND_SEARCH) {
            search.query.clear();
        }
    }
}

fn search_bar(search: &Search, env: &Env<'_>) -> View<super::Msg> {
    let field =
        View::field("search_query", search.query.clone(), |text| super::Msg::Search(Msg::Typed(text)))
            .hint("Search tasks")
            .with_field(|field| field.ime = ImeAction::Search);
    crate::search_bar(env.accent, field, super::Msg::Close, super::Msg::Search(Msg::Typed(String::new())))
}
