//! The choice of events while mining and while making seed tests (paper.md, section 5).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::gui_model::Act;
use taproof_screen::determinism::Rng;
use taproof_screen::{Candidate, CandidateAction, EventKey, Layout, Same, candidates, event_key};
use taproof_spec::{Block, BlockedTouches};

/// Texts that fields are filled with. Few, so that different objects get equal names.
const TEXTS: [&str; 4] = ["Hello", "World", "123", ""];
/// Labels of buttons that cancel, in lower case.
const REFUSALS: [&str; 3] = ["no", "cancel", "deny"];
/// Labels of buttons that continue, in lower case.
const COMMITS: [&str; 18] = [
    "yes", "ok", "activate", "detail", "more", "access", "allow", "check", "agree", "try", "go", "next",
    "add", "always", "rename", "delete", "done", "save",
];

/// Probability in percent that a button which cancels is replaced by one that continues (the published tool's; paper.md,
/// section 5).
const COMMIT_PERCENT: usize = 59;
/// Below this number in [0, 100) a random event is a touch or a text (the paper's 60/35/5; paper.md, section 5).
const TOUCHES_BELOW: f64 = 60.0;
/// Below this one it is a long press, above it a swipe or Back.
const LONG_TOUCHES_BELOW: f64 = 95.0;
/// The weight of an event that was never executed (the paper's; paper.md, section 5).
const FIRST_WEIGHT: f64 = 100.0;
/// How often in a row an event may be chosen because it leads to events that were never chosen (not in the paper; paper.md,
/// section 14, trap 11).
const CHILD_WINS: u32 = 5;
/// Number of consecutive chosen events without a new one after which the choice is random for a while (the published
/// tool's; paper.md, section 5).
const IDLE_EVENTS: u32 = 100;
/// Draw weight of an event that the whole run has never executed, compared with 1 for one that it executes all the
/// time. The weight is divided by the event's counter.
const RARITY: u32 = 10_000;

/// The weights of events by key, across the whole run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Weights {
    known: BTreeMap<EventKey, EventWeight>,
    /// Number of chosen events since one was chosen for the first time.
    idle: u32,
}

/// The weight of one event, and what it is computed from.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct EventWeight {
    weight: f64,
    /// Number of executions plus one, so that the first execution divides by 4.
    times: u32,
    /// The events that it first led to.
    children: BTreeSet<EventKey>,
    /// How often it was chosen for its children.
    wins: u32,
}

/// An event that the screen offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The event that can be performed.
    pub act: Act,
    /// The event's key, which identifies it on other screens.
    pub key: EventKey,
}

/// The events that a screen offers, without those that must not be performed.
pub fn offers(layout: &Layout, app: &str, blocks: &[Block]) -> Vec<Offer> {
    let blocked = BlockedTouches::new(blocks, layout);
    // A dump also contains widgets under other windows or widgets, which no touch reaches.
    let allowed = |candidate: &Candidate| blocked.allow(candidate.widget, &candidate.action.gesture(""));
    let found = candidates(layout, app).into_iter().filter(allowed);
    found
        .map(|candidate| Offer {
            act: Act::On(candidate.action, candidate.widget),
            key: event_key(layout, candidate),
        })
        .collect()
}

/// Draws a text for a field.
pub fn field_text(rng: &mut Rng) -> &'static str {
    TEXTS[rng.below(TEXTS.len())]
}

/// Draws one of the offered events: first the class, then uniformly within it. `back`: whether the Back key may be
/// pressed. `None` if there is no event.
pub fn random_offer(offered: &[Offer], back: bool, rng: &mut Rng) -> Option<Act> {
    let of_class = |class: Class| offered.iter().filter(move |offer| class_of(offer.act) == class);
    let has = |class: &Class| of_class(*class).next().is_some() || (*class == Class::Navigation && back);
    let usable: Vec<Class> = Class::ALL.into_iter().filter(has).collect();
    if usable.is_empty() {
        return None;
    }
    let mut class = draw_class(rng);
    while !usable.contains(&class) {
        class = draw_class(rng);
    }
    let mut acts: Vec<Act> = of_class(class).map(|offer| offer.act).collect();
    if class == Class::Navigation && back {
        acts.push(Act::Back);
    }
    rng.pick(&acts).copied()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Touch,
    LongTouch,
    Navigation,
}

impl Class {
    const ALL: [Class; 3] = [Class::Touch, Class::LongTouch, Class::Navigation];
}

fn class_of(act: Act) -> Class {
    match act {
        Act::On(CandidateAction::Tap | CandidateAction::SetText, _) => Class::Touch,
        Act::On(CandidateAction::LongPress, _) => Class::LongTouch,
        Act::On(CandidateAction::Scroll(_), _) | Act::Back => Class::Navigation,
    }
}

fn draw_class(rng: &mut Rng) -> Class {
    // 53 random bits give a uniform number in [0, 100).
    drawn_class((rng.next_u64() >> 11) as f64 * (100.0 / (1u64 << 53) as f64))
}

/// The class that a number in [0, 100) selects.
fn drawn_class(drawn: f64) -> Class {
    if drawn < TOUCHES_BELOW {
        Class::Touch
    } else if drawn < LONG_TOUCHES_BELOW {
        Class::LongTouch
    } else {
        Class::Navigation
    }
}

impl Weights {
    /// Whether the choice should be random for a while, because nothing new was chosen for long.
    pub fn idles(&self) -> bool {
        self.idle > IDLE_EVENTS
    }

    fn times(&self, key: EventKey) -> u32 {
        self.known.get(&key).map_or(1, |known| known.times)
    }

    fn weight(&self, key: EventKey) -> f64 {
        self.known.get(&key).map_or(FIRST_WEIGHT, |known| known.weight)
    }

    /// Chooses the next event: one never chosen; else one that leads to events never chosen; else the one with the
    /// highest weight. `run`: the weights of the whole run, which show what is rarely executed, for a test that has
    /// weights of its own.
    pub fn choose(&mut self, offered: &[Offer], run: Option<&Weights>, rng: &mut Rng) -> Option<Offer> {
        // Weights belong to keys: a draw among widgets would prefer kinds of which the screen shows many.
        let fresh = |scrolls: bool| {
            let of_kind =
                offered.iter().filter(move |offer| (class_of(offer.act) == Class::Navigation) == scrolls);
            let keys: BTreeSet<EventKey> =
                of_kind.map(|offer| offer.key).filter(|key| self.times(*key) == 1).collect();
            keys.into_iter().collect::<Vec<EventKey>>()
        };
        // Lists offer four swipes each, which rarely lead to a new screen, so they come last.
        let (mut fresh, scrolls) = (fresh(false), fresh(true));
        if fresh.is_empty() {
            fresh = scrolls;
        }
        let rarity = |key: &EventKey| 1 + RARITY / run.map_or(1, |run| run.times(*key));
        let rarities: Vec<u32> = fresh.iter().map(rarity).collect();
        if let Some(key) = rng.weighted(&rarities).map(|place| fresh[place]) {
            let of_key: Vec<Offer> = offered.iter().filter(|offer| offer.key == key).copied().collect();
            return rng.pick(&of_key).copied();
        }
        let leads_on = |offer: &&Offer| {
            self.known.get(&offer.key).is_some_and(|known| {
                known.wins < CHILD_WINS && known.children.iter().any(|child| self.times(*child) == 1)
            })
        };
        let parents: Vec<Offer> = offered.iter().filter(leads_on).copied().collect();
        if let Some(parent) = rng.pick(&parents) {
            // Children that are never executed must not keep their parent preferred (paper.md, section 14, trap 11).
            if let Some(known) = self.known.get_mut(&parent.key) {
                known.wins += 1;
            }
            return Some(*parent);
        }
        let heaviest = offered.iter().map(|offer| self.weight(offer.key)).max_by(f64::total_cmp)?;
        let heavy: Vec<Offer> =
            offered.iter().filter(|offer| self.weight(offer.key) >= heaviest).copied().collect();
        rng.pick(&heavy).copied()
    }

    /// An event was executed; `before` and `after` are the offers of the two screens.
    pub fn executed(
        &mut self,
        key: EventKey,
        act: Act,
        (before, offered): (&Layout, &[Offer]),
        (after, reached): (&Layout, &[Offer]),
    ) {
        let known_before: BTreeSet<EventKey> = offered.iter().map(|offer| offer.key).collect();
        let turns = matches!(act, Act::Back | Act::On(CandidateAction::Scroll(_), _));
        let new: Vec<EventKey> = match turns || before.key(Same::Page) == after.key(Same::Page) {
            true => Vec::new(),
            false => {
                reached.iter().map(|offer| offer.key).filter(|key| !known_before.contains(key)).collect()
            }
        };
        let first = EventWeight { weight: FIRST_WEIGHT, times: 1, children: BTreeSet::new(), wins: 0 };
        let known = self.known.entry(key).or_insert(first);
        self.idle = if known.times == 1 { 0 } else { self.idle + 1 };
        known.times += 1;
        known.children.extend(new);
        self.reweigh(key);
    }

    /// Recomputes the weight (paper.md, section 5): the weights of the event and its children, divided by the square of
    /// how often it was chosen. Only its own weight changes, as in the paper.
    fn reweigh(&mut self, key: EventKey) {
        let Some(known) = self.known.get(&key) else { return };
        let children: f64 = known.children.iter().map(|child| self.weight(*child)).sum();
        let times = f64::from(known.times);
        let weight = (known.weight + children) / (times * times);
        if let Some(known) = self.known.get_mut(&key) {
            known.weight = weight;
        }
    }
}

/// Replaces a chosen button that cancels by one that continues, if one is offered, with the probability
/// `COMMIT_PERCENT`.
pub fn commit_instead(layout: &Layout, chosen: Act, offered: &[Offer], rng: &mut Rng) -> Act {
    let reads = |act: Act, words: &[&str]| {
        let Act::On(CandidateAction::Tap, idx) = act else { return false };
        let widget = layout.widget(idx);
        widget.class.contains("Button") && words.contains(&&*widget.text.to_lowercase())
    };
    if !reads(chosen, &REFUSALS) || !rng.chance(COMMIT_PERCENT, 100) {
        return chosen;
    }
    let commits: Vec<Act> =
        offered.iter().map(|offer| offer.act).filter(|act| reads(*act, &COMMITS)).collect();
    rng.pick(&commits).copied().unwrap_or(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{WidgetIdx, layout_from};

    fn key(number: u64) -> EventKey {
        EventKey(number)
    }

    fn offer(number: u64) -> Offer {
        Offer { act: Act::On(CandidateAction::Tap, WidgetIdx(0)), key: key(number) }
    }

    /// Executes event 1 on a page and reveals such events on another one, or stays.
    fn execute(weights: &mut Weights, reveals: &[u64]) -> f64 {
        let page = layout_from("FrameLayout\n  Button#a\n");
        let other =
            layout_from("FrameLayout\n  Button#a\n  Button#b\n").with_activity("org.ex/.Other".into());
        let reached: Vec<Offer> = reveals.iter().map(|number| offer(*number)).collect();
        let (after, reached) = if reveals.is_empty() { (&page, vec![offer(1)]) } else { (&other, reached) };
        weights.executed(key(1), offer(1).act, (&page, &[offer(1)]), (after, &reached));
        weights.weight(key(1))
    }

    #[test]
    fn weights_of_the_reference() {
        let mut weights = Weights::default();
        assert_eq!(execute(&mut weights, &[]), 25.0);
        assert_eq!(execute(&mut weights, &[2, 3]), 25.0, "(25 + 200) / 9");
        assert_eq!(execute(&mut Weights::default(), &[2, 3]), 75.0, "(100 + 200) / 4");
    }

    #[test]
    fn class_draw_of_the_reference() {
        assert_eq!(
            [59.9, 60.0, 94.9, 95.0].map(drawn_class),
            [Class::Touch, Class::LongTouch, Class::LongTouch, Class::Navigation]
        );
    }

    #[test]
    fn an_empty_class_is_drawn_again() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..50 {
            assert_eq!(random_offer(&[], true, &mut rng), Some(Act::Back));
            let touch = [offer(1)];
            assert_eq!(random_offer(&touch, false, &mut rng), Some(touch[0].act));
        }
        assert_eq!(random_offer(&[], false, &mut rng), None);
    }

    #[test]
    fn what_is_new_goes_first_then_what_leads_to_it_but_not_for_ever() {
        let (mut weights, mut rng) = (Weights::default(), Rng::from_seed(2));
        execute(&mut weights, &[2]);
        assert_eq!(weights.choose(&[offer(1), offer(4)], None, &mut rng), Some(offer(4)));
        for event in [4, 5] {
            let page = layout_from("FrameLayout\n  Button#a\n");
            weights.executed(key(event), offer(event).act, (&page, &[]), (&page, &[]));
        }
        for _ in 0..CHILD_WINS {
            assert_eq!(weights.choose(&[offer(4), offer(1)], None, &mut rng), Some(offer(1)));
        }
        let parent = weights.known.get_mut(&key(1)).unwrap();
        parent.weight = 1.0;
        assert_eq!(weights.choose(&[offer(4), offer(1)], None, &mut rng), Some(offer(4)), "the heaviest");
        assert_eq!(weights.choose(&[], None, &mut rng), None);
    }
}
