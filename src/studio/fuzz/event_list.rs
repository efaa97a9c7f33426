//! The events of a campaign, as they are searched in the window. They are read from the workspace beside it, since there
//! may be millions.

use std::path::Path;

use super::FuzzView;
use crate::background::BackgroundJob;
use crate::effect::Effect;
use crate::state::{Place, StudioState};
use taproof_campaign::{EventFilter, LoggedEvent};
use taproof_engine::worker::CancelToken;
use taproof_results::store::{StoreError, Workspace};

/// Maximum number of events that are listed.
pub const MOST_EVENTS: usize = 10_000;

/// Which events are looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct EventQuery {
    /// The campaign's row in the workspace.
    pub row: i64,
    /// Index of the engine in the campaign.
    pub run: usize,
    /// The words to look for; all events if empty.
    pub words: String,
}

/// The events that were found.
#[derive(Debug, PartialEq)]
pub struct EventsFound {
    /// The first ones, at most [`MOST_EVENTS`].
    pub events: Vec<LoggedEvent>,
    /// How many were found.
    pub found: usize,
    /// How many there are.
    pub all: usize,
}

/// The list of events that is shown.
#[derive(Debug, Default)]
pub struct EventList {
    /// The words to look for.
    pub words: String,
    /// What was asked for last.
    asked: Option<EventQuery>,
    /// What came of it, or why nothing can be read. `None` before the first answer.
    pub answer: Option<Result<EventsFound, String>>,
    /// Whether the answer to what was asked for last is still to come.
    pub reading: bool,
}

impl EventList {
    /// Takes what was found.
    pub(crate) fn take(&mut self, of: &EventQuery, answer: Result<EventsFound, String>) {
        if self.asked.as_ref() == Some(of) {
            (self.answer, self.reading) = (Some(answer), false);
        }
    }

    /// Has the events read anew.
    pub fn renew(&mut self) {
        self.asked = None;
    }
}

/// Looks for events.
pub(crate) fn find_events(
    query: &EventQuery,
    workspace: &Path,
    cancel: &CancelToken,
) -> Result<EventsFound, StoreError> {
    let mut answer = EventsFound { events: Vec::new(), found: 0, all: 0 };
    let wanted = EventFilter { text: query.words.clone(), ..EventFilter::default() }.into_test();
    Workspace::open_to_read(workspace)?.each_event(query.row, query.run, |event| {
        answer.all += 1;
        if wanted(&event) {
            answer.found += 1;
            if answer.events.len() < MOST_EVENTS {
                answer.events.push(event);
            }
        }
        !cancel.cancelled()
    })?;
    Ok(answer)
}

/// Asks for the events of the engine that is shown, if other ones are.
pub(super) fn tick(state: &mut StudioState) -> Vec<Effect> {
    let campaigns = &mut state.campaigns;
    if state.settings.place != Place::Fuzz || campaigns.view != FuzzView::Events {
        return Vec::new();
    }
    let (Some(campaign), Some(run)) = (campaigns.shown(), campaigns.shown_run()) else { return Vec::new() };
    let Some(row) = campaign.row else { return Vec::new() };
    let query = EventQuery { row, run, words: campaigns.events.words.clone() };
    let list = &mut campaigns.events;
    if list.asked.as_ref() == Some(&query) {
        return Vec::new();
    }
    if list.asked.as_ref().is_some_and(|asked| (asked.row, asked.run) != (row, run)) {
        list.answer = None;
    }
    (list.asked, list.reading) = (Some(query.clone()), true);
    vec![BackgroundJob::Events(query).into()]
}
