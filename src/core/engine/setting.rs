//! What does not change during a campaign.

use std::sync::Arc;

use crate::model::Trace;
use crate::spec::{Block, CompiledDmf, CompiledSpec, Spec, derived_blocks};

/// What does not change during a campaign: the app and its specification, made ready.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The package of the app under test.
    pub app: String,
    /// The specification, ready to be judged.
    pub spec: CompiledSpec,
    /// What must not be done: what is written by hand for every engine and, where the data are guarded, all that
    /// may commit some.
    pub blocks: Vec<Block>,
    /// What changes data, or what else the DMFs rely on: written by hand and derived.
    pub guards: Vec<Block>,
    /// Recorded traces to begin with; each engine makes of them what it can.
    pub given: Vec<Arc<Trace>>,
}

impl Setting {
    /// Makes a specification ready for an app. `guards_data`: random events must leave the data alone.
    pub fn new(app: &str, spec: &Spec, guards_data: bool) -> Self {
        let mut guards = spec.blocks.clone();
        guards.extend(derived_blocks(spec));
        let mut blocks = guards.clone();
        blocks.retain(|block| guards_data || block.every_engine);
        Setting { app: app.to_owned(), spec: CompiledSpec::new(spec), blocks, guards, given: Vec::new() }
    }

    /// The same with recorded traces to begin with.
    #[must_use]
    pub fn with_given(self, given: Vec<Arc<Trace>>) -> Self {
        Setting { given, ..self }
    }

    /// The DMFs in file order.
    pub fn dmfs(&self) -> &[CompiledDmf] {
        &self.spec.dmfs
    }
}
