//! What the results of a bench say: recall, precision, events to the first finding, cards and lengths of traces.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use taproof_screen::determinism::Rng;

use crate::oracles::oracles;
use crate::plan::{EngineRun, Fault, Subject};
use crate::result::{CellResult, Truth};
use crate::results::Results;
use crate::tables::side_by_side::{Comparison, Coverage, comparisons, coverage};
use crate::tables::statistics::{Interval, bootstrap_shares, mean, median, quantile, sorted};

/// The engine that faults are told apart by: it needs no idea to find what it finds.
pub const BASELINE: &str = "monkey";

/// The place of the baseline, if it runs.
pub(crate) fn baseline(engines: &[EngineRun]) -> Option<usize> {
    engines.iter().position(|run| run.config.name() == BASELINE)
}

/// The upper ends of the bins of depths, in events of a witness. The last bin is open.
pub const DEPTHS: [usize; 4] = [3, 6, 10, 20];

/// Points of a curve for each power of ten.
const POINTS: usize = 12;

/// What the results of a bench say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Engine by engine, as in the plan.
    pub engines: Vec<EngineSummary>,
    /// By the letters of those who are meant to see the faults.
    pub letters: Vec<Group>,
    /// By fault operator, in the order of letters and names.
    pub operators: Vec<Group>,
    /// By the depth of the witness.
    pub depths: Vec<Group>,
    /// Every engine beside the baseline, every variant of an engine beside the first one, and `auto` beside all others, at
    /// equal events.
    pub comparisons: Vec<Comparison>,
    /// The same pairs by what they executed of sound builds.
    pub coverage: Vec<Coverage>,
}

/// What the results say of an engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// Events of each campaign.
    pub events: u64,
    /// The letters of the techniques that it has.
    pub letters: String,
    /// Faults that it is meant to see.
    pub own: Recall,
    /// The same, where only findings that are bugs count, and no suspicions.
    pub own_as_bugs: Recall,
    /// All faults.
    pub all: Recall,
    /// Faults that it is meant to see and that the baseline finds with no seed; `None` without the baseline.
    pub beyond_baseline: Option<Recall>,
    /// Events until a fault was first shown, of the campaigns that found theirs.
    pub first_events: Option<Spread>,
    /// How many of the faults that it is meant to see were found after so many events.
    pub own_curve: Vec<CurvePoint>,
    /// How many of all faults were found after so many events.
    pub curve: Vec<CurvePoint>,
    /// Findings in builds with faults.
    pub findings: Findings,
    /// Those of them that are bugs, and no suspicions.
    pub bugs: Findings,
    /// Events in sound builds.
    pub sound_events: u64,
    /// Confirmed findings in sound builds.
    pub sound_findings: usize,
    /// Those of them that are bugs, and no suspicions.
    pub sound_bugs: usize,
    /// How findings are put on cards.
    pub cards: CardCounts,
    /// Events of the shortest minimal trace, divided by those of the witness.
    pub lengths: Option<Spread>,
    /// Campaigns that failed.
    pub failed: usize,
}

/// How many faults an engine finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Recall {
    /// Number of faults.
    pub faults: usize,
    /// Number of faults that are found with at least half of the seeds.
    pub in_half: usize,
    /// Campaigns, one for each fault and seed.
    pub runs: usize,
    /// Campaigns that found their fault.
    pub found: usize,
    /// The bootstrap interval of the share of campaigns that find their fault; faults are the units.
    pub interval: Option<Interval>,
}

/// How numbers are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many numbers.
    pub count: usize,
    /// The smallest.
    pub least: f64,
    /// A quarter lies below.
    pub lower: f64,
    /// Half lies below.
    pub median: f64,
    /// Three quarters lie below.
    pub upper: f64,
    /// The largest.
    pub most: f64,
}

/// The share of campaigns that have found their fault.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// After so many events.
    pub events: u64,
    /// The share.
    pub recall: f64,
    /// Its bootstrap interval.
    pub interval: Interval,
}

/// Findings by what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Findings {
    /// They show a fault.
    pub shown: usize,
    /// They came back each time and show none.
    pub wrong: usize,
    /// They show none and did not come back each time.
    pub unsure: usize,
}

/// How findings are put on cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CardCounts {
    /// Faults that were found, counted in each campaign.
    pub faults: usize,
    /// Cards for them.
    pub cards: usize,
    /// Cards that show a fault in builds with several.
    pub mixed_cards: usize,
    /// Those of them that show two faults or more.
    pub of_two: usize,
}

/// Faults of one kind, and which engine finds them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// The letters of the techniques that are meant to see them.
    pub letters: String,
    /// Number of faults.
    pub faults: usize,
    /// How many of them the baseline finds, too; `None` without the baseline.
    pub baseline_finds: Option<usize>,
    /// Recall of each engine, in their order.
    pub recall: Vec<Recall>,
}

impl Recall {
    /// The share of campaigns that found their fault; `None` without faults.
    pub fn share(self) -> Option<f64> {
        (self.runs > 0).then(|| self.found as f64 / self.runs as f64)
    }

    fn of<'a>(
        faults: impl IntoIterator<Item = &'a Vec<&'a CellResult>>,
        shows: fn(&CellResult) -> bool,
        rng: Rng,
    ) -> Recall {
        let mut recall = Recall::default();
        let mut rows = Vec::new();
        for results in faults {
            let found = results.iter().filter(|result| shows(result)).count();
            recall.faults += 1;
            recall.in_half += usize::from(found > 0 && found * 2 >= results.len());
            recall.runs += results.len();
            recall.found += found;
            rows.push(vec![found as f64 / results.len().max(1) as f64]);
        }
        recall.interval = bootstrap_shares(&rows, rng).first().copied();
        recall
    }
}

impl Spread {
    /// The spread of these numbers; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let sorted = sorted(values);
        let at = |part| quantile(&sorted, part);
        Some(Spread {
            count: sorted.len(),
            least: at(0.0)?,
            lower: at(0.25)?,
            median: at(0.5)?,
            upper: at(0.75)?,
            most: at(1.0)?,
        })
    }
}

impl Findings {
    /// The share of confirmed findings that show a fault; `None` without any.
    pub fn precision(self) -> Option<f64> {
        let all = self.shown + self.wrong;
        (all > 0).then(|| self.shown as f64 / all as f64)
    }
}

impl EngineSummary {
    /// Findings in sound builds for each 100,000 events; `None` if no sound build was run.
    pub fn false_alarms(&self) -> Option<f64> {
        (self.sound_events > 0).then(|| self.sound_findings as f64 * 100_000.0 / self.sound_events as f64)
    }
}

impl Summary {
    /// Sums up the results.
    pub fn of(results: &Results) -> Summary {
        let by_engine: Vec<ByFault<'_>> =
            results.plan.engines.iter().map(|run| results.by_fault(&run.name)).collect();
        let baseline = baseline(&results.plan.engines);
        let easy: Option<BTreeSet<&str>> = baseline.map(|place| {
            let finds = |results: &Vec<&CellResult>| results.iter().any(|it| it.first_true().is_some());
            let found = by_engine[place].iter().filter(|(_, results)| finds(results));
            found.map(|(fault, _)| fault.id.as_str()).collect()
        });
        let grid = grid(results.plan.engines.iter().map(|run| run.events).max().unwrap_or(0));
        let of_engine = |(run, by_fault): (&EngineRun, &ByFault<'_>)| {
            engine_summary(results, run, by_fault, easy.as_ref(), &grid)
        };
        let groups = Groups { by_engine: &by_engine, easy: easy.as_ref() };
        let mut operators =
            groups.of(|fault| (fault.letters.clone(), fault.operator.clone()), |(_, name)| name.clone());
        operators.sort_by_key(|group| (letters_order(&group.letters), group.name.clone()));
        let mut letters = groups.of(|fault| fault.letters.clone(), String::clone);
        letters.sort_by_key(|group| letters_order(&group.letters));
        Summary {
            letters,
            engines: results.plan.engines.iter().zip(&by_engine).map(of_engine).collect(),
            operators,
            depths: groups.of(depth_bin, |bin| depth_words(*bin)),
            comparisons: comparisons(&results.plan.engines, &by_engine),
            coverage: coverage(results),
        }
    }
}

pub(crate) type ByFault<'a> = Vec<(&'a Fault, Vec<&'a CellResult>)>;

fn rng(purpose: &str) -> Rng {
    Rng::from_seed(0).fork("bootstrap").fork(purpose)
}

fn engine_summary(
    results: &Results,
    run: &EngineRun,
    by_fault: &ByFault<'_>,
    easy: Option<&BTreeSet<&str>>,
    grid: &[u64],
) -> EngineSummary {
    let letters: String = oracles(&run.config).iter().map(|oracle| oracle.letter()).collect();
    let is_own = |fault: &Fault| fault.letters.chars().any(|letter| letters.contains(letter));
    let recall_by = |takes: &dyn Fn(&Fault) -> bool, shows| {
        Recall::of(
            by_fault.iter().filter(|(fault, _)| takes(fault)).map(|(_, results)| results),
            shows,
            rng(&run.name),
        )
    };
    let recall = |takes: &dyn Fn(&Fault) -> bool| recall_by(takes, CellResult::shows_fault);
    let beyond = |easy: &BTreeSet<&str>| recall(&|fault| is_own(fault) && !easy.contains(fault.id.as_str()));
    let first = by_fault.iter().flat_map(|(_, results)| results).filter_map(|result| result.first_true());
    let first: Vec<f64> = first.map(|event| event as f64).collect();
    let mut summary = EngineSummary {
        name: run.name.clone(),
        events: run.events,
        own: recall(&is_own),
        own_as_bugs: recall_by(&is_own, CellResult::shows_fault_as_bug),
        all: recall(&|_| true),
        beyond_baseline: easy.map(beyond),
        first_events: Spread::of(&first),
        own_curve: curve(by_fault.iter().filter(|(fault, _)| is_own(fault)), grid, run),
        curve: curve(by_fault, grid, run),
        findings: Findings::default(),
        bugs: Findings::default(),
        sound_events: 0,
        sound_findings: 0,
        sound_bugs: 0,
        cards: CardCounts::default(),
        lengths: Spread::of(&lengths(by_fault)),
        failed: 0,
        letters,
    };
    for (target, results) in results.by_target(&run.name) {
        for result in results {
            summary.add(&target.subject, result);
        }
    }
    summary
}

impl EngineSummary {
    fn add(&mut self, subject: &Subject, result: &CellResult) {
        self.failed += usize::from(result.trouble.is_some());
        match subject {
            Subject::Sound => {
                self.sound_events += result.events;
                self.sound_findings += result.count(Truth::False);
                self.sound_bugs += result.count_bugs(Truth::False);
            }
            Subject::Fault(_) | Subject::Mixed(_) => {
                self.findings.shown += result.count(Truth::True);
                self.findings.wrong += result.count(Truth::False);
                self.findings.unsure += result.count(Truth::Unsure);
                self.bugs.shown += result.count_bugs(Truth::True);
                self.bugs.wrong += result.count_bugs(Truth::False);
                self.cards.add(subject, result);
            }
        }
    }
}

impl CardCounts {
    fn add(&mut self, subject: &Subject, result: &CellResult) {
        let cards = result.faults_of_cards();
        let faults: BTreeSet<&&str> = cards.iter().flatten().collect();
        self.faults += faults.len();
        self.cards += cards.iter().map(Vec::len).sum::<usize>();
        if matches!(subject, Subject::Mixed(_)) {
            self.mixed_cards += cards.iter().filter(|faults| !faults.is_empty()).count();
            self.of_two += cards.iter().filter(|faults| faults.len() > 1).count();
        }
    }
}

/// Lengths of the shortest minimal traces, divided by those of the witnesses.
fn lengths(by_fault: &ByFault<'_>) -> Vec<f64> {
    let of_fault = |(fault, results): &(&Fault, Vec<&CellResult>)| -> Vec<f64> {
        let Some(witness) = &fault.witness else { return Vec::new() };
        let shortest = results.iter().filter_map(|result| result.shortest());
        shortest.map(|steps| steps as f64 / witness.events.max(1) as f64).collect()
    };
    by_fault.iter().flat_map(of_fault).collect()
}

/// The numbers of events at which curves have points.
fn grid(most: u64) -> Vec<u64> {
    let point = |step: usize| libm::pow(10.0, 1.0 + step as f64 / POINTS as f64).round() as u64;
    let mut grid: Vec<u64> = (0..).map(point).take_while(|events| *events < most).collect();
    grid.push(most);
    grid
}

/// The share of campaigns that have found their fault after each number of events.
fn curve<'a>(
    by_fault: impl IntoIterator<Item = &'a (&'a Fault, Vec<&'a CellResult>)>,
    grid: &[u64],
    run: &EngineRun,
) -> Vec<CurvePoint> {
    let mut grid: Vec<u64> = grid.iter().copied().filter(|events| *events < run.events).collect();
    grid.push(run.events);
    let row = |(_, results): &(&Fault, Vec<&CellResult>)| -> Vec<f64> {
        let first: Vec<u64> = results.iter().filter_map(|result| result.first_true()).collect();
        let found = |events: &u64| first.iter().filter(|first| *first <= events).count();
        grid.iter().map(|events| found(events) as f64 / results.len().max(1) as f64).collect()
    };
    let rows: Vec<Vec<f64>> = by_fault.into_iter().map(row).collect();
    let intervals = bootstrap_shares(&rows, rng(&run.name));
    let point = |(place, interval): (usize, Interval)| {
        let column: Vec<f64> = rows.iter().map(|row| row[place]).collect();
        CurvePoint { events: grid[place], recall: mean(&column).unwrap_or_default(), interval }
    };
    intervals.into_iter().enumerate().map(point).collect()
}

struct Groups<'a> {
    by_engine: &'a [ByFault<'a>],
    easy: Option<&'a BTreeSet<&'a str>>,
}

impl Groups<'_> {
    /// The faults in groups of equal keys, in their order.
    fn of<K: Ord>(&self, key: impl Fn(&Fault) -> K, name: impl Fn(&K) -> String) -> Vec<Group> {
        let mut members: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        let first = self.by_engine.first();
        for (place, (fault, _)) in first.into_iter().flatten().enumerate() {
            members.entry(key(fault)).or_default().push(place);
        }
        members.into_iter().map(|(key, places)| self.group(name(&key), &places)).collect()
    }

    fn group(&self, name: String, places: &[usize]) -> Group {
        let fault = |place: &usize| self.by_engine.first().map(|faults| faults[*place].0);
        let letters: BTreeSet<char> =
            places.iter().filter_map(fault).flat_map(|it| it.letters.chars()).collect();
        let recall = |faults: &ByFault<'_>| {
            let faults = places.iter().map(|place| &faults[*place].1);
            Recall::of(faults, CellResult::shows_fault, rng(&name))
        };
        let is_easy = |easy: &BTreeSet<&str>| {
            places.iter().filter_map(fault).filter(|fault| easy.contains(fault.id.as_str())).count()
        };
        Group {
            letters: letters.into_iter().collect(),
            faults: places.len(),
            baseline_finds: self.easy.map(is_easy),
            recall: self.by_engine.iter().map(recall).collect(),
            name,
        }
    }
}

/// The order in which letters are shown.
fn letters_order(letters: &str) -> usize {
    letters.chars().next().and_then(|letter| "PCGOK".find(letter)).unwrap_or(usize::MAX)
}

/// The bin of a fault; the last one is for faults whose witness has no known number of events.
fn depth_bin(fault: &Fault) -> usize {
    match &fault.witness {
        Some(witness) => DEPTHS.iter().position(|end| witness.events <= *end).unwrap_or(DEPTHS.len()),
        None => DEPTHS.len() + 1,
    }
}

fn depth_words(bin: usize) -> String {
    let from = bin.checked_sub(1).and_then(|before| DEPTHS.get(before)).map_or(1, |end| end + 1);
    match DEPTHS.get(bin) {
        Some(end) => format!("{from}\u{2013}{end} events"),
        None if bin == DEPTHS.len() => format!("{from} events and more"),
        None => "not known".to_owned(),
    }
}

/// Number of events until the fault was shown; infinite if that took more than these.
pub(crate) fn first_within(result: &CellResult, events: u64) -> f64 {
    result.first_true().filter(|first| *first <= events).map_or(f64::INFINITY, |first| first as f64)
}

/// The median of the events until faults were first shown, where more than half of the campaigns found theirs.
pub(crate) fn median_first(first: &[f64]) -> Option<f64> {
    median(first).filter(|middle| middle.is_finite())
}
