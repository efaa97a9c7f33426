//! Explores the old version: tests of one length from a fresh start, whose events are those that were tried least on
//! their page, and least since the last change of what the app holds. What changed that once is tried more often; so most
//! pairs of a change and what is done after it occur.

use std::collections::{BTreeMap, BTreeSet};

use taproof_engine::{RoundCtx, Stop};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{
    AppHealth, CandidateAction, Event, EventKey, Gesture, Key, Layout, LayoutKey, Same, StepRole,
    SystemEvent, TextClass, Widget, WidgetFlags, candidates, event_key, event_on, is_dialog,
};
use taproof_spec::repair::list_items;
use taproof_spec::{DataModel, FreshText, generate};

/// Number of events of a test.
pub(super) const LENGTH: usize = 80;
/// How long is waited for what comes by itself.
const WHILE: DeviceDuration = DeviceDuration(70_000);

/// How often events are drawn before they were tried, in thousands.
mod weight {
    pub const TAP: u32 = 1000;
    pub const LONG_PRESS: u32 = 300;
    pub const SCROLL: u32 = 120;
    /// A field into which nothing was typed since the page was opened, and another one.
    pub const FILL: u32 = 2500;
    pub const TYPE: u32 = 150;
    pub const BACK: u32 = 500;
    pub const ACTION_KEY: u32 = 300;
    pub const ROTATE: u32 = 120;
    pub const RELAUNCH: u32 = 20;
    pub const OUTSIDE: u32 = 40;
    /// How many times more often what changed something each time is done, and by how much more where something was typed.
    pub const CHANGES: f64 = 2.0;
    pub const COMMITS: f64 = 20.0;
    /// How many times more often what a page offers rarely is done.
    pub const RARE: f64 = 8.0;
}

/// An event on a page.
type Act = (LayoutKey, EventKey);

/// How often an event was offered and done, and how often that changed something.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    offered: u32,
    done: u32,
    changed: u32,
}

/// What was tried so far.
#[derive(Debug)]
pub(super) struct Explored {
    rng: Rng,
    tried: BTreeMap<Act, Tally>,
    visits: BTreeMap<LayoutKey, u32>,
    /// What was tried after which change.
    pairs: BTreeMap<(Option<Act>, Act), u32>,
}

/// What is known in one test.
#[derive(Default)]
struct Test {
    /// What each page showed last.
    contents: BTreeMap<LayoutKey, Vec<String>>,
    /// The last event after which a page showed something else than before.
    change: Option<Act>,
    /// The texts of the rows of the last list.
    rows: Vec<String>,
    /// The page, and the events that typed into it since it was opened.
    page: LayoutKey,
    typed: BTreeSet<EventKey>,
    /// Everything that was typed.
    texts: Vec<String>,
}

impl Explored {
    pub fn new(rng: Rng) -> Explored {
        Explored { rng, tried: BTreeMap::new(), visits: BTreeMap::new(), pairs: BTreeMap::new() }
    }

    /// Performs a test, until so many events were performed at most.
    pub fn test(&mut self, ctx: &mut RoundCtx<'_>, until: u64) -> Result<(), Stop> {
        ctx.start()?;
        let home = ctx.structure_key();
        let mut test = Test::default();
        test.sees(&ctx.frame().layout);
        for _ in 0..LENGTH {
            if ctx.events() >= until {
                return Err(Stop::BudgetSpent);
            }
            let layout = &ctx.frame().layout;
            let page = layout.key(Same::Page);
            let at_home = ctx.structure_key() == home;
            let (event, key) = match ctx.frame().health {
                AppHealth::Running => self.choose(layout, &ctx.target().app, at_home, &test),
                _ if self.rng.chance(1, 2) => named(Event::Key(Key::Back)),
                _ => named(Event::Relaunch),
            };
            let act = (page, key);
            *self.pairs.entry((test.change, act)).or_default() += 1;
            self.tried.entry(act).or_default().done += 1;
            let event = ctx.typeable(event);
            if let Event::Widget { gesture: Gesture::SetText(text), .. } = &event {
                test.typed.insert(key);
                test.texts.push(text.clone());
            }
            ctx.perform(event, StepRole::Explored)?;
            if test.sees(&ctx.frame().layout) {
                test.change = Some(act);
                self.tried.entry(act).or_default().changed += 1;
            }
        }
        Ok(())
    }

    fn choose(&mut self, layout: &Layout, app: &str, at_home: bool, test: &Test) -> (Event, EventKey) {
        let mut offered: Vec<(Event, EventKey, u32)> = Vec::new();
        let page = layout.key(Same::Page);
        let fields = layout.widgets().iter().filter(|widget| widget.is_editable()).count();
        for candidate in candidates(layout, app) {
            let widget = layout.widget(candidate.widget);
            let of_row = layout.list_item_around(candidate.widget).is_some() && !is_dialog(layout);
            let key = event_key(layout, candidate);
            let says =
                if of_row || widget.is_text_field() { None } else { layout.label_of(candidate.widget) };
            let key = says.map_or(key, |says| key.typing(says));
            let text = match candidate.action {
                CandidateAction::SetText => {
                    let tally = self.tried.get(&(page, key)).copied().unwrap_or_default();
                    let searches = fields == 1 && 2 * tally.changed > tally.done;
                    text(test, searches, &mut self.rng)
                }
                _ => String::new(),
            };
            let Some(event) = event_on(layout, candidate.widget, candidate.action.gesture(&text)) else {
                continue;
            };
            let weight = weight_of(candidate.action, test.typed.contains(&key));
            let own =
                of_row && layout.subtree(candidate.widget).any(|idx| test.typed_text(layout.widget(idx)));
            offered.push((event, key, if own { 2 * weight } else { weight }));
        }
        let mut beside = |event: Event, weight| {
            let (event, key) = named(event);
            offered.push((event, key, weight));
        };
        if !at_home {
            beside(Event::Key(Key::Back), weight::BACK);
        }
        if layout.widgets().iter().any(Widget::is_focused_field) {
            beside(Event::Key(Key::ImeAction), weight::ACTION_KEY);
        }
        beside(Event::Rotate, weight::ROTATE);
        beside(Event::Relaunch, weight::RELAUNCH);
        beside(Event::Wait(WHILE), weight::OUTSIDE);
        let outside = SystemEvent::INTERRUPTIONS.into_iter().chain([SystemEvent::FontScale]);
        outside.for_each(|event| beside(Event::System(event), weight::OUTSIDE));
        let weights = self.weights(page, &offered, test);
        let chosen = self.rng.weighted(&weights).map(|place| offered.swap_remove(place));
        chosen.map_or_else(|| named(Event::Relaunch), |(event, key, _)| (event, key))
    }

    /// How likely each event is that a page offers.
    fn weights(&mut self, page: LayoutKey, offered: &[(Event, EventKey, u32)], test: &Test) -> Vec<u32> {
        let visits = self.visits.entry(page).or_default();
        *visits += 1;
        let visits = f64::from(*visits);
        let mut weights: Vec<u32> = Vec::new();
        for (event, key, weight) in offered {
            let act = (page, *key);
            let tally = self.tried.entry(act).or_default();
            tally.offered += 1;
            let done = f64::from(tally.done);
            let rarely = (visits / f64::from(tally.offered)).min(weight::RARE) / (1.0 + done).sqrt();
            let changes = f64::from(tally.changed) / done.max(1.0);
            let changes = match test.typed.is_empty() {
                true => weight::CHANGES * changes / (4.0 + done).sqrt(),
                false => weight::COMMITS * changes,
            };
            let after = self.pairs.get(&(test.change, act)).copied().unwrap_or_default();
            let factor = match event {
                // Each text is another one.
                Event::Widget { gesture: Gesture::SetText(_), .. } => 1.0,
                // What happens outside of the app is tried once on each page, and then now and then.
                Event::System(_) | Event::Wait(_) => 1.0 / (1.0 + done * done),
                _ => (rarely + changes) / (1.0 + f64::from(after)).sqrt(),
            };
            weights.push((f64::from(*weight) * factor).ceil() as u32);
        }
        weights
    }
}

impl Test {
    /// Whether a widget shows a text that was typed.
    fn typed_text(&self, widget: &Widget) -> bool {
        !widget.text.is_empty() && self.texts.iter().any(|text| **text == *widget.text)
    }

    /// Looks at a screen. Returns whether its page showed something else before.
    fn sees(&mut self, layout: &Layout) -> bool {
        let page = layout.key(Same::Page);
        if page != self.page {
            self.page = page;
            self.typed.clear();
        }
        let (mut content, mut rows) = (Vec::new(), Vec::new());
        for widget in layout.widgets().iter().filter(|widget| !widget.is_text_field()) {
            let checked = widget.flags.has(WidgetFlags::CHECKED);
            content.extend(widget.says().map(|says| format!("{says}{checked}")));
        }
        // What a row is called is its first text.
        for row in if is_dialog(layout) { Vec::new() } else { list_items(layout) } {
            rows.extend(layout.texts_in(row).next().map(ToString::to_string));
        }
        if !rows.is_empty() {
            self.rows = rows;
        }
        let before = self.contents.insert(page, content.clone());
        before.is_some_and(|before| before != content)
    }
}

/// An event that no widget offers, with its key.
fn named(event: Event) -> (Event, EventKey) {
    let key = EventKey(0).typing(&format!("{event:?}"));
    (event, key)
}

fn weight_of(action: CandidateAction, typed: bool) -> u32 {
    match action {
        CandidateAction::Tap => weight::TAP,
        CandidateAction::LongPress => weight::LONG_PRESS,
        CandidateAction::Scroll(_) => weight::SCROLL,
        CandidateAction::SetText if typed => weight::TYPE,
        CandidateAction::SetText => weight::FILL,
    }
}

/// A text for a field: often one that has to do with what was typed before or with what the last list shows. A field that
/// searches is rather given what there is.
fn text(test: &Test, searches: bool, rng: &mut Rng) -> String {
    let known = match rng.below(4) {
        0 => test.texts.last().or_else(|| rng.pick(&test.rows)),
        1 => rng.pick(&test.texts).or_else(|| rng.pick(&test.rows)),
        _ => rng.pick(&test.rows),
    };
    let begins = |known: &str, letters| known.chars().take(letters).collect();
    match (known, rng.below(if searches { 10 } else { 20 })) {
        (Some(known), 0) => known.clone(),
        (Some(known), 1) => begins(known, 1),
        (Some(known), 2 | 3) => begins(known, rng.between(2, 4)),
        (Some(known), 4 | 5) if searches => begins(known, 1),
        (Some(known), 6..=9) if searches => known.clone(),
        (Some(known), 4..=7) if *known != known.to_lowercase() => known.to_lowercase(),
        (Some(known), 4..=7) => known.to_uppercase(),
        (Some(known), 8) => format!("{known} {}", rng.below(10)),
        (_, 9) => String::new(),
        _ => new_text(rng),
    }
}

fn new_text(rng: &mut Rng) -> String {
    const CLASSES: [(TextClass, u32); 4] =
        [(TextClass::Plain, 3), (TextClass::Symbols, 3), (TextClass::Digits, 1), (TextClass::Long, 2)];
    let fresh = FreshText { data_type: None, classes: CLASSES.to_vec() };
    generate(&fresh, "", &DataModel::new(), rng).map_or_else(String::new, |drawn| drawn.text)
}
