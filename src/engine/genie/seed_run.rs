//! What is stored of a seed test while its mutants are played, and of the errors that they showed.

use serde::{Deserialize, Serialize};

use super::mutant::Mutant;
use super::seed::SeedTest;
use crate::oracle::{DetourPause, ErrorKey};

/// The mutants of one seed test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SeedRun {
    pub(super) seed: SeedTest,
    /// Mutants still to be played, the next one last.
    pub(super) mutants: Vec<Mutant>,
    /// The campaign's events at which the next seed test has its turn.
    pub(super) until: u64,
    /// The errors seen; of those to be reported, the next one last.
    pub(super) errors: Vec<FoundError>,
    /// Whether no more mutants are played.
    pub(super) reporting: bool,
}

impl SeedRun {
    pub(super) fn new(seed: SeedTest, mutants: Vec<Mutant>, until: u64) -> SeedRun {
        SeedRun { seed, mutants, until, errors: Vec::new(), reporting: false }
    }
}

/// An error of a seed test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FoundError {
    pub(super) key: ErrorKey,
    /// Which widgets' effects were lost, whatever their texts.
    pub(super) kind: u64,
    /// The mutants that showed it.
    pub(super) count: u32,
    /// The first of them, and which of the campaign's it is.
    pub(super) mutant: Mutant,
    pub(super) number: u64,
    /// Where the control of that mutant rests, and how long.
    pub(super) pause: Option<DetourPause>,
    /// What that mutant was performed with: see [`data_of`](super::another_test::data_of).
    pub(super) data: u64,
}

impl FoundError {
    /// Whether it is merged into a reported error: it is of the same kind, or the same mutant showed both.
    pub(super) fn merges_into(&self, reported: &FoundError) -> bool {
        self.kind == reported.kind || self.number == reported.number
    }
}
