//! Campaigns of earlier sessions in the workspace, and the resumption of one.

use std::sync::Arc;

use super::curves::KeptCurves;
use taproof_core::campaign::{CampaignPlan, Resumption};
use taproof_core::model::thousands;

/// A campaign of the workspace, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierCampaign {
    /// Its row in the workspace, the number that commands take.
    pub row: i64,
    /// Package of the app under test.
    pub app: String,
    /// The build, in words.
    pub build: String,
    /// The engines' names, separated by commas.
    pub engines: String,
    /// The seed of its random choices.
    pub seed: u64,
    /// Number of events, as far as recorded.
    pub events: u64,
    /// Number of stored findings.
    pub findings: u64,
    /// How it ended, as a keyword. `None` while a program is running it.
    pub end: Option<String>,
}

/// An interrupted campaign that is to be resumed.
pub struct Resumed {
    /// The campaign's row in the workspace.
    pub row: i64,
    /// What the campaign runs.
    pub plan: Arc<CampaignPlan>,
    /// Its specification, in words.
    pub spec: String,
    /// The checkpoint of each engine. `None` for an engine that starts from the beginning.
    pub from: Vec<Option<Resumption>>,
    /// The curves until the interruption.
    pub curves: KeptCurves,
}

impl EarlierCampaign {
    /// Whether the campaign can be resumed.
    pub fn interrupted(&self) -> bool {
        self.end.as_deref() == Some("interrupted")
    }

    /// How the campaign ended, as a sentence.
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
