//! What Fastbot2 shows in the window: which tier chose and why, and how much of the reused model was of use.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::choose::{Chosen, Tier};
use super::memory::{EventIdx, Knowledge, ReuseHits};
use super::rules::RuleMatches;

/// Number of recent choices that are stored for the window.
const KEPT: usize = 50;

/// What Fastbot2 shows in the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fastbot2View {
    /// Number of choices of each tier.
    pub tiers: BTreeMap<Tier, u64>,
    /// Number of events that no tier chose, by cause.
    pub other: OtherActs,
    /// Number of distinct states.
    pub states: usize,
    /// How much of the model of earlier runs was useful.
    pub reuse: ReuseHits,
    /// The last choices, oldest first.
    pub last: Vec<ChoiceLine>,
    /// Number of pages on which each user-defined rule matched.
    pub rules: RuleMatches,
    /// Number of user-defined sequences that ended early.
    pub broken_off: u64,
}

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

/// A choice and its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceLine {
    /// The tier that chose.
    pub tier: Tier,
    /// The chosen event, in words.
    pub event: String,
    /// Number of candidates that the tier could choose from.
    pub among: usize,
    /// Probability with which the event was chosen.
    pub chance: f64,
    /// The score that its weight was computed from: priority, E or Q.
    pub score: f64,
    /// The random number that decided, in [0, 1).
    pub draw: f64,
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
    draw: f64,
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
        let Chosen { tier, among, chance, score, draw, .. } = *chosen;
        self.last.push_back(Logged { event, tier, among: among as u32, chance, score, draw });
    }

    /// Number of choices of each tier.
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
