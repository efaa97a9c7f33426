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
        pub merging: Merging,
        /// Texts that are typed. Few, so that different inputs have equal texts.
        pub texts: Vec<String>,
        /// Number of walks of one test, each from where the one before ended; 1 in the paper.
        pub walks: usize,
        /// Number of receivers of one event that are tried after one input; 1 in the paper.
        pub receivers: usize,
        /// Whether texts that the event contributes (typed, or shown by its receiver) are represented by their positions,
        /// so that one event on different rows is one behaviour (not in the paper).
        pub brought_texts: bool,
        /// Whether clusters are dropped that something visible, or one thing done before, distinguishes from every belief,
        /// that only differ from several beliefs in texts, or that have an outcome which is usual for the event in other
        /// states (not in the paper): an app's correct responses to rare situations are rare as well.
        pub drop_explained: bool,
        /// Whether events on rows of a list that act on another row are suspected (not in the paper).
        pub wrong_rows: bool,
    }
}

/// The settings as in the paper.
pub(super) const PAPER: &[(&str, &str)] = &[
    ("merging", "strict"),
    ("walks", "1"),
    ("receivers", "1"),
    ("brought_texts", "false"),
    ("drop_explained", "false"),
    ("wrong_rows", "false"),
];

impl Default for OdinConfig {
    fn default() -> Self {
        let judging = MayBeliefConfig::default();
        OdinConfig {
            merging: Merging::Grouped,
            texts: ["Hello", "123", "a", ""].map(str::to_owned).to_vec(),
            walks: 3,
            receivers: 8,
            brought_texts: judging.brought_texts,
            drop_explained: judging.drop_explained,
            wrong_rows: judging.wrong_rows,
        }
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
