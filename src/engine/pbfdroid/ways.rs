//! Short ways from the first screen to where DMFs may start, learned in earlier tests (paper.md, section 4.1). In an app
//! of many screens, random events alone hardly ever reach a list behind a drawer, and then soon leave it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::seldom::Seldom;
use taproof_screen::Event;
use taproof_screen::determinism::Rng;

/// Number of events of the longest way.
const LONGEST: usize = 12;

/// Number of times that a way may fail before it can be forgotten.
const FAILURES: u64 = 2;

/// For each DMF that was ready on a screen which random events had reached, the fewest events from the first screen to
/// there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ways {
    known: BTreeMap<usize, Way>,
    /// How often the way to each DMF was gone.
    gone: Seldom<usize>,
    /// The random events since the first screen was left; `None` after something else happened. Each test begins anew.
    #[serde(skip)]
    path: Option<Vec<Event>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Way {
    /// Empty if the DMF is ready on the first screen.
    events: Vec<Event>,
    /// How often it did not lead there.
    failed: u64,
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
                self.known.insert(dmf, Way { events: path.clone(), failed: 0 });
            }
        }
    }

    /// Whether it is known how a DMF becomes ready.
    pub(super) fn knows(&self, dmf: usize) -> bool {
        self.known.contains_key(&dmf)
    }

    /// Draws a wanted DMF that is not ready on the first screen, the likelier the less often it was drawn, and the events
    /// to it. `None` if no such DMF is known.
    pub(super) fn draw(
        &mut self,
        wanted: impl Fn(usize) -> bool,
        rng: &mut Rng,
    ) -> Option<(usize, Vec<Event>)> {
        let away = self.known.iter().filter(|(dmf, way)| !way.events.is_empty() && wanted(**dmf));
        let away: Vec<(usize, u32)> = away.map(|(dmf, _)| (*dmf, 1)).collect();
        let (dmf, _) = *away.get(self.gone.draw(&away, rng)?)?;
        self.gone.happened(dmf);
        Some((dmf, self.known.get(&dmf)?.events.clone()))
    }

    /// Learns whether the way to a DMF led there. One that mostly does not is forgotten.
    pub(super) fn led(&mut self, dmf: usize, there: bool) {
        let Some(way) = self.known.get_mut(&dmf).filter(|_| !there) else { return };
        way.failed += 1;
        if way.failed > FAILURES && way.failed * 2 > self.gone.count(&dmf) {
            self.known.remove(&dmf);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::Key;

    const BACK: Event = Event::Key(Key::Back);

    fn walk(ways: &mut Ways, events: &[Event]) {
        ways.at_home();
        events.iter().for_each(|event| ways.walked(event));
    }

    fn only_way(ways: &Ways) -> Option<Vec<Event>> {
        ways.clone().draw(|_| true, &mut Rng::from_seed(1)).map(|(_, events)| events)
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
        ways.led(3, true);
        (0..=FAILURES).for_each(|_| ways.led(3, false));
        assert_eq!(only_way(&ways), None, "forgotten");
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
            drawn[ways.draw(|_| true, &mut rng).unwrap().0] += 1;
        }
        assert_eq!(drawn[0], 0);
        assert!(drawn[1].abs_diff(drawn[2]) <= 20, "{drawn:?}");
    }
}
