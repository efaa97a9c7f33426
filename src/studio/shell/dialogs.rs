//! The platform's file dialogs. They are created on the main thread, as platforms require, but awaited on a separate
//! thread so that the window stays responsive.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use rfd::AsyncFileDialog;

use super::dialog_service::has_dialogs;
use crate::command::{FileKind, FileQuestion};
use crate::wall_clock::now;
use taproof_core::worker::{self, CancelToken, PanicReport};

/// A dialog that ends without an answer within this time was never shown: no person cancels so fast, so the dialog
/// service does not work.
const NO_SERVICE: Duration = Duration::from_millis(250);
/// After this time without an answer, the status bar offers the window's own file chooser instead. If not even the
/// dialog service has answered by then, there is none.
const SLOW: Duration = Duration::from_secs(2);

/// The outcome of a dialog.
pub(crate) enum Chosen {
    /// The chosen file or folder.
    Path(PathBuf),
    /// The dialog was cancelled.
    Nothing,
    /// This desktop has no dialog service, or the dialog failed.
    NoService,
}

type Answer = Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>>;

/// An open dialog. Dropping it discards the answer; the dialog itself stays until it is answered.
pub(crate) struct Dialog {
    answer: Receiver<Chosen>,
    asked: Instant,
    /// Whether the platform can show dialogs. `false` until it has answered.
    served: Arc<AtomicBool>,
}

impl Dialog {
    /// Opens the platform's dialog. `wake` is called once it is answered.
    pub(crate) fn open(
        question: &FileQuestion,
        folder: Option<&Path>,
        parent: &eframe::Frame,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Dialog> {
        let asked = now();
        let (sender, answer) = bounded(1);
        let path = path(question, folder, parent);
        let served = Arc::new(AtomicBool::new(false));
        let serves = Arc::clone(&served);
        let work = move || {
            let chosen = if has_dialogs() {
                serves.store(true, Ordering::Release);
                answered(path)
            } else {
                Chosen::NoService
            };
            // The receiver is gone if the question was answered in the window or the window was closed.
            if sender.send(chosen).is_ok() {
                wake();
            }
        };
        // If the thread panics, the channel is disconnected, which counts as an answer. The thread is not joined: an
        // unanswered dialog must not keep the program alive.
        let on_panic = |report: PanicReport| tracing::warn!(report.message, "a dialog broke");
        worker::spawn("file dialog", &CancelToken::new(), work, on_panic)?.leave();
        Ok(Dialog { answer, asked, served })
    }

    /// Returns the outcome, or `None` while the dialog is open.
    pub(crate) fn answer(&self) -> Option<Chosen> {
        match self.answer.try_recv() {
            Ok(chosen) => Some(chosen),
            Err(crossbeam_channel::TryRecvError::Empty) => {
                let silent = !self.served.load(Ordering::Acquire) && self.patience().is_zero();
                silent.then_some(Chosen::NoService)
            }
            Err(crossbeam_channel::TryRecvError::Disconnected) => Some(Chosen::NoService),
        }
    }

    /// Time left until the status bar offers the window's own file chooser. Zero once that is due.
    pub(crate) fn patience(&self) -> Duration {
        SLOW.saturating_sub(self.asked.elapsed())
    }
}

/// Waits for the answer.
fn answered(path: Answer) -> Chosen {
    let shown = now();
    match pollster::block_on(path) {
        Some(file) => Chosen::Path(file.path().to_owned()),
        None if shown.elapsed() < NO_SERVICE => Chosen::NoService,
        None => Chosen::Nothing,
    }
}

fn path(question: &FileQuestion, folder: Option<&Path>, parent: &eframe::Frame) -> Answer {
    let mut dialog = AsyncFileDialog::new().set_title(question.title.as_str()).set_parent(parent);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    if !question.name.is_empty() {
        dialog = dialog.set_file_name(question.name.as_str());
    }
    if !question.extensions.is_empty() {
        dialog = dialog.add_filter(question.extensions.join(", "), &question.extensions);
    }
    match question.kind {
        FileKind::Open => Box::pin(dialog.pick_file()),
        FileKind::Save => Box::pin(dialog.save_file()),
        FileKind::Folder => Box::pin(dialog.pick_folder()),
    }
}
