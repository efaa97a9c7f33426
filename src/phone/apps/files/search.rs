//! The search page: walks through the folders of one storage, a few at a time, then shows the results.

use std::collections::VecDeque;

use super::menus::PickedFrom;
use super::messages::{BrowserMsg, Msg, SearchMsg};
use super::rows::{ROW_HEIGHT, RowActions, entry_row};
use super::storage::EntryId;
use super::{Files, Page, Sys};
use crate::{Align, Color, Edges, Env, Icon, ImeAction, Size, View, empty_state, loading, section};

/// Number of folders that are searched in one step, after which the screen can be drawn.
const FOLDERS_A_STEP: usize = 4;
/// Duration of a step, in ms.
const STEP_MILLIS: u64 = 80;
/// Number of folders put back into the queue after which the main thread counts as blocked.
const STARVED: usize = 300;
/// Number of searches that are remembered.
const REMEMBERED: usize = 6;

/// The page of the search, with its state.
#[derive(Clone, Debug)]
pub struct Search {
    /// The root of the storage to be searched.
    root: EntryId,
    /// The text of the field.
    query: String,
    /// The number of the current walk, which distinguishes its steps from those of earlier ones.
    walk: u32,
    state: State,
    /// The version of the storage when it was searched.
    version: u64,
}

#[derive(Clone, Debug)]
enum State {
    /// No search was started.
    Idle,
    /// The search is running.
    Walking(Walk),
    /// The results, and the text that was searched for.
    Done(Vec<EntryId>, String),
}

#[derive(Clone, Debug)]
struct Walk {
    query: String,
    queue: VecDeque<EntryId>,
    hits: Vec<EntryId>,
    put_back: usize,
}

fn send(msg: SearchMsg) -> Msg {
    Msg::Search(msg)
}

impl Files {
    /// The search page for one storage.
    pub(super) fn search_in(&self, root: EntryId) -> Search {
        Search { root, query: String::new(), walk: 0, state: State::Idle, version: self.storage.version }
    }

    pub(super) fn search_update(&mut self, search: &mut Search, msg: SearchMsg, sys: &mut Sys) {
        sys.cover(msg.point());
        match msg {
            SearchMsg::Typed(text) => search.query = text,
            SearchMsg::Submit => self.submit(search, sys),
            SearchMsg::Clear => {
                search.query.clear();
                search.state = State::Idle;
                sys.focus("search_edit_text");
            }
            SearchMsg::Again(query) => {
                search.query = query;
                self.submit(search, sys);
            }
            SearchMsg::Step(walk) if walk == search.walk => self.step(search, sys),
            SearchMsg::Step(_) => {}
            SearchMsg::Open(id) if self.storage.get(id).is_some_and(|entry| entry.is_folder()) => {
                sys.cover("files.search.open-folder");
                sys.finish_with(Msg::Browser(BrowserMsg::Go(id)));
            }
            SearchMsg::Open(id) => self.open_file(id, sys),
            SearchMsg::RowMenu(id) => sys.open(Page::Menu(self.row_menu(id, PickedFrom::Results))),
            SearchMsg::ForgetAll => self.searches.clear(),
        }
    }

    /// Searches again if the storage has changed since.
    pub(super) fn search_resumed(&self, search: &mut Search, sys: &mut Sys) {
        if let State::Done(_, query) = &search.state
            && search.version != self.storage.version
        {
            sys.cover("files.search.changed-meanwhile");
            let query = query.clone();
            self.walk(search, query, sys);
        }
    }

    /// Starts the search again, since its state belonged to the lost process.
    pub(super) fn search_restored(&self, search: &mut Search, sys: &mut Sys) {
        let (State::Walking(Walk { query, .. }) | State::Done(_, query)) = &search.state else { return };
        sys.cover("files.search.restored");
        let query = query.clone();
        self.walk(search, query, sys);
    }

    fn submit(&mut self, search: &mut Search, sys: &mut Sys) {
        sys.hide_keyboard();
        let query = search.query.clone();
        if query.is_empty() {
            sys.cover("files.search.empty");
            sys.toast("Enter what to look for");
            return;
        }
        if self.settings.keep_searches {
            sys.cover("files.search.remembered");
            self.searches.retain(|earlier| *earlier != query);
            self.searches.insert(0, query.clone());
            self.searches.truncate(REMEMBERED);
        }
        self.walk(search, query, sys);
    }

    fn walk(&self, search: &mut Search, query: String, sys: &mut Sys) {
        let queue = VecDeque::from([search.root]);
        search.state = State::Walking(Walk { query, queue, hits: Vec::new(), put_back: 0 });
        search.walk += 1;
        search.version = self.storage.version;
        sys.scroll_to_top("listView");
        sys.after(STEP_MILLIS, send(SearchMsg::Step(search.walk)));
    }

    fn step(&self, search: &mut Search, sys: &mut Sys) {
        let State::Walking(walk) = &mut search.state else { return };
        for _ in 0..FOLDERS_A_STEP {
            let Some(folder) = walk.queue.pop_front() else { break };
            self.look_into(folder, walk);
        }
        if walk.queue.is_empty() {
            let (mut hits, query) = (std::mem::take(&mut walk.hits), std::mem::take(&mut walk.query));
            self.put_in_order(&mut hits, &query);
            sys.cover(if hits.is_empty() { "files.search.none" } else { "files.search.found" });
            search.state = State::Done(hits, query);
        } else if walk.put_back > STARVED {
            sys.hang("Input dispatching timed out (SearchActivity. Waited 5003ms for MotionEvent)");
        } else {
            sys.after(STEP_MILLIS, send(SearchMsg::Step(search.walk)));
        }
    }

    /// Collects the matches in one folder, and queues its subfolders.
    fn look_into(&self, folder: EntryId, walk: &mut Walk) {
        let skips_hidden = !self.settings.listing.show_hidden;
        if skips_hidden && self.storage.get(folder).is_some_and(|entry| entry.hidden) {
            // A hidden folder only gets here with files-search-hidden. It is put back for when hidden entries are
            // shown, so the walk never ends.
            walk.put_back += 1;
            walk.queue.push_back(folder);
            return;
        }
        for (id, entry) in self.storage.children(folder) {
            let skipped = skips_hidden && entry.hidden;
            if !skipped && relevance(&entry.name, &walk.query).is_some() {
                walk.hits.push(id);
            }
            // BUG files-search-hidden: hidden folders are queued as well.
            if entry.is_folder() && (!skipped || self.faults.search_hidden) {
                walk.queue.push_back(id);
            }
        }
    }

    /// Sorts the results: equal names first, then those that begin with the text, then the others, each by name.
    fn put_in_order(&self, hits: &mut [EntryId], query: &str) {
        if self.faults.results_order {
            // BUG files-results-order: the results stay in the order of creation.
            hits.sort_unstable();
            return;
        }
        hits.sort_by_cached_key(|id| {
            let name = self.name_of(*id);
            (relevance(&name, query), name.to_lowercase(), name, *id)
        });
    }

    pub(super) fn search_view(&self, search: &Search, env: &Env<'_>) -> View<Msg> {
        let body = match &search.state {
            State::Idle => self.searches_view(env),
            State::Walking(_) => {
                env.cover("files.view.searching");
                loading("search_progress")
            }
            State::Done(hits, query) if hits.is_empty() => {
                empty_state(Icon::Search, format!("Nothing here has “{query}” in its name."))
            }
            State::Done(hits, _) => View::list("listView", env, hits.len(), ROW_HEIGHT, |row| {
                hits.get(row).map_or_else(View::space, |id| self.result_row(*id))
            }),
        };
        let mut parts = vec![search_bar(&search.query, env)];
        if let State::Done(hits, _) = &search.state {
            let count = hits.len();
            let words = if count == 1 { "1 result".to_owned() } else { format!("{count} results") };
            parts.push(
                View::text(words)
                    .id("search_count")
                    .size(13)
                    .color(Color::SECONDARY)
                    .width(Size::Match)
                    .pad(Edges::symmetric(16, 8)),
            );
        }
        parts.push(View::frame(vec![body]).grow_y());
        View::column(parts).fill().background(Color::SURFACE)
    }

    fn result_row(&self, id: EntryId) -> View<Msg> {
        let Some(entry) = self.storage.get(id) else { return View::space() };
        let folder = entry.parent.map(|parent| self.storage.path(parent)).unwrap_or_default();
        let actions = RowActions {
            click: send(SearchMsg::Open(id)),
            hold: None,
            menu: Some(send(SearchMsg::RowMenu(id))),
        };
        entry_row(entry, folder, false, actions)
    }

    /// The view of the earlier searches.
    fn searches_view(&self, env: &Env<'_>) -> View<Msg> {
        if self.searches.is_empty() {
            return empty_state(Icon::Search, "Finds folders and files by a part of their name.");
        }
        env.cover("files.view.recent-searches");
        let mut rows = vec![section("Recent searches", env.accent)];
        for query in &self.searches {
            let icon = View::icon(Icon::History, Color::SECONDARY).align(Align::Start, Align::Center);
            let words = View::text(query.clone()).id("recent_search").align(Align::Start, Align::Center);
            rows.push(
                View::row(vec![icon, words.margin(Edges { left: 16, top: 0, right: 0, bottom: 0 })])
                    .height(Size::Dp(48))
                    .pad(Edges::symmetric(16, 0))
                    .click(send(SearchMsg::Again(query.clone()))),
            );
        }
        rows.push(View::button("Clear", env.accent, send(SearchMsg::ForgetAll)).id("clear_searches"));
        View::scroll("recent_searches", View::column(rows))
    }
}

fn search_bar(query: &str, env: &Env<'_>) -> View<Msg> {
    let field = View::field("search_edit_text", query, |text| send(SearchMsg::Typed(text)))
        .hint("Search")
        .auto_focus()
        .action(ImeAction::Search, send(SearchMsg::Submit))
        .grow_x()
        .pad(Edges::symmetric(12, 8))
        .margin(Edges::symmetric(0, 6))
        .height(Size::Dp(44))
        .background(Color::WHITE)
        .radius(4)
        .align(Align::Start, Align::Center);
    let mut parts = vec![
        View::icon_button(Icon::ArrowBack, Color::WHITE, "Navigate up", Msg::Leave)
            .align(Align::Start, Align::Center),
        field,
    ];
    if !query.is_empty() {
        let clear = View::icon_button(Icon::Close, Color::WHITE, "Clear", send(SearchMsg::Clear));
        parts.push(clear.id("search_close").align(Align::Start, Align::Center));
    }
    let go = View::icon_button(Icon::Search, Color::WHITE, "Search", send(SearchMsg::Submit));
    parts.push(go.id("search_go").align(Align::Start, Align::Center));
    View::row(parts)
        .id("search_view")
        .height(Size::Dp(56))
        .pad(Edges::symmetric(4, 0))
        .background(env.accent)
        .elevation(4)
}

/// How well a name matches a search; smaller is better. `None` if it does not match. Case is ignored, unless it decides
/// between two names.
fn relevance(name: &str, query: &str) -> Option<u8> {
    let (folded, wanted) = (name.to_lowercase(), query.to_lowercase());
    match () {
        () if name == query => Some(0),
        () if folded == wanted => Some(1),
        () if folded.starts_with(&wanted) => Some(2),
        () if folded.contains(&wanted) => Some(3),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_prefers_equal_then_prefix() {
        let ranks: Vec<_> =
            ["abc", "ABC", "abcd", "xabc", "x"].iter().map(|name| relevance(name, "abc")).collect();
        assert_eq!(ranks, [Some(0), Some(1), Some(2), Some(3), None]);
    }
}
