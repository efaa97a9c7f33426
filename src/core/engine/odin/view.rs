//! What the window shows of ODIN.

use serde::{Deserialize, Serialize};

use crate::oracle::may_belief::Judgement;

/// Maximum number of clusters of one event that are shown.
const MOST_CLUSTERS: usize = 12;

/// What the window shows of ODIN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OdinView {
    /// The engine's phase, in words.
    pub phase: String,
    /// Number of states of the model.
    pub states: usize,
    /// Number of states with enough inputs.
    pub served: usize,
    /// Number of inputs that ended in some state, from recorded traces and calibration.
    pub inputs: usize,
    /// Number of distinct layouts that are stored.
    pub layouts: usize,
    /// Number of events that were appended to inputs.
    pub appended: u64,
    /// Number of minority outcomes that were suspected.
    pub stood_out: u64,
    /// Number of these that were replayed and reported.
    pub reported: u64,
    /// Number of views whose texts change by themselves.
    pub volatile: usize,
    /// How the behaviours of each event cluster, the most interesting first.
    pub events: Vec<EventView>,
}

/// How the behaviours of one event in one state cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventView {
    /// The activity in which the event is performed, as `package/class`.
    pub activity: String,
    /// The event, in words.
    pub event: String,
    /// The active rules of abstraction, in the order in which they were chosen.
    pub rules: Vec<String>,
    /// The clusters, the largest first.
    pub clusters: Vec<ClusterView>,
    /// Number of clusters that are not shown, and of the behaviours in them.
    pub rest: (usize, usize),
}

/// One cluster of behaviours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterView {
    /// Number of behaviours in the cluster.
    pub size: usize,
    /// What these behaviours change, in a few lines.
    pub sentences: Vec<String>,
    /// Whether the cluster is a suspected minority.
    pub minority: bool,
    /// Whether the cluster is believed to be correct.
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
        // A suspected minority is shown, however many clusters are larger.
        clusters.sort_by_key(|cluster| (!cluster.minority, std::cmp::Reverse(cluster.size)));
        let rest = clusters.split_off(clusters.len().min(MOST_CLUSTERS));
        let rest = (rest.len(), rest.iter().map(|cluster| cluster.size).sum());
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.size));
        let rules = found.chosen.iter().map(|rule| rule.name().to_owned()).collect();
        EventView { activity, event, rules, clusters, rest }
    }

    /// Number of behaviours in all clusters.
    pub fn behaviours(&self) -> usize {
        self.clusters.iter().map(|cluster| cluster.size).sum::<usize>() + self.rest.1
    }

    /// Sort key: whether there is a suspected minority, whether there are several clusters, and the number of
    /// behaviours.
    pub(super) fn interest(&self) -> (bool, usize, usize) {
        let minority = self.clusters.iter().any(|cluster| cluster.minority);
        (minority, usize::from(self.clusters.len() > 1), self.behaviours())
    }
}
