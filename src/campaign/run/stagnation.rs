//! Notices, whichever engine drives, that events explore nothing: the same few screens again and again, or restarts.

use std::collections::{BTreeMap, VecDeque};

use taproof_engine::{CampaignStats, StateId};
use taproof_screen::{Event, Trace};

/// Number of latest events that are looked at, all without a new screen.
const WINDOW: usize = 500;
/// Most different screens that count as a loop.
const FEW: usize = 3;
/// Share of restarts among the events that counts as restarting in vain, in percent.
const RESTARTS: usize = 50;

/// Why nothing new is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stagnant {
    /// Only these few screens were seen.
    Loop {
        /// Number of events.
        events: usize,
        /// Number of different screens.
        screens: usize,
        /// The activity that the last event led to.
        activity: String,
    },
    /// So many events restarted the app.
    Restarts {
        /// Number of events.
        events: usize,
        /// Number of restarts among them.
        restarts: usize,
    },
}

impl std::fmt::Display for Stagnant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stagnant::Loop { events, screens, activity } => write!(
                f,
                "the last {events} events saw only {screens} different screens, none of them new, and ended on \
                 {activity}. A way on may need a text (--texts), a rule (--test-rules), or first steps; --deny-screen \
                 keeps engines away"
            ),
            Stagnant::Restarts { events, restarts } => write!(
                f,
                "{restarts} of the last {events} events restarted the app, and no screen was new. The app may end or \
                 hand over to another one: see `taproof campaigns events`"
            ),
        }
    }
}

/// Watches the events of one engine.
#[derive(Debug, Default)]
pub(crate) struct Stagnation {
    /// The screens after the latest events, and whether each event restarted the app.
    latest: VecDeque<(Option<StateId>, bool)>,
    /// How often each screen is among them, and the restarts.
    screens: BTreeMap<Option<StateId>, u32>,
    restarts: usize,
    /// Number of screens when the last one was new.
    known: usize,
    /// Whether it was said since then.
    said: bool,
}

impl Stagnation {
    /// Processes the last event of a trace. Returns what to say about it, once until something is new.
    pub fn observe(&mut self, trace: &Trace, stats: &CampaignStats) -> Option<Stagnant> {
        let step = trace.steps().last()?;
        let graph = &stats.graph;
        let (state, restart) = (graph.current(), step.event == Event::Relaunch);
        let found = self.take(graph.len(), (state, restart))?;
        Some(match found {
            (screens, restarts) if restarts * 100 < RESTARTS * WINDOW => {
                Stagnant::Loop { events: WINDOW, screens, activity: step.after.layout.activity().to_string() }
            }
            (_, restarts) => Stagnant::Restarts { events: WINDOW, restarts },
        })
    }

    /// Returns the numbers of different screens and of restarts if these are to be reported.
    fn take(&mut self, known: usize, latest: (Option<StateId>, bool)) -> Option<(usize, usize)> {
        if known > self.known {
            *self = Stagnation { known, ..Stagnation::default() };
            return None;
        }
        if self.said {
            return None;
        }
        self.latest.push_back(latest);
        *self.screens.entry(latest.0).or_default() += 1;
        self.restarts += usize::from(latest.1);
        if self.latest.len() > WINDOW
            && let Some((state, restart)) = self.latest.pop_front()
        {
            self.restarts -= usize::from(restart);
            if let Some(times) = self.screens.get_mut(&state) {
                *times -= 1;
                if *times == 0 {
                    self.screens.remove(&state);
                }
            }
        }
        if self.latest.len() < WINDOW {
            return None;
        }
        let (screens, restarts) = (self.screens.len(), self.restarts);
        self.said = screens <= FEW || restarts * 100 >= RESTARTS * WINDOW;
        self.said.then_some((screens, restarts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reports in so many events on these screens by turns, of which none is new.
    fn reports(screens: u32, restart_every: usize, events: usize) -> Vec<(usize, usize)> {
        let mut stagnation = Stagnation { known: 9, ..Stagnation::default() };
        let event = |number: usize| {
            (
                Some(StateId(number as u32 % screens)),
                restart_every > 0 && number.is_multiple_of(restart_every),
            )
        };
        (0..events).filter_map(|number| stagnation.take(9, event(number))).collect()
    }

    #[test]
    fn a_few_screens_again_and_again_and_restarts_in_vain_are_said_once() {
        assert_eq!(reports(2, 0, WINDOW - 1), []);
        assert_eq!(reports(2, 0, 5 * WINDOW), [(2, 0)]);
        assert_eq!(reports(4, 0, 5 * WINDOW), []);
        assert_eq!(reports(9, 2, 5 * WINDOW), [(9, WINDOW / 2)]);
        assert_eq!(reports(9, 3, 5 * WINDOW), []);
    }

    #[test]
    fn a_new_screen_begins_anew() {
        let mut stagnation = Stagnation::default();
        let mut said = 0;
        for number in 0..4 * WINDOW {
            let known = 1 + number / (2 * WINDOW);
            said += usize::from(stagnation.take(known, (Some(StateId(0)), false)).is_some());
        }
        assert_eq!(said, 2);
    }
}
