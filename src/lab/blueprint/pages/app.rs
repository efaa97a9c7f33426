//! The app that runs a blueprint: its pages, its messages, and what survives what.

use std::collections::BTreeSet;

use crate::derived::{Cause, Derived};
use crate::generate::names::{Part, Tag, TypeNames};
use crate::generate::translation::Translations;
use crate::operators::Operator;
use crate::pages::extra_pages::{FIRST_PAIR, Playing};
use crate::pages::form_page::FormPage;
use crate::pages::list_page::{self, ListPage};
use crate::pages::more_pages;
use crate::pages::notice::Notice;
use crate::pages::object_page::{self, ObjectPage};
use crate::pages::panes::Opened;
use crate::pages::search_page::SearchPage;
use crate::pages::{Msg, Page};
use crate::points::PointTable;
use crate::relation_views::Picker;
use crate::schema::{Blueprint, DataType, Naming};
use crate::store::{Faults, ObjectId, Order, Store};
use std::borrow::Cow;
use taproof_phone::{App, BugSet, Env, HIDDEN_ID, Manifest, Surface, System, View};
use taproof_phone::{Content, Language};

/// The class of the page that asks for a permission.
const PERMISSION_ACTIVITY: &str = "PermissionActivity";
const HISTORY_ACTIVITY: &str = "HistoryActivity";
const BLOCKED_ACTIVITY: &str = "BlockedActivity";
const BROWSER_ACTIVITY: &str = "BrowserActivity";
const CONVERTER_ACTIVITY: &str = "ConverterActivity";

/// The activities of the pages that not every app has.
pub(crate) fn extra_activities(blueprint: &Blueprint) -> Vec<&'static str> {
    let any = |has: fn(&DataType) -> bool| blueprint.types.iter().any(has);
    let extra = [
        (any(|it| it.form.permission.is_some()), PERMISSION_ACTIVITY),
        (any(|it| it.play.is_some_and(|play| play.history)), HISTORY_ACTIVITY),
        (any(|it| it.block), BLOCKED_ACTIVITY),
        (any(|it| it.play.is_some_and(|play| play.browser)), BROWSER_ACTIVITY),
        (blueprint.converter.is_some(), CONVERTER_ACTIVITY),
    ];
    extra.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect()
}

/// The package whose window shows calls.
const DIALER: &str = "com.android.dialer";

/// A blueprint with what follows from it.
#[derive(Debug)]
pub(crate) struct Plan {
    pub blueprint: Blueprint,
    pub names: Vec<TypeNames>,
    pub manifest: Manifest,
    pub points: PointTable,
    pub translations: Translations,
}

/// The app: its files, and the memory of its process.
#[derive(Clone)]
pub struct BlueprintApp {
    pub(crate) plan: &'static Plan,
    pub(crate) faults: Faults,
    pub(crate) store: Store,
    /// Whether each switch of the settings is on. Saved to files.
    pub(crate) switches: Vec<bool>,
    /// The order of each list. Saved to files.
    pub(crate) orders: Vec<Order>,
    /// What was played, the last one first. Saved to files.
    pub(crate) played: Vec<ObjectId>,
    /// The units of the converter. Saved to files.
    pub(crate) pair: [usize; 2],
    pub(crate) memory: Memory,
}

/// What a process remembers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// The deletion that can be taken back, and its number.
    pub undo: Option<(u32, Vec<ObjectId>)>,
    pub deletions: u32,
    /// How often each search was opened.
    pub searches: Vec<u32>,
    /// The object that was changed last, of each data type.
    pub changed: Vec<Option<ObjectId>>,
    /// The number that stands above each list.
    pub counts: Vec<usize>,
    /// What else follows from the objects.
    pub derived: Derived,
    /// How often the first list was shown.
    pub visits: usize,
    /// What was opened beside each list when another one was shown.
    pub opened: Vec<Option<Opened>>,
    /// What is to cover the first list.
    pub notice: Option<Notice>,
    pub playing: Playing,
    /// The object that a faulty build still shows as blocked.
    pub stale_status: Option<ObjectId>,
    /// Whether the units of the converter were swapped.
    pub swapped: bool,
}

impl BlueprintApp {
    pub(crate) fn new(plan: &'static Plan, bugs: &BugSet) -> BlueprintApp {
        let blueprint = &plan.blueprint;
        let faults = Faults(blueprint.faults_of(bugs));
        let types = blueprint.types.len();
        BlueprintApp {
            plan,
            store: Store::shipped(blueprint, faults.clone()),
            faults,
            switches: blueprint.settings.iter().map(|switch| switch.on).collect(),
            orders: (0..types).map(|data_type| blueprint.first_order(data_type)).collect(),
            played: Vec::new(),
            pair: FIRST_PAIR,
            memory: Memory::default(),
        }
    }

    pub(crate) fn blueprint(&self) -> &'static Blueprint {
        &self.plan.blueprint
    }

    pub(crate) fn names(&self, data_type: usize) -> &'static TypeNames {
        &self.plan.names[data_type]
    }

    pub(crate) fn tag(&self, data_type: usize, part: Part) -> Tag {
        self.names(data_type).tag(part)
    }

    /// Whether this build makes this mistake with this data type.
    pub(crate) fn faulty(&self, operator: Operator, data_type: usize) -> bool {
        self.faults.has(operator, data_type)
    }

    pub(crate) fn type_of(&self, id: ObjectId) -> Option<usize> {
        self.store.get(id).map(|object| object.data_type)
    }

    fn first_list(&mut self) -> Page {
        self.visit();
        Page::List(ListPage::new(0, false))
    }

    /// Opens an object that a row shows.
    fn open(&mut self, page: &mut Page, id: ObjectId, sys: &mut System<Self>) {
        let Some(data_type) = self.type_of(id) else { return };
        // What belongs to an object may be opened in the list of that one.
        let from_list = matches!(page, Page::List(list) if list.data_type == data_type);
        let order = self.orders[data_type];
        let mut id = id;
        if from_list && sys.rotation.sideways() && self.faulty(Operator::OpensFirstOfRow, data_type) {
            id = self.store.first_of_pair(id, order);
        }
        if from_list && self.faulty(Operator::OpensByPosition, data_type) {
            id = self.store.counted_in_order_of_adding(id, order);
        }
        let last = self.store.get(id).is_some_and(|object| self.store.has_last_choice(object));
        if last && self.faulty(Operator::NeighbourOfChoice, data_type) {
            id = self.store.neighbour(id, order, false).unwrap_or(id);
        }
        let changed = self.memory.changed[data_type].filter(|changed| *changed != id);
        if changed.is_some() && self.faulty(Operator::NeighbourAfterEdit, data_type) {
            id = self.store.neighbour(id, order, false).unwrap_or(id);
        }
        let kind = &self.blueprint().types[data_type];
        match page {
            _ if !kind.has_detail() => self.open_form(id, sys),
            Page::List(list) if from_list && kind.list.panes => self.open_in_list(list, id, sys),
            _ => sys.open(Page::Object(ObjectPage::of(id))),
        }
    }

    fn open_form(&self, id: ObjectId, sys: &mut System<Self>) {
        if let Some(object) = self.store.get(id) {
            sys.open(Page::Form(FormPage::of(object)));
        }
    }

    fn star(&mut self, id: ObjectId) {
        let Some(data_type) = self.type_of(id) else { return };
        let searched = self.memory.searches[data_type] > 0;
        let mut id = id;
        if searched && self.faulty(Operator::NeighbourStarAfterSearch, data_type) {
            id = self.store.neighbour(id, self.orders[data_type], true).unwrap_or(id);
        }
        if let Some(object) = self.store.get_mut(id) {
            object.starred = !object.starred;
        }
    }

    /// Closes a page because of Back or the arrow.
    fn leave(&mut self, page: &mut Page, sys: &mut System<Self>) {
        match page {
            Page::List(list) if list.closes_something() => list.close_one(!sys.rotation.sideways()),
            Page::Form(form) => self.leave_form(form, sys),
            Page::Converter => self.leave_converter(sys),
            Page::Settings => sys.finish_with(Msg::List(list_page::Msg::BackFromSettings)),
            _ => sys.finish(),
        }
    }

    fn reset(&mut self) {
        self.switches = self.blueprint().settings.iter().map(|switch| switch.on).collect();
        let first = |data_type| self.plan.blueprint.first_order(data_type);
        self.orders = (0..self.orders.len()).map(first).collect();
        self.store.settings_reset();
        self.recount(Cause::Other);
    }

    fn open_page(&mut self, msg: Msg, sys: &mut System<Self>) {
        let page = match msg {
            Msg::Settings => Page::Settings,
            Msg::Text(place) => Page::Text(place),
            Msg::More(data_type) => Page::MoreMenu(data_type),
            Msg::Trash(data_type) => Page::Trash(data_type),
            Msg::New(data_type) => self.asked_how(data_type, None, sys),
            Msg::NewIn(owner, data_type) => self.asked_how(data_type, Some(owner), sys),
            Msg::Begin(data_type, owner) => self.new_object(data_type, owner, sys),
            Msg::Saved => Page::Saved,
            Msg::RowMenu(id) => Page::RowMenu(id),
            Msg::SortMenu(data_type) => Page::SortMenu(data_type),
            Msg::History(data_type) => Page::History(data_type),
            Msg::Blocked(data_type) => Page::Blocked(data_type),
            Msg::Converter => Page::Converter,
            Msg::AskReset => Page::ConfirmReset,
            Msg::Search(data_type) => {
                self.memory.searches[data_type] += 1;
                Page::Search(SearchPage::new(data_type))
            }
            _ => return,
        };
        sys.open(page);
    }

    /// The question how a new object is to be made, or what comes next.
    fn asked_how(&self, data_type: usize, owner: Option<ObjectId>, sys: &System<Self>) -> Page {
        match self.blueprint().changes.asks_how {
            true => Page::How(data_type, owner),
            false => self.new_object(data_type, owner, sys),
        }
    }

    /// The form of a new object, or what must be granted first.
    fn new_object(&self, data_type: usize, owner: Option<ObjectId>, sys: &System<Self>) -> Page {
        let needed = self.blueprint().types[data_type].form.permission;
        match needed {
            Some(permission) if !sys.granted(permission.0) => Page::Permission(data_type, owner),
            _ => Page::Form(self.new_form(data_type, owner, sys.today())),
        }
    }

    fn permitted(&self, data_type: usize, owner: Option<ObjectId>, granted: bool, sys: &mut System<Self>) {
        if granted {
            sys.finish_with(Msg::Begin(data_type, owner));
        } else if self.faulty(Operator::CrashOnDenial, data_type) {
            sys.crash(Operator::CrashOnDenial.crash());
        }
    }

    /// Takes in what has arrived, and waits for what arrives next.
    fn arrive(&mut self, sys: &mut System<Self>) {
        if self.store.arrive(sys.now.millis()) {
            self.recount(Cause::Other);
        }
        if let Some(millis) = self.store.until_next_arrival(sys.now.millis()) {
            sys.after(millis, Msg::Arrive);
        }
    }

    fn show(&mut self, page: &mut Page, data_type: usize, sys: &mut System<Self>) {
        if data_type == 0 {
            self.visit();
        }
        let mut list = ListPage::new(data_type, self.blueprint().types[data_type].list.slow);
        let loading = list.is_loading();
        match page {
            Page::Dashboard => sys.open(Page::List(ListPage::new(data_type, false))),
            _ => {
                self.swap_opened(page, &mut list, sys);
                *page = Page::List(list);
                if loading {
                    sys.after(list_page::LOAD_MILLIS, Msg::List(list_page::Msg::Loaded(data_type)));
                }
            }
        }
        self.notify(sys);
    }

    /// Without resource ids where the app has none.
    fn named(&self, view: View<Msg>) -> View<Msg> {
        if self.blueprint().naming != Naming::Descriptions {
            return view;
        }
        view.with_each(&|view| view.id = view.id.filter(|id| id.starts_with(HIDDEN_ID)))
    }
}

impl App for BlueprintApp {
    type Page = Page;
    type Msg = Msg;

    fn strings(&self) -> BTreeSet<String> {
        self.plan.translations.strings(&self.plan.blueprint)
    }

    fn start(&mut self) -> Page {
        let types = self.blueprint().types.len();
        let dashboard = self.blueprint().has_dashboard();
        let visits = self.memory.visits;
        // The player goes on where it was.
        let playing = Playing { object: self.memory.playing.object, stuck: None };
        self.memory = Memory {
            searches: vec![0; types],
            changed: vec![None; types],
            opened: vec![None; types],
            visits,
            playing,
            ..Memory::default()
        };
        self.store.forget_gone();
        self.store.reload();
        self.recount(Cause::Other);
        if dashboard { Page::Dashboard } else { self.first_list() }
    }

    fn surface(&self, page: &Page) -> Surface {
        let activity =
            |data_type: usize, which: usize| Surface::Activity(self.plan.names[data_type].activities[which]);
        let dashboard = self.blueprint().has_dashboard();
        match page {
            Page::List(list) if dashboard => activity(list.data_type, 0),
            Page::Dashboard | Page::List(_) => Surface::Activity("MainActivity"),
            Page::Object(object) => activity(self.type_of(object.id).unwrap_or(0), 1),
            Page::Permission(..) => Surface::Activity(PERMISSION_ACTIVITY),
            Page::History(_) => Surface::Activity(HISTORY_ACTIVITY),
            Page::Blocked(_) => Surface::Activity(BLOCKED_ACTIVITY),
            Page::Browser(_) => Surface::Activity(BROWSER_ACTIVITY),
            Page::Converter => Surface::Activity(CONVERTER_ACTIVITY),
            Page::Form(form) if form.is_dialog(self.blueprint()) => Surface::Dialog,
            Page::Form(form) => activity(form.data_type, 2),
            Page::Search(search) => activity(search.data_type, 3),
            Page::Trash(data_type) => activity(*data_type, 4),
            Page::Settings => Surface::Activity("SettingsActivity"),
            Page::Text(place) => Surface::Activity(self.plan.text_activity(*place)),
            Page::RowMenu(_) | Page::SortMenu(_) | Page::MoreMenu(_) => Surface::Menu,
            Page::ConfirmDelete(_)
            | Page::ConfirmReset
            | Page::Discard
            | Page::Picker(_)
            | Page::Notice(_)
            | Page::How(..)
            | Page::Saved => Surface::Dialog,
        }
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        self.point_of_page(page).into_iter().for_each(|point| env.cover(point));
        let view = match page {
            Page::Dashboard => more_pages::dashboard(self, env),
            Page::List(list) => self.list_view(list, env),
            Page::Object(object) => object_page::view(self, *object, env),
            Page::History(data_type) => self.history_view(*data_type, env),
            Page::Blocked(data_type) => self.blocked_view(*data_type, env),
            Page::Browser(id) => self.browser_view(*id),
            Page::Converter => self.converter_view(env),
            Page::Permission(data_type, _) => more_pages::permission(self, *data_type, env),
            Page::Form(form) => self.form_view(form, env),
            Page::Search(search) => self.search_view(search, env),
            Page::Trash(data_type) => more_pages::trash(self, *data_type, env),
            Page::Settings => more_pages::settings(self, env),
            Page::Text(place) => more_pages::text(self, *place, env),
            Page::RowMenu(id) => more_pages::row_menu(self, *id),
            Page::SortMenu(data_type) => more_pages::sort_menu(self, *data_type),
            Page::MoreMenu(data_type) => more_pages::more_menu(self, *data_type),
            Page::ConfirmDelete(ids) => more_pages::confirm_delete(self, ids, env),
            Page::ConfirmReset => more_pages::confirm_reset(env),
            Page::Discard => more_pages::discard(env),
            Page::Picker(picker) => self.picker_view(picker, env),
            Page::Notice(notice) => self.notice_view(*notice, env),
            Page::How(data_type, owner) => more_pages::how(self, *data_type, *owner, env),
            Page::Saved => more_pages::saved(env),
        };
        let view = self.translated(self.named(view), env.language);
        if env.dark { taproof_phone::darkened(view) } else { view }
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        self.point_of_msg(page, &msg).into_iter().for_each(|point| sys.cover(point));
        match (page, msg) {
            (page, Msg::Up) => self.leave(page, sys),
            (_, Msg::Close) => sys.finish(),
            (_, Msg::CloseBoth) => sys.finish_with(Msg::Close),
            // What is chosen in a menu or a dialog is for the page below.
            (
                Page::RowMenu(_)
                | Page::SortMenu(_)
                | Page::MoreMenu(_)
                | Page::ConfirmDelete(_)
                | Page::ConfirmReset
                | Page::Picker(_)
                | Page::How(..),
                msg,
            ) => sys.finish_with(msg),
            (page, Msg::Show(data_type)) => self.show(page, data_type, sys),
            (page, Msg::Open(id)) => self.open(page, id, sys),
            (_, Msg::Edit(id)) => self.open_form(id, sys),
            (page, Msg::Delete(ids)) => self.ask_to_delete(page, ids, sys),
            (page, Msg::Confirmed(ids)) => self.delete(page, ids, sys),
            (_, Msg::Undo) => self.undo(),
            (_, Msg::UndoOver(number)) => {
                self.memory.undo.take_if(|(of, _)| *of == number);
                if self.memory.undo.is_none() {
                    self.store.forget_gone();
                }
            }
            (_, Msg::Restore(id)) => {
                self.store.restore(id);
                self.recount(Cause::Restored);
            }
            (_, Msg::Erase(id)) => {
                self.store.erase(id);
                self.derive_anew(Cause::Other);
            }
            (Page::Form(form), Msg::Choose(field)) => sys.open(Page::Picker(Picker::of(form, field))),
            (page, Msg::Tab(second)) => {
                page.object_mut().into_iter().for_each(|object| object.second_tab = second);
            }
            (page, Msg::Zoom(by)) => {
                page.object_mut().into_iter().for_each(|object| self.zoom(object, by, sys));
            }
            (Page::Permission(data_type, _), Msg::AskPermission) => {
                if let Some(permission) = self.blueprint().types[*data_type].form.permission {
                    sys.request_permission(permission.0, Msg::Permitted);
                }
            }
            (Page::Permission(data_type, owner), Msg::Permitted(granted)) => {
                self.permitted(*data_type, *owner, granted, sys);
            }
            (_, Msg::Arrive) => self.arrive(sys),
            (page, Msg::Play(id)) => self.play(id, page.object().filter(|object| object.id == id)),
            (page, Msg::Browse(id)) => {
                page.object_mut().into_iter().for_each(|object| object.browsed = true);
                sys.open(Page::Browser(id));
            }
            (_, Msg::PressHistory(data_type)) => {
                if self.faulty(Operator::CrashOnHistoryPress, data_type) {
                    sys.crash(Operator::CrashOnHistoryPress.crash());
                }
            }
            (_, Msg::Block(id)) => self.block(id),
            (_, Msg::ClearBlocked(data_type)) => self.clear_blocked(data_type),
            (_, Msg::NextUnit(place)) => self.next_unit(place),
            (_, Msg::Swap) => self.swap_units(),
            (page, Msg::Star(id)) => {
                self.star(id);
                let on_page = page.object().is_some();
                self.derive_anew(if on_page { Cause::StarredOnPage } else { Cause::Other });
            }
            (_, Msg::Sort(data_type, order)) => {
                self.orders[data_type] = order;
                sys.scroll_to_top(self.tag(data_type, Part::List).id);
            }
            (_, Msg::Switch(place)) => self.switches[place] = !self.switches[place],
            (_, Msg::Reset) => self.reset(),
            (Page::List(list), Msg::List(msg)) => self.update_list(list, msg, sys),
            (Page::Form(form), Msg::Form(msg)) => self.update_form(form, msg, sys),
            (Page::Search(search), Msg::Query(msg)) => self.update_search(search, msg, sys),
            // A message to another page; no view sends one.
            (_, Msg::List(_) | Msg::Form(_) | Msg::Query(_)) => {}
            (_, opening) => self.open_page(opening, sys),
        }
    }

    fn back(&mut self, page: &mut Page, sys: &mut System<Self>) {
        self.leave(page, sys);
    }

    fn resumed(&mut self, page: &mut Page, sys: &mut System<Self>) {
        match page {
            Page::List(list) => {
                self.close_if_deleted(list);
                self.arrive(sys);
                self.offer_undo(sys);
                self.notify(sys);
            }
            // What it showed was deleted meanwhile.
            Page::Object(object) if self.type_of(object.id).is_none() => sys.finish(),
            _ => {}
        }
    }

    fn recreated(&mut self, page: &mut Page, sys: &mut System<Self>) {
        match page {
            Page::Form(form) if sys.changed.rotation => self.form_rotated(form, sys),
            Page::List(list) => self.list_recreated(list, sys),
            _ => {}
        }
        if let Some(object) = page.object_mut() {
            self.object_recreated(object, sys);
        }
    }

    fn restored(&mut self, page: &mut Page, _sys: &mut System<Self>) {
        match page {
            Page::Form(form) if self.faulty(Operator::DraftLostOnDeath, form.data_type) => {
                form.forget_one(self.blueprint());
            }
            // It was there before the process ended, so this is no visit.
            Page::List(_) => self.memory.notice = None,
            _ => {}
        }
    }

    fn uncovered(&mut self, page: &mut Page, by: &'static str, _sys: &mut System<Self>) {
        if let Page::Search(search) = page
            && by == DIALER
            && self.faulty(Operator::QueryLostOnCall, search.data_type)
        {
            search.forget();
        }
    }
}

/// The objects that are selected in a list.
pub(crate) type Picked = BTreeSet<ObjectId>;

impl BlueprintApp {
    /// Words of the app in a language.
    pub(crate) fn say(&self, language: Language, words: &'static str) -> &'static str {
        self.plan.translations.find(language, words).unwrap_or(words)
    }

    /// A view in a language.
    pub(crate) fn translated(&self, view: View<Msg>, language: Language) -> View<Msg> {
        if !self.plan.translations.changes(language) {
            return view;
        }
        let say = |text: &mut Cow<'static, str>| {
            if let Cow::Borrowed(words) = text {
                *words = self.say(language, words);
            }
        };
        view.with_each(&|view| {
            say(&mut view.content_desc);
            match &mut view.content {
                Content::Text(text, _) | Content::Check(_, _, text) => say(text),
                Content::Field(field) => say(&mut field.hint),
                _ => {}
            }
        })
    }
}
