//! Reads a finding that is opened, beside the window: it does not wait behind what campaigns write, and can be cancelled.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{ReplaySource, ReplayState};
use crate::reporter::{Reporter, Resources};
use crate::state::FindingKey;
use taproof_results::store::{StoreError, Workspace};
use taproof_session::shipped_with;

/// What is known of a finding that is being opened.
pub(crate) enum OpenerNews {
    /// Number of steps that were read, and of all steps.
    Progress(FindingKey, usize, usize),
    /// The finding.
    Loaded(Box<ReplayState>),
    /// The finding cannot be read; the reason.
    NotLoaded(FindingKey, String),
}

/// Reads a finding.
pub(crate) fn read_finding(
    key: FindingKey,
    with: &Resources,
    reporter: &Reporter<'_, OpenerNews>,
) -> OpenerNews {
    match load(&key, with, reporter) {
        Ok(replay) => OpenerNews::Loaded(Box::new(replay)),
        Err(error) => OpenerNews::NotLoaded(key, error.to_string()),
    }
}

fn load(
    key: &FindingKey,
    with: &Resources,
    reporter: &Reporter<'_, OpenerNews>,
) -> Result<ReplayState, StoreError> {
    let mut hear = |done, steps| {
        (reporter.progress)(OpenerNews::Progress(key.clone(), done, steps));
        if reporter.cancel.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let workspace = Workspace::open_to_read(&with.workspace)?;
    let stored = workspace.load_finding_hearing(key.campaign, &key.name, &mut hear)?;
    let source = ReplaySource {
        key: key.clone(),
        number: stored.id,
        specs: stored.plan.spec_facts(&shipped_with(with.phones.apps(), &stored.plan.plan.app)),
        plan: Arc::new(stored.plan.plan),
    };
    Ok(ReplayState::open(source, Arc::new(stored.finding)))
}
