//! Judges one event on the layouts of one state: clusters its behaviours, and compares the anomalies with what is
//! believed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::abstraction::AbstractTree;
use super::anomaly::FLOOR;
use super::clustering::{Behaviours, Cluster, Clustering, cluster};
use super::explained::{Change, Looks};
use super::explanation::{Account, Voice, explain_difference};
use super::fingerprint::{Balance, LayoutChange, brought_texts};
use super::lasting::Lasting;
use super::wrong_row::{ActedOn, WrongRows};
use super::{
    Anomalies, AnomalyConfig, Behaviour, Fingerprint, KnownLayout, Lens, Outcome, Rule, Rules, VolatileViews,
};
use crate::oracle::layout_effects::{EditTree, TreeEditor, edit_distance};
use taproof_screen::Text;
use taproof_screen::determinism::{HashBuffer, hash_text};

/// The rules that ignore texts and repeated rows.
const STRUCTURE: Rules = Rules { attributes: true, duplicates: true, ..Rules::NONE };
/// Which row of a list was acted on.
const ROWS: Rules = Rules { rows: true, ..Rules::NONE };
/// Number of lines that describe a change before the rest is only counted.
const MOST_LINES: usize = 8;
/// Number of believed behaviours among which the closest one is searched for.
const MOST_COMPARED: usize = 200;

/// How behaviours are judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MayBeliefConfig {
    /// How large a belief must be.
    pub anomaly: AnomalyConfig,
    /// Whether texts that the event contributes (typed, or shown by its receiver) are represented by their positions.
    pub brought_texts: bool,
    /// Whether clusters are dropped that the app may be right about.
    // `explained` finds what distinguishes them.
    pub drop_explained: bool,
    /// Whether events on rows of a list that act on another row are suspected.
    pub wrong_rows: bool,
}

impl Default for MayBeliefConfig {
    fn default() -> Self {
        MayBeliefConfig {
            anomaly: AnomalyConfig::default(),
            brought_texts: true,
            drop_explained: true,
            wrong_rows: true,
        }
    }
}

/// The behaviours of one event in one state, judged.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The clusters, and the rules under which they were last judged.
    pub clustering: Clustering,
    /// For each cluster, what it changes, in a few lines.
    pub sentences: Vec<Vec<String>>,
    /// The suspected clusters, if there are any.
    pub anomalies: Vec<Anomaly>,
}

/// A suspected cluster: a minority outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anomaly {
    /// The behaviours that show it.
    pub members: Vec<usize>,
    /// Number of behaviours that show what is believed.
    pub believed: usize,
    /// The rules under which it shows.
    pub rules: Rules,
    /// Fingerprint of the cluster under these rules.
    pub fingerprint: Fingerprint,
    /// Fingerprints of the majority clusters under these rules.
    pub beliefs: Vec<Fingerprint>,
    /// Index of the behaviour that shows it.
    pub witness: usize,
    /// Index of the believed behaviour whose layout before the event is closest to the witness's.
    pub reference: usize,
    /// Further witnesses in other tests, on other data as far as there are some, each with its reference. Whether these
    /// show the same tells whether it is more than a matter of one test.
    pub further: Vec<(usize, usize)>,
}

/// Number of tests that may show one minority outcome to whoever confirms it.
pub const MOST_WITNESSES: usize = 3;

/// Judges the behaviours of one event in one state. `usual` are the structures of its outcomes in other states, from
/// [`structures`].
pub fn judge_behaviours(
    behaviours: &[Behaviour],
    volatile: &VolatileViews,
    usual: &BTreeSet<Fingerprint>,
    config: &MayBeliefConfig,
) -> Judgement {
    let mut subject = Subject { usual: Some(usual), ..Subject::new(behaviours, volatile, config) };
    let clustering = cluster(&mut subject, &config.anomaly);
    let rules = clustering.rules();
    let sentences = clustering.clusters.iter().map(|cluster| subject.sentences(cluster, rules)).collect();
    let wrong_row = if config.wrong_rows { subject.wrong_row() } else { None };
    let anomalies = clustering.flagged.iter().filter_map(|place| subject.anomaly(*place, &clustering));
    let anomalies = wrong_row.into_iter().chain(anomalies).collect();
    Judgement { anomalies, sentences, clustering }
}

/// The fingerprint of one behaviour under given rules, for judging a pair again.
pub fn fingerprint_of(
    behaviour: &Behaviour,
    rules: Rules,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> Fingerprint {
    let one = std::slice::from_ref(behaviour);
    Subject::new(one, volatile, config).fingerprint(0, rules)
}

/// The fingerprint that names a minority outcome: without the texts of one test, which do not make it another finding.
pub fn blind_fingerprint(
    behaviour: &Behaviour,
    rules: Rules,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> Fingerprint {
    fingerprint_of(behaviour, rules.with(Rule::Attributes), volatile, config)
}

/// The usual outcomes of an event in one state, without texts and repeated rows: those that would not be suspected by
/// structure.
pub fn structures(
    behaviours: &[Behaviour],
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> BTreeSet<Fingerprint> {
    let mut subject = Subject::new(behaviours, volatile, config);
    let mut counts: BTreeMap<Fingerprint, usize> = BTreeMap::new();
    for place in 0..behaviours.len() {
        *counts.entry(subject.fingerprint(place, STRUCTURE)).or_default() += 1;
    }
    let most = counts.values().max().copied().unwrap_or(0) as f64;
    let usual = |count: &usize| *count as f64 > FLOOR * most;
    counts.into_iter().filter(|(_, count)| usual(count)).map(|(structure, _)| structure).collect()
}

/// The fingerprint of which row was acted on.
fn row_fingerprint(acted: ActedOn) -> Fingerprint {
    let name = match acted {
        ActedOn::Own => "own row",
        ActedOn::Other => "other row",
        ActedOn::Unclear => "no row",
    };
    Fingerprint(hash_text(name))
}

/// A witness and its reference.
type Pair = (usize, usize);

struct Subject<'a> {
    behaviours: &'a [Behaviour],
    volatile: &'a VolatileViews,
    config: &'a MayBeliefConfig,
    brought: Vec<Vec<Text>>,
    /// For each behaviour, the index of the first one with equal layouts, so that each pair of layouts is compared only
    /// once.
    first_like: Vec<usize>,
    usual: Option<&'a BTreeSet<Fingerprint>>,
    looks: Looks,
    known: BTreeMap<(usize, Rules), Fingerprint>,
    editor: TreeEditor,
}

impl<'a> Subject<'a> {
    fn new(behaviours: &'a [Behaviour], volatile: &'a VolatileViews, config: &'a MayBeliefConfig) -> Self {
        let brought: Vec<Vec<Text>> = behaviours
            .iter()
            .map(|behaviour| if config.brought_texts { brought_texts(behaviour) } else { Vec::new() })
            .collect();
        let mut subject = Subject {
            behaviours,
            volatile,
            config,
            brought,
            first_like: Vec::new(),
            usual: None,
            looks: Looks::new(behaviours, volatile, FLOOR),
            known: BTreeMap::new(),
            editor: TreeEditor::default(),
        };
        let mut firsts = BTreeMap::new();
        let likes = (0..behaviours.len()).map(|place| *firsts.entry(subject.content(place)).or_insert(place));
        subject.first_like = likes.collect();
        subject
    }

    fn lens<'l>(&'l self, rules: Rules, brought: &'l [Text]) -> Lens<'l> {
        Lens { rules, volatile: self.volatile, brought }
    }

    /// A hash of everything that a fingerprint can depend on.
    fn content(&self, place: usize) -> u64 {
        let behaviour = &self.behaviours[place];
        let mut hasher = HashBuffer::default();
        self.brought[place].iter().for_each(|text| hasher.text(text));
        self.add_layout(&behaviour.before, &mut hasher);
        match &behaviour.after {
            Outcome::Shows(after) => self.add_layout(after, &mut hasher),
            Outcome::Died(words) | Outcome::Left(words) => hasher.text(words),
        }
        hasher.finish()
    }

    fn add_layout(&self, known: &KnownLayout, hasher: &mut HashBuffer) {
        hasher.text(known.layout.activity());
        for node in AbstractTree::of(known, &self.lens(Rules::NONE, &[])).nodes {
            hasher.u64(node.label);
            hasher.u64(node.parent.map_or(u64::MAX, u64::from));
        }
        known.receivers.iter().for_each(|receiver| hasher.u64(u64::from(receiver.0)));
    }

    fn change(&mut self, place: usize, rules: Rules) -> LayoutChange {
        let brought = self.brought[place].clone();
        let lens = Lens { rules, volatile: self.volatile, brought: &brought };
        LayoutChange::of(&self.behaviours[place], &lens, &mut self.editor)
    }

    fn sentences(&mut self, cluster: &Cluster, rules: Rules) -> Vec<String> {
        let Some(first) = cluster.members.first() else { return Vec::new() };
        let change = self.change(*first, rules);
        let brought = &self.brought[*first];
        let voice = Voice { lens: self.lens(rules, brought), shown_as: brought };
        Account::of(&change, &voice).lines(MOST_LINES)
    }

    fn anomaly(&self, place: usize, clustering: &Clustering) -> Option<Anomaly> {
        let cluster = clustering.clusters.get(place)?;
        let beliefs = self.beliefs(&clustering.clusters, &clustering.beliefs);
        let believed: Vec<usize> = beliefs.iter().flat_map(|belief| belief.members.iter().copied()).collect();
        let mut open = self.open_members(cluster, &beliefs, clustering.rules());
        if open.is_empty() {
            open.clone_from(&cluster.members);
        }
        let ((witness, reference), further) = self.witnesses(&open, &believed)?;
        let (rules, fingerprint) = (clustering.rules(), cluster.fingerprint);
        let [expected, seen] = [reference, witness].map(|place| &self.behaviours[place]);
        // What nobody can see on the screen is no finding.
        if !explain_difference(expected, seen, rules, self.volatile, self.config).visible {
            return None;
        }
        let beliefs =
            clustering.beliefs.iter().map(|place| clustering.clusters[*place].fingerprint).collect();
        let (members, believed) = (cluster.members.clone(), believed.len());
        Some(Anomaly { members, believed, rules, fingerprint, beliefs, witness, reference, further })
    }

    /// The first of these members, and further ones in other tests; those on other data come first. Each with the believed
    /// behaviour that is closest.
    fn witnesses(&self, members: &[usize], believed: &[usize]) -> Option<(Pair, Vec<Pair>)> {
        let mut chosen: Vec<usize> = Vec::new();
        for other_data in [true, false] {
            for member in members {
                let differs = |known: &usize| {
                    let [one, other] = [*known, *member].map(|place| &self.behaviours[place].history);
                    let same_data = || other_data && self.looks.are_alike(*known, *member);
                    !one.is_of_same_test(other) && !same_data()
                };
                if chosen.len() < MOST_WITNESSES && chosen.iter().all(differs) {
                    chosen.push(*member);
                }
            }
        }
        let mut pairs = chosen.into_iter().filter_map(|place| Some((place, self.closest(place, believed)?)));
        Some((pairs.next()?, pairs.collect()))
    }

    /// The believed behaviour whose layout before the event is closest.
    fn closest(&self, witness: usize, believed: &[usize]) -> Option<usize> {
        let tree = |place: usize| {
            let tree = AbstractTree::of(&self.behaviours[place].before, &self.lens(Rules::NONE, &[]));
            EditTree::from_nodes(tree.nodes.iter().map(|node| (node.widget, node.end, node.label)))
        };
        let start = tree(witness);
        let compared = believed.iter().take(MOST_COMPARED);
        compared.min_by_key(|place| (edit_distance(&start, &tree(**place)), **place)).copied()
    }

    /// The events on rows of a list that acted on another row, if most acted on their own.
    fn wrong_row(&self) -> Option<Anomaly> {
        let WrongRows { own, others } =
            WrongRows::among(self.behaviours, self.config.anomaly.min_behaviours)?;
        let ((witness, reference), further) = self.witnesses(&others, &own)?;
        Some(Anomaly {
            believed: own.len(),
            rules: ROWS,
            fingerprint: row_fingerprint(ActedOn::Other),
            beliefs: vec![row_fingerprint(ActedOn::Own)],
            witness,
            reference,
            further,
            members: others,
        })
    }

    fn open_members(&self, cluster: &Cluster, beliefs: &[&Cluster], rules: Rules) -> Vec<usize> {
        if !self.config.drop_explained {
            return cluster.members.clone();
        }
        let change = |place: usize| {
            let behaviour = &self.behaviours[place];
            let balance = Balance::of(behaviour, &self.lens(rules, &self.brought[place]))?;
            Some(Change { balance, lasting: Lasting::of(behaviour, &self.brought[place])? })
        };
        self.looks.unexplained(cluster, beliefs, &change)
    }

    fn beliefs<'c>(&self, clusters: &'c [Cluster], places: &[usize]) -> Vec<&'c Cluster> {
        places.iter().map(|place| &clusters[*place]).collect()
    }
}

impl Behaviours for Subject<'_> {
    fn count(&self) -> usize {
        self.behaviours.len()
    }

    fn fingerprint(&mut self, behaviour: usize, rules: Rules) -> Fingerprint {
        if rules.rows {
            return row_fingerprint(ActedOn::of(&self.behaviours[behaviour]));
        }
        let place = self.first_like[behaviour];
        if let Some(known) = self.known.get(&(place, rules)) {
            return *known;
        }
        let fingerprint = self.change(place, rules).fingerprint(&self.behaviours[place]);
        self.known.insert((place, rules), fingerprint);
        fingerprint
    }

    fn unexplained(&mut self, clusters: &[Cluster], found: &Anomalies, rules: Rules) -> Vec<usize> {
        if !self.config.drop_explained {
            return found.flagged.clone();
        }
        let own: Vec<Fingerprint> = found
            .beliefs
            .iter()
            .filter_map(|place| clusters[*place].members.first())
            .map(|first| self.fingerprint(*first, STRUCTURE))
            .collect();
        let beliefs = self.beliefs(clusters, &found.beliefs);
        let mut open = Vec::new();
        for place in &found.flagged {
            let Some(first) = clusters[*place].members.first() else { continue };
            let structure = self.fingerprint(*first, STRUCTURE);
            // With several believed texts, another one is not surprising; and an outcome of the event in other states
            // may occur here.
            let ordinary = match own.contains(&structure) {
                true => own.len() > 1,
                false => self.usual.is_some_and(|usual| usual.contains(&structure)),
            };
            let unexplained = || self.open_members(&clusters[*place], &beliefs, rules).len();
            if !ordinary && 2 * unexplained() > clusters[*place].members.len() {
                open.push(*place);
            }
        }
        open
    }
}
