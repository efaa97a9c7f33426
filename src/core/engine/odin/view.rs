//! What the window shows of ODIN.

use serde::{Deserialize, Serialize};

use super::{OdinState, Phase};
use crate::oracle::may_belief::Judgement;

/// Events that are shown.
const MOST_EVENTS: usize = 200;
/// Clusters of one event that are shown.
const MOST_CLUSTERS: usize = 12;

/// What the window shows of ODIN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OdinView {
    /// What it is doing.
    pub phase: String,
    /// States of the model.
    pub states: usize,
    /// Of these: with inputs enough.
    pub served: usize,
    /// Inputs calibrated.
    pub inputs: usize,
    /// Distinct layouts.
    pub layouts: usize,
    /// Events appended to inputs.
    pub appended: u64,
    /// Minority outcomes that stood out.
    pub stood_out: u64,
    /// Of these: replayed and reported.
    pub reported: u64,
    /// Views whose words change by themselves.
    pub volatile: usize,
    /// How the behaviours of each event cluster, the most interesting first.
    pub events: Vec<EventView>,
}

/// How the behaviours of one event in one state cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventView {
    /// The activity.
    pub activity: String,
    /// The event, in words.
    pub event: String,
    /// The rules in force, in the order in which they were chosen.
    pub rules: Vec<String>,
    /// The clusters, the largest first.
    pub clusters: Vec<ClusterView>,
    /// Clusters that are not shown, and the behaviours in them.
    pub rest: (usize, usize),
}

/// One cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterView {
    /// How many behaviours.
    pub size: usize,
    /// What they do.
    pub sentences: Vec<String>,
    /// Whether it stands out.
    pub minority: bool,
    /// Whether it is believed.
    pub believed: bool,
}

impl EventView {
    pub(super) fn new(activity: String, event: String, judged: &Judgement) -> Self {
        let found = &judged.clustering;
        let mut clusters: Vec<ClusterView> = found
            .clusters
            .iter()
            .enumerate()
            .map(|(place, cluster)| ClusterView {
                size: cluster.members.len(),
                sentences: judged.sentences[place].clone(),
                minority: found.flagged.contains(&place),
                believed: found.beliefs.contains(&place),
            })
            .collect();
        // What stands out is shown, however many clusters are larger.
        clusters.sort_by_key(|cluster| (!cluster.minority, std::cmp::Reverse(cluster.size)));
        let rest = clusters.split_off(clusters.len().min(MOST_CLUSTERS));
        let rest = (rest.len(), rest.iter().map(|cluster| cluster.size).sum());
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.size));
        let rules = found.chosen.iter().map(|rule| rule.name().to_owned()).collect();
        EventView { activity, event, rules, clusters, rest }
    }

    /// How many behaviours it is about.
    pub fn behaviours(&self) -> usize {
        self.clusters.iter().map(|cluster| cluster.size).sum::<usize>() + self.rest.1
    }

    /// Whether something stands out, and how large the majority is beside it.
    fn interest(&self) -> (bool, usize, usize) {
        let minority = self.clusters.iter().any(|cluster| cluster.minority);
        (minority, usize::from(self.clusters.len() > 1), self.behaviours())
    }
}

impl OdinState {
    pub(super) fn phase_words(&self) -> String {
        match self.phase {
            Phase::Exploring => format!("exploring: {} states so far", self.model.inputs.len()),
            Phase::Calibrating => format!(
                "calibrating and manifesting: {} walks, {} events appended",
                self.counts.walks, self.counts.appended
            ),
            Phase::Replaying => format!("replaying what stands out: {} left", self.suspects.len() + 1),
        }
    }

    pub(super) fn view(&self, min_inputs: usize) -> OdinView {
        let mut events: Vec<EventView> = self.views.values().cloned().collect();
        events.sort_by_key(|event| std::cmp::Reverse(event.interest()));
        events.truncate(MOST_EVENTS);
        let inputs = || self.model.inputs.values().map(|inputs| inputs.count);
        OdinView {
            phase: self.phase_words(),
            states: self.model.inputs.len(),
            served: inputs().filter(|count| *count >= min_inputs).count(),
            inputs: inputs().sum(),
            layouts: self.model.layout_count(),
            appended: self.counts.appended,
            stood_out: self.counts.stood_out,
            reported: self.counts.reported,
            volatile: self.model.volatile.len(),
            events,
        }
    }
}
