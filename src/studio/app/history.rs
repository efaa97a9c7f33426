//! The findings of the workspace: listed, opened, marked as seen.

use crate::state::{FindingKey, HistoryCommand, Opening, Place};

use super::Studio;
use super::jobs::Job;

impl Studio {
    /// Does what a panel asked for.
    pub(super) fn run_history(&mut self, command: HistoryCommand) {
        let history = &mut self.state.history;
        match command {
            HistoryCommand::Open(key) => self.open_finding(key),
            HistoryCommand::Close => {
                history.opening = None;
                self.state.replay = None;
            }
            HistoryCommand::Filter(filter) => history.set_filter(*filter),
            HistoryCommand::See(key, seen) => {
                if history.see(&key, seen) {
                    self.ask(Job::See(key, seen));
                }
            }
        }
    }

    /// Reads a finding from the disk and shows it: what is shown is what was kept.
    pub(super) fn open_finding(&mut self, key: FindingKey) {
        let title = self.state.history.get(&key).map_or_else(|| key.name.clone(), |row| row.title.clone());
        self.state.history.opening = Some(Opening { key: key.clone(), title, problem: None });
        self.state.settings.place = Place::Replay;
        self.ask(Job::Load(key));
    }
}
