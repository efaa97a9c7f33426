//! What happens to the recordings with time.

use super::RecordState;
use crate::specs::DiskTask;
use std::collections::BTreeMap;

/// What happens to the recordings with time. All times are in seconds of the window's clock.
#[derive(Default)]
pub(crate) struct RecordClock {
    /// When the timer of the recording was last advanced. `None` while it stands.
    pub advanced: Option<f64>,
    /// The revision of all recordings when they were last written.
    pub revision: u64,
    /// When they were last written.
    pub at: f64,
    /// The revision of each recording, by the word that names its draft.
    words: BTreeMap<String, u64>,
}

impl RecordClock {
    /// Returns the disk tasks that write changed recordings and remove those that are gone.
    pub fn jobs(&mut self, record: &RecordState, now: f64) -> Vec<DiskTask> {
        (self.revision, self.at) = (record.revision(), now);
        let before = std::mem::take(&mut self.words);
        let mut jobs = Vec::new();
        for (unsaved, revision) in record.unsaved_ones() {
            let word = unsaved.draft_word().to_owned();
            if before.get(&word) != Some(&revision) {
                jobs.push(DiskTask::KeepRecording(word.clone(), Box::new(unsaved.copy())));
            }
            self.words.insert(word, revision);
        }
        let gone = before.into_keys().filter(|word| !self.words.contains_key(word));
        jobs.extend(gone.map(DiskTask::ForgetRecording));
        jobs
    }
}
