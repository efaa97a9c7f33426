//! What a campaign did, event by event, for people who search in it.

use serde::{Deserialize, Serialize};

use taproof_engine::CampaignStats;
use taproof_screen::{StepRole, Text, Trace, event_sentence};

/// Number of events that are passed on together.
const AT_ONCE: usize = 1000;

/// An event of a campaign in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedEvent {
    /// Number of the event in the campaign of its engine, from 1.
    pub number: u64,
    /// Number of its test, from 1.
    pub test: u64,
    /// Device time since the campaign began, in milliseconds.
    pub millis: u64,
    /// The event as a sentence.
    pub event: String,
    /// Why it was performed.
    pub role: StepRole,
    /// The activity that it was performed on, as `package/class`.
    pub activity: Text,
    /// Name of the page that it was performed on.
    pub page: String,
    /// The activity that it led to; `None` if that is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub led_to: Option<Text>,
}

/// The events that were not passed on yet.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    events: Vec<LoggedEvent>,
}

impl EventLog {
    /// Notes the last event of a trace. Returns the events to pass on, if they are many.
    pub fn note(&mut self, trace: &Trace, stats: &CampaignStats) -> Option<Vec<LoggedEvent>> {
        let step = trace.steps().last()?;
        let before = &trace.frame(trace.len() - 1)?.layout;
        let after = step.after.layout.activity();
        self.events.push(LoggedEvent {
            number: stats.events,
            test: stats.tests,
            millis: stats.device_time.millis(),
            event: event_sentence(&step.event, before),
            role: step.role,
            activity: Text::clone(before.activity()),
            page: before.page_name(),
            led_to: (after != before.activity()).then(|| Text::clone(after)),
        });
        (self.events.len() >= AT_ONCE).then(|| self.take())
    }

    /// Takes all events.
    pub fn take(&mut self) -> Vec<LoggedEvent> {
        std::mem::take(&mut self.events)
    }
}
