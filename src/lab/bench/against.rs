//! What got better or worse since other results, beyond noise.

use std::collections::BTreeMap;

use taproof_screen::{counted, thousands, words};

use crate::plan::Fault;
use crate::results::{CellRow, Results};
use crate::tables::statistics::{
    Interval, SIGNIFICANT, a12, bootstrap_shares, effect_words, holm, mann_whitney, mcnemar,
};
use crate::tables::summary::{first_within, median_first};
use crate::tables::table::{Cell, Part, Table};
use crate::tables::{p_words, percent};
use taproof_screen::determinism::Rng;

/// Results before and now, of the same campaigns.
#[derive(Clone, Debug)]
pub struct Change {
    /// The engine.
    pub engine: String,
    /// The fault operator; `None` for all.
    pub operator: Option<String>,
    /// Number of campaigns.
    pub runs: usize,
    /// The share of campaigns that found their fault, before and now.
    pub recall: [f64; 2],
    /// The intervals of these shares.
    pub intervals: [Interval; 2],
    /// Campaigns that found their fault only now, and only before.
    pub gained_lost: [usize; 2],
    /// The p-value of McNemar over these campaigns, corrected for the number of operators.
    pub p_recall: f64,
    /// The median of the events to find, before and now, where more than half of the campaigns found their fault.
    pub median: [Option<f64>; 2],
    /// How likely a campaign needs fewer events now than one did before.
    pub a12: f64,
    /// The p-value of Mann and Whitney for the events, corrected for the number of operators.
    pub p_events: f64,
}

words! {
    /// What a change is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict {
        /// More is found, or the same sooner.
        Better = "better",
        /// Less is found, or the same later.
        Worse = "worse",
        /// Nothing that cannot be chance.
        Noise = "no difference beyond noise",
    }
    /// The verdict in a table.
    fn words;
}

impl Change {
    /// What the change is.
    pub fn verdict(&self) -> Verdict {
        let [before, now] = self.recall;
        if self.p_recall < SIGNIFICANT || self.intervals[0].is_apart_from(self.intervals[1]) {
            return if now > before { Verdict::Better } else { Verdict::Worse };
        }
        match self.p_events < SIGNIFICANT {
            true if self.a12 > 0.5 => Verdict::Better,
            true => Verdict::Worse,
            false => Verdict::Noise,
        }
    }
}

/// A campaign by what it is.
type Key<'a> = (&'a str, &'a str, u64);

/// Compares the campaigns with one fault that both results have: the same app, fault, engine and seed. Where budgets
/// differ, both count with the smaller one.
pub fn changes(before: &Results, now: &Results) -> Vec<Change> {
    let old = rows(before);
    let mut changes = Vec::new();
    for engine in &now.plan.engines {
        let Some(other) = before.plan.engines.iter().find(|other| other.name == engine.name) else {
            continue;
        };
        let events = engine.events.min(other.events);
        let mut pairs: Vec<Pair<'_>> = Vec::new();
        for (key, (fault, row)) in rows(now).into_iter().filter(|(key, _)| key.0 == engine.name) {
            if let Some((_, earlier)) = old.get(&key) {
                let first = [earlier, &row].map(|row| first_within(&row.result, events));
                pairs.push(Pair { fault, first });
            }
        }
        if pairs.is_empty() {
            continue;
        }
        changes.push(change(&engine.name, None, &pairs.iter().collect::<Vec<_>>()));
        let mut by_operator: BTreeMap<&str, Vec<&Pair<'_>>> = BTreeMap::new();
        for pair in &pairs {
            by_operator.entry(&pair.fault.operator).or_default().push(pair);
        }
        let of_operators = by_operator.iter().map(|(name, pairs)| change(&engine.name, Some(name), pairs));
        changes.extend(corrected(of_operators.collect()));
    }
    changes
}

struct Pair<'a> {
    fault: &'a Fault,
    /// Events to find the fault, before and now.
    first: [f64; 2],
}

fn rows(results: &Results) -> BTreeMap<Key<'_>, (&Fault, &CellRow)> {
    let mut rows = BTreeMap::new();
    for row in &results.cells {
        if let Some(fault) = results.targets.get(row.target).and_then(|target| target.subject.fault()) {
            rows.insert((row.engine.as_str(), fault.id.as_str(), row.seed), (fault, row));
        }
    }
    rows
}

fn change(engine: &str, operator: Option<&str>, pairs: &[&Pair<'_>]) -> Change {
    let first = [0, 1].map(|side| pairs.iter().map(|pair| pair.first[side]).collect::<Vec<f64>>());
    let recall = first.each_ref().map(|first| {
        first.iter().filter(|event| event.is_finite()).count() as f64 / first.len().max(1) as f64
    });
    let only = |found: usize, not: usize| {
        pairs.iter().filter(|pair| pair.first[found].is_finite() && !pair.first[not].is_finite()).count()
    };
    let gained_lost = [only(1, 0), only(0, 1)];
    Change {
        engine: engine.to_owned(),
        operator: operator.map(str::to_owned),
        runs: pairs.len(),
        recall,
        intervals: [0, 1].map(|side| interval(pairs, side)),
        gained_lost,
        p_recall: mcnemar(gained_lost[0], gained_lost[1]),
        median: first.each_ref().map(|first| median_first(first)),
        a12: a12(&first[0], &first[1]).unwrap_or(0.5),
        p_events: mann_whitney(&first[0], &first[1]),
    }
}

/// The bootstrap interval of recall on one side, with faults as units.
fn interval(pairs: &[&Pair<'_>], side: usize) -> Interval {
    let mut of_fault: BTreeMap<&Fault, Vec<f64>> = BTreeMap::new();
    for pair in pairs {
        of_fault.entry(pair.fault).or_default().push(f64::from(pair.first[side].is_finite()));
    }
    let share = |found: Vec<f64>| vec![found.iter().sum::<f64>() / found.len() as f64];
    let rows: Vec<Vec<f64>> = of_fault.into_values().map(share).collect();
    bootstrap_shares(&rows, Rng::from_seed(0)).first().copied().unwrap_or(Interval { low: 0.0, high: 1.0 })
}

/// Among many operators, some differ by chance.
fn corrected(mut changes: Vec<Change>) -> Vec<Change> {
    let adjusted = |of: fn(&Change) -> f64| holm(&changes.iter().map(of).collect::<Vec<_>>());
    let (recall, events) = (adjusted(|it| it.p_recall), adjusted(|it| it.p_events));
    for ((change, recall), events) in changes.iter_mut().zip(recall).zip(events) {
        (change.p_recall, change.p_events) = (recall, events);
    }
    changes
}

/// The changes as text and a table. Of the operators, only those that changed beyond noise have a row.
pub fn change_tables(before: &Results, now: &Results) -> Vec<Part> {
    let changes = changes(before, now);
    let common: usize = changes.iter().filter(|it| it.operator.is_none()).map(|it| it.runs).sum();
    if common == 0 {
        let say = "The two results have no campaign in common (the same app, fault, engine and seed).";
        return vec![Part::Text(say.to_owned())];
    }
    let with_fault = |results: &Results| {
        results.cells.iter().filter(|row| results.targets[row.target].subject.fault().is_some()).count()
    };
    let same = before.plan.differences(&now.plan);
    let over = match same.as_slice() {
        [] => format!("Compared over all {} with one fault.", counted(common, "campaign")),
        differences => format!(
            "The plans differ in {}. Compared over the {} with one fault that both have, of {} before and {} now.",
            differences.join(", "),
            counted(common, "campaign"),
            thousands(with_fault(before) as u64),
            thousands(with_fault(now) as u64)
        ),
    };
    let is_told = |change: &&Change| change.operator.is_none() || change.verdict() != Verdict::Noise;
    let table = Table::of(
        changes.iter().filter(is_told),
        &[
            ("engine", |it| Cell::Text(it.engine.clone())),
            ("operator", |it| Cell::Text(it.operator.clone().unwrap_or_else(|| "all".to_owned()))),
            ("campaigns", |it| Cell::number(it.runs)),
            ("recall before", |it| Cell::Text(percent(it.recall[0]))),
            ("now", |it| Cell::Text(percent(it.recall[1]))),
            ("gained", |it| Cell::number(it.gained_lost[0])),
            ("lost", |it| Cell::number(it.gained_lost[1])),
            ("p", |it| Cell::Text(p_words(it.p_recall))),
            ("events before", |it| it.median[0].map_or(Cell::Nothing, Cell::Count)),
            ("now", |it| it.median[1].map_or(Cell::Nothing, Cell::Count)),
            ("A12", |it| Cell::Ratio(it.a12)),
            ("effect", |it| Cell::Text(effect_words(it.a12).to_owned())),
            ("p", |it| Cell::Text(p_words(it.p_events))),
            ("", |it| Cell::Text(it.verdict().words().to_owned())),
        ],
    );
    let legend = "Recall: the p-value of McNemar's test over the same campaigns. Events to find: A12 is the chance that a \
                  campaign needs fewer now, with the p-value of Mann and Whitney's test. Those of operators are corrected \
                  for their number (Holm), and only operators that changed beyond noise are listed.";
    vec![Part::Text(over), Part::Table(table), Part::Text(legend.to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{found_at, results};
    use crate::tables::table::markdown;

    #[test]
    fn the_same_results_do_not_differ() {
        let results = results(&[("stale-list", [Some(100), None]); 20]);
        let all = changes(&results, &results);
        assert!(all.iter().all(|change| change.verdict() == Verdict::Noise), "{all:?}");
        let told = markdown(&change_tables(&results, &results));
        assert!(
            told.contains("over all 40 campaigns") && told.contains("no difference beyond noise"),
            "{told}"
        );
        assert!(!told.contains("stale-list"), "{told}");
    }

    #[test]
    fn what_is_found_more_often_or_sooner_is_better() {
        let before = results(&[("stale-list", [None, Some(900)]); 20]);
        let now = results(&[("stale-list", [Some(500), Some(900)]); 20]);
        let verdicts =
            |before, now| -> Vec<Verdict> { changes(before, now).iter().map(Change::verdict).collect() };
        assert_eq!(verdicts(&before, &now), [Verdict::Better, Verdict::Better]);
        assert_eq!(verdicts(&now, &before), [Verdict::Worse, Verdict::Worse]);
        let sooner = results(&[("stale-list", [Some(40), Some(30)]); 20]);
        assert_eq!(verdicts(&now, &sooner), [Verdict::Better, Verdict::Better]);
    }

    #[test]
    fn two_faults_are_too_few_for_a_difference() {
        let before = results(&[("stale-list", [None, None]), ("undo-lost", [Some(5), Some(5)])]);
        let now = results(&[("stale-list", [Some(5), Some(5)]), ("undo-lost", [Some(5), Some(5)])]);
        let all = changes(&before, &now);
        assert!(all.iter().all(|change| change.verdict() == Verdict::Noise), "{all:?}");
    }

    #[test]
    fn other_plans_are_compared_over_what_they_have_in_common() {
        let before = results(&[("stale-list", [Some(10), Some(10)]); 12]);
        let mut now = results(&[("stale-list", [Some(10), Some(10)]); 12]);
        now.plan.seeds = 2..=3;
        now.cells.iter_mut().for_each(|row| row.seed += 1);
        let told = markdown(&change_tables(&before, &now));
        assert!(told.contains("differ in seeds. Compared over the 12 campaigns"), "{told}");
        now.cells.iter_mut().for_each(|row| row.seed += 10);
        assert!(markdown(&change_tables(&before, &now)).contains("no campaign in common"));
        assert_eq!(found_at(Some(3)).first_true(), Some(3));
    }
}
