//! What does not change during a campaign.

use std::sync::Arc;

use crate::oracle::FrameOracle;
use taproof_screen::{Initialiser, Trace};
use taproof_spec::{Block, CommittingWords, CompiledDmf, CompiledSpec, Spec, TestRules, derived_blocks};

/// What does not change during a campaign: the app and its compiled specification.
#[derive(Clone, Debug)]
pub struct TestTarget {
    /// Package name of the app under test.
    pub app: String,
    /// The specification, compiled for judging.
    pub spec: CompiledSpec,
    /// What exploration must not do: actions that change data, or something else that the DMFs rely on, written by hand
    /// and derived.
    pub guards: Vec<Block>,
    /// Those of the guards that apply to every engine, also to one that does not guard the data.
    pub blocks: Vec<Block>,
    /// The words of widgets that change data; `None` if somebody wrote what exploration must not do.
    pub words: Option<CommittingWords>,
    /// Whether random events must not change the data that DMFs change.
    pub guards_data: bool,
    /// Recorded traces to start from; how they are used depends on the engine.
    pub seed_traces: Vec<Arc<Trace>>,
    /// Whether tests begin with the data that the app already holds.
    pub keeps_data: bool,
    /// The steps of the app that precede its tests, if there are any.
    pub first_steps: Option<Arc<Initialiser>>,
    /// The tester's rules.
    pub rules: TestRules,
    /// Oracles of one's own, which no plan can name and which judge every screen in addition to crashes and invariants.
    pub oracles: Vec<Arc<dyn FrameOracle>>,
}

impl TestTarget {
    /// Compiles a specification for an app. `guards_data`: whether random events must not change the data.
    pub fn new(app: &str, spec: &Spec, guards_data: bool) -> Self {
        let mut guards = spec.blocks.clone();
        guards.extend(derived_blocks(spec));
        let mut blocks = guards.clone();
        blocks.retain(|block| block.every_engine);
        TestTarget {
            app: app.to_owned(),
            spec: CompiledSpec::new(spec),
            guards,
            blocks,
            words: (spec.blocks.is_empty() && !spec.dmfs.is_empty()).then(|| CommittingWords::of(spec)),
            guards_data,
            seed_traces: Vec::new(),
            keeps_data: false,
            first_steps: None,
            rules: TestRules::default(),
            oracles: Vec::new(),
        }
    }

    /// What exploration must not do, depending on whether it guards the data.
    pub fn blocks_where(&self, guards_data: bool) -> &[Block] {
        if guards_data { &self.guards } else { &self.blocks }
    }

    /// As the steps before each test say whether the app's data are kept.
    #[must_use]
    pub fn beginning_with(self, first: Option<&Arc<Initialiser>>) -> Self {
        TestTarget {
            keeps_data: first.is_some_and(|first| first.keep_data),
            first_steps: first.cloned(),
            ..self
        }
    }

    /// Adds the tester's rules.
    #[must_use]
    pub fn with_rules(self, rules: TestRules) -> Self {
        TestTarget { rules, ..self }
    }

    /// Adds recorded traces to start from.
    #[must_use]
    pub fn with_seed_traces(self, seed_traces: Vec<Arc<Trace>>) -> Self {
        TestTarget { seed_traces, ..self }
    }

    /// The DMFs in file order.
    pub fn dmfs(&self) -> &[CompiledDmf] {
        &self.spec.dmfs
    }
}
