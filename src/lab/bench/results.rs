//! All results of a bench as one value, which is one JSON file.

use serde::{Deserialize, Serialize};

use crate::discovered::Rightness;
use crate::plan::{Cell, Fault, Plan, Purpose, Target};
use crate::recorded::Recorded;
use crate::result::CellResult;
use crate::run::Bench;

/// The results of a bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The version of Taproof.
    pub taproof: String,
    /// What the results may be used for.
    pub purpose: Purpose,
    /// What was asked for.
    pub plan: Plan,
    /// How many functions were recorded, if the plan says so.
    #[serde(default)]
    pub recorded: Option<Recorded>,
    /// How right the specifications are, if they were discovered.
    #[serde(default)]
    pub discovered: Option<Rightness>,
    /// The builds, chosen for the plan.
    pub targets: Vec<Target>,
    /// The campaigns, in the order of the plan.
    pub cells: Vec<CellRow>,
}

/// A campaign and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRow {
    /// Index of the target.
    pub target: usize,
    /// Name of the engine.
    pub engine: String,
    /// The seed of the campaign.
    pub seed: u64,
    /// The result.
    #[serde(flatten)]
    pub result: CellResult,
}

impl Results {
    /// The results of a bench of which every cell is done, in the order of its cells.
    pub fn of(bench: &Bench, results: impl IntoIterator<Item = CellResult>) -> Results {
        let row = |(cell, result): (&Cell, CellResult)| CellRow {
            target: cell.target,
            engine: bench.plan().engines[cell.engine].name.clone(),
            seed: cell.seed,
            result,
        };
        Results {
            taproof: env!("CARGO_PKG_VERSION").to_owned(),
            purpose: bench.plan().purpose(),
            plan: bench.plan().clone(),
            recorded: bench.recorded(),
            discovered: bench.rightness(),
            targets: bench.targets().to_vec(),
            cells: bench.cells().iter().zip(results).map(row).collect(),
        }
    }

    /// The results of an engine, target by target in their order, each with one result for each seed.
    pub fn by_target<'a>(&'a self, engine: &'a str) -> Vec<(&'a Target, Vec<&'a CellResult>)> {
        let mut by_target: Vec<(&Target, Vec<&CellResult>)> =
            self.targets.iter().map(|target| (target, Vec::new())).collect();
        for row in self.cells.iter().filter(|row| row.engine == engine) {
            if let Some((_, results)) = by_target.get_mut(row.target) {
                results.push(&row.result);
            }
        }
        by_target
    }

    /// The results of an engine in builds with one fault, fault by fault, each with one result for each seed.
    pub fn by_fault<'a>(&'a self, engine: &'a str) -> Vec<(&'a Fault, Vec<&'a CellResult>)> {
        let fault = |(target, results): (&'a Target, _)| Some((target.subject.fault()?, results));
        self.by_target(engine).into_iter().filter_map(fault).collect()
    }
}
