//! What a neutral detour is.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Aspect, Difference, RELATIONS};
use taproof_screen::determinism::Rng;
use taproof_screen::{
    Event, Gesture, InFront, Key, Layout, LayoutKey, Selector, SystemEvent, Text, TouchTarget, Widget,
    WidgetIdx, same_page,
};

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
    /// What it does to the app.
    pub effect: Effect,
    /// Names of the relations whose bugs it is likely to show as well: it does the same to the app, or has them in its way.
    pub parts: &'static [&'static str],
    /// Whether it closes the page and opens it again as it was opened before.
    pub opens_again: bool,
    /// Whether it does something and has the app take that back.
    pub takes_back: bool,
    /// The events of the way.
    pub(super) way: Way,
    /// Whether a difference counts, among all.
    pub(super) keeps: fn(&Difference, &[Difference]) -> bool,
}

/// What relations do to an app, as far as several do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The system recreates the activity. What one such relation loses, all of them are likely to lose.
    Recreates,
    /// The app loses the network and gets it back.
    CutsOff,
    /// The app is told of a setting that few apps listen for.
    Told,
    /// Something of its own.
    Other,
}

/// The events of a relation's way.
#[derive(Debug)]
pub(super) enum Way {
    /// The same everywhere.
    Fixed(&'static [Event]),
    /// Something that shows a window of the system in front of the app, which Back closes.
    Dismissed(SystemEvent),
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
    /// Whether what this screen, to which the way has led, shows is to be compared with what was there before.
    pub counts: fn(Screen<'_>) -> bool,
}

/// What most relations have in common.
pub(super) const COMMON: Relation = Relation {
    name: "",
    title: "",
    by_hand: "",
    source: "Quantum (ICST 2014)",
    needs: "nothing",
    effect: Effect::Other,
    parts: &[],
    opens_again: false,
    takes_back: false,
    way: Way::Fixed(&[]),
    keeps: |_, _| true,
};

/// What most ways have in common that depend on the screen: each event is performed wherever the one before led, the
/// last is the end, and whatever the screen then shows is compared.
pub(super) const FOUND: Found =
    Found { way: |_, _| None, is_way: |_| false, goes_on: |_, _| true, ends: |_| None, counts: |_| true };

/// What a detour has led to.
#[derive(Clone, Copy)]
pub struct Screen<'a> {
    /// What the screen shows.
    pub layout: &'a Layout,
    /// What the screen showed when it began.
    pub from: &'a Layout,
    /// What the screen showed after the last event of the way that was not Back; until then, what it showed when the way
    /// began.
    pub opened: &'a Layout,
    /// The activities below the one that it began on.
    pub below: &'a [Text],
    /// The pages of its activity below it.
    pub pages_below: &'a [Arc<Layout>],
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

    /// Whether this is the activity that the way led to before it went back.
    pub(super) fn is_what_it_opened(self) -> bool {
        same_page(self.layout, self.opened)
    }

    /// Whether the way led to no other page.
    pub(super) fn opened_on_the_page(self) -> bool {
        same_page(self.opened, self.from)
    }

    /// Whether this is one of the activities or pages from which the one that the detour began on was opened.
    pub(super) fn went_back(self) -> bool {
        self.below.iter().any(|below| below == self.layout.activity())
            || self.pages_below.iter().any(|page| same_page(page, self.layout))
    }

    /// Whether a window that is not the app's is in front of it, such as a dialog of the system.
    pub(super) fn covered(self) -> bool {
        self.layout.is_covered(self.app)
    }
}

/// Whether a screen tells what the app shows, or that it was left. One on which one app is still going and another one
/// coming, or that something covers, tells nothing.
pub(super) fn is_look(layout: &Layout, app: &str) -> bool {
    !layout.is_covered(app) && layout.in_front(app) != InFront::Changing
}

/// Where a detour would begin.
pub struct Place<'a> {
    /// What the screen shows.
    pub layout: &'a Layout,
    /// Package name of the app under test.
    pub app: &'a str,
    /// How this page was just opened from another one.
    pub came_by: Option<&'a CameBy<'a>>,
    /// What was done last, if the page offers since then to undo it.
    pub undoable: Option<&'a Event>,
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

/// How a page was opened from another one.
#[derive(Debug)]
pub struct CameBy<'a> {
    /// The tap that opened it.
    pub tap: &'a Event,
    /// The text of the row that was tapped, if no other row has it.
    pub row: Option<Selector>,
    /// Ways from the other page to lists with the same rows; see [`Known::lists`].
    pub lists: &'a [Vec<Event>],
}

/// What opens a menu, a dialog or another page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opener {
    /// A tap; or one that opens a menu, and one in it.
    pub taps: Vec<Event>,
    /// What it opened.
    pub to: LayoutKey,
}

/// What earlier screens have told of a page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// What opened a menu, a dialog or another page.
    pub openers: Vec<Opener>,
    /// A tap that opens a menu, and one on a choice in it.
    pub choices: Vec<[Event; 2]>,
    /// An action, and the tap that takes it back.
    pub undoable: Vec<[Event; 2]>,
    /// A press that selects a row, and a tap that selects all.
    #[serde(default)]
    pub selecting_all: Vec<[Event; 2]>,
    /// Ways to other pages with rows that this page has, too: a tap, and what was then searched for, if anything.
    #[serde(default)]
    pub lists: Vec<Vec<Event>>,
}

impl Relation {
    /// The relation of this name.
    pub fn named(name: &str) -> Option<&'static Relation> {
        RELATIONS.iter().find(|relation| relation.name == name)
    }

    /// The events of a way from this place, where there are several a random one; `None` if there is none from here.
    pub fn way(&self, place: &Place<'_>, rng: &mut Rng) -> Option<Vec<Event>> {
        match &self.way {
            Way::Fixed(events) => Some(events.to_vec()),
            Way::Dismissed(happens) => Some(vec![Event::System(*happens)]),
            Way::Found(found) => (found.way)(place, rng),
        }
    }

    /// Whether the next event of the way may be performed on this screen.
    pub fn goes_on(&self, next: &Event, on: Screen<'_>) -> bool {
        match &self.way {
            Way::Fixed(_) => true,
            // Back is only for the system's window.
            Way::Dismissed(_) => *next != BACK || on.covered(),
            Way::Found(found) => (found.goes_on)(next, on),
        }
    }

    /// What is still to be done on this screen before the way is at its end.
    pub fn ends(&self, on: Screen<'_>) -> Option<Event> {
        match &self.way {
            Way::Fixed(_) => None,
            Way::Dismissed(_) => on.covered().then_some(BACK),
            Way::Found(found) => (found.ends)(on),
        }
    }

    /// Whether it leads back to the same page with the same rows, so that what held before holds after it.
    pub fn leads_back(&self) -> bool {
        let counts = |aspect| (self.keeps)(&Difference::of(aspect), &[]);
        counts(Aspect::Page) && counts(Aspect::Rows)
    }

    /// The events of its way if they are the same on every screen.
    pub fn fixed_way(&self) -> Option<&'static [Event]> {
        match &self.way {
            Way::Fixed(events) => Some(events),
            Way::Dismissed(_) | Way::Found(_) => None,
        }
    }

    /// Whether what this screen, to which the way has led, shows is to be compared with what was there before. A window that
    /// is not the app's shows nothing of it: one in which the system asks something, or that of an app that is still going.
    pub fn counts(&self, on: Screen<'_>) -> bool {
        is_look(on.layout, on.app)
            && match &self.way {
                Way::Fixed(_) | Way::Dismissed(_) => true,
                Way::Found(found) => (found.counts)(on),
            }
    }

    /// Whether it takes something away that only an app with granted permissions has.
    pub fn takes_permissions(&self) -> bool {
        let takes = |event: &Event| *event == Event::System(SystemEvent::RevokePermission);
        self.fixed_way().is_some_and(|way| way.iter().any(takes))
    }

    /// Whether the way is one that a screen and what is known of it must offer.
    pub fn is_of_app(&self) -> bool {
        matches!(self.way, Way::Found(_))
    }

    /// The relation that these events, without a control, are the way of. Waits at the end do not count.
    pub fn of_way(events: &[Event]) -> Option<&'static Relation> {
        let acts = events.iter().rposition(|event| !matches!(event, Event::Wait(_)))?;
        RELATIONS.iter().find(|relation| relation.is_way(&events[..=acts]))
    }

    /// Whether these events are the way.
    pub(super) fn is_way(&self, events: &[Event]) -> bool {
        match &self.way {
            Way::Fixed(way) => events == *way,
            Way::Dismissed(happens) => match events.split_first() {
                Some((first, rest)) => {
                    *first == Event::System(*happens) && rest.iter().all(|event| *event == BACK)
                }
                None => false,
            },
            Way::Found(found) => (found.is_way)(events),
        }
    }
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
pub(super) fn and_back(events: &[Event], first: impl Fn(&Event) -> bool) -> bool {
    events.split_first().is_some_and(|(opening, back)| {
        first(opening) && !back.is_empty() && back.iter().all(|event| *event == BACK)
    })
}
