//! The findings of the workspace: lists them, opens them, marks them as seen.

use super::{FindingKey, HistoryCommand, Opening};
use crate::shell::Place;

use crate::app::Studio;
use crate::app::jobs::Job;

impl Studio {
    /// Executes a command of a panel about the findings.
    pub(crate) fn run_history(&mut self, command: HistoryCommand) {
        let history = &mut self.state.history;
        match command {
            HistoryCommand::Open(key) => self.open_finding(key),
            HistoryCommand::Close => {
                history.opening = None;
                self.state.replay = None;
            }
            HistoryCommand::Filter(filter) => history.set_filter(*filter),
            HistoryCommand::Minimise(key) => self.minimise_finding(key),
            HistoryCommand::StopMinimising => self.stop_minimising(),
            HistoryCommand::See(key, seen) => {
                if history.see(&key, seen) {
                    self.ask(Job::See(key, seen));
                }
            }
        }
    }

    /// Reads a finding from the disk and shows it, so that exactly what is stored is shown.
    pub(crate) fn open_finding(&mut self, key: FindingKey) {
        let title = self.state.history.get(&key).map_or_else(|| key.name.clone(), |row| row.title.clone());
        self.state.history.opening = Some(Opening { key: key.clone(), title, problem: None });
        self.state.settings.place = Place::Replay;
        self.ask(Job::Load(key));
    }
}
