//! What some apps do beside keeping objects: playing and blocking them, converting units.

use super::Msg;
use super::object_page::ObjectPage;
use crate::app::BlueprintApp;
use crate::generate::names::{Part, Tag};
use crate::operators::Operator;
use crate::store::{Object, ObjectId, Order};
use taproof_phone::{
    Align, Color, Edges, Env, Icon, Size, System, View, empty_state, list_row, toolbar, toolbar_action,
};

/// The entry of the menu for what was played.
pub(crate) const HISTORY: &str = "History";
/// The entry of the menu for what is blocked.
pub(crate) const BLOCKED: &str = "Blocked";
/// The button of the converter that chooses the next unit.
pub(crate) const OTHER_UNIT: &str = "Next unit";
/// The button of the converter that swaps the units.
pub(crate) const SWAP: &str = "Swap";

const ROW_DP: i32 = 56;

/// What is played, and what a process remembers of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Playing {
    pub object: Option<ObjectId>,
    /// The object of which a faulty build keeps the mark.
    pub stuck: Option<ObjectId>,
}

impl BlueprintApp {
    /// Plays an object, or stops that.
    pub(crate) fn play(&mut self, id: ObjectId, page: Option<&ObjectPage>) {
        let Some(data_type) = self.type_of(id) else { return };
        if page.is_some_and(|page| page.browsed) && self.faulty(Operator::PlayerDead, data_type) {
            return;
        }
        if self.memory.playing.object.take_if(|it| *it == id).is_some() {
            return;
        }
        self.memory.playing = Playing { object: Some(id), stuck: None };
        let kind = &self.blueprint().types[data_type];
        let has_more =
            |object: &Object| kind.second_text().is_none_or(|field| !object.values[field].is_empty());
        let misses = self.faulty(Operator::HistoryMisses, data_type);
        if self.store.get(id).is_some_and(|object| !misses || has_more(object)) {
            self.played.retain(|it| *it != id);
            self.played.insert(0, id);
        }
    }

    /// What the page of an object says of its being played.
    pub(crate) fn player(&self, id: ObjectId) -> &'static str {
        if self.memory.playing.object == Some(id) { "Playing" } else { "Stopped" }
    }

    /// Whether a row has the mark of what is played.
    pub(crate) fn is_marked(&self, id: ObjectId) -> bool {
        self.memory.playing.object == Some(id) || self.memory.playing.stuck == Some(id)
    }

    /// An object was renamed.
    pub(crate) fn renamed(&mut self, id: ObjectId, data_type: usize) {
        if self.memory.playing.object == Some(id) && self.faulty(Operator::MarkStays, data_type) {
            self.memory.playing.stuck = Some(id);
        }
    }

    /// The buttons at the top of the page of an object.
    pub(crate) fn extra_actions(&self, object: &Object) -> Vec<View<Msg>> {
        let kind = &self.blueprint().types[object.data_type];
        let action = |part: Part, icon, click| {
            let Tag { id, desc } = self.tag(object.data_type, part);
            toolbar_action(id, icon, desc, click)
        };
        let mut actions = Vec::new();
        if let Some(play) = kind.play {
            let on = self.memory.playing.object == Some(object.id);
            let icon = if on { Icon::Pause } else { Icon::PlayArrow };
            actions.push(action(Part::Play, icon, Msg::Play(object.id)));
            if play.browser {
                actions.push(action(Part::Browser, Icon::Share, Msg::Browse(object.id)));
            }
        }
        if kind.block {
            actions.push(action(Part::Block, Icon::Block, Msg::Block(object.id)));
        }
        actions
    }

    /// Blocks an object, or unblocks it.
    pub(crate) fn block(&mut self, id: ObjectId) {
        let Some(object) = self.store.get_mut(id) else { return };
        object.blocked = !object.blocked;
        let (data_type, unblocked) = (object.data_type, !object.blocked);
        self.memory.stale_status =
            (unblocked && self.faulty(Operator::UnblockStale, data_type)).then_some(id);
    }

    /// What the page of an object says of its being blocked.
    pub(crate) fn status(&self, object: &Object) -> &'static str {
        let blocked = object.blocked || self.memory.stale_status == Some(object.id);
        if blocked { "Blocked" } else { "Allowed" }
    }

    fn blocked(&self, data_type: usize) -> Vec<&Object> {
        let all = self.store.ordered(data_type, Order::Added).into_iter();
        all.filter(|object| object.blocked).collect()
    }

    pub(crate) fn clear_blocked(&mut self, data_type: usize) {
        let mut all: Vec<ObjectId> = self.blocked(data_type).iter().map(|object| object.id).collect();
        if self.faulty(Operator::ClearLeavesOne, data_type) {
            all.pop();
        }
        for id in all {
            self.block(id);
        }
    }

    /// Whether a list hides an object because its owner is blocked.
    pub(crate) fn is_hidden(&self, object: &Object) -> bool {
        let hides =
            |owner: &Object| owner.blocked && !self.faulty(Operator::BlockedStillShown, owner.data_type);
        self.store.owner(object).is_some_and(hides)
    }

    pub(crate) fn anything_blocked(&self) -> bool {
        (0..self.blueprint().types.len()).any(|data_type| !self.blocked(data_type).is_empty())
    }

    /// The objects that were played, the last one first.
    pub(crate) fn history_view(&self, data_type: usize, env: &Env<'_>) -> View<Msg> {
        let played = self.played.iter().filter_map(|id| self.store.get(*id));
        let played: Vec<&Object> = played.filter(|it| it.data_type == data_type && it.is_listed()).collect();
        let id = self.tag(data_type, Part::Played).id;
        let row = |object: &Object| {
            list_row(None, (id, object.name().to_owned()), ("", String::new()), Vec::new())
                .height(Size::Dp(ROW_DP))
                .click(Msg::Open(object.id))
                .long_click(Msg::PressHistory(data_type))
        };
        let rows = played.into_iter().map(row).collect();
        self.list_page(HISTORY, Icon::History, "Nothing was played yet", rows, Vec::new(), env)
    }

    /// The objects that are blocked.
    pub(crate) fn blocked_view(&self, data_type: usize, env: &Env<'_>) -> View<Msg> {
        let (name, unblock) = (self.tag(data_type, Part::Blocked), self.tag(data_type, Part::Unblock));
        let row = |object: &Object| {
            let icon = View::icon_button(Icon::Close, Color::SECONDARY, unblock.desc, Msg::Block(object.id));
            let buttons = vec![icon.id(unblock.id)];
            list_row(None, (name.id, object.name().to_owned()), ("", String::new()), buttons)
                .height(Size::Dp(ROW_DP))
        };
        let rows = self.blocked(data_type).into_iter().map(row).collect();
        let Tag { id, desc } = self.tag(data_type, Part::ClearBlocked);
        let clear = toolbar_action(id, Icon::Delete, desc, Msg::ClearBlocked(data_type));
        self.list_page(BLOCKED, Icon::Block, "Nothing is blocked", rows, vec![clear], env)
    }

    fn list_page(
        &self,
        title: &'static str,
        icon: Icon,
        nothing: &'static str,
        rows: Vec<View<Msg>>,
        actions: Vec<View<Msg>>,
        env: &Env<'_>,
    ) -> View<Msg> {
        let up = Some((Icon::ArrowBack, "Navigate up", Msg::Up));
        let body = match rows.is_empty() {
            true => View::frame(vec![empty_state(icon, nothing)]),
            false => View::scroll("extra_scroll", View::column(rows)),
        };
        View::column(vec![toolbar(env.accent, up, title, actions), body.grow_y()])
            .fill()
            .background(Color::SURFACE)
    }

    /// What a browser shows of an object.
    pub(crate) fn browser_view(&self, id: ObjectId) -> View<Msg> {
        let name = self.store.get(id).map_or("", |object| object.name());
        let address = format!("https://{}.example/{id}", self.blueprint().name);
        let words = |text: String| View::text(text).width(Size::Match).lines(4).pad(Edges::all(16));
        let up = Some((Icon::Close, "Close the browser", Msg::Up));
        View::column(vec![toolbar(Color(0x5F6368), up, address, Vec::new()), words(name.to_owned())])
            .fill()
            .background(Color::WHITE)
    }

    /// The converter, with the pair of units that is kept.
    pub(crate) fn converter_view(&self, env: &Env<'_>) -> View<Msg> {
        let Some(converter) = &self.blueprint().converter else { return View::space() };
        let up = Some((Icon::ArrowBack, "Navigate up", Msg::Up));
        let line = |label: &'static str, place: usize, id: &'static str| {
            let unit = converter.units.get(self.pair[place]).map_or("", |unit| unit.0);
            View::row(vec![
                View::text(label)
                    .color(Color::SECONDARY)
                    .width(Size::Dp(64))
                    .align(Align::Start, Align::Center),
                View::text(unit).id(id).size(20).grow_x().align(Align::Start, Align::Center),
                View::icon_button(Icon::ChevronRight, env.accent, OTHER_UNIT, Msg::NextUnit(place)),
            ])
            .pad(Edges::symmetric(16, 8))
        };
        let swap = View::button(SWAP, env.accent, Msg::Swap).id("converter_swap");
        View::column(vec![
            toolbar(env.accent, up, converter.title.0, Vec::new()),
            line("From", 0, "unit_from"),
            line("To", 1, "unit_to"),
            View::row(vec![View::space().grow_x(), swap]).pad(Edges::symmetric(16, 8)),
        ])
        .fill()
        .background(Color::SURFACE)
    }

    pub(crate) fn next_unit(&mut self, place: usize) {
        let units = self.blueprint().converter.as_ref().map_or(1, |it| it.units.len());
        self.pair[place] = (self.pair[place] + 1) % units;
    }

    pub(crate) fn swap_units(&mut self) {
        self.pair.swap(0, 1);
        self.memory.swapped = true;
    }

    /// The converter was closed.
    pub(crate) fn leave_converter(&mut self, sys: &mut System<BlueprintApp>) {
        if std::mem::take(&mut self.memory.swapped) && self.faulty(Operator::ConverterForgets, 0) {
            self.pair = FIRST_PAIR;
        }
        sys.finish();
    }
}

/// The units of a new installation.
pub(crate) const FIRST_PAIR: [usize; 2] = [0, 1];
