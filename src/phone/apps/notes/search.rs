//! The search over all folders, which runs while the user types.

use crate::{Align, Color, Edges, Env, Icon, ImeAction, Size, System, View, empty_state, loading};

use super::store::{Note, NoteId, Store};
use super::{Link, Notes};

/// How long the index takes to answer, in ms.
const SEARCH_MILLIS: u64 = 700;
const ROW_DP: i32 = 72;

/// The page of the search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    words: String,
    /// Number of searches so far. Answers to earlier ones are ignored.
    run: u64,
    state: State,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Loading,
    Found(Vec<NoteId>),
}

/// A message to the search.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The text of the field was changed to this.
    Typed(String),
    /// The keyboard's action key was pressed.
    Submitted,
    /// The index has answered the search with this number.
    Answer(u64),
}

impl Search {
    /// Whether results are shown.
    pub fn has_results(&self) -> bool {
        matches!(&self.state, State::Found(found) if !found.is_empty())
    }

    /// Searches again if results are shown.
    pub fn refresh(&mut self, store: &Store) {
        if let State::Found(found) = &mut self.state {
            *found = store.search(&self.words);
        }
    }

    /// Starts a search for the text of the field.
    pub fn begin(&mut self, sys: &mut System<Notes>) {
        self.run += 1;
        if self.words.is_empty() {
            sys.cover("notes.search.nothing-to-look-for");
            self.state = State::Idle;
        } else {
            self.state = State::Loading;
            sys.after(SEARCH_MILLIS, super::Msg::Search(Msg::Answer(self.run)));
        }
    }
}

impl Notes {
    /// The view: the field, and below it a hint, a progress ring, the results, or that there are none.
    pub(super) fn search_view(&self, search: &Search, env: &Env<'_>) -> View<super::Msg> {
        let below = match &search.state {
            State::Idle => {
                View::frame(vec![empty_state(Icon::Search, "Type to search titles and texts in all folders")])
            }
            State::Loading => {
                env.cover("notes.view.searching");
                View::frame(vec![loading("search_progress")])
            }
            State::Found(found) if found.is_empty() => {
                View::frame(vec![empty_state(Icon::Search, "No note found")])
            }
            State::Found(found) => View::list("search_results", env, found.len(), ROW_DP, |row| {
                let note = found.get(row).and_then(|id| self.store.note(*id));
                note.map_or_else(View::space, |note| self.result_row(note))
            }),
        };
        View::column(vec![search_bar(search, env), below.grow_y()]).fill().background(Color::SURFACE)
    }

    fn result_row(&self, note: &Note) -> View<super::Msg> {
        let place = self.store.path(note.folder);
        let snippet = (!note.snippet().is_empty()).then(|| {
            let snippet = line("result_snippet", note.snippet().to_owned()).size(13).color(Color::SECONDARY);
            snippet.desc(format!("Text in {place}"))
        });
        let title = line("result_title", note.title.clone()).desc(format!("Note in {place}"));
        let place = line("result_folder", place).size(12).color(Color::SECONDARY);
        let lines = std::iter::once(title).chain(snippet).chain([place]).collect();
        row_of_lines(Icon::Note, lines).id("result_row").click(super::Msg::Open(Link::Reader(note.id)))
    }

    pub(super) fn update_search(&mut self, search: &mut Search, msg: Msg, sys: &mut System<Notes>) {
        match msg {
            Msg::Typed(words) => {
                sys.cover(if words.is_empty() { "notes.search.emptied" } else { "notes.search.typed" });
                search.words = words;
                search.begin(sys);
                sys.scroll_to_top("search_results");
            }
            Msg::Submitted => {
                sys.cover("notes.search.submitted");
                search.begin(sys);
            }
            Msg::Answer(run) if run == search.run => {
                let found = self.store.search(&search.words);
                sys.cover(if found.is_empty() { "notes.search.none" } else { "notes.search.found" });
                search.state = State::Found(found);
            }
            Msg::Answer(_) => {}
        }
    }
}

/// A line of a row, as wide as the row.
pub(super) fn line(id: &'static str, text: String) -> View<super::Msg> {
    View::text(text).id(id).width(Size::Match)
}

/// A row with an icon and some lines.
pub(super) fn row_of_lines(icon: Icon, lines: Vec<View<super::Msg>>) -> View<super::Msg> {
    let icon =
        View::icon(icon, Color::SECONDARY).margin(Edges::symmetric(16, 0)).align(Align::Start, Align::Center);
    let lines = View::column(lines).grow_x().pad(Edges::symmetric(8, 0)).align(Align::Start, Align::Center);
    View::row(vec![icon, lines]).height(Size::Match).divider()
}

fn search_bar(search: &Search, env: &Env<'_>) -> View<super::Msg> {
    let field =
        View::field("search_field", search.words.clone(), |text| super::Msg::Search(Msg::Typed(text)))
            .hint("Search notes")
            .action(ImeAction::Search, super::Msg::Search(Msg::Submitted));
    crate::search_bar(env.accent, field, super::Msg::Close, super::Msg::Search(Msg::Typed(String::new())))
}
