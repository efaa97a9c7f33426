//! File dialogs of the platform. They are made on the main thread, which the platform wants, and waited for
//! on a thread of their own: the window goes on.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use rfd::AsyncFileDialog;

use crate::state::{FileKind, FileQuestion};
use taproof_core::worker::{self, CancelToken, PanicReport};

use super::now;

/// A dialog that is gone this soon was never there: nobody cancels so fast, and no dialog service answers.
const NO_SERVICE: Duration = Duration::from_millis(250);
/// A dialog that has shown nothing for this long may never come.
const SLOW: Duration = Duration::from_secs(2);

/// What came of asking.
pub(super) enum Chosen {
    /// This file or folder.
    Path(PathBuf),
    /// The person changed their mind.
    Nothing,
    /// There is nothing on this desktop that can ask.
    NoService,
}

type Answer = Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>>;

/// A dialog that is open. Dropping it forgets its answer; the dialog itself goes when it is answered.
pub(super) struct Dialog {
    answer: Receiver<Chosen>,
    asked: Instant,
}

impl Dialog {
    /// Asks with the platform's dialog.
    pub(super) fn open(
        question: &FileQuestion,
        folder: Option<&Path>,
        parent: &eframe::Frame,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Dialog> {
        let asked = now();
        let (told, answer) = bounded(1);
        let path = path(question, folder, parent);
        let work = move || {
            let chosen = match pollster::block_on(path) {
                Some(file) => Chosen::Path(file.path().to_owned()),
                None if asked.elapsed() < NO_SERVICE => Chosen::NoService,
                None => Chosen::Nothing,
            };
            // Nobody listens: it was answered in the window, or the window is gone.
            if told.send(chosen).is_ok() {
                wake();
            }
        };
        // A dialog that broke down drops the channel, and that is an answer too. Nobody joins the thread: a
        // dialog that never answers must not keep the program.
        let on_panic = |report: PanicReport| tracing::warn!(report.message, "a dialog broke");
        worker::spawn("file dialog", &CancelToken::new(), work, on_panic)?.leave();
        Ok(Dialog { answer, asked })
    }

    /// The answer, once there is one.
    pub(super) fn answer(&self) -> Option<Chosen> {
        match self.answer.try_recv() {
            Ok(chosen) => Some(chosen),
            Err(crossbeam_channel::TryRecvError::Empty) => None,
            Err(crossbeam_channel::TryRecvError::Disconnected) => Some(Chosen::NoService),
        }
    }

    /// How long until somebody may wonder where the dialog is.
    pub(super) fn patience(&self) -> Duration {
        SLOW.saturating_sub(self.asked.elapsed())
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
