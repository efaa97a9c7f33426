//! How a screen is reached: at first, and again after a restart.

use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::learner::tapped;
use super::{Relation, SETTLED};
use taproof_screen::{Event, Trace};

/// How a screen that breaks a relation is seen again, and the one that it is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// What leads to the screen; of two screens, to the first.
    pub shared: Vec<Event>,
    /// What follows to see the screen that is judged, once it has settled.
    pub judged: Vec<Event>,
    /// What follows to see the one that it is compared with: the same after a restart, or the first of two.
    pub compared: Vec<Event>,
}

/// The witness that the first steps of a trace are, with a restart or without one. `None` if it is not known how its last
/// screen is reached again.
pub(super) fn witness(
    trace: &Trace,
    steps: usize,
    (relation, restart): (&Relation, bool),
    app: &str,
) -> Option<Witness> {
    let rest = Event::Wait(SETTLED);
    let at = if relation.is_opened() { steps.checked_sub(1)? } else { steps };
    let opening = trace.steps().get(at).filter(|_| relation.is_opened()).map(|step| step.event.clone());
    let chosen = trace.steps().iter().take(at).filter(|step| !step.role.is_appended());
    let mut compared = Vec::new();
    if restart {
        compared.push(Event::Relaunch);
        compared.extend(to_last(&trace.until(at), app)?);
        compared.extend(opening.clone());
        compared.push(rest.clone());
    }
    Some(Witness {
        shared: chosen.map(|step| step.event.clone()).collect(),
        judged: opening.into_iter().chain([rest]).collect(),
        compared,
    })
}

/// The taps that led from the first page to the last screen of a trace, each onto another page. `None` if it was reached
/// in another way.
fn to_last(trace: &Trace, app: &str) -> Option<Vec<Event>> {
    let pages: Vec<Option<u64>> = (0..=trace.len())
        .map(|at| trace.frame(at).and_then(|frame| Facts::of(frame, app)).map(|facts| facts.page))
        .collect();
    let home = (*pages.first()?)?;
    let mut page = (*pages.last()?)?;
    let mut end = trace.len();
    let mut way = Vec::new();
    while page != home {
        let entered = (0..end).rev().find(|at| {
            let step = &trace.steps()[*at];
            let from = pages[*at].filter(|from| *from != page);
            let tap = trace.frame(*at).is_some_and(|before| tapped(&step.event, &before.layout).is_some());
            pages[at + 1] == Some(page) && from.is_some() && tap
        })?;
        way.push(trace.steps()[entered].event.clone());
        (page, end) = (pages[entered]?, entered);
    }
    way.reverse();
    Some(way)
}
