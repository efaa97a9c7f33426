//! What a campaign did, event by event, for people who search in it.

use serde::{Deserialize, Serialize};

use taproof_engine::CampaignStats;
use taproof_screen::{Frame, StepRole, Text, Trace, event_sentence};

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
    /// Notes the last event of a trace.
    pub fn note(&mut self, trace: &Trace, stats: &CampaignStats) {
        let (Some(step), Some(before)) = (trace.steps().last(), trace.len().checked_sub(1)) else { return };
        let Some(Frame { layout: before, .. }) = trace.frame(before) else { return };
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
    }

    /// Number of events that were not passed on yet.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Takes all events.
    pub fn take(&mut self) -> Vec<LoggedEvent> {
        std::mem::take(&mut self.events)
    }
}
