//! Engines beside one another: what they find, how early, and how much of the apps they execute.

use serde::Serialize;

use crate::plan::{EngineRun, Subject};
use crate::results::Results;
use crate::tables::statistics::{a12, mann_whitney, mean, median};
use crate::tables::summary::{ByFault, baseline, first_within};

/// The engine that lets others take turns, which is compared with each of them.
const TURNS: &str = "auto";

/// An engine beside another, both with the smaller of their budgets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The engine.
    pub engine: String,
    /// The other one.
    pub with: String,
    /// The number of events at which they are compared.
    pub events: u64,
    /// The share of campaigns of the engine that find their fault.
    pub recall: f64,
    /// The share of the other's.
    pub with_recall: f64,
    /// The engine's events to a fault, divided by the other's: the median of the faults and seeds that both find. `None`
    /// without any.
    pub events_to_events: Option<f64>,
    /// How likely a campaign of the engine needs fewer events than one of the other, of all faults together.
    pub a12: f64,
    /// The p-value of Mann and Whitney.
    pub p: f64,
}

/// The code points of sound builds that an engine executed, beside another one with as many events.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// The engine.
    pub engine: String,
    /// The other one.
    pub with: String,
    /// Number of campaigns of each.
    pub campaigns: usize,
    /// Code points of a campaign of the engine, the mean.
    pub points: f64,
    /// Those of the other.
    pub with_points: f64,
}

impl Coverage {
    /// The engine's code points, divided by the other's.
    pub fn ratio(&self) -> f64 {
        self.points / self.with_points
    }
}

/// Which engines are compared with which, by their places: all with the baseline, variants of an engine with the first
/// one, and engines that let others take turns with all others.
fn pairs(engines: &[EngineRun]) -> Vec<(usize, usize)> {
    let name = |place: usize| engines[place].config.name();
    let first_of = |place: usize| (0..engines.len()).find(|other| name(*other) == name(place));
    let baseline = baseline(engines);
    let all = (0..engines.len()).flat_map(|place| (0..engines.len()).map(move |other| (place, other)));
    let compared = |(place, other): &(usize, usize)| {
        let with = Some(*other);
        place != other && (with == baseline || with == first_of(*place) || name(*place) == TURNS)
    };
    all.filter(compared).collect()
}

/// What engines find, side by side.
pub(crate) fn comparisons(engines: &[EngineRun], by_engine: &[ByFault<'_>]) -> Vec<Comparison> {
    let compared = |(place, other): (usize, usize)| {
        comparison((&engines[place], &by_engine[place]), (&engines[other], &by_engine[other]))
    };
    pairs(engines).into_iter().filter_map(compared).collect()
}

fn comparison(
    (run, faults): (&EngineRun, &ByFault<'_>),
    (other, other_faults): (&EngineRun, &ByFault<'_>),
) -> Option<Comparison> {
    let events = run.events.min(other.events);
    let first = |faults: &ByFault<'_>| -> Vec<f64> {
        faults.iter().flat_map(|(_, results)| results).map(|it| first_within(it, events)).collect()
    };
    let found =
        |first: &[f64]| mean(&first.iter().map(|event| f64::from(event.is_finite())).collect::<Vec<_>>());
    let (its, with) = (first(faults), first(other_faults));
    let ratios = its.iter().zip(&with).map(|(its, with)| its / with.max(1.0));
    let ratios: Vec<f64> = ratios
        .zip(&with)
        .filter(|(ratio, with)| ratio.is_finite() && with.is_finite())
        .map(|(ratio, _)| ratio)
        .collect();
    Some(Comparison {
        engine: run.name.clone(),
        with: other.name.clone(),
        events,
        recall: found(&its)?,
        with_recall: found(&with)?,
        events_to_events: median(&ratios),
        a12: a12(&with, &its)?,
        p: mann_whitney(&with, &its),
    })
}

/// What engines with equal budgets executed of sound builds, side by side.
pub(crate) fn coverage(results: &Results) -> Vec<Coverage> {
    let engines = &results.plan.engines;
    let points = |engine: &EngineRun| -> Vec<f64> {
        let targets = results.by_target(&engine.name);
        let sound = targets.into_iter().filter(|(target, _)| target.subject == Subject::Sound);
        sound.flat_map(|(_, results)| results).map(|result| result.code as f64).collect()
    };
    let compared = |(place, other): (usize, usize)| {
        let (run, with) = (&engines[place], &engines[other]);
        let (its, others) = (points(run), points(with));
        let comparable = run.events == with.events && its.len() == others.len();
        Some(Coverage {
            engine: run.name.clone(),
            with: with.name.clone(),
            campaigns: its.len(),
            points: mean(&its).filter(|_| comparable)?,
            with_points: mean(&others).filter(|points| *points > 0.0)?,
        })
    };
    pairs(engines).into_iter().filter_map(compared).collect()
}
