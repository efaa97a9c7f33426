//! What does not change during a campaign.

use crate::spec::{Block, CompiledDmf, CompiledSpec, Spec, derived_blocks};

/// What does not change during a campaign: the app and its specification, made ready.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The package of the app under test.
    pub app: String,
    /// The specification, ready to be judged.
    pub spec: CompiledSpec,
    /// What random exploration must not do: written by hand and, where the data
    /// are guarded, derived.
    pub blocks: Vec<Block>,
}

impl Setting {
    /// Makes a specification ready for an app. `guards_data`: random events must leave the data alone.
    pub fn new(app: &str, spec: &Spec, guards_data: bool) -> Self {
        let mut blocks = spec.blocks.clone();
        if guards_data {
            blocks.extend(derived_blocks(spec));
        }
        Setting { app: app.to_owned(), spec: CompiledSpec::new(spec), blocks }
    }

    /// The DMFs in file order.
    pub fn dmfs(&self) -> &[CompiledDmf] {
        &self.spec.dmfs
    }
}
