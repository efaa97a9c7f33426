//! The diary page: all entries, the newest first, and the search by text and date.

use super::day::Day;
use super::store::{Entry, EntryId, Store};
use super::{Diary, Page, entry, pictures, spoken};
use crate::{
    Align, Color, Crash, Date, Edges, Env, Icon, ImeAction, Size, System, View, empty_state, loading,
    page_toolbar, text_field, toolbar_action,
};
use taproof_screen::words;

/// How long the database takes to list entries, in ms.
const LOAD_MILLIS: u64 = 600;

/// The page that lists the entries of the diary.
#[derive(Clone, Debug, Default)]
pub struct HistoryPage {
    loading: bool,
    /// The search form. `None` if it is closed.
    search: Option<Form>,
    /// The last search. `None` shows all entries.
    query: Option<Query>,
    found: Vec<EntryId>,
}

/// The search form as filled in.
#[derive(Clone, Debug, Default)]
struct Form {
    text: String,
    date: String,
    /// The date that was refused, if one was.
    refused: Option<String>,
}

/// What is searched for.
#[derive(Clone, Debug)]
struct Query {
    text: String,
    day: Option<Day>,
}

words! {
    /// A message to the diary page.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// The search button was tapped.
        OpenSearch = "diary.history.search-open",
        /// The text was changed to this.
        Text(String) = "diary.history.text",
        /// The date was changed to this.
        Date(String) = "diary.history.date",
        /// Starts the search with the text and the date of the form.
        Search = "diary.history.search",
        /// Shows all entries again.
        Clear = "diary.history.clear",
        /// The database has answered.
        Loaded = "diary.history.loaded",
        /// A row was tapped.
        Open(EntryId) = "diary.history.open",
    }
    fn point(&self);
}

impl HistoryPage {
    /// Queries the database again if it had not answered before the process ended.
    pub(super) fn load_again(&mut self, sys: &mut System<Diary>) {
        if self.loading {
            sys.cover("diary.history.load-again");
            sys.after(LOAD_MILLIS, send(Msg::Loaded));
        }
    }

    /// Closes the search. Returns `false` if it was not open.
    pub(super) fn back(&mut self) -> bool {
        self.query = None;
        self.search.take().is_some()
    }

    /// Updates the results, since entries may have changed on another page.
    pub(super) fn refresh(&mut self, store: &Store) {
        if let Some(query) = &self.query {
            self.found = store.search(&query.text, query.day);
        }
    }
}

fn send(msg: Msg) -> super::Msg {
    super::Msg::History(msg)
}

pub(super) fn view(app: &Diary, page: &HistoryPage, env: &Env<'_>) -> View<super::Msg> {
    let search = toolbar_action("action_search", Icon::Search, "Search", send(Msg::OpenSearch));
    let mut rows = vec![page_toolbar(env.accent, super::Msg::Close, "Diary", vec![search])];
    rows.extend(page.search.as_ref().map(|form| form_view(form, env)));
    rows.push(if page.loading {
        env.cover("diary.view.history-loading");
        View::frame(vec![loading("diary_progress")]).grow_y()
    } else {
        list(app, page, env)
    });
    View::column(rows).fill().background(Color::SURFACE)
}

fn form_view(form: &Form, env: &Env<'_>) -> View<super::Msg> {
    let text = View::field("search_src_text", form.text.as_str(), |text| send(Msg::Text(text)))
        .hint("Note or activity")
        .action(ImeAction::Search, send(Msg::Search));
    let date = View::field("search_date", form.date.as_str(), |text| send(Msg::Date(text)))
        .hint("Date, YYYY-MM-DD")
        .action(ImeAction::Search, send(Msg::Search));
    let error = match &form.refused {
        Some(date) => format!("{date} is not a date. Try 2026-01-31."),
        None => String::new(),
    };
    let button = |label, id, msg| View::button(label, env.accent, send(msg)).id(id);
    let buttons = View::row(vec![
        text_field(date, &error).grow_x(),
        button("Clear", "search_clear", Msg::Clear),
        button("Search", "search_go", Msg::Search),
    ]);
    View::column(vec![text, buttons.height(Size::Wrap)])
        .id("search_form")
        .height(Size::Wrap)
        .pad(Edges::symmetric(12, 4))
        .background(Color::WHITE)
        .elevation(2)
}

fn list(app: &Diary, page: &HistoryPage, env: &Env<'_>) -> View<super::Msg> {
    let entries = app.store.entries();
    let total = if page.query.is_some() { page.found.len() } else { entries.len() };
    if total == 0 {
        env.cover("diary.view.empty-history");
        let words = if page.query.is_some() { "Nothing found" } else { "Nothing done yet" };
        return View::frame(vec![empty_state(Icon::Book, words)]).grow_y();
    }
    let at = |row: usize| match &page.query {
        Some(_) => page.found.get(row).and_then(|id| app.store.entry(*id)),
        None => entries.len().checked_sub(row + 1).and_then(|place| entries.get(place)),
    };
    View::list("diary_list", env, total, 104, |row| {
        let above = row.checked_sub(1).and_then(at).map(|entry| Day::of(entry.start));
        match at(row) {
            Some(entry) => entry_row(app, entry, above != Some(Day::of(entry.start)), env),
            None => View::space(),
        }
    })
    .grow_y()
}

fn entry_row(app: &Diary, entry: &Entry, heads_day: bool, env: &Env<'_>) -> View<super::Msg> {
    let (name, color) = app.label(entry.activity);
    let date = Date::at(entry.start);
    let small =
        |text: String, id| View::text(text).id(id).size(13).color(Color::SECONDARY).width(Size::Match);
    let mut lines = vec![
        View::text(name).id("activity_name").medium().width(Size::Match),
        View::row(vec![
            small(date.iso(), "date_label").width(Size::Wrap),
            small(date.clock(), "start_label").width(Size::Wrap).margin(Edges::symmetric(8, 0)),
        ]),
        small(format!("Duration: {}", spoken(entry.duration(env.now))), "duration_label"),
    ];
    if !entry.note.is_empty() {
        env.cover("diary.view.row-with-note");
        lines.push(small(entry.note.clone(), "note").color(Color::TEXT));
    }
    let mark = View::space().width(Size::Dp(6)).height(Size::Match).background(color);
    let mut body = vec![mark, View::column(lines).grow_x().pad(Edges::symmetric(10, 2))];
    if app.store.settings.diary_pictures && !entry.pictures.is_empty() {
        env.cover("diary.view.row-with-pictures");
        let small = pictures::thumbnails(&entry.pictures, 2, send(Msg::Open(entry.id)));
        body.push(small.width(Size::Wrap).margin(Edges::symmetric(8, 0)).align(Align::Start, Align::Center));
    }
    let mut rows = Vec::with_capacity(2);
    if heads_day {
        let today = Day::of(entry.start) == Day::of(env.now);
        let words = if today { "Today".to_owned() } else { date.iso() };
        let heading = View::text(words).id("separator").size(12).medium().color(Color::SECONDARY);
        rows.push(heading.width(Size::Match).height(Size::Dp(22)).pad(Edges::symmetric(8, 3)));
    }
    rows.push(View::row(body).grow_y());
    View::column(rows).height(Size::Match).divider().click(send(Msg::Open(entry.id)))
}

pub(super) fn update(app: &mut Diary, page: &mut HistoryPage, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::OpenSearch => {
            page.search.get_or_insert_default();
            sys.focus("search_src_text");
        }
        Msg::Text(text) => {
            if let Some(form) = &mut page.search {
                form.text = text;
            }
        }
        Msg::Date(date) => {
            if let Some(form) = &mut page.search {
                form.date = date;
                form.refused = None;
            }
        }
        Msg::Search => search(page, sys),
        Msg::Clear => {
            page.query = None;
            page.search = Some(Form::default());
        }
        Msg::Loaded => {
            page.loading = false;
            page.refresh(&app.store);
            sys.cover(if page.found.is_empty() { "diary.history.none" } else { "diary.history.found" });
        }
        Msg::Open(entry) => sys.open(Page::Entry(entry::EntryPage { entry })),
    }
}

fn search(page: &mut HistoryPage, sys: &mut System<Diary>) {
    let Some(form) = &mut page.search else { return };
    let day = if form.date.trim().is_empty() { None } else { Day::parse(&form.date) };
    sys.hide_keyboard();
    if day.is_none() && !form.date.trim().is_empty() {
        sys.cover("diary.history.date-refused");
        form.refused = Some(form.date.clone());
        return;
    }
    sys.cover(if day.is_some() { "diary.history.search-day" } else { "diary.history.search-text" });
    form.refused = None;
    page.query = Some(Query { text: form.text.clone(), day });
    page.loading = true;
    sys.after(LOAD_MILLIS, send(Msg::Loaded));
}

/// Restores the form in the recreated activity.
pub(super) fn recreated(app: &Diary, page: &mut HistoryPage, sys: &mut System<Diary>) {
    let refused = page.search.as_ref().is_some_and(|form| form.refused.is_some());
    // Restoring searches again, without checking for a date that could not be parsed.
    if refused && app.bugs.rotate_bad_date {
        sys.crash(Crash {
            exception: "java.lang.NullPointerException",
            message: "Attempt to invoke virtual method 'long java.util.Date.getTime()' on a null object reference",
            stack: &[
                "org.taproof.diary.HistoryActivity.filterByDate(HistoryActivity.java:214)",
                "org.taproof.diary.HistoryActivity.onRestoreInstanceState(HistoryActivity.java:131)",
            ],
        });
    }
}
