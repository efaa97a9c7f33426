//! Questions for files, asked by the platform's dialog or, without one, by a chooser in the window.

use std::path::PathBuf;

use super::{Asking, ChooserCommand, FileChooser, FileCommand, FilePurpose, FileQuestion, HOME_FOLDER};
use crate::command::Command;
use crate::fuzz::{CampaignCommand, SeedChoice};
use crate::specs::DocumentCommand;

use super::dialogs::{Chosen, Dialog};
use crate::app::Studio;
use crate::app::jobs::Job;

impl Studio {
    /// Executes a command about the question for a file: asks, takes the answer, or cancels.
    pub(crate) fn run_file(&mut self, command: FileCommand) {
        match command {
            FileCommand::Ask(question) => {
                if self.state.asking.is_some() || self.state.chooser.is_some() {
                    self.state.notify_failure("Answer the open question for a file first.");
                } else if self.state.settings.own_dialogs {
                    self.choose_here(*question);
                } else {
                    self.state.asking = Some(Asking { question: *question, slow: false });
                }
            }
            FileCommand::Here => {
                if let Some(asking) = self.state.asking.take() {
                    self.choose_here(asking.question);
                }
            }
            FileCommand::Chosen(purpose, path) => {
                self.end_question();
                self.state.settings.been_at(&path);
                self.chosen(purpose, path);
            }
            FileCommand::Cancel => self.end_question(),
            FileCommand::Chooser(command) => self.run_chooser(command),
        }
    }

    fn end_question(&mut self) {
        self.state.asking = None;
        self.state.chooser = None;
        self.dialog = None;
    }

    fn chosen(&mut self, purpose: FilePurpose, path: PathBuf) {
        match purpose {
            FilePurpose::SaveTrace(saved) => self.save_trace(path, saved),
            FilePurpose::Export(command) => self.export_to(command, path),
            FilePurpose::SeedWalk | FilePurpose::SeedTrace => {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
                let seed = SeedChoice { word: path.display().to_string(), title: name };
                self.run_campaign(CampaignCommand::BeginWith(seed));
            }
            FilePurpose::OpenTrace => self.open_trace_file(path),
            FilePurpose::OpenWalk => self.commands.push(Command::OpenWalk(path)),
            FilePurpose::OpenSpec => self.run_document(DocumentCommand::Open(path)),
            FilePurpose::InstallApp(serial) => self.install_on(&serial, path),
            FilePurpose::SaveSpec(id) => self.run_document(DocumentCommand::SaveAs(id, path)),
            FilePurpose::ExportBlocks(id) => self.run_document(DocumentCommand::ExportBlocks(id, path)),
        }
    }

    /// Opens the platform's dialog for a pending question. The window is its parent.
    pub(crate) fn ask_for_file(&mut self, frame: &eframe::Frame) {
        let Some(asking) = self.state.asking.as_ref().filter(|_| self.dialog.is_none()) else { return };
        let folder = self.state.settings.recent_folders.first();
        match Dialog::open(&asking.question, folder.map(PathBuf::as_path), frame, self.wake()) {
            Ok(dialog) => {
                self.ctx.request_repaint_after(dialog.patience());
                self.dialog = Some(dialog);
            }
            Err(_) => self.run_file(FileCommand::Here),
        }
    }

    /// Takes the answer of the platform's dialog or of the chooser in the window.
    pub(crate) fn take_answer(&mut self) {
        let asked = self.state.asking.as_ref().map(|asking| &asking.question);
        let question = asked.or(self.state.chooser.as_ref().map(|chooser| &chooser.question)).cloned();
        let here = self.state.chooser.as_mut().and_then(|chooser| chooser.answer.take());
        if let (Some(path), Some(question)) = (here, &question) {
            return self.run_file(FileCommand::Chosen(question.purpose.clone(), path));
        }
        let Some(dialog) = &self.dialog else { return };
        match (dialog.answer(), question) {
            // The first answer counts.
            (Some(Chosen::Path(path)), Some(question)) => {
                self.run_file(FileCommand::Chosen(question.purpose, path));
            }
            (Some(Chosen::NoService), _) => {
                self.dialog = None;
                self.run_file(FileCommand::Here);
            }
            (Some(Chosen::Nothing | Chosen::Path(_)), _) => {
                self.dialog = None;
                self.state.asking = None;
            }
            (None, _) => {
                if let Some(asking) = &mut self.state.asking {
                    asking.slow = dialog.patience().is_zero();
                }
            }
        }
    }

    fn choose_here(&mut self, question: FileQuestion) {
        let home = std::env::home_dir();
        let here = std::env::current_dir().ok();
        let recent = self.state.settings.recent_folders.clone();
        let first = recent.first().or(here.as_ref()).or(home.as_ref()).cloned();
        let mut places: Vec<(String, PathBuf)> = Vec::new();
        let named =
            [(HOME_FOLDER, home), ("Started here", here), ("Workspace", Some(self.workspace.clone()))];
        for (name, path) in named {
            if let Some(path) = path.and_then(|path| std::path::absolute(path).ok()) {
                places.push((name.to_owned(), path));
            }
        }
        for path in recent {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            places.push((name, path));
        }
        self.state.chooser = Some(FileChooser::new(question, first.unwrap_or_default(), places));
        self.look_for_chooser();
    }

    fn run_chooser(&mut self, command: ChooserCommand) {
        if let Some(chooser) = &mut self.state.chooser {
            chooser.run(command);
        }
        self.look_for_chooser();
        // An answer that needs no file access is taken in the next pass.
        self.take_answer();
    }

    fn look_for_chooser(&mut self) {
        let wanted = self.state.chooser.as_ref().and_then(FileChooser::wants).map(PathBuf::from);
        if let Some(path) = wanted {
            self.ask(Job::Look(path));
        }
    }
}
