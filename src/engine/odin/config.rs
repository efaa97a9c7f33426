//! ODIN's settings and their defaults; `src/engine/odin/paper.md` describes where each is used.

use serde::{Deserialize, Serialize};

use crate::described;
use crate::oracle::may_belief::{MayBeliefConfig, Merging};

described! {
    /// ODIN's settings. [`Default`] has the values that `src/engine/odin/paper.md` gives.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct OdinConfig {
        /// How layouts become states of the model that calibration walks on: grouped by the events that they handle, or
        /// strict, as the paper merges them.
        pub merging: Merging = Merging::Grouped, paper "strict";
        /// Texts that are typed. Few, so that different inputs have equal texts.
        pub texts: Vec<String> = ["Hello", "123", "a", ""].map(str::to_owned).to_vec();
        /// Number of walks of one test, each from where the one before ended; 1 in the paper.
        pub walks: usize = 3, paper "1";
        /// Number of receivers of one event that are tried after one input; 1 in the paper.
        pub receivers: usize = 8, paper "1";
        /// Whether texts that the event contributes (typed, or shown by its receiver) are represented by their positions,
        /// so that one event on different rows is one behaviour (not in the paper).
        pub brought_texts: bool = MayBeliefConfig::default().brought_texts, paper "false";
        /// Whether clusters are dropped that something visible, or one thing done before, distinguishes from every belief,
        /// that only differ from several beliefs in texts, or that have an outcome which is usual for the event in other
        /// states (not in the paper): an app's correct responses to rare situations are rare as well.
        pub drop_explained: bool = MayBeliefConfig::default().drop_explained, paper "false";
        /// Whether events on rows of a list that act on another row are suspected (not in the paper).
        pub wrong_rows: bool = MayBeliefConfig::default().wrong_rows, paper "false";
    }
}

impl OdinConfig {
    /// How behaviours are judged.
    pub fn judging(&self) -> MayBeliefConfig {
        MayBeliefConfig {
            brought_texts: self.brought_texts,
            drop_explained: self.drop_explained,
            wrong_rows: self.wrong_rows,
            ..MayBeliefConfig::default()
        }
    }
}
