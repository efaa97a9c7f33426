//! The page of a list: filters, the state of the synchronisation, the tasks; and the selection mode on it.

use std::collections::BTreeSet;
use taproof_screen::words;

use crate::{
    Align, CheckStyle, Color, Edges, Env, Icon, Setting, Size, System, View, empty_state, fab, toolbar,
    toolbar_action,
};

use super::dialogs::{Deletion, NameDialog, Named};
use super::editor::Editor;
use super::search::Search;
use super::store::{Filter, ListId, Order, Task, TaskId};
use super::{Page, Tasks, bugs};

const ROW_DP: i32 = 64;
/// The package whose windows show notifications and warnings.
const SYSTEM_UI: &str = "com.android.systemui";

/// The page of the current list.
#[derive(Clone, Debug, Default)]
pub struct MainPage {
    filter: Filter,
    /// The filter that was left last.
    left: Option<Filter>,
    /// The selected tasks. Empty while the page is not in selection mode.
    selection: BTreeSet<TaskId>,
    /// Whether the overflow menu is open and nothing has been chosen there.
    menu_open: bool,
    /// The task that was opened last.
    opened: Option<TaskId>,
    /// Whether nothing was tapped since the process was started.
    untouched: bool,
}

words! {
    /// A message to the page of the current list.
    #[derive(Clone, Copy, Debug)]
    pub enum Msg {
        Filter(Filter) = [
            Filter::All => "tasks.main.filter-all",
            Filter::Open => "tasks.main.filter-open",
            Filter::Done => "tasks.main.filter-done",
        ],
        /// The box of a task was tapped.
        Toggle(TaskId) = "tasks.main.toggle",
        /// Opens a task in the editor.
        Open(TaskId) = "tasks.main.open",
        /// Selects a task, or deselects it.
        Pick(TaskId) = "tasks.main.pick",
        EndSelection = "tasks.main.end-selection",
        /// Selects all tasks that are shown.
        SelectAll = "tasks.main.select-all",
        /// Completes the selected tasks.
        CompleteSelected = "tasks.main.complete-selected",
        /// Deletes tasks, after a confirmation if the settings require one.
        Delete(Deletion) = [
            Deletion::Selected => "tasks.main.delete-selected",
            Deletion::Completed => "tasks.main.delete-completed",
        ],
        /// Deletes tasks.
        Confirmed(Deletion) = [
            Deletion::Selected => "tasks.main.confirmed-selected",
            Deletion::Completed => "tasks.main.confirmed-completed",
        ],
        /// Opens the editor of a new task.
        New = "tasks.main.new",
        Search = "tasks.main.search",
        SortMenu = "tasks.main.sort-menu",
        /// Opens the overflow menu.
        More = "tasks.main.more",
        /// Opens the sheet of all lists.
        Lists = "tasks.main.lists",
        Sort(Order) = [
            Order::Added => "tasks.main.sort-added",
            Order::Title => "tasks.main.sort-title",
            Order::Important => "tasks.main.sort-important",
        ],
        NewList = "tasks.main.new-list",
        RenameList = "tasks.main.rename-list",
        Settings = "tasks.main.settings",
        /// The settings were closed.
        BackFromSettings = "tasks.main.back-from-settings",
        /// Shows another list.
        Choose(ListId) = "tasks.main.choose",
    }
    fn point(&self);
}

fn to_main(msg: Msg) -> super::Msg {
    super::Msg::Main(msg)
}

impl MainPage {
    /// The first page of a process.
    pub fn of_new_process() -> Self {
        MainPage { untouched: true, ..MainPage::default() }
    }

    /// Whether the page is in selection mode.
    pub fn selects(&self) -> bool {
        !self.selection.is_empty()
    }

    /// Ends the selection mode.
    pub fn end_selection(&mut self) {
        self.selection.clear();
    }
}

impl Tasks {
    /// The view: in landscape, the state of the synchronisation is beside the filters.
    pub(super) fn main_view(&self, main: &MainPage, env: &Env<'_>) -> View<super::Msg> {
        let bar = if main.selects() {
            env.cover("tasks.view.selection");
            selection_bar(main.selection.len(), env)
        } else {
            self.list_bar(env)
        };
        let mut filters: Vec<View<super::Msg>> = [
            (Filter::All, "filter_all", "All"),
            (Filter::Open, "filter_open", "Open"),
            (Filter::Done, "filter_done", "Done"),
        ]
        .into_iter()
        .map(|(filter, id, label)| chip(id, label, main.filter == filter, env, to_main(Msg::Filter(filter))))
        .collect();
        let mut rows = vec![bar];
        let state = self.sync_line(env);
        if env.rotation.sideways() {
            env.cover("tasks.view.list-sideways");
            filters.push(View::space().grow_x());
            filters.push(state.margin(Edges::symmetric(16, 0)).align(Align::Start, Align::Center));
            rows.push(filter_row(filters));
        } else {
            rows.push(filter_row(filters));
            rows.push(state.width(Size::Match).pad(Edges { left: 16, top: 0, right: 16, bottom: 8 }));
        }
        rows.push(View::space().width(Size::Match).height(Size::Dp(1)).background(Color::DIVIDER));
        rows.push(self.task_list(main, env).grow_y());
        let mut layers = vec![View::column(rows).fill()];
        if !main.selects() {
            layers.push(fab("fab", Icon::Add, "New task", env.accent, to_main(Msg::New)));
        }
        View::frame(layers).background(Color::SURFACE)
    }

    fn list_bar(&self, env: &Env<'_>) -> View<super::Msg> {
        let action = |id, icon, desc, msg| toolbar_action(id, icon, desc, to_main(msg));
        toolbar(
            env.accent,
            Some((Icon::Menu, "Lists", to_main(Msg::Lists))),
            self.store.name(self.store.current).to_owned(),
            vec![
                action("action_search", Icon::Search, "Search", Msg::Search),
                action("action_sort", Icon::Sort, "Sort", Msg::SortMenu),
                action("action_more", Icon::MoreVert, "More options", Msg::More),
            ],
        )
    }

    fn sync_line(&self, env: &Env<'_>) -> View<super::Msg> {
        let words = match (env.network, self.store.unsynced()) {
            (true, 0) => "All tasks synced".to_owned(),
            (false, 0) => "Offline, all tasks synced".to_owned(),
            (_, 1) => "Offline, 1 task not synced".to_owned(),
            (_, count) => format!("Offline, {count} tasks not synced"),
        };
        if !env.network {
            env.cover("tasks.view.offline");
        }
        View::text(words).id("sync_state").size(13).color(Color::SECONDARY)
    }

    fn task_list(&self, main: &MainPage, env: &Env<'_>) -> View<super::Msg> {
        let mut shown = self.store.shown(main.filter, self.settings.completed_last);
        if main.untouched && self.bugs.has(bugs::RESTART_NEW) {
            shown.retain(|task| self.store.is_shipped(task.id));
        }
        if shown.is_empty() {
            env.cover("tasks.view.empty");
            let words = if main.filter == Filter::Done { "Nothing is done yet" } else { "Nothing to do" };
            return View::frame(vec![empty_state(Icon::Check, words)]);
        }
        View::list("task_list", env, shown.len(), ROW_DP, |row| match shown.get(row) {
            Some(task) => self.task_row(task, main, env),
            None => View::space(),
        })
    }

    fn task_row(&self, task: &Task, main: &MainPage, env: &Env<'_>) -> View<super::Msg> {
        let (picks, picked) = (main.selects(), main.selection.contains(&task.id));
        let tap = if picks { Msg::Pick(task.id) } else { Msg::Toggle(task.id) };
        let tick = View::check(CheckStyle::CheckBox, task.done, "", to_main(tap))
            .id("task_check")
            .desc("Completed")
            .width(Size::Dp(48))
            .pad(Edges { left: 12, top: 0, right: 0, bottom: 0 })
            .align(Align::Start, Align::Center);
        let lines = View::column(self.lines_of(task)).grow_x().pad(Edges::symmetric(8, 0));
        let mut children = vec![tick, lines.align(Align::Start, Align::Center)];
        if task.important {
            let star = View::icon(Icon::Star, Color(0xF9A825)).id("task_important").desc("Important");
            children.push(star.margin(Edges::symmetric(16, 0)).align(Align::Start, Align::Center));
        }
        let tap = if picks { Msg::Pick(task.id) } else { Msg::Open(task.id) };
        let row = View::row(children)
            .id("task_row")
            .height(Size::Match)
            .divider()
            .selected(picked)
            .click(to_main(tap))
            .long_click(to_main(Msg::Pick(task.id)));
        let chosen = if env.dark { Color(0x4A3B6B) } else { Color(0xD1C4E9) };
        if picked { row.background(chosen) } else { row }
    }

    fn lines_of(&self, task: &Task) -> Vec<View<super::Msg>> {
        let color = if task.done { Color::SECONDARY } else { Color::TEXT };
        let mut lines = vec![View::text(task.title.clone()).id("task_title").color(color).width(Size::Match)];
        let small = |id, text: String| View::text(text).id(id).size(13).width(Size::Match);
        let notes = task.notes.lines().next().unwrap_or("");
        if !task.synced {
            lines.push(small("task_unsynced", "Not synced".to_owned()).color(Color::ERROR));
        } else if self.settings.show_notes && !notes.is_empty() {
            lines.push(small("task_notes", notes.to_owned()).color(Color::SECONDARY));
        }
        lines
    }

    pub(super) fn update_main(&mut self, main: &mut MainPage, msg: Msg, sys: &mut System<Tasks>) {
        sys.cover(msg.point());
        main.menu_open = matches!(msg, Msg::More);
        main.untouched = false;
        match msg {
            Msg::Filter(filter) => {
                let left = std::mem::replace(&mut main.filter, filter);
                if self.faulty(bugs::FILTER_ORDER, left != filter && main.left == Some(filter)) {
                    self.store.order = Order::default();
                }
                main.left = Some(left);
                sys.scroll_to_top("task_list");
            }
            Msg::Toggle(id) => {
                let done = self.store.task(id).is_some_and(|task| task.done);
                self.complete(id, !done, sys);
            }
            Msg::Pick(id) => {
                if !main.selection.remove(&id) {
                    main.selection.insert(id);
                }
            }
            Msg::EndSelection => main.end_selection(),
            Msg::SelectAll => self.select_all(main),
            Msg::CompleteSelected => {
                for id in std::mem::take(&mut main.selection) {
                    self.complete(id, true, sys);
                }
            }
            Msg::Delete(what) => self.ask_to_delete(main, what, sys),
            Msg::Confirmed(what) => self.delete(main, what),
            Msg::Sort(order) => {
                let chosen_again = self.store.order == order;
                let reverses = chosen_again && self.bugs.has(bugs::CHOICE_REVERSES);
                self.store.reversed = reverses && !self.store.reversed;
                self.store.order = order;
                sys.scroll_to_top("task_list");
            }
            Msg::Choose(list) => {
                self.store.current = list;
                sys.scroll_to_top("task_list");
            }
            Msg::BackFromSettings => {
                if self.bugs.has(bugs::PEEK_LOSES_PAGE) {
                    *main = MainPage::default();
                }
            }
            Msg::Open(id) => self.open_task(main, id, sys),
            opening => self.open_from_main(opening, sys),
        }
    }

    fn open_task(&self, main: &mut MainPage, id: TaskId, sys: &mut System<Tasks>) {
        let again = main.opened.replace(id) == Some(id);
        if let Some(task) = self.store.task(id) {
            let editor = Editor::of(task);
            let keeps = !again || !self.bugs.has(bugs::AGAIN_NOTES);
            sys.open(Page::Editor(if keeps { editor } else { editor.without_notes() }));
        }
    }

    fn open_from_main(&self, msg: Msg, sys: &mut System<Tasks>) {
        let current = self.store.current;
        let page = match msg {
            Msg::New => Some(Page::Editor(Editor::default())),
            Msg::Search => Some(Page::Search(Search::default())),
            Msg::SortMenu => Some(Page::SortMenu),
            Msg::More => Some(Page::MoreMenu),
            Msg::Lists => Some(Page::Lists),
            Msg::NewList => Some(Page::Name(NameDialog::new(Named::NewList, ""))),
            Msg::RenameList => {
                let dialog = NameDialog::new(Named::List(current), self.store.name(current));
                Some(Page::Name(dialog))
            }
            Msg::Settings => Some(Page::Settings),
            _ => None,
        };
        if let Some(page) = page {
            sys.open(page);
        }
    }

    fn complete(&mut self, id: TaskId, done: bool, sys: &mut System<Tasks>) {
        sys.cover(if done { "tasks.completed" } else { "tasks.reopened" });
        self.store.set_done(id, done);
        if !done && self.bugs.has(bugs::TOGGLE_NOTES) {
            self.store.forget_notes(id);
        }
        self.send(id, sys);
    }

    fn ask_to_delete(&mut self, main: &mut MainPage, what: Deletion, sys: &mut System<Tasks>) {
        if self.settings.confirm_delete {
            sys.cover("tasks.delete.asks");
            sys.open(Page::ConfirmDelete(what, main.selection.len()));
        } else {
            sys.cover("tasks.delete.at-once");
            self.delete(main, what);
        }
    }

    fn delete(&mut self, main: &mut MainPage, what: Deletion) {
        let current = self.store.current;
        match what {
            Deletion::Selected => self.store.delete(|task| main.selection.contains(&task.id)),
            Deletion::Completed => self.store.delete(|task| task.list == current && task.done),
        }
        main.end_selection();
    }

    fn select_all(&self, main: &mut MainPage) {
        let shown = self.store.shown(main.filter, self.settings.completed_last);
        main.selection = shown.iter().map(|task| task.id).collect();
        if self.bugs.has(bugs::ALL_FILTER) {
            main.filter = Filter::default();
        }
    }

    /// Ends the selection because of Back.
    pub(super) fn leave_selection(&mut self, main: &mut MainPage) {
        if self.bugs.has(bugs::SELECT_COMPLETES) {
            for id in &main.selection {
                self.store.set_done(*id, true);
            }
        }
        main.end_selection();
    }

    /// Keeps everything in a sound build.
    pub(super) fn main_resumed(&mut self, main: &mut MainPage) {
        let closed_the_menu = std::mem::take(&mut main.menu_open);
        if closed_the_menu && self.bugs.has(bugs::MENU_UNCHECKS) {
            let shown = self.store.shown(main.filter, self.settings.completed_last);
            for id in shown.iter().map(|task| task.id).collect::<Vec<_>>() {
                self.store.set_done(id, false);
            }
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn main_destroyed(&self, main: &mut MainPage) {
        if self.bugs.has(bugs::DESTROYED_FILTER) {
            main.filter = Filter::default();
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn main_told(&self, main: &mut MainPage, setting: Setting) {
        if self.faulty(bugs::LOCATION_FILTER, setting == Setting::LocationOff) {
            main.filter = Filter::default();
        }
    }

    /// Keeps everything in a sound build.
    pub(super) fn main_uncovered(&self, main: &mut MainPage, by: &str) {
        if self.faulty(bugs::PANEL_SELECTION, by == SYSTEM_UI) {
            main.end_selection();
        }
    }

    /// Keeps everything in a sound build. The phone has closed the menu.
    pub(super) fn main_recreated(&mut self, main: &mut MainPage, sys: &System<Tasks>) {
        main.menu_open = false;
        if sys.changed.rotation && self.bugs.has(bugs::ROTATE_SELECTION) {
            main.end_selection();
        }
        if sys.changed.dark && self.bugs.has(bugs::DARK_FILTER) {
            main.filter = Filter::default();
        }
        if sys.changed.language && self.bugs.has(bugs::LANGUAGE_ORDER) {
            self.store.order = Order::default();
        }
    }
}

fn filter_row(chips: Vec<View<super::Msg>>) -> View<super::Msg> {
    View::row(chips).id("filters").height(Size::Dp(56)).pad(Edges::symmetric(12, 0))
}

fn chip(
    id: &'static str,
    label: &'static str,
    selected: bool,
    env: &Env<'_>,
    click: super::Msg,
) -> View<super::Msg> {
    let text = View::text(label)
        .class("com.google.android.material.chip.Chip")
        .id(id)
        .size(14)
        .medium()
        .color(if selected { Color::WHITE } else { Color::TEXT })
        .style(|style| style.align = Align::Center)
        .width(Size::Dp(72))
        .height(Size::Dp(36))
        .pad(Edges::symmetric(0, 8))
        .margin(Edges::symmetric(4, 0))
        .align(Align::Start, Align::Center)
        .radius(18)
        .selected(selected)
        .click(click);
    if selected { text.background(env.accent) } else { text.border(Color::DIVIDER) }
}

fn selection_bar(count: usize, env: &Env<'_>) -> View<super::Msg> {
    let action = |id, icon, desc, msg| toolbar_action(id, icon, desc, to_main(msg));
    toolbar(
        env.accent,
        Some((Icon::Close, "Cancel selection", to_main(Msg::EndSelection))),
        format!("{count} selected"),
        vec![
            action("action_select_all", Icon::SelectAll, "Select all", Msg::SelectAll),
            action("action_done", Icon::Check, "Mark as completed", Msg::CompleteSelected),
            action("action_delete", Icon::Delete, "Delete", Msg::Delete(Deletion::Selected)),
        ],
    )
    .id("action_mode_bar")
}
