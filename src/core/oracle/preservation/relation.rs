//! What a neutral detour is, and the list of all.

use serde::{Deserialize, Serialize};

use super::relations::{
    activity_death, again, background, call, cancel, choice, clear, dark_mode, font_scale, landscape,
    language, low_battery, network, process_death, restart, rotation, screen_off, scroll, select,
    split_screen, toggle, undo,
};
use super::{Aspect, Difference};
use crate::determinism::Rng;
use crate::model::{Event, Gesture, Key, Layout, SystemEvent, TouchTarget, Widget, WidgetIdx, same_page};

/// A relation: a short way that should lead back to where it began, with everything as it was.
#[derive(Debug)]
pub struct Relation {
    /// The name that commands, settings and findings use.
    pub name: &'static str,
    /// The way as the subject of a sentence: `Turning the phone and back`.
    pub title: &'static str,
    /// How a person does it by hand.
    pub by_hand: &'static str,
    /// Where the literature describes it.
    pub source: &'static str,
    /// What the device must be able to do, for lists.
    pub needs: &'static str,
    /// Whether the system recreates the activity. What one such relation loses, all of them are likely to lose.
    pub recreates: bool,
    /// The events of the way.
    pub(super) way: Way,
    /// Whether a difference counts, among all.
    pub(super) keeps: fn(&Difference, &[Difference]) -> bool,
}

/// The events of a relation's way.
#[derive(Debug)]
pub(super) enum Way {
    /// The same everywhere.
    Fixed(&'static [Event]),
    /// Those that a screen and what is known of it tell.
    Found(Found),
}

/// A way that depends on the screen.
#[derive(Debug)]
pub(super) struct Found {
    /// The events of a way from this place; `None` if there is none from here.
    pub way: fn(&Place<'_>, &mut Rng) -> Option<Vec<Event>>,
    /// Whether these events are the way.
    pub is_way: fn(&[Event]) -> bool,
    /// Whether the next event of the way may be performed on this screen.
    pub goes_on: fn(&Event, Screen<'_>) -> bool,
    /// What is still to be done on this screen before the way is at its end.
    pub ends: fn(Screen<'_>) -> Option<Event>,
}

/// What a detour has led to.
#[derive(Clone, Copy)]
pub struct Screen<'a> {
    /// What the screen shows.
    pub layout: &'a Layout,
    /// What the screen showed when it began.
    pub from: &'a Layout,
    /// How many events of the way were performed.
    pub gone: usize,
    /// Package name of the app under test.
    pub app: &'a str,
}

impl Screen<'_> {
    /// Whether this is the activity that the detour began on.
    pub(super) fn is_where_it_began(self) -> bool {
        same_page(self.layout, self.from)
    }

    /// Whether a dialog of the system is in front of the app.
    pub(super) fn covered(self) -> bool {
        self.layout.widgets().first().is_some_and(|widget| &*widget.package != self.app)
    }
}

/// Where a detour would begin.
pub struct Place<'a> {
    /// What the screen shows.
    pub layout: &'a Layout,
    /// Package name of the app under test.
    pub app: &'a str,
    /// The tap by which this page was just opened from another one.
    pub came_by: Option<&'a Event>,
    /// What is known of the page.
    pub known: &'a Known,
}

impl Place<'_> {
    /// A random one of the app's widgets on the screen that fit.
    pub(super) fn widget(
        &self,
        rng: &mut Rng,
        fits: impl Fn(WidgetIdx, &Widget) -> bool,
    ) -> Option<WidgetIdx> {
        let fitting =
            |(idx, widget): &(WidgetIdx, &Widget)| &*widget.package == self.app && fits(*idx, widget);
        let all: Vec<WidgetIdx> = self.layout.iter().filter(fitting).map(|(idx, _)| idx).collect();
        rng.pick(&all).copied()
    }
}

/// What earlier screens have told of a page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// Taps that opened a menu, a dialog or another page.
    pub openers: Vec<Event>,
    /// A tap that opens a menu, and one on a choice in it.
    pub choices: Vec<[Event; 2]>,
    /// An action, and the tap that takes it back.
    pub undoable: Vec<[Event; 2]>,
}

/// All relations, in the order of lists.
pub static RELATIONS: &[&Relation] = &[
    &rotation::RELATION,
    &landscape::RELATION,
    &background::RELATION,
    &process_death::RELATION,
    &activity_death::RELATION,
    &dark_mode::RELATION,
    &font_scale::RELATION,
    &split_screen::RELATION,
    &language::RELATION,
    &screen_off::RELATION,
    &network::RELATION,
    &call::RELATION,
    &low_battery::RELATION,
    &cancel::RELATION,
    &again::RELATION,
    &restart::RELATION,
    &scroll::RELATION,
    &select::RELATION,
    &toggle::RELATION,
    &clear::RELATION,
    &choice::RELATION,
    &undo::RELATION,
];

impl Relation {
    /// The relation of this name.
    pub fn named(name: &str) -> Option<&'static Relation> {
        RELATIONS.iter().copied().find(|relation| relation.name == name)
    }

    /// The events of a way from this place, where there are several a random one; `None` if there is none from here.
    pub fn way(&self, place: &Place<'_>, rng: &mut Rng) -> Option<Vec<Event>> {
        match &self.way {
            Way::Fixed(events) => Some(events.to_vec()),
            Way::Found(found) => (found.way)(place, rng),
        }
    }

    /// Whether the next event of the way may be performed on this screen.
    pub fn goes_on(&self, next: &Event, on: Screen<'_>) -> bool {
        match &self.way {
            Way::Fixed(_) => true,
            Way::Found(found) => (found.goes_on)(next, on),
        }
    }

    /// What is still to be done on this screen before the way is at its end.
    pub fn ends(&self, on: Screen<'_>) -> Option<Event> {
        match &self.way {
            Way::Fixed(_) => None,
            Way::Found(found) => (found.ends)(on),
        }
    }

    /// The relation that these events, without a control, are the way of. Waits at the end do not count.
    pub fn of_way(events: &[Event]) -> Option<&'static Relation> {
        let acts = events.iter().rposition(|event| !matches!(event, Event::Wait(_)))?;
        RELATIONS.iter().copied().find(|relation| relation.is_way(&events[..=acts]))
    }

    /// Whether these events are the way.
    pub(super) fn is_way(&self, events: &[Event]) -> bool {
        match &self.way {
            Way::Fixed(way) => events == *way,
            Way::Found(found) => (found.is_way)(events),
        }
    }
}

pub(super) fn always(_next: &Event, _on: Screen<'_>) -> bool {
    true
}

pub(super) fn at_once(_on: Screen<'_>) -> Option<Event> {
    None
}

/// Whatever a person may lose.
pub(super) fn everything(_difference: &Difference, _among: &[Difference]) -> bool {
    true
}

/// What is entered, chosen and stored. Other texts, such as titles and counts, may follow what was done on the way.
pub(super) fn data_and_input(difference: &Difference, _among: &[Difference]) -> bool {
    !matches!(difference.aspect, Aspect::Text | Aspect::Page)
}

pub(super) const BACK: Event = Event::Key(Key::Back);

/// Whether this is a tap on a widget, and on which.
pub fn tapped(event: &Event) -> Option<&TouchTarget> {
    match event {
        Event::Widget { target, gesture: Gesture::Tap } => Some(target),
        _ => None,
    }
}

/// Whether these are an event of this kind and then Back, once or more often: the first may only close the keyboard.
pub(super) fn and_back(events: &[Event], first: fn(&Event) -> bool) -> bool {
    events.split_first().is_some_and(|(opening, back)| {
        first(opening) && !back.is_empty() && back.iter().all(|event| *event == BACK)
    })
}

/// Whether these are an event of the system and whatever it takes to close the system's window.
pub(super) fn and_dismissed(events: &[Event], happens: SystemEvent) -> bool {
    let (first, rest) = (events.first(), events.get(1..).unwrap_or_default());
    first == Some(&Event::System(happens)) && rest.iter().all(|event| *event == BACK)
}

/// Back is only for the system's window.
pub(super) fn dismisses(next: &Event, screen: Screen<'_>) -> bool {
    *next != BACK || screen.covered()
}

/// Back, while the system's window is there.
pub(super) fn dismissed(screen: Screen<'_>) -> Option<Event> {
    screen.covered().then_some(BACK)
}
