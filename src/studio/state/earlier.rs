//! Campaigns that the workspace holds from before: what is known of each, and one that goes on.

use std::sync::Arc;

use taproof_core::campaign::{CampaignPlan, Resumption};
use taproof_core::model::thousands;

use super::curves::KeptCurves;

/// A campaign that the workspace holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierCampaign {
    /// Its row: the number that commands take.
    pub row: i64,
    /// The app's package.
    pub app: String,
    /// The build, in words.
    pub build: String,
    /// The engines' names.
    pub engines: String,
    /// The seed.
    pub seed: u64,
    /// Events as far as known.
    pub events: u64,
    /// Findings.
    pub findings: u64,
    /// Why it ended, in one word; `None` while a program runs it.
    pub end: Option<String>,
}

/// A campaign that was interrupted and is to go on.
pub struct Resumed {
    /// Its row.
    pub row: i64,
    /// What it runs.
    pub plan: Arc<CampaignPlan>,
    /// Its specification, in words.
    pub spec: String,
    /// For each engine where it stood; `None` where it begins anew.
    pub from: Vec<Option<Resumption>>,
    /// How far each had come.
    pub curves: KeptCurves,
}

impl EarlierCampaign {
    /// Whether it can go on.
    pub fn interrupted(&self) -> bool {
        self.end.as_deref() == Some("interrupted")
    }

    /// How it ended, in words.
    pub fn end_sentence(&self) -> String {
        let events = thousands(self.events);
        match self.end.as_deref() {
            None => format!("Runs in another program, {events} events so far."),
            Some("exhausted") => format!("Done after {events} events: there was nothing left to try."),
            Some("budget") => format!("Done: the budget of {events} events was spent."),
            Some("cancelled") => format!("Cancelled after {events} events."),
            Some("interrupted") => {
                format!("Interrupted after {events} events: the program was stopped while it ran.")
            }
            Some("device") => format!("Ended early after {events} events: the device failed."),
            Some("checkpoint") => "Not gone on with: its checkpoint could not be used.".to_owned(),
            Some(_) => format!("Ended early after {events} events, by a mistake in Taproof."),
        }
    }
}
