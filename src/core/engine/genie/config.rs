//! Genie's parameters and their defaults; `src/core/engine/genie/paper.md` describes where each is used.

use serde::{Deserialize, Serialize};

use crate::model::{LabelBasis, TEXT_LIMIT, described};
use crate::oracle::{ContextLevel, EffectRule, PivotReturn, WidgetKind};

described! {
    /// Genie's parameters. [`Default`] has the values that `src/core/engine/genie/paper.md` gives.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct GenieConfig {
        /// Maximum number of events for mining the model.
        pub mining_events: u64,
        /// Maximum percentage of the campaign's events for mining.
        pub mining_percent: u64,
        /// Number of events of one mining test.
        pub mining_test: usize,
        /// Percentage of the mining events after which Back closes again what they opened (not in the paper), by which
        /// detours are known that only open and close pages.
        pub close_percent: u32,
        /// Maximum number of walks that are kept to choose seed tests from, and to continue: those that change what the
        /// fewest walks change (not in the paper, which takes every walk; a test can only lose an effect that it has, and
        /// most walks change little).
        pub seeds: usize,
        /// Number of walks before the first seed test is chosen, unless they take more than `walk_percent` of the campaign.
        pub first_walks: u64,
        /// A walk becomes a seed test only if it does something that fewer than this many walks did before.
        pub seeds_per_change: u32,
        /// Percentage of the events, of those for walks and for mutants, that go to walks.
        pub walk_percent: u64,
        /// Percentage of the walks that continue from a point at which an earlier walk did something rare (not in the
        /// paper; chance alone hardly ever produces a test of ten steps that depend on each other).
        pub extended_percent: u32,
        /// Number of events of a seed test. One that continues another may have half as many more.
        pub seed_length: usize,
        /// Percentage of a seed test's events that are chosen systematically, by weights of this test alone; the others are
        /// chosen at random.
        pub systematic_percent: u32,
        /// Percentage of a seed test's events that are redirected to a widget which shows what the test has typed or
        /// touched, if there is one of the same kind (not in the paper; a test only sees the effect on its data if it comes
        /// back to them).
        pub revisit_percent: u32,
        /// How long the second run of a seed test waits after each event, in milliseconds, so that widgets that show the
        /// time are detected.
        pub second_run_wait_millis: u64,
        /// Maximum number of events for the mutants of one seed test.
        pub events_per_seed: u64,
        /// Maximum number of mutants of the whole campaign that may show a kind of error (which widgets' effects were lost,
        /// whatever their texts) for it to be reported; 0 means no limit (not in the paper: the one-occurrence filter
        /// across seed tests, for apps with many false errors).
        pub kind_limit: u32,
        /// Maximum number of events of a detour (half of the published tool's, which plays some hundred times as many
        /// mutants).
        pub max_detour: usize,
        /// Number of detours that are searched for at each position of a seed test.
        pub mutants_per_position: usize,
        /// Number of inactive members of one group that a detour may begin with.
        pub views_per_group: usize,
        /// How often a detour may perform the same event in the same state.
        pub cycle_limit: usize,
        /// Number of partial detours that one search expands.
        pub search_pops: usize,
        /// Number of further states of the pivot's activity, those most similar to the pivot's, in which a detour may end
        /// (the published tool takes 2).
        pub near_pivots: usize,
        /// How similar the pivot and the end of the detour must be when it is played, in percent.
        pub pivot_percent: u32,
        /// The weight of an event that was never chosen.
        pub first_weight: f64,
        /// How often in a row an event may be chosen because it leads to events that were never chosen.
        pub child_wins: u32,
        /// Number of consecutive chosen events without a new one after which the choice is random for a while.
        pub idle_events: u32,
        /// Percentage of random events that are touches or texts.
        pub touch_percent: f64,
        /// Percentage of random events that are long presses; the rest are swipes and Back.
        pub long_touch_percent: f64,
        /// Percentage of Cancel-like choices that are replaced by OK-like ones.
        pub commit_percent: u32,
        /// Unused: outside of the app every walk presses Back at once. Still here because stored plans have this setting.
        pub outside_back: u32,
        /// Number of consecutive events outside of the app after which the walk ends; the next test restarts the app.
        pub outside_restart: u32,
        /// Whether content descriptions are part of the widget types that define a state; their digits never are.
        pub descriptions: bool,
        /// Maximum length of a text in characters; longer ones are ignored.
        pub text_limit: usize,
        /// What must be equal for two effects to be partners.
        pub context: ContextLevel,
        /// Whether errors that only differ in texts are two errors.
        pub merge_with_texts: bool,
        /// Whether a detour must stay on the pivot's page and the pages that it opens (not in the paper): going back to a
        /// page that the pivot's was opened from discards it, and a page that is then opened may show another object.
        pub keep_page: bool,
        /// Whether a detour must come back to exactly the state that it left, including the contents of fields, what is
        /// checked or selected, and the headline (not in the paper): the content of a form is an input of the next event.
        pub same_state: bool,
        /// Whether a detour leaves the objects alone that the seed test uses, such as the rows it touches, even those that
        /// are no longer active in their groups, and does not begin on a page that was opened for one (not in the paper):
        /// the test depends on them.
        pub keep_objects: bool,
        /// Whether a detour may touch checkable widgets or swipe (not by default, since this changes how the app shows
        /// things from then on; not in the paper).
        pub detour_switches: bool,
        /// Whether mutants are judged in which an event only found another widget of the same kind than was meant.
        pub judge_unfaithful: bool,
        /// Whether an effect only counts as lost if its result is not visible either (not in the paper).
        pub visible_loss: bool,
        /// Whether only layouts of the seed test with the same headline are compared (not in the paper): a page that shows
        /// another object is no effect.
        pub one_headline: bool,
        /// Whether changes on the pivot's page only count from where the detour came back (not in the paper, and not by
        /// default): the detour's own changes are no effects of the seed test. It hides what happened before the detour.
        // On pairs made of a recorded run it flags 42 of 326 losses and 2 of 495 others, without it 70 and none.
        pub from_pivot: bool,
        /// Whether what the pivot's page lacks when the detour comes back counts as lost, if the detour cannot have meant to
        /// take it away (not in the paper, in which a detour may take away anything).
        pub at_return: bool,
        /// Maximum number of events of a detour that a walk has performed as it is, from a page back to that page.
        pub longest_loop: usize,
        /// Number of widgets of the pivot that one detour opens and closes by Back, each twice.
        pub visits: usize,
        /// Whether errors that several mutants of one seed test show are reported as well, each once and after those of
        /// single mutants. Without it, only the latter are (the paper's one-occurrence filter).
        pub report_repeated: bool,
        /// Whether violations that depend on the choice among equally short edit scripts are reported as well.
        pub report_weak: bool,
        /// Widgets that are never compared.
        pub ignored: Vec<WidgetKind>,
        /// Lists in which the order of the children is ignored.
        pub unordered: Vec<WidgetKind>,
    }
}

impl Default for GenieConfig {
    fn default() -> Self {
        GenieConfig {
            mining_events: 2000,
            mining_percent: 10,
            mining_test: 200,
            close_percent: 25,
            seeds: 120,
            first_walks: 100,
            seeds_per_change: 3,
            walk_percent: 25,
            extended_percent: 50,
            seed_length: 20,
            systematic_percent: 60,
            revisit_percent: 50,
            second_run_wait_millis: 10_000,
            events_per_seed: 750,
            kind_limit: 0,
            max_detour: 4,
            mutants_per_position: 200,
            views_per_group: 3,
            cycle_limit: 2,
            search_pops: 1000,
            near_pivots: 0,
            pivot_percent: 50,
            first_weight: 100.0,
            child_wins: 5,
            idle_events: 100,
            touch_percent: 60.0,
            long_touch_percent: 35.0,
            commit_percent: 59,
            outside_back: 5,
            outside_restart: 10,
            descriptions: true,
            text_limit: TEXT_LIMIT,
            context: ContextLevel::default(),
            merge_with_texts: true,
            keep_page: true,
            same_state: true,
            keep_objects: true,
            detour_switches: false,
            judge_unfaithful: false,
            visible_loss: true,
            one_headline: true,
            from_pivot: false,
            at_return: true,
            longest_loop: 8,
            visits: 3,
            report_repeated: true,
            report_weak: false,
            ignored: Vec::new(),
            unordered: Vec::new(),
        }
    }
}

impl GenieConfig {
    /// What the labels that define states consist of.
    pub fn state_basis(&self) -> LabelBasis {
        LabelBasis { descriptions: self.descriptions, mask_digits: true, text_limit: self.text_limit }
    }

    /// What a detour must come back to.
    pub fn comes_back(&self) -> PivotReturn {
        PivotReturn { percent: self.pivot_percent, same_state: self.same_state, basis: self.state_basis() }
    }

    /// What the labels by which widgets are located again consist of.
    pub fn widget_basis(&self) -> LabelBasis {
        LabelBasis { descriptions: true, mask_digits: false, text_limit: self.text_limit }
    }

    /// How effects are compared. `unstable` are the kinds of widgets that differ between two runs of the seed test.
    pub fn rule(&self, unstable: &[WidgetKind]) -> EffectRule {
        EffectRule {
            context: self.context,
            merge_with_texts: self.merge_with_texts,
            visible_loss: self.visible_loss,
            one_headline: self.one_headline,
            from_pivot: self.from_pivot,
            comes_back: Some(self.comes_back()),
            at_return: self.at_return,
            text_limit: self.text_limit,
            ignored: self.ignored.iter().chain(unstable).cloned().collect(),
            unordered: self.unordered.clone(),
        }
    }
}
