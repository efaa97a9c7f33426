//! Genie's parameters (genie.md 4, 7, 8, 12).

use serde::{Deserialize, Serialize};

use super::Genie;
use crate::engine::{ConfigError, Engine, EngineInfo, EngineSettings, Setting};
use crate::model::{LabelBasis, TEXT_LIMIT, Trace};
use crate::oracle::{ContextLevel, EffectRule, PivotReturn, WidgetKind};
use crate::spec::Spec;

/// Genie's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GenieConfig {
    /// Events that mining the model takes at most.
    pub mining_events: u64,
    /// Of the campaign's events, in percent, that mining takes at most.
    pub mining_percent: u64,
    /// Events of one mining test.
    pub mining_test: usize,
    /// Seed tests of one batch whose mutants are played: those that change what the fewest walks do.
    pub seeds: usize,
    /// Walks of one batch that seed tests are chosen from (ours: the paper takes every one; a test can only lose an
    /// effect that it has, and most walks change little).
    pub seed_walks: u64,
    /// A walk is a seed test only if it does something that fewer walks than this did before.
    pub seeds_per_change: u32,
    /// Of the campaign's events, in percent, that making seed tests takes at most.
    pub seed_percent: u64,
    /// Percent of the walks that go on from where an earlier one did something rare (ours: chance alone hardly ever makes
    /// a test of ten steps that need each other).
    pub extended_percent: u32,
    /// Events of a seed test; one that goes on from another may have half as many more.
    pub seed_length: usize,
    /// Percent of a seed test's events that are chosen systematically, by weights of this test alone; the others are
    /// by chance.
    pub systematic_percent: u32,
    /// Percent of a seed test's events that are done to a widget which shows what the test has typed or touched, if there
    /// is one of the kind (ours: a test sees what became of its data only where it comes back to them).
    pub revisit_percent: u32,
    /// How long the second run of a seed test waits after each event, so that what shows the time is found out.
    pub second_run_wait_millis: u64,
    /// Events that the mutants of one seed test take at most.
    pub events_per_seed: u64,
    /// Of the campaign's events, in percent, that are left for showing errors once more.
    pub report_percent: u64,
    /// Mutants of the whole campaign that may show a kind of error (which widgets' effects were lost, whatever their
    /// texts) for it to be reported; 0: any number (ours: the one-occurrence filter across seed tests, for apps of which
    /// much is false).
    pub kind_limit: u32,
    /// Events of a detour at most (ours: half of the published tool's, as it plays some hundred times as many mutants).
    pub max_detour: usize,
    /// Detours looked for at each position of a seed test.
    pub mutants_per_position: usize,
    /// Inactive members of one group that a detour may begin with.
    pub views_per_group: usize,
    /// How often a detour may do the same thing in the same state.
    pub cycle_limit: usize,
    /// Partial detours that one search looks at.
    pub search_pops: usize,
    /// States most like the pivot that a detour may end in, beside its own (the published tool takes 2).
    pub near_pivots: usize,
    /// How alike pivot and end of the detour must be when it is played, in percent.
    pub pivot_percent: u32,
    /// The weight of an event that was never chosen.
    pub first_weight: f64,
    /// How often in a row an event may be chosen because it leads to others that were never chosen.
    pub child_wins: u32,
    /// Chosen events in a row without a new one after which chance takes over.
    pub idle_events: u32,
    /// Percent of random events that are touches or texts.
    pub touch_percent: f64,
    /// Percent that are long presses; the rest are swipes and Back.
    pub long_touch_percent: f64,
    /// Percent of Cancel-like choices that are exchanged for OK-like ones.
    pub commit_percent: u32,
    /// Events outside of the app before Back, and before a restart.
    pub outside_back: u32,
    /// See `outside_back`.
    pub outside_restart: u32,
    /// Whether content descriptions tell types of widgets apart in states; digits in them do not.
    pub descriptions: bool,
    /// Characters of a text beyond which it does not count.
    pub text_limit: usize,
    /// What must be equal for two effects to be partners.
    pub context: ContextLevel,
    /// Whether errors that differ in texts only are two.
    pub merge_with_texts: bool,
    /// Whether a detour must stay on the page of the pivot and those behind it (ours): going back to a page that it was
    /// opened from discards it, and what is opened then may be of another object.
    pub keep_page: bool,
    /// Whether a detour must come back to the very state that it left, with what stands in fields, is checked or
    /// selected and the headline as they were (ours): what a form holds is one input of what is done next.
    pub same_state: bool,
    /// Whether a detour leaves the objects alone that the seed test uses, such as the rows it touches, also those that are
    /// not the active ones of their groups any more, and does not stand on a page that was opened for one (ours): they
    /// are what the test depends on.
    pub keep_objects: bool,
    /// Whether a detour may touch what can be checked, or swipe (ours: not, as it switches how the app shows things from
    /// then on).
    pub detour_switches: bool,
    /// Whether mutants are judged in which an event found only another widget of the same kind than was meant.
    pub judge_unfaithful: bool,
    /// Whether an effect counts as lost only if its outcome does not show either (ours).
    pub visible_loss: bool,
    /// Whether only layouts of the seed test with one headline are compared (ours): one page that shows another thing
    /// is no effect.
    pub one_headline: bool,
    /// Whether on the pivot's page changes count from where the detour came back (ours): what it did itself is no effect
    /// of the seed test.
    pub from_pivot: bool,
    /// Whether errors that several mutants of one seed test show are reported, too.
    pub report_repeated: bool,
    /// Whether violations that hang on the choice among equally short edit scripts are reported, too.
    pub report_weak: bool,
    /// Widgets that are never compared.
    pub ignored: Vec<WidgetKind>,
    /// Lists in which the order of the children does not count.
    pub unordered: Vec<WidgetKind>,
}

impl Default for GenieConfig {
    fn default() -> Self {
        GenieConfig {
            mining_events: 2000,
            mining_percent: 10,
            mining_test: 200,
            seeds: 40,
            seed_walks: 400,
            seeds_per_change: 3,
            seed_percent: 35,
            extended_percent: 50,
            seed_length: 20,
            systematic_percent: 60,
            revisit_percent: 50,
            second_run_wait_millis: 10_000,
            events_per_seed: 2000,
            report_percent: 5,
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
            from_pivot: true,
            report_repeated: false,
            report_weak: false,
            ignored: Vec::new(),
            unordered: Vec::new(),
        }
    }
}

impl GenieConfig {
    /// What tells states apart.
    pub fn state_basis(&self) -> LabelBasis {
        LabelBasis { descriptions: self.descriptions, mask_digits: true, text_limit: self.text_limit }
    }

    /// What a detour must come back to.
    pub fn comes_back(&self) -> PivotReturn {
        PivotReturn { percent: self.pivot_percent, same_state: self.same_state, basis: self.state_basis() }
    }

    /// What tells widgets apart.
    pub fn widget_basis(&self) -> LabelBasis {
        LabelBasis { descriptions: true, mask_digits: false, text_limit: self.text_limit }
    }

    /// How effects are compared; `unstable` are widgets that differ between two runs of the seed test.
    pub fn rule(&self, unstable: &[WidgetKind]) -> EffectRule {
        EffectRule {
            context: self.context,
            merge_with_texts: self.merge_with_texts,
            visible_loss: self.visible_loss,
            one_headline: self.one_headline,
            from_pivot: self.from_pivot,
            comes_back: Some(self.comes_back()),
            text_limit: self.text_limit,
            ignored: self.ignored.iter().chain(unstable).cloned().collect(),
            unordered: self.unordered.clone(),
        }
    }
}

impl EngineSettings for GenieConfig {
    fn info(&self) -> &'static EngineInfo {
        &super::INFO
    }

    fn build(&self, setting: &Setting) -> Box<dyn Engine> {
        let seeds = setting.given.iter().map(|trace| Trace::clone(trace)).collect();
        Box::new(Genie::new(self.clone()).with_seeds(seeds))
    }

    fn begins_with_traces(&self) -> Option<&'static str> {
        Some("its first seed tests")
    }

    fn check(&self, _spec: &Spec) -> Result<(), ConfigError> {
        let engine = super::INFO.name;
        let wrong =
            |what, given: String, wanted| Err(ConfigError::OutOfRange { engine, what, given, wanted });
        if self.seed_length == 0 {
            return wrong("seed_length", self.seed_length.to_string(), "at least 1");
        }
        if self.max_detour == 0 {
            return wrong("max_detour", self.max_detour.to_string(), "at least 1");
        }
        let drawn = self.touch_percent + self.long_touch_percent;
        let percents = [self.touch_percent, self.long_touch_percent];
        if !drawn.is_finite() || drawn > 100.0 || percents.iter().any(|percent| *percent < 0.0) {
            return wrong("touch_percent and long_touch_percent", drawn.to_string(), "together 0 to 100");
        }
        Ok(())
    }
}
