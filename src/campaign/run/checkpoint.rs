//! Checkpoints: the state of one engine of a campaign after a completed round, from which the campaign is resumed after
//! it was killed.
//!
//! On the bundled phone, a resumed campaign performs exactly the events of one that was never interrupted. Every round
//! begins with cleared data or from a saved state, so besides the statistics and what was learned only the device's
//! clock and the engine's saved states matter. The saved states are recreated by replaying their traces.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::confirm::KnownViolations;
use crate::{CampaignPlan, Finding, RunCounts};
use taproof_engine::device::{AppData, AppId, Device, DeviceError};
use taproof_engine::oracle::may_belief::TestPool;
use taproof_engine::worker::in_turn;
use taproof_engine::{
    CampaignStats, CheckpointError, EngineConfig, StateSnapshot, from_checkpoint, write_checkpoint,
};
use taproof_screen::determinism::{DeviceInstant, hash_text};

/// Number of the format, to be increased when anything that a checkpoint contains changes. One byte, written before the
/// version of the program.
const FORMAT: u8 = 15;
/// The version of this program; checkpoints of other versions are rejected.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The state of one engine of a campaign after a completed round, as it was read.
#[derive(Deserialize)]
pub struct Checkpoint {
    plan: u64,
    /// Number of completed rounds.
    pub(crate) round: u64,
    /// Number of consecutive rounds without an event.
    pub(crate) barren: u32,
    /// The device's clock after the last round.
    pub(crate) now: DeviceInstant,
    pub(crate) stats: CampaignStats,
    pub(crate) known: KnownViolations,
    pub(crate) pool: Option<TestPool>,
    /// The engine's own state, serialised by itself.
    pub(crate) engine: Vec<u8>,
}

/// What a [`Checkpoint`] is written from: its fields in the same order. Nothing is copied, since a campaign knows a lot.
#[derive(Serialize)]
pub(crate) struct CheckpointParts<'p> {
    pub plan: u64,
    pub round: u64,
    pub barren: u32,
    pub now: DeviceInstant,
    pub stats: &'p CampaignStats,
    pub known: &'p KnownViolations,
    pub pool: Option<&'p TestPool>,
    pub engine: &'p [u8],
}

/// A checkpoint as it is stored, with the counts of its moment.
#[derive(Clone)]
pub struct SavedCheckpoint {
    bytes: Vec<u8>,
    counts: RunCounts,
}

/// The state from which one engine of a campaign is resumed, and what it had reported until then.
pub struct Resumption {
    /// The engine's state after its last completed round.
    pub checkpoint: Checkpoint,
    /// The findings reported before the interruption, in the order in which they were found, including those after the
    /// checkpoint.
    pub findings: Vec<Arc<Finding>>,
    /// Wall time that the engine had run before the interruption.
    pub spent: Duration,
}

impl SavedCheckpoint {
    /// Serialises a checkpoint.
    pub(crate) fn of(parts: &CheckpointParts<'_>) -> Result<Self, CheckpointError> {
        let mut bytes = vec![FORMAT, PROGRAM.len() as u8];
        bytes.extend_from_slice(PROGRAM.as_bytes());
        in_turn(|| write_checkpoint(parts, &mut bytes))?;
        Ok(SavedCheckpoint { bytes, counts: RunCounts::of(parts.stats) })
    }

    /// What [`Checkpoint::read`] reads.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The counts at the time of the checkpoint.
    pub fn counts(&self) -> &RunCounts {
        &self.counts
    }
}

impl Checkpoint {
    /// Reads a checkpoint of this engine and plan from the database.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::OtherFormat`] if another version of the program wrote it, and [`CheckpointError::Unusable`]
    /// if it is damaged or was written for another plan or other settings of the engine.
    pub fn read(bytes: &[u8], plan: &CampaignPlan, engine: &EngineConfig) -> Result<Self, CheckpointError> {
        let bad = |problem: &str| CheckpointError::Unusable { problem: problem.to_owned() };
        let (format, program, rest) = start_of(bytes).ok_or_else(|| bad("it has no beginning"))?;
        if (format, program) != (FORMAT, PROGRAM) {
            let program = program.to_owned();
            return Err(CheckpointError::OtherFormat { format, program, known: FORMAT, this: PROGRAM });
        }
        let checkpoint: Checkpoint = from_checkpoint(rest)?;
        if checkpoint.plan != hash_of(plan, engine) {
            return Err(bad("it belongs to another plan"));
        }
        Ok(checkpoint)
    }

    /// Number of events performed until the checkpoint.
    pub fn events(&self) -> u64 {
        self.stats.events
    }
}

/// Splits off the number of the format and the version of the program that wrote it; every format begins with these
/// two. Returns them and the remaining bytes, or `None` if the bytes are too short.
fn start_of(bytes: &[u8]) -> Option<(u8, &str, &[u8])> {
    let (format, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first()?;
    let (program, rest) = rest.split_at_checked(usize::from(*length))?;
    Some((*format, std::str::from_utf8(program).ok()?, rest))
}

/// Hash of the plan and the engine's settings. A plan can always be serialised as JSON, so the default is never used.
pub(crate) fn hash_of(plan: &CampaignPlan, engine: &EngineConfig) -> u64 {
    let text = serde_json::to_string(&(plan, engine)).unwrap_or_default();
    let seeds: Vec<u64> = plan.seed_traces.iter().map(|seed| seed.content).collect();
    let mut text = format!("{text} {:?} {seeds:?}", plan.spec);
    if let Some(first) = &plan.initialiser {
        let events: Vec<_> = first.steps.iter().map(|step| &step.event).collect();
        text += &format!(" {events:?} {:?}", first.ready);
    }
    hash_text(&text)
}

/// Restores a fresh device to a checkpoint: recreates each saved state of the engine by replaying its trace, then sets
/// the clock to `now`. A state whose screen is not reached again gets no snapshot, and the engine replays its trace
/// when it needs the state.
pub(crate) fn bring_back(
    device: &mut dyn Device,
    app: &str,
    now: DeviceInstant,
    states: Vec<&mut StateSnapshot>,
) -> Result<(), DeviceError> {
    // A device whose clock cannot be set does not reach a state at its time again, so snapshots are not recreated
    // there.
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
