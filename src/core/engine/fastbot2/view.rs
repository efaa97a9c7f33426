//! What Fastbot2 says of itself: which tier chose and why, and of what use the reused model was.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::choose::{Chosen, Tier};
use super::memory::{EventIdx, Knowledge, ReuseHits};
use super::rules::RuleMatches;

/// Choices that are kept for people to look at.
const KEPT: usize = 50;

/// What Fastbot2 says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fastbot2View {
    /// Choices of each tier.
    pub tiers: BTreeMap<Tier, u64>,
    /// What was done that is no choice.
    pub other: OtherActs,
    /// States told apart.
    pub states: usize,
    /// Of what use the model of earlier runs was.
    pub reuse: ReuseHits,
    /// The last choices, oldest first.
    pub last: Vec<ChoiceLine>,
    /// On how many pages each of the tester's rules has matched.
    pub rules: RuleMatches,
    /// Event sequences that ended early.
    pub broken_off: u64,
}

/// What was done that is no choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherActs {
    /// Events of bursts.
    pub bursts: u64,
    /// The app was brought back to the front.
    pub starts: u64,
    /// Back, the app started again, and tests ended, as the page was stuck.
    pub stuck: [u64; 3],
    /// An activity was left that must not be entered.
    pub refused: u64,
    /// Pages on which there was nothing to do.
    pub nothing: u64,
}

/// A choice and its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceLine {
    /// Who chose.
    pub tier: Tier,
    /// What.
    pub event: String,
    /// How many the tier had to choose from.
    pub among: usize,
    /// The chance that it had.
    pub chance: f64,
    /// What it was weighed by: priority, E or Q.
    pub score: f64,
    /// The number drawn.
    pub draw: f64,
}

/// Counts choices and keeps the last ones.
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
    draw: f64,
}

impl ChoiceLog {
    /// Counts a choice whose reason is not kept.
    pub fn count(&mut self, tier: Tier) {
        *self.tiers.entry(tier).or_default() += 1;
    }

    /// Counts and keeps a choice.
    pub fn log(&mut self, event: EventIdx, chosen: &Chosen) {
        self.count(chosen.tier);
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        let Chosen { tier, among, chance, score, draw, .. } = *chosen;
        self.last.push_back(Logged { event, tier, among: among as u32, chance, score, draw });
    }

    /// The choices of each tier.
    pub fn tiers(&self) -> BTreeMap<Tier, u64> {
        Tier::ALL.iter().map(|tier| (*tier, self.tiers.get(tier).copied().unwrap_or(0))).collect()
    }

    /// The last choices, oldest first.
    pub fn last(&self, knowledge: &Knowledge) -> Vec<ChoiceLine> {
        let line = |logged: &Logged| ChoiceLine {
            tier: logged.tier,
            event: knowledge.event(logged.event).event.caption(),
            among: logged.among as usize,
            chance: logged.chance,
            score: logged.score,
            draw: logged.draw,
        };
        self.last.iter().map(line).collect()
    }
}
