//! What a campaign did, event by event, for people who search in it.

use serde::{Deserialize, Serialize};

use taproof_engine::CampaignStats;
use taproof_screen::{Frame, StepRole, Text, Trace, event_sentence};
use taproof_spec::ActivityPattern;

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

impl LoggedEvent {
    /// Why it was performed, for people. Empty if the engine chose it by itself.
    pub fn why(&self) -> &'static str {
        match self.role {
            StepRole::Rule => "by a rule",
            StepRole::SpecStep => "of a function",
            StepRole::Detour => "detour",
            StepRole::Appended => "to see more",
            StepRole::Explored | StepRole::Seed | StepRole::Inserted => "",
        }
    }
}

/// Which events of a campaign are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventFilter {
    /// Only those with this text in their words or in the name of their page, in whatever case.
    pub text: String,
    /// Only those on this activity, or that led to it.
    pub activity: Option<ActivityPattern>,
    /// Only those from this number on.
    pub from: u64,
}

impl EventFilter {
    /// Returns a test whether an event is wanted.
    pub fn into_test(self) -> impl Fn(&LoggedEvent) -> bool {
        let text = self.text.trim().to_lowercase();
        move |LoggedEvent { number, event, activity, page, led_to, .. }| {
            let has = |words: &str| words.to_lowercase().contains(&text);
            let on = |pattern: &ActivityPattern| {
                std::iter::once(activity).chain(led_to).any(|activity| pattern.matches(activity))
            };
            *number >= self.from
                && (text.is_empty() || has(event) || has(page))
                && self.activity.as_ref().is_none_or(on)
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_found_by_words_page_activity_and_number() {
        let event = LoggedEvent {
            number: 7,
            test: 2,
            millis: 1500,
            event: "Tap \u{201c}Save\u{201d}".to_owned(),
            role: StepRole::Rule,
            activity: "org.ex/.EditActivity".into(),
            page: "EditActivity \u{201c}Note\u{201d}".to_owned(),
            led_to: Some("org.ex/.Main".into()),
        };
        let takes = |text: &str, activity: &str, from: u64| {
            let activity = (!activity.is_empty()).then(|| ActivityPattern(activity.to_owned()));
            let filter = EventFilter { text: text.to_owned(), activity, from };
            filter.into_test()(&event)
        };
        assert!(
            takes("", "", 1) && takes("SAVE", "", 7) && takes("note", "Edit*", 1) && takes("", ".Main", 1)
        );
        assert!(!takes("", "", 8) && !takes("delete", "", 1) && !takes("", "Settings", 1));
    }
}
