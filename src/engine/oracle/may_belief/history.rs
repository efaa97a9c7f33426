//! The history of a test up to a behaviour, as far as it may explain the outcome.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{KnownLayout, StateKey};
use taproof_screen::determinism::{HashBuffer, hash_text};
use taproof_screen::{EventKey, Text};

/// Number of open pages below the current one that are distinguished.
const PAGES_BELOW: usize = 2;

/// The open pages, the states seen and the events performed so far in a test.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The pages that are open, as far as the history shows: those to which Back and Cancel lead. Each with hashes of the
    /// texts of what was touched on the way to it.
    pages: Vec<(StateKey, Vec<u64>)>,
    /// Hashes of the texts of what the last event touched.
    touched: Vec<u64>,
    /// Hashes of the texts outside of lists on the current page.
    heads: Vec<u64>,
    seen: Seen,
    deeds: Deeds,
    /// Number of events performed.
    performed: u32,
    hasher: HashBuffer,
}

/// Hashes of the states seen and the events performed, each with the number of those before it.
type Seen = BTreeMap<u64, u32>;

/// What was done to things, each known by the hash of one of its texts: hashes of the events with the number of those
/// before the first of each.
type Deeds = BTreeMap<u64, BTreeMap<u64, u32>>;

/// A moment of a history.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Hashes of the pages below.
    below: Vec<u64>,
    /// Hashes of the texts of what the page is about.
    about: Vec<u64>,
    /// Number of events performed until then.
    performed: u32,
    /// Number of hashes seen until then.
    seen: u32,
}

/// What may explain an outcome: the pages below, the states seen, the events performed. Cheap to clone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Past {
    below: Vec<u64>,
    about: Vec<u64>,
    /// What was done to each thing in the test.
    deeds: Arc<Deeds>,
    /// Of the events, so many were performed before the behaviour.
    performed: u32,
    /// Everything seen in the test. The behaviours of one test share it.
    seen: Arc<Seen>,
    /// Of these, so many were seen before the behaviour.
    until: u32,
}

impl History {
    /// Enters the state of a layout. If it was open already, what was above it is closed.
    pub fn enter(&mut self, known: &KnownLayout) {
        let state = known.state;
        self.see(2, state.0);
        self.heads.clone_from(&known.heads);
        let touched = std::mem::take(&mut self.touched);
        match self.pages.iter().position(|(open, _)| *open == state) {
            Some(place) => self.pages.truncate(place + 1),
            None => {
                let below = self.pages.last().map_or(&[][..], |(_, about)| &about[..]);
                let about = [below, &touched].concat();
                self.pages.push((state, about));
            }
        }
    }

    /// Adds an event that was performed on a receiver with these texts.
    pub fn did(&mut self, event: EventKey, texts: &[Text]) {
        self.see(3, event.0);
        for text in texts {
            self.see(3, event.typing(text).0);
        }
        self.touched = texts.iter().map(|text| hash_text(text)).collect();
        // Entries of a menu are one event but for their texts. In the row of a thing, the texts are its own.
        let entry = texts.iter().fold(event, |event, text| event.typing(text));
        let about = self.about().into_iter().map(|thing| (thing, entry.0));
        let own = self.touched.iter().map(|thing| (*thing, event.0));
        for (thing, deed) in about.chain(own) {
            self.deeds.entry(thing).or_default().entry(deed).or_insert(self.performed);
        }
        self.performed += 1;
    }

    /// What the current page is about: what was touched on the way to it, and what of the things touched in the test is
    /// named on it.
    fn about(&self) -> Vec<u64> {
        let opened = self.pages.last().map_or(&[][..], |(_, about)| &about[..]);
        let named = self.heads.iter().filter(|head| self.deeds.contains_key(head));
        opened.iter().chain(named).copied().collect()
    }

    /// Adds a text that was typed, in whichever field.
    pub fn typed(&mut self, text: &Text) {
        self.see(4, hash_text(text));
        self.deeds.entry(hash_text(text)).or_default();
    }

    fn see(&mut self, kind: u64, number: u64) {
        let (hash, before) = (hash_of(&mut self.hasher, kind, &[StateKey(number)]), self.seen.len() as u32);
        self.seen.entry(hash).or_insert(before);
    }

    /// The present moment.
    pub fn now(&mut self) -> Moment {
        let pages: Vec<StateKey> =
            self.pages.iter().rev().skip(1).take(PAGES_BELOW).map(|(state, _)| *state).collect();
        let below = (1..=pages.len()).map(|depth| hash_of(&mut self.hasher, 1, &pages[..depth])).collect();
        Moment { below, about: self.about(), performed: self.performed, seen: self.seen.len() as u32 }
    }

    /// What may explain outcomes at these moments of the history.
    pub fn pasts(self, moments: impl IntoIterator<Item = Moment>) -> impl Iterator<Item = Past> {
        let (seen, deeds) = (Arc::new(self.seen), Arc::new(self.deeds));
        moments.into_iter().map(move |Moment { below, about, performed, seen: until }| Past {
            below,
            about,
            deeds: Arc::clone(&deeds),
            performed,
            seen: Arc::clone(&seen),
            until,
        })
    }

    /// What may explain an outcome now.
    pub fn past(&self) -> Past {
        let mut history = self.clone();
        let now = history.now();
        history.pasts([now]).next().unwrap_or_default()
    }
}

impl Past {
    /// Whether this text was typed before.
    pub fn has_typed(&self, text: &Text) -> bool {
        self.has_seen(hash_of(&mut HashBuffer::default(), 4, &[StateKey(hash_text(text))]))
    }

    /// What was done before to the thing with these texts, and to what the page is about.
    pub fn deeds(&self, texts: &[Text]) -> BTreeSet<u64> {
        let things = texts.iter().map(|text| hash_text(text)).chain(self.about.iter().copied());
        let done = things.filter_map(|thing| self.deeds.get(&thing)).flatten();
        done.filter(|(_, before)| **before < self.performed).map(|(deed, _)| *deed).collect()
    }

    /// Whether both are moments of one test.
    pub fn is_of_same_test(&self, other: &Past) -> bool {
        Arc::ptr_eq(&self.seen, &other.seen)
    }

    fn has_seen(&self, hash: u64) -> bool {
        self.seen.get(&hash).is_some_and(|before| *before < self.until)
    }

    /// Whether the other one contains all of this.
    pub fn is_within(&self, other: &Past) -> bool {
        self.below.iter().all(|page| other.below.contains(page))
            && self
                .seen
                .iter()
                .filter(|(_, before)| **before < self.until)
                .all(|(hash, _)| other.has_seen(*hash))
    }
}

fn hash_of(hasher: &mut HashBuffer, kind: u64, numbers: &[StateKey]) -> u64 {
    hasher.clear();
    hasher.u64(kind);
    numbers.iter().for_each(|number| hasher.u64(number.0));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with this title and a button of this name.
    fn page(title: &str, button: &str) -> KnownLayout {
        let notation = format!("FrameLayout\n  TextView#title \"{title}\"\n  Button#{button}\n");
        KnownLayout::of(Arc::new(taproof_screen::layout_from(&notation)), "org.ex")
    }

    #[test]
    fn what_was_done_to_a_thing_is_known_by_its_texts() {
        let [momo, pip] = ["Momo", "Pip"].map(|name| [Text::from(name)]);
        let mut history = History::default();
        history.enter(&page("Pets", "new"));
        history.did(EventKey(1), &momo);
        let opened = history.past();
        history.enter(&page("", "menu"));
        history.did(EventKey(2), &[Text::from("Feed")]);
        history.enter(&page("Pets", "new"));
        let past = history.past();
        let count = |past: &Past, texts: &[Text]| past.deeds(texts).len();
        assert_eq!([count(&opened, &momo), count(&opened, &pip)], [1, 0]);
        assert_eq!([count(&past, &momo), count(&past, &pip)], [2, 0], "its menu was opened, and it was fed");
        history.enter(&page("Momo", "edit"));
        history.did(EventKey(3), &[]);
        assert_eq!(count(&history.past(), &momo), 3, "the page is about it");
        assert_eq!(count(&past, &momo), 2, "that was later");
    }

    #[test]
    fn a_past_contains_what_was_done_and_the_pages_below() {
        let mut history = History::default();
        history.enter(&page("", "one"));
        history.did(EventKey(7), &[]);
        let first = history.now();
        history.did(EventKey(8), &[Text::from("words")]);
        history.typed(&Text::from("typed"));
        let second = history.now();
        history.enter(&page("", "two"));
        let third = history.now();
        let whole = history.past();
        let pasts: Vec<Past> = history.pasts([first, second, third]).collect();
        let within = |one: &Past| pasts.iter().map(|other| one.is_within(other)).collect::<Vec<bool>>();
        assert_eq!(within(&pasts[0]), [true, true, true]);
        assert_eq!(within(&pasts[1]), [false, true, true]);
        assert_eq!(within(&pasts[2]), [false, false, true], "a page is below");
        assert_eq!(
            pasts.iter().map(|past| past.has_typed(&Text::from("typed"))).collect::<Vec<_>>(),
            [false, true, true]
        );
        assert!(!whole.has_typed(&Text::from("words")));
        assert!(whole.is_within(&pasts[2]) && pasts[2].is_within(&whole));
        assert!(Past::default().is_within(&pasts[0]) && !pasts[0].is_within(&Past::default()));
    }
}
