//! PBFDroid's settings and their defaults; `src/engine/pbfdroid/paper.md` says where each is used.

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use crate::{AfterViolation, ExploreWeights, ExploreWith, described};

words! {
    /// Which tests are run (`src/engine/pbfdroid/paper.md`, section 5).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mode {
        /// Algorithm 1 with all DMFs.
        #[default]
        Full = "full",
        /// One DMF at a time from a fresh start, no random events.
        A = "a",
        /// Algorithm 1 with one DMF at a time.
        B = "b",
    }
    /// The word that commands and files use.
    pub fn word;
}

described! {
    /// PBFDroid's settings (`src/engine/pbfdroid/paper.md`, section 4.2).
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PbfdroidConfig {
        /// Which tests are run. full: all functions with random events between them; a: one function at a time, without
        /// random events; b: one function at a time with random events.
        pub mode: Mode = Mode::Full;
        /// The names of the functions that run; empty: all. The block list is derived from all of them.
        pub only: Vec<String> = Vec::new();
        /// Number of events of a test. The app then restarts with empty data.
        pub lmax: usize = 200;
        /// How often a random event is drawn, beside the weights of the functions that can start (the blanks in the urn).
        pub blanks: u32 = 30;
        /// Whether a test ends or goes on after a function did something else than it should. The published program goes on.
        pub after_violation: AfterViolation = AfterViolation::EndTest, paper "continue";
        /// What chooses the random events between functions.
        pub explore: ExploreWith = ExploreWith::Random;
        /// How often each kind of random event is drawn, beside the others: taps, long presses, swipes, texts, Back, a new
        /// start of the app, turning the phone and the keyboard's action key (the last two are not in the paper).
        pub weights: ExploreWeights = ExploreWeights::default(), paper "[40,30,40,30,5,1,0,0]";
        /// One random event in so many is an interruption: a call, a dark screen or the end of the process; 0 means never
        /// (not in the paper).
        pub interrupt_every: usize = 75, paper "0";
        /// One run of a function in so many whose postconditions hold is followed by a detour that must change nothing,
        /// such as turning the phone and back; 0 means never (not in the paper).
        pub detour_every: usize = 0;
        /// One random event in so many on the first screen is instead a way, known from earlier tests, to a function that
        /// cannot start there; 0 means never (not in the paper).
        pub way_every: usize = 3, paper "0";
        /// Whether a function that seldom ran after the last one is likelier than by its weight (not in the paper).
        pub balance: bool = true, paper "false";
        /// Whether a test ends with a function whose texts are left empty, which must not crash the app (not in the paper).
        pub empty_end: bool = true, paper "false";
    }
}
