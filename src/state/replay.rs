//! Stepping through a finding; what there is to say of a step is `report`'s.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::campaigns::CampaignId;
use crate::campaign::Finding;
use crate::mirror::Screenshot;
use crate::report::{ReplayFrame, replay_frame};

/// Moves the cursor of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayCommand {
    /// To the first step.
    First,
    /// One step back.
    Back,
    /// One step on.
    Next,
    /// To the last step.
    Last,
    /// To this step, from 0.
    Goto(usize),
    /// Starts or stops going on by itself.
    Play,
    /// Time to go on, while it plays.
    Tick,
}

/// A finding that is stepped through.
pub struct ReplayState {
    /// The campaign that found it.
    pub campaign: CampaignId,
    /// What is replayed.
    pub finding: Arc<Finding>,
    /// The step shown, from 0.
    pub step: usize,
    /// Whether it goes on by itself.
    pub playing: bool,
    /// Decoded pictures by frame; `None` while one is on its way.
    pub pictures: BTreeMap<usize, Option<Screenshot>>,
}

impl ReplayState {
    /// A finding at its first step.
    pub fn open(campaign: CampaignId, finding: Arc<Finding>) -> Self {
        ReplayState { campaign, finding, step: 0, playing: false, pictures: BTreeMap::new() }
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.finding.minimal.trace.len()
    }

    /// Moves the cursor.
    pub fn run(&mut self, command: ReplayCommand) {
        let last = self.steps().saturating_sub(1);
        self.step = match command {
            ReplayCommand::First => 0,
            ReplayCommand::Back => self.step.saturating_sub(1),
            ReplayCommand::Next => self.step + 1,
            ReplayCommand::Last => last,
            ReplayCommand::Goto(step) => step,
            ReplayCommand::Play => {
                // Played to the end: begin anew.
                let again = !self.playing && self.step == last;
                if again { 0 } else { self.step }
            }
            ReplayCommand::Tick => self.step + usize::from(self.playing),
        }
        .min(last);
        self.playing = match command {
            ReplayCommand::Play => !self.playing && last > 0,
            ReplayCommand::Tick => self.playing && self.step < last,
            ReplayCommand::First | ReplayCommand::Back | ReplayCommand::Next => false,
            ReplayCommand::Last | ReplayCommand::Goto(_) => false,
        };
    }

    /// What is shown now.
    pub fn frame(&self) -> Option<ReplayFrame> {
        replay_frame(&self.finding, self.step)
    }
}
