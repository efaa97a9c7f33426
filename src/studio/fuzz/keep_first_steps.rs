//! The initial steps of every test of an app: read from the workspace when the window opens, and written when they are
//! changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::InitialSteps;
use taproof_results::store::read_initialisers;

use crate::app::Studio;
use crate::app::jobs::Job;

/// Minimum number of seconds between two writes.
const REST: f64 = 1.0;

/// The initial steps in the workspace, by app, and when they were last written there (seconds of the window's clock).
#[derive(Default)]
pub(crate) struct KeptInitial {
    written: BTreeMap<String, InitialSteps>,
    at: f64,
}

impl Studio {
    /// Reads the initial steps from the workspace.
    pub(crate) fn load_initialisers(&mut self) {
        for (app, read) in read_initialisers(&self.workspace) {
            match read {
                Ok(first) => drop(self.kept_initial.written.insert(app, InitialSteps::of(first))),
                Err(error) => {
                    self.state.notify_failure(format!("Nothing is done first in tests of {app}: {error}"));
                }
            }
        }
        self.state.campaigns.form.first.clone_from(&self.kept_initial.written);
    }

    /// Writes changed initial steps, at most once per [`REST`] unless `at_once`. Invalid input is not written until it
    /// is corrected.
    pub(crate) fn keep_initialisers(&mut self, at_once: bool) {
        let (kept, first) = (&mut self.kept_initial, &self.state.campaigns.form.first);
        if *first == kept.written {
            return;
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
            return;
        }
        let now = self.ctx.input(|input| input.time);
        let left = REST - (now - kept.at);
        if left > 0.0 && !at_once {
            return self.ctx.request_repaint_after(Duration::from_secs_f64(left));
        }
        kept.at = now;
        let mut jobs = Vec::new();
        for (app, now, means) in due {
            match first.contains_key(&app) {
                true => drop(kept.written.insert(app.clone(), now)),
                false => drop(kept.written.remove(&app)),
            }
            jobs.push(Job::Initialiser(app, means));
        }
        jobs.into_iter().for_each(|job| self.ask(job));
    }

    /// Makes the recorded steps the initial steps of every test of their app.
    pub(crate) fn do_first(&mut self) {
        if let Err(reason) = self.state.can_do_first() {
            return self.state.notify_failure(reason);
        }
        let app = self.state.record.target.app.clone();
        let steps = Arc::new(self.state.record.initial_steps());
        let mut form = self.state.campaigns.form.clone();
        let before = form.first_of(&app);
        let first = InitialSteps { steps, ..before.clone() };
        let (count, label) = (first.count(), self.state.app(&app).map_or(&app, |app| &app.label).clone());
        form.do_first(&app, first);
        self.state.campaigns.edit_form(form);
        let instead = if before.steps.is_empty() { "" } else { ", instead of those before" };
        self.state.notify(format!(
            "Every test of {label} begins with {count} from now on{instead}. Fuzz shows it, and undo there takes it back."
        ));
    }
}
