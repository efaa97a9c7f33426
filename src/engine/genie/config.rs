//! Genie's settings and their defaults; `src/engine/genie/paper.md` describes where each is used.

use serde::{Deserialize, Serialize};

use crate::described;
use crate::oracle::layout_effects::LabelBasis;
use crate::oracle::{ContextLevel, EffectRule, PivotReturn, WidgetKind};

/// What the labels that define states consist of. One for all states: otherwise one concrete id would have two abstract
/// ids (`src/engine/genie/paper.md`, section 14, trap 4).
pub(super) const STATE_BASIS: LabelBasis = LabelBasis { descriptions: true, mask_digits: true };
/// How similar the pivot and the end of the detour must be when it is played, in percent (the paper's;
/// `src/engine/genie/paper.md`, section 10).
const PIVOT_PERCENT: u32 = 50;

described! {
    /// Genie's settings. [`Default`] has the values that `src/engine/genie/paper.md` gives.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GenieConfig {
        /// Number of events of a seed test. One that continues another may have half as many more.
        pub seed_length: usize = 20, paper "15";
        /// Maximum number of events for the mutants of one seed test.
        pub events_per_seed: u64 = 750;
        /// Maximum number of events of a detour (half of the published tool's, which plays some hundred times as many
        /// mutants).
        pub max_detour: usize = 4, paper "8";
        /// Whether walks look for what few walks do, and only those that do something rare become seed tests (not in the
        /// paper, which takes every walk: a test can only lose an effect that it has, and most walks change little).
        pub rare_walks: bool = true, paper "false";
        /// Whether detours are also played that are no path of the model: visits, reopenings and parts of walks (not in
        /// the paper).
        pub passing_detours: bool = true, paper "false";
        /// Whether a detour must stay on the pivot's page and the pages that it opens (not in the paper): going back to a
        /// page that the pivot's was opened from discards it, and a page that is then opened may show another object.
        pub keep_page: bool = true, paper "false";
        /// Whether a detour must come back to exactly the state that it left, including the contents of fields, what is
        /// checked or selected, and the headline (not in the paper): the content of a form is an input of the next event.
        pub same_state: bool = true, paper "false";
        /// Whether a detour leaves the objects alone that the seed test uses, such as the rows it touches, even those that
        /// are no longer active in their groups, and does not begin on a page that was opened for one (not in the paper):
        /// the test depends on them.
        pub keep_objects: bool = true, paper "false";
        /// What must be equal for two effects to be partners: the widget itself, as in the published tool, or what is
        /// around it.
        pub context: ContextLevel = ContextLevel::default(), paper "widget";
        /// Whether an effect only counts as lost if its result is not visible either (not in the paper).
        pub visible_loss: bool = true, paper "false";
        /// Whether only layouts of the seed test with the same headline are compared (not in the paper): a page that shows
        /// another object is no effect.
        pub one_headline: bool = true, paper "false";
        /// Whether what the pivot's page lacks when the detour comes back counts as lost, if the detour cannot have meant
        /// to take it away (not in the paper, in which a detour may take away anything).
        pub at_return: bool = true, paper "false";
        /// Whether errors that several mutants of one seed test show are reported as well, each once and after those of
        /// single mutants. Without it, only the latter are (the paper's one-occurrence filter).
        pub report_repeated: bool = true, paper "false";
    }
}

impl GenieConfig {
    /// What a detour must come back to.
    pub fn comes_back(&self) -> PivotReturn {
        PivotReturn { percent: PIVOT_PERCENT, same_state: self.same_state, basis: STATE_BASIS }
    }

    /// How effects are compared. `unstable` are the kinds of widgets that differ between two runs of the seed test.
    pub fn rule(&self, unstable: &[WidgetKind]) -> EffectRule {
        EffectRule {
            context: self.context,
            visible_loss: self.visible_loss,
            one_headline: self.one_headline,
            comes_back: Some(self.comes_back()),
            at_return: self.at_return,
            ignored: unstable.to_vec(),
        }
    }
}
