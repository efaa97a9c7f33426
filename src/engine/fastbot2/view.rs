//! What Fastbot2 counts and tells of its choices: which tier chose, and why.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::choose::{Chosen, Tier};
use super::memory::{EventIdx, Knowledge};
use crate::{StatsRow, StatsTable};

/// Number of recent choices that are stored for the window.
const KEPT: usize = 50;

/// Events that no tier chose, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherActs {
    /// Number of events of random bursts.
    pub bursts: u64,
    /// How often the app was brought back to the foreground.
    pub starts: u64,
    /// How often a stuck page was left by Back, by restarting the app, and by ending the test.
    pub stuck: [u64; 3],
    /// How often an activity was left that must not be entered.
    pub refused: u64,
    /// Number of pages without any action.
    pub nothing: u64,
}

/// Counts choices and stores the last ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ChoiceLog {
    tiers: BTreeMap<Tier, u64>,
    last: VecDeque<Logged>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Logged {
    event: EventIdx,
    tier: Tier,
    among: u32,
    chance: f64,
    score: f64,
}

impl ChoiceLog {
    /// Counts a choice without storing its reason.
    pub fn count(&mut self, tier: Tier) {
        *self.tiers.entry(tier).or_default() += 1;
    }

    /// Counts and stores a choice.
    pub fn log(&mut self, event: EventIdx, chosen: &Chosen) {
        self.count(chosen.tier);
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        let Chosen { tier, among, chance, score, .. } = *chosen;
        self.last.push_back(Logged { event, tier, among: among as u32, chance, score });
    }

    /// Number of choices of each tier.
    pub fn tiers(&self) -> BTreeMap<Tier, u64> {
        Tier::ALL.iter().map(|tier| (*tier, self.tiers.get(tier).copied().unwrap_or(0))).collect()
    }

    /// The last choices with their reasons, the newest first.
    pub fn last_choices(&self, knowledge: &Knowledge) -> StatsTable {
        let row = |logged: &Logged| {
            StatsRow::of([
                logged.tier.word().to_owned(),
                logged.among.to_string(),
                format!("{:.1} %", logged.chance * 100.0),
                format!("{:.2}", logged.score),
                knowledge.event(logged.event).event.caption(),
            ])
        };
        StatsTable::new(
            ("Last choices", "the newest first"),
            [
                ("Tier", ""),
                ("Among", "How many the tier had to choose from"),
                ("Chance", "The chance that this one had"),
                ("Weight", "What it was weighed by: priority, expectation or Q"),
                ("Event", ""),
            ],
            ("No choice yet", "The reason of each choice is shown here."),
            self.last.iter().rev().map(row).collect(),
        )
    }
}
