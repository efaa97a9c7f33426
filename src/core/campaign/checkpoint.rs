//! Going on after a kill: what one engine of a campaign knew after its last whole round.
//!
//! On the bundled phone a campaign that goes on from here does the same, event by event, as one that was never
//! interrupted: every round begins with a cleared app or a saved state, so beside what was counted and learned only
//! the device's clock and the engine's saved states matter, and these are brought about again from their traces.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::confirm::Known;
use super::{CampaignPlan, Finding, RunCounts};
use crate::determinism::{DeviceInstant, hash_text};
use crate::device::{AppData, AppId, Device, DeviceError};
use crate::engine::{CheckpointError, EngineConfig, Ledger, Saved, from_checkpoint, to_checkpoint};
use crate::oracle::may_belief::TestPool;

/// Changes with everything that a checkpoint is made of.
const FORMAT: u32 = 5;

/// What one engine of a campaign knew after a whole round.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint {
    format: u32,
    program: String,
    plan: u64,
    /// Rounds done.
    pub(super) round: u64,
    /// Rounds in a row without an event.
    pub(super) barren: u32,
    /// The device's clock.
    pub(super) now: DeviceInstant,
    pub(super) ledger: Ledger,
    pub(super) engine: Vec<u8>,
    pub(super) known: Known,
    pub(super) pool: Option<TestPool>,
}

/// Where an engine goes on, and what it had told until then.
pub struct Resumption {
    /// What it knew.
    pub checkpoint: Checkpoint,
    /// Its findings so far, in the order of finding.
    pub findings: Vec<Arc<Finding>>,
}

impl Checkpoint {
    pub(super) fn new(plan: &CampaignPlan, engine: &EngineConfig, parts: CheckpointParts<'_>) -> Self {
        Checkpoint {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            plan: hash_of(plan, engine),
            round: parts.round,
            barren: parts.barren,
            now: parts.now,
            ledger: parts.ledger.clone(),
            engine: parts.engine,
            known: parts.known.clone(),
            pool: parts.pool.cloned(),
        }
    }

    /// As the database keeps it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(self)
    }

    /// From the database, for this engine of this plan.
    pub fn read(bytes: &[u8], plan: &CampaignPlan, engine: &EngineConfig) -> Result<Self, CheckpointError> {
        let bad = |problem: &str| CheckpointError { problem: problem.to_owned() };
        let (format, program): (u32, String) = from_checkpoint_start(bytes)?;
        if format != FORMAT || program != env!("CARGO_PKG_VERSION") {
            return Err(bad(&format!("it is of version {program}")));
        }
        let checkpoint: Checkpoint = from_checkpoint(bytes)?;
        if checkpoint.plan != hash_of(plan, engine) {
            return Err(bad("it belongs to another plan"));
        }
        Ok(checkpoint)
    }

    /// What was counted until then.
    pub fn counts(&self) -> RunCounts {
        RunCounts::of(&self.ledger)
    }

    /// Events performed until then.
    pub fn events(&self) -> u64 {
        self.ledger.events
    }
}

/// What a checkpoint is made of.
pub(super) struct CheckpointParts<'p> {
    pub round: u64,
    pub barren: u32,
    pub now: DeviceInstant,
    pub ledger: &'p Ledger,
    pub engine: Vec<u8>,
    pub known: &'p Known,
    pub pool: Option<&'p TestPool>,
}

/// The first two fields, which every format has.
fn from_checkpoint_start(bytes: &[u8]) -> Result<(u32, String), CheckpointError> {
    let start = postcard::take_from_bytes(bytes).map(|(start, _)| start);
    start.map_err(|error| CheckpointError { problem: error.to_string() })
}

/// Changes with the plan and the engine's settings. What is planned can always be written as JSON.
fn hash_of(plan: &CampaignPlan, engine: &EngineConfig) -> u64 {
    let text = serde_json::to_string(&(plan, engine)).unwrap_or_default();
    let given: Vec<u64> = plan.given.iter().map(|given| given.content).collect();
    let mut text = format!("{text} {:?} {given:?}", plan.spec);
    if let Some(first) = &plan.initialiser {
        let events: Vec<_> = first.steps.iter().map(|step| &step.event).collect();
        text += &format!(" {events:?} {:?}", first.ready);
    }
    hash_text(&text)
}

/// Brings a fresh device to where a campaign stood: first to each state that the engine holds, then to the clock of
/// the checkpoint. A state that is not reached again keeps no snapshot: the engine then walks to it when it needs it.
pub(super) fn bring_back(
    device: &mut dyn Device,
    app: &str,
    now: DeviceInstant,
    states: Vec<&mut Saved>,
) -> Result<(), DeviceError> {
    // On a device with a clock of its own no state comes at its time again: the engine walks there.
    let sets_clock = device.resume_clock(device.now());
    if device.info().snapshots && sets_clock {
        let fresh = device.save_snapshot()?;
        for saved in states {
            device.restore_snapshot(fresh)?;
            device.resume_clock(saved.launched());
            device.launch(&AppId(app.to_owned()), AppData::Clear)?;
            for step in saved.trace().steps() {
                device.perform(&step.event)?;
            }
            let there = device.observe()?;
            if there.layout == saved.frame().layout && there.at == saved.frame().at {
                saved.attach(device.save_snapshot()?);
            }
        }
        device.restore_snapshot(fresh)?;
        device.drop_snapshot(fresh);
    }
    device.resume_clock(now);
    Ok(())
}
