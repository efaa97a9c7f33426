//! The list of a data type: rows or a grid, their order, the filter, the selection, the offer to take a deletion back.

use super::Msg as AppMsg;
use super::panes::Opened;
use crate::app::{BlueprintApp, Picked};
use crate::generate::names::{Part, Tag};
use crate::operators::Operator;
use crate::schema::{DeleteFrom, Home, Trap};
use crate::store::{Object, ObjectId, Order};
use taproof_phone::{
    Align, CheckStyle, Color, Edges, Env, Icon, Picture, Size, System, View, drawer_item, empty_state, fab,
    list_row, loading, snackbar, tab_bar, toolbar, toolbar_action, with_drawer,
};

const ROW_DP: i32 = 64;
const CARD_DP: i32 = 96;
/// How long a deletion can be taken back.
pub(crate) const UNDO_MILLIS: u64 = 5_000;
/// How long a slow list takes.
pub(crate) const LOAD_MILLIS: u64 = 900;

/// What the button of the filter for stars is for while it is on.
pub(crate) const SHOW_ALL: &str = "Show all";

const TIPS: [&str; 3] = [
    "Tip: press a row long to select it",
    "Tip: the arrow takes you back",
    "Tip: there is more behind the dots",
];

/// The page of a list.
#[derive(Clone, Debug)]
pub struct ListPage {
    pub(crate) data_type: usize,
    /// Whether only those with a star are shown.
    starred: bool,
    /// Those that had one when the filter was switched on.
    had_star: Vec<ObjectId>,
    picked: Picked,
    /// The object whose row was swiped.
    swiped: Option<ObjectId>,
    loading: bool,
    drawer: bool,
    /// The object that is shown beside the list, or instead of it.
    pub(crate) opened: Option<Opened>,
}

/// A message to a list.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Shows those with a star only, or all.
    Starred,
    /// Selects an object, or deselects it.
    Pick(ObjectId),
    PickAll,
    EndPicking,
    /// A row was swiped: its button is uncovered, or covered again.
    Swiped(ObjectId),
    Drawer,
    /// Loads the rows again.
    Refresh,
    /// The rows of this data type are there.
    Loaded(usize),
    BackFromSettings,
    /// Closes the page of the object that was opened.
    CloseOpened,
}

impl ListPage {
    pub(crate) fn new(data_type: usize, loading: bool) -> ListPage {
        ListPage {
            data_type,
            starred: false,
            had_star: Vec::new(),
            picked: Picked::new(),
            swiped: None,
            loading,
            drawer: false,
            opened: None,
        }
    }

    /// The name of the code point of what the page shows.
    pub(crate) fn point(&self) -> &'static str {
        match (self.picked.is_empty(), self.starred) {
            (false, _) => "view.picking",
            (true, true) => "view.starred",
            (true, false) => "view.list",
        }
    }

    pub(crate) fn is_loading(&self) -> bool {
        self.loading
    }

    pub(crate) fn end_picking(&mut self) {
        self.picked.clear();
        self.swiped = None;
    }

    fn picks(&self) -> bool {
        !self.picked.is_empty() || self.swiped.is_some()
    }

    /// Whether Back closes the drawer, the selection or an object rather than the page.
    pub(crate) fn closes_something(&self) -> bool {
        self.drawer || self.picks() || self.opened.is_some()
    }

    /// Closes what is in front: upright, an object covers the selection.
    pub(crate) fn close_one(&mut self, upright: bool) {
        if std::mem::take(&mut self.drawer) {
            return;
        }
        let picks = self.picks();
        if self.opened.take_if(|_| upright || !picks).is_none() {
            self.end_picking();
        }
    }
}

impl BlueprintApp {
    pub(crate) fn update_list(&mut self, list: &mut ListPage, msg: Msg, sys: &mut System<Self>) {
        match msg {
            Msg::Starred => {
                let all = self.store.ordered(list.data_type, Order::Added).into_iter();
                list.had_star = all.filter(|object| object.starred).map(|object| object.id).collect();
                list.starred = !list.starred;
            }
            Msg::Pick(id) => {
                if !list.picked.remove(&id) {
                    list.picked.insert(id);
                }
            }
            Msg::PickAll => list.picked = self.shown(list).iter().map(|object| object.id).collect(),
            Msg::EndPicking => list.end_picking(),
            Msg::Swiped(id) => {
                list.swiped = Some(id).filter(|id| list.swiped != Some(*id));
            }
            Msg::Refresh => {
                list.loading = true;
                let hangs = self.faulty(Operator::RefreshHangs, list.data_type) && self.anything_blocked();
                if !hangs {
                    sys.after(LOAD_MILLIS, AppMsg::List(Msg::Loaded(list.data_type)));
                }
            }
            Msg::Drawer => list.drawer = !list.drawer,
            Msg::Loaded(data_type) => list.loading &= list.data_type != data_type,
            Msg::BackFromSettings => {
                list.starred &= !self.faulty(Operator::FilterLostOnSettings, list.data_type);
            }
            Msg::CloseOpened => list.opened = None,
        }
    }

    /// The activity of the list was recreated.
    pub(crate) fn list_recreated(&mut self, list: &mut ListPage, sys: &System<Self>) {
        let data_type = list.data_type;
        if sys.changed.rotation {
            list.opened.take_if(|_| self.faulty(Operator::OpenedLostOnRotation, data_type));
        }
        if sys.changed.language && self.faulty(Operator::OrderLostOnLanguage, data_type) {
            self.orders[data_type] = Order::default();
        }
        list.starred &= !(sys.changed.language && self.faulty(Operator::FilterLostOnLanguage, data_type));
    }

    /// The objects that the list shows.
    fn shown(&self, list: &ListPage) -> Vec<&Object> {
        let mut shown = self.store.ordered(list.data_type, self.orders[list.data_type]);
        if list.starred && !self.faulty(Operator::FilterIgnored, list.data_type) {
            let stale = self.faulty(Operator::StarListStale, list.data_type);
            let had = |object: &Object| stale && list.had_star.contains(&object.id);
            shown.retain(|object| object.starred || had(object));
        }
        shown.retain(|object| !self.is_hidden(object));
        self.arrange(list.data_type, &mut shown);
        let shuffled = list.data_type == 0 && self.blueprint().traps.contains(&Trap::Shuffle);
        if shuffled && self.orders[0] == Order::Added && !shown.is_empty() {
            let first = self.memory.visits % shown.len();
            shown.rotate_left(first);
        }
        shown
    }

    pub(crate) fn list_view(&self, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let page = match self.instead_of_list(list, env) {
            Some(page) => page,
            None if self.has_panes(list, env) => self.beside_list(self.list_alone(list, env), list, env),
            None => self.list_alone(list, env),
        };
        if list.drawer { self.drawer(page, list, env) } else { page }
    }

    fn has_panes(&self, list: &ListPage, env: &Env<'_>) -> bool {
        self.blueprint().types[list.data_type].list.panes && env.rotation.sideways()
    }

    fn list_alone(&self, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let data_type = list.data_type;
        let blueprint = self.blueprint();
        let picks = !list.picked.is_empty();
        let mut rows = vec![if picks { self.picking_bar(list, env) } else { self.list_bar(list, env) }];
        if blueprint.home == Home::Tabs && blueprint.types.len() > 1 {
            let tab = |(place, _)| (self.names(place).title, place == data_type, AppMsg::Show(place));
            rows.push(tab_bar(env.accent, blueprint.types.iter().enumerate().map(tab).collect()));
        }
        rows.extend(self.lines_above(list, env));
        rows.push(self.rows(list, env).grow_y());
        if data_type == 0 && blueprint.traps.contains(&Trap::Advert) && has_room(env) {
            rows.push(advert());
        }
        let mut layers = vec![View::column(rows).fill()];
        if !picks && !blueprint.changes.new_in_bar {
            let tag = self.tag(data_type, Part::New);
            layers.push(fab(tag.id, Icon::Add, tag.desc, env.accent, AppMsg::New(data_type)));
        }
        if self.memory.undo.is_some() {
            layers.push(snackbar("Deleted", Some(("Undo", AppMsg::Undo))));
        }
        View::frame(layers).background(Color::SURFACE)
    }

    fn list_bar(&self, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let data_type = list.data_type;
        let (blueprint, names) = (self.blueprint(), self.names(data_type));
        let kind = &blueprint.types[data_type];
        let mut actions = Vec::new();
        let mut action = |part: Part, icon, click| {
            let Tag { id, desc } = names.tag(part);
            let desc = if part == Part::Starred && list.starred { SHOW_ALL } else { desc };
            actions.push(toolbar_action(id, icon, desc, click));
        };
        if kind.list.star {
            let icon = if list.starred { Icon::Star } else { Icon::StarBorder };
            action(Part::Starred, icon, AppMsg::List(Msg::Starred));
        }
        if blueprint.changes.new_in_bar {
            action(Part::New, Icon::Add, AppMsg::New(data_type));
        }
        if kind.search.is_some() && !blueprint.changes.search_in_menu {
            action(Part::Search, Icon::Search, AppMsg::Search(data_type));
        }
        let searched = self.memory.searches[data_type] > 1;
        if kind.list.sort && !(searched && self.faulty(Operator::ButtonsVanish, data_type)) {
            action(Part::Sort, Icon::Sort, AppMsg::SortMenu(data_type));
        }
        if kind.list.refresh {
            action(Part::Refresh, Icon::Refresh, AppMsg::List(Msg::Refresh));
        }
        if self.has_menu(data_type) {
            let click = AppMsg::More(data_type);
            actions.push(toolbar_action("action_more", Icon::MoreVert, "More options", click));
        }
        let navigation = match blueprint.home {
            _ if blueprint.types.len() < 2 => None,
            Home::Tabs => None,
            Home::Drawer if searched && self.faulty(Operator::NavigationVanishes, data_type) => None,
            Home::Drawer => Some((Icon::Menu, "Open navigation drawer", AppMsg::List(Msg::Drawer))),
            Home::Dashboard => Some((Icon::ArrowBack, "Navigate up", AppMsg::Up)),
        };
        toolbar(env.accent, navigation, names.title, blueprint.changes.actions(actions))
    }

    fn picking_bar(&self, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let action = |part: Part, icon, click| {
            let Tag { id, desc } = self.tag(list.data_type, part);
            toolbar_action(id, icon, desc, click)
        };
        let all = list.picked.iter().copied().collect();
        let end = (Icon::Close, "End selection", AppMsg::List(Msg::EndPicking));
        let actions = vec![
            action(Part::SelectAll, Icon::SelectAll, AppMsg::List(Msg::PickAll)),
            action(Part::DeleteSelected, Icon::Delete, AppMsg::Delete(all)),
        ];
        let title = self.say(env.language, "{count} selected");
        let title = title.replace("{count}", &list.picked.len().to_string());
        toolbar(Color(0x455A64), Some(end), title, actions)
    }

    /// The number of objects and what makes the page hard to test, above its rows.
    fn lines_above(&self, list: &ListPage, env: &Env<'_>) -> Vec<View<AppMsg>> {
        let data_type = list.data_type;
        let blueprint = self.blueprint();
        let small = |text: String| {
            View::text(text).size(13).color(Color::SECONDARY).width(Size::Match).pad(Edges::symmetric(16, 6))
        };
        let mut lines = Vec::new();
        if blueprint.types[data_type].list.count {
            let count = self.memory.counts[data_type];
            let kind = &blueprint.types[data_type];
            let noun = if count == 1 { kind.noun } else { kind.plural };
            let words = format!("{count} {}", self.say(env.language, noun.0));
            lines.push(small(words).id(self.tag(data_type, Part::Count).id));
        }
        let derived = self.derived_lines(data_type, env.language).into_iter();
        lines.extend(derived.map(|(part, words)| small(words).id(self.tag(data_type, part).id)));
        let traps = if data_type == 0 { blueprint.traps.as_slice() } else { &[] };
        for trap in traps {
            match trap {
                Trap::Clock => {
                    let words = self.say(env.language, "It is");
                    lines.push(small(format!("{words} {}", env.today().clock())).id("clock"));
                }
                Trap::Tips => {
                    let tip = self.say(env.language, TIPS[self.memory.visits % TIPS.len()]);
                    lines.push(small(tip.to_owned()).id("tip"));
                }
                Trap::Animation if has_room(env) => {
                    let picture = Picture(u32::try_from(env.now.millis() / 500 % 8).unwrap_or(0));
                    lines.push(View::picture(picture).id("banner").width(Size::Match).height(Size::Dp(40)));
                }
                Trap::Animation | Trap::Advert | Trap::Shuffle | Trap::Notice | Trap::Web => {}
            }
        }
        lines
    }

    fn rows(&self, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let names = self.names(list.data_type);
        let kind = &self.blueprint().types[list.data_type];
        if list.loading {
            return View::frame(vec![loading("progress")]);
        }
        let shown = self.shown(list);
        if shown.is_empty() {
            return View::frame(vec![empty_state(kind.icon, names.nothing)]);
        }
        let id = names.tag(Part::List).id;
        let beside = kind.list.grid || kind.list.landscape_grid && env.rotation.sideways();
        if !beside {
            let row = |place: usize| shown.get(place).map_or_else(View::space, |it| self.row(it, list, env));
            return View::list(id, env, shown.len(), ROW_DP, row);
        }
        let pairs: Vec<&[&Object]> = shown.chunks(2).collect();
        View::list(id, env, pairs.len(), CARD_DP, |place| {
            let mut cards: Vec<View<AppMsg>> = pairs
                .get(place)
                .map(|pair| pair.iter().map(|object| self.card(object, list, env).grow_x()).collect())
                .unwrap_or_default();
            if cards.len() == 1 {
                cards.push(View::space().grow_x());
            }
            View::row(cards).height(Size::Match)
        })
    }

    fn row(&self, object: &Object, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let kind = &self.blueprint().types[list.data_type];
        let number = self.number_in_row(object).filter(|_| !self.has_panes(list, env));
        let shown = |number: &str| {
            let id = self.tag(list.data_type, Part::RowNumber).id;
            View::text(number.to_owned())
                .id(id)
                .pad(Edges::symmetric(8, 0))
                .align(Align::Start, Align::Center)
        };
        let mut trailing: Vec<View<AppMsg>> = number.map(shown).into_iter().collect();
        trailing.extend(self.buttons(object, list));
        // Beside an object, there is room for the name only.
        let icon = (!self.has_panes(list, env)).then_some((kind.icon, env.accent));
        let title = (self.tag(list.data_type, Part::RowTitle).id, object.listed.clone());
        let owner = || self.store.owner(object).map_or("", |owner| owner.name());
        let note = kind.second_text().map_or_else(owner, |second| &object.values[second]);
        let note = note.lines().next().unwrap_or("").to_owned();
        let note = (self.tag(list.data_type, Part::RowNote).id, note);
        self.touchable(list_row(icon, title, note, trailing), object, list)
    }

    fn card(&self, object: &Object, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let kind = &self.blueprint().types[list.data_type];
        let title = View::text(object.listed.clone())
            .id(self.tag(list.data_type, Part::RowTitle).id)
            .width(Size::Match)
            .pad(Edges { left: 12, top: 12, right: 12, bottom: 0 });
        let icon = View::icon(kind.icon, env.accent).margin(Edges::symmetric(12, 0));
        let mut below = vec![icon.align(Align::Start, Align::Center), View::space().grow_x()];
        below.extend(self.buttons(object, list));
        let card = View::column(vec![title, View::row(below).height(Size::Dp(48))])
            .height(Size::Match)
            .margin(Edges::all(4))
            .background(Color::WHITE)
            .radius(6)
            .elevation(1);
        self.touchable(card, object, list)
    }

    /// The star and the menu of a row.
    fn buttons(&self, object: &Object, list: &ListPage) -> Vec<View<AppMsg>> {
        let kind = &self.blueprint().types[list.data_type];
        let mut buttons = Vec::new();
        if !list.picked.is_empty() {
            return buttons;
        }
        if list.swiped == Some(object.id) {
            let delete = View::button("Delete", Color::ERROR, AppMsg::Delete(vec![object.id]));
            buttons.push(delete.align(Align::Start, Align::Center));
            return buttons;
        }
        if kind.play.is_some() {
            buttons.extend(self.play_buttons(object));
        }
        if kind.list.star {
            let Tag { id, desc } = self.tag(list.data_type, Part::RowStar);
            let star = View::check(CheckStyle::CheckBox, object.starred, "", AppMsg::Star(object.id));
            buttons.push(star.id(id).desc(desc).width(Size::Dp(48)).align(Align::Start, Align::Center));
        }
        let Tag { id, desc } = self.tag(list.data_type, Part::RowMenu);
        let menu = View::icon_button(Icon::MoreVert, Color::SECONDARY, desc, AppMsg::RowMenu(object.id));
        buttons.push(menu.id(id).align(Align::Start, Align::Center));
        buttons
    }

    /// The mark of what is played, and the button that plays it.
    fn play_buttons(&self, object: &Object) -> Vec<View<AppMsg>> {
        let mut views = Vec::new();
        if self.is_marked(object.id) {
            let Tag { id, desc } = self.tag(object.data_type, Part::Mark);
            let mark = View::icon(Icon::BarChart, Color::SECONDARY).id(id).desc(desc);
            views.push(mark.align(Align::Start, Align::Center));
        }
        let on = self.memory.playing.object == Some(object.id);
        let icon = if on { Icon::Stop } else { Icon::PlayArrow };
        let Tag { id, desc } = self.tag(object.data_type, Part::RowPlay);
        let button = View::icon_button(icon, Color::SECONDARY, desc, AppMsg::Play(object.id)).id(id);
        views.push(button.align(Align::Start, Align::Center));
        views
    }

    fn touchable(&self, row: View<AppMsg>, object: &Object, list: &ListPage) -> View<AppMsg> {
        let (picks, picked) = (!list.picked.is_empty(), list.picked.contains(&object.id));
        let pick = AppMsg::List(Msg::Pick(object.id));
        let tap = if picks { pick.clone() } else { AppMsg::Open(object.id) };
        let row = row.id(self.tag(list.data_type, Part::Row).id).selected(picked).click(tap);
        let selects = self.blueprint().types[list.data_type].list.select;
        let row = if selects { row.long_click(pick) } else { row };
        let swipes = self.blueprint().types[list.data_type].delete.from == DeleteFrom::Swipe && !picks;
        let row = if swipes { row.swipe(AppMsg::List(Msg::Swiped(object.id))) } else { row };
        let opened = list.opened.as_ref().is_some_and(|opened| opened.page.id == object.id);
        match (picked, opened) {
            (true, _) => row.background(Color(0xCFD8DC)),
            (false, true) => row.background(Color::DIVIDER),
            (false, false) => row,
        }
    }

    fn drawer(&self, page: View<AppMsg>, list: &ListPage, env: &Env<'_>) -> View<AppMsg> {
        let blueprint = self.blueprint();
        let mut items: Vec<View<AppMsg>> = Vec::new();
        for (place, kind) in blueprint.types.iter().enumerate() {
            let chosen = place == list.data_type;
            items.push(drawer_item(kind.icon, self.names(place).title, chosen, AppMsg::Show(place)));
        }
        with_drawer(page, env.accent, blueprint.label.0, items, AppMsg::List(Msg::Drawer))
    }
}

/// Whether there is room for pictures beside the rows of a list.
fn has_room(env: &Env<'_>) -> bool {
    !env.rotation.sideways()
}

fn advert() -> View<AppMsg> {
    View::row(vec![
        View::picture(Picture(77)).width(Size::Dp(56)).height(Size::Dp(48)),
        View::text("Play now: Block Castle").id("ad_title").grow_x().align(Align::Start, Align::Center),
        View::text("Ad").size(12).color(Color::SECONDARY).pad(Edges::all(8)),
    ])
    .id("ad_view")
    .height(Size::Dp(48))
    .background(Color(0xFFF8E1))
}

/// The name of an order in its menu.
pub(crate) fn order_label(order: Order) -> &'static str {
    match order {
        Order::Added => "As added",
        Order::Name => "By name",
    }
}
