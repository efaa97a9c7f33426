//! Saves the phone's path as a trace or a regression test, and opens saved traces.

use std::path::PathBuf;
use std::sync::Arc;

use super::{KeepCommand, TakeOver, TestDraft, TraceSource, opened_trace, saved_way};
use crate::command::Command;
use crate::record::RecordCommand;
use crate::shell::{FileCommand, FileKind, FilePurpose, FileQuestion};
use taproof_core::campaign::SavedTrace;

use crate::app::Studio;
use crate::app::jobs::Job;

const NO_FRESH_START: &str =
    "This way cannot be kept: it did not begin with a fresh app on the bundled phone.";

impl Studio {
    /// Executes a command of a panel about saving the path.
    pub(crate) fn run_keep(&mut self, command: KeepCommand) {
        match command {
            KeepCommand::Trace => match saved_way(&self.state.mirror.walked, self.stands()) {
                Some(saved) => self.ask_where(saved, "Keep as a trace", "trace.json"),
                None => self.state.notify_failure(NO_FRESH_START),
            },
            KeepCommand::Test => {
                // If the phone branched off a trace, the test is about the branch.
                let branch = self.state.takeover.as_ref().filter(|taken| taken.branched());
                let from = branch.map_or(0, |taken| taken.prefix);
                let draft = TestDraft::of_way(&self.state.mirror.walked, from, self.stands());
                if draft.is_none() {
                    self.state.notify_failure(NO_FRESH_START);
                }
                self.state.keep = draft;
            }
            KeepCommand::Function(from) => {
                self.commands.push(Command::Record(RecordCommand::Take(from)));
            }
            KeepCommand::Demand(place, demanded) => {
                let demands = self.state.keep.as_mut().map(|draft| &mut draft.demands);
                if let Some(demand) = demands.and_then(|demands| demands.get_mut(place)) {
                    demand.1 = demanded;
                }
            }
            KeepCommand::Pick(picking) => {
                if let Some(draft) = &mut self.state.keep {
                    draft.picking = picking;
                }
            }
            KeepCommand::Picked(idx) => {
                let layout = self.state.mirror.layout().cloned();
                if let (Some(draft), Some(layout)) = (&mut self.state.keep, layout) {
                    draft.demand_shown(&layout, idx);
                }
            }
            KeepCommand::Save => {
                // The draft stays until it is written, since the file dialog may be cancelled.
                if let Some(saved) = self.state.keep.as_ref().map(TestDraft::finished) {
                    self.ask_where(saved, "Keep as a regression test", "test.json");
                }
            }
            KeepCommand::Cancel => self.state.keep = None,
            KeepCommand::Open => {
                let question = FileQuestion {
                    purpose: FilePurpose::OpenTrace,
                    kind: FileKind::Open,
                    title: "Open a kept trace".to_owned(),
                    name: String::new(),
                    extensions: vec!["json"],
                };
                self.commands.push(Command::File(FileCommand::Ask(Box::new(question))));
            }
        }
    }

    fn stands(&self) -> usize {
        self.state.mirror.shown.as_ref().map_or(0, |shown| shown.place.step)
    }

    fn ask_where(&mut self, saved: SavedTrace, title: &str, name: &str) {
        let question = FileQuestion {
            purpose: FilePurpose::SaveTrace(Arc::new(saved)),
            kind: FileKind::Save,
            title: title.to_owned(),
            name: name.to_owned(),
            extensions: vec!["json"],
        };
        self.commands.push(Command::File(FileCommand::Ask(Box::new(question))));
    }

    /// Writes a trace on the disk thread.
    pub(crate) fn save_trace(&mut self, path: PathBuf, saved: Arc<SavedTrace>) {
        self.ask(Job::SaveTrace(path, saved));
    }

    /// Reads a trace on the disk thread.
    pub(crate) fn open_trace_file(&mut self, path: PathBuf) {
        self.ask(Job::OpenTrace(path));
    }

    /// Leads the phone to the start of a trace that was read, if there is one.
    pub(crate) fn take_opened(&mut self) {
        if let Some(saved) = self.state.opened.take() {
            let source = TraceSource::Given(opened_trace(&saved));
            self.commands.push(Command::TakeOver(TakeOver::At(source, 0)));
        }
    }
}
