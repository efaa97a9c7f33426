//! Short ways from the first screen to where DMFs may start, learned in earlier tests (paper.md, section 4.1). In an app
//! of many screens, random events alone hardly ever reach a list behind a drawer, and then soon leave it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::determinism::Rng;
use crate::model::Event;

/// Number of events of the longest way.
const LONGEST: usize = 12;

/// The weight of a DMF to which no way was tried, compared with 1 for one to which this many were.
const UNTRIED: u64 = 1000;

/// For each DMF that was ready on a screen which random events had reached, the fewest events from the first screen to
/// there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ways {
    known: BTreeMap<usize, Way>,
    /// The random events since the first screen was left; `None` after something else happened. Each test begins anew.
    #[serde(skip)]
    path: Option<Vec<Event>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Way {
    /// Empty if the DMF is ready on the first screen.
    events: Vec<Event>,
    /// How often it was chosen.
    tried: u64,
}

impl Ways {
    /// The first screen is shown.
    pub(super) fn at_home(&mut self) {
        self.path = Some(Vec::new());
    }

    /// A random event was performed.
    pub(super) fn walked(&mut self, event: &Event) {
        if let Some(path) = &mut self.path {
            path.push(event.clone());
            if path.len() > LONGEST {
                self.path = None;
            }
        }
    }

    /// Something other than a random event happened, on which the screen may depend.
    pub(super) fn interrupted(&mut self) {
        self.path = None;
    }

    /// Learns that a DMF is ready.
    pub(super) fn learn(&mut self, dmf: usize) {
        let Some(path) = &self.path else { return };
        match self.known.get_mut(&dmf) {
            Some(known) if known.events.len() <= path.len() => {}
            Some(known) => known.events.clone_from(path),
            None => {
                self.known.insert(dmf, Way { events: path.clone(), tried: 0 });
            }
        }
    }

    /// Draws a DMF that is not ready on the first screen, the likelier the less often it was drawn, and the events to
    /// it. `None` if no such DMF is known.
    pub(super) fn draw(&mut self, rng: &mut Rng) -> Option<(usize, Vec<Event>)> {
        let away: Vec<usize> =
            self.known.iter().filter(|(_, way)| !way.events.is_empty()).map(|(dmf, _)| *dmf).collect();
        let weight = |dmf: &usize| {
            let tried = self.known.get(dmf).map_or(0, |way| way.tried);
            u32::try_from(UNTRIED / (tried + 1)).unwrap_or(u32::MAX).max(1)
        };
        let weights: Vec<u32> = away.iter().map(weight).collect();
        let dmf = *away.get(rng.weighted(&weights)?)?;
        let way = self.known.get_mut(&dmf)?;
        way.tried += 1;
        Some((dmf, way.events.clone()))
    }

    /// Forgets the way to a DMF, which did not lead there.
    pub(super) fn forget(&mut self, dmf: usize) {
        self.known.remove(&dmf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Key;

    const BACK: Event = Event::Key(Key::Back);

    fn walk(ways: &mut Ways, events: &[Event]) {
        ways.at_home();
        events.iter().for_each(|event| ways.walked(event));
    }

    fn only_way(ways: &Ways) -> Option<Vec<Event>> {
        ways.clone().draw(&mut Rng::from_seed(1)).map(|(_, events)| events)
    }

    #[test]
    fn the_shortest_way_of_random_events_from_the_first_screen_is_kept() {
        let mut ways = Ways::default();
        ways.learn(3);
        assert_eq!(only_way(&ways), None, "nothing is known of how one came here");
        walk(&mut ways, &[Event::Rotate, BACK]);
        ways.learn(3);
        walk(&mut ways, &[BACK, BACK, Event::Rotate]);
        ways.learn(3);
        assert_eq!(only_way(&ways), Some(vec![Event::Rotate, BACK]));
        walk(&mut ways, &[BACK]);
        ways.interrupted();
        ways.walked(&BACK);
        ways.learn(3);
        assert_eq!(only_way(&ways), Some(vec![Event::Rotate, BACK]), "a function ran in between");
        walk(&mut ways, &[BACK]);
        ways.learn(3);
        assert_eq!(only_way(&ways), Some(vec![BACK]));
        ways.forget(3);
        walk(&mut ways, &vec![BACK; LONGEST + 1]);
        ways.learn(3);
        assert_eq!(only_way(&ways), None, "too long");
    }

    #[test]
    fn ways_take_turns_and_the_first_screen_needs_none() {
        let mut ways = Ways::default();
        ways.at_home();
        ways.learn(0);
        ways.walked(&BACK);
        ways.learn(1);
        ways.learn(2);
        let mut rng = Rng::from_seed(1);
        let mut drawn = [0_u32; 3];
        for _ in 0..100 {
            drawn[ways.draw(&mut rng).unwrap().0] += 1;
        }
        assert_eq!(drawn[0], 0);
        assert!(drawn[1].abs_diff(drawn[2]) <= 20, "{drawn:?}");
    }
}
