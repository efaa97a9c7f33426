//! PBFDroid's parameters and their defaults; `src/core/engine/pbfdroid/paper.md` says where each is used.

use serde::{Deserialize, Serialize};

use crate::engine::{AfterViolation, ExploreWeights, ExploreWith, RunPolicy};
use crate::spec::Dmf;

/// Which tests are run (`src/core/engine/pbfdroid/paper.md`, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Algorithm 1 with all DMFs.
    #[default]
    Full,
    /// One DMF at a time from a fresh start, no random events.
    A,
    /// Algorithm 1 with one DMF at a time.
    B,
}

impl Mode {
    /// The word that commands and files use.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Full => "full",
            Mode::A => "a",
            Mode::B => "b",
        }
    }
}

/// PBFDroid's parameters (`src/core/engine/pbfdroid/paper.md`, section 4.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PbfdroidConfig {
    /// Which tests are run.
    pub mode: Mode,
    /// Names of the DMFs that are run; empty: all. The block list is derived from all of them.
    pub only: Vec<String>,
    /// Events of a test.
    pub lmax: usize,
    /// Blanks in the urn: how often a random event is drawn, compared with the weights of the DMFs that are ready.
    pub blanks: u32,
    /// What happens to a test after a violation.
    pub after_violation: AfterViolation,
    /// Runs of one DMF in one test; 0 is no limit.
    pub dmf_cap: u32,
    /// Which explorer chooses the events between DMFs.
    pub explore: ExploreWith,
    /// Kinds of random events.
    pub weights: ExploreWeights,
    /// One random event in so many is an interruption: a call, a dark screen, a process that dies (ours); 0 is never.
    pub interrupt_every: usize,
    /// One run of a DMF in so many whose postconditions hold is followed by a neutral detour, such as turning the phone
    /// and back, after which they must still hold (ours); 0 is never.
    pub detour_every: usize,
    /// One random event in so many on the first screen is instead a way, known from earlier tests, to a DMF that is not
    /// ready there (ours); 0 is never.
    pub way_every: usize,
    /// Number of random events in a row on whose screens no DMF is ready, after which a test goes back to the first
    /// screen and from there such a way.
    pub lost_after: usize,
    /// Swipes that looking for one thing may take.
    pub scroll_limit: u32,
    /// Events after which the app is started again within a test; 0 is never.
    pub restart_every: usize,
}

impl Default for PbfdroidConfig {
    fn default() -> Self {
        PbfdroidConfig {
            mode: Mode::Full,
            only: Vec::new(),
            lmax: 200,
            blanks: 30,
            after_violation: AfterViolation::EndTest,
            dmf_cap: 0,
            explore: ExploreWith::Random,
            weights: ExploreWeights::default(),
            interrupt_every: 75,
            detour_every: 0,
            way_every: 3,
            lost_after: 15,
            scroll_limit: 24,
            restart_every: 0,
        }
    }
}

impl PbfdroidConfig {
    /// How a DMF of a recorded trace is run again.
    pub fn run_policy(&self) -> RunPolicy {
        RunPolicy {
            scroll_limit: self.scroll_limit,
            lead_in: self.mode == Mode::A,
            after_violation: self.after_violation,
        }
    }

    /// Whether a DMF is run at all.
    pub fn runs(&self, dmf: &Dmf) -> bool {
        dmf.weight > 0 && (self.only.is_empty() || self.only.contains(&dmf.name))
    }
}
