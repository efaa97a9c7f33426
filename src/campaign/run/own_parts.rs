//! The parts of a campaign that no plan says.

use std::sync::Arc;

use taproof_engine::EngineSettings;
use taproof_engine::oracle::FrameOracle;

/// An engine and oracles that a plan cannot name, because they are implemented outside of this crate.
#[derive(Clone, Copy)]
pub struct OwnParts<'a> {
    /// The engine that runs instead of those of the plan.
    pub engine: &'a dyn EngineSettings,
    /// Oracles that judge every screen in addition to crashes and invariants.
    pub oracles: &'a [Arc<dyn FrameOracle>],
}
