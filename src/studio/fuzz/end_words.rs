//! How a campaign and its engines ended, in words.

use super::{CampaignPhase, EngineRunState};
use taproof_campaign::EndReason;
use taproof_results::store::CampaignRow;
use taproof_screen::thousands;

/// Describes how a campaign or engine ended after `events` events, as a sentence.
pub fn end_words(end: &EndReason, events: u64) -> String {
    match end {
        EndReason::Exhausted => "Done: there is nothing left to try.".to_owned(),
        EndReason::BudgetSpent => "Done: the budget is spent.".to_owned(),
        EndReason::Cancelled => format!("Cancelled after event {}.", thousands(events)),
        EndReason::DeviceFailed(error) => format!("Ended early, the device failed: {error}."),
        EndReason::BadCheckpoint(error) => format!("Not gone on with: {error}."),
        EndReason::NotWritten(problem) => {
            format!("Failed, its results could not be written: {problem}. It can be resumed once they can.")
        }
        EndReason::Interrupted => "Interrupted: the program was stopped while it ran.".to_owned(),
        EndReason::Bug(report) => {
            format!("Ended early by a mistake in Taproof: {}. Please report it.", report.message)
        }
    }
}

/// Why the engine was done before it had performed all its events, as a sentence. `None` if it performed them, or has
/// not ended, or failed.
pub(super) fn early_sentence(run: &EngineRunState) -> Option<String> {
    let CampaignPhase::Ended(end) = &run.phase else { return None };
    let why = match end {
        EndReason::Exhausted => "there was nothing left to try",
        EndReason::BudgetSpent => "its device time was spent",
        EndReason::Cancelled => "it was cancelled",
        EndReason::DeviceFailed(_)
        | EndReason::BadCheckpoint(_)
        | EndReason::NotWritten(_)
        | EndReason::Interrupted
        | EndReason::Bug(_) => return None,
    };
    let (events, budget) = (thousands(run.counts.events), thousands(run.budget));
    let early = run.counts.events < run.budget;
    early.then(|| format!("{} ended after {events} of {budget} events: {why}.", run.label))
}

/// How a campaign of the workspace ended, as a sentence.
pub fn earlier_end(row: &CampaignRow) -> String {
    let events = thousands(row.events);
    match row.end.as_deref() {
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
