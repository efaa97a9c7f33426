//! The initial steps of every test of an app: read from the workspace when the window opens, and written when they are
//! changed.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::disk::Job;
use crate::effect::Effect;
use crate::fuzz::{Campaigns, InitialSteps};
use crate::state::StudioState;
use taproof_results::store::read_initialisers;

/// Minimum number of seconds between two writes.
const REST: f64 = 1.0;

/// Reads the initial steps from the workspace.
pub(crate) fn load_first_steps(state: &mut StudioState) {
    for (app, read) in read_initialisers(&state.workspace) {
        match read {
            Ok(first) => drop(state.campaigns.kept_first.written.insert(app, InitialSteps::of(first))),
            Err(error) => {
                state.notify_failure(format!("Nothing is done first in tests of {app}: {error}"));
            }
        }
    }
    state.campaigns.form.first.clone_from(&state.campaigns.kept_first.written);
}

/// Writes changed initial steps, at most once per [`REST`] unless `at_once`. Invalid input is not written until it is
/// corrected.
pub(crate) fn keep_first_steps(campaigns: &mut Campaigns, now: f64, at_once: bool) -> Vec<Effect> {
    let (kept, first) = (&mut campaigns.kept_first, &campaigns.form.first);
    if *first == kept.written {
        return Vec::new();
    }
    let apps: BTreeSet<&String> = first.keys().chain(kept.written.keys()).collect();
    let changed = apps.into_iter().filter(|app| first.get(*app) != kept.written.get(*app));
    let due: Vec<_> = changed
        .filter_map(|app| {
            let now = first.get(app).cloned().unwrap_or_default();
            let means = now.stored().ok()?;
            Some((app.clone(), now, means))
        })
        .collect();
    if due.is_empty() {
        return Vec::new();
    }
    let left = REST - (now - kept.at);
    if left > 0.0 && !at_once {
        return vec![Effect::RepaintAfter(Duration::from_secs_f64(left))];
    }
    kept.at = now;
    let mut effects = Vec::new();
    for (app, now, means) in due {
        match first.contains_key(&app) {
            true => drop(kept.written.insert(app.clone(), now)),
            false => drop(kept.written.remove(&app)),
        }
        effects.push(Effect::Disk(Job::Initialiser(app, means)));
    }
    effects
}

/// Makes the recorded steps the initial steps of every test of their app.
pub(crate) fn do_first(state: &mut StudioState) {
    if let Err(reason) = state.can_do_first() {
        return state.notify_failure(reason);
    }
    let app = state.record.target.app.clone();
    let steps = Arc::new(state.record.initial_steps());
    let mut form = state.campaigns.form.clone();
    let before = form.first_of(&app);
    let first = InitialSteps { steps, ..before.clone() };
    let (count, label) = (first.count(), state.app(&app).map_or(&app, |app| &app.label).clone());
    form.do_first(&app, first);
    state.campaigns.edit_form(form);
    let instead = if before.steps.is_empty() { "" } else { ", instead of those before" };
    state.notify(format!(
        "Every test of {label} begins with {count} from now on{instead}. Fuzz shows it, and undo there takes it back."
    ));
}
