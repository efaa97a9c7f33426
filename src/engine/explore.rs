//! Strategies for choosing the next event that several engines share, and the simplest of them: a random choice among
//! the events that a screen offers (`pbfdroid/paper.md`, section 4.6). Blocked events are removed first, so that a
//! choice never has to be discarded.

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use super::{Careful, CheckpointError, FirstTouch, RoundCtx, StateSnapshot, Stop};
use taproof_screen::determinism::Rng;
use taproof_screen::{
    Direction, Event, Gesture, Key, Layout, LayoutKey, Same, StepRole, SystemEvent, Widget, WidgetFlags,
    WidgetIdx, event_on,
};
use taproof_spec::{Block, BlockedTouches, TestRules, exploration_text, is_key_forbidden};

/// A strategy that explores an app step by step. An engine that only explores consists of an explorer; property-based
/// fuzzing uses an explorer between its DMFs.
pub trait Explorer: Send {
    /// A test begins: the app was started with empty data.
    fn begins(&mut self, ctx: &RoundCtx<'_>);
    /// Chooses one event and performs it through `ctx`.
    ///
    /// # Errors
    ///
    /// The [`Stop`] that performing the event returned.
    fn step(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop>;
    /// Keeps the next step from the touches with which functions could begin. An explorer that chooses by what it has
    /// learned of widgets is not kept from them.
    fn keep_from(&mut self, _touches: &[FirstTouch]) {}
    /// Something other than this explorer acted since the last step, so the next screen is not the result of its last
    /// event.
    fn interrupted(&mut self) {}
    /// Serialises everything that later tests depend on; called between two tests.
    ///
    /// # Errors
    ///
    /// Fails if the state cannot be serialised.
    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        Ok(Vec::new())
    }
    /// Restores the state that [`save`](Explorer::save) of an explorer with the same settings returned.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no such state.
    fn load(&mut self, _saved: &[u8]) -> Result<(), CheckpointError> {
        Ok(())
    }
    /// The saved app states that the explorer holds. After a campaign was resumed the device must be brought to them
    /// again.
    fn saved_states(&mut self) -> Vec<&mut StateSnapshot> {
        Vec::new()
    }
}

words! {
    /// The explorer that chooses the events between the DMFs of property-based fuzzing.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ExploreWith {
        /// Random events, drawn by weight.
        #[default]
        Random = "random",
        /// Fastbot2: its reuse model and what it learns in the campaign.
        Fastbot2 = "fastbot2",
        /// TimeMachine: random events, and travels back to saved states when it is stuck.
        TimeMachine = "timemachine",
    }
    /// The explorer as one word, as commands and files write it.
    pub fn word;
}

/// Classes of widgets on which a tap is twice as likely as on others.
const FAVOURED: &[&str] = &["CheckBox", "Button", "Switch"];
const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// How often each kind of random event is drawn; 0 switches it off. Written as a list, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u32; 8]", into = "[u32; 8]")]
pub struct ExploreWeights {
    /// A tap on a leaf.
    pub click: u32,
    /// A long press on a leaf.
    pub long_click: u32,
    /// A swipe over a scrollable widget.
    pub scroll: u32,
    /// A text for a field.
    pub edit: u32,
    /// The Back key; never on the first screen of the app.
    pub back: u32,
    /// Stopping the app and starting it again.
    pub restart: u32,
    /// Turning the device (not in the paper).
    pub rotate: u32,
    /// The keyboard's action key while a field has the focus (not in the paper).
    pub action_key: u32,
}

impl From<[u32; 8]> for ExploreWeights {
    fn from([click, long_click, scroll, edit, back, restart, rotate, action_key]: [u32; 8]) -> Self {
        ExploreWeights { click, long_click, scroll, edit, back, restart, rotate, action_key }
    }
}

impl From<ExploreWeights> for [u32; 8] {
    fn from(of: ExploreWeights) -> Self {
        [of.click, of.long_click, of.scroll, of.edit, of.back, of.restart, of.rotate, of.action_key]
    }
}

impl Default for ExploreWeights {
    fn default() -> Self {
        ExploreWeights::from([40, 30, 40, 30, 5, 1, 6, 4])
    }
}

/// Which random events are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomEvents {
    /// Draw weight of each kind of event.
    pub weights: ExploreWeights,
    /// Whether every event that the screen offers is equally likely; the weights are then ignored.
    pub uniform: bool,
    /// On average one in this many events happens outside of the app: a call, the screen switched off, a killed process.
    /// 0 means never.
    pub system_every: usize,
    /// Whether events outside of the app leave network, language and permissions alone.
    pub interruptions_only: bool,
}

/// What the choice of a random event depends on.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The layout on the screen.
    pub layout: &'a Layout,
    /// Package name of the app under test.
    pub app: &'a str,
    /// Whether this is the screen that the app starts with, where Back only leaves the app.
    pub at_home: bool,
    /// The events that must not be performed.
    pub blocks: &'a [Block],
    /// The touches with which functions could begin, which are not drawn either.
    pub first_touches: &'a [FirstTouch],
    /// The tester's rules, which have texts for fields.
    pub rules: &'a TestRules,
    /// What must not be touched because it would change data, if nobody wrote a block list.
    pub careful: Option<Careful<'a>>,
}

impl<'a> Surroundings<'a> {
    /// What it depends on now, except for where the test began and where functions could begin.
    fn of(ctx: &'a RoundCtx<'_>) -> Surroundings<'a> {
        let setting = ctx.target();
        Surroundings {
            layout: &ctx.frame().layout,
            app: &setting.app,
            at_home: false,
            blocks: ctx.blocks(),
            first_touches: &[],
            rules: &setting.rules,
            careful: ctx.careful(),
        }
    }

    /// Whether a function could begin with this gesture on the widget.
    fn begins_function(&self, idx: WidgetIdx, gesture: &Gesture) -> bool {
        self.first_touches.iter().any(|first| first.is(self.layout, idx, gesture))
    }
}

/// Explores by random events.
pub struct RandomExplorer {
    choice: RandomChoice,
    rng: Rng,
    home: LayoutKey,
    /// What the next step is kept from.
    kept_from: Vec<FirstTouch>,
}

impl RandomExplorer {
    /// An explorer that draws these events.
    pub fn new(events: RandomEvents) -> Self {
        RandomExplorer {
            choice: RandomChoice::new(events),
            rng: Rng::from_seed(0),
            home: LayoutKey::default(),
            kept_from: Vec::new(),
        }
    }
}

impl Explorer for RandomExplorer {
    fn begins(&mut self, ctx: &RoundCtx<'_>) {
        self.rng = ctx.rng.fork("events");
        // The first screen of the test, even if the device was restored to a later saved state.
        self.home = ctx.trace().first().layout.key(Same::Structure);
    }

    fn step(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let at_home = ctx.structure_key() == self.home;
        let around = Surroundings { at_home, first_touches: &self.kept_from, ..Surroundings::of(ctx) };
        let event = self.choice.choose(around, &mut self.rng);
        self.kept_from.clear();
        ctx.perform(event, StepRole::Explored)
    }

    fn keep_from(&mut self, touches: &[FirstTouch]) {
        self.kept_from.clear();
        self.kept_from.extend_from_slice(touches);
    }
}

/// Wraps an explorer that chooses among widgets, and adds events that no widget offers. Many published bugs need a
/// rotation, an action key or an interruption, which a model of the app's widgets does not contain.
pub struct BesideWidgets {
    explorer: Box<dyn Explorer>,
    choice: RandomChoice,
    rng: Rng,
}

impl BesideWidgets {
    /// Wraps `explorer`; `events` determines how often each kind of event that no widget offers is added.
    pub fn new(explorer: Box<dyn Explorer>, events: RandomEvents) -> Self {
        BesideWidgets { explorer, choice: RandomChoice::new(events), rng: Rng::from_seed(0) }
    }
}

impl Explorer for BesideWidgets {
    fn begins(&mut self, ctx: &RoundCtx<'_>) {
        self.rng = ctx.rng.fork("beside widgets");
        self.explorer.begins(ctx);
    }

    fn step(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        match self.choice.beside_widgets(Surroundings::of(ctx), &mut self.rng) {
            Some(event) => {
                self.explorer.interrupted();
                ctx.perform(event, StepRole::Explored)
            }
            None => self.explorer.step(ctx),
        }
    }

    fn interrupted(&mut self) {
        self.explorer.interrupted();
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        self.explorer.save()
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.explorer.load(saved)
    }

    fn saved_states(&mut self) -> Vec<&mut StateSnapshot> {
        self.explorer.saved_states()
    }
}

/// Chooses random events. Its lists are reused between choices, so that choosing allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct RandomChoice {
    events: RandomEvents,
    clicks: Vec<WidgetIdx>,
    long_clicks: Vec<WidgetIdx>,
    scrolls: Vec<WidgetIdx>,
    edits: Vec<WidgetIdx>,
}

impl RandomChoice {
    /// A choice among these events.
    pub fn new(events: RandomEvents) -> Self {
        RandomChoice { events, ..RandomChoice::default() }
    }

    /// The next random event.
    pub fn choose(&mut self, around: Surroundings<'_>, rng: &mut Rng) -> Event {
        if !around.layout.is_of(around.app) {
            return if rng.chance(1, 6) { Event::Key(Key::Back) } else { Event::Relaunch };
        }
        if let Some(event) = self.system_event(rng) {
            return event;
        }
        self.collect(around);
        let layout = around.layout;
        let weights = self.weights(around);
        let on = |list: &[WidgetIdx], rng: &mut Rng| rng.pick(list).copied();
        let widget_event = match rng.weighted(&weights) {
            Some(0) => on(&self.clicks, rng).and_then(|idx| event_on(layout, idx, Gesture::Tap)),
            Some(1) => on(&self.long_clicks, rng).and_then(|idx| event_on(layout, idx, Gesture::LongPress)),
            Some(2) => on(&self.scrolls, rng).and_then(|idx| {
                let directions = free_directions(around, idx);
                let direction = directions.clone().nth(rng.below(directions.count()))?;
                event_on(layout, idx, Gesture::Swipe(direction))
            }),
            Some(3) => on(&self.edits, rng).and_then(|idx| {
                let own = around.rules.text_for(layout, idx, rng);
                let text = own.unwrap_or_else(|| exploration_text(rng));
                event_on(layout, idx, Gesture::SetText(text))
            }),
            Some(4) => Some(Event::Key(Key::Back)),
            Some(6) => Some(Event::Rotate),
            Some(7) => Some(Event::Key(Key::ImeAction)),
            Some(_) | None => None,
        };
        // The app is also restarted if the screen offers no event.
        widget_event.unwrap_or(Event::Relaunch)
    }

    /// Occasionally returns an event that no widget offers: a rotation, the keyboard's action key, or an event outside
    /// of the app. Each is as rare as [`choose`](RandomChoice::choose) draws it on a screen that offers everything.
    pub fn beside_widgets(&self, around: Surroundings<'_>, rng: &mut Rng) -> Option<Event> {
        if !around.layout.is_of(around.app) {
            return None;
        }
        if let Some(event) = self.system_event(rng) {
            return Some(event);
        }
        let weights = &self.events.weights;
        let action_key = weights.action_key * u32::from(action_key_works(around));
        let on_widgets = weights.click + weights.long_click + weights.scroll + weights.edit;
        let others = on_widgets + weights.back + weights.restart;
        match rng.weighted(&[weights.rotate, action_key, others]) {
            Some(0) => Some(Event::Rotate),
            Some(1) => Some(Event::Key(Key::ImeAction)),
            Some(_) | None => None,
        }
    }

    fn system_event(&self, rng: &mut Rng) -> Option<Event> {
        if self.events.system_every == 0 || !rng.chance(1, self.events.system_every) {
            return None;
        }
        let kinds: &[SystemEvent] =
            if self.events.interruptions_only { &SystemEvent::INTERRUPTIONS } else { SystemEvent::drawn() };
        rng.pick(kinds).copied().map(Event::System)
    }

    /// The weight of each kind of event on this screen.
    fn weights(&self, around: Surroundings<'_>) -> [u32; 8] {
        let back = u32::from(!around.at_home && !is_key_forbidden(around.blocks, around.layout, Key::Back));
        let action_key = u32::from(action_key_works(around));
        let many = |list: &[WidgetIdx]| list.len() as u32;
        if self.events.uniform {
            let [clicks, presses] = [many(&self.clicks), many(&self.long_clicks)];
            let scrolls = many(&self.scrolls) * DIRECTIONS.len() as u32;
            return [clicks, presses, scrolls, many(&self.edits), back, 0, 1, action_key];
        }
        let any = |list: &[WidgetIdx]| many(list).min(1);
        let weights = &self.events.weights;
        [
            weights.click * any(&self.clicks),
            weights.long_click * any(&self.long_clicks),
            weights.scroll * any(&self.scrolls),
            weights.edit * any(&self.edits),
            weights.back * back,
            weights.restart,
            weights.rotate,
            weights.action_key * action_key,
        ]
    }

    fn collect(&mut self, around: Surroundings<'_>) {
        for list in [&mut self.clicks, &mut self.long_clicks, &mut self.scrolls, &mut self.edits] {
            list.clear();
        }
        let layout = around.layout;
        let blocked = BlockedTouches::new(around.blocks, layout);
        for (idx, widget) in layout.iter() {
            let (leaf, scrolls) = (layout.is_leaf(idx), widget.scrollable());
            if !(leaf || scrolls)
                || !(widget.flags.has(WidgetFlags::ENABLED) && layout.may_touch(widget, around.app))
            {
                continue;
            }
            let Ok(at) = blocked.touches().touch_point(idx) else { continue };
            let free = |gesture| !blocked.forbid(idx, at, &gesture);
            if scrolls && free(Gesture::Swipe(Direction::Up)) && free_directions(around, idx).next().is_some()
            {
                self.scrolls.push(idx);
            }
            if !free(Gesture::Tap) || around.careful.is_some_and(|careful| careful.avoids(layout, idx)) {
                continue;
            }
            if leaf
                && widget.is_text_field()
                && !around.begins_function(idx, &Gesture::SetText(String::new()))
            {
                self.edits.push(idx);
            }
            if !(leaf && reacts(layout, idx)) {
                continue;
            }
            if !around.begins_function(idx, &Gesture::LongPress) {
                self.long_clicks.push(idx);
            }
            if !around.begins_function(idx, &Gesture::Tap) {
                let twice = FAVOURED.contains(&widget.short_class()) && !self.events.uniform;
                self.clicks.extend(std::iter::repeat_n(idx, if twice { 2 } else { 1 }));
            }
        }
    }
}

/// The directions in which a widget may be swiped over.
fn free_directions(around: Surroundings<'_>, idx: WidgetIdx) -> impl Iterator<Item = Direction> + Clone {
    DIRECTIONS.into_iter().filter(move |direction| !around.begins_function(idx, &Gesture::Swipe(*direction)))
}

/// Whether a field has the focus, which the keyboard's action key would submit.
fn action_key_works(around: Surroundings<'_>) -> bool {
    let typing = around.layout.widgets().iter().any(Widget::is_focused_field);
    typing && !is_key_forbidden(around.blocks, around.layout, Key::ImeAction)
}

/// Whether a touch of the leaf has an effect: the leaf itself reacts, or a widget around it (a tap goes to the leaf's
/// centre). PBFDroid touches every leaf; most of those touches have no effect.
fn reacts(layout: &Layout, idx: WidgetIdx) -> bool {
    let touch = |idx: WidgetIdx| {
        let widget = layout.widget(idx);
        widget.clickable() || widget.long_clickable() || widget.flags.has(WidgetFlags::CHECKABLE)
    };
    touch(idx) || layout.ancestors(idx).any(touch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{PxPoint, PxRect, layout_from};
    use taproof_spec::{BlockedEvent, CommittingWords, DataModel, ImpactOp, ViewPattern};

    const NOTES: &str = "FrameLayout\n  EditText#title \"a\"\n  Button#save \"Save\"\n  TextView#row \"x\"\n  \
                         TextView#row \"x\"\n  CheckBox#done\n  Button \"More\"\n";

    fn draw_all(layout: &Layout, blocks: &[Block], at_home: bool) -> Vec<Event> {
        let (mut explorer, mut rng) = (RandomChoice::default(), Rng::from_seed(1));
        let around = Surroundings {
            layout,
            app: "org.ex",
            at_home,
            blocks,
            first_touches: &[],
            rules: &TestRules::default(),
            careful: None,
        };
        (0..500).map(|_| explorer.choose(around, &mut rng)).collect()
    }

    fn block(attribute: (&str, &str), event: BlockedEvent) -> Block {
        let attributes = vec![(attribute.0.to_owned(), attribute.1.to_owned())];
        Block {
            pattern: ViewPattern { attributes },
            event,
            reason: String::new(),
            activity: None,
            every_engine: false,
        }
    }

    #[test]
    fn without_a_block_list_the_names_of_known_objects_are_not_typed_over() {
        let layout = layout_from(NOTES);
        let (mut explorer, mut rng) = (RandomChoice::default(), Rng::from_seed(1));
        let mut data = DataModel::new();
        data.apply("note", &ImpactOp::Add, "a");
        let (words, rules) = (CommittingWords::default(), TestRules::default());
        let around = |careful| Surroundings {
            layout: &layout,
            app: "org.ex",
            at_home: false,
            blocks: &[],
            first_touches: &[],
            rules: &rules,
            careful,
        };
        let types = |event: &Event| matches!(event, Event::Widget { gesture: Gesture::SetText(_), .. });
        let mut typed =
            |careful| (0..500).filter(|_| types(&explorer.choose(around(careful), &mut rng))).count();
        assert!(typed(None) > 0);
        assert_eq!(typed(Some(Careful { words: &words, data: &data })), 0);
        assert!(typed(Some(Careful { words: &words, data: &DataModel::new() })) > 0);
    }

    fn touches(event: &Event, id: &str) -> bool {
        matches!(event, Event::Widget { target, .. }
            if target.selector.resource_id.as_deref() == Some(&format!("org.ex:id/{id}")))
    }

    #[test]
    fn what_is_blocked_is_never_drawn() {
        let layout = layout_from(NOTES);
        let free = draw_all(&layout, &[], false);
        assert!(free.iter().any(|event| touches(event, "save")));
        assert!(free.contains(&Event::Key(Key::Back)) && !free.contains(&Event::Key(Key::ImeAction)));
        let save = ("resource-id", "org.ex:id/save");
        let blocked = draw_all(&layout, &[block(save, BlockedEvent::Widget)], false);
        assert!(!blocked.iter().any(|event| touches(event, "save")));
        assert!(blocked.iter().any(|event| touches(event, "title")));
        let no_back = draw_all(&layout, &[block(save, BlockedEvent::Back)], false);
        assert!(!no_back.contains(&Event::Key(Key::Back)));
        assert!(!draw_all(&layout, &[], true).contains(&Event::Key(Key::Back)));
        let frame = ("class", "android.widget.FrameLayout");
        let subtree = draw_all(&layout, &[block(frame, BlockedEvent::Subtree)], false);
        assert!(!subtree.iter().any(|event| matches!(event, Event::Widget { .. })));
    }

    #[test]
    fn a_touch_that_a_function_begins_with_is_never_drawn() {
        let layout = layout_from(NOTES).with_changed(&[WidgetIdx(0)], |frame| {
            frame.flags = frame.flags.with(WidgetFlags::SCROLLABLE, true);
        });
        let idx = |id: &str| layout.iter().find(|(_, widget)| widget.short_id() == Some(id)).unwrap().0;
        let first = [
            FirstTouch::on(&layout, idx("save"), Gesture::Tap),
            FirstTouch::on(&layout, idx("title"), Gesture::SetText(String::new())),
            FirstTouch::on(&layout, WidgetIdx(0), Gesture::Swipe(Direction::Up)),
        ];
        let (mut explorer, mut rng) = (RandomChoice::default(), Rng::from_seed(1));
        let rules = TestRules::default();
        let mut drawn = |first_touches| {
            let around = Surroundings {
                layout: &layout,
                app: "org.ex",
                at_home: false,
                blocks: &[],
                first_touches,
                rules: &rules,
                careful: None,
            };
            let drawn: Vec<Event> = (0..500).map(|_| explorer.choose(around, &mut rng)).collect();
            let is = |id: &str, kind: fn(&Gesture) -> bool| {
                drawn.iter().any(|event| {
                    touches(event, id) && matches!(event, Event::Widget { gesture, .. } if kind(gesture))
                })
            };
            let swiped = |wanted| {
                drawn.iter().any(|event| matches!(event, Event::Widget { gesture: Gesture::Swipe(way), .. } if *way == wanted))
            };
            let tap = is("save", |gesture| *gesture == Gesture::Tap);
            let press = is("save", |gesture| *gesture == Gesture::LongPress);
            let typed = is("title", |gesture| matches!(gesture, Gesture::SetText(_)));
            [tap, press, typed, swiped(Direction::Up), swiped(Direction::Down)]
        };
        assert_eq!(drawn(&[]), [true; 5]);
        assert_eq!(drawn(&first), [false, true, false, false, true]);
    }

    #[test]
    fn what_is_covered_is_never_drawn_and_what_is_partly_covered_is_touched_where_it_is_free() {
        let layout = layout_from(NOTES);
        let idx = |id: &str| layout.iter().find(|(_, widget)| widget.short_id() == Some(id)).unwrap().0;
        let save = idx("save");
        let last = layout.iter().next_back().unwrap().0;
        let over = |bounds| layout.with_changed(&[last], |widget| widget.bounds = bounds);
        let whole = over(layout.widget(save).bounds);
        assert!(!draw_all(&whole, &[], false).iter().any(|event| touches(event, "save")));
        let part = over(PxRect { left: 200, ..layout.widget(save).bounds });
        let drawn = draw_all(&part, &[], false);
        let points: Vec<PxPoint> = drawn.iter().filter(|event| touches(event, "save")).map(at).collect();
        assert!(
            !points.is_empty() && points.iter().all(|at| *at == PxPoint { x: 100, y: 250 }),
            "{points:?}"
        );
        // What a touch really hits is what counts: the button lies under what is blocked.
        let blocked = [block(("text", "More"), BlockedEvent::Widget)];
        let beside = over(PxRect { right: 200, ..layout.widget(save).bounds });
        let drawn = draw_all(&beside, &blocked, false);
        assert!(drawn.iter().any(|event| touches(event, "save")));
        let over_it = drawn.iter().filter(|event| matches!(event, Event::Widget { .. }));
        assert!(over_it.map(at).all(|at| beside.hit_test(at) != Some(last)));
    }

    fn at(event: &Event) -> PxPoint {
        match event {
            Event::Widget { target, .. } => target.at,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_no_widget_offers_is_drawn_as_often_whoever_explores() {
        let layout = layout_from(NOTES);
        let typing = |typing: bool| {
            let scrolls = layout.with_changed(&[WidgetIdx(0)], |widget| {
                widget.flags = widget.flags.with(WidgetFlags::SCROLLABLE, true);
            });
            scrolls.with_changed(&[WidgetIdx(1)], |widget| {
                widget.flags = widget.flags.with(WidgetFlags::FOCUSED, typing);
            })
        };
        let events = RandomEvents { system_every: 75, interruptions_only: true, ..RandomEvents::default() };
        let (mut choice, mut rng) = (RandomChoice::new(events), Rng::from_seed(1));
        let no_widget = |event: &Event| match event {
            Event::System(what) => SystemEvent::INTERRUPTIONS.contains(what),
            event => matches!(event, Event::Rotate | Event::Key(Key::ImeAction)),
        };
        for layout in [typing(false), typing(true)] {
            let rules = TestRules::default();
            let around = Surroundings {
                layout: &layout,
                app: "org.ex",
                at_home: false,
                blocks: &[],
                first_touches: &[],
                rules: &rules,
                careful: None,
            };
            let beside: Vec<Event> =
                (0..10_000).filter_map(|_| choice.beside_widgets(around, &mut rng)).collect();
            assert!(beside.iter().all(no_widget));
            let drawn: Vec<Event> = (0..10_000).map(|_| choice.choose(around, &mut rng)).collect();
            assert!(!drawn.iter().any(|event| matches!(event, Event::System(what)
                if !SystemEvent::INTERRUPTIONS.contains(what))));
            let drawn = drawn.iter().filter(|event| no_widget(event)).count();
            for share in [beside.len(), drawn] {
                assert!((450..850).contains(&share), "{share} of 10,000");
            }
            let keys = beside.iter().filter(|event| **event == Event::Key(Key::ImeAction)).count();
            assert_eq!(keys > 0, layout.widgets().iter().any(Widget::is_focused_field));
        }
        // Blocks hold here as well, and returning from another app is left to the wrapped explorer.
        let typed = typing(true);
        let blocks = [block(("resource-id", "org.ex:id/title"), BlockedEvent::ImeAction)];
        let rules = TestRules::default();
        let around = Surroundings {
            layout: &typed,
            app: "org.ex",
            at_home: false,
            blocks: &blocks,
            first_touches: &[],
            rules: &rules,
            careful: None,
        };
        let mut beside = (0..1_000).filter_map(|_| choice.beside_widgets(around, &mut rng));
        assert!(!beside.any(|event| event == Event::Key(Key::ImeAction)));
        let elsewhere = Surroundings { app: "com.other", ..around };
        assert!((0..1_000).all(|_| choice.beside_widgets(elsewhere, &mut rng).is_none()));
    }

    #[test]
    fn elsewhere_it_goes_back_or_starts_again() {
        let layout = layout_from(NOTES).with_activity("com.other/.Main".into());
        let drawn = draw_all(&layout, &[], false);
        let backs = drawn.iter().filter(|event| **event == Event::Key(Key::Back)).count();
        let starts = drawn.iter().filter(|event| **event == Event::Relaunch).count();
        assert_eq!(backs + starts, 500);
        assert!((50..120).contains(&backs), "{backs}");
    }
}
