//! Reads a finding that is opened, on a thread of its own: it does not wait behind what campaigns write, and can be
//! cancelled.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};

use super::{ReplaySource, ReplayState};
use crate::state::FindingKey;
use taproof_core::worker::{self, CancelToken, Latest, PanicReport, Worker};
use taproof_phone::Apps;
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

/// Handle of the thread. Dropping it cancels the reading and waits for the thread.
pub(crate) struct OpenWorker {
    key: FindingKey,
    progress: Latest<(usize, usize)>,
    end: Receiver<OpenerNews>,
    thread: Worker,
}

impl OpenWorker {
    pub fn start(
        key: FindingKey,
        (apps, workspace): (Apps, PathBuf),
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + 'static,
    ) -> std::io::Result<OpenWorker> {
        let (token, progress) = (CancelToken::new(), Latest::new());
        let (sender, end) = bounded(1);
        let (panicked, woken, of_panic) = (sender.clone(), wake.clone(), key.clone());
        let (cancel, slot, of) = (token.clone(), progress.clone(), key.clone());
        let work = move || {
            let mut hear = |done, steps| {
                slot.publish((done, steps));
                wake_later();
                if cancel.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let news = match load(&of, (&apps, &workspace), &mut hear) {
                Ok(replay) => OpenerNews::Loaded(Box::new(replay)),
                Err(error) => OpenerNews::NotLoaded(of, error.to_string()),
            };
            if sender.send(news).is_ok() {
                wake();
            }
        };
        let on_panic = move |report: PanicReport| {
            let text = format!("a mistake of Taproof\u{2019}s own ended it: {}", report.message);
            if panicked.send(OpenerNews::NotLoaded(of_panic, text)).is_ok() {
                woken();
            }
        };
        let thread = worker::spawn("open", &token, work, on_panic)?;
        Ok(OpenWorker { key, progress, end, thread })
    }

    /// Returns how far it has come, if that has changed, and whether it is over.
    pub fn news(&self) -> (Option<OpenerNews>, bool) {
        match self.end.try_recv() {
            Ok(end) => (Some(end), true),
            Err(_) => {
                let progress = self.progress.take();
                (progress.map(|(done, steps)| OpenerNews::Progress(self.key.clone(), done, steps)), false)
            }
        }
    }

    /// Returns the thread.
    pub fn retire(self) -> Worker {
        self.thread
    }
}

fn load(
    key: &FindingKey,
    (apps, workspace): (&Apps, &Path),
    hear: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<ReplayState, StoreError> {
    let stored = Workspace::open_to_read(workspace)?.load_finding_hearing(key.campaign, &key.name, hear)?;
    let source = ReplaySource {
        key: key.clone(),
        number: stored.id,
        specs: stored.plan.spec_facts(&shipped_with(apps, &stored.plan.plan.app)),
        plan: Arc::new(stored.plan.plan),
    };
    Ok(ReplayState::open(source, Arc::new(stored.finding)))
}
