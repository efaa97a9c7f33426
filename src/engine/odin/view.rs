//! How the behaviours of an event cluster, as ODIN tells it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::StatsRow;
use crate::oracle::may_belief::Judgement;

/// Maximum number of clusters of one event that are shown.
const MOST_CLUSTERS: usize = 12;

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

    /// The event in a table: a row for each cluster, and one for what all have in common.
    pub fn rows(&self) -> Vec<StatsRow> {
        let (all, shared) = (self.behaviours(), self.shared_sentences());
        let row = |size: String, kind: &str, says: String| {
            StatsRow::of([String::new(), String::new(), size, kind.to_owned(), says])
        };
        let cluster = |cluster: &ClusterView| {
            let own = cluster.sentences.iter().map(String::as_str).filter(|it| !shared.contains(it));
            let says = match (own.collect::<Vec<_>>().as_slice(), shared.is_empty()) {
                ([], true) => "nothing changes".to_owned(),
                ([], false) => "nothing else changes".to_owned(),
                (sentences, _) => sentences.join("; "),
            };
            let (kind, good) = match (cluster.minority, cluster.believed) {
                (true, _) => ("minority", Some(false)),
                (false, true) => ("believed", Some(true)),
                (false, false) => ("", None),
            };
            StatsRow { good, ..row(format!("{} of {all}", cluster.size), kind, says) }
        };
        let mut rows: Vec<StatsRow> = self.clusters.iter().map(cluster).collect();
        if !shared.is_empty() {
            let sentences: Vec<&str> = shared.into_iter().collect();
            rows.push(row("all".to_owned(), "", sentences.join("; ")));
        }
        if self.rest.0 > 0 {
            rows.push(row(self.rest.1.to_string(), "", format!("in {} more clusters", self.rest.0)));
        }
        if !self.rules.is_empty() {
            rows.push(row(String::new(), "", format!("Rules: {}", self.rules.join(", "))));
        }
        if let Some(first) = rows.first_mut() {
            first.cells[0].clone_from(&self.event);
            first.cells[1].push_str(self.activity.rsplit('.').next().unwrap_or_default());
        }
        rows
    }

    /// The effects that all clusters have in common. They are told once, so that each row begins with what distinguishes
    /// its cluster.
    fn shared_sentences(&self) -> BTreeSet<&str> {
        let Some((first, others @ [_, ..])) = self.clusters.split_first() else { return BTreeSet::new() };
        let shared = |sentence: &&String| others.iter().all(|other| other.sentences.contains(sentence));
        first.sentences.iter().filter(shared).map(String::as_str).collect()
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
