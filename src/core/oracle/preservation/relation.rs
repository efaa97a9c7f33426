//! What a neutral detour is, and the list of all.

use super::Difference;
use super::relations::{
    background, call, cancel, dark_mode, landscape, language, low_battery, network, process_death, rotation,
};
use crate::model::{Event, Layout};

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
    /// The events of the way from this place; `None` if it cannot be gone from here.
    pub(super) way: fn(&Place<'_>) -> Option<Vec<Event>>,
    /// Whether these events are the way.
    pub(super) is_way: fn(&[Event]) -> bool,
    /// Whether the next event of the way may be performed on this screen.
    pub(super) goes_on: fn(&Event, Screen<'_>) -> bool,
    /// What is still to be done on this screen before the way is at its end.
    pub(super) ends: fn(Screen<'_>) -> Option<Event>,
    /// Whether a difference counts.
    pub(super) keeps: fn(&Difference) -> bool,
}

/// What a detour has led to.
#[derive(Clone, Copy)]
pub struct Screen<'a> {
    /// What the screen shows.
    pub layout: &'a Layout,
    /// Package name of the app under test.
    pub app: &'a str,
}

impl Screen<'_> {
    /// Whether a dialog of the system is in front of the app.
    pub(super) fn covered(self) -> bool {
        self.layout.widgets().first().is_some_and(|widget| &*widget.package != self.app)
    }
}

/// Where a detour would begin.
pub struct Place<'a> {
    /// What the screen shows.
    pub layout: &'a Layout,
    /// An event that is known to open a menu or a dialog here.
    pub opener: Option<&'a Event>,
}

/// All relations, in the order of lists.
pub static RELATIONS: &[&Relation] = &[
    &rotation::RELATION,
    &landscape::RELATION,
    &background::RELATION,
    &process_death::RELATION,
    &dark_mode::RELATION,
    &language::RELATION,
    &network::RELATION,
    &call::RELATION,
    &low_battery::RELATION,
    &cancel::RELATION,
];

impl Relation {
    /// The relation of this name.
    pub fn named(name: &str) -> Option<&'static Relation> {
        RELATIONS.iter().copied().find(|relation| relation.name == name)
    }

    /// The events of the way from this place; `None` if it cannot be gone from here.
    pub fn way(&self, place: &Place<'_>) -> Option<Vec<Event>> {
        (self.way)(place)
    }

    /// Whether the next event of the way may be performed on this screen.
    pub fn goes_on(&self, next: &Event, on: Screen<'_>) -> bool {
        (self.goes_on)(next, on)
    }

    /// What is still to be done on this screen before the way is at its end.
    pub fn ends(&self, on: Screen<'_>) -> Option<Event> {
        (self.ends)(on)
    }

    /// The relation that these events, without a control, are the way of. Waits at the end do not count.
    pub fn of_way(events: &[Event]) -> Option<&'static Relation> {
        let acts = events.iter().rposition(|event| !matches!(event, Event::Wait(_)))?;
        RELATIONS.iter().copied().find(|relation| (relation.is_way)(&events[..=acts]))
    }
}

pub(super) fn always(_next: &Event, _on: Screen<'_>) -> bool {
    true
}

pub(super) fn at_once(_on: Screen<'_>) -> Option<Event> {
    None
}

/// Whatever a person may lose.
pub(super) fn everything(_difference: &Difference) -> bool {
    true
}
