//! Clusters behaviours with increasing abstraction, until some clusters are suspiciously small (`engine/odin/paper.md`,
//! section 10).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Anomalies, AnomalyConfig, AnomalyVerdict, Fingerprint, Rule, Rules};

/// Number of members whose fingerprints must agree before a cluster is represented by one of them.
const CROSS_CHECKED: usize = 3;

/// The behaviours to be clustered, by index.
pub trait Behaviours {
    /// The number of behaviours.
    fn count(&self) -> usize;
    /// The fingerprint of a behaviour under a set of rules.
    fn fingerprint(&mut self, behaviour: usize, rules: Rules) -> Fingerprint;
    /// Which of the suspiciously small clusters are not explained by something visible.
    fn unexplained(&mut self, clusters: &[Cluster], found: &Anomalies, rules: Rules) -> Vec<usize>;
}

/// Behaviours with the same fingerprint under a set of rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// The common fingerprint of the members.
    pub fingerprint: Fingerprint,
    /// The behaviours, the earliest first. It represents the others.
    pub members: Vec<usize>,
}

/// How a clustering ended.
#[derive(Clone, Debug)]
pub struct Clustering {
    /// The active rules at the end, in the order in which they were chosen.
    pub chosen: Vec<Rule>,
    /// The clusters at the end, by their earliest member.
    pub clusters: Vec<Cluster>,
    /// The suspiciously small clusters; empty if there are none under any rules.
    pub flagged: Vec<usize>,
    /// The majority clusters, if there are suspiciously small ones.
    pub beliefs: Vec<usize>,
    /// Number of clusters before each choice of a rule, and at the end.
    pub counts: Vec<usize>,
    /// Number of clusters that were split, because their members differ under more rules than those under which they
    /// were merged.
    pub splits: usize,
}

impl Clustering {
    /// The active rules at the end.
    pub fn rules(&self) -> Rules {
        self.chosen.iter().fold(Rules::NONE, |rules, rule| rules.with(*rule))
    }
}

/// Clusters behaviours, with increasing abstraction, until the test finds anomalies that nothing explains.
pub fn cluster(behaviours: &mut dyn Behaviours, test: &AnomalyConfig) -> Clustering {
    let singles = (0..behaviours.count())
        .map(|place| Cluster { fingerprint: Fingerprint(place as u64), members: vec![place] })
        .collect();
    let (clusters, _) = regroup(singles, Rules::NONE, behaviours);
    let counts = vec![clusters.len()];
    let mut now = Clustering {
        chosen: Vec::new(),
        clusters,
        flagged: Vec::new(),
        beliefs: Vec::new(),
        counts,
        splits: 0,
    };
    loop {
        let sizes: Vec<usize> = now.clusters.iter().map(|cluster| cluster.members.len()).collect();
        if let AnomalyVerdict::Anomalies(found) = test.judge(&sizes) {
            now.flagged = behaviours.unexplained(&now.clusters, &found, now.rules());
            if !now.flagged.is_empty() {
                now.beliefs = found.beliefs;
                return now;
            }
        }
        let rules = now.rules();
        let unused = Rule::ALL.into_iter().filter(|rule| !rules.has(*rule));
        if now.clusters.len() < 2 {
            return now;
        }
        let mut best: Option<(Rule, Vec<Cluster>, usize)> = None;
        for rule in unused {
            let (clusters, splits) = regroup(now.clusters.clone(), rules.with(rule), behaviours);
            if best.as_ref().is_none_or(|(_, most, _)| clusters.len() > most.len()) {
                best = Some((rule, clusters, splits));
            }
        }
        let Some((rule, clusters, splits)) = best else { return now };
        now.chosen.push(rule);
        now.counts.push(clusters.len());
        now.clusters = clusters;
        now.splits += splits;
    }
}

/// Merges the clusters whose fingerprints under the rules are equal. A cluster whose members disagree is split before.
/// Returns the clusters, ordered by their earliest members, and the number of splits.
fn regroup(clusters: Vec<Cluster>, rules: Rules, behaviours: &mut dyn Behaviours) -> (Vec<Cluster>, usize) {
    let mut merged: BTreeMap<Fingerprint, Vec<usize>> = BTreeMap::new();
    let mut splits = 0;
    for cluster in clusters {
        let members = cluster.members;
        let Some(first) = members.first() else { continue };
        let fingerprint = behaviours.fingerprint(*first, rules);
        let last = members.len() - 1;
        let checked = (1..CROSS_CHECKED).map(|part| members[last * part / (CROSS_CHECKED - 1)]);
        let mut agree = true;
        for member in checked {
            agree &= behaviours.fingerprint(member, rules) == fingerprint;
        }
        if agree {
            merged.entry(fingerprint).or_default().extend(members);
            continue;
        }
        splits += 1;
        for member in members {
            merged.entry(behaviours.fingerprint(member, rules)).or_default().push(member);
        }
    }
    let mut clusters: Vec<Cluster> = merged
        .into_iter()
        .map(|(fingerprint, mut members)| {
            members.sort_unstable();
            Cluster { fingerprint, members }
        })
        .collect();
    clusters.sort_by_key(|cluster| cluster.members.first().copied());
    (clusters, splits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Behaviours whose fingerprints are a function.
    struct Table<F>(usize, F);

    impl<F: Fn(usize, Rules) -> u64> Behaviours for Table<F> {
        fn count(&self) -> usize {
            self.0
        }
        fn fingerprint(&mut self, behaviour: usize, rules: Rules) -> Fingerprint {
            Fingerprint((self.1)(behaviour, rules))
        }
        fn unexplained(&mut self, _clusters: &[Cluster], found: &Anomalies, _rules: Rules) -> Vec<usize> {
            found.flagged.clone()
        }
    }

    fn sizes(clustering: &Clustering) -> Vec<usize> {
        let mut sizes: Vec<usize> = clustering.clusters.iter().map(|cluster| cluster.members.len()).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        sizes
    }

    /// 40 behaviours with different texts; without attributes there are 36, 3 and 1 of a kind; two pairs of
    /// behaviours differ in nothing but repeated sub-trees.
    fn forty(behaviour: usize, rules: Rules) -> u64 {
        if rules.attributes {
            return match behaviour {
                0..36 => 1,
                36..39 => 2,
                _ => 3,
            };
        }
        let repeated = if rules.duplicates && behaviour < 4 { behaviour / 2 * 2 } else { behaviour };
        10 + repeated as u64
    }

    #[test]
    fn the_forty_behaviours_of_the_reference() {
        let found = cluster(&mut Table(40, forty), &AnomalyConfig::default());
        assert_eq!(found.chosen, [Rule::EventFree, Rule::Duplicates, Rule::Attributes]);
        assert_eq!(found.counts, [40, 40, 38, 3]);
        assert_eq!(sizes(&found), [36, 3, 1]);
        assert_eq!(found.beliefs, [0]);
        assert_eq!(found.flagged, [1, 2], "36 is the belief; 3 and 1 are at most a quarter of it");
        assert_eq!(found.clusters[2].members, [39]);
    }

    #[test]
    fn equal_fingerprints_merge_before_any_rule() {
        let found =
            cluster(&mut Table(20, |behaviour, _| u64::from(behaviour == 7)), &AnomalyConfig::default());
        assert_eq!((found.chosen.len(), sizes(&found)), (0, vec![19, 1]));
        assert_eq!(found.clusters[found.flagged[0]].members, [7]);
    }

    #[test]
    fn anomalies_that_are_all_explained_end_nothing() {
        /// The small cluster is explained as long as no rule is chosen.
        struct Explained(Table<fn(usize, Rules) -> u64>);

        impl Behaviours for Explained {
            fn count(&self) -> usize {
                self.0.count()
            }
            fn fingerprint(&mut self, behaviour: usize, rules: Rules) -> Fingerprint {
                self.0.fingerprint(behaviour, rules)
            }
            fn unexplained(&mut self, clusters: &[Cluster], found: &Anomalies, rules: Rules) -> Vec<usize> {
                let flagged = self.0.unexplained(clusters, found, rules);
                if rules == Rules::NONE { Vec::new() } else { flagged }
            }
        }

        let table = Table(20, (|behaviour, _| u64::from(behaviour == 7)) as fn(usize, Rules) -> u64);
        let found = cluster(&mut Explained(table), &AnomalyConfig::default());
        assert_eq!(found.chosen, [Rule::Duplicates]);
        assert_eq!(found.clusters[found.flagged[0]].members, [7]);
    }

    #[test]
    fn a_tie_takes_r3_then_r2_then_r1() {
        let found = cluster(&mut Table(12, |behaviour, _| behaviour as u64), &AnomalyConfig::default());
        assert_eq!(found.chosen, [Rule::Duplicates, Rule::EventFree, Rule::Attributes]);
        assert!(found.flagged.is_empty());
    }

    #[test]
    fn one_cluster_ends_the_search() {
        let found = cluster(&mut Table(30, |_, _| 1), &AnomalyConfig::default());
        assert_eq!((found.chosen.len(), found.clusters.len(), found.flagged.len()), (0, 1, 0));
    }

    #[test]
    fn a_cluster_whose_members_differ_under_more_rules_is_split() {
        // All are equal at first; under R3 the last one is another.
        let table = |behaviour: usize, rules: Rules| match (rules.duplicates, behaviour) {
            (true, 15) => 9,
            (_, 16..) => 100 + behaviour as u64,
            _ => 1,
        };
        let found = cluster(&mut Table(40, table), &AnomalyConfig::default());
        assert!(found.splits > 0);
        assert!(found.clusters.iter().any(|cluster| cluster.members == [15]));
    }
}
